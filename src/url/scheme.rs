//! The schemes: one table with all facts about a scheme, by its name.
//!
//! The parser, the finder, the keys of equality, resolution and the reports use this table. The
//! finder's list of schemes is called K. Each scheme has one row, and one file beside this one.
//! That file has the scheme's grammar (`parse`), its view, and the names of its components
//! (`components`).

use bstr::{BStr, ByteSlice};

use crate::bytes::class;

/// Passes the rows of the ten schemes to the macro `$then`.
///
/// Names are compared in this order, the most frequent first. The columns:
///
/// - the variant of [`Scheme`] and of [`Parts`](super::Parts), and the name of its view;
/// - its module, and its name;
/// - the default port (G-PORT-3);
/// - `//`: whether it follows the colon;
/// - host: whether a non-empty host is required;
/// - user: whether user and password may precede the host (G-LOGIN-4);
/// - path: whether a path follows the slash after the host, not a selector, group or database;
/// - base: whether its URLs can be bases for relative paths ([`Base`]).
macro_rules! schemes {
    ($then:ident) => {
        $then! {
            // variant,     module,   name,       port,       //,    host,  user,  path,  base
            /// Section 3.3, Hypertext Transfer Protocol.
            Http,           http,     "http",     Some(80),   true,  true,  false, true,  Always;
            /// Section 3.2, File Transfer Protocol.
            Ftp,            ftp,      "ftp",      Some(21),   true,  true,  true,  true,  Always;
            /// Section 3.5, electronic mail address.
            Mailto,         mailto,   "mailto",   None,       false, false, false, false, Never;
            /// Section 3.6, USENET news.
            News,           news,     "news",     None,       false, false, false, false, Never;
            /// Section 3.4, the Gopher protocol.
            Gopher,         gopher,   "gopher",   Some(70),   true,  true,  false, false, WhereItFits;
            /// Section 3.7, USENET news using NNTP access.
            Nntp,           nntp,     "nntp",     Some(119),  true,  true,  false, false, Always;
            /// Section 3.8, reference to interactive sessions.
            Telnet,         telnet,   "telnet",   Some(23),   true,  true,  true,  false, Never;
            /// Section 3.9, Wide Area Information Servers.
            Wais,           wais,     "wais",     Some(210),  true,  true,  false, false, WhereItFits;
            /// Section 3.10, host-specific file names.
            File,           file,     "file",     None,       true,  false, false, true,  Always;
            /// Section 3.11, Prospero Directory Service.
            Prospero,       prospero, "prospero", Some(1525), true,  true,  false, true,  WhereItFits;
        }
    };
}
pub(super) use schemes;

/// Whether a URL of the scheme can be a base for relative paths (R-1808-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Always,
    Never,
    /// Only if the URL fits `generic-RL`. It then has no lexical error, its `net_loc` is not empty,
    /// and no `//` begins its path.
    WhereItFits,
    /// Only if the URL has `//` before a `net_loc`, or a slash in its path.
    WhereItHasSlashes,
}

/// The facts about a scheme: a row of [`schemes`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// In lower case.
    pub(crate) name: &'static str,
    /// The [`key_of`] the name.
    pub(crate) key: u64,
    pub(crate) default_port: Option<u16>,
    pub(crate) has_slashes: bool,
    pub(super) needs_host: bool,
    pub(crate) takes_user: bool,
    pub(super) has_path: bool,
    pub(super) base: Base,
}

/// The row of any other scheme.
const OTHER: Row = Row {
    name: "other",
    key: 0,
    default_port: None,
    has_slashes: false,
    needs_host: true,
    takes_user: true,
    has_path: true,
    base: Base::WhereItHasSlashes,
};

/// https came after RFC 1738. The parser reads it as any other scheme (G-OTHER-5).
const HTTPS: Row = Row { name: "https", key: key(b"https"), default_port: Some(443), has_slashes: true, ..OTHER };

macro_rules! table {
    ($($(#[$doc:meta])* $scheme:ident, $module:ident, $name:literal, $port:expr, $slashes:literal, $host:literal,
        $user:literal, $path:literal, $base:ident;)*) => {
        /// A scheme to which RFC 1738 gives a grammar, https, or any other scheme.
        ///
        /// # Examples
        ///
        /// ```
        /// use urlgrep::url::Scheme;
        ///
        /// assert_eq!(Scheme::from_bytes(b"FTP"), Scheme::Ftp);
        /// assert_eq!(Scheme::Ftp.default_port(), Some(21));
        /// assert_eq!(Scheme::from_bytes(b"urn"), Scheme::Other);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Scheme {
            $($(#[$doc])* $scheme,)*
            /// https, which came after RFC 1738. By that RFC it is an `otherurl` (G-OTHER-5).
            Https,
            /// Any other scheme: `otherurl` of section 5.
            Other,
        }

        /// K: the ten schemes of RFC 1738 and https, in the order of [`Scheme`].
        pub(crate) const K: [Row; Scheme::Other as usize] = [
            $(Row {
                name: $name,
                key: key($name.as_bytes()),
                default_port: $port,
                has_slashes: $slashes,
                needs_host: $host,
                takes_user: $user,
                has_path: $path,
                base: Base::$base,
            },)*
            HTTPS,
        ];

        impl Scheme {
            /// Returns the scheme of this name, in any case (G-SCHEME-1). Returns [`Scheme::Other`]
            /// for any name without a variant.
            #[inline]
            #[must_use]
            pub fn from_bytes(name: &[u8]) -> Scheme {
                let name = key_of(name);
                $(if name == const { key($name.as_bytes()) } {
                    return Scheme::$scheme;
                })*
                if name == HTTPS.key { Scheme::Https } else { Scheme::Other }
            }
        }
    };
}
schemes!(table);

impl Scheme {
    /// Returns the name in lower case, or `other` for [`Scheme::Other`].
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the port of URLs that have no port: 443 for https, and those of G-PORT-3.
    #[must_use]
    pub const fn default_port(self) -> Option<u16> {
        self.row().default_port
    }

    /// Returns whether RFC 1738 reads the scheme as `otherurl`.
    #[inline(always)]
    pub(crate) const fn is_otherurl(self) -> bool {
        matches!(self, Scheme::Https | Scheme::Other)
    }

    pub(crate) const fn row(self) -> &'static Row {
        if let Scheme::Other = self { &OTHER } else { &K[self as usize] }
    }
}

crate::bytes::display::display!(Scheme, as_str);

impl Row {
    /// Returns whether eight bytes end in the name. The bytes must be in lower case, with the last
    /// byte lowest.
    pub(crate) const fn ends(&self, last_eight: u64) -> bool {
        (last_eight ^ self.key) << (64 - 8 * self.name.len()) == 0
    }
}

/// Returns the row of K with this name, in any case.
pub(super) fn known(name: &[u8]) -> Option<&'static Row> {
    let key = key_of(name);
    K.iter().find(|row| row.key == key)
}

