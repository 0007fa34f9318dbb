//! Mail that carries URLs in all the ways that a mail reader must decode, generated from text
//! written for this. There is a table of [messages](cases) with the expected matches of each, and
//! the [containers](Container) that hold them. A [check](check) compares what was found, to the
//! byte. All encoded text is decoded here by independent means.

#![allow(dead_code)] // each suite is a crate of its own and uses a part of this

use std::io::Write;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use encoding_rs::{Encoding, GB18030, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1252};

/// One URL, which nine messages carry in nine ways.
pub(crate) const LONG: &str = "http://archive.example/~joe/proceedings/1996/hypertext/session_4/paper_17/figures/index.html\
     ?view=full&page=12&language=en";
pub(crate) const NINE: usize = 9;

/// A message, and the URLs in it.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) message: Vec<u8>,
    pub(crate) hits: Vec<Hit>,
    /// The charset of the decoded text.
    charset: Option<&'static Encoding>,
}

/// A URL, and its expected place. Absent fields have the values of a plain message.
#[derive(Clone)]
pub(crate) struct Hit {
    url: String,
    /// The bytes that the span covers, if they are not the URL.
    span: Option<Vec<u8>>,
    kind: &'static str,
    encoding: &'static str,
    part: Option<&'static str>,
    header: Option<&'static str>,
    /// The decoded value of the field, from its colon on.
    value: Option<String>,
    /// The id of the message, if it is another one.
    id: Option<&'static str>,
    depth: Option<u64>,
    resolved: Option<&'static str>,
}

fn hit(url: &str) -> Hit {
    Hit {
        url: url.to_string(),
        span: None,
        kind: "bare",
        encoding: "7bit",
        part: Some("1"),
        header: None,
        value: None,
        id: None,
        depth: Some(0),
        resolved: None,
    }
}

impl Hit {
    fn span(self, span: impl AsRef<[u8]>) -> Hit {
        Hit { span: Some(span.as_ref().to_vec()), ..self }
    }

    fn kind(self, kind: &'static str) -> Hit {
        Hit { kind, ..self }
    }

    fn encoding(self, encoding: &'static str) -> Hit {
        Hit { encoding, ..self }
    }

    fn part(self, part: &'static str) -> Hit {
        Hit { part: Some(part), ..self }
    }

    /// Sets the place before or after the parts.
    fn no_part(self) -> Hit {
        Hit { part: None, ..self }
    }

    fn header(self, name: &'static str) -> Hit {
        Hit { header: Some(name), part: None, depth: None, ..self }
    }

    /// Sets the place in encoded words.
    fn words(self, name: &'static str, value: &str) -> Hit {
        Hit { value: Some(value.to_string()), encoding: "encoded-word", ..self.header(name) }
    }

    fn id(self, id: &'static str) -> Hit {
        Hit { id: Some(id), ..self }
    }

    fn depth(self, depth: u64) -> Hit {
        Hit { depth: Some(depth), ..self }
    }

    /// Sets the place in the text of HTML.
    fn html(self) -> Hit {
        Hit { depth: None, ..self }
    }

    fn attribute(self) -> Hit {
        self.html().kind("attribute")
    }

    fn relative(self, resolved: &'static str) -> Hit {
        Hit { resolved: Some(resolved), ..self.attribute() }
    }
}

/// A match in the form of the table, from the library or from a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) url: String,
    pub(crate) kind: String,
    pub(crate) span: Range<u64>,
    pub(crate) line: Option<u64>,
    pub(crate) column: Option<u64>,
    pub(crate) readings: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) number: Option<u64>,
    pub(crate) begins: u64,
    pub(crate) part: Option<String>,
    /// The place in the decoded part.
    pub(crate) part_span: Option<Range<u64>>,
    pub(crate) content_type: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) header: Option<String>,
    pub(crate) depth: Option<u64>,
    pub(crate) body: Option<Range<u64>>,
    pub(crate) text: Option<String>,
    pub(crate) resolved: Option<String>,
}

impl Found {
    pub(crate) fn from_json(line: &str) -> Found {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |value: &serde_json::Value| value.as_str().map(str::to_string);
        let number = |value: &serde_json::Value| value.as_u64().expect("a number");
        let range = |value: &serde_json::Value| {
            let start = number(&value["offset"]);
            start..start + number(&value["length"])
        };
        Found {
            url: text(&line["url"]).expect("a URL"),
            kind: text(&line["kind"]).expect("a kind"),
            span: range(&line),
            line: line["line"].as_u64(),
            column: line["column"].as_u64(),
            readings: line["readings"].as_array().expect("a list").iter().filter_map(text).collect(),
            id: text(&line["message"]["id"]),
            number: line["message"]["number"].as_u64(),
            begins: line["message"]["offset"].as_u64().unwrap_or(0),
            part: text(&line["part"]["number"]),
            part_span: line["part"]["offset"].is_u64().then(|| range(&line["part"])),
            content_type: text(&line["content_type"]),
            encoding: text(&line["encoding"]),
            header: text(&line["header"]),
            depth: line["quote_depth"].as_u64(),
            body: (!line["body"].is_null()).then(|| range(&line["body"])),
            text: text(&line["text"]),
            resolved: text(&line["resolved"]),
        }
    }

