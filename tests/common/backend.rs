//! The SIMD backends of the suites: the one that `URLGREP_SIMD` names, or all that this machine
//! has.

#![allow(dead_code)] // each suite is a crate of its own and uses a part of this

use urlgrep::{Backend, Extractor, ExtractorBuilder};

/// Returns the backends of this machine, or only the one that the environment names.
pub(crate) fn backends() -> Vec<Backend> {
    match std::env::var("URLGREP_SIMD") {
        Ok(name) => vec![Backend::by_name(&name).expect("a backend of this machine")],
        Err(_) => Backend::all().collect(),
    }
}

/// Returns options with the backend that the environment names, or the first.
pub(crate) fn builder() -> ExtractorBuilder {
    Extractor::builder().backend(backends()[0])
}
