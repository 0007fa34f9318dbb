//! Rules about the place of a URL.
//!
//! One URL can stand in a clean place and in a doubtful one. So these rules run on every match, not
//! on every distinct URL. Nearly all matches are one line of ASCII. For such a match, a look at its
//! bytes and its two neighbouring characters usually suffices.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::finding::{Remark, Severity};
#[cfg(feature = "archive")]
use super::known::shorteners;
use super::quote::quoted_around;
#[cfg(feature = "archive")]
use super::{Inspected, RuleOptions, mail, nested, site};
use super::{secret, unseen};
use crate::url::{self, ParseOptions};
use crate::{Kind, Level, Match};

/// Returns a remark about the whole URL. Its message is the rule's phrase.
fn of_whole(found: &Match<'_>) -> Remark {
    Remark::new(0..found.target().len(), "")
}

/// Returns whether no rule of places can fire. The match and its neighbours are then ASCII. The
/// match is in one piece, has one reading, and is neither truncated nor an attribute.
///
/// Nearly all matches are plain, and eight rules cost more than finding the URL (2026-11). The
/// place of an [address](is_address) may still excuse it.
pub(super) fn is_plain(found: &Match<'_>) -> bool {
    let (before, after) = found.surroundings(LONGEST_CHARACTER);
    let source = found.source();
    found.kind() != Kind::Attribute
        && !is_beside_shown(found)
        && found.has_one_reading()
        && found.gaps().next().is_none()
        && !found.is_truncated()
        && [source, before, after].iter().all(|text| text.is_ascii())
}

/// Returns whether a plain text shows another host before a link in angle brackets.
fn is_beside_shown(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if found.kind() == Kind::Angle {
        return found.shown_host().is_some();
    }
    let _ = found;
    false
}

/// Returns whether the match is a mailto URL.
pub(super) fn is_address(found: &Match<'_>) -> bool {
    found.url().get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"mailto:"))
}

const LONGEST_CHARACTER: usize = 4;

/// Reports invisible characters in the host or path (A-BIDI).
pub(super) fn bidi(found: &Match<'_>) -> Option<Remark> {
    of_unseen(found, &unseen::inside(found))
}

/// Reports invisible characters elsewhere in the URL or next to it (A-BIDI-NEAR).
pub(super) fn bidi_near(found: &Match<'_>) -> Option<Remark> {
    let is_near = unseen::inside(found).is_empty();
    is_near.then(|| unseen::near(found)).and_then(|characters| of_unseen(found, &characters))
}

fn of_unseen(found: &Match<'_>, characters: &str) -> Option<Remark> {
    (!characters.is_empty()).then(|| Remark::new(0..found.target().len(), unseen::named(characters)))
}

/// Reports a second valid reading that differs by hyphens (A-HYPHEN).
pub(super) fn hyphen(found: &Match<'_>) -> Option<Remark> {
    // The other readings of a bare URL on one line add more than hyphens.
    let is_bare = matches!(found.kind(), Kind::Bare | Kind::Prefixed);
    if is_bare && !found.rejoined() { None } else { hyphen_of(found.url(), found.readings().skip(1)) }
}

/// Returns the alternative readings of a match that the rest of an archive or a link checker can
/// confirm.
///
/// These are the readings of A-HYPHEN. For a bare URL they include the readings that continue on
/// the next line, or omit that line (B-JOIN).
///
/// # Examples
///
/// ```
/// use urlgrep::{Extractor, audit::doubtful_readings};
///
/// let found = Extractor::new().find("<URL:http://a.example/call-for-\npapers>").unwrap();
/// let readings: Vec<_> = doubtful_readings(&found).map(|url| url.to_string()).collect();
/// assert_eq!(readings, ["http://a.example/call-forpapers"]);
/// ```
pub fn doubtful_readings<'m>(found: &'m Match<'_>) -> impl Iterator<Item = Cow<'m, BStr>> {
    let is_bare = matches!(found.kind(), Kind::Bare | Kind::Prefixed);
    let first = found.url();
    // A shorter reading omits a line only if the first reading is joined. Otherwise it ends at an
    // escape.
    let may_differ_by_line = move |other: &[u8]| is_bare && (found.rejoined() || other.len() > first.len());
    found.readings().skip(1).filter(move |other| {
        differs_by_hyphen(first, other) || may_differ_by_line(other) && differs_by_line(first, other)
    })
}

