//! Text: a line for each match, `[count ][file:][line:][column:][offset:][<message-id>:]url`.
//!
//! Dense text has a URL every few dozen bytes, so this is a hot path. Integers are formatted by
//! `itoa`, and no line by `write!`. A line costs 65 ns with `write!`, and 12 ns without.

use std::io::{self, Write};
use std::path::Path;

use bstr::{BStr, ByteSlice};

use super::defang::defang;
use super::link::{FileLink, HyperlinkFormat};
use super::why;
use crate::{Level, Match};

/// Text: a line for each match, `[file:][line:][column:][offset:][<message-id>:]url`.
///
/// Bytes are written unchanged. A terminal would obey some of them, so use [`escape`](Self::escape)
/// there.
///
/// ```
/// use urlgrep::{Extractor, report::TextFormat};
///
/// let format = TextFormat::new().byte_offset(true);
/// let prefix = format.prefix("talk.txt");
/// let mut out = Vec::new(); // any `Write`
/// for found in Extractor::new().find_iter(b"see <URL:http://info.cern.ch/>") {
///     format.write(&prefix, &found, &mut out)?;
/// }
/// assert_eq!(out, b"talk.txt:4:http://info.cern.ch/\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFormat {
    /// A set of options such as [`LINE_NUMBER`]. The usual line, which is only a URL, needs only
    /// one check.
    options: u16,
}

const LINE_NUMBER: u16 = 1 << 0;
const COLUMN: u16 = 1 << 1;
const BYTE_OFFSET: u16 = 1 << 2;
const MESSAGE: u16 = 1 << 3;
const ALL_READINGS: u16 = 1 << 4;
const NULL: u16 = 1 << 5;
const COLOR: u16 = 1 << 6;
const ESCAPE: u16 = 1 << 7;
const DEFANG: u16 = 1 << 8;
const LINKS: u16 = 1 << 9;
const EXPLAIN: u16 = 1 << 10;

/// The beginning of every line of a file: its name, ready to print ([`TextFormat::prefix`]), or
/// nothing (the default).
///
/// ```
/// use urlgrep::{Extractor, report::{LinePrefix, TextFormat}};
///
/// let found = Extractor::new().find("see http://a.example/").unwrap();
/// let mut out = Vec::new();
/// TextFormat::new().write(&LinePrefix::default(), &found, &mut out)?;
/// assert_eq!(out, b"http://a.example/\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LinePrefix {
    name: Vec<u8>,
    link: Option<FileLink>,
}

impl LinePrefix {
    /// Links the name, line and column before a URL to their place in the file, for a terminal.
    /// `path` is absolute; `host` is the name of this machine.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::path::Path;
    /// use urlgrep::{Extractor, report::{HyperlinkFormat, TextFormat}};
    ///
    /// let (text, link) = (TextFormat::new().links(true), "x:{path}".parse::<HyperlinkFormat>()?);
    /// let prefix = text.prefix("a").linked(&link, Path::new("/tmp/a"), "");
    /// let mut out = Vec::new();
    /// text.write(&prefix, &Extractor::new().find("see news:a.b").unwrap(), &mut out)?;
    /// assert_eq!(out, b"\x1b]8;;x:/tmp/a\x1b\\a\x1b]8;;\x1b\\:news:a.b\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn linked(self, format: &HyperlinkFormat, path: &Path, host: &str) -> Self {
        LinePrefix { link: (!format.is_none()).then(|| format.of_file(path, host)), ..self }
    }

    /// Appends the prefix of a [plain](TextFormat::is_plain) line.
    #[inline]
    pub fn begin(&self, out: &mut Vec<u8>) {
        if !self.name.is_empty() {
            out.extend_from_slice(&self.name);
        }
    }

    /// Returns the name, linked if there is a link, and the byte after it.
    fn start(&self) -> Vec<u8> {
        match &self.link {
            Some(_) => self.link_over(&self.name, None, None),
            None => self.name.clone(),
        }
    }

    /// Returns the first fields of a line as a link. The byte after them is not part of the link.
    fn link_over(&self, fields: &[u8], line: Option<u64>, column: Option<u64>) -> Vec<u8> {
        let (Some(link), Some((end, fields))) = (&self.link, fields.split_last()) else { return fields.to_vec() };
        let mut linked = LINK.to_vec();
        link.write(line, column, &mut linked);
        [&linked, LINK_TEXT, fields, LINK_END, &[*end]].concat()
    }
}

