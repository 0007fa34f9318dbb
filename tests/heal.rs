//! The law of [`Extractor::heal`], on the corpora. Read line by line, the healed text holds the
//! URLs that rejoining finds in the source. No byte outside a broken URL changes.

use std::path::Path;

use urlgrep::{Extractor, Match, Rejoin};

/// URLs that single lines read differently: the bracket around two of them closes on the next line.
const READ_OTHERWISE: [(&str, &str); 1] = [("hostile-brackets.txt", "http://t.example/a,")];

fn heal(extractor: &Extractor, text: &[u8]) -> (Vec<u8>, u64) {
    let mut healed = Vec::new();
    let count = extractor.heal(text, &mut healed).expect("no error");
    (healed, count)
}

fn is_broken(found: &Match<'_>) -> bool {
    found.source().contains(&b'\n') || found.source().contains(&b'\r')
}

/// Checks that `healed` is the source, except that each broken URL may be replaced, with brackets
/// around it at most.
fn check_outside(name: &str, extractor: &Extractor, source: &[u8], healed: &[u8]) {
    let (mut read, mut rest) = (0, healed);
    for found in extractor.find_iter(source).filter(is_broken) {
        let between = &source[read..found.range().start];
        rest = rest.strip_prefix(between).unwrap_or_else(|| panic!("{name}: changed before {}", found.url()));
        let url: &[u8] = found.url();
        let at = rest.windows(url.len()).position(|part| part == url).expect("the URL");
        assert!(found.source().starts_with(&rest[..at]), "{name}: {}", found.url());
        rest = &rest[at + url.len()..];
        read = found.range().end;
        rest = if source[..read].ends_with(b">") { rest.strip_prefix(b">").expect("its bracket") } else { rest };
    }
    assert!(rest == &source[read..], "{name}: changed behind the last broken URL");
}

#[test]
fn healed_corpora_hold_the_same_urls_on_lines() {
    let (extractor, by_line) = (Extractor::new(), Extractor::builder().rejoin(Rejoin::None).build());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora");
    let mut healed_urls = 0;
    let mut otherwise = Vec::new();
    for entry in std::fs::read_dir(folder).expect("corpora") {
        let entry = entry.expect("an entry");
        if !entry.path().is_file() {
            continue;
        }
        let name = entry.file_name().into_string().expect("UTF-8");
        let source = std::fs::read(entry.path()).expect("a file");
        let (healed, count) = heal(&extractor, &source);
        healed_urls += count;
        check_outside(&name, &extractor, &source, &healed);
        assert!(heal(&extractor, &healed) == (healed.clone(), 0), "{name}: healed twice");
        let urls = |extractor: &Extractor, text: &[u8]| -> Vec<String> {
            extractor.find_iter(text).map(|found| found.url().to_string()).collect()
        };
        let (before, after) = (urls(&extractor, &source), urls(&by_line, &healed));
        if before != after {
            otherwise.extend(before.into_iter().filter(|url| !after.contains(url)).map(|url| (name.clone(), url)));
        }
    }
    assert!(healed_urls > 80, "{healed_urls}");
    let expected: Vec<_> = READ_OTHERWISE.map(|(name, url)| (name.to_owned(), url.to_owned())).into();
    assert_eq!(otherwise, expected);
}
