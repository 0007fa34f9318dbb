//! Mail through the library: all ways in which a message can carry a URL, and laws for any archive.
//!
//! `URLGREP_TURNS=100000 cargo test --release --test mail random` runs more turns. `URLGREP_SEED=…`
//! replays the turn that a failure names.

use crate::carriers;
use crate::common;
use crate::forms;

use std::io::{Cursor, Read};
use std::ops::{ControlFlow, Range};

use carriers::{Case, Found, cases, check, check_case, mbox, rnews, to_base64, to_quoted_printable};
use common::{Drip, pool, turns};
use fastrand::Rng;
use urlgrep::archive::{Container, recognise, recognise_early};
use urlgrep::{Checkpoint, Extractor, Kind, Match, Rejoin, Section, Sink, Stats, Undecoded};

#[derive(Default)]
struct Collect(Vec<Found>);

impl Sink for Collect {
    fn add(&mut self, found: &Match<'_>) {
        let place = found.place().unwrap_or_default();
        let text = |text: Option<&str>| text.map(str::to_string);
        self.0.push(Found {
            url: found.url().to_string(),
            kind: found.kind().as_str().to_string(),
            span: found.span(),
            line: found.line(),
            column: found.column(),
            readings: found.readings().map(|reading| reading.to_string()).collect(),
            id: place.message.as_ref().and_then(|message| message.id.clone()),
            number: place.number,
            begins: place.offset,
            part: place.part.clone(),
            part_span: place.part_span.clone(),
            content_type: place.content_type.clone(),
            encoding: text(place.encoding),
            header: place.header.clone(),
            depth: place.quote_depth.map(|depth| depth as u64),
            body: place.body.clone(),
            text: place.text.clone(),
            resolved: place.resolved.map(|url| String::from_utf8_lossy(&url).into_owned()),
        });
    }
}

fn extractor() -> Extractor {
    Extractor::builder().line_numbers(true).build()
}

fn mail(reader: impl Read, container: Container, section: impl Into<Section>) -> (Vec<Found>, Stats) {
    let mut found = Vec::new();
    let stats = extractor().documents(reader, container, section, Collect::default, |batch| {
        found.extend(batch.0);
        Ok(ControlFlow::Continue(()))
    });
    (found, stats.expect("reading from memory"))
}

fn par_documents(
    reader: impl Read + Send,
    container: Container,
    section: impl Into<Section>,
    threads: usize,
) -> (Vec<Found>, Stats) {
    let mut found = Vec::new();
    let section = section.into();
    let stats = pool(threads).install(|| {
        extractor().par_documents(reader, container, section, Collect::default, |batch| {
            found.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        })
    });
    (found, stats.expect("reading from memory"))
}

const ALL: Range<u64> = 0..u64::MAX;

fn messages(cases: &[Case]) -> impl Iterator<Item = &[u8]> {
    cases.iter().map(|case| &case.message[..])
}

/// Checks that a URL is reported as rejoined if its mailer broke and marked it. The search itself
/// reads it in one piece.
#[test]
fn a_flowed_url_is_rejoined() {
    struct Rejoined(Vec<(bool, bool)>);
    impl Sink for Rejoined {
        fn add(&mut self, found: &Match<'_>) {
            self.0.push((found.rejoined(), found.clone().into_owned().rejoined()));
        }
    }
    let flowed = "Content-Type: text/plain; format=flowed; delsp=yes\n";
    for (header, body) in [(flowed.to_string(), "h \nttp://a.example/x \ny http://b.example/\n"), {
        (
            format!("{flowed}Content-Transfer-Encoding: quoted-printable\n"),
            "h=20\nttp://a.example/x=20\ny http://b.example/\n",
        )
    }] {
        let message = format!("From: a@b\nDate: x\n{header}\n{body}");
        let mut all = Vec::new();
        let deliver = |batch: Rejoined| {
            all.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        };
        let range = 0..u64::MAX;
        extractor()
            .documents(message.as_bytes(), Container::Message, range, || Rejoined(Vec::new()), deliver)
            .expect("memory");
        assert_eq!(all, [(true, true), (false, false)], "{message}");
    }
}

/// Returns the readings of the matches in a message, each list with the bytes that its match
/// covers.
fn readings(message: &str) -> Vec<(Vec<String>, String)> {
    let (found, _) = mail(message.as_bytes(), Container::Message, ALL);
    let bytes = |found: &Found| message[found.span.start as usize..found.span.end as usize].to_string();
    found.into_iter().map(|found| (found.readings.clone(), bytes(&found))).collect()
}

