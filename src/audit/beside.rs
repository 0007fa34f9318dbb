//! Secrets in the text beside a URL: values of names in configurations, headers and commands.
//!
//! | form | example |
//! |---|---|
//! | JSON, YAML, headers, prose | `"password": "…"`, `password: …` |
//! | program text | `token = "…"`, `'token' => '…'` |
//! | XML | `<password>…</password>` |
//! | commands | `--password …`, `curl -u joe:…` |
//! | credentials of HTTP | `Bearer …`, `Basic …` |
//! | drivers of databases | `joe:…@tcp(h:3306)`, `jdbc:oracle:thin:joe/…@h` |
//!
//! Prose also says "password: see below". So a word of prose after a colon and a blank is shown.

use std::ops::Range;

use bstr::ByteSlice;

use super::secret_name::{self, NameShape};
use super::token::{ends_word, holds_url, looks_secret};

/// The longest value that is read.
const LONGEST: usize = 1024;

/// Returns the ranges of the secrets, in any order.
///
/// # Complexity
///
/// Linear. Each mark reads a bounded number of bytes.
pub(super) fn ranges(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // One pass for all forms: a search for each would cost more than this one.
    for (mark, &byte) in text.iter().enumerate() {
        if !matches!(byte, b'=' | b':' | b'>' | b'-' | b' ' | b'(') {
            continue;
        }
        let range = match byte {
            b'=' => after_mark(text, mark),
            b':' => after_mark(text, mark).or_else(|| of_oracle(text, mark + 1)),
            b'>' => of_element(text, mark),
            b'-' => of_option(text, mark).or_else(|| of_user(text, mark)),
            b' ' => of_scheme(text, mark),
            _ => before_protocol(text, mark),
        };
        if let Some(range) = range.filter(|range| !range.is_empty()) {
            found.push(range);
        }
    }
    found
}

/// Returns the value after a colon or an equals sign, if the name before it is that of a secret.
fn after_mark(text: &[u8], mark: usize) -> Option<Range<usize>> {
    // Most marks follow another byte, such as the `p` of `http:`.
    let &last = text[..mark].last()?;
    if !secret_name::ends_name(last) && !is_blank(last) && !matches!(last, b'"' | b'\'' | b'`') {
        return None;
    }
    if text[mark..].starts_with(b"==") {
        return None; // program text compares
    }
    let blanks = text[..mark].iter().rev().take(8).take_while(|&&byte| is_blank(byte)).count();
    let before = &text[..mark - blanks];
    let quote = usize::from(before.last().is_some_and(|byte| b"\"'`".contains(byte)));
    let before = &before[..before.len() - quote];
    let name = &before[before.len() - secret_name::length(before)..];
    let shape = secret_name::shape(name).filter(|&shape| shape != NameShape::Code)?;
    let outside = before[..before.len() - name.len()].last();
    if outside.is_some_and(|byte| !byte.is_ascii_whitespace() && !b"\"'`{,([;<>|*&?".contains(byte)) {
        return None;
    }
    let mut at = mark + 1;
    at += usize::from(text[mark] == b'=' && text.get(at) == Some(&b'>'));
    let gap = text[at..].iter().take(8).take_while(|&&byte| is_blank(byte)).count();
    at += gap;
    // Without blanks, the value is one of a URL's search, which has other ends.
    if text[mark] == b'=' && gap + blanks == 0 && !text.get(at).is_some_and(|byte| b"\"'`".contains(byte)) {
        return None;
    }
    let value = quoted_value(text, at).or_else(|| word(text, at, gap > 0 || blanks > 0, is_first(before, name)))?;
    let is_secret = shape == NameShape::Always || looks_secret(&text[value.clone()]);
    is_secret.then_some(value)
}

/// Returns whether a name is the first word of its line.
fn is_first(before: &[u8], name: &[u8]) -> bool {
    let rest = &before[..before.len() - name.len()];
    let marks = rest.iter().rev().take(16).take_while(|&&byte| is_blank(byte) || b"\"'`->*#".contains(&byte)).count();
    rest[..rest.len() - marks].last().is_none_or(|&byte| byte == b'\n' || byte == b'\r')
}

