//! Inputs: files, folders, standard input, and things that only look like a file.

use super::support::{Dir, Ran};

const URL: &str = "http://a.example/\n";

#[test]
fn standard_input_is_the_default_and_the_dash() {
    let dir = Dir::new();
    dir.file("t", "http://f.example/");
    dir.run_with::<&str>(&[], URL.as_bytes()).is(0, URL);
    dir.run_with(&["-"], URL.as_bytes()).is(0, URL);
    dir.run_with(&["t", "-", "t"], URL.as_bytes())
        .is(0, "t:http://f.example/\n-:http://a.example/\nt:http://f.example/\n");
    // The second `-` reads nothing, since the first has read everything.
    dir.run_with(&["-", "-"], URL.as_bytes()).is(0, "-:http://a.example/\n");
    dir.file("-", "http://dash.example/");
    dir.run(&["./-"]).is(0, "http://dash.example/\n");
}

#[test]
fn empty_input_is_no_match() {
    let dir = Dir::new();
    dir.file("empty", "");
    std::fs::create_dir(dir.path("folder")).unwrap();
    dir.run(&["empty"]).is(1, "");
    dir.run(&["-c", "empty"]).is(1, "0\n");
    dir.run(&["folder"]).is(1, "");
    dir.run(&["--json", "empty"]).is(1, "");
    dir.run(&["--range", ":", "empty"]).is(1, "");
}

/// Checks the note on an empty standard input, which a step of a build often has.
#[test]
fn an_empty_standard_input_is_named_where_no_path_is() {
    use std::process::Stdio;
    let dir = Dir::new();
    dir.file("empty", "");
    let note = "urlgrep: standard input is empty, and no PATH is given; give a PATH to search files, such as '.'\n";
    let audit = ["audit", "--format", "urls"];
    for args in [&[][..], &["-q", "-s", "http"], &["-c"], &["--json"], &["-z"], &["--input", "mail"], &["-j1"], &audit]
    {
        let status = i32::from(args != audit);
        let piped = dir.run_with(args, b"");
        assert_eq!((piped.code, &*piped.err), (status, note), "{args:?}");
        let null = Ran::of(dir.command(args).stdin(Stdio::null()));
        assert_eq!((null.code, &*null.err), (status, note), "{args:?}");
        let quiet = dir.run_with(&[args, &["--no-messages"]].concat(), b"");
        assert_eq!((quiet.code, &*quiet.err), (status, ""), "{args:?}");
        // There is no note if the input has any byte, or if it is named as a PATH.
        assert_eq!(dir.run_with(args, b"\n").err, "", "{args:?}");
        assert_eq!(dir.run_with(&[args, &["-"]].concat(), b"").err, "", "{args:?}");
        assert_eq!(dir.run_with(&[args, &["empty"]].concat(), b"").err, "", "{args:?}");
    }
    // An empty file as standard input has the note. An empty text to heal has none.
    let file = std::fs::File::open(dir.path("empty")).unwrap();
    assert_eq!(Ran::of(dir.command(&["-q"]).stdin(file)).err, note);
    dir.run(&["--heal"]).is(0, "");
    let diff = dir.run(&["audit", "--diff", "--format", "urls"]);
    assert!(diff.code == 0 && diff.err.starts_with("urlgrep: the diff is empty; "), "{}", diff.err);
}

#[cfg(unix)]
#[test]
fn a_closed_standard_input_is_empty() {
    use std::process::Command;
    let dir = Dir::new();
    let command = dir.command(&["-q"]);
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"exec "$0" "$@" <&-"#]).arg(command.get_program()).args(command.get_args());
    let ran = Ran::of(shell.current_dir(dir.path("")));
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("urlgrep: standard input is empty, "), "{}", ran.err);
}

