//! The card (B-JOIN-CARD): the fitted weights of the facts about two lines, and the thresholds of
//! their sum.
//!
//! `tests/oracle/fit_joins.py` prints the tables. No weight is set by hand. A new case is added as
//! a new labelled place.

use super::facts::{Fact, Facts};

/// One table of weights, in thirds of a nat. The sum begins with `base`, and each row that applies
/// adds its weight.
pub(super) struct Card {
    base: i32,
    rows: &'static [(i32, Fact)],
}

/// The table of a break between two letters or digits.
pub(super) const CUT: Card = Card {
    base: -2,
    rows: &[
        (6, Fact::Alone),
        (6, Fact::Column),
        (6, Fact::Path),
        (4, Fact::Bracket),
        (4, Fact::Digits),
        (4, Fact::Full),
        (4, Fact::Inside),
        (3, Fact::File),
        (2, Fact::Half),
        (-3, Fact::Fits),
        (-3, Fact::Text),
        (-4, Fact::Number),
        (-4, Fact::Record),
        (-4, Fact::Word),
        (-5, Fact::Done),
        (-6, Fact::Common),
        (-6, Fact::Plain),
        (-13, Fact::Value),
    ],
};

/// The table of any other break.
pub(super) const MARK: Card = Card {
    base: -2,
    rows: &[
        (8, Fact::Open),
        (7, Fact::Closed),
        (6, Fact::Alone),
        (4, Fact::Column),
        (4, Fact::Long),
        (4, Fact::Sure),
        (3, Fact::Bracket),
        (3, Fact::File),
        (3, Fact::Overflow),
        (2, Fact::Some),
        (-1, Fact::Text),
        (-3, Fact::Room),
        (-3, Fact::Ruled),
        (-4, Fact::Shallower),
        (-5, Fact::Record),
        (-5, Fact::Table),
        (-6, Fact::Common),
        (-6, Fact::Other),
        (-8, Fact::Plain),
        (-9, Fact::Point),
        (-12, Fact::Done),
    ],
};

/// The table of a break after a line that a program filled (B-JOIN-FILLED).
pub(super) const FILLED: Card = Card {
    base: 12,
    rows: &[
        (5, Fact::Alone),
        (5, Fact::Open),
        (3, Fact::Bracket),
        (3, Fact::Stub),
        (2, Fact::Sure),
        (-3, Fact::Common),
        (-6, Fact::Point),
        (-6, Fact::Word),
        (-7, Fact::Done),
        (-8, Fact::Other),
        (-8, Fact::Plain),
        (-10, Fact::Table),
    ],
};

/// The least sum of a strong join. [`FAIR`] is the least sum of a fair join.
pub(super) const STRONG: i32 = 5;
pub(super) const FAIR: i32 = 2;
/// B-JOIN-CHAIN: the least sum of a later break.
pub(super) const CHAIN: i32 = -4;
/// B-JOIN-CHAIN: the weight that a later break gains if raw is alone and both broken lines are
/// equally wide (±1).
pub(super) const AGAIN: i32 = 3;
pub(super) const AGAIN_RULE: &str = "B-JOIN-CHAIN";
/// B-JOIN-CHAIN: a chain that stops at this sum or a greater one may be half a URL.
pub(super) const HALF: i32 = -7;

impl Card {
    /// Returns the sum of the rows that apply.
    pub(super) const fn sum(&self, facts: Facts) -> i32 {
        let (mut sum, mut i) = (self.base, 0);
        while i < self.rows.len() {
            let (weight, fact) = self.rows[i];
            if facts.has(fact) {
                sum += weight;
            }
            i += 1;
        }
        sum
    }

    /// Returns the base and the weights of the rows that apply, with their ids.
    pub(super) fn weights(&self, facts: Facts) -> impl Iterator<Item = (&'static str, i32)> {
        let rows = self.rows.iter().filter(move |(_, fact)| facts.has(*fact));
        [("B-JOIN-CARD", self.base)].into_iter().chain(rows.map(|&(weight, fact)| (fact.id(), weight)))
    }

    /// Returns the facts of the card's rows.
    #[cfg(test)]
    pub(super) fn facts(&self) -> impl Iterator<Item = Fact> {
        self.rows.iter().map(|&(_, fact)| fact)
    }

    /// Returns the least and the greatest weight that the `open` facts may add together.
    pub(super) fn spread(&self, open: Facts) -> (i32, i32) {
        self.rows
            .iter()
            .filter(|(_, fact)| open.has(*fact))
            .fold((0, 0), |(least, most), (weight, _)| (least + weight.min(&0), most + weight.max(&0)))
    }
}

/// Returns whether the card refuses every plain word before more text. The word has less than 20
/// letters and completes no extension. This applies to heads that end in a letter, digit, `.`, `,`
/// or `/`, and follow no bracket. After a stub, it applies to words of prose.
pub(super) const fn refuses_words() -> bool {
    use Fact::*;
    CUT.sum(Facts::of(&[Plain, Word, Text, Column, Full])) < FAIR
        && MARK.sum(Facts::of(&[Plain, Text, Column, Overflow])) < FAIR
        && FILLED.sum(Facts::of(&[Plain, Word, Text])) < FAIR
        && FILLED.sum(Facts::of(&[Plain, Word, Text, Common, Stub])) < FAIR
}
