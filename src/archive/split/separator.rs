//! Lines that separate messages: mbox's `From ` lines and the headers of rnews batches (RFC 1036,
//! section 4.3). Only the appendix of RFC 4155 defines mbox.

use std::ops::ControlFlow;

use memchr::memchr;

use crate::archive::header::{fragment, glance, is_harmless, known};
use crate::bytes::simd::Backend;

/// The maximum length of a separator line. It is sixteen times the length of real lines.
pub(super) const LINE: usize = 1024;
/// The maximum length of a field's name, up to its colon.
const NAME: usize = 256;
/// The maximum number of bytes that [`mbox`] reads.
pub(crate) const MBOX_LOOK: usize = LINE + NAME;
/// The maximum number of bytes that [`rnews`] reads.
pub(crate) const RNEWS_LOOK: usize = 64;
/// The number of bytes of a header that are searched for its `Content-Length`.
pub(crate) const HEADER_LOOK: usize = 64 << 10;

/// Returns the length of the separator line, with its line break, at the start of a text. A line
/// that could also be prose is not a separator.
///
/// A separator needs a date, and a header field on the next line (or a marked `>From `). All of
/// 6,900 lines that software wrote into archives have both. Lines of prose that begin with `From `
/// do not. A separator with a date that does not follow an empty line also needs an address. A
/// separator of only `From` is [`bare`]. A separator with a sender, but without such a date, is
/// [`undated`], and must follow an empty line.
pub(crate) fn mbox(text: &[u8], is_after_empty: bool) -> Option<usize> {
    dated(text, is_after_empty).or_else(|| bare(text)).or_else(|| undated(text).filter(|_| is_after_empty))
}

/// Returns the length of a separator with a date.
pub(crate) fn dated(text: &[u8], is_after_empty: bool) -> Option<usize> {
    let rest = text.strip_prefix(b"From ")?;
    let end = memchr(b'\n', &rest[..rest.len().min(LINE - 5)])?;
    let (line, next) = (&rest[..end], &rest[end + 1..]);
    let is_one = is_address_and_date(line, is_after_empty)
        && (is_after_empty || !is_of_patch(line))
        && (next.starts_with(b">From ") || field_name(next).is_some());
    is_one.then_some(5 + end + 1)
}

/// Returns true for the first line of a patch, whose date is always the same. A patch is attached
/// or pasted in. If a patch is a message of a mailbox, `git` writes an empty line before it.
pub(crate) fn is_of_patch(line: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(b" Mon Sep 17 00:00:00 2001")
}

/// Returns the length of a separator that is only `From `, as Thunderbird has written it since
/// 2023. Two header lines must follow, or one header line and the empty line. Otherwise `From` may
/// stand alone in a table or form.
///
/// If text is appended to the input, such a line can become a separator, but never cease to be one.
pub(crate) fn bare(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MBOX_LOOK)];
    let rest = text.strip_prefix(b"From")?;
    let end = memchr(b'\n', &rest[..rest.len().min(4)]).filter(|&end| rest[..end].trim_ascii().is_empty())?;
    let next = &rest[end + 1..];
    // Excludes a list of URLs, because their schemes look like names of fields.
    let is_field = |line: &[u8]| {
        let value = field_name(line).map(|name| line[name.len()..].trim_ascii_start());
        value.is_some_and(|value| value.len() > 2 && !value.starts_with(b"://"))
    };
    let second = memchr(b'\n', next).map(|end| &next[end + 1..]);
    let goes_on = match second {
        Some([b' ' | b'\t' | b'\n', ..] | [b'\r', b'\n', ..]) => true,
        Some(line) => is_field(line),
        // The field's line is longer than the bytes that are read.
        None => text.len() == MBOX_LOOK,
    };
    (is_field(next) && goes_on).then_some(4 + end + 1)
}

