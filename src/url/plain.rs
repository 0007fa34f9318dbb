//! The verdicts of plain URLs: http, https and ftp with a host name, perhaps a port, and plain
//! bytes.
//!
//! Most URLs in the wild are plain, and shorter than 64 bytes. This file judges them from bit masks
//! of those bytes ([`Masks`]), and reads few bytes one by one. Other URLs go to the parser. The
//! verdict equals the parser's: a test compares the two, and the compiler checks the masks against
//! the grammar's classes.
//!
//! [`judge`](super::judge()) needs 32 ns per URL on text made of URLs, and 23 ns per plain URL.
//! Without this file, [`judge`](super::judge()) needed 69 ns (AMD EPYC, 2026-11; the benchmarks
//! `judged` and `judged_plain`). The parser makes 45 to 60 dependent steps: one table look-up per
//! byte, and one jump per component. The finder's fast lane saves more, because it already has the
//! bytes.

use std::ops::Range;

use super::error::{ParseError, ParseErrorKind};
use super::level::{Level, Verdict};
use super::scheme::{K, Scheme, key};
use crate::bytes::class;
use crate::bytes::simd::{self, Backend, Kernel, Look, Masks, WIDTH};

/// A plain byte may stand in every path and search, except the bytes that [`Plain::verdict`] checks
/// (G-LEX-1, G-HTTP-4, G-HTTP-5, G-FTP-2).
const _: () = {
    let mut byte = 0;
    while byte < 128 {
        let is_asked = matches!(byte, b'/' | b'?' | b'~' | b'#' | b'%');
        assert!(!simd::is_plain(byte) || is_asked || class::HSEGMENT.contains(byte) && class::XCHAR.contains(byte));
        assert!(!simd::is_plain(byte) || is_asked || class::FSEGMENT.contains(byte));
        assert!(!is_asked || byte == b'/' || simd::is_special(byte));
        let is_common = simd::is_plain(byte) && !simd::is_special(byte);
        assert!(!(is_common || byte == b'?' || byte == b'=') || byte == b'.' || class::PLAIN_ATOM.contains(byte));
        assert!(!is_common || class::ARTICLE.contains(byte));
        byte += 1;
    }
};

/// A scheme of the table `K` that has `//` after its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainScheme {
    /// Length of the scheme's name. Computing the length from the scheme needed a jump through a
    /// table.
    pub(crate) len: usize,
    rest: PlainRest,
}

/// The part that may follow the authority of a plain URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlainRest {
    /// http: no `/` or `?` may stand after the first `?`.
    Http,
    /// https and ftp: like http, but `?` and `/` may stand anywhere in the part.
    Path,
    /// gopher: the parser judges every URL with a [special](Masks::special) byte.
    Gopher,
    /// A scheme whose URLs only the parser judges.
    Other,
}

impl PlainScheme {
    /// Returns the scheme that ends right before a colon. `last_eight` has the bytes before the
    /// colon, the last byte lowest.
    #[inline(always)]
    pub(crate) fn before_colon(last_eight: u64) -> Option<PlainScheme> {
        const FTP: u64 = key(b"ftp");
        const HTTP: u64 = key(b"http");
        const HTTPS: u64 = key(b"https");
        const GOPHER: u64 = key(b"gopher");
        // This bit turns only letters into lower-case letters.
        let lower = last_eight | 0x2020_2020_2020_2020;
        let (len, rest) = match lower & 0xFFFF_FFFF {
            HTTP => (4, PlainRest::Http),
            _ if lower & 0xFF_FFFF_FFFF == HTTPS => (5, PlainRest::Path),
            four if four & 0xFF_FFFF == FTP => (3, PlainRest::Path),
            _ if lower & 0xFFFF_FFFF_FFFF == GOPHER => (6, PlainRest::Gopher),
            _ => (PlainScheme::other(lower)?, PlainRest::Other),
        };
        Some(PlainScheme { len, rest })
    }

    #[inline(never)]
    fn other(lower: u64) -> Option<usize> {
        Some(K.iter().find(|row| row.has_slashes && row.ends(lower))?.name.len())
    }
}

/// The masks of the bytes after `//`, up to the possible end of a plain URL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain<'b> {
    bytes: &'b [u8; WIDTH],
    /// Whether the host is a name by G-HOST-1 and G-HOST-2. `false` proves nothing. This field and
    /// `is_common` are computed early, while the masks are in registers.
    is_named: bool,
    /// Whether none of the bytes before `end` is [special](Masks::special).
    is_common: bool,
    /// The end of the host, or of its port if it has one.
    pub(crate) authority_end: usize,
    /// The offset of the first byte that is not plain, or [`WIDTH`] if all are plain.
    pub(crate) end: usize,
}

impl<'b> Plain<'b> {
    /// Returns whether a `,` stands in the first `len` bytes, before `end`.
    #[inline(always)]
    pub(crate) fn holds_comma<K: Kernel>(&self, kernel: K, len: usize) -> bool {
        !self.is_common && kernel.are(self.bytes, b',') & below(len.min(self.end)) != 0
    }

