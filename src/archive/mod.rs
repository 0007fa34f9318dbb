//! Floor 1: archives of mail and news. Bytes in, parts out; nothing here knows of URLs.

pub(crate) mod charset;
pub(crate) mod flowed;
pub(crate) mod header;
pub(crate) mod html;
pub(crate) mod message;
pub(crate) mod mime;
pub(crate) mod quote;
pub(crate) mod transfer;
