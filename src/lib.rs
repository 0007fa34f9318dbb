//! Finds every URL in free text and gets each one right.
//!
//! Mail, news, RFCs, source comments and logs write URLs in ways that break the usual tools: `<URL:…>` wrappers that go
//! on in the next line, also inside quoted replies and comments; hyphens at a line's end that may belong to the URL or
//! not; bare URLs that a mailer cut at column 72. This crate finds them, puts them together again, and says of each one
//! which grammar it satisfies (RFC 1738, RFC 3986, RFC 3987), or at which byte and why not.
//!
//! The rules are those of the project's specification, the module [`spec`]. Names such as
//! [W-HYPH-1](spec::hyphens#W-HYPH-1) or [B-JOIN](spec::bjoin#B-JOIN) in this documentation, in messages and in the code
//! are its rules; [`spec`] says where each stands.
//!
//! # Examples
//!
//! URLs in a slice. A match borrows the haystack:
//!
//! ```
//! use urlgrep::{Extractor, Kind};
//!
//! let text = "> I found it under <URL:ftp://ds.in\n> ternic.net/rfc> (or http://a.example/x)."; // or bytes
//! let extractor = Extractor::new();
//! let found: Vec<_> = extractor.find_iter(text).collect();
//! assert_eq!(found[0].url(), "ftp://ds.internic.net/rfc");
//! assert_eq!(found[0].kind(), Kind::Wrapped);
//! assert_eq!(found[1].url(), "http://a.example/x");
//! assert_eq!(&text[found[1].range()], "http://a.example/x");
//! ```
//!
//! URLs in a stream of any length, in bounded memory:
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! let input = &b"first http://a.example/ and then <mailto:joe@b.example>"[..]; // any `Read`
//! let mut stream = urlgrep::Extractor::new().stream(input);
//! let mut kinds = Vec::new();
//! while let Some(found) = stream.next()? {
//!     kinds.push(found.kind().as_str());
//! }
//! assert_eq!(kinds, ["bare", "angle"]);
//! # Ok(())
//! # }
//! ```
//!
//! A doubtful place has several readings, the preferred one first:
//!
//! ```
//! let text = "<URL:http://a.example/call-for-\npapers>";
//! let found = urlgrep::Extractor::new().find(text).unwrap();
//! let readings: Vec<_> = found.readings().map(|url| url.to_string()).collect();
//! assert_eq!(readings, ["http://a.example/call-for-papers", "http://a.example/call-forpapers"]);
//! ```
//!
//! The parser by itself: components, or the kind and the offset of the error.
//!
//! ```
//! use urlgrep::{ParseErrorKind, Url};
//!
//! let url = Url::parse("gopher://h.example:70/7sel%09query").unwrap();
//! assert_eq!(url.host().unwrap(), "h.example");
//! assert_eq!(url.port_effective(), Some(70));
//!
//! let error = Url::parse("http://h.example/~joe/").unwrap_err();
//! assert_eq!((error.kind(), error.offset()), (ParseErrorKind::UnsafeGateway, 17));
//! ```
//!
//! Another text in the place of each URL:
//!
//! ```
//! let shown = urlgrep::Extractor::new().replace_all("see http://a.example/.", |found| format!("[{found}]({found})"));
//! assert_eq!(*shown, "see [http://a.example/](http://a.example/).");
//! ```
//!
//! # Why not a regular expression?
//!
//! One finds the URLs that stand on one line, and cuts the others to something that looks valid and is wrong. Where a
//! URL ends depends on brackets that must balance, on what stands before it, and on the line below; whether a break is
//! part of it depends on the markers of the line and the width of its neighbours.
//!
//! # Design
//!
//! Data flows one way: bytes → window → anchor → extent or body → readings → verdict → match → sink. A file knows only the
//! floors below its own, and files use each other in no circle. What is right is [`spec`]; the code cites its rules where
//! it does them.
//!
//! | floor | what | where |
//! |---|---|---|
//! | 0 | byte classes, letters, limits, vectors ([`Backend`]) | `bytes` |
//! | 1 | the parser: schemes, errors, references, levels | [`url`] |
//! | 1 | archives: bytes in, parts of messages out; knows nothing of URLs | `archive` |
//! | 2 | the finder: one search loop over candidate colons | `find` |
//! | 3 | the drivers: slice, stream, parallel, range, mail, and where to go on ([`Checkpoint`]) | [`Extractor`] |
//! | 4 | audits: what is wrong with a link | `audit` |
//! | 5 | a match as a record: what reports and serde are told of it | `record` |
//! | 6 | reports: matches and single URLs as text, JSON and CSV | `report` |
//! | 7 | of the binary: the audit of an archive, its database and its formats | `command` |
//! | 8 | of the binary: arguments, files and output | `main.rs`, `cli` |
//!
//! # Laws
//!
//! - **P1 Purity** What begins at a place is a function of the text around it: never of earlier matches, chunks or threads.
//! - **P2 Bounded** It depends on a bounded number of bytes on either side. Longer things are refused by definition, the
//!   same everywhere; `bytes::limits` holds the numbers ([ST-2](spec::streaming#ST-2), [ST-3](spec::streaming#ST-3)).
//! - **P3 Ownership** A match belongs to the chunk or range in which its span starts.
//! - **P4 Stitch** What overlaps between chunks is settled in order, afterwards; a range begins its search where no
//!   candidate's span lies.
//! - **P5 Linear** No input costs more than linear time.
//! - **P6 Nothing hidden** Slice, stream, parallel and range give the same matches, byte for byte, however the input is
//!   cut ([ST-1](spec::streaming#ST-1)).
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `cli` (default) | the command, and all below |
//! | `audit` | the `audit` module: what is wrong with a link; idna and Unicode's scripts |
//! | `archive` | `Extractor::documents` and the `archive` module: mail and news, MIME, HTML, compression |
//! | `parallel` | `Extractor::par_find`, `par_stream`, `par_read_at`; rayon |
//! | `report` | the `report` module: matches as text, JSON Lines and CSV; and `serde` |
//! | `serde` | the `record` module: the fields of a match; `Serialize` for matches, with those of `report::JsonFormat`; URLs, levels, kinds and rules as strings, both ways |
//! | `url` | matches and URLs as `url::Url` (`TryFrom`) |
//!
//! Without default features the crate depends on memchr and bstr only. No panic on any input; no I/O but
//! what the caller hands in.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

