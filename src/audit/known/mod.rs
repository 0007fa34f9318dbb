//! Services by name: one table in each file, with its sources and date.

pub(super) mod closed;
pub(super) mod gateways;
pub(super) mod homes;
pub(super) mod hosts;
pub(super) mod keys;
pub(super) mod shorteners;
pub(super) mod tenants;
