//! Runs that a text escapes (B-JSON, B-ROFF).
//!
//! Nearly every run ends at a `\` as at any stop. Where an escape that counts stands there, or `:\/\/` after a scheme, the
//! stretch around it is read again, as a text of its own: [`Unescaped`], its escapes read, with a map to the source. The
//! rules are asked about that text as about any other, and their answer is mapped back. A text without such escapes pays
//! for a look at the byte after a `\` that ends a run.
//!
//! Two rules are decided for the whole stretch, up to the byte that ends every run in it, and not for each run, so that
//! hostile text stays linear: B-MAX, and that `scheme:\/\/` was a regular expression (B-JSON).

use std::ops::Range;

use crate::bytes::limits::{BREAK_BLANKS, JOIN_BYTES, LINE_START, RUN_BYTES, WRAPPER_BYTES};
use crate::find::awaited::Awaited;
use crate::find::extent::RawRun;
use crate::find::lines::{known_next_line, line_end, next_line};
use crate::find::matches::{Escapes, Pieces, PutOff, RawMatch, UrlPiece};
use crate::find::roff::RoffMemo;
use crate::find::start::{SchemeForm, Start};
use crate::find::{run, schemes};

/// The escape at `at`: its length, and the byte that it reads as, if any.
type EscapeAt = Option<(usize, Option<u8>)>;

impl Escapes {
    /// What counts in a run that was read as if nothing did. `stop` is the first byte behind it that ends every run, less than
    /// [`RUN_BYTES`] from the scheme.
    pub(crate) fn after_run(
        text: &[u8],
        start: &Start,
        run: &RawRun,
        stop: impl FnOnce() -> Option<usize>,
        roff: &mut RoffMemo,
    ) -> Option<Escapes> {
        // Markup in a run does not end it if the quotation mark after an escape does (B-RUN-1).
        let is_quoted = matches!(text[..start.scheme], [.., b'"' | b'\'']);
        let is_cut = is_quoted && text.get(run.full_end) == Some(&b'&');
        Escapes::after_stop(text, start.scheme, if is_cut { stop()? } else { run.full_end }, roff)
    }

    /// What counts in the run of the URL that begins at `url`, where a `\` at `at` has ended it. `None` where that is no
    /// escape.
    pub(crate) fn after_stop(text: &[u8], url: usize, at: usize, roff: &mut RoffMemo) -> Option<Escapes> {
        if !may_be_escape(text, at) {
            return None;
        }
        let escapes = if roff.is_in_roff(text, url) { Escapes::Roff } else { Escapes::Json };
        escapes.read(text, at).map(|_| escapes)
    }

    /// As [`after_stop`](Self::after_stop), where the authority cannot stand as far as it goes: `http://\:a.example/`.
    pub(crate) fn in_authority(text: &[u8], start: &Start, roff: &mut RoffMemo) -> Option<Escapes> {
        let authority = text.get(start.body()..)?.iter().take(RUN_BYTES);
        let length = authority.take_while(|&&b| !matches!(b, b'/' | b'?' | b'#') && !run::ends_every_run(b)).count();
        Escapes::after_stop(text, start.scheme, start.body() + length, roff)
    }

    fn read(self, text: &[u8], at: usize) -> EscapeAt {
        let escape = text.get(at..)?.strip_prefix(b"\\")?;
        match self {
            Escapes::Json => json_escape(escape),
            Escapes::Slashed if escape.starts_with(b"/") => Some((2, Some(b'/'))),
            Escapes::Slashed => json_escape(escape),
            Escapes::Roff => roff_escape(escape).or_else(|| json_escape(escape)),
        }
    }

    /// The first byte of `text[from..to]` that may begin an escape or, with `stops`, ends every run.
    fn next_mark(self, text: &[u8], from: usize, to: usize, stops: bool) -> Option<usize> {
        let slash = if self == Escapes::Slashed { b'/' } else { b'\\' };
        if stops {
            return (from..to).find(|&at| text[at] == slash || run::is_hard_stop(text, at));
        }
        memchr::memchr2(b'\\', slash, text.get(from..to)?).map(|mark| from + mark)
    }
}

/// True if `:\/\/` stands after the scheme (B-JSON).
pub(crate) fn is_slashed(text: &[u8], start: &Start) -> bool {
    matches!(start.form, SchemeForm::Authority { .. }) && text.get(start.colon + 1) == Some(&b'\\')
}

