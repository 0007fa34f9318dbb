//! Delimiters right before a URL, which decide where the URL ends (B-CLOSED).

use std::ops::Range;

use crate::bytes::letters;
use crate::bytes::limits::{CLOSED_BYTES, VALUE_BLANKS};
use crate::find::end::{run, sheet};
use crate::find::start;
use crate::find::text::view::View;

/// The number of bytes before a URL that decide what its opener is.
pub(crate) const REACH: usize = VALUE_BLANKS + 16;

/// The end of a URL that `++` of AsciiDoc encloses. The link's name follows it.
const PASSED_END: &[u8] = b"++[";

/// The context right before a URL (ST-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preceding {
    pub(crate) byte: Option<u8>,
    opener: Option<Opener>,
    /// A name and `=` stand before the URL (B-SHEET).
    pub(crate) follows_name: bool,
}

/// A mark right before a URL. Its partner may close the URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    /// `"`, `'` or a backtick. After `"` or `'`, the URL is a value if `=`, `:` or `(` stands before
    /// the mark. If a `\` stands right before the mark, the partner is escaped, too.
    Quote { mark: u8, is_value: bool, is_escaped: bool },
    /// `](`, before the target of a Markdown link.
    Target,
    /// `url(` in style sheets.
    Call,
    /// `<`, if the brackets are not a wrapper.
    Angle,
    /// `|`
    Bar,
    /// `>`, which ends the tag of an element.
    Tag,
    /// `++` of AsciiDoc.
    Passed,
}

impl Opener {
    /// Returns the opener at the end of `text`.
    fn last(text: &[u8]) -> Option<Opener> {
        let (&mark, before) = text.split_last()?;
        match mark {
            b'"' | b'\'' | b'`' => {
                let unescaped = before.strip_suffix(b"\\");
                let is_value = mark != b'`' && ends_in_name(unescaped.unwrap_or(before));
                Some(Opener::Quote { mark, is_value, is_escaped: unescaped.is_some() })
            }
            b'(' if before.ends_with(b"]") => Some(Opener::Target),
            b'(' if before.last_chunk::<3>().is_some_and(|name| name.eq_ignore_ascii_case(b"url")) => {
                Some(Opener::Call)
            }
            b'<' => Some(Opener::Angle),
            b'|' => Some(Opener::Bar),
            b'>' => Some(Opener::Tag),
            b'+' if before.ends_with(b":+") => Some(Opener::Passed),
            _ => None,
        }
    }

    /// Returns whether the URL is all of the closed text, including final punctuation.
    fn keeps_marks(self) -> bool {
        matches!(self, Opener::Quote { is_value: true, .. } | Opener::Target | Opener::Call | Opener::Passed)
    }

    /// Returns whether the partner stands at `at`.
    fn is_closed(self, view: &View<'_>, at: usize) -> bool {
        let Some(byte) = view.byte(at) else { return false };
        match self {
            Opener::Quote { mark, is_escaped: true, .. } => byte == b'\\' && view.byte(at + 1) == Some(mark),
            Opener::Quote { mark, .. } => byte == mark && !(mark == b'\'' && run::is_doubled(view, at)),
            Opener::Target if matches!(byte, b' ' | b'\t') => matches!(view.byte(at + 1), Some(b'"' | b'\'' | b'(')),
            Opener::Target | Opener::Call => byte == b')',
            Opener::Angle => matches!(byte, b'>' | b'|'),
            Opener::Bar => byte == b'>',
            Opener::Passed => view.has(at, PASSED_END),
            Opener::Tag => view.has(at, b"</a") || view.has(at, b"</A"),
        }
    }
}

/// Returns whether markup stands around the URL whose run is `text[url..end]` (B-ENT). Markup is an
/// attribute, the tags of an element, or the link of a chat with its name.
pub(crate) fn is_in_markup(text: &View<'_>, url: usize, end: usize) -> bool {
    const ATTRIBUTES: [&[u8]; 4] = [b"href", b"src", b"action", b"content"];
    let before = &text[..url];
    match before.last() {
        Some(b'"' | b'\'') => {
            let value = before[..url - 1].strip_suffix(b"\\").unwrap_or(&before[..url - 1]);
            value.strip_suffix(b"=").is_some_and(|name| ATTRIBUTES.iter().any(|known| name.ends_with(known)))
        }
        Some(b'>') => text.has(end, b"</"),
        Some(b'<') => text.byte(end) == Some(b'|'),
        _ => false,
    }
}

/// Returns whether a text ends in `=`, `:` or `(`. A few blanks may follow.
fn ends_in_name(text: &[u8]) -> bool {
    let blanks = text.iter().rev().take(VALUE_BLANKS).take_while(|&&byte| byte == b' ').count();
    matches!(text[..text.len() - blanks], [.., b'=' | b':' | b'('])
}

/// The end of a closed URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed {
    /// The place of the partner.
    pub(crate) end: usize,
    /// No final punctuation is trimmed.
    pub(crate) keeps_marks: bool,
}

impl Preceding {
    /// Returns the context right before the URL at `url`.
    pub(crate) fn at(text: &[u8], url: usize) -> Preceding {
        let before = &text[..url];
        let follows_name = sheet::follows_name(before);
        Preceding { byte: before.last().copied(), opener: Opener::last(before), follows_name }
    }

