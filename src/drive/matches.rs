//! [`Match`]: a URL that was found, with its offsets and its text.

use std::borrow::Cow;
use std::ops::Range;
#[cfg(all(feature = "archive", feature = "audit"))]
use std::sync::Arc;
use std::sync::OnceLock;

use bstr::{BStr, ByteSlice};

use crate::bytes::limits::SURROUNDINGS;
use crate::drive::lines::{LinePlace, Lines, MatchedText, Position};
#[cfg(feature = "archive")]
use crate::drive::place::{Brief, Context, Place};
use crate::drive::why::Reason;
use crate::find::{self, Kind, Options, Pieces, RawMatch, Reading, RefusedHost, Rest};
use crate::url::{self, Verdict};
use crate::{Level, ParseError, ParseErrorKind, SplitUrl};

/// A URL that was found, and its place in the input.
///
/// A match borrows the haystack or a stream's buffer; [`into_owned`](Match::into_owned) ends the
/// borrow. A URL that is a slice of the haystack needs no allocation.
///
/// ```
/// use urlgrep::{Extractor, Kind, Level};
///
/// let text = b"see <URL:ftp://ds.in\n  ternic.net/rfc>";
/// let found = Extractor::new().find_iter(text).next().unwrap();
/// assert_eq!(found.url(), "ftp://ds.internic.net/rfc");
/// assert_eq!(found.kind(), Kind::Wrapped);
/// assert_eq!(found.level(), Level::Rfc1738);
/// assert_eq!(found.span(), 4..38);
/// assert!(found.rejoined() && !found.is_verbatim());
/// ```
#[derive(Clone)]
pub struct Match<'h> {
    /// The window, or the part of the window that the readings need.
    text: Cow<'h, [u8]>,
    /// Offset of `text` in the input.
    base: u64,
    raw: RawMatch,
    position: Option<Position>,
    options: Options,
    /// The verdict on the first reading, computed on demand if the search did not need it.
    judged: OnceLock<Verdict>,
    /// The readings that the search deferred, computed on demand. They are cached, because an audit
    /// reads them twice.
    rest: OnceLock<Box<[Reading]>>,
    /// The URL that a name without a scheme stands for, computed on demand.
    named: OnceLock<Box<[u8]>>,
    #[cfg(feature = "archive")]
    origin: Origin<'h>,
}

/// The origin of the text.
#[cfg(feature = "archive")]
#[derive(Clone)]
enum Origin<'h> {
    /// The input itself.
    Input,
    /// A message or page that is in memory.
    Message(&'h Context<'h>),
    /// A message or page that may be gone.
    Known(Box<OwnedOrigin>),
}

/// The facts of an owned match that come from its message or page.
#[cfg(feature = "archive")]
#[derive(Clone)]
struct OwnedOrigin {
    span: Range<u64>,
    place: Place,
    #[cfg(feature = "audit")]
    recipients: Arc<[String]>,
    #[cfg(feature = "audit")]
    is_in_message: bool,
}

/// The text before the URL of a link in RTF and in documents of Word.
const FIELD: &[u8] = b"HYPERLINK \"";

/// The maximum length of a [prefix](Match::prefix).
const LONGEST_PREFIX: usize = 32;

