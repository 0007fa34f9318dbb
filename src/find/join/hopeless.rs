//! The commonest lines below a URL, which the rules refuse, as a few bytes tell.

use super::{ask, shape, veto, weigh};
use crate::find::left;
use crate::find::lines::{is_blank, is_break};
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
    let head = &text[run.clone()];
    // Half an escape and marks that ask for more (B-JOIN-A) are left to the rules, and so is what a bracket holds.
    let [.., before, last] = *head else { return false };
    if before == b'%' || !(last.is_ascii_alphanumeric() || b"/.,?".contains(&last)) {
        return false;
    }
    if text[run.start.saturating_sub(2)..run.start].iter().any(|&byte| weigh::is_opener(byte)) {
        return false;
    }
    let near = &text[line..text.len().min(line + NEAR)];
    let run_of = |bytes: &[u8], is_in: fn(u8) -> bool| bytes.iter().take_while(|&&byte| is_in(byte)).count();
    let marks = run_of(near, |byte| b"> \t-_~=*#+^.|".contains(&byte));
    if near.get(marks).is_some_and(|&byte| is_break(byte)) {
        return true;
    }
    let mut content = &near[run_of(near, |byte| byte == b'>' || is_blank(byte))..];
    // A marker that the first line may have or not: one that it has is taken off, one that it has not is a surplus.
    // A `"` may be glued to a word.
    if let [marker, rest @ ..] = content
        && left::is_lone_marker(*marker)
        && (rest.starts_with(b" ") || *marker == b'"')
    {
        content = &rest[run_of(rest, |byte| byte == b' ')..];
    }
    match content.first() {
        Some(b'<') => return content.len() < near.len() || near.get(1).is_some_and(|&byte| !is_blank(byte)),
        Some(b'(' | b'[' | b'{') => return true,
        Some(first) if first.is_ascii_alphanumeric() => {}
        _ => return false,
    }
    let word_end = run_of(content, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'\'' | b'-'));
    let (word, rest) = content.split_at(word_end);
    if left::is_comment_word(word) || shape::is_title(word) {
        return false;
    }
    if !rest.starts_with(b" ") && content[0].is_ascii_alphabetic() {
        let is_parted = rest.get(1).is_some_and(|&byte| is_blank(byte) || is_break(byte));
        if rest.starts_with(b":") && is_parted && veto::is_label(&content[..=word_end]) || veto::begins_url(content) {
            return true;
        }
    }
    let marks = run_of(rest, |byte| b".,;:!?)".contains(&byte));
    let blanks = run_of(&rest[marks..], |byte| byte == b' ');
    let goes_on = rest.get(marks + blanks).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'<');
    blanks > 0 && goes_on && !ask::may_ask_for_word(head, body - run.start, word)
}
