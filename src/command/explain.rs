//! A URL in words: its errors, its parts, the steps of a client, and the findings of an audit.
//!
//! The output is for people, so everything from the URL is [escaped](urlgrep::report::escape), on a
//! terminal or not. Passwords are masked. To parse the result, use
//! [JSON](urlgrep::report::JsonFormat) instead.

use std::borrow::Cow;
use std::cmp::Reverse;

use bstr::{BString, ByteSlice};
use urlgrep::Level;
use urlgrep::Url;
use urlgrep::audit::{self, Finding, Rule, RuleOptions};
use urlgrep::url::{self, ComponentValue, Generic, ParseOptions, decode};

use super::client;
use super::format::show::{shown, width, wrap};
use super::format::text::{BOLD, RESET, color};
use super::readers::rank;

/// The most columns for prose, and for a URL with a caret below it.
const WIDTH: usize = 79;
/// The longest URL, in bytes, whose parts are listed. The list of a million segments would be a
/// hundred times as long as the URL.
const LONGEST: usize = 65_536;
/// The indent of lines below a heading.
const INDENT: &str = "  ";
const ERROR: &str = "\x1b[1m\x1b[31m";
const NOTHING_TO_SAY: &str = "audit: no finding";

/// The options of an explanation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Explain {
    /// See [`ParseOptions::other_literal`].
    pub(crate) other_literal: bool,
    /// Whether to use ANSI colours.
    pub(crate) color: bool,
    /// Whether to show passwords.
    pub(crate) show_secrets: bool,
}

impl Explain {
    /// Appends everything about a URL except the verdict. For a URL of more than 65,536 bytes it
    /// appends only the level and the place of the error.
    pub(crate) fn render(&self, url: &[u8], out: &mut Vec<u8>) {
        let options = ParseOptions::new().other_literal(self.other_literal);
        let verdict = url::judge(url, options);
        let level = ["level ", verdict.level.as_str(), ": ", meaning(verdict.level)].concat();
        if url.is_empty() {
            // No rule fires on an empty URL, and an input may hold millions of empty lines.
            self.heading(&level, out);
            return self.heading(NOTHING_TO_SAY, out);
        }
        let masked = if self.show_secrets { url.as_bstr().into() } else { audit::mask(url) };
        if let Some(error) = verdict.error {
            let at = if self.show_secrets { error.offset() } else { audit::masked_offset(url, error.offset()) };
            self.caret(&masked, at, out);
        }
        self.heading(&level, out);
        if url.len() > LONGEST {
            self.heading(&format!("{} bytes: parts are listed only up to {LONGEST} bytes", url.len()), out);
            return;
        }

        // Masking a password can make an invalid URL valid. Such a URL still has no parts.
        let parsed = if verdict.error.is_none() { Url::parse_with(&*masked, options).ok() } else { None };
        let generic = if verdict.level == Level::None { None } else { Generic::parse(&*masked) };
        if let Some(url) = &parsed {
            self.heading(&format!("parts by RFC 1738 ({})", shown(&url.scheme_str().to_ascii_lowercase())), out);
            let mut entries = Vec::new();
            url.components(|key, value| entries.push((key, value)));
            self.entries(&entries, out);
        }
        if let Some(generic) = generic.filter(|generic| parsed.is_none_or(|url| differs(&url, generic))) {
            self.heading(if generic.level() == Level::Iri { "parts by RFC 3987" } else { "parts by RFC 3986" }, out);
            self.entries(&generic_entries(&generic), out);
        }
        let steps = client::steps(parsed.as_ref(), generic.as_ref());
        if !steps.is_empty() {
            self.heading("a client", out);
            for step in steps {
                self.line(&shown(&step), out);
            }
        }
        self.findings(url, out);
    }

