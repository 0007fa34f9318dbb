//! Small messages, valid and broken.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use super::walk::MAX_DEPTH;
use super::*;
use crate::archive::header::{envelope, plain_body};
use crate::archive::support::{both_breaks, is_quick, shuffled};
use crate::bytes::simd::Backend;

/// A URL that is longer than a line of mail.
const URL: &str =
    "http://archive.example.org/lists/wg-transport/1997/december/attachments/draft-smith-flow-02.txt?x=1&y=2";

fn parts(message: &[u8]) -> Vec<Part<'_>> {
    super::parts(message).collect()
}

/// Returns `number form encoding: text` for each part. Excludes headers that the message holds
/// undecoded.
fn shown(message: &str) -> Vec<String> {
    parts(message.as_bytes())
        .iter()
        .filter(|part| part.form != Form::Header || part.header.is_some())
        .map(|part| {
            let name = part.header.as_deref().or(part.number.as_deref()).unwrap_or("-");
            let note = part.note.map(|note| format!(" ({})", note.as_str())).unwrap_or_default();
            let text = String::from_utf8_lossy(&part.text);
            format!("{name} {:?} {}: {text}{note}", part.form, part.encoding.as_str())
        })
        .collect()
}

/// Checks a message with LF line ends, as in a file, and with CRLF, as in transit.
#[track_caller]
fn check(message: &str, expected: &[&str]) {
    for message in both_breaks(message) {
        let texts: Vec<_> = shown(&message).iter().map(|text| text.replace("\r\n", "\n")).collect();
        assert_eq!(texts, expected, "{message:?}");
        places(message.as_bytes());
    }
}

/// Checks that each text of the message is at its places, and inside the part's body. (In UTF-7 an
/// ASCII letter can be written in base64.)
#[track_caller]
fn places(message: &[u8]) {
    let has_utf7 = memmem::find(message, b"utf-7").is_some();
    for part in parts(message) {
        assert!(part.body.end <= message.len());
        if part.source.is_apart() {
            continue;
        }
        let mut last = part.body.start;
        for (at, &byte) in part.text.iter().enumerate() {
            let place = part.source.range(at..at + 1);
            assert!(last <= place.start && place.end <= part.body.end, "{at} {part:?}");
            last = place.start;
            if !part.source.is_decoded() {
                assert!(message[place.start] == byte || !byte.is_ascii() || has_utf7, "{at} {part:?}");
            } else if part.encoding == Encoding::QuotedPrintable && byte.is_ascii() && !has_utf7 {
                assert!([&[byte][..], format!("={byte:02X}").as_bytes()].contains(&&message[place]), "{at} {part:?}");
            }
        }
    }
}

/// Checks that one long URL survives every way to send it in a message. A text always holds it
/// intact, or with line marks that a search over plain lines removes.
#[test]
fn the_carriers_of_a_long_url() {
    let (start, end) = URL.split_at(60);
    let utf16: Vec<u8> = format!("see {URL}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let quoted = URL.replace('=', "=3D");
    let (quoted_start, quoted_end) = quoted.split_at(60);
    for (name, message, form) in [
        ("plain", format!("Subject: x\n\nsee {URL}\n"), Form::Plain),
        (
            "quoted-printable",
            format!("Content-Transfer-Encoding: quoted-printable\n\nsee {quoted_start}=\n{quoted_end}\n"),
            Form::Plain,
        ),
        (
            "base64",
            format!("Content-Transfer-Encoding: base64\n\n{}", BASE64_STANDARD.encode(format!("see {URL}").as_bytes())),
            Form::Plain,
        ),
        (
            "flowed with DelSp",
            format!("Content-Type: text/plain; format=flowed; delsp=yes\n\nsee \n{start} \n{end}\n"),
            Form::Plain,
        ),
        (
            "HTML",
            format!(
                "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"{quoted_start}=\n{quoted_end}\">"
            ),
            Form::Html,
        ),
        ("quoted wrapper", format!("\n> see <URL:{start}\n> {end}>\n"), Form::Plain),
        ("indented wrapper", format!("\n    see <URL:{start}\n    {end}>\n"), Form::Plain),
        ("header", format!("Subject: x\nList-Archive: <{URL}>\n\n"), Form::Header),
        (
            "UTF-16",
            format!(
                "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n{}\n",
                BASE64_STANDARD.encode(&utf16)
            ),
            Form::Plain,
        ),
    ] {
        let found = parts(message.as_bytes());
        let holds = |part: &&Part<'_>| {
            let text = String::from_utf8_lossy(&part.text).replace("\n> ", "").replace("\n    ", "");
            text.contains(URL)
        };
        let part = found.iter().find(holds).unwrap_or_else(|| panic!("{name}: {found:?}"));
        assert_eq!((part.form, part.number.as_deref()), (form, (form != Form::Header).then_some("1")), "{name}");
        assert!(found.iter().all(|part| part.note.is_none()), "{name}");
        places(message.as_bytes());
        assert_eq!(
            plain_body(message.as_bytes(), Backend::detect()).is_some(),
            !message.contains("Content-"),
            "{name}"
        );
    }
}

