//! Left context: where the line of an opener begins, and the reply and comment markers it begins with.
//!
//! A wrapper that was broken over quoted or commented lines carries the markers of those lines in its body
//! (W-PFX-1..5, W-QUOTE, W-CMT). This file parses the markers of the opener's line once and takes the same
//! ones off each line after it. It knows nothing of wrappers, runs or URLs; B-JOIN uses it in a laxer form
//! ([`Markers::content`]).
//!
//! Everything here is one pass over a line: a line of `> > > >` costs what it is long.

use crate::bytes::limits::LINE_START;

/// Start of the line that holds `at`, looked for over [`LINE_START`] bytes back; `None` if neither a line
/// break nor the start of the text lies there (ST-3). A line break is LF, CRLF or CR.
///
/// `text` is a window. Whoever cuts it keeps more than [`LINE_START`] bytes before `at` where the text has
/// them, so that `at <= LINE_START` says that index 0 is the start of the text.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LINE_START);
    match memchr::memrchr2(b'\n', b'\r', &text[from..at]) {
        Some(found) => Some(from + found + 1),
        None if from == 0 => Some(0),
        None => None,
    }
}

/// One marker of W-PFX-1, blanks left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mark {
    /// `JW>`: its letters, zero padded.
    Initials([u8; 5]),
    Quote,
    Bar,
    Colon,
    Comment(Comment),
}

/// The comment markers of W-PFX-1. What counts as the same marker there is one variant here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comment {
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
    /// `+` of a diff, in column 1 (W-PFX-5)
    Added,
    /// `-` of a diff, in column 1 (W-PFX-5)
    Removed,
}

/// A comment token as it stands, to be looked for "character for character" (W-PFX-5). One of more than three
/// bytes is a run of its first byte, so that its head and length say all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Glued {
    head: [u8; 3],
    length: usize,
    /// It stood in column 1, and stands nowhere else.
    diff: bool,
}

/// Markers kept without an allocation; a deeper list goes to a `Vec`. Real quoting seldom gets there.
const INLINE: usize = 12;

/// The markers M of the line of an opener or URL (W-PFX-1, W-PFX-4, W-PFX-5).
///
/// Cheap, but not free: build it when the first line break is met, not for each opener.
#[derive(Clone, Debug)]
pub(crate) struct Markers {
    inline: [Mark; INLINE],
    /// The list from entry [`INLINE`] on.
    more: Vec<Mark>,
    /// Length of the list, the comment marker included.
    length: usize,
    /// How many of them are reply markers; these come first.
    replies: usize,
    /// How many of those are `>` or initials.
    depth: usize,
    bar: bool,
    colon: bool,
    comment: Option<Comment>,
    glued: Option<Glued>,
}

impl Default for Markers {
    fn default() -> Markers {
        Markers {
            inline: [Mark::Quote; INLINE],
            more: Vec::new(),
            length: 0,
            replies: 0,
            depth: 0,
            bar: false,
            colon: false,
            comment: None,
            glued: None,
        }
    }
}

/// What [`Markers::content`] found on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Content {
    /// The first byte that is neither marker nor blank.
    pub(crate) at: usize,
    /// The same before a glued token (W-PFX-5) was taken off; equal to `at` if there was none.
    pub(crate) unglued: usize,
    /// How many `>` and initials were taken off.
    pub(crate) depth: usize,
    /// A marker that the first line does not have was left over.
    pub(crate) surplus: bool,
}

/// The markers of one line, read when somebody first asks for them: a look at the line is dear for most of its URLs.
pub(crate) type LazyMarkers = std::cell::OnceCell<Markers>;

impl Markers {
    /// The markers of the line that holds `opener`; none if its start is out of reach (ST-3).
    pub(crate) fn of_line(text: &[u8], opener: usize) -> Markers {
        let mut markers = Markers::default();
        let Some(line) = line_start(text, opener) else {
            return markers;
        };
        // One byte more than the prefix: `|` and `:` ask whether the opener is a `<`.
        let end = text.len().min(opener + 1);
        let mut scan = Scan::new(text, line, end);
        let mut after_replies = line;
        while let Some(mark) = scan.next() {
            if scan.at > opener {
                break; // `c` of a scheme in column 1 is no comment
            }
            markers.push(mark);
            if !matches!(mark, Mark::Comment(_)) {
                after_replies = scan.at;
            }
        }
        if markers.comment.is_some() {
            return markers;
        }
        // W-PFX-5: no blank and no line end follows, or the scan had taken it.
        let at = skip_blanks(text, after_replies, opener);
        if let Some((comment, after)) = token(text, at, opener, at == line) {
            markers.glued = Some(Glued::new(&text[at..after], comment));
        }
        // W-PFX-4
        if let Some(comment) = trailing(text, at, opener) {
            markers.push(Mark::Comment(comment));
        }
        markers
    }

