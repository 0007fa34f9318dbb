//! Tests of every rule on the rows of `tests/vectors/audit.jsonl`: its triggers, its look-alikes
//! and its messages.
//!
//! The first pair of each rule comes from the specification, section 5.

use super::place::hyphen_of;
use super::*;
use bstr::ByteSlice;
use serde::Deserialize;
use std::borrow::Cow;

use crate::Extractor;
use crate::turns::turns;

/// The texts on which a rule fires, and those on which it is silent. A case with a `<` is text. Any
/// other case is a URL, which is also tested in a wrapper.
#[derive(Deserialize)]
struct Case {
    rule: String,
    fires: Vec<String>,
    silent: Vec<String>,
}

/// The message of a rule about a URL, and the bytes that the message is about.
#[derive(Deserialize)]
struct Message {
    rule: String,
    url: String,
    at: String,
    message: String,
}

/// Returns the rows that parse as a `T`.
fn rows<T: for<'de> Deserialize<'de>>(expected: usize) -> Vec<T> {
    let text = include_str!("../../tests/vectors/audit.jsonl");
    let rows: Vec<T> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(rows.len(), expected);
    rows
}

fn cases() -> Vec<Case> {
    rows(51)
}

/// Returns the findings for a URL by itself.
fn on_url(url: &str) -> Vec<Finding> {
    findings_of_url(url.as_bytes(), RuleOptions::new())
}

/// Returns the findings for the first match in a text.
fn in_text(text: &str) -> Vec<Finding> {
    let found = Extractor::new().find(text.as_bytes()).unwrap_or_else(|| panic!("nothing in {text}"));
    findings(&found, RuleOptions::new()).collect()
}

/// Returns the finding of a rule, if it fires.
fn finding(rule: Rule, findings: Vec<Finding>) -> Option<Finding> {
    let mut found = findings.into_iter().filter(|finding| finding.rule == rule);
    let first = found.next();
    assert_eq!(found.next(), None, "a rule fires once");
    first
}

#[test]
fn every_rule_fires_on_its_triggers_and_on_nothing_like_them() {
    for Case { rule, fires, silent } in cases() {
        let rule = Rule::from_id(&rule).unwrap();
        for (cases, should) in [(fires, true), (silent, false)] {
            for case in cases {
                let wrapped = if case.contains('<') { case.clone() } else { format!("<URL:{case}>") };
                assert_eq!(finding(rule, in_text(&wrapped)).is_some(), should, "{rule}: {wrapped}");
                if case != wrapped {
                    assert_eq!(finding(rule, on_url(&case)).is_some(), should, "{rule}: {case}");
                }
            }
        }
    }
}

#[test]
fn every_rule_has_cases_and_says_what_it_is() {
    assert_eq!(Rule::ALL.len(), 58);
    let cases = cases();
    for (at, &rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(rule as usize, at);
        assert_eq!(Rule::from_id(rule.id()), Some(rule));
        assert_eq!(Rule::from_id(&rule.id().to_lowercase()), Some(rule));
        assert!(rule.id().starts_with("A-") || rule.id().starts_with("X-"), "{rule}");
        assert!(
            !rule.fires_when().ends_with('.') && rule.why().ends_with('.') && rule.remedy().ends_with('.'),
            "{rule}"
        );
        // These have tests of their own, or are decided elsewhere.
        let is_elsewhere = matches!(
            rule,
            Rule::Long
                | Rule::Anchor
                | Rule::Relative
                | Rule::Truncated
                | Rule::Broken
                | Rule::Redirect
                | Rule::PlainHttp
        );
        let rows = cases.iter().filter(|case| case.rule == rule.id()).count();
        assert_eq!(rows, usize::from(!is_elsewhere), "{rule}");
    }
    assert!(cases.iter().map(|case| Rule::from_id(&case.rule)).is_sorted());
    assert_eq!(Rule::from_id("A-NONE"), None);
}

