//! The choice of URLs: by lists of schemes and hosts, with `!` for exclusions, and by hosts from a
//! file.

use super::support::Dir;

const TEXT: &str = "\
http://a.example/ ftp://a.example/f http://b.example/
http://sub.b.example/ mailto:joe@c.example http://d.net/
file:///etc/motd
";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("t", TEXT);
    dir
}

/// Returns the URLs of `TEXT` at these places.
fn urls(places: &[usize]) -> String {
    let all: Vec<&str> = TEXT.split_whitespace().collect();
    places.iter().map(|&place| format!("{}\n", all[place])).collect()
}

#[test]
fn schemes_can_be_left_out() {
    let dir = dir();
    dir.run(&["-s", "!http", "t"]).is(0, urls(&[1, 4, 6]));
    dir.run(&["-s", "!HTTP,!ftp", "--scheme", "!mailto", "t"]).is(0, urls(&[6]));
    // The last matching item applies. If any item has no '!', only listed schemes are included.
    dir.run(&["-s", "ftp,!http", "t"]).is(0, urls(&[1]));
    dir.run(&["-s", "ftp,!ftp", "t"]).is(1, "");
    dir.run(&["-s", "!ftp,ftp", "t"]).is(0, urls(&[1]));
    dir.run(&["audit", "--format", "urls", "-s", "!http", "t"]).is(0, urls(&[4]));
    dir.run(&["-s", "!", "t"]).fails("", &["--scheme", "without '://'"]);
}

#[test]
fn kinds_can_be_left_out() {
    let dir = Dir::new();
    dir.file("t", "<URL:http://w.example/> <http://a.example/> URL:http://p.example/ http://b.example/");
    let lines = |hosts: &str| hosts.chars().map(|host| format!("http://{host}.example/\n")).collect::<String>();
    dir.run(&["--kind", "!angle", "t"]).is(0, lines("wpb"));
    dir.run(&["--kind", "!angle,!bare", "t"]).is(0, lines("wp"));
    dir.run(&["--kind", "!angle", "--kind", "!bare", "t"]).is(0, lines("wp"));
    // The last matching entry applies, as with schemes. If any entry has no '!', only listed kinds
    // are included.
    dir.run(&["--kind", "bare,!wrapped", "t"]).is(0, lines("b"));
    dir.run(&["--kind", "bare,!bare", "t"]).is(1, "");
    dir.run(&["--kind", "!bare,bare", "t"]).is(0, lines("b"));
    dir.run(&["audit", "--format", "urls", "--kind", "!angle,!prefixed", "t"]).is(0, lines("wb"));
    dir.run(&["--kind", "!link", "t"]).fails("", &["link", "wrapped"]);
    dir.run(&["--kind", "!", "t"]).fails("", &["--kind"]);
    dir.file("page.html", "<a href='http://a.example/'>x</a> http://b.example/ <a href='c'>y</a>");
    dir.run(&["--kind", "!attribute", "page.html"]).is(0, lines("b"));
    dir.run(&["--kind", "attribute", "page.html"]).is(0, lines("a") + "c\n");
    // A relative link without a base is printed only if its kind is named.
    dir.run(&["--no-messages", "--kind", "!bare", "page.html"]).is(0, lines("a"));
}

#[test]
fn a_plain_host_leaves_its_subdomains_out() {
    let dir = Dir::new();
    dir.file("t", "http://CERN.ch:8080/ http://info.cern.ch/ http://a.b.cern.ch/");
    dir.run(&["--host", "cern.ch", "t"]).is(0, "http://CERN.ch:8080/\n");
    dir.run(&["--host", "*.Cern.ch", "t"]).is(0, "http://info.cern.ch/\nhttp://a.b.cern.ch/\n");
    dir.run(&["-c", "--host", "cern.ch,*.cern.ch", "t"]).is(0, "3\n");
    dir.run(&["--host", "!*.cern.ch", "t"]).is(0, "http://CERN.ch:8080/\n");
}