#[test]
fn numbers_are_those_of_imap() {
    check("\nbody\n", &["1 Plain 7bit: body\n"]);
    check("Content-Type: text/html\n\n<p>\n", &["1 Html 7bit: <p>\n"]);
    check(
        "Content-Type: multipart/mixed; boundary=\"a b\"\n\nbefore\n--a b\n\none\n--a b\nContent-Type: multipart/alternative;\n boundary=i\n\n\
         --i\n\ntwo one\n--i\nContent-Type: text/html\n\ntwo two\n--i--\nafter two\n--a b\n\nthree\n\n--a b--\nafter\n",
        &[
            "- Plain 7bit: before",
            "1 Plain 7bit: one",
            "2.1 Plain 7bit: two one",
            "2.2 Html 7bit: two two",
            "2 Plain 7bit: after two",
            "3 Plain 7bit: three\n",
            "- Plain 7bit: after\n",
        ],
    );
    // Messages within messages, with one part and with two.
    check(
        "Content-Type: multipart/digest; boundary=a\n\n--a\n\nSubject: =?utf-8?q?in?=\n\none\n--a\nContent-Type: message/rfc822\n\n\
         Content-Type: multipart/mixed; boundary=i\n\n--i\n\ntwo one\n--i\n\ntwo two\n--i--\n--a--\n",
        &[
            "Subject Header encoded-word:  in\n",
            "1.1 Plain 7bit: one",
            "2.1 Plain 7bit: two one",
            "2.2 Plain 7bit: two two",
        ],
    );
    check(
        "Content-Type: message/rfc822\n\nContent-Type: message/rfc822\n\nSubject: x\n\nbody",
        &["1.1.1 Plain 7bit: body"],
    );
}

#[test]
fn what_is_text_and_what_is_not() {
    let part = |fields: &str, body: &str| {
        format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{fields}\n{body}\n--b--\n")
    };
    for (fields, body, expected) in [
        ("Content-Type: text/x-diff\nContent-Disposition: attachment\n", "+x", Some("1 Other 7bit: +x")),
        ("Content-Type: application/xhtml+xml\n", "<p/>", Some("1 Html 7bit: <p/>")),
        ("Content-Type: application/octet-stream; name=a.c\n", "int x;", Some("1 Other 7bit: int x;")),
        ("Content-Type: application/octet-stream; name=a.htm\n", "<p>", Some("1 Html 7bit: <p>")),
        ("Content-Type: x/y\nContent-Disposition: attachment; filename=\"A.HTML\"\n", "<p>", Some("1 Html 7bit: <p>")),
        ("Content-Type: image/svg+xml\nContent-Transfer-Encoding: base64\n", "PHN2Zy8+", Some("1 Xml base64: <svg/>")),
        (
            "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n",
            "UEsDBAo=",
            Some(
                "1 Other base64: PK\u{3}\u{4}\n (packed attachment, searched as bytes; --search-zip unpacks all but deep nesting)",
            ),
        ),
        (
            "Content-Type: image/png\nContent-Transfer-Encoding: quoted-printable\n",
            "=89PNG=00",
            Some("1 Other quoted-printable:  (picture, sound, film, font or signature, not searched)"),
        ),
        (
            "Content-Type: application/pdf; name=x.pdf\n",
            "%PDF\0",
            Some("1 Other 7bit: %PDF\0 (attachment that is not text, searched as bytes)"),
        ),
        ("Content-Type: message/delivery-status\n", "Action: x", Some("1 Other 7bit: Action: x")),
        ("Content-Type: application/pgp-signature\n", "-----BEGIN", Some("1 Other 7bit: -----BEGIN")),
        (
            "Content-Type: application/x-pkcs7-signature\n",
            "\0\x01\x02http://crl.example/a.crl0",
            Some("1 Other 7bit:  (picture, sound, film, font or signature, not searched)"),
        ),
        ("Content-Type: text\n", "x", Some("1 Plain 7bit: x")),
        ("Content-Type: ;;;\n", "x", Some("1 Plain 7bit: x")),
    ] {
        check(&part(fields, body), expected.as_slice());
    }
}

