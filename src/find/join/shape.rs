//! B-JOIN-U: how far a token looks like the inside of a URL.

use super::ask::{has_escape, starts_name, starts_starred};
use super::table::first_row;
use super::tokens::{is_closing_only, is_indexed_name, starts_assignment};
use super::words;

/// Returns U of `tok`: 0 not at all, 1 a bare fragment, 2 likely, 3 nothing else. `tail` is what follows it on its
/// line, without the blanks at the end. `tok` holds a letter or digit, or is `/` (B-JOIN-V-MARKS).
pub(super) fn shape(tok: &[u8], tail: &[u8]) -> i32 {
    let alone = is_closing_only(tail);
    let holds = ByteKinds::by(tok);
    let first = tok[0];
    let known_extension = holds.any(DOT) && words::has_extension(tok);
    if !first.is_ascii_alphanumeric() && first != b'%' {
        return marked(tok, alone, known_extension);
    }
    let count = |byte: u8| memchr::memchr_iter(byte, tok).count();
    let stops = || alone || closes(tail);
    let digit = holds.any(DIGIT);
    let mixed = digit && holds.any(LOWER | UPPER);
    let slash = holds.any(SLASH);
    first_row! {
        "B-JOIN-U-INSIDE": holds.any(PERCENT) && has_escape(tok, |byte| byte.is_ascii_hexdigit()) => 3;
        "B-JOIN-U-INSIDE": holds.any(EQUALS) && holds.any(QUESTION | AMPERSAND) && has_parameter(tok) => 3;
        "B-JOIN-U-MARK": first == b'%' => 0;
        "B-JOIN-U-HOST": holds.any(DOT) && words::is_host_like(tok) => 0;
        "B-JOIN-U-DIRECTORY": slash && (known_extension || holds.any(UNDERSCORE | TILDE | QUESTION) || count(b'/') > 1) => 3;
        "B-JOIN-U-DIRECTORY": slash && digit => 3, if stops(), else 2;
        "B-JOIN-U-DIRECTORY": slash && (stops() || is_plain_directory(tok)) => 2;
        "B-JOIN-U-DIRECTORY": slash => 1, if first.is_ascii_lowercase(), else 0;
        "B-JOIN-U-VALUE": holds.any(EQUALS) && is_assignment(tok) => 3;
        "B-JOIN-U-VALUE": holds.any(EQUALS) && !known_extension => 1;
        "B-JOIN-U-EXT-INSIDE": holds.any(DOT) && has_inner_extension(tok) => 3;
        "B-JOIN-U-FILE": known_extension && (stops() || matches!(tail, [b',' | b';' | b':', ..])) => 3;
        "B-JOIN-U-FILE": known_extension => 3, if digit || holds.any(UNDERSCORE), else 2;
        "B-JOIN-U-DIGITS": holds.only(DIGIT) => 1, if alone, else 0;
        "B-JOIN-U-DIGITS": holds.only(DIGIT | HYPHEN | DOT | BRACKET_OR_PLUS) => 1, if alone && holds.any(DOT), else 0;
        "B-JOIN-U-SNAKE": holds.any(UNDERSCORE) && is_between(tok, b'_') => 2;
        "B-JOIN-U-DOTTED": holds.any(DOT) && is_between(tok, b'.') => 2, if stops() || count(b'.') > 1 && mixed, else 1;
        "B-JOIN-U-README": is_title(tok) => 2, if alone, else 1;
        "B-JOIN-U-MIXED": mixed && !holds_bracket(tok) => 2, if alone, else 0;
        "B-JOIN-U-ELSE": !alone => 0;
        "B-JOIN-U-PROSE": words::is_prose(tok) => 0;
        "B-JOIN-U-WORD": holds.any(HYPHEN) && count(b'-') > 1 => 2;
        "B-JOIN-U-WORD": first.is_ascii_lowercase() || tok.len() <= 2 || is_camel_case(tok) => 1;
        "B-JOIN-U-WORD": holds.any(UPPER) && !holds.any(LOWER) => 1;
        else "B-JOIN-U-ELSE" => 0;
    }
}

