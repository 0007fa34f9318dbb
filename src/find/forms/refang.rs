//! Defanged URLs, read as the originals: B-REFANG.
//!
//! The stretch around a defanged URL is converted to a [logical text](Logical), in which the URL is
//! restored. The rules read the URL there as in any text, and the result is mapped back to the
//! source.

use std::ops::Range;

use crate::bytes::limits::{REFANG_BYTES, REFANG_HOST_BYTES};
use crate::bytes::logical::Logical;
use crate::find::end::unwritten::{COLON, DOTS};
use crate::find::end::{ahead, run};
use crate::find::forms::bare::Bare;
use crate::find::forms::judge::Judge;
use crate::find::forms::reread::reread;
use crate::find::matches::RawMatch;
use crate::find::options::{Options, Rejoin};
use crate::find::start::Start;
use crate::find::text::layers::Meant;
use crate::find::text::view::View;
use crate::find::{schemes, start};

/// The schemes that are defanged with `x` for `t`: `hxxp`.
pub(crate) const TWINS: [&str; 4] = ["http", "https", "ftp", "ftps"];
/// The marks that stand for the text in their brackets.
const MARKS: [&[u8]; 3] = [b"[://]", COLON, b"[@]"];

/// The marks of a dot without a closing bracket.
const OPEN_DOTS: [&[u8]; 3] = [b"\\.", b"[.", b"(."];
/// The length of the longest mark of [`DOTS`].
const LONGEST_DOT: usize = b"[dot]".len();

/// Returns the URL whose scheme ends at this colon or at the bracket before it, if the URL is
/// defanged.
pub(crate) fn read(text: &View<'_>, colon: usize, from: usize, judge: &Judge) -> Option<RawMatch> {
    let (word, scheme_end) = scheme_before(text, colon);
    if word.is_empty() {
        return None;
    }
    text.upto(colon + start::AHEAD);
    // First, only the authority is read. Otherwise each URL of `hxxp://hxxp://…` would read the
    // stretch to its end.
    let head = head_end(text, scheme_end)?;
    let (view, first) = Hidden::read(text, word.clone(), scheme_end, head);
    url_at(&View::whole(view.meant.text.bytes()), first.clone(), judge)?;
    let end = stretch_end(text, head, scheme_end + REFANG_BYTES);
    if end >= scheme_end + REFANG_BYTES {
        return None;
    }
    let (mut hidden, first) = Hidden::read(text, word.clone(), scheme_end, end);
    if !hidden.is_hidden {
        return None;
    }
    // The byte after the stretch shows that the run ends.
    hidden.append(text, end..text.len().min(end + 1));
    hidden.meant.is_cut = text.upto(end + 1) == text.len();
    let found = reread(text, &hidden.meant, hidden.meant.view(text), colon, |view| url_at(view, first, judge));
    found.filter(|found| found.start >= from && !(found.end <= head && is_mark(text, found.end)))
}

/// Returns the word before a colon and the end of the scheme. A bracket may stand between them and
/// the colon: `http[:]`, `hxxp[s]:`.
pub(crate) fn scheme_before(text: &[u8], colon: usize) -> (Range<usize>, usize) {
    let end = colon - usize::from(text[..colon].ends_with(b"["));
    let is_secure = [&b"[s]"[..], b"(s)"]
        .iter()
        .any(|mark| text[..end].len() >= mark.len() && text[end - mark.len()..end].eq_ignore_ascii_case(mark));
    (start::word_before(text, end - if is_secure { b"[s]".len() } else { 0 }), end)
}

/// Returns whether a mark that no rule reads stands after a host, so that the host is cut off.
fn is_mark(text: &View<'_>, at: usize) -> bool {
    let at = text.stretch(at, at + 1, |byte| byte == b' ');
    match text.byte(at) {
        Some(b'[' | b'{') => text.byte(at + 1).is_some_and(|byte| byte == b'.' || byte.is_ascii_alphabetic()),
        Some(b'\\' | b'.' | b'(') => text.byte(at + 1).is_some_and(|byte| matches!(byte, b'.' | b' ')),
        _ => false,
    }
}

/// Returns the end of the mark of a dot beside the blank at `at`, with its blanks.
fn past_blank(text: &View<'_>, from: usize, at: usize) -> Option<usize> {
    let end_of = |mark: usize| Some(mark + spaced_dot(text, mark)?).filter(|&end| end > at);
    let opener = text[from..at].iter().rev().take(LONGEST_DOT).position(|byte| b"[({".contains(byte));
    end_of(at).or_else(|| end_of(at - 1 - opener?))
}

