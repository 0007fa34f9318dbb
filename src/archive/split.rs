//! Splits an archive into messages while it is read, with the exact offset of each.
//!
//! # Where a message begins
//!
//! In an mbox at a separator: a `From ` line, as [`separator::mbox`] has it, after an empty line or at the start of the
//! input. In an rnews batch at a line `#! rnews 1234` (RFC 1036, section 4.3). Every other `From ` line is text. Software
//! always writes the empty line: of 6,900 separators one had none, in a file that somebody had cut by hand, and
//! without that rule a mailbox in a listing or a dialogue of SMTP in a text is taken for the real thing.
//!
//! Both formats may say how long a message is: a batch by its nature, an mboxcl by `Content-Length`. Such a claim is
//! *proved* if another separator stands exactly where it ends (in an mbox up to two line breaks later), or the input ends
//! there. A proved claim hides the separators within it, which are those of a mailbox that somebody has sent. Any other
//! claim is ignored: the message goes on to the next separator.
//!
//! A claim reaches at most [`MESSAGE_CAP`] from its separator, else it is not looked into. And a hidden separator's claim
//! counts like any other. It follows that whether a message begins at an offset is decided by the [`MESSAGE_CAP`] bytes
//! before it and the bytes about as far behind it, never by how the input came in chunks.
//!
//! # What comes out
//!
//! Pieces, which follow one another without a gap, so that nothing is lost: what stands before the first separator is a
//! piece without one (and may be a message all the same), and the empty line before a separator belongs to the message
//! above. Whole ones come in batches of about half a MiB, in buffers that can be handed to another thread and come back. A
//! piece longer than [`MESSAGE_CAP`] is never held: it is handed out as a reader.
//!
//! Memory is at most twice [`MESSAGE_CAP`] and some MiB, which takes a claim of that length in a message of that length;
//! for the mail of this world it is a buffer of 0.6 MiB, and those that are under way.

pub(crate) mod enclosed;
pub(crate) mod separator;

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::mem;
use std::ops::Range;

use memchr::memmem;

use crate::archive::recognise::Container;
use crate::bytes::simd::Backend;
use separator::{HEADER_LOOK, MBOX_LOOK, RNEWS_LOOK};

/// A longer piece, separator included, is not held in memory. Of 13,700 messages in archives the longest has 226 kB;
/// what reaches the cap is a large attachment. Decoding takes up to seven times as much for text that is made to hurt, and
/// 128 MiB is what a search of mail may take.
pub(crate) const MESSAGE_CAP: usize = 12 << 20;
/// Messages come in batches that are about as long. Smaller ones cost more than they spread the work; of ones of a MiB, two
/// do not stay in a core's cache, and a search on one thread took 4% longer (2026-11).
const BATCH: usize = 512 << 10;
/// The most that is read into an empty buffer.
const FIRST_READ: usize = 64 << 10;
/// Before a separator's line: its empty line, CRLF and all.
const CONTEXT: usize = 4;

/// What was said about a piece's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    Unsaid,
    Proved,
    /// Something else than a separator stands where the piece was said to end.
    Ignored,
}

/// One message, or what stands before the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Of the message in the input, from 1.
    pub(crate) number: Option<u64>,
    /// The separator's line in the batch's bytes; empty if there is none.
    pub(crate) separator: Range<usize>,
    /// The message in the batch's bytes.
    pub(crate) message: Range<usize>,
    pub(crate) length: Length,
    /// It may hold lines that are marked as no separators (`>From `).
    pub(crate) is_stuffed: bool,
    /// Where in the message the body begins, if that is known to need no decoding.
    pub(crate) plain_body: Option<usize>,
}

/// Whole pieces, one after the other.
#[derive(Debug)]
pub(crate) struct Batch {
    storage: Vec<u8>,
    filled: usize,
    /// Offset of the bytes in the input.
    pub(crate) base: u64,
    pub(crate) pieces: Vec<Piece>,
}

