//! A search that runs without the GIL and delivers its matches in pieces.
//!
//! The caller's thread searches a text, piece by piece, and a small file at once. Any other file is
//! searched on a thread of its own. The library's `Extractor::open` also uses a thread, since
//! nested readers cannot pause. The thread waits while the caller reads no piece.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, Cursor, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use urlgrep::archive::{Container, Entry, Format, OpenOptions, has_record_members};
use urlgrep::{Extractor, ExtractorBuilder, Halt, RangeCounts, Sink, Stream};

use crate::file::{File, Tally};
use crate::value::own_error;

/// The number of pieces that may wait for the caller.
const WAITING: usize = 2;

/// The size of the largest file that is searched all at once.
const SMALL: u64 = 256 << 10;

/// The time between two checks of a waiting caller for a signal, such as that of Control-C.
const SIGNALS: Duration = Duration::from_millis(100);

/// A sink that is delivered when it is full, and at the end.
pub(crate) trait Gather: Sink + Send + Sized + 'static {
    /// The parameters of a new sink.
    type Plan: Send + Sync + 'static;
    /// The form in which the caller receives the sink.
    type Piece: Send + 'static;

    fn new(plan: &Self::Plan) -> Self;

    /// Sets the file of the next matches.
    fn enter(&mut self, file: &Arc<[u8]>);

    /// Returns true if the sink is to be delivered now rather than with the next matches.
    fn is_ready(&self) -> bool;

    fn is_empty(&self) -> bool;

    /// Converts the sink for the caller. This runs on the thread that filled it, since its content
    /// is in that processor's cache.
    fn finish(self) -> PyResult<Self::Piece>;
}

/// The input of a search.
pub(crate) enum Haystack {
    Text(PyBackedBytes),
    File(Box<FileHaystack>),
}

/// A file, or a range of one.
pub(crate) struct FileHaystack {
    pub(crate) file: File,
    /// The last part of its path, which may identify its kind.
    pub(crate) name: Vec<u8>,
    pub(crate) options: OpenOptions,
    pub(crate) range: Option<FileRange>,
}

impl FileHaystack {
    /// Returns true if a search is fast and needs little memory.
    fn is_small(&self) -> bool {
        match &self.file {
            File::Path { input, .. } => !input.has_files() && input.size().is_some_and(|size| size <= SMALL),
            File::Object { .. } => false,
        }
    }
}

/// A range of a file, and the counts of the ranges before it.
pub(crate) struct FileRange {
    pub(crate) bytes: Range<u64>,
    pub(crate) before: RangeCounts,
}

/// The input of a search, its options and its name.
pub(crate) struct Request {
    pub(crate) extractor: ExtractorBuilder,
    pub(crate) haystack: Haystack,
    pub(crate) name: Arc<[u8]>,
    pub(crate) tally: Arc<Tally>,
}

/// A search in progress.
pub(crate) enum Search<G: Gather> {
    Text {
        stream: Box<Stream<Cursor<PyBackedBytes>>>,
        plan: G::Plan,
        has_ended: bool,
    },
    File {
        pieces: Receiver<PyResult<G::Piece>>,
        searcher: Option<JoinHandle<()>>,
    },
    /// A search that runs at once and is delivered piece by piece. Starting a thread would be as
    /// slow as the search.
    SmallFile {
        search: Option<Box<(FileSearch<G>, FileHaystack)>>,
        pieces: Pieces<G::Piece>,
    },
}

/// Pieces, and errors of files that could not be read.
type Pieces<P> = Arc<Mutex<VecDeque<PyResult<P>>>>;

