//! Every vector of `vectors/parser.jsonl` (the specification, section 9), none skipped.
//!
//! The file is shared with other implementations, and an independent one agrees with every line.
//! The fields that a vector names are compared. These are the verdict, the scheme, each component,
//! or the kind and offset of the error.

use std::collections::BTreeMap;

use bstr::BStr;
use serde_json::{Map, Value, json};
use urlgrep::url::{self, ComponentValue, ParseOptions, Parts, Reference, resolve_1808};
use urlgrep::{Level, ParseError, ParseErrorKind, Url};

/// The number of vectors. A truncated file must not pass.
const VECTORS: usize = 951;

#[test]
fn all_vectors_agree() {
    let text = include_str!("vectors/parser.jsonl");
    let mut ran: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).expect("a vector is a JSON object");
        let mode = match vector.get("mode").map(|mode| mode.as_str().expect("a mode is a string")) {
            None => "reference",
            Some("url") => "url",
            Some("1808") => "1808",
            Some("resolve") => "resolve",
            Some(mode) => panic!("unknown mode {mode}"),
        };
        *ran.entry(mode).or_default() += 1;
        if let Err(failure) = run(&vector, mode) {
            failures.push(format!("{}: {failure}\n  {line}", vector["id"]));
        }
    }
    assert!(failures.is_empty(), "{} vectors fail:\n{}", failures.len(), failures.join("\n"));
    assert_eq!(ran.values().sum::<usize>(), VECTORS);
    assert_eq!(ran, BTreeMap::from([("reference", 827), ("url", 4), ("1808", 44), ("resolve", 76)]));
}

/// The library's result for a vector: scheme and components, or an error.
type Outcome = Result<(Value, Map<String, Value>), ParseError>;

fn run(vector: &Value, mode: &str) -> Result<(), String> {
    let input = input(vector);
    let outcome: Outcome = match mode {
        "reference" => Url::parse_at(Level::Rfc1738Ref, &input).map(|url| (lower(url.scheme_str()), components(&url))),
        "url" => Url::parse_at(Level::Rfc1738, &input).map(|url| (lower(url.scheme_str()), components(&url))),
        "1808" => Reference::parse(&input).map(|reference| (text(reference.scheme()), split(&reference))),
        _ => {
            let base = vector["base"].as_str().expect("a base").as_bytes();
            resolve_1808(base, &input)
                .map(|target| (Value::Null, Map::from_iter([("resolved".into(), text(BStr::new(&target)))])))
        }
    };
    if mode == "reference" {
        judged(&input, &outcome)?;
    }
    match (vector["verdict"].as_str(), outcome) {
        (Some("valid"), Ok((scheme, found))) => {
            if scheme != vector["scheme"] {
                return Err(format!("scheme {scheme}"));
            }
            let empty = Map::new();
            for (name, expected) in vector.get("components").map_or(&empty, |map| map.as_object().expect("components"))
            {
                match found.get(name) {
                    Some(value) if value == expected => {}
                    value => return Err(format!("{name} is {value:?}, not {expected}")),
                }
            }
            Ok(())
        }
        (Some("invalid"), Err(error)) => {
            let found = json!({"kind": error.kind().as_str(), "offset": error.offset()});
            if found == vector["error"] { Ok(()) } else { Err(format!("{found}")) }
        }
        (_, Ok(_)) => Err("is valid".into()),
        (_, Err(error)) => Err(format!("{} at {}: {error}", error.kind(), error.offset())),
    }
}

/// Checks that `judge` and the parser agree.
fn judged(input: &[u8], outcome: &Outcome) -> Result<(), String> {
    let verdict = url::judge(input, ParseOptions::new());
    let strict = verdict.level <= Level::Rfc1738Ref;
    if strict != outcome.is_ok() || verdict.error != outcome.as_ref().err().copied() {
        return Err(format!("judge says {verdict:?}"));
    }
    Ok(())
}

fn input(vector: &Value) -> Vec<u8> {
    match vector.get("input_hex") {
        Some(hex) => {
            let hex = hex.as_str().expect("hex digits");
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits")).collect()
        }
        None => vector["input"].as_str().expect("an input").as_bytes().to_vec(),
    }
}

fn text(text: &BStr) -> Value {
    Value::String(std::str::from_utf8(text).expect("a component of a vector is text").to_owned())
}

fn lower(name: &BStr) -> Value {
    text(BStr::new(&name.to_ascii_lowercase()))
}

