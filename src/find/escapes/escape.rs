//! The character that an escape stands for.

use super::unseen;
use crate::find::stops;

/// An escape: its length, and the character that it decodes to, if any.
pub(super) struct Escape {
    pub(super) len: usize,
    pub(super) reads: Option<char>,
    /// The escape is valid only after the authority.
    pub(super) of_path: bool,
}

impl Escape {
    pub(super) fn of(reads: Option<char>, len: usize) -> Escape {
        Escape { len, reads, of_path: false }
    }

    /// Returns an escape that is valid only after the authority.
    pub(super) fn of_path(reads: char, len: usize) -> Escape {
        Escape { len, reads: Some(reads), of_path: true }
    }

    /// Returns the escape of a character. Returns `None` for `'`, and for a character that ends
    /// every run.
    pub(super) fn character(reads: char, len: usize) -> Option<Escape> {
        if unseen::is_unseen(reads) {
            return Some(Escape::of(None, len));
        }
        let is_read = !reads.is_ascii() || reads != '\'' && !stops::is_stop(reads as u8);
        is_read.then(|| Escape::of(Some(reads), len))
    }
}
