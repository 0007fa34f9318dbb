//! bjoin.md 1.5: is the broken line as long as lines get here?

use super::line::Window;
use crate::bytes::limits::{JOIN_LINES_AFTER, JOIN_LINES_BEFORE};
use std::ops::Range;

/// Widths around a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Widths {
    /// L: the broken line's.
    pub(super) line: usize,
    /// S: the second longest of its neighbours; so one outlier is forgiven.
    pub(super) second: usize,
}

/// Measures the line `broken` and its neighbours: 16 before, 8 after the `next` line, and that one unless the
/// token stands alone on it. Header lines (`Name: `) are left out, they are not wrapped.
pub(super) fn widths(window: &Window<'_>, broken: Range<usize>, next: Range<usize>, alone: bool) -> Widths {
    let (mut longest, mut second) = (0, 0);
    let mut count = |range: Range<usize>| {
        let width = window.width(range);
        if width > longest {
            (longest, second) = (width, longest);
        } else if width > second {
            second = width;
        }
    };
    let mut start = broken.start;
    for _ in 0..JOIN_LINES_BEFORE {
        if start <= window.low {
            break;
        }
        let mut end = start - 1;
        if end > window.low && &window.text[end - 1..=end] == b"\r\n" {
            end -= 1;
        }
        start = window.line_start(end);
        if !is_header(&window.text[start..end]) {
            count(start..end);
        }
    }
    let mut end = next.end;
    if !alone {
        count(next);
    }
    for _ in 0..JOIN_LINES_AFTER {
        if end >= window.high() {
            break;
        }
        let start = window.after_break(end);
        end = window.line_end(start);
        if !is_header(&window.text[start..end]) {
            count(start..end);
        }
    }
    Widths { line: window.width(broken), second }
}

impl Widths {
    /// The points of the table. `raw` is the length of the run on the next line, `asked` and `shape` are A
    /// and U, `boundary` says that no word goes over the break.
    pub(super) fn points(self, raw: usize, asked: i32, shape: i32, boundary: bool) -> i32 {
        let Widths { line, second } = self;
        if (60..=100).contains(&line) && line >= second || (980..=1000).contains(&line) {
            3 // as long as lines get here
        } else if line > 100 {
            -1
        } else if line + raw > second.clamp(55, 80) {
            // the token would not have fitted
            if boundary || line >= 60 && line + 3 >= second { 1 } else { -2 }
        } else if asked >= 3 {
            -1 // it would have: the author broke here
        } else if shape == 3 {
            -2
        } else {
            -3
        }
    }
}

/// `Name: `
fn is_header(line: &[u8]) -> bool {
    let length = line.iter().take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'-').count();
    line.first().is_some_and(u8::is_ascii_alphabetic) && matches!(line[length..], [b':', b' ' | b'\t', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(text: &str, alone: bool) -> (usize, usize) {
        let window = Window { text: text.as_bytes(), low: 0 };
        let broken = text.find("http").unwrap();
        let (start, end) = (window.line_start(broken), window.line_end(broken));
        let next = window.after_break(end);
        let widths = widths(&window, start..end, next..window.line_end(next), alone);
        (widths.line, widths.second)
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
    fn table() {
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
            let widths = Widths { line, second };
            assert_eq!(widths.points(raw, asked, shape, boundary), expected, "{line} {second} {raw}");
        }
    }
}
