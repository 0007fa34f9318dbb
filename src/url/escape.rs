//! Escapes: `%` and two hexadecimal digits (the specification, section 1).
//!
//! This file owns the table of the bytes that each component may hold raw. Decoding needs no table:
//! an escape is an octet in every component (G-LEX-7). This crate always splits before it decodes,
//! because a decoded delimiter would split a component (P-4).

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};

use crate::bytes::class::{self, Class};

macro_rules! components {
    ($($(#[$doc:meta])* $component:ident: $raw:ident,)*) => {
        /// A part of a URL. It determines which reserved characters may stand raw in it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Component {
            $($(#[$doc])* $component,)*
        }

        impl Component {
            /// Every component, in the order of section 1.
            pub const ALL: &'static [Component] = &[$(Component::$component,)*];

            /// Returns the class of bytes that the component may hold raw.
            const fn raw(self) -> Class {
                match self {
                    $(Component::$component => class::$raw,)*
                }
            }
        }
    };
}

// The second table of section 1 of the specification: each component, and the bytes that it may
// hold raw.
components! {
    /// `user` (G-LOGIN-2)
    User: USER,
    /// `password`
    Password: USER,
    /// `fsegment` of ftp (G-FTP-2)
    FtpSegment: FSEGMENT,
    /// `fsegment` of file (G-FILE-5)
    FileSegment: FSEGMENT,
    /// `hsegment` (G-HTTP-5)
    HttpSegment: HSEGMENT,
    /// `search` of http (G-HTTP-4)
    HttpSearch: HSEGMENT,
    /// `search` of wais (G-WAIS-4)
    WaisSearch: HSEGMENT,
    /// `gtype` (G-GOPHER-4)
    GopherType: XCHAR,
    /// `selector`. Encoding turns a tab into `%09`, which would end the selector (G-GOPHER-3)
    GopherSelector: XCHAR,
    /// `search` of gopher (G-GOPHER-5)
    GopherSearch: XCHAR,
    /// `gopher+_string`
    GopherPlus: XCHAR,
    /// `encoded822addr` (G-MAILTO-3)
    MailtoAddress: XCHAR,
    /// `article` left of its `@` (G-NEWS-4)
    NewsUnique: ARTICLE,
    /// `database` (G-WAIS-3)
    WaisDatabase: UNRESERVED,
    /// `wtype`
    WaisType: UNRESERVED,
    /// `wpath`
    WaisPath: UNRESERVED,
    /// `psegment` (G-PROSPERO-3)
    ProsperoSegment: FSEGMENT,
    /// `fieldname` (G-PROSPERO-2)
    ProsperoFieldName: FIELD,
    /// `fieldvalue`
    ProsperoFieldValue: FIELD,
    /// `*xchar` after the colon of another scheme (G-OTHER-4)
    Opaque: XCHAR,
    /// `urlpath` of another scheme (G-OTHER-2)
    UrlPath: XCHAR,
    /// `fragment` (G-FRAG-2)
    Fragment: XCHAR,
}

/// Encodes octets as a component. Unreserved octets stay, and so do reserved octets that may stand
/// raw in the component. All other octets become escapes with upper-case digits.
///
/// `decode(encode(component, octets))` is `octets`, for all octets. Borrows if nothing needs an
/// escape.
///
/// # Examples
///
/// ```
/// use urlgrep::url::{Component, encode};
///
/// assert_eq!(*encode(Component::HttpSegment, b"a/b;c ~"), "a%2Fb;c%20%7E");
/// assert_eq!(*encode(Component::WaisPath, b"1=x;2=y;"), "1%3Dx%3B2%3Dy%3B");
/// ```
#[must_use]
pub fn encode(component: Component, octets: &[u8]) -> Cow<'_, BStr> {
    let raw = component.raw();
    let clean = class::raw_run(octets, 0, raw);
    if clean == octets.len() {
        return Cow::Borrowed(octets.as_bstr());
    }
    let mut text = Vec::with_capacity(octets.len() + 16);
    text.extend_from_slice(&octets[..clean]);
    for &octet in &octets[clean..] {
        if raw.contains(octet) {
            text.push(octet);
        } else {
            push_escape(&mut text, octet);
        }
    }
    Cow::Owned(BString::from(text))
}

/// Replaces every escape by its octet. Borrows if the text has no `%`. A `%` that begins no escape
/// stays.
///
/// # Examples
///
/// ```
/// use urlgrep::url::decode;
///
/// assert_eq!(*decode(b"a%20%ff%4"), b"a \xff%4"[..]);
/// ```
#[must_use]
pub fn decode(text: &[u8]) -> Cow<'_, BStr> {
    if memchr::memchr(b'%', text).is_none() {
        return Cow::Borrowed(text.as_bstr());
    }
    Cow::Owned(BString::from(octets(text).collect::<Vec<u8>>()))
}

/// Returns an iterator over the decoded octets of a text. It does not allocate.
#[must_use]
pub(crate) fn octets(text: &[u8]) -> Octets<'_> {
    Octets { text, at: 0 }
}

