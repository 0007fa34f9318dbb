//! Secrets in URLs, and masks for them.
//!
//! Reports reach people who need no secrets, and files that live long.
//!
//! The password of RFC 3986 userinfo is masked in any scheme, with or without escapes. It is also
//! masked if no grammar accepts the URL, and in a URL within another URL. The values, keys and
//! paths of [`keys`](super::known::keys) are masked, too.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::beside;
use super::layers::each_layer;
use super::token::{self, Token, begins_authority, continues, ends_word};
use crate::url::rough::Rough;
use crate::{Level, Url};

/// The replacement for a secret.
const MASK: &[u8] = b"***";

/// Masks a URL. Replaces every non-empty password and every other secret (A-TOKEN) with `***`.
///
/// # Complexity
///
/// Linear. Borrows if there is nothing to mask.
///
/// # RFC
///
/// RFC 1738 section 3.1; RFC 3986 section 7.5.
///
/// # Examples
///
/// ```
/// assert_eq!(*urlgrep::audit::mask(b"ftp://joe:secret@h.example/x"), "ftp://joe:***@h.example/x");
/// ```
#[must_use]
pub fn mask(url: &[u8]) -> Cow<'_, BStr> {
    replace(url, secrets(url).into_iter())
}

/// Returns the offset in the [masked](mask) URL that corresponds to an offset in the URL. An offset
/// within a secret maps to the start of its mask.
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// let url = b"ftp://joe:secret@h.example/x";
/// assert_eq!(urlgrep::audit::masked_offset(url, 16), 13); // the `@`
/// assert_eq!(urlgrep::audit::masked_offset(url, 12), 10);
/// ```
#[must_use]
pub fn masked_offset(url: &[u8], at: usize) -> usize {
    let before = secrets(url).into_iter().take_while(|secret| secret.start < at);
    before.fold(at, |masked, secret| {
        masked - (at.min(secret.end) - secret.start) + if at < secret.end { 0 } else { MASK.len() }
    })
}

/// Returns true if a URL holds a secret other than a password (A-TOKEN).
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// assert!(urlgrep::audit::has_token(b"https://h.example/?access_token=0123456789abcdef0123456789abcdef"));
/// assert!(!urlgrep::audit::has_token(b"ftp://joe:secret@h.example/"));
/// ```
#[must_use]
pub fn has_token(url: &[u8]) -> bool {
    !token::tokens(url).is_empty()
}

/// Returns the ranges of a URL's secrets, in order: its own password, passwords of URLs within it,
/// and other secrets. The ranges do not overlap.
fn secrets(url: &[u8]) -> Vec<Range<usize>> {
    // Every password ends at an `@`.
    let has_user = memchr::memchr(b'@', url).is_some();
    let own = if has_user {
        password(url, Url::parse_at(Level::Rfc1738Ref, url).ok().as_ref(), &Rough::new(url))
    } else {
        None
    };
    let Some(own) = own else { return secret_ranges(url) };
    // The URL's own password may resemble a URL, so the search for other passwords begins after it.
    let rest = own.end;
    let mut found = vec![own];
    each_layer(&url[rest..], |layer, place| {
        passwords(layer, |range| found.push(rest + place(range.start)..rest + place(range.end)));
    });
    each_layer(url, |layer, place| {
        token::scan(layer, |Token { at, .. }| found.push(place(at.start)..place(at.end)));
    });
    in_order(found)
}

/// Calls `found` for each password in a text as written. Other values that are secrets by the text
/// before them are included.
fn passwords(text: &[u8], mut found: impl FnMut(Range<usize>)) {
    if memchr::memchr(b'@', text).is_some() {
        in_text(text).into_iter().chain(opaque(text)).for_each(&mut found);
    }
    beside::ranges(text).into_iter().for_each(found);
}

/// Returns ranges in order, with overlapping and adjacent ranges merged.
fn in_order(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    ranges.dedup_by(|next, range| {
        let overlaps = next.start <= range.end;
        if overlaps {
            range.end = range.end.max(next.end);
        }
        overlaps
    });
    ranges
}