#[test]
fn long_urls_and_long_names() {
    let url = |before: &str, letters: usize, after: &str| format!("{before}{}{after}", "a".repeat(letters));
    let fires = |rule, url: &str| finding(rule, in_text(&format!("<URL:{url}>"))).is_some();
    assert!(fires(Rule::Long, &url("http://h/", 2000, "")));
    assert!(fires(Rule::Long, &url("http://h/", 1992, "")));
    assert!(!fires(Rule::Long, &url("http://h/", 1991, "")));
    assert!(!fires(Rule::Long, "http://h/a"));
    for (host, is_long) in [
        (url("", 64, ".com"), true),
        (url("", 63, ".com"), false),
        (url("", 63, "."), false),
        (url("%61", 62, ".com"), false),
        (url("%61", 63, ".com"), true),
        ("ab.".repeat(84), false),
        ("ab.".repeat(84) + "a", false),
        ("ab.".repeat(84) + "ab", true),
        ("é".repeat(63), false),
        ("é".repeat(64), true),
    ] {
        assert_eq!(fires(Rule::DnsLen, &format!("http://{host}/")), is_long, "{host}");
        assert_eq!(fires(Rule::DnsLen, &format!("mailto:a@{host}")), is_long, "{host}");
    }
}

#[test]
fn severities_depend_on_what_is_found() {
    let severity =
        |rule: Rule, url: &str| finding(rule, on_url(url)).unwrap_or_else(|| panic!("{rule} {url}")).severity;
    for (rule, url, expected) in [
        (Rule::EncDelim, "ftp://h/%2Fetc", Severity::Info),
        (Rule::EncDelim, "ftp://h/%2Fetc/a%3Bb", Severity::Medium),
        (Rule::EncDelim, "ftp://u%2Fv@h/", Severity::Medium),
        (Rule::EncDelim, "https://doi.example/10.1007%2F3-540", Severity::Info),
        (Rule::EncDelim, "http://h/static/..%2F..%2Fetc", Severity::Medium),
        (Rule::Dotseg, "http://h/a/../b", Severity::Info),
        (Rule::Dotseg, "http://h/a/../%2e/b", Severity::Medium),
        (Rule::DoubleEnc, "http://h/a?id=joe%2540h", Severity::Info),
        (Rule::DoubleEnc, "http://h/a%2540/%252Fetc", Severity::Medium),
        (Rule::DoubleEnc, "http://h/%253Cscript", Severity::Medium),
        (Rule::PortReserved, "http://h:25/", Severity::Medium),
        (Rule::PortReserved, "http://h:81/", Severity::Info),
        (Rule::PortReserved, "http://h:70/", Severity::Info),
        (Rule::PortReserved, "telnet://h:119/", Severity::Info),
        (Rule::PortReserved, "gopher://h:80/0GET", Severity::Medium),
        (Rule::Placeholder, "mailto:%L-owner@%H", Severity::Info),
        (Rule::Invalid, "http://h/%Zx", Severity::Medium),
        (Rule::Password, "ftp://u:password@h/", Severity::Info),
        (Rule::Password, "ftp://u:Passwort@h/", Severity::Info),
        (Rule::Password, "ftp://u:secret@h/", Severity::Medium),
        (Rule::UserinfoLax, "http://bank@h/", Severity::High),
        (Rule::UserinfoLax, "http://joe:s3cret@h/", Severity::Low),
        (Rule::UserinfoLax, "http://user:pass@h/", Severity::Info),
        (Rule::IpLiteral, "http://93.184.216.34/", Severity::Low),
        (Rule::IpLiteral, "http://10.0.0.1/", Severity::Info),
        (Rule::IpLiteral, "http://[2001:db8::1]/", Severity::Info),
        (Rule::IpLocal, "http://localhost/", Severity::Info),
        (Rule::IpLocal, "http://127.0.0.1/", Severity::Info),
        (Rule::IpLocal, "http://127.1/", Severity::Medium),
        (Rule::IpLocal, "http://10.0.0.1/", Severity::Medium),
        (Rule::FileRemote, "file://ftp.a.example/x", Severity::Medium),
        (Rule::FileRemote, "file://192.0.2.7/x", Severity::Medium),
        (Rule::FileRemote, "file://budget.json", Severity::Info),
        (Rule::SchemeActive, "javascript:void(0)", Severity::Info),
        (Rule::SchemeActive, "javascript:;", Severity::Info),
        (Rule::SchemeActive, "javascript:void(x)", Severity::High),
        (Rule::MailHdr, "mailto:a@b?subject=x&body=y", Severity::Info),
        (Rule::MailHdr, "mailto:a@b?subject=x&bcc=c@d", Severity::Low),
        (Rule::Redirector, "https://a.example/sharer.php?u=https://b.test/", Severity::Info),
        (Rule::Redirector, "https://a.example/login?redirect_uri=https://b.test/", Severity::Info),
        (Rule::Redirector, "https://a.example/go?u=https://b.test/", Severity::Medium),
        (Rule::Redirector, "https://a.example/share/url?url=https://b.test/", Severity::Info),
        (Rule::Redirector, "https://a.example/submitlink?u=https://b.test/", Severity::Info),
        (Rule::Tenant, "http://joe.blogspot.com/2004/", Severity::Info),
        (Rule::Tenant, "http://joe.dyndns.org:8080/x", Severity::Info),
        (Rule::Tenant, "http://joe.ath.cx/", Severity::Info),
        (Rule::Tenant, "https://joe.web.app/", Severity::Low),
        (Rule::Tenant, "https://docs.google.com/forms/d/x", Severity::Low),
        (Rule::Tenant, "https://b.s3.eu-west-1.amazonaws.com/i", Severity::Low),
        (Rule::Token, "https://a.example/reset?token=9f86d081884c7d65", Severity::Medium),
        (Rule::Token, "https://a.example/unsubscribe?token=9f86d081884c7d65", Severity::Info),
        (Rule::Token, "https://click.a.example/click/x?sig=9f86d081884c7d65", Severity::Info),
        (Rule::Token, "https://a.example/unsubscribe?x=ghp_16C7e42F292c6912E7710c838347Ae178B4a", Severity::Medium),
        (Rule::Invalid, "http://h/%", Severity::Medium),
        (Rule::Crlf, "https://h/a#:~:text=b%0Ac", Severity::Info),
        (Rule::IdnMixed, "https://paypal.c\u{43E}m/login", Severity::Critical),
        (Rule::IdnMixed, "https://p\u{430}ypal.example/", Severity::Critical),
        (Rule::IdnMixed, "http://xn--pple-43d.com/", Severity::Critical),
        (Rule::IdnMixed, "https://harbour.c\u{43E}m/", Severity::High),
    ] {
        assert_eq!(severity(rule, url), expected, "{rule} {url}");
    }
    assert_eq!(finding(Rule::Ctrl, on_url("https://h/pep-%04d/")), None);
    assert!(finding(Rule::Ctrl, on_url("https://h/pep-%04e/")).is_some());
    assert_eq!(finding(Rule::Redirector, on_url("txmt://open?url=https://b.test/")), None);
    // The link was copied with its line end.
    assert_eq!(severity(Rule::Crlf, "http://h:81/a%0D%0A"), Severity::Info);
    assert_eq!(severity(Rule::Crlf, "https://h/a?b%0A#c"), Severity::Info);
    assert_eq!(severity(Rule::Crlf, "https://h/a%0D%0A%20"), Severity::Info);
    // A share link, and a line of http.
    assert_eq!(severity(Rule::Crlf, "https://h/a?text=Look%0Ahttps://h/x%0AName: b"), Severity::Info);
    assert_eq!(severity(Rule::Crlf, "https://h/a%0D%0A%20b"), Severity::Info);
    assert_eq!(severity(Rule::Crlf, "https://h/a?b=c%0d%0aSet-Cookie:d=e"), Severity::High);
    assert_eq!(severity(Rule::Crlf, "http://h/a%0D%0AGET%20/b"), Severity::High);
    assert_eq!(severity(Rule::Crlf, "mailto:a@b?subject=x%0ABcc:c@d"), Severity::High);
    for fold in ["mailto:a@b?Subject=x%0A%09y", "mailto:a@b?subject=x%0D%0A%20y"] {
        assert_eq!(finding(Rule::Crlf, on_url(fold)), None, "{fold}");
    }
    assert_eq!(severity(Rule::Crlf, "ftp://h/a%0D%0A"), Severity::High);
    assert_eq!(finding(Rule::Xproto, on_url("http://h:81/a%0D%0A")), None);
    for Case { rule, fires, .. } in cases() {
        let rule = Rule::from_id(&rule).unwrap();
        let is_graded = matches!(
            rule,
            Rule::EncDelim
                | Rule::Dotseg
                | Rule::Crlf
                | Rule::PortReserved
                | Rule::Password
                | Rule::IpLiteral
                | Rule::IpLocal
                | Rule::MailHdr
                | Rule::DoubleEnc
                | Rule::FileRemote
                | Rule::UserinfoLax
                | Rule::IdnMixed
        );
        if !is_graded && !fires.iter().any(|case| case.contains('<')) {
            assert!(fires.iter().all(|url| severity(rule, url) == rule.severity()), "{rule}");
        }
    }
    let hyphen = |first: &str, others: &[&str]| {
        let others = others.iter().map(|other| Cow::Borrowed((*other).into()));
        hyphen_of(first.as_bytes(), others).map(|remark| remark.severity)
    };
    assert_eq!(hyphen("http://a-b.example/", &["http://ab.example/"]), Some(Some(Severity::Medium)));
    assert_eq!(hyphen("http://a.example/x-y", &["http://a.example/xy"]), Some(None));
    assert_eq!(hyphen("http://a.example/xy", &["http://a.example/x-y"]), Some(None));
    assert_eq!(hyphen("http://a.example/x-y-z", &["http://a.example/x-yz", "http://a.example/xyz"]), Some(None));
    // An author who writes other names with hyphens meant this hyphen, too.
    assert_eq!(hyphen("http://a.example/up-to/x-y", &["http://a.example/up-to/xy"]), Some(Some(Severity::Info)));
    assert_eq!(hyphen("http://a.example/up-to/xy", &["http://a.example/up-to/x-y"]), Some(None));
    let both = ["http://a.example/up-to/x-yz", "http://a.example/up-to/xy-z", "http://a.example/up-to/xyz"];
    assert_eq!(hyphen("http://a.example/up-to/x-y-z", &both), Some(Some(Severity::Info)));
    assert_eq!(hyphen("http://a.example/part-2/x-y", &["http://a.example/part-2/xy"]), Some(Some(Severity::Info)));
    assert_eq!(hyphen("http://a.example/1-2/x-y", &["http://a.example/1-2/xy"]), Some(None));
    assert_eq!(hyphen("http://a-b.example/x-y", &["http://a-b.example/xy"]), Some(None));
    let usual = ["http://h/cgi-bin/x", "http://h/draft-ietf-uri-url", "http://h/CVE-2020-1"];
    for (kept, dropped) in usual.iter().zip(["http://h/cgibin/x", "http://h/draft-ietfuri-url", "http://h/CVE-20201"]) {
        assert_eq!(hyphen(kept, &[dropped]), Some(Some(Severity::Info)));
        assert_eq!(hyphen(dropped, &[kept]), Some(None));
    }
    assert_eq!(hyphen("http://cgi-bin.example/", &["http://cgibin.example/"]), Some(Some(Severity::Medium)));
    assert_eq!(hyphen("mailto:a@b-c.example", &["mailto:a@bc.example"]), Some(Some(Severity::Medium)));
    assert_eq!(hyphen("http://a.example/x", &["http://a.example/x-%"]), None);
    assert_eq!(hyphen("http://a.example/x-y", &["http://a.example/x"]), None);
    assert_eq!(hyphen("http://a.example/x", &["http://a.example/"]), None);
    assert_eq!(hyphen("http://a.example/x-y", &[]), None);
}

