//! Every reader of archives, with each byte and each token that it looks for repeated without a
//! line end.

use std::io::Read;

use urlgrep::archive::OpenOptions;

use super::*;

/// A form: its name, the texts before and after the repeated one, and the tokens of its reader.
struct Form {
    name: &'static str,
    head: Vec<u8>,
    tail: &'static str,
    tokens: Vec<Vec<u8>>,
}

fn form(name: &'static str, head: impl Into<Vec<u8>>, tokens: &[impl AsRef<[u8]>]) -> Form {
    Form { name, head: head.into(), tail: "", tokens: tokens.iter().map(|token| token.as_ref().to_vec()).collect() }
}

impl Form {
    /// Sets the text after the repeated one.
    fn before(self, tail: &'static str) -> Form {
        Form { tail, ..self }
    }
}

/// Bytes that a reader may look for, and some of the others.
const BYTES: &[u8] =
    b"\0\x01\t\n\x0B\x0C\r\x1B\x1F !\"#$%&'()*+,-./0:;<=>?@A[\\]^_`a{|}~\x7F\x80\xA0\xBF\xC3\xE3\xFE\xFF";

/// The lengths of the two texts. A scan of the longer one to its end costs more than the slack of a
/// measurement.
const SHORT: usize = 32 << 10;
const TIMES: usize = 8;
/// The lengths of two texts that confirm a complaint.
const LONG_START: usize = 1 << 20;
const LONG: usize = 4 << 20;

/// Returns the start of a message with these fields.
fn mail(fields: &str) -> String {
    format!("{MAIL}{fields}\n")
}

