use std::borrow::Cow;
use std::ops::Range;

use super::part::ANCHOR_TEXT;
use super::*;
use crate::turns::turns;

/// Returns the details of each link that a test compares: element, attribute, value, and the
/// value's source.
fn links(html: &str) -> Vec<String> {
    let part = checked(html.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    part.links
        .iter()
        .map(|link| {
            let source = &html.as_bytes()[link.source.clone()];
            let element = text(link.element).to_ascii_lowercase();
            let attribute = link.attribute.map(|name| format!(" {name}")).unwrap_or_default();
            let written =
                if matches!(link.value, Cow::Borrowed(_)) { String::new() } else { format!(" from {}", text(source)) };
            format!("{element}{attribute} {}{written}", text(&link.value))
        })
        .collect()
}

#[track_caller]
fn check_links(html: &str, expected: &[&str]) {
    assert_eq!(links(html), expected, "{html:?}");
}

#[track_caller]
fn check_text(html: &str, expected: &str) {
    // the comment makes each text HTML
    let html = format!("<!---->{html}");
    let part = checked(html.as_bytes());
    assert_eq!(String::from_utf8_lossy(part.text.bytes()), expected, "{html:?}");
}

#[track_caller]
fn check_runs(html: &str, expected: &[(RunKind, &str)]) {
    let part = checked(html.as_bytes());
    let runs: Vec<_> = part.runs.iter().map(|run| (run.kind, &html[run.source.clone()])).collect();
    assert_eq!(runs, expected, "{html:?}");
}

/// Reads a part and checks the invariants of every part.
#[track_caller]
fn checked(source: &[u8]) -> Html<'_> {
    let part = read(source);
    let mut before = 0;
    for link in &part.links {
        assert!(before <= link.source.start && link.source.end <= source.len(), "{link:?}");
        before = link.source.start;
        assert!(!link.value.is_empty());
        if matches!(link.value, Cow::Borrowed(_)) {
            assert_eq!(*link.value, source[link.source.clone()], "{link:?}");
        }
        if let Some(text) = part.anchor_text(link) {
            assert!(text.len() <= ANCHOR_TEXT && text.trim_ascii().len() == text.len() && !text.is_empty());
        }
    }
    before = 0;
    for run in &part.runs {
        assert!(before <= run.source.start && run.source.end <= source.len() && !run.source.is_empty(), "{run:?}");
        before = run.source.end;
    }
    before = 0;
    for at in 0..part.text.bytes().len() {
        let place = part.text.source(at..at + 1);
        assert!(before <= place.start && place.end <= source.len(), "{at}: {place:?} after {before}");
        before = place.start;
        let byte = part.text.bytes()[at];
        let decoded =
            source[place.clone()].starts_with(b"&") || source.get(place.start) == Some(&0) || place.len() != 1;
        assert!(decoded || byte.is_ascii_whitespace() || byte == source[place.start], "{at}: {place:?}");
    }
    let all = part.text.source(0..part.text.bytes().len());
    assert!(all.end <= source.len());
    assert!(part.base.is_none_or(|index| index < part.links.len()));
    part
}

#[test]
fn every_attribute() {
    for (html, expected) in [
        ("<a href=u>", "a href u"),
        ("<A HREF='u'>", "a href u"),
        ("<area href=u>", "area href u"),
        ("<link rel=stylesheet href=u>", "link href u"),
        ("<base href=u>", "base href u"),
        ("<img src=u>", "img src u"),
        ("<img lowsrc=u>", "img lowsrc u"),
        ("<img dynsrc=u>", "img dynsrc u"),
        ("<img longdesc=u>", "img longdesc u"),
        ("<img usemap=u#m>", "img usemap u#m"),
        ("<v:imagedata src=u>", "v:imagedata src u"),
        ("<v:imagedata o:href=u>", "v:imagedata o:href u"),
        ("<form action=u>", "form action u"),
        ("<button formaction=u>", "button formaction u"),
        ("<blockquote cite=u>", "blockquote cite u"),
        ("<table background=u>", "table background u"),
        ("<video poster=u>", "video poster u"),
        ("<object data=u>", "object data u"),
        ("<object classid=u>", "object classid u"),
        ("<object codebase=u>", "object codebase u"),
        ("<applet codebase=u>", "applet codebase u"),
        ("<head profile=u>", "head profile u"),
        ("<html manifest=u>", "html manifest u"),
        ("<use xlink:href=u>", "use xlink:href u"),
        ("<a ping=u>", "a ping u"),
        ("<img srcset='u 2x'>", "img srcset u"),
        ("<link imagesrcset='u 2x'>", "link imagesrcset u"),
        ("<meta http-equiv=Refresh content='0; url=u'>", "meta content u"),
        ("<meta content='0; url=u' http-equiv=refresh>", "meta content u"),
        ("<meta property=og:image content=' HTTPS://a.example/x.png '>", "meta content HTTPS://a.example/x.png"),
        ("<td style='background: url(u)'>", "td style u"),
        ("<style>@import 'u';</style>", "style u"),
        ("<STYLE>a{b:url(u)}", "style u"),
    ] {
        check_links(html, &[expected]);
    }
    check_links("<meta content='0; url=u' style='x:url(v)' http-equiv=refresh>", &["meta content u", "meta style v"]);
    check_links("<a ping='u v'>", &["a ping u", "a ping v"]);
    check_links("<object archive='u v'>", &["object archive u", "object archive v"]);
    check_links("<applet archive='u, v'>", &["applet archive u", "applet archive v"]);
    check_links(
        "<img src=a srcset='b 1x, c 2x' style='d:url(e)'>",
        &["img src a", "img srcset b", "img srcset c", "img style e"],
    );
}