/// Checks that a soft break without DelSp is a line break for B-JOIN and B-HYPH. Its blank is
/// dropped when they join.
#[test]
fn a_soft_break_may_tear_a_bare_url() {
    let message = |parameters: &str, body: &str| {
        format!("From: a@b\nDate: x\nContent-Type: text/plain; format=flowed{parameters}\n\n{body}\n")
    };
    let (head, tail) = ("http://harbour.example.org/minutes/board-of-lights/1998/spring/", "meeting-draft.html");
    let whole = format!("{head}{tail}");
    for mark in ["", "> "] {
        let body = format!("{mark}{head} \n{mark}{tail} \n{mark}and more");
        let found = readings(&message("", &body));
        assert_eq!(found, [(vec![whole.clone(), head.to_string()], format!("{head} \n{mark}{tail}"))], "{mark}");
    }
    let hyphen = readings(&message("", "see http://a.example/x- \ny for it"));
    assert_eq!(hyphen[0].0, ["http://a.example/x-", "http://a.example/x-y", "http://a.example/xy"]);
    // With DelSp the two lines are one before the search begins.
    let joined = readings(&message("; delsp=yes", "see http://a.example/x- \ny for it"));
    assert_eq!(joined, [(vec!["http://a.example/x-y".to_string()], "http://a.example/x- \ny".to_string())]);
    // A word on the next line is prose here, as in other text.
    let prose = readings(&message("", "see http://a.example/x \nfor it"));
    assert_eq!(prose, [(vec!["http://a.example/x".to_string()], "http://a.example/x".to_string())]);
}

/// Treats a fold of a header as a blank. No bare URL is joined over it, but a wrapper continues
/// over it.
#[test]
fn a_fold_tears_no_bare_url() {
    let head = "http://harbour.example.org/minutes/board-of-lights/1998/spring/";
    let alone = |url: &str| vec![(vec![url.to_string()], url.to_string())];
    for fold in ["\n ", "\r\n\t"] {
        let message = |value: &str| format!("From: a@b\nDate: x\nX-URL: {value}\n\nbody\n").replace("{}", fold);
        assert_eq!(readings(&message(&format!("{head}{{}}meeting-draft.html"))), alone(head));
        assert_eq!(readings(&message("see http://a.example/x-{}y")), alone("http://a.example/x-"));
        assert_eq!(readings(&message("=?utf-8?q?see?= http://a.example/x-{}y"))[0].0, ["http://a.example/x-"]);
        let wrapped = readings(&message("<URL:http://a.example/{}x>"));
        assert_eq!(wrapped, [(vec!["http://a.example/x".to_string()], format!("<URL:http://a.example/{fold}x>"))]);
    }
    // A URL is not joined from the end of a field to the next field.
    let message = "From: a@b\nX-URL: http://a.example/x-\nX-Next: y\n\nbody\n";
    assert_eq!(readings(message), alone("http://a.example/x-"));
}

/// Searches the mailbox that comes with the project: one URL in every message, each in its own way.
#[test]
fn the_nine_carriers_of_the_corpora() {
    let mailbox = include_bytes!("../corpora/mail-encodings.mbox");
    let (found, stats) = mail(&mailbox[..], Container::Mbox, 0..u64::MAX);
    let url = "http://archive.harbour.example.org/minutes/board-of-lights/1998/spring-meeting-draft-2.html?lang=en&show=titles";
    assert_eq!(stats.messages, 9);
    let numbers: Vec<_> = found.iter().map(|found| (found.number, found.url.as_str())).collect();
    assert_eq!(numbers, (1..=9).map(|number| (Some(number), url)).collect::<Vec<_>>());
}

#[test]
fn every_carrier_is_read_to_the_byte() {
    let cases = cases();
    assert!(cases.len() >= carriers::NINE + 20);
    for case in &cases {
        assert_eq!(recognise(&case.message), Container::Message, "{}", case.name);
        let (found, stats) = mail(&case.message[..], Container::Message, ALL);
        check_case(&case.message, case, &found);
        assert_eq!((stats.messages, stats.matches), (1, case.hits.len() as u64), "{}", case.name);
    }
}

#[test]
fn in_every_container() {
    let cases = cases();
    let box_of_all = mbox(messages(&cases));
    let batch_of_all = rnews(messages(&cases));
    for (archive, container) in [(&box_of_all, Container::Mbox), (&batch_of_all, Container::Rnews)] {
        assert_eq!(recognise(archive), container);
        let (found, stats) = mail(&archive[..], container, ALL);
        check(archive, &cases, &found);
        assert_eq!((stats.messages, stats.bytes), (cases.len() as u64, archive.len() as u64));
    }
}

/// Searches the messages in every form that software stores them in, through every driver and in
/// ranges.
#[test]
fn in_every_form() {
    let cases = cases();
    let all: Vec<_> = messages(&cases).collect();
    for (name, container, form) in forms::FORMS {
        let archive = form(&all);
        assert_eq!(recognise(&archive), *container, "{name}");
        let (found, stats) = mail(&archive[..], *container, ALL);
        check(&archive, &cases, &found);
        assert_eq!((stats.messages, stats.bytes), (cases.len() as u64, archive.len() as u64), "{name}");
        check_drivers(&archive, *container, &mut Rng::with_seed(4155));
        for length in (0..archive.len()).step_by(997) {
            check_going_on(&archive, *container, length, &(found.clone(), stats));
        }
    }
}

