//! Names of values that are secrets, by the shape of the name (A-TOKEN).
//!
//! `accessToken`, `DB_PASSWORD` and `user[password]` have such a shape; `country_code`, `sort_key`
//! and `page_token` do not.

use super::known::keys::{ENDS, HARMLESS_TOKENS, KEY_WORDS, LAST_WORDS, MAYBE_WORDS};

/// The longest name that is read. A longer name is compared by its end.
const LONGEST: usize = 64;

/// The degree to which a name marks its value as a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameShape {
    /// Every value is a secret.
    Always,
    /// A value that looks like a secret is one.
    Maybe,
    /// A value is a secret beside the other parameters of OAuth, or at Azure Functions.
    Code,
}

/// Returns the length of the name at the end of a text. A bracket may enclose its last word
/// (`user[password]`).
pub(super) fn length(before: &[u8]) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.[".contains(byte);
    let closed = usize::from(before.ends_with(b"]"));
    closed + before[..before.len() - closed].iter().rev().take(LONGEST).take_while(|byte| is_name(byte)).count()
}

/// Returns the shape of a name, if its value may be a secret.
pub(super) fn shape(name: &[u8]) -> Option<NameShape> {
    // Most names end in other letters, and need no further look.
    let last = name.strip_suffix(b"]").unwrap_or(name).last()?.to_ascii_lowercase();
    if !ENDINGS[usize::from(last)] || !may_end(name) {
        return None;
    }
    let words = Words::of(name);
    let (flat, last) = (words.flat(), words.last());
    let is = |list: &[&str], word: &[u8]| list.iter().any(|known| known.as_bytes() == word);
    if flat == b"code" {
        return Some(NameShape::Code);
    }
    if let Some(before) = last.strip_suffix(b"token") {
        let before = if before.is_empty() { words.before_last() } else { before };
        return (!is(HARMLESS_TOKENS, before)).then_some(NameShape::Always);
    }
    if ENDS.iter().any(|end| flat.ends_with(end.as_bytes())) || is(LAST_WORDS, last) {
        return Some(NameShape::Always);
    }
    let opens = |word: &[u8]| is(KEY_WORDS, word);
    if last == b"key" && words.iter().any(opens) {
        return Some(NameShape::Always);
    }
    (is(MAYBE_WORDS, last) || is(MAYBE_WORDS, flat)).then_some(NameShape::Maybe)
}

/// Returns whether a name may be right before an offset at which its text ends in this byte.
pub(super) fn ends_name(last: u8) -> bool {
    ENDINGS[usize::from(last.to_ascii_lowercase())] || last == b']'
}

/// Returns whether the last two letters of a name end the name of a secret.
fn may_end(name: &[u8]) -> bool {
    let mut letters = name.iter().rev().filter(|byte| byte.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase);
    let (Some(last), Some(second)) = (letters.next(), letters.next()) else { return false };
    ENDING_PAIRS[usize::from(last)] >> (second & 31) & 1 == 1
}

/// The last letters of the names of secrets.
static ENDINGS: [bool; 256] = {
    let mut endings = [false; 256];
    let mut last = 0;
    while last < 256 {
        endings[last] = ENDING_PAIRS[last] != 0;
        last += 1;
    }
    endings
};

/// For each last letter of the names of secrets, the bits of the letters before it. The last five
/// bits of a letter are its number here.
///
/// Most names are words of hosts and schemes. Comparing all lists costs 700 instructions.
static ENDING_PAIRS: [u32; 256] = {
    let mut pairs = [0; 256];
    let lists: [&[&str]; 4] = [ENDS, LAST_WORDS, MAYBE_WORDS, &["code", "token", "key"]];
    let mut list = 0;
    while list < lists.len() {
        let mut i = 0;
        while i < lists[list].len() {
            let name = lists[list][i].as_bytes();
            pairs[name[name.len() - 1] as usize] |= 1 << (name[name.len() - 2] & 31);
            i += 1;
        }
        list += 1;
    }
    pairs
};

