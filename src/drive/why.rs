//! [`Reason`]: a decision that led to a match, in plain words.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use crate::find::{Reading, ReasonKind, Ruling, words_in, words_of};

/// A decision that led to a match, from [`Match::explain`](crate::Match::explain).
///
/// It displays as one line. [`facts`](Self::facts) has the facts that were weighed.
///
/// ```
/// let text = "The list is at http://mill.example.org/drawings/of/the/second-bridge/\nnorth-wall.html and";
/// let found = urlgrep::Extractor::new().find(text).unwrap();
/// let reasons = found.explain();
/// let joined = reasons.iter().find(|reason| reason.rule() == "B-JOIN-CARD").unwrap();
/// assert!(joined.to_string().starts_with("joined: 5 or more joins the lines"));
/// assert_eq!(joined.facts().map(|(_, weight)| weight).sum::<i32>(), joined.sum());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    kind: ReasonKind,
    rule: &'static str,
    words: &'static str,
    span: Range<u64>,
    /// The offset in the text that [`lines_around`](crate::Match::lines_around) shows.
    shown: u64,
    facts: Vec<(&'static str, i32)>,
    reading: Option<BString>,
}

impl Reason {
    /// Returns the reason of a ruling. `place` maps its place to the input, and to the excerpt of
    /// the match.
    pub(super) fn new(ruling: Ruling, place: impl Fn(Range<usize>) -> (Range<u64>, u64)) -> Reason {
        let Ruling { what, rule, words, at, facts } = ruling;
        let (span, shown) = place(at);
        Reason { kind: what, rule, words, span, shown, facts, reading: None }
    }

    /// Returns the reason of a reading after the first.
    pub(super) fn of_reading(
        reading: &Reading,
        bytes: Cow<'_, BStr>,
        place: impl Fn(Range<usize>) -> (Range<u64>, u64),
    ) -> Reason {
        let (span, shown) = place(reading.pieces.source());
        Reason {
            kind: ReasonKind::Reading,
            rule: reading.rule,
            words: words_in("reading/", reading.rule),
            span,
            shown,
            facts: Vec::new(),
            reading: Some(bytes.into_owned()),
        }
    }

    /// Returns what was decided.
    pub fn kind(&self) -> ReasonKind {
        self.kind
    }

    /// Returns the id of the rule in the [specification](crate::spec).
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    /// Returns the place, as offsets in the input. It is the break between two lines, or the first
    /// byte after the URL, or the source of a reading.
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// Returns the offset in the text that [`lines_around`](crate::Match::lines_around) shows.
    #[cfg(feature = "report")]
    pub(crate) fn shown(&self) -> u64 {
        self.shown
    }

    /// Returns the facts that the card of B-JOIN summed, with their weights. The id of a fact is in
    /// the specification. The id `B-JOIN-CARD` stands for the weight that the sum begins with.
    pub fn facts(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.facts.iter().copied()
    }

    /// Returns the facts in plain words, those with the greatest weights first.
    pub fn weighed(&self) -> Vec<(&'static str, i32)> {
        let mut facts: Vec<_> = self.facts().map(|(fact, weight)| (words_of_fact(fact), weight)).collect();
        facts.sort_by_key(|(_, weight)| -weight.abs());
        facts
    }

    /// Returns the sum of the weights. At the first break, lines are joined at 5 or more, and offered
    /// at 2 or more.
    pub fn sum(&self) -> i32 {
        self.facts.iter().map(|(_, weight)| weight).sum()
    }

    /// Returns the reading that the rule made.
    pub fn reading(&self) -> Option<&BStr> {
        self.reading.as_ref().map(|reading| reading.as_bstr())
    }

    /// Returns what the rule says, in plain words.
    pub fn words(&self) -> &'static str {
        self.words
    }
}

