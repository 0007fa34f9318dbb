//! All cores on one input; what makes the answer exact where chunks meet (P4).
//!
//! The calling thread hands the chunks of the input to the pool, and delivers what comes back, in order. Of a stream it
//! reads them too, ahead of the search; of a file every worker reads its own, for reading is most of the work on text
//! with few URLs. No thread waits for another but at the end. Every worker searches and renders its chunk in one go, as if
//! nothing stood before it. Where the last match of a chunk reaches into what the next one found, the next is searched
//! again from there, which happens rarely.
//!
//! Memory is that of the chunks in flight: their text, with both margins, and their batches.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use rayon::Yield;
use rayon::prelude::*;

use crate::bytes::read_at::ReadAt;
use crate::drive::chunks::{Chunk, Chunks, Cutter, Divider};
use crate::drive::{Checkpoint, Extractor, Match, Section, Sink, Stats};
use crate::find::{Event, Hit, MARGIN, Options, RawMatch, Search, Window};

/// Pieces of work in flight beyond one for each thread: one that waits for the thread that is done next, and one that
/// waits to be delivered while another is read.
const AHEAD: usize = 2;

impl Extractor {
    /// The matches in a slice, found by rayon's current threads: those of [`find_iter`](Self::find_iter), in order.
    ///
    /// ```
    /// let text = b"http://a.example/ ".repeat(100_000);
    /// let found = urlgrep::Extractor::new().par_find(&text);
    /// assert_eq!(found.len(), 100_000);
    /// ```
    pub fn par_find<'h>(&self, haystack: &'h [u8]) -> Vec<Match<'h>> {
        let window = Window { text: haystack, is_last: true };
        let chunks: Vec<Range<usize>> = (0..haystack.len())
            .step_by(self.chunk_size())
            .map(|start| start..haystack.len().min(start.saturating_add(self.chunk_size())))
            .collect();
        let found: Vec<Vec<Hit>> = chunks.par_iter().map(|chunk| hits(self.options(), window, chunk.clone())).collect();
        let mut lines = self.lines();
        let mut pos = 0;
        chunks
            .into_iter()
            .zip(found)
            .flat_map(|(chunk, mut found)| {
                if found.first().is_some_and(|hit| hit.start() < pos) {
                    found = hits(self.options(), window, pos..chunk.end); // as in `Outlet::settle`
                }
                pos = found.last().map_or(pos, Hit::end);
                found
            })
            .flat_map(matches_of)
            .map(|raw| {
                let position = lines.as_mut().map(|lines| lines.position(haystack, 0, raw.start as u64));
                Match::new(haystack, 0, raw, position, self.options())
            })
            .collect()
    }

    /// Finds in a stream with rayon's current threads, in order and in bounded memory.
    ///
    /// A worker makes a sink for each chunk with `new` and puts the chunk's matches into it. `deliver` gets the
    /// sinks in the order of the input, on the calling thread, and can end the search. The matches are those of
    /// [`stream`](Self::stream); only how they are spread over sinks depends on threads and chunks.
    ///
    /// # Errors
    ///
    /// What the reader or `deliver` reports; what was found before is delivered first.
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
    pub fn par_stream<R, B>(
        &self,
        reader: R,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats>
    where
        R: Read,
        B: Sink,
    {
        self.flow(Cutter::new(self, reader), 0..u64::MAX, new, deliver)
    }

    /// Finds in an input that can be read anywhere, with rayon's current threads: as [`par_stream`](Self::par_stream),
    /// but every thread reads what it searches, and only the matches whose span starts in a range are wanted
    /// (see [`find_range`](Self::find_range); `0..u64::MAX` for all), or at or after a [`Checkpoint`].
    ///
    /// # Errors
    ///
    /// What the input or `deliver` reports; what was found before is delivered first. With line numbers, everything
    /// before a range is read once to count its lines.
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
    pub fn par_read_at<B: Sink>(
        &self,
        input: &impl ReadAt,
        section: impl Into<Section>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let section = section.into();
        self.flow(Divider::new(self, input, &section)?, section.range, new, deliver)
    }

    /// Has the chunks searched, and delivers, at the same time.
    fn flow<'i, B: Sink>(
        &self,
        mut chunks: impl Chunks<'i>,
        range: Range<u64>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let worker = Worker { extractor: self, range: &range, new: &new };
        let mut outlet = Outlet { worker, pos: chunks.position(), stats: Stats::default(), deliver };
        let search = |mut chunk: Chunk<'i>| {
            chunk.load();
            let searched = worker.search(&chunk, chunk.range.start);
            chunk.unload();
            (chunk, searched)
        };
        let flow = in_order(&mut chunks, search, |chunks, (mut chunk, searched)| {
            if outlet.settle(&mut chunk, searched)?.is_break() {
                return Ok(ControlFlow::Break(Stop::Delivery));
            }
            Ok(chunks.recycle(chunk).map_break(|()| Stop::Input))
        })?;
        let ended = Stats { checkpoint: None, ..outlet.stats };
        match flow {
            ControlFlow::Continue(()) => chunks.failure().map_or(Ok(outlet.stats), Err),
            ControlFlow::Break(Stop::Input) => chunks.failure().map_or(Ok(ended), Err),
            ControlFlow::Break(Stop::Delivery) => Ok(ended),
        }
    }
}

