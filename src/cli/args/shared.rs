//! The options that several subcommands have.

use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use urlgrep::archive::ReadAs;
use urlgrep::{HyphenOrder, Level, Rejoin};

use super::values::{
    HYPHENS, INPUTS, KindItem, KindParser, LEVELS, OTHERURLS, REJOINS, SchemeItem, When, base, columns, one_of, range,
    scheme, size,
};

/// The options of every search.
#[derive(Debug, Args)]
pub(crate) struct CommonArgs {
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) files: FilesArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) threads: ThreadsArgs,
    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}

/// The options that select the matches to print. They never change what is found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Which URLs (by the first reading)")]
pub(crate) struct SelectArgs {
    /// Only these schemes: http,ftp; '!news' excludes news
    ///
    /// Names separated by commas, in any case. May be given more than once. The last matching entry
    /// applies. If all entries begin with '!', every other scheme is included.
    #[arg(short = 's', long, value_name = "LIST", value_delimiter = ',', value_parser = scheme)]
    pub(crate) scheme: Vec<SchemeItem>,

    /// Only these: 'cern.ch,*.cern.ch'; '!*.org' excludes .org
    ///
    /// Names and globs separated by commas, in any case. The port is ignored. A plain name matches
    /// only that host: 'cern.ch' does not match its subdomains. A '*' stands for any text, dots
    /// too: '*.cern.ch' matches info.cern.ch and a.b.cern.ch, but not cern.ch. To match all of
    /// them, give 'cern.ch,*.cern.ch'. mailto: URLs and news articles match by their domain. May be
    /// given more than once. An entry with '!' excludes the hosts that it matches. The last
    /// matching entry applies. If all entries begin with '!', every other host is included, and so
    /// are URLs without a host.
    #[arg(long, value_name = "LIST")]
    pub(crate) host: Vec<String>,

    /// Read entries of --host from a file, one per line
    ///
    /// Each line is a name or a glob as in --host, optionally after '!'. A '#' begins a comment.
    /// Thousands of names, and of globs like '*.cern.ch', do not slow the search down. Entries of
    /// --host come after those of FILE, so they override them. If FILE is '-', the entries come
    /// from standard input. May be given more than once.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) host_file: Vec<PathBuf>,

    /// Only these kinds: wrapped,bare; '!www' excludes www
    ///
    /// Kinds are wrapped, angle, prefixed, bare, attribute, www, name and navigation, separated by
    /// commas. A '<URL:http://h/>' is wrapped, '<http://h/>' is angle, and 'URL:http://h/' is
    /// prefixed. A link of HTML is attribute. A name without a scheme is www (--www) or name
    /// (--names). All others are bare. A navigation link is one that a mail archiver added to its
    /// page, such as to the next message. Navigation links are found only if they are named here.
    /// May be given more than once. The last matching entry applies. If all entries begin with '!',
    /// every other kind is included.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true, value_parser = KindParser)]
    pub(crate) kind: Vec<KindItem>,

    /// Only this level or stricter, such as rfc3986
    ///
    /// The level is the strictest grammar that fits: rfc1738, rfc1738-ref (with a '#fragment'),
    /// rfc3986, iri (with non-ASCII letters), none. Default: all.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, value_parser = one_of(LEVELS))]
    pub(crate) level: Option<Level>,

    /// Short for --level rfc1738-ref
    #[arg(long, conflicts_with = "level", hide_short_help = true)]
    pub(crate) strict: bool,

    /// Only URLs that were put together over line breaks
    #[arg(long)]
    pub(crate) rejoined: bool,

    /// Also wrapped texts that are not URLs
    ///
    /// RFC 1738's wrapper announces a URL, so '<URL:not a url>' can be reported with its error. But
    /// 'Option<url::Url>' looks alike, so by default such candidates are excluded. With --json or
    /// --csv, this option also shows candidates with a placeholder or defanged host:
    /// 'http://api.<region>.example' or 'http://a[.]example'. Their field 'refused' has the reason.
    #[arg(long, hide_short_help = true)]
    pub(crate) candidates: bool,
}

impl SelectArgs {
    /// Returns the level of `--level` and `--strict`.
    pub(crate) fn least_level(&self) -> Level {
        if self.strict { Level::Rfc1738Ref } else { self.level.unwrap_or(Level::None) }
    }
}

