//! A feeder: a stream whose input is pushed, not read.

use crate::bytes::roll::RollingBuffer;
use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;
use crate::find::Pause;

impl Extractor {
    /// Returns a feeder: it finds URLs in chunks that the caller pushes, such as those of a socket
    /// or an async task.
    ///
    /// The matches are those of a [`stream`](Self::stream) of the same bytes, however they are cut
    /// (P6).
    ///
    /// ```
    /// let mut feeder = urlgrep::Extractor::new().feeder();
    /// let mut urls = Vec::new();
    /// for chunk in ["see <URL:ht", "tp://a.example/\n", "  x> or http://b.exam", "ple/"] {
    ///     feeder.push(chunk);
    ///     while let Some(found) = feeder.next() {
    ///         urls.push(found.url().to_string());
    ///     }
    /// }
    /// assert_eq!(urls, ["http://a.example/x"]); // the other one may go on
    /// feeder.finish();
    /// assert_eq!(feeder.next().unwrap().url(), "http://b.example/");
    /// assert!(feeder.next().is_none());
    /// ```
    #[must_use]
    pub fn feeder(&self) -> Feeder {
        Feeder { stream: Stream::new(self, RollingBuffer::new((), 0), 0, 0..u64::MAX, self.lines()) }
    }
}

/// Finds URLs in chunks that are pushed. Made by [`Extractor::feeder`].
///
/// [`push`](Self::push) a chunk, then call [`next`](Self::next) until it returns `None`; after the
/// last chunk, [`finish`](Self::finish) and do so again. A match is given as soon as the text shows
/// it, as a [`Stream`] gives it at a pause.
///
/// It holds at most about 700 KiB, and the chunks pushed since `next` returned `None`. It does no
/// I/O, and never blocks.
///
/// ```
/// use std::sync::mpsc;
/// use std::thread;
///
/// let (sender, receiver) = mpsc::channel::<Vec<u8>>();
/// let writer = thread::spawn(move || {
///     for line in ["GET http://a.example/\n", "GET http://b.example/\n"] {
///         sender.send(line.into()).unwrap();
///     }
/// });
/// let mut feeder = urlgrep::Extractor::builder().line_numbers(true).build().feeder();
/// let mut places = Vec::new();
/// for chunk in receiver {
///     feeder.push(&chunk);
///     while let Some(found) = feeder.next() {
///         places.push((found.line(), found.span()));
///     }
/// }
/// feeder.finish();
/// while let Some(found) = feeder.next() {
///     places.push((found.line(), found.span()));
/// }
/// assert_eq!(places, [(Some(1), 4..21), (Some(2), 26..43)]);
/// # writer.join().unwrap();
/// ```
#[derive(Debug)]
pub struct Feeder {
    stream: Stream<()>,
}

impl Feeder {
    /// Adds the next chunk of the input, of any length. After [`finish`](Self::finish) it is
    /// ignored.
    ///
    /// # Complexity
    ///
    /// Copies the chunk once.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) {
        if !self.stream.buffer.is_last {
            self.stream.buffer.push(chunk.as_ref());
        }
    }

    /// Ends the input: what waited for more text is decided. Its matches are still to be taken by
    /// [`next`](Self::next).
    pub fn finish(&mut self) {
        self.stream.buffer.is_last = true;
    }

    /// Returns the next match that the chunks so far decide, which borrows the feeder's buffer.
    /// `None`: push more, or, after [`finish`](Self::finish), there is none.
    ///
    /// # Complexity
    ///
    /// Linear in what was pushed. A chunk that decides nothing costs a look at some KiB again.
    #[allow(clippy::should_implement_trait)] // a lending iterator is no Iterator
    pub fn next(&mut self) -> Option<Match<'_>> {
        let (pause, raw) = self.stream.search_next();
        if let Pause::NeedMore { keep_from } = pause {
            self.stream.make_room(keep_from);
        }
        raw.map(|raw| self.stream.matched(raw))
    }

    /// Returns what was pushed, found and refused so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stream.stats()
    }

    /// Returns the offset of the input before which all has been given, as [`Stream::searched`].
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.stream.searched()
    }
}
