//! The escaped slashes after a scheme (B-JSON, B-ENT).

use super::{entity, json};
use crate::find::view::View;

/// Returns the end of the two escaped slashes at `at`.
pub(crate) fn end(text: &View<'_>, at: usize) -> Option<usize> {
    let slash = |at| {
        let escape = match text.byte(at)? {
            b'\\' => json::slash_or_character(text, at),
            b'&' => entity::escape(text, at),
            _ => None,
        };
        escape.filter(|escape| escape.reads == Some('/')).map(|escape| at + escape.len)
    };
    slash(at).and_then(slash)
}
