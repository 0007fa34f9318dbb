//! XML, calendars and web archives in files of their own.

use super::carriers::{File, packed};
use super::forms::zip;
use super::forms_read::run_all_ways;
use super::support::Dir;

const FEED: &str = "<?xml version=\"1.0\"?>\n<rss xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>\
    <link>http://f.example/?a=it&amp;b=2</link><guid>http://g.example/1</guid>\
    <atom:link href=\"https://f.example/feed?a=1&amp;b=2\" rel=\"http://schema.example/self\"/>\
    <description>&lt;a href=\"https://d.example/x?a=1&amp;amp;b=2\"&gt;this&lt;/a&gt;</description>\
    <content><![CDATA[<p>Go <a href=\"https://c.example/y?a=1&amp;b=2\">there</a></p>]]></content>\
    <x note=\"see https://n.example/z?a=1&amp;b=2 for it\"/><y>http://y.example/?a=1&copy=2</y></channel></rss>\n";
const OF_FEED: &str = "http://f.example/?a=it&b=2\nhttp://g.example/1\nhttps://f.example/feed?a=1&b=2\n\
    https://d.example/x?a=1&b=2\nhttps://c.example/y?a=1&b=2\nhttps://n.example/z?a=1&b=2\nhttp://y.example/?a=1&copy=2\n";

#[test]
fn xml_is_xml() {
    let dir = Dir::new();
    dir.file("feed", FEED);
    run_all_ways(&dir, &[], "feed");
    dir.run(&["feed"]).is(0, OF_FEED);
    // Every offset is that of the source.
    for line in dir.run(&["--json", "feed"]).text().lines() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        let at = found["offset"].as_u64().unwrap() as usize;
        let source = &FEED[at..at + found["length"].as_u64().unwrap() as usize];
        let read = source.replace("&amp;amp;", "&").replace("&amp;", "&");
        assert_eq!(found["url"], read, "{source}");
    }
    dir.file("map", "<urlset><url><loc>http://a.example/?x&amp;y</loc></url></urlset>");
    dir.run(&["map"]).is(0, "http://a.example/?x&y\n");
    // Text that only mentions a feed is searched as text.
    dir.file("text", "A feed is <rss> http://a.example/?x&amp;y </rss>\n");
    dir.run(&["text"]).is(0, "http://a.example/?x&amp;y\n");
}

/// Checks RTF in a file, a pipe and an attachment. Its header names the code page.
#[test]
fn rtf_is_decoded() {
    let dir = Dir::new();
    let field = |url: &str| format!("{{\\field{{\\*\\fldinst{{HYPERLINK \"{url}\"}}}}{{\\fldrslt x}}}}\\par\n");
    let text = format!(
        "{{\\rtf1\\ansi\\ansicpg1251 {}{}{}}}",
        field("http://a.example/\\'ea\\u1083?"),
        field("http://b.example/c\\_d"),
        field("http://c.example/?a&b\" \\\\o \"tip\" \\\\l \"part-2")
    );
    let found = "http://a.example/\u{43a}\u{43b}\nhttp://b.example/c-d\nhttp://c.example/?a&b#part-2\n";
    dir.file("a.rtf", &text);
    dir.run(&["a.rtf"]).is(0, found);
    dir.run_with(&["-"], text.as_bytes()).is(0, found);
    let mail = format!("From: joe@h.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/rtf\n\n{text}");
    dir.file("a.eml", &mail);
    dir.run(&["a.eml"]).is(0, found);
    // Told to be text, its letters are still read, by Windows-1252.
    dir.file("b.rtf", "{\\rtf1 \"http://a.example/\\'e9\"}");
    dir.run(&["--input", "text", "b.rtf"]).is(0, "http://a.example/\u{e9}\n");
}

