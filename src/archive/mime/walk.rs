//! The walk over a message: its headers and bodies in their order, with a stack for the open
//! multiparts.
//!
//! The available bytes are a whole message, or a window of a message that is too long for memory.
//! If the next item does not end in the window, the walk reports that.

use std::mem;
use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::boundary;
use super::entity::Entity;
use crate::archive::container::Container;
use crate::archive::header::extent;
use crate::archive::message::Note;

/// The maximum depth of nested parts. A multipart or message at this depth is returned raw. Real
/// mail has fewer than ten levels.
pub(super) const MAX_DEPTH: usize = 100;

/// The available bytes of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct AtHand<'m> {
    pub(super) bytes: &'m [u8],
    /// Whether the message ends with these bytes.
    pub(super) is_last: bool,
    /// Whether no more bytes can be held. Then a header that has not ended yet ends with these
    /// bytes.
    pub(super) is_full: bool,
}

impl<'m> AtHand<'m> {
    pub(super) fn all(bytes: &'m [u8]) -> Self {
        AtHand { bytes, is_last: true, is_full: true }
    }

    /// Returns the complete lines.
    fn whole_lines(self) -> &'m [u8] {
        let end = if self.is_last { None } else { memrchr(b'\n', self.bytes).map(|end| end + 1) };
        &self.bytes[..end.unwrap_or(if self.is_last || self.is_full { self.bytes.len() } else { 0 })]
    }
}

/// The maximum number of multiparts of a message whose boundary is inferred from their lines. Each
/// inference searches the multipart.
const MOST_SHOWN: usize = 4;

/// A multipart around the current place.
#[derive(Debug)]
struct Multipart {
    boundary: Vec<u8>,
    /// The multipart's number. It is empty for an outermost multipart.
    path: Vec<u32>,
    /// The number of parts so far.
    count: u32,
    /// Whether parts without a type are messages, as in a digest (RFC 2046 section 5.1.5).
    is_digest: bool,
    /// The bases of relative links in the multipart's parts.
    bases: Vec<Vec<u8>>,
}

/// The next item of a message.
#[derive(Debug)]
enum Next {
    /// The header of the part with this number, or of the message inside that part.
    Entity {
        path: Vec<u32>,
        is_message: bool,
        is_digest: bool,
    },
    Body(BodyText),
    End,
}

/// A text up to the next delimiter.
#[derive(Debug)]
pub(crate) struct BodyText {
    /// The number of the part. It is empty outside an outermost multipart.
    pub(crate) path: Vec<u32>,
    pub(crate) kind: BodyKind,
    pub(super) note: Option<Note>,
    /// The bases of the text's relative links.
    pub(crate) bases: Vec<Vec<u8>>,
}

#[derive(Debug)]
pub(crate) enum BodyKind {
    /// The text before the parts of a multipart.
    Before,
    /// The text after the parts of a multipart.
    After,
    /// A part without parts of its own.
    Leaf(Entity),
    /// A part of this type whose structure is not read.
    Raw(String),
}

/// The line of a delimiter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimiter {
    /// The start of the delimiter, which includes the line break before its line.
    pub(super) start: usize,
    end: usize,
    /// The index of the multipart that it delimits.
    level: usize,
    is_close: bool,
}

/// An item of the message, with its place in the available bytes.
#[derive(Debug)]
pub(super) enum WalkItem {
    Header(Range<usize>),
    Body(BodyText, Range<usize>),
    End,
}

#[derive(Debug)]
pub(super) struct MimeWalk {
    /// The offset of the first byte after the items returned so far.
    pub(super) at: usize,
    multiparts: Vec<Multipart>,
    next: Next,
    /// The number of multiparts whose boundary was inferred.
    shown: usize,
}

impl MimeWalk {
    /// Creates a walk over a message that is the part `path` of another message.
    pub(super) fn new(path: Vec<u32>) -> Self {
        MimeWalk {
            at: 0,
            multiparts: Vec::new(),
            next: Next::Entity { path, is_message: true, is_digest: false },
            shown: 0,
        }
    }

