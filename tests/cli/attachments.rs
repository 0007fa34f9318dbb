//! Attachments of mail: each kind is read, or is noted and counted as not read.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::forms::zip;
use super::support::{Dir, Ran};

const PACKED: &str = "packed attachment, searched as bytes; --search-zip unpacks all but deep nesting";
const BYTES: &str = "attachment that is not text, searched as bytes";
const TNEF: &str = "TNEF (winmail.dat), searched as bytes; `tnef` unpacks it";
const PGP: &str = "encrypted OpenPGP message, not read; `gpg --decrypt` decrypts it";
const SMIME: &str = "encrypted S/MIME, not read; `openssl cms -decrypt` decrypts it";
const PAGES: &str = "PDF: links are read; `pdftotext -raw FILE -` prints the text of its pages";
const MEDIA: &str = "picture, sound, film, font or signature, not searched";
pub(crate) const OCTETS: &str = "application/octet-stream; name=a";

const PDF: &[u8] = b"%PDF-1.4\n1 0 obj\n<< /A << /S /URI /URI (https://pdf.example/a\\(b\\)) >> >>\nendobj\n";
const LETTER: &str =
    "From: x@a.example\nTo: y@a.example\nContent-Transfer-Encoding: quoted-printable\n\nhttps://m.example/a=\nbc\n";

/// Returns a letter with an attachment of this type.
pub(crate) fn with(kind: &str, attached: &[u8]) -> Vec<u8> {
    let lines: Vec<String> = attached.chunks(57).map(|line| STANDARD.encode(line)).collect();
    let start = "From: a@a.example\nTo: b@a.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain\n\nhello\n";
    let fields = format!("--b\nContent-Type: {kind}\nContent-Transfer-Encoding: base64\n\n");
    format!("{start}{fields}{}\n--b--\n", lines.join("\n")).into_bytes()
}

/// Returns the lines of a file in uuencode.
pub(crate) fn uuencoded(file: &[u8]) -> String {
    let digit = |bits: u8| char::from(if bits == 0 { b'`' } else { bits + b' ' });
    let line = |line: &[u8]| {
        let groups = line.chunks(3).flat_map(|group| {
            let [a, b, c] = [0, 1, 2].map(|at| group.get(at).copied().unwrap_or(0));
            [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63]
        });
        let digits: String = [line.len() as u8].into_iter().chain(groups).map(digit).collect();
        digits + "\n"
    };
    file.chunks(45).map(line).collect()
}

/// Asserts the URLs that are found, the notes on standard error, and the counts.
#[track_caller]
fn check(dir: &Dir, args: &[&str], urls: &str, noted: &str, counted: &str) {
    let ran: Ran = dir.run(&[args, &["-I", "a.eml"]].concat());
    let note = if noted.is_empty() { String::new() } else { format!("urlgrep: 1 part of a message: {noted}\n") };
    assert_eq!((ran.text(), ran.err.as_str()), (urls, note.as_str()), "{args:?}");
    let stats = dir.run(&[args, &["--stats", "a.eml"]].concat()).err;
    match counted {
        "" => assert!(stats.contains("undecoded-parts: 0\n"), "{stats}"),
        _ => assert!(stats.contains(&format!("undecoded-parts: 1\nundecoded-parts, {counted}: 1\n")), "{stats}"),
    }
}

#[test]
fn what_holds_files_is_read_if_it_is_to_be_unpacked() {
    let dir = Dir::new();
    let document = "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/w\"><w:p><w:r><w:t>\
        See https://d.exam</w:t></w:r><w:r><w:t>ple/a</w:t></w:r></w:p></w:document>";
    let calendar = "BEGIN:VCALENDAR\r\nURL:https://i.example/ab\r\n c\r\nEND:VCALENDAR\r\n";
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(b"see https://g.example/a").unwrap();
    let office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document; name=a.docx";
    for (kind, attached, urls) in [
        (office, zip(&[("word/document.xml".into(), document.into())], false), "https://d.example/a\n"),
        ("application/zip", zip(&[("a.ics".into(), calendar.into())], false), "https://i.example/abc\n"),
        (OCTETS, zip(&[("a.eml".into(), LETTER.into()), ("b".into(), PDF.into())], false), "https://m.example/abc\n"),
        ("application/gzip; name=a.txt.gz", gz.finish().unwrap(), "https://g.example/a\n"),
    ] {
        dir.file("a.eml", with(kind, &attached));
        check(&dir, &[], "", PACKED, PACKED);
        match kind == OCTETS {
            true => check(&dir, &["-z"], &format!("{urls}https://pdf.example/a(b)\n"), PAGES, PAGES),
            false => check(&dir, &["-z"], urls, "", ""),
        }
    }
}

