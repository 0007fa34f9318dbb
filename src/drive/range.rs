//! The search of a range of an input. It reads only the range and its margins.
//!
//! The bytes before a range determine its line numbers, its message numbers, and which of its
//! separators are hidden. In a mailbox, a message with a verified `Content-Length` hides the
//! separators inside it. The sum of the earlier ranges' counts provides all three
//! ([`RangeCounts`]).

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use crate::archive::split::LOOK_BACK;
use crate::archive::{Container, records};
use crate::bytes::roll::DamagedEnd;
use crate::drive::extractor::Extractor;
use crate::drive::lines::Lines;
use crate::drive::mail;
use crate::drive::section::{RangeCounts, Section};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::stream::{Halt, Stream, seek};

impl Extractor {
    /// Finds the matches of one range of a file, and reads only the range and margins. So different
    /// machines can search the ranges of a large file. Ranges that tile a file return each match
    /// exactly once.
    ///
    /// `container` is the kind of the file. The file's first bytes show it: see
    /// [`Input::container`](crate::archive::Input::container) and
    /// [`OpenOptions::recognise`](crate::archive::OpenOptions::recognise).
    ///
    /// - A range of text has the matches whose span begins in it.
    ///
    /// - A range of a mailbox ([`Container::Mbox`]) has the messages that begin in it. The last
    ///   message is read to its end, even if its end lies after the range.
    ///
    /// - Any other container cannot be cut ([`Container::is_divisible`]). The range that holds its
    ///   first byte has all of it, and the others read nothing.
    ///
    /// Compressed files, tars and zips are searched as bytes;
    /// [`find_in_range`](Self::find_in_range) unpacks them.
    ///
    /// `before` is the sum of the counts of the ranges before this one. Lines and numbers of
    /// messages continue from this sum, so they count from the start of the file. Without it
    /// ([`RangeCounts::default`]) they count from the start of the range. The counts of the earlier
    /// ranges can convert them later. [`RangeCounts`] describes how, and when a range must be
    /// searched again.
    ///
    /// `new` makes a sink for some matches. The sinks are filled and delivered in order, on this
    /// thread.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or of `deliver`. The matches before a failure are delivered
    /// first.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use std::ops::ControlFlow;
    /// use urlgrep::archive::Container;
    /// use urlgrep::{Extractor, Match, RangeCounts};
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let text = "one\nsee http://a.example/\nthree\nsee http://b.example/\n";
    /// let extractor = Extractor::builder().line_numbers(true).build();
    /// let mut before = RangeCounts::default();
    /// let mut lines = Vec::new();
    /// for range in [0..20, 20..40, 40..60] {
    ///     // On any machine, and in any order: nothing is known here of the ranges before.
    ///     let deliver = |found: Vec<Match<'static>>| {
    ///         lines.extend(found.iter().map(|found| before.lines + found.line().unwrap()));
    ///         Ok(ControlFlow::Continue(()))
    ///     };
    ///     let (input, unknown) = (Cursor::new(text), RangeCounts::default());
    ///     let (_, counts) = extractor.search_range(input, Container::Text, range, &unknown, Vec::new, deliver)?;
    ///     before += counts;
    /// }
    /// assert_eq!(lines, [2, 4]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn search_range<R: Read + Seek, S: Sink>(
        &self,
        mut reader: R,
        container: Container,
        range: Range<u64>,
        before: &RangeCounts,
        new: impl Fn() -> S,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<(Stats, RangeCounts)> {
        let size = reader.seek(SeekFrom::End(0))?;
        let range = range.start..range.end.min(size);
        if range.is_empty() || !container.is_divisible() && range.start > 0 {
            return Ok(Default::default());
        }
        if container.is_divisible() {
            self.of_container(container).search_part(reader, container, range, before, new, deliver)
        } else {
            reader.seek(SeekFrom::Start(0))?;
            let stats = deliver_whole(self, reader, container, new, deliver)?;
            Ok((Stats { checkpoint: None, ..stats }, RangeCounts::default()))
        }
    }

