//! The run itself, whatever becomes of the matches: inputs are opened, told apart, unpacked and searched, in order, on any
//! number of threads. What a worker makes of the matches of a chunk, a batch of messages or a small file is a page, which
//! a [`Clerk`] begins; pages reach the [`Desk`] on the main thread in the order of the input, whichever worker was first,
//! so the outcome is the same for every number of threads.
//!
//! One file: the extractor cuts it into chunks ([`Extractor::par_read_at`], of a pipe [`par_stream`](Extractor::par_stream)).
//! Many files: they are taken in waves, the small ones of a wave each as a whole on some thread, and those that turn out
//! large afterwards, in their place, in chunks. Memory is bounded either way: a wave stops taking files up once its
//! pages hold [`WAVE_BYTES`].

use std::collections::BTreeMap;
use std::io::{self, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use urlgrep::archive::{self, Container, Members};
use urlgrep::command::store::News;
use urlgrep::report::text;
use urlgrep::{Extractor, Match, Section, Sink, Stats, Undecoded, command};

use super::args::InputArg;
use super::out::Out;
use super::progress::Progress;
use super::source::{Failure, Source};
use super::walk::{Input, Inputs, Trouble, WalkOptions};

/// A file of up to this size is searched whole on one thread, where there are many. Dense JSON makes sixteen times
/// its input, so a page of such a file has 2 MiB at worst.
const SMALL_FILE: u64 = 128 * 1024;
/// A wave has this many files for each thread: enough that the threads need not wait for each other often.
const WAVE_FILES: usize = 32;
/// Once the pages of a wave hold this much, its other files wait until these are printed.
const WAVE_BYTES: usize = 4 * 1024 * 1024;
/// So many undecoded parts are named in the statistics.
const MOST_UNDECODED: usize = 100;
/// Tars within tars are opened this deep; the next is bytes.
const TARS: usize = 3;

/// What to search, and how.
#[derive(Debug)]
pub(crate) struct SearchPlan {
    /// Not empty.
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) walk: WalkOptions,
    /// More than one input may come.
    pub(crate) many: bool,
    pub(crate) extractor: Extractor,
    pub(crate) range: Option<Range<u64>>,
    pub(crate) input: InputArg,
    pub(crate) unpack: bool,
    /// At least 1.
    pub(crate) threads: usize,
}

/// Begins pages, and says when one will do. Every worker asks it.
pub(crate) trait Clerk: Sync {
    /// The matches of a piece of one file.
    type Page: Sink + Send;

    /// An empty page.
    fn page(&self, file: &Arc<File>) -> Self::Page;

    /// What is on the page settles its file: the rest of it need not be searched.
    fn is_settled(&self, page: &Self::Page) -> bool;

    /// What is on the page settles the whole run.
    fn ends_all(&self, page: &Self::Page) -> bool;

    /// The page should be handed over before more is put on it.
    fn is_due(&self, page: &Self::Page) -> bool;

    /// How many bytes the page holds.
    fn size(&self, page: &Self::Page) -> usize;

    /// Puts what is on the next page of the same file on this one.
    fn append(&self, page: &mut Self::Page, next: Self::Page);

    /// rayon's threads are asked for something else too, so even one has to be there.
    fn needs_threads(&self) -> bool {
        false
    }

    /// What of a regular file has to be searched.
    fn news(&self, _: &Path, _: Content) -> News {
        News::All
    }
}

/// Takes the pages, in order.
pub(crate) trait Desk {
    /// What the clerk makes.
    type Page;

    /// Takes the next page of a file. `Break`: no more of this file is wanted.
    fn take(&mut self, file: &File, page: Self::Page) -> ControlFlow<()>;

    /// A file is going to be searched, with what is in it if it is a tar; or need not be.
    fn begin(&mut self, _: &File) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// And has been, with what is in it.
    fn end(&mut self, _: &File, _has_failed: bool) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// A file is at its end; it failed if there is an error, which is told afterwards. `Break`: the whole run is at its end.
    fn close(&mut self, file: &File, stats: &Stats, error: Option<&io::Error>) -> ControlFlow<()>;

    /// Where all is printed.
    fn out(&mut self) -> &mut Out;

    /// Nothing more is wanted of the whole run.
    fn is_done(&mut self) -> bool;
}

/// A file that is searched, or one inside it.
pub(crate) struct File {
    /// As it was named; `-` for standard input; `a.tar!/path` for one in a tar.
    pub(crate) name: Vec<u8>,
    /// In a tar.
    pub(crate) is_member: bool,
    /// Of a regular file.
    pub(crate) path: Option<PathBuf>,
    pub(crate) content: Content,
    /// What of it is to be searched.
    pub(crate) news: News,
}