    fn push(&mut self, mark: Mark) {
        match self.inline.get_mut(self.length) {
            Some(slot) => *slot = mark,
            None => self.more.push(mark),
        }
        self.length += 1;
        match mark {
            Mark::Comment(comment) => {
                self.comment = Some(comment);
                return;
            }
            Mark::Initials(_) | Mark::Quote => self.depth += 1,
            Mark::Bar => self.bar = true,
            Mark::Colon => self.colon = true,
        }
        self.replies += 1;
    }

    fn get(&self, index: usize) -> Mark {
        match self.inline.get(index) {
            Some(&mark) => mark,
            None => self.more[index - INLINE],
        }
    }

    /// Whether M has a `>` (W-QUOTE-2, W-QUOTE-3); `JW>` counts as one.
    pub(crate) fn has_reply(&self) -> bool {
        self.depth > 0
    }

    /// How many `>` M has; `JW>` counts as one. B-JOIN compares it with [`Content::depth`].
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Offset of the first content byte of the continuation line `text[line..end]`: the longest common
    /// prefix of its own marker list and M taken off (W-PFX-2, W-PFX-3), or a glued token (W-PFX-5), and
    /// the blanks around each of them. `end` is where the line's break stands.
    pub(crate) fn strip(&self, text: &[u8], line: usize, end: usize) -> usize {
        let mut scan = Scan::new(text, line, end);
        let mut taken = 0;
        let mut at = line;
        while taken < self.length && scan.next() == Some(self.get(taken)) {
            taken += 1;
            at = scan.at;
        }
        at = skip_blanks(text, at, end);
        if taken == self.replies { self.strip_glued(text, line, at, end).unwrap_or(at) } else { at }
    }

    /// What W-PFX-5 leaves of a line whose reply markers end before `at`; `None` if it takes nothing.
    fn strip_glued(&self, text: &[u8], line: usize, at: usize, end: usize) -> Option<usize> {
        let length = self.glued?.length_at(&text[at..end], at == line)?;
        Some(skip_blanks(text, at + length, end))
    }

    /// The laxer form of [`Markers::strip`] for the next line of a bare URL (B-JOIN, bjoin.md 1.1): `>` and
    /// initials go in any number, `|`, `:` and a comment marker only if M has the same, and another marker
    /// is a surplus. Quoting that a mailer wrapped often loses or gains a level, so a prefix would not do.
    pub(crate) fn content(&self, text: &[u8], line: usize, end: usize) -> Content {
        let mut scan = Scan::new(text, line, end);
        let (mut at, mut taken, mut depth, mut surplus) = (line, 0, 0, false);
        let mut same = true;
        loop {
            let before = scan.at;
            let Some(mark) = scan.next() else { break };
            let known = match mark {
                Mark::Initials(_) | Mark::Quote => {
                    depth += 1;
                    true
                }
                Mark::Bar => taken < self.length && self.bar,
                Mark::Colon => taken < self.length && self.colon,
                Mark::Comment(comment) => taken < self.length && self.comment == Some(comment),
            };
            if !known {
                // The token below may still be the glued one (`#See http://…`, then `# d`).
                surplus = true;
                at = before;
                break;
            }
            same = same && taken < self.length && self.get(taken) == mark;
            taken += 1;
            at = scan.at;
        }
        at = skip_blanks(text, at, end);
        if same
            && taken == self.replies
            && let Some(after) = self.strip_glued(text, line, at, end)
        {
            return Content { at: after, unglued: at, depth, surplus: false };
        }
        Content { at, unglued: at, depth, surplus }
    }
}

/// Offset of the first byte of `text[line..end]` that is no marker of any kind and no blank.
pub(crate) fn content_start(text: &[u8], line: usize, end: usize) -> usize {
    let mut scan = Scan::new(text, line, end);
    while scan.next().is_some() {}
    skip_blanks(text, scan.at, end)
}

