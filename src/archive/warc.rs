//! Web archives (WARC 1.0 and 1.1, ISO 28500): records, each read as a message.
//!
//! A record is a line `WARC/1.1`, a header, a block of `Content-Length` bytes and two line breaks.
//! [`split`](super::split) finds the records.
//!
//! The block of a response is an HTTP response. Its chunks and content codings are decoded. Its
//! body is read by its type, and links are resolved against the record's target. Any other block is
//! read by the record's type: the text of a WET file, metadata fields, or a page.

use std::borrow::Cow;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use memchr::memmem;

use crate::archive::compress::{self, Format, Lookahead};
use crate::archive::encoding::Encoding;
use crate::archive::header::{Field, extent, fields, short};
use crate::archive::message::{BASE_BYTES, Envelope, Form, Note, Part};
use crate::archive::mime;
use crate::archive::mime::entity::Entity;
use crate::archive::text_source::{DecodingStep, OuterSource, TextSource};
use crate::bytes::logical::Logical;

/// The maximum number of decoded bytes of a body. Without it, a decompression bomb would fill
/// gigabytes. Each core holds this many in addition to its text.
const DECODED: usize = 8 << 20;

/// The number of packed bytes that the decoder of brotli buffers.
const BROTLI_BUFFER: usize = 4096;

/// The maximum number of references that are read from a header, because each is a part of its own.
/// The rest of the header is searched as text.
const MOST_REFERENCES: usize = 4096;

/// Returns the value of the first field with this name in a header.
fn value<'r>(bytes: &'r [u8], header: Range<usize>, name: &str) -> Option<&'r [u8]> {
    let field = fields(bytes, header).find(|field| field.is(bytes, name))?;
    Some(bytes[field.value].trim_ascii())
}

/// Returns a value without its angle brackets.
fn bare(value: &[u8]) -> &[u8] {
    value.strip_prefix(b"<").and_then(|value| value.strip_suffix(b">")).unwrap_or(value)
}

/// Returns the fields that identify a record.
pub(crate) fn envelope(record: &[u8]) -> Envelope {
    let (end, _) = extent(record, 0, |_| false);
    let text = |name| value(record, 0..end, name).map(|value| String::from_utf8_lossy(bare(value)).into_owned());
    Envelope {
        id: text("warc-record-id").and_then(short),
        date: text("warc-date").and_then(short),
        // A truncated URL would be a different URL, so a long one is dropped.
        url: text("warc-target-uri").filter(|url| url.len() <= BASE_BYTES),
        language: text("warc-identified-content-language").and_then(short),
        ..Envelope::default()
    }
}

/// Returns the texts of a record, in their order.
pub(crate) fn parts(record: &[u8]) -> Vec<Part<'_>> {
    let (end, start) = extent(record, 0, |_| false);
    let field = |name| value(record, 0..end, name);
    let length = field("content-length").and_then(|length| str::from_utf8(length).ok()?.parse::<usize>().ok());
    let block =
        start..length.and_then(|length| start.checked_add(length)).map_or(record.len(), |end| end.min(record.len()));
    let target = field("warc-target-uri").map(bare);
    let note = target.is_some_and(|target| target.len() > BASE_BYTES).then_some(Note::LongBase);
    let bases: Vec<Vec<u8>> = target.filter(|_| note.is_none()).map(<[u8]>::to_vec).into_iter().collect();
    let mut parts = vec![Part { note, ..Part::in_place(record, 0..end, Form::Header) }];
    let kind = field("content-type");
    let is_http =
        kind.is_some_and(|kind| kind.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/http")));
    if is_http {
        http(record, block, bases, &mut parts);
    } else {
        body(record, block, kind, bases, &mut parts);
    }
    parts
}