/// Returns the ranges of passwords in URLs without an authority, as in `sip:joe:secret@h`.
fn opaque(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    /// The most bytes that are read before an `@`.
    const LONGEST: usize = 256;
    /// Schemes whose colons separate something else.
    const OTHERS: [&str; 9] = ["mailto", "news", "nntp", "mid", "cid", "data", "javascript", "urn", "tag"];
    fn is_other(name: &[u8]) -> bool {
        OTHERS.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
    }
    fn is_scheme(scheme: &[u8]) -> bool {
        scheme.first().is_some_and(u8::is_ascii_alphabetic)
            && scheme.iter().all(|&byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !is_other(scheme)
    }
    fn is_mark(byte: u8) -> bool {
        matches!(byte, b'/' | b'?' | b'#' | b'\'' | b'(' | b')' | b',' | b';')
    }
    /// Returns whether a text may be a user. `CN=Joe:mailto:joe@h` has another URL in its place.
    fn is_user(user: &[u8]) -> bool {
        !user.is_empty() && !is_other(user)
    }
    /// Returns the length of the password in the last URL that is a parameter's value
    /// (`u=sip:joe:secret`). The password may itself contain a `=`.
    fn of_value(word: &[u8]) -> Option<usize> {
        let colons: Vec<usize> = memchr::memchr_iter(b':', word).collect();
        colons.windows(2).rev().find_map(|pair| {
            let user = &word[pair[0] + 1..pair[1]];
            let mark = word[..pair[0]].iter().rposition(|byte| b"=&:".contains(byte)).filter(|&at| word[at] != b':')?;
            (is_user(user) && !user.iter().any(|byte| b"=&".contains(byte)) && is_scheme(&word[mark + 1..pair[0]]))
                .then_some(word.len() - pair[1] - 1)
        })
    }
    let password = |at: usize| {
        let before = &text[at.saturating_sub(LONGEST)..at];
        memchr::memchr(b':', before)?; // most have none, and the steps below are slow
        let word = before.iter().rposition(|&byte| ends_word(byte) || is_mark(byte));
        let word = &before[word.map_or(0, |end| end + 1)..];
        // The prefix of `URL:sip:joe:secret@h` is not a scheme.
        let word = if word.len() > 4 && word[..4].eq_ignore_ascii_case(b"URL:") { &word[4..] } else { word };
        let mut parts = word.splitn(3, |&byte| byte == b':');
        let (scheme, user, password) = (parts.next()?, parts.next()?, parts.next()?);
        let length = if is_scheme(scheme) && is_user(user) { password.len() } else { of_value(word)? };
        (length > 0).then(|| at - length..at)
    };
    memchr::memchr_iter(b'@', text).filter_map(password)
}

/// Masks a text. Replaces every password and every other secret of a URL in it with `***`.
///
/// A password stands after the first colon in `://user:password@`, and may continue over a line
/// break.
///
/// A piece of text may begin within a secret, and nothing in the piece shows this. So mask the
/// whole text before you cut it.
///
/// # Complexity
///
/// Linear. Borrows if there is nothing to mask.
///
/// # Examples
///
/// ```
/// let text = b"log in at <ftp://joe:secret@h.example/> today";
/// assert_eq!(*urlgrep::audit::mask_text(text), "log in at <ftp://joe:***@h.example/> today");
/// ```
#[must_use]
pub fn mask_text(text: &[u8]) -> Cow<'_, BStr> {
    replace(text, secret_ranges(text).into_iter())
}

/// Returns the ranges of the secrets that [`mask_text`] masks, in order and without overlap.
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// assert_eq!(urlgrep::audit::secret_ranges(b"at ftp://joe:secret@h.example/"), [13..19]);
/// ```
#[must_use]
pub fn secret_ranges(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    each_layer(text, |layer, place| {
        let mut add = |range: Range<usize>| found.push(place(range.start)..place(range.end));
        passwords(layer, &mut add);
        token::scan(layer, |Token { at, .. }| add(at));
    });
    in_order(found)
}

/// Returns the range of a URL's own password, if it is not empty (A-PASSWORD).
pub(super) fn password(raw: &[u8], parsed: Option<&Url<'_>>, rough: &Rough<'_>) -> Option<Range<usize>> {
    let range = |slice: &[u8]| {
        let start = slice.as_ptr() as usize - raw.as_ptr() as usize;
        start..start + slice.len()
    };
    // By RFC 1738 a password may contain a `?`, which ends the authority for other parsers.
    let classic = parsed.and_then(Url::password).map(|password| range(password));
    let general = || rough.userinfo?.split_once_str(":").map(|(_, password)| range(password));
    let odd = || {
        let authority = range(rough.authority?);
        let end = odd_password(&raw[authority.start..], authority.len())?;
        Some(authority.start + end.start..authority.start + end.end)
    };
    classic.or_else(general).or_else(odd).filter(|password| !password.is_empty())
}

