//! A hostile environment: full disks, pipes that close or wait, loops, odd names, changing files,
//! and few descriptors. Each run ends within a time limit, and reports the problem.
//!
//! `.ci/attack` runs more such tests, for longer.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::support::{Dir, Ran};

const URL: &str = "http://a.example/\n";
const FORMATS: [&str; 7] = ["text", "html", "json", "jsonl", "csv", "sarif", "urls"];
/// The time after which a run is taken to hang. A busy machine alone does not slow it so much.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command with short output to its end, which must come in time.
#[track_caller]
fn ends(command: &mut Command) -> Ran {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("it does not end: {command:?}");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Ran::from(child.wait_with_output().unwrap())
}

fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Returns the command with a limit on its descriptors, and without those that the tests inherited.
fn limited<S: AsRef<OsStr>>(dir: &Dir, descriptors: u32, args: &[S]) -> Command {
    limited_by(dir, &format!("exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; ulimit -n {descriptors}"), args)
}

/// Returns the command after commands of a shell that limit it.
fn limited_by<S: AsRef<OsStr>>(dir: &Dir, limits: &str, args: &[S]) -> Command {
    let command = dir.command(args);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!(r#"{limits}; exec "$0" "$@""#));
    shell.arg(command.get_program()).args(command.get_args()).current_dir(dir.path(""));
    shell
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_format() {
    let dir = Dir::new();
    dir.file("a", "http://localhost/ ftp://u:p@h/ <URL:http://h.example/x-\ny>\n".repeat(50));
    let mut runs: Vec<Vec<&str>> = vec![vec!["--json", "a"], vec!["--csv", "a"], vec!["-l", "a"], vec!["--heal", "a"]];
    for format in FORMATS {
        runs.push(vec!["audit", "--format", format, "a"]);
        runs.push(vec!["audit", "--db", "a.db", "--format", format, "a"]);
    }
    for args in runs {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = Ran::from(dir.command(&args).stdout(full).output().unwrap());
        ran.fails("", &["standard output: No space left"]);
        assert_eq!(ran.err.lines().count(), 1, "{args:?}: {}", ran.err);
    }
    // The matches until then are in the database anyway.
    let again = dir.run(&["audit", "--db", "a.db", "--format", "json", "a"]);
    assert_eq!(again.text(), dir.run(&["audit", "--format", "json", "a"]).text());
}

#[test]
fn a_closed_pipe_ends_every_format() {
    let dir = Dir::new();
    let many: String = (0..20_000).map(|n| format!("http://u:p@h{n}.example:81/ http://h{n}.example/\n")).collect();
    dir.file("a", many);
    for args in FORMATS.map(|format| vec!["audit", "--top", "100000", "--format", format, "a"]) {
        let mut child = dir.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 4]).unwrap();
        drop(stdout);
        let ran = child.wait_with_output().unwrap();
        assert_eq!((ran.status.code(), &*String::from_utf8_lossy(&ran.stderr)), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn pipes_in_folders_are_never_waited_for() {
    let dir = Dir::new();
    dir.file("d/a", URL);
    make_pipe(&dir.path("d/pipe"));
    make_pipe(&dir.path("elsewhere"));
    symlink("../elsewhere", dir.path("d/link")).unwrap();
    for args in [&["-l", "d"][..], &["-l", "--follow", "d"], &["--files", "--follow", "d"]] {
        ends(&mut dir.command(args)).is(0, "d/a\n");
    }
    for args in
        [&["audit", "--format", "urls", "--follow", "d"][..], &["audit", "--format", "urls", "--db", "a.db", "d"]]
    {
        ends(&mut dir.command(args)).is(0, URL);
    }
    // A database must be a regular file, too.
    make_pipe(&dir.path("p.db"));
    ends(&mut dir.command(&["audit", "--db", "p.db", "d"])).fails("", &["p.db", "regular file"]);
}

#[test]
fn a_pipe_without_a_word_is_empty() {
    let dir = Dir::new();
    dir.file("a", URL);
    for name in ["1", "2"] {
        make_pipe(&dir.path(name));
    }
    let paths = ["1", "2"].map(|name| dir.path(name));
    let writer = std::thread::spawn(move || paths.map(|path| drop(OpenOptions::new().write(true).open(path).unwrap())));
    ends(&mut dir.command(&["-I", "1", "2", "a"])).is(0, URL);
    writer.join().unwrap();
}

#[test]
fn loops_of_every_kind_end() {
    let dir = Dir::new();
    dir.file("d/a", URL).file("d/sub/deep/b", URL);
    for (to, name) in [("..", "d/sub/up"), ("../..", "d/sub/deep/top"), ("me", "d/me"), ("y", "d/x"), ("x", "d/y")] {
        symlink(to, dir.path(name)).unwrap();
    }
    ends(&mut dir.command(&["-l", "d"])).is(0, "d/a\nd/sub/deep/b\n");
    let ran = ends(&mut dir.command(&["-l", "--follow", "d"]));
    ran.fails("d/a\nd/sub/deep/b\n", &["d/sub/up", "d/sub/deep/top", "d/me", "d/x", "d/y"]);
    assert_eq!(ran.err.lines().count(), 5, "{}", ran.err);
    ends(&mut dir.command(&["d/me", "d/a"])).fails("d/a:http://a.example/\n", &["d/me: Too many levels"]);
}

/// Walks a path longer than the system accepts. Deeper files are named, and the rest is read.
#[test]
fn folders_deeper_than_a_path_can_be() {
    let dir = Dir::new();
    dir.file("d/z", URL);
    let nest = "n=0; while [ $n -lt 25 ]; do d=$(printf '%0200d' $n); mkdir $d && cd -P $d || exit 1; n=$((n + 1)); done; \
                echo http://deep.example/ >t";
    let mut shell = Command::new("sh");
    assert!(shell.current_dir(dir.path("d")).arg("-c").arg(nest).stderr(Stdio::null()).status().is_ok());
    let ran = ends(&mut dir.command(&["-I", "d"]));
    assert!(ran.text().ends_with(URL), "{ran:?}");
    assert!(ran.code == 2 && ran.err.contains("File name too long") || ran.text().contains("deep"), "{ran:?}");
    // The deep folder must go first, so that the test's own folder can be removed.
    let _ = Command::new("rm").arg("-rf").arg(dir.path("d")).status();
}

fn odd_names() -> Vec<OsString> {
    let names: [&[u8]; 10] = [
        b"-dash",
        b"--help",
        b"new\nline",
        b"odd\xFF\xC3",
        b"esc\x1B[31m",
        b"tab\t q\"'",
        b"<b>&;,",
        b"a:1:2",
        b"%41#?",
        "\u{202E}\u{E9}".as_bytes(),
    ];
    names.map(|name| OsString::from_vec(name.to_vec())).into()
}

#[test]
fn odd_names_of_files_break_no_format() {
    let dir = Dir::new();
    let names = odd_names();
    for name in &names {
        dir.file(Path::new("d").join(name), "ftp://u:p@h/\n");
    }
    assert_eq!(dir.run(&["--json", "d"]).text().lines().count(), names.len());
    // Each name is given after `--`, and as a path with its folder.
    for name in &names {
        let mut command = dir.command(&[OsStr::new("--"), name]);
        ends(command.current_dir(dir.path("d"))).is(0, "ftp://u:p@h/\n");
        ends(&mut dir.command(&[Path::new("d").join(name)])).is(0, "ftp://u:p@h/\n");
    }
    let whole = |file: &Value| match file["file_bytes"].as_str() {
        Some(text) => base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text).unwrap(),
        None => file["file"].as_str().unwrap().as_bytes().to_vec(),
    };
    let listed = dir.run(&["--json", "d"]);
    let mut named: Vec<Vec<u8>> =
        listed.text().lines().map(|line| whole(&serde_json::from_str::<Value>(line).unwrap())).collect();
    named.sort();
    let mut given: Vec<Vec<u8>> = names.iter().map(|name| [b"d/", name.as_encoded_bytes()].concat()).collect();
    given.sort();
    assert_eq!(named, given);
    let json: Value = serde_json::from_slice(&dir.run(&["audit", "--format", "json", "d"]).out).unwrap();
    assert_eq!(json["summary"]["files"], names.len());
    let sarif: Value = serde_json::from_slice(&dir.run(&["audit", "--format", "sarif", "d"]).out).unwrap();
    let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "d/%2541%23%3F");
    for name in &names {
        let path = Path::new("d").join(name);
        let page = dir.run(&[OsStr::new("audit"), "--format".as_ref(), "html".as_ref(), path.as_os_str()]);
        let page = String::from_utf8(page.out).unwrap();
        assert!(!page.contains("<b>&;") && !page.contains('\x1B'), "{name:?}");
        let csv = dir.run(&[OsStr::new("audit"), "--format".as_ref(), "csv".as_ref(), path.as_os_str()]);
        assert_eq!(csv.out.split(|&byte| byte == b'\r').count(), 3, "{name:?}");
    }
}

/// Changes files while a run waits at a pipe before them.
fn changed_meanwhile(dir: &Dir, args: &[&str], change: impl FnOnce()) -> Ran {
    make_pipe(&dir.path("pipe"));
    let mut child = dir.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Returns once the command opens the pipe.
    let mut writer = OpenOptions::new().write(true).open(dir.path("pipe")).unwrap();
    change();
    writer.write_all(b"http://pipe.example/\n").unwrap();
    drop(writer);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < PATIENCE, "it does not end");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::remove_file(dir.path("pipe")).unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn files_that_change_before_their_turn() {
    for threads in ["-j1", "-j4"] {
        let dir = Dir::new();
        let fresh = || dir.file("a", URL).file("b", URL).file("c", URL);
        let args = ["-I", threads, "pipe", "a", "b", "c"];
        fresh();
        let gone = changed_meanwhile(&dir, &args, || std::fs::remove_file(dir.path("b")).unwrap());
        let lines = gone.text().lines().count();
        assert!(
            gone.code == 2 && gone.err.contains("urlgrep: b: ") && lines == 3 || gone.code == 0 && lines == 4,
            "{gone:?}"
        );
        fresh();
        let grown = changed_meanwhile(&dir, &args, || {
            let mut file = OpenOptions::new().append(true).open(dir.path("b")).unwrap();
            file.write_all(b"http://new.example/\n").unwrap();
        });
        assert!(grown.code == 0 && (4..=5).contains(&grown.text().lines().count()), "{grown:?}");
        fresh();
        let cut = changed_meanwhile(&dir, &args, || drop(File::create(dir.path("b")).unwrap()));
        assert!(cut.code == 0 && (3..=4).contains(&cut.text().lines().count()), "{cut:?}");
        fresh();
        let folder = changed_meanwhile(&dir, &args, || {
            std::fs::remove_file(dir.path("b")).unwrap();
            std::fs::create_dir(dir.path("b")).unwrap();
        });
        assert!(folder.text().ends_with(URL) && folder.code == if folder.err.is_empty() { 0 } else { 2 }, "{folder:?}");
    }
}

/// Reads a file that shrinks and grows meanwhile. Nothing is read that was never in it, and the run
/// ends.
#[test]
fn files_that_change_while_they_are_read() {
    let dir = Dir::new();
    let text = "http://a.example/ and prose that goes on to the end of its line\n".repeat(60_000);
    for args in [&["-u", "a"][..], &["-u", "-j4", "a"], &["audit", "--format", "urls", "a"]] {
        dir.file("a", &text);
        let mut child = dir.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let start = Instant::now();
        let mut turn = 0_u64;
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "{args:?} does not end");
            let file = OpenOptions::new().append(true).open(dir.path("a")).unwrap();
            match turn % 3 {
                0 => (&file).write_all(&text.as_bytes()[..1 << 16]).unwrap(),
                1 => file.set_len(text.len() as u64 / 2).unwrap(),
                _ => file.set_len(0).unwrap(),
            }
            turn += 1;
        }
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert!(ran.text().is_empty() || ran.text() == URL, "{args:?}: {ran:?}");
        assert!((0..=2).contains(&ran.code) && (ran.code == 2) != ran.err.is_empty(), "{args:?}: {ran:?}");
    }
}

