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

mod tables;

use tables::{NAME_BITS, PORTABLE, SPECIAL_BITS, may_matter};
#[cfg(target_arch = "x86_64")]
use tables::{PLAIN, SLASHES, TAILS, is_tail, may_be_slash};
pub(crate) use tables::{is_plain, is_special};

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
    /// Returns the fastest that this machine has. The machine is asked once.
    #[must_use]
    #[inline]
    pub fn detect() -> Backend {
        static FASTEST: OnceLock<Backend> = OnceLock::new();
        *FASTEST.get_or_init(|| Backend::all().next().unwrap_or(Backend(Vectors::Portable)))
    }

    /// Returns all that this machine has, the fastest first.
    pub fn all() -> impl Iterator<Item = Backend> {
        [Vectors::Avx512, Vectors::Avx2, Vectors::Portable]
            .into_iter()
            .filter(|vectors| vectors.are_there())
            .map(Backend)
    }

    /// Returns the one with this [name](Backend::name); `None` where there is none, or where this machine cannot run
    /// it.
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

    /// Has a question answered with the instructions of this backend.
    #[inline(always)]
    pub(crate) fn look<L: Look>(self, question: L) -> L::Answer {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Backend::all`, from which every other one comes, makes one only where `are_there` has seen its
            // features.
            Vectors::Avx2 => unsafe { x86::look_avx2(question) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Vectors::Avx512 => unsafe { x86::look_avx512(question) },
            _ => question.answer(Portable),
        }
    }

    /// Returns how many line ends (LF) a text has. `memchr_iter(…).count()` takes three times as long on texts of a
    /// message's length.
    pub(crate) fn line_ends(self, text: &[u8]) -> u64 {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: AVX2 is there, as in `look`; AVX-512 F implies it.
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
            // The machines that have VBMI too are those that do not slow down for wide registers.
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

/// A question about bytes, answered in one function that may use the vectors: between functions that may and those that
/// may not nothing is inlined, and handing masks over in memory cost more than computing them.
pub(crate) trait Look {
    /// What is known afterwards.
    type Answer;

    /// Answers; to be marked `#[inline(always)]`.
    fn answer<K: Kernel>(self, kernel: K) -> Self::Answer;
}

/// What a backend computes. A value is a witness that this machine can run it.
pub(crate) trait Kernel: Copy {
    /// Returns the first stretch at or after `from` that may hold a colon before `end` that may matter: with `/` or `\`
    /// after it, or after three bytes that are, or may look like, the end of `http`, `ftp`, `nntp`, `https`, `news`,
    /// `wais`, `gopher`, `telnet`, `mailto`, `prospero`, `file` or `url` in any case.
    ///
    /// No such colon is left out. Others may pass: a table of nibbles takes `hed:` for `het:`, and both for `her:`, and
    /// `:o` for `:/`.
    fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch>;

    /// Returns the masks of 64 bytes.
    fn masks(self, bytes: &[u8; WIDTH]) -> Masks;

    /// Returns where a byte stands: a bit each, the lowest for the first.
    fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64;

    /// Of the blocks from `from` on, the first in which one byte has another so far after it, and where: a bit each. Or where
    /// the bytes begin that were not looked at, and 0.
    #[cfg(feature = "archive")]
    fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64);
}

/// How many bytes are looked at together.
pub(crate) const WIDTH: usize = 64;
/// How many bytes before a colon are looked at.
#[cfg(target_arch = "x86_64")]
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

/// What URLs are read from: 64 bytes, a bit each for some questions; the lowest bit is the first byte's.
///
/// *Plain* bytes are those of nearly all URLs, about which no rule of the finder asks anything but where they end: letters,
/// digits, and `! # $ % & + , - . / = ? _ ~`; no brackets, no colon, no `@`. Nor `'`, which may close a quotation, `;`,
/// which ends escaped markup, and `*`, of which two may be Gmail's: one URL of 250 in archives of mail has one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Masks {
    /// Not plain.
    pub(crate) other: u64,
    /// Neither a letter nor a digit, `-` or `.`.
    pub(crate) no_name: u64,
    /// `.`
    pub(crate) dot: u64,
    /// `.` and `-`, which no label of a host begins or ends with.
    pub(crate) edge: u64,
    /// `# % ? ~`, which the grammars ask about, and `+ , =`, which share their classes.
    pub(crate) special: u64,
}

impl Stretch {
    /// That of one colon.
    pub(crate) fn one(colon: usize) -> Stretch {
        Stretch { start: colon, end: colon + 1, colons: 1 }
    }
}

/// `memchr`, and a look at the bytes around each colon: 3.0 GB/s of mail. A packed search (Teddy, of aho-corasick) makes 1.75
/// for `:/`, `:\` and the case forms of three names' ends, and 0.24 for those of all names (November 2026).
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

    /// Byte by byte.
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

    /// `memchr` has faster ones than any made of single bytes.
    #[cfg(feature = "archive")]
    fn pairs(self, _: &[u8], from: usize, _: (u8, u8), _: usize) -> (usize, u64) {
        (from, 0)
    }
}

/// [`Kernel::stretch`] by vectors, which look three bytes back and one ahead. `scan` is given where colons begin to count, and
/// the end of what it may read blocks of; it gives a block's colons, or where the bytes begin that it did not look at, and 0.
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
    if from + WIDTH > vectors {
        return colon_portable(text, from, end).map(Stretch::one);
    }
    let (at, colons) = scan(from, vectors);
    match colons {
        0 => colon_portable(text, at, end).map(Stretch::one),
        _ => Some(Stretch { start: at, end: at + WIDTH, colons }),
    }
}

