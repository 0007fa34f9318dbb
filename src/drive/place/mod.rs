//! Where in an archive a match stands: which message, which part of it, and how that was encoded.
//!
//! A [`Place`] is put together when it is asked for. Most callers want the URLs alone, and reading
//! a message's header for each of them would take longer than finding them.

mod context;
mod lines;
mod message;
mod model;

pub(crate) use context::{Context, LinkPlace, Within};
pub(crate) use lines::MessageLines;
pub use message::Brief;
pub(crate) use message::CurrentMessage;
pub use model::{Place, Undecoded};
