//! The readings of a doubtful text: hyphens at line breaks, and a blank within a line (W-HYPH-2, W-HYPH-3, W-INNER).
//!
//! The search makes the first one; to judge all eight that three hyphens give takes ten times as long as to find them, and
//! they wait until something asks for them.

use crate::Level;
use crate::bytes::limits::READINGS;
use crate::find::judge::{Judge, Rank};
use crate::find::matches::{Pieces, UrlPiece};
use crate::find::options::HyphenOrder;
use crate::find::settled::Settled;
use crate::url::Verdict;

/// What stands between brackets, or a part of that (W-TWO), if something in it is in doubt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doubtful {
    pub(crate) pieces: Vec<DoubtfulPiece>,
    /// How many of them end in a doubtful hyphen.
    pub(crate) hyphens: usize,
    pub(crate) blank: Option<InnerBlank>,
    /// The text up to the next closer, if this one may be a reply marker (W-QUOTE-3).
    pub(crate) quoted: Option<Box<Doubtful>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DoubtfulPiece {
    pub(crate) piece: UrlPiece,
    /// Its last byte is a hyphen that may belong to the line break (W-HYPH-1).
    pub(crate) has_hyphen: bool,
}

impl Doubtful {
    pub(crate) fn push(&mut self, piece: impl Into<UrlPiece>) {
        self.pieces.push(DoubtfulPiece { piece: piece.into(), has_hyphen: false });
    }

    /// The last byte pushed is a doubtful hyphen.
    pub(crate) fn mark_hyphen(&mut self) {
        if let Some(last) = self.pieces.last_mut() {
            last.has_hyphen = true;
            self.hyphens += 1;
        }
    }
}

/// The first white space that touches no line break (W-INNER).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InnerBlank {
    /// How many pieces stand before it.
    pub(crate) pieces: usize,
    /// The word `or` or `and` follows, and more after it.
    pub(crate) is_before_conjunction: bool,
}

impl Doubtful {
    /// More than this many doubtful hyphens give two readings, not 2^n (W-HYPH-2).
    const MOST: usize = 3;
    /// So do those of lines that hold fewer bytes each of the text, on average. Those of the corpora hold 42 and more; without a
    /// limit a text of three bytes a line is judged in eight ways, which takes 400 instructions a byte.
    const NARROWEST: usize = 8;
    /// Which of them are dropped, bit by bit, the last one's lowest: in the order of the keys (4) and (5) of W-HYPH-3.
    const PATTERNS: [u32; 1 << Self::MOST] = [0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110, 0b111];

    /// The one that comes first, if it is wanted by what is settled before one is judged. `whole` is the text with all its hyphens.
    pub(crate) fn first_reading_if(
        &self,
        text: &[u8],
        mut whole: Spelt,
        judge: &Judge,
        is_wanted: impl FnOnce(&Settled, &[u8]) -> bool,
    ) -> Option<FirstReading> {
        let before = self.blank.as_ref().filter(|blank| blank.is_before_conjunction).map(|blank| self.before(blank));
        if let Some(before) = before
            && let Some(mut first) = before.spelt(text).first_reading_if(judge, Settled::may_be_rfc3986)
            && judge.is_truncated_url(&first.url, &mut first.verdict)
        {
            if !whole.has_reading(&first.url) {
                return Some(FirstReading { choice: Choice::Pieces(first.choice.pieces(before.pieces())), ..first });
            }
            let pieces = self.readings(text, judge).swap_remove(0);
            let url = pieces.bytes(text).into_owned();
            return Some(FirstReading { url, verdict: None, choice: Choice::Pieces(pieces) });
        }
        whole.first_reading_if(judge, is_wanted)
    }

    /// The same, wanted or not.
    fn first_reading(&self, text: &[u8], judge: &Judge) -> Pieces {
        match self.first_reading_if(text, self.spelt(text), judge, |_, _| true) {
            Some(first) => first.choice.pieces(self.pieces()),
            None => self.with_dropped(0),
        }
    }

