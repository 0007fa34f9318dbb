//! Text: a line a match, `[count ][file:][line:][column:][offset:][<message-id>:]url`.
//!
//! Dense text has a URL every few dozen bytes, so this is a hot place: one buffer a chunk, integers by `itoa`, no
//! formatting machinery (`write!` costs 65 ns a line where this costs 12).
//!
//! Bytes are written as they are. Only what goes to a terminal is [escaped](escape), because a terminal obeys what it
//! is sent; a pipe gets the bytes of the source.

use bstr::ByteSlice;

use crate::{Level, Match};

/// Which fields a line has.
///
/// ```
/// use urlgrep::{Extractor, report::text::TextFormat};
///
/// let format = TextFormat::new().byte_offset(true);
/// let name = format.name(b"talk.txt");
/// let mut out = Vec::new();
/// for found in Extractor::new().find_iter(b"see <URL:http://info.cern.ch/>") {
///     format.render(&name, &found, &mut out);
/// }
/// assert_eq!(out, b"talk.txt:4:http://info.cern.ch/\n");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextFormat {
    line_number: bool,
    column: bool,
    byte_offset: bool,
    message: bool,
    all_readings: bool,
    null: bool,
    color: bool,
    escape: bool,
}

/// What stands before the fields of every line of one file: its name, ready to print. See [`TextFormat::name`].
#[derive(Clone, Debug, Default)]
pub struct Name(Vec<u8>);

// The colours are ripgrep's (path magenta, line green), but for the URL: every line is one, so red is left for those
// that satisfy no grammar.
const RESET: &[u8] = b"\x1b[0m";
const PATH: &[u8] = b"\x1b[35m";
const NUMBER: &[u8] = b"\x1b[32m";
const URL: &[u8] = b"\x1b[1m";
const NO_URL: &[u8] = b"\x1b[1m\x1b[31m";

impl TextFormat {
    /// Lines that hold the URL and nothing else.
    pub fn new() -> Self {
        Self::default()
    }

    /// The line of the span's first byte. The extractor must count lines for it
    /// ([`line_numbers`](crate::ExtractorBuilder::line_numbers)); a line that is not known is left out.
    pub fn line_number(mut self, yes: bool) -> Self {
        self.line_number = yes;
        self
    }

    /// The column of the span's first byte. The extractor must count lines for it.
    pub fn column(mut self, yes: bool) -> Self {
        self.column = yes;
        self
    }

    /// The offset of the span's first byte.
    pub fn byte_offset(mut self, yes: bool) -> Self {
        self.byte_offset = yes;
        self
    }

    /// The Message-ID of the message that holds the URL, in its brackets: empty ones if it has none.
    pub fn message(mut self, yes: bool) -> Self {
        self.message = yes;
        self
    }

    /// A line for every reading, the preferred one first, all with the same fields before them.
    pub fn all_readings(mut self, yes: bool) -> Self {
        self.all_readings = yes;
        self
    }

    /// A NUL byte after the file's name, in place of the colon or the line end.
    pub fn null(mut self, yes: bool) -> Self {
        self.null = yes;
        self
    }

    /// ANSI colours.
    pub fn color(mut self, yes: bool) -> Self {
        self.color = yes;
        self
    }

    /// For a terminal: URLs and names are [escaped](escape).
    pub fn escape(mut self, yes: bool) -> Self {
        self.escape = yes;
        self
    }

    /// Renders the name of a file once for all of its lines. For lines without a name use `Name::default()`.
    pub fn name(&self, file: &[u8]) -> Name {
        let mut name = Vec::new();
        self.push_name(file, &mut name);
        name.push(if self.null { 0 } else { b':' });
        Name(name)
    }

    /// Appends the line or, with [`all_readings`](Self::all_readings), the lines of a match.
    #[inline]
    pub fn render(&self, name: &Name, found: &Match<'_>, out: &mut Vec<u8>) {
        if !self.all_readings {
            self.push_line(name, found, found.target(), out);
            return;
        }
        for reading in found.readings() {
            self.push_line(name, found, &reading, out);
        }
    }

    /// Writes before the lines in `out`, those of one match, that its URL was found so often; as `uniq -c` does it.
    pub fn set_count(&self, count: u64, out: &mut Vec<u8>) {
        let count = format!("{count:>7} ");
        let mut lines = Vec::with_capacity(out.len() + count.len());
        for line in out.split_inclusive(|&byte| byte == b'\n') {
            lines.extend_from_slice(count.as_bytes());
            lines.extend_from_slice(line);
        }
        *out = lines;
    }

    /// Appends the line of `--count`: the number of matches of a file.
    pub fn render_count(&self, name: &Name, count: u64, out: &mut Vec<u8>) {
        out.extend_from_slice(&name.0);
        out.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
        out.push(b'\n');
    }

    /// Appends the line of `--files-with-matches`: the name of a file by itself.
    pub fn render_file(&self, file: &[u8], out: &mut Vec<u8>) {
        self.push_name(file, out);
        out.push(if self.null { 0 } else { b'\n' });
    }