#[test]
fn an_invalid_url_has_its_host() {
    let dir = Dir::new();
    let invalid = "https://Evil.example/a?x[]=1";
    dir.file("t", format!("{invalid} http://www.good.co.uk/"));
    dir.run(&["--host", "!evil.example", "t"]).is(0, "http://www.good.co.uk/\n");
    dir.run(&["--host", "evil.example", "t"]).is(0, format!("{invalid}\n"));
    dir.run(&["--format", "{host} {domain} {level}", "t"])
        .is(0, "evil.example evil.example none\nwww.good.co.uk good.co.uk rfc1738\n");
    dir.run(&["audit", "--format", "urls", "t"]).is(0, format!("{invalid}\nhttp://www.good.co.uk/\n"));
}

#[test]
fn a_scheme_that_nobody_knows_gets_a_word() {
    let dir = dir();
    dir.file("odd", "<URL:foo:bar> foo://x.example/ http://a.example/");
    for (args, out, code, word) in [
        (&["-s", "htpp", "t"][..], "", 1, "urlgrep: --scheme: htpp is not a known scheme; did you mean http?\n"),
        (
            &["-s", "!fpt", "odd"],
            "foo:bar\nhttp://a.example/\n",
            0,
            "--scheme: fpt is not a known scheme; did you mean ftp?",
        ),
        (
            &["-s", "foo", "odd"],
            "foo:bar\n",
            0,
            "foo is not a known scheme; add --any-scheme to find it outside wrappers",
        ),
        (&["audit", "--format", "urls", "-s", "gohper", "odd"], "", 0, "did you mean gopher?"),
    ] {
        let ran = dir.run(args);
        assert_eq!((ran.text(), ran.code), (out, code), "{args:?}");
        assert!(ran.err.contains(word) && ran.err.lines().count() == 1, "{args:?} {}", ran.err);
    }
    for known in ["https", "svn+ssh", "x-mine", "S3"] {
        dir.run(&["-s", known, "t"]).is(1, "");
    }
    dir.run(&["--any-scheme", "-s", "foo", "odd"]).is(0, "foo:bar\nfoo://x.example/\n");
}

#[test]
fn hosts_are_lists_and_can_be_left_out() {
    let dir = dir();
    dir.run(&["--host", "a.example,d.net", "t"]).is(0, urls(&[0, 1, 5]));
    dir.run(&["--host", "*.{net,b.example}", "t"]).is(0, urls(&[3, 5]));
    // If every item begins with '!', URLs without a host are included, too.
    dir.run(&["--host", "!*.example", "t"]).is(0, urls(&[5, 6]));
    dir.run(&["--host", "!a.example,!d.net", "--host", "!c.*", "t"]).is(0, urls(&[2, 3, 6]));
    dir.run(&["--host", "*.example,!b.example", "t"]).is(0, urls(&[0, 1, 3, 4]));
    dir.run(&["--host", "!b.example,*.example", "t"]).is(0, urls(&[0, 1, 2, 3, 4]));
    dir.run(&["--host", "!*.example", "--host", "sub.b.example", "t"]).is(0, urls(&[3]));
    dir.run(&["audit", "--format", "urls", "--host", "!*.example", "t"]).is(0, urls(&[5]));
    dir.run(&["--host", "a.example,", "t"]).fails("", &["--host: a host is missing"]);
    dir.run(&["--host", "http://a.example/", "t"]).fails("", &["--host: ", "by itself: a.example"]);
}

