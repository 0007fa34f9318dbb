//! Ranges of a file that are searched separately, as different machines would. The counts of each
//! range make the places absolute. Then the matches are those of the whole file. Each range reads
//! its own bytes and margins.
//!
//! `URLGREP_TURNS=all` and `URLGREP_SEED=…` work as in `properties`.

use crate::carriers;
use crate::common;
use crate::forms;
use crate::text as generated;

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};

use carriers::{cases, mbox, rnews};
use common::turns;
use fastrand::Rng;
use serde_json::{Value, json};
use urlgrep::archive::{Container, OpenOptions};
use urlgrep::report::JsonFormat;
use urlgrep::{Extractor, Match, RangeCounts, Sink, Stats, archive};

/// Matches in the form of the command's JSON.
#[derive(Default)]
struct Records(Vec<Value>);

impl Sink for Records {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(record(found));
    }

    fn is_full(&self) -> bool {
        self.0.len() >= 5
    }
}

fn record(found: &Match<'_>) -> Value {
    let mut line = Vec::new();
    JsonFormat::new().write("-", found, &mut line).expect("memory");
    serde_json::from_slice(&line).expect("JSON")
}

fn extractor() -> Extractor {
    Extractor::builder().line_numbers(true).chunk_size(4096).build()
}

fn whole(text: &[u8], container: Container) -> Vec<Value> {
    let mut found = Vec::new();
    let deliver = |records: Records| {
        found.extend(records.0);
        Ok(ControlFlow::Continue(()))
    };
    if container.has_documents() {
        extractor().documents(text, container, 0..u64::MAX, Records::default, deliver).expect("memory");
        return found;
    }
    extractor().find_iter(text).map(|found| record(&found)).collect()
}

fn range(
    reader: impl Read + Seek,
    container: Container,
    range: Range<u64>,
    before: &RangeCounts,
) -> (Vec<Value>, Stats, RangeCounts) {
    let mut found = Vec::new();
    let deliver = |records: Records| {
        found.extend(records.0);
        Ok(ControlFlow::Continue(()))
    };
    let searched = extractor().search_range(reader, container, range, before, Records::default, deliver);
    let (stats, counts) = searched.expect("memory");
    assert_eq!(stats.matches, found.len() as u64);
    assert_eq!(stats.checkpoint, None);
    (found, stats, counts)
}

fn add(number: &mut Value, more: u64) {
    if let Some(known) = number.as_u64() {
        *number = json!(known + more);
    }
}

/// Makes a record absolute, as the documentation of `RangeCounts` describes.
fn make_absolute(record: &mut Value, container: Container, before: &RangeCounts) {
    let is_first_line = record["line"] == json!(1);
    if !matches!(record["encoding"].as_str(), Some("unpacked" | "http")) {
        add(&mut record["line"], before.lines);
    }
    if container != Container::Mbox && is_first_line {
        record["column"] = json!(record["offset"].as_u64().expect("offset") - before.last_line.unwrap_or(0) + 1);
    }
    if record["message"].is_object() {
        add(&mut record["message"]["number"], before.messages);
    }
}

/// Checks the ranges between cuts. Each is searched without the counts of the others and then made
/// absolute, and also with those counts. Returns how many had to be searched again.
fn check(text: &[u8], container: Container, cuts: &[usize], expected: &[Value]) -> usize {
    let mut edges: Vec<u64> = cuts.iter().map(|&cut| cut as u64).collect();
    edges.extend([0, text.len() as u64 + 7]);
    edges.sort_unstable(); // some are empty
    let ranges: Vec<Range<u64>> = edges.windows(2).map(|pair| pair[0]..pair[1]).collect();
    let unknown = RangeCounts::default();
    let alone = |of: &Range<u64>| range(Cursor::new(text), container, of.clone(), &unknown);
    let searched: Vec<_> = ranges.iter().map(alone).collect();
    let (mut before, mut again) = (unknown, 0);
    let mut found = Vec::new();
    for (of, (mut records, _, mut counts)) in ranges.into_iter().zip(searched) {
        let known = range(Cursor::new(text), container, of, &before);
        if before.hides_in(&counts) {
            again += 1;
            (records, counts) = (known.0.clone(), known.2);
        } else {
            records.iter_mut().for_each(|record| make_absolute(record, container, &before));
        }
        assert_eq!((&records, counts), (&known.0, known.2), "{edges:?} {container:?} {:?}", bstr::BStr::new(text));
        found.extend(records);
        before += counts;
    }
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(one, other)| one == other).count();
        let (one, other) = (found.get(at), expected.get(at));
        panic!("{edges:?} {container:?} {:?}\nmatch {at}: {one:?}\nwant {other:?}", bstr::BStr::new(text));
    }
    again
}