/// Returns the remark of A-HYPHEN for a reading and its alternatives.
///
/// Returns `None` unless another reading is a URL that differs from the first only by hyphens. The
/// remark is worse if the host is in doubt. It is milder if such a URL usually has the doubtful
/// hyphens.
pub(super) fn hyphen_of<'r>(first: &[u8], others: impl Iterator<Item = Cow<'r, BStr>>) -> Option<Remark> {
    let (example, severity) = hyphen_doubt(first, others)?;
    let same = same_start(first, &example);
    let message = format!("may also be `{}`", hyphen_excerpt(first, &example));
    Some(Remark { severity, ..Remark::new(same..first.len().min(same + 1), message) })
}

/// Returns the first alternative that A-HYPHEN is about, and the finding's severity if it is not
/// the rule's own.
fn hyphen_doubt<'r>(
    first: &[u8],
    others: impl Iterator<Item = Cow<'r, BStr>>,
) -> Option<(Cow<'r, BStr>, Option<Severity>)> {
    let mut example = None;
    let first_host = url::host(first);
    let mut is_same_host = true;
    // The offset at which each alternative first differs. Together these offsets are all hyphens in
    // doubt.
    let mut doubtful = Vec::new();
    let mut is_kept = true;
    for other in others.filter(|other| differs_by_hyphen(first, other)) {
        is_same_host &= match (url::host(&*other), &first_host) {
            (Some(host), Some(first)) => host.eq_ignore_ascii_case(first),
            (host, first) => host.is_none() && first.is_none(),
        };
        is_kept &= first.len() > other.len();
        doubtful.push(same_start(first, &other));
        example.get_or_insert(other);
    }
    let is_usual = || doubtful.iter().all(|&at| is_compound(first, at) || has_other_hyphen(first, &doubtful));
    let severity = match is_same_host {
        false => Some(Severity::Medium),
        true => (is_kept && is_usual()).then_some(Severity::Info),
    };
    Some((example?, severity))
}

/// Returns whether the hyphen at an offset stands in a word that is always written with a hyphen.
fn is_compound(url: &[u8], at: usize) -> bool {
    const WORDS: [(&[u8], &[u8]); 6] = [
        (b"cgi", b"bin"),
        (b"wp", b"content"),
        (b"wp", b"includes"),
        (b"in", b"notes"),
        (b"id", b"abstracts"),
        (b"rfc", b"editor"),
    ];
    // Names that begin this way consist of parts joined by hyphens.
    const NAMES: [&[u8]; 3] = [b"draft-", b"cve-", b"rfc-"];
    let run = |text: &mut dyn Iterator<Item = &u8>, mark: &[u8]| {
        text.take_while(|byte| byte.is_ascii_alphanumeric() || mark.contains(byte)).count()
    };
    let Some((before, after)) =
        url.split_at_checked(at).and_then(|(before, rest)| Some((before, rest.strip_prefix(b"-")?)))
    else {
        return false;
    };
    let name = &url[at - run(&mut before.iter().rev(), b"-")..];
    if NAMES.iter().any(|start| name.get(..start.len()).is_some_and(|name| name.eq_ignore_ascii_case(start))) {
        return true;
    }
    let left = &before[at - run(&mut before.iter().rev(), b"")..];
    let right = &after[..run(&mut after.iter(), b"")];
    WORDS.iter().any(|(one, other)| left.eq_ignore_ascii_case(one) && right.eq_ignore_ascii_case(other))
}

/// Returns whether all doubtful hyphens are in the path, and another hyphen there joins words. A
/// number may be one of the words.
///
/// The writer then probably meant the doubtful hyphens too.
fn has_other_hyphen(url: &[u8], doubtful: &[usize]) -> bool {
    let host = url.find("://").map_or(0, |at| at + 3);
    let path = url[host..].find_byte(b'/').map_or(url.len(), |slash| host + slash);
    let joins = |at: usize| match [url.get(at - 1), url.get(at + 1)] {
        [Some(before), Some(after)] => {
            before.is_ascii_alphanumeric()
                && after.is_ascii_alphanumeric()
                && !(before.is_ascii_digit() && after.is_ascii_digit())
        }
        _ => false,
    };
    let in_path = |at: &usize| *at > path;
    doubtful.iter().all(in_path)
        && memchr::memchr_iter(b'-', &url[path..]).any(|at| !doubtful.contains(&(path + at)) && joins(path + at))
}