#[test]
fn messages_name_what_they_are_about() {
    for Message { rule, url, at, message } in rows(74) {
        let finding = finding(Rule::from_id(&rule).unwrap(), on_url(&url)).unwrap();
        assert_eq!((&url[finding.at], finding.message), (&*at, message), "{url}");
    }
}

#[test]
fn a_hyphen_of_a_bare_url_is_doubtful_however_far_it_goes_on() {
    let prose = "The drawings of the second bridge are kept in the cellar of the old mill\n".repeat(3);
    let url = "http://mill.example.org/find?hl=en&threadm=5f25b5cf.0301230204.7117002-\n\
               0b4c%40mill.example.org&rnum=1&prev=/find/drawings/of/second/br-\nworkshop";
    for url in [url, &url[..url.len() - 10]] {
        let found = finding(Rule::Hyphen, in_text(&format!("{prose}\n{url}\n\n{prose}")));
        assert!(found.is_some(), "{url}");
    }
}

#[test]
fn a_doubtful_hyphen_is_shown_with_what_stands_around_it() {
    let message = |[first, other]: [String; 2]| {
        hyphen_of(first.as_bytes(), [Cow::Borrowed(other.as_str().into())].into_iter()).unwrap().message
    };
    let [before, after] = ["b".repeat(60), "a".repeat(60)];
    assert_eq!(
        message([format!("http://h/{before}-x{after}"), format!("http://h/{before}x{after}")]),
        format!("may also be `…{}x{}…`", &before[..41], &after[..38])
    );
    assert_eq!(
        message([format!("http://h/{before}-x"), format!("http://h/{before}x")]),
        format!("may also be `http://h/{before}x`")
    );
    assert_eq!(message(["ftp://u:pass-word@h/".into(), "ftp://u:password@h/".into()]), "may also be `ftp://u:***@h/`");
}