/// Checks that an internal subset hides no link, and that its entities are expanded.
#[test]
fn entities_of_a_document_are_expanded() {
    let dir = Dir::new();
    let subset = "[\n<!ENTITY site \"https://site.example/a\">\n<!-- > -->\n<!ENTITY host 'host.example'>\n]>\n";
    let text = "<link url=\"http://a.example/\"/><link url=\"&site;?b&amp;c\"/><link url=\"http://&host;/&no;\"/>";
    let filler = "<p>more of the book</p>\n".repeat(30_000);
    dir.file("a.xml", format!("<?xml version=\"1.0\"?>\n<!DOCTYPE book {subset}<book>{text}{filler}{text}</book>"));
    let links = "http://a.example/\nhttps://site.example/a?b&c\nhttp://host.example/&no;\n";
    dir.run(&["a.xml"]).is(0, format!("https://site.example/a\n{links}{links}"));
    let page = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><a href=\"http://a.example/?b&amp;c\">x</a></html>";
    dir.file("a.html", format!("<!DOCTYPE html PUBLIC \"x\" \"http://www.w3.org/x.dtd\" {subset}{page}"));
    dir.run(&["a.html"]).is(0, "https://site.example/a\nhttp://a.example/?b&c\n");
}

#[test]
fn documents_of_offices_are_zips_of_xml() {
    let dir = Dir::new();
    let body = "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/w\"><w:p><w:r><w:t>See http://a.exam\
        </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ple/b</w:t></w:r></w:p><w:p><w:r><w:t>c</w:t></w:r></w:p>\
        <w:p><w:instrText> HYPERLINK \"http://b.example/?x&amp;y\" </w:instrText></w:p></w:document>";
    let links = "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/r\"><Relationship Id=\"r1\" \
        Type=\"http://schemas.openxmlformats.org/hyperlink\" Target=\"http://c.example/?x&amp;y\" TargetMode=\"External\"/>\
        <Relationship Type=\"http://schemas.openxmlformats.org/image\" Target=\"media/image1.png\"/></Relationships>";
    let files: Vec<File> =
        vec![("word/document.xml".into(), body.into()), ("word/_rels/document.xml.rels".into(), links.into())];
    dir.file("a.docx", zip(&files, false));
    run_all_ways(&dir, &["-z"], "a.docx");
    dir.run(&["-zI", "a.docx"]).is(0, "http://a.example/b\nhttp://b.example/?x&y\nhttp://c.example/?x&y\n");
}

/// Word and Excel store the fragment of a link in the part, and the rest of it elsewhere.
#[test]
fn fragments_of_links_are_joined() {
    let dir = Dir::new();
    let link = |id: &str, url: &str| {
        format!(
            "<Relationship Id=\"{id}\" Type=\"http://schemas.example/link\" Target='{url}' TargetMode=\"External\"/>"
        )
    };
    let links = ["http://a.example/?x&amp;y", "http://b.example/", "http://c.example/#own", "http://d.example/"];
    let links: String = links.iter().zip(1..).map(|(url, at)| link(&format!("r{at}"), url)).collect();
    let links =
        format!("<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.example/r\">{links}</Relationships>");
    let word = "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.example/w\"><w:p>\
        <w:hyperlink r:id=\"r1\" w:anchor=\"one\"/><w:hyperlink w:anchor = 'two' w:history=\"1\" r:id=\"r1\">t</w:hyperlink>\
        <w:hyperlink r:id=\"r2\"/><w:hyperlink w:anchor=\"here\"/><w:hyperlink r:id=\"r3\" w:anchor=\"x\"/>\
        <w:other r:id=\"r4\" w:anchor=\"x\"/></w:p></w:document>";
    let sheet = "<?xml version=\"1.0\"?><x:worksheet xmlns:x=\"http://schemas.example/x\"><x:hyperlinks>\
        <x:hyperlink ref=\"A1\" r:id=\"r1\" location=\"one\"/><x:hyperlink r:id=\"r1\" location=\"#two\"/>\
        <x:hyperlink r:id=\"r1\"/><x:hyperlink r:id=\"r2\" location=\"A 1\"/></x:hyperlinks></x:worksheet>";
    let rest = "http://c.example/#own\nhttp://d.example/\n";
    let of_word = format!("http://a.example/?x&y#one\nhttp://a.example/?x&y#two\nhttp://b.example/\n{rest}");
    let of_sheet =
        "http://a.example/?x&y\nhttp://a.example/?x&y#one\nhttp://a.example/?x&y#two\nhttp://b.example/#A%201\n";
    let of_sheet = format!("{of_sheet}{rest}");
    let unread = format!("http://a.example/?x&y\nhttp://b.example/\n{rest}");
    for (part, of_part, text, found) in [
        ("word/document.xml", "word/_rels/document.xml.rels", word, &of_word),
        ("xl/worksheets/sheet1.xml", "xl/worksheets/_rels/sheet1.xml.rels", sheet, &of_sheet),
        // Without a part, links are as they are.
        ("word/document.xml", "word/_rels/other.xml.rels", word, &unread),
        ("other/document.xml", "other/_rels/document.xml.rels", word, &unread),
    ] {
        let files: Vec<File> = vec![(part.into(), text.into()), (of_part.into(), links.clone().into())];
        for files in [files.clone(), files.into_iter().rev().collect()] {
            dir.file("a", zip(&files, false));
            dir.run(&["-zI", "a"]).is(0, found);
        }
    }
    let files: Vec<File> =
        vec![("word/_rels/document.xml.rels".into(), links.into()), ("word/document.xml".into(), word.into())];
    dir.file("a.docx", zip(&files, false));
    run_all_ways(&dir, &["-z"], "a.docx");
    // Before the damage, nothing is lost.
    let whole = zip(&files, false);
    dir.file("a.docx", &whole[..whole.len() - 400]);
    let ran = dir.run(&["-zI", "a.docx"]);
    assert!(ran.text().contains("http://d.example/") && !ran.err.is_empty(), "{} {}", ran.text(), ran.err);
}

