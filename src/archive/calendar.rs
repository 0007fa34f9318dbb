//! Calendars and vCards (RFC 5545, RFC 6350). Their lines are folded anywhere, and have escapes.

use memchr::{memchr3, memchr3_iter};

use crate::archive::pruned::Pruned;
use crate::bytes::class;
use crate::bytes::logical::Logical;

/// The first line of a calendar or of a vCard, in lower case.
const BEGINNINGS: [&[u8]; 2] = [b"begin:vcalendar", b"begin:vcard"];

/// Returns whether a text begins as a calendar or a vCard.
pub(crate) fn is_calendar(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    BEGINNINGS.iter().any(|&start| {
        text.get(..start.len()).is_some_and(|first| first.eq_ignore_ascii_case(start))
            && text[start.len()..].first().is_some_and(u8::is_ascii_whitespace)
    })
}

/// Joins folded lines and decodes escapes. Returns `None` if there are none.
///
/// A line that begins with a blank continues the previous line, which may be cut anywhere (RFC 5545
/// section 3.1, RFC 6350 section 3.2). Some programs end lines in CR or LF alone. `\,`, `\;` and
/// `\:` stand for their second byte (RFC 5545 section 3.3.11, RFC 6350 section 3.4). Writers of
/// vCard 3.0 also escape colons. `\\` and `\n` stay undecoded. Even so, `\n` ends a URL.
/// The values of vCard 2.1 that are quoted-printable are decoded.
pub(crate) fn unfold(text: &[u8]) -> Option<Logical> {
    let mut pruned = Pruned::new(text);
    let mut from = decode_value(text, 0, &mut pruned).unwrap_or(0);
    for at in memchr3_iter(b'\n', b'\r', b'\\', text) {
        // This byte is the second half of `\\`.
        if at < from {
            continue;
        }
        match (text[at], text.get(at + 1)) {
            (b'\n' | b'\r', Some(b' ' | b'\t')) => {
                let is_crlf = text[at] == b'\n' && text[from..at].ends_with(b"\r");
                let start = if is_crlf { at - 1 } else { at };
                pruned.leave_out(start..at + 2);
                from = at + 2;
            }
            (b'\\', Some(b',' | b';' | b':')) => pruned.leave_out(at..at + 1),
            (b'\\', Some(b'\\')) => from = at + 2,
            (b'\n' | b'\r', Some(_)) => from = decode_value(text, at + 1, &mut pruned).unwrap_or(from),
            _ => {}
        }
    }
    pruned.finish()
}

/// Decodes the value of the property at `line`, if it is quoted-printable (vCard 2.1). Returns the
/// end of the value.
fn decode_value(text: &[u8], line: usize, pruned: &mut Pruned<'_>) -> Option<usize> {
    /// The maximum length of a name and its parameters.
    const NAME: usize = 256;
    let head = &text[line..text.len().min(line + NAME)];
    let name = &head[..memchr3(b':', b'\n', b'\r', head).filter(|&end| head[end] == b':')?];
    let is_quoted = |parameter: &[u8]| {
        [&b"ENCODING=QUOTED-PRINTABLE"[..], b"QUOTED-PRINTABLE"]
            .iter()
            .any(|known| parameter.eq_ignore_ascii_case(known))
    };
    if !name.split(|&byte| byte == b';').skip(1).any(is_quoted) {
        return None;
    }
    let mut at = line + name.len();
    while let Some(found) = memchr3(b'=', b'\n', b'\r', &text[at..]) {
        let mark = at + found;
        let rest = &text[mark + 1..];
        at = match (text[mark], rest) {
            (b'=', [b'\r', b'\n', ..]) => mark + 3,
            (b'=', [b'\r' | b'\n', ..]) => mark + 2,
            (b'=', [high, low, ..]) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                pruned.replace(mark..mark + 3, &[class::octet(*high, *low)]);
                mark + 3
            }
            (b'=', _) => mark + 1,
            _ => return Some(mark),
        };
        if rest.first().is_some_and(|byte| matches!(byte, b'\r' | b'\n')) {
            pruned.leave_out(mark..at);
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::{all_breaks, assert_places};

    #[test]
    fn beginnings() {
        for yes in ["BEGIN:VCALENDAR\n", "begin:vcard\r\nFN:x", "\n BEGIN:VCARD \n"] {
            assert!(is_calendar(yes.as_bytes()), "{yes:?}");
        }
        for no in ["", "BEGIN:VCARD", "BEGIN:VCARDS\n", "x BEGIN:VCARD\n", "BEGIN:VEVENT\n"] {
            assert!(!is_calendar(no.as_bytes()), "{no:?}");
        }
    }

    #[test]
    fn folds_and_escapes() {
        for (text, expected) in [
            ("", ""),
            ("URL:http://a.exam\n ple/b\nX:y\n", "URL:http://a.example/b\nX:y\n"),
            ("A:b\n \tc\n\td\n", "A:b\tcd\n"),
            ("A\n \n \nB", "A\nB"),
            (" a\n b", " ab"),
            ("URL:https\\://a.example/1\\,2\\;3\\n4\\", "URL:https://a.example/1,2;3\\n4\\"),
            ("a\\\\,b\\\\\n c", "a\\\\,b\\\\c"),
            // A fold within an escape: the backslash stays, and the finder decodes it.
            ("a\\\n ,b", "a\\,b"),
        ] {
            for (text, expected) in all_breaks(text).into_iter().zip(all_breaks(expected)) {
                assert_places(&text, unfold(text.as_bytes()), &expected, None);
            }
        }
    }

    #[test]
    fn quoted_printable_values() {
        for (text, expected) in [
            (
                "URL;ENCODING=QUOTED-PRINTABLE:h/x?a=3D1=\n&b=2\nX:y=3D",
                "URL;ENCODING=QUOTED-PRINTABLE:h/x?a=1&b=2\nX:y=3D",
            ),
            ("URL;quoted-printable:a=3d=C3=A9=\n b\n c", "URL;quoted-printable:a=\u{e9} bc"),
            ("URL;ENCODING=QUOTED-PRINTABLE:a=\n=\n=3", "URL;ENCODING=QUOTED-PRINTABLE:a=3"),
            ("URL;ENCODING=8BIT:a=3Db=\n&c", "URL;ENCODING=8BIT:a=3Db=\n&c"),
            ("QUOTED-PRINTABLE:a=3Db", "QUOTED-PRINTABLE:a=3Db"),
        ] {
            for (text, expected) in all_breaks(text).into_iter().zip(all_breaks(expected)) {
                assert_places(&text, unfold(text.as_bytes()), &expected, Some(b'='));
            }
        }
    }
}
