//! An open file: the kind of its content, and the files inside it.
//!
//! A regular file is read up to its size at opening, so a growing file ends there. A file that
//! *shrinks* is an error, because the missing part would otherwise look like "no match". Pipes,
//! devices, and files that only claim to be empty (`/proc`) are read to their end.
//!
//! Files are read, not mapped. The cost was measured on Linux 6.18, for 256 MiB in the page cache
//! and a scan for colons (2026-11). Reading into a buffer of 1 MiB needed 42 ms, of which 34 were
//! the bare `read` calls. Reads of 64 KiB to 1 MiB performed alike. A mapping in windows of 8 MiB
//! needed 12 ms if the system maps 2 MiB at a time. Otherwise (a file just written) it needed 25 to
//! 35 ms. The whole command needs 36 ms on such a file without URLs, and 78 ms on mail. So reading
//! is the bottleneck on text without URLs. But a mapping needs `unsafe`. If a mapped file shrinks,
//! a signal kills the process unless a handler catches it. A read returns an error instead.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::mem;
use std::ops::{ControlFlow, Range};
use std::path::Path;

use crate::archive::compress::{Format, HEAD, Lookahead, unpack};
use crate::archive::container::Container;
use crate::archive::html::{has_mail_name, has_mailbox_name, has_page_name, has_sheet_name, has_xml_name};
use crate::archive::members::has_record_members;
use crate::archive::office::OfficeFiles;
use crate::archive::recognise::{goes_on_as_mailbox, recognise, recognise_early};
use crate::archive::tar::Members;
use crate::archive::zip::ZipFiles;
use crate::bytes::read_at::ReadAt;
use crate::bytes::roll::{Buffer, retry};

/// A callback for every file of an input. The first argument is its path within the input. The
/// second is the file, or the reason why it cannot be read.
type Visit<'v> = dyn FnMut(&[u8], io::Result<Entry<'_>>) -> io::Result<ControlFlow<()>> + 'v;

/// The maximum depth of nested tars and zips. A deeper one is read as bytes.
const ARCHIVES: usize = 3;

thread_local! {
    /// The storage of the last head, for reuse. For files of 2 KB, zeroing new storage took an
    /// eighth of a search's instructions (2026-11).
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Walks over the files of an archive, and reads them.
trait MemberWalk: Read + Send {
    /// Returns the name of the next file. Returns `None` at the end.
    fn next_file(&mut self) -> io::Result<Option<Vec<u8>>>;
}

impl MemberWalk for Members<Lookahead<'_>> {
    fn next_file(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.next()
    }
}

impl MemberWalk for OfficeFiles<'_> {
    fn next_file(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.next()
    }
}

/// Opens a file, a named pipe or a device, and recognises its content, like [`OpenOptions::open`]
/// with the default options.
///
/// # Errors
///
/// If the path is a folder, or cannot be opened.
///
/// # Examples
///
/// Every URL of a compressed mailbox, a tar of messages, or a text:
///
/// ```
/// use std::ops::ControlFlow;
/// use urlgrep::archive;
/// use urlgrep::{Extractor, Match, Sink};
///
/// struct Urls(Vec<String>);
/// impl Sink for Urls {
///     fn add(&mut self, found: &Match<'_>) {
///         self.0.push(found.url().to_string());
///     }
/// }
///
/// # fn main() -> std::io::Result<()> {
/// # let path = std::env::temp_dir().join(format!("urlgrep-open-{}", std::process::id()));
/// # std::fs::write(&path, "From: joe@a.example\nTo: jane@a.example\nContent-Transfer-Encoding: base64\n\naHR0cDovL2EuZXhhbXBsZS8=\n")?;
/// let extractor = Extractor::new();
/// let mut urls = Urls(Vec::new());
/// archive::open(&path)?.each(|_path, entry| {
///     let entry = entry?;
///     match entry.container() {
///         container if container.has_documents() => {
///             let deliver = |found: Urls| {
///                 urls.0.extend(found.0);
///                 Ok(ControlFlow::Continue(()))
///             };
///             extractor.documents(entry, container, 0..u64::MAX, || Urls(Vec::new()), deliver)?;
///             Ok(ControlFlow::Continue(()))
///         }
///         // What is known and not taken apart is bytes.
///         _ => extractor.stream(entry).try_for_each(|found| {
///             urls.add(found);
///             ControlFlow::Continue(())
///         }),
///     }
/// })?;
/// assert_eq!(urls.0, ["http://a.example/"]);
/// # std::fs::remove_file(path)
/// # }
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<Input> {
    OpenOptions::new().open(path)
}