#[test]
fn no_links() {
    for html in [
        "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:v='urn:x'>",
        "<a name=u>",
        "<a href>",
        "<a href=''>",
        "<a href=' \n'>",
        "<a\thref=>",
        "<a data-href=u hrefs=u xhref=u>",
        "<td data=u profile=u archive=u classid=u content=u>",
        "<img usemap='#m'>",
        "<object classid='clsid:1-2'>",
        "<meta name=x content='0; url=u'>",
        "<meta http-equiv=refresh content=5>",
        "<meta name=description content='http://a.example/ and more'>",
        "</a href=u>",
        "<!-- <a href=u> -->",
        "<script><a href=u></script>",
        "<title><a href=u></title>",
        "<!DOCTYPE html PUBLIC 'x' 'http://www.w3.org/TR/html4/strict.dtd'>",
        "<style>a{b:c}</style>",
    ] {
        check_links(html, &[]);
    }
}

#[test]
fn spellings_of_values() {
    for (html, expected) in [
        ("<a href=\"u v\">", "a href u v"),
        ("<a href='u\"v'>", "a href u\"v"),
        ("<a href=u/v>", "a href u/v"),
        ("<a href=u/>", "a href u/"), // the slash belongs to the value
        ("<a href = \n u >", "a href u"),
        ("<a\r\nhref\r\n=\r\n'u'\r\n>", "a href u"),
        ("<a/href=u>", "a href u"),
        ("<a href=u href=v HREF=w>", "a href u"),
        ("<a class=x href=u class=y>", "a href u"),
        ("<a href='u'class=x>", "a href u"),
        ("<a title='a>b' href=u>", "a href u"),
        ("<a href=' \t u \n'>", "a href u"),
        ("<a href='u\nv\r\n w\tx'>", "a href uv wx from u\nv\r\n w\tx"),
        ("<a href='u?a&amp;b'>", "a href u?a&b from u?a&amp;b"),
        ("<a href=u?a&amp;b>", "a href u?a&b from u?a&amp;b"),
        ("<a href='&#104;&#x74;&#X54;p'>", "a href htTp from &#104;&#x74;&#X54;p"),
        ("<a href='&#104&#116;'>", "a href ht from &#104&#116;"),
        ("<a href='u?a&b=c&copy=d&copy;&lt'>", "a href u?a&b=c&copy=d©< from u?a&b=c&copy=d&copy;&lt"),
        ("<a href='u&amp'>", "a href u& from u&amp"),
        ("<a href='u&'>", "a href u&"),
        ("<a href='u?a&nosuch;b&#;&#x;'>", "a href u?a&nosuch;b&#;&#x;"),
        ("<a href=' &#32;u&Tab;&NewLine;'>", "a href u"),
        ("<a href='u\0'>", "a href u\u{fffd} from u\0"),
        ("<a href='&eacute;'>", "a href é from &eacute;"),
        ("<a href='\r\nu&amp;\r\nv'>", "a href u&v from u&amp;\r\nv"),
        ("<td style=\"x:url(&quot;u&quot;)\">", "td style u"),
        ("<td style='x:url(\\75 )'>", "td style u from \\75 "),
        ("<td style='x:url(\" u\\\nv\\20\")'>", "td style uv from  u\\\nv\\20"),
        ("<img srcset='a&amp;b 2x'>", "img srcset a&b from a&amp;b"),
        ("<meta http-equiv=refresh content=\"0;url=&#39;u&#39;\">", "meta content u"),
    ] {
        check_links(html, &[expected]);
    }
}

#[test]
fn base_is_the_first_with_a_reference() {
    let part = read(b"<a href=x><base target=_top><base href=y><base href=z>");
    assert_eq!(*part.base().expect("a base").value, *b"y");
    assert_eq!(part.links.len(), 3);
    assert!(read(b"<base><a href=x>").base().is_none());
}

