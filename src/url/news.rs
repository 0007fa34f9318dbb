//! RFC 1738 section 3.6: USENET news.
//!
//! ```text
//! newsurl   = "news:" grouppart
//! grouppart = "*" | group | article
//! group     = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
//! article   = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
//! ```
//!
//! A raw `@` anywhere makes the URL an article, and the first `@` splits it (G-NEWS-2). So
//! `news://server/x@h` is the article `<//server/x@h>`. `news://server/group` is an error here: the
//! server form came with RFC 5538 (G-NEWS-5).

use bstr::{BStr, BString};

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::scheme::Scheme;
use super::table::{HostState, Table, Url, offset};
use super::{escape, lexical, login};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    let start = table.scheme_end as usize + 1;
    let error = |kind, at| Err(ParseError::new(kind, Scheme::News, url, at));
    if let Some(length) = memchr::memchr(b'@', &url[start..]) {
        let at_sign = start + length;
        if length == 0 {
            return error(ParseErrorKind::EmptyArticleId, at_sign);
        }
        let unique = class::run(url, start, class::ARTICLE);
        if unique < at_sign {
            return Err(lexical::fault(url, unique));
        }
        // G-NEWS-6: the host has no port.
        table.host = login::host(url, at_sign + 1, url.len(), Scheme::News)?;
        table.path_end = offset(at_sign);
        table.user_end = offset(at_sign + 1);
        table.host_start = offset(at_sign + 1);
        table.host_end = offset(url.len());
        table.authority_end = offset(url.len());
        return Ok(());
    }
    // G-NEWS-1
    if &url[start..] == b"*" {
        return Ok(());
    }
    let end = group(url, start, Scheme::News)?;
    if end < url.len() {
        return error(ParseErrorKind::BadGroupChar, end);
    }
    Ok(())
}

/// Returns the end of the `group` at `start` (G-NEWS-3). The caller must check the rest.
pub(super) fn group(url: &[u8], start: usize, scheme: Scheme) -> Result<usize, ParseError> {
    let error = |kind| Err(ParseError::new(kind, scheme, url, start));
    match url.get(start) {
        // In `nntp://h//1` the group is empty. In news, no slash can end a group.
        None => error(ParseErrorKind::EmptyGroup),
        Some(b'/') if scheme == Scheme::Nntp => error(ParseErrorKind::EmptyGroup),
        Some(&first) if class::ALPHA.contains(first) => Ok(class::raw_run(url, start + 1, class::GROUP)),
        Some(_) => error(ParseErrorKind::BadGroupChar),
    }
}

/// The target of a news URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NewsForm {
    /// `news:*`
    All,
    /// `news:comp.lang.c`
    Group,
    /// `news:unique@host`
    Article,
}

impl NewsForm {
    /// Returns `all`, `group` or `article`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            NewsForm::All => "all",
            NewsForm::Group => "group",
            NewsForm::Article => "article",
        }
    }
}

crate::bytes::display::display!(NewsForm, as_str);

/// A news URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::{NewsForm, Parts};
///
/// let Parts::News(news) = Url::parse(b"news:%3C1@h.example")?.parts() else { unreachable!() };
/// assert_eq!(news.form(), NewsForm::Article);
/// assert_eq!(news.message_id().unwrap(), "<<1@h.example>");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct News<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> News<'a> {
    /// Returns the target: all groups, a group, or an article (S-NEWS-1).
    #[must_use]
    pub fn form(&self) -> NewsForm {
        if self.url.table.host != HostState::Absent {
            NewsForm::Article
        } else if self.first() == "*" {
            NewsForm::All
        } else {
            NewsForm::Group
        }
    }

    /// Returns the group, if the target is a group.
    #[must_use]
    pub fn group(&self) -> Option<&'a BStr> {
        (self.form() == NewsForm::Group).then(|| self.first())
    }

    /// Returns the part of the article's id before the `@`, raw.
    #[must_use]
    pub fn unique(&self) -> Option<&'a BStr> {
        (self.form() == NewsForm::Article).then(|| self.first())
    }

    /// Returns the part of the article's id after the `@`.
    #[must_use]
    pub fn host(&self) -> Option<&'a BStr> {
        self.url.host()
    }

    /// Returns the article's Message-ID, decoded, in angle brackets (G-NEWS-4).
    #[must_use]
    pub fn message_id(&self) -> Option<BString> {
        let mut id = BString::from("<");
        id.extend(escape::octets(self.unique()?));
        id.push(b'@');
        id.extend_from_slice(self.host()?);
        id.push(b'>');
        Some(id)
    }

    /// Returns the part after the colon, up to the `@` if there is one.
    fn first(&self) -> &'a BStr {
        self.url.slice(self.url.table.scheme_end + 1, self.url.table.path_end)
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.host().fragment().put("form", self.form().as_str()).put("group", self.group()).put("unique", self.unique())
    }
}
