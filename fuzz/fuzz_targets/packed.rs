//! Files that hold texts in a form of their own: PDF, calendars, cards, web archives, XML, mail
//! with attachments. Pieces of such files come in any order. Nothing panics, reads may be cut
//! anywhere, and no more is found than was read.
#![no_main]

use std::io::Write;

use arbitrary::Arbitrary;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::opened::open;

const STARTS: [&[u8]; 16] = [
    b"%PDF-1.5\n",
    b"{\\rtf1\\ansi ",
    b"ID;PX\n",
    b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'http://c/'>",
    b"BEGIN:VCALENDAR\r\n",
    b"BEGIN:VCARD\r\n",
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://t.example/\r\nContent-Length: 400\r\n\r\nHTTP/1.1 200 OK\r\n",
    b"<?xml version=\"1.0\"?>\n",
    b"<rss version='2.0'>",
    b"From: a@b.example\nDate: Sat, 3 Jan 1996 01:05:34 +0000\n",
    b"\xFF\xFE<\0?\0x\0m\0l\0 \0",
    b"120\nFrom: a@b.example\nSubject: x\n",
    b"#! rnews 200\nFrom: a@b.example\n",
    b"bplist00\xA1\x01",
    b"\x81\x01\0\x93\x01\x17",
    b"\x4C\0\0\0\x01\x14\x02\0\0\0\0\0\xC0\0\0\0\0\0\0\x46\x84\0\0\0",
];

#[rustfmt::skip] // a list of one per line would be hard to survey
const PIECES: [&[u8]; 92] = [
    b"9 0 obj\n<< ", b"/Type /ObjStm ", b"/EmbeddedFile ", b"/Filter /FlateDecode ", b">>\nstream\r\n", b"\nendstream endobj\n", b"/URI (",
    b"http://a.example/", b"\\", b"\\)", b"\\(", b"\\101", b"\\\r\n", b")", b"(", b"<687474703A2F2F62>", b"<<", b">>", b"/Encrypt", b"%",
    b"\nendobj\n", b"URL:", b"URL;VALUE=URI:", b"\r\n ", b"\n\t", b"\\,", b"\\;", b"\\:", b"\\n", b"BEGIN:VEVENT\r\n", b"END:VCALENDAR\r\n",
    b"ENCODING=QUOTED-PRINTABLE:", b"=\r\n", b"=3D", b"Content-Encoding: gzip\r\n", b"Transfer-Encoding: chunked\r\n", b"\r\n\r\n", b"5\r\n",
    b"0\r\n\r\n", b"Location: /x\r\n", b"Link: <y>; rel=next\r\n", b"Content-Type: text/html\r\n", b"Content-Length: 9\r\n",
    b"<a xml:base='http://b.example/", b"' href=\"c\"", b"<y xml:base=\"d/\" ", b"/>", b">", b"&#x3c;", b"&lt;p&gt;", b"<![CDATA[", b"]]>",
    b"<item><link>", b"</link>", b"xmlns:x='http://s.example/'", b"<w:t>", b"</w:t>", b"Content-Type: multipart/mixed; boundary=b\n\n",
    b"\n--b\n", b"--b--\n", b"Content-Type: application/pdf\n", b"Content-Transfer-Encoding: base64\n\n", b"JVBERi0xLjUKL1VSSSAo", b"\n",
    b"begin 644 a.txt\n", b"#0V%T\n", b"`\nend\n", b"=ybegin line=128 size=9 name=a\n", b"=yend size=9\n", b"WARC/1.0\r\n",
    b"HYPERLINK \"", b"\\\\l \"", b"\\'e9", b"\\u233?", b";;", b"]>", b"&b;", b"> a=\n> b=3D", b"\n- -",
    b"-----BEGIN PGP SIGNED MESSAGE-----\n", b"\n-----BEGIN PGP SIGNATURE-----\n", b"-----BEGIN PGP MESSAGE-----\n",
    b"WARC-Type: response\r\nContent-Length: 30\r\n\r\n", b"HTTP/1.1 200 OK\r\n",
    b"\x6F\x10\x0A", b"\0h\0t\0t\0p\0:\0/\0/\0a", b"h\0t\0t\0p\0:\0/\0/\0a\0", b"\x08\0\0\0", b"\x17\x0A\0", b"\xEE\x03\x30", b"\x5F\x10\x0B", b"\0.\0e",
];

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Piece(u8),
    Twice(u8, u8),
    Bytes(&'a [u8]),
    /// Pieces by their indices, compressed for FlateDecode.
    Packed(Vec<u8>),
}

fuzz_target!(|input: (u8, u16, Vec<Part<'_>>)| {
    let (start, sip, parts) = input;
    let mut file = STARTS[usize::from(start) % STARTS.len()].to_vec();
    let piece = |index: u8| PIECES[usize::from(index) % PIECES.len()];
    for part in &parts {
        match part {
            Part::Piece(index) => file.extend_from_slice(piece(*index)),
            Part::Twice(index, times) => file.extend(piece(*index).repeat(usize::from(*times) % 40)),
            Part::Bytes(bytes) => file.extend_from_slice(bytes),
            Part::Packed(indices) => {
                let mut packer = ZlibEncoder::new(Vec::new(), Compression::fast());
                indices.iter().for_each(|&index| packer.write_all(piece(index)).expect("writing to memory"));
                file.extend(packer.finish().expect("writing to memory"));
            }
        }
    }
    let whole = open(&file, b"", usize::MAX);
    assert_eq!(whole, open(&file, b"", usize::from(sip) + 1), "reads of {sip}");
    let cut = usize::from(sip) % (file.len() + 1);
    open(&file[..cut], b"", usize::MAX);
});
