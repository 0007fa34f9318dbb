//! Classes of bytes in tables of nibbles, built at compile time from lists. The vectors and the
//! portable form share them.

/// Two tables of nibbles: a byte belongs to class *n* if both of its nibbles have bit *n*.
pub(super) struct Nibbles {
    pub(super) low: [u8; 16],
    pub(super) high: [u8; 16],
}

/// The classes of [`Masks`](super::Masks), as products of rows (high nibbles) and columns (low
/// nibbles) of the ASCII table.
pub(super) const PLAIN: Nibbles = {
    let mut table = Nibbles { low: [0; 16], high: [0; 16] };
    // `! $ & /` and `_`. The row of `_` also adds Q, T and V, which are plain, too.
    table = product(table, 0, &[2, 5], &[1, 4, 6, 0xF]);
    // Special: `# % + ,`, `= ?` and `~`
    table = product(table, 1, &[2], &[3, 5, 0xB, 0xC]);
    table = product(table, 2, &[3], &[0xD, 0xF]);
    table = product(table, 3, &[7], &[0xE]);
    // Digits; A-O, a-o; P-Z, p-z
    table = product(table, 4, &[3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    table = product(table, 5, &[4, 6], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]);
    table = product(table, 6, &[5, 7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA]);
    // `- .`: this class must have the highest bit, because the mask of a vector is made of that
    // bit.
    product(table, 7, &[2], &[0xD, 0xE])
};
/// The bits of [`PLAIN`] for the bytes of a name.
pub(super) const NAME_BITS: u8 = 0xF0;
/// The bits of [`PLAIN`] for the special bytes.
pub(super) const SPECIAL_BITS: u8 = 0x0E;

/// The bytes that separate the pieces of a tag: blanks, `/`, `=` and `>`.
#[cfg(feature = "archive")]
pub(super) const SEPARATORS: Nibbles = {
    let mut table = Nibbles { low: [0; 16], high: [0; 16] };
    table = product(table, 0, &[0], &[9, 0xA, 0xC, 0xD]);
    table = product(table, 1, &[2], &[0, 0xF]);
    product(table, 2, &[3], &[0xD, 0xE])
};

/// Returns whether a byte separates the pieces of a tag.
#[cfg(feature = "archive")]
pub(super) const fn is_separator(byte: u8) -> bool {
    SEPARATORS.low[(byte & 15) as usize] & SEPARATORS.high[(byte >> 4) as usize] != 0
}

/// Returns whether a byte is plain.
pub(crate) const fn is_plain(byte: u8) -> bool {
    PLAIN.low[(byte & 15) as usize] & PLAIN.high[(byte >> 4) as usize] != 0
}

/// Returns whether a byte is [special](super::Masks::special).
pub(crate) const fn is_special(byte: u8) -> bool {
    PLAIN.low[(byte & 15) as usize] & PLAIN.high[(byte >> 4) as usize] & SPECIAL_BITS != 0
}

/// The last three letters of `url`, of the schemes of K, and of other schemes, by their low
/// nibbles. Low nibbles do not depend on case.
///
/// The first table is for the last letter, and the next tables are for the letters before it. A
/// class is a bit, as in [`Nibbles`].
///
/// With only two letters, 1.6 colons per KiB of prose passed (`hat is:`, `answer:`). These colons
/// cost half of the time on prose.
pub(super) const TAILS: [[u8; 16]; 3] = {
    let mut tails = [[0; 16]; 3];
    tails = tail(tails, 0, [b"p", b"t", b"tfn"]); // http, ftp, nntp
    tails = tail(tails, 1, [b"s", b"pwi", b"tea"]); // https, news, wais
    tails = tail(tails, 2, [b"rt", b"e", b"hn"]); // gopher, telnet
    tails = tail(tails, 3, [b"o", b"tre", b"leg"]); // mailto, prospero, geo
    tails = tail(tails, 4, [b"e", b"l", b"i"]); // file
    tails = tail(tails, 5, [b"l", b"re", b"ut"]); // url, tel
    tails = tail(tails, 6, [b"sp", b"mip", b"sim"]); // sms, sip, sips, xmpp
    tail(tails, 7, [b"m", b"i", b" \"'(\t\n;<\r>/"]) // im after a delimiter
};

/// The table for `/` and `\`, by their low nibbles. One look-up is as cheap as a comparison with
/// one byte.
///
/// Other bytes, as in `:<` and `:o`, also pass. In mail, this adds 0.03 colons per KiB. In prose,
/// it adds a thousandth of that.
pub(super) const SLASHES: [u8; 16] = {
    let mut table = [0; 16];
    table[(b'/' & 15) as usize] = 0x80;
    table[(b'\\' & 15) as usize] = 0x80;
    table
};

/// Returns whether a byte after a colon may be a slash.
#[inline]
pub(super) fn may_be_slash(byte: u8) -> bool {
    byte.is_ascii() && SLASHES[usize::from(byte & 15)] != 0
}

/// Adds class `bit`, with any of these letters in each place.
const fn tail(mut tails: [[u8; 16]; 3], bit: u32, letters: [&[u8]; 3]) -> [[u8; 16]; 3] {
    let mut place = 0;
    while place < 3 {
        let mut i = 0;
        while i < letters[place].len() {
            tails[place][(letters[place][i] & 15) as usize] |= 1 << bit;
            i += 1;
        }
        place += 1;
    }
    tails
}

/// Adds class `bit`, with the bytes whose high nibble is in `high` and whose low nibble is in
/// `low`.
const fn product(mut table: Nibbles, bit: u32, high: &[usize], low: &[usize]) -> Nibbles {
    let mut i = 0;
    while i < high.len() {
        table.high[high[i]] |= 1 << bit;
        i += 1;
    }
    let mut i = 0;
    while i < low.len() {
        table.low[low[i]] |= 1 << bit;
        i += 1;
    }
    table
}

/// Returns whether a colon at `at` may matter. The vectors compute exactly this.
pub(super) fn may_matter(text: &[u8], at: usize) -> bool {
    if text.get(at + 1).is_some_and(|&byte| may_be_slash(byte)) {
        return true;
    }
    // At the beginning of a text, `im:` has no delimiter before it, so each colon there may matter.
    at.checked_sub(3).is_none_or(|i| text[i..at].first_chunk().is_some_and(is_tail))
}

/// Returns whether three bytes may be the end of a word, by their low nibbles.
///
/// Checking that the last byte is a letter would reject only one more colon in 300, as in
/// `like 3:`. That check would cost a twelfth of the time.
#[inline]
pub(super) fn is_tail(&[third, second, last]: &[u8; 3]) -> bool {
    let classes = |place: usize, byte: u8| if byte.is_ascii() { TAILS[place][usize::from(byte & 15)] } else { 0 };
    classes(0, last) & classes(1, second) & classes(2, third) != 0
}

/// The classes of [`PLAIN`] by byte.
pub(super) static PORTABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = PLAIN.low[byte & 15] & PLAIN.high[byte >> 4];
        byte += 1;
    }
    table
};
