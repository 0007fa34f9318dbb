//! Headers: fields and their places (RFC 5322 section 2.2), encoded words (RFC 2047), the envelope, and the quick look
//! that says of most messages that there is nothing to decode.

use std::ops::Range;

use bstr::ByteSlice;
use mail_parser::parsers::MessageStream;
use mail_parser::{Address, ContentType, DateTime, HeaderValue};
use memchr::{memchr, memchr_iter, memmem};

use crate::archive::charset::Charset;
use crate::archive::message::Envelope;
use crate::bytes::simd::{Backend, Lanes, Look, WIDTH};

/// How much of a structured field is parsed. The parser needs quadratic time for thousands of parameters: 4 ms for 34 kB
/// of them, 310 ms for 380 kB.
const LONGEST_FIELD: usize = 16 << 10;

/// A field of a header, by its places in the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Range<usize>,
    /// After the colon, with the folded lines, to the end of the last.
    pub(crate) value: Range<usize>,
}

impl Field {
    /// The name, the value and what is between.
    pub(crate) fn range(&self) -> Range<usize> {
        self.name.start..self.value.end
    }

    pub(crate) fn is(&self, message: &[u8], name: &str) -> bool {
        message[self.name.clone()].eq_ignore_ascii_case(name.as_bytes())
    }
}

/// The header that begins at `start`: where it ends, and where the body begins. It ends at an empty line, which is
/// neither header nor body, or at one that [passes for empty](passes_for_empty), or before a line on which `is_end` says
/// so.
pub(crate) fn extent(message: &[u8], start: usize, is_end: impl Fn(&[u8]) -> bool) -> (usize, usize) {
    let mut line = start;
    for end in memchr_iter(b'\n', &message[start..]).map(|at| start + at + 1) {
        match &message[line..end] {
            [b'\n'] | [b'\r', b'\n'] => return (line, end),
            [b' ' | b'\t', ..] if passes_for_empty(message, line, end) => return (line, end),
            text if is_end(text) => return (line, line),
            _ => line = end,
        }
    }
    // The last line may lack its end.
    if is_end(&message[line..]) { (line, line) } else { (message.len(), message.len()) }
}

/// Whether a line that begins with white space ends a header.
fn ends_header(message: &[u8], line: usize, end: usize) -> bool {
    matches!(&message[line..end], b"\n" | b"\r\n") || passes_for_empty(message, line, end)
}

/// Whether a line of blanks ends a header. By the standard it goes on the field above it; but where neither a field nor
/// more of one follows, its writer meant an empty line, and readers take it for one.
fn passes_for_empty(message: &[u8], line: usize, end: usize) -> bool {
    if !message[line..end].iter().all(u8::is_ascii_whitespace) {
        return false;
    }
    let rest = &message[end..];
    let next = &rest[..memchr(b'\n', rest).map_or(rest.len(), |length| length + 1)];
    match next {
        [] | [b' ' | b'\t' | b'\r' | b'\n', ..] => false,
        // A delimiter can look like a field.
        [b'-', b'-', ..] => true,
        _ => name_of(next).is_none() && !next.starts_with(b"From ") && !next.starts_with(b">From "),
    }
}

/// The fields of a header in their order. Lines that are neither a field nor the rest of one are skipped.
pub(crate) fn fields(message: &[u8], header: Range<usize>) -> impl Iterator<Item = Field> {
    let mut at = header.start;
    std::iter::from_fn(move || {
        while at < header.end {
            let start = at;
            loop {
                at = memchr(b'\n', &message[at..header.end]).map_or(header.end, |length| at + length + 1);
                if at == header.end || !matches!(message[at], b' ' | b'\t') {
                    break;
                }
            }
            if let Some(name) = name_of(&message[start..at]) {
                let colon = start + memchr(b':', &message[start..at]).unwrap_or(0);
                return Some(Field { name: start..start + name.len(), value: colon + 1..at });
            }
        }
        None
    })
}

/// The name that a line begins with, if it begins a field. Older messages have blanks before the colon.
fn name_of(line: &[u8]) -> Option<&[u8]> {
    let name = line[..memchr(b':', line)?].trim_ascii_end();
    (!name.is_empty() && name.iter().all(u8::is_ascii_graphic)).then_some(name)
}

/// A header, seen in one pass over 64 bytes at a time.
pub(crate) struct Glance {
    /// Where the body begins; `None` if no empty line ends the header.
    pub(crate) body: Option<usize>,
    /// It may hold an encoded word.
    pub(crate) has_words: bool,
    /// It has a line of blanks, which may pass for an empty one.
    pub(crate) has_blank_line: bool,
}