/// The beginning of a line of the source.
pub(super) struct LineStart<'l> {
    /// Whether the line holds a match.
    pub(super) is_match: bool,
    pub(super) line: Option<u64>,
    /// The column of the first match in the line.
    pub(super) column: Option<u64>,
    pub(super) offset: u64,
    /// The Message-ID if it is shown.
    pub(super) message: &'l [u8],
}

// The colours are ripgrep's (path magenta, line green), except the URL's. Red on every line would
// mark nothing, so only the URLs that no grammar accepts are red.
const RESET: &[u8] = b"\x1b[0m";
const PATH: &[u8] = b"\x1b[35m";
const NUMBER: &[u8] = b"\x1b[32m";
const URL: &[u8] = b"\x1b[1m";
const NO_URL: &[u8] = b"\x1b[1m\x1b[31m";

// OSC 8: <https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda>.
const LINK: &[u8] = b"\x1b]8;;";
const LINK_TEXT: &[u8] = b"\x1b\\";
const LINK_END: &[u8] = b"\x1b]8;;\x1b\\";

impl TextFormat {
    /// Returns the URL that a line shows. It is the target of a click, except that a name without a
    /// scheme is shown as written.
    #[doc(hidden)]
    pub fn shown_url<'m>(found: &'m Match<'_>) -> &'m BStr {
        if found.kind().lacks_scheme() { found.url() } else { found.target() }
    }

    /// Returns a format of lines that hold only the URL.
    pub fn new() -> Self {
        Self::default()
    }

    fn set(self, option: u16, yes: bool) -> Self {
        TextFormat { options: if yes { self.options | option } else { self.options & !option } }
    }

