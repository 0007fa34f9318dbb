//! Tests of wrappers that the vectors do not cover.

use super::*;
use crate::find::matches::Rest;
use crate::find::options::Options;

/// Returns the first reading of the wrapper in `text`, the others, and whether it was rejoined.
fn parsed(text: &str) -> Option<(String, Vec<String>, bool)> {
    let text = text.as_bytes();
    let open = text.windows(2).position(|pair| pair[0] == b'<' && pair[1].is_ascii_alphabetic())?;
    let is_wrapped = text[open..].starts_with(b"<URL:");
    let (kind, colon) = if is_wrapped { (Kind::Wrapped, open + 4) } else { (Kind::Angle, open) };
    let view = View::whole(text).with_rest(true);
    let hit = read(&view, open, colon, kind, &Judge { options: Options::default() }).ok()?;
    let found = hit.rest.is_empty().then_some(hit.first)?;
    let url = |reading: &Pieces| String::from_utf8_lossy(&reading.bytes(text)).into_owned();
    let Rest::Made(rest) = &found.rest else { panic!("every reading is wanted") };
    Some((url(&found.first), rest.iter().map(|reading| url(&reading.pieces)).collect(), found.rejoined))
}

#[test]
fn masked_addresses() {
    let is = |text: &str, url: &str, others: &[&str], rejoined: bool| {
        let expected = (url.to_owned(), others.iter().map(|&other| other.to_owned()).collect(), rejoined);
        assert_eq!(parsed(text), Some(expected), "{text:?}");
    };
    is("<mailto:joe\nat\nlists.\nexample.org>", "mailto:joe@lists.example.org", &[], true);
    is("<mailto:\n joe at h.example>", "mailto:joe@h.example", &[], true);
    is("<URL:mail\nto:joe at h.example>", "mailto:joe@h.example", &[], true);
    is("<mailto:joe at h.example.>", "mailto:joe@h.example.", &[], false);
    is("<mailto:joe at b\u{fc}cher.example>", "mailto:joe@b\u{fc}cher.example", &[], false);
    is("<mailto:joe-\nat h.example>", "mailto:joe-@h.example", &[], true);
    is("<mailto:joe at h-\nx.example>", "mailto:joe@h-x.example", &["mailto:joe@hx.example"], true);
    // Each address is unmasked only once, because it has an `@` after that.
    is("<mailto:joe at a.example at b.example>", "mailto:joe@a.exampleatb.example", &["mailto:joe@a.example"], false);
    is("<mailto:a,joe at h.example>", "mailto:a,joe@h.example", &[], false);
    is("<mailto:a@b.example,joe at h.example>", "mailto:a@b.example,joe@h.example", &[], false);
    is("<URL:mailto:a%4\n0b at h.example>", "mailto:a%40bath.example", &["mailto:a%40b"], true);
    // No host of two labels follows right after the word.
    for text in ["joe at h", "joe at .example", "joe at h .example", "joe at", "at h.example", "joe atoll h.example"] {
        assert_eq!(parsed(&format!("<mailto:{text}>")), None, "{text}");
    }
    // The closer may have been a reply marker (W-QUOTE-3).
    is("<URL:mailto:joe\n> at h.example>", "mailto:joe", &["mailto:joe@h.example"], false);
}

#[test]
fn masks_in_linear_time() {
    for word in [" at", "%40 at a.b", ",a at a.b", "\nat a.", " at a-"] {
        let text = format!("<URL:mailto:x{}>", word.repeat(8000 / word.len()));
        let began = std::time::Instant::now();
        for _ in 0..20 {
            let _ = parsed(&text);
        }
        // 0.3 ms each without optimisation; quadratic time would be a hundred times that.
        assert!(began.elapsed().as_millis() < 1000, "{word:?} {:?}", began.elapsed());
    }
}

#[test]
fn conjunctions() {
    for (text, url, others) in [
        // If a URL on the next line follows the word, that URL is a separate part (W-TWO). The part
        // before that URL is still cut at the word.
        ("<URL:http://a.example/x or y or z>", "http://a.example/x", &["http://a.example/xoryorz"][..]),
        ("<URL:http://a.example/x\nor y>", "http://a.example/xory", &["http://a.example/xor"]),
        ("<URL:http://a.example/x nor y>", "http://a.example/xnory", &["http://a.example/x"]),
        ("<URL:http: or //a.example/x>", "http:or//a.example/x", &[]),
    ] {
        let (first, rest, _) = parsed(text).expect(text);
        assert_eq!((&*first, rest.iter().map(String::as_str).collect::<Vec<_>>()), (url, others.to_vec()), "{text:?}");
    }
    let text = b"<URL:http://a.example/x and\nhttp://b.example/y>";
    let judge = Judge { options: Options::default() };
    let found = read(&View::whole(text), 0, 4, Kind::Wrapped, &judge).expect("two parts");
    let urls: Vec<_> = std::iter::once(&found.first)
        .chain(found.rest.iter())
        .map(|part| part.first.bytes(text).into_owned())
        .collect();
    assert_eq!(urls, [&b"http://a.example/x"[..], b"http://b.example/y"]);
}

#[test]
fn lone_closers() {
    for (text, url) in [
        ("> <URL:http://a.example/\nx\n > \n", Some("http://a.example/x")),
        ("> <URL:http://a.example/\n> x\ny\n>\n", Some("http://a.example/xy")),
        ("> <URL:http://a.example/\nx\n> y\n>\n", None),
        ("> <URL:http://a.example/\nx\n>\u{a0}\n", None),
        // The plain `>` does not match the initials of the opener's line, so it closes the wrapper
        // (W-QUOTE-1).
        ("JW> <URL:http://a.example/\nJW> x\n>\n", Some("http://a.example/x")),
    ] {
        assert_eq!(parsed(text).map(|(first, ..)| first).as_deref(), url, "{text:?}");
    }
}
