//! Reply quoting: the depth at which a line is quoted.

use memchr::memrchr;

/// The number of bytes before a place that are searched for the start of its line. So text without
/// line breaks costs no more than other text.
const LINE_START_WITHIN: usize = 4096;
/// The maximum number of initials before a mark: `JD>`.
const INITIALS: usize = 5;

/// Returns the depth of reply quoting of the line around `at`. The depth is 0 if the line is not
/// quoted.
///
/// Each `>` adds one level. Initials may precede it, and blanks may separate the marks. `|` and `:`
/// between or before marks are skipped without adding a level. Some programs quote with them, but
/// tables and code also have them.
pub(crate) fn quote_depth(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    let before = at.saturating_sub(LINE_START_WITHIN);
    let start = match memrchr(b'\n', &text[before..at]) {
        Some(line_break) => before + line_break + 1,
        None if before == 0 => 0,
        // The line is too long to find its start, so its marks cannot be counted.
        None => return 0,
    };
    let mut depth = 0;
    let mut rest = text[start..].iter().copied().take(LINE_START_WITHIN).peekable();
    loop {
        let mut initials = 0;
        while rest.next_if(u8::is_ascii_alphabetic).is_some() && initials <= INITIALS {
            initials += 1;
        }
        match rest.next() {
            Some(b'>') if initials <= INITIALS => depth += 1,
            Some(b' ' | b'\t' | b'|' | b':') if initials == 0 => {}
            _ => return depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths() {
        for (line, depth) in [
            ("text", 0),
            ("", 0),
            (">", 1),
            ("> text", 1),
            (">text", 1),
            (">>> text", 3),
            ("> > > text", 3),
            ("  > text", 1),
            (" >\t> text > more", 2),
            ("JD> text", 1),
            ("> JD> text", 2),
            ("JD>> text", 2),
            ("abcdef> text", 0),
            ("| > text", 1),
            ("> | text", 1),
            ("| table | cell", 0),
            (": text", 0),
            ("see <http://a.example/>", 0),
            ("a -> b", 0),
            ("<b>bold", 0),
        ] {
            for text in [line.to_string(), format!("> before\n{line}"), format!("x\r\n{line}\r\n>> after")] {
                let start = text.len() - text.rfind(line).map_or(0, |at| text.len() - at);
                let start = if text.starts_with('x') { 3 } else { start };
                for at in start..=start + line.len() {
                    assert_eq!(quote_depth(text.as_bytes(), at), depth, "{text:?} at {at}");
                }
            }
        }
    }

    #[test]
    fn a_line_without_end_costs_little() {
        let text = b">".repeat(1 << 20);
        assert_eq!(quote_depth(&text, 100), LINE_START_WITHIN);
        assert_eq!(quote_depth(&text, 1 << 19), 0);
        assert_eq!(quote_depth(&text, usize::MAX), 0);
    }
}
