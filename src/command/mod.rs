//! What the command, the tests, the benchmarks and the fuzzers need of the crate, and nobody else: outside every promise.

pub use crate::bytes::limits;
