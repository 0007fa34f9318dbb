//! Files of HTML.

use serde_json::Value;

use super::carriers::{File, packed, tar};
use super::forms::zip;
use super::forms_read::{THREADS, run_all_ways};
use super::support::Dir;

const PAGE: &str = "<html><head><base href=http://a.example/docs/></head>\n<body><a href=\"b.html?x=1&amp;y\">read</a>\n\
                    see http://c.example/&#126;joe<!-- http://d.example/ --></body></html>\n";
const FOUND: &str =
    "http://a.example/docs/\nhttp://a.example/docs/b.html?x=1&y\nhttp://c.example/~joe\nhttp://d.example/\n";

/// Compares the pages of `corpora/` with results read by hand.
#[test]
fn the_pages_of_the_corpora() {
    for (page, expected) in [
        ("page.html", include_str!("../checked/page.html.txt")),
        ("docs/index.html", include_str!("../checked/index.html.txt")),
    ] {
        let page = format!("{}/corpora/{page}", env!("CARGO_MANIFEST_DIR"));
        for threads in THREADS {
            Dir::new().run(&["-nI", "--no-messages", threads, &page]).is(0, expected.replace(' ', ":"));
        }
    }
}

#[test]
fn links_are_relative_to_the_base_that_is_told() {
    let dir = Dir::new();
    let links = "<a href=b.html>b</a> <a href=/c>c</a> <a href='//d.example/'>d</a> <a href=http://e.example/>e</a>";
    let page = format!("<html><body>{links}</body></html>\n");
    let mail = format!("Content-Type: text/html\nFrom: a@b.example\nTo: c@b.example\n\n{page}");
    dir.file("page.html", &page).file("mail.eml", mail);
    dir.file("own.html", page.replace("<body>", "<base href=../own/><body>"));
    dir.file("absolute.html", page.replace("<body>", "<base href=http://f.example/><body>"));
    let base = ["--base", "http://a.example/docs/x"];
    let found = "http://a.example/docs/b.html\nhttp://a.example/c\nhttp://d.example/\nhttp://e.example/\n";
    dir.run(&["--no-messages", "page.html"]).is(0, "http://e.example/\n");
    dir.run(&[&base[..], &["page.html"]].concat()).is(0, found);
    dir.run(&[&base[..], &["-I", "mail.eml"]].concat()).is(0, found);
    dir.run_with(&[&base[..], &["--input", "html"]].concat(), page.as_bytes()).is(0, found);
    dir.run(&[&base[..], &["own.html"]].concat())
        .is(0, format!("http://a.example/own/\n{}", found.replace("docs/b", "own/b")));
    dir.run(&[&base[..], &["absolute.html"]].concat()).is(
        0,
        format!(
            "http://f.example/\n{}",
            found.replace("a.example/docs", "f.example").replace("a.example", "f.example")
        ),
    );
    dir.run(&["--base", "docs/", "page.html"]).fails("", &["--base", "absolute URL"]);
}

#[test]
fn a_page_is_told_by_its_first_tag_or_its_name() {
    let dir = Dir::new();
    dir.file("page", PAGE);
    run_all_ways(&dir, &["-I"], "page").is(0, dir.run(&["-I", "--json", "page"]).out);
    dir.run(&["page"]).is(0, FOUND);
    // A fragment of a page lacks a first tag, and a text may mention one. So the name decides.
    let part = "<p><a href='http://a.example/?x&amp;y'>x</a>";
    dir.file("part.html", part).file("part.htm.gz", packed("gzip", part.as_bytes())).file("part.txt", part);
    for name in ["part.html", "part.htm.gz"] {
        dir.run(&["-z", name]).is(0, "http://a.example/?x&y\n");
    }
    dir.run(&["part.txt"]).is(0, "http://a.example/?x&y\n");
    dir.run(&["--input", "html", "part.txt"]).is(0, "http://a.example/?x&y\n");
    dir.run(&["--input", "text", "part.html"]).is(0, "http://a.example/?x&y\n");
    // The content overrides the name.
    dir.file("mail.html", "From: joe\nTo: jane\n\nhttp://a.example/?x&amp;y\n");
    dir.run(&["mail.html"]).is(0, "http://a.example/?x&amp;y\n");
    let files: Vec<File> = vec![("a/part.XHTML".into(), part.into()), ("notes".into(), PAGE.into())];
    dir.file("a.zip", zip(&files, true)).file("a.tar", tar(&files));
    for name in ["a.zip", "a.tar"] {
        run_all_ways(&dir, &["-z"], name);
        dir.run(&["-zI", name]).is(0, format!("http://a.example/?x&y\n{FOUND}"));
    }
}

