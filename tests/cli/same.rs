//! The output is the same for every number of threads, for a file, a pipe and ranges that tile it.

use super::carriers::packed;
use super::support::Dir;

/// Generates text that is hard to cut: URLs broken over lines, long runs, enough for many files.
fn text(seed: u64, pieces: usize) -> Vec<u8> {
    const PIECES: &[&[u8]] = &[
        b"<URL:",
        b"http://",
        b"a.example/",
        b"-\n",
        b"\n> ",
        b"> ",
        b">",
        b"<",
        b"mailto:",
        b"x@y.example",
        b" ",
        b"\n",
        b"\r\n",
        b"news:comp.x",
        b"(",
        b")",
        b".",
        b"b/c",
        b"%41",
        b"#f",
        b"\n\n",
        b"URL:",
        b"some words of prose, then ",
        b"http://www.example.com/a/b/c ",
        b"\xFF",
        "é".as_bytes(),
    ];
    let mut state = seed;
    let mut bytes = Vec::new();
    for _ in 0..pieces {
        // Splitmix64, by Steele and Vigna.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bytes.extend_from_slice(PIECES[((word ^ (word >> 31)) % PIECES.len() as u64) as usize]);
    }
    bytes
}

const SHAPES: &[&[&str]] = &[
    &["-I", "-b", "-n", "--column", "--all-readings"],
    &["--json"],
    &["--csv"],
    &["-u", "-b"],
    &["-c"],
    &["-m", "50", "-n"],
    &["-u", "-m", "20", "-H"],
    &["-l"],
    &["-C", "2", "-n", "-b", "--column"],
    &["-A1", "-B3", "-u"],
    &["-C", "0", "-m", "50", "-H"],
];

#[test]
fn one_large_file_for_every_number_of_threads() {
    let dir = Dir::new();
    dir.file("t", text(1, 400_000));
    for shape in SHAPES {
        let alone = dir.run(&[shape, &["-j", "1", "t"][..]].concat());
        assert_eq!((alone.code, &*alone.err), (0, ""), "{shape:?}");
        for threads in ["0", "2", "3", "8"] {
            let ran = dir.run(&[shape, &["-j", threads, "t"][..]].concat());
            assert!(ran.out == alone.out && ran.code == 0 && ran.err.is_empty(), "{shape:?} -j {threads}: {}", ran.err);
        }
    }
}

/// Checks a file that is unpacked ahead of the search, whole and truncated.
#[test]
fn a_packed_file_for_every_number_of_threads() {
    let dir = Dir::new();
    let mut state = 1_u32;
    let mut next = || {
        // Xorshift, by Marsaglia. Its bytes cannot be compressed.
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    let noise: Vec<u8> = (0..400_000).map(|_| next()).collect();
    let whole = packed("gzip", &[text(4, 20_000), noise, text(5, 20_000)].concat());
    assert!(whole.len() > 256 << 10, "{}", whole.len());
    let compare = |shape: &[&str]| {
        let alone = dir.run(&[shape, &["-z", "-j", "1", "t.gz"][..]].concat());
        for threads in ["2", "3"] {
            let ran = dir.run(&[shape, &["-z", "-j", threads, "t.gz"][..]].concat());
            let is_same = ran.out == alone.out && ran.err == alone.err && ran.code == alone.code;
            assert!(is_same && !ran.out.is_empty(), "{shape:?} -j {threads}: {}", ran.err);
        }
        alone.code
    };
    dir.file("t.gz", &whole);
    for shape in [&["--json"][..], &["-m", "50", "-n"], &["-c"], &["-l"]] {
        assert_eq!(compare(shape), 0);
    }
    dir.file("t.gz", &whole[..whole.len() - 30_000]);
    for shape in ["--json", "-c"] {
        assert_eq!(compare(&[shape]), 2);
    }
}

#[test]
fn a_folder_for_every_number_of_threads() {
    let dir = Dir::new();
    for number in 0..300 {
        dir.file(format!("d/{}/{number}", number % 7), text(number, 50 + number as usize));
    }
    dir.file("d/3/large", text(9, 60_000)).file("d/5/empty", "");
    for shape in SHAPES {
        let args = |threads| [shape, &["-j", threads, "d", "missing", "d/3/large"][..]].concat();
        let alone = dir.run(&args("1"));
        assert_eq!(alone.code, 2);
        assert!(alone.out.len() > 1000 && alone.err.contains("missing"), "{shape:?}");
        for threads in ["2", "3", "8"] {
            let ran = dir.run(&args(threads));
            assert!(ran.out == alone.out && ran.err == alone.err && ran.code == 2, "{shape:?} -j {threads}");
        }
    }
}

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let dir = Dir::new();
    let text = text(2, 100_000);
    dir.file("t", &text);
    for threads in ["1", "2"] {
        for shown in [&["-bn", "--all-readings", "-j", threads][..], &["-n", "-C", "3", "-j", threads]] {
            let file = dir.run(&[shown, &["t"]].concat());
            let pipe = dir.run_with(shown, &text);
            assert!(file.out == pipe.out && file.out.len() > 100_000);
        }
    }
}

#[test]
fn ranges_that_tile_a_file_give_each_match_once() {
    let dir = Dir::new();
    let text = text(3, 20_000);
    dir.file("t", &text);
    for shape in [&["-I", "-b", "-n", "--column", "--all-readings"][..], &["--json"]] {
        let whole = dir.run(&[shape, &["t"]].concat()).out;
        for (threads, tiles) in [("1", 37), ("2", 23)] {
            let mut parts = Vec::new();
            for tile in 0..tiles {
                let at = |tile: usize| text.len() * tile / tiles;
                let range = format!("{}:{}", at(tile), at(tile + 1));
                let ran = dir.run(&[shape, &["-j", threads, "--range", &range, "t"]].concat());
                assert!(ran.code < 2 && ran.err.is_empty(), "{}", ran.err);
                parts.extend_from_slice(&ran.out);
            }
            assert!(parts == whole, "{tiles} tiles, {threads} threads, {shape:?}");
        }
    }
}