    /// Appends the URL, or as much of it as fits around an offset, with a caret below that offset.
    fn caret(&self, url: &[u8], at: usize, out: &mut Vec<u8>) {
        if url.is_empty() {
            return;
        }
        // Only this much can fit, so the cost does not depend on the URL's length.
        let mut start = at.saturating_sub(4 * WIDTH);
        // A start inside a character would show the rest of that character as escaped bytes.
        while start < at && start > 0 && url[start] & 0xC0 == 0x80 {
            start += 1;
        }
        let end = url.len().min(at + 4 * WIDTH);
        let (before, after) = (cells(&url[start..at]), cells(&url[at..end]));
        let room = WIDTH - INDENT.len();
        // The caret may stand after the last character, and needs a column there.
        let after_width = columns(&after).max(1);
        let right = after_width.min((room / 2).max(room.saturating_sub(columns(&before))));
        let before = fitting(before.iter().rev(), room - right, start > 0);
        let after = fitting(after.iter(), right, end < url.len());
        let mut line: String = before.iter().rev().copied().collect();
        let caret = width(&line);
        line.extend(after);
        self.line(&line, out);
        self.line(&format!("{}{}", " ".repeat(caret), self.painted(ERROR, "^")), out);
    }

    /// Appends keys and values, one per line. Absent components are listed, too, since absent is not
    /// empty.
    fn entries(&self, entries: &[NamedComponent<'_>], out: &mut Vec<u8>) {
        let mut rows = Vec::new();
        let mut absent = Vec::new();
        for (key, value) in entries {
            // If `port_text` or `port_effective` repeats the value of `port`, one row is enough. Other keys
            // with these endings are treated alike. The bytes to send are listed among the client's steps.
            let plain = key.strip_suffix("_text").or_else(|| key.strip_suffix("_effective"));
            let is_known = entries.iter().any(|(other, known)| plain == Some(other) && text(known) == text(value));
            match value {
                _ if is_known || matches!(*key, "commands" | "request") => {}
                ComponentValue::Absent => absent.push(*key),
                ComponentValue::List(items) if items.is_empty() => absent.push(*key),
                ComponentValue::List(items) => {
                    for (at, item) in items.iter().enumerate() {
                        rows.push((if at == 0 { *key } else { "" }, explained(item)));
                    }
                }
                value => rows.push((*key, explained(value))),
            }
        }
        if !absent.is_empty() {
            rows.push(("absent", absent.join(", ")));
        }
        let longest = rows.iter().map(|(key, _)| key.len()).max().unwrap_or_default();
        for (key, value) in rows {
            self.line(&format!("{key:longest$}  {value}"), out);
        }
    }

    /// Appends the findings of the rules, the worst first. The grammar's rules are omitted, since the
    /// verdict covers them.
    fn findings(&self, url: &[u8], out: &mut Vec<u8>) {
        let is_verdict = |finding: &Finding| matches!(finding.rule, Rule::Invalid | Rule::Later);
        let findings = audit::findings_of_url(url, RuleOptions::new().other_literal(self.other_literal));
        let mut findings: Vec<_> = findings.into_iter().filter(|finding| !is_verdict(finding)).collect();
        findings.sort_by_key(|finding| (Reverse(finding.severity), rank(finding.rule)));
        if findings.is_empty() {
            return self.heading(NOTHING_TO_SAY, out);
        }
        self.heading("audit", out);
        for Finding { rule, severity, message, .. } in findings {
            self.line(&format!("{} {rule}", self.painted(color(severity), severity.as_str())), out);
            for text in [&*shown(message.as_bytes()), rule.remedy()] {
                for line in wrap(text, WIDTH - 2 * INDENT.len()) {
                    self.line(&format!("{INDENT}{line}"), out);
                }
            }
        }
    }

    fn heading(&self, text: &str, out: &mut Vec<u8>) {
        out.push(b'\n');
        out.extend_from_slice(self.painted(BOLD, text).as_bytes());
        out.push(b'\n');
    }

    fn line(&self, text: &str, out: &mut Vec<u8>) {
        out.extend_from_slice(INDENT.as_bytes());
        out.extend_from_slice(text.trim_end().as_bytes());
        out.push(b'\n');
    }

    fn painted<'t>(&self, color: &str, text: &'t str) -> Cow<'t, str> {
        if self.color { format!("{color}{text}{RESET}").into() } else { text.into() }
    }
}