/// True if a `\` stands at `at` and begins what may be an escape in a run: no URL ends there for certain.
#[inline]
pub(crate) fn may_be_escape(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'\\') && Escapes::Roff.read(text, at).is_some()
}

/// Where the stretch ends whose escapes count in the run of a URL, if that, and what the rules read behind it, is known in a
/// text that goes on (ST-5). `stop` is the first byte that ends every run.
///
/// Whether it stands in a manual page the lines below may tell: one that is not known to is waited for where that matters,
/// and so is all that B-JOIN reads where the stretch ends its line.
pub(crate) fn known_end(text: &[u8], start: &Start, stop: usize) -> Result<usize, Awaited> {
    /// `\u0026`
    const ESCAPE: usize = 6;
    let url = start.scheme;
    let escapes = match is_slashed(text, start) {
        true => Escapes::Slashed,
        false if RoffMemo::default().is_in_roff(text, url) => Escapes::Roff,
        false => Escapes::Json,
    };
    let mut at = if escapes == Escapes::Slashed { start.colon + 1 } else { stop };
    let end = loop {
        let mark = escapes.next_mark(text, at, text.len(), true).ok_or(Awaited::SlashOrStop)?;
        if text[mark] == b'\\' && text.len() < mark + ESCAPE {
            return Err(Awaited::Length(mark + ESCAPE));
        }
        match escapes.read(text, mark) {
            Some((length, _)) => at = mark + length,
            None => break mark,
        }
    };
    if escapes == Escapes::Roff && text.len() - memchr::memrchr2(b'\n', b'\r', text).unwrap_or(0) < ESCAPE {
        return Err(Awaited::Byte); // it may be a request that shows it, and be none yet
    }
    let may_be_in_roff = escapes == Escapes::Json && text.len() < url + LINE_START + ESCAPE;
    if may_be_in_roff && may_be_escape(text, end) {
        return Err(Awaited::Length(url + LINE_START + ESCAPE));
    }
    let behind = match (known_next_line(text, end).ok_or(Awaited::Byte)?, text[end]) {
        (Some(line), _) => line + JOIN_BYTES,
        (None, b'<') => end + WRAPPER_BYTES.min(end - url + 2),
        (None, _) => end + 1,
    };
    if behind <= text.len() { Ok(end) } else { Err(Awaited::Length(behind)) }
}

/// `\u0026`, `\u003d` and `\u0025`, less the `\`.
fn json_escape(escape: &[u8]) -> EscapeAt {
    let reads = match &escape.first_chunk::<5>()?.map(|b| b.to_ascii_lowercase()) {
        b"u0026" => b'&',
        b"u003d" => b'=',
        b"u0025" => b'%',
        _ => return None,
    };
    Some((6, Some(reads)))
}

/// `\-`, `\(ti` and the like, less the `\`.
fn roff_escape(escape: &[u8]) -> EscapeAt {
    match escape {
        [mark @ (b'-' | b'.'), ..] => Some((2, Some(*mark))),
        [b'(', b't', b'i', ..] => Some((4, Some(b'~'))),
        [b'[', b't', b'i', b']', ..] => Some((5, Some(b'~'))),
        [b'&' | b':' | b'%' | b'/' | b'|' | b'^', ..] => Some((2, None)),
        _ => None,
    }
}

/// The part of a word after a font change, which may be a scheme (B-ROFF); `\file` is none.
pub(crate) fn after_font(text: &[u8], word: &Range<usize>, roff: &mut RoffMemo) -> Option<Range<usize>> {
    let is_font = match text[..word.start] {
        [.., b'\\'] => matches!(text[word.clone()], [b'f', font, _, ..] if font.is_ascii_alphanumeric()),
        [.., b'\\', b'f', b'('] => word.len() > 2,
        _ => false,
    };
    (is_font && !schemes::is_k(&text[word.clone()]) && roff.is_in_roff(text, word.start + 2))
        .then_some(word.start + 2..word.end)
}

/// A stretch of a text as its escapes read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unescaped {
    escapes: Escapes,
    /// From where on it was read, up to the byte that ends every run in it, or to where reading stopped.
    stretch: Range<usize>,
    /// Whether such a byte stands there.
    ends: bool,
    bytes: Vec<u8>,
    /// What the bytes were read from, each with its offset in them.
    pieces: Vec<(usize, UrlPiece)>,
}