/// Checks that no message quotes a password. A-CRLF and the like quote the text that would be sent.
#[test]
fn messages_hold_no_password() {
    let schemes = ["http", "ftp", "https", "telnet", "gopher", "foo", "news", "mailto", "file", "jdbc:mysql", "x"];
    let odd = [
        "/", "?", "#", "@", ":", "\\", "%0D%0A", "%41", "%2F", "%25", "%2541", " ", "~", "é", "[", "]", "", "", "", "",
    ];
    let mut fired = 0;
    for seed in 0..20_000 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut some = |most: usize| (0..rng.usize(..=most)).map(|_| odd[rng.usize(..odd.len())]).collect::<String>();
        let password = format!("{}Xyzzy{}", some(2), some(2));
        let (before, after) = (some(2), some(3));
        let scheme = schemes[seed as usize % schemes.len()];
        let url = format!("{scheme}://joe{before}:{password}@h.example:25/a{after}b%0D%0Ac");
        let findings = on_url(&url);
        let Some(found) = findings.iter().find(|finding| finding.rule == Rule::Password) else { continue };
        if !url.as_bytes()[found.at.clone()].contains_str("Xyzzy") {
            continue;
        }
        fired += 1;
        let masked = secret::mask(url.as_bytes());
        assert!(!masked.contains_str("Xyzzy") && masked.contains_str("***"), "{url} {masked}");
        assert!(!format!("{findings:?}").contains("Xyzzy"), "{url} {findings:?}");
    }
    assert!(fired > 10_000, "{fired}");
}

