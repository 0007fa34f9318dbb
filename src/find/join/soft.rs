//! B-JOIN-Q: signs of quoted-printable that nobody decoded, remembered from one break to the next.
//!
//! Every line of a text may end in a `=`, and each asks for a sign in the 8 KiB around. Signs are facts about the text:
//! each `=` is looked at once, as the window moves on (ST-2). Without that, a text of such lines ran at 4 MB/s.

use super::neighbours::Neighbours;

/// What weighing remembers from one break to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct JoinMemo {
    pub(super) soft_breaks: SoftBreaks,
    pub(super) neighbours: Neighbours,
    /// What was weighed may weigh otherwise when the text goes on (ST-5).
    pub(crate) waits: bool,
}

/// Where the next signs are. A memo: what it says could be computed afresh at any time.
#[derive(Clone, Debug, Default)]
pub(crate) struct SoftBreaks {
    escape: NextSign,
    pair: NextSign,
}

impl SoftBreaks {
    /// Whether `text[low..]` holds an escape of a byte that mail has there, or two lines in a row that end in a single
    /// `=`. `text` ends where the window ends.
    pub(super) fn are_in(&mut self, text: &[u8], low: usize) -> bool {
        self.escape.is_in(text, low, equals_after, escape) || self.pair.is_in(text, low + 1, soft_break_after, pair)
    }
}

/// What begins at a `=`.
enum Sign {
    /// None.
    No,
    /// The text ends too early to say.
    Cut,
    /// A sign that ends here.
    Until(usize),
}

/// The next sign of one sort: none begins in `from..at`.
#[derive(Clone, Debug, Default)]
struct NextSign {
    from: usize,
    at: usize,
    /// The end of the sign at `at`, if there is one. What begins later ends later.
    end: Option<usize>,
}

impl NextSign {
    /// `next` is the first `=` from a place on that may begin a sign.
    fn is_in(
        &mut self,
        text: &[u8],
        from: usize,
        next: impl Fn(&[u8], usize) -> Option<usize>,
        sign: impl Fn(&[u8], usize) -> Sign,
    ) -> bool {
        if !(self.from..=self.at).contains(&from) {
            *self = NextSign { from, at: from, end: None };
        }
        while self.end.is_none() && self.at < text.len() {
            let Some(equals) = next(text, self.at) else {
                self.at = text.len();
                break;
            };
            self.at = equals;
            match sign(text, self.at) {
                Sign::No => self.at += 1,
                Sign::Cut => break,
                Sign::Until(end) => self.end = Some(end),
            }
        }
        self.end.is_some_and(|end| end <= text.len())
    }
}

fn equals_after(text: &[u8], from: usize) -> Option<usize> {
    /// A text may be full of them, and a call for each took half of an audit of it.
    const NEAR: usize = 16;
    let is_equals = |at: &usize| text[*at] == b'=';
    let far = text.len().min(from + NEAR);
    (from..far).find(is_equals).or_else(|| memchr::memchr(b'=', &text[far..]).map(|at| far + at))
}

/// The next one at the end of a line, or where the text ends too early to say.
fn soft_break_after(text: &[u8], from: usize) -> Option<usize> {
    let before = |end: usize| {
        let line = text[from..end].strip_suffix(b"\r").unwrap_or(&text[from..end]);
        line.ends_with(b"=").then(|| from + line.len() - 1)
    };
    memchr::memchr_iter(b'\n', &text[from..]).map(|at| from + at).chain([text.len()]).find_map(before)
}

/// `=3D =20 =09 =0D =E? =C3`
fn escape(text: &[u8], at: usize) -> Sign {
    match text[at + 1..] {
        [b'E', b'0'..=b'9' | b'A'..=b'F', ..]
        | [b'3', b'D', ..]
        | [b'2', b'0', ..]
        | [b'0', b'9' | b'D', ..]
        | [b'C', b'3', ..] => Sign::Until(at + 3),
        [_, _, ..] => Sign::No,
        _ => Sign::Cut,
    }
}

/// A line that ends in a single `=`, at `at`, after another character, and a second line like it.
fn pair(text: &[u8], at: usize) -> Sign {
    let line = match soft_break(text, at) {
        Sign::Until(line) => line,
        other => return other,
    };
    match memchr::memchr2(b'\r', b'\n', &text[line..]) {
        Some(length @ 2..) if text[line + length - 1] == b'=' => soft_break(text, line + length - 1),
        Some(_) => Sign::No,
        None => Sign::Cut,
    }
}

/// A single `=` at the end of its line (LF or CRLF).
fn soft_break(text: &[u8], at: usize) -> Sign {
    if matches!(text[at - 1], b'=' | b'\r' | b'\n') {
        return Sign::No;
    }
    match text[at + 1..] {
        [b'\n', ..] => Sign::Until(at + 2),
        [b'\r', b'\n', ..] => Sign::Until(at + 3),
        [] | [b'\r'] => Sign::Cut,
        _ => Sign::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const TEXTS: [(&str, bool); 19] = [
        ("a=3Db", true), ("a=20", true), ("=E9", true), ("=C3=A4", true), ("a=\nb=\n", true),
        ("x\na=\r\nbc=\r\n", true), ("=x\na=\nb=\n", true), ("", false), ("a=b", false), ("=e9", false),
        ("=3d", false), ("a=\nb\nc=\n", false), ("a=\nb==\n", false), ("a==\nb=\n", false), ("a=\n=\n", false),
        ("=\na=\n", false), ("a=\rb=\r", false), ("a=\nb=", false), ("=E", false),
    ];

    #[test]
    fn signs() {
        for (text, expected) in TEXTS {
            assert_eq!(SoftBreaks::default().are_in(text.as_bytes(), 0), expected, "{text:?}");
        }
    }

    /// What is remembered changes no answer, wherever the windows lie that were asked about before.
    #[test]
    fn memory() {
        let text: String = TEXTS.iter().flat_map(|&(text, _)| ["b\n", text, "--"]).collect();
        let text = text.as_bytes();
        for size in 1..20 {
            let (mut onwards, mut anywhere) = (SoftBreaks::default(), SoftBreaks::default());
            for low in 0..text.len() {
                let window = &text[..text.len().min(low + size)];
                let expected = SoftBreaks::default().are_in(&window[low..], 0);
                assert_eq!(onwards.are_in(window, low), expected, "{low} {size}");
                let other = low * 7919 % text.len();
                let window = &text[..text.len().min(other + size)];
                let expected = SoftBreaks::default().are_in(&window[other..], 0);
                assert_eq!(anywhere.are_in(window, other), expected, "{other} {size}");
            }
        }
    }
}