/// Returns the value within the quotation marks at an offset, up to the end of the line.
fn quoted_value(text: &[u8], at: usize) -> Option<Range<usize>> {
    let quote = *text.get(at).filter(|byte| b"\"'`".contains(byte))?;
    let start = at + 1;
    let mut is_escaped = false;
    let ends = |&byte: &u8| {
        let ends = byte == quote && !is_escaped || byte == b'\n';
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    };
    let rest = &text[start..];
    let length = rest.iter().take(LONGEST).position(ends).unwrap_or(rest.len().min(LONGEST));
    (length > 0).then_some(start..start + length)
}

/// Returns the word at an offset, if it is a value. After a blank, a plain word may be prose. It is
/// a value only if nothing else follows the name on a line that the name begins.
fn word(text: &[u8], at: usize, has_blank: bool, is_first: bool) -> Option<Range<usize>> {
    let rest = &text[at..];
    let ends = |&byte: &u8| ends_word(byte) || b",;'`)}]&".contains(&byte);
    let length = rest.iter().take(LONGEST).position(ends).unwrap_or(rest.len().min(LONGEST));
    let value = &rest[..length];
    if value.is_empty() || value.starts_with(b"//") || holds_url(value) {
        return None;
    }
    if !has_blank {
        return Some(at..at + length);
    }
    let is_alone =
        is_first && rest[length..].iter().find(|&&byte| !is_blank(byte)).is_none_or(|byte| b"\r\n".contains(byte));
    (is_alone || is_of_no_prose(value)).then_some(at..at + length)
}

/// Returns whether a word is unlike prose and program text: it has digits or marks within.
fn is_of_no_prose(value: &[u8]) -> bool {
    let word = value.trim_end_with(|mark| ".,!?:".contains(mark));
    let is_short_number = word.len() < 4 && word.iter().all(u8::is_ascii_digit);
    let is_code = word.iter().any(|byte| b"({$<".contains(byte)) || word.starts_with(b"-");
    let is_plain = word.iter().all(|byte| byte.is_ascii_alphabetic() || b"'-.".contains(byte) || !byte.is_ascii());
    !is_short_number && !is_code && !is_plain
}

/// Returns the content of an element that ends its start tag at an offset: `<password>…</`.
fn of_element(text: &[u8], mark: usize) -> Option<Range<usize>> {
    let before = &text[..mark];
    let name = &before[mark - secret_name::length(before)..];
    // The name may have the prefix of a namespace: `<ns:password>`.
    let outside = &before[..mark - name.len()];
    let outside = outside.strip_suffix(b":").map_or(outside, |rest| &rest[..rest.len() - secret_name::length(rest)]);
    if !outside.ends_with(b"<") || secret_name::shape(name) != Some(NameShape::Always) {
        return None;
    }
    let rest = &text[mark + 1..];
    let length = rest.iter().take(LONGEST).position(|&byte| byte == b'<')?;
    rest[length..].starts_with(b"</").then_some(mark + 1..mark + 1 + length)
}

/// Returns the value of an option of a command: `--password …`.
fn of_option(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + b"--".len();
    text[at..].strip_prefix(b"--")?;
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let length = text[start..].iter().take(64).take_while(|byte| is_name(byte)).count();
    if secret_name::shape(&text[start..start + length]) != Some(NameShape::Always) {
        return None;
    }
    let value = start + length + 1;
    text.get(value - 1).filter(|&&byte| is_blank(byte))?;
    quoted_value(text, value).or_else(|| word(text, value, true, false))
}

/// Returns the password of `curl -u joe:…`, whose option begins at an offset.
fn of_user(text: &[u8], at: usize) -> Option<Range<usize>> {
    let option = ["--user", "-u"].into_iter().find(|option| text[at..].starts_with(option.as_bytes()))?;
    let is_option = text[..at].last().is_none_or(u8::is_ascii_whitespace);
    let start = at + option.len() + 1;
    text.get(start - 1).filter(|byte| is_option && b" =".contains(byte))?;
    let value = quoted_value(text, start).unwrap_or_else(|| {
        let length = text[start..].iter().take(LONGEST).take_while(|byte| !byte.is_ascii_whitespace()).count();
        start..start + length
    });
    let colon = value.start + text[value.clone()].find_byte(b':')?;
    (!text[colon..].starts_with(b"://")).then_some(colon + 1..value.end)
}

