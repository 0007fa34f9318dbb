//! Messages within the text of a message, and the marks that mbox writers put before its lines.
//!
//! The enclosed messages are those of digests, and forwarded messages. Digests (RFC 1153, also
//! Mailman's) have 70 hyphens after the preamble, and 30 between messages. Forwarded messages
//! follow a line as in RFC 934: `-----Original Message-----`, `------- Forwarded Message`. MIME has
//! its own parts, which are not read here. Many signatures also have a line of hyphens. So a line
//! matches only before the header of a message with a sender and a date. In place of the date, a
//! digest accepts a subject, and a forwarded message a Message-ID.

use std::iter;
use std::ops::{Range, RangeInclusive};
use std::sync::LazyLock;

use memchr::memmem;

use crate::archive::split::separator::field_name;
use crate::bytes::needle;
use crate::bytes::simd::Backend;

/// A message within a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Enclosed {
    /// The line that announces the message.
    pub(crate) separator: Range<usize>,
    /// The message's fields, and the empty line after them.
    pub(crate) header: Range<usize>,
    pub(crate) body: Range<usize>,
}

/// Returns the messages that a plain text encloses, in order and without overlap. A nested message
/// ends the message around it, and is returned after that message.
pub(crate) fn enclosed(text: &[u8]) -> Vec<Enclosed> {
    let mut found: Vec<Enclosed> = Vec::new();
    let mut is_open = false;
    // Lines before this offset belong to the header of the last message.
    let mut read = 0;
    for start in lines_of_hyphens(text) {
        let Some(line) = line_at(text, start).filter(|_| start >= read) else { continue };
        let is_after_empty = start == read || is_after_empty(text, start);
        let Some(boundary) = Boundary::of(text[line.clone()].trim_ascii_end(), is_after_empty) else { continue };
        let header = if boundary == Boundary::End { None } else { header_at(text, line.end, boundary) };
        let is_end = boundary == Boundary::End || boundary == Boundary::Digest && ends_digest(text, line.end);
        if (header.is_some() || is_end)
            && let Some(open) = found.last_mut().filter(|_| is_open)
        {
            open.body.end = line.start;
        }
        is_open &= !is_end;
        // The lines of this header cannot announce another message, so they are skipped.
        if let Some(header) = header {
            read = header.end;
            is_open = true;
            found.push(Enclosed { separator: line, body: header.end..text.len(), header });
        }
    }
    found
}

/// Returns the offsets of lines that begin with four hyphens. Every body with a URL is searched,
/// but few have such a line. Reading every line took a seventh of an audit's time (2026-11).
fn lines_of_hyphens(text: &[u8]) -> impl Iterator<Item = usize> {
    let first = text.starts_with(b"----").then_some(0);
    static HYPHENS: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"\n----"));
    first.into_iter().chain(HYPHENS.find_iter(text).map(|at| at + 1))
}

/// Returns whether the previous line holds only white space.
fn is_after_empty(text: &[u8], start: usize) -> bool {
    let Some(end) = start.checked_sub(1) else { return true };
    let line = memchr::memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
    text[line..end].trim_ascii().is_empty()
}

/// A line of hyphens that may announce a message, or end one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// Only 30 or 70 hyphens, after an empty line.
    Digest,
    /// `-----Original Message-----`
    Forwarded,
    /// `------- End of Forwarded Message`
    End,
}

impl Boundary {
    fn of(line: &[u8], is_after_empty: bool) -> Option<Boundary> {
        let words = line.trim_ascii_end();
        let hyphens = words.iter().take_while(|&&byte| byte == b'-').count();
        if hyphens == words.len() {
            return (is_after_empty && matches!(hyphens, 30 | 70)).then_some(Boundary::Digest);
        }
        let mut words = words[hyphens..].split(|byte| matches!(byte, b' ' | b'-')).filter(|word| !word.is_empty());
        let mut next = || words.next().unwrap_or_default();
        let is = |word: &[u8], other: &[u8]| word.eq_ignore_ascii_case(other);
        let first = next();
        if is(first, b"End") {
            return Some(Boundary::End);
        }
        let second = if is(first, b"Begin") || is(first, b"Start") { next() } else { first };
        let last = next();
        let is_kind = [&b"Original"[..], b"Forwarded", b"Included"].iter().any(|kind| is(second, kind));
        // RFC 934's own example numbers its messages: `------- Message 2`.
        let is_numbered = is(second, b"Message") && last.first().is_some_and(u8::is_ascii_digit);
        (is_kind && (is(last, b"Message") || is(last, b"Mail")) || is_numbered).then_some(Boundary::Forwarded)
    }
}

