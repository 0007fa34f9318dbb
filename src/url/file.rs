//! RFC 1738 section 3.10: files.
//!
//! ```text
//! fileurl  = "file://" [ host | "localhost" ] "/" fpath
//! fpath    = fsegment *[ "/" fsegment ]
//! fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
//! ```
//!
//! `localhost` is a host name anyway, so this alternative of the grammar adds nothing (G-FILE-2).
//! Both slashes and the slash before the path are required (G-FILE-3). The form `file:/x` came with
//! RFC 8089.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url};
use super::{escape, lexical, login};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::FILE_HOST, table)?;
    let slash = table.authority_end as usize;
    let error = |kind, at| Err(ParseError::new(kind, table.scheme, url, at));
    if slash == url.len() {
        return error(ParseErrorKind::MissingPath, slash);
    }
    let path_end = class::run(url, slash + 1, class::FPATH);
    match url.get(path_end) {
        None => Ok(()),
        // G-FILE-5
        Some(b';') => error(ParseErrorKind::BadPathChar, path_end),
        Some(_) => Err(lexical::fault(url, path_end)),
    }
}

/// A file URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let Parts::File(file) = Url::parse(b"file:///etc/motd")?.parts() else { unreachable!() };
/// assert_eq!(file.host(), "");
/// assert!(file.is_local());
/// assert_eq!(file.path(), "etc/motd");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct File<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> File<'a> {
    /// Returns the host. It may be empty (G-FILE-1).
    #[must_use]
    pub fn host(&self) -> &'a BStr {
        self.url.host().unwrap_or_default()
    }

    /// Returns the path without its first slash, raw. The path is a list of names, not a Unix file
    /// name (S-FILE-1).
    #[must_use]
    pub fn path(&self) -> &'a BStr {
        self.url.slashed_path().unwrap_or_default()
    }

    /// Returns the names of the path, each decoded after the split.
    pub fn segments(&self) -> impl Iterator<Item = Cow<'a, BStr>> + use<'a> {
        self.path().split(|&byte| byte == b'/').map(escape::decode)
    }

    /// Returns whether the file is on the machine that reads the URL. That is so if the host is
    /// empty, or `localhost` in any case. `127.0.0.1` is not special (G-FILE-2, S-FILE-1).
    #[must_use]
    pub fn is_local(&self) -> bool {
        let host = self.host();
        host.is_empty() || host.as_bytes().eq_ignore_ascii_case(b"localhost")
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.host().path().fragment().put("is_local", self.is_local())
    }
}