#[test]
fn a_file_is_what_its_content_says() {
    let dir = Dir::new();
    let mailbox = format!("From x@a.example Mon Jan  1 12:34:56 2001\n{LETTER}\n").repeat(2);
    for (attached, urls) in [
        (LETTER, "https://m.example/abc\n"),
        (mailbox.as_str(), "https://m.example/abc\nhttps://m.example/abc\n"),
        ("<!DOCTYPE html><html><a href='https://h.example/?a&amp;b'>x</a></html>", "https://h.example/?a&b\n"),
        (
            "<svg xmlns='http://www.w3.org/2000/svg'><a href='https://s.example/?a&amp;b'/></svg>",
            "https://s.example/?a&b\n",
        ),
        ("BEGIN:VCALENDAR\r\nURL:https://c.example/ab\r\n c\\,d\r\nEND:VCALENDAR\r\n", "https://c.example/abc,d\n"),
    ] {
        dir.file("a.eml", with(OCTETS, attached.as_bytes()));
        check(&dir, &[], urls, "", "");
    }
    // In UTF-16, too.
    let wide =
        |text: &str| [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    for (attached, urls) in [
        (LETTER, "https://m.example/abc\n"),
        ("<svg><a href='https://s.example/?a&amp;b'/></svg>", "https://s.example/?a&b\n"),
        ("BEGIN:VCALENDAR\r\nURL:https://c.example/ab\r\n c\r\nEND:VCALENDAR\r\n", "https://c.example/abc\n"),
    ] {
        dir.file("a.eml", with(OCTETS, &wide(attached)));
        check(&dir, &[], urls, "", "");
    }
    for kind in [OCTETS, "application/pdf"] {
        dir.file("a.eml", with(kind, PDF));
        check(&dir, &[], "https://pdf.example/a(b)\n", PAGES, PAGES);
    }
}

#[test]
fn a_mailbox_that_lies_in_a_message_keeps_its_places() {
    let dir = Dir::new();
    let letter = "From: x@a.example\nTo: y@a.example\n\nhttps://m.example/\n";
    let mailbox = format!("From x@a.example Mon Jan  1 12:34:56 2001\n{letter}\n").repeat(2);
    let mail = format!("From: a@a.example\nTo: b@a.example\nContent-Type: application/mbox\n\n{mailbox}");
    dir.file("a.eml", &mail);
    let found = dir.run(&["--json", "a.eml"]);
    let offsets: Vec<_> = mail.match_indices("https://m").map(|(at, _)| at as u64).collect();
    let at = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["offset"].as_u64().unwrap();
    assert_eq!(found.text().lines().map(at).collect::<Vec<_>>(), offsets);
}

#[test]
fn what_is_not_taken_apart_is_noted_and_media_are_counted() {
    let dir = Dir::new();
    for start in [
        &b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..],
        b"!BDN\0\0\0\0SM",
        b"Rar!\x1A\x07\0",
        b"#!/usr/bin/python3\nPK\x03\x04",
    ] {
        dir.file("a.eml", with(OCTETS, &[start, &[0; 99], b"https://b.example/\0\0"].concat()));
        for args in [&[][..], &["-z"]] {
            check(&dir, args, "https://b.example/\n", BYTES, BYTES);
        }
    }
    dir.file("a.eml", with("application/ms-tnef; name=winmail.dat", b"\x78\x9F\x3E\x22\x01\0https://b.example/\0"));
    check(&dir, &[], "https://b.example/\n", TNEF, TNEF);
    for kind in ["image/png", "audio/mpeg", "video/mp4", "font/woff2"] {
        dir.file("a.eml", with(kind, b"\x89PNG\r\n\x1A\n\0\0\0https://n.example/\0"));
        check(&dir, &[], "", "", MEDIA);
    }
}

