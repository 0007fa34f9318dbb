//! PDF (ISO 32000-1): the links of annotations, and the strings of objects. Objects in compressed
//! object streams are included.
//!
//! The text of pages is drawn glyph by glyph, and spacing between letters can split words. A URL
//! read from such text could be cut, and still be valid. So the streams of pages are skipped, and a
//! note states this.

use std::borrow::Cow;
use std::collections::BTreeSet;

use flate2::{Decompress, FlushDecompress, Status};
use memchr::{memchr2, memchr3, memmem, memrchr};

use crate::archive::charset;

/// The contents of a PDF.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pdf {
    /// The `/URI` of each link, one per line.
    pub(crate) links: Vec<u8>,
    /// All other strings, one per line, and the scripts in streams.
    pub(crate) strings: Vec<u8>,
    /// The packets of XMP, which is XML (14.3.2).
    pub(crate) metadata: Vec<u8>,
    /// The numbers of the objects that are scripts.
    scripts: BTreeSet<u32>,
    /// Whether the file is encrypted. Then a link that is not printable ASCII is ciphertext, and is
    /// dropped.
    pub(crate) is_encrypted: bool,
    /// The number of links read so far whose parentheses are not balanced.
    unbalanced: u32,
    /// Whether a part was not read: its strings are encrypted, or a stream is damaged or exceeds
    /// the budget.
    pub(crate) is_cut: bool,
}

/// The maximum length of a string. A longer string is ignored, with any string within it.
const LONGEST: usize = 64 << 10;
/// The number of bytes before a stream that are searched for its dictionary.
const DICTIONARY: usize = 2048;
const INFLATED: usize = 64 << 10;
/// The maximum number of links in unbalanced parentheses that are read. Each costs a scan of
/// [`LONGEST`] bytes.
const UNBALANCED: u32 = 1000;
/// The maximum number of scripts in streams.
const SCRIPTS: usize = 10_000;

/// Returns whether a file begins as a PDF does.
pub(crate) fn is_pdf(head: &[u8]) -> bool {
    head.starts_with(b"%PDF-")
}

/// Reads a PDF. `budget` limits the unpacked bytes of its streams, and is reduced by their number.
pub(crate) fn read(file: &[u8], budget: &mut usize) -> Pdf {
    let is_encrypted = memmem::rfind(file, b"/Encrypt").is_some();
    let mut pdf = Pdf { is_cut: is_encrypted, is_encrypted, ..Pdf::default() };
    let mut at = 0;
    while let Some((word, start)) = next_stream(file, at) {
        pdf.strings_of(&file[at..word]);
        let dictionary = &file[at.max(word.saturating_sub(DICTIONARY))..word];
        // The dictionary of an earlier object does not describe this stream.
        let dictionary = &dictionary[memmem::rfind(dictionary, b"obj").unwrap_or(0)..];
        at = start;
        let content = pdf.content_of(&file[..word], dictionary);
        if let Some(content) = content {
            match memmem::find(dictionary, b"Filter") {
                Some(_) => {
                    let (text, packed) = pdf.inflated(&file[start..], budget);
                    pdf.add(content, &text);
                    at += packed;
                }
                None if content == StreamContent::Objects => continue,
                None => {
                    let rest = &file[start..];
                    pdf.add(content, &rest[..memmem::find(rest, b"endstream").unwrap_or(rest.len())]);
                }
            }
        }
        at += memmem::find(&file[at..], b"endstream").map_or(file.len() - at, |end| end + b"endstream".len());
    }
    pdf.strings_of(&file[at..]);
    pdf
}

/// The content of a stream that is read. Other streams draw pages, letters and images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamContent {
    /// Objects, or an embedded file.
    Objects,
    Metadata,
    Script,
}

/// Returns the number of the object whose first keyword `obj` ends the text before it.
fn object_number(before: &[u8]) -> Option<u32> {
    let (_generation, before) = last_number(before.trim_ascii_end())?;
    Some(last_number(before.trim_ascii_end())?.0)
}

