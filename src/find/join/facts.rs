//! B-JOIN-F: facts about the two lines around a break. Each fact is a row of one table of the card,
//! or of both.

use super::host::is_authority;
use super::tokens::{is_indexed_name, is_name, starts_name_of, without_last};
use crate::find::text::words;

/// The length of a token that is longer than any word (B-JOIN-F-LONG).
pub(super) const LONG: usize = 20;

/// A fact about two lines. Its id in the specification is `B-JOIN-F-` and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fact {
    /// B-JOIN-F-ALONE: only closers and punctuation follow the run on its line.
    Alone,
    /// B-JOIN-F-BRACKET: an opener stands before the URL, or a bracket that was opened earlier
    /// closes after the run.
    Bracket,
    /// B-JOIN-F-CLOSED: the opener or bracket of B-JOIN-F-BRACKET closes right after the run.
    Closed,
    /// B-JOIN-F-COLUMN: the broken line has a width at which mailers break lines.
    Column,
    /// B-JOIN-F-COMMON: the token is a word of prose, or a capitalized word before more text.
    Common,
    /// B-JOIN-F-DIGITS: a digit stands on both sides of the break.
    Digits,
    /// B-JOIN-F-DONE: the head is complete.
    Done,
    /// B-JOIN-F-FILE: the token ends in a file extension.
    File,
    /// B-JOIN-F-FITS: the run would have fitted on the broken line.
    Fits,
    /// B-JOIN-F-FULL: the broken line is at least as wide as the page.
    Full,
    /// B-JOIN-F-HALF: the head ends in half an extension, which the next line completes.
    Half,
    /// B-JOIN-F-INSIDE: the token is certainly from the inside of a URL.
    Inside,
    /// B-JOIN-F-LONG: the token is longer than any word, or the revisions that a page compares.
    Long,
    /// B-JOIN-F-NUMBER: the head's last segment is a number, and the token begins with a letter.
    Number,
    /// B-JOIN-F-OPEN: the head ends in a mark that usually stands before more text.
    Open,
    /// B-JOIN-F-OTHER: the token begins with a rare mark, or resembles the head's last segment. Or
    /// it is program text, a count, a host or a setting.
    Other,
    /// B-JOIN-F-OVERFLOW: the run would not have fitted on the broken line.
    Overflow,
    /// B-JOIN-F-PATH: two slashes or more follow the token's first byte.
    Path,
    /// B-JOIN-F-PLAIN: the token has no part that is typical of URLs, and completes no extension.
    Plain,
    /// B-JOIN-F-POINT: the head ends in punctuation.
    Point,
    /// B-JOIN-F-RECORD: the next line begins a record, as lines around it do.
    Record,
    /// B-JOIN-F-ROOM: the next word would have fitted on the broken line.
    Room,
    /// B-JOIN-F-RULED: the head ends in dots or a ruled line.
    Ruled,
    /// B-JOIN-F-SHALLOWER: the next line is indented less.
    Shallower,
    /// B-JOIN-F-SOME: the token has a part that is typical of URLs.
    Some,
    /// B-JOIN-F-STUB: the head ends in one or two small letters after a mark.
    Stub,
    /// B-JOIN-F-SURE: the head is certainly incomplete.
    Sure,
    /// B-JOIN-F-TABLE: columns follow the run.
    Table,
    /// B-JOIN-F-TEXT: more text follows the run.
    Text,
    /// B-JOIN-F-VALUE: the head ends in a parameter whose value is one word, and the token has
    /// neither `&` nor `=`.
    Value,
    /// B-JOIN-F-WORD: the token is a word that does not complete an extension.
    Word,
}