/// Resolves the relative links of a page that comes through a pipe.
#[test]
fn a_page_from_a_pipe_has_the_base_that_is_given() {
    let dir = Dir::new();
    let page = b"<!DOCTYPE html><a href='../b?c'>x</a> <img src=/d.png>";
    dir.run_with(&["--base", "http://a.example/x/y"], page).is(0, "http://a.example/b?c\nhttp://a.example/d.png\n");
    // Nothing is printed, so a note explains why.
    let note = |args: &[&str], text: &[u8], note: &str| {
        let ran = dir.run_with(args, text);
        assert_eq!((ran.code, ran.out.is_empty(), &*ran.err), (1, true, note), "{args:?}");
    };
    let rest = "no base; --base URL resolves them, and --json shows them\n";
    note(&[], page, &format!("urlgrep: 2 relative links have {rest}"));
    note(&["-q"], page, &format!("urlgrep: relative links have {rest}"));
    // They are counted even if other links were found, but not if their kind was excluded.
    let both = b"<!DOCTYPE html><a href=x>x</a> <a href=http://a.example/>y</a> http://b.example/";
    let ran = dir.run_with(&["-"], both);
    assert_eq!(
        (ran.text(), &*ran.err),
        ("http://a.example/\nhttp://b.example/\n", &*format!("urlgrep: 1 relative link has {rest}"))
    );
    dir.run_with(&["--kind", "!attribute"], both).is(0, "http://b.example/\n");
    let audit = dir.run_with(&["audit"], page);
    let start = "No URL was found.\nWithout a target, because no base is known (--base URL): 2 relative links.\n";
    assert!(dir.run_with(&["audit"], b"<!DOCTYPE html><a href=x>x</a> <a href=y>y</a>").text().starts_with(start));
    assert!(audit.text().contains("no base is known (--base URL): 2 relative links."), "{}", audit.text());
    assert!(dir.run_with(&["--stats", "--base", "http://a.example/"], page).err.contains("relative-links: 0\n"));
    note(&["--no-messages"], page, "");
    let piece = b"<p><a href=x>x</a></p>";
    let no_page = "urlgrep: --base resolves links of HTML, but no input is HTML; --input html reads it as HTML\n";
    note(&["--base", "http://a.example/"], piece, no_page);
    dir.run_with(&["--base", "http://a.example/", "--input", "html"], piece).is(0, "http://a.example/x\n");
    dir.run_with(&["--base", "x/y"], page).fails("", &["a base is an absolute URL"]);
}

#[test]
fn a_file_is_read_as_often_as_it_is_given() {
    let dir = Dir::new();
    dir.file("t", URL);
    dir.run(&["-I", "t", "t", "./t"]).is(0, URL.repeat(3));
}

#[test]
fn files_in_the_order_given_and_folders_sorted_by_name() {
    let dir = Dir::new();
    for name in ["d/b", "d/a/2", "d/a/10", "d/a/c/d", "d/a.txt", "d/C", "z", "a"] {
        dir.file(name, URL);
    }
    for threads in ["-j1", "-j4"] {
        dir.run(&["-l", threads, "z", "d", "a"]).is(0, "z\nd/C\nd/a/10\nd/a/2\nd/a/c/d\nd/a.txt\nd/b\na\n");
    }
}

#[test]
fn globs_hidden_and_ignored_files() {
    let dir = Dir::new();
    for name in ["a.txt", "b.rs", ".hidden.txt", "sub/c.txt", "ignored.txt"] {
        dir.file(format!("d/{name}"), URL);
    }
    dir.file("d/.ignore", "ignored.txt");
    dir.run(&["-l", "d"]).is(0, "d/a.txt\nd/b.rs\nd/sub/c.txt\n");
    dir.run(&["-l", "-g", "!*.txt", "d"]).is(0, "d/b.rs\n");
    dir.run(&["-l", "--glob", "c.*", "d"]).is(0, "d/sub/c.txt\n");
    // As in ripgrep, a glob that includes a file overrides all else.
    dir.run(&["-l", "-g", "*.txt", "d"]).is(0, "d/.hidden.txt\nd/a.txt\nd/ignored.txt\nd/sub/c.txt\n");
    dir.run(&["-L", "--hidden", "--no-ignore", "d"]).is(0, "d/.ignore\n");
    dir.run(&["-l", "--hidden", "d"]).is(0, "d/.hidden.txt\nd/a.txt\nd/b.rs\nd/sub/c.txt\n");
    dir.run(&["-l", "--no-ignore", "d"]).is(0, "d/a.txt\nd/b.rs\nd/ignored.txt\nd/sub/c.txt\n");
    dir.run(&["-l", "d/ignored.txt", "d/.hidden.txt"]).is(0, "d/ignored.txt\nd/.hidden.txt\n");
    dir.run(&["-g", "a[", "d"]).fails("", &["--glob", "a["]);
}

