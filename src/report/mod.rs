//! Matches as text, JSON Lines and CSV, or as a template says.
//!
//! A format has no state, so any number of threads can share one, and what it writes for a match depends on the match and
//! the file's name alone.

#![cfg_attr(not(feature = "cli"), allow(dead_code, unreachable_pub, reason = "some of it is for the command alone"))]

pub(crate) mod context;
pub(crate) mod csv;
mod defang;
mod fields;
pub(crate) mod json;
pub(crate) mod json_writer;
pub(crate) mod link;
mod pieces;
mod template;
pub(crate) mod text;

pub use csv::CsvFormat;
pub use fields::{FieldList, UnknownField};
pub use json::JsonFormat;
#[doc(hidden)]
pub use json::Resolution;
pub use template::{TemplateError, TemplateFormat};
pub use text::{LinePrefix, TextFormat};