impl<G: Gather> Search<G> {
    pub(crate) fn begin(request: Request, plan: G::Plan) -> PyResult<Self> {
        let Request { extractor, haystack, name, tally } = request;
        let extractor = extractor.build();
        let file = match haystack {
            Haystack::Text(text) => {
                let stream = Box::new(extractor.stream(Cursor::new(text)));
                return Ok(Self::Text { stream, plan, has_ended: false });
            }
            Haystack::File(file) => *file,
        };
        let is_small = file.is_small();
        let (gathered, has_failed) = Default::default();
        let search = |send| FileSearch { extractor, plan, name, tally, send, gathered, has_failed };
        if is_small {
            let pieces = Pieces::default();
            let gathered = Arc::clone(&pieces);
            let search = search(Box::new(move |piece| {
                lock(&gathered).push_back(piece);
                ControlFlow::Continue(())
            }));
            return Ok(Self::SmallFile { search: Some(Box::new((search, file))), pieces });
        }
        let (sender, pieces) = sync_channel(WAITING);
        let search = search(Box::new(move |piece| match sender.send(piece) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }));
        let searcher = thread::Builder::new().name("urlgrep".to_owned()).spawn(move || search.run(file))?;
        Ok(Self::File { pieces, searcher: Some(searcher) })
    }

    /// Returns the next piece, which is not empty, or `None` at the end. After an error the search
    /// continues with the next file.
    pub(crate) fn next(&mut self, py: Python<'_>) -> Option<PyResult<G::Piece>> {
        match self {
            Self::Text { has_ended: true, .. } => None,
            Self::Text { stream, plan, has_ended } => {
                let piece: PyResult<G> = py.detach(|| Ok(fill(stream, plan, has_ended)?));
                let piece = piece.map(|piece| (!piece.is_empty()).then_some(piece)).transpose()?;
                Some(py.detach(|| piece?.finish()))
            }
            Self::SmallFile { search, pieces } => {
                if let Some(search) = search.take() {
                    py.detach(move || search.0.run(search.1));
                }
                lock(pieces).pop_front()
            }
            Self::File { pieces, searcher } => loop {
                let pieces = &mut *pieces;
                match py.detach(move || pieces.recv_timeout(SIGNALS)) {
                    Ok(piece) => return Some(piece),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(interrupt) = py.check_signals() {
                            return Some(Err(interrupt));
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        if let Err(cause) = py.detach(|| searcher.take().map_or(Ok(()), JoinHandle::join)) {
                            resume_unwind(cause);
                        }
                        return None;
                    }
                }
            },
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn fill<G: Gather>(stream: &mut Stream<Cursor<PyBackedBytes>>, plan: &G::Plan, has_ended: &mut bool) -> io::Result<G> {
    let mut piece = G::new(plan);
    loop {
        let halt = stream.try_for_each_known(|found| {
            piece.add(found);
            if piece.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        *has_ended = halt == Halt::Ended;
        // A pause has no meaning for a text in memory.
        if halt != Halt::Paused {
            return Ok(piece);
        }
    }
}

/// The search of all files of an input.
pub(crate) struct FileSearch<G: Gather> {
    extractor: Extractor,
    plan: G::Plan,
    name: Arc<[u8]>,
    tally: Arc<Tally>,
    /// Delivers a piece, and returns `Break` if the receiver is gone.
    send: Box<dyn Fn(PyResult<G::Piece>) -> ControlFlow<()> + Send>,
    /// The matches that are not delivered yet.
    gathered: Cell<Option<G>>,
    has_failed: Cell<bool>,
}

impl<G: Gather> FileSearch<G> {
    fn run(self, mut haystack: FileHaystack) {
        let flow = match haystack.range.take() {
            None => self.search_all(haystack),
            Some(range) => self.search_range(haystack, range),
        };
        if flow.unwrap_or_else(|error| self.fail(error, &self.name)).is_continue() {
            let _ = self.flush();
        }
    }

    fn search_all(&self, haystack: FileHaystack) -> io::Result<ControlFlow<()>> {
        let FileHaystack { mut file, name, options, .. } = haystack;
        options.each(&mut file, &name, |path, entry| Ok(self.search(path, entry)))
    }

    fn search(&self, path: &[u8], entry: io::Result<Entry<'_>>) -> ControlFlow<()> {
        let file = match path {
            b"" => Arc::clone(&self.name),
            path => [&self.name, &b"!/"[..], path].concat().into(),
        };
        let find = |entry| self.extractor.find_entry(entry, || self.piece(&file), |piece| self.take(piece));
        entry.and_then(find).unwrap_or_else(|error| self.fail(error, &file))
    }

    fn search_range(&self, mut haystack: FileHaystack, range: FileRange) -> io::Result<ControlFlow<()>> {
        let FileHaystack { file, name, options, .. } = &mut haystack;
        let FileRange { bytes, before } = range;
        let container = file.container(|head| options.recognise(head, name))?;
        let is_gzip = container == Container::Compressed(Format::Gzip) && options.has_files(container);
        let has_records = |file: &mut File| {
            file.seek(SeekFrom::Start(0))?;
            has_record_members(file)
        };
        // Only the first range is checked: a read far after it would cost a request, and 4 MiB.
        let (flow, counts) = if is_gzip && file.has_size() && (bytes.start > 0 || has_records(file)?) {
            let deliver = |piece| Ok(self.take(piece));
            let new = || self.piece(&self.name);
            let (_, counts) = self.extractor.search_records(file, bytes, new, deliver)?;
            (ControlFlow::Continue(()), counts)
        } else if options.has_files(container) || !file.has_size() {
            // Compressed files, archives and pipes are indivisible: the range with their first byte
            // searches everything.
            let flow = if bytes.contains(&0) {
                file.seek(SeekFrom::Start(0))?;
                self.search_all(haystack)?
            } else {
                ControlFlow::Continue(())
            };
            (flow, RangeCounts::default())
        } else {
            let deliver = |piece| Ok(self.take(piece));
            let new = || self.piece(&self.name);
            let (_, counts) = self.extractor.search_range(file, container, bytes, &before, new, deliver)?;
            (ControlFlow::Continue(()), counts)
        };
        if !self.has_failed.get() {
            self.tally.end(counts);
        }
        Ok(flow)
    }

    /// Returns the sink for the next matches, which are in this file.
    fn piece(&self, file: &Arc<[u8]>) -> G {
        let mut piece = self.gathered.take().unwrap_or_else(|| G::new(&self.plan));
        piece.enter(file);
        piece
    }

    fn take(&self, piece: G) -> ControlFlow<()> {
        let is_ready = piece.is_ready();
        self.gathered.set(Some(piece));
        if is_ready { self.flush() } else { ControlFlow::Continue(()) }
    }

    fn fail(&self, error: io::Error, file: &[u8]) -> ControlFlow<()> {
        self.has_failed.set(true);
        // Matches before the failure are delivered before it.
        self.flush()?;
        self.send(Err(os_error(error, file)))
    }

    fn flush(&self) -> ControlFlow<()> {
        match self.gathered.take() {
            Some(piece) if !piece.is_empty() => self.send(piece.finish()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn send(&self, piece: PyResult<G::Piece>) -> ControlFlow<()> {
        (self.send)(piece)
    }
}

/// Creates an `OSError` that names its file and, for damage, the place. An exception that a file
/// object raised stays unchanged.
pub(crate) fn os_error(error: io::Error, file: &[u8]) -> PyErr {
    let file = String::from_utf8_lossy(file).into_owned();
    if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) {
        return error.into();
    }
    match error.raw_os_error() {
        // "No such file or directory" without "(os error 2)".
        Some(number) => {
            let text = error.to_string();
            let text = text.split_once(" (os error").map_or(&*text, |(text, _)| text).to_owned();
            PyOSError::new_err((number, text, file))
        }
        None => damage(&error.to_string(), &file)
            .unwrap_or_else(|| io::Error::new(error.kind(), format!("{file}: {error}")).into()),
    }
}

/// Creates the error of a packed file or an archive. Its text names the format first, and the place
/// at the end.
fn damage(text: &str, file: &str) -> Option<PyErr> {
    let (_, place) = text.rsplit_once(", at byte ")?;
    let offset: u64 = place.split(' ').next()?.parse().ok()?;
    let is_archive = ["tar: ", "zip: "].iter().any(|format| text.starts_with(format));
    let class = if is_archive { "ContainerError" } else { "DecodeError" };
    Python::try_attach(|py| own_error(py, class, (file, offset, text)))
}

/// Passes an `OSError` to the caller's `onerror`. Without one, and for any other error, returns the
/// error.
pub(crate) fn report(py: Python<'_>, onerror: Option<&Py<PyAny>>, error: PyErr) -> PyResult<()> {
    match onerror {
        Some(onerror) if error.is_instance_of::<PyOSError>(py) => onerror.call1(py, (error.into_value(py),)).map(drop),
        _ => Err(error),
    }
}
