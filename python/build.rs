//! Copies the docstrings of the stubs into the extension. So `help` and an editor show the same
//! texts, from one source.

use std::path::Path;
use std::{env, fs, io};

const STUBS: &str = "python/urlgrep/_urlgrep.pyi";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={STUBS}");
    let folder = env::var_os("OUT_DIR").unwrap_or_default();
    for (name, text) in docstrings(&fs::read_to_string(STUBS)?) {
        fs::write(Path::new(&folder).join(name), text)?;
    }
    Ok(())
}

/// Returns the docstrings, each with the name that it documents: `find`, `Match`, `Match.url`.
fn docstrings(stubs: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut class, mut described) = (String::new(), None);
    let mut lines = stubs.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let name = |rest: &str| rest.split(['(', ':', '[']).next().unwrap_or_default().to_owned();
        if let Some(rest) = text.strip_prefix("class ") {
            class = name(rest);
            described = Some(class.clone());
        } else if let Some(rest) = text.strip_prefix("def ") {
            described = Some(if indent == 0 { name(rest) } else { format!("{class}.{}", name(rest)) });
        } else if let Some(first) = text.trim_start_matches('r').strip_prefix("\"\"\"")
            && let Some(described) = described.take()
        {
            let mut doc = first.to_owned();
            while !doc.contains("\"\"\"") {
                let Some(line) = lines.next() else { break };
                doc.push('\n');
                doc.push_str(line.get(indent..).unwrap_or_default());
            }
            let end = doc.find("\"\"\"").unwrap_or(doc.len());
            found.push((described, doc[..end].trim_end().to_owned()));
        }
    }
    found
}
