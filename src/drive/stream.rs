//! The driver for a stream: a buffer that rolls over the input, and the search of that buffer.
//!
//! The search needs no reader, so a [`Feeder`](super::feeder::Feeder) is a stream without one.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use crate::bytes::roll::RollingBuffer;
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::match_loop::MatchLoop;
use crate::drive::matches::Match;
use crate::drive::section::Section;
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::sync::{FURTHEST, sync_point};
use crate::find::{LONGEST_SPAN, LOOKAHEAD, LOOKBEHIND, MARGIN, Pause, RawMatch, Window};

impl Extractor {
    /// Returns the matches in a stream of any length, in bounded memory.
    ///
    /// The stream lends its matches, so it is not an `Iterator`:
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
        let lines = self.lines();
        Stream::new(self, RollingBuffer::new(reader, 0), 0, 0..u64::MAX, lines)
    }

    /// Returns the matches of a stream whose span starts in a range, or at or after a
    /// [`Checkpoint`](crate::Checkpoint). A range selects matches as in
    /// [`find_range`](Self::find_range).
    ///
    /// With line numbers, all bytes before a range are read once, to count their lines. A
    /// checkpoint already has that count.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader, or `UnexpectedEof` if the input shrinks while its lines are
    /// counted.
    pub fn stream_range<R: Read + Seek>(&self, reader: R, section: impl Into<Section>) -> io::Result<Stream<R>> {
        let section = section.into();
        let mut lines = self.lines();
        let (buffer, from) = seek(self, reader, &section, lines.as_mut())?;
        Ok(Stream::new(self, buffer, from, section.range, lines))
    }
}

/// Returns a buffer that begins early enough for the search of a section (P4). Also returns the
/// start of the search in that buffer.
///
/// With `lines`, it also counts the lines before the buffer. This reads the input from its start,
/// unless a checkpoint has the count.
pub(crate) fn seek<R: Read + Seek>(
    extractor: &Extractor,
    mut reader: R,
    section: &Section,
    lines: Option<&mut Lines>,
) -> io::Result<(RollingBuffer<R>, usize)> {
    // Room for the first block of `sync_point`, and for the look-back before its `bound`.
    let mut back = (2 * LONGEST_SPAN + LOOKBEHIND) as u64;
    let size = reader.seek(SeekFrom::End(0))?;
    let start = section.range.start.min(size);
    let (mut buffer, from) = loop {
        if back > FURTHEST as u64 {
            reader.seek(SeekFrom::Start(0))?;
            return Ok((RollingBuffer::new(reader, 0), 0)); // the search then counts all lines itself
        }
        let base = start.saturating_sub(back);
        reader.seek(SeekFrom::Start(base))?;
        let mut buffer = RollingBuffer::new(reader, base);
        let at = buffer.held().local(start);
        buffer.fill(at + LOOKAHEAD)?;
        let bound = if base == 0 { 0 } else { LOOKBEHIND };
        match sync_point(extractor, buffer.bytes(), at.min(buffer.bytes().len()), bound) {
            Some(from) => break (buffer, from),
            None => reader = buffer.reader,
        }
        back *= 2;
    };
    if let Some(lines) = lines {
        match section.checkpoint {
            Some(checkpoint) => {
                let before = buffer.held().local(start).min(buffer.bytes().len());
                *lines = lines.before(checkpoint, &buffer.bytes()[..before], buffer.held().base);
            }
            None => count_lines(&mut buffer, extractor.chunk_size(), lines)?,
        }
    }
    Ok((buffer, from))
}

/// Counts the lines before a buffer, then returns the buffer's reader to its position.
fn count_lines<R: Read + Seek>(buffer: &mut RollingBuffer<R>, chunk: usize, lines: &mut Lines) -> io::Result<()> {
    let (from, resume) = (buffer.held().base, buffer.held().end());
    buffer.reader.seek(SeekFrom::Start(0))?;
    let mut before = RollingBuffer::new(&mut buffer.reader, 0);
    while before.held().base < from {
        before.read(chunk.min(usize::try_from(from - before.held().base).unwrap_or(usize::MAX)))?;
        let read = before.bytes().len();
        if read == 0 {
            return Err(io::Error::new(ErrorKind::UnexpectedEof, "the input shrank while its lines were counted"));
        }
        lines.advance(before.bytes(), before.held().base, before.held().end());
        before.drop_front(read);
    }
    buffer.reader.seek(SeekFrom::Start(resume))?;
    Ok(())
}

/// The reason why [`Stream::try_for_each_known`], or a call that fills a sink, returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Halt {
    /// The caller stopped the search.
    Stopped,
    /// The input pauses. The next call reads more.
    Paused,
    /// The input has ended.
    Ended,
}

