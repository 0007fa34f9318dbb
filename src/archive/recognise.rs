//! Recognises an input by its first bytes. The input may hold text, a page of HTML, one message, an
//! mbox, an rnews batch or another container.
//!
//! The result depends only on the first [`HEAD`] bytes, after decompression. So a file and a pipe
//! give the same result.
//!
//! An input is text unless it is certainly something else. If a message is read as text, only its
//! provenance is lost. If text were read as a message, the wrong rules would apply to it.

use std::borrow::Cow;
use std::mem;

use memchr::memmem;

use crate::archive::calendar::is_calendar;
use crate::archive::charset;
use crate::archive::compress::{Format, HEAD};
use crate::archive::container::Container;
use crate::archive::foreign::Foreign;
use crate::archive::header::known;
use crate::archive::html::{is_page, is_xml};
use crate::archive::inline;
use crate::archive::pdf::is_pdf;
use crate::archive::rtf::is_rtf;
use crate::archive::split::folders::{after_emlx_line, is_babyl, is_dbox, is_mmdf, may_begin_folder};
use crate::archive::split::separator::{bare, dated, field_name, is_of_patch, record_line, rnews, undated};
use crate::archive::sylk::is_sylk;
use crate::archive::tar::is_header;
use crate::archive::wide::WideFile;
use crate::archive::zip::is_zip;

/// Returns the contents of an uncompressed input that begins with `head`.
///
/// Bytes after the first [`HEAD`] are ignored. If the input is longer, pass at least that many.
/// Then the result is the same as in [`open`](super::open), which also unpacks and checks the
/// file's name. [`Format::of`] recognises compression.
///
/// # Complexity
///
/// Linear in `head`, at most [`HEAD`] bytes.
///
/// # RFC
///
/// RFC 5322 section 2.2 (fields), RFC 1036 section 2 (news), RFC 4155 (mbox).
///
/// # Examples
///
/// ```
/// use urlgrep::archive::{Container, recognise};
///
/// assert_eq!(recognise(b"From: joe@a.example\nTo: jane@b.example\n\nHello"), Container::Message);
/// assert_eq!(recognise(b"#! rnews 12\nPath: a!b\n"), Container::Rnews);
/// assert_eq!(recognise(b"see http://a.example/"), Container::Text);
/// ```
#[must_use]
pub fn recognise(head: &[u8]) -> Container {
    let head = &head[..head.len().min(HEAD)];
    if is_zip(head) {
        return Container::Zip;
    }
    if is_pdf(head) {
        return Container::Pdf;
    }
    if is_tar(head) {
        return Container::Tar;
    }
    if WideFile::of(head).is_some() {
        return Container::WideStrings;
    }
    if let Some(foreign) = Foreign::of(head) {
        return Container::Foreign(foreign);
    }
    if charset::is_utf16(head) {
        let is_message = is_message(&charset::decode_utf16_file(head));
        return if is_message { Container::Message } else { Container::Utf16 };
    }
    let text = without_mark(head);
    if is_mmdf(text) {
        Container::Mmdf
    } else if is_babyl(text) {
        Container::Babyl
    } else if is_dbox(text) {
        Container::Dbox
    } else if rnews(text).is_some() {
        Container::Rnews
    } else if dated(without_empty_lines(text), true).is_some() || undated(without_empty_lines(text)).is_some() {
        Container::Mbox
    } else if record_line(text).is_some() {
        Container::Warc
    } else if is_calendar(text) {
        Container::Calendar
    } else if is_rtf(text) {
        Container::Rtf
    } else if is_sylk(text) {
        Container::Sylk
    } else if is_message(&with_line_feeds(text)) {
        // A mailbox may lack its first separator, and then begins as a message does. A mailbox with
        // CR lines is not split: only a single message is restored.
        if bare(text).is_some() || goes_on_as_mailbox(text) { Container::Mbox } else { Container::Message }
    } else if after_emlx_line(text).is_some_and(is_message) {
        Container::Emlx
    } else if inline::begins_with_file(text) {
        Container::Message
    } else if is_page(text) == Some(true) {
        Container::Html
    } else if is_xml(text) == Some(true) {
        Container::Xml
    } else {
        Container::Text
    }
}

