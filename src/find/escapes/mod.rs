//! Runs whose text escapes them: each way of escaping is one row of [`Mapping`], and one file.
//!
//! Nearly every run ends at a `\` as at any stop. Where an escape that counts stands there, or `:\/\/` after a scheme, the
//! stretch around it is read again as a [logical text](Logical), in which the rules read the URL as in any other; their answer
//! is mapped back. A text without such escapes pays for a look at the byte after a `\` that ends a run.
//!
//! Two rules hold for the whole stretch, up to the byte that ends every run in it: B-MAX, and that `scheme:\/\/` was a regular
//! expression (B-JSON).

mod json;
mod roff;

use std::ops::Range;

use json::Escape;

use crate::bytes::limits::{BREAK_BLANKS, JOIN_BYTES, LINE_START, RUN_BYTES, WRAPPER_BYTES};
use crate::bytes::logical::Logical;
use crate::find::extent::RawRun;
use crate::find::lines::{line_end, next_line};
use crate::find::matches::{Pieces, RawMatch};
use crate::find::start::{SchemeForm, Start};
use crate::find::view::View;
use crate::find::{delimiter, run, schemes};

/// The length of `\u0026`: no escape is longer.
const LONGEST: usize = 6;

/// A way in which a text escapes its URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// Characters of a URL as JSON escapes them (B-JSON).
    #[default]
    Json,
    /// The escapes behind `scheme:\/\/`: `\/` too, and a plain `/` ends the run (B-JSON).
    Slashed,
    /// Those of a manual page, and those of JSON (B-ROFF).
    Roff,
}

impl Mapping {
    /// The number of mappings.
    pub(crate) const ALL: usize = 3;

    /// Returns the mapping for a run that was read as if nothing was escaped. `stop` is the first byte behind it that ends
    /// every run, less than [`RUN_BYTES`] from the scheme.
    pub(crate) fn after_run(
        text: &View<'_>,
        start: &Start,
        run: &RawRun,
        stop: impl FnOnce() -> Option<usize>,
    ) -> Option<Mapping> {
        // Markup in a run does not end it if the quotation mark after an escape does (B-RUN-1).
        let is_quoted = matches!(text[..start.scheme], [.., b'"' | b'\'']);
        let is_cut = is_quoted && text.get(run.full_end) == Some(&b'&');
        Mapping::after_stop(text, start.scheme, if is_cut { stop()? } else { run.full_end })
    }

    /// Returns the mapping for the URL that begins at `url`, whose run a `\` at `at` has ended; `None` where that begins no
    /// escape.
    pub(crate) fn after_stop(text: &View<'_>, url: usize, at: usize) -> Option<Mapping> {
        if text.byte(at) != Some(b'\\') {
            return None;
        }
        text.upto(at + LONGEST);
        if Mapping::Json.read(text, at).is_some() {
            return Some(Mapping::Json);
        }
        (may_be_escape(text, at) && roff::is_in_roff(text, url)).then_some(Mapping::Roff)
    }

    /// Returns the mapping for an authority that is invalid as far as it reaches: `http://\:a.example/`.
    pub(crate) fn in_authority(text: &View<'_>, start: &Start) -> Option<Mapping> {
        let is_of_authority = |byte| !matches!(byte, b'/' | b'?' | b'#') && !run::ends_every_run(byte);
        let end = text.stretch(start.body(), start.body() + RUN_BYTES, is_of_authority);
        Mapping::after_stop(text, start.scheme, end)
    }

    /// Reads the escape at `at`, if one begins there.
    fn read(self, text: &[u8], at: usize) -> Option<Escape> {
        let escape = text.get(at..)?.strip_prefix(b"\\")?;
        match self {
            Mapping::Json => json::character(escape),
            Mapping::Slashed => json::slash_or_character(escape),
            Mapping::Roff => roff::escape(escape),
        }
    }

    /// Returns the first byte of `text[from..to]` that may begin an escape or, with `stops`, ends every run.
    fn next_mark(self, text: &[u8], from: usize, to: usize, stops: bool) -> Option<usize> {
        let slash = if self == Mapping::Slashed { b'/' } else { b'\\' };
        if stops {
            return (from..to).find(|&at| text[at] == slash || run::is_hard_stop(text, at));
        }
        memchr::memchr2(b'\\', slash, text.get(from..to)?).map(|mark| from + mark)
    }
}

/// Returns whether `:\/\/` stands after the scheme (B-JSON).
pub(crate) fn is_slashed(text: &[u8], start: &Start) -> bool {
    matches!(start.form, SchemeForm::Authority { .. }) && text.get(start.colon + 1) == Some(&b'\\')
}

