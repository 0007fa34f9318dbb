//! Support of serde for URLs and their properties. A URL becomes a string, and a property becomes
//! its name in reports.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::error::{ParseError, ParseErrorKind};
use super::level::Level;
use super::owned::UrlBuf;
use super::scheme::Scheme;
use super::table::{HostType, Url};

/// Implements serialization of values by their names. A type with a list of its values can also be
/// deserialized.
macro_rules! by_name {
    ($name:ty, $method:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.$method())
            }
        }
    };
    ($name:ty, $method:ident, $all:expr) => {
        $crate::url::serial::by_name!($name, $method);

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                let unknown = || serde::de::Error::custom(format_args!("there is no {} '{name}'", stringify!($name)));
                $all.iter().copied().find(|item| item.$method() == name).ok_or_else(unknown)
            }
        }
    };
}
pub(crate) use by_name;

by_name!(HostType, as_str);
by_name!(Level, as_str, Level::ALL);
by_name!(ParseErrorKind, as_str, ParseErrorKind::ALL);
by_name!(Scheme, as_str);

/// Writes the same fields as reports: `kind`, `offset`, `message`.
impl Serialize for ParseError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("ParseError", 3)?;
        fields.serialize_field("kind", &self.kind())?;
        fields.serialize_field("offset", &self.offset())?;
        fields.serialize_field("message", &self.to_string())?;
        fields.end()
    }
}

impl Serialize for Url<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Borrows the URL from the text. Only some formats can lend their text, and only for a string
/// without escapes.
impl<'de> Deserialize<'de> for Url<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Url::parse(<&'de str>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl Serialize for UrlBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for UrlBuf {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        UrlBuf::try_from(&*text).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{from_str, json, to_value};

    #[test]
    fn urls_are_strings() {
        let text = "\"http://a.example/x?y\"";
        let (borrowed, owned): (Url<'_>, UrlBuf) = (from_str(text).unwrap(), from_str(text).unwrap());
        assert_eq!(owned, borrowed);
        assert_eq!((to_value(borrowed).unwrap(), to_value(owned).unwrap()), {
            let value: serde_json::Value = from_str(text).unwrap();
            (value.clone(), value)
        });
        assert_eq!(from_str::<UrlBuf>("\"http:\\/\\/a.example\"").unwrap().as_str(), "http://a.example");
        let error = from_str::<UrlBuf>("\"http://h/{\"").unwrap_err().to_string();
        assert!(error.starts_with("`{` is unsafe in transit; write %7B (G-LEX-3)"), "{error}");
    }

    #[test]
    fn names_are_those_of_reports() {
        for &level in Level::ALL {
            assert_eq!(from_str::<Level>(&format!("\"{level}\"")).unwrap(), level);
            assert_eq!(to_value(level).unwrap(), level.as_str());
        }
        let error = from_str::<Level>("\"rfc\"").unwrap_err().to_string();
        assert!(error.starts_with("there is no Level 'rfc'"), "{error}");
        let error = Url::parse("http://h/{").unwrap_err();
        let message = "`{` is unsafe in transit; write %7B (G-LEX-3)";
        assert_eq!(to_value(error).unwrap(), json!({"kind": "unsafe-gateway", "offset": 9, "message": message}));
        assert_eq!(to_value((Scheme::Ftp, HostType::Name)).unwrap(), json!(["ftp", "name"]));
    }
}
