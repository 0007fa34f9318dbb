//! Reads the markers of one line (W-PFX-1), and the tokens that are glued to a word (W-PFX-5).

use crate::find::text::lines::{is_blank, is_break};

/// A marker of W-PFX-1, without the blanks around it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    /// The letters of `JW>`, padded with zeros.
    Initials([u8; 5]),
    #[default]
    Quote,
    Bar,
    Colon,
    Comment(Comment),
}

/// The comment markers of W-PFX-1. Markers that are equal there are one variant here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comment {
    Semicolons,
    Hashes,
    Percents,
    /// `*`, `/*`, `/**`
    Star,
    /// `//`, `///`, `//!`
    Slashes,
    Dashes,
    Bang,
    Apostrophe,
    DoubleQuote,
    /// `.\"` of troff
    Roff,
    /// `'\"` of troff
    RoffApostrophe,
    /// `\"` of troff
    RoffBare,
    Dnl,
    RemUpper,
    RemLower,
    /// `@c` of Texinfo
    Texinfo,
    /// `@comment` of Texinfo
    TexinfoLong,
    /// `C` of Fortran, in column 1
    FortranUpper,
    /// `c` of Fortran, in column 1
    FortranLower,
    /// `+` of a diff (W-PFX-5)
    Added,
    /// `-` of a diff (W-PFX-5)
    Removed,
    /// `<` of a diff in the old format, in column 1. A blank or the line end follows it, so it
    /// opens no wrapper (W-PFX-5).
    RemovedOld,
}

impl Comment {
    /// Returns whether this is a diff marker, which a comment marker may follow.
    pub(super) fn is_diff(self) -> bool {
        matches!(self, Comment::Added | Comment::Removed)
    }

    /// Returns whether a comment with this marker certainly ends with its line (B-JOIN-N-COMMENT).
    /// `is_trailing` is true if other text stands before the comment. `--` also begins signatures
    /// and lists. A trailing `;` may also stand between blanks in prose.
    pub(super) fn ends_with_line(self, is_trailing: bool) -> bool {
        match self {
            Comment::Slashes | Comment::Hashes => true,
            Comment::Semicolons | Comment::Percents => !is_trailing,
            _ => false,
        }
    }
}

/// A comment token to be compared "character for character" (W-PFX-5). A token of more than three
/// bytes repeats its first byte, so three bytes and the length are enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glued {
    head: [u8; 3],
    length: usize,
    /// The token is a diff marker, which is valid only in its column ([`is_diff_column`]).
    diff: bool,
}

/// The maximum number of letters in initials.
pub(super) const LONGEST_INITIALS: usize = 5;

