//! Links of the README and of the guide lead to existing files and headings, and are valid URLs.

use std::path::Path;
use std::process::Command;

use super::{blocks, guide, root, text};

/// Returns a page without its code.
fn prose(page: &str) -> String {
    let mut prose = page.to_owned();
    for block in page.split("```").skip(1).step_by(2) {
        prose = prose.replace(&format!("```{block}```"), "");
    }
    prose
}

/// Returns the targets of `](target)`, `src="target"` and `[label]: target`.
fn targets(page: &str) -> Vec<&str> {
    let inline = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures =
        page.split("src=\"").skip(1).chain(page.split("srcset=\"").skip(1)).filter_map(|rest| rest.split('"').next());
    inline.chain(pictures).chain(definitions(page).into_iter().map(|(_, target)| target)).collect()
}

/// Returns the lines `[label]: target`.
fn definitions(page: &str) -> Vec<(&str, &str)> {
    page.lines().filter_map(|line| line.trim_start_matches("//! ").strip_prefix('[')?.split_once("]: ")).collect()
}

/// Returns the anchors of a page: those that Markdown makes of its headings, and those that it
/// names.
fn anchors(page: &str) -> Vec<String> {
    let heading = |line: &str| {
        let title = line.trim_start_matches('#').trim();
        let kept = title.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    let headings = page.lines().filter(|line| line.starts_with('#')).map(heading);
    let named = page.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    headings.chain(named).collect()
}

#[test]
fn relative_links_lead_to_files_and_headings() {
    let mut seen = 0;
    for page in [root().join("README.md")].into_iter().chain(guide()) {
        let prose = prose(&text(&page));
        for target in targets(&prose).into_iter().filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
            let path = page.parent().expect("a folder").join(file);
            assert!(path.exists(), "{}: {target}", page.display());
            if let Some(anchor) = anchor {
                assert!(anchors(&text(&path)).iter().any(|other| other == anchor), "{}: {target}", page.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

/// `src/guide/mod.rs` defines each label again, for rustdoc, where a page is a module.
#[test]
fn labels_of_the_guide_are_those_of_its_module() {
    let module = text(&root().join("src/guide/mod.rs"));
    let mut all: Vec<String> = Vec::new();
    for page in guide() {
        let page = text(&page);
        let labels: Vec<&str> = definitions(&page).into_iter().map(|(label, _)| label).collect();
        let used: Vec<&str> = page.split("][").skip(1).filter_map(|rest| rest.split(']').next()).collect();
        assert!(used.iter().all(|label| labels.contains(label)), "{used:?} {labels:?}");
        assert!(labels.iter().all(|label| used.contains(label)), "{used:?} {labels:?}");
        all.extend(labels.into_iter().map(str::to_owned));
    }
    for label in all {
        assert!(module.contains(&format!("[{label}]: ")), "src/guide/mod.rs lacks {label}");
    }
}

/// Audits the prose of the pages with the command itself. URLs in examples may have findings.
#[test]
fn an_audit_finds_nothing_wrong() {
    let folder = std::env::temp_dir().join(format!("urlgrep-prose-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (number, page) in [root().join("README.md")].into_iter().chain(guide()).enumerate() {
        std::fs::write(folder.join(format!("{number}.md")), prose(&text(&page))).expect("a copy");
    }
    let audit = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_urlgrep"));
        let output = command.args(["audit", "--no-config", "--top", "0", "--fail-on", "low"]).arg(folder).output();
        output.expect("the command")
    };
    let sound = audit(&folder);
    std::fs::write(folder.join("odd.md"), "http://joe:secret@a.example/").expect("a page");
    let odd = audit(&folder);
    std::fs::remove_dir_all(&folder).expect("the folder goes away");
    assert_eq!(sound.status.code(), Some(0), "{}", String::from_utf8_lossy(&sound.stdout));
    assert_eq!(odd.status.code(), Some(1), "an audit of these pages can fail");
}

#[test]
fn each_page_of_the_guide_is_a_module() {
    let module = text(&root().join("src/guide/mod.rs"));
    for page in guide() {
        let name = page.file_stem().expect("a name").to_str().expect("ASCII");
        assert!(module.contains(&format!("pub mod {name} {{}}")), "{name}");
        assert!(module.contains(&format!("| [{name}] |")), "the table lacks {name}");
        // No test would run blocks of another language. rustdoc runs those of Rust.
        let known = ["sh", "console", "toml", "muttrc", "tmux", "crontab", "rust", "rust,no_run"];
        let count = text(&page).matches("```").count() / 2;
        assert_eq!(known.iter().map(|language| blocks(&text(&page), language).len()).sum::<usize>(), count, "{name}");
    }
}