    /// Returns true if each line consists of a [prefix](LinePrefix::begin) and the URL.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.options & !NULL == 0
    }

    #[inline]
    fn has(&self, option: u16) -> bool {
        self.options & option != 0
    }

    /// Adds the line number of the match's first byte.
    ///
    /// The extractor must count lines ([`line_numbers`](crate::ExtractorBuilder::line_numbers)). An
    /// unknown line is omitted.
    pub fn line_number(self, yes: bool) -> Self {
        self.set(LINE_NUMBER, yes)
    }

    /// Adds the column of the match's first byte. The extractor must count lines.
    pub fn column(self, yes: bool) -> Self {
        self.set(COLUMN, yes)
    }

    /// Adds the offset of the match's first byte.
    pub fn byte_offset(self, yes: bool) -> Self {
        self.set(BYTE_OFFSET, yes)
    }

    /// Adds the Message-ID of the message that holds the URL, in its brackets. Without a
    /// Message-ID, the brackets are empty.
    pub fn message(self, yes: bool) -> Self {
        self.set(MESSAGE, yes)
    }

    /// Writes a line for every reading: every URL that the text may mean, the preferred one first.
    /// All these lines begin with the same fields.
    pub fn all_readings(self, yes: bool) -> Self {
        self.set(ALL_READINGS, yes)
    }

    /// Writes the text of a match below its line, with the decisions that led to it
    /// ([`Match::explain`]).
    pub fn explain(self, yes: bool) -> Self {
        self.set(EXPLAIN, yes)
    }

    /// Writes a NUL byte after the file's name, instead of the colon or the line end.
    pub fn null(self, yes: bool) -> Self {
        self.set(NULL, yes)
    }

    /// Adds ANSI colours.
    pub fn color(self, yes: bool) -> Self {
        self.set(COLOR, yes)
    }

    /// Escapes URLs and names for a terminal, as `\t`, `\x1B` or `\u{202e}`.
    ///
    /// This affects controls, characters that reorder text or have no width, and bytes that are not
    /// UTF-8.
    pub fn escape(self, yes: bool) -> Self {
        self.set(ESCAPE, yes)
    }

    /// Writes URLs in a form that is not a link, for tickets and chats: `hxxp://d[.]example/x`,
    /// `fxp://d[.]example/`, `mailto[:]joe[@]d[.]example`, `javascript[:]f()`.
    ///
    /// The scheme gets a harmless form, or brackets around its colon. The dots and the `@` of the
    /// authority are bracketed. So is the `://` of a URL within the URL. Everything else is kept.
    ///
    /// ```
    /// use urlgrep::{Extractor, report::{LinePrefix, TextFormat}};
    ///
    /// let mut out = Vec::new();
    /// for found in Extractor::new().find_iter("see http://d.example/x.html") {
    ///     TextFormat::new().defang(true).write(&LinePrefix::default(), &found, &mut out)?;
    /// }
    /// assert_eq!(out, b"hxxp://d[.]example/x.html\n");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn defang(self, yes: bool) -> Self {
        self.set(DEFANG, yes)
    }

    /// Adds links for terminals.
    ///
    /// They cover the fields before the URL, if the prefix is [linked](LinePrefix::linked). They
    /// also cover URLs of http, https, ftp and mailto in printable ASCII.
    pub fn links(self, yes: bool) -> Self {
        self.set(LINKS, yes)
    }

    /// Formats a file's name as the prefix of its output lines, so that this is done only once. For
    /// lines without a name use `LinePrefix::default()`.
    pub fn prefix(&self, file: impl AsRef<[u8]>) -> LinePrefix {
        let mut name = self.file(file.as_ref());
        name.push(if self.has(NULL) { 0 } else { b':' });
        LinePrefix { name, link: None }
    }

    /// Writes the line or, with [`all_readings`](Self::all_readings), the lines of a match.
    ///
    /// # Errors
    ///
    /// Returns any error of the writer.
    #[inline]
    pub fn write(&self, prefix: &LinePrefix, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        if self.is_plain() {
            if !prefix.name.is_empty() {
                out.write_all(&prefix.name)?;
            }
            out.write_all(TextFormat::shown_url(found))?;
            return out.write_all(b"\n");
        }
        self.write_fields(prefix, found, out)
    }

    fn write_fields(&self, prefix: &LinePrefix, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        if self.has(ALL_READINGS) {
            found.readings().try_for_each(|reading| self.line(prefix, found, &reading, out))?;
        } else {
            self.line(prefix, found, TextFormat::shown_url(found), out)?;
        }
        if self.has(EXPLAIN) { why::write(found, |text| self.shown(text), out) } else { Ok(()) }
    }

    /// Puts a count before each line of one match, as `uniq -c` does.
    ///
    /// # Complexity
    ///
    /// Linear in the lines.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut line = b"http://a.example/\n".to_vec();
    /// urlgrep::report::TextFormat::new().set_count(3, &mut line);
    /// assert_eq!(line, b"      3 http://a.example/\n");
    /// ```
    pub fn set_count(&self, count: u64, lines: &mut Vec<u8>) {
        let count = format!("{count:>7} ");
        *lines =
            lines.split_inclusive(|&byte| byte == b'\n').flat_map(|line| [count.as_bytes(), line].concat()).collect();
    }

    /// Returns the line of a file with the number of its matches, as `grep -c` writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// let format = urlgrep::report::TextFormat::new();
    /// assert_eq!(format.count_line(&format.prefix("a.txt"), 3), b"a.txt:3\n");
    /// ```
    pub fn count_line(&self, prefix: &LinePrefix, count: u64) -> Vec<u8> {
        [&prefix.start(), itoa::Buffer::new().format(count).as_bytes(), b"\n"].concat()
    }

    /// Returns the line of a file with only its name, as `grep -l` writes it.
    ///
    /// # Examples
    ///
    /// ```
    /// let format = urlgrep::report::TextFormat::new();
    /// assert_eq!(format.file_line(&format.prefix("a.txt")), b"a.txt\n");
    /// ```
    pub fn file_line(&self, prefix: &LinePrefix) -> Vec<u8> {
        let mut line = prefix.start();
        line.pop();
        line.push(if self.has(NULL) { 0 } else { b'\n' });
        line
    }

    /// Returns a text as it is written.
    fn shown(&self, text: &[u8]) -> Vec<u8> {
        let mut shown = Vec::new();
        if self.has(ESCAPE) {
            escape(text, &mut shown)
        } else {
            shown.extend_from_slice(text)
        }
        shown
    }

    fn line(&self, prefix: &LinePrefix, found: &Match<'_>, url: &[u8], out: &mut impl Write) -> io::Result<()> {
        if self.has(LINKS) || self.has(DEFANG) {
            return self.dressed_line(prefix, found, url, out);
        }
        out.write_all(&prefix.name)?;
        self.fields(found, out)?;
        self.url(found, url, out)?;
        out.write_all(b"\n")
    }

    /// Writes a line with links, or a defanged line.
    #[cold]
    fn dressed_line(&self, prefix: &LinePrefix, found: &Match<'_>, url: &[u8], out: &mut impl Write) -> io::Result<()> {
        let mut fields = prefix.name.clone();
        self.fields(found, &mut fields)?;
        out.write_all(&prefix.link_over(&fields, found.line(), found.column()))?;
        // A defanged URL must not become a link again.
        if self.has(DEFANG) {
            let mut harmless = Vec::new();
            defang(url, &mut harmless);
            self.url(found, &harmless, out)?;
        } else if is_safe(url) {
            out.write_all(LINK)?;
            out.write_all(url)?;
            out.write_all(LINK_TEXT)?;
            self.url(found, url, out)?;
            out.write_all(LINK_END)?;
        } else {
            self.url(found, url, out)?;
        }
        out.write_all(b"\n")
    }

    /// Writes the fields between a file's name and the URL.
    fn fields(&self, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        if self.has(LINE_NUMBER)
            && let Some(line) = found.line()
        {
            self.number(line, out)?;
        }
        if self.has(COLUMN)
            && let Some(column) = found.column()
        {
            self.number(column, out)?;
        }
        if self.has(BYTE_OFFSET) {
            self.number(found.span().start, out)?;
        }
        if self.has(MESSAGE) {
            self.message_id(found, out)?;
        }
        Ok(())
    }

    fn url(&self, found: &Match<'_>, url: &[u8], out: &mut impl Write) -> io::Result<()> {
        let color = if found.level() == Level::None { NO_URL } else { URL };
        self.colored(color, |out| self.text(url, out), out)
    }

    /// Returns the Message-ID as written before a URL, if the format includes it.
    pub(super) fn message_field(&self, found: &Match<'_>) -> Vec<u8> {
        let mut field = Vec::new();
        if self.has(MESSAGE) {
            let written = self.message_id(found, &mut field);
            debug_assert!(written.is_ok(), "a Vec takes every byte");
            // The colon is removed: `begin_line` ends the field itself, with a colon or a hyphen.
            field.pop();
        }
        field
    }

    /// Writes the fields before a line of the source. Each field ends in `:`, or in `-` if the line
    /// holds no match.
    pub(super) fn begin_line(&self, prefix: &LinePrefix, start: &LineStart<'_>, out: &mut Vec<u8>) -> io::Result<()> {
        let mark = if start.is_match { b':' } else { b'-' };
        let mut fields = prefix.name.clone();
        // A name may end in NUL instead, which is kept.
        if let Some(last @ b':') = fields.last_mut() {
            *last = mark;
        }
        let offset = Some(start.offset);
        for (is_shown, number) in
            [(self.has(LINE_NUMBER), start.line), (self.has(COLUMN), start.column), (self.has(BYTE_OFFSET), offset)]
        {
            if let Some(number) = number.filter(|_| is_shown) {
                self.number(number, &mut fields)?;
                fields.pop();
                fields.push(mark);
            }
        }
        if !start.message.is_empty() {
            fields.extend_from_slice(start.message);
            fields.push(mark);
        }
        if prefix.link.is_some() {
            fields = prefix.link_over(&fields, start.line, start.column);
        }
        out.extend_from_slice(&fields);
        Ok(())
    }

    /// Writes a line of the source, or a piece of a line. For a match, `is_url` states whether any
    /// grammar accepts it.
    pub(super) fn source_line(&self, line: &[u8], is_url: Option<bool>, out: &mut Vec<u8>) -> io::Result<()> {
        let (line, end) = line.split_at(line.len() - usize::from(line.ends_with(b"\n")));
        // The CR of a CRLF line end is omitted, because it would be shown as `\r`.
        let line = if self.has(ESCAPE) && !end.is_empty() { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        // Tabs are harmless to a terminal, so they are not escaped.
        let text = |out: &mut Vec<u8>| {
            line.split(|&byte| byte == b'\t').enumerate().try_for_each(|(at, piece)| {
                out.extend_from_slice(if at > 0 { b"\t" } else { b"" });
                self.text(piece, out)
            })
        };
        match is_url {
            None => text(out)?,
            Some(is_url) => self.colored(if is_url { URL } else { NO_URL }, text, out)?,
        }
        out.extend_from_slice(end);
        Ok(())
    }

    fn message_id(&self, found: &Match<'_>, out: &mut impl Write) -> io::Result<()> {
        #[cfg(feature = "archive")]
        let id = found.place().and_then(|place| place.message?.id.clone()).unwrap_or_default();
        #[cfg(not(feature = "archive"))]
        let id = {
            let _ = found;
            String::new()
        };
        let id = [b"<", id.as_bytes(), b">"].concat();
        self.colored(NUMBER, |out| self.text(&id, out), out)?;
        out.write_all(b":")
    }

    fn number(&self, number: u64, out: &mut impl Write) -> io::Result<()> {
        let mut buffer = itoa::Buffer::new();
        self.colored(NUMBER, |out| out.write_all(buffer.format(number).as_bytes()), out)?;
        out.write_all(b":")
    }

    fn file(&self, file: &[u8]) -> Vec<u8> {
        let mut name = Vec::new();
        let shown = self.colored(PATH, |name| self.text(file, name), &mut name);
        debug_assert!(shown.is_ok(), "a Vec takes every byte");
        name
    }

    /// Writes something in a colour, if the format has colours.
    #[inline]
    fn colored<W: Write>(
        &self,
        color: &[u8],
        what: impl FnOnce(&mut W) -> io::Result<()>,
        out: &mut W,
    ) -> io::Result<()> {
        if !self.has(COLOR) {
            return what(out);
        }
        out.write_all(color)?;
        what(out)?;
        out.write_all(RESET)
    }

    #[inline]
    fn text(&self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        if !self.has(ESCAPE) {
            return out.write_all(text);
        }
        let mut shown = Vec::new();
        escape(text, &mut shown);
        out.write_all(&shown)
    }
}