    /// Reads the bytes after `//`. Returns `None` if they do not begin with a plain authority.
    ///
    /// A plain authority is a host that begins with a letter or digit, and perhaps a port. It must
    /// end before a `/` or before a byte that is not plain.
    #[inline(always)]
    pub(crate) fn read(bytes: &'b [u8; WIDTH], masks: Masks) -> Option<Plain<'b>> {
        let Masks { mut other, no_name, edge, special, .. } = masks;
        if (no_name | edge) & 1 != 0 || no_name == 0 {
            return None;
        }
        let host_end = no_name.trailing_zeros() as usize;
        let is_named = is_host_name(bytes, masks, 0..host_end);
        let mut authority_end = host_end;
        if bytes[host_end] == b':' {
            other &= other - 1;
            authority_end = port_end(bytes, host_end)?;
        }
        let end = other.trailing_zeros() as usize;
        if bytes[authority_end] != b'/' && end != authority_end {
            return None;
        }
        let is_common = special & (other.wrapping_sub(1) & !other) == 0;
        Some(Plain { bytes, is_named, is_common, authority_end, end })
    }

    /// Returns the verdict of a URL that ends within these bytes, or continues after them without
    /// special bytes. Returns `None` if the parser must judge.
    ///
    /// The first `len` bytes must belong to `url`. They must be plain, except the colon of the
    /// port.
    #[inline(always)]
    pub(crate) fn verdict<K: Kernel>(&self, kernel: K, scheme: PlainScheme, url: &[u8], len: usize) -> Option<Verdict> {
        if len < self.authority_end || !self.is_named || scheme.rest == PlainRest::Other {
            return None;
        }
        if self.is_common {
            return Some(Verdict { level: Level::Rfc1738, error: None });
        }
        self.special_verdict(kernel, scheme, url, len)
    }

    /// Returns the verdict of a URL that holds a [special](Masks::special) byte.
    #[inline(always)]
    fn special_verdict<K: Kernel>(&self, kernel: K, scheme: PlainScheme, url: &[u8], len: usize) -> Option<Verdict> {
        let within = below(len);
        let are = |byte: u8| kernel.are(self.bytes, byte) & within;
        // G-FRAG-1: a fragment holds any of these bytes, but no second `#`.
        let (hashes, tildes) = (are(b'#'), are(b'~'));
        if len == WIDTH || are(b'%') != 0 || hashes & hashes.wrapping_sub(1) != 0 {
            return None;
        }
        match scheme.rest {
            // G-HTTP-4: the search holds neither `/` nor `?`.
            PlainRest::Http => {
                let proper = within & !from_lowest(hashes);
                let query = are(b'?');
                let search = from_lowest(query & proper) << 1 & proper;
                if (query | are(b'/')) & search != 0 {
                    return None;
                }
            }
            PlainRest::Path => {}
            PlainRest::Gopher | PlainRest::Other => return None,
        }
        if tildes == 0 {
            let level = if hashes == 0 { Level::Rfc1738 } else { Level::Rfc1738Ref };
            return Some(Verdict { level, error: None });
        }
        // G-LEX-3 rejects `~`, but RFC 3986 allows it.
        let at = scheme.len + 3 + tildes.trailing_zeros() as usize;
        let error = ParseError::new(ParseErrorKind::UnsafeGateway, Scheme::Other, url, at);
        Some(Verdict { level: Level::Rfc3986, error: Some(error) })
    }
}

/// Returns the end of the digits after a host's colon. Returns `None` if there are no digits, or if
/// they may continue after these bytes.
#[inline(always)]
fn port_end(bytes: &[u8; WIDTH], colon: usize) -> Option<usize> {
    let digits = bytes[colon + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = colon + 1 + digits;
    (digits > 0 && end < WIDTH).then_some(end)
}

/// Returns whether a stretch of name bytes is certainly a host name (G-HOST-1, G-HOST-2). No label
/// of a host name is empty, or has a hyphen at an edge. The last label begins with a letter.
#[inline(always)]
fn is_host_name(bytes: &[u8; WIDTH], masks: Masks, host: Range<usize>) -> bool {
    let Masks { dot, edge, .. } = masks;
    if host.is_empty() || host.end >= WIDTH {
        return false;
    }
    let (first, past) = (1 << host.start, 1 << host.end);
    let dots = dot & (past - first);
    let last_label = (WIDTH - dots.leading_zeros() as usize).max(host.start) % WIDTH;
    // No hyphen stands next to an end of the host, or next to a dot.
    (dots | past) & edge << 1 == 0
        && (dots & edge >> 1) | (first & edge) == 0
        && (bytes[last_label] | 0x20).is_ascii_lowercase()
}

/// Returns the bits below bit `at`, or all bits if `at` is [`WIDTH`].
#[inline(always)]
fn below(at: usize) -> u64 {
    if at >= WIDTH { u64::MAX } else { (1 << at) - 1 }
}

/// Returns the lowest set bit of `mask` and all bits above it, or 0 if `mask` is 0.
#[inline(always)]
fn from_lowest(mask: u64) -> u64 {
    mask | mask.wrapping_neg()
}

/// Returns the verdict of a plain URL, or `None` if the parser must judge.
#[inline(always)]
pub(super) fn judge(backend: Backend, url: &[u8]) -> Option<Verdict> {
    let colon = (3..=5).find(|&at| url.get(at) == Some(&b':'))?;
    let (scheme, rest) = url.split_at(colon);
    let body = rest.strip_prefix(b"://")?;
    let last_eight = scheme.iter().fold(0, |eight, &byte| eight << 8 | u64::from(byte));
    let scheme = PlainScheme::before_colon(last_eight).filter(|scheme| scheme.len == colon)?;
    let mut bytes = [0; WIDTH];
    bytes.get_mut(..body.len())?.copy_from_slice(body);
    backend.look(Judged { scheme, url, bytes: &bytes })
}

/// A request for the verdict of `url`. `bytes` holds the part of `url` after `://`, padded with
/// zeros.
struct Judged<'a> {
    scheme: PlainScheme,
    url: &'a [u8],
    bytes: &'a [u8; WIDTH],
}

impl Look for Judged<'_> {
    type Answer = Option<Verdict>;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> Option<Verdict> {
        let len = self.url.len() - self.scheme.len - 3;
        let plain = Plain::read(self.bytes, kernel.masks(self.bytes)).filter(|plain| plain.end == len)?;
        plain.verdict(kernel, self.scheme, self.url, len)
    }
}

