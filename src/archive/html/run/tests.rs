//! The tokenizer alone, without any scan, is the oracle.

use std::fs;
use std::path::Path;

use super::super::bases::ElementBases;
use super::super::reader::OpenElements;
use super::*;
use crate::bytes::simd::Backend;
use crate::turns::turns;

/// Pieces whose combinations reach all states of the standard that matter here.
const FRAGMENTS: &[&[u8]] = &[
    b"<",
    b">",
    b"</",
    b"/>",
    b"/",
    b"=",
    b"\"",
    b"'",
    b"&",
    b";",
    b" ",
    b"  ",
    b"\n",
    b"\r\n",
    b"\r",
    b"\t",
    b"\x0c",
    b"\0",
    b"-",
    b"--",
    b"--!>",
    b"-->",
    b"!",
    b"?",
    b"a",
    b"B",
    b"word text",
    b"://",
    b"http://a.example/",
    b"https:\\/\\/a.example\\/",
    b"\xc3\xa9",
    b"\xff",
    b"#",
    b"x27",
    b"`",
    b"<!-->",
    b"<!--->",
    b"<!---->",
    b"<!--",
    b"<!-- a -- b -->",
    b"<!-",
    b"<!",
    b"<!doctype html>",
    b"<!DOCTYPE a PUBLIC 'b' \"c\" [ <!ENTITY d 'e'> ]>",
    b"<![CDATA[",
    b"]]>",
    b"<?xml version='1.0'?>",
    b"<?",
    b"<!--[if mso]>",
    b"<![endif]-->",
    b"&amp;",
    b"&lt;",
    b"&lt",
    b"&LT",
    b"&nbsp;",
    b"&nbsp",
    b"&copy",
    b"&copy=",
    b"&copyx;",
    b"&notit;",
    b"&nosuch;",
    b"&#58;",
    b"&#x2F;",
    b"&#X2f",
    b"&#0;",
    b"&#150;",
    b"&#x9;",
    b"&#13;",
    b"&#xD800;",
    b"&#x110000;",
    b"&#;",
    b"&#x;",
    b"&#99999999999;",
    b"&#10;",
    b"&#12;",
    b"&#32;",
    b"& ",
    b"&&",
    b"&\r",
    b"?a=1&b=2&lt=3&amp;c=4",
    b"&hellip;",
    b"<a",
    b"<a ",
    b"</a>",
    b"<a href=",
    b"<a href=\"",
    b"<a href='u'>",
    b"<a href=u/>",
    b"<A HREF = u>",
    b"<a/href=u>",
    b"<a href=\"u\"title='://'>",
    b"<a =href=u>",
    b"<a href href=u>",
    b"<a href=u href=v>",
    b"<a title=\"x",
    b"<a href='?x=1&amp;y=2&z'>",
    b"<a\r\nhref=\"u\r\nv\">",
    b" href=\"http://a.example/?b&amp;c\"",
    b" href=\"x&lt\"",
    b" data-src=http&#58;//a.example/",
    b" data-src='http://a.example/&amp;'",
    b" onclick=\"f('http://a/\r\n&quot;')\"",
    b" style='background:url(&quot;u&quot;)'",
    b" alt='a &lt; b'",
    b" srcset='a 1x, b&amp; 2x'",
    b" ping='a b'",
    b" srcdoc='<a href=\"&amp;u\">'",
    b" content='0; url=u'",
    b" http-equiv=refresh",
    b" xml:base=b",
    b" class=c",
    b"<base href=b>",
    b"<meta",
    b"<img",
    b"<img alt=\"x\ny\">",
    b"<br>",
    b"<br/>",
    b"<BR/ >",
    b"<p>",
    b"</p >",
    b"</p a=b>",
    b"</p/>",
    b"</>",
    b"</ x>",
    b"<td>",
    b"</td>",
    b"<span>",
    b"</span>",
    b"<pre>",
    b"</pre>",
    b"<http://a.example/>",
    b"<joe@a.example>",
    b"<o:p>",
    b"<a_very_long_name_of_a_tag>",
    b"<p\xc3\xa9>",
    b"<script>",
    b"<SCRIPT src=u>",
    b"</script>",
    b"</script ",
    b"</scripts>",
    b"<script",
    b"</script/>",
    b"<s",
    b"<style>",
    b"</style>",
    b"</STYLE\n>",
    b"a{b:url(u)}",
    b"<title>",
    b"</title>",
    b"</titl",
    b"</title\r\n>",
    b"<textarea>",
    b"</textarea>",
    b"<xmp>",
    b"</xmp>",
    b"<iframe>",
    b"</iframe>",
    b"<noframes>",
    b"</noframes>",
    b"<plaintext>",
    b"<svg>",
    b"</svg>",
    b"<svg/>",
    b"<math>",
    b"<html xmlns='http://www.w3.org/1999/xhtml'>",
    b"<item>",
    b"<link>",
    b"</link>",
    b"</item>",
    b"<w:instrText>HYPERLINK \"u\" \\l \"f\"",
    b"<w:fldChar/>",
    b"<password>",
];