fn cuts(rng: &mut Rng, text: &[u8], most: usize) -> Vec<usize> {
    let separators: Vec<usize> = memchr::memmem::find_iter(text, "From ").collect();
    let cut = |rng: &mut Rng| match rng.choice(&separators) {
        Some(&at) if rng.bool() => (at + rng.usize(..12)).saturating_sub(4).min(text.len()),
        _ => rng.usize(..=text.len()),
    };
    (0..rng.usize(1..=most)).map(|_| cut(rng)).collect()
}

/// Returns text with lines and URLs, unrelated to the cuts.
fn prose(rng: &mut Rng, pieces: usize) -> Vec<u8> {
    let end = if rng.bool() { "\r\n" } else { "\n" };
    let pieces: Vec<&str> = (0..pieces)
        .map(|_| match rng.u8(..24) {
            0..4 => end,
            4 => "see http://a.example/x/y ",
            5 => "<URL:http://a.ex",
            6 => "ample/long/er>",
            7 => "http://b.example/a/path/that/goes/on/to/the/end/of/a/line/and/then-",
            8 => "further.html ",
            9 => "> ",
            10 => "-",
            11 => "<mailto:joe@a.example> ",
            12 => "From ",
            13 => "From joe@a.example Mon Jan  1 12:34:56 2001\nFrom: x\n",
            14 => "http://a.example/x=http://\u{e9}.com/y=",
            _ => "some words of text ",
        })
        .collect();
    pieces.concat().into_bytes()
}

#[test]
fn texts_in_random_ranges() {
    turns(300, |rng| {
        let pieces = rng.usize(..200);
        let text = prose(rng, pieces);
        let expected = whole(&text, Container::Text);
        let cuts = cuts(rng, &text, 8);
        check(&text, Container::Text, &cuts, &expected);
    });
}

#[test]
fn a_text_cut_everywhere() {
    let mut rng = Rng::with_seed(1738);
    let text = prose(&mut rng, 300);
    let expected = whole(&text, Container::Text);
    assert!(expected.len() > 20);
    for cut in (0..=text.len()).step_by(if common::takes_all() { 3 } else { 7 }) {
        check(&text, Container::Text, &[cut], &expected);
    }
}

/// Searches lines, URLs and chains of URLs that are longer than the look-back.
#[test]
fn texts_that_go_far_back() {
    let mut rng = Rng::with_seed(3986);
    let line = format!("{}http://a.example/ ", "words and more ".repeat(100)).repeat(350).into_bytes();
    let chain = "http://a.example/x=http://\u{e9}.com/y=".repeat(7_000).into_bytes();
    let text =
        [b"one\ntwo ", &line[..], b"\nhttp://b.example/\n", &chain[..], b"\nhttp://c.example/", &line[..]].concat();
    let expected = whole(&text, Container::Text);
    for _ in 0..if common::takes_all() { 7 } else { 3 } {
        let cuts = cuts(&mut rng, &text, 3);
        check(&text, Container::Text, &cuts, &expected);
    }
}

const FROM: &str = "From joe@a.example Mon Jan  1 12:34:56 2001\n";

/// Returns the pieces of a message that was sent in several, all of them or some.
fn sent_in_pieces(rng: &mut Rng, cases: &[carriers::Case]) -> Vec<u8> {
    let message = message(rng, cases);
    let total = rng.usize(2..5).min(message.len());
    let mut mailbox = Vec::new();
    for (at, piece) in message.chunks(message.len().div_ceil(total)).enumerate() {
        if rng.u8(..16) == 0 {
            continue;
        }
        let id = rng.choice(["a", "a", "a", "a", "a", "a", "b"]).expect("one");
        let kind = format!("message/partial; id={id}; number={}; total={total}", at + 1);
        let header = format!("From: joe@a.example\nSubject: http://piece.example/\nContent-Type: {kind}\n\n");
        mailbox.extend([FROM.as_bytes(), header.as_bytes(), piece, b"\n\n"].concat());
    }
    mailbox
}

