//! Rules about schemes.

use super::finding::Remark;
use super::inspected::Inspected;
use super::quote::quoted;
use crate::url::Scheme;

fn note(url: &Inspected<'_>, message: String) -> Option<Remark> {
    Some(Remark::new(url.range(url.rough.scheme?), message))
}

/// The host of a file URL as it is written; `file:/etc` (RFC 8089) has none.
fn file_host<'u>(url: &Inspected<'u>) -> Option<&'u [u8]> {
    (url.scheme == Scheme::File).then(|| url.host().unwrap_or_default())
}

/// G-FILE-2: `127.0.0.1` is not special.
fn is_local(host: &[u8]) -> bool {
    host.is_empty() || host.eq_ignore_ascii_case(b"localhost")
}

/// A-FILE-REMOTE
pub(super) fn file_remote(url: &Inspected<'_>) -> Option<Remark> {
    let host = file_host(url).filter(|host| !is_local(host))?;
    Some(Remark::new(url.range(host), format!("a file on `{}`, and no protocol to fetch it by", quoted(host))))
}

/// A-FILE-LOCAL
pub(super) fn file_local(url: &Inspected<'_>) -> Option<Remark> {
    file_host(url).filter(|host| is_local(host))?;
    note(url, "a file on the machine of whoever reads this".to_owned())
}

/// A-SCHEME-ACTIVE
pub(super) fn active(url: &Inspected<'_>) -> Option<Remark> {
    let what = match () {
        () if url.has_scheme("javascript") => "a script (javascript) that runs when it is followed",
        () if url.has_scheme("vbscript") => "a script (vbscript) that runs when it is followed",
        () if url.has_scheme("data") => "content of its own (data), which no server answers for",
        () => return None,
    };
    note(url, what.to_owned())
}

/// A-SCHEME-X
pub(super) fn experimental(url: &Inspected<'_>) -> Option<Remark> {
    let scheme = url.rough.scheme?;
    let (mark, name) = scheme.split_at_checked(2)?;
    if !mark.eq_ignore_ascii_case(b"x-") || name.is_empty() {
        return None;
    }
    note(url, format!("`{}` is an experimental scheme", quoted(scheme)))
}

/// A-SCHEME-RESERVED: the list of RFC 1738 section 5, and what became of them.
pub(super) fn reserved(url: &Inspected<'_>) -> Option<Remark> {
    const RESERVED: [(&str, &str); 7] = [
        ("afs", "no RFC defines it"),
        ("mid", "RFC 2392 defines it"),
        ("cid", "RFC 2392 defines it"),
        ("nfs", "RFC 2224 defines it"),
        ("tn3270", "RFC 6270 defines it"),
        ("mailserver", "RFC 6196 calls it historic"),
        ("z39.50", "RFC 2056 has z39.50r and z39.50s instead"),
    ];
    let (name, later) = RESERVED.iter().find(|(name, _)| url.has_scheme(name))?;
    note(url, format!("RFC 1738 only reserves `{name}`; {later}"))
}
