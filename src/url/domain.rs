//! The registrable domain of a host, by the Public Suffix List.
//!
//! The crate `psl` contains the compiled list, so there is no file to find, and nothing to load
//! into memory. A version of `psl` with a new list appears every few days. The list adds 0.8 MB to
//! the binary, and a look-up costs some 100 ns (November 2026).

use std::borrow::Cow;
use std::net::Ipv4Addr;

use bstr::ByteSlice;

use crate::bytes::words::is_lower_ascii;

/// Returns the host in the form of the list: in lower case, in Punycode, and without the final dot.
pub(crate) fn name(host: &[u8]) -> Cow<'_, [u8]> {
    let host = without_root(host);
    if is_lower_ascii(host) {
        return host.into();
    }
    if host.is_ascii() {
        return host.to_ascii_lowercase().into();
    }
    let ascii = host.to_str().ok().and_then(|host| idna::domain_to_ascii(host).ok());
    ascii.map_or_else(|| host.to_ascii_lowercase().into(), |ascii| ascii.into_bytes().into())
}

/// Returns the registrable domain of a [name]. Addresses and public suffixes have none.
pub(crate) fn site(name: &[u8]) -> Option<&[u8]> {
    if is_address(name) { None } else { psl::domain(name).map(|domain| domain.as_bytes()) }
}

/// Returns the registrable domain of a host that is ASCII in lower case.
#[cfg(feature = "serde")]
pub(crate) fn site_of_lower(host: &[u8]) -> Option<&[u8]> {
    site(without_root(host))
}

/// Returns the registrable domain of a host.
#[cfg(feature = "serde")]
pub(crate) fn domain(host: &[u8]) -> Option<Vec<u8>> {
    site(&name(host)).map(<[u8]>::to_vec)
}

/// Returns a host without its final dot.
fn without_root(host: &[u8]) -> &[u8] {
    host.strip_suffix(b".").unwrap_or(host)
}

/// Returns whether a name is an IP address.
pub(crate) fn is_address(name: &[u8]) -> bool {
    // The last byte of an IPv4 address is a digit, and few names end in one.
    let may_be_ipv4 = name.last().is_some_and(u8::is_ascii_digit);
    name.starts_with(b"[") || may_be_ipv4 && name.to_str().is_ok_and(|name| name.parse::<Ipv4Addr>().is_ok())
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn domains() {
        for (host, expected) in [
            ("www.Example.co.uk.", Some("example.co.uk")),
            ("a.b.example.com", Some("example.com")),
            ("example.com", Some("example.com")),
            ("www.münchen.de", Some("xn--mnchen-3ya.de")),
            ("co.uk", None),
            ("localhost", None),
            ("192.0.2.7", None),
            ("[::1]", None),
            ("", None),
            ("%s", None),
        ] {
            let expected = expected.map(str::as_bytes);
            assert_eq!(domain(host.as_bytes()).as_deref(), expected, "{host}");
            if is_lower_ascii(host.as_bytes()) {
                assert_eq!(site_of_lower(host.as_bytes()), expected, "{host}");
            }
        }
    }
}
