//! A stream: a buffer that rolls over the input, and the same search over it.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use crate::bytes::limits::SCHEME_RUN;
use crate::drive::lines::Lines;
use crate::drive::sync::sync_point;
use crate::drive::{Checkpoint, Extractor, Match, Section, Stats};
use crate::find::{Event, LONGEST_SPAN, LOOKAHEAD, LOOKBEHIND, MARGIN, Options, Pause, RawMatch, Search, Window};

/// What a search can have to keep of the window when it asks for more.
const KEPT: usize = LOOKBEHIND + LOOKAHEAD + 2 * (SCHEME_RUN + 2);
/// The most that is read into an empty buffer.
const FIRST_READ: usize = 64 << 10;

/// The part of an input that is in memory.
///
/// The reader writes straight into it: the room for that is zeroed once, when the buffer grows to it, and used again
/// and again. (`take().read_to_end()` into a `Vec` needs no zeros, but feels its way with ever larger reads, each time
/// anew.)
#[derive(Debug)]
pub(crate) struct Buffer<R> {
    reader: R,
    /// Input up to `filled`, and beyond it what was there before.
    storage: Vec<u8>,
    filled: usize,
    /// Offset of the first byte in the input.
    pub(crate) base: u64,
    /// The input ends with the buffer.
    pub(crate) is_last: bool,
    /// Bytes read, in all.
    pub(crate) read: u64,
}

impl<R: Read> Buffer<R> {
    pub(crate) fn new(reader: R, base: u64) -> Self {
        Buffer { reader, storage: Vec::new(), filled: 0, base, is_last: false, read: 0 }
    }

    /// Asks the reader once, for at most `most` bytes. What it gives is what there is: a pipe that pauses does not hold
    /// back what can be found by then. The storage no more than doubles, so that a small input has a small one.
    pub(crate) fn read(&mut self, most: usize) -> io::Result<()> {
        let free = self.storage.len() - self.filled;
        let end = self.filled + most.min(free.max(self.filled).max(FIRST_READ));
        if self.storage.len() < end {
            self.storage.resize(end, 0);
        }
        let got = loop {
            match self.reader.read(&mut self.storage[self.filled..end]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                got => break got?,
            }
        };
        self.filled += got;
        self.read += got as u64;
        self.is_last = got == 0;
        Ok(())
    }

    /// Appends `more` bytes, or what is left of the input.
    ///
    /// After an error what was read is kept, so that the call can be repeated.
    pub(crate) fn fill(&mut self, more: usize) -> io::Result<()> {
        let end = self.filled + more;
        while self.filled < end && !self.is_last {
            self.read(end - self.filled)?;
        }
        Ok(())
    }
}

impl<R> Buffer<R> {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[..self.filled]
    }

    /// Gives up the first `by` bytes.
    pub(crate) fn drop_front(&mut self, by: usize) {
        self.storage.copy_within(by..self.filled, 0);
        self.filled -= by;
        self.base += by as u64;
    }

    /// Goes on in another storage, without the first `by` bytes; hands out the text as it was: a storage, and how much
    /// of it is text.
    #[cfg(feature = "parallel")]
    pub(crate) fn move_on(&mut self, by: usize, mut storage: Vec<u8>) -> (Vec<u8>, usize) {
        let kept = &self.storage[by..self.filled];
        if storage.len() < kept.len() {
            storage.resize(kept.len(), 0);
        }
        storage[..kept.len()].copy_from_slice(kept);
        let filled = std::mem::replace(&mut self.filled, kept.len());
        self.base += by as u64;
        (std::mem::replace(&mut self.storage, storage), filled)
    }

    pub(crate) fn window(&self) -> Window<'_> {
        Window { text: self.bytes(), is_last: self.is_last }
    }

    /// Where an offset of the input lies in the buffer, or would.
    pub(crate) fn local(&self, offset: u64) -> usize {
        usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX)
    }
}

