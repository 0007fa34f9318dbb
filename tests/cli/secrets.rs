//! No report shows a secret. Each field that a user or a stranger can fill gets one, and every
//! format is searched for it.

use super::support::{Dir, Ran};

/// A secret without a prefix that would give it away.
const SECRET: &str = "hUsH7gFq2Zk9WmT4xR8v";

const FORMATS: [&str; 10] = ["text", "html", "json", "jsonl", "csv", "sarif", "github", "junit", "ioc", "urls"];

/// Asserts that no format of an audit shows the secret, and that each has the word `shown`.
#[track_caller]
fn assert_hidden(dir: &Dir, args: &[&str], shown: &str) {
    for format in FORMATS {
        let ran = dir.run(&[&["audit", "--top", "200", "--format", format], args].concat());
        assert!((0..2).contains(&ran.code), "{format}: {}", ran.err);
        assert_clean(format, &ran);
        let is_record = ["csv", "jsonl", "github", "ioc", "urls", "sarif", "junit"].contains(&format);
        assert!(is_record || String::from_utf8_lossy(&ran.out).contains(shown), "{format} lacks {shown}");
    }
}

#[track_caller]
fn assert_clean(what: &str, ran: &Ran) {
    for text in [String::from_utf8_lossy(&ran.out).as_ref(), &ran.err] {
        let at = text.find(SECRET).map(|at| (at.saturating_sub(160), (at + 60).min(text.len())));
        let around = at.map(|(start, end)| String::from_utf8_lossy(&text.as_bytes()[start..end]).into_owned());
        assert!(around.is_none(), "{what}: {around:?}");
    }
}

/// Returns URLs that hold the secret in each of their components.
fn urls() -> Vec<String> {
    const SHAPES: &[&str] = &[
        "ftp://u:{}@h.example/",
        "ftp://:{}@h.example/",
        "ftp://u:a/{}@h.example/",
        "http://u:p@{}@h.example/",
        "https://u:a%40{}@h.example/",
        "https://u%3A{}@h.example/",
        "https://{}:x-oauth-basic@github.com/o/r",
        "https://{}@github.com/o/r",
        "https://{}:@h.example/",
        "https://h.example/?u=https%3A%2F%2Fj%3A{}%40i.example%2F",
        "https://hooks.slack.com/services/T/B/{}",
        "https://hooks.slack.com:443/services/T/B/{}",
        "https://u@hooks.slack.com/services/T/B/{}",
        "https://hooks.slack.com./services/T/B/{}",
        "https://hooks.slack.com//services/T/B/{}",
        "https://hooks.slack.com/./services//T/B/{}",
        "https://hooks.slack.com/%73ervices/T/B/{}",
        "https://api.telegram.org:443/bot1:{}/send",
        "https://h.example/ghp_{}0123456789abcdef/x",
        "https://h.example/a/glpat-{}",
        "https://h.example/?k=sk_test_{}0123",
        "https://h.example/?k=whsec_{}01234567",
        "https://h.example/?k=ya29.{}",
        "https://h.example/v1/hvs.{}",
        "https://h.example/?k=gsk_{}0123456789abcdef",
        "https://h.example/cb?state=x&code={}",
        "https://h.example/cb?code={}&client_id=x",
        "https://f.azurewebsites.net/api/f?code={}",
        "postgres://u:{}@h.example/db",
        "mysql://u:{}@h.example/db",
        "mongodb+srv://u:{}@h.example/db",
        "redis://:{}@h.example:6379/0",
        "amqp://u:{}@h.example/%2F",
        "smtp://u:{}@h.example:587",
        "jdbc:postgresql://h.example/db?user=u&password={}",
        "jdbc:sqlserver://h.example;user=u;password={}",
        "jdbc:oracle:thin:u/{}@h.example:1521:x",
        "sip:u:{}@h.example",
        "https://h.example/?q=%7B%22password%22%3A%22{}%22%7D",
    ];
    const NAMES: &str = "accessToken authToken api_token oauth_token_secret session_id user[password] user%5Bpassword%5D \
        db_password password passwd pwd token secret client_secret apiKey api-key x-api-key access_key secretAccessKey \
        PHPSESSID X-Amz-Signature sig signature";
    let shapes = SHAPES.iter().map(|shape| shape.replace("{}", SECRET));
    let names = NAMES
        .split_whitespace()
        .flat_map(|name| ["?", "?a=b&", "#", "a;"].map(|before| format!("https://h.example/{before}{name}={SECRET}")));
    shapes.chain(names).collect()
}

