//! Floor 5: matches and verdicts as text, JSON Lines and CSV.
//!
//! Everything here appends to a `Vec<u8>` or returns data; where the bytes go, and whether that is a terminal, is the
//! caller's business. A renderer has no state, so any number of threads can share one, and what it writes for a match
//! depends on the match and the file's name alone.
//!
//! | module | |
//! |---|---|
//! | [`text`] | `[file:][line:][column:][offset:]url` lines, and the escaping of what is shown on a terminal |
//! | [`json`] | JSON Lines of matches and of parsed URLs: the specification of each field |
//! | [`csv`] | RFC 4180 |
//! | [`parts`] | the components of a URL, by RFC 1738 and by RFC 3986 |

pub mod csv;
pub mod json;
pub mod parts;
pub mod text;
