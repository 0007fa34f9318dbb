//! Which files to read, in which order: PATHs as given, folders sorted by name.
//!
//! Folders are walked as ripgrep does it (the `ignore` crate: hidden files, .gitignore, globs, links), but on one
//! thread and sorted, since the order of the output is part of the contract. The work is in the files, not here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use ignore::overrides::Override;
use ignore::{Walk, WalkBuilder};

use super::args::FilesArgs;

/// What to leave out of folders, and what not.
#[derive(Clone, Debug)]
pub(crate) struct WalkOptions {
    pub(crate) files: FilesArgs,
    /// Those of `--glob`.
    pub(crate) globs: Override,
}

/// A file to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum InputPath {
    Stdin,
    File(PathBuf),
}

impl InputPath {
    /// The name that reports use, as bytes; `-` is standard input.
    pub(crate) fn name(&self) -> Vec<u8> {
        match self {
            InputPath::Stdin => b"-".to_vec(),
            InputPath::File(path) => path_bytes(path),
        }
    }
}

/// A path as the bytes that it is; where the system has no bytes (Windows), lossy.
pub(crate) fn path_bytes(path: &Path) -> Vec<u8> {
    match <[u8]>::from_path(path) {
        Some(bytes) => bytes.to_vec(),
        None => path.to_string_lossy().into_owned().into_bytes(),
    }
}

/// Something that cannot be read, and what to do about it.
#[derive(Debug)]
pub(crate) struct WalkError {
    pub(crate) name: Vec<u8>,
    pub(crate) message: String,
    /// Not worth an exit status of 2: a bad line in a .gitignore.
    pub(crate) harmless: bool,
}

impl WalkError {
    pub(crate) fn new(path: &Path, error: &dyn std::fmt::Display) -> Self {
        Self { name: path_bytes(path), message: error.to_string(), harmless: false }
    }
}

/// All inputs, in order. Lazy: a folder of a million files costs no list of them.
pub(crate) struct Inputs<'p> {
    paths: std::slice::Iter<'p, PathBuf>,
    options: &'p WalkOptions,
    /// The folders being walked, the innermost last (a maildir's hidden sub-folder inside a folder).
    walks: Vec<FolderWalk>,
}

struct FolderWalk {
    walk: Walk,
    /// Hidden sub-folders of maildirs, to be walked when their turn comes. Paths compare by component, which is the
    /// order of the walk.
    maildirs: BTreeSet<PathBuf>,
    /// An entry that was put back, for what comes before it.
    waiting: Option<ignore::DirEntry>,
    /// The error of the waiting entry has been reported.
    is_reported: bool,
}

impl<'p> Inputs<'p> {
    pub(crate) fn new(paths: &'p [PathBuf], options: &'p WalkOptions) -> Self {
        Self { paths: paths.iter(), options, walks: Vec::new() }
    }

    fn walk(&mut self, folder: &Path) {
        let options = self.options;
        let respect = !options.files.no_ignore;
        let walk = WalkBuilder::new(folder)
            .hidden(!options.files.hidden)
            .ignore(respect)
            .git_ignore(respect)
            .git_global(respect)
            .git_exclude(respect)
            .parents(respect)
            .follow_links(options.files.follow)
            .overrides(options.globs.clone())
            // `urlgrep . > urls.txt` must not search what it prints.
            .skip_stdout(true)
            .sort_by_file_name(|a, b| a.cmp(b))
            .build();
        self.walks.push(FolderWalk { walk, maildirs: BTreeSet::new(), waiting: None, is_reported: false });
    }