/// Returns the length of a separator with an address or a dash, and at most a date of ISO 8601:
/// `From 1844347792267117870@xxx`, `From - `. People also write such lines, so two fields must
/// follow. At least one must be a known field. The other may be unknown, but then must begin with
/// `X-`.
///
/// As with [`bare`], appended text can only add such a separator, never remove one.
pub(crate) fn undated(text: &[u8]) -> Option<usize> {
    let text = &text[..text.len().min(MBOX_LOOK)];
    let rest = text.strip_prefix(b"From ")?;
    let end = memchr(b'\n', &rest[..rest.len().min(LINE - 5)])?;
    let mut words = rest[..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let sender = words.next()?;
    let is_sender =
        sender == b"-" || sender.iter().filter(|&&byte| byte == b'@').count() == 1 && !sender.ends_with(b":");
    let is_dated = words.all(|word| word[0].is_ascii_digit() && word.iter().all(|&byte| is_of_iso_date(byte)));
    let next = &rest[end + 1..];
    let rank = |line: &[u8]| match field_name(line) {
        Some(name) if known(name).is_some() => 2,
        Some(name) if name.starts_with(b"X-") => 1,
        _ => 0,
    };
    let second = || match memchr(b'\n', next).map(|end| &next[end + 1..]) {
        Some([b' ' | b'\t', ..]) => 1,
        Some(line) => rank(line),
        // The field's line is longer than the bytes that are read.
        None => u8::from(text.len() == MBOX_LOOK),
    };
    let has_fields = || match (rank(next), second()) {
        (0, _) | (_, 0) => false,
        (first, second) => first + second > 2,
    };
    (is_sender && is_dated && has_fields()).then_some(5 + end + 1)
}

/// Returns whether a byte may belong to a date such as `2024-01-01T10:00:00.5+01:00`.
fn is_of_iso_date(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b'+' | b'T' | b'Z')
}

/// Returns the name of the header field at the start of a text (RFC 5322, section 2.2). Blanks may
/// stand before the colon, as in RFC 822.
pub(crate) fn field_name(text: &[u8]) -> Option<&[u8]> {
    let text = &text[..text.len().min(NAME)];
    let length = text.iter().position(|byte| !matches!(byte, b'!'..=b'9' | b';'..=b'~'))?;
    let blanks = text[length..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (length > 0 && text.get(length + blanks) == Some(&b':')).then_some(&text[..length])
}

/// Returns whether a `From ` line continues with an address and a date. After an empty line, the
/// address may be missing, or a number may replace both.
fn is_address_and_date(line: &[u8], is_after_empty: bool) -> bool {
    // Nearly all lines are one word, a blank or two, and asctime's date. Splitting a line into
    // words takes ten times as long, so this form is checked first.
    if let Some((address, date)) = line.split_last_chunk::<25>()
        && let address = address.trim_ascii_end()
        && is_asctime(date)
        // The address is so short that `memchr` was twice as slow.
        && !address.iter().any(|byte| matches!(byte, b' ' | b'\t'))
        && !address.is_empty()
    {
        return true;
    }
    const WORDS: usize = 32;
    let mut words = [&b""[..]; WORDS];
    let mut count = 0;
    for word in line.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|word| !word.is_empty()) {
        let Some(place) = words.get_mut(count) else { return false };
        *place = word;
        count += 1;
    }
    let words = &words[..count];
    if let [number] = words {
        // Usenet archives number their articles in this way, without a date:
        // `From -5034587193840261397`.
        let digits = number.strip_prefix(b"-").unwrap_or(number);
        return is_after_empty && digits.len() >= 8 && digits.iter().all(u8::is_ascii_digit);
    }
    // Without an empty line before it, a separator must have an address before the day's name.
    let first = usize::from(!is_after_empty);
    (first..count).any(|at| is_day_name(words[at]) && is_address(&words[..at]) && is_date(&words[at + 1..]))
}

