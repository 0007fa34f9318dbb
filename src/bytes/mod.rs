//! Bytes: their classes, letters, vectors and buffers, and the limits of the grammar. Nothing here
//! depends on the structure of a URL.

pub(crate) mod class;
pub(crate) mod display;
pub(crate) mod letters;
pub(crate) mod limits;
pub(crate) mod logical;
#[cfg(feature = "archive")]
pub(crate) mod needle;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub(crate) mod os;
pub(crate) mod pieces;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub(crate) mod read_at;
pub(crate) mod roll;
pub(crate) mod rows;
pub(crate) mod scripts;
// This is the only file of the crate that may contain `unsafe`.
#[allow(unsafe_code)]
pub(crate) mod simd;
pub(crate) mod source_map;
#[cfg(feature = "domain")]
pub(crate) mod words;
