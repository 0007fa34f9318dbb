//! The recipes of the guide run. Scripts replace the programs that may be missing, and print their
//! arguments.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{blocks, path_with, root, text};

/// Programs, and the scripts that replace them.
const STAND_INS: &[(&str, &str)] = &[
    // This script picks the first line, or the first two, and shows the preview.
    (
        "fzf",
        r#"many=1 preview=
while [ $# -gt 0 ]; do
    case $1 in
    --multi) many=2 ;;
    --preview) preview=$2 && shift ;;
    --delimiter) shift ;;
    --tac) ;;
    *) echo "fzf has no $1" >&2; exit 2 ;;
    esac
    shift
done
lines=$(head -n "$many")
[ -z "$preview" ] || eval "$(printf %s "$preview" | sed "s|{1}|${lines%%:*}|")"
printf '%s\n' "$lines""#,
    ),
    ("xdg-open", r#"echo "opened $*""#),
    ("tmux", r#"case $1 in capture-pane) cat screen.txt ;; display) echo 72 ;; *) exit 2 ;; esac"#),
    ("tail", r#"[ "$1" = -f ] && exec cat "$2""#),
    ("jq", r#"[ "$*" = "-c select(.shown_host)" ] && grep -v '"shown_host":null'"#),
    ("duckdb", "cat links.jsonl"),
    ("pdftotext", r#"[ "$1" = -raw ] && printf 'The text is at http://paper.example/name.html, page 2.\n'"#),
    // The first link is dead.
    (
        "lychee",
        r#"[ "$1 $2 $3 $4" = "-v --format json --output" ] || exit 1
url=$(head -n 1 "$6")
printf '{"error_map":{"%s":[{"url":"%s","status":{"text":"404 Not Found","code":404}}]},"success_map":{}}' "$6" "$url" >"$5"
exit 2"#,
    ),
    (
        "curl",
        r#"case $1 in
-s) printf '<p><a href="../b">b</a> <a href="/c">c</a> <a href="../b">b</a>' ;;
-sIo) printf '200 %s\n' "$5" ;;
*) exit 2 ;;
esac"#,
    ),
];

const NOTES: &str = "http://a.example/1, http://a.example/2 and https://b.example.org/3\n";
const MAIL: &str = "From: joe@a.example\nTo: jane@a.example\nSubject: Look\nMessage-ID: <1@a.example>\n\
    Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n\
    <a href=3D\"http://evil.example/\">www.bank.example</a>\n";

/// A folder with the inputs of the recipes.
struct Place {
    folder: PathBuf,
    path: std::ffi::OsString,
}

impl Place {
    fn new() -> Place {
        let folder = std::env::temp_dir().join(format!("urlgrep-recipes-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let stand_ins = folder.join("programs");
        for inner in ["programs", "docs", "lists", "Maildir/cur", "Maildir/new", "Maildir/tmp"] {
            fs::create_dir_all(folder.join(inner)).expect("a folder");
        }
        for (name, script) in STAND_INS {
            let path = stand_ins.join(name);
            fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("its rights");
        }
        let path = path_with(&[&stand_ins]);
        let place = Place { folder, path };
        place.write("notes.md", NOTES);
        place.write("docs/start.md", NOTES);
        place.write("access.log", NOTES);
        place.write("lists/inbox", &format!("From joe@a.example Sat Sep 21 12:00:00 1996\n{MAIL}"));
        place.write("Maildir/cur/1:2,S", MAIL);
        fs::copy(root().join("corpora/2026/screen.txt"), place.folder.join("screen.txt")).expect("a copy");
        let quiet = "git init -q . && git add notes.md && git commit -q -m 'Add notes, see https://b.example.org/4'";
        assert_eq!(place.run(quiet, ""), "");
        place.write("notes.md", &format!("{NOTES}http://joe:secret@a.example/\n"));
        assert_eq!(place.run("git add notes.md", ""), "");
        place
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).expect("a file");
    }

    /// Returns all that a command prints, and its exit status unless that is 0.
    fn run(&self, command: &str, input: &str) -> String {
        fs::write(self.folder.join("input"), input).expect("a file");
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(&self.folder).env("PATH", &self.path).env("HOME", &self.folder);
        shell.stdin(fs::File::open(self.folder.join("input")).expect("a file")).stdout(Stdio::piped());
        for (name, value) in [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1")] {
            shell.env(name, value);
        }
        for who in ["AUTHOR", "COMMITTER"] {
            shell.env(format!("GIT_{who}_NAME"), "Joe").env(format!("GIT_{who}_EMAIL"), "joe@a.example");
        }
        shell.env_remove("URLGREP_CONFIG_PATH").env_remove("GIT_DIR").env("NO_COLOR", "1");
        let output = shell.output().expect("sh");
        let mut printed = String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n");
        printed.push_str(&String::from_utf8_lossy(&output.stderr));
        if !output.status.success() {
            printed.push_str(&format!("(exit status {})\n", output.status.code().expect("no signal")));
        }
        printed
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Returns the commands in the settings of a program, with their standard input.
fn commands(language: &str, block: &str) -> Vec<(String, &'static str)> {
    let between = |line: &str, start: &str, end: &str| {
        let (_, rest) = line.split_once(start).unwrap_or_else(|| panic!("{line}"));
        rest.rsplit_once(end).unwrap_or_else(|| panic!("{line}")).0.to_owned()
    };
    let command = |line: &str| match language {
        "sh" => (line.to_owned(), ""),
        "muttrc" if line.contains("<pipe-message>") => (between(line, "<pipe-message>", "<enter>\""), MAIL),
        "muttrc" => (between(line, "set display_filter=\"", "\""), "<URL:http://a.example/\n x>\n"),
        "tmux" => (between(line, " -E \"", "\"").replace("\\\"", "\""), ""),
        "crontab" => (line.splitn(6, ' ').last().expect("five times").to_owned(), ""),
        other => panic!("{other}"),
    };
    match language {
        "sh" => vec![command(block)],
        _ => block.lines().map(command).collect(),
    }
}

/// `tests/readme/recipes.txt` has the output of each. `UPDATE_EXPECTED=1 cargo test --test project
/// readme` writes it.
#[test]
fn recipes_do_what_they_say() {
    let place = Place::new();
    let mut made = String::new();
    // Last month's baseline covers fewer lists.
    assert_eq!(place.run("urlgrep audit --format json docs >lists.json", ""), "");
    for page in ["recipes", "mail", "terminals", "ci", "data"] {
        let page = text(&root().join(format!("src/guide/{page}.md")));
        for language in ["sh", "muttrc", "tmux", "crontab"] {
            for (command, input) in blocks(&page, language).into_iter().flat_map(|block| commands(language, block)) {
                let printed = place.run(&command, input);
                made.push_str(&format!("$ {}\n{printed}\n", command.trim_end()));
            }
        }
    }
    let path = root().join("tests/readme/recipes.txt");
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, &made).expect("the list can be written");
    }
    assert_eq!(text(Path::new(&path)), made);
}
