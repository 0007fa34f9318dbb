//! The specification (`src/spec`) and its citations are consistent: every cited id exists in it.
//! Each of its rules is cited where it is implemented, and by a test or a vector. `spec-open.txt`
//! lists the exceptions, and why.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use common::vectors;
use serde_json::Value;
use urlgrep::{Extractor, ParseErrorKind};

/// The prefixes of rule ids.
const PREFIXES: [&str; 9] = ["P", "G", "S", "A", "X", "R", "W", "B", "ST"];

/// Words that look like ids: character ranges, mail header fields, and a rule that does not exist,
/// for a test.
const NOT_IDS: [&str; 9] = ["A-Z", "A-Z0-9", "A-F", "A-O", "P-Z", "A-1", "X-URL", "X-CR", "A-NONE"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the ids in a text. `W-PFX-…` gives the family `W-PFX-`.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).filter(|word| {
        let upper = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
        let mut parts = word.trim_end_matches('-').split('-');
        let known = parts.next().is_some_and(|first| PREFIXES.contains(&first));
        let named = parts.next().is_some_and(|second| !second.is_empty());
        upper && known && named && !NOT_IDS.contains(word)
    })
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path, all) } else { all.push(path) }
    }
}

/// Reads a folder's files of these kinds, with their paths relative to the root.
fn texts(folder: &str, kinds: &[&str]) -> Vec<(String, String)> {
    let mut all = Vec::new();
    files(&root().join(folder), &mut all);
    all.retain(|path| path.extension().is_some_and(|kind| kinds.iter().any(|&wanted| kind == wanted)));
    all.sort();
    all.into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a text");
            (path.strip_prefix(root()).expect("below the root").display().to_string(), text)
        })
        .collect()
}

/// Returns the anchors of the specification, each with its page.
fn anchors() -> BTreeMap<String, String> {
    let mut anchors = BTreeMap::new();
    for (page, text) in texts("src/spec", &["md"]) {
        for part in text.split("<a id=\"").skip(1) {
            let (id, rest) = part.split_once('"').expect("a closing quote");
            assert!(rest.starts_with("></a>"), "{page}: {id}");
            let before = anchors.insert(id.to_owned(), page.clone());
            assert_eq!(before, None, "{id} stands in the specification twice");
        }
    }
    anchors
}

/// Returns the families of context vectors, each with the rules that it tests: a table of section
/// 9.
fn families() -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("src/spec/vectors.md")).expect("section 9");
    text.lines()
        .filter_map(|line| line.strip_prefix("| <a id=\"")?.split_once('"'))
        .map(|(family, rest)| {
            let tested = rest.split_once(':').map_or("", |(_, tested)| tested);
            (family.to_owned(), ids(tested).map(str::to_owned).collect())
        })
        .collect()
}

/// Files by their paths, with their text.
type Texts = Vec<(String, String)>;

/// Returns the crate's sources: the code, and its tests.
fn sources() -> (Texts, Texts) {
    let (mut code, mut tests) = (Vec::new(), Vec::new());
    for (path, text) in texts("src", &["rs"]) {
        if path.ends_with("tests.rs") {
            tests.push((path, text));
        } else if path != "src/lib.rs" && !path.starts_with("src/spec") {
            let at = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
            tests.push((path.clone(), text[at..].to_owned()));
            code.push((path, text[..at].to_owned()));
        }
    }
    tests.extend(texts("tests", &["rs", "py"]).into_iter().filter(|(path, _)| path != "tests/spec.rs"));
    tests.extend(texts("benches", &["rs"]));
    tests.extend(texts("fuzz/fuzz_targets", &["rs"]));
    (code, tests)
}

fn vector_files() -> [Vec<Value>; 3] {
    [vectors("parser.jsonl"), vectors("context.jsonl"), vectors("join.jsonl")]
}

fn cited(texts: &[(String, String)]) -> BTreeSet<&str> {
    texts.iter().flat_map(|(_, text)| ids(text)).collect()
}

#[test]
fn an_id_that_is_cited_stands_in_the_specification() {
    let anchors = anchors();
    let vectors: BTreeSet<String> =
        vector_files().iter().flatten().map(|vector| vector["id"].as_str().expect("an id").to_owned()).collect();
    let (mut all, tests) = sources();
    all.extend(tests);
    all.extend(texts("src/spec", &["md", "rs"]));
    all.extend(texts("fuzz", &["toml"]));
    for file in ["src/lib.rs", "README.md", "CHANGELOG.md", "corpora/MANIFEST.tsv", ".github/CONTRIBUTING.md"] {
        all.push((file.to_owned(), fs::read_to_string(root().join(file)).expect("a text")));
    }
    let stands = |id: &str| {
        let family = format!("{}-", id.trim_end_matches('-'));
        anchors.contains_key(id) || vectors.contains(id) || anchors.keys().any(|anchor| anchor.starts_with(&family))
    };
    let unknown: Vec<String> = all
        .iter()
        .flat_map(|(path, text)| ids(text).filter(|id| !stands(id)).map(move |id| format!("{path}: {id}")))
        .collect();
    assert!(unknown.is_empty(), "not in src/spec:\n{}", unknown.join("\n"));

    let [parser, context, _] = vector_files();
    for vector in parser {
        for id in vector["ids"].as_array().expect("a list") {
            assert!(stands(id.as_str().expect("an id")), "{}: {id}", vector["id"]);
        }
    }
    for vector in context {
        assert!(stands(vector["rule"].as_str().expect("an id")), "{}: {}", vector["id"], vector["rule"]);
    }
}

