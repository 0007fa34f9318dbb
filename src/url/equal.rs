//! Equality of URLs, for de-duplication only (the specification, section 4).
//!
//! Two URLs are equal when their keys are. A key normalizes the parts that may differ without a
//! change of meaning. Scheme and host are in lower case, and a default port is removed. Escapes of
//! unreserved octets are decoded, and other escapes are in upper case. Reserved characters are
//! never decoded, except in mailto. No segment is ever removed.

use std::borrow::Cow;

use bstr::BStr;

use super::escape::{self, Component};
use super::generic::Generic;
use super::level::Level;
use super::parts::Parts;
use super::scheme::{self, Scheme};
use super::table::{HostState, Table, Url, number};
use crate::bytes::class;

/// Returns a key that is equal for texts that mean the same URL. It is [`Url::key`] by RFC 1738,
/// else [`Generic::key`] by RFC 3986 or 3987, else the text itself. It is only for de-duplication
/// (the specification, section 4).
///
/// ```
/// use urlgrep::url::equality_key;
///
/// assert_eq!(equality_key(b"HTTP://A.example:80"), equality_key(b"http://a.example/"));
/// assert_eq!(*equality_key(b"no url"), *b"no url");
/// ```
#[must_use]
pub fn equality_key(text: &[u8]) -> Cow<'_, [u8]> {
    if is_key(text) {
        return Cow::Borrowed(text);
    }
    match Url::parse_at(Level::Rfc1738Ref, text) {
        Ok(url) => Cow::Owned(url.key()),
        Err(_) => Generic::parse(text).map_or(Cow::Borrowed(text), |generic| Cow::Owned(generic.key())),
    }
}

/// Returns whether a text is certainly its own key, as most texts are. Such a text has no
/// upper-case letter where case is ignored, no escape, and no byte that needs one. If it has a
/// host, there is no port, and a slash follows the host. `false` proves nothing.
fn is_key(text: &[u8]) -> bool {
    let is_lower = |byte: u8| !byte.is_ascii_uppercase();
    let scheme_end = class::raw_run(text, 0, class::SCHEME);
    let Some((scheme, [b':', rest @ ..])) = text.split_at_checked(scheme_end) else { return false };
    let is_normal = |text: &[u8]| text.iter().all(|&byte| class::XCHAR.contains(byte) || byte == b'#');
    let is_name = |byte: u8| is_lower(byte) && (class::HOST.contains(byte) || byte == b'@');
    scheme.iter().all(|&byte| is_lower(byte))
        && match rest {
            [b'/', b'/', rest @ ..] => {
                let end = rest.iter().position(|&byte| !is_name(byte)).unwrap_or(rest.len());
                rest.get(end) == Some(&b'/') && is_normal(&rest[end..])
            }
            _ => is_normal(rest) && rest.iter().all(|&byte| is_lower(byte)),
        }
}

impl Url<'_> {
    /// Returns a key that is equal for URLs with the same meaning. It is only for de-duplication
    /// (the specification, section 4).
    ///
    /// Scheme and host become lower case, a default port is removed, and `http://h` gets a slash.
    /// Hexadecimal digits become upper case. Unreserved octets are decoded, and in mailto reserved
    /// octets, too. The key is a URL, but not meant for display.
    ///
    /// # Examples
    ///
    /// ```
    /// use urlgrep::Url;
    ///
    /// let key = |text: &'static str| Url::parse(text.as_bytes()).map(|url| url.key());
    /// assert_eq!(key("HTTP://Host:80"), key("http://host/"));
    /// assert_eq!(key("http://h/%41%2f"), key("http://h/A%2F"));
    /// assert_ne!(key("http://h/%2F"), key("http://h//"));
    /// ```
    #[must_use]
    pub fn key(&self) -> Vec<u8> {
        if self.table.is_generic
            && let Some(generic) = Generic::parse(self.bytes)
        {
            return generic.key();
        }
        let Table { scheme_end, host_start, authority_end, path_end, url_end, host, .. } = self.table;
        let mut key = Vec::with_capacity(self.bytes.len() + 1);
        push_lower(&mut key, self.scheme_str());
        key.push(b':');
        match self.parts() {
            Parts::Mailto(mailto) => {
                // Nothing is reserved, so raw and encoded octets are equal (G-MAILTO-3).
                key.extend_from_slice(&escape::encode(Component::MailtoAddress, &mailto.local()));
                key.push(b'@');
                push_lower(&mut key, &escape::encode(Component::MailtoAddress, &mailto.domain().to_ascii_lowercase()));
            }
            _ if host == HostState::Absent => push_normal(&mut key, self.slice(scheme_end + 1, url_end)),
            Parts::News(_) => {
                push_normal(&mut key, self.slice(scheme_end + 1, path_end + 1));
                push_lower(&mut key, self.slice(host_start, url_end));
            }
            _ => {
                push_normal(&mut key, self.slice(scheme_end + 1, host_start));
                push_lower(&mut key, self.host().unwrap_or_default());
                push_port(&mut key, self.port_text(), self.scheme_str());
                // `http://h` means `http://h/`.
                if authority_end == url_end && self.scheme() == Scheme::Http {
                    key.push(b'/');
                }
                push_normal(&mut key, self.slice(authority_end, url_end));
            }
        }
        push_part(&mut key, b'#', self.fragment());
        key
    }
}

