//! Judges readings: level, rank, and the conditions that the rules of extraction put on them.

use crate::find::matches::Pieces;
#[cfg(any(test, debug_assertions))]
use crate::find::matches::RawMatch;
use crate::find::options::Options;
use crate::find::schemes;
use crate::url::{self, Generic, ParseOptions, Verdict};
use crate::{Level, Url};

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
    /// The best that a URL of this level can have, of a scheme of K or a foreign one.
    pub(crate) const fn best(level: Level, foreign_scheme: bool) -> Rank {
        Rank { level, odd_host: false, foreign_scheme }
    }

    /// One rank for all that is no URL.
    const NONE: Rank = Rank { level: Level::None, odd_host: true, foreign_scheme: true };

    pub(crate) fn new(url: &[u8], level: Level) -> Rank {
        match level.max(Level::Rfc1738Ref) {
            Level::None => Rank::NONE,
            level => {
                let scheme = scheme(url);
                let host = host_after(&url[scheme.len()..]);
                Rank { level, odd_host: host.is_some_and(is_odd), foreign_scheme: !schemes::is_k(scheme) }
            }
        }
    }
}

impl Judge {
    pub(crate) fn verdict(&self, url: &[u8]) -> Verdict {
        url::judge_with(self.options.backend, url, self.options.parse)
    }

    /// The same, where the level by RFC 3986 or 3987 is known.
    pub(crate) fn verdict_with(&self, url: &[u8], level: Level) -> Verdict {
        url::verdict_of(&Url::parse_with(url, self.options.parse.fragment(true)), || level)
    }

    /// The match with its verdict.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn judged(&self, text: &[u8], found: RawMatch) -> RawMatch {
        RawMatch { verdict: Some(self.verdict(&found.first.bytes(text))), ..found }
    }

    /// Whether a URL has this level or a stricter one.
    fn has_level(&self, url: &[u8], verdict: &mut Option<Verdict>, least: Level) -> bool {
        if verdict.is_none() {
            *verdict =
                self.verdict_if(url, true, || is_strict(url, url.len(), self.options.parse), |level| level <= least);
        }
        verdict.is_some_and(|verdict| verdict.level <= least)
    }

    /// The rank of a reading that is better than `best`, and its verdict. A grammar that cannot make it so is not asked: the later
    /// ones only if it `may_be_generic`; `is_strict` as in [`is_strict`].
    pub(crate) fn better_rank(
        &self,
        url: &[u8],
        best: Rank,
        may_be_generic: bool,
        is_strict: impl FnOnce() -> bool,
    ) -> Option<(Rank, Verdict)> {
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
        is_strict: impl FnOnce() -> bool,
        is_wanted: impl FnOnce(Level) -> bool,
    ) -> Option<Verdict> {
        let generic = ask_generic.then(|| Generic::parse(url)).flatten();
        if ask_generic && generic.is_none() && is_strict() {
            return None;
        }
        let level = generic.map_or(Level::None, |generic| generic.level());
        url::judge_if(url, self.options.parse, level, is_wanted)
    }

    /// A URL of rfc3986 or stricter that is more than `scheme:` or `scheme://` (W-INNER). `verdict` as in
    /// [`is_k_url`](Self::is_k_url).
    pub(crate) fn is_truncated_url(&self, url: &[u8], verdict: &mut Option<Verdict>) -> bool {
        !after_scheme(url).is_empty() && url.is_ascii() && self.has_level(url, verdict, Level::Rfc3986)
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
        let is_scheme = |name: &[u8]| scheme(url).eq_ignore_ascii_case(name);
        let is_named = |host: &[u8]| is_name(host) || host.is_empty() && is_scheme(b"file");
        let is_address = || !is_scheme(b"mailto") || holds_at(url); // W-MASK
        let holds_more = !after_scheme(url).is_empty();
        holds_more && is_address() && host(url).is_none_or(is_named) && self.has_level(url, verdict, Level::Iri)
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

/// Whether no text that differs from `url` by hyphens, and not in its first `same` bytes, is a URL of RFC 1738 that the later
/// grammars refuse, or that has an odd host: that grammar lets the name of a scheme begin with a digit or a mark
/// (G-SCHEME-2), lets a `?` stand in a user and slashes in an address, knows no `//` of https (G-OTHER-5), and may take
/// anything after the colon (G-OTHER-2).
pub(crate) fn is_strict(url: &[u8], same: usize, options: ParseOptions) -> bool {
    let has_name = same > 0 && url.first().is_some_and(u8::is_ascii_alphabetic);
    let name = scheme(url);
    let key = schemes::key_without_hyphens(name);
    let has_slashes = url.get(name.len()..same).is_some_and(|rest| rest.starts_with(b"://"));
    let may_be_address = || {
        let is_opaque = matches!(key, schemes::MAILTO | schemes::NEWS);
        // To RFC 1738, `/` alone ends an authority.
        let user = url[if has_slashes { name.len() + 3 } else { 0 }..].iter();
        let (mut has_at, mut has_question) = (false, is_opaque);
        for &byte in user.take_while(|&&byte| byte != b'/' || !has_slashes || is_opaque) {
            has_at |= byte == b'@';
            has_question |= byte == b'?';
        }
        has_at && has_question
    };
    let may_be_opaque = || key == schemes::HTTPS && !has_slashes;
    has_name && !options.is_other_literal() && !may_be_address() && !may_be_opaque()
}

/// Whether there is an `@`, plain or escaped, as addresses have one (W-MASK).
pub(crate) fn holds_at(url: &[u8]) -> bool {
    url.contains(&b'@') || memchr::memmem::find(url, b"%40").is_some()
}

/// Whether a host is an IP literal, or holds a letter or digit (W-ANGLE-1).
pub(crate) fn is_name(host: &[u8]) -> bool {
    host.starts_with(b"[") || host.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// What stands before the first colon; empty if there is none. It is near: a call costs more than the look.
pub(crate) fn scheme(url: &[u8]) -> &[u8] {
    url.iter().position(|&byte| byte == b':').map_or(&[], |colon| &url[..colon])
}

/// What stands after `scheme:` or `scheme://`.
fn after_scheme(url: &[u8]) -> &[u8] {
    let rest = url[scheme(url).len()..].strip_prefix(b":").unwrap_or_default();
    rest.strip_prefix(b"//").unwrap_or(rest)
}

/// The host, without userinfo and port, of a URL with `//`.
pub(crate) fn host(url: &[u8]) -> Option<&[u8]> {
    host_after(&url[scheme(url).len()..])
}

/// The same of what stands after the scheme's name.
fn host_after(rest: &[u8]) -> Option<&[u8]> {
    let rest = rest.strip_prefix(b"://")?;
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
    host(url).is_some_and(is_odd)
}

/// The same of a host.
fn is_odd(host: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (host.first(), host.last()) else { return false };
    let is_edge = |byte: u8| matches!(byte, b'.' | b'-');
    let is_odd = |pair: &[u8]| is_edge(pair[0]) && is_edge(pair[1]) && pair != b"--";
    first != b'[' && (is_edge(first) || is_edge(last) || host.windows(2).any(is_odd))
}