#[test]
fn texts_that_are_cut_are_their_links() {
    let dir = Dir::new();
    let link = |text: &str| format!("<p><a href=\"http://a.example/long/path\">{text}</a> x</p>");
    dir.file("cut.html", link("http://a.example/lo...") + &link(" http://a.example/long\u{2026} "));
    dir.run(&["-c", "cut.html"]).is(0, "2\n");
    dir.run(&["cut.html"]).is(0, "http://a.example/long/path\n".repeat(2));
    // The link leads to another URL, or its text is more than the URL.
    dir.file("other.html", link("http://b.example/lo...") + &link("see http://a.example/lo..."));
    dir.run(&["--kind", "bare", "other.html"]).is(0, "http://b.example/lo\nhttp://a.example/lo\n");
}

#[test]
fn what_is_said_of_a_link() {
    let dir = Dir::new();
    dir.file("page.html", PAGE);
    let records: Vec<Value> =
        dir.run(&["--json", "page.html"]).text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let link = &records[1];
    assert_eq!((&link["kind"], &link["url"]), (&"attribute".into(), &"b.html?x=1&y".into()));
    assert_eq!((&link["resolved"], &link["text"]), (&"http://a.example/docs/b.html?x=1&y".into(), &"read".into()));
    assert_eq!((&link["line"], &link["attribute"]), (&2.into(), &"a href".into()));
    let (start, length) = (link["offset"].as_u64().unwrap() as usize, link["length"].as_u64().unwrap() as usize);
    assert_eq!(&PAGE[start..start + length], "b.html?x=1&amp;y");
    for record in &records {
        assert_eq!((&record["content_type"], &record["encoding"]), (&"text/html".into(), &"8bit".into()));
        for absent in ["message", "part", "header", "quote_depth", "body", "note"] {
            assert_eq!(record[absent], Value::Null, "{absent}");
        }
    }
    // Without a base it stays relative.
    dir.file("bare.html", "<a href=../b.html>x</a> <a href=#top>up</a>");
    let ran = dir.run(&["--json", "bare.html"]);
    let record: Value = serde_json::from_str(ran.text()).unwrap();
    assert_eq!((&record["url"], &record["resolved"]), (&"../b.html".into(), &Value::Null));
    assert!(dir.run(&["--stats", "page.html"]).err.contains("messages: 0\n"));
    // A page is one unit: it belongs to the range that holds its first byte.
    dir.run(&["--range", "0:1", "page.html"]).is(0, FOUND);
    dir.run(&["--range", "1:", "page.html"]).is(1, "");
}

