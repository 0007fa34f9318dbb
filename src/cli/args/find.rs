//! The options of `urlgrep` itself.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use urlgrep::report::TemplateFormat;

use super::format::FormatArgs;
use super::shared::{CommonArgs, ShownArgs};
use super::values::{GENERATED, Generated, KEYS, UrlKey, one_of};

/// The options that conflict with the text itself.
const NOT_TEXT: [&str; 25] = [
    "json",
    "csv",
    "count",
    "files_with_matches",
    "files_without_match",
    "quiet",
    "max_count",
    "unique",
    "first_said",
    "all_readings",
    "range",
    "search_zip",
    "line_number",
    "byte_offset",
    "column",
    "with_filename",
    "message",
    "format",
    "fields",
    "context",
    "after_context",
    "before_context",
    "count_by",
    "unique_by",
    "explain",
];

/// The options of `urlgrep` itself, grouped by the headings of the help.
#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// Files and folders to search; '-' is standard input
    ///
    /// Files are read in the order given, folders sorted by name. Without PATH, or if PATH is '-',
    /// standard input is read. A file given twice is read twice.
    #[arg(value_name = "PATH", hide_short_help = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,

    /// Print the man page or a completion
    ///
    /// WHAT is man, bash, zsh, fish or powershell. For instance:
    ///
    /// urlgrep --generate man > urlgrep.1
    #[arg(long, value_name = "WHAT", hide_possible_values = true, hide_short_help = true, help_heading = "Other", value_parser = one_of(GENERATED))]
    pub(crate) generate: Option<Generated>,
}

impl OutputArgs {
    /// Returns the key of `--unique-by`, or of `--unique`.
    pub(crate) fn unique_key(&self) -> Option<UrlKey> {
        self.unique_by.or(self.unique.then_some(UrlKey::Url))
    }
}

/// The options that decide what is printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed", group = ArgGroup::new("record").args(["json", "csv"]))]
pub(crate) struct OutputArgs {
    /// Print JSON Lines, one match per line
    ///
    /// Every line is an object with the same fields in the same order. Unknown values are null.
    /// Fields include url, kind, scheme, file, offset, length, line, column, rejoined, readings,
    /// level, error, host, parts (by RFC 1738) and generic (by RFC 3986).
    #[arg(long, conflicts_with_all = ["csv", "count", "files_with_matches", "files_without_match"])]
    pub(crate) json: bool,