/// A buffer that begins where the search for a section must, and where in it the search begins (P4).
///
/// With `lines`, the lines before the buffer are counted too, for which the input is read from its start, unless a
/// checkpoint tells them.
pub(crate) fn seek<R: Read + Seek>(
    extractor: &Extractor,
    mut reader: R,
    section: &Section,
    mut lines: Option<&mut Lines>,
) -> io::Result<(Buffer<R>, usize)> {
    let mut back = (2 * LONGEST_SPAN + LOOKBEHIND) as u64;
    let size = reader.seek(SeekFrom::End(0))?;
    let start = section.range.start.min(size);
    let (mut buffer, from) = loop {
        let base = start.saturating_sub(back);
        reader.seek(SeekFrom::Start(base))?;
        let mut buffer = Buffer::new(reader, base);
        let at = buffer.local(start);
        buffer.fill(at + LOOKAHEAD)?;
        let floor = if base == 0 { 0 } else { LOOKBEHIND };
        match sync_point(extractor, buffer.bytes(), at.min(buffer.bytes().len()), floor) {
            Some(from) => break (buffer, from),
            None => reader = buffer.reader,
        }
        back *= 2;
    };
    if let (Some(lines), Some(checkpoint)) = (lines.as_deref_mut(), section.checkpoint) {
        let at = buffer.local(start).min(buffer.bytes().len());
        *lines = lines.before(checkpoint, &buffer.bytes()[..at], buffer.base);
    } else if let Some(lines) = lines {
        let (resume, from) = (buffer.base + buffer.bytes().len() as u64, buffer.base);
        buffer.reader.seek(SeekFrom::Start(0))?;
        let mut before = Buffer::new(&mut buffer.reader, 0);
        while before.base < from {
            let more = (from - before.base).min(extractor.chunk_size() as u64);
            before.read(more as usize)?;
            let read = before.bytes().len();
            if read == 0 {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "the input shrank while its lines were counted"));
            }
            lines.advance(before.bytes(), before.base, before.base + read as u64);
            before.drop_front(read);
        }
        buffer.reader.seek(SeekFrom::Start(resume))?;
    }
    Ok((buffer, from))
}

/// The matches of a stream. Made by [`Extractor::stream`].
///
/// It holds at most about 700 KiB and a chunk ([`chunk_size`](crate::ExtractorBuilder::chunk_size)), however long the
/// input and its lines are. A match is known when the 90 KiB after it have been read, or the input ends.
#[derive(Debug)]
pub struct Stream<R> {
    buffer: Buffer<R>,
    chunk_size: usize,
    search: Search,
    /// Offsets of the input.
    range: Range<u64>,
    parts: std::vec::IntoIter<RawMatch>,
    lines: Option<Lines>,
    /// Counted up to a place so far before the end, wherever that will be, that all before is final.
    settled: Option<Lines>,
    options: Options,
    stats: Stats,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(extractor: &Extractor, reader: R) -> Self {
        Self::at(extractor, Buffer::new(reader, 0), 0, 0..u64::MAX, extractor.lines())
    }

    pub(crate) fn at(
        extractor: &Extractor,
        buffer: Buffer<R>,
        from: usize,
        range: Range<u64>,
        lines: Option<Lines>,
    ) -> Self {
        Stream {
            buffer,
            chunk_size: extractor.chunk_size(),
            search: Search::new(extractor.options(), from),
            range,
            parts: Vec::new().into_iter(),
            lines,
            settled: lines,
            options: extractor.options(),
            stats: Stats::default(),
        }
    }

