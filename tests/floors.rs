//! Data flows one way: a file uses the floors below its own and no other (the table in the crate's root docs).

use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the crate by floor, and what the root re-exports from them.
const FLOORS: [&[&str]; 9] = [
    &["bytes", "Backend", "ReadAt"],
    &["archive"], // knows nothing of URLs
    &["url", "Level", "ParseError", "ParseErrorKind", "Url"],
    &["find", "HyphenOrder", "Kind", "Rejoin"],
    &[
        "drive",
        "Sink",
        "Brief",
        "Checkpoint",
        "Extractor",
        "ExtractorBuilder",
        "FindIter",
        "Match",
        "Place",
        "Section",
        "Stats",
        "Stream",
        "Undecoded",
    ],
    &["audit"],
    &["report"],
    &["command"],
    &["cli"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|floor| floor.contains(&module))
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// What the paths into the crate on a line name first: `crate::find::Kind` names `find`, `crate::{Level, Match}` both.
fn used(line: &str) -> Vec<&str> {
    line.split("crate::")
        .skip(1)
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or(list).split(',').collect(),
            None => vec![rest],
        })
        .map(|path| {
            let path = path.trim();
            &path[..path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len())]
        })
        .collect()
}

#[test]
fn a_file_knows_only_the_floors_below_it() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = 0;
    for path in files {
        let module = path.strip_prefix(&root).expect("below src").components().next().expect("a name");
        let Some(own) = floor(&module.as_os_str().to_string_lossy().replace(".rs", "")) else { continue };
        let text = fs::read_to_string(&path).expect("a source");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (line, used) in code.flat_map(|line| used(line).into_iter().map(move |used| (line, used))) {
            let other = floor(used).unwrap_or_else(|| panic!("{}: what is {used}? {line}", path.display()));
            assert!(other <= own, "{} is on floor {own} and uses floor {other}: {line}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 50, "the test looked at next to nothing: {seen}");
}

/// The command uses the public interface only: it is a crate of its own, and brings no module in by path.
#[test]
fn the_command_uses_the_public_interface() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src");
    let main = fs::read_to_string(root.join("main.rs")).expect("a source");
    let modules: Vec<&str> = main.lines().filter_map(|line| line.trim().strip_prefix("mod ")).collect();
    assert_eq!(modules, ["cli;"]);
    assert!(!main.contains("#[path"));
}
