//! Messages and parts too long to be held have the same matches as short ones.

use crate::common;

use std::fmt::Write as _;
use std::io::Read;
use std::ops::ControlFlow;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use bstr::ByteSlice as _;
use common::{Drip, pool};
use urlgrep::archive::Container;
use urlgrep::{Extractor, Match, Sink, Stats, Undecoded};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    url: String,
    span: (u64, u64),
    line: Option<u64>,
    column: Option<u64>,
    id: Option<String>,
    header: Option<String>,
    part: Option<String>,
    content_type: Option<String>,
    encoding: Option<&'static str>,
    resolved: Option<Vec<u8>>,
    text: Option<String>,
}

#[derive(Default)]
struct Collect(Vec<Found>, Vec<Undecoded>);

impl Sink for Collect {
    fn add(&mut self, found: &Match<'_>) {
        let place = found.place().unwrap_or_default();
        self.0.push(Found {
            url: found.url().to_string(),
            span: (found.span().start, found.span().end),
            line: found.line(),
            column: found.column(),
            id: place.message.as_ref().and_then(|message| message.id.clone()),
            header: place.header,
            part: place.part,
            content_type: place.content_type,
            encoding: place.encoding,
            resolved: place.resolved,
            text: place.text,
        });
    }

    fn undecoded(&mut self, part: &Undecoded) {
        self.1.push(part.clone());
    }
}

fn find(reader: impl Read, container: Container) -> (Vec<Found>, Stats) {
    let mut found = Vec::new();
    let stats = Extractor::builder().line_numbers(true).build().documents(
        reader,
        container,
        0..u64::MAX,
        Collect::default,
        |batch| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        },
    );
    (found, stats.expect("memory"))
}

/// Returns the matches, after a check that every driver finds the same in any chunks.
fn found(archive: &[u8], container: Container) -> (Vec<Found>, Stats) {
    let expected = find(archive, container);
    assert_eq!(expected.1.matches, expected.0.len() as u64);
    assert_eq!(expected.1.bytes, archive.len() as u64);
    for reads in [777, 100_003] {
        assert!(find(Drip::new(archive, reads), container) == expected, "reads of {reads}");
    }
    for threads in [1, 4] {
        let mut found = Vec::new();
        let extractor = Extractor::builder().line_numbers(true).build();
        let stats = pool(threads).install(|| {
            extractor.par_documents(archive, container, 0..u64::MAX, Collect::default, |batch| {
                found.extend(batch.0);
                Ok(ControlFlow::Continue(()))
            })
        });
        assert!((found, stats.expect("memory")) == expected, "{threads} threads");
    }
    expected
}

fn base64_lines(bytes: &[u8]) -> String {
    let mut lines = String::new();
    for line in bytes.chunks(57) {
        lines.push_str(&BASE64_STANDARD.encode(line));
        lines.push('\n');
    }
    lines
}

/// Returns a mailbox of two messages, the second with an attachment of this many lines before its
/// texts.
fn with_attachment(lines: usize) -> String {
    let picture = [0x89, b'P', b'N', b'G', 0, 1, 2].repeat(57);
    let picture: String = base64_lines(&picture[..57]).repeat(lines);
    let nested = "Content-Type: message/rfc822\n\nSubject: http://nested.example/subject\n".repeat(97);
    let html = "<p>See <a href=/a?b&amp;c>the &lt;page&gt;</a> <base href=http://base.example/>";
    format!(
        "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nMessage-ID: <1@a.example>\n\nhttp://first.example/\n\n\
         From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nMessage-ID: <2@a.example>\n\
         Subject: =?utf-8?q?http:=2F/word.example/?=\nContent-Type: multipart/mixed; boundary=cut\n\n\
         http://before.example/\n\n--cut\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\n{picture}\
         [http://foreign.example/]\n--cut\n\nhttp://plain.example/\n--cutter http://cutter.example/\n\
         --cut\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n{}\
         --cut\nContent-Type: multipart/alternative; boundary=inner\n\n--inner\nContent-Transfer-Encoding: \
         quoted-printable\n\nhttp://a.exam=\nple/=7Ejoe\n--inner--\nhttp://after.example/\n\
         --cut\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\
         --cut\n{nested}\nhttp://deep.example/\n--cut--\nhttp://end.example/\n\n\
         From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nMessage-ID: <3@a.example>\n\nhttp://last.example/\n",
        base64_lines(html.as_bytes()),
        base64_lines(b"Subject: http://inner.example/\n\nhttp://inner.example/body\n"),
    )
}