impl Unescaped {
    /// Reads the stretch from the scheme at `url` on. `lines`: with what B-HYPH and B-JOIN look at on either side.
    pub(crate) fn read(&mut self, text: &[u8], url: usize, escapes: Escapes, lines: bool) {
        /// What tells that a line is hopeless is nearer.
        const NEAR: usize = 128;
        let (before, after) = if lines { (LINE_START + 1, JOIN_BYTES) } else { (1, NEAR) };
        self.escapes = escapes;
        self.bytes.clear();
        self.pieces.clear();
        self.push(text, url.saturating_sub(before)..url, None);
        let (end, ends) = self.take(text, url, text.len().min(url + 2 * RUN_BYTES), true);
        (self.stretch, self.ends) = (url..end, ends);
        let (line, after) = match next_line(text, end) {
            Some(line) => (line, BREAK_BLANKS + 2 + after),
            // The URL once more, between brackets (B-STARS).
            None if text.get(end) == Some(&b'<') => (end, WRAPPER_BYTES.min(end - url + 2)),
            None => (end, 1),
        };
        // Escapes are read in the next line too. To read them in all lines that are looked at made text of such URLs ten times
        // slower.
        let to = text.len().min(end + after);
        let (at, _) = self.take(text, end, line_end(text, line.min(to), to), false);
        self.push(text, at..to.max(at), None);
    }

    /// Reads `text[from..to]`, or up to the byte that ends every run. Returns where it ends, and whether at such a byte.
    fn take(&mut self, text: &[u8], from: usize, to: usize, stops: bool) -> (usize, bool) {
        let mut at = from;
        while let Some(mark) = self.escapes.next_mark(text, at, to, stops) {
            let (length, reads) = match self.escapes.read(text, mark) {
                Some(escape) => escape,
                None if stops => {
                    self.push(text, at..mark, None);
                    return (mark, true);
                }
                // It ends every run; of a plain `/` these bytes must say so.
                None => (1, Some(b'\\')),
            };
            self.push(text, at..mark, None);
            if reads.is_some() {
                self.push(text, mark..mark + length, reads);
            }
            at = mark + length;
        }
        let end = to.max(at);
        self.push(text, at..end, None);
        (end, false)
    }

