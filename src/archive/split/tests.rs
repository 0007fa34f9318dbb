use std::io::ErrorKind;

use memchr::memmem;

use super::separators::BYTE_ORDER_MARK;
use super::*;
use crate::archive::support::{Fails, is_quick};
use crate::turns::turns;

/// A reader that returns random numbers of bytes, at most `most` each time.
struct Chunks<'t> {
    text: &'t [u8],
    most: usize,
    rng: fastrand::Rng,
}

impl Read for Chunks<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.rng.usize(1..=self.most));
        self.text.read(&mut out[..most])
    }
}

/// A piece with its offsets in the input.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    number: Option<u64>,
    start: usize,
    message: usize,
    end: usize,
    length: Length,
    is_oversize: bool,
}

fn whole<R: Read>(reader: R, container: Container) -> Splitter<R> {
    Splitter::new(reader, container, Backend::detect(), Mark::default(), 0..u64::MAX)
}

fn pieces(mut splitter: Splitter<impl Read>, text: &[u8]) -> Vec<Found> {
    let mut found = Vec::new();
    while !splitter.is_done() {
        match splitter.advance() {
            None => {}
            Some(SplitPart::Batch(batch)) => {
                let base = batch.text.base as usize;
                assert_eq!(batch.text.bytes(), &text[base..base + batch.text.bytes().len()]);
                for piece in &batch.pieces {
                    assert_eq!(piece.separator.end, piece.message.start);
                    found.push(Found {
                        number: piece.number,
                        start: base + piece.separator.start,
                        message: base + piece.message.start,
                        end: base + piece.message.end,
                        length: piece.length,
                        is_oversize: false,
                    });
                }
                splitter.recycle(batch.text);
            }
            Some(SplitPart::Oversize { base, .. }) => {
                let start = base as usize;
                let mut piece = Vec::new();
                splitter.oversize().read_to_end(&mut piece).unwrap();
                assert!(text[start..].starts_with(&piece));
                let (message, end) = (start + separator::mbox(&piece, true).unwrap_or(0), start + piece.len());
                found.push(Found { number: None, start, message, end, length: Length::Unstated, is_oversize: true });
            }
        }
    }
    splitter.result().unwrap();
    found
}

fn split(text: &[u8], container: Container, most: usize) -> Vec<Found> {
    let chunks = Chunks { text, most, rng: fastrand::Rng::with_seed(most as u64) };
    let found = pieces(whole(chunks, container), text);
    let mut end = 0;
    for piece in &found {
        assert_eq!(piece.start, end, "a gap or an overlap");
        assert_eq!(piece.is_oversize, piece.end - piece.start > MESSAGE_CAP);
        end = piece.end;
    }
    assert_eq!(end, text.len());
    found
}

/// Returns the texts of the messages, and the piece before the first separator.
fn messages(text: &str, container: Container) -> Vec<&str> {
    split(text.as_bytes(), container, 1 << 20).into_iter().map(|piece| &text[piece.message..piece.end]).collect()
}

const FROM: &str = "From joe@a.example Mon Jan  1 12:34:56 2001\n";

#[test]
fn the_shortest_inputs_of_every_container() {
    use Container::{Babyl, Dbox, Emlx, Mbox, Message, Mmdf, Rnews, Text};
    for container in [Text, Message, Mbox, Rnews, Mmdf, Babyl, Dbox, Emlx] {
        for text in ["", "1", "\n", "9\n", "\u{1}", "\u{1F}", "F", "#!", "\u{FEFF}"] {
            let bytes = text.as_bytes();
            let found =
                pieces(whole(Chunks { text: bytes, most: 1, rng: fastrand::Rng::with_seed(1) }, container), bytes);
            assert!(found.len() <= 1, "{text:?}: {found:?}");
        }
    }
}

