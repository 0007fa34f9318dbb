//! The registrable domain of a host, by the Public Suffix List.
//!
//! The crate `psl` contains the compiled list, so there is no file to find, and nothing to load
//! into memory. A version of `psl` with a new list appears every few days. The list adds 0.8 MB to
//! the binary, and a look-up costs some 100 ns (November 2026).

use std::borrow::Cow;
#[cfg(any(feature = "audit", feature = "serde"))]
use std::net::Ipv4Addr;

use bstr::ByteSlice;

/// Returns the host in the form of the list: in lower case, in Punycode, and without the final dot.
pub(crate) fn name(host: &[u8]) -> Cow<'_, [u8]> {
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

/// Returns the registrable domain of a [name]. Addresses and public suffixes have none.
#[cfg(any(feature = "audit", feature = "serde"))]
pub(crate) fn site(name: &[u8]) -> Option<&[u8]> {
    if is_address(name) { None } else { psl::domain(name).map(|domain| domain.as_bytes()) }
}

/// Returns the registrable domain of a host. Nearly every domain is a slice of its host.
#[cfg(feature = "serde")]
pub(crate) fn domain(host: Cow<'_, [u8]>) -> Option<Cow<'_, [u8]>> {
    let cut = |host: &[u8]| site(&name(host)).map(<[u8]>::to_vec);
    if let Cow::Borrowed(host) = host
        && let Cow::Borrowed(name) = name(host)
    {
        return site(name).map(Cow::Borrowed);
    }
    cut(&host).map(Cow::Owned)
}

/// Returns whether a name is an IP address.
#[cfg(any(feature = "audit", feature = "serde"))]
pub(crate) fn is_address(name: &[u8]) -> bool {
    name.starts_with(b"[") || name.to_str().is_ok_and(|name| name.parse::<Ipv4Addr>().is_ok())
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
            let found = domain(host.as_bytes().into());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{host}");
        }
    }
}