    /// The next match, which borrows the stream's buffer; `None` at the end.
    ///
    /// # Errors
    ///
    /// What the reader reports. Nothing is lost: the call can be repeated.
    #[allow(clippy::should_implement_trait)] // a lending iterator is no Iterator
    pub fn next(&mut self) -> io::Result<Option<Match<'_>>> {
        let Some(raw) = self.next_raw()? else { return Ok(None) };
        self.stats.matches += 1;
        let (bytes, base) = (self.buffer.bytes(), self.buffer.base);
        let position = self.lines.as_mut().map(|lines| lines.position(bytes, base, base + raw.start as u64));
        Ok(Some(Match::new(bytes, base, raw, position, self.options)))
    }

    /// Hands over the next matches one by one, until `found` says stop or the input ends: what a loop over
    /// [`next`](Self::next) does, but in the search's own loop, which on text full of URLs takes a sixth less time.
    ///
    /// # Errors
    ///
    /// As [`next`](Self::next): the call can be repeated.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mut urls = Vec::new();
    /// urlgrep::Extractor::new().stream(&b"http://a.example/ http://b.example/ http://c.example/"[..]).try_for_each(|found| {
    ///     urls.push(found.url().to_string());
    ///     if urls.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!(urls, ["http://a.example/", "http://b.example/"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn try_for_each(
        &mut self,
        mut found: impl FnMut(&Match<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        loop {
            while self.parts.len() > 0 {
                let Some(part) = self.next()? else { return Ok(ControlFlow::Continue(())) };
                if found(&part).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            let Stream { buffer, search, range, parts, lines, options, stats, .. } = self;
            let (bytes, base) = (buffer.bytes(), buffer.base);
            let is_ours = |at: usize| range.contains(&(base + at as u64));
            let mut flow = ControlFlow::Continue(());
            let pause = search.run(buffer.window(), buffer.local(range.end), |event| match event {
                Event::Refused(at, refusal) => {
                    stats.refuse(refusal, is_ours(at));
                    flow
                }
                Event::Found(hit) => {
                    if is_ours(hit.first.start) {
                        stats.matches += 1;
                        let start = base + hit.first.start as u64;
                        let position = lines.as_mut().map(|lines| lines.position(bytes, base, start));
                        flow = found(&Match::new(bytes, base, hit.first, position, *options));
                    }
                    if hit.rest.is_empty() {
                        return flow;
                    }
                    *parts = hit.rest.into_iter();
                    ControlFlow::Break(())
                }
            });
            match pause {
                _ if flow.is_break() => return Ok(flow),
                Pause::Stopped => {}
                Pause::NeedMore { keep_from } => self.refill(keep_from)?,
                Pause::End => {
                    self.finish();
                    return Ok(flow);
                }
            }
        }
    }

    /// What was read, found and refused so far.
    pub fn stats(&self) -> Stats {
        Stats { bytes: self.buffer.read, ..self.stats }
    }

    /// The lines counted up to the end of what was read.
    #[cfg(feature = "archive")]
    pub(crate) fn lines_to_end(mut self) -> Option<Lines> {
        let Buffer { base, filled, .. } = self.buffer;
        if let Some(lines) = &mut self.lines {
            lines.advance(self.buffer.bytes(), base, base + filled as u64);
        }
        self.lines
    }

    fn next_raw(&mut self) -> io::Result<Option<RawMatch>> {
        loop {
            while let Some(raw) = self.parts.next() {
                if self.is_ours(raw.start) {
                    return Ok(Some(raw));
                }
            }
            let end = self.buffer.local(self.range.end);
            match self.search.step(self.buffer.window(), end) {
                Ok(Event::Refused(at, refusal)) => self.stats.refuse(refusal, self.is_ours(at)),
                Ok(Event::Found(hit)) => {
                    self.parts = hit.rest.into_iter();
                    if self.is_ours(hit.first.start) {
                        return Ok(Some(hit.first));
                    }
                }
                Err(Pause::NeedMore { keep_from }) => self.refill(keep_from)?,
                Err(_) => {
                    self.finish();
                    return Ok(None);
                }
            }
        }
    }

    fn is_ours(&self, at: usize) -> bool {
        self.range.contains(&(self.buffer.base + at as u64))
    }

    fn refill(&mut self, keep_from: usize) -> io::Result<()> {
        let (bytes, base) = (self.buffer.bytes(), self.buffer.base);
        // The start of the margin stays, for the checkpoint, should the input end here.
        let margin = bytes.len().saturating_sub(MARGIN);
        // Moving what is kept costs its length: it moves when it is a quarter of the buffer at most.
        let gone = if bytes.len() > 4 * KEPT { keep_from.min(margin) } else { 0 };
        if let (Some(lines), Some(settled)) = (&mut self.lines, &mut self.settled) {
            lines.advance(bytes, base, base + gone as u64);
            if !lines.has_passed(base + margin as u64) {
                *settled = *lines; // so that hardly a line is counted twice
            }
            settled.advance(bytes, base, base + gone as u64);
        }
        if gone > 0 {
            self.buffer.drop_front(gone);
            self.search.shift(gone);
        }
        self.buffer.read(self.chunk_size)
    }

    /// Tells the checkpoint, if the input ends here.
    fn finish(&mut self) {
        let Stream { buffer, range, settled, stats, .. } = self;
        if buffer.is_last {
            stats.checkpoint = settled.and_then(|lines| Checkpoint::of_text(lines, buffer.bytes(), buffer.base, range));
        }
    }
}

impl<R: Read + Seek> Stream<R> {
    pub(crate) fn of_section(extractor: &Extractor, reader: R, section: Section) -> io::Result<Self> {
        let mut lines = extractor.lines();
        let (buffer, from) = seek(extractor, reader, &section, lines.as_mut())?;
        Ok(Self::at(extractor, buffer, from, section.range, lines))
    }
}
