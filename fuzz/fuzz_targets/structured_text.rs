//! Text built from what the rules are about: brackets, schemes, breaks with markers, doubtful ends.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;

#[rustfmt::skip] // a list of one per line would be hard to survey
const PIECES: [&[u8]; 64] = [
    b"<URL:", b"<", b">", b"URL:", b"URL: ", b"http://", b"https://", b"ftp://", b"mailto:", b"news:", b"news:<", b"file://",
    b"gopher://", b"http:", b"http:/", b"x+http://", b"a.example", b"www.example.com", b"joe@", b":80", b"/", b"//", b"/dir/",
    b"file.html", b".ht", b"ml", b"?q=", b"&b=", b"#f", b"%41", b"%4", b"~", b"-", b"-\n", b"-\r\n> ", b"\n", b"\n> ", b"\n>> ",
    b"\n| ", b"\n# ", b"\n * ", b"\n// ", b"\n-- ", b"\nJW> ", b"\n\n", b"\r", b"\t", b" ", b"\n\n[Page 1]\n\x0c\nRFC\n\n", b"(",
    b")", b"[", b"]", b"'", b"\"", b".", b",", b";http://", "é".as_bytes(), "日本".as_bytes(), "\u{ad}\n".as_bytes(), b"\xff",
    b"words of prose that fill a line up to its end and", b"and see http://www.example.com/a/long/path/that/fills/the/line",
];

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Piece(u8),
    Twice(u8, u8),
    Bytes(&'a [u8]),
}

fuzz_target!(|input: (u8, Vec<Part<'_>>)| {
    let (cut, parts) = input;
    let mut text = Vec::new();
    for part in &parts {
        match part {
            Part::Piece(i) => text.extend_from_slice(PIECES[usize::from(*i) % PIECES.len()]),
            Part::Twice(i, n) => text.extend(PIECES[usize::from(*i) % PIECES.len()].repeat(usize::from(*n) % 40)),
            Part::Bytes(bytes) => text.extend_from_slice(bytes),
        }
    }
    urlgrep_fuzz::search(&text, usize::from(cut), usize::from(cut).max(text.len() / 50));
});
