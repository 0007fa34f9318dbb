//! Encoded words (RFC 2047), and the values of fields as text.

use mail_parser::parsers::MessageStream;
use memchr::{memchr, memmem};

use crate::archive::charset::Charset;
use crate::bytes::logical::Logical;

/// Returns the value of a field with its encoded words decoded. Returns `None` if the value has no
/// encoded word.
///
/// Blanks and line breaks between two words are dropped (section 6.2). Everything else stays
/// unchanged. Contrary to the standard, but like mail readers, words are accepted inside quotes and
/// in any field. So are blanks inside a word, which careless programs write. A word never holds the
/// start of another word, so the time is linear.
pub(crate) fn decode_words(value: &[u8]) -> Option<Logical> {
    let mut text = Logical::default();
    text.reserve(value.len());
    let (mut at, mut copied, mut last_was_word) = (0, 0, false);
    // In `=?=` the first `=` is base64 padding, and `?=` ends a word.
    let mut starts = memmem::find_iter(value, b"=?").filter(|start| value.get(start + 2) != Some(&b'=')).peekable();
    while let Some(start) = starts.next() {
        if start < at {
            continue;
        }
        // The `=` of the next start may be the last byte of this word.
        let end = starts.peek().map_or(value.len(), |next| next + 1);
        let Some((word, length)) = decode_word(&value[start + 2..end]) else { continue };
        let between = &value[copied..start];
        if !last_was_word || !between.iter().all(u8::is_ascii_whitespace) {
            text.append(between, copied);
        }
        at = start + 2 + length;
        text.replace(&word, start..at);
        copied = at;
        last_was_word = true;
    }
    text.append(&value[copied..], copied);
    (copied > 0).then_some(text)
}

/// Decodes `charset?encoding?data?=`. Returns the decoded text and the length of the source.
fn decode_word(word: &[u8]) -> Option<(Vec<u8>, usize)> {
    let charset = memchr(b'?', word)?;
    let encoding = *word.get(charset + 1)?;
    if word.get(charset + 2) != Some(&b'?') || memchr(b'\n', &word[..charset]).is_some() {
        return None;
    }
    let data = charset + 3;
    let length = data + memmem::find(&word[data..], b"?=")? + 2;
    let encoded = &word[data..length];
    let bytes = match encoding {
        b'q' | b'Q' => MessageStream::new(encoded).decode_quoted_printable_word()?,
        b'b' | b'B' => MessageStream::new(encoded).decode_base64_word()?,
        _ => return None,
    };
    // `utf-8*en` also names a language (RFC 2231, section 5).
    let label = word[..charset].split(|&byte| byte == b'*').next().unwrap_or_default();
    Some((Charset::from_label(label).decode(&bytes).into_text(&bytes), length))
}

/// Returns a value as one line of text, with its encoded words decoded.
pub(crate) fn text_of(value: &[u8]) -> String {
    let trimmed = value.trim_ascii();
    if trimmed.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'?')
        && let Ok(text) = str::from_utf8(trimmed)
    {
        // Most values are one line without an encoded word.
        return text.to_string();
    }
    let decoded = decode_words(value);
    let text = String::from_utf8_lossy(decoded.as_ref().map_or(value, Logical::bytes));
    // Folded lines are joined. The tabs and blanks of their indents mean nothing.
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (value, text) in [
            ("=?utf-8?q?http=3A//h/?=", "http://h/"),
            ("=?UTF-8?B?aHR0cDovL2gv?=", "http://h/"),
            ("a =?utf-8?q?b?= c", "a b c"),
            ("=?utf-8?q?http://h/a?=\n =?utf-8?q?b?= c", "http://h/ab c"),
            ("=?utf-8?q?a?==?utf-8?q?b?=", "ab"),
            ("=?utf-8?q?a_b=5F?=", "a b_"),
            ("=?iso-8859-1*fr?q?caf=E9?=", "café"),
            ("=?iso-2022-jp?b?GyRCJU8bKEI=?= x", "ハ x"),
            ("=?utf-8?q?Is it so? Yes?= x", "Is it so? Yes x"),
            ("=? =?utf-8?q?a?= =?", "=? a =?"),
            ("=?x =?utf-8?q??=!", "=?x !"),
            ("\"=?utf-8?q?a?=\" <=?b>", "\"a\" <=?b>"),
        ] {
            let decoded = decode_words(value.as_bytes());
            let decoded = decoded.map(|text| String::from_utf8_lossy(text.bytes()).into_owned());
            assert_eq!(decoded.as_deref(), Some(text), "{value}");
        }
        for value in
            ["", "=?", "=?=", "=?=?=", "=?utf-8?q?a", "=?utf-8?x?a?=", "=?utf-8?q?=zz?=", "http://h/?a=?b", "=??="]
        {
            assert_eq!(decode_words(value.as_bytes()), None, "{value}");
        }
    }
}
