//! Rules about the place where a URL stands.
//!
//! The same URL can stand in a clean place and in a doubtful one, so these are asked of every match, not of every distinct
//! URL. For a URL on one line of ASCII, which nearly all are, that is a look at its bytes and at two neighbours.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::subject::{quoted, quoted_around};
use super::{Finding, Note, Rule, Severity};
use crate::audit::secret;
use crate::url::{self, ParseOptions};
use crate::{Kind, Level, Match};

/// The rules that fire on the place of a match, as a set of one byte: [`Rule::Bidi`], [`Rule::Hyphen`],
/// [`Rule::SpaceJoin`] and [`Rule::Anchor`].
///
/// ```
/// use urlgrep::Extractor;
/// use urlgrep::audit::rules::{PlaceRules, Rule};
///
/// let found = Extractor::new().find(b"<URL:http://a.ex ample/>").unwrap();
/// let rules = PlaceRules::of(&found);
/// assert!(rules.contains(Rule::SpaceJoin) && !rules.contains(Rule::Bidi));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlaceRules(u8);

impl PlaceRules {
    /// In the order of their bits.
    const RULES: [Rule; 4] = [Rule::Bidi, Rule::Hyphen, Rule::SpaceJoin, Rule::Anchor];

    /// The rules that fire where a match stands.
    #[must_use]
    pub fn of(found: &Match<'_>) -> PlaceRules {
        let fires =
            [bidi(found), has_hyphen(found), space_join(found), found.kind() == Kind::Attribute && misleads(found)];
        PlaceRules((0..).zip(fires).fold(0, |bits, (bit, fires)| bits | u8::from(fires) << bit))
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

    /// The rules that fire, in the order of [`Rule`].
    pub fn rules(self) -> impl Iterator<Item = Rule> {
        (0..).zip(PlaceRules::RULES).filter(move |(bit, _)| self.0 >> bit & 1 == 1).map(|(_, rule)| rule)
    }

    /// For storage.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// From storage. Bits that no rule has are dropped.
    #[must_use]
    pub const fn from_bits(bits: u8) -> PlaceRules {
        PlaceRules(bits & ((1 << PlaceRules::RULES.len()) - 1))
    }
}

/// A-BIDI. A byte order mark that begins the text is a mark of the file.
fn bidi(found: &Match<'_>) -> bool {
    // The longest such character has four bytes.
    let (before, after) = found.surroundings(4);
    let source = found.source();
    if [source, before, after].iter().all(|text| text.is_ascii()) {
        return false;
    }
    let is_mark = before == "\u{FEFF}";
    source.chars().any(is_unseen)
        || !is_mark && before.chars().next_back().is_some_and(is_unseen)
        || after.chars().next().is_some_and(is_unseen)
}

/// Characters of the general category Cf that change the direction of text or have no width. The soft hyphen is not among
/// them: it belongs to line breaks (W-WS-1).
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

/// A-HYPHEN, of a match.
fn has_hyphen(found: &Match<'_>) -> bool {
    hyphen_readings(found).next().is_some()
}

/// The other readings of a match that A-HYPHEN is about. One that leaves out the next line is not among them: its being
/// elsewhere would only tell that the URL is cut there too.
pub(crate) fn hyphen_readings<'m>(found: &'m Match<'_>) -> impl Iterator<Item = Cow<'m, BStr>> {
    found.known_alternatives().filter(|other| differs_by_hyphen(found.url(), other))
}

/// A-HYPHEN: the finding for the readings of a match, the preferred one first. `None` where no other reading differs from
/// the first by hyphens alone, or none of those is a URL.
///
/// ```
/// use urlgrep::audit::rules::{self, Severity};
///
/// let finding = rules::hyphen(&[b"http://foo-bar.example/", b"http://foobar.example/"]).unwrap();
/// assert_eq!(finding.severity, Severity::Medium); // another host
/// assert_eq!(rules::hyphen(&[b"http://a.example/x", b"http://a.example/"]), None);
/// ```
#[must_use]
pub fn hyphen(readings: &[&[u8]]) -> Option<Finding> {
    let (&first, others) = readings.split_first()?;
    let mut others = others.iter().copied().filter(|other| differs_by_hyphen(first, other)).peekable();
    let example = *others.peek()?;
    let same = same_start(first, example);
    let host = |url| url::host(url, false).map(|host| host.to_ascii_lowercase());
    let message = format!("may as well be `{}`", hyphen_excerpt(first, example));
    let note = Note::new(same..first.len().min(same + 1), message);
    let first_host = host(first);
    let note = match others.all(|other| host(other) == first_host) {
        true => note,
        false => note.with_severity(Severity::Medium),
    };
    Some(note.finding(Rule::Hyphen))
}

/// A reading, without passwords; of a long one what stands around its first difference from another.
pub(crate) fn hyphen_excerpt(other: &[u8], reading: &[u8]) -> String {
    let at = secret::masked_offset(reading, same_start(other, reading));
    quoted_around(&secret::mask(reading), at).into_owned()
}

/// How many bytes two texts begin with that are the same.
fn same_start(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// True if a reading is a URL that differs from the first by hyphens alone.
fn differs_by_hyphen(first: &[u8], other: &[u8]) -> bool {
    fn rest(url: &[u8]) -> impl Iterator<Item = &u8> {
        url.iter().filter(|&&byte| byte != b'-')
    }
    first != other && rest(first).eq(rest(other)) && url::judge(other, ParseOptions::new()).level != Level::None
}

/// A-SPACE-JOIN: what was left out between two pieces holds no line break, so it is white space within a line; or else the
/// bracket of `news:<1@h>` (B-ANGLEID), which parts no words.
fn space_join(found: &Match<'_>) -> bool {
    found.gaps().any(|gap| gap != b"<" && !gap.contains(&b'\n') && !gap.contains(&b'\r'))
}

/// X-ANCHOR, of an attribute of HTML.
#[cfg(feature = "archive")]
fn misleads(found: &Match<'_>) -> bool {
    found.shown_host().is_some()
}

/// Without archives nothing is read as HTML.
#[cfg(not(feature = "archive"))]
fn misleads(_: &Match<'_>) -> bool {
    false
}

/// X-ANCHOR: the finding for a link and the host that its anchor's text shows
/// ([`Match::shown_host`]).
///
/// ```
/// use urlgrep::audit::rules;
///
/// let finding = rules::anchor(b"http://evil.example/", "bank.example");
/// assert_eq!(finding.message, "shows `bank.example`, and goes to `evil.example`");
/// ```
#[must_use]
pub fn anchor(url: &[u8], shown_host: &str) -> Finding {
    let host = url::host(url, false).unwrap_or_default();
    let message = format!("shows `{shown_host}`, and goes to `{}`", quoted(&host));
    Note::new(0..url.len(), message).finding(Rule::Anchor)
}
