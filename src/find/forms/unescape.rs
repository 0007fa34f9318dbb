//! Reads runs with escapes (B-BACK, B-ENT, B-JSON, B-ROFF, B-TERM, B-UNSEEN).
//!
//! The stretch around the URL is decoded into a [logical text](Logical). All rules apply there as
//! in any text, and the result is mapped back.
//!
//! Two rules apply to the whole stretch of `scheme:\/\/`, up to the byte that ends every run in it.
//! They are B-MAX, and the test for a regular expression (B-JSON).

use std::ops::Range;

use crate::bytes::limits::{BREAK_BLANKS, JOIN_BYTES, LINE_START, RUN_BYTES, WRAPPER_BYTES};
use crate::bytes::logical::Logical;
use crate::bytes::pieces::Literal;
use crate::find::end::extent::RawRun;
use crate::find::end::{delimiter, run};
use crate::find::matches::{Pieces, RawMatch, UrlPiece};
use crate::find::schemes;
use crate::find::start::{self, SchemeForm, Start};
use crate::find::text::layers::escape::Escape;
use crate::find::text::layers::{Mapping, Meant, entity, hyphen, json, may_be_escape, roff, texinfo};
use crate::find::text::lines::{is_break, line_end, next_line};
use crate::find::text::view::View;

impl Mapping {
    /// Returns the mapping for a run that was read without decoding. `stop` returns the place of
    /// the first byte that ends every run, less than [`RUN_BYTES`] after the scheme's start.
    pub(crate) fn after_run(
        text: &View<'_>,
        start: &Start,
        run: &RawRun,
        stop: impl FnOnce() -> Option<usize>,
    ) -> Option<Mapping> {
        if has_drive(text, start) {
            return None;
        }
        if run.reference.is_some() {
            return Some(Mapping::Text);
        }
        // Markup does not end a run that ends at a quotation mark. That mark may stand after an
        // escape, which has ended the run too early (B-RUN-1).
        let is_quoted = matches!(text[..start.scheme], [.., b'"' | b'\'']);
        let is_cut = is_quoted && text.get(run.full_end) == Some(&b'&');
        let stop = if is_cut { stop() } else { None };
        stop.and_then(|stop| Mapping::after_stop(text, start.scheme, stop))
            .or_else(|| Mapping::after_stop(text, start.scheme, run.full_end))
            .or_else(|| is_typeset_below(text, run.full_end).then_some(Mapping::Text))
    }

    /// Returns the mapping for an authority that is invalid before its first escape:
    /// `http://\:a.example/`.
    pub(crate) fn in_authority(text: &View<'_>, start: &Start) -> Option<Mapping> {
        let is_of_authority = |byte| !matches!(byte, b'/' | b'?' | b'#' | b'&') && !run::ends_every_run(byte);
        let end = text.stretch(start.body(), start.body() + RUN_BYTES, is_of_authority);
        Mapping::after_stop(text, start.scheme, end)
    }

    /// Returns the mapping for a URL in a link of Texinfo (B-TEXINFO).
    pub(crate) fn of_link(text: &[u8], start: &Start) -> Option<Mapping> {
        texinfo::opens_before(text, start.scheme).then_some(Mapping::Texinfo)
    }

    /// Returns the mapping for a URL whose slashes are escaped. It is `Slashed` if a `\` stands
    /// before the first slash, as in JSON (B-JSON).
    pub(crate) fn of_slashes(text: &View<'_>, start: &Start) -> Option<Mapping> {
        if start::has_escaped_colon(text, start.colon) {
            return Some(Mapping::Text);
        }
        let is_escaped = matches!(start.form, SchemeForm::Authority { .. }) && text.get(start.colon + 1) != Some(&b'/');
        is_escaped.then(|| {
            let is_slash = json::slash_or_character(text, start.colon + 1).is_some_and(|escape| {
                text[start.colon + escape.len] == b'/' // `\/`, not a character code
            });
            if is_slash { Mapping::Slashed } else { Mapping::Text }
        })
    }

