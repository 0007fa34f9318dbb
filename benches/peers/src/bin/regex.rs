//! The obvious program with the regex crate: it prints every match of RE in a file, one per line.
//!
//! Bytes are searched, and `\b` is the ASCII one. With the Unicode one, the crate is many times
//! slower.

use std::process::ExitCode;

const RE: &str = r#"(?i-u)\b(?:https?|ftp|gopher|news|nntp|mailto|telnet|wais|file|prospero):[^\s<>"]+"#;

fn main() -> ExitCode {
    let Ok(expression) = regex::bytes::Regex::new(RE) else { return ExitCode::from(2) };
    urlgrep_peers::run("regex", |bytes, offset, printer| {
        expression.find_iter(bytes).try_for_each(|found| printer.print(offset + found.start(), found.as_bytes()))
    })
}