/// Returns whether a `\` stands at `at` and begins what may be an escape in a run: no URL ends there for certain.
#[inline]
pub(crate) fn may_be_escape(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'\\') && Mapping::Roff.read(text, at).is_some()
}

/// Returns the part of a word after a font change, which may be a scheme (B-ROFF); `\file` is none.
pub(crate) fn after_font(text: &View<'_>, word: &Range<usize>) -> Option<Range<usize>> {
    let is_font = match text[..word.start] {
        [.., b'\\'] => matches!(text[word.clone()], [b'f', font, _, ..] if font.is_ascii_alphanumeric()),
        [.., b'\\', b'f', b'('] => word.len() > 2,
        _ => false,
    };
    (is_font && !schemes::is_k(&text[word.clone()]) && roff::is_in_roff(text, word.start + 2))
        .then_some(word.start + 2..word.end)
}

/// A stretch of a text as its escapes read, with the text around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unescaped {
    mapping: Mapping,
    /// The URL's scheme, and the byte that ends every run in the stretch, or the limit of reading.
    stretch: Range<usize>,
    /// Such a byte stands there.
    ends: bool,
    /// It reaches the end of the source at hand.
    is_cut: bool,
    text: Logical,
}

impl Unescaped {
    /// Reads the stretch from the scheme at `url` on. `lines`: with the lines that B-HYPH and B-JOIN read on either side.
    pub(crate) fn read(text: &View<'_>, url: usize, mapping: Mapping, lines: bool) -> Unescaped {
        /// The bytes that show that a line is rejected are nearer.
        const REACH: usize = 128;
        let (before, after) = if lines { (LINE_START + 1, JOIN_BYTES) } else { (delimiter::REACH, REACH) };
        let from = url.saturating_sub(before);
        let mut unescaped = Unescaped { mapping, text: Logical::from(from), ..Unescaped::default() };
        unescaped.text.append(&text[from..url], from);
        let (end, ends) = unescaped.append(text, url, text.len().min(url + 2 * RUN_BYTES), true);
        text.upto(end + if text.get(end) == Some(&b'\\') { LONGEST } else { 1 });
        (unescaped.stretch, unescaped.ends) = (url..end, ends);
        let (line, after) = match next_line(text, end) {
            Some(line) => (line, BREAK_BLANKS + 2 + after),
            // The URL once more, between brackets (B-STARS).
            None if text.get(end) == Some(&b'<') => (end, WRAPPER_BYTES.min(end - url + 2)),
            None => (end, 1),
        };
        // Escapes are read in the next line too, and in no other.
        let to = text.len().min(end + after);
        unescaped.is_cut = to == text.len();
        let (at, _) = unescaped.append(text, end, line_end(text, line.min(to), to), false);
        unescaped.text.append(&text[at..to.max(at)], at);
        unescaped
    }

    /// Appends `text[from..to]`, or as much of it as stands before the byte that ends every run. Returns where it ends, and
    /// whether at such a byte.
    fn append(&mut self, text: &[u8], from: usize, to: usize, stops: bool) -> (usize, bool) {
        let mut at = from;
        while let Some(mark) = self.mapping.next_mark(text, at, to, stops) {
            self.text.append(&text[at..mark], at);
            let Escape { len, reads } = match self.mapping.read(text, mark) {
                Some(escape) => escape,
                None if stops => return (mark, true),
                // It ends every run; of a plain `/` these bytes must say so.
                None => Escape { len: 1, reads: Some(b'\\') },
            };
            if let Some(byte) = reads {
                self.text.replace(&[byte], mark..mark + len);
            }
            at = mark + len;
        }
        let end = to.max(at);
        self.text.append(&text[at..end], at);
        (end, false)
    }

