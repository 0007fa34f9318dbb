//! The starts of an input's pieces that were found so far.

use std::collections::VecDeque;

use crate::archive::split::piece::{Length, Mark};

/// The start of a piece. Offsets are relative to the input's start.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) start: u64,
    /// The offset after the separator.
    pub(super) message: u64,
    pub(super) length: Length,
    /// The offsets of the first and the last `From` that may have a mark. (`>From ` is not a
    /// separator.)
    pub(super) stuffed: Option<(u64, u64)>,
    pub(super) plain_body: Option<usize>,
    /// Whether the message may continue the previous message.
    pub(super) continues: bool,
    /// Whether a program's own data follow, not a message.
    pub(super) is_closing: bool,
}

impl Cut {
    /// Returns the start of a piece without a separator.
    pub(super) fn bare(start: u64) -> Cut {
        Cut {
            start,
            message: start,
            length: Length::Unstated,
            stuffed: None,
            plain_body: None,
            continues: false,
            is_closing: false,
        }
    }

    /// Returns whether a message with a separator begins here.
    fn is_message(&self) -> bool {
        self.message > self.start
    }
}

/// The current piece, and the starts of the pieces after it.
pub(super) struct Cuts {
    /// The piece that is returned next, or is being read.
    pub(super) current: Cut,
    /// The number of separators up to the current piece, including its own.
    count: u64,
    following: VecDeque<Cut>,
    /// Whether the pieces that continue the current one are returned separately, because together
    /// they are too long.
    is_apart: bool,
    /// The first message whose end may change if the input grows, even if other messages follow it.
    /// Its claim, or a claim within it, reaches the end of the input.
    open: Option<Mark>,
    /// The last returned message that does not follow `open`. Everything before it is final.
    settled: Mark,
}

impl Cuts {
    /// Returns the cuts of an input that is read from a message on.
    pub(super) fn at(mark: Mark) -> Cuts {
        let Mark { offset, messages } = mark;
        Cuts {
            current: Cut::bare(offset),
            count: messages,
            following: VecDeque::new(),
            is_apart: false,
            open: None,
            settled: mark,
        }
    }

    /// Adds a separator that was found.
    pub(super) fn add(&mut self, cut: Cut) {
        if cut.start == self.current.start {
            // No text precedes the first separator.
            self.count += u64::from(cut.is_message());
            self.current = cut;
        } else {
            self.following.push_back(cut);
        }
    }

    /// Records that a longer input may change the decision on a claim. The claim belongs to the
    /// last separator, or to one that this separator hides. If the longer input proves the claim,
    /// the messages within the claim become text of the last message.
    pub(super) fn leave_open(&mut self) {
        let mut mark = if self.current.continues { self.settled } else { self.mark() };
        let mut count = self.count;
        for cut in &self.following {
            count += u64::from(cut.is_message());
            // A continuation is split again with its first piece.
            if !cut.continues {
                mark = Mark { offset: cut.start, messages: count.saturating_sub(1) };
            }
        }
        self.open.get_or_insert(mark);
    }

    /// Records a marked `From` at this offset.
    pub(super) fn note_stuffed(&mut self, at: u64) {
        let last = self.last_mut();
        last.stuffed = Some((last.stuffed.map_or(at, |(first, _)| first), at));
    }

    /// Returns the last piece that was found.
    pub(super) fn last_mut(&mut self) -> &mut Cut {
        self.following.back_mut().unwrap_or(&mut self.current)
    }

    /// Returns the starts of the pieces after the current one.
    pub(super) fn starts(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.following.iter().map(|next| next.start)
    }

    /// Returns the starts at which a batch may end: the starts of pieces that do not continue
    /// others.
    pub(super) fn borders(&self) -> impl Iterator<Item = u64> {
        let mut is_apart = self.is_apart;
        self.following.iter().filter_map(move |next| {
            is_apart &= next.continues;
            (is_apart || !next.continues).then_some(next.start)
        })
    }

    /// Separates the current piece from its continuations, because together they are too long.
    pub(super) fn part(&mut self) {
        self.is_apart = true;
    }

    fn mark(&self) -> Mark {
        Mark { offset: self.current.start, messages: self.count.saturating_sub(1) }
    }

    /// Returns the number of the current piece, if it is a message with a separator.
    pub(super) fn number(&self) -> Option<u64> {
        self.current.is_message().then_some(self.count)
    }

    /// Records that the current piece is returned.
    pub(super) fn settle(&mut self) {
        let offset = self.current.start;
        let is_first = self.number().is_some() && !self.current.continues;
        if is_first && self.open.is_none_or(|open| offset <= open.offset) {
            self.settled = self.mark();
        }
    }

    pub(super) fn settled(&self) -> Mark {
        self.settled
    }

    /// Moves to the next piece, which begins at this offset.
    pub(super) fn go_to(&mut self, offset: u64) {
        match self.following.pop_front() {
            Some(next) => {
                self.count += u64::from(next.is_message());
                self.current = next;
            }
            None => self.current = Cut::bare(offset),
        }
        self.is_apart &= self.current.continues;
    }
}