    /// All of them, in order.
    pub(crate) fn readings(&self, text: &[u8], judge: &Judge) -> Vec<Pieces> {
        let mut readings = self.by_hyphens(text, judge);
        if let Some(blank) = &self.blank {
            let before = self.before(blank);
            let before = before.first_reading(text, judge);
            if judge.is_truncated_url(&before.bytes(text), &mut None)
                && readings.iter().all(|r| !r.same_text(&before, text))
            {
                if blank.is_before_conjunction {
                    readings.retain(|reading| judge.is_iri(&reading.bytes(text)));
                    readings.insert(0, before);
                } else {
                    readings.push(before);
                }
            }
        }
        readings.truncate(READINGS);
        if let Some(quoted) = self.quoted.as_ref().filter(|_| readings.len() < READINGS) {
            let quoted = quoted.first_reading(text, judge);
            if judge.is_strict(text, &quoted) && readings.iter().all(|reading| !reading.same_text(&quoted, text)) {
                readings.push(quoted);
            }
        }
        readings
    }

    fn before(&self, blank: &InnerBlank) -> Doubtful {
        let pieces = self.pieces[..blank.pieces].to_vec();
        Doubtful { hyphens: pieces.iter().filter(|piece| piece.has_hyphen).count(), pieces, blank: None, quoted: None }
    }

    /// The readings in the order of W-HYPH-3: the result, then its alternatives.
    fn by_hyphens(&self, text: &[u8], judge: &Judge) -> Vec<Pieces> {
        if self.hyphens == 0 {
            return vec![self.with_dropped(0)];
        }
        let mut spelt = self.spelt(text);
        let mut urls = Vec::with_capacity(spelt.len << Self::MOST);
        let mut ranked = Vec::with_capacity(1 << Self::MOST);
        for pattern in spelt.patterns(judge.options.hyphen) {
            let start = urls.len();
            urls.extend_from_slice(spelt.reading(pattern));
            let url = &urls[start..];
            ranked.push((Rank::new(url, judge.verdict(url).level), pattern, start..urls.len()));
        }
        ranked.sort_by_key(|&(rank, ..)| rank);
        let best = ranked[0].0.level;
        if best == Level::None {
            return vec![self.with_dropped(0)];
        }
        let (mut readings, mut known) = (Vec::with_capacity(ranked.len()), Vec::with_capacity(ranked.len()));
        for (rank, pattern, url) in ranked {
            let counts = known.is_empty() || rank.level == best && !rank.odd_host;
            let url = &urls[url];
            if counts && !known.contains(&url) {
                known.push(url);
                readings.push(self.with_dropped(pattern));
            }
        }
        readings
    }

    fn len(&self) -> usize {
        self.pieces.iter().map(|doubtful| doubtful.piece.len()).sum()
    }

    /// The pieces, and whether each ends in a doubtful hyphen.
    fn pieces(&self) -> impl Iterator<Item = (&UrlPiece, bool)> {
        self.pieces.iter().map(|DoubtfulPiece { piece, has_hyphen }| (piece, *has_hyphen))
    }

    fn with_dropped(&self, pattern: u32) -> Pieces {
        let dropped = Dropped { pattern, hyphens: self.hyphens, are_apart: are_apart(self.hyphens, self.len()) };
        dropped.pieces(self.pieces())
    }

    fn spelt(&self, text: &[u8]) -> Spelt {
        let mut spelt = Spelt::with_capacity(self.len());
        for (piece, has_hyphen) in self.pieces() {
            spelt.push(piece.bytes(text), has_hyphen);
        }
        spelt
    }
}

/// The reading that comes first, and what was learnt of it on the way.
pub(crate) struct FirstReading {
    /// Its bytes.
    pub(crate) url: Vec<u8>,
    pub(crate) verdict: Option<Verdict>,
    pub(crate) choice: Choice,
}

