//! Refused candidates with a placeholder or defanged host (B-NOHOST), for reports that include
//! them.

use crate::bytes::limits::SCHEME_RUN;
use crate::find::end::extent;
use crate::find::end::run::ends_every_run;
use crate::find::end::unwritten::mark;
use crate::find::matches::{Kind, Pieces, RawMatch};
use crate::find::start;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;

/// Returns the refused candidate that begins at `start` (B-NOHOST). Its span holds no further place
/// where a URL may begin.
pub(crate) fn candidate(text: &View<'_>, start: &Start, any_scheme: bool) -> Option<RawMatch> {
    if !matches!(start.form, SchemeForm::Authority { .. }) {
        return None;
    }
    let body = start.body();
    let stop = extent::authority_end(text, start);
    let mut formats = memchr::memchr_iter(b'%', &text[body..stop]).map(|at| body + at);
    let (at, reason) = match mark(text, stop) {
        Some(reason) => (stop, reason),
        None => formats.find_map(|at| Some((at, mark(text, at)?)))?,
    };
    let end = reach(text, body, at, any_scheme);
    if end <= body {
        return None;
    }
    let url = start.scheme..end;
    Some(RawMatch { refused: Some(reason), ..RawMatch::new(url.clone(), Kind::Bare, Pieces::One(url)) })
}

/// Returns the end of a refused candidate, without final punctuation. The candidate ends before
/// `'`, `,`, `;` and all bytes that end every run, except `<` and `>`. It also ends before the next
/// place at which a URL may begin. It ends at most [`SCHEME_RUN`] bytes after `mark`, the offset of
/// the placeholder or defanging mark.
fn reach(text: &View<'_>, body: usize, mark: usize, any_scheme: bool) -> usize {
    let is_end = |byte: u8| ends_every_run(byte) && !matches!(byte, b'<' | b'>') || matches!(byte, b'\'' | b',' | b';');
    let end = text.stretch(body, mark + SCHEME_RUN, |byte| !is_end(byte));
    text.upto(end + start::AHEAD);
    for colon in memchr::memchr_iter(b':', &text[body..end]).map(|at| body + at) {
        let word = start::word_before(text, colon);
        let begins = start::prefix_before(text, colon).is_some()
            || start::start(text, word.clone(), colon, any_scheme, false).is_some()
            || start::start(text, word.clone(), colon, any_scheme, true).is_some();
        if begins {
            let word = word.start.max(body);
            return if text[..word].ends_with(b"<") { word - 1 } else { word };
        }
    }
    let mut url = &text[body..end];
    let count = |url: &[u8], mark: u8| memchr::memchr_iter(mark, url).count();
    while let [rest @ .., last] = url
        && (matches!(last, b'.' | b')' | b'!' | b'?' | b'<') || *last == b'>' && count(url, b'<') < count(url, b'>'))
    {
        url = rest;
    }
    body + url.len()
}