#[test]
fn text_is_what_a_reader_sees() {
    for (html, expected) in [
        ("", ""),
        ("http://exam<b>ple</b>.com/", "http://example.com/"),
        ("http://exam<wbr>ple.<span class=x>com</span>/", "http://example.com/"),
        ("<span>http://a.example/</span><span class=x>http://b.example/</span>", "http://a.example/ http://b.example/"),
        ("<b>x</b><span>http://b.example/</span>", "xhttp://b.example/"),
        ("<b>http://a.example/?u=</b><i>http://b.example/</i>", "http://a.example/?u=http://b.example/"),
        ("<b>http://a.example</b><i>/x</i>", "http://a.example/x"),
        ("http://exam<!-- x -->ple.com/", "http://example.com/"),
        ("a<o:p>b</o:p>", "ab"),
        ("http://a.example/?b&copy=1&region=2&timestamp=3", "http://a.example/?b&copy=1&region=2&timestamp=3"),
        ("http://<b>a.example</b>/?b&copy=1&copy;=1&copy", "http://a.example/?b&copy=1©=1©"),
        ("http://a.example/?b&lt=1&amp=2&ampc&ltbr>", "http://a.example/?b&lt=1&amp=2&c<br>"),
        ("http://a.example/&nbspx&#61=", "http://a.example/\u{a0}x=="),
        ("http://a.example/ &copy2026 b&copy=1", "http://a.example/ ©2026 b©=1"),
        ("a<br>b<BR/>c</br>d", "a\nb\nc\nd"),
        ("a<br><br>b<br><br><br>c", "a\n\nb\n\nc"),
        ("<p>a<p>b</p>c", "a\n\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div>a<br></div><div>b</div>", "a\nb"),
        ("<div>a</div><br><div>b</div>", "a\n\nb"),
        ("a<hr>b", "a\nb"),
        ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>", "a\tb\nc"),
        ("a\nb\r\nc\rd", "a b c d"),
        ("a \n\t b", "a b"),
        ("a  b\tc", "a  b\tc"),
        ("a <b> b </b> c", "a b c"),
        ("a<b>\n</b>b", "a b"),
        ("\n a \n<p>\n b \n</p>\n", "a\n\nb"),
        ("a \r\n<br>\r\n b", "a\nb"),
        ("a<pre>\nb\r\n  c\r\r\nd </pre> e", "a\n\n\nb\n  c\n\nd \n\ne"),
        ("<pre>a<pre>b\nc</pre>d\ne</pre>f\ng</pre>h\ni", "a\n\nb\nc\n\nd\ne\n\nf g\n\nh i"),
        ("a&amp;b&lt;c&gt;&quot;&apos;&#39;&#x27;", "a&b<c>\"'''"),
        ("a&nbsp;b", "a\u{a0}b"),
        ("a&#10;b&#32;c", "a b c"),
        ("<pre>a&#10;b</pre>", "a\nb"),
        ("&amp;amp;", "&amp;"),
        ("&notit; &nosuch; &; & &# &#x", "¬it; &nosuch; &; & &# &#x"),
        ("&#59;&semi;&#48&#50", ";;02"),
        ("&ngE;&nGt;", "≧\u{338}≫\u{20d2}"),
        ("&#0;&#x80;&#xD800;&#x110000;&#99999999999;", "\u{fffd}€\u{fffd}\u{fffd}\u{fffd}"),
        ("a\0b", "ab"),
        ("1 < 2 <3 << </> x", "1 < 2 <3 << x"),
        ("a</>b</></>&amp;</>c", "ab&c"),
        ("a</><b", "a"),
        ("<", "<"),
        ("</", "</"),
        ("a<img src=x>b", "a b"),
        ("a<img alt='c&amp;d'>b", "a c&d b"),
        ("a<img alt='c\nd'>b", "a c d b"),
        ("<title>a</titl <b>b&amp;</title>c", "a</titl <b>b&\nc"),
        ("<textarea>a\nb&lt;</textarea>c", "a\nb<\nc"),
        ("<xmp>a\n<b>&amp;</xmp>b", "a\n<b>&amp;\n\nb"),
        ("<plaintext>a\n<b></plaintext>", "a\n<b></plaintext>"),
        ("<noscript>a</noscript>b", "a\nb"),
        ("<template>a</template>b", "a\nb"),
        ("a<script>b</script>c<style>d</style>e", "ace"),
        ("<title>a\r\nb\0</></title>", "a b\u{fffd}</>"),
    ] {
        check_text(html, expected);
    }
}

