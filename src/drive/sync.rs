//! Where a range may begin its search (P4).
//!
//! A range has no predecessor to stitch to, and which starts earlier matches hide can depend on a chain without end:
//! lines that each hold a URL and each join the next. So it begins at a *sync point*: an offset that no candidate's
//! span covers, candidates that others hide included. There every search, wherever it began, stands between matches.

use crate::drive::extractor::Extractor;
use crate::find::{LONGEST_SPAN, Search};

/// The last sync point at or before `at`, which depends on no byte before `bound`.
///
/// `bound` is the first offset from which spans are known: 0 where `text` begins with the input, else what the finder
/// looks back from the window's start. `None`: look further back.
///
/// Goes back block by block, so that the cost is that of the nearest sync point's distance.
pub(crate) fn sync_point(extractor: &Extractor, text: &[u8], at: usize, bound: usize) -> Option<usize> {
    let mut block = 2 * LONGEST_SPAN;
    loop {
        let from = at.saturating_sub(block).max(bound);
        let spans = Search::new(extractor.options(), from).spans(text, from..at);
        // No unknown span, one that begins before `from`, reaches further than this.
        let known = if from == 0 { 0 } else { from + LONGEST_SPAN };
        if let Some(point) = last_uncovered(&spans, at).filter(|&point| point >= known) {
            return Some(point);
        }
        if from == bound {
            return (bound == 0).then_some(0);
        }
        block *= 2;
    }
}

/// The last offset, at or before `at`, that no span covers. Spans are ordered by start.
fn last_uncovered(spans: &[std::ops::Range<usize>], at: usize) -> Option<usize> {
    // furthest[i]: how far the spans before the i-th reach.
    let mut reach = 0;
    let furthest: Vec<usize> = spans
        .iter()
        .map(|span| {
            let before = reach;
            reach = reach.max(span.end);
            before
        })
        .collect();
    if reach <= at {
        return Some(at);
    }
    // Only the start of a span can be the last offset that is not covered.
    (0..spans.len()).rev().find(|&i| furthest[i] <= spans[i].start && spans[i].start <= at).map(|i| spans[i].start)
}

#[cfg(test)]
mod tests {
    use super::last_uncovered;

    #[test]
    fn uncovered() {
        let at_7 = |spans: &[(usize, usize)]| {
            let spans: Vec<_> = spans.iter().map(|&(start, end)| start..end).collect();
            last_uncovered(&spans, 7)
        };
        assert_eq!(at_7(&[]), Some(7));
        assert_eq!(at_7(&[(1, 3)]), Some(7));
        assert_eq!(at_7(&[(1, 7)]), Some(7));
        assert_eq!(at_7(&[(1, 8)]), Some(1));
        assert_eq!(at_7(&[(1, 4), (4, 6), (5, 9)]), Some(4));
        assert_eq!(at_7(&[(0, 5), (4, 8), (6, 9)]), Some(0));
    }
}
