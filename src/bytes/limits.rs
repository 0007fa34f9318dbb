//! Every limit of the grammar, in one place (ST-2, ST-3, B-MAX, B-JOIN).
//!
//! The limits are part of the rules, not of a driver. By definition, text beyond a limit is not a
//! URL. So slices, streams, ranges, and any number of threads give equal results.

/// A defanged URL has fewer bytes than this after its scheme, in the source (B-REFANG).
pub(crate) const REFANG_BYTES: usize = RUN_BYTES + 1024;
/// The authority of a defanged URL, or the address after its colon, has fewer bytes than this
/// (B-REFANG).
pub(crate) const REFANG_HOST_BYTES: usize = 512;
/// A wrapper's raw span, with both brackets, has at most this many bytes (W-FAIL-1).
pub(crate) const WRAPPER_BYTES: usize = 8192;
/// A wrapper covers at most this many lines (W-FAIL-1).
pub(crate) const WRAPPER_LINES: usize = 32;
/// A bare candidate, with its scheme, has at most this many bytes (B-MAX).
pub(crate) const RUN_BYTES: usize = 8192;
/// A bracket whose closer is not within this many bytes is unclosed (B-RUN-1). A run may end before
/// an unclosed bracket. Without this bound, the rest of the run would be read again from every
/// bracket.
pub(crate) const BRACKET_BYTES: usize = 1024;
/// A URL between a delimiter and its partner has at most this many bytes (B-CLOSED).
pub(crate) const CLOSED_BYTES: usize = 1024;
/// At most this many blanks stand after `=`, `:` or `(` and before a quoted value (B-CLOSED).
pub(crate) const VALUE_BLANKS: usize = 8;
/// The name of a field, `name=`, has at most this many bytes (B-SHEET).
pub(crate) const FIELD_NAME: usize = 32;
/// A longer reading with non-ASCII letters adds at most this many bytes (B-UNI-1). At most this
/// many bytes of a word with such letters are read.
pub(crate) const BEYOND_BYTES: usize = 1024;
/// The name of an element in `[/name]` has at most this many bytes (B-RUN-1).
pub(crate) const MARKUP_NAME: usize = 32;
/// A match has at most this many readings: 2^3, as in W-HYPH-2 (ST-2).
pub(crate) const READINGS: usize = 8;
/// At most this many bytes before an opener or URL are searched for the start of its line (ST-3).
pub(crate) const LINE_START: usize = 4096;
/// At most this many scheme characters before a colon are read (B-START-1).
pub(crate) const SCHEME_RUN: usize = 256;
/// A scheme has at most this many characters (section 7).
pub(crate) const SCHEME_BYTES: usize = 32;
/// At most this many blanks stand between `URL:` and the scheme (P-FORM-2).
pub(crate) const PREFIX_BLANKS: usize = 64;
/// At most this many blanks stand between a run and the line break after it (B-HYPH).
pub(crate) const BREAK_BLANKS: usize = 256;
/// B-JOIN reads at most this many bytes on each side of the first half.
pub(crate) const JOIN_BYTES: usize = 4096;
/// B-JOIN reads at most this many lines before the first half.
pub(crate) const JOIN_LINES_BEFORE: usize = 16;
/// B-JOIN reads at most this many lines after the second half.
pub(crate) const JOIN_LINES_AFTER: usize = 8;
/// B-JOIN removes at most this many line breaks per URL.
pub(crate) const JOIN_BREAKS: usize = 16;
/// A screen has at least this many columns (B-JOIN-SCREEN, B-JOIN-ROWS).
pub(crate) const SCREEN_COLUMNS: usize = 20;
/// A full row of a screen has at most this many bytes (B-JOIN-ROWS).
pub(crate) const ROW_BYTES: usize = 1024;
/// The breaks between the full rows of a span have at most this many bytes (B-JOIN-ROWS). So do
/// those of the lines before an anchor, together with the first of these rows.
pub(crate) const ROW_SLACK: usize = 3 * ROW_BYTES;
/// B-ROFF reads at most this many lines before the line of the URL.
pub(crate) const ROFF_LINES_BEFORE: usize = 16;
/// B-ROFF reads at most this many lines after the line of the URL.
pub(crate) const ROFF_LINES_AFTER: usize = 8;
/// At most this many bytes before an anchor are read to resolve it (P2). These bytes hold a scheme,
/// the start of its line, and the lines before, in rows of a screen.
pub(crate) const LOOKBEHIND: usize = SCHEME_RUN + 2 * LINE_START + ROW_SLACK;
/// A match shows at most this many bytes of the text around it, on each side. This is not a limit
/// of the grammar: every driver keeps this much text around a match in memory.
pub(crate) const SURROUNDINGS: usize = 1024;
/// A match shows at most this many bytes of the lines around it, on each side. Every driver keeps
/// at least this much text.
pub(crate) const CONTEXT: usize = 16_384;
