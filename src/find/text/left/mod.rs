//! Left context: the reply and comment markers at the start of the line of an opener. An opener is
//! the `<` of a wrapper, or the first byte of a bare URL.
//!
//! A wrapper that was broken over quoted or commented lines has the markers of those lines in its
//! body (W-PFX-1..5, W-QUOTE, W-CMT). The markers of the opener's line are parsed once and removed
//! from each line after it. This file is independent of wrappers, runs and URLs. B-JOIN parses the
//! markers by laxer rules ([`Markers::content`]).
//!
//! Every function is linear in the length of a line, even if the line has only markers: `> > > >`.

mod scan;

use crate::find::text::lines::{is_break, line_start};
use scan::{Comment, Glued, Marker, Scan, is_diff_column, skip_blanks, token, trailing};
pub(crate) use scan::{is_comment_word, is_lone_marker};

/// The number of markers kept without an allocation. Real quoting is seldom deeper.
const INLINE: usize = 12;

/// The list M: the markers of the line of an opener (W-PFX-1, W-PFX-4, W-PFX-5).
///
/// Building the list scans the line. So the list is built at the first line break after an opener,
/// not for each opener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markers {
    inline: [Marker; INLINE],
    /// The entries of the list from [`INLINE`] on.
    more: Vec<Marker>,
    /// The length of the list, including the comment marker.
    length: usize,
    /// The number of reply markers, which come first.
    replies: usize,
    /// The number of reply markers that are `>` or initials.
    depth: usize,
    bar: bool,
    colon: bool,
    diff: Option<Comment>,
    comment: Option<Comment>,
    glued: Option<Glued>,
    /// The marker of the comment that holds the opener, if that comment ends with its line
    /// (B-JOIN-N-COMMENT).
    line_comment: Option<Comment>,
}

/// The result of [`Markers::content`] for a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Content {
    /// The first byte that is neither a marker nor a blank.
    pub(crate) at: usize,
    /// The start of a glued token (W-PFX-5). It is equal to `at` if there is none.
    pub(crate) unglued: usize,
    /// The number of `>` and initials that were removed.
    pub(crate) depth: usize,
    /// The line has a `|`, `:` or comment marker that the opener's line lacks.
    pub(crate) surplus: bool,
    /// The opener stands in a comment that ends with its line, and this line lacks the comment's
    /// marker. So this line is code.
    pub(crate) is_code: bool,
}

/// The markers of one line, read on first use. Most URLs never need them.
pub(crate) type LazyMarkers = std::cell::OnceCell<Markers>;

/// Returns the start of the content of a line that certainly has no marker. From such a line,
/// [`Markers::strip`] strips only blanks. `None` means unknown.
pub(crate) fn unmarked(text: &[u8], line: usize, end: usize) -> Option<usize> {
    let at = skip_blanks(text, line, end);
    let is_unmarked = match text[at..end] {
        [] => true,
        [first, ..] if !first.is_ascii_alphanumeric() || scan::begins_comment_word(first) => false,
        // `JW>`
        [_, ref rest @ ..] => !rest[..rest.len().min(scan::LONGEST_INITIALS)].contains(&b'>'),
    };
    is_unmarked.then_some(at)
}

