//! How the suites look at bytes: as `URLGREP_SIMD` says, or in every way that this machine has.

#![allow(dead_code)] // each suite is a crate of its own and uses a part of this

use urlgrep::{Backend, Extractor, ExtractorBuilder};

/// The backends of this machine. Where the environment names one, it is that one.
pub(crate) fn backends() -> Vec<Backend> {
    match std::env::var("URLGREP_SIMD") {
        Ok(name) => vec![Backend::by_name(&name).expect("a backend of this machine")],
        Err(_) => Backend::all().collect(),
    }
}

/// Options that look at bytes as the environment says.
pub(crate) fn builder() -> ExtractorBuilder {
    Extractor::builder().backend(backends()[0])
}
