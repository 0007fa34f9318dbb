//! Mail and news archives: bytes in, parts out; nothing here knows of URLs.

pub(crate) mod charset;
pub(crate) mod flowed;
pub(crate) mod header;
pub(crate) mod message;
pub(crate) mod mime;
pub(crate) mod quote;
pub(crate) mod transfer;
