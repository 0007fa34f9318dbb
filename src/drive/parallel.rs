//! All cores on one input, and the stitching of chunks that makes the result exact (P4).
//!
//! The calling thread gives the chunks of the input to the pool, and delivers their results in
//! order. It reads the chunks of a stream ahead of the search. Each worker reads its own chunks of
//! a file: reading is most of the work on text with few URLs. Every worker searches and renders its
//! chunk as if no match preceded the chunk.
//!
//! Memory is needed for the chunks in flight: their text, with both margins, and their sinks.

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use crate::bytes::read_at::ReadAt;
use crate::drive::chunks::{Chunk, Chunks, Cutter, Divider};
use crate::drive::extractor::Extractor;
use crate::drive::match_loop::MatchLoop;
use crate::drive::matches::Match;
use crate::drive::section::{Checkpoint, Section};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::work::in_order;
use crate::find::{MARGIN, Window};

impl Extractor {
    /// Returns the matches in a slice, found by rayon's current threads. They are the matches of
    /// [`find_iter`](Self::find_iter), in order.
    ///
    /// ```
    /// let text = b"http://a.example/ ".repeat(100_000);
    /// let found = urlgrep::Extractor::new().par_find(&text);
    /// assert_eq!(found.len(), 100_000);
    /// ```
    pub fn par_find<'h>(&self, haystack: &'h (impl AsRef<[u8]> + ?Sized)) -> Vec<Match<'h>> {
        let haystack = haystack.as_ref();
        let search = |starts: Range<usize>| {
            let mut matches = MatchLoop::new(self, starts.start, 0..u64::MAX, None);
            let mut found = Vec::new();
            matches.each_match(Window::all(haystack), 0, starts.end, |matched| {
                found.push(matched);
                ControlFlow::Continue(())
            });
            Searched::of(&matches, 0, found)
        };
        let chunks: Vec<Range<usize>> = (0..haystack.len())
            .step_by(self.chunk_size())
            .map(|start| start..haystack.len().min(start.saturating_add(self.chunk_size())))
            .collect();
        let searched: Vec<_> = chunks.par_iter().cloned().map(search).collect();
        let mut stitch = Stitch { end: 0 };
        let settled = chunks.iter().zip(searched);
        let settled = settled
            .flat_map(|(chunk, searched)| stitch.settle(searched, |from| search(from as usize..chunk.end)).found);
        match self.lines() {
            None => settled.collect(),
            Some(mut lines) => settled
                .map(|found| {
                    let position = lines.position(haystack, 0, found.span().start);
                    found.at(position)
                })
                .collect(),
        }
    }

    /// Finds the matches in a stream with rayon's current threads, in order and in bounded memory.
    ///
    /// A worker makes a sink for each chunk with `new` and puts the chunk's matches into it.
    /// `deliver` gets the sinks in the order of the input, on the calling thread, and can end the
    /// search. The matches are those of [`stream`](Self::stream). Only their distribution over
    /// sinks depends on threads and chunks.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or of `deliver`. The matches before a failure are delivered
    /// first.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// struct Urls(Vec<String>);
    /// impl urlgrep::Sink for Urls {
    ///     fn add(&mut self, found: &urlgrep::Match<'_>) {
    ///         self.0.push(found.url().to_string());
    ///     }
    /// }
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mut urls = Vec::new();
    /// let stats = urlgrep::Extractor::new().par_stream(
    ///     &b"see http://a.example/ and <ftp://b.example/>"[..],
    ///     || Urls(Vec::new()),
    ///     |sink| {
    ///         urls.extend(sink.0);
    ///         Ok(ControlFlow::Continue(()))
    ///     },
    /// )?;
    /// assert_eq!(urls, ["http://a.example/", "ftp://b.example/"]);
    /// assert_eq!(stats.matches, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn par_stream<R: Read, S: Sink + Send>(
        &self,
        reader: R,
        new: impl Fn() -> S + Sync,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        self.flow(Cutter::new(self, reader), 0..u64::MAX, new, deliver)
    }

    /// Finds the matches in an input that can be read at any offset, with rayon's current threads.
    /// This method works like [`par_stream`](Self::par_stream), but every thread reads the bytes
    /// that it searches. The method delivers the matches whose span starts in a range, or at or
    /// after a [`Checkpoint`]. `0..u64::MAX` selects all matches; see
    /// [`find_range`](Self::find_range).
    ///
    /// # Errors
    ///
    /// Returns any error of the input or of `deliver`. The matches before a failure are delivered
    /// first. With line numbers, all text before a range is read once, to count the lines of that
    /// text.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # struct Urls(Vec<String>);
    /// # impl urlgrep::Sink for Urls {
    /// #     fn add(&mut self, found: &urlgrep::Match<'_>) {
    /// #         self.0.push(found.url().to_string());
    /// #     }
    /// # }
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-read-at-{}", std::process::id()));
    /// # std::fs::write(&path, b"see http://a.example/ and <ftp://b.example/>")?;
    /// let file = std::fs::File::open(&path)?;
    /// let mut urls = Vec::new();
    /// // `Urls` as in `par_stream`
    /// urlgrep::Extractor::new().par_read_at(&file, 10..u64::MAX, || Urls(Vec::new()), |sink| {
    ///     urls.extend(sink.0);
    ///     Ok(ControlFlow::Continue(()))
    /// })?;
    /// assert_eq!(urls, ["ftp://b.example/"]);
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    pub fn par_read_at<S: Sink + Send>(
        &self,
        input: &impl ReadAt,
        section: impl Into<Section>,
        new: impl Fn() -> S + Sync,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let section = section.into();
        self.flow(Divider::new(self, input, &section)?, section.range, new, deliver)
    }

    /// Searches the chunks on the pool, and delivers the results on this thread at the same time.
    fn flow<'i, S: Sink + Send>(
        &self,
        mut chunks: impl Chunks<'i>,
        range: Range<u64>,
        new: impl Fn() -> S + Sync,
        mut deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let search = |chunk: &Chunk<'_>, from: usize| {
            let mut matches = MatchLoop::new(self, from, range.clone(), chunk.lines);
            matches.stats.checkpoint = checkpoint(chunk, &range);
            let mut sink = new();
            matches.fill(chunk.window(), chunk.base(), chunk.range.end, &mut sink, |_| false);
            let unsearched = chunk.unsearched(&matches);
            if let Some(offset) = unsearched {
                sink.searched(offset);
            }
            Searched { unsearched, ..Searched::of(&matches, chunk.base(), sink) }
        };
        let work = |mut chunk: Chunk<'i>| {
            chunk.load();
            let searched = search(&chunk, chunk.range.start);
            chunk.unload();
            (chunk, searched)
        };
        let mut stitch = Stitch { end: chunks.position() };
        let mut stats = Stats::default();
        let flow = in_order(&mut chunks, work, |chunks, (mut chunk, searched)| {
            let settled = stitch.settle(searched, |from| {
                chunk.load();
                let again = search(&chunk, (from - chunk.base()) as usize);
                chunk.unload();
                again
            });
            if let Some(end) = settled.unsearched {
                chunk.end_at(end);
            }
            stats += settled.stats;
            stats.bytes = chunk.read;
            stats.checkpoint = settled.stats.checkpoint.or(stats.checkpoint);
            if deliver(settled.found)?.is_break() {
                return Ok(ControlFlow::Break(Stop::Delivery));
            }
            Ok(chunks.recycle(chunk).map_break(|()| Stop::Input))
        })?;
        let ended = Stats { checkpoint: None, ..stats };
        match flow {
            ControlFlow::Continue(()) => chunks.failure().map_or(Ok(stats), Err),
            ControlFlow::Break(Stop::Input) => chunks.failure().map_or(Ok(ended), Err),
            ControlFlow::Break(Stop::Delivery) => Ok(ended),
        }
    }
}

