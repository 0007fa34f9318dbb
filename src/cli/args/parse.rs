//! The options of `urlgrep parse`.

use clap::{ArgAction, Args};
use urlgrep::Level;

use super::shared::{ColorArgs, ConfigArgs, OtherurlArgs};
use super::values::{LEVELS, RESOLVERS, ResolveFn, one_of};

/// The options of `urlgrep parse`.
#[derive(Debug, Args)]
#[command(args_override_self = true, help_expected = true, max_term_width = 79)]
pub(crate) struct ParseArgs {
    /// URLs to parse; '-' is standard input
    ///
    /// Without URL, or where URL is '-', one URL is read from each line of standard input. Write
    /// '--' before a URL that begins with '-'.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<std::ffi::OsString>,

    /// Print JSON Lines, one object a URL
    ///
    /// The fields are input, valid, level, scheme, host, parts (by RFC 1738), generic (by RFC
    /// 3986), error and resolved. The field 'valid' is by RFC 1738 with a fragment, or by --level.
    /// The field 'error' is always the reason why the URL is not RFC 1738.
    #[arg(long)]
    pub(crate) json: bool,

    /// Judge by this level, such as rfc3986
    ///
    /// Levels are rfc1738, rfc1738-ref (with a '#fragment'; the default), rfc3986, iri (with
    /// characters beyond ASCII), none. A URL of a stricter level fits. The word of each line,
    /// 'valid' of --json and the exit status are by this level.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, value_parser = one_of(LEVELS))]
    pub(crate) level: Option<Level>,

    /// Explain every URL, in a block of lines
    ///
    /// Below the usual line come the place of the error, the meaning of the level, and the parts.
    /// These are by RFC 1738, and by RFC 3986 if it finds others. Then come the requests of a
    /// client, and the findings of an audit. Control characters are always escaped, and passwords
    /// are shown as '***'. A URL of more than 65536 bytes gets only the level and the error.
    ///
    /// It is the default on a terminal for a single URL, without --json and --quiet.
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,

    /// Show passwords in explanations
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_secrets: bool,

    /// Resolve every URL as a reference to this base
    ///
    /// The output is about the result. A base that is not absolute is an error. So is one that is
    /// not hierarchical, if the reference needs it to be.
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<std::ffi::OsString>,

    /// How to resolve: 1808, 3986
    ///
    /// The algorithm of RFC 1808, the default, or of RFC 3986. RFC 1808 keeps '..' that lead beyond
    /// the top. They also differ on '/./g', on ';x' and on the empty reference.
    #[arg(long, value_name = "RFC", requires = "base", hide_possible_values = true, value_parser = one_of(RESOLVERS))]
    pub(crate) resolve: Option<ResolveFn>,

    #[command(flatten)]
    pub(crate) otherurl: OtherurlArgs,

    /// Print nothing; only set the exit status
    #[arg(short = 'q', long, action = ArgAction::SetTrue)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