#[test]
fn a_mailbox() {
    let text =
        format!("{FROM}A: 1\n\nx\n\n{FROM}A: 2\n\nFrom time to time\n\n>From x\n{FROM}A: 3\n\n\n{FROM}\n\n{FROM}B: c");
    let third = format!("A: 3\n\n\n{FROM}\n\n");
    let second = "A: 2\n\nFrom time to time\n\n>From x\n";
    assert_eq!(messages(&text, Container::Mbox), ["A: 1\n\nx\n\n", second, &third, "B: c"]);
    let numbers: Vec<_> = split(text.as_bytes(), Container::Mbox, 1).into_iter().map(|piece| piece.number).collect();
    assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4)]);

    let crlf = text.replace('\n', "\r\n");
    assert_eq!(messages(&crlf, Container::Mbox).len(), 4);
    let marked = format!("\u{FEFF}{text}");
    assert_eq!(messages(&marked, Container::Mbox), messages(&text, Container::Mbox));
}

#[test]
fn a_separator_without_an_empty_line_before_it() {
    for separator in
        [FROM, "From - Mon Jan 1 2001 12:34:56\r\n", "From \r\n", "From\n", "From joe Mon Jan  1 12:34:56 2001\n"]
    {
        let text = format!("{FROM}A: 1\n\nx\n{separator}A: 2\nB: c\n\ny\n{separator}A: 3\nB: c\n\n");
        assert_eq!(messages(&text, Container::Mbox), ["A: 1\n\nx\n", "A: 2\nB: c\n\ny\n", "A: 3\nB: c\n\n"]);
    }
    // Lines without an address, a patch's line, a header's line, and two lines that are never
    // separators.
    for line in [
        "From Mon Jan  1 12:34:56 2001",
        "From -5034587193840261397",
        "From a1b2c3 Mon Sep 17 00:00:00 2001",
        "From here on",
        "From: joe",
    ] {
        let text = format!("{FROM}A: 1\n\nx\n{line}\nA: 2\nB: c\n\n");
        assert_eq!(messages(&text, Container::Mbox).len(), 1, "{line}");
    }
    let header = format!("A: 1\nContent-Type: text/html\n{FROM}A: 2\nB: c\n\nx");
    assert_eq!(messages(&format!("{FROM}{header}"), Container::Mbox), [&header]);
    let endless = format!("A: 1\n{FROM}A: 2\nB: c\n");
    assert_eq!(messages(&format!("{FROM}{endless}"), Container::Mbox), [&endless]);
}

#[test]
fn what_stands_before_the_first_separator_is_a_piece() {
    let text = format!("junk\n\n{FROM}A: 1\n\n");
    assert_eq!(messages(&text, Container::Mbox), ["junk\n\n", "A: 1\n\n"]);
    let found = split(text.as_bytes(), Container::Mbox, 1);
    assert_eq!((found[0].number, found[1].number), (None, Some(1)));
    for breaks in ["\n", "\r\n", "\n\n", "\r\n\r\n"] {
        let text = format!("{breaks}{FROM}A: 1\n\n");
        assert_eq!(messages(&text, Container::Mbox), [breaks, "A: 1\n\n"]);
    }
    assert_eq!(messages("", Container::Mbox), [""; 0]);
    for container in [Container::Mbox, Container::Rnews, Container::Message, Container::Text] {
        assert_eq!(messages("junk", container), ["junk"]);
    }
    assert_eq!(messages(&text, Container::Message), [text.as_str()]);
}

