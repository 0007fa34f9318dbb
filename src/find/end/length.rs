//! The length that binary data state right before a URL (B-LENGTH).
//!
//! Binary formats write a text as the mark of its type, its length and its bytes. The next value
//! follows without a stop, so the run of a URL would reach into it. A length is believed only if
//! binary data, or the next text, begins where it ends. Both are absent from ordinary text.

use crate::find::text::view::View;

/// The byte may be a part of binary data: a control, except white space, escape and NUL, or not
/// ASCII.
const BINARY: u8 = 1;
/// The byte is the mark of a text whose length is one byte: CBOR, and the values of Python.
const MARK: u8 = 2;
/// NUL. Two of them end a length of four bytes.
const ZERO: u8 = 4;

static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            0 => ZERO,
            b'\t'..=b'\r' | 0x1B => 0,
            b'x' | b'z' | b'Z' => MARK,
            ..b' ' | 0x7F.. => BINARY,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// The number of bytes after a URL that are tested for binary data.
const NEAR: usize = 4;

/// Returns whether B-LENGTH may end the URL. `run_end` is the place where its run ends. Three bytes
/// of plain text show that it cannot.
#[inline(always)]
pub(crate) fn may_stand(text: &[u8], url: usize, run_end: usize) -> bool {
    let class = |at: usize| text.get(at).map_or(0, |&byte| CLASS[usize::from(byte)]);
    let (first, last) = if url >= 2 { (class(url - 2), class(url - 1)) } else { (0, 0) };
    (last | class(run_end)) & BINARY | first & (BINARY | MARK | last) != 0
}

/// The end of a URL by the length before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StatedEnd {
    pub(crate) end: usize,
    /// Only binary data that ends the run shows that the length is one.
    needs_stop: bool,
}

impl StatedEnd {
    /// Returns the end of the URL at `url` by the first length that what follows confirms.
    pub(crate) fn of(view: &View<'_>, url: usize) -> Option<StatedEnd> {
        /// The shortest URL is `x://h`.
        const SHORTEST: usize = 6;
        let before = &view[..url];
        if !may_end_in_length(before) {
            return None;
        }
        let byte = length_byte(before);
        let wide = wide_lengths(before).into_iter().flatten().map(|length| (length, None));
        for (length, mark) in wide.chain(byte).filter(|&(length, _)| length >= SHORTEST) {
            let end = url + length;
            let Some(last) = view.byte(end - 1) else { continue };
            if !last.is_ascii() && bstr::decode_last_utf8(&view[..end]).0.is_none() {
                continue;
            }
            if mark.is_none() && (is_binary_near(view, url, end) || begins_url(view, end, 1..NEAR + 2))
                || mark.is_some_and(|mark| view.byte(end) == Some(mark)) && begins_url(view, end, 2..3)
                || mark.is_some() && is_length_near(view, end)
            {
                return Some(StatedEnd { end, needs_stop: false });
            }
            if mark.is_some() && (end + 1..end + NEAR).any(|at| is_binary_at(view, at)) {
                return Some(StatedEnd { end, needs_stop: true });
            }
        }
        None
    }

    /// Returns the place up to which the run must be read.
    pub(crate) fn reach(self) -> usize {
        self.end + NEAR
    }

    /// Returns whether the length ends within the run, which ends at `run_end`.
    pub(crate) fn is_within(self, view: &View<'_>, run_end: usize) -> bool {
        self.end < run_end && (!self.needs_stop || run_end < self.reach() && is_binary_at(view, run_end))
    }
}

/// Returns whether a length may stand at the end of a text. Before nearly every URL, the last two
/// bytes decide this.
fn may_end_in_length(before: &[u8]) -> bool {
    let [first, last] = before.last_chunk().copied().unwrap_or_default();
    let class = |byte: u8| CLASS[usize::from(byte)];
    class(last) & (BINARY | ZERO) != 0 || class(first) & (BINARY | MARK) != 0 || first == b'\n'
}

/// Returns the lengths of several bytes that may stand at the end of a text. They are a varint, a
/// big-endian number of two bytes, and a little-endian one of four.
fn wide_lengths(before: &[u8]) -> [Option<usize>; 3] {
    let [first, last] = before.last_chunk().map_or([0; 2], |bytes| bytes.map(usize::from));
    let varint = (first >= 0x80 && last < 0x40).then_some(first & 0x7F | last << 7);
    let big = (first < 0x20 && CLASS[first] == BINARY).then_some(first << 8 | last);
    let little = match *before {
        [.., low, high @ ..0x20, 0, 0] => Some(usize::from(low) | usize::from(high) << 8),
        _ => None,
    };
    [varint, big, little]
}