/// Returns the number at the end of a text, and the text before it.
fn last_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let start = text.len() - text.iter().rev().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    Some((str::from_utf8(&text[start..]).ok()?.parse().ok()?, &text[..start]))
}

/// Returns the place of the next keyword `stream` (7.3.8.1), and the start of the stream.
///
/// A line break follows the keyword. After a letter or a digit it is another word, such as
/// `endstream` or a part of a URL.
fn next_stream(file: &[u8], from: usize) -> Option<(usize, usize)> {
    const KEYWORD: &[u8] = b"stream";
    memmem::find_iter(&file[from..], KEYWORD).find_map(|found| {
        let word = from + found;
        let is_word = !file[..word].last().is_some_and(u8::is_ascii_alphanumeric);
        let start = after_break(file, word + KEYWORD.len()).filter(|_| is_word)?;
        Some((word, start))
    })
}

fn after_break(file: &[u8], at: usize) -> Option<usize> {
    match file.get(at..)? {
        [b'\r', b'\n', ..] => Some(at + 2),
        [b'\n' | b'\r', ..] => Some(at + 1),
        _ => None,
    }
}

impl Pdf {
    /// Returns the content of a stream whose dictionary ends `before`, if it is read.
    fn content_of(&self, before: &[u8], dictionary: &[u8]) -> Option<StreamContent> {
        let has = |name: &[u8]| memmem::find(dictionary, name).is_some();
        if has(b"/ObjStm") || has(b"/EmbeddedFile") {
            return Some(StreamContent::Objects);
        }
        if has(b"/Metadata") {
            return Some(StreamContent::Metadata);
        }
        let number = object_number(&before[..before.len() - dictionary.len()])?;
        self.scripts.contains(&number).then_some(StreamContent::Script)
    }

    fn add(&mut self, content: StreamContent, text: &[u8]) {
        match content {
            StreamContent::Objects => self.strings_of(text),
            // Other bytes are encrypted, or packed by another filter.
            StreamContent::Metadata if memmem::find(text, b"rdf:RDF").is_none() => {}
            StreamContent::Metadata => {
                self.metadata.extend_from_slice(text);
                self.metadata.push(b'\n');
            }
            StreamContent::Script => {
                self.strings.extend_from_slice(text);
                self.strings.push(b'\n');
            }
        }
    }

    /// Collects the scripts that objects name (12.6.4.16).
    fn scripts_of(&mut self, objects: &[u8]) {
        for at in memmem::find_iter(objects, b"/JS") {
            let number = objects[at + 3..].trim_ascii_start();
            let length = number.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            if let Some(number) = str::from_utf8(&number[..length]).ok().and_then(|number| number.parse().ok())
                && self.scripts.len() < SCRIPTS
            {
                self.scripts.insert(number);
            }
        }
    }

    /// Returns the text of a stream that FlateDecode unpacks, and its packed length. If the stream
    /// has another filter, the decoder fails, and `is_cut` is set.
    fn inflated(&mut self, packed: &[u8], budget: &mut usize) -> (Vec<u8>, usize) {
        let mut inflate = Decompress::new(true);
        let mut text = Vec::new();
        loop {
            if *budget < INFLATED {
                self.is_cut = true;
                break;
            }
            text.reserve(INFLATED);
            let (read, made) = (inflate.total_in() as usize, text.len());
            let status = inflate.decompress_vec(&packed[read..], &mut text, FlushDecompress::None);
            *budget -= text.len() - made;
            let is_stuck = text.len() == made && inflate.total_in() as usize == read;
            if is_stuck || !matches!(status, Ok(Status::Ok)) {
                self.is_cut |= !matches!(status, Ok(Status::StreamEnd));
                break;
            }
        }
        (text, inflate.total_in() as usize)
    }

