//! Mail in its stored forms: zips, the folders of mailers, and recognised forms that are not read.

use super::carriers::{Case, File, Found, cases, mbox, packed, rnews, tar};
use super::forms::{self, FORMS, emlx, sdbox};
use super::support::{Dir, Ran};

pub(super) const THREADS: [&str; 3] = ["-j1", "-j2", "-j8"];

fn essence(ran: &Ran) -> Vec<Found> {
    let mut all: Vec<Found> = ran.text().lines().map(|line| Found::from_json(line).essence()).collect();
    all.sort_by_key(|found| found.id.clone());
    all
}

fn messages(cases: &[Case]) -> Vec<&[u8]> {
    cases.iter().map(|case| &case.message[..]).collect()
}

/// Runs on a file and on a pipe, with every number of threads.
pub(super) fn run_all_ways(dir: &Dir, args: &[&str], name: &str) -> Ran {
    let bytes = std::fs::read(dir.path(name)).unwrap();
    let alone = dir.run(&[args, &["--json", "-j1", name]].concat());
    assert_eq!((alone.code, alone.err.as_str()), (0, ""), "{name}");
    let of_pipe = alone.text().replace(&format!("\"file\":\"{name}"), "\"file\":\"-");
    for threads in THREADS {
        dir.run(&[args, &["--json", threads, name]].concat()).is(0, &alone.out);
        dir.run_with(&[args, &["--json", threads]].concat(), &bytes).is(0, &of_pipe);
    }
    alone
}

#[test]
fn the_same_messages_in_every_form() {
    let dir = Dir::new();
    let cases = cases();
    let as_mbox = mbox(messages(&cases));
    dir.file("box", &as_mbox);
    let expected = essence(&run_all_ways(&dir, &[], "box"));
    for (name, _, form) in FORMS {
        dir.file("folder", form(&messages(&cases)));
        assert_eq!(essence(&run_all_ways(&dir, &[], "folder")), expected, "{name}");
    }
    for (name, form) in [("emlx", emlx as fn(&[u8]) -> Vec<u8>), ("sdbox", sdbox)] {
        let files: Vec<File> =
            cases.iter().map(|case| (format!("{name}/{}", case.name), form(&case.message))).collect();
        for (path, bytes) in &files {
            dir.file(path, bytes);
        }
        for threads in THREADS {
            assert_eq!(essence(&dir.run(&["--json", threads, name])), expected, "{name} {threads}");
        }
        dir.file("files.tar", tar(&files));
        assert_eq!(essence(&run_all_ways(&dir, &[], "files.tar")), expected, "{name}");
    }
    dir.file("batch", [b"#! gunbatch\n".to_vec(), packed("gzip", &rnews(messages(&cases)))].concat());
    assert_eq!(essence(&run_all_ways(&dir, &["-z"], "batch")), expected);
    // Zips of mailboxes and of messages, of packed files, and in a compressed tar.
    let boxes: Vec<File> = vec![("all.mbox".into(), as_mbox.clone())];
    let singles: Vec<File> = cases.iter().map(|case| (format!("cur/{}", case.name), case.message.clone())).collect();
    let twice: Vec<File> = vec![("all.mbox.gz".into(), packed("gzip", &as_mbox))];
    for is_streamed in [false, true] {
        for files in [&boxes, &singles, &twice] {
            dir.file("a.zip", forms::zip(files, is_streamed));
            assert_eq!(essence(&run_all_ways(&dir, &["-z"], "a.zip")), expected);
            let in_tar = tar(&[("b.zip".into(), forms::zip(files, is_streamed))]);
            dir.file("a.tgz", packed("gzip", &in_tar));
            assert_eq!(essence(&run_all_ways(&dir, &["-z"], "a.tgz")), expected);
        }
    }
}

fn small_zip() -> Vec<u8> {
    let files: Vec<File> = vec![
        ("a/1".into(), b"From: joe\nTo: jane\n\nhttp://a.example/".to_vec()),
        ("notes".into(), b"x http://b.example/".to_vec()),
    ];
    forms::zip(&files, false)
}

