//! Bytes: their classes, letters, vectors, and the limits of the grammar. Nothing here knows how a URL is made up.

pub(crate) mod class;
pub(crate) mod letters;
pub(crate) mod limits;
pub(crate) mod logical;
#[cfg(feature = "archive")]
pub(crate) mod needle;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub(crate) mod os;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub(crate) mod read_at;
pub(crate) mod roll;
pub(crate) mod scripts;
// The one file of the crate in which `unsafe` may stand.
#[allow(unsafe_code)]
pub(crate) mod simd;