impl<'h> Match<'h> {
    /// Returns a new match. The function is inlined, because a call would copy the match.
    #[inline(always)]
    pub(crate) fn new(
        text: &'h [u8],
        base: u64,
        mut raw: RawMatch,
        position: Option<Position>,
        options: Options,
    ) -> Match<'h> {
        debug_assert!(raw.joined.as_ref().is_none_or(|joined| joined[..] == raw.first.bytes(text)[..]));
        if raw.joined.is_none()
            && let Cow::Owned(joined) = raw.first.bytes(text)
        {
            raw.joined = Some(joined);
        }
        if raw.kind == Kind::Bare && text[..raw.start].ends_with(FIELD) {
            raw.kind = Kind::Attribute; // B-FIELD
        }
        Match {
            text: Cow::Borrowed(text),
            base,
            raw,
            position,
            options,
            judged: OnceLock::new(),
            rest: OnceLock::new(),
            named: OnceLock::new(),
            #[cfg(feature = "archive")]
            origin: Origin::Input,
        }
    }

    /// Returns a new match, with its position if lines are counted.
    #[inline(always)]
    pub(crate) fn counted(
        text: &'h [u8],
        base: u64,
        raw: RawMatch,
        lines: &mut Option<Lines>,
        options: Options,
    ) -> Match<'h> {
        let position = lines.as_mut().map(|lines| lines.position(text, base, base + raw.start as u64));
        Match::new(text, base, raw, position, options)
    }

    /// Returns the match with its position set.
    pub(crate) fn at(self, position: Position) -> Match<'h> {
        Match { position: Some(position), ..self }
    }

    /// Returns a match in a text of a message.
    #[cfg(feature = "archive")]
    pub(crate) fn in_archive(
        text: &'h [u8],
        raw: RawMatch,
        position: Option<Position>,
        options: Options,
        context: &'h Context<'h>,
    ) -> Match<'h> {
        Match { origin: Origin::Message(context), ..Match::new(text, 0, raw, position, options) }
    }

    /// Returns the URL, in the preferred reading. White space and line breaks are removed, with the
    /// line prefixes and hyphens that belong to the breaks. Escapes of JSON and manual pages are
    /// decoded (B-JSON, B-ROFF). With [`refang`](crate::ExtractorBuilder::refang), defanged URLs
    /// are restored (B-REFANG). Nothing else is changed.
    #[inline]
    pub fn url(&self) -> &BStr {
        match &self.raw.joined {
            Some(joined) => joined.as_bstr(),
            None => self.text[self.raw.first.source()].as_bstr(),
        }
    }

    /// Returns the [URL](Self::url) as text. If the haystack is UTF-8, this is exactly the URL.
    /// Bytes that are not UTF-8 become U+FFFD; only a URL of level none has such bytes.
    ///
    /// ```
    /// let text = "see <URL:http://a.example/\n  x>";
    /// let found = urlgrep::Extractor::new().find(text).unwrap();
    /// let url: &str = &found.url_str();
    /// assert_eq!(url.strip_prefix("http://"), Some("a.example/x"));
    /// ```
    pub fn url_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.url())
    }

    /// Returns the word before a bare URL, if a colon joins them: `jdbc` of `jdbc:mysql://h/d`. It
    /// has at most 32 letters, digits, `+`, `-` and `.`, and begins with a letter.
    ///
    /// ```
    /// let found = urlgrep::Extractor::new().find("url=jdbc:mysql://db.example/app").unwrap();
    /// assert_eq!(found.prefix().unwrap(), "jdbc");
    /// assert_eq!(found.url(), "mysql://db.example/app");
    /// ```
    pub fn prefix(&self) -> Option<&BStr> {
        let before = self.text[..self.raw.start].strip_suffix(b":").filter(|_| self.raw.kind == Kind::Bare)?;
        let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let length = before.iter().rev().take(LONGEST_PREFIX + 1).take_while(is_of_word).count();
        let word = &before[before.len() - length..];
        (length <= LONGEST_PREFIX && word.first()?.is_ascii_alphabetic()).then(|| word.as_bstr())
    }

    /// Returns the URL for the lifetime of the haystack. It is borrowed if the haystack holds it
    /// [verbatim](Self::is_verbatim), unless the match is [owned](Self::into_owned).
    ///
    /// ```
    /// use urlgrep::{Extractor, Match};
    ///
    /// let text = "http://a.example/ and http://b.example/";
    /// let urls: Vec<_> = Extractor::new().find_iter(text).map(Match::into_url).collect();
    /// assert_eq!(*urls[1], "http://b.example/");
    /// ```
    pub fn into_url(self) -> Cow<'h, BStr> {
        let source = self.raw.first.source();
        match (self.raw.joined, self.text) {
            (Some(joined), _) => Cow::Owned(joined.into()),
            (None, Cow::Borrowed(text)) => Cow::Borrowed(text[source].as_bstr()),
            (None, Cow::Owned(text)) => Cow::Owned(text[source].into()),
        }
    }

    /// Returns the URL for the lifetime of the haystack, if the haystack holds it
    /// [verbatim](Self::is_verbatim). Returns `None` if the URL was put together from pieces, or
    /// the match is [owned](Self::into_owned).
    ///
    /// ```
    /// let text = "http://a.example/ and http://b.example/";
    /// let urls: Vec<_> = urlgrep::Extractor::new().find_iter(text).filter_map(|found| found.verbatim_url()).collect();
    /// assert_eq!(urls, ["http://a.example/", "http://b.example/"]);
    /// ```
    pub fn verbatim_url(&self) -> Option<&'h BStr> {
        match (&self.raw.joined, &self.text) {
            (None, Cow::Borrowed(text)) => Some(text[self.raw.first.source()].as_bstr()),
            _ => None,
        }
    }

    /// Returns the range of input bytes that the match covers. A wrapped or angle URL includes its
    /// brackets, a prefixed URL its `URL:`, and a joined URL its line breaks.
    ///
    /// In an archive of mail, offsets count from the start of the archive, also if the text was
    /// encoded. These bytes decode to the match. In base64, the range begins and ends with a group of
    /// four letters. The first call for a part takes time in the length of the part.
    ///
    /// The archive does not hold an unpacked text. Its offsets count from the start of that text, and
    /// the encoding of its place is `unpacked` or `http`.
    #[inline]
    pub fn span(&self) -> Range<u64> {
        self.place_of(self.raw.start..self.raw.end)
    }

    /// Returns the place of a range of the text in the input.
    #[inline]
    fn place_of(&self, range: Range<usize>) -> Range<u64> {
        #[cfg(feature = "archive")]
        match &self.origin {
            Origin::Input => {}
            Origin::Message(context) => return context.span(range),
            Origin::Known(known) => return known.span.clone(),
        }
        self.base + range.start as u64..self.base + range.end as u64
    }

    /// Returns the [span](Self::span) as a range that indexes a haystack in memory.
    ///
    /// ```
    /// let text = "see http://a.example/.";
    /// let found = urlgrep::Extractor::new().find(text).unwrap();
    /// assert_eq!(&text[found.range()], "http://a.example/");
    /// ```
    pub fn range(&self) -> Range<usize> {
        let Range { start, end } = self.span();
        // Only a stream has offsets beyond `usize`: no slice is that long.
        let index = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        index(start)..index(end)
    }

    /// Returns the source text of the span.
    pub fn source(&self) -> &BStr {
        self.text[self.raw.start..self.raw.end].as_bstr()
    }

    /// Returns the text right before and right after the span: up to `width` bytes on either side.
    /// The maximum is 1,024, which every driver keeps in memory. A character may be cut in two.
    ///
    /// The text is the input, or a text of a message. An attribute of HTML is a separate text. An
    /// [owned](Match::into_owned) match keeps four bytes on either side, the length of the longest
    /// character. It keeps more if a reading needs them.
    ///
    /// ```
    /// let found = urlgrep::Extractor::new().find(b"seen at http://a.example/ today").unwrap();
    /// assert_eq!(found.surroundings(4), (" at ".into(), " tod".into()));
    /// ```
    pub fn surroundings(&self, width: usize) -> (&BStr, &BStr) {
        let width = width.min(SURROUNDINGS);
        let RawMatch { start, end, .. } = self.raw;
        let before = &self.text[start.saturating_sub(width)..start];
        let after = &self.text[end..self.text.len().min(end + width)];
        (before.as_bstr(), after.as_bstr())
    }

    /// Returns the places in the input of the lines in a range of the
    /// [matched text](Self::matched_text). It is empty unless the text was decoded.
    pub(crate) fn places_of_lines(&self, lines: Range<usize>) -> Vec<LinePlace> {
        #[cfg(feature = "archive")]
        if let Origin::Message(context) = &self.origin {
            return context.places_of_lines(self.raw.start..self.raw.end, lines);
        }
        let _ = lines;
        Vec::new()
    }

    /// Returns the place of a range of the text in the [matched text](Self::matched_text), whose
    /// offset it includes.
    fn place_in_excerpt(&self, range: Range<usize>) -> Range<u64> {
        #[cfg(feature = "archive")]
        if let Origin::Message(context) = &self.origin {
            let MatchedText { span, offset, .. } = context.matched_text(range);
            return offset + span.start as u64..offset + span.end as u64;
        }
        self.place_of(range)
    }

    /// Returns the text that holds the match. This is the text of a decoded part, or the input if
    /// nothing was decoded. An owned match has only its source.
    pub(crate) fn matched_text(&self) -> MatchedText<'_> {
        #[cfg(feature = "archive")]
        match &self.origin {
            Origin::Input => {}
            Origin::Message(context) => return context.matched_text(self.raw.start..self.raw.end),
            Origin::Known(known) => {
                let (text, span) = (self.source().as_bytes(), 0..self.raw.end - self.raw.start);
                return MatchedText { text, span, offset: known.span.start, part: None };
            }
        }
        MatchedText { text: &self.text, span: self.raw.start..self.raw.end, offset: self.base, part: None }
    }

    /// Returns the gaps of the source between the pieces of the URL, each with its offset in the
    /// URL. A gap holds line breaks with the line prefixes after them, hyphens, white space, or
    /// escapes that stand for nothing.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let pieces = || self.raw.first.iter();
        let offsets = pieces().scan(0, |offset, piece| {
            *offset += piece.len();
            Some(*offset)
        });
        let gaps = pieces().zip(pieces().skip(1)).map(|(piece, next)| piece.source.end..next.source.start);
        offsets.zip(gaps).filter(|(_, gap)| !gap.is_empty()).map(|(at, gap)| (at, &self.text[gap]))
    }

    /// Returns whether the match has a [`place`](Self::place).
    #[inline]
    pub(crate) fn has_place(&self) -> bool {
        #[cfg(feature = "archive")]
        return !matches!(self.origin, Origin::Input);
        #[cfg(not(feature = "archive"))]
        false
    }

    /// Returns the place of the match in an input that [has
    /// documents](crate::archive::Container::has_documents), such as mail, news or HTML. Returns
    /// `None` in other texts. Every call builds the place anew.
    #[cfg(feature = "archive")]
    pub fn place(&self) -> Option<Place> {
        match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => Some(context.place(self.raw.start..self.raw.end, self.kind(), self.url())),
            Origin::Known(known) => Some(known.place.clone()),
        }
    }

    /// Returns the host that the text of a link shows, if the link leads to another host. This is
    /// [`Place::shown_host`] without the rest of the place.
    #[cfg(feature = "archive")]
    pub fn shown_host(&self) -> Option<String> {
        match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => context.shown_host(self.raw.start, self.kind(), self.url()),
            Origin::Known(known) => known.place.shown_host.clone(),
        }
    }

    /// Returns the message around the match, in an archive of mail or news. Returns `None` in other
    /// texts, and if the match is [owned](Match::into_owned). Unlike [`place`](Self::place), it
    /// parses no header.
    #[cfg(feature = "archive")]
    pub fn brief(&self) -> Option<Brief<'_>> {
        match &self.origin {
            Origin::Message(context) => context.brief(self.raw.start),
            Origin::Input | Origin::Known(_) => None,
        }
    }

    /// Returns how deeply the match's line is quoted in its message. Returns `None` in headers and
    /// in texts outside messages. In HTML, only a message on an archiver's page has a depth.
    #[cfg(feature = "archive")]
    pub fn quote_depth(&self) -> Option<usize> {
        match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => context.quote_depth(self.raw.start),
            Origin::Known(known) => known.place.quote_depth,
        }
    }

    /// Returns the URL that a click opens. A relative link of HTML is resolved, and a name without
    /// a scheme gets `http://` or `ftp://` before it. Otherwise the result is the
    /// [`url`](Self::url).
    pub fn target(&self) -> &BStr {
        if self.kind().lacks_scheme() {
            let is_ftp = self.url().get(..4).is_some_and(|head| head.eq_ignore_ascii_case(b"ftp."));
            let scheme: &[u8] = if is_ftp { b"ftp://" } else { b"http://" };
            return self.named.get_or_init(|| [scheme, self.url().as_bytes()].concat().into()).as_bstr();
        }
        #[cfg(feature = "archive")]
        if let Some(resolved) = match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => context.resolved(),
            Origin::Known(known) => known.place.resolved.as_deref(),
        } {
            return resolved.as_bstr();
        }
        self.url()
    }

    /// Returns the components of the [`target`](Self::target) as text, at every level: scheme,
    /// user, host, port, path, query, fragment. For a match without an [error](Self::error),
    /// [`Url`](crate::Url) has the components of its scheme.
    ///
    /// ```
    /// let found = urlgrep::Extractor::new().find("see https://h.example:80/a?x[]=1").unwrap();
    /// assert_eq!(found.level(), urlgrep::Level::None);
    /// let url = found.split();
    /// assert_eq!((url.host(), url.port(), url.path(), url.query()), (Some("h.example"), Some(80), "/a", Some("x[]=1")));
    /// ```
    pub fn split(&self) -> SplitUrl<'_> {
        SplitUrl::with(self.target(), self.options.parse)
    }

    /// Returns the host of the [`target`](Self::target) as written, without the port, at every
    /// level. [`url::host`](crate::url::host()) returns the same, and the command's `--host`
    /// compares it without case. [`split`](Self::split) has it as `&str`.
    ///
    /// ```
    /// let found = urlgrep::Extractor::new().find("see https://h.example:80/a?x[]=1").unwrap();
    /// assert_eq!(found.level(), urlgrep::Level::None);
    /// assert_eq!(*found.host().unwrap(), "h.example");
    /// ```
    pub fn host(&self) -> Option<Cow<'_, BStr>> {
        Some(match url::host_with(self.target(), self.options.parse)? {
            Cow::Borrowed(host) => Cow::Borrowed(host.as_bstr()),
            Cow::Owned(host) => Cow::Owned(host.into()),
        })
    }

    /// Returns true for a relative link of HTML whose base is unknown. Its [`target`](Self::target)
    /// is then the reference itself.
    ///
    /// # RFC
    ///
    /// RFC 3986 section 5.1.
    pub fn is_unresolved(&self) -> bool {
        matches!(self.kind(), Kind::Attribute | Kind::Navigation)
            && self.scheme().is_none()
            && self.target() == self.url()
    }

    /// Returns the name of the header field that holds the match.
    #[cfg(all(feature = "archive", feature = "audit"))]
    pub(crate) fn header_field(&self) -> Option<&[u8]> {
        match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => context.header_field(self.raw.start),
            Origin::Known(known) => known.place.header.as_deref().map(str::as_bytes),
        }
    }

    /// Returns the attribute of HTML that holds the match, such as `a href`.
    #[cfg(all(feature = "archive", feature = "audit"))]
    pub(crate) fn attribute(&self) -> Option<&str> {
        match &self.origin {
            Origin::Input => None,
            Origin::Message(context) => context.attribute(),
            Origin::Known(known) => known.place.attribute.as_deref(),
        }
    }

    /// Returns the mail addresses of the message's recipients.
    #[cfg(all(feature = "archive", feature = "audit"))]
    pub(crate) fn recipients(&self) -> &[String] {
        match &self.origin {
            Origin::Input => &[],
            Origin::Message(context) => context.message.recipients(),
            Origin::Known(known) => &known.recipients,
        }
    }

    /// Returns whether the match is in a message, and not in a page or other text.
    #[cfg(all(feature = "archive", feature = "audit"))]
    pub(crate) fn is_in_message(&self) -> bool {
        match &self.origin {
            Origin::Input => false,
            Origin::Message(context) => context.is_in_message(),
            Origin::Known(known) => known.is_in_message,
        }
    }

    /// Returns how the text delimits the URL.
    #[inline]
    pub fn kind(&self) -> Kind {
        self.raw.kind
    }

    /// Returns the scheme as written. Returns `None` for a relative link, a `www.` name, or a
    /// wrapped body without a scheme.
    pub fn scheme(&self) -> Option<&BStr> {
        url::scheme_of(self.url())
    }

    /// Returns the strictest grammar that the URL satisfies.
    #[inline]
    pub fn level(&self) -> Level {
        self.verdict().level
    }

    /// Returns the text with which [`Extractor::heal`](crate::Extractor::heal) replaces the match.
    pub(crate) fn whole(&self) -> Option<Vec<u8>> {
        if self.raw.is_healed { find::whole(&self.text, &self.raw) } else { None }
    }

    /// Returns the options of the search.
    #[inline]
    pub(crate) fn options(&self) -> Options {
        self.options
    }

    /// Returns the reason why the URL does not satisfy RFC 1738, with a fragment allowed. The error
    /// has its offset in [`url`](Match::url).
    pub fn error(&self) -> Option<ParseError> {
        self.verdict().error
    }

    /// Returns the [level](Match::level) and the [error](Match::error).
    #[inline]
    pub(crate) fn verdict(&self) -> Verdict {
        let judge = || url::judge_with(self.options.backend, self.url(), self.options.parse);
        self.raw.verdict.unwrap_or_else(|| *self.judged.get_or_init(judge))
    }

    /// Returns whether the URL's bytes come from more than one line.
    #[inline]
    pub fn rejoined(&self) -> bool {
        #[cfg(feature = "archive")]
        if let Origin::Message(context) = &self.origin {
            // Lines of `format=flowed` are joined before the search, which then sees one line.
            return self.raw.rejoined || context.was_broken(self.raw.first.source());
        }
        self.raw.rejoined
    }

    /// Returns whether the URL is one slice of the source. [`url`](Match::url) is then that slice.
    pub fn is_verbatim(&self) -> bool {
        self.raw.joined.is_none()
    }

    /// Returns the reason why a candidate is not a URL, if its host is a placeholder or defanged
    /// (B-NOHOST). Such candidates are found only [on demand](crate::ExtractorBuilder::candidates).
    pub fn refused(&self) -> Option<RefusedHost> {
        self.raw.refused
    }

    /// Returns true for a bare or prefixed URL that was shortened for display (B-CUT): `…` or `...`
    /// directly follows its path, query or fragment. Also returns true for a URL broken over more
    /// lines than B-JOIN reads.
    ///
    /// ```
    /// let found = |text| urlgrep::Extractor::new().find(text).unwrap().is_truncated();
    /// assert!(found("http://a.example/2023/some-long-…") && found("http://a.example/2023/some..."));
    /// assert!(!found("http://a.example/2023/ ...") && !found("http://a.example..."));
    /// ```
    pub fn is_truncated(&self) -> bool {
        let after = &self.text[self.raw.end..];
        let is_shortened = || {
            matches!(after, [b'.', b'.', b'.', ..] | [0xE2, 0x80, 0xA6, ..]) // `...` or `…`
                && matches!(self.kind(), Kind::Bare | Kind::Prefixed)
                && has_path(self.url())
        };
        self.raw.is_cut || is_shortened()
    }

    /// Returns whether the match holds a URL. A [refused](Self::refused) candidate does not, nor
    /// does a wrapped body without any URL (B-TRAP). Such a body has no valid scheme
    /// (`Option<url::Url>`), or is program text that fits no level (`"<URL:%s>"`).
    pub fn holds_url(&self) -> bool {
        use ParseErrorKind::{BadSchemeChar, EmptyScheme, MissingScheme};
        if self.refused().is_some() {
            return false;
        }
        if self.kind() != Kind::Wrapped {
            return true;
        }
        match self.error().map(|error| error.kind()) {
            Some(MissingScheme | EmptyScheme | BadSchemeChar) => false,
            _ => self.level() != Level::None || !is_program_text(self.url()),
        }
    }

    /// Returns every URL that the text may stand for, the preferred one first, without repetition.
    ///
    /// A doubtful place yields more than one URL. Such a place is a hyphen before a line break, a
    /// blank inside a wrapper, or a non-ASCII letter. It may also be the end of a line, if the next
    /// line may continue the URL.
    pub fn readings(&self) -> impl Iterator<Item = Cow<'_, BStr>> {
        std::iter::once(Cow::Borrowed(self.url())).chain(self.rest().map(|reading| self.bytes_of(&reading.pieces)))
    }

    /// Returns whether the [`url`](Match::url) is the only reading.
    #[inline]
    pub(crate) fn has_one_reading(&self) -> bool {
        matches!(&self.raw.rest, Rest::Made(made) if made.is_empty())
    }

    fn bytes_of(&self, reading: &Pieces) -> Cow<'_, BStr> {
        match reading.bytes(&self.text) {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.as_bstr()),
            Cow::Owned(bytes) => Cow::Owned(bytes.into()),
        }
    }

    /// Yields the readings after the first, each with its rule. They are made when the first of
    /// them is wanted, if the search did not make them.
    fn rest(&self) -> impl Iterator<Item = &Reading> {
        let made = || match &self.raw.rest {
            Rest::Made(made) => made,
            Rest::Unmade => self.rest.get_or_init(|| find::rest_of(&self.text, &self.raw, self.options)),
        };
        std::iter::once_with(made).flatten()
    }

    /// Returns the decisions that led to the match, in the order of the text.
    ///
    /// These are its form, the layers of the text, each line break that was weighed, and its end.
    /// Each other reading has the rule that made it.
    ///
    /// The search is made again for this, so it costs as much as the match. It needs the text
    /// around the match. An [owned](Self::into_owned) match has lost that text, so its reasons are
    /// those of the URL alone.
    ///
    /// ```
    /// let text = "see http://a.example/b\n\nand";
    /// let found = urlgrep::Extractor::new().find(text).unwrap();
    /// let lines: Vec<String> = found.explain().iter().map(|reason| reason.to_string()).collect();
    /// assert_eq!(lines[0], "form: a URL in plain text begins here [B-START]");
    /// assert_eq!(lines[1], "not joined: the next line is empty [B-JOIN-N-BLANK]");
    /// ```
    #[must_use]
    pub fn explain(&self) -> Vec<Reason> {
        let place = |range: Range<usize>| (self.place_of(range.clone()), self.place_in_excerpt(range).start);
        let rulings = find::explain(&self.text, &self.raw, self.options);
        let readings = self.rest().map(|reading| Reason::of_reading(reading, self.bytes_of(&reading.pieces), place));
        let mut reasons: Vec<_> =
            rulings.into_iter().map(|ruling| Reason::new(ruling, place)).chain(readings).collect();
        reasons.sort_by_key(|reason| reason.span().start);
        reasons
    }

    /// Returns the line of the span's first byte, from 1, if the extractor counts lines
    /// ([`line_numbers`](crate::ExtractorBuilder::line_numbers)). Lines end in LF.
    #[inline]
    pub fn line(&self) -> Option<u64> {
        self.position.map(|position| position.line)
    }

    /// Returns the column of the span's first byte, in bytes from 1, if the extractor counts lines.
    #[inline]
    pub fn column(&self) -> Option<u64> {
        self.position.map(|position| position.column)
    }

    /// Releases the match from its haystack or buffer. Copies the bytes of its span and readings,
    /// and up to four bytes on either side.
    pub fn into_owned(mut self) -> Match<'static> {
        self.raw.rest = Rest::Made(self.rest().cloned().collect());
        // `rejoined` depends on the origin, which is replaced below.
        self.raw.rejoined = self.rejoined();
        #[cfg(feature = "archive")]
        let origin = match self.place() {
            None => Origin::Input,
            Some(place) => Origin::Known(Box::new(OwnedOrigin {
                span: self.span(),
                place,
                #[cfg(feature = "audit")]
                recipients: self.recipients().into(),
                #[cfg(feature = "audit")]
                is_in_message: self.is_in_message(),
            })),
        };
        // An alternative reading may reach beyond the span.
        let ranges =
            || std::iter::once(&self.raw.first).chain(self.rest().map(|reading| &reading.pieces)).map(Pieces::source);
        const CHARACTER: usize = 4;
        let before = self.prefix().map_or(CHARACTER, |prefix| prefix.len() + b":".len() + 1);
        let from = ranges().map(|range| range.start).fold(self.raw.start.saturating_sub(before), usize::min);
        let to = ranges().map(|range| range.end).fold(self.text.len().min(self.raw.end + CHARACTER), usize::max);
        let raw = RawMatch {
            start: self.raw.start - from,
            end: self.raw.end - from,
            colon: self.raw.colon.saturating_sub(from),
            ..self.raw
        }
        .map_readings(|reading| reading.shifted(from));
        let text = Cow::Owned(self.text[from..to].to_vec());
        let Match { base, position, options, judged, .. } = self;
        Match {
            text,
            base: base + from as u64,
            raw,
            position,
            options,
            judged,
            rest: OnceLock::new(),
            named: OnceLock::new(),
            #[cfg(feature = "archive")]
            origin,
        }
    }
}

/// Returns whether a path, query or fragment follows the authority.
fn has_path(url: &[u8]) -> bool {
    let body = memchr::memmem::find(url, b"://").map_or(url.len(), |colon| colon + 3);
    url[body..].iter().any(|byte| matches!(byte, b'/' | b'?' | b'#'))
}

/// Returns whether a wrapped body holds a mark of program text (B-TRAP). The marks are a quote, a
/// variable (`$x`, `${x}`) and a format specifier (`%s`). `%d0` is not a mark, but an escape.
fn is_program_text(body: &[u8]) -> bool {
    memchr::memchr3_iter(b'"', b'$', b'%', body).any(|at| match body[at..] {
        [b'$', next, ..] => next.is_ascii_alphabetic() || next == b'{',
        [b'%', b'd', next, ..] => !next.is_ascii_hexdigit(),
        [b'%', next, ..] => matches!(next, b's' | b'd' | b'S'),
        [mark, ..] => mark == b'"',
        [] => false,
    })
}
