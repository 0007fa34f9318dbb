//! All cores on one input, in waves of chunks; the stitch that makes the answer exact (P4).
//!
//! A wave is a stretch of the input cut into chunks. Every worker searches its chunk as if nothing stood before it;
//! the stitch then walks over the chunks in order and restores what one search would have found. Both margins of a
//! chunk lie in the same buffer, so that no byte is copied for them.

use std::io::{self, Read, Seek};
use std::ops::{ControlFlow, Range};

use rayon::prelude::*;

use crate::drive::lines::{LineBreaks, Lines};
use crate::drive::stream::{Buffer, seek};
use crate::drive::{Extractor, Match, Stats};
use crate::find::{Event, Hit, LOOKAHEAD, LOOKBEHIND, Options, RawMatch, Search, Step, Window};

/// Chunks of a wave for each thread: more than one, so that a thread that is done early finds work.
const CHUNKS_PER_THREAD: usize = 2;

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
        let chunks = self.search_chunks(window, 0, 0..haystack.len());
        let mut stitch = Stitch { options: self.options(), window, pos: 0 };
        let mut lines = self.counts_lines().then(Lines::new);
        chunks
            .into_iter()
            .flat_map(|chunk| stitch.mend(chunk))
            .filter_map(|event| match event {
                Event::Found(hit) => Some(hit),
                Event::Refused(..) => None,
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
        self.waves(Buffer::new(reader, 0), 0, 0..u64::MAX, lines, new, deliver)
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
        self.waves(buffer, from, range, lines, new, deliver)
    }

    /// Wave after wave: read, search, stitch, render, deliver.
    fn waves<R: Read, B: Batch>(
        &self,
        mut buffer: Buffer<R>,
        mut from: usize,
        range: Range<u64>,
        mut lines: Option<Lines>,
        new: impl Fn() -> B + Sync,
        mut deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let wave = self.chunk_size() * CHUNKS_PER_THREAD * rayon::current_num_threads();
        let mut stats = Stats::default();
        let mut pos = from;
        if let Some(lines) = &mut lines {
            lines.advance(buffer.bytes(), buffer.base, buffer.base + from as u64);
        }
        loop {
            // After an error the matches of what was read are delivered first: nothing found is lost.
            let missing =
                (from + wave + LOOKAHEAD + crate::bytes::limits::SCHEME_RUN + 2).saturating_sub(buffer.bytes().len());
            let read = if buffer.is_last { Ok(()) } else { buffer.fill(missing) };
            let window = Window { is_last: buffer.is_last || read.is_err(), ..buffer.window() };
            let end = if window.is_last { buffer.bytes().len() } else { from + wave };
            let end = end.min(buffer.local(range.end)).max(from);

            let chunks = self.search_chunks(window, buffer.base, from..end);
            let mut stitch = Stitch { options: self.options(), window, pos };
            let mended: Vec<Mended> = chunks
                .into_iter()
                .map(|chunk| {
                    let begin = lines;
                    if let Some(breaks) = &chunk.breaks {
                        lines.as_mut().expect("lines are counted").skip(breaks);
                    }
                    Mended { events: stitch.mend(chunk), lines: begin }
                })
                .collect();
            pos = stitch.pos;

            let (bytes, base) = (buffer.bytes(), buffer.base);
            let is_ours = |at: usize| range.contains(&(base + at as u64));
            let rendered: Vec<(B, Stats)> = mended
                .into_par_iter()
                .map(|chunk| {
                    let mut batch = new();
                    let mut stats = Stats::default();
                    let mut lines = chunk.lines;
                    for event in chunk.events {
                        match event {
                            Event::Refused(at, refusal) => stats.refuse(refusal, is_ours(at)),
                            Event::Found(hit) => {
                                for raw in matches_of(hit).filter(|raw| is_ours(raw.start)) {
                                    stats.matches += 1;
                                    let offset = base + raw.start as u64;
                                    let position = lines.as_mut().map(|lines| lines.position(bytes, base, offset));
                                    batch.add(&Match::new(bytes, base, raw, position, self.options()));
                                }
                            }
                        }
                    }
                    (batch, stats)
                })
                .collect();
            for (batch, found) in rendered {
                stats.add(&found);
                stats.bytes = buffer.read;
                if deliver(batch)?.is_break() {
                    return Ok(stats);
                }
            }
            read?;
            if window_is_done(&buffer, end, &range) {
                return Ok(stats);
            }
            let gone = end.saturating_sub(LOOKBEHIND);
            buffer.drop_front(gone);
            (from, pos) = (end - gone, pos.saturating_sub(gone));
        }
    }

    /// Searches the chunks of `range`, each as if nothing stood before it.
    fn search_chunks(&self, window: Window<'_>, base: u64, range: Range<usize>) -> Vec<Chunk> {
        let count = range.len().div_ceil(self.chunk_size());
        (0..count)
            .into_par_iter()
            .map(|i| {
                let start = range.start + i * self.chunk_size();
                let end = range.end.min(start + self.chunk_size());
                Chunk {
                    events: search(self.options(), window, start..end),
                    breaks: self
                        .counts_lines()
                        .then(|| LineBreaks::count(&window.text[start..end], base + start as u64)),
                    range: start..end,
                }
            })
            .collect()
    }
}

