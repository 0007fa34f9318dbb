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
    ("MMDF", Container::Mmdf, |messages| {
        from_lines(messages, "\x01\x01\x01\x01\nFrom joe@a.example Sat Sep 21 12:00:00 1996\n", "\x01\x01\x01\x01\n")
    }),
    ("MMDF without separators", Container::Mmdf, |messages| {
        from_lines(messages, "\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n")
    }),
    ("Babyl", Container::Babyl, babyl),
    ("mdbox", Container::Dbox, |messages| {
        [b"2 M1e C5e0f2a3b\n".to_vec(), messages.iter().flat_map(|message| in_dbox(message)).collect()].concat()
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

/// As Rmail keeps what nobody has looked at.
fn babyl(messages: &[&[u8]]) -> Vec<u8> {
    let mut file = b"BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\nNote: This is an Rmail file.\n\x1F".to_vec();
    for message in messages {
        file.extend_from_slice(b"\x0C\n0, unseen,,\n*** EOOH ***\n");
        file.extend_from_slice(message);
        end_line(&mut file);
        file.push(0x1F);
    }
    file
}

fn in_dbox(message: &[u8]) -> Vec<u8> {
    let head = format!("\x01\x02N          {:016X}\n", message.len());
    let tail = b"\n\x01\x03\nR5e0f2a3b\nV3B2\nG0f2a3b5e0f2a3b5e0f2a3b5e0f2a3b5e\n\n";
    [head.as_bytes(), message, tail].concat()
}

/// A file of Dovecot's sdbox.
pub(crate) fn sdbox(message: &[u8]) -> Vec<u8> {
    [b"2 M1e C5e0f2a3b\n".to_vec(), in_dbox(message)].concat()
}

/// A file of Apple's Mail.
pub(crate) fn emlx(message: &[u8]) -> Vec<u8> {
    let list = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
        \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n";
    [format!("{:<10}\n", message.len()).as_bytes(), message, list.as_bytes()].concat()
}
