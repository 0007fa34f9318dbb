//! The text: the part read so far, its lines and their markers, and its layers.
//!
//! A layer is a way in which a text is written: escapes, invisible characters, frames. The floors
//! above read the text as it is meant ([`layers`]), and need not know how it is written.

pub(crate) mod layers;
pub(crate) mod left;
pub(crate) mod lines;
pub(crate) mod stops;
pub(crate) mod view;
pub(crate) mod window;
pub(crate) mod words;
pub(crate) mod written;