/// Returns the range of a header after at most two empty lines. In a digest, at least one empty
/// line is required. The header may end with the text.
fn header_at(text: &[u8], mut at: usize, boundary: Boundary) -> Option<Range<usize>> {
    let mut empty = 0;
    while empty < 2
        && let Some(line) = line_at(text, at).filter(|line| text[line.clone()].trim_ascii().is_empty())
    {
        at = line.end;
        empty += 1;
    }
    if empty == 0 && boundary == Boundary::Digest {
        return None;
    }
    let start = at;
    let (mut has_sender, mut has_more) = (false, false);
    while let Some(line) = line_at(text, at) {
        let bytes = &text[line.clone()];
        let is_empty = bytes.trim_ascii().is_empty();
        let is_folded = matches!(bytes, [b' ' | b'\t', ..]) && at > start;
        if !is_empty && !is_folded {
            // No field's name begins with a hyphen, but a line that may announce a message does. If
            // such a line occurs, there is no header. Otherwise each of many such lines would be
            // followed by a scan of all others.
            let name = field_name(bytes).filter(|name| !name.starts_with(b"-"))?;
            has_sender |= name.eq_ignore_ascii_case(b"From");
            // A reply that quotes after `-----Original Message-----` has `Sent`, and does not
            // enclose a message.
            let more: &[u8] = if boundary == Boundary::Forwarded { b"Message-ID" } else { b"Subject" };
            has_more |= name.eq_ignore_ascii_case(b"Date") || name.eq_ignore_ascii_case(more);
        }
        at = line.end;
        if is_empty {
            break;
        }
    }
    (has_sender && has_more).then_some(start..at)
}

/// Returns whether `End of …` follows an empty line, as after a digest's last line of hyphens (RFC
/// 1153).
fn ends_digest(text: &[u8], at: usize) -> bool {
    let line = line_at(text, at).filter(|line| text[line.clone()].trim_ascii().is_empty());
    line.is_some_and(|empty| text[empty.end..].starts_with(b"End of "))
}

fn line_at(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
    Some(at..memchr::memchr(b'\n', rest).map_or(text.len(), |end| at + end + 1))
}