    /// Adds the strings in objects (7.3.4).
    fn strings_of(&mut self, objects: &[u8]) {
        self.scripts_of(objects);
        let mut at = 0;
        while let Some(found) = memchr3(b'(', b'<', b'%', &objects[at..]) {
            let start = at + found;
            let is_link = objects[..start].trim_ascii_end().ends_with(b"/URI");
            let (string, end) = match objects[start] {
                b'(' => match literal(&objects[start..], None) {
                    (None, _) if is_link && self.unbalanced < UNBALANCED => {
                        self.unbalanced += 1;
                        on_line(&objects[start..])
                    }
                    read => read,
                },
                b'<' => hexadecimal(&objects[start..]),
                // A comment may hold anything. The second line of a file is usually a comment with
                // bytes that are not text.
                _ => {
                    let comment = &objects[start..];
                    (None, memchr2(b'\n', b'\r', comment).map_or(comment.len(), |end| end + 1))
                }
            };
            let is_cipher = self.is_encrypted && is_link;
            if let Some(string) = string.filter(|string| !is_cipher || string.iter().all(u8::is_ascii_graphic)) {
                let lines = if is_link { &mut self.links } else { &mut self.strings };
                let text = if charset::is_utf16(&string) { charset::decode_utf16_file(&string) } else { string };
                let text = text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&text);
                let text = if is_link { ascii(text) } else { unicode(text) };
                // A line break inside a link would split the link in the list.
                lines.extend(text.iter().filter(|&byte| !is_link || !matches!(byte, b'\n' | b'\r')));
                lines.push(b'\n');
            }
            at = start + end;
        }
    }
}

/// Returns a link with each byte that is not ASCII percent-encoded, as viewers do, if the link is
/// not UTF-8.
fn ascii(link: &[u8]) -> Cow<'_, [u8]> {
    if str::from_utf8(link).is_ok() {
        return link.into();
    }
    let mut ascii = Vec::with_capacity(link.len() * 2);
    for &byte in link {
        match byte {
            0x80.. => ascii.extend_from_slice(format!("%{byte:02X}").as_bytes()),
            _ => ascii.push(byte),
        }
    }
    ascii.into()
}

/// Returns a string in UTF-8. A string that is not UTF-8 has PDFDocEncoding (7.9.2.3), which has
/// the letters of Latin-1.
fn unicode(string: &[u8]) -> Cow<'_, [u8]> {
    match str::from_utf8(string) {
        Ok(_) => string.into(),
        Err(_) => string.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes().into(),
    }
}

/// Reads a string in unbalanced parentheses, which some programs write. It ends at the last closing
/// parenthesis of its line.
fn on_line(text: &[u8]) -> (Option<Vec<u8>>, usize) {
    let text = &text[..text.len().min(LONGEST)];
    let line = memchr2(b'\n', b'\r', text).unwrap_or(text.len());
    match memrchr(b')', &text[..line]) {
        Some(end) => literal(text, Some(end)),
        None => (None, line.max(1)),
    }
}

/// Reads a string in parentheses, and returns it with the number of bytes read. The string may
/// contain balanced parentheses.
///
/// If the string does not end inside its object, the result is `None`. If `end` is given, all bytes
/// before it belong to the string.
fn literal(text: &[u8], end: Option<usize>) -> (Option<Vec<u8>>, usize) {
    let text = &text[..end.unwrap_or(text.len().min(LONGEST))];
    let (mut string, mut depth, mut at) = (Vec::new(), 0_u32, 0);
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\\' => {
                let digits = text[at..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                match text.get(at) {
                    Some(b'0'..=b'7') => {
                        let code =
                            text[at..at + digits].iter().fold(0_u32, |code, digit| code * 8 + u32::from(digit - b'0'));
                        string.push(code as u8);
                    }
                    Some(b'\r') if text.get(at + 1) == Some(&b'\n') => at += 1,
                    Some(b'\n' | b'\r') | None => {}
                    Some(b'n') => string.push(b'\n'),
                    Some(b'r') => string.push(b'\r'),
                    Some(b't') => string.push(b'\t'),
                    Some(b'b') => string.push(0x08),
                    Some(b'f') => string.push(0x0C),
                    Some(&other) => string.push(other),
                }
                at += digits.max(1);
                continue;
            }
            b'(' => depth += 1,
            b')' if end.is_none() => depth -= 1,
            b'\n' | b'\r' if text[at..].starts_with(b"endobj") => return (None, at),
            _ => {}
        }
        match (byte, depth) {
            (b')', 0) => return (Some(string), at),
            (b'(', 1) => {}
            _ => string.push(byte),
        }
    }
    match end {
        Some(end) => (Some(string), end + 1),
        // A backslash may be the last byte, with nothing after it to skip.
        None => (None, at.min(text.len()).max(1)),
    }
}