#[test]
fn a_length_that_is_proved_hides_separators() {
    let inner = format!("see\n\n{FROM}B: 1\n\ny\n\n");
    for end in ["", "\n", "\r\n", "\n\n"] {
        let message = format!("A: 1\nContent-Length: {}\n\n{inner}{end}", inner.len());
        let text = format!("{FROM}{message}{FROM}A: 2\n\n");
        assert_eq!(messages(&text, Container::Mbox), [message.as_str(), "A: 2\n\n"]);
        assert_eq!(split(text.as_bytes(), Container::Mbox, 1)[0].length, Length::Proved);
        let text = format!("{FROM}{message}");
        assert_eq!(messages(&text, Container::Mbox), [message.as_str()], "the input ends there");
    }
    for wrong in [0, inner.len() - 1, inner.len() + 1, inner.len() + 100, 1 << 40] {
        let text = format!("{FROM}A: 1\nContent-Length: {wrong}\n\n{inner}long\n\n{FROM}A: 2\n\n");
        let found = split(text.as_bytes(), Container::Mbox, 1 << 20);
        assert_eq!(found.len(), 3, "{wrong}");
        assert_eq!(found[0].length, Length::Ignored, "{wrong}");
    }
}

/// Checks a length in a message that begins within [`HEADER_LOOK`] of a header whose end is not
/// found.
#[test]
fn a_length_within_a_header_without_an_end() {
    let inner = format!("see\n\n{FROM}B: 1\n\ny\n\n");
    let fields = "A: 1\n".repeat(HEADER_LOOK / 8);
    let message = format!("Content-Length: {}\n{fields}\n{inner}\n", inner.len());
    let last = format!("A: 2\n\n{}", "x\n".repeat(HEADER_LOOK));
    for endless in [&fields, &format!("{fields}{FROM}{fields}")] {
        let text = format!("{FROM}{endless}{FROM}{message}{FROM}{last}");
        assert_eq!(messages(&text, Container::Mbox)[endless.matches("From").count() + 1..], [&message, &last]);
    }
}

#[test]
fn a_batch_of_news() {
    let text = "#! rnews 12\nPath: a\n\nx\n\n#! rnews 27\nPath: b\n\n#! rnews 2\nx\n\nend\n#! rnews 6\nPath: c\n#! rnews 9\nA: 1\n\nxx\n";
    assert_eq!(
        messages(text, Container::Rnews),
        ["Path: a\n\nx\n\n", "Path: b\n\n#! rnews 2\nx\n\nend\n", "Path: c\n", "A: 1\n\nxx\n"]
    );
    let spaced = "#! rnews 8\nPath: a\n\n#! rnews 8\nPath: b\n\n";
    assert_eq!(messages(spaced, Container::Rnews), ["Path: a\n\n", "Path: b\n\n"]);
    assert!(split(spaced.as_bytes(), Container::Rnews, 3).iter().all(|piece| piece.length == Length::Proved));
    let lengths: Vec<_> = split(text.as_bytes(), Container::Rnews, 3).into_iter().map(|piece| piece.length).collect();
    assert_eq!(lengths, [Length::Proved, Length::Proved, Length::Ignored, Length::Proved]);
}