/// Why a search ends early.
enum Stop {
    /// Nobody wants more.
    Delivery,
    /// There is no more, though there was said to be.
    Input,
}

/// What gives work, piece by piece.
pub(crate) trait Source {
    type Work: Send;

    /// There is no more.
    fn is_done(&self) -> bool;

    /// The next piece, if there is one yet.
    fn advance(&mut self) -> Option<Self::Work>;

    /// What is under way takes so much memory that nothing more is to be begun.
    fn must_wait(&self) -> bool {
        false
    }
}

/// Has pieces of work done by rayon's current threads, and takes the results in the order of the pieces, on this thread,
/// until it says stop; both at the same time.
pub(crate) fn in_order<S: Source, T: Send, R>(
    source: &mut S,
    work: impl Fn(S::Work) -> T + Sync,
    mut take: impl FnMut(&mut S, T) -> io::Result<ControlFlow<R>>,
) -> io::Result<ControlFlow<R>> {
    let work = &work;
    // In place: neither `source` nor `take` need leave this thread. First in, first out: a chunk that waits for its line
    // number waits for one that some thread is at.
    rayon::in_place_scope_fifo(|scope| {
        let most = rayon::current_num_threads() + AHEAD;
        let mut flight: VecDeque<Receiver<T>> = VecDeque::with_capacity(most);
        loop {
            let is_full = flight.len() == most || source.is_done() || source.must_wait();
            if let Some(head) = flight.front()
                && let Some(result) = if is_full { Some(wait_for(head)?) } else { head.try_recv().ok() }
            {
                flight.pop_front();
                let flow = take(source, result)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            } else if source.is_done() {
                return Ok(ControlFlow::Continue(()));
            } else if let Some(piece) = source.advance() {
                let (done, result) = mpsc::channel();
                flight.push_back(result);
                // If nobody waits for it any more, the search was broken off.
                scope.spawn_fifo(move |_| drop(done.send(work(piece))));
            }
        }
    })
}

/// Takes what the thread that has the chunk sends. A thread of the pool does its share of the work meanwhile: it may be
/// the only one.
fn wait_for<T>(result: &Receiver<T>) -> io::Result<T> {
    loop {
        match result.try_recv() {
            Err(TryRecvError::Empty) if rayon::yield_now() == Some(Yield::Executed) => {}
            // Now others have all the work there is.
            Err(TryRecvError::Empty) => return result.recv().map_err(|_| io::Error::other("a worker panicked")),
            done => return done.map_err(|_| io::Error::other("a worker panicked")),
        }
    }
}

/// Searches chunks and fills sinks.
struct Worker<'a, N> {
    extractor: &'a Extractor,
    /// Offsets of the input: whose matches are wanted.
    range: &'a Range<u64>,
    new: &'a N,
}

// Not derived, for that would ask the same of `N`.
impl<N> Clone for Worker<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Worker<'_, N> {}

