//! File types by name: the types of ripgrep, with additions for mail and HTML pages.

use std::collections::HashMap;

use ignore::types::{Types, TypesBuilder};
use urlgrep::archive::{PACKED_EXTENSIONS, PAGE_EXTENSIONS};

use super::args::FilesArgs;
use super::near::nearest;

/// The extensions of mail. A mailbox may have any name, because its content decides how it is read.
const MAIL_EXTENSIONS: [&str; 6] = ["eml", "emlx", "mbox", "mbx", "babyl", "mmdf"];
/// The names of messages in a maildir: seconds since 1970, then a part that makes the name unique,
/// then flags.
const MAILDIR: [&str; 2] = ["*:2,*", "[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]*.*.*"];

/// Compiles the types of `--type` and `--type-not`. An error names the wrong option and the reason.
pub(crate) fn types(files: &FilesArgs) -> Result<Types, (&'static str, String)> {
    let choice = &files.types.0;
    if choice.is_empty() {
        return Ok(Types::empty());
    }
    let mut builder = definitions();
    // An earlier repetition changes nothing, and would cost 50 kB.
    let last: HashMap<_, usize> = choice.iter().enumerate().map(|(at, item)| (item, at)).collect();
    for (at, item) in choice.iter().enumerate() {
        if last[item] != at {
            continue;
        }
        let (name, is_wanted) = item;
        if *is_wanted {
            builder.select(name)
        } else {
            builder.negate(name)
        };
    }
    builder.build().map_err(|error| {
        let ignore::Error::UnrecognizedFileType(name) = &error else { return ("--type", error.to_string()) };
        let is_wanted = choice.iter().any(|(other, is_wanted)| other == name && *is_wanted);
        let option = if is_wanted { "--type" } else { "--type-not" };
        let definitions = builder.definitions();
        let near = nearest(name, definitions.iter().map(|definition| definition.name()));
        let meant = near.map_or_else(String::new, |near| format!("; did you mean {near}?"));
        (option, format!("there is no type {name}{meant}; --type-list lists them"))
    })
}

/// Lists every type, one per line: its name, and the patterns of its files.
pub(crate) fn list() -> String {
    let line =
        |definition: &ignore::types::FileTypeDef| format!("{}: {}\n", definition.name(), definition.globs().join(", "));
    definitions().definitions().iter().map(line).collect()
}

/// Returns the names of all types.
pub(crate) fn names() -> Vec<String> {
    definitions().definitions().iter().map(|definition| definition.name().to_owned()).collect()
}

fn definitions() -> TypesBuilder {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let mut add = |name: &str, glob: &str| builder.add(name, glob).expect("a name of letters, and a glob");
    let packed = either_case(&PACKED_EXTENSIONS);
    for (name, extensions) in [("html", &PAGE_EXTENSIONS[..]), ("mail", &MAIL_EXTENSIONS)] {
        let extensions = either_case(extensions);
        add(name, &format!("*.{extensions}"));
        add(name, &format!("*.{extensions}.{packed}"));
    }
    for glob in MAILDIR {
        add("mail", glob);
    }
    builder
}

/// Returns a glob that matches each of these names, in lower or upper case.
fn either_case(names: &[&str]) -> String {
    let upper = names.iter().map(|name| name.to_uppercase());
    let all: Vec<String> = names.iter().map(|&name| name.to_owned()).chain(upper).collect();
    format!("{{{}}}", all.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_and_pages_go_by_these_names() {
        let selects = |name: &str, file: &str| {
            let types = definitions().select(name).build().unwrap();
            types.matched(file, false).is_whitelist()
        };
        for file in ["a.html", "A.HTM", "a.xhtml", "a.ejs", "a.htm.gz", "INDEX.HTML.Z", "a.shtml.zst"] {
            assert!(selects("html", file), "{file}");
        }
        for file in ["html", "a.html.txt", "a.gz", "a.mbox"] {
            assert!(!selects("html", file), "{file}");
        }
        for file in [
            "a.eml",
            "lists/1997.mbox",
            "1997.mbox.gz",
            "A.EML",
            "12.emlx",
            "1204680122.27c448.host",
            "1204680122.M1P2.host,S=12:2,RS",
        ] {
            assert!(selects("mail", file), "{file}");
        }
        for file in ["mail", "a.txt", "a.mbox.msf", "1.2.3", "2024.01.02.log", "a.html"] {
            assert!(!selects("mail", file), "{file}");
        }
    }
}