/// Iterates over the decoded octets of a text; see [`octets`].
#[derive(Clone, Debug)]
pub(crate) struct Octets<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Octets<'a> {
    /// Returns the offset of the next octet, or the length of the text at the end.
    #[must_use]
    pub(crate) fn offset(&self) -> usize {
        self.at
    }

    /// Returns the rest of the text, with its escapes.
    #[must_use]
    pub(crate) fn rest(&self) -> &'a BStr {
        self.text[self.at..].as_bstr()
    }

    /// Returns the next octet without consuming it.
    #[must_use]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.clone().next()
    }
}

impl Iterator for Octets<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        if byte == b'%' && class::is_escape(self.text, self.at) {
            let octet = class::octet(self.text[self.at + 1], self.text[self.at + 2]);
            self.at += 3;
            return Some(octet);
        }
        self.at += 1;
        Some(byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.text.len() - self.at;
        (left.div_ceil(3), Some(left))
    }
}

/// Writes an octet as an escape, with upper-case digits.
pub(super) fn push_escape(text: &mut Vec<u8>, octet: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    text.extend_from_slice(&[b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding_in_every_component() {
        let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for &component in Component::ALL {
            assert_eq!(*decode(&encode(component, &all)), *all, "{component:?}");
            for octet in 0..=255u8 {
                let text = encode(component, &[octet]).into_owned();
                assert!(text.len() == 1 || text == format!("%{octet:02X}").as_str(), "{component:?} {octet:02X}");
                assert_eq!(*decode(&text), [octet], "{component:?}");
            }
        }
    }

    // A second copy of the second table of section 1: the reserved characters that stay raw.
    #[test]
    fn reserved_characters_stay_raw_where_the_table_lists_them() {
        use Component as C;
        for (components, raw) in [
            (&[C::User, C::Password][..], ";?&="),
            (&[C::FtpSegment, C::FileSegment, C::ProsperoSegment], "?:@&="),
            (&[C::HttpSegment, C::HttpSearch, C::WaisSearch], ";:@&="),
            (&[C::GopherType, C::GopherSelector, C::GopherSearch, C::GopherPlus], ";/?:@&="),
            (&[C::MailtoAddress, C::Opaque, C::UrlPath, C::Fragment], ";/?:@&="),
            (&[C::NewsUnique], ";/?:&="),
            (&[C::WaisDatabase, C::WaisType, C::WaisPath], ""),
            (&[C::ProsperoFieldName, C::ProsperoFieldValue], "?:@&"),
        ] {
            for &component in components {
                for byte in *b";/?:@&=" {
                    let stays = encode(component, &[byte]).len() == 1;
                    assert_eq!(stays, raw.as_bytes().contains(&byte), "{component:?} {}", byte as char);
                }
            }
        }
    }

    #[test]
    fn unreserved_text_is_borrowed() {
        let text = b"aZ09$-_.+!*'(),";
        for &component in Component::ALL {
            assert!(matches!(encode(component, text), Cow::Borrowed(_)), "{component:?}");
        }
        assert!(matches!(decode(text), Cow::Borrowed(_)));
    }

    #[test]
    fn broken_escapes_stay() {
        assert_eq!(*decode(b"%"), "%");
        assert_eq!(*decode(b"%4"), "%4");
        assert_eq!(*decode(b"%%41%g1%4g"), "%A%g1%4g");
        assert_eq!(*decode(b"%2541"), "%41");
    }
}
