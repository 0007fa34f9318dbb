//! Doubtful hyphens, and bare URLs that may continue on the next line: which reading of a URL the
//! archive supports.
//!
//! A URL with a doubtful hyphen is an entry by itself, with all its readings. The reading that it
//! is counted under is chosen at the end. Only then has the archive shown which readings occur
//! unbroken elsewhere. A message must still be counted once for each URL. So each reading has a
//! [`Contest`], to find the messages that hold the URL both with and without doubt.

use std::cmp::Reverse;

use bstr::BStr;
use hashbrown::{HashMap, HashSet, HashTable};
use urlgrep::url::equality_key;

use super::index::{ContestId, UrlId};
use super::messages::MessageId;
use super::urls::Urls;
use crate::command::readings::Readings;

#[derive(Debug, Default)]
pub(super) struct Hyphens {
    contests: Vec<Contest>,
    by_key: HashTable<ContestId>,
    /// Contests, with the messages that hold the URL both without doubt and with doubt.
    both: HashSet<(ContestId, MessageId)>,
    /// Doubtful URLs, with each message that holds them.
    doubts: Vec<(UrlId, MessageId)>,
}

/// A reading of a doubtful URL.
#[derive(Debug)]
struct Contest {
    key: Vec<u8>,
    /// The hash of the key, by [`Urls::hash`].
    hash: u64,
    /// The entry of the URL, if it occurs somewhere without doubt.
    lead: Option<UrlId>,
    /// The last message with the doubtful URL.
    last_doubt: Option<MessageId>,
}

/// The reading that a doubtful URL is counted under.
#[derive(Debug)]
pub(in crate::command) struct Preference {
    /// The index of the reading.
    pub(in crate::command) reading: usize,
    /// How often each reading occurs unbroken elsewhere; empty if none does.
    pub(in crate::command) elsewhere: Box<[u32]>,
}

impl Hyphens {
    /// Records a URL that occurs without doubt for the first time. Returns its contest if it is a
    /// reading of an earlier doubtful URL.
    pub(super) fn found_whole(&mut self, urls: &Urls, id: UrlId, key: &[u8]) -> Option<ContestId> {
        if self.contests.is_empty() {
            return None;
        }
        let contest = self.find(urls.hash(key), key)?;
        self.contests[contest.index()].lead = Some(id);
        Some(contest)
    }

    /// Records that a message holds, without doubt, a reading of a doubtful URL.
    pub(super) fn mention(&mut self, contest: ContestId, message: MessageId) {
        if self.contests[contest.index()].last_doubt == Some(message) {
            self.both.insert((contest, message));
        }
    }

    /// Records that a message holds a doubtful URL.
    pub(super) fn doubt(&mut self, urls: &mut Urls, id: UrlId, readings: Readings<'_>, message: MessageId) {
        if self.doubts.last() == Some(&(id, message)) {
            return;
        }
        self.doubts.push((id, message));
        for reading in readings.iter() {
            let id = self.contest(urls, reading);
            let contest = &mut self.contests[id.index()];
            contest.last_doubt = Some(message);
            if contest.lead.is_some_and(|lead| urls[lead].last_message == Some(message)) {
                self.both.insert((id, message));
            }
        }
    }

    /// Returns the contest of a reading, and creates it if there is none.
    fn contest(&mut self, urls: &mut Urls, reading: &[u8]) -> ContestId {
        let key = equality_key(reading);
        let hash = urls.hash(&key);
        if let Some(contest) = self.find(hash, &key) {
            return contest;
        }
        let contest = ContestId::new(self.contests.len());
        let lead = urls.lead_of(hash, &key);
        if let Some(lead) = lead {
            urls[lead].contest = Some(contest);
        }
        self.contests.push(Contest { key: key.into_owned(), hash, lead, last_doubt: None });
        let Hyphens { contests, by_key, .. } = self;
        by_key.insert_unique(hash, contest, |contest| contests[contest.index()].hash);
        contest
    }

