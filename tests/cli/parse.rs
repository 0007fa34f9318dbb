//! `urlgrep parse`.

use serde_json::{Value, json};

use super::support::Dir;

fn parsed(args: &[&str], input: &[u8]) -> Vec<Value> {
    let ran = Dir::new().run_with(&[&["parse", "--json"], args].concat(), input);
    assert_eq!(ran.err, "");
    ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn one_line_a_url() {
    let dir = Dir::new();
    dir.run(&["parse", "http://a.example/"]).is(0, "http://a.example/: ok rfc1738\n");
    dir.run(&["parse", "http://a.example/#f"]).is(0, "http://a.example/#f: ok rfc1738-ref\n");
    dir.run(&["parse", "http://h/~joe"])
        .is(1, "http://h/~joe: unsafe-gateway at 9: `~` is unsafe in transit; write %7E (G-LEX-3); fits rfc3986\n");
    dir.run(&["parse", "http://h/ä"]).says_no("http://h/ä: non-ascii at 9: ").ends_with("; fits iri\n");
    dir.run(&["parse", "http://h/|"]).says_no("http://h/|: unsafe-gateway at 9: ").ends_with(" (G-LEX-3)\n");
    let both = dir.run(&["parse", "x", "http://h/"]);
    assert_eq!(both.code, 1);
    assert!(both.text().starts_with("x: missing-scheme at 0: ") && both.text().ends_with("\nhttp://h/: ok rfc1738\n"));
    assert!(dir.run(&["parse", ""]).text().starts_with(": empty at 0: "));
    dir.run(&["parse", "-q", "http://h/"]).is(0, "");
    dir.run(&["parse", "-q", "http://h/", "x"]).is(1, "");
    dir.run(&["parse", "--", "-x:y"]).is(0, "-x:y: ok rfc1738\n");
}

#[test]
fn lines_of_standard_input_are_taken_as_they_are() {
    let dir = Dir::new();
    let ran = dir.run_with(&["parse"], b"http://h/\r\n\n http://h/\nnews:*");
    let kinds: Vec<&str> = ran.text().lines().map(|line| line.rsplit(": ").next().unwrap()).collect();
    assert_eq!(ran.code, 1);
    assert_eq!(kinds.len(), 4);
    assert_eq!((kinds[0], kinds[3]), ("ok rfc1738", "ok rfc1738"));
    assert!(ran.text().contains("\n: empty at 0: ") && ran.text().contains("\n http://h/: space at 0: "));
    dir.run_with(&["parse"], b"").is(0, "");
    dir.run_with(&["parse", "x:1", "-", "x:3"], b"x:2\n").is(0, "x:1: ok rfc1738\nx:2: ok rfc1738\nx:3: ok rfc1738\n");
}

#[test]
fn json_has_every_field_in_order() {
    let ran = Dir::new().run(&["parse", "--json", "HTTP://A.example:80/b", "x"]);
    let valid = concat!(
        r#"{"input":"HTTP://A.example:80/b","valid":true,"level":"rfc1738","scheme":"http","host":"a.example","#,
        r#""parts":{"host":"A.example","hosttype":"name","port":80,"port_text":"80","port_effective":80,"path":"b","#,
        r#""fragment":null,"search":null},"generic":{"scheme":"http","userinfo":null,"host":"A.example","port":"80","#,
        r#""path":"/b","query":null,"fragment":null},"error":null,"resolved":null}"#,
    );
    let invalid = concat!(
        r#"{"input":"x","valid":false,"level":"none","scheme":null,"host":null,"parts":null,"generic":null,"#,
        r#""error":{"kind":"missing-scheme","offset":0,"message":"no `:` in the input: not an absolute URL "#,
        r#"(a relative one?) (G-SCHEME-3)"},"resolved":null}"#,
    );
    assert_eq!(ran.text(), format!("{valid}\n{invalid}\n"));
    assert_eq!(ran.code, 1);
}

#[test]
fn json_of_what_only_looser_grammars_take() {
    let [url] = &parsed(&["http://u@[::1]:8/~x?a/b"], b"")[..] else { panic!() };
    assert_eq!((&url["valid"], &url["level"], &url["parts"]), (&json!(false), &json!("rfc3986"), &Value::Null));
    assert_eq!(url["generic"]["userinfo"], "u");
    assert_eq!((&url["scheme"], &url["host"]), (&json!("http"), &json!("[::1]")));
    let [iri] = &parsed(&["http://münchen.example/ä"], b"")[..] else { panic!() };
    assert_eq!((&iri["level"], &iri["host"]), (&json!("iri"), &json!("münchen.example")));
}

#[test]
fn an_address_in_brackets_is_not_to_be_escaped() {
    let ran = Dir::new().run(&["parse", "http://[::1]/", "http://u@[::1]/", "http://h/[x]"]);
    let lines: Vec<_> = ran.text().lines().collect();
    assert!(lines[..2].iter().all(|line| line.contains("RFC 3986 does") && !line.contains("%5B")), "{lines:?}");
    assert!(lines[2].contains("write %5B"), "{lines:?}");
}

#[test]
fn bytes_that_are_not_utf8() {
    let [url] = &parsed(&[], b"http://h/\xFF\n")[..] else { panic!() };
    assert_eq!(url["input"], "http://h/\u{FFFD}");
    assert_eq!(url["input_bytes"], "aHR0cDovL2gv/w==");
    assert_eq!(url["error"]["kind"], "non-ascii");
    let keys: Vec<_> = parsed(&["http://h/"], b"")[0].as_object().unwrap().keys().cloned().collect();
    assert!(!keys.contains(&"input_bytes".to_owned()));
}

#[test]
fn a_level_can_be_asked_for() {
    let dir = Dir::new();
    let by = |level: &str, url: &str| dir.run(&["parse", "--level", level, url]);
    by("rfc3986", "https://h/~joe").is(0, "https://h/~joe: ok rfc3986\n");
    by("iri", "https://h/~joe").is(0, "https://h/~joe: ok rfc3986\n");
    by("iri", "https://h/ä").is(0, "https://h/ä: ok iri\n");
    by("rfc3986", "http://h/").is(0, "http://h/: ok rfc1738\n");
    by("none", "x").is(0, "x: ok none\n");
    by("rfc3986", "https://h/ä").is(1, "https://h/ä: not-rfc3986 at 10: `ä` is not ASCII; fits iri\n");
    by("rfc1738-ref", "http://h/#f").is(0, "http://h/#f: ok rfc1738-ref\n");
    by("rfc1738", "http://h/#f").says_no("http://h/#f: fragment-not-allowed at 9: ").ends_with("; fits rfc1738-ref\n");
    // The offset is that of the first byte that RFC 3986 does not allow there. RFC 1738 may reject
    // another byte.
    for (url, at, what) in [
        ("http://h/~|", 10, "`|` is not allowed in a path; write %7C"),
        ("http://u^@h/", 8, "`^` is not allowed in userinfo; write %5E"),
        ("http://u@h h/", 10, "` ` is not allowed in a host"),
        ("http://u@h:8a/", 12, "a port has digits only"),
        ("http://u@[::g]/", 9, "this is not an IP literal (`[` and `]` around an IPv6 address)"),
        ("http:///x", 7, "the host is missing"),
        ("http://u@:80/", 9, "the host is missing"),
        ("http://h/?%g", 10, "`%` must be followed by two hexadecimal digits"),
        ("http://h/#a#b", 11, "`#` is not allowed in a fragment; write %23"),
        ("http://h/\u{1}", 9, "`\u{1}` is not allowed in a path; write %01"),
        (":x", 0, "a URL begins with a scheme and `:`"),
        ("x", 1, "a URL begins with a scheme and `:`"),
        ("http://", 7, "the host is missing"),
        ("", 0, "a URL begins with a scheme and `:`"),
    ] {
        let what = what.replace('\u{1}', "\\x01");
        let ran = dir.run(&["parse", "--level", "iri", "--", url]);
        ran.is(1, format!("{url}: not-iri at {at}: {what}\n"));
    }
    for (level, valid) in [("rfc1738", false), ("rfc3986", true)] {
        let [url] = &parsed(&["--level", level, "http://h/~joe"], b"")[..] else { panic!() };
        assert_eq!((&url["valid"], &url["level"]), (&json!(valid), &json!("rfc3986")));
        assert_eq!(url["error"]["kind"], "unsafe-gateway");
    }
    dir.run(&["parse", "-q", "--level", "rfc3986", "http://h/~joe"]).is(0, "");
    dir.run(&["parse", "-q", "--level", "rfc3986", "http://h/ä"]).is(1, "");
    dir.run(&["parse", "--level", "rfc3986", "--base", "http://a/b", "~c"]).is(0, "http://a/~c: ok rfc3986\n");
    dir.run(&["parse", "--level", "none", "--base", "b", "c"]).says_no("c: base-not-absolute at 0: ");
    dir.run(&["parse", "--level", "rfc", "x"]).fails("", &["rfc3986"]);
}

#[test]
fn references_are_resolved() {
    let dir = Dir::new();
    let base = ["parse", "--base", "http://a/b/c/d;p?q#f"];
    let with = |args: &[&'static str]| dir.run(&[&base, args].concat());
    with(&["../g"]).is(0, "http://a/b/g: ok rfc1738\n");
    with(&["../../../g"]).is(0, "http://a/../g: ok rfc1738\n");
    with(&["--resolve", "1808", "../../../g"]).is(0, "http://a/../g: ok rfc1738\n");
    with(&["--resolve", "3986", "../../../g"]).is(0, "http://a/g: ok rfc1738\n");
    with(&["~g"]).says_no("http://a/b/c/~g: unsafe-gateway at 13: ");
    let [ok, opaque] = &parsed(&["--base", "http://a/b", "c#d", "mailto:x@y"], b"")[..] else { panic!() };
    assert_eq!(
        (&ok["input"], &ok["resolved"], &ok["level"]),
        (&json!("c#d"), &json!("http://a/c#d"), &json!("rfc1738-ref"))
    );
    assert_eq!(opaque["resolved"], "mailto:x@y");
    for (base, kind) in [("mailto:a@b", "base-not-hierarchical"), ("b/c", "base-not-absolute")] {
        let [record] = &parsed(&["--base", base, "x"], b"")[..] else { panic!() };
        assert_eq!((&record["resolved"], &record["valid"]), (&Value::Null, &json!(false)));
        assert_eq!((&record["error"]["kind"], &record["error"]["offset"]), (&json!(kind), &json!(0)));
        assert_eq!((&record["level"], &record["parts"]), (&json!("none"), &Value::Null));
        dir.run(&["parse", "--base", base, "x"]).says_no(&format!("x: {kind} at 0: "));
    }
}

#[test]
fn urls_are_explained() {
    let dir = Dir::new();
    let ran = dir.run(&["parse", "--explain", "http://h/~joe", "gopher://h:25/0HELO%0D%0AMAIL"]);
    assert_eq!((ran.code, &*ran.err), (1, ""));
    let (first, second) = ran.text().split_once("\n\ngopher:").unwrap();
    assert!(first.starts_with(
        "http://h/~joe: unsafe-gateway at 9: `~` is unsafe in transit; write %7E (G-LEX-3); fits rfc3986\n  http://h/~joe\n           ^\n\n\
         level rfc3986: "
    ));
    assert!(first.contains("\n  sends GET /~joe\n") && first.ends_with("\naudit: no finding"));
    assert!(second.starts_with("//h:25/0HELO%0D%0AMAIL: ok rfc1738\n\nlevel rfc1738: "));
    assert!(second.contains("\n  sends the line HELO\\r\\nMAIL\\r\\n\n") && second.contains("\n  critical A-XPROTO\n"));
    // The resolved URL is explained; a URL that does not resolve has no parts.
    let based = dir.run(&["parse", "--explain", "--base", "http://a/b/c", "../d"]);
    assert!(based.text().starts_with("http://a/d: ok rfc1738\n\n") && based.text().contains("\n  path            d\n"));
    dir.run(&["parse", "--explain", "--base", "x", "y"])
        .is(1, "y: base-not-absolute at 0: the base has no scheme (R-1808-6)\n");
    // The URLs are lines of standard input, parsed by the letter of RFC 1738.
    let lines = dir.run_with(&["parse", "--explain", "--otherurl", "literal"], b"sqlite:///x\n\n");
    assert!(lines.text().contains("\nparts by RFC 1738 (sqlite)\n") && lines.text().contains("\n\n: empty at 0: "));
}

#[test]
fn explanations_mask_passwords() {
    let dir = Dir::new();
    let url = "ftp://joe:secret@h/~";
    let ran = dir.run(&["parse", "--explain", url]);
    assert!(ran.text().starts_with("ftp://joe:***@h/~: unsafe-gateway at 19: "));
    assert!(ran.text().contains("\n  ftp://joe:***@h/~\n                  ^\n") && !ran.text().contains("secret"));
    let shown = dir.run(&["parse", "--explain", "--show-secrets", url]);
    assert!(shown.text().contains("\n  ftp://joe:secret@h/~\n                     ^\n"));
    // The output of one line per URL is for programs, so the URL is not masked.
    dir.run(&["parse", url]).says_no("ftp://joe:secret@h/~: unsafe-gateway at 19: ");
    for option in ["--explain", "--show-secrets"] {
        let ran = dir.run(&["parse", "--json", option, url]);
        assert!(ran.code == 2 && ran.err.contains("cannot be used with"), "{}", ran.err);
    }
}

#[test]
fn otherurl_by_the_letter() {
    let dir = Dir::new();
    dir.run(&["parse", "sqlite:///x"]).says_no("sqlite:///x: empty-host at 9: ");
    dir.run(&["parse", "--otherurl", "literal", "sqlite:///x"]).is(0, "sqlite:///x: ok rfc1738\n");
}

#[test]
fn a_program_can_ask_line_by_line() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = Dir::new().command(&["parse"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut ask, mut answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for url in ["x:1", "x:2", "x:3"] {
        ask.write_all(format!("{url}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        // This would wait for ever if the output were buffered.
        answers.read_line(&mut answer).unwrap();
        assert_eq!(answer, format!("{url}: ok rfc1738\n"));
    }
    drop(ask);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Runs the vectors of the parser through the command. The parser's own tests run them through the
/// library.
#[test]
fn the_parser_s_vectors() {
    let vectors: Vec<Value> = include_str!("../vectors/parser.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|vector| vector.get("mode").is_none())
        .filter(|vector| vector["input"].as_str().is_some_and(|input| !input.contains(['\n', '\r'])))
        .collect();
    let input: String = vectors.iter().map(|vector| format!("{}\n", vector["input"].as_str().unwrap())).collect();
    let records = parsed(&[], input.as_bytes());
    assert_eq!(records.len(), vectors.len());
    assert!(records.len() > 700, "{}", records.len());
    for (vector, record) in vectors.iter().zip(&records) {
        let id = &vector["id"];
        assert_eq!(record["input"], vector["input"]);
        assert_eq!(record["valid"], vector["verdict"] == "valid", "{id}");
        if let Some(error) = vector.get("error") {
            assert_eq!(
                (&record["error"]["kind"], &record["error"]["offset"]),
                (&error["kind"], &error["offset"]),
                "{id}"
            );
            assert_eq!(record["parts"], Value::Null, "{id}");
            continue;
        }
        assert_eq!(record["scheme"], vector["scheme"], "{id}");
        for (key, value) in vector["components"].as_object().unwrap() {
            if key != "scheme" {
                assert_eq!(record["parts"].get(key), Some(value), "{id}: {key}");
            }
        }
    }
}

#[test]
fn the_vectors_of_resolution() {
    let mut by_base = std::collections::BTreeMap::<String, Vec<Value>>::new();
    for line in include_str!("../vectors/parser.jsonl").lines() {
        let vector: Value = serde_json::from_str(line).unwrap();
        if vector["mode"] == "resolve" {
            by_base.entry(vector["base"].as_str().unwrap().to_owned()).or_default().push(vector);
        }
    }
    let mut seen = 0;
    for (base, vectors) in &by_base {
        let input: String = vectors.iter().map(|vector| format!("{}\n", vector["input"].as_str().unwrap())).collect();
        let records = parsed(&["--base", base], input.as_bytes());
        assert_eq!(records.len(), vectors.len());
        for (vector, record) in vectors.iter().zip(&records) {
            assert_eq!(record["resolved"], vector["components"]["resolved"], "{}", vector["id"]);
            seen += 1;
        }
    }
    assert_eq!(seen, 76);
}
