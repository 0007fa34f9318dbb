//! The ledger of an audit: every distinct URL once, with its counts. An entry is a URL as it is
//! written. Equal URLs share a lead: the first of their entries that is not doubtful, if there is
//! one.
//!
//! | file | |
//! |---|---|
//! | `urls` | every URL as written, with a lookup by spelling and by equality |
//! | `messages` | the message of a place, and its fields in a report |
//! | `places` | the places that a report lists one by one |
//! | `hyphens` | the reading of a doubtful URL that the archive supports |
//! | `index` | typed indices into these lists |

mod hyphens;
mod index;
mod messages;
mod places;
mod urls;

use std::collections::BTreeMap;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use hashbrown::HashMap;
use urlgrep::Kind;
use urlgrep::audit::Rule;
use urlgrep::url::equality_key;

use self::hyphens::Hyphens;
use self::messages::MessageTable;
use super::checked::{Checked, LinkStatus};
use super::model::{Day, DaySpan, InMessage};
use super::sheet::{Recorder, Sheet, SightedUrl, Spot};

pub(super) use hyphens::Preference;
pub(super) use index::{FileId, HeaderId, UrlId};
pub(super) use places::{LedgerPlace, Places};
pub(super) use urls::Urls;

/// Every distinct URL, with counts of its places, messages and days.
///
/// # Memory
///
/// A URL needs 88 bytes for its entry, some 8 in the table that finds it, and its own bytes. The
/// report adds 4, and 12 for each finding. A message that is the first to hold some URL needs 40
/// bytes and the texts of its header. Ten million URLs of 50 bytes need 1.67 GiB in a text file.
/// They need 2.0 GiB if five of them occur in each of two million messages (2026-11).
///
/// Memory does not grow with the number of places, with two exceptions. If a checker found a link
/// broken or moved, every place of it is kept. Doubtful hyphens are kept with their messages. [With
/// its places](Ledger::keep_places), a URL needs 40 bytes for each of up to 49 further places. Each
/// message of such a place needs 40 bytes and the texts of its header.
#[derive(Debug)]
pub(crate) struct Ledger {
    recorder: Recorder,
    pub(super) urls: Urls,
    files: Vec<Vec<u8>>,
    /// The next place is in another file than the last one, although it may have the same name.
    has_file_ended: bool,
    messages: MessageTable,
    hyphens: Hyphens,
    pub(super) places: Places,
    pub(super) tally: Tally,
    checked: Option<Arc<Checked>>,
    /// The day of the audit, if the report shows years and lifetimes.
    pub(super) until: Option<Day>,
    /// The possible days of the URLs that also have an impossible day.
    possible: HashMap<UrlId, DaySpan>,
    /// The hashes of new URLs that have not been announced to the workers yet.
    unannounced: Vec<u64>,
}

/// The counts over all places.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) occurrences: u64,
    pub(super) by_kind: BTreeMap<Kind, u64>,
    pub(super) by_year: BTreeMap<i32, u64>,
    pub(super) undated: u64,
    /// Places with an impossible day, if the report shows years and lifetimes.
    pub(super) forged: u64,
}

impl Ledger {
    /// Returns an empty ledger for the sheets of this recorder.
    ///
    /// With `checked`, every place of a link that a checker found broken or moved is kept. The recorder
    /// must then keep [messages](Recorder::messages).
    pub(crate) fn new(recorder: Recorder, checked: Option<Arc<Checked>>) -> Ledger {
        Ledger {
            urls: Urls::new(recorder.hasher(), recorder.keeps_context()),
            recorder,
            files: Vec::new(),
            has_file_ended: false,
            messages: MessageTable::default(),
            hyphens: Hyphens::default(),
            places: Places::default(),
            tally: Tally::default(),
            checked,
            until: None,
            possible: HashMap::new(),
            unannounced: Vec::new(),
        }
    }

    /// Sets the day of the audit, if the report shows years and lifetimes. Dates before 1970 or after
    /// this day are impossible, and years and lifetimes exclude them.
    #[must_use]
    pub(crate) fn until(self, day: Option<Day>) -> Ledger {
        Ledger { until: day, ..self }
    }

    /// Sets whether to keep the first fifty places of each URL. The recorder must then keep
    /// [messages](Recorder::messages).
    #[must_use]
    pub(crate) fn keep_places(mut self, yes: bool) -> Ledger {
        if yes {
            self.places.keep_further();
        }
        self
    }

    /// Enters a sheet. Sheets must come in the order of the input.
    pub(crate) fn take(&mut self, file: &[u8], sheet: &Sheet) {
        // A file without places has no number, since a database has no places of it either.
        for (hash, sighting) in sheet.hashed() {
            let file = self.file(file);
            self.enter(file, hash, &sighting);
        }
        self.recorder.announce(&self.unannounced);
        self.unannounced.clear();
    }

    /// Enters one place. Places must come in order.
    pub(crate) fn add(&mut self, file: &[u8], sighting: &SightedUrl<'_>) {
        let file = self.file(file);
        self.enter(file, self.urls.hash(sighting.readings.text()), sighting);
    }

    /// Ends a file. Offsets in the next file are other places, even if the file has the same name.
    pub(crate) fn end_file(&mut self) {
        self.has_file_ended = true;
    }

    fn file(&mut self, name: &[u8]) -> FileId {
        let has_ended = std::mem::take(&mut self.has_file_ended);
        if has_ended || self.files.last().is_none_or(|last| last != name) {
            self.files.push(name.to_vec());
        }
        FileId::new(self.files.len() - 1)
    }

