//! Inputs whose end is damaged. The matches before the damage are those of the whole input. A URL
//! that the damage cuts is not a match.

use crate::common;
#[path = "damage/cuts.rs"]
mod cuts;

use std::io::{self, ErrorKind, Read};
use std::ops::{ControlFlow, Range};

use common::{builder, pool, takes_all, vectors};
use urlgrep::archive::{Container, OpenOptions};
use urlgrep::{DamagedEnd, Extractor, Match, ReadAt, Sink};

/// A reader that returns its text and then fails, with its own error or with a marker of damage.
struct Fails<'t>(&'t [u8], bool);

impl Fails<'_> {
    fn error(&self) -> io::Error {
        if self.1 { ErrorKind::ConnectionReset.into() } else { DamagedEnd.into() }
    }
}

impl Read for Fails<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(self.error());
        }
        let most = buffer.len().min(1_000);
        self.0.read(&mut buffer[..most])
    }
}

/// Its size is one byte more than it can read, so the last read fails.
impl ReadAt for Fails<'_> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64 + 1)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        match self.0.read_at(buffer, offset)? {
            0 if !buffer.is_empty() => Err(self.error()),
            got => Ok(got),
        }
    }
}

type Seen = (Range<u64>, String, Vec<String>);

/// The span, URL and readings of each match.
#[derive(Default)]
struct Matches(Vec<Seen>);

impl Sink for Matches {
    fn add(&mut self, found: &Match<'_>) {
        let readings = found.readings().map(|reading| reading.to_string()).collect();
        self.0.push((found.span(), found.url().to_string(), readings));
    }
}

/// Returns the matches before the damage, after a check that every driver agrees.
fn found(extractor: &Extractor, text: &[u8], threads: usize) -> Vec<Seen> {
    let mut stream = extractor.stream(Fails(text, false));
    let mut found = Matches::default();
    let flow = stream.try_for_each(|matched| {
        found.add(matched);
        ControlFlow::Continue(())
    });
    assert!(flow.expect("the failure is the owner's").is_continue());
    assert_eq!((stream.stats().bytes, stream.stats().checkpoint), (text.len() as u64, None));
    assert_eq!(stream.stats().matches, found.0.len() as u64);
    for is_error in [false, true] {
        let mut parallel = [Matches::default(), Matches::default()];
        let [streamed, read] = &mut parallel;
        let mut results = Vec::new();
        pool(threads).install(|| {
            results.push(extractor.par_stream(Fails(text, is_error), Matches::default, |sink| {
                streamed.0.extend(sink.0);
                Ok(ControlFlow::Continue(()))
            }));
            results.push(extractor.par_read_at(&Fails(text, is_error), 0..u64::MAX, Matches::default, |sink| {
                read.0.extend(sink.0);
                Ok(ControlFlow::Continue(()))
            }));
        });
        for (result, matches) in results.into_iter().zip(parallel) {
            assert_eq!(matches.0, found.0, "{}", text.escape_ascii());
            match result {
                Ok(stats) => assert!(!is_error && stats.checkpoint.is_none() && stats.matches == found.0.len() as u64),
                Err(error) => assert!(is_error && error.kind() == ErrorKind::ConnectionReset),
            }
        }
    }
    let mut entry = Matches::default();
    let options = OpenOptions::new().known(Container::Text);
    let result = options.each(&mut Fails(text, true), b"", |_, file| {
        extractor.find_entry(file?, Matches::default, |sink| {
            entry.0.extend(sink.0);
            ControlFlow::Continue(())
        })
    });
    assert_eq!(entry.0, found.0, "{}", text.escape_ascii());
    assert_eq!(result.expect_err("it fails").kind(), ErrorKind::ConnectionReset);
    found.0
}

