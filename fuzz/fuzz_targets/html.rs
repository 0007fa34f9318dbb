//! Pages of HTML, built from tags, attributes and references. Nothing panics, and reads may be cut
//! anywhere. A link planted at the end is found once every construct before it is closed.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::opened::open;

#[rustfmt::skip] // a list of one per line would be hard to survey
const PIECES: [&[u8]; 80] = [
    b"<a href=", b"<a href=\"", b"<a href='", b"\"", b"'", b">", b"/>", b" ", b"\n", b"\r\n", b"</a>", b"<a>", b"<base href=\"http://b.example/d/\">",
    b"<base href=c>", b"http://a.example/", b"//c.example/", b"../d", b"?e", b"#f", b"&amp;", b"&lt;", b"&#x3a;", b"&#58", b"&colon;", b"&notit;",
    b"<img srcset=\"", b"g 1x, h 2x,", b" src=i", b" alt='j'", b"<p style=\"", b"b:url(k);", b"url('l')", b"<style>", b"</style>", b"@import \"m\";",
    b"<script>", b"</script>", b"<!--", b"-->", b"<!--[if mso]>", b"<![endif]-->", b"<![CDATA[", b"]]>", b"<meta http-equiv=refresh content=\"0;url=n\">",
    b"<meta name=o content=\"", b"<table><td>", b"</td>", b"</table>", b"<pre>", b"</pre>", b"<textarea>", b"</textarea>", b"<title>", b"</title>",
    b"<plaintext>", b"<xmp>", b"<noscript>", b"</noscript>", b"<iframe srcdoc=\"", b"<br>", b"<div>", b"</div>", b"<span>http://p.example/</span>",
    b"<http://q.example/>", b"<joe@r.example>", b"<svg xlink:href=s>", b"<object data=t classid=clsid:u>", b" x=\"y\"", b" href=\"z\"", b" ping=\"a b c\"",
    b"\0", b"\xE2\x80\x8B", b"\xFF", b"javascript:v", b"data:,w", b"mailto:x@y.example", b"<?php", b"?>", b"</>", b"<a\thref\n=\r\"z\"",
];

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Piece(u8),
    Twice(u8, u8),
    Bytes(&'a [u8]),
}

fuzz_target!(|input: (u16, Vec<Part<'_>>)| {
    let (sip, parts) = input;
    let mut page = b"<!DOCTYPE html>".to_vec();
    for part in &parts {
        match part {
            Part::Piece(index) => page.extend_from_slice(PIECES[usize::from(*index) % PIECES.len()]),
            Part::Twice(index, times) => {
                page.extend(PIECES[usize::from(*index) % PIECES.len()].repeat(usize::from(*times)))
            }
            Part::Bytes(bytes) => page.extend_from_slice(bytes),
        }
    }
    let whole = open(&page, b"x.html", usize::MAX);
    assert_eq!(whole, open(&page, b"x.html", usize::from(sip) + 1), "reads of {sip}");
    // The first of these lines closes whatever is open. Then the planted link is found as a link,
    // in text, or in a comment.
    page.extend_from_slice(b"\n\n --></script></style></textarea></title></xmp></noscript></iframe>'\">\n<a href=\"http://planted.example/\">x</a>\n");
    let found = open(&page, b"x.html", usize::MAX);
    assert!(
        found.iter().any(|(_, found)| found.iter().any(|found| found.url().starts_with(b"http://planted.example/"))),
        "lost"
    );
});