    /// Returns whether a run ends at this byte, if no escape begins there.
    fn is_stop(self, text: &[u8], at: usize) -> bool {
        run::is_hard_stop(text, at) || self.is_own_stop(text[at])
    }

    /// Returns whether a byte ends a run of this mapping only. It is a plain `/` where slashes are
    /// `\/`, or a comma in a link of Texinfo.
    fn is_own_stop(self, byte: u8) -> bool {
        byte == b'/' && self == Mapping::Slashed || byte == b',' && self == Mapping::Texinfo
    }
}

/// Returns whether a run ends in `-` with its line, and the line below in U+2010 (B-TYPESET).
fn is_typeset_below(text: &View<'_>, end: usize) -> bool {
    text[end - 1] == b'-' && next_line(text, end).is_some_and(|line| hyphen::ends_line(text, line))
}

/// Returns whether the path of a file URL begins with a drive. In such a path, `\` separates
/// folders and escapes nothing (B-BACK).
fn has_drive(text: &[u8], start: &Start) -> bool {
    if !matches!(start.form, SchemeForm::Authority { file: true }) {
        return false;
    }
    let path = text.get(start.body()..).unwrap_or_default();
    matches!(path.strip_prefix(b"/").unwrap_or(path), [drive, b':' | b'|', ..] if drive.is_ascii_alphabetic())
}

/// Returns the part of a word that follows a font change and may be a scheme (B-ROFF). A word that
/// is itself a scheme of K has no font change: `\file`.
pub(crate) fn after_font(text: &View<'_>, word: &Range<usize>) -> Option<Range<usize>> {
    let is_font = match text[..word.start] {
        [.., b'\\'] => matches!(text[word.clone()], [b'f', font, _, ..] if font.is_ascii_alphanumeric()),
        [.., b'\\', b'f', b'('] => word.len() > 2,
        _ => false,
    };
    (is_font && !schemes::is_k(&text[word.clone()]) && roff::is_in_roff(text, word.start + 2))
        .then_some(word.start + 2..word.end)
}

/// A stretch of a text with its escapes decoded, and the text around it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unescaped {
    mapping: Mapping,
    /// The range from the URL's scheme to the byte that ends every run in the stretch, or to the
    /// limit.
    stretch: Range<usize>,
    /// The stretch ends at a byte that ends every run.
    ends: bool,
    pub(crate) meant: Meant,
    /// The offsets, in the decoded text, of escapes that are valid only after the authority.
    of_path: Vec<usize>,
    /// The escapes that cross a line break: their places, and whether they are doubtful.
    breaks: Vec<(usize, bool)>,
    /// The place of the stretch's last escape that may have another meaning in a manual page.
    last_mark: Option<usize>,
}

impl Unescaped {
    /// Reads the stretch that begins with the scheme at `url`. If `lines` is true, the text around
    /// includes the lines that B-HYPH and B-JOIN read on either side.
    pub(crate) fn read(text: &View<'_>, url: usize, mapping: Mapping, lines: bool) -> Unescaped {
        /// A bound on the bytes of the next line that decide whether the line is rejected.
        const REACH: usize = 128;
        let (before, after) = if lines { (LINE_START + 1, JOIN_BYTES) } else { (delimiter::REACH, REACH) };
        let from = url.saturating_sub(before);
        let mut unescaped = Unescaped {
            mapping,
            meant: Meant { rule: "", text: Logical::from(from), is_cut: false },
            ..Unescaped::default()
        };
        unescaped.meant.text.append(&text[from..url], from);
        let (end, ends) = unescaped.append(text, url, text.len().min(url + 2 * RUN_BYTES), true);
        text.upto(end + 1);
        (unescaped.stretch, unescaped.ends) = (url..end, ends);
        let (line, after) = match next_line(text, end) {
            Some(line) => (line, BREAK_BLANKS + 2 + after),
            // The URL may follow again, in brackets (B-STARS).
            None if text.get(end) == Some(&b'<') => (end, WRAPPER_BYTES.min(end - url + 2)),
            None => (end, 1),
        };
        // Escapes are also decoded on the next line, but not on the lines after it.
        let to = text.len().min(end + after);
        unescaped.meant.is_cut = to == text.len();
        let (mut at, mut below) = (end, line);
        loop {
            let line_end = line_end(text, below.min(to), to);
            at = unescaped.append(text, at, line_end, false).0;
            if at <= line_end || at >= to {
                break;
            }
            below = at; // an escape crossed the end of the line (B-TYPESET)
        }
        unescaped.meant.text.append(&text[at..to.max(at)], at);
        unescaped
    }