    /// Creates a walk over a page, which is a body without a header.
    pub(super) fn page(container: Container) -> Self {
        let kind = BodyKind::Leaf(Entity::page(container));
        let body = BodyText { path: Vec::new(), kind, note: None, bases: Vec::new() };
        MimeWalk { at: 0, multiparts: Vec::new(), next: Next::Body(body), shown: 0 }
    }

    /// Returns the next item. Returns `None` if the item's end is not available yet.
    pub(super) fn next(&mut self, text: AtHand<'_>) -> Option<WalkItem> {
        match mem::replace(&mut self.next, Next::End) {
            Next::Entity { path, is_message, is_digest } => self.entity(text, path, is_message, is_digest),
            Next::Body(body) => self.body(text, body),
            Next::End => Some(WalkItem::End),
        }
    }

    /// Removes and returns the body whose end was not available. The walk continues with
    /// [`pass`](Self::pass).
    pub(super) fn take_body(&mut self) -> Option<BodyText> {
        match mem::replace(&mut self.next, Next::End) {
            Next::Body(body) => Some(body),
            next => {
                self.next = next;
                None
            }
        }
    }

    /// Returns the multipart that a line delimits, and whether the line closes it. The whole line
    /// is compared, except blanks at its end, because one boundary can be the start of another.
    fn delimits(&self, line: &[u8]) -> Option<(usize, bool)> {
        let rest = line.strip_prefix(b"--")?.trim_ascii_end();
        self.multiparts.iter().enumerate().rev().find_map(|(level, multipart)| {
            let rest = rest.strip_prefix(multipart.boundary.as_slice())?;
            (rest.is_empty() || rest == b"--").then_some((level, !rest.is_empty()))
        })
    }

    /// Returns the first delimiter in the lines from `from` on. `is_line` states that a line begins
    /// at `from`.
    pub(super) fn find_delimiter(&self, text: &[u8], from: usize, is_line: bool) -> Option<Delimiter> {
        if self.multiparts.is_empty() {
            return None;
        }
        // A line begins at `from` if `is_line`, or after a line feed.
        let first = (is_line && text[from..].starts_with(b"--")).then_some(from);
        let others = memmem::find_iter(&text[from..], b"\n--").map(|at| from + at + 1);
        first.into_iter().chain(others).find_map(|line| {
            let end = memchr(b'\n', &text[line..]).map_or(text.len(), |length| line + length + 1);
            let (level, is_close) = self.delimits(&text[line..end])?;
            let start = match &text[from..line] {
                [.., b'\r', b'\n'] => line - 2,
                [.., b'\n'] => line - 1,
                _ => line,
            };
            Some(Delimiter { start, end, level, is_close })
        })
    }

    /// Continues after a delimiter, or at the message's end. Multiparts inside the delimited
    /// multipart end there, even if they are not closed.
    pub(super) fn pass(&mut self, delimiter: Option<Delimiter>, end: usize) {
        let Some(Delimiter { end, level, is_close, .. }) = delimiter else {
            self.at = end;
            self.next = Next::End;
            return;
        };
        self.at = end;
        self.multiparts.truncate(level + 1);
        self.next = match self.multiparts.last_mut() {
            Some(multipart) if !is_close => {
                multipart.count += 1;
                let mut path = multipart.path.clone();
                path.push(multipart.count);
                Next::Entity { path, is_message: false, is_digest: multipart.is_digest }
            }
            _ => {
                let path = self.multiparts.pop().map(|multipart| multipart.path).unwrap_or_default();
                Next::Body(BodyText { path, kind: BodyKind::After, note: None, bases: Vec::new() })
            }
        };
    }