/// Returns the start of a multipart whose first part has these fields.
fn part(fields: &str) -> String {
    mail(&format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{fields}"))
}

fn record(answer: &str) -> String {
    let start = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n";
    format!(
        "{start}Content-Type: application/http; msgtype=response\r\nContent-Length: 99999999\r\n\r\nHTTP/1.1 200 OK\r\n{answer}"
    )
}

const HTML: &[&str] = &[
    "<",
    "<a",
    "</",
    "<!",
    "<!--",
    "-->",
    "<!-",
    "<![CDATA[",
    "]]>",
    "<!--[if",
    "<![endif]",
    "<?",
    "&",
    "&#",
    "&#x",
    "&lt",
    "&amp;",
    "<a href=",
    "<a href='",
    "<a href=\"",
    "<p style=",
    "<p style='b:url(",
    "url(",
    "<style>",
    "<script>",
    "</script",
    "<title>",
    "<pre>",
    "<base href=",
    "<img srcset='",
    ", ",
    " 1x,",
    "<td>",
    "<p>",
    "<br>",
    "<!--X-",
    "<meta ",
    "<xmp>",
    "<a>",
    "<textarea>",
    "<noscript>",
    "<plaintext>",
    "<p",
    " a=",
    " a='",
    "<a ping='",
    "<wbr>",
    "<li>",
    "<svg>",
    "<title/>",
    "<i t='a://b",
    "<i t=a://b>",
    "<iframe srcdoc='",
    "<iframe srcdoc=&lt;a>",
];

/// Returns the forms of pages and documents.
fn documents() -> Vec<Form> {
    let page = "<!DOCTYPE html><title>x</title>";
    let xml = "<?xml version='1.0'?><x>";
    vec![
        form("page", page, HTML),
        form("tag", format!("{page}<a "), &[" href=", "=", "='", "='x' ", "a", "/", " a"]),
        form("other attribute", format!("{page}<a t='"), &["&", "&lt;", "a://b", ":", "://", "' t='", "\\/", "{\""]),
        form("first tag", "<x ", &["a='b' ", "a", " ", "=", "'", "a='"]),
        form("attribute", format!("{page}<a href='"), &["&", "&#", "&lt;", "&#x3c;", "x ", "http://", "%"]),
        form(
            "style sheet",
            format!("{page}<style>"),
            &["url(", "@import ", "/*", "*/", "\\", "(", ")", "'", "\"", ";", "}", ":"],
        ),
        form("script", format!("{page}<script>"), &["<", "</", "</s", "<!--", "-->", "<script>"]),
        form("comment", format!("{page}<!--"), &["-", "--", "--!", "<!--", "[if", "http://"]),
        form("page of MHonArc", "<!-- MHonArc v2.6 -->\n<!--X-Subject: x -->\n<!--X-Body-of-Message-->\n", HTML),
        form(
            "XML",
            xml,
            &[
                "<![CDATA[",
                "]]>",
                "&lt;",
                "&lt;a href=",
                "<a",
                "<a href='",
                "<?",
                "<!--",
                "</",
                "&#x3c;",
                "<!DOCTYPE",
                "xml:base='",
                "<x xml:base='b/'>",
                "<item>",
                "<link>b</link>",
                "<x y='a:b'>",
            ],
        ),
        form("XML, CDATA", "<?xml version='1.0'?><x><![CDATA[", &["<", "<a href=", "]", "]]", "]]>", "&lt;"]),
        form(
            "doctype",
            "<?xml version='1.0'?><!DOCTYPE a [",
            &["<!ENTITY a 'b'>", "<!", "<!--", "]", "'", "<?", "%a;"],
        ),
        form("entities", "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><x>", &["<a href='&b;'>", "&b;", "&b"]),
        form("RTF", "{\\rtf1 ", &["HYPERLINK", "HYPERLINK \"a", "\\\\l \"b\"", "\\'e9", "\\u233?", "}", "\""]),
        form("SYLK", "ID;P", &[";", ";;", "http://a;;", "C;K\"\n"]),
        form("calendar", "BEGIN:VCALENDAR\r\nURL:", &["\n ", "\r\n ", "\r ", "\\", "\\,", "\\n", "BEGIN:VCARD\n"]),
        form(
            "PDF",
            "%PDF-1.5\n",
            &[
                "/URI (",
                "/URI(",
                "(\\",
                "\\",
                "\\1",
                "((",
                "(x)",
                "<<",
                "<0",
                "<0>",
                "/URI <",
                "stream",
                "stream\n",
                "endstream",
                "obj",
                "obj /ObjStm stream\n",
                "obj /ObjStm Filter stream\n",
                "obj/ObjStm/Filter stream\nendstream ",
                "/Encrypt",
                "endobj",
                "\nendobj",
            ],
        ),
    ]
}

/// Returns the forms of the parts of a message.
fn parts() -> Vec<Form> {
    vec![
        form(
            "body",
            mail(""),
            &[
                "begin 644 a\n",
                "begin 644 a",
                "=ybegin line=1 size=1 name=a\n",
                "M",
                "`\n",
                "end\n",
                "> ",
                ">",
                "-----BEGIN PGP",
                "-----BEGIN PGP SIGNED MESSAGE-----\n",
                "-----BEGIN PGP SIGNATURE-----\n",
                "\n- ",
                "> a=\n",
                "> a=3D\n",
                ">> =\n> =3D\n",
                "From ",
                "\nFrom ",
                ">From ",
            ],
        ),
        form(
            "uuencoded",
            mail(""),
            &[
                "begin 644 a\n",
                "begin 644 a",
                "begin 644 a\nM",
                "M",
                "`\n",
                "#86%A\n",
                "begin-base64 644 a\n",
                "YWJj\n",
            ],
        )
        .before("\nend\n"),
        form("yEnc", mail(""), &["=ybegin line=1 name=a\n", "=ybegin ", "=y", "=", "a\n"]).before("\n=yend size=1\n"),
        form(
            "header",
            MAIL.to_owned(),
            &["a", "a:", "a: ", "\n ", " ", "=?", "=?a?q?", "=?a?b?YQ==?=", "=?utf-8?q?a?= ", ": ", "From:", "<"],
        ),
        form(
            "Subject",
            format!("{MAIL}Subject: "),
            &["=?", "=?a?q?", "=?utf-8?q?=41", "=?utf-8?q?a?= ", "=?utf-8?b?YWE=?= ", "?=", "?", "=41", " \n "],
        ),
        form("From", format!("{MAIL}To: "), &["<", "\"", "(", ")", ",", "@", "<a@b>", "a,", ":", ";", "\\", "=?a?q?"]),
        form("Date", format!("{MAIL}Date: "), &["(", "1 ", "1:", "+", ",", "Sat, "]),
        form(
            "Content-Type",
            format!("{MAIL}Content-Type: "),
            &["multipart/", ";", "; a=b", "; a*0=b", "\"", "\\", "=", "a*1*=", "%41", "(", "/"],
        ),
        form("Content-Location", format!("{MAIL}Content-Location: "), &["http://", "/", "\n ", "=?a?q?"]),
        form(
            "multipart",
            part("\n"),
            &["--b", "--b\n", "\n--b\n", "--b--", "--b--\n", "--", "--bb\n", "--b \n", "--b\nA: b\n"],
        ),
        form(
            "closed multipart without a boundary",
            mail("Content-Type: multipart/mixed\n\n"),
            &["--", "--a\n\n", "--a\n", "--b\n\n"],
        )
        .before("\n--b--\n"),
        form(
            "multipart without a boundary",
            mail("Content-Type: multipart/mixed\n\n"),
            &["--", "--a", "--a\n", "--a\n\n", "--a\nContent-", "--a--\n", "\n--"],
        ),
        form(
            "nested multipart",
            part("Content-Type: multipart/mixed; boundary=c\n\n"),
            &["--c\n", "--b\n", "--c\nContent-Type: multipart/mixed; boundary=c\n\n"],
        ),
        form(
            "message in a message",
            part("Content-Type: message/rfc822\n\n"),
            &["a: b\n", "From: a\n\n", "--b\nContent-Type: message/rfc822\n\n", ">From "],
        ),
        form(
            "delivery report",
            part("Content-Type: message/delivery-status\n\n"),
            &["a: b", "a: http://a.example/", "\n ", ";", "a:\n\n"],
        ),
        form(
            "quoted-printable",
            mail("Content-Transfer-Encoding: quoted-printable\n"),
            &["=", "=\n", "=4", "=41", "= ", " \n", "=3D\"", "==", "\t"],
        ),
        form(
            "base64",
            mail("Content-Transfer-Encoding: base64\n"),
            &["YWFh", "=", "Y", "Y=", "-", "YWE=\n", "*\n", "====", "YWFh\n"],
        ),
        form(
            "base64 of HTML",
            part("Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n"),
            &["PGEgaHJlZj0i", "PCEt", "Jmx0", "PGE+"],
        ),
        // A message: `From a@b.example … ftp://a`.
        form(
            "mailbox in base64",
            part("Content-Type: application/octet-stream; name=a\nContent-Transfer-Encoding: base64\n\n"),
            &["RnJvbSBhQGIuZXhhbXBsZSBTYXQgSmFuICAzIDAxOjA1OjM0IDE5OTYKRnJvbTogYQpUbzogYgoKZnRwOi8vYSAK"],
        ),
        form(
            "flowed",
            mail("Content-Type: text/plain; format=flowed; delsp=yes\n"),
            &[" ", " \n", "> ", ">>", "-- \n", "> \n", " \r\n"],
        ),
        form(
            "UTF-7",
            mail("Content-Type: text/plain; charset=utf-7\n"),
            &["+", "+-", "+A", "+AGE-", "-", "+AGE", "+A-"],
        ),
        form("UTF-16", mail("Content-Type: text/plain; charset=utf-16\n"), &["\u{FEFF}", "a\0", "\0a"]),
        form("GB 18030", mail("Content-Type: text/plain; charset=gb18030\n"), &["\u{3042}", "\u{80}", "\u{81}0"]),
        form(
            "ISO 2022",
            mail("Content-Type: text/plain; charset=iso-2022-jp\n"),
            &["\x1B$B", "\x1B(B", "\x1B", "\x1B$", "$\"", "\x1B$B$\"\x1B(B"],
        ),
        form(
            "signed",
            mail("Content-Type: application/pkcs7-mime; smime-type=signed-data\nContent-Transfer-Encoding: base64\n"),
            &["MIAG", "BAEA", "AAAA", "MIIB", "JIAE", "oIAk"],
        ),
        form(
            "piece",
            mail("Content-Type: message/partial; id=a; number=1; total=2\n"),
            &["a: b\n", "\n", "From a@b.example Sat Jan  3 01:05:34 1996\n"],
        ),
        form(
            "attachment",
            part("Content-Type: application/octet-stream; name=a\n\n"),
            &["%PDF-", "PK\x03\x04", "BZh91AY&SY", "From: a\nTo: b\n\n", "--b\n"],
        ),
    ]
}

/// Returns the forms of mailboxes and web archives.
fn mailboxes() -> Vec<Form> {
    vec![
        form(
            "mailbox",
            "",
            &[
                "From a@b.example Sat Jan  3 01:05:34 1996\n",
                "From a@b.example Sat Jan  3 01:05:34 1996 ",
                "From ",
                "From -",
                "\nFrom a",
                "From \nFrom: a\n",
            ],
        ),
        form(
            "news batch",
            "#! rnews 12\nPath: a!b\n",
            &["#! rnews ", "#! rnews 5\n", "#! rnews 9", "#! rnews 0\n", "!"],
        ),
        form(
            "MMDF",
            "\x01\x01\x01\x01\nFrom: a@b.example\n\n",
            &["\x01\x01\x01\x01", "\x01\x01\x01\x01\n", "\n\x01", "\x01\x01\x01\x01\nFrom "],
        ),
        form(
            "Babyl",
            "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\x1F\x0C\n0,,\nFrom: a@b.example\n\n",
            &["\x1F", "\x1F\x0C", "\x1F\x0C\n0,", "\x1F\x0C\n0,,\n", "*** EOOH ***", "\x0C"],
        ),
        form("emlx", "99999999  \nFrom: joe\nTo: jane\n\n", &["<?xml", "<plist", "1\n"]),
        form(
            "dbox",
            "2 M1e C5e0f2a3b\n\x01\x02N          0000000000999999\nFrom: a@b.example\n\n",
            &["\n\x01\x03\n", "\x01\x02N", "\x01\x02N          0000000000000001\n", "\n\x01\x03\nR", "\x01\x03"],
        ),
        form("wire", "From: a@b.example\r\nTo: b@b.example\r\n\r\n.", &["..", "\r\n.", "\r\n..", ".\r\n", "\n.", "\r"]),
        form("CR lines", "From: a@b.example\rTo: b@b.example\r\r", &["\r", "a\r", "a:\r ", "\r\r\n"]),
        form(
            "CR CR LF lines",
            "From: a@b.example\r\r\nTo: b@b.example\r\r\n\r\r\n",
            &["\r", "\r\r", "\r\r\n", "a\r\r\n"],
        ),
        form("text in UTF-16", "\u{FEFF}", &["a\0", "\0\n", "<\0a\0"]),
        form(
            "web archive",
            record("Content-Type: text/html\r\n\r\n"),
            &["WARC/1.0\r\n", "\r\n\r\nWARC/1.0\r\n", "<a href=", "WARC/"],
        ),
        form("answer", record(""), &["Link: <a>", "Link: <", "Location: a\r\n", "a: b\r\n", "Link: <a>\r\n"]),
        form("Link", record("Link: "), &["<", "<>", "<a>", "<a>,", "\n "]),
        form(
            "chunks",
            record("Transfer-Encoding: chunked\r\n\r\n"),
            &["1\r\na\r\n", "1;", "f", "0", "1\na\n", "1\r\n"],
        ),
        form("codings", record("Content-Encoding: "), &["gzip,", "identity,", ",", "x", "deflate,", "br,", "zstd,"]),
        form(
            "property list",
            "bplist00",
            &[&b"\x6F\x10\x08\0:\0/\0/"[..], b"\0:\0/\0/", b"\x6E\0a\0:\0/\0/", b"\x6F\x12\0\0\x10\0", b"\0n"],
        ),
        form(
            "binary workbook",
            b"\x81\x01\0\x93\x01",
            &[&b"\x08\0\0\0:\0/\0/\0a\0"[..], b":\0/\0/\0", b"\x17\x08\x01:\0/\0/\0", b"\x01\x01\0\0", b"a\0"],
        ),
        form("shortcut", b"\x4C\0\0\0\x01\x14\x02\0", &[&b":\0/\0/\0"[..], b"\0\0:\0/\0/\0", b"a\0"]),
        form("br", record("Content-Encoding: br\r\n\r\n"), &[&b"\x8b\0\x80aa\x03"[..], b"\0\0", b"\x03", b"\x11"]),
    ]
}

/// Returns the forms of archives and compression. The tokens are empty files, members or frames.
fn packed() -> Vec<Form> {
    let text = b"see http://a.example/ and more\n";
    let read = |mut reader: Box<dyn Read>| {
        let mut packed = Vec::new();
        reader.read_to_end(&mut packed).expect("in memory");
        packed
    };
    let gzip = |text: &'static [u8]| read(Box::new(flate2::read::GzEncoder::new(text, flate2::Compression::fast())));
    let bzip2 = |text: &'static [u8]| read(Box::new(bzip2::read::BzEncoder::new(text, bzip2::Compression::fast())));
    let xz = |text: &'static [u8]| read(Box::new(liblzma::read::XzEncoder::new(text, 1)));
    let zstd = |text: &[u8]| zstd::encode_all(text, 1).expect("in memory");
    let lz4 = |text: &[u8]| {
        let mut frame = lz4_flex::frame::FrameEncoder::new(Vec::new());
        frame.write_all(text).and_then(|()| Ok(frame.finish()?)).expect("in memory")
    };
    let skipped: &[u8] = b"\x50\x2A\x4D\x18\0\0\0\0";
    let entry = |flags: u8, method: u8| {
        let header = [&b"PK\x03\x04\x14\0"[..], &[flags, 0, method, 0], &[0; 16], &[1, 0, 0, 0], b"a"].concat();
        let packed: &[u8] = if method == 8 { b"\x03\0" } else { b"" };
        let end: &[u8] = if flags == 8 { b"PK\x07\x08\0\0\0\0\x02\0\0\0\0\0\0\0" } else { b"" };
        [&header, packed, end].concat()
    };
    let folder = |kind: u8| {
        let mut header = tar::Header::new_ustar();
        header.set_path("a").expect("a short path");
        header.set_entry_type(tar::EntryType::new(kind));
        header.set_size(0);
        header.set_cksum();
        header.as_bytes().to_vec()
    };
    let tars = [b'0', b'5', b'L', b'x', b'g'].map(folder);
    vec![
        form("gzip", gzip(text), &[gzip(b"")]),
        form("bzip2", bzip2(text), &[bzip2(b"")]),
        form("xz", xz(text), &[xz(b"")]),
        form("zstd", zstd(text), &[&zstd(b"")[..], skipped]),
        form("lz4", lz4(text), &[&lz4(b"")[..], skipped]),
        form("compress", b"\x1F\x9D\x90", &[&b"a\0"[..], b"\0\x01"]),
        form("zip", entry(0, 0), &[entry(0, 0), entry(8, 8), entry(8, 0), b"PK\x03\x04".to_vec()]),
        form("tar", folder(b'0'), &tars),
    ]
}

/// Returns all patterns of a form: its tokens, and the bytes that this run tries.
fn patterns_of(form: &Form, index: usize) -> Vec<Vec<u8>> {
    let step = if takes_all() { 1 } else { 5 };
    let bytes = BYTES.iter().skip(index % step).step_by(step).map(|&byte| vec![byte]);
    form.tokens.iter().cloned().chain(bytes).collect()
}

#[test]
fn time_of_the_readers_of_archives_grows_with_the_text() {
    let forms: Vec<Form> = [documents(), parts(), mailboxes(), packed()].into_iter().flatten().collect();
    let mut complaints = Vec::new();
    for (index, form) in forms.iter().enumerate() {
        let reader = Reader {
            name: form.name,
            head: form.head.clone().leak(),
            tail: form.tail.as_bytes(),
            floor: 2e6,
            read: any,
        };
        for pattern in patterns_of(form, index) {
            let grows = reader.growth(&pattern, SHORT * TIMES, TIMES);
            // A window of XML that ends within a tag is read again, twice as long, up to 16 MiB.
            complaints.extend(grows.and_then(|_| reader.growth(&pattern, LONG, LONG / LONG_START)));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Searches an input of any form.
fn any(text: &[u8]) -> Duration {
    // Lines ask for the place of each match.
    let extractor = Extractor::builder().unpack_attachments(true).line_numbers(true).build();
    let search = || {
        let flow = OpenOptions::new().each(&mut { text }, b"", |_, entry| {
            // Damage is an error, and no less work.
            let searched = entry.and_then(|entry| {
                extractor.find_entry(
                    entry,
                    || Count(0),
                    |sink| {
                        std::hint::black_box(sink.0);
                        ControlFlow::Continue(())
                    },
                )
            });
            Ok(searched.unwrap_or(ControlFlow::Continue(())))
        });
        assert!(flow.is_ok_and(|flow| flow.is_continue()));
    };
    time(search)
}