impl Fact {
    /// Returns the id in the specification.
    pub(super) const fn id(self) -> &'static str {
        match self {
            Fact::Alone => "B-JOIN-F-ALONE",
            Fact::Bracket => "B-JOIN-F-BRACKET",
            Fact::Closed => "B-JOIN-F-CLOSED",
            Fact::Column => "B-JOIN-F-COLUMN",
            Fact::Common => "B-JOIN-F-COMMON",
            Fact::Digits => "B-JOIN-F-DIGITS",
            Fact::Done => "B-JOIN-F-DONE",
            Fact::File => "B-JOIN-F-FILE",
            Fact::Fits => "B-JOIN-F-FITS",
            Fact::Full => "B-JOIN-F-FULL",
            Fact::Half => "B-JOIN-F-HALF",
            Fact::Inside => "B-JOIN-F-INSIDE",
            Fact::Long => "B-JOIN-F-LONG",
            Fact::Number => "B-JOIN-F-NUMBER",
            Fact::Open => "B-JOIN-F-OPEN",
            Fact::Other => "B-JOIN-F-OTHER",
            Fact::Overflow => "B-JOIN-F-OVERFLOW",
            Fact::Path => "B-JOIN-F-PATH",
            Fact::Plain => "B-JOIN-F-PLAIN",
            Fact::Point => "B-JOIN-F-POINT",
            Fact::Record => "B-JOIN-F-RECORD",
            Fact::Room => "B-JOIN-F-ROOM",
            Fact::Ruled => "B-JOIN-F-RULED",
            Fact::Shallower => "B-JOIN-F-SHALLOWER",
            Fact::Some => "B-JOIN-F-SOME",
            Fact::Stub => "B-JOIN-F-STUB",
            Fact::Sure => "B-JOIN-F-SURE",
            Fact::Table => "B-JOIN-F-TABLE",
            Fact::Text => "B-JOIN-F-TEXT",
            Fact::Value => "B-JOIN-F-VALUE",
            Fact::Word => "B-JOIN-F-WORD",
        }
    }
}

/// A set of facts.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Facts(u32);

impl Facts {
    /// Returns the set of these facts.
    pub(super) const fn of(facts: &[Fact]) -> Facts {
        let (mut set, mut i) = (0, 0);
        while i < facts.len() {
            set |= 1 << facts[i] as u32;
            i += 1;
        }
        Facts(set)
    }

    /// Returns the set, with `fact` added if `applies` is true.
    pub(super) fn with(self, fact: Fact, applies: bool) -> Facts {
        #[cfg(test)]
        SEEN.with_borrow_mut(|seen| seen.0 |= u32::from(applies) << fact as u32);
        Facts(self.0 | u32::from(applies) << fact as u32)
    }

    /// Returns the facts that are in either set.
    pub(super) fn and(self, other: Facts) -> Facts {
        Facts(self.0 | other.0)
    }

    /// Returns the facts that are in both sets.
    pub(super) fn common(self, other: Facts) -> Facts {
        Facts(self.0 & other.0)
    }

    /// Returns the facts that are in exactly one of the sets.
    pub(super) fn differing(self, other: Facts) -> Facts {
        Facts(self.0 ^ other.0)
    }

    pub(super) const fn has(self, fact: Fact) -> bool {
        self.0 >> fact as u32 & 1 == 1
    }
}

/// The two sides of a break.
pub(super) struct Sides<'t> {
    /// The URL so far.
    pub(super) head: &'t [u8],
    /// The part of the head after `//` or `:`.
    pub(super) body: &'t [u8],
    /// The run on the next line.
    pub(super) raw: &'t [u8],
    /// The run as B-END trims it.
    pub(super) tok: &'t [u8],
    /// The text after the run on its line, without blanks at the end.
    pub(super) rest: &'t [u8],
    /// The rest has only blanks, closers and punctuation.
    pub(super) alone: bool,
}

impl<'t> Sides<'t> {
    pub(super) fn last(&self) -> u8 {
        self.head.last().copied().unwrap_or(0)
    }

    pub(super) fn next(&self) -> u8 {
        self.raw[0]
    }

    /// Returns whether the break stands between two letters or digits.
    pub(super) fn is_cut(&self) -> bool {
        self.last().is_ascii_alphanumeric() && self.next().is_ascii_alphanumeric()
    }