/// Returns the contents of an input that continues after `head`. Returns `None` if the bytes that
/// follow could change the result.
///
/// A reader of a pipe calls this after each read until the result is `Some`. With [`HEAD`] bytes or
/// more the result is always `Some`.
///
/// # Complexity
///
/// Linear in `head`, at most [`HEAD`] bytes.
///
/// # Examples
///
/// ```
/// use urlgrep::archive::{Container, recognise_early};
///
/// assert_eq!(recognise_early(b"Subject: http://a.example/\n"), None); // a header, or a text with a colon
/// assert_eq!(recognise_early(b"See http://a.example/ for more.\n"), Some(Container::Text));
/// ```
#[must_use]
pub fn recognise_early(head: &[u8]) -> Option<Container> {
    if head.len() >= HEAD {
        return Some(recognise(head));
    }
    match recognise(head) {
        container @ (Container::Zip | Container::Pdf) => Some(container),
        _ if may_be_tar(head) => None,
        // More bytes may show that a message begins a mailbox, or that UTF-16 is a message.
        Container::Message | Container::Emlx | Container::Utf16 => None,
        // The directory of the file may follow.
        Container::Foreign(Foreign::Ole) => None,
        // XHTML begins with the declaration of XML.
        Container::Xml if is_page(without_mark(head)).is_none() => None,
        Container::Mbox if dated(without_empty_lines(without_mark(head)), true).is_none() => None,
        Container::Text => (!may_become_more(head)).then_some(Container::Text),
        container => Some(container),
    }
}

/// Returns true if the first line of an encoded file or its data is incomplete.
fn may_begin_file(head: &[u8]) -> bool {
    (b"begin ".starts_with(head) || head.starts_with(b"begin ") || head.starts_with(b"begin-"))
        && head.len() < ENCODED_FILE
        && memchr::memchr_iter(b'\n', head).nth(1).is_none()
}

/// The maximum length of the first two lines of an encoded file.
const ENCODED_FILE: usize = 512;

/// Returns true if the input may still become something other than text.
fn may_become_more(head: &[u8]) -> bool {
    Foreign::may_follow(head)
        || WideFile::may_follow(head)
        || may_begin_file(head)
        || Format::may_follow(head)
        || charset::may_be_utf16(head)
        || may_be_header(head)
        || may_be_header(&with_line_feeds(head))
}

/// Returns whether each line so far could stand before or in the header of a message.
///
/// Also returns true while the text may still become a page or XML.
fn may_be_header(head: &[u8]) -> bool {
    /// A line without a line break may still become a field until it has this many bytes.
    const LONGEST: usize = 1024;
    let text = without_empty_lines(without_mark(head));
    if is_page(text).is_none() || is_xml(text).is_none() {
        return true;
    }
    let mut names = FieldNames::default();
    text.split_inclusive(|&byte| byte == b'\n').enumerate().all(|(number, line)| {
        let begins = |word: &[u8]| line.starts_with(word);
        begins(b"From ")
            || line.trim_ascii_end() == b"From"
            || begins(b">From ")
            || begins(b"#! rnews ")
            || number == 0 && may_begin_folder(line)
            || number > 0 && (begins(b" ") || begins(b"\t"))
            || field(line).is_some_and(|name| names.take(name))
            || line.ends_with(b"\n") && names.take_stray(line)
            || !line.ends_with(b"\n") && line.len() < LONGEST
    })
}

/// Removes the byte order mark of UTF-8, which some mailers write to files.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text)
}

/// Skips empty lines and lines of blanks at the start of a text.
pub(crate) fn without_empty_lines(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = memchr::memrchr2(b'\n', b'\r', &text[..blanks]).map_or(0, |end| end + 1);
    &text[start..]
}

/// Returns the text with LF line ends, if its lines end in CR alone.
fn with_line_feeds(text: &[u8]) -> Cow<'_, [u8]> {
    // A CR that comes last may be the first half of a CRLF.
    let has_cr = memchr::memchr(b'\r', text).is_some_and(|at| at + 1 < text.len());
    match has_cr && memchr::memchr(b'\n', text).is_none() {
        true => text.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect(),
        false => Cow::Borrowed(text),
    }
}

/// The length of the header that a tar begins with.
const TAR_HEADER: usize = 512;

/// Returns whether an input is a tar: it begins with a name, and its checksum is right. The magic
/// number is not required, because only POSIX and GNU tars have one.
fn is_tar(head: &[u8]) -> bool {
    begins_with_name(head)
        && head.first_chunk::<TAR_HEADER>().is_some_and(|block| is_header(tar::Header::from_byte_slice(block)))
}

