//! Byte classes: one constant per rule of a BNF, all in one table of 256 entries.
//!
//! Each constant is named after the rule that it encodes, and its comment quotes that rule. So a
//! parser checks each byte by the grammar's own rule. The rules come from RFC 1738 section 5, RFC
//! 822 section 3.3 and RFC 3986 appendix A. The specification interprets them (sections 1 and 3).
//! The plain bytes of [`Masks`](super::simd::Masks) serve only the finder, and are not a class of a
//! grammar.
//!
//! No class of a URL holds `%` or `#`, because one byte does not decide their validity. Escapes
//! such as `%41` are read by [`run`]. Only [`ATOM`], which is a class of RFC 822, holds both.
//!
//! A class is a bit, so one load from the table tests a byte for any class. The table has 1 KiB, so
//! it stays in the first-level cache.

/// A set of bytes: one rule of a grammar, and one bit of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class(u32);

/// `alpha = lowalpha | hialpha` (RFC 1738 section 5)
pub(crate) const ALPHA: Class = Class(1);
/// `digit = "0" | "1" | … | "9"`
pub(crate) const DIGIT: Class = Class(1 << 1);
/// `alphadigit = alpha | digit`
pub(crate) const ALPHADIGIT: Class = Class(1 << 25);
/// `hex = digit | "A" | … | "F" | "a" | … | "f"`
pub(crate) const HEX: Class = Class(1 << 2);
/// `scheme = 1*[ lowalpha | digit | "+" | "-" | "." ]`, also in upper case (G-SCHEME-1); the first
/// byte may be a digit or a mark (G-SCHEME-2)
pub(crate) const SCHEME: Class = Class(1 << 3);
/// The bytes of a label of a host: `*[ alphadigit | "-" ]` (G-HOST-1)
pub(crate) const LABEL: Class = Class(1 << 4);
/// The bytes of `host`: labels and dots (G-HOST-1, G-HOST-7)
pub(crate) const HOST: Class = Class(1 << 5);
/// `unreserved = alpha | digit | safe | extra` (G-LEX-8)
pub(crate) const UNRESERVED: Class = Class(1 << 6);
/// `reserved = ";" | "/" | "?" | ":" | "@" | "&" | "="`
pub(crate) const RESERVED: Class = Class(1 << 7);
/// `xchar = unreserved | reserved | escape`, without the escape: the alphabet of a URL (G-LEX-1)
pub(crate) const XCHAR: Class = Class(1 << 24);
/// `user = *[ uchar | ";" | "?" | "&" | "=" ]`, also `password` (G-LOGIN-2)
pub(crate) const USER: Class = Class(1 << 8);
/// `fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]`, also `psegment` (G-FTP-2)
pub(crate) const FSEGMENT: Class = Class(1 << 9);
/// `fpath = fsegment *[ "/" fsegment ]`, also `ppath`
pub(crate) const FPATH: Class = Class(1 << 10);
/// `hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]`, also `search` (G-HTTP-4, G-HTTP-5)
pub(crate) const HSEGMENT: Class = Class(1 << 11);
/// `hpath = hsegment *[ "/" hsegment ]`
pub(crate) const HPATH: Class = Class(1 << 12);
/// `group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]`, after the first letter (G-NEWS-3)
pub(crate) const GROUP: Class = Class(1 << 13);
/// `article = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host`, before the `@` (G-NEWS-4)
pub(crate) const ARTICLE: Class = Class(1 << 14);
/// `fieldname = *[ uchar | "?" | ":" | "@" | "&" ]`, also `fieldvalue` (G-PROSPERO-2)
pub(crate) const FIELD: Class = Class(1 << 15);
/// `national = "{" | "}" | "|" | "\" | "^" | "~" | "[" | "]" | "`"` (G-LEX-3)
pub(crate) const NATIONAL: Class = Class(1 << 16);
/// `punctuation = "<" | ">" | "#" | "%" | <">`, without `#` and `%`, which have rules of their own
/// (G-LEX-4)
pub(crate) const PUNCTUATION: Class = Class(1 << 17);
/// `atom = 1*<any CHAR except specials, SPACE and CTLs>` (RFC 822 section 3.3; G-MAILTO-2)
pub(crate) const ATOM: Class = Class(1 << 18);
/// The bytes of an atom that a URL may hold raw (G-MAILTO-2, G-MAILTO-3)
pub(crate) const PLAIN_ATOM: Class = Class(1 << 26);
/// `unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"` of RFC 3986
pub(crate) const UNRESERVED_3986: Class = Class(1 << 19);
/// `reg-name = *( unreserved / pct-encoded / sub-delims )` of RFC 3986
pub(crate) const REG_NAME: Class = Class(1 << 20);
/// `userinfo = *( unreserved / pct-encoded / sub-delims / ":" )` of RFC 3986, also the tail of
/// `IPvFuture`
pub(crate) const USERINFO: Class = Class(1 << 21);
/// The segments of a path and the slashes between them: `pchar / "/"` of RFC 3986
pub(crate) const PATH: Class = Class(1 << 22);
/// `query = *( pchar / "/" / "?" )` of RFC 3986, also `fragment`
pub(crate) const QUERY: Class = Class(1 << 23);