    /// Returns the fields that do not depend on the message's container.
    pub(crate) fn essence(&self) -> Found {
        Found {
            span: 0..0,
            line: None,
            column: None,
            number: None,
            begins: 0,
            // An empty line before the next separator belongs to the last part.
            body: self.body.is_some().then_some(0..0),
            ..self.clone()
        }
    }

    /// Returns whether the archive holds the text, encoded or not.
    pub(crate) fn is_in_archive(&self) -> bool {
        !matches!(self.encoding.as_deref(), Some("unpacked" | "http"))
    }
}

// ------------------------------------------------------------------------------------ the messages

fn message(name: &str, fields: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let mut message = format!(
        "From: Joe Carter <joe@carriers.example>\nTo: list@carriers.example\nDate: Sat, 21 Sep 1996 12:00:00 +0000\n\
         Subject: {name}\nMessage-ID: <{name}@carriers.example>\n{fields}\n"
    )
    .into_bytes();
    message.extend_from_slice(body.as_ref());
    message
}

fn case(name: &'static str, fields: &str, body: impl AsRef<[u8]>, hits: impl IntoIterator<Item = Hit>) -> Case {
    Case { name, message: message(name, fields, body), hits: hits.into_iter().collect(), charset: None }
}

impl Case {
    fn charset(self, charset: &'static Encoding) -> Case {
        Case { charset: Some(charset), ..self }
    }
}

const QP: &str =
    "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n";
const BASE64: &str = "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n";
const HTML: &str = "MIME-Version: 1.0\nContent-Type: text/html\n";
const MIXED: &str = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"outer\"\n";
const WORDS: &str = "The committee met on Thursday, and what it said is in the minutes by now";

/// Encodes as quoted-printable in lines of at most 76 bytes.
pub(crate) fn to_quoted_printable(text: &[u8]) -> String {
    let mut out = String::new();
    let mut width = 0;
    for &byte in text {
        let piece = match byte {
            b'\n' => "\n".to_string(),
            b'=' => "=3D".to_string(),
            b' '..=b'~' => char::from(byte).to_string(),
            _ => format!("={byte:02X}"),
        };
        if byte != b'\n' && width + piece.len() > 75 {
            out.push_str("=\n");
            width = 0;
        }
        out.push_str(&piece);
        width = if byte == b'\n' { 0 } else { width + piece.len() };
    }
    out
}

/// Encodes as Base64 in lines of 72 characters.
pub(crate) fn to_base64(bytes: &[u8]) -> String {
    let text = STANDARD.encode(bytes);
    text.as_bytes().chunks(72).map(|line| format!("{}\n", std::str::from_utf8(line).expect("ASCII"))).collect()
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let (bytes, _, is_wrong) = encoding.encode(text);
    assert!(!is_wrong, "{text}");
    bytes.into_owned()
}

/// Returns a message of several parts, as most mailers write it.
fn parts(boundary: &str, parts: &[(&str, &str)]) -> String {
    let parts: String = parts.iter().map(|(fields, body)| format!("--{boundary}\n{fields}\n{body}\n")).collect();
    format!("{parts}--{boundary}--\n")
}

/// Returns the whole table: the messages that carry one URL in [`NINE`] ways, then all others.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = carriers();
    cases.extend(texts());
    cases.extend(headers());
    cases.extend(structures());
    cases.extend(charsets());
    cases.extend(html());
    cases.extend(faults());
    cases
}

