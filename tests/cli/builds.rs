//! An audit in a build: new findings, annotations, tests, and formats for other programs.

use serde_json::{Value, json};

use super::support::{Dir, Ran};

fn document(ran: &Ran) -> Value {
    serde_json::from_str(ran.text()).unwrap()
}

#[test]
fn a_list_of_urls_beside_a_baseline_has_the_new_ones() {
    let dir = Dir::new();
    dir.file("d/a.txt", "http://a.example/x http://a.example/y");
    dir.file("old.json", dir.run(&["audit", "--format", "json", "d"]).text());
    dir.file("d/a.txt", "http://a.example/new HTTP://a.example:80/x http://a.example/y");
    dir.run(&["audit", "--baseline", "old.json", "--format", "urls", "d"]).is(0, "http://a.example/new\n");
    // Other formats have all links.
    let all = document(&dir.run(&["audit", "--baseline", "old.json", "--format", "json", "d"]));
    assert_eq!(all["urls"].as_array().unwrap().len(), 3);
}

#[test]
fn a_baseline_fits_wherever_the_folder_lies() {
    let dir = Dir::new();
    dir.file("one/docs/b/a.txt", "ftp://joe:secret@a.example/");
    dir.file("two/b/a.txt", "ftp://joe:secret@a.example/");
    let old = dir.run(&["audit", "--format", "json", "one/docs"]);
    assert_eq!(document(&old)["summary"]["root"], "one/docs");
    dir.file("old.json", old.text());
    let compared = |path: &str| {
        let ran = dir.run(&["audit", "--baseline", "old.json", "--format", "json", path]);
        document(&ran)["summary"]["baseline"].clone()
    };
    assert_eq!(compared("two"), json!({"new": 0, "known": 1, "gone": 0}));
    assert_eq!(compared("./one/docs"), json!({"new": 0, "known": 1, "gone": 0}));
    assert_eq!(compared("one/docs/b/a.txt"), json!({"new": 0, "known": 1, "gone": 0}));
    assert_eq!(compared("two/b/a.txt"), json!({"new": 1, "known": 0, "gone": 1}));
}

#[test]
fn what_is_gone_is_named() {
    let dir = Dir::new();
    dir.file("d/a.txt", "ftp://joe:secret@a.example/ ftp://h/%00");
    dir.file("old.json", dir.run(&["audit", "--allow", "A-PASSWORD,A-NUL", "--format", "json", "d"]).text());
    dir.file("d/a.txt", "ftp://h/%00");
    let now = |args: &[&str]| {
        dir.run(&[&["audit", "--allow", "A-PASSWORD,A-NUL", "--baseline", "old.json"], args, &["d"]].concat())
    };
    let gone = json!([{"rule": "A-PASSWORD", "url": "ftp://joe:***@a.example/", "file": "d/a.txt"}]);
    assert_eq!(document(&now(&["--format", "json"]))["gone"], gone);
    let text = now(&[]).text().to_owned();
    assert!(text.contains("\nGONE\n  A-PASSWORD d/a.txt: ftp://joe:***@a.example/\n"), "{text}");
    assert!(now(&["--defang"]).text().contains("A-PASSWORD d/a.txt: fxp://joe:***[@]a[.]example/"));
}

#[test]
fn annotations_of_a_pull_request() {
    let dir = Dir::new();
    dir.file("d/a b.txt", "ü http://a.example/ ftp://joe:secret@a.example/\n");
    dir.file("old.json", dir.run(&["audit", "--format", "json", "d"]).text());
    let allow = ["audit", "--allow", "A-PASSWORD", "--format", "github"];
    let ran = dir.run(&[&allow[..], &["d"]].concat());
    let start = "::warning file=d/a b.txt,line=1,col=21,title=A-PASSWORD::ftp://joe:***@a.example/: ";
    assert!(ran.text().starts_with(start) && ran.text().lines().count() == 1, "{}", ran.text());
    dir.run(&[&allow[..], &["--baseline", "old.json", "d"]].concat()).is(0, "");
}

