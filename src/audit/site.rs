//! The site of a host: the registrable domain, by the Public Suffix List.
//!
//! The list is compiled in, by the crate `psl`, which is published anew with it every few days: no file to find, and no
//! memory to fill. It costs 0.8 MB of the binary and a look-up of some 100 ns (November 2026), so it is asked only where two
//! hosts differ.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use bstr::ByteSlice;

/// True if two hosts have one owner: they have the same registrable domain, or are the same where they have none.
pub(super) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let [one, other] = [name(one), name(other)];
    one == other || site(&one).is_some_and(|site_of_one| site(&other) == Some(site_of_one))
}

/// Returns the registrable domain of a host by the Public Suffix List, in lower case and punycode. A host without one,
/// such as an address, is its own.
///
/// # Complexity
///
/// Linear in the host; a look-up takes some 100 ns.
///
/// # Examples
///
/// ```
/// assert_eq!(urlgrep::audit::registrable_domain(b"www.Example.co.uk."), b"example.co.uk");
/// assert_eq!(urlgrep::audit::registrable_domain(b"192.0.2.7"), b"192.0.2.7");
/// ```
#[must_use]
pub fn registrable_domain(host: &[u8]) -> Vec<u8> {
    let name = name(host);
    site(&name).unwrap_or(&name).to_vec()
}

/// True for an address, and for a name below a top-level domain that exists, or that is reserved for tests (RFC 6761).
pub(super) fn is_name_of_host(host: &[u8]) -> bool {
    const RESERVED: [&[u8]; 5] = [b"example", b"test", b"invalid", b"localhost", b"onion"];
    let name = name(host);
    let top = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    is_address(&name) || RESERVED.contains(&top) || psl::suffix(&name).is_some_and(|suffix| suffix.is_known())
}

/// The host as the list has it: in lower case, in punycode, and without the dot of the root.
fn name(host: &[u8]) -> Cow<'_, [u8]> {
    let host = host.strip_suffix(b".").unwrap_or(host);
    if host.is_ascii() {
        return match host.iter().any(u8::is_ascii_uppercase) {
            true => host.to_ascii_lowercase().into(),
            false => host.into(),
        };
    }
    let ascii = host.to_str().ok().and_then(|host| idna::domain_to_ascii(host).ok());
    ascii.map_or_else(|| host.to_ascii_lowercase().into(), |ascii| ascii.into_bytes().into())
}

/// The registrable domain. Addresses have none, nor has what is a public suffix itself.
fn site(name: &[u8]) -> Option<&[u8]> {
    if is_address(name) { None } else { psl::domain(name).map(|domain| domain.as_bytes()) }
}

fn is_address(name: &[u8]) -> bool {
    name.starts_with(b"[") || name.to_str().is_ok_and(|name| name.parse::<Ipv4Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_registrable_domain_is_its_own() {
        for (host, domain) in [
            ("www.Example.co.uk.", "example.co.uk"),
            ("intranet", "intranet"),
            ("192.0.2.7", "192.0.2.7"),
            ("[::1]", "[::1]"),
            ("com", "com"),
        ] {
            assert_eq!(registrable_domain(host.as_bytes()), domain.as_bytes());
        }
    }

    #[test]
    fn sites() {
        for (one, other, same) in [
            ("gemini.com", "exchange.gemini.com", true),
            ("WWW.Example.com", "example.com.", true),
            ("a.example.com", "b.example.com", true),
            ("a.co.uk", "b.co.uk", false),
            ("a.github.io", "b.github.io", false),
            ("example.com", "example.org", false),
            ("intranet", "intranet", true),
            ("intranet", "extranet", false),
            ("192.0.2.7", "198.51.2.7", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("münchen.example", "www.xn--mnchen-3ya.example", true),
            ("com", "com", true),
            ("", "", true),
            ("", "a.example", false),
        ] {
            assert_eq!(is_same(one.as_bytes(), other.as_bytes()), same, "{one} {other}");
        }
    }
}
