//! Floor 5: what an archive links to, and what is wrong with it.
//!
//! A URL that a grammar accepts can still be a trap: a port that belongs to another service, octets that end a line in
//! the middle of a protocol, a host that another reader finds elsewhere. Section 6 of RFC 1738 names the first of them,
//! spec.md section 5 the rest.
//!
//! Data flows as in a search, and on: matches → [`Sheet`] (a worker's) → [`Ledger`] (the books) → [`Report`] → a format.
//!
//! | module | |
//! |---|---|
//! | [`model`] | what a report holds, as the [formats](crate::report::audit) show it |
//! | [`rules`] | what is looked for, and what it says of one URL or one place |
//! | [`secret`] | passwords, which no report shows unless it is told to |
//! | [`sheet`](Sheet) | what workers write down of a piece of a file |
//! | [`ledger`](Ledger) | every distinct URL once, counted; which reading of a doubtful hyphen the archive supports |
//! | [`report`](Report) | totals, links and findings, from the books |
//! | [`store`] | all of it in a database, so that tomorrow's run reads only what is new |
//! | [`checked`] | what a link checker said |

pub mod checked;
mod ledger;
pub mod model;
mod report;
pub mod rules;
pub mod secret;
mod sheet;
pub mod store;

pub use checked::Checked;
pub use ledger::Ledger;
pub use report::{Report, ReportOptions, Totals};
pub use rules::{Rule, Severity};
pub use sheet::{Pad, Sheet, SightedLetter, Sighting};
