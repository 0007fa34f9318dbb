//! Matches as offsets, which the finder returns to the drivers.
//!
//! A *reading* is a possible URL of a match. It is a list of source pieces, not a copy. Workers
//! exchange offsets, and the drivers attach the bytes.

use std::mem;
use std::ops::Range;

use crate::bytes::limits::READINGS;
pub(crate) use crate::bytes::pieces::{Pieces, UrlPiece};
use crate::url::Verdict;

/// The form in which a URL stands in the text: its delimiters, prefix or place.
///
/// ```
/// use urlgrep::{Extractor, Kind};
///
/// let text = "<URL:http://a.example/>, <http://b.example/>, URL:http://c.example/ or http://d.example/";
/// let kinds: Vec<Kind> = Extractor::new().find_iter(text).map(|found| found.kind()).collect();
/// assert_eq!(kinds, [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// `<URL:…>`, the wrapper of RFC 1738's Appendix.
    Wrapped,
    /// `<scheme:…>`.
    Angle,
    /// `URL:…` without brackets.
    Prefixed,
    /// A URL without delimiters or a prefix.
    Bare,
    /// The value of an HTML attribute, or a part of it.
    Attribute,
    /// A name without a scheme, `www.…` or `ftp.…`, if the search includes such names (B-WWW).
    Www,
    /// A navigation link that a mail archiver put on its page, if the search includes such links.
    Navigation,
    /// Another name without a scheme, and its path, if the search includes such names (B-NAME).
    Name,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 8] = [
        Kind::Wrapped,
        Kind::Angle,
        Kind::Prefixed,
        Kind::Bare,
        Kind::Attribute,
        Kind::Www,
        Kind::Navigation,
        Kind::Name,
    ];

    /// Returns whether a URL of this kind is written without a scheme.
    pub(crate) fn lacks_scheme(self) -> bool {
        matches!(self, Kind::Www | Kind::Name)
    }

    /// Returns the name that reports use: `wrapped`, `angle`, `prefixed`, `bare`, `attribute`,
    /// `www`, `navigation`, `name`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Wrapped => "wrapped",
            Kind::Angle => "angle",
            Kind::Prefixed => "prefixed",
            Kind::Bare => "bare",
            Kind::Attribute => "attribute",
            Kind::Www => "www",
            Kind::Navigation => "navigation",
            Kind::Name => "name",
        }
    }
}

#[cfg(feature = "serde")]
crate::url::serial::by_name!(Kind, as_str, Kind::ALL);

crate::bytes::display::display!(Kind, as_str);

/// The reason why a candidate is refused (B-NOHOST).
///
/// ```
/// use urlgrep::{Extractor, RefusedHost};
///
/// let extractor = Extractor::builder().candidates(true).build();
/// let found = extractor.find("see http://localhost:${PORT}/").unwrap();
/// assert_eq!(found.refused(), Some(RefusedHost::Placeholder));
/// assert!(Extractor::new().find("see http://localhost:${PORT}/").is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RefusedHost {
    /// A part of the host is a placeholder for a program or a reader:
    /// `http://api.<region>.example`.
    Placeholder,
    /// The host is altered so that no program turns it into a link: `http://a[.]example`.
    Defanged,
}

impl RefusedHost {
    /// Every reason.
    pub const ALL: [RefusedHost; 2] = [RefusedHost::Placeholder, RefusedHost::Defanged];

    /// Returns the name that reports use: `placeholder`, `defanged`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RefusedHost::Placeholder => "placeholder",
            RefusedHost::Defanged => "defanged",
        }
    }
}

crate::bytes::display::display!(RefusedHost, as_str);

#[cfg(feature = "serde")]
crate::url::serial::by_name!(RefusedHost, as_str, RefusedHost::ALL);

/// The reason why a candidate is not a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// W-FAIL-1.
    Unterminated,
    /// W-WS-2.
    Empty,
    /// W-PROSE, W-ANGLE-1, W-FAIL-2: the brackets delimit no URL.
    Dissolved,
    /// B-MAX.
    TooLong,
    /// The candidate may continue beyond a damaged end, so a part of it may be lost.
    Damaged,
}

/// The matches of one anchor. They are reported or hidden together.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) first: RawMatch,
    /// The other parts of a wrapper (W-TWO).
    pub(crate) rest: Box<[RawMatch]>,
}

impl Hit {
    /// Returns a hit of one match, which the rules found at `colon`.
    pub(crate) fn of_one(first: RawMatch, colon: usize) -> Hit {
        Hit { first: RawMatch { colon, ..first }, rest: Box::default() }
    }

    /// Returns the hit, of matches that the rules found at `colon`.
    pub(crate) fn found_at(mut self, colon: usize) -> Hit {
        self.first.colon = colon;
        self.rest.iter_mut().for_each(|part| part.colon = colon);
        self
    }

