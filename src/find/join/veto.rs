//! B-JOIN-V: the evidence that no weight overrides. This file also matches the heads that need no
//! card (B-JOIN-V0A, B-JOIN-V0B), and the commands of B-JOIN-CAP.
//!
//! Each test matches a small pattern, which its comment shows.

use super::breaks::Break;
use super::chain::Chain;
use super::facts::{self, Fact, Sides};
use super::host;
use super::page::is_in_starred_list;
use super::table::{NoJoin, refuse};
use super::tokens::{is_host, is_indexed_name, is_word, without_last};
use crate::find::text::lines::is_blank;
use crate::find::text::window::trim_end;
use crate::find::{schemes, start};

/// Refuses a break that a veto forbids.
pub(super) fn refuse(broken: &Break<'_>) -> Result<(), NoJoin> {
    let Break { window, url, content, sides, closed, .. } = broken;
    let Sides { head, body, raw, tok, rest, .. } = *sides;
    let Chain { line, next, opener, .. } = url;
    let text = window.text;
    let (last, first, below) = (sides.last(), sides.next(), &text[content.at..next.end]);
    let (in_authority, segment) = (sides.in_authority(), sides.segment());
    // A head that ends in one of these marks is incomplete, whatever the next line holds.
    let is_open = matches!(last, b'=' | b'&' | b'?' | b'%' | b'-');
    let has_query_mark = || tok.iter().any(|byte| b"?&=%".contains(byte));
    let before = &text[window.low..url.start];
    let is_in_quotes = matches!(opener, Some(b'"' | b'\'' | b'`'));
    let is_set = || is_setting(raw) && ends_in_name(before) && (!closed || raw.ends_with(b"="));
    // `KEY=http://h/?q=` and `OTHER=` below: a value that is empty, and the next setting.
    let is_key = || is_setting(raw) || before.ends_with(b":") && memchr::memchr(b'&', raw).is_none();
    let is_next_key = || !matches!(last, b'&' | b'?' | b'%' | b'-') && !closed && is_key() && broken.begins_equal_key();
    let is_scoped = || last.is_ascii_alphanumeric() && raw.windows(3).any(|at| matches!(at, [b':', b':', b'A'..=b'Z']));
    let marks = &text[next.start..content.at];
    let is_starred = || marks.trim_ascii_end().ends_with(b"*") && is_in_starred_list(window, line);
    let is_hash = || {
        let hash = raw.strip_prefix(b"(").unwrap_or(raw);
        facts::hex_word(hash).is_some_and(|length| matches!(length, 32 | 40 | 64)) && !facts::is_half_hash(segment)
    };
    let address = if tok.ends_with(b"//") { without_last(tok, b'/') } else { tok };
    let is_glued = || !matches!(last, b'&' | b'?') && begins_glued_url(raw);
    refuse! {
        "B-JOIN-V-URL": begins_url(below) || begins_other_url(raw) || holds_url(body, raw) || is_glued();
        "B-JOIN-V-MARKS": tok != b"/" && !tok.iter().any(u8::is_ascii_alphanumeric) || is_ruled_start(raw) || is_ruled(head);
        "B-JOIN-V-LABEL": is_label(raw) || begins_label(raw) || is_arrow(rest) || leads_to_url(rest) && !has_query_mark();
        "B-JOIN-V-FILE": sides.is_cut() && (sides.ends_in_file() || facts::ends_in_package_archive(head));
        "B-JOIN-V-ESCAPE": facts::ends_in_half_escape(head) && !completes_escape(head, raw);
        "B-JOIN-V-ESCAPE": !sides.has_query() && ends_in_soft_byte(head);
        "B-JOIN-V-HASH": !matches!(last, b'/' | b'=' | b'-') && is_hash();
        "B-JOIN-V-PATH": last == b'/' && first == b'/' || raw.starts_with(b"./") || raw.starts_with(b"../");
        "B-JOIN-V-PATH": !in_authority && is_other_path(body, raw) || repeats(body, segment, tok);
        "B-JOIN-V-ADDRESS": last != b'=' && is_address(address) && !(*closed && memchr::memchr(b'?', head).is_some());
        "B-JOIN-V-CODE": is_roff_request(&text[next.clone()]) || is_directive(&text[content.unglued..next.end]) || is_in_quotes && memchr::memchr2(b'\'', b'`', head).is_some();
        "B-JOIN-V-CODE": is_next_key() || !is_open && is_set() || is_scoped() || is_requirement(raw);
        "B-JOIN-N-COMMENT": content.is_code && last != b'.' && broken.facts().has(Fact::Other);
        "B-JOIN-V-CODE": tok == b"/" && marks.ends_with(b"*");
        "B-JOIN-V-CODE": memchr::memchr(b'(', head).is_none() && is_call(below.trim_ascii_end());
        "B-JOIN-V-LIST": is_diffstat(rest) || !is_open && (is_item(broken) || is_starred());
        "B-JOIN-V-RECORD": broken.begins_stamped_record();
        "B-JOIN-V-HOST": in_authority && !host::continues(body, raw, tok) && !(host::is_cut(body, tok) && broken.is_filled());
    }
    Ok(())
}

