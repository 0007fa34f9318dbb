//! The search loop: candidate colons, and plain URLs in one pass.

pub(crate) mod anchor;
pub(crate) mod events;
pub(crate) mod fast;
pub(crate) mod search;
pub(crate) mod whole;