/// The reason why a search ends early.
enum Stop {
    /// `deliver` stopped the search.
    Delivery,
    /// The input ended before its size, or a read failed.
    Input,
}

/// Returns the checkpoint if this chunk determines it. Its range must hold the start of the last
/// margin, and its text must reach the input's end.
fn checkpoint(chunk: &Chunk<'_>, range: &Range<u64>) -> Option<Checkpoint> {
    let Window { text, is_last, is_damaged, .. } = chunk.window();
    let is_whole = is_last && !is_damaged;
    let settled = (chunk.base() + text.len() as u64).saturating_sub(MARGIN as u64);
    let at = usize::try_from(settled.checked_sub(chunk.base())?).ok()?;
    // If the margin begins before the range, its start was searched at a pause.
    let lines = if at < chunk.range.start { chunk.settled } else { chunk.lines.filter(|_| chunk.range.contains(&at)) };
    let lines = lines.filter(|_| is_whole)?;
    lines.checkpoint_of_text(text, chunk.base(), range)
}

/// The findings of a chunk, as if nothing preceded it.
struct Searched<T> {
    found: T,
    stats: Stats,
    /// The start in the input of the first match or refusal.
    first: Option<u64>,
    /// The end in the input of the last match, or the start of the search.
    end: u64,
    /// The offset in the input at which the search stopped at a pause.
    unsearched: Option<u64>,
}

