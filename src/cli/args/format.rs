//! The options that say how a match is written.

use clap::Args;
use urlgrep::command::HyperlinkFormat;
use urlgrep::report::{FieldList, TemplateFormat};

/// What each match is written as, besides `--json` and `--csv`.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is printed")]
pub(crate) struct FormatArgs {
    /// Print each match by a template: '{host} {url}'
    ///
    /// Names in braces are fields of --json, with a point for what is in an object: '{file}:{line} {message.id}'; '{{'
    /// and '}}' are braces, and \\n, \\t, \\r, \\0 and \\\\ what they are elsewhere. A field that is absent is
    /// nothing. {target} is what a click opens: {resolved}, or {url}. A line feed ends each match, with -0 a NUL byte,
    /// unless the template ends with one of its own. Options that put something before text lines (-n, -H) have no
    /// bearing on it.
    #[arg(
        long,
        value_name = "TEMPLATE",
        conflicts_with_all = ["json", "csv", "count", "files_with_matches", "files_without_match", "all_readings"]
    )]
    pub(crate) format: Option<TemplateFormat>,

    /// Only these fields of --json or --csv
    ///
    /// Names separated by commas, in the order in which they are to come: url,host,message.id. All that --json has can
    /// be named for --csv too; what is no text or number is JSON in its cell. What is not asked for is not worked out.
    #[arg(long, value_name = "LIST", requires = "record")]
    pub(crate) fields: Option<FieldList>,

    /// Print URLs that nobody can click on
    ///
    /// As hxxp://d[.]example/x, mailto[:]joe[@]d[.]example, javascript[:]f(), in text lines and in the fields of
    /// --format. --json and --csv are for programs, and exact.
    #[arg(long, conflicts_with_all = ["json", "csv"])]
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
