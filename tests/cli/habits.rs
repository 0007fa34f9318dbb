//! Options that users of ripgrep or grep type by habit.

use super::support::Dir;

#[test]
fn line_numbers_are_undone() {
    let dir = Dir::new();
    dir.file("t", "\nhttp://a.example/\n");
    dir.run(&["-n", "-N", "t"]).is(0, "http://a.example/\n");
    dir.run(&["-N", "t"]).is(0, "http://a.example/\n");
    dir.run(&["-N", "-n", "t"]).is(0, "2:http://a.example/\n");
    dir.run(&["--line-number", "--no-line-number", "--column", "t"]).is(0, "1:http://a.example/\n");
}

#[test]
fn what_is_not_there_gets_a_word() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/\n");
    for (args, word) in [
        (&["-i", "t"][..], "urlgrep: -i: there is no pattern"),
        (&["-e", "http", "t"], "urlgrep: -e: every URL is found"),
        (&["-v", "t"], "urlgrep: -v: here it is --host, --scheme; '!' excludes hosts"),
        (&["--sort=path", "t"], "urlgrep: --sort: the output is sorted"),
        (&["--sort", "path", "t"], "urlgrep: --sort: the output is sorted"),
        (&["-f", "list", "t"], "urlgrep: -f: here it is --host-file; a list of hosts\n"),
        (&["audit", "--json", "t"], "urlgrep: --json: here it is --format json\n"),
        (&["audit", "--html", "t"], "urlgrep: --html: here it is --format html\n"),
        (&["audit", "-q", "t"], "urlgrep: -q: here it is --fail-on; use the exit status"),
        (&["audit", "-n", "t"], "urlgrep: -n: is an option of urlgrep itself; 'urlgrep audit --help' lists"),
        (&["parse", "-n", "http://h/"], "urlgrep: -n: is an option of urlgrep itself; 'urlgrep parse --help' lists"),
        (&["--fail-on", "high", "t"], "urlgrep: --fail-on: is an option of urlgrep audit\n"),
        (&["--show-secrets", "t"], "urlgrep: --show-secrets: is an option of urlgrep parse and of urlgrep audit\n"),
        (
            &["--exclude", "*.log", "t"],
            "urlgrep: --exclude: here it is -g; '!' excludes files, as in -g '!*.log'; --host '!NAME' excludes URLs\n",
        ),
        (
            &["--files-from", "list"],
            "urlgrep: --files-from: file names are arguments: find . -print0 | xargs -0 urlgrep -H\n",
        ),
    ] {
        let ran = dir.run(args);
        ran.fails("", &[word]);
        assert_eq!(ran.err.lines().count(), 1, "{args:?} {}", ran.err);
    }
    for (option, word) in [
        ("--domain", "here it is --host; as in --host 'example.com,*.example.com'"),
        ("--email", "here it is -s; as in -s mailto; an address without 'mailto:' is no URL"),
        ("--open", "pass the URL on: xdg-open \"$(urlgrep FILE | sed -n 3p)\""),
        ("--update-baseline", "write a new one: urlgrep audit --format json PATH > FILE"),
    ] {
        for command in [&[][..], &["audit"]] {
            dir.run(&[command, &[option, "t"]].concat()).fails("", &[&format!("urlgrep: {option}: {word}\n")]);
        }
    }
    // There is no advice for an unknown option, an option of another command, or a file name like
    // `-o`.
    dir.run(&["--no-such", "t"]).fails("", &["unexpected argument '--no-such'"]);
    dir.run(&["parse", "-w", "http://a.example/"]).fails("", &["unexpected argument '-w'"]);
    dir.run(&["-I", "--", "-o", "t"]).fails("http://a.example/\n", &["urlgrep: -o: No such file"]);
}

/// Checks that a suggested option is a slip of the hand away, and that no other is suggested.
#[test]
fn only_near_options_are_suggested() {
    let dir = Dir::new();
    for (option, meant) in [("--uniqe", "'--unique'"), ("--jsn", "'--json'"), ("--explan", "'--explain'")] {
        dir.run(&[option]).fails("", &[&format!("a similar argument exists: {meant}\n")]);
    }
    for command in [&[][..], &["audit"], &["parse"]] {
        for option in ["--ignore", "--extract", "--al", "--page", "--opn", "--fail", "--size", "--fetch", "--mails"] {
            let ran = dir.run(&[command, &[option]].concat());
            ran.fails("", &[&format!("unexpected argument '{option}' found")]);
            let named = ran.err.split_whitespace().filter(|word| word.trim_start_matches('\'').starts_with("--"));
            let is_own = |word: &str| ["--", "--help"].contains(&word) || word == option;
            let others: Vec<&str> =
                named.map(|word| word.trim_matches(['\'', '.'])).filter(|word| !is_own(word)).collect();
            assert_eq!(others, Vec::<&str>::new(), "{}", ran.err);
        }
    }
}

