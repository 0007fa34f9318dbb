//! Every rule on URLs that it must fire on and on URLs that look like them: first the pair of spec.md section 5, then
//! others.

use super::*;
use bstr::ByteSlice;

use crate::Extractor;
use crate::audit::secret;

/// A rule, what it fires on, and what it is silent on. A case with a `<` is text, and a `⏎` in it a line break;
/// any other is a URL, which is also looked for in a wrapper.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    (
        "A-PORT-NONDEFAULT",
        &[
            "http://h:8080/",
            "HTTPS://h:80/",
            "ftp://u@h:2121/x",
            "http://h:0080080/",
            "http://h:99999999999999999999/",
            "http://u@[::1]:8/~x",
            "wais://h:1/d",
        ],
        &[
            "http://h:80/",
            "https://h:443/",
            "http://h:0080/",
            "http://[::1]:80/~x",
            "foo://h:8080/",
            "http://h:/",
            "http://h/:8080/",
            "gopher://h:70",
            "prospero://h:1525/x",
        ],
    ),
    (
        "A-PORT-RESERVED",
        &["gopher://h:25/1x", "http://h:1023/", "https://h:80/", "telnet://h:025", "nntp://h:22/a.b"],
        &["gopher://h:70/1x", "http://h:1024/", "http://h:0/", "http://h:080/", "svn://h:25/x"],
    ),
    (
        "A-PORT-RANGE",
        &["http://h:65536/", "http://h:0/", "ftp://h:000/", "https://h:18446744073709551616/", "http://h:65616/~x"],
        &["http://h:65535/", "http://h:1/", "http://h:080/", "foo://h:65536/"],
    ),
    (
        "A-CRLF",
        &[
            "ftp://h/a%0D%0ADELE%20b",
            "http://h/a%0a",
            "http://h/?q=%0d%0aSet-Cookie:x",
            "mailto:%22a%0Ab%22@h",
            "telnet://u%0Dx@h",
            "gopher://h/0s%0D%0A%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
            "gopher://h/0s%09%09+%0D%0A",
            "https://h/{x}%0D",
            "news:a%0Ab@h",
            "wais://h/d/T/a%0D%0Ab",
        ],
        &[
            "ftp://h/a%20b",
            "http://h/%250D%250A",
            "http://h/%0",
            "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
            "http://h/%0E",
        ],
    ),
    (
        "A-NUL",
        &["http://h/a%00.gif", "ftp://h/%00;type=d", "http://h/~a%00", "gopher://h/0a%00b"],
        &["http://h/a%01", "http://h/%2500", "http://h/%0"],
    ),
    (
        "A-CTRL",
        &[
            "telnet://u%1B@h",
            "http://h/%7f",
            "http://h/a%09b",
            "gopher://h/%09q",
            "gopher://h/7s%1Bx%09q",
            "gopher://h/0s%09%09+%1B",
            "http://h/#%1b",
            "https://h/~%08",
        ],
        &[
            "gopher://h/7s%09q",
            "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
            "gopher://h/7~s%09q",
            "http://h/%00",
            "http://h/%0A",
            "http://h/%80%20",
        ],
    ),
    (
        "A-XPROTO",
        &[
            "gopher://h:25/0HELO%20x%0D%0AMAIL",
            "http://h:6379/%0aFLUSHALL",
            "https://h:25/~%0D%0AHELO",
            "ftp://h:0/%0A",
        ],
        &[
            "gopher://h/0a%0D%0Ab",
            "gopher://h:70/0a%0D%0Ab",
            "gopher://h:25/0HELO%20x",
            "gopher://h:71/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
            "foo://h:25/%0D%0A",
        ],
    ),
    (
        "A-GPLUS-FORM",
        &[
            "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
            "gopher://h/0s%09%09%2b%091%0d%0a+3%0d%0aabc",
            "gopher://h/0s%09q%09+%091%0D%0A+-1%0D%0A.%0D%0A",
        ],
        &[
            "gopher://h/0s%09%09+%0D%0A",
            "gopher://h/0s%09%09+",
            "gopher://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0AQUIT%0D%0A",
            "http://h/0s%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
        ],
    ),
    (
        "A-PASSWORD",
        &[
            "ftp://u:secret@h/",
            "http://u:p@h/",
            "ftp://:p@h/",
            "https://u:p?x@h/",
            "ftp://u:a/b@h/",
            "http://u:a@b@h/",
            "foo://u:a:b@h",
            "telnet://u:%00@h",
            "http://u:p@[::1]/",
        ],
        &[
            "ftp://u@h/",
            "ftp://u:@h/",
            "http://h:80/@x",
            "http://h/u:p@h",
            "mailto:u:p@h",
            "news:u:p@h.example",
            "http://[::1]/@x",
            "http://h:80?x@y",
            "foo:u:p@h",
        ],
    ),
    (
        "A-USERINFO-HOST",
        &[
            "ftp://www.bank.com@evil.example/",
            "https://www.bank.com:443@evil.example/",
            "http://www%2Ebank%2Ecom@evil.example/",
            "https://www.bank.com%2Flogin@evil.example/",
            "ftp://192.0.2.1@evil.example/",
            "https://bank.com.@evil.example/",
        ],
        &[
            "ftp://joe@ftp.example/",
            "ftp://joe.@h/",
            "ftp://.joe@h/",
            "https://h/www.bank.com@evil.example/",
            "ftp://joe%40a.example@h/",
            "ftp://-a.b@h/",
        ],
    ),
    (
        "A-DIVERGE",
        &["https://host?email=joe@x.com", "ftp://a?b@h/", "foo://a?b@c", "telnet://a?x@h"],
        &[
            "https://host/?email=joe@x.com",
            "https://HOST/?e=joe@x.com",
            "file:///x",
            "news://s.example/1@h",
            "http://h/a?b@c",
            "ftp://a%3Fb@h/",
        ],
    ),
    (
        "A-BACKSLASH",
        &[
            r"http://good.com\@evil.com/",
            r"HTTPS://good.com:80\x",
            r"http:\\good.com/",
            r"http:/\good.com/",
            r"ftp://a\b@h/",
            r"ws://h\x",
        ],
        &[
            "http://good.com/",
            r"http://good.com/\@evil.com",
            r"http://good.com?\@evil.com",
            r"http://good.com#\@evil.com",
            "http://good.com%5C@evil.com/",
            r"telnet://a\b@h",
            r"file:///C:\x",
        ],
    ),
    (
        "A-USERINFO-LAX",
        &[
            "http://bank.com@evil.com/",
            "HTTP://u:p@h/",
            "https://joe@h/",
            "gopher://u@h/1",
            "nntp://u@h/a.b",
            "wais://u@h/d",
            "prospero://u@h/x",
            "file://u@h/x",
            "http://@h/",
        ],
        &[
            "http://bank.com/@evil.com",
            "ftp://u@h/",
            "telnet://u@h",
            "ssh://u@h/",
            "news:u@h",
            "mailto:u@h",
            "http://h?u@h",
        ],
    ),
    (
        "A-ENC-DELIM",
        &[
            "http://h/a%2Fb",
            "https://h/a%2fb",
            "http://h/a%3Fb",
            "ftp://h/%2Fetc",
            "ftp://h/a%3Btype=a",
            "ftp://u%40a.example@h/",
            "ftp://u:a%3Ab@h/",
            "mailto:%22a%40b%22@h",
            "news:a%40b@h",
            "news:%3C1@h",
            "wais://h/a%2Fb",
            "prospero://h/a%3Bb;c=d%3De",
            "file:///a%2Fb",
            "http://a%2Fb/~x",
            "https://h/~a%2Fb",
        ],
        &[
            "http://h/a%20b",
            "http://h/?a%2Fb%3F",
            "http://h/a%3Bb%3D%26",
            "https://h/?u=http%3A%2F%2Fx",
            "http://h/#%2F",
            "mailto:a%40b",
            "gopher://h/0a%2Fb%3F",
            "wais://h/d/T/1%3D2%3B%2F",
            "foo:a%2Fb",
            "ftp://h/a%3Fb",
            "http://h/%252F",
        ],
    ),
    (
        "A-DOTSEG",
        &[
            "http://h/a/%2e%2e/b",
            "http://h/..",
            "http://h/./x",
            "http://h/.%2E",
            "ftp://h/a/../b",
            "file:///a/%2E",
            "prospero://h/../x",
            "https://h/~/..?q",
            "foo:/a/../b",
        ],
        &[
            "http://h/a/..b",
            "http://h/...",
            "http://h/?a/../b",
            "https://h/?../b",
            "http://h/#/../",
            "gopher://h/0a/../b",
            "http://h/%252e%252e/",
            "foo:a/../b",
            "http://h/..;x",
        ],
    ),
    (
        "A-DOUBLE-ENC",
        &["http://h/%252Fetc", "http://h/?x=%252e", "http://h/100%2541", "gopher://h/0%2509", "https://h/~%25ff"],
        &["http://h/100%25", "http://h/%25", "http://h/%252", "http://h/%25gg", "http://h/%2Fetc", "http://h/%25%41"],
    ),
    (
        "A-OBFUSC",
        &[
            "http://h/%61dmin",
            "http://h/%5A",
            "http://h/?%30",
            "mailto:%61@h",
            "ftp://h/x%2f%7A",
            "http://%65xample.com/",
        ],
        &["http://h/%7Ejoe", "http://h/%2561", "http://h/%C3%A9", "http://h/%20%2E%2D%5F"],
    ),
    (
        "A-IP-LITERAL",
        &[
            "http://192.0.2.7/",
            "https://192.0.2.7:8/",
            "ftp://u@999.0.2.7/",
            "http://[::1]/",
            "http://[2001:DB8::7]:80/",
            "http://192.0.2.7./",
        ],
        &[
            "http://example.com/",
            "http://1.2.3.4.example/",
            "http://h/192.0.2.7",
            "http://2130706433/",
            "news:1@192.0.2.7",
            "mailto:a@192.0.2.7",
        ],
    ),
    (
        "A-IP-RANGE",
        &["http://256.1.1.1/", "http://1.1.1.999999999999/", "ftp://u@1.300.1.1/x", "https://1.1.1.256/"],
        &["http://255.1.1.1/", "http://256.1.1.1.example/", "http://256.1/", "http://h/256.1.1.1"],
    ),
    (
        "A-IP-OCTAL",
        &["http://010.0.0.1/", "http://1.2.3.04/", "http://00.0.0.0/", "https://1.009.1.1/"],
        &["http://10.0.0.1/", "http://0.0.0.0/", "http://010.0.1/", "http://1.2.3.4:080/"],
    ),
    (
        "A-IP-LOCAL",
        &[
            "http://169.254.169.254/x",
            "http://127.8.9.1/",
            "http://10.1.2.3/",
            "http://172.31.0.1/",
            "http://192.168.0.1/",
            "http://0.0.0.0/",
            "ftp://LocalHost/x",
            "http://a.localhost/",
            "http://localhost./",
            "http://[::1]/",
            "http://[::]/",
            "http://[fe80::1]/",
            "http://[FD00::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://0x7f.1/",
            "https://127.0.0.1?x@evil.example",
        ],
        &[
            "http://192.0.2.7/x",
            "http://172.32.0.1/",
            "http://172.15.0.1/",
            "http://11.0.0.1/",
            "http://localhost.example/",
            "http://[2001:db8::1]/",
            "http://128.0.0.1/",
            "file://localhost/x",
            "file://127.0.0.1/x",
            "http://h/127.0.0.1",
            "news:1@localhost",
        ],
    ),
    (
        "A-IP-ODD",
        &[
            "http://2130706433/",
            "http://127.1/",
            "http://127.0.1/",
            "http://0x7f.0.0.1/",
            "http://0X7F000001/",
            "https://1.2.3.0x4/",
            "http://0/",
            "http://127.1./",
        ],
        &[
            "http://1.2.3.4/",
            "http://1.2.3.4.5/",
            "http://0xg.1/",
            "http://a.1/",
            "http://1a/",
            "http://h/2130706433",
            "http://[::1]/",
        ],
    ),
    (
        "A-IDN-PUNY",
        &[
            "http://xn--pple-43d.com/",
            "http://www.XN--pple-43d.com/",
            "https://a.xn--p1ai:80/",
            "mailto:a@xn--pple-43d.com",
            "mailto:a%40xn--pple-43d.com?subject=x",
        ],
        &["http://apple.com/", "http://axn--a.com/", "http://h/xn--pple-43d", "http://xn-a.com/", "ftp://xn--a@h/"],
    ),
    (
        "A-IDN-MIXED",
        &[
            "http://\u{430}pple.com/",
            "https://www.\u{430}pple.com/~x",
            "http://xn--pple-43d.com/",
            "http://%D0%B0pple.com/",
            "http://pa\u{443}pal\u{3002}com/",
            "mailto:a@\u{430}pple.com",
        ],
        &[
            "http://яндекс.рф/",
            "http://яндекс.example/",
            "http://日本語テスト.jp/",
            "http://münchen-2.de/",
            "http://h/\u{430}pple",
            "http://xn--d1acpjx3f.xn--p1ai/",
        ],
    ),
    (
        "A-BIDI",
        &[
            "<URL:http://h/\u{202E}gpj.exe>",
            "<URL:http://h/a\u{200B}b>",
            "see\u{202E}<URL:http://h/>",
            "<URL:http://h/>\u{2066}",
            "<http://h/x>\u{E0041}",
            "<URL:http://h/é\u{200D}>",
            "\u{202A}\u{FEFF}<URL:http://h/>",
        ],
        &[
            "<URL:http://h/exe.jpg>",
            "\u{202E} <URL:http://h/>",
            "<URL:http://h/é>",
            "\u{FEFF}<URL:http://h/>",
            "“<URL:http://h/>”",
            "<URL:http://h/%E2%80%AE>",
            "<URL:http://h/a\u{AD}⏎b>",
        ],
    ),
    (
        "A-CASE",
        &["HTTP://Example.COM/", "Http://h/", "http://h.eXample/", "MAILTO:a@b", "http://[::FF]/", "X:y"],
        &[
            "http://example.com/PATH",
            "mailto:A@B",
            "ftp://USER:PASS@h/",
            "news:1@H",
            "http://a%C3.example/",
            "http://h#A",
        ],
    ),
    ("A-DNS-LEN", &[], &["mailto:a@b", "http://[0000:0000:0000:0000:0000:0000:0000:0000]/"]),
    (
        "A-FILE-REMOTE",
        &["file://fs.example.com/x", "FILE://h/x", "file://127.0.0.1/x", "file://h:80/x"],
        &["file:///x", "file://LOCALHOST/x", "file:/x", "ftp://fs.example.com/x"],
    ),
    (
        "A-FILE-LOCAL",
        &["file:///etc/passwd", "file://localhost/x", "FILE:///C:/x", "file:/etc", "file:///~x"],
        &["file://fs.example.com/x", "ftp:///x", "http://localhost/"],
    ),
    (
        "A-SCHEME-ACTIVE",
        &["javascript:alert(1)", "JavaScript:alert(\"x\")", "vbscript:x", "data:text/html,x", "data:"],
        &["mailto:a@b", "http://h/javascript:x", "javascripts:x", "x-javascript:x"],
    ),
    ("A-SCHEME-X", &["x-test:y", "X-Test:y", "x-a+b://h/"], &["xtest:y", "x-:y", "ax-test:y", "http://x-test/"]),
    (
        "A-SCHEME-RESERVED",
        &["tn3270:x", "AFS:x", "mid:a@b", "cid:a@b", "nfs://h/x", "mailserver:x", "z39.50://h/"],
        &["telnet://h", "nfs4://h/x", "mids:x", "z39.50r://h/"],
    ),
    (
        "A-MAIL-ROUTE",
        &[
            "mailto:user%25relay@host",
            "mailto:a!b!c@host",
            "mailto:user%25relay@host?subject=x%20y",
            "MAILTO:a%21b%40host",
        ],
        &["mailto:user@host", "mailto:user@host?subject=100%25", "mailto:a.b@c", "http://a!b/"],
    ),
    (
        "A-MAIL-HDR",
        &["mailto:a@b?subject=x", "mailto:a@b?", "mailto:?to=a@b", "mailto:a@b?bcc=c@d#x"],
        &["mailto:a@b", "mailto:a%3Fb@c", "mailto:a@b#?", "http://h/?subject=x"],
    ),
    (
        "A-NEWS-SERVER",
        &["news://s.example/1@h", "NEWS://s.example/comp.lang.c", "news://s.example:119/1@h"],
        &["news:1@h", "news:a//b@h", "nntp://s.example/a.b", "news:/1@h"],
    ),
    (
        "A-NESTED-URL",
        &[
            "http://h/?u=http%3A%2F%2Fx",
            "http://h/?u=HTTPS://x",
            "http://h/http://x/",
            "http://h/go;https%3a//x",
            "gopher://h/hURL:http://x/",
            "jdbc:mysql://h/db",
            "https://h/~x?u=ftp%3A//y",
        ],
        &[
            "http://h/?u=x",
            "http://h/?u=http:/x",
            "http://h/#http://x",
            "http://h/?u=http%253A%252F%252Fx",
            "http://h/?://x",
            "http://h/1://x",
        ],
    ),
    (
        "A-HYPHEN",
        &[
            "<URL:http://foo-⏎bar.com/>",
            "<URL:http://h/x-⏎y>",
            "<URL:http://h/x-⏎>",
            "<http://h/a-⏎b-⏎c>",
            "<URL:https://h/~x-⏎y>",
        ],
        &[
            "<URL:http://foo⏎bar.com/>",
            "<URL:http://foo-bar.com/>",
            "<URL:http://foo-⏎.com/>",
            "<URL:http://h/a - b>",
            "see http://h/x-⏎y and",
        ],
    ),
    (
        "A-SPACE-JOIN",
        &["<URL:http://a.ex ample/>", "<URL:http://h/a\tb>", "<URL:http://h/a\u{A0}b>", "<URL:http://h/a⏎b c>"],
        &[
            "<URL:http://a.ex⏎ample/>",
            "<URL: http://h/a >",
            "<URL:http://h/a ⏎ b>",
            "> <URL:http://h/a⏎> b>",
            "<URL:http://h/a%20b>",
            "news:<1@h.example> wrote",
        ],
    ),
    (
        "X-INVALID",
        &["http://h/{x}", "http://h/%", "nothing", "http://h/a\"b", "http:foo", "javascript:alert(\"x\")", "../x:y"],
        &["http://h/", "http://h/~x", "http://é/"],
    ),
    (
        "X-LATER",
        &["http://h/~x", "http://é/", "https://h?q", "sqlite:///x"],
        &["http://h/", "http://h/{x}", "https://h/?q"],
    ),
];