#[test]
fn the_file_that_is_printed_to_is_not_searched() {
    let dir = Dir::new();
    dir.file("a", URL);
    let out = std::fs::File::create(dir.path("out")).unwrap();
    let status = dir.command(&["-H", "."]).stdout(out).status().unwrap();
    assert_eq!(status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(dir.path("out")).unwrap(), format!("./a:{URL}"));
}

#[test]
fn nothing_is_skipped_as_binary() {
    let dir = Dir::new();
    dir.file("t", b"\0\x01\xFF\xFEhttp://a.example/\0\0<URL:http://b.example/>\0");
    dir.run(&["-b", "t"]).is(0, "4:http://a.example/\n23:http://b.example/\n");
}

#[cfg(unix)]
#[test]
fn named_pipes_are_read_where_named_and_left_alone_in_folders() {
    use std::process::Command;
    let dir = Dir::new();
    dir.file("d/a", URL);
    let pipe = dir.path("d/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    dir.run(&["-l", "d"]).is(0, "d/a\n");
    let writer = std::thread::spawn(move || std::fs::write(pipe, "http://pipe.example/"));
    dir.run(&["d/pipe"]).is(0, "http://pipe.example/\n");
    writer.join().unwrap().unwrap();
}

#[cfg(unix)]
#[test]
fn files_that_wait_for_their_turn_are_closed() {
    use std::process::Command;
    let dir = Dir::new();
    let large = URL.repeat(10_000);
    for number in 0..200 {
        dir.file(format!("d/{number}"), &large);
    }
    let command = dir.command(&["-c", "-I", "-j8", "d"]);
    let limited = r#"ulimit -n 40; exec "$0" "$@""#;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(limited).arg(command.get_program()).args(command.get_args()).current_dir(dir.path(""));
    Ran::of(&mut shell).is(0, "10000\n".repeat(200));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_proc_has_size_0_and_is_read_all_the_same() {
    let dir = Dir::new();
    let ran = dir.command(&["/proc/self/environ"]).env("SOME_URL", "http://proc.example/").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "http://proc.example/\n");
}

#[cfg(unix)]
#[test]
fn links_in_folders_are_followed_on_demand() {
    use std::os::unix::fs::symlink;
    let dir = Dir::new();
    dir.file("elsewhere/t", URL).file("d/a", URL);
    symlink("../elsewhere", dir.path("d/link")).unwrap();
    symlink("a", dir.path("d/file")).unwrap();
    symlink("d", dir.path("named")).unwrap();
    dir.run(&["-l", "d"]).is(0, "d/a\n");
    dir.run(&["-l", "--follow", "d"]).is(0, "d/a\nd/file\nd/link/t\n");
    dir.run(&["-l", "named"]).is(0, "named/a\n");
}

#[test]
fn a_maildir_s_sub_folders_are_read_in_their_place() {
    let dir = Dir::new();
    // The files in the order in which they are read.
    let read = [
        "m/!first",
        "m/.Drafts.old/cur/1",
        "m/.Drafts.old/new/2",
        "m/.Drafts.old/tmp/3",
        "m/.Sent/cur/4",
        "m/.Sent/new/5",
        "m/.Sent/tmp/6",
        "m/cur/7",
        "m/new/8",
        "m/tmp/9",
        "z",
    ];
    // `m/.git` is not a maildir, and the parent of `.Sent` is not a maildir.
    for name in ["m/.git/cur/no", ".Sent/cur/no", ".Sent/new/no", ".Sent/tmp/no"].iter().chain(&read) {
        dir.file(format!("d/{name}"), URL);
    }
    dir.run(&["-l", "d"]).is(0, read.map(|name| format!("d/{name}\n")).concat());
}

#[test]
fn a_bad_ignore_file_is_reported_and_does_no_harm() {
    let dir = Dir::new();
    dir.file("d/a", URL).file("d/b", URL).file("d/.ignore", "{a\nb\n");
    let ran = dir.run(&["-l", "d"]);
    assert_eq!((ran.code, ran.text(), ran.err.lines().count()), (0, "d/a\n", 1), "{}", ran.err);
}
