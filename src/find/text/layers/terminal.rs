//! Escapes of terminals: colours and links (B-TERM).

use std::ops::Range;

use super::escape::Escape;
use crate::find::text::view::View;

pub(crate) const ESC: u8 = 0x1B;
const BEL: u8 = 0x07;
/// The maximum number of bytes in the parameters of an escape.
const PARAMETERS: usize = 128;

fn is_parameter(byte: u8) -> bool {
    matches!(byte, b'0'..=b'?')
}

/// Reads a colour (`CSI … m`), an erased line (`CSI … K`), or the end of a link (`OSC 8 ; ;`) whose
/// text holds no URL. Each of these escapes decodes to nothing.
pub(crate) fn escape(text: &View<'_>, at: usize) -> Option<Escape> {
    match text.byte(at + 1)? {
        b'[' => {
            let end = text.stretch(at + 2, at + 2 + PARAMETERS, is_parameter);
            matches!(text.byte(end), Some(b'm' | b'K')).then(|| Escape::of(None, end + 1 - at))
        }
        b']' if text.has(at + 2, b"8;") => {
            let end = text.stretch(at + 4, at + 4 + PARAMETERS, |byte| byte.is_ascii_graphic() && byte != b';');
            let close = if text.byte(end) == Some(b';') { terminator(text, end + 1)? } else { return None };
            (!ends_text(text, at)).then(|| Escape::of(None, end + 1 + close - at))
        }
        _ => None,
    }
}

/// Returns whether the text of the link that ends at `at` holds the beginning of a URL.
fn ends_text(text: &[u8], at: usize) -> bool {
    /// The maximum number of bytes of a link that are searched.
    const LINK: usize = 1024;
    let before = &text[at.saturating_sub(LINK)..at];
    let Some(link) = memchr::memmem::rfind(before, b"\x1B]8;") else { return false };
    let target = link + 1 + before[link + 1..].iter().take_while(|&&byte| !is_control(byte)).count();
    memchr::memmem::find(&before[target..], b"://").is_some()
}

/// Returns the length of the terminator of a link's target at `at`.
fn terminator(text: &View<'_>, at: usize) -> Option<usize> {
    match text.byte(at)? {
        BEL => Some(1),
        ESC => (text.byte(at + 1) == Some(b'\\')).then_some(2),
        _ => None,
    }
}

/// Returns whether a terminal's escape may begin or end with this byte.
pub(crate) fn is_control(byte: u8) -> bool {
    matches!(byte, ESC | BEL)
}

/// Returns the end of the link target that begins at `at` (`OSC 8 ; … ; target ST`). The target may
/// have at most `most` bytes.
pub(crate) fn target_end(text: &View<'_>, at: usize, most: usize) -> Option<usize> {
    if !begins_target(text, at) {
        return None;
    }
    let end = text.stretch(at, at + most, |byte| byte > b' ' && byte != 0x7F);
    terminator(text, end).map(|_| end)
}

/// Returns whether a link target begins at `at`.
pub(crate) fn begins_target(text: &[u8], at: usize) -> bool {
    let Some(before) = text[..at].strip_suffix(b";") else { return false };
    let is_of_parameters = |byte: &&u8| byte.is_ascii_graphic() && **byte != b';';
    let parameters = before.iter().rev().take(PARAMETERS).take_while(is_of_parameters).count();
    before[..before.len() - parameters].ends_with(b"\x1B]8;")
}

/// Returns the part of a word that follows a colour and may be a scheme.
pub(crate) fn after_colour(text: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    if !matches!(text[..word.start].last(), Some(b'[' | b';' | b':')) {
        return None;
    }
    let digits = text[word.clone()].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let scheme = word.start + digits + 1;
    let before = &text[..word.start];
    let parameters = before.iter().rev().take(PARAMETERS).take_while(|&&byte| is_parameter(byte)).count();
    let is_colour = before[..before.len() - parameters].ends_with(b"\x1B[");
    (is_colour && scheme < word.end && matches!(text[scheme - 1], b'm' | b'K')).then_some(scheme..word.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::start;

    #[test]
    fn escapes() {
        for (text, expected) in [
            ("\x1B[m", Some(3)),
            ("\x1B[1;38:2m", Some(9)),
            ("\x1B[K", Some(3)),
            ("\x1B[2J", None),
            ("\x1B[1", None),
            ("\x1B]8;;\x07", Some(6)),
            ("\x1B]8;id=1;\x1B\\", Some(11)),
            ("\x1B]8;;x\x07", None),
            ("\x1B]0;x\x07", None),
            ("\x1B\\", None),
        ] {
            assert_eq!(escape(&View::whole(text.as_bytes()), 0).map(|escape| escape.len), expected, "{text:?}");
        }
    }

    #[test]
    fn targets() {
        for (text, expected) in [
            ("\x1B]8;;http://h/x.\x07y", Some("http://h/x.")),
            ("\x1B]8;id=a:b=c;http://h/\x1B\\y", Some("http://h/")),
            ("\x1B]8;;http://h/ \x07y", None),
            ("\x1B]9;;http://h/\x07y", None),
            ("8;;http://h/\x07y", None),
            ("\x1B]8;;http://h/", None),
        ] {
            let at = text.find("http").expect("a URL");
            let end = target_end(&View::whole(text.as_bytes()), at, 99);
            assert_eq!(end.map(|end| &text[at..end]), expected, "{text:?}");
        }
    }

    #[test]
    fn colours() {
        for (text, expected) in [
            ("\x1B[36ms3", Some("s3")),
            ("\x1B[1;36ms3", Some("s3")),
            ("\x1B[ms3", Some("s3")),
            ("\x1B[Ks3", Some("s3")),
            ("\x1B[36m", None),
            ("[36ms3", None),
            ("\x1B[36xs3", None),
            ("\x1B[1;s3", None),
        ] {
            let word = start::word_before(text.as_bytes(), text.len());
            assert_eq!(after_colour(text.as_bytes(), &word).map(|word| &text[word]), expected, "{text:?}");
        }
    }
}
