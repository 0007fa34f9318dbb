//! [`QueryPairs`]: the query of a URL, read as a form.

use std::borrow::Cow;
use std::iter::FusedIterator;

use bstr::ByteSlice;

use super::escape::decode;

/// Iterates over the names and values of a query, in order; see
/// [`Url::query_pairs`](crate::Url::query_pairs) and
/// [`SplitUrl::query_pairs`](crate::SplitUrl::query_pairs).
///
/// `&` separates the pairs, and the first `=` of a pair follows its name. Escapes are decoded, and
/// a `+` is a space. Without `=` the value is empty, and empty pairs are left out. A `%` that
/// begins no escape stays. Bytes that are not UTF-8 become U+FFFD.
///
/// A mailto URL also has such pairs, but there RFC 6068 reads a `+` as itself.
///
/// # Complexity
///
/// Linear in total. Only a name or value with an escape or a `+` is allocated, when it is reached.
///
/// # RFC
///
/// RFC 1866 section 8.2.1, as the URL Standard of the WHATWG parses
/// `application/x-www-form-urlencoded`.
#[derive(Clone, Debug)]
pub struct QueryPairs<'u> {
    /// The rest of the query.
    rest: &'u [u8],
}

impl<'u> QueryPairs<'u> {
    pub(super) fn new(query: &'u [u8]) -> Self {
        QueryPairs { rest: query }
    }
}

impl<'u> Iterator for QueryPairs<'u> {
    type Item = (Cow<'u, str>, Cow<'u, str>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let (pair, rest) = self.rest.split_once_str("&").unwrap_or((self.rest, b""));
            self.rest = rest;
            if !pair.is_empty() {
                let (name, value) = pair.split_once_str("=").unwrap_or((pair, b""));
                return Some((decoded(name), decoded(value)));
            }
        }
        None
    }
}

impl FusedIterator for QueryPairs<'_> {}

/// Decodes a name or a value.
fn decoded(text: &[u8]) -> Cow<'_, str> {
    if memchr::memchr2(b'%', b'+', text).is_none() {
        return String::from_utf8_lossy(text);
    }
    // A `+` that was escaped is no space.
    Cow::Owned(String::from_utf8_lossy(&decode(&text.replace("+", " "))).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SplitUrl, Url};

    #[test]
    fn pairs_are_those_of_a_form() {
        for (query, expected) in [
            ("a=b&c=d", &[("a", "b"), ("c", "d")][..]),
            ("a+b=%2B+%26%3d&%41", &[("a b", "+ &="), ("A", "")]),
            ("&&a==b=&=c&", &[("a", "=b="), ("", "c")]),
            ("a;b=c;d=%zz%4", &[("a;b", "c;d=%zz%4")]),
            ("x[]=1&x[]=%FF", &[("x[]", "1"), ("x[]", "\u{fffd}")]),
            ("\u{e9}=%C3%A9", &[("\u{e9}", "\u{e9}")]),
            ("", &[]),
        ] {
            let url = format!("https://h/?{query}#f=g");
            let split = SplitUrl::new(&url);
            let mut pairs = split.query_pairs();
            assert!(pairs.by_ref().eq(expected.iter().map(|&(name, value)| (name.into(), value.into()))), "{query}");
            assert_eq!(pairs.next(), None);
            if let Ok(url) = Url::parse(&url) {
                assert!(url.query_pairs().eq(split.query_pairs()), "{query}");
            }
        }
        assert_eq!(SplitUrl::new("ftp://h/a?b=c").query_pairs().next(), None);
    }

    #[test]
    fn only_what_is_encoded_is_copied() {
        let url = Url::parse("https://h/?plain=%20").unwrap();
        assert!(matches!(url.query_pairs().next(), Some((Cow::Borrowed("plain"), Cow::Owned(_)))));
    }
}