/// The instruction of a field may be split over runs, or be an attribute.
#[test]
fn fields_of_word_are_joined() {
    let dir = Dir::new();
    let run = |text: &str| format!("<w:r><w:instrText xml:space=\"preserve\">{text}</w:instrText></w:r>");
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |runs: &[&str]| {
        let runs: String = runs.iter().map(|text| run(text)).collect();
        format!("{}{runs}{}<w:r><w:t>here</w:t></w:r>{}", mark("begin"), mark("separate"), mark("end"))
    };
    let body = [
        field(&[" HYPERLINK \"http://a.example/?x&amp;y\" \\l \"one\" "]),
        field(&[" HYPER", "LINK \"http://b.exa", "mple/\" ", "\\l &quot;t", "wo\" "]),
        field(&[" HYPERLINK \"http://c.example/\" \\o \"tip\" \\l \"three\" "]),
        field(&[" HYPERLINK \"http://d.example/#own\" \\l \"x\" "]),
        field(&[" HYPERLINK \"http://e.example/\" "]),
        "<w:fldSimple w:instr=\" HYPERLINK &quot;http://f.example/?x&amp;y&quot; \\l &quot;six&quot; \"/>".into(),
        "<w:fldSimple w:instr=' HYPERLINK \"http://g.example/\" \\l \"seven\"'><w:r/></w:fldSimple>".into(),
    ];
    let body: String = body.iter().map(|field| format!("<w:p>{field}</w:p>")).collect();
    dir.file("a", format!("<w:document xmlns:w=\"http://schemas.example/w\">{body}</w:document>"));
    run_all_ways(&dir, &[], "a");
    let found = "http://a.example/?x&y#one\nhttp://b.example/#two\nhttp://c.example/#three\nhttp://d.example/#own\n\
        http://e.example/\nhttp://f.example/?x&y#six\nhttp://g.example/#seven\n";
    let mut lines: Vec<String> = dir.run(&["a"]).text().lines().map(String::from).collect();
    lines.sort();
    assert_eq!(lines.join("\n") + "\n", found);
}

/// Returns the UTF-16 string of a binary workbook: its length, and its letters.
fn wide(text: &str) -> Vec<u8> {
    let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [&u32::to_le_bytes(letters.len() as u32 / 2)[..], &letters].concat()
}

/// Returns a record of a binary workbook. Its number has two bytes.
fn wide_record(number: [u8; 2], data: &[u8]) -> Vec<u8> {
    [&number[..], &[data.len() as u8 | 0x80, (data.len() >> 7) as u8], data].concat()
}

