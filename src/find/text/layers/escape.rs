//! The character that an escape stands for.

use crate::bytes::letters;
use crate::bytes::pieces::Literal;
use crate::find::text::stops;

/// An escape: its length, and the character that it decodes to, if any.
pub(crate) struct Escape {
    pub(crate) len: usize,
    pub(crate) reads: Option<char>,
    /// The escape is valid only after the authority.
    pub(crate) of_path: bool,
    /// The escape crosses a line break, and the URL that ends before it is the more likely one.
    pub(crate) is_doubtful: bool,
}

impl Escape {
    pub(crate) fn of(reads: Option<char>, len: usize) -> Escape {
        Escape { len, reads, of_path: false, is_doubtful: false }
    }

    /// Returns an escape that is valid only after the authority.
    pub(crate) fn of_path(reads: char, len: usize) -> Escape {
        Escape { of_path: true, ..Escape::of(Some(reads), len) }
    }

    /// Returns the bytes that the escape stands for: those of its character, or the letters of a
    /// ligature (B-LIGATURE).
    pub(crate) fn literal(&self) -> Option<Literal> {
        let of_character = |character: char| match letters::of_ligature(character) {
            Some(letters) => Literal::new(letters.as_bytes()),
            None => Literal::from(character),
        };
        self.reads.map(of_character)
    }

    /// Returns the escape, as the less likely reading of its bytes.
    pub(super) fn doubtful(self) -> Escape {
        Escape { is_doubtful: true, ..self }
    }

    /// Returns the escape of a character. Returns `None` for `'`, and for a character that ends
    /// every run.
    pub(crate) fn character(reads: char, len: usize) -> Option<Escape> {
        if is_unseen(reads) {
            return Some(Escape::of(None, len));
        }
        let is_read = !reads.is_ascii() || reads != '\'' && !stops::is_stop(reads as u8);
        is_read.then(|| Escape::of(Some(reads), len))
    }
}

/// Returns whether a character is the zero-width space, the word joiner or the soft hyphen. Its
/// escape stands for nothing (B-UNSEEN).
pub(crate) fn is_unseen(character: char) -> bool {
    matches!(character, '\u{200B}' | '\u{2060}' | '\u{AD}')
}
