//! The records of an audit's workers. A [`Sheet`] holds the matches of a piece of one file, without
//! the text around them.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError, RwLock};

use bstr::{BStr, BString, ByteSlice};
use hashbrown::{DefaultHashBuilder, HashTable};
use urlgrep::archive::Envelope;
use urlgrep::audit::{
    self, Inspected, PlaceRules, Rule, RuleOptions, doubtful_readings, mask, mask_text, unseen_names,
};
use urlgrep::{Brief, Kind, Match, Sink};

use super::model::{Day, InMessage};
use super::readings::Readings;
use super::recent;

/// The bytes of text to keep before and after a match. The match itself is kept up to four times
/// that length.
const CONTEXT: usize = 80;
const LONGEST_SOURCE: usize = 4 * CONTEXT;

/// The most URLs that the ledger announces to the workers. A frequent URL also occurs early, so the
/// first ones suffice.
const MOST_KNOWN: usize = 1 << 20;

/// Makes sheets, and determines what need not be recorded. It is cheap to clone; every worker has
/// one.
///
/// Reading a message's header is slower than finding a URL in it. A report shows the header only
/// for the first place of a URL. So the [`Ledger`](super::Ledger) announces the URLs that it has,
/// and no header is read for those URLs. That saves half of the time of an audit of mailing lists
/// (2026-11). A sheet omits only what the ledger would ignore. So the report does not depend on how
/// far the ledger has come.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    context: bool,
    messages: bool,
    /// The rules that decide which messages are read, if the report shows messages only with findings.
    findings_alone: Option<RuleOptions>,
    /// Whether A-HTTP is enabled. It fires on the first http URL of a host, whatever its bytes.
    reports_plain_http: bool,
    hasher: DefaultHashBuilder,
    /// Hashes of the readings and of the http sites that the ledger has. The hashes are keyed, so
    /// that nobody can construct a URL that collides with another URL.
    known: Arc<RwLock<HashTable<u64>>>,
}

/// The matches of a piece of one file, in order.
#[derive(Debug)]
pub(crate) struct Sheet {
    recorder: Recorder,
    records: Vec<Record>,
    text: Vec<u8>,
    messages: Vec<SheetMessage>,
}

#[derive(Debug)]
struct Record {
    /// The ends of this record's texts. The texts are the readings, the anchor's host, the unseen
    /// characters, and the three parts of the context.
    ends: [usize; 6],
    /// The hash of the readings.
    hash: u64,
    spot: Spot,
    in_message: Option<u32>,
}

#[derive(Debug)]
struct SheetMessage {
    number: Option<u64>,
    offset: u64,
    inner: Option<usize>,
    part: Option<Box<str>>,
    encoding: Option<&'static str>,
    day: Option<Day>,
    /// The header, if a report may show it.
    envelope: Option<Arc<Envelope>>,
}

/// A place where a URL was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SightedUrl<'s> {
    /// The URL; for a relative link, its resolved form.
    pub(crate) readings: Readings<'s>,
    pub(crate) spot: Spot,
    /// The host that an anchor's text shows, if its link leads to another host. It is empty otherwise.
    pub(crate) shown_host: &'s BStr,
    /// The names of the invisible characters, if A-BIDI or A-BIDI-NEAR fires. It is empty otherwise.
    pub(crate) unseen: &'s BStr,
    /// The text before the match, the text that it covers, and the text after it, with secrets masked.
    /// They are empty if the context is not kept. For an HTML attribute, they are its name, its value,
    /// and the text that the anchor encloses.
    pub(crate) context: [&'s BStr; 3],
    /// The message around the place.
    pub(crate) in_message: Option<SightedMessage<'s>>,
}

/// A place where a URL was seen, without any text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The offset of the match's first byte in the source, or in an unpacked text (see
    /// [`InMessage::encoding`]).
    pub(crate) offset: u64,
    /// The number of bytes that the match covers.
    pub(crate) length: u64,
    /// The line of the first byte, from 1.
    pub(crate) line: u64,
    /// The column of the first byte in bytes, from 1.
    pub(crate) column: u64,
    /// How the text delimits the URL.
    pub(crate) kind: Kind,
    /// Whether the URL is on one line.
    pub(crate) is_whole: bool,
    /// The rules of the place that apply: those that fire, excuse or become worse there.
    pub(crate) rules: PlaceRules,
}

