//! Hosts at which anybody puts pages.

use super::finding::Remark;
use super::inspected::Inspected;
use super::quote::quoted;

/// A-TENANT
pub(super) fn tenant(url: &Inspected<'_>) -> Option<Remark> {
    let at = url.tenant()?;
    let message = || format!("anybody can put pages at `{}`", quoted(&at));
    Some(Remark::new(url.range(url.host()?), url.tell(message)))
}