/// Returns the marks that mbox writers put before lines that begin with `From `, so that these are
/// not separators. A mark is the first `>` of a line `>From `, `>>From ` and so on.
///
/// mboxrd marks all of these lines. mboxo marks only lines without a mark, so it never changed a
/// `>>From `. A file does not show whether it is mboxrd or mboxo. The difference only affects the
/// depth of a quotation.
///
/// Only marks whose `From` lies in `within` are returned.
pub(crate) fn stuffed(text: &[u8], within: RangeInclusive<usize>, backend: Backend) -> impl Iterator<Item = usize> {
    const WORD: &[u8] = b"From ";
    let (mut at, end) = (*within.start(), within.end().saturating_add(WORD.len()).min(text.len()));
    iter::from_fn(move || {
        while at + WORD.len() <= end {
            // The range usually begins at its only `From`, so that place is checked before the
            // search.
            let from = if text[at..].starts_with(WORD) { at } else { needle::find(backend, &text[..end], at, WORD)? };
            at = from + WORD.len();
            let marks = text[..from].iter().rev().take_while(|&&byte| byte == b'>').count();
            let start = from - marks;
            if marks > 0 && (start == 0 || text[start - 1] == b'\n') {
                return Some(start);
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::both_breaks;

    /// Returns header and body of each message, as text.
    fn found(text: &str) -> Vec<(&str, &str)> {
        enclosed(text.as_bytes()).into_iter().map(|inner| (&text[inner.header], &text[inner.body])).collect()
    }

    #[test]
    fn a_digest() {
        let (long, short) = ("-".repeat(70), "-".repeat(30));
        let text = format!(
            "Foo Digest\n\nToday's Topics:\n\n   x\n\n{long}\n\nDate: today\nFrom: joe\nSubject: x\n\nHello\n{short}\nno\n\n\
             {short}\n\nMessage: 2\nDate: today\nFrom: jane\n <jane@a.example>\n\nAnd more\n\n{short}\n\nnot a header\n\n\
             {short}\n\nEnd of Foo Digest\n*****\n"
        );
        for text in both_breaks(&text) {
            let plain: Vec<_> = found(&text)
                .into_iter()
                .map(|(header, body)| (header.replace('\r', ""), body.replace('\r', "")))
                .collect();
            assert_eq!(
                plain,
                [
                    ("Date: today\nFrom: joe\nSubject: x\n\n".into(), format!("Hello\n{short}\nno\n\n")),
                    (
                        "Message: 2\nDate: today\nFrom: jane\n <jane@a.example>\n\n".into(),
                        format!("And more\n\n{short}\n\nnot a header\n\n")
                    ),
                ]
            );
        }
    }

    #[test]
    fn forwarded_messages() {
        for (line, end) in [
            ("-----Original Message-----", ""),
            ("-------- Original Message --------", ""),
            ("---------- Forwarded message ----------", ""),
            ("------- Forwarded Message", "------- End of Forwarded Message\n"),
            ("----- Forwarded message from joe <joe@a.example> -----", "----- End forwarded message -----\n"),
            ("----- Begin Included Message -----", "----- End Included Message -----\n"),
            ("------- Message 2", ""),
        ] {
            let text = format!("See below.\n{line}\nFrom: joe\nDate: today\nTo: me\n\nHello\n{end}");
            assert_eq!(found(&text), [("From: joe\nDate: today\nTo: me\n\n", "Hello\n")], "{line}");
            let text = format!("{line}\n\nDate: x\nFrom: joe\n\nHello\n{end}and on\n");
            let body = if end.is_empty() { "Hello\nand on\n" } else { "Hello\n" };
            assert_eq!(found(&text), [("Date: x\nFrom: joe\n\n", body)], "{line}");
            // as in a reply that quotes
            let text = format!("I agree.\n{line}\nFrom: joe\nSent: today\nSubject: x\n\nHello\n");
            assert_eq!(found(&text), [], "{line}");
        }
        let text =
            "-----Original Message-----\nFrom: a\nDate: b\n\nx\n-----Original Message-----\nFrom: c\nDate: d\n\ny";
        assert_eq!(found(text), [("From: a\nDate: b\n\n", "x\n"), ("From: c\nDate: d\n\n", "y")]);
        assert_eq!(found("-----Original Message-----\nFrom: a\nDate: b"), [("From: a\nDate: b", "")]);
    }

    #[test]
    fn lines_that_announce_nothing() {
        let (long, short) = ("-".repeat(70), "-".repeat(30));
        for text in [
            String::new(),
            format!("{short}\n"),
            format!("x\n\n{short}\n\nHello\n"),
            format!("x\n{short}\n\nFrom: a\nDate: b\n\n"),
            format!("x\n\n{short}\nFrom: a\nDate: b\n\n"),
            format!("x\n\n{long}-\n\nFrom: a\nDate: b\n\n"),
            format!("x\n\n{long}\n\nSubject: ALERT\n\n"),
            "-----Original Message-----\nHello\n".into(),
            "-----Original Message-----\nFrom: a\n\n".into(),
            "-----Original Message-----\n\n\n\nFrom: a\nDate: b\n\n".into(),
            "> -----Original Message-----\n> From: a\n> Date: b\n".into(),
            "- -----Original Message-----\nFrom: a\nDate: b\n".into(),
            "----- my own words -----\nFrom: a\nDate: b\n\n".into(),
            "-----BEGIN PGP SIGNED MESSAGE-----\nFrom: a\nDate: b\n\n".into(),
            "----Original-Message-: x\n".repeat(100_000),
        ] {
            assert_eq!(found(&text), [], "{text}");
        }
    }

    #[test]
    fn marks_of_mbox_writers() {
        let marks = |text: &[u8]| stuffed(text, 0..=text.len(), Backend::detect()).collect::<Vec<_>>();
        assert_eq!(marks(b">From a\n>>From b\nx >From c\n> From d\n>From: e\n>>>From f"), [0, 8, 45]);
        assert!(marks(b"").is_empty());
        assert_eq!(marks(b"\r\n>From x\r\n"), [2]);
        assert!(marks(b"x>>From y").is_empty());
        let text = b">From a\n>>From b\n>From c\n";
        for (within, expected) in [(1..=1, &[0][..]), (2..=10, &[8]), (10..=18, &[8, 17]), (19..=30, &[]), (9..=9, &[])]
        {
            assert_eq!(stuffed(text, within.clone(), Backend::detect()).collect::<Vec<_>>(), expected, "{within:?}");
        }
    }
}
