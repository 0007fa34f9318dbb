//! The finder's vectors, through the command: a folder of files, one a vector, and one run for each set of options.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::support::Dir;

/// The vectors of a file; `tests/vectors.rs` runs these, too.
fn vectors(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The records of each of these texts.
fn found(options: &[&str], texts: &[(usize, &str)]) -> BTreeMap<usize, Vec<Value>> {
    let dir = Dir::new();
    let mut records: BTreeMap<usize, Vec<Value>> = texts.iter().map(|&(number, _)| (number, Vec::new())).collect();
    for (number, text) in texts {
        dir.file(format!("texts/{number:04}.txt"), text);
    }
    let ran = dir.run(&[&["--json"], options, &["texts"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for line in ran.text().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let number = record["file"].as_str().unwrap().trim_start_matches("texts/").trim_end_matches(".txt");
        records.get_mut(&number.parse::<usize>().unwrap()).unwrap().push(record);
    }
    records
}

#[test]
fn context() {
    let vectors = vectors(include_str!("../vectors/context.jsonl"));
    let mut by_options = BTreeMap::<Vec<&str>, Vec<(usize, &str)>>::new();
    for (number, vector) in vectors.iter().enumerate() {
        let mut options = vec!["--rejoin", "delimited"];
        if vector["options"]["any_scheme"] == true {
            options.push("--any-scheme");
        }
        if vector["options"]["candidates"] != false {
            options.push("--candidates");
        }
        by_options.entry(options).or_default().push((number, vector["text"].as_str().unwrap()));
    }
    let mut ran = 0;
    for (options, texts) in by_options {
        for (number, records) in found(&options, &texts) {
            let vector = &vectors[number];
            let found: Vec<Value> = records
                .iter()
                .map(|r| {
                    let end = r["offset"].as_u64().unwrap() + r["length"].as_u64().unwrap();
                    let alternatives = &r["readings"].as_array().unwrap()[1..];
                    json!([r["url"], r["kind"], r["offset"], end, alternatives, r["error"]["kind"]])
                })
                .collect();
            let expected: Vec<Value> = vector["expect"]
                .as_array()
                .unwrap()
                .iter()
                .map(|e| json!([e["url"], e["kind"], e["start"], e["end"], e["alternatives"], e["error"]]))
                .collect();
            assert_eq!(found, expected, "{}", vector["id"]);
            ran += 1;
        }
    }
    assert_eq!(ran, vectors.len());
    assert!(ran > 600, "{ran}");
}

#[test]
fn joins() {
    let vectors = vectors(include_str!("../vectors/join.jsonl"));
    let texts: Vec<_> = vectors.iter().map(|vector| vector["text"].as_str().unwrap()).enumerate().collect();
    let mut ran = 0;
    for (number, records) in found(&[], &texts) {
        let vector = &vectors[number];
        let is_first = records.iter().any(|r| r["url"] == vector["url"] && r["rejoined"] == true);
        let is_any = records.iter().any(|r| r["readings"].as_array().unwrap().contains(&vector["url"]));
        let doubt = records.iter().any(|r| r["rejoined"] == true || r["readings"].as_array().unwrap().len() > 1);
        let holds = match vector["verdict"].as_str().unwrap() {
            "STRONG" => is_first,
            "FAIR" => is_any && !is_first,
            "NONE" => !doubt,
            verdict => panic!("unknown verdict {verdict}"),
        };
        assert!(holds, "{}", vector["id"]);
        ran += 1;
    }
    assert_eq!(ran, vectors.len());
    assert!(ran > 34, "{ran}");
}
