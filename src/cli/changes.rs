//! `urlgrep audit --diff`: the links that a change adds.
//!
//! Both sides of each hunk are searched. The change adds a link if its match on the new side
//! touches an added line. The URL must be absent from the old side of the same file, so a moved
//! line adds no link. A match has its line number in the new file, and its offset in the diff.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;

use urlgrep::archive::Container;
use urlgrep::url::equality_key;
use urlgrep::{Match, Sink, Stats};

use super::diff::{ChangedFile, DiffReader, Hunk};
use super::filter::Filter;
use super::out::Out;
use super::search::{RunTotals, SearchPlan};
use super::walk;
use crate::command::{Ledger, Recorder, Sheet};

/// Enters the links of the added lines of all diffs in the ledger. If a diff fails, it is reported,
/// and the other diffs are still read.
pub(super) fn search(
    plan: &SearchPlan,
    recorder: &Recorder,
    ledger: &mut Ledger,
    totals: &mut RunTotals,
    out: &mut Out,
) {
    for path in &plan.paths {
        let input: io::Result<Box<dyn Read>> = match path.as_os_str() == "-" {
            true => Ok(Box::new(io::stdin())),
            false => File::open(path).map(|file| Box::new(file) as Box<dyn Read>),
        };
        let searched = input.and_then(|input| search_diff(plan, recorder, input, ledger, totals));
        match searched {
            Ok(0) => {
                out.file_note("the diff is empty; in a script, 'set -o pipefail' stops if the command before fails")
            }
            Ok(_) => {}
            Err(error) => {
                totals.errors += 1;
                out.file_error(&walk::path_bytes(path), &error);
            }
        }
    }
}

/// Enters the links of one diff in the ledger. Returns the number of the diff's bytes.
fn search_diff(
    plan: &SearchPlan,
    recorder: &Recorder,
    input: impl Read,
    ledger: &mut Ledger,
    totals: &mut RunTotals,
) -> io::Result<u64> {
    let mut diff = DiffReader::new(BufReader::new(input));
    while let Some(file) = diff.next_file()? {
        let mut sheet = recorder.sheet();
        let stats = search_file(plan, &file, &mut sheet)?;
        ledger.take(&file.name, &sheet);
        totals.add(&stats);
    }
    Ok(diff.bytes())
}

/// Adds to the sheet the links that a change adds to one file.
fn search_file(plan: &SearchPlan, file: &ChangedFile, sheet: &mut Sheet) -> io::Result<Stats> {
    // All old sides are read first, because a line may move from one hunk to another.
    let mut before = OldUrls::default();
    for hunk in &file.hunks {
        search_text(plan, &file.name, &hunk.old, &mut before)?;
    }
    let mut stats = Stats::default();
    for hunk in &file.hunks {
        let places = HunkLines::new(hunk);
        let mut part = sheet.another();
        let mut added = Added { filter: &plan.filter, places: &places, before: &before, sheet: &mut part };
        stats += search_text(plan, &file.name, &hunk.new, &mut added)?;
        part.move_spots(|spot| {
            (spot.offset, spot.line) = places.in_file(spot.offset);
        });
        sheet.append(part);
    }
    Ok(stats)
}

/// Finds the URLs of one side of a hunk. The text is recognised as a file of this name would be.
/// Mail is read as text, because a hunk is never a whole message.
fn search_text(plan: &SearchPlan, name: &[u8], mut text: &[u8], sink: &mut (impl Sink + Send)) -> io::Result<Stats> {
    let all = text;
    let mut container = Container::Text;
    // Only the container matters here, so the visit ends at the first entry.
    let _ = plan.open.each(&mut text, name, |_, entry| {
        container = entry.map_or(Container::Text, |entry| entry.container());
        Ok(ControlFlow::Break(()))
    })?;
    if container != Container::Html {
        let container = if container.has_documents() { Container::Text } else { container };
        let mut matches = plan.extractor.of_container(container).find_iter(all);
        matches.fill(sink, |_| false);
        return Ok(matches.stats());
    }
    plan.extractor.documents(all, container, 0..u64::MAX, Vec::new, |found: Vec<Match<'static>>| {
        found.iter().for_each(|found| sink.add(found));
        Ok(ControlFlow::Continue(()))
    })
}

/// The URLs of the old side of a file.
#[derive(Default)]
struct OldUrls(HashSet<Vec<u8>>);

impl Sink for OldUrls {
    fn add(&mut self, found: &Match<'_>) {
        self.0.insert(equality_key(found.target()).to_vec());
    }
}

/// A sink that keeps the matches that a change adds.
struct Added<'h> {
    filter: &'h Filter,
    places: &'h HunkLines<'h>,
    before: &'h OldUrls,
    sheet: &'h mut Sheet,
}

impl Sink for Added<'_> {
    fn add(&mut self, found: &Match<'_>) {
        let span = found.span();
        if self.filter.wants(found)
            && self.places.touches_added(span.start, span.end)
            && !self.before.0.contains(&*equality_key(found.target()))
        {
            self.sheet.add(found);
        }
    }
}

/// The offsets at which the lines of a hunk's new side begin in its text.
struct HunkLines<'h> {
    hunk: &'h Hunk,
    starts: Vec<usize>,
}

impl<'h> HunkLines<'h> {
    fn new(hunk: &'h Hunk) -> Self {
        let ends = memchr::memchr_iter(b'\n', &hunk.new).map(|at| at + 1);
        Self { hunk, starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Returns the number of the hunk's line that holds this byte of the text, from 0.
    fn line_at(&self, offset: u64) -> usize {
        let line = self.starts.partition_point(|&start| start as u64 <= offset);
        line.saturating_sub(1).min(self.hunk.lines.len().saturating_sub(1))
    }

    fn touches_added(&self, start: u64, end: u64) -> bool {
        let lines = self.hunk.lines.get(self.line_at(start)..=self.line_at(end.saturating_sub(1).max(start)));
        lines.is_some_and(|lines| lines.iter().any(|line| line.is_added))
    }

    /// Converts an offset in the hunk's new side to an offset in the diff and a line number.
    fn in_file(&self, offset: u64) -> (u64, u64) {
        let at = self.line_at(offset);
        let line = self.hunk.lines.get(at).map_or(0, |line| line.offset);
        (line + offset.saturating_sub(self.starts[at] as u64), self.hunk.first_line + at as u64)
    }
}
