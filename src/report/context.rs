//! Matches within their lines, as `grep -C` shows them.
//!
//! Every match comes with the lines around it ([`Excerpt`]). Lines that two matches share are shown
//! once. So the lines after a match are buffered until the next match arrives. They are written
//! earlier if [`ContextWriter::settle`] gets an offset before which no other match begins.

use std::io;

use bstr::ByteSlice;

use super::text::{LinePrefix, LineStart, TextFormat};
use crate::drive::LinePlace;
use crate::{Excerpt, Level, Match};

/// A match in its lines, for a [`ContextWriter`].
#[derive(Clone, Debug)]
pub struct MatchInLines<'m> {
    /// The lines around the match.
    pub excerpt: Excerpt<'m>,
    /// The fields of the match.
    pub shown: ShownMatch,
}

/// The fields of a match that [`ContextWriter`] shows before its lines.
#[derive(Clone, Debug)]
pub struct ShownMatch {
    line: Option<u64>,
    column: Option<u64>,
    is_url: bool,
    /// The Message-ID, if the format includes it.
    message: Vec<u8>,
}

impl ShownMatch {
    /// Copies the fields that a format shows from a match.
    pub fn new(format: &TextFormat, found: &Match<'_>) -> Self {
        let (line, column, message) = (found.line(), found.column(), format.message_field(found));
        ShownMatch { line, column, is_url: found.level() != Level::None, message }
    }
}

/// A writer of matches within their lines, as `grep -C` shows them. The writer accepts the matches
/// in order, one file after the other.
///
/// # Examples
///
/// ```
/// use urlgrep::{Extractor, report::{ContextWriter, MatchInLines, ShownMatch, TextFormat}};
///
/// let format = TextFormat::new().line_number(true);
/// let (mut writer, prefix) = (ContextWriter::new(format).separators(true), format.prefix("f"));
/// let mut out = Vec::new();
/// let text = "one\ntwo http://a.example/\nthree\nfour\n";
/// for found in Extractor::builder().line_numbers(true).build().find_iter(text) {
///     let shown = ShownMatch::new(&format, &found);
///     writer.add(&prefix, &MatchInLines { excerpt: found.lines_around(1, 1), shown }, &mut out)?;
/// }
/// writer.end_file(&prefix, &mut out)?;
/// assert_eq!(out, b"f-1-one\nf:2:two http://a.example/\nf-3-three\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ContextWriter {
    format: TextFormat,
    /// Whether a line separates groups of lines.
    is_separating: bool,
    group: Option<LineGroup>,
    has_groups: bool,
}

/// Lines that overlap or touch.
#[derive(Debug)]
struct LineGroup {
    part: Option<u64>,
    /// The offset up to which the lines are written.
    at: u64,
    /// The buffered text after `at`.
    rest: Vec<u8>,
    /// Whether `rest` ends within a line, which was too long.
    is_cut: bool,
    /// The number of the current line.
    line: Option<u64>,
    /// The places in the file of the lines of a decoded part.
    places: Vec<LinePlace>,
    /// The number of the line of the last match.
    match_line: Option<u64>,
    /// Whether the beginning of the current line is written.
    is_open: bool,
    message: Vec<u8>,
}

/// The kind of a piece of text.
#[derive(Clone, Copy)]
enum PieceKind {
    /// Text without a match.
    Text,
    /// Text before a match in this column.
    BeforeMatch(Option<u64>),
    /// A match in this column, and whether any grammar accepts it.
    Match(Option<u64>, bool),
}

/// The replacement for the omitted part of a line.
const CUT: &[u8] = b"[...]";

impl ContextWriter {
    /// Makes a writer.
    pub fn new(format: TextFormat) -> Self {
        ContextWriter { format, is_separating: false, group: None, has_groups: false }
    }

    /// Writes a line `--` between groups of lines that neither overlap nor touch.
    #[must_use]
    pub fn separators(self, yes: bool) -> Self {
        ContextWriter { is_separating: yes, ..self }
    }

    /// Adds a match. Appends the text up to the end of the match, and buffers the lines after it.
    ///
    /// # Errors
    ///
    /// Returns no error: a `Vec` accepts every byte.
    pub fn add(&mut self, prefix: &LinePrefix, found: &MatchInLines<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let MatchInLines { excerpt, shown } = found;
        let (text, span): (&[u8], _) = (excerpt.text.as_bytes(), &excerpt.span);
        let mut group = match self.group.take_if(|group| group.is_continued_by(excerpt)) {
            Some(group) => group,
            None => {
                self.end_file(prefix, out)?;
                if self.has_groups && self.is_separating {
                    out.extend_from_slice(b"--\n");
                }
                self.has_groups = true;
                let mut group = LineGroup::new(found);
                // The line began before the excerpt, so a mark stands for its start.
                if excerpt.is_cut_before {
                    group.open(&self.format, prefix, true, shown.column, true, out)?;
                    out.extend_from_slice(CUT);
                }
                group
            }
        };
        group.places.clone_from(&excerpt.places);
        group.match_line = shown.line;
        // The length of the start of the excerpt that is already written. With several matches in
        // one wrapper, that start may even contain this match.
        let known = group.at.saturating_sub(excerpt.offset) as usize;
        let head = excerpt.offset.saturating_sub(group.at) as usize;
        let (start, end) = (span.start.max(known), span.end.max(known));
        let before = [&group.rest[..head], &text[known..start]].concat();
        group.write(&self.format, prefix, &before, PieceKind::BeforeMatch(shown.column), out)?;
        let kind = PieceKind::Match(shown.column, shown.is_url);
        group.write(&self.format, prefix, &text[start..end], kind, out)?;
        group.rest = text[end..].to_vec();
        group.is_cut = excerpt.is_cut_after;
        self.group = Some(group);
        Ok(())
    }

