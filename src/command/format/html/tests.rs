use std::borrow::Cow;
use std::collections::BTreeSet;

use bstr::BStr;
use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Token, Tokenizer};
use serde_json::Value;
use urlgrep::audit::{Rule, Severity};
use urlgrep::{Kind, Level, url};

use super::super::samples;
use super::*;
use crate::command::model::{InMessage, ReportedPlace, Share, SpelledUrl, Spelling};

/// A report that has the same text wherever an archive can supply its own.
struct Fixture {
    text: String,
    url: String,
}

impl Fixture {
    fn new(text: &str) -> Fixture {
        // Links of this scheme are not live. Live links would be more elements, and the tests compare
        // elements.
        Fixture { text: text.to_owned(), url: format!("gopher://h.example/{text}") }
    }

    fn place(&self) -> ReportedPlace<'_> {
        let text = &*self.text;
        let [id, date, from, subject, newsgroups, part, encoding] = [Some(text); 7];
        let in_message = InMessage { id, date, from, subject, newsgroups, part, encoding, ..samples::in_message() };
        ReportedPlace { in_message: Some(in_message), context: Some([text.into(); 3]), ..samples::place(text.into()) }
    }

    fn link(&self) -> ReportedLink<'_> {
        ReportedLink {
            count: 1234,
            first: self.place(),
            dates: samples::summary().dates,
            scheme: Some(self.text.clone()),
            host: Some(Cow::Borrowed(self.text.as_str().into())),
            rules: vec![Rule::Bidi, Rule::Later],
            ..samples::link(&self.url)
        }
    }

    fn finding(&self) -> ReportedFinding<'_> {
        ReportedFinding { first: self.place(), ..samples::finding(Rule::Bidi, &self.url, &self.text) }
    }

    fn summary(&self) -> Summary {
        let share = Share { urls: 1, occurrences: 1234 };
        let verdict = url::judge(b"gopher://h.example/~", url::ParseOptions::new());
        Summary {
            files: 1,
            urls: 1,
            hosts: 1,
            by_severity: [(Severity::High, 1)].into(),
            by_rule: [(Rule::Bidi, 1)].into(),
            by_scheme: vec![(self.text.clone(), share)],
            by_host: vec![(self.text.clone(), share)],
            broken_by_page: vec![(self.text.clone(), share)],
            broken_pages: 2,
            spellings: vec![SpelledUrl {
                url: self.url.clone(),
                occurrences: 3,
                count: 2,
                spellings: vec![Spelling { url: self.url.clone(), occurrences: 2 }],
            }],
            spelled_urls: 2,
            by_kind: vec![(Kind::Wrapped, 1234)],
            by_level: vec![(verdict.level, share)],
            by_error: verdict.error.iter().map(|error| (error.kind(), share)).collect(),
            refused: vec![(self.text.clone(), 2)],
            ..samples::summary()
        }
    }

    fn page(&self) -> String {
        page(&self.summary(), &[self.link()], &[self.finding()])
    }
}

