//! The finder: from a colon in the text to a match, as offsets.
//!
//! Everything depends on the colon: `<URL:`, `URL:`, `http://` and `mailto:` all have a colon. For
//! a name without a scheme, the first dot replaces the colon (B-WWW). [`Search`] walks over the
//! candidate colons (`anchor`) and resolves the match at each. It keeps the earliest match that
//! does not overlap the previous one.
//!
//! | step | file | rules |
//! |---|---|---|
//! | the loop | `search` | leftmost first, without overlap |
//! | candidate colons | `anchor` | no false negatives |
//! | plain URLs, in one pass | `fast` | no rule applies to them |
//! | the output of the search | `events` | |
//! | the text ahead | `view` | ST-5 |
//! | the form of URL at a colon | `resolve` | W-FORM, P-FORM, and the order of the rest |
//! | the known schemes | `schemes` | K, L, section 10 |
//! | the start of a URL | `start` | B-START |
//! | the end of its run | `run`, `extent` | B-RUN, B-LIST, B-AUTH, B-HOST, B-MAIL, B-NEWS, B-UNI, B-ANGLEID, B-MAX |
//! | names without a scheme | `www` | B-WWW |
//! | defanged URLs | `refang` | B-REFANG |
//! | placeholder and defanged hosts | `unwritten`, `refused` | B-NOHOST |
//! | the bytes that end every run | `stops` | B-RUN-1 |
//! | non-ASCII letters | `beyond`, `ahead` | B-UNI-1, B-UNI-3 |
//! | the delimiter before the URL | `delimiter` | B-CLOSED |
//! | fields of records | `sheet` | B-SHEET |
//! | the end of the URL | `trim` | B-END |
//! | runs with escapes | `escapes` | B-BACK, B-ENT, B-JSON, B-ROFF, B-TERM, B-UNSEEN |
//! | lines | `lines` | their starts and ends |
//! | line starts and markers | `left` | W-PFX |
//! | wrapped and angle bodies | `wrapped` | section 7.1, W-TWO, W-INNER |
//! | doubtful hyphens | `readings`, `judge` | W-HYPH, levels |
//! | bare readings | `bare`, `stars` | B-HYPH, B-UNI-1, B-STARS |
//! | evidence for a broken bare URL | `join` | B-JOIN |
//! | broken URLs that one line can hold | `whole` | |
//! | linear time on hostile text | `opaque` | ST-2 |
//! | matches and options | `matches`, `options` | |
//!
//! # Purity (P1)
//!
//! The match at a colon is a function of the options and the text around the colon ([`LOOKBEHIND`],
//! [`LOOKAHEAD`]). The only state that may hide a match is the end of the last match. The caches,
//! such as [`opaque::Opaque`], hold facts that could be computed from the text again at any time.

mod ahead;
mod anchor;
mod bare;
mod beyond;
mod delimiter;
mod escapes;
mod events;
mod extent;
mod fast;
mod join;
mod judge;
mod left;
mod lines;
mod matches;
mod opaque;
mod options;
mod readings;
mod refang;
mod refused;
mod resolve;
mod run;
mod schemes;
mod search;
mod sheet;
mod stars;
mod start;
mod stops;
mod trim;
mod unwritten;
mod view;
mod whole;
mod wrapped;
#[cfg(feature = "domain")]
mod www;

pub(crate) use crate::bytes::limits::LOOKBEHIND;
#[cfg(feature = "archive")]
pub(crate) use anchor::Anchors;
pub(crate) use events::{Event, EventSink};
pub(crate) use matches::{Hit, Pieces, PlainMatch, RawMatch, Refusal};
pub use matches::{Kind, RefusedHost};
pub(crate) use options::Options;
pub use options::{HyphenOrder, Rejoin};
#[cfg(feature = "report")]
pub(crate) use refang::TWINS;
pub(crate) use resolve::more_readings;
pub use schemes::{is_known as is_known_scheme, known as known_schemes};
pub(crate) use search::{LONGEST_SPAN, LOOKAHEAD, MARGIN, Pause, Search, Window};
pub(crate) use sheet::Sheets;
pub(crate) use whole::whole;
