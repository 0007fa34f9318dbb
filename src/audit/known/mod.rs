//! What is known of services by name: one table a file, with its sources and date.

pub(super) mod gateways;
pub(super) mod keys;
pub(super) mod shorteners;