/// Looks over the header that a text begins with, and tells of each line that begins with a `C`, as the fields do that say
/// something of the body. It ends at an empty line, and if `is_whole` also at one that [passes for empty](passes_for_empty),
/// for which the line after it must be there.
///
/// Every message's header is looked over, for its `Content-Length` and for what its body needs. Line by line that took
/// 3,500 instructions for a header of 1 KB; this takes 400 (2026-11).
pub(crate) fn glance(text: &[u8], backend: Backend, is_whole: bool, mut field: impl FnMut(usize)) -> Glance {
    // What the block before ends with: a line, as it were, and no `=`.
    let (mut after_newline, mut after_equals) = (1, 0);
    let (mut has_words, mut has_blank_line) = (false, false);
    for at in (0..text.len()).step_by(WIDTH) {
        let question = HeaderMarks { after_newline, after_equals };
        // Taken apart at once: words that were just written one by one are slow to copy as a whole.
        let Marks { mut ends, words, mut fields, newline, equals } = match text[at..].first_chunk() {
            Some(block) => backend.look(block, question),
            None => {
                let mut block = [0; WIDTH];
                block[..text.len() - at].copy_from_slice(&text[at..]);
                backend.look(&block, question)
            }
        };
        let (mut body, mut within) = (None, u64::MAX);
        while ends != 0 && body.is_none() {
            let bit = ends.trailing_zeros();
            let line = at + bit as usize;
            match text[line..] {
                [b'\n', ..] => body = Some(line + 1),
                [b'\r', b'\n', ..] => body = Some(line + 2),
                [b' ' | b'\t', ..] => {
                    let end = blank_line(text, line);
                    has_blank_line |= end.is_some();
                    body = end.filter(|&end| is_whole && passes_for_empty(text, line, end));
                }
                _ => {}
            }
            if body.is_some() {
                within = (1 << bit) - 1;
            }
            ends &= ends - 1;
        }
        has_words |= words & within != 0;
        fields &= within;
        while fields != 0 {
            field(at + fields.trailing_zeros() as usize);
            fields &= fields - 1;
        }
        if body.is_some() {
            return Glance { body, has_words, has_blank_line };
        }
        (after_newline, after_equals) = (newline, equals);
    }
    Glance { body: None, has_words, has_blank_line }
}

/// The end of a line, if there is nothing but blanks on it.
fn blank_line(text: &[u8], line: usize) -> Option<usize> {
    let length = text[line..].iter().position(|byte| !matches!(byte, b' ' | b'\t' | b'\r'))?;
    (text[line + length] == b'\n').then_some(line + length + 1)
}

/// What [`glance`] wants to know of a block, a bit for each byte.
struct Marks {
    /// A line begins that may be empty, or have nothing but blanks on it.
    ends: u64,
    /// The second byte of what begins an encoded word.
    words: u64,
    /// A line begins with a `C`.
    fields: u64,
    /// The block ends with a line: 1.
    newline: u64,
    /// It ends with a `=`: 1.
    equals: u64,
}

/// Asks for the marks of a block, after one that ends so.
struct HeaderMarks {
    after_newline: u64,
    after_equals: u64,
}

impl Look for HeaderMarks {
    type Answer = Marks;

    #[inline(always)]
    fn answer(self, lanes: Lanes) -> Marks {
        let Lanes { equals, query, newline, carriage, blank, letter_c, .. } = lanes;
        let starts = newline << 1 | self.after_newline;
        // Most lines that begin with a blank show what they are by their second byte; of the last that is not seen.
        let is_blank_next = (newline | carriage | blank) >> 1 | 1 << 63;
        Marks {
            ends: starts & (newline | carriage | blank & is_blank_next),
            words: (equals << 1 | self.after_equals) & query,
            fields: starts & letter_c,
            newline: newline >> 63,
            equals: equals >> 63,
        }
    }
}

/// Where the body of a message begins that can be read as it lies, header and body: no transfer encoding, no charset
/// that hides ASCII, no soft lines, no parts, no encoded words. `None` if it must be taken apart, or may have to.
///
/// Most messages of old archives are of this kind, and this is all that is done to them.
pub(crate) fn plain_body(message: &[u8], backend: Backend) -> Option<usize> {
    let mut is_harmless = true;
    let glance = glance(message, backend, true, |at| is_harmless &= self::is_harmless(message, at));
    (is_harmless && !glance.has_words).then(|| glance.body.unwrap_or(message.len()))
}