fn carriers() -> Vec<Case> {
    let see = format!("Hello,\n\nsee {LONG} for it.\n");
    let (one, two, three) = (&LONG[..40], &LONG[40..84], &LONG[84..]);
    let href = LONG.replace('&', "&amp;");
    let page = format!("<html><body><p>The <a href=\"{href}\">paper of\nJoe</a> is there.</p></body></html>\n");
    let wide: Vec<u8> = "\u{FEFF}".encode_utf16().chain(see.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    vec![
        case("plain", "", &see, [hit(LONG)]),
        case("quoted-printable", QP, to_quoted_printable(see.as_bytes()), [hit(LONG).encoding("quoted-printable")]),
        case("base64", BASE64, to_base64(see.as_bytes()), [hit(LONG).encoding("base64")]),
        case(
            "flowed",
            "MIME-Version: 1.0\nContent-Type: text/plain; format=flowed; delsp=yes\n",
            format!("Hello,\n\nsee  \n{one} \n{two} \n{three}  \nfor it.\n"),
            [hit(LONG).span(format!("{one} \n{two} \n{three}"))],
        ),
        case(
            "html",
            "MIME-Version: 1.0\nContent-Type: text/html; charset=us-ascii\n\
             Content-Transfer-Encoding: quoted-printable\n",
            to_quoted_printable(page.as_bytes()),
            [hit(LONG).span(&href).attribute().encoding("quoted-printable")],
        ),
        case(
            "quoted",
            "",
            format!("Jane wrote:\n> it is at <URL:{one}\n> {two}\n> {three}>, I think\n\nYes.\n"),
            [hit(LONG).kind("wrapped").span(format!("<URL:{one}\n> {two}\n> {three}>")).depth(1)],
        ),
        case(
            "indented",
            "",
            format!("It is there:\n\n    <URL:{one}\n    {two}\n    {three}>\n\nJoe\n"),
            [hit(LONG).kind("wrapped").span(format!("<URL:{one}\n    {two}\n    {three}>"))],
        ),
        case(
            "list-archive",
            &format!("List-Archive: <{LONG}>\n"),
            "Nothing here.\n",
            [hit(LONG).kind("angle").span(format!("<{LONG}>")).header("List-Archive")],
        ),
        case(
            "utf-16",
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n",
            to_base64(&wide),
            [hit(LONG).encoding("base64")],
        )
        .charset(encoding_rs::UTF_16LE),
    ]
}

/// Returns messages of plain text, with the changes that transit makes to lines.
fn texts() -> Vec<Case> {
    let wrapped = format!("See {}", "http://wrapped.example/lists/wg_transport/1997/december/attachments/draft.txt");
    let (first, second) = wrapped.split_at(72);
    let paragraph = format!("{WORDS}.\n{WORDS}.\n{WORDS}.\n");
    vec![
        case(
            "wrapped",
            "",
            format!("{paragraph}\n{first}\n{second}\n\n{paragraph}"),
            [hit(&wrapped[4..]).span(format!("{}\n{second}", &first[4..]))],
        ),
        case(
            "eight-bit",
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
            "Grüße von http://eight-bit.example/straße und http://eight-bit.example/ — bis bald\n",
            [
                hit("http://eight-bit.example/straße").encoding("8bit"),
                hit("http://eight-bit.example/").encoding("8bit"),
            ],
        ),
        case(
            "stuffed",
            "",
            "From http://stuffed.example/one on it is\nFrom here\n<URL:http://stuffed.example/\nFrom here>\n",
            [
                hit("http://stuffed.example/one"),
                // The `>` before a line that begins with `From ` is not part of the line.
                hit("http://stuffed.example/Fromhere").kind("wrapped").span("<URL:http://stuffed.example/\nFrom here>"),
            ],
        ),
        case(
            "flowed-quotes",
            "MIME-Version: 1.0\nContent-Type: text/plain; format=flowed; delsp=yes\n",
            "> http://flowed-quotes.example/ \n> one \n>> http://flowed-quotes.example/ \n>> two \nhttp://flowed-quotes.example/ \nthree\n",
            [
                hit("http://flowed-quotes.example/one").span("http://flowed-quotes.example/ \n> one").depth(1),
                hit("http://flowed-quotes.example/two").span("http://flowed-quotes.example/ \n>> two").depth(2),
                hit("http://flowed-quotes.example/three").span("http://flowed-quotes.example/ \nthree"),
            ],
        ),
        case(
            "uuencoded",
            "",
            "http://uuencoded.example/before\n\nbegin 644 cat.txt\n#0V%T\n`\nend\n\nhttp://uuencoded.example/after\n",
            [hit("http://uuencoded.example/before"), hit("http://uuencoded.example/after")],
        ),
        case(
            "digest",
            "",
            format!(
                "Carriers Digest   Volume 1 : Issue 2\n\nToday's Topics: http://digest.example/topics\n\n{}\n\n\
                 Date: Fri, 20 Sep 1996 01:02:03 +0000\nFrom: Jane Doe <jane@carriers.example>\nSubject: first\n\
                 Message-ID: <digest-1@carriers.example>\n\nat http://digest.example/first\n\n{}\n\n\
                 Date: Fri, 20 Sep 1996 04:05:06 +0000\nFrom: Jim Doe <jim@carriers.example>\nSubject: second\n\
                 Message-ID: <digest-2@carriers.example>\n\nat http://digest.example/second\n\n{}\n\n\
                 End of Carriers Digest\n**********************\n",
                "-".repeat(70),
                "-".repeat(30),
                "-".repeat(30)
            ),
            [
                hit("http://digest.example/topics"),
                hit("http://digest.example/first").id("digest-1@carriers.example"),
                hit("http://digest.example/second").id("digest-2@carriers.example"),
            ],
        ),
        case(
            "forwarded",
            "",
            "FYI http://forwarded.example/mine\n\n-----Original Message-----\nFrom: Jane Doe <jane@carriers.example>\n\
             Sent: Friday, 20 September 1996\nSubject: it\nMessage-ID: <forwarded-1@carriers.example>\n\n\
             See http://forwarded.example/hers\n",
            [
                hit("http://forwarded.example/mine"),
                hit("http://forwarded.example/hers").id("forwarded-1@carriers.example"),
            ],
        ),
    ]
}

fn headers() -> Vec<Case> {
    vec![
        case(
            "words-q",
            "Comments: =?utf-8?Q?Gr=C3=BC=C3=9Fe_http=3A//words-q?= =?utf-8?Q?.example/x=3D1?=\n",
            "\n",
            [hit("http://words-q.example/x=1").words("Comments", " Grüße http://words-q.example/x=1")],
        ),
        case(
            "words-b",
            &format!("Comments: =?iso-8859-1?B?{}?=\n", STANDARD.encode(b"caf\xE9 http://words-b.example/")),
            "http://words-b.example/body\n",
            [
                hit("http://words-b.example/").words("Comments", " café http://words-b.example/"),
                hit("http://words-b.example/body"),
            ],
        ),
        case(
            "folded",
            "X-Home-Page: see\n\thttp://folded.example/one\n or <URL:http://folded.example/\n  two>\nX-Last: x\n",
            "\n",
            [
                hit("http://folded.example/one").header("X-Home-Page"),
                hit("http://folded.example/two")
                    .kind("wrapped")
                    .span("<URL:http://folded.example/\n  two>")
                    .header("X-Home-Page"),
            ],
        ),
        case(
            "archived-at",
            "Archived-At: <http://archived-at.example/archive/123>\nX-URL: http://archived-at.example/~joe/\n\
             Content-Location: http://archived-at.example/location\n",
            "\n",
            [
                hit("http://archived-at.example/archive/123")
                    .kind("angle")
                    .span("<http://archived-at.example/archive/123>")
                    .header("Archived-At"),
                hit("http://archived-at.example/~joe/").header("X-URL"),
                hit("http://archived-at.example/location").header("Content-Location"),
            ],
        ),
    ]
}

fn structures() -> Vec<Case> {
    let plain = "Content-Type: text/plain\n";
    let page = "<p>at <a href=\"http://alternative.example/html\">this place</a></p>";
    let both = parts("inner", &[(plain, "at http://alternative.example/plain\n"), ("Content-Type: text/html\n", page)]);
    let inner = String::from_utf8(message("inner", "", "at http://rfc822.example/inner\n")).expect("UTF-8");
    let patch = to_base64(b"--- a/x\n+++ b/x\n+// http://attached.example/patch\n");
    let file = to_base64("Höhe: http://attached.example/file\r\n".as_bytes());
    let image =
        to_base64(&[b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".as_slice(), b"http://image.example/no ", &[0; 300]].concat());
    vec![
        case(
            "alternative",
            MIXED,
            parts(
                "outer",
                &[
                    ("Content-Type: multipart/alternative; boundary=inner\n", &both),
                    (plain, "--\nhttp://alternative.example/footer\n"),
                ],
            ),
            [
                hit("http://alternative.example/plain").part("1.1"),
                hit("http://alternative.example/html").attribute().part("1.2"),
                hit("http://alternative.example/footer").part("2"),
            ],
        ),
        case(
            "rfc822",
            MIXED,
            parts(
                "outer",
                &[("", "see below http://rfc822.example/outer\n"), ("Content-Type: message/rfc822\n", &inner)],
            ),
            [hit("http://rfc822.example/outer"), hit("http://rfc822.example/inner").part("2.1")],
        ),
        case(
            "mime-digest",
            "MIME-Version: 1.0\nContent-Type: multipart/digest; boundary=\"outer\"\n",
            parts(
                "outer",
                &[
                    (
                        "",
                        "From: a@carriers.example\nX-URL: http://mime-digest.example/header\n\nhttp://mime-digest.example/1\n",
                    ),
                    ("", "From: b@carriers.example\nDate: today\n\nhttp://mime-digest.example/2\n"),
                ],
            ),
            [
                hit("http://mime-digest.example/header").header("X-URL"),
                hit("http://mime-digest.example/1").part("1.1"),
                hit("http://mime-digest.example/2").part("2.1"),
            ],
        ),
        case(
            "attached",
            MIXED,
            parts(
                "outer",
                &[
                    ("Content-Type: text/x-patch\nContent-Transfer-Encoding: base64\n", &patch),
                    (
                        "Content-Type: application/octet-stream; name=\"notes.txt\"\n\
                         Content-Disposition: attachment; filename=\"notes.txt\"\nContent-Transfer-Encoding: base64\n",
                        &file,
                    ),
                    ("Content-Type: image/png\nContent-Transfer-Encoding: base64\n", &image),
                ],
            ),
            [
                hit("http://attached.example/patch").encoding("base64"),
                hit("http://attached.example/file").encoding("base64").part("2"),
            ],
        ),
        case(
            "around",
            MIXED,
            format!(
                "preamble http://around.example/before\n{}epilogue http://around.example/after\n",
                parts("outer", &[("", "http://around.example/inside\n")])
            ),
            [
                hit("http://around.example/before").no_part(),
                hit("http://around.example/inside"),
                hit("http://around.example/after").no_part(),
            ],
        ),
    ]
}

fn charsets() -> Vec<Case> {
    let fields = |charset: &str, encoding: &str| {
        format!(
            "MIME-Version: 1.0\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: {encoding}\n"
        )
    };
    let eight = |name: &'static str, charset: &'static Encoding, label: &str, text: &str, url: &str| {
        case(name, &fields(label, "8bit"), encoded(charset, text), [hit(url).encoding("8bit")])
    };
    vec![
        case(
            "iso-2022-jp",
            &fields("ISO-2022-JP", "7bit"),
            encoded(ISO_2022_JP, "文書は http://iso-2022-jp.example/a です。\n次はhttp://iso-2022-jp.example/b。\n"),
            [hit("http://iso-2022-jp.example/a"), hit("http://iso-2022-jp.example/b")],
        ),
        eight(
            "shift-jis",
            SHIFT_JIS,
            "Shift_JIS",
            "表示ソフトは「http://shift-jis.example/表」です。\n",
            "http://shift-jis.example/",
        ),
        case(
            "shift-jis-base64",
            &fields("Shift_JIS", "base64"),
            to_base64(&encoded(SHIFT_JIS, "表 http://shift-jis-base64.example/ 能\n")),
            [hit("http://shift-jis-base64.example/").encoding("base64")],
        )
        .charset(SHIFT_JIS),
        eight("koi8-r", KOI8_R, "koi8-r", "Смотри http://koi8-r.example/мир\n", "http://koi8-r.example/"),
        case(
            "koi8-r-qp",
            &fields("koi8-r", "quoted-printable"),
            to_quoted_printable(&encoded(KOI8_R, "Смотри http://koi8-r-qp.example/a=b мир\n")),
            [hit("http://koi8-r-qp.example/a=b").encoding("quoted-printable")],
        )
        .charset(KOI8_R),
        eight(
            "windows-1252",
            WINDOWS_1252,
            "windows-1252",
            "“http://windows-1252.example/x” – 10 €\n",
            "http://windows-1252.example/x",
        ),
        eight("gb18030", GB18030, "gb18030", "你好丂http://gb18030.example/a 再见\n", "http://gb18030.example/a"),
        case(
            "utf-7",
            &fields("utf-7", "7bit"),
            "Gr+APwA3w-e: http+ADo-//utf-7.example/a+-b or http://utf-7.example/c\n",
            [hit("http://utf-7.example/a+b").span("http+ADo-//utf-7.example/a+-b"), hit("http://utf-7.example/c")],
        ),
        case(
            "unknown-charset",
            &fields("x-unheard-of", "8bit"),
            b"\xC0\xC1 http://unknown-charset.example/a \xC0\n",
            [hit("http://unknown-charset.example/a").encoding("8bit")],
        ),
    ]
}

fn html() -> Vec<Case> {
    let hard = "<pre>\nas it came:\n&lt;URL:http://pre.example/one\n/two&gt;\n</pre>";
    vec![
        case(
            "base",
            HTML,
            "<html><head><base href=\"http://base.example/dir/\"></head>\n<a href=\"../x?a=1&amp;b=2\">x</a>\
             <a href=\"#here\">no</a>\n<img src=/pic.gif></html>\n",
            [
                hit("http://base.example/dir/").attribute(),
                hit("../x?a=1&b=2").span("../x?a=1&amp;b=2").relative("http://base.example/x?a=1&b=2"),
                hit("/pic.gif").relative("http://base.example/pic.gif"),
            ],
        ),
        case(
            "attributes",
            HTML,
            "<meta http-equiv=\"refresh\" content=\"5; url=http://attributes.example/refresh\">\n\
             <img srcset=\"http://attributes.example/1x.png 1x, http://attributes.example/2x.png 2x\">\n\
             <div style=\"background: url('http://attributes.example/style.png')\">\n\
             <style>b { background: url(http://attributes.example/sheet.png) }</style>\n\
             <a href=\"http&#58;//attributes.example/a&#x2F;b?x=1&amp;copy=2\">c</a>\n",
            [
                hit("http://attributes.example/refresh").attribute(),
                hit("http://attributes.example/1x.png").attribute(),
                hit("http://attributes.example/2x.png").attribute(),
                hit("http://attributes.example/style.png").attribute(),
                hit("http://attributes.example/sheet.png").attribute(),
                hit("http://attributes.example/a/b?x=1&copy=2")
                    .span("http&#58;//attributes.example/a&#x2F;b?x=1&amp;copy=2")
                    .attribute(),
            ],
        ),
        case(
            "outlook",
            HTML,
            "<!--[if mso]><v:rect href=\"http://outlook.example/conditional\"></v:rect><![endif]-->\n\
             <p>or http://outlook<b>.exa</b>mple/pa<wbr>th/x, and\nhttp://outlook.example/last</p>\n",
            [
                hit("http://outlook.example/conditional").attribute(),
                hit("http://outlook.example/path/x").span("http://outlook<b>.exa</b>mple/pa<wbr>th/x").html(),
                hit("http://outlook.example/last").html(),
            ],
        ),
        case(
            "pre",
            HTML,
            hard,
            [hit("http://pre.example/one/two").kind("wrapped").span("&lt;URL:http://pre.example/one\n/two&gt;").html()],
        ),
        case(
            "html-8bit",
            "MIME-Version: 1.0\nContent-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n",
            encoded(WINDOWS_1252, "<p>“<a href='http://html-8bit.example/é'>x</a>” http://html-8bit.example/b …</p>\n"),
            [
                hit("http://html-8bit.example/é")
                    .span(encoded(WINDOWS_1252, "http://html-8bit.example/é"))
                    .attribute()
                    .encoding("8bit"),
                hit("http://html-8bit.example/b").html().encoding("8bit"),
            ],
        ),
    ]
}

/// Returns malformed parts, which are searched unchanged.
fn faults() -> Vec<Case> {
    let (line, rest) = ("see http://junk.example/one and then more of it\n", "http://junk.example/three\n");
    vec![
        case(
            "soft-break",
            QP,
            "http://soft-break.example/?a=\n=3Db&c=3=\nD1&d=3D=\n2 and http://soft-break.example/=zz= \nx\n",
            [
                hit("http://soft-break.example/?a=b&c=3D1&d=2").encoding("quoted-printable"),
                hit("http://soft-break.example/=zzx").encoding("quoted-printable"),
            ],
        ),
        case(
            "junk",
            BASE64,
            format!(
                "{}-- list: http://junk.example/two --\n{}",
                to_base64(line.as_bytes()),
                to_base64(rest.as_bytes())
            ),
            [
                hit("http://junk.example/two"),
                hit("http://junk.example/one").encoding("base64"),
                hit("http://junk.example/three").encoding("base64"),
            ],
        ),
        case(
            "unknown-encoding",
            "MIME-Version: 1.0\nContent-Type: text/plain\nContent-Transfer-Encoding: x-uue\n",
            "http://unknown-encoding.example/a=20b\n",
            [hit("http://unknown-encoding.example/a=20b").encoding("unknown")],
        ),
        case(
            "no-end",
            MIXED,
            "--outer\n\nhttp://no-end.example/1\n--outer\nContent-Type: text/html\n\n<a href=http://no-end.example/2>x",
            [hit("http://no-end.example/1"), hit("http://no-end.example/2").attribute().part("2")],
        ),
        case(
            "no-boundary",
            "MIME-Version: 1.0\nContent-Type: multipart/mixed\n",
            "--outer\n\nhttp://no-boundary.example/1\n--outer--\n",
            [hit("http://no-boundary.example/1")],
        ),
        case(
            "nul",
            "X-Nul: a\0b http://nul.example/header\n",
            "\0http://nul.example/1\0http://nul.example/2\0\n",
            [
                hit("http://nul.example/header").header("X-Nul"),
                hit("http://nul.example/1"),
                hit("http://nul.example/2"),
            ],
        ),
        case(
            "carriage-returns",
            "X-CR: yes\r\n\r\nhttp://carriage-returns.example/1\r\n<URL:http://carriage-returns.example/\r\n2>\r\n",
            "",
            [
                hit("http://carriage-returns.example/1"),
                hit("http://carriage-returns.example/2")
                    .kind("wrapped")
                    .span("<URL:http://carriage-returns.example/\r\n2>"),
            ],
        ),
    ]
}

// ---------------------------------------------------------------------------------- the containers

/// Returns a mailbox: `From ` lines, and escapes before lines that look like one.
pub(crate) fn mbox<'m>(messages: impl IntoIterator<Item = &'m [u8]>) -> Vec<u8> {
    let mut mbox = Vec::new();
    for message in messages {
        mbox.extend_from_slice(b"From joe@carriers.example Sat Sep 21 12:00:00 1996\n");
        for line in message.split_inclusive(|&byte| byte == b'\n') {
            if line.starts_with(b"From ") {
                mbox.push(b'>');
            }
            mbox.extend_from_slice(line);
        }
        let breaks: &[u8] = if message.ends_with(b"\n") { b"\n" } else { b"\n\n" };
        mbox.extend_from_slice(breaks);
    }
    mbox
}

/// Returns a batch of news, in which every article ends in a line break.
pub(crate) fn rnews<'m>(messages: impl IntoIterator<Item = &'m [u8]>) -> Vec<u8> {
    let mut batch = Vec::new();
    for message in messages {
        let end: &[u8] = if message.ends_with(b"\n") { b"" } else { b"\n" };
        batch.extend_from_slice(format!("#! rnews {}\n", message.len() + end.len()).as_bytes());
        batch.extend_from_slice(message);
        batch.extend_from_slice(end);
    }
    batch
}

/// A file's path in a folder, and its bytes.
pub(crate) type File = (String, Vec<u8>);

pub(crate) fn maildir(cases: &[Case]) -> Vec<File> {
    let folders = ["cur", "new", ".Sent/cur"];
    let name = |(at, case): (usize, &Case)| {
        let folder = folders[at % folders.len()];
        (format!("mail/{folder}/8437{at:03}.{}.carriers:2,S", case.name), case.message.clone())
    };
    let mut files: Vec<File> = cases.iter().enumerate().map(name).collect();
    files.extend(["new", ".Sent/new", "tmp", ".Sent/tmp"].map(|folder| (format!("mail/{folder}/.keep"), Vec::new())));
    files
}

/// Returns the articles as MH and news servers store them: files with numbers for names.
pub(crate) fn spool(folder: &str, cases: &[Case]) -> Vec<File> {
    cases.iter().enumerate().map(|(at, case)| (format!("{folder}/{}", at + 1), case.message.clone())).collect()
}

pub(crate) fn tar(files: &[File]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, &bytes[..]).expect("writing to memory");
    }
    builder.into_inner().expect("writing to memory")
}