/// Searches the messages in the forms that hold one message per file.
#[test]
fn in_every_form_of_one_message() {
    type Form = (Container, fn(&[u8]) -> Vec<u8>);
    let forms: [Form; 2] = [(Container::Emlx, forms::emlx), (Container::Dbox, forms::sdbox)];
    for case in cases() {
        for (container, form) in forms {
            let file = form(&case.message);
            assert_eq!(recognise(&file), container, "{}", case.name);
            let (found, stats) = mail(&file[..], container, ALL);
            check_case(&file, &case, &found);
            assert_eq!((stats.messages, stats.matches), (1, case.hits.len() as u64), "{}", case.name);
            check_drivers(&file, container, &mut Rng::with_seed(4155));
        }
    }
}

/// Checks that data stored after a message is located by its offset, however long the message is.
#[test]
fn long_messages_in_other_forms() {
    let lines = "a line of a message that has many of them\n".repeat(310_000);
    let message = format!("From: a@b\nDate: x\n\nhttp://a.example/\n{lines}http://b.example/\n");
    for (container, file) in
        [(Container::Emlx, forms::emlx(message.as_bytes())), (Container::Dbox, forms::sdbox(message.as_bytes()))]
    {
        assert!(file.len() > 12 << 20);
        for threads in [1, 2] {
            let (found, stats) = par_documents(&file[..], container, ALL, threads);
            let urls: Vec<_> = found.iter().map(|found| found.url.as_str()).collect();
            assert_eq!(
                (&urls[..], stats.messages),
                (&["http://a.example/", "http://b.example/"][..], 1),
                "{container:?}"
            );
        }
    }
}

/// Compares articles with and without CRLF and dots: they have the same URLs in the same parts and
/// places.
#[test]
fn articles_as_nntp_carries_them() {
    let essence = |found: Vec<Found>| found.iter().map(Found::essence).collect::<Vec<_>>();
    for case in cases() {
        let lines = String::from_utf8_lossy(&case.message).contains('\r');
        // A file with its own CRLF is handled differently.
        if lines || !case.message.is_ascii() {
            continue;
        }
        let crlf = String::from_utf8_lossy(&case.message).replace('\n', "\r\n");
        let article = forms::wire(&case.message);
        let expected = mail(crlf.as_bytes(), Container::Message, ALL).0;
        assert_eq!(recognise(&article), Container::Message, "{}", case.name);
        assert_eq!(essence(mail(&article[..], Container::Message, ALL).0), essence(expected), "{}", case.name);
        check_drivers(&article, Container::Message, &mut Rng::with_seed(3977));
    }
    let header = "From: a@b\nDate: x\nContent-Transfer-Encoding: quoted-printable\n\n";
    let body = "http://a.example/x=\n.html and\n<URL:http://b.example/\n.y>\n.\n";
    let article = forms::wire(format!("{header}{body}").as_bytes());
    let text = String::from_utf8(article.clone()).expect("ASCII");
    assert!(text.contains("\r\n..html") && text.contains("\r\n..\r\n.\r\n"));
    let (found, _) = mail(&article[..], Container::Message, ALL);
    let urls: Vec<_> = found.iter().map(|found| found.url.as_str()).collect();
    assert_eq!(urls, ["http://a.example/x.html", "http://b.example/.y"]);
    let plain = forms::wire(b"From: a@b\nDate: x\n\n.\n<URL:http://b.example/\n.y> and http://c.example/\n");
    let (found, _) = mail(&plain[..], Container::Message, ALL);
    let spans: Vec<_> = found
        .iter()
        .map(|found| &plain[found.span.start as usize..found.span.end as usize])
        .map(bstr::BStr::new)
        .collect();
    assert_eq!(spans, ["<URL:http://b.example/\r\n..y>", "http://c.example/"]);
}

/// Damage for archives: lines and marks that mean something to their parsers.
const DAMAGE: &[&[u8]] = &[
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xFF",
    b"=\n",
    b"=3D",
    b"=",
    b"--outer\n",
    b"\n--outer\n\n",
    b"\n--outer--\n",
    b"\n--inner\n",
    b"> ",
    b"\n>From ",
    b"\nFrom joe@carriers.example Sat Sep 21 12:00:00 1996\nFrom: joe\n",
    b"\n\nFrom joe@carriers.example Sat Sep 21 12:00:00 1996\nFrom: joe\nContent-Length: 100\n",
    b"\n\nFrom me to you",
    b"\nFrom \r\nX-Mozilla-Status: 0001\nX-Mozilla-Status2: 0\n",
    b"\n#! rnews 100\n",
    b"\n#! rnews 0\n",
    b"Content-Length: 77\n",
    b"Content-Type: message/rfc822\n",
    b"Content-Type: multipart/digest; boundary=outer\n",
    b"Content-Type: text/html; charset=utf-16\n",
    b"Content-Type: text/plain; format=flowed\n",
    b"Content-Transfer-Encoding: base64\n",
    b"Content-Transfer-Encoding: quoted-printable\n",
    b"\n-----Original Message-----\nFrom: a\nSubject: b\n\n",
    b"=?utf-8?Q?=68ttp://word.example/?= ",
    b" \n",
    b"+ADw-",
    b"\x1B$B",
    b"<a href=\"",
    b"&#",
    b"<!--",
    b"<URL:http://damage.example/\n",
    b" http://damage.example/a/b/c ",
];