/// The message around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SightedMessage<'s> {
    /// The offset, in the part's text, of the header of an enclosed message. It is `None` if the
    /// message is the archive's own.
    pub(crate) inner: Option<usize>,
    /// The day of the message's date.
    pub(crate) day: Option<Day>,
    /// The message itself. The texts of its header are also `None` if the ledger does not need them
    /// ([`Recorder`]).
    pub(crate) info: InMessage<'s>,
}

impl Spot {
    /// Returns true if a rule fires because of the place, or is worse there.
    pub(super) fn is_marked(&self) -> bool {
        self.rules.firing().chain(self.rules.worse()).next().is_some()
    }
}

impl Sheet {
    /// Returns the approximate size of the sheet in bytes.
    pub(crate) fn size(&self) -> usize {
        self.text.len() + self.records.len() * size_of::<Record>()
    }

    /// Appends the matches of the next piece of the same file.
    pub(crate) fn append(&mut self, next: Sheet) {
        let text = self.text.len();
        let messages = self.messages.len() as u32;
        self.text.extend_from_slice(&next.text);
        self.messages.extend(next.messages);
        self.records.extend(next.records.into_iter().map(|record| Record {
            ends: record.ends.map(|end| text + end),
            in_message: record.in_message.map(|at| messages + at),
            ..record
        }));
    }

    /// Returns an empty sheet of the same recorder.
    pub(crate) fn another(&self) -> Sheet {
        self.recorder.sheet()
    }

    /// Calls `place` with every spot, to set its position.
    pub(crate) fn move_spots(&mut self, place: impl FnMut(&mut Spot)) {
        self.records.iter_mut().map(|record| &mut record.spot).for_each(place);
    }

    /// Returns the recorded places, in order.
    pub(crate) fn sightings(&self) -> impl Iterator<Item = SightedUrl<'_>> {
        self.hashed().map(|(_, sighting)| sighting)
    }

    /// Returns the recorded places, each with the hash of its readings.
    pub(super) fn hashed(&self) -> impl Iterator<Item = (u64, SightedUrl<'_>)> {
        let mut start = 0;
        self.records.iter().map(move |record| {
            let mut cut = |end: usize| self.text[std::mem::replace(&mut start, end)..end].as_bstr();
            let [readings, shown_host, unseen, before, source, after] = record.ends.map(&mut cut);
            let sighting = SightedUrl {
                readings: Readings::of_text(readings),
                spot: record.spot,
                shown_host,
                unseen,
                context: [before, source, after],
                in_message: record.in_message.map(|at| self.messages[at as usize].view()),
            };
            (record.hash, sighting)
        })
    }

    /// Returns the index of a match's message: the last one, or a new one.
    fn in_message(&mut self, brief: &Brief<'_>, needs_envelope: bool) -> u32 {
        // Matches come in order, so only the last message can be the message of this match.
        let is_last = self.messages.last().is_some_and(|last| {
            (last.offset, last.inner, last.encoding) == (brief.offset, brief.inner, brief.encoding)
                && last.part.as_deref() == brief.part
        });
        if !is_last {
            self.messages.push(SheetMessage {
                number: brief.number,
                offset: brief.offset,
                inner: brief.inner,
                part: brief.part.map(Box::from),
                encoding: brief.encoding,
                day: brief.day().and_then(|(year, month, day)| Day::new(year, month, day)),
                envelope: None,
            });
        }
        let at = self.messages.len() - 1;
        if needs_envelope && self.messages[at].envelope.is_none() {
            self.messages[at].envelope = Some(masked(brief.envelope()));
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
        if found.is_unresolved() && !found.url().starts_with(b"/") {
            return; // its target is unknown
        }
        let rules = PlaceRules::of(found);
        let span = found.span();
        let spot = Spot {
            offset: span.start,
            length: span.end - span.start,
            line: found.line().unwrap_or(0),
            column: found.column().unwrap_or(0),
            kind: found.kind(),
            is_whole: !found.rejoined(),
            rules,
        };
        let start = self.text.len();
        self.text.extend_from_slice(found.target());
        if rules.contains(Rule::Hyphen) {
            for reading in doubtful_readings(found) {
                Readings::add(&mut self.text, &reading);
            }
        }
        let readings = self.text.len();
        let hash = self.recorder.hasher.hash_one(&self.text[start..readings]);
        let in_message = found.brief().map(|brief| {
            let needs_envelope =
                spot.is_marked() || self.recorder.messages || self.recorder.may_show(hash, found.target());
            self.in_message(&brief, needs_envelope)
        });
        let shown_host = match rules.contains(Rule::Anchor) {
            true => found.shown_host().map_or(readings, |host| self.end(host.as_bytes())),
            false => readings,
        };
        let unseen = match rules.contains(Rule::Bidi) || rules.contains(Rule::BidiNear) {
            true => self.end(unseen_names(found).as_bytes()),
            false => shown_host,
        };
        let mut ends = [readings, shown_host, unseen, unseen, unseen, unseen];
        if self.recorder.context {
            let context = context(found);
            [ends[3], ends[4], ends[5]] = [0, 1, 2].map(|part| self.end(&context[part]));
        }
        self.records.push(Record { ends, hash, spot, in_message });
    }

    fn is_full(&self) -> bool {
        // A message can hold a million links, and a sheet must not grow with them.
        self.size() >= 4 << 20
    }
}