pub(crate) const PACKERS: [&str; 6] = ["gzip", "gzip of three members", "zstd", "bzip2", "xz", "lz4"];

pub(crate) fn packed(packer: &str, bytes: &[u8]) -> Vec<u8> {
    let gzip = |bytes: &[u8]| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).and_then(|()| gzip.finish())
    };
    let packed = match packer {
        "gzip" => gzip(bytes),
        "gzip of three members" => {
            bytes.chunks(bytes.len() / 3 + 1).map(gzip).collect::<Result<Vec<_>, _>>().map(|members| members.concat())
        }
        "zstd" => zstd::encode_all(bytes, 1),
        "bzip2" => {
            let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            bzip2.write_all(bytes).and_then(|()| bzip2.finish())
        }
        "xz" => {
            let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
            xz.write_all(bytes).and_then(|()| xz.finish())
        }
        _ => {
            let blocks = lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max64KB);
            let mut lz4 = lz4_flex::frame::FrameEncoder::with_frame_info(blocks, Vec::new());
            lz4.write_all(bytes).and_then(|()| lz4.finish().map_err(Into::into))
        }
    };
    packed.expect("packing in memory")
}

// --------------------------------------------------------------------------------------- the check

/// Checks the matches in an archive: each message has those of the table, each in its place.
#[track_caller]
pub(crate) fn check(archive: &[u8], cases: &[Case], found: &[Found]) {
    let mut rest = found;
    for case in cases {
        let (own, others) = rest.split_at(case.hits.len().min(rest.len()));
        check_case(archive, case, own);
        rest = others;
    }
    assert!(rest.is_empty(), "found too much: {rest:#?}");
}

