//! The search for a short word, such as the `From` that starts a message.
//!
//! A whole mailbox is searched for `From`. `memchr::memmem`, which only uses AVX2, needed 0.58
//! instructions per byte. Comparing the first and the last letter, block by block, needs 0.2.
//! AVX-512 halves that number (2026-11).

use crate::bytes::simd::{Backend, Kernel, Look, WIDTH};

/// Returns the first offset of a short word at or after `from`.
pub(crate) fn find(backend: Backend, text: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    backend.look(Needle { text, from, word })
}

struct Needle<'t> {
    text: &'t [u8],
    from: usize,
    word: &'t [u8],
}

impl Look for Needle<'_> {
    type Answer = Option<usize>;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> Option<usize> {
        let Needle { text, from, word } = self;
        let (&first, &last) = (word.first()?, word.last()?);
        let mut at = from;
        loop {
            let (block, mut places) = kernel.pairs(text, at, (first, last), word.len() - 1);
            if places == 0 {
                return by_first_letter(text, block, word);
            }
            while places != 0 {
                let place = block + places.trailing_zeros() as usize;
                // Comparing slices would be a function call, and the loop would have to save its
                // registers around that call.
                if text[place..place + word.len()].iter().zip(word).all(|(one, other)| one == other) {
                    return Some(place);
                }
                places &= places - 1;
            }
            at = block + WIDTH;
        }
    }
}

/// Returns the first offset of the word at or after `from`, without the vectors of this crate.
fn by_first_letter(text: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    let &first = word.first()?;
    let rest = text.get(from..)?;
    memchr::memchr_iter(first, rest).find(|&at| rest[at..].starts_with(word)).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_finds_the_words_of_a_naive_search() {
        let mut random = fastrand::Rng::with_seed(4155);
        let pieces =
            ["From", "Frm", "F", "m", "From ", "\u{1}", "\u{1}\u{1}\u{1}\u{1}", "x", "abcdefghijklmnopqrstuvwxyz"];
        for _ in 0..2_000 {
            let text: String = (0..random.usize(..80)).map(|_| pieces[random.usize(..pieces.len())]).collect();
            let text = text.into_bytes().into_boxed_slice();
            let from = random.usize(..=text.len() + 1);
            for word in [&b"From"[..], b"\x01\x01\x01\x01", b"\x01", b"#! rnews ", b""] {
                let naive = (from..text.len()).find(|&at| !word.is_empty() && text[at..].starts_with(word));
                for backend in Backend::all() {
                    assert_eq!(find(backend, &text, from, word), naive, "{backend} {from} {}", text.escape_ascii());
                }
            }
        }
    }
}
