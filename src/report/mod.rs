//! Matches as text, JSON Lines and CSV, or by a template.
//!
//! A format has no state, so any number of threads can share one. Its output for a match depends
//! only on the match and the name of the file.

mod context;
mod csv;
mod defang;
mod fields;
mod json;
mod json_writer;
mod link;
mod page;
mod pieces;
mod template;
mod text;
mod why;

pub use context::{ContextWriter, MatchInLines, ShownMatch};
pub use csv::CsvFormat;
pub use defang::defang;
pub use fields::{FieldList, UnknownField};
pub use json::{JsonFormat, Resolution};
pub use json_writer::Harmless;
pub use link::{HyperlinkError, HyperlinkFormat};
pub use page::Page;
pub use template::{TemplateError, TemplateFormat};
pub use text::{LinePrefix, TextFormat, escape};
