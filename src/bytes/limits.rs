//! Every limit of the grammar, in one place (ST-2, ST-3, B-MAX, B-JOIN).
//!
//! The limits belong to the result, not to a driver. A URL beyond a limit is refused *by
//! definition*. A slice, a stream, a range, and any number of threads give equal results.

/// A defanged URL has at most this many bytes in the source (B-REFANG).
pub(crate) const REFANG_BYTES: usize = RUN_BYTES + 1024;
/// Its authority, or the address behind its colon, has at most this many bytes (B-REFANG).
pub(crate) const REFANG_HOST_BYTES: usize = 512;
/// A wrapper's raw span, both brackets included, has at most this many bytes (W-FAIL-1).
pub(crate) const WRAPPER_BYTES: usize = 8192;
/// A wrapper covers at most this many lines (W-FAIL-1).
pub(crate) const WRAPPER_LINES: usize = 32;
/// A bare candidate, scheme included, has at most this many bytes (B-MAX).
pub(crate) const RUN_BYTES: usize = 8192;
/// A bracket is closed within this many bytes, or not at all (B-RUN-1). A run may be cut before an
/// open bracket. Without this bound it would be read to its end from every bracket.
pub(crate) const BRACKET_BYTES: usize = 1024;
/// A delimiter right before a URL and its partner enclose at most this many bytes (B-CLOSED).
pub(crate) const CLOSED_BYTES: usize = 1024;
/// At most this many blanks between `=`, `:` or `(` and a quoted value (B-CLOSED).
pub(crate) const VALUE_BLANKS: usize = 8;
/// The name of a field, `name=`, has at most this many bytes (B-SHEET).
pub(crate) const FIELD_NAME: usize = 32;
/// A longer reading beyond ASCII adds at most this many bytes, and a word there is read for as many
/// (B-UNI-1).
pub(crate) const BEYOND_BYTES: usize = 1024;
/// The name of an element in `[/name]` has at most this many bytes (B-RUN-1).
pub(crate) const MARKUP_NAME: usize = 32;
/// A match has at most this many readings, the 2^3 of W-HYPH-2 among them (ST-2).
pub(crate) const READINGS: usize = 8;
/// The start of a line is searched for within this many bytes before an opener or URL (ST-3).
pub(crate) const LINE_START: usize = 4096;
/// The run of scheme characters before a colon is read for at most this many bytes (B-START-1).
pub(crate) const SCHEME_RUN: usize = 256;
/// A scheme has at most this many characters (section 7).
pub(crate) const SCHEME_BYTES: usize = 32;
/// At most this many blanks between `URL:` and the scheme (P-FORM-2).
pub(crate) const PREFIX_BLANKS: usize = 64;
/// At most this many blanks between a run and the line break after it (B-HYPH).
pub(crate) const BREAK_BLANKS: usize = 256;
/// B-JOIN reads this many bytes on either side of the first half.
pub(crate) const JOIN_BYTES: usize = 4096;
/// B-JOIN reads this many lines before the first half.
pub(crate) const JOIN_LINES_BEFORE: usize = 16;
/// B-JOIN reads this many lines after the second half.
pub(crate) const JOIN_LINES_AFTER: usize = 8;
/// B-JOIN mends at most this many breaks of one URL.
pub(crate) const JOIN_BREAKS: usize = 16;
/// B-ROFF reads this many lines before the URL's own.
pub(crate) const ROFF_LINES_BEFORE: usize = 16;
/// B-ROFF reads this many lines after the URL's own.
pub(crate) const ROFF_LINES_AFTER: usize = 8;
/// A match shows this many bytes of the text around it, on either side. This is no limit of the
/// grammar, but of the memory that every driver holds around a match.
pub(crate) const SURROUNDINGS: usize = 1024;
/// A match shows this many bytes of the lines around it, on either side. Every driver holds more
/// than that.
pub(crate) const CONTEXT: usize = 16_384;