/// Returns the range of a password with a raw delimiter, which ends the authority before its `@`:
/// `user:pass/word@host`.
///
/// `text` begins with the authority, which is `length` bytes long. A text that could be a port is
/// not a password. The last of several `@` ends the password, because it is better to hide too
/// much.
fn odd_password(text: &[u8], length: usize) -> Option<Range<usize>> {
    let authority = &text[..length];
    if authority.contains(&b'@') {
        return None;
    }
    let start = password_start(authority)?;
    Some(start..length + text[length..].rfind_byte(b'@')?)
}

/// Returns the ranges of the passwords in running text, in order.
///
/// An authority ends at the next slash or before it, so no authority reaches the next `://`. The
/// end of a word and its last `@` are searched for only once. Both make the search linear.
fn in_text(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut word = 0..0;
    // Every password ends at an `@`, and most texts have none.
    let last = text.rfind_byte(b'@').unwrap_or(0);
    for start in memchr::memchr_iter(b'/', &text[..last]).map(|at| at + 1) {
        if start < from || !begins_authority(text, start) {
            continue;
        }
        if start > word.end {
            let end = start + text[start..].iter().position(|&byte| ends_word(byte)).unwrap_or(text.len() - start);
            word = start..end;
            // No password follows the last `@` of the word.
            word.start = start + text[start..end].rfind_byte(b'@').map_or(0, |at| at + 1);
        }
        let end = start
            + text[start..word.end]
                .iter()
                .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
                .unwrap_or(word.end - start);
        let authority = &text[start..end];
        let password = match authority.rfind_byte(b'@') {
            Some(at) => authority[..at].find_byte(b':').map(|colon| colon + 1..at),
            None if end < word.end => odd_password(&text[start..word.start.max(end)], end - start),
            None => {
                let rest = &text[start..];
                broken_password(rest, end - start).or_else(|| enclosing_password(rest, end - start))
            }
        };
        if let Some(password) = password.filter(|password| !password.is_empty()) {
            from = start + password.end;
            found.push(start + password.start..start + password.end);
        }
    }
    found
}

/// Returns the range of a password that holds a `"` or `<`, which enclose most URLs.
///
/// `text` begins with the authority, which is `length` bytes long.
fn enclosing_password(text: &[u8], length: usize) -> Option<Range<usize>> {
    /// The longest rest of a password.
    const LONGEST: usize = 128;
    let start = password_start(&text[..length])?;
    let rest = &text[length..];
    if rest.is_empty() || !continues(text, length) {
        return None;
    }
    let ends = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control() || b">@".contains(byte);
    let at = rest.iter().take(LONGEST).position(ends).filter(|&at| rest[at] == b'@')?;
    (!rest[..at].contains_str("://")).then_some(start..length + at)
}

/// Returns where the password begins in an authority without an `@`. A port, or nothing, does not
/// begin a password. The colons of an IP literal belong to the address.
fn password_start(authority: &[u8]) -> Option<usize> {
    let start = authority.find_byte(b':')? + 1;
    let is_port = authority[start..].iter().all(u8::is_ascii_digit);
    (!is_port && !authority.starts_with(b"[")).then_some(start)
}

/// Returns the range of a password that one or more line breaks split.
///
/// `text` begins with the authority, and its line ends after `length` bytes.
fn broken_password(text: &[u8], length: usize) -> Option<Range<usize>> {
    let start = password_start(&text[..length])?;
    let mut at = length;
    loop {
        let skip = |at: usize, bytes: &[u8]| at + text[at..].iter().take_while(|byte| bytes.contains(byte)).count();
        at = skip(at, b" \t");
        let line = match text.get(at..)? {
            [b'\r', b'\n', ..] => at + 2,
            [b'\r' | b'\n', ..] => at + 1,
            _ => return None,
        };
        // The next line may begin with marks of replies and comments.
        let word = skip(line, b" \t>|#*;%");
        let rest = &text[word..];
        let end = rest.iter().position(|&byte| ends_word(byte) || b"/?#".contains(&byte)).unwrap_or(rest.len());
        if let Some(at_sign) = rest[..end].rfind_byte(b'@') {
            return Some(start..word + at_sign);
        }
        if end == 0 {
            return None;
        }
        at = word + end;
    }
}