#[test]
fn few_descriptors_are_enough() {
    let dir = Dir::new();
    for n in 0..60 {
        dir.file(format!("d/{n:02}/{n}"), URL);
    }
    for threads in ["-j1", "-j8"] {
        ends(&mut limited(&dir, 16, &["-c", "-I", threads, "d"])).is(0, "1\n".repeat(60));
        ends(&mut limited(&dir, 20, &["audit", "--format", "urls", threads, "--db", "a.db", "d"])).is(0, URL);
    }
    // With no descriptor to spare it reports that, and ends.
    let is_reported = |ran: &Ran| ran.code == 0 || ran.code == 2 && ran.err.contains("Too many open files");
    let ran = ends(&mut limited(&dir, 4, &["-c", "d/00/0", "d/01/1"]));
    assert!(is_reported(&ran), "{ran:?}");
    // A program that measures the tests may leave them a descriptor of its own.
    let few = limited(&dir, 4, &["-c", "d/00/0", "d/01/1"]);
    let mut heir = Command::new("sh");
    heir.arg("-c").arg(r#"exec 3</dev/null; exec "$0" "$@""#).arg(few.get_program()).args(few.get_args());
    let ran = ends(heir.current_dir(dir.path("")));
    assert!(is_reported(&ran), "{ran:?}");
}

/// A function that makes a file.
type Maker<'m> = &'m dyn Fn(&Path);

/// Checks the files that a stranger's repository brings along. Each is a regular file within a
/// stated size, or an error names it and the remedy. Other folders are still searched.
#[test]
fn files_of_a_repository_are_regular_and_small() {
    /// Two GiB, so that a fault ends.
    const LIMIT: &str = "ulimit -v 2000000";
    let large = "a*b?[c]\n".repeat(9000);
    let endless = |path: &Path| symlink("/dev/zero", path).unwrap();
    let pipe = |path: &Path| make_pipe(path);
    let much = |path: &Path| std::fs::write(path, &large).unwrap();
    let makers: [(&str, Maker<'_>); 3] = [
        ("not a regular file", &endless),
        ("not a regular file", &pipe),
        ("72000 bytes, and the most is 65536", &much),
    ];
    for (why, make) in makers {
        for name in
            [".gitignore", ".ignore", "sub/.gitignore", "sub/deep/.ignore", "../.gitignore", ".git/info/exclude"]
        {
            let dir = Dir::new();
            dir.file("r/sub/deep/a", URL).file("r/z/a", URL).file("r/.git/info/x", "");
            make(&dir.path("r").join(name));
            let ran = ends(limited_by(&dir, LIMIT, &["-I", "r"]).current_dir(dir.path("")));
            let rest = if name.starts_with("sub/") { URL } else { "" };
            assert_eq!((ran.code, ran.text()), (2, rest), "{name}: {}", ran.err);
            let file = if name.starts_with("..") { ".gitignore" } else { name };
            assert!(ran.err.contains(file) && ran.err.contains(why), "{name}: {}", ran.err);
            assert!(ran.err.contains("--no-ignore") && ran.err.lines().count() == 1, "{}", ran.err);
            dir.run(&["-I", "--no-ignore", "r"]).is(0, URL.repeat(2));
        }
        let dir = Dir::new();
        dir.file("a", URL).file(".git/HEAD", "");
        make(&dir.path(".urlgrep.toml"));
        ends(&mut limited_by(&dir, LIMIT, &["audit", "a"])).fails("", &[".urlgrep.toml", why, "--no-config"]);
        assert_eq!(dir.run(&["audit", "--no-config", "a"]).code, 0);
    }
    // The files of a folder and of those above it count together.
    let dir = Dir::new();
    for depth in ["r", "r/1", "r/1/2"] {
        dir.file(format!("{depth}/.gitignore"), &large[..30_000]).file(format!("{depth}/a.txt"), URL);
    }
    let ran = dir.run(&["-I", "r"]);
    assert_eq!((ran.code, ran.text()), (2, &*URL.repeat(2)));
    assert!(
        ran.err.contains("r/1/2/.gitignore: has 30000 bytes") && ran.err.contains("above it have 60000"),
        "{ran:?}"
    );
    // The baseline of the settings, too.
    for (name, why) in
        [("/dev/zero", "not a regular file"), ("pipe", "not a regular file"), ("large", "the most is 8388608")]
    {
        let dir = Dir::new();
        dir.file("a", URL).file(".git/HEAD", "").file(".urlgrep.toml", format!("baseline = \"{name}\"\n"));
        make_pipe(&dir.path("pipe"));
        File::create(dir.path("large")).unwrap().set_len(100 << 20).unwrap();
        let ran = ends(&mut limited_by(&dir, LIMIT, &["audit", "a"]));
        ran.fails("", &[".urlgrep.toml: baseline: ", name, why, "--no-config"]);
    }
}

/// Checks that globs within the stated sizes keep within the memory that a search may take.
#[cfg(target_os = "linux")]
#[test]
fn globs_of_a_repository_take_little_memory() {
    let dir = Dir::new();
    dir.file("r/.git/HEAD", "").file("r/a", URL);
    let fill = |line: &str| line.repeat((64 << 10) / line.len());
    // Threads reserve address space, so there is one. The rest is the program and its libraries.
    let fits = |args: &[&str]| {
        let ran = ends(limited_by(&dir, "ulimit -v 196608", args).current_dir(dir.path("r")));
        assert!((0..2).contains(&ran.code), "{args:?}: {} {}", ran.code, ran.err);
    };
    for line in ["b*\n", "[!a]?\n", "**/x/**/[b-z]*[0-9]\n"] {
        dir.file("r/.gitignore", fill(line));
        fits(&["-j1", "."]);
    }
    std::fs::remove_file(dir.path("r/.gitignore")).unwrap();
    dir.file("r/.urlgrep.toml", fill("[[ignore]]\nurl = \"b*\"\nreason = \"x\"\n"));
    fits(&["audit", "-j1", "a"]);
    for (key, value) in [("type", "md"), ("host", "!{b*,?c}"), ("deny", "A-*")] {
        let item = format!("\"{value}\",");
        dir.file("r/.urlgrep.toml", format!("{key} = [{}]\n", item.repeat((63 << 10) / item.len())));
        fits(&["audit", "-j1", "a"]);
    }
}
