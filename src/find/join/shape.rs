//! bjoin.md 1.4: how far a token looks like the inside of a URL.

use super::{ask::has_escape, words};

/// U of `tok`: 0 not at all, 1 a bare fragment, 2 likely, 3 nothing else. `tail` is what follows it on its
/// line, without the blanks at the end. The rows stand in the order of the table; the first that fits
/// decides.
pub(super) fn shape(tok: &[u8], tail: &[u8]) -> i32 {
    let alone = super::is_closing_only(tail);
    let either = |condition: bool, if_so: i32, else_: i32| if condition { if_so } else { else_ };
    if tok == b"/" {
        return either(alone, 1, 0);
    }
    let holds = Held::by(tok);
    if !holds.any(LOWER | UPPER | DIGIT) {
        return 0;
    }
    let first = tok[0];
    let count = |byte: u8| memchr::memchr_iter(byte, tok).count();
    let known_extension = holds.any(DOT) && words::has_extension(tok);
    if !first.is_ascii_alphanumeric() && first != b'%' {
        return marked(tok, alone, known_extension);
    }
    let escapes = holds.any(PERCENT) && has_escape(tok, |byte| byte.is_ascii_hexdigit());
    if escapes || holds.any(EQUALS) && holds.any(QUESTION | AMPERSAND) && has_parameter(tok) {
        return 3;
    }
    if first == b'%' || holds.any(DOT) && words::is_host_like(tok) {
        return 0;
    }
    let stops = alone || closes(tail);
    let digit = holds.any(DIGIT);
    if holds.any(SLASH) {
        if known_extension || holds.any(UNDERSCORE | TILDE | QUESTION) || count(b'/') > 1 {
            return 3;
        }
        if digit {
            return either(stops, 3, 2);
        }
        if stops || is_plain_directory(tok) {
            return 2;
        }
        return either(first.is_ascii_lowercase(), 1, 0);
    }
    if holds.any(EQUALS) {
        let length = tok.iter().take_while(|&&byte| super::is_name(byte)).count();
        let value = tok.get(length + 1).is_none_or(|&byte| byte.is_ascii_alphanumeric() || byte == b'%');
        return either(length > 0 && tok[length] == b'=' && value, 3, 1);
    }
    if holds.any(DOT) && has_inner_extension(tok) {
        return 3;
    }
    if known_extension {
        return either(stops || matches!(tail, [b',' | b';' | b':', ..]) || digit || holds.any(UNDERSCORE), 3, 2);
    }
    if holds.only(DIGIT) {
        return either(alone, 1, 0);
    }
    // telephone numbers, dates
    if holds.only(DIGIT | HYPHEN | DOT | BRACKET_OR_PLUS) {
        return either(alone && holds.any(DOT), 1, 0);
    }
    let mixed = digit && holds.any(LOWER | UPPER);
    if holds.any(UNDERSCORE) && is_between(tok, b'_') {
        return 2;
    }
    if holds.any(DOT) && is_between(tok, b'.') {
        return either(stops || count(b'.') > 1 && mixed, 2, 1);
    }
    if matches!(tok, b"README" | b"INDEX" | b"FAQ") {
        return either(alone, 2, 1);
    }
    if mixed {
        return either(alone, 2, 0);
    }
    if !alone || words::is_prose(tok) {
        return 0;
    }
    if holds.any(HYPHEN) && count(b'-') > 1 {
        return 2;
    }
    let upper = holds.any(UPPER) && !holds.any(LOWER);
    let camel = || tok.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    either(first.is_ascii_lowercase() || upper || tok.len() <= 2 || camel(), 1, 0)
}

/// Which kinds of bytes a token holds: one pass answers most rows of the table.
#[derive(Clone, Copy)]
struct Held(u16);

const LOWER: u16 = 1;
const UPPER: u16 = 1 << 1;
const DIGIT: u16 = 1 << 2;
const SLASH: u16 = 1 << 3;
const DOT: u16 = 1 << 4;
const HYPHEN: u16 = 1 << 5;
const UNDERSCORE: u16 = 1 << 6;
const TILDE: u16 = 1 << 7;
const QUESTION: u16 = 1 << 8;
const AMPERSAND: u16 = 1 << 9;
const EQUALS: u16 = 1 << 10;
const PERCENT: u16 = 1 << 11;
const BRACKET_OR_PLUS: u16 = 1 << 12;
const OTHER: u16 = 1 << 13;