#[test]
fn places_of_text() {
    let html = "<!---->x <a href=u>http://exam<b>ple</b>.com/?a&amp;b\r\n\r\n c</a> &#59;d<br>e";
    let part = checked(html.as_bytes());
    let text = std::str::from_utf8(part.text.bytes()).expect("of text");
    let place = |word: &str| {
        let at = text.find(word).expect(word);
        &html[part.text.source(at..at + word.len())]
    };
    assert_eq!(text, "x http://example.com/?a&b c ;d\ne");
    for (word, source) in [
        ("x", "x"),
        ("http://example.com/?a&b", "http://exam<b>ple</b>.com/?a&amp;b"),
        ("example", "exam<b>ple"),
        ("ple", "ple"),
        ("&", "&amp;"),
        ("?a&", "?a&amp;"),
        ("b", "b"),
        ("b c", "b\r\n\r\n c"),
        (";d", "&#59;d"),
        ("d\ne", "d<br>e"),
    ] {
        assert_eq!(place(word), source, "{word:?}");
    }
}

#[test]
fn runs() {
    use RunKind::{Comment, Markup, Plain, Raw};
    check_runs(
        "<!-- a --><!--[if mso]><a href='u'><![endif]-->",
        &[(Comment, " a "), (Comment, "[if mso]><a href='u'><![endif]")],
    );
    check_runs("<!--><!---><!----><!--a--!><!--b", &[(Comment, "-"), (Comment, "a"), (Comment, "b")]);
    check_runs(
        "<![if !vml]>a<![endif]><?xml b?></ c>",
        &[(Comment, "[if !vml]"), (Comment, "[endif]"), (Comment, "xml b?"), (Comment, " c")],
    );
    check_runs("<script>a</b></script><script>c", &[(Raw, "a</b>"), (Raw, "c")]);
    check_runs("<script><!--<script>a</script>--></script>", &[(Raw, "<!--<script>a</script>-->")]);
    check_runs("<style>a</style ><iframe><p></iframe>", &[(Raw, "a"), (Raw, "<p>")]);
    check_runs(
        "<p>see <http://a.example/b c> or <URL:http://a.example/> <o:p>",
        &[(Markup, "<http://a.example/b c>"), (Markup, "<URL:http://a.example/>")],
    );
    check_runs(
        "<p>mail <joe@a.example> or <mailto:joe@a.example>",
        &[(Markup, "<joe@a.example>"), (Markup, "<mailto:joe@a.example>")],
    );
    check_runs("<p>a<a href='http://a.example/>b</a>", &[(Markup, "<a href='http://a.example/>b</a>")]);
    check_runs("<p>a</b", &[(Markup, "</b")]);
    check_runs("a\n<http://a.example/>\nb", &[(Plain, "a\n<http://a.example/>\nb")]);
    check_runs("AT&T", &[(Plain, "AT&T")]);
    check_runs("", &[]);
    check_runs("AT&amp;T", &[]);
    check_runs("<!doctype html>a", &[]);
    assert_eq!(read(b"a <b@c> d").text.bytes(), b"");
}

#[test]
fn a_tag_without_end_has_no_links() {
    check_links("<a href=u><img src=v", &["a href u"]);
    check_links("<a href=u><img src=v ", &["a href u"]);
    check_links("<http://a.example/ src=u>", &[]);
}

#[test]
fn text_of_anchors() {
    for (html, expected) in [
        ("<a href=u>x</a>y", &["x"][..]),
        ("a <a href=u> x\n <b>y</b><br>z </a> b", &["x y z"]),
        ("<a href=u></a>y", &[""]),
        ("<a href=u><img src=v alt='x y'></a>z", &["x y", ""]),
        ("<a href=u>x<img src=v alt=y>z</a>", &["x y z", ""]),
        ("<a href=u>x&amp;y</a>", &["x&y"]),
        ("<a href=u>x<a href=v>y</a>z</a>", &["x", "y"]),
        ("<a href=u>x<a name=v>y</a>z</a>", &["x"]),
        ("<a href=u>x", &["x"]),
        ("<table><td><a href=u>x</td><td>y</table>", &["x"]),
        ("<a href=u><table><td>x</td><td>y</td></table></a>z", &["x y"]),
        ("<a href=u>x<p>y</a>", &["x y"]),
        ("<a href=u>x<script>y</script><!-- z --></a>", &["x"]),
        ("<b>x</b></a><a href=u>y</a>", &["y"]),
    ] {
        let part = checked(html.as_bytes());
        let texts: Vec<_> = part.links.iter().map(|link| part.anchor_text(link).unwrap_or_default()).collect();
        assert_eq!(texts, expected.iter().map(|text| text.as_bytes()).collect::<Vec<_>>(), "{html:?}");
    }
}

