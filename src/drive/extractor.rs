//! [`Extractor`]: what to look for. The drivers are methods of it, each in its own file.

#[cfg(feature = "archive")]
use std::borrow::Cow;
#[cfg(feature = "archive")]
use std::sync::Arc;

#[cfg(feature = "archive")]
use crate::archive::Container;
use crate::bytes::simd::Backend;
use crate::drive::lines::Lines;
use crate::find::{HyphenOrder, Options, Rejoin, Sheets};

/// Finds URLs in text.
///
/// It is immutable, `Send + Sync` and cheap to clone. The haystack is plain bytes, in any encoding
/// that has ASCII's bytes in ASCII's places. Each method that finds is a driver for one kind of
/// input; the table in the [crate's docs](crate) says which to use. All give the same matches, byte
/// for byte.
///
/// A range of an input can be searched, and what was appended since an earlier search
/// ([`Checkpoint`](crate::Checkpoint)). Time is linear in the input for every input.
///
/// ```
/// let text = b"Mail <mailto:joe@a.example>, or see http://a.example/~joe.";
/// let extractor = urlgrep::Extractor::new();
/// let urls: Vec<_> = extractor.find_iter(text).map(|found| found.url().to_string()).collect();
/// assert_eq!(urls, ["mailto:joe@a.example", "http://a.example/~joe"]);
/// ```
#[derive(Clone, Debug)]
pub struct Extractor {
    options: Options,
    #[cfg(feature = "archive")]
    unpack_attachments: bool,
    #[cfg(feature = "archive")]
    base: Option<Arc<[u8]>>,
    line_numbers: bool,
    chunk_size: usize,
    line_ends_after: usize,
}

impl Default for Extractor {
    fn default() -> Self {
        Extractor {
            options: Options::default(),
            #[cfg(feature = "archive")]
            unpack_attachments: false,
            #[cfg(feature = "archive")]
            base: None,
            line_numbers: false,
            chunk_size: 256 << 10,
            line_ends_after: 0,
        }
    }
}

impl Extractor {
    /// An extractor with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a builder with the default options.
    pub fn builder() -> ExtractorBuilder {
        ExtractorBuilder::default()
    }

    /// Returns the extractor for what a container holds: for a sheet, one that ends URLs at commas
    /// ([`sheet`](ExtractorBuilder::sheet)), else itself. [`open`](Self::open),
    /// [`find_entry`](Self::find_entry) and [`search_range`](Self::search_range) do so by
    /// themselves.
    ///
    /// ```
    /// use urlgrep::Extractor;
    /// use urlgrep::archive::Container;
    ///
    /// let extractor = Extractor::new();
    /// let url = |container| extractor.of_container(container).find("http://a.example/,400").unwrap().to_string();
    /// assert_eq!(url(Container::Text), "http://a.example/,400");
    /// assert_eq!(url(Container::Csv), "http://a.example/");
    /// ```
    #[cfg(feature = "archive")]
    pub fn of_container(&self, container: Container) -> Cow<'_, Extractor> {
        match container {
            Container::Csv => {
                let options = Options { sheets: Sheets::Told, ..self.options };
                Cow::Owned(Extractor { options, ..self.clone() })
            }
            _ => Cow::Borrowed(self),
        }
    }

    #[cfg(feature = "archive")]
    pub(crate) fn unpacks_attachments(&self) -> bool {
        self.unpack_attachments
    }

    /// Returns what the links of pages are relative to, if the caller told.
    #[cfg(feature = "archive")]
    pub(crate) fn base(&self) -> Option<&Arc<[u8]>> {
        self.base.as_ref()
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    /// Line numbers from the start of an input on, if they are counted.
    pub(crate) fn lines(&self) -> Option<Lines> {
        self.line_numbers.then(|| Lines::new(self.options.backend))
    }

    pub(crate) fn chunk_size(&self) -> usize {
        self.chunk_size
    }

    /// Returns what a match waits for where its input pauses; `None`: no pause counts.
    pub(crate) fn line_ends_after(&self) -> Option<usize> {
        (self.line_ends_after < usize::MAX).then_some(self.line_ends_after)
    }
}