    /// Appends the lines that end before an offset of the file. The caller must not add a match
    /// that begins before the offset.
    ///
    /// # Errors
    ///
    /// Returns no error: a `Vec` accepts every byte.
    pub fn settle(&mut self, prefix: &LinePrefix, offset: u64, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(group) = &mut self.group else { return Ok(()) };
        let length = usize::try_from(offset.saturating_sub(group.at)).unwrap_or(usize::MAX).min(group.rest.len());
        // A later match may begin in the last line, so only whole lines are written.
        let whole = memchr::memrchr(b'\n', &group.rest[..length]).map_or(0, |end| end + 1);
        let rest = group.rest.split_off(whole);
        let lines = std::mem::replace(&mut group.rest, rest);
        group.write(&self.format, prefix, &lines, PieceKind::Text, out)
    }

    /// Appends the remaining lines of a file.
    ///
    /// # Errors
    ///
    /// Returns no error: a `Vec` accepts every byte.
    pub fn end_file(&mut self, prefix: &LinePrefix, out: &mut Vec<u8>) -> io::Result<()> {
        let Some(mut group) = self.group.take() else { return Ok(()) };
        let rest = std::mem::take(&mut group.rest);
        group.write(&self.format, prefix, &rest, PieceKind::Text, out)?;
        if group.is_open {
            out.extend_from_slice(if group.is_cut { CUT } else { b"" });
            out.push(b'\n');
        }
        Ok(())
    }
}

impl LineGroup {
    /// Creates a group that begins where the lines of a match begin.
    fn new(MatchInLines { excerpt, shown }: &MatchInLines<'_>) -> Self {
        let lines = memchr::memchr_iter(b'\n', &excerpt.text[..excerpt.span.start]).count() as u64;
        LineGroup {
            part: excerpt.part,
            at: excerpt.offset,
            rest: Vec::new(),
            is_cut: false,
            line: shown.line.map(|line| line.saturating_sub(lines)),
            places: Vec::new(),
            match_line: None,
            is_open: false,
            message: shown.message.clone(),
        }
    }

    /// Returns whether the lines of a match overlap this group, or follow it directly.
    fn is_continued_by(&self, next: &Excerpt<'_>) -> bool {
        let (reach, end) = (self.at + self.rest.len() as u64, next.offset + next.text.len() as u64);
        self.part == next.part && next.offset <= reach && self.at <= end
    }

    fn open(
        &mut self,
        format: &TextFormat,
        prefix: &LinePrefix,
        is_match: bool,
        column: Option<u64>,
        begins_match: bool,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        self.is_open = true;
        let column = column.filter(|_| is_match);
        let place = self.places.iter().find(|place| place.at == self.at);
        let offset = place.map_or(self.at, |place| place.offset);
        if let (Some(place), Some(line)) = (place, self.match_line) {
            // A line that was folded has several in the file. Its number goes with the column.
            self.line = Some(if begins_match { line } else { line.saturating_add_signed(place.lines) });
        }
        format.begin_line(prefix, &LineStart { is_match, line: self.line, column, offset, message: &self.message }, out)
    }

