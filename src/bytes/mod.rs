//! Floor 0: bytes. Limits and byte classes; knows nothing of URLs' structure.

pub(crate) mod class;
pub(crate) mod letters;
pub(crate) mod limits;
// The one file of the crate in which `unsafe` may stand.
#[allow(unsafe_code)]
pub(crate) mod simd;
