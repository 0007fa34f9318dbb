//! What the command line says: plain data, and every word of help.
//!
//! Stage one of three (args → plan → work). Nothing here looks at the world: no file is opened, no terminal is asked
//! for, no glob is compiled. A value is refused here only for what it is by itself; what a combination means is
//! [`plan`](super::plan)'s to say. `-h`, `--help`, the man page and the completions are all made from this one file.

use std::path::PathBuf;

use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};
use urlgrep::Backend;

/// The whole command line.
///
/// `args_conflicts_with_subcommands` makes only the *first* argument a subcommand: in `urlgrep x.txt parse` and
/// `urlgrep -n parse` the word is a PATH. A file of that name that comes first is reached as `./parse`.
#[derive(Debug, Parser)]
#[command(
    name = "urlgrep",
    version,
    about = "Find every URL in text, and get each one right",
    long_about = LONG_ABOUT,
    override_usage = USAGE,
    max_term_width = 79,
    help_expected = true,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
)]
pub(crate) struct Cli {
    /// `urlgrep parse`, where the first argument says so.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Otherwise: find.
    #[command(flatten)]
    pub(crate) find: FindArgs,
}

/// What `--version` prints.
pub(crate) fn version(backend: Backend) -> String {
    format!(
        "{}\n\nfeatures: cli parallel report archive audit\ngrammar:  RFC 1738 (with 1808 fragments), RFC 3986, RFC 3987\nsimd:     {backend}",
        env!("CARGO_PKG_VERSION"),
    )
}

/// The definition with what derive cannot hold: the sections EXAMPLES, EXIT STATUS and ENVIRONMENT.
pub(crate) fn definition() -> clap::Command {
    Cli::command()
        .after_long_help(sections(FIND_SECTIONS))
        .mut_subcommand("parse", |parse| parse.after_long_help(sections(sections_of("parse"))))
        .mut_subcommand("audit", |audit| audit.after_long_help(sections(sections_of("audit"))))
}

const USAGE: &str = "urlgrep [OPTIONS] [PATH]...\n       urlgrep parse [OPTIONS] [URL]...\n       \
    urlgrep audit [OPTIONS] [PATH]...";

const LONG_ABOUT: &str = "\
urlgrep finds the URLs in text files, mail and source code, and says of each one which grammar it satisfies. It knows \
the wrappers of RFC 1738 (<URL:...>), mends URLs that were broken over lines, with reply marks and comment marks \
between, and knows where a bare URL ends in running text. Archives of mail and news are read as a mail reader does, \
with every part decoded.

PATH is a file or a folder. Without PATH, or where PATH is '-', urlgrep reads standard input. Files are searched in \
the order given, folders sorted by name, and matches are printed in the order of the text, whatever the number of \
threads. No file is skipped as binary.

'parse' or 'audit' as the first argument is the subcommand; a file of that name is reached as './parse'.";

/// One section after the options: its title, and its paragraphs as (what, explanation).
pub(crate) type Section = (&'static str, &'static [(&'static str, &'static str)]);

/// What follows the options of `urlgrep`, in `--help` and in the man page.
pub(crate) const FIND_SECTIONS: &[Section] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep talk.txt", "Every URL in a file, one a line"),
            ("urlgrep -n --column src docs", "Where they are: file, line and column"),
            (
                "curl -s https://example.com/ | urlgrep -u --host '*.example.com'",
                "Each URL of one site once, from a pipe",
            ),
            ("urlgrep --json mbox | jq -r 'select(.rejoined).url'", "The URLs that were broken over lines"),
            ("urlgrep --json --kind wrapped . | jq 'select(.error)'", "Wrapped URLs that are not RFC 1738, and why"),
            (
                "urlgrep -z --first-said --message lists/*.mbox.gz",
                "Each URL of an archive where it was first said, with the message",
            ),
            ("urlgrep --json Maildir | jq 'select(.shown_host)'", "Links in mail that go elsewhere than they say"),
            ("urlgrep --all-readings draft.txt", "Doubtful places with all that they may mean"),
            ("urlgrep -c -s http,https *.txt", "Counts by file"),
            ("urlgrep --range 0:1000000 huge.log", "One piece of a large file"),
            ("urlgrep parse 'http://h/~joe' 'gopher://h/7sel%09query'", "Validate URLs and say what is wrong"),
            ("urlgrep audit -z lists/", "What an archive links to, and what is wrong with it"),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "A match was found"),
            ("1", "No match was found"),
            ("2", "An error, even if some files were read; with --quiet a match wins"),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            ("NO_COLOR", "If it is set, nothing is coloured unless --color says so"),
            (
                "URLGREP_SIMD",
                "How bytes are looked at: avx512, avx2 or portable, instead of the fastest that the machine has; matches are the same",
            ),
        ],
    ),
];