/// Returns the meaning of a level in words.
fn meaning(level: Level) -> &'static str {
    match level {
        Level::Rfc1738 => "a URL of RFC 1738",
        Level::Rfc1738Ref => "a URL of RFC 1738, with the fragment of RFC 1808",
        Level::Rfc3986 => "a URI of RFC 3986, but not a URL of RFC 1738",
        Level::Iri => "an IRI of RFC 3987, with non-ASCII characters",
        _ => "not a URL in any grammar",
    }
}

/// Returns true if RFC 3986 finds other parts than RFC 1738: another host, or a query other than
/// the search.
fn differs(url: &Url<'_>, generic: &Generic<'_>) -> bool {
    let mut search = ComponentValue::Absent;
    url.components(|key, value| {
        if key == "search" {
            search = value;
        }
    });
    url.host().zip(generic.host).is_some_and(|(old, new)| old != new)
        || generic.query.is_some_and(|query| search != ComponentValue::Raw(query))
}

/// A component with its name.
type NamedComponent<'u> = (&'static str, ComponentValue<'u>);

/// Returns the components by RFC 3986 or RFC 3987, with the scheme in lower case.
fn generic_entries<'u>(generic: &Generic<'u>) -> Vec<NamedComponent<'u>> {
    let Generic { scheme, userinfo, host, port, path, query, fragment, .. } = *generic;
    vec![
        ("scheme", BString::from(scheme.to_ascii_lowercase()).into()),
        ("userinfo", userinfo.into()),
        ("host", host.into()),
        ("port", port.into()),
        ("path", path.into()),
        ("query", query.into()),
        ("fragment", fragment.into()),
    ]
}

/// Returns a value as it is written; a pair has `=` between its halves.
fn text<'v>(value: &'v ComponentValue<'_>) -> Cow<'v, [u8]> {
    match value {
        ComponentValue::Raw(raw) => (***raw).into(),
        ComponentValue::Decoded(octets) => (***octets).into(),
        ComponentValue::Number(number) => number.to_string().into_bytes().into(),
        ComponentValue::Flag(flag) => flag.to_string().into_bytes().into(),
        ComponentValue::List(pair) => bstr::join("=", pair.iter().map(text)).into(),
        _ => b"".into(), // an absent component
    }
}

/// Returns a value for people: escaped, and also decoded if that makes a difference.
fn explained(value: &ComponentValue<'_>) -> String {
    let raw = text(value);
    if raw.is_empty() {
        return "(empty)".to_owned();
    }
    let decoded = decode(&raw);
    let plain = shown(&raw);
    match matches!(value, ComponentValue::Decoded(_)) || *decoded == *raw {
        true => plain.into_owned(),
        false => format!("{plain}  decoded \"{}\"", shown(&decoded)),
    }
}

/// Returns the characters as they are shown, each with its width in columns.
fn cells(text: &[u8]) -> Vec<(Cow<'_, str>, usize)> {
    let cell = |(start, end, _)| {
        let cell = shown(&text[start..end]);
        let columns = width(&cell);
        (cell, columns)
    };
    text.char_indices().map(cell).collect()
}