    fn write(
        &mut self,
        format: &TextFormat,
        prefix: &LinePrefix,
        text: &[u8],
        kind: PieceKind,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let mut is_first = true;
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let is_whole = line.ends_with(b"\n");
            if !self.is_open {
                let (is_match, column, begins) = match kind {
                    PieceKind::Text => (false, None, false),
                    // The match follows the piece, so it is in the line that has no line end yet.
                    PieceKind::BeforeMatch(column) => (!is_whole, column, !is_whole),
                    // A match that continues on the next line begins there in column 1.
                    PieceKind::Match(column, _) => (true, if is_first { column } else { Some(1) }, is_first),
                };
                self.open(format, prefix, is_match, column, begins, out)?;
            }
            is_first = false;
            format.source_line(line, if let PieceKind::Match(_, is_url) = kind { Some(is_url) } else { None }, out)?;
            self.at += line.len() as u64;
            if is_whole {
                self.is_open = false;
                self.line = self.line.map(|line| line + 1);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    /// Returns the output for the wanted matches of a text.
    fn shown(text: &str, format: TextFormat, (before, after): (usize, usize), wanted: impl Fn(&str) -> bool) -> String {
        let mut out = Vec::new();
        let mut writer = ContextWriter::new(format).separators(before + after > 0);
        let prefix = format.prefix(b"f");
        for found in Extractor::builder().line_numbers(true).build().find_iter(text) {
            if wanted(&found.url().to_string()) {
                let excerpt = found.lines_around(before, after);
                let found = MatchInLines { excerpt, shown: ShownMatch::new(&format, &found) };
                writer.add(&prefix, &found, &mut out).unwrap();
            }
        }
        writer.end_file(&prefix, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    const TEXT: &str = "1\n2 http://a.example/ and\thttp://b.example/\r\n3\n4\n5\n6 <URL:http://c.example/\n7> x\n8";

    #[test]
    fn lines_hang_together_or_are_apart() {
        let numbers = TextFormat::new().line_number(true);
        let all = |_: &str| true;
        assert_eq!(
            shown(TEXT, numbers, (1, 1), all),
            "f-1-1\nf:2:2 http://a.example/ and\thttp://b.example/\r\nf-3-3\n--\nf-5-5\n\
             f:6:6 <URL:http://c.example/\nf:7:7> x\nf-8-8\n"
        );
        // A single line between two groups is shown once, and touching groups have no separator.
        for context in [(2, 1), (1, 2), (3, 3)] {
            assert!(!shown(TEXT, numbers, context, all).contains("--"), "{context:?}");
        }
        assert_eq!(
            shown(TEXT, numbers, (0, 0), all),
            "f:2:2 http://a.example/ and\thttp://b.example/\r\nf:6:6 <URL:http://c.example/\nf:7:7> x\n"
        );
        assert_eq!(shown(TEXT, numbers, (9, 9), |url| url.contains('c')).lines().count(), 8);
        let last = shown(TEXT, numbers.column(true).byte_offset(true), (1, 0), |url| url.contains('c'));
        assert_eq!(last, "f-5-49-5\nf:6:3:51:6 <URL:http://c.example/\nf:7:1:76:7> x\n");
    }

    #[test]
    fn lines_are_the_same_whenever_they_are_settled() {
        let format = TextFormat::new().line_number(true);
        let prefix = format.prefix(b"f");
        for context in [(0, 0), (1, 1), (0, 3), (9, 9)] {
            let matches: Vec<_> = Extractor::builder().line_numbers(true).build().find_iter(TEXT).collect();
            for settled in 0..=TEXT.len() as u64 {
                let (mut writer, mut out) = (ContextWriter::new(format).separators(context != (0, 0)), Vec::new());
                for (number, found) in matches.iter().enumerate() {
                    let excerpt = found.lines_around(context.0, context.1);
                    let found_in = MatchInLines { excerpt, shown: ShownMatch::new(&format, found) };
                    writer.add(&prefix, &found_in, &mut out).unwrap();
                    let next = matches.get(number + 1).map_or(u64::MAX, |next| next.span().start);
                    writer.settle(&prefix, settled.min(next), &mut out).unwrap();
                }
                assert!(
                    settled < TEXT.len() as u64
                        || writer.group.as_ref().is_none_or(|group| !group.rest.contains(&b'\n'))
                );
                writer.end_file(&prefix, &mut out).unwrap();
                assert_eq!(String::from_utf8(out).unwrap(), shown(TEXT, format, context, |_| true), "{settled}");
            }
        }
    }

    #[test]
    fn the_match_is_coloured_line_by_line() {
        let shown = shown(TEXT, TextFormat::new().color(true).escape(true), (0, 0), |_| true);
        let shown = shown.replace("\x1b[1m", "{").replace("\x1b[0m", "}").replace("\x1b[35m", "{");
        assert_eq!(
            shown,
            "{f}:2 {http://a.example/} and\t{http://b.example/}\n{f}:6 {<URL:http://c.example/}\n{f}:{7>} x\n"
        );
    }

    #[test]
    fn long_lines_are_cut_on_either_side() {
        let far = "x".repeat(20_000);
        let text = format!("{far} http://a.example/ {far}{far} http://b.example/ {far}\nz");
        let lines = shown(&text, TextFormat::new().line_number(true), (1, 1), |_| true);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), 3, "{}", lines.len());
        for (line, url) in [(lines[0], " http://a.example/ "), (lines[2], " http://b.example/ ")] {
            assert!(line.starts_with("f:1:[...]x") && line.contains(url) && line.ends_with("x[...]"));
        }
        assert_eq!(lines[1], "--");
        // If two excerpts touch, nothing is omitted.
        let near = "x".repeat(15_000);
        let text = format!("http://a.example/ {near}{near} http://b.example/");
        assert_eq!(shown(&text, TextFormat::new(), (0, 0), |_| true), format!("f:{text}\n"));
    }
}