/// The field that begins at a line, with its folded lines.
fn field_from(message: &[u8], at: usize) -> &[u8] {
    let is_last = |&end: &usize| !matches!(message.get(at + end + 1), Some(b' ' | b'\t'));
    let length = memchr_iter(b'\n', &message[at..]).find(is_last);
    &message[at..length.map_or(message.len(), |length| at + length + 1)]
}

fn starts_with(text: &[u8], word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the field that begins at a line says nothing of how the body is encoded, or that there is nothing to do. What
/// is written in any but the usual way is not harmless.
pub(crate) fn is_harmless(message: &[u8], at: usize) -> bool {
    if !starts_with(&message[at..], "content-t") {
        return true;
    }
    let field = field_from(message, at);
    // It is near: no case for `memchr`.
    let Some(colon) = field.iter().position(|&byte| byte == b':') else { return true };
    let (name, value) = (field[..colon].trim_ascii_end(), field[colon + 1..].trim_ascii());
    if name.eq_ignore_ascii_case(b"content-transfer-encoding") {
        return [&b"7bit"[..], b"8bit", b"binary"].iter().any(|known| value.eq_ignore_ascii_case(known));
    }
    if !name.eq_ignore_ascii_case(b"content-type") {
        return true;
    }
    // `text` is what RFC 822 messages say of themselves, long before MIME.
    if [&b"text/plain"[..], b"text"].iter().any(|known| value.eq_ignore_ascii_case(known)) {
        return true;
    }
    if !starts_with(value, "text/plain") {
        return false;
    }
    let mut parameters = value["text/plain".len()..].split(|&byte| byte == b';');
    parameters.next().is_some_and(|rest| rest.trim_ascii().is_empty())
        && parameters.all(|parameter| {
            let parameter = parameter.trim_ascii();
            let Some(equals) = memchr(b'=', parameter) else { return parameter.is_empty() };
            let (name, value) = (parameter[..equals].trim_ascii_end(), parameter[equals + 1..].trim_ascii());
            let value = value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
            if name.eq_ignore_ascii_case(b"charset") {
                Charset::from_label(value).is_transparent()
            } else {
                // `charset*=` (RFC 2231), and comments with anything in them
                !name.eq_ignore_ascii_case(b"format")
                    && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                    && memchr(b'(', value).is_none()
            }
        })
}

/// The value of a field with its encoded words undone; `None` if it has none.
///
/// Blanks and line breaks between two of them are dropped (section 6.2), all else stays as it is. Words are taken inside
/// quotes and in any field, against the letter of the standard, as readers do; and with blanks inside, which sloppy
/// writers leave. A word never holds the start of another, which keeps this linear.
pub(crate) fn decode_words(value: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(value.len());
    let (mut at, mut copied, mut last_was_word) = (0, 0, false);
    // In `=?=` it is the padding of base64, and the end of a word.
    let mut starts = memmem::find_iter(value, b"=?").filter(|start| value.get(start + 2) != Some(&b'=')).peekable();
    while let Some(start) = starts.next() {
        if start < at {
            continue;
        }
        // The `=` of the next start can be the last byte of this word.
        let end = starts.peek().map_or(value.len(), |next| next + 1);
        let Some((word, length)) = decode_word(&value[start + 2..end]) else { continue };
        let between = &value[copied..start];
        if !last_was_word || !between.iter().all(u8::is_ascii_whitespace) {
            text.extend_from_slice(between);
        }
        text.extend_from_slice(&word);
        at = start + 2 + length;
        copied = at;
        last_was_word = true;
    }
    text.extend_from_slice(&value[copied..]);
    (copied > 0).then_some(text)
}

/// Decodes `charset?encoding?data?=`; also says how long it is.
fn decode_word(word: &[u8]) -> Option<(Vec<u8>, usize)> {
    let charset = memchr(b'?', word)?;
    let encoding = *word.get(charset + 1)?;
    if word.get(charset + 2) != Some(&b'?') || memchr(b'\n', &word[..charset]).is_some() {
        return None;
    }
    let data = charset + 3;
    let length = data + memmem::find(&word[data..], b"?=")? + 2;
    let encoded = &word[data..length];
    let bytes = match encoding {
        b'q' | b'Q' => MessageStream::new(encoded).decode_quoted_printable_word()?,
        b'b' | b'B' => MessageStream::new(encoded).decode_base64_word()?,
        _ => return None,
    };
    // `utf-8*en` names a language as well (RFC 2231 section 5).
    let label = word[..charset].split(|&byte| byte == b'*').next().unwrap_or_default();
    Some((Charset::from_label(label).decode(&bytes).text.into_owned(), length))
}

/// What tells the message from others, of the header that ends at `end`.
pub(crate) fn envelope(message: &[u8], end: usize) -> Envelope {
    let mut envelope = Envelope::default();
    for field in fields(message, 0..end) {
        let value = &message[field.value.clone()];
        // The first field of a name counts.
        let put = |slot: &mut Option<String>, text: &dyn Fn(&[u8]) -> Option<String>| {
            if slot.is_none() {
                *slot = text(&value[..value.len().min(LONGEST_FIELD)]).filter(|text| !text.is_empty());
            }
        };
        let is = |name: &str| field.is(message, name);
        match field.name.len() {
            10 if is("message-id") => put(&mut envelope.id, &|value| {
                let id = text_of(value);
                Some(id.strip_prefix('<').and_then(|id| id.split('>').next()).unwrap_or(&id).to_string())
            }),
            4 if is("date") => put(&mut envelope.date, &date),
            4 if is("from") => put(&mut envelope.from, &|value| from(value).or_else(|| Some(text_of(value)))),
            7 if is("subject") => put(&mut envelope.subject, &|value| Some(text_of(value))),
            10 if is("newsgroups") => put(&mut envelope.newsgroups, &|value| Some(text_of(value))),
            _ => {}
        }
    }
    envelope
}

/// A value as one line of text, with its encoded words undone.
fn text_of(value: &[u8]) -> String {
    let trimmed = value.trim_ascii();
    if trimmed.iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'?')
        && let Ok(text) = str::from_utf8(trimmed)
    {
        // Most values: one line, and no encoded word.
        return text.to_string();
    }
    let decoded = decode_words(value);
    let text = String::from_utf8_lossy(decoded.as_deref().unwrap_or(value));
    // A folded line is unfolded by taking out the line break; what tabs and blanks it is indented by says nothing.
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// The parser's fields end with their line.
fn line_of(value: &[u8]) -> Vec<u8> {
    [value, b"\n"].concat()
}

/// The day of the date that [`envelope`] gives for the header that a message begins with.
pub(crate) fn day(message: &[u8]) -> Option<(u16, u8, u8)> {
    // Every message with a URL is asked, and its date is one field in twenty: the others are passed over by their first
    // letter.
    let mut start = 0;
    loop {
        let end = start + memchr(b'\n', &message[start..]).map_or(message.len() - start, |length| length + 1);
        match message[start..end].first()? {
            b'D' | b'd' => {
                let field = fields(message, start..message.len()).next();
                let field = field.filter(|field| field.name.start == start && field.is(message, "date"));
                if let Some(value) = field.map(|field| &message[field.value])
                    && let Some(day) = plain_day(value).or_else(|| parsed_date(value).map(|(date, _)| day_of(&date)))
                {
                    return Some(day);
                }
            }
            b'\n' | b'\r' | b' ' | b'\t' if ends_header(message, start, end) => return None,
            _ => {}
        }
        start = end;
    }
}

fn day_of(date: &DateTime) -> (u16, u8, u8) {
    (date.year, date.month, date.day)
}

/// The day of a date as nearly all are written: `Sat, 5 Oct 2002 23:56:00 -0700`, `5 Oct 94 23:56 GMT`. It takes a tenth of
/// what the parser does, which is asked where anything is out of the ordinary.
fn plain_day(value: &[u8]) -> Option<(u16, u8, u8)> {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    const ZONES: &[u8] = b"GMTESTEDTCSTCDTMSTMDTPSTPDT";
    let value = value.trim_ascii();
    let value = value.split_once_str(", ").filter(|(name, _)| name.len() == 3).map_or(value, |(_, rest)| rest);
    let mut words = value.splitn(6, |&byte| byte == b' ');
    let mut word = || words.next();
    let (day, month, year, time, zone, comment) = (word()?, word()?, word()?, word()?, word()?, word());
    let month = MONTHS.chunks(3).position(|name| name == month)? as u8 + 1;
    let year = match number(year)? {
        years @ 70..=99 => 1900 + years,
        year @ 1970..=9999 => year,
        _ => return None,
    };
    let (hour, minute, second) = match *time {
        [h, i, b':', m, n] => (number(&[h, i])?, number(&[m, n])?, 0),
        [h, i, b':', m, n, b':', s, t] => (number(&[h, i])?, number(&[m, n])?, number(&[s, t])?),
        _ => return None,
    };
    let is_zone = match zone {
        [b'+' | b'-', digits @ ..] => {
            number(digits).is_some_and(|zone| digits.len() == 4 && zone < 1000 && zone % 100 < 60)
        }
        name => ZONES.chunks(3).any(|zone| zone == name),
    };
    let day = number(day).filter(|day| (1..=28).contains(day))? as u8;
    let is_plain = hour < 24 && minute < 60 && second < 60 && comment.is_none_or(|comment| comment.starts_with(b"("));
    (is_zone && is_plain).then_some((year, month, day))
}

/// A number of one to four digits.
fn number(digits: &[u8]) -> Option<u16> {
    let is_number = (1..=4).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |number, digit| 10 * number + u16::from(digit - b'0')))
}