/// Returns whether a text has the form ` Sat Jan  3 01:05:34 1998`.
fn is_asctime(date: &[u8; 25]) -> bool {
    let is_digit = |at: usize| date[at].is_ascii_digit();
    date[0] == b' '
        && is_day_name(&date[1..4])
        && date[4] == b' '
        && is_month(&date[5..8])
        && date[8] == b' '
        && (is_digit(9) || date[9] == b' ')
        && date[11] == b' '
        && date[14] == b':'
        && date[17] == b':'
        && date[20] == b' '
        // Checks all digits even after a mismatch, because code without branches is faster.
        && [10, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24].into_iter().fold(true, |all, at| all & is_digit(at))
}

/// Returns whether words can be an address. There may be no word (`From Mon Jan 1 …`), one word
/// (`joe@a.example`, `joe`, `-`), or several. If there are several, one must show an address
/// (`joe at a.example`, `"J. Doe"@a.example`).
fn is_address(words: &[&[u8]]) -> bool {
    words.len() < 2
        || words.iter().any(|word| *word == b"at" || word.iter().any(|byte| matches!(byte, b'@' | b'!' | b'"' | b'<')))
}

/// Returns whether words after a day's name complete a date of asctime or RFC 822. A date of
/// asctime may have seconds and a zone. Its year may precede the time, as Thunderbird writes it
/// (`Sat Apr 12 2025 15:59:28`).
fn is_date(words: &[&[u8]]) -> bool {
    match words {
        [month, day, time, rest @ ..] if is_month(month) && is_number(day, 2) && is_time(time) => {
            // The zone stands before the year, or after it.
            rest.iter().take(3).enumerate().any(|(at, year)| {
                is_year(year) && rest[..at].iter().all(|zone| is_zone(zone)) && is_tail(&rest[at + 1..])
            })
        }
        [day, month, year, time, rest @ ..] => {
            let is_day_of_month = |day, month| is_number(day, 2) && is_month(month);
            (is_day_of_month(day, month) || is_day_of_month(month, day))
                && is_year(year)
                && is_time(time)
                && is_tail(rest)
        }
        _ => false,
    }
}

fn is_day_name(word: &[u8]) -> bool {
    const NAMES: [u32; 7] = keys(b"montuewedthufrisatsun");
    let word = word.strip_suffix(b",").unwrap_or(word);
    is_among(word, &NAMES)
}

fn is_month(word: &[u8]) -> bool {
    const NAMES: [u32; 12] = keys(b"janfebmaraprmayjunjulaugsepoctnovdec");
    is_among(word, &NAMES)
}

/// Converts words of three lower-case letters into one number each.
const fn keys<const N: usize>(words: &[u8]) -> [u32; N] {
    let mut keys = [0; N];
    let mut at = 0;
    while at < N {
        keys[at] = key(words[3 * at], words[3 * at + 1], words[3 * at + 2]);
        at += 1;
    }
    keys
}

/// Converts three letters of either case into a number. Different letters yield different numbers.
const fn key(a: u8, b: u8, c: u8) -> u32 {
    u32::from_le_bytes([a | 0x20, b | 0x20, c | 0x20, 0])
}

/// Returns whether a word is one of these words of three letters. Ignores case.
fn is_among(word: &[u8], words: &[u32]) -> bool {
    let &[a, b, c] = word else { return false };
    words.contains(&key(a, b, c))
}

fn is_number(word: &[u8], most: usize) -> bool {
    (1..=most).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

fn is_year(word: &[u8]) -> bool {
    matches!(word.len(), 2 | 4) && is_number(word, 4)
}

/// Returns whether a word has the form `12:34` or `12:34:56`.
fn is_time(word: &[u8]) -> bool {
    let fields = word.split(|&byte| byte == b':');
    matches!(fields.clone().count(), 2 | 3) && fields.into_iter().all(|field| is_number(field, 2))
}

/// Returns whether a word may be a zone: `EST`, `+0100`, `(CET)`.
fn is_zone(word: &[u8]) -> bool {
    word.len() <= 10
        && word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'+' | b'-' | b'('))
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b':' | b'(' | b')'))
}