#[test]
fn a_binary_workbook_is_read() {
    let dir = Dir::new();
    let link = |id: &str, fragment: &str| {
        wide_record([0xEE, 3], &[&[0; 16][..], &wide(id), &wide(fragment), &wide("tip"), &wide("")].concat())
    };
    let text = "see https://c.example/\u{e9}/\u{6587} or elsewhere";
    let cell = wide_record([0x86, 0], &[&[0; 8][..], &wide(text)].concat());
    let formula = [b"\x17\x14\0", &wide("https://d.example/?x")[4..], b"\x17\x01\0x\0"].concat();
    let formula = wide_record([0x88, 0], &[&[0; 8][..], &wide("shown"), &[0; 6], &formula].concat());
    let sheet = [
        &b"\x81\x01\0\x93\x01\x17"[..],
        &[0; 23],
        &cell,
        &formula,
        &link("r1", "a & b"),
        &link("r2", ""),
        &wide_record([0x92, 1], &[]),
    ]
    .concat();
    let links = "<?xml version=\"1.0\"?><R><Relationship Id=\"r1\" Target=\"http://a.example/?x\"/><Relationship Id=\"r2\" Target=\"http://b.example/\"/></R>";
    let files: Vec<File> = vec![
        ("xl/worksheets/sheet1.bin".into(), sheet),
        ("xl/worksheets/_rels/sheet1.bin.rels".into(), links.into()),
        (
            "xl/sharedStrings.bin".into(),
            [&b"\x9F\x01\x08\x01\0\0\0\x01\0\0\0\x13\x2B\0"[..], &wide("http://e.example/")].concat(),
        ),
    ];
    dir.file("a.xlsb", zip(&files, false));
    run_all_ways(&dir, &["-z"], "a.xlsb");
    dir.run(&["-zI", "a.xlsb"]).is(
        0,
        "https://c.example/\u{e9}/\u{6587}\nhttps://d.example/?x\nhttp://a.example/?x#a%20&%20b\nhttp://b.example/\nhttp://e.example/\n",
    );
}

/// The strings of a property list are in ASCII or in UTF-16. Neither takes bytes of its neighbour.
#[test]
fn strings_of_property_lists_are_whole() {
    let dir = Dir::new();
    let big: Vec<u8> = "https://b.example/\u{e9}".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let list = [
        &b"bplist00\xA3\x01\x02\x03_\x10\x13https://h.example/ao\x10\x13"[..],
        &big,
        b"_\x10\x13https://c.example/b\x08",
    ]
    .concat();
    let found = "https://h.example/a\nhttps://b.example/\u{e9}\nhttps://c.example/b\n";
    dir.file("a", &list);
    let ran = run_all_ways(&dir, &[], "a");
    assert!(ran.text().contains("\"offset\":37"), "{}", ran.text());
    dir.run(&["a"]).is(0, found);
    let long = [&list[..], &vec![0xD1; 6 << 20], &list].concat();
    dir.file("a", &long).run(&["a"]).is(0, [found, found].concat());
    let head = b"From: joe@h.example\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/octet-stream\n\n";
    dir.file("a.eml", [&head[..], &list].concat()).run(&["a.eml"]).is(0, found);
}

/// One link with many fragments and a long target is not multiplied without a bound.
#[test]
fn links_with_many_fragments_are_bounded() {
    let dir = Dir::new();
    let links = format!("<R><Relationship Id=\"r\" Target=\"http://a.example/{}\"/></R>", "x".repeat(7_000));
    let tags: String = (0..5_000).map(|at| format!("<hyperlink r:id=\"r\" location=\"f{at}\"/>")).collect();
    let files: Vec<File> = vec![
        ("xl/a.xml".into(), format!("<x xmlns='y'>{tags}</x>").into()),
        ("xl/_rels/a.xml.rels".into(), links.into()),
    ];
    dir.file("a", zip(&files, false));
    let ran = dir.run(&["-zI", "a"]);
    let count = ran.text().lines().count();
    assert!((1_500..2_000).contains(&count) && ran.err.contains("too many links"), "{count} {}", ran.err);
}

#[test]
fn calendars_and_cards_are_unfolded() {
    let dir = Dir::new();
    dir.file(
        "a",
        "BEGIN:VCALENDAR\r\nDESCRIPTION:Join: https://m.example/abc\\nMore: https://s.example/answ\r\n er/92\r\n\
         URL:https\\://l.example/v1\\,2\r\nEND:VCALENDAR\r\n",
    );
    run_all_ways(&dir, &[], "a");
    dir.run(&["a"]).is(0, "https://m.example/abc\nhttps://s.example/answer/92\nhttps://l.example/v1,2\n");
    dir.file("b", "BEGIN:VCARD\nURL:https://l.example/12\n 34\nEND:VCARD\n");
    dir.run(&["-n", "b"]).is(0, "2:https://l.example/1234\n");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    packed("gzip", bytes)
}