#[cfg(feature = "archive")]
pub mod archive;
#[cfg(feature = "audit")]
pub mod audit;
mod bytes;
mod drive;
mod find;
#[cfg(doc)]
pub mod guide;
#[cfg(feature = "serde")]
pub mod record;
#[cfg(feature = "report")]
pub mod report;
#[cfg(doc)]
pub mod spec;
#[cfg(test)]
mod turns;
pub mod url;

#[cfg(any(feature = "archive", feature = "parallel"))]
pub use bytes::read_at::ReadAt;
pub use bytes::roll::DamagedEnd;
pub use bytes::simd::Backend;
#[cfg(any(feature = "archive", feature = "parallel"))]
pub use drive::Sink;
#[cfg(feature = "archive")]
pub use drive::{Brief, FileMatch, FileMatches, Place, RangeCounts, Undecoded};
pub use drive::{Checkpoint, Excerpt, Extractor, ExtractorBuilder, FindIter, Halt, Match, Section, Stats, Stream};
#[cfg(feature = "parallel")]
#[doc(hidden)]
pub use drive::{WorkSource, in_order};
pub use find::{HyphenOrder, Kind, RefusedHost, Rejoin, is_known_scheme, known_schemes};
pub use url::error::{ParseError, ParseErrorKind};
pub use url::level::Level;
pub use url::owned::UrlBuf;
pub use url::table::Url;