#[test]
fn the_files_of_a_zip_have_names_and_places() {
    let dir = Dir::new();
    dir.file("a.zip", small_zip());
    dir.run(&["-zbn", "a.zip"]).is(0, "a.zip!/a/1:4:20:http://a.example/\na.zip!/notes:1:2:http://b.example/\n");
    dir.run(&["-zI", "a.zip"]).is(0, "http://a.example/\nhttp://b.example/\n");
    dir.run(&["-z", "--range", "0:10", "a.zip"]).fails("", &["a.zip", "--range", "needs a plain file"]);
    // Zips in zips are read to the same depth as tars.
    let mut nested = small_zip();
    for depth in 2..5 {
        nested = forms::zip(&[("z".into(), nested)], false);
        dir.file("n.zip", &nested);
        let ran = dir.run(&["-zI", "n.zip"]);
        assert_eq!(ran.code, i32::from(depth > 3), "{depth}: {}", ran.err);
        assert_eq!(ran.err.contains("n.zip!/z!/z!/z: is a zip nested too deep"), depth > 3, "{depth}: {}", ran.err);
    }
}

#[test]
fn a_zip_that_is_broken_gives_what_can_be_had() {
    let dir = Dir::new();
    let text: String = (0..20_000).map(|number| format!("http://a.example/{number}\n")).collect();
    let files: Vec<File> = vec![("1".into(), text.clone().into()), ("2".into(), b"http://b.example/\n".to_vec())];
    for is_streamed in [false, true] {
        let whole = forms::zip(&files, is_streamed);
        dir.file("cut.zip", &whole[..whole.len() / 2]);
        for threads in THREADS {
            let ran = dir.run(&["-zI", threads, "cut.zip"]);
            assert_eq!(ran.code, 2);
            assert!(text.starts_with(ran.text()) && ran.text().len() > text.len() / 4, "a URL is cut");
            assert!(ran.err.contains("cut.zip!/1: zip: the input ends too early"), "{}", ran.err);
        }
        // Only the damaged file of a zip is lost.
        let mut damaged = whole.clone();
        damaged[14] ^= 1;
        dir.file("sum.zip", damaged);
        let ran = dir.run(&["-zI", "sum.zip"]);
        match is_streamed {
            true => drop(ran.is(0, format!("{text}http://b.example/\n"))),
            false => drop(ran.fails(&format!("{text}http://b.example/\n"), &["sum.zip!/1: zip: the checksum"])),
        }
    }
}

#[test]
fn ten_thousand_files_in_a_zip_and_a_bomb() {
    let dir = Dir::new();
    let message = |number: usize| format!("From: joe\nTo: jane\n\nhttp://a.example/{number}\n");
    let files: Vec<File> = (0..10_000).map(|number| (format!("m/{number}"), message(number).into())).collect();
    dir.file("many.zip", forms::zip(&files, false));
    let expected: String = (0..10_000).map(|number| format!("http://a.example/{number}\n")).collect();
    for threads in THREADS {
        dir.run(&["-zI", threads, "many.zip"]).is(0, &expected);
    }
    let zeros = [vec![0; 100 << 20], b" http://a.example/\n".to_vec()].concat();
    dir.file("bomb.zip", forms::zip(&[("zeros".into(), zeros)], true));
    dir.run(&["-zI", "bomb.zip"]).is(0, "http://a.example/\n");
}