/// Returns where blocks go on behind the one at `from`, so that each lies in one cache line: then no load but those of
/// neighbours crosses two.
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

    /// How far ahead memory is asked for. Hardware prefetching stops at the end of a page; where that shows, this is worth
    /// 20 to 45%. On the machine of the other figures it made no difference.
    const AHEAD: usize = 4096;

    /// The machine has AVX2, BMI, LZCNT and POPCNT. Made where they are enabled.
    #[derive(Clone, Copy)]
    pub(super) struct Avx2(());

    impl Kernel for Avx2 {
        #[inline(always)]
        fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
            // SAFETY: the features are there; the bounds are those that `stretch_by` gives.
            stretch_by(text, from, end, |from, end| unsafe { colons_avx2(text, from, end) })
        }

        #[inline(always)]
        fn masks(self, bytes: &[u8; WIDTH]) -> Masks {
            // SAFETY: the features are there.
            unsafe { masks_avx2(bytes) }
        }

        #[inline(always)]
        fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64 {
            // SAFETY: the features are there.
            unsafe { are_avx2(bytes, byte) }
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
            // SAFETY: the features are there.
            unsafe { pairs_avx2(text, from, pair, apart) }
        }
    }

    /// The machine has AVX-512 F and BW, BMI, LZCNT and POPCNT. Made where they are enabled.
    #[derive(Clone, Copy)]
    pub(super) struct Avx512(());

    impl Kernel for Avx512 {
        #[inline(always)]
        fn stretch(self, text: &[u8], from: usize, end: usize) -> Option<Stretch> {
            // SAFETY: as for AVX2.
            stretch_by(text, from, end, |from, end| unsafe { colons_avx512(text, from, end) })
        }

        #[inline(always)]
        fn masks(self, bytes: &[u8; WIDTH]) -> Masks {
            // SAFETY: the features are there.
            unsafe { masks_avx512(bytes) }
        }

        #[inline(always)]
        fn are(self, bytes: &[u8; WIDTH], byte: u8) -> u64 {
            // SAFETY: the features are there.
            unsafe { are_avx512(bytes, byte) }
        }

        #[inline(always)]
        #[cfg(feature = "archive")]
        fn pairs(self, text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
            // SAFETY: the features are there.
            unsafe { pairs_avx512(text, from, pair, apart) }
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

    /// Returns the first block of `WIDTH` bytes from `from` on with a colon that may matter, and these; or where the
    /// first byte lies that was not looked at, and 0.
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
        // SAFETY: half a block lies within `from..end`; what is read is `at - BACK..at + WIDTH / 2 + 1`, and `from >= BACK`,
        // `end < text.len()`.
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
            // SAFETY: as above; what is asked for ahead may lie anywhere: a prefetch reads nothing that the program could see.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(text.as_ptr().add(at).wrapping_add(AHEAD).cast()) };
            (half(at), half(at + WIDTH / 2))
        };
        let colons_of = |(low, high)| !bits(_mm256_cmpeq_epi8(low, none), _mm256_cmpeq_epi8(high, none));
        // By itself: text made of URLs has its next colon here.
        let colons = colons_of(block(from));
        if colons != 0 {
            return (from, colons);
        }
        // Two at a time, and masks are made only where one has a colon: 23 instructions a block of prose instead of 27.
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

    /// As [`colons_avx2`], with three loads instead of five: masks of a whole block are cheap to shift.
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
        // A block's colons, and its tails; 1 for a tail right before it.
        let block = |at: usize, before: u64| {
            // SAFETY: as in `colons_avx2`: reads `at - 2..at + WIDTH + 1`.
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

    /// [`Kernel::pairs`].
    #[cfg(feature = "archive")]
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    fn pairs_avx2(text: &[u8], from: usize, pair: (u8, u8), apart: usize) -> (usize, u64) {
        let (first, second) = (_mm256_set1_epi8(pair.0 as i8), _mm256_set1_epi8(pair.1 as i8));
        let Some(last) = text.len().checked_sub(apart.saturating_add(WIDTH)) else { return (from, 0) };
        let mut at = from;
        while at <= last {
            // SAFETY: reads `at..at + WIDTH + apart`, and `at + WIDTH + apart <= text.len()`.
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

    /// [`Kernel::pairs`].
    #[cfg(feature = "archive")]
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

    /// [`line_ends`](super::line_ends) with a fifth of the instructions that the compiler makes of that.
    ///
    /// # Safety
    ///
    /// The machine has AVX2, and what comes with it.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
    pub(super) unsafe fn line_ends_avx2(text: &[u8]) -> u64 {
        let newline = _mm256_set1_epi8(b'\n' as i8);
        let none = _mm256_setzero_si256();
        let (blocks, rest) = text.as_chunks::<WIDTH>();
        let mut sums = none;
        // A byte holds a count of 255.
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
            // A mask takes the highest bit of each byte.
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

    /// Returns the highest bit of each byte. (By hand: no method of arrays may use the vectors, so that a closure for
    /// one is called.)
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
    #[target_feature(enable = "avx512f")]
    fn block(bytes: &[u8; WIDTH]) -> __m512i {
        // SAFETY: the load is the array.
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