/// Returns the length of the mark of a dot at `at` in an authority, with one blank on either side.
/// A letter or digit must follow.
fn spaced_dot(text: &View<'_>, at: usize) -> Option<usize> {
    let opener = text.stretch(at, at + 1, |byte| byte == b' ');
    let has = |mark: &&[u8]| {
        text.upto(opener + mark.len());
        text[opener..].get(..mark.len()).is_some_and(|found| found.eq_ignore_ascii_case(mark))
    };
    let mark = DOTS.iter().find(|mark| has(mark))?;
    let end = text.stretch(opener + mark.len(), opener + mark.len() + 1, |byte| byte == b' ');
    text.byte(end).is_some_and(|byte| byte.is_ascii_alphanumeric()).then_some(end - at)
}

/// Returns the end of the stretch of a defanged URL, up to `to`. Blanks stand in expressions
/// (B-EXPRESSION).
fn stretch_end(text: &View<'_>, from: usize, to: usize) -> usize {
    let mut at = from;
    loop {
        at = text.stretch(at, to, is_of_stretch);
        let Some(end) = run::expression_end(text, at).filter(|&end| end < to) else { return at };
        at = end;
    }
}

/// Returns whether a byte belongs to the stretch of a defanged URL.
fn is_of_stretch(byte: u8) -> bool {
    // A `\` does not end the path of a file on a drive.
    !run::ends_every_run(byte) || !byte.is_ascii() || byte == b'\\'
}

/// Returns the end of the authority after a scheme, including the next byte of the stretch. Without
/// `//`, returns the end of the stretch. Returns `None` if the authority or the address is too
/// long.
fn head_end(text: &View<'_>, from: usize) -> Option<usize> {
    let is_colon = |byte: u8| matches!(byte, b'[' | b':' | b']');
    let colon = text.stretch(from, from + b"[:]".len(), is_colon);
    let slashes = text.stretch(colon, colon + 2, |byte| byte == b'/');
    let body = slashes + usize::from(slashes == colon + 2 && text.byte(slashes) == Some(b']'));
    let is_of_head = |byte: u8| is_of_stretch(byte) && !(slashes == colon + 2 && matches!(byte, b'/' | b'?' | b'#'));
    let mut end = text.stretch(body, body + REFANG_HOST_BYTES, is_of_head);
    // A blank ends the stretch, unless it stands beside a mark: `evil [.] example`.
    while text.byte(end) == Some(b' ')
        && end < body + REFANG_HOST_BYTES
        && slashes == colon + 2
        && let Some(next) = past_blank(text, body, end)
    {
        end = text.stretch(next, body + REFANG_HOST_BYTES, is_of_head);
    }
    // Without the `/` of its path, a local file would have nothing after the two slashes.
    let slash = usize::from(text.byte(end).is_some_and(is_of_stretch));
    (end < body + REFANG_HOST_BYTES).then_some(end + slash)
}

/// Reads the bare URL whose scheme is `word`, without joining lines.
fn url_at(view: &View<'_>, word: Range<usize>, judge: &Judge) -> Option<RawMatch> {
    if view.get(word.end) != Some(&b':') {
        return None;
    }
    let options = Options { rejoin: Rejoin::None, ..judge.options };
    let start: Start = start::start(view, word.clone(), word.end, options.any_scheme, false)?;
    let start = ahead::with_outer(view, start);
    let bare = Bare { text: view, start: &start, judge: &Judge { options } };
    let run = bare.run(false)?;
    if run.is_too_long(&start) { None } else { bare.read(&run) }
}

/// Returns the start of the schemes, defanged or not, that may enclose the URL at `at` (B-OPAQUE).
fn outer_start(text: &[u8], mut at: usize) -> usize {
    for _ in 0..start::MOST_OUTER {
        let before = &text[at.saturating_sub(LONGEST_WORD)..at];
        let Some(scheme) = before.strip_suffix(b"[:]").or_else(|| before.strip_suffix(b":")) else { break };
        let len = scheme.iter().rev().take_while(|&&byte| schemes::is_scheme_byte(byte)).count();
        if len == 0 {
            break;
        }
        at -= len + (before.len() - scheme.len());
    }
    at
}