/// Checks the matches of one message.
#[track_caller]
pub(crate) fn check_case(archive: &[u8], case: &Case, found: &[Found]) {
    let name = case.name;
    let urls = |found: &[Found]| found.iter().map(|found| found.url.clone()).collect::<Vec<_>>();
    let expected: Vec<_> = case.hits.iter().map(|hit| hit.url.clone()).collect();
    assert_eq!(urls(found), expected, "{name}");
    for (hit, found) in case.hits.iter().zip(found) {
        let note = || format!("{name}: {found:#?}");
        let own_id = format!("{name}@carriers.example");
        assert_eq!(found.id.as_deref(), Some(hit.id.unwrap_or(&own_id)), "{}", note());
        assert_eq!(found.kind, hit.kind, "{}", note());
        assert_eq!(found.encoding.as_deref(), Some(hit.encoding), "{}", note());
        assert_eq!(found.part.as_deref(), hit.part, "{}", note());
        assert_eq!(found.header.as_deref(), hit.header, "{}", note());
        assert_eq!(found.depth, hit.depth, "{}", note());
        assert_eq!(found.resolved.as_deref(), hit.resolved, "{}", note());
        assert_eq!(found.body.is_none(), hit.header.is_some(), "{}", note());
        let body = found.body.clone().map(|body| &archive[body.start as usize..body.end as usize]);
        if let Some(body) = &found.body {
            assert!(body.start <= found.span.start && found.span.end <= body.end, "{}", note());
        }
        let is_decoded = found.part_span.is_some();
        let source = match &hit.value {
            Some(value) => value.clone().into_bytes(),
            None if is_decoded => decode(body.unwrap_or_default(), hit.encoding, case.charset),
            None => archive.to_vec(),
        };
        let span = found.part_span.clone().unwrap_or(found.span.clone());
        let span = span.start as usize..span.end as usize;
        let expected = hit.span.clone().unwrap_or_else(|| hit.url.clone().into_bytes());
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\n>From ", "\nFrom ");
        assert_eq!(source.get(span.clone()).map(shown), Some(shown(&expected)), "{}", note());
        if let (Some(line), Some(column)) = (found.line, found.column) {
            assert_eq!((line, column), position(archive, found.span.start as usize), "{}", note());
        }
        if is_decoded && hit.value.is_none() {
            // The bytes of the archive decode to the match. A group of base64 may hold more.
            let cut = &archive[found.span.start as usize..found.span.end as usize];
            let decoded = match hit.encoding {
                "base64" => decode_groups(cut),
                encoding => decode(cut, encoding, None),
            };
            let expected = case.charset.map_or(expected.clone(), |charset| encode(charset, &expected));
            let holds = decoded.windows(expected.len()).any(|window| window == expected);
            assert!(holds && decoded.len() <= expected.len() + 4, "{}", note());
        }
    }
}

