//! The things that are asked of every 64 bytes, and the only `unsafe` of the crate: which colons may matter, what the bytes
//! after a `//` are, and how many line ends there are.
//!
//! Each has three forms: AVX-512, AVX2, and a portable one in safe Rust, which is their twin: the tests hold all of them
//! against a naive reading of the same bytes, at every alignment and tail. A [`Backend`] is one of them. It is chosen
//! once, by whoever makes the extractor, and handed down.
//!
//! What they are worth, on text in the cache (one thread of an AMD EPYC, 2026-11; GB/s of mail, text made of URLs, and
//! prose without): portable 1.9, 0.26, 5.4; AVX2 and AVX-512 alike 5.2, 0.60, 19. `memchr_iter(b':').count()` makes 38.

use std::fmt;
use std::sync::OnceLock;

/// How bytes are looked at: with the vectors of this machine, or without. The answers are the same for all, the speed is
/// not.
///
/// A value is a witness that this machine can run it: there is no way to make another.
///
/// ```
/// use urlgrep::{Backend, Extractor};
///
/// let portable = Backend::by_name("portable").unwrap(); // which every machine has
/// let extractor = Extractor::builder().backend(portable).build();
/// assert_eq!(extractor.find_iter(b"http://a.example/").count(), 1);
/// assert_eq!(Backend::by_name("abacus"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backend(Vectors);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vectors {
    /// Safe Rust, on any machine.
    Portable,
    /// 32 bytes at a time.
    Avx2,
    /// 64 bytes at a time.
    Avx512,
}

