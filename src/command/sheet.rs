//! What the workers of an audit write down: a [`Sheet`] is the matches of a piece of one file, without the text around.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

use bstr::{BStr, ByteSlice};
use hashbrown::HashTable;

use super::model::Day;
use crate::archive::Envelope;
use crate::audit::secret::mask_text;
use crate::audit::{Rule, hyphen_readings};
use crate::drive::Brief;
use crate::{Kind, Match, Sink};

/// How much of the text before and after a match is kept, and of the match itself.
const CONTEXT: usize = 80;
const LONGEST_SOURCE: usize = 4 * CONTEXT;

/// Workers are told of so many booked URLs: what is said often is said early.
const MOST_BOOKED: usize = 1 << 20;

/// Where sheets come from: what is written on them, and what need not be. Cheap to clone; every worker has one.
///
/// Reading a message's header takes longer than finding a URL in it, and a report shows it only for the first place of a
/// URL. So the [`Ledger`](super::Ledger) tells which URLs it has booked, and no header is read for those: half of the
/// time of an audit of mailing lists (2026-11). What a sheet leaves out nobody would have looked at, so the report is the
/// same however far the ledger has come.
#[derive(Clone, Debug, Default)]
pub struct Pad {
    context: bool,
    letters: bool,
    hasher: RandomState,
    /// Hashes of the readings. Keyed, so that nobody can write a URL that passes for another.
    booked: Arc<RwLock<HashTable<u64>>>,
}

/// The matches of a piece of one file, in order.
///
/// ```
/// use urlgrep::{Sink, Extractor, command::Pad};
///
/// let mut sheet = Pad::new().sheet();
/// let extractor = Extractor::builder().line_numbers(true).build();
/// extractor.find_iter(b"<URL:http://a.example/x-\ny>").for_each(|found| sheet.add(&found));
/// let sighting = sheet.sightings().next().unwrap();
/// assert_eq!(sighting.readings, "http://a.example/x-y\nhttp://a.example/xy");
/// ```
#[derive(Debug)]
pub struct Sheet {
    pad: Pad,
    records: Vec<Record>,
    text: Vec<u8>,
    letters: Vec<SheetLetter>,
}

#[derive(Debug)]
struct Record {
    /// Where the texts end that this record wrote: the readings, the anchor's host, and the context in three.
    ends: [usize; 5],
    /// Of the readings.
    hash: u64,
    offset: u64,
    length: u64,
    line: u64,
    column: u64,
    kind: Kind,
    is_whole: bool,
    rules: PlaceRules,
    letter: Option<u32>,
}

#[derive(Debug)]
struct SheetLetter {
    number: Option<u64>,
    offset: u64,
    inner: Option<usize>,
    part: Option<Box<str>>,
    encoding: Option<&'static str>,
    day: Option<Day>,
    /// Where somebody will ask for it.
    envelope: Option<Arc<Envelope>>,
}

/// A place where a URL was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sighting<'s> {
    /// The URL; of a relative link what it resolves to. Where a hyphen is doubtful every reading of it, the preferred one
    /// first, with LF between them, which no URL holds.
    pub readings: &'s BStr,
    /// The first byte of the source that the match covers, or of the decoded part (see [`SightedLetter::encoding`]).
    pub offset: u64,
    /// How many bytes it covers.
    pub length: u64,
    /// Line of the first byte, from 1.
    pub line: u64,
    /// Column of the first byte, from 1, in bytes.
    pub column: u64,
    /// How the text delimits the URL.
    pub kind: Kind,
    /// The URL stands on one line.
    pub is_whole: bool,
    /// What is to be said of the place.
    pub rules: PlaceRules,
    /// The host that an anchor's text shows, where its link goes to another; else empty.
    pub shown_host: &'s BStr,
    /// The text before, what the match covers, and the text after, with passwords masked; empty where it is not kept. Of an
    /// attribute of HTML its name, and what the anchor encloses.
    pub context: [&'s BStr; 3],
    /// The message around it.
    pub letter: Option<SightedLetter<'s>>,
}

/// The message around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SightedLetter<'s> {
    /// Offset in the part's text of the header of the message that the text encloses here; `None` where the message is the
    /// one of the archive.
    pub inner: Option<usize>,
    /// The day of its date.
    pub day: Option<Day>,
    /// The Message-ID without its angle brackets. This and the other texts are `None`, too, where the ledger has no need of
    /// them ([`Pad`]).
    pub id: Option<&'s str>,
    /// `2002-10-05T23:56:00-07:00`.
    pub date: Option<&'s str>,
    /// `Name <address>`, or one of the two.
    pub from: Option<&'s str>,
    /// The subject.
    pub subject: Option<&'s str>,
    /// Which message of the archive it is, from 1.
    pub number: Option<u64>,
    /// Offset in the archive of the message's first byte, or of the separator before it.
    pub offset: u64,
    /// The MIME part, as IMAP numbers it; `None` in a header.
    pub part: Option<&'s str>,
    /// How the part is encoded, where offsets count in the decoded part.
    pub encoding: Option<&'s str>,
}

