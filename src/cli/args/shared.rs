//! The options that several subcommands have.

use std::num::NonZero;
use std::ops::Range;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use urlgrep::archive::ReadAs;
use urlgrep::{HyphenOrder, Level, Rejoin};

use super::values::{
    HYPHENS, INPUTS, KindItem, KindParser, LEVELS, OTHERURLS, REJOINS, SchemeItem, When, base, one_of, range, scheme,
    size,
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

/// Which of the matches are printed. These never change what is found.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Which URLs (by the first reading)")]
pub(crate) struct SelectArgs {
    /// Only these schemes: http,ftp; '!news' leaves out
    ///
    /// Names separated by commas, in any case. May be given more than once. The last that holds
    /// counts; where all begin with '!', every other scheme is wanted.
    #[arg(short = 's', long, value_name = "LIST", value_delimiter = ',', value_parser = scheme)]
    pub(crate) scheme: Vec<SchemeItem>,

    /// Only these hosts: '*.cern.ch'; '!*.org' leaves out
    ///
    /// Names and globs separated by commas, in any case. The port does not count. A plain name
    /// matches that host alone: 'cern.ch' leaves its subdomains out. A '*' stands for any text,
    /// dots too: '*.cern.ch' matches info.cern.ch and a.b.cern.ch, but not cern.ch. To match all of
    /// them, give 'cern.ch,*.cern.ch'. mailto: URLs and news articles match by their domain. May be
    /// given more than once. A '!' leaves out the hosts that it matches. The last that matches a
    /// host counts. If all begin with '!', every other host is wanted, and URLs without one.
    #[arg(long, value_name = "LIST")]
    pub(crate) host: Vec<String>,

    /// Read names of --host from a file, one a line
    ///
    /// Each line is a name or a glob as in --host, or '!' and one of them. A '#' begins a comment.
    /// Thousands of names and of globs like '*.cern.ch' do not slow the search down. Lines of FILE
    /// count before --host, which can make exceptions. For '-' it is standard input. May be given
    /// more than once.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) host_file: Vec<PathBuf>,

    /// Only these kinds: wrapped,bare; '!attribute' leaves out
    ///
    /// Kinds are wrapped, angle, prefixed, bare, attribute, www and navigation, separated by
    /// commas. A '<URL:http://h/>' is wrapped, '<http://h/>' is angle, and 'URL:http://h/' is
    /// prefixed. A link of HTML is attribute, and a name without a scheme (--www) is www. All else
    /// is bare. A navigation link is one that an archiver of mail put on its page, such as to the
    /// next message. These are found only if they are named here. May be given more than once. The
    /// last that holds counts. If all begin with '!', every other kind is wanted.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true, value_parser = KindParser)]
    pub(crate) kind: Vec<KindItem>,

    /// Only this level or stricter, such as rfc3986
    ///
    /// The level is the strictest grammar that fits: rfc1738, rfc1738-ref (with a '#fragment'),
    /// rfc3986, iri (with letters beyond ASCII), none. Default: all.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, value_parser = one_of(LEVELS))]
    pub(crate) level: Option<Level>,

    /// Short for --level rfc1738-ref
    #[arg(long, conflicts_with = "level", hide_short_help = true)]
    pub(crate) strict: bool,

    /// Also wrapped bodies that hold no URL at all
    ///
    /// RFC 1738's wrapper announces a URL, so '<URL:not a url>' can be reported with its error. But
    /// 'Option<url::Url>' looks alike, so by default these are left out. Records also show
    /// candidates whose host nobody wrote: 'http://api.<region>.example' or 'http://a[.]example'.
    /// Their field 'refused' has the reason.
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
    /// Any letter-led word of 2 to 32 characters. By default some 590 schemes are found, and
    /// x-NAME, and NAME+SCHEME.
    #[arg(long, hide_short_help = true)]
    pub(crate) any_scheme: bool,

    /// Join lines: auto, delimited, none
    ///
    /// With auto, wrapped and angle URLs cross line ends, and bare ones that a line break very
    /// likely cut. With delimited, only wrapped and angle URLs do. With none, no URL does.
    ///
    /// A pipe is followed, and a URL is printed when the text behind it decides its end. So a bare
    /// URL at the end of a line waits for the next line. With none it does not wait:
    ///
    /// tail -f access.log | urlgrep --rejoin none
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_default_value = true, hide_possible_values = true, value_parser = one_of(REJOINS))]
    pub(crate) rejoin: Rejoin,

    /// Columns of the screen that the text was on
    ///
    /// A bare URL that ends in the last column may continue in the next line, alone there. Without
    /// --columns, two lines of a URL that end in the same column show it. For instance:
    ///
    /// tmux capture-pane -p | urlgrep --columns "$(tmux display -p '#{pane_width}')"
    #[arg(long, value_name = "NUM", hide_short_help = true)]
    pub(crate) columns: Option<NonZero<usize>>,

    /// First reading of a doubtful hyphen: keep, drop
    ///
    /// Whether a hyphen before a line break belongs to the URL. The default, keep, suits text that
    /// software wrapped; drop suits typeset text. The other reading is an alternative. If only one
    /// reading is a URL, that one counts.
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

    /// Let bare URLs continue with every letter beyond ASCII
    ///
    /// Some scripts have no blanks between words, such as Chinese. Their letters may end a bare URL
    /// behind its host, and the other reading is an alternative. With --iri they do not.
    #[arg(long, hide_short_help = true)]
    pub(crate) iri: bool,

    /// Also names without a scheme: www.example.com
    ///
    /// They begin with www. or ftp. and end in a public suffix, such as com or co.uk. Their kind is
    /// www, and their level none. A click opens them with http:// or ftp:// before them, and an
    /// audit reads them so.
    #[arg(long)]
    pub(crate) www: bool,

    /// Read defanged URLs: hxxps://a[.]example/
    ///
    /// As what they hide: hxxp, hxxps, fxp and fxps for http, https, ftp and ftps; [.] (.) {.}
    /// [dot] (dot) for a dot; [:], [://] and [@] for what is between the brackets. It reads what
    /// --defang writes. Without it they are no URLs.
    #[arg(long, hide_short_help = true)]
    pub(crate) refang: bool,

    /// How to read the input: auto, text, mail, html, csv
    ///
    /// The default, auto, recognises mail and news by content: mailboxes, messages, news batches,
    /// also in a tar. It reads messages as a mail reader does. MIME parts, transfer encodings,
    /// charsets, encoded words, format=flowed and HTML are decoded. With --json each URL has its
    /// message, part and header field. Pages of HTML are recognised by their first tag or by their
    /// name (.html), and read as a browser does. In sheets, recognised by their name (.csv), a
    /// comma ends a URL that is not quoted. All else is text. With text, everything is text. With
    /// mail, html or csv, a file that could be anything is a message, a page or a sheet.
    #[arg(long, value_name = "AS", default_value = "auto", hide_default_value = true, hide_possible_values = true, value_parser = one_of(INPUTS))]
    pub(crate) input: ReadAs,

    /// Resolve the links of a page against this URL
    ///
    /// Give the URL that a page came from. A base in the page or mail itself is relative to this
    /// one, and overrides it. Without a base a relative link leads nowhere, and is only in records.
    #[arg(long, value_name = "URL", hide_short_help = true, value_parser = base)]
    pub(crate) base: Option<String>,

    /// Read compressed files, and those in zips
    ///
    /// Reads gzip, zstd, bzip2, xz, lz4, compress (.Z) and zip, recognised by content, from a pipe
    /// too. Offsets and lines are those of the unpacked text. Without this option they are searched
    /// as bytes, and a note says so.
    #[arg(short = 'z', long)]
    pub(crate) search_zip: bool,

    /// Only matches that start in these bytes
    ///
    /// The first byte and the one after the last, counted from 0; either may be left out. Ranges
    /// that tile a file give each match exactly once, so a large file can be shared out. Lines and
    /// columns are the file's. For one regular file that is not compressed. In mail a message
    /// belongs to the range that holds the first byte of its separator.
    #[arg(long, value_name = "START:END", hide_short_help = true, value_parser = range)]
    pub(crate) range: Option<Range<u64>>,
}

