//! Bytes of a URL in a message.

use std::borrow::Cow;

use bstr::ByteSlice;

/// The most characters of a URL that a message shows in one piece.
const MOST: usize = 80;

/// Returns bytes of a URL for a message, decoded as text and cut after 80 characters.
pub(super) fn quoted(bytes: &[u8]) -> Cow<'_, str> {
    match bytes.char_indices().nth(MOST) {
        None => bytes.to_str_lossy(),
        Some((end, ..)) => Cow::Owned(format!("{}…", bytes[..end].to_str_lossy())),
    }
}

/// Returns bytes as [`quoted`] does, except that a long text is cut to the part around an offset.
pub(super) fn quoted_around(bytes: &[u8], at: usize) -> Cow<'_, str> {
    let is_short = bytes.char_indices().nth(MOST).is_none();
    let before = bytes[..at].char_indices().rev().nth(MOST / 2);
    match before.filter(|_| !is_short) {
        None => quoted(bytes),
        Some((start, ..)) => Cow::Owned(format!("…{}", quoted(&bytes[start..]))),
    }
}
