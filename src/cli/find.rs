//! `urlgrep` itself: matches are rendered where they are found, on any thread, and printed in their order.
//!
//! A [`Page`] is the rendered matches of a piece of one file and, where one of them may have to be left out later
//! (`--unique`, `--max-count`), where each ends.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::io;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::report::text::Name;
use urlgrep::url;
use urlgrep::{Match, Sink, Stats};

use super::exit::Status;
use super::out::{Finish, Out};
use super::plan::{FindPlan, Format, Shape};
use super::search::{Clerk, Desk, File, Run};

/// No more than this is kept of buffers that nobody uses.
const SPARE_BYTES: usize = 8 * 1024 * 1024;
/// What is found in a MiB of mail, or in one message, is printed in more than one go where it is more than this. Of a URL
/// of 10 bytes 760 are told.
const FULL_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// On one thread a page is printed when it has this size.
const PAGE_BYTES: usize = 64 * 1024;

/// Runs a search.
pub(crate) fn run(plan: &FindPlan, out: &mut Out) -> Status {
    let renderer =
        Renderer { plan, spare: Spare::default(), keys: (plan.unique || plan.first_said).then(Keys::random) };
    let printer = Printer {
        renderer: &renderer,
        out,
        seen: Seen::default(),
        first_said: FirstSaid::default(),
        count: 0,
        selected: 0,
        found: false,
    };
    if plan.shape == Shape::Matches
        && let Format::Csv(csv) = plan.format
    {
        let mut header = Vec::new();
        csv.header(&mut header);
        let _ = printer.out.print(&header);
    }
    let mut run = Run::new(&plan.search, &renderer, printer);
    run.search_all();
    run.desk.print_first_said();
    let finish = run.desk.out.finish();
    if plan.stats {
        let report = run.totals.report(run.desk.selected);
        run.desk.out.say_plain(&report);
    }
    let found = run.desk.found;
    match finish {
        Finish::BrokenPipe => Status::Found,
        Finish::Failed => Status::of(found, true, plan.shape == Shape::Quiet),
        Finish::Fine => Status::of(found, false, false),
    }
}

/// Renders matches.
struct Renderer<'p> {
    plan: &'p FindPlan,
    spare: Spare,
    keys: Option<Keys>,
}

/// Buffers of printed pages, to be filled again. Without them a page a chunk is fresh memory a chunk, and the system's
/// work for that cost a third of the time of `--json -j2` on dense text (2026-11).
#[derive(Default)]
struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, mut bytes: Vec<u8>) {
        bytes.clear();
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.capacity() + spare.iter().map(Vec::capacity).sum::<usize>() <= SPARE_BYTES {
            spare.push(bytes);
        }
    }
}

/// The matches of a piece of one file, rendered.
struct Page<'r> {
    renderer: &'r Renderer<'r>,
    file: Arc<File>,
    name: Name,
    bytes: Vec<u8>,
    /// Where each match ends in `bytes`; kept only where the printer may have to choose.
    records: Vec<Record>,
    /// Matches that passed the filter.
    wanted: u64,
}

struct Record {
    end: usize,
    /// Of the URL; 0 where nobody asks.
    fingerprint: u128,
    /// In a line that repeats what was said before.
    is_quoted: bool,
}

impl Sink for Page<'_> {
    #[inline]
    fn add(&mut self, found: &Match<'_>) {
        let plan = self.renderer.plan;
        // More than what the printer could take of this page alone is of no use. With --unique any of them may be a
        // repetition.
        if !plan.unique && self.wanted >= plan.max_count.unwrap_or(u64::MAX) {
            return;
        }
        if plan.shape.stops_at_first() && self.wanted > 0 || !plan.filter.wants(found) {
            return;
        }
        self.wanted += 1;
        if plan.shape == Shape::Matches {
            match plan.format {
                Format::Text(text) => text.render(&self.name, found, &mut self.bytes),
                Format::Json(json) => json.render(&self.file.name, found, &mut self.bytes),
                Format::Csv(csv) => csv.render(&self.file.name, found, &mut self.bytes),
            }
        }
        if plan.unique || plan.max_count.is_some() || plan.first_said {
            let fingerprint = match self.renderer.keys {
                None => 0,
                Some(keys) if plan.first_said => keys.fingerprint(&url::equivalence_key(found.target())),
                // A relative link says something else in each place.
                Some(keys) => keys.fingerprint(found.target()),
            };
            let is_quoted = plan.first_said && found.quote_depth() > Some(0);
            self.records.push(Record { end: self.bytes.len(), fingerprint, is_quoted });
        }
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= FULL_PAGE_BYTES
    }
}

