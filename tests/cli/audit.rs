//! `urlgrep audit`: the rules through the command, counts, masks, the options, and the database.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::database::agrees;
use super::support::{Dir, Ran};

/// A rule of section 5 of the specification, a text that breaks it, and a text that does not.
const RULES: &[(&str, &str, &str)] = &[
    ("X-INVALID", "http://h/^x", "http://h/%5Ex"),
    ("A-PLACEHOLDER", "http://h/{x}", "http://h/^x"),
    ("A-PORT-NONDEFAULT", "http://h:8080/", "http://h:80/"),
    ("A-PORT-RESERVED", "gopher://h:25/1x", "gopher://h:70/1x"),
    ("A-PORT-RANGE", "http://h:65536/", "http://h:65535/"),
    ("A-CRLF", "ftp://h/a%0D%0ADELE%20b", "ftp://h/a%20b"),
    ("A-NUL", "http://h/a%00.gif", "http://h/a%01"),
    ("A-CTRL", "telnet://u%1B@h", "gopher://h/7s%09q"),
    ("A-XPROTO", "gopher://h:25/0HELO%20x%0D%0AMAIL", "gopher://h/0a%0D%0Ab"),
    ("A-GPLUS-FORM", "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A", "gopher://h/0s%09%09+%0D%0A"),
    ("A-PASSWORD", "ftp://u:secret@h/", "ftp://u@h/"),
    ("A-USERINFO-HOST", "ftp://www.bank.com@evil.example/", "ftp://joe@ftp.example/"),
    ("A-DIVERGE", "https://host?email=joe@x.com", "https://host/?email=joe@x.com"),
    ("A-BACKSLASH", r"http://good.com\@evil.com/", "http://good.com/"),
    ("A-USERINFO-LAX", "http://bank@evil.com/", "http://bank.com/@evil.com"),
    ("A-ENC-DELIM", "http://h/a%2Fb", "http://h/a%20b"),
    ("A-DOTSEG", "http://h/a/%2e%2e/b", "http://h/a/..b"),
    ("A-DOUBLE-ENC", "http://h/%252Fetc", "http://h/100%25"),
    ("A-OBFUSC", "http://h/%61dmin", "http://h/%7Ejoe"),
    ("A-IP-LITERAL", "http://192.0.2.7/", "http://example.com/"),
    ("A-IP-RANGE", "http://256.1.1.1/", "http://255.1.1.1/"),
    ("A-IP-OCTAL", "http://010.0.0.1/", "http://10.0.0.1/"),
    ("A-IP-LOCAL", "http://169.254.169.254/x", "http://192.0.2.7/x"),
    ("A-IP-ODD", "http://2130706433/", "http://1.2.3.4/"),
    ("A-IDN-PUNY", "http://xn--pple-43d.com/", "http://apple.com/"),
    ("A-IDN-MIXED", "http://\u{430}pple.com/", "http://яндекс.рф/"),
    ("A-IDNA", "http://\u{1D421}.com/", "http://m\u{FC}nchen.de/"),
    ("A-BIDI", "http://h/\u{202E}gpj.exe", "http://h/exe.jpg"),
    ("A-BIDI-NEAR", "<URL:http://h/>\u{2066}", "<URL:http://h/>"),
    ("A-CASE", "HTTP://Example.COM/", "http://example.com/PATH"),
    ("A-LONG", "http://h/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "http://h/a"),
    (
        "A-DNS-LEN",
        "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com/",
        "http://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com/",
    ),
    ("A-FILE-REMOTE", "file://fs.example.com/x", "file:///x"),
    ("A-FILE-LOCAL", "file:///etc/passwd", "file://fs.example.com/x"),
    ("A-SCHEME-ACTIVE", "javascript:alert(1)", "mailto:a@b"),
    ("A-DATA", "data:image/png;base64,x", "data:text/html,x"),
    ("A-SCHEME-X", "x-test:y", "xtest:y"),
    ("A-SCHEME-RESERVED", "tn3270:x", "telnet://h"),
    ("A-MAIL-ROUTE", "mailto:user%25relay@host", "mailto:user@host"),
    ("A-MAIL-HDR", "mailto:a@b?subject=x", "mailto:a@b"),
    ("A-NEWS-SERVER", "news://s.example/1@h", "news:1@h"),
    ("A-NESTED-URL", "http://h/?u=http%3A%2F%2Fh%2Fx", "http://h/?u=x"),
    ("A-REDIRECT", "https://www.example.com/url?q=http://evil.test/", "http://a.example.com/?u=http://b.example.com/"),
    ("A-GATEWAY", "https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fh%2F", "https://outlook.com/x"),
    ("A-SHORT", "https://is.gd/x", "https://is.gd.example/x"),
    ("A-TENANT", "https://a.web.app/", "https://web.app/"),
    ("A-CLOSED", "http://www.geocities.com/x", "http://www.geocities.example/"),
    ("A-TOKEN", "https://h/?jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "https://h/?sid=02/08/29/1"),
    ("A-RECIPIENT", "https://h/?cid=joe@x.example", "https://h/joe@x.example/"),
    ("A-HYPHEN", "<URL:http://foo-\nbar.com/>", "<URL:http://foo\nbar.com/>"),
    ("A-SPACE-JOIN", "<URL:http://a.ex ample/>", "<URL:http://a.ex\nample/>"),
];

fn report(ran: &Ran) -> Value {
    assert_eq!(ran.err, "");
    serde_json::from_slice(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.text()))
}

fn rules(report: &Value) -> BTreeSet<String> {
    report["findings"].as_array().unwrap().iter().map(|finding| text(&finding["rule"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Returns URL, count and messages of every link.
fn links(report: &Value) -> Vec<(String, u64, u64)> {
    let link = |link: &Value| (text(&link["url"]), link["count"].as_u64().unwrap(), link["messages"].as_u64().unwrap());
    report["urls"].as_array().unwrap().iter().map(link).collect()
}

/// Returns a mailbox of messages with these bodies, one per day.
pub(crate) fn mailbox(bodies: &[&str]) -> String {
    let message = |(number, body): (usize, &&str)| {
        format!(
            "From joe@a.example Sat Jan  3 01:05:34 1996\nFrom: Joe <joe@a.example>\nSubject: no {number}\n\
             Date: Sat, {day} Jan 1996 01:05:34 +0000\nMessage-ID: <{number}@a.example>\n\n{body}\n\n",
            day = number % 28 + 1
        )
    };
    bodies.iter().enumerate().map(message).collect()
}

#[test]
fn every_rule_fires_on_its_trigger_and_is_silent_on_its_counterpart() {
    let dir = Dir::new();
    for (rule, trigger, counterpart) in RULES {
        for (url, fires) in [(trigger, true), (counterpart, false)] {
            let text = if url.starts_with('<') { format!("{url}\n") } else { format!("<URL:{url}>\n") };
            dir.file("t", text);
            let found = rules(&report(&dir.run(&["audit", "--format", "json", "--longest", "64", "t"])));
            // The long hosts of A-DNS-LEN are long URLs too.
            assert_eq!(found.contains(*rule), fires, "{rule} {url:?}: {found:?}");
        }
    }
    let mut known = dir.run(&["audit", "--rules"]).text().to_owned();
    for (rule, ..) in RULES {
        assert!(known.contains(rule), "{rule}");
        known = known.replacen(rule, "", 1);
    }
}

#[test]
fn one_url_in_several_ways_is_told_as_one() {
    let dir = Dir::new();
    let body = "http://a.example/x/../%7Ejoe http://b.example/ http://b.example/ http://c.example/x\n\
                HTTP://A.example:80/~joe http://b.example http://a.example/~joe http://a.example/~joe\n\
                http://d.example/./y http://d.example/z/../y ftp://u:secret@e.example/ FTP://u:secret@e.example/\n";
    dir.file("a.txt", body);
    let summary = report(&dir.run(&["audit", "--format", "json", "a.txt"]))["summary"].clone();
    let way = |url: &str, occurrences: u64| json!({"url": url, "occurrences": occurrences});
    assert_eq!(summary["spelled_urls"], 4);
    let spellings = summary["spellings"].as_array().unwrap();
    assert_eq!(
        spellings[0],
        json!({"url": "http://a.example/%7Ejoe", "occurrences": 4, "count": 3, "spellings": [
            way("http://a.example/~joe", 2), way("HTTP://A.example:80/~joe", 1), way("http://a.example/x/../%7Ejoe", 1),
        ]})
    );
    assert_eq!(spellings[1]["spellings"], json!([way("http://b.example/", 2), way("http://b.example", 1)]));
    let rest: Vec<_> = spellings[2..].iter().map(|spelled| text(&spelled["url"])).collect();
    assert_eq!(rest.iter().collect::<BTreeSet<_>>().len(), 2);
    assert!(rest.contains(&"http://d.example/y".to_owned()) && rest.contains(&"ftp://u:***@e.example/".to_owned()));
    let ran = dir.run(&["audit", "a.txt"]);
    assert!(ran.text().contains("\nWritten  4 URLs are written in several ways; http://a.example/%7Ejoe in 3 ways\n"));
    let page = dir.run(&["audit", "--format", "html", "a.txt"]).text().to_owned();
    assert!(page.contains("URLs that are written in several ways") && !page.contains("u:secret"));
    dir.file("b.txt", "http://b.example/ http://b.example/ http://b.example/x");
    let alone = report(&dir.run(&["audit", "--format", "json", "b.txt"]))["summary"].clone();
    assert_eq!((&alone["spellings"], &alone["spelled_urls"]), (&json!([]), &json!(0)));
}

/// Checks A-BIDI and A-BIDI-NEAR.
#[test]
fn characters_that_nobody_sees_are_named() {
    let dir = Dir::new();
    dir.file("a.txt", "<URL:http://h/\u{202E}gpj.exe> and <URL:http://h/x>\u{2066}\n");
    let names = ["U+202E RIGHT-TO-LEFT OVERRIDE", "U+2066 LEFT-TO-RIGHT ISOLATE"];
    for format in ["text", "html", "json", "csv", "sarif"] {
        let ran = dir.run(&["audit", "--allow", "A-BIDI,A-BIDI-NEAR", "--format", format, "a.txt"]);
        assert!(names.iter().all(|name| ran.text().contains(name)), "{format}: {}", ran.text());
    }
    let json = ["audit", "--allow", "A-BIDI,A-BIDI-NEAR", "--format", "json"];
    let fresh = report(&dir.run(&[&json[..], &["a.txt"]].concat()));
    for _ in 0..2 {
        let kept = report(&dir.run(&[&json[..], &["--db", "a.db", "a.txt"]].concat()));
        assert_eq!(kept["findings"], fresh["findings"]);
    }
    assert_eq!(fresh["findings"][0]["message"], names[0]);
}

#[test]
fn a_url_is_one_however_it_is_written_and_its_messages_count_once() {
    let dir = Dir::new();
    dir.file(
        "a.mbox",
        mailbox(&[
            "http://a.example/~joe HTTP://A.example:80/%7Ejoe",
            "http://a.example/%7ejoe and http://b.example",
            "http://b.example/ <URL:http://b.example/>",
        ]),
    );
    let report = report(&dir.run(&["audit", "--format", "json", "a.mbox"]));
    let expected = [("http://a.example/~joe", 3, 2), ("http://b.example", 3, 2)];
    assert_eq!(links(&report), expected.map(|(url, count, messages)| (url.to_owned(), count, messages)));
    let summary = &report["summary"];
    assert_eq!(
        ["files", "messages", "occurrences", "urls", "hosts"].map(|name| summary[name].as_u64().unwrap()),
        [1, 3, 6, 2, 2]
    );
    // A finding about one spelling names that spelling.
    let case = report["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "A-CASE").unwrap();
    assert_eq!((text(&case["url"]), case["count"].as_u64()), ("HTTP://A.example:80/%7Ejoe".to_owned(), Some(1)));
}

#[test]
fn the_rest_of_the_archive_says_what_a_doubtful_hyphen_is() {
    let dir = Dir::new();
    let doubtful = "<URL:http://a.example/call-\nfor-papers>";
    let with = |bodies: &[&str]| {
        dir.file("a.mbox", mailbox(bodies));
        let report = report(&dir.run(&["audit", "--format", "json", "a.mbox"]));
        let finding =
            report["findings"].as_array().unwrap().iter().find(|finding| finding["rule"] == "A-HYPHEN").cloned();
        (links(&report), finding.map(|finding| text(&finding["message"])).unwrap())
    };
    let link = |url: &str, count, messages| (format!("http://a.example/{url}"), count, messages);

    let (links, message) = with(&[doubtful, "nothing else"]);
    assert_eq!(links, [link("call-for-papers", 1, 1)]);
    assert!(message.contains("no reading occurs unbroken elsewhere"), "{message}");

    // The copy is in an earlier message, in the same one, or in a later one.
    let kept = "http://a.example/call-for-papers";
    let dropped = "see http://a.example/callfor-papers now";
    let (links, message) = with(&[dropped, doubtful, "-"]);
    assert_eq!(links, [link("callfor-papers", 2, 2)]);
    assert_eq!(message, "may also be `http://a.example/call-for-papers`; this reading occurs unbroken elsewhere once");

    let both = format!("{doubtful}\n{dropped}\n{doubtful}");
    let (links, message) = with(&[&both, dropped, &both]);
    assert_eq!(links, [link("callfor-papers", 7, 3)]);
    assert!(message.contains("elsewhere 3 times"), "{message}");

    // The more frequent one wins, or the first of equals.
    let (links, _) = with(&[doubtful, kept, dropped]);
    assert_eq!(links, [link("call-for-papers", 2, 2), link("callfor-papers", 1, 1)]);
    let (links, message) = with(&[kept, doubtful, dropped, dropped]);
    assert_eq!(links, [link("call-for-papers", 1, 1), link("callfor-papers", 3, 3)]);
    assert!(message.ends_with("elsewhere 2 times, `http://a.example/call-for-papers` once"), "{message}");

    // A copy that another mailer cut, and that was not rejoined, is not evidence.
    let (links, message) = with(&["http://a.example/call-\nfor-papers/x.html", "http://a.example/call-"]);
    assert_eq!(links, [link("call-for-papers/x.html", 1, 1), link("call-", 1, 1)]);
    assert!(message.contains("no reading occurs unbroken elsewhere"), "{message}");
}

#[test]
fn what_a_link_checker_answers_for_a_reading_counts() {
    let dir = Dir::new();
    dir.file("a.txt", "<URL:http://x.example/a-\nb>\n");
    let with = |fine: &[&str], broken: &[&str]| {
        let entry =
            |code: u16| move |url: &&str| format!(r#"{{"url":"{url}","status":{{"text":"{code}","code":{code}}}}}"#);
        let list = |urls: &[&str], code| urls.iter().map(entry(code)).collect::<Vec<_>>().join(",");
        let [fine, broken] = [list(fine, 200), list(broken, 404)];
        dir.file("c.json", format!(r#"{{"error_map":{{"f":[{broken}]}},"success_map":{{"f":[{fine}]}}}}"#));
        let report = report(&dir.run(&["audit", "--format", "json", "--checked", "c.json", "a.txt"]));
        let findings = report["findings"].as_array().unwrap();
        let hyphen = findings.iter().find(|finding| finding["rule"] == "A-HYPHEN").unwrap();
        let broken = findings.iter().any(|finding| finding["rule"] == "X-BROKEN");
        (text(&report["urls"][0]["url"]), text(&hyphen["severity"]), broken, text(&hyphen["message"]))
    };
    let [kept, dropped] = ["http://x.example/a-b", "http://x.example/ab"];
    let (url, severity, broken, message) = with(&[], &[kept]);
    assert_eq!((&*url, &*severity, broken), (kept, "low", true), "dead, and yet it may be what was written");
    assert!(message.ends_with("; a link checker reports for this reading: 404"), "{message}");
    let (url, severity, broken, message) = with(&[dropped], &[kept]);
    assert_eq!((&*url, &*severity, broken), (dropped, "info", false));
    assert!(
        message.contains("reports for `http://x.example/a-b`: 404") && message.contains("this reading: 200"),
        "{message}"
    );
    let (url, severity, broken, _) = with(&[kept], &[dropped]);
    assert_eq!((&*url, &*severity, broken), (kept, "info", false));
    let (url, severity, ..) = with(&[kept, dropped], &[]);
    assert_eq!((&*url, &*severity), (kept, "info"));
}

/// Checks a bare URL that a mailer may have broken. The text's own reading stands until there is
/// evidence against it.
#[test]
fn the_rest_of_the_archive_says_whether_a_bare_url_goes_on_in_the_next_line() {
    let dir = Dir::new();
    // Without evidence, the reading with the next line is only an alternative.
    let [cut, whole] = ["http://www.harbour.example/docs/Harbour-1.0.3/howto", "/standard.txt"];
    let joined = format!("{cut}{whole}");
    let doubtful = format!("At {cut}\n{whole} and was made by us all in a year");
    let report_of = |bodies: &[&str], args: &[&str]| {
        dir.file("a.mbox", mailbox(bodies));
        report(&dir.run(&[&["audit", "--format", "json"], args, &["a.mbox"]].concat()))
    };
    let hyphen = |report: &Value| {
        let findings = report["findings"].as_array().unwrap().iter();
        let mut found = findings.filter(|finding| finding["rule"] == "A-HYPHEN").cloned();
        found.next().map(|finding| (text(&finding["severity"]), text(&finding["message"])))
    };
    let asked = |bodies: &[&str]| {
        dir.file("a.mbox", mailbox(bodies));
        dir.run(&["audit", "--format", "urls", "a.mbox"]).text().to_owned()
    };
    let alone = report_of(&[&doubtful], &[]);
    assert_eq!((links(&alone), hyphen(&alone)), (vec![(cut.to_owned(), 1, 1)], None));
    assert_eq!(asked(&[&doubtful]), format!("{cut}\n{joined}\n"), "a checker may know");

    // The whole URL is unbroken elsewhere, which is evidence. An unbroken first half proves
    // nothing.
    let see = format!("see {joined} now");
    let seen = report_of(&[&doubtful, &see, cut, cut], &[]);
    assert_eq!(links(&seen), [(joined.clone(), 2, 2), (cut.to_owned(), 2, 2)]);
    let (severity, message) = hyphen(&seen).unwrap();
    assert_eq!(severity, "low");
    assert!(message.contains("may also be `http") && message.ends_with("occurs unbroken elsewhere once"), "{message}");
    assert_eq!(asked(&[&doubtful, &see]), format!("{joined}\n"), "nothing is left to ask");
    dir.run(&["audit", "--db", "a.db", "a.mbox"]);
    agrees(&dir, &["a.mbox"]);
    // A URL that is written unbroken and its joined copy are one URL to every rule.
    let port = |text: &str| text.replace("harbour.example", "harbour.example:8080");
    let twice = report_of(&[&port(&doubtful), &port(&see)], &["--allow", "A-PORT-NONDEFAULT"]);
    assert_eq!((twice["findings"].as_array().unwrap().len(), &twice["findings"][0]["count"]), (1, &json!(2)));

    // A link checker has results for both readings.
    let checked = |fine: &str, broken: &str, body: &str| {
        let entry =
            |url: &str, code| format!(r#"{{"f":[{{"url":"{url}","status":{{"text":"{code}","code":{code}}}}}]}}"#);
        let maps = [("error_map", broken, 404), ("success_map", fine, 200)];
        let maps = maps.map(|(map, url, code)| format!("\"{map}\":{}", entry(url, code)));
        dir.file("c.json", format!("{{{}}}", maps.join(",")));
        report_of(&[body], &["--checked", "c.json"])
    };
    let answered = checked(&joined, cut, &doubtful);
    assert_eq!(links(&answered), [(joined.clone(), 1, 1)]);
    assert_eq!(hyphen(&answered).unwrap().0, "info");
    assert!(!rules(&answered).contains("X-BROKEN"));

    // A joined URL is gone, but its first half exists: the finding is low, and the URL stays
    // joined.
    let [first, second] = ["http://www.harbour.example/tides/1995/", "tables/february.html"];
    let joined = format!("{first}{second}");
    let broken = format!("The tables that you asked for are on our server: {first}\n{second}");
    assert_eq!(links(&report_of(&[&broken], &[])), [(joined.clone(), 1, 1)]);
    assert_eq!(hyphen(&report_of(&[&broken], &[])), None);
    assert_eq!(asked(&[&broken]), format!("{joined}\n"));
    let gone = checked(first, &joined, &broken);
    assert_eq!(links(&gone), [(joined, 1, 1)]);
    assert!(rules(&gone).contains("X-BROKEN"));
    let (severity, message) = hyphen(&gone).unwrap();
    assert_eq!(severity, "low");
    assert!(message.contains(": 404; a link checker reports for") && message.ends_with(": 200"), "{message}");
}

#[test]
fn the_report_is_the_same_for_every_number_of_threads_and_through_a_pipe() {
    let dir = Dir::new();
    let bodies: Vec<String> = (0..3000)
        .map(|n| {
            format!(
                "http://h{}.example/{n} <URL:http://a.example/x-\n{}> http://u:p{n}@h/ file:///{}",
                n % 7,
                n % 5,
                n % 11
            )
        })
        .collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let mbox = mailbox(&bodies);
    dir.file("a.mbox", &mbox);
    for n in 0..40 {
        dir.file(format!("d/{n}.txt"), format!("{}\nhttp://only.example/{n}", bodies[n * 3..n * 3 + 3].join("\n")));
    }
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls"] {
        let audit = |threads: &str| dir.run(&["audit", "--format", format, "-j", threads, "a.mbox", "d"]);
        let one = audit("1");
        assert_eq!((one.code, one.err.as_str()), (0, ""), "{format}");
        assert!(one.out.len() > 1000, "{format}");
        for threads in ["2", "5"] {
            // The page contains the command line.
            let out = String::from_utf8_lossy(&audit(threads).out).replace(&format!(" -j {threads} "), " -j 1 ");
            assert!(out.as_bytes() == one.out, "{format} with {threads} threads");
        }
        let file = dir.run(&["audit", "--format", format, "a.mbox"]).out;
        let pipe = dir.run_with(&["audit", "--format", format], mbox.as_bytes()).out;
        let renamed =
            String::from_utf8_lossy(&file).replace(&format!("{format} a.mbox"), format).replace("a.mbox", "-");
        let is_same = String::from_utf8_lossy(&pipe).replace("a.mbox", "-") == renamed;
        // SARIF has a hash of the name. Columns are counted only in files that exist.
        assert!(is_same || matches!(format, "sarif" | "github"), "{format} through a pipe");
    }
}

#[test]
fn passwords_are_masked_in_every_format_unless_asked_for() {
    let dir = Dir::new();
    dir.file(
        "a.txt",
        "before http://x:hush1@y/ <URL:ftp://joe:hush2@h.example/a-\nb> http://u:hush3@h/?u=ftp://a:hush4@b/\n",
    );
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls"] {
        let out = dir.run(&["audit", "--format", format, "a.txt"]).out;
        let out = String::from_utf8_lossy(&out);
        assert!(!out.contains("hush"), "{format}: {out}");
    }
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc"] {
        let out = dir.run(&["audit", "--show-secrets", "--format", format, "a.txt"]).out;
        assert!(String::from_utf8_lossy(&out).contains("hush2"), "{format}");
    }
}

/// Masks a secret in each place that can hold one.
#[test]
fn secrets_are_masked_wherever_they_stand() {
    let dir = Dir::new();
    let names = "password pass pwd passwd passphrase client_secret apiKey api_key access_token refresh_token id_token \
        X-Amz-Signature X-Amz-Security-Token X-Goog-Signature private_token";
    let key = "ghp_hush3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5";
    let mut urls: Vec<String> =
        names.split_whitespace().map(|name| format!("https://h.example/?a=b&{name}=hush")).collect();
    urls.extend(names.split_whitespace().map(|name| format!("ftp://h.example/a?{name}=hush#x")));
    urls.extend([
        format!("https://{key}@github.com/o/r.git"),
        format!("https://{key}:x-oauth-basic@github.com/o/r.git"),
        "https://oauth2:glpat-hush5gH7jK9mN1pQ3sT5@gitlab.com/o/r.git".to_owned(),
        "https://glpat-hush5gH7jK9mN1pQ3sT5@gitlab.com/o/r.git".to_owned(),
        "https://joe%3Ahush@h.example/".to_owned(),
        "https://h.example/?u=http%3A%2F%2Fq%3Ahush%40i.example%2F".to_owned(),
        "https://h.example/a.jsp;jsessionid=hush.node1?x=y".to_owned(),
        "https://h.example/?sid=hush0123456789abcdef".to_owned(),
        "https://api.telegram.org/bot123456:AAhush/sendMessage".to_owned(),
        "https://hooks.slack.com/services/T00/B00/hush".to_owned(),
        "https://discord.com/api/webhooks/123/hush".to_owned(),
        "URL:foo:joe:hush@h.example".to_owned(),
    ]);
    dir.file("a.txt", urls.iter().map(|url| format!("see <{url}>\n")).collect::<String>());
    dir.file("b.eml", format!("From: a@h.example\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\n{}\n", urls.join("\n")));
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls"] {
        let out = dir.run(&["audit", "--top", "100", "--any-scheme", "--format", format, "a.txt", "b.eml"]).out;
        let out = String::from_utf8_lossy(&out);
        let shown = out.match_indices("hush").next().map(|(at, _)| &out[at.saturating_sub(80)..at + 20]);
        assert!(out.len() > 500 && shown.is_none(), "{format}: {shown:?}");
    }
}

/// Masks fields of a message: anybody can write a URL into a header, and into the target of a
/// record.
#[test]
fn secrets_in_the_fields_of_a_message_are_masked() {
    let dir = Dir::new();
    let body = "http://localhost/ http://u@h.example:81/ <URL:http://h.example/a-\nb>";
    dir.file(
        "a.mbox",
        format!(
            "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: \"ftp://joe:hush@h.example/\" <a@b.example>\n\
             Subject: see =?utf-8?q?ftp=3A//joe=3Ahush@h.example/x?= or https://h.example/?password=hush\n\
             Message-ID: <ftp://joe:hush@h.example>\nNewsgroups: ftp://joe:hush@h.example/,comp.x\n\
             Date: Sat, 3 Jan 1996 01:05:34 +0000\n\n{body}\n"
        ),
    );
    dir.file(
        "c.eml",
        format!("From: ftp://joe:hush@h.example/x\nSubject: x\nMessage-ID: <ftp://h>\nTo: a@b.example\n\n{body}\n"),
    );
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n{body}\n");
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://joe:hush@h.example/?u=sip:joe:hush@h.example\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{answer}\r\n\r\n",
        answer.len()
    );
    dir.file("b.warc", record);
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls"] {
        let out = dir.run(&["audit", "--format", format, "a.mbox", "b.warc", "c.eml"]).out;
        let out = String::from_utf8_lossy(&out);
        assert!(out.contains("h.example") && !out.contains("hush"), "{format}: {out}");
    }
    let found = dir.run(&["audit", "--show-secrets", "--format", "json", "a.mbox"]);
    let subject = r#""subject":"see ftp://joe:***@h.example/x or https://h.example/?password=***""#;
    assert!(found.text().contains(subject), "{}", found.text());
    dir.run(&["audit", "--db", "a.db", "a.mbox", "b.warc"]);
    let database = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    let mut messages = database
        .prepare("SELECT coalesce(message_id, '') || sender || subject || newsgroups, url FROM message")
        .unwrap();
    let mut rows = messages.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let texts: [Option<String>; 2] = [row.get(0).unwrap(), row.get(1).unwrap()];
        assert!(texts.iter().flatten().all(|text| text.contains("***") && !text.contains("hush")), "{texts:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_database_that_is_no_file_is_refused_with_the_remedy() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/\n");
    std::fs::create_dir(dir.path("folder")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path("pipe")).status().unwrap();
    assert!(made.success());
    for name in ["pipe", "folder", "/dev/null"] {
        dir.run(&["audit", "--db", name, "a.txt"]).fails("", &[name, "regular file", "name a regular file"]);
    }
}

/// Masks other secrets as it masks passwords, wherever the URL is shown.
#[test]
fn secrets_are_masked_in_every_format_unless_asked_for() {
    let dir = Dir::new();
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodXNoIn0.aHVzaGh1c2g";
    let text = format!(
        "see https://h.example/?jwt={jwt} and https://h.example/#access_token=hush0123456789abc\n\
         <URL:https://i.example/?u=https%3A%2F%2Fh.example%2F%3Ftoken%3Dhush0123456789abc%26b>\n\
         <URL:https://i.example/?secret=hush0123\n456789abcdefhush>\n\
         https://href.li/?https://h.example/?sig=hush0123456789abc ok\n\
         <a href=\"https://j.example/?api_key=hush0123456789abc%2541%0D%0Ax\">x</a>\n"
    );
    dir.file("a.txt", &text);
    let is_clean = |out: &[u8]| {
        let out = String::from_utf8_lossy(out);
        !out.contains("hush") && !out.contains("aHVzaGh1c2g") && !out.contains("abc%26") && !out.contains("456789")
    };
    for format in ["text", "json", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls"] {
        let out = dir.run(&["audit", "--format", format, "a.txt"]).out;
        assert!(out.len() > 100 && is_clean(&out), "{format}: {}", String::from_utf8_lossy(&out));
    }
    let shown = dir.run(&["audit", "--show-secrets", "--format", "json", "a.txt"]).out;
    assert!(String::from_utf8_lossy(&shown).contains(jwt));
    for url in [format!("https://h.example/?jwt={jwt}"), "https://h/~?password=hush0123456789abc".to_owned()] {
        let ran = dir.run(&["parse", "--explain", &url]);
        let explained = String::from_utf8_lossy(&ran.out);
        // The verdict repeats the input.
        let explained = explained.split_once('\n').unwrap().1;
        assert!(is_clean(explained.as_bytes()) && explained.contains("A-TOKEN"), "{explained}");
    }
    dir.run(&["audit", "--db", "a.db", "a.txt"]);
    // `place.url` is unmasked, since reports are made from it. All else is masked.
    let database = rusqlite::Connection::open(dir.path("a.db")).unwrap();
    let all = "SELECT group_concat(t) FROM (SELECT url AS t FROM link UNION SELECT url || message FROM finding
        UNION SELECT before || source || after FROM place)";
    let reported: String = database.query_row(all, [], |row| row.get(0)).unwrap();
    assert!(!reported.is_empty() && is_clean(reported.as_bytes()), "{reported}");
}

#[test]
fn figures_are_no_findings_to_people() {
    let dir = Dir::new();
    dir.file("a.txt", "HTTP://a.example/ http://a.example/~x HTTP://a.example/\n");
    let text = |args: &[&str]| dir.run(&[&["audit"], args, &["a.txt"]].concat()).text().to_owned();
    let plain = text(&[]);
    assert!(
        plain.starts_with("None of the checked rules fires on 2 URLs.\nThe links may still")
            && !plain.contains("X-LATER"),
        "{plain}"
    );
    assert!(plain.contains("     1       2  upper case in the scheme or the host (A-CASE)\n"), "{plain}");
    let listed = text(&["--deny", "x-later"]);
    assert!(listed.contains("X-LATER: a URL under RFC 3986") && !listed.contains("  A-CASE: "), "{listed}");
    assert!(text(&["--allow", "A-CASE"]).contains("  A-CASE: upper case"));
    let found = |args: &[&str]| rules(&report(&dir.run(&[&["audit", "--format", "json"], args, &["a.txt"]].concat())));
    assert!(found(&[]).contains("X-LATER") && !found(&["--deny", "X-LATER"]).contains("X-LATER"));
    let page = text(&["--format", "html"]);
    assert!(!page.contains("rule-A-CASE") && page.contains("A-CASE</small>"));
}

/// Excuses normal links of HTML, and of the header fields of a mailing list.
#[test]
fn the_place_can_excuse_a_url() {
    let dir = Dir::new();
    let body = "<a href='//cdn.example/x.png'>x</a> <a href='/top'>t</a> <a href='next.html'>n</a> <img src='cid:1@a.example'>
        <a href='mailto:list-request@a.example?subject=unsubscribe'>leave</a> <a href='mailto:joe@a.example?subject=hi'>j</a>";
    let mbox = mailbox(&[body]).replace(
        "Subject:",
        "MIME-Version: 1.0\nContent-Type: text/html\nList-Unsubscribe: <mailto:list-request@a.example?subject=unsubscribe>\nSubject:",
    );
    dir.file("a.mbox", mbox);
    let report = report(&dir.run(&["audit", "--format", "json", "a.mbox"]));
    let found: BTreeSet<(String, String)> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (text(&finding["rule"]), text(&finding["url"])))
        .collect();
    let is_about =
        |rule: &str| found.iter().filter(|(of, _)| of == rule).map(|(_, url)| url.as_str()).collect::<Vec<_>>();
    assert_eq!(is_about("X-RELATIVE"), ["//cdn.example/x.png", "/top"]);
    assert_eq!(is_about("A-MAIL-HDR"), ["mailto:joe@a.example?subject=hi"]);
    assert!(is_about("X-INVALID").is_empty() && is_about("A-SCHEME-RESERVED").is_empty(), "{found:?}");
}

/// Checks that a page in `data:` is silent only if every place shows it as a picture.
#[test]
fn a_picture_excuses_only_pictures() {
    let dir = Dir::new();
    let picture = "<html><body><img src='data:text/html,x'>";
    for (page, count) in [(picture.to_owned(), 0), (format!("{picture}<a href='data:text/html,x'>a</a>"), 1)] {
        dir.file("a.html", page);
        let report = report(&dir.run(&["audit", "--format", "json", "a.html"]));
        let findings = report["findings"].as_array().unwrap().iter();
        assert_eq!(findings.filter(|finding| finding["rule"] == "A-SCHEME-ACTIVE").count(), count);
    }
}

/// Checks that a clickable link in mail is more severe than a URL in text or an automatically
/// fetched one.
#[test]
fn the_place_can_make_a_rule_worse() {
    let dir = Dir::new();
    let body = "<a href='https://a.web.app/'>x</a> <img src='https://b.web.app/x.png'>
        <form action='https://docs.google.com/forms/d/x'></form> <p style='background: url(https://c.web.app/x.png)'>
        <a href='https://nam01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fd.web.app%2F'>y</a> https://e.web.app/";
    dir.file("a.mbox", mailbox(&[body]).replace("Subject:", "MIME-Version: 1.0\nContent-Type: text/html\nSubject:"));
    dir.file("a.html", format!("<html>{body}</html>")).file("a.txt", "see https://e.web.app/ and https://a.web.app/");
    let severities = |files: &[&str]| -> Vec<(String, String)> {
        let report = report(&dir.run(&[&["audit", "--allow", "A-TENANT", "--format", "json"], files].concat()));
        let findings = report["findings"].as_array().unwrap().iter();
        findings.map(|finding| (text(&finding["url"]), text(&finding["severity"]))).collect()
    };
    let of_mail = severities(&["a.mbox"]);
    assert_eq!(of_mail.len(), 6, "{of_mail:?}");
    for (url, severity) in &of_mail {
        let is_clicked = ["a.web", "docs.google", "safelinks"].iter().any(|part| url.contains(part));
        assert_eq!(severity, if is_clicked { "medium" } else { "low" }, "{url}");
    }
    for file in ["a.html", "a.txt"] {
        assert!(severities(&[file]).iter().all(|(_, severity)| severity == "low"), "{file}");
    }
    // One place is enough, whichever comes first.
    for files in [["a.txt", "a.mbox"], ["a.mbox", "a.txt"]] {
        assert!(severities(&files).contains(&("https://a.web.app/".into(), "medium".into())));
    }
    // A link to a blog or a home machine is mild, unless it can be clicked.
    let [blog, home] = ["http://joe.blogspot.com/", "http://joe.dyndns.org/"];
    let body = format!("<a href='{blog}'>x</a> {home}");
    dir.file("b.mbox", mailbox(&[&body]).replace("Subject:", "MIME-Version: 1.0\nContent-Type: text/html\nSubject:"));
    dir.file("b.txt", format!("{blog} {home}"));
    let pair = |url: &str, severity: &str| (url.to_owned(), severity.to_owned());
    assert_eq!(severities(&["b.mbox", "b.txt"]), [pair(blog, "medium"), pair(home, "info")]);
    assert_eq!(severities(&["b.txt"]), [pair(blog, "info"), pair(home, "info")]);
    agrees(&dir, &["a.mbox", "a.txt"]);
    agrees(&dir, &["a.txt", "a.mbox"]);
}

/// Checks A-HTTP for hosts that the archive links to by both http and https.
#[test]
fn a_host_that_is_linked_to_by_https_too() {
    let dir = Dir::new();
    dir.file(
        "a.txt",
        "http://a.example/1 http://A.example/2 http://b.example/ http://c.example:8080/ http://u@c.example:8080/ ftp://d.example/\n",
    );
    dir.file(
        "b.txt",
        "https://a.example/ HTTPS://C.example/ https://d.example/ https://e.example/ http://e.example/x\n",
    );
    for threads in ["1", "2"] {
        let report =
            report(&dir.run(&["audit", "--allow", "A-HTTP", "--format", "json", "-j", threads, "a.txt", "b.txt"]));
        let findings = report["findings"].as_array().unwrap().iter();
        let found: Vec<_> = findings.map(|finding| (text(&finding["url"]), text(&finding["severity"]))).collect();
        let info = |url: &str| (url.to_owned(), "info".to_owned());
        assert_eq!(found, [info("http://a.example/1"), info("http://e.example/x")]);
        assert_eq!(report["summary"]["by_rule"]["A-HTTP"], 2);
    }
    agrees(&dir, &["a.txt", "b.txt"]);
}

#[test]
fn a_shortener_that_a_reader_of_mail_clicks_on_is_worse() {
    let dir = Dir::new();
    let body = "<a href='https://is.gd/a'>x</a> <a href='https://bit.ly/b'>x</a> <img src='https://t.co/c'>
        <a href='https://u1.ct.sendgrid.net/ls/click?upn=d'>x</a> https://is.gd/e
        <a href='https://href.li/?https://www.tinyurl.com/f'>x</a>";
    dir.file("a.mbox", mailbox(&[body]).replace("Subject:", "MIME-Version: 1.0\nContent-Type: text/html\nSubject:"));
    let report = report(&dir.run(&["audit", "--allow", "A-SHORT", "--format", "json", "a.mbox"]));
    let findings = report["findings"].as_array().unwrap().iter();
    let worse = findings.filter(|finding| finding["severity"] == "medium").map(|finding| text(&finding["url"]));
    assert_eq!(worse.collect::<Vec<_>>(), ["https://is.gd/a", "https://href.li/?https://www.tinyurl.com/f"]);
    assert_eq!(report["findings"].as_array().unwrap().len(), 6);
    agrees(&dir, &["a.mbox"]);
}

#[test]
fn an_address_that_a_reader_of_mail_clicks_on_is_worse() {
    let dir = Dir::new();
    let body = "<a href='http://93.184.216.34/'>x</a> <a href='http://[2606:2800:220:1::7]/'>x</a>
        <img src='http://93.184.216.35/'> <a href='http://192.0.2.7/'>x</a> <a href='http://192.168.0.1/'>x</a>";
    dir.file("a.mbox", mailbox(&[body]).replace("Subject:", "MIME-Version: 1.0\nContent-Type: text/html\nSubject:"));
    let report = report(&dir.run(&["audit", "--allow", "A-IP-LITERAL", "--format", "json", "a.mbox"]));
    let findings = report["findings"].as_array().unwrap().iter();
    let severities: Vec<String> = findings.map(|finding| text(&finding["severity"])).collect();
    assert_eq!(severities, ["medium", "medium", "low", "info", "info"]);
    agrees(&dir, &["a.mbox"]);
}

/// Checks that a link is more severe if it names the recipient of its mail.
#[test]
fn a_link_that_names_the_reader_is_worse() {
    let dir = Dir::new();
    let body = "<a href='https://h.example/a#joe@a.example'>1</a> <a href='https://h.example/b#am9lQGEuZXhhbXBsZQ'>2</a>
        <a href='https://h.example/c/6A6F6540612E6578616D706C65'>3</a> <a href='https://h.example/d/joe%40a.example/x'>4</a>
        <a href='https://h.example/e?u=joe@a.example'>5</a> <a href='https://h.example/f#ann@a.example'>6</a>
        <a href='https://h.example/g/ann@a.example'>7</a> <img src='https://h.example/h/joe@a.example'>
        <a href='https://h.example/i#jbr@n.rknzcyr'>8</a> <a href='https://h.example/j#wbr@n.rknzcyr'>9</a>";
    let mail = |more: &str| {
        let field = format!("MIME-Version: 1.0\nContent-Type: text/html\nTo: Joe <JOE@a.example>\n{more}Subject:");
        mailbox(&[body]).replace("Subject:", &field)
    };
    dir.file("a.mbox", mail("")).file("list.mbox", mail("List-Id: <l.a.example>\n"));
    let severities = |file: &str| -> Vec<(String, String)> {
        let report = report(&dir.run(&["audit", "--allow", "A-RECIPIENT", "--format", "json", file]));
        let findings = report["findings"].as_array().unwrap().iter();
        let end = |url: &str| url["https://h.example/".len()..][..1].to_owned();
        findings.map(|finding| (end(&text(&finding["url"])), text(&finding["severity"]))).collect()
    };
    let pair = |(url, severity): (&str, &str)| (url.to_owned(), severity.to_owned());
    let of_mail = [
        ("a", "medium"),
        ("b", "medium"),
        ("c", "low"),
        ("d", "low"),
        ("e", "low"),
        ("f", "low"),
        ("i", "low"),
        ("j", "medium"),
    ];
    assert_eq!(severities("a.mbox"), of_mail.map(pair));
    let of_list = [("a", "low"), ("b", "low"), ("e", "low"), ("f", "low"), ("i", "low"), ("j", "low")];
    assert_eq!(severities("list.mbox"), of_list.map(pair));
    agrees(&dir, &["a.mbox", "list.mbox"]);
}

#[test]
fn options_choose_rules_and_the_exit_status() {
    let dir = Dir::new();
    dir.file("a.txt", "http://10.0.0.1:8080/ HTTP://h/ ftp://u:p@h/\n");
    let found = |args: &[&str]| {
        let ran = dir.run(&[&["audit", "--format", "json"], args, &["a.txt"]].concat());
        (ran.code, rules(&report(&ran)).into_iter().collect::<Vec<_>>().join(" "))
    };
    assert_eq!(found(&["--allow", "a-ip-*,A-CASE"]), (0, "A-CASE A-IP-LITERAL A-IP-LOCAL".to_owned()));
    assert_eq!(
        found(&["--allow", "A-*", "--deny", "A-IP-*", "--deny", "A-PORT-*"]),
        (0, "A-CASE A-PASSWORD".to_owned())
    );
    assert_eq!(found(&["--fail-on", "high"]).0, 0);
    assert_eq!(found(&["--fail-on", "medium", "--deny", "A-PASSWORD,A-IP-LOCAL"]).0, 0);
    assert_eq!(found(&["-s", "ftp"]).1, "A-PASSWORD");
    let failed = |args: &[&str]| {
        let ran = dir.run(&[&["audit", "--fail-on"], args, &["a.txt"]].concat());
        (ran.code, ran.err)
    };
    let why = "urlgrep: failed: 2 findings at medium or above: A-PASSWORD, A-IP-LOCAL\n";
    assert_eq!(failed(&["medium"]), (1, why.to_owned()));
    assert_eq!(failed(&["critical"]), (0, String::new()));
    let (_, counts) = failed(&["medium", "-s", "ftp", "--stats", "--format", "csv"]);
    assert!(counts.ends_with("\nurlgrep: failed: 1 finding at medium or above: A-PASSWORD\n"), "{counts}");
    dir.run(&["audit", "--deny", "A-NONE", "a.txt"]).fails("", &["--deny", "A-NONE", "no such rule", "--rules"]);
    dir.run(&["audit", "--format", "xml", "a.txt"]).fails("", &["xml", "sarif"]);
    let ran = dir.run(&["audit", "nowhere", "a.txt"]);
    assert!(ran.code == 2 && ran.err.contains("nowhere") && ran.text().contains("A-IP-LOCAL"), "{ran:?}");
}

#[test]
fn what_a_link_checker_found_is_told_for_every_place() {
    let dir = Dir::new();
    dir.file(
        "a.mbox",
        mailbox(&[
            "http://dead.example/x",
            "fine: http://fine.example/",
            "again http://DEAD.example/x",
            "http://moved.example/",
        ]),
    );
    dir.file(
        "checked.json",
        r#"{"error_map":{"urls.txt":[{"url":"http://dead.example/x","status":{"text":"Rejected status code: 404 Not Found","code":404}}]},
            "success_map":{"urls.txt":[{"url":"http://fine.example/","status":{"text":"200 OK","code":200}},
                {"url":"http://moved.example/","status":{"text":"200 OK","code":200},"redirects":{
                    "origin":"http://moved.example/","redirects":[{"url":"http://new.example/","code":301}]}}]}}"#,
    );
    let report = report(&dir.run(&["audit", "--format", "json", "--checked", "checked.json", "a.mbox"]));
    let findings = report["findings"].as_array().unwrap();
    let broken: Vec<&Value> = findings.iter().filter(|finding| finding["rule"] == "X-BROKEN").collect();
    assert_eq!(broken.len(), 2, "{report}");
    assert!(text(&broken[0]["message"]).contains("404"));
    assert!(broken[0].to_string().contains("0@a.example") && broken[1].to_string().contains("2@a.example"));
    let moved: Vec<&Value> = findings.iter().filter(|finding| finding["rule"] == "X-REDIRECT").collect();
    assert!(moved.len() == 1 && text(&moved[0]["message"]).contains("http://new.example/"), "{report}");
    assert_eq!(report["summary"]["by_status"], json!({"gone": 1, "moved": 1, "well": 1}));
    let text = dir.run(&["audit", "--for", "links", "--checked", "checked.json", "a.mbox"]).text().to_owned();
    assert!(text.starts_with("1 of 3 links is broken.\n"), "{text}");
    assert!(text.contains("\nChecked  2 of 3 links are reachable (66.7%), 1 of them moved, 1 gone\n"), "{text}");
    let page = dir.run(&["audit", "--format", "html", "--checked", "checked.json", "a.mbox"]).text().to_owned();
    assert!(page.contains(" 1 of 3 links that were checked are broken: 1 gone."), "the page");
    // A page is a file, or the target URI of a web archive's record. The worst comes first.
    let record = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhttp://dead.example/x http://dead.example/y\n";
    dir.file(
        "b.warc",
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://joe:secret@page.example/\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{record}\r\n\r\n",
            record.len()
        ),
    );
    let entry = |path: &str| format!(r#"{{"url":"http://dead.example/{path}","status":{{"text":"404","code":404}}}}"#);
    dir.file("both.json", format!(r#"{{"error_map":{{"urls.txt":[{},{}]}}}}"#, entry("x"), entry("y")));
    let checked = ["audit", "--checked", "both.json", "a.mbox", "b.warc"];
    let summary = self::report(&dir.run(&[&checked[..], &["--format", "json"]].concat()))["summary"].clone();
    let page = |page: &str, urls: u64| json!({"page": page, "urls": urls, "occurrences": 2});
    assert_eq!(summary["broken_by_page"], json!([page("http://joe:***@page.example/", 2), page("a.mbox", 1)]));
    assert_eq!(summary["broken_pages"], 2);
    let text = dir.run(&checked).text().to_owned();
    let table = "  links  places  Pages with broken links\n      2       2  http://joe:***@page.example/\n      1       2  a.mbox\n";
    assert!(text.contains(table), "{text}");
    let one = dir.run(&[&checked[..], &["--top", "1"]].concat()).text().to_owned();
    assert!(one.contains("http://joe:***@page.example/\n                 and 1 more\n"), "{one}");
    let page = dir.run(&[&checked[..], &["--format", "html"]].concat()).text().to_owned();
    assert!(page.contains("Pages with broken links") && !page.contains("joe:secret"), "the page");
    dir.file("other.json", "[]");
    dir.run(&["audit", "--checked", "other.json", "a.mbox"]).fails("", &["other.json"]);
    dir.run(&["audit", "--checked", "nowhere.json", "a.mbox"]).fails("", &["nowhere.json"]);
}

/// Returns the regions of a report's findings, by the host of the URL.
fn regions(ran: &Ran) -> BTreeMap<String, Value> {
    let report = report(ran);
    let region = |result: &Value| {
        let url = text(&result["properties"]["url"]);
        let host = url.split_once('@').unwrap().1.split('.').next().unwrap().to_owned();
        (host, result["locations"][0]["physicalLocation"]["region"].clone())
    };
    report["runs"][0]["results"].as_array().unwrap().iter().map(region).collect()
}

#[test]
fn sarif_counts_columns_in_utf16_where_a_file_lies_as_it_was_searched() {
    let dir = Dir::new();
    let long = "x".repeat(70_000);
    let text = [
        "é\u{1F600} ftp://joe:x@a.example/ to\r\n".as_bytes(),
        "> see <URL:ftp://joe:x@b.exa\n>\u{A0}é <URL:ftp://joe:x@c.\n>  example/\n> x>\u{1F600}\n".as_bytes(),
        b"\xE9 ftp://joe:x@d.example/\n",
        format!("{long} ftp://joe:x@e.example/\nftp://joe:x@f.example/").as_bytes(),
    ]
    .concat();
    dir.file("a b/t.txt", &text);
    let sarif = |args: &[&str]| dir.run(&[&["audit", "--allow", "A-PASSWORD", "--format", "sarif"], args].concat());
    let found = regions(&sarif(&["a b/t.txt"]));
    assert_eq!(found["a"], json!({"startLine": 1, "startColumn": 5, "endColumn": 27}));
    assert_eq!(found["c"], json!({"startLine": 3, "startColumn": 5, "endLine": 5, "endColumn": 5}));
    assert_eq!((&found["d"], &found["e"]), (&json!({"startLine": 6}), &json!({"startLine": 7})));
    assert_eq!(found["f"], json!({"startLine": 8, "startColumn": 1, "endColumn": 23}));

    // The byte order mark of a file does not count as a character.
    dir.file("bom.txt", "\u{FEFF}é ftp://joe:x@a.example/");
    assert_eq!(regions(&sarif(&["bom.txt"]))["a"], json!({"startLine": 1, "startColumn": 3, "endColumn": 25}));

    // Columns are counted in a message, also in its encoded text.
    let mail = |body: &str| format!("From a@h Sat Jan  3 01:05:34 1996\nFrom: a@h\nMIME-Version: 1.0\n{body}\n\n");
    let plain = mail("Content-Transfer-Encoding: 8bit\n\né ftp://joe:x@a.example/");
    let base64 = mail("Content-Transfer-Encoding: base64\n\nZnRwOi8vam9lOnhAYi5leGFtcGxlLwo=");
    dir.file("m.mbox", plain + &base64);
    let found = regions(&sarif(&["m.mbox"]));
    assert_eq!(found["a"], json!({"startLine": 6, "startColumn": 3, "endColumn": 25}));
    assert_eq!(found["b"], json!({"startLine": 13, "startColumn": 1, "endColumn": 33}));

    // Nor are they counted in packed files, or through a pipe.
    let mut command = std::process::Command::new("tar");
    assert!(command.current_dir(dir.path("")).args(["cf", "t.tar", "bom.txt"]).status().unwrap().success());
    assert_eq!(regions(&sarif(&["t.tar"]))["a"], json!({"startLine": 1}));
    let mut command = std::process::Command::new("gzip");
    assert!(command.current_dir(dir.path("")).args(["-k", "bom.txt"]).status().unwrap().success());
    assert_eq!(regions(&sarif(&["-z", "bom.txt.gz"]))["a"], json!({"startLine": 1}));
    let args = ["audit", "--allow", "A-PASSWORD", "--format", "sarif"];
    assert_eq!(regions(&dir.run_with(&args, b"ftp://joe:x@a.example/"))["a"], json!({"startLine": 1}));

    // Names of files below the working folder are relative, however they were given.
    let uri = |file: &str| {
        let report = report(&sarif(&[file]));
        self::text(&report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
    };
    let folder = std::fs::canonicalize(dir.path("")).unwrap();
    assert_eq!(uri("a b/t.txt"), "a%20b/t.txt");
    assert_eq!(uri("./a b/t.txt"), "a%20b/t.txt");
    assert_eq!(uri(folder.join("a b/t.txt").to_str().unwrap()), "a%20b/t.txt");
    dir.file("c/x", "ftp://joe:x@a.example/");
    let mut command = dir.command(&["audit", "--format", "sarif", folder.join("bom.txt").to_str().unwrap()]);
    let elsewhere = report(&Ran::of(command.current_dir(dir.path("c"))));
    let place = &elsewhere["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert!(self::text(&place["artifactLocation"]["uri"]).starts_with("file:///"), "{place}");
    assert_eq!(place["region"]["startColumn"], 3);
}

#[test]
fn the_page_shows_the_text_around_a_link() {
    let dir = Dir::new();
    let mbox = mailbox(&["who wants <URL:http://a.example/x-\ny> may have it"]);
    let html = mailbox(&["<p>go <a href='http://b.example/'>to the <b>other</b> side</a></p>"])
        .replace("Subject:", "MIME-Version: 1.0\nContent-Type: text/html\nSubject:");
    dir.file("a.mbox", mbox + &html);
    let page = dir.run(&["audit", "--format", "html", "a.mbox"]);
    let page = page.text().to_owned();
    for part in ["who wants ", " may have it", "a href ", " to the other side"] {
        assert!(page.contains(part), "{part}");
    }
}

/// Checks that a finding's message has the same field names as a match's message.
#[test]
fn a_finding_names_its_mail_as_a_match_does() {
    let dir = Dir::new();
    let article = "From a@a.example Sat Oct  5 23:56:00 2002\nFrom: Jo <a@a.example>\nNewsgroups: comp.a,comp.b\n\
        Subject: Look\nMessage-ID: <1@a.example>\nDate: Sat, 5 Oct 2002 23:56:00 -0700\n\nftp://joe:x@h.example/ go\n\n";
    dir.file("a.mbox", article);
    let mut found: Value = serde_json::from_slice(&dir.run(&["--json", "a.mbox"]).out).unwrap();
    // An audit stores no language.
    assert_eq!(found["message"].as_object_mut().unwrap().remove("language"), Some(Value::Null));
    let message = &found["message"];
    assert_eq!(message["newsgroups"], "comp.a,comp.b");
    let jsonl: Value = serde_json::from_slice(&dir.run(&["audit", "--format", "jsonl", "a.mbox"]).out).unwrap();
    assert_eq!(&jsonl["in_message"], message);
    let json = report(&dir.run(&["audit", "--format", "json", "a.mbox"]));
    assert_eq!((&json["findings"][0]["in_message"], &json["urls"][0]["first"]["in_message"]), (message, message));
    let sarif = report(&dir.run(&["audit", "--format", "sarif", "a.mbox"]));
    assert_eq!(&sarif["runs"][0]["results"][0]["properties"]["in_message"], message);
    let csv = dir.run(&["audit", "--format", "csv", "a.mbox"]);
    assert!(csv.text().contains(",1@a.example,2002-10-05T23:56:00-07:00,Jo <a@a.example>,Look,\"comp.a,comp.b\","));
    agrees(&dir, &["a.mbox"]);
}

// ------------------------------------------------------------------------------------ the baseline

#[test]
fn a_baseline_tells_what_is_new() {
    let dir = Dir::new();
    let [one, two] = ["ftp://u:one@a.example/", "http://a.example/%61dmin"];
    dir.file("d/a.txt", format!("see {one} and {two}\n"));
    let run = |args: &[&str]| dir.run(&[&["audit", "--deny", "X-LATER"], args, &["d"]].concat());
    let before = run(&["--format", "json"]);
    assert_eq!(report(&before)["summary"]["baseline"], Value::Null);
    assert_eq!(report(&before)["findings"][0]["new"], Value::Null);
    dir.file("d/old.json", before.out);

    // Nothing is new if only the surrounding text has moved. The baseline itself is not searched.
    dir.file("d/a.txt", format!("more\n\nand see {one}\nand {two}\n"));
    let with: &[&str] = &["--baseline", "d/old.json"];
    let fails = |severity: &str| run(&[with, &["--fail-on", severity]].concat()).code;
    assert_eq!((fails("info"), run(&["--fail-on", "info"]).code), (0, 1));
    dir.file("d/b.txt", "ftp://u:three@a.example/\n");
    let failed = run(&[with, &["--fail-on", "info"]].concat()).err;
    assert_eq!(failed, "urlgrep: failed: 1 new finding at info or above: A-PASSWORD; 2 known\n");
    std::fs::remove_file(dir.path("d/b.txt")).unwrap();
    let known = report(&run(&[with, &["--format", "json"]].concat()));
    assert_eq!(known["summary"]["baseline"], json!({"new": 0, "known": 2, "gone": 0}));
    assert!(run(with).text().contains("\nFindings 0 new, 2 known, 0 gone\n"));

    // Another file, another URL, and one that is gone. A secret that is shown equals its masked
    // form.
    dir.file("d/a.txt", format!("{one} http://b.example/%62\n")).file("d/b.txt", two);
    for shown in [&[][..], &["--show-secrets"]] {
        let now = report(&run(&[with, shown, &["--format", "json"]].concat()));
        assert_eq!(now["summary"]["baseline"], json!({"new": 2, "known": 1, "gone": 1}));
        let new: Vec<_> = now["findings"].as_array().unwrap().iter().map(|finding| finding["new"].clone()).collect();
        assert_eq!(new, [json!(false), json!(true), json!(true)]);
    }
    assert_eq!((fails("low"), fails("medium"), fails("high")), (1, 0, 0), "the password is known");
    let text = run(with);
    assert!(text.text().contains("\nFindings 2 new, 1 known, 1 gone\n"), "{}", text.text());
    assert!(
        text.text().contains("(2 findings, 2 new)\n") && text.text().contains("\n      new: d/b.txt:1: http://a.ex")
    );
    assert!(!text.text().contains("new: d/a.txt:1: ftp:"));
    let sarif = report(&run(&[with, &["--format", "sarif"]].concat()));
    let states =
        sarif["runs"][0]["results"].as_array().unwrap().iter().map(|result| self::text(&result["baselineState"]));
    assert_eq!(states.collect::<Vec<_>>(), ["unchanged", "new", "new"]);
    let csv = run(&[with, &["--format", "csv"]].concat());
    let ends: Vec<_> = csv.text().lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(ends, ["new", "false", "true", "true"]);
}

#[test]
fn a_baseline_that_is_none_is_an_error_with_place_and_remedy() {
    let dir = Dir::new();
    dir.file("a.txt", "http://a.example/\n").file("c.json", "{\n\"error_map\": {}}").file("d.json", "{\"summary\":");
    let fails = |file: &str, words: &[&str]| dir.run(&["audit", "--baseline", file, "a.txt"]).fails("", words).code;
    fails("c.json", &["c.json", "missing field `summary` at line 2 column 16", "urlgrep audit --format json"]);
    fails("d.json", &["d.json", "line 1 column 11", "urlgrep audit --format json"]);
    fails("nowhere.json", &["nowhere.json"]);
}

/// An archive with a finding for every reader.
const FOR_READERS: &str = "From joe@a.example Sat Jan  3 01:05:34 1996\nDate: Sat, 3 Jan 1998 01:05:34 +0000\n\n\
    <URL:http://h/^x> ftp://ftp.old.example/pub/x http://old.example/ https://is.gd/x\n\
    <URL:http://www.good.example@evil.example/> gopher://g.example:25/0HELO%0D%0AMAIL\n\
    <URL:http://foo-\nbar.com/> HTTP://NEW.example/\n\n\
    From joe@a.example Sat Jan  3 01:05:34 2004\nDate: Sat, 3 Jan 2004 01:05:34 +0000\n\nhttp://new.example/ and http://sub.new.example/x\n\n\
    From joe@a.example Sat Jan  3 01:05:34 2004\nDate: Sat, 3 Jan 2091 01:05:34 +0000\n\nhttp://new.example/\n\n";

/// Returns the rules of the findings, in order.
fn rules_in_order(ran: &Ran) -> Vec<String> {
    ran.text().lines().map(|line| text(&serde_json::from_str::<Value>(line).unwrap()["rule"])).collect()
}

#[test]
fn a_reader_chooses_rules_and_their_order() {
    let dir = Dir::new();
    dir.file("a.mbox", FOR_READERS);
    let rules_of = |args: &[&str]| {
        rules_in_order(&dir.run(&[&["audit", "--no-config", "--format", "jsonl"], args, &["a.mbox"]].concat()))
    };
    let all = rules_of(&[]);
    assert_eq!(rules_of(&["--for", "all"]), all);
    assert_eq!(
        rules_of(&["--for", "security"]),
        ["A-USERINFO-HOST", "A-XPROTO", "A-CRLF", "A-PORT-RESERVED", "A-SHORT", "A-PORT-NONDEFAULT"]
    );
    assert_eq!(rules_of(&["--for", "links"]), ["A-HYPHEN", "X-INVALID"]);
    assert_eq!(rules_of(&["--for", "archive"]), ["A-SHORT", "A-HYPHEN"]);
    // `--deny` and `--allow` choose among the rules of the reader.
    assert_eq!(
        rules_of(&["--for", "security", "--deny", "A-PORT-*,A-CRLF"]),
        ["A-USERINFO-HOST", "A-XPROTO", "A-SHORT"]
    );
    assert_eq!(rules_of(&["--for", "links", "--allow", "X-*"]), ["X-INVALID"]);
    let refused = dir.run(&["audit", "--for", "links", "--allow", "A-CRLF", "a.mbox"]);
    assert!(refused.code == 2 && refused.err.contains("--allow"), "{}", refused.err);
    // Every format has the same findings in the same order.
    for reader in ["security", "links", "archive"] {
        let expected = rules_of(&["--for", reader]);
        let of = |format: &str| dir.run(&["audit", "--for", reader, "--format", format, "a.mbox"]);
        let json = report(&of("json"));
        let json: Vec<String> =
            json["findings"].as_array().unwrap().iter().map(|finding| text(&finding["rule"])).collect();
        assert_eq!(json, expected);
        let csv: Vec<String> =
            of("csv").text().lines().skip(1).map(|row| row.split(',').next().unwrap().to_owned()).collect();
        assert_eq!(csv, expected);
        let sarif = report(&of("sarif"));
        let sarif: Vec<String> =
            sarif["runs"][0]["results"].as_array().unwrap().iter().map(|result| text(&result["ruleId"])).collect();
        assert_eq!(sarif, expected);
        for format in ["text", "html"] {
            let whole = of(format).text().to_owned();
            let start = if format == "html" { "<code>" } else { "  " };
            for rule in &expected {
                assert!(whole.contains(&format!("{start}{rule}")), "{rule} in {format}");
            }
            for rule in all.iter().filter(|rule| !expected.contains(rule)) {
                assert!(!whole.contains(&format!("{start}{rule}")), "{rule} in {format} for {reader}");
            }
        }
    }
}

#[test]
fn what_a_reader_is_not_told_fails_nobody() {
    let dir = Dir::new();
    dir.file("a.mbox", FOR_READERS);
    for (reader, severity, code) in
        [("security", "critical", 1), ("links", "high", 0), ("links", "medium", 1), ("archive", "medium", 1)]
    {
        let ran = dir.run(&["audit", "--for", reader, "--fail-on", severity, "a.mbox"]);
        assert_eq!(ran.code, code, "{reader} {severity}: {}", ran.text());
    }
    assert_eq!(dir.run(&["audit", "--for", "archive", "--deny", "A-HYPHEN", "--fail-on", "medium", "a.mbox"]).code, 0);
}

#[test]
fn sections_are_those_of_the_reader() {
    let dir = Dir::new();
    dir.file("a.mbox", FOR_READERS);
    let of = |reader: &str| dir.run(&["audit", "--for", reader, "a.mbox"]).text().to_owned();
    let security = of("security");
    let at = |text: &str, what: &str| text.find(what).unwrap_or_else(|| panic!("{what} in {text}"));
    assert!(at(&security, "DECEPTION") < at(&security, "ATTACKS ON SOFTWARE"));
    assert!(at(&security, "Look first at A-XPROTO") < at(&security, "DECEPTION"));
    assert!(!security.contains("Levels") && !security.contains("Years"));
    let links = of("links");
    assert!(at(&links, "DOUBTFUL") < at(&links, "INVALID"));
    let archive = of("archive");
    let order = ["Years", "Schemes by last year", "Hosts with the", "Registrable domains", "URLs that", "SHORTENED"];
    assert!(order.map(|what| at(&archive, what)).is_sorted(), "{archive}");
    for row in [
        "  2091\n",
        "first  last  URLs  places  Schemes by last year\n   1998  1998     1       1  ftp\n",
        "   1998  1998      2     2       2  old.example\n",
        "   1998  2004      2     2       4  new.example\n",
        "  1998  1998       1  ftp://ftp.old.example/pub/x\n",
        "  1 place with a date before 1970 or after the audit\n",
    ] {
        assert_eq!(archive.contains(row), !row.ends_with("2091\n"), "{row} in {archive}");
    }
    let forged = " to 2004-01-03, and 1 place dated before 1970 or after today\n";
    assert!(of("all").contains(forged) && archive.contains(forged), "{archive}");
    // The counts do not depend on how the work is divided.
    let threads = |number: &str| dir.run(&["audit", "--for", "archive", "-j", number, "a.mbox"]).text().to_owned();
    assert_eq!(threads("1"), threads("2"));
}

#[test]
fn a_second_link_to_a_host_comes_after_the_first_ones_of_all() {
    let dir = Dir::new();
    dir.file(
        "a.txt",
        "http://bit.ly/a http://bit.ly/b http://is.gd/c <http://g.example/cgi-\nbin/d> http://BIT.ly/e http://is.gd/f",
    );
    let urls = |reader: &str| -> Vec<String> {
        let found = dir.run(&["audit", "--for", reader, "--allow", "A-SHORT,A-HYPHEN", "--format", "jsonl", "a.txt"]);
        found.text().lines().map(|line| text(&serde_json::from_str::<Value>(line).unwrap()["url"])).collect()
    };
    let shortened = ["http://bit.ly/a", "http://is.gd/c", "http://bit.ly/b", "http://is.gd/f", "http://BIT.ly/e"];
    assert_eq!(urls("security"), shortened);
    assert_eq!(urls("archive"), [&shortened[..], &["http://g.example/cgi-bin/d"]].concat());
    // Readings that are already decided are not shown to readers who repair links.
    let links = dir.run(&["audit", "--for", "links", "a.txt"]).text().to_owned();
    assert!(links.contains("(info, 1 finding)\n    They are milder than") && !links.contains("cgi-bin"), "{links}");
    assert_eq!(urls("links"), ["http://g.example/cgi-bin/d"]);
}
