//! The word lists of B-JOIN, sorted for a binary search: extensions, top-level domains, words of
//! prose. Each is a data file.

use crate::bytes::rows::{self, table};
use bstr::ByteSlice;

/// The length of the longest word of any list. Longer words are in no list.
pub(crate) const LONGEST: usize = 8;

/// The known extensions of B-JOIN.
const EXTENSIONS: &[&str] = &table!("extensions.txt", rows::word);

/// The top-level domains of B-JOIN: the generic domains, arpa, and country codes.
const TOP_LEVEL: &[&str] = &table!("top_level.txt", rows::word);

/// The generic domains of [`TOP_LEVEL`], without arpa.
const GENERIC: &[&str] = &["biz", "com", "edu", "gov", "info", "int", "mil", "net", "org"];

/// The prose list: words that begin or continue a sentence after a URL. Such a word is hardly ever
/// the whole rest of a URL.
const PROSE: &[&str] = &table!("prose.txt", rows::word);

/// Converts the words of a list to numbers in the same order.
///
/// Nearly every break searches several lists, and the steps of a binary search over slices are
/// calls. With numbers, a search is three times as fast (November 2026).
const fn keys<const N: usize>(list: &[&str]) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = key(list[i].as_bytes());
        i += 1;
    }
    keys
}

/// Returns a word of at most eight bytes as a number, in lower case. Its first byte is the highest,
/// and zeros follow the last byte. This is unambiguous, because no run holds a zero.
const fn key(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = 0;
    while i < word.len() {
        key |= (word[i].to_ascii_lowercase() as u64) << (56 - 8 * i);
        i += 1;
    }
    key
}

/// Returns whether `word` is in the list of these keys, ignoring case.
fn holds(keys: &[u64], word: &[u8]) -> bool {
    word.len() <= LONGEST && keys.binary_search(&key(word)).is_ok()
}

/// Returns whether `word` is in the list of extensions, ignoring case.
pub(crate) fn is_extension(word: &[u8]) -> bool {
    static KEYS: [u64; EXTENSIONS.len()] = keys(EXTENSIONS);
    holds(&KEYS, word)
}

/// Returns whether `label` is a top-level domain, ignoring case.
pub(crate) fn is_top_level(label: &[u8]) -> bool {
    static KEYS: [u64; TOP_LEVEL.len()] = keys(TOP_LEVEL);
    holds(&KEYS, label)
}

/// Returns whether `label` is a generic top-level domain, ignoring case.
pub(crate) fn is_generic(label: &[u8]) -> bool {
    static KEYS: [u64; GENERIC.len()] = keys(GENERIC);
    holds(&KEYS, label)
}

/// Returns whether `word` is in the prose list, ignoring case.
pub(crate) fn is_prose(word: &[u8]) -> bool {
    static KEYS: [u64; PROSE.len()] = keys(PROSE);
    holds(&KEYS, word)
}

/// Returns the part after the last dot of `name` if it may be an extension. An extension is a
/// letter and up to five letters or digits.
pub(crate) fn extension(name: &[u8]) -> Option<&[u8]> {
    let length = name.iter().rev().take(7).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (rest, found) = name.split_at(name.len() - length);
    let fits = rest.ends_with(b".") && matches!(length, 1..=6) && found[0].is_ascii_alphabetic();
    fits.then_some(found)
}

/// Returns whether `name` ends in an extension of the list.
pub(crate) fn has_extension(name: &[u8]) -> bool {
    extension(name).is_some_and(is_extension)
}

/// Returns whether a token holds a mark or digit of URLs, begins with `.`, or ends in an extension.
/// A word of prose does not.
pub(crate) fn has_url_shape(token: &[u8]) -> bool {
    let word = token.trim_end_with(|c| ".,;:!?)\"'".contains(c));
    word.iter().any(|byte| byte.is_ascii_digit() || b"/?=&%_#+".contains(byte))
        || word.first() == Some(&b'.')
        || has_extension(word)
}

/// Matches `news.example.net`, `gopher.example.org`: dotted labels that end in a top-level domain.
/// A file name (`setup.py`, `notes.ps`) matches only if that domain is generic.
pub(crate) fn is_host_like(name: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', name) else {
        return false;
    };
    let top = &name[dot + 1..];
    matches!(top.len(), 2..=4)
        && is_top_level(top)
        && (is_generic(top) || !has_extension(name))
        && name[..dot]
            .split(|&byte| byte == b'.')
            .all(|label| !label.is_empty() && label.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [EXTENSIONS, TOP_LEVEL, GENERIC, PROSE] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(list.iter().all(|word| word.len() <= LONGEST && word.to_ascii_lowercase() == *word));
        }
        assert!(GENERIC.iter().all(|label| is_top_level(label.as_bytes())));
    }

    #[test]
    fn looks_up_words() {
        assert!(is_extension(b"html") && is_extension(b"HTML") && is_extension(b"md5"));
        assert!(!is_extension(b"") && !is_extension(b"htm1") && !is_extension(b"htmlhtmlhtml"));
        assert!(is_top_level(b"arpa") && is_top_level(b"Uk") && !is_generic(b"arpa") && is_generic(b"COM"));
        assert!(is_prose(b"The") && !is_prose(b"theorem"));
    }

    #[test]
    fn finds_extensions() {
        for (name, expected) in [
            ("a.html", Some("html")),
            ("a.tar.gz", Some("gz")),
            ("a.abcdef", Some("abcdef")),
            ("a.abcdefg", None),
            ("a.7z", None),
            ("a.", None),
            ("a", None),
            (".c", Some("c")),
            ("a.b/c", None),
        ] {
            assert_eq!(extension(name.as_bytes()), expected.map(str::as_bytes), "{name}");
        }
    }

    #[test]
    fn hosts() {
        for host in ["freshmeat.net", "gopher.example.org", "A-1.COM", "a.b.c.uk"] {
            assert!(is_host_like(host.as_bytes()), "{host}");
        }
        // `.py`, `.ps` and `.md` are also country codes
        for other in ["setup.py", "notes.ps", "com", ".com", "a..com", "a.co_m", "a_b.com", "a.com.", "x.zip", ""] {
            assert!(!is_host_like(other.as_bytes()), "{other}");
        }
    }
}