/// Returns whether a click may open a URL. Such a URL runs no code, and is what it seems.
fn is_safe(url: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 4] = [b"http", b"https", b"ftp", b"mailto"];
    let is_known = |scheme: &BStr| SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    url.iter().all(u8::is_ascii_graphic) && crate::url::scheme_of(url).is_some_and(is_known)
}

/// Appends text in a form that is safe on a terminal.
///
/// Controls, characters that reorder text or have no width, and bytes that are not UTF-8 are
/// escaped. They are written as `\t`, `\r`, `\n`, `\0`, `\xHH` or `\u{HHHH}`, as
/// [`ByteSlice::escape_bytes`] does. Everything else is kept, including backslashes and non-ASCII
/// letters.
///
/// # Complexity
///
/// Linear.
///
/// # Examples
///
/// ```
/// let mut shown = Vec::new();
/// urlgrep::report::escape("http://h/\u{1b}[2J\u{202e}gpj.é".as_bytes(), &mut shown);
/// assert_eq!(shown, r"http://h/\x1B[2J\u{202e}gpj.é".as_bytes());
/// ```
pub fn escape(text: &[u8], out: &mut Vec<u8>) {
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        out.extend_from_slice(text);
        return;
    }
    for (start, end, character) in text.char_indices() {
        let bytes = &text[start..end];
        // For broken bytes, the decoder returns U+FFFD, too. Only a real U+FFFD has its three
        // bytes.
        let broken = character == char::REPLACEMENT_CHARACTER && bytes != "\u{FFFD}".as_bytes();
        if broken || character.is_ascii_control() {
            out.extend_from_slice(bytes.escape_bytes().to_string().as_bytes());
        } else if is_treacherous(character) {
            out.extend_from_slice(character.escape_unicode().to_string().as_bytes());
        } else {
            out.extend_from_slice(bytes);
        }
    }
}

