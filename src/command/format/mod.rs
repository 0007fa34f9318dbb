//! The formats of an [audit](urlgrep::audit): for people, for scripts, for code scanners and for a
//! link checker.
//!
//! Each writer reads iterators, and writes each item as it comes. So a report of ten million links
//! is never held in memory. Writers write in small pieces, so give them a buffered output. The only
//! errors are errors of the output. They leave an incomplete document. Equal reports give equal
//! bytes.
//!
//! | module | `--format` | |
//! |---|---|---|
//! | [`text`] | `text` | a report for people: the main findings, totals, findings by severity, tables |
//! | [`json`] | `json`, `jsonl` | one document; the findings, one per line |
//! | [`csv`] | `csv` | the findings as a table |
//! | [`html`] | `html` | a page to look at: figures, charts, and all links to search and sort |
//! | [`sarif`] | `sarif` | the findings for code scanners: SARIF 2.1.0 |
//! | [`github`] | `github` | the findings as annotations of a pull request |
//! | [`junit`] | `junit` | the findings as tests of a build server |
//! | [`ioc`] | `ioc` | the links with findings, for searches of logs and for blocklists |
//! | [`urls`] | `urls` | the URLs that a link checker can check |
//!
//! # Hostile text
//!
//! Archives hold text that was written to harm, in URLs, names of files, subjects and messages.
//! Text for people is [escaped](urlgrep::report::escape), on a terminal or not. JSON and SARIF
//! write control characters, characters that reorder text, and `<` as `\uHHHH`. These escapes read
//! back as the same text, but neither a terminal nor a page around the document obeys them. CSV
//! keeps a spreadsheet from reading a cell as a formula. `urls` lists only URLs whose authority a
//! grammar accepts, and none with a control character.

pub(crate) mod csv;
pub(crate) mod github;
pub(crate) mod html;
pub(crate) mod ioc;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod sarif;
pub(super) mod show;
pub(crate) mod text;
pub(crate) mod urls;

#[cfg(test)]
mod samples;
