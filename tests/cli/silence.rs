//! Small inputs of the kinds that real programs write. Each one is read whole, or has a note.
//!
//! Every kind of file that mailers, offices, browsers and archivers write has a row here. A reader
//! that loses a URL, or cuts one, must say so.

use super::attachments::{uuencoded, with};
use super::carriers::{packed, tar, to_base64, to_quoted_printable};
use super::forms::zip;
use super::support::Dir;

/// URLs that readers of the kinds cut or lose most often.
const URLS: [&str; 5] = [
    "https://tide.example.org/tables?harbour=3&year=2026&copy=1#high-water",
    "https://mill.example.org/wheel_(oak)/plan;v=2",
    "https://fr.example.org/caf%C3%A9/100%25",
    "https://people.example.org/o'hara/a,b.html",
    "http://slash.example.org/dir/",
];

const LETTER: &str = "From: ines@mill.example.org\nTo: jon@mill.example.org\nMIME-Version: 1.0\n";
const SIGNED: &str = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n";
const SIGNATURE: &str = "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n=ab12\n-----END PGP SIGNATURE-----\n";

/// An input: its name, and its bytes.
type Input = (&'static str, Vec<u8>);

/// Returns each URL in a line or an element of its own. `form` writes one, from its text and from
/// its text in markup.
fn each(form: impl Fn(&str, &str) -> String) -> String {
    URLS.map(|url| form(url, &url.replace('&', "&amp;").replace('\'', "&apos;"))).concat()
}

fn prose() -> String {
    each(|url, _| format!("See {url} for more.\n\n"))
}

fn page() -> String {
    let links = each(|_, url| format!("<p><a href=\"{url}\">the table</a></p>\n"));
    format!("<!DOCTYPE html>\n<title>Tides</title>\n{links}").replace("&apos;", "&#39;")
}

fn xml(root: &str, form: impl Fn(&str) -> String) -> Vec<u8> {
    let name = root.split(' ').next().unwrap();
    format!("<?xml version=\"1.0\"?>\n<{root}>\n{}</{name}>\n", each(|_, url| form(url))).into_bytes()
}

/// Returns a letter with this Content-Type, more fields, and body.
fn letter(kind: &str, body: &str) -> Vec<u8> {
    format!("{LETTER}Content-Type: {kind}\n\n{body}").into_bytes()
}

/// Returns a zip of these files.
fn files<const N: usize>(files: [(&str, Vec<u8>); N]) -> Vec<u8> {
    zip(&files.map(|(name, bytes)| (name.to_owned(), bytes)), false)
}

/// Returns a multipart with these parts, each with its fields.
fn multipart(kind: &str, parts: &[&str]) -> Vec<u8> {
    let parts: String = parts.iter().map(|part| format!("--mill\n{part}\n")).collect();
    letter(&format!("multipart/{kind}; boundary=mill"), &format!("{parts}--mill--\n"))
}

/// Returns an element of DER.
fn der(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[tag, 0x82], &length[..], content].concat()
}

/// Returns a CMS message of this type, 1.2.840.113549.1.7.`kind`, with its content.
fn cms(kind: u8, content: &[u8]) -> Vec<u8> {
    let id = |kind| der(6, &[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, kind]);
    let data = der(0x30, &[id(1), der(0xA0, &der(4, content))].concat());
    let signed = der(0x30, &[der(2, &[1]), der(0x31, &[]), data].concat());
    der(0x30, &[id(kind), der(0xA0, &signed)].concat())
}