impl Held {
    fn by(tok: &[u8]) -> Held {
        static KINDS: [u16; 256] = {
            let mut kinds = [OTHER; 256];
            let mut byte = 0;
            while byte < 256 {
                kinds[byte] = match byte as u8 {
                    b'a'..=b'z' => LOWER,
                    b'A'..=b'Z' => UPPER,
                    b'0'..=b'9' => DIGIT,
                    b'/' => SLASH,
                    b'.' => DOT,
                    b'-' => HYPHEN,
                    b'_' => UNDERSCORE,
                    b'~' => TILDE,
                    b'?' => QUESTION,
                    b'&' => AMPERSAND,
                    b'=' => EQUALS,
                    b'%' => PERCENT,
                    b'(' | b')' | b'+' => BRACKET_OR_PLUS,
                    _ => OTHER,
                };
                byte += 1;
            }
            kinds
        };
        Held(tok.iter().fold(0, |held, &byte| held | KINDS[byte as usize]))
    }

    fn any(self, kinds: u16) -> bool {
        self.0 & kinds != 0
    }

    fn only(self, kinds: u16) -> bool {
        self.0 & !kinds == 0
    }
}

/// The rows for a token that starts with a mark.
fn marked(tok: &[u8], alone: bool, known_extension: bool) -> i32 {
    let either = |condition: bool, if_so: i32, else_: i32| if condition { if_so } else { else_ };
    let (first, rest) = (tok[0], &tok[1..]);
    let next = rest.first().copied().unwrap_or(0);
    let url_has_it_there = match first {
        b'/' => next.is_ascii_alphanumeric() || b"~._%?-".contains(&next),
        b'?' => next.is_ascii_alphanumeric() || next == b'_' || next == b'%',
        b'&' => starts_parameter(rest) || rest.strip_prefix(b"amp;").is_some_and(starts_parameter),
        b'=' => next.is_ascii_alphanumeric() || next == b'%',
        b'#' => next.is_ascii_alphabetic() || next == b'_',
        b'~' | b'+' => next.is_ascii_alphabetic(),
        b'_' | b'-' | b'.' => next.is_ascii_alphanumeric(),
        b';' => {
            let letters = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
            letters > 0 && rest.get(letters) == Some(&b'=')
        }
        b':' => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            digits > 0 && matches!(rest.get(digits), None | Some(b'/'))
        }
        b',' => next.is_ascii_digit(),
        _ => false,
    };
    if !url_has_it_there {
        return 0;
    }
    let any = |marks: &[u8]| rest.iter().any(|byte| marks.contains(byte));
    match first {
        b'&' | b'=' | b'~' | b';' => 3,
        b'.' if rest.iter().all(u8::is_ascii_alphanumeric) => either(known_extension, 3, 0),
        b'.' => either(known_extension || any(b"%=&/"), 3, 2),
        b'/' => {
            let slashes = memchr::memchr_iter(b'/', rest).count();
            if known_extension
                || slashes > 1
                || rest.iter().any(|byte| byte.is_ascii_digit() || b"_%~?=&".contains(byte))
            {
                3
            } else if slashes > 0 {
                either(alone, 3, 2)
            } else {
                let name = rest[0].is_ascii_uppercase() && rest[1..].iter().all(u8::is_ascii_lowercase);
                either(name || !alone, 1, 2)
            }
        }
        b'?' | b'#' => either(any(b"="), 3, 2),
        b'-' | b'+' | b',' => either(known_extension || any(b"/=&%_"), 2, 0),
        // `_` and `:`
        _ if known_extension || any(b"/=&%") => 3,
        _ => either(alone, 2, 1),
    }
}

/// `name=` at the start, where the name may hold an escape.
fn starts_parameter(bytes: &[u8]) -> bool {
    let length = bytes.iter().take_while(|&&byte| super::is_name(byte) || byte == b'%').count();
    length > 0 && bytes.get(length) == Some(&b'=')
}

/// `?name=` or `&name=` anywhere. Names do not overlap, so this is one pass.
fn has_parameter(tok: &[u8]) -> bool {
    memchr::memchr2_iter(b'?', b'&', tok).any(|at| super::starts_assignment(&tok[at + 1..]))
}

/// Something closes right after the token: a closer, or punctuation and then a closer, the end, or a blank
/// and a capital or bracket.
fn closes(tail: &[u8]) -> bool {
    let is_closer = |byte: Option<&u8>| byte.is_some_and(|byte| b")]}\"'>".contains(byte));
    if is_closer(tail.first()) {
        return true;
    }
    let punctuation = tail.iter().take_while(|byte| b".,;:!?".contains(byte)).count();
    let rest = &tail[punctuation..];
    if punctuation == 0 {
        return false;
    }
    let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
    rest.is_empty()
        || is_closer(rest.first())
        || blanks > 0 && rest.get(blanks).is_some_and(|&byte| byte.is_ascii_uppercase() || byte == b'(' || byte == b'[')
}

