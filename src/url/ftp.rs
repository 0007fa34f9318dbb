//! RFC 1738 section 3.2: FTP.
//!
//! ```text
//! ftpurl   = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
//! fpath    = fsegment *[ "/" fsegment ]
//! fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
//! ftptype  = "A" | "I" | "D" | "a" | "i" | "d"
//! ```
//!
//! A path is not a file name but a list of steps. The last segment is a name, and each earlier
//! segment is a `CWD`. The path is split first and decoded later, so `%2Fetc` is one step (S-FTP-1,
//! S-FTP-2). A `?` is part of a name (G-FTP-2).

use bstr::{BStr, BString, ByteSlice};

use super::components::{ComponentSink, ComponentValue, Components};
use super::error::{ParseError, ParseErrorKind};
use super::table::{Table, Url, offset};
use super::{escape, lexical, login};
use crate::bytes::class;

/// The opening of the typecode, in any case (G-FTP-5).
const TYPE: &[u8] = b";type=";

/// Parses a login, and after a `/` the path and its typecode (G-FTP-1).
pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    login::parse(url, login::HOSTPORT, table)?;
    let slash = table.authority_end as usize;
    if slash == url.len() {
        return Ok(());
    }
    let path_end = class::run(url, slash + 1, class::FPATH);
    table.path_end = offset(path_end);
    match url.get(path_end) {
        None => return Ok(()),
        Some(b';') => {}
        Some(_) => return Err(lexical::fault(url, path_end)),
    }
    // G-FTP-6: the first `;` must begin the typecode.
    let error = |kind, at| Err(ParseError::new(kind, table.scheme, url, at));
    let code = path_end + TYPE.len();
    if !url.get(path_end..code).is_some_and(|keyword| keyword.eq_ignore_ascii_case(TYPE)) {
        return error(ParseErrorKind::BadPathChar, path_end);
    }
    // G-FTP-3
    if !matches!(url.get(code), Some(b'A' | b'I' | b'D' | b'a' | b'i' | b'd')) {
        return error(ParseErrorKind::BadFtpType, code);
    }
    if code + 1 < url.len() {
        return error(ParseErrorKind::BadFtpType, code + 1);
    }
    Ok(())
}

