//! Drivers, which read and search an input. Each is a thin layer over one loop (`match_loop`), so
//! that they cannot disagree (P6).
//!
//! | what | file |
//! |---|---|
//! | what to look for | `extractor` |
//! | what was found, counted, refused | `matches`, `stats` |
//! | matches shown, compared, sorted; as other types | `order`, `convert` |
//! | the lines around a match | `excerpt` |
//! | what takes it | `sink` |
//! | what is wanted of an input, and where a later search goes on | `section` |
//! | from a search's events to matches | `match_loop`, `lines` |
//! | a slice, and a range of it | `slice` |
//! | a slice as text and links, written anew | `segments` |
//! | a range of a file, by itself | `range` |
//! | any `Read`, and a range of any `Read + Seek` | `stream` |
//! | chunks that are pushed | `feeder` |
//! | a text copied with broken URLs on one line | `heal` |
//! | all cores on one input, and the stitch that makes that exact (P4) | `parallel` |
//! | the chunks they search | `chunks` |
//! | work on rayon's threads, results in order | `work` |
//! | the texts of mail, news and HTML | `mail` |
//! | whatever lies at a path | `files` |
//! | where in an archive a match stands | `place` |
//! | where a range may begin its search (P4) | `sync` |

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
#[cfg(any(feature = "archive", feature = "parallel"))]
mod sink;
mod slice;
mod stats;
mod stream;
mod sync;
#[cfg(any(feature = "archive", feature = "parallel"))]
mod work;

pub use excerpt::Excerpt;
pub use extractor::{Extractor, ExtractorBuilder};
pub use feeder::Feeder;
#[cfg(feature = "archive")]
pub use files::{FileMatch, FileMatches};
pub use matches::Match;
#[cfg(feature = "archive")]
pub use place::{Brief, Place, Undecoded};
#[cfg(feature = "archive")]
pub use section::RangeCounts;
pub use section::{Checkpoint, Section};
pub use segments::{Segment, Segments};
#[cfg(any(feature = "archive", feature = "parallel"))]
pub use sink::Sink;
pub use slice::FindIter;
pub use stats::Stats;
pub use stream::Halt;
pub use stream::Stream;
#[cfg(feature = "parallel")]
pub use work::{WorkSource, in_order};
