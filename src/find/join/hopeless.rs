//! What a few bytes tell of the line below a URL: that the rules refuse it, as they do the commonest ones, or that no join can
//! be strong.

use super::{ask, geometry, shape, veto, weigh};
use crate::bytes::limits::JOIN_BYTES;
use crate::find::left;
use crate::find::lines::{self, is_blank, is_break};
use crate::find::run::RunState;
use std::ops::Range;

/// Whether a URL certainly does not go on at `line`, the start of the next line, by B-JOIN or B-HYPH. False decides
/// nothing, and true stands however the text goes on (ST-5).
///
/// Both lanes ask this first: the fast lane leaves to the rules what may go on, and the rules weigh nothing and read no
/// markers, which costs more than the rest of a URL. `run` is that of the URL, `body` the offset after its `//` or `:`.
/// By the ids of the rows that refuse:
///
/// - B-JOIN-N-BLANK, -V-MARKS: nothing, or nothing but marks and blanks;
/// - B-JOIN-N-MARKER: a marker that the first line does not have; and below one that it has, and below reply markers:
/// - B-JOIN-N-STOP, -U-MARK: a `<`, which ends every run, unless it is a diff's (W-PFX-5); a bracket, for which U is 0;
/// - B-JOIN-V-URL, -V-LABEL: the beginning of a URL; `Name: `;
/// - B-JOIN-V-LOOKS: a word and another one: U is 0 and nothing is closed, so that only an A of 3 or more could save it.
pub(crate) fn is_hopeless(text: &[u8], run: Range<usize>, body: usize, line: usize) -> bool {
    /// Further than this no marker, word or blank is looked at.
    const NEAR: usize = 96;
    if text.get(line).is_some_and(|&byte| is_break(byte)) {
        return true;
    }
    let head = &text[run.clone()];
    // Half an escape and marks that ask for more (B-JOIN-A) are left to the rules, and so is what a bracket holds.
    let [.., before, last] = *head else { return false };
    if before == b'%' || !is(last, FINAL) {
        return false;
    }
    if text[run.start.saturating_sub(2)..run.start].iter().any(|&byte| weigh::is_opener(byte)) {
        return false;
    }
    let near = &text[line..text.len().min(line + NEAR)];
    let mut content = near;
    // Most lines begin with a word.
    if !near.first().is_some_and(|&first| is(first, ALPHADIGIT)) {
        if near.get(run_of(near, MARK)).is_some_and(|&byte| is_break(byte)) {
            return true;
        }
        content = &near[run_of(near, QUOTE)..];
        // A marker that the first line may have or not: one that it has is taken off, one that it has not is a surplus.
        // A `"` may be glued to a word.
        if let [marker, rest @ ..] = content
            && left::is_lone_marker(*marker)
            && (rest.starts_with(b" ") || *marker == b'"')
        {
            content = &rest[blanks(rest)..];
        }
    }
    match content.first() {
        Some(b'<') => return content.len() < near.len() || near.get(1).is_some_and(|&byte| !is_blank(byte)),
        Some(b'(' | b'[' | b'{') => return true,
        Some(&first) if is(first, ALPHADIGIT) => {}
        _ => return false,
    }
    let word_end = run_of(content, WORD);
    let (word, rest) = content.split_at(word_end);
    if is(word[0], LISTED) && (left::is_comment_word(word) || shape::is_title(word)) {
        return false;
    }
    if !rest.starts_with(b" ") && word[0].is_ascii_alphabetic() {
        let is_parted = rest.get(1).is_some_and(|&byte| is_blank(byte) || is_break(byte));
        if rest.starts_with(b":") && is_parted && veto::is_label(&content[..=word_end]) || veto::begins_url(content) {
            return true;
        }
    }
    let rest = &rest[run_of(rest, PUNCTUATION)..];
    let blanks = blanks(rest);
    let goes_on = rest.get(blanks).is_some_and(|&next| is(next, ALPHADIGIT) || next == b'<');
    blanks > 0 && goes_on && !ask::may_ask_for_word(head, body - run.start, word)
}