fn page(summary: &Summary, links: &[ReportedLink<'_>], findings: &[ReportedFinding<'_>]) -> String {
    let mut out = Vec::new();
    let groups = findings.iter().cloned().collect();
    write(
        &Ran::default(),
        summary,
        &groups,
        links.iter().cloned(),
        links.iter().cloned(),
        findings.iter().cloned(),
        &mut out,
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

/// Returns the tokens that a browser sees: tags with their attributes, and text.
fn tokens(page: &str) -> Vec<Token> {
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(page, emitter).map(Result::unwrap).collect()
}

/// Returns the page without its text: tags, and the names of their attributes.
fn skeleton(page: &str) -> Vec<String> {
    let shape = |token: Token| match token {
        Token::StartTag(tag) => {
            let names: Vec<_> = tag.attributes.keys().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
            Some(format!("<{} {}>", String::from_utf8_lossy(&tag.name), names.join(" ")))
        }
        Token::EndTag(tag) => Some(format!("</{}>", String::from_utf8_lossy(&tag.name))),
        Token::Comment(_) => Some("<!-- -->".to_owned()),
        Token::Error(error) => panic!("{error:?}"),
        Token::String(_) | Token::Doctype(_) => None,
    };
    tokens(page).into_iter().filter_map(shape).collect()
}

/// Returns the values of an attribute, on any tag.
fn attribute(page: &str, name: &str) -> Vec<String> {
    let value = |token: Token| match token {
        Token::StartTag(tag) => tag.attributes.get(name.as_bytes()).map(|value| String::from_utf8_lossy(value).into()),
        _ => None,
    };
    tokens(page).into_iter().filter_map(value).collect()
}

/// Returns the texts between these tags of a page.
fn raw(page: &str, open: &str, close: &str) -> Vec<String> {
    page.split(open).skip(1).map(|rest| rest.split(close).next().unwrap().to_owned()).collect()
}

fn rows(page: &str, class: &str) -> Vec<Value> {
    let open = format!("<script type=\"application/json\" class=\"{class}\">");
    let lists = raw(page, &open, "</script>");
    lists.iter().flat_map(|list| serde_json::from_str::<Vec<Value>>(list).unwrap()).collect()
}

const HOSTILE: &[&str] = &[
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "--><img src=x onerror=alert(1)>",
    "]]><svg onload=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' onmouseover='alert(1)",
    "</title></style></textarea></noscript></select><iframe src=//evil.example>",
    "&lt;b&gt; &#60;i&#62; &amp",
    "javascript:alert(1)",
    "=cmd|' /C calc'!A0",
    "\u{202e}\u{2066}gpj.exe\u{200b}\u{feff}",
    "\0\x01\x1b[2J\x7f\u{9b}\r\n\u{2028}\u{2029}",
    "\\u003c/script> \\\"];alert(1)//",
    "${alert(1)} {{alert(1)}} `",
];

#[test]
fn hostile_text_stays_text() {
    let plain = Fixture::new("plain").page();
    let expected = skeleton(&plain);
    assert!(expected.len() > 300, "the page is nearly empty: {}", expected.len());
    for text in HOSTILE {
        let page = Fixture::new(text).page();
        assert_eq!(skeleton(&page), expected, "{text}");
        for row in rows(&page, "links").iter().chain(&rows(&page, "findings")) {
            let Value::Array(row) = row else { panic!("a row is a list") };
            assert!(row.len() >= 8);
        }
        let hidden =
            |c: char| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}\u{2029}".contains(c);
        assert!(!page.contains(hidden), "{text}");
    }
}

#[test]
fn the_page_runs_and_loads_nothing_but_its_own() {
    let page = Fixture::new(HOSTILE[0]).page();
    let policy = &attribute(&page, "content")[0];
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let [script] = &raw(&page, "<script>", "</script>")[..] else { panic!("one script") };
    let [style] = &raw(&page, "<style>", "</style>")[..] else { panic!("one style sheet") };
    assert_eq!(
        *policy,
        format!(
            "default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
            hash(script),
            hash(style)
        )
    );
    for name in ["src", "style", "srcset", "action", "formaction", "ping", "xlink:href", "background", "poster"] {
        assert_eq!(attribute(&page, name), [""; 0], "{name}");
    }
    assert!(skeleton(&page).iter().all(|tag| !tag.contains(" on")));
    assert!(attribute(&page, "href").iter().all(|href| href.starts_with('#')));
    // A checkout or a tool that changes line ends would change the hash that the browser computes.
    assert!(!SCRIPT.contains('\r') && !STYLE.contains('\r'));
}

#[test]
fn only_what_is_plainly_fetched_is_a_live_link() {
    let live = |text: &str| {
        let fixture = Fixture { text: "h.example".to_owned(), url: text.to_owned() };
        let verdict = url::judge(text.as_bytes(), url::ParseOptions::new());
        let scheme = text.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
        let link =
            ReportedLink { scheme, level: verdict.level, error: verdict.error, rules: Vec::new(), ..fixture.link() };
        let page = page(&fixture.summary(), std::slice::from_ref(&link), &[]);
        let found = attribute(&page, "href").into_iter().find(|href| !href.starts_with('#'));
        assert_eq!(found.is_some(), rows(&page, "links")[0][8] == 1, "{text}");
        assert!(found.as_deref().is_none_or(|found| found == text), "{text}");
        let dangerous = ReportedLink { rules: vec![Rule::Crlf], ..link };
        assert!(!show::is_live(&dangerous), "{text}");
        found.is_some()
    };
    for text in ["http://h.example/a?b&c", "HTTPS://h.example/~joe#x", "ftp://h.example/", "http://münchen.de/"] {
        assert!(live(text), "{text}");
    }
    for text in [
        "javascript:alert(1)",
        "javascript://h.example/%0Aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "gopher://h.example/",
        "mailto:joe@h.example",
        "ftp://joe:***@h.example/",
        "http://good.example@evil.example/",
        "http://good.example\\@evil.example/",
        "http://h.example/a b",
        "http://h.example/\u{202e}x",
        "http:h.example",
        "http://",
    ] {
        assert!(!live(text), "{text}");
    }
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    let fixture = Fixture::new("plain");
    assert_eq!(fixture.page(), fixture.page());
}

#[test]
fn rows_say_what_the_model_says() {
    let fixture = Fixture::new("x<y\u{202e}");
    let page = page(&fixture.summary(), &[fixture.link(), fixture.link()], &[fixture.finding(), fixture.finding()]);
    let shown = r"x<y\u{202e}";
    let day = |year: i32, month: i32, day: i32| year << 9 | month << 5 | day;
    let message = serde_json::json!([shown, shown, shown, shown, 7, 400]);
    let row = |file: Value, message: Value| {
        serde_json::json!([
            format!("gopher://h.example/{shown}"),
            1234,
            2,
            day(1994, 1, 2),
            day(1995, 12, 31),
            shown,
            shown,
            Level::ALL.len() - 1,
            0,
            [Rule::Bidi as u8, Rule::Later as u8],
            ["unsafe-delimiter", fixture.link().error.unwrap().to_string()],
            null,
            [[file, 512, 34, 12, 5, "wrapped", message, shown, shown, 1, [shown, shown, shown]], []],
        ])
    };
    assert_eq!(rows(&page, "links"), [row(shown.into(), message), row(0.into(), 0.into())]);
    let url = format!("gopher://h.example/{shown}");
    let row = |url: Value, file: Value| serde_json::json!([0, Rule::Bidi as u8, 3, 2, shown, url, file, 12]);
    assert_eq!(rows(&page, "findings"), [row(url.into(), shown.into()), row(0.into(), 0.into())]);
}

#[test]
fn a_message_is_repeated_in_another_file() {
    let (one, other) = (Fixture::new("one"), Fixture::new("other"));
    let found = rows(&page(&one.summary(), &[one.link(), one.link(), other.link(), one.link()], &[]), "links");
    let has_file: Vec<bool> = found.iter().map(|row| row[12][0][6] != 0).collect();
    assert_eq!(has_file, [true, false, true, true]);
}

/// Checks four of the figures in the module's documentation.
#[test]
fn a_link_takes_as_many_bytes_as_documented() {
    let fixture = Fixture::new("www.example");
    let page_of = |links: usize, findings: usize, context: Option<[&'static BStr; 3]>| {
        let link = ReportedLink { first: ReportedPlace { context, ..fixture.place() }, error: None, ..fixture.link() };
        page(&fixture.summary(), &vec![link; links], &vec![fixture.finding(); findings]).len()
    };
    let context = [&[b'x'; 80][..], &[b'x'; 30], &[b'x'; 80]].map(BStr::new);
    // The page has the first hundred links twice.
    let base = page_of(100, 0, None);
    let per_row = |page: usize| (page - base) / 1000;
    let figures = [
        page_of(0, 0, None),
        per_row(page_of(1100, 0, None)) - fixture.url.len(),
        per_row(page_of(1100, 0, Some(context))) - per_row(page_of(1100, 0, None)),
        per_row(page_of(100, 1000, None)),
    ];
    let documented = [45_000, 120, 200, 50];
    for (figure, documented) in figures.into_iter().zip(documented) {
        assert!((documented * 2 / 3..=documented * 4 / 3).contains(&figure), "{figures:?}");
    }
}

/// Checks that names made up by hostile text, and forged dates, do not make the page long.
#[test]
fn charts_are_bounded() {
    let fixture = Fixture::new("plain");
    let share = Share { urls: 1, occurrences: 1 };
    let summary = Summary {
        by_scheme: (0..100_000).map(|number| (format!("x-{number}"), share)).collect(),
        hosts: 1_000_000,
        by_host: (0..100_000).map(|number| ("x".repeat(number % 253), share)).collect(),
        by_year: (i32::MIN..i32::MIN + 1000)
            .chain([1994, i32::MAX])
            .map(|year| (year, 1 + u64::from(year == 1994)))
            .collect(),
        refused: (0..100_000).map(|number| (number.to_string(), 1)).collect(),
        ..fixture.summary()
    };
    let page = page(&summary, &[], &[]);
    assert!(page.len() < 150_000, "{}", page.len());
    assert!(page.contains("1994: 2 places"));
    assert!(page.contains("and 99,990 more") && page.contains("and 999,990 more"));
}

#[test]
fn bars_say_what_their_length_is() {
    let summary = samples::summary();
    let text = page(&summary, &[], &[]);
    assert!(text.contains("A bar's length is its number of places; the longest is 1,000."), "{text}");
    assert!(text.contains("A column's height is its number of places; the highest has 900."), "{text}");
    let share = |occurrences| Share { urls: 1, occurrences };
    let by_host =
        vec![("a.example".into(), share(1000)), ("b.example".into(), share(1)), ("c.example".into(), share(1))];
    let text = page(&Summary { by_host, ..summary }, &[], &[]);
    // The scale is linear even if one number dwarfs the others.
    assert!(text.contains("A bar's length is its number of places; the longest is 1,000."), "{text}");
    assert!(text.contains("width=\"100.0\"") && text.contains("width=\"0.8\""), "{text}");
}

#[test]
fn charts_precede_the_rules_and_a_rule_stands_once() {
    let fixture = Fixture::new("plain");
    let finding = fixture.finding();
    let milder = ReportedFinding { severity: Severity::Info, ..finding.clone() };
    let (rule, worst) = (finding.rule, finding.severity);
    assert_ne!(worst, milder.severity);
    let page = page(&fixture.summary(), &[], &[finding, milder]);
    assert!(page.find("id=\"charts\"") < page.find("id=\"findings\""));
    let ids: Vec<_> = attribute(&page, "id").into_iter().filter(|id| id.starts_with("rule-")).collect();
    assert_eq!(ids.iter().filter(|id| **id == format!("rule-{}", rule.id())).count(), 1, "{ids:?}");
    let (_, details) = page.split_once(&format!("id=\"rule-{}\"", rule.id())).unwrap();
    let (summary, explained) = details.split_once("</summary>").unwrap();
    for severity in [worst, Severity::Info] {
        let badge = format!("badge {severity}");
        assert!(summary.contains(&badge) && explained.contains(&badge), "{details}");
    }
}

#[test]
fn ids_are_unique_and_labels_lead_somewhere() {
    let page = Fixture::new("plain").page();
    let ids = attribute(&page, "id");
    let distinct: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(ids.len(), distinct.len(), "{ids:?}");
    let targets = attribute(&page, "aria-labelledby");
    let anchors = attribute(&page, "href").into_iter().map(|href| href.trim_start_matches('#').to_owned());
    for target in targets.into_iter().chain(anchors) {
        assert!(distinct.contains(&target), "{target}");
    }
}

#[test]
fn an_empty_report_is_a_page() {
    let page = page(&Summary::default(), &[], &[]);
    assert!(page.contains("No rule fired.") && page.ends_with("</body></html>\n"));
    assert_eq!(rows(&page, "links"), [Value::Null; 0]);
}

/// Checks that new findings are marked if there is an earlier report.
#[test]
fn what_is_new_is_marked() {
    let known = samples::findings();
    let page_of = |is_new: Option<bool>| {
        let findings: Vec<_> = known.iter().cloned().map(|finding| ReportedFinding { is_new, ..finding }).collect();
        page(&samples::summary(), &[], &findings)
    };
    let marks = |is_new: Option<bool>| page_of(is_new).matches("class=\"new\"").count();
    assert_eq!([marks(None), marks(Some(false))], [0, 0]);
    // The count of each rule has a mark, and each finding has one.
    assert_eq!(marks(Some(true)), 2 * known.len());
}