/// A reading of a doubtful text.
pub(crate) enum Choice {
    Dropping(Dropped),
    Pieces(Pieces),
}

impl Choice {
    /// The pieces of the reading; `pieces` are those of the text, and whether each ends in a doubtful hyphen.
    pub(crate) fn pieces<'p>(self, pieces: impl Iterator<Item = (&'p UrlPiece, bool)>) -> Pieces {
        match self {
            Choice::Dropping(dropped) => dropped.pieces(pieces),
            Choice::Pieces(pieces) => pieces,
        }
    }
}

/// Which doubtful hyphens of a text a reading has not.
#[derive(Clone, Copy)]
pub(crate) struct Dropped {
    pattern: u32,
    /// How many there are.
    hyphens: usize,
    are_apart: bool,
}

impl Dropped {
    /// Whether one of them is dropped; all of them are, or none, if they are not apart.
    fn holds(self, hyphen: usize) -> bool {
        if self.are_apart { self.pattern >> (self.hyphens - 1 - hyphen) & 1 == 1 } else { self.pattern == 1 }
    }

    fn pieces<'p>(self, pieces: impl Iterator<Item = (&'p UrlPiece, bool)>) -> Pieces {
        let mut hyphen = 0;
        Pieces::new(pieces.map(|(piece, has_hyphen)| {
            let mut piece = piece.clone();
            if has_hyphen {
                piece.source.end -= usize::from(self.holds(hyphen));
                hyphen += 1;
            }
            piece
        }))
    }
}

/// Whether each of the doubtful hyphens of a text of `len` bytes may be dropped by itself (W-HYPH-2).
fn are_apart(hyphens: usize, len: usize) -> bool {
    hyphens < 2 || hyphens <= Doubtful::MOST && len >= hyphens * Doubtful::NARROWEST
}

/// A doubtful text with all its hyphens, and where they stand.
pub(crate) struct Spelt {
    /// The text, and behind it the last reading that was made: one allocation for both.
    bytes: Vec<u8>,
    /// The length of the text.
    len: usize,
    hyphens: Vec<usize>,
}

impl Spelt {
    pub(crate) fn with_capacity(len: usize) -> Spelt {
        Spelt { bytes: Vec::with_capacity(2 * len), len: 0, hyphens: Vec::new() }
    }

    /// Adds the bytes of a piece, the last of which may be a doubtful hyphen.
    pub(crate) fn push(&mut self, piece: &[u8], has_hyphen: bool) {
        self.bytes.extend_from_slice(piece);
        self.len = self.bytes.len();
        if has_hyphen {
            self.hyphens.push(self.len - 1);
        }
    }

    /// The text with all its hyphens.
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn are_apart(&self) -> bool {
        are_apart(self.hyphens.len(), self.len)
    }

    fn dropped(&self, pattern: u32) -> Dropped {
        Dropped { pattern, hyphens: self.hyphens.len(), are_apart: self.are_apart() }
    }

    /// The reading that W-HYPH-3 puts first, if it is wanted by what is settled before one is judged.
    pub(crate) fn first_reading_if(
        self,
        judge: &Judge,
        is_wanted: impl FnOnce(&Settled, &[u8]) -> bool,
    ) -> Option<FirstReading> {
        if self.hyphens.is_empty() {
            let choice = Choice::Dropping(self.dropped(0));
            return Some(FirstReading { url: self.bytes, verdict: None, choice });
        }
        let settled = Settled::of(self.text(), &self.hyphens, judge.options.parse);
        is_wanted(&settled, self.text()).then(|| self.first_of(&settled, judge))
    }