/// What an input holds, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text,
    Mail(Container),
    /// It takes another look, at what is inside.
    Tar,
    Packed,
    /// Compressed, and to be searched as it is.
    Opaque(archive::Format),
}

impl Content {
    fn of(plan: &SearchPlan, head: &[u8]) -> Content {
        match archive::Format::of(head) {
            Some(_) if plan.unpack => Content::Packed,
            Some(format) => Content::Opaque(format),
            None => Content::within(plan, head),
        }
    }

    /// The same of what is not compressed, or not any more.
    fn within(plan: &SearchPlan, head: &[u8]) -> Content {
        match (plan.input, archive::recognise(head)) {
            (InputArg::Text, _) | (InputArg::Auto, Container::Text) => Content::Text,
            (InputArg::Mail, Container::Text) => Content::Mail(Container::Message),
            (_, Container::Tar) => Content::Tar,
            (_, container) => Content::Mail(container),
        }
    }
}

impl File {
    /// A file inside this one.
    fn member(&self, path: &[u8]) -> Arc<Self> {
        let name = [&self.name, &b"!/"[..], path].concat();
        Arc::new(File { name, is_member: true, path: None, content: Content::Text, news: News::All })
    }
}

/// A page, and what could not be decoded of the messages whose matches are on it.
struct Noted<P> {
    page: P,
    undecoded: Vec<Undecoded>,
}

impl<P> Noted<P> {
    fn new(page: P) -> Self {
        Noted { page, undecoded: Vec::new() }
    }
}

impl<P: Sink> Sink for Noted<P> {
    fn add(&mut self, found: &Match<'_>) {
        self.page.add(found);
    }

    fn is_full(&self) -> bool {
        self.page.is_full()
    }

    fn undecoded(&mut self, part: &Undecoded) {
        if self.undecoded.len() <= MOST_UNDECODED {
            self.undecoded.push(part.clone());
        }
    }
}

/// A file of a wave.
enum Taken<P> {
    /// Could not be found or opened.
    Trouble(Trouble),
    /// Searched whole.
    Done(Arc<File>, Noted<P>, Searched),
    /// Too large, or the wave is full: its turn comes when those before it are printed.
    Later(Arc<File>, Source),
    /// The answer is known, nobody looked.
    Skipped,
}

/// How far a search came, and what ended it early.
type Searched = (Stats, Option<io::Error>);

/// A run.
pub(crate) struct Run<'p, C, D> {
    pub(crate) plan: &'p SearchPlan,
    clerk: C,
    pub(crate) desk: D,
    progress: Progress,
    /// It was said that compressed files are searched as bytes.
    is_noted: bool,
    pub(crate) totals: Totals,
}

/// What a run came to.
pub(crate) struct Totals {
    started: Instant,
    files: u64,
    errors: u64,
    stats: Sum,
    /// Parts of messages that could not be decoded: the file, and which of its.
    undecoded: Vec<(Vec<u8>, String)>,
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

impl<'p, C: Clerk, D: Desk<Page = C::Page>> Run<'p, C, D> {
    /// Begins the clock.
    pub(crate) fn new(plan: &'p SearchPlan, clerk: C, mut desk: D) -> Self {
        let progress = desk.out().progress();
        let totals =
            Totals { started: Instant::now(), files: 0, errors: 0, stats: Sum::default(), undecoded: Vec::new() };
        Run { plan, clerk, desk, progress, is_noted: false, totals }
    }

    /// Searches all inputs, or until the desk wants no more.
    pub(crate) fn search_all(&mut self) {
        // The main thread reads, prints and waits; these do the work. One alone does not even need to be asked.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.plan.threads);
        if (self.plan.threads > 1 || self.clerk.needs_threads())
            && let Err(error) = threads.thread_name(|number| format!("urlgrep-{number}")).build_global()
        {
            self.desk.out().error(b"--threads", &format_args!("{error}; try fewer"));
            return;
        }
        let _ = if self.plan.many && self.plan.threads > 1 { self.in_waves() } else { self.one_by_one() };
    }