/// Returns the rows for a token that starts with a mark.
fn marked(tok: &[u8], alone: bool, known_extension: bool) -> i32 {
    let (first, rest) = (tok[0], &tok[1..]);
    let any = |marks: &[u8]| rest.iter().any(|byte| marks.contains(byte));
    let slashes = || memchr::memchr_iter(b'/', rest).count();
    first_row! {
        "B-JOIN-U-SLASH": tok == b"/" => 1, if alone, else 0;
        "B-JOIN-U-INSIDE": starts_starred(tok) => 3;
        "B-JOIN-U-MARK": !may_go_on_with(first, rest) => 0;
        "B-JOIN-U-PARAMETER": b"&=~;".contains(&first) => 3;
        "B-JOIN-U-DOT": first == b'.' && rest.iter().all(u8::is_ascii_alphanumeric) => 3, if known_extension, else 0;
        "B-JOIN-U-DOT": first == b'.' => 3, if known_extension || any(b"%=&/"), else 2;
        "B-JOIN-U-PATH": first == b'/' && (known_extension || slashes() > 1 || any(b"0123456789_%~?=&")) => 3;
        "B-JOIN-U-PATH": first == b'/' && slashes() > 0 => 3, if alone, else 2;
        "B-JOIN-U-PATH": first == b'/' => 1, if !alone || is_capitalized(rest), else 2;
        "B-JOIN-U-QUERY": first == b'?' || first == b'#' => 3, if any(b"="), else 2;
        "B-JOIN-U-HYPHEN": b"-+,".contains(&first) => 2, if known_extension || any(b"/=&%_"), else 0;
        "B-JOIN-U-UNDERSCORE": known_extension || any(b"/=&%") => 3;
        else "B-JOIN-U-UNDERSCORE" => 2, if alone, else 1;
    }
}

/// Returns whether a URL may continue with the mark `first` and `rest`.
fn may_go_on_with(first: u8, rest: &[u8]) -> bool {
    let next = rest.first().copied().unwrap_or(0);
    let after = |is_in: fn(&u8) -> bool| {
        let length = rest.iter().take_while(|&byte| is_in(byte)).count();
        (length, rest.get(length))
    };
    match first {
        b'/' => next.is_ascii_alphanumeric() || b"~._%?-".contains(&next),
        b'?' => next.is_ascii_alphanumeric() || next == b'_' || next == b'%',
        b'&' => starts_name(rest) || rest.strip_prefix(b"amp;").is_some_and(starts_name),
        b'=' => next.is_ascii_alphanumeric() || next == b'%',
        b'#' => next.is_ascii_alphabetic() || next == b'_',
        b'~' | b'+' => next.is_ascii_alphabetic(),
        b'_' | b'-' | b'.' => next.is_ascii_alphanumeric(),
        b';' => matches!(after(u8::is_ascii_alphabetic), (1.., Some(b'='))),
        b':' => matches!(after(u8::is_ascii_digit), (1.., None | Some(b'/'))),
        b',' => next.is_ascii_digit(),
        _ => false,
    }
}

/// Which kinds of bytes a token holds: one pass answers most rows of the table.
#[derive(Clone, Copy)]
struct ByteKinds(u16);

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

impl ByteKinds {
    fn by(tok: &[u8]) -> ByteKinds {
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
        ByteKinds(tok.iter().fold(0, |held, &byte| held | KINDS[byte as usize]))
    }

    fn any(self, kinds: u16) -> bool {
        self.0 & kinds != 0
    }

    fn only(self, kinds: u16) -> bool {
        self.0 & !kinds == 0
    }
}

/// Matches `?name=` or `&name=` anywhere. Names do not overlap, so this is one pass.
fn has_parameter(tok: &[u8]) -> bool {
    memchr::memchr2_iter(b'?', b'&', tok).any(|at| starts_assignment(&tok[at + 1..]))
}

/// Returns whether something closes right after the token: a closer, or punctuation and then a closer, the end, or a blank
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

/// Matches `f(x1)`: program text more often than a path.
fn holds_bracket(tok: &[u8]) -> bool {
    tok.iter().any(|byte| b"()[]{}".contains(byte))
}

/// Words that name files.
const TITLES: [&[u8]; 3] = [b"README", b"INDEX", b"FAQ"];

pub(super) fn is_title(tok: &[u8]) -> bool {
    TITLES.contains(&tok)
}

/// Returns whether a title may begin with this byte.
pub(super) const fn begins_title(first: u8) -> bool {
    let mut i = 0;
    while i < TITLES.len() {
        if TITLES[i][0] == first {
            return true;
        }
        i += 1;
    }
    false
}