impl<T> Searched<T> {
    fn of(matches: &MatchLoop, base: u64, found: T) -> Searched<T> {
        let (first, end) = (matches.first(), matches.end(base));
        Searched { found, stats: matches.stats, first, end, unsearched: None }
    }
}

/// Restores leftmost-first matching without overlap where chunks meet (P4). Chunks come in the
/// order of the input.
struct Stitch {
    /// The end of the last match.
    end: u64,
}

impl Stitch {
    /// Accepts the findings of a chunk, unless the first one begins before the end of the previous
    /// match. Then the chunk is searched again from that end, as a single search would continue
    /// (P1). It does not suffice to drop the first finding. Candidates that it hid may then appear,
    /// and hide others, in chains.
    fn settle<T>(&mut self, searched: Searched<T>, again: impl FnOnce(u64) -> Searched<T>) -> Searched<T> {
        let settled = if searched.first.is_some_and(|first| first < self.end) { again(self.end) } else { searched };
        self.end = self.end.max(settled.end);
        settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::work::AHEAD;
    use crate::find::LOOKAHEAD;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    /// A sink of spans, in order.
    #[derive(Default)]
    struct Spans(Vec<Range<u64>>);

    impl Sink for Spans {
        fn add(&mut self, found: &Match<'_>) {
            self.0.push(found.span());
        }
    }

    fn extractor(chunk: usize) -> Extractor {
        Extractor::builder().chunk_size(chunk).build()
    }

    fn spans(text: &[u8]) -> Vec<Range<u64>> {
        Extractor::new().find_iter(text).map(|found| found.span()).collect()
    }

    fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// A reader that returns its text, then fails at every read.
    struct Fails<'t>(&'t [u8]);

    impl Read for Fails<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            let most = buffer.len().min(5_000);
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn what_was_read_before_a_failure_is_found_first() {
        let text = b"see http://a.example/x, or <URL:http://b.example/\n y>\n".repeat(20_000);
        let expected = spans(&text);
        for (threads, chunk) in [(1, 10_000), (2, 10_000), (2, 1 << 20), (8, 100_000), (8, usize::MAX)] {
            let mut found = Vec::new();
            let result = on_threads(threads, || {
                extractor(chunk).par_stream(Fails(&text), Spans::default, |sink| {
                    found.extend(sink.0);
                    Ok(ControlFlow::Continue(()))
                })
            });
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
            assert!(found == expected, "{threads} threads, chunks of {chunk}");
        }
    }