/// A date as ISO 8601 writes it. A date without a zone is given without one.
fn date(value: &[u8]) -> Option<String> {
    let (date, has_zone) = parsed_date(value)?;
    let text = iso(&date);
    Some(if has_zone { text } else { text.trim_end_matches('Z').to_string() })
}

/// A date, and whether it names a zone. The parser wants seconds and a zone, which older messages leave out.
fn parsed_date(value: &[u8]) -> Option<(DateTime, bool)> {
    let value = value[..value.len().min(LONGEST_FIELD)].trim_ascii_end();
    let mut line = Vec::with_capacity(value.len() + ":00 +0000\n".len());
    line.extend_from_slice(value);
    if let (Some(colon), 1) = (memchr(b':', value), memchr_iter(b':', value).count()) {
        let minutes = value[colon + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        line.splice(colon + 1 + minutes..colon + 1 + minutes, *b":00");
    }
    let parse = |line: &[u8]| match MessageStream::new(line).parse_date() {
        HeaderValue::DateTime(date) if date.is_valid() => Some(date),
        _ => None,
    };
    line.push(b'\n');
    if let Some(date) = parse(&line) {
        return Some((date, true));
    }
    line.truncate(line.len() - 1);
    line.extend_from_slice(b" +0000\n");
    parse(&line).map(|date| (date, false))
}

/// As [`DateTime::to_rfc3339`], at a tenth of its cost: every message with a URL has a date.
fn iso(date: &DateTime) -> String {
    let mut text = String::with_capacity("2002-10-05T23:56:00-07:00".len());
    let mut put = |number: u16, digits: u32, end: &str| {
        let digits = (0..digits).rev().map(|power| char::from(b'0' + (number / 10u16.pow(power) % 10) as u8));
        text.extend(digits);
        text.push_str(end);
    };
    let is_greenwich = date.tz_hour == 0 && date.tz_minute == 0;
    let zone = match date.tz_before_gmt {
        _ if is_greenwich => "Z",
        true => "-",
        false => "+",
    };
    put(date.year, 4, "-");
    put(date.month.into(), 2, "-");
    put(date.day.into(), 2, "T");
    put(date.hour.into(), 2, ":");
    put(date.minute.into(), 2, ":");
    put(date.second.into(), 2, zone);
    if !is_greenwich {
        put(date.tz_hour.into(), 2, ":");
        put(date.tz_minute.into(), 2, "");
    }
    text
}

/// `Name <address>`, or an address alone, where there is nothing that a parser is needed for: two senders in three.
fn plain_sender(value: &[u8]) -> Option<&str> {
    let value = value.trim_ascii();
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" .-_@+<>".contains(byte);
    if !value.iter().all(is_plain) || memmem::find(value, b"  ").is_some() {
        return None;
    }
    let address = match value.split_once_str(" <") {
        Some((name, rest)) => {
            let address = rest.strip_suffix(b">")?;
            if name.is_empty() || name.iter().any(|byte| b"@<>".contains(byte)) { return None } else { address }
        }
        None => value,
    };
    let is_address = memchr_iter(b'@', address).count() == 1 && !address.iter().any(|byte| b" <>".contains(byte));
    if is_address { str::from_utf8(value).ok() } else { None }
}

fn from(value: &[u8]) -> Option<String> {
    if let Some(sender) = plain_sender(value) {
        return Some(sender.to_string());
    }
    parsed_sender(value)
}

fn parsed_sender(value: &[u8]) -> Option<String> {
    // Outlook writes `Jo Doe [mailto:jo@h.example]` into what it quotes.
    if let Some(start) = memmem::find(value, b"[mailto:")
        && let Some(address) = value[start + b"[mailto:".len()..].trim_ascii_end().strip_suffix(b"]")
    {
        let (name, address) = (text_of(&value[..start]), text_of(address));
        let name = name.trim_matches(|letter: char| letter == '"' || letter.is_whitespace());
        let is_named = !name.is_empty() && name != address;
        return Some(if is_named { format!("{name} <{address}>") } else { address });
    }
    let line = line_of(value);
    let HeaderValue::Address(addresses) = MessageStream::new(&line).parse_address() else { return None };
    let first = match &addresses {
        Address::List(list) => list.first(),
        Address::Group(groups) => groups.iter().find_map(|group| group.addresses.first()),
    }?;
    match (first.name(), first.address()) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (name, address) => name.or(address).map(str::to_string),
    }
}

