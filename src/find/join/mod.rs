//! B-JOIN: whether the next line continues a bare URL that a mailer or a typist hard-wrapped.
//!
//! [`weigh()`] weighs the break after a run that touches the end of its line. It is a pure function
//! of a bounded window. The window has [`JOIN_BYTES`] bytes on each side of the first half, and at
//! most [`JOIN_BREAKS`] breaks. It has at most 16 lines before each break and 8 after it. Each row
//! of the rule's tables is a line of code here, marked with the row's id. `facts::Sides` has a
//! field for each term of the tables: head, raw, tok, rest and alone.
//!
//! | file | ids |
//! |---|---|
//! | `weigh` | B-JOIN-N: the next line; -Q2, -Q, -S, -V0A, -V0B, decided without the card; the card's sum and bounds |
//! | `veto` | B-JOIN-V: the vetoes, which no weight overrides; the commands of -CAP |
//! | `card` | B-JOIN-CARD: the weights, the thresholds |
//! | `facts` | B-JOIN-F: the facts on both sides of a break |
//! | `breaks` | a break, and the facts of its lines |
//! | `chain` | the URL before a break |
//! | `margin` | B-JOIN-FILLED, -FOLD: lines that a program cut at its margin |
//! | `page` | B-JOIN-PAGE: the widths around the break |
//! | `record` | B-JOIN-F-RECORD, -V-RECORD: records that begin alike |
//! | `screen` | B-JOIN-SCREEN: lines that a screen filled |
//! | `host` | B-JOIN-V-HOST: hosts that continue |
//! | `soft` | B-JOIN-Q: the signs of quoted-printable |
//! | `reject` | quick tests of the line below a URL |
//! | `tokens` | the classes of a token's bytes |
//! | `table` | the notation of refusing rows |

mod breaks;
mod card;
mod chain;
mod explain;
mod facts;
mod host;
mod margin;
mod page;
mod record;
mod reject;
mod screen;
mod soft;
mod table;
mod tokens;
mod veto;
mod weigh;

use crate::bytes::limits::{JOIN_BREAKS, JOIN_BYTES};
use crate::find::options::OnScreen;
use crate::find::text::left::{LazyMarkers, Markers};
use crate::find::text::stops;
use crate::find::text::view::View;
use crate::find::text::window::JoinWindow;
use chain::Chain;
pub(crate) use reject::rejects_line;
use std::borrow::Cow;
use std::ops::Range;
pub(crate) use table::NoJoin;
pub(crate) use weigh::Strength;

/// A bare URL that continues over line breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Joined<R> {
    /// The places of the URL's bytes in the text, two pieces or more. The first piece begins at the
    /// URL's start. The last piece is a raw run. B-END trims the joined text once, at the very end.
    pub(crate) pieces: Vec<Range<usize>>,
    /// The joined bytes of the pieces.
    pub(crate) text: Vec<u8>,
    /// The run of the joined text.
    pub(crate) run: R,
    /// The pieces of a longer text, if the chain stopped at a break that may be inside the URL.
    /// Then the joined text may be half a URL.
    pub(crate) longer: Option<Vec<Range<usize>>>,
    /// The joined text ends at the last column of a screen, so the longer text is the more doubtful
    /// one (B-JOIN-SCREEN).
    pub(crate) fills_screen: bool,
    /// The window ends inside the URL, or the URL has more breaks than a chain may.
    pub(crate) is_cut: bool,
}

/// The first break of a URL, after weighing. The lines may be joined there.
pub(crate) struct Weighed<'t> {
    /// The strength of the join. It applies only if the joined text is a whole URL (see
    /// [`Joined::longer`]).
    pub(crate) strength: Strength,
    text: &'t View<'t>,
    window: JoinWindow<'t>,
    chain: Chain<'t>,
    step: weigh::Step,
}

/// Weighs the break after the run `text[start..end]`.
///
/// `start` is the first byte of the URL's scheme, and `body` is the offset after its `//` or `:`.
/// `end` is the raw end of its run (B-RUN-1, not trimmed). `text` must hold
/// [`JOIN_BYTES`] bytes before `start` and after `end`, or all bytes that exist there.
///
/// `markers` are the markers of the line of `start`, which are read here on first use. `screen`
/// describes the screen that showed the text.
pub(crate) fn weigh<'t>(
    text: &'t View<'t>,
    start: usize,
    body: usize,
    end: usize,
    markers: &'t LazyMarkers,
    screen: OnScreen,
) -> Result<Weighed<'t>, NoJoin> {
    debug_assert!(start < body && body <= end && end <= text.len());
    let window = JoinWindow::new(text, start.saturating_sub(JOIN_BYTES), end + JOIN_BYTES);
    let markers = markers.get_or_init(|| Markers::of_line(text, start));
    let opener = weigh::opener(&window, start);
    let (line_end, next) = chain::line_after(&window, end).ok_or(NoJoin::Forbidden("B-JOIN-N-BLANK"))?;
    let head = &text[start..end];
    let next = chain::after_gap(&window, head, next);
    let chain = Chain {
        start,
        head: Cow::Borrowed(head),
        authority: body - start,
        end,
        line: window.line_start(end)..line_end,
        next,
        markers,
        opener,
        broken: None,
        breaks: 0,
        screen,
    };
    let found = weigh::next_break(&window, &chain);
    explain::first(&chain, text, &found);
    let step = found?;
    Ok(Weighed { strength: step.strength()?, text, window, chain, step })
}

impl Weighed<'_> {
    /// Joins the lines at this break and at later breaks (B-JOIN-CHAIN), at most [`JOIN_BREAKS`] in
    /// all. `read` reads the run of a joined text, and returns the run's end and the run. The chain
    /// stops if the run does not reach into the line joined last.
    pub(crate) fn join<R>(self, mut read: impl FnMut(&[u8]) -> (usize, R)) -> Joined<R> {
        let Weighed { text, window, mut chain, mut step, .. } = self;
        let high = chain.end + JOIN_BYTES;
        let mut pieces = Vec::with_capacity(4);
        pieces.push(chain.start..chain.end);
        let (mut longer, mut fills_screen, mut is_cut) = (None, false, false);
        let run = loop {
            pieces = joined(pieces, &step);
            let has_next_line = chain.append(&window, step.cut, step.piece.clone());
            let (run_end, run) = read(&chain.head);
            if run_end <= chain.head.len() - step.piece.len()
                || run_end < chain.head.len() && !chain.next_line_may_close(&window)
            {
                break run;
            }
            if !has_next_line {
                is_cut = chain.end == high && text.byte(high).is_some_and(|byte| !stops::is_stop(byte));
                break run;
            }
            let is_full = pieces.len() > JOIN_BREAKS;
            let found = weigh::next_break(&window, &chain);
            explain::later(&chain, text, &found);
            match found {
                Ok(next) if is_full => {
                    is_cut = next.continues();
                    break run;
                }
                Ok(next) if next.continues() => step = next,
                Ok(next) => {
                    longer = next.may_continue().then(|| joined(pieces.clone(), &next));
                    fills_screen = next.ends_screen;
                    break run;
                }
                Err(_) => break run,
            }
        };
        Joined { pieces, text: chain.head.into_owned(), run, longer, fills_screen, is_cut }
    }
}

/// Returns `pieces`, with the last one cut at `step.cut`, followed by the piece of `step`.
fn joined(mut pieces: Vec<Range<usize>>, step: &weigh::Step) -> Vec<Range<usize>> {
    if let Some(last) = pieces.last_mut() {
        last.end = step.cut;
    }
    pieces.push(step.piece.clone());
    pieces
}

#[cfg(test)]
mod tests;