    /// The same of several readings. The others are judged only as far as one of them may be better.
    fn first_of(mut self, settled: &Settled, judge: &Judge) -> FirstReading {
        if settled.is_schemeless() {
            let choice = Choice::Dropping(self.dropped(0));
            return FirstReading { url: self.into_reading(0), verdict: None, choice };
        }
        let order = judge.options.hyphen;
        let mut patterns = self.patterns(order);
        let pattern = patterns.next().unwrap_or(0);
        let url = self.reading(pattern);
        let verdict = if pattern == 0 { settled.verdict(url, judge) } else { judge.verdict(url) };
        let (mut first, mut best, mut known) = (pattern, Rank::new(url, verdict.level), Some(verdict));
        if !settled.is_best(url, best, &verdict) {
            let odd_hosts = self.odd_hosts();
            for other in patterns {
                if self.is_twin(other, order) {
                    continue;
                }
                if best == settled.best() {
                    break;
                }
                if odd_hosts >> other & 1 == 1 && settled.is_odd_no_better(self.text(), best) {
                    continue;
                }
                let url = self.reading(other);
                let may_be_generic = best > settled.best_generic();
                let better = judge.better_rank(url, best, may_be_generic, || settled.is_strict(url));
                let Some((rank, verdict)) = better else { continue };
                (first, best, known) = (other, rank, Some(verdict));
                // Only RFC 1738 ranks better, and may be out of reach of all.
                if best == settled.best_generic() && settled.is_best(url, best, &verdict) {
                    break;
                }
            }
        }
        if best.level == Level::None && first != 0 {
            (first, known) = (0, None);
        }
        let choice = Choice::Dropping(self.dropped(first));
        FirstReading { url: self.into_reading(first), verdict: known, choice }
    }

    /// What may be dropped, in the order of the keys (4) and (5) of W-HYPH-3.
    fn patterns(&self, order: HyphenOrder) -> impl Iterator<Item = u32> + use<> {
        let count = if self.are_apart() { 1 << self.hyphens.len() } else { 2 };
        let at = move |at: usize| match order {
            HyphenOrder::Keep => Doubtful::PATTERNS[at],
            HyphenOrder::Drop => Doubtful::PATTERNS[Doubtful::PATTERNS.len() - 1 - at],
        };
        (0..Doubtful::PATTERNS.len()).map(at).filter(move |&pattern| pattern < count)
    }

    /// The patterns whose readings have an odd host ([`has_odd_host`](crate::find::judge::has_odd_host)), a bit each: one look at
    /// the host tells it of all eight, which takes as long as to write one. None if the scheme's name may have a hyphen less, or
    /// there may be an IP literal.
    fn odd_hosts(&self) -> u8 {
        /// The patterns that drop a hyphen, by its bit in them.
        const DROPPED: [u8; Doubtful::MOST] = [0b1010_1010, 0b1100_1100, 0b1111_0000];
        let text = self.text();
        let scheme = text.iter().position(|&byte| byte == b':').unwrap_or_default();
        let Some(rest) = text[scheme..].strip_prefix(b"://") else { return 0 };
        let body = scheme + 3;
        if self.hyphens.first().is_none_or(|&first| first < body) {
            return 0;
        }
        let are_apart = self.are_apart();
        let mut hyphens = self.hyphens.iter().enumerate().peekable();
        // A host begins as if behind a dot, and ends as if before one.
        let (mut begun, mut odd, mut after_dot, mut after_hyphen) = (0, 0, !0, 0);
        let mut is_in_port = false;
        for (at, &byte) in (body..).zip(rest) {
            let doubtful = hyphens.next_if(|&(_, &hyphen)| hyphen == at);
            let dropped = doubtful.map_or(0, |(index, _)| match self.hyphens.len().checked_sub(index + 1) {
                Some(bit) if are_apart => DROPPED[bit],
                _ => 0b10,
            });
            let kept: u8 = !dropped;
            match byte {
                b'/' | b'?' | b'#' => break,
                b'[' => return 0,
                b'@' => (begun, odd, after_dot, after_hyphen, is_in_port) = (0, 0, !0, 0, false),
                _ if is_in_port => {}
                b':' => is_in_port = true,
                _ => {
                    let edge = if byte == b'-' { after_dot } else { after_dot | after_hyphen };
                    let is_edge = matches!(byte, b'.' | b'-');
                    odd |= if is_edge { edge & kept } else { 0 };
                    after_dot = after_dot & dropped | if byte == b'.' { kept } else { 0 };
                    after_hyphen = after_hyphen & dropped | if byte == b'-' { kept } else { 0 };
                    begun |= kept;
                }
            }
        }
        (odd | after_dot | after_hyphen) & begun
    }

