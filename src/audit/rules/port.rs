//! Rules about the port. They are silent where the scheme has no port of its own.

use super::Note;
use super::subject::{Subject, quoted};

/// The port that is written, and the scheme's own.
///
/// `None` where they are the same, leading zeros or not (G-PORT-2), or where the scheme has none. A port that 64 bits do
/// not hold is `u64::MAX`.
pub(super) fn foreign(subject: &Subject<'_>) -> Option<(u64, u16)> {
    let text = subject.port()?;
    let usual = subject.default_port()?;
    let port = text.iter().fold(0u64, |port, digit| port.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    (port != u64::from(usual)).then_some((port, usual))
}

fn note(subject: &Subject<'_>, message: String) -> Option<Note> {
    Some(Note::new(subject.range(subject.port()?), message))
}

fn scheme_of(subject: &Subject<'_>) -> String {
    quoted(subject.rough.scheme.unwrap_or_default()).to_ascii_lowercase()
}

/// A-PORT-NONDEFAULT
pub(super) fn nondefault(subject: &Subject<'_>) -> Option<Note> {
    let (_, usual) = foreign(subject)?;
    let scheme = scheme_of(subject);
    note(subject, format!("port {} instead of {usual}, the port of {scheme}", quoted(subject.port()?)))
}

/// A-PORT-RESERVED. Port 0 is A-PORT-RANGE's: there is no service there.
pub(super) fn reserved(subject: &Subject<'_>) -> Option<Note> {
    let (port @ 1..1024, _) = foreign(subject)? else { return None };
    let service = match SERVICES.binary_search_by_key(&port, |&(port, _)| u64::from(port)) {
        Ok(at) => format!(" ({})", SERVICES[at].1),
        Err(_) => String::new(),
    };
    note(subject, format!("speaks {} to port {port}{service}", scheme_of(subject)))
}

/// Services of RFC 1700 that a line sent to them can do harm with, and others that are well known.
const SERVICES: &[(u16, &str)] = &[
    (7, "echo"),
    (19, "chargen"),
    (21, "ftp"),
    (22, "ssh"),
    (23, "telnet"),
    (25, "mail: smtp"),
    (53, "dns"),
    (70, "gopher"),
    (79, "finger"),
    (80, "http"),
    (110, "mail: pop3"),
    (119, "news: nntp"),
    (143, "mail: imap"),
    (389, "ldap"),
    (443, "https"),
    (445, "smb"),
    (465, "mail: smtps"),
    (513, "login"),
    (514, "shell"),
    (515, "printer"),
    (587, "mail: submission"),
    (631, "printer: ipp"),
    (636, "ldaps"),
    (993, "mail: imaps"),
    (995, "mail: pop3s"),
];

/// A-PORT-RANGE
pub(super) fn range(subject: &Subject<'_>) -> Option<Note> {
    let (port, _) = foreign(subject)?;
    if (1..=65535).contains(&port) {
        return None;
    }
    note(subject, format!("there is no port {}; ports are 1 to 65535", quoted(subject.port()?)))
}