/// Returns whether words may end a date: none, one or two zones, or UUCP's `remote from host`.
fn is_tail(words: &[&[u8]]) -> bool {
    matches!(words, [b"remote", b"from", ..]) || words.len() <= 2 && words.iter().all(|word| is_zone(word))
}

/// The offset of a header's body, and the body's claimed length.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) body: usize,
    pub(crate) length: u64,
}

impl Claim {
    /// Returns the claim for a text with `by` more bytes before it.
    pub(crate) fn shifted(self, by: usize) -> Claim {
        Claim { body: self.body + by, ..self }
    }
}

/// The facts in a message's header that a splitter needs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    /// The first `Content-Length` (of mboxcl and mboxcl2).
    pub(crate) claim: Option<Claim>,
    /// The offset of the body. `None` if the header is too long to find it.
    pub(crate) body: Option<usize>,
    /// The offset of the body, if the body certainly needs no decoding. It is computed here, so
    /// that the header is not read again.
    pub(crate) plain_body: Option<usize>,
    /// Whether the message is a later piece of a split message.
    pub(crate) continues: bool,
}

/// Reads a header. Returns `None` if the text ends within it.
pub(crate) fn fields(header: &[u8], backend: Backend) -> Option<Fields> {
    const FIELD: &[u8] = b"Content-Length";
    let header = &header[..header.len().min(HEADER_LOOK)];
    let (mut length, mut is_plain, mut continues) = (None, true, false);
    // A line of blanks is not treated as empty here, because the next line may not have been read
    // yet.
    let glance = glance(header, backend, false, b'C', |at| {
        if !is_harmless(header, at) {
            is_plain = false;
            continues |= fragment::continues(&header[at..]);
        }
        if length.is_none()
            && let Some((name, rest)) = header[at..].split_at_checked(FIELD.len())
            && name.eq_ignore_ascii_case(FIELD)
        {
            let value = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
            length = value.trim_ascii().strip_prefix(b":").and_then(number);
        }
        ControlFlow::Continue(())
    });
    let is_plain = is_plain && !glance.has_words && !glance.has_blank_line;
    match glance.body {
        Some(body) => {
            let claim = length.map(|length| Claim { body, length });
            Some(Fields { claim, body: Some(body), plain_body: is_plain.then_some(body), continues })
        }
        None => (header.len() == HEADER_LOOK).then(Fields::default),
    }
}