fn window_is_done<R>(buffer: &Buffer<R>, end: usize, range: &Range<u64>) -> bool {
    let at = buffer.base + end as u64;
    at >= range.end || buffer.is_last && end == buffer.bytes().len()
}

fn matches_of(hit: Hit) -> impl Iterator<Item = RawMatch> {
    std::iter::once(hit.first).chain(hit.rest)
}

/// Everything that starts in `range`.
fn search(options: Options, window: Window<'_>, range: Range<usize>) -> Vec<Event> {
    let mut search = Search::new(options, range.start);
    let mut events = Vec::new();
    while let Step::Event(event) = search.step(window, range.end) {
        events.push(event);
    }
    events
}

/// What was found in a chunk.
struct Chunk {
    range: Range<usize>,
    breaks: Option<LineBreaks>,
    events: Vec<Event>,
}

/// A chunk after the stitch, and where its lines begin.
struct Mended {
    events: Vec<Event>,
    lines: Option<Lines>,
}

/// Restores leftmost-first without overlap over chunks that were searched apart.
///
/// Dropping the matches that overlap is not enough: a match that is dropped may have hidden another one, which comes to
/// light. That happens rarely, and in chains.
struct Stitch<'t> {
    options: Options,
    window: Window<'t>,
    /// The end of the last match that was taken.
    pos: usize,
}

impl Stitch<'_> {
    fn mend(&mut self, chunk: Chunk) -> Vec<Event> {
        // Almost always the chunk stands as it was found.
        let Some(first) = chunk.events.first() else { return chunk.events };
        if first.start() >= self.pos {
            self.pos = last_end(&chunk.events).unwrap_or(self.pos);
            return chunk.events;
        }
        let mut mended = Vec::with_capacity(chunk.events.len());
        let mut rest = chunk.events.into_iter().peekable();
        loop {
            // What was dropped had hidden everything up to here.
            let mut dark = self.pos;
            while let Some(event) = rest.next_if(|event| event.start() < self.pos) {
                if let Event::Found(hit) = event {
                    dark = dark.max(hit.end());
                }
            }
            let survivor = rest.peek().map_or(chunk.range.end, Event::start);
            let found = search(self.options, self.window, self.pos..dark.min(survivor).max(self.pos));
            if let Some(end) = last_end(&found) {
                self.pos = end;
                mended.extend(found);
                continue; // which may hide what survived
            }
            mended.extend(found);
            break;
        }
        mended.extend(rest);
        self.pos = self.pos.max(last_end(&mended).unwrap_or(0));
        mended
    }
}

/// The end of the last match.
fn last_end(events: &[Event]) -> Option<usize> {
    events.iter().rev().find_map(|event| match event {
        Event::Found(hit) => Some(hit.end()),
        Event::Refused(..) => None,
    })
}