    /// Whether one of the readings is this one.
    fn has_reading(&mut self, url: &[u8]) -> bool {
        let least = self.len - self.hyphens.len();
        (least..=self.len).contains(&url.len())
            && self.patterns(HyphenOrder::Keep).any(|pattern| self.reading(pattern) == url)
    }

    /// Whether another pattern gives the same reading, and comes before this one: of two hyphens side by side it drops the
    /// other.
    fn is_twin(&self, pattern: u32, order: HyphenOrder) -> bool {
        let twin = match order {
            HyphenOrder::Keep => 0b10,
            HyphenOrder::Drop => 0b01,
        };
        // The bit of the second one.
        let bits = (0..self.hyphens.len() - 1).rev();
        self.are_apart()
            && self
                .hyphens
                .windows(2)
                .zip(bits)
                .any(|(pair, bit)| pair[0] + 1 == pair[1] && pattern >> bit & 0b11 == twin)
    }

    /// The bytes of the reading that a pattern gives.
    fn reading(&mut self, pattern: u32) -> &[u8] {
        if pattern == 0 {
            return self.text();
        }
        self.bytes.truncate(self.len);
        let (mut from, dropped) = (0, self.dropped(pattern));
        for (at, &hyphen) in self.hyphens.iter().enumerate() {
            if dropped.holds(at) {
                self.bytes.extend_from_within(from..hyphen);
                from = hyphen + 1;
            }
        }
        self.bytes.extend_from_within(from..self.len);
        &self.bytes[self.len..]
    }

