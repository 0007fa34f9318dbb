//! Limits for the files that a stranger's repository brings along: its ignore files, its settings
//! and its baseline.
//!
//! Such a file may be a link to an endless device, or a pipe without a writer. It may be a megabyte
//! of globs, which take 1 GiB when compiled. So it must be a regular file within a stated size. The
//! `ignore` crate reads ignore files when the walk enters a folder, so they are checked before.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of the settings, and of the ignore files of a folder and those above it. Globs of
/// this size take up to 80 MiB (2026-11).
pub(crate) const MOST_GLOBS: u64 = 64 << 10;
/// The most bytes of a baseline that the settings name. It takes up to 80 MiB.
pub(crate) const MOST_BASELINE: u64 = 8 << 20;

/// Returns the size of a file if it is regular and within a limit, otherwise the reason. `remedy`
/// is what the user can do without changing the file.
pub(crate) fn size(path: &Path, most: u64, remedy: &str) -> io::Result<Result<u64, String>> {
    let of = fs::metadata(path)?;
    if !of.is_file() {
        return Ok(Err(format!("is not a regular file; replace it, or {remedy}")));
    }
    Ok(match of.len() {
        length if length > most => Err(format!("has {length} bytes, and the most is {most}; shorten it, or {remedy}")),
        length => Ok(length),
    })
}

/// Reads a text file if it is regular and within a limit.
pub(crate) fn read(path: &Path, most: u64, remedy: &str) -> io::Result<String> {
    // Opening a pipe would wait for a writer.
    size(path, most, remedy)?.map_err(io::Error::other)?;
    let mut text = String::new();
    // A file may grow after the check.
    fs::File::open(path)?.take(most).read_to_string(&mut text)?;
    Ok(text)
}

/// A file that must not be read, and the reason.
pub(crate) type RefusedFile = (PathBuf, String);

/// The guard of a walk through folders. It is shared with the walk's filter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guard(Arc<Mutex<GuardState>>);

#[derive(Debug, Default)]
struct GuardState {
    /// The bytes of the ignore files above the walk's root.
    above: u64,
    /// The bytes of the ignore files of the folders from the root to the current one.
    path: Vec<u64>,
    /// The files because of which folders were not entered.
    refused: Vec<RefusedFile>,
}

impl Guard {
    /// Checks the root of a walk and the folders above it.
    pub(crate) fn enter_root(&self, root: &Path) -> Result<(), RefusedFile> {
        let absolute = root.canonicalize().unwrap_or_default();
        let mut above = 0;
        for folder in absolute.ancestors().skip(1) {
            above += ignore_bytes(folder, above)?;
        }
        let own = ignore_bytes(root, above)?;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (state.above, state.path) = (above, vec![own]);
        Ok(())
    }

    /// Returns whether the walk may enter a folder at this depth below its root. If not, the file is
    /// kept.
    pub(crate) fn enter(&self, folder: &Path, depth: usize) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.path.truncate(depth);
        let before = state.above + state.path.iter().sum::<u64>();
        match ignore_bytes(folder, before) {
            Ok(own) => state.path.push(own),
            Err(refused) => {
                state.refused.push(refused);
                return false;
            }
        }
        true
    }

    /// Returns the files because of which folders were not entered since the last call.
    pub(crate) fn refused(&self) -> Vec<RefusedFile> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).refused)
    }
}

/// Returns the number of bytes of a folder's ignore files. `before` is the number for the folders
/// above it.
fn ignore_bytes(folder: &Path, before: u64) -> Result<u64, RefusedFile> {
    const REMEDY: &str = "search with --no-ignore";
    let mut bytes = 0;
    for path in ignore_files(folder)? {
        let most = MOST_GLOBS.saturating_sub(before + bytes);
        bytes += match size(&path, most, REMEDY) {
            // A folder of this name is never read. Without permission, reading the file reports why.
            Err(_) => 0,
            Ok(Err(_)) if path.is_dir() => 0,
            Ok(Ok(length)) => length,
            Ok(Err(why)) if before + bytes > 0 => {
                return Err((path, format!("{why} (the files above it have {})", before + bytes)));
            }
            Ok(Err(why)) => return Err((path, why)),
        };
    }
    Ok(bytes)
}

/// Returns the paths of the files that the walk reads when it enters a folder.
fn ignore_files(folder: &Path) -> Result<Vec<PathBuf>, RefusedFile> {
    let mut files = vec![folder.join(".ignore"), folder.join(".gitignore")];
    let git = folder.join(".git");
    match fs::metadata(&git) {
        // In a linked working tree, `.git` is a file that names the folder.
        Ok(of) if of.is_file() => {
            if let Some(folder) = linked(&git, "gitdir: ")? {
                let common = folder.join("commondir");
                let common = if common.exists() { linked(&common, "")? } else { None };
                files.extend(common.map(|common| folder.join(common).join("info/exclude")));
            }
        }
        Ok(of) if of.is_dir() => files.push(git.join("info/exclude")),
        _ => {}
    }
    Ok(files)
}

/// Returns the path on the first line of a file of git, after a prefix.
fn linked(path: &Path, prefix: &str) -> Result<Option<PathBuf>, RefusedFile> {
    /// The most bytes of such a file, which holds one path.
    const MOST: u64 = 8 << 10;
    let text = read(path, MOST, "search with --no-ignore").map_err(|error| (path.to_owned(), error.to_string()))?;
    Ok(text.lines().next().and_then(|line| line.strip_prefix(prefix)).map(PathBuf::from))
}