/// Returns all windows of a source, each of which ends at the first block after `enough` bytes.
fn windows(source: &[u8], is_xml: bool, enough: usize, run: impl Fn(&mut Reader<'_>)) -> Vec<String> {
    let (mut open, mut bases) = (OpenElements::default(), ElementBases::default());
    let (mut windows, mut at) = (Vec::new(), 0);
    loop {
        let mut reader = Reader::new(&source[at..], open, enough);
        (reader.is_xml, reader.bases) = (is_xml, bases.clone());
        run(&mut reader);
        open = reader.open_at_end();
        let is_unfinished = reader.is_unfinished;
        let html = reader.into_html(&mut bases);
        windows.push(format!("{is_unfinished} {open:?} {html:?}"));
        at += html.length;
        if at >= source.len() {
            return windows;
        }
    }
}

#[track_caller]
fn check(source: &[u8], is_xml: bool, enough: usize) {
    let tokenized = windows(source, is_xml, enough, |reader| reader.tokenize());
    for backend in Backend::all() {
        let scanned = windows(source, is_xml, enough, |reader| {
            reader.backend = backend;
            reader.run();
        });
        for (scanned, tokenized) in scanned.iter().zip(&tokenized) {
            assert_eq!(scanned, tokenized, "{backend} {is_xml} {enough} {:?}", String::from_utf8_lossy(source));
        }
        assert_eq!(scanned.len(), tokenized.len());
    }
}

#[test]
fn random_markup() {
    let mut rng = fastrand::Rng::with_seed(2866);
    for _ in 0..turns(400_000) {
        let mut source = Vec::new();
        for _ in 0..rng.usize(1..16) {
            source.extend_from_slice(rng.choice(FRAGMENTS).expect("not empty"));
        }
        let enough = if rng.u8(..4) == 0 { rng.usize(..64) } else { usize::MAX };
        check(&source, rng.u8(..4) == 0, enough);
    }
}

/// The text of an instruction becomes shorter when it is joined.
#[test]
fn elements_within_an_instruction() {
    for inner in ["<a>z</a>", "<a href=u>z</a>", "<br/>", "<b>z</b>"] {
        let source = format!("<w:instrText>HYPERLINK \"u\" \\l \"f\"{inner}<item>x</item><w:fldChar/>");
        check(source.as_bytes(), true, usize::MAX);
    }
}

#[test]
fn pages_of_the_corpora() {
    check_pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora"));
    check_pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/pages"));
}

/// Compares all files of the folders in `URLGREP_PAGES`, which colons separate.
#[test]
#[ignore = "needs folders of real pages"]
fn real_pages() {
    let folders = std::env::var_os("URLGREP_PAGES").expect("folders in URLGREP_PAGES");
    std::env::split_paths(&folders).for_each(|folder| check_pages(&folder));
}

fn check_pages(folder: &Path) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let kind = entry.file_type().expect("a kind");
        if kind.is_dir() {
            check_pages(&entry.path());
        } else if kind.is_file() {
            let page = fs::read(entry.path()).expect("a file");
            for is_xml in [false, true] {
                check(&page, is_xml, 1 << 16);
            }
        }
    }
}