/// Returns a record whose `Content-Length` exceeds its body by this many bytes.
fn record(number: usize, fields: &str, body: &[u8], more: usize) -> Vec<u8> {
    let http = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://s.example/{number}/\r\nWARC-Date: \
         2024-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:x:{number}>\r\nContent-Type: application/http; \
         msgtype=response\r\nContent-Length: {}\r\n\r\n",
        http.len() + more
    );
    [header.as_bytes(), &http, b"\r\n\r\n"].concat()
}

#[test]
fn web_archives_are_read_record_by_record() {
    let dir = Dir::new();
    let html = "Content-Type: text/html\r\n";
    let page = "<a href=rel>x</a> <a href='http://a.example/?x&amp;y'>y</a>\nWARC/1.0\nno record\n";
    let records = [
        record(1, html, page.as_bytes(), 0),
        record(2, &format!("{html}Content-Encoding: gzip\r\n"), &gzip(page.as_bytes()), 0),
        // A wrong length damages only its own record, not the records after it.
        record(3, html, b"<a href=rel>x</a>", 3),
        record(4, "Content-Type: text/plain\r\nContent-Encoding: br\r\n", b"\x0b\x02\x80", 0),
    ];
    let archive = records.concat();
    let links = |number: usize| format!("https://s.example/{number}/\nhttps://s.example/{number}/rel\n");
    let expected = format!(
        "{}http://a.example/?x&y\n{}http://a.example/?x&y\n{}https://s.example/4/\n",
        links(1),
        links(2),
        links(3)
    );
    dir.file("a.warc", &archive).file("a.warc.gz", records.iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    dir.file("a.wacz", zip(&[("archive/data.warc.gz".into(), gzip(&archive))], false));
    for name in ["a.warc", "a.warc.gz", "a.wacz"] {
        run_all_ways(&dir, &["-z"], name);
        dir.run(&["-zI", name]).is(0, &expected);
    }
    // Undecoded parts are counted.
    let stats = dir.run(&["--stats", "a.warc"]);
    assert!(stats.err.contains("undecoded-parts: 1\n") && stats.err.contains("messages: 4\n"), "{}", stats.err);
    let last = dir.run(&["--json", "a.warc"]).text().lines().next_back().map(str::to_string).unwrap();
    let found: serde_json::Value = serde_json::from_str(&last).unwrap();
    assert_eq!(found["message"]["url"], "https://s.example/4/");
    assert_eq!((&found["message"]["id"], &found["message"]["number"]), (&"urn:x:4".into(), &4.into()));
    // Ranges that tile the file find the same.
    for step in [97, 500] {
        let mut tiles = String::new();
        for start in (0..archive.len()).step_by(step) {
            tiles += dir.run(&["--range", &format!("{start}:{}", start + step), "a.warc"]).text();
        }
        assert_eq!(tiles, expected, "{step}");
    }
}

#[test]
fn fields_of_answers_are_links() {
    let dir = Dir::new();
    let fields = "Location: ../moved?a\r\nLink: <https://api.example/>; rel=\"http://r.example/\", </next>;rel=next\r\n\
        X: http://x.example/\r\n";
    dir.file("a.warc", record(1, fields, b"", 0));
    run_all_ways(&dir, &[], "a.warc");
    dir.run(&["a.warc"]).is(
        0,
        "https://s.example/1/\nhttps://s.example/moved?a\nhttps://api.example/\nhttp://r.example/\nhttps://s.example/next\n\
         http://x.example/\n",
    );
    let found = dir.run(&["--json", "--kind=attribute", "a.warc"]);
    let found: Vec<serde_json::Value> = found.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&found[0]["url"], &found[0]["header"]), (&"../moved?a".into(), &"Location".into()));
    assert_eq!((&found[0]["resolved"], &found[0]["attribute"]), (&"https://s.example/moved?a".into(), &().into()));
    let first = dir.run(&["audit", "--format", "json", "a.warc"]);
    let first: serde_json::Value = serde_json::from_str(first.text()).unwrap();
    assert_eq!(first["urls"][0]["first"]["in_message"]["url"], "https://s.example/1/");
}