/// Splits the whole input, literally by the module's documentation.
fn naive(text: &[u8], container: Container) -> Vec<usize> {
    let empty_before = |at: usize| {
        let before = &text[..at];
        at == 0
            || before.ends_with(b"\n\n")
            || before.ends_with(b"\n\r\n")
            || before == b"\n"
            || before == b"\r\n"
            || before == BYTE_ORDER_MARK
    };
    // The start of a message, the start of its body, and its claim.
    type Places = (usize, usize, Option<(usize, u64)>);
    let separator = |at: usize| -> Option<Places> {
        let rest = text.get(at..)?;
        match container {
            Container::Mbox => {
                let is_line = at == 0 || text[..at].ends_with(b"\n") || text[..at] == *BYTE_ORDER_MARK;
                let line = separator::mbox(rest, empty_before(at)).filter(|_| is_line)?;
                let message = at + line;
                let fields = separator::fields(&rest[line..], Backend::detect());
                let body = fields.as_ref().map_or(text.len(), |fields| message + fields.body.unwrap_or(0));
                let claim = fields.and_then(|fields| fields.claim);
                Some((message, body, claim.map(|claim| (message + claim.body, claim.length))))
            }
            _ => {
                let is_line = at == 0 || text[..at].ends_with(b"\n") || text[..at] == *BYTE_ORDER_MARK;
                let claim = separator::rnews(rest).filter(|_| is_line)?;
                Some((at + claim.body, at + claim.body, Some((at + claim.body, claim.length))))
            }
        }
    };
    let ends = |end: usize| match container {
        Container::Mbox => [&b""[..], b"\n", b"\r\n", b"\n\n", b"\n\r\n", b"\r\n\n", b"\r\n\r\n"]
            .iter()
            .filter(|breaks| text.get(end..).is_some_and(|rest| rest.starts_with(breaks)))
            .map(|breaks| end + breaks.len())
            .find(|&end| end == text.len() || separator(end).is_some()),
        _ => [&b""[..], b"\n", b"\r\n"]
            .iter()
            .filter(|breaks| text.get(end..).is_some_and(|rest| rest.starts_with(breaks)))
            .map(|breaks| end + breaks.len())
            .find(|&end| end == text.len() || separator(end).is_some()),
    };
    let (mut hidden, mut header) = (0, 0);
    let mut starts = Vec::new();
    for at in 0..text.len() {
        let Some((_, body, claim)) = separator(at).filter(|_| at >= header) else { continue };
        header = body;
        if at >= hidden {
            starts.push(if text[..at] == *BYTE_ORDER_MARK { 0 } else { at });
        }
        if let Some((body, length)) = claim
            && let Some(end) = usize::try_from(length).ok().and_then(|length| body.checked_add(length))
            && end - at <= MESSAGE_CAP
        {
            hidden = hidden.max(ends(end).unwrap_or(0));
        }
    }
    starts
}

/// Returns mailboxes and batches with lines in right and wrong places.
fn generated(rng: &mut fastrand::Rng) -> Vec<u8> {
    let lines: [&[u8]; 26] = [
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        FROM.as_bytes(),
        FROM.as_bytes(),
        FROM.as_bytes(),
        b"From a@b Mon Jan  1 12:34:56 2001\r\n",
        b"From -1234567890\n",
        b"From \r\n",
        b"From\n",
        b"From",
        b"From - Mon Jan 1 2001 12:34:56\n",
        b"X: y\n",
        b"Content-Type: message/partial; id=a; number=2\n",
        b"From time to time\n",
        b">From x\n",
        b"Subject: x\n",
        b"Subject: x\n",
        b"Path: a\r\n",
        b"text",
        b"From ",
        b"#! rnews 5\n",
        b"#! rnews ",
        b"\xEF\xBB\xBF",
        b"text\n",
    ];
    let mut text = Vec::new();
    for _ in 0..rng.usize(0..40) {
        match rng.u8(0..8) {
            0 => text.extend(format!("Content-Length: {}\n", rng.usize(0..300)).bytes()),
            1 => text.extend(format!("#! rnews {}\n", rng.usize(0..100)).bytes()),
            _ => text.extend_from_slice(rng.choice(lines).expect("not empty")),
        }
    }
    // Makes a claim true in some texts.
    let separators: Vec<usize> = memmem::find_iter(&text, "Content-Length: ").collect();
    if let Some(&at) = rng.choice(&separators)
        && let Some(body) = memmem::find(&text[at..], b"\n\n").map(|end| at + end + 2)
        && let Some(&next) = rng.choice(&naive(&text, Container::Mbox)).filter(|&&next| next >= body)
        && let Some(end) = memchr::memchr(b'\n', &text[at..]).map(|end| at + end)
    {
        let digits = end - at - 16;
        let length = format!("{:0digits$}", next - body);
        if length.len() == digits {
            text[at + 16..end].copy_from_slice(length.as_bytes());
        }
    }
    text
}