    /// Returns the part of the body after its last `/ ? # & =`.
    pub(super) fn segment(&self) -> &'t [u8] {
        segment(self.body)
    }

    pub(super) fn has_query(&self) -> bool {
        memchr::memchr(b'?', self.body).is_some()
    }

    pub(super) fn in_authority(&self) -> bool {
        is_authority(self.body)
    }

    /// Returns the facts that need only the two sides.
    pub(super) fn facts(&self) -> Facts {
        let Sides { body, raw, tok, rest, alone, .. } = *self;
        let (last, next) = (self.last(), self.next());
        let inner = &tok[1.min(tok.len())..];
        let count = |byte: u8, bytes: &[u8]| memchr::memchr_iter(byte, bytes).count();
        let slashes = count(b'/', inner);
        let has_under = is_between(tok, b'_');
        let is_mixed = tok.iter().any(u8::is_ascii_digit) && tok.iter().any(u8::is_ascii_alphabetic);
        let is_file = words::has_extension(tok);
        let is_word = is_word(tok);
        let is_capitalized = is_word && tok[0].is_ascii_uppercase() && tok[1..].iter().all(u8::is_ascii_lowercase);
        let has_parameter = has_parameter(tok);
        let inside = has_parameter
            || has_escape(tok)
            || matches!(next, b'?' | b'&' | b'=' | b';')
            || is_file && (slashes > 0 || has_under || is_mixed);
        let names = starts_parameter(raw);
        let in_authority = self.in_authority();
        let completes_file = last == b'.' && !in_authority && starts_extension(raw);
        let some = slashes > 0
            || has_under
            || is_mixed
            || is_file
            || is_between(tok, b'.')
            || count(b'-', tok) > 1
            || tok == b"/";
        let open = match last {
            b'=' => next.is_ascii_alphanumeric() || b"%&+/-".contains(&next) || starts_starred(raw),
            b'&' | b'?' => !names,
            b'-' => next.is_ascii_alphanumeric(),
            b'_' | b'+' | b'~' => next.is_ascii_alphanumeric() || next == b'%',
            _ => false,
        };
        let sure = ends_in_half_escape(self.head)
            || matches!(last, b'?' | b'&' | b';') && names
            || completes_file
            || self.is_half_hex();
        let half = self.is_half_extension();
        let is_pause = if last == b';' { !names } else { b".,:!'*)]}#".contains(&last) };
        let point = is_pause && !completes_file && !in_authority;
        let is_setting = || !has_parameter && !self.has_query() && starts_name_of(tok, is_indexed_name);
        let other = !open && !next.is_ascii_alphanumeric() && !b"/?&=;.-_%".contains(&next)
            || is_count(tok, rest)
            || is_code(raw)
            || !matches!(last, b'?' | b'&' | b';' | b'=') && is_setting()
            || !in_authority && !is_file && words::is_host_like(tok);
        Facts::default()
            .with(Fact::Alone, alone)
            .with(Fact::Common, words::is_prose(tok) || is_capitalized && tok.len() > 1 && !alone)
            .with(Fact::Digits, last.is_ascii_digit() && next.is_ascii_digit())
            .with(Fact::Done, self.is_complete())
            .with(Fact::File, is_file)
            .with(Fact::Half, half)
            .with(Fact::Inside, inside)
            .with(Fact::Long, tok.len() >= LONG || body.ends_with(b"/compare/") && is_range(tok))
            .with(Fact::Number, is_number(self.segment()) && next.is_ascii_alphabetic())
            .with(Fact::Open, open)
            .with(Fact::Other, other)
            .with(Fact::Path, slashes > 1)
            .with(Fact::Plain, !some && !inside && !completes_file && !half)
            .with(Fact::Point, point)
            .with(Fact::Ruled, !in_authority && is_ruled_end(self.head) && !starts_query(raw))
            .with(Fact::Some, some)
            .with(Fact::Stub, !in_authority && ends_in_stub(body))
            .with(Fact::Sure, sure)
            .with(Fact::Table, !alone && begins_columns(raw, rest))
            .with(Fact::Text, !alone && begins_text(rest))
            .with(Fact::Value, ends_in_word_value(body) && !tok.iter().any(|byte| b"&=".contains(byte)))
            .with(Fact::Word, is_word && !half)
    }

    /// Matches half an extension at the end of the head, which the next line completes.
    fn is_half_extension(&self) -> bool {
        !self.in_authority() && completes_extension(self.segment(), self.raw)
    }

    /// Matches a whole file name at the end of the head. A full stop may follow it.
    pub(super) fn ends_in_file(&self) -> bool {
        let segment = self.segment();
        let is_cut = self.last() == b'.' && starts_extension(self.raw);
        let name = if is_cut { segment } else { without_last(segment, b'.') };
        words::extension(name).is_some_and(|name| name.len() > 1 && words::is_extension(name))
            && !self.is_half_extension()
            && !matches!(self.next(), b'?' | b'#' | b'&' | b';')
            && !self.has_query()
            && !self.in_authority()
    }

    /// Matches a closer, a file name, a whole hash or a message identifier at the end of the head.
    /// An archive of packages and a repository are complete, too.
    fn is_complete(&self) -> bool {
        let segment = self.segment();
        let is_hash = || matches!(segment.len(), 40 | 64) && segment.iter().all(|&byte| is_lower_hex(byte));
        matches!(self.last(), b')' | b']' | b'}')
            || self.ends_in_file()
            || is_hash()
            || ends_in_message_id(self.body)
            || ends_in_package_archive(self.head)
            || ends_in_repository(self.head) && !begins_view(self.tok)
    }

    /// Returns whether two names of five bytes or more begin with the same four bytes, ignoring
    /// case.
    pub(super) fn is_like(&self) -> bool {
        let (segment, tok) = (self.segment(), self.tok);
        tok.len() > 4 && segment.len() > 4 && segment[..4].eq_ignore_ascii_case(&tok[..4])
    }

    /// Matches `0123ab⏎cdef01`: half a hash, and hex digits up to the end of a word.
    fn is_half_hex(&self) -> bool {
        is_half_hash(self.segment()) && hex_word(self.raw).is_some_and(|more| (2..40).contains(&more))
    }
}