/// Serializes what JSON has: `what`, `rule`, `words`, `offset`, `length`, `facts` and `reading`.
#[cfg(feature = "serde")]
impl serde::Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        #[derive(serde::Serialize)]
        struct WeighedFact {
            rule: &'static str,
            words: &'static str,
            weight: i32,
        }
        let facts: Vec<WeighedFact> =
            self.facts().map(|(rule, weight)| WeighedFact { rule, words: words_of_fact(rule), weight }).collect();
        let mut fields = serializer.serialize_struct("Reason", 7)?;
        fields.serialize_field("what", self.kind.as_str())?;
        fields.serialize_field("rule", self.rule)?;
        fields.serialize_field("words", self.words())?;
        fields.serialize_field("offset", &self.span.start)?;
        fields.serialize_field("length", &(self.span.end - self.span.start))?;
        fields.serialize_field("facts", &facts)?;
        fields.serialize_field("reading", &self.reading.as_ref().map(|reading| reading.to_str_lossy()))?;
        fields.end()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ReasonKind::Form => "form",
            ReasonKind::Layer => "read through",
            ReasonKind::Joined => "joined",
            ReasonKind::Offered => "joined in another reading",
            ReasonKind::Kept => "not joined",
            ReasonKind::End => "end",
            ReasonKind::Reading => "another reading",
        };
        write!(f, "{what}: {}", self.words)?;
        if let Some(reading) = &self.reading {
            write!(f, ": {reading}")?;
        }
        if !self.facts.is_empty() {
            write!(f, "; the facts sum to {}", self.sum())?;
        }
        write!(f, " [{}]", self.rule)
    }
}

/// Returns what a fact says. Two of the weights are not of a fact.
fn words_of_fact(fact: &'static str) -> &'static str {
    match fact {
        "B-JOIN-CARD" => "where the sum begins",
        "B-JOIN-CHAIN" => "the broken line is as wide as the one before",
        _ => words_of(fact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Extractor, Match};

    /// Passes on the reasons of each match in the texts of the vectors.
    fn each_reason(mut act: impl FnMut(&Match<'_>, &[Reason])) {
        for name in ["join", "context"] {
            let path = format!("{}/tests/vectors/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
            for line in std::fs::read_to_string(path).unwrap().lines() {
                let vector: serde_json::Value = serde_json::from_str(line).unwrap();
                let Some(text) = vector["text"].as_str().or(vector["input"].as_str()) else { continue };
                Extractor::new().find_iter(text).for_each(|found| act(&found, &found.explain()));
            }
        }
    }

    #[test]
    fn the_sum_of_the_facts_is_the_verdict() {
        let mut weighed = 0;
        each_reason(|found, reasons| {
            let mut breaks = reasons.iter().filter(|reason| reason.rule() == "B-JOIN-CARD" && reason.sum() != 0);
            let Some(first) = breaks.next() else { return };
            weighed += 1;
            let expected = match first.sum() {
                5.. => ReasonKind::Joined,
                2.. => ReasonKind::Offered,
                _ => ReasonKind::Kept,
            };
            let is_later = reasons
                .iter()
                .any(|reason| reason.kind() == ReasonKind::Joined && reason.span().start < first.span().start);
            assert!(is_later || first.kind() == expected, "{}: {first} {:?}", found.url(), first.weighed());
        });
        assert!(weighed > 50, "{weighed}");
    }

    #[test]
    fn every_reason_has_words_and_every_reading_a_rule() {
        let (mut silent, mut unexplained) = (Vec::new(), Vec::new());
        each_reason(|found, reasons| {
            silent.extend(reasons.iter().filter(|reason| reason.words().is_empty()).map(Reason::rule));
            for reading in found.readings().skip(1) {
                if !reasons.iter().any(|reason| reason.reading() == Some(&reading)) {
                    unexplained.push(format!("{} {reading}", found.url()));
                }
            }
        });
        assert_eq!((silent, unexplained), (Vec::<&str>::new(), Vec::<String>::new()));
    }
}
