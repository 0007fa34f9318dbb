//! RFC 1738 sections 2.1 and 3.1: schemes that have no grammar of their own.
//!
//! ```text
//! otherurl      = genericurl
//! genericurl    = scheme ":" schemepart
//! schemepart    = *xchar | ip-schemepart
//! ip-schemepart = "//" login [ "/" urlpath ]
//! urlpath       = *xchar
//! ```
//!
//! The two alternatives of `schemepart` overlap. By section 3.1 `//` announces the common syntax,
//! so only the second alternative applies after `//` (G-OTHER-2). The caller can choose the literal
//! grammar instead. One of these schemes is https (G-OTHER-5), so no https URL has a search, and
//! `https://h?q` lacks a slash.

use bstr::BStr;

use super::components::{ComponentSink, Components};
use super::error::ParseError;
use super::table::{HostState, Table, Url, offset};
use super::{lexical, login};
use crate::bytes::class;

#[inline]
pub(super) fn parse(url: &[u8], literal: bool, table: &mut Table) -> Result<(), ParseError> {
    let start = table.scheme_end as usize + 1;
    // A URL without `//` is opaque, even with one slash (G-OTHER-4) or with nothing after the colon
    // (G-OTHER-3).
    if !url[start..].starts_with(b"//") {
        return all_xchar(url, start);
    }
    let opaque = *table;
    match ip_schemepart(url, table) {
        Err(_) if literal => {
            *table = opaque;
            all_xchar(url, start)
        }
        result => result,
    }
}

#[inline]
fn ip_schemepart(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::SLASHED_HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    table.path_end = offset(url.len());
    if slash == url.len() { Ok(()) } else { all_xchar(url, slash + 1) }
}

/// Parses `*xchar`, from `start` to the end.
#[inline]
fn all_xchar(url: &[u8], start: usize) -> Result<(), ParseError> {
    let end = class::run(url, start, class::XCHAR);
    if end == url.len() { Ok(()) } else { Err(lexical::fault(url, end)) }
}

/// The alternative of `schemepart` that the URL fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OtherForm {
    /// `ip-schemepart`: `//`, login, host, port, path.
    Ip,
    /// `*xchar`.
    Opaque,
}

impl OtherForm {
    /// Returns `ip` or `opaque`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            OtherForm::Ip => "ip",
            OtherForm::Opaque => "opaque",
        }
    }
}

crate::bytes::display::display!(OtherForm, as_str);

/// A URL of another scheme.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::{OtherForm, Parts};
///
/// let Parts::Other(other) = Url::parse(b"urn:isbn:0451450523")?.parts() else { unreachable!() };
/// assert_eq!(other.form(), OtherForm::Opaque);
/// assert_eq!(other.rest().unwrap(), "isbn:0451450523");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Other<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Other<'a> {
    /// Returns the whole URL.
    #[must_use]
    pub fn url(&self) -> Url<'a> {
        self.url
    }

    /// Returns the form: with a host, or opaque.
    #[inline(always)]
    #[must_use]
    pub fn form(&self) -> OtherForm {
        if self.url.table.host == HostState::Absent { OtherForm::Opaque } else { OtherForm::Ip }
    }

    /// Returns the path, raw, without its first slash. By RFC 1738, only a URL with a host has a
    /// path, and the path may hold `?`.
    #[inline(always)]
    #[must_use]
    pub fn path(&self) -> Option<&'a BStr> {
        self.url.whole_path()
    }

    /// Returns the part after the colon, raw, if the URL is opaque.
    #[inline(always)]
    #[must_use]
    pub fn rest(&self) -> Option<&'a BStr> {
        let Table { scheme_end, url_end, .. } = self.url.table;
        if self.form() == OtherForm::Opaque { Some(self.url.slice(scheme_end + 1, url_end)) } else { None }
    }

    /// Passes the components to `out`, for reports.
    #[inline(always)]
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.login().site().path().fragment().put("form", self.form().as_str()).put("rest", self.rest())
    }
}