/// Matches half a hash: 6 to 39 hex digits at the end, both digits and letters.
pub(super) fn is_half_hash(segment: &[u8]) -> bool {
    let length = segment.iter().rev().take_while(|&&byte| is_lower_hex(byte)).count();
    let half = &segment[segment.len() - length..];
    (6..40).contains(&length) && half.iter().any(u8::is_ascii_digit) && half.iter().any(u8::is_ascii_lowercase)
}

/// Matches `v1.87.8...v3.47.58`: two revisions that a page compares.
fn is_range(tok: &[u8]) -> bool {
    memchr::memmem::find(tok, b"...").is_some_and(|at| {
        let after = tok.get(at + 3).is_some_and(u8::is_ascii_alphanumeric);
        after && at > 0 && tok[at - 1].is_ascii_alphanumeric()
    })
}

/// Matches one or two small letters after a mark at the end.
pub(super) fn ends_in_stub(body: &[u8]) -> bool {
    match body {
        [.., mark, b'a'..=b'z', b'a'..=b'z'] | [.., mark, b'a'..=b'z'] => !mark.is_ascii_alphanumeric(),
        _ => false,
    }
}

/// Matches two digits or more, and nothing else.
fn is_number(segment: &[u8]) -> bool {
    segment.len() > 1 && segment.iter().all(u8::is_ascii_digit)
}

/// Returns the part after the last `/ ? # & =`.
pub(super) fn segment(body: &[u8]) -> &[u8] {
    body.rsplit(|byte| matches!(byte, b'/' | b'?' | b'#' | b'&' | b'=')).next().unwrap_or(body)
}

/// Returns the number of lower-case hex digits at the start of a text, if no letter or digit
/// follows them.
pub(super) fn hex_word(raw: &[u8]) -> Option<usize> {
    let length = raw.iter().take_while(|&&byte| is_lower_hex(byte)).count();
    raw.get(length).is_none_or(|byte| !byte.is_ascii_alphanumeric()).then_some(length)
}

