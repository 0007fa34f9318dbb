//! URLs in a form that no software recognises as a link. People paste them into tickets and chats
//! about an attack.

use bstr::ByteSlice;

use crate::find::TWINS;
use crate::url::scheme_of;

/// Appends the URL in a form that is not a link: `hxxp://d[.]example/x`,
/// `mailto[:]joe[@]d[.]example`, `javascript[:]f()`.
///
/// A scheme with a harmless twin, such as `hxxp`, is replaced by that twin (B-REFANG). The colon of
/// any other scheme is bracketed. The dots and the `@` of an authority or a mail address are
/// bracketed. Dots after them are kept. A URL within the URL gets its `://` bracketed.
///
/// Takes time linear in the length of the URL.
///
/// ```
/// let mut shown = Vec::new();
/// urlgrep::report::defang(b"http://h.example/a.b", &mut shown);
/// assert_eq!(shown, b"hxxp://h[.]example/a.b");
/// ```
pub fn defang(url: &[u8], out: &mut Vec<u8>) {
    let scheme = scheme_of(url).map(|scheme| scheme.as_bytes());
    let rest = scheme.map_or(url, |scheme| &url[scheme.len() + 1..]);
    let has_twin = scheme.is_some_and(|scheme| TWINS.iter().any(|name| scheme.eq_ignore_ascii_case(name.as_bytes())));
    match scheme {
        Some(scheme) if has_twin => {
            let twin = |byte| match byte {
                b't' => b'x',
                b'T' => b'X',
                byte => byte,
            };
            out.extend(scheme.iter().copied().map(twin));
            out.push(b':');
        }
        Some(scheme) => out.extend_from_slice(&[scheme, b"[:]"].concat()),
        None => {}
    }
    let rest = rest.strip_prefix(b"//").inspect(|_| out.extend_from_slice(b"//")).unwrap_or(rest);
    let has_authority = has_twin || scheme.is_none() || out.ends_with(b"//");
    let end = rest.iter().position(|byte| b"/?#\\".contains(byte)).unwrap_or(rest.len());
    // Without an authority, only an address, which has an `@`, needs brackets.
    let end = if has_authority || rest[..end].contains(&b'@') { end } else { 0 };
    let mut at = 0;
    while at < rest.len() {
        match rest[at] {
            _ if rest[at..].starts_with(MARK) => {
                out.extend_from_slice(b"[://]");
                at += MARK.len();
                continue;
            }
            byte if at < end => defang_host(&[byte], out),
            byte => out.push(byte),
        }
        at += 1;
    }
}

/// The mark between a scheme and an authority.
const MARK: &[u8] = b"://";

/// Appends a host or an address with its dots and its `@` in brackets.
pub(super) fn defang_host(host: &[u8], out: &mut Vec<u8>) {
    for &byte in host {
        match byte {
            b'.' => out.extend_from_slice(b"[.]"),
            b'@' => out.extend_from_slice(b"[@]"),
            byte => out.push(byte),
        }
    }
}

/// Appends a text, with brackets around every `://`.
pub(super) fn defang_text(text: &[u8], out: &mut Vec<u8>) {
    let mut plain = 0;
    for at in memchr::memmem::find_iter(text, MARK) {
        out.extend_from_slice(&text[plain..at]);
        out.extend_from_slice(b"[://]");
        plain = at + MARK.len();
    }
    out.extend_from_slice(&text[plain..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_is_left() {
        for (url, expected) in [
            ("http://d.example/a.b?c.d#e.f", "hxxp://d[.]example/a.b?c.d#e.f"),
            ("HTTPS://u.v@D.example:443", "HXXPS://u[.]v[@]D[.]example:443"),
            ("ftp://192.0.2.1/x", "fxp://192[.]0[.]2[.]1/x"),
            ("ftps://h", "fxps://h"),
            ("http:d.example/x", "hxxp:d[.]example/x"),
            ("http://a.example/?u=http://b.example/", "hxxp://a[.]example/?u=http[://]b.example/"),
            ("http://a.example\\@b.example", "hxxp://a[.]example\\@b.example"),
            ("gopher://h.example/", "gopher[:]//h[.]example/"),
            ("mailto:joe.x@d.example?cc=a@b.example", "mailto[:]joe[.]x[@]d[.]example?cc=a@b.example"),
            ("news:comp.infosystems", "news[:]comp.infosystems"),
            ("javascript:location='http://h.example/'", "javascript[:]location='http[://]h.example/'"),
            ("http://http://d.example/", "hxxp://http[://]d.example/"),
            ("data:text/html,x", "data[:]text/html,x"),
            ("//d.example/x.y", "//d[.]example/x.y"),
            ("www.d.example/x.y", "www[.]d[.]example/x.y"),
            ("/x.y", "/x.y"),
            ("", ""),
        ] {
            let mut out = Vec::new();
            defang(url.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "{url}");
        }
    }
}
