//! The public names of the library. A new one is a decision, and is listed in `public-names.txt`.
//!
//! They are read from rustdoc's pages, which show the usable names: items of public modules and
//! re-exports, without `#[doc(hidden)]`. Methods, fields and variants are not names of their own
//! here. Nor are the modules `spec` and `guide`, which exist in the documentation only.
//! `UPDATE_EXPECTED=1` regenerates the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Collects the names of the module whose pages are in `folder`, and of those below it.
fn names(folder: &Path, module: &str, all: &mut BTreeSet<String>) {
    let read = |file: &str| fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{folder:?}/{file}: {e}"));
    let items = read("sidebar-items.js");
    let items = items.trim_start_matches("window.SIDEBAR_ITEMS = ").trim_end_matches([';', '\n']);
    let items: BTreeMap<String, Vec<String>> = serde_json::from_str(items).expect("a map of lists");
    for (kind, names_of_kind) in items {
        for name in names_of_kind.into_iter().filter(|name| name != "spec" && name != "guide") {
            if kind == "mod" {
                names(&folder.join(&name), &format!("{module}::{name}"), all);
            }
            all.insert(format!("{kind} {module}::{name}"));
        }
    }
    let page = read("index.html");
    for part in page.split("id=\"reexport.").skip(1) {
        all.insert(format!("use {module}::{}", &part[..part.find('"').expect("a closing quote")]));
    }
}

#[test]
#[ignore = "runs rustdoc; .ci/run does it"]
fn public_names() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let ran =
        Command::new(env!("CARGO")).current_dir(&root).args(["doc", "--lib", "--no-deps", "--all-features"]).status();
    assert!(ran.expect("cargo runs").success(), "cargo doc fails");
    let mut all = BTreeSet::new();
    names(&target.join("doc/urlgrep"), "urlgrep", &mut all);

    let list = root.join("tests/public-names.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&list, all.iter().map(|name| format!("{name}\n")).collect::<String>()).expect("a list");
    }
    let text = fs::read_to_string(&list).expect("a list");
    let promised: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let new: Vec<_> = all.difference(&promised).collect();
    let gone: Vec<_> = promised.difference(&all).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "the library's {} names are not those of tests/public-names.txt\nnew: {new:#?}\ngone: {gone:#?}\n\
         Is that meant? Then run UPDATE_EXPECTED=1 cargo test --test project public_names -- --ignored",
        all.len()
    );
}
