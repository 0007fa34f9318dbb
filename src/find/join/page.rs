//! The lines around a break: their widths (B-JOIN-PAGE), and whether they are typeset or items of a
//! list.

use super::breaks::Break;
use super::facts::{Fact, Facts};
use crate::find::text::window::{JoinWindow, is_header, trim_end};
use std::ops::Range;

/// The minimum width of a page. [`WIDEST`] is the maximum.
const NARROWEST: usize = 60;
const WIDEST: usize = 80;
/// The maximum width of a line that is used to measure a page.
const LONGEST: usize = 100;
/// A run overflows a page only if it would have ended after this column.
const OVERFLOW: usize = 72;
/// The minimum number of lines in a paragraph that is evidence of the page's width.
const PARAGRAPH: usize = 3;

impl Break<'_> {
    /// Returns whether the line has a width at which mailers break lines. This is 72 to 80 columns,
    /// or most of these widths without the reply markers of two columns each.
    pub(super) fn is_at_column(&self) -> bool {
        let own = self.width().saturating_sub(2 * self.url.markers.depth());
        (72..=80).contains(&self.width()) || matches!(own, 72 | 74 | 76 | 78..=80)
    }

    /// Returns the facts on the page around the break. Measuring the page reads up to 24 lines.
    pub(super) fn page_facts(&self) -> Facts {
        self.facts_on(self.page_width())
    }

    /// Returns the facts that depend on the page's width.
    pub(super) fn open_facts(&self) -> Facts {
        let (narrow, wide) = (self.facts_on(0), self.facts_on(LONGEST + 1));
        narrow.differing(wide)
    }

    /// Returns the facts that apply on a page of any width.
    pub(super) fn certain_facts(&self) -> Facts {
        self.facts_on(0).common(self.facts_on(LONGEST + 1))
    }

    /// Returns the facts on a page of this width. Each fact changes at most once as the page gets
    /// wider. So the narrowest and the widest page bound the facts.
    fn facts_on(&self, page: usize) -> Facts {
        let width = self.width();
        let run = width + self.sides.raw.len();
        let edge = page.clamp(NARROWEST, WIDEST);
        Facts::default()
            .with(Fact::Full, (NARROWEST..=LONGEST).contains(&width) && width >= page)
            .with(Fact::Fits, run <= edge)
            .with(Fact::Room, width + 1 + self.word_len() <= edge)
            .with(Fact::Overflow, run > edge.max(OVERFLOW))
    }

    /// Returns the width of the second longest line of the paragraph, to ignore one outlier. If the
    /// paragraph has fewer than three lines, all lines at the quote depth of the broken line are
    /// used.
    fn page_width(&self) -> usize {
        let Break { window, url, content, .. } = self;
        let (markers, depth) = (url.markers, url.markers.depth());
        let (mut paragraph, mut all) = (Widest::default(), Widest::default());
        let mut add = |line: Range<usize>, inside: &mut bool| {
            let content = markers.content(window.text, line.start, line.end);
            let is_alike = content.at < line.end && content.depth == depth;
            *inside &= is_alike;
            if !is_alike || is_header(&window.text[line.clone()]) {
                return; // a header line (`Name: `) is not wrapped
            }
            let width = window.width(line);
            if width <= LONGEST {
                all.add(width);
                if *inside {
                    paragraph.add(width);
                }
            }
        };
        let mut inside = true;
        window.lines_before(url.line.start).for_each(|line| add(line, &mut inside));
        inside = content.depth == depth;
        window.lines_after(url.next.end).for_each(|line| add(line, &mut inside));
        let width =
            if self.sides.alone || content.depth != depth { LONGEST + 1 } else { window.width(url.next.clone()) };
        if width <= LONGEST {
            all.add(width);
            paragraph.add(width);
        }
        if paragraph.count >= PARAGRAPH { paragraph.second() } else { all.second() }
    }
}

/// The number of widths, and the two greatest of them.
#[derive(Default)]
struct Widest {
    count: usize,
    first: usize,
    second: usize,
}