#[test]
fn a_rule_is_cited_where_it_is_done_and_by_a_test() {
    let families = families();
    let (code, tests) = sources();
    let done = cited(&code);
    let mut tested: BTreeSet<String> = cited(&tests).into_iter().map(str::to_owned).collect();
    let [parser, context, join] = vector_files();
    for vector in &parser {
        tested
            .extend(vector["ids"].as_array().expect("a list").iter().map(|id| id.as_str().expect("an id").to_owned()));
    }
    let mut tested_families = BTreeSet::new();
    for vector in &context {
        let rule = vector["rule"].as_str().expect("an id");
        match families.get(rule) {
            Some(rules) => tested.extend(rules.iter().cloned()),
            None => tested_families.extend([rule.to_owned(), format!("{rule}-")]),
        }
    }
    // A join vector tests many rows of the evidence table, and names none of them.
    assert!(!join.is_empty());
    tested_families.insert("B-JOIN-".to_owned());
    tested.extend(tested_families.iter().cloned());

    let rule_is_tested = |id: &str| {
        tested.contains(id) || tested_families.iter().any(|f| f.ends_with('-') && id.starts_with(f.as_str()))
    };
    let anchors = anchors();
    let rules: BTreeSet<&str> = anchors
        .keys()
        .map(String::as_str)
        .filter(|id| ids(id).next().is_some() && !families.contains_key(*id))
        .collect();
    let open = open();
    let mut complaints = Vec::new();
    for &id in &rules {
        let missing = match (done.contains(id), rule_is_tested(id)) {
            (true, true) => None,
            (false, true) => Some("no code cites it"),
            (true, false) => Some("no test cites it"),
            (false, false) => Some("neither code nor a test cites it"),
        };
        match (missing, open.contains_key(id)) {
            (Some(missing), false) => complaints.push(format!("{id}: {missing}")),
            (None, true) => complaints.push(format!("{id}: is cited now; take it out of tests/spec-open.txt")),
            _ => {}
        }
    }
    complaints.extend(
        open.keys()
            .filter(|id| !rules.contains(id.as_str()) && !id.starts_with("L:"))
            .map(|id| format!("{id}: there is no such rule")),
    );
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// Returns the rules of `spec-open.txt`, each with its reason.
fn open() -> BTreeMap<String, String> {
    include_str!("spec-open.txt")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let (id, reason) = line.split_once(' ').unwrap_or_else(|| panic!("tests/spec-open.txt: no reason: {line}"));
            (id.to_owned(), reason.to_owned())
        })
        .collect()
}

/// Checks that section 2 has a row for every kind of error, and no other rows.
#[test]
fn the_errors_are_those_of_section_2() {
    let rows: Vec<String> =
        anchors().into_iter().filter(|(_, page)| page == "src/spec/errors.md").map(|(id, _)| id).collect();
    // An input beyond the range of offsets does not concern the grammar.
    let kinds = ParseErrorKind::ALL.iter().filter(|&&kind| kind != ParseErrorKind::TooLong);
    let mut kinds: Vec<&str> = kinds.map(|kind| kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(rows, kinds);
}

/// Checks that the finder recognises every scheme of section 10, except those that `spec-open.txt`
/// lists as `L:scheme`.
#[test]
fn the_schemes_of_section_10_are_known() {
    let text = fs::read_to_string(root().join("src/spec/schemes.md")).expect("section 10");
    let list = text.split("\n\n").last().expect("the list");
    let (extractor, open) = (Extractor::new(), open());
    let mut seen = 0;
    for scheme in list.split_whitespace().map(|word| word.trim_end_matches('.')) {
        let url = format!("{scheme}://h.example/x");
        let known = extractor.find(url.as_bytes()).is_some_and(|found| found.url() == url.as_str());
        assert_ne!(known, open.contains_key(&format!("L:{scheme}")), "is {scheme} known?");
        seen += 1;
    }
    assert!(seen > 500, "{seen}");
}

/// Checks that the worked examples of section 7.5.8 are the first join vectors.
#[test]
fn the_worked_examples_of_section_7_5_are_vectors() {
    let text = fs::read_to_string(root().join("src/spec/bjoin.md")).expect("section 7.5");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split(" | ").collect::<Vec<_>>())
        .filter(|row| row.len() == 5 && row[0].trim_start_matches("| ").parse::<usize>().is_ok())
        .collect();
    let vectors = vectors("join.jsonl");
    for (row, vector) in rows.iter().zip(&vectors) {
        assert_eq!(format!("B-JOIN-{:0>2}", &row[0][2..]), vector["id"].as_str().expect("an id"));
        assert_eq!(row[2], vector["verdict"], "{}", vector["id"]);
        let lines = row[1].trim_matches('`').trim_matches(' ').replace('⏎', "\n");
        let text = vector["text"].as_str().expect("a text");
        assert!(text.contains(&lines), "{}: {lines:?}", vector["id"]);
    }
    assert_eq!(rows.len(), 34);
}
