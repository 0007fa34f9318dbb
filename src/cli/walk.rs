//! The files to read, and their order: PATHs as given, folders sorted by name.
//!
//! Folders are walked as in ripgrep (the `ignore` crate: hidden files, .gitignore, globs, links).
//! But the walk is sorted and uses one thread, since the order of the output is part of the
//! contract. Reading the files dominates the time.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use ignore::overrides::Override;
use ignore::types::Types;
use ignore::{Walk, WalkBuilder};

use super::args::{FilesArgs, SUBCOMMANDS};
use super::guard::Guard;
use super::near::nearest;
use super::out::Out;

/// The options that select files in folders.
#[derive(Clone, Debug)]
pub(crate) struct WalkOptions {
    pub(crate) files: FilesArgs,
    /// The globs of `--glob` and `--iglob`.
    pub(crate) globs: Override,
    /// The types of `--type` and `--type-not`.
    pub(crate) types: Types,
}

/// A file to search.
#[derive(Clone, Debug)]
pub(crate) enum InputPath {
    Stdin,
    File(PathBuf),
}

impl InputPath {
    /// Returns the name that reports use, as bytes. Standard input is `-`.
    pub(crate) fn name(&self) -> Vec<u8> {
        match self {
            InputPath::Stdin => b"-".to_vec(),
            InputPath::File(path) => path_bytes(path),
        }
    }
}

/// Returns the bytes of a path. On Windows, whose paths are not bytes, the conversion may be lossy.
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    match <[u8]>::from_path(path) {
        Some(bytes) => bytes.to_vec(),
        None => path.to_string_lossy().into_owned().into_bytes(),
    }
}

/// An input that cannot be read, and advice for it.
#[derive(Debug)]
pub(crate) struct WalkError {
    pub(crate) name: Vec<u8>,
    pub(crate) message: String,
    /// The error does not cause exit status 2. An example is a bad line in a .gitignore.
    pub(crate) harmless: bool,
}

impl WalkError {
    pub(crate) fn new(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self { name: path_bytes(path), message: error.to_string(), harmless: false }
    }

    /// Reports the error.
    pub(crate) fn report(&self, out: &mut Out) {
        if self.harmless {
            out.file_note(&format!("{}: {}", String::from_utf8_lossy(&self.name), self.message));
        } else {
            out.file_error(&self.name, &self.message);
        }
    }
}

/// All inputs, in order. The iterator is lazy, so a folder of a million files needs no list of
/// them.
pub(crate) struct Inputs<'p> {
    paths: std::slice::Iter<'p, PathBuf>,
    options: &'p WalkOptions,
    /// The folders being walked, the innermost last. A hidden sub-folder of a maildir is walked
    /// inside its parent.
    walks: Vec<FolderWalk>,
}

struct FolderWalk {
    walk: Walk,
    guard: Guard,
    /// The ignore files because of which folders were not entered.
    refused: VecDeque<WalkError>,
    /// The depth of its root below PATH.
    depth: usize,
    /// Hidden sub-folders of maildirs that are still to be walked, and their depth below PATH.
    /// Paths compare by component, as in the order of the walk.
    maildirs: BTreeMap<PathBuf, usize>,
    /// An entry that must wait, because a maildir or an error comes before it.
    waiting: Option<ignore::DirEntry>,
    /// The error of the waiting entry has been reported.
    is_reported: bool,
}

impl<'p> Inputs<'p> {
    pub(crate) fn new(paths: &'p [PathBuf], options: &'p WalkOptions) -> Self {
        Self { paths: paths.iter(), options, walks: Vec::new() }
    }

    /// Begins the walk through a folder.
    fn walk(&mut self, folder: &Path, depth: usize) -> Result<(), WalkError> {
        let options = self.options;
        let respect = !options.files.no_ignore;
        let guard = Guard::default();
        let mut builder = WalkBuilder::new(folder);
        if respect {
            guard.enter_root(folder).map_err(|(path, why)| WalkError::new(&path, &why))?;
            let guard = guard.clone();
            builder.filter_entry(move |entry| {
                !entry.file_type().is_some_and(|kind| kind.is_dir()) || guard.enter(entry.path(), entry.depth())
            });
        }
        let walk = builder
            .hidden(!options.files.hidden)
            .ignore(respect)
            .git_ignore(respect)
            .git_global(respect)
            .git_exclude(respect)
            .parents(respect)
            .follow_links(options.files.follow)
            .overrides(options.globs.clone())
            .types(options.types.clone())
            // A maildir's hidden sub-folder begins below PATH, so fewer levels are left.
            .max_depth(options.files.max_depth.map(|most| most.saturating_sub(depth)))
            .max_filesize(options.files.max_filesize)
            // `urlgrep . > urls.txt` must not search its own output.
            .skip_stdout(true)
            // The paths of one folder differ only in the name. Extracting the names before each
            // comparison cost a sixth of the instructions of a search of 2 KB files (2026-11).
            .sort_by_file_path(|a, b| a.as_os_str().cmp(b.as_os_str()))
            .build();
        let (refused, maildirs) = (VecDeque::new(), BTreeMap::new());
        self.walks.push(FolderWalk { walk, guard, refused, depth, maildirs, waiting: None, is_reported: false });
        Ok(())
    }

    /// Returns the next input from the folders being walked.
    fn next_in_folders(&mut self) -> Option<Result<InputPath, WalkError>> {
        loop {
            match self.walks.last_mut()?.step(self.options.files.hidden) {
                WalkStep::Input(path) => return Some(Ok(InputPath::File(path))),
                WalkStep::Failed(error) => return Some(Err(error)),
                WalkStep::Maildir(maildir, depth) => {
                    if let Err(error) = self.walk(&maildir, depth) {
                        return Some(Err(error));
                    }
                }
                WalkStep::Skipped => {}
                WalkStep::Ended => drop(self.walks.pop()),
            }
        }
    }
}

