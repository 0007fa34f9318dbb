//! The options that decide how a match is written.

use clap::Args;
use urlgrep::report::HyperlinkFormat;
use urlgrep::report::{FieldList, TemplateFormat};

/// The options that conflict with lines of the source.
const NOT_LINES: [&str; 6] = ["json", "csv", "format", "defang", "first_said", "all_readings"];

/// The options for the output of a match, besides `--json` and `--csv`.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct FormatArgs {
    /// Print each match by a template: '{host} {url}'
    ///
    /// Names in braces are fields of --json. Always: url, kind, scheme, file, offset, length, line,
    /// column, rejoined, readings, level, error, host, domain, truncated, refused, parts, generic.
    /// In mail and HTML: message, part, content_type, encoding, header, quote_depth, body, text,
    /// resolved, shown_host, attribute, note. With several hosts: hosts. Behind a word and a colon:
    /// prefix. With --first-said: count.
    /// A dot selects a field of an object: '{message.id}', '{message.date}', '{error.kind}',
    /// '{parts.path}', '{generic.query}'. The field {target} is the URL that a click opens:
    /// {resolved}, or else {url}. The field {page} is the target without query and fragment. The
    /// list of --explain is {why}. An absent field is empty.
    ///
    /// '{{' and '}}' are braces; \n, \t, \r, \0 and \\ are the usual escapes. A line feed (with -0,
    /// a NUL byte) ends each match, unless the template already ends with one. Options that add a
    /// prefix to text lines (-n, -H) have no effect.
    #[arg(
        long,
        value_name = "TEMPLATE",
        conflicts_with_all = ["json", "csv", "count", "files_with_matches", "files_without_match", "all_readings"]
    )]
    pub(crate) format: Option<TemplateFormat>,

    /// Only these fields of --json or --csv
    ///
    /// Names separated by commas, in the order of the columns: url,host,message.id. Every field of
    /// --json is a column of --csv, too. A CSV cell has a list or an object as JSON. The help of
    /// --format lists the names.
    #[arg(long, value_name = "LIST", requires = "record")]
    pub(crate) fields: Option<FieldList>,

    /// Show NUM lines around a match (-A, -B: one side)
    ///
    /// These are lines of the source, with the matches coloured. Lines without a match have '-' in
    /// place of the ':' after the file name and numbers. Lines that do not follow each other have
    /// '--' between them. Beyond 16 KiB on either side of a match, a line is truncated, with
    /// '[...]'. In mail, decoded parts have their own lines.
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with_all = NOT_LINES)]
    pub(crate) context: Option<usize>,

    /// Show NUM lines after each match
    ///
    /// Overrides -C after a match.
    #[arg(short = 'A', long, value_name = "NUM", hide_short_help = true, conflicts_with_all = NOT_LINES)]
    pub(crate) after_context: Option<usize>,

    /// Show NUM lines before each match
    ///
    /// Overrides -C before a match.
    #[arg(short = 'B', long, value_name = "NUM", hide_short_help = true, conflicts_with_all = NOT_LINES)]
    pub(crate) before_context: Option<usize>,

    /// Print URLs that cannot be clicked
    ///
    /// Text lines and the fields of --format have hxxp://d[.]example/x, mailto[:]joe[@]d[.]example
    /// or javascript[:]f(). The option conflicts with --json and --csv, whose output is exact.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["json", "csv"])]
    pub(crate) defang: bool,

    /// Make file names links in this format
    ///
    /// This needs coloured output and a terminal that supports links (OSC 8). FORMAT is a name, as
    /// in ripgrep: none (the default), default, file, cursor, grep+, kitty, macvim, textmate,
    /// vscode, vscode-insiders, vscodium. Or it is a URL with {path}, and perhaps {line}, {column}
    /// and {host}: 'file://{host}{path}'. The link covers file name, line and column. A URL of
    /// http, https, ftp or mailto links to itself, unless it has non-ASCII letters.
    #[arg(long, value_name = "FORMAT", default_value = "none", hide_default_value = true, hide_short_help = true)]
    pub(crate) hyperlink_format: HyperlinkFormat,
}

impl FormatArgs {
    /// Returns the number of lines before and after a match, if they are shown.
    pub(crate) fn context_lines(&self) -> Option<(usize, usize)> {
        let given = self.context.or(self.before_context).or(self.after_context);
        let lines = |own: Option<usize>| own.or(self.context).unwrap_or(0);
        given.map(|_| (lines(self.before_context), lines(self.after_context)))
    }
}
