//! Finds URLs that begin in the run of another URL, after that run's first non-ASCII letter
//! (B-UNI-1).

use std::ops::Range;

use crate::bytes::limits::BRACKET_BYTES;
use crate::find::end::run;
use crate::find::end::run::{CLASS, STOP};
use crate::find::schemes::OpaqueForm;
use crate::find::start;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;

/// A URL that begins in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UrlAhead {
    pub(crate) scheme: usize,
    /// The run ends before this URL. The URL stands right after a non-ASCII character, or neither
    /// in a query nor after a `=`.
    pub(crate) ends_run: bool,
}

/// Moves the start before the schemes that enclose its URL: `view-source:http://…`,
/// `jar:file:/…!/…` (B-OPAQUE).
pub(crate) fn with_outer(text: &View<'_>, start: Start) -> Start {
    if !matches!(start.form, SchemeForm::Authority { .. } | SchemeForm::Opaque(OpaqueForm::File)) {
        return start;
    }
    let has_entry = || {
        let end = text.stretch(start.colon, start.colon + BRACKET_BYTES, |byte| !run::ends_every_run(byte));
        memchr::memmem::find(&text[start.colon..end], b"!/").is_some()
    };
    Start { scheme: start::outermost(text, start.scheme, has_entry), ..start }
}

/// Returns the first URL after `run` for which `counts` is true. The colon of its scheme stands
/// before `limit`, and before the first byte that ends every run.
pub(crate) fn url_ahead(
    view: &View<'_>,
    run: Range<usize>,
    limit: usize,
    counts: impl Fn(UrlAhead, SchemeForm) -> bool,
) -> Option<UrlAhead> {
    let from = run.end;
    let mut in_query = memchr::memchr2(b'?', b'#', &view[run]).is_some();
    for at in from..limit {
        match view.byte(at)? {
            byte if CLASS[usize::from(byte)] == STOP => return None,
            b'?' | b'#' => in_query = true,
            b':' => {
                view.upto(at + start::AHEAD);
                let start = start::start(view, start::word_before(view, at), at, false, false);
                if let Some(start) = start.map(|start| with_outer(view, start))
                    && start.scheme > from
                {
                    let is_glued = !view[start.scheme - 1].is_ascii();
                    let ends_run = is_glued || !in_query && !start::follows_equals(view, start.scheme);
                    let url = UrlAhead { scheme: start.scheme, ends_run };
                    if counts(url, start.form) {
                        return Some(url);
                    }
                }
            }
            _ => {}
        }
    }
    None
}