    fn one_by_one(&mut self) -> ControlFlow<()> {
        let plan = self.plan;
        for input in Inputs::new(&plan.paths, &plan.walk) {
            match input.and_then(|input| open(plan, &self.clerk, &self.progress, input)) {
                Ok((file, source)) => self.whole(&file, source)?,
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
            let wave_state = Wave { held: AtomicUsize::new(0), enough: AtomicBool::new(false) };
            let (clerk, progress) = (&self.clerk, &self.progress);
            let taken: Vec<_> =
                wave.into_par_iter().map(|input| take(plan, clerk, progress, &wave_state, input)).collect();
            for taken in taken {
                match taken {
                    Taken::Trouble(trouble) => self.trouble(&trouble),
                    Taken::Later(file, source) => self.whole(&file, source)?,
                    Taken::Done(file, page, searched) => {
                        self.desk.begin(&file)?;
                        let has_failed = searched.1.is_some();
                        let _ = hand_over(&mut self.desk, &mut self.totals, &file, page);
                        self.close(&file, searched)?;
                        self.desk.end(&file, has_failed)?;
                    }
                    Taken::Skipped => {}
                }
            }
        }
    }

    /// Searches what is new in one open file.
    fn whole(&mut self, file: &Arc<File>, source: Source) -> ControlFlow<()> {
        self.desk.begin(file)?;
        if file.news == News::Nothing {
            return ControlFlow::Continue(());
        }
        let errors = self.totals.errors;
        self.search(file, source)?;
        self.desk.end(file, self.totals.errors > errors)
    }

    /// Searches one open file and hands over what is found as it goes.
    fn search(&mut self, file: &Arc<File>, mut source: Source) -> ControlFlow<()> {
        if source.size().is_none() {
            // A pipe may make us wait: what is known is shown before.
            self.desk.out().flush()?;
        }
        let failure = source.failure();
        match file.content {
            Content::Opaque(format) => self.note_format(file, format),
            Content::Packed | Content::Tar => {
                if self.plan.range.is_some() {
                    let why = io::Error::other("is compressed or a tar; --range needs a plain file");
                    return self.close(file, (Stats::default(), Some(why)));
                }
                return self.look_inside(file, &mut source, &failure, 0);
            }
            Content::Text | Content::Mail(_) => {}
        }
        let searched = match self.drive(file, source) {
            Ok(stats) => (stats, failure.take()),
            // A seek that failed.
            Err(error) => (Stats::default(), Some(error)),
        };
        self.close(file, searched)
    }

    fn note_format(&mut self, file: &File, format: archive::Format) {
        if !self.is_noted {
            self.is_noted = true;
            let name = String::from_utf8_lossy(&file.name);
            let note = format!("{name}: is {}, searched as bytes; --search-zip unpacks", format.as_str());
            self.desk.out().note(&note);
        }
    }

    /// Searches a file that need not be unpacked: text whose places can be told in chunks that the workers read.
    fn drive(&mut self, file: &Arc<File>, mut source: Source) -> io::Result<Stats> {
        let plan = self.plan;
        let clerk = &self.clerk;
        let is_mail = matches!(file.content, Content::Mail(_));
        let section = match file.news {
            News::After(checkpoint) => {
                if is_mail {
                    source.seek(SeekFrom::Start(checkpoint.offset))?;
                }
                Some(Section::from(checkpoint))
            }
            News::All | News::Nothing => plan.range.clone().map(Section::from),
        };
        if is_mail || section.is_none() && (plan.threads == 1 || source.size().is_none()) {
            return self.drive_reader(file, file.content, source, section);
        }
        let mut take = |page| Ok(hand_over(&mut self.desk, &mut self.totals, file, page));
        let section = section.unwrap_or_else(all);
        if plan.threads == 1 {
            return follow(plan.extractor.stream_range(source, section)?, clerk, file, take);
        }
        plan.extractor.par_read_at(&source, section, || Noted::new(clerk.page(file)), &mut take)
    }

    /// Searches what is read from its start to its end; of mail a section may be enough.
    fn drive_reader(
        &mut self,
        file: &Arc<File>,
        content: Content,
        reader: impl io::Read + Send,
        section: Option<Section>,
    ) -> io::Result<Stats> {
        let plan = self.plan;
        let clerk = &self.clerk;
        let extractor = &plan.extractor;
        let alone = plan.threads == 1;
        let new = || Noted::new(clerk.page(file));
        let take = |page| Ok(hand_over(&mut self.desk, &mut self.totals, file, page));
        let section = section.unwrap_or_else(all);
        match content {
            Content::Mail(container) if alone => extractor.mail(reader, container, section, new, take),
            Content::Mail(container) => extractor.par_mail(reader, container, section, new, take),
            _ if alone => follow(extractor.stream(reader), clerk, file, take),
            _ => extractor.par_stream(reader, new, take),
        }
    }

    /// Searches what is compressed, and every file of a tar. `failure` is that of the file.
    fn look_inside(
        &mut self,
        file: &Arc<File>,
        reader: &mut (dyn io::Read + Send),
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
                        self.look_inside(&file.member(&member.path), &mut members, failure, depth + 1)?
                    }
                    // What ended the file early says more than what is missing then. Its files have been counted, and it is
                    // none of its own.
                    end => break self.complain(file, failure.take().or(end.err())),
                }
            };
        }
        let mut reader = Broken { reader, failure: None };
        let searched = self.drive_reader(file, content, &mut reader, None);
        let error = failure.take().or(reader.failure);
        let searched = searched.map_or_else(|error| (Stats::default(), Some(error)), |stats| (stats, error));
        self.close(file, searched)
    }

    /// A file is at its end: its error, its share of the statistics. `Break`: the whole run is at its end.
    fn close(&mut self, file: &File, (stats, error): Searched) -> ControlFlow<()> {
        self.totals.files += 1;
        self.totals.stats.add(&stats);
        let flow = self.desk.close(file, &stats, error.as_ref());
        self.complain(file, error)?;
        flow
    }

    /// Reports what went wrong with a file. `Break` as in [`close`](Self::close).
    fn complain(&mut self, file: &File, error: Option<io::Error>) -> ControlFlow<()> {
        if let Some(error) = error
            && !self.desk.out().is_stopped()
        {
            self.totals.errors += 1;
            self.desk.out().error(&file.name, &error);
        }
        if self.desk.out().is_stopped() || self.desk.is_done() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn trouble(&mut self, trouble: &Trouble) {
        if trouble.harmless {
            let name = String::from_utf8_lossy(&trouble.name);
            self.desk.out().note(&format!("{name}: {}", trouble.message));
        } else {
            self.totals.errors += 1;
            self.desk.out().error(&trouble.name, &trouble.message);
        }
    }
}