#[test]
fn tests_of_a_build_server_fail_from_a_severity_on() {
    let dir = Dir::new();
    dir.file("a.txt", "ftp://joe:secret@a.example/");
    let failures = |args: &[&str]| {
        let ran = dir.run(&[&["audit", "--allow", "A-PASSWORD", "--format", "junit"], args, &["a.txt"]].concat());
        (ran.code, ran.text().contains("failures=\"1\""), ran.text().contains("skipped=\"1\""))
    };
    assert_eq!(failures(&[]), (0, true, false));
    assert_eq!(failures(&["--fail-on", "medium"]), (1, true, false));
    assert_eq!(failures(&["--fail-on", "high"]), (0, false, true));
}

#[test]
fn indicators_are_the_links_with_a_finding() {
    let dir = Dir::new();
    let mail = |from: &str, date: &str| {
        format!("From x@y {date}\nFrom: {from}\nDate: {date}\n\nhttp://10.1.2.3/login http://fine.example/x\n\n")
    };
    let mails =
        mail("a@x.example", "Mon, 1 Jan 2024 10:00:00 +0000") + &mail("b@x.example", "Tue, 2 Jan 2024 10:00:00 +0000");
    dir.file("a.mbox", mails);
    let ran = dir.run(&["audit", "--format", "ioc", "--defang", "a.mbox"]);
    let rows: Vec<_> = ran.text().lines().collect();
    assert_eq!(rows[0], "host,url,first_seen,last_seen,places,senders,rules");
    let row =
        "10.1.2.3,hxxp://10[.]1[.]2[.]3/login,2024-01-01,2024-01-02,2,a@x.example; b@x.example,A-IP-LITERAL A-IP-LOCAL";
    assert_eq!(rows[1..], [row]);
}