/// What follows the options of a subcommand.
pub(crate) fn sections_of(subcommand: &str) -> &'static [Section] {
    match subcommand {
        "parse" => PARSE_SECTIONS,
        _ => AUDIT_SECTIONS,
    }
}

const PARSE_SECTIONS: &[Section] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep parse 'http://h/~joe'", "http://h/~joe: unsafe-gateway at 9: ..."),
            ("urlgrep parse --explain 'gopher://h:25/0x%0D%0Ay'", "What a URL does, and what is wrong with it"),
            ("urlgrep parse --json 'ftp://u@h/a/b;type=i'", "The parts of a URL"),
            ("urlgrep parse --base http://a/b/c/d ../x", "Resolve a relative URL"),
            ("urlgrep -u mbox | urlgrep parse --json", "Take one URL a line from a pipe"),
        ],
    ),
    (
        "EXIT STATUS",
        &[("0", "All URLs are valid"), ("1", "Some are not"), ("2", "An error, even if some URLs were read")],
    ),
];

const AUDIT_SECTIONS: &[Section] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep audit -z lists/*.mbox.gz", "Totals, the links that are said most, and what is wrong"),
            ("urlgrep audit --format html Maildir > report.html", "The same as a page to look at, sort and filter"),
            ("urlgrep audit --fail-on high docs", "For a build: exit status 1 if a link is dangerous"),
            ("urlgrep audit --deny A-CASE,X-LATER --format sarif src > urls.sarif", "For code scanning"),
            ("urlgrep audit --allow 'A-IP-*' --format csv proxy.log", "One kind of finding, as a table"),
            (
                "urlgrep audit --format urls lists > urls.txt; lychee -v --format json urls.txt > checked.json; \
                 urlgrep audit --checked checked.json lists",
                "Which messages hold dead links",
            ),
            ("urlgrep audit --db lists.db lists", "Tomorrow only what is new is read"),
            ("urlgrep audit --rules", "What is looked at, and why"),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "The report is written"),
            ("1", "The same, and a finding is as bad as --fail-on says"),
            ("2", "An error, even if some files were read"),
        ],
    ),
];

/// Renders sections as plain text for `--help`.
fn sections(sections: &[Section]) -> String {
    let mut text = String::new();
    for (title, entries) in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(title);
        text.push_str(":\n");
        for (what, explanation) in *entries {
            if what.len() <= 2 {
                text.push_str(&format!("  {what}  {explanation}\n"));
            } else {
                text.push_str(&format!("  {explanation}\n      {what}\n"));
            }
        }
    }
    text
}

/// What the first argument can ask for besides finding.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Parse, validate, explain and resolve URLs
    ///
    /// Parses each URL by RFC 1738 with a fragment and says whether it is valid, or what is wrong and where. Prints
    /// one line a URL: 'URL: ok rfc1738', or 'URL: unsafe-gateway at 24: ...'; with --explain, and for a single URL on a
    /// terminal, all that there is to say about it.
    ///
    /// Without URL, or where URL is '-', takes one URL a line from standard input. A line is taken as it is, less its
    /// LF or CRLF; an empty line is the empty string.
    Parse(ParseArgs),
    /// Report on the links of a whole archive
    ///
    /// Reads files and folders as 'urlgrep' does, and tells what they link to and what is wrong with it: totals by
    /// scheme, host, kind, level and year, every distinct URL with its count and first place, and findings: URLs that
    /// fit no grammar, hyphens of which the rest of the archive says whether they belong to the URL, and what is
    /// dangerous, doubtful or old. Two URLs are one if they differ only in what means nothing: the case of scheme and
    /// host, a default port, needless escapes.
    ///
    /// A rule says the same of a URL wherever it stands, so that is one finding, with the first place and a count; of a
    /// broken link every place is one. Passwords are masked in every format, unless --show-secrets is given.
    Audit(Box<AuditArgs>),
}

/// The options of `urlgrep` itself, by the headings of the help.
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// Files and folders to search; '-' is standard input
    ///
    /// Files are read in the order given, folders sorted by name. Without PATH, or where PATH is '-', standard input
    /// is read. A file given twice is read twice.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) files: FilesArgs,
    #[command(flatten)]
    pub(crate) other: OtherArgs,
}

/// What is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Print JSON Lines, one match a line
    ///
    /// Every line is one object with the same fields in the same order; what is unknown is null. Among them: url,
    /// kind, scheme, file, offset, length, line, column, rejoined, readings, level, error, host, parts (by RFC 1738)
    /// and generic (by RFC 3986).
    #[arg(long, conflicts_with_all = ["csv", "count", "files_with_matches", "files_without_match"])]
    pub(crate) json: bool,

    /// Print CSV with a header row
    ///
    /// RFC 4180. The columns are the fields of --json up to 'host', the error as error_kind, error_offset and
    /// error_message, and the readings separated by one blank.
    #[arg(long, conflicts_with_all = ["count", "files_with_matches", "files_without_match"])]
    pub(crate) csv: bool,

    /// Print the line number of each match
    ///
    /// Lines and columns are those of the first byte that the match covers, counted from 1. A text line is
    /// '[file:][line:][column:][offset:][<message-id>:]url'.
    #[arg(short = 'n', long)]
    pub(crate) line_number: bool,

    /// Print the byte offset of each match
    ///
    /// The offset of the first byte that the match covers, counted from 0; for '<URL:...>' that is the bracket.
    #[arg(short = 'b', long)]
    pub(crate) byte_offset: bool,

    /// Print the column of each match, in bytes from 1
    #[arg(long)]
    pub(crate) column: bool,

    /// Print the file name with each match
    ///
    /// The default where there is a folder or more than one file. Standard input is called '-'.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub(crate) with_filename: bool,

    /// Never print the file name
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub(crate) no_filename: bool,

    /// Print the number of matches of each file
    ///
    /// Files without a match count too, with 0. With --unique only the URLs that it would print are counted. Of -c,
    /// -l and -L the last one given counts.
    #[arg(short = 'c', long, overrides_with_all = ["files_with_matches", "files_without_match"])]
    pub(crate) count: bool,

    /// Print only the names of files with a match
    #[arg(short = 'l', long, overrides_with_all = ["count", "files_without_match"])]
    pub(crate) files_with_matches: bool,

    /// Print only the names of files without a match
    ///
    /// The exit status still says whether a match was found.
    #[arg(short = 'L', long, overrides_with_all = ["count", "files_with_matches"])]
    pub(crate) files_without_match: bool,

    /// Print nothing; stop at the first match
    ///
    /// The exit status tells whether there is one: 0 even if there was an error before it.
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// Print a NUL byte after file names
    ///
    /// In place of the ':' or the line end that would follow, so that names with either in them can be told apart
    /// (xargs -0).
    #[arg(short = '0', long)]
    pub(crate) null: bool,

    /// Stop after NUM matches in each file
    #[arg(short = 'm', long, value_name = "NUM")]
    pub(crate) max_count: Option<u64>,

    /// Print each URL only once
    ///
    /// In the order of first appearance, over all files; two URLs are the same if their bytes are. Keeps a
    /// fingerprint of 128 bits of each, not the URLs, so memory grows by some 20 bytes for each URL. Has no bearing
    /// on -l, -L and -q.
    #[arg(short = 'u', long)]
    pub(crate) unique: bool,

    /// Print each URL where it was first said, counted
    ///
    /// In the order of those places, over all files, at the end. Of several copies in mail the first that is not quoted
    /// counts; URLs are the same if they are equivalent (case of scheme and host, default port, needless escapes). Text
    /// lines begin with the count, JSON and CSV have it last. Keeps the output in memory.
    #[arg(
        long,
        conflicts_with_all = ["unique", "max_count", "count", "files_with_matches", "files_without_match", "quiet"]
    )]
    pub(crate) first_said: bool,

    /// Print the Message-ID with each match
    ///
    /// In mail and news, in angle brackets before the URL. --json has more of the message.
    #[arg(long)]
    pub(crate) message: bool,

    /// Print every reading of a doubtful match
    ///
    /// A hyphen before a line break, a blank inside a wrapper or a bare URL that may go on in the next line can be
    /// read in more than one way. The readings are printed one a line with the same prefix, the preferred one first.
    /// JSON and CSV always hold all readings.
    #[arg(long)]
    pub(crate) all_readings: bool,

    /// Colour the output: auto, always, never
    ///
    /// With 'auto', the default, text is coloured on a terminal, unless the environment variable NO_COLOR is set.
    /// JSON and CSV are never coloured.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: When,

    /// Show progress: auto, always, never
    ///
    /// Only ever on a terminal's standard error. With 'auto', the default, only where standard output goes elsewhere.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) progress: When,

    /// Print statistics to standard error
    ///
    /// The numbers of files, bytes and matches, what was refused (candidates too long, wrappers that never close,
    /// empty wrappers), which parts of mail could not be decoded and why, and the time taken, one a line.
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Which of the matches are printed. These never change what is found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection (by the first reading)")]
pub(crate) struct SelectArgs {
    /// Only URLs of these schemes: http,ftp
    ///
    /// Names separated by commas, in any case. May be given more than once.
    #[arg(short = 's', long, value_name = "LIST", value_delimiter = ',', value_parser = scheme)]
    pub(crate) scheme: Vec<String>,

    /// Only URLs of these hosts
    ///
    /// Compared without case and without the port. A plain name matches only itself; '*' stands for any text, dots
    /// too, so '*.cern.ch' holds for info.cern.ch. Of mailto: URLs and news articles the domain counts. May be given
    /// more than once: any of them will do.
    #[arg(long, value_name = "GLOB")]
    pub(crate) host: Vec<String>,

    /// Only these kinds: wrapped,angle,prefixed,bare,attribute
    ///
    /// wrapped is '<URL:http://h/>', angle is '<http://h/>', prefixed is 'URL:http://h/', attribute is a link of HTML
    /// in mail, bare is all else.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) kind: Vec<KindArg>,

    /// Only this level or stricter, such as rfc3986
    ///
    /// The level is the strictest grammar that a URL satisfies: rfc1738, rfc1738-ref (the same with a '#fragment'),
    /// rfc3986, iri (with characters beyond ASCII), none. Default: all.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true)]
    pub(crate) level: Option<LevelArg>,

    /// The same as --level rfc1738-ref
    #[arg(long, conflicts_with = "level")]
    pub(crate) strict: bool,

    /// Also wrapped bodies that hold no URL at all
    ///
    /// RFC 1738's wrapper announces a URL, so '<URL:not a url>' can be reported with what is wrong about it. But
    /// 'Option<url::Url>' and the like look the same, so these are left out unless asked for.
    #[arg(long)]
    pub(crate) candidates: bool,
}

/// What is taken for a URL.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArgs {
    /// Take any word before '://' for a scheme
    ///
    /// Any letter-led word of 2 to 32 characters, not only the known schemes (about 590, and x-NAME, and NAME+KNOWN).
    #[arg(long)]
    pub(crate) any_scheme: bool,

    /// Join lines: auto, delimited, none
    ///
    /// auto: wrapped and angle URLs, and bare ones where the evidence is strong that the line was wrapped inside the
    /// URL. delimited: wrapped and angle URLs only. none: no URL crosses a line end.
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) rejoin: RejoinArg,

    /// First reading of a doubtful hyphen: keep, drop
    ///
    /// Whether a hyphen before a line break belongs to the URL. keep, the default, suits text that software wrapped,
    /// drop suits typeset text. The other reading is an alternative; where only one makes a URL, that one is taken.
    #[arg(
        long,
        value_name = "READING",
        default_value = "keep",
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub(crate) hyphen: HyphenArg,

    /// Read 'otherurl' by the letter of its BNF
    ///
    /// The only value is 'literal'. RFC 1738's BNF lets a scheme beyond its ten hold any characters after the colon.
    /// Without this option what follows '//' must be a host, so sqlite:///x is not RFC 1738.
    #[arg(long, value_name = "literal", hide_possible_values = true)]
    pub(crate) otherurl: Option<OtherurlArg>,

    /// Let bare URLs go on with letters beyond ASCII
    ///
    /// After the host such a letter ends a bare URL (the longer reading is an alternative). With --iri it does not.
    #[arg(long)]
    pub(crate) iri: bool,

    /// How to read the input: auto, text, mail
    ///
    /// auto, the default, tells mail and news by their content (mailboxes, messages, news batches, also in a tar) and
    /// reads their messages as a mail reader does: MIME parts, transfer encodings, charsets, encoded words,
    /// format=flowed and HTML are decoded, and --json says which message, part and header field holds a URL. All else
    /// is text. text reads everything as it lies; mail takes a file that could be anything for one message.
    #[arg(long, value_name = "AS", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) input: InputArg,

    /// Read compressed files
    ///
    /// gzip, zstd, bzip2, xz and lz4, told by content, from a pipe too. Offsets and lines are those of the unpacked
    /// text. Without this option they are searched as bytes, and a note says so.
    #[arg(short = 'z', long)]
    pub(crate) search_zip: bool,

    /// Only matches that start in these bytes
    ///
    /// The first byte and the one after the last, counted from 0; either may be left out. Ranges that tile a file
    /// give each match exactly once, so a large file can be shared out. Lines and columns are the file's. For one
    /// regular file that is not compressed. In mail a message belongs to the range that holds the first byte of its
    /// separator.
    #[arg(long, value_name = "START:END", value_parser = range)]
    pub(crate) range: Option<RangeArg>,
}

/// How folders are walked.
#[derive(Debug, Args)]
#[command(next_help_heading = "Folders")]
pub(crate) struct FilesArgs {
    /// Only files that match; '!GLOB' leaves out
    ///
    /// As in .gitignore, relative to the current folder: '*.txt' holds at any depth. May be given more than once; the
    /// last that matches counts. Files named as PATH are always read.
    #[arg(short = 'g', long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Read hidden files and folders too
    ///
    /// Without it, those whose name begins with a dot are left out, but for the sub-folders of a maildir (.Sent).
    #[arg(long)]
    pub(crate) hidden: bool,

    /// Read what .gitignore, .ignore exclude too
    #[arg(long)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links in folders
    ///
    /// A link to a folder that it lies in is an error on that link. Links named as PATH are always followed.
    #[arg(long)]
    pub(crate) follow: bool,
}

/// The rest.
#[derive(Debug, Args)]
#[command(next_help_heading = "Other")]
pub(crate) struct OtherArgs {
    /// Worker threads; 0, the default, is one a core
    ///
    /// The output is the same, byte for byte, for every number.
    #[arg(short = 'j', long, value_name = "NUM", default_value_t = 0, hide_default_value = true)]
    pub(crate) threads: usize,

    /// Print the man page or a completion
    ///
    /// One of man, bash, zsh, fish, powershell. For instance:
    ///
    /// urlgrep --generate man > urlgrep.1
    #[arg(long, value_name = "WHAT", hide_possible_values = true)]
    pub(crate) generate: Option<GenerateArg>,
}

/// The options of `urlgrep parse`.
#[derive(Debug, Args)]
#[command(args_override_self = true, help_expected = true, max_term_width = 79)]
pub(crate) struct ParseArgs {
    /// URLs to parse; '-' is standard input
    ///
    /// Without URL, or where URL is '-', one URL is read from each line of standard input. Write '--' before a URL
    /// that begins with '-'.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<std::ffi::OsString>,

    /// Print JSON Lines, one object a URL
    ///
    /// The fields are input, valid, level, scheme, host, parts (by RFC 1738), generic (by RFC 3986), error and
    /// resolved, in this order. 'valid' speaks of RFC 1738 with a fragment.
    #[arg(long)]
    pub(crate) json: bool,

    /// Explain every URL, in a block of lines
    ///
    /// Below the line that is printed anyway: where the error is, what the level means, the parts by RFC 1738 and, where
    /// it finds others, by RFC 3986, what a client would do with the URL, and what an audit says of it. Control
    /// characters are always escaped, and passwords are shown as '***'.
    ///
    /// It is the default on a terminal, where one URL is given and neither --json nor --quiet.
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,

    /// Show passwords in explanations
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_secrets: bool,

    /// Resolve every URL as a reference to this base
    ///
    /// What is printed then speaks of the result. A base that is not absolute, or not hierarchical where the
    /// reference needs it to be, is an error on that URL.
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<std::ffi::OsString>,

    /// How to resolve: 1808, 3986
    ///
    /// The algorithm of RFC 1808, the default, or of RFC 3986. They differ on '..' that lead beyond the top (kept by
    /// 1808), on '/./g', on ';x' and on the empty reference.
    #[arg(long, value_name = "RFC", requires = "base", hide_possible_values = true)]
    pub(crate) resolve: Option<ResolveArg>,

    /// Read 'otherurl' by the letter of its BNF
    ///
    /// The only value is 'literal'. RFC 1738's BNF lets a scheme beyond its ten hold any characters after the colon.
    /// Without this option what follows '//' must be a host, so sqlite:///x is not RFC 1738.
    #[arg(long, value_name = "literal", hide_possible_values = true)]
    pub(crate) otherurl: Option<OtherurlArg>,

    /// Print nothing; the exit status tells
    #[arg(short = 'q', long, action = ArgAction::SetTrue)]
    pub(crate) quiet: bool,

    /// Colour the output: auto, always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: When,
}

/// The options of `urlgrep audit`.
#[derive(Debug, Args)]
#[command(args_override_self = true, help_expected = true, max_term_width = 79)]
pub(crate) struct AuditArgs {
    /// Files and folders to read; '-' is standard input
    ///
    /// As with 'urlgrep': files in the order given, folders sorted by name. Without PATH, or where PATH is '-', standard
    /// input is read.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) files: FilesArgs,

    /// Worker threads; 0, the default, is one a core
    ///
    /// The report is the same, byte for byte, for every number.
    #[arg(
        short = 'j',
        long,
        value_name = "NUM",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Other"
    )]
    pub(crate) threads: usize,
}

/// What is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Report")]
pub(crate) struct ReportArgs {
    /// Write text, json, jsonl, csv, html, sarif, urls
    ///
    /// text, the default, is for people. json is one document with the summary, the URLs and the findings; jsonl and
    /// csv are the findings, one a line; sarif is for code scanning. html is one page that needs nothing else: charts,
    /// and every link in a table to sort and filter. urls is what a link checker can ask: the http, https and mailto
    /// URLs, one a line, without those that hold a password.
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, hide_possible_values = true)]
    pub(crate) format: ReportFormat,

    /// Rows of the tables of --format text (20)
    ///
    /// 0 leaves the tables out.
    #[arg(long, value_name = "NUM", default_value_t = 20, hide_default_value = true)]
    pub(crate) top: usize,

    /// List the rules with their reasons, and stop
    #[arg(long)]
    pub(crate) rules: bool,

    /// Only these rules: A-CRLF,A-IP-*
    ///
    /// Names separated by commas, in any case; '*' stands for any text. May be given more than once. Names that begin
    /// with A- are warnings, with X- all else: grammar errors, links that go elsewhere than their text says, and what a
    /// link checker found.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,

    /// All rules but these
    ///
    /// As with --allow. A rule that both name is left out.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) deny: Vec<String>,

    /// Exit with 1 for: critical, high, medium, low, info
    ///
    /// If there is a finding as bad as that, or worse. Those of rules that are left out do not count.
    #[arg(long, value_name = "SEVERITY", hide_possible_values = true)]
    pub(crate) fail_on: Option<SeverityArg>,

    /// Show passwords
    ///
    /// Without it 'ftp://joe:secret@h/' is shown as 'ftp://joe:***@h/' everywhere.
    #[arg(long)]
    pub(crate) show_secrets: bool,

    /// URLs of more bytes than this are long (2000)
    #[arg(long, value_name = "BYTES", default_value_t = 2000, hide_default_value = true)]
    pub(crate) longest: usize,

    /// Join what lychee found: its JSON report
    ///
    /// Status, redirect and archive suggestion of every URL, and a finding for each place of a link that is broken or has
    /// moved. FILE is what 'lychee -v --format json' writes; without -v that tells nothing of redirects.
    #[arg(long, value_name = "FILE")]
    pub(crate) checked: Option<PathBuf>,

    /// Keep the audit in an SQLite database
    ///
    /// What was read before is taken from there: of a mailbox, a news batch or a text file that has grown only what was
    /// appended is read, of a file that has not changed nothing. FILE is made if it is not there, and must be used with
    /// the options that it was made with, as far as they decide what is found. Files that a run does not meet are
    /// forgotten, so give the same PATHs each time. Standard input is always read as a whole.
    ///
    /// The tables are described in the README. FILE holds passwords as they are written, and only its owner may read it.
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Colour the output: auto, always, never
    ///
    /// As with 'urlgrep', for --format text.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) color: When,

    /// Show progress: auto, always, never
    ///
    /// Only ever on a terminal's standard error. With 'auto', the default, only where standard output goes elsewhere.
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true, hide_possible_values = true)]
    pub(crate) progress: When,

    /// Print statistics to standard error
    #[arg(long)]
    pub(crate) stats: bool,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people.
    Text,
    /// One document.
    Json,
    /// Findings.
    Jsonl,
    /// Findings.
    Csv,
    /// A page.
    Html,
    /// SARIF 2.1.0.
    Sarif,
    /// URLs, one a line.
    Urls,
}

/// `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArg {
    /// An attack.
    Critical,
    /// Leads elsewhere.
    High,
    /// Does not work everywhere.
    Medium,
    /// Bad style.
    Low,
    /// Worth knowing.
    Info,
}

/// `--color`, `--progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Where it makes sense.
    Auto,
    /// Wherever it can be.
    Always,
    /// Nowhere.
    Never,
}

/// `--kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KindArg {
    /// `<URL:…>`.
    Wrapped,
    /// `<scheme:…>`.
    Angle,
    /// `URL:…`.
    Prefixed,
    /// All else.
    Bare,
    /// A link of HTML.
    Attribute,
}

/// `--level`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelArg {
    /// RFC 1738.
    #[value(name = "rfc1738")]
    Rfc1738,
    /// RFC 1738 with a fragment.
    #[value(name = "rfc1738-ref")]
    Rfc1738Ref,
    /// RFC 3986.
    #[value(name = "rfc3986")]
    Rfc3986,
    /// RFC 3987.
    #[value(name = "iri")]
    Iri,
    /// Everything.
    #[value(name = "none")]
    None,
}

/// `--rejoin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RejoinArg {
    /// Wrapped, angle, and bare URLs on strong evidence.
    Auto,
    /// Wrapped and angle.
    Delimited,
    /// Nothing.
    None,
}

/// `--hyphen`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HyphenArg {
    /// The hyphen is the URL's.
    Keep,
    /// The hyphen is the typesetter's.
    Drop,
}

/// `--otherurl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OtherurlArg {
    /// Any characters after the colon.
    Literal,
}

/// `--input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InputArg {
    /// Told by content.
    Auto,
    /// Plain text.
    Text,
    /// Mail or news.
    Mail,
}

/// `--resolve`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ResolveArg {
    /// RFC 1808, section 4.
    #[value(name = "1808")]
    Rfc1808,
    /// RFC 3986, section 5.2.
    #[value(name = "3986")]
    Rfc3986,
}

/// `--generate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenerateArg {
    /// The man page.
    Man,
    /// Completions for bash.
    Bash,
    /// Completions for zsh.
    Zsh,
    /// Completions for fish.
    Fish,
    /// Completions for PowerShell.
    Powershell,
}

/// `--range`: bytes from `start`, up to and without `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RangeArg {
    /// Left out: 0.
    pub(crate) start: Option<u64>,
    /// Left out: the end of the file.
    pub(crate) end: Option<u64>,
}

fn range(text: &str) -> Result<RangeArg, String> {
    let Some((start, end)) = text.split_once(':') else {
        return Err("a range is START:END, in bytes; either may be left out, the colon may not".into());
    };
    let number = |text: &str| -> Result<Option<u64>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        // `parse` alone would take `+5`.
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("'{text}' is not a number of bytes"));
        }
        text.parse().map(Some).map_err(|_| format!("{text} is too large; the most is {}", u64::MAX))
    };
    let range = RangeArg { start: number(start)?, end: number(end)? };
    match (range.start, range.end) {
        (Some(start), Some(end)) if start > end => {
            Err(format!("the range ends before it starts; did you mean {end}:{start}?"))
        }
        _ => Ok(range),
    }
}

fn scheme(text: &str) -> Result<String, String> {
    let name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if text.is_empty() || !name {
        return Err("a scheme is a name such as http, without '://'; separate several by commas".into());
    }
    Ok(text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(args: &[&str]) -> FindArgs {
        let cli = Cli::try_parse_from([&["urlgrep"], args].concat()).unwrap();
        assert!(cli.command.is_none(), "{args:?}");
        cli.find
    }

    fn refused(args: &[&str]) -> String {
        Cli::try_parse_from([&["urlgrep"], args].concat()).unwrap_err().to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        // Also fails for an option without help (`help_expected`).
        definition().debug_assert();
    }

    #[test]
    fn short_help_fits_79_columns_and_one_line_an_option() {
        let whole = definition();
        for mut command in [&whole].into_iter().chain(whole.get_subcommands()).cloned() {
            let options = command.get_opts().count();
            let help = command.render_help().to_string();
            for line in help.lines() {
                assert!(line.chars().count() <= 79, "{line}");
            }
            let lines = help.lines().filter(|line| line.trim_start().starts_with('-')).count();
            assert!(lines >= options, "{help}");
            // A help text that wraps leaves a line that is nothing but indented text.
            let wrapped = help
                .lines()
                .filter(|line| line.starts_with("            "))
                .filter(|line| !line.trim_start().starts_with('-'));
            assert_eq!(wrapped.collect::<Vec<_>>(), Vec::<&str>::new(), "{help}");
        }
    }

    #[test]
    fn long_help_fits_79_columns_and_teaches() {
        let help = definition().render_long_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 79, "{line}");
        }
        for word in ["EXAMPLES", "EXIT STATUS", "'./parse'", "*.cern.ch"] {
            assert!(help.contains(word), "{word} is missing");
        }
    }

    #[test]
    fn every_option_has_short_and_long_help_without_a_final_stop() {
        let definition = definition();
        let mut seen = 0;
        for arg in [&definition].into_iter().chain(definition.get_subcommands()).flat_map(clap::Command::get_arguments)
        {
            let short = arg.get_help().unwrap_or_else(|| panic!("{} has no help", arg.get_id())).to_string();
            assert!(!short.ends_with('.'), "{short}");
            assert!(!short.is_empty());
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn values_named_in_the_help_are_the_values() {
        let definition = definition();
        let mut seen = 0;
        for arg in [&definition].into_iter().chain(definition.get_subcommands()).flat_map(clap::Command::get_arguments)
        {
            let values = arg.get_possible_values();
            if values.is_empty() || !arg.get_action().takes_values() {
                continue;
            }
            let text = format!(
                "{} {}",
                arg.get_help().unwrap(),
                arg.get_long_help().map(ToString::to_string).unwrap_or_default()
            );
            for value in values {
                assert!(text.contains(value.get_name()), "--{} does not tell of {}", arg.get_id(), value.get_name());
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn only_the_first_argument_is_the_subcommand() {
        assert!(Cli::try_parse_from(["urlgrep", "parse", "http://h/"]).unwrap().command.is_some());
        for args in [&["x.txt", "parse"][..], &["-n", "parse"], &["./parse"], &["--", "parse"], &["-g", "parse", "x"]] {
            find(args);
        }
        assert_eq!(find(&["-n", "parse"]).paths, [PathBuf::from("parse")]);
        assert_eq!(find(&["x.txt", "parse"]).paths.len(), 2);
        assert_eq!(find(&["help"]).paths, [PathBuf::from("help")]);
    }

    #[test]
    fn find_options_are_not_parse_options() {
        for option in ["-n", "-c", "--csv", "--host=h", "--range=1:2", "--rejoin=none"] {
            let name = option.split('=').next().unwrap();
            assert!(refused(&["parse", option, "http://h/"]).contains(name), "{option}");
        }
        assert!(refused(&["parse", "--resolve", "3986", "x"]).contains("--base"));
    }

    #[test]
    fn counts_and_lists_are_not_json() {
        for shape in ["--json", "--csv"] {
            for other in ["-c", "-l", "-L"] {
                refused(&[shape, other]);
                refused(&[other, shape]);
            }
        }
        refused(&["--json", "--csv"]);
        refused(&["--strict", "--level", "iri"]);
    }

    #[test]
    fn the_last_of_a_kind_counts() {
        let output = find(&["-c", "-l"]).output;
        assert!(output.files_with_matches && !output.count);
        let output = find(&["-L", "-l", "-c"]).output;
        assert!(output.count && !output.files_with_matches && !output.files_without_match);
        let output = find(&["-H", "-I"]).output;
        assert!(output.no_filename && !output.with_filename);
        assert_eq!(find(&["--color=always", "--color", "never"]).output.color, When::Never);
    }

    #[test]
    fn ranges() {
        let range = |start, end| Ok(RangeArg { start, end });
        assert_eq!(super::range("3:9"), range(Some(3), Some(9)));
        assert_eq!(super::range("3:"), range(Some(3), None));
        assert_eq!(super::range(":9"), range(None, Some(9)));
        assert_eq!(super::range(":"), range(None, None));
        assert_eq!(super::range("5:5"), range(Some(5), Some(5)));
        for wrong in ["", "5", "9:3", "a:b", "-1:3", "+1:3", "1:2:3", "99999999999999999999:", "1 :2"] {
            assert!(super::range(wrong).is_err(), "{wrong}");
        }
        assert!(super::range("9:3").unwrap_err().contains("3:9"));
    }

    #[test]
    fn schemes() {
        assert_eq!(find(&["-s", "HTTP,z39.50r", "--scheme=svn+ssh"]).select.scheme, ["http", "z39.50r", "svn+ssh"]);
        for wrong in ["http://", "", "http,", "ht tp"] {
            assert!(refused(&["--scheme", wrong]).contains("without '://'"), "{wrong}");
        }
    }
}