#[test]
fn header_fields_with_words_are_given_out_once() {
    let message = b"From: a\nSubject: =?utf-8?q?http=3A//h/?=\n =?utf-8?q?x?=\nX-URL: http://i/\n\nbody\n";
    let texts: Vec<_> = parts(message).iter().map(|part| String::from_utf8_lossy(&part.text).into_owned()).collect();
    assert_eq!(texts, ["From: a\n", " http://h/x\n", "X-URL: http://i/\n", "body\n"]);
    assert_eq!(parts(message)[1].body, 8..message.len() - 23);
    assert!(parts(message).iter().all(|part| part.source.is_decoded() == part.header.is_some()));
}

#[test]
fn charsets_and_places() {
    const DECODED: bool = true;
    const SOURCE: bool = false;
    let (unknown, wrong) = (Some(Note::UnknownCharset), Some(Note::WrongCharset));
    let quoted = "\nContent-Transfer-Encoding: quoted-printable";
    for (kind, body, text, is_decoded, note) in [
        ("plain; charset=iso-8859-1", &b"\xE9 http://h/"[..], "\u{FFFD} http://h/", SOURCE, None),
        ("html; charset=iso-8859-1", b"\xE9\xE9 <a>", "éé <a>", SOURCE, None),
        ("html", b"<meta charset=koi8-r>\xCD", "<meta charset=koi8-r>м", SOURCE, None),
        ("html; charset=utf-8", "é".as_bytes(), "é", SOURCE, None),
        ("plain; charset=iso-2022-jp", b"\x1B$B%O\x1B(B http://h/", "ハ http://h/", SOURCE, None),
        ("plain; charset=shift_jis", b"\x83n http://h/", "ハ http://h/", SOURCE, None),
        ("plain; charset=utf-16", b"\xFF\xFEh\0i\0", "hi", DECODED, None),
        ("plain; charset=utf-7", b"http+ADo-//h/", "http://h/", SOURCE, None),
        ("plain; charset=klingon", b"\xE9 x", "\u{FFFD} x", SOURCE, unknown),
        ("plain; charset=klingon", b"x", "x", SOURCE, None),
        (&format!("plain; charset=iso-8859-1{quoted}"), b"=E9 x", "é x", DECODED, None),
        (&format!("plain; charset=utf-8{quoted}"), b"=E9 x", "\u{FFFD} x", DECODED, wrong),
        (
            "plain; charset=shift_jis; format=flowed; delsp=yes",
            b"\x83n http://h/ \nx\x83n \ny",
            "ハ http://h/xハy",
            SOURCE,
            None,
        ),
    ] {
        let message = [b"Content-Type: text/", kind.as_bytes(), b"\n\n", body].concat();
        let found = parts(&message);
        let part = found.last().unwrap();
        assert_eq!(String::from_utf8_lossy(&part.text), text, "{kind}");
        assert_eq!((part.source.is_decoded(), part.note), (is_decoded, note), "{kind}");
        places(&message);
        if let (SOURCE, Some(at)) = (is_decoded, memmem::find(&part.text, b"http://h/")) {
            assert_eq!(&message[part.source.range(at..at + 4)], b"http", "{kind}");
        }
    }
}

