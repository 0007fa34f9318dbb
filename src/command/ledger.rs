//! The books of an audit: every distinct URL once, with all that is counted of it.
//!
//! # Doubtful hyphens
//!
//! A URL with a doubtful hyphen is booked by itself, with all its readings. Which of them it counts for is known at the end,
//! when the archive has told which of them stand unbroken elsewhere ([`close`](Ledger::close)). So that messages are counted
//! once all the same, each reading is a [`Contest`], which notes the messages that hold the URL both ways.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use hashbrown::HashTable;

use super::checked::Checked;
use super::sheet::{Pad, Sheet, SightedLetter, Sighting};
use crate::Kind;
use crate::audit::Rule;
use crate::url::equality_key;

/// No letter, no message, no contest.
pub(super) const NONE: u32 = u32::MAX;
/// Longer texts of a header are cut.
const LONGEST_TEXT: usize = 1000;

/// A URL as it is written, or a doubtful one with its readings.
#[derive(Debug)]
pub(super) struct Entry {
    /// Where it was seen first.
    pub(super) spot: SpotRow,
    text: u64,
    pub(super) count: u64,
    text_len: u32,
    /// The first entry with the same key, which may be itself; of a doubtful URL [`NONE`] until the end.
    pub(super) lead: u32,
    /// Of a lead: messages that hold the URL, and the last of them.
    pub(super) messages: u32,
    last_message: u32,
    /// Of a lead: places where the URL stands on one line.
    pub(super) whole: u32,
    /// Of a lead: a reading of a doubtful URL.
    contest: u32,
    /// Days of its messages; the first is after the last where there are none.
    pub(super) days: [i32; 2],
}

/// A place.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpotRow {
    pub(super) offset: u64,
    pub(super) line: u64,
    pub(super) length: u32,
    pub(super) column: u32,
    pub(super) file: u32,
    pub(super) letter: u32,
    pub(super) kind: Kind,
    pub(super) is_doubtful: bool,
    /// All its places are kept.
    is_watched: bool,
}

/// What is kept of a message, and of the part.
#[derive(Debug)]
pub(super) struct LetterRow {
    pub(super) offset: u64,
    /// 0 where it has none.
    pub(super) number: u64,
    text: u64,
    /// Id, date, from, subject, part, encoding; [`u16::MAX`] is none.
    lengths: [u16; 6],
}

/// Where a rule that looks at the place fired.
#[derive(Debug)]
pub(super) struct PlaceRow {
    pub(super) count: u64,
    pub(super) spot: SpotRow,
    /// What the anchor shows.
    pub(super) shown_host: Vec<u8>,
}

/// A reading of a doubtful URL.
#[derive(Debug)]
struct Contest {
    /// The entry that books it, if it stands somewhere without doubt.
    lead: u32,
    /// The last message with the doubtful URL.
    last_doubt: u32,
}

/// The books: every distinct URL, with its places, messages and days counted.
///
/// # Memory
///
/// A URL takes 88 bytes for its entry, some 8 in the table that finds it, and its own bytes; the report adds 4, and 12 for
/// each finding. A message that is the first to hold some URL takes 40 bytes and its header's texts. Ten million URLs of 50
/// bytes take 1.67 GiB in a text, and 2.0 GiB where five of them stand in each of two million messages (2026-11).
///
/// Nothing grows with the number of places, but for links that a checker found broken, of which every place is kept, and
/// for doubtful hyphens.
#[derive(Debug)]
pub struct Ledger {
    pad: Pad,
    pub(super) entries: Vec<Entry>,
    /// URLs and readings, texts of headers, contexts.
    text: Vec<u8>,
    /// Entries by what is written.
    spellings: HashTable<u32>,
    /// Leads by their key, where that is not what is written.
    keys: HashTable<u32>,
    pub(super) files: Vec<Vec<u8>>,
    letters: Vec<LetterRow>,
    /// Messages are numbered from 0 as they are met; the last number.
    messages: u32,
    /// The message of the last sighting: its number, whose it is, and its row if that was written.
    message: u32,
    at: Option<(u32, u64, Option<usize>)>,
    row: Option<u32>,
    /// The last message that no other encloses: whose it is, and its number.
    outer: Option<(u32, u64, u32)>,
    contests: Vec<Contest>,
    contests_by_key: HashMap<Vec<u8>, u32>,
    /// Contests and the messages that hold the URL without doubt, and with.
    both: HashSet<(u32, u32)>,
    /// Doubtful URLs with each message that holds them.
    doubts: Vec<(u32, u32)>,
    pub(super) place_rows: BTreeMap<(u32, Rule), PlaceRow>,
    contexts: Option<Vec<(u64, [u16; 3])>>,
    checked: Option<Arc<Checked>>,
    pub(super) watched: BTreeMap<u32, Vec<SpotRow>>,
    /// By the hashes of the readings, since the workers were told last.
    news: Vec<u64>,
    pub(super) by_kind: BTreeMap<Kind, u64>,
    pub(super) by_year: BTreeMap<i32, u64>,
    pub(super) undated: u64,
    pub(super) occurrences: u64,
}

