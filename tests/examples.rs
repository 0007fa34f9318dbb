//! The programs of `examples/` run, and print the expected output.

use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns the command of an example. `cargo test` without a choice of targets builds it beside the
/// tests.
fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("the path of this test");
    let folder: PathBuf = test.ancestors().nth(2).expect("a folder of the profile").join("examples");
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.exists(), "{} is missing: cargo build --profile test --examples", path.display());
    Command::new(path)
}

/// Runs an example on an input. Returns what it prints, and whether it succeeds.
fn run(mut command: Command, input: &[u8]) -> (String, bool) {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the example runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("the example reads");
    let output = child.wait_with_output().expect("the example ends");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.success())
}

fn run_with(name: &str, argument: &str) -> (String, bool) {
    let mut command = example(name);
    command.arg(argument);
    run(command, b"")
}

#[test]
fn hosts() {
    let input =
        b"http://B.example/ <URL:http://a.example:80/x\n  y> https://b.example/x[] <mailto:joe@a.example> news:a.b\n\
                  ftp://a.example/";
    assert_eq!(run(example("hosts"), input), ("     3 a.example\n     2 b.example\n".to_owned(), true));
}

#[test]
fn linkify() {
    let input = "<b> & <URL:http://a.example/x?a&b\n  /y>, \u{e9}\n";
    let html = "<pre>&lt;b&gt; &amp; <a href=\"http://a.example/x?a&amp;b/y\">&lt;URL:http://a.example/x?a&amp;b\n  /y&gt;</a>, \
                \u{e9}\n</pre>\n";
    assert_eq!(run(example("linkify"), input.as_bytes()), (html.to_owned(), true));
}

#[test]
fn check() {
    let expected = "http://a.example/~joe/?q\n\
                    \x20                ^ `~` is unsafe in transit; write %7E (G-LEX-3)\n\
                    level     rfc3986\n\
                    scheme    http\n\
                    host      a.example\n\
                    path      /~joe/\n\
                    query     q\n";
    assert_eq!(run_with("check", "http://a.example/~joe/?q"), (expected.to_owned(), true));
    assert!(!run_with("check", "http://a b/").1);
}

#[test]
fn mailbox() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/list-1995.mbox");
    let (printed, is_success) = run_with("mailbox", path.to_str().expect("UTF-8"));
    assert!(is_success);
    assert!(printed.lines().count() > 5 && printed.lines().all(|line| line.contains("): ")), "{printed}");
}

#[test]
fn connection() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    let server = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().expect("a connection");
        for chunk in ["see <URL:http://a.exam", "ple/x\n  y> and http://b.exa", "mple/"] {
            connection.write_all(chunk.as_bytes()).expect("the example reads");
        }
    });
    assert_eq!(run_with("connection", &address), ("http://a.example/xy\nhttp://b.example/\n".to_owned(), true));
    server.join().expect("the server ends");
}
