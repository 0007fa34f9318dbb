//! A secret that a text contains, in any form of the table, appears in no report.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use urlgrep_fuzz::audited::{FORMATS, audit};

/// The secret, in halves. Neither may be shown.
const SECRET: [&str; 2] = ["hUsH7gFq2Z", "k9WmT4xR8v"];

/// The forms in which a secret occurs. It replaces `{}`, and is on one line, since an unjoined URL
/// is shown only up to a line break.
const FORMS: [&str; 35] = [
    "ftp://u:{}@h.example/x",
    "<URL:ftp://u:{}@h.example/x>",
    "https://u:{}@h.example:81/?u=ftp://v:{}@i.example/",
    "https://h.example/?a=b&password={}&c=d",
    "https://h.example/a;jsessionid={}?x",
    "https://h.example/?u=https%3A%2F%2Fu%3A{}%40i.example%2F",
    "https://h.example/?u=http%253A%252F%252Fq%253A{}%2540i",
    "sip:joe:{}@h.example",
    "https://g.example/?u=sip:joe:{}@h.example",
    "http://u:{}/x@h.example/",
    "http://localhost/?access_token={}",
    "https://hooks.slack.com/services/T00/B00/{}",
    "https://api.telegram.org/bot123456:{}/sendMessage",
    "<a href=\"http://u:{}@h.example/\">http://u:{}@i.example/</a>",
    "<a href='/x?api_key={}'>x</a>",
    "postgres://bot:{}@db.example:5432/app?sslmode=on",
    "http://h.example/call-\nfor?token={} ",
    "gopher://h.example:25/0HELO%0D%0A?pwd={}",
    "javascript:x('ftp://u:{}@h.example/')",
    "data:text/html,<a href=ftp://u:{}@h.example/>",
    "https://hooks.slack.com:443//services/T00/B00/{}",
    "https://u@hooks.slack.com./services/T00/B00/{}",
    "https://{}:x-oauth-basic@github.com/o/r",
    "https://h.example/?user[password]={}",
    "https://h.example/?accessToken={}&x",
    "https://h.example/cb?state=x&code={}",
    "https://h.example/ghp_{}0123456789abcdef/x",
    "{\"u\":\"https:\\/\\/j:{}@h.example\\/\"}",
    "https://h.example/?password&#61;{}",
    "https://h.example/?password\\u003d{}",
    "http://h.example/ {\"password\":\"{}\"}",
    "http://h.example/ Bearer {}",
    "curl -u joe:{} http://h.example/",
    "http://h.example/ joe:{}@tcp(db.example:3306)/x",
    "http://h.example/ --api-key {}",
];

#[rustfmt::skip] // a list of one per line would be hard to survey
const AROUND: [&[u8]; 24] = [
    b" ", b"\n", b"\n\n", b"http://a.example:81/ ", b"http://localhost/ ", b"<", b">", b"\"", b"(", b")", b"see ", b"\nSubject: ", b"\nFrom: ",
    b"From a@b Sat Jan  3 01:05:34 1996\n", b"From: a@b.example\n", b"Content-Type: text/html\n\n", b"<p>", b"&amp;", b"http://", b"://", b"x@y ", b"=",
    b"http://u@evil.example/ ", b"Content-Transfer-Encoding: 8bit\n",
];

#[derive(Arbitrary, Debug)]
enum Part<'a> {
    Form(u8),
    Around(u8),
    Long(u8, u8),
    Bytes(&'a [u8]),
}

fuzz_target!(|input: (bool, Vec<Part<'_>>)| {
    let (is_mail, parts) = input;
    let mut text = if is_mail {
        b"From: a@b.example\nDate: Sat, 3 Jan 1996 01:05:34 +0000\nSubject: x ".to_vec()
    } else {
        Vec::new()
    };
    for part in &parts {
        match part {
            Part::Form(index) => {
                let form = FORMS[usize::from(*index) % FORMS.len()];
                text.extend(form.replace("{}", &SECRET.concat()).as_bytes());
            }
            Part::Around(index) => text.extend_from_slice(AROUND[usize::from(*index) % AROUND.len()]),
            Part::Long(byte, times) => text.extend(vec![(*byte).clamp(b' ', b'~'); usize::from(*times) * 4]),
            // Excludes bytes that could make an escape, or a break, of the planted URL.
            Part::Bytes(bytes) => {
                text.extend(bytes.iter().filter(|byte| byte.is_ascii_graphic() && !b"%=".contains(byte)))
            }
        }
        text.push(b' ');
    }
    for (format, report) in FORMATS.iter().zip(audit(&text, b"x")) {
        for half in SECRET {
            let at = report.windows(half.len()).position(|window| window == half.as_bytes());
            let shown =
                at.map(|at| report[at.saturating_sub(80)..(at + 40).min(report.len())].escape_ascii().to_string());
            assert!(shown.is_none(), "{format}: {shown:?} in {}", text.escape_ascii());
        }
    }
});
