//! Rules about schemes.

use bstr::ByteSlice;

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::quote::quoted;
use super::site;
use crate::url::Scheme;

fn note(url: &Inspected<'_>, message: String) -> Option<Remark> {
    Some(Remark::new(url.range(url.rough.scheme?), message))
}

/// Returns the host of a file URL as written. `file:/etc` (RFC 8089) has an empty host.
fn file_host<'u>(url: &Inspected<'u>) -> Option<&'u [u8]> {
    (url.scheme == Scheme::File).then(|| url.host().unwrap_or_default())
}

/// Returns true for an empty host and for `localhost`. `127.0.0.1` is not special (G-FILE-2).
fn is_local(host: &[u8]) -> bool {
    host.is_empty() || host.eq_ignore_ascii_case(b"localhost")
}

/// Reports a file URL with another host (A-FILE-REMOTE).
pub(super) fn file_remote(url: &Inspected<'_>) -> Option<Remark> {
    let host = file_host(url).filter(|host| !is_local(host))?;
    // A name without an existing top-level domain is a nearby machine or a file (`file://budget.json`).
    let severity = (!site::is_name_of_host(host)).then_some(Severity::Info);
    let message = format!("a file on `{}`, without a protocol to fetch it", quoted(host));
    Some(Remark { severity, ..Remark::new(url.range(host), message) })
}

/// Reports a local file URL in shared text (A-FILE-LOCAL).
pub(super) fn file_local(url: &Inspected<'_>) -> Option<Remark> {
    file_host(url).filter(|host| is_local(host))?;
    note(url, "a file on the reader's own machine".to_owned())
}

/// Reports a URL that runs a script or holds a page (A-SCHEME-ACTIVE).
pub(super) fn active(url: &Inspected<'_>) -> Option<Remark> {
    let what = match () {
        () if url.has_scheme("javascript") => "a script (javascript) that runs when it is followed",
        () if url.has_scheme("vbscript") => "a script (vbscript) that runs when it is followed",
        () if is_active(data_type(url.raw)?) => "content in the URL itself (data), not from a server",
        () => return None,
    };
    let remark = note(url, what.to_owned())?;
    Some(Remark { severity: does_nothing(url.raw).then_some(Severity::Info), ..remark })
}

/// Returns true for `javascript:void(0)` and the like, which pages write for a link that leads
/// nowhere.
fn does_nothing(url: &[u8]) -> bool {
    let script = url.split_once_str(":").map_or(&b""[..], |(_, script)| script);
    let marks = script.iter().filter(|byte| !b" ();0".contains(byte)).copied().collect::<Vec<_>>();
    marks.is_empty() || marks == b"void" || marks == b"//"
}

/// Returns true for a media type that browsers run or show as a page.
fn is_active(media_type: &[u8]) -> bool {
    ["text/html", "text/xml", "application/xhtml+xml", "image/svg+xml", "text/javascript"]
        .iter()
        .any(|active| media_type.eq_ignore_ascii_case(active.as_bytes()))
}

/// Splits a `data:` URL at its comma into the media type and the data (RFC 2397).
fn data_parts(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let (scheme, rest) = url.split_at_checked(5)?;
    if !scheme.eq_ignore_ascii_case(b"data:") {
        return None;
    }
    Some(rest.split_once_str(",").unwrap_or((rest, b"")))
}

/// Returns the media type of a `data:` URL without its parameters.
fn data_type(url: &[u8]) -> Option<&[u8]> {
    let (head, _) = data_parts(url)?;
    head.split(|&byte| byte == b';').next()
}

/// Reports a `data:` URL that runs nothing (A-DATA).
pub(super) fn data(url: &Inspected<'_>) -> Option<Remark> {
    let media_type = data_type(url.raw).filter(|media_type| !is_active(media_type))?;
    let (_, data) = data_parts(url.raw)?;
    let media_type = if media_type.is_empty() { b"text/plain" } else { media_type };
    note(url, format!("{} bytes of {}, in the URL itself", data.len(), quoted(media_type)))
}

/// Returns a short form of a `data:` URL: its type and the length of its data. Returns `None` for
/// other URLs.
///
/// The data itself is unreadable and may fill megabytes.
///
/// # Complexity
///
/// Linear in the type.
///
/// # RFC
///
/// RFC 2397 section 3.
///
/// # Examples
///
/// ```
/// use urlgrep::audit::data_in_short;
///
/// assert_eq!(data_in_short(b"data:image/png;base64,iVBORw0K").unwrap(), "data:image/png;base64,… (8 bytes)");
/// assert_eq!(data_in_short(b"http://h.example/"), None);
/// ```
#[must_use]
pub fn data_in_short(url: &[u8]) -> Option<String> {
    let (head, data) = data_parts(url)?;
    Some(format!("data:{},… ({} bytes)", quoted(head), data.len()))
}

/// Reports an experimental `x-` scheme (A-SCHEME-X).
pub(super) fn experimental(url: &Inspected<'_>) -> Option<Remark> {
    let scheme = url.rough.scheme?;
    let (mark, name) = scheme.split_at_checked(2)?;
    if !mark.eq_ignore_ascii_case(b"x-") || name.is_empty() {
        return None;
    }
    note(url, format!("`{}` is an experimental scheme", quoted(scheme)))
}

/// Reports a scheme that RFC 1738 section 5 only reserves, and its later definition
/// (A-SCHEME-RESERVED).
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