impl Generic<'_> {
    /// Returns a key like [`Url::key`], for URLs of RFC 3986 and RFC 3987.
    ///
    /// Characters that RFC 1738 forbids raw are encoded, so `http://h/~x` and `http://h/%7Ex` have
    /// the same key. An empty port is removed.
    #[must_use]
    pub fn key(&self) -> Vec<u8> {
        /// Most keys, without their path, are at most this long. A key that grows byte by byte is
        /// allocated three times.
        const USUAL: usize = 64;
        let mut key = Vec::with_capacity(self.path.len() + USUAL);
        push_lower(&mut key, self.scheme);
        key.push(b':');
        if let Some(host) = self.host {
            key.extend_from_slice(b"//");
            if let Some(userinfo) = self.userinfo {
                push_normal(&mut key, userinfo);
                key.push(b'@');
            }
            if host.starts_with(b"[") {
                push_lower(&mut key, host);
            } else {
                // Normalization may decode upper-case letters, so lower case comes second.
                let start = key.len();
                push_normal(&mut key, host);
                lower_raw(&mut key[start..]);
            }
            push_port(&mut key, self.port.filter(|port| !port.is_empty()), self.scheme);
        }
        if self.path.is_empty() && Scheme::from_bytes(self.scheme) == Scheme::Http {
            key.push(b'/');
        }
        push_normal(&mut key, self.path);
        push_part(&mut key, b'?', self.query);
        push_part(&mut key, b'#', self.fragment);
        key
    }
}

fn push_lower(key: &mut Vec<u8>, text: &[u8]) {
    key.extend(text.iter().map(u8::to_ascii_lowercase));
}

/// Converts the letters of a normalised text to lower case, but not the digits of its escapes.
fn lower_raw(text: &mut [u8]) {
    let mut rest = text;
    while let Some(byte) = rest.first_mut() {
        let skip = if *byte == b'%' { 3 } else { 1 };
        byte.make_ascii_lowercase();
        rest = &mut rest[skip..];
    }
}

fn push_part(key: &mut Vec<u8>, delimiter: u8, part: Option<&BStr>) {
    if let Some(part) = part {
        key.push(delimiter);
        push_normal(key, part);
    }
}

/// Appends a port, unless it is the default port. For https that is 443, as in the audit
/// (G-OTHER-5, A-PORT-NONDEFAULT).
fn push_port(key: &mut Vec<u8>, port: Option<&BStr>, scheme: &[u8]) {
    let Some(digits) = port else { return };
    let default = scheme::default_port(scheme);
    if number(digits).is_some_and(|port| default.map(u64::from) == Some(port)) {
        return;
    }
    // Leading zeros are removed, but one digit must stay.
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count().min(digits.len() - 1);
    key.push(b':');
    key.extend_from_slice(&digits[zeros..]);
}