/// Adds the texts of an HTTP request or response (RFC 9112).
fn http<'r>(record: &'r [u8], block: Range<usize>, bases: Vec<Vec<u8>>, parts: &mut Vec<Part<'r>>) {
    let whole = &record[..block.end];
    let (end, start) = extent(whole, block.start, |_| false);
    answer_header(record, block.start..end, &bases, parts);
    let field = |name| value(record, block.start..end, name);
    let raw = &whole[start..];
    if raw.is_empty() {
        return;
    }
    let (mut bytes, mut source) = (Cow::Borrowed(raw), TextSource::in_place(start));
    let is_chunked = field("transfer-encoding").is_some_and(|coding| coding.to_ascii_lowercase().ends_with(b"chunked"));
    // Crawlers remove the chunks but keep the field, so a body without chunks stays as it is.
    if is_chunked && let Some(joined) = without_chunks(raw) {
        let (joined, map) = joined.into_parts();
        (bytes, source) = (Cow::Owned(joined), source.then(DecodingStep::Lines, map));
    }
    let mut note = None;
    // The codings are listed in the order in which they were applied, so the last one is decoded
    // first.
    for coding in field("content-encoding").unwrap_or_default().rsplit(|&byte| byte == b',') {
        match undone(&coding.trim_ascii().to_ascii_lowercase(), &bytes) {
            Ok(None) => {}
            Ok(Some((decoded, is_whole))) => {
                (bytes, source) = (Cow::Owned(decoded), TextSource::unpacked());
                note = note.or((!is_whole).then_some(Note::ContentCoding));
            }
            Err(()) => {
                note = Some(Note::ContentCoding);
                break;
            }
        }
    }
    let kind = field("content-type");
    let first = parts.len();
    match bytes {
        Cow::Borrowed(_) => body(record, start..block.end, kind, bases, parts),
        Cow::Owned(decoded) => {
            let mut inner = Vec::new();
            body(&decoded, 0..decoded.len(), kind, bases, &mut inner);
            let source = OuterSource::Text(Arc::new(source));
            parts.extend(inner.into_iter().map(|part| {
                let mut part = part.into_owned();
                part.source = part.source.within(&source);
                if part.source.is_apart() {
                    part.encoding = Encoding::Http;
                }
                part.body = start..block.end;
                part
            }));
        }
    }
    if note.is_some() {
        match parts.get_mut(first) {
            Some(part) => part.note = note,
            None => parts.push(Part { note, ..Part::in_place(record, start..start, Form::Other) }),
        }
    }
}

/// Adds the header of a request or a response. The references of `Location` and `Link` are parts of
/// their own.
fn answer_header<'r>(record: &'r [u8], header: Range<usize>, bases: &[Vec<u8>], parts: &mut Vec<Part<'r>>) {
    let mut start = header.start;
    let is_answer = record[header.clone()].starts_with(b"HTTP/");
    let mut left = MOST_REFERENCES;
    for field in fields(record, header.clone()).filter(|_| is_answer) {
        for target in targets(record, &field).into_iter().take(left) {
            left -= 1;
            parts.push(Part::in_place(record, start..target.start, Form::Header));
            start = target.end;
            let name = String::from_utf8_lossy(&record[field.name.clone()]).into_owned();
            let part = Part::in_place(record, target, Form::References);
            parts.push(Part { header: Some(name), bases: bases.to_vec(), ..part });
        }
    }
    parts.push(Part::in_place(record, start..header.end, Form::Header));
}

/// Returns the places of the references in a field. They are the value of `Location` (RFC 9110
/// section 10.2.2), and the text in angle brackets in `Link` (RFC 8288 section 3).
fn targets(record: &[u8], field: &Field) -> Vec<Range<usize>> {
    let value = &record[field.value.clone()];
    let start = field.value.start;
    if field.is(record, "location") {
        let inner = value.trim_ascii();
        let at = start + value.len() - value.trim_ascii_start().len();
        // A folded value is not a reference, because the fold would be inside the reference.
        let is_one = !inner.is_empty() && !inner.contains(&b'\n');
        return is_one.then_some(at..at + inner.len()).into_iter().collect();
    }
    let mut targets = Vec::new();
    let mut at = if field.is(record, "link") { 0 } else { value.len() };
    while let Some(open) = memchr::memchr(b'<', &value[at..]).map(|open| at + open + 1)
        && let Some(end) = memchr::memchr(b'>', &value[open..]).map(|close| open + close)
    {
        if end > open && !value[open..end].contains(&b'\n') {
            targets.push(start + open..start + end);
        }
        at = end + 1;
    }
    targets
}

