//! Floor 0: bytes. Limits and byte classes; knows nothing of URLs' structure.

pub mod class;
pub mod letters;
pub mod limits;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub(crate) mod read_at;
// The one file of the crate in which `unsafe` may stand.
#[allow(unsafe_code)]
pub mod simd;
