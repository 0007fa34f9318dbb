//! Where the pieces of an input begin, as far as that is known.

use std::collections::VecDeque;

use crate::archive::split::piece::{Length, Mark};

/// Where a piece begins. Offsets of the input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) start: u64,
    /// After the separator.
    pub(super) message: u64,
    pub(super) length: Length,
    /// The first and the last `From` that may be marked as no separator (`>From `).
    pub(super) stuffed: Option<(u64, u64)>,
    pub(super) plain_body: Option<usize>,
    /// The message may continue the one before.
    pub(super) continues: bool,
    /// What follows is nobody's text.
    pub(super) is_closing: bool,
}

impl Cut {
    /// Of a piece without a separator.
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

    /// A message with a separator follows.
    fn is_message(&self) -> bool {
        self.message > self.start
    }
}

/// The piece at hand, and where those after it begin.
pub(super) struct Cuts {
    /// The piece that comes next, or is being read.
    pub(super) current: Cut,
    /// Separators before it, its own included.
    count: u64,
    following: VecDeque<Cut>,
    /// The pieces that continue the current one come by themselves: with it they are too long to be held.
    is_apart: bool,
    /// The first message whose end may change if the input grows, though others follow: a claim, its own or one within it,
    /// reaches the end of the input.
    open: Option<Mark>,
    /// The last message that begins before all of which the end may change, as far as pieces were given.
    settled: Mark,
}

impl Cuts {
    /// For an input that is read from a message on.
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

    /// A separator was found.
    pub(super) fn add(&mut self, cut: Cut) {
        if cut.start == self.current.start {
            // Nothing stands before the first separator.
            self.count += u64::from(cut.is_message());
            self.current = cut;
        } else {
            self.following.push_back(cut);
        }
    }

    /// The claim of the last separator, or of one that it hides, may be decided otherwise if the input grows. What may be
    /// hidden then belongs to that message.
    pub(super) fn leave_open(&mut self) {
        let mut mark = if self.current.continues { self.settled } else { self.mark() };
        let mut count = self.count;
        for cut in &self.following {
            count += u64::from(cut.is_message());
            if !cut.continues {
                mark = Mark { offset: cut.start, messages: count.saturating_sub(1) };
            }
        }
        self.open.get_or_insert(mark);
    }

    /// A marked `From` stands here.
    pub(super) fn note_stuffed(&mut self, at: u64) {
        let last = self.last_mut();
        last.stuffed = Some((last.stuffed.map_or(at, |(first, _)| first), at));
    }

    /// The last piece that is known.
    pub(super) fn last_mut(&mut self) -> &mut Cut {
        self.following.back_mut().unwrap_or(&mut self.current)
    }

    /// Where the pieces after the current one begin.
    pub(super) fn starts(&self) -> impl DoubleEndedIterator<Item = u64> {
        self.following.iter().map(|next| next.start)
    }

    /// Returns where those of them begin that continue none: a batch may end there.
    pub(super) fn borders(&self) -> impl Iterator<Item = u64> {
        let mut is_apart = self.is_apart;
        self.following.iter().filter_map(move |next| {
            is_apart &= next.continues;
            (is_apart || !next.continues).then_some(next.start)
        })
    }

    /// Parts the current piece, which is too long with those that continue it, from these.
    pub(super) fn part(&mut self) {
        self.is_apart = true;
    }

    fn mark(&self) -> Mark {
        Mark { offset: self.current.start, messages: self.count.saturating_sub(1) }
    }

    /// Of the current piece, if it is a message with a separator.
    pub(super) fn number(&self) -> Option<u64> {
        self.current.is_message().then_some(self.count)
    }

    /// The current piece is given.
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

    /// Goes on to the piece that begins at this offset.
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
