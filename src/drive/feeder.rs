//! The driver for pushed chunks: a stream without a reader.

use crate::bytes::roll::RollingBuffer;
use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::drive::stats::Stats;
use crate::drive::stream::Stream;
use crate::find::Pause;

impl Extractor {
    /// Returns a feeder, which finds URLs in chunks that the caller pushes. The chunks may come
    /// from a socket or an async task.
    ///
    /// The matches equal those of a [`stream`](Self::stream) of the same bytes, wherever the chunks
    /// are cut (P6).
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
    /// assert_eq!(urls, ["http://a.example/x"]); // the other one may continue
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
/// [`push`](Self::push) a chunk, then call [`next`](Self::next) until it returns `None`. After the
/// last chunk, call [`finish`](Self::finish), then `next` again until it returns `None`. A match is
/// returned as soon as the text decides it, as with a [`Stream`] at a pause.
///
/// A feeder holds at most about 700 KiB, plus the chunks pushed since `next` returned `None`. It
/// does no I/O and never blocks.
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
    /// Adds the next chunk of the input, of any length. Does nothing after
    /// [`finish`](Self::finish).
    ///
    /// # Complexity
    ///
    /// Copies the chunk once.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) {
        if !self.stream.buffer.is_last {
            self.stream.buffer.push(chunk.as_ref());
        }
    }

    /// Ends the input, which decides every match that waited for more text. [`next`](Self::next)
    /// returns these matches.
    pub fn finish(&mut self) {
        self.stream.buffer.is_last = true;
    }

    /// Returns the next match that the chunks so far decide. The match borrows the feeder's buffer.
    /// Returns `None` if more chunks are needed, or, after [`finish`](Self::finish), if no match is
    /// left.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes pushed. After a chunk that decides nothing, some KiB are searched again.
    #[allow(clippy::should_implement_trait)] // a lending iterator is not an `Iterator`
    pub fn next(&mut self) -> Option<Match<'_>> {
        let (pause, raw) = self.stream.search_next();
        if let Pause::NeedMore { keep_from } = pause {
            self.stream.make_room(keep_from);
        }
        raw.map(|raw| self.stream.matched(raw))
    }

    /// Returns the counts of bytes, matches and refusals so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stream.stats()
    }

    /// Returns an offset of the input before which every match has been returned, like
    /// [`Stream::searched`].
    #[must_use]
    pub fn searched(&self) -> u64 {
        self.stream.searched()
    }
}