/// Returns the text before a match, the text that it covers, and the text after it, without their
/// secrets. For an attribute, they are its name, its value, and the text of the anchor.
fn context(found: &Match<'_>) -> [BString; 3] {
    let [mut before, mut source, after] = match (found.kind() == Kind::Attribute).then(|| found.place()).flatten() {
        // The text around an attribute is markup. Its name and the text of the anchor are more
        // useful.
        Some(place) => {
            let text = |text: Option<String>, start: &str, end: &str| {
                text.map_or_else(BString::default, |text| {
                    mask_text(format!("{start}{text}{end}").as_bytes()).into_owned()
                })
            };
            [text(place.attribute, "", " "), mask_text(found.source()).into_owned(), text(place.text, " ", "")]
        }
        // The text is masked before it is cut, since a cut can hide that something is a password.
        None => recent::masked(found),
    };
    if is_within_word(&before) {
        before = "***".into();
    }
    if let Some(short) = audit::data_in_short(found.url()) {
        source = short.into();
    } else if let Cow::Owned(url) = mask(found.url())
        && (found.rejoined() || masks(&source) < masks(&url))
    {
        // Line breaks, escapes and a missing scheme may hide that the source has secrets. The finder
        // has read it.
        source = url;
    }
    let start = before.len().saturating_sub(CONTEXT);
    let cut = |text: &BStr, most: usize| text[..text.len().min(most)].into();
    [before[start..].into(), cut(source.as_bstr(), LONGEST_SOURCE), cut(after.as_bstr(), CONTEXT)]
}

/// Returns the number of masks in a text.
fn masks(text: &[u8]) -> usize {
    text.find_iter("***").count()
}

/// Returns whether the text before a match is one long word up to the part that is kept. The word
/// may be a secret whose name is further up.
fn is_within_word(before: &[u8]) -> bool {
    let is_of_secret = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=%".contains(byte);
    before.len() >= LONGEST_SOURCE && before[..before.len() - CONTEXT].iter().all(is_of_secret)
}

/// Returns an envelope without secrets, since anybody can write a URL into a header. Masking here
/// covers every report and the database.
fn masked(envelope: &Arc<Envelope>) -> Arc<Envelope> {
    // The date needs no masking: it is built from numbers.
    let Envelope { id, from, subject, newsgroups, url, .. } = &**envelope;
    let text = |text: &Option<String>, hide: fn(&[u8]) -> Cow<'_, BStr>| {
        let text = text.as_ref()?;
        match hide(text.as_bytes()) {
            Cow::Borrowed(_) => None,
            Cow::Owned(masked) => Some(masked.to_string()),
        }
    };
    let texts = [id, from, subject, newsgroups].map(|field| text(field, mask_text));
    let target = text(url, mask);
    if target.is_none() && texts.iter().all(Option::is_none) {
        return Arc::clone(envelope);
    }
    let [id, from, subject, newsgroups] = texts;
    let whole = Envelope::clone(envelope);
    Arc::new(Envelope {
        id: id.or(whole.id),
        date: whole.date,
        from: from.or(whole.from),
        subject: subject.or(whole.subject),
        newsgroups: newsgroups.or(whole.newsgroups),
        url: target.or(whole.url),
        language: whole.language,
    })
}

