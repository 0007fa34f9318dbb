//! The messages of the table in the forms in which software stores them.

#![allow(dead_code, reason = "not every test keeps them in all")]

use std::io::Write;

use urlgrep::archive::Container;

/// A form: its name, its container, and a function that stores messages in it.
pub(crate) type Form = (&'static str, Container, fn(&[&[u8]]) -> Vec<u8>);

/// The forms that hold many messages in a file, besides those of `carriers`.
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

/// Stores each message after a separator line, escapes lines that look like one, and appends an
/// end.
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

/// Stores messages as Rmail does before anybody has read them.
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

/// Returns a file of Dovecot's sdbox.
pub(crate) fn sdbox(message: &[u8]) -> Vec<u8> {
    [b"2 M1e C5e0f2a3b\n".to_vec(), in_dbox(message)].concat()
}

/// Returns a file of Apple's Mail.
pub(crate) fn emlx(message: &[u8]) -> Vec<u8> {
    let list = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \
        \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n";
    [format!("{:<10}\n", message.len()).as_bytes(), message, list.as_bytes()].concat()
}

/// Returns a zip of these files, deflated. A streamed one has the lengths after each file, as a
/// writer that cannot seek stores them.
pub(crate) fn zip(files: &[(String, Vec<u8>)], is_streamed: bool) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = zip.len() as u32;
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        let data = deflate.write_all(bytes).and_then(|()| deflate.finish()).expect("in memory");
        let lengths = [crc.sum(), data.len() as u32, bytes.len() as u32].map(u32::to_le_bytes).concat();
        let flags: &[u8] = if is_streamed { b"\x08\0" } else { b"\0\0" };
        // Deflated, on 1 January 1980.
        let method = b"\x08\0\0\0\x21\0";
        let name_length = (name.len() as u16).to_le_bytes();
        let stated: &[u8] = if is_streamed { &[0; 12] } else { &lengths };
        zip.extend_from_slice(&[&b"PK\x03\x04\x14\0"[..], flags, method, stated, &name_length, b"\0\0"].concat());
        zip.extend_from_slice(name.as_bytes());
        zip.extend_from_slice(&data);
        if is_streamed {
            zip.extend_from_slice(b"PK\x07\x08");
            zip.extend_from_slice(&lengths);
        }
        let head = [&b"PK\x01\x02\x14\0\x14\0"[..], flags, method, &lengths, &name_length, &[0; 12]].concat();
        directory.extend_from_slice(&[&head[..], &offset.to_le_bytes(), name.as_bytes()].concat());
    }
    let (start, count) = (zip.len() as u32, (files.len() as u16).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    zip.extend_from_slice(&directory);
    zip.extend_from_slice(&[&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &start.to_le_bytes(), b"\0\0"].concat());
    zip
}

/// Returns an article as NNTP carries it.
pub(crate) fn wire(message: &[u8]) -> Vec<u8> {
    let mut article = Vec::new();
    for line in message.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b".") {
            article.push(b'.');
        }
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        article.extend_from_slice(text.strip_suffix(b"\r").unwrap_or(text));
        article.extend_from_slice(b"\r\n");
    }
    article.extend_from_slice(b".\r\n");
    article
}