/// Options for opening files.
///
/// ```no_run
/// use urlgrep::archive::{OpenOptions, ReadAs};
///
/// let input = OpenOptions::new().unpack(false).read_as(ReadAs::Text).open("mbox")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OpenOptions {
    /// Whether compressed files and zips are left packed.
    is_raw: bool,
    read_as: ReadAs,
    known: Option<Container>,
}

/// The kind of content that a file is read as.
///
/// ```no_run
/// use urlgrep::archive::{OpenOptions, ReadAs};
///
/// let page = OpenOptions::new().read_as(ReadAs::Html).open("page.inc")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ReadAs {
    /// The kind is recognised by the first 64 KiB. If these are text, the name decides: `.html`,
    /// `.xml`, `.eml`, `.mbox`, `.csv` and similar ones.
    #[default]
    Auto,
    /// Text, even if the content is recognised as something else.
    Text,
    /// Like [`Auto`](Self::Auto), but text is read as one message.
    Mail,
    /// Like [`Auto`](Self::Auto), but text is read as a page of HTML.
    Html,
    /// Like [`Auto`](Self::Auto), but text is read as CSV: commas separate its fields (B-SHEET).
    Csv,
}

impl OpenOptions {
    /// Returns the default options: compressed files are unpacked, and the kind of content is
    /// recognised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether compressed files and zips are unpacked. If not, [`Input::each`] passes their
    /// bytes unchanged.
    pub fn unpack(mut self, yes: bool) -> Self {
        self.is_raw = !yes;
        self
    }

    /// Sets the kind of content that files are read as.
    pub fn read_as(mut self, read_as: ReadAs) -> Self {
        self.read_as = read_as;
        self
    }

    /// Sets the input's kind, if the caller has already determined it. Then the first bytes are not
    /// read, because they may be far from a [range](crate::Extractor::find_in_range).
    pub fn known(mut self, container: Container) -> Self {
        self.known = Some(container);
        self
    }

    /// Returns the kind of an input with this name (which may be empty). `head` is the first 64 KiB
    /// of the input, or the whole input if that is shorter.
    ///
    /// ```
    /// use urlgrep::archive::{Container, OpenOptions};
    ///
    /// let head = b"From joe@a.example Sat Jan  3 01:05:34 1996\nSubject: x\n";
    /// assert_eq!(OpenOptions::new().recognise(head, b"inbox"), Container::Mbox);
    /// assert_eq!(OpenOptions::new().recognise(b"<p>x", b"page.html"), Container::Html);
    /// ```
    pub fn recognise(self, head: &[u8], name: &[u8]) -> Container {
        Format::of(head).map_or_else(|| self.unpacked_container(head, name), Container::Compressed)
    }

    /// Returns whether inputs of this kind contain files: a tar, a zip, or a compressed file. Zips
    /// and compressed files are included only if they are unpacked.
    pub fn has_files(self, container: Container) -> bool {
        match container {
            Container::Compressed(_) | Container::Zip => !self.is_raw,
            container => container == Container::Tar,
        }
    }

    /// Opens a file, a named pipe or a device, and reads up to 64 KiB of it. Reads a pipe only
    /// until its content is recognised.
    ///
    /// # Errors
    ///
    /// If the path is a folder, or cannot be opened.
    pub fn open(self, path: impl AsRef<Path>) -> io::Result<Input> {
        let path = path.as_ref();
        self.from_file(File::open(path)?, path)
    }

    /// Reads up to 64 KiB of an open file, from its start, like [`open`](Self::open). `path` is not
    /// opened. Its extension can show HTML, mail or CSV.
    ///
    /// # Errors
    ///
    /// If the file is a folder, or its metadata cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::fs::File;
    /// use urlgrep::archive::{Container, OpenOptions};
    ///
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-file-{}.html", std::process::id()));
    /// # std::fs::write(&path, "<p>text")?;
    /// let input = OpenOptions::new().from_file(File::open(&path)?, "page.html")?;
    /// assert_eq!(input.container(), Container::Html);
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    #[allow(clippy::wrong_self_convention, reason = "the options of what is made from a file")]
    pub fn from_file(self, file: File, path: impl AsRef<Path>) -> io::Result<Input> {
        let path = path.as_ref();
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            // Some systems open folders like files. Then a read would fail with a less clear error.
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let size = (metadata.is_file() && metadata.len() > 0).then_some(metadata.len());
        let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
        Ok(Input::new(Handle::File(file), name, size, self))
    }