    pub(crate) fn start(&self) -> usize {
        self.first.start
    }

    pub(crate) fn end(&self) -> usize {
        self.rest.iter().last().unwrap_or(&self.first).end
    }
}

/// A match of the fast lane: a URL that is a slice of the text, and has no other reading.
#[derive(Clone, Debug)]
pub(crate) struct PlainMatch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    pub(crate) url: Range<usize>,
    pub(crate) verdict: Verdict,
}

impl From<PlainMatch> for RawMatch {
    #[inline(always)]
    fn from(PlainMatch { start, end, kind, url, verdict }: PlainMatch) -> RawMatch {
        RawMatch { verdict: Some(verdict), ..RawMatch::new(start..end, kind, Pieces::One(url)) }
    }
}

/// A reading after the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reading {
    /// The id of the rule that makes it, in the specification.
    pub(crate) rule: &'static str,
    pub(crate) pieces: Pieces,
}

/// The readings after the first, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    Made(Box<[Reading]>),
    /// There may be more, but the search wanted only the first (`resolve::rest_of`).
    Unmade,
}

/// A match, as offsets into the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawMatch {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    /// The text from which the URL was read covers more than one line.
    pub(crate) rejoined: bool,
    /// The URL seems to continue beyond the limits of B-JOIN.
    pub(crate) is_cut: bool,
    /// The URL is broken over lines, and one line can hold it. Set only on demand.
    pub(crate) is_healed: bool,
    /// The verdict on the first reading, if a rule needed it.
    pub(crate) verdict: Option<Verdict>,
    pub(crate) first: Pieces,
    /// The bytes of the first reading, if they were already joined from several pieces.
    pub(crate) joined: Option<Vec<u8>>,
    pub(crate) rest: Rest,
    /// Set if the candidate is not a URL, because its host is a placeholder or defanged (B-NOHOST).
    pub(crate) refused: Option<RefusedHost>,
    /// The colon at which the rules found the match. It is the start of a plain match.
    pub(crate) colon: usize,
}

impl RawMatch {
    /// Returns a match with one reading.
    #[inline(always)]
    pub(crate) fn new(span: Range<usize>, kind: Kind, first: Pieces) -> RawMatch {
        let Range { start, end } = span;
        RawMatch {
            start,
            end,
            kind,
            rejoined: false,
            is_cut: false,
            is_healed: false,
            verdict: None,
            first,
            joined: None,
            rest: Rest::Made(Box::default()),
            refused: None,
            colon: start,
        }
    }

    /// Returns the match with the bytes of its first reading, unless they are a slice of the
    /// source.
    pub(crate) fn with_bytes(self, bytes: Vec<u8>) -> RawMatch {
        RawMatch { joined: matches!(self.first, Pieces::Many(_)).then_some(bytes), ..self }
    }

    /// Returns the match, marked as rejoined if its first reading crosses a line break of `text`.
    pub(crate) fn marked_rejoined(self, text: &[u8]) -> RawMatch {
        let is_broken = || memchr::memchr2(b'\n', b'\r', &text[self.first.source()]).is_some();
        RawMatch { rejoined: self.rejoined || is_broken(), ..self }
    }

    /// Returns the match with each of its readings changed.
    pub(crate) fn map_readings(mut self, change: impl Fn(&Pieces) -> Pieces) -> RawMatch {
        self.first = change(&self.first);
        if let Rest::Made(made) = &mut self.rest {
            made.iter_mut().for_each(|reading| reading.pieces = change(&reading.pieces));
        }
        self
    }

    /// Adds a reading, if its text is new, and the match has fewer than [`READINGS`] readings. A
    /// match whose readings are not made stays so.
    pub(crate) fn add(&mut self, text: &[u8], rule: &'static str, pieces: Pieces) {
        let Rest::Made(made) = &mut self.rest else { return };
        let is_new = |known: &Pieces| !known.same_text(&pieces, text);
        if made.len() + 1 < READINGS && is_new(&self.first) && made.iter().all(|known| is_new(&known.pieces)) {
            let mut readings = mem::take(made).into_vec();
            readings.push(Reading { rule, pieces });
            *made = readings.into();
        }
    }

    /// Puts a reading before the first. Its rule is the reason for what was the first until now.
    pub(crate) fn lead(&mut self, text: &[u8], rule: &'static str, reading: Pieces, verdict: Option<Verdict>) {
        (self.verdict, self.joined) = (verdict, None);
        let second = mem::replace(&mut self.first, reading);
        let Rest::Made(made) = &mut self.rest else { return };
        let later = mem::take(made);
        self.add(text, rule, second);
        later.into_iter().for_each(|Reading { rule, pieces }| self.add(text, rule, pieces));
    }
}