/// Returns whether the next line is an item of a list. A dash that was read as a marker also begins
/// an item. `2)` is an item without text, too, if no opener stands before the URL.
fn is_item(broken: &Break<'_>) -> bool {
    let Break { window, url, content, sides, .. } = broken;
    let next = &url.next;
    let text = window.text;
    let is_number = sides.raw.len() < 3 && sides.raw.iter().all(u8::is_ascii_digit);
    let marks = &text[next.start..content.at];
    let is_dashed = || {
        let dash = marks.iter().position(|byte| !b"> \t".contains(byte));
        dash.is_some_and(|dash| marks[dash] == b'-' && is_list_item(&text[next.start + dash..next.end]))
    };
    is_list_item(&text[content.at..next.end])
        || is_number && sides.rest.starts_with(b")") && url.opener.is_none()
        || is_dashed()
}

/// Returns whether the lines below are a list of files. The head must be a directory, or the next
/// line must be indented deeper. Each of the two lines below must be one token. The widths of the
/// next line and the broken line must differ by three columns or more.
pub(super) fn is_files(broken: &Break<'_>) -> bool {
    let Break { window, url, content, sides, .. } = broken;
    let Chain { markers, line, next, .. } = url;
    let indent = window.indent(next.start, content.at);
    if !sides.rest.is_empty() || sides.last() != b'/' && indent <= broken.own_indent() {
        return false;
    }
    let Some(below) = window.lines_after(next.end).next() else { return false };
    let found = markers.content(window.text, below.start, below.end);
    let token = trim_end(&window.text[found.at..below.end]);
    let is_one = !token.is_empty() && !token.iter().any(|&byte| matches!(byte, b' ' | b'\t'));
    is_one
        && found.depth == content.depth
        && window.indent(below.start, found.at) == indent
        && !sides.tok.last().is_none_or(|byte| b"/-_=+%&?".contains(byte))
        && memchr::memmem::find(token, b"://").is_none()
        && !begins_url(token)
        && window.width(next.clone()).abs_diff(window.width(line.clone())) > 2
}

/// Matches `<?(url:)?([a-z][a-z0-9+.-]*://|mailto:|news:|www.|ftp.)` and the forms of B-OPAQUE, in
/// any case: the line begins with a URL.
pub(super) fn begins_url(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"<").unwrap_or(line);
    begins_plain_url(line) || strip(line, b"url:").is_some_and(begins_plain_url)
}

/// Returns whether the line begins with a URL, without a bracket or `url:` before it.
fn begins_plain_url(line: &[u8]) -> bool {
    if start::begins_form(line) {
        return true;
    }
    let other: &[u8] = match line.first().map(u8::to_ascii_lowercase) {
        Some(b'm') => b"mailto:",
        Some(b'n') => b"news:",
        Some(b'w') => b"www.",
        Some(b'f') => b"ftp.",
        Some(b'a'..=b'z') => return begins_slashed(line, 0),
        _ => return false,
    };
    strip(line, other).is_some() || begins_slashed(line, 0)
}

/// Matches `[a-z][a-z0-9+.-]*://`, with at least `more` characters after the first one.
fn begins_slashed(bytes: &[u8], more: usize) -> bool {
    let length = bytes.iter().take_while(|&&byte| schemes::is_scheme_byte(byte)).count();
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && length > more && bytes[length..].starts_with(b"://")
}