#[test]
fn hosts_from_a_file() {
    let dir = dir();
    dir.file("list", "\u{FEFF}# ours\n\na.example # the first\r\n  *.NET\n!x.net\n");
    dir.run(&["--host-file", "list", "t"]).is(0, urls(&[0, 1, 5]));
    dir.run(&["--host-file", "list", "--host", "!a.example,c.example", "t"]).is(0, urls(&[4, 5]));
    dir.file("less", "!a.example\n!*.net\n");
    dir.run(&["--host-file", "less", "t"]).is(0, urls(&[2, 3, 4, 6]));
    // The last matching line of all files applies.
    dir.run(&["--host-file", "list", "--host-file", "less", "t"]).is(1, "");
    dir.run(&["--host-file", "less", "--host-file", "list", "t"]).is(0, urls(&[0, 1, 5]));
    dir.run(&["audit", "--format", "urls", "--host-file", "less", "-s", "http", "t"]).is(0, urls(&[2, 3]));
    dir.run_with(&["--host-file", "-", "t"], b"d.net\n").is(0, urls(&[5]));
    dir.file("none", "# nothing yet\n");
    dir.run(&["--host-file", "none", "t"]).is(1, "");
}

#[test]
fn a_bad_line_is_named_with_what_to_do() {
    let dir = dir();
    dir.file("hosts", "# a list\n0.0.0.0 ads.example\n");
    dir.run(&["--host-file", "hosts", "t"])
        .fails("", &["urlgrep: hosts:2: '0.0.0.0 ads.example' holds a blank; write "]);
    dir.file("urls", "a.example\nhttps://ads.example/x\n");
    dir.run(&["--host-file", "urls", "t"]).fails("", &["urlgrep: urls:2: ", "write the host by itself: ads.example"]);
    dir.file("glob", "a{b\n");
    dir.run(&["--host-file", "glob", "t"]).fails("", &["urlgrep: glob:1: ", "a{b", "unclosed"]);
    dir.file("sign", "a\nb\n!\n");
    dir.run(&["--host-file", "sign", "t"]).fails("", &["urlgrep: sign:3: a host is missing"]);
    dir.file("latin", b"a\nm\xFCnchen.example\n");
    dir.run(&["--host-file", "latin", "t"]).fails("", &["urlgrep: latin:2: is not UTF-8; save "]);
    dir.run(&["--host-file", "gone", "t"]).fails("", &["urlgrep: gone: "]);
    dir.run(&["--host-file", "-"]).fails("", &["--host-file: reads standard input", "give a PATH"]);
    dir.run(&["--host-file", "-", "t", "-"]).fails("", &["--host-file: reads standard input"]);
}

#[test]
fn thousands_of_hosts() {
    let dir = Dir::new();
    let names = (0..5000).map(|n| format!("h{n}.example\n*.zone{n}.example\n!no.zone{n}.example\n"));
    dir.file("list", names.collect::<String>());
    let text = |n: usize| {
        let hosts = [
            format!("h{n}.example"),
            format!("x.zone{n}.example"),
            format!("no.zone{n}.example"),
            format!("i{n}.example"),
        ];
        hosts.map(|host| format!("http://{host}/\n"))
    };
    dir.file("t", (0..6000).flat_map(text).collect::<String>());
    let expected: String = (0..5000).flat_map(|n| text(n).into_iter().take(2)).collect();
    dir.run(&["--host-file", "list", "t"]).is(0, expected);
}

#[test]
fn a_database_remembers_what_was_chosen() {
    let dir = dir();
    dir.file("list", "a.example\n").file("same", "# the same\na.example # today\n").file("other", "!a.example\n");
    let run =
        |db: &str, options: &[&str]| dir.run(&[&["audit", "--format", "urls", "--db", db], options, &["t"]].concat());
    run("1.db", &["--host-file", "list"]).is(0, urls(&[0]));
    run("1.db", &["--host-file", "same"]).is(0, urls(&[0]));
    run("1.db", &["--host-file", "other"]).fails("", &["other options (--host-file sha256:"]);
    run("1.db", &[]).fails("", &["other options"]);
    run("2.db", &["-s", "!ftp,!mailto", "--host", "!a.example,!d.net"]).is(0, urls(&[2, 3]));
    run("2.db", &["-s", "!ftp", "-s", "!mailto", "--host", "!a.example", "--host", "!d.net"]).is(0, urls(&[2, 3]));
    run("2.db", &["-s", "ftp,!mailto"]).fails("", &["(--scheme !ftp,!mailto --host !a.example,!d.net)"]);
}