/// A request for the part after the colon of a mailto or news URL.
pub(crate) struct ReadOpaque<'b> {
    pub(crate) bytes: &'b [u8; WIDTH],
    pub(crate) is_mail: bool,
}

impl Look for ReadOpaque<'_> {
    type Answer = PlainOpaque;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> PlainOpaque {
        PlainOpaque::read(kernel, self.bytes, self.is_mail)
    }
}

/// The part after the colon of mailto or news, by the masks of 64 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainOpaque {
    /// The offset of the first byte that is neither plain nor the first `@`, or [`WIDTH`].
    pub(crate) end: usize,
    /// Whether the part is an address, an article or a group by RFC 1738. `false` proves nothing.
    pub(crate) is_rfc1738: bool,
}

impl PlainOpaque {
    #[inline(always)]
    fn read<K: Kernel>(kernel: K, bytes: &[u8; WIDTH], is_mail: bool) -> PlainOpaque {
        let masks = kernel.masks(bytes);
        let Masks { other, no_name, dot, special, .. } = masks;
        let sign = other.trailing_zeros() as usize;
        if sign == WIDTH || bytes[sign] != b'@' {
            // G-NEWS-3
            let is_group = !is_mail && sign > 0 && no_name & below(sign) == 0 && bytes[0].is_ascii_alphabetic();
            return PlainOpaque { end: sign, is_rfc1738: is_group };
        }
        let end = (other & (other - 1)).trailing_zeros() as usize;
        let (host, within) = (sign + 1..end, below(end));
        let is_rfc1738 = if is_mail {
            // G-MAILTO-2: words stand on both sides of the `@`, with one dot between two words. `?`
            // and `=` are bytes of words (G-MAILTO-4).
            let edges = 1 | 1 << sign >> 1 | 1 << sign << 1 | 1 << (end.max(1) - 1);
            let special = special & within;
            sign > 0
                && !host.is_empty()
                && (special == 0 || special & !(kernel.are(bytes, b'?') | kernel.are(bytes, b'=')) == 0)
                && dot & within & (dot << 1 | edges) == 0
        } else {
            // G-NEWS-2, G-NEWS-6
            sign > 0
                && special & below(sign) == 0
                && no_name & within & !below(sign) == 1 << sign
                && is_host_name(bytes, masks, host)
        };
        PlainOpaque { end, is_rfc1738 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::{ParseOptions, judge_any};

    #[test]
    fn the_parser_gives_the_same_verdicts() {
        #[rustfmt::skip]
        let parts = [
            "http", "https", "ftp", "FTP", "gopher", "://", "://", ":", "h.example", "a-b", "1.2.3.4", "x1", "-", ".",
            "..", ":80", ":", "/", "/", "/a", "?", "?q", "#", "#f", "~", "%20", "%2", ";", ";type=a", ",", "@", "_",
            "é", " ", "(", "é", "0123456789012345678901234567890123",
        ];
        let mut rng = fastrand::Rng::with_seed(1738);
        let mut plain = 0;
        for _ in 0..300_000 {
            let mut url =
                String::from(*rng.choice(&["http://h", "https://h", "ftp://h", "http://", ""]).expect("not empty"));
            for _ in 0..rng.usize(..9) {
                url.push_str(rng.choice(parts).expect("not empty"));
            }
            let options = ParseOptions::new().other_literal(rng.bool());
            for backend in Backend::all() {
                if let Some(verdict) = judge(backend, url.as_bytes()) {
                    assert_eq!(verdict, judge_any(url.as_bytes(), options), "{backend} {url}");
                    plain += 1;
                }
            }
        }
        assert!(plain > 30_000, "{plain}: the texts no longer come near the edges");
    }
}
