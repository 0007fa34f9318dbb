//! The choice of files in folders by type, depth, size and name, and errors for unreadable files.

use super::support::Dir;

const URL: &str = "http://a.example/\n";

/// Creates a folder with these files, each with a URL.
fn with(files: &[&str]) -> Dir {
    let dir = Dir::new();
    for file in files {
        dir.file(file, URL);
    }
    dir
}

#[test]
fn types_go_by_the_names_of_files() {
    let dir = with(&["d/a.html", "d/a.md", "d/a.txt", "d/list.mbox.gz", "d/m.eml", "d/p.htm.Z", "d/sub/B.HTM"]);
    dir.run(&["-l", "-t", "html", "d"]).is(0, "d/a.html\nd/p.htm.Z\nd/sub/B.HTM\n");
    dir.run(&["-l", "--type", "mail", "d"]).is(0, "d/list.mbox.gz\nd/m.eml\n");
    dir.run(&["-l", "-tmd,txt", "d"]).is(0, "d/a.md\nd/a.txt\n");
    dir.run(&["-l", "-tmd", "-ttxt", "d"]).is(0, "d/a.md\nd/a.txt\n");
    dir.run(&["-l", "-T", "html,mail", "d"]).is(0, "d/a.md\nd/a.txt\n");
    dir.run(&["-l", "-t", "html", "--type-not", "html", "d"]).is(1, "");
    // As in ripgrep, the last type that matches a file applies.
    dir.run(&["-l", "-Tmd", "-tmd,txt", "d"]).is(0, "d/a.md\nd/a.txt\n");
    dir.run(&["-l", "-tmd,txt", "-Tmd", "d"]).is(0, "d/a.txt\n");
    dir.run(&["-l", "-thtml", "-Thtml", "-thtml", "d"]).is(0, "d/a.html\nd/p.htm.Z\nd/sub/B.HTM\n");
    // Files named as PATH are always read.
    dir.run(&["-l", "-t", "html", "d/a.txt", "d/sub"]).is(0, "d/a.txt\nd/sub/B.HTM\n");
    dir.run(&["audit", "--format", "urls", "-t", "md", "d"]).is(0, URL);
    dir.run(&["-t", "htlm", "d"]).fails("", &["--type: ", "no type htlm", "did you mean html?", "--type-list"]);
    dir.run(&["-T", "x-y", "d"]).fails("", &["--type-not: there is no type x-y; --type-list"]);
}

#[test]
fn the_types_are_listed() {
    let dir = Dir::new();
    let list = dir.run(&["--type-list"]);
    assert_eq!((list.code, &*list.err), (0, ""));
    let line = |name: &str| list.text().lines().find(|line| line.starts_with(name)).unwrap();
    assert!(line("html: ").contains("xhtml") && line("html: ").contains("*.ejs"));
    assert!(line("mail: ").contains("eml") && line("mail: ").contains("gz"));
    assert_eq!(line("rust: "), "rust: *.rs");
    assert!(list.text().lines().is_sorted_by_key(|line| line.split(':').next().unwrap()));
    assert_eq!(dir.run(&["audit", "--type-list"]).out, list.out);
}

#[test]
fn depth() {
    let dir = with(&["d/a", "d/b/c", "d/b/e/f"]);
    dir.run(&["-l", "--max-depth", "0", "d"]).is(1, "");
    dir.run(&["-l", "--max-depth", "1", "d"]).is(0, "d/a\n");
    dir.run(&["-l", "-d2", "d"]).is(0, "d/a\nd/b/c\n");
    dir.run(&["-l", "-d", "3", "d"]).is(0, "d/a\nd/b/c\nd/b/e/f\n");
    dir.run(&["-l", "-d0", "d/a", "d"]).is(0, "d/a\n");
    dir.run(&["-d", "deep", "d"]).fails("", &["deep", "--max-depth"]);
}

#[test]
fn a_hidden_maildir_lies_as_deep_as_it_does() {
    let dir = with(&["d/m/cur/1", "d/m/.Sent/cur/2"]);
    for folder in ["d/m/new", "d/m/tmp", "d/m/.Sent/new", "d/m/.Sent/tmp"] {
        std::fs::create_dir_all(dir.path(folder)).unwrap();
    }
    dir.run(&["-l", "-d2", "d"]).is(1, "");
    dir.run(&["-l", "-d3", "d"]).is(0, "d/m/cur/1\n");
    dir.run(&["-l", "-d4", "d"]).is(0, "d/m/.Sent/cur/2\nd/m/cur/1\n");
    dir.run(&["-l", "-d2", "d/m"]).is(0, "d/m/cur/1\n");
}

