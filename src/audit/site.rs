//! The site of a host: its registrable domain by the Public Suffix List.
//!
//! A look-up costs some 100 ns (November 2026), so it is done only if two hosts differ.

use crate::url::domain::{is_address, name, site};

/// Returns true if two hosts have the same owner: they share a registrable domain, or are equal.
pub(super) fn is_same(one: &[u8], other: &[u8]) -> bool {
    let [one, other] = [name(one), name(other)];
    one == other || site(&one).is_some_and(|site_of_one| site(&other) == Some(site_of_one))
}

/// Returns the registrable domain of a host by the Public Suffix List, in lower case and punycode.
/// Returns the host itself if it has no registrable domain, such as an address.
///
/// # Complexity
///
/// Linear in the host; a look-up costs some 100 ns.
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

/// Returns true for an address, and for a name with a top-level domain that exists or is reserved
/// (RFC 6761, RFC 7686).
pub(super) fn is_name_of_host(host: &[u8]) -> bool {
    const RESERVED: [&[u8]; 5] = [b"example", b"test", b"invalid", b"localhost", b"onion"];
    let name = name(host);
    let top = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    is_address(&name) || RESERVED.contains(&top) || psl::suffix(&name).is_some_and(|suffix| suffix.is_known())
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