/// The next step of a walk.
enum WalkStep {
    Input(PathBuf),
    Failed(WalkError),
    /// A sub-folder of a maildir comes next, at this depth below PATH.
    Maildir(PathBuf, usize),
    /// There was no file. The next step may have one.
    Skipped,
    Ended,
}

impl FolderWalk {
    fn step(&mut self, shows_hidden: bool) -> WalkStep {
        if let Some(error) = self.refused.pop_front() {
            return WalkStep::Failed(error);
        }
        let next = self.waiting.take().map(Ok).or_else(|| self.walk.next());
        let refused = self.guard.refused();
        if !refused.is_empty() {
            // The refused folders come before the next entry.
            self.refused.extend(refused.into_iter().map(|(path, why)| WalkError::new(&path, &why)));
            match next {
                Some(Ok(entry)) => self.waiting = Some(entry),
                Some(Err(error)) => self.refused.push_back(explain(&error)),
                None => {}
            }
            return WalkStep::Skipped;
        }
        match next {
            Some(Ok(entry)) => self.enter(entry, shows_hidden),
            Some(Err(error)) => WalkStep::Failed(explain(&error)),
            None => match self.maildirs.pop_first() {
                Some((maildir, depth)) => WalkStep::Maildir(maildir, depth),
                None => WalkStep::Ended,
            },
        }
    }

    /// Returns the step for an entry, unless a maildir or an error comes before it.
    fn enter(&mut self, entry: ignore::DirEntry, shows_hidden: bool) -> WalkStep {
        if let Some(next) = self.maildirs.first_entry()
            && next.key().as_path() < entry.path()
        {
            let (maildir, depth) = next.remove_entry();
            self.waiting = Some(entry);
            return WalkStep::Maildir(maildir, depth);
        }
        // The error is reported, but the entry is still valid. For example, an ignore file has a
        // line that is not a glob.
        if let Some(error) = entry.error()
            && !std::mem::replace(&mut self.is_reported, true)
        {
            let error = WalkError { harmless: true, ..explain(error) };
            self.waiting = Some(entry);
            return WalkStep::Failed(error);
        }
        self.is_reported = false;
        match entry.file_type() {
            Some(kind) if kind.is_file() => WalkStep::Input(entry.into_path()),
            // With `--hidden` the walk itself enters these folders.
            Some(kind) if kind.is_dir() && !shows_hidden && is_maildir(entry.path()) => {
                let depth = self.depth + entry.depth() + 1;
                self.maildirs.extend(hidden_maildirs(entry.path()).into_iter().map(|path| (path, depth)));
                WalkStep::Skipped
            }
            _ => WalkStep::Skipped,
        }
    }
}

/// Unwraps an error of the walk into a file and a message.
fn explain(error: &ignore::Error) -> WalkError {
    fn peel<'e>(error: &'e ignore::Error, path: Option<&'e Path>) -> WalkError {
        match error {
            ignore::Error::WithDepth { err, .. } => peel(err, path),
            ignore::Error::WithPath { path, err } => peel(err, Some(path)),
            ignore::Error::Partial(errors) if errors.len() == 1 => peel(&errors[0], path),
            ignore::Error::Loop { ancestor, child } => WalkError::new(
                child,
                &format_args!("links back to {}, which contains it; it is not followed again", ancestor.display()),
            ),
            error => match path {
                Some(path) => WalkError::new(path, error),
                None => WalkError { name: b"folder".to_vec(), message: error.to_string(), harmless: false },
            },
        }
    }
    peel(error, None)
}

impl Iterator for Inputs<'_> {
    type Item = Result<InputPath, WalkError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(input) = self.next_in_folders() {
                return Some(input);
            }
            let path = self.paths.next()?;
            if path.as_os_str() == "-" {
                return Some(Ok(InputPath::Stdin));
            }
            // A link that is given as PATH is always followed.
            match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => match self.walk(path, 0) {
                    Ok(()) => {}
                    Err(error) => return Some(Err(error)),
                },
                Ok(_) => return Some(Ok(InputPath::File(path.clone()))),
                Err(error) => return Some(Err(missing(path, &error))),
            }
        }
    }
}

/// Explains why a PATH cannot be found, and suggests what was meant.
fn missing(path: &Path, cause: &std::io::Error) -> WalkError {
    let mut error = WalkError::new(path, cause);
    if cause.kind() == std::io::ErrorKind::NotFound {
        let name = path.to_string_lossy();
        if let Some(subcommand) = SUBCOMMANDS.into_iter().find(|&subcommand| name == subcommand) {
            error.message.push_str(&format!("; the subcommand goes first: urlgrep {subcommand} --help"));
        } else if let Some(subcommand) = nearest(&name, SUBCOMMANDS.into_iter()) {
            error.message.push_str(&format!("; did you mean urlgrep {subcommand}?"));
        } else if name == "help" {
            error.message.push_str("; did you mean urlgrep --help?");
        } else if name.contains("://") {
            error.message.push_str("; PATH is a file; to validate a URL, use: urlgrep parse URL");
        }
    }
    error
}

fn is_maildir(folder: &Path) -> bool {
    ["cur", "new", "tmp"].iter().all(|name| folder.join(name).is_dir())
}

/// Returns the hidden sub-folders of a maildir. They are maildirs themselves, hidden only by their
/// name (`.Sent`, Maildir++).
fn hidden_maildirs(maildir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(maildir) else { return Vec::new() };
    entries
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."))
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .filter(|path| is_maildir(path))
        .collect()
}