#[test]
fn sizes() {
    let dir = Dir::new();
    dir.file("d/small", URL).file("d/two", URL.repeat(2)).file("d/large", URL.repeat(200));
    dir.run(&["-l", "--max-filesize", "18", "d"]).is(0, "d/small\n");
    dir.run(&["-l", "--max-filesize", "17", "d"]).is(1, "");
    dir.run(&["-l", "--max-filesize", "1K", "d"]).is(0, "d/small\nd/two\n");
    dir.run(&["-l", "--max-filesize", "1M", "d"]).is(0, "d/large\nd/small\nd/two\n");
    dir.run(&["-l", "--max-filesize", "1K", "d/large"]).is(0, "d/large\n");
    dir.run(&["--max-filesize", "1X", "d"]).fails("", &["1X", "--max-filesize", "such as 5M"]);
}

#[test]
fn names_in_any_case() {
    let dir = with(&["d/A.TXT", "d/b.txt", "d/c.md"]);
    dir.run(&["-l", "-g", "*.txt", "d"]).is(0, "d/b.txt\n");
    dir.run(&["-l", "--iglob", "*.txt", "d"]).is(0, "d/A.TXT\nd/b.txt\n");
    dir.run(&["-l", "--iglob", "!*.txt", "d"]).is(0, "d/c.md\n");
    // Case-insensitive globs come after the others, and the last match applies.
    dir.run(&["-l", "--iglob", "!a*", "-g", "*.TXT", "-g", "*.md", "d"]).is(0, "d/c.md\n");
    dir.run(&["--iglob", "a[", "d"]).fails("", &["--iglob", "a["]);
}

#[test]
fn a_dot_is_hidden() {
    let dir = with(&["d/.h", "d/a"]);
    dir.run(&["-.l", "d"]).is(0, "d/.h\nd/a\n");
}

#[test]
fn files_that_would_be_read() {
    let dir = with(&["b.md", "sub/a.txt", "sub/z.html", ".hidden"]);
    dir.run(&["--files"]).is(0, "b.md\nsub/a.txt\nsub/z.html\n");
    dir.run(&["--files", "."]).is(0, "./b.md\n./sub/a.txt\n./sub/z.html\n");
    dir.run(&["--files", "-0", "-t", "txt,html"]).is(0, "sub/a.txt\0sub/z.html\0");
    dir.run(&["--files", "sub", "b.md", "-d1"]).is(0, "sub/a.txt\nsub/z.html\nb.md\n");
    dir.run(&["--files", "-t", "rust"]).is(1, "");
    dir.run(&["--files", "-q"]).is(0, "");
    dir.run(&["--files", "gone", "b.md"]).fails("b.md\n", &["urlgrep: gone: "]);
    dir.run(&["audit", "--files", "-g", "*.md"]).is(0, "b.md\n");
    dir.run(&["--files", "--json"]).fails("", &["--files", "--json"]);
}

#[test]
fn nothing_is_said_of_files_that_cannot_be_read() {
    let dir = with(&["a"]);
    dir.file("t.gz", b"\x1F\x8B\x08\0\0\0\0\0").file("d/.ignore", "{a\n").file("d/b", URL);
    let loud = dir.run(&["-I", "gone", "t.gz", "a", "d"]);
    assert!(loud.err.contains("gone: ") && loud.err.contains("t.gz: is gzip") && loud.err.contains(".ignore"));
    for threads in ["-j1", "-j2"] {
        let ran = dir.run(&["-I", threads, "--no-messages", "gone", "t.gz", "a", "d"]);
        assert_eq!((ran.code, ran.text(), &*ran.err), (2, &*URL.repeat(2), ""));
    }
    let ran = dir.run(&["--files", "--no-messages", "gone", "a"]);
    assert_eq!((ran.code, ran.text(), &*ran.err), (2, "a\n", ""));
    let ran = dir.run(&["audit", "--format", "urls", "--no-messages", "gone", "a"]);
    assert_eq!((ran.code, ran.text(), &*ran.err), (2, URL, ""));
    // Errors of the command line are still reported.
    dir.run(&["--no-messages", "-g", "a[", "a"]).fails("", &["--glob"]);
}
