//! Judges readings: level, rank, and the conditions that the rules of extraction put on them.

use crate::bytes::class;
use crate::find::matches::Pieces;
#[cfg(any(test, debug_assertions))]
use crate::find::matches::RawMatch;
use crate::find::options::Options;
use crate::find::schemes;
use crate::url::{self, Generic, Verdict};
use crate::{Level, ParseError, ParseErrorKind};

/// The parser, as the finder asks it.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) options: Options,
}

/// Keys (1)-(3) of W-HYPH-3; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// rfc1738 and rfc1738-ref count alike.
    pub(crate) level: Level,
    /// The host has an empty label, or one with a hyphen at an edge.
    pub(crate) odd_host: bool,
    foreign_scheme: bool,
}

impl Rank {
    /// The best that a URL can have, of a scheme of K or a foreign one.
    pub(crate) const fn best(foreign_scheme: bool) -> Rank {
        Rank { level: Level::Rfc1738Ref, odd_host: false, foreign_scheme }
    }

    /// The best where RFC 1738 is out of reach.
    pub(crate) const fn best_generic(foreign_scheme: bool) -> Rank {
        Rank { level: Level::Rfc3986, ..Rank::best(foreign_scheme) }
    }

    /// One rank for all that is no URL.
    const NONE: Rank = Rank { level: Level::None, odd_host: true, foreign_scheme: true };

    pub(crate) fn new(url: &[u8], level: Level) -> Rank {
        match level.max(Level::Rfc1738Ref) {
            Level::None => Rank::NONE,
            level => Rank { level, odd_host: has_odd_host(url), foreign_scheme: !schemes::is_k(scheme(url)) },
        }
    }
}

impl Judge {
    pub(crate) fn verdict(&self, url: &[u8]) -> Verdict {
        url::judge_with(self.options.backend, url, self.options.parse)
    }