/// Returns a message with lines that look like separators, or are escaped.
fn message(rng: &mut Rng, cases: &[carriers::Case]) -> Vec<u8> {
    if rng.u8(..3) == 0 {
        return rng.choice(cases).expect("cases").message.clone();
    }
    let number = rng.u32(..);
    let mut header =
        format!("From: joe@a.example\nMessage-ID: <{number}@a.example>\nDate: Mon, 1 Jan 2001 12:34:56 +0000\n");
    if rng.u8(..4) == 0 {
        header += FROM; // this is not a separator, since it is in a header
    }
    if rng.u8(..60) == 0 {
        header += &"X-Long: and long\n".repeat(rng.usize(1_000..6_000));
        header += FROM;
        header += "Subject: http://header.example/\n";
    }
    let mut body = format!("see http://a.example/{number}\n> and <URL:http://b.example/\n> {number}>\n");
    for _ in 0..rng.usize(..4) {
        body += match rng.u8(..6) {
            0 => "\n>From http://c.example/ on\n",
            1 => "\nFrom time to time http://d.example/ and\n",
            2 => "\nFrom joe@b.example Mon Jan  1 12:34:56 2001\nFrom: b\n\nhttp://inner.example/ in\n\n",
            3 => {
                "From joe@b.example Mon Jan  1 12:34:56 2001\nContent-Length: 31\n\nhttp://claimed.example/ in it\n\n\n"
            }
            4 => "\nFrom \nX-Mozilla-Status: 0001\nX-Foo: http://bare.example/\n\n",
            _ => "a line http://e.example/ of-\ntext\n",
        };
    }
    if rng.u8(..8) == 0 {
        body += &"a line that says nothing\n".repeat(rng.usize(..8_000));
    }
    let text = match rng.u8(..4) {
        0 => format!("{header}Content-Length: {}\n\n{body}", body.len()),
        1 if rng.bool() => format!("{header}Content-Length: {}\n\n{body}", rng.usize(..2 * body.len())),
        _ => format!("{header}\n{body}"),
    };
    text.into_bytes()
}

fn mailbox(rng: &mut Rng, cases: &[carriers::Case], most: usize) -> Vec<u8> {
    let messages: Vec<Vec<u8>> = (0..rng.usize(1..=most)).map(|_| message(rng, cases)).collect();
    let mut mailbox = Vec::new();
    for message in &messages {
        let separator = if rng.u8(..8) == 0 { "From \n" } else { FROM };
        mailbox.extend_from_slice(separator.as_bytes());
        mailbox.extend_from_slice(message);
        mailbox.extend_from_slice(if rng.u8(..8) == 0 { b"" } else { b"\n" });
        if rng.u8(..8) == 0 {
            mailbox.extend(sent_in_pieces(rng, cases));
        }
    }
    match rng.u8(..8) {
        0 => String::from_utf8_lossy(&mailbox).replace('\n', "\r\n").into_bytes(),
        1 => ["\u{FEFF}".as_bytes(), &mailbox].concat(),
        2 => [b"\n\n", &mailbox[..]].concat(),
        3 => [b"http://before.example/ what stands before the first\n\n", &mailbox[..]].concat(),
        _ => mailbox,
    }
}

#[test]
fn mailboxes_in_random_ranges() {
    let cases = cases();
    let again = std::sync::atomic::AtomicUsize::new(0);
    turns(700, |rng| {
        let mailbox = mailbox(rng, &cases, 12);
        let expected = whole(&mailbox, Container::Mbox);
        for _ in 0..4 {
            let cuts = cuts(rng, &mailbox, 6);
            let count = check(&mailbox, Container::Mbox, &cuts, &expected);
            again.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
        }
    });
    assert!(std::env::var_os("URLGREP_SEED").is_some() || again.into_inner() > 0, "no claim was cut");
}

/// Searches headers longer than the look-back, or almost as long.
#[test]
fn mailboxes_with_long_headers() {
    let field = "X-Long: and long\n";
    let long = (64 << 10) / field.len();
    let mut mailbox = String::new();
    for lines in [long - 80, long - 6, long - 4, long, long + 2, long + 80, 2 * long] {
        for amid in ["", &format!("{FROM}X: y\n")] {
            mailbox += &format!("{FROM}From: a\n{}{amid}{}", field.repeat(lines / 2), field.repeat(lines - lines / 2));
            mailbox += &format!("{FROM}X: http://a.example/\n\nhttp://a.example/{lines}\n\n");
        }
    }
    let mailbox = mailbox.into_bytes();
    let expected = whole(&mailbox, Container::Mbox);
    let separators: Vec<usize> = memchr::memmem::find_iter(&mailbox, FROM).collect();
    let around: Vec<usize> = separators.iter().flat_map(|&at| [at.saturating_sub(1), at, at + 1]).collect();
    check(&mailbox, Container::Mbox, &around, &expected);
    let mut rng = Rng::with_seed(5322);
    for _ in 0..if common::takes_all() { 100 } else { 10 } {
        let cuts = cuts(&mut rng, &mailbox, 4);
        check(&mailbox, Container::Mbox, &cuts, &expected);
    }
}