#[test]
fn nothing_malformed_is_lost() {
    let multipart = "Content-Type: multipart/mixed; boundary=b\n\n";
    // The multipart has no delimiter, no boundary parameter, or no closing delimiter.
    check(&format!("{multipart}text\n"), &["- Plain 7bit: text\n (multipart without its boundary)"]);
    check("Content-Type: multipart/mixed\n\ntext\n", &["1 Other 7bit: text\n (multipart without its boundary)"]);
    check(&format!("{multipart}--b\n\none\n--b\n\ntwo\n"), &["1 Plain 7bit: one", "2 Plain 7bit: two\n"]);
    check(&format!("{multipart}--b\n\none\n--b-\n--bb\n --b\n--b"), &["1 Plain 7bit: one\n--b-\n--bb\n --b"]);
    check(&format!("{multipart}--b  \nX: y\n--b--\t\nafter\n--b\n"), &["- Plain 7bit: after\n--b\n"]);
    // The inner multipart is not closed, or has the boundary of the outer one.
    check(
        &format!("{multipart}--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--\n"),
        &["1.1 Plain 7bit: one", "2 Plain 7bit: two"],
    );
    check(
        &format!("{multipart}--b\nContent-Type: multipart/mixed; boundary=c\n\ntext\n--b\n\ntwo\n--b--\n"),
        &["1 Plain 7bit: text (multipart without its boundary)", "2 Plain 7bit: two"],
    );
    check(
        &format!("{multipart}--b\n{multipart}--b\n\none\n--b--\nafter\n--b\n\ntwo\n--b--\n"),
        &["1.1 Plain 7bit: one", "1 Plain 7bit: after", "2 Plain 7bit: two"],
    );
    // These are malformed encodings.
    check("Content-Transfer-Encoding: x-uuencode\n\ntext\n", &["1 Plain unknown: text\n (unknown transfer encoding)"]);
    check("Content-Transfer-Encoding: quoted-printable\n\na=zz=\n b\n", &["1 Plain quoted-printable: a=zz b\n"]);
    check(
        "Content-Transfer-Encoding: base64\n\naGkg\ndGhlcmU=\n___\nlist: http://l/\n",
        &[
            "1 Plain 7bit: ___\nlist: http://l/\n (lines that are not base64)",
            "1 Plain base64: hi there (lines that are not base64)",
        ],
    );
    check(
        "Content-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgoA\nlist: http://l/\n",
        &[
            "1 Plain 7bit: list: http://l/\n (lines that are not base64)",
            "1 Other base64:  (picture, sound, film, font or signature, not searched)",
        ],
    );
    // These are malformed headers.
    check("Content-Type: text/html", &[]);
    check("", &[]);
    check("\n", &[]);
    check("no header at all", &[]);
    check("no header at all\n\nbody", &["1 Plain 7bit: body"]);
    check("Content-Type: text/html\nContent-Type: text/plain\n\nx", &["1 Html 7bit: x"]);
    places(b"Content-Type: text/plain\0; charset=\0\n\n\0\0text\0");
}

#[test]
fn a_message_encoded_as_a_whole() {
    let mut message = "Subject: x\nX: http://h/\n\nbody".to_string();
    for depth in 1..=MAX_ENCODED + 1 {
        message = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}",
            BASE64_STANDARD.encode(message.as_bytes())
        );
        let found = parts(message.as_bytes());
        let last = found.last().unwrap();
        assert_eq!((last.source.is_apart(), last.encoding), (false, Encoding::Base64));
        assert!(last.text.ends_with(b"body"));
        assert_eq!(last.note, (depth > MAX_ENCODED).then_some(Note::TooDeep));
        assert_eq!(last.number.as_deref(), Some(&"1.1.1.1.1"[..2 * depth.min(MAX_ENCODED) + 1]));
    }
}

/// Checks that line breaks and quote marks stay if the depth changes, so that the search can rejoin
/// torn URLs.
#[test]
fn a_torn_flowed_quotation() {
    let body = "> http://a.example/ \n> View.asp?Page=\\archi\n>> ve\\2002.html\n";
    check(
        &format!("Content-Type: text/plain; delsp=yes; format=flowed\n\n{body}"),
        &["1 Plain 7bit: > http://a.example/View.asp?Page=\\archi\n>> ve\\2002.html\n"],
    );
}

/// Checks that ten thousand levels need no deep stack and only linear time. The innermost text is
/// found.
#[test]
fn deep_messages() {
    let nested = |level: usize| format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
    let rfc822 = |_: usize| "Content-Type: message/rfc822\n\n".to_string();
    for message in [(0..10_000).map(nested).collect::<String>(), (0..10_000).map(rfc822).collect()] {
        let message = format!("{message}\nsee http://a.example/\n");
        let found = parts(message.as_bytes());
        let last = found.last().unwrap();
        assert_eq!(last.note, Some(Note::TooDeep));
        assert!(memmem::find(&last.text, b"http://a.example/").is_some());
        assert!(found.len() < 3 * MAX_DEPTH);
    }
}