#[test]
fn the_pieces_are_those_of_the_definition_in_any_chunks() {
    let mut rng = fastrand::Rng::with_seed(4155);
    let (mut separators, mut proved) = (0, 0);
    let turns = turns(20_000);
    for _ in 0..turns {
        let text = generated(&mut rng);
        for container in [Container::Mbox, Container::Rnews] {
            let found = split(&text, container, 1 << 20);
            let starts: Vec<usize> =
                found.iter().filter(|piece| piece.message > piece.start).map(|piece| piece.start).collect();
            assert_eq!(starts, naive(&text, container), "{container:?} {:?}", String::from_utf8_lossy(&text));
            for most in [1, 2, 7, 100] {
                assert_eq!(split(&text, container, most), found, "{:?}", String::from_utf8_lossy(&text));
            }
            separators += starts.len();
            proved += found.iter().filter(|piece| piece.length == Length::Proved).count();
        }
    }
    assert!(separators > turns && proved > turns / 40, "{separators} {proved}");
}

/// Returns a mailbox of some MiB with messages of all lengths. Their claims are right, wrong and
/// far off.
fn large(rng: &mut fastrand::Rng, len: usize) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < len {
        let size = 1 << rng.u32(4..20);
        text.extend_from_slice(FROM.as_bytes());
        text.extend(format!("A: {}\n", text.len()).bytes());
        match rng.u8(0..6) {
            0 => text.extend(format!("Content-Length: {}\n", size - 1).bytes()),
            1 => text.extend(format!("Content-Length: {}\n", rng.usize(0..2 << 20)).bytes()),
            2 => text.extend_from_slice(b"Content-Type: message/partial; id=a; number=2\n"),
            _ => {}
        }
        text.push(b'\n');
        text.resize(text.len() + size - 2, b'x');
        text.extend_from_slice(b"\n\n");
    }
    text
}

#[test]
fn batches_of_a_large_mailbox() {
    let text = large(&mut fastrand::Rng::with_seed(1), 10 << 20);
    let found = split(&text, Container::Mbox, 1 << 20);
    let starts: Vec<usize> = found.iter().map(|piece| piece.start).collect();
    assert!(starts == naive(&text, Container::Mbox));
    assert!(split(&text, Container::Mbox, 5000) == found);
    let mut splitter = whole(&text[..], Container::Mbox);
    let mut batches = 0;
    while !splitter.is_done() {
        if let Some(SplitPart::Batch(batch)) = splitter.advance() {
            assert!(batch.text.bytes().len() <= 4 * BATCH, "{}", batch.text.bytes().len());
            batches += 1;
            splitter.recycle(batch.text);
        }
    }
    assert!(batches < 20, "{batches}");
}

#[test]
fn ranges_that_tile_an_input_have_each_message_once() {
    let mut rng = fastrand::Rng::with_seed(2);
    let text = large(&mut rng, 4 << 20);
    let all = split(&text, Container::Mbox, 1 << 20);
    for _ in 0..20 {
        let mut ends: Vec<usize> = (0..3).map(|_| rng.usize(..text.len())).collect();
        ends.extend([0, text.len()]);
        ends.sort_unstable();
        let mut tiled = Vec::new();
        for pair in ends.windows(2) {
            let splitter = Splitter::new(
                &text[..],
                Container::Mbox,
                Backend::detect(),
                Mark::default(),
                pair[0] as u64..pair[1] as u64,
            );
            tiled.extend(pieces(splitter, &text));
        }
        assert!(tiled == all);
    }
}

