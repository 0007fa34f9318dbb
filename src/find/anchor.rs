//! Candidate colons. **Contract: no false negatives.** A colon at which nothing begins may pass, and costs time; a
//! colon at which a wrapper, a prefixed or a bare URL begins is never left out.
//!
//! Every such colon has `/` after it, or the end of a scheme of K or of `URL` before it: nothing else goes without
//! `//` (W-FORM-2, P-FORM-2, B-START-3), and of K only to be joined over a break, wrapped, or opaque.

/// The first candidate colon in `from..end`.
pub(crate) fn next(text: &[u8], mut from: usize, end: usize) -> Option<usize> {
    while from < end {
        let colon = from + memchr::memchr(b':', &text[from..end])?;
        if may_begin(text, colon) {
            return Some(colon);
        }
        from = colon + 1;
    }
    None
}

/// The two bytes before the colon, or the one after it.
fn may_begin(text: &[u8], colon: usize) -> bool {
    if text.get(colon + 1) == Some(&b'/') {
        return true;
    }
    let Some(tail) = colon.checked_sub(2).map(|i| &text[i..colon]) else { return false };
    matches!(
        &[tail[0] | 0x20, tail[1] | 0x20],
        b"tp" | b"ps" | b"to" | b"ws" | b"er" | b"et" | b"is" | b"le" | b"ro" | b"rl"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::schemes;

    #[test]
    fn every_scheme_of_k_passes_without_slashes() {
        for name in schemes::K.iter().chain(&["url"]) {
            for name in [name.to_string(), name.to_uppercase()] {
                let text = format!("<{name}: x");
                assert_eq!(next(text.as_bytes(), 0, text.len()), Some(name.len() + 1), "{name}");
            }
        }
    }

    #[test]
    fn looks_past_colons_that_begin_nothing() {
        assert_eq!(next(b"a: b: c://", 0, 10), Some(7));
        assert_eq!(next(b"12:30 ok: :", 0, 11), None);
        assert_eq!(next(b"://", 0, 3), Some(0));
    }
}
