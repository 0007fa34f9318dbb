//! The command on a pseudo-terminal: control characters are escaped, colours appear, and hints are
//! given.

use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::support::Dir;

/// Returns both ends of a fresh terminal.
fn terminal() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let path = std::ffi::OsStr::from_bytes(name.as_bytes());
    let slave = File::options().read(true).write(true).open(path).unwrap();
    (File::from(master), slave)
}

/// Returns the command's output on a terminal.
fn shown(dir: &Dir, args: &[&str], environment: &[(&str, &str)]) -> String {
    shown_by(dir.command(args).envs(environment.iter().copied()), |command, slave| command.stdout(slave))
}

/// Returns a command's output on a terminal, which `attach` sets as standard output or standard
/// error.
fn shown_by(command: &mut Command, attach: impl FnOnce(&mut Command, File) -> &mut Command) -> String {
    let (mut master, slave) = terminal();
    let mut child = attach(command, slave).spawn().unwrap();
    // The terminal ends only when the command's own copy of it, and ours, are closed.
    command.stdout(Stdio::null()).stderr(Stdio::inherit());
    let mut bytes = Vec::new();
    let mut few = [0; 4096];
    // Linux reports the end of a terminal as an error (EIO).
    while let Ok(got @ 1..) = master.read(&mut few) {
        bytes.extend_from_slice(&few[..got]);
    }
    child.wait().unwrap();
    String::from_utf8(bytes).unwrap().replace("\r\n", "\n")
}

/// Bytes that move the cursor, set the window title, or reverse the text.
const HOSTILE: &[u8] = b"<URL:http://h/\x1b[2J\x07\xE2\x80\xAEgpj.exe\xC2\x9B1m\xFF>\n";

#[test]
fn what_would_drive_the_terminal_is_shown_escaped() {
    let dir = Dir::new();
    dir.file("t\x1b[1m", HOSTILE);
    let never = &["--color=never", "-H", "t\x1b[1m"];
    assert_eq!(shown(&dir, never, &[]), "t\\x1B[1m:http://h/\\x1B[2J\\x07\\u{202e}gpj.exe\\u{9b}1m\\xFF\n");
    assert_eq!(shown(&dir, &["--color=never", "-l", "t\x1b[1m"], &[]), "t\\x1B[1m\n");
    // A pipe gets the bytes unchanged.
    assert_eq!(dir.run(never).out, [b"t\x1b[1m:", &HOSTILE[5..HOSTILE.len() - 2], b"\n"].concat());
    let parse = ["parse", "http://h/\u{202E}x"];
    assert!(
        shown(&dir, &["parse", "--color=never", parse[1]], &[]).starts_with("http://h/\\u{202e}x: non-ascii at 9: ")
    );
    assert!(dir.run(&parse).text().starts_with("http://h/\u{202E}x: "));
}

/// Asserts that no byte drives a terminal, and no character hides or reorders text.
fn assert_harmless(shown: &str, what: &[&str]) {
    let harms = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}');
    assert!(!shown.is_empty() && !shown.contains(harms), "{what:?} {shown:?}");
}