    /// The match with its verdict.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn judged(&self, text: &[u8], found: RawMatch) -> RawMatch {
        RawMatch { verdict: Some(self.verdict(&found.first.bytes(text))), ..found }
    }

    /// Whether a URL has this level or a stricter one.
    fn has_level(&self, url: &[u8], verdict: &mut Option<Verdict>, least: Level) -> bool {
        if verdict.is_none() {
            *verdict = self.verdict_if(url, true, self.is_strict_of(url, url.len()), |level| level <= least);
        }
        verdict.is_some_and(|verdict| verdict.level <= least)
    }

    /// The rank of a reading that is better than `best`, and its verdict. A grammar that cannot make it so is not asked. If it
    /// `is_foreign`, all readings have a foreign scheme.
    pub(crate) fn better_rank(
        &self,
        url: &[u8],
        best: Rank,
        is_strict: bool,
        is_foreign: bool,
    ) -> Option<(Rank, Verdict)> {
        let may_be_generic = best > Rank::best_generic(is_foreign);
        let mut rank = Rank::NONE;
        let verdict = self.verdict_if(url, may_be_generic, is_strict, |level| {
            rank = Rank::new(url, level);
            rank < best
        });
        verdict.map(|verdict| (rank, verdict))
    }

    /// The verdict on a URL, if its level is wanted: what is not wanted needs no verdict, which says why. If it is not to
    /// `ask_generic`, the later grammars take it for none; what they take for none `is_strict` says is none of RFC 1738.
    fn verdict_if(
        &self,
        url: &[u8],
        ask_generic: bool,
        is_strict: bool,
        is_wanted: impl FnOnce(Level) -> bool,
    ) -> Option<Verdict> {
        let generic = ask_generic.then(|| Generic::parse(url)).flatten();
        if ask_generic && is_strict && generic.is_none() {
            return None;
        }
        let level = generic.map_or(Level::None, |generic| generic.level());
        url::judge_if(url, self.options.parse, level, is_wanted)
    }

    /// Whether no text that differs from `url` by hyphens, and not in its first `same` bytes, is a URL of RFC 1738 that the later
    /// grammars refuse, or that has an odd host: that grammar lets the name of a scheme begin with a digit or a mark
    /// (G-SCHEME-2), lets a `?` stand in a user and slashes in an address, knows no `//` of https (G-OTHER-5), and may take
    /// anything after the colon (G-OTHER-2).
    pub(crate) fn is_strict_of(&self, url: &[u8], same: usize) -> bool {
        let has_name = same > 0 && url.first().is_some_and(u8::is_ascii_alphabetic);
        let name = scheme(url);
        let key = schemes::key_without_hyphens(name);
        let has_slashes = url.get(name.len()..same).is_some_and(|rest| rest.starts_with(b"://"));
        let may_be_address = || {
            let is_opaque = matches!(key, schemes::MAILTO | schemes::NEWS);
            let authority = if has_slashes && !is_opaque { authority(&url[name.len() + 3..]) } else { url };
            memchr::memchr(b'@', authority).is_some() && (is_opaque || memchr::memchr(b'?', authority).is_some())
        };
        let may_be_opaque = || key == schemes::HTTPS && !has_slashes;
        has_name && !self.options.parse.is_other_literal() && !may_be_address() && !may_be_opaque()
    }

    /// A URL of rfc3986 or stricter that is more than `scheme:` or `scheme://` (W-INNER).
    pub(crate) fn is_truncated_url(&self, text: &[u8], reading: &Pieces) -> bool {
        let url = reading.bytes(text);
        self.verdict(&url).level <= Level::Rfc3986 && !after_scheme(&url).is_empty()
    }

    /// A URL of a scheme of K, of rfc3986 or stricter (W-TWO). `verdict` is that on it, once it is known.
    pub(crate) fn is_k_url(&self, url: &[u8], verdict: &mut Option<Verdict>) -> bool {
        schemes::is_k(scheme(url)) && self.has_level(url, verdict, Level::Rfc3986)
    }

    /// Valid by RFC 1738, with or without a fragment (W-QUOTE-3).
    pub(crate) fn is_strict(&self, text: &[u8], reading: &Pieces) -> bool {
        self.verdict(&reading.bytes(text)).level <= Level::Rfc1738Ref
    }

    /// W-ANGLE-1: what an angle body must be to be reported. `verdict` as in [`is_k_url`](Self::is_k_url). The level comes last:
    /// it is what costs.
    pub(crate) fn is_angle_url(&self, url: &[u8], verdict: &mut Option<Verdict>) -> bool {
        let is_mailto = || scheme(url).eq_ignore_ascii_case(b"mailto");
        let is_named = |host: &[u8]| is_name(host) || host.is_empty() && scheme(url).eq_ignore_ascii_case(b"file");
        !after_scheme(url).is_empty()
            && !(is_mailto() && !holds_at(url)) // W-MASK
            && host(url).is_none_or(is_named)
            && self.has_level(url, verdict, Level::Iri)
    }

    /// A joined text of B-HYPH: rfc3986-valid, with a plausible host.
    pub(crate) fn is_plausible(&self, url: &[u8]) -> bool {
        self.verdict(url).level <= Level::Rfc3986 && !has_odd_host(url)
    }

    /// Level iri or stricter: what the longer reading of B-UNI-1, and those after a conjunction (W-INNER), must reach.
    pub(crate) fn is_iri(&self, url: &[u8]) -> bool {
        self.verdict(url).level <= Level::Iri
    }
}

/// A URL of a scheme of K that the later grammars take, too. False decides nothing ([`Judge::is_k_url`]).
pub(crate) fn is_generic_k_url(url: &[u8]) -> bool {
    schemes::is_k(scheme(url)) && Generic::parse(url).is_some_and(|generic| generic.level() == Level::Rfc3986)
}

/// False only if neither `url` is an angle URL ([`Judge::is_angle_url`]), nor what differs from it by hyphens alone, and not in
/// its first `same` bytes: none of them brings a letter into a host, nor an address or a byte that no URL holds out of it.
pub(crate) fn may_be_angle_url(url: &[u8], same: usize) -> bool {
    let name = scheme(url);
    let has_slashes = || name.len() + 3 <= same && url[name.len()..].starts_with(b"://");
    let is_file = || name.eq_ignore_ascii_case(b"file");
    let is_mailto = || name.len() < same && name.eq_ignore_ascii_case(b"mailto");
    let may_be_named = |host: &[u8]| is_file() || is_name(host) || memchr::memchr(b'[', host).is_some();
    (!has_slashes() || host(url).is_none_or(may_be_named))
        && !(is_mailto() && memchr::memchr2(b'@', b'%', url).is_none())
        && !is_spoilt(url)
}

