//! The named components of a URL, for reports. The file of each scheme lists its components.

use std::borrow::Cow;

use bstr::{BStr, BString};

use super::table::{HostType, Url, number};

/// The value of a component of a URL; see [`Url::components`].
///
/// ```
/// use urlgrep::{Url, url::ComponentValue};
///
/// let mut port = None;
/// Url::parse("http://a.example/")?.components(|name, value| {
///     if let ("port_effective", ComponentValue::Number(number)) = (name, value) {
///         port = Some(number);
///     }
/// });
/// assert_eq!(port, Some(80));
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComponentValue<'u> {
    /// The component is absent, which differs from an empty one.
    Absent,
    /// The text as written, with its escapes, or a word of this crate, such as `opaque`.
    Raw(&'u BStr),
    /// The decoded text, for components that only make sense decoded.
    Decoded(Cow<'u, BStr>),
    /// A number, such as the port.
    Number(u64),
    /// Yes or no.
    Flag(bool),
    /// Several values, such as the fields of a prospero URL. Each field is a list of name and
    /// value.
    List(Vec<ComponentValue<'u>>),
}

impl<'u, T: Into<ComponentValue<'u>>> From<Option<T>> for ComponentValue<'u> {
    #[inline(always)]
    fn from(value: Option<T>) -> Self {
        // `map_or` would construct its default first, only to drop it.
        match value {
            Some(value) => value.into(),
            None => ComponentValue::Absent,
        }
    }
}

impl<'u> From<&'u BStr> for ComponentValue<'u> {
    #[inline(always)]
    fn from(raw: &'u BStr) -> Self {
        ComponentValue::Raw(raw)
    }
}

impl From<&'static str> for ComponentValue<'_> {
    #[inline(always)]
    fn from(word: &'static str) -> Self {
        ComponentValue::Raw(BStr::new(word))
    }
}

impl<'u> From<Cow<'u, BStr>> for ComponentValue<'u> {
    #[inline(always)]
    fn from(decoded: Cow<'u, BStr>) -> Self {
        ComponentValue::Decoded(decoded)
    }
}

impl From<BString> for ComponentValue<'_> {
    #[inline(always)]
    fn from(decoded: BString) -> Self {
        ComponentValue::Decoded(Cow::Owned(decoded))
    }
}

impl From<u64> for ComponentValue<'_> {
    #[inline(always)]
    fn from(number: u64) -> Self {
        ComponentValue::Number(number)
    }
}

impl From<bool> for ComponentValue<'_> {
    #[inline(always)]
    fn from(flag: bool) -> Self {
        ComponentValue::Flag(flag)
    }
}

impl<'u, T: Into<ComponentValue<'u>>> FromIterator<T> for ComponentValue<'u> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        ComponentValue::List(items.into_iter().map(T::into).collect())
    }
}

/// A receiver of the components of a URL, one by one. A trait method can be inlined where the names
/// are constants. `self` is passed by value, so that its state can lie in registers.
pub(crate) trait ComponentSink<'u>: Sized {
    fn component(self, name: &'static str, value: ComponentValue<'u>) -> Self;
}

impl<'u, F: FnMut(&'static str, ComponentValue<'u>)> ComponentSink<'u> for F {
    fn component(mut self, name: &'static str, value: ComponentValue<'u>) -> Self {
        self(name, value);
        self
    }
}

/// A URL, and the sink that receives its components.
pub(super) struct Components<'u, S> {
    url: Url<'u>,
    out: S,
}

impl<'u, S: ComponentSink<'u>> Components<'u, S> {
    pub(super) fn new(url: Url<'u>, out: S) -> Self {
        Components { url, out }
    }

    pub(super) fn into_sink(self) -> S {
        self.out
    }

    #[inline(always)]
    pub(super) fn put(self, name: &'static str, value: impl Into<ComponentValue<'u>>) -> Self {
        Components { out: self.out.component(name, value.into()), ..self }
    }

    #[inline(always)]
    pub(super) fn login(self) -> Self {
        let url = self.url;
        self.put("user", url.user()).put("password", url.password())
    }

    #[inline(always)]
    pub(super) fn host(self) -> Self {
        let url = self.url;
        self.put("host", url.host()).put("hosttype", url.host_type().map(HostType::as_str))
    }

    /// Passes the host and the port.
    #[inline(always)]
    pub(super) fn site(self) -> Self {
        let url = self.url;
        let (scheme, digits) = (url.scheme(), url.port_text());
        // Reports have any number of 64 bits (G-PORT-2).
        let port = if let Some(digits) = digits { number(digits) } else { None };
        let effective = match digits {
            // RFC 1738 has no default port for https (G-OTHER-5).
            None if url.table.is_generic || !scheme.is_otherurl() => scheme.default_port().map(u64::from),
            _ => port,
        };
        self.host().put("port", port).put("port_text", digits).put("port_effective", effective)
    }

    #[inline(always)]
    pub(super) fn path(self) -> Self {
        let url = self.url;
        self.put("path", url.whole_path())
    }

    #[inline(always)]
    pub(super) fn fragment(self) -> Self {
        let url = self.url;
        self.put("fragment", url.fragment())
    }
}