/// Walks over the marker list of one line (W-PFX-1).
pub(super) struct Scan<'t> {
    text: &'t [u8],
    line: usize,
    /// The place after the last marker that was read, or the start of the line.
    pub(super) at: usize,
    /// The end of the line, or of the part that is read.
    end: usize,
    /// A diff marker was read, so only a comment marker may follow.
    diff: bool,
    /// A comment marker was read, so the list has ended.
    done: bool,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t [u8], line: usize, end: usize) -> Scan<'t> {
        Scan { text, line, at: line, end, diff: false, done: false }
    }

    pub(super) fn next(&mut self) -> Option<Marker> {
        if self.done {
            return None;
        }
        let text = self.text;
        let at = skip_blanks(text, self.at, self.end);
        if at >= self.end {
            return None;
        }
        let (mark, after) = match text[at] {
            _ if self.diff => self.comment(at)?,
            b'>' => (Marker::Quote, at + 1),
            b'|' if self.parted(at + 1, true) => (Marker::Bar, at + 1),
            b':' if self.parted(at + 1, true) => (Marker::Colon, at + 1),
            _ => self.initials(at).or_else(|| self.comment(at))?,
        };
        let is_diff = matches!(mark, Marker::Comment(comment) if comment.is_diff());
        self.done = self.diff || matches!(mark, Marker::Comment(_)) && !is_diff;
        self.diff |= is_diff;
        self.at = after;
        Some(mark)
    }

    /// Returns whether a blank or the line end stands at `at`. With `angle`, as for reply markers,
    /// a `<` is also accepted.
    fn parted(&self, at: usize, angle: bool) -> bool {
        at >= self.end || is_blank(self.text[at]) || is_break(self.text[at]) || angle && self.text[at] == b'<'
    }

    /// Matches `[A-Za-z]{1,5}>` and no `=`, only at the start of the list.
    fn initials(&self, at: usize) -> Option<(Marker, usize)> {
        if self.at != self.line {
            return None;
        }
        let limit = self.end.min(at + LONGEST_INITIALS + 1);
        let letters = self.text[at..limit].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 || letters > LONGEST_INITIALS || at + letters >= limit || self.text[at + letters] != b'>' {
            return None;
        }
        if self.text.get(at + letters + 1) == Some(&b'=') {
            return None; // `numpy>=1.2`
        }
        let mut name = [0; 5];
        name[..letters].copy_from_slice(&self.text[at..at + letters]);
        Some((Marker::Initials(name), at + letters + 1))
    }

    fn comment(&self, at: usize) -> Option<(Marker, usize)> {
        let column_1 = at == self.line;
        // Most lines begin with a letter, but few with the first letter of a comment word.
        let (comment, after) = match self.text[at] {
            byte if begins_comment_word(byte) => word(self.text, at, self.end, column_1)?,
            b'<' if column_1 => (Comment::RemovedOld, at + 1),
            _ => token(self.text, at, self.end, !self.diff && is_diff_column(self.line, self.at, at))?,
        };
        self.parted(after, false).then_some((Marker::Comment(comment), after))
    }
}

/// Returns whether a diff marker may stand at `at` on the line that begins at `line`. It may stand
/// in column 1, or after reply markers and at most one blank (W-PFX-5). The reply markers end at
/// `after`.
pub(super) fn is_diff_column(line: usize, after: usize, at: usize) -> bool {
    at == line || after > line && at <= after + 1
}

/// Returns the longest comment token at `at`, and its end, whatever follows it (W-PFX-1, W-PFX-5).
/// If `diff` is true, a diff marker is also a token.
pub(super) fn token(text: &[u8], at: usize, end: usize, diff: bool) -> Option<(Comment, usize)> {
    let rest = text.get(at..end)?;
    let run = |byte: u8| at + rest.iter().take_while(|&&other| other == byte).count();
    let (comment, after) = match *rest.first()? {
        b';' => (Comment::Semicolons, run(b';')),
        b'#' => (Comment::Hashes, run(b'#')),
        b'%' => (Comment::Percents, run(b'%')),
        b'*' => (Comment::Star, at + 1),
        b'/' if rest.starts_with(b"/**") => (Comment::Star, at + 3),
        b'/' if rest.starts_with(b"/*") => (Comment::Star, at + 2),
        b'/' if rest.starts_with(b"///") || rest.starts_with(b"//!") => (Comment::Slashes, at + 3),
        b'/' if rest.starts_with(b"//") => (Comment::Slashes, at + 2),
        b'-' if rest.starts_with(b"--") => (Comment::Dashes, at + 2),
        b'-' if diff => (Comment::Removed, at + 1),
        b'+' if diff && !rest.starts_with(b"++") => (Comment::Added, at + 1),
        b'!' => (Comment::Bang, at + 1),
        b'\'' if rest.starts_with(b"'\\\"") => (Comment::RoffApostrophe, at + 3),
        b'\'' => (Comment::Apostrophe, at + 1),
        b'"' => (Comment::DoubleQuote, at + 1),
        b'.' if rest.starts_with(b".\\\"") => (Comment::Roff, at + 3),
        b'\\' if rest.starts_with(b"\\\"") => (Comment::RoffBare, at + 2),
        _ => return None,
    };
    Some((comment, after))
}

