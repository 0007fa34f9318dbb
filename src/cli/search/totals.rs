//! The totals of a run: the numbers of `--stats` and of an audit's summary.

use std::collections::BTreeMap;
use std::time::Instant;

use urlgrep::report::escape;
use urlgrep::{Stats, Undecoded};

use crate::command;
use crate::command::model::{ERRORS, RELATIVE_LINKS, UNDECODED_PARTS, UNREAD_INPUTS};

/// The maximum number of undecoded parts that the statistics list, and likewise of unread inputs.
pub(super) const MOST_UNDECODED: usize = 100;

/// The totals of a run.
pub(crate) struct RunTotals {
    started: Instant,
    files: u64,
    pub(crate) errors: u64,
    stats: Stats,
    /// The number of notes on unread parts of HTML and PDF files.
    pub(super) file_gaps: u64,
    /// Parts of messages that may hide links, by reason.
    gaps: BTreeMap<&'static str, u64>,
    /// Parts of messages that could not be decoded: the file, and the place in it.
    undecoded: Vec<(Vec<u8>, String)>,
    /// Inputs that were searched as bytes although they have a recognised format. The list names
    /// the first of these with their kinds, and the number counts all.
    unread: (Vec<(Vec<u8>, String)>, u64),
}

impl RunTotals {
    /// Starts the clock.
    pub(super) fn new() -> Self {
        let (undecoded, unread) = (Vec::new(), (Vec::new(), 0));
        Self {
            started: Instant::now(),
            files: 0,
            errors: 0,
            stats: Stats::default(),
            file_gaps: 0,
            gaps: BTreeMap::new(),
            undecoded,
            unread,
        }
    }

    /// Adds a file's statistics.
    pub(crate) fn add(&mut self, stats: &Stats) {
        self.files += 1;
        self.stats += *stats;
    }

    /// Adds the parts of a file's messages that may hide links.
    pub(super) fn add_gaps(&mut self, stats: &Stats) {
        for (reason, count) in stats.gaps_by_reason() {
            *self.gaps.entry(reason).or_default() += count;
        }
    }

    /// Returns one note for each reason why messages may hide links.
    pub(super) fn gaps(&self) -> Vec<String> {
        let note = |(reason, &count): (&&str, &u64)| match count {
            1 => format!("1 part of a message: {reason}"),
            _ => format!("{count} parts of messages: {reason}"),
        };
        self.gaps.iter().map(note).collect()
    }

    /// Adds parts of a file that could not be decoded.
    pub(super) fn add_undecoded(&mut self, file: &[u8], parts: Vec<Undecoded>) {
        for part in parts.into_iter().take(MOST_UNDECODED - self.undecoded.len()) {
            let number = part.number.map(|number| format!(" {number}")).unwrap_or_default();
            let name = part.part.map(|name| format!(", part {name}")).unwrap_or_default();
            let place = format!("message{number} at {}{name}: {}", part.offset, part.reason);
            self.undecoded.push((file.to_owned(), place));
        }
    }

    /// Returns the number of relative links without a base.
    pub(crate) fn unresolved(&self) -> u64 {
        self.stats.unresolved
    }

    /// Returns how many inputs were searched as bytes though they hold something else.
    pub(super) fn unread(&self) -> u64 {
        self.unread.1
    }

    /// Adds an input that was searched as bytes, and its kind.
    pub(super) fn add_unread(&mut self, file: &[u8], is: String) {
        let (named, count) = &mut self.unread;
        *count += 1;
        if named.len() < MOST_UNDECODED {
            named.push((file.to_owned(), format!("is {is}")));
        }
    }

    /// Formats the totals, one per line. `selected` counts the matches that passed the filter.
    pub(crate) fn report(&self, selected: u64) -> String {
        let Stats { bytes, matches, undecoded, .. } = self.stats;
        let mut lines = format!("files: {}\nbytes: {bytes}\nmatches: {matches}\nselected: {selected}\n", self.files);
        for (name, count) in counts(&self.stats) {
            lines.push_str(&format!("{name}: {count}\n"));
        }
        let (unread, unread_count) = &self.unread;
        lines.push_str(&format!("{UNREAD_INPUTS}: {unread_count}\n"));
        for (kind, named, count) in [("undecoded", &self.undecoded, undecoded), ("unread", unread, *unread_count)] {
            for (file, what) in named {
                let mut name = Vec::new();
                escape(file, &mut name);
                lines.push_str(&format!("{kind}: {}: {what}\n", String::from_utf8_lossy(&name)));
            }
            if let Some(more) = count.checked_sub(MOST_UNDECODED as u64).filter(|&more| more > 0) {
                lines.push_str(&format!("{kind}: and {more} more\n"));
            }
        }
        lines.push_str(&format!("{ERRORS}: {}\nseconds: {:.3}\n", self.errors, self.started.elapsed().as_secs_f64()));
        lines
    }

    /// Returns the totals for an audit.
    pub(crate) fn of_audit(&self) -> command::ReadCounts {
        command::ReadCounts { files: self.files, ..totals_of(&self.stats, self.unread.1) }
    }

    /// Adds the number of errors of this run to the counts of an audit.
    pub(crate) fn with_errors(&self, mut read: command::ReadCounts) -> command::ReadCounts {
        if self.errors > 0 {
            read.refused.push((ERRORS.to_owned(), self.errors));
        }
        read
    }
}

/// Returns the totals of one file for an audit. `unread` is 1 if the file was searched as bytes
/// though it holds something else, otherwise 0.
pub(crate) fn totals_of(stats: &Stats, unread: u64) -> command::ReadCounts {
    let mut refused = counts(stats);
    refused.push((UNREAD_INPUTS.to_owned(), unread));
    // Messages have a count of their own.
    refused.retain(|(name, count)| name != "messages" && *count > 0);
    command::ReadCounts { files: 1, bytes: stats.bytes, messages: stats.messages, refused }
}

/// Returns the counts of refused and undecoded items by name, and among them the count of messages.
fn counts(stats: &Stats) -> Vec<(String, u64)> {
    let mut reasons: Vec<_> =
        stats.undecoded_by_reason().map(|(reason, count)| (format!("{UNDECODED_PARTS}, {reason}"), count)).collect();
    reasons.sort();
    let named = |name: &str, count: u64| (name.to_owned(), count);
    [
        named("too-long", stats.too_long),
        named("unterminated", stats.unterminated),
        named("empty-wrappers", stats.empty_wrappers),
        named("messages", stats.messages),
        named(UNDECODED_PARTS, stats.undecoded),
    ]
    .into_iter()
    .chain(reasons)
    .chain([named("false-lengths", stats.false_lengths), named(RELATIVE_LINKS, stats.unresolved)])
    .collect()
}