/// How folders are walked.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct FilesArgs {
    #[command(flatten)]
    pub(crate) types: TypeChoice,

    /// List the types with their names of files, and stop
    #[arg(long, hide_short_help = true)]
    pub(crate) type_list: bool,

    /// Only files that match; '!GLOB' leaves out
    ///
    /// As in .gitignore, relative to the current folder: '*.txt' holds at any depth. May be given
    /// more than once; the last that matches counts. Files named as PATH are always read.
    #[arg(short = 'g', long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Match --glob in any case
    ///
    /// So '*.txt' matches README.TXT too. Counts after every --glob.
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub(crate) iglob: Vec<String>,

    /// Read hidden files and folders too
    ///
    /// Without it, those whose name begins with a dot are left out, but for the sub-folders of a
    /// maildir (.Sent).
    #[arg(short = '.', long)]
    pub(crate) hidden: bool,

    /// Read what .gitignore, .ignore exclude too
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links in folders
    ///
    /// A link to a folder that it lies in is an error on that link. Links named as PATH are always
    /// followed.
    #[arg(long, hide_short_help = true)]
    pub(crate) follow: bool,

    /// Go down NUM folders at most
    ///
    /// With 1, only the files right in a folder PATH are read; with 0 none.
    #[arg(short = 'd', long, value_name = "NUM", hide_short_help = true)]
    pub(crate) max_depth: Option<usize>,

    /// Leave out files larger than this, such as 5M
    ///
    /// In bytes, or with K, M or G in units of 1024, of 1024 K and of 1024 M. Files named as PATH
    /// are always read.
    #[arg(long, value_name = "NUM", hide_short_help = true, value_parser = size)]
    pub(crate) max_filesize: Option<u64>,

    /// List the files that would be read, and stop
    ///
    /// One a line, in the order of reading; without PATH those of the current folder. The exit
    /// status is 0 if there is one, else 1.
    #[arg(long)]
    pub(crate) files: bool,

    /// Say nothing of files that cannot be read
    ///
    /// Nor of those that are searched as bytes, though they hold something else. The exit status
    /// stays as it is.
    #[arg(long, hide_short_help = true)]
    pub(crate) no_messages: bool,
}

