//! The bytes at which every run ends (B-RUN-1).

/// Returns whether a byte is white space, a control, or one of `< > " \ ^ |` and the backtick.
pub(crate) const fn is_stop(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b'^' | b'|')
}
