//! RFC 1738 section 3.8: telnet.
//!
//! ```text
//! telneturl = "telnet://" login [ "/" ]
//! ```
//!
//! A telnet URL names a service, not a document, so nothing follows the slash (G-TELNET-1). User
//! and password are only advice to the user (S-TELNET-1).

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::login;
use super::table::{Table, Url};

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    if slash + 1 < url.len() {
        return Err(ParseError::new(ParseErrorKind::UnexpectedPath, table.scheme, url, slash + 1));
    }
    Ok(())
}

/// A telnet URL. [`Url`] has its [user](Url::user), [password](Url::password), [host](Url::host)
/// and [port](Url::port).
///
/// ```
/// use urlgrep::{Url, url::Parts};
///
/// let url = Url::parse("telnet://guest@a.example/")?;
/// let Parts::Telnet(telnet) = url.parts() else { unreachable!() };
/// assert!(telnet.slash() && url.port_effective() == Some(23));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Telnet<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Telnet<'a> {
    /// Returns whether the URL ends in a slash.
    #[must_use]
    pub fn slash(&self) -> bool {
        self.url.table.authority_end < self.url.table.url_end
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.login().site().fragment().put("slash", self.slash())
    }
}