impl Sheet {
    /// Bytes that it takes, about.
    pub fn size(&self) -> usize {
        self.text.len() + self.records.len() * size_of::<Record>()
    }

    /// Puts the matches of the next piece of the same file on this one.
    pub fn append(&mut self, next: Sheet) {
        let text = self.text.len();
        let letters = self.letters.len() as u32;
        self.text.extend_from_slice(&next.text);
        self.letters.extend(next.letters);
        self.records.extend(next.records.into_iter().map(|record| Record {
            ends: record.ends.map(|end| text + end),
            letter: record.letter.map(|letter| letters + letter),
            ..record
        }));
    }

    /// What is on it, in order.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting<'_>> {
        self.hashed().map(|(_, sighting)| sighting)
    }

    /// The same with the hashes of the readings.
    pub(super) fn hashed(&self) -> impl Iterator<Item = (u64, Sighting<'_>)> {
        let mut start = 0;
        self.records.iter().map(move |record| {
            let mut cut = |end: usize| self.text[std::mem::replace(&mut start, end)..end].as_bstr();
            let [readings, shown_host, before, source, after] = record.ends.map(&mut cut);
            let sighting = Sighting {
                readings,
                offset: record.offset,
                length: record.length,
                line: record.line,
                column: record.column,
                kind: record.kind,
                is_whole: record.is_whole,
                rules: record.rules,
                shown_host,
                context: [before, source, after],
                letter: record.letter.map(|letter| self.letters[letter as usize].view()),
            };
            (record.hash, sighting)
        })
    }

    /// The letter of a match: the last one, or a new one.
    fn letter(&mut self, brief: &Brief<'_>, is_told: bool) -> u32 {
        let is_last = self.letters.last().is_some_and(|last| {
            (last.offset, last.inner, last.encoding) == (brief.offset, brief.inner, brief.encoding)
                && last.part.as_deref() == brief.part
        });
        if !is_last {
            self.letters.push(SheetLetter {
                number: brief.number,
                offset: brief.offset,
                inner: brief.inner,
                part: brief.part.map(Box::from),
                encoding: brief.encoding,
                day: brief.day().and_then(|(year, month, day)| Day::new(year, month, day)),
                envelope: None,
            });
        }
        let at = self.letters.len() - 1;
        if is_told && self.letters[at].envelope.is_none() {
            self.letters[at].envelope = Some(Arc::clone(brief.envelope()));
        }
        at as u32
    }

    fn end(&mut self, text: &[u8]) -> usize {
        self.text.extend_from_slice(text);
        self.text.len()
    }
}

impl Sink for Sheet {
    fn add(&mut self, found: &Match<'_>) {
        let rules = PlaceRules::of(found);
        let start = self.text.len();
        self.text.extend_from_slice(found.target());
        if rules.contains(Rule::Hyphen) {
            for reading in hyphen_readings(found) {
                self.text.push(b'\n');
                self.text.extend_from_slice(&reading);
            }
        }
        let readings = self.text.len();
        let hash = self.pad.hash(&self.text[start..readings]);
        let is_told = !rules.is_empty() || self.pad.letters || !self.pad.is_booked(hash);
        let letter = found.brief().map(|brief| self.letter(&brief, is_told));
        let shown_host = match rules.contains(Rule::Anchor) {
            true => found.shown_host().map_or(readings, |host| self.end(host.as_bytes())),
            false => readings,
        };
        let mut ends = [readings, shown_host, shown_host, shown_host, shown_host];
        if self.pad.context {
            let link = (found.kind() == Kind::Attribute).then(|| found.place()).flatten().map(|place| {
                // A text of its own: what says more is which attribute it is, and what the anchor encloses.
                let named = |text: Option<String>| text.unwrap_or_default();
                (named(place.attribute.map(|name| name + " ")), named(place.text.map(|text| format!(" {text}"))))
            });
            let (before, after) = match &link {
                Some((before, after)) => (before.as_bytes().as_bstr(), after.as_bytes().as_bstr()),
                None => found.surroundings(8 * CONTEXT),
            };
            // Masked before it is cut, for a cut can hide that something is a password.
            let (before, source, after) = (mask_text(before), mask_text(found.source()), mask_text(after));
            ends[2] = self.end(&before[before.len().saturating_sub(CONTEXT)..]);
            ends[3] = self.end(&source[..source.len().min(LONGEST_SOURCE)]);
            ends[4] = self.end(&after[..after.len().min(CONTEXT)]);
        }
        let span = found.span();
        self.records.push(Record {
            ends,
            hash,
            offset: span.start,
            length: span.end - span.start,
            line: found.line().unwrap_or(0),
            column: found.column().unwrap_or(0),
            kind: found.kind(),
            is_whole: !found.rejoined(),
            rules,
            letter,
        });
    }

