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
    /// Without URL, or if URL is '-', one URL is read from each line of standard input. Write '--'
    /// before a URL that begins with '-'.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<std::ffi::OsString>,

    /// Print JSON Lines, one object per URL
    ///
    /// The fields are input, valid, level, scheme, host, parts (by RFC 1738), generic (by RFC
    /// 3986), error and resolved. The field 'valid' refers to RFC 1738 with a fragment, or to
    /// --level. The field 'error' is always the reason why the URL is not RFC 1738.
    #[arg(long)]
    pub(crate) json: bool,

    /// Validate at this level, such as rfc3986
    ///
    /// Levels are rfc1738, rfc1738-ref (with a '#fragment'; the default), rfc3986, iri (with
    /// non-ASCII characters), none. A URL of a stricter level is valid, too. The verdict on each
    /// line, 'valid' of --json and the exit status refer to this level.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, value_parser = one_of(LEVELS))]
    pub(crate) level: Option<Level>,

    /// Explain every URL, in a block of lines
    ///
    /// The place of the error, the meaning of the level, and the parts follow the usual line. The
    /// parts are those of RFC 1738, and those of RFC 3986 if they differ. The requests that a
    /// client would send come next, then the findings of an audit. Control characters are always
    /// escaped, and passwords are shown as '***'. A URL of more than 65536 bytes gets only the
    /// level and the error.
    ///
    /// This is the default for a single URL on a terminal, without --json and --quiet.
    #[arg(long, conflicts_with = "json")]
    pub(crate) explain: bool,

    /// Show passwords in explanations
    #[arg(long, conflicts_with = "json")]
    pub(crate) show_secrets: bool,

    /// Resolve every URL as a reference to this base
    ///
    /// The output describes the resolved URL. A base that is not absolute is an error. If the
    /// reference needs a hierarchical base, any other base is an error, too.
    #[arg(long, value_name = "URL")]
    pub(crate) base: Option<std::ffi::OsString>,

    /// How to resolve: 1808, 3986
    ///
    /// The algorithm is that of RFC 1808, the default, or of RFC 3986. RFC 1808 keeps a '..' that
    /// leads above the top. The algorithms also differ on '/./g', on ';x' and on the empty
    /// reference.
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
