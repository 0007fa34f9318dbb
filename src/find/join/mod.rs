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
mod shape;
mod soft;
mod trimmed;
mod veto;
mod weigh;
mod words;

use crate::bytes::limits::{JOIN_BREAKS, JOIN_BYTES};
use crate::find::left::{LazyMarkers, Markers};
use line::JoinWindow;
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
    window: JoinWindow<'t>,
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
    let window = JoinWindow { text: &text[..text.len().min(end + JOIN_BYTES)], low: start.saturating_sub(JOIN_BYTES) };
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
        (trimmed::trimmed(&chain.head, before) > pieces[0].len()).then(|| Joined {
            strength,
            pieces,
            text: chain.head.into_owned(),
            longer,
        })
    }
}

/// Whether a plain URL certainly does not go on at `line`, the start of the next line: [`decide`] would refuse, and a few
/// bytes tell. False decides nothing.
///
/// `run` is that of the URL, `authority_end` the end of its host and port. These are the commonest lines below a URL;
/// the rules that refuse them stand in bjoin.md 1.1 and 1.2, in this order:
///
/// - nothing, or nothing but marks and blanks;
/// - a marker that the first line has not, and below one that it has, and below reply markers:
/// - a `<`, which ends every run and is no marker; a bracket, for which U is 0;
/// - the beginning of a URL; `Name: `, the beginning of a header;
/// - a word and another one: U is 0 and nothing is closed, so that only an A of 3 or more could save it.
pub(crate) fn is_hopeless_line(text: &[u8], run: &Range<usize>, authority_end: usize, line: usize) -> bool {
    /// Further than this no marker, word or blank is looked at.
    const NEAR: usize = 96;
    let head = &text[run.clone()];
    // Half an escape and marks that ask for more (1.3) are left to the rules, and so is what a bracket holds (1.6).
    let [.., before, last] = *head else { return false };
    if before == b'%' || !(last.is_ascii_alphanumeric() || b"/.,?".contains(&last)) {
        return false;
    }
    if text[run.start.saturating_sub(2)..run.start].iter().any(|byte| b"([{\"'<`".contains(byte)) {
        return false;
    }
    let near = &text[line..text.len().min(line + NEAR)];
    let run_of = |bytes: &[u8], is_in: fn(u8) -> bool| bytes.iter().take_while(|&&byte| is_in(byte)).count();
    let marks = run_of(near, |byte| b"> \t-_~=*#+^.|".contains(&byte));
    if matches!(near.get(marks), Some(b'\n' | b'\r')) {
        return true;
    }
    let mut content = &near[run_of(near, |byte| matches!(byte, b'>' | b' ' | b'\t'))..];
    // A marker that the first line may have or not: one that it has is taken off, one that it has not is a surplus.
    if let [b'*' | b'#' | b';' | b'%' | b'!' | b'|', b' ', rest @ ..] | [b'"', rest @ ..] = content {
        content = &rest[run_of(rest, |byte| byte == b' ')..];
    }
    match content.first() {
        Some(b'<' | b'(' | b'[' | b'{') => return true,
        Some(first) if first.is_ascii_alphanumeric() => {}
        _ => return false,
    }
    let word_end = run_of(content, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'-'));
    let (word, rest) = content.split_at(word_end);
    // Markers of comments (W-PFX-1), and words with a U of their own (1.4).
    const OTHERS: [&[u8]; 8] = [b"C", b"c", b"dnl", b"REM", b"rem", b"README", b"INDEX", b"FAQ"];
    if OTHERS.contains(&word) {
        return false;
    }
    let is_parted = |at: usize| matches!(rest.get(at), Some(b' ' | b'\t' | b'\n' | b'\r'));
    if !rest.starts_with(b" ") && content[0].is_ascii_alphabetic() {
        let is_label = rest.starts_with(b":") && is_parted(1) && !word.contains(&b'\'');
        if is_label || veto::begins_url(content) {
            return true;
        }
    }
    let marks = run_of(rest, |byte| b".,;:!?)".contains(&byte));
    let blanks = run_of(&rest[marks..], |byte| byte == b' ');
    let goes_on = rest.get(marks + blanks).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'<');
    if blanks == 0 || !goes_on {
        return false;
    }
    let lead = &word[..run_of(word, |byte| byte.is_ascii_alphanumeric())];
    if authority_end == run.end {
        return last.is_ascii_alphanumeric() && !ask::may_be_host(head, lead);
    }
    match last {
        b'/' | b',' | b'?' => true,
        b'.' => !words::is_extension(lead),
        _ => last.is_ascii_alphanumeric() && !ask::may_be_half_extension(head, lead),
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