/// Returns a reading as messages quote it, without secrets. A long reading is cut to the part
/// around its first difference from `other`.
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// let readings = [b"http://a.example/x-y", &b"http://a.example/xy"[..]];
/// assert_eq!(urlgrep::audit::hyphen_excerpt(readings[0], readings[1]), "http://a.example/xy");
/// ```
#[must_use]
pub fn hyphen_excerpt(other: &[u8], reading: &[u8]) -> String {
    let at = secret::masked_offset(reading, same_start(other, reading));
    quoted_around(&secret::mask(reading), at).into_owned()
}

/// Returns the length of the common prefix of two texts.
fn same_start(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

/// Returns whether a reading is a URL that differs from the first only by hyphens.
fn differs_by_hyphen(first: &[u8], other: &[u8]) -> bool {
    fn rest(url: &[u8]) -> impl Iterator<Item = &u8> {
        url.iter().filter(|&&byte| byte != b'-')
    }
    first != other && rest(first).eq(rest(other)) && url::judge(other, ParseOptions::new()).level != Level::None
}

/// Returns whether a reading is a URL that has one line more or less than the first reading.
/// Hyphens are ignored.
///
/// A byte that B-UNI-1 or B-STARS excludes stands on the same line, so it is not such a difference.
fn differs_by_line(first: &[u8], other: &[u8]) -> bool {
    let rest = |url: &[u8]| url.iter().copied().filter(|&byte| byte != b'-').collect::<Vec<_>>();
    let (first, rest) = (rest(first), rest(other));
    let (short, long) = if first.len() < rest.len() { (first, rest) } else { (rest, first) };
    let is_next_line = |more: &[u8]| more.first().is_some_and(|&byte| byte.is_ascii() && byte != b'*');
    long.strip_prefix(&short[..]).is_some_and(is_next_line)
        && url::judge(other, ParseOptions::new()).level != Level::None
}

/// Reports white space within a line that was removed from the URL (A-SPACE-JOIN).
///
/// White space right after the scheme's colon is not in doubt, as in `<mailto: jo@h.example>`.
pub(super) fn space_join(found: &Match<'_>) -> Option<Remark> {
    // This is white space as in W-WS-1. Non-ASCII bytes are treated as white space, too.
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t' | 0x0B | 0x0C | 0x80..);
    let scheme = found.scheme().map(|scheme| &found.url()[..=scheme.len()]);
    let is_within = |gap: &[u8]| {
        let (before, rest) = found.source().split_at(gap.as_ptr() as usize - found.source().as_ptr() as usize);
        // The words of a masked address are not in doubt: `<mailto:joe at h.example>` (W-MASK).
        let is_at = before.ends_with(b"at") || rest[gap.len()..].starts_with(b"at");
        let is_mask = is_at && found.url().contains(&b'@');
        scheme.is_none_or(|scheme| !before.ends_with(scheme)) && !is_mask
    };
    found.gaps().any(|(_, gap)| gap.iter().all(is_white) && is_within(gap)).then(|| of_whole(found))
}

/// Reports a link whose text shows another host than its target (X-ANCHOR). The text is an anchor
/// of HTML, or plain text before angle brackets.
#[cfg(feature = "archive")]
pub(super) fn anchor(found: &Match<'_>) -> Option<Remark> {
    if !matches!(found.kind(), Kind::Attribute | Kind::Angle) {
        return None;
    }
    anchor_of(found.target(), &found.shown_host()?)
}

/// Reports nothing: without archives no text is read as HTML.
#[cfg(not(feature = "archive"))]
pub(super) fn anchor(_: &Match<'_>) -> Option<Remark> {
    None
}

/// Returns the remark of X-ANCHOR for a link and the host that its anchor's text shows.
///
/// Returns `None` if both hosts have the same owner. Also returns `None` if only a gateway can
/// resolve the target: A-GATEWAY reports such a link.
#[cfg(feature = "archive")]
pub(super) fn anchor_of(url: &[u8], shown_host: &str) -> Option<Remark> {
    let meant = nested::meant(url, RuleOptions::new())?;
    let host = url::host(&meant).unwrap_or_default();
    if site::is_same(&host, shown_host.as_bytes()) {
        return None;
    }
    Some(Remark::new(0..url.len(), format!("shows `{shown_host}`, but goes to `{}`", super::quote::quoted(&host))))
}

/// Reports a URL that was shortened for display, or continues beyond the lines that are joined
/// (X-TRUNCATED).
pub(super) fn truncated(found: &Match<'_>) -> Option<Remark> {
    found.is_truncated().then(|| of_whole(found))
}

/// Reports a reference in HTML that begins with `/` or `//`, without a base to complete it
/// (X-RELATIVE). A path beside the page or a fragment (`x.html`, `#top`) needs no base, and is not
/// reported.
pub(super) fn relative(found: &Match<'_>) -> Option<Remark> {
    is_relative(found).then(|| of_whole(found))
}

/// Returns whether the match is a relative reference, on which X-INVALID is silent.
pub(super) fn is_relative(found: &Match<'_>) -> bool {
    found.kind() == Kind::Attribute && found.is_unresolved() && found.url().starts_with(b"/")
}

/// Returns whether the match is a mailto URL with a filled-in message, in a field `List-…`. Such
/// fields exist for that purpose, so A-MAIL-HDR is silent there.
pub(super) fn is_of_list(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if is_address(found) && found.url().contains(&b'?') {
        let field = found.header_field().and_then(|field| field.get(..5));
        return field.is_some_and(|start| start.eq_ignore_ascii_case(b"list-"));
    }
    let _ = found;
    false
}

/// Returns whether the match is a `data:` URL that a page shows as a picture or a style. No script
/// runs there, so A-SCHEME-ACTIVE is silent.
pub(super) fn is_picture(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if found.kind() == Kind::Attribute && found.url().get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"data:"))
    {
        return found.attribute().is_some_and(|name| {
            let (element, attribute) = name.split_once(' ').unwrap_or(("", name));
            ["img", "image", "link", "picture"].iter().any(|known| element.eq_ignore_ascii_case(known))
                || ["style", "srcset", "background", "poster"].iter().any(|known| attribute.eq_ignore_ascii_case(known))
        });
    }
    let _ = found;
    false
}