    fn is_full(&self) -> bool {
        self.size() >= 4 << 20
    }
}

impl SheetLetter {
    fn view(&self) -> SightedLetter<'_> {
        let envelope = self.envelope.as_deref();
        SightedLetter {
            inner: self.inner,
            day: self.day,
            id: envelope.and_then(|envelope| envelope.id.as_deref()),
            date: envelope.and_then(|envelope| envelope.date.as_deref()),
            from: envelope.and_then(|envelope| envelope.from.as_deref()),
            subject: envelope.and_then(|envelope| envelope.subject.as_deref()),
            number: self.number,
            offset: self.offset,
            part: self.part.as_deref(),
            encoding: self.encoding,
        }
    }
}

impl Pad {
    /// Sheets with the message of the first place of each URL, and of every place that a rule fires on.
    #[must_use]
    pub fn new() -> Pad {
        Pad::default()
    }

    /// And with the text around each place.
    #[must_use]
    pub fn context(self, yes: bool) -> Pad {
        Pad { context: yes, ..self }
    }

    /// And with the message of every place.
    #[must_use]
    pub fn letters(self, yes: bool) -> Pad {
        Pad { letters: yes, ..self }
    }

    /// An empty sheet.
    #[must_use]
    pub fn sheet(&self) -> Sheet {
        Sheet { pad: self.clone(), records: Vec::new(), text: Vec::new(), letters: Vec::new() }
    }

    pub(super) fn keeps_context(&self) -> bool {
        self.context
    }

    pub(super) fn hash(&self, readings: &[u8]) -> u64 {
        self.hasher.hash_one(readings)
    }

    /// Tells the workers that these are booked.
    pub(super) fn book(&self, hashes: &[u64]) {
        let mut booked = self.booked.write().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_BOOKED.saturating_sub(booked.len());
        for &hash in hashes.iter().take(room) {
            booked.insert_unique(hash, hash, |&hash| hash);
        }
    }

    fn is_booked(&self, hash: u64) -> bool {
        self.booked.read().unwrap_or_else(PoisonError::into_inner).find(hash, |&booked| booked == hash).is_some()
    }
}

/// The rules that fire on the place of a match, as a set of one byte.
///
/// ```
/// use urlgrep::{Extractor, audit::Rule, command::PlaceRules};
///
/// let found = Extractor::new().find(b"<URL:http://a.ex ample/>").unwrap();
/// let rules = PlaceRules::of(&found);
/// assert!(rules.contains(Rule::SpaceJoin) && !rules.contains(Rule::Bidi));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceRules(u8);

impl PlaceRules {
    /// The rules that fire where a match stands.
    #[must_use]
    pub fn of(found: &Match<'_>) -> PlaceRules {
        let fires = |rule: &Option<Rule>| rule.is_some_and(|rule| rule.of_place(found).is_some());
        PlaceRules(Rule::PLACE.iter().rev().fold(0, |bits, rule| bits << 1 | u8::from(fires(rule))))
    }

    /// True if none fires.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if this one fires. A rule that the place does not decide never does.
    #[must_use]
    pub fn contains(self, rule: Rule) -> bool {
        self.rules().any(|fires| fires == rule)
    }

    /// The rules that fire, in the order of their bits.
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        let fires = move |&(bit, _): &(usize, _)| self.0 >> bit & 1 == 1;
        Rule::PLACE.iter().enumerate().filter(fires).filter_map(|(_, rule)| *rule)
    }

    /// For storage.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// From storage. Bits that no rule has mean nothing.
    #[must_use]
    pub const fn from_bits(bits: u8) -> PlaceRules {
        PlaceRules(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    #[test]
    fn place_rules_are_a_set() {
        let found = Extractor::new().find("<URL:http://foo-\nb ar.com/>\u{202E}".as_bytes()).unwrap();
        let rules = PlaceRules::of(&found);
        assert!(rules.rules().eq([Rule::Bidi, Rule::Hyphen, Rule::SpaceJoin]));
        assert_eq!(PlaceRules::from_bits(rules.bits()), rules);
        assert_eq!(PlaceRules::of(&found.clone().into_owned()), rules);
        assert!(!rules.is_empty() && !rules.contains(Rule::Anchor) && !rules.contains(Rule::Crlf));
        assert!(PlaceRules::default().is_empty());
        assert_eq!(PlaceRules::from_bits(u8::MAX).rules().count(), 4);
    }
}