impl Ledger {
    /// Empty books, for sheets of this pad. `checked`: every place is kept of what a link checker found broken or moved,
    /// for which the pad must give [letters](Pad::letters).
    pub fn new(pad: Pad, checked: Option<Arc<Checked>>) -> Ledger {
        let keeps_context = pad.keeps_context();
        Ledger {
            pad,
            entries: Vec::new(),
            text: Vec::new(),
            spellings: HashTable::new(),
            keys: HashTable::new(),
            files: Vec::new(),
            letters: Vec::new(),
            messages: NONE,
            message: NONE,
            outer: None,
            at: None,
            row: None,
            contests: Vec::new(),
            contests_by_key: HashMap::new(),
            both: HashSet::new(),
            doubts: Vec::new(),
            place_rows: BTreeMap::new(),
            contexts: keeps_context.then(Vec::new),
            checked,
            watched: BTreeMap::new(),
            news: Vec::new(),
            by_kind: BTreeMap::new(),
            by_year: BTreeMap::new(),
            undated: 0,
            occurrences: 0,
        }
    }

    /// Books a sheet. Sheets come in the order of the input.
    pub fn take(&mut self, file: &[u8], sheet: &Sheet) {
        let file = self.file(file);
        for (hash, sighting) in sheet.hashed() {
            self.book(file, hash, &sighting);
        }
        self.pad.book(&std::mem::take(&mut self.news));
    }

    /// Books one place; places come in order.
    pub fn add(&mut self, file: &[u8], sighting: &Sighting<'_>) {
        let file = self.file(file);
        self.book(file, self.pad.hash(sighting.readings), sighting);
    }

    fn book(&mut self, file: u32, hash: u64, sighting: &Sighting<'_>) {
        let day = sighting.letter.and_then(|letter| letter.day);
        let message = self.enter_message(file, sighting.letter.as_ref());
        self.occurrences += 1;
        *self.by_kind.entry(sighting.kind).or_default() += 1;
        match day {
            Some(day) => *self.by_year.entry(i32::from(day.year)).or_default() += 1,
            None => self.undated += 1,
        }
        let at = match self.find(hash, sighting.readings) {
            Some(at) => at,
            None => self.open(file, hash, sighting),
        };
        let is_doubtful = self.entries[at as usize].spot.is_doubtful;
        let entry = &mut self.entries[at as usize];
        entry.count += 1;
        if let Some(day) = day {
            let day = day.number();
            entry.days = [entry.days[0].min(day), entry.days[1].max(day)];
        }
        if is_doubtful {
            self.doubt(at, sighting.readings, message);
        } else {
            self.mention(at, sighting.is_whole, message);
        }
        if !sighting.rules.is_empty() || self.entries[at as usize].spot.is_watched {
            self.keep(at, file, sighting);
        }
    }

    /// Adds a place to the URL that it stands for without doubt.
    fn mention(&mut self, at: u32, is_whole: bool, message: u32) {
        let lead = self.entries[at as usize].lead;
        let lead = &mut self.entries[lead as usize];
        lead.whole = lead.whole.saturating_add(u32::from(is_whole));
        if message == NONE || lead.last_message == message {
            return;
        }
        lead.last_message = message;
        lead.messages += 1;
        if lead.contest != NONE && self.contests[lead.contest as usize].last_doubt == message {
            self.both.insert((lead.contest, message));
        }
    }

    /// Adds a place to a doubtful URL.
    fn doubt(&mut self, at: u32, readings: &[u8], message: u32) {
        if message == NONE || self.doubts.last() == Some(&(at, message)) {
            return;
        }
        self.doubts.push((at, message));
        for reading in readings.split_str("\n") {
            let contest = self.contest(reading);
            let Contest { lead, last_doubt } = &mut self.contests[contest as usize];
            *last_doubt = message;
            if *lead != NONE && self.entries[*lead as usize].last_message == message {
                self.both.insert((contest, message));
            }
        }
    }

    /// The contest over a reading.
    fn contest(&mut self, reading: &[u8]) -> u32 {
        let key = equality_key(reading);
        if let Some(&contest) = self.contests_by_key.get(&key) {
            return contest;
        }
        let contest = self.contests.len() as u32;
        let lead = self.lead_of(&key);
        if let Some(lead) = lead {
            self.entries[lead as usize].contest = contest;
        }
        self.contests.push(Contest { lead: lead.unwrap_or(NONE), last_doubt: NONE });
        self.contests_by_key.insert(key, contest);
        contest
    }