impl Widest {
    fn add(&mut self, width: usize) {
        self.count += 1;
        self.second = self.second.max(self.first.min(width));
        self.first = self.first.max(width);
    }

    /// Returns the second greatest width, or the only one.
    fn second(&self) -> usize {
        if self.count == 1 { self.first } else { self.second }
    }
}

/// Returns whether two of the lines around the break end in a hyphenated word. If so, the hyphen at
/// the end of the broken line may also come from typesetting. `line` is the broken line, and `next`
/// is the line after it.
pub(super) fn is_typeset(window: &JoinWindow<'_>, line: &Range<usize>, next: &Range<usize>) -> bool {
    let is_hyphenated = |line: &Range<usize>| {
        let below = || {
            let below = window.text[line.end..].iter().find(|byte| !byte.is_ascii_whitespace());
            if below.is_none() {
                window.touch();
            }
            below
        };
        let is_small = |letter: &u8| letter.is_ascii_lowercase() || !letter.is_ascii();
        matches!(trim_end(&window.text[line.clone()]), [.., letter, b'-'] if is_small(letter))
            && below().is_some_and(is_small)
    };
    let neighbours = window.lines_before(line.start).chain(window.lines_after(next.end));
    neighbours.filter(is_hyphenated).nth(1).is_some()
}

/// Returns whether the lines with `*` up to the broken line are items of a list, and not a comment.
/// The nearest line above them must be in the window, and must not begin with `/*`. Without such a
/// line, the lines are treated as a comment whose start is missing. `line` is the broken line.
pub(super) fn is_in_starred_list(window: &JoinWindow<'_>, line: &Range<usize>) -> bool {
    let content = |line: Range<usize>| {
        let is_mark = |byte: &u8| matches!(byte, b'>' | b' ' | b'\t');
        let bytes = &window.text[line];
        &bytes[bytes.iter().take_while(|&byte| is_mark(byte)).count()..]
    };
    content(line.clone()).starts_with(b"*")
        && window
            .lines_before(line.start)
            .map(content)
            .find(|content| !content.starts_with(b"*"))
            .is_some_and(|content| !content.starts_with(b"/*"))
}

#[cfg(test)]
mod tests {
    use super::super::chain::Chain;
    use super::super::facts::Sides;
    use super::*;
    use crate::find::options::OnScreen;
    use crate::find::text::left::Markers;
    use std::borrow::Cow;

    #[test]
    fn the_page() {
        let wide = "x".repeat(70);
        for (text, expected) in [
            // the second longest line of the paragraph
            ("b\nc\nhttp\nraw\naaaa\nbbb".to_owned(), 3),
            // a paragraph of two lines: all lines are used
            (format!("{wide}\n{wide}\n\nb\nhttp\nraw\n\nb"), 70),
            // other quote depths, header lines and very long lines are never used
            (format!("> {wide}\nTo: {wide}\n{}\nb\nhttp\nraw\n", "y".repeat(101)), 1),
            ("http\nraw\n".to_owned(), 0),
            // a wide character has two columns
            ("\u{4e00}\u{4e01}\n\u{4e00}\nb\nhttp\nraw".to_owned(), 2),
        ] {
            let window = JoinWindow { text: text.as_bytes(), low: 0, cut: None, trace: None };
            let markers = Markers::default();
            let start = text.find("http").unwrap();
            let (line, next) = (start..start + 4, start + 5..start + 8);
            let url = Chain {
                start,
                head: Cow::Borrowed(b"http"),
                authority: 0,
                end: line.end,
                line,
                next,
                markers: &markers,
                opener: None,
                broken: None,
                breaks: 0,
                screen: OnScreen::default(),
            };
            let content = markers.content(text.as_bytes(), url.next.start, url.next.end);
            let sides = Sides { head: b"http", body: b"http", raw: b"raw", tok: b"raw", rest: b"", alone: true };
            let broken = Break::new(&window, &url, content, sides, false, Default::default());
            assert_eq!(broken.page_width(), expected, "{text}");
        }
    }
}