#[test]
fn text_of_an_anchor_is_cut_between_characters() {
    for (html, length) in [
        (format!("<a href=u>{}", "é".repeat(2000)), 1024),
        (format!("<a href=u>x{}", "é".repeat(2000)), 1023),
        (format!("<a href=u>{}", "abc ".repeat(2000)), 1023), // no blank at the end
        (format!("<a href=u>{}", "x".repeat(1024)), 1024),
    ] {
        let part = read(html.as_bytes());
        let text = part.anchor_text(&part.links[0]).expect("a text");
        assert_eq!(text.len(), length);
        assert!(std::str::from_utf8(&text).is_ok());
    }
    let bytes = [&b"<a href=u>"[..], &[0x80; 3000]].concat();
    let part = read(&bytes);
    assert_eq!(part.anchor_text(&part.links[0]).map(|text| text.len()), Some(ANCHOR_TEXT));
}

/// Pieces of hostile and broken text.
const PIECES: [&str; 41] = [
    "<", ">", "&", ";", "'", "\"", "=", "\r", "\n", "\0", "</>", "</a>", "<a ", "<a", "<a b", "<!--", "-->", "&amp;",
    "&#", "&lt", "&lt;", " ", "/", "é", "\\", "</", "\r\n", "&#59;", "<pre>", "href=", "\u{fffd}", "a\0", "<b>",
    "<b>x", "<p>x", "<br>", "<!", "<?", "<td>", "</td>", "<x@y>",
];

/// Checks that hostile text costs no more time and memory than other text. (Quadratic time would
/// last hours.)
#[test]
fn hostile_text() {
    let size = turns(1 << 20);
    let tags = [
        "<a href=u>",
        "<a href='",
        "<a href=\"",
        "<!--<!",
        "<![CDATA[",
        "<script>",
        "</script",
        "<title></titl",
        "<style>url(",
        "<style>@import'",
        "<a href=u><td>",
        "<img alt=x>",
        "<table><tr><td><a href=x>y",
        "<plaintext>",
        "<svg><title>",
        "<!doctype ",
    ];
    for piece in PIECES.into_iter().chain(tags) {
        let html = piece.repeat(size / piece.len());
        for html in
            [html.clone(), format!("<p>{html}</p>"), format!("<a href='{html}'>x"), format!("<img style='{html}'>")]
        {
            let part = read(html.as_bytes());
            for link in &part.links {
                part.anchor_text(link);
            }
            let end = part.text.bytes().len();
            assert!(part.text.source(0..end).end <= html.len());
        }
    }
    for piece in ["a ", ",", "a,", "(", "url(", "\\", "'", "/*", "@import ", "url('", "\t"] {
        let value = piece.repeat(size / piece.len());
        for attribute in ["ping", "srcset", "style", "href"] {
            let html = format!("<a {attribute}=\"{value}\">x</a>");
            let part = read(html.as_bytes());
            assert!(part.links.len() <= size / 4);
        }
    }
    let list = format!("<a ping='{}http://a.example/ b'>", "a ".repeat(256));
    check_runs(&list, &[(RunKind::Raw, "http://a.example/ b")]);
    let attributes = format!("<a {}>", "href=u ".repeat(size / 7));
    assert_eq!(read(attributes.as_bytes()).links.len(), 1);
}

#[test]
fn random_mutations() {
    const SEEDS: &[&str] = &[
        "<html xmlns:o='urn:x'><head><base href=\"http://a.example/\"><title>T &amp; t</title><style>a{b:url('c\\20')}</style>",
        "<!--[if mso]><v:roundrect href=\"u\"><![endif]--><p class=MsoNormal>x<o:p>&nbsp;</o:p></p>\r\n",
        "<table background=b><tr><td style=\"background:url(x)\"><a href='http://a.example/?x=1&amp;y=2&copy=3'>a\r\nb <b>c</b></a></td></table>",
        "<pre>\r\nhttp://a.example/\r\n</pre>&#104;&#x74;&nosuch;</><http://b.example/>",
        "<img srcset='a 1x, b&amp; 2x' alt=\"x\"><meta http-equiv=refresh content='0; url=&quot;u&quot;'>",
        "<textarea>&lt;</textar</textarea><script>var a='</b>';<!-- <script> </script> --></script><xmp></xm</xmp>",
    ];
    let mut rng = fastrand::Rng::with_seed(1866);
    for _ in 0..20_000 {
        let mut html = Vec::new();
        for _ in 0..rng.usize(1..4) {
            html.extend_from_slice(rng.choice(SEEDS).expect("not empty").as_bytes());
        }
        for _ in 0..rng.usize(0..12) {
            let at = rng.usize(..html.len());
            match rng.u8(..4) {
                0 => html[at] = rng.u8(..),
                1 => drop(html.drain(at..html.len().min(at + rng.usize(1..30)))),
                2 => html.truncate(at + 1),
                _ => drop(html.splice(at..at, rng.choice(PIECES).expect("not empty").bytes())),
            }
            if html.is_empty() {
                html.push(b'<');
            }
        }
        checked(&html);
    }
}