impl Default for Backend {
    /// [`Backend::detect`].
    fn default() -> Backend {
        Backend::detect()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Backend {
    /// The fastest that this machine has. The machine is asked once.
    #[must_use]
    #[inline]
    pub fn detect() -> Backend {
        static FASTEST: OnceLock<Backend> = OnceLock::new();
        *FASTEST.get_or_init(|| Backend::all().next().unwrap_or(Backend(Vectors::Portable)))
    }

    /// All that this machine has, the fastest first.
    pub fn all() -> impl Iterator<Item = Backend> {
        [Vectors::Avx512, Vectors::Avx2, Vectors::Portable]
            .into_iter()
            .filter(|vectors| vectors.are_there())
            .map(Backend)
    }

    /// The one with this [name](Backend::name); `None` where there is none, or where this machine cannot run it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Backend> {
        Backend::all().find(|backend| backend.name() == name)
    }

    /// `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Vectors::Portable => "portable",
            Vectors::Avx2 => "avx2",
            Vectors::Avx512 => "avx512",
        }
    }

    /// The first stretch at or after `from` with a colon before `end` that may matter: with `/` or `\` after it, or after three
    /// bytes that are, or may look like, the end of `http`, `ftp`, `nntp`, `https`, `news`, `wais`, `gopher`, `telnet`,
    /// `mailto`, `prospero`, `file` or `url` in any case.
    ///
    /// No such colon is left out. Others may pass: a table of nibbles takes `hed:` for `het:`, and both for `her:`, and
    /// `:o` for `:/`.
    pub(crate) fn colons(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
        let end = end.min(text.len());
        // A vector looks three bytes back and one ahead.
        let vectors = end.min(text.len().saturating_sub(1));
        if self.0 == Vectors::Portable || from + WIDTH > vectors {
            return colon_portable(text, from, end).map(Stretch::one);
        }
        let mut from = from;
        while from < BACK {
            if let Some(colon) = colon_portable(text, from, from + 1) {
                return Some(Stretch::one(colon));
            }
            from += 1;
        }
        // From a multiple of the width on, so that no load but those of neighbours crosses a cache line; what lies before
        // `from` is shifted out.
        let before = text[from..].as_ptr().addr() % WIDTH;
        let first = if from >= before + BACK { from - before } else { from };
        let (at, colons) = match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Backend::all`, from which every other one comes, makes one only where `are_there` has seen its
            // features. The bounds are those that the function asks for: `first >= BACK`, and `vectors < text.len()`.
            Vectors::Avx2 => unsafe { x86::colons_avx2(text, first, from, vectors) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Vectors::Avx512 => unsafe { x86::colons_avx512(text, first, from, vectors) },
            _ => (first, 0),
        };
        match colons {
            0 => colon_portable(text, at.max(from), end).map(Stretch::one),
            _ => {
                let start = at.max(from);
                Some(Stretch { start, end: at + WIDTH, colons: colons >> (start - at) })
            }
        }
    }

    /// Asks about these bytes.
    #[inline(always)]
    pub(crate) fn look<L: Look>(self, bytes: &[u8; WIDTH], question: L) -> L::Answer {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the features are there, as in `colons`.
            Vectors::Avx2 => unsafe { x86::look_avx2(bytes, question) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Vectors::Avx512 => unsafe { x86::look_avx512(bytes, question) },
            _ => question.answer(lanes_portable(bytes)),
        }
    }

    /// How many line ends (LF) a text has. `memchr_iter(…).count()` takes three times as long on texts of a message's length.
    pub(crate) fn line_ends(self, text: &[u8]) -> u64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there, as in `colons`; AVX-512 F implies it.
            Vectors::Avx2 | Vectors::Avx512 => unsafe { x86::line_ends_avx2(text) },
            _ => line_ends(text),
        }
    }
}

impl Vectors {
    fn are_there(&self) -> bool {
        match self {
            Vectors::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => is_x86_feature_detected!("avx2"),
            // The machines that have VBMI too are those that do not slow down for wide registers.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Vectors::Avx2 | Vectors::Avx512 => false,
        }
    }
}

/// [`Backend::line_ends`]. Blocks are short enough that a byte holds their count, so that the compiler adds up vectors.
#[inline(always)]
fn line_ends(text: &[u8]) -> u64 {
    fn ends(block: &[u8]) -> u8 {
        block.iter().map(|&byte| u8::from(byte == b'\n')).sum()
    }
    let (blocks, rest) = text.as_chunks::<192>();
    let (small, rest) = rest.as_chunks::<32>();
    let blocks = blocks.iter().map(|block| u64::from(ends(block)));
    blocks.chain(small.iter().map(|block| u64::from(ends(block)))).sum::<u64>() + u64::from(ends(rest))
}

/// A question about 64 bytes, answered where their lanes are still in registers: handing eight masks over in memory, to
/// be copied from there, cost more than computing them.
pub(crate) trait Look {
    /// What is known afterwards.
    type Answer;

    /// Answers; to be marked `#[inline(always)]`.
    fn answer(self, lanes: Lanes) -> Self::Answer;
}

/// The first byte that is not plain; [`WIDTH`] if all are.
pub(crate) struct PlainRun;

impl Look for PlainRun {
    type Answer = usize;

    #[inline(always)]
    fn answer(self, lanes: Lanes) -> usize {
        (!lanes.plain).trailing_zeros() as usize
    }
}

/// How many bytes are looked at together.
pub(crate) const WIDTH: usize = 64;
/// How many bytes before a colon are looked at.
const BACK: usize = 3;

/// A stretch of text and its colons that may matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// The offset of its first byte.
    pub(crate) start: usize,
    /// The offset after its last byte; at most [`WIDTH`] further.
    pub(crate) end: usize,
    /// One bit a byte, the lowest for the first.
    pub(crate) colons: u64,
}