/// Matches `Capital`
fn is_capitalized(word: &[u8]) -> bool {
    word[0].is_ascii_uppercase() && word[1..].iter().all(u8::is_ascii_lowercase)
}

/// Matches `camelCase`
fn is_camel_case(tok: &[u8]) -> bool {
    tok.windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
}

/// Matches `name=value`, `name[index]=value`
fn is_assignment(tok: &[u8]) -> bool {
    let length = tok.iter().take_while(|&&byte| is_indexed_name(byte)).count();
    let value = tok.get(length + 1).is_none_or(|&byte| byte.is_ascii_alphanumeric() || byte == b'%');
    length > 0 && tok[length] == b'=' && value
}

/// Matches `word/`
fn is_plain_directory(tok: &[u8]) -> bool {
    match tok {
        [word @ .., b'/'] => {
            !word.is_empty()
                && word.iter().all(|&byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+.-".contains(&byte))
        }
        _ => false,
    }
}

/// Matches `.ext?` or `.ext#`; only the first such place counts.
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

/// Returns whether `mark` stands between two letters or digits.
fn is_between(tok: &[u8], mark: u8) -> bool {
    tok.windows(3).any(|three| three[1] == mark && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The table; the first blank or `|` ends the token, the rest is its tail.
    #[test]
    pub(in crate::find::join) fn table() {
        #[rustfmt::skip]
        let cases = [
            ("/", 1), ("/ x", 0),
            // marks that URLs do not have there
            ("@x", 0), ("/(x", 0), ("&x", 0), ("-(x", 0), (":x", 0), ("$x", 0),
            // & = ~ ;
            ("&x=1", 3), ("&amp;x=1 and", 3), ("=x", 3), ("~joe", 3), (";type=i", 3), (";type", 0),
            // .ext
            (".html", 3), (".Then", 0), (".x-y", 2), (".x/y", 3), (".x-y.gif", 3),
            // /...
            ("/a.html", 3), ("/a1 b", 3), ("/a/b/c", 3), ("/a/b", 3), ("/a/b c", 2), ("/John", 1), ("/john", 2),
            ("/john c", 1),
            // ? #
            ("?x=1", 3), ("#x", 2), ("#1", 0),
            // - + ,
            ("-x.html", 2), ("-x", 0), (",1", 0), (",1/2", 2),
            // _ :
            ("_x.html", 3), ("_x", 2), ("_x y", 1), (":80/", 3), (":80", 2), (":80x", 0),
            // inside
            ("a%20b", 3), ("%20b", 3), ("%b", 0), ("a&b=c d", 3), ("a?b=c", 3), ("freshmeat.net", 0),
            // with a slash
            ("a/b.html c", 3), ("a/b_c d", 3), ("a/b/c d", 3), ("a/b1 c", 2), ("a/b1|, See", 3), ("a/b1|, see", 2),
            ("a/b1|) c", 3), ("a/b1|.) c", 3), ("word/ c", 2), ("Word/ c", 0), ("a/b c", 1), ("a/b", 2),
            // =
            ("a=b", 3), ("a=", 3), ("a=+", 1), ("(a=b", 0), ("a(=b", 1), ("a[b]=c", 3), ("a(=b.html", 3),
            ("a(=b.html c", 2),
            // a star
            ("*&b=c", 3), ("*&b=c d", 3), ("*b=c", 0), ("*&b", 0),
            // extensions
            ("a.html?b", 3), ("a.xyzzy?b.html#c", 2), ("a.html", 3), ("a.html c", 2), ("a.html|, c", 3),
            ("a1.html c", 3),
            // digits
            ("123", 1), ("123 c", 0), ("555-1234", 0), ("3.1-2", 1),
            // words
            ("a_b c", 2), ("a.b", 2), ("a.b c", 1), ("a1.b.q d", 2), ("README", 2), ("FAQ c", 1), ("abc1", 2),
            ("f(x1)", 1), ("F[x1]", 0),
            ("abc1 c", 0), ("the", 0), ("chapter-two-three", 2), ("workshop", 1), ("UPPER", 1), ("Xy", 1),
            ("aBc", 1), ("Xyz", 0), ("word and", 0),
        ];
        for (line, expected) in cases {
            let end = line.find([' ', '|']).unwrap_or(line.len());
            let tail = &line[end + usize::from(line[end..].starts_with('|'))..];
            assert_eq!(shape(&line.as_bytes()[..end], tail.as_bytes()), expected, "{line}");
        }
    }
}