/// Whether a byte that no grammar knows keeps a text from being a URL, or one `#` or square bracket too many.
pub(crate) fn is_spoilt(url: &[u8]) -> bool {
    let (mut hashes, mut openers, mut closers) = (0, 0, 0);
    let has_place = url.iter().all(|&byte| match byte {
        b'#' => {
            hashes += 1;
            true
        }
        b'[' => {
            openers += 1;
            true
        }
        b']' => {
            closers += 1;
            true
        }
        b'%' | 0x80.. => true,
        _ => class::QUERY.contains(byte),
    });
    !has_place || hashes > 1 || openers > 1 || openers != closers
}

/// True only if no text ranks better that differs from `url` by hyphens alone, and not in its first `same` bytes.
///
/// No grammar delimits a component by a hyphen. So what is refused before the last `/` of these bytes is refused in all such texts,
/// and so is a byte for which a grammar has no place, and what lacks a delimiter. A test holds that against all readings of
/// random texts. If it `is_strict` ([`Judge::is_strict_of`]), what the later grammars refuse in all RFC 1738 refuses, too.
pub(crate) fn is_decided(url: &[u8], same: usize, rank: Rank, verdict: &Verdict, is_strict: bool) -> bool {
    let Some(scheme) = memchr::memchr(b':', url) else { return true };
    if verdict.level == Level::None && is_spoilt(url) {
        return true;
    }
    if scheme >= same {
        return false;
    }
    let slash =
        memchr::memrchr(b'/', &url[..same]).filter(|&slash| url[scheme..].starts_with(b"://") && slash > scheme + 2);
    let has_place = |byte: u8| class::XCHAR.contains(byte) || b"#%[]".contains(&byte);
    // An address is refused as a whole.
    let is_before_slash = |at: usize| slash.is_some_and(|slash| at < slash) && !schemes::is_opaque(&url[..scheme]);
    let stands = |at: usize| is_before_slash(at) || url.get(at).is_some_and(|&byte| !has_place(byte));
    // Else `//` may come of a hyphen less, and with it an authority.
    let has_slashes = scheme + 3 <= same && url[scheme..].starts_with(b"://");
    let lacks_marks = |error: ParseError| match error.kind() {
        ParseErrorKind::NotAddrSpec => memchr::memchr2(b'@', b'%', url).is_none(),
        ParseErrorKind::MissingSlashes => !url[scheme + 1..].iter().filter(|&&byte| byte != b'-').take(2).eq(b"//"),
        _ => false,
    };
    // The later grammars refuse these, too.
    let is_refused_anyway = verdict.error.is_some_and(|error| match error.kind() {
        ParseErrorKind::EmptyHost => error.offset() < same && url::needs_host(&url[..scheme]),
        // A user with a `?` is RFC 1738's alone.
        ParseErrorKind::BadPortChar => {
            is_of_delimiters(url, error) && memchr::memchr(b'?', &url[..error.offset()]).is_none()
        }
        _ => false,
    });
    // No hyphen brings a byte to another component; but it may break an escape, stand in an IP literal, or be all of a host.
    let is_misfit = |byte: u8| byte.is_ascii() && !b"-%/?#".contains(&byte) && memchr::memchr(b'[', url).is_none();
    let is_refused = |misfit: usize| {
        slash.is_some_and(|slash| misfit < slash) && url[misfit].is_ascii()
            || has_slashes && url.get(misfit).is_some_and(|&byte| is_misfit(byte))
    };
    let is_no_rfc1738 = || {
        verdict.error.is_none_or(|error| {
            has_slashes && is_of_delimiters(url, error) || lacks_marks(error) || stands(error.offset())
        })
    };
    match verdict.level {
        Level::None => {
            (is_strict || is_no_rfc1738())
                && (has_slashes && is_refused_anyway || Generic::parse_or_misfit(url).is_err_and(is_refused))
        }
        _ => (slash.is_some() || !rank.odd_host) && is_no_rfc1738(),
    }
}

