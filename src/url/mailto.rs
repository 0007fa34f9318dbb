//! RFC 1738 section 3.5: mail addresses.
//!
//! ```text
//! mailtourl      = "mailto:" encoded822addr
//! encoded822addr = 1*xchar                ; further defined in RFC 822
//! ```
//!
//! The decoded address must fit this grammar (RFC 822 sections 6.1 and 3.3):
//!
//! ```text
//! addr-spec   = local-part "@" domain
//! local-part  = word *( "." word )
//! word        = atom / quoted-string
//! domain      = sub-domain *( "." sub-domain )
//! sub-domain  = atom / domain-literal
//! ```
//!
//! The address has no comments, no folding, and only 7-bit characters (G-MAILTO-2). `?`, `=`, `&`,
//! `/` and `%` are atom characters, so the domain of `mailto:a@b?subject=x` is `b?subject=x`
//! (G-MAILTO-4). Headers came later, with RFC 2368. Nothing is reserved: raw and encoded octets are
//! equal, even `@` (G-MAILTO-3).

use std::borrow::Cow;

use bstr::BStr;

use super::components::{ComponentSink, Components};
use super::error::{ParseError, ParseErrorKind};
use super::escape::{self, Octets};
use super::lexical;
use super::table::{Table, Url, offset};
use crate::bytes::class;

pub(super) fn parse(url: &[u8], table: &mut Table) -> Result<(), ParseError> {
    let start = table.scheme_end as usize + 1;
    if let Some((at_sign, end)) = plain_address(&url[start..])
        && start + end == url.len()
    {
        table.path_end = offset(start + at_sign);
        return Ok(());
    }
    if start == url.len() {
        return Err(ParseError::new(ParseErrorKind::EmptyAddress, table.scheme, url, start));
    }
    let end = class::run(url, start, class::XCHAR);
    if end < url.len() {
        return Err(lexical::fault(url, end));
    }
    let Some(at_sign) = addr_spec(&url[start..]) else {
        return Err(ParseError::new(ParseErrorKind::NotAddrSpec, table.scheme, url, start));
    };
    table.path_end = offset(start + at_sign);
    Ok(())
}

/// Returns the place of the `@` and the end of a plain address at the start of `text`. A plain
/// address has atoms and dots without escapes on both sides of the `@`, so it is an `addr-spec`.
/// `None` proves nothing.
pub(crate) fn plain_address(text: &[u8]) -> Option<(usize, usize)> {
    let at_sign = plain_atoms(text, 0)?;
    if text.get(at_sign) != Some(&b'@') {
        return None;
    }
    Some((at_sign, plain_atoms(text, at_sign + 1)?))
}