/// Returns messages of the table, in some container, and then damaged.
fn archive(rng: &mut Rng, cases: &[Case]) -> (Vec<u8>, Container) {
    let mut messages: Vec<Vec<u8>> =
        (0..rng.usize(..8)).map(|_| rng.choice(cases).expect("cases").message.clone()).collect();
    if rng.u8(..4) == 0 {
        for message in &mut messages {
            *message = damaged(rng, message.clone());
        }
    }
    let each = messages.iter().map(|message| &message[..]);
    let (archive, container) = match rng.u8(..6) {
        5 => {
            let (_, container, form) = rng.choice(forms::FORMS).expect("forms");
            (form(&each.collect::<Vec<_>>()), *container)
        }
        0 => (rnews(each), Container::Rnews),
        1 => (messages.concat(), Container::Message),
        2 => (messages.concat(), Container::Mbox),
        _ => (mbox(each), Container::Mbox),
    };
    (damaged(rng, archive), container)
}

fn damaged(rng: &mut Rng, mut text: Vec<u8>) -> Vec<u8> {
    for _ in 0..rng.usize(..6) {
        let at = rng.usize(..=text.len());
        let end = text.len().min(at + rng.usize(..200));
        match rng.u8(..8) {
            0 => drop(text.splice(at..end, [])),
            1 => {
                let again = text[at..end].to_vec();
                drop(text.splice(at..at, again));
            }
            2 if at < text.len() => text[at] = rng.u8(..),
            3 if rng.u8(..4) == 0 => text.truncate(at),
            4 => {
                let encoded = if rng.bool() { to_base64(&text[at..end]) } else { to_quoted_printable(&text[at..end]) };
                drop(text.splice(at..end, encoded.into_bytes()));
            }
            _ => drop(text.splice(at..at, rng.choice(DAMAGE).expect("damage").iter().copied())),
        }
    }
    text
}

/// Checks what holds for every match, whatever the archive.
fn check_places(archive: &[u8], found: &[Found]) {
    let mut begins = 0;
    for found in found {
        let size = archive.len() as u64;
        assert!(found.begins >= begins && found.begins < size, "{found:?}");
        begins = found.begins;
        assert!(found.span.start < found.span.end, "{found:?}");
        assert_eq!(found.readings.first(), Some(&found.url), "{found:?}");
        if let Some(body) = &found.body {
            assert!(begins <= body.start && body.start <= body.end && body.end <= size, "{found:?}");
        }
        if found.is_in_archive() {
            assert!(begins <= found.span.start && found.span.end <= size, "{found:?}");
            let body = found.body.clone().unwrap_or(0..size);
            assert!(body.start <= found.span.start && found.span.end <= body.end, "{found:?}");
            let position = carriers::position(archive, found.span.start as usize);
            let is_wide = found.encoding.as_deref().is_some_and(|encoding| encoding.starts_with("utf-16"));
            assert!(is_wide || found.line.zip(found.column) == Some(position), "{position:?} {found:?}");
        }
    }
}

fn but_bytes(stats: Stats) -> [u64; 6] {
    [stats.matches, stats.too_long, stats.unterminated, stats.empty_wrappers, stats.messages, stats.undecoded]
}

fn check_drivers(archive: &[u8], container: Container, rng: &mut Rng) {
    let (expected, stats) = mail(archive, container, ALL);
    let note = || format!("{container:?} {:?}", bstr::BStr::new(archive));
    assert_eq!(stats.matches, expected.len() as u64, "{}", note());
    assert_eq!(stats.bytes, archive.len() as u64);
    check_places(archive, &expected);
    for reads in [1, rng.usize(1..64), rng.usize(64..4096)] {
        let found = mail(Drip::new(archive, reads), container, ALL);
        assert_eq!((found.0, found.1), (expected.clone(), stats), "reads of {reads}: {}", note());
    }
    for threads in [1, 2, 8] {
        let reads = *rng.choice(&[1, 50, 1000, 1 << 20]).expect("four");
        let found = par_documents(Drip::new(archive, reads), container, ALL, threads);
        assert_eq!((found.0, found.1), (expected.clone(), stats), "{threads} threads, reads of {reads}: {}", note());
    }
    let mut cuts: Vec<usize> = (0..rng.usize(..8)).map(|_| rng.usize(..=archive.len())).collect();
    cuts.extend(expected.iter().map(|found| found.begins as usize + rng.usize(..2)));
    check_tiles(archive, container, cuts, &expected, but_bytes(stats));
}

