//! Keys of services with a fixed prefix, and the shapes of names of values that are secrets
//! (A-TOKEN).

use crate::bytes::rows::{self, table};

/// A kind of key.
#[derive(Clone, Copy)]
pub(in crate::audit) struct KeyPrefix {
    pub(in crate::audit) prefix: &'static str,
    /// The fewest characters that must follow: letters, digits, `-` and `_`.
    pub(in crate::audit) least: usize,
    pub(in crate::audit) service: &'static str,
    /// Whether words of a path may begin so, as in `/sk-slovensko`. Such a key must look random.
    pub(in crate::audit) is_wordlike: bool,
}

const fn key([prefix, least, kind, service]: [&'static str; 4]) -> KeyPrefix {
    let is_wordlike = matches!(kind.as_bytes(), b"word");
    KeyPrefix { prefix, least: rows::number(least, 10) as usize, service, is_wordlike }
}

/// The kinds of keys. A longer prefix comes before any shorter prefix that it begins with.
pub(in crate::audit) const KEYS: &[KeyPrefix] = &table!("keys.txt", key);

/// Ends of names whose every value is a secret, sorted. A name is compared in lower case, without
/// `_`, `-`, `.` and brackets.
pub(in crate::audit) const ENDS: &[&str] = &table!("secret_ends.txt", rows::word);

/// Words that are such a name, or its last word.
pub(in crate::audit) const LAST_WORDS: &[&str] = &["pass", "passwort", "kennwort"];

/// First words of names whose last word is `key`, with any words between them (`access_x_key`).
pub(in crate::audit) const KEY_WORDS: &[&str] = &["api", "access", "secret", "private"];

/// Names or last words of names whose value must look like a secret.
pub(in crate::audit) const MAYBE_WORDS: &[&str] = &table!("secret_maybe.txt", rows::word);

/// Words before `token` that make it a place in a list, or a unit of text: `page_token`,
/// `max_token`.
pub(in crate::audit) const HARMLESS_TOKENS: &[&str] = &table!("harmless_tokens.txt", rows::word);

/// A service with URLs that are themselves secrets.
#[derive(Clone, Copy)]
pub(in crate::audit) struct Hook {
    /// The host. Hosts below it match too.
    pub(in crate::audit) host: &'static str,
    /// The path before the secret. The rest of the path is the secret.
    pub(in crate::audit) path: &'static str,
    pub(in crate::audit) service: &'static str,
}

const fn hook([host, path, service]: [&'static str; 3]) -> Hook {
    Hook { host, path, service }
}

/// The services, sorted.
pub(in crate::audit) const HOOKS: &[Hook] = &table!("hooks.txt", hook);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        for table in [ENDS, MAYBE_WORDS, HARMLESS_TOKENS] {
            assert!(table.is_sorted_by(|one, other| one < other));
        }
        assert!(HOOKS.is_sorted_by_key(|row| (row.host, row.path)));
        let hides = |at: usize, key: &KeyPrefix| KEYS[..at].iter().any(|before| key.prefix.starts_with(before.prefix));
        assert!(!KEYS.iter().enumerate().any(|(at, key)| hides(at, key)), "a longer prefix comes first");
    }
}
