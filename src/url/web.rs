//! Web addresses that are known to fit: `http://host/path`, https and ftp, with query and fragment or not. Nearly all URLs are
//! such ones, and their delimiters say where their parts lie, by RFC 1738 and by RFC 3986 alike: they are only cut, at a fifth of
//! the instructions of parsing them by both.

#![cfg_attr(not(feature = "report"), allow(dead_code, reason = "some of it is for reports alone"))]

use bstr::{BStr, ByteSlice};

use super::generic::Generic;
use super::level::Level;
use super::parse::ParseOptions;
use super::scheme::Scheme;
use super::table::{HostState, Table, Url, offset};
use crate::bytes::class;
use crate::bytes::simd::{Backend, Kernel, Look, WIDTH};

/// A web address and the offsets of its delimiters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WebAddress<'a> {
    bytes: &'a [u8],
    /// https is one of the others (G-OTHER-5).
    scheme: Scheme,
    host_start: usize,
    /// The colon of the port; `authority_end` without one.
    host_end: usize,
    /// The `/` of the path.
    authority_end: usize,
    /// The `?`; `end` without one.
    query: usize,
    /// The `#`, or the end.
    end: usize,
    host: HostState,
}

const HTTP: u64 = u64::from_be_bytes(*b"http://\0");
const FTP: u64 = u64::from_be_bytes(*b"ftp://\0\0");
const HTTPS: u64 = u64::from_be_bytes(*b"https://");

impl<'a> WebAddress<'a> {
    /// What `text` begins with, `length` bytes that fit one of the two grammars, where it is a web address without a user.
    /// `None` of what else may be there.
    #[inline(always)]
    pub(crate) fn of_fit(text: &'a [u8], length: usize, options: ParseOptions, backend: Backend) -> Option<Self> {
        let start = u64::from_be_bytes(*text.first_chunk()?);
        let (scheme, host_start) = match start {
            HTTPS => (Scheme::Other, 8),
            _ if start >> 8 == HTTP >> 8 => (Scheme::Http, 7),
            _ if start >> 16 == FTP >> 16 => (Scheme::Ftp, 6),
            _ => return None,
        };
        // By the letter, https may be opaque (G-OTHER-2).
        if scheme == Scheme::Other && options.other_literal || !options.fragment || length >= u32::MAX as usize {
            return None;
        }
        let bytes = text.get(..length)?;
        let rest = bytes.get(host_start..)?;
        // G-FTP-5: a typecode may be there.
        if scheme == Scheme::Ftp && memchr::memchr(b';', rest).is_some() {
            return None;
        }
        let block = text[host_start..].first_chunk();
        let [host_end, last_label, query, hash] = match block {
            Some(block) => backend.look(Delimiters { block, length: rest.len() }),
            None => padded(rest, backend),
        }
        .map(usize::from);
        let (query, end) = match rest.len() {
            0..=WIDTH => (query.min(hash).min(rest.len()), hash.min(rest.len())),
            _ => further(rest, query, hash),
        };
        let authority_end = match rest.get(host_end)? {
            b'/' => host_end,
            b':' => port_end(rest, host_end)?,
            _ => return None,
        };
        if host_end == WIDTH || authority_end >= query {
            return None;
        }
        let is_name = class::ALPHA.contains(*rest.get(last_label)?);
        let at = |place: usize| host_start + place;
        Some(WebAddress {
            bytes,
            scheme,
            host_start,
            host_end: at(host_end),
            authority_end: at(authority_end),
            query: at(query),
            end: at(end),
            host: if is_name { HostState::Name } else { HostState::Number },
        })
    }

    /// In lower case.
    #[inline(always)]
    pub(crate) fn scheme(&self) -> &'a BStr {
        self.part(0, self.host_start - 3)
    }

    #[inline(always)]
    pub(crate) fn host(&self) -> &'a BStr {
        self.part(self.host_start, self.host_end)
    }

    #[inline(always)]
    fn part(&self, from: usize, to: usize) -> &'a BStr {
        self.bytes[from..to].as_bstr()
    }

    /// By RFC 1738, which it fits.
    #[inline(always)]
    pub(crate) fn url(&self) -> Url<'a> {
        let WebAddress { bytes, scheme, host_start, host_end, authority_end, query, end, host } = *self;
        let table = Table {
            scheme_end: offset(host_start) - 3,
            user_end: offset(host_start),
            host_start: offset(host_start),
            host_end: offset(host_end),
            authority_end: offset(authority_end),
            // To RFC 1738, https has no search (G-OTHER-5), and to ftp a `?` is part of a name (G-FTP-2).
            path_end: offset(if scheme == Scheme::Http { query } else { end }),
            mark: offset(end),
            url_end: offset(end),
            scheme,
            host,
        };
        let url = Url { bytes, table };
        debug_assert_eq!(super::parse::structure(bytes, ParseOptions::new()).ok().map(|url| url.table), Some(table));
        url
    }

    /// By RFC 3986, which it fits.
    #[inline(always)]
    pub(crate) fn generic(&self) -> Generic<'a> {
        let WebAddress { bytes, host_end, authority_end, query, end, .. } = *self;
        let generic = Generic {
            scheme: self.scheme(),
            userinfo: None,
            host: Some(self.host()),
            port: if host_end < authority_end { Some(self.part(host_end + 1, authority_end)) } else { None },
            path: self.part(authority_end, query),
            query: if query < end { Some(self.part(query + 1, end)) } else { None },
            fragment: bytes.get(end + 1..).map(|fragment| fragment.as_bstr()),
            level: Level::Rfc3986,
        };
        debug_assert_eq!(Generic::parse(bytes), Some(generic));
        generic
    }
}