/// Matches `http:/`, `http./`, `11https://`, `host.example:path`, `git@host.example:/path`: a URL,
/// or nearly a URL.
fn begins_other_url(raw: &[u8]) -> bool {
    let name = &raw[raw.iter().take_while(|byte| byte.is_ascii_digit()).count()..];
    let almost = [&b"https"[..], b"http", b"ftp"].iter().find_map(|scheme| strip(name, scheme));
    if matches!(almost, Some([b':' | b'.', b'/', ..])) {
        return true;
    }
    let Some(colon) = memchr::memchr(b':', raw) else { return false };
    let is_path = raw.get(colon + 1).is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'~'));
    let (user, host) = match memchr::memchr(b'@', &raw[..colon]) {
        Some(at) => (Some(&raw[..at]), &raw[at + 1..colon]),
        None => (None, &raw[..colon]),
    };
    let is_user = |user: &[u8]| !user.is_empty() && user.iter().all(|&byte| is_word(byte) || b".-".contains(&byte));
    let mut labels = host.split(|&byte| byte == b'.');
    let top = labels.next_back().unwrap_or_default();
    is_path
        && user.is_none_or(is_user)
        && top.len() > 1
        && top.len() < host.len()
        && top.iter().all(u8::is_ascii_alphabetic)
        && host.iter().all(|&byte| is_host(byte))
        && labels.all(|label| !label.is_empty())
}

/// Matches `git::https://`, `URL[de]=https://` and `KEY="https://`: a URL glued behind a prefix.
fn begins_glued_url(raw: &[u8]) -> bool {
    let Some(colon) = memchr::memmem::find(raw, b"://") else { return false };
    let scheme = raw[..colon].iter().rev().take_while(|&&byte| schemes::is_scheme_byte(byte)).count();
    let is_sign = |byte: &u8| b"=:;\"'".contains(byte);
    let (prefix, scheme) = raw[..colon].split_at(colon - scheme);
    scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && prefix.last().is_some_and(is_sign)
        && prefix.iter().all(|byte| is_indexed_name(*byte) || *byte == b'+' || is_sign(byte))
}

/// Returns whether `raw` holds a scheme and `://` before any `? # =`, and `body` has none of
/// `? # ://`.
fn holds_url(body: &[u8], raw: &[u8]) -> bool {
    let end = memchr::memchr3(b'?', b'#', b'=', raw).unwrap_or(raw.len());
    let follows_scheme = |at: usize| {
        let scheme = raw[..at].iter().rev().take_while(|&&byte| schemes::is_scheme_byte(byte));
        scheme.into_iter().any(u8::is_ascii_alphabetic)
    };
    memchr::memmem::find_iter(&raw[..end], b"://").any(follows_scheme)
        && memchr::memchr2(b'?', b'#', body).is_none()
        && memchr::memmem::find(body, b"://").is_none()
}

/// Matches one of `- = * _ ~ + # .` twice at the start, a ruled line, or `[-Woption`.
fn is_ruled_start(raw: &[u8]) -> bool {
    matches!(raw, [a, b, ..] if a == b && b"-=*_~+#.".contains(a)) || raw.starts_with(b"[-")
}

/// Matches one mark five times at the end: a ruled line.
fn is_ruled(head: &[u8]) -> bool {
    matches!(head, [.., a, b, c, d, e] if !a.is_ascii_alphanumeric() && [b, c, d, e] == [a; 4])
}

/// Matches `Some-Name:`, `[12]:` and `[12]http:`, whatever follows.
fn begins_label(raw: &[u8]) -> bool {
    if raw.starts_with(b"[") {
        let Some(close) = memchr::memchr(b']', raw) else { return false };
        let after = &raw[close + 1..];
        return after.starts_with(b":")
            || [&b"http:"[..], b"https:", b"ftp:"].iter().any(|name| strip(after, name).is_some());
    }
    let Some(colon) = memchr::memchr(b':', raw) else { return false };
    let is_capitalized =
        |part: &[u8]| part.iter().all(u8::is_ascii_alphabetic) && part.first().is_some_and(u8::is_ascii_uppercase);
    memchr::memchr(b'-', &raw[..colon]).is_some() && raw[..colon].split(|&byte| byte == b'-').all(is_capitalized)
}