/// 64 bytes, a bit each for some questions; the lowest bit is the first byte's.
///
/// *Plain* bytes are those of nearly all URLs, about which no rule of the finder asks anything but where they end: letters,
/// digits, and `! # $ % & + , - . / = ? _ ~`; no brackets, no colon, no `@`. Nor `'`, which may close a quotation, `;`,
/// which ends escaped markup, and `*`, of which two may be Gmail's: one URL of 250 in archives of mail has one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lanes {
    /// Plain bytes.
    pub(crate) plain: u64,
    /// Letters, digits, `-` and `.`.
    pub(crate) name: u64,
    /// `.`
    pub(crate) dot: u64,
    /// `-`
    pub(crate) hyphen: u64,
    /// `/`
    pub(crate) slash: u64,
    /// `?`
    pub(crate) query: u64,
    /// `~`
    pub(crate) tilde: u64,
    /// `#`
    pub(crate) hash: u64,
    /// `%`
    pub(crate) percent: u64,
    /// `=`
    pub(crate) equals: u64,
    /// LF
    pub(crate) newline: u64,
    /// CR
    pub(crate) carriage: u64,
    /// Space and tab
    pub(crate) blank: u64,
    /// `C` and `c`
    pub(crate) letter_c: u64,
}

impl Lanes {
    /// The lanes of single bytes, by where these are. Those of [`PLAIN`]'s classes are empty.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn of_bytes(are: impl Fn(u8) -> u64) -> Lanes {
        Lanes {
            dot: are(b'.'),
            hyphen: are(b'-'),
            slash: are(b'/'),
            query: are(b'?'),
            hash: are(b'#'),
            percent: are(b'%'),
            equals: are(b'='),
            newline: are(b'\n'),
            carriage: are(b'\r'),
            blank: are(b' ') | are(b'\t'),
            letter_c: are(b'C') | are(b'c'),
            ..Lanes::default()
        }
    }
}

/// Two tables of nibbles: a byte belongs to class *n* if both of its nibbles have bit *n*.
struct Nibbles {
    low: [u8; 16],
    high: [u8; 16],
}

/// The classes of [`Lanes`], as products of rows (high nibbles) and columns (low nibbles) of the ASCII table.
const PLAIN: Nibbles = {
    let mut table = Nibbles { low: [0; 16], high: [0; 16] };
    // Row 2: `! # $ % & + , /`, and `- .`
    table = product(table, 0, &[2], &[1, 3, 4, 5, 6, 0xB, 0xC, 0xF]);
    table = product(table, 1, &[2], &[0xD, 0xE]);
    // Row 3: `= ?`, and the digits
    table = product(table, 2, &[3], &[0xD, 0xF]);
    table = product(table, 3, &[3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    // Rows 4 and 6: A-O, a-o. Rows 5 and 7: P-Z, p-z.
    table = product(table, 4, &[4, 6], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF]);
    table = product(table, 5, &[5, 7], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xA]);
    // `_`, and `~`, whose bit the highest one must be
    table = product(table, 6, &[5], &[0xF]);
    product(table, 7, &[7], &[0xE])
};
/// Is it a plain byte?
pub(crate) const fn is_plain(byte: u8) -> bool {
    PLAIN.low[(byte & 15) as usize] & PLAIN.high[(byte >> 4) as usize] != 0
}

/// Letters, digits, `-` and `.` of [`PLAIN`].
const NAME_BITS: u8 = 0b0011_1010;

/// The ends of the words of K and of `url`, three letters each, by their low nibbles, which do not know case: the first
/// table is for the last letter, the next ones for those before it. A class is a bit, as in [`Nibbles`].
///
/// With two letters 1.6 colons a KiB of prose passed (`hat is:`, `answer:`), and cost half of the time there.
const TAILS: [[u8; 16]; 3] = {
    let mut tails = [[0; 16]; 3];
    tails = tail(tails, 0, [b"p", b"t", b"tfn"]); // http, ftp, nntp
    tails = tail(tails, 1, [b"s", b"pwi", b"tea"]); // https, news, wais
    tails = tail(tails, 2, [b"rt", b"e", b"hn"]); // gopher, telnet
    tails = tail(tails, 3, [b"o", b"tr", b"le"]); // mailto, prospero
    tails = tail(tails, 4, [b"e", b"l", b"i"]); // file
    tail(tails, 5, [b"l", b"r", b"u"]) // url
};