/// Chooses an [`Extractor`]'s options.
///
/// ```
/// use urlgrep::{Extractor, Rejoin};
///
/// let extractor = Extractor::builder().any_scheme(true).rejoin(Rejoin::None).build();
/// let found = extractor.find_iter("foo://a.example/x").next().unwrap();
/// assert_eq!(found.url(), "foo://a.example/x");
///
/// // Kept, and built from more than once:
/// let mut options = Extractor::builder().line_numbers(true);
/// if std::env::args().any(|arg| arg == "--iri") {
///     options = options.iri(true);
/// }
/// let [careful, bold] = [Rejoin::None, Rejoin::Auto].map(|rejoin| options.clone().rejoin(rejoin).build());
/// # assert_ne!(careful.find_iter("<URL:x:a\nb>").count(), bold.find_iter("<URL:x:a\nb>").count());
/// ```
#[must_use = "a builder does nothing until it builds"]
#[derive(Clone, Debug, Default)]
pub struct ExtractorBuilder {
    extractor: Extractor,
}

impl ExtractorBuilder {
    /// Takes any letter-led word of 2-32 characters before `://` for a scheme (B-START-1 c). Off by
    /// default: only [known schemes](crate::known_schemes) are found.
    ///
    /// To find a few schemes alone, compare the [scheme](crate::SplitUrl::scheme) of each match:
    ///
    /// ```
    /// let text = "http://a.example/ ftp://b.example/ GOPHER://c.example/ foo://d.example/";
    /// let wanted = ["ftp", "gopher"];
    /// assert!(wanted.into_iter().all(|name| urlgrep::known_schemes().any(|known| known == name)));
    /// let extractor = urlgrep::Extractor::new();
    /// let is_wanted = |scheme: &str| wanted.iter().any(|name| name.eq_ignore_ascii_case(scheme));
    /// let found = extractor.find_iter(text).filter(|found| found.split().scheme().is_some_and(is_wanted));
    /// let urls: Vec<_> = found.map(|found| found.to_string()).collect();
    /// assert_eq!(urls, ["ftp://b.example/", "GOPHER://c.example/"]);
    ///
    /// let any = urlgrep::Extractor::builder().any_scheme(true).build();
    /// assert_eq!(any.find_iter(text).count(), 4);
    /// ```
    pub fn any_scheme(mut self, yes: bool) -> Self {
        self.extractor.options.any_scheme = yes;
        self
    }