impl<'r> Clerk for &'r Renderer<'r> {
    type Page = Page<'r>;

    fn page(&self, file: &Arc<File>) -> Page<'r> {
        Page {
            renderer: self,
            file: Arc::clone(file),
            name: self.plan.name(file),
            bytes: self.spare.take(),
            records: Vec::new(),
            wanted: 0,
        }
    }

    fn is_settled(&self, page: &Page<'r>) -> bool {
        self.plan.shape.stops_at_first() && page.wanted > 0
    }

    fn ends_all(&self, page: &Page<'r>) -> bool {
        self.plan.shape == Shape::Quiet && page.wanted > 0
    }

    fn is_due(&self, page: &Page<'r>) -> bool {
        page.bytes.len() >= PAGE_BYTES || page.records.len() >= PAGE_BYTES / 16
    }

    fn size(&self, page: &Page<'r>) -> usize {
        page.bytes.len() + page.records.len() * size_of::<Record>()
    }

    fn append(&self, page: &mut Page<'r>, next: Page<'r>) {
        let start = page.bytes.len();
        page.bytes.extend_from_slice(&next.bytes);
        page.records.extend(next.records.into_iter().map(|record| Record { end: start + record.end, ..record }));
        page.wanted += next.wanted;
        self.spare.put(next.bytes);
    }
}

impl FindPlan {
    /// What the lines of a file begin with.
    fn name(&self, file: &File) -> Name {
        let is_shown = if file.is_member { self.with_member } else { self.with_name };
        if is_shown { self.text.name(&file.name) } else { Name::default() }
    }
}

/// Prints pages.
struct Printer<'r, 'o> {
    renderer: &'r Renderer<'r>,
    out: &'o mut Out,
    seen: Seen,
    first_said: FirstSaid,
    /// Matches of this file that were printed or counted.
    count: u64,
    /// And of those before.
    selected: u64,
    found: bool,
}

impl<'r> Desk for Printer<'r, '_> {
    type Page = Page<'r>;

    fn take(&mut self, _: &File, page: Page<'r>) -> ControlFlow<()> {
        let flow = self.print(&page);
        self.renderer.spare.put(page.bytes);
        flow
    }

    fn close(&mut self, file: &File, _: &Stats, error: Option<&io::Error>) -> ControlFlow<()> {
        let plan = self.renderer.plan;
        let count = std::mem::take(&mut self.count);
        self.selected += count;
        self.found |= count > 0;
        let mut line = Vec::new();
        match plan.shape {
            // Of a file that could not be read to its end, neither the number nor the absence is known.
            Shape::Count if error.is_none() => plan.text.render_count(&plan.name(file), count, &mut line),
            Shape::FilesWithout if count == 0 && error.is_none() => plan.text.render_file(&file.name, &mut line),
            Shape::FilesWith if count > 0 => plan.text.render_file(&file.name, &mut line),
            _ => {}
        }
        self.out.print(&line)
    }

    fn out(&mut self) -> &mut Out {
        self.out
    }

    fn is_done(&mut self) -> bool {
        self.renderer.plan.shape == Shape::Quiet && self.found
    }
}