impl Markers {
    /// Returns the markers of the line that holds `opener`. The list is empty if the line's start
    /// is out of reach (ST-3).
    pub(crate) fn of_line(text: &[u8], opener: usize) -> Markers {
        let mut markers = Markers::default();
        if text[..opener].last().is_some_and(|&before| is_break(before)) {
            return markers; // the opener begins its line
        }
        let Some(line) = line_start(text, opener) else {
            return markers;
        };
        // The scan includes one byte after the prefix. `|` and `:` depend on whether the opener is
        // a `<`.
        let end = text.len().min(opener + 1);
        let mut scan = Scan::new(text, line, end);
        let mut after_replies = line;
        while let Some(mark) = scan.next() {
            if scan.at > opener {
                break; // the `c` of a scheme in column 1 is not a comment
            }
            markers.push(mark);
            if !matches!(mark, Marker::Comment(_)) {
                after_replies = scan.at;
            }
        }
        if let Some(comment) = markers.comment.or(markers.diff) {
            // The line of a diff may end in a comment: `+    code, // http://…`.
            let in_trailing = || trailing(text, scan.at, opener).filter(|comment| comment.ends_with_line(true));
            markers.line_comment = Some(comment).filter(|comment| comment.ends_with_line(false)).or_else(in_trailing);
            return markers;
        }
        // W-PFX-5: neither a blank nor the line end follows this token. Otherwise the scan would
        // have read it as a marker.
        let at = skip_blanks(text, after_replies, opener);
        if let Some((comment, after)) = token(text, at, opener, is_diff_column(line, after_replies, at)) {
            markers.glued = Some(Glued::new(&text[at..after], comment));
        }
        // W-PFX-4
        if let Some(comment) = trailing(text, at, opener) {
            markers.push(Marker::Comment(comment));
            markers.line_comment = Some(comment).filter(|comment| comment.ends_with_line(true));
        }
        markers
    }

    fn push(&mut self, mark: Marker) {
        match self.inline.get_mut(self.length) {
            Some(slot) => *slot = mark,
            None => self.more.push(mark),
        }
        self.length += 1;
        match mark {
            Marker::Comment(comment) => {
                let kept = if comment.is_diff() { &mut self.diff } else { &mut self.comment };
                *kept = Some(comment);
                return;
            }
            Marker::Initials(_) | Marker::Quote => self.depth += 1,
            Marker::Bar => self.bar = true,
            Marker::Colon => self.colon = true,
        }
        self.replies += 1;
    }

    fn get(&self, index: usize) -> Marker {
        match self.inline.get(index) {
            Some(&mark) => mark,
            None => self.more[index - INLINE],
        }
    }

    /// Returns whether M has a `>` or initials such as `JW>` (W-QUOTE-2, W-QUOTE-3).
    pub(crate) fn has_reply(&self) -> bool {
        self.depth > 0
    }

    /// Returns the number of `>` in M, including the `>` of `JW>`. B-JOIN compares it with
    /// [`Content::depth`].
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the offset of the first content byte of the continuation line `text[line..end]`,
    /// where `end` is its line break.
    ///
    /// The content begins after the longest common prefix of the line's marker list and M (W-PFX-2,
    /// W-PFX-3). If this prefix is exactly the reply markers of M, a glued token (W-PFX-5) is
    /// skipped after it. Blanks before the content are also skipped.
    pub(crate) fn strip(&self, text: &[u8], line: usize, end: usize) -> usize {
        if self.length == 0 && self.glued.is_none() {
            return skip_blanks(text, line, end); // nearly every line
        }
        let mut scan = Scan::new(text, line, end);
        let mut taken = 0;
        let mut at = line;
        while taken < self.length && scan.next() == Some(self.get(taken)) {
            taken += 1;
            at = scan.at;
        }
        let content = skip_blanks(text, at, end);
        let is_column = is_diff_column(line, at, content);
        if taken == self.replies { self.strip_glued(text, content, end, is_column).unwrap_or(content) } else { content }
    }

    /// Returns the start of the content after the glued token at `at`, which follows the reply
    /// markers (W-PFX-5). Returns `None` without such a token. `in_diff_column` is true if a diff
    /// marker may stand at `at`.
    fn strip_glued(&self, text: &[u8], at: usize, end: usize, in_diff_column: bool) -> Option<usize> {
        let length = self.glued?.length_at(&text[at..end], in_diff_column)?;
        Some(skip_blanks(text, at + length, end))
    }