/// Matches ` -> `, ` => `, ` = `, ` := ` and ` : ` after a name.
fn is_arrow(rest: &[u8]) -> bool {
    let sign = rest.trim_ascii_start();
    let is_sign = |sign: &&[u8]| matches!(*sign, b"->" | b"=>" | b"=" | b":=" | b":");
    let word = sign.split(|&byte| is_blank(byte)).next().unwrap_or_default();
    sign.len() < rest.len() && word.len() < sign.len() && is_sign(&word)
}

/// Returns whether `raw` completes the half escape at the end of `head`.
fn completes_escape(head: &[u8], raw: &[u8]) -> bool {
    let count = if head.ends_with(b"%") { 2 } else { 1 };
    raw.get(..count).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

/// Matches `=20`, `=0A`, `=0D` at the end: quoted-printable text that was not decoded.
fn ends_in_soft_byte(head: &[u8]) -> bool {
    matches!(head, [.., b'=', b'2', b'0'] | [.., b'=', b'0', b'A' | b'D'])
}

/// Returns whether `raw` is another path on the host of `body`. Its first segment, between slashes,
/// is also the first segment of `body`.
fn is_other_path(body: &[u8], raw: &[u8]) -> bool {
    let segment = |path: &[u8]| Some(memchr::memchr(b'/', path.get(1..)?)? + 2);
    match (segment(raw), memchr::memchr(b'/', body)) {
        (Some(length), Some(path)) => raw[0] == b'/' && body[path..].starts_with(&raw[..length]),
        _ => false,
    }
}

/// Returns whether the head already ends in the token.
fn repeats(body: &[u8], segment: &[u8], tok: &[u8]) -> bool {
    let kept = segment.iter().rposition(|byte| !b".,".contains(byte)).map_or(0, |last| last + 1);
    tok.len() > 3 && (segment[..kept] == *tok || tok.len() > 4 && tok[0] == b'/' && body.ends_with(tok))
}

/// Matches `call('…`, `call(…);` and `call() {`: a call or a function in a program.
fn is_call(line: &[u8]) -> bool {
    let length = line.iter().take_while(|&&byte| is_word(byte) || b".:".contains(&byte)).count();
    let Some(arguments) = line[length..].strip_prefix(b"(").filter(|_| length > 0) else { return false };
    let closed = || {
        let end = memchr::memchr2(b'(', b')', arguments)?;
        Some(arguments[end] == b')' && matches!(&arguments[end + 1..], [] | b";" | b" {"))
    };
    matches!(arguments, [b'\'' | b'"', ..]) || closed().unwrap_or(false)
}

/// Matches `name==1.2`: a version that a list of packages requires.
fn is_requirement(raw: &[u8]) -> bool {
    let length = raw.iter().take_while(|&&byte| is_indexed_name(byte) || byte == b',').count();
    length > 0 && matches!(raw[length..], [b'=' | b'~' | b'!' | b'<' | b'>', b'=', b'0'..=b'9', ..])
}

/// Returns whether `bytes` begins with a scheme of 2-32 characters and `://`, with `mailto:` or
/// with `news:`.
pub(super) fn begins_scheme(bytes: &[u8]) -> bool {
    let reach = &bytes[..bytes.len().min(35)];
    begins_slashed(reach, 1) || strip(bytes, b"mailto:").is_some() || strip(bytes, b"news:").is_some()
}

/// Matches `prefix` in any case. Returns the bytes after it.
fn strip<'t>(bytes: &'t [u8], prefix: &[u8]) -> Option<&'t [u8]> {
    let (head, rest) = bytes.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// Matches `[A-Za-z][\w/.+{}[]()#-]*:` and nothing more, or `[A-Z][A-Za-z-]+:[^/0-9]`:
/// `OS/Version:`, `X-Foo{3}:`, `Date:x`.
fn is_label(raw: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', raw) else {
        return false;
    };
    let name = &raw[..colon];
    match raw.get(colon + 1) {
        None => {
            name.first().is_some_and(u8::is_ascii_alphabetic)
                && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_/.+-{}[]()#".contains(byte))
        }
        Some(&after) => {
            name.len() > 1
                && name[0].is_ascii_uppercase()
                && name.iter().all(|&byte| byte.is_ascii_alphabetic() || byte == b'-')
                && after != b'/'
                && !after.is_ascii_digit()
        }
    }
}

