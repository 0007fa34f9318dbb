//! Rules about the port. They are silent if the scheme has no default port.

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::quote::quoted;
use crate::url::Scheme;

fn note(url: &Inspected<'_>, message: String) -> Option<Remark> {
    Some(Remark::new(url.range(url.port()?), message))
}

fn scheme_of(url: &Inspected<'_>) -> String {
    quoted(url.rough.scheme.unwrap_or_default()).to_ascii_lowercase()
}

/// Reports a port other than the scheme's own (A-PORT-NONDEFAULT).
pub(super) fn nondefault(url: &Inspected<'_>) -> Option<Remark> {
    let (_, usual) = url.foreign_port()?;
    let scheme = scheme_of(url);
    note(url, format!("port {} instead of {usual}, the port of {scheme}", quoted(url.port()?)))
}

/// Reports a port from 1 to 1023 that is not the scheme's own (A-PORT-RESERVED). Port 0 has no
/// service, so A-PORT-RANGE reports it instead.
pub(super) fn reserved(url: &Inspected<'_>) -> Option<Remark> {
    let (port @ 1..1024, _) = url.foreign_port()? else { return None };
    // Telnet sends only what its user types, and no request can harm a gopher server. In 1994 the
    // second server on a machine often had such a port, or a port without a service. So these ports are
    // mild.
    let is_harmless = url.scheme == Scheme::Telnet || port == 70;
    let (service, is_known) = match SERVICES.binary_search_by_key(&port, |&(port, _)| u64::from(port)) {
        Ok(at) => (format!(" ({})", SERVICES[at].1), true),
        Err(_) => (String::new(), false),
    };
    let severity = (is_harmless || !is_known).then_some(Severity::Info);
    let remark = note(url, format!("speaks {} to port {port}{service}", scheme_of(url)))?;
    Some(Remark { severity, ..remark })
}

/// Well-known services, and services of RFC 1700 that a single line can harm.
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

/// Reports a port of 0 or above 65535 (A-PORT-RANGE).
pub(super) fn range(url: &Inspected<'_>) -> Option<Remark> {
    let (port, _) = url.foreign_port()?;
    if (1..=65535).contains(&port) {
        return None;
    }
    note(url, format!("there is no port {}; ports are 1 to 65535", quoted(url.port()?)))
}