/// Adds the texts of a body by its type.
///
/// Bytes that are not text are searched as they are, with a note. Pictures, sound, film and fonts
/// are not searched, because they hold names but no links.
fn body<'r>(bytes: &'r [u8], range: Range<usize>, kind: Option<&[u8]>, bases: Vec<Vec<u8>>, parts: &mut Vec<Part<'r>>) {
    let raw = &bytes[range.clone()];
    if raw.trim_ascii().is_empty() {
        return;
    }
    let entity = Entity::of_body(kind, raw);
    let kind = entity.kind().to_string();
    if entity.form(raw).is_some() {
        parts.extend(mime::body(bytes, entity, bases, range));
        return;
    }
    let (note, searched) = match entity.is_media() {
        true => (Note::Media, range.start..range.start),
        false => (Note::NoText, range),
    };
    parts.push(Part {
        content_type: Some(kind),
        note: Some(note),
        number: Some("1".to_string()),
        ..Part::in_place(bytes, searched, Form::Other)
    });
}

/// Returns a body without the lines of its chunks (RFC 9112 section 7.1). Returns `None` if the
/// body has no chunks. The last chunk may be truncated.
fn without_chunks(raw: &[u8]) -> Option<Logical> {
    let mut joined = Logical::default();
    joined.reserve(raw.len());
    let mut rest = raw;
    loop {
        let end = memmem::find(&rest[..rest.len().min(1024)], b"\n")?;
        let size = rest[..end].split(|&byte| byte == b';').next()?.trim_ascii();
        let size = usize::from_str_radix(str::from_utf8(size).ok()?, 16).ok()?;
        rest = &rest[end + 1..];
        joined.append(&rest[..size.min(rest.len())], raw.len() - rest.len());
        rest = rest.get(size..).unwrap_or_default();
        if size == 0 || rest.is_empty() {
            return Some(joined);
        }
        rest = rest.strip_prefix(b"\r").unwrap_or(rest).strip_prefix(b"\n")?;
        if rest.is_empty() {
            return Some(joined);
        }
    }
}

/// Decodes a content coding (RFC 9110 section 8.4.1). Returns the bytes, and whether they are
/// complete. Returns `None` if nothing is encoded, and an error if the coding is unknown.
fn undone(coding: &[u8], bytes: &[u8]) -> Result<Option<(Vec<u8>, bool)>, ()> {
    match coding {
        b"" | b"identity" => Ok(None),
        // Crawlers decode the body but keep the field.
        b"gzip" | b"x-gzip" if !bytes.starts_with(b"\x1F\x8B") => Ok(None),
        b"gzip" | b"x-gzip" => Ok(Some(inflated(MultiGzDecoder::new(bytes)))),
        b"deflate" => {
            let (decoded, is_whole) = inflated(ZlibDecoder::new(bytes));
            // Some servers omit the zlib header.
            Ok(Some(if decoded.is_empty() { inflated(DeflateDecoder::new(bytes)) } else { (decoded, is_whole) }))
        }
        b"zstd" if Format::of(bytes) != Some(Format::Zstd) => Ok(None),
        b"zstd" => Ok(Some(inflated(compress::Decoder::new(Format::Zstd, Lookahead::new(bytes))))),
        // The first byte requests a window of up to 1 GiB, which RFC 7932 does not allow.
        b"br" if bytes.first().is_some_and(|byte| byte & 0x7F == 0x11) => Err(()),
        b"br" => {
            let (decoded, is_whole) = inflated(brotli_decompressor::Decompressor::new(bytes, BROTLI_BUFFER));
            // Brotli has no mark, so a body that a crawler decoded is detected by its failure.
            let is_text = !is_whole && str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'));
            Ok((!is_text).then_some((decoded, is_whole)))
        }
        _ => Err(()),
    }
}

