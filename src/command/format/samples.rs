//! Handmade reports for the tests of the writers.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use urlgrep::audit::{Rule, Severity};
use urlgrep::url::{self, ParseOptions};
use urlgrep::{Kind, Level, ParseErrorKind};

use crate::command::checked::{Checked, LinkStatus};
use crate::command::model::{Day, InMessage, ReportedFinding, ReportedLink, ReportedPlace, Share, Summary};

/// Everything by which a text can harm its reader. It has terminal controls, colours and titles,
/// bidi characters, ends of elements and cells, and formulas.
pub(super) const HOSTILE: &str = "=cmd|' /C calc'!A0 \u{1b}[2J\u{1b}]0;x\u{7}\r\n\t\0\u{7f}\u{9b}31m\u{202e}\u{200b}\u{2028}</script><!--\",\"';[a](http://evil.example/)";

/// Asserts that a text has no character that a terminal obeys, or that hides or reorders text.
pub(super) fn assert_no_control(text: &str) {
    for character in text.chars() {
        assert!(
            !character.is_control() && !matches!(character, '\u{200b}' | '\u{2028}' | '\u{202e}'),
            "{character:?} in {text:?}"
        );
    }
}

pub(super) fn summary() -> Summary {
    let share = |urls, occurrences| Share { urls, occurrences };
    Summary {
        root: None,
        configuration: None,
        files: 3,
        bytes: 56_700_000,
        messages: 456,
        occurrences: 1234,
        urls: 3,
        hosts: 2,
        by_severity: [(Severity::Critical, 1), (Severity::Medium, 1), (Severity::Info, 1)].into(),
        by_rule: [(Rule::Xproto, 1), (Rule::Later, 1), (Rule::Broken, 1)].into(),
        ignored: Default::default(),
        by_figure: vec![(Rule::Case, share(1, 12))],
        by_scheme: vec![("http".into(), share(2, 1000)), ("gopher".into(), share(1, 234))],
        by_host: vec![("a.example".into(), share(2, 1000)), ("日本.example".into(), share(1, 234))],
        by_kind: vec![(Kind::Wrapped, 1000), (Kind::Bare, 234)],
        by_level: vec![(Level::Rfc1738, share(2, 1000)), (Level::Rfc3986, share(1, 234))],
        by_error: vec![(ParseErrorKind::UnsafeGateway, share(1, 234))],
        by_year: [(1994, 900), (1995, 300)].into(),
        undated: 34,
        dates: Some((Day { year: 1994, month: 1, day: 2 }, Day { year: 1995, month: 12, day: 31 })),
        refused: vec![("too-long".into(), 2)],
        history: Default::default(),
        by_status: Default::default(),
        broken_by_page: Default::default(),
        broken_pages: 0,
        spellings: Default::default(),
        spelled_urls: 0,
        comparison: None,
    }
}

pub(super) fn place(file: &BStr) -> ReportedPlace<'_> {
    ReportedPlace {
        file,
        offset: 512,
        length: 34,
        line: 12,
        column: 5,
        kind: Kind::Wrapped,
        in_message: None,
        context: None,
    }
}

pub(super) fn in_message<'r>() -> InMessage<'r> {
    InMessage {
        id: Some("1@a.example"),
        date: Some("1994-01-02T03:04:05Z"),
        from: Some("Joe <joe@a.example>"),
        subject: Some("Links"),
        newsgroups: Some("comp.a"),
        url: None,
        number: Some(7),
        offset: 400,
        part: Some("1.2"),
        encoding: Some("7bit"),
    }
}

/// Returns a link to a URL, with the parser's verdict.
pub(super) fn link(url: &str) -> ReportedLink<'_> {
    let verdict = url::judge(url.as_bytes(), ParseOptions::new());
    ReportedLink {
        url: Cow::Borrowed(url.into()),
        count: 3,
        messages: 2,
        first: ReportedPlace { in_message: Some(in_message()), ..place("talk.mbox".into()) },
        dates: None,
        scheme: url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()),
        host: url::host(url).map(|host| Cow::Owned(host.into_owned().into())),
        level: verdict.level,
        error: verdict.error,
        rules: Vec::new(),
        status: None,
        further: Vec::new(),
    }
}

pub(super) fn finding<'r>(rule: Rule, url: &'r str, message: &str) -> ReportedFinding<'r> {
    ReportedFinding {
        link: 0,
        rule,
        severity: rule.severity(),
        url: Cow::Borrowed(url.into()),
        count: 2,
        first: place("talk.mbox".into()),
        message: message.into(),
        is_new: None,
    }
}

pub(super) fn links() -> Vec<ReportedLink<'static>> {
    // A link borrows its status, so one static report serves all tests.
    static GONE: std::sync::LazyLock<LinkStatus> = std::sync::LazyLock::new(|| {
        let report = br#"{"error_map": {"f": [{"url": "http://a.example/~x", "status": {"text": "404 Not Found", "code": 404}}]}}"#;
        let checked = Checked::read(&report[..]).expect("a report");
        checked.status(b"http://a.example/~x").expect("a status").clone()
    });
    vec![
        ReportedLink {
            dates: Some((Day { year: 1994, month: 1, day: 2 }, Day { year: 1995, month: 12, day: 31 })),
            rules: vec![Rule::Later, Rule::Broken],
            status: Some(&GONE),
            ..link("http://a.example/~x")
        },
        link("http://a.example/"),
        ReportedLink { rules: vec![Rule::Xproto], ..link("gopher://日本.example:25/0HELO%0D%0A") },
    ]
}

pub(super) fn findings() -> Vec<ReportedFinding<'static>> {
    vec![
        finding(Rule::Xproto, "gopher://b.example:25/0HELO%0D%0A", "%0D%0A at 26, and port 25"),
        ReportedFinding {
            first: ReportedPlace {
                in_message: Some(InMessage { encoding: Some("unpacked"), ..in_message() }),
                ..place("my talk.mbox".into())
            },
            ..finding(Rule::Broken, "http://a.example/~x", "404 Not Found")
        },
        ReportedFinding {
            first: ReportedPlace { in_message: Some(in_message()), ..place("talk.mbox".into()) },
            ..finding(Rule::Later, "http://a.example/~x", "`~` is unsafe in transit; write %7E (G-LEX-3)")
        },
    ]
}

/// A link and a finding in which every text that an archive can choose is [hostile](HOSTILE).
pub(super) struct Hostile {
    pub(super) file: Vec<u8>,
    pub(super) url: String,
}

pub(super) fn hostile() -> Hostile {
    Hostile { file: [HOSTILE.as_bytes(), b"\xFF"].concat(), url: format!("http://h/{HOSTILE}") }
}

impl Hostile {
    fn place(&self) -> ReportedPlace<'_> {
        let in_message = InMessage {
            id: Some(HOSTILE),
            date: Some(HOSTILE),
            from: Some(HOSTILE),
            subject: Some(HOSTILE),
            newsgroups: Some(HOSTILE),
            url: Some(HOSTILE),
            part: Some(HOSTILE),
            ..in_message()
        };
        ReportedPlace { in_message: Some(in_message), ..place(self.file.as_bstr()) }
    }

    pub(super) fn link(&self) -> ReportedLink<'_> {
        ReportedLink { first: self.place(), ..link(&self.url) }
    }

    pub(super) fn finding(&self) -> ReportedFinding<'_> {
        ReportedFinding { first: self.place(), ..finding(Rule::Invalid, &self.url, HOSTILE) }
    }
}
