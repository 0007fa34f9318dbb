//! The choices of a caller.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use urlgrep::archive::ReadAs;
use urlgrep::{Extractor, ExtractorBuilder, HyphenOrder, Level, Rejoin};

/// The options that decide what is found as a URL. The command has options of the same names.
#[derive(Clone, Copy)]
pub(crate) struct FindOptions<'o> {
    pub(crate) any_scheme: bool,
    pub(crate) rejoin: &'o str,
    pub(crate) hyphen: &'o str,
    pub(crate) otherurl: Option<&'o str>,
    pub(crate) iri: bool,
    pub(crate) www: bool,
    pub(crate) names: bool,
    pub(crate) refang: bool,
    pub(crate) candidates: bool,
    pub(crate) line_numbers: bool,
}

impl Default for FindOptions<'_> {
    fn default() -> Self {
        Self {
            any_scheme: false,
            rejoin: "auto",
            hyphen: "keep",
            otherurl: None,
            iri: false,
            www: false,
            names: false,
            refang: false,
            candidates: false,
            line_numbers: false,
        }
    }
}

impl FindOptions<'_> {
    /// Builds an extractor that reads `chunk` bytes at a time.
    pub(crate) fn extractor(self, chunk: usize) -> PyResult<ExtractorBuilder> {
        const REJOINS: &[(&str, Rejoin)] =
            &[("auto", Rejoin::Auto), ("delimited", Rejoin::Delimited), ("none", Rejoin::None)];
        const HYPHENS: &[(&str, HyphenOrder)] = &[("keep", HyphenOrder::Keep), ("drop", HyphenOrder::Drop)];
        Ok(Extractor::builder()
            .any_scheme(self.any_scheme)
            .rejoin(choice("rejoin", self.rejoin, REJOINS)?)
            .hyphen(choice("hyphen", self.hyphen, HYPHENS)?)
            .other_literal(is_literal(self.otherurl)?)
            .iri(self.iri)
            .www(self.www)
            .names(self.names)
            .refang(self.refang)
            .candidates(self.candidates)
            .line_numbers(self.line_numbers)
            .chunk_size(chunk))
    }
}

/// Parses the value of `otherurl`.
pub(crate) fn is_literal(otherurl: Option<&str>) -> PyResult<bool> {
    otherurl.map_or(Ok(false), |given| choice("otherurl", given, &[("literal", true)]))
}

/// Parses the value of `input`.
pub(crate) fn read_as(input: &str) -> PyResult<ReadAs> {
    const INPUTS: &[(&str, ReadAs)] = &[
        ("auto", ReadAs::Auto),
        ("text", ReadAs::Text),
        ("mail", ReadAs::Mail),
        ("html", ReadAs::Html),
        ("csv", ReadAs::Csv),
    ];
    choice("input", input, INPUTS)
}

/// Parses the value of `level`.
pub(crate) fn level(given: &str) -> PyResult<Level> {
    let choices: Vec<_> = Level::ALL.iter().map(|level| (level.as_str(), *level)).collect();
    choice("level", given, &choices)
}

fn choice<T: Copy>(option: &str, given: &str, choices: &[(&str, T)]) -> PyResult<T> {
    let found = choices.iter().find(|(name, _)| *name == given);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|(name, _)| format!("'{name}'")).collect();
        PyValueError::new_err(format!("{option} is '{given}'; there is {}", names.join(", ")))
    })
}
