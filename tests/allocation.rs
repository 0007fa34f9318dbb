//! Finding a URL on one line, judging it and reading its bytes allocate nothing. A range of a long
//! input needs no more memory than a range of a short input.

use std::io::{self, Read, Seek, SeekFrom};

use urlgrep::{Extractor, Match, Url};

#[test]
fn a_plain_match_allocates_nothing() {
    let extractor = Extractor::new();
    let text = b"see http://a.example/x, <URL:mailto:joe@b.example> in\nnews:comp.lang.c (ftp://c.example/%7Ed/) and \
                 http://d.example/~e?f=g&h#i, https://j.example.\nURL: gopher://k.example/1\n"
        .repeat(50);
    let mut found = 0;
    let mut bytes = 0;
    let cost = allocation_counter::measure(|| {
        for m in extractor.find_iter(&text).filter(|m| m.kind() != urlgrep::Kind::Wrapped) {
            found += 1;
            bytes += m.url().len() + m.source().len() + usize::from(m.error().is_some());
            assert!(m.is_verbatim());
        }
    });
    assert_eq!(found, 50 * 6);
    assert!(bytes > 0);
    // A wrapper's body is split into a few vectors, even on one line.
    assert!(cost.count_total <= 50 * 8, "{cost:?}");

    let plain = b"see http://a.example/x, or (ftp://c.example/%7Ed/) and http://d.example/~e?f=g&h#i.\n".repeat(50);
    let cost = allocation_counter::measure(|| found = extractor.find_iter(&plain).count());
    assert_eq!(found, 50 * 3);
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

#[test]
fn parsing_allocates_nothing() {
    let cost = allocation_counter::measure(|| {
        for url in [
            "ftp://u:p@h.example/a/b;type=i",
            "gopher://h/7s%09q",
            "mailto:a%40b@h",
            "news:1@h",
            "http://h/~x",
            "wais://h/d/t/p",
        ] {
            let _ = Url::parse(url.as_bytes()).map(|url| url.parts());
        }
    });
    assert_eq!(cost.count_total, 0, "{cost:?}");
}

/// Repeats a pattern, and ends with a last line.
struct Repeated {
    pattern: &'static [u8],
    last: &'static [u8],
    last_at: u64,
    at: u64,
}

impl Repeated {
    fn end(&self) -> u64 {
        self.last_at + self.last.len() as u64
    }
}

impl Read for Repeated {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (from, most) = (self.at, (self.end() - self.at).min(buffer.len() as u64) as usize);
        for (byte, at) in buffer[..most].iter_mut().zip(from..) {
            *byte = match at.checked_sub(self.last_at) {
                Some(at) => self.last[at as usize],
                None => self.pattern[(at % self.pattern.len() as u64) as usize],
            };
        }
        self.at += most as u64;
        Ok(most)
    }
}

impl Seek for Repeated {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::End(by) => self.end().checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?,
            SeekFrom::Current(by) => self.at.checked_add_signed(by).ok_or(io::ErrorKind::InvalidInput)?,
        };
        Ok(self.at)
    }
}

#[test]
fn a_range_takes_no_more_memory_the_further_back_it_must_begin() {
    // The URL after lines depends on nothing before it. The URL after `http://http://…` may depend
    // on all of that.
    for (pattern, before, most) in [(&b"x\n"[..], 1, 2 << 20), (b"http://", 9, 16 << 20)] {
        let last = b"\n\n<http://h.example/>\n";
        let input = || Repeated { pattern, last, last_at: 24 << 20, at: 0 };
        let from = input().last_at - before;
        let extractor = Extractor::builder().line_numbers(true).build();
        let mut all = extractor.stream(input());
        let mut expected = Vec::new();
        let keep = |found: &Match<'_>| (found.url().to_string(), found.span(), found.line());
        while let Some(found) = all.next().unwrap() {
            if found.span().start >= from {
                expected.push(keep(&found));
            }
        }
        assert_eq!(expected.last().map(|(url, ..)| &url[..]), Some("http://h.example/"));
        let cost = allocation_counter::measure(|| {
            let mut some = extractor.stream_range(input(), from..u64::MAX).unwrap();
            for expected in &expected {
                assert_eq!(keep(&some.next().unwrap().unwrap()), *expected);
            }
            assert!(some.next().unwrap().is_none());
        });
        assert!(cost.bytes_max < most, "{} bytes for {:?}", cost.bytes_max, pattern.escape_ascii().to_string());
    }
}

#[test]
fn a_feeder_takes_no_more_memory_the_longer_its_input_is() {
    let extractor = Extractor::builder().line_numbers(true).build();
    // The inputs are short lines, one endless line, and a wrapper that is never closed.
    for pattern in [&b"see http://a.example/x, or not\n"[..], b"word", b"<URL:http://a.example/\n"] {
        let chunk = pattern.repeat(16_384 / pattern.len());
        let fed = |chunks: usize| {
            allocation_counter::measure(|| {
                let mut feeder = extractor.feeder();
                for _ in 0..chunks {
                    feeder.push(&chunk);
                    while feeder.next().is_some() {}
                }
                feeder.finish();
                while feeder.next().is_some() {}
                assert_eq!(feeder.stats().bytes, (chunks * chunk.len()) as u64);
            })
        };
        let (short, long) = (fed(64).bytes_max, fed(512).bytes_max);
        assert!(long <= short && long < 1 << 20, "{long} bytes, {short} for less of {}", pattern.escape_ascii());
    }
}