impl<B: Sink, N: Fn() -> B> Worker<'_, N> {
    /// Searches a chunk from a place in its text on, as if nothing stood before.
    fn search(&self, chunk: &Chunk<'_>, from: usize) -> Searched<B> {
        let options = self.extractor.options();
        let (window, base) = (chunk.window(), chunk.base);
        let mut lines = chunk.lines;
        let is_ours = |at: usize| self.range.contains(&(base + at as u64));
        let stats = Stats { checkpoint: self.checkpoint(chunk), ..Stats::default() };
        let mut searched = Searched { batch: (self.new)(), stats, first: None, end: None };
        let mut search = Search::new(options, from);
        search.run(window, chunk.range.end, |event| {
            searched.first.get_or_insert(base + event.start() as u64);
            match event {
                Event::Refused(at, refusal) => searched.stats.refuse(refusal, is_ours(at)),
                Event::Found(hit) => {
                    searched.end = Some(base + hit.end() as u64);
                    for raw in matches_of(hit).filter(|raw| is_ours(raw.start)) {
                        searched.stats.matches += 1;
                        let offset = base + raw.start as u64;
                        let position = lines.as_mut().map(|lines| lines.position(window.text, base, offset));
                        searched.batch.add(&Match::new(window.text, base, raw, position, options));
                    }
                }
            }
            ControlFlow::Continue(())
        });
        searched
    }

    /// The chunk that holds the start of the last margin knows where the input ends, and tells the checkpoint.
    fn checkpoint(&self, chunk: &Chunk<'_>) -> Option<Checkpoint> {
        let Window { text, is_last } = chunk.window();
        let settled = (chunk.base + text.len() as u64).saturating_sub(MARGIN as u64);
        let is_here = settled.checked_sub(chunk.base).is_some_and(|at| chunk.range.contains(&(at as usize)));
        let lines = chunk.lines.filter(|_| is_last && is_here)?;
        Checkpoint::of_text(lines, text, chunk.base, self.range)
    }
}

/// What was found in a chunk. Offsets of the input.
struct Searched<B> {
    batch: B,
    stats: Stats,
    /// Where the first match or refusal starts.
    first: Option<u64>,
    /// Where the last match ends.
    end: Option<u64>,
}

/// Takes chunks in the order of the input, restores leftmost-first without overlap, and delivers.
struct Outlet<'a, N, D> {
    worker: Worker<'a, N>,
    /// The end of the last match that was taken.
    pos: u64,
    stats: Stats,
    deliver: D,
}

impl<B, N, D> Outlet<'_, N, D>
where
    B: Sink,
    N: Fn() -> B,
    D: FnMut(B) -> io::Result<ControlFlow<()>>,
{
    fn settle(&mut self, chunk: &mut Chunk<'_>, mut searched: Searched<B>) -> io::Result<ControlFlow<()>> {
        // Almost always the chunk stands as it was found. Where its first finding overlaps the match before, what that
        // finding had hidden may come to light, and hide the next, in chains: the chunk is searched again from where
        // the match before ends, which is what a single search does there (P1).
        if searched.first.is_some_and(|first| first < self.pos) {
            chunk.load();
            searched = self.worker.search(chunk, (self.pos - chunk.base) as usize);
            chunk.unload();
        }
        self.pos = searched.end.unwrap_or(self.pos);
        self.stats.add(&searched.stats);
        self.stats.bytes = chunk.read;
        self.stats.checkpoint = searched.stats.checkpoint.or(self.stats.checkpoint);
        (self.deliver)(searched.batch)
    }
}

fn matches_of(hit: Hit) -> impl Iterator<Item = RawMatch> {
    std::iter::once(hit.first).chain(hit.rest)
}

/// The matches that start in `range`, as if nothing stood before.
fn hits(options: Options, window: Window<'_>, range: Range<usize>) -> Vec<Hit> {
    let mut search = Search::new(options, range.start);
    let mut hits = Vec::new();
    search.run(window, range.end, |event| {
        if let Event::Found(hit) = event {
            hits.push(hit);
        }
        ControlFlow::Continue(())
    });
    hits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::LOOKAHEAD;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    /// Spans, in order.
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

    /// Gives its text and then fails, for good.
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

    /// Cannot be read from a place on; behind that, it can again.
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
            let expected = spans(&text[..place]);
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

    /// Is shorter whenever it is read again.
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

    /// Holds the first chunk's search up until the reader has come to the end.
    struct Waits<'t>(&'t Mutex<Receiver<()>>);

    impl Sink for Waits<'_> {
        fn add(&mut self, _: &Match<'_>) {
            let at_end = self.0.lock().unwrap().recv_timeout(Duration::from_secs(60));
            assert!(at_end.is_ok(), "nothing is read while a chunk is searched");
        }
    }

    #[test]
    fn reading_goes_on_while_a_chunk_is_searched() {
        let (tell, told) = mpsc::channel();
        let told = Mutex::new(told);
        let last = std::iter::once_with(move || {
            tell.send(()).unwrap();
            b' '
        });
        let three_chunks = std::iter::repeat_n(b' ', LOOKAHEAD + 3_000);
        let text = b"http://a.example/ ".iter().copied().chain(three_chunks).chain(last);
        let extractor = extractor(1_000);
        let stats = extractor.par_stream(Bytes(text), || Waits(&told), |_| Ok(ControlFlow::Continue(()))).unwrap();
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