/// Searches a message too long to be held, and one that a range in its middle does not read.
#[test]
fn mailboxes_with_a_message_too_long_to_be_held() {
    let long = "a line of text that says nothing, http://long.example/\n".to_string()
        + &"a line of text that says nothing, and no URL\n".repeat(300_000)
        + "see http://long.example/end\n";
    let message = |body: &str| format!("{FROM}From: a\nDate: b\n\nhttp://a.example/ and\n{body}\n");
    let mailbox = [message("one"), message(&long[..100_000]), message(&long), message("three")].concat().into_bytes();
    assert!(long.len() > 12 << 20);
    let expected = whole(&mailbox, Container::Mbox);
    assert_eq!(expected.len(), 7);
    check(&mailbox, Container::Mbox, &[60_000, 130_000, 9 << 20, mailbox.len() - 20], &expected);
}

#[test]
fn a_mailbox_cut_everywhere() {
    let cases = cases();
    let all = mbox(cases.iter().map(|case| &case.message[..]));
    let expected = whole(&all, Container::Mbox);
    for cut in (0..=all.len()).step_by(if common::takes_all() { 19 } else { 149 }) {
        check(&all, Container::Mbox, &[cut], &expected);
    }
    let some: Vec<_> = cases.iter().take(3).map(|case| &case.message[..]).collect();
    let inner = mbox(some.iter().copied());
    let claim = format!("From: a\nContent-Length: {}\n\n", inner.len());
    let nested =
        [b"A: b\n\nx\n\n", FROM.as_bytes(), claim.as_bytes(), &inner, FROM.as_bytes(), b"A: http://a.example/\n\n"];
    let nested = [FROM.as_bytes(), &nested.concat()].concat();
    let expected = whole(&nested, Container::Mbox);
    let again: usize = (0..=nested.len()).map(|cut| check(&nested, Container::Mbox, &[cut], &expected)).sum();
    assert!(again > 100, "{again}");
}

#[test]
fn every_form_in_ranges() {
    let cases = cases();
    let all: Vec<_> = cases.iter().map(|case| &case.message[..]).collect();
    let mut rng = Rng::with_seed(4155);
    let mut forms: Vec<(Container, Vec<u8>)> =
        forms::FORMS.iter().map(|(_, container, form)| (*container, form(&all))).collect();
    forms.push((Container::Rnews, rnews(all.iter().copied())));
    forms.push((Container::Message, all[0].to_vec()));
    forms.push((Container::Html, b"<!DOCTYPE html><a href='http://a.example/'>x</a>\n".repeat(10)));
    for (container, text) in forms {
        let expected = whole(&text, container);
        for _ in 0..20 {
            let cuts = cuts(&mut rng, &text, 6);
            check(&text, container, &cuts, &expected);
        }
        let (found, stats, counts) = range(Cursor::new(&text), container, 1..1_000_000, &RangeCounts::default());
        if !container.is_divisible() {
            assert_eq!((found.len(), stats, counts), (0, Stats::default(), RangeCounts::default()), "{container:?}");
        }
    }
}

/// A reader that records how many bytes were read, and the offset of the first.
struct Meter<'m> {
    inner: Cursor<&'m [u8]>,
    read: &'m Cell<u64>,
    first: &'m Cell<u64>,
}

impl Read for Meter<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.first.set(self.first.get().min(self.inner.position()));
        let got = self.inner.read(buffer)?;
        self.read.set(self.read.get() + got as u64);
        Ok(got)
    }
}

impl Seek for Meter<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

/// Checks that a range reads its bytes and margins: for 64 MiB at most a twentieth more. Here a
/// range of 12 MiB may read no more than a third of that margin.
#[test]
fn a_range_reads_what_is_its_own() {
    const OWN: u64 = 12 << 20;
    const MORE: u64 = (64 << 20) / 20;
    let one_line = vec![b'x'; 32 << 20];
    let one_message = [FROM.as_bytes(), b"A: b\n\n", &b"a line of text\n".repeat(2 << 20)].concat();
    let texts = [
        (Container::Mbox, generated::mail(20 << 20).bytes),
        (Container::Text, generated::mail(20 << 20).bytes),
        (Container::Text, generated::dense(20 << 20).bytes),
        (Container::Text, one_line),
        (Container::Mbox, one_message),
    ];
    for (at, (container, text)) in texts.into_iter().enumerate() {
        let (read, first) = (Cell::new(0), Cell::new(u64::MAX));
        let meter = Meter { inner: Cursor::new(&text), read: &read, first: &first };
        let own = 4 << 20..(4 << 20) + OWN;
        let (found, stats, counts) = range(meter, container, own.clone(), &RangeCounts::default());
        assert_eq!(stats.bytes, read.get(), "text {at}");
        assert!(read.get() <= OWN + MORE / 3, "text {at}: {} bytes", read.get());
        assert!(first.get() >= own.start - MORE / 6, "text {at}: from {}", first.get());
        assert_eq!(found.is_empty(), at > 2);
        let owned = &text[own.start as usize..own.end as usize];
        assert_eq!(counts.lines as usize, memchr::memchr_iter(b'\n', owned).count(), "text {at}");
        let last = memchr::memrchr(b'\n', owned).map(|last| own.start + last as u64 + 1);
        assert_eq!(counts.last_line, last, "text {at}");
    }
}

