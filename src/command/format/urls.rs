//! The URLs that a link checker can check, one per line: the input of lychee.
//!
//! ```sh
//! urlgrep audit --format urls archive.mbox > urls.txt
//! lychee -v --format json --output checked.json urls.txt
//! urlgrep audit --checked checked.json archive.mbox
//! ```
//!
//! The list has the http, https and mailto URLs whose authority some grammar accepts. A mailto URL
//! must be valid as a whole. A checker supports no other scheme, and would look up file URLs on its
//! own machine. It would misread any other authority, and check another URL. After the authority,
//! bytes that no grammar accepts are escaped as browsers do. URLs with a password are excluded,
//! since checking one would log in.
//!
//! The other readings of doubtful hyphens, and of URLs that may continue on the next line, follow
//! the links. A reading that works is the reading that was meant. Readings are excluded if the rest
//! of the archive has decided which reading was meant.
//!
//! At a URL's end, lychee regards `.`, `,`, `!`, `*` and a lone bracket or quote as punctuation. It
//! then checks the URL without that mark. So such a mark is escaped if it is the last byte, which
//! does not change the URL's meaning (the specification, section 4). Invisible characters are
//! escaped as well, as browsers do.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::{BStr, ByteSlice};
use urlgrep::report::escape;
use urlgrep::url::Generic;

use crate::command::model::ReportedLink;

/// Writes the list: first `links`, then `others`, which are the other readings. Both keep their
/// order.
pub(crate) fn write<'r>(
    links: impl IntoIterator<Item = ReportedLink<'r>>,
    others: impl IntoIterator<Item = Cow<'r, BStr>>,
    mut out: impl Write,
) -> io::Result<()> {
    let links = links.into_iter().map(|link| link.url);
    for url in links.chain(others).filter(|url| can_be_asked(url)) {
        for (start, end, character) in url.char_indices() {
            let bytes = &url[start..end];
            let is_mark = end == url.len() && ".,!*()'".contains(character) && !closes(&url);
            if is_mark || is_misfit(bytes) || !character.is_ascii() && is_escaped(bytes) {
                bytes.iter().try_for_each(|byte| write!(out, "%{byte:02X}"))?;
            } else {
                out.write_all(bytes)?;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Returns true for a character that hides or reorders text.
fn is_escaped(character: &[u8]) -> bool {
    let mut shown = Vec::new();
    escape(character, &mut shown);
    shown != character
}

/// Returns true if the URL ends with a `)` that closes a `(` of the URL.
fn closes(url: &[u8]) -> bool {
    let count = |bracket: u8| url.iter().filter(|&&byte| byte == bracket).count();
    url.ends_with(b")") && count(b'(') == count(b')')
}

/// Returns true for a byte that no grammar accepts and that browsers escape. Link checkers end a
/// URL there.
fn is_misfit(character: &[u8]) -> bool {
    matches!(character, [b' ' | b'"' | b'<' | b'>' | b'`' | b'{' | b'|' | b'}' | b'^'])
}

fn can_be_asked(url: &[u8]) -> bool {
    // A control character would end the line, and browsers read a backslash as a slash.
    if url.iter().any(|&byte| byte.is_ascii_control() || byte == b'\\') {
        return false;
    }
    let Some(generic) = Generic::parse(url).or_else(|| Generic::parse(site(url))) else { return false };
    let has_password = generic.userinfo.is_some_and(|userinfo| userinfo.contains(&b':'));
    let is_scheme = |name: &str| generic.scheme.eq_ignore_ascii_case(name.as_bytes());
    !has_password && (["http", "https", "mailto"].into_iter().any(is_scheme))
}

/// Returns the URL up to the end of its authority. A grammar may accept this part even if it
/// rejects the rest. A URL without `://` is returned whole.
fn site(url: &[u8]) -> &[u8] {
    let start = url.find(b"://").map_or(url.len(), |colon| colon + 3);
    let len = url[start..].find_byteset(b"/?#").unwrap_or(url.len() - start);
    &url[..start + len]
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn list(urls: &[&str]) -> String {
        let mut out = Vec::new();
        write(urls.iter().map(|url| samples::link(url)), [], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_what_can_be_asked() {
        assert_eq!(
            list(&[
                "http://a.example/x",
                "HTTPS://a.example?q#f",
                "http://é.example/ä",
                "mailto:joe@a.example",
                "http://joe@a.example/",
            ]),
            "http://a.example/x\nHTTPS://a.example?q#f\nhttp://é.example/ä\nmailto:joe@a.example\n\
             http://joe@a.example/\n"
        );
        assert_eq!(
            list(&[
                "ftp://a.example/",
                "gopher://a.example/1",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "http://joe:***@a.example/",
                "http://joe:@a.example/",
                "http://a.example\\@b.example/",
                "http://a.example/x\\y",
                "http://{x}.example/",
                "mailto:a@b.example?subject=x|y",
                "http://a.example/\nhttp://b.example/",
                "http://a.example/\u{1b}[2J",
                "http:///",
            ]),
            ""
        );
        assert_eq!(
            list(&["https://evil.example/a?x[]=1", "http://a.example/{x}|y^%zz", "http://a.example?<>"]),
            "https://evil.example/a?x[]=1\nhttp://a.example/%7Bx%7D%7Cy%5E%zz\nhttp://a.example?%3C%3E\n"
        );
        assert_eq!(list(&["http://a.example/\u{202e}gpj.ä"]), "http://a.example/%E2%80%AEgpj.ä\n");
    }

    #[test]
    fn a_mark_at_the_end_stays_with_the_url() {
        assert_eq!(
            list(&["http://a.example/x.", "http://a.example/x)", "http://a.example/x_(y)", "http://a.example/.x"]),
            "http://a.example/x%2E\nhttp://a.example/x%29\nhttp://a.example/x_(y)\nhttp://a.example/.x\n"
        );
    }
}
