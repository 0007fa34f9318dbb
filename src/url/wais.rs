//! RFC 1738 section 3.9: Wide Area Information Servers.
//!
//! ```text
//! waisurl      = waisdatabase | waisindex | waisdoc
//! waisdatabase = "wais://" hostport "/" database
//! waisindex    = "wais://" hostport "/" database "?" search
//! waisdoc      = "wais://" hostport "/" database "/" wtype "/" wpath
//! database     = *uchar
//! wtype        = *uchar
//! wpath        = *uchar
//! ```
//!
//! None of these three parts holds a raw reserved character. So the first delimiter after the
//! database determines the form (G-WAIS-1). A document id in the shape of RFC 1630, with `/ ; =`,
//! must be encoded (G-WAIS-3).

use bstr::BStr;

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url, offset};
use super::{http, lexical, login};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::SLASHED_HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    let error = |kind, at| Err(ParseError::new(kind, table.scheme, url, at));
    // The error of a byte that is neither uchar nor the next delimiter.
    let bad = |at: usize| match url.get(at) {
        Some(&byte) if class::RESERVED.contains(byte) => error(ParseErrorKind::BadPathChar, at),
        _ => Err(lexical::fault(url, at)),
    };
    if slash == url.len() {
        return error(ParseErrorKind::MissingPath, slash);
    }
    let database_end = class::run(url, slash + 1, class::UNRESERVED);
    table.path_end = offset(database_end);
    match url.get(database_end) {
        None => return Ok(()),
        Some(b'?') => return http::search(url, database_end + 1, table),
        Some(b'/') => {}
        Some(_) => return bad(database_end),
    }
    let type_end = class::run(url, database_end + 1, class::UNRESERVED);
    table.mark = offset(type_end);
    match url.get(type_end) {
        None => return error(ParseErrorKind::MissingWpath, type_end),
        Some(b'/') => {}
        Some(_) => return bad(type_end),
    }
    let path_end = class::run(url, type_end + 1, class::UNRESERVED);
    if path_end < url.len() {
        return bad(path_end);
    }
    Ok(())
}

/// The target of a WAIS URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WaisForm {
    /// `wais://h/database`
    Database,
    /// `wais://h/database?search`
    Index,
    /// `wais://h/database/wtype/wpath`
    Document,
}

impl WaisForm {
    /// Returns `database`, `index` or `doc`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WaisForm::Database => "database",
            WaisForm::Index => "index",
            WaisForm::Document => "doc",
        }
    }
}

crate::bytes::display::display!(WaisForm, as_str);

/// A WAIS URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::{Parts, WaisForm};
///
/// let Parts::Wais(wais) = Url::parse(b"wais://h/db/TEXT/1%3D2")?.parts() else { unreachable!() };
/// assert_eq!(wais.form(), WaisForm::Document);
/// assert_eq!(wais.wpath().unwrap(), "1%3D2"); // opaque (S-WAIS-1)
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wais<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Wais<'a> {
    /// Returns the target: a database, an index or a document.
    #[must_use]
    pub fn form(&self) -> WaisForm {
        match self.url.bytes[..self.url.table.url_end as usize].get(self.url.table.path_end as usize) {
            None => WaisForm::Database,
            Some(b'?') => WaisForm::Index,
            Some(_) => WaisForm::Document,
        }
    }

    /// Returns the database, raw. It may be empty (G-WAIS-2).
    #[must_use]
    pub fn database(&self) -> &'a BStr {
        self.url.slashed_path().unwrap_or_default()
    }

    /// Returns the search string, raw, if the target is an index.
    #[must_use]
    pub fn search(&self) -> Option<&'a BStr> {
        let Table { path_end, url_end, .. } = self.url.table;
        (self.form() == WaisForm::Index).then(|| self.url.slice(path_end + 1, url_end))
    }

    /// Returns a document's type, raw.
    #[must_use]
    pub fn wtype(&self) -> Option<&'a BStr> {
        let Table { path_end, mark, .. } = self.url.table;
        (self.form() == WaisForm::Document).then(|| self.url.slice(path_end + 1, mark))
    }

    /// Returns a document's id, raw and opaque (S-WAIS-1).
    #[must_use]
    pub fn wpath(&self) -> Option<&'a BStr> {
        let Table { mark, url_end, .. } = self.url.table;
        (self.form() == WaisForm::Document).then(|| self.url.slice(mark + 1, url_end))
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.site()
            .fragment()
            .put("form", self.form().as_str())
            .put("database", self.database())
            .put("search", self.search())
            .put("wtype", self.wtype())
            .put("wpath", self.wpath())
    }
}