/// A reader that fails from an offset on.
struct Fails<'t>(Cursor<&'t [u8]>, u64);

impl Read for Fails<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.1.saturating_sub(self.0.position()).min(buffer.len() as u64);
        if left == 0 {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        self.0.read(&mut buffer[..left as usize])
    }
}

impl Seek for Fails<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn what_cannot_be_read_is_an_error_after_what_was_found() {
    let mail = format!("{FROM}From: a\n\nsee http://a.example/ here\n\n").repeat(10);
    for container in [Container::Mbox, Container::Text, Container::Message] {
        let mut found = 0;
        let reader = Fails(Cursor::new(mail.as_bytes()), mail.len() as u64 - 100);
        let deliver = |records: Records| {
            found += records.0.len();
            Ok(ControlFlow::Continue(()))
        };
        let unknown = RangeCounts::default();
        let error = extractor().search_range(reader, container, 0..u64::MAX, &unknown, Records::default, deliver);
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(found, 8, "{container:?}");
    }
}

#[test]
fn delivery_ends_the_search_of_a_range() {
    let mail = format!("{FROM}From: a\n\nsee http://a.example/ here\n\n").repeat(100);
    for container in [Container::Mbox, Container::Text] {
        let mut found = 0;
        let deliver = |records: Records| {
            found += records.0.len();
            Ok(ControlFlow::Break(()))
        };
        let (input, unknown) = (Cursor::new(&mail), RangeCounts::default());
        extractor().search_range(input, container, 9..4000, &unknown, Records::default, deliver).expect("memory");
        assert_eq!(found, 5, "{container:?}");
    }
}

/// Checks that stored counts do no harm if they are damaged.
#[test]
fn any_counts_will_do() {
    let text = format!("{FROM}From: a\n\nsee http://a.example/ here\n\n").repeat(4);
    let most = u64::MAX;
    let counts = RangeCounts {
        lines: most,
        last_line: Some(most),
        messages: most,
        first_message: Some(most),
        hidden_until: 0,
        unpacked: most,
    };
    for container in [Container::Mbox, Container::Text] {
        for start in 0..text.len() as u64 {
            let (found, _, _) = range(Cursor::new(&text), container, start..most, &counts);
            let expected = range(Cursor::new(&text), container, start..most, &RangeCounts::default()).0;
            assert_eq!(found.len(), expected.len());
        }
    }
    let mut sum = counts;
    sum += counts;
    assert_eq!(sum, counts);
}

/// Searches any kind of file at a path, on a thread of its own.
#[test]
fn files_in_ranges() {
    let folder = std::env::temp_dir().join(format!("urlgrep-ranges-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let cases = cases();
    let mail = mbox(cases.iter().map(|case| &case.message[..]));
    let packed = carriers::packed("gzip", &mail);
    for (name, bytes) in [("box", &mail), ("box.gz", &packed)] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("a file");
        let all = extractor().open(&path).expect("it is there").map(|found| found.expect("it can be read"));
        let all: Vec<Value> = all.map(|found| record(&found)).collect();
        let size = bytes.len() as u64;
        let (mut before, mut found) = (RangeCounts::default(), Vec::new());
        for (start, end) in [(0, size / 3), (size / 3, size / 2), (size / 2, u64::MAX)] {
            let known = archive::open(&path).expect("it is there").container();
            let input = OpenOptions::new().known(known).open(&path).expect("it is there");
            let mut matches = extractor().find_in_range(input, start..end, &before).expect("a thread");
            assert_eq!(matches.counts(), None);
            found.extend(matches.by_ref().map(|found| record(&found.expect("it can be read"))));
            before += matches.counts().expect("it has ended");
        }
        assert_eq!(found, all, "{name}");
        assert_eq!(before.messages, if name == "box" { cases.len() as u64 } else { 0 });
    }
    std::fs::remove_dir_all(folder).expect("it can be removed");
}
