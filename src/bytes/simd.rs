//! The scans of blocks of 64 bytes, and the only `unsafe` of the crate. The scans find colons that
//! may matter and short words, classify the bytes after a `//`, and count line ends.
//!
//! Most scans have three forms with the same results: AVX-512, AVX2, and a portable form in safe
//! Rust. The tests compare all forms with a naive scan of the same bytes, at every alignment and
//! tail. A [`Backend`] stands for one of these forms. It is chosen once, when the extractor is
//! made.
//!
//! Throughput on text in the cache, in GB/s, on one thread of an AMD EPYC (2026-11). The figures
//! are for mail, text made of URLs, and prose without URLs. The portable form reaches 1.9, 0.26 and
//! 5.4. Both AVX2 and AVX-512 reach 5.2, 0.60 and 19. `memchr_iter(b':').count()` reaches 38.

use std::sync::OnceLock;

mod tables;

#[cfg(all(feature = "archive", target_arch = "x86_64"))]
use tables::SEPARATORS;
#[cfg(feature = "archive")]
use tables::is_separator;
use tables::{NAME_BITS, PORTABLE, SPECIAL_BITS, may_matter};
#[cfg(target_arch = "x86_64")]
use tables::{PLAIN, SLASHES, TAILS, is_tail, may_be_slash};
pub(crate) use tables::{is_plain, is_special};

/// The instructions that scan bytes: vector instructions of this machine, or none. The backend
/// changes only the speed, not the result.
///
/// A value proves that this machine can run the backend, because only detection creates values.
///
/// ```
/// use urlgrep::{Backend, Extractor};
///
/// let portable = Backend::by_name("portable").unwrap(); // which every machine has
/// let extractor = Extractor::builder().backend(portable).build();
/// assert_eq!(extractor.find_iter(b"http://a.example/").count(), 1);
/// assert_eq!(Backend::by_name("abacus"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Backend(Vectors);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vectors {
    /// Safe Rust, on any machine.
    Portable,
    /// 32 bytes at a time.
    Avx2,
    /// 64 bytes at a time.
    Avx512,
}

impl Default for Backend {
    /// Returns [`Backend::detect`].
    fn default() -> Backend {
        Backend::detect()
    }
}

crate::bytes::display::display!(Backend, name);

impl Backend {
    /// Returns the fastest backend of this machine. The machine is inspected once.
    #[must_use]
    #[inline]
    pub fn detect() -> Backend {
        static FASTEST: OnceLock<Backend> = OnceLock::new();
        *FASTEST.get_or_init(|| Backend::all().next().unwrap_or(Backend(Vectors::Portable)))
    }

    /// Returns all backends of this machine, the fastest first.
    pub fn all() -> impl Iterator<Item = Backend> {
        [Vectors::Avx512, Vectors::Avx2, Vectors::Portable]
            .into_iter()
            .filter(|vectors| vectors.are_there())
            .map(Backend)
    }

    /// Returns the backend with this [name](Backend::name). Returns `None` if no backend has this
    /// name, or if this machine cannot run it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Backend> {
        Backend::all().find(|backend| backend.name() == name)
    }

    /// Returns `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            Vectors::Portable => "portable",
            Vectors::Avx2 => "avx2",
            Vectors::Avx512 => "avx512",
        }
    }

    /// Runs a scan with the instructions of this backend.
    #[inline(always)]
    pub(crate) fn look<L: Look>(self, question: L) -> L::Answer {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: only `Backend::all` creates backends with vectors, and only if `are_there`
            // has detected their features.
            Vectors::Avx2 => unsafe { x86::look_avx2(question) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Vectors::Avx512 => unsafe { x86::look_avx512(question) },
            _ => question.answer(Portable),
        }
    }

    /// Returns the number of line ends (LF) in a text. `memchr_iter(…).count()` costs three times
    /// as much on texts of a message's length.
    pub(crate) fn line_ends(self, text: &[u8]) -> u64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as in `look`. For AVX-512, `are_there` has also detected the features of
            // AVX2.
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
            Vectors::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
                    && is_x86_feature_detected!("popcnt")
            }
            // VBMI is required, because machines with it do not slow down for wide registers.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => {
                Vectors::Avx2.are_there()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Vectors::Avx2 | Vectors::Avx512 => false,
        }
    }
}

