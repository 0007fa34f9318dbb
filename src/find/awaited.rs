//! What a search waits for at a pause (ST-5).

use crate::find::run;

/// What the next look at a colon that is not known waits for. Each look costs a run or some lines: with reads of one byte a
/// look at each would be quadratic (ST-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// Any byte: a few are enough.
    Byte,
    /// One that ends every run.
    Stop,
    /// A bracket.
    Bracket,
    /// The end of a line.
    Line,
    /// One that ends every run, or a `/`.
    SlashOrStop,
    /// So many bytes, from the colon on.
    Length(usize),
}

impl Awaited {
    /// Whether a text, from the colon on, may say more than its first `asked` bytes did; none of its first `seen` was waited
    /// for. Limits are not waited for byte by byte.
    pub(crate) fn is_over(self, text: &[u8], asked: usize, seen: usize) -> bool {
        // A break may have been half of one, and a stop may have two bytes.
        let new = &text[seen.saturating_sub(1)..];
        let has_come = match self {
            Awaited::Byte => true,
            Awaited::Stop => run::hard_stop(new, 0, new.len()).is_some(),
            Awaited::Bracket => memchr::memchr2(b'<', b'>', new).is_some(),
            Awaited::Line => memchr::memchr2(b'\n', b'\r', new).is_some(),
            Awaited::SlashOrStop => new.contains(&b'/') || run::hard_stop(new, 0, new.len()).is_some(),
            Awaited::Length(length) => text.len() >= length,
        };
        text.len() > seen && (has_come || text.len() - asked > asked / 4)
    }
}