#[test]
fn more_kinds_that_are_not_read_are_noted() {
    let dir = Dir::new();
    let one_note = b"\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3";
    let signatures: [(&[u8], &str); 9] = [
        (b"mozLz40\0", "is a mozLz4 file, searched as bytes; `lz4jsoncat`"),
        (b"LPKSHHRH", "is a journal of systemd, searched as bytes; `journalctl --file FILE`"),
        (b"%!PS-Adobe-3.0\n", "is PostScript, searched as bytes; `ps2pdf`"),
        (b"-----BEGIN CMS-----\n", "is PEM, searched as bytes; `openssl`"),
        (b"-----BEGIN PKCS7-----\n", "is PEM"),
        (b"-----BEGIN CERTIFICATE-----\n", "is PEM"),
        (b"-----BEGIN PGP MESSAGE-----\n", "is PEM"),
        (one_note, "is a section of OneNote"),
        (b"\x78\x9F\x3E\x22", "is a TNEF file, searched as bytes; `tnef`"),
    ];
    for (signature, note) in signatures {
        dir.file("a.dat", [signature, b" http://a.example/ "].concat());
        let ran = dir.run(&["--stats", "a.dat"]);
        assert_eq!((ran.code, ran.text()), (0, "http://a.example/\n"), "{note}");
        assert!(
            ran.err.contains("unread-inputs: 1\n") && ran.err.contains(&format!("unread: a.dat: {note}")),
            "{}",
            ran.err
        );
        // Words that do not begin the file are text.
        dir.file("a.dat", [b"x ", signature, b" http://a.example/ "].concat());
        assert!(dir.run(&["--stats", "a.dat"]).err.contains("unread-inputs: 0\n"), "{note}");
    }
}

#[test]
fn the_url_of_an_external_body_is_whole() {
    let dir = Dir::new();
    let kind = "message/external-body; access-type=URL;\n URL=\"https://h.example/a/b\n /c/d.txt\"; x=y\n\n";
    let outer = "From: a@b.example\nTo: c@d.example\nMIME-Version: 1.0\nContent-Type: ";
    let inner =
        format!("multipart/mixed; boundary=b\n\n--b\nContent-Type: {kind}Content-Type: text/plain\n\n\n--b--\n");
    for rest in [format!("{kind}Content-Type: text/plain\n\n"), inner] {
        dir.file("a.eml", format!("{outer}{rest}"));
        dir.run(&["-I", "a.eml"]).is(0, "https://h.example/a/b/c/d.txt\n");
    }
    // Another type has no such URL.
    dir.file("a.eml", format!("{outer}{}", kind.replace("message/external-body", "text/plain")));
    dir.run(&["-I", "a.eml"]).is(0, "https://h.example/a/b\n");
}

#[test]
fn an_encoded_file_needs_no_message() {
    let dir = Dir::new();
    let uu = "begin 644 a.txt\n1:'1T<#HO+V$N97AA;7!L92\\\n`\nend\n";
    let base64 = "begin-base64 644 a.txt\naHR0cDovL2EuZXhh\nbXBsZS8=\n====\n";
    for file in [uu, base64] {
        let crlf = file.replace('\n', "\r\n");
        for text in [file.to_owned(), crlf, format!("From: a@b.example\nTo: b@b.example\n\nsee\n\n{file}")] {
            dir.file("a.uu", &text);
            dir.run(&["-I", "a.uu"]).is(0, "http://a.example/\n");
            dir.run_with::<&str>(&[], text.as_bytes()).is(0, "http://a.example/\n");
        }
    }
    // A prose line that begins alike is text.
    dir.file("a.txt", "begin 644 x\nand see http://b.example/ in prose\n");
    dir.run(&["-I", "a.txt"]).is(0, "http://b.example/\n");
}

