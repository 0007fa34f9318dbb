//! `urlgrep` itself. Each thread renders the matches that it finds, and they are printed in input
//! order.
//!
//! [`RenderedMatches`] holds the matches of a piece of one file. If some of them may be dropped
//! later (`--unique`, `--max-count`), it also holds the end of each match.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::archive::Container;
use urlgrep::report::{ContextWriter, LinePrefix, Page};
use urlgrep::url::equality_key;
use urlgrep::{Level, Match, Sink, Stats};

use super::exit::ExitStatus;
use super::match_format::MatchFormat;
use super::out::Out;
use super::plan::{FindPlan, Sameness, Shape};
use super::search::{Collector, Output, SearchRun, Setup, Worker};
use super::source::InputFile;
use super::unfound;
use crate::command::Excerpts;

/// The most memory that unused buffers keep.
const POOL_BYTES: usize = 8 * 1024 * 1024;
/// Output for a MiB of mail, or for one message, is printed in parts of about this size. Without
/// this limit the output may be large, because a URL of 10 bytes becomes 760 bytes of JSON.
const FULL_BYTES: usize = 4 * 1024 * 1024;
/// On one thread, output is printed once it reaches this size.
const DUE_BYTES: usize = 64 * 1024;

/// The reason why writing to a buffer cannot fail.
const TAKES_ALL: &str = "a Vec takes every byte";

/// Runs a search.
pub(crate) fn run(plan: &FindPlan, out: &mut Out) -> ExitStatus {
    let renderer = Renderer {
        plan,
        buffers: BufferPool::default(),
        hasher: random_hasher(),
        gathers: plan.output.first_said || plan.output.count_by.is_some(),
        chooses: plan.sameness.is_some() || plan.output.max_count.is_some() || plan.context.is_some(),
    };
    let progress = out.progress();
    let printer = MatchPrinter {
        renderer: &renderer,
        out,
        printed: FingerprintSet::default(),
        firsts: FirstOccurrences::default(),
        lines: ContextWriter::new(plan.text).separators(plan.context.is_some_and(|lines| lines != (0, 0))),
        count: 0,
        selected: 0,
        found: false,
        has_documents: false,
    };
    if plan.shape == Shape::Matches
        && let MatchFormat::Csv(csv) = &plan.format
    {
        let mut header = Vec::new();
        csv.write_header(&mut header).expect(TAKES_ALL);
        // `finish` reports a failed write.
        let _ = printer.out.print(&header);
    }
    let setup = Setup { plan: &plan.search, worker: &renderer, progress };
    let mut run = SearchRun::new(&setup, printer);
    run.search_all();
    run.collector.print_firsts();
    let unresolved = run.totals.unresolved();
    run.collector.explain_gaps(unresolved);
    run.collector.explain_line();
    let finish = run.collector.out.finish();
    if plan.output.shown.stats {
        let report = run.totals.report(run.collector.selected);
        run.collector.out.write_stderr(report.as_bytes());
    }
    ExitStatus::of(run.collector.found, finish, plan.shape == Shape::Quiet)
}

/// The worker of a search: renders matches.
struct Renderer<'p> {
    plan: &'p FindPlan,
    buffers: BufferPool,
    hasher: SipHasher13,
    /// The output comes at the end, once the matches are counted.
    gathers: bool,
    /// Whether the printer may drop matches, or needs them one by one.
    chooses: bool,
}

/// Buffers to reuse after they are printed. Without them, every chunk would allocate memory. These
/// allocations cost a third of the time of `--json -j2` on dense text (2026-11).
#[derive(Default)]
struct BufferPool(Mutex<Vec<Vec<u8>>>);

impl BufferPool {
    fn take(&self) -> Page {
        Page::reusing(self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default())
    }

    fn put(&self, page: Page) {
        let bytes = page.into_buffer();
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.capacity() + spare.iter().map(Vec::capacity).sum::<usize>() <= POOL_BYTES {
            spare.push(bytes);
        }
    }
}

