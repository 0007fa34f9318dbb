//! Matches as offsets, which the finder returns to the drivers.
//!
//! A *reading* is a possible URL of a match. It is a list of source pieces, not a copy. Workers
//! exchange offsets, and the drivers attach the bytes.

use std::ops::Range;
use std::{fmt, mem};

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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

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

impl fmt::Display for RefusedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

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
    /// The other readings, in order.
    pub(crate) others: Box<[Pieces]>,
    /// Set if the candidate is not a URL, because its host is a placeholder or defanged (B-NOHOST).
    pub(crate) refused: Option<RefusedHost>,
    /// The colon at which the match was found, if other readings may exist but were not made
    /// (`resolve::more_readings`).
    pub(crate) more: Option<usize>,
}

impl RawMatch {
    /// Returns a match with one reading.
    #[inline(always)]
    pub(crate) fn new(span: Range<usize>, kind: Kind, first: Pieces) -> RawMatch {
        let Range { start, end } = span;
        let (others, more) = (Box::default(), None);
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
            others,
            refused: None,
            more,
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

    pub(crate) fn readings(&self) -> impl Iterator<Item = &Pieces> {
        std::iter::once(&self.first).chain(self.others.iter())
    }

    /// Adds a reading, if its text is new, and the match has fewer than [`READINGS`] readings.
    pub(crate) fn add(&mut self, text: &[u8], reading: Pieces) {
        if self.readings().count() < READINGS && self.readings().all(|known| !known.same_text(&reading, text)) {
            let mut others = mem::take(&mut self.others).into_vec();
            others.push(reading);
            self.others = others.into();
        }
    }
}