/// Returns true for C1 controls, bidi controls, line separators and characters without width.
pub(super) fn is_treacherous(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9F}'
            | '\u{61C}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    const TEXT: &[u8] = b"see\n <URL:http://a.example/x-\ny>, http://b.example/~z.\n";

    fn lines(format: TextFormat, prefix: &LinePrefix) -> String {
        let mut out = Vec::new();
        for found in Extractor::builder().line_numbers(true).build().find_iter(TEXT) {
            format.write(prefix, &found, &mut out).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_in_their_order() {
        let format = TextFormat::new();
        assert_eq!(lines(format, &LinePrefix::default()), "http://a.example/x-y\nhttp://b.example/~z\n");
        let all = format.line_number(true).column(true).byte_offset(true);
        assert_eq!(lines(all, &all.prefix(b"f")), "f:2:2:5:http://a.example/x-y\nf:3:5:34:http://b.example/~z\n");
        assert_eq!(
            lines(format.byte_offset(true), &LinePrefix::default()).lines().next(),
            Some("5:http://a.example/x-y")
        );
        let null = format.null(true);
        assert_eq!(lines(null, &null.prefix(b"f")).lines().next(), Some("f\0http://a.example/x-y"));
    }

    #[test]
    fn readings_have_the_same_prefix() {
        let format = TextFormat::new().all_readings(true).line_number(true);
        assert_eq!(
            lines(format, &LinePrefix::default()),
            "2:http://a.example/x-y\n2:http://a.example/xy\n3:http://b.example/~z\n"
        );
    }

    #[test]
    fn colours_surround_each_field() {
        let format = TextFormat::new().color(true).line_number(true);
        assert_eq!(
            lines(format, &format.prefix(b"f")).lines().next(),
            Some("\x1b[35mf\x1b[0m:\x1b[32m2\x1b[0m:\x1b[1mhttp://a.example/x-y\x1b[0m")
        );
    }

    #[test]
    fn links_of_a_terminal() {
        let format = TextFormat::new().line_number(true).links(true);
        let link = "x:{path}:{line}:{column}".parse().unwrap();
        let prefix = format.prefix(b"f").linked(&link, Path::new("/d/f"), "h");
        let shown = lines(format, &prefix).replace('\x1b', "^").replace("^]8;;^\\", "$");
        let first = "^]8;;x:/d/f:2:2^\\f:2$:^]8;;http://a.example/x-y^\\http://a.example/x-y$";
        assert_eq!(shown.lines().next(), Some(first));
        assert_eq!(format.count_line(&prefix, 3), b"\x1b]8;;x:/d/f:1:1\x1b\\f\x1b]8;;\x1b\\:3\n");
        assert_eq!(format.null(true).file_line(&prefix), b"\x1b]8;;x:/d/f:1:1\x1b\\f\x1b]8;;\x1b\\\0");
        assert!(!lines(format.defang(true), &LinePrefix::default()).contains('\x1b'));
        for (url, safe) in [
            ("HTTPS://h/", true),
            ("mailto:a@b", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("file:///x", false),
            ("x", false),
            ("http://h/\u{202e}", false),
            ("http://h/\x1b", false),
        ] {
            assert_eq!(is_safe(url.as_bytes()), safe, "{url}");
        }
    }

    #[test]
    fn files_and_counts() {
        let format = TextFormat::new();
        assert_eq!(format.file_line(&format.prefix(b"a\xFFb")), b"a\xFFb\n");
        let null = format.null(true).escape(true);
        assert_eq!(null.file_line(&null.prefix(b"a\xFFb")), b"a\\xFFb\0");
        assert_eq!(format.count_line(&format.prefix(b"f"), 12), b"f:12\n");
        assert_eq!(format.count_line(&LinePrefix::default(), 0), b"0\n");
    }

    #[test]
    fn escaping_leaves_no_control_and_no_bidi_character() {
        let shown = |text: &[u8]| {
            let mut out = Vec::new();
            escape(text, &mut out);
            String::from_utf8(out).unwrap()
        };
        for byte in (0..0x20).chain([0x7F, 0x80, 0xFF]) {
            let shown = shown(&[b'a', byte, b'z']);
            assert!(shown.starts_with("a\\") && shown.ends_with('z') && shown.len() >= 4, "{byte:x} {shown}");
        }
        for code in (0x80..0xA0).chain([0x61C, 0x200E, 0x200F, 0xFEFF]).chain(0x202A..=0x202E).chain(0x2066..=0x2069) {
            let text = char::from_u32(code).unwrap().to_string();
            assert_eq!(shown(text.as_bytes()), format!("\\u{{{code:x}}}"));
        }
        for same in ["plain", "a\\b", "münchen", "日本", "\u{FFFD}", "😀"] {
            assert_eq!(shown(same.as_bytes()), same);
        }
        assert_eq!(shown(b"\x1b]0;x\x07\t\r\n\0"), r"\x1B]0;x\x07\t\r\n\0");
    }
}
