//! Rules about schemes.

use super::Note;
use super::subject::{Subject, quoted};
use crate::url::Scheme;

fn note(subject: &Subject<'_>, message: String) -> Option<Note> {
    Some(Note::new(subject.range(subject.rough.scheme?), message))
}

/// The host of a file URL as it is written; `file:/etc` (RFC 8089) has none.
fn file_host<'u>(subject: &Subject<'u>) -> Option<&'u [u8]> {
    (subject.scheme == Scheme::File).then(|| subject.host().unwrap_or_default())
}

/// G-FILE-2: `127.0.0.1` is not special.
fn is_local(host: &[u8]) -> bool {
    host.is_empty() || host.eq_ignore_ascii_case(b"localhost")
}

/// A-FILE-REMOTE
pub(super) fn file_remote(subject: &Subject<'_>) -> Option<Note> {
    let host = file_host(subject).filter(|host| !is_local(host))?;
    Some(Note::new(subject.range(host), format!("a file on `{}`, and no protocol to fetch it by", quoted(host))))
}

/// A-FILE-LOCAL
pub(super) fn file_local(subject: &Subject<'_>) -> Option<Note> {
    file_host(subject).filter(|host| is_local(host))?;
    note(subject, "a file on the machine of whoever reads this".to_owned())
}

/// A-SCHEME-ACTIVE
pub(super) fn active(subject: &Subject<'_>) -> Option<Note> {
    let what = match () {
        () if subject.has_scheme("javascript") => "a script (javascript) that runs when it is followed",
        () if subject.has_scheme("vbscript") => "a script (vbscript) that runs when it is followed",
        () if subject.has_scheme("data") => "content of its own (data), which no server answers for",
        () => return None,
    };
    note(subject, what.to_owned())
}

/// A-SCHEME-X
pub(super) fn experimental(subject: &Subject<'_>) -> Option<Note> {
    let scheme = subject.rough.scheme?;
    let (mark, name) = scheme.split_at_checked(2)?;
    if !mark.eq_ignore_ascii_case(b"x-") || name.is_empty() {
        return None;
    }
    note(subject, format!("`{}` is an experimental scheme", quoted(scheme)))
}

/// A-SCHEME-RESERVED: the list of RFC 1738 section 5, and what became of them.
pub(super) fn reserved(subject: &Subject<'_>) -> Option<Note> {
    const RESERVED: [(&str, &str); 7] = [
        ("afs", "no RFC defines it"),
        ("mid", "RFC 2392 defines it"),
        ("cid", "RFC 2392 defines it"),
        ("nfs", "RFC 2224 defines it"),
        ("tn3270", "RFC 6270 defines it"),
        ("mailserver", "RFC 6196 calls it historic"),
        ("z39.50", "RFC 2056 has z39.50r and z39.50s instead"),
    ];
    let (name, later) = RESERVED.iter().find(|(name, _)| subject.has_scheme(name))?;
    note(subject, format!("RFC 1738 only reserves `{name}`; {later}"))
}