fn mail() -> Vec<Input> {
    let (prose, page) = (prose(), page());
    let armored = format!("-----BEGIN PGP MESSAGE-----\n\n{}=ab12\n-----END PGP MESSAGE-----\n", to_base64(&[7; 300]));
    let text = format!("Content-Type: text/plain\n\n{prose}");
    let encoded = |encoding: &str, body: &str| {
        letter(&format!("text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}"), body)
    };
    let sealed = |kind: u8| with("application/pkcs7-mime; name=smime.p7m", &cms(kind, text.as_bytes()));
    vec![
        ("plain", letter("text/plain", &prose)),
        ("quoted-printable", encoded("quoted-printable", &to_quoted_printable(prose.as_bytes()))),
        ("base64", encoded("base64", &to_base64(prose.as_bytes()))),
        ("reply", {
            let quoted = to_quoted_printable(prose.as_bytes()).replace('\n', "\n> ");
            letter("text/plain", &format!("He wrote:\n> {quoted}\n"))
        }),
        ("unknown encoding", encoded("x-pigeon", &prose)),
        ("html", letter("text/html", &page)),
        ("alternative", multipart("alternative", &[&text, &format!("Content-Type: text/html\n\n{page}")])),
        ("message", multipart("mixed", &[&format!("Content-Type: message/rfc822\n\n{LETTER}{text}")])),
        ("mhtml", multipart("related", &[&format!("Content-Type: text/html\nContent-Location: https://m/\n\n{page}")])),
        ("multipart/signed", multipart("signed", &[&text, "Content-Type: application/pkcs7-signature\n\nMIIB"])),
        ("clear-signed", letter("text/plain", &format!("{SIGNED}{prose}{SIGNATURE}"))),
        ("opaque S/MIME", sealed(2)),
        ("enveloped S/MIME", sealed(3)),
        ("inline PGP", letter("text/plain", &format!("Secret:\n\n{armored}"))),
        ("PGP/MIME", {
            let octets = format!("Content-Type: application/octet-stream\n\n{armored}");
            multipart("encrypted", &["Content-Type: application/pgp-encrypted\n\nVersion: 1\n", &octets])
        }),
        ("TNEF part", with("application/ms-tnef; name=winmail.dat", b"\x78\x9F\x3E\x22\x01\0\x01\x06\x90")),
        ("message part", with("application/vnd.ms-outlook; name=a.msg", b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0")),
        ("piece", letter("message/partial; number=1; total=2; id=a", &format!("{LETTER}\n{prose}"))),
        ("mailbox", [b"From ines Sat Nov 28 12:00:00 2026\n", &letter("text/plain", &prose)[..]].concat()),
        ("uuencode", letter("text/plain", &format!("begin 644 a.txt\n{}`\nend\n", uuencoded(prose.as_bytes())))),
        ("begin-base64", format!("begin-base64 644 a.txt\n{}====\n", to_base64(prose.as_bytes())).into_bytes()),
    ]
}

fn documents() -> Vec<Input> {
    let relations = |form: fn(&str) -> String| xml("Relationships xmlns=\"x\"", form);
    let target = |url: &str| format!("<Relationship Id=\"r\" Target=\"{url}\" TargetMode=\"External\"/>\n");
    let word = "w:document xmlns:w=\"w\" xmlns:r=\"r\"";
    let instruction = |url: &str| format!("<w:p><w:fldSimple w:instr='HYPERLINK \"{url}\"'/></w:p>\n");
    let odt = |url: &str| format!("<text:p><text:a xlink:href=\"{url}\">x</text:a></text:p>\n");
    let content = || xml("office:document xmlns:office=\"o\" xmlns:text=\"t\" xmlns:xlink=\"l\"", odt);
    let chapter = |url: &str| format!("<p><title/><a href=\"{url}\">x</a></p>\n");
    let link = |url: &str| format!("<< /A << /S /URI /URI ({}) >> >>\n", url.replace('(', "\\(").replace(')', "\\)"));
    let pdf = |more: &str| format!("%PDF-1.4\n1 0 obj\n{}endobj\n{more}", each(|url, _| link(url))).into_bytes();
    let field = |url: &str| match url.split_once('#') {
        Some((url, fragment)) => format!("{{\\field{{\\*\\fldinst HYPERLINK \"{url}\" \\\\l \"{fragment}\"}}}}\\par\n"),
        None => format!("{{\\field{{\\*\\fldinst HYPERLINK \"{url}\"}}}}\\par\n"),
    };
    vec![
        ("docx", files([("word/document.xml", xml(word, instruction)), ("word/_rels/x.xml.rels", relations(target))])),
        ("xlsx", files([("xl/worksheets/_rels/sheet1.xml.rels", relations(target))])),
        ("xlsb", files([("xl/sharedStrings.bin", [&b"\x9F\x01\x08\x05\0\0\0\x05\0\0\0"[..], &wide()].concat())])),
        ("xls", [&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..], &[0; 512]].concat()),
        ("odt", files([("content.xml", content())])),
        ("fodt", content()),
        ("epub", files([("OEBPS/a.xhtml", xml("html xmlns=\"http://www.w3.org/1999/xhtml\"", chapter))])),
        ("pdf", pdf("")),
        ("encrypted pdf", pdf("trailer << /Encrypt 5 0 R >>\n")),
        ("PostScript", b"%!PS-Adobe-3.0\n(https://tide.exa) show (mple.org/) show\n".to_vec()),
        ("rtf", format!("{{\\rtf1\\ansi\n{}}}", each(|url, _| field(url))).into_bytes()),
        ("OneNote", b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3\0".to_vec()),
        ("calendar", format!("BEGIN:VCALENDAR\r\n{}END:VCALENDAR\r\n", each(|url, _| folded(url))).into_bytes()),
        ("card", format!("BEGIN:VCARD\r\n{}END:VCARD\r\n", each(|url, _| folded(url))).into_bytes()),
    ]
}

/// Returns the URLs as the shared strings of a binary workbook: a record for each, with its length.
fn wide() -> Vec<u8> {
    let record = |url: &str| {
        let letters: Vec<u8> = url.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let [low, high] = [((letters.len() + 5) & 0x7F) as u8 | 0x80, ((letters.len() + 5) >> 7) as u8];
        [&[0x13, low, high, 0][..], &(url.len() as u32).to_le_bytes(), &letters].concat()
    };
    URLS.iter().flat_map(|url| record(url)).collect()
}

/// Returns the URLs as strings of a binary property list, each with its length.
fn property_list() -> Vec<u8> {
    let string = |url: &str| [b"\x5F\x10", &[url.len() as u8][..], url.as_bytes()].concat();
    [&b"bplist00\xD2\x01\x02\x03\x04"[..], &URLS.iter().flat_map(|url| string(url)).collect::<Vec<_>>()].concat()
}

/// Returns the URL as a folded line of a calendar.
fn folded(url: &str) -> String {
    format!("URL:{}\r\n {}\r\n", &url[..30.min(url.len() - 1)], &url[30.min(url.len() - 1)..]).replace(',', "\\,")
}

fn web() -> Vec<Input> {
    let string = |url: &str| serde_json::to_string(url).unwrap();
    let list = |form: fn(&str, &str) -> String| format!("[{}]", each(form).trim_end_matches(',')).into_bytes();
    let page_string = serde_json::to_string(&page().replace("&#39;", "'")).unwrap();
    let record = |coding: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{coding}\r\n{}", page());
        let (version, kind, length) = ("WARC/1.0\r\nWARC-Type: response", "application/http", http.len());
        format!("{version}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{http}\r\n\r\n").into_bytes()
    };
    vec![
        ("page", page().into_bytes()),
        ("bookmarks", {
            let rows = each(|_, url| format!("<DT><A HREF=\"{url}\">x</A>\n"));
            format!("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{rows}</DL>\n")
                .replace("&apos;", "&#39;")
                .into_bytes()
        }),
        ("bookmarks of Chrome", {
            let rows = each(|url, _| format!("{{\"type\": \"url\", \"url\": {}}},\n", string(url)));
            format!("{{\"roots\": [{}]}}\n", rows.trim_end_matches(",\n")).into_bytes()
        }),
        ("har", {
            let entries = list(|url, _| format!("{{\"request\": {{\"url\": \"{url}\"}}}},"));
            let content = format!("{{\"response\": {{\"content\": {{\"text\": {page_string}}}}}}}");
            format!("{{\"log\": {{\"entries\": {}, \"x\": {content}}}}}", String::from_utf8(entries).unwrap())
                .into_bytes()
        }),
        ("opml", xml("opml version=\"2.0\"", |url| format!("<outline xmlUrl=\"{url}\"/>\n"))),
        ("feed", xml("rss version=\"2.0\"", |url| format!("<item><link>{url}</link></item>\n"))),
        ("sitemap", xml("urlset", |url| format!("<url><loc>{url}</loc></url>\n"))),
        ("webloc", xml("plist version=\"1.0\"", |url| format!("<dict><key>URL</key><string>{url}</string></dict>\n"))),
        ("shortcut", format!("[InternetShortcut]\r\n{}", each(|url, _| format!("URL={url}\r\n"))).into_bytes()),
        ("desktop", format!("[Desktop Entry]\nType=Link\n{}", each(|url, _| format!("URL={url}\n"))).into_bytes()),
        ("warc", record("")),
        ("warc of an unknown coding", record("Content-Encoding: x-pigeon\r\n")),
        ("mozLz4", [&b"mozLz40\0\x40\0\0\0"[..], &[0xF0; 40]].concat()),
    ]
}

fn data() -> Vec<Input> {
    let named = |name, bytes: &[u8]| files([(name, bytes.to_vec())]);
    let mut encrypted = named("a.txt", prose().as_bytes());
    encrypted[6] |= 1;
    let central = memchr::memmem::rfind(&encrypted, b"PK\x01\x02").unwrap();
    encrypted[central + 8] |= 1;
    vec![
        ("text", prose().into_bytes()),
        ("property list", property_list()),
        ("utf-16", prose().encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("zip", named("a.txt", prose().as_bytes())),
        ("encrypted zip", encrypted),
        ("tar", tar(&[("a.txt".into(), prose().into_bytes())])),
        ("gzip", packed("gzip", prose().as_bytes())),
        ("7z", b"7z\xBC\xAF\x27\x1C\0\x04".to_vec()),
        ("rar", b"Rar!\x1A\x07\x01\0".to_vec()),
        ("cabinet", b"MSCF\0\0\0\0".to_vec()),
        ("journal", b"LPKSHHRH\0\0".to_vec()),
        ("PEM", format!("-----BEGIN CMS-----\n{}-----END CMS-----\n", to_base64(&cms(2, b"x"))).into_bytes()),
        ("PST", b"!BDN\0\0\0\0SM".to_vec()),
        ("DBX", b"\xCF\xAD\x12\xFE\0".to_vec()),
        ("MBX", b"*mbx*\r\n0000\r\n".to_vec()),
        ("git pack", b"PACK\0\0\0\x02\0\0\0\x01".to_vec()),
        ("log of SQLite", b"\x37\x7F\x06\x82\0\x2D".to_vec()),
        (
            "sylk",
            format!("ID;PMILL\n{}E\n", each(|url, _| format!("C;X1;K\"{}\"\n", url.replace(';', ";;")))).into_bytes(),
        ),
        ("csv", each(|url, _| format!("1,\"{url}\",x\n")).into_bytes()),
        ("yaml", each(|url, _| format!("- link: {url}\n")).into_bytes()),
    ]
}

/// Inputs that hold no URL that could be seen, so they must have a note.
const MUTE: [&str; 18] = [
    "enveloped S/MIME",
    "inline PGP",
    "PGP/MIME",
    "TNEF part",
    "message part",
    "xls",
    "PostScript",
    "OneNote",
    "mozLz4",
    "7z",
    "rar",
    "cabinet",
    "journal",
    "PEM",
    "PST",
    "DBX",
    "MBX",
    "git pack",
];

#[test]
fn no_kind_of_input_falls_short_in_silence() {
    let dir = Dir::new();
    let mut silent = Vec::new();
    for (name, bytes) in [mail(), documents(), web(), data()].concat() {
        dir.file("a", &bytes);
        for ran in [dir.run(&["-I", "a"]), dir.run(&["-zI", "a"]), dir.run_with(&["-zI"], &bytes)] {
            let is_found = |url: &str| ran.text().lines().any(|line| line == url);
            let is_short = MUTE.contains(&name) || !URLS.into_iter().all(is_found);
            if is_short && ran.err.is_empty() {
                silent.push(format!("{name}:\n{}", ran.text()));
            }
        }
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}
