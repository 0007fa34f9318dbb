//! Completions, loaded in their shells. zsh and fish may not be installed. `.ci/run` installs them
//! if it can, and runs those tests with `--ignored`.

use std::collections::BTreeMap;
use std::process::Command;

use super::support::{Dir, Ran};

/// A line, expected completions of its last word, and unexpected ones. The files are `notes.txt`
/// and `more.txt`.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    ("urlgrep --sch", &["--scheme"], &["--host"]),
    ("urlgrep --scheme ht", &["http", "https"], &["ftp"]),
    ("urlgrep -n --kind w", &["wrapped"], &["angle"]),
    ("urlgrep -. --kind w", &["wrapped"], &["angle"]),
    ("urlgrep -t mark", &["markdown"], &["rust"]),
    ("urlgrep --json --fields message.s", &["message.subject"], &["subject"]),
    ("urlgrep au", &["audit"], &["parse"]),
    ("urlgrep --fail", &[], &["--fail-on"]),
    ("urlgrep notes.txt --sch", &["--scheme"], &[]),
    ("urlgrep audit --f", &["--fail-on", "--format", "--follow"], &["--fields", "--first-said"]),
    ("urlgrep audit --allow A-PORT-", &["A-PORT-RANGE"], &["A-NUL"]),
    ("urlgrep audit --format s", &["sarif"], &["json"]),
    ("urlgrep audit notes.txt --fail", &["--fail-on"], &[]),
    ("urlgrep parse --level rfc3", &["rfc3986"], &["iri"]),
    ("urlgrep parse --b", &["--base"], &["--byte-offset"]),
];

/// Files are completed by the shell itself; in bash, after the script's function has found nothing.
const FILES: &[Case] = &[
    ("urlgrep no", &["notes.txt"], &["more.txt", "parse"]),
    ("urlgrep notes.txt mo", &["more.txt"], &["notes.txt"]),
    ("urlgrep -s http no", &["notes.txt"], &[]),
    ("urlgrep audit no", &["notes.txt"], &[]),
];

/// Runs a shell on a script that prints a line `== LINE` and the words for each case.
fn check(shell: &str, options: &[&str], script: &str, cases: &[&[Case]]) {
    let dir = Dir::new();
    dir.file("notes.txt", "").file("more.txt", "");
    dir.file("completion", dir.run(&["--generate", shell]).out).file("script", script);
    let cases: Vec<_> = cases.concat();
    let lines = cases.iter().map(|(line, ..)| line);
    let path = std::env::var("PATH").unwrap();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_urlgrep")).parent().unwrap();
    let mut command = Command::new(shell);
    command.current_dir(dir.path("")).env("PATH", format!("{}:{path}", folder.display())).env("HOME", dir.path(""));
    let ran = Ran::of(command.args(options).arg("script").args(lines));
    assert_eq!((ran.code, &*ran.err), (0, ""), "{}", ran.text());
    let mut answers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut line = "";
    for word in ran.text().lines() {
        match word.strip_prefix("== ") {
            Some(next) => line = next,
            None => answers.entry(line).or_default().push(word),
        }
    }
    for (line, words, others) in cases {
        let answer = answers.remove(line).unwrap_or_default();
        assert!(words.iter().all(|word| answer.contains(word)), "{line}: {answer:?}");
        assert!(others.iter().all(|word| !answer.contains(word)), "{line}: {answer:?}");
    }
}

#[cfg(unix)]
#[test]
fn bash() {
    let script = r#"
source ./completion
[[ $(complete -p urlgrep) == *"-o default"*"-F _urlgrep urlgrep" ]] || exit 3
for line; do
    printf '== %s\n' "$line"
    read -ra COMP_WORDS <<<"$line"
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _urlgrep urlgrep "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    printf '%s\n' "${COMPREPLY[@]}"
done
"#;
    check("bash", &["--norc"], script, &[CASES]);
}

#[test]
#[ignore = "needs fish"]
fn fish() {
    let script = r#"
source ./completion
for line in $argv
    printf '== %s\n' $line
    complete -C $line | string replace -r '\t.*' ''
end
exit 0
"#;
    check("fish", &["--no-config"], script, &[CASES, FILES]);
}

/// Runs a shell within the shell, at a terminal; its `compadd` prints the words that it adds.
#[test]
#[ignore = "needs zsh"]
fn zsh() {
    let script = r#"
zmodload zsh/zpty
: >out
zpty inner zsh -f -i
zpty -w inner "PROMPT= RPROMPT=; autoload -Uz compinit; compinit -u -D; source ./completion; out=$PWD/out"
zpty -w inner 'compadd() {
    if (( ${@[(I)-[OAD]*]} )); then builtin compadd "$@"; return; fi
    local -a added; builtin compadd -A added "$@"; print -rl -- $added >>$out; builtin compadd "$@"
}'
zpty -w inner 'finish() { print END >>$out; BUFFER= }; zle -N finish; bindkey "^X" finish; bindkey "^I" complete-word; print re""ady'
zpty -r inner seen '*ready*'
for line; do
    print -r -- "== $line" >>out
    zpty -w -n inner "$line"$'\t\x18'
    for (( turn = 0; turn < 400; turn++ )); do
        [[ $(tail -n 1 out) == END ]] && break
        zpty -r -t inner seen
        sleep 0.05
    done
done
zpty -d inner
cat out
"#;
    check("zsh", &["-f"], script, &[CASES, FILES]);
}