/// Returns the default port of the scheme with this name, such as 443 for https
/// (A-PORT-NONDEFAULT).
pub(crate) fn default_port(name: &[u8]) -> Option<u16> {
    known(name)?.default_port
}

/// Returns whether `name` is a scheme of K, in any case.
#[inline]
pub(crate) fn is_k(name: &[u8]) -> bool {
    is_key_of_k(key_of(name))
}

/// Returns whether `key` is the key of a scheme in K.
#[inline]
pub(crate) fn is_key_of_k(key: u64) -> bool {
    const KEYS: [u64; K.len()] = {
        let mut keys = [0; K.len()];
        let mut at = 0;
        while at < K.len() {
            keys[at] = K[at].key;
            at += 1;
        }
        keys
    };
    KEYS.contains(&key)
}

/// The length of the longest name of K.
pub(crate) const LONGEST: usize = 8;

/// Returns a word of at most eight bytes as one number, which ignores the case of letters. No other
/// byte gets the number of a letter.
///
/// On text that is made of URLs, comparing names byte by byte was a fifth of the time.
pub(crate) const fn key(word: &[u8]) -> u64 {
    assert!(word.len() <= LONGEST);
    let mut key = 0;
    let mut at = 0;
    while at < word.len() {
        key = key << 8 | (word[at] | 0x20) as u64;
        at += 1;
    }
    key
}

/// Returns the [`key`] of a word, mostly without a loop. Returns 0 if the word is empty, or longer
/// than every name of K.
#[inline]
pub(crate) fn key_of(word: &[u8]) -> u64 {
    const CASE: u64 = 0x2020_2020_2020_2020;
    match word {
        [] => 0,
        [.., a, b, c, d] if word.len() <= LONGEST => {
            let last = u32::from_be_bytes([*a, *b, *c, *d]);
            let first = u32::from_be_bytes([word[0], word[1], word[2], word[3]]);
            (u64::from(first) << (8 * (word.len() - 4)) | u64::from(last)) | CASE >> (64 - 8 * word.len())
        }
        _ if word.len() > LONGEST => 0,
        _ => key(word),
    }
}

/// Returns the scheme of `text` as written: the part before the first colon, if it can be a scheme.
/// `text` need not be a URL.
///
/// # Complexity
///
/// Linear, without allocation.
///
/// # RFC
///
/// RFC 1738 section 2.1.
///
/// # Examples
///
/// ```
/// use urlgrep::url::scheme_of;
///
/// assert_eq!(scheme_of(b"HTTP:/x").unwrap(), "HTTP");
/// assert_eq!(scheme_of(b"no scheme: none"), None);
/// ```
#[must_use]
pub fn scheme_of(text: &[u8]) -> Option<&BStr> {
    let scheme = &text[..memchr::memchr(b':', text)?];
    let is_scheme = scheme.iter().all(|&byte| class::SCHEME.contains(byte));
    (is_scheme && !scheme.is_empty()).then_some(scheme.as_bstr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for row in &K {
            let scheme = Scheme::from_bytes(row.name.as_bytes());
            assert_eq!(scheme.as_str(), row.name);
            assert_eq!(Scheme::from_bytes(row.name.to_uppercase().as_bytes()), scheme);
            assert_eq!(Scheme::from_bytes(&row.name.as_bytes()[1..]), Scheme::Other);
            assert_eq!(Scheme::from_bytes(format!("{scheme}x").as_bytes()), Scheme::Other);
            assert!(is_k(row.name.as_bytes()));
        }
        for name in ["", "https:", "other", "url", "\x00\x00\x00\x00"] {
            assert_eq!(Scheme::from_bytes(name.as_bytes()), Scheme::Other);
        }
        assert_eq!(Scheme::from_bytes(b"hTtP"), Scheme::Http);
        assert!(is_k(b"HTTPS"));
        assert!(!is_k(b"other") && !is_k(b""));
    }

    #[test]
    fn keys_tell_names_apart() {
        for row in K {
            assert!(is_k(row.name.to_uppercase().as_bytes()), "{}", row.name);
            for at in 0..row.name.len() {
                for byte in 0..=255 {
                    let mut word = row.name.as_bytes().to_vec();
                    word[at] = byte;
                    let expected = K.iter().any(|row| word.eq_ignore_ascii_case(row.name.as_bytes()));
                    assert_eq!(is_k(&word), expected, "{word:?}");
                }
            }
        }
    }
}
