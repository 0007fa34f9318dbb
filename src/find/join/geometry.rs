//! B-JOIN-G: is the broken line as long as lines get here?

use super::line::{JoinWindow, is_header};
use super::neighbours::{NearLine, Neighbours};
use super::table::first_row;
use std::ops::{ControlFlow, Range};

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

/// What the geometry adds to a score at the least.
pub(super) const LEAST: i32 = -3;
/// What it adds at the most.
pub(super) const MOST: i32 = 3;
/// No page is taken to be narrower.
pub(super) const NARROWEST: usize = 55;
/// Nor wider, by its neighbours.
const WIDEST: usize = 80;

impl Break {
    /// The points of the table. S is the second longest width of the neighbours, so that one outlier is forgiven.
    pub(super) fn points(&self, window: &JoinWindow<'_>, neighbours: &mut Neighbours) -> i32 {
        // With a longer S there are never more, nor more and then less again.
        if self.enough() > 0
            && let Some(bounds) = neighbours.bounds(window, &self.next)
            && let widest = bounds.widest.max(self.header_width(window))
            && let points = self.points_among(0)
            && points == self.points_among(widest)
        {
            return points;
        }
        self.points_among(self.second_longest(window, neighbours, self.enough(), |_| true))
    }

    /// The width of the next line if it counts, and is a header: among the neighbours it does not count then.
    fn header_width(&self, window: &JoinWindow<'_>) -> usize {
        let counts = !self.alone && is_header(&window.text[self.next.clone()]);
        if counts { window.width(self.next.clone()) } else { 0 }
    }

    /// The points that it may have when the lines are there that the text at hand lacks; none where it lacks none. More lines
    /// only make S longer.
    pub(super) fn points_to_come(
        &self,
        window: &JoinWindow<'_>,
        neighbours: &mut Neighbours,
    ) -> impl Iterator<Item = i32> {
        let lacks_lines = window.lacks_lines(self.next.end);
        let least = if lacks_lines {
            self.second_longest(window, neighbours, self.enough(), |line| !window.ends_at(line.end))
        } else {
            usize::MAX
        };
        (least..=self.enough().max(if lacks_lines { least } else { 0 })).map(|second| self.points_among(second))
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

    /// The points with this S.
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

    /// The second longest of the neighbours: 16 lines before, 8 after the next line of those that count, and that one unless
    /// the token stands alone on it. Header lines (`Name: `) are left out, they are not wrapped. What is `enough` or more may
    /// be any such number.
    fn second_longest(
        &self,
        window: &JoinWindow<'_>,
        neighbours: &mut Neighbours,
        enough: usize,
        counts: impl Fn(&NearLine) -> bool,
    ) -> usize {
        if enough == 0 {
            return 0; // and no line is looked for
        }
        let (mut longest, mut second) = (0, 0);
        let mut take_in = |width: usize| {
            (longest, second) = (longest.max(width), second.max(longest.min(width)));
            if second < enough { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let _ = (|| {
            if !self.alone {
                take_in(window.width(self.next.clone()))?;
            }
            neighbours.before(window, self.line.start, |line| take_in(line.counted_width))?;
            neighbours.after(window, &self.next, |line| match counts(line) {
                true => take_in(line.counted_width),
                false => ControlFlow::Continue(()),
            })
        })();
        second
    }
}

/// Whether two neighbours end in a hyphenated word, so that a hyphen at the end of the broken line may be the typesetter's
/// too. `line` is the broken one, `next` the one after it.
pub(super) fn is_typeset(
    window: &JoinWindow<'_>,
    neighbours: &mut Neighbours,
    line: &Range<usize>,
    next: &Range<usize>,
) -> bool {
    if neighbours.bounds(window, next).is_some_and(|bounds| bounds.hyphenated < 2) {
        return false;
    }
    let mut hyphenated = 0;
    let mut take_in = |line: &NearLine| {
        hyphenated += usize::from(line.is_hyphenated(window));
        if hyphenated < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    neighbours.before(window, line.start, &mut take_in).is_break()
        || neighbours.after(window, next, &mut take_in).is_break()
}

/// Whether the lines with `*` that end with the broken one are items of a list, and not a comment: the first of them, if
/// it is among the neighbours, begins without `/*`. `line` is the broken line.
pub(super) fn is_in_starred_list(window: &JoinWindow<'_>, neighbours: &mut Neighbours, line: &Range<usize>) -> bool {
    let content = |line: Range<usize>| {
        let is_mark = |byte: &u8| matches!(byte, b'>' | b' ' | b'\t');
        let bytes = &window.text[line];
        &bytes[bytes.iter().take_while(|&byte| is_mark(byte)).count()..]
    };
    let mut is_list = false;
    if content(line.clone()).starts_with(b"*") {
        let _ = neighbours.before(window, line.start, |before| match content(before.range()) {
            [b'*', ..] => ControlFlow::Continue(()),
            other => {
                is_list = !other.starts_with(b"/*");
                ControlFlow::Break(())
            }
        });
    }
    is_list
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The break after the first URL of `text`, with nothing to say about its token.
    fn first_break<'t>(text: &'t str, alone: bool) -> (JoinWindow<'t>, Break) {
        let window = JoinWindow { text: text.as_bytes(), low: 0, is_cut: false };
        let broken = text.find("http").unwrap();
        let line = window.line_start(broken)..window.line_end(broken);
        let next = window.after_break(line.end);
        let next = next..window.line_end(next);
        let width = window.width(line.clone());
        (window, Break { line, width, next, alone, raw: 0, asked: 0, looks: 0, boundary: false })
    }

    fn measure(text: &str, alone: bool) -> (usize, usize) {
        let (window, here) = first_break(text, alone);
        (here.width, here.second_longest(&window, &mut Neighbours::default(), usize::MAX, |_| true))
    }

    #[test]
    fn measures_neighbours() {
        assert_eq!(measure("12345\n1234567\nhttp  \n123456\n1\n", false), (4, 6));
        assert_eq!(measure("12345\n1234567\nhttp  \n123456\n1\n", true), (4, 5));
        assert_eq!(measure("12345\r\n1234567\r\nhttp\r\n123456\r\n", true), (4, 5));
        assert_eq!(measure("http\n1", true), (4, 0));
        // headers do not count; 16 lines before and 8 after do
        assert_eq!(measure("Subject: x\nX-Foo: y\n12\n1\nhttp\nb", false), (4, 1));
        let far = format!("12345\n1234\n{}http\nb\n{}123\n12", "1\n".repeat(15), "1\n".repeat(7));
        assert_eq!(measure(&far, false), (4, 3));
        let farther = format!("12345\n1234\n{}http\nb\n{}123\n12", "1\n".repeat(16), "1\n".repeat(8));
        assert_eq!(measure(&farther, false), (4, 1));
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
                assert_eq!(here.points(&window, &mut Neighbours::default()), expected, "{line} {second} {raw}");
            }
        }
    }
}
