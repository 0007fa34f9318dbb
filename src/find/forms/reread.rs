//! Reads a text again as a layer shows it: the one place where a layer meets the forms.
//!
//! Each layer makes a [`Meant`], a stretch of the text without its marks. The forms read that
//! stretch as any other text, by the same rules. The match is then mapped back to the source.
//!
//! # Example
//!
//! The source is `│ <http://h/a │⏎│ b> │`. The cell's rows are ` <http://h/a⏎ b>`, and each line
//! keeps its place in the source. The forms find `http://h/ab` in brackets there. Its pieces are
//! two ranges of the lines, which become two ranges of the source.

use std::ops::Range;

use crate::bytes::logical::Logical;
use crate::find::matches::{Hit, RawMatch};
use crate::find::text::layers::Meant;
use crate::find::text::view::View;
use crate::find::why::{ReasonKind, Ruling, Trace};

/// A result that a rereading finds in the text of a layer.
pub(crate) trait OfLayer {
    /// Returns the result in the source.
    fn of_source(self, layer: &Logical) -> Self;
}

impl OfLayer for RawMatch {
    fn of_source(self, layer: &Logical) -> RawMatch {
        let Range { start, end } = layer.source(self.start..self.end);
        RawMatch { start, end, ..self }.map_readings(|reading| layer.pieces_of(reading))
    }
}

impl OfLayer for Hit {
    fn of_source(self, layer: &Logical) -> Hit {
        let rest = self.rest.into_iter().map(|part| part.of_source(layer)).collect();
        Hit { first: self.first.of_source(layer), rest }
    }
}

impl<T: OfLayer> OfLayer for Option<T> {
    fn of_source(self, layer: &Logical) -> Option<T> {
        self.map(|found| found.of_source(layer))
    }
}

impl<T: OfLayer, E> OfLayer for Result<T, E> {
    fn of_source(self, layer: &Logical) -> Result<T, E> {
        self.map(|found| found.of_source(layer))
    }
}

/// Reads `view`, the text of `layer` or a part of it, and maps the result back to `text`. `colon`
/// is the place in `text` at which the URL is found. If the end of the view cut off a look, the end
/// of `text` did, too (ST-5).
pub(crate) fn reread<T: OfLayer>(
    text: &View<'_>,
    layer: &Meant,
    view: View<'_>,
    colon: usize,
    read: impl FnOnce(&View<'_>) -> T,
) -> T {
    if !layer.rule.is_empty() {
        text.note(|| Ruling::new(ReasonKind::Layer, layer.rule, colon..colon + 1));
    }
    let first = text.trace().map_or(0, Trace::len);
    let view = view.wanted_as(text);
    let found = read(&view);
    text.touch_as(&view);
    if let Some(trace) = text.trace() {
        trace.map_back(first, &layer.text);
    }
    found.of_source(&layer.text)
}