/// Counts line ends like [`Backend::line_ends`]. The count of a block fits into a byte, so the
/// compiler can add whole vectors.
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

/// A scan of bytes, in one function that may use vectors.
///
/// The compiler does not inline a function that may use vectors into one that may not. So a scan is
/// one function. Between functions, masks would pass through memory, which costs more than
/// computing them.
pub(crate) trait Look {
    /// The result of the scan.
    type Answer;

    /// Runs the scan. Implementations must be `#[inline(always)]`.
    fn answer<K: Kernel>(self, kernel: K) -> Self::Answer;
}

/// The operations of a backend. A value proves that this machine can run them.
pub(crate) trait Kernel: Copy {
    /// Returns the first stretch at or after `from` with a colon before `end` that may matter.
    ///
    /// A colon may matter if `/` or `\` follows it, or if a word seems to end right before it. Only
    /// the last three bytes of a word are compared. The words are `url`, the schemes of K, and
    /// others such as `geo` and `tel` (see `TAILS`). They match in any case.
    ///
    /// No such colon is missed. Others may pass: the tables of nibbles accept `hed:` like `her:`,
    /// and `:o` like `:/`.
    fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch>;

    /// Returns the masks of 64 bytes.
    fn masks(self, bytes: &[u8; WIDTH]) -> Masks;

    /// Returns a mask of the places of `byte`. The lowest bit is for the first place.
    fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64;

    /// Returns the offset of the first block, from `from` on, in which a pair of bytes begins. The
    /// second byte stands `apart` bytes after the first. Also returns a mask of the places of the
    /// pairs' first bytes.
    ///
    /// Without such a block, returns the offset of the first byte that was not scanned, and 0.
    fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64);

    /// Returns the offset of the first byte, from `from` on, that separates the pieces of a tag. Such
    /// a byte is a blank, `/`, `=` or `>`. Returns the length of the text if there is none.
    #[cfg(feature = "archive")]
    fn separator(self, text: &[u8], from: usize) -> usize;

    /// Returns the offset of the first of two bytes from `from` on. Returns the length of the text
    /// if there is none.
    #[cfg(feature = "archive")]
    fn either(self, text: &[u8], from: usize, bytes: (u8, u8)) -> usize;
}

/// The number of bytes that are scanned together.
pub(crate) const WIDTH: usize = 64;
/// The number of bytes before a colon that are compared.
#[cfg(target_arch = "x86_64")]
const BACK: usize = 3;

/// A stretch of text and its colons that may matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// The offset of the first byte.
    pub(crate) start: usize,
    /// The offset after the last byte, at most [`WIDTH`] after `start`.
    pub(crate) end: usize,
    /// A mask of the places of the colons. The lowest bit is for the first byte.
    pub(crate) colons: u64,
}

/// The classes of 64 bytes of a URL: one mask per class. The lowest bit of a mask is for the first
/// byte.
///
/// Nearly all URLs have only *plain* bytes. For such a URL, the finder's rules need only the place
/// where the plain bytes end. Plain bytes are letters, digits, and `! # $ % & + , - . / = ? _ ~`,
/// but no brackets, no colon, no `@`.
///
/// Three more bytes are not plain: `'` may close a quotation, `;` ends escaped markup, and two `*`
/// may be marks of Gmail. In archives of mail, one URL in 250 has one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Bytes that are not plain.
    pub(crate) other: u64,
    /// Bytes that are not a letter, a digit, `-` or `.`.
    pub(crate) no_name: u64,
    /// `.`
    pub(crate) dot: u64,
    /// `.` and `-`. No label of a host begins or ends with them.
    pub(crate) edge: u64,
    /// `# % ? ~`, which the grammars check, and `+ , =`, which share their classes.
    pub(crate) special: u64,
}

impl Stretch {
    /// Returns the stretch of a single colon.
    pub(crate) fn one(colon: usize) -> Stretch {
        Stretch { start: colon, end: colon + 1, colons: 1 }
    }
}

/// Returns the next colon that may matter, by `memchr` and the bytes around each colon.
///
/// This function reaches 3.0 GB/s on mail. A packed search (Teddy, of aho-corasick) reaches 1.75
/// for `:/`, `:\` and the ends of three names in any case. For the ends of all names, the packed
/// search reaches 0.24 (November 2026).
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