/// Checks that X-TRUNCATED fires on a URL that is cut by an ellipsis, or broken over too many
/// lines.
#[test]
fn what_was_shortened_to_be_shown() {
    let broken = |lines: usize, width: usize| {
        let line = "x1/y2_z3/".repeat(width / 9 + 1);
        let rest = format!("{}\n", &line[..width]).repeat(lines - 1);
        format!("(http://h.example/a/{}\n{rest})", &line[..width - 19])
    };
    for (text, fires) in [
        (&*broken(17, 76), false),
        (&broken(19, 76), true),
        (&broken(3, 1500), false),
        (&broken(5, 1500), true),
        ("http://h.example/2023/some-long-… and", true),
        ("see http://h.example/a/b...", true),
        ("http://h.example?q=x... ", true),
        ("http://h.example/2023/some-long …", false),
        ("see http://h.example/a/b..", false),
        ("http://h.example...", false),
        ("mailto:joe@h.example...", false),
        ("<URL:http://h.example/a>...", false),
    ] {
        let found = crate::Extractor::new().find(text).unwrap();
        assert_eq!(PlaceRules::of(&found).contains(Rule::Truncated), fires, "{text}");
        assert_eq!(found.clone().into_owned().is_truncated(), fires, "{text}");
        assert_eq!(finding(Rule::Truncated, findings(&found, RuleOptions::new()).collect()).is_some(), fires, "{text}");
    }
}

