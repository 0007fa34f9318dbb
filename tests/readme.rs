//! The examples of the README, the interface and the guide print the documented output. Links lead
//! to files that exist.

#![cfg(all(unix, feature = "cli"))]

#[path = "readme/links.rs"]
mod links;
#[path = "readme/recipes.rs"]
mod recipes;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the pages of the guide, by name.
fn guide() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("src/guide")).expect("the guide");
    let pages = entries.map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = pages.filter(|path| path.extension().is_some_and(|kind| kind == "md")).collect();
    pages.sort();
    assert!(pages.len() > 8, "{pages:?}");
    pages
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the code of a page in a language, block by block.
fn blocks<'t>(page: &'t str, language: &str) -> Vec<&'t str> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find("```") {
        let (name, body) = rest[start + 3..].split_once('\n').expect("a block has lines");
        let (block, after) = body.split_once("```").expect("a block has an end");
        if name == language {
            blocks.push(block);
        }
        rest = after;
    }
    blocks
}

/// Returns `PATH` with the command first. `.ci/package` names a folder with another command.
fn path_with(folders: &[&Path]) -> OsString {
    let built = Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().expect("a folder");
    let command = std::env::var_os("URLGREP_FOLDER").map_or_else(|| built.to_owned(), PathBuf::from);
    let system = std::env::var_os("PATH").expect("a PATH");
    let all = folders.iter().map(|&folder| folder.to_owned()).chain([command]).chain(std::env::split_paths(&system));
    std::env::join_paths(all).expect("folders without a colon")
}

/// Returns the examples: commands after `$`, each with its output.
fn examples(block: &str) -> Vec<(&str, &str)> {
    let starts = block.match_indices("$ ").map(|(at, _)| at).filter(|&at| at == 0 || block[..at].ends_with('\n'));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    let pieces = starts.iter().zip(ends).map(|(&start, end)| &block[start + 2..end]);
    pieces.map(|piece| piece.split_once('\n').expect("a command and what it prints")).collect()
}

#[test]
fn the_tour_is_real() {
    let path = path_with(&[]);
    let pages = [root().join("README.md"), root().join("src/spec/interface.md")].into_iter().chain(guide());
    let mut wrong = String::new();
    let mut ran = 0;
    for page in pages {
        let page = text(&page);
        for (line, expected) in blocks(&page, "console").into_iter().flat_map(examples) {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).current_dir(root()).env("PATH", &path).env_remove("URLGREP_CONFIG_PATH");
            let output = shell.output().expect("sh");
            let printed = String::from_utf8(output.stdout).expect("UTF-8").replace("\r\n", "\n"); // rows of CSV end in CR LF
            let said = String::from_utf8_lossy(&output.stderr);
            if printed.trim_end() != expected.trim_end() || !said.is_empty() {
                wrong.push_str(&format!("$ {line}\n{printed}{said}\n"));
            }
            ran += 1;
        }
    }
    assert!(wrong.is_empty(), "the pages say otherwise:\n{wrong}");
    assert_eq!(ran, 45, "examples were lost or won");
}

/// Checks that the command finds the green link of the first picture in the pane above it.
#[test]
fn the_first_picture_is_true() {
    let picture = text(&root().join(".github/terminal.svg"));
    let lines = picture.lines().filter(|line| line.starts_with("<text "));
    let lines = lines.map(|line| line.split(['>', '<']).nth(2).expect("words").replace("&amp;", "&"));
    let lines: Vec<String> = lines.collect();
    let at = lines.iter().position(|line| line == "$ tmux capture-pane -p | urlgrep").expect("the command");
    let (pane, link) = (lines[..at].join("\n"), &lines[at + 1]);
    assert!(!pane.contains(link.as_str()), "{pane}");
    let found = urlgrep::Extractor::new().find_iter(&pane).map(|found| found.url().to_string()).collect::<Vec<_>>();
    assert_eq!(found, [link.as_str()]);
}

#[test]
fn the_readme_is_short() {
    let words = text(&root().join("README.md")).split_whitespace().count();
    assert!(words <= 949, "{words} words; the guide has room");
}