/// Safe Rust, on any machine.
#[derive(Clone, Copy)]
struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
        colon_portable(text, from, end.min(text.len())).map(Stretch::one)
    }

    /// Computes the masks byte by byte.
    fn masks(self, bytes: &[u8; WIDTH]) -> Masks {
        let mut masks = Masks::default();
        for (i, &byte) in bytes.iter().enumerate() {
            let class = PORTABLE[usize::from(byte)];
            masks.other |= u64::from(class == 0) << i;
            masks.no_name |= u64::from(class & NAME_BITS == 0) << i;
            masks.dot |= u64::from(byte == b'.') << i;
            masks.edge |= u64::from(class >> 7) << i;
            masks.special |= u64::from(class & SPECIAL_BITS != 0) << i;
        }
        masks
    }

    fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64 {
        bytes.iter().rev().fold(0, |are, &b| are << 1 | u64::from(b == byte))
    }

    /// Scans nothing: `memchr` is faster than any loop over single bytes.
    fn pairs(self, _: &[u8], from: usize, _: (u8, u8), _: usize) -> (usize, u64) {
        (from, 0)
    }

    #[cfg(feature = "archive")]
    fn separator(self, text: &[u8], from: usize) -> usize {
        first_separator(text, from)
    }

    #[cfg(feature = "archive")]
    fn either(self, text: &[u8], from: usize, bytes: (u8, u8)) -> usize {
        memchr::memchr2(bytes.0, bytes.1, &text[from..]).map_or(text.len(), |length| from + length)
    }
}

/// Computes [`Kernel::separator`] byte by byte.
#[cfg(feature = "archive")]
#[inline(always)]
fn first_separator(text: &[u8], from: usize) -> usize {
    text[from..].iter().position(|&byte| is_separator(byte)).map_or(text.len(), |length| from + length)
}

/// Computes [`Kernel::stretch`] with vectors, which read three bytes back and one ahead.
///
/// `scan` receives the offset of the first byte to scan, and the end of the blocks that it may
/// read. It returns the offset and the colons of a block. Without a colon, it returns the offset of
/// the first byte that it did not scan, and 0.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn stretch_by(
    text: &[u8],
    from: usize,
    end: usize,
    scan: impl FnOnce(usize, usize) -> (usize, u64),
) -> Option<Stretch> {
    let end = end.min(text.len());
    let vectors = end.min(text.len().saturating_sub(1));
    let mut from = from;
    if from < BACK {
        if let Some(colon) = colon_portable(text, from, end.min(BACK)) {
            return Some(Stretch::one(colon));
        }
        from = BACK;
    }
    // The vectors need a whole block.
    if from + WIDTH > vectors {
        return colon_portable(text, from, end).map(Stretch::one);
    }
    let (at, colons) = scan(from, vectors);
    match colons {
        0 => colon_portable(text, at, end).map(Stretch::one),
        _ => Some(Stretch { start: at, end: at + WIDTH, colons }),
    }
}