/// Values or kinds, each with its range.
type Placed<T> = Vec<(T, Range<usize>)>;

/// Reads all windows of a part, with places in the part: links, text, runs.
fn windows(source: &str) -> (Placed<String>, String, Placed<RunKind>) {
    let (mut links, mut text, mut runs) = (Vec::new(), String::new(), Vec::new());
    let (mut windows, mut at) = (Windows::default(), 0);
    while at < source.len() {
        let part = windows.next(&source.as_bytes()[at..], true).expect("all of it");
        assert!(part.length > 0);
        let shifted = |range: &Range<usize>| at + range.start..at + range.end;
        for link in &part.links {
            links.push((String::from_utf8_lossy(&link.value).into_owned(), shifted(&link.source)));
        }
        text.push_str(&String::from_utf8_lossy(part.text.bytes()));
        text.push('\n');
        runs.extend(part.runs.iter().map(|run| (run.kind, shifted(&run.source))));
        at += part.length;
    }
    (links, text, runs)
}

#[test]
fn a_long_part_comes_in_windows() {
    let count = 30_000;
    let paragraph =
        |n: usize| format!("<p>number {n} <a href='/{n}?a&amp;b'>of &lt;{n}&gt;</a> <b>and</b> more words</p>\n");
    let page: String = (0..count).map(paragraph).collect();
    assert!(page.len() > 2 * WINDOW);
    let (links, text, runs) = windows(&page);
    assert_eq!(links.len(), count);
    for (n, (value, source)) in links.iter().enumerate() {
        assert_eq!((value.as_str(), &page[source.clone()]), (&*format!("/{n}?a&b"), &*format!("/{n}?a&amp;b")));
    }
    let lines = text.lines().filter(|line| !line.is_empty());
    assert!(lines.eq((0..count).map(|n| format!("number {n} of <{n}> and more words"))));
    assert!(runs.is_empty());
}

/// Checks a document that ends within a tag: that tag adds no link and no base.
#[test]
fn a_base_in_a_tag_without_its_end_is_none() {
    for source in ["<x><y xml:base='http://b.example/' ", "<y xml:base='http://b.example/' z='", "<y xml:base=b href=c"]
    {
        let mut windows = Windows::new(true);
        let html = windows.next(source.as_bytes(), true).unwrap();
        assert!(html.links.is_empty() && html.bases.is_empty(), "{source}");
    }
    let source = "<x xml:base='http://b.example/'><y xml:base='http://c.example/' ";
    let mut windows = Windows::new(true);
    let html = windows.next(source.as_bytes(), true).unwrap();
    assert_eq!((html.links.len(), html.bases.len(), &*html.bases[0].value), (1, 1, &b"http://b.example/"[..]));
}

/// Checks that neither stack nor memory grows with the attributes of a tag or their values.
#[test]
fn a_tag_with_many_attributes() {
    for attribute in [" href=\"b\"", "x=\"\"", " x='b'", " x=\"&amp;\"", " x\t=\n\"\r\n\"/"] {
        let page = format!("<a {}>x</a><a href=\"c\">d</a>", attribute.repeat(200_000));
        let (links, text, _) = windows(&page);
        assert_eq!(links.last().map(|(value, _)| value.as_str()), Some("c"), "{attribute}");
        assert_eq!(links.len(), 1 + usize::from(attribute.contains("href")), "{attribute}");
        assert!(text.starts_with('x'), "{attribute}");
    }
    // Tries many numbers of values, so that pauses fall on every place of a tag.
    for length in 0..200 {
        let values: String = (0..length).map(|n| format!(" a{n}=\"{n}&lt;\"")).collect();
        let (links, text, _) =
            windows(&format!("<!doctype a public \"b\" \"c\"><p {values} style=\"b:url(c);\">e</p>"));
        assert_eq!((links.len(), links[0].0.as_str(), text.trim()), (1, "c", "e"), "{length}");
    }
    let (links, _, runs) = windows(&format!("<p style=\"{}\">e", "b:url(c);".repeat(400)));
    assert_eq!((links.len(), runs.len()), (256, 1));
}

