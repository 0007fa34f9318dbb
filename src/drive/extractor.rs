//! [`Extractor`]: the options of a search. Its methods are the drivers, each in its own file.

#[cfg(feature = "archive")]
use std::borrow::Cow;
#[cfg(feature = "archive")]
use std::sync::Arc;

#[cfg(feature = "archive")]
use crate::archive::Container;
#[cfg(feature = "archive")]
use crate::archive::attachment::{ReadDatabase, Unpacking};
use crate::bytes::simd::Backend;
use crate::drive::lines::Lines;
use crate::find::{HyphenOrder, Options, Rejoin, Sheets};

/// Finds URLs in text.
///
/// An extractor is immutable, `Send + Sync` and cheap to clone. A haystack is plain bytes, in any
/// encoding that is compatible with ASCII. Each search method is a driver for one kind of input. A
/// table in the [crate's docs](crate) shows which one to use. All drivers return the same matches,
/// byte for byte.
///
/// A search can cover a range of an input, or only what was appended since an earlier search
/// ([`Checkpoint`](crate::Checkpoint)). Time is linear in the length of any input.
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
    database: Option<ReadDatabase>,
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
            database: None,
            #[cfg(feature = "archive")]
            base: None,
            line_numbers: false,
            chunk_size: 256 << 10,
            line_ends_after: 0,
        }
    }
}

impl Extractor {
    /// Returns an extractor with the default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a builder with the default options.
    pub fn builder() -> ExtractorBuilder {
        ExtractorBuilder::default()
    }

    /// Returns the extractor for the content of a container. For a CSV file, the result ends URLs
    /// at commas ([`sheet`](ExtractorBuilder::sheet)). For any other container, it is this
    /// extractor.
    ///
    /// [`open`](Self::open), [`find_entry`](Self::find_entry) and
    /// [`search_range`](Self::search_range) call this method themselves.
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
    pub(crate) fn unpacking(&self) -> Unpacking {
        Unpacking { database: self.database, ..Unpacking::new(self.unpack_attachments) }
    }

    /// Returns the URL that the links of pages are relative to, if the caller set one.
    #[cfg(feature = "archive")]
    pub(crate) fn base(&self) -> Option<&Arc<[u8]>> {
        self.base.as_ref()
    }

    /// Returns the extractor that marks the broken URLs that one line can hold.
    pub(crate) fn healing(&self) -> Extractor {
        Extractor { options: Options { heals: true, ..self.options }, ..self.clone() }
    }

    pub(crate) fn options(&self) -> Options {
        self.options
    }

    /// Returns a line counter at the start of an input, if lines are counted.
    pub(crate) fn lines(&self) -> Option<Lines> {
        self.line_numbers.then(|| Lines::new(self.options.backend))
    }

    pub(crate) fn chunk_size(&self) -> usize {
        self.chunk_size
    }

    /// Returns how many line ends must follow a match before a pause of the input returns it.
    /// `None` means that no pause returns a match early.
    pub(crate) fn line_ends_after(&self) -> Option<usize> {
        (self.line_ends_after < usize::MAX).then_some(self.line_ends_after)
    }
}