    fn entity(&mut self, text: AtHand<'_>, mut path: Vec<u32>, is_message: bool, is_digest: bool) -> Option<WalkItem> {
        let (start, known) = (self.at, text.whole_lines());
        let is_end = |line: &[u8]| line.starts_with(b"--") && self.delimits(line).is_some();
        let (mut end, mut body) = if known.len() < start { (start, start) } else { extent(known, start, is_end) };
        // The header may continue after the available bytes, so the walk waits.
        if body >= known.len() && !text.is_last && !text.is_full {
            self.next = Next::Entity { path, is_message, is_digest };
            return None;
        }
        let mut entity = Entity::read(text.bytes, start..end, is_digest);
        let is_deep = path.len() >= MAX_DEPTH;
        if entity.is_multipart() && !is_deep {
            // The empty line before the first part may be missing.
            if let Some(boundary) = &entity.boundary
                && let Some(at) = memmem::find(&text.bytes[start..end], &[b"\n--", &boundary[..]].concat())
            {
                (end, body) = (start + at + 1, start + at + 1);
            }
            if entity.boundary.is_none() && self.shown < MOST_SHOWN {
                entity.boundary = boundary::shown(&text.bytes[body..]);
                self.shown += usize::from(entity.boundary.is_some());
            }
        }
        self.at = body;
        let around = self.multiparts.last().map_or(&[][..], |around| &around.bases);
        let bases = entity.bases(around);
        if entity.is_multipart()
            && !is_deep
            && let Some(boundary) = &entity.boundary
        {
            let is_digest = entity.kind == "multipart/digest";
            let boundary = boundary.clone();
            self.multiparts.push(Multipart { boundary, path: path.clone(), count: 0, is_digest, bases });
            self.next = Next::Body(BodyText { path, kind: BodyKind::Before, note: None, bases: Vec::new() });
            return Some(WalkItem::Header(start..end));
        }
        // IMAP gives the body of a message the number 1.
        if is_message {
            path.push(1);
        }
        self.next = if entity.is_message() && !entity.encoding.is_decoded() && !is_deep {
            Next::Entity { path, is_message: true, is_digest: false }
        } else if entity.is_multipart() || (entity.is_message() && is_deep) {
            let note = if is_deep { Note::TooDeep } else { Note::NoBoundary };
            Next::Body(BodyText { path, kind: BodyKind::Raw(entity.kind), note: Some(note), bases: Vec::new() })
        } else {
            Next::Body(BodyText { path, kind: BodyKind::Leaf(entity), note: None, bases })
        };
        Some(WalkItem::Header(start..end))
    }

    fn body(&mut self, text: AtHand<'_>, mut body: BodyText) -> Option<WalkItem> {
        let (start, known) = (self.at, text.whole_lines());
        let mut delimiter = if known.len() < start { None } else { self.find_delimiter(known, start, true) };
        if delimiter.is_none() && !text.is_last {
            self.next = Next::Body(body);
            return None;
        }
        if matches!(body.kind, BodyKind::Before) {
            let level = self.multiparts.len();
            // The first delimiter must belong to the innermost multipart. Otherwise the boundary of
            // that multipart is missing.
            let is_of_another = |found: Option<Delimiter>| found.is_none_or(|found| found.level + 1 != level);
            let mut is_missing = is_of_another(delimiter);
            if is_missing
                && self.shown < MOST_SHOWN
                && let Some(shown) = boundary::shown(&known[start..delimiter.map_or(known.len(), |found| found.start)])
                && let Some(multipart) = self.multiparts.last_mut()
            {
                multipart.boundary = shown;
                self.shown += 1;
                delimiter = self.find_delimiter(known, start, true);
                is_missing = is_of_another(delimiter);
            }
            body.note = is_missing.then_some(Note::NoBoundary);
        }
        let end = delimiter.map_or(text.bytes.len(), |delimiter| delimiter.start);
        self.pass(delimiter, text.bytes.len());
        Some(WalkItem::Body(body, start..end))
    }
}
