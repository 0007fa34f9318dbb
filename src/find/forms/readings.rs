//! The readings of a text with doubtful hyphens (W-HYPH-2, W-HYPH-3).

use std::borrow::Cow;
use std::ops::Range;

use crate::Level;
use crate::find::forms::judge::{Judge, Rank};
use crate::find::options::HyphenOrder;
use crate::url::Verdict;

/// A text joined from lines, some of which ended in a hyphen. Each hyphen belongs to the URL or to
/// the line break.
pub(crate) struct Hyphenated<'b> {
    text: &'b [u8],
    /// The places of the doubtful hyphens in the text.
    hyphens: Vec<usize>,
}

/// The doubtful hyphens that a reading drops, one bit per hyphen. The last hyphen has the lowest
/// bit.
pub(crate) type Pattern = u32;

/// The maximum number of hyphens that are dropped independently. More hyphens give two readings,
/// not 2^n (W-HYPH-2).
const MOST: usize = 3;
/// Every pattern, in the order of the keys (4) and (5) of W-HYPH-3.
const PATTERNS: [Pattern; 1 << MOST] = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111];

impl<'b> Hyphenated<'b> {
    pub(crate) fn new(text: &'b [u8], hyphens: Vec<usize>) -> Hyphenated<'b> {
        Hyphenated { text, hyphens }
    }

    /// Returns the patterns of the readings, each with its verdict. Their order is that of
    /// W-HYPH-3: the result, then its alternatives.
    pub(crate) fn patterns(&self, judge: &Judge) -> Vec<(Pattern, Option<Verdict>)> {
        if self.hyphens.is_empty() {
            return vec![(0, None)];
        }
        let mut ranked: Vec<_> = self
            .candidates(judge.options.hyphen)
            .map(|pattern| {
                let url = self.reading(pattern);
                let verdict = judge.verdict(&url);
                (Rank::new(&url, verdict.level), pattern, verdict, url)
            })
            .collect();
        ranked.sort_by_key(|&(rank, ..)| rank);
        let best = ranked[0].0.level;
        if best == Level::None {
            return vec![(0, None)];
        }
        let mut known: Vec<Cow<'_, [u8]>> = Vec::with_capacity(ranked.len());
        let mut patterns = Vec::with_capacity(ranked.len());
        for (rank, pattern, verdict, url) in ranked {
            let counts = known.is_empty() || rank.level == best && !rank.odd_host;
            // Dropping either of two adjacent hyphens gives the same URL.
            if counts && !known.contains(&url) {
                patterns.push((pattern, Some(verdict)));
                known.push(url);
            }
        }
        patterns
    }

    /// Returns the first of [`patterns`](Self::patterns). Making all patterns would cost 4% of the
    /// instructions on text with many wrappers (November 2026).
    pub(crate) fn first(&self, judge: &Judge) -> (Pattern, Option<Verdict>) {
        if self.hyphens.is_empty() {
            return (0, None);
        }
        let mut best: Option<(Rank, Pattern, Verdict)> = None;
        for pattern in self.candidates(judge.options.hyphen) {
            let url = self.reading(pattern);
            let verdict = judge.verdict(&url);
            let rank = Rank::new(&url, verdict.level);
            if best.as_ref().is_none_or(|&(best, ..)| rank < best) {
                best = Some((rank, pattern, verdict));
            }
            if rank == Rank::BEST {
                break;
            }
        }
        match best {
            Some((rank, pattern, verdict)) if rank.level != Level::None => (pattern, Some(verdict)),
            _ => (0, None),
        }
    }

    /// Returns the bytes of a reading.
    pub(crate) fn reading(&self, pattern: Pattern) -> Cow<'b, [u8]> {
        if pattern == 0 {
            return Cow::Borrowed(self.text);
        }
        let mut url = Vec::with_capacity(self.text.len());
        self.kept(pattern).for_each(|range| url.extend_from_slice(&self.text[range]));
        Cow::Owned(url)
    }

    /// Returns the ranges of the text that a reading keeps.
    pub(crate) fn kept(&self, pattern: Pattern) -> impl Iterator<Item = Range<usize>> {
        let hyphens = self.hyphens.iter().enumerate();
        let dropped = hyphens.filter(move |&(index, _)| self.drops(pattern, index)).map(|(_, &at)| at);
        let mut from = 0;
        dropped.map(|at| (at, at + 1)).chain([(self.text.len(), 0)]).map(move |(end, next)| {
            let kept = from..end;
            from = next;
            kept
        })
    }

    /// Returns the patterns of all readings, in the order of the keys (4) and (5) of W-HYPH-3.
    /// [`HyphenOrder::Drop`] reverses this order.
    fn candidates(&self, order: HyphenOrder) -> impl Iterator<Item = Pattern> + use<> {
        let count = if self.are_apart() { 1 << self.hyphens.len() } else { 2 };
        let at = move |at: usize| match order {
            HyphenOrder::Keep => PATTERNS[at],
            HyphenOrder::Drop => PATTERNS[PATTERNS.len() - 1 - at],
        };
        (0..PATTERNS.len()).map(at).filter(move |&pattern| pattern < count)
    }

    /// Returns whether a reading drops this hyphen. Hyphens are dropped independently, or all
    /// together if there are too many.
    fn drops(&self, pattern: Pattern, hyphen: usize) -> bool {
        if self.are_apart() { pattern >> (self.hyphens.len() - 1 - hyphen) & 1 == 1 } else { pattern == 1 }
    }

    fn are_apart(&self) -> bool {
        self.hyphens.len() <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::options::Options;
    use crate::turns::turns;

    #[test]
    fn the_first_reading_is_the_first_of_all() {
        const PARTS: [&str; 40] = [
            "mail",
            "n",
            "http://h/",
            "http:",
            "ftp://u:p@h/a;type=",
            "gopher://h/",
            "mailto:a@h",
            "news:",
            "wais://h/d",
            "x://",
            "svn+ssh://é/",
            "https://",
            "ht",
            "1http://h/",
            "http://[::1]/",
            "",
            "to:",
            "ews:",
            "a",
            "[",
            "]",
            "a.b",
            ".",
            "1",
            "/",
            "//",
            "?",
            "#",
            "%",
            "%4",
            "4",
            "~",
            "é",
            ";type",
            "=a",
            "@",
            ":",
            "tp://",
            "-",
            "i",
        ];
        let mut random = fastrand::Rng::with_seed(15);
        let mut dropped = 0;
        for _ in 0..turns(100_000) {
            let (mut text, mut hyphens) = (String::new(), Vec::new());
            for part in 0..1 + random.usize(..5) {
                if part > 0 {
                    text.push('-');
                    hyphens.push(text.len() - 1);
                }
                (0..random.usize(..4)).for_each(|_| text.push_str(PARTS[random.usize(..PARTS.len())]));
            }
            let hyphen = if random.bool() { HyphenOrder::Keep } else { HyphenOrder::Drop };
            let judge = Judge { options: Options { hyphen, ..Options::default() } };
            let hyphenated = Hyphenated::new(text.as_bytes(), hyphens);
            let (first, all) = (hyphenated.first(&judge), hyphenated.patterns(&judge));
            assert_eq!(hyphenated.reading(first.0), hyphenated.reading(all[0].0), "{text}");
            dropped += usize::from(first.0 != 0);
        }
        assert!(dropped > turns(100_000) / 20, "{dropped}");
    }
}