/// The rendered matches of a piece of one file.
struct RenderedMatches<'r> {
    renderer: &'r Renderer<'r>,
    file: Arc<InputFile>,
    prefix: LinePrefix,
    page: Page,
    /// The end of each match in `page`; empty unless [`Renderer::chooses`].
    records: Vec<RenderedEnd>,
    /// The matches with their lines, used instead of `page` if context is shown.
    excerpts: Excerpts,
    /// No further match begins before this offset of the input.
    searched: u64,
    /// The number of matches.
    selected: u64,
    /// Each line has only the prefix and the URL, and no line is dropped.
    takes_urls: bool,
}

struct RenderedEnd {
    end: usize,
    /// The URL's fingerprint; 0 if nothing needs it.
    fingerprint: u128,
    /// The match is in a quoted line.
    is_quoted: bool,
}

impl Sink for RenderedMatches<'_> {
    #[inline]
    fn add(&mut self, found: &Match<'_>) {
        let plan = self.renderer.plan;
        self.selected += 1;
        if plan.shape == Shape::Matches {
            match (&plan.format, plan.context) {
                // Text may be dense with URLs, so this arm is part of the search's inner loop.
                (MatchFormat::Text(text), None) => {
                    text.write(&self.prefix, found, self.page.text()).expect(TAKES_ALL);
                }
                (_, None) => self.write_record(found),
                (_, Some(lines)) => self.excerpts.add(&plan.text, found, lines),
            }
        }
        if self.renderer.chooses {
            let of = |url: &[u8]| fingerprint(self.renderer.hasher, url);
            let fingerprint = match &plan.sameness {
                None => 0,
                Some(Sameness::Equivalent) => of(&equality_key(found.target())),
                Some(Sameness::Shown) => plan.format.shown_urls(found, of),
                Some(Sameness::Key(template)) => {
                    let mut key = Vec::new();
                    template.write(b"", found, &mut key).expect(TAKES_ALL);
                    of(&key)
                }
            };
            let is_quoted = plan.output.first_said && found.quote_depth() > Some(0);
            self.records.push(RenderedEnd { end: self.page.len(), fingerprint, is_quoted });
        }
    }

    fn searched(&mut self, offset: u64) {
        self.searched = offset;
    }

    #[inline(always)]
    fn add_verbatim(&mut self, text: &[u8], url: Range<usize>, _: Level) -> bool {
        if self.takes_urls {
            self.selected += 1;
            let lines = self.page.text();
            self.prefix.begin(lines);
            append_line(lines, text, url);
        }
        self.takes_urls
    }

    fn is_full(&self) -> bool {
        self.page.len().max(self.excerpts.size()) >= FULL_BYTES
    }
}

impl RenderedMatches<'_> {
    #[inline(never)]
    fn write_record(&mut self, found: &Match<'_>) {
        let format = &self.renderer.plan.format;
        format.write(&self.prefix, &self.file.name, found, &mut self.page).expect(TAKES_ALL);
    }
}

/// Appends a range of a text as a line. Copying a block and cutting off its tail costs half as much
/// as copying the exact length.
#[inline(always)]
fn append_line(lines: &mut Vec<u8>, text: &[u8], url: Range<usize>) {
    const BLOCK: usize = 96;
    match text[url.start..].first_chunk::<BLOCK>() {
        Some(block) if url.len() < BLOCK => {
            let end = lines.len() + url.len();
            lines.extend_from_slice(block);
            lines.truncate(end + 1);
            if let Some(last) = lines.last_mut() {
                *last = b'\n';
            }
        }
        _ => {
            lines.extend_from_slice(&text[url]);
            lines.push(b'\n');
        }
    }
}

