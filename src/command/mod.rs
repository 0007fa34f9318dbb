//! Parts of the command beyond the library: the audit of an archive, its database and its formats.
//!
//! An audit extends a search: matches → [`Sheet`] (filled by a worker) → [`Ledger`] → [`Report`] →
//! a [`format`].
//!
//! | module | |
//! |---|---|
//! | [`sheet`](Sheet) | the records of workers about a piece of a file |
//! | [`ledger`](Ledger) | every distinct URL once, counted; the reading of a doubtful hyphen that the archive supports |
//! | [`store`] | the audit in a database, so that the next run reads only new text |
//! | [`checked`] | the results of a link checker |
//! | `recent` | the text around places without its secrets, searched once for neighbouring places |
//! | `broken` | the pages that hold broken links |
//! | `spellings` | URLs with more than one spelling |
//! | `baseline` | an earlier report, to find new findings |
//! | `ignored` | the findings that a repository ignores |
//! | `settled`, `examine`, [`report`](Report) | the steps after reading: the choice among readings of doubtful URLs, all rules on every URL, and the report |
//! | [`os`] | calls that differ between operating systems |
//! | `history` | figures from dates: years, and the first and last year of schemes, hosts and domains |
//! | [`readers`](ReportReader) | the rules and sections of each reader, in order |
//! | `readings` | the readings of a doubtful URL |
//! | [`model`] | the content of a report, for the formats |
//! | [`mod@format`] | the report as text, JSON, CSV, HTML, SARIF and others |
//! | `sources` | a second pass over the files of a report, to count columns |
//! | `veil` | the one place that hides secrets in the strings of a report |
//! | [`explain`] | one URL in words, and [`client`], the requests of a client |
//!

mod baseline;
mod broken;
pub(crate) mod cells;
pub(crate) mod checked;
pub(crate) mod client;
mod examine;
mod excerpts;
pub(crate) mod explain;
pub(crate) mod format;
mod history;
mod ignored;
mod ledger;
pub(crate) mod model;
pub(crate) mod os;
mod readers;
mod readings;
mod recent;
mod report;
mod settled;
mod sheet;
mod sources;
mod spellings;
pub(crate) mod store;
pub(crate) mod veil;

pub(crate) use baseline::{Baseline, FormerFinding};
pub(crate) use checked::Checked;
pub(crate) use excerpts::Excerpts;
pub(crate) use ignored::Ignored;
pub(crate) use ledger::Ledger;
pub(crate) use readers::{ReportReader, is_figure};
pub(crate) use report::{ReadCounts, Report, ReportOptions};
pub(crate) use sheet::{Recorder, Sheet};
pub(crate) use sources::Sources;
