//! The way from a text that is decoded while it is read back to the archive.
//!
//! Each stage of decoding records the maps of the pieces that it gave out lately. The reader of the
//! text says which places it needs no more. So the windows of the search bound the memory.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::archive::encoding::Encoding;
use crate::bytes::source_map::SourceMap;

/// The places of a text that is decoded in stages.
#[derive(Debug, Default)]
pub(crate) struct StreamPlaces {
    /// The stages, the last one first.
    stages: Vec<Arc<Mutex<StagePlaces>>>,
    /// The offset of the encoded body in its message.
    start: u64,
    /// The message's own way to the archive, if the message is decoded itself.
    outer: Option<Arc<StreamPlaces>>,
    /// The lines of the archive around the encoded body, if lines are counted.
    lines: Option<Arc<Mutex<PassedLines>>>,
}

/// The maps of the pieces that a stage of decoding gave out lately.
#[derive(Debug, Default)]
pub(crate) struct StagePlaces {
    /// The offset in the decoded text of each piece, and its map.
    pieces: VecDeque<(u64, SourceMap)>,
}

/// The lines in the pieces of a body that were read lately.
#[derive(Debug, Default)]
pub(crate) struct PassedLines {
    /// The offset of the start of each line, except the first.
    starts: VecDeque<u64>,
    /// The number of line starts before these, and the last one of them.
    before: u64,
    last: Option<u64>,
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl StreamPlaces {
    /// Returns the places of a body from `start` on, which is not decoded yet. `outer` is the way of
    /// its message.
    pub(crate) fn of_body(start: u64, outer: Option<Arc<StreamPlaces>>) -> StreamPlaces {
        StreamPlaces { start, outer, ..StreamPlaces::default() }
    }

    /// Adds a stage of decoding. Returns where it records its maps.
    pub(crate) fn add_stage(&mut self) -> Arc<Mutex<StagePlaces>> {
        let stage = Arc::<Mutex<StagePlaces>>::default();
        self.stages.insert(0, Arc::clone(&stage));
        stage
    }

    /// Returns where the lines of the body are recorded.
    pub(crate) fn count_lines(&mut self) -> Arc<Mutex<PassedLines>> {
        Arc::clone(self.lines.get_or_insert_default())
    }

    /// Returns the places of a message in UTF-16 that is in memory, with its lines.
    pub(crate) fn of_utf16(message: &[u8], encoding: Encoding) -> StreamPlaces {
        let mut places = StreamPlaces::default();
        locked(&places.count_lines()).add(Utf16LineStarts::new(encoding).of_next(message));
        places
    }

    /// Returns whether the archive spells the text otherwise.
    pub(crate) fn is_decoded(&self) -> bool {
        !self.stages.is_empty() || self.outer.as_ref().is_some_and(|outer| outer.is_decoded())
    }

    /// Returns the range of the archive that spells a stretch of the text.
    pub(crate) fn range(&self, range: Range<u64>) -> Range<u64> {
        let range = self.stages.iter().fold(range, |range, stage| locked(stage).source(range));
        let range = self.start + range.start..self.start + range.end;
        self.outer.as_ref().map_or(range.clone(), |outer| outer.range(range))
    }

    /// Returns how many lines begin between the start of the outermost body and an offset of the
    /// archive. Also returns where the last of them begins.
    pub(crate) fn lines_before(&self, offset: u64) -> (u64, Option<u64>) {
        match (&self.outer, &self.lines) {
            (Some(outer), _) => outer.lines_before(offset),
            (None, Some(lines)) => locked(lines).before(offset),
            (None, None) => (0, None),
        }
    }

    /// Forgets the places before an offset of the text.
    pub(crate) fn forget(&self, before: u64) {
        let oldest = self.stages.iter().fold(before, |before, stage| locked(stage).forget(before));
        match (&self.outer, &self.lines) {
            (Some(outer), _) => outer.forget(self.start + oldest),
            (None, Some(lines)) => locked(lines).forget(self.start + oldest),
            (None, None) => {}
        }
    }
}

impl StagePlaces {
    /// Adds the map of the piece that begins at an offset of the decoded text.
    pub(crate) fn add(&mut self, start: u64, map: SourceMap) {
        self.pieces.push_back((start, map));
    }

    fn piece(&self, offset: u64) -> Option<&(u64, SourceMap)> {
        let after = self.pieces.partition_point(|&(start, _)| start <= offset);
        self.pieces.get(after.saturating_sub(1))
    }

    fn source(&self, range: Range<u64>) -> Range<u64> {
        let place = |offset: u64| {
            let (start, map) = self.piece(offset)?;
            let at = offset.saturating_sub(*start) as usize;
            let source = map.source(at..at + 1);
            Some(source.start as u64..source.end as u64)
        };
        let start = place(range.start).map_or(0, |place| place.start);
        let end = if range.is_empty() { start } else { place(range.end - 1).map_or(start, |place| place.end) };
        start..end.max(start)
    }

    /// Forgets the pieces that end before an offset. Returns the offset in the source of the first
    /// byte that is still known.
    fn forget(&mut self, before: u64) -> u64 {
        while self.pieces.get(1).is_some_and(|&(start, _)| start <= before) {
            self.pieces.pop_front();
        }
        self.pieces.front().map_or(0, |(_, map)| map.source(0..0).start as u64)
    }
}

/// The starts of the lines of a file in UTF-16, which is read in pieces.
pub(crate) struct Utf16LineStarts {
    is_little: bool,
    /// The offset of the next byte, and the byte before it.
    at: u64,
    before: u8,
}

impl Utf16LineStarts {
    pub(crate) fn new(encoding: Encoding) -> Utf16LineStarts {
        Utf16LineStarts { is_little: encoding == Encoding::Utf16Le, at: 0, before: 0 }
    }

    /// Returns the offsets in the next piece at which a line begins.
    pub(crate) fn of_next(&mut self, piece: &[u8]) -> impl Iterator<Item = u64> {
        piece.iter().filter_map(|&byte| {
            let unit = if self.is_little { [self.before, byte] } else { [byte, self.before] };
            (self.at, self.before) = (self.at + 1, byte);
            (self.at.is_multiple_of(2) && unit == [b'\n', 0]).then_some(self.at)
        })
    }
}

impl PassedLines {
    /// Adds the starts of lines. Calls must pass them in ascending order.
    pub(crate) fn add(&mut self, starts: impl Iterator<Item = u64>) {
        self.starts.extend(starts);
    }

    fn before(&self, offset: u64) -> (u64, Option<u64>) {
        let count = self.starts.partition_point(|&start| start <= offset);
        let last = count.checked_sub(1).map(|last| self.starts[last]);
        (self.before + count as u64, last.or(self.last))
    }

    fn forget(&mut self, before: u64) {
        while self.starts.front().is_some_and(|&start| start <= before) {
            self.last = self.starts.pop_front();
            self.before += 1;
        }
    }
}