/// Checks that multiparts whose boundary never occurs are not each searched to the end. A megabyte
/// takes 0.04 s, and once took 6 s.
#[test]
fn missing_boundaries_cost_linear_time() {
    let inner = "--b\nContent-Type: multipart/mixed; boundary=c\n\ntext\n".repeat(20_000);
    let message = format!("Content-Type: multipart/mixed; boundary=b\n\n{inner}--b--\n");
    is_quick(|| assert_eq!(parts(message.as_bytes()).len(), 40_001));
}

const LINES: &[&str] = &[
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: multipart/digest; boundary=\"c\"",
    "Content-Type: message/rfc822",
    "Content-Type: text/plain; format=flowed; delsp=yes",
    "Content-Type: text/plain; charset=utf-7",
    "Content-Type: text/html; charset=iso-8859-1",
    "Content-Type: text/plain; charset=iso-2022-jp",
    "Content-Transfer-Encoding: quoted-printable",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: 8bit",
    "Subject: =?utf-8?q?a?= =?utf-8?b?Yg==?=",
    "",
    "",
    "",
    "--b",
    "--b",
    "--c",
    "--b--",
    "--c--",
    "> a ",
    "> b",
    ">> c",
    "-- ",
    "text =3D +AGg- =",
    "aGVsbG8gdGhlcmU=",
    "\tfolded",
];

/// Checks that each line of a message of random lines is returned, raw or decoded, except for
/// delimiters.
#[test]
fn random_messages_lose_nothing() {
    let mut rng = fastrand::Rng::with_seed(2046);
    let mut given = 0;
    for _ in 0..30_000 {
        let line_break = if rng.bool() { "\n" } else { "\r\n" };
        let mut message = Vec::new();
        for _ in 0..rng.usize(1..25) {
            let mut line = rng.choice(LINES).unwrap().as_bytes().to_vec();
            if rng.u8(..) < 20 && !line.is_empty() {
                let at = rng.usize(..line.len());
                line[at] = rng.u8(b' '..0x7F);
            }
            message.extend_from_slice(&line);
            message.extend_from_slice(line_break.as_bytes());
        }
        places(&message);
        let mut is_given = vec![false; message.len()];
        for part in parts(&message) {
            is_given[part.body.clone()].fill(true);
            given += 1;
            if part.source.is_decoded() {
                assert!(part.encoding.is_decoded() || part.encoding == Encoding::EncodedWord, "{part:?}");
            }
        }
        let mut at = 0;
        for line in message.split_inclusive(|&byte| byte == b'\n') {
            let is_all_given = (at..at + line.len()).all(|at| is_given[at] || message[at].is_ascii_whitespace());
            // Base64 lines of a non-text part are not returned.
            let is_base64 = line.trim_ascii().iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'=');
            assert!(is_all_given || is_base64 || line.starts_with(b"--"), "{:?}", String::from_utf8_lossy(&message));
            at += line.len();
        }
    }
    assert!(given > 50_000, "{given}");
}

#[test]
fn random_bytes_do_no_harm() {
    let mut rng = fastrand::Rng::with_seed(5322);
    let lines: Vec<String> = LINES.iter().map(|line| format!("{line}\n")).collect();
    for _ in 0..30_000 {
        let mut message = shuffled(&mut rng, &lines, 20);
        for _ in 0..rng.usize(0..8) {
            let at = rng.usize(..=message.len());
            match rng.u8(..3) {
                0 => message.truncate(at),
                1 => message.insert(at, rng.u8(..)),
                _ => drop(message.drain(at / 2..at)),
            }
        }
        places(&message);
        envelope(&message);
        if let Some(body) = plain_body(&message, Backend::detect()) {
            // The full parser changes nothing in a message that the quick scan considers plain.
            for part in parts(&message) {
                assert!(matches!(part.text, Cow::Borrowed(_)), "{part:?}");
                assert!(part.body.start >= body || part.form == Form::Header, "{part:?}");
            }
        }
    }
}

