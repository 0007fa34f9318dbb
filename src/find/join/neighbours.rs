//! The lines around a break, remembered from one break to the next: that of the next line has nearly the same ones.
//!
//! Lines are facts about the text (ST-2). Without this, a text whose lines each begin a URL measured 24 lines for each, and 24
//! for each break of a chain of sixteen.

use super::line::{JoinWindow, is_header, trim_end};
use crate::bytes::limits::{JOIN_LINES_AFTER, JOIN_LINES_BEFORE};
use std::ops::{ControlFlow, Range};

/// Lines that follow each other, as the last breaks had them around. A memo: what it says could be computed afresh at any
/// time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbours {
    lines: Vec<NearLine>,
    /// Where the line after the last of them begins.
    next: usize,
    bounds: Bounds,
}

/// What is known of all lines around a break without a look at each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    /// None of them counts with a greater width.
    pub(super) widest: usize,
    /// No more of them are [hyphenated](NearLine::is_hyphenated).
    pub(super) hyphenated: usize,
}

impl Bounds {
    fn take_in(&mut self, window: &JoinWindow<'_>, line: &NearLine) {
        self.widest = self.widest.max(line.counted_width);
        let below = line.below.and_then(|at| window.text.get(at));
        self.hyphenated += usize::from(line.ends_in_hyphen && below.is_none_or(u8::is_ascii_lowercase));
    }
}

/// A line without its break.
#[derive(Clone, Debug)]
pub(super) struct NearLine {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its width; 0 if it is a header line (`Name: `), which is not wrapped and does not count.
    pub(super) counted_width: usize,
    /// It ends in a lower-case letter and `-`.
    ends_in_hyphen: bool,
    /// Where after that the first byte stands that is no white space, if the window held it.
    below: Option<usize>,
}

impl Neighbours {
    /// A chain has about so many around its breaks.
    const MOST: usize = 64;
    /// So many bytes that no break had around it are not too many to look for lines in.
    const NEAR: usize = 512;

