//! All cores on one input; what makes the answer exact where chunks meet (P4).
//!
//! The calling thread reads the input chunk by chunk, hands each to the pool, and delivers what comes back, in order; it
//! reads ahead of the search, so that no thread waits for another but at the end. Every worker searches and renders its
//! chunk in one go, as if nothing stood before it. Where the last match of a chunk reaches into what the next one found,
//! the next is searched again from there, which happens rarely.
//!
//! Memory is that of the chunks in flight: their text, with both margins, and their batches.

use std::collections::VecDeque;
use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};
use std::sync::mpsc::{self, Receiver, TryRecvError};

use rayon::Yield;
use rayon::prelude::*;

use crate::bytes::limits::SCHEME_RUN;
use crate::drive::lines::Lines;
use crate::drive::stream::{Buffer, seek};
use crate::drive::{Extractor, Match, Stats};
use crate::find::{Event, Hit, LOOKAHEAD, LOOKBEHIND, Options, RawMatch, Search, Window};

/// Chunks in flight beyond one for each thread: one that waits for the thread that is done next, and one that waits to
/// be delivered while another is read.
const CHUNKS_AHEAD: usize = 2;

/// What a worker makes of the matches of one chunk: rendered lines, counts, anything that can be handed over.
pub trait Batch: Send {
    /// Adds the next match; they come in order.
    fn add(&mut self, found: &Match<'_>);
}

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
        let mut lines = self.counts_lines().then(Lines::new);
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
    /// A worker makes a batch for each chunk with `new` and puts the chunk's matches into it. `deliver` gets the
    /// batches in the order of the input, on the calling thread, and can end the search. The matches are those of
    /// [`stream`](Self::stream); only how they are spread over batches depends on threads and chunks.
    ///
    /// # Errors
    ///
    /// What the reader or `deliver` reports; what was found before is delivered first.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// struct Urls(Vec<String>);
    /// impl urlgrep::Batch for Urls {
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
    ///     |batch| {
    ///         urls.extend(batch.0);
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
        B: Batch,
    {
        let lines = self.counts_lines().then(Lines::new);
        self.flow(Cutter::new(self, Buffer::new(reader, 0), 0, u64::MAX, lines), 0..u64::MAX, new, deliver)
    }

