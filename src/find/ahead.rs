//! URLs that begin in the run of another, where that comes to letters beyond ASCII (B-UNI-1).

use std::ops::Range;

use crate::find::run::{CLASS, STOP};
use crate::find::start::{self, SchemeForm};
use crate::find::view::View;

/// A URL that begins in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UrlAhead {
    pub(crate) scheme: usize,
    /// No run continues with it: it stands outside the query, or right behind a character beyond
    /// ASCII.
    pub(crate) ends_run: bool,
}

/// Returns the first URL behind the run `run` for which `counts` is true. It begins before `limit`
/// and the byte that ends every run.
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
                if let Some(start) = start::start(view, start::word_before(view, at), at, false, false)
                    && start.scheme > from
                {
                    let is_glued = !view[start.scheme - 1].is_ascii();
                    let ends_run = is_glued || !in_query && !start::follows_equals(view, at);
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
