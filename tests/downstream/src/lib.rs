//! The usual tasks of a program that uses the library. Each task is a test, and uses only the
//! public names.

#![cfg(test)]

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::io::BufReader;

use serde::{Deserialize, Serialize};
use urlgrep::url::{Generic, Scheme, resolve_3986};
use urlgrep::{
    Extractor, Feeder, Kind, Level, Match, ParseError, ParseErrorKind, Rejoin, Segment, SplitUrl, Url, UrlBuf,
};

const TEXT: &str = "See http://a.example/~joe, <URL:ftp://ftp.b.example/pub/\n  read-me> or\nmailto:joe@c.example.\n";

#[test]
fn all_urls_of_a_text() {
    let urls: Vec<String> = Extractor::new().find_iter(TEXT).map(|found| found.url().to_string()).collect();
    assert_eq!(urls, ["http://a.example/~joe", "ftp://ftp.b.example/pub/read-me", "mailto:joe@c.example"]);
}

#[test]
fn a_url_of_the_settings() -> Result<(), Box<dyn Error>> {
    struct Settings {
        home: UrlBuf,
    }
    let settings = Settings { home: "http://a.example:8080/~joe".parse()? };
    assert_eq!((settings.home.as_url().level(), settings.home.as_url().port()), (Level::Rfc3986, Some(8080)));
    assert_eq!(format!("{}", settings.home), "http://a.example:8080/~joe");
    let wrong: Result<UrlBuf, ParseError> = "a.example/home".parse();
    assert_eq!(wrong.unwrap_err().kind(), ParseErrorKind::MissingScheme);
    assert_eq!(Url::try_from("ftp://a.example")?.to_buf(), UrlBuf::try_from(&b"ftp://a.example"[..])?);
    Ok(())
}

#[test]
fn a_link_within_a_page() -> Result<(), Box<dyn Error>> {
    let page = Url::parse("https://a.example/docs/")?;
    let link: UrlBuf = page.resolve("find?q=red+boats&page=2")?;
    let url = link.as_url();
    assert_eq!((url.scheme(), url.port_effective()), (Scheme::Https, Some(443)));
    let pairs: BTreeMap<_, _> = url.query_pairs().collect();
    assert_eq!((&*pairs["q"], &*pairs["page"]), ("red boats", "2"));
    let text: &str = url.as_ref();
    assert_eq!(SplitUrl::new(text).to_string(), "https://a.example/docs/find?q=red+boats&page=2");
    Ok(())
}

#[test]
fn values_for_another_thread() {
    fn crosses<T: Send + Sync + Unpin>() {}
    crosses::<(Extractor, Feeder, Match<'static>, Segment<'static, str>)>();
    crosses::<(Url, UrlBuf, SplitUrl, Level, ParseError)>();
}

#[test]
fn a_level_of_the_user() -> Result<(), Box<dyn Error>> {
    let level: Level = "rfc1738".parse()?;
    assert!(Url::parse_at(level, "http://a.example/~joe").is_err());
    Ok(())
}

#[test]
fn a_file_of_settings() -> Result<(), Box<dyn Error>> {
    #[derive(Debug, Serialize, Deserialize)]
    struct Settings {
        home: UrlBuf,
        at_least: Level,
        kinds: Vec<Kind>,
        rejoin: Rejoin,
    }
    let text = r#"{"home":"http://a.example/","at_least":"rfc3986","kinds":["bare","wrapped"],"rejoin":"auto"}"#;
    let settings: Settings = serde_json::from_str(text)?;
    assert_eq!((settings.at_least, settings.kinds.len(), settings.rejoin), (Level::Rfc3986, 2, Rejoin::Auto));
    assert_eq!(serde_json::to_string(&settings)?, text);
    assert!(serde_json::from_str::<Settings>(&text.replace("http:", "http")).is_err());
    Ok(())
}