impl Class {
    /// Returns whether the class contains a byte.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn contains(self, byte: u8) -> bool {
        TABLE[byte as usize] & self.0 != 0
    }
}

/// The classes of every byte.
static TABLE: [u32; 256] = table();

/// `safe` and `extra` of RFC 1738: the unreserved characters that are neither letters nor digits.
const SAFE_EXTRA: &[u8] = b"$-_.+!*'(),";
/// `sub-delims` of RFC 3986.
const SUB_DELIMS: &[u8] = b"!$&'()*+,;=";
/// `specials` of RFC 822.
const SPECIALS: &[u8] = b"()<>@,;:\\\".[]";

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        let alpha = byte.is_ascii_alphabetic();
        let digit = byte.is_ascii_digit();
        let unreserved = alpha || digit || among(SAFE_EXTRA, byte);
        let unreserved_3986 = alpha || digit || among(b"-._~", byte);
        let reg_name = unreserved_3986 || among(SUB_DELIMS, byte);
        let path = reg_name || among(b":@/", byte);
        // Each rule has one line, in the order of the constants.
        let rules = [
            (ALPHA, alpha),
            (DIGIT, digit),
            (ALPHADIGIT, alpha || digit),
            (HEX, byte.is_ascii_hexdigit()),
            (SCHEME, alpha || digit || among(b"+-.", byte)),
            (LABEL, alpha || digit || byte == b'-'),
            (HOST, alpha || digit || among(b"-.", byte)),
            (UNRESERVED, unreserved),
            (RESERVED, among(b";/?:@&=", byte)),
            (XCHAR, unreserved || among(b";/?:@&=", byte)),
            (USER, unreserved || among(b";?&=", byte)),
            (FSEGMENT, unreserved || among(b"?:@&=", byte)),
            (FPATH, unreserved || among(b"?:@&=/", byte)),
            (HSEGMENT, unreserved || among(b";:@&=", byte)),
            (HPATH, unreserved || among(b";:@&=/", byte)),
            (GROUP, alpha || digit || among(b"-.+_", byte)),
            (ARTICLE, unreserved || among(b";/?:&=", byte)),
            (FIELD, unreserved || among(b"?:@&", byte)),
            (NATIONAL, among(b"{}|\\^~[]`", byte)),
            (PUNCTUATION, among(b"<>\"", byte)),
            (ATOM, byte.is_ascii_graphic() && !among(SPECIALS, byte)),
            (PLAIN_ATOM, alpha || digit || among(b"!$&'*+-/=?_", byte)),
            (UNRESERVED_3986, unreserved_3986),
            (REG_NAME, reg_name),
            (USERINFO, reg_name || byte == b':'),
            (PATH, path),
            (QUERY, path || byte == b'?'),
        ];
        let mut rule = 0;
        while rule < rules.len() {
            let (class, member) = rules[rule];
            if member {
                table[index] |= class.0;
            }
            rule += 1;
        }
        index += 1;
    }
    table
}