fn inflated(reader: impl Read) -> (Vec<u8>, bool) {
    let mut decoded = Vec::new();
    let read = reader.take(DECODED as u64 + 1).read_to_end(&mut decoded);
    let is_whole = read.is_ok() && decoded.len() <= DECODED;
    decoded.truncate(DECODED);
    (decoded, is_whole)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    #[test]
    fn chunks_are_joined() {
        for (raw, joined) in [
            ("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", Some("abcde")),
            ("a\nabcdefghij\n0\n", Some("abcdefghij")),
            ("5\r\nab", Some("ab")),
            ("3\r\nabc\r\n", Some("abc")),
            ("<html>\n", None),
            ("3\r\nabcd\r\n0\r\n", None),
            ("", None),
        ] {
            assert_eq!(
                without_chunks(raw.as_bytes()).as_ref().map(Logical::bytes),
                joined.map(str::as_bytes),
                "{raw:?}"
            );
        }
    }

    fn record(fields: &str, body: &[u8]) -> Vec<u8> {
        let http = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat();
        let header = format!(
            "WARC-Type: response\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n\
             WARC-Target-URI: <https://site.example/>\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n",
            http.len()
        );
        [header.as_bytes(), &http, b"\r\n\r\n"].concat()
    }

    fn shown(record: &[u8]) -> Vec<String> {
        let show = |part: &Part<'_>| {
            let note = part.note.map_or_else(String::new, |note| format!(" ({})", note.as_str()));
            format!("{:?} {}: {}{note}", part.form, part.encoding.as_str(), String::from_utf8_lossy(&part.text))
        };
        let is_body = |part: &&Part<'_>| !matches!(part.form, Form::Header | Form::References);
        parts(record).iter().filter(is_body).map(show).collect()
    }

    #[test]
    fn codings_are_undone() {
        let page = b"<a href=/rel>x</a>";
        let gzip = {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(page).unwrap();
            encoder.finish().unwrap()
        };
        let zlib = {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(page).unwrap();
            encoder.finish().unwrap()
        };
        let deflate = {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(page).unwrap();
            encoder.finish().unwrap()
        };
        let html = "Content-Type: text/html\r\n";
        let chunked = [format!("{:x}\r\n", gzip.len()).as_bytes(), &gzip, b"\r\n0\r\n\r\n"].concat();
        let expected = ["Html http: <a href=/rel>x</a>"];
        for (fields, body) in [
            ("Content-Encoding: gzip\r\n", &gzip),
            ("Content-Encoding: deflate\r\n", &zlib),
            ("content-encoding: Deflate\r\n", &deflate),
            ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", &chunked),
        ] {
            assert_eq!(shown(&record(&format!("{html}{fields}"), body)), expected, "{fields}");
        }
        // A crawler has already decoded the codings.
        for fields in ["Content-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n", ""] {
            let shown = shown(&record(&format!("{html}{fields}"), page));
            assert_eq!(shown, ["Html 8bit: <a href=/rel>x</a>"], "{fields}");
        }
        // Each holds one block that is stored without compression.
        let packed = [
            ("br", &b"\x8b\x08\x80<a href=/rel>x</a>\x03"[..], page),
            ("zstd", b"\x28\xb5\x2f\xfd\x20\x12\x91\0\0<a href=/rel>x</a>", page),
        ];
        for (coding, body, text) in packed {
            let fields = format!("{html}Content-Encoding: {coding}\r\n");
            assert_eq!(shown(&record(&fields, body)), expected, "{coding}");
            assert_eq!(shown(&record(&fields, text)), ["Html 8bit: <a href=/rel>x</a>"], "{coding}");
            let cut = shown(&record(&fields, &body[..body.len() - 4]));
            assert!(cut.len() == 1 && cut[0].contains("could not be decoded"), "{cut:?}");
        }
        // A window of 1 GiB is not allocated.
        let wide = shown(&record(&format!("{html}Content-Encoding: br\r\n"), b"\x11\x1e\x80abc\x03"));
        assert!(wide.len() == 1 && wide[0].contains("could not be decoded"), "{wide:?}");
        let note = "content coding that could not be decoded";
        let cut = shown(&record(&format!("{html}Content-Encoding: gzip\r\n"), &gzip[..gzip.len() - 9]));
        assert!(cut.len() == 1 && cut[0].ends_with(&format!("({note})")), "{cut:?}");
        let brotli = shown(&record(&format!("{html}Content-Encoding: br\r\n"), b"\x0b\x02\x80abc\x03"));
        assert!(brotli.len() == 1 && brotli[0].ends_with(&format!("({note})")), "{brotli:?}");
    }

    #[test]
    fn records_of_other_types() {
        let texts = |kind: &str, body: &str| {
            let length = body.len();
            let record = format!(
                "WARC-Type: x\r\nWARC-Target-URI: <https://site.example/>\r\nContent-Type: {kind}\r\n\
                 Content-Length: {length}\r\n\r\n{body}\r\n\r\n"
            );
            let found = parts(record.as_bytes());
            assert!(found.iter().skip(1).all(|part| part.note.is_none()), "{found:?}");
            let is_link = |part: &&Part<'_>| matches!(part.form, Form::References | Form::Html);
            let based = found.iter().filter(is_link).all(|part| part.bases == [b"https://site.example/"]);
            assert!(based, "{found:?}");
            shown(record.as_bytes())
        };
        let http = "application/http; msgtype=response";
        let page = "content-type: text/html\r\n\r\n<a href=/b>x</a>";
        assert_eq!(texts(http, &format!("HTTP/2 200\r\nlocation: /a\r\n{page}")), ["Html 8bit: <a href=/b>x</a>"]);
        assert_eq!(texts("text/html", "<a href=/b>x</a>"), ["Html 8bit: <a href=/b>x</a>"]);
        assert!(texts(http, "HTTP/1.1 200 OK\r\nLocation: /a\r\n\r\n").is_empty(), "a revisit has no body");
        let outlinks = texts("application/warc-fields", "outlink: https://o.example/ L a/@href\r\n");
        assert!(
            outlinks.len() == 1 && outlinks[0].ends_with(": outlink: https://o.example/ L a/@href\r\n"),
            "{outlinks:?}"
        );
    }

    #[test]
    fn references_of_an_answer_are_parts() {
        let fields =
            "Location:  /x \r\nLink: </a>; rel=\"http://r.example/\", <http://b.example/>;x, <\r\nlink: <>\r\n";
        let answer = record(fields, b"");
        let texts: Vec<_> = parts(&answer);
        let found = texts.iter().filter(|part| part.form == Form::References);
        let found: Vec<_> = found.map(|part| String::from_utf8_lossy(&part.text)).collect();
        assert_eq!(found, ["/x", "/a", "http://b.example/"]);
        // The parts hold every byte of the response.
        let all: Vec<u8> = texts.iter().skip(1).flat_map(|part| part.text.to_vec()).collect();
        let http = memmem::find(&answer, b"HTTP/1.1").unwrap();
        assert!(answer[http..].starts_with(&all), "{}", String::from_utf8_lossy(&all));
    }

    #[test]
    fn a_long_target_is_no_base() {
        for (length, is_base) in [(BASE_BYTES, true), (BASE_BYTES + 1, false)] {
            let target = format!("https://site.example/{}", "a".repeat(length - "https://site.example/".len()));
            let answer = String::from_utf8(record("Location: /x\r\n", b"")).unwrap();
            let answer = answer.replace("https://site.example/", &target);
            let parts = parts(answer.as_bytes());
            assert_eq!(parts[0].note, (!is_base).then_some(Note::LongBase));
            let location = parts.iter().find(|part| part.form == Form::References).unwrap();
            assert_eq!(location.bases.len(), usize::from(is_base));
        }
    }

    #[test]
    fn a_bomb_is_cut_with_a_note() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&vec![b' '; DECODED]).unwrap();
        encoder.write_all(b"http://a.example/").unwrap();
        let bomb = record("Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", &encoder.finish().unwrap());
        assert_eq!(parts(&bomb).last().unwrap().note, Some(Note::ContentCoding));
        let (full, is_whole) = inflated(&vec![b' '; DECODED][..]);
        assert!(full.len() == DECODED && is_whole);
    }

    #[test]
    fn types_and_lengths() {
        let plain = record("Content-Type: text/plain\r\n", b"see http://a.example/");
        assert_eq!(shown(&plain), ["Plain 8bit: see http://a.example/"]);
        assert_eq!(shown(&record("", b"<!DOCTYPE html><p>x")), ["Html 8bit: <!DOCTYPE html><p>x"]);
        assert_eq!(shown(&record("Content-Type: application/rss+xml\r\n", b"<rss/>")), ["Xml 8bit: <rss/>"]);
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rhttp://a.example/";
        let shown_png = shown(&record("Content-Type: image/png\r\n", png));
        assert_eq!(shown_png, ["Other 7bit:  (picture, sound, film, font or signature, not searched)"]);
        let pdf = shown(&record("Content-Type: application/pdf\r\n", b"%PDF-1.4\n\0\x01\x02\x03 http://a.example/"));
        assert!(pdf[0].contains("http://a.example/") && pdf[0].ends_with("(content that is not text)"), "{pdf:?}");
        let Envelope { id, date, url, .. } = envelope(&plain);
        assert_eq!(
            [id.as_deref(), date.as_deref(), url.as_deref()],
            [Some("urn:x:1"), Some("2024-01-02T03:04:05Z"), Some("https://site.example/")]
        );
    }
}