/// `--type` and `--type-not` in the order in which they were given: names, and whether they are
/// wanted.
#[derive(Clone, Debug)]
pub(crate) struct TypeChoice(pub(crate) Vec<(String, bool)>);

/// How [`TypeChoice`] is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which files")]
struct TypeArgs {
    /// Only files of this type, such as html; -T leaves out
    ///
    /// Types go by the names of files: ripgrep's, and 'mail'; --type-list lists them. The content
    /// of a file still decides how it is read. Names separated by commas; may be given more than
    /// once. The last of -t and -T that matches a file counts. Files named as PATH are always read.
    #[arg(short = 't', long = "type", value_name = "TYPE", value_delimiter = ',')]
    types: Vec<String>,

    /// No files of this type
    ///
    /// As --type.
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

/// How anything is shown.
#[derive(Debug, Args)]
pub(crate) struct ColorArgs {
    /// Colour the output: auto, always, never
    ///
    /// With 'auto', the default, text is coloured on a terminal, unless the environment variable
    /// NO_COLOR is set. Other formats are never coloured. A URL is bold. A red URL fits no grammar:
    /// its level is 'none'. For the byte and the reason, see 'urlgrep parse URL'.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: When,
}

/// The options of the display and the messages of a search.
#[derive(Debug, Args)]
pub(crate) struct ShownArgs {
    #[command(flatten)]
    pub(crate) color: ColorArgs,

    /// Show progress: auto, always, never
    ///
    /// Only ever on a terminal's standard error. With 'auto', the default, only where standard
    /// output goes elsewhere.
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
    /// The numbers of files, bytes and matches. Then refusals: candidates too long, wrappers that
    /// never close, empty wrappers. Then parts of mail that could not be decoded, with the reason,
    /// and the time.
    #[arg(long, hide_short_help = true)]
    pub(crate) stats: bool,
}

/// How many threads search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Other")]
pub(crate) struct ThreadsArgs {
    /// Worker threads; 0, the default, is one a core
    ///
    /// The output is the same, byte for byte, for every number.
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0, hide_default_value = true)]
    pub(crate) threads: usize,
}

/// Whether the file of `URLGREP_CONFIG_PATH` counts.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    /// Ignore URLGREP_CONFIG_PATH and .urlgrep.toml
    ///
    /// The environment variable names a file of options that are always given; see ENVIRONMENT in
    /// the help of urlgrep itself. In a repository, .urlgrep.toml has options of 'urlgrep audit',
    /// and the findings that it ignores.
    #[arg(long, hide_short_help = true, help_heading = "Other")]
    no_config: bool,
}

/// The reading of `otherurl`.
#[derive(Clone, Debug, Args)]
pub(crate) struct OtherurlArgs {
    /// Read 'otherurl' by the letter of its BNF
    ///
    /// The only value is 'literal'. RFC 1738's BNF lets a scheme beyond its ten hold any characters
    /// after the colon. Without this option what follows '//' must be a host, so sqlite:///x is not
    /// RFC 1738.
    #[arg(long, value_name = "literal", hide_possible_values = true, hide_short_help = true, value_parser = one_of(OTHERURLS))]
    pub(crate) otherurl: Option<()>,
}

impl OtherurlArgs {
    /// Returns whether `--otherurl literal` is given.
    pub(crate) fn is_literal(&self) -> bool {
        self.otherurl.is_some()
    }
}
