//! [`Extractor`]: what to look for, and the doors to the drivers.

use std::io::{self, Read, Seek};
use std::ops::Range;

use crate::bytes::simd::Backend;
use crate::drive::lines::Lines;
use crate::drive::sync::sync_point;
use crate::drive::{FindIter, Match, Section, Stream};
use crate::find::{HyphenOrder, Options, Rejoin, Search};

/// Finds URLs in text.
///
/// It is immutable, `Send + Sync` and cheap to clone; the haystack is plain bytes, in any encoding that has ASCII's
/// bytes in ASCII's places. Every driver gives the same matches, byte for byte:
///
/// | input | driver | memory |
/// |---|---|---|
/// | a slice | [`find_iter`](Self::find_iter) | none but the match |
/// | a slice, all cores | `par_find` (feature `parallel`) | the matches |
/// | any reader | [`stream`](Self::stream) | a bounded buffer |
/// | any reader, all cores | `par_stream` (feature `parallel`) | bounded buffers |
///
/// A range of an input can be searched, and what was appended since an earlier search ([`Checkpoint`](crate::Checkpoint)).
/// Time is linear in the input for every input.
///
/// ```
/// let text = b"Mail <mailto:joe@a.example>, or see http://a.example/~joe.";
/// let extractor = urlgrep::Extractor::new();
/// let urls: Vec<_> = extractor.find_iter(text).map(|found| found.url().to_string()).collect();
/// assert_eq!(urls, ["mailto:joe@a.example", "http://a.example/~joe"]);
/// ```
#[derive(Clone, Debug)]
pub struct Extractor {
    options: Options,
    line_numbers: bool,
    chunk_size: usize,
}

impl Default for Extractor {
    fn default() -> Self {
        Extractor { options: Options::default(), line_numbers: false, chunk_size: 256 << 10 }
    }
}

impl Extractor {
    /// An extractor with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Options to choose from.
    pub fn builder() -> ExtractorBuilder {
        ExtractorBuilder::default()
    }

    /// The matches in a slice, in order.
    ///
    /// Nothing is allocated for a URL that stands on one line.
    pub fn find_iter<'h>(&self, haystack: &'h [u8]) -> FindIter<'h> {
        let search = Search::new(self.options, 0);
        FindIter::new(self, haystack, search, 0..haystack.len())
    }

    /// The first match in a slice.
    pub fn find<'h>(&self, haystack: &'h [u8]) -> Option<Match<'h>> {
        self.find_iter(haystack).next()
    }

    /// The matches whose span starts in `range`, in order.
    ///
    /// Ranges that tile the haystack give each match of [`find_iter`](Self::find_iter) exactly once: which matches
    /// there are does not depend on the range.
    ///
    /// # Panics
    ///
    /// If `range` does not lie in the haystack.
    ///
    /// ```
    /// let extractor = urlgrep::Extractor::new();
    /// let text = b"http://a.example/ http://b.example/";
    /// let starts = |range| extractor.find_range(text, range).map(|m| m.span().start).collect::<Vec<_>>();
    /// assert_eq!(starts(0..10), [0]);
    /// assert_eq!(starts(10..35), [18]);
    /// ```
    pub fn find_range<'h>(&self, haystack: &'h [u8], range: Range<usize>) -> FindIter<'h> {
        let _ = &haystack[range.clone()];
        let from = sync_point(self, haystack, range.start, 0).unwrap_or(0);
        FindIter::new(self, haystack, Search::new(self.options, from), range)
    }

    /// The matches in a stream of any length, in bounded memory.
    ///
    /// The stream lends its matches, so that it is no `Iterator`:
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// let mut stream = urlgrep::Extractor::new().stream(&b"see http://a.example/."[..]);
    /// while let Some(found) = stream.next()? {
    ///     println!("{}", found.url());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream<R: Read>(&self, reader: R) -> Stream<R> {
        Stream::new(self, reader)
    }

    /// The matches of a stream whose span starts in a range, as [`find_range`](Self::find_range), or at or after a
    /// [`Checkpoint`](crate::Checkpoint).
    ///
    /// # Errors
    ///
    /// What the reader reports. With line numbers, everything before a range is read once to count its lines.
    pub fn stream_range<R: Read + Seek>(&self, reader: R, section: impl Into<Section>) -> io::Result<Stream<R>> {
        Stream::of_section(self, reader, section.into())
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    /// Line numbers from the start of an input on, if they are counted.
    pub(crate) fn lines(&self) -> Option<Lines> {
        self.line_numbers.then(|| Lines::new(self.options.backend))
    }

    pub(crate) fn chunk_size(&self) -> usize {
        self.chunk_size
    }
}

/// Chooses an [`Extractor`]'s options.
///
/// ```
/// use urlgrep::{Extractor, Rejoin};
///
/// let extractor = Extractor::builder().any_scheme(true).rejoin(Rejoin::None).build();
/// let found = extractor.find_iter(b"foo://a.example/x").next().unwrap();
/// assert_eq!(found.url(), "foo://a.example/x");
/// ```
#[derive(Clone, Debug, Default)]
pub struct ExtractorBuilder {
    extractor: Extractor,
}

impl ExtractorBuilder {
    /// Takes any letter-led word of 2-32 characters before `://` for a scheme (spec.md B-START-1 c). Off by default:
    /// only known schemes are found.
    pub fn any_scheme(&mut self, yes: bool) -> &mut Self {
        self.extractor.options.any_scheme = yes;
        self
    }

    /// What may be rejoined over line breaks.
    pub fn rejoin(&mut self, rejoin: Rejoin) -> &mut Self {
        self.extractor.options.rejoin = rejoin;
        self
    }

    /// Which reading comes first at a doubtful hyphen.
    pub fn hyphen(&mut self, order: HyphenOrder) -> &mut Self {
        self.extractor.options.hyphen = order;
        self
    }

    /// Lets bare URLs hold letters beyond ASCII after the host (spec.md B-UNI-1). Off by default: the longer reading
    /// is then an alternative.
    pub fn iri(&mut self, yes: bool) -> &mut Self {
        self.extractor.options.iri = yes;
        self
    }

    /// Accepts any string of URL characters after an unknown scheme, also after `//` (spec.md G-OTHER-2). Off by
    /// default.
    pub fn other_literal(&mut self, yes: bool) -> &mut Self {
        self.extractor.options.parse = self.extractor.options.parse.other_literal(yes);
        self
    }

    /// Counts lines and columns. Off by default: it costs a look at every byte.
    pub fn line_numbers(&mut self, yes: bool) -> &mut Self {
        self.extractor.line_numbers = yes;
        self
    }

    /// How bytes are looked at: by default as is fastest here ([`Backend::detect`]). The matches do not depend on it.
    pub fn backend(&mut self, backend: Backend) -> &mut Self {
        self.extractor.options.backend = backend;
        self
    }

    /// How many bytes a stream reads at a time, and a parallel worker takes at a time: 256 KiB by default. The matches
    /// do not depend on it.
    ///
    /// # Panics
    ///
    /// If it is 0.
    pub fn chunk_size(&mut self, bytes: usize) -> &mut Self {
        assert!(bytes > 0, "a chunk holds at least one byte");
        self.extractor.chunk_size = bytes;
        self
    }

    /// The extractor.
    pub fn build(&self) -> Extractor {
        self.extractor.clone()
    }
}