#[test]
fn options_of_grep_are_accepted() {
    let dir = Dir::new();
    dir.file("t", "see http://a.example/ http://b.example/\n").file("d/t", "http://c.example/\n");
    let url = "http://a.example/\nhttp://b.example/\n";
    for args in [&["-o", "t"][..], &["-ao", "t"], &["--text", "--only-matching", "t"], &["--no-color", "t"]] {
        dir.run(args).is(0, url);
    }
    for args in
        [&["-r", "d"][..], &["-R", "d"], &["-roH", "d"], &["--recursive", "d"], &["--dereference-recursive", "d"]]
    {
        dir.run(args).is(0, "d/t:http://c.example/\n");
    }
    let here = dir.command(&["-r"]).current_dir(dir.path("d")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&here.stdout), "./t:http://c.example/\n");
    let red = "\x1b[1mhttp://a.example/\x1b[0m\n\x1b[1mhttp://b.example/\x1b[0m\n";
    dir.run(&["--colour=always", "t"]).is(0, red);
    dir.run(&["--no-color", "--color", "always", "t"]).is(0, red);
    dir.run(&["--color", "always", "--no-colour", "t"]).is(0, url);
    for command in ["audit", "parse"] {
        let ran = dir.run(&[command, "--no-color", "t"]);
        assert!(ran.code < 2, "{}", ran.err);
    }
    let ran = dir.run(&["audit", "-ra", "d"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
}

#[test]
fn a_doubled_u_is_not_unique() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/ http://a.example/\n");
    for args in [&["-uu", "t"][..], &["t", "-uuu"], &["-nuu", "t"], &["-unu", "t"]] {
        dir.run(args)
            .fails("", &["urlgrep: -uu: here it is --no-ignore --hidden; -u is --unique, and once is enough\n"]);
    }
    dir.run(&["-u", "t"]).is(0, "http://a.example/\n");
    dir.run(&["--unique", "-u", "t"]).is(0, "http://a.example/\n");
    dir.file("-uu", "http://b.example/\n");
    dir.run(&["-ug*uu", "."]).is(0, "./-uu:http://b.example/\n");
    dir.run(&["-u", "--", "-uu"]).is(0, "http://b.example/\n");
}

#[test]
fn help_is_a_word() {
    let dir = Dir::new();
    let full = dir.run(&["--help"]);
    dir.run(&["help"]).is(0, &full.out);
    dir.run(&["help", "audit"]).is(0, dir.run(&["audit", "--help"]).out);
    dir.run(&["help", "parse"]).is(0, dir.run(&["parse", "--help"]).out);
    dir.run(&["help", "x"]).fails("", &["urlgrep: help: No such file", "did you mean urlgrep --help?"]);
    // A file of that name is searched.
    dir.file("help", "http://a.example/\n");
    dir.run(&["help"]).is(0, "http://a.example/\n");
}

#[test]
fn a_subcommand_that_is_none_gets_a_word() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/\n");
    dir.run(&["-I", "adit", "t"]).fails("http://a.example/\n", &["urlgrep: adit: ", "; did you mean urlgrep audit?"]);
    dir.run(&["prase", "http://h/"]).fails("", &["urlgrep: prase: ", "; did you mean urlgrep parse?"]);
    dir.file("adit", "http://b.example/\n");
    dir.run(&["adit"]).is(0, "http://b.example/\n");
}

/// Checks that every long option appears in a test of the command.
#[test]
fn every_option_is_tested() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let tests: String = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '-';
    let tested: std::collections::BTreeSet<&str> = tests.split(|character| !is_name(character)).collect();
    let dir = Dir::new();
    let mut seen = 0;
    for command in [&[][..], &["audit"], &["parse"]] {
        let help = dir.run(&[command, &["--help"]].concat());
        // The texts below the names are indented further.
        let is_option = |line: &&str| line.trim_start().starts_with('-') && !line.starts_with("       ");
        for line in help.text().lines().filter(is_option) {
            let Some(long) = line.split([' ', ',']).find(|word| word.starts_with("--")) else { continue };
            assert!(tested.contains(long), "{command:?} {long}");
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}
