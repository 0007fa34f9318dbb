//! Every rule on URLs that it must fire on and on URLs that look like them: first the pair of spec.md section 5, then
//! others.

use super::*;
use crate::Extractor;

/// A rule, what it fires on, and what it is silent on. A case that begins with `<` is text, and a `⏎` in it a line break;
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

/// What the rules say of the first match in a text.
fn in_text(text: &str) -> Vec<Finding> {
    let text = text.replace('⏎', "\n");
    let found = Extractor::new().find(text.as_bytes()).unwrap_or_else(|| panic!("nothing in {text}")).into_owned();
    let mut findings = of_url(found.url(), Options::new());
    findings.extend(PlaceRules::of(&found).findings(found.url()));
    findings
}

fn fires(rule: Rule, findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.rule == rule)
}

#[test]
fn every_rule_fires_on_its_triggers_and_on_nothing_like_them() {
    for &(id, triggers, others) in CASES {
        let rule = Rule::from_id(id).unwrap();
        for (cases, should) in [(triggers, true), (others, false)] {
            for case in cases {
                if case.contains('<') {
                    assert_eq!(fires(rule, &in_text(case)), should, "{id}: {case}");
                    continue;
                }
                let findings = of_url(case.as_bytes(), Options::new());
                assert_eq!(fires(rule, &findings), should, "{id}: {case} {findings:?}");
                assert_eq!(fires(rule, &in_text(&format!("<URL:{case}>"))), should, "{id}: {case} in a wrapper");
            }
        }
    }
}
