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

/// A pattern with its place in the order of W-HYPH-3.
#[derive(Clone, Copy)]
struct Ranked {
    /// Keys (1)-(3).
    rank: Rank,
    /// Keys (4) and (5).
    order: usize,
    pattern: Pattern,
    verdict: Verdict,
}

impl<'b> Hyphenated<'b> {
    pub(crate) fn new(text: &'b [u8], hyphens: Vec<usize>) -> Hyphenated<'b> {
        Hyphenated { text, hyphens }
    }

    /// Yields what `make` returns for the pattern of each reading and its verdict. Their order is
    /// that of W-HYPH-3: the result, then its alternatives. Each is looked for when it is wanted,
    /// because few searches want more than the first.
    pub(crate) fn into_readings<T>(
        self,
        judge: &Judge,
        make: impl Fn(&Hyphenated<'b>, Pattern, Option<Verdict>) -> T,
    ) -> impl Iterator<Item = T> {
        let first = self.best_after(None, judge).filter(|first| first.rank.level != Level::None);
        let head = match first {
            Some(Ranked { pattern, verdict, .. }) => make(&self, pattern, Some(verdict)),
            None => make(&self, 0, None),
        };
        let (mut last, mut known) = (first, Vec::new());
        let later = std::iter::from_fn(move || {
            loop {
                let Ranked { rank: Rank { level, .. }, pattern, .. } = last?;
                known.push(self.reading(pattern));
                last = self.best_after(last, judge).filter(|next| next.rank.level == level);
                let Ranked { rank, pattern, verdict, .. } = last?;
                // Dropping either of two adjacent hyphens gives the same URL.
                if !rank.odd_host && !known.contains(&self.reading(pattern)) {
                    return Some(make(&self, pattern, Some(verdict)));
                }
            }
        });
        std::iter::once(head).chain(later)
    }

    /// Returns the best pattern that comes after `last`.
    fn best_after(&self, last: Option<Ranked>, judge: &Judge) -> Option<Ranked> {
        if self.hyphens.is_empty() {
            return None;
        }
        let key = |ranked: &Ranked| (ranked.rank, ranked.order);
        let mut best: Option<Ranked> = None;
        for (order, pattern) in self.candidates(judge.options.hyphen).enumerate() {
            let url = self.reading(pattern);
            let verdict = judge.verdict(&url);
            let ranked = Ranked { rank: Rank::new(&url, verdict.level), order, pattern, verdict };
            let is_later = last.is_none_or(|last| key(&ranked) > key(&last));
            if is_later && best.is_none_or(|best| ranked.rank < best.rank) {
                best = Some(ranked);
            }
            if is_later && ranked.rank == Rank::BEST {
                break;
            }
        }
        best
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

    /// Returns the readings as W-HYPH-3 states them.
    fn sorted(hyphenated: &Hyphenated<'_>, judge: &Judge) -> Vec<Vec<u8>> {
        let ranked = |pattern| {
            let url = hyphenated.reading(pattern).into_owned();
            (Rank::new(&url, judge.verdict(&url).level), url)
        };
        let mut ranked: Vec<_> = hyphenated.candidates(judge.options.hyphen).map(ranked).collect();
        ranked.sort_by_key(|&(rank, _)| rank);
        let best = ranked[0].0.level;
        if hyphenated.hyphens.is_empty() || best == Level::None {
            return vec![hyphenated.text.to_vec()];
        }
        let mut readings: Vec<Vec<u8>> = Vec::new();
        for (rank, url) in ranked {
            let counts = readings.is_empty() || rank.level == best && !rank.odd_host;
            if counts && !readings.contains(&url) {
                readings.push(url);
            }
        }
        readings
    }

    #[test]
    fn readings_are_in_the_order_of_their_ranks() {
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
            let expected = sorted(&hyphenated, &judge);
            let readings =
                hyphenated.into_readings(&judge, |text, pattern, _| (text.reading(pattern).into_owned(), pattern));
            let (readings, patterns): (Vec<_>, Vec<_>) = readings.unzip();
            assert_eq!(readings, expected, "{text}");
            dropped += usize::from(patterns[0] != 0);
        }
        assert!(dropped > turns(100_000) / 20, "{dropped}");
    }
}