/// The options that decide what a URL is.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How text is read")]
pub(crate) struct SearchArgs {
    /// Accept any word before '://' as a scheme
    ///
    /// The word has 2 to 32 characters and begins with a letter. By default some 590 schemes are
    /// found, and also x-NAME and NAME+SCHEME.
    #[arg(long, hide_short_help = true)]
    pub(crate) any_scheme: bool,

    /// Join lines: auto, delimited, none (for live logs)
    ///
    /// With auto, wrapped and angle URLs cross line ends. A bare URL does if a line break very
    /// likely split it. With delimited, only wrapped and angle URLs do. With none, no URL does.
    ///
    /// In a pipe, a URL is printed as soon as the text after it decides its end. So a bare URL at
    /// the end of a line waits for the next line. With none, it does not wait:
    ///
    /// tail -f access.log | urlgrep --rejoin none
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_default_value = true, hide_possible_values = true, value_parser = one_of(REJOINS))]
    pub(crate) rejoin: Rejoin,

    /// Width of the screen that the text was on
    ///
    /// The width is in columns. A line that fills it continues on the next line, unless a blank or
    /// a URL begins there. With auto, the width is that of the terminal of standard error. Without
    /// --columns, two lines of a URL that end in the same column reveal the width. In a pane:
    ///
    /// tmux capture-pane -p | urlgrep --columns auto
    #[arg(long, value_name = "NUM", hide_short_help = true, value_parser = columns)]
    pub(crate) columns: Option<NonZero<usize>>,

    /// First reading of a doubtful hyphen: keep, drop
    ///
    /// The hyphen before a line break may belong to the URL or to the typesetter. The default,
    /// keep, suits text that software wrapped; drop suits typeset text. The other reading is an
    /// alternative. If only one reading is a URL, that reading is used.
    #[arg(
        long,
        value_name = "READING",
        default_value = "keep",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true,
        value_parser = one_of(HYPHENS)
    )]
    pub(crate) hyphen: HyphenOrder,

    #[command(flatten)]
    pub(crate) otherurl: OtherurlArgs,

    /// Let bare URLs continue with every non-ASCII letter
    ///
    /// Some scripts, such as Chinese, have no blanks between words. Their letters may end a bare
    /// URL after its host, and the longer reading is an alternative. With --iri, they do not end
    /// it.
    #[arg(long, hide_short_help = true)]
    pub(crate) iri: bool,

    /// Also names without a scheme: www.example.com
    ///
    /// They begin with www. or ftp. and end in a public suffix, such as com or co.uk. Their kind is
    /// www, and their level is none. A click opens them with http:// or ftp:// before the name. An
    /// audit reads them this way, too.
    #[arg(long)]
    pub(crate) www: bool,

    /// Also other names that have a path: bit.ly/x
    ///
    /// They end in a public suffix, such as ly, com or co.uk, but not like a file: foo.py/x is none.
    /// Their kind is name, and their level is none. A click opens them with http:// before the
    /// name.
    #[arg(long)]
    pub(crate) names: bool,

    /// Read defanged URLs: hxxps://a[.]example/
    ///
    /// Defanged URLs are read as the originals. hxxp, hxxps, fxp and fxps mean http, https, ftp and
    /// ftps. A dot may be [.] (.) {.} [dot] (dot). The forms [:], [://] and [@] mean the text
    /// between the brackets. The option reads what --defang writes. Without it, defanged URLs are
    /// not URLs.
    #[arg(long)]
    pub(crate) refang: bool,

    /// How to read the input: auto, text, mail, html, csv
    ///
    /// The default, auto, recognises mail and news by content: mailboxes, messages, news batches,
    /// also in a tar. It reads messages as a mail reader does. MIME parts, transfer encodings,
    /// charsets, encoded words, format=flowed and HTML are decoded. With --json, each URL has its
    /// message, part and header field. HTML pages are recognised by their first tag or by their
    /// name (.html), and read as a browser does. In CSV files, recognised by their name (.csv), a
    /// comma ends a URL that is not quoted. All else is text. With text, everything is text. With
    /// mail, html or csv, an unrecognised file is read as mail, HTML or CSV, respectively.
    #[arg(long, value_name = "AS", default_value = "auto", hide_default_value = true, hide_possible_values = true, value_parser = one_of(INPUTS))]
    pub(crate) input: ReadAs,

    /// Resolve the links of a page against this URL
    ///
    /// Give the URL that a page came from. A base in the page or mail itself is resolved against
    /// this URL, and overrides it. Without a base, a relative link has no target, and only records
    /// show it.
    #[arg(long, value_name = "URL", value_parser = base)]
    pub(crate) base: Option<String>,

    /// Read compressed files, and files in zips
    ///
    /// Reads gzip, zstd, bzip2, xz, lz4, compress (.Z) and zip, recognised by content, also from a
    /// pipe. Offsets and lines are those of the unpacked text. Also reads the text cells of SQLite
    /// databases. Without this option, such files are searched as bytes, and databases are not
    /// searched. A note reports both.
    #[arg(short = 'z', long)]
    pub(crate) search_zip: bool,

    /// Only matches that start in these bytes
    ///
    /// START is the first byte, and END is the byte after the last, counted from 0. Either may be
    /// omitted. Consecutive ranges give each match exactly once, so several runs can share a large
    /// file. Lines and columns are those of the whole file. The option needs exactly one regular
    /// file that is not compressed. In mail, a message belongs to the range that holds the first
    /// byte of its separator.
    #[arg(long, value_name = "START:END", hide_short_help = true, value_parser = range)]
    pub(crate) range: Option<Range<u64>>,
}