const fn among(list: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < list.len() {
        if list[at] == byte {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns the end of the run of bytes of `class` that begins at `from`.
#[inline(always)]
#[must_use]
pub(crate) fn raw_run(bytes: &[u8], from: usize, class: Class) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if !class.contains(byte) {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the end of a run of bytes of `class` and escapes (`escape = "%" hex hex`, G-LEX-2). It
/// stops at a `%` that begins no escape.
#[inline(always)]
#[must_use]
pub(crate) fn run(bytes: &[u8], from: usize, class: Class) -> usize {
    let mut at = from;
    loop {
        // Each iteration checks four bytes with one branch. With this loop, `judge` needs 27 ns
        // instead of 29 for an http URL of 40 bytes. For https, it needs 26 instead of 30. Both
        // were measured on 2 cores of an AMD EPYC (2026-11). In `raw_run` such a loop costs 2 ns,
        // because labels are short.
        while let Some(&[a, b, c, d]) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            let common = TABLE[a as usize] & TABLE[b as usize] & TABLE[c as usize] & TABLE[d as usize];
            if common & class.0 == 0 {
                break;
            }
            at += 4;
        }
        at = raw_run(bytes, at, class);
        if !is_escape(bytes, at) {
            return at;
        }
        at += 3;
    }
}

/// Returns whether an escape begins at `at`: a `%` and two hexadecimal digits.
#[inline]
#[must_use]
pub(crate) fn is_escape(bytes: &[u8], at: usize) -> bool {
    matches!(bytes.get(at..), Some([b'%', high, low, ..]) if HEX.contains(*high) && HEX.contains(*low))
}

/// Returns the octet that two digits of [`HEX`] stand for.
pub(crate) fn octet(high: u8, low: u8) -> u8 {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => digit - b'0',
        _ => (digit | 0x20) - b'a' + 10,
    };
    value(high) << 4 | value(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(class: Class) -> String {
        (0..=255u8).filter(|&byte| class.contains(byte)).map(char::from).collect()
    }

    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    // The expected strings are written out on purpose, in the order of the octets, as an
    // independent list.
    #[test]
    fn rules_hold_what_the_rfcs_list() {
        let lower = LETTERS.to_lowercase();
        assert_eq!(members(ALPHA), format!("{LETTERS}{lower}"));
        assert_eq!(members(DIGIT), "0123456789");
        assert_eq!(members(HEX), "0123456789ABCDEFabcdef");
        assert_eq!(members(SCHEME), format!("+-.0123456789{LETTERS}{lower}"));
        assert_eq!(members(LABEL), format!("-0123456789{LETTERS}{lower}"));
        assert_eq!(members(HOST), format!("-.0123456789{LETTERS}{lower}"));
        assert_eq!(members(UNRESERVED), format!("!$'()*+,-.0123456789{LETTERS}_{lower}"));
        assert_eq!(members(RESERVED), "&/:;=?@");
        assert_eq!(members(XCHAR), format!("!$&'()*+,-./0123456789:;=?@{LETTERS}_{lower}"));
        assert_eq!(members(ALPHADIGIT), format!("0123456789{LETTERS}{lower}"));
        assert_eq!(members(USER), format!("!$&'()*+,-.0123456789;=?{LETTERS}_{lower}"));
        assert_eq!(members(FSEGMENT), format!("!$&'()*+,-.0123456789:=?@{LETTERS}_{lower}"));
        assert_eq!(members(FPATH), format!("!$&'()*+,-./0123456789:=?@{LETTERS}_{lower}"));
        assert_eq!(members(HSEGMENT), format!("!$&'()*+,-.0123456789:;=@{LETTERS}_{lower}"));
        assert_eq!(members(HPATH), format!("!$&'()*+,-./0123456789:;=@{LETTERS}_{lower}"));
        assert_eq!(members(GROUP), format!("+-.0123456789{LETTERS}_{lower}"));
        assert_eq!(members(ARTICLE), format!("!$&'()*+,-./0123456789:;=?{LETTERS}_{lower}"));
        assert_eq!(members(FIELD), format!("!$&'()*+,-.0123456789:?@{LETTERS}_{lower}"));
        assert_eq!(members(NATIONAL), "[\\]^`{|}~");
        assert_eq!(members(PUNCTUATION), "\"<>");
        assert_eq!(members(ATOM), format!("!#$%&'*+-/0123456789=?{LETTERS}^_`{lower}{{|}}~"));
        assert_eq!(members(PLAIN_ATOM), format!("!$&'*+-/0123456789=?{LETTERS}_{lower}"));
        assert_eq!(members(UNRESERVED_3986), format!("-.0123456789{LETTERS}_{lower}~"));
        assert_eq!(members(REG_NAME), format!("!$&'()*+,-.0123456789;={LETTERS}_{lower}~"));
        assert_eq!(members(USERINFO), format!("!$&'()*+,-.0123456789:;={LETTERS}_{lower}~"));
        assert_eq!(members(PATH), format!("!$&'()*+,-./0123456789:;=@{LETTERS}_{lower}~"));
        assert_eq!(members(QUERY), format!("!$&'()*+,-./0123456789:;=?@{LETTERS}_{lower}~"));
    }

    // Section 2.2: the graphic characters fall into unreserved, reserved, national, punctuation,
    // `%` and `#`.
    #[test]
    fn graphic_characters_fall_into_disjoint_classes() {
        for byte in b'!'..=b'~' {
            let classes = [UNRESERVED, RESERVED, NATIONAL, PUNCTUATION];
            let count = classes.iter().filter(|class| class.contains(byte)).count();
            assert_eq!(count, usize::from(!matches!(byte, b'%' | b'#')), "{}", byte as char);
        }
    }

    #[test]
    fn runs_take_whole_escapes_only() {
        assert_eq!(run(b"a%41b/", 0, UNRESERVED), 5);
        assert_eq!(run(b"a%4", 0, UNRESERVED), 1);
        assert_eq!(run(b"a%4g", 0, UNRESERVED), 1);
        assert_eq!(run(b"a%41%", 1, UNRESERVED), 4);
        assert_eq!(run(b"", 0, UNRESERVED), 0);
        assert_eq!(raw_run(b"a%41", 0, UNRESERVED), 1);
        assert_eq!(raw_run(b"ab", 2, UNRESERVED), 2);
    }
}
