//! Quick tests for lines below a URL that the rules certainly refuse. Most lines are refused, and
//! their first bytes suffice to decide this.

use super::{card, chain, facts, veto, weigh};
use crate::find::text::left;
use crate::find::text::lines::{is_blank, is_break};
use crate::find::text::words;
use std::ops::Range;

/// Returns whether a URL certainly ends before `line`, the start of the next line (B-JOIN, B-HYPH).
/// False means unknown. True holds however the text continues (ST-5).
///
/// The fast lane and the rules call this function first. This saves a quarter of the instructions
/// on mail (November 2026). Weighing a line costs more than all other work on a URL. The function
/// refuses lines by B-JOIN-N and -V. It also refuses a word before more text, because the word's
/// sum on the card never suffices ([`card::refuses_words`]).
pub(crate) fn rejects_line(text: &[u8], run: Range<usize>, line: usize) -> bool {
    /// The maximum number of bytes of the line that are read for markers, a word and blanks.
    const REACH: usize = 96;
    const { assert!(card::refuses_words()) };
    let head = &text[run.clone()];
    if text.get(line).is_some_and(|&byte| is_break(byte)) {
        return !chain::may_have_gap(head); // B-JOIN-N-BLANK
    }
    // The rules decide if the head ends in half an escape or in a mark that usually continues.
    // They also decide if an opener stands before the URL.
    let [.., before, last] = *head else { return false };
    if before == b'%' || !is(last, FINAL) {
        return false;
    }
    if text[run.start.saturating_sub(2)..run.start].iter().any(|&byte| weigh::is_opener(byte)) {
        return false;
    }
    let near = &text[line..text.len().min(line + REACH)];
    if matches!(near, [b' ', next, ..] if !is_blank(*next)) {
        return false; // B-JOIN-FOLD
    }
    let mut content = near;
    // Most lines begin with a word.
    if !near.first().is_some_and(|&first| is(first, FINAL) && is(first, WORD)) {
        if near.get(run_of(near, MARK)).is_some_and(|&byte| is_break(byte)) {
            return true; // B-JOIN-N-BLANK, -V-MARKS
        }
        content = &near[run_of(near, QUOTE)..];
        // The marker is removed if the first line has it, too. Otherwise B-JOIN-N-MARKER refuses the
        // line. A `"` may be glued to a word.
        if let [marker, rest @ ..] = content
            && left::is_lone_marker(*marker)
            && (rest.starts_with(b" ") || *marker == b'"')
        {
            content = &rest[run_of(rest, QUOTE)..];
        }
    }
    if let [b'(' | b'[' | b'{', rest @ ..] = content {
        content = rest;
    }
    let (word, rest) = content.split_at(run_of(content, WORD));
    if word.is_empty() {
        // B-JOIN-N-STOP, unless the `<` is a diff marker (W-PFX-5)
        let is_diff = content.len() == near.len() && near.get(1).is_none_or(|&byte| is_blank(byte));
        return content.first() == Some(&b'<') && !is_diff;
    }
    // Other words may be the inside of a URL.
    let is_plain = word.len() < facts::LONG && word.iter().all(u8::is_ascii_alphabetic);
    if !is_plain || !word[0].is_ascii_alphanumeric() || left::is_comment_word(word) {
        return false;
    }
    if !rest.starts_with(b" ") {
        let is_parted = rest.get(1).is_some_and(|&byte| is_blank(byte) || is_break(byte));
        if rest.starts_with(b":") && is_parted || veto::begins_url(content) {
            return true; // B-JOIN-V-LABEL, -V-URL
        }
    }
    let rest = &rest[run_of(rest, PUNCTUATION)..];
    let is_text = matches!(rest, [b' ', next, ..] if is(*next, LETTER) || *next == b'(');
    let completes = || {
        last == b'.' && facts::starts_extension(word)
            || last != b'/' && facts::completes_extension(facts::segment(head), word)
    };
    let may_be_torn = || facts::ends_in_stub(head) && !words::is_prose(word);
    is_text && !completes() && !may_be_torn()
}

/// A letter.
const LETTER: u8 = 1;
/// A letter or a digit, `'` or `-`.
const WORD: u8 = 1 << 5;
/// A mark that may stand between a word and the blank after the word.
const PUNCTUATION: u8 = 1 << 1;
/// `>` or a blank, as in reply markers.
const QUOTE: u8 = 1 << 2;
/// A line of only such bytes is empty or ruled.
const MARK: u8 = 1 << 3;
/// A byte in which a whole URL may end.
const FINAL: u8 = 1 << 4;

/// The kinds of each byte. Searching strings of bytes costs twice as much: 340 instructions per
/// line instead of 170 (November 2026).
static KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => LETTER | WORD | FINAL,
            b'0'..=b'9' => WORD | FINAL,
            b'/' => FINAL,
            b'\'' => WORD,
            b'-' => WORD | MARK,
            b'.' => PUNCTUATION | MARK | FINAL,
            b',' => PUNCTUATION | FINAL,
            b'?' | b';' | b':' | b'!' => PUNCTUATION,
            b'>' | b' ' | b'\t' => QUOTE | MARK,
            b'_' | b'~' | b'=' | b'*' | b'#' | b'+' | b'^' | b'|' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

fn is(byte: u8, kind: u8) -> bool {
    KINDS[byte as usize] & kind != 0
}

/// Returns the number of bytes of this kind at the start of a text.
fn run_of(bytes: &[u8], kind: u8) -> usize {
    bytes.iter().take_while(|&&byte| is(byte, kind)).count()
}