/// The rules that fire on a URL.
fn on_url(url: &[u8]) -> Vec<Rule> {
    of_url(url, Options::new()).into_iter().map(|finding| finding.rule).collect()
}

/// The rules that fire on the first match in a text, and on its place.
fn in_text(text: &str) -> Vec<Rule> {
    let text = text.replace('⏎', "\n");
    let found = Extractor::new().find(text.as_bytes()).unwrap_or_else(|| panic!("nothing in {text}"));
    let mut rules = on_url(found.url());
    rules.extend(PlaceRules::of(&found).rules());
    rules
}

#[test]
fn every_rule_fires_on_its_triggers_and_on_nothing_like_them() {
    for &(id, triggers, others) in CASES {
        let rule = Rule::from_id(id).unwrap();
        for (cases, should) in [(triggers, true), (others, false)] {
            for case in cases {
                if case.contains('<') {
                    assert_eq!(in_text(case).contains(&rule), should, "{id}: {case}");
                    continue;
                }
                assert_eq!(on_url(case.as_bytes()).contains(&rule), should, "{id}: {case}");
                assert_eq!(in_text(&format!("<URL:{case}>")).contains(&rule), should, "{id}: {case} in a wrapper");
            }
        }
    }
}

#[test]
fn every_rule_has_cases_and_says_what_it_is() {
    assert_eq!(Rule::ALL.len(), 44);
    for (at, &rule) in Rule::ALL.iter().enumerate() {
        assert_eq!(rule as usize, at);
        assert_eq!(Rule::from_id(rule.id()), Some(rule));
        assert_eq!(Rule::from_id(&rule.id().to_lowercase()), Some(rule));
        assert!(rule.id().starts_with("A-") || rule.id().starts_with("X-"), "{rule}");
        assert!(
            !rule.fires_when().ends_with('.') && rule.why().ends_with('.') && rule.remedy().ends_with('.'),
            "{rule}"
        );
        // These have tests of their own, or are another's to decide.
        let is_elsewhere = matches!(rule, Rule::Long | Rule::Anchor | Rule::Broken | Rule::Redirect);
        let cases = CASES.iter().filter(|(id, ..)| *id == rule.id()).count();
        assert_eq!(cases, usize::from(!is_elsewhere), "{rule}");
    }
    assert!(CASES.iter().map(|(id, ..)| Rule::from_id(id)).is_sorted());
    assert_eq!(Rule::from_id("A-NONE"), None);
}