/// How folders are walked.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct FilesArgs {
    #[command(flatten)]
    pub(crate) types: TypeChoice,

    /// List the types with their file-name patterns, and stop
    #[arg(long, hide_short_help = true)]
    pub(crate) type_list: bool,

    /// Only files that match; '!GLOB' excludes files
    ///
    /// Globs work as in .gitignore, relative to the current folder: '*.txt' matches at any depth.
    /// May be given more than once; the last matching glob applies. Files named as PATH are always
    /// read.
    #[arg(short = 'g', long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Match --glob in any case
    ///
    /// So '*.txt' also matches README.TXT. These globs apply after every --glob.
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub(crate) iglob: Vec<String>,

    /// Also read hidden files and folders
    ///
    /// Without it, names that begin with a dot are skipped, except sub-folders of a maildir
    /// (.Sent).
    #[arg(short = '.', long)]
    pub(crate) hidden: bool,

    /// Also read files that .gitignore, .ignore exclude
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links in folders
    ///
    /// A symbolic link to one of its own parent folders is an error. Links named as PATH are always
    /// followed.
    #[arg(short = 'R', long, alias = "dereference-recursive", hide_short_help = true)]
    pub(crate) follow: bool,

    /// Without PATH, read the current folder
    ///
    /// Folders given as PATH are read without it. The option is accepted as in grep.
    #[arg(short = 'r', long, hide_short_help = true)]
    pub(crate) recursive: bool,

    /// Read every file as text, which is the default
    ///
    /// Accepted as in grep, and without effect: no file is skipped as binary.
    #[arg(short = 'a', long, hide_short_help = true)]
    text: bool,

    /// Descend NUM folders at most
    ///
    /// With 1, only the files directly in a folder PATH are read; with 0, none are.
    #[arg(short = 'd', long, value_name = "NUM", hide_short_help = true)]
    pub(crate) max_depth: Option<usize>,

    /// Skip files larger than this, such as 5M
    ///
    /// The number is in bytes. The suffixes K, M and G mean KiB, MiB and GiB. Files named as PATH
    /// are always read.
    #[arg(long, value_name = "NUM", hide_short_help = true, value_parser = size)]
    pub(crate) max_filesize: Option<u64>,

    /// List the files that would be read, and stop
    ///
    /// The list has one file per line, in the order of reading. Without PATH, it has the files of
    /// the current folder. The exit status is 0 if there is a file, else 1.
    #[arg(long, hide_short_help = true)]
    pub(crate) files: bool,

    /// Suppress messages about unreadable files
    ///
    /// This also hides the notes on recognised formats that are searched as bytes. The exit status
    /// stays the same.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_messages: bool,
}

/// The names of `--type` and `--type-not` in the order given, and whether each is wanted.
#[derive(Clone, Debug)]
pub(crate) struct TypeChoice(pub(crate) Vec<(String, bool)>);

