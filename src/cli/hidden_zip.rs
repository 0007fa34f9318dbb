//! Zips after other data, such as a program or a picture, that is longer than the head of an input.
//!
//! The head shows no such zip, but the record at its end does. The zip is searched as bytes, so the
//! note about it is all that depends on it.

use std::sync::{Arc, Mutex, PoisonError};

use urlgrep::ReadAt;
use urlgrep::archive::{Container, Foreign, HEAD, Input};

/// The mark of the record at the end of a zip.
const END: &[u8] = b"PK\x05\x06";
/// The length of the record without its comment.
const END_SIZE: usize = 22;
/// The length of the end of an input in which the record may lie. A comment of the zip or the
/// signature of a program may follow it.
const TAIL: usize = 64 << 10;
/// The length of the beginning that shows whether an input is binary data or a script.
const BEGIN: usize = 64;

/// Returns the container of an open input. A file that ends in a zip is a self-extracting one.
pub(crate) fn container_of(input: &Input) -> Container {
    let container = input.container();
    let is_long = |size: &u64| *size > HEAD as u64;
    let Some(size) = input.size().filter(is_long).filter(|_| container == Container::Text) else { return container };
    let mut begin = [0; BEGIN];
    let is_read = input.read_at(&mut begin, 0).is_ok_and(|got| may_precede_zip(&begin[..got]));
    let mut tail = vec![0; if is_read { TAIL } else { 0 }];
    let from = size - tail.len() as u64;
    match input.read_at(&mut tail, from) {
        Ok(got) if ends_in_zip(&tail[..got]) => Container::Foreign(Foreign::SelfExtracting),
        _ => container,
    }
}

/// Returns whether an input that begins so may hold a zip. A text is not examined further.
fn may_precede_zip(begin: &[u8]) -> bool {
    begin.starts_with(b"#!") || begin.iter().take(BEGIN).any(|&byte| byte == 0)
}

/// Returns whether the end of an input holds the end record of a zip with at least one file.
fn ends_in_zip(tail: &[u8]) -> bool {
    let ends = |at: usize| {
        let Some(record) = tail.get(at..at + END_SIZE) else { return false };
        let comment = usize::from(u16::from_le_bytes([record[20], record[21]]));
        // The zip is on one disk, so the numbers of its files on the disk and in all are equal.
        record[4..8] == [0; 4]
            && record[8..10] == record[10..12]
            && record[8..10] != [0; 2]
            && at + END_SIZE + comment <= tail.len()
    };
    memchr::memmem::rfind_iter(tail, END).any(ends)
}

/// The end of an input that is read once, such as a pipe or a member. It stays readable while a
/// driver owns the input.
#[derive(Clone, Default)]
pub(crate) struct InputTail(Arc<Mutex<KeptTail>>);

#[derive(Default)]
struct KeptTail {
    has_begun: bool,
    /// The input may hold a zip, so its last bytes are kept.
    is_kept: bool,
    bytes: Vec<u8>,
}

impl InputTail {
    /// Adds the next bytes of the input.
    pub(crate) fn push(&self, bytes: &[u8]) {
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !tail.has_begun {
            tail.has_begun = true;
            tail.is_kept = may_precede_zip(bytes);
        }
        if tail.is_kept {
            let rest = (tail.bytes.len() + bytes.len()).saturating_sub(TAIL).min(tail.bytes.len());
            tail.bytes.drain(..rest);
            tail.bytes.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        }
    }

    /// Returns whether the input ends in a zip.
    pub(crate) fn ends_in_zip(&self) -> bool {
        ends_in_zip(&self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_at_the_end_is_found_however_the_input_is_read() {
        let record = [END, &[0; 4], &[1, 0, 1, 0], &[0; 8], &[3, 0], b"abc"].concat();
        let is_zip = [&record[..], &[&record[..], &[1; 9000]].concat()];
        let none = [&record[..record.len() - 1], &[END, &[0; 18]].concat(), &[END, &[1; 18]].concat(), END];
        for (end, expected) in is_zip.iter().map(|end| (end, true)).chain(none.iter().map(|end| (end, false))) {
            let input = [&b"MZ\x90\0"[..], &vec![b'x'; 3 * TAIL], end].concat();
            for size in [1000, TAIL - 1, TAIL, TAIL + 1, input.len()] {
                let tail = InputTail::default();
                input.chunks(size).for_each(|bytes| tail.push(bytes));
                assert_eq!(tail.ends_in_zip(), expected, "{size} {}", end.escape_ascii());
                assert!(tail.0.lock().unwrap().bytes.len() <= TAIL);
            }
            let text = InputTail::default();
            text.push(&input[4..]);
            assert!(!text.ends_in_zip());
        }
    }
}
