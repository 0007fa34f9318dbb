//! Rules about the URL as a whole: its length and its grammar.

use super::finding::Remark;
use super::inspected::Inspected;
use crate::Level;

/// A-LONG
pub(super) fn long(url: &Inspected<'_>) -> Option<Remark> {
    let (length, most) = (url.raw.len(), url.options.longest);
    (length > most).then(|| Remark::new(most..length, format!("{length} bytes; more than {most}")))
}

/// X-INVALID
pub(super) fn invalid(url: &Inspected<'_>) -> Option<Remark> {
    if url.level() == Level::None { grammar(url, "") } else { None }
}

/// X-LATER
pub(super) fn later(url: &Inspected<'_>) -> Option<Remark> {
    match url.level() {
        Level::Rfc3986 => grammar(url, "RFC 3986, and not RFC 1738: "),
        Level::Iri => grammar(url, "RFC 3987, and not RFC 1738: "),
        _ => None,
    }
}

fn grammar(url: &Inspected<'_>, before: &str) -> Option<Remark> {
    let error = url.parsed.err()?;
    let at = error.offset();
    Some(Remark::new(at..url.raw.len().min(at + 1), url.tell(|| format!("{before}{error}"))))
}
