//! Hosts at which anybody can publish pages.

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::known::homes;
use super::quote::quoted;

/// Reports a host at which anybody can publish pages (A-TENANT).
pub(super) fn tenant(url: &Inspected<'_>) -> Option<Remark> {
    let at = url.tenant()?;
    let message = || format!("anybody can put pages at `{}`", quoted(&at));
    // Old mailing lists link to the pages of their members. A warning for each page would bury the
    // other warnings.
    let severity = homes::is_home(&at).then_some(Severity::Info);
    Some(Remark { severity, ..Remark::new(url.range(url.host()?), url.tell(message)) })
}