impl Batch {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.storage[..self.filled]
    }
}

/// What a splitter gives.
#[derive(Debug)]
pub(crate) enum Part {
    Batch(Batch),
    /// To be read with [`Splitter::oversize`]: all of it, the separator too.
    Oversize {
        /// Offset of its first byte in the input.
        base: u64,
        /// Of the message in the input, from 1.
        number: Option<u64>,
    },
}

/// Where a piece begins. Offsets of the input.
#[derive(Debug, Clone, Copy)]
struct Cut {
    start: u64,
    /// After the separator.
    message: u64,
    length: Length,
    is_stuffed: bool,
    plain_body: Option<usize>,
}

/// A message in an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Offset of its separator.
    pub(crate) offset: u64,
    /// Messages before it.
    pub(crate) messages: u64,
}

/// Splits an input.
pub(crate) struct Splitter<R> {
    reader: R,
    backend: Backend,
    lines: Option<Lines>,
    /// Offset in the input of the first byte that is read.
    start: u64,
    range: Range<u64>,
    /// Input up to `filled`, and beyond it what was there before.
    storage: Vec<u8>,
    filled: usize,
    /// Offset of the first byte in the buffer.
    base: u64,
    /// The input ends with the buffer, or cannot be read on.
    is_last: bool,
    failure: Option<io::Error>,
    /// The piece that comes next, or is being read.
    current: Cut,
    /// Separators before it, its own included.
    count: u64,
    is_oversize: bool,
    /// Bytes at the start of the buffer that an oversize piece has given.
    given: usize,
    /// Where the following ones begin.
    cuts: VecDeque<Cut>,
    /// No separator begins before this offset but those that are known. Or: the next one does, and waits for more input.
    settled: u64,
    is_waiting: bool,
    /// A decision needs the input up to here.
    wanted: u64,
    /// Separators before this are within a proved claim.
    hidden_until: u64,
    /// The first message whose end may change if the input grows, though others follow: a claim, its own or one within it,
    /// reaches the end of the input.
    open: Option<Mark>,
    /// The last message that begins before all of which the end may change, as far as pieces were given.
    settled_at: Mark,
    spare: Vec<Vec<u8>>,
}

/// The kind of line at which messages begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    Mbox,
    Rnews,
}

impl Lines {
    /// What is searched for.
    fn needle(self) -> &'static [u8] {
        match self {
            Lines::Mbox => b"From ",
            Lines::Rnews => b"#! rnews ",
        }
    }
}

/// What becomes of a place that looks like a separator.
enum Decision {
    /// It is none.
    Text,
    Separator {
        /// Length of its line.
        line: usize,
        length: Length,
        /// Where its claim ends, if that is proved.
        hides: u64,
        /// Its claim may be decided otherwise if the input grows.
        is_open: bool,
        plain_body: Option<usize>,
    },
    /// It takes the input up to this offset.
    Wait(u64),
}

impl<R: Read> Splitter<R> {
    /// A message and a text are one piece, and so is what is no container of messages.
    pub(crate) fn new(reader: R, container: Container) -> Self {
        let lines = match container {
            Container::Mbox => Some(Lines::Mbox),
            Container::Rnews => Some(Lines::Rnews),
            _ => None,
        };
        Splitter {
            reader,
            backend: Backend::detect(),
            lines,
            start: 0,
            range: 0..u64::MAX,
            storage: Vec::new(),
            filled: 0,
            base: 0,
            is_last: false,
            failure: None,
            current: Cut { start: 0, message: 0, length: Length::Unsaid, is_stuffed: false, plain_body: None },
            count: 0,
            is_oversize: false,
            given: 0,
            cuts: VecDeque::new(),
            settled: 0,
            is_waiting: false,
            wanted: 0,
            hidden_until: 0,
            open: None,
            settled_at: Mark { offset: 0, messages: 0 },
            spare: Vec::new(),
        }
    }