/// Whether the joined reading may come first if the URL goes on at `line`. False decides that it does not, and stands
/// however the text goes on, if the line is whole. `run` and `body` as in [`is_hopeless`].
///
/// Where a whole line and the next one are short, the next word would have fitted (B-JOIN-G-ROOM, -2), and without an
/// opener (B-JOIN-P-OPENER) nothing makes up for it: 4 points for the shape, 2 for a token that stands alone, and at most 1
/// for what the head asks for. A text may be made of such lines, each with a URL, and to weigh each costs 6,000 instructions.
pub(crate) fn may_be_strong(text: &[u8], run: Range<usize>, body: usize, line: usize) -> bool {
    const SHORT: usize = geometry::NARROWEST;
    if run.len() > SHORT {
        return true;
    }
    let before = &text[run.start.saturating_sub(SHORT)..run.start];
    let own = match memchr::memrchr2(b'\r', b'\n', before) {
        Some(at) => &before[at + 1..],
        None if before.len() < SHORT => before, // all that the text has there
        None => return true,
    };
    let Some(room) = SHORT.checked_sub(own.len() + run.len()) else { return true };
    let next = &text[line..text.len().min(line + room + 1)];
    let is_short = next.len() <= room || memchr::memchr2(b'\r', b'\n', next).is_some();
    let has_opener = own.iter().rev().take(2).any(|&byte| weigh::is_opener(byte));
    !is_short || has_opener || own.contains(&b'\t') || ask::may_ask(&text[run.clone()], body - run.start, next)
}

/// Whether the line that begins at `line` may close the brackets that a run leaves open (B-RUN-1), of which `body` is all but
/// the scheme. False stands however the text goes on.
pub(crate) fn may_close(text: &[u8], body: Range<usize>, line: usize) -> bool {
    let to = text.len().min(line + JOIN_BYTES);
    let line_end = lines::line_end(text, line, to);
    line_end == to || RunState::default().after(&text[body]).may_be_closed_by(&text[line..line_end])
}

/// A letter or a digit.
const ALPHADIGIT: u8 = 1;
/// May stand in a word.
const WORD: u8 = 1 << 1;
/// Parts a word from the blank behind it.
const PUNCTUATION: u8 = 1 << 2;
/// `>` and blanks: reply markers.
const QUOTE: u8 = 1 << 3;
/// May be all that a line is made of.
const MARK: u8 = 1 << 4;
/// Begins a comment word or a title.
const LISTED: u8 = 1 << 5;
/// A URL may end in it and ask for no more.
const FINAL: u8 = 1 << 6;

/// What the bytes may be. Strings to look through cost twice as much: 340 instructions a line, against 170 (November
/// 2026).
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => ALPHADIGIT | WORD | FINAL,
            b'\'' => WORD,
            b'-' => WORD | MARK,
            b'.' => PUNCTUATION | MARK | FINAL,
            b',' | b'?' => PUNCTUATION | FINAL,
            b';' | b':' | b'!' | b')' => PUNCTUATION,
            b'>' | b' ' | b'\t' => QUOTE | MARK,
            b'_' | b'~' | b'=' | b'*' | b'#' | b'+' | b'^' | b'|' => MARK,
            b'/' => FINAL,
            _ => 0,
        };
        if left::begins_comment_word(byte as u8) || shape::begins_title(byte as u8) {
            kinds[byte] |= LISTED;
        }
        byte += 1;
    }
    kinds
};

fn is(byte: u8, kind: u8) -> bool {
    KINDS[byte as usize] & kind != 0
}

/// How many bytes of this kind a text begins with.
fn run_of(bytes: &[u8], kind: u8) -> usize {
    bytes.iter().take_while(|&&byte| is(byte, kind)).count()
}

/// How many blanks a text begins with.
fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == b' ').count()
}
