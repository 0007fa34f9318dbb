//! B-JOIN: does the next line go on with a bare URL that a mailer or a typist hard-wrapped?
//!
//! [`weigh()`] weighs the break after a run that touches the end of its line (spec.md 7.5; bjoin.md is the
//! exact rule). It is a pure function of a bounded window: [`JOIN_BYTES`] on either side of the first half,
//! 16 lines before and 8 after a break, [`JOIN_BREAKS`] breaks. One file per table:
//!
//! | file | bjoin.md |
//! |---|---|
//! | `weigh` | 1.1 the next line, 1.2 decided without a score, 1.6 the score |
//! | `veto` | 1.2 the patterns of its steps |
//! | `soft` | 1.2 the signs of its step 1 |
//! | `ask` | 1.3 A: what the end of the head asks for |
//! | `shape` | 1.4 U: how far the token looks like the inside of a URL |
//! | `geometry` | 1.5 the widths around the break |
//! | `words` | the lists |
//! | `run`, `line` | runs, a plain B-END, lines and widths |
//!
//! The weights were set by hand on labelled mail and news and are not to be tuned one by one: STRONG holds on
//! 192 of 216 continuations there and on none of 448 others.

mod ask;
mod geometry;
mod line;
mod run;
mod shape;
mod soft;
mod veto;
mod weigh;
mod words;

use crate::bytes::limits::{JOIN_BREAKS, JOIN_BYTES};
use crate::find::left::{LazyMarkers, Markers};
use line::Window;
pub(crate) use soft::SoftBreaks;
use std::borrow::Cow;
use std::ops::Range;
use weigh::Chain;

/// How sure a joined reading is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Strength {
    /// Score >= 3: the joined reading is an alternative.
    Fair,
    /// Score >= 6: the joined reading comes first.
    Strong,
}

impl Strength {
    fn of(score: i32) -> Option<Strength> {
        match score {
            6.. => Some(Strength::Strong),
            3.. => Some(Strength::Fair),
            _ => None,
        }
    }
}

/// A bare URL that goes on over line breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Joined {
    pub(crate) strength: Strength,
    /// Where its bytes stand in the text, two pieces or more; the first begins at the URL's start. The last
    /// one is a raw run: B-END trims the joined text once, at the very end.
    pub(crate) pieces: Vec<Range<usize>>,
    /// Their bytes, put together on the way.
    pub(crate) text: Vec<u8>,
    /// The longer text if a STRONG chain stopped at a FAIR break: one more alternative.
    pub(crate) longer: Option<Vec<Range<usize>>>,
}

/// The first break of a URL, weighed: it may be mended.
pub(crate) struct Weighed<'t> {
    pub(crate) strength: Strength,
    window: Window<'t>,
    chain: Chain<'t>,
    step: weigh::Step,
    /// Where the URL starts.
    start: usize,
}

/// Weighs the break after the run `text[start..end]`.
///
/// `start` is the first byte of the URL's scheme, `body` the offset after its `//`, or after its `:` if there
/// are none, `end` the raw end of its run (B-RUN-1, not trimmed). `text` is a window that holds
/// [`JOIN_BYTES`] before `start` and after `end`, or all that the text has there.
///
/// `markers` are those of the line of `start`; they are read when the break is worth a look.
pub(crate) fn weigh<'t>(
    text: &'t [u8],
    start: usize,
    body: usize,
    end: usize,
    markers: &'t LazyMarkers,
    soft_breaks: &'t mut SoftBreaks,
) -> Option<Weighed<'t>> {
    debug_assert!(start < body && body <= end && end <= text.len());
    let window = Window { text: &text[..text.len().min(end + JOIN_BYTES)], low: start.saturating_sub(JOIN_BYTES) };
    // Nearly every run ends within these three.
    let (line_end, next) = weigh::line_after(&window, end)?;
    let (head, authority) = (&text[start..end], body - start);
    if weigh::is_hopeless(&window, head, authority, next.clone()) {
        return None;
    }

    let mut chain = Chain {
        head: Cow::Borrowed(head),
        authority,
        end,
        line_end,
        next,
        markers: markers.get_or_init(|| Markers::of_line(text, start)),
        opener: weigh::opener(&window, start),
        broken_width: None,
        soft_breaks,
    };
    let step = weigh::next_break(&window, &mut chain)?;
    Some(Weighed { strength: step.strength, window, chain, step, start })
}

