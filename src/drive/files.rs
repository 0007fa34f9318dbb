//! The matches of a path, whatever it holds, as an iterator.
//!
//! Nested readers read mail, HTML and the files of an archive, such as a zip in a tar in gzip. They
//! lend their buffers while they run, and a search passes on its matches as it finds them. An
//! iterator would have to suspend all these readers at each match. So the search runs on a thread
//! of its own. It waits while the caller has unread matches.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::io;
use std::iter::FusedIterator;
use std::ops::{ControlFlow, Deref, Range};
use std::panic;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use bstr::{BStr, BString, ByteSlice};

use crate::archive::{Entry, Input};
use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::drive::range::deliver_whole;
use crate::drive::section::RangeCounts;
use crate::drive::sink::Sink;

/// The number of batches of matches that may wait for the caller.
const WAITING: usize = 2;

impl Extractor {
    /// Returns the matches in the file at a path, as the command finds them. This method decodes
    /// mail, news, HTML and compressed files, and reads each file of a tar or zip. Matches come in
    /// order, and in bounded memory.
    ///
    /// The matches are owned, and have a [`place`](Match::place). The search runs on a thread of
    /// its own. If the iterator is dropped, the search ends at its next batch of matches. To search
    /// on all cores or without copies, see [`archive::open`](crate::archive::open).
    ///
    /// # Errors
    ///
    /// Returns an error if the path cannot be opened, or if no thread can be started. A later
    /// failure to read is an error among the matches, and the search continues with the next file.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-files-{}", std::process::id()));
    /// # std::fs::write(&path, "From: joe@a.example\nTo: jane@a.example\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n")?;
    /// for found in urlgrep::Extractor::new().open(&path)? {
    ///     let found = found?;
    ///     println!("{}", found.url());
    ///     # assert_eq!(found.url(), "http://a.example/");
    /// }
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    pub fn open(&self, path: impl AsRef<Path>) -> io::Result<FileMatches> {
        self.find_in(crate::archive::open(path)?)
    }

    /// Returns the matches like [`open`](Self::open), but in an input that was opened with other
    /// [options](crate::archive::OpenOptions), or in standard input.
    ///
    /// # Errors
    ///
    /// Returns an error if no thread can be started.
    pub fn find_in(&self, input: Input) -> io::Result<FileMatches> {
        let extractor = self.clone();
        FileMatches::begin(move |sender| {
            search(&extractor, input, sender);
            None
        })
    }

    /// Returns the matches of one range of a file, like [`search_range`](Self::search_range), but
    /// searches on a thread of its own.
    ///
    /// In a compressed input, a tar or a zip, the range that holds offset 0 has all matches. In a
    /// pipe, which has no size, that range has all matches, too. A web archive whose records are
    /// gzip members is searched by its [records](Self::search_records). At the end,
    /// [`FileMatches::counts`] returns the counts of the range. They include lines only with [line
    /// numbers](crate::ExtractorBuilder::line_numbers).
    ///
    /// # Errors
    ///
    /// Returns an error if no thread can be started.
    ///
    /// ```
    /// use urlgrep::{Extractor, RangeCounts, archive};
    ///
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-range-{}", std::process::id()));
    /// # std::fs::write(&path, "http://a.example/\nhttp://b.example/\n")?;
    /// let extractor = Extractor::builder().line_numbers(true).build();
    /// let mut matches = extractor.find_in_range(archive::open(&path)?, 10..40, &RangeCounts::default())?;
    /// let found = matches.by_ref().collect::<std::io::Result<Vec<_>>>()?;
    /// assert_eq!((found[0].url(), found[0].line()), ("http://b.example/".into(), Some(2)));
    /// assert_eq!(matches.counts().unwrap().lines, 2);
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    pub fn find_in_range(&self, input: Input, range: Range<u64>, before: &RangeCounts) -> io::Result<FileMatches> {
        let (extractor, before, mut input) = (self.clone(), *before, input);
        FileMatches::begin(move |sender| {
            let deliver = |matches| Ok(send(sender, (Arc::default(), Ok(matches))));
            let searched = input.has_records(&range).and_then(|has_records| {
                if has_records {
                    return extractor.search_records(input, range, Vec::new, deliver);
                }
                if !input.has_files() && input.size().is_some() {
                    let container = input.container();
                    return extractor.search_range(input, container, range, &before, Vec::new, deliver);
                }
                if range.contains(&0) {
                    search(&extractor, input, sender);
                }
                Ok(Default::default())
            });
            match searched {
                Ok((_, counts)) => Some(counts),
                Err(error) => {
                    let _ = send(sender, (Arc::default(), Err(error)));
                    None
                }
            }
        })
    }

