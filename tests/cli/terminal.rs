//! On a terminal: what would drive it is escaped, colours appear, and hints are given. A pseudo-terminal stands in.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::support::Dir;

/// Both ends of a fresh terminal.
fn terminal() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = std::ffi::OsStr::from_bytes(name.as_bytes());
    let slave = File::options().read(true).write(true).open(path).unwrap();
    (File::from(master), slave)
}

/// What the command shows on a terminal that is its standard output.
fn shown(dir: &Dir, args: &[&str], environment: &[(&str, &str)]) -> String {
    let (mut master, slave) = terminal();
    let mut command = dir.command(args);
    command.envs(environment.iter().copied()).stdout(slave);
    let mut child = command.spawn().unwrap();
    // The command's own copy of the terminal, and ours, must be gone for the other end to end.
    drop(command);
    let mut bytes = Vec::new();
    let mut few = [0; 4096];
    // Linux reports the end of a terminal as an error (EIO).
    while let Ok(got @ 1..) = master.read(&mut few) {
        bytes.extend_from_slice(&few[..got]);
    }
    child.wait().unwrap();
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

/// Bytes that move the cursor, retitle the window, reverse the text.
const HOSTILE: &[u8] = b"<URL:http://h/\x1b[2J\x07\xE2\x80\xAEgpj.exe\xC2\x9B1m\xFF>\n";

#[test]
fn what_would_drive_the_terminal_is_shown_escaped() {
    let dir = Dir::new();
    dir.file("t\x1b[1m", HOSTILE);
    let never = &["--color=never", "-H", "t\x1b[1m"];
    assert_eq!(shown(&dir, never, &[]), "t\\x1B[1m:http://h/\\x1B[2J\\x07\\u{202e}gpj.exe\\u{9b}1m\\xFF\n");
    assert_eq!(shown(&dir, &["--color=never", "-l", "t\x1b[1m"], &[]), "t\\x1B[1m\n");
    // A pipe gets the bytes.
    assert_eq!(dir.run(never).out, [b"t\x1b[1m:", &HOSTILE[5..HOSTILE.len() - 2], b"\n"].concat());
    let parse = ["parse", "http://h/\u{202E}x"];
    assert!(
        shown(&dir, &["parse", "--color=never", parse[1]], &[]).starts_with("http://h/\\u{202e}x: non-ascii at 9: ")
    );
    assert!(dir.run(&parse).text().starts_with("http://h/\u{202E}x: "));
}

#[test]
fn colours_on_a_terminal_unless_no_one_wants_them() {
    let dir = Dir::new();
    dir.file("t", "http://h/");
    let colored = "\x1b[1mhttp://h/\x1b[0m\n";
    assert_eq!(shown(&dir, &["t"], &[("TERM", "xterm")]), colored);
    assert_eq!(shown(&dir, &["t"], &[("TERM", "xterm"), ("NO_COLOR", "")]), colored);
    assert_eq!(shown(&dir, &["t"], &[("TERM", "xterm"), ("NO_COLOR", "1")]), "http://h/\n");
    assert_eq!(shown(&dir, &["t"], &[("TERM", "dumb")]), "http://h/\n");
    assert_eq!(shown(&dir, &["--color=always", "t"], &[("NO_COLOR", "1")]), colored);
    assert!(!shown(&dir, &["--json", "t"], &[("TERM", "xterm")]).contains('\x1b'));
    let both = "x:y: \x1b[32mok\x1b[0m rfc1738\n".repeat(2);
    assert_eq!(shown(&dir, &["parse", "x:y", "x:y"], &[("TERM", "xterm")]), both);
}

#[test]
fn a_single_url_is_explained() {
    let dir = Dir::new();
    let xterm = &[("TERM", "xterm")];
    let explained = shown(&dir, &["parse", "http://localhost/"], xterm);
    assert!(explained.starts_with("http://localhost/: \x1b[32mok\x1b[0m rfc1738\n\n\x1b[1mlevel rfc1738: "));
    assert!(explained.contains("\x1b[33mmedium\x1b[0m A-IP-LOCAL\n"));
    assert_eq!(shown(&dir, &["parse", "-q", "http://localhost/"], xterm), "");
    assert_eq!(shown(&dir, &["parse", "--json", "x:y"], xterm).lines().count(), 1);
    assert_eq!(shown(&dir, &["parse", "x:y", "-"], xterm).lines().count(), 1);
}

#[test]
fn waiting_for_a_terminal_gives_a_hint_once() {
    let dir = Dir::new();
    for (args, hint) in [(&[][..], true), (&["-"], false), (&["parse"], true)] {
        let (master, slave) = terminal();
        let mut command = dir.command(args);
        let child = command.stdin(slave).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        // End of input, as typed.
        rustix::io::write(&master, b"x:y http://h/\n\x04").unwrap();
        let ran = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            err.contains("standard input (end it with Ctrl-D)") || err.contains("one a line (end it"),
            hint,
            "{err}"
        );
        assert!(String::from_utf8_lossy(&ran.stdout).contains("http://h/"));
        drop(master);
    }
}

#[test]
fn no_progress_for_a_short_run_and_none_off_a_terminal() {
    let dir = Dir::new();
    dir.file("t", "http://h/\n");
    dir.run(&["--progress=always", "t"]).is(0, "http://h/\n");
    let (mut master, slave) = terminal();
    let mut command = dir.command(&["--progress=always", "t"]);
    let ran = command.stdout(Stdio::piped()).stderr(slave).output().unwrap();
    drop(command);
    assert_eq!(ran.stdout, b"http://h/\n");
    let mut shown = Vec::new();
    let _ = master.read_to_end(&mut shown);
    assert_eq!(String::from_utf8_lossy(&shown), "");
}