/// Walks over the marker list of one line (W-PFX-1).
struct Scan<'t> {
    text: &'t [u8],
    line: usize,
    /// After the last marker, or the start of the line.
    at: usize,
    /// The line ends here, or nothing from here on is looked at.
    end: usize,
    /// The comment marker was met: the list is over.
    done: bool,
}

impl<'t> Scan<'t> {
    fn new(text: &'t [u8], line: usize, end: usize) -> Scan<'t> {
        Scan { text, line, at: line, end, done: false }
    }

    fn next(&mut self) -> Option<Mark> {
        if self.done {
            return None;
        }
        let text = self.text;
        let at = skip_blanks(text, self.at, self.end);
        if at >= self.end {
            return None;
        }
        let (mark, after) = match text[at] {
            b'>' => (Mark::Quote, at + 1),
            b'|' if self.parted(at + 1, true) => (Mark::Bar, at + 1),
            b':' if self.parted(at + 1, true) => (Mark::Colon, at + 1),
            _ => self.initials(at).or_else(|| self.comment(at))?,
        };
        self.done = matches!(mark, Mark::Comment(_));
        self.at = after;
        Some(mark)
    }

    /// Whether a blank, the line end, or (for reply markers) a `<` stands at `at`.
    fn parted(&self, at: usize, angle: bool) -> bool {
        at >= self.end || is_blank(self.text[at]) || is_break(self.text[at]) || angle && self.text[at] == b'<'
    }

    /// `[A-Za-z]{1,5}>`, only at the head of the list.
    fn initials(&self, at: usize) -> Option<(Mark, usize)> {
        if self.at != self.line {
            return None;
        }
        let limit = self.end.min(at + 6);
        let letters = self.text[at..limit].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if letters == 0 || letters > 5 || at + letters >= limit || self.text[at + letters] != b'>' {
            return None;
        }
        let mut name = [0; 5];
        name[..letters].copy_from_slice(&self.text[at..at + letters]);
        Some((Mark::Initials(name), at + letters + 1))
    }

    fn comment(&self, at: usize) -> Option<(Mark, usize)> {
        let column_1 = at == self.line;
        // Most lines begin with a letter, and few with one of these.
        let (comment, after) = match self.text[at] {
            b'd' | b'R' | b'r' | b'@' | b'C' | b'c' => word(self.text, at, self.end, column_1)?,
            _ => token(self.text, at, self.end, column_1)?,
        };
        self.parted(after, false).then_some((Mark::Comment(comment), after))
    }
}

/// The longest comment token at `at`, and where it ends, whatever follows (W-PFX-1, W-PFX-5).
fn token(text: &[u8], at: usize, end: usize, column_1: bool) -> Option<(Comment, usize)> {
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
        b'-' if column_1 => (Comment::Removed, at + 1),
        b'+' if column_1 && !rest.starts_with(b"++") => (Comment::Added, at + 1),
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

/// The length of `@comment`.
const LONGEST_WORD: usize = 8;

/// The comment words of W-PFX-1. They are never glued: `REMd` is a word of its own.
fn word(text: &[u8], at: usize, end: usize, column_1: bool) -> Option<(Comment, usize)> {
    let rest = text.get(at..end.min(at + LONGEST_WORD + 1))?;
    let length = rest.iter().position(|&byte| is_blank(byte) || is_break(byte)).unwrap_or(rest.len());
    let comment = match &rest[..length] {
        b"dnl" => Comment::Dnl,
        b"REM" => Comment::RemUpper,
        b"rem" => Comment::RemLower,
        b"@c" => Comment::Texinfo,
        b"@comment" => Comment::TexinfoLong,
        b"C" if column_1 => Comment::FortranUpper,
        b"c" if column_1 => Comment::FortranLower,
        _ => return None,
    };
    Some((comment, at + length))
}

impl Glued {
    fn new(token: &[u8], comment: Comment) -> Glued {
        let bytes = if comment == Comment::Star { b"*" } else { token };
        let mut head = [0; 3];
        for (slot, &byte) in head.iter_mut().zip(bytes) {
            *slot = byte;
        }
        Glued { head, length: bytes.len(), diff: matches!(comment, Comment::Added | Comment::Removed) }
    }

    /// How many bytes it takes of a line that begins with it; `None` if it does not. `##d` begins with `#`.
    fn length_at(&self, line: &[u8], column_1: bool) -> Option<usize> {
        if self.diff && !column_1 {
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

/// The first trailing comment of W-PFX-4 in `text[from..opener]`; `from` stands after the reply markers and
/// the blanks after them.
fn trailing(text: &[u8], from: usize, opener: usize) -> Option<Comment> {
    // The first word is not preceded by a blank, or the list of W-PFX-1 would have it.
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

fn skip_blanks(text: &[u8], from: usize, end: usize) -> usize {
    let mut at = from;
    while at < end && is_blank(text[at]) {
        at += 1;
    }
    at
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn is_break(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` is the opener's line, with the opener at `<` or `http`, and the line below it; what is left
    /// of the latter.
    fn below(text: &str) -> &str {
        let opener = text.find('<').or_else(|| text.find("http")).unwrap();
        let line = text.find(['\n', '\r']).unwrap();
        let line = line + if text[line..].starts_with("\r\n") { 2 } else { 1 };
        let end = line + text[line..].find(['\n', '\r']).unwrap_or(text.len() - line);
        &text[Markers::of_line(text.as_bytes(), opener).strip(text.as_bytes(), line, end)..end]
    }

    #[test]
    fn line_starts() {
        let text = b"ab\r\ncd\re\n";
        for (at, expected) in [(0, 0), (2, 0), (4, 4), (6, 4), (7, 7), (8, 7), (9, 9)] {
            assert_eq!(line_start(text, at), Some(expected), "{at}");
        }
        let long = vec![b'x'; 3 * LINE_START];
        assert_eq!(line_start(&long, LINE_START), Some(0));
        assert_eq!(line_start(&long, LINE_START + 1), None);
        let mut broken = long.clone();
        broken[99] = b'\n';
        assert_eq!(line_start(&broken, 99 + LINE_START), Some(100));
        assert_eq!(line_start(&broken, 100 + LINE_START), None);
    }

    #[test]
    fn out_of_reach_has_no_markers() {
        // ST-3
        let mut text = b"> # ".to_vec();
        text.resize(LINE_START + 1, b'x');
        text.extend(b"<URL:a:\n> # b>");
        let markers = Markers::of_line(&text, LINE_START + 1);
        assert!(!markers.has_reply());
        let line = text.len() - 6;
        assert_eq!(markers.strip(&text, line, text.len()), line);
    }

    #[test]
    fn reply_markers() {
        // W-PFX-1..3, W-QUOTE: a surplus `>` stays and closes
        for (text, left) in [
            ("> see <URL:x\n> d> ok", "d> ok"),
            (">see <URL:x\n>d> ok", "d> ok"),
            (">> see <URL:x\n>> d> ok", "d> ok"),
            (">> see <URL:x\n> > d> ok", "d> ok"),
            ("> > see <URL:x\r\n>> d>", "d>"),
            ("| see <URL:x\n| d> ok", "d> ok"),
            (": see <URL:x\n: d> ok", "d> ok"),
            ("> | see <URL:x\n> | d> ok", "d> ok"),
            ("  > see <URL:x\n  > d> ok", "d> ok"),
            ("> <URL:x\nd> ok", "d> ok"),
            (">> <URL:x\n> d> ok", "d> ok"),
            ("> <URL:x\n>> d> ok", "> d> ok"),
            ("> <URL:x\n> > ok", "> ok"),
            ("> <URL:x\n>\n", ""),
            ("<URL:x\n> rest", "> rest"),
            ("JW> see <URL:x\nJW> d> ok", "d> ok"),
            ("JW> see <URL:x\nd> ok", "d> ok"),
            ("JW> see <URL:x\nRH> d> ok", "RH> d> ok"),
            ("Joerge> see <URL:x\nJoerge> d>", "Joerge> d>"),
            ("> JW> see <URL:x\n> JW> d>", "JW> d>"),
            ("JW> > see <URL:x\nJW>> d>", "d>"),
            ("<URL:x\n|d>", "|d>"),
            ("|<URL:x\n| d>", "d>"),
            ("|x <URL:x\n| d>", "| d>"),
            ("> <URL:x\n|d>", "|d>"),
            ("| <URL:x\n|d>", "|d>"),
            ("> <URL:x\r> d>", "d>"),
            ("<URL:http\n://a/>", "://a/>"),
        ] {
            assert_eq!(below(text), left, "{text:?}");
        }
        let has = |text: &str| Markers::of_line(text.as_bytes(), text.len()).has_reply();
        assert!(has("> ") && has("| > ") && has("JW> ") && !has("| ") && !has("# ") && !has(""));
    }

    #[test]
    fn comment_markers() {
        // W-PFX-1, W-CMT
        for (text, left) in [
            ("# see <URL:x\n# d>", "d>"),
            (";; see <URL:x\n; d>", "d>"),
            (" * see <URL:x\n * d>", "d>"),
            ("/* see <URL:x\n * d> */", "d> */"),
            ("/** see <URL:x\n * d> */", "d> */"),
            ("/* see <URL:x\n   d> */", "d> */"),
            ("// see <URL:x\n// d>", "d>"),
            ("    /// see <URL:x\n    /// d>", "d>"),
            ("//! see <URL:x\n//! d>", "d>"),
            ("-- see <URL:x\n-- d>", "d>"),
            ("% see <URL:x\n% d>", "d>"),
            ("# <URL:x\n#frag>", "#frag>"),
            ("<URL:x\n# d>", "# d>"),
            ("<URL:x\n * d>", "* d>"),
            ("> # <URL:x\n> # d>", "d>"),
            ("> # <URL:x\n# d>", "# d>"),
            ("> # <URL:x\n> d>", "d>"),
            ("* item <URL:x\n  d>", "d>"),
            ("// <URL:http:\n// //a/>", "//a/>"),
            ("<URL:http:\n//a/>", "//a/>"),
            ("// <URL:http:\n//a/>", "//a/>"),
            ("! see <URL:x\n! d>", "d>"),
            ("' see <URL:x\n' d>", "d>"),
            ("\" see <URL:x\n\" d>", "d>"),
            (".\\\" see <URL:x\n.\\\" d>", "d>"),
            ("'\\\" see <URL:x\n'\\\" d>", "d>"),
            ("\\\" see <URL:x\n\\\" d>", "d>"),
            ("dnl see <URL:x\ndnl d>", "d>"),
            ("REM see <URL:x\nREM d>", "d>"),
            ("rem see <URL:x\nrem d>", "d>"),
            ("rem see <URL:x\nREM d>", "REM d>"),
            ("REM see <URL:x\nREMd>", "REMd>"),
            ("@c see <URL:x\n@c d>", "d>"),
            ("@comment see <URL:x\n@comment d>", "d>"),
            ("C see <URL:x\nC d>", "d>"),
            ("c see <URL:x\nc d>", "d>"),
            (" C see <URL:x\n C d>", "C d>"),
            ("C see <URL:x\n C d>", "C d>"),
            ("+ see <URL:x\n+ d>", "d>"),
            ("- see <URL:x\n- d>", "d>"),
            (" - see <URL:x\n - d>", "- d>"),
            ("+ see <URL:x\n +d>", "+d>"),
        ] {
            assert_eq!(below(text), left, "{text:?}");
        }
    }

    #[test]
    fn trailing_comments() {
        // W-PFX-4
        for (text, left) in [
            ("int x; // see <URL:x\n       // d>", "d>"),
            ("x = 1  # see <URL:x\n       # d>", "d>"),
            ("x = 1\t##\tsee <URL:x\n # d>", "d>"),
            ("x := 1 -- <URL:x\n       -- d>", "d>"),
            ("int x; /* see <URL:x\n        * d> */", "d> */"),
            ("int x; // see <URL:x\n       d>", "d>"),
            ("a.b//c <URL:x\n//d>", "//d>"),
            ("a * b <URL:x\n* d>", "* d>"),
            ("a //<URL:x\n// d>", "// d>"),
            ("a // b # <URL:x\n# d>", "# d>"),
            ("> a ; b <URL:x\n> ; d>", "d>"),
            ("> a ; b <URL:x\n; d>", "; d>"),
            ("#define X 1 // see <URL:x\n  // d>", "d>"),
            ("#define X 1 // see <URL:x\n#d>", "d>"),
        ] {
            assert_eq!(below(text), left, "{text:?}");
        }
    }

    #[test]
    fn glued_tokens() {
        // W-PFX-5
        for (text, left) in [
            ("#See <URL:x\n#d>", "d>"),
            ("#See <URL:x\n# d>", "d>"),
            ("#See <URL:x\n##d>", "#d>"),
            ("#See <URL:x\n## d>", "# d>"),
            ("####See <URL:x\n###d>", "###d>"),
            ("##See <URL:x\n#d>", "#d>"),
            ("####See <URL:x\n####d>", "d>"),
            ("####See <URL:x\n#####d>", "#d>"),
            ("//See <URL:x\n//d>", "d>"),
            ("//See <URL:x\n///d>", "/d>"),
            ("///See <URL:x\n//d>", "//d>"),
            ("//!See <URL:x\n///d>", "///d>"),
            ("*See <URL:x\n/**d>", "d>"),
            ("--See <URL:x\n--d>", "d>"),
            (";See <URL:x\n;d>", "d>"),
            ("%See <URL:x\n%d>", "d>"),
            ("*<URL:x\n*d>", "d>"),
            ("/*See <URL:x\n * d> */", "d> */"),
            ("!See <URL:x\n!d>", "d>"),
            ("! See <URL:x\n!d>", "!d>"),
            ("> #See <URL:x\n> #d>", "d>"),
            ("> #See <URL:x\n#d>", "#d>"),
            ("> #See <URL:x\n>> #d>", "> #d>"),
            ("+see <URL:x\n+d>", "d>"),
            ("+see <URL:x\n +d>", "+d>"),
            ("++see <URL:x\n++d>", "++d>"),
            ("-see <URL:x\n-d>", "d>"),
            ("-see <URL:x\n--d>", "-d>"),
            ("--see <URL:x\n-d>", "-d>"),
            ("dnlsee <URL:x\ndnlsee>", "dnlsee>"),
        ] {
            assert_eq!(below(text), left, "{text:?}");
        }
    }

    #[test]
    fn content_of_the_next_line() {
        // bjoin.md 1.1
        let of = |text: &str| {
            let opener = text.find("http").unwrap();
            let line = text.find('\n').unwrap() + 1;
            let content = Markers::of_line(text.as_bytes(), opener).content(text.as_bytes(), line, text.len());
            (text[content.at..].to_string(), content.depth, content.surplus)
        };
        for (text, left, depth, surplus) in [
            ("> http:\n> d", "d", 1, false),
            ("> http:\n>> d", "d", 2, false),
            ("> > http:\n> d", "d", 1, false),
            ("http:\nRW> d", "d", 1, false),
            ("http:\n| d", "| d", 0, true),
            ("| http:\n| d", "d", 0, false),
            ("http:\n* d", "* d", 0, true),
            ("* http:\n* d", "d", 0, false),
            ("# > http:\n# d", "d", 0, false),
            ("> # http:\n> -- d", "-- d", 1, true),
            ("#http:\n#d", "d", 0, false),
            ("#http:\n# d", "d", 0, false),
            ("x // http:\n  // d", "d", 0, false),
            ("http:\n", "", 0, false),
        ] {
            assert_eq!(of(text), (left.to_string(), depth, surplus), "{text:?}");
        }
        let text = b"  JW> > | # KEY=x";
        assert_eq!(content_start(text, 0, text.len()), 12);
    }

    #[test]
    fn long_lists() {
        // linear, and beyond the inline part
        let line = "> ".repeat(2000) + "| : | : ";
        let text = format!("{line}<URL:x\n{line}d>");
        assert_eq!(below(&text), "d>");
        let deeper = format!("{line}<URL:x\n{}> d>", "> ".repeat(2000));
        assert_eq!(below(&deeper), "> d>");
        let initials = format!("JW> {line}<URL:x\nRW> {line}d>");
        assert_eq!(below(&initials), format!("RW> {line}d>"));
    }

    #[test]
    fn any_bytes() {
        // no panic at any cut of a hostile line
        let text = b"> JW>#|:<\r\n\"\\'.+-/*!;%dnl C@c REM\t \n- <C";
        for opener in 0..=text.len() {
            let markers = Markers::of_line(text, opener);
            for line in 0..=text.len() {
                for end in line..=text.len() {
                    let at = markers.strip(text, line, end);
                    assert!(line <= at && at <= end);
                    let at = markers.content(text, line, end).at;
                    assert!(line <= at && at <= end);
                }
            }
        }
    }
}