/// Returns whether the line begins with the mark of a list item, a blank and text: `1.` `2)` `7/`
/// `a)` `iv.` `(b):` `[3]` `3.2.2.` `*` `-` `+` `o`.
pub(super) fn is_list_item(line: &[u8]) -> bool {
    let then_text = |length: usize| {
        let rest = &line[length..];
        let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        blanks > 0 && rest.get(blanks).is_some_and(|&byte| byte != b'\r' && byte != b'\n')
    };
    match line {
        [b'-' | b'*' | b'+', ..] => return then_text(1),
        [b'[', ..] => {
            return memchr::memchr2(b']', b' ', line).is_some_and(|at| line[at] == b']' && then_text(at + 1));
        }
        [b'o', b' ' | b'\t', ..] => return then_text(1),
        _ => {}
    }
    let open = usize::from(line.first() == Some(&b'('));
    let number = &line[open..];
    let digits = |from: usize| number[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut levels = digits(0);
    let mut last = levels;
    while (1..=3).contains(&last) && number.get(levels) == Some(&b'.') && digits(levels + 1) > 0 {
        last = digits(levels + 1);
        levels += 1 + last;
    }
    let roman = number.iter().take_while(|byte| b"ivx".contains(byte)).count();
    let letter = usize::from(number.first().is_some_and(u8::is_ascii_alphabetic));
    let marked =
        |length: usize| number.get(length).is_some_and(|byte| b".)]/:".contains(byte)) && then_text(open + length + 1);
    match last {
        1..=3 => marked(levels),
        0 => letter == 1 && (marked(1) || matches!(roman, 2..=4) && marked(roman)),
        _ => false,
    }
}

/// Matches `[\w.+-]+@[\w-]+(.[\w-]+)+` and nothing more: an e-mail address.
fn is_address(tok: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'@', tok) else {
        return false;
    };
    let is_label = |byte: u8| is_word(byte) || byte == b'-';
    let (local, domain) = (&tok[..at], &tok[at + 1..]);
    !local.is_empty()
        && local.iter().all(|&byte| is_label(byte) || byte == b'.' || byte == b'+')
        && memchr::memchr(b'.', domain).is_some()
        && domain.split(|&byte| byte == b'.').all(|label| !label.is_empty() && label.iter().all(|&byte| is_label(byte)))
}

/// Matches `NAME=`, `NAME="`: a name and `=` right before a URL. The name may be `a[1]` or `$(a)`.
fn ends_in_name(before: &[u8]) -> bool {
    match before {
        [.., name, b'='] | [.., name, b'=', b'"' | b'\''] => is_word(*name) || matches!(name, b']' | b')'),
        _ => false,
    }
}

/// Matches `[A-Za-z_][\w:.-]*=`, and no `&` after it: `KEY=value`, `xmlns:name=value`.
fn is_setting(raw: &[u8]) -> bool {
    let length = raw.iter().take_while(|&&byte| is_word(byte) || b":.-".contains(&byte)).count();
    raw.first().is_some_and(|&first| is_word(first) && !first.is_ascii_digit())
        && raw.get(length) == Some(&b'=')
        && memchr::memchr(b'&', raw).is_none()
}

/// Matches a roff request, as `.XX` or `.br`, at the start of a line.
fn is_roff_request(line: &[u8]) -> bool {
    let Some(line) = line.strip_prefix(b".") else { return false };
    let name = &line[..line.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count()];
    let is_parted = line.get(name.len()).is_none_or(u8::is_ascii_whitespace);
    is_parted
        && match name {
            b"br" | b"fi" | b"nf" | b"sp" | b"in" | b"ti" | b"ne" | b"so" => true,
            [first] => first.is_ascii_uppercase(),
            [first, second] => first.is_ascii_uppercase() && !second.is_ascii_lowercase(),
            _ => false,
        }
}