    /// Appends `text[from..to]`, with its escapes decoded. If `stops` is true, this stops before the
    /// first byte that ends every run. Returns the end, and whether such a byte stands there.
    fn append(&mut self, text: &View<'_>, from: usize, to: usize, stops: bool) -> (usize, bool) {
        let mapping = self.mapping;
        let mut at = from;
        let is_mark = |&at: &usize| {
            let byte = text[at];
            mapping.may_begin(byte) || mapping.is_own_stop(byte) || stops && run::is_hard_stop(text, at)
        };
        while let Some(mark) = (at..to).find(is_mark) {
            self.meant.text.append(&text[at..mark], at);
            let byte = text[mark];
            if let Some(length) = run::expression_len(text, mark) {
                at = mark + length;
                self.meant.text.append(&text[mark..at], mark);
                continue;
            }
            let escape = match mapping.read(text, mark) {
                None if stops && mapping.is_stop(text, mark) => return (mark, true),
                // Runs must end at this byte, but a `/` or a comma ends no run of the decoded text.
                // So a `\` replaces it there.
                None if byte == b'\\' || mapping.is_own_stop(byte) => Escape::of(Some('\\'), 1),
                None => {
                    self.meant.text.append(&text[mark..mark + 1], mark);
                    at = mark + 1;
                    continue;
                }
                Some(escape) => escape,
            };
            // The escapes of JSON have the same meaning in each mapping.
            if stops && byte == b'\\' && !matches!(text.get(mark + 1), Some(b'u' | b'x' | b'\\' | b'2' | b'3')) {
                self.last_mark = Some(mark);
            }
            if escape.of_path {
                self.of_path.push(self.meant.text.len());
            }
            at = mark + escape.len;
            if text[mark..at].iter().any(|&byte| is_break(byte)) {
                self.breaks.push((mark, escape.is_doubtful));
            }
            if let Some(literal) = escape.literal() {
                self.meant.text.replace(literal.bytes(), mark..at);
            }
        }
        let end = to.max(at);
        self.meant.text.append(&text[at..end], at);
        (end, false)
    }