/// Returns whether more bytes may show that an input is a tar.
fn may_be_tar(head: &[u8]) -> bool {
    head.len() < TAR_HEADER && begins_with_name(head)
}

/// Returns whether an input may begin with the name of a file. A name with a line break is not
/// accepted: it would delay the recognition of every short text.
fn begins_with_name(head: &[u8]) -> bool {
    let name = head.iter().take(TAR_HEADER).take_while(|&&byte| byte != 0);
    head.first().is_none_or(|&first| first != 0) && !name.into_iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Date and Content-Type, as bits by their indices among the [`known`] fields. Dumps of HTTP have
/// these fields, too.
const OF_HTTP: u64 = 0b11;

/// Returns the name of the field at the start of a line. A URL is not a field, because a list of
/// URLs is not a header.
fn field(line: &[u8]) -> Option<&[u8]> {
    field_name(line).filter(|name| !line[name.len()..].starts_with(b"://"))
}

/// Returns true if a text begins with the header of a message.
pub(crate) fn is_message(text: &[u8]) -> bool {
    let mut lines = without_empty_lines(text).split_inclusive(|&byte| byte == b'\n').peekable();
    // Delivery agents write these envelope lines before the header, some without a date.
    let is_envelope =
        |line: &&[u8]| [&b"From "[..], b">From ", b"From\r\n", b"From\n"].iter().any(|start| line.starts_with(start));
    while lines.next_if(is_envelope).is_some() {}
    let mut names = FieldNames::default();
    let mut is_field = false;
    for line in lines {
        if is_field && matches!(line, [b' ' | b'\t', ..]) {
            continue;
        }
        let Some(name) = field(line) else {
            match names.take_stray(line) {
                true => continue,
                false => return line.trim_ascii().is_empty() && names.is_of_body && !names.has_unknown,
            }
        };
        is_field = true;
        if !names.take(name) {
            return false;
        }
        names.is_of_body |= says_its_parts(&line[name.len()..]) && name.eq_ignore_ascii_case(b"Content-Type");
        // One known field may occur in any text. Two make a header, or three if a stray line is
        // among them.
        if names.known.count_ones() > 1 + u32::from(names.has_stray) && names.known != OF_HTTP {
            return true;
        }
    }
    false
}

/// The names of the fields in a possible header.
#[derive(Default)]
struct FieldNames<'t> {
    /// The [`known`] names, as bits.
    known: u64,
    /// The last eight names before the first name that is [`known`].
    others: [&'t [u8]; 8],
    count: usize,
    has_unknown: bool,
    /// Whether a line among them is not a field.
    has_stray: bool,
    /// Whether a Content-Type states that the body has parts, or is HTML or a message.
    is_of_body: bool,
}

impl<'t> FieldNames<'t> {
    /// Adds the next name. Returns false if the lines are not a header.
    ///
    /// Each line of a log begins with a word or a time, and a colon. Some word or time comes again
    /// before any known field. Without this rule 64 KiB of a log in a pipe would be read before
    /// anything is found.
    fn take(&mut self, name: &'t [u8]) -> bool {
        match known(name) {
            Some(known) => self.known |= 1 << known,
            None => self.has_unknown = true,
        }
        if self.known != 0 {
            return true;
        }
        let is_new = !self.others.contains(&name);
        self.others[self.count % self.others.len()] = name;
        self.count += 1;
        is_new
    }

    /// Adds a line that is not a field. Returns false if the lines are not a header.
    ///
    /// Some programs write one such line into a header. Three known fields outweigh it.
    fn take_stray(&mut self, line: &[u8]) -> bool {
        let is_first = !mem::replace(&mut self.has_stray, true);
        is_first && self.known != 0 && !line.trim_ascii().is_empty()
    }
}

/// Returns whether a Content-Type states parts, a message or HTML. `value` begins at its colon.
/// Texts that are not mail seldom quote such a field alone.
fn says_its_parts(value: &[u8]) -> bool {
    let value = value.trim_ascii_start().strip_prefix(b":").unwrap_or_default().trim_ascii_start();
    let is = |kind: &&[u8]| value.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    [&b"multipart/"[..], b"message/", b"text/html"].iter().any(is)
}

/// Returns true if a message is the first of a mailbox whose first separator is missing.
///
/// This happens if a mailbox was assembled from files by hand. Another separator follows, and it is
/// not a part of the message. Patches have a separator of their own, whose date is always the same.
/// They are attached or pasted in, so their separators are ignored.
pub(crate) fn goes_on_as_mailbox(text: &[u8]) -> bool {
    let is_separator = |at: usize| {
        let (before, rest) = (&text[..at], &text[at..]);
        (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
            && dated(rest, true).is_some_and(|line| !is_of_patch(&rest[..line]))
    };
    !is_composite(text) && memmem::find_iter(text, b"\nFrom ").any(|at| is_separator(at + 1))
}

/// Returns true if a message states that it is made of other messages, or of parts.
fn is_composite(message: &[u8]) -> bool {
    let mut rest = message;
    while let Some(end) = memchr::memchr(b'\n', rest).filter(|_| !matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..])) {
        if let Some(name) = field_name(rest).filter(|name| name.eq_ignore_ascii_case(b"Content-Type")) {
            let value = rest[name.len()..].trim_ascii_start();
            let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii_start();
            return [&b"multipart/"[..], b"message/"]
                .iter()
                .any(|kind| value.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind)));
        }
        rest = &rest[end + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::{all_breaks, both_breaks};

    fn assert_all(container: Container, texts: &[&str]) {
        for text in texts {
            for text in both_breaks(text).into_iter().chain([format!("\u{FEFF}{text}")]) {
                assert_eq!(recognise(text.as_bytes()), container, "{text:?}");
            }
        }
    }

    #[test]
    fn messages() {
        assert_all(
            Container::Message,
            &[
                "From: joe@a.example\nSubject: x\n\nbody",
                "Return-Path: <joe@a.example>\nReceived: from a by b\n\tfor c; today\nX: y",
                "Path: a!b!joe\nNewsgroups: alt.test\nSubject: x\n\n",
                "Xref: a alt.test:12\nX-Foo: long\n folded\n\tand so on\nFrom: joe\n",
                ">From joe Mon Jan  1 12:34:56 2001 remote from b\nReceived: by c\nDate: today\n",
                "From joe somewhere\nFrom: joe\nTo: jane\n",
                "Subject: x\nTo: y\n\n",
                "SUBJECT: x\nmessage-id: <y>\n",
                "Relay-Version: B 2.10\nPosting-Version: B 2.10\nPath: a!b\n",
                "X-Mozilla-Status: 0001\nX-Unknown: x\nFrom : joe\n\n",
                "Content-Type: text/plain\nMIME-Version: 1.0\n\n",
                "Date: today\nContent-Type: text/plain\nSubject: x\n",
                "From: joe\nTo: jane\n\nFrom joe@a.example Mon Jan  1 12:34:56 2001\n",
                "From: joe\nTo: jane\n\nFrom a1b2c3 Mon Sep 17 00:00:00 2001\nFrom: joe\n",
                "From: joe\nContent-Type:\n multipart/mixed\n\nFrom joe@a.example Mon Jan  1 12:34:56 2001\nA: b\n",
            ],
        );
    }

    #[test]
    fn texts() {
        assert_all(
            Container::Text,
            &[
                "",
                "\n",
                "x",
                "Note: this is prose.\nIt goes on.\n",
                "Note: this\nHint: that\nSee: there\n\n",
                "See http://a.example/ for more.\nFrom: joe\nTo: jane\n",
                "---\nfrom: x\nto: y\n---\n# Title\n",
                "---\nDate: 2001\nSubject: y\n---\n",
                "from: x\nto: y\nsubject: z\n",
                "Title: x\nDate: 2001-01-01\nAuthor: y\n\n# Title\n",
                "HTTP/1.1 200 OK\nDate: today\nFrom: x\n",
                "Date: today\nServer: x\nContent-Type: text/html\nContent-Length: 12\n\n",
                "127.0.0.1 - - [01/Jan/2001:12:34:56 +0000] \"GET / HTTP/1.0\" 200 1\n",
                "fn main() {\n    println!();\n}\n",
                "#!/bin/sh\nFrom: x\nTo: y\n",
                "From: joe\nFrom: jane\nFrom: jim\n",
                "From: joe\n\nSubject: x\n",
                "From: joe\nand more\nSubject: x\n",
                " From: joe\nSubject: x\n",
                "From time to time it rains.\nAnd more.\n",
                "From \nNote: this\nHint: that\n",
                "From\nhere on\n",
                "From joe@a.example Mon Jan  1 12:34:56 2001\n\nno field follows\n",
                "#! cunbatch\nx",
                "#! rnews\nPath: x\n",
            ],
        );
    }

    #[test]
    fn mailboxes_and_batches() {
        assert_all(
            Container::Mbox,
            &[
                "From joe@a.example Mon Jan  1 12:34:56 2001\nSubject: x\n\n",
                "From joe at a.example  Mon Jan  1 12:34:56 2001\nSubject: x\n\n",
                "From - Mon Jan  1 12:34:56 2001\nX-Mozilla-Status: 0001\n",
                "From - Mon Jan 1 2001 12:34:56\nX-Mozilla-Status: 0001\n",
                "From \nX-Mozilla-Status: 0001\nX-Mozilla-Status2: 00000000\nReceived: x\n",
                "From\nFrom: joe\nTo: jane\n",
                "From joe Mon Jan  1 12:34 2001 remote from b\n>From jane Mon Jan  1 12:34 2001\n",
                "\n\nFrom joe@a.example Mon Jan  1 12:34:56 2001\nSubject: x\n\n",
                "From: joe\nTo: jane\n\nx\n\nFrom joe@a.example Mon Jan  1 12:34:56 2001\nA: b\n",
            ],
        );
        assert_all(Container::Rnews, &["#! rnews 12\nPath: a!b\n"]);
        let line = "\x01\x01\x01\x01\n";
        assert_all(
            Container::Mmdf,
            &[&format!("{line}A: b\n"), &format!("{line}From joe Mon Jan  1 12:34:56 2001\nA: b\n")],
        );
        assert_all(Container::Text, &[line, &format!("{line}no field\n")]);
        assert_all(Container::Babyl, &["BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1F"]);
        assert_all(Container::Emlx, &["1234      \nFrom: joe\nTo: jane\n\nx"]);
        assert_all(Container::Text, &["1234\nFrom: joe\nand more\n", "2 Monkeys\n"]);
        assert_eq!(recognise(b"2 M1e C5e0f2a3b\n\x01\x02N"), Container::Dbox);
    }

    #[test]
    fn a_log_is_no_header_once_its_words_come_again() {
        for log in [
            "INFO: see http://a.example/\nINFO: and more\n",
            "12:00:01 GET http://a.example/\n12:00:02 GET http://b.example/\n",
            "2026-11-22T12:00:01Z a: b\n2026-11-22T12:00:02Z c\n",
        ] {
            assert_eq!(recognise_early(log.as_bytes()), Some(Container::Text), "{log}");
            let line = log.split_inclusive('\n').next().unwrap();
            assert_eq!(recognise_early(line.as_bytes()), None, "{line}");
            assert_all(Container::Text, &[&format!("{log}From: joe\nTo: jane\n")]);
        }
        assert_eq!(recognise_early(b"A: b\nB: c\n"), None);
        assert_all(Container::Message, &["A: b\nB: c\nFrom: joe\nA: d\nA: e\nTo: jane\n"]);
    }

    #[test]
    fn documents_with_any_line_ends() {
        for (container, text) in [
            (Container::Html, "<!DOCTYPE html>\n<a href=/x>y</a>\n"),
            (Container::Html, "<!DOCTYPE html><p>x\ny</p>"),
            (Container::Html, "\n<!-- x -->\n<HTML\nlang=en>"),
            (Container::Html, "<?xml version='1.0'?>\n<!DOCTYPE html>"),
            (Container::Xml, "<?xml\nversion='1.0'?>\n<x/>"),
            (Container::Xml, "<svg\nwidth=1>"),
            (Container::Calendar, "BEGIN:VCALENDAR\nURL:http://a.example/\n"),
            (Container::Calendar, "\nBEGIN:VCARD\n"),
            (Container::Rtf, "{\\rtf1\\ansi x}"),
            (Container::WideStrings, "bplist00\u{1}"),
            (Container::Message, "From: joe\nTo: jane\n\nx"),
            (Container::Babyl, "BABYL OPTIONS:\nx\n"),
            (Container::Text, "See <html>.\nAnd more.\n"),
        ] {
            for text in all_breaks(text) {
                assert_eq!(recognise(text.as_bytes()), container, "{text:?}");
            }
        }
    }

    /// Checks that the first bytes of an input decide only what all its bytes confirm. So a slow
    /// pipe and a file give the same result.
    #[test]
    fn an_early_result_is_final() {
        const HEADS: &[&str] = &[
            "<!DOCTYPE html>",
            "<!doctype",
            "<html",
            ">",
            "<?xml version='1.0'?>",
            "<?xml-stylesheet x?>",
            "<rss>",
            "<svg ",
            "<!-- x -->",
            "<!--",
            "BEGIN:VCALENDAR",
            "BEGIN:VCARD",
            "BEGIN:",
            "From a@b.example Sat Jan  3 01:05:34 1996",
            "From ",
            "From",
            ">From a",
            "From -",
            "Subject: x",
            "To: y",
            "From: a",
            "X-a: b",
            "Date: a",
            "Content-Type: text/html",
            " folded",
            "",
            "a: b",
            "c: d",
            "12:00 e",
            "text",
            "a",
            "WARC/1.0",
            "#! rnews 12",
            "#! cunbatch",
            "#!/bin/sh",
            "\x1F\u{9D}\u{90}",
            "BZh9",
            "1AY&SY",
            "%PDF-1.4",
            "BABYL OPTIONS:",
            "\x01\x01\x01\x01",
            "\x01\x02N",
            "2 M1e",
            "PK\x03\x04",
            "12",
            "\u{EF}\u{BB}\u{BF}",
            "\0",
            "MZ",
            "7z",
            "http://a.example/",
            "*mbx*",
            "a-lh5-",
            "https://b.example/ and",
        ];
        const ENDS: &[&str] = &["\n", "\r\n", "\r", "\r\r\n", "", " "];
        let whole = |text: &[u8]| Format::of(text).map_or_else(|| recognise(text), Container::Compressed);
        let early = |text: &[u8]| Format::of(text).map(Container::Compressed).or_else(|| recognise_early(text));
        let mut rng = fastrand::Rng::with_seed(5322);
        for turn in 0..20_000 {
            let end = *rng.choice(ENDS).unwrap();
            let mut text = Vec::new();
            for _ in 0..rng.usize(1..8) {
                text.extend(rng.choice(HEADS).unwrap().chars().map(|byte| byte as u8));
                let end = if rng.u8(..8) == 0 { *rng.choice(ENDS).unwrap() } else { end };
                text.extend_from_slice(end.as_bytes());
            }
            if turn % 20 == 0 {
                // The name of a tar's first file may look like anything.
                text.truncate(100);
                let mut header = tar::Header::new_gnu();
                header.as_mut_bytes()[..text.len()].copy_from_slice(&text);
                header.set_size(0);
                header.set_cksum();
                text = header.as_bytes().to_vec();
            }
            let expected = whole(&text);
            for cut in 0..text.len() {
                let found = early(&text[..cut]);
                let cut = || [text[..cut].escape_ascii().to_string(), text[cut..].escape_ascii().to_string()];
                assert!(found.is_none_or(|found| found == expected), "{found:?}, then {expected:?}: {:?}", cut());
            }
        }
    }

    #[test]
    fn the_evidence_stands_in_the_first_64_kib() {
        let text = format!("From: joe\nX-Long:{}\nTo: jane\n", " x".repeat(HEAD / 2 - 100));
        assert_eq!(recognise(text.as_bytes()), Container::Message);
        let text = format!("From: joe\nX-Long:{}\nTo: jane\n", " x".repeat(HEAD / 2));
        assert_eq!(recognise(text.as_bytes()), Container::Text);
        assert_eq!(recognise(&vec![b'\n'; 1 << 20]), Container::Text);
        assert_eq!(recognise(&b"a:\n ".repeat(1 << 18)), Container::Text);
    }

    #[test]
    fn tars() {
        for mut header in [tar::Header::new_ustar(), tar::Header::new_gnu()] {
            header.set_path("folder/a.mbox").unwrap();
            header.set_size(12);
            header.set_cksum();
            assert_eq!(recognise(header.as_bytes()), Container::Tar);
            header.set_size(13);
            assert_eq!(recognise(header.as_bytes()), Container::Text, "the checksum does not match");
        }
        assert_eq!(recognise(&[0; 1024]), Container::Text);
    }
}
