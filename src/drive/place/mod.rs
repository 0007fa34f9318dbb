//! The place of a match in an archive: its message, its part, and the part's encoding.
//!
//! A [`Place`] is built on demand, because most callers need only the URLs. Reading a message's
//! header for each match would cost more than finding the matches.

mod context;
mod lines;
mod message;
mod model;

pub(crate) use context::{Context, LinkPlace, Within};
pub(crate) use lines::MessageLines;
pub use message::Brief;
pub(crate) use message::CurrentMessage;
pub use model::{Place, Undecoded};
