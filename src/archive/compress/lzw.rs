//! The format of `compress` (`.Z`): LZW with codes of 9 to 16 bits. No well-maintained crate
//! decodes it. `weezl` decodes GIF and TIFF, but not the gaps that `compress` leaves before longer
//! codes.
//!
//! The format has neither an end mark nor a checksum: a truncated input decodes without an error.

/// The code that clears the table, if the header announces it.
const CLEAR: usize = 256;
const LONGEST: u32 = 16;

/// The state of a stream, after its header.
pub(in crate::archive) struct Lzw {
    longest: u32,
    has_clear: bool,
    /// For each code, the code of its text without the last byte, and that byte.
    prefix: Box<[u16]>,
    last: Box<[u8]>,
    /// The next code to be defined.
    next: usize,
    /// The width of codes in bits, and the number of codes read since it changed. `compress` writes
    /// codes in groups of eight.
    width: u32,
    count: u32,
    /// The unused bits, and their number.
    bits: u64,
    held: u32,
    /// The previous code, and the first byte of its text.
    before: Option<(usize, u8)>,
    /// Decoded bytes that have no room in the output yet, in reverse order.
    waiting: Vec<u8>,
    /// Whether the table is cleared after the gap.
    is_clearing: bool,
    /// The number of header bytes that remain.
    header: usize,
}

impl Lzw {
    pub(super) fn new() -> Lzw {
        let (prefix, last) = (vec![0; 1 << LONGEST].into(), vec![0; 1 << LONGEST].into());
        let (waiting, before) = (Vec::new(), None);
        let (next, width, count, bits, held) = (CLEAR, 9, 0, 0, 0);
        let (has_clear, is_clearing, header, longest) = (false, false, 3, LONGEST);
        Lzw { longest, has_clear, prefix, last, next, width, count, bits, held, before, waiting, is_clearing, header }
    }

    /// Runs one step. Returns the numbers of bytes read and written. Also returns the fault after
    /// them, if the input is invalid.
    pub(super) fn step(&mut self, input: &[u8], out: &mut [u8]) -> (usize, usize, Option<&'static str>) {
        let (mut used, mut made) = (0, 0);
        loop {
            while let Some(byte) = self.waiting.pop_if(|_| made < out.len()) {
                out[made] = byte;
                made += 1;
            }
            if made == out.len() {
                return (used, made, None);
            }
            if self.header == 0
                && let Some(code) = self.code()
            {
                match self.read(code) {
                    Ok(()) => continue,
                    Err(what) => return (used, made, Some(what)),
                }
            }
            let Some(&byte) = input.get(used) else { return (used, made, None) };
            used += 1;
            match self.header {
                0 => {
                    self.bits |= u64::from(byte) << self.held;
                    self.held += 8;
                }
                1 => {
                    (self.longest, self.has_clear) = (u32::from(byte & 0x1F), byte & 0x80 != 0);
                    self.next = CLEAR + usize::from(self.has_clear);
                    self.header = 0;
                    if !(9..=LONGEST).contains(&self.longest) {
                        return (used, made, Some("codes of unknown length"));
                    }
                }
                _ => self.header -= 1,
            }
        }
    }

    /// Returns the next code, if all its bits have arrived.
    fn code(&mut self) -> Option<usize> {
        if self.is_clearing {
            self.pass_gap()?;
            (self.is_clearing, self.width, self.next) = (false, 9, CLEAR + 1);
        }
        if self.next >= 1 << self.width && self.width < self.longest {
            self.pass_gap()?;
            self.width += 1;
        }
        self.take(self.width)
    }

    fn take(&mut self, width: u32) -> Option<usize> {
        self.held = self.held.checked_sub(width)?;
        let code = self.bits & ((1 << width) - 1);
        self.bits >>= width;
        self.count += 1;
        Some(code as usize)
    }

    /// Skips the codes that pad the codes of one width to a multiple of eight. Returns `None` if
    /// some of their bits are missing.
    fn pass_gap(&mut self) -> Option<()> {
        while !self.count.is_multiple_of(8) {
            self.take(self.width)?;
        }
        self.count = 0;
        Some(())
    }

