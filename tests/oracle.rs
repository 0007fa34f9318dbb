//! Python's results. `tests/oracle/find.py` implements section 7 of the specification a second time
//! from its text, with `bjoin.py` for B-JOIN. It agrees with every vector, and with the program on
//! random texts, except for the departures that `tests/oracle/departures.py` lists.
//! `URLGREP_ORACLE_TEXTS=100000 URLGREP_ORACLE_SEED=7` runs more texts, and different ones.
//! `tests/oracle/forms.py` stores mail with Python's own modules, and `tests/oracle/pages.py` reads
//! the pages of archives.
//!
//! These tests need Python 3, and fail without it. So a plain `cargo test` skips them, and
//! `.ci/run` runs them.

use std::path::PathBuf;
use std::process::Command;

/// Runs a script of the oracle, which must succeed, and returns its output.
fn run_script(name: &str, args: &[&str]) -> String {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    let ran = Command::new("python3")
        .arg("-B") // leaves no compiled file behind
        .arg(tests.join("oracle").join(name))
        .args(args)
        .output()
        .expect("python3 is needed for this test, and must be on the PATH");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{out}{err}");
    out.into_owned()
}

#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn the_reference_agrees_with_the_vectors() {
    let out = run_script("find.py", &["--vectors", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors")]);
    let all = |name: &str, vectors: &str| {
        // The reference reads B-JOIN apart.
        let ran = vectors.lines().filter(|line| !line.contains(r#""rejoin": "auto""#)).count();
        assert!(out.contains(&format!("{ran} of {ran} {name} vectors agree")), "{out}");
    };
    all("context", include_str!("vectors/context.jsonl"));
    all("join", include_str!("vectors/join.jsonl"));
}

/// Checks that program and reference agree on random texts, except for listed departures, and one
/// in a thousand.
#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn the_reference_agrees_on_random_texts() {
    // A build of the library alone has no command.
    let Some(command) = option_env!("CARGO_BIN_EXE_urlgrep") else { return };
    let given = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_string());
    let (texts, seed) = (given("URLGREP_ORACLE_TEXTS", "5000"), given("URLGREP_ORACLE_SEED", "1738"));
    let out = run_script("departures.py", &[command, &texts, &seed]);
    assert!(out.contains(&format!("{texts} texts: ")), "{out}");
}

/// Writes mail with Python's mailbox and zipfile, in the forms that they support, and reads it
/// back. The command finds the same messages in each, with the same URLs.
#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn python_reads_the_same_messages() {
    // A build of the library alone has no command.
    let Some(command) = option_env!("CARGO_BIN_EXE_urlgrep") else { return };
    let folder = std::env::temp_dir().join(format!("urlgrep-forms-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to work in");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/forms.py");
    let ran = Command::new("python3").arg("-B").arg(script).arg(&folder).output().expect("python3 on the PATH");
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{err}");
    let mut forms = 0;
    for line in out.lines() {
        type Form = (String, Vec<(String, Vec<String>)>);
        let (name, expected): Form = serde_json::from_str(line).expect("a form");
        for threads in ["-j1", "-j2"] {
            let args = ["-z", "--json", threads, &name];
            let ran = Command::new(command).current_dir(&folder).args(args).output().expect("the command");
            let mut found: Vec<(String, Vec<String>)> = Vec::new();
            for line in String::from_utf8_lossy(&ran.stdout).lines() {
                let found_here: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
                let (id, url) = (text(&found_here["message"]["id"]), text(&found_here["url"]));
                match found.last_mut() {
                    Some((last, urls)) if *last == id => urls.push(url),
                    _ => found.push((id, vec![url])),
                }
            }
            // The files of a maildir come in the order of their names.
            found.sort_by_key(|(id, _)| id.split('@').next().and_then(|number| number.parse::<u32>().ok()));
            assert_eq!(found, expected, "{name} {threads}: {}", String::from_utf8_lossy(&ran.stderr));
        }
        forms += 1;
    }
    assert_eq!(forms, 9);
    std::fs::remove_dir_all(folder).expect("our own folder");
}

/// Compares the links in the pages of `tests/oracle/pages` with Python's HTML parser and its
/// `urljoin`. Each page is read once as it is, and once repeated until it is read in windows.
#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn python_finds_the_same_links() {
    let Some(command) = option_env!("CARGO_BIN_EXE_urlgrep") else { return };
    let oracle = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let folder = std::env::temp_dir().join(format!("urlgrep-pages-{}", std::process::id()));
    let mut names = Vec::new();
    for around in ["pages", "pages/pipermail", "pages/mhonarc"] {
        std::fs::create_dir_all(folder.join(around)).expect("a folder to work in");
        for entry in std::fs::read_dir(oracle.join(around)).expect("the pages") {
            let path = entry.expect("a page").path();
            let Ok(page) = std::fs::read_to_string(&path) else { continue };
            // Without the marks of its archiver a page is read like any other.
            let marks = ["beginarticle", "MHonArc", "X-Body-of-Message", "[ "];
            let page = marks.iter().fold(page, |page, mark| page.replace(mark, "x"));
            let name = format!("{around}/{}", path.file_name().expect("a name").to_string_lossy());
            std::fs::write(folder.join(format!("{name}.long")), page.repeat((2 << 20) / page.len())).expect("room");
            std::fs::write(folder.join(&name), page).expect("room");
            names.push(name);
        }
    }
    let ran = Command::new("python3").arg("-B").arg(oracle.join("pages.py")).arg(&folder).output().expect("python3");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    type Link = (String, String, Option<String>);
    let mut links = 0;
    for line in String::from_utf8_lossy(&ran.stdout).lines() {
        let (name, expected): (String, Vec<Link>) = serde_json::from_str(line).expect("a page");
        for threads in ["-j1", "-j2"] {
            let args = ["--json", "--input", "html", "--kind", "attribute", threads, &name];
            let ran = Command::new(command).current_dir(&folder).args(args).output().expect("the command");
            let found: Vec<Link> = String::from_utf8_lossy(&ran.stdout)
                .lines()
                .map(|line| {
                    let found: serde_json::Value = serde_json::from_str(line).expect("JSON");
                    let text = |field: &str| found[field].as_str().map(str::to_owned);
                    (text("attribute").expect("its name"), text("url").expect("a URL"), text("resolved"))
                })
                .filter(|(attribute, ..)| !attribute.ends_with("style"))
                .collect();
            let first = found.iter().zip(&expected).position(|(found, expected)| found != expected);
            let first = first.unwrap_or(found.len().min(expected.len()));
            assert_eq!(found.get(first), expected.get(first), "{name} {threads}: link {first}");
        }
        links += expected.len();
    }
    assert!(names.len() == 7 && links > 30_000, "{names:?}: {links}");
    std::fs::remove_dir_all(folder).expect("our own folder");
}