/// Checks X-ANCHOR in an HTML message.
#[cfg(feature = "archive")]
#[test]
fn anchors_that_mislead() {
    use crate::archive::Container;
    use std::ops::ControlFlow;

    use super::place::anchor_of;

    #[derive(Default)]
    struct Anchors(Vec<(String, Option<String>, bool)>);
    impl crate::Sink for Anchors {
        fn add(&mut self, found: &crate::Match<'_>) {
            assert_eq!(found.shown_host(), found.place().unwrap().shown_host);
            let owned = found.clone().into_owned();
            assert_eq!(owned.shown_host(), found.shown_host());
            let fires = Rule::Anchor.of_place(found).is_some();
            self.0.push((found.url().to_string(), found.shown_host(), fires));
        }
    }
    let mail =
        b"Subject: http://c.example/\nContent-Type: text/html\n\n<a href=http://evil.example/>www.bank.example</a>\n\
        <a href=http://bank.example/>bank.example</a> <a href=http://WWW.bank.com/>bank.com</a>\n\
        <a href=http://bank.com/>www.bank.com</a> <a href=http://www.evil.example/>bank.com</a>";
    let mut found = Vec::new();
    let deliver = |batch: Anchors| {
        found.extend(batch.0);
        Ok(ControlFlow::Continue(()))
    };
    Extractor::new().documents(&mail[..], Container::Message, 0..u64::MAX, Anchors::default, deliver).unwrap();
    let shown = |host: &str| Some(host.to_owned());
    assert_eq!(found[0], ("http://c.example/".into(), None, false));
    assert_eq!(found[1], ("http://evil.example/".into(), shown("www.bank.example"), true));
    assert_eq!(found[2], ("http://bank.example/".into(), None, false));
    assert_eq!(found[3], ("http://WWW.bank.com/".into(), None, false));
    assert_eq!(found[4], ("http://bank.com/".into(), None, false));
    assert_eq!(found[5], ("http://www.evil.example/".into(), shown("bank.com"), true));
    let message = |url: &str, shown: &str| anchor_of(url.as_bytes(), shown).map(|remark| remark.message);
    assert_eq!(message("http://exchange.gemini.com/", "gemini.com"), None);
    assert_eq!(
        message("https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fwww.bank.example", "bank.example"),
        None
    );
    assert_eq!(
        message("https://nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fevil.example", "bank.example")
            .unwrap(),
        "shows `bank.example`, but goes to `evil.example`"
    );
    assert_eq!(message("https://protect-us.mimecast.com/s/x", "bank.example"), None);
    assert_eq!(
        message("http://evil.example/", "bank.example").unwrap(),
        "shows `bank.example`, but goes to `evil.example`"
    );
}