/// Matches a directive of the C preprocessor, as `#if` or `# define`.
fn is_directive(line: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: [&[u8]; 14] = [
        b"if", b"ifdef", b"ifndef", b"elif", b"else", b"endif", b"define", b"undef", b"include", b"error", b"pragma",
        b"line", b"warning", b"import",
    ];
    let Some(line) = line.strip_prefix(b"#") else { return false };
    let line = line.trim_ascii_start();
    let length = line.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    NAMES.contains(&&line[..length]) && line.get(length).is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'(')
}

/// Matches ` | 6`, ` | Bin`: the text after a file's name in a diffstat.
fn is_diffstat(rest: &[u8]) -> bool {
    let Some(count) = rest.trim_ascii_start().strip_prefix(b"|") else { return false };
    let word = count.trim_ascii_start();
    let number = &word[..word.iter().take_while(|&&byte| is_word(byte)).count()];
    let is_parted = is_blank(rest[0]) && word.len() < count.len();
    is_parted && !number.is_empty() && (number.iter().all(u8::is_ascii_digit) || number == b"Bin")
}

/// Matches `git clone --depth=1 '`: a command right before its argument, the URL. The next argument
/// of the command may follow the URL (B-JOIN-CAP).
pub(super) fn ends_in_command(before: &[u8]) -> bool {
    let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    if !before.last().is_some_and(u8::is_ascii_whitespace) {
        return false;
    }
    let words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut words = words.skip_while(|word| word.starts_with(b"-"));
    let mut next = || words.next().unwrap_or_default();
    let (verb, before_verb) = (next(), next());
    match verb {
        b"clone" => is_program(before_verb, b"git") || is_program(before_verb, b"hg"),
        b"pull" | b"fetch" => is_program(before_verb, b"git"),
        b"co" | b"checkout" | b"export" | b"switch" => is_program(before_verb, b"svn"),
        b"branch" => is_program(before_verb, b"bzr"),
        _ => before_verb == b"add" && next() == b"remote" && is_program(next(), b"git"), // `verb` is the remote's name
    }
}

/// Matches `git`, `/usr/bin/git`, `$(git`
fn is_program(word: &[u8], name: &[u8]) -> bool {
    word.strip_suffix(name).is_some_and(|path| !path.last().is_some_and(|&byte| is_word(byte)))
}

/// Returns whether a blank and a URL follow the token. If so, the token is the URL's label. A sign
/// like `-->`, `:` or `=`, or a leader of dots, may stand between the blank and the URL.
fn leads_to_url(rest: &[u8]) -> bool {
    if !rest.first().is_some_and(|&byte| is_blank(byte)) {
        return false;
    }
    let skip = |bytes: &mut &[u8], set: &[u8]| {
        let length = bytes.iter().take_while(|byte| set.contains(byte)).count();
        *bytes = &bytes[length..];
    };
    let mut rest = match memchr::memmem::find(rest, b".. ") {
        Some(leader) => &rest[leader..],
        None => rest,
    };
    skip(&mut rest, b" \t");
    skip(&mut rest, b"-=:>|.");
    skip(&mut rest, b" \t");
    let rest = rest.strip_prefix(b"<").unwrap_or(rest);
    begins_slashed(rest, 0) || strip(rest, b"url:").is_some_and(|rest| begins_slashed(rest, 0))
}

/// Matches `scheme:` and nothing more, for a scheme of K that takes `//` (B-JOIN-V0A).
pub(super) fn is_bare_scheme(head: &[u8]) -> bool {
    matches!(head, [name @ .., b':'] if schemes::is_slashed_file(name).is_some())
}

