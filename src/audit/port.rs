//! Rules about the port. They are silent if the scheme has no default port.

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::quote::quoted;
use crate::bytes::rows::{self, table};
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
const SERVICES: &[(u16, &str)] = &table!("port.txt", service);

const fn service([port, name]: [&'static str; 2]) -> (u16, &'static str) {
    (rows::number(port, 10) as u16, name)
}

/// Reports a port of 0 or above 65535 (A-PORT-RANGE).
pub(super) fn range(url: &Inspected<'_>) -> Option<Remark> {
    let (port, _) = url.foreign_port()?;
    if (1..=65535).contains(&port) {
        return None;
    }
    note(url, format!("there is no port {}; ports are 1 to 65535", quoted(url.port()?)))
}