fn check_tiles(
    archive: &[u8],
    container: Container,
    mut cuts: Vec<usize>,
    expected: &[Found],
    expected_stats: [u64; 6],
) {
    cuts.extend([0, archive.len() + 1]);
    cuts.sort_unstable();
    cuts.dedup();
    let (mut found, mut sum) = (Vec::new(), [0; 6]);
    for (at, pair) in cuts.windows(2).enumerate() {
        let range = pair[0] as u64..pair[1] as u64;
        let (tile, stats) =
            if at % 2 == 0 { mail(archive, container, range) } else { par_documents(archive, container, range, 2) };
        found.extend(tile);
        sum.iter_mut().zip(but_bytes(stats)).for_each(|(sum, count)| *sum += count);
    }
    assert_eq!(found, expected, "tiles {cuts:?} of {container:?} {:?}", bstr::BStr::new(archive));
    assert_eq!(sum, expected_stats, "tiles {cuts:?} of {container:?} {:?}", bstr::BStr::new(archive));
}

#[test]
fn random_archives_through_every_driver() {
    let cases = cases();
    turns(4_000, |rng| {
        let (archive, container) = archive(rng, &cases);
        check_drivers(&archive, container, rng);
    });
}

/// Checks that the container of an input is decided by its bytes, whatever they are.
#[test]
fn random_archives_are_recognised_early_as_they_are_late() {
    let cases = cases();
    turns(10_000, |rng| {
        let (archive, _) = archive(rng, &cases);
        let container = recognise(&archive);
        let cut = rng.usize(..=archive.len());
        if let Some(early) = recognise_early(&archive[..cut]) {
            assert_eq!(early, container, "{cut} bytes of {:?}", bstr::BStr::new(&archive));
        }
    });
}

/// Checks a search that continues at a checkpoint. The final matches in the first `length` bytes,
/// and those found from the checkpoint on, must be all matches.
fn check_going_on(archive: &[u8], container: Container, length: usize, expected: &(Vec<Found>, Stats)) -> Checkpoint {
    let note = || format!("{container:?}, {length} bytes of {:?}", bstr::BStr::new(archive));
    let (mut found, first) = mail(&archive[..length], container, ALL);
    assert_eq!(par_documents(&archive[..length], container, ALL, 2).1.checkpoint, first.checkpoint, "{}", note());
    assert_eq!(first.checkpoint.is_none(), length == 0, "{}", note());
    let checkpoint = first.checkpoint.unwrap_or_default();
    found.retain(|found| found.begins < checkpoint.offset);
    let rest = &archive[checkpoint.offset as usize..];
    let (later, stats) = mail(rest, container, checkpoint);
    assert_eq!(stats.bytes, rest.len() as u64);
    assert_eq!(stats.checkpoint, expected.1.checkpoint, "{}", note());
    assert_eq!(
        par_documents(Drip::new(rest, 1 + length % 300), container, checkpoint, 2),
        (later.clone(), stats),
        "{}",
        note()
    );
    found.extend(later);
    assert_eq!(found, expected.0, "{}", note());
    checkpoint
}

#[test]
fn a_search_goes_on_where_an_earlier_one_ended() {
    let cases = cases();
    turns(1_000, |rng| {
        let (archive, container) = archive(rng, &cases);
        check_going_on(&archive, container, rng.usize(..=archive.len()), &mail(&archive[..], container, ALL));
    });
}

/// Resumes among messages whose stated lengths are correct, end where a later message begins, or
/// are wrong. A length beyond the end may become correct.
#[test]
fn a_search_goes_on_among_claims() {
    turns(2_000, |rng| {
        let mut mbox = Vec::new();
        let mut claims = Vec::new();
        for number in 0..rng.usize(1..8) {
            mbox.extend_from_slice(b"From joe@a.example Sat Sep 21 12:00:00 1996\nFrom: joe\n");
            if rng.u8(..4) > 0 {
                mbox.extend_from_slice(b"Content-Length: ");
                claims.push(mbox.len());
                mbox.extend_from_slice(b"000000\n");
            }
            mbox.extend_from_slice(format!("\nhttp://a{number}.example/\n").as_bytes());
            if rng.u8(..8) == 0 {
                mbox.resize(mbox.len() + rng.usize(..3_000), b'x');
            }
            mbox.extend_from_slice(if rng.bool() { b"\n\n" } else { b"\n" });
        }
        for &at in &claims {
            let body = at + "000000\n\n".len();
            let ends: Vec<usize> = (body..mbox.len()).filter(|&at| mbox[at..].starts_with(b"From joe@")).collect();
            let end = match rng.choice(&ends) {
                Some(end) if rng.u8(..6) > 0 => *end,
                _ => rng.usize(body..mbox.len() + 500),
            };
            let claim = format!("{:06}", end - body);
            mbox[at..at + claim.len()].copy_from_slice(claim.as_bytes());
        }
        let expected = mail(&mbox[..], Container::Mbox, ALL);
        for _ in 0..4 {
            check_going_on(&mbox, Container::Mbox, rng.usize(..=mbox.len()), &expected);
        }
    });
}

