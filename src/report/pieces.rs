//! The assembly of a record in a buffer.
//!
//! Pieces are copied into the room: unused bytes at the end of a buffer, allocated in advance. Each
//! step receives the room and returns the rest of it. If the room is too small, a step returns
//! `None`, and the record is written again into more room.
//!
//! So a piece needs no allocation, and the position of the next one stays in a register. An
//! [`io::Write`] would keep the position in memory, and load it again after each piece. That cost a
//! tenth of the instructions of a record (2026-11).

use std::io;

use super::page::Page;
use crate::bytes::words::ONES;

/// The unused part of the space for a record.
pub(super) type Room<'r> = &'r mut [u8];

/// The most bytes of a URL that [`size`] counts. The record of a longer URL may need a second
/// attempt.
const LONG: usize = 512;

/// Appends the output of `write` to a page, in room of the [`size`] that most records need.
#[inline(always)]
pub(super) fn append(
    page: &mut Page,
    fixed: usize,
    more: (usize, &[u8]),
    write: impl for<'r> Fn(Room<'r>) -> Option<Room<'r>>,
) {
    let mut size = size(fixed, more);
    loop {
        if let Some(left) = write(page.room(size)) {
            let left = left.len();
            return page.close(left);
        }
        size *= 2;
    }
}

/// Returns the room that most records need: `fixed` bytes, and `times` bytes for each byte of a
/// URL.
#[inline(always)]
pub(super) fn size(fixed: usize, (times, url): (usize, &[u8])) -> usize {
    fixed + times * url.len().min(LONG)
}

/// Writes pieces. Pieces of constant length are stored without a call, after one check for room.
///
/// The list of pieces is never lent to another function, because a lent list must lie in memory.
#[inline(always)]
pub(super) fn put<'r, const N: usize>(room: Room<'r>, pieces: [&[u8]; N]) -> Option<Room<'r>> {
    let (mut here, rest) = room.split_at_mut_checked(pieces.iter().map(|piece| piece.len()).sum())?;
    for piece in pieces {
        let (place, next) = here.split_at_mut_checked(piece.len())?;
        place.copy_from_slice(piece);
        here = next;
    }
    Some(rest)
}

/// Writes a text and a byte after it. The function is not inlined, because copying a text would be
/// a call anyway. Most texts have 4 to 64 bytes, and need no second call.
#[inline(never)]
pub(super) fn put_text<'r>(room: Room<'r>, text: &[u8], end: u8) -> Option<Room<'r>> {
    let (here, rest) = room.split_at_mut_checked(text.len() + 1)?;
    let (last, place) = here.split_last_mut()?;
    *last = end;
    match text.len() {
        32..=64 => copy_ends::<32>(place, text),
        16..32 => copy_ends::<16>(place, text),
        8..16 => copy_ends::<8>(place, text),
        4..8 => copy_ends::<4>(place, text),
        _ => place.copy_from_slice(text),
    }
    Some(rest)
}

/// Writes a word of this crate and a byte after it. Nearly all words have 4 to 16 letters, and need
/// no call.
#[inline(always)]
pub(super) fn put_word<'r>(room: Room<'r>, word: &str, end: u8) -> Option<Room<'r>> {
    let word = word.as_bytes();
    if !(4..=16).contains(&word.len()) {
        return put_text(room, word, end);
    }
    let (here, rest) = room.split_at_mut_checked(word.len() + 1)?;
    let (last, place) = here.split_last_mut()?;
    *last = end;
    if word.len() < 8 {
        copy_ends::<4>(place, word)
    } else {
        copy_ends::<8>(place, word)
    }
    Some(rest)
}

/// Copies the first and the last `N` bytes of a text. Together, both must cover the text.
#[inline(always)]
fn copy_ends<const N: usize>(place: &mut [u8], text: &[u8]) {
    if let (Some(place), Some(text)) = (place.first_chunk_mut::<N>(), text.first_chunk()) {
        *place = *text;
    }
    if let (Some(place), Some(text)) = (place.last_chunk_mut::<N>(), text.last_chunk()) {
        *place = *text;
    }
}

