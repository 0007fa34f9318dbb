//! A URL that stands on one line costs no allocation: neither finding it, nor its verdict, nor its bytes.

use urlgrep::{Extractor, Url};

#[test]
fn a_plain_match_allocates_nothing() {
    let extractor = Extractor::new();
    let text = b"see http://a.example/x, <URL:mailto:joe@b.example> in\nnews:comp.lang.c (ftp://c.example/%7Ed/) and \
                 http://d.example/~e?f=g&h#i, https://j.example.\nURL: gopher://k.example/1\n"
        .repeat(50);
    let mut found = 0;
    let mut bytes = 0;
    let cost = allocation_counter::measure(|| {
        for m in extractor.find_iter(&text).filter(|m| m.kind() != urlgrep::Kind::Wrapped) {
            found += 1;
            bytes += m.url().len() + m.source().len() + usize::from(m.error().is_some());
            assert!(m.is_verbatim());
        }
    });
    assert_eq!(found, 50 * 6);
    assert!(bytes > 0);
    // A wrapper's body is taken apart in a few vectors, on one line too.
    assert!(cost.count_total <= 50 * 8, "{cost:?}");

    let plain = b"see http://a.example/x, or (ftp://c.example/%7Ed/) and http://d.example/~e?f=g&h#i.\n".repeat(50);
    let cost = allocation_counter::measure(|| found = extractor.find_iter(&plain).count());
    assert_eq!(found, 50 * 3);
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

#[test]
fn parsing_allocates_nothing() {
    let cost = allocation_counter::measure(|| {
        for url in [
            "ftp://u:p@h.example/a/b;type=i",
            "gopher://h/7s%09q",
            "mailto:a%40b@h",
            "news:1@h",
            "http://h/~x",
            "wais://h/d/t/p",
        ] {
            let _ = Url::parse(url.as_bytes()).map(|url| url.parts());
        }
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}