/// Checks a tag, a comment, a script and text of two kinds, each longer than a window.
#[test]
fn what_is_longer_than_a_window() {
    let filler = "0123456789abcdef ".repeat(80_000);
    let lines = "a line of &lt;text&gt;\n".repeat(100_000);
    let (links, text, _) = windows(&format!("<p>a<img src='data:{filler}' alt=b><a href=c>d</a></p>{lines}<p>e</p>"));
    assert_eq!(links.iter().map(|(value, _)| value.len()).collect::<Vec<_>>(), ["data:".len() + filler.len() - 1, 1]);
    assert!(text.starts_with("a b d\n") && text.ends_with("e\n"));
    assert_eq!(text.matches("a line of <text>").count(), 100_000);
    let (links, text, runs) = windows(&format!("<!-- {lines} --><a href=b>c</a>"));
    assert_eq!((links.len(), text.as_str(), runs.len(), runs[0].0), (1, "c\n", 1, RunKind::Comment));
    let script = format!("<script>{lines}</script>");
    let (links, text, runs) = windows(&format!("{script}<a href=b>c</a>"));
    assert_eq!((links.len(), text.trim()), (1, "c"));
    assert!(runs.iter().all(|(kind, _)| *kind == RunKind::Raw));
    assert_eq!(runs.iter().map(|(_, source)| source.len()).sum::<usize>(), lines.len());
    let (links, text, _) = windows(&format!("<pre>  a\n{}  b</pre>  <a href=c>d", lines));
    assert_eq!((links.len(), text.matches("a line of <text>\n").count()), (1, 100_000));
    assert!(text.starts_with("  a\n") && text.ends_with("  b\n\nd\n"), "{}", &text[text.len() - 20..]);
    let (links, _, runs) = windows(&filler);
    assert!(links.is_empty() && runs.iter().all(|(kind, _)| *kind == RunKind::Plain));
    // A tag that never ends is searched as text in the end.
    let endless = format!("<a href='{}", filler.repeat(15));
    let (_, _, runs) = windows(&endless);
    assert_eq!(runs.iter().map(|(_, source)| source.len()).sum::<usize>(), endless.len());
}

/// Checks that LF, CRLF and CR give the same links, the same text, and the same runs.
#[test]
fn line_ends_make_no_difference() {
    const PIECES: &[&str] = &[
        "\n",
        "\n",
        "\n",
        " ",
        "\t",
        "a",
        "http://a.example/x",
        "&amp;",
        "&lt;",
        "<p>",
        "</p>",
        "<br>",
        "<pre>",
        "</pre>",
        "<a href=",
        "<a href='",
        "<a\nhref = \"",
        "'",
        "\"",
        ">",
        "</a>",
        "/rel",
        "<style>",
        "</style>",
        "url(",
        "url('",
        "\\",
        "@import ",
        ")",
        "<!--",
        "-->",
        "<script>",
        "</script>",
        "<img srcset='",
        "<td>",
        "<textarea>",
        "<![CDATA[",
        "]]>",
        "<base href='http://b.example/'>",
        "<p style='b:url(c)'>",
        "<meta content=\"0; url=",
    ];
    let plain = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n").replace('\r', "\n");
    let read = |source: &str, is_xml: bool| {
        let html = Windows::new(is_xml).next(source.as_bytes(), true).unwrap();
        let links: Vec<_> = html.links.iter().map(|link| plain(&link.value)).collect();
        let runs: Vec<_> =
            html.runs.iter().map(|run| (run.kind, plain(&source.as_bytes()[run.source.clone()]))).collect();
        let inner: Vec<_> = html.inner.iter().map(|page| plain(page.text.bytes())).collect();
        (links, plain(html.text.bytes()), runs, inner)
    };
    let mut rng = fastrand::Rng::with_seed(10);
    for _ in 0..turns(20_000) {
        let is_xml = rng.bool();
        let text: String = (0..rng.usize(1..30)).map(|_| *rng.choice(PIECES).unwrap()).collect();
        let text = format!("{}{text}", if is_xml { "<x>" } else { "<!DOCTYPE html>" });
        let expected = read(&text, is_xml);
        for other in [text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
            assert_eq!(read(&other, is_xml), expected, "{other:?}");
        }
    }
}

/// Returns the other values of a window, each with its element and attribute.
fn others(html: &str) -> Vec<String> {
    let part = checked(html.as_bytes());
    let text = part.others.text().bytes().to_vec();
    let mut at = 0;
    let mut found = Vec::new();
    for value in String::from_utf8_lossy(&text).split("\n\n").filter(|value| !value.is_empty()) {
        let name = part.others.name(at, html.as_bytes()).expect("a name");
        let source = part.others.text().source(at..at + value.len());
        found.push(format!("{name} {value} from {}", &html[source]));
        at += value.len() + 2;
    }
    found
}