impl Printer<'_, '_> {
    fn print(&mut self, page: &Page<'_>) -> ControlFlow<()> {
        let plan = self.renderer.plan;
        let most = plan.max_count.unwrap_or(u64::MAX);
        if most == 0 {
            return ControlFlow::Break(());
        }
        if plan.shape.stops_at_first() {
            self.count += page.wanted;
            return if self.count > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        if plan.first_said {
            self.count += page.wanted;
            self.first_said.take(page);
            return ControlFlow::Continue(());
        }
        if !plan.unique && plan.max_count.is_none() {
            self.count += page.wanted;
            return self.out.print(&page.bytes);
        }
        let mut start = 0;
        for record in &page.records {
            let bytes = &page.bytes[start..record.end];
            start = record.end;
            if plan.unique && !self.seen.insert(record.fingerprint) {
                continue;
            }
            self.count += 1;
            self.out.print(bytes)?;
            if self.count == most {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn print_first_said(&mut self) {
        for said in std::mem::take(&mut self.first_said).in_order() {
            let mut lines = said.line;
            match self.renderer.plan.format {
                Format::Text(text) => text.set_count(said.count, &mut lines),
                Format::Json(json) => json.set_count(said.count, &mut lines),
                Format::Csv(csv) => csv.set_count(said.count, &mut lines),
            }
            if self.out.print(&lines).is_break() {
                break;
            }
        }
    }
}

/// The URLs of `--first-said`: each with the place where it was said first, but for quotations of it.
#[derive(Default)]
struct FirstSaid {
    said: HashMap<u128, Said, BuildHasherDefault<AsItIs>>,
    /// Matches so far.
    order: u64,
}

struct Said {
    line: Vec<u8>,
    order: u64,
    is_quoted: bool,
    count: u64,
}

impl FirstSaid {
    fn take(&mut self, page: &Page<'_>) {
        let mut start = 0;
        for &Record { end, fingerprint, is_quoted } in &page.records {
            let line = &page.bytes[start..end];
            start = end;
            self.order += 1;
            let new = || Said { line: Vec::new(), order: u64::MAX, is_quoted: true, count: 0 };
            let said = self.said.entry(fingerprint).or_insert_with(new);
            said.count += 1;
            if said.line.is_empty() || said.is_quoted && !is_quoted {
                said.line = line.to_vec();
                (said.order, said.is_quoted) = (self.order, is_quoted);
            }
        }
    }

    fn in_order(self) -> impl Iterator<Item = Said> {
        let mut said: Vec<Said> = self.said.into_values().collect();
        said.sort_unstable_by_key(|said| said.order);
        said.into_iter()
    }
}

/// The URLs seen so far, as fingerprints.
///
/// 128 bits, keyed afresh each run: no one can write a text whose URLs collide, and by chance two of 10^12 do with a
/// probability of 10^-15.
#[derive(Default)]
struct Seen(HashSet<u128, BuildHasherDefault<AsItIs>>);

impl Seen {
    /// True if it is new.
    fn insert(&mut self, fingerprint: u128) -> bool {
        self.0.insert(fingerprint)
    }
}

/// A fingerprint is as random as a hash can be; hashing it again would only cost.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 ^= u64::from_le_bytes(word);
        }
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The keys of a run.
#[derive(Clone, Copy)]
struct Keys(u64, u64);

impl Keys {
    /// From the randomness that the standard library's maps use.
    fn random() -> Self {
        let word = || RandomState::new().build_hasher().finish();
        Self(word(), word())
    }

    fn fingerprint(self, url: &[u8]) -> u128 {
        let mut hasher = SipHasher13::new_with_keys(self.0, self.1);
        hasher.write(url);
        hasher.finish128().as_u128()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_urls_apart_and_depend_on_the_run() {
        let (one, other) = (Keys::random(), Keys::random());
        assert_eq!(one.fingerprint(b"http://a/"), one.fingerprint(b"http://a/"));
        assert_ne!(one.fingerprint(b"http://a/"), one.fingerprint(b"http://b/"));
        assert_ne!(one.fingerprint(b"http://a/"), other.fingerprint(b"http://a/"));
        let mut seen = Seen::default();
        assert!(seen.insert(7) && seen.insert(7 << 64) && !seen.insert(7));
    }
}