#[test]
fn urls_of_other_attributes() {
    let dir = Dir::new();
    let page = "<base href=http://b.example/>\n<b data-x=\"{&quot;u&quot;:&quot;http:\\/\\/a.example\\/x?a&amp;b&quot;}\">\
                <i itemtype=http://schema.example/T title='see http://a.example/t, or /u'>\
                <u style='a:url(/c);b:\"http://a.example/d\"' value=http://a.example/v,w,>\n\
                <iframe srcdoc='<a href=s>http://a.example/r</a>'></iframe>\n";
    dir.file("page.html", page);
    let urls = [
        "http://b.example/",
        "http://a.example/x?a&b",
        "http://a.example/t",
        "http://b.example/c",
        "http://a.example/d",
    ];
    let all = [&urls[..], &["http://a.example/v,w", "http://b.example/s", "http://a.example/r"]].concat();
    dir.run(&["page.html"]).is(0, all.join("\n") + "\n");
    dir.run(&["--kind", "attribute", "page.html"]).is(0, all[..7].join("\n") + "\n");
    let text = dir.run(&["--json", "page.html"]).text().to_string();
    let records: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = ["b data-x", "i title", "u style", "u style", "u value"];
    for (record, (name, source)) in records[1..].iter().zip(names.iter().zip([
        "http:\\/\\/a.example\\/x?a&amp;b",
        "http://a.example/t",
        "/c",
        "http://a.example/d",
        "http://a.example/v,w",
    ])) {
        let (start, length) =
            (record["offset"].as_u64().unwrap() as usize, record["length"].as_u64().unwrap() as usize);
        assert_eq!((&record["attribute"], &page[start..start + length]), (&(*name).into(), source));
    }
}

