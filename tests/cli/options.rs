//! The effect of each option on the output. The text has one URL of each kind, and one of most
//! levels.

use super::support::Dir;

const TEXT: &str = "\
See <URL:ftp://info.cern.ch/pub> and <http://A.example/x#f>,
or URL:http://b.example:8080/~joe. Ask mailto:joe@c.example;
https://[::1]/a, news:1@d.example, http://a.example/y
";
const ALL: &str = "\
ftp://info.cern.ch/pub
http://A.example/x#f
http://b.example:8080/~joe
mailto:joe@c.example
https://[::1]/a
news:1@d.example
http://a.example/y
";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("t", TEXT);
    dir
}

/// Returns the lines of `ALL` at these places.
fn lines(places: &[usize]) -> String {
    let all: Vec<&str> = ALL.lines().collect();
    places.iter().map(|&place| format!("{}\n", all[place])).collect()
}

/// Checks B-WWW.
#[test]
fn names_without_a_scheme_are_found_on_demand() {
    let dir = Dir::new();
    let text = "See www.example.com, WWW.Example.co.uk/x?y#z. (ftp.example.org:/pub) http://www.example.net/www.a.com\n\
                not www.example.notld, joe@www.example.com, www.com, www.-a.com, x/www.a.com, www.a.com@b, awww.a.com,\n\
                www.a..com www.example.com:8080/x www.$x.com www.exampleé.com www.example.comをご覧 “www.quote.com/x” •www.dot.com…\n\
                请看www.han.com吧 éwww.a.com\n";
    dir.file("t", text);
    dir.run_with(&["--www"], b"\xE9www.example.com www.example.org\xE9\n").is(1, "");
    dir.run(&["t"]).is(0, "http://www.example.net/www.a.com\n");
    dir.run(&["--www", "--format", "{kind} {url} {target} {host}", "t"]).is(
        0,
        "www www.example.com http://www.example.com www.example.com\n\
         www WWW.Example.co.uk/x?y#z http://WWW.Example.co.uk/x?y#z www.example.co.uk\n\
         www ftp.example.org ftp://ftp.example.org ftp.example.org\n\
         bare http://www.example.net/www.a.com http://www.example.net/www.a.com www.example.net\n\
         www www.example.com:8080/x http://www.example.com:8080/x www.example.com\n\
         www www.example.com http://www.example.com www.example.com\n\
         www www.quote.com/x http://www.quote.com/x www.quote.com\n\
         www www.dot.com http://www.dot.com www.dot.com\n\
         www www.han.com http://www.han.com www.han.com\n",
    );
    let named = "www.example.com\nwww.example.com:8080/x\nwww.quote.com/x\nwww.dot.com\nwww.han.com\n";
    dir.run(&["--www", "--kind", "www", "--host", "*.com", "-u", "t"]).is(0, named);
    dir.run(&["audit", "--www", "--format", "urls", "--host", "*.com", "t"])
        .is(0, named.lines().map(|name| format!("http://{name}\n")).collect::<String>());
}

/// Checks B-NAME. The vectors have the rule itself.
#[test]
fn names_with_a_path_are_found_on_demand() {
    let dir = Dir::new();
    let text = "See bit.ly/x?y#z, www.example.com/w, www.example.org and setup.py/x, by ftp.example.net/pub.\n";
    dir.file("t", text);
    dir.run(&["t"]).is(1, "");
    dir.run(&["--names", "--format", "{kind} {url} {target} {host} {level}", "t"]).is(
        0,
        "name bit.ly/x?y#z http://bit.ly/x?y#z bit.ly none\n\
         name www.example.com/w http://www.example.com/w www.example.com none\n\
         name ftp.example.net/pub ftp://ftp.example.net/pub ftp.example.net none\n",
    );
    dir.run(&["--www", "--names", "--kind", "!name", "t"])
        .is(0, "www.example.com/w\nwww.example.org\nftp.example.net/pub\n");
    dir.run(&["audit", "--names", "--format", "urls", "--host", "bit.ly", "t"]).is(0, "http://bit.ly/x?y#z\n");
    dir.run(&["--names", "--explain", "--host", "bit.ly", "t"]);
    // The hosts that relayed a message are not links.
    dir.file("m.eml", "Received: from h.example.com/1.2.3 by h.example.org/x\nSubject: bit.ly/s\n\nh.example.com/b\n");
    dir.run(&["--names", "-I", "m.eml"]).is(0, "bit.ly/s\nh.example.com/b\n");
    let why = dir.run(&["--explain", "t:1"]);
    assert!(why.err.contains("bit.ly/x?y#z: it has no scheme; --names finds it"), "{}", why.err);
}