#[test]
fn fields_have_comments() {
    let body = BASE64_STANDARD.encode("http://a.example/");
    for value in ["base64 (see (RFC 2045\\))", "(a) base64", "base64", "BASE64 ((x) y)"] {
        let message = format!("Content-Transfer-Encoding: {value}\n\n{body}\n");
        assert_eq!(shown(&message), ["1 Plain base64: http://a.example/"], "{value}");
    }
    check("Content-Type: text/html (a page); charset=utf-8\n\n<p>x\n", &["1 Html 7bit: <p>x\n"]);
}

#[test]
fn calendars_and_cards_are_unfolded() {
    let lines = "URL:http://a.exam\n ple/b\nX:y\n";
    let whole = "URL:http://a.example/b\nX:y\n";
    for kind in ["text/calendar", "text/vcard; charset=utf-8", "text/x-vcard"] {
        check(&format!("Content-Type: {kind}\n\n{lines}"), &[&format!("1 Other 7bit: {whole}")]);
    }
    check(&format!("Content-Type: text/x-other\n\n{lines}"), &[&format!("1 Other 7bit: {lines}")]);
}

#[test]
fn fields_that_are_bases() {
    let base = |message: &str| {
        let bases = parts(message.as_bytes()).into_iter().map(|part| part.bases).filter(|bases| !bases.is_empty());
        bases.map(|bases| String::from_utf8_lossy(&bases.join(&b' ')).into_owned()).collect::<Vec<_>>()
    };
    let html = "Content-Type: text/html\n";
    assert_eq!(base(&format!("{html}Content-Base: \"http://a.example/\"\n\nx")), ["http://a.example/"]);
    assert_eq!(base(&format!("{html}Content-Location: http://a.exam\n ple/b\n\nx")), ["http://a.example/b"]);
    let both = format!("{html}Content-Location: b\nContent-Base: http://a.example/\n\nx");
    assert_eq!(base(&both), ["http://a.example/"]);
    assert_eq!(base(&format!("{html}Content-Location: b\n\nx")), ["b"]);
    let around = format!(
        "Content-Type: multipart/related; boundary=cut\nContent-Location: http://a.example/b/\n\n\
         --cut\n{html}Content-Location: c\n\nx\n--cut\n{html}\nx\n--cut--\n"
    );
    assert_eq!(base(&around), ["http://a.example/b/ c", "http://a.example/b/"]);
    for relative in ["30:x/y.html", "http:", "c:x"] {
        let own = around.replace("Content-Location: c\n", &format!("Content-Location: {relative}\n"));
        assert_eq!(base(&own), [&format!("http://a.example/b/ {relative}"), "http://a.example/b/"]);
    }
}

#[test]
fn files_within_texts() {
    let file = "begin 644 a.txt\n1:'1T<#HO+V$N97AA;7!L92\\\n`\nend\n";
    let whole = "1 Other uuencode: http://a.example/";
    check(&format!("\nhere\n\n{file}"), &["1 Plain 7bit: here\n\nbegin 644 a.txt\nend\n", whole]);
    let page = file.replace("a.txt", "a.html");
    let found = shown(&format!("Subject: x\n\n{page}"));
    assert_eq!(found, ["1 Plain 7bit: begin 644 a.html\nend\n", "1 Html uuencode: http://a.example/"]);
    check(&format!("Content-Transfer-Encoding: x-uuencode\n\n{file}"), &["1 Plain uuencode: http://a.example/"]);
    let binary = "begin 644 a.bin\n#`0(#\n`\nend\n";
    let note = "1 Other uuencode:  (embedded file that is not text)";
    check(&format!("\n{binary}{binary}"), &["1 Plain 7bit: begin 644 a.bin\nend\nbegin 644 a.bin\nend\n", note, note]);
}

#[test]
fn what_was_signed_is_read() {
    let text = b"Content-Type: text/html\r\n\r\n<a href=http://a.example/>\r\n";
    for is_ber in [false, true] {
        let body = BASE64_STANDARD.encode(crate::archive::cms::tests::signed(text, is_ber));
        let message = format!(
            "Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n\n{body}\n"
        );
        assert_eq!(shown(&message), ["1.1 Html base64: <a href=http://a.example/>\r\n"]);
    }
    let sealed = "Content-Type: application/x-pkcs7-mime\nContent-Transfer-Encoding: base64\n\nAAAA\n";
    check(sealed, &["1 Other base64:  (encrypted S/MIME, not read; `openssl cms -decrypt` decrypts it)"]);
}
