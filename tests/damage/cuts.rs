//! Every cut of a small file of each form, alone and in each form that holds files. The input
//! either ends there or fails there for ever. The search ends, reports the damage, and finds what
//! stands before it.

#[path = "shells.rs"]
mod shells;

use std::io::{self, ErrorKind, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use memchr::memmem;
use urlgrep::archive::OpenOptions;
use urlgrep::{Extractor, Match, Sink, Undecoded};

use self::shells::{SHELLS, Shell, attached, in_attached};
use super::common::{builder, takes_all};

/// The time after which a search counts as endless. The slowest takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);
/// The number of reads after the end of an input after which a search counts as endless.
const READS: usize = 1_000;
/// A reader may need this many bytes after a URL to see that the URL has ended.
const SLACK: usize = 64;

/// An input that ends after its bytes, or fails there for ever.
struct Cut<'t> {
    left: &'t [u8],
    fails: bool,
    reads_after: usize,
}

impl Read for Cut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.left.is_empty() || buffer.is_empty() {
            return self.left.read(buffer);
        }
        self.reads_after += 1;
        assert!(self.reads_after < READS, "the search does not end");
        if self.fails { Err(ErrorKind::ConnectionReset.into()) } else { Ok(0) }
    }
}

/// The result of a search: the URLs with the paths of their files, the errors, and the notes.
#[derive(Debug, Default, PartialEq)]
struct Searched {
    urls: Vec<(Vec<u8>, String)>,
    errors: Vec<ErrorKind>,
    notes: Vec<&'static str>,
}

#[derive(Default)]
struct Found(Vec<String>, Vec<&'static str>);

impl Sink for Found {
    fn add(&mut self, found: &Match<'_>) {
        self.0.push(found.url().to_string());
    }

    fn undecoded(&mut self, part: &Undecoded) {
        self.1.push(part.reason);
    }
}

/// Searches an input, whatever it holds.
fn search(extractor: &Extractor, bytes: &[u8], fails: bool) -> Searched {
    let mut all = Searched::default();
    let mut input = Cut { left: bytes, fails, reads_after: 0 };
    let flow = OpenOptions::new().each(&mut input, b"", |path, entry| {
        let searched = entry.and_then(|entry| {
            extractor.find_entry(entry, Found::default, |found| {
                all.urls.extend(found.0.into_iter().map(|url| (path.to_vec(), url)));
                all.notes.extend(found.1);
                ControlFlow::Continue(())
            })
        });
        all.errors.extend(searched.err().map(|error| error.kind()));
        Ok(ControlFlow::Continue(()))
    });
    assert!(flow.expect("no visit fails").is_continue());
    all
}

impl Searched {
    fn urls(&self) -> Vec<&str> {
        self.urls.iter().map(|(_, url)| &**url).collect()
    }

    fn is_noted(&self) -> bool {
        !self.errors.is_empty() || !self.notes.is_empty()
    }
}

const MAIL: &str = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\n\nsee http://";

/// Returns small files of the forms that hold no files.
fn leaves() -> Vec<(&'static str, Vec<u8>)> {
    let text = "see http://a.example/1 and\nhttp://a.example/2 and ftp://a.example/3 and so on\n";
    let page = "<!DOCTYPE html><title>x</title><a href=\"http://a.example/1\">x</a>\n<p>http://a.example/2 and</p>";
    let mbox = format!("{MAIL}a.example/1 and\n\n{MAIL}a.example/2 and\n\n");
    let pdf = "%PDF-1.5\n%\u{E9}\n1 0 obj\n<< /URI (http://a.example/1) >>\nendobj\n<< /URI <687474703A2F2F612E6578616D706C652F32> >>\n\
        2 0 obj\n(http://a.example/3 and)\nendobj\n";
    let record = |number: u8| {
        let page =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='http://a.example/{number}'>x</a>");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{page}\r\n\r\n",
            page.len()
        )
    };
    let warc = [record(1), record(2)].concat();
    let all = [("text", text.to_owned()), ("page", page.to_owned()), ("mbox", mbox), ("PDF", pdf.to_owned())];
    let all = all.into_iter().chain([("web archive", warc)]).map(|(name, text)| (name, text.into_bytes()));
    all.collect()
}

/// Runs a check on each cut of an input. Fails if a cut takes too long.
fn each_cut(name: &str, cuts: Vec<usize>, mut check: impl FnMut(usize, bool) + Send + 'static) -> usize {
    let (sender, receiver): (Sender<usize>, _) = channel();
    let count = 2 * cuts.len();
    let checks = thread::spawn(move || {
        for cut in cuts {
            for fails in [false, true] {
                check(cut, fails);
                if sender.send(cut).is_err() {
                    return;
                }
            }
        }
    });
    let mut last = None;
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(cut) => last = Some(cut),
            Err(RecvTimeoutError::Timeout) => panic!("{name}: the search after the cut at {last:?} does not end"),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    if let Err(panic) = checks.join() {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        panic!("{name}, cut after {last:?}: {}", text.unwrap_or_default());
    }
    count
}

/// Returns the cuts of an input: all, or every `step`th.
fn cuts_of(input: &[u8], step: usize) -> Vec<usize> {
    let step = if takes_all() { 1 } else { step };
    (0..=input.len()).filter(|cut| cut % step == input.len() % step).collect()
}