impl SheetMessage {
    fn view(&self) -> SightedMessage<'_> {
        let envelope = self.envelope.as_deref();
        SightedMessage {
            inner: self.inner,
            day: self.day,
            info: InMessage {
                id: envelope.and_then(|envelope| envelope.id.as_deref()),
                date: envelope.and_then(|envelope| envelope.date.as_deref()),
                from: envelope.and_then(|envelope| envelope.from.as_deref()),
                subject: envelope.and_then(|envelope| envelope.subject.as_deref()),
                newsgroups: envelope.and_then(|envelope| envelope.newsgroups.as_deref()),
                url: envelope.and_then(|envelope| envelope.url.as_deref()),
                number: self.number,
                offset: self.offset,
                part: self.part.as_deref(),
                encoding: self.encoding,
            },
        }
    }
}

impl Recorder {
    /// Returns a recorder that keeps the message of each URL's first place. It also keeps the message
    /// of every place where a rule of the place fires.
    pub(crate) fn new() -> Recorder {
        Recorder::default()
    }

    /// Sets whether the text around each place is kept.
    pub(crate) fn context(self, yes: bool) -> Recorder {
        Recorder { context: yes, ..self }
    }

    /// Sets whether the message of every place is kept.
    pub(crate) fn messages(self, yes: bool) -> Recorder {
        Recorder { messages: yes, ..self }
    }

    /// Sets the rules that decide which messages are read. The report then shows messages only with
    /// their findings.
    pub(crate) fn findings_alone(self, rules: Option<RuleOptions>) -> Recorder {
        Recorder { findings_alone: rules, ..self }
    }

    /// Sets whether the report has findings of A-HTTP.
    pub(crate) fn plain_http(self, yes: bool) -> Recorder {
        Recorder { reports_plain_http: yes, ..self }
    }

    /// Returns an empty sheet.
    pub(crate) fn sheet(&self) -> Sheet {
        Sheet { recorder: self.clone(), records: Vec::new(), text: Vec::new(), messages: Vec::new() }
    }

    pub(super) fn keeps_context(&self) -> bool {
        self.context
    }

    pub(super) fn hasher(&self) -> DefaultHashBuilder {
        self.hasher.clone()
    }

    /// Announces to the workers that the ledger has these URLs.
    pub(super) fn announce(&self, hashes: &[u64]) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_KNOWN.saturating_sub(known.len());
        for &hash in hashes.iter().take(room) {
            known.entry(hash, |&other| other == hash, |&hash| hash).or_insert(hash);
        }
    }

    /// Returns true if this may be the first place of the URL, and the report may show its message.
    fn may_show(&self, hash: u64, url: &[u8]) -> bool {
        let may_fire = |rules| Inspected::quiet(url, rules).may_fire();
        let is_first_of_site = || self.plain_site(url).is_some_and(|site| !self.is_known(site));
        !self.is_known(hash) && self.findings_alone.is_none_or(|rules| may_fire(rules) || is_first_of_site())
    }

    /// Returns the hash of an http URL up to its path, if A-HTTP may report the site's first URL.
    pub(super) fn plain_site(&self, url: &[u8]) -> Option<u64> {
        let scheme = url.get(..7).filter(|_| self.reports_plain_http)?;
        let rest = url.get(7..).filter(|_| scheme.eq_ignore_ascii_case(b"http://"))?;
        let end = rest.find_byteset(b"/?#\n").unwrap_or(rest.len());
        // The tuple tells it from the hash of a URL.
        Some(self.hasher.hash_one(("site", &rest[..end])))
    }

    fn is_known(&self, hash: u64) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).find(hash, |&known| known == hash).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlgrep::Extractor;

    #[test]
    fn a_doubtful_place_has_all_its_readings() {
        let mut sheet = Recorder::new().sheet();
        let extractor = Extractor::builder().line_numbers(true).build();
        extractor.find_iter(b"<URL:http://a.example/x-\ny>").for_each(|found| sheet.add(&found));
        let sighting = sheet.sightings().next().unwrap();
        assert_eq!(sighting.readings.text(), "http://a.example/x-y\nhttp://a.example/xy");
    }
}
