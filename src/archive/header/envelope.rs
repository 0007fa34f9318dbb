//! The envelope: the fields that identify a message.

use bstr::ByteSlice;
use mail_parser::parsers::MessageStream;
use mail_parser::{Address, HeaderValue};
use memchr::{memchr_iter, memmem};

use crate::archive::header::date::date;
use crate::archive::header::words::text_of;
use crate::archive::header::{LONGEST_FIELD, extent, fields, line_of};
use crate::archive::message::Envelope;

/// The maximum length of a field in an envelope. Each record of the message repeats the envelope.
const FIELD_BYTES: usize = 1024;

/// The maximum number of recipients.
#[cfg(feature = "audit")]
const MOST_RECIPIENTS: usize = 8;

/// Returns the recipients in a message's header, at most eight. Returns none for a message of a
/// mailing list, because it is for all readers of the list.
#[cfg(feature = "audit")]
pub(crate) fn recipients(message: &[u8]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let (end, _) = extent(message, 0, |_| false);
    for field in fields(message, 0..end) {
        let is = |name: &str| field.is(message, name);
        // These fields may follow the recipients, so recipients found before are dropped.
        if is("list-id") || is("list-post") || is("mailing-list") {
            return Vec::new();
        }
        if !(is("to") || is("delivered-to") || is("x-original-to") || is("envelope-to")) {
            continue;
        }
        let value = &message[field.value.clone()];
        for at in memchr_iter(b'@', &value[..value.len().min(LONGEST_FIELD)]) {
            let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b".-_+".contains(byte);
            let start = at - value[..at].iter().rev().take_while(is_part).count();
            let end = at + 1 + value[at + 1..].iter().take_while(is_part).count();
            let address = value[start..end].to_str_lossy().trim_end_matches('.').to_lowercase();
            if start < at && at + 1 < end && found.len() < MOST_RECIPIENTS && !found.contains(&address) {
                found.push(address);
            }
        }
    }
    found
}

/// Reads the fields that identify a message. Nothing is cached, because most messages never need
/// them.
pub(crate) fn envelope(message: &[u8]) -> Envelope {
    let mut envelope = Envelope::default();
    let (end, _) = extent(message, 0, |_| false);
    for field in fields(message, 0..end) {
        let value = &message[field.value.clone()];
        // The first field of a name applies.
        let put = |slot: &mut Option<String>, text: &dyn Fn(&[u8]) -> Option<String>| {
            if slot.is_none() {
                let text = text(&value[..value.len().min(LONGEST_FIELD)]).filter(|text| !text.is_empty());
                *slot = text.and_then(short);
            }
        };
        let is = |name: &str| field.is(message, name);
        match field.name.len() {
            10 if is("message-id") => put(&mut envelope.id, &|value| {
                let id = text_of(value);
                Some(id.strip_prefix('<').and_then(|id| id.split('>').next()).unwrap_or(&id).to_string())
            }),
            4 if is("date") => put(&mut envelope.date, &date),
            4 if is("from") => put(&mut envelope.from, &|value| {
                let plain = plain_sender(value).map(str::to_string);
                plain.or_else(|| parsed_sender(value)).or_else(|| Some(text_of(value)))
            }),
            7 if is("subject") => put(&mut envelope.subject, &|value| Some(text_of(value))),
            16 if is("content-language") => put(&mut envelope.language, &|value| Some(text_of(value))),
            10 if is("newsgroups") => put(&mut envelope.newsgroups, &|value| Some(text_of(value))),
            _ => {}
        }
    }
    envelope
}

/// Truncates an overlong field at the end of a word. Returns `None` if its first word is too long.
///
/// A truncated word could be a URL cut within its password, and then nothing would mask the
/// password.
pub(crate) fn short(mut text: String) -> Option<String> {
    if text.len() > FIELD_BYTES {
        let end = text.as_bytes()[..=FIELD_BYTES].iter().rposition(u8::is_ascii_whitespace)?;
        text.truncate(end);
    }
    Some(text)
}

/// Returns a sender that needs no parser: `Name <address>`, or only an address. Two thirds of all
/// senders have these forms.
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

fn parsed_sender(value: &[u8]) -> Option<String> {
    // Outlook writes `Jo Doe [mailto:jo@h.example]` into the messages that it quotes.
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
    // The parser reads the colons of a URL as a group. It would make an address of
    // `ftp://jo:password@h`, in which nothing recognises a password.
    if matches!(addresses, Address::Group(_)) && holds_url(&line) {
        return None;
    }
    let first = match &addresses {
        Address::List(list) => list.first(),
        Address::Group(groups) => groups.iter().find_map(|group| group.addresses.first()),
    }?;
    match (first.name(), first.address()) {
        (Some(name), Some(address)) => Some(format!("{name} <{address}>")),
        (name, address) => name.or(address).map(str::to_string),
    }
}