/// Returns the end of the atoms that begin at `from`, with a dot between two atoms. Returns `None`
/// if an atom is empty. An escape ends the atoms.
#[inline(always)]
fn plain_atoms(text: &[u8], mut from: usize) -> Option<usize> {
    loop {
        let end = class::raw_run(text, from, class::PLAIN_ATOM);
        if end == from {
            return None;
        }
        if text.get(end) != Some(&b'.') {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Returns the offset of the `@`, raw or escaped, that splits an `addr-spec`. `None` if the decoded
/// text is not an `addr-spec`.
///
/// The parser is linear and allocates nothing, because it decodes each octet when it reads it.
fn addr_spec(text: &[u8]) -> Option<usize> {
    let mut octets = escape::octets(text);
    let at_sign = loop {
        word(&mut octets)?;
        let at = octets.offset();
        match octets.next()? {
            b'.' => {}
            b'@' => break at,
            _ => return None,
        }
    };
    loop {
        sub_domain(&mut octets)?;
        match octets.next() {
            None => return Some(at_sign),
            Some(b'.') => {}
            Some(_) => return None,
        }
    }
}

/// Matches `word = atom / quoted-string`.
fn word(octets: &mut Octets<'_>) -> Option<()> {
    match octets.peek()? {
        b'"' => quoted(octets, b'"'),
        _ => atom(octets),
    }
}

/// Matches `sub-domain = domain-ref / domain-literal`, and `domain-ref = atom`.
fn sub_domain(octets: &mut Octets<'_>) -> Option<()> {
    match octets.peek()? {
        b'[' => quoted(octets, b']'),
        _ => atom(octets),
    }
}

/// Matches `atom = 1*<any CHAR except specials, SPACE and CTLs>`.
fn atom(octets: &mut Octets<'_>) -> Option<()> {
    let start = octets.offset();
    while octets.peek().is_some_and(|octet| class::ATOM.contains(octet)) {
        octets.next();
    }
    (octets.offset() > start).then_some(())
}

/// Matches `quoted-string = <"> *(qtext / quoted-pair) <">` and
/// `domain-literal = "[" *(dtext / quoted-pair) "]"`.
///
/// `qtext` is any CHAR except `"`, `\` and CR. `dtext` is any CHAR except `[`, `]`, `\` and CR.
/// `octets` must begin with the opener.
fn quoted(octets: &mut Octets<'_>, closer: u8) -> Option<()> {
    octets.next();
    loop {
        let octet = match octets.next()? {
            octet if octet == closer => return Some(()),
            b'\r' => return None,
            b'[' if closer == b']' => return None,
            b'\\' => octets.next()?,
            octet => octet,
        };
        // CHAR is 7-bit, also in a quoted-pair.
        if !octet.is_ascii() {
            return None;
        }
    }
}

/// A mailto URL.
///
/// # Examples
///
/// ```
/// use urlgrep::Url;
/// use urlgrep::url::Parts;
///
/// let Parts::Mailto(mailto) = Url::parse(b"mailto:%22john%20doe%22@Host.example")?.parts() else { unreachable!() };
/// assert_eq!(*mailto.local(), "\"john doe\"");
/// assert_eq!(*mailto.domain(), "Host.example");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mailto<'a> {
    pub(super) url: Url<'a>,
}

impl<'a> Mailto<'a> {
    /// Returns the address, raw.
    #[must_use]
    pub fn addr(&self) -> &'a BStr {
        self.url.slice(self.url.table.scheme_end + 1, self.url.table.url_end)
    }

    /// Returns the local part, decoded (S-MAILTO-1).
    #[must_use]
    pub fn local(&self) -> Cow<'a, BStr> {
        escape::decode(self.url.slice(self.url.table.scheme_end + 1, self.url.table.path_end))
    }

    /// Returns the domain, decoded. Comparisons of domains ignore case (S-MAILTO-1).
    #[must_use]
    pub fn domain(&self) -> Cow<'a, BStr> {
        let Table { path_end, url_end, .. } = self.url.table;
        // The `@` may be `%40` (G-MAILTO-3).
        let length = if self.url.bytes[path_end as usize] == b'@' { 1 } else { 3 };
        escape::decode(self.url.slice(path_end + length, url_end))
    }

    /// Passes the components to `out`, for reports.
    pub(super) fn components<S: ComponentSink<'a>>(&self, out: Components<'a, S>) -> Components<'a, S> {
        out.fragment().put("local", self.local()).put("domain", self.domain()).put("addr", self.addr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // In `split`, a `|` marks the `@` that splits the addr-spec.
    #[test]
    fn addr_specs_of_rfc_822() {
        let split = "a|@b a.b|@c.d %22a@b%22|@c %22%5C%22%22|@c a.%22b%22|@c a|%40b a|@%5B1.2.3.4%5D a|@%5Bx%5D.b \
                     %22%22|@b %22%0A%22|@b a|@%5B%5D";
        for case in split.split(' ') {
            assert_eq!(addr_spec(case.replace('|', "").as_bytes()), case.find('|'), "{case}");
        }
        let none = "@ a a@ @b a@b@c a..b@c .a@b a.@b a@b. a@.b a%20b@c %22a@b %22a%22b@c a%22b%22@c %22%0D%22@b %22%80%22@b \
                    %22%5C%80%22@b %22%5C a@%5Bx a@%5Bx%5Dy a@%5B%5B%5D a@b%00 %C3%B6@h";
        for text in none.split(' ').chain([""]) {
            assert_eq!(addr_spec(text.as_bytes()), None, "{text}");
        }
    }
}
