//! Every URL once, as it is written, with lookups by text and by key of equality.

use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use bstr::{BStr, ByteSlice};
use hashbrown::{DefaultHashBuilder, HashTable};
use urlgrep::url::equality_key;

use super::index::{ContestId, UrlId};
use super::messages::MessageId;
use super::places::LedgerPlace;
use crate::command::model::DaySpan;
use crate::command::readings::Readings;

/// A URL as it is written, or a doubtful one with its readings.
#[derive(Debug)]
pub(in crate::command) struct UrlRecord {
    /// The first place of the URL.
    pub(in crate::command) first: LedgerPlace,
    text: u64,
    pub(in crate::command) count: u64,
    text_len: u32,
    /// The first entry with the same key, perhaps this one. A doubtful URL has no lead until the ledger
    /// is closed.
    pub(in crate::command) lead: Option<UrlId>,
    /// For a lead: the number of messages that hold the URL, and the last of them.
    pub(in crate::command) messages: u32,
    pub(super) last_message: Option<MessageId>,
    /// For a lead: the number of places where the URL is on one line.
    pub(super) whole: u32,
    /// For a lead that is a reading of a doubtful URL: its contest.
    pub(super) contest: Option<ContestId>,
    /// The days of the messages that hold the URL.
    pub(in crate::command) days: DaySpan,
}

#[derive(Debug)]
pub(in crate::command) struct Urls {
    hasher: DefaultHashBuilder,
    entries: Vec<UrlRecord>,
    /// The texts of the entries, each followed by its context.
    text: Vec<u8>,
    /// Entries by their text.
    spellings: HashTable<UrlId>,
    /// Leads by their key, with the key's hash, if the key is not the text itself. The hash is kept
    /// because making a key is slow.
    keys: HashTable<(u64, UrlId)>,
    /// The lengths of the three parts of each entry's context, which follow its text.
    contexts: Option<Vec<[u16; 3]>>,
}

impl Urls {
    pub(super) fn new(hasher: DefaultHashBuilder, keeps_context: bool) -> Urls {
        Urls {
            hasher,
            entries: Vec::new(),
            text: Vec::new(),
            spellings: HashTable::new(),
            keys: HashTable::new(),
            contexts: keeps_context.then(Vec::new),
        }
    }

    pub(super) fn hash(&self, text: &[u8]) -> u64 {
        self.hasher.hash_one(text)
    }

    pub(in crate::command) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::command) fn ids(&self) -> impl Iterator<Item = UrlId> + use<> {
        (0..self.entries.len()).map(UrlId::new)
    }

    pub(super) fn find(&self, hash: u64, text: &[u8]) -> Option<UrlId> {
        self.spellings.find(hash, |&id| self.text_of(id) == text).copied()
    }

    /// Returns the lead of the URLs with this key of equality and hash.
    pub(super) fn lead_of(&self, hash: u64, key: &[u8]) -> Option<UrlId> {
        match self.find(hash, key) {
            Some(id) => self[id].lead,
            None => self.lead_of_new(hash, key),
        }
    }

    /// Returns the lead for a key that no entry has as its text.
    fn lead_of_new(&self, hash: u64, key: &[u8]) -> Option<UrlId> {
        let is_same = |&(of, id): &(u64, UrlId)| of == hash && *equality_key(self.text_of(id)) == *key;
        self.keys.find(hash, is_same).map(|&(_, id)| id)
    }

    /// Adds an entry, and returns its id. `key` is the key of equality, or `None` for a doubtful URL.
    pub(super) fn insert(
        &mut self,
        hash: u64,
        readings: &[u8],
        key: Option<&[u8]>,
        first: LedgerPlace,
        context: [&BStr; 3],
    ) -> UrlId {
        let id = UrlId::new(self.entries.len());
        // Most URLs are their own key. The others are found by their key in a separate table.
        let other_key = key.filter(|&key| key != readings).map(|key| (self.hash(key), key));
        let lead = match other_key {
            Some((hash, key)) => self.lead_of(hash, key),
            None => key.and_then(|key| self.lead_of_new(hash, key)),
        };
        let lead = key.map(|_| lead.unwrap_or(id));
        self.entries.push(UrlRecord {
            first,
            text: self.text.len() as u64,
            count: 0,
            text_len: readings.len() as u32,
            lead,
            messages: 0,
            last_message: None,
            whole: 0,
            contest: None,
            days: DaySpan::default(),
        });
        self.text.extend_from_slice(readings);
        if let Some(contexts) = &mut self.contexts {
            contexts.push(context.map(|text| text.len() as u16));
            context.iter().for_each(|text| self.text.extend_from_slice(text));
        }
        if let Some((hash, _)) = other_key.filter(|_| lead == Some(id)) {
            self.keys.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        }
        self.enlist(hash, id);
        id
    }

    /// Adds the newest entry to the table by text. A full table is rebuilt here, in the order of the
    /// URLs, so that their texts are read sequentially. A table that grows by itself would read them in
    /// random order.
    fn enlist(&mut self, hash: u64, id: UrlId) {
        if self.spellings.len() == self.spellings.capacity() {
            let capacity = 2 * self.spellings.capacity();
            // The old table is dropped first, since memory may not have room for both.
            self.spellings = HashTable::new();
            let mut spellings = HashTable::with_capacity(capacity.max(1 << 10));
            for id in self.ids().filter(|&other| other != id) {
                spellings.insert_unique(self.hash(self.text_of(id)), id, |&id| self.hash(self.text_of(id)));
            }
            self.spellings = spellings;
        }
        let Urls { hasher, entries, text, spellings, .. } = self;
        let spelling = |id: &UrlId| text_of(&entries[id.index()], text).as_bytes();
        spellings.insert_unique(hash, id, |id| hasher.hash_one(spelling(id)));
    }

    /// Returns the readings of an entry.
    pub(in crate::command) fn readings(&self, id: UrlId) -> Readings<'_> {
        Readings::of_text(self.text_of(id))
    }

    /// Returns the text of an entry: the URL, or the readings of a doubtful one.
    fn text_of(&self, id: UrlId) -> &BStr {
        text_of(&self[id], &self.text)
    }

    /// Returns the text around the first place, if it is kept.
    pub(in crate::command) fn context(&self, id: UrlId) -> Option<[&BStr; 3]> {
        let lengths = self.contexts.as_ref()?[id.index()];
        let mut start = self[id].text as usize + self[id].text_len as usize;
        Some(lengths.map(|length| {
            let end = start + usize::from(length);
            self.text[std::mem::replace(&mut start, end)..end].as_bstr()
        }))
    }
}

impl Index<UrlId> for Urls {
    type Output = UrlRecord;

    fn index(&self, id: UrlId) -> &UrlRecord {
        &self.entries[id.index()]
    }
}

impl IndexMut<UrlId> for Urls {
    fn index_mut(&mut self, id: UrlId) -> &mut UrlRecord {
        &mut self.entries[id.index()]
    }
}

fn text_of<'t>(entry: &UrlRecord, text: &'t [u8]) -> &'t BStr {
    text[entry.text as usize..][..entry.text_len as usize].as_bstr()
}
