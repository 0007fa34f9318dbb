//! Archives: bytes in, parts out. Nothing here knows of URLs.

mod compress;
mod recognise;
mod split;
mod tar;
