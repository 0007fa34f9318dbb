//! The search itself: the third stage, for `urlgrep`.
//!
//! Workers render, the main thread prints. What a worker makes of a chunk or a small file is a [`Page`]: the rendered
//! matches and, where one of them may have to be left out later (`--unique`, `--max-count`), where each ends. Pages
//! reach the main thread in the order of the input, whichever worker was first, so the output is the same for every
//! number of threads.
//!
//! One file: the extractor cuts it into chunks ([`Extractor::par_read_at`](urlgrep::Extractor::par_read_at), of a pipe
//! [`par_stream`](urlgrep::Extractor::par_stream)). Many files: they are taken in waves, the small ones of a wave each as a whole on some thread, and those that turn out
//! large afterwards, in their place, in chunks. Memory is bounded either way: a wave stops taking files up once its
//! pages hold [`WAVE_BYTES`].

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use rayon::prelude::*;
use siphasher::sip128::{Hasher128, SipHasher13};
use urlgrep::archive::{self, Container, Members};
use urlgrep::report::text::Name;
use urlgrep::url::Generic;
use urlgrep::{Batch, Match, Stats, Url};

use super::args::InputArg;
use super::exit::Status;
use super::out::{Finish, Out};
use super::plan::{FindPlan, Format, Shape};
use super::progress::Progress;
use super::source::{Failure, Source};
use super::walk::{Input, Inputs, Trouble};

/// A file of up to this size is searched whole on one thread, where there are many. Dense JSON makes sixteen times
/// its input, so a page of such a file has 2 MiB at worst.
const SMALL_FILE: u64 = 128 * 1024;
/// A wave has this many files for each thread: enough that the threads need not wait for each other often.
const WAVE_FILES: usize = 32;
/// Once the pages of a wave hold this much, its other files wait until these are printed.
const WAVE_BYTES: usize = 4 * 1024 * 1024;
/// No more than this is kept of buffers that nobody uses.
const SPARE_BYTES: usize = 8 * 1024 * 1024;
/// Tars within tars are opened this deep; the next is bytes.
const TARS: usize = 3;
/// What is found in a MiB of mail, or in one message, is printed in more than one go where it is more than this. Of a URL
/// of 10 bytes 760 are told.
const FULL_PAGE_BYTES: usize = 4 * 1024 * 1024;
/// On one thread a page is printed when it has this size.
const PAGE_BYTES: usize = 64 * 1024;

/// Runs a search.
pub(crate) fn run(plan: &FindPlan, out: &mut Out) -> Status {
    let started = Instant::now();
    if plan.threads > 1 {
        // The main thread reads, prints and waits; these do the work.
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(plan.threads)
            .thread_name(|number| format!("urlgrep-{number}"))
            .build_global();
        if let Err(error) = built {
            out.error(b"--threads", &format_args!("{error}; try fewer"));
            return Status::Error;
        }
    }
    let progress = out.progress();
    let spare = Spare::default();
    let mut run = Run {
        plan,
        spare: &spare,
        out,
        progress,
        seen: Seen::default(),
        first_said: FirstSaid::default(),
        is_noted: false,
        keys: (plan.unique || plan.first_said).then(Keys::random),
        found: false,
        totals: Totals::default(),
    };
    if plan.shape == Shape::Matches
        && let Format::Csv(csv) = plan.format
    {
        let mut header = Vec::new();
        csv.header(&mut header);
        let _ = run.out.print(&header);
    }
    let _ = if plan.many && plan.threads > 1 { run.in_waves() } else { run.one_by_one() };
    run.finish(started)
}

/// What the workers need to know of a file to render its matches.
struct Job<'p> {
    plan: &'p FindPlan,
    spare: &'p Spare,
    keys: Option<Keys>,
    content: Content,
    file: Vec<u8>,
    name: Name,
}

/// What an input holds, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Text,
    Mail(Container),
    /// It takes another look, at what is inside.
    Tar,
    Packed,
    /// Compressed, and to be searched as it is.
    Opaque(archive::Format),
}