    /// Returns the text as it reads; it continues where the source does.
    pub(crate) fn view(&self, source: &View<'_>) -> View<'_> {
        View::new(self.text.bytes(), self.is_cut && source.goes_on())
    }

    /// Returns whether a stretch that was read for another URL serves the one at `url`.
    pub(crate) fn covers(&self, text: &[u8], url: usize) -> bool {
        let Range { start, end } = self.stretch;
        // A URL may begin in an escape of the stretch: `\u0026s3://`.
        let is_literal = |at| self.text.source(at..at + 1) == (url..url + 1);
        (start..end).contains(&url)
            && self.text.offset_of(url).is_some_and(is_literal)
            && (self.ends || end == text.len() || end - url > RUN_BYTES)
    }

    /// Returns whether the escapes of a manual page may count in the stretch of the URL at `url`, or in the line below, and
    /// the lines around it are those of one.
    pub(crate) fn may_be_roff(&self, text: &View<'_>, url: usize) -> bool {
        let end = self.stretch.end;
        (may_be_escape(text, end) || next_line(text, end).is_some()) && roff::is_in_roff(text, url)
    }

    /// Returns whether the stretch from `url` on is longer than a URL may be (B-MAX).
    pub(crate) fn is_too_long(&self, url: usize) -> bool {
        self.stretch.end - url > RUN_BYTES
    }

    /// Returns whether the stretch ends at a `\` that begins no escape of a string: `scheme:\/\/` was a regular expression
    /// (B-JSON).
    pub(crate) fn is_regular_expression(&self, text: &[u8]) -> bool {
        self.mapping == Mapping::Slashed
            && text.get(self.stretch.end) == Some(&b'\\')
            && !text.get(self.stretch.end + 1..).is_some_and(json::is_of_string)
    }

    /// Returns the start in it of a URL of the source.
    pub(crate) fn start(&self, start: &Start) -> Option<Start> {
        let scheme = self.text.offset_of(start.scheme)?;
        Some(Start { scheme, colon: scheme + (start.colon - start.scheme), form: start.form })
    }

    /// Returns a reading of it as one of the source.
    fn reading(&self, reading: &Pieces) -> Pieces {
        Pieces::new(reading.iter().flat_map(|piece| self.text.pieces(piece.source)))
    }

    /// Returns a match in it as one in the source, which was found at `colon`.
    pub(crate) fn matched(&self, found: RawMatch, colon: usize) -> RawMatch {
        let Range { start, end } = self.text.source(found.start..found.end);
        RawMatch {
            start,
            end,
            first: self.reading(&found.first),
            others: found.others.iter().map(|other| self.reading(other)).collect(),
            more: found.more.map(|_| colon),
            ..found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::start;

    fn read(text: &[u8], url: usize, escapes: Mapping) -> Unescaped {
        Unescaped::read(&View::whole(text), url, escapes, false)
    }

    #[test]
    fn escapes_are_read_and_mapped_back() {
        use Mapping::{Json, Roff, Slashed};
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
            assert!(unescaped.text.bytes().starts_with(expected.as_bytes()), "{text}");
            assert!(unescaped.text.bytes().get(expected.len()).is_none_or(|&b| run::ends_every_run(b)), "{text}");
            let all = Pieces::new(unescaped.text.pieces(0..expected.len()));
            assert_eq!(all.bytes(text.as_bytes()), expected.as_bytes(), "{text}");
            assert!(all.source().end <= unescaped.stretch.end, "{text}");
            for at in 0..expected.len() {
                let byte = Pieces::new(unescaped.text.pieces(at..at + 1));
                assert_eq!(*byte.bytes(text.as_bytes()), expected.as_bytes()[at..=at], "{text} {at}");
            }
        }
    }

    #[test]
    fn a_url_in_an_escape_has_a_stretch_of_its_own() {
        let text = br"http://a\u0026s3://h/ x";
        let stretch = read(text, 0, Mapping::Json);
        assert!(stretch.covers(text, 0) && stretch.covers(text, 14) && !stretch.covers(text, 9));
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
            assert_eq!(after_font(&View::whole(text.as_bytes()), &word).map(|word| &text[word]), expected, "{text}");
            assert_eq!(after_font(&View::whole(text.replace(".B", "...").as_bytes()), &word), None, "{text}");
        }
    }

    /// A cached stretch is the one that would be read afresh.
    #[test]
    fn a_stretch_is_the_same_from_anywhere_in_it() {
        let text = br#""http:\/\/a.example)http:\/\/b\u0026.example\/x http://c\u003d,http:\/\/d/e\n""#;
        for escapes in [Mapping::Json, Mapping::Slashed, Mapping::Roff] {
            for from in memchr::memmem::find_iter(text, "http") {
                let first = read(text, from, escapes);
                for url in memchr::memmem::find_iter(text, "http").filter(|&url| first.covers(text, url)) {
                    let fresh = read(text, url, escapes);
                    let start = Start::new(text, url, url + 4);
                    let [known, fresh] = [&first, &fresh].map(|read| {
                        let start = read.start(&start).expect("in the stretch");
                        (read.stretch.end, &read.text.bytes()[start.scheme - 1..])
                    });
                    assert_eq!(known, fresh);
                }
            }
        }
    }
}