#[test]
fn what_is_encrypted_is_noted() {
    let dir = Dir::new();
    let message = "-----BEGIN PGP MESSAGE-----\n\nhQEMA//+abc\n=ab12\n-----END PGP MESSAGE-----\n";
    let header = "From: a@a.example\nTo: b@a.example\nMIME-Version: 1.0\nContent-Type: ";
    let inline = format!("{header}text/plain\n\nhttps://a.example/\n\n{message}");
    let footer = format!("{header}text/plain\n\n{message}-- \nhttps://a.example/\n");
    let quoted = footer.replace("text/plain", "text/plain\nContent-Transfer-Encoding: quoted-printable");
    let parts = format!(
        "{header}multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b\n\n\
         --b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n\n\
         --b\nContent-Type: application/octet-stream; name=encrypted.asc\n\n{message}\n--b--\n"
    );
    let long = format!("{footer}{}", "more of it\n".repeat(1 << 20));
    for (mail, urls) in [
        (inline.as_bytes(), "https://a.example/\n"),
        (footer.as_bytes(), "https://a.example/\n"),
        (quoted.as_bytes(), "https://a.example/\n"),
        (parts.as_bytes(), ""),
        (&with("text/plain", message.as_bytes()), ""),
        (long.as_bytes(), "https://a.example/\n"),
    ] {
        dir.file("a.eml", mail);
        check(&dir, &[], urls, PGP, PGP);
    }
    // A reply that quotes the mark alone is whole.
    dir.file("a.eml", format!("{header}text/plain\n\n> -----BEGIN PGP MESSAGE-----\nhttps://a.example/\n"));
    check(&dir, &[], "https://a.example/\n", "", "");
    let enveloped = b"\x30\x80\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x03\xA0\x80";
    dir.file("a.eml", with("application/pkcs7-mime; smime-type=enveloped-data", enveloped));
    check(&dir, &[], "", SMIME, SMIME);
}

#[test]
fn a_clear_signed_text_is_read_without_its_escapes() {
    let dir = Dir::new();
    let folder = "https://a.example/archives/of/the/harbour/office/and/its/neighbours/";
    let text = format!(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nSee {folder}\n- -tables-2026.html now\n\n\
         - - https://b.example/\n\n-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB//http+ab\n=ab12\n\
         -----END PGP SIGNATURE-----\n"
    );
    let header = "From: a@a.example\nTo: b@a.example\nMIME-Version: 1.0\nContent-Type: text/plain";
    for mail in [
        format!("{header}\n\n{text}").into_bytes(),
        format!("{header}\nContent-Transfer-Encoding: quoted-printable\n\n{}", text.replace('=', "=3D")).into_bytes(),
        with("text/plain", text.as_bytes()),
    ] {
        dir.file("a.eml", &mail);
        check(&dir, &[], &format!("{folder}-tables-2026.html\nhttps://b.example/\n"), "", "");
    }
    let at = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["offset"].as_u64().unwrap();
    let mail = format!("{header}\n\n{text}");
    dir.file("a.eml", &mail);
    let found = dir.run(&["--json", "a.eml"]);
    let offsets: Vec<_> = mail.match_indices("https://").map(|(at, _)| at as u64).collect();
    assert_eq!(found.text().lines().map(at).collect::<Vec<_>>(), offsets);
}