    /// Shows the lines before the one that starts at `start`, the nearest first, until `visit` breaks.
    pub(super) fn before(
        &mut self,
        window: &JoinWindow<'_>,
        start: usize,
        mut visit: impl FnMut(&NearLine) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if start <= window.low {
            return ControlFlow::Continue(()); // it may begin before the window
        }
        let mut index = self.seek(window, start);
        // Nearly always all are known, and in the window: without a look at each that is a fifth of the instructions.
        if let Some(first) = index.checked_sub(JOIN_LINES_BEFORE)
            && window.low <= self.lines[first].start
        {
            return self.lines[first..index].iter().rev().try_for_each(visit);
        }
        let mut after = start;
        for _ in 0..JOIN_LINES_BEFORE {
            if after <= window.low {
                break;
            }
            if index == 0 {
                let line = window.line_before(after);
                if line.start <= window.low && window.low > 0 {
                    return visit(&NearLine::new(window, line)); // this one, too
                }
                let line = NearLine::new(window, line);
                self.bounds.take_in(window, &line);
                self.lines.insert(0, line);
                index = 1;
            }
            index -= 1;
            let line = &self.lines[index];
            after = line.start;
            line.show(window, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Shows the lines after `line`, until `visit` breaks.
    pub(super) fn after(
        &mut self,
        window: &JoinWindow<'_>,
        line: &Range<usize>,
        mut visit: impl FnMut(&NearLine) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !is_whole(window, line) {
            return ControlFlow::Continue(());
        }
        let mut index = self.seek(window, line.start);
        if index == self.lines.len() {
            self.push(window, line.clone());
        }
        let known = self.lines.get(index + 1..=index + JOIN_LINES_AFTER);
        if let Some(known @ [.., last]) = known
            && is_whole(window, &last.range())
        {
            return known.iter().try_for_each(visit);
        }
        for _ in 0..JOIN_LINES_AFTER {
            index += 1;
            if index == self.lines.len() {
                if self.next >= window.high() {
                    break;
                }
                let line = self.next..window.line_end(self.next);
                if !is_whole(window, &line) {
                    return visit(&NearLine::new(window, line));
                }
                self.push(window, line);
            }
            self.lines[index].show(window, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    /// What bounds the lines that are shown before the one before `line`, and after `line`. `None` if they are not all known. To
    /// look at each takes 24 times as long, and where lines are narrow none of them decides.
    pub(super) fn bounds(&mut self, window: &JoinWindow<'_>, line: &Range<usize>) -> Option<Bounds> {
        let index = self.seek(window, line.start);
        let first = index.checked_sub(1 + JOIN_LINES_BEFORE)?;
        while self.lines.len() <= index + JOIN_LINES_AFTER {
            let below = Some(self.next).filter(|&next| next < window.high())?;
            let below = below..window.line_end(below);
            if !is_whole(window, &below) {
                return None;
            }
            self.push(window, below);
        }
        let is_in_window = |line: &NearLine| window.low <= line.start && is_whole(window, &line.range());
        (is_in_window(&self.lines[first]) && is_in_window(&self.lines[index + JOIN_LINES_AFTER])).then_some(self.bounds)
    }

    /// The index of the line that starts at `start`; of the one to come, if that is not known yet.
    fn seek(&mut self, window: &JoinWindow<'_>, start: usize) -> usize {
        if self.lines.len() > Self::MOST {
            // There may be hundreds, where lines are empty.
            self.lines.drain(..self.lines.len() - Self::MOST / 2);
            self.bounds = Bounds::default();
            self.lines.iter().for_each(|line| self.bounds.take_in(window, line));
        }
        // The next break is near the last one.
        if self.next < start && start <= self.next + Self::NEAR {
            while self.next < start {
                self.push(window, self.next..window.line_end(self.next));
            }
        }
        if start == self.next {
            return self.lines.len();
        }
        self.lines.binary_search_by_key(&start, |line| line.start).unwrap_or_else(|_| {
            self.lines.clear();
            (self.next, self.bounds) = (start, Bounds::default());
            0
        })
    }

    fn push(&mut self, window: &JoinWindow<'_>, line: Range<usize>) {
        self.next = window.after_break(line.end);
        let line = NearLine::new(window, line);
        self.bounds.take_in(window, &line);
        self.lines.push(line);
    }
}

/// Whether all of a line lies in the window. A CR at the window's end may be half a line break.
fn is_whole(window: &JoinWindow<'_>, line: &Range<usize>) -> bool {
    line.end + 1 < window.high()
}

/// Where from `at` on the first byte stands that is no white space.
fn first_after(window: &JoinWindow<'_>, at: usize) -> Option<usize> {
    Some(at + window.text.get(at..)?.iter().position(|byte| !byte.is_ascii_whitespace())?)
}

impl NearLine {
    fn new(window: &JoinWindow<'_>, line: Range<usize>) -> NearLine {
        let Range { start, end } = line;
        let counted_width = if is_header(&window.text[line.clone()]) { 0 } else { window.width(line) };
        let ends_in_hyphen =
            matches!(trim_end(&window.text[start..end]), [.., letter, b'-'] if letter.is_ascii_lowercase());
        let below = if ends_in_hyphen { first_after(window, end) } else { None };
        NearLine { start, end, counted_width, ends_in_hyphen, below }
    }

    /// Whether it ends in half a word that goes on below.
    pub(super) fn is_hyphenated(&self, window: &JoinWindow<'_>) -> bool {
        self.ends_in_hyphen
            && self
                .below
                .or_else(|| first_after(window, self.end))
                .and_then(|below| window.text.get(below))
                .is_some_and(u8::is_ascii_lowercase)
    }

    /// Shows what of the line lies in the window.
    #[inline]
    fn show(&self, window: &JoinWindow<'_>, visit: &mut impl FnMut(&NearLine) -> ControlFlow<()>) -> ControlFlow<()> {
        if window.low <= self.start && self.end < window.high() {
            return visit(self);
        }
        let clamp = |at: usize| at.clamp(window.low, window.high());
        visit(&NearLine::new(window, clamp(self.start)..clamp(self.end)))
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Between two breaks there may be hundreds of empty lines.
    #[test]
    fn no_more_is_remembered_than_was_near() {
        let text = b"\n".repeat(64 * Neighbours::NEAR);
        let window = JoinWindow { text: &text, low: 0, is_cut: false };
        let mut memo = Neighbours::default();
        for start in (0..text.len()).step_by(Neighbours::NEAR) {
            memo.seek(&window, start);
            assert!(memo.lines.len() <= Neighbours::MOST / 2 + Neighbours::NEAR, "{start}");
        }
    }

    /// What is remembered changes no answer, wherever the windows lie that were asked about before.
    #[test]
    fn memory() {
        let text = b"ab\r\nc: d\n\r\tefg\n\n\nhij klm\r\r\nn\no\np\nqr: s\nt\nu\nv\r\nw\nx\ny\nz".repeat(3);
        let starts: Vec<usize> = (1..text.len())
            .filter(|&at| matches!(text[at - 1], b'\r' | b'\n') && !text[at - 1..].starts_with(b"\r\n"))
            .collect();
        let (mut onwards, mut anywhere) = (Neighbours::default(), Neighbours::default());
        for size in [1, 4, 9, 30] {
            for index in 0..starts.len() {
                for (memo, start) in
                    [(&mut onwards, starts[index]), (&mut anywhere, starts[index * 7919 % starts.len()])]
                {
                    let high = text.len().min(start + size);
                    let window = JoinWindow { text: &text[..high], low: start.saturating_sub(size), is_cut: false };
                    let shown = |memo: &mut Neighbours| {
                        let mut shown = Vec::new();
                        let mut note = |line: &NearLine| {
                            shown.push((line.range(), line.counted_width));
                            ControlFlow::Continue(())
                        };
                        let _ = memo.before(&window, start, &mut note);
                        let _ = memo.after(&window, &(start..window.line_end(start)), &mut note);
                        shown.retain(|(line, _)| !line.is_empty());
                        shown
                    };
                    let lines = window.lines_before(start).chain(window.lines_after(window.line_end(start)));
                    let expected: Vec<_> = lines
                        .filter(|line| !line.is_empty())
                        .map(|line| (line.clone(), NearLine::new(&window, line).counted_width))
                        .collect();
                    assert_eq!(shown(memo), expected, "{start} {size}");
                }
            }
        }
    }

    /// What bounds the lines around a break bounds each that is shown, in whatever windows the memo learnt of them.
    #[test]
    fn bounds_hold_for_all_that_is_shown() {
        const LINES: [&str; 7] = ["", "ab-", "\tab-", "Ab c-  ", "x: y", "a longer line of text", "-"];
        let mut random = fastrand::Rng::with_seed(24);
        let (mut known, mut hyphenated) = (0, 0);
        for _ in 0..200 {
            let text: String =
                (0..80).flat_map(|_| [LINES[random.usize(..LINES.len())], ["\n", "\r\n"][random.usize(..2)]]).collect();
            let text = text.as_bytes();
            let starts: Vec<usize> = (1..text.len()).filter(|&at| text[at - 1] == b'\n').collect();
            let mut memo = Neighbours::default();
            for _ in 0..200 {
                let at = random.usize(..starts.len() - 1);
                let (line, next) = (starts[at], starts[at + 1]);
                let reach = 1 + random.usize(..400);
                let high = text.len().min(next + reach);
                let window = JoinWindow { text: &text[..high], low: line.saturating_sub(reach), is_cut: false };
                let next = next..window.line_end(next);
                let Some(bounds) = memo.bounds(&window, &next) else { continue };
                let mut fresh = Neighbours::default();
                let mut count = 0;
                let mut note = |line: &NearLine| {
                    assert!(line.counted_width <= bounds.widest);
                    count += usize::from(line.is_hyphenated(&window));
                    ControlFlow::Continue(())
                };
                let _ = fresh.before(&window, line, &mut note);
                let _ = fresh.after(&window, &next, &mut note);
                assert!(count <= bounds.hyphenated, "{count} {bounds:?}");
                known += 1;
                hyphenated += usize::from(count > 1);
            }
        }
        assert!(known > 1_000 && hyphenated > 500, "{known} {hyphenated}");
    }
}