    /// An input with a range that cannot be read. The text after the range can be read.
    struct Scratched<'t>(&'t [u8], Range<usize>);

    impl ReadAt for Scratched<'_> {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let from = offset as usize;
            if self.1.contains(&from) {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            let most = if from < self.1.start { self.1.start - from } else { usize::MAX }.min(buffer.len());
            self.0.read_at(&mut buffer[..most], offset)
        }
    }

    #[test]
    fn what_stands_before_a_place_that_cannot_be_read_is_found() {
        let text = b"see http://a.example/x, or <URL:http://b.example/\n y>\n".repeat(20_000);
        for place in [0, 1, 13, 29, 51, 99_990, 100_030, 400_000, text.len() - 1] {
            // The match that this place may have cut is not expected. A URL may continue there, or
            // after its comma, but not after its bracket.
            let is_closed = |end: u64| end <= place as u64 && text[end as usize - 1] == b'>';
            let is_whole = |span: &Range<u64>| span.end + 1 < place as u64 || is_closed(span.end);
            let expected: Vec<_> = spans(&text).into_iter().filter(is_whole).collect();
            for (threads, chunk) in [(1, 10_000), (2, 10_000), (8, 100_000), (8, usize::MAX)] {
                let mut found = Vec::new();
                let result = on_threads(threads, || {
                    let input = Scratched(&text, place..place + 1_000);
                    extractor(chunk).par_read_at(&input, 0..u64::MAX, Spans::default, |sink| {
                        found.extend(sink.0);
                        Ok(ControlFlow::Continue(()))
                    })
                });
                assert_eq!(result.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
                assert!(found == expected, "unreadable at {place}, {threads} threads, chunks of {chunk}");
            }
        }
    }

    /// An input that is shorter at each read.
    struct Shrinks<'t>(&'t [u8], AtomicUsize);

    impl ReadAt for Shrinks<'_> {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let now = self.1.fetch_sub(self.0.len() / 100, Ordering::Relaxed);
            (&self.0[..now.min(self.0.len())]).read_at(buffer, offset)
        }
    }

    #[test]
    fn an_input_that_shrinks_ends_early() {
        // Every chunk is searched again.
        let text = b"http://a.example/x=http://\xC3\xA9.com/y=".repeat(10_000);
        for threads in [1, 4] {
            let input = Shrinks(&text, AtomicUsize::new(text.len()));
            let mut found = 0;
            let stats = on_threads(threads, || {
                extractor(5_000).par_read_at(&input, 0..u64::MAX, Spans::default, |sink| {
                    found += sink.0.len() as u64;
                    Ok(ControlFlow::Continue(()))
                })
            });
            assert_eq!(stats.unwrap().matches, found);
        }
    }

    /// An input that shrinks while a part of it is read, and that other threads read before and
    /// after.
    struct Gap<'t>(&'t [u8], Range<u64>);

    impl ReadAt for Gap<'_> {
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let room = if offset < self.1.start { self.1.start - offset } else { buffer.len() as u64 };
            let length = if self.1.contains(&offset) { 0 } else { room.min(buffer.len() as u64) };
            self.0.read_at(&mut buffer[..length as usize], offset)
        }
    }

    #[test]
    fn lines_after_a_cut_chunk_are_not_counted() {
        let text = b"see http://a.example/ and more\n".repeat(20_000);
        for threads in [1, 2, 8] {
            for gap in (0..text.len() as u64).step_by(31_000) {
                let input = Gap(&text, gap..gap + 50_000);
                let extractor = Extractor::builder().chunk_size(20_000).line_numbers(true).build();
                let mut found = 0;
                let stats = on_threads(threads, || {
                    extractor.par_read_at(&input, 0..u64::MAX, Spans::default, |sink| {
                        found += sink.0.len() as u64;
                        Ok(ControlFlow::Continue(()))
                    })
                });
                let stats = stats.unwrap();
                assert_eq!((stats.matches, stats.checkpoint), (found, None), "{threads} threads, {gap}");
            }
        }
    }

    #[test]
    fn delivery_ends_the_search() {
        let text = b"see http://a.example/x.\n".repeat(200_000);
        for threads in [1, 2, 8] {
            let (stats, read) = on_threads(threads, || {
                let mut reader = &text[..];
                let stats =
                    extractor(50_000).par_stream(&mut reader, Spans::default, |_| Ok(ControlFlow::Break(()))).unwrap();
                (stats, text.len() - reader.len())
            });
            assert!(stats.bytes <= read as u64 && read <= 50_000 * (threads + AHEAD + 1) + 2 * LOOKAHEAD);
            let failed = on_threads(threads, || {
                extractor(50_000).par_stream(&text[..], Spans::default, |_| Err(io::ErrorKind::StorageFull.into()))
            });
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    /// A sink that blocks the first chunk's search until the reader has reached the end.
    struct Waits<'t>(&'t Mutex<Receiver<()>>);

    impl Sink for Waits<'_> {
        fn add(&mut self, _: &Match<'_>) {
            let at_end = self.0.lock().unwrap().recv_timeout(Duration::from_secs(60));
            assert!(at_end.is_ok(), "nothing is read while a chunk is searched");
        }
    }

    #[test]
    fn reading_goes_on_while_a_chunk_is_searched() {
        let (at_end, waits) = mpsc::channel();
        let waits = Mutex::new(waits);
        let last = std::iter::once_with(move || {
            at_end.send(()).unwrap();
            b' '
        });
        let three_chunks = std::iter::repeat_n(b' ', LOOKAHEAD + 3_000);
        let text = b"http://a.example/ ".iter().copied().chain(three_chunks).chain(last);
        let extractor = extractor(1_000);
        let stats = extractor.par_stream(Bytes(text), || Waits(&waits), |_| Ok(ControlFlow::Continue(()))).unwrap();
        assert_eq!(stats.matches, 1);
    }

    struct Bytes<I>(I);

    impl<I: Iterator<Item = u8>> Read for Bytes<I> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            Ok(buffer.iter_mut().zip(&mut self.0).map(|(to, byte)| *to = byte).count())
        }
    }

    #[test]
    fn a_panic_in_a_batch_comes_to_the_caller() {
        struct Panics;
        impl Sink for Panics {
            fn add(&mut self, _: &Match<'_>) {
                panic!("as the test wants");
            }
        }
        let text = b"see http://a.example/x.\n".repeat(100_000);
        for threads in [1, 2] {
            let caught = std::panic::catch_unwind(|| {
                on_threads(threads, || {
                    extractor(10_000).par_stream(&text[..], || Panics, |_| Ok(ControlFlow::Continue(())))
                })
            });
            let message = caught.unwrap_err();
            assert_eq!(message.downcast_ref::<&str>(), Some(&"as the test wants"));
        }
    }
}
