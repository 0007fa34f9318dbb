//! Options that are always given: the file that `URLGREP_CONFIG_PATH` names.

use super::support::{Dir, Ran};

/// Creates a folder with two texts, one of them hidden, and this file of options.
fn dir(config: &str) -> Dir {
    let dir = Dir::new();
    dir.file("d/t", "http://a.example/ ftp://b.example/\n").file("d/.h", "http://c.example/\n").file("conf", config);
    dir
}

fn run(dir: &Dir, args: &[&str]) -> Ran {
    Ran::of(dir.command(args).env("URLGREP_CONFIG_PATH", "conf"))
}

#[test]
fn options_stand_before_those_of_the_command_line() {
    let dir = dir("# ours\n\n--hidden\r\n  -I\n-s\nhttp\n");
    run(&dir, &["d"]).is(0, "http://c.example/\nhttp://a.example/\n");
    run(&dir, &["-H", "-s", "ftp,!http", "d"]).is(0, "d/t:ftp://b.example/\n");
    run(&dir, &["--no-config", "-I", "d"]).is(0, "http://a.example/\nftp://b.example/\n");
    dir.run(&["-I", "d"]).is(0, "http://a.example/\nftp://b.example/\n");
    // After `--` it is the name of a file.
    dir.file("--no-config", "http://d.example/\n");
    run(&dir, &["--", "--no-config", "d/t"]).is(0, "http://d.example/\nhttp://a.example/\n");
    Ran::of(dir.command(&["d/t"]).env("URLGREP_CONFIG_PATH", "")).is(0, "http://a.example/\nftp://b.example/\n");
}

/// Drops options of the file that conflict with the command line, as a later option overrides an
/// earlier one.
#[test]
fn what_conflicts_with_the_command_line_is_left_out() {
    let dir = dir("--json\n--hidden\n--max-count=1\n");
    run(&dir, &["-c", "-I", "d"]).is(0, "1\n1\n");
    run(&dir, &["--format={host}", "d/t"]).is(0, "a.example\n");
    run(&dir, &["--first-said", "--csv", "--fields=url", "d/t"])
        .is(0, "url\r\nhttp://a.example/\r\nftp://b.example/\r\n");
    run(&dir, &["-c", "--json", "d"]).fails("", &["cannot be used with"]);
}

#[test]
fn subcommands_take_what_they_share() {
    let dir = dir("--hidden\n--host=*.example,!a.*\n--format\n{host}\n--csv\n--color=always\n");
    run(&dir, &["audit", "--format", "urls", "d"]).is(0, "http://c.example/\n");
    run(&dir, &["audit", "--no-config", "--format", "urls", "d"]).is(0, "http://a.example/\n");
    run(&dir, &["parse", "http://h/"]).is(0, "http://h/: \x1b[32mok\x1b[0m rfc1738\n");
    run(&dir, &["parse", "--no-config", "http://h/"]).is(0, "http://h/: ok rfc1738\n");
    run(&dir, &["help", "parse"]).is(0, dir.run(&["parse", "--help"]).out);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (config, words) in [
        ("--hiden\n", &["urlgrep: conf: line 1: there is no option --hiden"][..]),
        ("\nd\n", &["conf: line 2: 'd' is not an option; name files on the command line"]),
        ("-n\nd\n", &["conf: line 1: '-n d' is more than one option; write one option per line"]),
        ("-nH\n", &["conf: line 1: '-nH' is more than one option"]),
        ("--host=a\nb\n", &["conf: line 1: '--host=a b' is more than one option"]),
        ("-\n", &["conf: line 1: there is no option -"]),
        ("--json\n--csv\n", &["'--json' cannot be used with '--csv'", "options of URLGREP_CONFIG_PATH also apply"]),
    ] {
        run(&dir(config), &["-n", "d"]).fails("", words);
    }
    run(&dir("-uu\n"), &["d"]).fails("", &["conf: line 1: '-uu' is more than one option"]);
    let dir = dir("");
    std::fs::remove_file(dir.path("conf")).unwrap();
    run(&dir, &["d"]).fails("", &["urlgrep: conf: No such file", "URLGREP_CONFIG_PATH names it"]);
}
