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
    /// Without URL, or where URL is '-', one URL is read from each line of standard input. Write '--' before a URL
    /// that begins with '-'.
    #[arg(value_name = "URL")]
    pub(crate) urls: Vec<std::ffi::OsString>,

    /// Print JSON Lines, one object a URL
    ///
    /// The fields are input, valid, level, scheme, host, parts (by RFC 1738), generic (by RFC 3986), error and
    /// resolved, in this order. 'valid' speaks of RFC 1738 with a fragment, or of --level; 'error' always says why the URL
    /// is not RFC 1738.
    #[arg(long)]
    pub(crate) json: bool,

    /// Judge by this level, such as rfc3986
    ///
    /// Levels are those of urlgrep: rfc1738, rfc1738-ref (the same with a '#fragment'; the default), rfc3986, iri (with
    /// characters beyond ASCII), none. What fits a stricter one fits. The word of each line, 'valid' of --json and the
    /// exit status speak of it.
    #[arg(long, value_name = "LEVEL", hide_possible_values = true, value_parser = one_of(LEVELS))]
    pub(crate) level: Option<Level>,

    /// Explain every URL, in a block of lines
    ///
    /// Below the line that is printed anyway: where the error is, what the level means, the parts by RFC 1738 and, where
    /// it finds others, by RFC 3986, what a client would do with the URL, and what an audit says of it. Control
    /// characters are always escaped, and passwords are shown as '***'. Of a URL of more than 65536 bytes only the level
    /// and the error are told.
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
    #[arg(long, value_name = "RFC", requires = "base", hide_possible_values = true, value_parser = one_of(RESOLVERS))]
    pub(crate) resolve: Option<ResolveFn>,

    #[command(flatten)]
    pub(crate) otherurl: OtherurlArgs,

    /// Print nothing; the exit status tells
    #[arg(short = 'q', long, action = ArgAction::SetTrue)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,
}