/// The matches of a stream. Made by [`Extractor::stream`].
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// let log = std::io::Cursor::new("GET http://a.example/\nGET http://b.example/\n");
/// let mut stream = urlgrep::Extractor::new().stream(log);
/// while let Some(found) = stream.next()? {
///     println!("{:>8} {found}", found.span().start);
/// }
/// assert_eq!(stream.stats().matches, 2);
/// # Ok(())
/// # }
/// ```
///
/// A stream holds at most about 700 KiB and a chunk
/// ([`chunk_size`](crate::ExtractorBuilder::chunk_size)), however long the input and its lines are.
///
/// # When a match is returned
///
/// The stream reads more text only if a rule needs a byte that is not in the buffer yet (ST-5). The
/// input pauses if a read returns less than requested, and less than 64 KiB, which a full pipe
/// holds. Every decided match is then returned before the next read. So the matches of a slow input
/// are returned while it is written. A pause changes only the time of a match, never the match.
///
/// Most matches are decided by the byte after them. At the end of a line, the next line decides:
/// often its first word, at most all of it. If that line may continue the URL, B-JOIN also weighs
/// later lines, and they decide.
///
/// A URL in brackets is decided by the closing bracket and the character after it. If it spans
/// several lines, it is decided by the end of the closing bracket's line. An unclosed bracket, or a
/// possible escape of a manual page, makes a match wait for some KiB. No match waits for more than
/// 33 KiB, because neither a rule nor an excerpt needs more.
#[derive(Debug)]
pub struct Stream<R> {
    pub(super) buffer: RollingBuffer<R>,
    chunk_size: usize,
    line_ends_after: Option<usize>,
    /// Whether the current pause was reported to the caller.
    has_paused: bool,
    /// The range of the wanted matches, in offsets of the input.
    range: Range<u64>,
    matches: MatchLoop,
    /// The line count from which the checkpoint is computed. Its current line begins before the
    /// last [`MARGIN`] bytes. All matches before those bytes are final, wherever the input ends.
    settled: Option<Lines>,
}