    /// Returns the decoded text. More text may follow it if it reaches the end of a source that
    /// continues. It ends before an escape in the authority that is valid only in a path (B-BACK).
    /// Java's properties escape the same marks anywhere. `colon` is the place of the colon in the
    /// source.
    pub(crate) fn view(&self, source: &View<'_>, start: &Start, colon: usize) -> View<'_> {
        let view = self.meant.view(source);
        let body = start.body();
        let escape = self.of_path.get(self.of_path.partition_point(|&at| at < body)).copied();
        let is_in_authority = |&escape: &usize| {
            matches!(start.form, SchemeForm::Authority { .. })
                && !start::has_escaped_colon(source, colon)
                && !view[body..escape]
                    .iter()
                    .any(|&byte| matches!(byte, b'/' | b'?' | b'#') || run::CLASS[usize::from(byte)] == run::STOP)
        };
        match escape.filter(is_in_authority) {
            Some(escape) => view.before(escape),
            None => view,
        }
    }

    /// Returns whether a stretch that was read for another URL is also valid for the URL at `url`.
    pub(crate) fn covers(&self, text: &[u8], url: usize) -> bool {
        let Range { start, end } = self.stretch;
        // A URL may begin in an escape of the stretch: `\u0026s3://`.
        let is_literal = |at| self.meant.text.source(at..at + 1) == (url..url + 1);
        (start..end).contains(&url)
            && self.meant.text.offset_of(url).is_some_and(is_literal)
            && (self.ends || end == text.len() || end - url > RUN_BYTES)
    }

    /// Returns whether escapes of a manual page may be valid in the URL's stretch, or on the line
    /// below. The lines around must be those of a manual page.
    pub(crate) fn may_be_roff(&self, text: &View<'_>, url: usize) -> bool {
        let end = self.stretch.end;
        let has_mark = self.last_mark.is_some_and(|mark| mark >= url);
        (has_mark || may_be_escape(text, end) || next_line(text, end).is_some()) && roff::is_in_roff(text, url)
    }

    /// Returns whether the URL at `url` is longer in the source than B-MAX allows. `Text` measures
    /// its run, and the other mappings measure the stretch.
    pub(crate) fn is_too_long(&self, url: usize, run: Option<&RawRun>) -> bool {
        let end = match (self.mapping, run) {
            (Mapping::Text, None) => return false,
            (Mapping::Text, Some(run)) => self.meant.text.source(0..run.full_end).end,
            _ => self.stretch.end,
        };
        end - url > RUN_BYTES
    }

    /// Returns whether the first line break of a URL is doubtful. The breaks after it then follow it.
    pub(crate) fn is_doubtful(&self, url: Range<usize>) -> bool {
        self.breaks.iter().find(|(at, _)| url.contains(at)).is_some_and(|&(_, is_doubtful)| is_doubtful)
    }

    /// Returns whether the stretch ends at a `\` that begins no escape of a string. If so,
    /// `scheme:\/\/` was a regular expression (B-JSON).
    pub(crate) fn is_regular_expression(&self, text: &View<'_>) -> bool {
        self.mapping == Mapping::Slashed
            && text.get(self.stretch.end) == Some(&b'\\')
            && !json::is_of_string(text, self.stretch.end)
    }

    /// Returns the start in the decoded text of a URL of `text`, the source.
    pub(crate) fn start(&self, text: &[u8], start: &Start) -> Option<Start> {
        let scheme = self.meant.text.offset_of(start.scheme)?;
        let escaped = usize::from(start::has_escaped_colon(text, start.colon));
        let colon = scheme + (start.colon - escaped - start.scheme);
        // In roff, `\:` stands for nothing.
        (escaped == 0 || self.meant.text.bytes()[colon..].starts_with(b"://")).then_some(Start {
            scheme,
            colon,
            form: start.form,
        })
    }
}

/// Returns a match of the decoded text with its references to delimiters decoded. Only a quoted URL
/// holds such references (B-ENT).
pub(crate) fn with_references(found: Option<RawMatch>, text: &[u8]) -> Option<RawMatch> {
    let found = found?;
    let decoded = |reading: &Pieces| {
        let mut pieces: Vec<UrlPiece> = Vec::new();
        for Range { mut start, end } in reading.iter().map(|piece| piece.source) {
            for at in memchr::memchr_iter(b'&', &text[start..end]).map(|found| start + found).collect::<Vec<_>>() {
                let Some((character, len)) = entity::read(&View::whole(&text[..end]), at) else { continue };
                pieces.push((start..at).into());
                pieces.push((at..at + len, Some(Literal::from(character))).into());
                start = at + len;
            }
            pieces.push((start..end).into());
        }
        Pieces::new(pieces)
    };
    Some(found.map_readings(decoded))
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
        use Mapping::{Roff, Slashed, Text};
        for (escapes, text, expected) in [
            (Text, r"http://h/\u0026\u003D\u003d\u0025 x", "http://h/&==%"),
            (Text, r"http://h/a\u0026\u0027b", "http://h/a&"),
            (Text, r"http://h/\u002f\x2Fa\u00E9\uD83D\uDE00\\u0026\x26b", "http://h///a\u{e9}\u{1F600}&&b"),
            (Text, r"http://h/a\u0020 ", "http://h/a"),
            (Text, r"http://h/a\x22", "http://h/a"),
            (Text, r"http://h/a\x80", "http://h/a"),
            (Text, r"http://h/a\uD83Db", "http://h/a"),
            (Text, r"http://h/a\\\u0026b", "http://h/a"),
            (Text, r"http://h/\_\*\(\)\[\]\#\&\%\~{}\~\?\=\$\+\-\.\:\;\,\@\/x", "http://h/_*()[]#&%~~?=$+-.:;,@/x"),
            (Text, r"http://h/a\n", "http://h/a"),
            (Text, r"http://h/a\\_", "http://h/a"),
            (Text, r"http://h/a\{}", "http://h/a"),
            (Slashed, r"http:\\/\\/h\\\/a\\u0026", "http://h/a&"),
            (Slashed, r"http:\/\/h\\\\/a", "http://h"),
            (Text, r"http://h/a\u00", "http://h/a"),
            (Slashed, r"http:\/\/h\/a\u0026/b", "http://h/a&"),
            (Slashed, r"http:\/\/h\-a", "http://h"),
            (Slashed, r"http:\/\/h\", "http://h"),
            (Roff, r"http://\:h\-a\.b\&/\(ti\[ti]\%\/\|\^x\u0026\fR", "http://h-a.b/~~x&"),
            (Roff, r"http://h/\(t", "http://h/"),
        ] {
            let unescaped = read(text.as_bytes(), 0, escapes);
            assert!(unescaped.meant.text.bytes().starts_with(expected.as_bytes()), "{text}");
            assert!(unescaped.meant.text.bytes().get(expected.len()).is_none_or(|&b| run::ends_every_run(b)), "{text}");
            let all = Pieces::new(unescaped.meant.text.pieces(0..expected.len()));
            assert_eq!(all.bytes(text.as_bytes()), expected.as_bytes(), "{text}");
            assert!(all.source().end <= unescaped.stretch.end, "{text}");
            for at in 0..expected.len() {
                if expected.is_char_boundary(at) && expected.is_char_boundary(at + 1) {
                    let byte = Pieces::new(unescaped.meant.text.pieces(at..at + 1));
                    assert_eq!(*byte.bytes(text.as_bytes()), expected.as_bytes()[at..=at], "{text} {at}");
                }
            }
        }
    }

    #[test]
    fn a_url_in_an_escape_has_a_stretch_of_its_own() {
        let text = br"http://a\u0026s3://h/ x";
        let stretch = read(text, 0, Mapping::Text);
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

    /// Tests that a cached stretch equals the stretch that a fresh reading gives.
    #[test]
    fn a_stretch_is_the_same_from_anywhere_in_it() {
        let text = br#""http:\/\/a.example)http:\/\/b\u0026.example\/x http://c\u003d,http:\/\/d/e\n""#;
        for escapes in [Mapping::Text, Mapping::Slashed, Mapping::Roff] {
            for from in memchr::memmem::find_iter(text, "http") {
                let first = read(text, from, escapes);
                for url in memchr::memmem::find_iter(text, "http").filter(|&url| first.covers(text, url)) {
                    let fresh = read(text, url, escapes);
                    let start = Start::new(text, url, url + 4);
                    let [known, fresh] = [&first, &fresh].map(|read| {
                        let start = read.start(text, &start).expect("in the stretch");
                        (read.stretch.end, &read.meant.text.bytes()[start.scheme - 1..])
                    });
                    assert_eq!(known, fresh);
                }
            }
        }
    }
}
