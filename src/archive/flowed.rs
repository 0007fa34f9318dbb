//! `format=flowed` (RFC 3676): a line that ends in a blank continues on the next line. A mail
//! reader shows both as one line.
//!
//! With DelSp=yes the writer added the blank, and a word may continue after it. Without DelSp the
//! blank stands between two words, and a correct writer never breaks a URL there. So lines without
//! DelSp are not joined. Only their space-stuffing is removed: a blank that the writer put before a
//! line (section 4.4). The usual rules decide whether a URL was torn (B-JOIN, B-HYPH).
//!
//! In the logical text a paragraph has quote marks once, at its start. These lines are never
//! joined:
//!
//! - lines with different numbers of quote marks (section 4.5)
//! - the separator of a signature (section 4.3)
//! - an empty line, which ends a paragraph in practice, but not in the standard
//!
//! Their line breaks and marks stay as they are. A careless program may have quoted only a part of
//! a paragraph, and torn a URL in two. Then the text looks as it would without `format=flowed`, and
//! the rules for torn lines apply.

use memchr::memchr;

use crate::archive::pruned::Pruned;
use crate::bytes::logical::Logical;

/// A line without its line break.
struct Line<'t> {
    depth: usize,
    /// The length of the quote marks, plus one for space-stuffing.
    prefix: usize,
    /// The bytes after the prefix.
    content: &'t [u8],
    line_break: &'t [u8],
}

impl<'t> Line<'t> {
    /// Returns the first line of `text`.
    fn first(text: &'t [u8]) -> Self {
        let (line, line_break) = match memchr(b'\n', text) {
            Some(end) if end > 0 && text[end - 1] == b'\r' => (&text[..end - 1], &text[end - 1..=end]),
            Some(end) => (&text[..end], &text[end..=end]),
            None => (text, &text[text.len()..]),
        };
        let depth = line.iter().take_while(|&&byte| byte == b'>').count();
        let prefix = depth + usize::from(line.get(depth) == Some(&b' '));
        Line { depth, prefix, content: &line[prefix..], line_break }
    }

    fn is_signature(&self) -> bool {
        self.content == b"-- "
    }

    fn is_flowed(&self) -> bool {
        self.content.ends_with(b" ") && !self.is_signature()
    }

    fn length(&self) -> usize {
        self.prefix + self.content.len() + self.line_break.len()
    }
}

/// Joins flowed lines if `delsp` (the parameter DelSp=yes) is true, and removes space-stuffing.
/// Returns `None` if nothing changes.
pub(crate) fn unfold(text: &[u8], delsp: bool) -> Option<Logical> {
    let mut pruned = Pruned::new(text);
    let mut at = 0;
    let mut line = Line::first(text);
    let mut goes_on = false;
    while at < text.len() {
        // Stuffing protects a line that looks like a quote mark or an mbox separator, and is
        // removed. The blank after a quote mark stays, as mail readers show it. If a line continues
        // the previous line, its marks and stuffing are both removed.
        let content = at + line.prefix;
        match (goes_on, line.depth) {
            (true, _) | (false, 0) => pruned.leave_out(at..content),
            _ => {}
        }
        let next = Line::first(&text[at + line.length()..]);
        goes_on = delsp
            && line.is_flowed()
            && next.depth == line.depth
            && !next.is_signature()
            && !next.content.is_empty()
            && at + line.length() < text.len();
        at += line.length();
        if goes_on {
            // With DelSp the blank before the line break is removed, too.
            pruned.leave_out(at - line.line_break.len() - 1..at);
        }
        line = next;
    }
    pruned.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::{assert_places, both_breaks, shuffled};

    fn check(text: &str, delsp: bool, expected: &str) {
        for (text, expected) in both_breaks(text).into_iter().zip(both_breaks(expected)) {
            assert_places(&text, unfold(text.as_bytes(), delsp), &expected, None);
        }
    }

    #[test]
    fn lines_flow() {
        for (text, expected) in [
            ("", ""),
            ("a b\nc\n", "a b\nc\n"),
            ("a  \nb\n", "a b\n"),
            ("a  \nb  \nc", "a b c"),
            ("a ", "a "),
            ("a \n", "a \n"),
            ("a \n\nb\n", "a \n\nb\n"),
            (" From me  \n >you\n", "From me >you\n"),
            ("> a  \n> b\n> c  \n> d\n", "> a b\n> c d\n"),
            (">a  \n>b\n", ">a b\n"),
            (">> a  \n>> b \n> c \nd \n", ">> a b \n> c \nd \n"),
            ("> a \nb\n", "> a \nb\n"),
            ("a \n-- \nme  \nhere\n", "a \n-- \nme here\n"),
            ("> a \n> -- \n> me\n", "> a \n> -- \n> me\n"),
            ("-- \n-- \nx\n", "-- \n-- \nx\n"),
            ("> \n> a\n", "> \n> a\n"),
            ("a   \n  b\n", "a   b\n"),
        ] {
            check(text, true, expected);
        }
    }

    /// Checks that a line without DelSp stays a line of its own, with its blank and its marks.
    #[test]
    fn lines_without_delsp() {
        for (text, expected) in [
            ("", ""),
            ("a \nb\n", "a \nb\n"),
            ("a \n b \n  c", "a \nb \n c"),
            (" From me \n >you\n", "From me \n>you\n"),
            ("> a \n> b\n", "> a \n> b\n"),
            ("a \n\n -- \nme\n", "a \n\n-- \nme\n"),
        ] {
            check(text, false, expected);
        }
    }

    #[test]
    fn delsp_makes_a_long_word_whole() {
        for (text, expected) in [
            ("http://a.example/ \nb\n", "http://a.example/b\n"),
            ("see  \n<http://a.example/ \nb>\n", "see <http://a.example/b>\n"),
            ("> http://a.example/ \n> b/ \n> c\n", "> http://a.example/b/c\n"),
            // Another program quoted only the second half.
            ("> http://a.example/ \n> b/c\n>> d.html\n", "> http://a.example/b/c\n>> d.html\n"),
            ("> http://a.example/ \n>> d.html\n", "> http://a.example/ \n>> d.html\n"),
            ("a \n", "a \n"),
            (" \nb\n", "\nb\n"),
        ] {
            check(text, true, expected);
        }
    }

    #[test]
    fn random_lines_keep_all_but_blanks_and_marks() {
        let mut rng = fastrand::Rng::with_seed(3676);
        for _ in 0..20_000 {
            let text = shuffled(&mut rng, &[">", " ", "\n", "a", "-", "-- \n"], 40);
            let text = String::from_utf8(text).unwrap();
            let Some(logical) = unfold(text.as_bytes(), rng.bool()) else { continue };
            let unfolded = String::from_utf8(logical.bytes().to_vec()).unwrap();
            let letters = |text: &str| text.matches(['a', '-']).count();
            assert_eq!(letters(&unfolded), letters(&text), "{text:?}");
            assert_places(&text, Some(logical), &unfolded, None);
        }
    }
}