/// Checks that a megabyte of any input takes less than five seconds. Quadratic work would take
/// minutes.
#[test]
fn nothing_costs_more_than_linear_time() {
    for (before, unit, after) in [
        ("http://h/", "%0a", ""),
        ("http://h/", "%25", ""),
        ("http://h/", "a://", ""),
        ("http://h/", "://", ""),
        ("http://h/", "../", ""),
        ("http://", "a.", "/"),
        ("http://", "1.", "/"),
        ("http://0x", "f", "/"),
        ("http://", "9", "/"),
        ("http://h:", "9", "/"),
        ("http://", "@", "h/"),
        ("http://", ":", "@h/"),
        ("http://u:", "p/", ""),
        ("", "http://u:p", ""),
        ("", "http://u:p/", "@h"),
        ("", "a://b:c\n", "@h"),
        ("", "a://b:c ", "@h"),
        ("", "a", ""),
        ("http://", "xn--a", ".com/"),
        ("http://xn--", "a9", ".com/"),
        ("http://", "\u{430}a.", "com/"),
        ("http://", "\u{1D421}", ".com/"),
        ("http://", "\u{1D421}.", "com/"),
        ("https://google.com/amp/s/", "google.com/amp/s/", "h.example"),
        ("http://h/?url=aHR0cHM6Ly9", "AAAA", ""),
        ("http://h/#", "am9lQHgu/", ""),
        ("http://h/?", "6a6f6540/", ""),
        ("http://h/?a=", "am9l", ""),
        ("http://h/?", "url=aHR0cHM6Ly9h&", ""),
        ("http://", "\\", ""),
        ("mailto:", "a%40", "b"),
        ("mailto:a@b?", "&a=", ""),
        ("news:", "%40", "@h"),
        ("prospero://h/x", ";a=%3B", ""),
        ("gopher://h/0s", "%09", ""),
        ("gopher://h/0s%09%09%2B%091%0D%0A%2B-1%0D%0A", "x%0D%0A", ".%0D%0A"),
        ("ftp://h/", "%2F", ""),
        ("http://h/?", "token=a1&", ""),
        ("http://h/?", "token=", "a1"),
        ("http://h/?", "?token=a1\n", ""),
        ("http://h/?token=", "a1\n", ""),
        ("http://h/?", "%2525", ""),
        ("http://h/?jwt=", "eyJ.", ""),
        ("http://h/?u=", "http://", ""),
        ("http://h/?", "u=http://i/&", ""),
        ("http://h/?", "a@b.c&", ""),
        ("http://h/?", "a", "@b.example"),
        ("", "https://href.li/?", "http://h/"),
        ("", "https://href.li/?u=", "%"),
        ("data:", "a", ",b"),
        ("http://h/?", "password=\"", ""),
        ("http://h/?", "code=a&", ""),
        ("", "code= ", ""),
        ("http://", "u:a\"", ""),
        ("", "//u:a\"b", "@h"),
        ("", "://hooks.slack.com/", ""),
        ("", "'//hooks.slack.com/services", ""),
        ("", "http://api.telegram.org./a", ""),
        ("", "password: '", ""),
        ("", "password:", ""),
        ("", "<token>", ""),
        ("", "--token ", ""),
        ("", " -u a", ""),
        ("", "Bearer ", ""),
        ("", "@tcp(", ""),
        ("", ":thin:a/", "@"),
        ("", "&#37;", ""),
        ("", "\\u005c", ""),
        ("", "=3D", ""),
        ("http://h/?", "eyJ:", ""),
        ("", "ghp_a ", ""),
        ("", "ghp_a1\n", ""),
        ("", "=\n", ""),
    ] {
        let url = format!("{before}{}{after}", unit.repeat(turns(1 << 20) / unit.len()));
        let started = std::time::Instant::now();
        let findings = on_url(&url);
        assert!(findings.iter().all(|finding| finding.message.len() < 1000), "{before}{unit}");
        let masked = [secret::mask(url.as_bytes()), secret::mask_text(url.as_bytes())];
        assert!(masked.iter().all(|masked| masked.len() <= 3 * url.len()), "{before}{unit}");
        assert!(hyphen_of(url.as_bytes(), [Cow::Borrowed(url.as_bytes().as_bstr())].into_iter()).is_none());
        assert!(started.elapsed().as_secs() < 5, "{before}{unit}…: {:?}", started.elapsed());
    }
}

