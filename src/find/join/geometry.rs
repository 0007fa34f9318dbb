//! B-JOIN-G: is the broken line as long as lines get here?

use super::line::{JoinWindow, is_header, trim_end};
use super::table::first_row;
use std::ops::Range;

/// The break and the token that is weighed there.
pub(super) struct Break {
    /// The broken line.
    pub(super) line: Range<usize>,
    /// L, its width.
    pub(super) width: usize,
    /// The line after it.
    pub(super) next: Range<usize>,
    /// The token stands alone on that one.
    pub(super) alone: bool,
    /// Length of the run on the next line.
    pub(super) raw: usize,
    /// A and U.
    pub(super) asked: i32,
    pub(super) looks: i32,
    /// No word goes over the break.
    pub(super) boundary: bool,
}

/// The least that the geometry adds to a score.
pub(super) const LEAST: i32 = -3;
/// The most that it adds.
pub(super) const MOST: i32 = 3;
/// No page is taken to be narrower.
pub(super) const NARROWEST: usize = 55;
/// The widest page, by its neighbours.
const WIDEST: usize = 80;

impl Break {
    /// Returns the points of the table. S is the second longest width of the neighbours, so that one outlier is forgiven.
    /// Lines are read as far as they may make a difference: `are_alike` says of two numbers of points that they make none.
    pub(super) fn points(&self, window: &JoinWindow<'_>, are_alike: impl Fn(i32, i32) -> bool) -> i32 {
        let enough = self.enough();
        if enough == 0 {
            return self.points_among(0); // and no line is read
        }
        let mut widest = (0, 0);
        let add = |(longest, second): &mut (usize, usize), width: usize| {
            (*longest, *second) = ((*longest).max(width), (*second).max((*longest).min(width)));
            *second < enough
        };
        let counted = |line: Range<usize>| {
            // A header line (`Name: `) is not wrapped.
            if is_header(&window.text[line.clone()]) { 0 } else { window.width(line) }
        };
        let next = if self.alone { 0 } else { window.width(self.next.clone()) };
        let reads_on =
            add(&mut widest, next) && window.lines_before(self.line.start).all(|line| add(&mut widest, counted(line)));
        // More lines only make S longer.
        let points = self.points_among(widest.1);
        if reads_on && !(widest.1..=enough).all(|longer| are_alike(points, self.points_among(longer))) {
            let _ = window.lines_after(self.next.end).all(|line| add(&mut widest, counted(line)));
        }
        self.points_among(widest.1)
    }

    /// Beyond this, S moves nothing.
    fn enough(&self) -> usize {
        let width = self.width;
        let whole = width + self.raw;
        // No neighbour moves these two limits, and beyond `enough` none moves anything: on a page of prose three
        // lines are read, not 24, and among short lines and very long ones none.
        if self.may_be_full() {
            (width + 4).max(whole.min(WIDEST))
        } else if width < 60 && (NARROWEST + 1..=WIDEST).contains(&whole) {
            whole
        } else {
            0
        }
    }

    fn may_be_full(&self) -> bool {
        (60..=100).contains(&self.width)
    }

    /// Returns the points with this S.
    fn points_among(&self, second: usize) -> i32 {
        let (width, whole, may_be_full) = (self.width, self.width + self.raw, self.may_be_full());
        first_row! {
            "B-JOIN-G-FULL": (980..=1000).contains(&width) || may_be_full && width >= second => 3;
            "B-JOIN-G-LONG": width > 100 => -1;
            "B-JOIN-G-NO-ROOM": whole > second.clamp(NARROWEST, WIDEST) => 1, if self.boundary || may_be_full && width + 3 >= second, else -2;
            "B-JOIN-G-ROOM": self.asked >= 3 => -1;
            else "B-JOIN-G-ROOM" => -2, if self.looks == 3, else -3;
        }
    }
}

/// Returns whether two neighbours end in a hyphenated word, so that a hyphen at the end of the broken line may be the
/// typesetter's too. `line` is the broken one, `next` the one after it.
pub(super) fn is_typeset(window: &JoinWindow<'_>, line: &Range<usize>, next: &Range<usize>) -> bool {
    let is_hyphenated = |line: &Range<usize>| {
        let below = || {
            let below = window.text[line.end..].iter().find(|byte| !byte.is_ascii_whitespace());
            if below.is_none() {
                window.touch();
            }
            below
        };
        matches!(trim_end(&window.text[line.clone()]), [.., letter, b'-'] if letter.is_ascii_lowercase())
            && below().is_some_and(u8::is_ascii_lowercase)
    };
    let neighbours = window.lines_before(line.start).chain(window.lines_after(next.end));
    neighbours.filter(is_hyphenated).nth(1).is_some()
}

/// Returns whether the lines with `*` that end with the broken one are items of a list, and not a comment: the first of them,
/// if it is among the neighbours, begins without `/*`. `line` is the broken line.
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
pub(super) mod tests {
    use super::*;

    /// Returns the break after the first URL of `text`, with nothing to say about its token.
    fn first_break<'t>(text: &'t str, alone: bool) -> (JoinWindow<'t>, Break) {
        let window = JoinWindow { text: text.as_bytes(), low: 0, cut: None };
        let broken = text.find("http").unwrap();
        let line = window.line_start(broken)..window.line_end(broken);
        let next = window.after_break(line.end);
        let next = next..window.line_end(next);
        let width = window.width(line.clone());
        (window, Break { line, width, next, alone, raw: 0, asked: 0, looks: 0, boundary: false })
    }

    #[test]
    pub(in crate::find::join) fn table() {
        for (line, second, raw, asked, shape, boundary, expected) in [
            (72, 72, 9, 0, 0, false, 3),
            (72, 73, 9, 0, 0, false, 1),
            (72, 76, 9, 0, 0, false, -2),
            (72, 76, 9, 0, 0, true, 1),
            (990, 70, 9, 0, 0, false, 3),
            (120, 70, 9, 0, 0, false, -1),
            (50, 30, 9, 0, 0, true, 1),
            (50, 30, 9, 0, 0, false, -2),
            (50, 70, 9, 3, 0, false, -1),
            (50, 70, 9, 0, 3, false, -2),
            (50, 70, 9, 0, 2, false, -3),
            (50, 200, 31, 0, 2, true, 1),
        ] {
            // two neighbours of that width, before or after; more cannot matter
            let (broken, neighbour) = (format!("http{}", "x".repeat(line - 4)), "x".repeat(second));
            for text in [
                format!("{neighbour}\n{neighbour}\n{broken}\n\n"),
                format!("{broken}\n\n{neighbour}\n{neighbour}\n"),
                format!("{neighbour}\n{broken}\n\n\nxxx\n{neighbour}\n"),
            ] {
                let (window, here) = first_break(&text, true);
                let here = Break { raw, asked, looks: shape, boundary, ..here };
                assert_eq!(here.points(&window, |one, other| one == other), expected, "{line} {second} {raw}");
            }
        }
    }
}
