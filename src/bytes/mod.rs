//! Floor 0: bytes. Limits and byte classes; knows nothing of URLs' structure.

pub mod class;
pub mod letters;
pub mod limits;
pub(crate) mod roll;
// The one file of the crate in which `unsafe` may stand.
#[allow(unsafe_code)]
pub mod simd;
