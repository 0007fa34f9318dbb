//! Escapes of JSON and JavaScript in a URL (B-JSON).

use super::escape::Escape;
use crate::find::text::view::View;

/// Reads `u002F`, `x2F` or a pair of surrogates at `at`, right after the `\`. Returns the character
/// and the end of its escape. `slashes` is the number of `\` before each surrogate.
fn character(view: &View<'_>, at: usize, slashes: usize) -> Option<(char, usize)> {
    let hex = |at: usize, digits: usize| {
        (at..at + digits).try_fold(0, |value, at| Some(value << 4 | char::from(view.byte(at)?).to_digit(16)?))
    };
    match view.byte(at)? {
        b'x' => {
            let code = hex(at + 1, 2)?;
            char::from_u32(code).filter(char::is_ascii).map(|found| (found, at + 3))
        }
        b'u' => {
            let (first, end) = (hex(at + 1, 4)?, at + 5);
            if !(0xD800..0xDC00).contains(&first) {
                return char::from_u32(first).map(|found| (found, end));
            }
            let next = end + slashes;
            let is_pair = (end..next).all(|at| view.byte(at) == Some(b'\\')) && view.byte(next) == Some(b'u');
            let second = hex(next + 1, 4).filter(|code| is_pair && (0xDC00..0xE000).contains(code))?;
            let code = 0x1_0000 + (((first - 0xD800) << 10) | (second - 0xDC00));
            char::from_u32(code).map(|found| (found, next + 5))
        }
        _ => None,
    }
}

/// Reads the escape of a character at `at`: `\u002F`, `\x2F`, or `\\u002F` of JSON in JSON.
pub(crate) fn escape(view: &View<'_>, at: usize) -> Option<Escape> {
    let slashes = slashes(view, at);
    let (found, end) = character(view, at + slashes, slashes).filter(|_| slashes <= 2)?;
    Escape::character(found, end - at)
}

/// Reads `\/`, `\\/` or `\\\/`, or the escape of a [`character`].
pub(crate) fn slash_or_character(view: &View<'_>, at: usize) -> Option<Escape> {
    let slashes = slashes(view, at);
    match view.byte(at + slashes) {
        Some(b'/') if slashes <= MOST => Some(Escape::of(Some('/'), slashes + 1)),
        _ => escape(view, at),
    }
}

/// The maximum number of `\` before `/`. JSON in JSON doubles each `\`, and may escape the `/` as
/// well.
const MOST: usize = 3;

/// Returns the number of `\` at `at`, at most one more than [`MOST`].
fn slashes(view: &View<'_>, at: usize) -> usize {
    view.stretch(at, at + MOST + 1, |byte| byte == b'\\') - at
}

/// Returns whether the `\` at `at` begins an escape that a string may hold. After `scheme:\/\/`,
/// any other `\` belongs to a regular expression.
pub(crate) fn is_of_string(view: &View<'_>, at: usize) -> bool {
    view.byte(at + slashes(view, at)).is_some_and(|byte| b"\"'\\/bfnrtux".contains(&byte))
}