#[test]
fn exit_statuses() {
    let dir = dir();
    dir.file("none", "nothing here\n");
    dir.run(&["t"]).is(0, ALL);
    dir.run(&["none"]).is(1, "");
    dir.run(&["missing", "none"]).fails("", &["urlgrep: missing: "]);
    dir.run(&["-I", "missing", "t"]).fails(ALL, &["urlgrep: missing: "]);
    dir.run(&["-q", "t"]).is(0, "");
    dir.run(&["-q", "none"]).is(1, "");
    dir.run(&["-q", "missing", "none"]).fails("", &["missing"]);
    let both = dir.run(&["-q", "missing", "t"]);
    assert_eq!((both.code, both.text()), (0, ""), "with -q, a match overrides an error");
    dir.run(&["--no-such-option"]).fails("", &["--no-such-option", "--help"]);
    dir.run(&["-j", "1", "missing", "t", "-I"]).fails(ALL, &["missing"]);
}

#[test]
fn prefixes() {
    let dir = Dir::new();
    dir.file("t", "\n  http://a.example/\n");
    dir.run(&["t"]).is(0, "http://a.example/\n");
    dir.run(&["-n", "t"]).is(0, "2:http://a.example/\n");
    dir.run(&["-b", "t"]).is(0, "3:http://a.example/\n");
    dir.run(&["--column", "t"]).is(0, "3:http://a.example/\n");
    dir.run(&["-H", "-n", "-b", "--column", "t"]).is(0, "t:2:3:3:http://a.example/\n");
    dir.run(&["-Hn0", "t"]).is(0, "t\x002:http://a.example/\n");
    dir.run(&["t", "t"]).is(0, "t:http://a.example/\nt:http://a.example/\n");
    dir.run(&["."]).is(0, "./t:http://a.example/\n");
    dir.run(&["-I", "t", "t"]).is(0, "http://a.example/\nhttp://a.example/\n");
    dir.run(&["-I", "-H", "t"]).is(0, "t:http://a.example/\n");
    dir.run(&["-H", "-I", "t"]).is(0, "http://a.example/\n");
    dir.run_with(&["-H"], b"http://a.example/").is(0, "-:http://a.example/\n");
}

#[test]
fn a_position_is_that_of_the_span() {
    let dir = Dir::new();
    dir.file("t", "x\n ab <URL:http://a.example/x\n   y> URL:http://b.example/");
    dir.run(&["-n", "-b", "--column", "t"]).is(0, "2:5:6:http://a.example/xy\n3:7:36:http://b.example/\n");
}

