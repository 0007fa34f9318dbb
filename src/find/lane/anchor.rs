//! Finds candidate colons. **Contract: no false negatives.** A colon passes if a wrapper, prefixed
//! URL or bare URL begins there. A colon at which nothing begins may pass too, and only costs time.
//!
//! A colon passes if `//` follows it, or a `\` that may begin escaped slashes. It also passes after
//! `URL`, or after a scheme of K or B-OPAQUE. Other schemes need the `//` (W-FORM-2, P-FORM-2,
//! B-START-3). A scheme of K is read without `//` only if it is wrapped, opaque, or joined over a
//! break.
//!
//! The vectors of [`Backend`](crate::bytes::simd::Backend) test the three bytes before the colon
//! and the byte after it. This file checks the colons that pass this test.

use crate::bytes::simd::{Kernel, Look, Stretch};
use crate::find::options::Options;
use crate::find::start::Candidate;
use crate::find::{schemes, start};

/// The number of bytes after a colon that show whether it is a candidate.
pub(crate) const AHEAD: usize = b"//".len();

/// Returns whether `//` may follow the colon, or `URL` or a scheme of K or B-OPAQUE stands before
/// it.
pub(crate) fn is_candidate(text: &[u8], Candidate { colon, word }: Candidate) -> bool {
    start::slashes_may_follow(text, colon) || schemes::ends_in_name(word)
}

/// Walks over the colons of a text that pass the test of the vectors. It caches the colons of one
/// stretch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Colons(Stretch);

impl Colons {
    /// Returns the first such colon in `from..end`. `text` must include the [`AHEAD`] bytes after
    /// `end`, unless the whole text ends before them.
    #[inline(always)]
    pub(crate) fn next<K: Kernel>(&mut self, kernel: K, text: &[u8], mut from: usize, end: usize) -> Option<usize> {
        let Stretch { start, end: known, colons } = self.0;
        if (start..known).contains(&from) {
            let ahead = colons >> (from - start);
            if ahead != 0 {
                let colon = from + ahead.trailing_zeros() as usize;
                return (colon < end).then_some(colon);
            }
            from = known;
        }
        if from >= end {
            return None;
        }
        self.0 = kernel.stretch(text, from, end)?;
        let colon = self.0.start + self.0.colons.trailing_zeros() as usize;
        (colon < end).then_some(colon)
    }
}

/// Walks over the candidate colons of a text.
#[derive(Clone, Debug)]
pub(crate) struct Anchors {
    options: Options,
    colons: Colons,
}

impl Anchors {
    pub(crate) fn new(options: Options) -> Anchors {
        Anchors { options, colons: Colons::default() }
    }

    /// Returns the first candidate in `from..end`. `text` must reach as far as for
    /// [`Colons::next`].
    pub(crate) fn next(&mut self, text: &[u8], from: usize, end: usize) -> Option<Candidate> {
        match self.options.has_more_anchors() {
            true => next_anchor(text, from, end, &self.options),
            false => self.options.backend.look(NextCandidate { colons: &mut self.colons, text, from, end }),
        }
    }
}

/// Returns the first place in `from..end` at which something may begin, for options that add such
/// places. `refang` and the width of a
/// screen add every colon. `www` adds the dots of `www.` and `ftp.`, and `names` the slashes after
/// hosts.
pub(crate) fn next_anchor(text: &[u8], from: usize, end: usize, options: &Options) -> Option<Candidate> {
    let ahead = text.get(from..end.min(text.len()))?;
    let is_anchor = |&at: &usize| match text[at] {
        b':' => options.refang || options.rows().is_some() || is_candidate(text, Candidate::at(text, at)),
        b'/' => options.names && start::name_before(text, at).is_some(),
        _ => options.www && start::www_before(text, at).is_some(),
    };
    let at = memchr::memchr3_iter(b':', b'.', b'/', ahead).map(|at| from + at).find(is_anchor)?;
    Some(Candidate::at(text, at))
}

struct NextCandidate<'a> {
    colons: &'a mut Colons,
    text: &'a [u8],
    from: usize,
    end: usize,
}

impl Look for NextCandidate<'_> {
    type Answer = Option<Candidate>;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> Option<Candidate> {
        let NextCandidate { colons, text, mut from, end } = self;
        loop {
            let colon = colons.next(kernel, text, from, end)?;
            let candidate = Candidate::at(text, colon);
            if is_candidate(text, candidate) {
                return Some(candidate);
            }
            from = colon + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::simd::Backend;
    use crate::url::scheme::K;

    fn next(text: &[u8], from: usize) -> Option<usize> {
        let options = |backend| Options { backend, ..Options::default() };
        let next = |backend| Anchors::new(options(backend)).next(text, from, text.len()).map(|found| found.colon);
        let portable = Backend::by_name("portable").and_then(next);
        assert!(Backend::all().all(|backend| next(backend) == portable));
        portable
    }

    #[test]
    fn every_scheme_of_k_passes_without_slashes() {
        for name in K.iter().map(|row| row.name).chain(["url"]) {
            for name in [name.to_string(), name.to_uppercase()] {
                for text in [format!("{name}: x"), format!("<{name}:"), format!("{}{name}: x", "-".repeat(100))] {
                    assert_eq!(next(text.as_bytes(), 0), text.find(':'), "{text}");
                }
            }
        }
    }

    #[test]
    fn looks_past_colons_that_begin_nothing() {
        assert_eq!(next(b"a: b: c://", 0), Some(7));
        assert_eq!(next(b"12:30 ok: : c:/x Received: to do: ", 0), None);
        assert_eq!(next(b"://", 0), Some(0));
        assert_eq!(next(br"a:\b c:\n d:\. e:/ s3:\/\/b", 0), Some(21));
        assert_eq!(next(br":\/\/", 0), Some(0));
    }

    #[test]
    fn remembers_a_stretch_and_not_where_it_was_asked() {
        let text = format!("{}http://a http://b {}", "x".repeat(100), "y".repeat(100));
        for backend in Backend::all() {
            let mut anchors = Anchors::new(Options { backend, ..Options::default() });
            for (from, end, expected) in
                [(0, 200, Some(104)), (105, 200, Some(113)), (50, 200, Some(104)), (0, 104, None), (114, 200, None)]
            {
                let found = anchors.next(text.as_bytes(), from, end).map(|found| found.colon);
                assert_eq!(found, expected, "{backend} {from}..{end}");
            }
        }
    }
}