#[test]
fn where_a_search_of_mail_may_go_on() {
    let message = |claim: &str, body: &str| format!("From a@b.c Sat Sep 21 12:00:00 1996\nFrom: a\n{claim}\n{body}");
    let plain = message("", "http://a.example/\n\n");
    let three = [&plain[..], &plain, &plain].concat();
    let at = |archive: &str, container, messages| {
        let begins = (0..messages).map(|_| plain.len() as u64).sum();
        let lines = archive.as_bytes()[..begins as usize].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let (_, stats) = mail(archive.as_bytes(), container, ALL);
        assert_eq!(stats.checkpoint, Some(Checkpoint::new(begins, lines, messages)), "{archive}");
    };
    at(&three, Container::Mbox, 2);
    at(&plain, Container::Mbox, 0);
    at("no message at all", Container::Mbox, 0);
    at(&three, Container::Message, 0);
    // The second message may still reach its stated length, and contain the third.
    at(&[&plain[..], &message("Content-Length: 200\n", "x\n\n"), &plain].concat(), Container::Mbox, 1);
    // The second message cannot reach its length any more, since other text follows.
    let long = "x".repeat(2_000);
    let (_, stats) = mail(
        [&plain[..], &message("Content-Length: 200\n", "x\n\n"), &plain, &long].concat().as_bytes(),
        Container::Mbox,
        ALL,
    );
    assert_eq!(stats.checkpoint.map(|checkpoint| checkpoint.messages), Some(2));

    // A search that stops early, or has a shorter range, or counts no lines, has no checkpoint.
    let all = three.len() as u64;
    let checkpoint = |range: Range<u64>| mail(three.as_bytes(), Container::Mbox, range).1.checkpoint;
    assert_eq!(checkpoint(10..all), checkpoint(0..u64::MAX));
    assert!(checkpoint(10..all).is_some());
    assert_eq!((checkpoint(0..all - 1), checkpoint(all - 1..all)), (None, None));
    let stop = |_| Ok(ControlFlow::Break(()));
    let stopped = extractor().documents(three.as_bytes(), Container::Mbox, ALL, Collect::default, stop);
    assert_eq!(stopped.expect("memory").checkpoint, None);
    let go_on = |_| Ok(ControlFlow::Continue(()));
    let uncounted = Extractor::new().documents(three.as_bytes(), Container::Mbox, ALL, Collect::default, go_on);
    assert_eq!(uncounted.expect("memory").checkpoint, None);
    assert_eq!(mail(&b""[..], Container::Mbox, ALL).1.checkpoint, None);
}

/// Checks that a damaged checkpoint makes only places wrong.
#[test]
fn a_false_checkpoint_does_no_harm() {
    let message = "From a@b.c Sat Sep 21 12:00:00 1996\nFrom: a\n\nhttp://a.example/\n\n";
    let text = format!("{}From: {}", message.repeat(3), "http://b.example/\n".repeat(6_000));
    let urls = |from: usize| text[from..].matches("http://").count() as u64;
    for number in [0, 1, 17, 100, text.len() as u64, text.len() as u64 + 1, 1 << 40, u64::MAX - 1, u64::MAX] {
        for checkpoint in [
            Checkpoint::new(number, 0, 0),
            Checkpoint::new(number, number, number),
            Checkpoint::new(17, number, number),
        ] {
            let from = text.len().min(usize::try_from(checkpoint.offset).unwrap_or(usize::MAX));
            let mut stream = extractor().stream_range(Cursor::new(&text), checkpoint).expect("memory");
            while stream.next().expect("memory").is_some() {}
            assert_eq!(stream.stats().matches, urls(from), "{checkpoint:?}");
            let go_on = |_| Ok(ControlFlow::Continue(()));
            let stats = extractor().par_read_at(&text.as_bytes(), checkpoint, Collect::default, go_on);
            assert_eq!(stats.expect("memory").matches, urls(from), "{checkpoint:?}");
            for container in [Container::Mbox, Container::Rnews, Container::Message] {
                assert_eq!(mail(&text.as_bytes()[from..], container, checkpoint).1.matches, urls(from));
            }
        }
    }
}