    /// Looks at bytes in this way.
    pub(crate) fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Gives only the pieces whose first byte is in these bytes.
    pub(crate) fn within(mut self, range: Range<u64>) -> Self {
        self.range = range;
        self
    }

    /// The reader begins at a message's separator, and not with the input.
    pub(crate) fn starting_at(mut self, mark: Mark) -> Self {
        let Mark { offset, messages } = mark;
        (self.start, self.base, self.settled) = (offset, offset, offset);
        (self.current.start, self.current.message) = (offset, offset);
        (self.count, self.settled_at) = (messages, mark);
        self
    }

    /// The message from which on a longer input must be split anew, as far as pieces were given: the last one, or the first
    /// whose claimed length reaches the end of the input.
    pub(crate) fn settled_at(&self) -> Mark {
        self.settled_at
    }

    /// All of the input was read and given.
    pub(crate) fn has_ended(&self) -> bool {
        !self.is_oversize && self.is_last && self.current.start == self.end()
    }

    /// Nothing comes any more.
    pub(crate) fn is_done(&self) -> bool {
        !self.is_oversize && (self.current.start >= self.range.end || self.is_last && self.current.start == self.end())
    }

    /// Whether the reader failed. What it gave before has been delivered then.
    pub(crate) fn result(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// How many bytes of the input were read.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.end() - self.start
    }

    pub(crate) fn recycle(&mut self, batch: Batch) {
        // One that had grown for a long message is not worth keeping.
        if batch.storage.len() <= 4 * BATCH {
            self.spare.push(batch.storage);
        }
    }

    /// Reads once, if it must, and gives the next part if it is complete then: a pipe is not waited for while there is
    /// something to deliver.
    pub(crate) fn advance(&mut self) -> Option<Part> {
        if mem::take(&mut self.is_oversize) {
            // Nobody wanted the rest of it.
            self.is_oversize = self.skip();
            return None;
        }
        if self.is_done() {
            return None;
        }
        let part = self.cut();
        if part.is_some() || self.is_last {
            return part;
        }
        let whole = BATCH + HEADER_LOOK + MBOX_LOOK;
        self.read(whole.saturating_sub(self.filled).max(FIRST_READ));
        self.cut()
    }