/// `/` and `\`, by their low nibbles: one look-up, as cheap as a comparison with one of them. What passes too, such as `:<`
/// and `:o`, is 0.03 colons a KiB of mail, and a thousandth of that in prose.
const SLASHES: [u8; 16] = {
    let mut table = [0; 16];
    table[(b'/' & 15) as usize] = 0x80;
    table[(b'\\' & 15) as usize] = 0x80;
    table
};

/// True if a byte after a colon may be a slash.
#[inline]
fn may_be_slash(byte: u8) -> bool {
    byte.is_ascii() && SLASHES[usize::from(byte & 15)] != 0
}

/// Adds class `bit`: any of these letters in each place.
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

/// Adds class `bit`: the bytes whose high nibble is in `high` and whose low nibble is in `low`.
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

/// True if a colon at `at` may matter: exactly what the vectors compute.
fn may_matter(text: &[u8], at: usize) -> bool {
    if text.get(at + 1).is_some_and(|&byte| may_be_slash(byte)) {
        return true;
    }
    at.checked_sub(3).and_then(|i| text[i..at].first_chunk()).is_some_and(is_tail)
}

/// True if three bytes may be the end of a word: the last one must have a letter's high bits, which takes the times of
/// day out; nothing is asked of the others'.
#[inline]
fn is_tail(&[third, second, last]: &[u8; 3]) -> bool {
    let classes = |place: usize, byte: u8| if byte.is_ascii() { TAILS[place][usize::from(byte & 15)] } else { 0 };
    (0x40..0x80).contains(&last) && classes(0, last) & classes(1, second) & classes(2, third) != 0
}

impl Stretch {
    /// That of one colon.
    pub(crate) fn one(colon: usize) -> Stretch {
        Stretch { start: colon, end: colon + 1, colons: 1 }
    }
}

/// `memchr`, and a look at the bytes around each colon.
#[inline(never)]
fn colon_portable(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let mut from = from;
    while from < end {
        let colon = from + memchr::memchr(b':', &text[from..end])?;
        if may_matter(text, colon) {
            return Some(colon);
        }
        from = colon + 1;
    }
    None
}

/// Byte by byte.
fn lanes_portable(bytes: &[u8; WIDTH]) -> Lanes {
    let mut lanes = Lanes::default();
    for (i, &byte) in bytes.iter().enumerate() {
        let bit = 1 << i;
        let class = PORTABLE[usize::from(byte)];
        lanes.plain |= u64::from(class != 0) << i;
        lanes.name |= u64::from(class & NAME_BITS != 0) << i;
        match byte {
            b'.' => lanes.dot |= bit,
            b'-' => lanes.hyphen |= bit,
            b'/' => lanes.slash |= bit,
            b'?' => lanes.query |= bit,
            b'~' => lanes.tilde |= bit,
            b'#' => lanes.hash |= bit,
            b'%' => lanes.percent |= bit,
            b'=' => lanes.equals |= bit,
            b'\n' => lanes.newline |= bit,
            b'\r' => lanes.carriage |= bit,
            b' ' | b'\t' => lanes.blank |= bit,
            b'C' | b'c' => lanes.letter_c |= bit,
            _ => {}
        }
    }
    lanes
}

