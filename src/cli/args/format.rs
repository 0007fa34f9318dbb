//! The options that say how a match is written.

use clap::Args;
use urlgrep::report::HyperlinkFormat;
use urlgrep::report::{FieldList, TemplateFormat};

/// What does not show lines of the source.
const NOT_LINES: [&str; 6] = ["json", "csv", "format", "defang", "first_said", "all_readings"];

/// What each match is written as, besides `--json` and `--csv`.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct FormatArgs {
    /// Print each match by a template: '{host} {url}'
    ///
    /// Names in braces are fields of --json: url, kind, scheme, file, offset, length, line, column, rejoined, readings,
    /// level, error, host, domain, truncated, refused, parts, generic, message, part, content_type, encoding, header,
    /// quote_depth, body, text, resolved, shown_host, attribute, note, count. A point goes into an object:
    /// '{message.id}', '{message.date}', '{error.kind}', '{parts.path}', '{generic.query}'. {target} is what a click
    /// opens: {resolved}, or {url}. An absent field is nothing.
    ///
    /// '{{' and '}}' are braces; \n, \t, \r, \0 and \\ are the usual escapes. A line feed ends each match, with -0 a NUL
    /// byte, unless the template ends with one of its own. Options that put something before text lines (-n, -H) have
    /// no effect on it.
    #[arg(
        long,
        value_name = "TEMPLATE",
        conflicts_with_all = ["json", "csv", "count", "files_with_matches", "files_without_match", "all_readings"]
    )]
    pub(crate) format: Option<TemplateFormat>,

    /// Only these fields of --json or --csv
    ///
    /// Names separated by commas, in the order of the columns: url,host,message.id. Every field of --json is a column of
    /// --csv, too. A cell of CSV holds a list or an object as JSON. The help of --format lists the names.
    #[arg(long, value_name = "LIST", hide_short_help = true, requires = "record")]
    pub(crate) fields: Option<FieldList>,

    /// Show NUM lines around a match (-A, -B: one side)
    ///
    /// The lines of the source, with the matches coloured in them. Lines without a match have '-' in place of the ':'
    /// after the file name and numbers, and '--' stands between lines that do not follow each other. 16 KiB on either
    /// side of a match are looked at: longer lines are cut, with '[...]'. In mail, decoded parts have their own lines.
    #[arg(short = 'C', long, value_name = "NUM", conflicts_with_all = NOT_LINES)]
    pub(crate) context: Option<usize>,

    /// Show NUM lines after each match
    ///
    /// As -C, which it goes before.
    #[arg(short = 'A', long, value_name = "NUM", hide_short_help = true, conflicts_with_all = NOT_LINES)]
    pub(crate) after_context: Option<usize>,

    /// Show NUM lines before each match
    ///
    /// As -C, which it goes before.
    #[arg(short = 'B', long, value_name = "NUM", hide_short_help = true, conflicts_with_all = NOT_LINES)]
    pub(crate) before_context: Option<usize>,

    /// Print URLs that nobody can click on
    ///
    /// As hxxp://d[.]example/x, mailto[:]joe[@]d[.]example, javascript[:]f(), in text lines and in the fields of
    /// --format. --json and --csv are for programs, and exact.
    #[arg(long, hide_short_help = true, conflicts_with_all = ["json", "csv"])]
    pub(crate) defang: bool,

    /// Where a click on a file name leads
    ///
    /// On a terminal that knows links (OSC 8), where there are colours. A name, as ripgrep has it: none (the default),
    /// default, file, cursor, grep+, kitty, macvim, textmate, vscode, vscode-insiders, vscodium; or a URL with {path} in
    /// it, and with {line}, {column} and {host} if wanted: 'file://{host}{path}'. File name, line and column are the
    /// link. A URL is then a link to itself if it is one of http, https, ftp or mailto without letters beyond ASCII.
    #[arg(long, value_name = "FORMAT", default_value = "none", hide_default_value = true, hide_short_help = true)]
    pub(crate) hyperlink_format: HyperlinkFormat,
}

impl FormatArgs {
    /// How many lines are shown before and after a match, if any are.
    pub(crate) fn context_lines(&self) -> Option<(usize, usize)> {
        let given = self.context.or(self.before_context).or(self.after_context);
        let lines = |own: Option<usize>| own.or(self.context).unwrap_or(0);
        given.map(|_| (lines(self.before_context), lines(self.after_context)))
    }
}