    /// Returns whether an opener stands before the URL. Its partner may close the URL.
    pub(crate) fn is_open(&self) -> bool {
        self.opener.is_some()
    }

    /// Returns whether `"`, `'` or a backtick stands right before the URL.
    pub(crate) fn is_quoted(&self) -> bool {
        matches!(self.opener, Some(Opener::Quote { .. }))
    }

    /// Returns whether punctuation at the end belongs to the URL if the partner closes the URL.
    pub(crate) fn keeps_marks(&self) -> bool {
        self.opener.is_some_and(Opener::keeps_marks)
    }

    /// Returns the place of the `++` that closes a URL of AsciiDoc in its run (B-CLOSED).
    pub(crate) fn passed_end(&self, view: &View<'_>, run: Range<usize>) -> Option<usize> {
        let found = || memchr::memmem::find(&view[run.start..view.upto(run.end + PASSED_END.len())], PASSED_END);
        (self.opener == Some(Opener::Passed)).then(found)?.map(|at| run.start + at)
    }

    /// Returns the end of the URL at `url`, if the opener's partner closes the URL. `from` is a
    /// place in the URL, and only graphic characters may stand between it and the partner. `open`
    /// is the number of parentheses that are still open at `from`. `in_query` is true if a `?` or
    /// `#` stands before `from`.
    pub(crate) fn closed(
        &self,
        view: &View<'_>,
        url: usize,
        from: usize,
        mut open: u32,
        mut in_query: bool,
    ) -> Option<Closed> {
        let opener = self.opener?;
        let mut at = from;
        while at <= url + CLOSED_BYTES {
            let is_nested = open > 0 && view.byte(at) == Some(b')');
            if !is_nested && opener.is_closed(view, at) {
                return Some(Closed { end: at, keeps_marks: opener.keeps_marks() });
            }
            match view.byte(at)? {
                b'!'..=b'~' if matches!(view[at], b'"' | b'<' | b'>' | b'\\') => return None,
                b'|' if opener == Opener::Bar => return None,
                // If the same opener stands here again, nothing is closed. So a row of openers is
                // read in linear time.
                b'(' if matches!(opener, Opener::Target | Opener::Call)
                    && Opener::last(&view[..=at]) == Some(opener) =>
                {
                    return None;
                }
                // A single `'` is the partner, so this one is doubled, as in SQL (B-RUN-1).
                b'\'' if matches!(opener, Opener::Quote { mark: b'\'', is_escaped: false, .. }) => at += 1,
                b'(' => open += 1,
                b')' => open = open.saturating_sub(1),
                b'?' | b'#' => in_query = true,
                b':' if !in_query && view.has(at + 1, b"//") && !start::follows_equals(view, at) => return None,
                b'!'..=b'~' => {}
                0x80.. => {
                    let (c, len) = view.decode(at)?;
                    if !letters::is_graphic(c) {
                        return None;
                    }
                    at += len;
                    continue;
                }
                _ => return None,
            }
            at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the closed text after the `http://` of a text, and whether nothing is trimmed from
    /// it.
    fn closed(text: &str) -> Option<(&str, bool)> {
        let url = text.find("http:").expect("a URL");
        let from = url + "http://".len();
        let closed = Preceding::at(text.as_bytes(), url).closed(&View::whole(text.as_bytes()), url, from, 0, false)?;
        Some((&text[from..closed.end], closed.keeps_marks))
    }

    #[test]
    fn openers_and_partners() {
        for (text, expected) in [
            ("\"http://h/é|“b”.\" x", Some(("h/é|“b”.", false))),
            ("=\"http://h/a.\"", Some(("h/a.", true))),
            ("u: 'http://h/a)'", Some(("h/a)", true))),
            ("'http://h/o''hara'", Some(("h/o''hara", false))),
            ("`http://h/a'b`", Some(("h/a'b", false))),
            ("=`http://h/a`", Some(("h/a", false))),
            ("=\\\"http://h/a\\\"", Some(("h/a", true))),
            ("\"http://h/a\\\"", None),
            ("](http://h/a(b)c.)", Some(("h/a(b)c.", true))),
            ("](http://h/a \"t\")", Some(("h/a", true))),
            ("](http://h/a b)", None),
            ("](http://h/a](b)", None),
            ("(http://h/a)", None),
            ("URL(http://h/a)", Some(("h/a", true))),
            ("<http://h/é|a>", Some(("h/é", false))),
            ("|http://h/é>", Some(("h/é", false))),
            ("|http://h/é|>", None),
            (">http://h/é</A>", Some(("h/é", false))),
            (">http://h/é</b>", None),
            ("\"http://h/a b\"", None),
            ("\"http://h/a\u{a0}b\"", None),
            ("\"http://h/a\u{200b}b\"", None),
            ("\"http://h/a<b\"", None),
            ("\"http://h/a|http://b\"", None),
            ("\"http://h/a=http://b\"", Some(("h/a=http://b", false))),
            ("\"http://h/?a|http://b\"", Some(("h/?a|http://b", false))),
            ("\"http://h/a", None),
        ] {
            assert_eq!(closed(text), expected, "{text}");
        }
        let long = |len: usize| format!("\"http://{}\"", "x".repeat(len - "http://".len()));
        assert!(closed(&long(CLOSED_BYTES)).is_some());
        assert!(closed(&long(CLOSED_BYTES + 1)).is_none());
    }
}