/// A test whether a word holds credentials.
type IsSecret = fn(&[u8]) -> bool;

/// Returns the credentials after the name of an authentication scheme, which ends at an offset.
fn of_scheme(text: &[u8], blank: usize) -> Option<Range<usize>> {
    const SCHEMES: [(&[u8], IsSecret); 3] = [(b"bearer", is_bearer), (b"basic", is_basic), (b"token", looks_secret)];
    let before = &text[..blank];
    before.last().filter(|last| matches!(last.to_ascii_lowercase(), b'r' | b'c' | b'n'))?;
    let ends =
        |name: &[u8]| before.len() >= name.len() && before[before.len() - name.len()..].eq_ignore_ascii_case(name);
    let &(name, is_secret) = SCHEMES.iter().find(|(name, _)| ends(name))?;
    let is_word = before[..before.len() - name.len()].last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if !is_word {
        return None;
    }
    let start = blank + 1;
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
    let length = text[start..].iter().take(4 * LONGEST).take_while(|byte| is_token(byte)).count();
    is_secret(&text[start..start + length]).then_some(start..start + length)
}

/// Returns whether a word after `Bearer` is a token, and not a word such as `authentication`.
fn is_bearer(value: &[u8]) -> bool {
    value.len() >= 16 || value.len() >= 8 && value.iter().any(u8::is_ascii_digit)
}

/// Returns whether a word after `Basic` is base64, and not a word such as `features`.
fn is_basic(value: &[u8]) -> bool {
    let is_marked = |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase() || *byte == b'=';
    value.len() >= 8 && value.len().is_multiple_of(4) && value[1..].iter().any(is_marked)
}

/// Returns the password before the `@tcp(` of a Go driver's data source: `joe:…@tcp(h:3306)/db`.
fn before_protocol(text: &[u8], bracket: usize) -> Option<Range<usize>> {
    let protocol = ["@tcp", "@unix"].into_iter().find(|protocol| text[..bracket].ends_with(protocol.as_bytes()))?;
    let at = bracket - protocol.len();
    let before = &text[at.saturating_sub(256)..at];
    let word =
        &before[before.iter().rposition(|&byte| ends_word(byte) || b"'`".contains(&byte)).map_or(0, |end| end + 1)..];
    let colon = word.find_byte(b':')?;
    Some(at - word.len() + colon + 1..at)
}