/// Reads a string in hexadecimal digits, and returns it with the number of bytes read. `<<` begins
/// a dictionary, not a string.
fn hexadecimal(text: &[u8]) -> (Option<Vec<u8>>, usize) {
    let digits =
        text[1..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace());
    let end = 1 + digits.count();
    if text.get(end) != Some(&b'>') || end == 1 {
        return (None, end);
    }
    let value = |digit: &u8| char::from(*digit).to_digit(16).unwrap_or(0) as u8;
    let digits: Vec<u8> = text[1..end].iter().filter(|byte| byte.is_ascii_hexdigit()).map(value).collect();
    // A missing last digit is read as 0 (7.3.4.3).
    let byte = |pair: &[u8]| pair[0] << 4 | pair.get(1).copied().unwrap_or(0);
    (Some(digits.chunks(2).map(byte).collect()), end + 1)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::archive::support::is_quick;

    const BUDGET: usize = 1 << 20;

    fn read_all(file: &[u8]) -> (String, String, bool) {
        let Pdf { links, strings, is_cut, .. } = read(file, &mut BUDGET.clone());
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        (text(links), text(strings), is_cut)
    }

    fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
        let mut deflate = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        deflate.write_all(content).unwrap();
        [
            format!("9 0 obj\n<< {dictionary} /Filter /FlateDecode >>\nstream\r\n").as_bytes(),
            &deflate.finish().unwrap(),
            b"\nendstream endobj\n",
        ]
        .concat()
    }

    #[test]
    fn strings_are_unescaped() {
        let file = b"%PDF-1.4\n%\xE2(\xE3\n<< /S /URI /URI (http://a.example/\\(x\\)\\137y(z)) >> /Title (a\\\nb\\)c) \
            /URI<68747470733A2F2F622E6578616D706C652F> /URI (\xFE\xFF\0h\0i) /URI (\xEF\xBB\xBFho) (open";
        let links = "http://a.example/(x)_y(z)\nhttps://b.example/\nhi\nho\n";
        assert_eq!(read_all(file), (links.to_string(), "ab)c\n".to_string(), false));
        // Unbalanced parentheses do not affect other objects.
        let file = b"%PDF-1.4\n/URI (http://a.example/x(y)\n>>\nendobj\n/Title (b(c)\n>>\nendobj\n\
            /URI (http://d.example/)";
        assert_eq!(read_all(file).0, "http://a.example/x(y\nhttp://d.example/\n");
        // A file may end in a backslash, and so may the longest string.
        for open in [b"(open\\".to_vec(), [&b"("[..], &[b'x'; LONGEST - 2], b"\\"].concat(), b"(\\1\\".to_vec()] {
            let file = [&b"%PDF-1.4\n/URI (http://a.example/) "[..], &open].concat();
            assert_eq!(read_all(&file).0, "http://a.example/\n");
        }
        // A comment ends with its line, which may end in CR, LF or CRLF.
        let file = b"%PDF-1.4\r%\xE2\xE3\r<< /URI (http://a.example/) >>\r";
        assert_eq!(read_all(file).0, "http://a.example/\n");
    }

    #[test]
    fn object_streams_are_read_and_those_of_pages_are_not() {
        let link = b"<< /URI (http://a.example/) >>";
        let file =
            [b"%PDF-1.5\n".to_vec(), stream("/Type /ObjStm", link), stream("/Length 3", b"(http://b.example/) Tj")]
                .concat();
        assert_eq!(read_all(&file), ("http://a.example/\n".to_string(), String::new(), false));
        let content = memmem::find(&file, b"stream\r\n").unwrap() + 8;
        let cut = &file[..content + 5];
        assert!(read_all(cut).2, "{}", cut.escape_ascii());
        let encrypted = read_all(&[&file[..], b"/URI (h\x01\xE9) trailer << /Encrypt 5 0 R >>"].concat());
        assert_eq!(encrypted, ("http://a.example/\n".to_string(), String::new(), true));
    }

    #[test]
    fn latin_1_in_links_is_percent_encoded() {
        let file = b"%PDF-1.4\n/URI(http://a.example/caf\\351) /URI (http://a.example/caf\xE9\xE8) \
            /URI (http://a.example/caf\xC3\xA9) /Title (caf\xC3\xA9) /Keywords (caf\xE9) ";
        let links = "http://a.example/caf%E9\nhttp://a.example/caf%E9%E8\nhttp://a.example/caf\u{E9}\n";
        assert_eq!(read_all(file), (links.to_string(), "caf\u{E9}\n".repeat(2), false));
    }

    #[test]
    fn scripts_and_metadata_are_read() {
        const XMP: &[u8] = b"<x:xmpmeta><rdf:RDF xmlns:rdf='http://n.example/'>http://x.example/(a)</rdf:RDF>";
        const SCRIPT: &[u8] = b"launch('http://s.example/');";
        let plain = |number: u32, dictionary: &str, text: &[u8]| {
            [format!("{number} 0 obj\n<< {dictionary} >>\nstream\n").as_bytes(), text, b"\nendstream endobj\n"].concat()
        };
        let named = b"1 0 obj << /JS 9 0 R >> endobj << /JS (launch\\('http://t.example/'\\)) >>\n";
        for (metadata, script) in [
            (plain(8, "/Type /Metadata /Subtype /XML", XMP), plain(9, "/Length 9", SCRIPT)),
            (stream("/Type/Metadata", XMP), stream("/Length 9", SCRIPT)),
        ] {
            let file = [&b"%PDF-1.4\n"[..], named, &metadata, &script, &plain(7, "/Length 9", SCRIPT)].concat();
            let pdf = read(&file, &mut BUDGET.clone());
            assert_eq!(pdf.metadata.trim_ascii(), XMP);
            let strings = String::from_utf8(pdf.strings).unwrap().replace("\n\n", "\n");
            assert_eq!(strings, "launch('http://t.example/')\nlaunch('http://s.example/');\n");
        }
        is_quick(|| drop(read_all(&b"1 0 obj /JS 1 0 R stream\n".repeat(200_000))));
    }

    #[test]
    fn a_string_may_hold_the_keyword_of_streams() {
        let links = "http://a.example/livestream/x\nhttp://b.example/stream\n";
        let mut file = b"%PDF-1.4\n".to_vec();
        for link in links.lines() {
            file.extend_from_slice(format!("/URI ({link}) /Title (down the\nlivestream\nand on)\n").as_bytes());
        }
        let titles = "down the\nlivestream\nand on\n".repeat(2);
        assert_eq!(read_all(&file), (links.to_string(), titles, false));
    }

    #[test]
    fn what_streams_become_is_bounded() {
        let bomb = stream("/Type /ObjStm", &vec![b'('; 16 << 20]);
        assert!(bomb.len() < 64 << 10);
        is_quick(|| assert!(read_all(&bomb.repeat(20)).2));
        is_quick(|| drop(read_all(&vec![b'('; 8 << 20])));
        is_quick(|| drop(read_all(&b"<0".repeat(4 << 20))));
        is_quick(|| drop(read_all(&[b'%'; 2 << 20])));
        is_quick(|| drop(read_all(&b"/URI ((x)\n".repeat(1 << 20))));
        is_quick(|| drop(read_all(&b"obj /ObjStm Filter stream\n".repeat(200_000))));
    }
}