    /// As [`par_stream`](Self::par_stream), for the matches whose span starts in `range`
    /// (see [`find_range`](Self::find_range)).
    ///
    /// # Errors
    ///
    /// What the reader or `deliver` reports. With line numbers, everything before the range is read once to count its
    /// lines.
    pub fn par_stream_range<R, B>(
        &self,
        reader: R,
        range: Range<u64>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats>
    where
        R: Read + Seek,
        B: Batch,
    {
        let mut lines = self.counts_lines().then(Lines::new);
        let (buffer, from) = seek(self, reader, range.start, lines.as_mut())?;
        self.flow(Cutter::new(self, buffer, from, range.end, lines), range, new, deliver)
    }

    /// Reads, has searched, and delivers, all at the same time.
    fn flow<R: Read, B: Batch>(
        &self,
        mut cutter: Cutter<R>,
        range: Range<u64>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let worker = Worker { extractor: self, range: &range, new: &new };
        let mut outlet = Outlet { worker, pos: cutter.position(), stats: Stats::default(), deliver };
        // In place: neither the reader nor `deliver` need leave this thread.
        rayon::in_place_scope_fifo(|scope| {
            let most = rayon::current_num_threads() + CHUNKS_AHEAD;
            let mut flight: VecDeque<Receiver<(Chunk, Searched<B>)>> = VecDeque::with_capacity(most);
            loop {
                let is_full = flight.len() == most || cutter.is_done();
                if let Some(head) = flight.front()
                    && let Some((chunk, searched)) = if is_full { Some(wait_for(head)?) } else { head.try_recv().ok() }
                {
                    flight.pop_front();
                    if outlet.settle(&chunk, searched)?.is_break() {
                        return Ok(());
                    }
                    cutter.recycle(chunk);
                } else if cutter.is_done() {
                    return cutter.result();
                } else if let Some(chunk) = cutter.advance() {
                    let (done, result) = mpsc::channel();
                    flight.push_back(result);
                    scope.spawn_fifo(move |_| {
                        let searched = worker.search(&chunk, chunk.range.start);
                        // If nobody waits for it any more, the search was broken off.
                        let _ = done.send((chunk, searched));
                    });
                }
            }
        })?;
        Ok(outlet.stats)
    }
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

/// Cuts an input into chunks while it is read.
///
/// A chunk goes to its worker with the buffer it was read into, both margins included; reading goes on in another
/// buffer, into which what the chunks have in common is copied. Buffers come back and are used again.
struct Cutter<R> {
    buffer: Buffer<R>,
    chunk_size: usize,
    /// Where in the buffer the next chunk begins.
    from: usize,
    /// Offset of the input: nothing that starts there or later is wanted.
    range_end: u64,
    /// Counted up to where the next chunk begins.
    lines: Option<Lines>,
    /// Nothing can be read any more; what was read is searched first.
    failure: Option<io::Error>,
    spare: Vec<Vec<u8>>,
}

impl<R: Read> Cutter<R> {
    fn new(extractor: &Extractor, buffer: Buffer<R>, from: usize, range_end: u64, mut lines: Option<Lines>) -> Self {
        if let Some(lines) = &mut lines {
            lines.advance(buffer.bytes(), buffer.base, buffer.base + from as u64);
        }
        let chunk_size = extractor.chunk_size();
        Cutter { buffer, chunk_size, from, range_end, lines, failure: None, spare: Vec::new() }
    }

    /// Offset of the input at which the next chunk begins.
    fn position(&self) -> u64 {
        self.buffer.base + self.from as u64
    }

    /// No more input.
    fn has_ended(&self) -> bool {
        self.buffer.is_last || self.failure.is_some()
    }

    /// No more chunks.
    fn is_done(&self) -> bool {
        self.position() >= self.range_end || self.has_ended() && self.from == self.buffer.bytes().len()
    }

    fn result(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn recycle(&mut self, chunk: Chunk) {
        self.spare.push(chunk.storage);
    }

    /// Reads once, if it must, and gives the next chunk if it is whole then: a pipe is not waited for while there is
    /// something to deliver.
    fn advance(&mut self) -> Option<Chunk> {
        let whole = self.chunk_size.saturating_add(self.from + LOOKAHEAD + SCHEME_RUN + 2);
        let missing = whole.saturating_sub(self.buffer.bytes().len());
        if missing > 0 && !self.has_ended() {
            self.failure = self.buffer.read(missing).err();
        }
        if self.buffer.bytes().len() < whole && !self.has_ended() || self.is_done() {
            return None;
        }
        Some(self.cut())
    }

    fn cut(&mut self) -> Chunk {
        let Buffer { base, read, .. } = self.buffer;
        let is_last = self.has_ended();
        let text = self.buffer.bytes();
        let end = text.len().min(self.from.saturating_add(self.chunk_size)).min(self.buffer.local(self.range_end));
        let range = self.from..end;
        let lines = self.lines;
        // Counted here it needs no second pass over all threads, and it costs 0.03 ns a byte, for the text was just read
        // (2026-11); the other threads search meanwhile.
        if let Some(lines) = &mut self.lines {
            lines.advance(text, base, base + end as u64);
        }
        // After the last chunk nothing is needed any more.
        let gone = if is_last && end == text.len() { end } else { end.saturating_sub(LOOKBEHIND) };
        let (storage, filled) = self.buffer.move_on(gone, self.spare.pop().unwrap_or_default());
        self.from = end - gone;
        Chunk { storage, filled, base, is_last, range, lines, read }
    }
}

/// A stretch of the input with its margins.
struct Chunk {
    /// Text up to `filled`.
    storage: Vec<u8>,
    filled: usize,
    /// Offset of the text in the input.
    base: u64,
    /// The input ends with the text.
    is_last: bool,
    /// What starts in here is the chunk's (P3).
    range: Range<usize>,
    /// Counted up to where the range begins.
    lines: Option<Lines>,
    /// Bytes of the input that had been read when it was cut.
    read: u64,
}

impl Chunk {
    fn window(&self) -> Window<'_> {
        Window { text: &self.storage[..self.filled], is_last: self.is_last }
    }
}

/// Searches chunks and makes batches.
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

impl<B: Batch, N: Fn() -> B> Worker<'_, N> {
    /// Searches a chunk from a place in its text on, as if nothing stood before.
    fn search(&self, chunk: &Chunk, from: usize) -> Searched<B> {
        let options = self.extractor.options();
        let (window, base) = (chunk.window(), chunk.base);
        let mut lines = chunk.lines;
        let is_ours = |at: usize| self.range.contains(&(base + at as u64));
        let mut searched = Searched { batch: (self.new)(), stats: Stats::default(), first: None, end: None };
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
    B: Batch,
    N: Fn() -> B,
    D: FnMut(B) -> io::Result<ControlFlow<()>>,
{
    fn settle(&mut self, chunk: &Chunk, mut searched: Searched<B>) -> io::Result<ControlFlow<()>> {
        // Almost always the chunk stands as it was found. Where its first finding overlaps the match before, what that
        // finding had hidden may come to light, and hide the next, in chains: the chunk is searched again from where
        // the match before ends, which is what a single search does there (P1).
        if searched.first.is_some_and(|first| first < self.pos) {
            searched = self.worker.search(chunk, (self.pos - chunk.base) as usize);
        }
        self.pos = searched.end.unwrap_or(self.pos);
        self.stats.add(&searched.stats);
        self.stats.bytes = chunk.read;
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
    use std::sync::Mutex;
    use std::time::Duration;

    /// Spans, in order.
    #[derive(Default)]
    struct Spans(Vec<Range<u64>>);

    impl Batch for Spans {
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
                extractor(chunk).par_stream(Fails(&text), Spans::default, |batch| {
                    found.extend(batch.0);
                    Ok(ControlFlow::Continue(()))
                })
            });
            assert_eq!(result.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
            assert!(found == expected, "{threads} threads, chunks of {chunk}");
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
            assert!(stats.bytes <= read as u64 && read <= 50_000 * (threads + CHUNKS_AHEAD + 1) + 2 * LOOKAHEAD);
            let failed = on_threads(threads, || {
                extractor(50_000).par_stream(&text[..], Spans::default, |_| Err(io::ErrorKind::StorageFull.into()))
            });
            assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    /// Holds the first chunk's search up until the reader has come to the end.
    struct Waits<'t>(&'t Mutex<Receiver<()>>);

    impl Batch for Waits<'_> {
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
        impl Batch for Panics {
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