/// Writes a number in decimal.
///
/// Many numbers have one or two digits: columns, lengths, ports. Nearly all others have at most
/// eight. Eight digits are computed together and stored at once, at half the cost of itoa and a
/// copy.
#[inline(always)]
pub(super) fn put_number(room: Room<'_>, number: u64) -> Option<Room<'_>> {
    let digit = |digit: u64| b'0' + digit as u8;
    match number {
        0..10 => put(room, [&[digit(number)]]),
        10..100 => put(room, [&[digit(number / 10), digit(number % 10)]]),
        _ => put_long_number(room, number),
    }
}

/// Writes a number of three digits or more.
#[inline(never)]
fn put_long_number(room: Room<'_>, number: u64) -> Option<Room<'_>> {
    match number {
        0..100_000_000 => {
            let (digits, length) = eight_digits(number);
            *room.first_chunk_mut()? = digits;
            room.get_mut(length..)
        }
        _ => put(room, [itoa::Buffer::new().format(number).as_bytes()]),
    }
}

/// Returns the digits of a number other than 0 with at most eight digits, and their count.
#[inline(always)]
fn eight_digits(number: u64) -> ([u8; 8], usize) {
    // The number becomes two numbers of four digits, then four of two, then eight of one. The
    // leading digits are in the lowest bytes. The multiplications replace divisions, and are exact
    // in these ranges.
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 5243) >> 19) & 0x7F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    let ones = tens | ((twos - 10 * tens) << 8);
    let zeros = ones.trailing_zeros() / 8;
    let digits = (ones | (ONES * u64::from(b'0'))) >> (8 * zeros);
    (digits.to_le_bytes(), 8 - zeros as usize)
}

/// Calls `write` with the room as an [`io::Write`].
#[inline(always)]
pub(super) fn by<'r>(mut room: Room<'r>, write: impl FnOnce(&mut Room<'r>) -> io::Result<()>) -> Option<Room<'r>> {
    write(&mut room).ok()?;
    Some(room)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::io::Write;

    #[test]
    fn all_is_written_in_order() {
        let long = [b'x'; 3000];
        let mut expected = b"before".to_vec();
        let mut out = Page::following(&mut expected.clone());
        for lengths in [&[0, 1, 7][..], &[56, 0], &[57], &[1, 2, 3000, 0], &[8, 8, 8, 8, 8, 8, 8]] {
            let asked = Cell::new(0);
            append(&mut out, 64, (0, b""), |mut room| {
                asked.set(asked.get() + 1);
                for &length in lengths {
                    room = put(room, [b"<", &long[..length], b">"])?;
                }
                by(room, |out| out.write_all(b"end"))
            });
            let start = expected.len();
            for &length in lengths {
                expected.extend([b"<", &long[..length], b">"].concat());
            }
            expected.extend(b"end");
            // The page may have more room than was requested.
            assert!(asked.get() == 1 || expected.len() - start > 64);
            assert_eq!(out.written(), expected);
        }
    }

    #[test]
    fn texts_and_numbers_are_whole() {
        let text: Vec<u8> = (0..200).collect();
        for length in 0..text.len() {
            let mut out = Page::default();
            append(&mut out, 1, (0, b""), |room| put_text(room, &text[..length], b'"'));
            assert_eq!(out.written(), [&text[..length], b"\""].concat());
        }
        let powers = (1..20).flat_map(|power| [10_u64.pow(power) - 1, 10_u64.pow(power)]);
        for number in (0..11_000).chain((0..100_000_000).step_by(9973)).chain(powers).chain([u64::MAX]) {
            let mut out = Page::default();
            append(&mut out, 1, (0, b""), |room| put_number(room, number));
            assert_eq!(out.written(), number.to_string().as_bytes());
        }
    }
}