    /// The bytes of the part that is oversize.
    pub(crate) fn oversize(&mut self) -> Oversize<'_, R> {
        Oversize { splitter: self }
    }

    /// Offset of the end of the buffer.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.filled as u64
    }

    fn local(&self, offset: u64) -> usize {
        (offset - self.base) as usize
    }

    /// Asks the reader once, for at most `most` bytes, and looks for separators in what it gives.
    fn read(&mut self, most: usize) {
        // The storage no more than doubles, so that a small input has a small one.
        let free = self.storage.len() - self.filled;
        let end = self.filled + most.min(free.max(self.filled).max(FIRST_READ));
        if self.storage.len() < end {
            self.storage.resize(end, 0);
        }
        loop {
            match self.reader.read(&mut self.storage[self.filled..end]) {
                Ok(0) => self.is_last = true,
                Ok(got) => self.filled += got,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => (self.failure, self.is_last) = (Some(error), true),
            }
            break;
        }
        self.search();
    }

    /// Finds the separators in what was read, as far as that can be decided.
    fn search(&mut self) {
        let Some(lines) = self.lines else {
            self.settled = self.end();
            return;
        };
        if self.end() < self.wanted && !self.is_last {
            return;
        }
        let finder = memmem::Finder::new(lines.needle());
        loop {
            let text = &self.storage[..self.filled];
            let from = self.local(self.settled);
            let at = if self.is_waiting || self.settled == self.start && is_start(text, lines) {
                Some(from)
            } else {
                finder.find(&text[from..]).map(|found| from + found)
            };
            let Some(at) = at else {
                // The beginning of a needle may stand at the end, and the empty line before it.
                let kept = lines.needle().len() + CONTEXT;
                self.settled = match self.is_last {
                    true => self.end(),
                    false if self.settled == self.start && self.filled < kept => self.start,
                    false => self.settled.max(self.end().saturating_sub(kept as u64)),
                };
                return;
            };
            let start = self.base + at as u64;
            if at > 0 && text[at - 1] != b'\n' && !self.is_waiting {
                if text[at - 1] == b'>' {
                    self.cuts.back_mut().unwrap_or(&mut self.current).is_stuffed = true;
                }
                self.settled = start + 1;
                continue;
            }
            // Where it waits that was seen, and the line before may be gone.
            let may_be_one =
                self.is_waiting || lines == Lines::Rnews || is_after_empty_line(text, at, self.is_at_start());
            let mut passed = 1;
            match if may_be_one { self.decide(lines, at) } else { Decision::Text } {
                Decision::Wait(wanted) if !self.is_last => {
                    (self.settled, self.is_waiting, self.wanted) = (start, true, wanted);
                    return;
                }
                Decision::Separator { line, length, hides, is_open, plain_body } => {
                    if start >= self.hidden_until {
                        self.found(Cut { start, message: start + line as u64, length, is_stuffed: false, plain_body });
                    }
                    if is_open && self.open.is_none() {
                        // What may be hidden one day belongs to this message then, or to the one that hides it.
                        let around = self.cuts.back().unwrap_or(&self.current);
                        let messages = self.count + self.cuts.len() as u64 - 1;
                        self.open = Some(Mark { offset: around.start, messages });
                    }
                    self.hidden_until = self.hidden_until.max(hides);
                    // No message begins in a header.
                    passed = line + plain_body.unwrap_or(0);
                }
                _ => {}
            }
            self.settled = start + passed as u64;
            self.is_waiting = false;
        }
    }

    fn found(&mut self, cut: Cut) {
        if cut.start == self.current.start {
            // Nothing stands before the first separator.
            self.current = cut;
            self.count += 1;
        } else {
            self.cuts.push_back(cut);
        }
    }

    fn decide(&self, lines: Lines, at: usize) -> Decision {
        let text = &self.storage[..self.filled];
        let (base, is_last) = (self.base, self.is_last);
        let rest = &text[at..];
        let is_short = |at: usize, look: usize| text.len() < at.saturating_add(look) && !is_last;
        let wait = |at: usize, more: usize| Decision::Wait(base + at as u64 + more as u64);
        let mut plain_body = None;
        let (line, claim, look) = match lines {
            Lines::Mbox => {
                if is_short(at, MBOX_LOOK) {
                    return wait(at, MBOX_LOOK);
                }
                let mark = if at == 0 { mark(text) } else { 0 };
                let Some(line) = separator::mbox(&rest[mark..]) else { return Decision::Text };
                let header = mark + line;
                let Ok(fields) = separator::fields(&rest[header..], self.backend) else {
                    if is_last {
                        return Decision::Separator {
                            line: header,
                            length: Length::Unsaid,
                            hides: 0,
                            is_open: false,
                            plain_body: None,
                        };
                    }
                    // Twice as much each time: otherwise a pipe that gives single bytes has the header read again and
                    // again.
                    return wait(at, 2 * rest.len());
                };
                plain_body = fields.plain_body;
                let claim = fields.claim.map(|claim| (header + claim.body, claim.length));
                (header, claim, MBOX_LOOK + CONTEXT)
            }
            Lines::Rnews => {
                if is_short(at, RNEWS_LOOK) {
                    return wait(at, RNEWS_LOOK);
                }
                let mark = if at == 0 { mark(text) } else { 0 };
                let Some(claim) = separator::rnews(&rest[mark..]) else { return Decision::Text };
                (mark + claim.body, Some((mark + claim.body, claim.length)), RNEWS_LOOK)
            }
        };
        let Some((body, claimed)) = claim else {
            return Decision::Separator { line, length: Length::Unsaid, hides: 0, is_open: false, plain_body };
        };
        let decided = |length, hides, is_open| Decision::Separator { line, length, hides, is_open, plain_body };
        let Some(claimed) = usize::try_from(claimed).ok().filter(|claimed| *claimed <= MESSAGE_CAP - body) else {
            return decided(Length::Ignored, 0, false);
        };
        let end = at + body + claimed;
        if is_short(end, look) {
            return wait(end, look);
        }
        let is_open = text.len() < end.saturating_add(look);
        match self.proof(lines, end) {
            Some(end) => decided(Length::Proved, base + end as u64, is_open),
            None => decided(Length::Ignored, 0, is_open),
        }
    }

    /// Where the separator stands that proves a claim up to this place of the buffer, or the input ends.
    fn proof(&self, lines: Lines, end: usize) -> Option<usize> {
        let text = &self.storage[..self.filled];
        let mut at = end;
        let breaks = match lines {
            Lines::Mbox => 2,
            Lines::Rnews => 0,
        };
        for _ in 0..=breaks {
            let rest = text.get(at..)?;
            let is_separator = match lines {
                Lines::Mbox => is_after_empty_line(text, at, self.is_at_start()) && separator::mbox(rest).is_some(),
                Lines::Rnews => text[..at].ends_with(b"\n") && separator::rnews(rest).is_some(),
            };
            if is_separator || rest.is_empty() && self.is_last {
                return Some(at);
            }
            at += match rest {
                [b'\n', ..] => 1,
                [b'\r', b'\n', ..] => 2,
                _ => return None,
            };
        }
        None
    }

    /// Where the current piece ends, if that is known.
    fn known_end(&self) -> Option<u64> {
        self.cuts.front().map(|next| next.start).or_else(|| self.is_last.then(|| self.end()))
    }

    /// The buffer begins with the input, or with the separator that the reader begins at.
    fn is_at_start(&self) -> bool {
        self.base == self.start
    }

    /// The current piece is given.
    fn settle(&mut self) {
        let offset = self.current.start;
        if self.number().is_some() && self.open.is_none_or(|open| offset <= open.offset) {
            self.settled_at = Mark { offset, messages: self.count - 1 };
        }
    }

    fn is_ours(&self, start: u64) -> bool {
        self.range.contains(&start)
    }

    fn number(&self) -> Option<u64> {
        (self.current.message > self.current.start).then_some(self.count)
    }

    /// The next part, if it is complete.
    fn cut(&mut self) -> Option<Part> {
        const CAP: u64 = MESSAGE_CAP as u64;
        if self.filled < BATCH && !self.is_last {
            return None;
        }
        // Up to where all is whole, and nothing too long.
        let mut start = self.current.start;
        let end = self.is_last.then(|| self.end());
        if self.filled <= MESSAGE_CAP {
            start = end.or(self.cuts.back().map(|last| last.start)).unwrap_or(start);
        } else {
            for end in self.cuts.iter().map(|next| next.start).chain(end) {
                if end - start > CAP {
                    break;
                }
                start = end;
            }
        }
        let is_next_long = self.settled.saturating_sub(start) > CAP;
        let whole = self.local(start);
        if whole == 0 {
            return if is_next_long { self.begin_oversize() } else { None };
        }
        let is_enough = whole >= BATCH || self.is_last || is_next_long || self.filled >= 2 * BATCH;
        is_enough.then(|| self.cut_batch(start))?
    }

    /// The pieces up to an offset. `None`: they are not of the range.
    fn cut_batch(&mut self, end: u64) -> Option<Part> {
        let base = self.base;
        let mut pieces = Vec::new();
        while self.current.start < end {
            self.settle();
            let Cut { start, message, length, is_stuffed, plain_body } = self.current;
            let next = self.known_end().unwrap_or(end);
            if self.is_ours(start) {
                let (from, to) = ((start - base) as usize, (next - base) as usize);
                let separator = from..(message - base) as usize;
                pieces.push(Piece {
                    number: self.number(),
                    message: separator.end..to,
                    separator,
                    length,
                    is_stuffed,
                    plain_body,
                });
            }
            self.go_to(next);
        }
        let filled = self.local(end);
        let storage = self.move_on(filled);
        if pieces.is_empty() {
            self.spare.push(storage);
            return None;
        }
        Some(Part::Batch(Batch { storage, filled, base, pieces }))
    }

    fn begin_oversize(&mut self) -> Option<Part> {
        self.is_oversize = true;
        self.settle();
        let base = self.current.start;
        self.is_ours(base).then_some(Part::Oversize { base, number: self.number() })
    }

    /// The piece that begins at this offset is the current one now.
    fn go_to(&mut self, offset: u64) {
        match self.cuts.pop_front() {
            Some(next) => {
                self.current = next;
                self.count += 1;
            }
            None => {
                self.current =
                    Cut { start: offset, message: offset, length: Length::Unsaid, is_stuffed: false, plain_body: None }
            }
        }
    }

    /// Goes on in another storage, without the first `by` bytes, and hands out the one that has them.
    fn move_on(&mut self, by: usize) -> Vec<u8> {
        let kept = &self.storage[by..self.filled];
        let mut storage = self.spare.pop().unwrap_or_default();
        if storage.len() < kept.len() {
            storage.resize(kept.len(), 0);
        }
        storage[..kept.len()].copy_from_slice(kept);
        self.filled = kept.len();
        self.base += by as u64;
        mem::replace(&mut self.storage, storage)
    }

    /// Bytes of the oversize piece that are in the buffer, which is filled if there are none; 0 at its end.
    fn oversize_left(&mut self) -> usize {
        loop {
            let end = self.known_end().unwrap_or(self.settled);
            let left = self.local(end) - self.given;
            if left > 0 || self.is_last || !self.cuts.is_empty() {
                return left;
            }
            self.drop_given();
            // While a separator waits for what its claim wants, much is in the buffer already.
            self.read((2 * BATCH).saturating_sub(self.filled).max(FIRST_READ));
        }
    }

    fn drop_given(&mut self) {
        let by = mem::take(&mut self.given);
        if by > 0 {
            self.storage.copy_within(by..self.filled, 0);
            self.filled -= by;
            self.base += by as u64;
        }
    }

    /// Drops what is in the buffer of an oversize piece. `false`: that was all of it.
    fn skip(&mut self) -> bool {
        let left = self.oversize_left();
        self.given += left;
        if left == 0 {
            self.drop_given();
            self.go_to(self.base);
        }
        left > 0
    }
}

/// Reads a piece that is too long to be held.
///
/// A reader that fails ends it; [`Splitter::result`] says so then.
pub(crate) struct Oversize<'s, R> {
    splitter: &'s mut Splitter<R>,
}

impl<R: Read> Read for Oversize<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let splitter = &mut *self.splitter;
        if !splitter.is_oversize || out.is_empty() {
            return Ok(0);
        }
        let left = splitter.oversize_left();
        let count = left.min(out.len());
        out[..count].copy_from_slice(&splitter.storage[splitter.given..][..count]);
        splitter.given += count;
        Ok(count)
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The length of the byte order mark before the first separator.
fn mark(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// True if the input may begin with a separator.
fn is_start(text: &[u8], lines: Lines) -> bool {
    text[mark(text)..].starts_with(lines.needle())
}

/// True if the line at `at` follows an empty one; `is_start` if the input begins with the text.
fn is_after_empty_line(text: &[u8], at: usize, is_start: bool) -> bool {
    let before = &text[..at];
    before.ends_with(b"\n\n")
        || before.ends_with(b"\n\r\n")
        || is_start && matches!(before, [] | [b'\n'] | [b'\r', b'\n'])
}

#[cfg(test)]
mod tests;