/// Returns whether the match refers to a part of the same message, on which A-SCHEME-RESERVED is
/// silent.
pub(super) fn is_part(found: &Match<'_>) -> bool {
    let scheme = found.url().get(..4).unwrap_or_default();
    found.kind() == Kind::Attribute && [b"cid:", b"mid:"].iter().any(|part| scheme.eq_ignore_ascii_case(*part))
}

/// Returns whether a reader of mail clicks on the match, and a shortener hides its target.
/// Shorteners that honest senders often use are excluded.
pub(super) fn hides_target(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if is_clicked(found) {
        let meant = nested::meant(found.target(), RuleOptions::new());
        let host = meant.as_deref().and_then(url::host);
        let known = host.and_then(|host| shorteners::find(&host, b"/"));
        return known.is_some_and(shorteners::is_rare_in_mail);
    }
    let _ = found;
    false
}

/// Returns whether a reader of mail clicks on the match, and its URL holds a recipient's address.
/// An address that A-RECIPIENT reports in the search is excluded.
pub(super) fn names_reader(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if is_clicked(found) {
        if found.recipients().is_empty() {
            return false;
        }
        let url = Inspected::quiet(found.target(), RuleOptions::new());
        return url.is_web() && found.recipients().iter().any(|address| mail::names(&url, address.as_bytes()));
    }
    let _ = found;
    false
}

/// Returns whether a reader of mail clicks on the match: a link or a form of HTML in a message.
/// Pictures and styles are fetched without a click.
pub(super) fn is_clicked(found: &Match<'_>) -> bool {
    #[cfg(feature = "archive")]
    if found.kind() == Kind::Attribute && found.is_in_message() {
        const CLICKED: [&str; 5] = ["a href", "area href", "form action", "button formaction", "input formaction"];
        return found.attribute().is_some_and(|name| CLICKED.iter().any(|known| name.eq_ignore_ascii_case(known)));
    }
    let _ = found;
    false
}
