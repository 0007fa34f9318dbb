//! A repository of documents. The links that an audit lists for a checker are compared with those
//! that lychee extracts.

use std::collections::BTreeSet;

use super::support::Dir;

/// A row of `tests/checked/docs.tsv`: the program that finds a URL, and why the other program does
/// not.
struct Row {
    who: &'static str,
    place: &'static str,
    url: &'static str,
    reason: &'static str,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../checked/docs.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &'static str| {
        let [who, place, url, reason] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        Row { who, place, url, reason }
    };
    table.map(row).collect()
}

/// Normalises a URL as both programs would request it.
fn asked(url: &str) -> String {
    url::Url::parse(url).map_or_else(|_| url.to_owned(), |url| url.to_string())
}

#[test]
fn an_audit_lists_what_lychee_extracts() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/corpora/docs");
    let listed = Dir::new().run(&["audit", "--format", "urls", docs]);
    assert_eq!((listed.code, &*listed.err), (0, ""));
    let listed: BTreeSet<String> = listed.text().lines().map(asked).collect();
    let rows = rows();
    let expected: BTreeSet<String> = rows.iter().filter(|row| row.who != "lychee").map(|row| asked(row.url)).collect();
    let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| one.difference(other).cloned().collect::<Vec<_>>();
    assert_eq!(only(&listed, &expected), Vec::<String>::new(), "docs.tsv does not have them");
    assert_eq!(only(&expected, &listed), Vec::<String>::new(), "the audit does not list them");
    let of_lychee_alone = rows.iter().filter(|row| row.who == "lychee" && listed.contains(&asked(row.url)));
    assert_eq!(of_lychee_alone.map(|row| row.url).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn every_difference_has_a_reason() {
    let rows = rows();
    for Row { who, place, url, reason } in &rows {
        assert!(["both", "verbatim", "lychee", "urlgrep"].contains(who), "{who}");
        assert_eq!(*who == "both", reason.is_empty(), "{url}");
        let (file, line) = place.split_once(':').unwrap();
        let text = std::fs::read_to_string(format!("{}/corpora/docs/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(line.parse::<usize>().unwrap() <= text.lines().count(), "{place}");
    }
    let urls: BTreeSet<&str> = rows.iter().map(|row| row.url).collect();
    assert_eq!(urls.len(), rows.len(), "a URL has one row");
}
