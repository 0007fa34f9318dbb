//! Comparisons of every backend with a naive scan of the same bytes.

use super::*;

/// The divisor of the number of iterations. An interpreter (Miri) checks which bytes are read, and
/// needs few iterations.
const PACE: usize = if cfg!(miri) { 1_000 } else { 1 };

struct StretchFrom<'t>(&'t [u8], usize, usize);

impl Look for StretchFrom<'_> {
    type Answer = Option<Stretch>;

    fn answer<K: Kernel>(self, kernel: K) -> Option<Stretch> {
        kernel.stretch(self.0, self.1, self.2)
    }
}

/// Returns all colons that a backend finds, in order.
fn all(backend: Backend, text: &[u8], from: usize, end: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut from = from;
    while let Some(stretch) = backend.look(StretchFrom(text, from, end)) {
        assert!(stretch.start >= from && stretch.end <= text.len() && stretch.end - stretch.start <= WIDTH);
        assert!(stretch.colons != 0);
        found.extend((0..WIDTH).filter(|i| stretch.colons >> i & 1 == 1).map(|i| stretch.start + i));
        from = stretch.end;
    }
    found
}

fn naive(text: &[u8], from: usize, end: usize) -> Vec<usize> {
    (from..end.min(text.len())).filter(|&at| text[at] == b':' && may_matter(text, at)).collect()
}

#[test]
fn every_backend_finds_the_colons_of_a_naive_scan() {
    let mut random = fastrand::Rng::with_seed(1738);
    let words = [
        "http://", "URL:", "ews:", "ws:", "hed:", "ftp:", "12:30", "é:", "\u{7f}:", ":", "/", "x", "to", "tP", "\n",
        "rl:/", ":\\/", ":o", "\\", ":\u{ef}",
    ];
    for _ in 0..400 / PACE.min(200) {
        let count = random.usize(..120);
        let text: String = (0..count).map(|_| words[random.usize(..words.len())]).collect();
        let text = text.as_bytes();
        // Tests every alignment and every tail, with a text that ends exactly at the end of its
        // memory.
        for cut in 0..text.len().min(70) {
            let text = text[cut..].to_vec().into_boxed_slice();
            let from = random.usize(..=text.len());
            let end = random.usize(from..=text.len() + 2);
            for backend in Backend::all() {
                let (name, expected) = (backend.name(), naive(&text, from, end));
                let found: Vec<_> = all(backend, &text, from, end).into_iter().filter(|&at| at < end).collect();
                assert_eq!(found, expected, "{name} {from}..{end} of {:?}", String::from_utf8_lossy(&text));
            }
        }
    }
}

#[test]
fn every_tail_before_a_colon() {
    for backend in Backend::all() {
        for last in (0..=255u8).step_by(PACE.min(128)) {
            let mut text = Vec::new();
            for second in 0..=255u8 {
                for third in [b"tfeahnliu ".as_slice(), &[0x94, 0xF4, second]].concat() {
                    text.extend_from_slice(&[third, second, last, b':', b' ']);
                }
            }
            text.extend_from_slice(&[b'.'; 2 * WIDTH]);
            let end = text.len();
            assert_eq!(all(backend, &text, 0, end), naive(&text, 0, end), "{} {last:x}", backend.name());
        }
    }
}

#[test]
fn tails_are_the_ends_of_the_words() {
    let words = [
        "http", "https", "ftp", "mailto", "news", "gopher", "nntp", "telnet", "wais", "file", "prospero", "url",
        "magnet", "tel", "sms", "sip", "sips", "xmpp", "im", " im", "geo",
    ];
    for word in words {
        for word in [word.to_string(), word.to_uppercase()] {
            assert!(may_matter(format!("{word}:").as_bytes(), word.len()), "{word}");
        }
    }
    assert!(may_matter(b"://", 0) && may_matter(b":\\/\\/", 0) && may_matter(b"hed:", 3));
    for text in [" 12:30", " re:", " ok:", "  p:", "   :", " is:", "aim:", "answer:", "Otto:", "\u{b4}tp:"] {
        assert!(!may_matter(text.as_bytes(), text.find(':').unwrap()), "{text}");
    }
}