impl Content {
    fn of(plan: &FindPlan, head: &[u8]) -> Content {
        match archive::Format::of(head) {
            Some(_) if plan.unpack => Content::Packed,
            Some(format) => Content::Opaque(format),
            None => Content::within(plan, head),
        }
    }

    /// The same of what is not compressed, or not any more.
    fn within(plan: &FindPlan, head: &[u8]) -> Content {
        match (plan.input, archive::recognise(head)) {
            (InputArg::Text, _) | (InputArg::Auto, Container::Text) => Content::Text,
            (InputArg::Mail, Container::Text) => Content::Mail(Container::Message),
            (_, Container::Tar) => Content::Tar,
            (_, container) => Content::Mail(container),
        }
    }
}

impl Job<'_> {
    /// A file inside this one.
    fn member(&self, path: &[u8]) -> Self {
        let file = [&self.file, &b"!/"[..], path].concat();
        let name = if self.plan.with_member { self.plan.text.name(&file) } else { Name::default() };
        Job { content: Content::Text, file, name, ..*self }
    }

    fn page(&self) -> Page<'_> {
        Page { job: self, bytes: self.spare.take(), records: Vec::new(), wanted: 0 }
    }
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
struct Page<'j> {
    job: &'j Job<'j>,
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

impl Batch for Page<'_> {
    #[inline]
    fn add(&mut self, found: &Match<'_>) {
        let plan = self.job.plan;
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
                Format::Text(text) => text.render(&self.job.name, found, &mut self.bytes),
                Format::Json(json) => json.render(&self.job.file, found, &mut self.bytes),
                Format::Csv(csv) => csv.render(&self.job.file, found, &mut self.bytes),
            }
        }
        if plan.unique || plan.max_count.is_some() || plan.first_said {
            let fingerprint = match self.job.keys {
                None => 0,
                Some(keys) if plan.first_said => keys.fingerprint(&equivalence_key(found.target())),
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

/// What equivalent URLs have in common (spec.md section 4); of what is no URL its bytes.
fn equivalence_key(url: &[u8]) -> Vec<u8> {
    match Url::parse(url) {
        Ok(url) => url.equivalence_key(),
        Err(_) => Generic::parse(url).map_or_else(|| url.to_vec(), |generic| generic.equivalence_key()),
    }
}

/// What a file came to.
#[derive(Default)]
struct Tally {
    /// Matches printed or counted.
    count: u64,
}

/// A file of a wave.
enum Taken<'p> {
    /// Could not be found or opened.
    Trouble(Trouble),
    /// Searched whole.
    Done(Job<'p>, Pile, Searched),
    /// Too large, or the wave is full: its turn comes when those before it are printed.
    Later(Job<'p>, Source),
    /// The answer is known, nobody looked.
    Skipped,
}

/// How far a search came, and what ended it early.
type Searched = (Stats, Option<io::Error>);

/// A page without its job, to be moved about with it.
struct Pile {
    bytes: Vec<u8>,
    records: Vec<Record>,
    wanted: u64,
}

struct Run<'p, 'o> {
    plan: &'p FindPlan,
    spare: &'p Spare,
    out: &'o mut Out,
    progress: Progress,
    seen: Seen,
    first_said: FirstSaid,
    /// It was said that compressed files are searched as bytes.
    is_noted: bool,
    keys: Option<Keys>,
    found: bool,
    totals: Totals,
}

#[derive(Default)]
struct Totals {
    files: u64,
    printed: u64,
    errors: u64,
    stats: Sum,
}

/// [`Stats`], added up.
#[derive(Default)]
struct Sum {
    bytes: u64,
    matches: u64,
    too_long: u64,
    unterminated: u64,
    empty_wrappers: u64,
    messages: u64,
    undecoded: u64,
    false_lengths: u64,
    reasons: BTreeMap<&'static str, u64>,
}

impl<'p> Run<'p, '_> {
    fn one_by_one(&mut self) -> ControlFlow<()> {
        let plan = self.plan;
        for input in Inputs::new(&plan.paths, &plan.walk) {
            let opened = input.and_then(|input| open(plan, self.spare, self.keys, &self.progress, input));
            match opened {
                Ok((job, source)) => self.search(&job, source)?,
                Err(trouble) => self.trouble(&trouble),
            }
        }
        ControlFlow::Continue(())
    }

    fn in_waves(&mut self) -> ControlFlow<()> {
        let plan = self.plan;
        let mut inputs = Inputs::new(&plan.paths, &plan.walk);
        loop {
            let wave: Vec<_> = inputs.by_ref().take(WAVE_FILES * plan.threads).collect();
            if wave.is_empty() {
                return ControlFlow::Continue(());
            }
            let (held, enough) = (AtomicUsize::new(0), AtomicBool::new(false));
            let (spare, keys, progress) = (self.spare, self.keys, &self.progress);
            let taken: Vec<_> =
                wave.into_par_iter().map(|input| take(plan, spare, keys, progress, &held, &enough, input)).collect();
            for taken in taken {
                match taken {
                    Taken::Trouble(trouble) => self.trouble(&trouble),
                    Taken::Later(job, source) => self.search(&job, source)?,
                    Taken::Done(job, pile, searched) => {
                        let mut tally = Tally::default();
                        let _ = self.deliver(&mut tally, pile);
                        self.close(&job, &tally, searched)?;
                    }
                    Taken::Skipped => {}
                }
            }
        }
    }

    /// Searches one open file and prints it as it goes.
    fn search(&mut self, job: &Job<'_>, mut source: Source) -> ControlFlow<()> {
        if source.size().is_none() {
            // A pipe may make us wait: what is known is shown before.
            self.out.flush()?;
        }
        let failure = source.failure();
        if let Content::Opaque(format) = job.content {
            self.note_format(job, format);
        }
        if matches!(job.content, Content::Packed | Content::Tar) {
            if self.plan.range.is_some() {
                let why = io::Error::other("is compressed or a tar; --range needs a plain file");
                return self.close(job, &Tally::default(), (Stats::default(), Some(why)));
            }
            return self.look_inside(job, &mut source, &failure, 0);
        }
        let mut tally = Tally::default();
        let (stats, error) = match self.drive(job, source, &mut tally) {
            Ok(stats) => (stats, failure.take()),
            // A seek that failed.
            Err(error) => (Stats::default(), Some(error)),
        };
        self.close(job, &tally, (stats, error))
    }

    fn note_format(&mut self, job: &Job<'_>, format: archive::Format) {
        if !self.is_noted {
            self.is_noted = true;
            let name = String::from_utf8_lossy(&job.file);
            self.out.note(&format!("{name}: is {}, searched as bytes; --search-zip unpacks", format.as_str()));
        }
    }

    fn drive(&mut self, job: &Job<'_>, source: Source, tally: &mut Tally) -> io::Result<Stats> {
        let plan = self.plan;
        let extractor = &plan.extractor;
        let alone = plan.threads == 1;
        let new = || job.page();
        let mut deliver = |page: Page<'_>| Ok(self.deliver(tally, page.into_pile()));
        let all = 0..u64::MAX;
        match (job.content, plan.range.clone()) {
            (Content::Mail(container), range) if alone => {
                extractor.mail(source, container, range.unwrap_or(all), new, deliver)
            }
            (Content::Mail(container), range) => {
                extractor.par_mail(source, container, range.unwrap_or(all), new, deliver)
            }
            (_, None) if alone => follow(extractor.stream(source), job, &mut deliver),
            (_, Some(range)) if alone => follow(extractor.stream_range(source, range)?, job, &mut deliver),
            (_, None) if source.size().is_none() => extractor.par_stream(source, new, deliver),
            (_, range) => extractor.par_read_at(&source, range.unwrap_or(all), new, deliver),
        }
    }

    /// Searches what is compressed, and every file of a tar. `failure` is that of the file.
    fn look_inside(
        &mut self,
        job: &Job<'_>,
        reader: &mut dyn io::Read,
        failure: &Failure,
        depth: usize,
    ) -> ControlFlow<()> {
        let plan = self.plan;
        let mut reader = if plan.unpack { archive::open(reader) } else { archive::open_as_it_is(reader) };
        let content = Content::within(plan, reader.head());
        if content == Content::Tar && depth < TARS {
            let mut members = Members::new(reader);
            return loop {
                match members.next() {
                    Ok(Some(member)) => {
                        self.look_inside(&job.member(&member.path), &mut members, failure, depth + 1)?
                    }
                    // What ended the file early says more than what is missing then. Its files have been counted, and it is
                    // none of its own.
                    end => break self.complain(job, failure.take().or(end.err())),
                }
            };
        }
        let mut tally = Tally::default();
        let mut reader = Broken { reader, failure: None };
        let new = || job.page();
        let searched = {
            let extractor = &plan.extractor;
            let mut deliver = |page: Page<'_>| Ok(self.deliver(&mut tally, page.into_pile()));
            match content {
                Content::Mail(container) if plan.threads == 1 => {
                    extractor.mail(&mut reader, container, 0..u64::MAX, new, deliver)
                }
                Content::Mail(container) => extractor.par_mail(&mut reader, container, 0..u64::MAX, new, deliver),
                _ if plan.threads == 1 => follow(extractor.stream(&mut reader), job, &mut deliver),
                _ => extractor.par_stream(&mut reader, new, deliver),
            }
        };
        let error = failure.take().or(reader.failure);
        let searched = searched.map_or_else(|error| (Stats::default(), Some(error)), |stats| (stats, error));
        self.close(job, &tally, searched)
    }

    /// Takes the next page of a file. `Break`: no more of this file is wanted.
    fn deliver(&mut self, tally: &mut Tally, pile: Pile) -> ControlFlow<()> {
        let flow = self.print(tally, &pile);
        self.spare.put(pile.bytes);
        flow
    }

    fn print(&mut self, tally: &mut Tally, pile: &Pile) -> ControlFlow<()> {
        let plan = self.plan;
        let most = plan.max_count.unwrap_or(u64::MAX);
        if most == 0 {
            return ControlFlow::Break(());
        }
        if plan.shape.stops_at_first() {
            tally.count += pile.wanted;
            return if tally.count > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        if plan.first_said {
            tally.count += pile.wanted;
            self.first_said.take(pile);
            return ControlFlow::Continue(());
        }
        if !plan.unique && plan.max_count.is_none() {
            tally.count += pile.wanted;
            return self.out.print(&pile.bytes);
        }
        let mut start = 0;
        for record in &pile.records {
            let bytes = &pile.bytes[start..record.end];
            start = record.end;
            if plan.unique && !self.seen.insert(record.fingerprint) {
                continue;
            }
            tally.count += 1;
            self.out.print(bytes)?;
            if tally.count == most {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// A file is at its end: its line of `-c`, `-l`, `-L`, its error, its share of the statistics. `Break`: the whole
    /// run is at its end.
    fn close(&mut self, job: &Job<'_>, tally: &Tally, (stats, error): Searched) -> ControlFlow<()> {
        let plan = self.plan;
        self.totals.files += 1;
        self.totals.printed += tally.count;
        self.found |= tally.count > 0;
        let mut line = Vec::new();
        match plan.shape {
            // Of a file that could not be read to its end, neither the number nor the absence is known.
            Shape::Count if error.is_none() => plan.text.render_count(&job.name, tally.count, &mut line),
            Shape::FilesWithout if tally.count == 0 && error.is_none() => plan.text.render_file(&job.file, &mut line),
            Shape::FilesWith if tally.count > 0 => plan.text.render_file(&job.file, &mut line),
            _ => {}
        }
        let _ = self.out.print(&line);
        self.totals.stats.add(&stats);
        self.complain(job, error)
    }

    /// Reports what went wrong with a file. `Break` as in [`close`](Self::close).
    fn complain(&mut self, job: &Job<'_>, error: Option<io::Error>) -> ControlFlow<()> {
        let plan = self.plan;
        if let Some(error) = error
            && !self.out.is_stopped()
        {
            self.totals.errors += 1;
            self.out.error(&job.file, &error);
        }
        if self.out.is_stopped() || (plan.shape == Shape::Quiet && self.found) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn trouble(&mut self, trouble: &Trouble) {
        if trouble.harmless {
            let name = String::from_utf8_lossy(&trouble.name);
            self.out.note(&format!("{name}: {}", trouble.message));
        } else {
            self.totals.errors += 1;
            self.out.error(&trouble.name, &trouble.message);
        }
    }

    fn finish(mut self, started: Instant) -> Status {
        for said in std::mem::take(&mut self.first_said).in_order() {
            let mut lines = said.line;
            match self.plan.format {
                Format::Text(text) => text.set_count(said.count, &mut lines),
                Format::Json(json) => json.set_count(said.count, &mut lines),
                Format::Csv(csv) => csv.set_count(said.count, &mut lines),
            }
            if self.out.print(&lines).is_break() {
                break;
            }
        }
        let finish = self.out.finish();
        if self.plan.stats {
            self.out.say_plain(&self.totals.report(started));
        }
        match finish {
            Finish::BrokenPipe => Status::Found,
            Finish::Failed => Status::of(self.found, true, self.plan.shape == Shape::Quiet),
            Finish::Fine => Status::of(self.found, false, false),
        }
    }
}

/// Opens an input and makes what its workers need.
fn open<'p>(
    plan: &'p FindPlan,
    spare: &'p Spare,
    keys: Option<Keys>,
    progress: &Progress,
    input: Input,
) -> Result<(Job<'p>, Source), Trouble> {
    let mut source = match &input {
        Input::Stdin => Source::stdin(progress.clone()),
        Input::File(path) => Source::open(path, progress.clone()).map_err(|error| Trouble::new(path, &error))?,
    };
    let is_enough = |head: &[u8]| archive::Format::of(head).is_some() || archive::recognise_early(head).is_some();
    let content = Content::of(plan, source.head(is_enough));
    let file = input.name();
    let name = if plan.with_name { plan.text.name(&file) } else { Name::default() };
    Ok((Job { plan, spare, keys, content, file, name }, source))
}

/// A worker takes a file of a wave.
fn take<'p>(
    plan: &'p FindPlan,
    spare: &'p Spare,
    keys: Option<Keys>,
    progress: &Progress,
    held: &AtomicUsize,
    enough: &AtomicBool,
    input: Result<Input, Trouble>,
) -> Taken<'p> {
    if enough.load(Ordering::Relaxed) {
        return Taken::Skipped;
    }
    let (job, source) = match input.and_then(|input| open(plan, spare, keys, progress, input)) {
        Ok(opened) => opened,
        Err(trouble) => return Taken::Trouble(trouble),
    };
    let is_simple = matches!(job.content, Content::Text | Content::Mail(_));
    let small = is_simple && source.size().is_some_and(|size| size <= SMALL_FILE);
    if !small || held.load(Ordering::Relaxed) > WAVE_BYTES {
        return Taken::Later(job, source);
    }
    let mut page = job.page();
    let failure = source.failure();
    let searched = match job.content {
        Content::Mail(container) => fill_by_mail(&job, source, container, &mut page),
        _ => fill(plan.extractor.stream(source), &mut page),
    };
    let searched = match searched {
        Ok(stats) => (stats, failure.take()),
        Err(error) => (Stats::default(), Some(error)),
    };
    let pile = page.into_pile();
    held.fetch_add(pile.bytes.len() + pile.records.len() * size_of::<Record>(), Ordering::Relaxed);
    if plan.shape == Shape::Quiet && pile.wanted > 0 {
        enough.store(true, Ordering::Relaxed);
    }
    Taken::Done(job, pile, searched)
}

/// All matches of a stream on one page.
fn fill<R: io::Read>(mut stream: urlgrep::Stream<R>, page: &mut Page<'_>) -> io::Result<Stats> {
    let stops = page.job.plan.shape.stops_at_first();
    let _ = stream.try_for_each(|found| {
        page.add(found);
        if stops && page.wanted > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(stream.stats())
}

/// All matches of a small file of mail on one page.
fn fill_by_mail(job: &Job<'_>, source: Source, container: Container, page: &mut Page<'_>) -> io::Result<Stats> {
    let stops = job.plan.shape.stops_at_first();
    job.plan.extractor.mail(
        source,
        container,
        0..u64::MAX,
        || job.page(),
        |more| {
            page.append(more);
            Ok(if stops && page.wanted > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )
}

/// A stream's matches, page by page, on this thread.
fn follow<'j, R: io::Read>(
    mut stream: urlgrep::Stream<R>,
    job: &'j Job<'j>,
    deliver: &mut dyn FnMut(Page<'j>) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    let stops = job.plan.shape.stops_at_first();
    loop {
        let mut page = job.page();
        let flow = stream.try_for_each(|found| {
            page.add(found);
            let is_full = page.bytes.len() >= PAGE_BYTES || page.records.len() >= PAGE_BYTES / 16;
            if is_full || stops && page.wanted > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        // What was found before an error is delivered.
        if deliver(page)?.is_break() || flow?.is_continue() {
            return Ok(stream.stats());
        }
    }
}

impl Page<'_> {
    fn append(&mut self, more: Page<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&more.bytes);
        self.records.extend(more.records.into_iter().map(|record| Record { end: start + record.end, ..record }));
        self.wanted += more.wanted;
        self.job.spare.put(more.bytes);
    }

    fn into_pile(self) -> Pile {
        Pile { bytes: self.bytes, records: self.records, wanted: self.wanted }
    }
}

/// Ends where it fails, and says why afterwards: so what stands before the failure is delivered, whoever drives.
struct Broken<R> {
    reader: R,
    failure: Option<io::Error>,
}

impl<R: io::Read> io::Read for Broken<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.reader.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                self.failure = Some(error);
                Ok(0)
            }
            read => read,
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
    fn take(&mut self, pile: &Pile) {
        let mut start = 0;
        for &Record { end, fingerprint, is_quoted } in &pile.records {
            let line = &pile.bytes[start..end];
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

impl Sum {
    fn add(&mut self, stats: &Stats) {
        self.bytes += stats.bytes;
        self.matches += stats.matches;
        self.too_long += stats.too_long;
        self.unterminated += stats.unterminated;
        self.empty_wrappers += stats.empty_wrappers;
        self.messages += stats.messages;
        self.undecoded += stats.undecoded;
        self.false_lengths += stats.false_lengths;
        for (reason, count) in stats.undecoded_by_reason() {
            *self.reasons.entry(reason).or_default() += count;
        }
    }
}

impl Totals {
    fn report(&self, started: Instant) -> String {
        let Sum { bytes, matches, too_long, unterminated, empty_wrappers, messages, undecoded, false_lengths, reasons } =
            &self.stats;
        let reasons: String =
            reasons.iter().map(|(reason, count)| format!("undecoded-parts, {reason}: {count}\n")).collect();
        format!(
            "files: {}\nbytes: {bytes}\nmatches: {matches}\nselected: {}\ntoo-long: {too_long}\n\
             unterminated: {unterminated}\nempty-wrappers: {empty_wrappers}\n\
             messages: {messages}\nundecoded-parts: {undecoded}\n{reasons}false-lengths: {false_lengths}\nerrors: {}\nseconds: {:.3}\n",
            self.files,
            self.printed,
            self.errors,
            started.elapsed().as_secs_f64(),
        )
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
