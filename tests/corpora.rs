//! The texts of `corpora/`, checked in two ways.
//!
//! - `tests/corpora/<file>.urls` is the expectation of a reader of the specification. It was
//!   written by hand before the finder ran, and never generated. It has kind, level, URL and
//!   further readings of every match, in order, with the error if there is one.
//! - `corpora/MANIFEST.tsv` counts the matches by kind and level, and holds a digest of all of
//!   them, with their places. After an intended change that the lists by hand confirm, it is
//!   regenerated:
//!
//!   ```text
//!   UPDATE_MANIFEST=1 cargo test --test drivers corpora
//!   ```
//!
//! The lists look like this. A line is a match, and `or` adds a reading to the one above. The error
//! follows a level that is not RFC 1738, with its offset if that is worth checking. Unreadable
//! bytes are written `\xHH`, and a backslash `\\`. A line that begins with `#` is a comment.
//!
//! ```text
//! wrapped  rfc1738  http://a.example/call-for-papers
//!       or http://a.example/call-forpapers
//! bare     rfc3986  http://a.example/~joe/  unsafe-gateway@17
//! ```

use crate::text;

use crate::backend;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use backend::builder;
use urlgrep::{ExtractorBuilder, Kind, Level, Match};

const KINDS: [Kind; 4] = [Kind::Wrapped, Kind::Angle, Kind::Prefixed, Kind::Bare];

const ABOUT: &str = "\
# What is in these texts. tests/corpora.rs checks it, and writes it: UPDATE_MANIFEST=1 cargo test --test drivers corpora
# shown: matches that the command prints, which leaves out brackets that hold no URL at all (B-TRAP)
# digest: FNV-1a, 64 bits, of a line a match: offset, length, kind, level and every reading, with tabs between
";

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Reads every file below a folder by its path in it, sorted.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project") {
            let path = entry.expect("an entry of it").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let parts = path.strip_prefix(root).expect("it lies in there").components();
            let name: Vec<_> = parts.map(|part| part.as_os_str().to_str().expect("an ASCII name")).collect();
            files.insert(name.join("/"), fs::read(&path).expect("a file of the project"));
        }
    }
    files
}

/// Reads all texts of `corpora/`, except for the manifest and the mail (`tests/mail.rs`).
fn texts() -> BTreeMap<String, Vec<u8>> {
    let mut texts = files(&folder("corpora"));
    texts.remove("MANIFEST.tsv");
    texts.remove("mail-encodings.mbox");
    assert!(texts.len() >= 20, "corpora/ is missing files: only {} are there", texts.len());
    texts
}

/// Formats a URL as the lists write it.
fn shown(bytes: &[u8]) -> String {
    let mut shown = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => shown.push_str("\\\\"),
                c if c.is_ascii_control() || c == ' ' => write!(shown, "\\x{:02x}", c as u32).expect("a string"),
                c => shown.push(c),
            }
        }
        for byte in chunk.invalid() {
            write!(shown, "\\x{byte:02x}").expect("a string");
        }
    }
    shown
}

/// Formats a match as the lists write it, on one line, with the error's offset.
fn line_of(found: &Match<'_>) -> String {
    let mut line = format!("{} {} {}", found.kind().as_str(), found.level().as_str(), shown(found.url()));
    if let Some(error) = found.error() {
        write!(line, " {}@{}", error.kind().as_str(), error.offset()).expect("a string");
    }
    for reading in found.readings().skip(1) {
        write!(line, " or {}", shown(&reading)).expect("a string");
    }
    line
}

/// Returns the matches that a list by hand expects, as [`line_of`] writes them. An error without
/// offset gets the one found.
fn expected(list: &str, found: &[String]) -> Vec<String> {
    let mut expected: Vec<String> = Vec::new();
    for line in list.lines() {
        let fields: Vec<_> = line.split_whitespace().collect();
        match fields[..] {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            ["or", url] => write!(expected.last_mut().expect("a match above it"), " or {url}").expect("a string"),
            [kind, level, url] => expected.push(format!("{kind} {level} {url}")),
            [kind, level, url, error] => {
                let mut line = format!("{kind} {level} {url} {error}");
                if !error.contains('@') {
                    let found = found.get(expected.len()).filter(|found| found.starts_with(&format!("{line}@")));
                    line = found.and_then(|found| found.split(" or ").next()).unwrap_or(&line).to_owned();
                }
                expected.push(line);
            }
            _ => panic!("what does this line mean? {line:?}"),
        }
    }
    expected
}