/// The parsed value of a Content-Type or Content-Disposition.
pub(crate) fn content_type(value: &[u8]) -> Option<ContentType<'static>> {
    let line = line_of(&value[..value.len().min(LONGEST_FIELD)]);
    MessageStream::new(&line).parse_content_type().into_owned().into_content_type()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by every backend.
    fn plain_body(message: &[u8]) -> Option<usize> {
        let mut bodies = Backend::all().map(|backend| super::plain_body(message, backend));
        let first = bodies.next().unwrap();
        assert!(bodies.all(|body| body == first), "{:?}", message.escape_ascii());
        first
    }

    #[test]
    fn most_messages_are_plain() {
        for header in [
            "",
            "Subject: hi\n",
            "Subject: hi\n folded: x\n",
            "Content-Type: text/plain\n",
            "Content-Type: Text\n",
            "content-type:TEXT/PLAIN;charset=us-ascii\n",
            "Content-Type: text/plain; charset=\"iso-8859-1\"\n",
            "Content-Type: text/plain;\n\tcharset=utf-8; name=x\n",
            "Content-Type: text/plain;\n\tcharset=windows-1252;\n",
            "Content-Transfer-Encoding: 7bit\n",
            "Content-Transfer-Encoding: 8BIT \n",
            "Content-Transfer-Encoding: binary\n",
            "Content-Length: 7\nContent-Translation-Type: x\n",
        ] {
            for message in
                [format!("{header}\nbody =?"), format!("{header}X: y\n\n"), format!("X: y\n{header}\nContent-Type: x")]
            {
                let body = message.find("\n\n").map_or(1, |at| at + 2);
                assert_eq!(plain_body(message.as_bytes()), Some(body), "{message:?}");
                let message = message.replace('\n', "\r\n");
                let body = message.find("\r\n\r\n").map_or(2, |at| at + 4);
                assert_eq!(plain_body(message.as_bytes()), Some(body), "{message:?}");
            }
            assert_eq!(plain_body(header.as_bytes()), Some(header.len()));
        }
    }

    #[test]
    fn a_line_of_blanks_ends_a_header_where_no_field_follows() {
        for (header, body) in [
            ("A: b\n \n", "Good day,\n\nx"),
            ("A: b\n\t \n", "--=_1:2\nC: d\n\nx"),
            ("A: b\n \n", "x"),
            ("Content-Type: text/plain;\n \n", "Good day"),
            (" \n", "Good day"),
            ("A: b\n \nC: d\n\n", "x"),
            ("A: b\n \n c\n\n", "x"),
            ("A: b\n \n\n", "x"),
            ("A: b\n \n \n", "x"),
            ("A: b\n \n", ""),
            ("A: b\n c\nno field\n\n", "x"),
        ] {
            for (header, body) in
                [(header.to_string(), body.to_string()), (header.replace('\n', "\r\n"), body.replace('\n', "\r\n"))]
            {
                let message = format!("{header}{body}");
                assert_eq!(extent(message.as_bytes(), 0, |_| false).1, header.len(), "{message:?}");
                assert_eq!(plain_body(message.as_bytes()), Some(header.len()), "{message:?}");
            }
        }
    }

    #[test]
    fn others_are_not() {
        for header in [
            "Subject: =?utf-8?q?hi?=\n",
            "Content-Type: text/html\n",
            "Content-Type: text; charset=utf-16\n",
            "Content-Type:\n",
            "Content-Type: text/plain charset=us-ascii\n",
            "Content-Type: text/plainer\n",
            "Content-Type: text/plain; format=flowed\n",
            "Content-Type: text/plain;\n\tFormat=\"flowed\"\n",
            "Content-Type: text/plain; charset=iso-2022-jp\n",
            "Content-Type: text/plain; charset=klingon\n",
            "Content-Type: text/plain; charset*=utf-16\n",
            "Content-Type: text/plain; charset=(x)utf-8\n",
            "Content-Type: text/plain; a b c\n",
            "Content-Type: multipart/mixed; boundary=b\n",
            "Content-Transfer-Encoding: base64\n",
            "content-transfer-encoding :\n quoted-printable\n",
            "Content-Transfer-Encoding: x-uuencode\n",
        ] {
            for message in
                [format!("{header}\nbody"), format!("X: y\n{header}Y: z\n"), format!("X: y\n{}", header.trim_end())]
            {
                assert_eq!(plain_body(message.as_bytes()), None, "{message:?}");
                assert_eq!(plain_body(message.replace('\n', "\r\n").as_bytes()), None, "{message:?}");
            }
        }
    }

    #[test]
    fn words() {
        for (value, text) in [
            ("=?utf-8?q?http=3A//h/?=", "http://h/"),
            ("=?UTF-8?B?aHR0cDovL2gv?=", "http://h/"),
            ("a =?utf-8?q?b?= c", "a b c"),
            ("=?utf-8?q?http://h/a?=\n =?utf-8?q?b?= c", "http://h/ab c"),
            ("=?utf-8?q?a?==?utf-8?q?b?=", "ab"),
            ("=?utf-8?q?a_b=5F?=", "a b_"),
            ("=?iso-8859-1*fr?q?caf=E9?=", "café"),
            ("=?iso-2022-jp?b?GyRCJU8bKEI=?= x", "ハ x"),
            ("=?utf-8?q?Is it so? Yes?= x", "Is it so? Yes x"),
            ("=? =?utf-8?q?a?= =?", "=? a =?"),
            ("=?x =?utf-8?q??=!", "=?x !"),
            ("\"=?utf-8?q?a?=\" <=?b>", "\"a\" <=?b>"),
        ] {
            let decoded = decode_words(value.as_bytes()).map(|text| String::from_utf8_lossy(&text).into_owned());
            assert_eq!(decoded.as_deref(), Some(text), "{value}");
        }
        for value in
            ["", "=?", "=?=", "=?=?=", "=?utf-8?q?a", "=?utf-8?x?a?=", "=?utf-8?q?=zz?=", "http://h/?a=?b", "=??="]
        {
            assert_eq!(decode_words(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn fields_and_their_names() {
        let header = "Subject: a\n b\nX-URL : http://h/\nno field\nReferences:\n\t<a>\n\t<b>\n: empty\n";
        let names: Vec<_> = fields(header.as_bytes(), 0..header.len())
            .map(|field| (&header[field.name.clone()], &header[field.value.clone()]))
            .collect();
        let references = ("References", "\n\t<a>\n\t<b>\n");
        assert_eq!(names, [("Subject", " a\n b\n"), ("X-URL", " http://h/\n"), references]);
    }

    /// Line by line, and byte by byte.
    fn naive(text: &[u8], is_whole: bool) -> (Option<usize>, bool, Vec<usize>) {
        let (mut at, mut fields) = (0, Vec::new());
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let passes = is_whole && line.ends_with(b"\n") && matches!(line[0], b' ' | b'\t');
            if matches!(line, b"\n" | b"\r\n") || passes && passes_for_empty(text, at, at + line.len()) {
                return (Some(at + line.len()), memmem::find(&text[..at], b"=?").is_some(), fields);
            }
            if matches!(line[0], b'C' | b'c') {
                fields.push(at);
            }
            at += line.len();
        }
        (None, memmem::find(text, b"=?").is_some(), fields)
    }

    #[test]
    fn a_glance_sees_what_a_look_at_every_line_does() {
        let mut rng = fastrand::Rng::with_seed(822);
        for round in 0..20_000 {
            let pieces: &[&str] = match round % 3 {
                0 => &[
                    "Content-Type: x\n",
                    "Subject: abc\n",
                    " \n",
                    "\t\r\n",
                    "\n",
                    "\r",
                    "=",
                    "?",
                    "c",
                    "C\n",
                    "\r\n",
                    " folded\n",
                ],
                1 => &["x", "=", "?", "\nc", "\r\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
                _ => &["X-Long: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", "content-length: 1\r\n", "=?", "\r\r"],
            };
            let count = rng.usize(..30);
            let text: String = (0..count).map(|_| *rng.choice(pieces).unwrap()).collect();
            let is_whole = rng.bool();
            for backend in Backend::all() {
                let mut fields = Vec::new();
                let glance = glance(text.as_bytes(), backend, is_whole, |at| fields.push(at));
                let found = (glance.body, glance.has_words, fields);
                assert_eq!(found, naive(text.as_bytes(), is_whole), "{backend} {text:?}");
            }
        }
    }

    /// Where no parser is asked, it would have said the same.
    #[test]
    fn plain_senders_and_dates_are_what_the_parser_makes_of_them() {
        let mut rng = fastrand::Rng::with_seed(5322);
        let words =
            ["Jo", "J.", "van", "O-Neil", "x_y", "<", ">", "@", "jo@h", "<jo@h.example>", " ", " ", ".", "9", "@h"];
        let (mut plain, mut dates) = (0, 0);
        for _ in 0..20_000 {
            let value: String = (0..rng.usize(1..6)).map(|_| *rng.choice(&words).unwrap()).collect();
            if let Some(sender) = plain_sender(value.as_bytes()) {
                assert_eq!(parsed_sender(value.as_bytes()).as_deref(), Some(sender), "{value}");
                plain += 1;
            }
            let zones = ["+0000", "-0700", "+0530", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"];
            let text: String = format!(
                "{}{} {} {} {:02}:{:02}{} {}{}",
                rng.choice(["", "Sat, ", "Mon, "]).unwrap(),
                rng.u8(1..32),
                rng.choice(["Jan", "May", "Dec"]).unwrap(),
                if rng.bool() { rng.u16(1970..2039) } else { rng.u16(60..100) },
                rng.u8(0..25),
                rng.u8(0..61),
                rng.choice(["", ":00", ":59", ":60"]).unwrap(),
                rng.choice(zones).unwrap(),
                rng.choice(["", " (x)", " (PDT)"]).unwrap(),
            );
            let parsed = parsed_date(text.as_bytes());
            if let Some((date, _)) = &parsed {
                assert_eq!(iso(date), date.to_rfc3339(), "{text}");
            }
            if let Some(day) = plain_day(text.as_bytes()) {
                assert_eq!(Some(day), parsed.map(|(date, _)| day_of(&date)), "{text}");
                dates += 1;
            }
        }
        assert!(plain > 500 && dates > 10_000, "{plain} {dates}");
    }

    #[test]
    fn envelopes() {
        let message = b"Received: x\nFROM: =?utf-8?q?J=C3=B6?= Doe <jo@h.example>\nsubject: =?utf-8?q?a?=\n  b\n\
            Date: Sat, 5 Oct 2002 23:56:00 -0700\nMessage-ID: <1.2@h.example>\nNewsgroups: comp.a,comp.b\n\
            Subject: second\n\nSubject: body\n";
        let found = envelope(message, extent(message, 0, |_| false).0);
        let text = |text: &str| Some(text.to_string());
        let expected = Envelope {
            id: text("1.2@h.example"),
            date: text("2002-10-05T23:56:00-07:00"),
            from: text("J\u{F6} Doe <jo@h.example>"),
            subject: text("a b"),
            newsgroups: text("comp.a,comp.b"),
        };
        assert_eq!(found, expected);
        assert_eq!(envelope(b"", 0), Envelope::default());
        for (field, expected) in [
            ("From: jo@h.example", "jo@h.example"),
            ("From: jo@h.example (Jo Doe)", "Jo Doe <jo@h.example>"),
            ("From: \"Doe, Jo\" <jo@h>", "Doe, Jo <jo@h>"),
            ("From: Jo", "Jo"),
            ("From: a@h, b@h", "a@h"),
            ("From: Jo Doe [mailto:jo@h.example]", "Jo Doe <jo@h.example>"),
            ("From: \"Doe, Jo\" [mailto:jo@h.example]\n", "Doe, Jo <jo@h.example>"),
            ("From: jo@h.example [mailto:jo@h.example]\r\n", "jo@h.example"),
            ("From: [mailto:jo@h.example]", "jo@h.example"),
        ] {
            assert_eq!(envelope(field.as_bytes(), field.len()).from.as_deref(), Some(expected), "{field}");
        }
        for header in
            ["dATE: x\nDATE : 5 Oct 02 23:56 GMT\nDate: 6 Oct 02 00:00 GMT\n", "Dates: 1\nA: b\n Date: x\n", "D\n"]
        {
            let message = format!("{header}\nDate: 7 Oct 02 00:00 GMT\n");
            let found = envelope(message.as_bytes(), header.len());
            assert_eq!(day(message.as_bytes()), found.day(), "{header:?}");
        }
        assert_eq!(day(b"Date: Sat, 5 Oct 2002 23:56:00\n"), Some((2002, 10, 5)));
        for (field, expected) in [
            ("Date: 5 Oct 02 23:56 GMT", "2002-10-05T23:56:00Z"),
            ("Date: Wed, 5 Oct 94 23:56:00 PDT\n", "1994-10-05T23:56:00-07:00"),
            ("Date: 5 Oct 94 23:56 EST", "1994-10-05T23:56:00-05:00"),
            ("Date: Sat, 5 Oct 2002 23:56:00", "2002-10-05T23:56:00"),
        ] {
            assert_eq!(envelope(field.as_bytes(), field.len()).date.as_deref(), Some(expected), "{field}");
        }
        for field in
            ["Date: yesterday", "Date:", "Subject: ", "From:\n", "Message-ID:", "Date: 99 Xyz 2 99:99:99 +9999"]
        {
            assert_eq!(envelope(field.as_bytes(), field.len()), Envelope::default(), "{field}");
        }
    }
}
