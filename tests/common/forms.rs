//! The same messages in the forms in which software keeps them.

use urlgrep::archive::Container;

/// A form: its name, what it is, and how messages are kept in it.
pub(crate) type Form = (&'static str, Container, fn(&[&[u8]]) -> Vec<u8>);

/// The forms that hold many messages in a file, beside those of `carriers`.
pub(crate) const FORMS: &[Form] = &[
    ("Thunderbird", Container::Mbox, |messages| from_lines(messages, "From \r\n", "\n")),
    ("Thunderbird, trimmed", Container::Mbox, |messages| from_lines(messages, "From\n", "\n")),
    ("Thunderbird, year first", Container::Mbox, |messages| {
        from_lines(messages, "From - Sat Apr 12 2025 15:59:28\r\n", "\r\n")
    }),
    ("no empty line", Container::Mbox, |messages| {
        from_lines(messages, "From joe@carriers.example Sat Sep 21 12:00:00 1996\n", "")
    }),
    ("bare, no empty line", Container::Mbox, |messages| from_lines(messages, "From \n", "")),
];

/// Each after a line, with marks before lines that are none, and with an end.
fn from_lines(messages: &[&[u8]], separator: &str, end: &str) -> Vec<u8> {
    let mut mbox = Vec::new();
    for message in messages {
        mbox.extend_from_slice(separator.as_bytes());
        for line in message.split_inclusive(|&byte| byte == b'\n') {
            if line.starts_with(b"From ") {
                mbox.push(b'>');
            }
            mbox.extend_from_slice(line);
        }
        end_line(&mut mbox);
        mbox.extend_from_slice(end.as_bytes());
    }
    mbox
}

fn end_line(text: &mut Vec<u8>) {
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
}
