//! Drivers, which read and search an input. Each is a thin layer over one loop (`match_loop`), so
//! the drivers cannot disagree (P6).
//!
//! | task | file |
//! |---|---|
//! | the options of a search | `extractor` |
//! | matches; counts, refusals | `matches`, `stats` |
//! | display, comparison and order of matches; conversions | `order`, `convert` |
//! | the lines around a match | `excerpt` |
//! | the decisions that led to a match | `why` |
//! | the receivers of matches | `sink` |
//! | the wanted part of an input, and the start of a later search | `section` |
//! | the conversion of a search's events into matches | `match_loop`, `lines` |
//! | a slice, and a range of it | `slice` |
//! | a slice as text and links, rewritten | `segments` |
//! | a range of a file on its own | `range` |
//! | any `Read`, and a range of any `Read + Seek` | `stream` |
//! | chunks that are pushed | `feeder` |
//! | a text copied with broken URLs on one line | `heal` |
//! | all cores on one input, and the stitching that makes the result exact (P4) | `parallel` |
//! | the chunks of that search | `chunks` |
//! | work on rayon's threads, results in order | `work` |
//! | the texts of mail, news and HTML | `mail` |
//! | any file or folder at a path | `files` |
//! | the place of a match in an archive | `place` |
//! | the start of a range's search (P4) | `sync` |

#[cfg(feature = "parallel")]
mod chunks;
mod convert;
mod excerpt;
mod extractor;
mod feeder;
#[cfg(feature = "archive")]
mod files;
mod heal;
mod lines;
#[cfg(feature = "archive")]
mod mail;
mod match_loop;
mod matches;
mod order;
#[cfg(feature = "parallel")]
mod parallel;
#[cfg(feature = "archive")]
mod place;
#[cfg(feature = "archive")]
mod range;
mod section;
mod segments;
mod sink;
mod slice;
mod stats;
mod stream;
mod sync;
mod why;
mod work;

pub use excerpt::Excerpt;
pub use extractor::{Extractor, ExtractorBuilder};
pub use feeder::Feeder;
#[cfg(feature = "archive")]
pub use files::{FileMatch, FileMatches};
#[cfg(feature = "report")]
pub(crate) use lines::LinePlace;
pub use matches::Match;
#[cfg(feature = "archive")]
pub use place::{Brief, Place, Undecoded};
#[cfg(feature = "archive")]
pub use section::RangeCounts;
pub use section::{Checkpoint, Section};
pub use segments::{Segment, Segments};
pub use sink::Sink;
pub use slice::FindIter;
pub use stats::Stats;
pub use stream::Halt;
pub use stream::Stream;
pub use why::Reason;
#[cfg(feature = "parallel")]
pub use work::{WorkSource, in_order};