    /// Opens standard input. A redirected file is read from the shell's offset to its end. A
    /// terminal is not read in advance. Its kind is text, or the kind that
    /// [`read_as`](Self::read_as) sets.
    pub fn stdin(self) -> Input {
        Input::new(Handle::Stdin(io::stdin()), Vec::new(), None, self)
    }

    /// Visits every file in the input of any reader, like [`Input::each`]. The input is read from
    /// its start. `name` is the input's name, or empty.
    ///
    /// # Errors
    ///
    /// The errors that `visit` returns.
    pub fn each(
        self,
        reader: &mut (dyn Read + Send),
        name: &[u8],
        mut visit: impl FnMut(&[u8], io::Result<Entry<'_>>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<ControlFlow<()>> {
        self.each_below(reader, b"", name, 0, &mut visit)
    }

    /// Visits the files of a reader at a path within the input. `name` is the file's name, or
    /// empty.
    fn each_below(
        self,
        reader: &mut (dyn Read + Send),
        path: &[u8],
        name: &[u8],
        depth: usize,
        visit: &mut Visit<'_>,
    ) -> io::Result<ControlFlow<()>> {
        let mut reader = if self.is_raw { Lookahead::new(reader) } else { unpack(reader) };
        let container = match self.unpacked_container(reader.head(), name) {
            Container::Tar if depth < ARCHIVES => return self.each_of(&mut Members::new(reader), path, depth, visit),
            Container::Zip if depth < ARCHIVES && !self.is_raw => {
                return self.each_of(&mut OfficeFiles::new(ZipFiles::new(reader)), path, depth, visit);
            }
            // The content has more layers of compression than are unpacked.
            Container::Text if !self.is_raw => Format::of(reader.head()).map_or(Container::Text, Container::Compressed),
            container => container,
        };
        visit(path, Ok(Entry { container, reader: &mut reader }))
    }

    /// Visits every file of the archive at this path.
    fn each_of(
        self,
        mut files: &mut dyn MemberWalk,
        path: &[u8],
        depth: usize,
        visit: &mut Visit<'_>,
    ) -> io::Result<ControlFlow<()>> {
        loop {
            let name = match files.next_file() {
                Ok(Some(name)) => name,
                Ok(None) => return Ok(ControlFlow::Continue(())),
                // No file after the damage can be found.
                Err(error) => return visit(path, Err(error)),
            };
            let path = if path.is_empty() { name.clone() } else { [path, b"!/", &name].concat() };
            if self.each_below(&mut files, &path, &name, depth + 1, visit)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    /// Returns whether more bytes of an input with this name cannot change its kind.
    fn is_enough(self, head: &[u8], name: &[u8]) -> bool {
        Format::of(head).is_some()
            || match recognise_early(head) {
                // A separator may follow anywhere in the head of a file that is named as a mailbox.
                Some(Container::Text) => self.read_as != ReadAs::Auto || !has_mailbox_name(name),
                container => container.is_some(),
            }
    }

    /// Returns the kind of an input that is not compressed, or that is already unpacked.
    fn unpacked_container(self, head: &[u8], name: &[u8]) -> Container {
        if self.read_as == ReadAs::Text {
            return Container::Text;
        }
        match (self.read_as, recognise(head)) {
            (ReadAs::Mail, Container::Text | Container::Utf16) => Container::Message,
            (ReadAs::Html, Container::Text) => Container::Html,
            (ReadAs::Csv, Container::Text) => Container::Csv,
            (ReadAs::Auto, Container::Text) if has_page_name(name) => Container::Html,
            (ReadAs::Auto, Container::Text) if has_xml_name(name) => Container::Xml,
            (ReadAs::Auto, Container::Text | Container::Utf16) if has_mail_name(name) => Container::Message,
            (ReadAs::Auto, Container::Text) if has_mailbox_name(name) => match goes_on_as_mailbox(head) {
                true => Container::Mbox,
                false => Container::Message,
            },
            (ReadAs::Auto, Container::Text) if has_sheet_name(name) => Container::Csv,
            (_, container) => container,
        }
    }
}

/// An open file, or standard input.
///
/// ```
/// # fn main() -> std::io::Result<()> {
/// # let path = std::env::temp_dir().join(format!("urlgrep-input-{}", std::process::id()));
/// # std::fs::write(&path, "<!DOCTYPE html><title>x</title>")?;
/// let input = urlgrep::archive::open(&path)?;
/// assert_eq!(input.container(), urlgrep::archive::Container::Html);
/// # std::fs::remove_file(path)
/// # }
/// ```
///
/// The input is read from its start. A regular file can also be read at any place, with [`ReadAt`]
/// and [`Seek`].
#[derive(Debug)]
pub struct Input {
    handle: Handle,
    /// The file's name. It is empty for standard input.
    name: Vec<u8>,
    /// The size of a regular file that is not empty.
    size: Option<u64>,
    /// The offset of the next byte that is read.
    position: u64,
    /// The bytes that were read in advance. They are kept for a pipe, and for a file that they hold
    /// completely. Such a file need not be read again.
    head: Buffer,
    /// Whether the head is the whole input. A device such as `/dev/tty` must not be read again
    /// after its end, because it would wait for more.
    has_ended: bool,
    /// The error that ended the head.
    failure: Option<io::Error>,
    options: OpenOptions,
    container: Container,
}

#[derive(Debug)]
enum Handle {
    File(File),
    Stdin(io::Stdin),
}

impl Input {
    fn new(handle: Handle, name: Vec<u8>, size: Option<u64>, options: OpenOptions) -> Self {
        let mut input = Self {
            handle,
            name,
            size,
            position: 0,
            head: Buffer::default(),
            has_ended: false,
            failure: None,
            options,
            container: Container::Text,
        };
        if let Some(known) = options.known {
            input.container = known;
            return input;
        }
        let head = input.look();
        input.container = options.recognise(head.bytes(), &input.name);
        let is_kept = size.is_none_or(|size| size == head.bytes().len() as u64);
        input.head = head;
        if !is_kept {
            input.spare_head();
        }
        // The caller's first read begins at the start again.
        input.position = 0;
        input
    }

    /// Returns the kind of the input.
    pub fn container(&self) -> Container {
        self.container
    }

    /// Returns whether the input contains files: a tar, a zip, or a compressed file. Zips and
    /// compressed files are included only if they are unpacked.
    pub fn has_files(&self) -> bool {
        self.options.has_files(self.container)
    }

    /// Returns whether the range is only a part of a web archive whose records are gzip members.
    pub(crate) fn has_records(&mut self, range: &Range<u64>) -> io::Result<bool> {
        let is_part = self.size.is_some_and(|size| range.start > 0 || range.end < size);
        if !is_part || self.container != Container::Compressed(Format::Gzip) || !self.has_files() {
            return Ok(false);
        }
        self.seek(SeekFrom::Start(0))?;
        let has_records = has_record_members(&mut *self)?;
        self.seek(SeekFrom::Start(0))?;
        Ok(has_records)
    }

    /// Returns the size of a regular file in bytes when it was opened. Returns `None` for other
    /// inputs, and for a file that claims to be empty.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Returns all bytes of a regular file of at most 64 KiB, which were read when it was opened.
    /// Returns `None` for other inputs.
    ///
    /// # Examples
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// # let path = std::env::temp_dir().join(format!("urlgrep-small-{}", std::process::id()));
    /// # std::fs::write(&path, "see http://a.example/")?;
    /// let input = urlgrep::archive::open(&path)?;
    /// assert_eq!(input.in_memory(), Some(&b"see http://a.example/"[..]));
    /// # std::fs::remove_file(path)
    /// # }
    /// ```
    pub fn in_memory(&self) -> Option<&[u8]> {
        (self.size? == self.head.bytes().len() as u64).then_some(self.head.bytes())
    }

    /// Returns the open file. Returns `None` for standard input.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::archive::{OpenOptions, ReadAs};
    ///
    /// assert!(OpenOptions::new().read_as(ReadAs::Text).stdin().file().is_none());
    /// ```
    pub fn file(&self) -> Option<&File> {
        match &self.handle {
            Handle::File(file) => Some(file),
            Handle::Stdin(_) => None,
        }
    }

    /// Visits every file in the input, in order: the members of a tar or a zip, up to three deep.
    /// Otherwise it visits the input itself, unpacked if it is compressed. Unread parts of an entry
    /// are skipped.
    ///
    /// `visit` receives the path within the input. The path is empty for the input itself, and
    /// `a/b.tar!/c` for a member of a tar in a tar. `visit` receives an error if an archive is
    /// damaged. Then the archive's later members are lost, but not the members of the enclosing
    /// archive.
    ///
    /// # Errors
    ///
    /// The errors that `visit` returns. Errors of reading come from the [`Entry`].
    pub fn each(
        mut self,
        visit: impl FnMut(&[u8], io::Result<Entry<'_>>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<ControlFlow<()>> {
        let (options, name) = (self.options, mem::take(&mut self.name));
        options.each(&mut self, &name, visit)
    }

    /// Reads the first bytes of the input: enough to recognise it, or [`HEAD`], or all. Does not
    /// wait for more bytes of a pipe once its content is recognised. Does not read a terminal at
    /// all, because its user expects results line by line.
    fn look(&mut self) -> Buffer {
        let is_terminal = matches!(&self.handle, Handle::Stdin(stdin) if stdin.is_terminal());
        let size = if is_terminal { 0 } else { self.size.unwrap_or(u64::MAX).min(HEAD as u64) as usize };
        let (options, name) = (self.options, mem::take(&mut self.name));
        let is_enough = |head: &[u8]| options.is_enough(head, &name);
        let mut head = Buffer::default();
        head.fill(SPARE.try_with(Cell::take).unwrap_or_default(), size, |head| {
            let mut filled = 0;
            while filled < size && (filled == 0 || !is_enough(&head[..filled])) {
                let read = match self.size {
                    Some(_) => self.read_at(&mut head[filled..], filled as u64),
                    None => self.read_on(&mut head[filled..]),
                };
                match read {
                    Ok(got @ 1..) => filled += got,
                    end => {
                        self.has_ended = true;
                        self.failure = end.err();
                        break;
                    }
                }
            }
            filled
        });
        self.name = name;
        head
    }

    /// Moves the head's storage to [`SPARE`] for reuse.
    fn spare_head(&mut self) {
        let storage = self.head.take_storage();
        if !storage.is_empty() {
            let _ = SPARE.try_with(|spare| spare.set(storage));
        }
    }

    fn read_on(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = match (&mut self.handle, self.size) {
            (Handle::File(_), Some(size)) => {
                let left = size.saturating_sub(self.position);
                if left == 0 {
                    return Ok(0);
                }
                let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.read_at(&mut buffer[..most], self.position)?
            }
            (Handle::File(file), None) => retry(|| file.read(buffer))?,
            (Handle::Stdin(stdin), _) => retry(|| stdin.read(buffer))?,
        };
        self.position += got as u64;
        Ok(got)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.spare_head();
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let at = usize::try_from(self.position).unwrap_or(usize::MAX);
        if let Some(mut rest) = self.head.bytes().get(at..).filter(|rest| !rest.is_empty()) {
            let got = rest.read(buffer)?;
            self.position += got as u64;
            return Ok(got);
        }
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        if self.size.is_none() && self.has_ended {
            return Ok(0);
        }
        self.read_on(buffer)
    }
}

/// Reads a regular file at any offset, even from several threads at once.
impl ReadAt for Input {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size.unwrap_or(0))
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let Handle::File(file) = &self.handle else { return Err(not_in_ranges()) };
        let got = retry(|| file.read_at(buffer, offset))?;
        if got == 0 && !buffer.is_empty() {
            let now = file.metadata()?.len();
            // If the file did not shrink, its size was never right. For example, files in `/sys`
            // claim a size of 4 KiB.
            if let Some(size) = self.size.filter(|&size| now < size) {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("shrank from {size} to {now} bytes while it was read; search it again"),
                ));
            }
        }
        Ok(got)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if matches!(self.handle, Handle::Stdin(_)) {
            return Err(not_in_ranges());
        }
        let to = match to {
            SeekFrom::Start(to) => Some(to),
            // The end is the size of the file when it was opened.
            SeekFrom::End(by) => self.size.unwrap_or(0).checked_add_signed(by),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
        };
        self.position = to.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// A file in an input: a member of an archive, or the input itself. It is unpacked, unless
/// unpacking is off.
pub struct Entry<'r> {
    container: Container,
    reader: &'r mut (dyn Read + Send),
}

impl Entry<'_> {
    /// Returns the kind of the entry: text, mail, news and HTML ([`Container::has_documents`]), or
    /// bytes that are not parsed.
    pub fn container(&self) -> Container {
        self.container
    }
}

impl std::fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("container", &self.container).finish_non_exhaustive()
    }
}

impl Read for Entry<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

fn not_in_ranges() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "standard input cannot be read in ranges")
}

#[cfg(test)]
mod tests;