#[test]
fn quoted_printable_that_a_reply_quotes_is_decoded() {
    let dir = Dir::new();
    let text = "He wrote:\n> See https://a.example/tide-=\n> tables?view=3Dall&=\n>  more https://b.example/caf=C3=A9\n\
        >\n> https://c.example/\n\nSee https://d.example/?a=3D1\n";
    let urls = "https://a.example/tide-tables?view=all&\nhttps://b.example/caf\u{e9}\nhttps://c.example/\n\
        https://d.example/?a=3D1\n";
    let header = "From: a@a.example\nTo: b@a.example\n\n";
    let draft = "From: a@a.example\nTo: b@a.example\ncc:\nSubject: Re: tide\n--------\n";
    for mail in [
        format!("{header}{text}"),
        format!("{header}{text}").replace('\n', "\r\n"),
        format!("{header}{}", text.replace("\n>", "\n> >")),
        format!("{draft}{text}"),
    ] {
        dir.file("a.eml", &mail);
        check(&dir, &[], urls, "", "");
        let at = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["offset"].as_u64().unwrap();
        let found = dir.run(&["--json", "a.eml"]);
        let offsets: Vec<_> = mail.match_indices("https://").map(|(at, _)| at as u64).collect();
        assert_eq!(found.text().lines().map(at).collect::<Vec<_>>(), offsets);
    }
}

#[test]
fn a_file_in_a_text_is_read_as_an_attachment_is() {
    let dir = Dir::new();
    let letter = |name: &str, file: &[u8]| {
        let lines = uuencoded(file);
        format!("From: a@a.example\nTo: b@a.example\n\nhttps://t.example/\n\nbegin 644 {name}\n{lines}`\nend\n")
    };
    let (text, pdf) = ("https://t.example/\n", "https://t.example/\nhttps://pdf.example/a(b)\n");
    dir.file("a.eml", letter("a.pdf", &[PDF, b"\0"].concat()));
    check(&dir, &[], pdf, PAGES, PAGES);
    let packed = zip(&[("a".into(), b"https://z.example/".to_vec())], false);
    dir.file("a.eml", letter("a.zip", &packed));
    check(&dir, &[], text, PACKED, PACKED);
    check(&dir, &["-z"], "https://t.example/\nhttps://z.example/\n", "", "");
    dir.file("a.eml", letter("a.gif", b"GIF89a\0\0https://n.example/"));
    check(&dir, &[], text, "", "embedded file that is not text");
}

#[test]
fn an_encrypted_pdf_is_noted() {
    let dir = Dir::new();
    dir.file("a.pdf", [PDF, b"trailer << /Encrypt 5 0 R >>\n"].concat());
    dir.file("b.pdf", PDF);
    for (name, is_encrypted) in [("a.pdf", true), ("b.pdf", false)] {
        assert_eq!(dir.run(&[name]).err.contains("`qpdf --decrypt FILE OUT`"), is_encrypted, "{name}");
    }
}

#[test]
fn a_long_pdf_is_noted() {
    let dir = Dir::new();
    dir.file("a.pdf", [PDF, &b"x\n".repeat(6 << 20)].concat());
    let ran = dir.run(&["a.pdf"]);
    assert!(ran.err.contains("a.pdf: PDF that is damaged or too long"), "{}", ran.err);
}

#[test]
fn an_audit_says_what_was_not_read() {
    let dir = Dir::new();
    let packed = zip(&[("a".into(), b"https://z.example/".to_vec())], false);
    dir.file("a.eml", with("application/zip", &packed)).file("a.zip", packed).file("b", "https://b.example/");
    let gaps = "Not read, or only in part: 1 undecoded part, 1 unread file.";
    let ran = dir.run(&["audit", "a.eml", "a.zip"]);
    assert!(ran.text().starts_with(&format!("No URL was found.\n{gaps}\n")), "{}", ran.text());
    for args in [&[][..], &["--db", "a.db"], &["--db", "a.db"]] {
        let ran = dir.run(&[&["audit"], args, &["a.eml", "a.zip", "b"]].concat());
        assert!(
            ran.text().starts_with(&format!("None of the checked rules fires on 1 URL.\n{gaps}\nThe links may still")),
            "{}",
            ran.text()
        );
    }
    let page = dir.run(&["audit", "--format", "html", "a.eml", "a.zip", "b"]);
    assert_eq!(page.text().matches(gaps).count(), 2);
    let ran = dir.run(&["audit", "b", "nowhere"]);
    assert!(ran.text().contains("\nNot read, or only in part: 1 error.\n"), "{}", ran.text());
    assert!(!dir.run(&["audit", "-z", "a.eml", "a.zip", "b"]).text().contains("Not read"));
}
