//! Any bytes, cut anywhere: every driver returns the matches of the slice.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u16, &[u8])| {
    let (chunk, tile, text) = input;
    urlgrep_fuzz::search(text, usize::from(chunk), usize::from(tile).max(text.len() / 50));
});