#[test]
fn urls_are_defanged_where_a_format_is_not_exact() {
    let dir = Dir::new();
    dir.file("a.txt", "http://xn--pypal-4ve.example/a.b and ftp://joe:secret@a.example/?u=http://b.example/");
    for format in ["text", "csv", "html", "github", "junit", "ioc"] {
        let ran = dir.run(&["audit", "--defang", "--format", format, "a.txt"]);
        let text = ran.text();
        assert!(text.contains("fxp://joe:***[@]a[.]example/"), "{format}: {text}");
        assert!(!text.contains("ftp://joe") && !text.contains("http://b.example"), "{format}: {text}");
    }
    // No link of the page leads to a URL, and the script makes none.
    dir.file("b.txt", "http://a.example/x https://b.example/ ftp://c.example/");
    let rows = |args: &[&str]| {
        let page = dir.run(&[&["audit", "--format", "html"], args, &["b.txt"]].concat()).text().to_owned();
        let links = page.split("class=\"links\">").last().unwrap().split("</script>").next().unwrap().to_owned();
        let rows: Vec<serde_json::Value> = serde_json::from_str(&links).unwrap();
        (
            page.matches("<a href=").count() - page.matches("<a href=\"#").count(),
            rows.iter().map(|row| row[8].clone()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(rows(&[]), (3, vec![1.into(), 1.into(), 1.into()]));
    assert_eq!(rows(&["--defang"]), (0, vec![0.into(), 0.into(), 0.into()]));
    for format in ["json", "jsonl", "sarif", "urls"] {
        let ran = dir.run(&["audit", "--defang", "--format", format, "a.txt"]);
        ran.fails("", &["--defang", "exact"]);
    }
}

#[test]
fn a_run_of_sarif_has_so_many_results() {
    let dir = Dir::new();
    let mild: String = (0..25_000).map(|n| format!("http://a.example/~{n}\n")).collect();
    dir.file("a.txt", mild + "ftp://h/%00");
    let ran = dir.run(&["audit", "--allow", "X-LATER,A-NUL", "--format", "sarif", "a.txt"]);
    let run = &document(&ran)["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 25_000);
    assert_eq!(run["results"][0]["ruleId"], "A-NUL");
    let note = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
    assert!(note.contains(" 1 are left out"), "{note}");
}

const DIFF: &str = "diff --git a/docs/a.md b/docs/a.md
--- a/docs/a.md
+++ b/docs/a.md
@@ -10,5 +10,7 @@ heading
 see http://kept.example/ and
-http://gone.example/ and http://moved.example/
+<http://new.example/a/
+b> is new
 http://kept.example/2
+http://moved.example/ ftp://joe:secret@new.example/
+http://kept.example/
 end
-http://gone.example/2
diff --git a/p.html b/p.html
--- /dev/null
+++ b/p.html
@@ -0,0 +1,2 @@
+<!DOCTYPE html>
+<a href=\"https://page.example/\">x</a>
";

#[test]
fn a_diff_has_the_links_of_its_added_lines() {
    let dir = Dir::new();
    dir.file("d.diff", DIFF);
    let ran = dir.run(&["audit", "--diff", "--format", "json", "d.diff"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let report = document(&ran);
    let place = |link: &Value| {
        let first = &link["first"];
        let offset = first["offset"].as_u64().unwrap() as usize;
        let written: String = DIFF[offset..].chars().take(8).collect();
        (
            link["url"].as_str().unwrap().to_owned(),
            first["file"].as_str().unwrap().to_owned(),
            first["line"].as_u64().unwrap(),
            written,
        )
    };
    let links: Vec<_> = report["urls"].as_array().unwrap().iter().map(place).collect();
    let link = |url: &str, file: &str, line, written: &str| (url.to_owned(), file.to_owned(), line, written.to_owned());
    assert_eq!(
        links,
        [
            link("http://new.example/a/b", "docs/a.md", 11, "<http://"),
            link("ftp://joe:***@new.example/", "docs/a.md", 14, "ftp://jo"),
            link("https://page.example/", "p.html", 2, "https://"),
        ]
    );
    assert_eq!(report["summary"]["files"], 2);
    // The audit also works through a pipe, and in other formats.
    let piped = dir.run_with(&["audit", "--diff", "--format", "urls"], DIFF.as_bytes());
    assert_eq!(piped.text(), "http://new.example/a/b\nhttps://page.example/\n");
    let failed = dir.run(&["audit", "--diff", "--allow", "A-PASSWORD", "--fail-on", "medium", "d.diff"]);
    assert_eq!(failed.code, 1);
    let other = dir.run(&["audit", "--diff", "--host", "page.example", "--fail-on", "medium", "d.diff"]);
    assert_eq!(other.code, 0);
}

#[test]
fn a_diff_that_is_none_is_an_error() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/\n").file("empty", "");
    dir.run(&["audit", "--diff", "--format", "jsonl", "a.txt"])
        .fails("", &["a.txt", "is not a unified diff", "git diff"]);
    assert_eq!(dir.run(&["audit", "--diff", "empty"]).code, 0);
    dir.run(&["audit", "--diff", "--format", "jsonl", "gone"]).fails("", &["gone"]);
    dir.run(&["audit", "--diff", "--db", "x.db", "a.txt"]).fails("", &["--diff", "--db"]);
}

/// Every report names the settings of the repository, and settings that leave nothing to judge fail
/// an audit with `--fail-on`.
#[test]
fn settings_of_a_repository_are_named_and_judged() {
    let dir = Dir::new();
    dir.file("r/.git/HEAD", "").file("r/docs/a.md", "ftp://joe:x1@a.example/ http://fine.example/\n");
    dir.file("r/x.diff", "--- a/a.md\n+++ b/a.md\n@@ -0,0 +1 @@\n+ftp://joe:x1@a.example/\n");
    let audit = |config: &str, args: &[&str]| {
        dir.file("r/.urlgrep.toml", config);
        let ran = dir.command(&[&["audit"], args].concat()).current_dir(dir.path("r/docs")).output().unwrap();
        let texts = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
        (ran.status.code().unwrap(), texts)
    };
    let config = "host = [\"!a.example\"]\nmax-depth = 3\n[[ignore]]\nurl = \"http://b*\"\nreason = \"x\"\n";
    for format in ["text", "html", "json", "jsonl", "csv", "sarif", "github", "junit", "ioc", "urls"] {
        let (code, [out, err]) = audit(config, &["--format", format, "--fail-on", "critical", "."]);
        let told = if ["jsonl", "csv", "ioc", "urls"].contains(&format) { &err } else { &out };
        let plain = told.replace("\\\"", "\"").replace("&quot;", "\"").replace("%22", "\"");
        let settings = ["../.urlgrep.toml", "host = [\"!a.example\"]", "max-depth = 3"];
        assert!(code == 0 && settings.iter().all(|name| plain.contains(name)), "{format}: {code} {told} {err}");
        assert!(plain.contains("ignore"), "{format}: {told}");
        // Without settings, no report mentions them.
        let (_, [out, err]) = audit("", &["--format", format, "."]);
        assert!(!(out + &err).contains(".urlgrep.toml"), "{format}");
    }
    for (config, why) in [
        ("host = \"!*\"", "no host is left"),
        ("host = \"b.example\"", "no URL is left"),
        ("scheme = \"gopher\"", "no URL is left"),
        ("kind = \"wrapped\"", "no URL is left"),
        ("glob = \"!*\"", "no file is left"),
        ("max-depth = 0", "no file is left"),
        ("type = \"rust\"", "no file is left"),
        ("deny = \"*\"", "no rule is left"),
        ("[[ignore]]\nurl = \"*\"\nreason = \"x\"", "every URL is ignored"),
    ] {
        let (code, [_, err]) = audit(config, &["--fail-on", "info", "."]);
        assert!(code == 1 && err.contains(why) && err.contains("--no-config"), "{config}: {code} {err}");
        assert_eq!(audit(config, &["."]).0, 0, "{config}");
        let again = ["--db", "a.db", "--fail-on", "info", "."];
        let _ = std::fs::remove_file(dir.path("r/docs/a.db"));
        assert_eq!(audit(config, &again).0, 1, "{config}");
        // A diff often adds only links that are excluded.
        let diff = audit(config, &["--fail-on", "info", "--diff", "../x.diff"]);
        assert_eq!(
            diff.1[1].contains("judges nothing"),
            config.contains("!*\"") && config.contains("host") || config.contains("deny"),
            "{config}"
        );
    }
    // Options that the user types, and files that the repository lacks, are no fault of its settings.
    assert_eq!(audit("top = 5", &["--fail-on", "info", "--host", "!*", "."]).0, 0);
    dir.file("r/docs/a.md", "no link\n");
    assert_eq!(audit("type = \"md\"\nhost = \"!b.example\"", &["--fail-on", "info", "."]).0, 0);
}

#[test]
fn a_repository_says_what_is_no_finding() {
    let dir = Dir::new();
    dir.file("r/.git/HEAD", "").file("r/docs/a.md", "ftp://joe:x1@a.example/ ftp://h/%00 http://fine.example/");
    dir.file("r/docs/b.txt", "ftp://joe:x2@b.example/");
    let config = "type = \"md\"\nfail-on = \"medium\"\n\n[[ignore]]\nurl = \"ftp://joe:*@a.example/*\"\nrule = \"A-PASSWORD\"\nreason = \"an example of RFC 1738\"\n\n[[ignore]]\nurl = \"*fine*\"\nreason = \"checked by hand\"\n";
    dir.file("r/.urlgrep.toml", config);
    let audit = |args: &[&str]| {
        let mut command = dir.command(&[&["audit", "--allow", "A-PASSWORD,A-NUL"], args].concat());
        let ran = command.current_dir(dir.path("r/docs")).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, json, err) = audit(&["--format", "json", "."]);
    assert_eq!((code, err.as_str()), (Some(1), "urlgrep: failed: 1 finding at medium or above: A-NUL\n"));
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["summary"]["by_rule"], json!({"A-NUL": 1}));
    assert_eq!(report["summary"]["ignored"], json!({"an example of RFC 1738": 1}));
    assert_eq!(report["urls"].as_array().unwrap().len(), 3, "the links are there");
    // The command line overrides it.
    assert_eq!(audit(&["--fail-on", "critical", "."]).0, Some(0));
    let all: Value = serde_json::from_str(&audit(&["--no-config", "--format", "json", "."]).1).unwrap();
    assert_eq!(all["summary"]["by_rule"], json!({"A-NUL": 1, "A-PASSWORD": 2}));
    assert!(audit(&["."]).1.contains("\nIgnored  1 finding: an example of RFC 1738\n"));
    // A checker must not request a link that is ignored for every rule.
    let (_, urls, _) = audit(&["--allow", "*", "--no-config", "--format", "urls", "."]);
    assert_eq!(urls, "http://fine.example/\n");
    assert_eq!(audit(&["--format", "urls", "."]).1, "");
    // It applies to no other folder.
    assert_eq!(document(&dir.run(&["audit", "--format", "json", "r/docs"]))["summary"]["ignored"], json!({}));
    dir.file("r/.urlgrep.toml", "show-secrets = true\n");
    let (code, out, err) = audit(&["."]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains(".urlgrep.toml: there is no key show-secrets"), "{err}");
}