    /// The number of the message at hand.
    fn enter_message(&mut self, file: u32, letter: Option<&SightedLetter<'_>>) -> u32 {
        let Some(letter) = letter else {
            (self.at, self.row) = (None, None);
            return NONE;
        };
        let at = (file, letter.offset, letter.inner);
        if self.at == Some(at) {
            // Another part of it has a row of its own.
            if self.row.is_some_and(|row| !self.is_part(row, letter)) {
                self.row = None;
            }
            return self.message;
        }
        (self.at, self.row) = (Some(at), None);
        match (letter.inner, self.outer) {
            // Behind a message that it encloses.
            (None, Some((of, offset, message))) if (of, offset) == (file, letter.offset) => self.message = message,
            _ => {
                self.messages = self.messages.wrapping_add(1);
                self.message = self.messages;
            }
        }
        if letter.inner.is_none() {
            self.outer = Some((file, letter.offset, self.message));
        }
        self.message
    }

    fn is_part(&self, row: u32, letter: &SightedLetter<'_>) -> bool {
        let [.., part, encoding] = self.letter_texts(&self.letters[row as usize]);
        part == letter.part && encoding == letter.encoding
    }

    fn file(&mut self, name: &[u8]) -> u32 {
        if self.files.last().is_none_or(|last| last != name) {
            self.files.push(name.to_vec());
        }
        self.files.len() as u32 - 1
    }

    fn find(&self, hash: u64, readings: &[u8]) -> Option<u32> {
        self.spellings.find(hash, |&at| self.readings(at) == readings).copied()
    }

    /// The entry that books what has an equivalence key.
    fn lead_of(&self, key: &[u8]) -> Option<u32> {
        let hash = self.pad.hash(key);
        match self.find(hash, key) {
            Some(at) => Some(self.entries[at as usize].lead),
            None => self.keys.find(hash, |&at| equality_key(self.readings(at)) == key).copied(),
        }
    }

    /// A new entry.
    fn open(&mut self, file: u32, hash: u64, sighting: &Sighting<'_>) -> u32 {
        let at = u32::try_from(self.entries.len()).ok().filter(|&at| at != NONE).expect("fewer than 2^32 URLs");
        let readings = sighting.readings;
        let is_doubtful = sighting.rules.contains(Rule::Hyphen);
        let (mut lead, mut contest, mut is_watched) = (NONE, NONE, false);
        // Most URLs are their own key; the others are found by it in a table of their own.
        let mut other_key = None;
        if !is_doubtful {
            let key = equality_key(readings);
            lead = self.lead_of(&key).unwrap_or(at);
            if lead == at
                && let Some(&known) = self.contests_by_key.get(&key)
            {
                contest = known;
                self.contests[known as usize].lead = at;
            }
            other_key = (lead == at && key != **readings).then_some(key);
            let status = self.checked.as_ref().and_then(|checked| checked.status(readings));
            is_watched = status.is_some_and(|status| status.rule().is_some());
        }
        let spot = SpotRow { is_doubtful, is_watched, ..self.spot(file, sighting) };
        self.entries.push(Entry {
            spot,
            text: self.text.len() as u64,
            count: 0,
            text_len: readings.len() as u32,
            lead,
            messages: 0,
            last_message: NONE,
            whole: 0,
            contest,
            days: [i32::MAX, i32::MIN],
        });
        self.text.extend_from_slice(readings);
        if let Some(contexts) = &mut self.contexts {
            contexts.push((self.text.len() as u64, sighting.context.map(|text| text.len() as u16)));
            sighting.context.iter().for_each(|text| self.text.extend_from_slice(text));
        }
        if sighting.letter.is_some() {
            self.news.push(hash);
        }
        let Ledger { spellings, keys, pad, entries, text, .. } = self;
        let spelling = |at: &u32| text_of(&entries[*at as usize], text);
        spellings.insert_unique(hash, at, |at| pad.hash(spelling(at)));
        if let Some(key) = other_key {
            keys.insert_unique(pad.hash(&key), at, |at| pad.hash(&equality_key(spelling(at))));
        }
        at
    }

    /// What is said of the place itself.
    fn keep(&mut self, at: u32, file: u32, sighting: &Sighting<'_>) {
        let spot = self.spot(file, sighting);
        for rule in Rule::ALL.iter().copied().filter(|&rule| sighting.rules.contains(rule)) {
            let new = || PlaceRow { count: 0, spot, shown_host: sighting.shown_host.to_vec() };
            self.place_rows.entry((at, rule)).or_insert_with(new).count += 1;
        }
        if self.entries[at as usize].spot.is_watched {
            self.watched.entry(at).or_default().push(spot);
        }
    }