    fn find(&self, hash: u64, key: &[u8]) -> Option<ContestId> {
        self.by_key.find(hash, |contest| *self.contests[contest.index()].key == *key).copied()
    }

    /// Returns how often a reading occurs unbroken, in entries without doubt.
    fn whole(&self, urls: &Urls, reading: &[u8]) -> u32 {
        let key = equality_key(reading);
        let hash = urls.hash(&key);
        let lead = match self.find(hash, &key) {
            Some(contest) => self.contests[contest.index()].lead,
            None => urls.lead_of(hash, &key),
        };
        lead.map_or(0, |lead| urls[lead].whole)
    }

    /// Chooses the reading that each doubtful URL is counted under. A reading that works, by a link
    /// checker, comes first. Then comes the reading that occurs unbroken elsewhere most often, and then
    /// the first reading. A missing page proves little: old links are dead in every reading. Neither
    /// kind of evidence is used for a reading that [begins](Readings::has_longer) another reading.
    pub(super) fn settle(mut self, urls: &mut Urls, answers: impl Fn(&[u8]) -> bool) -> HashMap<UrlId, Preference> {
        let mut preferences = HashMap::new();
        let mut preferred = Vec::new();
        let has_whole = urls.ids().any(|id| urls[id].lead.is_some());
        for id in urls.ids() {
            if urls[id].lead.is_some() {
                continue;
            }
            let text = urls.readings(id).text().to_vec();
            let readings = Readings::of_text(&text);
            let whole =
                |reading: &BStr| if has_whole && !readings.has_longer(reading) { self.whole(urls, reading) } else { 0 };
            let mut elsewhere: Vec<u32> = readings.iter().map(whole).collect();
            let most = elsewhere.iter().copied().max().unwrap_or(0);
            let evidence =
                |(at, text): (usize, &BStr)| (answers(text) && !readings.has_longer(text), elsewhere[at], Reverse(at));
            let texts = || readings.iter().enumerate();
            let (reading, preferred_text) = texts().max_by_key(|&text| evidence(text)).unwrap_or_default();
            // Few doubtful URLs occur elsewhere, so an empty list saves memory.
            if most == 0 {
                elsewhere = Vec::new();
            }
            preferred.push((id, self.contest(urls, preferred_text)));
            preferences.insert(id, Preference { reading, elsewhere: elsewhere.into() });
        }
        // Leads are set only after all decisions: a reading that was itself in doubt is not evidence.
        for &(id, contest) in &preferred {
            let lead = *self.contests[contest.index()].lead.get_or_insert(id);
            urls[id].lead = Some(lead);
        }
        for (id, message) in self.doubts {
            // `preferred` is in the order of the ids.
            let Ok(at) = preferred.binary_search_by_key(&id, |&(id, _)| id) else { continue };
            if self.both.insert((preferred[at].1, message))
                && let Some(lead) = urls[id].lead
            {
                urls[lead].messages += 1;
            }
        }
        merge(urls, preferred.iter().filter_map(|(id, _)| Some((*id, preferences.get(id)?.reading))));
        preferences
    }
}

/// Merges entries that are spelled alike once the doubts are decided. The places of a doubtful URL
/// are then added to the entry that is written like its preferred reading. So a rule reports both
/// as one finding.
fn merge(urls: &mut Urls, preferred: impl Iterator<Item = (UrlId, usize)>) {
    let mut doubtful: HashMap<Vec<u8>, UrlId> = HashMap::new();
    for (id, reading) in preferred {
        let text = urls.readings(id).get(reading).to_vec();
        let same = urls.find(urls.hash(&text), &text).unwrap_or_else(|| *doubtful.entry(text).or_insert(id));
        if same != id {
            let (count, days) = (std::mem::take(&mut urls[id].count), urls[id].days);
            urls[same].count += count;
            urls[same].days.join(days);
        }
    }
}
