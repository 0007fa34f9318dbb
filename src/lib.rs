//! Finds every URL in free text and gets each one right.
//!
//! A library depends on it by `cargo add urlgrep --no-default-features`, and on the
//! [features](#features) that it needs. The default feature is the command, which also compiles
//! SQLite and other C code.
//!
//! Mail, news, RFCs, source comments and logs write URLs in ways that break the usual tools:
//!
//! - `<URL:…>` wrappers continue on the next line, even inside quoted replies and comments;
//! - hyphens at the end of a line may belong to the URL or not;
//! - mailers cut bare URLs at column 72.
//!
//! This crate finds such URLs and puts them together again. For each one it reports which grammar
//! it satisfies (RFC 1738, RFC 3986, RFC 3987), or the error and its offset.
//!
//! The module [`guide`] has tasks and recipes. The module [`spec`] is the project's specification.
//! Names such as [W-HYPH-1](spec::hyphens#W-HYPH-1) or [B-JOIN](spec::bjoin#B-JOIN) refer to its
//! rules. These names appear in this documentation, in messages and in the code. [`spec`] lists the
//! page of each rule.
//!
//! # Examples
//!
//! Find URLs in a slice. A match borrows the haystack:
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
//! Get the components of a match, for any grammar, and its other readings. A doubtful URL has
//! several readings:
//!
//! ```
//! let text = "<URL:https://joe@a.example:8443/call-for-\npapers>";
//! let found = urlgrep::Extractor::new().find(text).unwrap();
//! let url = found.split();
//! assert_eq!((url.user(), url.host(), url.port()), (Some("joe"), Some("a.example"), Some(8443)));
//! assert_eq!(url.path(), "/call-for-papers");
//! assert_eq!(found.readings().nth(1).unwrap().as_ref(), "https://joe@a.example:8443/call-forpapers");
//! ```
//!
//! Use the parser by itself. It returns a URL and the grammar that fits it, or the kind and the
//! offset of the error:
//!
//! ```
//! use urlgrep::{Level, ParseErrorKind, Url};
//!
//! let url = Url::parse("http://h.example/~joe/?q=red+boats")?;
//! assert_eq!((url.level(), url.host().unwrap()), (Level::Rfc3986, "h.example".into()));
//! assert_eq!(url.query_pairs().next().unwrap(), ("q".into(), "red boats".into()));
//!
//! let error = Url::parse_at(Level::Rfc1738, "http://h.example/~joe/").unwrap_err();
//! assert_eq!((error.kind(), error.offset()), (ParseErrorKind::UnsafeGateway, 17));
//! # Ok::<(), urlgrep::ParseError>(())
//! ```
//!
//! The folder `examples` of the repository holds complete programs.
//!
//! # Which driver
//!
//! All drivers are methods of [`Extractor`], and return the same matches.
//!
//! | input | driver | memory | feature |
//! |---|---|---|---|
//! | a slice | [`find_iter`](Extractor::find_iter), [`find`](Extractor::find) | one match | |
//! | a slice, rewritten | [`segments`](Extractor::segments), [`replace_all`](Extractor::replace_all) | one match; the result | |
//! | a range of a slice | [`find_range`](Extractor::find_range) | one match | |
//! | a reader | [`stream`](Extractor::stream) | 700 KiB and a chunk | |
//! | a range of a reader that seeks, or an appended part | [`stream_range`](Extractor::stream_range) | as `stream` | |
//! | chunks that are pushed, as by a socket or an async task | [`feeder`](Extractor::feeder) | as `stream`, and the chunks pushed | |
//! | a text to copy, with broken URLs repaired, or with matches replaced | [`heal`](Extractor::heal), [`replace_stream`](Extractor::replace_stream) | as `stream` | |
//! | a slice, on all cores | `par_find` | the matches | `parallel` |
//! | a reader, on all cores | `par_stream` | some chunks per core | `parallel` |
//! | a file, or any input that can be read at an offset, on all cores | `par_read_at` | some chunks per core | `parallel` |
//! | a path to any input: text, mail, pages, packed or not | `open` | bounded buffers | `archive` |
//! | mail, news or HTML | `documents`, `par_documents` | bounded buffers | `archive` |
//! | one range of a file that several machines share | `search_range`, `find_in_range`, `search_records` | bounded buffers | `archive` |
//!
//! `par_documents` needs both features.
//!
//! # Why not a regular expression?
//!
//! A regular expression finds the URLs that stand on one line. It truncates the others, and the
//! result looks valid but is wrong. The end of a URL depends on balanced brackets, on the text
//! before it, and on the line below. A line break may belong to the URL or not. That depends on the
//! markers of the line and the width of its neighbours.
//!
//! # Features
//!
//! | feature | adds | needs |
//! |---|---|---|
//! | `cli` (default) | the command, and all below | a C compiler |
//! | `audit` | the `audit` module: the faults of a link | idna, Unicode's scripts |
//! | `archive` | `Extractor::open`, `documents` and the `archive` module: mail and news, MIME, HTML, compression | a C compiler, for zstd and liblzma; for `wasm32-wasip1` clang and the headers of wasi-libc |
//! | `parallel` | `Extractor::par_find`, `par_stream`, `par_read_at` | rayon |
//! | `report` | the `report` module: matches as text, JSON Lines and CSV; and `serde` | serde_json |
//! | `serde` | the `record` module: the fields of a match; `Serialize` for matches, with the fields of `report::JsonFormat`; URLs, levels, kinds and rules as strings, both ways | serde |
//! | `url` | matches and URLs as `url::Url` (`TryFrom`) | url |
//!
//! Without default features, the crate depends only on memchr and bstr. It does not panic on any
//! input. It does I/O only on objects that the caller passes in. [A separate page](spec::design)
//! describes how the crate is built, and the laws that all drivers obey.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
// A helper may have its only callers in a feature. The lint looks for dead code with all features.
#![cfg_attr(not(feature = "cli"), allow(dead_code))]

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
#[cfg(feature = "archive")]
pub use drive::{Brief, FileMatch, FileMatches, Place, RangeCounts, Undecoded};
pub use drive::{
    Checkpoint, Excerpt, Extractor, ExtractorBuilder, Feeder, FindIter, Halt, Match, Reason, Section, Segment,
    Segments, Sink, Stats, Stream,
};
#[cfg(feature = "parallel")]
#[doc(hidden)]
pub use drive::{WorkSource, in_order};
pub use find::{HyphenOrder, Kind, ReasonKind, RefusedHost, Rejoin, is_known_scheme, known_schemes};
pub use url::error::{ParseError, ParseErrorKind};
pub use url::level::Level;
pub use url::owned::UrlBuf;
pub use url::split::SplitUrl;
pub use url::table::Url;