    fn read(&mut self, code: usize) -> Result<(), &'static str> {
        if code == CLEAR && self.has_clear {
            // The gap follows, and the codes after it have 9 bits again.
            (self.is_clearing, self.before) = (true, None);
            return Ok(());
        }
        let Some((before, first)) = self.before else {
            // The first code stands for a single byte.
            let byte = u8::try_from(code).map_err(|_| "an invalid code")?;
            self.before = Some((code, byte));
            self.waiting.push(byte);
            return Ok(());
        };
        let mut at = code;
        if code >= self.next {
            if code > self.next {
                return Err("an invalid code");
            }
            // This code is not defined yet. It stands for the previous text, followed by that
            // text's first byte.
            self.waiting.push(first);
            at = before;
        }
        while at > 255 {
            self.waiting.push(self.last[at]);
            at = self.prefix[at].into();
        }
        let first = at as u8;
        self.waiting.push(first);
        if self.next < 1 << self.longest {
            (self.prefix[self.next], self.last[self.next]) = (before as u16, first);
            self.next += 1;
        }
        self.before = Some((code, first));
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Packs a text like `compress -b longest`, and clears the table at every `clear_every`th byte.
    pub(in crate::archive::compress) fn compress(text: &[u8], longest: u32, clear_every: usize) -> Vec<u8> {
        let mut packed = vec![0x1F, 0x9D, 0x80 | longest as u8];
        let (mut bits, mut held, mut count, mut width) = (0u64, 0, 0, 9);
        let mut put = |code: usize, width: u32, packed: &mut Vec<u8>| {
            bits |= (code as u64) << held;
            held += width;
            while held >= 8 {
                packed.push(bits as u8);
                bits >>= 8;
                held -= 8;
            }
        };
        let (mut table, mut next) = (HashMap::<(usize, u8), usize>::new(), 257);
        let mut emit = |code: usize, count: &mut u32, width: u32, packed: &mut Vec<u8>| {
            put(code, width, packed);
            *count += 1;
        };
        let mut rest = text.iter().enumerate();
        let Some((_, &first)) = rest.next() else { return packed };
        let mut code = usize::from(first);
        for (at, &byte) in rest {
            if let Some(&longer) = table.get(&(code, byte)) {
                code = longer;
                continue;
            }
            emit(code, &mut count, width, &mut packed);
            if next < 1 << longest {
                // The reader defines each code one step later than the writer.
                if next >= (1 << width) && width < longest {
                    while !count.is_multiple_of(8) {
                        emit(0, &mut count, width, &mut packed);
                    }
                    (width, count) = (width + 1, 0);
                }
                table.insert((code, byte), next);
                next += 1;
            }
            code = usize::from(byte);
            if at.is_multiple_of(clear_every) {
                emit(CLEAR, &mut count, width, &mut packed);
                while !count.is_multiple_of(8) {
                    emit(0, &mut count, width, &mut packed);
                }
                (next, width, count) = (257, 9, 0);
                table.clear();
            }
        }
        emit(code, &mut count, width, &mut packed);
        // Flushes the last bits.
        emit(0, &mut count, 7, &mut packed);
        packed
    }

    fn unpack(packed: &[u8], chunk: usize, room: usize) -> Result<Vec<u8>, &'static str> {
        let (mut lzw, mut all, mut out) = (Lzw::new(), Vec::new(), vec![0; room]);
        for input in packed.chunks(chunk) {
            let mut input = input;
            loop {
                let (used, made, what) = lzw.step(input, &mut out);
                input = &input[used..];
                all.extend_from_slice(&out[..made]);
                if let Some(what) = what {
                    return Err(what);
                }
                if used == 0 && made == 0 {
                    break;
                }
            }
        }
        Ok(all)
    }

    #[test]
    fn what_is_compressed_comes_back() {
        let mut rng = fastrand::Rng::with_seed(1984);
        let words = ["see ", "http://a.example/", "aaaaaaaaaaaa", "\n", "From: joe\n", "b", "abab"];
        for round in 0..300 {
            let mut text: Vec<u8> = (0..rng.usize(..3_000)).flat_map(|_| rng.choice(words).unwrap().bytes()).collect();
            if round % 3 == 0 {
                text.extend((0..rng.usize(..40_000)).map(|_| rng.u8(..)));
            }
            let packed = compress(&text, rng.u32(9..=16), if rng.bool() { usize::MAX } else { rng.usize(500..5_000) });
            for (chunk, room) in [(1, 1), (7, 100), (1 << 20, 1 << 16)] {
                assert!(unpack(&packed, chunk, room).as_deref() == Ok(&text[..]), "{round}");
            }
        }
    }

    #[test]
    fn any_bytes_end_in_some_way() {
        let mut rng = fastrand::Rng::with_seed(1984);
        for _ in 0..2_000 {
            let mut packed: Vec<u8> = (0..rng.usize(..300)).map(|_| rng.u8(..)).collect();
            packed.splice(0..0, [0x1F, 0x9D, rng.u8(..)]);
            let _ = unpack(&packed, 100, 100);
        }
        assert!(unpack(&[0x1F, 0x9D, 0x90, 0xFF, 0xFF], 100, 100).is_err());
    }
}
