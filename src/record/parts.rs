//! Bytes and components of URLs as data to serialize.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Deref;

use bstr::BStr;
use serde::ser::{Serialize, Serializer};

/// Bytes that are written as a string. Every URL that fits a grammar is UTF-8. In other URLs,
/// U+FFFD replaces broken bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw<B>(pub(crate) B);

impl<B: Deref<Target: AsRef<[u8]>>> Serialize for Raw<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.0.as_ref();
        // Checking all bytes at once is faster than searching for broken ones.
        match std::str::from_utf8(bytes) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => serializer.serialize_str(&String::from_utf8_lossy(bytes)),
        }
    }
}

/// Writes the octets of a decoded value that are not UTF-8 as `\xHH`. A backslash is kept: the raw
/// value resolves the ambiguity.
pub(crate) fn escaped_octets(octets: Cow<'_, BStr>) -> Cow<'_, [u8]> {
    if std::str::from_utf8(&octets).is_ok() {
        return match octets {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(text) => Cow::Owned(text.into()),
        };
    }
    let mut text = String::new();
    for chunk in octets.utf8_chunks() {
        text.push_str(chunk.valid());
        for octet in chunk.invalid() {
            let _ = write!(text, "\\x{octet:02X}");
        }
    }
    text.into_bytes().into()
}

#[cfg(test)]
mod tests {
    use crate::Url;
    use crate::record::RecordObject;
    use crate::url::Generic;

    fn json(url: &str) -> serde_json::Value {
        let url = Url::parse(url.as_bytes()).unwrap();
        serde_json::to_value(RecordObject::Parts(&url)).unwrap()
    }

    /// Returns the keys in the order in which they are written.
    fn keys(url: &str) -> String {
        let url = Url::parse(url.as_bytes()).unwrap();
        let text = serde_json::to_string(&RecordObject::Parts(&url)).unwrap();
        let keys = text.match_indices("\":").map(|(at, _)| text[..at].rsplit('"').next().unwrap());
        keys.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_scheme_has_the_keys_of_the_table() {
        // The table in the documentation of the format is the specification.
        let table: Vec<(&str, &str)> = include_str!("../report/json.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("/// | ")?.strip_suffix(" |")?.split_once(" | "))
            .skip_while(|&(scheme, _)| scheme != "scheme")
            .skip(1)
            .collect();
        assert_eq!(table.len(), 11);
        for (url, scheme) in [
            ("ftp://h", "ftp"),
            ("ftp://u:p@1.2.3.4:1/a/b;type=a#f", "ftp"),
            ("http://h", "http"),
            ("http://h:1/p?s#f", "http"),
            ("gopher://h", "gopher"),
            ("gopher://h/1s%09q%09g#f", "gopher"),
            ("mailto:a@b", "mailto"),
            ("news:*", "news"),
            ("news:a.b", "news"),
            ("news:a@b#f", "news"),
            ("nntp://h/g", "nntp"),
            ("nntp://h/g/1#f", "nntp"),
            ("telnet://h", "telnet"),
            ("telnet://u:p@h/", "telnet"),
            ("wais://h/d", "wais"),
            ("wais://h/d?s", "wais"),
            ("wais://h/d/t/p", "wais"),
            ("file:///a", "file"),
            ("file://h/a#f", "file"),
            ("prospero://h/a", "prospero"),
            ("prospero://h/a;b=c", "prospero"),
            ("x:y", "others"),
            ("https://u:p@h/a", "others"),
        ] {
            let (_, expected) = table.iter().find(|(name, _)| *name == scheme).unwrap();
            assert_eq!(keys(url), *expected, "{url}");
        }
    }

    #[test]
    fn values_have_their_types() {
        let ftp = json("ftp://u@h:021/a/%2Fb/c%FF;type=i");
        assert_eq!(ftp["port"], 21);
        assert_eq!(ftp["port_text"], "021");
        assert_eq!(ftp["cwd"], serde_json::json!(["a", "%2Fb"]));
        assert_eq!(ftp["commands"], serde_json::json!(["CWD a", "CWD /b", "TYPE I", "RETR c\\xFF"]));
        assert_eq!(json("ftp://h/a%0Ab")["commands"], serde_json::Value::Null);
        assert_eq!(json("ftp://h")["cwd"], serde_json::json!([]));
        assert_eq!(json("http://h:99999999999999999999/")["port"], serde_json::Value::Null);
        assert_eq!(json("http://h:99999999999999999999/")["port_effective"], serde_json::Value::Null);
        assert_eq!(json("prospero://h/a;b=c;b=")["fields"], serde_json::json!([["b", "c"], ["b", ""]]));
        assert_eq!(json("telnet://h/")["slash"], true);
        assert_eq!(json("file://LocalHost/a")["is_local"], true);
        assert_eq!(json("nntp://h/g/007")["number"], "007");
        assert_eq!(json("gopher://h/%09q")["gtype_effective"], "\t");
        assert_eq!(json("mailto:a%41b@h")["local"], "aAb");
        assert_eq!(json("mailto:a%41b@h")["addr"], "a%41b@h");
    }

    #[test]
    fn the_two_grammars_can_differ() {
        let url = b"HTTPS://a?b@c:/d";
        let generic = serde_json::to_value(RecordObject::Generic(&Generic::parse(url).unwrap())).unwrap();
        assert_eq!(generic["scheme"], "https");
        assert_eq!(generic["host"], "a");
        assert_eq!(generic["query"], "b@c:/d");
        assert_eq!(generic["port"], serde_json::Value::Null);
        let generic = serde_json::to_value(RecordObject::Generic(&Generic::parse(b"x://u@h:/").unwrap())).unwrap();
        assert_eq!(generic["port"], "", "empty is not absent");
    }
}