#[test]
fn counts_and_names() {
    let dir = dir();
    dir.file("none", "nothing\n").file("twice", "http://a.example/y http://a.example/y");
    let files = ["none", "t", "twice"];
    let with = |option: &[&'static str]| dir.run(&[option, &files[..]].concat());
    with(&["-c"]).is(0, "none:0\nt:7\ntwice:2\n");
    with(&["-c", "-I"]).is(0, "0\n7\n2\n");
    with(&["-c", "-0"]).is(0, "none\x000\nt\x007\ntwice\x002\n");
    with(&["-l"]).is(0, "t\ntwice\n");
    with(&["-L"]).is(0, "none\n");
    with(&["-l0"]).is(0, "t\0twice\0");
    with(&["-c", "-m3"]).is(0, "none:0\nt:3\ntwice:2\n");
    with(&["-c", "--host", "*cern*"]).is(0, "none:0\nt:1\ntwice:0\n");
    dir.run(&["-c", "none"]).is(1, "0\n");
    dir.run(&["-L", "none"]).is(1, "none\n");
    dir.run(&["-L", "t"]).is(0, "");
    dir.run(&["-c", "t"]).is(0, "7\n");
    dir.run(&["-l", "t"]).is(0, "t\n");
    dir.run_with(&["-l"], TEXT.as_bytes()).is(0, "-\n");
}

#[test]
fn unique() {
    let dir = Dir::new();
    dir.file("a", "http://b.example/ http://a.example/ http://b.example/")
        .file("b", "http://A.example/ http://a.example/");
    dir.run(&["-u", "-I", "a", "b"]).is(0, "http://b.example/\nhttp://a.example/\nhttp://A.example/\n");
    dir.run(&["-u", "-I", "-j1", "a", "b"]).is(0, "http://b.example/\nhttp://a.example/\nhttp://A.example/\n");
    dir.run(&["-c", "-u", "a"]).is(0, "2\n");
    dir.run(&["-c", "-u", "a", "b", "a"]).is(0, "a:2\nb:1\na:0\n");
    dir.run(&["-u", "-m", "2", "a"]).is(0, "http://b.example/\nhttp://a.example/\n");
    dir.run(&["-u", "-n", "a", "-I"]).is(0, "1:http://b.example/\n1:http://a.example/\n");
    dir.run(&["-u", "-l", "a", "a"]).is(0, "a\na\n");
    let json = dir.run(&["-u", "--json", "a", "b"]);
    assert_eq!((json.code, json.text().lines().count()), (0, 3));
}

#[test]
fn max_count() {
    let dir = dir();
    dir.run(&["-m", "2", "t"]).is(0, lines(&[0, 1]));
    dir.run(&["-I", "-m1", "t", "t"]).is(0, lines(&[0, 0]));
    dir.run(&["-m0", "t"]).is(1, "");
    dir.run(&["-m99", "t"]).is(0, ALL);
    dir.run(&["-m1", "--kind", "bare", "t"]).is(0, lines(&[3]));
    for threads in ["-j1", "-j3"] {
        dir.run_with(&["-m3", threads], "http://a.example/ ".repeat(1_000_000).as_bytes())
            .is(0, "http://a.example/\n".repeat(3));
    }
}

#[test]
fn schemes() {
    let dir = dir();
    dir.run(&["-s", "http", "t"]).is(0, lines(&[1, 2, 6]));
    dir.run(&["-s", "FTP,mailto", "t"]).is(0, lines(&[0, 3]));
    dir.run(&["-s", "news", "--scheme", "https", "t"]).is(0, lines(&[4, 5]));
    dir.run(&["-s", "gopher", "t"]).is(1, "");
    dir.run(&["-s", "http://", "t"]).fails("", &["without '://'"]);
}

#[test]
fn hosts() {
    let dir = dir();
    dir.run(&["--host", "a.example", "t"]).is(0, lines(&[1, 6]));
    dir.run(&["--host", "A.EXAMPLE", "t"]).is(0, lines(&[1, 6]));
    dir.run(&["--host", "*.ch", "t"]).is(0, lines(&[0]));
    dir.run(&["--host", "cern.ch", "t"]).is(1, "");
    dir.run(&["--host", "example", "t"]).is(1, "");
    dir.run(&["--host", "b.example", "t"]).is(0, lines(&[2]));
    dir.run(&["--host", "b.example:8080", "t"]).is(1, "");
    dir.run(&["--host", "c.example", "t"]).is(0, lines(&[3]));
    dir.run(&["--host", "d.example", "t"]).is(0, lines(&[5]));
    dir.run(&["--host", "[::1]", "t"]).is(0, lines(&[4]));
    dir.run(&["--host", "c.*", "--host", "[::1]", "t"]).is(0, lines(&[3, 4]));
    dir.run(&["--host", "a{b", "t"]).fails("", &["--host", "a{b"]);
    dir.run_with(&["--host", "MÜNCHEN.example"], "<http://münchen.example/ä>".as_bytes())
        .is(0, "http://münchen.example/ä\n");
}

#[test]
fn kinds() {
    let dir = dir();
    dir.run(&["--kind", "wrapped", "t"]).is(0, lines(&[0]));
    dir.run(&["--kind", "angle,prefixed", "t"]).is(0, lines(&[1, 2]));
    dir.run(&["--kind", "bare", "t"]).is(0, lines(&[3, 4, 5, 6]));
    dir.run(&["--kind", "loose", "t"]).fails("", &["loose", "wrapped", "prefixed"]);
}

#[test]
fn levels() {
    let dir = dir();
    dir.file("odd", "<URL:http://h/{x}>");
    dir.run(&["--level", "rfc1738", "t"]).is(0, lines(&[0, 3, 5, 6]));
    dir.run(&["--level", "rfc1738-ref", "t"]).is(0, lines(&[0, 1, 3, 5, 6]));
    dir.run(&["--strict", "t"]).is(0, lines(&[0, 1, 3, 5, 6]));
    dir.run(&["--level", "rfc3986", "t"]).is(0, ALL);
    dir.run(&["--level", "iri", "odd"]).is(1, "");
    dir.run(&["--level", "none", "odd"]).is(0, "http://h/{x}\n");
    dir.run(&["odd"]).is(0, "http://h/{x}\n");
    dir.run(&["--level", "best", "t"]).fails("", &["best", "rfc1738-ref"]);
}

#[test]
fn candidates() {
    let dir = Dir::new();
    dir.file("t", "Option<url::Url> <URL:not a url> <URL:http://a.example/{x}>");
    dir.run(&["t"]).is(0, "http://a.example/{x}\n");
    dir.run(&["--candidates", "t"]).is(0, ":Url\nnotaurl\nhttp://a.example/{x}\n");
    dir.run(&["--candidates", "--strict", "t"]).is(1, "");
    // B-TRAP: program text that fits no level. `%d0` is an escape, and a valid URL may hold a
    // variable.
    for (text, is_shown) in [
        ("(insert \"<URL: \") and >", false),
        ("<URL:http://$host/{x}>", false),
        ("<URL:http://a.example/${x}>", false),
        ("<URL:http://a.example/%s>", false),
        ("<URL:http://a.example:%d/>", false),
        ("<URL:http://a.example/%S>", false),
        ("<URL:http://a.example/%d0{x}>", true),
        ("<URL:http://a.example/$5{x}>", true),
        ("<URL:http://a.example/$x>", true),
        ("<http://a.example/x$y%20>", true),
    ] {
        dir.file("trap", text);
        assert_eq!(dir.run(&["trap"]).code, i32::from(!is_shown), "{text}");
        assert_eq!(dir.run(&["--candidates", "trap"]).code, 0, "{text}");
    }
}

#[test]
fn what_is_taken_for_a_url() {
    let dir = Dir::new();
    dir.file("any", "foo://a.example/");
    dir.run(&["any"]).is(1, "");
    dir.run(&["--any-scheme", "any"]).is(0, "foo://a.example/\n");

    dir.file("iri", "http://a.example/x中");
    dir.run(&["iri"]).is(0, "http://a.example/x\n");
    dir.run(&["--iri", "iri"]).is(0, "http://a.example/x中\n");

    dir.file("sheet", "http://a.example/,400");
    dir.run(&["sheet"]).is(0, "http://a.example/,400\n");
    dir.run(&["--input", "csv", "sheet"]).is(0, "http://a.example/\n");
    dir.file("sheet.csv", "a\nhttp://a.example/,400\nhttp://a.example/x-\ny,5\n");
    for threads in ["1", "2"] {
        dir.run(&["--threads", threads, "sheet.csv"]).is(0, "http://a.example/\nhttp://a.example/x-\n");
    }
    dir.run(&["--range", "2:12", "sheet.csv"]).is(0, "http://a.example/\n");

    dir.file("hyphen", "<URL:http://a.example/x-\ny>");
    dir.run(&["hyphen"]).is(0, "http://a.example/x-y\n");
    dir.run(&["--hyphen", "drop", "hyphen"]).is(0, "http://a.example/xy\n");
    dir.run(&["--all-readings", "-n", "hyphen"]).is(0, "1:http://a.example/x-y\n1:http://a.example/xy\n");
    dir.run(&["--rejoin", "none", "hyphen"]).is(0, "http://a.example/x-\n");
    dir.run(&["--rejoin", "delimited", "hyphen"]).is(0, "http://a.example/x-y\n");

    dir.file("other", "<URL:sqlite:///x>");
    dir.run(&["--strict", "other"]).is(1, "");
    dir.run(&["--strict", "--otherurl", "literal", "other"]).is(0, "sqlite:///x\n");
    dir.run(&["--otherurl", "liberal", "other"]).fails("", &["literal"]);

    dir.run(&["--input", "text", "any", "--any-scheme"]).is(0, "foo://a.example/\n");
    dir.run(&["--input", "auto", "any", "--any-scheme"]).is(0, "foo://a.example/\n");
    dir.run(&["--input", "pdf", "any"]).fails("", &["pdf", "html"]);
}

#[test]
fn ranges_refuse_what_they_cannot_do() {
    let dir = dir();
    dir.file("d/t", TEXT);
    dir.run(&["--range", "0:9", "t", "t"]).fails("", &["--range", "exactly one"]);
    dir.run(&["--range", "0:9"]).fails("", &["--range"]);
    dir.run(&["--range", "0:9", "-"]).fails("", &["--range", "standard input"]);
    dir.run(&["--range", "0:9", "d"]).fails("", &["d: ", "--range"]);
    dir.run(&["--range", "9:0", "t"]).fails("", &["9:0", "0:9"]);
    dir.run(&["--range", "9", "t"]).fails("", &["START:END"]);
    dir.run(&["--range", "0:9", "missing"]).fails("", &["missing"]);
    #[cfg(unix)]
    dir.run(&["--range", "0:9", "/dev/null"]).fails("", &["/dev/null", "regular"]);
}

#[test]
fn range_ends_may_be_left_out_or_lie_beyond_the_end() {
    let dir = dir();
    for all in [":", "0:", ":999999", "0:18446744073709551615"] {
        dir.run(&["--range", all, "t"]).is(0, ALL);
    }
    dir.run(&["--range", ":5", "t"]).is(0, lines(&[0]));
    dir.run(&["--range", ":4", "t"]).is(1, "");
    dir.run(&["--range", "4:4", "t"]).is(1, "");
    dir.run(&["--range", "5:61", "t"]).is(0, lines(&[1]));
    dir.run(&["-n", "--range", "100:", "t"])
        .is(0, "2:mailto:joe@c.example\n3:https://[::1]/a\n3:news:1@d.example\n3:http://a.example/y\n");
    dir.run(&["--range", "999999:", "t"]).is(1, "");
}

#[test]
fn statistics_go_to_standard_error() {
    let dir = dir();
    dir.file("odd", "<URL:> <URL:http://a.example/");
    let ran = dir.run(&["--stats", "-I", "--kind", "bare", "t", "odd"]);
    assert_eq!((ran.code, ran.text()), (0, &*lines(&[3, 4, 5, 6])));
    let size = TEXT.len() + 29;
    for line in
        ["files: 2", &format!("bytes: {size}"), "selected: 4", "empty-wrappers: 1", "unterminated: 1", "too-long: 0"]
    {
        assert!(ran.err.lines().any(|said| said == line), "no {line:?} in {:?}", ran.err);
    }
    assert!(ran.err.contains("\nseconds: "));
}

#[test]
fn help_version_and_what_is_generated() {
    let dir = Dir::new();
    let help = dir.run(&["-h"]);
    assert_eq!((help.code, &*help.err), (0, ""));
    assert!(help.text().lines().all(|line| line.chars().count() <= 79), "{}", help.text());
    let long = dir.run(&["--help"]);
    assert!(long.text().contains("EXIT STATUS") && long.text().len() > 2 * help.text().len());
    assert_eq!(dir.run(&["-V"]).text(), concat!("urlgrep ", env!("CARGO_PKG_VERSION"), "\n"));
    assert!(dir.run(&["--version"]).text().contains("features: "));
    let simd = dir.command(&["--version"]).env("URLGREP_SIMD", "portable").output().unwrap();
    assert!(String::from_utf8_lossy(&simd.stdout).ends_with("\nsimd:     portable\n"));
    let simd = dir.command(&["--version"]).env("URLGREP_SIMD", "abacus").output().unwrap();
    assert_eq!(simd.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&simd.stderr)
            .starts_with("urlgrep: URLGREP_SIMD: this machine does not support \"abacus\"")
    );
    for (what, word) in [
        ("man", ".SH \"EXIT STATUS\""),
        ("bash", "complete -F _urlgrep"),
        ("zsh", "#compdef urlgrep"),
        ("fish", "complete -c urlgrep"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let made = dir.run(&["--generate", what]);
        assert_eq!((made.code, &*made.err), (0, ""));
        assert!(made.text().contains(word), "{what}");
    }
    dir.run(&["--generate", "html"]).fails("", &["html", "man"]);
}

#[test]
fn colours() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/ <URL:http://h/{x}>");
    let ran = dir.run(&["--color", "always", "-H", "-n", "t"]);
    assert_eq!(
        ran.text(),
        "\x1b[35mt\x1b[0m:\x1b[32m1\x1b[0m:\x1b[1mhttp://a.example/\x1b[0m\n\
         \x1b[35mt\x1b[0m:\x1b[32m1\x1b[0m:\x1b[1m\x1b[31mhttp://h/{x}\x1b[0m\n"
    );
    for plain in
        [&["t"][..], &["--color", "auto", "t"], &["--color=never", "t"], &["--color=always", "--color=never", "t"]]
    {
        dir.run(plain).is(0, "http://a.example/\nhttp://h/{x}\n");
    }
    assert!(!dir.run(&["--color=always", "--json", "t"]).text().contains('\x1b'));
}

