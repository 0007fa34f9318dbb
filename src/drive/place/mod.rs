//! The place of a match in an archive: its message, its part, and the encoding of that.
//!
//! A [`Place`] is put together on demand. Most callers want the URLs alone. To read a message's
//! header for each of them would cost more than to find them.

mod context;
mod lines;
mod message;
mod model;

pub(crate) use context::{Context, LinkPlace, Within};
pub(crate) use lines::MessageLines;
pub use message::Brief;
pub(crate) use message::CurrentMessage;
pub use model::{Place, Undecoded};