/// Sets the options of an [`Extractor`] and builds it.
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
    /// Accepts any letter-led word of 2-32 characters before `://` as a scheme (B-START-1 c). Off
    /// by default: only [recognised schemes](crate::is_known_scheme) are found.
    ///
    /// To find only certain schemes, compare the [scheme](crate::SplitUrl::scheme) of each match:
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

    /// Sets which URLs are rejoined over line breaks.
    pub fn rejoin(mut self, rejoin: Rejoin) -> Self {
        self.extractor.options.rejoin = rejoin;
        self
    }

    /// Sets which reading comes first if a hyphen at a line break may or may not belong to the URL.
    pub fn hyphen(mut self, order: HyphenOrder) -> Self {
        self.extractor.options.hyphen = order;
        self
    }

    /// Sets the width, in columns, of the screen that the text was copied from. A bare URL that
    /// fills its line then continues on the next line (B-JOIN-ROWS). By default, the width is
    /// inferred only if two lines of a URL end in the same column.
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

    /// Treats the text as a CSV file, whose fields are separated by commas (B-SHEET). A comma then
    /// ends an unquoted bare URL, and no bare URL continues on the next line. By default, the lines
    /// around each URL show whether they are CSV.
    pub fn sheet(mut self, yes: bool) -> Self {
        self.extractor.options.sheets = if yes { Sheets::Told } else { Sheets::ByLines };
        self
    }

    /// Unpacks the zips and compressed files that are attached to mail, up to 32 MiB per message.
    /// By default, these files are searched as bytes, and reported to
    /// [`Sink::undecoded`](crate::Sink::undecoded).
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

    /// Sets a function that reads SQLite databases attached to mail. It returns their texts, and
    /// whether these are all. A line with a NUL after each text keeps it apart from the next. By
    /// default, no database is searched, and each is reported to
    /// [`Sink::undecoded`](crate::Sink::undecoded).
    ///
    /// ```
    /// let read = |_: &[u8]| (b"http://a.example/\n\0\nhttp://b.example/\n\0\n".to_vec(), true);
    /// let extractor = urlgrep::Extractor::builder().read_databases(read).build();
    /// assert_eq!(extractor.find_iter(b"http://a.example/").count(), 1); // text is text
    /// ```
    #[cfg(feature = "archive")]
    pub fn read_databases(mut self, read: fn(&[u8]) -> (Vec<u8>, bool)) -> Self {
        self.extractor.database = Some(read);
        self
    }

    /// Sets the absolute URL that links of HTML and XML are relative to, such as a downloaded
    /// page's address. By default there is none.
    ///
    /// A page's own `<base href>` is resolved against this URL, and overrides it for the links of
    /// the page.
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

    /// Accepts every non-ASCII letter after the host of a bare URL (B-UNI-1). Off by default: a
    /// letter of a script without blanks between words may end the URL. The longer reading may then
    /// be an alternative.
    pub fn iri(mut self, yes: bool) -> Self {
        self.extractor.options.iri = yes;
        self
    }

    /// Reads defanged URLs as the URLs that they hide (B-REFANG): `hxxps://a[.]example/` as
    /// `https://a.example/`. Off by default: defanged URLs are not found.
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

    /// Finds other names without a scheme, if they end in a public suffix and have a path (B-NAME).
    /// Off by default.
    ///
    /// ```
    /// let names = urlgrep::Extractor::builder().names(true).build();
    /// let text = "see github.example.com/a/b, src/main.rs/x and setup.py/x";
    /// let found: Vec<_> = names.find_iter(text).map(|found| found.target().to_string()).collect();
    /// assert_eq!(found, ["http://github.example.com/a/b"]);
    /// ```
    #[cfg(feature = "domain")]
    pub fn names(mut self, yes: bool) -> Self {
        self.extractor.options.names = yes;
        self
    }

    /// Includes the links that a mail archiver added to its pages: to reply, to the next message,
    /// to an index. Their kind is [`Kind::Navigation`](crate::Kind::Navigation). Off by default.
    #[cfg(feature = "archive")]
    pub fn navigation(mut self, yes: bool) -> Self {
        self.extractor.options.navigation = yes;
        self
    }

    /// Includes candidates that are refused because their host is a placeholder or defanged
    /// (B-NOHOST). [`Match::refused`](crate::Match::refused) returns the reason. Off by default.
    pub fn candidates(mut self, yes: bool) -> Self {
        self.extractor.options.candidates = yes;
        self
    }

    /// Accepts any string of URL characters after a scheme that has no grammar of its own, even
    /// after `//` (G-OTHER-2). Off by default.
    pub fn other_literal(mut self, yes: bool) -> Self {
        self.extractor.options.parse = self.extractor.options.parse.other_literal(yes);
        self
    }

    /// Counts lines and columns. Off by default: counting needs another pass over all bytes.
    pub fn line_numbers(mut self, yes: bool) -> Self {
        self.extractor.line_numbers = yes;
        self
    }

    /// Sets the instructions that scan the bytes. The default is the fastest on this machine
    /// ([`Backend::detect`]). The matches do not depend on the backend.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.extractor.options.backend = backend;
        self
    }

    /// Sets how many bytes a stream reads, or a parallel worker searches, at a time. The default is
    /// 256 KiB, the minimum one byte. The matches do not depend on this size.
    pub fn chunk_size(mut self, bytes: usize) -> Self {
        // A read into no bytes returns 0, which would end the input.
        self.extractor.chunk_size = bytes.max(1);
        self
    }

    /// Sets how many line ends must follow a match before a pause of the input returns it (see
    /// [`Stream`](crate::Stream)). The default is 0.
    ///
    /// [`Match::lines_around`](crate::Match::lines_around) and
    /// [`Match::surroundings`](crate::Match::surroundings) show only text that was read by then.
    /// The rest of the match's line needs one line end; two more lines after it need three. With
    /// `usize::MAX`, a pause never returns a match early. The matches do not depend on this number.
    pub fn line_ends_after(mut self, ends: usize) -> Self {
        self.extractor.line_ends_after = ends;
        self
    }

    /// Builds the extractor.
    pub fn build(&self) -> Extractor {
        self.extractor.clone()
    }
}
