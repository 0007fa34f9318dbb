//! `context.jsonl` and `join.jsonl` through every driver, with LF and CRLF, at the start of a text
//! and deep in it.

use crate::common;

use common::{builder, check_drivers, check_invariants, takes_all, vectors};
use serde_json::Value;
use urlgrep::{ExtractorBuilder, Rejoin};

/// Returns the matches that a context vector expects, with offsets mapped by `at` to a changed
/// text.
fn expected(vector: &Value, at: impl Fn(usize) -> usize) -> Vec<Value> {
    let offset = |value: &Value| at(value.as_u64().expect("an offset") as usize);
    vector["expect"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| {
            serde_json::json!([
                e["url"],
                e["kind"],
                offset(&e["start"]),
                offset(&e["end"]),
                e["alternatives"],
                e["error"]
            ])
        })
        .collect()
}

fn found(
    builder: &ExtractorBuilder,
    text: &[u8],
    candidates: bool,
    (chunk, reads): (usize, usize),
    cuts: &[usize],
) -> Vec<Value> {
    let found = check_drivers(builder, text, chunk, reads, cuts);
    check_invariants(text, &found);
    found
        .iter()
        .filter(|m| candidates || m.holds_url())
        .map(|m| {
            let alternatives: Vec<String> = m.readings().skip(1).map(|r| r.to_string()).collect();
            let error = m.error().map(|error| error.kind().as_str());
            serde_json::json!([
                m.url().to_string(),
                m.kind().as_str(),
                m.span().start,
                m.span().end,
                alternatives,
                error
            ])
        })
        .collect()
}

/// Returns the builder with the options of a context vector. Without `rejoin`, B-JOIN is off.
fn with_options(builder: ExtractorBuilder, vector: &Value) -> ExtractorBuilder {
    let options = &vector["options"];
    let rejoin = if options["rejoin"] == "auto" { Rejoin::Auto } else { Rejoin::Delimited };
    let columns = options["columns"].as_u64().map(|columns| columns as usize);
    #[cfg(feature = "domain")]
    let builder = builder.names(options["names"] == true);
    builder.rejoin(rejoin).columns(columns).any_scheme(options["any_scheme"] == true)
}

/// Checks every vector. B-START-26, 27 and 30 and W-DIFF-12 are the vectors of B-HYPH.
#[test]
fn context_vectors_through_every_driver() {
    // Each tile costs a stream of its own.
    let apart = if takes_all() { 1 } else { 7 };
    let mut ran = 0;
    let mut failures = Vec::new();
    for vector in vectors("context.jsonl") {
        let text = vector["text"].as_str().expect("a text");
        let candidates = vector["options"]["candidates"] != false;
        let builder = with_options(common::builder(), &vector);
        let chunk = 1 + ran % 64;
        let cuts: Vec<usize> = (1 + ran % apart..text.len().min(400)).step_by(apart).collect();

        let mut check = |form: &str, text: &[u8], want: Vec<Value>, cuts: &[usize]| {
            let got = found(&builder, text, candidates, (chunk, 1), cuts);
            if got != want {
                failures.push(format!(
                    "{} {form}\n  got  {}\n  want {}",
                    vector["id"],
                    Value::from(got),
                    Value::from(want)
                ));
            }
        };
        check("as it is", text.as_bytes(), expected(&vector, |at| at), &cuts);
        if text.contains('\n') && !text.contains('\r') {
            let crlf = text.replace('\n', "\r\n");
            let at = |at: usize| at + text[..at].matches('\n').count();
            // A limit in bytes moves with the carriage returns: one vector is just within it.
            if crlf.len() < 8192 || text.len() > 8193 {
                check("with CRLF", crlf.as_bytes(), expected(&vector, at), &cuts);
            }
        }
        ran += 1;
    }
    assert!(failures.is_empty(), "{} of {ran} fail:\n{}", failures.len(), failures.join("\n"));
}

/// Places the vectors far from the start of the input, where windows move.
#[test]
fn context_vectors_deep_in_a_text() {
    const PROSE: &[u8] = b"A line of prose without any address in it, of the usual length.";
    let line = [PROSE, b"\n"].concat();
    // The last line is too long to be compared with a record below it (B-SHEET).
    let filler = [line.repeat(3000), PROSE.repeat(80), b"\n".to_vec()].concat();
    let mut ran = 0;
    for vector in vectors("context.jsonl").iter().step_by(if takes_all() { 4 } else { 20 }) {
        let text = vector["text"].as_str().expect("a text");
        let builder = with_options(builder(), vector);
        let deep = [&filler, text.as_bytes()].concat();
        let candidates = vector["options"]["candidates"] != false;
        let cuts = [1000, filler.len() - 1, filler.len() + 3, filler.len() + 20];
        // Other tests read single bytes. Here that would take 160 of 170 seconds.
        let got = found(&builder, &deep, candidates, (10_007, 997), &cuts);
        assert_eq!(got, expected(vector, |at| at + filler.len()), "{}", vector["id"]);
        ran += 1;
    }
    assert!(ran > if takes_all() { 144 } else { 30 }, "{ran}");
}

#[test]
fn join_vectors_through_every_driver() {
    let mut ran = 0;
    let mut failures = Vec::new();
    for vector in vectors("join.jsonl") {
        let text = vector["text"].as_str().expect("a text");
        for (form, text) in [("LF", text.to_string()), ("CRLF", text.replace('\n', "\r\n"))] {
            let cuts: Vec<usize> = (1..text.len()).step_by(7).collect();
            let found = check_drivers(&builder(), text.as_bytes(), 1 + ran % 64, 1, &cuts);
            check_invariants(text.as_bytes(), &found);
            let joined = vector["url"].as_str();
            let first = found.iter().any(|m| Some(m.url().to_string().as_str()) == joined && m.rejoined());
            let any = found.iter().any(|m| m.readings().any(|r| Some(r.to_string().as_str()) == joined));
            let doubt = found.iter().any(|m| m.rejoined() || m.readings().count() > 1);
            let holds = match vector["verdict"].as_str().expect("a verdict") {
                "STRONG" => first,
                "FAIR" => any && !first,
                "NONE" => !doubt,
                verdict => panic!("unknown verdict {verdict}"),
            };
            if !holds {
                failures.push(format!("{} {form}: {found:?}", vector["id"]));
            }
        }
        ran += 1;
    }
    assert!(failures.is_empty(), "{} of {ran} fail:\n{}", failures.len(), failures.join("\n"));
}
