//! The rules of a place as a set.

use super::place::{is_address, is_plain};
use super::rule::Rule;
use crate::Match;

/// The set of rules that fire at the place of a match, or that the place silences or makes worse.
///
/// The rules about a URL's bytes fire at each of its places alike. This set holds the other rules,
/// in two bytes.
///
/// ```
/// use urlgrep::{Extractor, audit::{PlaceRules, Rule}};
///
/// let found = Extractor::new().find(b"<URL:http://a.ex ample/>").unwrap();
/// let rules = PlaceRules::of(&found);
/// assert!(rules.contains(Rule::SpaceJoin) && !rules.contains(Rule::Bidi));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceRules(u16);

impl PlaceRules {
    /// Returns the rules that fire, are excused or are worse at the place of a match.
    pub fn of(found: &Match<'_>) -> PlaceRules {
        // The URL is inspected once for all rules that a click makes worse.
        let fired = Rule::fired_where_clicked(found);
        let rules = match is_plain(found) {
            false => PlaceRules::marked(|rule| rule.marks(found, &fired)),
            true if is_address(found) => PlaceRules::marked(|rule| rule.is_excused(found)),
            true => PlaceRules::default(),
        };
        // The shortcuts above must not miss a rule.
        debug_assert_eq!(PlaceRules::marked(|rule| rule.marks(found, &fired)), rules);
        rules
    }

    fn marked(is_marked: impl Fn(Rule) -> bool) -> PlaceRules {
        let is_marked = |rule: &Option<Rule>| rule.is_some_and(&is_marked);
        PlaceRules(Rule::PLACE.iter().rev().fold(0, |bits, rule| bits << 1 | u16::from(is_marked(rule))))
    }

    /// Returns true for the empty set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if the set has this rule. A rule that the place does not decide is in no set.
    pub fn contains(self, rule: Rule) -> bool {
        self.rules().any(|fires| fires == rule)
    }

    /// Returns the rules of the set, in the order of their bits.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        let fires = move |&(bit, _): &(usize, _)| self.0 >> bit & 1 == 1;
        Rule::PLACE.iter().enumerate().filter(fires).filter_map(|(_, rule)| *rule)
    }

    /// Returns the rules that fire.
    pub fn firing(self) -> impl Iterator<Item = Rule> {
        self.rules().filter(|rule| !rule.has_excuse() && !rule.has_worse())
    }

    /// Returns the rules that this place excuses the URL from.
    pub fn excused(self) -> impl Iterator<Item = Rule> {
        self.rules().filter(|rule| rule.has_excuse())
    }

    /// Returns the rules that are [worse](Rule::worse) at this place.
    pub fn worse(self) -> impl Iterator<Item = Rule> {
        self.rules().filter(|rule| rule.has_worse())
    }

    /// Returns the set as a number for storage. The meaning of a bit never changes.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the set with these bits. A bit that no rule has adds no rule.
    pub const fn from_bits(bits: u16) -> PlaceRules {
        PlaceRules(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    #[test]
    fn place_rules_are_a_set() {
        let found = Extractor::new().find("<URL:http://foo-\nb ar.com/\u{200B}x>".as_bytes()).unwrap();
        let rules = PlaceRules::of(&found);
        assert!(rules.rules().eq([Rule::Bidi, Rule::Hyphen, Rule::SpaceJoin]));
        // Databases store these bits.
        assert_eq!(rules.bits(), 0b111);
        assert_eq!(PlaceRules::from_bits(rules.bits()), rules);
        assert_eq!(PlaceRules::of(&found.clone().into_owned()), rules);
        assert!(!rules.is_empty() && !rules.contains(Rule::Anchor) && !rules.contains(Rule::Crlf));
        assert!(PlaceRules::default().is_empty());
        assert_eq!(PlaceRules::from_bits(u16::MAX).rules().count(), 15);
    }
}