/// Calls `turn` with mutated triggers and look-alikes: cut, joined, or with inserted bytes.
fn mutated(turn: impl Fn(&[u8], RuleOptions)) {
    let mut rng = fastrand::Rng::with_seed(1);
    let triggers: Vec<String> = cases().into_iter().flat_map(|case| [case.fires, case.silent].concat()).collect();
    for _ in 0..100_000 {
        let mut url = triggers[rng.usize(..triggers.len())].as_bytes().to_vec();
        for _ in 0..rng.usize(..4) {
            let at = rng.usize(..=url.len());
            match rng.u8(..4) {
                0 => url.insert(at, rng.u8(..)),
                1 => url.insert(at, *rng.choice(b"%@:/\\?#=.-[]7;T").unwrap()),
                2 => url.truncate(at),
                _ => url.extend_from_slice(triggers[rng.usize(..triggers.len())].as_bytes()),
            }
        }
        turn(&url, RuleOptions::new().other_literal(rng.bool()));
    }
}

#[test]
fn a_rule_that_is_not_asked_is_silent() {
    mutated(|url, options| {
        let inspected = Inspected::new(url, options);
        let asked: Vec<Rule> = Rule::asked(inspected.signs).collect();
        for &rule in Rule::ALL {
            assert!(asked.contains(&rule) || rule.of_url(&inspected).is_none(), "{rule}: {}", url.as_bstr());
        }
        assert!(asked.is_sorted());
    });
    assert_eq!(Rule::asked(Inspected::new(b"http://h.example/a?b", RuleOptions::new()).signs).count(), 0);
}

#[test]
fn what_is_read_late_is_what_the_parser_reads() {
    mutated(|url, options| {
        let inspected = Inspected::new(url, options);
        let parse = crate::url::ParseOptions::new().other_literal(options.other_literal);
        assert_eq!(inspected.verdict(), crate::url::judge_any(url, parse), "{}", url.as_bstr());
        let host = match inspected.classic() {
            Some(url) if url.scheme() == crate::url::Scheme::News => None,
            Some(url) => url.host().map(|host| host.as_bytes()),
            None => inspected.rough.first_host(),
        };
        assert_eq!(inspected.host(), host.filter(|host| !host.is_empty()), "{}", url.as_bstr());
        assert_eq!(inspected.site(), crate::url::host_with(url, parse), "{}", url.as_bstr());
    });
}

#[test]
fn no_bytes_make_it_panic() {
    mutated(|url, options| {
        for finding in findings_of_url(url, options) {
            assert!(finding.at.start <= finding.at.end && finding.at.end <= url.len(), "{finding:?}");
            assert!(!finding.message.is_empty());
        }
        // A mask is stable: masking again changes nothing. Only the text right after a mask may look like
        // the rest of its value.
        let once = secret::mask(url);
        let twice = secret::mask(&once);
        let same = once.iter().zip(twice.iter()).take_while(|(one, other)| one == other).count();
        assert!(twice == once || once[..same].ends_with(b"***"), "{}", url.as_bstr());
    });
}
