//! RFC 1738 section 3.3: HTTP.
//!
//! ```text
//! httpurl  = "http://" hostport [ "/" hpath [ "?" search ] ]
//! hpath    = hsegment *[ "/" hsegment ]
//! hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
//! search   = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
//! ```
//!
//! Section 3.3 prints `http://>:<port>/<path>?<searchpart>`, but means `http://<host>:<port>/…`
//! (G-HTTP-1). It also calls `;` reserved in a path. `hsegment` has `;` for that reserved purpose
//! (G-HTTP-5).

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url, offset};
use super::{escape, lexical, login};
use crate::bytes::class;

#[inline]
pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HTTP_HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    match url.get(slash) {
        None => return Ok(()),
        // G-HTTP-3
        Some(b'?') => return Err(ParseError::new(ParseErrorKind::MissingPathSlash, table.scheme, url, slash)),
        Some(_) => {}
    }
    let path_end = class::run(url, slash + 1, class::HPATH);
    table.path_end = offset(path_end);
    match url.get(path_end) {
        None => Ok(()),
        Some(b'?') => search(url, path_end + 1, table),
        Some(_) => Err(lexical::fault(url, path_end)),
    }
}

/// Parses `search`, from `start` to the end (G-HTTP-4). WAIS has the same `search` (G-WAIS-4).
#[inline]
pub(super) fn search(url: &[u8], start: usize, table: &Table) -> Result<(), ParseError> {
    let end = class::run(url, start, class::HSEGMENT);
    match url.get(end) {
        None => Ok(()),
        Some(b'/' | b'?') => Err(ParseError::new(ParseErrorKind::BadSearchChar, table.scheme, url, end)),
        Some(_) => Err(lexical::fault(url, end)),
    }
}

/// An HTTP URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let Parts::Http(http) = Url::parse(b"http://h/a/b%20c?x+y=%31")?.parts() else { unreachable!() };
/// assert_eq!(http.path().unwrap(), "a/b%20c");
/// assert_eq!(*http.segments().last().unwrap(), "b c");
/// assert_eq!(http.search().unwrap(), "x+y=%31");
/// assert_eq!(*http.search_decoded().unwrap(), "x+y=1"); // `+` is a plus (S-HTTP-1)
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Http<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Http<'a> {
    /// Returns the path without its first slash, raw. `http://h` has no path, and `http://h/` has
    /// an empty one (G-HTTP-6).
    #[inline(always)]
    #[must_use]
    pub fn path(&self) -> Option<&'a BStr> {
        self.url.slashed_path()
    }

    /// Returns the segments of the path, each decoded after the split (S-HTTP-1). Dot segments are
    /// plain data to RFC 1738. An absent path has no segments, and an empty path has one empty
    /// segment.
    pub fn segments(&self) -> impl Iterator<Item = Cow<'a, BStr>> + use<'a> {
        self.path().into_iter().flat_map(|path| path.split(|&byte| byte == b'/')).map(escape::decode)
    }

    /// Returns the part after the `?`, raw.
    #[inline(always)]
    #[must_use]
    pub fn search(&self) -> Option<&'a BStr> {
        let Table { path_end, url_end, .. } = self.url.table;
        if path_end < url_end { Some(self.url.slice(path_end + 1, url_end)) } else { None }
    }

    /// Returns the part after the `?`, decoded as one string of octets.
    #[must_use]
    pub fn search_decoded(&self) -> Option<Cow<'a, BStr>> {
        self.search().map(|search| escape::decode(search.as_bytes()))
    }

    /// Passes the components to `out`, for reports.
    #[inline(always)]
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.site().path().fragment().put("search", self.search())
    }
}