impl<R: Read> Stream<R> {
    /// Returns the next match, which borrows the stream's buffer. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader. Nothing is lost: the call can be repeated.
    #[allow(clippy::should_implement_trait)] // a lending iterator is not an `Iterator`
    pub fn next(&mut self) -> io::Result<Option<Match<'_>>> {
        let raw = loop {
            match self.search_next() {
                (Pause::NeedMore { keep_from }, _) => self.refill(keep_from)?,
                (_, raw) => break raw,
            }
        };
        Ok(raw.map(|raw| self.matched(raw)))
    }

    /// Passes the next matches to `found`, until `found` breaks or the input ends. This does the
    /// work of a loop over [`next`](Self::next), but inside the search's own loop. On text full of
    /// URLs, this takes a sixth less time.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader, as [`next`](Self::next) does. The call can be repeated.
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
        self.run(|matches, window, base, end| matches.each_match(window, base, end, |one| found(&one)))
    }

    /// Passes the next matches to `found`, like [`try_for_each`](Self::try_for_each), but also
    /// returns when the input pauses. By then it has passed on every decided match. So a caller
    /// that collects matches can forward them before the next read, which may block for long.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader, as [`next`](Self::next) does. The call can be repeated.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urlgrep::Halt;
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mut stream = urlgrep::Extractor::new().stream(&b"http://a.example/ and more"[..]);
    /// let mut urls = Vec::new();
    /// loop {
    ///     let halt = stream.try_for_each_known(|found| {
    ///         urls.push(found.url().to_string());
    ///         ControlFlow::Continue(())
    ///     })?;
    ///     match halt {
    ///         Halt::Paused => println!("{urls:?} so far"),
    ///         Halt::Stopped | Halt::Ended => break,
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn try_for_each_known(&mut self, mut found: impl FnMut(&Match<'_>) -> ControlFlow<()>) -> io::Result<Halt> {
        self.run_known(|matches, window, base, end| matches.each_match(window, base, end, |one| found(&one)))
    }

    /// Adds the next matches to a sink, until `is_done` returns true or the input pauses or ends.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader, as [`next`](Self::next) does. The call can be repeated.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// let mut stream = urlgrep::Extractor::new().stream(&b"http://a.example/ http://b.example/"[..]);
    /// let mut found = Vec::new();
    /// assert_eq!(stream.fill(&mut found, |found| found.len() == 1)?, urlgrep::Halt::Stopped);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fill<S: Sink>(&mut self, sink: &mut S, is_done: impl Fn(&S) -> bool) -> io::Result<Halt> {
        self.run_known(|matches, window, base, end| matches.fill(window, base, end, sink, &is_done))
    }

    /// Searches window after window, until `search` stops or the input ends.
    #[inline(always)]
    pub(crate) fn run(
        &mut self,
        mut search: impl FnMut(&mut MatchLoop, Window<'_>, u64, usize) -> Pause,
    ) -> io::Result<ControlFlow<()>> {
        loop {
            match self.run_known(&mut search)? {
                Halt::Stopped => return Ok(ControlFlow::Break(())),
                Halt::Paused => {}
                Halt::Ended => return Ok(ControlFlow::Continue(())),
            }
        }
    }

    /// Searches like [`run`](Self::run), but also returns when the input pauses.
    #[inline(always)]
    fn run_known(
        &mut self,
        mut search: impl FnMut(&mut MatchLoop, Window<'_>, u64, usize) -> Pause,
    ) -> io::Result<Halt> {
        loop {
            let base = self.buffer.held().base;
            let (window, end) = at_hand(&self.buffer, &self.range, self.line_ends_after);
            match search(&mut self.matches, window, base, end) {
                Pause::Stopped => return Ok(Halt::Stopped),
                // Each pause is reported once. A second report before a read would keep the caller
                // from proceeding.
                Pause::NeedMore { .. } if window.pause.is_some() && !self.has_paused => {
                    self.has_paused = true;
                    return Ok(Halt::Paused);
                }
                Pause::NeedMore { keep_from } => self.refill(keep_from)?,
                Pause::End => {
                    self.finish();
                    return Ok(Halt::Ended);
                }
            }
        }
    }

    /// Reads more of the input, once the text in the buffer has been searched.
    fn refill(&mut self, keep_from: usize) -> io::Result<()> {
        self.make_room(keep_from);
        self.buffer.read(self.chunk_size)
    }
}

/// The methods that need no reader.
impl<R> Stream<R> {
    /// Returns a stream whose search begins at `from`, an index in the buffer.
    pub(crate) fn new(
        extractor: &Extractor,
        buffer: RollingBuffer<R>,
        from: usize,
        range: Range<u64>,
        lines: Option<Lines>,
    ) -> Self {
        let matches = MatchLoop::new(extractor, from, range.clone(), lines);
        let (chunk_size, line_ends_after) = (extractor.chunk_size(), extractor.line_ends_after());
        Stream { buffer, chunk_size, line_ends_after, has_paused: false, range, matches, settled: lines }
    }

    /// Searches the buffer for the next match. If there is none, the [`Pause`] states whether the
    /// input has ended or more text is needed.
    pub(super) fn search_next(&mut self) -> (Pause, Option<RawMatch>) {
        let (window, end) = at_hand(&self.buffer, &self.range, self.line_ends_after);
        let mut next = None;
        let mut first = |raw| {
            next = Some(raw);
            ControlFlow::Break(())
        };
        let pause = self.matches.run(window, self.buffer.held().base, end, &mut first);
        if pause == Pause::End {
            self.finish();
        }
        (pause, next)
    }

    /// Returns the match that the search has just found.
    pub(super) fn matched(&mut self, raw: RawMatch) -> Match<'_> {
        self.matches.matched(self.buffer.bytes(), self.buffer.held().base, raw)
    }

    /// Returns the counts of what was read, found and refused so far.
    pub fn stats(&self) -> Stats {
        Stats { bytes: self.buffer.bytes_read(), ..self.matches.stats }
    }

    /// Returns an offset of the input before which every match has been returned. At a pause, only
    /// undecided text and the last word lie after this offset: a match may yet begin there.
    pub fn searched(&self) -> u64 {
        let held = self.buffer.held();
        held.base + self.matches.unsearched(held.bytes()) as u64
    }

    /// Returns the count of lines up to the end of the text that was read.
    pub(crate) fn lines_to_end(self) -> Option<Lines> {
        let held = self.buffer.held();
        let mut lines = self.matches.lines?;
        lines.advance(held.bytes(), held.base, held.end());
        Some(lines)
    }

    /// Drops the text that no search reads any more, before more of the input is added.
    pub(super) fn make_room(&mut self, keep_from: usize) {
        self.has_paused = false;
        let (bytes, base) = (self.buffer.bytes(), self.buffer.held().base);
        // If the input ends here, the checkpoint is the start of the line where the margin begins.
        let margin = bytes.len().saturating_sub(MARGIN);
        let unread = if self.settled.is_some() { keep_from.min(margin) } else { keep_from };
        // Moving the kept text takes time in proportion to its length. So it moves only if it is
        // less than a quarter of the buffer.
        let gone = if bytes.len() > 4 * (bytes.len() - unread) { unread } else { 0 };
        if let (Some(lines), Some(settled)) = (&mut self.matches.lines, &mut self.settled) {
            lines.advance(bytes, base, base + gone as u64);
            if !lines.has_passed(base + margin as u64) {
                *settled = *lines; // so that few lines are counted twice
            }
            settled.advance(bytes, base, base + gone as u64);
        }
        if gone > 0 {
            self.buffer.drop_front(gone);
            self.matches.shift(gone);
        }
    }

    /// Sets the checkpoint if the input ends here.
    fn finish(&mut self) {
        let held = self.buffer.held();
        if self.buffer.is_last && !held.is_damaged() {
            self.matches.stats.checkpoint =
                self.settled.and_then(|lines| lines.checkpoint_of_text(held.bytes(), held.base, &self.range));
        }
    }
}

/// Returns the window of a buffer, and the end of the range in it.
fn at_hand<'b, R>(
    buffer: &'b RollingBuffer<R>,
    range: &Range<u64>,
    line_ends_after: Option<usize>,
) -> (Window<'b>, usize) {
    let pause = line_ends_after.filter(|_| buffer.is_paused);
    (Window::of(buffer.held(), buffer.is_last, pause), buffer.held().local(range.end))
}