/// [`PLAIN`] by byte.
static PORTABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = PLAIN.low[byte & 15] & PLAIN.high[byte >> 4];
        byte += 1;
    }
    table
};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{BACK, Lanes, Look, NAME_BITS, PLAIN, SLASHES, TAILS, WIDTH, is_tail, may_be_slash};

    /// How far ahead memory is asked for. Hardware prefetching stops at the end of a page; where that shows, this is worth
    /// 20 to 45%. On the machine of the other figures it made no difference.
    const AHEAD: usize = 4096;

    /// The first stretch of `WIDTH` bytes from `first` on with a colon at or after `from` that may matter, and these; or
    /// where the first byte lies that was not looked at, and 0.
    ///
    /// # Safety
    ///
    /// The machine has AVX2, `BACK <= first <= from`, and `end < text.len()`.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn colons_avx2(text: &[u8], first: usize, from: usize, end: usize) -> (usize, u64) {
        debug_assert!(BACK <= first && first <= from && from - first < WIDTH && end < text.len());
        let colon = _mm256_set1_epi8(b':' as i8);
        let slashes = twice(&SLASHES);
        let letters = _mm256_set1_epi8(0x40);
        let none = _mm256_setzero_si256();
        let [last, second, third] = [twice(&TAILS[0]), twice(&TAILS[1]), twice(&TAILS[2])];
        let mut wanted = u64::MAX << (from - first);
        let mut at = first;
        while at + WIDTH <= end {
            // SAFETY: reads `at - BACK..at + WIDTH + 1`: `at >= first >= BACK` and `at + WIDTH <= end < text.len()`. The address
            // that is asked for ahead may lie anywhere: a prefetch reads nothing that the program could see.
            let half = |offset: usize| unsafe {
                let p = text.as_ptr().add(at + offset);
                _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
                let is_colon = _mm256_cmpeq_epi8(_mm256_loadu_si256(p.cast()), colon);
                // A high bit, which is what the mask takes.
                let slash_after = _mm256_shuffle_epi8(slashes, _mm256_loadu_si256(p.add(1).cast()));
                // What is no letter gets a high bit, for which the shuffle gives 0.
                let a = _mm256_subs_epi8(_mm256_loadu_si256(p.sub(1).cast()), letters);
                let b = _mm256_shuffle_epi8(second, _mm256_loadu_si256(p.sub(2).cast()));
                let c = _mm256_shuffle_epi8(third, _mm256_loadu_si256(p.sub(3).cast()));
                let tail = _mm256_and_si256(_mm256_shuffle_epi8(last, a), _mm256_and_si256(b, c));
                let tail = _mm256_cmpgt_epi8(tail, none);
                let matters = _mm256_and_si256(is_colon, _mm256_or_si256(slash_after, tail));
                u64::from(_mm256_movemask_epi8(matters) as u32)
            };
            let colons = (half(0) | half(32) << 32) & wanted;
            if colons != 0 {
                return (at, colons);
            }
            wanted = u64::MAX;
            at += WIDTH;
        }
        (at, 0)
    }

    /// As [`colons_avx2`], with three loads instead of five: masks of a whole stretch are cheap to shift.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512 F and BW, `BACK <= first <= from`, and `end < text.len()`.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) unsafe fn colons_avx512(text: &[u8], first: usize, from: usize, end: usize) -> (usize, u64) {
        debug_assert!(BACK <= first && first <= from && from - first < WIDTH && end < text.len());
        let colon = _mm512_set1_epi8(b':' as i8);
        let slash = four_times(&SLASHES);
        let letters = _mm512_set1_epi8(0x40);
        let [last, second, third] = [four_times(&TAILS[0]), four_times(&TAILS[1]), four_times(&TAILS[2])];
        let mut wanted = u64::MAX << (from - first);
        // A tail that ends right before the stretch.
        let mut carried = u64::from(text[..first].last_chunk().is_some_and(is_tail));
        let mut at = first;
        while at + WIDTH <= end {
            // SAFETY: as in `colons_avx2`: reads `at - 2..at + WIDTH + 1`.
            let (v, b, c, next) = unsafe {
                let p = text.as_ptr().add(at);
                _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
                let [b, c] = [1, 2].map(|back| _mm512_loadu_si512(p.sub(back).cast()));
                (_mm512_loadu_si512(p.cast()), b, c, *p.add(WIDTH))
            };
            let slashes = _mm512_movepi8_mask(_mm512_shuffle_epi8(slash, v));
            let a = _mm512_shuffle_epi8(last, _mm512_subs_epi8(v, letters));
            let tails = _mm512_test_epi8_mask(
                a,
                _mm512_and_si512(_mm512_shuffle_epi8(second, b), _mm512_shuffle_epi8(third, c)),
            );
            let slash_after = slashes >> 1 | u64::from(may_be_slash(next)) << 63;
            let tail_before = tails << 1 | carried;
            let colons = _mm512_cmpeq_epi8_mask(v, colon) & (slash_after | tail_before) & wanted;
            if colons != 0 {
                return (at, colons);
            }
            carried = tails >> 63;
            wanted = u64::MAX;
            at += WIDTH;
        }
        (at, 0)
    }

    /// The portable form, compiled for vectors of 32 bytes.
    ///
    /// # Safety
    ///
    /// The machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn line_ends_avx2(text: &[u8]) -> u64 {
        super::line_ends(text)
    }

    /// # Safety
    ///
    /// The machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn look_avx2<L: Look>(bytes: &[u8; WIDTH], question: L) -> L::Answer {
        // SAFETY: both loads lie in the array.
        let (low, high) =
            unsafe { (_mm256_loadu_si256(bytes.as_ptr().cast()), _mm256_loadu_si256(bytes.as_ptr().add(32).cast())) };
        let bits = |mask: [__m256i; 2]| {
            let [low, high] = mask.map(|half| u64::from(_mm256_movemask_epi8(half) as u32));
            low | high << 32
        };
        let are = |byte: u8| {
            let byte = _mm256_set1_epi8(byte as i8);
            bits([_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte)])
        };
        let classes = [low, high].map(|v| {
            let rows = _mm256_and_si256(_mm256_srli_epi16::<4>(v), _mm256_set1_epi8(15));
            _mm256_and_si256(_mm256_shuffle_epi8(twice(&PLAIN.low), v), _mm256_shuffle_epi8(twice(&PLAIN.high), rows))
        });
        let none = _mm256_setzero_si256();
        let names = _mm256_set1_epi8(NAME_BITS as i8);
        question.answer(Lanes {
            plain: !bits(classes.map(|v| _mm256_cmpeq_epi8(v, none))),
            name: !bits(classes.map(|v| _mm256_cmpeq_epi8(_mm256_and_si256(v, names), none))),
            // A mask takes the highest bit of each byte.
            tilde: bits(classes),
            ..Lanes::of_bytes(are)
        })
    }

    /// # Safety
    ///
    /// The machine has AVX-512 F and BW.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) unsafe fn look_avx512<L: Look>(bytes: &[u8; WIDTH], question: L) -> L::Answer {
        // SAFETY: the load is the array.
        let v = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        let are = |byte: u8| _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(byte as i8));
        let rows = _mm512_and_si512(_mm512_srli_epi16::<4>(v), _mm512_set1_epi8(15));
        let low = _mm512_shuffle_epi8(four_times(&PLAIN.low), v);
        let high = _mm512_shuffle_epi8(four_times(&PLAIN.high), rows);
        let classes = _mm512_and_si512(low, high);
        question.answer(Lanes {
            plain: _mm512_test_epi8_mask(classes, classes),
            name: _mm512_test_epi8_mask(classes, _mm512_set1_epi8(NAME_BITS as i8)),
            tilde: _mm512_movepi8_mask(classes),
            ..Lanes::of_bytes(are)
        })
    }

    /// A table in both halves of a register.
    #[target_feature(enable = "avx2")]
    fn twice(table: &[u8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(one(table))
    }

    /// A table in all quarters of a register.
    #[target_feature(enable = "avx512f")]
    fn four_times(table: &[u8; 16]) -> __m512i {
        _mm512_broadcast_i32x4(one(table))
    }

    fn one(table: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes are read from an array of 16; SSE2 belongs to every x86-64.
        unsafe { _mm_loadu_si128(table.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests;