/// Returns the password of an Oracle driver's data source: `jdbc:oracle:thin:joe/…@h`.
fn of_oracle(text: &[u8], start: usize) -> Option<Range<usize>> {
    text[..start - 1].last().filter(|&&last| last == b'n' || last == b'i')?;
    [":thin:", ":oci:"].into_iter().find(|driver| text[..start].ends_with(driver.as_bytes()))?;
    let rest = &text[start..];
    let word = &rest[..rest.iter().take(256).position(|&byte| ends_word(byte)).unwrap_or(rest.len().min(256))];
    let at = word.find_byte(b'@')?;
    let slash = word[..at].find_byte(b'/')?;
    Some(start + slash + 1..start + at)
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[cfg(test)]
mod tests {
    use super::super::secret::mask_text;

    const SECRET: &str = "hUsH7gFq2Zk9WmT4xR8v";

    #[test]
    fn each_form() {
        for form in [
            "\"password\":\"{}\"",
            "{\"password\": \"{}\", \"x\": 1}",
            "\"passwd\":\"a b {}\"",
            "'api_key' => '{}'",
            "password: {}",
            "- db_password:   {}",
            "Password:{}",
            "token = {}",
            "token = \"{}\"",
            "export GITHUB_TOKEN={}",
            "AWS_SECRET_ACCESS_KEY={}",
            "X-Api-Key: {}",
            "Authorization: Bearer {}",
            "authorization: bearer {}",
            "Authorization: Basic {}",
            "-H 'Authorization: token {}'",
            "<password>{}</password>",
            "<ns:password>{}</ns:password>",
            "tool --password {} x",
            "tool --api-key '{}' x",
            "curl -u joe:{} https://h.example/",
            "curl --user 'joe:{}' https://h.example/",
            "joe:{}@tcp(h.example:3306)/db",
            "jdbc:oracle:thin:joe/{}@h.example:1521:x",
            "jdbc:sqlserver://h.example;user=joe;password={};x=y",
            "jdbc:mysql://h.example/db?user=joe&password={}",
            "host=h.example user=joe password={} dbname=x",
            "Server=h.example;User Id=joe;Pwd={};",
            "DefaultEndpointsProtocol=https;AccountKey={}==;x=y",
            "postgres://joe:{}@h.example/db",
            "mongodb+srv://joe:{}@h.example/db",
            "redis://:{}@h.example:6379/0",
            "amqp://joe:{}@h.example/%2F",
            "smtp://joe@a.example:{}@h.example:587",
        ] {
            for escaped in [
                |text: &str| text.to_owned(),
                |text: &str| text.replace('"', "\\\"").replace('/', "\\/"),
                |text: &str| text.replace(':', "&#58;").replace('=', "&#x3D;").replace('"', "&quot;"),
                |text: &str| text.replace(':', "\\u003a").replace('=', "\\u003D").replace('@', "\\u0040"),
                |text: &str| text.replace('=', "=3D").replace(':', "=3A"),
                |text: &str| text.replace('"', "%22").replace(':', "%3A").replace('=', "%3D").replace('@', "%40"),
            ] {
                let text = escaped(form).replace("{}", SECRET);
                let text = format!("see https://h.example/a and {text}\nor x");
                let masked = mask_text(text.as_bytes()).to_string();
                assert!(!masked.contains(SECRET) && masked.contains("***"), "{masked}");
                assert!(masked.starts_with("see https://h.example/a and ") && masked.ends_with("or x"), "{masked}");
            }
        }
    }

    #[test]
    fn words_of_prose_and_program_text_stay() {
        for text in [
            "Password: see https://h.example/help for the rules",
            "Forgot your password? https://h.example/reset",
            "The token: a word that stands for another, https://h.example/",
            "Secret: nobody reads https://h.example/ at night",
            "Bearer authentication is described in https://h.example/rfc6750",
            "the Bearer of bad news https://h.example/",
            "Basic features, Basic information: https://h.example/",
            "const token = await fetch(\"https://h.example/\");",
            "let password = read_line();",
            "if (password == null) open(\"https://h.example/\")",
            "tests pass: 12, fail: 3, see https://h.example/ci",
            "mkdir -u https://h.example/",
            "docker run -u 1000 https://h.example/",
            "--token TOKEN the token, from https://h.example/",
            "https://token:8080/ and http://secret.example:80/",
            "https://h.example/?page_token=abc&sort_key=b&country_code=de&key=c",
            "https://h.example/?code=200&lang=en",
            "https://h.example/sk-slovensko-a-ine-krajiny-sveta-v-roku-2024/",
            "https://h.example/npm_install_guide_for_all_the_beginners_out_there",
            "https://h.example/2024/password-managers-compared.html#token",
            "https://joe@h.example/ ssh://git@h.example:22/x.git ftp://anonymous@h.example/",
            "mailto:joe@h.example CN=Joe:mailto:joe@h.example",
            "joe@h.example: https://h.example/ // note: joe@h.example",
            "<a href=\"http://h.example:80\">joe@h.example</a>",
            "{\"url\":\"http://h.example:8080\",\"mail\":\"joe@h.example\"}",
            "<token> is the token that https://h.example/ shows",
            "2024-01-02 10:20:30 https://h.example/ 00:11:22:33:44:55",
            "std::pair<Key, Token> https://h.example/",
            "session: monday, https://h.example/?session=keynote",
        ] {
            assert_eq!(*mask_text(text.as_bytes()), text);
        }
    }
}