    /// The next thing from the folders being walked.
    fn next_in_folders(&mut self) -> Option<Result<InputPath, WalkError>> {
        loop {
            let current = self.walks.last_mut()?;
            let entry = match current.waiting.take().map(Ok).or_else(|| current.walk.next()) {
                None => match current.maildirs.pop_first() {
                    Some(maildir) => {
                        self.walk(&maildir);
                        continue;
                    }
                    None => {
                        self.walks.pop();
                        continue;
                    }
                },
                Some(Err(error)) => return Some(Err(explain(&error))),
                Some(Ok(entry)) => entry,
            };
            if current.maildirs.first().is_some_and(|maildir| maildir.as_path() < entry.path()) {
                let maildir = current.maildirs.pop_first().unwrap_or_default();
                current.waiting = Some(entry);
                self.walk(&maildir);
                continue;
            }
            // A line of an ignore file that is no glob: reported with the entry, which is good all the same.
            if let Some(error) = entry.error()
                && !std::mem::replace(&mut current.is_reported, true)
            {
                let error = WalkError { harmless: true, ..explain(error) };
                current.waiting = Some(entry);
                return Some(Err(error));
            }
            current.is_reported = false;
            let Some(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if !self.options.files.hidden && is_maildir(entry.path()) {
                    current.maildirs.extend(hidden_maildirs(entry.path()));
                }
            } else if kind.is_file() {
                return Some(Ok(InputPath::File(entry.into_path())));
            }
        }
    }
}

/// Takes the layers off an error of the walk: which file, what is wrong, what to do.
fn explain(error: &ignore::Error) -> WalkError {
    fn peel<'e>(error: &'e ignore::Error, path: Option<&'e Path>) -> WalkError {
        match error {
            ignore::Error::WithDepth { err, .. } => peel(err, path),
            ignore::Error::WithPath { path, err } => peel(err, Some(path)),
            ignore::Error::Partial(errors) if errors.len() == 1 => peel(&errors[0], path),
            ignore::Error::Loop { ancestor, child } => WalkError::new(
                child,
                &format_args!("links back to {}, which holds it; not followed again", ancestor.display()),
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
            match std::fs::metadata(path) {
                Ok(metadata) if metadata.is_dir() => self.walk(path),
                Ok(_) => return Some(Ok(InputPath::File(path.clone()))),
                Err(error) => return Some(Err(missing(path, &error))),
            }
        }
    }
}

/// Says of a PATH that does not exist what may have been meant.
fn missing(path: &Path, cause: &std::io::Error) -> WalkError {
    let mut error = WalkError::new(path, cause);
    if cause.kind() == std::io::ErrorKind::NotFound {
        let name = path.to_string_lossy();
        if name == "parse" {
            error.message.push_str("; the subcommand goes first: urlgrep parse [OPTIONS] [URL]...");
        } else if name == "audit" {
            error.message.push_str("; the subcommand goes first: urlgrep audit [OPTIONS] [PATH]...");
        } else if name.contains("://") {
            error.message.push_str("; PATH is a file, to validate a URL use: urlgrep parse URL");
        }
    }
    error
}

fn is_maildir(folder: &Path) -> bool {
    ["cur", "new", "tmp"].iter().all(|name| folder.join(name).is_dir())
}

