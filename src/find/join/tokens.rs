//! The classes of a token's bytes, for all tables.

/// Returns whether the rest of a line has only blanks, closers and punctuation, so that its token
/// stands alone.
pub(super) fn is_closing_only(rest: &[u8]) -> bool {
    let is_closing = |byte: &u8| {
        matches!(
            byte,
            b')' | b']' | b'}' | b'"' | b'\'' | b'>' | b'.' | b',' | b';' | b':' | b'!' | b'?' | b' ' | b'\t'
        )
    };
    rest.iter().all(is_closing)
}

/// Returns whether a byte may be in a word: a letter, a digit or `_`.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns whether a byte may be in a host without a port.
pub(super) fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-'
}

/// Returns `bytes` without any `last` at its end.
pub(super) fn without_last(bytes: &[u8], last: u8) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte != last).map_or(0, |kept| kept + 1)]
}

/// Returns whether a byte may be in a parameter's name.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Returns whether a byte may be in a parameter's name with an index: `filter[year]`.
pub(super) fn is_indexed_name(byte: u8) -> bool {
    is_name(byte) || matches!(byte, b'[' | b']')
}

/// Matches `name=`, if each byte of the name satisfies `is_name`.
pub(super) fn starts_name_of(bytes: &[u8], is_name: impl Fn(u8) -> bool) -> bool {
    let length = bytes.iter().take_while(|&&byte| is_name(byte)).count();
    length > 0 && bytes.get(length) == Some(&b'=')
}