/// `--type` and `--type-not` as clap parses them: two lists without a common order.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which files")]
struct TypeArgs {
    /// Only files of this type, such as html; -T skips it
    ///
    /// A type is a set of file-name patterns. The types are those of ripgrep, and 'mail';
    /// --type-list lists them. The content of a file still decides how it is read. Names are
    /// separated by commas. May be given more than once. The last of -t and -T that matches a file
    /// applies. Files named as PATH are always read.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,

    /// Skip files of this type
    ///
    /// Names work as with --type.
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", value_delimiter = ',', hide_short_help = true)]
    types_not: Vec<String>,
}

impl Args for TypeChoice {
    fn augment_args(command: clap::Command) -> clap::Command {
        TypeArgs::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        TypeArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for TypeChoice {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let TypeArgs { types, types_not } = TypeArgs::from_arg_matches(matches)?;
        let placed = |id, names: Vec<String>, is_wanted| {
            let places = matches.indices_of(id).into_iter().flatten();
            places.zip(names).map(move |(place, name)| (place, name, is_wanted)).collect()
        };
        let all: [Vec<_>; 2] = [placed("types", types, true), placed("types_not", types_not, false)];
        let mut all = all.concat();
        all.sort();
        Ok(Self(all.into_iter().map(|(_, name, is_wanted)| (name, is_wanted)).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The option for colours.
#[derive(Debug, Args)]
pub(crate) struct ColorArgs {
    /// Colour the output: auto, always, never
    ///
    /// With 'auto', the default, text is coloured on a terminal, unless the environment variable
    /// NO_COLOR is set. Other formats are never coloured. A URL is bold. A red URL fits no grammar:
    /// its level is 'none'. For the place and the reason, run 'urlgrep parse URL'.
    #[arg(
        long,
        alias = "colour",
        overrides_with = "no_color",
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true
    )]
    color: When,

    /// Short for --color never
    #[arg(long, alias = "no-colour", overrides_with = "color", hide_short_help = true)]
    no_color: bool,
}

impl ColorArgs {
    /// Returns the value of `--color` and `--no-color`. The last of them applies.
    pub(crate) fn when(&self) -> When {
        if self.no_color { When::Never } else { self.color }
    }
}

/// The options of the display and the messages of a search.
#[derive(Debug, Args)]
pub(crate) struct ShownArgs {
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    /// Show progress: auto, always, never
    ///
    /// Progress appears only if standard error is a terminal. With 'auto', the default, standard
    /// output must also be redirected.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true,
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) progress: When,

    /// Print statistics to standard error
    ///
    /// The numbers of files, bytes and matches come first. Numbers of refused candidates follow:
    /// too long, in a wrapper that never closes, in an empty wrapper. The rest covers undecoded
    /// parts of mail, inputs searched as bytes, errors, and the time.
    #[arg(long, hide_short_help = true)]
    pub(crate) stats: bool,
}

/// How many threads search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Other")]
pub(crate) struct ThreadsArgs {
    /// Worker threads; 0, the default, is one per core
    ///
    /// The output is the same, byte for byte, for every number.
    #[arg(
        short = 'j',
        long,
        value_name = "NUM",
        default_value_t = 0,
        hide_default_value = true,
        hide_short_help = true
    )]
    pub(crate) threads: usize,
}

/// The option that ignores the files of options.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Ignore URLGREP_CONFIG_PATH and .urlgrep.toml
    ///
    /// The environment variable names a file of options for every run; see ENVIRONMENT in the help
    /// of urlgrep itself. In a repository, .urlgrep.toml has options for 'urlgrep audit', and
    /// findings to ignore.
    #[arg(long, hide_short_help = true, help_heading = "Other")]
    no_config: bool,
}

/// The option for the reading of `otherurl`.
#[derive(Clone, Debug, Args)]
pub(crate) struct OtherurlArgs {
    /// Read 'otherurl' by the letter of its BNF
    ///
    /// The only value is 'literal'. For a scheme other than its ten, RFC 1738's BNF allows any
    /// characters after the colon. Without this option, a host must follow '//', so sqlite:///x is
    /// not RFC 1738.
    #[arg(long, value_name = "literal", hide_possible_values = true, hide_short_help = true, value_parser = one_of(OTHERURLS))]
    pub(crate) otherurl: Option<()>,
}

impl OtherurlArgs {
    /// Returns whether `--otherurl literal` is given.
    pub(crate) fn is_literal(&self) -> bool {
        self.otherurl.is_some()
    }
}