#[test]
fn matches_as_json() -> Result<(), Box<dyn Error>> {
    #[derive(Serialize)]
    struct Page<'h> {
        title: &'h str,
        links: Vec<Match<'h>>,
    }
    let page = Page { title: "See", links: Extractor::new().find_iter(TEXT).collect() };
    let json = serde_json::to_value(&page)?;
    assert_eq!((&json["title"], &json["links"][0]["host"]), (&"See".into(), &"a.example".into()));
    assert_eq!(json["links"][0]["error"]["kind"], "unsafe-gateway");
    assert_eq!((&json["links"][1]["rejoined"], &json["links"][1]["parts"]["name"]), (&true.into(), &"read-me".into()));
    Ok(())
}

#[test]
fn urls_for_a_client() -> Result<(), Box<dyn Error>> {
    let found = Extractor::new().find("see HTTP://A.example:80/~joe/../x.").ok_or("a match")?;
    let url = url::Url::try_from(&found)?;
    assert_eq!((url.host_str(), url.path()), (Some("a.example"), "/x"));
    let found = Extractor::new().find("<URL:http://256.1.1.1/>").ok_or("a match")?;
    let error = url::Url::try_from(&found).unwrap_err();
    assert_eq!(error.source().map(ToString::to_string).as_deref(), Some("invalid IPv4 address"));
    assert_eq!(url::Url::try_from(Url::parse("ftp://a.example:21")?)?.as_str(), "ftp://a.example/");
    Ok(())
}

#[test]
fn urls_as_strings() {
    for found in Extractor::new().find_iter("http://a.example/ http://b.example/") {
        let url: &str = &found.url_str();
        assert!(url.starts_with("http://") && url.ends_with(".example/"));
        assert_eq!(found.to_string(), url);
    }
}

#[test]
fn matches_and_urls_in_order() {
    let text = "http://b.example/ http://a.example/";
    let mut matches: Vec<Match> = Extractor::new().find_iter(text).collect();
    matches.reverse();
    matches.sort();
    assert_eq!(matches[0].range(), 0..17);
    let mut urls: Vec<UrlBuf> = matches.iter().flat_map(Url::try_from).map(UrlBuf::from).collect();
    urls.sort();
    assert_eq!(urls[0].as_str(), "http://a.example/");
    let known: HashSet<UrlBuf> = urls.into_iter().collect();
    assert!(known.contains("http://b.example/"));
}

#[test]
fn urls_that_outlive_their_matches() {
    let urls: Vec<_> = Extractor::new().find_iter(TEXT).filter(Match::is_verbatim).map(Match::into_url).collect();
    assert_eq!(urls.len(), 2);
    assert_eq!(*urls[0], "http://a.example/~joe");
}

#[test]
fn the_first_url_of_bytes() {
    let bytes = vec![0xFF, b' ', b'h', b't', b't', b'p', b':', b'/', b'/', b'a', b'/'];
    assert_eq!(Extractor::new().find(&bytes).map(|found| found.range()), Some(2..11));
}

#[test]
fn links_made_of_urls() {
    let html = Extractor::new()
        .replace_all("see http://a.example/x.", |found| format!("<a href=\"{url}\">{url}</a>", url = found.url()));
    assert_eq!(html.to_string(), "see <a href=\"http://a.example/x\">http://a.example/x</a>.");
}

#[test]
fn how_often_each_host_is_named() {
    let mut hosts = BTreeMap::new();
    for found in Extractor::new().find_iter("http://a.example/ http://b.example/~joe http://a.example/x|y") {
        *hosts.entry(found.split().host().unwrap_or("none").to_lowercase()).or_insert(0) += 1;
    }
    assert_eq!(hosts, BTreeMap::from([("a.example".into(), 2), ("b.example".into(), 1)]));
}

