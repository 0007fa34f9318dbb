//! Unified diffs, as `git diff` and `diff -u` write them: the added lines of each file, with the
//! lines around them.
//!
//! The heading of a hunk counts the hunk's lines. So a removed line `-- a/x`, which the diff shows
//! as `--- a/x`, is not parsed as a file's name. Names are those of the new side, with C escapes
//! decoded. The prefix `b/`, or another letter that git uses, is dropped. A folder of one letter
//! that both sides have is kept, because git's prefixes differ between the sides. Merges (`@@@`)
//! are refused.

use std::io::{self, BufRead};

/// The most bytes that are held of one file's change. A longer change is handled in pieces.
const MOST_HELD: usize = 32 << 20;

/// The changes to a file, or a piece of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ChangedFile {
    /// The name on the new side.
    pub(crate) name: Vec<u8>,
    pub(crate) hunks: Vec<Hunk>,
}

/// Some lines of a file before and after a change.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Hunk {
    /// The number of the hunk's first line in the new file, from 1. It is 0 if the hunk has no new
    /// line.
    pub(crate) first_line: u64,
    /// The lines of the old file.
    pub(crate) old: Vec<u8>,
    /// The lines of the new file.
    pub(crate) new: Vec<u8>,
    /// The lines of the new side: whether each is added, and its offset.
    pub(crate) lines: Vec<NewLine>,
}

/// A line of the new side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewLine {
    pub(crate) is_added: bool,
    /// The offset of its text in the diff.
    pub(crate) offset: u64,
}

/// A reader of a diff, one file at a time.
pub(crate) struct DiffReader<R> {
    input: R,
    line: Vec<u8>,
    /// The offset of the line in the diff.
    offset: u64,
    number: u64,
    /// The next read returns this line again.
    is_kept: bool,
    /// The name of the old side, with its prefix.
    old_name: Vec<u8>,
    /// The name of the new side, without its prefix; empty if the file is removed.
    name: Vec<u8>,
    /// The lines of the hunk still to come, on the old and on the new side.
    left: [u64; 2],
    next_line: u64,
    /// A hunk was read.
    has_hunks: bool,
    /// A line begins with the escape of a terminal.
    has_color: bool,
}

impl<R: BufRead> DiffReader<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            offset: 0,
            number: 0,
            is_kept: false,
            old_name: Vec::new(),
            name: Vec::new(),
            left: [0; 2],
            next_line: 0,
            has_hunks: false,
            has_color: false,
        }
    }

    /// Returns how many bytes were read.
    pub(crate) fn bytes(&self) -> u64 {
        self.offset + self.line.len() as u64
    }

    /// Returns the next file with added lines, or the next piece of a long change.
    ///
    /// # Errors
    ///
    /// Fails if the input does. Also fails for an invalid heading or line, the diff of a merge, and
    /// a non-empty text without a hunk.
    pub(crate) fn next_file(&mut self) -> io::Result<Option<ChangedFile>> {
        let mut file = ChangedFile::default();
        let mut held = 0;
        while self.read_line()? {
            if self.left != [0, 0] {
                held += self.add_line(&mut file)?;
            } else if self.line.starts_with(b"diff ") || self.line.starts_with(b"--- ") {
                if file.adds() {
                    self.is_kept = true;
                    return Ok(Some(file));
                }
                (file, held) = (ChangedFile::default(), 0);
                self.old_name = self.line.strip_prefix(b"--- ").map(name_in).unwrap_or_default();
                self.name.clear();
            } else if let Some(name) = self.line.strip_prefix(b"+++ ") {
                self.name = new_name(name_in(name), &self.old_name);
            } else if self.line.starts_with(b"@@@") {
                return Err(self.error("is from the diff of a merge; try `git diff -m --first-parent`"));
            } else if self.line.starts_with(b"@@ ") {
                let heading = heading(&self.line);
                (self.next_line, self.left) =
                    heading.ok_or_else(|| self.error("is not the heading of a hunk, such as `@@ -1,7 +1,8 @@`"))?;
                self.has_hunks = true;
                self.begin_hunk(&mut file);
            }
            if held > MOST_HELD {
                if file.adds() {
                    return Ok(Some(file));
                }
                // Nothing is added so far, so these lines are not needed.
                (file, held) = (ChangedFile::default(), 0);
            }
        }
        if self.has_hunks || self.bytes() == 0 {
            return Ok(Some(file).filter(ChangedFile::adds));
        }
        let why = match self.has_color {
            true => "is a coloured diff; `git diff --no-color` writes a plain one",
            false => "is not a unified diff; `git diff` and `diff -u` write one",
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, why))
    }

    /// Adds the line to the last hunk. Returns the number of bytes that it holds.
    fn add_line(&mut self, file: &mut ChangedFile) -> io::Result<usize> {
        if file.hunks.is_empty() {
            // The rest of a hunk that was too long begins here.
            self.begin_hunk(file);
        }
        let Some(hunk) = file.hunks.last_mut() else { return Ok(0) };
        // Some editors strip the blank from an empty line.
        let (mark, text) = match self.line.split_first() {
            Some((mark @ (b' ' | b'+' | b'-'), text)) => (*mark, text),
            Some((b'\\', _)) => return Ok(0),
            Some((b'\n' | b'\r', _)) => (b' ', &self.line[..]),
            _ => return Err(self.error("is not a line of a hunk; it must begin with a blank, `+` or `-`")),
        };
        if mark != b'+' {
            // A heading may count too few lines for one side.
            self.left[0] = self.left[0].saturating_sub(1);
            hunk.old.extend_from_slice(text);
        }
        if mark != b'-' {
            self.left[1] = self.left[1].saturating_sub(1);
            self.next_line += 1;
            hunk.new.extend_from_slice(text);
            let blank = (self.line.len() - text.len()) as u64;
            hunk.lines.push(NewLine { is_added: mark == b'+', offset: self.offset + blank });
        }
        Ok(text.len() + size_of::<NewLine>())
    }

    fn begin_hunk(&self, file: &mut ChangedFile) {
        file.name.clone_from(&self.name);
        file.hunks.push(Hunk { first_line: self.next_line, ..Hunk::default() });
    }

    /// Reads the next line, unless the last line is kept. Returns whether there is one.
    fn read_line(&mut self) -> io::Result<bool> {
        if std::mem::take(&mut self.is_kept) {
            return Ok(true);
        }
        self.offset += self.line.len() as u64;
        self.line.clear();
        self.number += 1;
        let length = self.input.read_until(b'\n', &mut self.line)?;
        self.has_color |= self.line.starts_with(b"\x1b[");
        Ok(length > 0)
    }

    fn error(&self, why: &str) -> io::Error {
        io::Error::new(io::ErrorKind::InvalidData, format!("line {} {why}", self.number))
    }
}