#[test]
fn in_each_component_of_a_url() {
    let dir = Dir::new();
    for (number, url) in urls().iter().enumerate() {
        dir.file(format!("d/{number:03}"), format!("see <{url}> or <URL:{url}> or\n{url}\n"));
        dir.file(format!("d/{number:03}.html"), format!("<!DOCTYPE html><a href=\"{url}\">{url}</a>\n"));
        let address = "From: a@b.example\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n";
        dir.file(
            format!("d/{number:03}.eml"),
            format!("{address}Subject: x {url}\nMessage-ID: <{number}@x>\n\n{url}\n"),
        );
    }
    assert_hidden(&dir, &["--any-scheme", "d"], "h.example");
    // Tokens of one class are masked, too.
    for (secret, name) in [("4711081547110815", "token"), ("abcdefghijklmnopqrst", "api_token"), ("x", "authToken")] {
        dir.file("one", format!("https://h.example/?{name}={secret}#y\n"));
        let report = dir.run(&["audit", "--format", "json", "one"]);
        assert!(report.text().contains(&format!("?{name}=***#y")), "{name}: {}", report.text());
    }
}

/// The text beside a link, and the link as the text writes it.
#[test]
fn in_the_text_around_a_link() {
    const TEXTS: &[&str] = &[
        "{\"u\":\"https:\\/\\/j:{}@h.example\\/\"}",
        "<!DOCTYPE html><a href='//u:{}@h.example/'>z</a>",
        "<!DOCTYPE html><a href='/x' title='https://u:{}@h.example/'>password: {}</a>",
        "<!DOCTYPE html><base href='https://u:{}@h.example/'><a href='x'>z</a>",
        "<!DOCTYPE html><a href='https:&#47;&#47;u:{}&#64;h.example/'>z</a>",
        "https://h.example/?password&#61;{}",
        "https://h.example/?password\\u003d{}",
        "https://h.example/?password=3D{}",
        "https://h.example/?password=\n{}",
        "https:=2F=2Fu:{}=40h.example/ http://i.example/",
        "https://u:a\"{}@h.example/",
        "https://u:a<{}@h.example/",
        "https://u:a|{}@h.example/",
        "https://u:a\\{}@h.example/",
        "https://u:a[{}@h.example/",
        "https://u:a^{}@h.example/",
        "https://h.example/?password=a\"{}",
        "https://h.example/?password=a<{}",
        "https://h.example/?password=a|{}",
        "https://h.example/?password=a\\{}",
        "https://h.example/?password=a^{}",
        "http://h.example/ {\"password\":\"{}\"}",
        "http://h.example/ password=\"{}\"",
        "http://h.example/ password: {}",
        "curl -H 'Authorization: Bearer {}' http://h.example/",
        "curl -u joe:{} http://h.example/",
        "http://h.example/ postgres://joe:{}@db.example/x",
        "http://h.example/ joe:{}@tcp(db.example:3306)/x",
        "http://h.example/ jdbc:oracle:thin:joe/{}@db.example:1521:x",
        "http://h.example/ Server=db.example;Pwd={};",
        "http://h.example/ ghp_{}0123456789abcdef",
        "<p>http://h.example/</p><password>{}</password>",
    ];
    let dir = Dir::new();
    for (number, text) in TEXTS.iter().enumerate() {
        let long = format!("{}/{SECRET}", "Ab1".repeat(300));
        dir.file(format!("d/{number:02}"), text.replace("{}", SECRET));
        dir.file(format!("d/{number:02}.json"), format!("[\"{}\"]\n", text.replace("{}", SECRET).replace('"', "\\\"")));
        dir.file("d/long", format!("token={long} http://h.example/y\n"));
    }
    assert_hidden(&dir, &["d"], "h.example");
    assert_hidden(&dir, &["--show-secrets", "--format", "html", "d/21", "d/24", "d/25"], "h.example");
    let run = dir.run(&["audit", "--db", "a.db", "d"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let database = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    let all = "SELECT group_concat(t, char(10)) FROM (SELECT url || coalesce(host, '') AS t FROM link
        UNION SELECT url || message FROM finding UNION SELECT before || source || after FROM place)";
    let stored: String = database.query_row(all, [], |row| row.get(0)).unwrap();
    let shown = stored.lines().find(|line| line.contains(SECRET));
    assert!(stored.contains("h.example") && shown.is_none(), "{shown:?}");
}

/// Ordinary text stays as it is, byte for byte.
#[test]
fn in_the_elements_around_a_link() {
    let dir = Dir::new();
    let page =
        format!("<c xmlns='urn:x'><user>joe</user><password>{SECRET}</password><url>http://h.example/</url></c>");
    dir.file("settings.xml", page);
    for args in [&["audit", "--format", "html", "settings.xml"], &["audit", "--format", "json", "settings.xml"]] {
        assert_clean("an element", &dir.run(args));
    }
    assert!(dir.run(&["audit", "--format", "html", "settings.xml"]).text().contains("password=***"));
}

#[test]
fn harmless_text_around_a_link_stays() {
    let dir = Dir::new();
    let texts = [
        "Password rules are at http://h.example/a, and the token: a word.\n",
        "<!DOCTYPE html><a href=\"/x?page_token=abc&amp;sort_key=b\">the password page</a>\n",
        "see http://h.example:80/b?country_code=de#code, says joe@a.example\n",
        "{\"url\":\"http://h.example:8080/c\",\"mail\":\"joe@a.example\",\"key\":\"a1\"}\n",
        "const token = await fetch(\"http://h.example/d\"); // 10:20:30\n",
    ];
    for (number, text) in texts.iter().enumerate() {
        dir.file(format!("d/{number}"), text);
    }
    dir.run(&["audit", "--db", "a.db", "d"]);
    let database = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    let all = "SELECT group_concat(before || source || after, char(10)) FROM place";
    let stored: String = database.query_row(all, [], |row| row.get(0)).unwrap();
    assert!(!stored.contains("***"), "{stored}");
    assert!(texts[0].trim_end() == stored.lines().next().unwrap(), "{stored}");
}

#[test]
fn in_the_report_of_a_link_checker() {
    let dir = Dir::new();
    dir.file("k", "http://h.example/x http://h.example/y http://h.example/z\n");
    let status = |text: &str| format!("{{\"text\":\"{text}\",\"details\":\"{text}\",\"code\":404}}");
    let errors = [
        format!("error sending request for url (http://u:{SECRET}@h.example/?token={SECRET})"),
        format!("Authorization: Bearer {SECRET}; password: {SECRET}"),
    ];
    let checked = format!(
        "{{\"error_map\":{{\"k\":[{{\"url\":\"http://h.example/x\",\"status\":{}}},{{\"url\":\"http://h.example/y\",\"status\":{}}}]}},
        \"success_map\":{{\"k\":[{{\"url\":\"http://h.example/z\",\"status\":{{\"text\":\"200 OK\",\"code\":200}},
        \"redirects\":{{\"redirects\":[{{\"url\":\"https://i.example/?accessToken={SECRET}\",\"code\":301}}]}}}}]}},
        \"suggestion_map\":{{\"k\":[{{\"original\":\"http://h.example/x\",\"suggestion\":\"http://w.example/?api_key={SECRET}\"}}]}}}}",
        status(&errors[0]),
        status(&errors[1])
    );
    dir.file("k.json", checked);
    assert_hidden(&dir, &["--checked", "k.json", "k"], "h.example");
    let text = dir.run(&["audit", "--checked", "k.json", "k"]);
    assert!(text.text().contains("http://u:***@h.example/?token=***"), "{}", text.text());
}

#[cfg(unix)]
#[test]
fn in_the_names_of_files() {
    let dir = Dir::new();
    dir.file(format!("d/a?access_token={SECRET}"), "http://localhost/ ftp://u@h.example:81/\n");
    dir.file(format!("d/password={SECRET}/b"), "http://localhost/b\n");
    dir.file(format!("e/x?api_key={SECRET}.html"), "<a href=http://localhost/c>x</a>\n");
    assert_hidden(&dir, &["d"], "access_token=***");
    assert_hidden(&dir, &["e"], "api_key=***");
    // A finding of such a file is known to a report that masks its name.
    let report = dir.run(&["audit", "--format", "json", "d", "e"]);
    dir.file("base.json", &report.out);
    let again = dir.run(&["audit", "--baseline", "base.json", "--fail-on", "info", "d", "e"]);
    assert_eq!(again.code, 0, "{}", again.text());
}

#[test]
fn in_options_settings_and_baselines() {
    let dir = Dir::new();
    dir.file("r/.git/HEAD", "").file("r/a.html", "<!DOCTYPE html><a href='/x'>x</a> http://localhost/\n");
    dir.file(
        "r/.urlgrep.toml",
        format!(
            "glob = [\"!password={SECRET}\"]\n[[ignore]]\nurl = \"http://localhost*\"\n\
             reason = \"see https://u:{SECRET}@h.example/?token={SECRET}\"\n"
        ),
    );
    let finding = format!(
        "{{\"rule\":\"token={SECRET}\",\"url\":\"http://u:{SECRET}@h.example/\",\"file\":\"x?token={SECRET}\"}}"
    );
    dir.file("r/base.json", format!("{{\"summary\":{{\"root\":\"password={SECRET}\"}},\"findings\":[{finding}]}}"));
    for format in FORMATS {
        let (base, glob) = (format!("http://u:{SECRET}@b.example/"), format!("!token={SECRET}"));
        let args = ["audit", "--format", format, "--base", &base, "--glob", &glob, "--baseline", "base.json", "."];
        let ran = Ran::of(dir.command(&args).current_dir(dir.path("r")));
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_clean(format, &ran);
    }
}

#[test]
fn in_a_diff() {
    let dir = Dir::new();
    let added: Vec<String> = urls().iter().map(|url| format!("+see <{url}> password: {SECRET}\n")).collect();
    let diff = format!("--- a/x\n+++ b/x?token={SECRET}\n@@ -0,0 +1,{} @@\n{}", added.len(), added.concat());
    dir.file("x.diff", diff);
    assert_hidden(&dir, &["--any-scheme", "--diff", "x.diff"], "h.example");
}

#[test]
fn in_the_fields_of_a_message() {
    let dir = Dir::new();
    let texts = [
        format!("password: {SECRET}"),
        format!("Bearer {SECRET}"),
        format!("https://h.example/?accessToken={SECRET}"),
        format!("//u:{SECRET}@h.example/ ghp_{SECRET}0123456789abcdef"),
        format!("u:a\"{SECRET}@h.example"),
        format!("=?utf-8?q?https:=2F=2Fu:{SECRET}=40h.example/?="),
    ];
    for (number, text) in texts.iter().enumerate() {
        let message = format!(
            "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: {text} <a@b.example>\nSubject: {text}\n\
             Message-ID: <token={SECRET}>\nNewsgroups: {text}\nDate: Sat, 3 Jan 1996 01:05:34 +0000\n\n\
             http://localhost/{number}\n"
        );
        // A name before a colon is that of a group of addresses, and is not kept.
        let message =
            if [0, 3].contains(&number) { message.replace(&format!("From: {text}"), "From: x") } else { message };
        dir.file(format!("d/{number}.mbox"), message.replace(&texts[4], &format!("https://{}", texts[4])));
    }
    assert_hidden(&dir, &["d"], "localhost");
}