#[test]
fn text_and_links() {
    let text = String::from("see http://a.example/x.");
    let mut html = String::new();
    for segment in Extractor::new().segments(&text) {
        match segment {
            Segment::Text(text) => html.push_str(text),
            Segment::Link(found) => html += &format!("<a href=\"{found}\">here</a>"),
        }
    }
    assert_eq!(html, "see <a href=\"http://a.example/x\">here</a>.");
    let bytes: &[u8] = b"\xFF http://a.example/x";
    let first = Extractor::new().segments(bytes).next();
    assert!(matches!(first, Some(Segment::Text(b"\xFF "))));
}

#[test]
fn chunks_of_a_connection() {
    fn taken(feeder: &mut Feeder, urls: &mut Vec<String>) {
        while let Some(found) = feeder.next() {
            urls.push(found.url_str().into_owned());
        }
    }
    let (mut feeder, mut urls) = (Extractor::new().feeder(), Vec::new());
    for chunk in [&b"GET http://a.exam"[..], b"ple/ HTTP/1.0\r\n"] {
        feeder.push(chunk);
        taken(&mut feeder, &mut urls);
    }
    feeder.finish();
    taken(&mut feeder, &mut urls);
    assert_eq!(urls, ["http://a.example/"]);
}

#[test]
fn each_url_once() {
    let text = "http://a.example/ http://a.example/ http://b.example/";
    let distinct: HashSet<_> = Extractor::new().find_iter(text).map(Match::into_url).collect();
    assert_eq!(distinct.len(), 2);
}

#[test]
fn what_is_wrong_with_a_url() {
    let error = Url::parse("http://a.example:port/").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ParseErrorKind::BadPortChar, 17));
    assert!(error.to_string().contains("port"));
    let boxed: Box<dyn Error + Send + Sync> = error.into();
    assert!(!boxed.to_string().is_empty());
}

#[test]
fn the_parts_of_a_url() {
    let url = Generic::parse("https://joe@a.example:8443/x/y?q=1#top").expect("a URL");
    assert_eq!(url.scheme, "https");
    assert_eq!(url.host.map(ToString::to_string).as_deref(), Some("a.example"));
    assert_eq!((url.path.to_string().as_str(), url.query.is_some()), ("/x/y", true));
}

#[test]
fn a_relative_link() -> Result<(), urlgrep::ParseError> {
    let resolved = resolve_3986("http://a.example/docs/index.html", "../img/lamp.png")?;
    assert_eq!(resolved, b"http://a.example/img/lamp.png");
    Ok(())
}

#[test]
fn a_stream() -> std::io::Result<()> {
    let mut stream = Extractor::builder().line_numbers(true).build().stream(BufReader::new(TEXT.as_bytes()));
    let mut lines = Vec::new();
    while let Some(found) = stream.next()? {
        lines.push(found.line());
    }
    assert_eq!(lines, [Some(1), Some(1), Some(3)]);
    Ok(())
}

#[test]
fn what_else_a_broken_url_may_have_been() {
    let text = "<URL:http://a.example/call-\nfor-papers>";
    let found = Extractor::new().find(text).expect("a match");
    let readings: Vec<String> = found.readings().map(|reading| reading.to_string()).collect();
    assert_eq!(readings, ["http://a.example/call-for-papers", "http://a.example/callfor-papers"]);
    assert_eq!((found.kind(), found.level()), (Kind::Wrapped, Level::Rfc1738));
}

#[test]
fn only_what_stands_on_one_line() {
    let one_line = Extractor::builder().rejoin(Rejoin::None);
    let extractor = one_line.clone().any_scheme(true).build();
    assert_eq!(one_line.build().find_iter("foo://a/b").count(), 0);
    let urls: Vec<_> = extractor.find_iter("foo://a/b <URL:http://a.example/\nx>").map(Match::into_url).collect();
    assert_eq!(urls.iter().map(ToString::to_string).collect::<Vec<_>>(), ["foo://a/b", "http://a.example/"]);
}
