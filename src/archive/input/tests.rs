use super::*;
use crate::archive::support::tar;
use std::io::Write;
use std::path::PathBuf;

fn temporary(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("urlgrep-input-{}-{name}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_file_that_shrinks_is_an_error_that_says_so() {
    let path = temporary("shrinks", &[b'x'; 100_000]);
    let mut input = open(&path).unwrap();
    let mut buffer = [0; 600];
    assert_eq!(input.read(&mut buffer).unwrap(), 600);
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(600).unwrap();
    let error = input.read(&mut buffer).unwrap_err();
    assert!(error.to_string().contains("shrank from 100000 to 600 bytes"), "{error}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_small_file_is_in_memory_and_read_from_there() {
    let path = temporary("small", b"0123456789");
    let mut input = open(&path).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(3).unwrap();
    assert_eq!(input.in_memory(), Some(&b"0123456789"[..]));
    let mut all = String::new();
    input.read_to_string(&mut all).unwrap();
    assert_eq!(all, "0123456789");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_grows_ends_where_it_ended_at_open() {
    let path = temporary("grows", &[b'x'; 1000]);
    let mut input = open(&path).unwrap();
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[b'y'; 10]).unwrap();
    let mut all = Vec::new();
    input.read_to_end(&mut all).unwrap();
    assert_eq!(all, [b'x'; 1000]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_first_bytes_that_are_enough_give_the_kind_of_all() {
    let separator = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a\n\n";
    let texts = [format!("see x\n\n{separator}"), "From: a\r\n\r\nx\r\n".into(), "<!DOCTYPE html><p>x\ry".into()];
    for (text, name) in texts.iter().flat_map(|text| ["", "a.mbox", "a.eml", "a.html"].map(|name| (text, name))) {
        for read_as in [ReadAs::Auto, ReadAs::Text, ReadAs::Mail, ReadAs::Html, ReadAs::Csv] {
            let options = OpenOptions::new().read_as(read_as);
            let kind = |head: &[u8]| options.recognise(head, name.as_bytes());
            let enough: Vec<_> =
                (0..text.len()).filter(|&cut| options.is_enough(&text.as_bytes()[..cut], name.as_bytes())).collect();
            for cut in enough {
                assert_eq!(
                    kind(&text.as_bytes()[..cut]),
                    kind(text.as_bytes()),
                    "{text:?} to {cut}, {name}, {read_as:?}"
                );
            }
        }
    }
}

#[test]
fn seeking_keeps_count() {
    let path = temporary("seeks", b"0123456789");
    let mut input = open(&path).unwrap();
    input.seek(SeekFrom::Start(7)).unwrap();
    let mut rest = String::new();
    input.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "789");
    assert_eq!(input.seek(SeekFrom::End(-2)).unwrap(), 8);
    input.seek(SeekFrom::Start(12)).unwrap();
    assert_eq!(input.read(&mut [0; 4]).unwrap(), 0, "beyond the end is no shrinking");
    std::fs::remove_file(path).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_of_size_0_is_read_to_its_end() {
    let path = Path::new("/proc/self/status");
    assert_eq!(std::fs::metadata(path).unwrap().len(), 0);
    let mut all = Vec::new();
    open(path).unwrap().read_to_end(&mut all).unwrap();
    assert!(!all.is_empty());
}

#[test]
fn every_file_of_nested_tars_is_visited() {
    let message = b"From: joe\nTo: jane\n\nx";
    let mut damaged = tar(&[("lost", b"x")]);
    damaged.truncate(512);
    let second = tar(&[("c", b"c"), ("m.eml", message)]);
    let first = tar(&[("b.tar", &second), ("d.tar", &damaged), ("e", b"e")]);
    let mut visits = Vec::new();
    let flow = OpenOptions::new().each(&mut &first[..], b"", |path, entry| {
        let shown = match entry {
            Err(error) => format!("{:?}", error.kind()),
            Ok(mut entry) => match entry.read_to_end(&mut Vec::new()) {
                Ok(length) => format!("{:?} {length}", entry.container()),
                Err(error) => format!("{:?}", error.kind()),
            },
        };
        visits.push(format!("{}: {shown}", String::from_utf8_lossy(path)));
        Ok(ControlFlow::Continue(()))
    });
    assert!(flow.unwrap().is_continue());
    assert_eq!(
        visits,
        [
            "b.tar!/c: Text 1",
            "b.tar!/m.eml: Message 21",
            "d.tar!/lost: UnexpectedEof",
            "d.tar: UnexpectedEof",
            "e: Text 1"
        ]
    );
}

#[test]
fn mail_by_its_name() {
    let recognise = |text: &str, name: &str| OpenOptions::new().recognise(text.as_bytes(), name.as_bytes());
    let separator = "\nFrom joe@a.example Mon Jan  1 12:34:56 2001\n";
    let odd = "X-Odd: a\nX-Other: b\n\nbody\n";
    let folder = format!("left over\n{separator}{odd}");
    for (text, name, container) in [
        (odd, "a.eml", Container::Message),
        (odd, "a.EML.gz", Container::Message),
        (odd, "a.mbox", Container::Message),
        (odd, "a.txt", Container::Text),
        (&folder, "a.mbox", Container::Mbox),
        (&folder, "a", Container::Text),
        ("<!DOCTYPE html><p>", "a.mbox", Container::Html),
        ("BEGIN:VCARD\n", "a.eml", Container::Calendar),
    ] {
        assert_eq!(recognise(text, name), container, "{name}: {text}");
    }
}