/// Hands a page over, and keeps in mind what could not be decoded.
fn hand_over<D: Desk>(desk: &mut D, totals: &mut Totals, file: &File, page: Noted<D::Page>) -> ControlFlow<()> {
    for part in page.undecoded {
        if totals.undecoded.len() == MOST_UNDECODED {
            break;
        }
        let number = part.number.map(|number| format!(" {number}")).unwrap_or_default();
        let name = part.part.map(|name| format!(", part {name}")).unwrap_or_default();
        let place = format!("message{number} at {}{name}: {}", part.offset, part.reason);
        totals.undecoded.push((file.name.clone(), place));
    }
    desk.take(file, page.page)
}

fn all() -> Section {
    Section::from(0..u64::MAX)
}

/// What the workers of a wave share.
struct Wave {
    /// Bytes on their pages.
    held: AtomicUsize,
    enough: AtomicBool,
}

/// Opens an input and looks what it holds.
fn open<C: Clerk>(
    plan: &SearchPlan,
    clerk: &C,
    progress: &Progress,
    input: Input,
) -> Result<(Arc<File>, Source), Trouble> {
    let mut source = match &input {
        Input::Stdin => Source::stdin(progress.clone()),
        Input::File(path) => Source::open(path, progress.clone()).map_err(|error| Trouble::new(path, &error))?,
    };
    let is_enough = |head: &[u8]| archive::Format::of(head).is_some() || archive::recognise_early(head).is_some();
    let content = Content::of(plan, source.head(is_enough));
    let name = input.name();
    let path = match input {
        Input::File(path) if source.size().is_some() => Some(path),
        _ => None,
    };
    let news = path.as_ref().map_or(News::All, |path| clerk.news(path, content));
    Ok((Arc::new(File { name, is_member: false, path, content, news }), source))
}

/// A worker takes a file of a wave.
fn take<C: Clerk>(
    plan: &SearchPlan,
    clerk: &C,
    progress: &Progress,
    wave: &Wave,
    input: Result<Input, Trouble>,
) -> Taken<C::Page> {
    if wave.enough.load(Ordering::Relaxed) {
        return Taken::Skipped;
    }
    let (file, source) = match input.and_then(|input| open(plan, clerk, progress, input)) {
        Ok(opened) => opened,
        Err(trouble) => return Taken::Trouble(trouble),
    };
    let is_simple = matches!(file.content, Content::Text | Content::Mail(_)) && file.news == News::All;
    let small = is_simple && source.size().is_some_and(|size| size <= SMALL_FILE);
    if !small || wave.held.load(Ordering::Relaxed) > WAVE_BYTES {
        return Taken::Later(file, source);
    }
    let mut page = Noted::new(clerk.page(&file));
    let failure = source.failure();
    let searched = match file.content {
        Content::Mail(container) => fill_by_mail(plan, clerk, &file, source, container, &mut page),
        _ => fill(plan.extractor.stream(source), clerk, &mut page.page),
    };
    let searched = match searched {
        Ok(stats) => (stats, failure.take()),
        Err(error) => (Stats::default(), Some(error)),
    };
    wave.held.fetch_add(clerk.size(&page.page), Ordering::Relaxed);
    if clerk.ends_all(&page.page) {
        wave.enough.store(true, Ordering::Relaxed);
    }
    Taken::Done(file, page, searched)
}

