//! Every URL once, as it is written, and found again by what is written and by what it means.

use std::hash::BuildHasher;
use std::ops::{Index, IndexMut};

use bstr::{BStr, ByteSlice};
use hashbrown::{DefaultHashBuilder, HashTable};
use urlgrep::url::equality_key;

use super::index::{ContestId, UrlId};
use super::messages::MessageId;
use super::places::LedgerPlace;
use crate::command::model::DaySpan;

/// A URL as it is written, or a doubtful one with its readings.
#[derive(Debug)]
pub(in crate::command) struct UrlRecord {
    /// Where it was seen first.
    pub(in crate::command) first: LedgerPlace,
    text: u64,
    pub(in crate::command) count: u64,
    text_len: u32,
    /// The first entry with the same key, which may be itself; none of a doubtful URL until the ledger is closed.
    pub(in crate::command) lead: Option<UrlId>,
    /// Of a lead: messages that hold the URL, and the last of them.
    pub(in crate::command) messages: u32,
    pub(super) last_message: Option<MessageId>,
    /// Of a lead: places where the URL stands on one line.
    pub(super) whole: u32,
    /// Of a lead: it is a reading of a doubtful URL.
    pub(super) contest: Option<ContestId>,
    /// The days of its messages.
    pub(in crate::command) days: DaySpan,
}

#[derive(Debug)]
pub(in crate::command) struct Urls {
    hasher: DefaultHashBuilder,
    entries: Vec<UrlRecord>,
    /// What is written, each followed by its context.
    text: Vec<u8>,
    /// Entries by what is written.
    spellings: HashTable<UrlId>,
    /// Leads by their key, where that is not what is written, with its hash: a key is long in the making.
    keys: HashTable<(u64, UrlId)>,
    /// Of each entry the lengths of its context's three pieces, which follow what is written.
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

    pub(super) fn find(&self, hash: u64, readings: &[u8]) -> Option<UrlId> {
        self.spellings.find(hash, |&id| self.readings(id) == readings).copied()
    }

    /// The lead of the URLs that have an equivalence key, whose hash is given.
    pub(super) fn lead_of(&self, hash: u64, key: &[u8]) -> Option<UrlId> {
        match self.find(hash, key) {
            Some(id) => self[id].lead,
            None => self.lead_of_new(hash, key),
        }
    }

    /// The same for a key that no URL is written as.
    fn lead_of_new(&self, hash: u64, key: &[u8]) -> Option<UrlId> {
        let is_same = |&(of, id): &(u64, UrlId)| of == hash && *equality_key(self.readings(id)) == *key;
        self.keys.find(hash, is_same).map(|&(_, id)| id)
    }

    /// A new entry. `key` is the equivalence key of what is not doubtful.
    pub(super) fn insert(
        &mut self,
        hash: u64,
        readings: &[u8],
        key: Option<&[u8]>,
        first: LedgerPlace,
        context: [&BStr; 3],
    ) -> UrlId {
        let id = UrlId::new(self.entries.len());
        // Most URLs are their own key; the others are found by it in a table of their own.
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

    /// Makes the newest entry one to be found. The table grows here, and anew: in the order of the URLs they are read as fast as
    /// memory is, where a table that moved its rows would read them in its own order.
    fn enlist(&mut self, hash: u64, id: UrlId) {
        if self.spellings.len() == self.spellings.capacity() {
            let capacity = 2 * self.spellings.capacity();
            // There is never room for two.
            self.spellings = HashTable::new();
            let mut spellings = HashTable::with_capacity(capacity.max(1 << 10));
            for id in self.ids().filter(|&other| other != id) {
                spellings.insert_unique(self.hash(self.readings(id)), id, |&id| self.hash(self.readings(id)));
            }
            self.spellings = spellings;
        }
        let Urls { hasher, entries, text, spellings, .. } = self;
        let spelling = |id: &UrlId| text_of(&entries[id.index()], text).as_bytes();
        spellings.insert_unique(hash, id, |id| hasher.hash_one(spelling(id)));
    }

    /// What is written: the URL; of a doubtful one every reading, with LF between them.
    pub(in crate::command) fn readings(&self, id: UrlId) -> &BStr {
        text_of(&self[id], &self.text)
    }

    /// The text around the first place.
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