    /// Finds the matches in a file of an input like [`open`](Self::open), but on this thread and
    /// into sinks. `new` makes a sink for some matches, and `deliver` receives the filled sink. The
    /// search ends if `deliver` returns `Break`.
    ///
    /// # Errors
    ///
    /// Returns any error of the input. The matches before it are delivered first.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urlgrep::{Extractor, archive};
    ///
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-entry-{}", std::process::id()));
    /// # std::fs::write(&path, "http://a.example/ http://b.example/")?;
    /// let (extractor, mut count) = (Extractor::new(), 0);
    /// archive::open(&path)?.each(|_path, entry| {
    ///     extractor.find_entry(entry?, Vec::new, |found| {
    ///         count += found.len();
    ///         ControlFlow::Continue(())
    ///     })
    /// })?;
    /// assert_eq!(count, 2);
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    pub fn find_entry<S: Sink>(
        &self,
        entry: Entry<'_>,
        new: impl Fn() -> S,
        mut deliver: impl FnMut(S) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let container = entry.container();
        let mut flow = ControlFlow::Continue(());
        let deliver = |batch| {
            flow = deliver(batch);
            Ok(flow)
        };
        deliver_whole(self, entry, container, new, deliver)?;
        Ok(flow)
    }
}

/// The path of a file, and some of its matches, or the error that ended its search.
type Delivered = (Arc<[u8]>, io::Result<Vec<Match<'static>>>);

/// Sends matches or an error to the caller. Returns `Break` if the iterator was dropped.
fn send(sender: &SyncSender<Delivered>, delivered: Delivered) -> ControlFlow<()> {
    sender.send(delivered).map_or(ControlFlow::Break(()), ControlFlow::Continue)
}

/// Searches all files of an input, until the iterator is dropped.
fn search(extractor: &Extractor, input: Input, sender: &SyncSender<Delivered>) {
    let send = |batch| send(sender, batch);
    // No error is left to return: each error is sent with the name of its file.
    let _ = input.each(|path, entry| {
        let path: Arc<[u8]> = path.into();
        let deliver = |matches| send((Arc::clone(&path), Ok(matches)));
        Ok(entry.and_then(|entry| extractor.find_entry(entry, Vec::new, deliver)).unwrap_or_else(|error| {
            let named = match &path[..] {
                b"" => error,
                path => io::Error::new(error.kind(), NamedError { path: path.into(), error }),
            };
            send((Arc::clone(&path), Err(named)))
        }))
    });
}

/// The error of a file within an input, with the path of the file.
#[derive(Debug)]
struct NamedError {
    path: BString,
    error: io::Error,
}

impl fmt::Display for NamedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.error)
    }
}

impl Error for NamedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// The matches of [`Extractor::open`].
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let path = std::env::temp_dir().join(format!("urlgrep-matches-{}", std::process::id()));
/// # std::fs::write(&path, "http://a.example/ http://b.example/")?;
/// let matches = urlgrep::Extractor::new().open(&path)?;
/// let urls = matches.map(|found| Ok(found?.to_string())).collect::<std::io::Result<Vec<_>>>()?;
/// assert_eq!(urls, ["http://a.example/", "http://b.example/"]);
/// # std::fs::remove_file(path)
/// # }
/// ```
#[derive(Debug)]
pub struct FileMatches {
    batches: Receiver<Delivered>,
    /// The thread of the search, until it has ended.
    searcher: Option<JoinHandle<Option<RangeCounts>>>,
    path: Arc<[u8]>,
    matches: VecDeque<Match<'static>>,
    counts: Option<RangeCounts>,
}

impl FileMatches {
    /// Begins a search on a thread of its own, and returns its matches.
    fn begin(search: impl FnOnce(&SyncSender<Delivered>) -> Option<RangeCounts> + Send + 'static) -> io::Result<Self> {
        let (sender, batches) = sync_channel(WAITING);
        let searcher = thread::Builder::new().name("urlgrep".to_owned()).spawn(move || search(&sender))?;
        let (path, matches) = (Arc::default(), VecDeque::new());
        Ok(FileMatches { batches, searcher: Some(searcher), path, matches, counts: None })
    }

    /// Returns the counts of a range ([`Extractor::find_in_range`]), once all its matches have been
    /// returned. Returns `None` before that, after a failure to read, and for a search without a
    /// range.
    pub fn counts(&self) -> Option<RangeCounts> {
        self.counts
    }
}

impl Iterator for FileMatches {
    type Item = io::Result<FileMatch>;

    /// # Panics
    ///
    /// Panics if the search panicked, which would be a bug of this crate.
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.matches.pop_front() {
                return Some(Ok(FileMatch { path: Arc::clone(&self.path), found }));
            }
            match self.batches.recv() {
                Ok((path, Ok(matches))) => (self.path, self.matches) = (path, matches.into()),
                Ok((_, Err(error))) => return Some(Err(error)),
                Err(_) => {
                    match self.searcher.take()?.join() {
                        Ok(counts) => self.counts = counts,
                        Err(cause) => panic::resume_unwind(cause),
                    }
                    return None;
                }
            }
        }
    }
}

impl FusedIterator for FileMatches {}

/// A match in a file. Matches are ordered by path first, then by place in the text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileMatch {
    path: Arc<[u8]>,
    found: Match<'static>,
}

impl FileMatch {
    /// Returns the path within the input. It is empty for the input itself, and `a/b.tar!/c` for a
    /// member of a tar in a tar.
    pub fn path(&self) -> &BStr {
        self.path.as_bstr()
    }

    /// Returns the match itself.
    pub fn into_match(self) -> Match<'static> {
        self.found
    }
}

impl Deref for FileMatch {
    type Target = Match<'static>;

    fn deref(&self) -> &Match<'static> {
        &self.found
    }
}

/// Displays the [URL](Match::url).
impl fmt::Display for FileMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.found.fmt(f)
    }
}