/// Checks that a relative link resolves if it has a base, and otherwise stays as it is.
#[test]
fn relative_links_and_their_bases() {
    let links = |header: &str, page: &str| {
        let message = format!("From: a@b\nDate: x\nContent-Type: text/html\n{header}\n{page}\n");
        let (found, _) = mail(message.as_bytes(), Container::Message, ALL);
        found.into_iter().map(|found| (found.url, found.resolved.unwrap_or_default())).collect::<Vec<_>>()
    };
    let pair = |url: &str, resolved: &str| (url.to_string(), resolved.to_string());
    let page = "<a href=x>x</a><img src='/y'><a href=#z>z</a><a href='//c.example/'>c</a>";
    assert_eq!(links("", page), [pair("x", ""), pair("/y", ""), pair("//c.example/", "")]);
    let resolved = [
        pair("x", "http://a.example/b/x"),
        pair("/y", "http://a.example/y"),
        pair("//c.example/", "http://c.example/"),
    ];
    // The first match is that of the field.
    assert_eq!(links("Content-Base: http://a.example/b/\n", page)[1..], resolved);
    assert_eq!(links("Content-Location: http://a.example/b/c\n", page)[1..], resolved);
    let own = format!("<base href='http://a.example/b/'>{page}");
    assert_eq!(links("Content-Base: http://d.example/\n", &own)[2..], resolved);
    let own = format!("<base href='/b/'>{page}");
    assert_eq!(links("Content-Base: http://a.example/d/\n", &own)[2..], resolved);
    let safe = "<a href='http://gate.example/?url=x' originalsrc='http://a.example/'>x</a>";
    let urls: Vec<_> = links("", safe).into_iter().map(|(url, _)| url).collect();
    assert_eq!(urls, ["http://gate.example/?url=x", "http://a.example/"]);
}

/// Records every call on a batch, in order.
struct Journal(Vec<String>, usize);

impl Sink for Journal {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(found.url().to_string());
    }

    fn undecoded(&mut self, part: &Undecoded) {
        let Undecoded { number, offset, part, reason, .. } = part;
        let (number, part) = (number.map(|number| number.to_string()), part.as_deref());
        self.0.push(format!("{} at {offset}, {}: {reason}", number.as_deref().unwrap_or("-"), part.unwrap_or("-")));
    }

    fn is_full(&self) -> bool {
        self.0.len() >= self.1
    }
}

#[test]
fn undecoded_parts_are_named() {
    let separator = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\n";
    let plain = format!("{separator}\nhttp://a.example/\n\n");
    let multipart = format!(
        "{separator}Content-Type: multipart/mixed; boundary=cut\n\n--cut\n\nhttp://b.example/\n\
         --cut\nContent-Transfer-Encoding: x-odd\n\nnothing to find\n\
         --cut\nContent-Transfer-Encoding: base64\n\naHR0cDovL2MuZXhhbXBsZS8K\n\
         [a first line]\neAo=\n[a second http://d.example/]\n--cut--\n\n"
    );
    let charset = format!("{separator}Content-Type: text/plain; charset=klingon\n\nhttp://e.example/ \u{e9}\n\n");
    let mbox = [&plain[..], &multipart, &charset].concat();
    let starts = [plain.len(), plain.len() + multipart.len()];
    let told = |range: Range<u64>, size: usize, is_parallel: bool| {
        let mut all = Vec::new();
        let deliver = |batch: Journal| {
            assert!(batch.0.len() <= size);
            all.extend(batch.0);
            Ok(ControlFlow::Continue(()))
        };
        let (extractor, new) = (Extractor::new(), || Journal(Vec::new(), size));
        let stats = match is_parallel {
            false => extractor.documents(mbox.as_bytes(), Container::Mbox, range, new, deliver),
            true => pool(2).install(|| extractor.par_documents(mbox.as_bytes(), Container::Mbox, range, new, deliver)),
        };
        let stats = stats.expect("memory");
        assert_eq!(stats.undecoded, stats.undecoded_by_reason().map(|(_, count)| count).sum::<u64>());
        assert_eq!(stats.undecoded, all.iter().filter(|line| line.contains(" at ")).count() as u64);
        all
    };
    let all = told(ALL, 100, false);
    assert_eq!(
        all,
        [
            "http://a.example/".to_string(),
            "http://b.example/".to_string(),
            format!("2 at {}, 2: unknown transfer encoding", starts[0]),
            format!("2 at {}, 3: lines that are not base64", starts[0]),
            "http://d.example/".to_string(),
            "http://c.example/".to_string(),
            format!("3 at {}, 1: unknown charset", starts[1]),
            "http://e.example/".to_string(),
        ]
    );
    for size in [1, 2, 3, 100] {
        for is_parallel in [false, true] {
            assert_eq!(told(ALL, size, is_parallel), all, "{size}");
            let last = told(starts[1] as u64..u64::MAX, size, is_parallel);
            assert_eq!(last, all[6..], "{size}");
        }
    }
    assert_eq!(told(0..1, 1, false), all[..1]);
}