/// The words of a name, in lower case. A capital after a small letter begins a word.
struct Words {
    text: [u8; LONGEST + 1],
    length: usize,
    /// The ends of the words in the text.
    ends: [u8; LONGEST + 1],
    count: usize,
}

impl Words {
    fn of(name: &[u8]) -> Words {
        let mut words = Words { text: [0; LONGEST + 1], length: 0, ends: [0; LONGEST + 1], count: 0 };
        let name = &name[name.len().saturating_sub(LONGEST)..];
        let mut was_small = false;
        for &byte in name {
            if !byte.is_ascii_alphanumeric() || was_small && byte.is_ascii_uppercase() {
                words.end();
            }
            if byte.is_ascii_alphanumeric() {
                words.text[words.length] = byte.to_ascii_lowercase();
                words.length += 1;
            }
            was_small = !byte.is_ascii_uppercase();
        }
        words.end();
        words
    }

    /// Ends a word, unless it is empty.
    fn end(&mut self) {
        let last = self.ends[..self.count].last().copied().unwrap_or_default();
        if self.length > usize::from(last) {
            self.ends[self.count] = self.length as u8;
            self.count += 1;
        }
    }

    /// Returns the words without the marks between them.
    fn flat(&self) -> &[u8] {
        &self.text[..self.length]
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends[..self.count].iter().copied());
        starts.zip(&self.ends[..self.count]).map(|(start, &end)| &self.text[usize::from(start)..usize::from(end)])
    }

    fn last(&self) -> &[u8] {
        self.iter().last().unwrap_or_default()
    }

    fn before_last(&self) -> &[u8] {
        self.iter().nth(self.count.wrapping_sub(2)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_of_names() {
        for name in [
            "password",
            "PASSWORD",
            "db_password",
            "userPassword",
            "user[password]",
            "spring.datasource.password",
            "passwd",
            "pwd",
            "Pwd",
            "pass",
            "smtp_pass",
            "passphrase",
            "token",
            "accessToken",
            "authToken",
            "api_token",
            "oauth_token_secret",
            "GITHUB_TOKEN",
            "X-Amz-Security-Token",
            "csrf_token",
            "admintoken",
            "contextToken",
            "clientSecret",
            "client_secret",
            "AWS_SECRET_ACCESS_KEY",
            "apiKey",
            "api-key",
            "x-api-key",
            "access_key",
            "AccountKey",
            "session_id",
            "sessionId",
            "JSESSIONID",
            "ASP.NET_SessionId",
            "X-Goog-Signature",
        ] {
            assert_eq!(shape(name.as_bytes()), Some(NameShape::Always), "{name}");
        }
        for name in ["sig", "signature", "sid", "session", "SAMLResponse", "client_assertion"] {
            assert_eq!(shape(name.as_bytes()), Some(NameShape::Maybe), "{name}");
        }
        assert_eq!(shape(b"code"), Some(NameShape::Code));
        for name in [
            "country_code",
            "sort_key",
            "key",
            "public_key",
            "primaryKey",
            "page_token",
            "pageToken",
            "nextPageToken",
            "$skiptoken",
            "continuation-token",
            "nextpagetoken",
            "passwords",
            "tokens",
            "bypass",
            "compass",
            "id",
            "grant_type",
            "keyword",
            "design",
            "obsession",
            "author",
            "host",
            "q",
            "",
            "]",
            "_",
        ] {
            assert_eq!(shape(name.as_bytes()), None, "{name}");
        }
        assert_eq!(length(b"?a=b&user[password]"), 14);
        assert_eq!(length(b"\"x\": \""), 0);
        assert_eq!(shape(&[b'a'; 200]), None);
        assert_eq!(shape(&[&b"a".repeat(200)[..], b"Password"].concat()), Some(NameShape::Always));
    }
}
