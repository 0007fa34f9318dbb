//! Parts of the command beyond the library: the audit of an archive, its database and its formats.
//!
//! An audit extends a search: matches → [`Sheet`] (filled by a worker) → [`Ledger`] → [`Report`] →
//! a [`format`].
//!
//! | module | |
//! |---|---|
//! | [`sheet`](Sheet) | what workers write down of a piece of a file |
//! | [`ledger`](Ledger) | every distinct URL once, counted; which reading of a doubtful hyphen the archive supports |
//! | [`store`] | all of it in a database, so that tomorrow's run reads only what is new |
//! | [`checked`] | what a link checker answered |
//! | `broken` | the pages that hold broken links |
//! | `spellings` | URLs that are written in more than one way |
//! | `baseline` | a former report, to tell what is new |
//! | `ignored` | what a repository says is no finding |
//! | `settled`, `examine`, [`report`](Report) | when all is read: what doubtful URLs count for, every URL looked at with every rule, and what that comes to |
//! | [`os`] | calls that each operating system has its own way for |
//! | `history` | what the dates say: years, and how long hosts and domains are spoken of |
//! | [`readers`](ReportReader) | which rules and sections each reader is shown, and in which order |
//! | [`model`] | what a report holds, as the formats show it |
//! | [`mod@format`] | the report as text, JSON, CSV, HTML, SARIF and a list of URLs |
//! | `sources` | the files of a report once more, to count columns |
//! | [`explain`] | one URL in words, and [`client`], what a client does with it |
//!

mod baseline;
mod broken;
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
mod report;
mod settled;
mod sheet;
mod sources;
mod spellings;
pub(crate) mod store;

pub(crate) use baseline::{Baseline, Comparison, FormerFinding};
pub(crate) use checked::Checked;
pub(crate) use excerpts::Excerpts;
pub(crate) use ignored::Ignored;
pub(crate) use ledger::Ledger;
pub(crate) use readers::{ReportReader, is_figure};
pub(crate) use report::{ReadCounts, Report, ReportOptions};
pub(crate) use sheet::{Recorder, Sheet};
pub(crate) use sources::Sources;
