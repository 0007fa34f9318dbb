//! The finder's vectors, through the command: a file for each vector, and a run for each set of
//! options.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::support::Dir;

/// Reads the vectors of a file; `tests/vectors.rs` runs these, too.
fn vectors(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the records of each of these texts.
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
    let mut by_options = BTreeMap::<Vec<String>, Vec<(usize, &str)>>::new();
    for (number, vector) in vectors.iter().enumerate() {
        let rejoin = vector["options"]["rejoin"].as_str().unwrap_or("delimited");
        let mut options = vec![format!("--rejoin={rejoin}")];
        options.extend(vector["options"]["columns"].as_u64().map(|columns| format!("--columns={columns}")));
        if vector["options"]["any_scheme"] == true {
            options.push("--any-scheme".into());
        }
        if vector["options"]["names"] == true {
            options.push("--names".into());
        }
        if vector["options"]["candidates"] != false {
            options.push("--candidates".into());
        }
        by_options.entry(options).or_default().push((number, vector["text"].as_str().unwrap()));
    }
    let mut ran = 0;
    for (options, texts) in by_options {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        for (number, records) in found(&options, &texts) {
            let vector = &vectors[number];
            let found: Vec<Value> = records
                .iter()
                .filter(|r| r["refused"].is_null())
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

/// Checks B-REFANG with every URL of the vectors that is also found on a line of its own.
#[test]
fn what_is_defanged_is_read_again() {
    let mut urls = Vec::new();
    for vector in vectors(include_str!("../vectors/context.jsonl")) {
        let expected = vector["expect"].as_array().unwrap().iter();
        urls.extend(expected.map(|url| url["url"].as_str().unwrap().to_owned()));
    }
    for vector in vectors(include_str!("../vectors/parser.jsonl")) {
        urls.extend(vector["input"].as_str().filter(|_| vector["verdict"] == "valid").map(str::to_owned));
    }
    let dir = Dir::new();
    dir.file("urls", urls.join("\n\n"));
    let options = ["--rejoin", "none", "--any-scheme", "--input", "text"];
    let plain = dir.run(&[&options[..], &["urls"]].concat()).text().to_owned();
    assert!(plain.lines().count() > 900, "{}", plain.lines().count());
    let defanged = dir.run(&[&options[..], &["--defang", "urls"]].concat()).text().to_owned();
    dir.file("defanged", defanged.replace('\n', "\n\n"));
    let read = dir.run(&[&options[..], &["--refang", "defanged"]].concat());
    let different: Vec<_> =
        plain.lines().zip(defanged.lines()).zip(read.text().lines()).filter(|((one, _), other)| one != other).collect();
    assert_eq!(different, []);
    assert_eq!(read.text(), plain);
}

/// Checks B-REFANG: other marks of a dot, and hosts that no rule reads.
#[test]
fn a_defanged_host_is_read_whole_or_not_at_all() {
    let dir = Dir::new();
    let text = "hxxp://evil [.] example/a, hxxp://evil\\.example/b or hxxp[s]://evil.example/c hxxps[:]//evil(dot)example/d\n\
                hxxp://evil[.example/e hxxp://evil[.] example/f hxxp(s)://www [dot] evil [dot] example (see) hxxp[s][:]//g.example/\n\
                hxxp://evil[x]example/ hxxp://evil . example/ http://h.example [text] http://h.example/x [.] b\n";
    dir.file("t", text);
    let expected = "http://evil.example/a\nhttp://evil.example/b\nhttps://evil.example/c\nhttps://evil.example/d\n\
                    http://evil.example/e\nhttp://evil.example/f\nhttps://www.evil.example\nhttps://g.example/\n\
                    http://h.example\nhttp://h.example/x\n";
    dir.run(&["--refang", "--input", "text", "t"]).is(0, expected);
    dir.run_with(&["--refang", "--input", "text"], text.as_bytes()).is(0, expected);
}

/// Checks B-NOHOST.
#[test]
fn records_show_what_is_refused() {
    let dir = Dir::new();
    let text = "see http://localhost:${PORT}/x, https://a[.]example/x.ps1); http://www.%s.example/ http://$HOST/\n\
                http://api.<region>.example http://a{http://b.example/x <http://h<n>/x>";
    dir.file("t", text);
    dir.run(&["t"]).is(0, "http://b.example/x\n");
    dir.run(&["--candidates", "t"]).is(0, "http://b.example/x\n");
    dir.run(&["--candidates", "--csv", "--fields", "url,refused,offset", "t"]).is(
        0,
        "url,refused,offset\r\nhttp://localhost:${PORT}/x,placeholder,4\r\nhttps://a[.]example/x.ps1,defanged,32\r\n\
         http://www.%s.example/,placeholder,60\r\nhttp://$HOST/,placeholder,83\r\n\
         http://api.<region>.example,placeholder,97\r\nhttp://a{,placeholder,125\r\nhttp://b.example/x,,134\r\n\
         http://h<n>/x,placeholder,154\r\n",
    );
}