/// Returns whether a word has two colons, or one before `//`.
fn holds_url(line: &[u8]) -> bool {
    let mut words = line.split(|byte| byte.is_ascii_whitespace());
    words.any(|word| memchr_iter(b':', word).nth(1).is_some() || memmem::find(word, b"://").is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::header::date::day;
    use crate::archive::support::shuffled;

    /// Checks that the short cut for plain senders returns the same as the parser.
    #[test]
    fn plain_senders_are_what_the_parser_makes_of_them() {
        let mut rng = fastrand::Rng::with_seed(5322);
        let words =
            ["Jo", "J.", "van", "O-Neil", "x_y", "<", ">", "@", "jo@h", "<jo@h.example>", " ", " ", ".", "9", "@h"];
        let mut plain = 0;
        for _ in 0..20_000 {
            let value = shuffled(&mut rng, &words, 6);
            if let Some(sender) = plain_sender(&value) {
                assert_eq!(parsed_sender(&value).as_deref(), Some(sender));
                plain += 1;
            }
        }
        assert!(plain > 500, "{plain}");
    }

    #[test]
    fn envelopes() {
        let message = b"Received: x\nFROM: =?utf-8?q?J=C3=B6?= Doe <jo@h.example>\nsubject: =?utf-8?q?a?=\n  b\n\
            Date: Sat, 5 Oct 2002 23:56:00 -0700\nMessage-ID: <1.2@h.example>\nNewsgroups: comp.a,comp.b\n\
            Content-Language: de\nSubject: second\n\nSubject: body\n";
        let found = envelope(message);
        let text = |text: &str| Some(text.to_string());
        let expected = Envelope {
            id: text("1.2@h.example"),
            date: text("2002-10-05T23:56:00-07:00"),
            from: text("J\u{F6} Doe <jo@h.example>"),
            subject: text("a b"),
            newsgroups: text("comp.a,comp.b"),
            url: None,
            language: text("de"),
        };
        assert_eq!(found, expected);
        assert_eq!(envelope(b""), Envelope::default());
        for before in [FIELD_BYTES - 20, FIELD_BYTES - 1, FIELD_BYTES] {
            let words = "\u{E9} ".repeat(before / 3);
            let header =
                format!("Subject: {words}ftp://joe:secret@h.example/\nMessage-ID: <{}>\n", "a".repeat(before + 9));
            let Envelope { id, subject, .. } = envelope(header.as_bytes());
            assert_eq!(
                (subject.as_deref(), id.is_some()),
                (Some(words.trim_end()), before + 9 <= FIELD_BYTES),
                "{before}"
            );
        }
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
            ("From: mailto:jo@h.example", "jo@h.example"),
            ("From: Team: jo@h.example, ed@h.example;", "jo@h.example"),
            ("From:  ftp://u:secret@h.example/x", "ftp://u:secret@h.example/x"),
            ("From: Jo sip:u:secret@h.example <jo@h.example>", "Jo sip:u:secret@h.example <jo@h.example>"),
        ] {
            assert_eq!(envelope(field.as_bytes()).from.as_deref(), Some(expected), "{field}");
        }
        for header in
            ["dATE: x\nDATE : 5 Oct 02 23:56 GMT\nDate: 6 Oct 02 00:00 GMT\n", "Dates: 1\nA: b\n Date: x\n", "D\n"]
        {
            let message = format!("{header}\nDate: 7 Oct 02 00:00 GMT\n");
            let found = envelope(message.as_bytes());
            assert_eq!(day(message.as_bytes()), found.day(), "{header:?}");
        }
        assert_eq!(day(b"Date: Sat, 5 Oct 2002 23:56:00\n"), Some((2002, 10, 5)));
        for (field, expected) in [
            ("Date: 5 Oct 02 23:56 GMT", "2002-10-05T23:56:00Z"),
            ("Date: Wed, 5 Oct 94 23:56:00 PDT\n", "1994-10-05T23:56:00-07:00"),
            ("Date: 5 Oct 94 23:56 EST", "1994-10-05T23:56:00-05:00"),
            ("Date: Sat, 5 Oct 2002 23:56:00", "2002-10-05T23:56:00"),
        ] {
            assert_eq!(envelope(field.as_bytes()).date.as_deref(), Some(expected), "{field}");
        }
        for field in
            ["Date: yesterday", "Date:", "Subject: ", "From:\n", "Message-ID:", "Date: 99 Xyz 2 99:99:99 +9999"]
        {
            assert_eq!(envelope(field.as_bytes()), Envelope::default(), "{field}");
        }
    }
}
