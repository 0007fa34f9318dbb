//! A text as written, and with its escapes decoded: the layers in which secrets are searched for.

use std::borrow::Cow;

use bstr::ByteSlice;

use crate::bytes::class;

/// The number of times that escapes are decoded. A URL within a URL needs one decoding, and a
/// gateway around both needs a second.
pub(super) const LAYERS: usize = 2;

/// A text with its escapes decoded, and the original offset of each byte and of the end.
struct Layer {
    bytes: Vec<u8>,
    offsets: Vec<usize>,
}

/// Calls `give` with a text as written, and with its escapes decoded once and twice. The first
/// argument of `give` is such a layer. The second maps an offset in the layer to an offset in the
/// text.
///
/// The escapes are those of URLs, HTML, JSON and program texts. Quoted-printable text has two more
/// layers.
pub(super) fn each_layer(text: &[u8], mut give: impl FnMut(&[u8], &dyn Fn(usize) -> usize)) {
    give(text, &|at| at);
    decode_layers(Cow::Borrowed(text), None, &mut give);
    if memchr::memchr(b'=', text).is_some()
        && let Some(layer) = decoded(text, None, quoted_printable)
    {
        give(&layer.bytes, &|at| layer.offsets[at]);
        decode_layers(Cow::Owned(layer.bytes), Some(layer.offsets), &mut give);
    }
}

/// Calls `give` with the layers below a text, whose bytes have these offsets.
fn decode_layers(
    mut text: Cow<'_, [u8]>,
    mut offsets: Option<Vec<usize>>,
    give: &mut impl FnMut(&[u8], &dyn Fn(usize) -> usize),
) {
    for _ in 0..LAYERS {
        if memchr::memchr3(b'%', b'&', b'\\', &text).is_none() {
            break;
        }
        let Some(layer) = decoded(&text, offsets.as_deref(), escape) else { break };
        give(&layer.bytes, &|at| layer.offsets[at]);
        (text, offsets) = (Cow::Owned(layer.bytes), Some(layer.offsets));
    }
}

/// Decodes a text. `read` returns the octet and the length of the escape at the start of a text, if
/// there is one. Returns `None` if there is no escape at all.
fn decoded(
    text: &[u8],
    offsets: Option<&[usize]>,
    read: impl Fn(&[u8]) -> Option<(Option<u8>, usize)>,
) -> Option<Layer> {
    let begins = |byte: u8| b"%&\\=".contains(&byte);
    let is_escape = |&at: &usize| begins(text[at]) && read(&text[at..]).is_some();
    let first = (0..text.len()).find(is_escape)?;
    let origin = |at: usize| offsets.map_or(at, |offsets| offsets[at]);
    let mut layer = Layer { bytes: text[..first].to_vec(), offsets: (0..first).map(origin).collect() };
    let mut at = first;
    while at < text.len() {
        let escape = if begins(text[at]) { read(&text[at..]) } else { None };
        let (octet, length) = escape.unwrap_or((Some(text[at]), 1));
        if let Some(octet) = octet {
            layer.bytes.push(octet);
            layer.offsets.push(origin(at));
        }
        at += length;
    }
    layer.offsets.push(origin(text.len()));
    Some(layer)
}

/// Reads `%2F`, `&#47;`, `&sol;`, `\/`, `\u002f` or `\x2f`.
fn escape(text: &[u8]) -> Option<(Option<u8>, usize)> {
    let (octet, length) = match text {
        [b'%', high, low, ..] => (hex(&[*high, *low])?, 3),
        [b'&', rest @ ..] => {
            let (octet, length) = reference(rest)?;
            (octet, length + 1)
        }
        [b'\\', b'u', digits @ ..] => (hex(digits.get(..4)?)?, 6),
        [b'\\', b'x', digits @ ..] => (hex(digits.get(..2)?)?, 4),
        [b'\\', b'n', ..] => (b'\n', 2),
        [b'\\', b'r', ..] => (b'\r', 2),
        [b'\\', b't', ..] => (b'\t', 2),
        [b'\\', mark, ..] if mark.is_ascii_punctuation() => (*mark, 2),
        _ => return None,
    };
    Some((Some(octet), length))
}

/// Reads `=3D`, or the break of a line that continues.
fn quoted_printable(text: &[u8]) -> Option<(Option<u8>, usize)> {
    match text {
        [b'=', b'\n', ..] => Some((None, 2)),
        [b'=', b'\r', b'\n', ..] => Some((None, 3)),
        [b'=', high, low, ..] => Some((Some(hex(&[*high, *low])?), 3)),
        _ => None,
    }
}

/// Returns the octet that hexadecimal digits stand for, if it is one.
fn hex(digits: &[u8]) -> Option<u8> {
    let value = digits.iter().try_fold(0_u32, |value, &digit| {
        let digit = class::HEX.contains(digit).then(|| char::from(digit).to_digit(16))??;
        Some(value << 4 | digit)
    })?;
    u8::try_from(value).ok()
}

/// Reads a character reference after its `&`, if it stands for an ASCII character.
fn reference(text: &[u8]) -> Option<(u8, usize)> {
    /// No reference to an ASCII character needs more bytes, apart from zeros.
    const LONGEST: usize = 10;
    const NAMES: [(&str, u8); 17] = [
        ("amp", b'&'),
        ("quot", b'"'),
        ("apos", b'\''),
        ("lt", b'<'),
        ("gt", b'>'),
        ("equals", b'='),
        ("colon", b':'),
        ("commat", b'@'),
        ("sol", b'/'),
        ("bsol", b'\\'),
        ("num", b'#'),
        ("quest", b'?'),
        ("percnt", b'%'),
        ("lowbar", b'_'),
        ("period", b'.'),
        ("vert", b'|'),
        ("Tab", b'\t'),
    ];
    let length = text.iter().take(LONGEST).position(|&byte| byte == b';')?;
    let body = &text[..length];
    let octet = match body {
        [b'#', b'x' | b'X', digits @ ..] if !digits.is_empty() => hex(digits)?,
        [b'#', digits @ ..] => digits.to_str().ok()?.parse().ok()?,
        name => NAMES.iter().find(|(known, _)| known.as_bytes() == name)?.1,
    };
    octet.is_ascii().then_some((octet, length + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bstr::BString;

    fn layers(text: &str) -> Vec<BString> {
        let mut layers = Vec::new();
        each_layer(text.as_bytes(), |layer, place| {
            assert!((0..=layer.len()).map(place).is_sorted());
            assert!(place(layer.len()) == text.len());
            layers.push(layer.into());
        });
        layers
    }

    #[test]
    fn each_kind_of_escape() {
        for (text, once) in [
            ("a%3Ab", "a:b"),
            ("a&#58;b", "a:b"),
            ("a&#x3A;b", "a:b"),
            ("a&colon;b", "a:b"),
            ("a\\u003ab", "a:b"),
            ("a\\x3ab", "a:b"),
            ("a\\/b", "a/b"),
            ("a=3Ab", "a:b"),
            ("a=\nb", "ab"),
            ("a=\r\nb", "ab"),
        ] {
            assert_eq!(layers(text), [text, once], "{text}");
        }
        assert_eq!(layers("%253A%"), ["%253A%", "%3A%", ":%"]);
        assert_eq!(layers("=2525 =253A"), ["=2525 =253A", "%25 %3A", "% :"]);
        for text in ["plain", "100%", "a&b;", "a&copy;b", "&#233;", "\\", "\\q", "a=b", "a=", "%", "&#x;", "\\u12"] {
            assert_eq!(layers(text), [text], "{text}");
        }
    }
}
