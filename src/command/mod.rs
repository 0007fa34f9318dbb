//! What only the command needs: outside every promise, public so that the command, tests and fuzzers reach it.
//!
//! An audit flows as a search does, and on: matches → [`Sheet`] (a worker's) → [`Ledger`] → [`Report`] → a [`format`].
//!
//! | module | |
//! |---|---|
//! | [`sheet`](Sheet) | what workers write down of a piece of a file |
//! | [`ledger`](Ledger) | every distinct URL once, counted; which reading of a doubtful hyphen the archive supports |
//! | [`store`] | all of it in a database, so that tomorrow's run reads only what is new |
//! | [`checked`] | what a link checker answered |
//! | `baseline` | a former report, to tell what is new |
//! | `settled`, `examine`, [`report`](Report) | when all is read: what doubtful URLs count for, every URL looked at with every rule, and what that comes to |
//! | `history` | what the dates say: years, and how long hosts and domains are spoken of |
//! | [`readers`](ReportReader) | which rules and sections each reader is shown, and in which order |
//! | [`model`] | what a report holds, as the formats show it |
//! | [`mod@format`] | the report as text, JSON, CSV, HTML, SARIF and a list of URLs |
//! | `sources` | the files of a report once more, to count columns |
//! | [`explain`] | one URL in words, and [`client`], what a client does with it |

mod baseline;
pub mod checked;
pub mod client;
mod examine;
mod excerpts;
pub mod explain;
pub mod format;
mod history;
mod ledger;
pub mod model;
mod readers;
mod report;
mod settled;
mod sheet;
mod sources;
pub mod store;

pub use crate::archive::compress::{PACKED_EXTENSIONS, unpack};
pub use crate::archive::html::PAGE_EXTENSIONS;
pub use crate::archive::recognise::{recognise, recognise_early};
pub use crate::archive::tar::Members;
pub use crate::bytes::os::{OpenFolder, host_name};
pub use crate::bytes::roll::DamagedEnd;
pub use crate::drive::{WorkSource, in_order};
pub use crate::report::context::{ContextWriter, MatchInLines, ShownMatch};
pub use crate::report::json::Resolution;
pub use crate::report::link::{HyperlinkError, HyperlinkFormat};
pub use crate::report::text::escape;
pub use baseline::{Baseline, Comparison};
pub use checked::Checked;
pub use excerpts::Excerpts;
pub use ledger::Ledger;
pub use readers::{ReportReader, ReportSection};
pub use report::{ReadCounts, Report, ReportOptions};
pub use sheet::{PlaceRules, Recorder, Sheet, SightedMessage, SightedUrl, Spot};
pub use sources::Sources;

use std::borrow::Cow;

use bstr::BStr;

/// The URL with `***` for every password and every other secret in it.
pub fn mask(url: &[u8]) -> Cow<'_, BStr> {
    crate::audit::secret::mask(url)
}

/// The host that a URL counts as its own: by RFC 1738, else by RFC 3986; of mailto URLs and news articles the domain.
#[must_use]
pub fn host(url: &[u8], other_literal: bool) -> Option<Cow<'_, [u8]>> {
    crate::url::host(url, other_literal)
}

/// True for a rule whose findings are a figure to people, and no list.
#[must_use]
pub fn is_figure(rule: crate::audit::Rule) -> bool {
    rule.is_figure()
}

/// True for a scheme that is known before `//`.
#[must_use]
pub fn is_known_scheme(name: &[u8]) -> bool {
    crate::find::is_known_scheme(name)
}

/// The schemes that are known by their names, those of RFC 1738 and https first. Compounds (`svn+ssh`) and `x-` names are
/// known without being listed.
pub fn known_schemes() -> impl Iterator<Item = &'static str> {
    crate::find::known_schemes()
}

/// The first byte of a text that RFC 3986 and RFC 3987 have no place for. It is the end where something is missing there.
#[must_use]
pub fn generic_misfit(url: &[u8]) -> Option<usize> {
    crate::url::Generic::parse_or_misfit(url).err()
}

/// Bytes that are the same for texts that mean the same URL; of what is no URL, the text itself.
#[must_use]
pub fn equality_key(url: &[u8]) -> Cow<'_, [u8]> {
    crate::url::equality_key(url)
}