impl Output for RenderedMatches<'_> {
    fn size(&self) -> usize {
        self.page.len() + self.records.len() * size_of::<RenderedEnd>() + self.excerpts.size()
    }

    #[inline]
    fn is_due(&self) -> bool {
        // This check runs after each match, so it skips records and excerpts if there are none.
        if self.takes_urls {
            return self.page.len() >= DUE_BYTES;
        }
        self.page.len() >= DUE_BYTES || self.records.len() >= DUE_BYTES / 16 || self.excerpts.size() >= DUE_BYTES
    }

    fn append(&mut self, next: Self) {
        let start = self.page.len();
        self.page.text().extend_from_slice(next.page.written());
        self.records.extend(next.records.into_iter().map(|record| RenderedEnd { end: start + record.end, ..record }));
        self.excerpts.append(next.excerpts);
        self.searched = next.searched;
        self.selected += next.selected;
        self.renderer.buffers.put(next.page);
    }

    /// Returns false once this piece has as many matches as the printer can use. With `--unique`,
    /// any match may be a repetition, so their number decides nothing.
    fn takes_more(&self) -> bool {
        let plan = self.renderer.plan;
        (plan.unique || plan.output.max_count.is_none_or(|most| self.selected < most))
            && !(plan.shape.stops_at_first() && self.selected > 0)
    }

    #[inline]
    fn settles_file(&self) -> bool {
        !self.takes_urls && self.renderer.plan.shape.stops_at_first() && self.selected > 0
    }

    fn settles_run(&self) -> bool {
        self.renderer.plan.shape == Shape::Quiet && self.selected > 0
    }
}

impl<'r> Worker for &'r Renderer<'r> {
    type Output = RenderedMatches<'r>;

    fn output(&self, file: &Arc<InputFile>) -> RenderedMatches<'r> {
        RenderedMatches {
            renderer: self,
            file: Arc::clone(file),
            prefix: self.plan.prefix(file),
            page: self.buffers.take(),
            records: Vec::new(),
            excerpts: Excerpts::default(),
            searched: 0,
            selected: 0,
            takes_urls: self.plan.prints_urls() && !self.chooses,
        }
    }
}

impl FindPlan {
    /// Returns true if a match is printed as its URL, with at most a prefix.
    fn prints_urls(&self) -> bool {
        let has_fields = !matches!(self.format, MatchFormat::Text(text) if text.is_plain());
        self.shape == Shape::Matches && self.context.is_none() && !has_fields
    }

    /// Returns the prefix of each line of a file.
    fn prefix(&self, file: &InputFile) -> LinePrefix {
        let is_shown = if file.is_member { !self.output.no_filename } else { self.with_name };
        if is_shown { self.named(file) } else { LinePrefix::default() }
    }

    /// Returns the prefix that names a file.
    fn named(&self, file: &InputFile) -> LinePrefix {
        let prefix = self.text.prefix(&file.name);
        match &self.hyperlinks {
            Some(hyperlinks) => hyperlinks.link(prefix, file),
            None => prefix,
        }
    }
}

/// The collector of a search: prints what the workers rendered.
struct MatchPrinter<'r, 'o> {
    renderer: &'r Renderer<'r>,
    out: &'o mut Out,
    printed: FingerprintSet,
    firsts: FirstOccurrences,
    lines: ContextWriter,
    /// Matches of the current file that were printed or counted.
    count: u64,
    /// Matches of the earlier files.
    selected: u64,
    found: bool,
    /// An input had documents, so relative links were possible.
    has_documents: bool,
}

