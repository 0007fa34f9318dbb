//! References against bases, by both RFCs: no panic, no growth, and what the steps promise outright.
#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep::url::{Generic, generic, relative};

fuzz_target!(|input: (&[u8], &[u8])| {
    let (base, reference) = input;
    for resolve in [relative::resolve, generic::resolve] {
        if let Ok(resolved) = resolve(base, reference) {
            assert!(resolved.len() <= base.len() + reference.len() + 3, "{:?}", bstr(&resolved));
        }
    }
    if let Ok(resolved) = relative::resolve(base, b"") {
        assert_eq!(resolved, base, "R-1808-1, step 2a");
    }
    if let (Ok(resolved), Some(_)) = (generic::resolve(base, reference), Generic::parse(reference)) {
        assert_eq!(
            resolved,
            generic::resolve(base, &resolved).expect("it was absolute"),
            "dots are gone after one turn"
        );
    }
});

fn bstr(bytes: &[u8]) -> impl std::fmt::Debug {
    bytes.escape_ascii().to_string()
}