#[test]
fn pieces_of_a_message_come_together() {
    let piece = |number: usize, length: usize| {
        format!("{FROM}Content-Type: message/partial; id=a; number={number}\n\n{}\n\n", "x".repeat(length))
    };
    let joined = |text: &str, most: usize| {
        let mut splitter =
            whole(Chunks { text: text.as_bytes(), most, rng: fastrand::Rng::with_seed(2046) }, Container::Mbox);
        let mut batches = Vec::new();
        while !splitter.is_done() {
            match splitter.advance() {
                Some(SplitPart::Batch(batch)) => {
                    batches.push(batch.pieces.iter().map(|piece| piece.continues).collect::<Vec<_>>());
                    splitter.recycle(batch.text);
                }
                Some(SplitPart::Oversize { continues, .. }) => batches.push(vec![continues]),
                None => {}
            }
        }
        (batches, splitter.settled_at())
    };
    // A batch ends before a message that does not continue another, however the input arrives.
    let text = [piece(1, BATCH), piece(2, BATCH), piece(3, BATCH), piece(1, BATCH), piece(2, 5)].concat();
    for most in [10_000, 1 << 20] {
        let (batches, settled) = joined(&text, most);
        assert_eq!(batches, [vec![false, true, true], vec![false, true]]);
        // The last message may continue if the mailbox grows.
        assert_eq!(settled.messages, 3);
    }
    // Pieces that are too long together are returned separately.
    let text = [piece(1, 5), piece(2, MESSAGE_CAP), piece(3, 5), piece(1, 5), piece(2, 5)].concat();
    for most in [10_000, 1 << 20] {
        assert_eq!(joined(&text, most).0, [vec![false], vec![true], vec![true, false, true]]);
    }
    // Many short pieces cost little.
    let text = piece(2, 1).repeat(2 * MESSAGE_CAP / piece(2, 1).len());
    is_quick(|| {
        joined(&text, 1 << 20);
    });
}

#[test]
fn a_long_message_is_read_not_held() {
    let mut text = format!("{FROM}A: 1\n\nx\n\n{FROM}A: 2\n\n").into_bytes();
    text.extend(b"From time to time a line\n\n".repeat(800_000));
    text.extend_from_slice(format!("{FROM}A: 3\n\nz").as_bytes());
    for most in [1 << 20, 10_000] {
        let found = split(&text, Container::Mbox, most);
        assert_eq!(found.iter().map(|piece| piece.is_oversize).collect::<Vec<_>>(), [false, true, false]);
    }
    // The caller reads none of the piece, or not all of it.
    for read in [0, 1, 20_000_000] {
        let mut splitter = whole(&text[..], Container::Mbox);
        let mut count = 0;
        while !splitter.is_done() {
            match splitter.advance() {
                Some(SplitPart::Batch(batch)) => count += batch.pieces.len(),
                Some(SplitPart::Oversize { .. }) => {
                    let mut some = vec![0; read];
                    splitter.oversize().read_exact(&mut some).unwrap();
                    assert!(splitter.buffer.held().room_size() < MESSAGE_CAP + 8 * BATCH);
                }
                None => {}
            }
        }
        assert_eq!(count, 2);
    }
    // A piece of exactly the maximum length, and one byte more.
    for more in [0, 1] {
        let mut text = format!("{FROM}A: 1\n\n").into_bytes();
        text.resize(MESSAGE_CAP + more, b'x');
        let found = split(&text, Container::Mbox, 1 << 20);
        assert!(found.len() == 1 && found[0].is_oversize == (more == 1));
        let found = split(&text, Container::Text, 1 << 20);
        assert!(found.len() == 1 && found[0].is_oversize == (more == 1));
    }
}

#[test]
fn single_bytes_cost_no_more_than_their_number() {
    // An unfinished header is not read again for each of its bytes.
    let text = format!("{FROM}{}", "A: b\n".repeat(12_000));
    is_quick(|| drop(split(text.as_bytes(), Container::Mbox, 1)));
}

#[test]
fn a_failing_reader_is_reported_after_what_it_gave() {
    let text = format!("{FROM}A: 1\n\n").repeat(3);
    let mut splitter = whole(text.as_bytes().chain(Fails), Container::Mbox);
    let mut count = 0;
    while !splitter.is_done() {
        if let Some(SplitPart::Batch(batch)) = splitter.advance() {
            count += batch.pieces.len();
        }
    }
    assert_eq!(count, 3);
    assert_eq!(splitter.result().unwrap_err().kind(), ErrorKind::ConnectionReset);
}
