//! Files in UTF-16.

use super::forms_read::run_all_ways;
use super::support::Dir;

/// Encodes a text as UTF-16, with or without a mark, in little- or big-endian order.
fn utf16(text: &str, is_little: bool, has_mark: bool) -> Vec<u8> {
    let text = if has_mark { format!("\u{FEFF}{text}") } else { text.to_owned() };
    let bytes = |unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() };
    text.encode_utf16().flat_map(bytes).collect()
}

/// The second line begins with letters that contain an LF byte. The letters have one to four bytes
/// in UTF-8.
const TEXT: &str = "The first line of a log, see http://a.example/x.\n\u{A0A}\u{10A}\u{A01} 漢字😀 https://b.example/é and \
    <URL:http://c.example/\nd>\r\n漢字😀😀 http://d.example/漢字 ftp://e.example/\n";

fn records(dir: &Dir, args: &[&str]) -> Vec<serde_json::Value> {
    dir.run(args).text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn utf16_is_text_with_the_places_of_the_file() {
    let dir = Dir::new();
    for (count, filler) in [(1, ""), (3000, "漢字😀 and ASCII, and so on\n"), (20_000, "漢字😀 on one line ")] {
        let piece = format!("{}{TEXT}", filler.repeat(count / 10));
        let text = format!("The first line.\n{}\n", piece.repeat(10));
        dir.file("utf8", &text);
        let plain = records(&dir, &["--json", "utf8"]);
        assert!(plain.len() >= 50);
        for (is_little, has_mark) in [(true, true), (true, false), (false, true), (false, false)] {
            let bytes = utf16(&text, is_little, has_mark);
            dir.file("a", &bytes);
            run_all_ways(&dir, &[], "a");
            let found = records(&dir, &["--json", "a"]);
            assert_eq!(found.len(), plain.len());
            for (found, plain) in found.iter().zip(&plain) {
                assert_eq!((&found["url"], &found["line"]), (&plain["url"], &plain["line"]));
                assert_eq!((&found["readings"], &found["rejoined"]), (&plain["readings"], &plain["rejoined"]));
                assert_eq!(found["encoding"], if is_little { "utf-16le" } else { "utf-16be" });
                let number = |record: &serde_json::Value, name: &str| record[name].as_u64().unwrap() as usize;
                let decoded = |bytes: &[u8]| {
                    let unit = |pair: &[u8]| [pair[0], pair[1]];
                    let unit =
                        |pair| if is_little { u16::from_le_bytes(unit(pair)) } else { u16::from_be_bytes(unit(pair)) };
                    String::from_utf16(&bytes.chunks(2).map(unit).collect::<Vec<_>>()).unwrap()
                };
                let at = number(found, "offset");
                let of_plain = number(plain, "offset");
                let source = &text[of_plain..of_plain + number(plain, "length")];
                assert_eq!(decoded(&bytes[at..at + number(found, "length")]), source);
                // Its line begins after an LF.
                let start = at + 1 - number(found, "column");
                let before = &text[of_plain + 1 - number(plain, "column")..of_plain];
                assert_eq!(decoded(&bytes[start..at]).trim_start_matches('\u{FEFF}'), before);
            }
        }
    }
}

#[test]
fn utf16_may_be_html_or_xml_and_has_no_ranges() {
    let dir = Dir::new();
    let page = "<!DOCTYPE html>\n<p>漢字 <a href='http://a.example/?x&amp;y'>it</a> http://b.exam<b>ple</b>/\n";
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<x y=\"http://a.example/?x&amp;y\">http://b.example/</x>\n";
    for (text, attribute) in [(page, "a href"), (xml, "x y")] {
        let bytes = utf16(text, true, true);
        dir.file("a", &bytes);
        run_all_ways(&dir, &[], "a");
        dir.run(&["a"]).is(0, "http://a.example/?x&y\nhttp://b.example/\n");
        let found = records(&dir, &["--json", "a"]);
        let at = found[0]["offset"].as_u64().unwrap() as usize;
        assert_eq!(found[0]["attribute"], attribute);
        assert_eq!(bytes[at..at + 8], *b"h\0t\0t\0p\0");
        assert_eq!(found[0]["line"], 2);
    }
    let range = dir.run(&["--range", "0:10", "a"]);
    assert_eq!(range.code, 2);
    assert!(range.err.contains("a: is UTF-16; --range needs ASCII or UTF-8"), "{}", range.err);
    // The lines around a match are decoded.
    dir.file("b", utf16("one line\ntwo http://a.example/\nthree\n", false, true));
    dir.run(&["-A1", "b"]).is(0, "two http://a.example/\nthree\n");
}
