//! The end of a URL: its authority, its run, and the marks at the end that B-END trims.

pub(crate) mod ahead;
mod authority;
pub(crate) mod beyond;
pub(crate) mod delimiter;
pub(crate) mod extent;
pub(crate) mod length;
pub(crate) mod opaque;
pub(crate) mod run;
pub(crate) mod sheet;
pub(crate) mod trim;
pub(crate) mod unwritten;