#[test]
fn long_names_are_the_short_ones() {
    let dir = Dir::new();
    dir.file("a", "\nhttp://a.example/ http://b.example/\n").file("none", "");
    for (short, long) in [
        ("-b", "--byte-offset"),
        ("-H", "--with-filename"),
        ("-I", "--no-filename"),
        ("-l", "--files-with-matches"),
        ("-0", "--null"),
        ("-q", "--quiet"),
        ("-j2", "--threads=2"),
    ] {
        for others in [&["a"][..], &["-n", "a", "none"]] {
            let ran = dir.run(&[&[short], others].concat());
            dir.run(&[&[long], others].concat()).is(0, &ran.out);
        }
    }
    let tables = dir.run(&["audit", "--threads", "1", "a"]);
    assert!(tables.text().contains("a.example") && tables.code == 0);
    let none = dir.run(&["audit", "-j1", "--top", "0", "a"]);
    assert!(none.text().len() < tables.text().len());
    dir.run(&["parse", "--quiet", "http://a.example/"]).is(0, "");
    dir.run(&["parse", "--quiet", "a b"]).is(1, "");
}

#[test]
fn heal_prints_the_text_with_whole_urls() {
    let dir = dir();
    let broken = "> see <URL:http://a.example/\n> one/two> and\n> http://b.example/x, once\n";
    dir.file("broken", broken);
    let healed = dir.run(&["--heal", "broken"]);
    assert_eq!(healed.text(), "> see <URL:http://a.example/one/two> and\n> http://b.example/x, once\n");
    dir.file("healed", healed.text());
    assert_eq!(dir.run(&["--heal", "healed"]).text(), healed.text());
    assert_eq!(dir.run(&["--heal", "t"]).text(), TEXT);
    let urls = |args: &[&str]| dir.run(args).text().to_owned();
    assert_eq!(urls(&["--rejoin", "none", "healed"]), urls(&["broken"]));
}

