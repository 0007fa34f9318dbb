//! RFC 1738 section 3.11: the Prospero directory service.
//!
//! ```text
//! prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
//! ppath       = psegment *[ "/" psegment ]
//! psegment    = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
//! fieldspec   = ";" fieldname "=" fieldvalue
//! fieldname   = *[ uchar | "?" | ":" | "@" | "&" ]
//! fieldvalue  = *[ uchar | "?" | ":" | "@" | "&" ]
//! ```
//!
//! The path is the host-specific object name. Before the first `;`, a raw `=` is part of that name
//! (G-PROSPERO-3).

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::components::{ComponentSink, ComponentValue, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url, offset};
use super::{escape, lexical, login};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HOSTPORT, table)?;
    let scheme = table.scheme;
    let error = |kind, at| Err(ParseError::new(kind, scheme, url, at));
    let slash = table.authority_end as usize;
    if slash == url.len() {
        return error(ParseErrorKind::MissingPath, slash);
    }
    // The error of a byte that is neither in the class of its part nor the next delimiter.
    let bad = |at: usize| match url.get(at) {
        Some(&byte) if class::RESERVED.contains(byte) => error(ParseErrorKind::BadFieldChar, at),
        _ => Err(lexical::fault(url, at)),
    };
    let mut at = class::run(url, slash + 1, class::FPATH);
    table.path_end = offset(at);
    // G-PROSPERO-2: each iteration parses one `;name=value`.
    loop {
        match url.get(at) {
            None => return Ok(()),
            Some(b';') => {}
            Some(_) => return bad(at),
        }
        let name_end = class::run(url, at + 1, class::FIELD);
        match url.get(name_end) {
            Some(b'=') => {}
            None | Some(b';') => return error(ParseErrorKind::MissingFieldEquals, name_end),
            Some(_) => return bad(name_end),
        }
        at = class::run(url, name_end + 1, class::FIELD);
    }
}

/// A Prospero URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let Parts::Prospero(prospero) = Url::parse(b"prospero://h/a%3Bb;x=1;y=")?.parts() else { unreachable!() };
/// assert_eq!(*prospero.hsoname(), "a;b");
/// assert!(prospero.fields().eq([("x".into(), "1".into()), ("y".into(), "".into())]));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Prospero<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Prospero<'a> {
    /// Returns the path, raw, without its first slash and without the fields. If `//` follows the
    /// host, the path begins with a slash (G-PROSPERO-4).
    #[must_use]
    pub fn path(&self) -> &'a BStr {
        self.url.slashed_path().unwrap_or_default()
    }

    /// Returns the host-specific object name: the path, decoded as a whole (S-PROSPERO-1).
    #[must_use]
    pub fn hsoname(&self) -> Cow<'a, BStr> {
        escape::decode(self.path())
    }

    /// Returns the names and values of the fields, raw and in order. A name may occur more than
    /// once (S-PROSPERO-1).
    pub fn fields(&self) -> impl Iterator<Item = (&'a BStr, &'a BStr)> + use<'a> {
        let Table { path_end, url_end, .. } = self.url.table;
        // The text before the first `;` is empty, and is not a field.
        self.url.slice(path_end, url_end).split_str(";").skip(1).map(|field| {
            let (name, value) = field.split_once_str("=").unwrap_or((field, b""));
            (name.as_bstr(), value.as_bstr())
        })
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        let pair = |(name, value)| ComponentValue::from_iter([name, value]);
        out.site()
            .path()
            .fragment()
            .put("hsoname", self.hsoname())
            .put("fields", ComponentValue::from_iter(self.fields().map(pair)))
    }
}