/// Appends a text with decoded escapes of unreserved octets. All other escapes are in upper case.
/// Characters that RFC 1738 forbids raw are escaped, so that the keys of both grammars agree.
fn push_normal(key: &mut Vec<u8>, text: &[u8]) {
    let mut octets = escape::octets(text);
    loop {
        let at = octets.offset();
        let Some(octet) = octets.next() else { return };
        let escaped = octets.offset() > at + 1;
        let raw = if escaped { class::UNRESERVED } else { class::XCHAR };
        if raw.contains(octet) {
            key.push(octet);
        } else {
            escape::push_escape(key, octet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bstr::ByteSlice;

    fn key(text: &str) -> Vec<u8> {
        let strict = Url::parse(text.as_bytes()).ok().map(|url| url.key());
        let loose = Generic::parse(text.as_bytes()).map(|generic| generic.key());
        // The keys agree if both grammars see the same parts.
        if let (Some(strict), Some(loose)) = (&strict, &loose)
            && !text.to_ascii_lowercase().starts_with("mailto:")
            && !text.to_ascii_lowercase().starts_with("news:")
        {
            assert_eq!(strict.as_bstr(), loose.as_bstr());
        }
        strict.or(loose).unwrap()
    }

    #[test]
    fn equal_urls_have_one_key() {
        for (one, other) in [
            ("HTTP://Host.Example/", "http://host.example/"),
            ("http://h:80/", "http://h/"),
            ("http://h:0080/", "http://h/"),
            ("http://h:08080/", "http://h:8080/"),
            ("http://h:/", "http://h/"),
            ("https://h:443/x", "https://h/x"),
            ("http://h", "http://h/"),
            ("http://h#f", "http://h/#f"),
            ("http://h/%7ejoe", "http://h/%7Ejoe"),
            ("http://h/~joe", "http://h/%7Ejoe"),
            ("http://h/%61%2D", "http://h/a-"),
            ("ftp://%75@h/%41;type=a", "ftp://u@H:21/A;type=a"),
            ("mailto:a%40H", "mailto:a@h"),
            ("mailto:a%3Fb@h", "mailto:a?b@h"),
            ("news:%41@Host", "news:A@host"),
            ("http://%41%c3%a9/", "http://a%C3%A9/"),
            ("http://é/ä", "http://%C3%A9/%c3%a4"),
            ("foo:%41", "FOO:A"),
        ] {
            assert_eq!(key(one).as_bstr(), key(other).as_bstr(), "{one} {other}");
        }
    }

    #[test]
    fn different_urls_have_different_keys() {
        for (one, other) in [
            ("http://h/a", "http://h/A"),
            ("http://h/%2F", "http://h//"),
            ("http://h/a%3Bb", "http://h/a;b"),
            ("http://h/?", "http://h/"),
            ("http://h/#", "http://h/"),
            ("http://h/a/../b", "http://h/b"),
            ("http://h:8080/", "http://h/"),
            ("ftp://h", "ftp://h/"),
            ("ftp://@h/", "ftp://h/"),
            ("ftp://u:@h/", "ftp://u@h/"),
            ("news:a.b", "news:A.b"),
            ("mailto:A@h", "mailto:a@h"),
            ("gopher://h/1a%09", "gopher://h/1a"),
            ("http://h:0/", "http://h/"),
        ] {
            assert_ne!(key(one).as_bstr(), key(other).as_bstr(), "{one} {other}");
        }
    }

    #[test]
    fn what_is_taken_for_a_key_is_one() {
        #[rustfmt::skip]
        let parts = [
            "http", "https", "ftp", "news", "mailto", "file", "prospero", "x", "H", "://", "://", ":", "//", "/", "/", "h.example",
            "a", "@", ":80", ":21", ":", "?", "#", "%41", "~", ".", "..", "é", " ", ";type=a", "=", "&", "subject=", "[::1]", "\\",
        ];
        let mut rng = fastrand::Rng::with_seed(4);
        let mut keys = 0;
        for _ in 0..200_000 {
            let mut text = String::from(
                *rng.choice(&["http://h", "https://h/", "ftp://u@h/", "news:", "mailto:a@b", ""]).unwrap(),
            );
            (0..rng.usize(..7)).for_each(|_| text.push_str(rng.choice(parts).unwrap()));
            let text = text.as_bytes();
            if is_key(text) {
                let strict = Url::parse(text).ok().map(|url| url.key());
                let key = strict.or_else(|| Some(Generic::parse(text)?.key()));
                assert_eq!(key.as_deref().unwrap_or(text).as_bstr(), text.as_bstr());
                keys += 1;
            }
        }
        assert!(keys > 20_000, "{keys}");
        for text in ["http://h.example/A?b=c#d", "news:a.b", "news:1.x@h.example", "mailto:a@h", "ftp://u@h/x;type=a"] {
            assert!(is_key(text.as_bytes()), "{text}");
        }
        for text in
            ["http://h", "http://H/", "http://h:80/", "http://h/%7E", "http://h/~", "news:a@H", "HTTP://h/", "x"]
        {
            assert!(!is_key(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn a_key_is_its_own_key() {
        for text in
            ["HTTP://H:80?x", "ftp://U%3a@H/%7e", "mailto:%22a%40b%22@C", "news:%3C@H", "foo:%2f%41", "http://H"]
        {
            let once = key(text);
            assert_eq!(key(std::str::from_utf8(&once).unwrap()).as_bstr(), once.as_bstr(), "{text}");
        }
    }
}