#[test]
fn what_a_damaged_end_touches_is_left_out() {
    let (mut matches, mut lost) = (0, 0);
    let texts = vectors("context.jsonl").into_iter().chain(vectors("join.jsonl"));
    let step = if takes_all() { 1 } else { 5 };
    for (index, vector) in texts.enumerate().step_by(step) {
        let text = vector["text"].as_str().expect("a text").as_bytes();
        if text.len() > 2_000 {
            continue;
        }
        let extractor = builder().chunk_size(1 + index % 64).build();
        let mut whole = Matches::default();
        extractor.find_iter(text).for_each(|found| whole.add(&found));
        // Cuts are not within a character.
        for cut in (0..text.len()).filter(|&cut| text[cut] & 0xC0 != 0x80) {
            let found = found(&extractor, &text[..cut], 1 + cut % 2);
            for seen in &found {
                // The lines below may still decide where a URL ends.
                let below = text[seen.0.start as usize..cut].contains(&b'\n');
                let is_same = |other: &Seen| {
                    (&other.0, &other.1) == (&seen.0, &seen.1) && seen.2.iter().all(|reading| other.2.contains(reading))
                };
                assert!(below || whole.0.iter().any(is_same), "{seen:?} in {}", text[..cut].escape_ascii());
            }
            for seen in whole.0.iter().filter(|(span, ..)| span.end < cut as u64) {
                matches += 1;
                lost += usize::from(!found.contains(seen));
            }
        }
    }
    // `http://a.example/x.` may continue, and so may a URL before `&#x27`; the text before it is
    // found. A URL in a layout waits for the lines around.
    assert!(matches * step > 12_000 && lost * 8 < matches, "{lost} of {matches} are lost");
}

#[test]
fn what_a_damaged_end_of_mail_touches_is_left_out() {
    let mbox: &[u8] = b"From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nX-Page: http://header.example/long\n\n\
        see http://plain.example/long or <http://angle.example/long>\n\n\
        From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nSubject: =?utf-8?q?http=3A//word.example/long?=\n\
        Content-Transfer-Encoding: quoted-printable\n\nhttp://quoted.example/=\nlong and http=3A//more.example/long\n\n\
        From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nContent-Transfer-Encoding: base64\n\n\
        aHR0cDovL2Jhc2UuZXhhbXBsZS9sb25n\nIGFuZCBodHRwOi8vYmFzZS5leGFtcGxlL21vcmU=\n\n\
        From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nContent-Type: multipart/alternative; boundary=b\n\n\
        --b\n\nhttp://part.example/long\n--b\nContent-Type: text/html\n\n\
        <p>http://shown.example/long <a href=\"http://link.example/long\">here</a> <!-- http://said.example/long -->\n\
        <a href=http://bare.example/long>there</a> and http://last.example/long</p>\n--b--\n\n";
    let extractor = builder().line_numbers(true).build();
    let search = |reader: Fails<'_>, is_parallel: bool| {
        let mut found = Matches::default();
        let deliver = |sink: Matches| {
            found.0.extend(sink.0);
            Ok(ControlFlow::Continue(()))
        };
        let result = match is_parallel {
            false => extractor.documents(reader, Container::Mbox, 0..u64::MAX, Matches::default, deliver),
            true => pool(2)
                .install(|| extractor.par_documents(reader, Container::Mbox, 0..u64::MAX, Matches::default, deliver)),
        };
        (found.0, result)
    };
    let urls = |seen: &[Seen]| seen.iter().map(|(_, url, _)| url.clone()).collect::<Vec<_>>();
    let mut whole = Matches::default();
    let all = |sink: Matches| {
        whole.0.extend(sink.0);
        Ok(ControlFlow::Continue(()))
    };
    extractor.documents(mbox, Container::Mbox, 0..u64::MAX, Matches::default, all).expect("reading from memory");
    let whole = urls(&whole.0);
    assert_eq!(whole.len(), 14, "{whole:?}");
    for cut in 0..mbox.len() {
        let (found, result) = search(Fails(&mbox[..cut], false), cut % 2 == 0);
        let stats = result.expect("the failure is the owner's");
        assert_eq!((stats.matches, stats.checkpoint), (found.len() as u64, None), "{cut}");
        let found = urls(&found);
        let text = mbox[..cut].escape_ascii();
        assert!(whole.starts_with(&found), "{found:?} in {text}");
        let ended = whole.iter().take_while(|url| mbox[..cut].windows(url.len()).any(|bytes| bytes == url.as_bytes()));
        assert!(found.len() + 1 >= ended.count(), "{found:?} in {text}");
        let (again, result) = search(Fails(&mbox[..cut], true), cut % 2 == 1);
        assert_eq!(result.expect_err("it fails").kind(), ErrorKind::ConnectionReset);
        assert_eq!(urls(&again), found);
    }
}
