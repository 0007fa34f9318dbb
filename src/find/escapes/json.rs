//! Escapes of JSON and JavaScript in a URL (B-JSON).

/// An escape: its length, and the byte that it reads as, if any.
pub(super) struct Escape {
    pub(super) len: usize,
    pub(super) reads: Option<u8>,
}

/// Reads `\u0026`, `\u003d` or `\u0025`, less the `\`.
pub(super) fn character(escape: &[u8]) -> Option<Escape> {
    let reads = match &escape.first_chunk::<5>()?.map(|b| b.to_ascii_lowercase()) {
        b"u0026" => b'&',
        b"u003d" => b'=',
        b"u0025" => b'%',
        _ => return None,
    };
    Some(Escape { len: 6, reads: Some(reads) })
}

/// Reads `\/`, or an escape of a [`character`].
pub(super) fn slash_or_character(escape: &[u8]) -> Option<Escape> {
    match escape.first() {
        Some(b'/') => Some(Escape { len: 2, reads: Some(b'/') }),
        _ => character(escape),
    }
}

/// Returns whether a `\` before these bytes begins an escape of a string: after `scheme:\/\/` any other one belongs to a
/// regular expression.
pub(super) fn is_of_string(escape: &[u8]) -> bool {
    escape.first().is_some_and(|byte| b"\"'\\/bfnrtux".contains(byte))
}
