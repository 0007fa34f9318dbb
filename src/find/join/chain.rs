//! The URL before a break: the pieces that were joined so far, and the lines around the next break.

use std::borrow::Cow;
use std::ops::Range;

use super::facts;
use crate::find::end::run::RunState;
use crate::find::options::OnScreen;
use crate::find::text::left::Markers;
use crate::find::text::window::JoinWindow;

/// The greatest number of lines of a gap (B-JOIN-GAP).
const GAP_LINES: usize = 4;

/// A URL that may continue on the next line.
pub(super) struct Chain<'t> {
    /// The URL's start in the text.
    pub(super) start: usize,
    /// The URL so far.
    pub(super) head: Cow<'t, [u8]>,
    /// The offset of the URL's authority in `head`.
    pub(super) authority: usize,
    /// The end of the URL's last piece in the text.
    pub(super) end: usize,
    /// The line of that piece, and the line after it.
    pub(super) line: Range<usize>,
    pub(super) next: Range<usize>,
    /// The markers of the URL's first line.
    pub(super) markers: &'t Markers,
    /// The bracket or quote right before the URL.
    pub(super) opener: Option<u8>,
    /// The line broken before this one, if any, up to the end of the part that was kept.
    pub(super) broken: Option<Range<usize>>,
    /// The number of successive lines that were broken at the same column (B-JOIN-SCREEN).
    pub(super) breaks: usize,
    /// The screen that showed the text.
    pub(super) screen: OnScreen,
}

impl Chain<'_> {
    /// Appends a piece of the next line. The last piece ends at `cut`. Returns false if no line
    /// follows the new piece.
    pub(super) fn append(&mut self, window: &JoinWindow<'_>, cut: usize, piece: Range<usize>) -> bool {
        let kept = self.head.len() - (self.end - cut);
        self.end = piece.end;
        let piece = &window.text[piece];
        match &mut self.head {
            Cow::Borrowed(head) => {
                // There is space for a few more lines.
                let mut owned = Vec::with_capacity(4 * (kept + piece.len()));
                owned.extend_from_slice(&head[..kept]);
                owned.extend_from_slice(piece);
                self.head = Cow::Owned(owned);
            }
            Cow::Owned(head) => {
                head.truncate(kept);
                head.extend_from_slice(piece);
            }
        }
        let Some((line_end, next)) = line_after(window, self.end) else { return false };
        let width = window.width(self.line.clone());
        let is_again = self.broken.clone().is_none_or(|before| window.width(before) == width);
        self.breaks = if is_again { self.breaks + 1 } else { 1 };
        self.broken = Some(self.line.start..cut);
        self.line = self.next.start..line_end;
        self.next = after_gap(window, &self.head, next);
        true
    }

    /// Returns whether the next line may close the brackets that the head leaves open.
    pub(super) fn next_line_may_close(&self, window: &JoinWindow<'_>) -> bool {
        self.state().may_be_closed_by(&window.text[self.next.clone()])
    }

    /// Returns the state of a run after the head, which decides where the run may end.
    pub(super) fn state(&self) -> RunState {
        let is_opaque = !self.head[..self.authority].ends_with(b"/");
        RunState::new(self.opener, is_opaque).after(&self.head[self.authority..])
    }
}

/// Returns the end of the line of a run that ends at `end`, and the line after it. Only blanks may
/// stand before the line break.
pub(super) fn line_after(window: &JoinWindow<'_>, end: usize) -> Option<(usize, Range<usize>)> {
    let rest = &window.text[end..];
    let Some(blanks) = rest.iter().position(|&byte| byte != b' ' && byte != b'\t') else {
        window.touch();
        return None;
    };
    if !matches!(rest[blanks], b'\r' | b'\n') {
        return None;
    }
    let line_end = end + blanks;
    let next = window.after_break(line_end);
    if next >= window.high() {
        window.touch();
        return None;
    }
    Some((line_end, next..window.line_end(next)))
}

/// Returns whether a gap may stand between the head and its rest (B-JOIN-GAP).
pub(super) fn may_have_gap(head: &[u8]) -> bool {
    matches!(head, [.., b'=' | b'&' | b'?' | b'%'])
}

/// Returns the line below a gap that begins with `next` (B-JOIN-GAP). Returns `next` if that line
/// does not begin with the rest of the head's query.
pub(super) fn after_gap(window: &JoinWindow<'_>, head: &[u8], next: Range<usize>) -> Range<usize> {
    if !may_have_gap(head) {
        return next;
    }
    let mut line = next.clone();
    for lines in 0..=GAP_LINES {
        let text = &window.text[line.clone()];
        if !is_of_gap(text) {
            let feed = usize::from(text.starts_with(b"\x0C"));
            let holds = lines > 0 && facts::holds_query(head, first_word(text));
            return if holds { line.start + feed..line.end } else { next };
        }
        if line.end >= window.high() {
            break;
        }
        let below = window.after_break(line.end);
        line = below..window.line_end(below);
    }
    next
}

/// Matches an empty line, and one that holds only a page number of four digits or less.
fn is_of_gap(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    text.len() <= 4 && text.iter().all(u8::is_ascii_digit)
}

fn first_word(line: &[u8]) -> &[u8] {
    line.trim_ascii_start().split(u8::is_ascii_whitespace).next().unwrap_or_default()
}