/// Returns the length of one byte that may stand at the end of a text. If neither it nor the byte
/// before is binary, also returns that byte, which must be a mark.
fn length_byte(before: &[u8]) -> Option<(usize, Option<u8>)> {
    let (&last, rest) = before.split_last()?;
    let is_binary = ends_binary(before) || last.is_ascii_graphic() && ends_binary(rest);
    let mark = rest.last().filter(|&&mark| CLASS[usize::from(mark)] == MARK || mark == b'\n').copied();
    match is_binary {
        true => Some((last.into(), None)),
        false => mark.filter(|_| last.is_ascii_graphic()).map(|mark| (last.into(), Some(mark))),
    }
}

/// Returns whether a text ends in a byte that no text holds.
fn ends_binary(text: &[u8]) -> bool {
    let Some(&last) = text.last() else { return false };
    CLASS[usize::from(last)] == BINARY && (last.is_ascii() || bstr::decode_last_utf8(text).0.is_none())
}

fn is_binary_at(view: &View<'_>, at: usize) -> bool {
    let Some(byte) = view.byte(at) else { return false };
    CLASS[usize::from(byte)] == BINARY && (byte.is_ascii() || view.decode(at).is_none())
}

/// Returns whether a byte that no text holds stands near the end of a URL, before any NUL. The byte
/// before the URL does not count: chats have the same mark on both sides.
fn is_binary_near(view: &View<'_>, url: usize, end: usize) -> bool {
    let mut near = (end..end + NEAR).take_while(|&at| view.byte(at).is_some_and(|byte| byte != 0));
    near.any(|at| is_binary_at(view, at) && view[at] != view[url - 1])
}

/// Returns whether a mark and a length of four bytes, low byte first, follow the end of a URL.
fn is_length_near(view: &View<'_>, end: usize) -> bool {
    let near = [2, 3, 4].map(|by| view.byte(end + by));
    matches!(near, [Some(..0x20), Some(0), Some(0)])
}

/// Returns whether another URL begins at one of these distances.
fn begins_url(view: &View<'_>, end: usize, mut distances: std::ops::Range<usize>) -> bool {
    distances.any(|by| view.has_k(end + by, b"://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the URL that the length before it ends.
    fn stated(text: &[u8]) -> Option<&[u8]> {
        let url = memchr::memmem::find(text, b"http").expect("a URL");
        let view = View::whole(text);
        let stop = text[url..].iter().position(|byte| !byte.is_ascii_graphic()).map_or(text.len(), |len| url + len);
        let stated = StatedEnd::of(&view, url).filter(|stated| stated.is_within(&view, stop));
        assert!(stated.is_none() || may_stand(text, url, stop), "{}", text.escape_ascii());
        stated.map(|stated| &text[url..stated.end])
    }

    #[test]
    fn lengths_are_read_in_binary_data_only() {
        const URL: &[u8] = b"http://h.example/a";
        let long = [URL, &b"b".repeat(300 - URL.len())].concat();
        let binary: [(&[u8], &[u8], &[u8]); 10] = [
            (b"_\x10\x12", URL, b"_\x10"),
            (b"\x86\x12", URL, b"0O\x06\x08"),
            (b"\x86\x12", URL, b"0\r\x06\t"),
            (b"\x94\x8C\x12", URL, b"k)http://i/"),
            (b"\x94X\x12\0\0\0", URL, b"e\x94"),
            (b"\x11\x01\x2C", &long, b"_\x10"),
            (b"\n\xAC\x02", &long, b"p\x01"),
            (b"z\x12", URL, b"z\x0Ahttp://i/"),
            (b"z/", &long[..47], b"u*\0\0\0https://i/"),
            (b"Z/", &long[..47], b"s*\x01\0\0text"),
        ];
        let text: [(&[u8], &[u8]); 8] = [
            (b" \x12", b"http://h.example/a and"),
            (b"\x12", b"http://h.example/abc\x12"),
            (b"\x0F", b"http://h.example/a\0\x01"),
            (b"\t", b"http://h.example/a\x01"),
            (b"\x1B", b"http://h.example/abcdefghijk\x01"),
            (b"x)", b"http://h.example/abcdefghijklmnopqrstuvwxyz b\x01"),
            (b"\n)", b"http://h.example/abcdefghijklmnopqrstuvwxyz\n)http://i/"),
            ("é)".as_bytes(), b"http://h.example/abcdefghijklmnopqrstuvwxyz\x01"),
        ];
        for (before, url, after) in binary {
            let text = [before, url, after].concat();
            assert_eq!(stated(&text), Some(url), "{}", text.escape_ascii());
        }
        for (before, rest) in text {
            let text = [before, rest].concat();
            assert_eq!(stated(&text), None, "{}", text.escape_ascii());
        }
    }
}
