//! Rules about the URL as a whole: its length and its grammar.

use super::Note;
use super::subject::Subject;
use crate::url::Level;

/// A-LONG
pub(super) fn long(subject: &Subject<'_>) -> Option<Note> {
    let (length, most) = (subject.raw.len(), subject.options.longest);
    (length > most).then(|| Note::new(most..length, format!("{length} bytes; more than {most}")))
}

/// X-INVALID
pub(super) fn invalid(subject: &Subject<'_>) -> Option<Note> {
    if subject.level() == Level::None { grammar(subject, "") } else { None }
}

/// X-LATER
pub(super) fn later(subject: &Subject<'_>) -> Option<Note> {
    match subject.level() {
        Level::Rfc3986 => grammar(subject, "RFC 3986, and not RFC 1738: "),
        Level::Iri => grammar(subject, "RFC 3987, and not RFC 1738: "),
        _ => None,
    }
}

fn grammar(subject: &Subject<'_>, before: &str) -> Option<Note> {
    let error = subject.parsed.err()?;
    let at = error.offset();
    Some(Note::new(at..subject.raw.len().min(at + 1), format!("{before}{error}")))
}