/// Returns options that read a text as the command does: `.csv` marks a CSV file.
fn reader(name: &str) -> ExtractorBuilder {
    builder().sheet(name.ends_with(".csv"))
}

#[test]
fn every_match_is_the_one_expected_by_hand() {
    let lists = files(&folder("tests/corpora"));
    let texts = texts();
    for name in lists.keys() {
        let text = name.strip_suffix(".urls").unwrap_or_else(|| panic!("tests/corpora/{name} is no list"));
        assert!(texts.contains_key(text), "tests/corpora/{name} is a list for a file that is not there");
    }
    let mut complaints = String::new();
    for (name, text) in &texts {
        let list = lists.get(&format!("{name}.urls")).unwrap_or_else(|| panic!("tests/corpora/{name}.urls is missing"));
        let found: Vec<_> = reader(name).build().find_iter(text).map(|found| line_of(&found)).collect();
        let expected = expected(std::str::from_utf8(list).expect("UTF-8"), &found);
        compare(name, &expected, &found, &mut complaints);
    }
    assert!(complaints.is_empty(), "by hand (-) and found (+):\n{complaints}");
}

/// Describes the differences of two lists between their longest common beginning and end, piece by
/// piece.
fn compare(name: &str, expected: &[String], found: &[String], complaints: &mut String) {
    let (mut e, mut f) = (expected, found);
    while !(e.is_empty() && f.is_empty()) {
        let same = e.iter().zip(f).take_while(|(e, f)| e == f).count();
        (e, f) = (&e[same..], &f[same..]);
        // The nearest line that both lists have.
        let again = (0..e.len() + f.len())
            .flat_map(|sum| (0..=sum).map(move |i| (i, sum - i)))
            .find(|&(i, j)| e.get(i).is_some_and(|line| f.get(j) == Some(line)))
            .unwrap_or((e.len(), f.len()));
        for (sign, line) in
            e[..again.0].iter().map(|line| ('-', line)).chain(f[..again.1].iter().map(|line| ('+', line)))
        {
            let line: String = line.chars().take(400).collect();
            writeln!(complaints, "{name}: {sign} {line}").expect("a string");
        }
        (e, f) = (&e[again.0..], &f[again.1..]);
    }
}

/// Computes FNV-1a: it is stable, one line of code, and needs no resistance to attacks here.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn manifest(texts: &BTreeMap<String, Vec<u8>>) -> String {
    let mut manifest = ABOUT.to_owned();
    let kinds = KINDS.map(Kind::as_str).join("\t");
    let levels: Vec<_> = Level::ALL.iter().map(|level| level.as_str()).collect();
    let levels = levels.join("\t");
    writeln!(manifest, "file\tbytes\tmatches\tshown\t{kinds}\t{levels}\trejoined\treadings\tdigest").expect("a string");
    for (name, text) in texts {
        let found: Vec<_> = reader(name).build().find_iter(text).collect();
        let count = |wanted: &dyn Fn(&Match<'_>) -> bool| found.iter().filter(|found| wanted(found)).count();
        let mut listing = Vec::new();
        for found in &found {
            let (span, kind, level) = (found.span(), found.kind().as_str(), found.level().as_str());
            listing.extend_from_slice(format!("{}\t{}\t{kind}\t{level}", span.start, span.end - span.start).as_bytes());
            for reading in found.readings() {
                listing.push(b'\t');
                listing.extend_from_slice(&reading);
            }
            listing.push(b'\n');
        }
        write!(manifest, "{name}\t{}\t{}\t{}", text.len(), found.len(), count(&|found| found.holds_url()))
            .expect("a string");
        for kind in KINDS {
            write!(manifest, "\t{}", count(&|found| found.kind() == kind)).expect("a string");
        }
        for &level in Level::ALL {
            write!(manifest, "\t{}", count(&|found| found.level() == level)).expect("a string");
        }
        let readings: usize = found.iter().map(|found| found.readings().count()).sum();
        writeln!(manifest, "\t{}\t{readings}\t{:016x}", count(&|found| found.rejoined()), fnv1a(&listing))
            .expect("a string");
    }
    manifest
}