/// The sub-folders of a maildir: maildirs themselves, hidden by their name alone (`.Sent`, Maildir++).
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A fresh folder that goes away with the test.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[&str]) -> Self {
            let root = std::env::temp_dir().join(format!("urlgrep-walk-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&root);
            fs::create_dir_all(&root).unwrap();
            for file in files {
                let path = root.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, file).unwrap();
            }
            Self(root)
        }

        fn options(&self, globs: &[&str]) -> WalkOptions {
            let mut builder = ignore::overrides::OverrideBuilder::new(&self.0);
            for glob in globs {
                builder.add(glob).unwrap();
            }
            WalkOptions { files: FilesArgs::default(), globs: builder.build().unwrap() }
        }

        /// The files found, relative to the root, and how many errors.
        fn files(&self, options: &WalkOptions) -> (Vec<String>, usize) {
            let paths = [self.0.clone()];
            let (mut files, mut errors) = (Vec::new(), 0);
            for input in Inputs::new(&paths, options) {
                match input {
                    Ok(InputPath::File(path)) => {
                        files.push(path.strip_prefix(&self.0).unwrap().to_str().unwrap().to_owned());
                    }
                    Ok(InputPath::Stdin) => panic!("no '-' was given"),
                    Err(_) => errors += 1,
                }
            }
            (files, errors)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn sorted_by_name_at_every_depth() {
        let folder = Folder::new("sorted", &["b/2", "b/10", "a", "c/d/e", "c/a", "B", "c.txt"]);
        assert_eq!(folder.files(&folder.options(&[])).0, ["B", "a", "b/10", "b/2", "c/a", "c/d/e", "c.txt"]);
    }

    #[test]
    fn globs_hidden_files_and_ignore_files() {
        let folder = Folder::new("left-out", &["a.txt", "b.rs", ".c.txt", "d/e.txt", "ignored.txt"]);
        fs::write(folder.0.join(".ignore"), "ignored.txt\n").unwrap();
        let plain = folder.options(&[]);
        assert_eq!(folder.files(&plain).0, ["a.txt", "b.rs", "d/e.txt"]);
        // As in ripgrep, a glob that asks for a file has the last word.
        assert_eq!(folder.files(&folder.options(&["*.txt"])).0, [".c.txt", "a.txt", "d/e.txt", "ignored.txt"]);
        assert_eq!(folder.files(&folder.options(&["!*.txt"])).0, ["b.rs"]);
        let all = WalkOptions { files: FilesArgs { hidden: true, no_ignore: true, ..FilesArgs::default() }, ..plain };
        assert_eq!(folder.files(&all).0, [".c.txt", ".ignore", "a.txt", "b.rs", "d/e.txt", "ignored.txt"]);
    }

    #[test]
    fn the_sub_folders_of_a_maildir_are_read_in_their_place() {
        let folder = Folder::new(
            "maildir",
            &[
                "m/cur/1",
                "m/new/2",
                "m/tmp/3",
                "m/!first",
                "m/.Sent/cur/4",
                "m/.Sent/new/5",
                "m/.Sent/tmp/6",
                "m/.git/cur/no",
                "m/.Drafts.old/cur/7",
                "m/.Drafts.old/new/8",
                "m/.Drafts.old/tmp/9",
                "z",
                ".Sent/cur/no",
                ".Sent/new/no",
                ".Sent/tmp/no",
            ],
        );
        let expected = [
            "m/!first",
            "m/.Drafts.old/cur/7",
            "m/.Drafts.old/new/8",
            "m/.Drafts.old/tmp/9",
            "m/.Sent/cur/4",
            "m/.Sent/new/5",
            "m/.Sent/tmp/6",
            "m/cur/1",
            "m/new/2",
            "m/tmp/3",
            "z",
        ];
        assert_eq!(folder.files(&folder.options(&[])).0, expected);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_on_demand_and_loops_are_reported() {
        let folder = Folder::new("loop", &["a/b/c"]);
        std::os::unix::fs::symlink("..", folder.0.join("a/b/up")).unwrap();
        std::os::unix::fs::symlink("c", folder.0.join("a/b/d")).unwrap();
        let plain = folder.options(&[]);
        assert_eq!(folder.files(&plain), (vec!["a/b/c".to_owned()], 0));
        let follow = WalkOptions { files: FilesArgs { follow: true, ..FilesArgs::default() }, ..plain };
        assert_eq!(folder.files(&follow), (vec!["a/b/c".to_owned(), "a/b/d".to_owned()], 1));
        let paths = [folder.0.clone()];
        let error = Inputs::new(&paths, &follow).find_map(Result::err).unwrap();
        assert!(error.name.ends_with(b"a/b/up"), "{error:?}");
        assert!(error.message.contains("not followed again") && !error.harmless, "{error:?}");
    }

    #[test]
    fn a_bad_ignore_file_is_reported_and_does_no_harm() {
        let folder = Folder::new("bad-ignore", &["a", "b"]);
        fs::write(folder.0.join(".ignore"), "{a\nb\n").unwrap();
        assert_eq!(folder.files(&folder.options(&[])), (vec!["a".to_owned()], 1));
    }

    #[test]
    fn what_is_missing_is_reported_with_a_remedy() {
        let options = Folder::new("missing", &[]).options(&[]);
        let paths = ["nowhere", "-", "parse", "http://h/"].map(PathBuf::from);
        let inputs: Vec<_> = Inputs::new(&paths, &options).collect();
        assert_eq!(inputs[1].as_ref().unwrap(), &InputPath::Stdin);
        assert_eq!(inputs[0].as_ref().unwrap_err().name, b"nowhere");
        assert!(inputs[2].as_ref().unwrap_err().message.contains("goes first"));
        assert!(inputs[3].as_ref().unwrap_err().message.contains("urlgrep parse URL"));
    }
}