/// `word/`
fn is_plain_directory(tok: &[u8]) -> bool {
    match tok {
        [word @ .., b'/'] => {
            !word.is_empty()
                && word.iter().all(|&byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+.-".contains(&byte))
        }
        _ => false,
    }
}

/// `.ext?` or `.ext#`; only the first such place counts.
fn has_inner_extension(tok: &[u8]) -> bool {
    memchr::memchr_iter(b'.', tok)
        .map(|dot| {
            let rest = &tok[dot + 1..];
            let letters = rest.iter().take(6).take_while(|byte| byte.is_ascii_alphabetic()).count();
            (&rest[..letters], rest.get(letters))
        })
        .find(|(name, after)| matches!(name.len(), 2..=5) && matches!(after, Some(b'?' | b'#')))
        .is_some_and(|(name, _)| words::is_extension(name))
}

/// Whether `mark` stands between two letters or digits.
fn is_between(tok: &[u8], mark: u8) -> bool {
    tok.windows(3).any(|three| three[1] == mark && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table; the first blank or `|` ends the token, the rest is its tail.
    #[test]
    fn table() {
        for (line, expected) in [
            ("/", 1),
            ("/ x", 0),
            ("--", 0),
            // marks that URLs do not have there
            ("@x", 0),
            ("/(x", 0),
            ("&x", 0),
            ("-(x", 0),
            (":x", 0),
            ("$x", 0),
            // & = ~ ;
            ("&x=1", 3),
            ("&amp;x=1 and", 3),
            ("=x", 3),
            ("~joe", 3),
            (";type=i", 3),
            (";type", 0),
            // .ext
            (".html", 3),
            (".Then", 0),
            (".x-y", 2),
            (".x/y", 3),
            (".x-y.gif", 3),
            // /...
            ("/a.html", 3),
            ("/a1 b", 3),
            ("/a/b/c", 3),
            ("/a/b", 3),
            ("/a/b c", 2),
            ("/John", 1),
            ("/john", 2),
            ("/john c", 1),
            // ? #
            ("?x=1", 3),
            ("#x", 2),
            ("#1", 0),
            // - + ,
            ("-x.html", 2),
            ("-x", 0),
            (",1", 0),
            (",1/2", 2),
            // _ :
            ("_x.html", 3),
            ("_x", 2),
            ("_x y", 1),
            (":80/", 3),
            (":80", 2),
            (":80x", 0),
            // inside
            ("a%20b", 3),
            ("%20b", 3),
            ("%b", 0),
            ("a&b=c d", 3),
            ("a?b=c", 3),
            ("freshmeat.net", 0),
            // with a slash
            ("a/b.html c", 3),
            ("a/b_c d", 3),
            ("a/b/c d", 3),
            ("a/b1 c", 2),
            ("a/b1|, See", 3),
            ("a/b1|, see", 2),
            ("a/b1|) c", 3),
            ("a/b1|.) c", 3),
            ("word/ c", 2),
            ("Word/ c", 0),
            ("a/b c", 1),
            ("a/b", 2),
            // =
            ("a=b", 3),
            ("a=", 3),
            ("a=+", 1),
            ("(a=b", 0),
            ("a(=b", 1),
            // extensions
            ("a.html?b", 3),
            ("a.xyzzy?b.html#c", 2),
            ("a.html", 3),
            ("a.html c", 2),
            ("a.html|, c", 3),
            ("a1.html c", 3),
            // digits
            ("123", 1),
            ("123 c", 0),
            ("555-1234", 0),
            ("3.1-2", 1),
            // words
            ("a_b c", 2),
            ("a.b", 2),
            ("a.b c", 1),
            ("a1.b.q d", 2),
            ("README", 2),
            ("FAQ c", 1),
            ("abc1", 2),
            ("abc1 c", 0),
            ("the", 0),
            ("chapter-two-three", 2),
            ("workshop", 1),
            ("UPPER", 1),
            ("Xy", 1),
            ("aBc", 1),
            ("Xyz", 0),
            ("word and", 0),
        ] {
            let end = line.find([' ', '|']).unwrap_or(line.len());
            let tail = &line[end + usize::from(line[end..].starts_with('|'))..];
            assert_eq!(shape(&line.as_bytes()[..end], tail.as_bytes()), expected, "{line}");
        }
    }
}