/// An FTP URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let Parts::Ftp(ftp) = Url::parse(b"ftp://h/%2Fetc/motd;type=a")?.parts() else { unreachable!() };
/// assert!(ftp.cwd().eq(["%2Fetc"]));
/// assert_eq!(ftp.commands().unwrap(), ["CWD /etc", "TYPE A", "RETR motd"]);
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ftp<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Ftp<'a> {
    /// Returns the path, raw, without its first slash and without the typecode.
    #[inline(always)]
    #[must_use]
    pub fn path(&self) -> Option<&'a BStr> {
        self.url.slashed_path()
    }

    /// Returns the segments before the name, raw and in order. Each is the argument of a `CWD`,
    /// even if it is empty (S-FTP-1).
    pub fn cwd(&self) -> impl Iterator<Item = &'a BStr> + use<'a> {
        self.split().into_iter().filter_map(|(cwd, _)| cwd).flat_map(segments)
    }

    /// Returns the last segment, raw. It is empty if the path ends in a slash. `None` without a
    /// path.
    #[inline(always)]
    #[must_use]
    pub fn name(&self) -> Option<&'a BStr> {
        self.split().map(|(_, name)| name)
    }

    /// Returns the letter of the typecode as written: one of `A I D a i d`.
    #[inline(always)]
    #[must_use]
    pub fn typecode(&self) -> Option<&'a BStr> {
        let Table { path_end, url_end, .. } = self.url.table;
        if path_end < url_end { Some(self.url.slice(url_end - 1, url_end)) } else { None }
    }

    /// Returns whether the URL names a directory. It does if the name is absent or empty (S-FTP-4),
    /// or if the typecode is `d` (S-FTP-3).
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.name().is_none_or(|name| name.is_empty()) || self.typecode().is_some_and(|code| code == "d" || code == "D")
    }

    /// Returns the commands that fetch the file or directory after the login (S-FTP-3, S-FTP-4).
    /// They have no line ends.
    ///
    /// The caller must log in (S-FTP-5). Without a [user](Url::user), the login is `anonymous` and
    /// the caller's address. For a user without [password](Url::password), the caller provides the
    /// password. Without a typecode, the caller also guesses the transfer type.
    ///
    /// `None` if an argument decodes to CR, LF or NUL, because it could inject a command (S-FTP-6).
    #[must_use]
    pub fn commands(&self) -> Option<Vec<BString>> {
        Some(self.command_lines()?.collect())
    }

    fn command_lines(&self) -> Option<impl Iterator<Item = BString> + use<'a>> {
        if self.path().is_some_and(ends_lines) {
            return None;
        }
        let line = |verb: &str, argument| BString::from([verb.as_bytes(), &escape::decode(argument)].concat());
        let name = self.name().filter(|name| !name.is_empty());
        let (letter, last) = match self.typecode().and_then(|code| code.first()) {
            None => (None, name.map(|name| line("RETR ", name))),
            Some(b'A' | b'a') => (Some("TYPE A"), name.map(|name| line("RETR ", name))),
            Some(b'I' | b'i') => (Some("TYPE I"), name.map(|name| line("RETR ", name))),
            Some(_) => (None, Some(name.map_or("NLST".into(), |name| line("NLST ", name)))),
        };
        let steps = self.cwd().map(move |segment| line("CWD ", segment));
        Some(steps.chain(letter.map(BString::from)).chain(last))
    }

    /// Splits the path at its last slash. Returns the part before the slash, if there is one, and
    /// the name.
    fn split(&self) -> Option<(Option<&'a BStr>, &'a BStr)> {
        let path = self.path()?;
        Some(match path.rfind_byte(b'/') {
            Some(slash) => (Some(path[..slash].as_bstr()), path[slash + 1..].as_bstr()),
            None => (None, path),
        })
    }

    /// Passes the components to `out`, for reports.
    #[inline(always)]
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        let cwd: ComponentValue<'a> = self.cwd().collect();
        let commands = self.command_lines().map(ComponentValue::from_iter);
        let out = out.login().site().path().fragment().put("cwd", cwd);
        out.put("name", self.name()).put("type", self.typecode()).put("commands", commands)
    }
}

/// Returns the parts between slashes.
fn segments(path: &BStr) -> impl Iterator<Item = &BStr> {
    path.split(|&byte| byte == b'/').map(BStr::new)
}

/// Returns whether a decoded octet of the path ends a line, or a string in C.
fn ends_lines(path: &BStr) -> bool {
    escape::octets(path).any(|octet| matches!(octet, b'\r' | b'\n' | 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::Parts;

    fn ftp(text: &str) -> Ftp<'_> {
        let Parts::Ftp(ftp) = Url::parse(text.as_bytes()).unwrap().parts() else { unreachable!() };
        ftp
    }

    // S-FTP-6
    #[test]
    fn commands_are_not_produced_for_line_ends() {
        for text in ["ftp://h/a%0D%0ADELE%20b", "ftp://h/a%0a/b", "ftp://h/a%00;type=d"] {
            assert_eq!(ftp(text).commands(), None, "{text}");
        }
    }

    // S-FTP-4
    #[test]
    fn directories_have_no_name() {
        for (text, directory) in [
            ("ftp://h", true),
            ("ftp://h/", true),
            ("ftp://h/a/", true),
            ("ftp://h/a", false),
            ("ftp://h/a;type=D", true),
            ("ftp://h/a;type=i", false),
            ("ftp://h/a/;type=i", true),
        ] {
            assert_eq!(ftp(text).is_directory(), directory, "{text}");
        }
    }
}