#[test]
fn other_attributes() {
    for (html, expected) in [
        ("<div data-src='https://a.example/x'>", "div data-src https://a.example/x"),
        ("<DIV data-src=HTTP://a.example/x>", "DIV data-src HTTP://a.example/x"),
        (
            "<option value=' https://a.example/?a&amp;b '>",
            "option value https://a.example/?a&b from https://a.example/?a&amp;b",
        ),
        ("<meta name=x content='https://a.example/'>", "meta content https://a.example/"),
        ("<td data='https://a.example/'>", "td data https://a.example/"),
        ("<img data-srcset='b 1x, https://a.example/×,b 2x'>", "img data-srcset https://a.example/×,b"),
    ] {
        let found: Vec<_> = links(html).into_iter().map(|link| link.to_ascii_lowercase()).collect();
        assert_eq!(found, [expected.to_ascii_lowercase()], "{html:?}");
        assert_eq!(others(html), Vec::<String>::new(), "{html:?}");
    }
    for (html, expected) in [
        (
            "<b onclick='go(\"https://a.example/\")'>",
            &["b onclick go(\"https://a.example/\") from go(\"https://a.example/\")"][..],
        ),
        (
            "<b onclick=\"go(&#39;https:&#x2F;/a&#39;)\">",
            &["b onclick go('https://a') from go(&#39;https:&#x2F;/a&#39;)"],
        ),
        (
            "<b data-x='[\"https:\\/\\/a\"]' title='ftp://b, c'>",
            &["b data-x [\"https:\\/\\/a\"] from [\"https:\\/\\/a\"]", "b title ftp://b, c from ftp://b, c"],
        ),
        ("<b data-x=https://a,https://b>", &["b data-x https://a,https://b from https://a,https://b"]),
        ("<b style='c:\"https://a\"'>", &["b style c:\"https://a\" from c:\"https://a\""]),
        ("<meta name=x content='see http://a'>", &["meta content see http://a from see http://a"]),
        // Names of vocabularies, values without a scheme, and tags that are none.
        ("<b xmlns:x='http://a' itemtype='http://a b' itemid='http://a' PREFIX='x: http://a' about='http://a'>", &[]),
        ("<b rel='http://a' profile='http://a b' vocab='http://a' typeof='http://a' property='http://a'>", &[]),
        (
            "<b resource='http://a' class=a://b/ id='://' title='a: b' data-x='//a.example/'>",
            &["b class a://b/ from a://b/"],
        ),
        ("<joe@a.example title='see http://a'>", &[]),
        ("<b title='see http://a'", &[]),
    ] {
        assert_eq!(others(html), expected, "{html:?}");
    }
    check_links("<b itemtype='http://a.example/x' href=u>", &["b href u"]);
}

#[test]
fn a_page_in_an_attribute() {
    for (html, inner) in [("<iframe srcdoc='<p>&amp;amp;'>", "<p>&amp;"), ("<iframe srcdoc='<p>'>", "<p>")] {
        let part = checked(html.as_bytes());
        let pages: Vec<_> = part.inner.iter().map(|page| page.text.bytes().to_vec()).collect();
        assert_eq!(pages, [inner.as_bytes()], "{html:?}");
        let page = &part.inner[0].text;
        assert_eq!(&html[page.source(0..page.len())], &html[16..html.len() - 2]);
    }
    let part = checked(b"<iframe srcdoc='<iframe srcdoc=x:y>'>");
    let inner = read_inner(&part.inner[0]);
    assert_eq!((inner.inner.len(), inner.runs[0].kind), (0, RunKind::Raw));
}

#[test]
fn elements_that_close_themselves() {
    const XHTML: &str = "<?xml version='1.0'?><html>";
    const NAMESPACE: &str = "<html xmlns='http://www.w3.org/1999/xhtml'>";
    for element in ["title", "style", "script", "textarea", "iframe", "xmp"] {
        let closed = format!("<{element}/><a href=u>x</a>");
        for (start, is_closed) in
            [(XHTML, true), (NAMESPACE, true), ("<svg>", true), ("<math>", true), ("<html>", false), ("<svg/>", false)]
        {
            let found = links(&format!("{start}{closed}"));
            assert_eq!(found.len(), usize::from(is_closed), "{start}{closed}");
        }
        // After the drawing the rules of HTML hold again.
        assert_eq!(links(&format!("<svg></svg>{closed}")), Vec::<String>::new(), "{element}");
        assert_eq!(links(&format!("<svg><svg></svg>{closed}</svg>")), ["a href u"], "{element}");
    }
    check_links("<svg><title>a<a href=u>b</a></title></svg>", &["a href u"]);
    check_links("<svg><style>a{b:url(u)}</style></svg><a href=v>", &["style u", "a href v"]);
    check_text("<html xmlns='http://www.w3.org/1999/xhtml'><pre/>a\n b", "a b");
}

#[test]
fn names_of_secrets_stay_before_their_text() {
    let mut windows = Windows::new(true);
    let source = "<x><s:password>a</s:password><user>b</user><token/>c<pwd><b>d</b></pwd><secret> </secret>e</x>";
    let html = windows.next(source.as_bytes(), true).unwrap();
    let text = String::from_utf8_lossy(html.text.bytes()).into_owned();
    assert_eq!(text, "password=a\n\nb\n\nc\n\nd\n\ne");
    assert_eq!(html.text.source(9..10), 15..16);
}