impl<'a> Url<'a> {
    /// [`Url::parse_with`] of what is known to fit.
    #[inline]
    pub(crate) fn of_fit(bytes: &'a [u8], options: ParseOptions, backend: Backend) -> Option<Url<'a>> {
        match WebAddress::of_fit(bytes, bytes.len(), options, backend) {
            Some(address) => Some(address.url()),
            None => Url::parse_with(bytes, options).ok(),
        }
    }
}

/// The end of the port behind a colon, and the `/` of the path. `None` of what else may be there, as a password.
#[inline(never)]
fn port_end(rest: &[u8], colon: usize) -> Option<usize> {
    let end = class::raw_run(rest, colon + 1, class::DIGIT);
    (end > colon + 1 && rest.get(end) == Some(&b'/')).then_some(end)
}

/// The first `?` before the `#`, and the `#`, or the ends; what the look at the first bytes found of a text that has more.
#[inline(never)]
fn further(rest: &[u8], query: usize, hash: usize) -> (usize, usize) {
    let first = |seen: usize, byte: u8| match seen {
        WIDTH => memchr::memchr(byte, &rest[WIDTH..]).map_or(rest.len(), |at| WIDTH + at),
        _ => seen,
    };
    let end = first(hash, b'#');
    (first(query, b'?').min(end), end)
}

/// The same as the look at a block, where the text does not go on so far.
#[inline(never)]
fn padded(rest: &[u8], backend: Backend) -> [u8; 4] {
    let mut block = [0; WIDTH];
    let length = rest.len().min(WIDTH);
    block[..length].copy_from_slice(&rest[..length]);
    backend.look(Delimiters { block: &block, length })
}

/// Asks for what follows `//`: where the host ends and its last label begins, and for the first `?` and `#`. [`WIDTH`] stands
/// for what is not among the first bytes.
struct Delimiters<'b> {
    block: &'b [u8; WIDTH],
    /// So many of them belong to the URL, and perhaps some behind them.
    length: usize,
}

impl Look for Delimiters<'_> {
    type Answer = [u8; 4];

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> [u8; 4] {
        let Delimiters { block, length } = self;
        let within = if length < WIDTH { (1 << length) - 1 } else { u64::MAX };
        let are = |byte: u8| kernel.are(block, byte) & within;
        let first = |mask: u64| mask.trailing_zeros() as u8;
        let authority = are(b'/') | are(b':') | are(b'@');
        let before = authority ^ authority.wrapping_sub(1);
        let dots = are(b'.') & before;
        [first(authority), (WIDTH as u32 - dots.leading_zeros()) as u8, first(are(b'?')), first(are(b'#'))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is cut is what is parsed, wherever the text ends behind it.
    #[test]
    fn the_parsers_cut_at_the_same_places() {
        #[rustfmt::skip]
        let parts = [
            "a.example", "h", "1.2.3.4", "a-b", ".c", ":80", "u@", "/", "/", "/a;b", ";type=a", "?", "?q=1", "#", "#f", "~", "%7E", "@", ":",
            "0123456789012345678901234567890123", "é",
        ];
        let mut rng = fastrand::Rng::with_seed(3986);
        let mut cut = 0;
        for turn in 0..200_000 {
            let mut url = String::from(*rng.choice(&["http://", "https://", "HTTP://", "ftp://"]).expect("not empty"));
            for _ in 0..rng.usize(..7) {
                url.push_str(rng.choice(&parts).expect("not empty"));
            }
            let behind = "/?#:@.".repeat(if turn % 2 == 0 { rng.usize(..30) } else { 0 });
            let text = format!("{url}{behind}");
            let (parsed, generic) = (Url::parse(&url).ok(), Generic::parse(&url));
            if parsed.is_none() && generic.is_none_or(|generic| generic.level() == Level::Iri) {
                continue;
            }
            for backend in Backend::all() {
                let address = WebAddress::of_fit(text.as_bytes(), url.len(), ParseOptions::new(), backend);
                let Some(address) = address else { continue };
                assert_eq!(address.generic(), generic.expect(&url), "{backend} {url}");
                if let Some(parsed) = parsed {
                    assert_eq!(address.url().table, parsed.table, "{backend} {url}");
                }
                cut += 1;
            }
        }
        assert!(cut > 15_000, "{cut}");
    }
}