impl<'r> Collector for MatchPrinter<'r, '_> {
    type Output = RenderedMatches<'r>;

    fn take(&mut self, file: &InputFile, rendered: RenderedMatches<'r>) -> ControlFlow<()> {
        let flow = self.print(&rendered);
        if file.is_cell && self.renderer.plan.context.is_some() {
            self.print_lines(|lines, out| lines.end_file(&rendered.prefix, out))?;
        }
        self.renderer.buffers.put(rendered.page);
        flow
    }

    fn close(
        &mut self,
        file: &InputFile,
        container: Container,
        _: &Stats,
        error: Option<&io::Error>,
    ) -> ControlFlow<()> {
        let plan = self.renderer.plan;
        self.has_documents |= container.has_documents();
        let count = std::mem::take(&mut self.count);
        self.selected += count;
        self.found |= count > 0;
        if plan.context.is_some() {
            self.print_lines(|lines, out| lines.end_file(&plan.prefix(file), out))?;
        }
        let line = match plan.shape {
            // If a file could not be read to its end, the absence of matches is not certain. The
            // matches before the failure are counted, since a search without -c prints them.
            Shape::Count if count > 0 || error.is_none() => plan.text.count_line(&plan.prefix(file), count),
            Shape::FilesWithout if count == 0 && error.is_none() => plan.text.file_line(&plan.named(file)),
            Shape::FilesWith if count > 0 => plan.text.file_line(&plan.named(file)),
            _ => return ControlFlow::Continue(()),
        };
        self.out.print(&line)
    }

    fn out(&mut self) -> &mut Out {
        self.out
    }

    fn is_done(&mut self) -> bool {
        self.renderer.plan.shape == Shape::Quiet && self.found
    }
}

impl MatchPrinter<'_, '_> {
    fn print(&mut self, rendered: &RenderedMatches<'_>) -> ControlFlow<()> {
        let plan = self.renderer.plan;
        let most = plan.output.max_count.unwrap_or(u64::MAX);
        if most == 0 {
            return ControlFlow::Break(());
        }
        if plan.shape.stops_at_first() {
            self.count += rendered.selected;
            return if self.count > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        if self.renderer.gathers {
            self.count += rendered.selected;
            self.firsts.take(rendered);
            return ControlFlow::Continue(());
        }
        if !self.renderer.chooses {
            self.count += rendered.selected;
            return self.out.print(rendered.page.written());
        }
        let mut start = 0;
        for (number, record) in rendered.records.iter().enumerate() {
            let bytes = &rendered.page.written()[start..record.end];
            start = record.end;
            if plan.unique && !self.printed.insert(record.fingerprint) {
                continue;
            }
            self.count += 1;
            match rendered.excerpts.get(number) {
                None => self.out.print(bytes)?,
                Some(found) => self.print_lines(|lines, out| lines.add(&rendered.prefix, &found, out))?,
            }
            if self.count == most {
                return ControlFlow::Break(());
            }
        }
        if plan.context.is_some() {
            self.print_lines(|lines, out| lines.settle(&rendered.prefix, rendered.searched, out))?;
        }
        ControlFlow::Continue(())
    }

    /// Prints a note if links were excluded for want of a base. `unresolved` counts them.
    fn explain_gaps(&mut self, unresolved: u64) {
        let FindPlan { search, shape, output, .. } = self.renderer.plan;
        if search.filter.lacked_base() {
            // A search that stops early has not counted all.
            let are = match unresolved {
                _ if shape.stops_at_first() || output.max_count.is_some() => "relative links have".to_string(),
                1 => "1 relative link has".to_string(),
                count => format!("{count} relative links have"),
            };
            self.out.file_note(&format!("{are} no base; --base URL resolves them, and --json shows them"));
        } else if !self.found && search.has_base && !self.has_documents {
            self.out.file_note("--base resolves links of HTML, but no input is HTML; --input html reads it as HTML");
        }
    }

    /// Prints why the line of `--explain FILE:LINE` holds no match.
    fn explain_line(&mut self) {
        let FindPlan { search, output, .. } = self.renderer.plan;
        let Some(line) = search.filter.line.filter(|_| !self.found) else {
            if output.explain && !self.found {
                self.out.file_note("nothing to explain; FILE:LINE as the path explains a line without a match");
            }
            return;
        };
        let path = &search.paths[0];
        // The search has reported a file that cannot be read.
        let reasons = unfound::reasons(path, line, &search.extractor, &search.filter).unwrap_or_default();
        for reason in reasons {
            self.out.file_note(&format!("{}:{line}: {reason}", path.display()));
        }
    }

    /// Prints lines of the searched text.
    fn print_lines(
        &mut self,
        write: impl FnOnce(&mut ContextWriter, &mut Vec<u8>) -> io::Result<()>,
    ) -> ControlFlow<()> {
        let mut page = Vec::new();
        write(&mut self.lines, &mut page).expect(TAKES_ALL);
        self.out.print(&page)
    }

    fn print_firsts(&mut self) {
        let by_count = self.renderer.plan.output.count_by.is_some();
        for first in std::mem::take(&mut self.firsts).in_order(by_count) {
            let mut lines = first.line;
            self.renderer.plan.format.set_count(first.count, &mut lines);
            if self.out.print(&lines).is_break() {
                break;
            }
        }
    }
}

/// The URLs of `--first-said`, each with its first place outside quotations if there is one, or the
/// keys of `--count-by`.
#[derive(Default)]
struct FirstOccurrences {
    urls: HashMap<u128, FirstOccurrence, BuildHasherDefault<AsItIs>>,
    /// The number of matches so far.
    order: u64,
}

struct FirstOccurrence {
    line: Vec<u8>,
    order: u64,
    is_quoted: bool,
    count: u64,
}

impl FirstOccurrences {
    fn take(&mut self, rendered: &RenderedMatches<'_>) {
        let mut start = 0;
        for &RenderedEnd { end, fingerprint, is_quoted } in &rendered.records {
            let line = &rendered.page.written()[start..end];
            start = end;
            self.order += 1;
            // The first match replaces this placeholder.
            let new = || FirstOccurrence { line: Vec::new(), order: u64::MAX, is_quoted: true, count: 0 };
            let first = self.urls.entry(fingerprint).or_insert_with(new);
            first.count += 1;
            if first.count == 1 || first.is_quoted && !is_quoted {
                first.line = line.to_vec();
                (first.order, first.is_quoted) = (self.order, is_quoted);
            }
        }
    }