/// Decodes letters of base64 that begin with a group, whatever stands between them.
fn decode_groups(letters: &[u8]) -> Vec<u8> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    let runs = letters.split(|&byte| byte == b'=').map(|run| run.iter().copied().filter(is_letter).collect::<Vec<_>>());
    runs.flat_map(|run| STANDARD_NO_PAD.decode(run).expect("base64")).collect()
}

/// Returns a text in a charset.
fn encode(charset: &'static Encoding, text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    if charset == encoding_rs::UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    charset.encode(&text).0.into_owned()
}

/// Returns line and column of an offset, from 1.
pub(crate) fn position(text: &[u8], at: usize) -> (u64, u64) {
    let before = &text[..at];
    let line = before.iter().filter(|&&byte| byte == b'\n').count();
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (line as u64 + 1, (at - start) as u64 + 1)
}

/// Decodes a body by means independent of the tested decoders. It handles no errors.
fn decode(body: &[u8], encoding: &str, charset: Option<&'static Encoding>) -> Vec<u8> {
    let bytes = match encoding {
        "base64" => {
            let is_base64 =
                |line: &&[u8]| line.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(byte));
            let lines = body.split(|&byte| byte == b'\n').filter(is_base64);
            // Each run of lines that ends in padding is decoded by itself.
            let mut bytes = Vec::new();
            for line in lines {
                bytes.extend(STANDARD.decode(line).expect("base64"));
            }
            bytes
        }
        _ => {
            let mut bytes = Vec::new();
            let mut rest = body;
            while let Some((&byte, after)) = rest.split_first() {
                let hex = |at: usize| after.get(at).and_then(|&digit| char::from(digit).to_digit(16));
                let blanks = after.iter().take_while(|&&byte| byte == b' ').count();
                (rest, _) = match (byte, hex(0), hex(1)) {
                    (b'=', Some(high), Some(low)) => (&after[2..], bytes.push((high * 16 + low) as u8)),
                    (b'=', ..) if after.get(blanks) == Some(&b'\n') => (&after[blanks + 1..], ()),
                    _ => (after, bytes.push(byte)),
                };
            }
            bytes
        }
    };
    match charset {
        Some(charset) => charset.decode(&bytes).0.into_owned().into_bytes(),
        None => bytes,
    }
}