    /// Print CSV with a header row
    ///
    /// The format is that of RFC 4180. The columns are the fields of --json up to 'host'. The error
    /// has the columns error_kind, error_offset and error_message. One blank separates readings. If
    /// a spreadsheet would run a cell as a formula, an apostrophe is put before it.
    #[arg(long, conflicts_with_all = ["count", "files_with_matches", "files_without_match"])]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Print the text itself, each broken URL on one line
    ///
    /// A URL that was broken over lines becomes its first reading, still in its brackets. No other
    /// byte changes. The output suits pagers, link checkers and editors, which read single lines.
    /// Every PATH is read as text, so mail stays encoded.
    #[arg(
        long,
        conflicts_with_all = NOT_TEXT,
        conflicts_with_all = ["scheme", "host", "host_file", "kind", "level", "strict", "rejoined"]
    )]
    pub(crate) heal: bool,

    /// Replace the URLs in the text: '[{host}]({url})'
    ///
    /// TEMPLATE has the fields and escapes of --format. It replaces each URL with its brackets or
    /// prefix. A URL that --host or another filter excludes stays as it is. Every PATH is read as
    /// text, so mail stays encoded. The exit status is 1 if no URL is replaced.
    #[arg(long, value_name = "TEMPLATE", conflicts_with_all = NOT_TEXT, conflicts_with = "heal")]
    pub(crate) replace: Option<TemplateFormat>,

    /// Print the line number of each match
    ///
    /// Lines and columns are those of the first byte that the match covers, counted from 1. A line
    /// of text output is '[file:][line:][column:][offset:][<message-id>:]url'.
    #[arg(short = 'n', long, overrides_with = "no_line_number")]
    pub(crate) line_number: bool,

    /// Print no line numbers
    ///
    /// This is the default. The last of -n and -N applies.
    #[arg(short = 'N', long, overrides_with = "line_number", hide_short_help = true)]
    pub(crate) no_line_number: bool,

    /// Print the byte offset of each match
    ///
    /// The offset is that of the first byte that the match covers, counted from 0. For '<URL:...>',
    /// this byte is the bracket.
    #[arg(short = 'b', long, hide_short_help = true)]
    pub(crate) byte_offset: bool,

    /// Print the column of each match, in bytes from 1
    #[arg(long, hide_short_help = true)]
    pub(crate) column: bool,

    /// Print the file name with each match (-I: without)
    ///
    /// This is the default for a folder, and for more than one file. Standard input is called '-'.
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub(crate) with_filename: bool,

    /// Never print the file name
    #[arg(short = 'I', long, overrides_with = "with_filename", hide_short_help = true)]
    pub(crate) no_filename: bool,

    /// Print the number of matches in each file
    ///
    /// Files without a match are listed, too, with 0. With --unique, only the URLs that it would
    /// print are counted. The last of -c, -l and -L applies.
    #[arg(short = 'c', long, overrides_with_all = ["files_with_matches", "files_without_match"])]
    pub(crate) count: bool,

    /// Print names of files with a match (-L: without)
    #[arg(short = 'l', long, overrides_with_all = ["count", "files_without_match"])]
    pub(crate) files_with_matches: bool,

    /// Print only the names of files without a match
    ///
    /// The exit status still reports whether a match was found.
    #[arg(short = 'L', long, hide_short_help = true, overrides_with_all = ["count", "files_with_matches"])]
    pub(crate) files_without_match: bool,

    /// Print only the URLs, which is the default
    ///
    /// Accepted as in grep, and without effect.
    #[arg(short = 'o', long, hide_short_help = true)]
    only_matching: bool,

    /// Print nothing; stop at the first match
    ///
    /// The exit status is 0 if there is a match, even after an error.
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// Print a NUL byte after file names
    ///
    /// It replaces the ':' or line end after a name, because names may contain these (xargs -0).
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) null: bool,

    /// Flush the output after each line
    ///
    /// Without it, output is buffered. If an input pipe pauses, urlgrep flushes the buffer before
    /// it waits. On a terminal, nothing is buffered. A bare URL at the end of a line still waits for
    /// the next line, which may continue it. With --rejoin none, it does not wait.
    #[arg(long, hide_short_help = true)]
    pub(crate) line_buffered: bool,

    /// Stop after NUM matches in each file
    #[arg(short = 'm', long, value_name = "NUM")]
    pub(crate) max_count: Option<u64>,

    /// Print each URL only once
    ///
    /// URLs come in the order of first appearance, over all files. Two URLs are the same if the
    /// bytes that are shown are. The command keeps 128 bits of each, so memory grows by some 20
    /// bytes per URL. With -l, -L and -q, the option has no effect.
    #[arg(short = 'u', long)]
    pub(crate) unique: bool,

    /// Print one URL per url, page, host, domain or scheme
    ///
    /// The first URL of each is printed. A page is a URL without query and fragment, and a domain
    /// is what can be registered: example.co.uk. URLs that lack it count as one. With url, this is
    /// --unique.
    #[arg(long, value_name = "KEY", hide_possible_values = true, value_parser = one_of(KEYS))]
    unique_by: Option<UrlKey>,

    /// Count by url, page, host, domain or scheme
    ///
    /// The output comes at the end, the highest counts first. A page is a URL without query and
    /// fragment, and a domain is what can be registered: example.co.uk. URLs that lack it are
    /// counted as '-'. With --json and --csv, each key has its own field, and then the count. One
    /// line per key is kept in memory.
    #[arg(
        long,
        value_name = "KEY",
        hide_possible_values = true,
        value_parser = one_of(KEYS),
        conflicts_with_all = [
            "unique", "unique_by", "first_said", "max_count", "count", "files_with_matches", "files_without_match",
            "quiet", "format", "fields", "context", "after_context", "before_context", "explain", "all_readings"
        ]
    )]
    pub(crate) count_by: Option<UrlKey>,

    /// Print each URL at its first place, with its count
    ///
    /// The output comes at the end, in the order of those places, over all files. In mail, the
    /// first place outside quotations is used. URLs are the same if they differ only in case of scheme
    /// or host, default port, or needless escapes. Text lines begin with the count. JSON and CSV have
    /// it last, or where --fields names it; --format has {count}. The output is kept in memory.
    #[arg(
        long,
        conflicts_with_all = [
            "unique", "unique_by", "max_count", "count", "files_with_matches", "files_without_match", "quiet"
        ]
    )]
    pub(crate) first_said: bool,

    /// Print the Message-ID with each match
    ///
    /// In mail and news, it stands in angle brackets before the URL. For more fields of the
    /// message, use --json.
    #[arg(long, hide_short_help = true)]
    pub(crate) message: bool,

    /// Print every reading of a doubtful match
    ///
    /// Some places have several readings: a hyphen before a line break, a blank in a wrapper, a
    /// possibly wrapped URL. They are printed one per line with the same prefix, the preferred one
    /// first. JSON and CSV always have all readings.
    #[arg(long)]
    pub(crate) all_readings: bool,

    /// Print why a match is there; FILE:LINE: why none is
    ///
    /// Below each line of the text stand the decisions: the form, the layers that were read, the end.
    /// A line break that was weighed has the facts that decided. Other readings follow,
    /// with their rules. JSON has the list 'why'. A path may end in a line: 'notes.txt:12' explains
    /// the matches of that line, or why there are none.
    #[arg(
        long,
        conflicts_with_all = [
            "count", "files_with_matches", "files_without_match", "quiet", "format", "context", "after_context",
            "before_context", "first_said", "defang", "heal"
        ]
    )]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) shown: ShownArgs,
}