    #[inline]
    fn push_line(&self, name: &Name, found: &Match<'_>, url: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(&name.0);
        if self.line_number
            && let Some(line) = found.line()
        {
            self.push_number(line, out);
        }
        if self.column
            && let Some(column) = found.column()
        {
            self.push_number(column, out);
        }
        if self.byte_offset {
            self.push_number(found.span().start, out);
        }
        if self.message {
            self.push_message(found, out);
        }
        if self.color {
            out.extend_from_slice(if found.level() == Level::None { NO_URL } else { URL });
        }
        self.push_text(url, out);
        if self.color {
            out.extend_from_slice(RESET);
        }
        out.push(b'\n');
    }

    fn push_message(&self, found: &Match<'_>, out: &mut Vec<u8>) {
        #[cfg(feature = "archive")]
        let id = found.place().and_then(|place| place.message.id.clone()).unwrap_or_default();
        #[cfg(not(feature = "archive"))]
        let id = {
            let _ = found;
            String::new()
        };
        if self.color {
            out.extend_from_slice(NUMBER);
        }
        out.push(b'<');
        self.push_text(id.as_bytes(), out);
        out.push(b'>');
        if self.color {
            out.extend_from_slice(RESET);
        }
        out.push(b':');
    }

    fn push_number(&self, number: u64, out: &mut Vec<u8>) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(number).as_bytes();
        if self.color {
            out.extend_from_slice(NUMBER);
            out.extend_from_slice(digits);
            out.extend_from_slice(RESET);
        } else {
            out.extend_from_slice(digits);
        }
        out.push(b':');
    }

    fn push_name(&self, file: &[u8], out: &mut Vec<u8>) {
        if self.color {
            out.extend_from_slice(PATH);
            self.push_text(file, out);
            out.extend_from_slice(RESET);
        } else {
            self.push_text(file, out);
        }
    }

    fn push_text(&self, text: &[u8], out: &mut Vec<u8>) {
        if self.escape {
            escape(text, out);
        } else {
            out.extend_from_slice(text);
        }
    }
}

/// Appends text as it may be shown on a terminal.
///
/// Controls, characters that reorder text or take no room, and bytes that are not UTF-8 are written as `\t`, `\r`,
/// `\n`, `\0`, `\xHH` or `\u{HHHH}`, as [`ByteSlice::escape_bytes`] does it; all else stays, a backslash and letters
/// beyond ASCII too.
///
/// ```
/// let mut shown = Vec::new();
/// urlgrep::report::text::escape("http://h/\u{1b}[2J\u{202e}gpj.é".as_bytes(), &mut shown);
/// assert_eq!(shown, r"http://h/\x1B[2J\u{202e}gpj.é".as_bytes());
/// ```
pub fn escape(text: &[u8], out: &mut Vec<u8>) {
    if text.iter().all(|byte| matches!(byte, b' '..=b'~')) {
        out.extend_from_slice(text);
        return;
    }
    for (start, end, character) in text.char_indices() {
        let bytes = &text[start..end];
        // A character that really is U+FFFD is three bytes; the same for broken bytes is our own mark.
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

/// C1 controls, bidi controls, line separators and characters without width.
pub(crate) fn is_treacherous(character: char) -> bool {
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

    fn lines(format: TextFormat, name: &Name) -> String {
        let mut out = Vec::new();
        for found in Extractor::builder().line_numbers(true).build().find_iter(TEXT) {
            format.render(name, &found, &mut out);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_in_their_order() {
        let format = TextFormat::new();
        assert_eq!(lines(format, &Name::default()), "http://a.example/x-y\nhttp://b.example/~z\n");
        let all = format.line_number(true).column(true).byte_offset(true);
        assert_eq!(lines(all, &all.name(b"f")), "f:2:2:5:http://a.example/x-y\nf:3:5:34:http://b.example/~z\n");
        assert_eq!(lines(format.byte_offset(true), &Name::default()).lines().next(), Some("5:http://a.example/x-y"));
        let null = format.null(true);
        assert_eq!(lines(null, &null.name(b"f")).lines().next(), Some("f\0http://a.example/x-y"));
    }

    #[test]
    fn readings_have_the_same_prefix() {
        let format = TextFormat::new().all_readings(true).line_number(true);
        assert_eq!(
            lines(format, &Name::default()),
            "2:http://a.example/x-y\n2:http://a.example/xy\n3:http://b.example/~z\n"
        );
    }

    #[test]
    fn colours_surround_each_field() {
        let format = TextFormat::new().color(true).line_number(true);
        assert_eq!(
            lines(format, &format.name(b"f")).lines().next(),
            Some("\x1b[35mf\x1b[0m:\x1b[32m2\x1b[0m:\x1b[1mhttp://a.example/x-y\x1b[0m")
        );
    }

    #[test]
    fn files_and_counts() {
        let mut out = Vec::new();
        let format = TextFormat::new();
        format.render_file(b"a\xFFb", &mut out);
        format.render_count(&format.name(b"f"), 12, &mut out);
        format.render_count(&Name::default(), 0, &mut out);
        format.null(true).escape(true).render_file(b"a\xFFb", &mut out);
        assert_eq!(out, b"a\xFFb\nf:12\n0\na\\xFFb\0");
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