fn is_lower_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Matches `%` or `%4` at the end.
pub(super) fn ends_in_half_escape(head: &[u8]) -> bool {
    matches!(head, [.., b'%'] | [.., b'%', b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F'])
}

/// Matches `amp;`, or `name=` with a name that may hold `[ ] %`.
fn starts_parameter(raw: &[u8]) -> bool {
    starts_name_of(raw, |byte| is_indexed_name(byte) || byte == b'%') || raw.starts_with(b"amp;")
}

/// Returns whether `head` ends in dots or a ruled line: `..`, three marks other than slashes, or
/// one of `- _ = * + ~ #` twice.
fn is_ruled_end(head: &[u8]) -> bool {
    let is_mark = |byte: &u8| !byte.is_ascii_alphanumeric() && *byte != b'/';
    head.ends_with(b"..")
        || matches!(head, [.., a, b] if a == b && b"-_=*+~#".contains(a))
        || head.len() > 2 && head[head.len() - 3..].iter().all(is_mark)
}

/// Matches `/debian`, `/ubuntu-ports`: an archive of packages. A suite follows it on a line of
/// apt's configuration.
pub(super) fn ends_in_package_archive(head: &[u8]) -> bool {
    let name = &head[memchr::memrchr(b'/', head).map_or(head.len(), |slash| slash + 1)..];
    let name = name.strip_suffix(b"-security").or_else(|| name.strip_suffix(b"-ports")).unwrap_or(name);
    matches!(name, b"debian" | b"ubuntu" | b"raspbian")
}

/// Matches `.git`, `.git/` and `.git.` at the end: only a path follows a repository.
fn ends_in_repository(head: &[u8]) -> bool {
    let name = head.strip_suffix(b".").unwrap_or(head);
    name.strip_suffix(b"/").unwrap_or(name).ends_with(b".git")
}

/// Matches `commit/`, `?id=`: a path or a query that the pages of a repository have (cgit, gitweb,
/// GitLab, Gerrit).
fn begins_view(tok: &[u8]) -> bool {
    #[rustfmt::skip]
    const VIEWS: [&[u8]; 15] = [
        b"commit", b"tree", b"log", b"plain", b"diff", b"refs", b"tag", b"snapshot", b"blob", b"about", b"patch",
        b"info", b"objects", b"-", b"+",
    ];
    let path = tok.strip_prefix(b"/").unwrap_or(tok);
    let view = path.split(|byte| matches!(byte, b'/' | b'?')).next().unwrap_or_default();
    matches!(tok, [b'?' | b'#', ..]) || VIEWS.contains(&view)
}

/// Matches `?name=` or `&name=`.
pub(super) fn starts_query(raw: &[u8]) -> bool {
    matches!(raw, [b'?' | b'&', rest @ ..] if starts_name_of(rest, is_name))
}

/// Matches `*&name=`: the value of the parameter before it is a star.
fn starts_starred(raw: &[u8]) -> bool {
    raw.strip_prefix(b"*&").is_some_and(|rest| starts_name_of(rest, is_name))
}

/// Returns the letters and digits at the start of `raw`.
pub(super) fn lead(raw: &[u8]) -> &[u8] {
    &raw[..raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()]
}

/// Matches a file extension that does not begin with a capital: `final.` + `html`.
pub(super) fn starts_extension(raw: &[u8]) -> bool {
    let lead = lead(raw);
    words::is_extension(lead) && !lead[0].is_ascii_uppercase()
}

/// Matches `page.ht` + `ml`: the next line completes half an extension.
pub(super) fn completes_extension(segment: &[u8], raw: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', segment) else { return false };
    let (half, lead) = (&segment[dot + 1..], lead(raw));
    let mut whole = [0; words::LONGEST];
    let Some(whole) = whole.get_mut(..half.len() + lead.len()) else { return false };
    if !(1..=4).contains(&half.len()) || lead.is_empty() || !half.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    whole[..half.len()].copy_from_slice(half);
    whole[half.len()..].copy_from_slice(lead);
    words::is_extension(whole)
}

/// Matches `…@host.example/T/#u`: a message identifier at the end of the body. A suffix of web
/// archives may follow it.
fn ends_in_message_id(body: &[u8]) -> bool {
    let path = match body {
        [path @ .., b'#', b'a'..=b'z'] => path,
        path => path,
    };
    let path = path.strip_suffix(b"T/").unwrap_or(path);
    let path = path.strip_suffix(b"/").unwrap_or(path);
    let length = path.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(byte)).count();
    let (before, mut domain) = path.split_at(path.len() - length);
    if before.ends_with(b"%")
        && let Some(after) = domain.strip_prefix(b"40")
    {
        domain = after;
    } else if !before.ends_with(b"@") {
        return false;
    }
    let mut labels = domain.split(|&byte| byte == b'.');
    let top = labels.next_back().unwrap_or_default();
    let is_top = top.len() > 1 && top.iter().all(u8::is_ascii_lowercase);
    is_top && domain.len() > top.len() && labels.all(|label| !label.is_empty())
}

/// Matches `?name=word` and `&name=word` at the end, where the word is lower-case letters.
fn ends_in_word_value(body: &[u8]) -> bool {
    let letters = body.iter().rev().take_while(|byte| byte.is_ascii_lowercase()).count();
    let Some(name) = body[..body.len() - letters].strip_suffix(b"=").filter(|_| letters > 0) else { return false };
    let length = name.iter().rev().take_while(|&&byte| super::tokens::is_word(byte)).count();
    length > 0 && matches!(name[..name.len() - length], [.., b'?' | b'&'])
}

/// Matches `[A-Za-z]+('[a-z]+)?`.
pub(super) fn is_word(tok: &[u8]) -> bool {
    let letters = tok.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    match &tok[letters..] {
        [] => letters > 0,
        [b'\'', rest @ ..] => letters > 0 && !rest.is_empty() && rest.iter().all(u8::is_ascii_lowercase),
        _ => false,
    }
}

/// Matches `?name=` or `&name=` anywhere. Names do not overlap, so this is one pass.
fn has_parameter(tok: &[u8]) -> bool {
    memchr::memchr2_iter(b'?', b'&', tok).any(|at| starts_name_of(&tok[at + 1..], is_name))
}

/// Returns whether a token continues the head's query, or holds the URL's whole query
/// (B-JOIN-QUERY).
pub(super) fn holds_query(head: &[u8], tok: &[u8]) -> bool {
    has_parameter_after(tok, if memchr::memchr(b'?', head).is_some() { b'&' } else { b'?' })
}

/// Matches `mark` and `name=` anywhere.
fn has_parameter_after(tok: &[u8], mark: u8) -> bool {
    memchr::memchr_iter(mark, tok).any(|at| starts_name_of(&tok[at + 1..], is_name))
}

/// Matches `%` and two hex digits anywhere.
fn has_escape(tok: &[u8]) -> bool {
    // A token with one `%` may have many, close together. Searching for each `%` would cost 40
    // instructions.
    tok.windows(3).any(|three| three[0] == b'%' && three[1].is_ascii_hexdigit() && three[2].is_ascii_hexdigit())
}

/// Returns whether `mark` stands between two letters or digits.
fn is_between(tok: &[u8], mark: u8) -> bool {
    tok.windows(3).any(|three| three[1] == mark && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric())
}

/// Matches `2/7`, and any token before ` KB` or a similar unit.
fn is_count(tok: &[u8], rest: &[u8]) -> bool {
    let is_number = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let size = rest.trim_ascii_start();
    let unit = size.strip_prefix(b"K").or_else(|| size.strip_prefix(b"M")).unwrap_or(size);
    let is_size = size.len() < rest.len()
        && unit.starts_with(b"B")
        && unit.get(1).is_none_or(|&byte| !super::tokens::is_word(byte));
    is_size || memchr::memchr(b'/', tok).is_some_and(|at| is_number(&tok[..at]) && is_number(&tok[at + 1..]))
}

/// Returns whether a token holds signs of program text that paths lack: `:: () ->`, or one of
/// `; { } $`.
fn is_code(raw: &[u8]) -> bool {
    raw.iter().any(|byte| b";{}$".contains(byte)) || raw.windows(2).any(|two| matches!(two, b"::" | b"()" | b"->"))
}

/// Returns whether blanks follow as between columns: a tab, or two blanks, unless a sentence ends
/// there. Three blanks or a tab further on are also accepted.
fn begins_columns(raw: &[u8], rest: &[u8]) -> bool {
    let blanks = rest.iter().take_while(|&&byte| byte == b' ').count();
    let is_column = blanks > 1 || rest.get(blanks) == Some(&b'\t');
    let is_sentence = matches!(raw, [.., b'.' | b',' | b';' | b':' | b'!' | b'?']);
    let words = rest.trim_ascii_start();
    is_column && !is_sentence || memchr::memchr(b'\t', words).is_some() || words.windows(3).any(|three| three == b"   ")
}

/// Matches a blank, and a letter or `(`.
fn begins_text(rest: &[u8]) -> bool {
    matches!(rest, [b' ' | b'\t', next, ..] if next.is_ascii_alphabetic() || *next == b'(')
}

#[cfg(test)]
thread_local! {
    /// The facts that applied in a test.
    pub(super) static SEEN: std::cell::RefCell<Facts> = Default::default();
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the facts of a text in which `|` is the break, and a blank or `^` ends the run. The
    /// head is `http://`, followed by the text before the break.
    fn of(text: &str) -> Facts {
        let (head, line) = text.split_once('|').unwrap();
        let head = format!("http://{head}");
        let end = line.find([' ', '^']).unwrap_or(line.len());
        let (raw, rest) = (&line.as_bytes()[..end], line[end..].trim_start_matches('^').as_bytes());
        let tok = &raw[..crate::find::end::trim::token_len(raw)];
        let alone = super::super::tokens::is_closing_only(rest);
        Sides { head: head.as_bytes(), body: &head.as_bytes()[7..], raw, tok, rest, alone }.facts()
    }

    #[test]
    pub(in crate::find::join) fn each_fact() {
        #[rustfmt::skip]
        let cases: [(Fact, &[&str], &[&str]); 24] = [
            (Fact::Alone, &["h/a|b", "h/a|b ).", "h/a|b^)"], &["h/a|b c"]),
            (Fact::Common, &["h/a|the", "h/a|Thanks a lot"], &["h/a|mill", "h/a|Mill", "h/a|X y"]),
            (Fact::Digits, &["h/1|1"], &["h/1|a", "h/a|1", "h/1|-1"]),
            (Fact::Done, &["h/a.html|b", "h/(a)|b", "h/0123456789012345678901234567890123456789|a", "h/a@b.example|c", "h/a%40b.example/T/#u|c",
                "h/a.html.|b", "h/debian|a", "h/ubuntu-ports|a", "h/debian-security|a", "h/a.git/|b/c"],
                &["h/a.html|?b", "h/a.ht|ml", "h/?a.html|b", "h.html|b", "h/a.c|b", "h/a@b|c", "h/b.example|c",
                "h/debian/|a", "h/xdebian|a", "h/debian-x|a", "h/a.git/|commit/?id=1", "h/a.git/|?p=a", "h/agit/|b"]),
            (Fact::File, &["h/a|b.html", "h/a|b.c"], &["h/a|b.html/"]),
            (Fact::Half, &["h/a.ht|ml", "h/a.h|tml", "h/?a=b.tx|t.gz"], &["h/a.|html", "h/a.ht|x", "h.ht|ml", "h/aht|ml"]),
            (Fact::Inside, &["h/a|b?c=d", "h/a|%20", "h/a|?b", "h/a|a1.html", "h/a|b_c.html", "h/a|b/c.html"], &["h/a|b.html", "h/a|b/c", "h/a|b=c"]),
            (Fact::Long, &["h/a|abcdefghijabcdefghij", "h/compare/|v1...v2"], &["h/a|abcdefghijabcdefghi", "h/compare/|v1...", "h/compare/|v1..v2", "h/a/|v1...v2"]),
            (Fact::Number, &["h/12|a", "h/?a=12|b"], &["h/1|a", "h/12|1", "h/a12|b"]),
            (Fact::Open, &["h/?a=|b", "h/?a=|*&b=c", "h/a-|b", "h/a_|b", "h/a~|b", "h/a+|%20", "h/?a&|b", "h/a?|b"],
                &["h/?a=|.b", "h/?a=|*b", "h/a-|/b", "h/?a&|b=c", "h/a/|b", "h/a_|/b"]),
            (Fact::Other, &["h/a/|(b", "h/a/|2/7", "h/a/|12 KB", "h/a/|A::B", "h/a/|f()", "h/a/|a;b", "h/a/|->b",
                "h/a/|B=c", "h/a/|b.example.com"],
                &["h/a/|2/7/1", "h/a/|b", "h/?a/|B=c", "h/?a&|B=c", "h/a/|b_(c)", "h|b.example.com", "h/?a=|*&b=c"]),
            (Fact::Path, &["h/a|b/c/d", "h/a|/b/c/"], &["h/a|b/c", "h/a|/b/c"]),
            (Fact::Plain, &["h/a|b", "h/a|/b", "h/a|12", "h/a|a-b"], &["h/a|a1", "h/a|a.b", "h/a|a-b-c", "h/a|a/b", "h/a|?b", "h/a.|html"]),
            (Fact::Point, &["h/a.|b", "h/a,|b", "h/a#|b", "h/(a)|b", "h/a;|b"], &["h/a.|html", "h/a;|b=c", "h.|b"]),
            (Fact::Ruled, &["h/a..|b", "h/a---|b", "h/a__|b", "h/a?==|b"], &["h/a-|b", "h/a//|b", "h/a__|?b=c", "h..|b"]),
            (Fact::Stub, &["h/a|b", "h/a-bc|b"], &["h/abc|b", "h/a-|b", "h/a1|b", "h/A|b", "h.de|b", "h|b"]),
            (Fact::Some, &["h/a|a1", "h/a|a.b", "h/a|a-b-c", "h/a|a/b", "h/a|a_b", "h/a|/"], &["h/a|?b", "h/a|b", "h/a|_b"]),
            (Fact::Sure, &["h/a%|20", "h/a%2|0", "h/a?|b=c", "h/a?b&|amp;c", "h/a;|b=c", "h/a.|html", "h/0123ab|cdef"],
                &["h/a.|Html", "h/a?|b", "h/0123ab|cdefg", "h/012345|cdef", "h/a|b"]),
            (Fact::Table, &["h/a|b  c", "h/a|b c   d", "h/a|b \tc"], &["h/a|b c d", "h/a|b.  C", "h/a|b  "]),
            (Fact::Text, &["h/a|b c", "h/a|b (c"], &["h/a|b 1", "h/a|b^,c", "h/a|b"]),
            (Fact::Value, &["h/?a=edit|b", "h/?a=1&b_c=edit|d"], &["h/?a=edit|b&c=d", "h/?a=Edit|b", "h/?a=|b", "h/a=edit|b", "h/?a=1|b"]),
            (Fact::Word, &["h/a|b", "h/a|it's", "h/a|Mill."], &["h/a|b1", "h/a|'b", "h/a|it'S", "h/a|b-c"]),
            (Fact::Bracket, &[], &["h/a|b"]),
            (Fact::Shallower, &[], &["h/a|b"]),
        ];
        for (fact, shown, not_shown) in cases {
            for text in shown {
                assert!(of(text).has(fact), "{fact:?} {text}");
            }
            for text in not_shown {
                assert!(!of(text).has(fact), "not {fact:?} {text}");
            }
        }
    }
}
