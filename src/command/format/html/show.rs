//! Text on a page, beyond what [`show`](crate::command::format::show) provides for every format.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use maud::{Markup, Render, html};
use urlgrep::Level;
use urlgrep::audit::Severity;

use crate::command::format::show::{Count, Size, shown};
use crate::command::model::{Day, ReportedLink};

/// The most characters of a URL outside the list.
pub(super) const WIDEST: usize = 160;

/// The run of the command that made the report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ran<'r> {
    /// The command with its options and paths.
    pub(crate) command: String,
    /// The date of the run.
    pub(crate) date: String,
    /// The folder of all files, with its `/`. The page shows it once, and not before each name.
    pub(crate) folder: &'r BStr,
}

impl Ran<'_> {
    /// Returns the name of a file below the folder.
    pub(super) fn below<'f>(&self, file: &'f BStr) -> &'f BStr {
        file.strip_prefix(self.folder.as_bytes()).map_or(file, BStr::new)
    }
}

/// Returns text of the archive with its line ends. Other characters that would hide or reorder it
/// are made [visible](shown).
pub(super) fn shown_lines(text: &[u8]) -> String {
    let lines: Vec<Cow<'_, str>> =
        text.split(|&byte| byte == b'\n').map(|line| shown(line.strip_suffix(b"\r").unwrap_or(line))).collect();
    lines.join("\n")
}

/// Returns true if a page may link to the URL. A grammar must accept the URL, and its scheme must
/// be http, https or ftp. No rule of high or critical severity may fire on it. It must have no user
/// name, which would mislead the reader or log in. Escaping for display must not change it, and a
/// defanged URL has another scheme than the link.
pub(super) fn is_live(link: &ReportedLink<'_>) -> bool {
    let url: &[u8] = &link.url;
    let fetched = |scheme| matches!(scheme, "http" | "https" | "ftp");
    let Some((scheme, rest)) = url.split_once_str("://") else { return false };
    // Browsers read a backslash as a slash, so it ends the authority.
    let authority = rest.split(|byte| b"/?#\\".contains(byte)).next().unwrap_or_default();
    link.level != Level::None
        && link.scheme.as_deref().is_some_and(|of| fetched(of) && scheme.eq_ignore_ascii_case(of.as_bytes()))
        && !authority.is_empty()
        && !authority.contains(&b'@')
        && link.rules.iter().all(|rule| rule.severity() < Severity::High)
        && shown(url).as_bytes() == url
}

macro_rules! render_as_shown {
    ($($type:ty)*) => {$(
        impl Render for $type {
            fn render(&self) -> Markup {
                html! { (format_args!("{self}")) }
            }
        }
    )*};
}

render_as_shown! { Count Size Day }

/// Returns a sentence of a rule as markup. Backticks mark code in it.
pub(super) fn prose(text: &str) -> Markup {
    html! {
        @for (at, part) in text.split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Returns a name that filters the list of links once the script runs. A name without a value
/// cannot be picked.
pub(super) fn pick(key: &str, value: &str, name: &str) -> Markup {
    html! {
        @if value.is_empty() {
            (name)
        } @else {
            button.pick type="button" disabled data-key=(key) data-value=(value) { (name) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_mark_code() {
        assert_eq!(
            prose("look after the `@` & `<`").into_string(),
            "look after the <code>@</code> &amp; <code>&lt;</code>"
        );
    }

    #[test]
    fn lines_stay_lines() {
        assert_eq!(shown_lines(b"> a\r\n\x1b[2J\rb\xFF\n"), "> a\n\\x1B[2J\\rb\\xFF\n");
    }

    #[test]
    fn code_in_prose() {
        assert_eq!(prose("write `<` as it is").into_string(), "write <code>&lt;</code> as it is");
    }
}