#[test]
fn replace_prints_the_text_with_other_texts_for_its_urls() {
    let dir = dir();
    let linked = "\
See [info.cern.ch](ftp://info.cern.ch/pub) and [a.example](http://A.example/x#f),
or [b.example](http://b.example:8080/~joe). Ask [c.example](mailto:joe@c.example);
[[::1]](https://[::1]/a), [d.example](news:1@d.example), [a.example](http://a.example/y)
";
    dir.run(&["--replace", "[{host}]({url})", "t"]).is(0, linked);
    dir.run(&["--replace", "[{host}]({url})", "-", "t"]).is(0, linked);
    dir.run_with(&["--replace", "{line}\\n{{{page}}}"], b"\nhttp://a.example/?x").is(0, "\n2\n{http://a.example/}");
    dir.run(&["--replace", "{url}", "--defang", "-s", "news,https", "t"])
        .is(0, TEXT.replace("https://[::1]", "hxxps://[::1]").replace("news:1@d.example", "news[:]1[@]d[.]example"));
    dir.run(&["--replace", "{url}", "--host", "none.example", "t"]).is(1, TEXT);
    dir.run(&["--replace", "{url}", "missing", "t"])
        .fails(&TEXT.replace(['<', '>'], "").replace("URL:", ""), &["missing"]);
    for option in ["--json", "-c", "-u", "--heal", "-n", "--count-by=host", "--explain"] {
        dir.run(&["--replace", "{url}", option, "t"]).fails("", &["--replace", "cannot be used with"]);
    }
    dir.run(&["--replace", "x", "t"]).fails("", &["it names no field"]);
}

#[test]
fn rejoined_urls_are_those_of_several_lines() {
    let dir = Dir::new();
    dir.file("t", "http://a.example/ <URL:http://b.example/\n  x> and http://c.example/\n");
    dir.run(&["--rejoined", "t"]).is(0, "http://b.example/x\n");
    dir.run(&["--rejoined", "--rejoin", "none", "t"]).is(1, "");
    dir.run(&["--rejoined", "-c", "--host", "!b.example", "t"]).is(1, "0\n");
    dir.run(&["audit", "--rejoined", "--format", "urls", "t"]).is(0, "http://b.example/x\n");
}

#[test]
fn urls_are_counted_by_a_key() {
    let dir = Dir::new();
    dir.file("a", "http://H.a.example/x?1 http://h.a.example/x#2 news:comp.x http://b.example/\n")
        .file("b", "https://i.a.example/x?1 http://h.a.example/x?1 http://192.0.2.1/ http://b.example/\n");
    let url = "      2 http://b.example/\n      1 http://192.0.2.1/\n      1 http://H.a.example/x?1\n      1 http://h.a.example/x#2\n      1 http://h.a.example/x?1\n      1 https://i.a.example/x?1\n      1 news:comp.x\n";
    let page = "      2 http://b.example/\n      2 http://h.a.example/x\n      1 http://192.0.2.1/\n      1 http://H.a.example/x\n      1 https://i.a.example/x\n      1 news:comp.x\n";
    let host = "      3 h.a.example\n      2 b.example\n      1 -\n      1 192.0.2.1\n      1 i.a.example\n";
    let domain = "      4 a.example\n      2 -\n      2 b.example\n";
    let scheme = "      6 http\n      1 https\n      1 news\n";
    for (key, counts) in [("url", url), ("page", page), ("host", host), ("domain", domain), ("scheme", scheme)] {
        for threads in ["-j1", "-j3"] {
            dir.run(&["--count-by", key, threads, "a", "b"]).is(0, counts);
        }
        // The counts are those of `sort` and `uniq`.
        let firsts = dir.run(&["--unique-by", key, "-I", "a", "b"]);
        if key != "url" {
            assert_eq!(firsts.text().lines().count(), counts.lines().count(), "{key}: {}", firsts.text());
        }
    }
    dir.run(&["--unique-by", "domain", "-H", "a", "b"])
        .is(0, "a:http://H.a.example/x?1\na:news:comp.x\na:http://b.example/\n");
    dir.run(&["--unique-by", "url", "a", "b"]).is(0, dir.run(&["-u", "a", "b"]).out);
    dir.run(&["--unique-by", "scheme", "-c", "a", "b"]).is(0, "a:2\nb:1\n");
    dir.run(&["--count-by", "host", "--json", "--host", "!*.a.example", "a", "b"]).is(
        0,
        "{\"host\":\"b.example\",\"count\":2}\n{\"host\":\"192.0.2.1\",\"count\":1}\n{\"host\":null,\"count\":1}\n",
    );
    dir.run(&["--count-by", "url", "--csv", "-s", "news", "a"])
        .is(0, "url,target,count\r\nnews:comp.x,news:comp.x,1\r\n");
    dir.run(&["--count-by", "page", "--defang", "-s", "https", "b"]).is(0, "      1 hxxps://i[.]a[.]example/x\n");
    dir.run(&["--count-by", "host", "--host", "none.example", "a"]).is(1, "");
    for option in ["-u", "--first-said", "-c", "-m1", "--format={url}", "-C1", "--explain"] {
        dir.run(&["--count-by", "host", option, "a"]).fails("", &["--count-by", "cannot be used with"]);
    }
    dir.run(&["--count-by", "path", "a"]).fails("", &["invalid value 'path'", "url, page, host, domain, scheme"]);
}

#[test]
fn columns_say_how_wide_the_screen_was() {
    let dir = Dir::new();
    dir.file("t", "https://a.example/oauth/authorize/scopes9and\nmorewords9\n");
    assert_eq!(dir.run(&["--columns", "44", "t"]).text(), "https://a.example/oauth/authorize/scopes9andmorewords9\n");
    assert_eq!(dir.run(&["--columns", "80", "t"]).text(), "https://a.example/oauth/authorize/scopes9and\n");
    let refused = dir.run(&["--columns", "auto", "t"]); // standard error is a pipe here
    assert!(refused.code == 2 && refused.err.contains("write the number of columns"), "{}", refused.err);
}