    /// Returns the content of the next line of a bare URL (B-JOIN-N). This is a laxer form of
    /// [`Markers::strip`].
    ///
    /// Initials at the start of the line and any number of `>` are removed. A `|`, `:` or comment
    /// marker is removed only if M has it, and more markers than stand before it. Otherwise the
    /// marker is surplus. A common prefix is not enough, because quoted text often loses or gains a
    /// level when a mailer wraps it.
    pub(crate) fn content(&self, text: &[u8], line: usize, end: usize) -> Content {
        let mut scan = Scan::new(text, line, end);
        let (mut at, mut taken, mut depth, mut surplus) = (line, 0, 0, false);
        let (mut same, mut is_code) = (true, self.line_comment.is_some());
        loop {
            let before = scan.at;
            let Some(mark) = scan.next() else { break };
            let known = match mark {
                Marker::Initials(_) | Marker::Quote => {
                    depth += 1;
                    true
                }
                Marker::Bar => taken < self.length && self.bar,
                Marker::Colon => taken < self.length && self.colon,
                Marker::Comment(comment) => taken < self.length && [self.comment, self.diff].contains(&Some(comment)),
            };
            if !known {
                // The token here may still be the glued token (`#See http://…`, then `# d`).
                surplus = true;
                at = before;
                break;
            }
            is_code = is_code && self.line_comment.map(Marker::Comment) != Some(mark);
            same = same && taken < self.length && self.get(taken) == mark;
            taken += 1;
            at = scan.at;
        }
        let after_markers = at;
        at = skip_blanks(text, after_markers, end);
        if same
            && taken == self.replies
            && let Some(after) = self.strip_glued(text, at, end, is_diff_column(line, after_markers, at))
        {
            return Content { at: after, unglued: at, depth, surplus: false, is_code };
        }
        Content { at, unglued: at, depth, surplus, is_code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::limits::LINE_START;

    /// Returns the content of the second line of `text`. The opener is on the first line.
    fn below(text: &str) -> &str {
        let opener = text.find("<URL").unwrap();
        let line = text.find(['\n', '\r']).unwrap();
        let line = line + if text[line..].starts_with("\r\n") { 2 } else { 1 };
        let end = line + text[line..].find(['\n', '\r']).unwrap_or(text.len() - line);
        &text[Markers::of_line(text.as_bytes(), opener).strip(text.as_bytes(), line, end)..end]
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
        // W-PFX-1..3, W-QUOTE: a surplus `>` stays, and closes the wrapper
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
            ("< see <URL:x\n< d>", "d>"),
            ("< see <URL:x\n<\td>", "d>"),
            ("< see <URL:x\nd>", "d>"),
            ("< see <URL:x\n<d>", "<d>"),
            ("< see <URL:x\n < d>", "< d>"),
            ("< # <URL:x\n< # d>", "# d>"),
            ("<see <URL:x\n<d>", "<d>"),
            ("<URL:x\n< d>", "< d>"),
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
        // B-JOIN-N
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
        for byte in (0..=u8::MAX).filter(|&byte| is_lone_marker(byte)) {
            let line = [b'>', byte, b' ', b'x'];
            assert_eq!(Markers::of_line(&line, 3).strip(&line, 0, 4), 3, "{}", byte as char);
        }
    }

    #[test]
    fn code_below_a_comment() {
        // B-JOIN-N-COMMENT
        for (text, expected) in [
            ("// http:\nd", true),
            ("// http:\n// d", false),
            ("//! http:\n/// d", false),
            ("## see http:\n# d", false),
            ("; http:\nd", true),
            ("%% http:\nd", true),
            ("> # http:\n> d", true),
            ("> # http:\n# d", false),
            ("# http:\n; d", true),
            ("x, // see http:\nd", true),
            ("x, // see http:\n   // d", false),
            ("x # http:\nd", true),
            ("#x # http:\n#d", true),
            // the line of a diff
            ("+ x, // http:\n+ d", true),
            ("- # http:\n- d", true),
            // comments that may continue on the next line, and text that is not a comment
            ("x ; http:\nd", false),
            ("x -- http:\nd", false),
            ("-- http:\nd", false),
            ("* http:\nd", false),
            ("/* http:\nd", false),
            ("x, //see http:\nd", false),
            ("http:\n// d", false),
        ] {
            let (opener, line) = (text.find("http").unwrap(), text.find('\n').unwrap() + 1);
            let content = Markers::of_line(text.as_bytes(), opener).content(text.as_bytes(), line, text.len());
            assert_eq!(content.is_code, expected, "{text:?}");
        }
    }

    #[test]
    fn long_lists() {
        // These lists take linear time, and are longer than the inline part.
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
