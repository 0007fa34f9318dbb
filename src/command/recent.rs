//! The text around places without its secrets, searched once for neighbouring places.
//!
//! The text that is searched for secrets around a place is fifty times as long as a short URL. So
//! all places that begin in one block of the input share one search. Equal texts share it too, as
//! in `http://a,http://a,…`.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::ops::Range;

use bstr::BString;
use hashbrown::DefaultHashBuilder;
use urlgrep::Match;
use urlgrep::audit::secret_ranges;

/// The text that is searched for secrets on each side of a place, at least. A secret may begin
/// before the text that is kept.
const SEARCHED: usize = 640;
/// The length of a block. [`Match::surroundings`] has 1,024 bytes on each side.
const BLOCK: usize = 1024 - SEARCHED;
/// The number of texts that a thread keeps.
const KEPT: usize = 16;
/// The longest text that is kept. Only a very long URL makes a text longer.
const LONGEST: usize = 4096;

/// A text, and the ranges of its secrets.
#[derive(Clone, Default)]
struct SecretText {
    text: Vec<u8>,
    secrets: Vec<Range<usize>>,
}

#[derive(Default)]
struct Recent {
    hasher: DefaultHashBuilder,
    kept: Vec<SecretText>,
    /// The index of the last text.
    last: usize,
    /// The current text, in storage that is used again.
    text: Vec<u8>,
}

thread_local! {
    static RECENT: RefCell<Recent> = RefCell::default();
}

/// Returns the text before a match, the text that it covers, and the text after it. `***` replaces
/// each secret. There are at least 640 bytes on each side, if the text has as many.
pub(super) fn masked(found: &Match<'_>) -> [BString; 3] {
    RECENT.with_borrow_mut(|recent| recent.masked(found))
}

impl Recent {
    fn masked(&mut self, found: &Match<'_>) -> [BString; 3] {
        let (before, after) = found.surroundings(SEARCHED + BLOCK);
        let source = found.source();
        // The text depends on the offset alone, and not on the places before. So the result is the
        // same for every number of threads.
        let within = (found.span().start % BLOCK as u64) as usize;
        let before = &before[before.len().saturating_sub(SEARCHED + within)..];
        let rest = (BLOCK - within + SEARCHED).saturating_sub(source.len()).max(SEARCHED);
        let after = &after[..after.len().min(rest)];
        self.text.clear();
        [before, source, after].iter().for_each(|part| self.text.extend_from_slice(part));
        let (start, end) = (before.len(), before.len() + source.len());
        let SecretText { text, secrets } = self.searched();
        [0..start, start..end, end..text.len()].map(|part| without(text, secrets, part))
    }

    /// Returns the current text with its secrets.
    fn searched(&mut self) -> &SecretText {
        let Recent { hasher, kept, last, text } = self;
        kept.resize(KEPT + 1, SecretText::default());
        if kept[*last].text != *text {
            *last = if text.len() > LONGEST { KEPT } else { hasher.hash_one(&**text) as usize % KEPT };
            if kept[*last].text != *text {
                kept[*last].secrets = secret_ranges(text);
                std::mem::swap(&mut kept[*last].text, text);
            }
        }
        &kept[*last]
    }
}

/// Returns a part of a text without its secrets.
fn without(text: &[u8], secrets: &[Range<usize>], part: Range<usize>) -> BString {
    let mut shown = Vec::new();
    let mut from = part.start;
    let first = secrets.partition_point(|secret| secret.end <= part.start);
    for secret in secrets[first..].iter().take_while(|secret| secret.start < part.end) {
        shown.extend_from_slice(&text[from..secret.start.max(from)]);
        shown.extend_from_slice(b"***");
        from = secret.end.min(part.end);
    }
    shown.extend_from_slice(&text[from..part.end]);
    shown.into()
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;
    use urlgrep::Extractor;
    use urlgrep::audit::mask_text;

    /// Checks that what was searched for other places never shows in the result.
    #[test]
    fn a_place_has_the_same_text_whatever_came_before() {
        let pieces = ["http://a.example/1 ", "ftp://u:secret@h/ ", "words\n", "http://h/?token=ghp_0123456789 ", "é "];
        let text: String = (0..2_000usize).map(|n| pieces[n * n % 7 % 5]).collect();
        let all: Vec<_> = Extractor::new().find_iter(text.as_bytes()).map(|found| masked(&found)).collect();
        let backwards: Vec<_> = Extractor::new().find_iter(text.as_bytes()).collect();
        for (found, shown) in backwards.iter().zip(&all).rev() {
            assert_eq!(masked(found), *shown);
            // A secret may be cut at the far ends, which no report shows.
            let near = [&shown[0][shown[0].len().saturating_sub(80)..], &shown[2][..shown[2].len().min(80)]];
            assert!(near.iter().all(|part| !part.contains_str("secret")));
            let span = found.span().start as usize..found.span().end as usize;
            assert_eq!(shown[1], mask_text(&text.as_bytes()[span.clone()]).into_owned(), "{span:?}");
        }
        assert!(all.len() > 500);
    }

    #[test]
    fn a_secret_over_two_parts_is_masked_in_both() {
        let (text, secrets) = (b"see u:secret", [0..3, 6..12]);
        let shown = [3..4, 4..9, 9..12].map(|part| without(text, &secrets[1..], part).to_string());
        assert_eq!(shown, [" ", "u:***", "***"]);
        assert_eq!(without(text, &secrets, 3..6), " u:");
    }
}