    fn enter(&mut self, file: FileId, hash: u64, sighting: &SightedUrl<'_>) {
        let day = sighting.in_message.and_then(|message| message.day);
        let message = self.messages.enter(file, sighting.in_message.as_ref());
        self.tally.occurrences += 1;
        *self.tally.by_kind.entry(sighting.spot.kind).or_default() += 1;
        match day {
            Some(day) => *self.tally.by_year.entry(i32::from(day.year)).or_default() += 1,
            None => self.tally.undated += 1,
        }
        let id = match self.urls.find(hash, sighting.readings.text()) {
            Some(id) => id,
            None => self.insert(file, hash, sighting),
        };
        if let Some(day) = day {
            self.add_day(id, day);
        }
        let entry = &mut self.urls[id];
        entry.count += 1;
        let number = entry.count;
        match (entry.lead, message) {
            (Some(lead), message) => {
                let lead = &mut self.urls[lead];
                lead.whole = lead.whole.saturating_add(u32::from(sighting.spot.is_whole));
                if message.is_some() && lead.last_message != message {
                    lead.last_message = message;
                    lead.messages += 1;
                    if let (Some(contest), Some(message)) = (lead.contest, message) {
                        self.hyphens.mention(contest, message);
                    }
                }
            }
            (None, Some(message)) => self.hyphens.doubt(&mut self.urls, id, sighting.readings, message),
            (None, None) => {}
        }
        sighting.spot.rules.excused().for_each(|rule| self.places.excuse(id, rule));
        if sighting.spot.is_marked() || self.places.is_watched(id) {
            let place = self.place(file, sighting);
            self.places.add(id, place, sighting);
        }
        if self.places.keeps(number) {
            let place = self.place(file, sighting);
            self.places.add_further(id, place);
        }
    }

    /// Adds the day of a place to its URL.
    fn add_day(&mut self, id: UrlId, day: Day) {
        let entry = &mut self.urls[id];
        if let Some(until) = self.until {
            let is_possible = i32::from(day.year) >= Day::FIRST_YEAR && day <= until;
            if !is_possible {
                self.tally.forged += 1;
                // `entry.days` has only possible days up to here, so it starts the separate span.
                self.possible.entry(id).or_insert(entry.days);
            } else if let Some(days) = self.possible.get_mut(&id) {
                days.add(day);
            }
        }
        entry.days.add(day);
    }

    /// Adds an entry, and returns its id.
    fn insert(&mut self, file: FileId, hash: u64, sighting: &SightedUrl<'_>) -> UrlId {
        let text = sighting.readings.text();
        let key = (!sighting.spot.rules.contains(Rule::Hyphen)).then(|| equality_key(text));
        let place = self.place(file, sighting);
        let id = self.urls.insert(hash, text, key.as_deref(), place, sighting.context);
        if let Some(key) = key
            && self.urls[id].lead == Some(id)
        {
            self.urls[id].contest = self.hyphens.found_whole(&self.urls, id, &key);
        }
        // The preferred reading is not chosen yet, so every reading is checked.
        let is_bad = |reading: &BStr| self.status(reading).is_some_and(|status| status.rule().is_some());
        if self.checked.is_some() && sighting.readings.iter().any(is_bad) {
            self.places.watch(id);
        }
        if sighting.in_message.is_some() {
            self.unannounced.push(hash);
            // A doubtful URL may be counted under another one, and its host is then not the first.
            let site = if self.urls[id].lead.is_some() { self.recorder.plain_site(text) } else { None };
            self.unannounced.extend(site);
        }
        id
    }

    fn place(&mut self, file: FileId, sighting: &SightedUrl<'_>) -> LedgerPlace {
        // `u32` keeps the entries small. A match or line that exceeds it is not worth 8 bytes per URL.
        let cut = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let Spot { offset, line, length, column, kind, .. } = sighting.spot;
        LedgerPlace {
            offset,
            line,
            length: cut(length),
            column: cut(column),
            file,
            header: sighting.in_message.map(|message| self.messages.keep(&message.info)),
            kind,
        }
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (FileId, &BStr)> {
        self.files.iter().enumerate().map(|(at, name)| (FileId::new(at), name.as_bstr()))
    }

    pub(super) fn keeps_places(&self) -> bool {
        self.places.keeps(Places::MOST)
    }

    /// Returns the possible days of an entry.
    pub(super) fn possible_days(&self, id: UrlId) -> DaySpan {
        self.possible.get(&id).copied().unwrap_or(self.urls[id].days)
    }

    pub(super) fn file_name(&self, file: FileId) -> &BStr {
        self.files[file.index()].as_bstr()
    }

    pub(super) fn in_message(&self, header: HeaderId) -> InMessage<'_> {
        self.messages.info(header)
    }

    /// Returns true if the URL, or an equal one, occurs somewhere without doubt.
    pub(super) fn holds(&self, url: &[u8]) -> bool {
        let key = equality_key(url);
        self.lead(&key).is_some()
    }

    /// Returns the lead of the URLs with this key of equality.
    pub(super) fn lead(&self, key: &[u8]) -> Option<UrlId> {
        self.urls.lead_of(self.urls.hash(key), key)
    }

    /// Returns the result of a link checker for a URL.
    pub(super) fn status(&self, url: &[u8]) -> Option<&LinkStatus> {
        self.checked.as_ref()?.status(url)
    }

    /// Chooses the reading that each doubtful URL is counted under. Nothing can be entered afterwards.
    pub(super) fn settle(&mut self) -> HashMap<UrlId, Preference> {
        let Ledger { hyphens, urls, checked, .. } = self;
        let answers =
            |url: &[u8]| checked.as_ref().and_then(|checked| checked.status(url)).is_some_and(LinkStatus::answers);
        std::mem::take(hyphens).settle(urls, answers)
    }
}