#[test]
fn the_manifest_says_what_is_there() {
    let path = folder("corpora/MANIFEST.tsv");
    let made = manifest(&texts());
    if std::env::var_os("UPDATE_MANIFEST").is_some() {
        fs::write(&path, &made).expect("the manifest can be written");
    }
    let kept = fs::read_to_string(&path).expect("corpora/MANIFEST.tsv");
    for (kept, made) in kept.lines().zip(made.lines()) {
        assert_eq!(kept, made, "corpora/MANIFEST.tsv (left) is not what the library finds");
    }
    assert_eq!(kept.lines().count(), made.lines().count(), "corpora/MANIFEST.tsv names too many files or too few");
    assert_eq!(builder().build().find_iter(kept.as_bytes()).count(), 0, "`urlgrep corpora` reads the manifest, too");
}

/// Checks that line ends are layout: with CR LF instead of LF each text gives the same URLs.
#[test]
fn line_ends_make_no_difference() {
    let mut checked = 0;
    for (name, text) in texts().into_iter().filter(|(_, text)| !text.contains(&b'\r')) {
        let lines =
            |text: &[u8]| reader(&name).build().find_iter(text).map(|found| line_of(&found)).collect::<Vec<_>>();
        for end in [&b"\r\n"[..], b"\r"] {
            let other = text.split(|&b| b == b'\n').collect::<Vec<_>>().join(end);
            assert_eq!(lines(&text), lines(&other), "{name} with {end:?}");
        }
        checked += 1;
    }
    assert!(checked >= 18, "only {checked} texts have line ends of one byte");
}

/// Compares slice, stream and ranges, cut in unlucky places.
#[test]
fn every_driver_finds_the_same() {
    for (name, text) in texts() {
        let listing = |found: &Match<'_>| (found.span(), line_of(found));
        let expected: Vec<_> = reader(&name).build().find_iter(&text).map(|found| listing(&found)).collect();
        for chunk in [1, 61, 4096] {
            let mut stream = reader(&name).chunk_size(chunk).build().stream(&text[..]);
            let mut streamed = Vec::new();
            while let Some(found) = stream.next().expect("reading from memory") {
                streamed.push(listing(&found));
            }
            assert_eq!(streamed, expected, "{name}, in chunks of {chunk}");
        }
        for tile in [997, 4096] {
            let starts = (0..text.len()).step_by(tile);
            let tiles = starts.map(|start| start..(start + tile).min(text.len()));
            let found = tiles.flat_map(|range| reader(&name).build().find_range(&text, range).collect::<Vec<_>>());
            assert_eq!(found.map(|found| listing(&found)).collect::<Vec<_>>(), expected, "{name}, in tiles of {tile}");
        }
    }
}

/// Checks, on a small text of the benchmarks, that the finder finds the planted URLs.
#[test]
fn generated_text_is_found_as_planted() {
    const SIZE: usize = 1 << 20;
    for (name, text, bytes_per_url, colons_per_kib) in [
        ("mail", text::mail(SIZE), 920..980, 14..16),
        ("dense", text::dense(SIZE), 64..69, 18..24),
        ("nourl", text::nourl(SIZE), usize::MAX..usize::MAX, 6..8),
    ] {
        let mut urls = Vec::new();
        for found in builder().build().find_iter(&text.bytes) {
            urls.extend_from_slice(found.url());
            urls.push(b'\n');
        }
        let first =
            text.urls.split(|&b| b == b'\n').zip(urls.split(|&b| b == b'\n')).find(|(planted, found)| planted != found);
        assert!(text.urls == urls, "{name}: planted, found: {:?}", first.map(|(p, f)| (shown(p), shown(f))));
        let colons = text.bytes.iter().filter(|&&b| b == b':').count() * 1024 / text.bytes.len();
        assert!(colons_per_kib.contains(&colons), "{name} has {colons} colons a KiB");
        let per_url = text.bytes.len().checked_div(text.count).unwrap_or(usize::MAX);
        assert!(
            bytes_per_url.contains(&per_url) || bytes_per_url.start == per_url,
            "{name} has a URL per {per_url} bytes"
        );
    }
}