#[test]
fn behind_a_long_attachment_all_is_found() {
    const MORE: usize = 170_000;
    let (short, long) = (with_attachment(1), with_attachment(1 + MORE));
    assert!(long.len() > 12 << 20);
    let (expected, stats) = found(short.as_bytes(), Container::Mbox);
    let (all, of_long) = found(long.as_bytes(), Container::Mbox);
    let attachment = short.find("\n\niVBO").expect("an attachment") as u64;
    let moved: Vec<_> = expected
        .into_iter()
        .map(|mut found| {
            if found.span.0 > attachment {
                let by = (MORE * 77) as u64;
                found.span = (found.span.0 + by, found.span.1 + by);
                found.line = found.line.map(|line| line + MORE as u64);
            }
            found
        })
        .collect();
    assert_eq!(moved.len(), 97 + 15);
    assert_eq!(all, moved);
    assert_eq!((of_long.undecoded, of_long.messages), (stats.undecoded, 3));
    let lines = long[..long.rfind("\n\nFrom ").expect("a separator") + 2].matches('\n').count() as u64;
    assert_eq!(of_long.checkpoint.map(|checkpoint| (checkpoint.lines, checkpoint.messages)), Some((lines, 2)));
}

/// Searches texts that are longer than what is held, with a URL in each paragraph.
#[test]
fn a_long_text_is_decoded_in_windows() {
    const COUNT: usize = 32_000;
    let paragraphs = |paragraph: &dyn Fn(usize) -> String| -> String { (0..COUNT).map(paragraph).collect() };
    let filler = "and some words that stand around what is to be found, as they do in mail";
    let plain = |n: usize| format!("{filler} http://h{n}.example/a?b=c {filler}\n\n");
    let html = |n: usize| format!("<p title='{filler}'>{filler} <a href=\"/{n}?b&amp;c\">link {n}</a></p>\n");
    let utf16: Vec<u8> = paragraphs(&plain).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let quoted = |n: usize| format!("{filler} http://h{n}.exam=\nple/a?b=3Dc {filler}=20\n=\n\n");
    let flowed = |n: usize| format!("{filler} \nhttp://h{n}.exam \nple/a?b=c\n\n{filler}\n");
    let sjis = |n: usize| format!("\u{83}n\u{83}\u{8d} http://h{n}.example/a?b=c \u{83}n {filler}\n\n");
    let latin = |text: &str| text.chars().map(|letter| letter as u8).collect::<Vec<u8>>();
    let mut message =
        b"From: a@b.example\nMessage-ID: <1@a.example>\nContent-Type: multipart/mixed; boundary=cut\n\n".to_vec();
    let mut add = |header: &str, body: &[u8]| {
        message.extend_from_slice(format!("--cut\n{header}\n\n").as_bytes());
        message.extend_from_slice(body);
        message.extend_from_slice(b"\n");
    };
    let base64 = "Content-Transfer-Encoding: base64";
    let page = format!("<base href=http://base.example/>{}", paragraphs(&html));
    add("Content-Type: text/plain", paragraphs(&plain).as_bytes());
    add("Content-Transfer-Encoding: quoted-printable", paragraphs(&quoted).as_bytes());
    add(base64, base64_lines(paragraphs(&plain).as_bytes()).as_bytes());
    add(&format!("Content-Type: text/plain; charset=utf-16\n{base64}"), base64_lines(&utf16).as_bytes());
    add("Content-Type: text/plain; charset=shift_jis", &latin(&paragraphs(&sjis)));
    add("Content-Type: text/plain; charset=utf-7", paragraphs(&plain).replace("://", "+ADo-//").as_bytes());
    add("Content-Type: text/plain; format=flowed; delsp=yes", paragraphs(&flowed).as_bytes());
    add("Content-Type: text/html", page.as_bytes());
    add(&format!("Content-Type: text/html; charset=iso-8859-1\n{base64}"), base64_lines(&latin(&page)).as_bytes());
    let inner = format!("Subject: http://inner.example/\n\n{}", paragraphs(&plain));
    add(&format!("Content-Type: message/rfc822\n{base64}"), base64_lines(inner.as_bytes()).as_bytes());
    let card =
        |n: usize| format!("NOTE:{filler}\r\nURL;ENCODING=QUOTED-PRINTABLE:http://h{n}.exam=\r\nple/a?b=\r\n=3Dc\r\n");
    add("Content-Type: text/vcard", paragraphs(&card).as_bytes());
    message.extend_from_slice(b"--cut--\nhttp://end.example/\n");
    let (all, stats) = found(&message, Container::Message);
    assert_eq!(stats.undecoded, 0);
    let (mut rest, mut at, mut lines) = (all.iter(), 0, 1);
    for part in 1..=11 {
        if part == 10 {
            assert_eq!(rest.next().map(|found| found.url.as_str()), Some("http://inner.example/"));
        }
        let number = if part == 10 { "10.1".to_string() } else { part.to_string() };
        if part == 8 || part == 9 {
            assert_eq!(rest.next().map(|found| found.url.as_str()), Some("http://base.example/"));
        }
        for n in 0..COUNT {
            let found = rest.next().unwrap_or_else(|| panic!("{part}: {n}"));
            let (mut url, mut shown) = (String::new(), None);
            if part == 8 || part == 9 {
                let _ = write!(url, "http://base.example/{n}?b&c");
                shown = Some(format!("link {n}"));
                assert_eq!(found.resolved.as_deref(), Some(url.as_bytes()), "{found:?}");
            } else {
                let _ = write!(url, "http://h{n}.example/a?b=c");
                assert_eq!(found.url, url, "{found:?}");
            }
            assert_eq!((found.part.as_deref(), &found.text), (Some(number.as_str()), &shown), "{found:?}");
            assert_eq!(found.id.as_deref(), Some("1@a.example"), "{found:?}");
            // The bytes of the file decode to the URL, and lie at its line and column.
            let (start, end) = (found.span.0 as usize, found.span.1 as usize);
            let spelled = match part {
                2 => url.replace(".example/a?b=c", ".exam=\nple/a?b=3Dc"),
                6 => url.replace("://", "+ADo-//"),
                7 => url.replace(".exam", ".exam \n"),
                8 => format!("/{n}?b&amp;c"),
                11 => url.replace(".example/a?b=c", ".exam=\r\nple/a?b=\r\n=3Dc"),
                _ => url,
            };
            let cut = &message[start..end];
            if let 3 | 4 | 9 | 10 = part {
                let letters: Vec<u8> = cut.iter().copied().filter(u8::is_ascii_graphic).collect();
                let decoded = BASE64_STANDARD.decode(letters).unwrap();
                let decoded: Vec<u8> = decoded.into_iter().filter(|&byte| byte > 0).collect();
                let spelled = if part == 9 { format!("/{n}?b&amp;c") } else { spelled };
                assert!(decoded.find(&spelled).is_some_and(|at| at < 3), "{found:?} {:?}", decoded.as_bstr());
                assert!(decoded.len() < spelled.len() + 5, "{found:?}");
            } else {
                assert_eq!(cut.as_bstr(), spelled, "{found:?}");
            }
            lines += message[at..start].iter().filter(|&&byte| byte == b'\n').count() as u64;
            at = start;
            let line_start = message[..start].rfind_byte(b'\n').map_or(0, |end| end + 1);
            assert_eq!((found.line, found.column), (Some(lines), Some((start - line_start) as u64 + 1)), "{found:?}");
        }
    }
    assert_eq!(rest.map(|found| found.url.as_str()).collect::<Vec<_>>(), ["http://end.example/"]);
}