impl Weighed<'_> {
    /// Joins the break, and those after it: up to [`JOIN_BREAKS`] lines, which may each begin such a chain of their own.
    pub(crate) fn join(self) -> Option<Joined> {
        let Weighed { strength, window, mut chain, mut step, start } = self;
        let mut pieces = Vec::with_capacity(2);
        pieces.push(start..chain.end);
        let mut longer = None;
        loop {
            if step.strength < strength {
                longer = Some(joined(pieces.clone(), &step));
                break;
            }
            pieces = joined(pieces, &step);
            if !chain.go_on(&window, &step) || pieces.len() > JOIN_BREAKS {
                break;
            }
            match weigh::next_break(&window, &mut chain) {
                Some(next) => step = next,
                None => break,
            }
        }
        // What B-END would take away again is no join.
        let before = (start > window.low).then(|| window.text[start - 1]);
        (run::trimmed(&chain.head, before) > pieces[0].len()).then(|| Joined {
            strength,
            pieces,
            text: chain.head.into_owned(),
            longer,
        })
    }
}

/// Whether a plain URL certainly does not go on at `line`, the start of the next line: [`weigh()`] would refuse, and a few
/// bytes tell. False decides nothing.
///
/// `run` is that of the URL, `authority_end` the end of its host and port. These are the commonest lines below a URL; the
/// rules that refuse them stand in bjoin.md 1.1 and 1.2, in this order:
///
/// - a `<`, which ends every run and is no marker;
/// - the beginning of a URL; a ruled line; `Name: `, the beginning of a header;
/// - a word of letters and another word: U is 0 and nothing is closed, so that only an A of 3 or more could save it.
pub(crate) fn is_hopeless_line(text: &[u8], run: &Range<usize>, authority_end: usize, line: usize) -> bool {
    /// Further than this no marker, word or blank is looked at.
    const NEAR: usize = 64;
    let head = &text[run.clone()];
    // Half an escape and marks that ask for more (1.3) are left to the rules.
    let [.., before, last] = *head else { return false };
    if before == b'%' || !(last.is_ascii_alphanumeric() || b"/.,?".contains(&last)) {
        return false;
    }
    let near = &text[line..text.len().min(line + NEAR)];
    let markers = near.iter().take_while(|byte| matches!(byte, b'>' | b' ' | b'\t')).count();
    let content = &near[markers..];
    let Some(&first) = content.first() else { return false };
    let run_of = |bytes: &[u8], is_in: fn(u8) -> bool| bytes.iter().take_while(|&&byte| is_in(byte)).count();
    let is_parted = |at: usize| matches!(content.get(at), Some(b' ' | b'\t' | b'\n' | b'\r'));
    match first {
        b'<' => return true,
        b'_' | b'~' => return is_parted(content.iter().take_while(|&&byte| byte == first).count()),
        _ if !first.is_ascii_alphabetic() => return false,
        _ => {}
    }
    let letters = run_of(content, |byte| byte.is_ascii_alphabetic());
    let (word, rest) = content.split_at(letters);
    // Markers of comments (W-PFX-1), and words with a U of their own (1.4).
    const OTHERS: [&[u8]; 6] = [b"dnl", b"REM", b"rem", b"README", b"INDEX", b"FAQ"];
    if word.len() < 2 || OTHERS.contains(&word) {
        return false;
    }
    if !rest.starts_with(b" ") {
        let name = letters + run_of(rest, |byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if content.get(name) == Some(&b':') && is_parted(name + 1) || veto::begins_url(content) {
            return true;
        }
    }
    let marks = run_of(rest, |byte| b".,;:!?".contains(&byte));
    let blanks = run_of(&rest[marks..], |byte| byte == b' ');
    let goes_on = rest.get(marks + blanks).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'<');
    if blanks == 0 || !goes_on || text[run.start.saturating_sub(2)..run.start].iter().any(|b| b"([{\"'<`".contains(b)) {
        return false;
    }
    if authority_end == run.end {
        return last.is_ascii_alphanumeric() && !ask::may_be_host(head, word);
    }
    match last {
        b'/' | b',' | b'?' => true,
        b'.' => !words::is_extension(word),
        _ => last.is_ascii_alphanumeric() && !ask::may_be_half_extension(head, word),
    }
}

/// `pieces`, the last of them cut where the step says, and the step's own.
fn joined(mut pieces: Vec<Range<usize>>, step: &weigh::Step) -> Vec<Range<usize>> {
    if let Some(last) = pieces.last_mut() {
        last.end = step.cut;
    }
    pieces.push(step.piece.clone());
    pieces
}

/// Whether nothing but blanks, closers and punctuation is left on a line: its token stands alone.
fn is_closing_only(rest: &[u8]) -> bool {
    let is_closing = |byte: &u8| {
        matches!(
            byte,
            b')' | b']' | b'}' | b'"' | b'\'' | b'>' | b'.' | b',' | b';' | b':' | b'!' | b'?' | b' ' | b'\t'
        )
    };
    rest.iter().all(is_closing)
}

/// A byte of a parameter's name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// `name=`
fn starts_assignment(bytes: &[u8]) -> bool {
    let length = bytes.iter().take_while(|&&byte| is_name(byte)).count();
    length > 0 && bytes.get(length) == Some(&b'=')
}

#[cfg(test)]
mod tests;