/// 64 MiB of blanks, packed by Brotli.
const BLANKS: &[u8] = b"\
    \xCB\xFF\xFF\x3F\xF8\x25\x40\xE2\xB1\x40\x20\xF7\xFE\x8F\xFF\xFF\x7F\xF0\x4B\x00\xC4\x61\x11\x80\
    \xEE\xFD\x1F\xFF\xFF\xFF\xE0\x97\x00\x88\xC3\x02\x00\xDD\xFB\x3F\xFE\xFF\xFF\xC1\x2F\x01\x10\x87\
    \x05\x00\xBA\xF7\x7F\xFC\xFF\xFF\x83\x5F\x02\x20\x0E\x0B\x00\x74\xEF\xFF\xF8\xFF\xFF\x07\xBF\x04\
    \x40\x1C\x16\x00\xE8\xDE\xFF\xF1\xFF\xFF\x0F\x7E\x09\x80\x38\x2C\x00\xD0\xBD\xFF\xCB\xFF\xFF\x3F\
    \xFC\x12\x00\x71\x58\x00\xA0\x7B\xFF\x07";

#[test]
fn bombs_and_nests_are_bounded() {
    let dir = Dir::new();
    let bomb = gzip(&vec![b' '; 32 << 20]);
    let nest = format!("<?xml version=\"1.0\"?>{}http://a.example/{}", "<x>".repeat(50_000), "</x>".repeat(50_000));
    let chunks = "ffffffffffffffff\r\nhttp://c.example/ ".to_string() + &"0;\n-1\r\n".repeat(20_000);
    let text = "Content-Type: text/plain\r\n";
    let records = [
        record(1, &format!("{text}Content-Encoding: gzip\r\n"), &bomb, 0),
        record(2, &format!("{text}Content-Encoding: gzip, gzip\r\n"), &gzip(&bomb), 0),
        record(3, &format!("{text}Transfer-Encoding: chunked\r\n"), chunks.as_bytes(), 0),
        record(4, "Content-Type: text/xml\r\n", nest.as_bytes(), 0),
        record(5, &format!("{text}Content-Encoding: br\r\n"), b"http://e.example/", 0),
        record(6, &format!("{text}Content-Encoding: br\r\n"), BLANKS, 0),
        record(
            7,
            &format!("{text}Content-Encoding: zstd\r\n"),
            &zstd::encode_all(&vec![b' '; 64 << 20][..], 1).unwrap(),
            0,
        ),
    ];
    dir.file("a.warc", records.concat()).file("b.xml", &nest);
    dir.file("c.docx", zip(&[("word/document.xml".into(), nest.as_bytes().into())], false));
    let found = dir.run(&["-I", "--stats", "a.warc", "b.xml"]);
    let urls: Vec<&str> = found.text().lines().filter(|url| !url.starts_with("https://s.example/")).collect();
    let expected = ["http://c.example/", "http://a.example/", "http://e.example/", "http://a.example/"];
    assert_eq!(urls, expected);
    assert!(found.err.contains("undecoded-parts: 4\n"), "{}", found.err);
    assert!(found.err.contains("content coding that could not be decoded"), "{}", found.err);
    dir.run(&["-zI", "c.docx"]).is(0, "http://a.example/\n");
}

/// Searches a file as bytes, with a note, if it has more layers than are unpacked.
#[test]
fn layers_that_are_not_undone_are_noted() {
    let dir = Dir::new();
    let mut text = b"http://a.example/\n".to_vec();
    for layer in 1..=4 {
        text = packed("gzip", &text);
        dir.file("a.gz", &text);
        let ran = dir.run(&["-z", "a.gz"]);
        let note = "urlgrep: a.gz: is gzip nested too deep, searched as bytes\n";
        let expected = if layer > 2 { (1, "", note) } else { (0, "http://a.example/\n", "") };
        assert_eq!((ran.code, ran.text(), &*ran.err), expected, "{layer}");
    }
    let mut file: File = ("t".into(), "http://a.example/".into());
    for layer in 1..=5 {
        let name = format!("{layer}.zip");
        file = (name.clone(), zip(&[file], false));
        dir.file(&name, &file.1);
        let ran = dir.run(&["-zI", &name]);
        assert!(ran.text().contains("http://a.example/") || ran.err.contains("too deep"), "{layer}: {}", ran.err);
        assert_eq!(ran.err.contains("a zip nested too deep"), layer > 3, "{layer}: {}", ran.err);
    }
}