#[test]
fn line_ends_are_counted_at_every_length() {
    let text: Vec<u8> = (0..1000).map(|at| if at % 7 < 4 { b'\n' } else { b'x' }).collect();
    for backend in Backend::all() {
        for end in (0..text.len()).step_by(PACE.min(60)) {
            let naive = text[end / 3..end].iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert_eq!(backend.line_ends(&text[end / 3..end]), naive, "{} {end}", backend.name());
        }
        assert_eq!(backend.line_ends(&[b'\n'; 50_000]), 50_000);
    }
}

struct All<'b>(&'b [u8; WIDTH]);

impl Look for All<'_> {
    type Answer = (Masks, [u64; 256]);

    fn answer<K: Kernel>(self, kernel: K) -> Self::Answer {
        (kernel.masks(self.0), std::array::from_fn(|byte| kernel.are(self.0, byte as u8)))
    }
}

#[test]
fn every_backend_reads_the_same_masks() {
    let mut random = fastrand::Rng::with_seed(3986);
    for round in 0..5_000 / PACE {
        let mut bytes = [0; WIDTH];
        match round {
            0..4 => (0..WIDTH).for_each(|i| bytes[i] = (64 * round + i) as u8),
            _ => bytes.fill_with(|| random.u8(if round % 2 == 0 { 0x20..=0x7F } else { 0..=0xFF })),
        }
        let where_ = |is: &dyn Fn(u8) -> bool| (0..WIDTH).fold(0, |mask, i| mask | u64::from(is(bytes[i])) << i);
        let expected = Masks {
            other: where_(&|b| !(b.is_ascii_alphanumeric() || b"!#$%&+,-./=?_~".contains(&b))),
            no_name: where_(&|b| !(b.is_ascii_alphanumeric() || b"-.".contains(&b))),
            dot: where_(&|b| b == b'.'),
            edge: where_(&|b| b"-.".contains(&b)),
            special: where_(&|b| b"#%?~+,=".contains(&b)),
        };
        let are = std::array::from_fn(|byte| where_(&|b| b == byte as u8));
        for backend in Backend::all() {
            assert_eq!(backend.look(All(&bytes)), (expected, are), "{} {:?}", backend.name(), bytes.escape_ascii());
        }
    }
}

#[cfg(feature = "archive")]
struct Firsts<'b>(&'b [u8], usize);

#[cfg(feature = "archive")]
impl Look for Firsts<'_> {
    type Answer = (usize, usize);

    fn answer<K: Kernel>(self, kernel: K) -> Self::Answer {
        (kernel.separator(self.0, self.1), kernel.either(self.0, self.1, (b'"', b'&')))
    }
}

#[test]
#[cfg(feature = "archive")]
fn every_backend_finds_the_first_byte_of_a_set() {
    let mut random = fastrand::Rng::with_seed(1866);
    for round in 0..5_000 / PACE {
        // Few bytes of the sets, so that each vector and the rest is read in some round.
        let mut text: Vec<u8> = (0..random.usize(..100)).map(|_| random.u8(b'A'..=b'Z')).collect();
        for _ in 0..random.usize(..3) {
            let at = random.usize(..=text.len());
            text.insert(at, if round % 2 == 0 { random.u8(..) } else { *random.choice(b"\t\n\x0c\r /=>\"&").unwrap() });
        }
        let text = text.into_boxed_slice();
        let from = random.usize(..=text.len());
        let first = |set: &[u8]| {
            text[from..].iter().position(|byte| set.contains(byte)).map_or(text.len(), |length| from + length)
        };
        let expected = (first(b"\t\n\x0c\r /=>"), first(b"\"&"));
        for backend in Backend::all() {
            assert_eq!(
                backend.look(Firsts(&text, from)),
                expected,
                "{} {from} {}",
                backend.name(),
                text.escape_ascii()
            );
        }
    }
}

#[test]
fn a_backend_has_one_name() {
    for backend in Backend::all() {
        assert_eq!(Backend::by_name(backend.name()), Some(backend));
        assert_eq!(backend.to_string(), backend.name());
    }
    assert_eq!(Backend::all().next(), Some(Backend::detect()));
    assert_eq!(Backend::all().last(), Backend::by_name("portable"));
    assert_eq!(Backend::by_name("Portable"), None);
}