    /// Searches a web archive for the records whose gzip members begin in a range of the file.
    /// Ranges that tile a file return each record exactly once.
    /// [`has_record_members`](crate::archive::has_record_members) must be true for the file. The
    /// search reads the range, and the rest of its last member.
    ///
    /// Lines, numbers of messages and offsets count from the first of these members.
    /// [`RangeCounts`] converts them to counts from the start of the file.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or of `deliver`, or an error for a damaged member. The
    /// matches before a failure are delivered first.
    ///
    /// ```
    /// # use std::io::{Cursor, Write};
    /// # use std::ops::ControlFlow;
    /// # use urlgrep::{Extractor, Match, RangeCounts};
    /// # fn main() -> std::io::Result<()> {
    /// # fn gzip(record: &str) -> Vec<u8> {
    /// #     let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    /// #     encoder.write_all(record.as_bytes()).unwrap();
    /// #     encoder.finish().unwrap()
    /// # }
    /// let record = "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Length: 17\r\n\r\nhttp://a.example/\r\n\r\n";
    /// let file = [gzip(record), gzip(record)].concat();
    /// let half = file.len() as u64 / 2;
    /// let mut before = RangeCounts::default();
    /// let mut offsets = Vec::new();
    /// for range in [0..half, half..u64::MAX] {
    ///     let deliver = |found: Vec<Match<'static>>| {
    ///         offsets.extend(found.iter().map(|found| before.unpacked + found.span().start));
    ///         Ok(ControlFlow::Continue(()))
    ///     };
    ///     let (_, counts) = Extractor::new().search_records(Cursor::new(&file), range, Vec::new, deliver)?;
    ///     before += counts;
    /// }
    /// assert_eq!(offsets, [55, 55 + record.len() as u64]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn search_records<R: Read + Seek + Send, S: Sink>(
        &self,
        reader: R,
        range: Range<u64>,
        new: impl Fn() -> S,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<(Stats, RangeCounts)> {
        let Some(reader) = records(reader, range)? else { return Ok(Default::default()) };
        let lines = self.lines().map(|lines| lines.restart_at(0));
        let mut reader = RangeReader { reader, at: 0, end: u64::MAX, lines, bytes: 0, failure: None };
        let stats = self.documents(&mut reader, Container::Warc, 0..u64::MAX, new, deliver)?;
        if let Some(failure) = reader.failure {
            return Err(failure);
        }
        let (lines, _) = reader.lines.map_or((0, None), |lines| lines.ends());
        let counts = RangeCounts { lines, messages: stats.messages, unpacked: reader.bytes, ..RangeCounts::default() };
        Ok((Stats { checkpoint: None, ..stats }, counts))
    }

    /// Searches a nonempty range of an input that can be cut.
    fn search_part<R: Read + Seek, S: Sink>(
        &self,
        reader: R,
        container: Container,
        range: Range<u64>,
        before: &RangeCounts,
        new: impl Fn() -> S,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<(Stats, RangeCounts)> {
        let lines = self.lines().map(|lines| lines.restart_at(range.start));
        let mut reader = RangeReader { reader, at: 0, end: range.end, lines, bytes: 0, failure: None };
        let (stats, messages) = if container == Container::Mbox {
            let from = range.start.saturating_sub(LOOK_BACK as u64);
            reader.seek(SeekFrom::Start(from))?;
            mail::search_range(self, &mut reader, from, range, before, new, deliver)?
        } else {
            let (buffer, from) = seek(self, &mut reader, &Section::from(range.clone()), None)?;
            let at = buffer.held().local(range.start).min(buffer.bytes().len());
            let lines = self.lines().map(|lines| lines.from(range.start, &buffer.bytes()[..at], before));
            (deliver_all(Stream::new(self, buffer, from, range, lines), new, deliver)?, Default::default())
        };
        if let Some(failure) = reader.failure {
            return Err(failure);
        }
        let (lines, last_line) = reader.lines.map_or((0, None), |lines| lines.ends());
        let counts = RangeCounts {
            lines,
            last_line,
            messages: messages.messages,
            first_message: messages.first,
            hidden_until: messages.hidden_until,
            unpacked: 0,
        };
        Ok((Stats { bytes: reader.bytes, checkpoint: None, ..stats }, counts))
    }
}

/// Delivers the matches of a whole input, one sink at a time. A failure to read ends the input. The
/// bytes before the failure are searched, and then it is returned.
pub(super) fn deliver_whole<R: Read, S: Sink>(
    extractor: &Extractor,
    reader: R,
    container: Container,
    new: impl Fn() -> S,
    deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    if container.has_documents() {
        return extractor.documents(reader, container, 0..u64::MAX, new, deliver);
    }
    let mut reader = EndingReader { reader, failure: None };
    let stats = deliver_all(extractor.of_container(container).stream(&mut reader), new, deliver)?;
    reader.failure.map_or(Ok(stats), Err)
}

/// A reader that ends where it fails, and keeps the failure.
struct EndingReader<R> {
    reader: R,
    failure: Option<io::Error>,
}

impl<R: Read> Read for EndingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        DamagedEnd::or_keep(self.reader.read(buffer), &mut self.failure)
    }
}

/// Delivers the matches of a stream, one sink at a time.
fn deliver_all<R: Read, S: Sink>(
    mut stream: Stream<R>,
    new: impl Fn() -> S,
    mut deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    loop {
        let mut sink = new();
        let halt = stream.fill(&mut sink, Sink::is_full);
        // The matches before an error are delivered.
        if deliver(sink)?.is_break() || halt? == Halt::Ended {
            return Ok(stream.stats());
        }
    }
}

/// A reader of an input that counts the line ends of a range. A failure to read ends the input, and
/// the bytes before the failure are searched.
struct RangeReader<R> {
    reader: R,
    at: u64,
    /// The end of the range.
    end: u64,
    /// The count of lines from the start of the range.
    lines: Option<Lines>,
    /// The number of bytes read. Bytes that are read twice are counted twice.
    bytes: u64,
    failure: Option<io::Error>,
}

impl<R: Read> Read for RangeReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = DamagedEnd::or_keep(self.reader.read(buffer), &mut self.failure)?;
        let end = self.at + got as u64;
        // A search may seek back to read more of the text before the range.
        if let Some(lines) = self.lines.as_mut().filter(|lines| self.at <= lines.counted()) {
            lines.advance(&buffer[..got], self.at, end.min(self.end));
        }
        self.at = end;
        self.bytes += got as u64;
        Ok(got)
    }
}

impl<R: Seek> Seek for RangeReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.reader.seek(to)?;
        Ok(self.at)
    }
}
