//! What is known of services by name: one table a file, with its sources and date.

pub(super) mod closed;
pub(super) mod gateways;
pub(super) mod homes;
mod hosts;
pub(super) mod keys;
pub(super) mod shorteners;
pub(super) mod tenants;