    fn push(&mut self, text: &[u8], source: Range<usize>, literal: Option<u8>) {
        if !source.is_empty() {
            let piece = UrlPiece { source, literal };
            let at = self.bytes.len();
            self.bytes.extend_from_slice(piece.bytes(text));
            self.pieces.push((at, piece));
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether it says what [`read`](Self::read) would of the URL at `url`.
    pub(crate) fn covers(&self, text: &[u8], url: usize, escapes: Escapes) -> bool {
        let Range { start, end } = self.stretch;
        self.escapes == escapes
            && (start..end).contains(&url)
            && (self.ends || end == text.len() || end - url > RUN_BYTES)
    }

    /// B-MAX: the stretch from `url` on is longer than a URL may be.
    pub(crate) fn is_too_long(&self, url: usize) -> bool {
        self.stretch.end - url > RUN_BYTES
    }

    /// B-JSON: it ends at a `\` that begins no escape of a string, so that `scheme:\/\/` was none of a URL.
    pub(crate) fn is_regular_expression(&self, text: &[u8]) -> bool {
        let is_string_escape = |b: &u8| b"\"'\\/bfnrtux".contains(b);
        self.escapes == Escapes::Slashed
            && text.get(self.stretch.end) == Some(&b'\\')
            && !text.get(self.stretch.end + 1).is_some_and(is_string_escape)
    }

    /// The start of a URL of the source in it.
    pub(crate) fn start(&self, start: &Start) -> Option<Start> {
        let after = self.pieces.partition_point(|(_, piece)| piece.source.start <= start.scheme);
        let (at, piece) = self.pieces.get(after.checked_sub(1)?)?;
        let scheme = at + (start.scheme - piece.source.start);
        Some(Start { scheme, colon: scheme + (start.colon - start.scheme), form: start.form })
    }

    /// The pieces of the source that a range of it was read from.
    fn pieces(&self, range: Range<usize>) -> impl Iterator<Item = UrlPiece> {
        let first = self.pieces.partition_point(|&(at, _)| at <= range.start).saturating_sub(1);
        let count = self.pieces[first..].partition_point(|&(at, _)| at < range.end);
        self.pieces[first..first + count]
            .iter()
            .map(move |(at, piece)| piece.part(range.start.saturating_sub(*at)..range.end - at))
    }

    /// A reading of it as one of the source.
    pub(crate) fn reading(&self, reading: &Pieces) -> Pieces {
        match reading {
            Pieces::One(range) => Pieces::new(self.pieces(range.clone())),
            many => Pieces::new(many.iter().flat_map(|piece| self.pieces(piece.source))),
        }
    }

    /// A match in it as one in the source.
    pub(crate) fn matched(&self, found: RawMatch) -> RawMatch {
        let source = |at: usize| self.pieces(at..at + 1).next().map_or(0..0, |piece| piece.source);
        RawMatch {
            start: source(found.start).start,
            end: source(found.end - 1).end,
            first: self.reading(&found.first),
            others: found.others.iter().map(|other| self.reading(other)).collect::<Vec<_>>().into(),
            put_off: match found.put_off {
                PutOff::OfBare(_) => PutOff::OfBare(Some(self.escapes)),
                other => other,
            },
            ..found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::start;

    fn read(text: &[u8], url: usize, escapes: Escapes) -> Unescaped {
        let mut unescaped = Unescaped::default();
        unescaped.read(text, url, escapes, false);
        unescaped
    }

    #[test]
    fn escapes_are_read_and_mapped_back() {
        use Escapes::{Json, Roff, Slashed};
        for (escapes, text, expected) in [
            (Json, r"http://h/\u0026\u003D\u003d\u0025 x", "http://h/&==%"),
            (Json, r"http://h/a\u0026\u0027b", "http://h/a&"),
            (Json, r"http://h/a\-b", "http://h/a"),
            (Json, r"http://h/a\u00", "http://h/a"),
            (Slashed, r"http:\/\/h\/a\u0026/b", "http://h/a&"),
            (Slashed, r"http:\/\/h\-a", "http://h"),
            (Slashed, r"http:\/\/h\", "http://h"),
            (Roff, r"http://\:h\-a\.b\&/\(ti\[ti]\%\/\|\^x\u0026\fR", "http://h-a.b/~~x&"),
            (Roff, r"http://h/\(t", "http://h/"),
        ] {
            let unescaped = read(text.as_bytes(), 0, escapes);
            assert!(unescaped.bytes().starts_with(expected.as_bytes()), "{text}");
            assert!(unescaped.bytes().get(expected.len()).is_none_or(|&b| run::ends_every_run(b)), "{text}");
            let all = Pieces::new(unescaped.pieces(0..expected.len()));
            assert_eq!(all.bytes(text.as_bytes()), expected.as_bytes(), "{text}");
            assert!(all.source().end <= unescaped.stretch.end, "{text}");
            for at in 0..expected.len() {
                let byte = Pieces::new(unescaped.pieces(at..at + 1));
                assert_eq!(*byte.bytes(text.as_bytes()), expected.as_bytes()[at..=at], "{text} {at}");
            }
        }
    }

    #[test]
    fn font_changes() {
        for (text, expected) in [
            ("\\fBs3", Some("s3")),
            ("\\f1x", Some("x")),
            ("\\f(CWnews", Some("news")),
            ("\\fhttp", Some("ttp")),
            ("\\file", None),
            ("\\ftp", None),
            ("\\fB", None),
            ("\\f-s3", None),
            ("fBs3", None),
            ("(CWnews", None),
        ] {
            let text = format!(".B {text}");
            let word = start::word_before(text.as_bytes(), text.len());
            assert_eq!(
                after_font(text.as_bytes(), &word, &mut RoffMemo::default()).map(|word| &text[word]),
                expected,
                "{text}"
            );
            assert_eq!(
                after_font(text.replace(".B", "...").as_bytes(), &word, &mut RoffMemo::default()),
                None,
                "{text}"
            );
        }
    }

    /// What is remembered of a stretch is what would be read afresh.
    #[test]
    fn a_stretch_is_the_same_from_anywhere_in_it() {
        let text = br#""http:\/\/a.example)http:\/\/b\u0026.example\/x http://c\u003d,http:\/\/d/e\n""#;
        for escapes in [Escapes::Json, Escapes::Slashed, Escapes::Roff] {
            for from in memchr::memmem::find_iter(text, "http") {
                let first = read(text, from, escapes);
                for url in memchr::memmem::find_iter(text, "http").filter(|&url| first.covers(text, url, escapes)) {
                    let fresh = read(text, url, escapes);
                    let start = Start::new(text, url, url + 4);
                    let [known, fresh] = [&first, &fresh].map(|read| {
                        let start = read.start(&start).expect("in the stretch");
                        (read.stretch.end, &read.bytes[start.scheme - 1..])
                    });
                    assert_eq!(known, fresh);
                }
            }
        }
    }
}