fn columns(cells: &[(Cow<'_, str>, usize)]) -> usize {
    cells.iter().map(|(_, columns)| columns).sum()
}

/// Returns the cells that fit, and an ellipsis if some do not fit or if `has_more`.
fn fitting<'c>(
    cells: impl ExactSizeIterator<Item = &'c (Cow<'c, str>, usize)> + Clone,
    room: usize,
    has_more: bool,
) -> Vec<&'c str> {
    let total: usize = cells.clone().map(|(_, columns)| columns).sum();
    let is_cut = has_more || total > room;
    let mut left = if is_cut { room.saturating_sub(1) } else { room };
    let mut fit = Vec::new();
    for (cell, columns) in cells {
        let Some(rest) = left.checked_sub(*columns) else { break };
        left = rest;
        fit.push(&**cell);
    }
    if is_cut {
        fit.push("…");
    }
    fit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(explain: Explain, url: &str) -> String {
        let mut out = Vec::new();
        explain.render(url.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_url_in_words() {
        let url = "ftp://joe:secret@h.example/pub/a%20b/doc;type=a#top";
        let words = "
level rfc1738-ref: a URL of RFC 1738, with the fragment of RFC 1808

parts by RFC 1738 (ftp)
  user            joe
  password        ***
  host            h.example
  hosttype        name
  port_effective  21
  path            pub/a%20b/doc  decoded \"pub/a b/doc\"
  fragment        top
  cwd             pub
                  a%20b  decoded \"a b\"
  name            doc
  type            a
  absent          port

a client
  connects to h.example, port 21
  sends USER joe
  sends PASS ***
  sends CWD pub
  sends CWD a b
  sends TYPE A
  sends RETR doc

audit
  medium A-PASSWORD
    the password of `joe` is in the text
    Change the password, and leave it out of the URL.
";
        assert_eq!(explained(Explain::default(), url), words);
        let shown = words.replace("***", "secret");
        assert_eq!(explained(Explain { show_secrets: true, ..Explain::default() }, url), shown);
        let colored = explained(Explain { color: true, ..Explain::default() }, url);
        assert!(
            colored.contains("\n\x1b[1ma client\x1b[0m\n") && colored.contains("  \x1b[33mmedium\x1b[0m A-PASSWORD\n")
        );
    }

    #[test]
    fn what_only_later_grammars_accept() {
        let words = "  HTTPS://h.example?a=%62
                   ^

level rfc3986: a URI of RFC 3986, but not a URL of RFC 1738

parts by RFC 3986
  scheme  https
  host    h.example
  path    (empty)
  query   a=%62  decoded \"a=b\"
  absent  userinfo, port, fragment

a client
  connects to h.example, port 443
  starts TLS, and checks that the server's certificate names the host
  sends GET /?a=%62

audit
  low A-OBFUSC
    %62 is just `b`
    Write the character itself.
  info A-CASE
    `HTTPS` is the same as `https`
    Write scheme and host in lower case.
";
        assert_eq!(explained(Explain::default(), "HTTPS://h.example?a=%62"), words);
        assert!(explained(Explain::default(), "http://h/é").contains("\nparts by RFC 3987\n"));
    }

    #[test]
    fn rfc_3986_is_told_where_it_finds_other_parts() {
        for (url, differs) in [
            ("http://h/a?b#c", false),
            ("https://h/a", false),
            ("https://h/a?b", true),
            ("https://a?b@c/", true),
            ("ftp://h/a?b", true),
            ("wais://h/d?s", false),
            ("mailto:a@b?c=d", true),
            ("news:1@h", false),
            ("3com:x?y", false),
        ] {
            assert_eq!(explained(Explain::default(), url).contains("parts by RFC 3986"), differs, "{url}");
        }
        let url = "sqlite:///x";
        assert!(!explained(Explain::default(), url).contains("parts by RFC 1738"));
        assert!(
            explained(Explain { other_literal: true, ..Explain::default() }, url)
                .contains("parts by RFC 1738 (sqlite)")
        );
    }

    #[test]
    fn the_parts_of_what_is_too_long_for_a_url_are_not_told() {
        let url = |segments| format!("ftp://u:p@h/{}", "a/".repeat(segments));
        let words = explained(Explain::default(), &url(32_762));
        assert!(words.contains("sends CWD a\n") && words.contains("A-PASSWORD"), "at the limit");
        let long = url(32_763);
        let words = "\nlevel rfc1738: a URL of RFC 1738\n\n65538 bytes: parts are listed only up to 65536 bytes\n";
        assert_eq!(explained(Explain::default(), &long), words);
        assert!(explained(Explain::default(), &format!("{long}~ ")).starts_with("  …"));
    }

    /// Checks that every component is shown, at least as absent, unless another row or a step repeats
    /// it.
    #[test]
    fn no_part_is_left_out() {
        for url in [
            "ftp://u:p@1.2.3.4:021/a/b;type=a#f",
            "http://h:1/p?s#f",
            "gopher://h/1s%09q%09g#f",
            "mailto:a@b",
            "news:a.b",
            "nntp://h/g/1#f",
            "telnet://u:p@h/",
            "wais://h/d/t/p",
            "file://h/a#f",
            "prospero://h/a;b=c",
            "x:y",
        ] {
            let words = explained(Explain { show_secrets: true, ..Explain::default() }, url);
            let mut entries = Vec::new();
            Url::parse(url.as_bytes()).unwrap().components(|key, value| entries.push((key, value)));
            assert!(entries.len() > 3, "{url}");
            for (key, value) in entries {
                let absent = words.lines().filter(|line| line.starts_with("  absent")).any(|line| line.contains(key));
                let row = words.lines().any(|line| line.starts_with(&format!("  {key} ")));
                let is_known =
                    matches!(key, "port_text" | "port_effective" | "gtype_effective" | "commands" | "request");
                let is_there = value != ComponentValue::Absent && value != ComponentValue::List(Vec::new());
                assert!(is_known || if is_there { row && !absent } else { absent && !row }, "{url}: {key} {value:?}");
            }
        }
        assert!(explained(Explain::default(), "ftp://h:021/").contains("  port_text  021\n"));
        assert!(explained(Explain::default(), "gopher://h/%37s").contains("  gtype_effective  7\n"));
    }

    fn caret(url: &[u8], at: usize) -> (String, String) {
        let mut out = Vec::new();
        Explain::default().caret(url, at, &mut out);
        let text = String::from_utf8(out).unwrap();
        let (line, caret) = text.trim_end().split_once('\n').unwrap();
        (line.to_owned(), caret.to_owned())
    }

    #[test]
    fn the_caret_stands_below_the_byte() {
        for (url, at, line, below) in [
            ("http://h/~x", 9, "  http://h/~x", "           ^"),
            ("http://h/%", 9, "  http://h/%", "           ^"),
            ("nntp://h", 8, "  nntp://h", "          ^"),
            ("http://日本/~", 14, "  http://日本/~", "              ^"),
            ("http://h/e\u{301}~", 12, "  http://h/e\u{301}~", "            ^"),
            ("http://h/\x1b~", 10, "  http://h/\\x1B~", "               ^"),
            ("http://h/\u{202e}~", 12, "  http://h/\\u{202e}~", "                   ^"),
        ] {
            assert_eq!(caret(url.as_bytes(), at), (line.to_owned(), below.to_owned()), "{url}");
        }
        assert_eq!(caret(b"\xFFx", 1), ("  \\xFFx".to_owned(), "      ^".to_owned()));
    }

    #[test]
    fn long_urls_are_cut_around_the_caret() {
        for unit in ["a", "é", "日", "\x1b", "e\u{301}"] {
            for (before, after) in
                [(0, 0), (1, 200), (30, 47), (200, 0), (200, 1), (200, 200), (76, 0), (77, 0), (38, 38)]
            {
                let url = format!("{}~{}", unit.repeat(before), unit.repeat(after));
                let at = unit.len() * before;
                let (line, below) = caret(url.as_bytes(), at);
                assert!(width(&line) <= WIDTH && width(&below) <= WIDTH, "{line}");
                let stand = below.len() - 1;
                assert!(below.ends_with('^') && below[..stand].bytes().all(|byte| byte == b' '));
                let (left, _) = line.split_once('~').unwrap();
                assert_eq!(width(left), stand, "{line}");
                let whole = width(&shown(url.as_bytes())) <= WIDTH - INDENT.len();
                assert_eq!(!line.contains('…'), whole, "{line}");
            }
        }
    }

    #[test]
    fn no_password_is_shown() {
        for url in [
            "http://u:Xyzzy@h/~",
            "ftp://u:Xy/Xyzzy@h/ ",
            "x:y://u:Xyzzy@h/~",
            "ftp://u:%58yzzy@h/",
            "ftp://u:Xyzzy|@h/",
        ] {
            let words = explained(Explain::default(), url);
            assert!(!words.contains("yzzy"), "{words}");
            assert!(explained(Explain { show_secrets: true, ..Explain::default() }, url).contains("yzzy"), "{url}");
        }
    }
}