#[test]
fn what_is_known_and_not_read_is_noted() {
    let dir = Dir::new();
    let url = b" http://a.example/ ";
    let ole = [&b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"[..], &[0; 504], b"\xEC\xA5"].concat();
    let signatures: [(&str, &[u8], &str); 10] = [
        ("a.zip", b"PK\x03\x04", "is zip, searched as bytes; --search-zip unpacks it"),
        ("a.7z", b"7z\xBC\xAF\x27\x1C", "is a 7z archive, searched as bytes; `7z x` unpacks it"),
        ("a.rar", b"Rar!\x1A\x07\0", "is a RAR archive"),
        ("a.doc", &ole, "is an old Word document (.doc), searched as bytes; `soffice --convert-to docx`"),
        ("a.pst", b"!BDN....SM", "is an Outlook folder, searched as bytes; `readpst`"),
        ("a.dbx", b"\xCF\xAD\x12\xFE", "is an Outlook Express folder"),
        ("a.mbx", b"*mbx*\r\n", "is an MBX folder"),
        ("a.pack", b"PACK\0\0\0\x02", "is a pack of git, searched as bytes; `git cat-file --batch`"),
        ("a.cnfs", b"Cycbuff\0", "is a CNFS buffer"),
        ("a.lzh", b"\x20\x20-lh5-", "is an LHA archive"),
    ];
    for (name, signature, note) in signatures {
        dir.file(name, [signature, url].concat());
        for threads in THREADS {
            let ran = dir.run(&["--stats", threads, name]);
            // A note is not an error, and the bytes are searched as bytes.
            assert_eq!((ran.code, ran.text()), (0, "http://a.example/\n"), "{name}");
            assert!(ran.err.lines().next().unwrap().contains(&format!("{name}: {note}")), "{}", ran.err);
            assert!(ran.err.contains("unread-inputs: 1\n") && ran.err.contains(&format!("unread: {name}: {note}")));
            dir.run(&["-q", "--input", "text", threads, name]).is(0, "");
        }
        let ran = dir.run(&["audit", "--stats", name]);
        assert!(ran.code == 0 && ran.err.contains(&format!("unread: {name}: {note}")), "{}", ran.err);
    }
    // Only the first ten files by name have a note, also in a pipe and in a tar.
    let ran = dir.run(&["-I", "."]);
    assert_eq!((ran.code, ran.err.lines().count()), (0, 10), "{}", ran.err);
    dir.file("b.rar", b"Rar!\x1A\x07\0");
    let ran = dir.run(&["-I", "."]);
    assert!(ran.err.ends_with("and 1 more that were searched as bytes; --stats names them\n"), "{}", ran.err);
    let ran = dir.run_with::<&str>(&[], b"Rar!\x1A\x07\0");
    assert!(ran.code == 1 && ran.err.contains("-: is a RAR archive"), "{}", ran.err);
    dir.file("t.tar", tar(&[("x.rar".into(), b"Rar!\x1A\x07\0".to_vec())]));
    let ran = dir.run(&["t.tar"]);
    assert!(ran.code == 1 && ran.err.contains("t.tar!/x.rar: is a RAR archive"), "{}", ran.err);
}

#[test]
fn a_zip_after_a_long_program_is_noted() {
    let dir = Dir::new();
    let zip = forms::zip(&[("a".into(), b"https://z.example/".to_vec())], false);
    for head in [&b"MZ\x90\0"[..], b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", b"#!/bin/sh\nexec java -jar $0\n"] {
        let file = [head, &vec![b'\n'; 100_000], b"http://a.example/\n", &zip].concat();
        dir.file("a", &file).file("a.tar", tar(&[("a".into(), file.clone())])).file("b", "http://a.example/\n");
        for threads in THREADS {
            let note = "is a self-extracting zip, searched as bytes; `unzip`";
            for (ran, name) in [
                (dir.run(&["--stats", threads, "a"]), "a"),
                (dir.run(&["-I", "--stats", threads, "a", "b"]), "a"),
                (dir.run_with(&["--stats", threads], &file), "-"),
                (dir.run(&["--stats", threads, "a.tar"]), "a.tar!/a"),
            ] {
                assert!(ran.code == 0 && ran.text().contains("http://a.example/\n"), "{}", ran.err);
                assert!(ran.err.starts_with(&format!("urlgrep: {name}: {note}")), "{name}: {}", ran.err);
                assert!(ran.err.contains("unread-inputs: 1\n"), "{}", ran.err);
            }
        }
    }
    let text = [&b"A PK\x05\x06 in a text\n"[..], &vec![b'\n'; 100_000], b"http://a.example/\n", &zip].concat();
    dir.file("a", &text).run(&["a"]).is(0, "http://a.example/\n");
}