    fn into_reading(mut self, pattern: u32) -> Vec<u8> {
        if pattern == 0 {
            self.bytes.truncate(self.len);
        } else {
            self.reading(pattern);
            self.bytes.drain(..self.len);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::judge::{has_odd_host, is_generic_k_url, is_strict};
    use crate::find::options::Options;
    use crate::turns::turns;

    /// A body of some words, each ending in a doubtful hyphen but the last.
    fn doubtful(words: &[&str]) -> (Vec<u8>, Doubtful) {
        let (mut text, mut doubtful) = (Vec::new(), Doubtful::default());
        for (at, word) in words.iter().enumerate() {
            let start = text.len();
            text.extend_from_slice(word.as_bytes());
            if at + 1 < words.len() {
                text.push(b'-');
            }
            doubtful.push(start..text.len());
            if at + 1 < words.len() {
                doubtful.mark_hyphen();
            }
            text.push(b'\n');
        }
        (text, doubtful)
    }

    // What `settled` says of a text with all its hyphens holds for all readings.
    #[test]
    fn the_first_reading_is_the_first_of_all() {
        const HEADS: [&str; 30] = [
            "mail",
            "n",
            "http://h/",
            "http:",
            "ftp://u:p@h/a;type=",
            "ftp://h/",
            "gopher://h/",
            "mailto:a@h",
            "mailto:",
            "news:",
            "nntp://h/g/",
            "wais://h/d",
            "wais://a+b://",
            "file://",
            "prospero://h:1/x;",
            "telnet://h",
            "x://",
            "x:/",
            "svn+ssh://é/",
            "https://h?",
            "https:",
            "https://",
            "http://a_b/",
            "http://h:",
            "ht",
            "1http://h/",
            "http://h/%",
            "",
            "http://[::1]/",
            "telnet://",
        ];
        const PARTS: [&str; 33] = [
            "", "to:", "ews:", "a", "[", "]", "a.b", ".", "1", "/", "//", "?", "#", "#a#", "%", "%4", "4", "~", "^",
            "é", ";type", "=a", "@", ":", "a/b", "^/", "tp://", "-", ";ty", "pe=", "i", "?a@", "a@a",
        ];
        let mut random = fastrand::Rng::with_seed(15);
        let (mut decided, mut odd, mut dissolved, mut spoilt, mut certain_of_k) = (0, 0, 0, 0, 0);
        for _ in 0..turns(400_000) {
            let hyphens = 1 + random.usize(..4);
            let mut words: Vec<String> = (0..=hyphens)
                .map(|at| {
                    let head = if at == 0 { HEADS[random.usize(..HEADS.len())] } else { "" };
                    (0..random.usize(..4)).fold(head.to_owned(), |word, _| word + PARTS[random.usize(..PARTS.len())])
                })
                .collect();
            if random.bool() {
                words[hyphens].push_str(&"x".repeat(Doubtful::MOST * Doubtful::NARROWEST));
            }
            let (text, doubtful) = doubtful(&words.iter().map(String::as_str).collect::<Vec<_>>());
            let hyphen = if random.bool() { HyphenOrder::Keep } else { HyphenOrder::Drop };
            let judge = Judge { options: Options { hyphen, ..Options::default() } };
            let mut spelt = doubtful.spelt(&text);
            let odd_hosts = spelt.odd_hosts();
            for pattern in spelt.patterns(hyphen).filter(|pattern| odd_hosts >> pattern & 1 == 1) {
                let mut url = Vec::new();
                url.extend_from_slice(spelt.reading(pattern));
                assert!(has_odd_host(&url), "{words:?} {pattern:b}");
                let is_rfc1738 = crate::url::is_rfc1738(&url, Default::default());
                assert!(!is_rfc1738 || !is_strict(&url, words[0].len(), judge.options.parse), "{words:?} {pattern:b}");
                odd += 1;
            }
            let (mut url, mut is_angle_url, mut is_url) = (Vec::new(), false, false);
            for pattern in spelt.patterns(hyphen) {
                url.clear();
                url.extend_from_slice(spelt.reading(pattern));
                is_angle_url |= judge.is_angle_url(&url, &mut None);
                is_url |= judge.verdict(&url).level != Level::None;
            }
            let settled = Settled::of(spelt.text(), &spelt.hyphens, judge.options.parse);
            if !settled.may_be_angle_url(spelt.text()) {
                assert!(!is_angle_url, "{words:?}");
                dissolved += 1;
            }
            if settled.is_none(spelt.text()) {
                assert!(!is_url, "{words:?}");
                spoilt += 1;
            }
            let all = doubtful.readings(&text, &judge);
            let FirstReading { url: known, verdict, choice } =
                doubtful.first_reading_if(&text, doubtful.spelt(&text), &judge, |_, _| true).expect("wanted");
            assert_eq!(all[0], choice.pieces(doubtful.pieces()), "{words:?} {hyphen:?}");
            let url = all[0].bytes(&text);
            if is_generic_k_url(spelt.text()) {
                assert!(judge.is_k_url(&url, &mut None), "{words:?} {hyphen:?}");
                certain_of_k += 1;
            }
            assert_eq!(known, *url, "{words:?} {hyphen:?}");
            assert!(verdict.is_none_or(|verdict| verdict == judge.verdict(&url)), "{words:?} {hyphen:?}");
            let verdict = judge.verdict(&url);
            decided += usize::from(settled.is_best(&url, Rank::new(&url, verdict.level), &verdict));
        }
        let counts = [decided, odd, dissolved, spoilt, certain_of_k];
        assert!(counts.iter().all(|&count| count > 4_000), "{counts:?}");
    }
}