/// Matches `scheme://` and nothing more (B-JOIN-V0B).
pub(super) fn is_bare_slashes(head: &[u8]) -> bool {
    begins_slashed(head, 0) && memchr::memchr(b':', head) == Some(head.len() - 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(test: impl Fn(&[u8]) -> bool, expected: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(test(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn urls() {
        all(
            begins_url,
            true,
            &["http://h", "<http://h", "URL:http://h", "<url:x://h", "mailto:", "News:x", "www.h", "ftp.h", "url://h"],
        );
        all(begins_url, false, &["", "http:h", "a b://", "//h", "1a://h", "url:h", "index.html", "wwww.h"]);
        all(begins_scheme, true, &["ab://h", "MAILTO:x", "news:x"]);
        all(begins_scheme, false, &["a://h", "www.h", "http:h", "a23456789012345678901234567890123://h"]);
        all(begins_scheme, true, &["a2345678901234567890123456789012://h"]);
        all(is_bare_scheme, true, &["http:", "HTTPS:", "prospero:"]);
        all(is_bare_scheme, false, &["http", "mailto:", "foo:", "http://", ":"]);
        all(is_bare_slashes, true, &["http://", "foo+bar://", "x://"]);
        all(is_bare_slashes, false, &["://", "http:", "http://h", "http:///", "a://b://"]);
        all(leads_to_url, true, &[" http://h", " --> http://h", " : <URL:ftp://h", " = x://", "\t|\turl:x://h"]);
        all(leads_to_url, false, &["", "<http://h", " see http://h", "- - http://h", " mailto:x", " //h"]);
    }

    #[test]
    fn labels() {
        all(is_label, true, &["Word:", "OS/Version:", "X-Foo{3}:", "a:", "Date:x", "Re-Sent:("]);
        all(is_label, false, &["", ":", "word", "1:", "a:b", "Date:1", "Http://x", "D:x", "a=b:", "OS/V:x"]);
    }

    #[test]
    fn list_items() {
        all(
            is_list_item,
            true,
            &[
                "1. x", "22) x", "7/ x", "a) x", "iv.\tx", "xiii: x", "(b) x", "(3]  x", "[3] x", "[] x", "* x", "- x",
                "+ x", "o x", "3.2.2. x", "(1.2. x",
            ],
        );
        all(
            is_list_item,
            false,
            &[
                "", "1.x", "1. ", "1234. x", "ab) x", "ivxiv. x", "[3 4] x", "[3]x", "*x", "o", "ox y", "(1 x", "1",
                "((1) x", "(* x",
            ],
        );
    }

    #[test]
    fn addresses() {
        all(is_address, true, &["graham@example.com", "a.b+c-d_e@x-y.z", "a@b.c.d"]);
        all(is_address, false, &["", "a", "@b.c", "a@b", "a@.c", "a@b.", "a@b..c", "a@b@c.d", "a/b@c.d", "a@b.c/d"]);
    }

    #[test]
    fn settings() {
        all(ends_in_name, true, &["export URL=", "_a1=\"", "xmlns:x='", "a[1]=", "$(a)="]);
        all(ends_in_name, false, &["", "=", "a =", "a=\"'", "a= ", "/=", "a"]);
        all(is_setting, true, &["Modified=E08", "b=", "xmlns:a.b-c=d"]);
        all(is_setting, false, &["a=b&c=d", "c", "1=x", "=x", "a/b=c", ""]);
    }

    #[test]
    fn lines_of_programs() {
        all(is_roff_request, true, &[".SH SEE ALSO", ".B", ".P1", ".br", ".sp\t2"]);
        all(is_roff_request, false, &["", ".", ".html", ".ABC", ".Sh x", ".bx", ".br.x", " .SH", ".S/x"]);
        all(is_directive, true, &["#endif", "# define X", "#if(x)", "#include\t<x>"]);
        all(is_directive, false, &["", "#", "endif", "#endif.html", "#define-x", "#iffy", "# x"]);
        all(is_diffstat, true, &[" | 6 ++--", "\t|  12", " | Bin 0 -> 4 bytes"]);
        all(is_diffstat, false, &["", " ", " |", "| 6", " |6", " | six", " | 6th", " | Binary"]);
        all(is_call, true, &["f('x')", "a.b(\"x", "f(x)", "f(x);", "f()", "f() {"]);
        all(is_call, false, &["", "f", "f(x) y", "(x)", "f(g(x))", "wiki/F_(x)"]);
    }

    #[test]
    fn arguments() {
        all(
            ends_in_command,
            true,
            &[
                "git clone ",
                "$ git clone --depth=1 -q\n  ",
                "(git pull '",
                "/usr/bin/git fetch \"",
                "git remote add origin ",
                "svn co ",
                "svn switch --relocate\t",
                "hg clone ",
                "bzr branch ",
            ],
        );
        all(
            ends_in_command,
            false,
            &["", "git clone", "git clone x ", "legit clone ", "git ", "clone ", "svn clone ", "remote add x ", "' "],
        );
    }
}
