//! Where in an archive a match stands: which message, which part of it, and how that was encoded.
//!
//! A [`Place`] is put together when somebody asks for it. Most readers of a million URLs want the URLs, and reading a
//! message's header for each of them would take longer than finding them.

#[cfg(feature = "audit")]
mod brief;
mod context;
mod lines;
mod message;
mod model;

#[cfg(feature = "audit")]
pub(crate) use brief::Brief;
pub(crate) use context::{Context, LinkPlace, Within};
pub(crate) use lines::MessageLines;
pub(crate) use message::CurrentMessage;
pub use model::{Place, Undecoded};