/// Checks the place of a match in a message too long to be held: its line and its message number.
#[test]
fn a_long_message_is_one_of_the_mailbox() {
    let separator = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\n";
    let lines = "a line of a message without an end\n".repeat(400_000);
    let mbox = format!("{separator}\nhttp://a.example/\n\n{separator}\n{lines}http://b.example/\n");
    let start = mbox.find("\n\nFrom ").expect("two messages") + 2;
    for range in [ALL, 1..u64::MAX] {
        let (all, stats) = mail(mbox.as_bytes(), Container::Mbox, range);
        let last = all.last().expect("two URLs");
        assert_eq!((last.url.as_str(), last.number, last.begins), ("http://b.example/", Some(2), start as u64));
        assert_eq!((last.part.as_deref(), stats.undecoded), (Some("1"), 0));
        check_places(mbox.as_bytes(), &all);
        let lines = mbox[..start].matches('\n').count() as u64;
        assert_eq!(stats.checkpoint, Some(Checkpoint::new(start as u64, lines, 1)));
    }
}

#[test]
fn a_large_archive_on_all_threads() {
    let cases = cases();
    let mut rng = Rng::with_seed(1153);
    let mut order = Vec::new();
    let filler = b"From: a@b.example\nDate: today\n\nhttp://filler.example/\n".to_vec();
    while order.len() < 12_000 {
        let case = rng.choice(&cases).expect("cases");
        order.push(if rng.bool() { &case.message[..] } else { &filler[..] });
    }
    let archive = mbox(order);
    assert!(archive.len() > 3_000_000);
    let expected = mail(&archive[..], Container::Mbox, ALL);
    assert_eq!(expected.1.messages, 12_000);
    for threads in [1, 2, 3, 8] {
        assert!(par_documents(&archive[..], Container::Mbox, ALL, threads) == expected, "{threads} threads");
    }
    check_places(&archive, &expected.0[..500]);
    let cuts = (0..5).map(|_| rng.usize(..archive.len())).collect();
    check_tiles(&archive, Container::Mbox, cuts, &expected.0, but_bytes(expected.1));
}

/// Cuts an archive in two at every offset around the separators, and at many others.
#[test]
fn two_ranges_are_the_whole_wherever_it_is_cut() {
    let cases = cases();
    for (archive, container) in [(mbox(messages(&cases)), Container::Mbox), (rnews(messages(&cases)), Container::Rnews)]
    {
        let (expected, stats) = mail(&archive[..], container, ALL);
        let mut cuts: Vec<usize> = (0..archive.len()).step_by(211).collect();
        let mut begins: Vec<usize> = expected.iter().map(|found| found.begins as usize).collect();
        begins.dedup();
        cuts.extend(begins.iter().flat_map(|&at| at.saturating_sub(2)..at + 3));
        for cut in cuts {
            check_tiles(&archive, container, vec![cut], &expected, but_bytes(stats));
        }
    }
}

/// Compares a message that needs no decoding with header and body as two texts. All URLs of these
/// are found, but no bare URL is joined over the folds of a header.
#[test]
fn a_plain_message_is_its_text() {
    const PIECES: &[&str] = &[
        "http://",
        "a.example",
        "/b/c",
        "<URL:",
        ">",
        "<",
        "mailto:",
        "joe@a.example",
        "news:",
        "comp.x",
        " ",
        "\n ",
        "-",
        "\n\t",
        "word ",
        "http://b.example/x",
        "(",
        ")",
        ".",
        ",",
        "?",
        "=",
        "URL:",
        "<http://c.example/\n  d>",
        "%41",
        "some more words of prose, and then ",
    ];
    const LINES: &[&str] =
        &["\n", "\n\n", "\n> ", "\n>> ", "\r\n", "\n-- \n", "http://d.example/long/path-\n", "\nX: "];
    turns(20_000, |rng| {
        let mut piece = |lines: bool| match lines && rng.u8(..5) == 0 {
            true => *rng.choice(LINES).expect("lines"),
            false => *rng.choice(PIECES).expect("pieces"),
        };
        let mut header = "From: joe@a.example\nX-Text: ".to_string();
        (0..20).for_each(|_| header.push_str(piece(false)));
        header.push_str("\nSubject: x\n\n");
        let mut message = header.clone();
        (0..60).for_each(|_| message.push_str(piece(true)));
        let (found, _) = mail(message.as_bytes(), Container::Message, ALL);
        let found: Vec<_> =
            found.into_iter().map(|found| (found.span, found.url, found.kind, found.readings)).collect();
        let read = |text: &str, base: usize, rejoin: Rejoin| -> Vec<_> {
            let extractor = Extractor::builder().rejoin(rejoin).build();
            let each = extractor.find_iter(text.as_bytes()).map(|found| {
                let span = found.span().start + base as u64..found.span().end + base as u64;
                let mut readings: Vec<_> = found.readings().map(|reading| reading.to_string()).collect();
                if rejoin == Rejoin::Delimited && !matches!(found.kind(), Kind::Wrapped | Kind::Angle) {
                    readings.truncate(1); // the others are those of B-HYPH
                }
                (span, found.url().to_string(), found.kind().as_str().to_string(), readings)
            });
            each.collect()
        };
        let (header, body) = message.split_at(header.len());
        let expected = [read(header, 0, Rejoin::Delimited), read(body, header.len(), Rejoin::Auto)].concat();
        assert_eq!(found, expected, "{message:?}");
    });
}