#[test]
fn long_urls_and_long_names() {
    let url = |before: &str, letters: usize, after: &str| format!("{before}{}{after}", "a".repeat(letters));
    let fires = |rule, url: &str| in_text(&format!("<URL:{url}>")).contains(&rule);
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

/// The finding of a rule about a URL.
fn finding(rule: Rule, url: &str) -> Finding {
    let findings = of_url(url.as_bytes(), Options::new());
    findings.into_iter().find(|finding| finding.rule == rule).unwrap_or_else(|| panic!("{rule}: {url}"))
}

#[test]
fn severities_depend_on_what_is_found() {
    let severity = |rule: Rule, url: &str| finding(rule, url).severity;
    assert_eq!(severity(Rule::EncDelim, "ftp://h/%2Fetc"), Severity::Info);
    assert_eq!(severity(Rule::EncDelim, "ftp://h/%2Fetc/a%3Bb"), Severity::Medium);
    assert_eq!(severity(Rule::EncDelim, "ftp://u%2Fv@h/"), Severity::Medium);
    assert_eq!(severity(Rule::EncDelim, "http://h/a%2Fb"), Severity::Medium);
    for &(id, triggers, _) in CASES {
        let rule = Rule::from_id(id).unwrap();
        if !matches!(rule, Rule::EncDelim) && !triggers.iter().any(|case| case.contains('<')) {
            assert!(triggers.iter().all(|url| severity(rule, url) == rule.severity()), "{id}");
        }
    }
    let hyphen = |readings: &[&str]| {
        let readings: Vec<&[u8]> = readings.iter().map(|reading| reading.as_bytes()).collect();
        super::hyphen(&readings).map(|finding| finding.severity)
    };
    assert_eq!(hyphen(&["http://a-b.example/", "http://ab.example/"]), Some(Severity::Medium));
    assert_eq!(hyphen(&["http://a.example/x-y", "http://a.example/xy"]), Some(Severity::Low));
    assert_eq!(hyphen(&["http://a.example/xy", "http://a.example/x-y"]), Some(Severity::Low));
    assert_eq!(
        hyphen(&["http://a.example/x-y-z", "http://a.example/x-yz", "http://a.example/xyz"]),
        Some(Severity::Low)
    );
    assert_eq!(hyphen(&["mailto:a@b-c.example", "mailto:a@bc.example"]), Some(Severity::Medium));
    assert_eq!(hyphen(&["http://a.example/x", "http://a.example/x-%"]), None);
    assert_eq!(hyphen(&["http://a.example/x-y", "http://a.example/x"]), None);
    assert_eq!(hyphen(&["http://a.example/x-y"]), None);
    assert_eq!(hyphen(&[]), None);
}

#[test]
fn messages_name_what_they_are_about() {
    for (rule, url, at, message) in [
        (Rule::PortNondefault, "HTTP://h:8080/", "8080", "port 8080 instead of 80, the port of http"),
        (Rule::PortReserved, "gopher://h:25/1x", "25", "speaks gopher to port 25 (mail: smtp)"),
        (Rule::PortReserved, "gopher://h:26/1x", "26", "speaks gopher to port 26"),
        (Rule::PortRange, "http://h:65536/", "65536", "there is no port 65536; ports are 1 to 65535"),
        (Rule::Crlf, "ftp://h/a%0D%0ADELE%20b", "%0D", "%0D ends the line: `DELE b` would be a line of its own"),
        (Rule::Crlf, "http://h/a%0a#b", "%0a", "%0a ends the line"),
        (Rule::Crlf, "http://h/a%0a%20%20", "%0a", "%0a ends the line"),
        (Rule::Ctrl, "telnet://u%1B@h", "%1B", "%1B is the control character 1B"),
        (
            Rule::Xproto,
            "gopher://h:25/0HELO%20x%0D%0AMAIL",
            "%0D",
            "speaks to port 25 instead of 70, line by line: `MAIL` would be a line of its own",
        ),
        (Rule::Password, "ftp://joe:secret@h/", "secret", "the password of `joe` stands in the text"),
        (Rule::Password, "ftp://:secret@h/", "secret", "a password stands in the text"),
        (
            Rule::UserinfoHost,
            "ftp://www.bank.com%2Fx@evil.example/",
            "www.bank.com%2Fx",
            "looks like a link to `www.bank.com`, and goes to `evil.example`",
        ),
        (
            Rule::Diverge,
            "https://host?email=joe@x.com",
            "x.com",
            "RFC 1738 reads the host `x.com`, RFC 3986 and browsers `host`",
        ),
        (Rule::Backslash, r"http://good.com\@evil.com/", r"\", r"browsers read `\` as `/` and go to `good.com`"),
        (Rule::UserinfoLax, "http://bank.com@evil.com/", "bank.com", "http URLs take no user; the host is `evil.com`"),
        (Rule::EncDelim, "http://h/a%2Fb", "%2F", "what decodes before it splits takes %2F for the delimiter `/`"),
        (Rule::Dotseg, "http://h/a/%2e%2e/b", "%2e%2e", "the segment `%2e%2e` is `..`"),
        (Rule::Dotseg, "http://h/a/../b", "..", "the segment `..`"),
        (Rule::DoubleEnc, "http://h/%252Fetc", "%252F", "`%252F` decodes to `%2F`, and that to `/`"),
        (Rule::DoubleEnc, "http://h/%250a", "%250a", "`%250a` decodes to `%0a`, and that to the octet 0A"),
        (Rule::Obfusc, "http://h/%61dmin", "%61", "%61 is just `a`"),
        (Rule::Obfusc, "http://h/%61%64%20%6d", "%61", "%61 is just `a`, and 2 more"),
        (Rule::IpLiteral, "http://192.0.2.7/", "192.0.2.7", "`192.0.2.7` is an address, not a name"),
        (Rule::IpRange, "http://1.256.1.1/", "1.256.1.1", "the group 256 is above 255"),
        (Rule::IpOctal, "http://010.0.0.1/", "010.0.0.1", "the group 010 is 10 in decimal, and 8 in octal"),
        (Rule::IpOctal, "http://1.1.1.009/", "1.1.1.009", "the group 009 has a leading zero, and is no octal number"),
        (Rule::IpLocal, "http://10.0.0.1/", "10.0.0.1", "10.0.0.1 is an address of a private network"),
        (Rule::IpLocal, "http://[::1]/", "[::1]", "[::1] is the reader's own machine"),
        (Rule::IpLocal, "http://[0::1]/", "[0::1]", "[0::1] ([::1]) is the reader's own machine"),
        (Rule::IpLocal, "http://0x7f.1/", "0x7f.1", "0x7f.1 (127.0.0.1) is the reader's own machine"),
        (Rule::IpLocal, "http://012.1.1.1/", "012.1.1.1", "012.1.1.1 (10.1.1.1) is an address of a private network"),
        (Rule::IpOdd, "http://2130706433/", "2130706433", "browsers read `2130706433` as 127.0.0.1"),
        (Rule::IpOdd, "tv://12", "12", "some software reads `12` as 0.0.0.12"),
        (Rule::IpOdd, "http://1.2.3.0x400/", "1.2.3.0x400", "`1.2.3.0x400` is all digits, and no address"),
        (Rule::IdnPuny, "http://xn--pple-43d.com/", "xn--pple-43d.com", "`xn--pple-43d` is shown as `\u{430}pple`"),
        (Rule::IdnPuny, "http://xn--9.com/", "xn--9.com", "`xn--9` is no punycode"),
        (Rule::IdnMixed, "http://\u{430}pple.com/", "\u{430}pple.com", "`\u{430}pple` mixes Cyrillic and Latin"),
        (Rule::Case, "HTTP://A.example/", "HTTP", "`HTTP` is the same as `http`"),
        (Rule::Case, "http://A.example/", "A.example", "`A.example` is the same as `a.example`"),
        (Rule::SchemeReserved, "cid:a@b", "cid", "RFC 1738 only reserves `cid`; RFC 2392 defines it"),
        (
            Rule::FileRemote,
            "file://fs.example/x",
            "fs.example",
            "a file on `fs.example`, and no protocol to fetch it by",
        ),
        (Rule::MailRoute, "mailto:a%25b@h", "a%25b@h", "`%` in `a%b` may be read as a route to another host"),
        (Rule::MailHdr, "mailto:a@b?Subject=x&%62cc=y", "Subject=x&%62cc=y", "a mailer may fill in: subject, bcc"),
        (
            Rule::NewsServer,
            "news://s.example/1@h",
            "s.example",
            "later software connects to `s.example` and asks it for the article",
        ),
        (
            Rule::NestedUrl,
            "http://h/?u=http%3A%2F%2Fx.example%2F",
            "u=http%3A%2F%2Fx.example%2F",
            "holds a URL of `x.example` (http)",
        ),
        (Rule::NestedUrl, "http://h/?u=http://u:p@x", "u=http://u:p@x", "holds a URL of `x` (http)"),
        (Rule::Invalid, "http://h/{x}", "{", "`{` is unsafe in transit; write %7B (G-LEX-3)"),
        (Rule::Later, "http://h/~x", "~", "RFC 3986, and not RFC 1738: `~` is unsafe in transit; write %7E (G-LEX-3)"),
    ] {
        let finding = finding(rule, url);
        assert_eq!((&url[finding.at], &*finding.message), (at, message), "{url}");
    }
}

#[test]
fn a_doubtful_hyphen_is_shown_with_what_stands_around_it() {
    let message =
        |readings: [String; 2]| hyphen(&readings.each_ref().map(|reading| reading.as_bytes())).unwrap().message;
    let [before, after] = ["b".repeat(60), "a".repeat(60)];
    assert_eq!(
        message([format!("http://h/{before}-x{after}"), format!("http://h/{before}x{after}")]),
        format!("may as well be `…{}x{}…`", &before[..41], &after[..38])
    );
    assert_eq!(
        message([format!("http://h/{before}-x"), format!("http://h/{before}x")]),
        format!("may as well be `http://h/{before}x`")
    );
    assert_eq!(
        message(["ftp://u:pass-word@h/".into(), "ftp://u:password@h/".into()]),
        "may as well be `ftp://u:***@h/`"
    );
}

/// A-CRLF and the like show what would be sent, but for what nobody should see.
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
        let findings = of_url(url.as_bytes(), Options::new());
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

#[test]
fn place_rules_are_a_set() {
    let found = Extractor::new().find("<URL:http://foo-\nb ar.com/>\u{202E}".as_bytes()).unwrap();
    let rules = PlaceRules::of(&found);
    assert!(rules.rules().eq([Rule::Bidi, Rule::Hyphen, Rule::SpaceJoin]));
    assert_eq!(PlaceRules::from_bits(rules.bits()), rules);
    assert_eq!(PlaceRules::of(&found.clone().into_owned()), rules);
    assert!(!rules.is_empty() && !rules.contains(Rule::Anchor) && !rules.contains(Rule::Crlf));
    assert!(PlaceRules::default().is_empty());
    assert_eq!(PlaceRules::from_bits(u8::MAX).rules().count(), 4);
}

/// X-ANCHOR, in a message of HTML.
#[test]
fn anchors_that_mislead() {
    use crate::archive::Container;
    use std::ops::ControlFlow;

    #[derive(Default)]
    struct Anchors(Vec<(String, Option<String>, bool)>);
    impl crate::Sink for Anchors {
        fn add(&mut self, found: &crate::Match<'_>) {
            assert_eq!(found.shown_host(), found.place().unwrap().shown_host);
            let owned = found.clone().into_owned();
            assert_eq!(owned.shown_host(), found.shown_host());
            let fires = PlaceRules::of(found).contains(Rule::Anchor);
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
    Extractor::new().mail(&mail[..], Container::Message, 0..u64::MAX, Anchors::default, deliver).unwrap();
    let shown = |host: &str| Some(host.to_owned());
    assert_eq!(found[0], ("http://c.example/".into(), None, false));
    assert_eq!(found[1], ("http://evil.example/".into(), shown("www.bank.example"), true));
    assert_eq!(found[2], ("http://bank.example/".into(), None, false));
    assert_eq!(found[3], ("http://WWW.bank.com/".into(), None, false));
    assert_eq!(found[4], ("http://bank.com/".into(), None, false));
    assert_eq!(found[5], ("http://www.evil.example/".into(), shown("bank.com"), true));
}

/// A megabyte of anything costs milliseconds. Quadratic work would cost minutes.
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
        ("http://", "\\", ""),
        ("mailto:", "a%40", "b"),
        ("mailto:a@b?", "&a=", ""),
        ("news:", "%40", "@h"),
        ("prospero://h/x", ";a=%3B", ""),
        ("gopher://h/0s", "%09", ""),
        ("gopher://h/0s%09%09%2B%091%0D%0A%2B-1%0D%0A", "x%0D%0A", ".%0D%0A"),
        ("ftp://h/", "%2F", ""),
    ] {
        let url = format!("{before}{}{after}", unit.repeat((1 << 20) / unit.len()));
        let started = std::time::Instant::now();
        let findings = of_url(url.as_bytes(), Options::new());
        assert!(findings.iter().all(|finding| finding.message.len() < 1000), "{before}{unit}");
        let masked = [secret::mask(url.as_bytes()), secret::mask_text(url.as_bytes())];
        assert!(masked.iter().all(|masked| masked.len() <= 3 * url.len()), "{before}{unit}");
        assert_eq!(hyphen(&[url.as_bytes(), url.as_bytes()]), None);
        assert!(started.elapsed().as_secs() < 5, "{before}{unit}…: {:?}", started.elapsed());
    }
}

#[test]
fn no_bytes_make_it_panic() {
    let mut rng = fastrand::Rng::with_seed(1);
    let triggers: Vec<&str> = CASES.iter().flat_map(|(_, on, off)| on.iter().chain(*off)).copied().collect();
    for _ in 0..100_000 {
        let mut url = triggers[rng.usize(..triggers.len())].as_bytes().to_vec();
        for _ in 0..rng.usize(..4) {
            let at = rng.usize(..=url.len());
            match rng.u8(..3) {
                0 => url.insert(at, rng.u8(..)),
                1 => url.truncate(at),
                _ => url.extend_from_slice(triggers[rng.usize(..triggers.len())].as_bytes()),
            }
        }
        for finding in of_url(&url, Options::new().other_literal(rng.bool())) {
            assert!(finding.at.start <= finding.at.end && finding.at.end <= url.len(), "{finding:?}");
            assert!(!finding.message.is_empty());
        }
        assert_eq!(secret::mask(&secret::mask(&url)), secret::mask(&url));
    }
}
