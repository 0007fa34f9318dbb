//! The forms of a URL at a colon, and the readings of each.

pub(crate) mod bare;
pub(crate) mod judge;
#[cfg(feature = "domain")]
pub(crate) mod names;
pub(crate) mod readings;
pub(crate) mod refang;
pub(crate) mod refused;
pub(crate) mod reread;
pub(crate) mod resolve;
mod rows;
pub(crate) mod stars;
pub(crate) mod unescape;
pub(crate) mod wrapped;
