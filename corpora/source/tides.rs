//! Tides by the harmonic method.
//!
//! The constituents are those of <https://tides.example.org/constituents/
//! m2-s2.csv>, and the whole theory is in [the book][1].
//!
//! [1]: https://tides.example.org/book#harmonic
//! [`fetch`]: crate::net::fetch

use std::collections::HashMap;
use url::Url;

/// One place, e.g. `tides://skerry-vore`, `https://tides.example.org/p/{id}`
/// or [Skerry Vore](https://tides.example.org/p/skerry_(north)).
///
/// # Errors
///
/// As <https://docs.example.org/tides/latest/tides/struct.Place.html#method.
///     new> says.
pub struct Place {
    pub home: Option<url::Url>,
    pub map: HashMap<String, Vec<Url>>,
}

impl Place {
    /// See <URL:https://tides.example.org/api/v2/places?name=a&fields=home
    //  ,map> (that is a plain comment, and the marker counts as the same).
    pub fn new(host: &str) -> Result<Self, Error> {
        let base = format!("https://{host}/places/{}", 1); // https://tides.example.org/places/1
        let text = r#"{"$schema":"https://json.example.org/schema","url":"http:\/\/tides.example.org\/"}"#;
        Ok(parse(base, text)?)
    }
}

// FIXME: std::mem::take, Foo::bar and http::Uri are no URLs; http://[::1]:8080/ is.
// The old test server: http://localhost:8080/places?x=[1,2]&y={a}; and
// http://127.0.0.1:3000/#/p/1 (a fragment with slashes).