/// Returns the first offset after `from` at which a block is aligned to a cache line. From there
/// on, only the loads of neighbouring bytes cross two cache lines.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn aligned_after(text: &[u8], from: usize) -> usize {
    from + WIDTH - text.as_ptr().addr().wrapping_add(from) % WIDTH
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::{
        BACK, Kernel, Look, Masks, NAME_BITS, PLAIN, SLASHES, SPECIAL_BITS, Stretch, TAILS, WIDTH, aligned_after,
        is_tail, may_be_slash, stretch_by,
    };
    #[cfg(feature = "archive")]
    use super::{SEPARATORS, first_separator};

    /// The distance of the prefetch, in bytes.
    ///
    /// Hardware prefetching stops at the end of a page. On machines that suffer from this, the
    /// prefetch gains 20 to 45%. On the machine of the other figures it made no difference.
    const AHEAD: usize = 4096;
    /// The width of a vector of AVX2.
    #[cfg(feature = "archive")]
    const HALF: usize = WIDTH / 2;

    /// A proof that the machine has AVX2, BMI, LZCNT and POPCNT. It is created only in code with
    /// these features enabled.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Kernel for Avx2 {
        #[inline(always)]
        fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
            // SAFETY: the machine has the features, and `stretch_by` passes the required bounds.
            stretch_by(text, from, end, |from, end| unsafe { colons_avx2(text, from, end) })
        }

        #[inline(always)]
        fn masks(self, bytes: &[u8; WIDTH]) -> Masks {
            // SAFETY: the machine has the features.
            unsafe { masks_avx2(bytes) }
        }

        #[inline(always)]
        fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64 {
            // SAFETY: the machine has the features.
            unsafe { are_avx2(bytes, byte) }
        }

        #[inline(always)]
        fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
            // SAFETY: the machine has the features.
            unsafe { pairs_avx2(text, from, pair, apart) }
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn separator(self, text: &[u8], from: usize) -> usize {
            // SAFETY: the machine has the features.
            unsafe { separator_avx2(text, from) }
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn either(self, text: &[u8], from: usize, bytes: (u8, u8)) -> usize {
            // SAFETY: the machine has the features.
            unsafe { either_avx2(text, from, bytes) }
        }
    }

    /// A proof that the machine has AVX-512 F and BW, BMI, LZCNT and POPCNT. It is created only in
    /// code with these features enabled.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    #[cfg(feature = "archive")]
    impl Avx512 {
        /// Returns the proof for AVX2, which AVX-512 includes. Most names and values are shorter than
        /// a vector of AVX-512.
        #[inline(always)]
        fn without_512(self) -> Avx2 {
            Avx2(())
        }
    }

    impl Kernel for Avx512 {
        #[inline(always)]
        fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
            // SAFETY: as for AVX2.
            stretch_by(text, from, end, |from, end| unsafe { colons_avx512(text, from, end) })
        }

        #[inline(always)]
        fn masks(self, bytes: &[u8; WIDTH]) -> Masks {
            // SAFETY: the machine has the features.
            unsafe { masks_avx512(bytes) }
        }

        #[inline(always)]
        fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64 {
            // SAFETY: the machine has the features.
            unsafe { are_avx512(bytes, byte) }
        }

        #[inline(always)]
        fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
            // SAFETY: the machine has the features.
            unsafe { pairs_avx512(text, from, pair, apart) }
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn separator(self, text: &[u8], from: usize) -> usize {
            self.without_512().separator(text, from)
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn either(self, text: &[u8], from: usize, bytes: (u8, u8)) -> usize {
            self.without_512().either(text, from, bytes)
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn look_avx2<L: Look>(question: L) -> L::Answer {
        question.answer(Avx2(()))
    }

    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn look_avx512<L: Look>(question: L) -> L::Answer {
        question.answer(Avx512(()))
    }

    /// Returns the offset and the colons of the first block from `from` on with a colon that may
    /// matter. A block has `WIDTH` bytes.
    ///
    /// Without such a block, returns the offset of the first byte that was not scanned, and 0.
    ///
    /// # Safety
    ///
    /// `BACK <= from`, `from + WIDTH <= end`, and `end < text.len()`.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    unsafe fn colons_avx2(text: &[u8], from: usize, end: usize) -> (usize, u64) {
        debug_assert!(BACK <= from && from + WIDTH <= end && end < text.len());
        let colon = _mm256_set1_epi8(b':' as i8);
        let slashes = twice(&SLASHES);
        let none = _mm256_setzero_si256();
        let [last, second, third] = [twice(&TAILS[0]), twice(&TAILS[1]), twice(&TAILS[2])];
        // SAFETY: each half of a block lies within `from..end`. Its loads read
        // `at - BACK..at + WIDTH / 2 + 1`, and `from >= BACK`, `end < text.len()`.
        let half = |at: usize| unsafe {
            let p = text.as_ptr().add(at);
            let is_colon = _mm256_cmpeq_epi8(_mm256_loadu_si256(p.cast()), colon);
            let slash_after = _mm256_shuffle_epi8(slashes, _mm256_loadu_si256(p.add(1).cast()));
            let a = _mm256_shuffle_epi8(last, _mm256_loadu_si256(p.sub(1).cast()));
            let b = _mm256_shuffle_epi8(second, _mm256_loadu_si256(p.sub(2).cast()));
            let c = _mm256_shuffle_epi8(third, _mm256_loadu_si256(p.sub(3).cast()));
            let tail = _mm256_and_si256(a, _mm256_and_si256(b, c));
            _mm256_and_si256(is_colon, _mm256_or_si256(slash_after, tail))
        };
        let block = |at: usize| {
            // SAFETY: as above. A prefetch may point anywhere, because it reads nothing that the
            // program could see.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().add(at).wrapping_add(AHEAD).cast()) };
            (half(at), half(at + WIDTH / 2))
        };
        let colons_of = |(low, high)| !bits(_mm256_cmpeq_epi8(low, none), _mm256_cmpeq_epi8(high, none));
        // The first block is scanned separately, because text made of URLs mostly has its next
        // colon there.
        let colons = colons_of(block(from));
        if colons != 0 {
            return (from, colons);
        }
        // Two blocks are scanned at a time, and masks are made only if one of them has a colon.
        // This costs 23 instructions per block of prose instead of 27.
        let mut at = aligned_after(text, from);
        while at + 2 * WIDTH <= end {
            let (near, far) = (block(at), block(at + WIDTH));
            let any = _mm256_or_si256(_mm256_or_si256(near.0, near.1), _mm256_or_si256(far.0, far.1));
            if _mm256_testz_si256(any, any) == 0 {
                let colons = colons_of(near);
                return if colons != 0 { (at, colons) } else { (at + WIDTH, colons_of(far)) };
            }
            at += 2 * WIDTH;
        }
        (at, 0)
    }

    /// Returns the same as [`colons_avx2`], with three vector loads instead of five. Masks of a
    /// whole block are cheap to shift.
    ///
    /// # Safety
    ///
    /// `BACK <= from`, `from + WIDTH <= end`, and `end < text.len()`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt")]
    unsafe fn colons_avx512(text: &[u8], from: usize, end: usize) -> (usize, u64) {
        debug_assert!(BACK <= from && from + WIDTH <= end && end < text.len());
        let colon = _mm512_set1_epi8(b':' as i8);
        let slash = four_times(&SLASHES);
        let [last, second, third] = [four_times(&TAILS[0]), four_times(&TAILS[1]), four_times(&TAILS[2])];
        let tail_before = |at: usize| u64::from(text[..at].last_chunk().is_some_and(is_tail));
        // Returns a block's colons, and its tails. `before` is 1 if a tail stands right before the
        // block.
        let block = |at: usize, before: u64| {
            // SAFETY: as in `colons_avx2`. The loads read `at - 2..at + WIDTH + 1`.
            let (v, b, c, next) = unsafe {
                let p = text.as_ptr().add(at);
                _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(AHEAD).cast());
                let (b, c) = (_mm512_loadu_si512(p.sub(1).cast()), _mm512_loadu_si512(p.sub(2).cast()));
                (_mm512_loadu_si512(p.cast()), b, c, *p.add(WIDTH))
            };
            let slashes = _mm512_movepi8_mask(_mm512_shuffle_epi8(slash, v));
            let tails = _mm512_test_epi8_mask(
                _mm512_shuffle_epi8(last, v),
                _mm512_and_si512(_mm512_shuffle_epi8(second, b), _mm512_shuffle_epi8(third, c)),
            );
            let slash_after = slashes >> 1 | u64::from(may_be_slash(next)) << 63;
            (_mm512_cmpeq_epi8_mask(v, colon) & (slash_after | tails << 1 | before), tails)
        };
        let (colons, tails) = block(from, tail_before(from));
        if colons != 0 {
            return (from, colons);
        }
        let mut at = aligned_after(text, from);
        let mut before = tails >> (at - from - 1) & 1;
        while at + WIDTH <= end {
            let (colons, tails) = block(at, before);
            if colons != 0 {
                return (at, colons);
            }
            before = tails >> 63;
            at += WIDTH;
        }
        (at, 0)
    }

    /// Computes [`Kernel::pairs`].
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn pairs_avx2(text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
        let (first, second) = (_mm256_set1_epi8(pair.0 as i8), _mm256_set1_epi8(pair.1 as i8));
        let Some(last) = text.len().checked_sub(apart.saturating_add(WIDTH)) else { return (from, 0) };
        let mut at = from;
        while at <= last {
            // SAFETY: the loads of a block read `at..at + WIDTH + apart`, and
            // `at + WIDTH + apart <= text.len()`.
            let half = |offset: usize| unsafe {
                let p = text.as_ptr().add(at + offset);
                let is_first = _mm256_cmpeq_epi8(_mm256_loadu_si256(p.cast()), first);
                _mm256_and_si256(is_first, _mm256_cmpeq_epi8(_mm256_loadu_si256(p.add(apart).cast()), second))
            };
            let (low, high) = (half(0), half(WIDTH / 2));
            let both = _mm256_or_si256(low, high);
            if _mm256_testz_si256(both, both) == 0 {
                return (at, bits(low, high));
            }
            at += WIDTH;
        }
        (at, 0)
    }

    /// Computes [`Kernel::pairs`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt")]
    fn pairs_avx512(text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
        let (first, second) = (_mm512_set1_epi8(pair.0 as i8), _mm512_set1_epi8(pair.1 as i8));
        let Some(last) = text.len().checked_sub(apart.saturating_add(WIDTH)) else { return (from, 0) };
        let mut at = from;
        while at <= last {
            // SAFETY: as in `pairs_avx2`.
            let places = unsafe {
                let p = text.as_ptr().add(at);
                let is_first = _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(p.cast()), first);
                _mm512_mask_cmpeq_epi8_mask(is_first, _mm512_loadu_si512(p.add(apart).cast()), second)
            };
            if places != 0 {
                return (at, places);
            }
            at += WIDTH;
        }
        (at, 0)
    }

    /// Counts line ends like [`line_ends`](super::line_ends), with a fifth of the instructions that
    /// the compiler generates for that function.
    ///
    /// # Safety
    ///
    /// The machine must have AVX2, BMI and LZCNT.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub(super) unsafe fn line_ends_avx2(text: &[u8]) -> u64 {
        let newline = _mm256_set1_epi8(b'\n' as i8);
        let none = _mm256_setzero_si256();
        let (blocks, rest) = text.as_chunks::<WIDTH>();
        let mut sums = none;
        // A byte can count to 255, and each block adds at most 2 to each byte.
        for blocks in blocks.chunks(127) {
            let mut counts = none;
            for block in blocks {
                let (low, high) = halves(block);
                let ends = _mm256_add_epi8(_mm256_cmpeq_epi8(low, newline), _mm256_cmpeq_epi8(high, newline));
                counts = _mm256_sub_epi8(counts, ends);
            }
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(counts, none));
        }
        let sum = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let sum = _mm_cvtsi128_si64(sum) as u64 + _mm_extract_epi64::<1>(sum) as u64;
        let mut last = [0; WIDTH];
        last[..rest.len()].copy_from_slice(rest);
        sum + u64::from(are_avx2(&last, b'\n').count_ones())
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn masks_avx2(bytes: &[u8; WIDTH]) -> Masks {
        let (low, high) = halves(bytes);
        let none = _mm256_setzero_si256();
        let classes = |v: __m256i| {
            let rows = _mm256_and_si256(_mm256_srli_epi16::<4>(v), _mm256_set1_epi8(15));
            _mm256_and_si256(_mm256_shuffle_epi8(twice(&PLAIN.low), v), _mm256_shuffle_epi8(twice(&PLAIN.high), rows))
        };
        let (a, b) = (classes(low), classes(high));
        let without = |set: u8| {
            let set = _mm256_set1_epi8(set as i8);
            let none_of = |v: __m256i| _mm256_cmpeq_epi8(_mm256_and_si256(v, set), none);
            bits(none_of(a), none_of(b))
        };
        let dot = _mm256_set1_epi8(b'.' as i8);
        Masks {
            other: bits(_mm256_cmpeq_epi8(a, none), _mm256_cmpeq_epi8(b, none)),
            no_name: without(NAME_BITS),
            dot: bits(_mm256_cmpeq_epi8(low, dot), _mm256_cmpeq_epi8(high, dot)),
            // `bits` reads the highest bit of each byte, which is the class of `.` and `-`.
            edge: bits(a, b),
            special: !without(SPECIAL_BITS),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn are_avx2(bytes: &[u8; WIDTH], byte: u8) -> u64 {
        let (low, high) = halves(bytes);
        let byte = _mm256_set1_epi8(byte as i8);
        bits(_mm256_cmpeq_epi8(low, byte), _mm256_cmpeq_epi8(high, byte))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt")]
    fn masks_avx512(bytes: &[u8; WIDTH]) -> Masks {
        let v = block(bytes);
        let rows = _mm512_and_si512(_mm512_srli_epi16::<4>(v), _mm512_set1_epi8(15));
        let low = _mm512_shuffle_epi8(four_times(&PLAIN.low), v);
        let high = _mm512_shuffle_epi8(four_times(&PLAIN.high), rows);
        let classes = _mm512_and_si512(low, high);
        Masks {
            other: _mm512_testn_epi8_mask(classes, classes),
            no_name: _mm512_testn_epi8_mask(classes, _mm512_set1_epi8(NAME_BITS as i8)),
            dot: _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(b'.' as i8)),
            edge: _mm512_movepi8_mask(classes),
            special: _mm512_test_epi8_mask(classes, _mm512_set1_epi8(SPECIAL_BITS as i8)),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt")]
    fn are_avx512(bytes: &[u8; WIDTH], byte: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(block(bytes), _mm512_set1_epi8(byte as i8))
    }

    /// Computes [`Kernel::separator`]. Most names end within the first vector.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    #[cfg(feature = "archive")]
    fn separator_avx2(text: &[u8], from: usize) -> usize {
        let (vectors, rest) = text[from..].as_chunks();
        for (index, bytes) in vectors.iter().enumerate() {
            let v = half(bytes);
            let rows = _mm256_and_si256(_mm256_srli_epi16::<4>(v), _mm256_set1_epi8(15));
            let low = _mm256_shuffle_epi8(twice(&SEPARATORS.low), v);
            let classes = _mm256_and_si256(low, _mm256_shuffle_epi8(twice(&SEPARATORS.high), rows));
            let others = _mm256_movemask_epi8(_mm256_cmpeq_epi8(classes, _mm256_setzero_si256()));
            if others != -1 {
                return from + index * HALF + others.trailing_ones() as usize;
            }
        }
        first_separator(text, text.len() - rest.len())
    }

    /// Computes [`Kernel::either`]. Most values end within the first vectors.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    #[cfg(feature = "archive")]
    fn either_avx2(text: &[u8], from: usize, bytes: (u8, u8)) -> usize {
        let (first, second) = (_mm256_set1_epi8(bytes.0 as i8), _mm256_set1_epi8(bytes.1 as i8));
        let (vectors, rest) = text[from..].as_chunks();
        for (index, vector) in vectors.iter().enumerate() {
            let v = half(vector);
            let found = _mm256_or_si256(_mm256_cmpeq_epi8(v, first), _mm256_cmpeq_epi8(v, second));
            let found = _mm256_movemask_epi8(found);
            if found != 0 {
                return from + index * HALF + found.trailing_zeros() as usize;
            }
        }
        let start = text.len() - rest.len();
        rest.iter().position(|&byte| byte == bytes.0 || byte == bytes.1).map_or(text.len(), |length| start + length)
    }

    /// Returns the highest bit of each byte.
    ///
    /// The two calls are written out, because methods of arrays may not use the vectors. A closure
    /// for such a method would be a function call.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn bits(low: __m256i, high: __m256i) -> u64 {
        let [low, high] = [_mm256_movemask_epi8(low), _mm256_movemask_epi8(high)];
        u64::from(low as u32) | u64::from(high as u32) << 32
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn halves(bytes: &[u8; WIDTH]) -> (__m256i, __m256i) {
        // SAFETY: both loads lie in the array.
        unsafe {
            let p = bytes.as_ptr();
            (_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(WIDTH / 2).cast()))
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    #[cfg(feature = "archive")]
    fn half(bytes: &[u8; HALF]) -> __m256i {
        // SAFETY: the load reads exactly the array.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn block(bytes: &[u8; WIDTH]) -> __m512i {
        // SAFETY: the load reads exactly the array.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }

    /// Returns a table in both halves of a register.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn twice(table: &[u8; 16]) -> __m256i {
        _mm256_broadcastsi128_si256(one(table))
    }

    /// Returns a table in all quarters of a register.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn four_times(table: &[u8; 16]) -> __m512i {
        _mm512_broadcast_i32x4(one(table))
    }

    #[inline]
    fn one(table: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes are read from an array of 16; SSE2 belongs to every x86-64.
        unsafe { _mm_loadu_si128(table.as_ptr().cast()) }
    }
}

#[cfg(test)]
mod tests;