#[test]
fn every_format_is_harmless_on_a_terminal_and_the_same_in_a_pipe() {
    let dir = Dir::new();
    let mail =
        [b"From: Joe <joe@h>\nSubject: \x1b[2J\xE2\x80\xAE\n\n", HOSTILE, b"<URL:=\x1b\x7F\xE2\x80\xAE>\n"].concat();
    dir.file("t\x1b[1m\r\u{202e}", &mail);
    let file = "t\x1b[1m\r\u{202e}";
    for args in [
        &["--json", "--candidates", file][..],
        &["--csv", "--candidates", file],
        &["--csv", "--first-said", file],
        &["--csv", "--fields=url,message.subject,message", file],
        &["--json", "--fields=message.subject,target,readings", file],
        &["--format={url} {file} {message.subject} {readings} {message}", "--candidates", file],
        &["--color=never", "-HnC2", "--candidates", "--message", file],
        &["--format={count} {target}", "--first-said", "--defang", file],
        &["parse", "--json", "http://h/\u{202E}\x1b\u{9b}\x7f"],
        &["audit", "--format=csv", file],
        &["audit", "--format=json", file],
        &["audit", "--format=jsonl", file],
        &["audit", "--format=sarif", file],
        &["audit", "--format=html", file],
        &["audit", "--format=text", "--color=never", file],
    ] {
        // Rows of CSV end in CR LF.
        assert_harmless(&shown(&dir, args, &[]).replace("\r\n", "\n"), args);
    }
    // JSON has the same values on a terminal and in a pipe.
    let values = |text: &str| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let json = ["--json", "--candidates", file];
    let piped = dir.run(&json);
    assert_eq!(values(&shown(&dir, &json, &[])), values(piped.text()));
    assert!(piped.text().contains('\u{202e}'), "a pipe gets the characters");
    let csv = dir.run(&["--csv", "--candidates", file]).out;
    assert!(csv.windows(7).any(|bytes| bytes == b"\x07\xE2\x80\xAEgpj"), "a pipe gets the bytes");
}

#[test]
fn arguments_are_quoted_escaped_on_a_terminal() {
    let dir = Dir::new();
    for args in [
        &["--x\x1b[2J\u{202e}"][..],
        &["--level=\x1b]0;x\x07"],
        &["-m", "1\x1b[1m\nerror: x"],
        &["--kind", "bare,\u{9b}1m"],
        &["--host", "[\x1b"],
        &["--range", "\x1b:"],
        &["--generate", "\x1b"],
        &["parse", "--base", "x", "--\x1b"],
        &["audit", "--fail-on", "\x07"],
        &["audit", "--allow", "[\x1b"],
        &["\x1b\u{202e}"],
    ] {
        let mut command = dir.command(args);
        let shown =
            shown_by(command.env("NO_COLOR", "1").stdout(Stdio::null()), |command, slave| command.stderr(slave));
        assert_harmless(&shown, args);
        assert!(shown.contains("\\x1B") || shown.contains("\\x07") || shown.contains("\\u{9b}"), "{args:?} {shown}");
    }
    // A pipe gets them unchanged.
    dir.run(&["--level=\u{202e}"]).fails("", &["'\u{202e}'"]);
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
    let explained = shown(&dir, &["parse", "http://10.0.0.1/"], xterm);
    assert!(explained.starts_with("http://10.0.0.1/: \x1b[32mok\x1b[0m rfc1738\n\n\x1b[1mlevel rfc1738: "));
    assert!(explained.contains("\x1b[33mmedium\x1b[0m A-IP-LOCAL\n"));
    assert_eq!(shown(&dir, &["parse", "-q", "http://10.0.0.1/"], xterm), "");
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
        // The last byte is Ctrl-D, which ends the input.
        rustix::io::write(&master, b"x:y http://h/\n\x04").unwrap();
        let ran = child.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            err.contains("standard input (end it with Ctrl-D)") || err.contains("one per line (end it"),
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

/// Checks that the bar names what follows the reading, which a bar at 100% would hide.
#[test]
fn the_progress_of_an_audit_names_the_report() {
    let dir = Dir::new();
    let (mut master, slave) = terminal();
    // A fresh terminal has no columns to draw in.
    tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let mut command = dir.command(&["audit", "--progress=always"]);
    command.env("TERM", "xterm");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(slave).spawn().unwrap();
    drop(command);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"http://h.example/\n").unwrap();
    // A shorter run shows no bar.
    std::thread::sleep(Duration::from_millis(800));
    input.write_all(b"http://i.example/\n").unwrap();
    drop(input);
    assert!(child.wait_with_output().unwrap().status.success());
    let mut shown = Vec::new();
    let _ = master.read_to_end(&mut shown);
    let shown = String::from_utf8_lossy(&shown);
    let (bar, phase) = (shown.find(" read, "), shown.find("making the report, "));
    assert!(bar.is_some() && phase > bar, "{shown:?}");
}
