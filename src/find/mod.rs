//! The finder: from a colon in the text to a match, as offsets.
//!
//! Everything depends on the colon: `<URL:`, `URL:`, `http://` and `mailto:` all have a colon. For
//! a name without a scheme, the first dot (B-WWW) or the first slash (B-NAME) replaces the colon.
//! [`Search`] walks over the candidate colons (`anchor`) and resolves the match at each. It keeps
//! the earliest match that does not overlap the previous one.
//!
//! # Floors
//!
//! Each floor uses only those below it (`tests/floors.rs`).
//!
//! | floor | what is there |
//! |---|---|
//! | [`lane`] | the search loop, candidate colons, and plain URLs in one pass |
//! | [`forms`] | the form of URL at a colon, its readings, and the one reread of a layer |
//! | [`join`] | the evidence that a bare URL continues on the next line (B-JOIN) |
//! | [`end`] | the authority and the run of a URL, and the marks at its end (B-AUTH, B-RUN, B-END) |
//! | [`start`] | the start of a URL (B-START) |
//! | [`text`] | the text read so far, its lines and markers, and its layers |
//! | [`mod@matches`], [`options`], [`schemes`], [`why`] | the values that pass between the floors |
//!
//! # From a text to a match
//!
//! 1. `lane::search` looks for the next colon at which something may begin (`lane::anchor`). Nearly
//!    every URL is plain, and `lane::fast` reads it in one pass.
//! 2. `forms::resolve` decides what begins at any other colon. This is a wrapper (`wrapped`), a
//!    prefixed or bare URL (`bare`), or a refused candidate (`refused`). A name without a scheme
//!    begins before a dot or a slash (`names`).
//! 3. For a bare URL, `start` finds the first byte, and `end::extent` reads its run.
//! 4. If the run ends at an escape or in a cell, `forms::reread` reads the text again. It reads
//!    what the layer means (`text::layers`), and step 3 applies there unchanged.
//! 5. If the run ends where its line ends, `join` weighs whether the URL continues.
//! 6. The match holds its readings as pieces of the source. The rules offer every reading after the
//!    first to the view (`View::offer`), each with the id of its rule. The view makes them only if
//!    they are wanted. If not, `resolve::rest_of` makes them on demand.
//! 7. If the view has a trace ([`why`]), the rules note each decision on this way. Only
//!    `Match::explain` searches so.
//!
//! A new kind of escape is one file in `text::layers`, and one row of its table.
//!
//! # Purity (P1)
//!
//! The match at a colon is a function of the options and the text around the colon ([`LOOKBEHIND`],
//! [`LOOKAHEAD`]). The only state that may hide a match is the end of the last match. The caches,
//! such as [`Opaque`](end::opaque::Opaque), hold facts that could be computed from the text again
//! at any time.

mod end;
mod forms;
mod join;
mod lane;
mod matches;
mod options;
mod schemes;
mod start;
mod text;
mod why;

pub(crate) use crate::bytes::limits::LOOKBEHIND;
#[cfg(feature = "report")]
pub(crate) use forms::refang::TWINS;
pub(crate) use forms::resolve::{explain, rest_of};
#[cfg(feature = "archive")]
pub(crate) use lane::anchor::Anchors;
pub(crate) use lane::events::{Event, EventSink};
pub(crate) use lane::search::{LONGEST_SPAN, LOOKAHEAD, MARGIN, Pause, Search, Window};
pub(crate) use lane::whole::whole;
pub(crate) use matches::{Hit, Pieces, PlainMatch, RawMatch, Reading, Refusal, Rest};
pub use matches::{Kind, RefusedHost};
pub use options::{HyphenOrder, Rejoin};
pub(crate) use options::{Options, Sheets};
pub use schemes::{is_known as is_known_scheme, known as known_schemes};
#[cfg(feature = "report")]
pub(crate) use text::window::columns;
pub use why::ReasonKind;
pub(crate) use why::Ruling;
pub(crate) use why::{words_in, words_of};
