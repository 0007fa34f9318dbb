//! Left context: where the line of an opener begins, and the reply and comment markers it begins
//! with.
//!
//! A wrapper that was broken over quoted or commented lines has the markers of those lines in its
//! body (W-PFX-1..5, W-QUOTE, W-CMT). The markers of the opener's line are parsed once and removed
//! from each line after it. This file is independent of wrappers, runs and URLs; B-JOIN uses it in
//! a laxer form ([`Markers::content`]).
//!
//! Every function is linear in the length of a line, such as `> > > >`.

mod scan;

use crate::find::lines::{is_break, line_start};
use scan::{Comment, Glued, Marker, Scan, is_diff_column, skip_blanks, token, trailing};
pub(crate) use scan::{is_comment_word, is_lone_marker};

/// Markers kept without an allocation; real quoting is seldom deeper.
const INLINE: usize = 12;

/// The markers M of the line of an opener or URL (W-PFX-1, W-PFX-4, W-PFX-5).
///
/// It costs a look at the line: build it when the first line break is met, not for each opener.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markers {
    inline: [Marker; INLINE],
    /// The list from entry [`INLINE`] on.
    more: Vec<Marker>,
    /// Length of the list, the comment marker included.
    length: usize,
    /// The number of reply markers; these come first.
    replies: usize,
    /// The number of those that are `>` or initials.
    depth: usize,
    bar: bool,
    colon: bool,
    diff: Option<Comment>,
    comment: Option<Comment>,
    glued: Option<Glued>,
    /// The comment that the opener stands in, if it ends with its line (B-JOIN-N-COMMENT).
    line_comment: Option<Comment>,
}

/// The answer of [`Markers::content`] for a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Content {
    /// The first byte that is neither marker nor blank.
    pub(crate) at: usize,
    /// The start of a glued token (W-PFX-5); equal to `at` if there is none.
    pub(crate) unglued: usize,
    /// The number of `>` and initials that were removed.
    pub(crate) depth: usize,
    /// A marker was met that the first line does not have.
    pub(crate) surplus: bool,
    /// This line has no marker of the opener's comment, which ends with its own line: it is code.
    pub(crate) is_code: bool,
}

/// The markers of one line, read when first needed: for most URLs they are not.
pub(crate) type LazyMarkers = std::cell::OnceCell<Markers>;

/// Returns where the content begins of a line that certainly has no marker; `None` leaves it
/// unknown. No marker of another line is stripped from this one then ([`Markers::strip`]).
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
    /// Returns the markers of the line that holds `opener`; none if its start is out of reach
    /// (ST-3).
    pub(crate) fn of_line(text: &[u8], opener: usize) -> Markers {
        let mut markers = Markers::default();
        if text[..opener].last().is_some_and(|&before| is_break(before)) {
            return markers; // it begins its line
        }
        let Some(line) = line_start(text, opener) else {
            return markers;
        };
        // One byte more than the prefix: `|` and `:` depend on whether the opener is a `<`.
        let end = text.len().min(opener + 1);
        let mut scan = Scan::new(text, line, end);
        let mut after_replies = line;
        while let Some(mark) = scan.next() {
            if scan.at > opener {
                break; // `c` of a scheme in column 1 is no comment
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
        // W-PFX-5: no blank and no line end follows, or it would be a marker of the scan.
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

    /// Returns whether the opener's line begins with a string: a `"` that is glued to what follows.
    pub(crate) fn begin_string(&self) -> bool {
        self.glued.is_some_and(Glued::is_quote)
    }

    /// Returns whether M has a `>` (W-QUOTE-2, W-QUOTE-3); `JW>` counts as one.
    pub(crate) fn has_reply(&self) -> bool {
        self.depth > 0
    }

    /// Returns how many `>` M has; `JW>` counts as one. B-JOIN compares it with [`Content::depth`].
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the offset of the first content byte of the continuation line `text[line..end]`,
    /// where `end` is its line break.
    ///
    /// Content begins behind the longest common prefix of its marker list and M (W-PFX-2, W-PFX-3),
    /// and behind a glued token (W-PFX-5). The blanks around them are no content either.
    pub(crate) fn strip(&self, text: &[u8], line: usize, end: usize) -> usize {
        if self.length == 0 && self.glued.is_none() {
            return skip_blanks(text, line, end); // nearly always
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

    /// Returns where the content begins after a glued token at `at`, behind the reply markers
    /// (W-PFX-5); `None` without one. `in_diff_column`: the mark of a diff may stand there.
    fn strip_glued(&self, text: &[u8], at: usize, end: usize, in_diff_column: bool) -> Option<usize> {
        let length = self.glued?.length_at(&text[at..end], in_diff_column)?;
        Some(skip_blanks(text, at + length, end))
    }

    /// Returns the laxer form of [`Markers::strip`] for the next line of a bare URL (B-JOIN-N).
    ///
    /// Any number of `>` and initials is removed; `|`, `:` and a comment marker only if M has it,
    /// else it is a surplus. A common prefix would not do: quoting often loses or gains a level
    /// when a mailer wraps it.
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
                // The token below may still be the glued one (`#See http://…`, then `# d`).
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

    /// Returns the content of the second line of `text`, whose first is the opener's.
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
            // these need not end with their line, or are none
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