fn optional(part: Option<&BStr>) -> Value {
    part.map_or(Value::Null, text)
}

fn list<'a>(parts: impl Iterator<Item = &'a BStr>) -> Value {
    parts.map(text).collect()
}

/// Returns all components of a URL, under the names of the vectors.
fn components(url: &Url<'_>) -> Map<String, Value> {
    let mut map = json!({
        "fragment": optional(url.fragment()),
        "user": optional(url.user()),
        "password": optional(url.password()),
        "host": optional(url.host()),
        "hosttype": url.host_type().map(|kind| kind.as_str()),
        "port": null,
        "port_text": optional(url.port_text()),
        "port_effective": null,
        "path": optional(url.path()),
        "query": optional(url.query()),
    });
    let own = match url.parts() {
        Parts::Ftp(ftp) => json!({
            "cwd": list(ftp.cwd()),
            "name": optional(ftp.name()),
            "type": optional(ftp.typecode()),
            "commands": ftp.commands().map(|lines| list(lines.iter().map(|line| line.as_ref()))),
        }),
        Parts::Http(http) => json!({"search": optional(http.search())}),
        Parts::Gopher(gopher) => json!({
            "gtype": optional(gopher.gtype()),
            "gtype_effective": char::from(gopher.gtype_effective()).to_string(),
            "selector": text(gopher.selector()),
            "search": optional(gopher.search()),
            "gplus": optional(gopher.gplus()),
            "request": text(gopher.request().as_ref()),
        }),
        Parts::Mailto(mailto) => json!({
            "local": text(&mailto.local()),
            "domain": text(&mailto.domain()),
            "addr": text(mailto.addr()),
        }),
        Parts::News(news) => json!({
            "form": news.form().as_str(),
            "group": optional(news.group()),
            "unique": optional(news.unique()),
        }),
        Parts::Nntp(nntp) => json!({"group": text(nntp.group()), "number": optional(nntp.number())}),
        Parts::Telnet(telnet) => json!({"slash": telnet.slash()}),
        Parts::Wais(wais) => json!({
            "form": wais.form().as_str(),
            "database": text(wais.database()),
            "search": optional(wais.search()),
            "wtype": optional(wais.wtype()),
            "wpath": optional(wais.wpath()),
        }),
        Parts::File(file) => json!({"is_local": file.is_local()}),
        Parts::Prospero(prospero) => json!({
            "hsoname": text(&prospero.hsoname()),
            "fields": prospero.fields().map(|(name, value)| json!([text(name), text(value)])).collect::<Value>(),
        }),
        Parts::Other(other) => {
            json!({"path": optional(other.path()), "form": other.form().as_str(), "rest": optional(other.rest())})
        }
        parts => panic!("a view that this test does not know: {parts:?}"),
    };
    let Value::Object(own) = own else { unreachable!() };
    let mut map = std::mem::take(map.as_object_mut().expect("an object"));
    map.extend(own);
    // Ports of vectors may be too large for `Url::port`.
    url.components(|name, value| {
        if let ("port" | "port_effective", ComponentValue::Number(number)) = (name, value) {
            map.insert(name.to_owned(), number.into());
        }
    });
    map
}

/// Returns the components of an RFC 1808 reference.
fn split(reference: &Reference<'_>) -> Map<String, Value> {
    [
        ("scheme", reference.scheme()),
        ("net_loc", reference.net_loc()),
        ("path", reference.path()),
        ("params", reference.params()),
        ("query", reference.query()),
        ("fragment", reference.fragment()),
    ]
    .into_iter()
    .map(|(name, part)| (name.to_owned(), text(part)))
    .collect()
}

// Checks validity and error of every URL that `vectors/context.jsonl` expects in a text.
#[test]
fn kinds_of_context_vectors_agree() {
    let text = include_str!("vectors/context.jsonl");
    let mut ran = 0;
    for line in text.lines() {
        let vector: Value = serde_json::from_str(line).expect("a vector is a JSON object");
        for expected in vector["expect"].as_array().expect("a list") {
            let url = expected["url"].as_str().expect("a URL");
            let kind = Url::parse_at(Level::Rfc1738Ref, url).err().map(|error| error.kind());
            assert_eq!(kind.map(ParseErrorKind::as_str), expected.get("error").and_then(Value::as_str), "{line}");
            assert_eq!(kind.is_none(), expected.get("valid").is_none_or(|valid| valid == true), "{line}");
            ran += 1;
        }
    }
    assert!(ran > 500, "{ran}");
}