impl ChangedFile {
    /// Returns whether a line is added to a file that has a name.
    fn adds(&self) -> bool {
        !self.name.is_empty() && self.hunks.iter().any(|hunk| hunk.lines.iter().any(|line| line.is_added))
    }
}

/// Reads `@@ -old[,count] +new[,count] @@`: the first line of the new side, and the counts.
fn heading(line: &[u8]) -> Option<(u64, [u64; 2])> {
    let line = std::str::from_utf8(line.get(3..)?.split(|&byte| byte == b'@').next()?).ok()?;
    let mut sides = line.split_whitespace();
    let side = |text: &str, mark: char| -> Option<(u64, u64)> {
        let text = text.strip_prefix(mark)?;
        let (first, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let ((_, old), (first, new)) = (side(sides.next()?, '-')?, side(sides.next()?, '+')?);
    Some((first, [old, new]))
}

/// The name of a side without a file.
const NO_FILE: &[u8] = b"/dev/null";

/// Reads the name after `---` or `+++`.
fn name_in(text: &[u8]) -> Vec<u8> {
    let end = text.iter().position(|byte| b"\t\r\n".contains(byte)).unwrap_or(text.len());
    let quoted = text[..end].strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    quoted.map_or_else(|| text[..end].to_vec(), unescaped)
}

/// Returns the name of the new side without its prefix. A removed file has none.
fn new_name(mut name: Vec<u8>, old: &[u8]) -> Vec<u8> {
    if name == NO_FILE {
        return Vec::new();
    }
    // Without prefixes, both sides are in the same folder, even if its name is one letter.
    if let Some(letter) = prefix(&name)
        && (old == NO_FILE || prefix(old).is_some_and(|of_old| of_old != letter))
    {
        name.drain(..2);
    }
    name
}

/// Returns the letter that git may have put before a name. It may also be a folder.
fn prefix(name: &[u8]) -> Option<u8> {
    match *name {
        // With diff.mnemonicPrefix a letter stands for the commit, the index, the object or the
        // working tree. With --no-index it is a number.
        [letter @ (b'a' | b'b' | b'c' | b'i' | b'o' | b'w' | b'1' | b'2'), b'/', _, ..] => Some(letter),
        _ => None,
    }
}

/// Decodes the escapes of a C string.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        if let Some(octal) = rest.get(..3).filter(|octal| octal.iter().all(|digit| (b'0'..b'8').contains(digit))) {
            out.push(octal.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0')));
            rest = &rest[3..];
        } else if let Some((&escape, tail)) = rest.split_first() {
            out.push(match escape {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                other => other,
            });
            rest = tail;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(diff: &[u8]) -> io::Result<Vec<ChangedFile>> {
        let mut reader = DiffReader::new(diff);
        std::iter::from_fn(|| reader.next_file().transpose()).collect()
    }

    #[test]
    fn hunks_are_counted_and_offsets_are_those_of_the_diff() {
        let diff = b"diff --git a/x.md b/x.md\nindex 1..2 100644\n--- a/x.md\n+++ b/x.md\n@@ -3,3 +3,3 @@ head\n one\n--- a/no\n+++ b/no\n three\n@@ -9 +9,2 @@\n nine\n+ten\n\\ No newline at end of file\n";
        let [file] = &files(diff).unwrap()[..] else { panic!() };
        assert_eq!(file.name, b"x.md");
        let [first, second] = &file.hunks[..] else { panic!() };
        assert_eq!(
            (first.first_line, &*first.old, &*first.new),
            (3, &b"one\n-- a/no\nthree\n"[..], &b"one\n++ b/no\nthree\n"[..])
        );
        assert_eq!((second.first_line, &*second.new), (9, &b"nine\nten\n"[..]));
        let added: Vec<_> = file.hunks.iter().flat_map(|hunk| &hunk.lines).filter(|line| line.is_added).collect();
        for (line, text) in added.iter().zip(["++ b/no", "ten"]) {
            assert!(diff[line.offset as usize..].starts_with(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn names_are_those_of_the_new_side() {
        let name = |old: &str, new: &str| {
            let diff = format!("--- {old}\n+++ {new}\n@@ -0,0 +1 @@\n+x\n");
            files(diff.as_bytes()).unwrap().pop().map(|file| file.name)
        };
        for (old, new, expected) in [
            ("a/a b.txt", "b/a b.txt", "a b.txt"),
            ("/dev/null", "b/a b.txt", "a b.txt"),
            ("i/a/b", "w/a/b", "a/b"),
            ("b/x", "a/x", "x"),
            ("1/x", "2/x", "x"),
            // Without prefixes.
            ("src/main.rs", "src/main.rs", "src/main.rs"),
            ("c/x", "c/x", "c/x"),
            ("c/x", "c/y", "c/y"),
            ("x.txt", "c/x.txt", "c/x.txt"),
            ("old.txt\t2025-01-01 00:00:00", "new.txt\t2026-01-01 00:00:00", "new.txt"),
            ("\"a/\\303\\251\"", "\"b/\\303\\251\\t\\\"\\\\\"", "é\t\"\\"),
            ("a/", "b/", "b/"),
        ] {
            assert_eq!(name(old, new), Some(expected.into()), "{old} {new}");
        }
        assert_eq!(name("a/x", "/dev/null"), None);
    }

    #[test]
    fn files_that_only_lose_lines_are_passed_over() {
        let diff = b"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n a\n-b\n--- a/y\n+++ b/y\n@@ -1 +1,2 @@\n a\n+b\n--- a/z\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
        let names: Vec<_> = files(diff).unwrap().into_iter().map(|file| file.name).collect();
        assert_eq!(names, [b"y"]);
        assert_eq!(files(b"").unwrap(), []);
    }

    #[test]
    fn what_is_no_diff_is_an_error_with_its_place() {
        for (diff, why) in [
            ("hello\n", "is not a unified diff; `git diff` and `diff -u` write one"),
            ("\x1b[1mdiff --git a/x b/x\x1b[m\n", "is a coloured diff; `git diff --no-color`"),
            ("@@ -1 +x @@\n", "line 1 is not the heading of a hunk"),
            ("\n@@@ -1,2 -1,2 +1,3 @@@\n", "line 2 is from the diff of a merge"),
            ("@@ -1,2 +1,2 @@\n a\nxyz\n", "line 3 is not a line of a hunk"),
        ] {
            let error = files(diff.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn a_long_change_comes_in_pieces() {
        let line = format!("+{}\n", "x".repeat(99));
        let count = MOST_HELD / 100 + 50_000;
        let diff = format!("--- a/x\n+++ b/x\n@@ -0,0 +1,{count} @@\n{}", line.repeat(count));
        let files = files(diff.as_bytes()).unwrap();
        assert!(files.len() > 1 && files.iter().all(|file| file.name == b"x"));
        let mut next = 1;
        for hunk in files.iter().flat_map(|file| &file.hunks) {
            assert_eq!(hunk.first_line, next);
            next += hunk.lines.len() as u64;
        }
        assert_eq!(next, count as u64 + 1);
    }

    #[test]
    fn a_long_removal_holds_nothing() {
        let line = format!("-{}\n", "x".repeat(99));
        let count = MOST_HELD / 100 + 50_000;
        for (name, found) in [("b/x", 1), ("/dev/null", 0)] {
            let removed = line.repeat(count);
            let diff = format!("--- a/x\n+++ {name}\n@@ -1,{count} +1,{found} @@\n{removed}{}", "+y\n".repeat(found));
            let files = files(diff.as_bytes()).unwrap();
            let new: Vec<_> = files.iter().flat_map(|file| &file.hunks).map(|hunk| &*hunk.new).collect();
            assert_eq!(new, vec![b"y\n"; found], "{name}");
            assert!(files.iter().flat_map(|file| &file.hunks).all(|hunk| hunk.old.len() < MOST_HELD / 2));
        }
    }
}