/// The length of the longest scheme that may enclose a URL, with its colon in brackets.
const LONGEST_WORD: usize = b"view-source[:]".len();

/// A defanged text, read as the original.
struct Hidden {
    meant: Meant,
    /// A part of the text was defanged.
    is_hidden: bool,
}

impl Hidden {
    /// Reads the stretch up to `end`. The stretch begins with the byte before the schemes that
    /// enclose `word`, or before `word`. Returns the stretch, and the scheme in it.
    /// `colon` is the end of `word`.
    fn read(text: &[u8], word: Range<usize>, colon: usize, end: usize) -> (Hidden, Range<usize>) {
        let outer = outer_start(text, word.start);
        let before = outer.saturating_sub(1);
        let mut hidden =
            Hidden { meant: Meant { rule: "B-REFANG", text: Logical::from(before), is_cut: false }, is_hidden: false };
        hidden.append(text, before..outer);
        hidden.append_rest(text, outer, word.start);
        let first = hidden.meant.text.len();
        hidden.append_scheme(text, word.clone());
        if word.end < colon {
            hidden.replace(text[word.end + 1], word.end..colon);
        }
        let scheme = first..hidden.meant.text.len();
        hidden.append_rest(text, colon, end);
        (hidden, scheme)
    }

    fn append(&mut self, text: &[u8], range: Range<usize>) {
        self.meant.text.append(&text[range.clone()], range.start);
    }

    fn replace(&mut self, byte: u8, source: Range<usize>) {
        self.is_hidden = true;
        self.meant.text.replace(&[byte], source);
    }

    /// Appends the word before a colon. Appends `hxxp` as `http`, and keeps the case of each
    /// letter.
    fn append_scheme(&mut self, text: &[u8], word: Range<usize>) {
        let twin = |byte: u8| if byte == b't' { b'x' } else { byte };
        let is_of = |name: &str| text[word.clone()].iter().map(u8::to_ascii_lowercase).eq(name.bytes().map(twin));
        let is_twin = TWINS.into_iter().any(is_of);
        for at in word {
            match text[at] {
                b'x' if is_twin => self.replace(b't', at..at + 1),
                b'X' if is_twin => self.replace(b'T', at..at + 1),
                _ => self.append(text, at..at + 1),
            }
        }
    }

    /// Appends `from..end` with its defanged marks restored.
    fn append_rest(&mut self, text: &[u8], from: usize, end: usize) {
        let has = |at: usize, mark: &[u8]| {
            text[at..end].get(..mark.len()).is_some_and(|found| found.eq_ignore_ascii_case(mark))
        };
        let (mut at, mut plain) = (from, from);
        // The authority begins after two slashes. A third slash, `?` or `#` ends it.
        let mut slashes = 0;
        while at < end {
            let is_word = |at: usize| text[..end].get(at).is_some_and(u8::is_ascii_alphanumeric);
            let mark = match text[at] {
                b'[' | b'(' | b'{' => MARKS.iter().chain(&DOTS).find(|mark| has(at, mark)).or_else(|| {
                    OPEN_DOTS.iter().find(|mark| slashes <= 2 && has(at, mark) && is_word(at + mark.len()))
                }),
                b'\\' if slashes <= 2 => OPEN_DOTS.iter().find(|mark| has(at, mark)),
                // Blanks stand in a stretch only beside marks.
                b' ' if slashes <= 2 => {
                    self.append(text, plain..at);
                    at += 1;
                    plain = at;
                    continue;
                }
                _ => None,
            };
            slashes += usize::from(matches!(text[at], b'/' | b'?' | b'#'));
            let Some(mark) = mark else {
                at += 1;
                continue;
            };
            let after = at + mark.len();
            let is_wordy = text.get(after).is_some_and(u8::is_ascii_alphanumeric);
            // After the authority, a mark for a dot may belong to the URL itself, unless a letter
            // or digit follows.
            if MARKS.contains(mark) || slashes <= 2 || is_wordy {
                self.append(text, plain..at);
                match *mark {
                    b"[://]" => {
                        self.replace(b':', at..at + 2);
                        self.append(text, at + 2..at + 4);
                        slashes += 2;
                    }
                    [_, byte @ (b':' | b'@'), _] => self.replace(*byte, at..after),
                    _ => self.replace(b'.', at..after),
                }
                plain = after;
            }
            at = after;
        }
        self.append(text, plain..end);
    }
}
