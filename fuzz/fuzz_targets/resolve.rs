//! References against bases, by both RFCs: no panic, no growth, and the guarantees of the
//! algorithms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep::url::{Generic, resolve_1808, resolve_3986};

fuzz_target!(|input: (&[u8], &[u8])| {
    let (base, reference) = input;
    for resolve in [resolve_1808, resolve_3986] {
        if let Ok(resolved) = resolve(base, reference) {
            assert!(resolved.len() <= base.len() + reference.len() + 3, "{:?}", bstr(&resolved));
        }
    }
    if let Ok(resolved) = resolve_1808(base, b"") {
        assert_eq!(resolved, base, "R-1808-1, step 2a");
    }
    if let (Ok(resolved), Some(_)) = (resolve_3986(base, reference), Generic::parse(reference)) {
        assert_eq!(resolved, resolve_3986(base, &resolved).expect("it was absolute"), "dots are gone after one turn");
    }
});

fn bstr(bytes: &[u8]) -> impl std::fmt::Debug {
    bytes.escape_ascii().to_string()
}
