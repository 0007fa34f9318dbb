//! The schemes that have a grammar of their own, and the set K of spec.md section 7.

use std::fmt;

/// A scheme that RFC 1738 gives a grammar, or any other.
///
/// # Examples
///
/// ```
/// use urlgrep::url::Scheme;
///
/// assert_eq!(Scheme::from_bytes(b"FTP"), Scheme::Ftp);
/// assert_eq!(Scheme::Ftp.default_port(), Some(21));
/// assert_eq!(Scheme::from_bytes(b"https"), Scheme::Other); // it came later (G-OTHER-5)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scheme {
    /// Section 3.2, File Transfer Protocol.
    Ftp,
    /// Section 3.3, Hypertext Transfer Protocol.
    Http,
    /// Section 3.4, the Gopher protocol.
    Gopher,
    /// Section 3.5, electronic mail address.
    Mailto,
    /// Section 3.6, USENET news.
    News,
    /// Section 3.7, USENET news using NNTP access.
    Nntp,
    /// Section 3.8, reference to interactive sessions.
    Telnet,
    /// Section 3.9, Wide Area Information Servers.
    Wais,
    /// Section 3.10, host-specific file names.
    File,
    /// Section 3.11, Prospero Directory Service.
    Prospero,
    /// Any other: `otherurl` of section 5. `https` is among them (G-OTHER-5).
    Other,
}

impl Scheme {
    /// The scheme of this name, in any case (G-SCHEME-1); [`Scheme::Other`] where it is none of the ten.
    #[inline]
    #[must_use]
    pub fn from_bytes(name: &[u8]) -> Scheme {
        // The length leaves at most four names to compare with.
        match name.len() {
            3 if name.eq_ignore_ascii_case(b"ftp") => Scheme::Ftp,
            4 => match &lower_four(name) {
                b"http" => Scheme::Http,
                b"news" => Scheme::News,
                b"file" => Scheme::File,
                b"nntp" => Scheme::Nntp,
                b"wais" => Scheme::Wais,
                _ => Scheme::Other,
            },
            6 if name.eq_ignore_ascii_case(b"mailto") => Scheme::Mailto,
            6 if name.eq_ignore_ascii_case(b"gopher") => Scheme::Gopher,
            6 if name.eq_ignore_ascii_case(b"telnet") => Scheme::Telnet,
            8 if name.eq_ignore_ascii_case(b"prospero") => Scheme::Prospero,
            _ => Scheme::Other,
        }
    }

    /// The name in lower case; `other` for [`Scheme::Other`].
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Scheme::Ftp => "ftp",
            Scheme::Http => "http",
            Scheme::Gopher => "gopher",
            Scheme::Mailto => "mailto",
            Scheme::News => "news",
            Scheme::Nntp => "nntp",
            Scheme::Telnet => "telnet",
            Scheme::Wais => "wais",
            Scheme::File => "file",
            Scheme::Prospero => "prospero",
            Scheme::Other => "other",
        }
    }

    /// The port that is meant where a URL names none (G-PORT-3).
    #[must_use]
    pub const fn default_port(self) -> Option<u16> {
        match self {
            Scheme::Ftp => Some(21),
            Scheme::Http => Some(80),
            Scheme::Gopher => Some(70),
            Scheme::Nntp => Some(119),
            Scheme::Telnet => Some(23),
            Scheme::Wais => Some(210),
            Scheme::Prospero => Some(1525),
            Scheme::Mailto | Scheme::News | Scheme::File | Scheme::Other => None,
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Is it one of K, the ten schemes and https (spec.md section 7)?
#[must_use]
pub(crate) fn is_k(name: &[u8]) -> bool {
    Scheme::from_bytes(name) != Scheme::Other || name.eq_ignore_ascii_case(b"https")
}

/// Four bytes in lower case.
#[inline]
fn lower_four(name: &[u8]) -> [u8; 4] {
    match *name {
        [a, b, c, d] => [a, b, c, d].map(|byte| byte.to_ascii_lowercase()),
        _ => [0; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: [Scheme; 10] = [
        Scheme::Ftp,
        Scheme::Http,
        Scheme::Gopher,
        Scheme::Mailto,
        Scheme::News,
        Scheme::Nntp,
        Scheme::Telnet,
        Scheme::Wais,
        Scheme::File,
        Scheme::Prospero,
    ];

    #[test]
    fn names_are_read_in_any_case() {
        for scheme in TEN {
            let name = scheme.as_str();
            assert_eq!(Scheme::from_bytes(name.as_bytes()), scheme);
            assert_eq!(Scheme::from_bytes(name.to_uppercase().as_bytes()), scheme);
            assert_eq!(Scheme::from_bytes(&name.as_bytes()[1..]), Scheme::Other);
            assert_eq!(Scheme::from_bytes(format!("{name}x").as_bytes()), Scheme::Other);
            assert!(is_k(name.as_bytes()));
        }
        for name in ["", "https", "other", "url", "\x00\x00\x00\x00"] {
            assert_eq!(Scheme::from_bytes(name.as_bytes()), Scheme::Other);
        }
        assert_eq!(Scheme::from_bytes(b"hTtP"), Scheme::Http);
        assert!(is_k(b"HTTPS"));
        assert!(!is_k(b"other"));
    }

    // G-PORT-3, in the order of section 3.
    #[test]
    fn default_ports_are_those_of_section_3() {
        let ports = TEN.map(Scheme::default_port);
        assert_eq!(ports, [Some(21), Some(80), Some(70), None, None, Some(119), Some(23), Some(210), None, Some(1525)]);
    }
}
