//! Errors: named on standard error, with exit status 2, and the run continues.

use std::io::Read;
use std::process::Stdio;

use super::support::Dir;

const URL: &str = "http://a.example/\n";

#[test]
fn a_missing_file_is_named_and_the_rest_goes_on() {
    let dir = Dir::new();
    dir.file("a", URL).file("b", URL);
    for threads in ["-j1", "-j2"] {
        let ran = dir.run(&["-I", threads, "a", "missing", "b", "gone/too"]);
        ran.fails(&URL.repeat(2), &["urlgrep: missing: ", "urlgrep: gone/too: "]);
        assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    }
}

#[test]
fn what_may_have_been_meant() {
    let dir = Dir::new();
    dir.run(&["-n", "parse", "http://a.example/"]).fails("", &["the subcommand goes first", "urlgrep parse URL"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read_is_named_and_the_rest_goes_on() {
    let dir = Dir::new();
    dir.file("a", URL);
    // This file opens, but the first read fails, even for root.
    for threads in ["-j1", "-j2"] {
        dir.run(&["-I", threads, "/proc/self/mem", "a"]).fails(URL, &["urlgrep: /proc/self/mem: "]);
        dir.run(&["-c", threads, "/proc/self/mem", "a"]).fails("a:1\n", &["/proc/self/mem"]);
        dir.run(&["-L", threads, "/proc/self/mem", "a"]).fails("", &["/proc/self/mem"]);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_is_named_and_the_rest_goes_on() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Dir::new();
    dir.file("d/a", URL).file("d/locked/b", URL).file("d/z", URL);
    let locked = dir.path("d/locked");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    let readable = std::fs::read_dir(&locked).is_ok();
    let ran = dir.run(&["-l", "d"]);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o700)).unwrap();
    if readable {
        // Root reads everything.
        ran.is(0, "d/a\nd/locked/b\nd/z\n");
    } else {
        ran.fails("d/a\nd/z\n", &["d/locked: "]);
    }
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_is_told_once_and_the_rest_goes_on() {
    let dir = Dir::new();
    dir.file("d/a", URL).file("d/sub/b", URL);
    std::os::unix::fs::symlink("..", dir.path("d/sub/up")).unwrap();
    dir.run(&["-l", "d"]).is(0, "d/a\nd/sub/b\n");
    let ran = dir.run(&["-l", "--follow", "d"]);
    ran.fails("d/a\nd/sub/b\n", &["d/sub/up", "links back to d", "not followed again"]);
    assert_eq!(ran.err.lines().count(), 1);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let dir = Dir::new();
    dir.file("big", URL.repeat(300_000)).file("small", URL);
    for args in
        [&["big"][..], &["-j1", "big"], &["--json", "big"], &["--csv", "big"], &["-u", "-n", "big"], &["big", "big"]]
    {
        let mut child = dir.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut few = [0; 10];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut few).unwrap();
        drop(stdout);
        let ran = child.wait_with_output().unwrap();
        assert_eq!((ran.status.code(), &*String::from_utf8_lossy(&ran.stderr)), (Some(0), ""), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let dir = Dir::new();
    dir.file("a", URL);
    for args in [
        &["a"][..],
        &["-c", "a"],
        &["a", "a"],
        &["parse", "http://a.example/"],
        &["audit", "a"],
        &["audit", "--rules"],
        &["--generate", "man"],
        &["--generate", "bash"],
        &["--help"],
        &["-h"],
        &["--version"],
        &["-V"],
        &["parse", "--help"],
        &["audit", "-h"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = dir.command(args).stdout(full).output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && err.contains("standard output: No space left"), "{args:?} {err}");
    }
}

#[cfg(unix)]
#[test]
fn whoever_reads_no_help_is_no_error() {
    let dir = Dir::new();
    for args in [&["--help"][..], &["--version"], &["audit", "--help"], &["--generate", "zsh"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ran = dir.command(args).stdout(writer).output().unwrap();
        assert_eq!((ran.status.code(), &*String::from_utf8_lossy(&ran.stderr)), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn usage_errors_tell_what_is_wrong() {
    let dir = Dir::new();
    dir.run(&["--json", "-c"]).fails("", &["--json", "--count"]);
    dir.run(&["-L", "--csv"]).fails("", &["--csv", "--files-without-match"]);
    dir.run(&["--json", "--csv"]).fails("", &["--csv"]);
    dir.run(&["--strict", "--level", "iri"]).fails("", &["--strict"]);
    dir.run(&["-m", "many"]).fails("", &["many", "--max-count"]);
    dir.run(&["-j", "-1"]).fails("", &[]);
    dir.run(&["parse", "-n"]).fails("", &["-n"]);
}
