//! Invisible characters in a URL and next to it (A-BIDI, A-BIDI-NEAR), and their names.

use bstr::ByteSlice;

use crate::Match;
use crate::bytes::rows::{self, table};

/// The most bytes that a character has in UTF-8.
const LONGEST_CHARACTER: usize = 4;

/// The most characters that a finding names.
const MOST_NAMED: usize = 4;

/// The soft hyphen. Next to a line break it belongs to the break (W-WS-1).
const SOFT_HYPHEN: char = '\u{AD}';

/// The invisible characters and their names in Unicode. The names of most tags are missing.
const NAMES: &[(char, &str)] = &table!("unseen.txt", name_of);

#[allow(clippy::expect_used, reason = "the compiler reads the file, so a wrong one does not compile")]
const fn name_of([scalar, name]: [&'static str; 2]) -> (char, &'static str) {
    (char::from_u32(rows::number(scalar, 16)).expect("a scalar"), name)
}

/// The characters that B-UNSEEN excludes, by their escapes in lower case.
const ESCAPED: [(&str, char); 9] = [
    ("200b", '\u{200B}'),
    ("8203", '\u{200B}'),
    ("zerowidthspace", '\u{200B}'),
    ("2060", '\u{2060}'),
    ("8288", '\u{2060}'),
    ("nobreak", '\u{2060}'),
    ("ad", SOFT_HYPHEN),
    ("173", SOFT_HYPHEN),
    ("shy", SOFT_HYPHEN),
];

/// Returns whether a character changes the direction of text or has no width. Such characters are
/// of the general category Cf, or unassigned beside these. The soft hyphen is excluded.
fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
            | '\u{E0000}'..='\u{E007F}'
    )
}

/// Returns the invisible characters in the host and the path of a match, each once (A-BIDI). These
/// characters disguise the target.
pub(super) fn inside(found: &Match<'_>) -> String {
    let url = found.url();
    let end = url.find_byteset(b"?#").unwrap_or(url.len());
    let mut seen = Distinct::default();
    url[..end].chars().filter(|&c| is_unseen(c)).for_each(|c| seen.add(c));
    found.gaps().filter(|&(at, _)| at <= end).for_each(|(_, gap)| left_out(gap, &mut seen));
    seen.0
}

/// Returns the invisible characters in the whole source of a match, and right before and after it
/// (A-BIDI-NEAR).
///
/// A byte order mark at the start of the text belongs to the file, and is excluded.
pub(super) fn near(found: &Match<'_>) -> String {
    let (before, after) = found.surroundings(LONGEST_CHARACTER);
    let mut seen = Distinct::default();
    let is_mark = before == "\u{FEFF}";
    let neighbours = [before.chars().next_back().filter(|_| !is_mark), after.chars().next()];
    neighbours.into_iter().flatten().chain(found.source().chars()).filter(|&c| is_unseen(c)).for_each(|c| seen.add(c));
    found.gaps().for_each(|(_, gap)| left_out(gap, &mut seen));
    seen.0
}

/// Adds the invisible characters of a gap between two pieces of a URL, including escaped ones.
fn left_out(gap: &[u8], seen: &mut Distinct) {
    gap.chars().filter(|&c| is_unseen(c)).for_each(|c| seen.add(c));
    // A soft hyphen at a line break belongs to the break.
    if memchr::memchr2(b'\n', b'\r', gap).is_some() {
        return;
    }
    if gap.contains_str("\u{AD}") {
        seen.add(SOFT_HYPHEN);
    }
    if gap.starts_with(b"&") || gap.starts_with(b"\\u") {
        let gap = gap.to_ascii_lowercase();
        let escaped = ESCAPED.iter().filter(|(escape, _)| gap.contains_str(escape));
        escaped.for_each(|&(_, character)| seen.add(character));
    }
}

/// Characters, each once, in the order of their appearance.
#[derive(Default)]
struct Distinct(String);

impl Distinct {
    fn add(&mut self, character: char) {
        if !self.0.contains(character) {
            self.0.push(character);
        }
    }
}

/// Returns the names of invisible characters: `U+202E RIGHT-TO-LEFT OVERRIDE`.
pub(super) fn named(characters: &str) -> String {
    let name = |c: char| match NAMES.iter().find(|(named, _)| *named == c) {
        Some((_, name)) => format!("U+{:04X} {name}", u32::from(c)),
        // The table has all characters except the tags.
        None => format!("U+{:04X} TAG", u32::from(c)),
    };
    let mut names: Vec<String> = characters.chars().take(MOST_NAMED).map(name).collect();
    let more = characters.chars().count() - names.len();
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    #[test]
    fn each_character_has_a_name_and_its_place() {
        for (text, in_url, beside) in [
            ("<URL:http://h/\u{202E}gpj.exe>", "U+202E RIGHT-TO-LEFT OVERRIDE", ""),
            ("<URL:http://h\u{200B}.example/>", "U+200B ZERO WIDTH SPACE", ""),
            ("<URL:http://h/\u{2060}\u{202E}>", "U+2060 WORD JOINER, U+202E RIGHT-TO-LEFT OVERRIDE", ""),
            ("https://h.example/a&shy;b", "U+00AD SOFT HYPHEN", ""),
            ("https://h.example/a&#x200B;b", "U+200B ZERO WIDTH SPACE", ""),
            ("https://h.example/a\\u2060b", "U+2060 WORD JOINER", ""),
            ("https://h.example/?q=a&shy;b", "", "U+00AD SOFT HYPHEN"),
            ("<URL:http://h/?q=\u{200B}x>", "", "U+200B ZERO WIDTH SPACE"),
            ("<URL:http://h/#\u{202E}x>", "", "U+202E RIGHT-TO-LEFT OVERRIDE"),
            ("\u{FEFF}<URL:http://h/>\u{2069}", "", "U+2069 POP DIRECTIONAL ISOLATE"),
            ("<URL:http://h/>\u{E0041}", "", "U+E0041 TAG"),
            ("<URL:http://h/a\u{AD}\nb>", "", ""),
        ] {
            let found = Extractor::new().find(text).unwrap();
            assert_eq!(named(&inside(&found)), in_url, "{text}");
            if in_url.is_empty() {
                assert_eq!(named(&near(&found)), beside, "{text}");
            }
        }
        assert_eq!(
            named("\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{2060}"),
            "U+200B ZERO WIDTH SPACE, U+200C ZERO WIDTH NON-JOINER, U+200D ZERO WIDTH JOINER, U+200E LEFT-TO-RIGHT MARK, \
             and 2 more"
        );
    }
}
