//! Lines below a URL that the rules certainly refuse, told by a few bytes: most lines are such.

use super::{ask, shape, veto, weigh};
use crate::find::left;
use crate::find::lines::{is_blank, is_break};
use std::ops::Range;

/// Returns whether a URL ends for certain before `line`, the start of the next line (B-JOIN, B-HYPH). False leaves it
/// unknown; true holds however the text continues (ST-5).
///
/// Both lanes call this first. It saves a quarter of the instructions on mail (November 2026): weighing a line below costs
/// more than the rest of a URL. `run` is that of the URL, `body` the offset after its `//` or `:`.
/// By the ids of the rows that refuse:
///
/// - B-JOIN-N-BLANK, -V-MARKS: nothing, or nothing but marks and blanks;
/// - B-JOIN-N-MARKER: a marker that the first line does not have; and below one that it has, and below reply markers:
/// - B-JOIN-N-STOP, -U-MARK: a `<`, which ends every run, unless it is a diff's (W-PFX-5); a bracket, for which U is 0;
/// - B-JOIN-V-URL, -V-LABEL: the beginning of a URL; `Name: `;
/// - B-JOIN-V-LOOKS: a word and another one: U is 0 and nothing is closed, so that only an A of 3 or more could save it.
pub(crate) fn rejects_line(text: &[u8], run: Range<usize>, body: usize, line: usize) -> bool {
    /// Further than this no marker, word or blank is looked at.
    const REACH: usize = 96;
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
    let near = &text[line..text.len().min(line + REACH)];
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

/// The kinds of bytes. Strings to look through cost twice as much: 340 instructions a line, against 170 (November
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

/// Returns how many bytes of this kind a text begins with.
fn run_of(bytes: &[u8], kind: u8) -> usize {
    bytes.iter().take_while(|&&byte| is(byte, kind)).count()
}

/// Returns how many blanks a text begins with.
fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|&&byte| byte == b' ').count()
}