/// Whether RFC 1738 refuses a URL for a delimiter that it has or lacks, or for a byte other than a hyphen: no hyphen less can
/// mend that. But for what is a number, and for the `;` of half a `;type=`.
fn is_of_delimiters(url: &[u8], error: ParseError) -> bool {
    use ParseErrorKind::*;
    match error.kind() {
        UserinfoNotAllowed | UserinfoAt | UserinfoColon | PortNotAllowed | EmptyPort => true,
        EmptyHost | BadHostChar | EmptyLabel => true,
        MissingPathSlash | MissingPath | BadSearchChar | MissingWpath | MissingFieldEquals | BadFieldChar => true,
        BadPortChar => {
            let after = url[error.offset()..].iter().find(|byte| !byte.is_ascii_digit() && **byte != b'-');
            after.is_some_and(|byte| !b"/?#;:".contains(byte))
        }
        BadPathChar => url.get(error.offset()) != Some(&b';'),
        _ => false,
    }
}

/// Whether there is an `@`, plain or escaped, as addresses have one (W-MASK).
pub(crate) fn holds_at(url: &[u8]) -> bool {
    url.contains(&b'@') || memchr::memmem::find(url, b"%40").is_some()
}

/// Whether a host is an IP literal, or holds a letter or digit (W-ANGLE-1).
fn is_name(host: &[u8]) -> bool {
    host.starts_with(b"[") || host.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Whether the scheme of a URL, which ends in its first `same` bytes, is none of K.
pub(crate) fn is_foreign(url: &[u8], same: usize) -> bool {
    let scheme = scheme(&url[..same]);
    !scheme.is_empty() && !schemes::is_k(scheme)
}

/// What stands before the first colon; empty if there is none. It is near: a call costs more than the look.
fn scheme(url: &[u8]) -> &[u8] {
    url.iter().position(|&byte| byte == b':').map_or(&[], |colon| &url[..colon])
}

/// What stands after `scheme:` or `scheme://`.
fn after_scheme(url: &[u8]) -> &[u8] {
    let rest = url[scheme(url).len()..].strip_prefix(b":").unwrap_or_default();
    rest.strip_prefix(b"//").unwrap_or(rest)
}

/// The authority that a text begins with, to RFC 1738: up to the first `/`.
fn authority(rest: &[u8]) -> &[u8] {
    &rest[..memchr::memchr(b'/', rest).unwrap_or(rest.len())]
}

/// The host, without userinfo and port, of a URL with `//`.
fn host(url: &[u8]) -> Option<&[u8]> {
    let rest = url[scheme(url).len()..].strip_prefix(b"://")?;
    // Authorities are short, and this is asked of every reading: one loop, and no call.
    let (mut host, mut at) = (rest, 0);
    let mut colon = None;
    while at < host.len() && !matches!(host[at], b'/' | b'?' | b'#') {
        match host[at] {
            b'@' => (host, at, colon) = (&host[at + 1..], 0, None),
            b':' => {
                colon = colon.or(Some(at));
                at += 1;
            }
            _ => at += 1,
        }
    }
    let end = colon.filter(|_| !host.starts_with(b"[")).unwrap_or(at);
    Some(&host[..end])
}

/// True if a label of the host is empty, or has a hyphen at an edge (W-HYPH-3, key 2).
pub(crate) fn has_odd_host(url: &[u8]) -> bool {
    let Some(host) = host(url).filter(|host| !host.is_empty() && !host.starts_with(b"[")) else { return false };
    let is_edge = |byte: u8| matches!(byte, b'.' | b'-');
    let is_odd = |pair: &[u8]| is_edge(pair[0]) && is_edge(pair[1]) && pair != b"--";
    is_edge(host[0]) || is_edge(host[host.len() - 1]) || host.windows(2).any(is_odd)
}