    fn spot(&mut self, file: u32, sighting: &Sighting<'_>) -> SpotRow {
        let letter = sighting.letter.as_ref().map_or(NONE, |letter| self.letter(letter));
        let cut = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        SpotRow {
            offset: sighting.offset,
            line: sighting.line,
            length: cut(sighting.length),
            column: cut(sighting.column),
            file,
            letter,
            kind: sighting.kind,
            is_doubtful: false,
            is_watched: false,
        }
    }

    /// The row of the message at hand.
    fn letter(&mut self, letter: &SightedLetter<'_>) -> u32 {
        if let Some(row) = self.row {
            return row;
        }
        let SightedLetter { id, date, from, subject, part, encoding, number, offset, .. } = *letter;
        let text = self.text.len() as u64;
        let lengths = [id, date, from, subject, part, encoding].map(|text| match text {
            None => u16::MAX,
            Some(text) => {
                let text = &text[..text.floor_char_boundary(LONGEST_TEXT)];
                self.text.extend_from_slice(text.as_bytes());
                text.len() as u16
            }
        });
        self.letters.push(LetterRow { offset, number: number.unwrap_or(0), text, lengths });
        let row = self.letters.len() as u32 - 1;
        self.row = Some(row);
        row
    }

    pub(super) fn letter_at(&self, row: u32) -> Option<(&LetterRow, [Option<&str>; 6])> {
        let row = self.letters.get(row as usize)?;
        Some((row, self.letter_texts(row)))
    }

    fn letter_texts(&self, row: &LetterRow) -> [Option<&str>; 6] {
        let mut start = row.text as usize;
        row.lengths.map(|length| {
            let end = start + usize::from(if length == u16::MAX { return None } else { length });
            self.text[std::mem::replace(&mut start, end)..end].to_str().ok()
        })
    }

    /// An entry's URL; of a doubtful one every reading, with LF between them.
    pub(super) fn readings(&self, at: u32) -> &BStr {
        text_of(&self.entries[at as usize], &self.text)
    }

    pub(super) fn context(&self, at: u32) -> Option<[&BStr; 3]> {
        let (start, lengths) = self.contexts.as_ref()?[at as usize];
        let mut start = start as usize;
        Some(lengths.map(|length| {
            let end = start + usize::from(length);
            self.text[std::mem::replace(&mut start, end)..end].as_bstr()
        }))
    }

    pub(super) fn checked(&self) -> Option<&Checked> {
        self.checked.as_deref()
    }

    /// Settles what a doubtful URL counts for: the reading that stands unbroken elsewhere most often, or else the first.
    /// Gives the preferred reading's index, for each doubtful entry, and how often each reading stands elsewhere.
    pub(super) fn settle(&mut self) -> HashMap<u32, Settled> {
        let doubtful: Vec<u32> =
            (0..self.entries.len() as u32).filter(|&at| self.entries[at as usize].spot.is_doubtful).collect();
        let mut settled = HashMap::new();
        let mut contest_of = HashMap::new();
        for at in doubtful {
            let readings: Vec<Vec<u8>> = self.readings(at).split_str("\n").map(<[u8]>::to_vec).collect();
            let contests: Vec<u32> = readings.iter().map(|reading| self.contest(reading)).collect();
            let whole = |&contest: &u32| match self.contests[contest as usize].lead {
                NONE => 0,
                lead => self.entries[lead as usize].whole,
            };
            let elsewhere: Vec<u32> = contests.iter().map(whole).collect();
            let most = elsewhere.iter().copied().max().unwrap_or(0);
            let preferred = elsewhere.iter().position(|&times| times == most).unwrap_or(0);
            contest_of.insert(at, contests[preferred]);
            settled.insert(at, Settled { preferred, elsewhere });
        }
        // Only now, for what is put together from doubts is no evidence.
        let mut in_order: Vec<_> = contest_of.iter().map(|(&at, &contest)| (at, contest)).collect();
        in_order.sort_unstable();
        for (at, contest) in in_order {
            let lead = &mut self.contests[contest as usize].lead;
            if *lead == NONE {
                *lead = at;
            }
            self.entries[at as usize].lead = *lead;
        }
        for (at, message) in std::mem::take(&mut self.doubts) {
            if self.both.insert((contest_of[&at], message)) {
                let lead = self.entries[at as usize].lead;
                self.entries[lead as usize].messages += 1;
            }
        }
        settled
    }
}

/// What became of a doubtful URL.
#[derive(Debug)]
pub(super) struct Settled {
    pub(super) preferred: usize,
    /// How often each reading stands unbroken elsewhere.
    pub(super) elsewhere: Vec<u32>,
}

fn text_of<'t>(entry: &Entry, text: &'t [u8]) -> &'t BStr {
    text[entry.text as usize..][..entry.text_len as usize].as_bstr()
}