/// Returns a text with each of some ranges replaced by a mask. The ranges must be in order.
fn replace(text: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Cow<'_, BStr> {
    let mut masked = Vec::new();
    let mut from = 0;
    for range in ranges {
        masked.extend_from_slice(&text[from..range.start]);
        masked.extend_from_slice(MASK);
        from = range.end;
    }
    // No range is empty, so `from` is 0 only if no range was replaced.
    if from == 0 {
        return Cow::Borrowed(text.as_bstr());
    }
    masked.extend_from_slice(&text[from..]);
    Cow::Owned(BString::from(masked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_urls() {
        for (url, masked) in [
            ("ftp://u:secret@h/", "ftp://u:***@h/"),
            ("http://u:secret@h:80/", "http://u:***@h:80/"),
            ("foo://u:a:b@h", "foo://u:***@h"),
            ("ftp://:secret@h", "ftp://:***@h"),
            ("https://u:p?x@h/", "https://u:***@h/"),
            ("ftp://u:80?x@h/", "ftp://u:***@h/"),
            ("ftp://u:pa/ss@h/", "ftp://u:***@h/"),
            ("ftp://u:pa#ss@h/", "ftp://u:***@h/"),
            ("http://u:p@ss@h/", "http://u:***@h/"),
            ("http://u:p\\@h/", "http://u:***@h/"),
            ("http://u:p s@h/", "http://u:***@h/"),
            ("//u:secret@h/", "//u:***@h/"),
            ("jdbc:mysql://u:secret@h/db", "jdbc:mysql://u:***@h/db"),
            ("http://u:a@h/?u=ftp://v:b@i/", "http://u:***@h/?u=ftp://v:***@i/"),
            ("http://u:***@h/", "http://u:***@h/"),
        ] {
            assert_eq!(*mask(url.as_bytes()), masked, "{url}");
        }
        for url in [
            "ftp://u@h/",
            "ftp://u:@h/",
            "http://h:80/@x",
            "http://h:80?x@y",
            "http://h:/@x",
            "http://[::1]/@x",
            "http://[::1]:80/{@x}",
            "http://h/u:p@x",
            "mailto:u:p@h",
            "news:u:p@h",
            "x",
            "",
        ] {
            assert!(matches!(mask(url.as_bytes()), Cow::Borrowed(same) if same == url), "{url}");
        }
    }

    #[test]
    fn each_row_of_the_tables() {
        use super::super::known::keys::{ENDS, HOOKS, KEYS, LAST_WORDS, MAYBE_WORDS};

        let masks = |url: &str, secret: &str| {
            for text in [url.to_owned(), format!("http://g.example/?u={}", url.replace(':', "%3A").replace('/', "%2F"))]
            {
                assert!(!mask(text.as_bytes()).contains_str(secret), "{text}");
                assert!(!mask_text(format!("see <{text}> or").as_bytes()).contains_str(secret), "{text}");
            }
        };
        let always = ENDS.iter().chain(LAST_WORDS).map(|name| (name, "xyzzy"));
        for (name, secret) in always.chain(MAYBE_WORDS.iter().map(|name| (name, "xyzzy0123456789abcdef"))) {
            for name in [(*name).to_owned(), name.to_uppercase(), format!("my_{name}"), format!("user[{name}]")] {
                masks(&format!("http://h.example/a;{name}={secret}"), secret);
                masks(&format!("http://h.example/?a=b&{name}={secret}&c=d"), secret);
                masks(&format!("postgres://bot@db.example:5432/app?{name}={secret}#x"), secret);
            }
        }
        for row in KEYS {
            let secret = format!("{}{}", row.prefix, "h4sh7gFq2Zk9WmT4xR8v".repeat(row.least.div_ceil(20)));
            masks(&format!("https://{secret}@h.example/o/r.git"), &secret);
            masks(&format!("https://{secret}:x-oauth-basic@h.example/o/r.git"), &secret);
            masks(&format!("https://h.example/?k={secret}"), &secret);
            masks(&format!("https://h.example/a/{secret}/b"), &secret);
        }
        for row in HOOKS {
            masks(&format!("https://{}{}T0/B1/xyzzy", row.host, row.path), "xyzzy");
            masks(&format!("https://eu.{}{}xyzzy?wait=true", row.host, row.path), "xyzzy");
            masks(&format!("https://u@{}:443{}xyzzy", row.host, row.path), "xyzzy");
            masks(&format!("https://{}.{}xyzzy", row.host, row.path.replace('/', "//")), "xyzzy");
            masks(&format!("https://{}/a/..{}xyzzy", row.host.to_uppercase(), row.path), "xyzzy");
        }
    }

    #[test]
    fn other_secrets_in_urls() {
        for (url, masked) in [
            ("https://joe%3Ahunter2@h/", "https://joe%3A***@h/"),
            ("http://h/?u=http%3A%2F%2Fq%3Apw%40i%2F", "http://h/?u=http%3A%2F%2Fq%3A***%40i%2F"),
            ("http://h/?u=http%253A%252F%252Fq%253Apw%2540i", "http://h/?u=http%253A%252F%252Fq%253A***%2540i"),
            ("sip:joe:secret@h", "sip:joe:***@h"),
            ("https://g.example/?u=sip:joe:secret@h", "https://g.example/?u=sip:joe:***@h"),
            ("https://g.example/?a=b:c&u=sip:joe:secret@h&x=y", "https://g.example/?a=b:c&u=sip:joe:***@h&x=y"),
            ("https://g.example/?u=sip:joe:se=c&ret@h", "https://g.example/?u=sip:joe:***@h"),
            ("https://g.example/?u=sip%3Ajoe%3Asecret%40h", "https://g.example/?u=sip%3Ajoe%3A***%40h"),
            ("postgres://h/?password=p@ss=w?rd&x=y", "postgres://h/?password=***&x=y"),
            ("https://api.telegram.org/bot123:AAH/send?chat=1", "https://api.telegram.org/bot***?chat=1"),
            ("http://h/a;jsessionid=0A1B.node1?x", "http://h/a;jsessionid=***?x"),
        ] {
            assert_eq!(*mask(url.as_bytes()), masked, "{url}");
        }
        for url in [
            "http://h/?passwords=x",
            "http://h/?sid=12",
            "https://sk-h.example/",
            "urn:a:b@c",
            "a:b:@c",
            "http://h/?t=a:1&s=b:2&mail=joe@h.example",
            "http://h/?u=urn:a:b@c",
            "http://h/?u=sip:joe:@h",
        ] {
            assert!(matches!(mask(url.as_bytes()), Cow::Borrowed(_)), "{url}");
        }
    }

    #[test]
    fn offsets_in_masked_urls() {
        let url = b"http://u:secret@h/?u=ftp://v:b@i/";
        let masked = mask(url);
        for (at, &byte) in url.iter().enumerate().filter(|(_, byte)| !b"secretb".contains(byte)) {
            assert_eq!(masked[masked_offset(url, at)], byte, "{at}");
        }
        assert_eq!(masked_offset(url, url.len()), masked.len());
        assert_eq!([9, 10, 14, 15].map(|at| masked_offset(url, at)), [9, 9, 9, 12]);
    }

    #[test]
    fn passwords_in_text() {
        for (text, masked) in [
            ("ftp://u:secret@h/ and ftp://v:other@i", "ftp://u:***@h/ and ftp://v:***@i"),
            ("<URL:ftp://u:secret@h/>", "<URL:ftp://u:***@h/>"),
            ("ftp://u:pa/ss@h/ joe@a.example", "ftp://u:***@h/ joe@a.example"),
            ("> <URL:ftp://u:sec\r\n> r\n> et@h/>", "> <URL:ftp://u:***@h/>"),
            ("ftp://u:a-\n  b@h/", "ftp://u:***@h/"),
            ("x://y x://u:secret@h", "x://y x://u:***@h"),
            ("\"http://u:p@h\",http://i:80/\"", "\"http://u:***@h\",http://i:80/\""),
            ("http://h/?token=a1b2c3d4e5f6a7b8c9\nhttp://i9/", "http://h/?token=***\nhttp://i9/"),
            ("http://h/?token=a1b2c3d4e5f6a7b8c9\n> x3a%3A%2F%2Fi9/", "http://h/?token=***\n> x3a%3A%2F%2Fi9/"),
        ] {
            assert_eq!(*mask_text(text.as_bytes()), masked, "{text}");
        }
        for text in [
            "see http://h:80/, says joe@a.example",
            "see http://h:80\njoe@a.example",
            "see http://h:\njoe@a.example",
            "see http://h: joe@a.example",
            "see http://h\nmailto:joe@a.example",
            "see http://h:x\n\njoe@a.example",
            "see http://[::1]\njoe@a.example",
            "std::string user://password",
            "://:@",
        ] {
            assert!(matches!(mask_text(text.as_bytes()), Cow::Borrowed(same) if same == text), "{text}");
        }
    }
}
