//! URLs: a parser of RFC 1738, of RFC 1808 references, and of the levels of RFC 3986 and RFC 3987.
//!
//! The parser reports what a string is, and what is wrong with it. It ignores the text around the
//! string. It applies the rules of the specification, and the code cites their ids (`G-FTP-2`,
//! `S-GOPHER-3`, `P-2`).
//!
//! A [`Url`] borrows the parsed bytes and adds a table of offsets. Parsing copies, decodes and
//! normalises nothing: components are split first and decoded later, on request (P-4, P-5). Absent
//! and empty components differ: `http://h` has no path, `http://h/` has an empty one.
//!
//! | item | purpose | rules |
//! |---|---|---|
//! | [`Url`], [`UrlBuf`], [`ParseOptions`], [`ParseError`] | parsing, and the common parts of URLs | G-LEX to G-PORT, section 2 |
//! | [`Parts`]: [`Ftp`] to [`Prospero`], [`Other`] | one view per scheme: its grammar and its meaning | G-FTP to G-OTHER, S-… |
//! | [`Component`], [`encode`], [`decode`] | octets of components | section 1 |
//! | [`Url::resolve`], [`Reference`], [`resolve_1808`], [`resolve_3986`] | relative URLs | G-1808, R-1808, section 6 |
//! | [`QueryPairs`] | the names and values of a query | |
//! | [`Generic`] | the components of RFC 3986 and RFC 3987 | section 8 |
//! | [`equality_key`] | the equality of URLs | section 4 |
//! | [`SplitUrl`] | the components of a URL of any level, valid or not, as text | section 8 |
//! | [`judge()`] | the strictest fitting grammar ([`Level`]) | section 8 |
//!
//! [`Url`]: crate::Url
//! [`Url::resolve`]: crate::Url::resolve
//! [`UrlBuf`]: crate::UrlBuf
//! [`ParseError`]: crate::ParseError
//! [`SplitUrl`]: crate::SplitUrl
//! [`Level`]: crate::Level

// Semicolons and lines separate groups of files. A file uses only files of earlier groups, except
// that `wais` uses `http`, and `nntp` uses `news`:
// - scheme; error; level; escape, lexical; pairs; table; components, login
// - the schemes' files; parts, generic; parse; owned; relative, rough, domain
// - plain; judge, host, equal; split; serial, whatwg
mod components;
#[cfg(feature = "domain")]
pub(crate) mod domain;
mod equal;
pub(crate) mod error;
pub(crate) mod escape;
mod file;
mod ftp;
mod generic;
mod gopher;
mod host;
mod http;
mod judge;
pub(crate) mod level;
mod lexical;
mod login;
pub(crate) mod mailto;
mod news;
mod nntp;
mod other;
pub(crate) mod owned;
mod pairs;
mod parse;
mod parts;
pub(crate) mod plain;
mod prospero;
mod relative;
pub(crate) mod rough;
pub(crate) mod scheme;
#[cfg(feature = "serde")]
pub(crate) mod serial;
pub(crate) mod split;
pub(crate) mod table;
mod telnet;
mod wais;
#[cfg(feature = "url")]
mod whatwg;

#[cfg(test)]
mod tests;

#[cfg(feature = "serde")]
pub(crate) use components::ComponentSink;
pub use components::ComponentValue;
pub use equal::equality_key;
pub use escape::{Component, decode, encode};
pub use file::File;
pub use ftp::Ftp;
pub use generic::{Generic, Misfit, resolve_3986};
pub use gopher::{Gopher, GopherPlus};
pub use host::{host, host_with};
pub use http::Http;
pub use judge::judge;
pub use level::{UnknownLevel, Verdict};
pub use mailto::Mailto;
pub use news::{News, NewsForm};
pub use nntp::Nntp;
pub use other::{Other, OtherForm};
pub use pairs::QueryPairs;
pub use parse::ParseOptions;
pub use parts::Parts;
pub use prospero::Prospero;
pub use relative::{Reference, resolve_1808};
pub use scheme::{Scheme, scheme_of};
pub use table::HostType;
pub use telnet::Telnet;
pub use wais::{Wais, WaisForm};
#[cfg(feature = "url")]
pub use whatwg::WhatwgError;

#[cfg(any(feature = "audit", feature = "serde"))]
pub(crate) use host::host_of;
#[cfg(feature = "serde")]
pub(crate) use host::in_lower_case;
pub(crate) use judge::{judge_any, judge_with};
#[cfg(feature = "audit")]
pub(crate) use judge::{plain_verdict, verdict_of};