/// `Break` if nothing more is wanted of the file.
fn settled<C: Clerk>(clerk: &C, page: &C::Page) -> ControlFlow<()> {
    if clerk.is_settled(page) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// All matches of a stream on one page.
fn fill<C: Clerk, R: io::Read>(mut stream: urlgrep::Stream<R>, clerk: &C, page: &mut C::Page) -> io::Result<Stats> {
    let _ = stream.try_for_each(|found| {
        page.add(found);
        settled(clerk, page)
    })?;
    Ok(stream.stats())
}

/// All matches of a small file of mail on one page.
fn fill_by_mail<C: Clerk>(
    plan: &SearchPlan,
    clerk: &C,
    file: &Arc<File>,
    source: Source,
    container: Container,
    page: &mut Noted<C::Page>,
) -> io::Result<Stats> {
    plan.extractor.mail(
        source,
        container,
        0..u64::MAX,
        || Noted::new(clerk.page(file)),
        |next| {
            clerk.append(&mut page.page, next.page);
            page.undecoded.extend(next.undecoded);
            Ok(settled(clerk, &page.page))
        },
    )
}

/// A stream's matches, page by page, on this thread.
fn follow<C: Clerk, R: io::Read>(
    mut stream: urlgrep::Stream<R>,
    clerk: &C,
    file: &Arc<File>,
    mut take: impl FnMut(Noted<C::Page>) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    loop {
        let mut page = clerk.page(file);
        let flow = stream.try_for_each(|found| {
            page.add(found);
            if clerk.is_due(&page) || clerk.is_settled(&page) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        // What was found before an error is delivered.
        if take(Noted::new(page))?.is_break() || flow?.is_continue() {
            return Ok(stream.stats());
        }
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
    /// What the run came to, a line each. `selected` are the matches that were wanted.
    pub(crate) fn report(&self, selected: u64) -> String {
        let Sum { bytes, matches, .. } = &self.stats;
        let mut lines = format!("files: {}\nbytes: {bytes}\nmatches: {matches}\nselected: {selected}\n", self.files);
        for (name, count) in self.stats.counts() {
            lines.push_str(&format!("{name}: {count}\n"));
        }
        for (file, place) in &self.undecoded {
            let mut name = Vec::new();
            text::escape(file, &mut name);
            lines.push_str(&format!("undecoded: {}: {place}\n", String::from_utf8_lossy(&name)));
        }
        if let Some(more) = self.stats.undecoded.checked_sub(MOST_UNDECODED as u64).filter(|&more| more > 0) {
            lines.push_str(&format!("undecoded: and {more} more\n"));
        }
        lines.push_str(&format!("errors: {}\nseconds: {:.3}\n", self.errors, self.started.elapsed().as_secs_f64()));
        lines
    }

    /// The same for an audit.
    pub(crate) fn of_audit(&self) -> command::Totals {
        command::Totals { files: self.files, ..self.stats.of_audit() }
    }
}

/// What one file came to, for an audit.
pub(crate) fn totals_of(stats: &Stats) -> command::Totals {
    let mut sum = Sum::default();
    sum.add(stats);
    command::Totals { files: 1, ..sum.of_audit() }
}

impl Sum {
    /// What was refused or could not be decoded, by name, and among it the messages.
    fn counts(&self) -> Vec<(String, u64)> {
        let Sum { too_long, unterminated, empty_wrappers, messages, undecoded, false_lengths, reasons, .. } = self;
        let by_reason = reasons.iter().map(|(reason, &count)| (format!("undecoded-parts, {reason}"), count));
        [("too-long", too_long), ("unterminated", unterminated), ("empty-wrappers", empty_wrappers)]
            .into_iter()
            .chain([("messages", messages), ("undecoded-parts", undecoded)])
            .map(|(name, &count)| (name.to_owned(), count))
            .chain(by_reason)
            .chain([("false-lengths".to_owned(), *false_lengths)])
            .collect()
    }

    fn of_audit(&self) -> command::Totals {
        let mut refused = self.counts();
        refused.retain(|(name, count)| name != "messages" && *count > 0);
        command::Totals { files: 0, bytes: self.bytes, messages: self.messages, refused }
    }
}