/// Asserts that the URLs of a cut input are the first ones of the whole input.
#[track_caller]
fn assert_begins(found: &[&str], whole: &[String], is_open: bool) {
    // Nothing shows that a text without an end mark is cut, so its last URL may be cut.
    let (last, sure) = match found.split_last().filter(|_| is_open) {
        Some((last, sure)) => (Some(last), sure),
        None => (None, found),
    };
    assert!(whole.iter().zip(sure).all(|(one, other)| one == other), "{found:?}");
    assert!(last.is_none_or(|last| whole[sure.len()].starts_with(last)), "{found:?}");
    assert!(found.len() <= whole.len(), "{found:?}");
}

/// Returns the hexadecimal digits of a URL.
fn written(url: &str) -> Vec<u8> {
    url.bytes().flat_map(|byte| format!("{byte:02X}").into_bytes()).collect()
}

#[test]
fn a_cut_file_gives_what_stands_before_the_cut() {
    for (name, file) in leaves() {
        let extractor = builder().build();
        let whole: Vec<String> = search(&extractor, &file, false).urls().iter().map(ToString::to_string).collect();
        assert!(whole.len() > 1, "{name}: {whole:?}");
        let cuts = cuts_of(&file, 1);
        let check = move |cut: usize, fails: bool| {
            let searched = search(&extractor, &file[..cut], fails);
            let found = searched.urls();
            assert_begins(&found, &whole, !fails);
            assert!(!fails || searched.errors == [ErrorKind::ConnectionReset], "{searched:?}");
            let end = |url: &str| {
                let bytes = [url.as_bytes().to_vec(), written(url)];
                bytes.iter().find_map(|url| memmem::find(&file, url).map(|at| at + url.len())).expect("a URL")
            };
            let before = whole.iter().take_while(|url| end(url) + SLACK <= cut).count();
            assert!(found.len() >= before, "at {cut}: {before} URLs before it, {found:?}");
        };
        each_cut(name, cuts, check);
    }
}

/// Checks the cuts of a form that holds a file. The search finds what a search of the file's part
/// before the cut finds.
fn check_shell(shell: &'static Shell, name: &str, inner: &[u8], step: usize) -> usize {
    let extractor = builder().unpack_attachments(true).build();
    let (inner, outer) = (inner.to_vec(), (shell.wrap)(inner));
    assert_eq!((shell.opened)(&outer), inner, "{name}");
    let whole = search(&extractor, &outer, false);
    assert!(whole.errors.is_empty(), "{name}: {whole:?}");
    let cuts = cuts_of(&outer, step);
    each_cut(&format!("{name} in {}", shell.name), cuts, move |cut, fails| {
        let searched = search(&extractor, &outer[..cut], fails);
        if cut < shell.mark {
            assert_eq!((searched.urls.len(), !searched.errors.is_empty()), (0, fails), "at {cut}");
            return;
        }
        assert!(searched.is_noted() || (shell.passes)(cut, &outer), "no note at {cut}");
        assert!(!fails || searched.errors.contains(&ErrorKind::ConnectionReset), "at {cut}: {searched:?}");
        let opened = (shell.opened)(&outer[..cut]);
        let is_whole = opened.len() == inner.len();
        let is_first = |(path, _): &&(Vec<u8>, String)| path.starts_with(shell.path);
        let of_first: Vec<_> = searched.urls.iter().filter(is_first).map(|(_, url)| url).collect();
        let given = [true, false].map(|fails| search(&extractor, &opened, fails));
        let is = |given: &Searched| given.urls.iter().map(|(_, url)| url).eq(of_first.iter().copied());
        let may_end = is_whole || shell.name == "compress" && !fails;
        assert!(is(&given[0]) || may_end && is(&given[1]), "at {cut}: {searched:?}\nof its part: {given:?}");
    })
}

#[test]
fn a_cut_form_gives_what_stands_before_the_cut() {
    let mut count = 0;
    for shell in SHELLS {
        for (name, leaf) in leaves() {
            count += check_shell(shell, name, &leaf, 5);
        }
    }
    assert!(count > 5_000, "{count}");
}

#[test]
fn a_cut_form_within_a_form_gives_what_stands_before_the_cut() {
    let mut count = 0;
    let (_, leaf) = leaves().swap_remove(0);
    for (outer, inner) in SHELLS.iter().flat_map(|outer| SHELLS.iter().map(move |inner| (outer, inner))) {
        count += check_shell(outer, inner.name, &(inner.wrap)(&leaf), 13);
    }
    for (outer, (name, leaf)) in SHELLS.iter().flat_map(|outer| leaves().into_iter().map(move |leaf| (outer, leaf))) {
        count += check_shell(outer, &format!("{name} attached"), &attached(&leaf), 13);
    }
    assert!(count > 5_000, "{count}");
}

#[test]
fn a_cut_attachment_gives_what_stands_before_the_cut() {
    let inner = SHELLS.iter().map(|shell| (shell.name, (shell.wrap)(&leaves()[0].1))).chain(leaves());
    for (name, inner) in inner {
        let extractor = builder().unpack_attachments(true).build();
        let outer = attached(&inner);
        let whole: Vec<String> = search(&extractor, &outer, false).urls().iter().map(ToString::to_string).collect();
        let cuts = cuts_of(&outer, 3);
        each_cut(&format!("{name} attached"), cuts, move |cut, fails| {
            let searched = search(&extractor, &outer[..cut], fails);
            let found = searched.urls();
            assert_begins(&found, &whole, !fails);
            assert!(!fails || searched.errors == [ErrorKind::ConnectionReset], "{searched:?}");
            let opened = in_attached(&outer[..cut]);
            let given = search(&extractor, &opened[..opened.len().saturating_sub(SLACK)], true);
            assert!(found.len() >= given.urls.len(), "at {cut}: {searched:?}\nof its part: {given:?}");
        });
    }
}