/// Returns whether a byte is a marker by itself, in any column, and begins no marker of another
/// kind. Before a blank, [`Scan`] reads it as a marker.
pub(crate) fn is_lone_marker(byte: u8) -> bool {
    matches!(byte, b'*' | b'#' | b';' | b'%' | b'!' | b'|' | b'"')
}

/// The comment words of W-PFX-1. They are never glued: `REMd` is another word.
const WORDS: [(&[u8], Comment); 7] = [
    (b"dnl", Comment::Dnl),
    (b"REM", Comment::RemUpper),
    (b"rem", Comment::RemLower),
    (b"@c", Comment::Texinfo),
    (b"@comment", Comment::TexinfoLong),
    (b"C", Comment::FortranUpper),
    (b"c", Comment::FortranLower),
];

/// The length of `@comment`.
const LONGEST_WORD: usize = 8;

/// Returns whether a byte is the first byte of a comment word.
pub(crate) const fn begins_comment_word(first: u8) -> bool {
    let mut i = 0;
    while i < WORDS.len() {
        if WORDS[i].0[0] == first {
            return true;
        }
        i += 1;
    }
    false
}

/// Returns whether a word may be a comment marker.
pub(crate) fn is_comment_word(word: &[u8]) -> bool {
    WORDS.iter().any(|&(known, _)| known == word)
}

/// Returns the comment word at `at`, and its end.
fn word(text: &[u8], at: usize, end: usize, column_1: bool) -> Option<(Comment, usize)> {
    let rest = text.get(at..end.min(at + LONGEST_WORD + 1))?;
    let length = rest.iter().position(|&byte| is_blank(byte) || is_break(byte)).unwrap_or(rest.len());
    let (_, comment) = WORDS.into_iter().find(|&(known, _)| known == &rest[..length])?;
    let is_fortran = matches!(comment, Comment::FortranUpper | Comment::FortranLower);
    (column_1 || !is_fortran).then_some((comment, at + length))
}

impl Glued {
    pub(super) fn new(token: &[u8], comment: Comment) -> Glued {
        let bytes = if comment == Comment::Star { b"*" } else { token };
        let mut head = [0; 3];
        for (slot, &byte) in head.iter_mut().zip(bytes) {
            *slot = byte;
        }
        Glued { head, length: bytes.len(), diff: comment.is_diff() }
    }

    /// Returns the length of the token at the start of the line, if it is equal to this token. Thus
    /// the line `##d` begins with `#`.
    pub(super) fn length_at(&self, line: &[u8], in_diff_column: bool) -> Option<usize> {
        if self.diff && !in_diff_column {
            return None;
        }
        if self.head[0] == b'*' {
            return [&b"/**"[..], b"/*", b"*"].iter().find(|star| line.starts_with(star)).map(|star| star.len());
        }
        let same = |(index, &byte): (usize, &u8)| byte == self.head[if self.length > 3 { 0 } else { index }];
        let begins = line.len() >= self.length && line[..self.length].iter().enumerate().all(same);
        begins.then_some(self.length)
    }
}

/// Returns the marker of the first trailing comment of W-PFX-4 in `text[from..opener]`. `from` is
/// the place after the reply markers and their blanks.
pub(super) fn trailing(text: &[u8], from: usize, opener: usize) -> Option<Comment> {
    // A marker at `from` would be in the list of W-PFX-1, so the search begins after the first
    // blank.
    let mut at = from;
    loop {
        at += memchr::memchr2(b' ', b'\t', &text[at..opener])?;
        at = skip_blanks(text, at, opener);
        match token(text, at, opener, false) {
            Some((
                comment @ (Comment::Slashes | Comment::Hashes | Comment::Semicolons | Comment::Dashes | Comment::Star),
                after,
            )) if after < opener && is_blank(text[after]) && text[at..after] != *b"*" => {
                return Some(comment);
            }
            _ => {}
        }
    }
}

pub(super) fn skip_blanks(text: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end && is_blank(text[at]) {
        at += 1;
    }
    at
}