    /// Returns the URLs in the order of their places, or the most frequent ones first.
    fn in_order(self, by_count: bool) -> impl Iterator<Item = FirstOccurrence> {
        let mut firsts: Vec<FirstOccurrence> = self.urls.into_values().collect();
        match by_count {
            true => firsts.sort_unstable_by(|one, other| (other.count, &one.line).cmp(&(one.count, &other.line))),
            false => firsts.sort_unstable_by_key(|first| first.order),
        }
        firsts.into_iter()
    }
}

/// A set of URLs, by their fingerprints.
///
/// A fingerprint has 128 bits and a key that is new in each run. So nobody can write a text whose
/// URLs collide. By chance two of 10^12 URLs collide with a probability of 10^-15.
type FingerprintSet = HashSet<u128, BuildHasherDefault<AsItIs>>;

/// Passes a fingerprint through: it is already as random as a hash.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, fingerprint: &[u8]) {
        // Half of the bits are enough for a map.
        self.0 = fingerprint.first_chunk().map_or(0, |&head| u64::from_ne_bytes(head));
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Returns a hasher with keys for this run only. They come from the randomness of the standard
/// library's maps.
fn random_hasher() -> SipHasher13 {
    let word = || RandomState::new().build_hasher().finish();
    SipHasher13::new_with_keys(word(), word())
}

fn fingerprint(mut hasher: SipHasher13, url: &[u8]) -> u128 {
    hasher.write(url);
    hasher.finish128().as_u128()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_urls_apart_and_depend_on_the_run() {
        let (one, other) = (random_hasher(), random_hasher());
        assert_eq!(fingerprint(one, b"http://a/"), fingerprint(one, b"http://a/"));
        assert_ne!(fingerprint(one, b"http://a/"), fingerprint(one, b"http://b/"));
        assert_ne!(fingerprint(one, b"http://a/"), fingerprint(other, b"http://a/"));
        let mut seen = FingerprintSet::default();
        assert!(seen.insert(7) && seen.insert(7 << 64) && !seen.insert(7));
    }
}
