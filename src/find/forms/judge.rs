//! Judges readings: computes their level and rank, and tests the conditions of the extraction
//! rules.

use crate::Level;
#[cfg(any(test, debug_assertions))]
use crate::find::matches::RawMatch;
use crate::find::options::Options;
use crate::find::schemes;
use crate::url::{self, Verdict};

/// The parser with the options of the search.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) options: Options,
}

/// Keys (1)-(3) of W-HYPH-3. A smaller rank is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    /// rfc1738 and rfc1738-ref have the same rank.
    pub(crate) level: Level,
    /// The host has an empty label, or a label with a hyphen at an edge.
    pub(crate) odd_host: bool,
    foreign_scheme: bool,
}

impl Rank {
    /// The best rank that a URL can have.
    pub(crate) const BEST: Rank = Rank { level: Level::Rfc1738Ref, odd_host: false, foreign_scheme: false };
    /// The rank of every text that is not a URL.
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

    /// Returns the match as a lane reports it: with its verdict, and without its colon.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn judged(&self, text: &[u8], found: RawMatch) -> RawMatch {
        RawMatch { verdict: Some(self.verdict(&found.first.bytes(text))), colon: found.start, ..found }
    }

    /// Returns whether a URL has the level `least` or a stricter level. `verdict` caches the URL's
    /// verdict.
    fn has_level(&self, url: &[u8], verdict: &mut Option<Verdict>, least: Level) -> bool {
        verdict.get_or_insert_with(|| self.verdict(url)).level <= least
    }

    /// Returns whether a text is a URL of level rfc3986 or stricter, and longer than `scheme:` or
    /// `scheme://` (W-INNER).
    pub(crate) fn is_truncated_url(&self, url: &[u8]) -> bool {
        !after_scheme(url).is_empty() && self.verdict(url).level <= Level::Rfc3986
    }

    /// Returns whether a text is a URL with a scheme of K, of level rfc3986 or stricter (W-TWO).
    pub(crate) fn is_k_url(&self, url: &[u8]) -> bool {
        schemes::is_k(scheme(url)) && self.verdict(url).level <= Level::Rfc3986
    }

    /// Returns whether a text is valid by RFC 1738, with or without a fragment (W-QUOTE-3).
    pub(crate) fn is_strict(&self, url: &[u8]) -> bool {
        self.verdict(url).level <= Level::Rfc1738Ref
    }

    /// Returns whether an angle body is reported (W-ANGLE-1). The level is tested last, because it
    /// costs most.
    pub(crate) fn is_angle_url(&self, url: &[u8], verdict: &mut Option<Verdict>) -> bool {
        let is_scheme = |name: &[u8]| scheme(url).eq_ignore_ascii_case(name);
        let is_named = |host: &[u8]| is_name(host) || host.is_empty() && is_scheme(b"file");
        let is_address = || !is_scheme(b"mailto") || holds_at(url); // W-MASK
        let holds_more = !after_scheme(url).is_empty();
        holds_more && is_address() && host(url).is_none_or(is_named) && self.has_level(url, verdict, Level::Iri)
    }

    /// Returns whether a text that B-HYPH joined is valid by RFC 3986 and has a plausible host.
    pub(crate) fn is_plausible(&self, url: &[u8]) -> bool {
        self.verdict(url).level <= Level::Rfc3986 && !has_odd_host(url)
    }

    /// Returns whether a URL has level iri or a stricter level. This is required of the longer
    /// reading of B-UNI-1, and of URLs after a conjunction (W-INNER).
    pub(crate) fn is_iri(&self, url: &[u8]) -> bool {
        self.verdict(url).level <= Level::Iri
    }
}

/// Returns whether a URL holds an `@`, plain or escaped, as an address must (W-MASK).
pub(crate) fn holds_at(url: &[u8]) -> bool {
    url.contains(&b'@') || memchr::memmem::find(url, b"%40").is_some()
}

/// Returns whether a host is an IP literal, or holds a letter or digit (W-ANGLE-1).
fn is_name(host: &[u8]) -> bool {
    host.starts_with(b"[") || host.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Returns the name before the first colon. It is empty if there is no colon.
fn scheme(url: &[u8]) -> &[u8] {
    url.iter().position(|&byte| byte == b':').map_or(&[], |colon| &url[..colon])
}

/// Returns the part after `scheme:` or `scheme://`.
fn after_scheme(url: &[u8]) -> &[u8] {
    let rest = url[scheme(url).len()..].strip_prefix(b":").unwrap_or_default();
    rest.strip_prefix(b"//").unwrap_or(rest)
}

/// Returns the host of a URL with `//`, without userinfo and port.
fn host(url: &[u8]) -> Option<&[u8]> {
    let rest = url[scheme(url).len()..].strip_prefix(b"://")?;
    let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(rest.len());
    let host = &rest[memchr::memrchr(b'@', &rest[..end]).map_or(0, |at| at + 1)..end];
    let port = if host.starts_with(b"[") { None } else { memchr::memchr(b':', host) };
    Some(&host[..port.unwrap_or(host.len())])
}

/// Returns whether a label of the host is empty, or has a hyphen at an edge (W-HYPH-3, key 2).
fn has_odd_host(url: &[u8]) -> bool {
    host(url).is_some_and(is_odd)
}

/// Returns whether a host has an empty label, or a label with a hyphen at an edge.
fn is_odd(host: &[u8]) -> bool {
    let (Some(&first), Some(&last)) = (host.first(), host.last()) else { return false };
    let is_edge = |byte: u8| matches!(byte, b'.' | b'-');
    let is_odd = |pair: &[u8]| is_edge(pair[0]) && is_edge(pair[1]) && pair != b"--";
    first != b'[' && (is_edge(first) || is_edge(last) || host.windows(2).any(is_odd))
}
