//! Places, and those that a report shows one by one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use urlgrep::Kind;
use urlgrep::audit::Rule;

use super::index::{FileId, HeaderId, UrlId};
use crate::command::sheet::SightedUrl;

/// A place.
#[derive(Clone, Copy, Debug)]
pub(in crate::command) struct LedgerPlace {
    pub(in crate::command) offset: u64,
    pub(in crate::command) line: u64,
    pub(in crate::command) length: u32,
    pub(in crate::command) column: u32,
    pub(in crate::command) file: FileId,
    pub(in crate::command) header: Option<HeaderId>,
    pub(in crate::command) kind: Kind,
}

/// The places where a rule of the place fired on a URL.
#[derive(Debug)]
pub(in crate::command) struct RulePlaces {
    pub(in crate::command) count: u64,
    pub(in crate::command) first: LedgerPlace,
    /// The host that the anchor shows.
    pub(in crate::command) shown_host: Vec<u8>,
    /// The names of the characters that nobody sees.
    pub(in crate::command) unseen: Vec<u8>,
}

#[derive(Debug, Default)]
pub(in crate::command) struct Places {
    by_rule: BTreeMap<(UrlId, Rule), RulePlaces>,
    /// The rules that are silent on a URL for a place of it.
    excused: HashSet<(UrlId, Rule)>,
    /// The rules that are worse for a place of a URL.
    worse: BTreeSet<(UrlId, Rule)>,
    /// Every place of the links that a checker found broken or moved.
    watched: BTreeMap<UrlId, Vec<LedgerPlace>>,
    /// The places behind the first of each URL, where a report shows them.
    further: Option<HashMap<UrlId, Vec<LedgerPlace>>>,
}

impl Places {
    /// Places of a URL, as it is written, that are kept with the first.
    pub(in crate::command) const MOST: u64 = 50;

    /// From now on further places are kept.
    pub(super) fn keep_further(&mut self) {
        self.further.get_or_insert_default();
    }

    /// True if this place of a URL is kept, counted from 1.
    pub(super) fn keeps(&self, number: u64) -> bool {
        self.further.is_some() && (2..=Self::MOST).contains(&number)
    }

    pub(super) fn add_further(&mut self, id: UrlId, place: LedgerPlace) {
        if let Some(further) = &mut self.further {
            further.entry(id).or_default().push(place);
        }
    }

    /// The places behind the first that are kept.
    pub(in crate::command) fn further(&self, id: UrlId) -> &[LedgerPlace] {
        self.further.as_ref().and_then(|further| further.get(&id)).map_or(&[], Vec::as_slice)
    }

    /// From now on every place of this URL is kept.
    pub(super) fn watch(&mut self, id: UrlId) {
        self.watched.insert(id, Vec::new());
    }

    pub(super) fn is_watched(&self, id: UrlId) -> bool {
        !self.watched.is_empty() && self.watched.contains_key(&id)
    }

    pub(super) fn add(&mut self, id: UrlId, place: LedgerPlace, sighting: &SightedUrl<'_>) {
        for rule in sighting.spot.rules.firing() {
            let new = || RulePlaces {
                count: 0,
                first: place,
                shown_host: sighting.shown_host.to_vec(),
                unseen: sighting.unseen.to_vec(),
            };
            self.by_rule.entry((id, rule)).or_insert_with(new).count += 1;
        }
        if let Some(places) = self.watched.get_mut(&id) {
            places.push(place);
        }
    }

    /// A rule is silent on a URL.
    pub(super) fn excuse(&mut self, id: UrlId, rule: Rule) {
        self.excused.insert((id, rule));
    }

    /// True if a rule is silent on a URL for a place of it.
    pub(in crate::command) fn is_excused(&self, id: UrlId, rule: Rule) -> bool {
        self.excused.contains(&(id, rule))
    }

    /// A rule is worse for a place of a URL.
    pub(super) fn make_worse(&mut self, id: UrlId, rule: Rule) {
        self.worse.insert((id, rule));
    }

    /// Returns whether a rule is worse for a place of a URL.
    pub(in crate::command) fn is_worse(&self, id: UrlId, rule: Rule) -> bool {
        self.worse.contains(&(id, rule))
    }

    /// Returns the rules that are worse for a place of a URL, in order.
    pub(in crate::command) fn worse(&self, id: UrlId) -> impl Iterator<Item = Rule> {
        self.worse.range((id, Rule::ALL[0])..).map_while(move |&(of, rule)| (of == id).then_some(rule))
    }

    /// Where a rule of the place fired on a URL.
    pub(in crate::command) fn of_rule(&self, id: UrlId, rule: Rule) -> Option<&RulePlaces> {
        self.by_rule.get(&(id, rule))
    }

    /// The rules of the place that fired on a URL and on those after it, in order.
    pub(in crate::command) fn rules_since(&self, id: UrlId) -> impl Iterator<Item = (UrlId, Rule)> {
        self.by_rule.range((id, Rule::ALL[0])..).map(|(&key, _)| key)
    }

    /// Returns the links that a checker found broken or moved, in order.
    pub(in crate::command) fn watched_urls(&self) -> impl Iterator<Item = UrlId> {
        self.watched.keys().copied()
    }

    /// Every place of a link that a checker found broken or moved.
    pub(in crate::command) fn watched(&self, id: UrlId) -> &[LedgerPlace] {
        self.watched.get(&id).map_or(&[], Vec::as_slice)
    }
}
