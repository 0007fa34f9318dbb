//! RFC 1738 section 3.7: news by NNTP.
//!
//! ```text
//! nntpurl = "nntp://" hostport "/" group [ "/" digits ]
//! group   = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
//! ```
//!
//! Section 3.7 shows the number as if it were required, but the grammar makes it optional
//! (G-NNTP-1). There is no `*`, no article id, no range and no slash at the end (G-NNTP-2,
//! G-NNTP-3).

use bstr::BStr;

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url, number, offset};
use super::{login, news};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    if slash == url.len() {
        return Err(ParseError::new(ParseErrorKind::MissingPath, table.scheme, url, slash));
    }
    let group_end = news::group(url, slash + 1, table.scheme)?;
    table.path_end = offset(group_end);
    match url.get(group_end) {
        None => return Ok(()),
        Some(b'/') => {}
        Some(_) => return Err(ParseError::new(ParseErrorKind::BadGroupChar, table.scheme, url, group_end)),
    }
    let digits = class::raw_run(url, group_end + 1, class::DIGIT);
    if digits < url.len() || digits == group_end + 1 {
        return Err(ParseError::new(ParseErrorKind::BadArticleNumber, table.scheme, url, digits));
    }
    Ok(())
}

/// An NNTP URL.
///
/// ```
/// use urlgrep::{Url, url::Parts};
///
/// let Parts::Nntp(nntp) = Url::parse("nntp://a.example/comp.infosystems/0042")?.parts() else { unreachable!() };
/// assert_eq!((nntp.group().to_string(), nntp.number_value()), ("comp.infosystems".to_string(), Some(42)));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Nntp<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Nntp<'a> {
    /// Returns the newsgroup.
    #[must_use]
    pub fn group(&self) -> &'a BStr {
        self.url.slashed_path().unwrap_or_default()
    }

    /// Returns the article's number in the group, as written, with leading zeros.
    #[must_use]
    pub fn number(&self) -> Option<&'a BStr> {
        let Table { path_end, url_end, .. } = self.url.table;
        (path_end < url_end).then(|| self.url.slice(path_end + 1, url_end))
    }

    /// Returns the value of [`number`](Nntp::number), if it fits 64 bits (S-NNTP-1).
    #[must_use]
    pub fn number_value(&self) -> Option<u64> {
        number(self.number()?)
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.site().fragment().put("group", self.group()).put("number", self.number())
    }
}
