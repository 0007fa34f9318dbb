//! Pipes that pause. Matches are printed before more is read, and the command ends once its result
//! is decided.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use super::support::Dir;

const SOON: Duration = Duration::from_secs(60);

/// The command, with standard input that stays open, and the lines that it has printed.
struct Live {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Live {
    fn new(dir: &Dir, args: &[&str]) -> Live {
        let mut child = dir.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Live { input: child.stdin.take().unwrap(), child, lines }
    }

    fn write(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).unwrap();
        self.input.flush().unwrap();
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(SOON).expect("a line is printed")
    }

    /// Returns the exit status of a command that ends although its input is open.
    fn status(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < SOON {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        panic!("it waits for its input");
    }
}

const FORMATS: [&[&str]; 5] = [&[], &["--json"], &["--csv"], &["-n", "--line-buffered"], &["--format={host} {url}"]];

#[test]
fn every_url_is_printed_before_the_second_next_line_is_written() {
    let dir = Dir::new();
    for threads in ["-j1", "-j2", "-j8"] {
        for (kind, format) in FORMATS.iter().enumerate() {
            let mut live = Live::new(&dir, &[&[threads][..], *format].concat());
            let line = |number: usize| match (kind % 3, number % 3) {
                // These lines could begin a header.
                (1, _) => format!("2026-11-22T12:00:0{number}Z GET http://h{number}.example/x?y=z 200\n"),
                (2, _) => format!("INFO: http://h{number}.example/ is gone\n"),
                (_, 0) => format!("http://h{number}.example/\n"),
                _ => format!("host sshd[{number}]: http://h{number}.example/a-b\n"),
            };
            live.write(&line(0));
            for number in 1..20 {
                live.write(&line(number));
                if number == 1 && *format == ["--csv"] {
                    assert!(live.line().starts_with("url,"));
                }
                let printed = live.line();
                assert!(
                    printed.contains(&format!("http://h{}.example/", number - 1)),
                    "{threads} {format:?}: {printed}"
                );
            }
            drop(live.input);
            assert!(live.lines.recv_timeout(SOON).unwrap().contains("http://h19.example/"));
            assert_eq!(live.child.wait().unwrap().code(), Some(0));
        }
    }
}

#[test]
fn it_ends_once_the_answer_is_known() {
    let dir = Dir::new();
    for threads in ["-j1", "-j2"] {
        for (args, lines) in
            [(&["-q"][..], 0), (&["-m1"], 1), (&["-l"], 1), (&["-q", "--json"], 0), (&["-m2", "--json"], 2)]
        {
            let mut live = Live::new(&dir, &[&[threads][..], args].concat());
            live.write("see http://a.example/ and http://b.example/ there, \n");
            for _ in 0..lines {
                live.line();
            }
            assert_eq!(live.status(), Some(0), "{threads} {args:?}");
        }
    }
}

/// Checks that a match waits for its context, and that the lines after it wait for nothing.
#[test]
fn a_match_is_shown_with_its_lines() {
    let dir = Dir::new();
    for threads in ["-j1", "-j2"] {
        let mut live = Live::new(&dir, &[threads, "-C1", "-n"]);
        let mut shows = |text: &str, lines: &[&str]| {
            live.write(text);
            lines.iter().for_each(|&line| assert_eq!(live.line(), line, "{threads} {text}"));
        };
        shows("one\nsee http://a.example/ there\n", &[]);
        shows("three\n", &["1-one", "2:see http://a.example/ there", "3-three"]);
        shows("four\nfive\nhttp://b.example/ and http://c.example/\n", &[]);
        shows("http://d.example/\n", &["--", "5-five", "6:http://b.example/ and http://c.example/"]);
        shows("eight\n", &["7:http://d.example/", "8-eight"]);
    }
}

/// Checks that the end of a line decides its last URL if lines are not rejoined.
#[test]
fn a_line_is_enough_without_rejoining() {
    let dir = Dir::new();
    for threads in ["-j1", "-j8"] {
        let mut live = Live::new(&dir, &["--rejoin", "none", threads]);
        for number in 0..3 {
            live.write(&format!("GET http://h{number}.example/a-b\n"));
            assert_eq!(live.line(), format!("http://h{number}.example/a-b"));
        }
        drop(live.input);
        assert_eq!(live.child.wait().unwrap().code(), Some(0));
    }
}

/// Checks that a slow pipe is read as the same form as a file, whatever the line ends.
#[test]
fn a_pause_in_the_first_line_changes_no_form() {
    let dir = Dir::new();
    for (first, rest, urls) in [
        ("<!DOCTYPE html><p>", "x\ry</p><a href=\"/rel\">q</a>", "http://b.example/rel\n"),
        ("<!DOCTYPE html>", "\r<a href=\"/r\rel\">q</a>\r", "http://b.example/rel\n"),
        ("<?xml version='1.0'?>", "\r<!DOCTYPE html>\r<a href='/rel'>q</a>\r", "http://b.example/rel\n"),
        ("<?xml ", "version='1.0'?>\r<x href='/a?b&amp;c'/>\r", "http://b.example/a?b&c\n"),
        ("BEGIN:VCALENDAR\r", "URL:http://a.ex\r ample/b\r\tc\rEND:VCALENDAR\r", "http://a.example/bc\n"),
    ] {
        dir.file("a", [first, rest].concat());
        assert_eq!(dir.run(&["--base", "http://b.example/", "-I", "a"]).text(), urls, "{first:?}");
        let mut live = Live::new(&dir, &["--base", "http://b.example/"]);
        live.write(first);
        std::thread::sleep(Duration::from_millis(100));
        live.write(rest);
        drop(live.input);
        assert_eq!(live.lines.iter().map(|line| line + "\n").collect::<String>(), urls, "{first:?}");
        assert_eq!(live.child.wait().unwrap().code(), Some(0));
    }
}
