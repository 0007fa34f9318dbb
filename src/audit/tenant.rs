//! Hosts at which anybody puts pages.

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::known::homes;
use super::quote::quoted;

/// A-TENANT
pub(super) fn tenant(url: &Inspected<'_>) -> Option<Remark> {
    let at = url.tenant()?;
    let message = || format!("anybody can put pages at `{}`", quoted(&at));
    // Old lists link to the pages of their members: a warning of each buried the others.
    let severity = homes::is_home(&at).then_some(Severity::Info);
    Some(Remark { severity, ..Remark::new(url.range(url.host()?), url.tell(message)) })
}