#[test]
fn charsets_of_pages() {
    let dir = Dir::new();
    let latin = b"<meta charset=latin1><a href='http://a.example/'>\xE9t\xE9</a> http://b.example/\xE9".to_vec();
    dir.file("latin.html", &latin);
    dir.run(&["latin.html"]).is(0, "http://a.example/\nhttp://b.example/é\n");
    let utf16: Vec<u8> = [0xFF, 0xFE].into_iter().chain(PAGE.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    dir.file("utf16.html", utf16);
    dir.run(&["utf16.html"]).is(0, FOUND);
}

/// Searches a page too long to be held, through every driver. Its links still resolve.
#[test]
fn a_long_page() {
    let dir = Dir::new();
    let row = |number: usize| format!("<tr><td><a href='m{number}.html'>Re: lamps &amp; oil</a> <td>{:80}\n", "by Joe");
    let rows: String = (0..120_000).map(row).collect();
    let page = format!("<html><base href=http://a.example/><table>{rows}</table>http://b.example/");
    assert!(page.len() > 14 << 20);
    let links: String = (0..120_000).map(|number| format!("http://a.example/m{number}.html\n")).collect();
    let expected = format!("http://a.example/\n{links}http://b.example/\n");
    dir.file("long.html", &page).file("long.html.gz", packed("gzip", page.as_bytes()));
    for threads in THREADS {
        dir.run(&["-z", threads, "long.html"]).is(0, &expected);
        dir.run(&["-z", threads, "long.html.gz"]).is(0, &expected);
        dir.run_with(&[threads], page.as_bytes()).is(0, &expected);
    }
    dir.run(&["-n", "--host", "b.example", "long.html"]).is(0, "120001:http://b.example/\n");
}

#[test]
fn an_audit_of_pages() {
    let dir = Dir::new();
    dir.file("a/page.html", "<a href='http://evil.example/login'>http://bank.example/</a>");
    let ran = dir.run(&["audit", "--format", "csv", "a"]);
    assert!(ran.text().contains("X-ANCHOR") && ran.text().contains("a/page.html"), "{}", ran.text());
    assert!(dir.run(&["audit", "--db", "a.db", "a"]).text().contains("X-ANCHOR"));
    assert!(dir.run(&["audit", "--db", "a.db", "a"]).text().contains("X-ANCHOR"), "from the database");
}

/// Drops a long base, which each relative link of its page would repeat.
#[test]
fn a_long_base_is_none_with_a_note() {
    let dir = Dir::new();
    let page = |length: usize| {
        let base = format!("http://h.example/{}/", "a".repeat(length - "http://h.example//".len()));
        let links: String = (0..1000).map(|n| format!("<a href=x{n}>x</a>\n")).collect();
        (format!("<html><base href='{base}'>\n{links}"), base)
    };
    let (text, base) = page(2048);
    dir.file("a.html", &text);
    let ran = dir.run(&["--json", "a.html"]);
    assert_eq!(ran.err, "");
    assert!(ran.text().lines().nth(1000).is_some_and(|line| line.contains(&format!("\"resolved\":\"{base}x999\""))));
    let (text, base) = page(2049);
    dir.file("b.html", &text);
    let ran = dir.run(&["--json", "b.html"]);
    assert!(ran.err.contains("base of more than 2,048 bytes"), "{}", ran.err);
    assert_eq!(ran.text().lines().count(), 1001);
    assert!(ran.text().lines().skip(1).all(|line| !line.contains(&base)));
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ran = dir.file("d.html", utf16).run(&["--json", "d.html"]);
    assert!(ran.err.contains("base of more than 2,048 bytes"), "{}", ran.err);
    assert!(ran.text().lines().skip(1).all(|line| !line.contains(&base)));
    let mail = format!("From: a@h.example\nContent-Base: {base}\nContent-Type: text/html\n\n<a href=x>x</a>\n");
    dir.file("c.eml", mail);
    let ran = dir.run(&["--json", "c.eml"]);
    assert!(ran.err.contains("base of more than 2,048 bytes"), "{}", ran.err);
    assert!(ran.text().contains("\"url\":\"x\""), "{}", ran.text());
}

#[test]
fn bases_of_elements_nest() {
    let dir = Dir::new();
    let feed = "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='http://a.example/x/'><link href='1'/>\
                <entry xml:base='y/'><link href='2'/><content>&lt;a href='3'&gt;</content><br/></entry>\
                <link href='4' xml:base='/z/'/><link href='5'/></feed><link href='6'/>";
    let urls = ["x/", "x/1", "x/y/", "x/y/2", "x/y/3", "z/4", "z/", "x/5"];
    let urls = urls.map(|path| format!("http://a.example/{path}\n")).concat();
    dir.file("feed", feed);
    dir.run(&["--no-messages", "feed"]).is(0, &*urls);
    dir.run(&["--base", "http://b.example/c/", "feed"]).is(0, urls + "http://b.example/c/6\n");
    let rss = "<rss><channel><link>http://a.example/c/</link><image><link>http://b.example/</link></image>\
               <item><description><![CDATA[<a href='x'>x</a>]]></description><link>http://a.example/p/1</link>\
               <enclosure url='y'/></item><item><enclosure url='z'/><link>z y</link></item></channel><a href='v'/></rss>";
    dir.file("rss", rss);
    let urls = ["a.example/c/", "b.example/", "a.example/p/x", "a.example/p/1", "a.example/p/y", "a.example/c/z"];
    dir.run(&["--no-messages", "rss"]).is(0, urls.map(|url| format!("http://{url}\n")).concat());
}

#[test]
fn xml_by_its_namespace_or_its_name() {
    let dir = Dir::new();
    let rest = "><b c='http://c.example/?a&amp;lt;b&amp;copy=1'/><a href='/d'/></p>";
    dir.file("n", format!("<p xmlns='http://n.example/'{rest}")).file("text", format!("<p{rest}"));
    for name in ["a.xml", "a.csproj", "A.RESX", "a.xml.txt"] {
        dir.file(name, format!("<p{rest}"));
    }
    let found = "http://c.example/?a&lt;b&copy=1\n";
    for name in ["n", "a.xml", "a.csproj", "A.RESX"] {
        dir.run(&["-I", "--no-messages", name]).is(0, found);
        dir.run(&["-I", "--base", "http://d.example/", name]).is(0, format!("{found}http://d.example/d\n"));
    }
    for name in ["text", "a.xml.txt"] {
        let ran = dir.run(&["-I", "--base", "http://d.example/", name]);
        assert!(!ran.text().contains("d.example"), "{name}");
    }
}

/// Checks the parameter `copy` in a URL of the text, which a browser shows as `©`.
#[test]
fn parameters_with_the_names_of_characters() {
    let dir = Dir::new();
    let url = "https://h.example/a?b=c&copy=1&region=x#y";
    dir.file("a.html", format!("<p>see {url} <a href=\"{url}\">{url}</a> &copy2026</p>"));
    dir.run(&["a.html"]).is(0, format!("{url}\n").repeat(3));
}