fn number(digits: &[u8]) -> Option<u64> {
    let digits = digits.trim_ascii();
    // Any number of 18 digits fits into 64 bits.
    is_number(digits, 18).then(|| digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0')))
}

/// The start of the first line of a record in a web archive.
pub(crate) const WARC_START: &[u8] = b"WARC/";
/// The maximum length of the first line of a record.
pub(crate) const WARC_LOOK: usize = 16;

/// Returns the length of the first line of a record in a web archive.
pub(crate) fn record_line(text: &[u8]) -> Option<usize> {
    let version = text[..text.len().min(WARC_LOOK)].strip_prefix(WARC_START)?;
    let end = memchr(b'\n', version)?;
    let line = version[..end].trim_ascii_end();
    let is_version = line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    (is_version && line.first().is_some_and(u8::is_ascii_digit)).then_some(WARC_START.len() + end + 1)
}

/// Parses the header line of an article in a batch, `#! rnews 1234`. Returns the start of the
/// article, and its claimed length.
pub(crate) fn rnews(text: &[u8]) -> Option<Claim> {
    let rest = text[..text.len().min(RNEWS_LOOK)].strip_prefix(b"#! rnews ")?;
    let end = memchr(b'\n', rest)?;
    Some(Claim { body: 9 + end + 1, length: number(&rest[..end])? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_records() {
        assert_eq!(record_line(b"WARC/1.0\r\nWARC-Type: x"), Some(10));
        assert_eq!(record_line(b"WARC/1.1\n"), Some(9));
        for none in ["WARC/1.0", "WARC/\n", "WARC/x\n", "WARC/1.0 x\n", "warc/1.0\n", "WARC/1.00000000000000\n"] {
            assert_eq!(record_line(none.as_bytes()), None, "{none:?}");
        }
    }

    #[test]
    fn the_short_cut_is_one() {
        let mut rng = fastrand::Rng::with_seed(4155);
        for _ in 0..200_000 {
            let mut line = b"joe@a.example Sat Jan  3 01:05:34 1998".to_vec();
            for _ in 0..rng.usize(..3) {
                let at = rng.usize(..line.len());
                line[at] = *rng.choice(b" :0aJ\t").unwrap();
            }
            let line = &line[rng.usize(..16)..];
            let whole = {
                let padded = [line, b" "].concat(); // a form that the fast path does not accept
                [true, false].map(|is_after_empty| is_address_and_date(&padded, is_after_empty))
            };
            let short = [true, false].map(|is_after_empty| is_address_and_date(line, is_after_empty));
            assert_eq!(short, whole, "{}", line.escape_ascii());
        }
    }

    #[test]
    fn real_separators() {
        for line in [
            "joe@a.example Mon Jan  1 12:34:56 2001",
            "joe@a.example  Mon Jan 01 12:34:56 2001",
            "joe@a.example Mon Jan  1 12:34 2001",
            "joe@a.example Tue May 26 15:41 CDT 1998",
            "joe@a.example Tue May 26 15:41:00 METDST 1998",
            "joe@a.example Tue May 26 15:41:00 +0000 2018",
            "joe@a.example Tue May 26 15:41:00 2018 +0000",
            "joe@a.example Tue May 26 15:41:00 EST 1998 (EST)",
            "joe@a.example Wed, 7 Feb 1996 01:02:03 +0100",
            "joe at a.example  Sat Aug 31 00:00:01 2002",
            "j. r. doe at a.example  Sat Aug 31 00:00:01 2002",
            "\"J. Doe\"@a.example Sat Aug 31 00:00:01 2002",
            "- Sat Aug 31 00:00:01 2002",
            "MAILER-DAEMON Sat Aug 31 00:00:01 2002",
            "Sun Sat Aug 31 00:00:01 2002",
            "Sat Aug 31 00:00:01 2002",
            "a!b!joe Sat Aug 31 00:00 1985 remote from c",
            "joe Sat Aug 31 00:00:01 85",
            "joe\tSat Aug 31 00:00:01 2002 ",
            "- Sat Apr 12 2025 15:59:28",
            "-5034587193840261397",
            "1234567890",
        ] {
            // These lines lack an address or a date, so they need an empty line before them.
            let is_strong = !line.starts_with("Sat") && line.contains(' ');
            for end in ["\n", "\r\n"] {
                for next in ["Path: x", ">From a!b", "X-Foo : x", "Received: x"] {
                    let text = format!("From {line}{end}{next}");
                    let length = Some(text.len() - next.len());
                    assert_eq!(mbox(text.as_bytes(), true), length, "{text}");
                    assert_eq!(mbox(text.as_bytes(), false), length.filter(|_| is_strong), "{text}");
                }
                for next in ["", "\n", "no field", " folded: x", ": x", ">From"] {
                    assert_eq!(mbox(format!("From {line}{end}{next}").as_bytes(), true), None, "{line} {next}");
                }
            }
        }
    }

    #[test]
    fn a_separator_may_be_bare() {
        for line in ["From \n", "From\n", "From \r\n", "From\r\n"] {
            for header in
                ["X-Mozilla-Status: 0001\nX-Foo: y", "A: b\n folded", "A: b\n\n", "A: b\r\n\r\n", "From: b\nX: \n"]
            {
                for is_after_empty in [true, false] {
                    let text = format!("{line}{header}");
                    assert_eq!(mbox(text.as_bytes(), is_after_empty), Some(line.len()), "{text}");
                }
            }
            let long = format!("{line}A: {}", "x".repeat(MBOX_LOOK));
            assert_eq!(mbox(long.as_bytes(), true), Some(line.len()));
            for next in [
                "",
                "A: b",
                "A: b\n",
                "A: b\n\r",
                "Note: it rains\nhere",
                "no field\nA: b",
                "http://a.example/\nhttp://b.example/\n",
                "A: b\nhttp://b.example/",
                "A: b\nhttp:",
                "\nA: b\nC: d",
            ] {
                assert_eq!(mbox(format!("{line}{next}").as_bytes(), true), None, "{line}{next}");
            }
        }
        assert_eq!(mbox(b"From    \nA: b\nC: d\n", true), None);
    }

    #[test]
    fn prose_is_no_separator() {
        for line in [
            "time to time it rains",
            "Monday on it rains",
            "my point of view: it rains",
            "here on",
            "-",
            "joe@a.example",
            "joe@a.example Mon",
            "joe@a.example Mon Jan",
            "joe@a.example Mon Jan 1 2001",
            "joe@a.example Mon Jan 1 12:34:56",
            "joe@a.example Mon Jan 1 12:34:56 2001, who said",
            "joe@a.example Jan 1 12:34:56 2001",
            "joe@a.example Mon Jam 1 12:34:56 2001",
            "joe@a.example Mon Jan 1 12.34 2001",
            "now on, that is Mon Jan  1 12:34:56 2001",
            "1994",
            "12345678x",
        ] {
            assert_eq!(mbox(format!("From {line}\nSubject: x\n").as_bytes(), true), None, "{line}");
        }
        let long = format!("From {}@x Mon Jan  1 12:34:56 2001\nA: b", "x".repeat(LINE));
        assert_eq!(mbox(long.as_bytes(), true), None);
        assert_eq!(mbox(b"From: a@b Mon Jan  1 12:34:56 2001\nA: b", true), None);
    }

    #[test]
    fn what_it_looks_at_is_limited() {
        let line = format!("From {}@x Mon Jan  1 12:34:56 2001\n", "x".repeat(900));
        for name in 250..260 {
            let text = format!("{line}{}: x and more", "X".repeat(name));
            let look = &text.as_bytes()[..text.len().min(MBOX_LOOK)];
            assert_eq!(mbox(text.as_bytes(), true), mbox(look, true));
            assert_eq!(mbox(look, true).is_some(), name < NAME, "{name}");
        }
    }

    #[test]
    fn claims() {
        let claim = |body, length| Some(Claim { body, length });
        let content_length = |header: &[u8]| fields(header, Backend::detect()).map(|fields| fields.claim);
        assert_eq!(content_length(b"A: b\nContent-Length: 12\n\nx"), Some(claim(25, 12)));
        assert_eq!(content_length(b"A: b\r\ncontent-length :12 \r\n\r\nx"), Some(claim(29, 12)));
        assert_eq!(content_length(b"Content-Length: 1\nContent-Length: 2\n\n"), Some(claim(37, 1)));
        for none in ["\n", "A: b\n\nContent-Length: 12\n\n", "Content-Length: -1\n\n", "Content-Lengths: 1\n\n"] {
            assert_eq!(content_length(none.as_bytes()), Some(None), "{none}");
        }
        assert_eq!(content_length(b"Content-Length: 99999999999999999999999\n\n"), Some(None));
        assert_eq!(content_length(b"Content-Length: 12\nA: b"), None);
        assert_eq!(content_length(&[b'x'; HEADER_LOOK]), Some(None));

        assert_eq!(rnews(b"#! rnews 1234\nPath: x"), claim(14, 1234));
        assert_eq!(rnews(b"#! rnews 1234 \r\n"), claim(16, 1234));
        for none in ["#! rnews \n", "#! rnews 12", "#! rnews x\n", "#! cunbatch\n", "#! rnews 1 2\n", "#!rnews 1\n"] {
            assert_eq!(rnews(none.as_bytes()), None, "{none}");
        }
    }
}
