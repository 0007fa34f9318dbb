//! The view and the parser of each scheme, generated from the table of [schemes](super::scheme).

use super::components::{ComponentSink, ComponentValue, Components};
use super::error::ParseError;
use super::other::Other;
use super::scheme::{Scheme, schemes};
use super::table::{Table, Url};
use super::{file, ftp, gopher, http, mailto, news, nntp, other, prospero, telnet, wais};

macro_rules! dispatch {
    ($($(#[$doc:meta])* $scheme:ident, $module:ident, $name:literal, $($column:expr),*;)*) => {
        /// The parts of a URL, with one view per scheme.
        ///
        /// ```
        /// use urlgrep::{Url, url::Parts};
        ///
        /// let names_a_document = |url: &Url| match url.parts() {
        ///     Parts::Telnet(_) | Parts::Mailto(_) => false,
        ///     Parts::Ftp(ftp) => ftp.name().is_some(),
        ///     _ => true,
        /// };
        /// assert!(names_a_document(&Url::parse("ftp://a.example/pub/read.me")?));
        /// assert!(!names_a_document(&Url::parse("telnet://a.example")?));
        /// # Ok::<(), urlgrep::ParseError>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Parts<'a> {
            $(
                #[doc = concat!("`", $name, ":`")]
                $scheme($module::$scheme<'a>),
            )*
            /// Any other scheme, such as https.
            Other(Other<'a>),
        }

        /// Parses what follows the scheme, up to the fragment, by the scheme's own grammar.
        #[inline]
        pub(super) fn parse(url: &[u8], table: &mut Table, other_literal: bool) -> Result<(), ParseError> {
            match table.scheme {
                $(Scheme::$scheme => $module::parse(url, table),)*
                Scheme::Https | Scheme::Other => other::parse(url, other_literal, table),
            }
        }

        $(impl<'a> $module::$scheme<'a> {
            /// Returns the whole URL.
            #[must_use]
            pub fn url(&self) -> Url<'a> {
                self.url
            }
        })*

        impl<'a> Url<'a> {
            /// Returns the view of the URL's scheme. If RFC 1738 rejects the URL, the view is
            /// [`Parts::Other`].
            #[must_use]
            pub fn parts(&self) -> Parts<'a> {
                match self.table.scheme {
                    _ if self.table.is_generic => Parts::Other(Other { url: *self }),
                    $(Scheme::$scheme => Parts::$scheme($module::$scheme { url: *self }),)*
                    Scheme::Https | Scheme::Other => Parts::Other(Other { url: *self }),
                }
            }

            /// Passes every component of the scheme to `each`, present or not, in the order of the
            /// reports.
            ///
            /// # Examples
            ///
            /// ```
            /// use urlgrep::Url;
            /// use urlgrep::url::ComponentValue;
            ///
            /// let url = Url::parse(b"news:1@h.example")?;
            /// let mut raw = Vec::new();
            /// url.components(|name, value| {
            ///     if let ComponentValue::Raw(value) = value {
            ///         raw.push((name, value.to_string()));
            ///     }
            /// });
            /// assert_eq!(raw[0], ("host", "h.example".to_string()));
            /// assert_eq!(raw.last().unwrap(), &("unique", "1".to_string()));
            /// # Ok::<(), urlgrep::ParseError>(())
            /// ```
            pub fn components(&self, mut each: impl FnMut(&'static str, ComponentValue<'a>)) {
                self.each_component(&mut each);
            }

            /// Passes each component to `each`.
            pub(crate) fn each_component<S: ComponentSink<'a>>(&self, each: S) -> S {
                let out = Components::new(*self, each);
                let out = match self.parts() {
                    $(Parts::$scheme(view) => view.components(out),)*
                    Parts::Other(view) => view.components(out),
                };
                out.into_sink()
            }
        }
    };
}
schemes!(dispatch);
