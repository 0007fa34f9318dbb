#!/usr/bin/env bash
# One `=` too many in quoted-printable: a library's decoder refuses the body, and its parser eats a blank.
#
# Guess, written before the first run: both entrances of a library decode each `=XX`, keep an `=`
#   that begins no escape (RFC 2045 section 6.7 advises that), and leave line ends as they are.
# Seen: for the same body, the decoder of mail-parser returns nothing, and its parser decodes, but
#   drops the blank after the stray `=`: two words become one. Line ends are not left either: after
#   the first CR, the decoder writes every LF as CRLF.
# Use: repair stray `=` before decoding. Offsets in the decoded text are not those of a plain decoding.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"

[dependencies]
mail-parser = { version = "=0.11.9", default-features = false }
TOML
cat > src/main.rs <<'RUST'
use mail_parser::{MessageParser, decoders::quoted_printable::quoted_printable_decode};

fn main() {
    println!("mail-parser 0.11.9");
    let head = "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    for body in ["https://h.example/?tide=\r\n=3Dlow", "x = y: https://h.example/?tide=\r\n=3Dlow"] {
        let mail = format!("{head}{body}");
        let message = MessageParser::default().parse(&mail).unwrap();
        println!("body {:?}", message.body_text(0).unwrap());
        println!("alone {:?}", quoted_printable_decode(body.as_bytes()).map(String::from_utf8));
    }
    for lines in ["one\ntwo\r\nthree\nfour\n", "one\ntwo\nthree\nfour\n"] {
        println!("lines {:?}", String::from_utf8(quoted_printable_decode(lines.as_bytes()).unwrap()).unwrap());
    }
}
RUST
cargo run --quiet 2> build.txt | tee seen.txt || { cat build.txt; exit 1; }
diff - seen.txt <<'SEEN'
mail-parser 0.11.9
body "https://h.example/?tide=low"
alone Some(Ok("https://h.example/?tide=low"))
body "x =y: https://h.example/?tide=low"
alone None
lines "one\ntwo\r\nthree\r\nfour\r\n"
lines "one\ntwo\nthree\nfour\n"
SEEN
echo "ok: two entrances of one library differ on an = that begins no escape"