    /// What may be rejoined over line breaks.
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.extractor.options.rejoin = rejoin;
        self
    }

    /// Which reading comes first at a doubtful hyphen.
    pub fn hyphen(mut self, order: HyphenOrder) -> Self {
        self.extractor.options.hyphen = order;
        self
    }

    /// Says how many columns the screen had that the text was on: a bare URL that fills its line
    /// may continue in the next one (B-JOIN-SCREEN). By default two lines of a URL that end in the
    /// same column tell.
    ///
    /// ```
    /// let text = "see https://a.example/oauth/authorize?scope=\nuser-profile-inference-sessions\n";
    /// let screen = urlgrep::Extractor::builder().columns(Some(44)).build();
    /// assert!(screen.find(text).unwrap().url().ends_with(b"?scope=user-profile-inference-sessions"));
    /// ```
    pub fn columns(mut self, columns: Option<usize>) -> Self {
        self.extractor.options.screen.columns = columns;
        self
    }

    /// Says that the text is a sheet, whose fields commas part: a comma ends an unquoted bare URL,
    /// and no line continues another (B-SHEET). By default the lines around a URL tell.
    pub fn sheet(mut self, yes: bool) -> Self {
        self.extractor.options.sheets = if yes { Sheets::Told } else { Sheets::ByLines };
        self
    }

    /// Unpacks the zips and compressed files that are attached to mail, up to 32 MiB of a message.
    /// Off by default: they are searched as bytes, and [`Sink::undecoded`](crate::Sink::undecoded)
    /// gets to know them.
    ///
    /// ```
    /// let extractor = urlgrep::Extractor::builder().unpack_attachments(true).build();
    /// assert_eq!(extractor.find_iter(b"http://a.example/").count(), 1); // text is text
    /// ```
    #[cfg(feature = "archive")]
    pub fn unpack_attachments(mut self, yes: bool) -> Self {
        self.extractor.unpack_attachments = yes;
        self
    }

    /// Sets the absolute URL that the links of HTML and XML are relative to, such as that from
    /// which a page was taken. By default they have none but their own: a page's `<base href>` is
    /// relative to this one, and goes before it.
    ///
    /// ```
    /// let page = urlgrep::archive::OpenOptions::new().read_as(urlgrep::archive::ReadAs::Html);
    /// let extractor = urlgrep::Extractor::builder().base(Some(b"http://a.example/docs/")).build();
    /// let mut targets = Vec::new();
    /// page.each(&mut &b"<a href=b.html>"[..], b"", |_, entry| {
    ///     let found = Vec::new;
    ///     extractor.find_entry(entry?, found, |found| {
    ///         targets.extend(found.iter().map(|found: &urlgrep::Match<'_>| found.target().to_string()));
    ///         std::ops::ControlFlow::Continue(())
    ///     })
    /// })?;
    /// assert_eq!(targets, ["http://a.example/docs/b.html"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "archive")]
    pub fn base(mut self, base: Option<&[u8]>) -> Self {
        self.extractor.base = base.map(Arc::from);
        self
    }

    /// Lets bare URLs hold every letter beyond ASCII after the host (B-UNI-1). Off by default: one
    /// of a script without blanks between words may end the URL, and the longer reading is then an
    /// alternative.
    pub fn iri(mut self, yes: bool) -> Self {
        self.extractor.options.iri = yes;
        self
    }

    /// Reads defanged URLs as what they hide (B-REFANG): `hxxps://a[.]example/` as
    /// `https://a.example/`. Off by default: they are none.
    ///
    /// ```
    /// let refang = urlgrep::Extractor::builder().refang(true).build();
    /// let found = refang.find("seen at hxxps://a[.]example/x").unwrap();
    /// assert_eq!(found.url(), "https://a.example/x");
    /// assert_eq!(found.source(), "hxxps://a[.]example/x");
    /// ```
    pub fn refang(mut self, yes: bool) -> Self {
        self.extractor.options.refang = yes;
        self
    }

    /// Finds names without a scheme that begin with `www.` or `ftp.` and end in a public suffix
    /// (B-WWW). Off by default.
    ///
    /// ```
    /// let www = urlgrep::Extractor::builder().www(true).build();
    /// let found = www.find("see www.example.com/x, or www.example").unwrap();
    /// assert_eq!((found.url(), found.kind()), ("www.example.com/x".into(), urlgrep::Kind::Www));
    /// assert_eq!(found.target(), "http://www.example.com/x");
    /// ```
    #[cfg(feature = "domain")]
    pub fn www(mut self, yes: bool) -> Self {
        self.extractor.options.www = yes;
        self
    }

    /// Finds the links that an archiver of mail put on its pages, too: to reply, to the next
    /// message, to an index. Their kind is [`Kind::Navigation`](crate::Kind::Navigation). Off by
    /// default.
    #[cfg(feature = "archive")]
    pub fn navigation(mut self, yes: bool) -> Self {
        self.extractor.options.navigation = yes;
        self
    }

    /// Finds what is refused for a host that nobody wrote, too (B-NOHOST):
    /// [`Match::refused`](crate::Match::refused) says why. Off by default.
    pub fn candidates(mut self, yes: bool) -> Self {
        self.extractor.options.candidates = yes;
        self
    }

    /// Accepts any string of URL characters after an unknown scheme, also after `//` (G-OTHER-2).
    /// Off by default.
    pub fn other_literal(mut self, yes: bool) -> Self {
        self.extractor.options.parse = self.extractor.options.parse.other_literal(yes);
        self
    }

    /// Counts lines and columns. Off by default: it takes another pass over all bytes.
    pub fn line_numbers(mut self, yes: bool) -> Self {
        self.extractor.line_numbers = yes;
        self
    }

    /// The instructions that look at bytes: by default the fastest of this machine
    /// ([`Backend::detect`]). The matches do not depend on it.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.extractor.options.backend = backend;
        self
    }

    /// How many bytes a stream reads, and a parallel worker searches, at a time: 256 KiB by
    /// default, and at least one. The matches do not depend on it.
    pub fn chunk_size(mut self, bytes: usize) -> Self {
        self.extractor.chunk_size = bytes.max(1);
        self
    }

    /// How many line ends after a match have to be read before it is given where its input pauses
    /// (see [`Stream`](crate::Stream)): none by default.
    /// [`Match::lines_around`](crate::Match::lines_around) and
    /// [`Match::surroundings`](crate::Match::surroundings) show no more than was read by then: for
    /// the rest of its line it takes one, for two lines after that three. With `usize::MAX` nothing
    /// is given earlier for a pause. The matches do not depend on it.
    pub fn line_ends_after(mut self, ends: usize) -> Self {
        self.extractor.line_ends_after = ends;
        self
    }

    /// Builds the extractor.
    pub fn build(&self) -> Extractor {
        self.extractor.clone()
    }
}
