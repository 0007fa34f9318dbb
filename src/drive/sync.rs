//! Sync points, at which a range may begin its search (P4).
//!
//! A search that begins in the middle of an input has not seen the earlier matches. Those matches
//! decide which candidates are hidden, perhaps through a chain of lines that each join the next. So
//! the search of a range begins at a *sync point*. This is an offset that no candidate's span
//! covers, not even the span of a hidden candidate. At a sync point, every search is between two
//! matches, wherever it began.

use crate::drive::extractor::Extractor;
use crate::find::{LONGEST_SPAN, Search};

/// Longer chains of candidates are only written on purpose. So the search for a sync point ends
/// once it has gone back this far. Then a range is searched from the start of the input, which
/// costs time but no memory.
pub(crate) const FURTHEST: usize = 2 << 20;

/// Returns the last sync point at or before `at`. Only spans that begin at or after `bound` are
/// computed.
///
/// `bound` is 0 if `text` begins with the input. Otherwise it is the finder's look-back: a span may
/// depend on that much text before it. Returns `None` if the search must go further back. The start
/// of the input is a sync point for every place.
///
/// Goes back in blocks that double in size, so the cost is proportional to the distance of the sync
/// point.
pub(crate) fn sync_point(extractor: &Extractor, text: &[u8], at: usize, bound: usize) -> Option<usize> {
    let mut block = 2 * LONGEST_SPAN;
    loop {
        let from = at.saturating_sub(block).max(bound);
        let spans = Search::new(extractor.options(), from).spans(text, from..at);
        // The unknown spans begin before `from`. None of them ends after `known`.
        let known = if from == 0 { 0 } else { from + LONGEST_SPAN };
        if let Some(point) = last_uncovered(&spans, at).filter(|&point| point >= known) {
            return Some(point);
        }
        if from == bound || block > FURTHEST {
            return (bound == 0).then_some(0);
        }
        block *= 2;
    }
}

/// Returns the last offset, at or before `at`, that no span covers. Spans are ordered by start. A
/// span covers neither its own start nor its end.
fn last_uncovered(spans: &[std::ops::Range<usize>], at: usize) -> Option<usize> {
    // The end of the spans so far, and the last start that no earlier span covers.
    let (mut reach, mut last) = (0, None);
    for span in spans.iter().take_while(|span| span.start < at) {
        if reach <= span.start {
            last = Some(span.start);
        }
        reach = reach.max(span.end);
    }
    if reach <= at { Some(at) } else { last }
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
        assert_eq!(at_7(&[(7, 9)]), Some(7));
        assert_eq!(at_7(&[(8, 9)]), Some(7));
        assert_eq!(at_7(&[(1, 5), (8, 9)]), Some(7));
        assert_eq!(at_7(&[(2, 8), (8, 9)]), Some(2));
        assert_eq!(at_7(&[(1, 4), (4, 6), (5, 9)]), Some(4));
        assert_eq!(at_7(&[(0, 5), (4, 8), (6, 9)]), Some(0));
    }
}
