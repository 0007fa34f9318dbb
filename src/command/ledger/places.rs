//! The places that a report shows individually, and the rules that places fire, excuse or make
//! worse.

use std::collections::{BTreeMap, HashMap};

use urlgrep::Kind;
use urlgrep::audit::Rule;

use super::index::{FileId, HeaderId, UrlId};
use crate::command::sheet::SightedUrl;

/// A place where a URL occurs.
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

/// The places of a URL where a rule of the place fired, or became worse.
#[derive(Debug)]
pub(in crate::command) struct RulePlaces {
    pub(in crate::command) count: u64,
    pub(in crate::command) first: LedgerPlace,
    /// The host that the anchor's text shows.
    pub(in crate::command) shown_host: Vec<u8>,
    /// The names of the invisible characters.
    pub(in crate::command) unseen: Vec<u8>,
}

#[derive(Debug, Default)]
pub(in crate::command) struct Places {
    by_rule: BTreeMap<(UrlId, Rule), RulePlaces>,
    /// The number of places that excuse a URL from a rule.
    excuses: HashMap<(UrlId, Rule), u64>,
    /// The rules that are worse because of a place of the URL, with these places.
    worse: BTreeMap<(UrlId, Rule), RulePlaces>,
    /// Every place of the links that a checker found broken or moved.
    watched: BTreeMap<UrlId, Vec<LedgerPlace>>,
    /// The places after the first of each URL, if a report shows them.
    further: Option<HashMap<UrlId, Vec<LedgerPlace>>>,
}

impl Places {
    /// The number of places to keep for each spelling of a URL, including the first.
    pub(in crate::command) const MOST: u64 = 50;

    /// Keeps further places from now on.
    pub(super) fn keep_further(&mut self) {
        self.further.get_or_insert_default();
    }

    /// Returns true if the place with this number is kept as a further place of a URL. Places are
    /// counted from 1.
    pub(super) fn keeps(&self, number: u64) -> bool {
        self.further.is_some() && (2..=Self::MOST).contains(&number)
    }

    pub(super) fn add_further(&mut self, id: UrlId, place: LedgerPlace) {
        if let Some(further) = &mut self.further {
            further.entry(id).or_default().push(place);
        }
    }

    /// Returns the kept places after the first.
    pub(in crate::command) fn further(&self, id: UrlId) -> &[LedgerPlace] {
        self.further.as_ref().and_then(|further| further.get(&id)).map_or(&[], Vec::as_slice)
    }

    /// Keeps every place of this URL from now on.
    pub(super) fn watch(&mut self, id: UrlId) {
        self.watched.insert(id, Vec::new());
    }

    pub(super) fn is_watched(&self, id: UrlId) -> bool {
        !self.watched.is_empty() && self.watched.contains_key(&id)
    }

    pub(super) fn add(&mut self, id: UrlId, place: LedgerPlace, sighting: &SightedUrl<'_>) {
        let new = || RulePlaces {
            count: 0,
            first: place,
            shown_host: sighting.shown_host.to_vec(),
            unseen: sighting.unseen.to_vec(),
        };
        for rule in sighting.spot.rules.firing() {
            self.by_rule.entry((id, rule)).or_insert_with(new).count += 1;
        }
        for rule in sighting.spot.rules.worse() {
            self.worse.entry((id, rule)).or_insert_with(new).count += 1;
        }
        if let Some(places) = self.watched.get_mut(&id) {
            places.push(place);
        }
    }

    /// Counts a place that excuses a URL from a rule.
    pub(super) fn excuse(&mut self, id: UrlId, rule: Rule) {
        *self.excuses.entry((id, rule)).or_default() += 1;
    }

    /// Returns the number of places that excuse the URL from a rule.
    pub(in crate::command) fn excuses(&self, id: UrlId, rule: Rule) -> u64 {
        self.excuses.get(&(id, rule)).copied().unwrap_or_default()
    }

    /// Returns the places that make a rule worse for the URL.
    pub(in crate::command) fn that_worsen(&self, id: UrlId, rule: Rule) -> Option<&RulePlaces> {
        self.worse.get(&(id, rule))
    }

    /// Returns the rules that are worse because of a place of the URL, in order.
    pub(in crate::command) fn worse(&self, id: UrlId) -> impl Iterator<Item = Rule> {
        let from = self.worse.range((id, Rule::ALL[0])..).map(|(&key, _)| key);
        from.map_while(move |(of, rule)| (of == id).then_some(rule))
    }

    /// Returns the places of a URL where a rule of the place fired.
    pub(in crate::command) fn of_rule(&self, id: UrlId, rule: Rule) -> Option<&RulePlaces> {
        self.by_rule.get(&(id, rule))
    }

    /// Returns the rules of the place that fired on this URL and on later URLs, in order.
    pub(in crate::command) fn rules_since(&self, id: UrlId) -> impl Iterator<Item = (UrlId, Rule)> {
        self.by_rule.range((id, Rule::ALL[0])..).map(|(&key, _)| key)
    }

    /// Returns the links that a checker found broken or moved, in order.
    pub(in crate::command) fn watched_urls(&self) -> impl Iterator<Item = UrlId> {
        self.watched.keys().copied()
    }

    /// Returns every place of a link that a checker found broken or moved.
    pub(in crate::command) fn watched(&self, id: UrlId) -> &[LedgerPlace] {
        self.watched.get(&id).map_or(&[], Vec::as_slice)
    }
}
