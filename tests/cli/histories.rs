//! `audit --db` reports what a run without it reports, in every format, whatever happens to the
//! files between two runs.
//!
//! A history is a folder whose files grow, are edited, replaced, shortened, damaged and removed at
//! random. The files are texts, pages, mailboxes and web archives, plain, packed and in archives
//! whose members may have equal names.

use std::fs::{File, FileTimes};
use std::io::Write;
use std::path::Path;

use fastrand::Rng;
use urlgrep::archive::Container;

use super::common::turns;
use super::support::{Dir, Ran};
use super::{carriers, forms};

const FORMATS: [&str; 11] = ["json", "text", "jsonl", "csv", "html", "sarif", "github", "junit", "ioc", "urls", "json"];
const READERS: [&str; 4] = ["all", "security", "links", "archive"];

/// Fragments of text. `#` becomes a random digit, so that URLs recur.
const TEXTS: &[&str] = &[
    "http://h#.example/# ",
    "https://h#.example/# ",
    "see <URL:http://h#.example/a-\nb#>, ",
    "http://h#.example/a-b# ",
    "HTTP://H#.example:80/%61# ",
    "ftp://u:secret#@h/ ",
    "https://h/?token=ghp_#bcdefghijklmnopqrstuvwxyz012345678# ",
    "<URL:>",
    "<URL:http://h#.example/ and no end ",
    "http://www.good.example@evil#.example/ ",
    "http://h#.example/\u{202E}gpj ",
    "https://bit.ly/# is.gd/# ",
    "hxxp://h#[.]example/ ",
    "http://h#.example/cut... ",
    "https://h#.example/long/enough/to/be/broken/here/\nover/a/line/# ",
    "\n",
    "\n\n",
    "words of prose\n",
    "<a href='/rel#'>x</a> <a href='http://h#.example/'>http://g#.example/</a>\n",
    "<a href='http://h#.example/?e=r#%40r.example'>x</a> <a href='http://h#.example/cjFAci5leGFtcGxl'>x</a>\n",
    "<a href='http://h#.example/?e=r1@r.example#r1@r.example'>x</a> <a href='https://a#.web.app/'>y</a>\n",
    "http://h#.example/cjFAci5leGFtcGxl http://h#.example/?e=r#%40r.example ",
    "<img src='data:image/png;base64,aaaa'> <a href='javascript:alert(#)'>x</a>\n",
];

const PACKINGS: [Packing; 10] = [
    Packing::Plain,
    Packing::Plain,
    Packing::Members("gzip"),
    Packing::Members("zstd"),
    Packing::Members("bzip2"),
    Packing::Members("xz"),
    Packing::Members("lz4"),
    Packing::Tar,
    Packing::Zip,
    Packing::PackedTar,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Packing {
    Plain,
    /// Each generation of pieces is packed by itself, so the file grows by a member.
    Members(&'static str),
    /// Each piece is a file.
    Tar,
    Zip,
    PackedTar,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Text,
    Page,
    Sheet,
    Utf16,
    Pdf,
    Records,
    Mail(usize),
}

/// A file of the folder: generations of pieces, each a text or a message.
#[derive(Debug)]
struct Kept {
    name: String,
    content: Content,
    packing: Packing,
    generations: Vec<Vec<Vec<u8>>>,
    /// The bytes that are missing at the end.
    cut: usize,
}

fn fragment(rng: &mut Rng) -> String {
    let digit = |rng: &mut Rng| char::from(b'0' + rng.u8(..4));
    rng.choice(TEXTS).unwrap().chars().map(|c| if c == '#' { digit(rng) } else { c }).collect()
}

fn prose(rng: &mut Rng) -> String {
    let mut text: String = (0..rng.usize(..12)).map(|_| fragment(rng)).collect();
    // A text is final 33 KiB before its end.
    if rng.u8(..4) == 0 {
        text += &"more words, and no link\n".repeat(rng.usize(..2_000));
    }
    text
}

/// Returns a message: plain, a page, decodable or not, or one that holds another.
fn message(rng: &mut Rng) -> Vec<u8> {
    if rng.u8(..3) == 0 {
        let mut cases = carriers::cases();
        return cases.swap_remove(rng.usize(..cases.len())).message;
    }
    let body = prose(rng);
    let (fields, body) = match rng.u8(..8) {
        0 => ("Content-Type: text/html\n", body),
        1 => ("Content-Type: text/plain; charset=unknown-x\n", body),
        2 => ("Content-Transfer-Encoding: base64\n", carriers::to_base64(body.as_bytes())),
        3 => ("Content-Transfer-Encoding: base64\n", format!("{}!?", carriers::to_base64(body.as_bytes()))),
        4 => ("Content-Type: message/rfc822\n", format!("From: b@b.example\nSubject: {body}\n\n{body}")),
        5 => (
            "Content-Type: multipart/mixed; boundary=b\n",
            format!("--b\n\n{body}\n--b\nContent-Transfer-Encoding: x-odd\n\n{body}\n--b--\n"),
        ),
        6 => ("Content-Transfer-Encoding: quoted-printable\n", carriers::to_quoted_printable(body.as_bytes())),
        _ => ("", body),
    };
    let (id, day, year) = (rng.u8(..9), rng.u8(1..28), *rng.choice(&[1960, 1996, 2004, 2091]).unwrap());
    let head = format!(
        "From: a{id}@a.example\nTo: r1@r.example\nMessage-ID: <{id}@x>\nDate: Sat, {day} Jan {year} 01:05:34 +0900\n"
    );
    [head.as_bytes(), fields.as_bytes(), b"Subject: http://s.example/\n\n", body.as_bytes(), b"\n"].concat()
}

/// Returns a record of a web archive that holds a page.
fn record(text: &[u8], number: usize) -> Vec<u8> {
    let block = [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", text].concat();
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w{number}.example/\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n\
         WARC-Date: 2001-02-03T04:05:06Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), &block, b"\r\n\r\n"].concat()
}

impl Content {
    const ALL: [Content; 6] =
        [Content::Text, Content::Page, Content::Sheet, Content::Utf16, Content::Pdf, Content::Records];

    fn any(rng: &mut Rng) -> Content {
        match rng.bool() {
            true => rng.choice(Content::ALL).unwrap(),
            false => Content::Mail(rng.usize(..forms::FORMS.len() + 2)),
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Content::Page => "html",
            Content::Sheet => "csv",
            _ => "x",
        }
    }

    fn piece(self, rng: &mut Rng) -> Vec<u8> {
        match self {
            Content::Mail(_) => message(rng),
            _ => prose(rng).into_bytes(),
        }
    }

    /// Returns the pieces as one file. `first` is the number of pieces in the members before.
    fn joined(self, pieces: &[&[u8]], first: usize) -> Vec<u8> {
        match self {
            Content::Text | Content::Page | Content::Sheet => pieces.concat(),
            Content::Utf16 => {
                let text = String::from_utf8_lossy(&pieces.concat()).into_owned();
                let units = text.encode_utf16().flat_map(u16::to_le_bytes);
                if first == 0 { [0xFF, 0xFE].into_iter().chain(units).collect() } else { units.collect() }
            }
            Content::Pdf => {
                let start: &[u8] = if first == 0 { b"%PDF-1.5\n" } else { b"" };
                let object = |(at, piece): (usize, &&[u8])| {
                    let uri = format!("{} 0 obj\n<</Type/Annot/A<</URI(http://p{at}.example/)>>>>\nendobj\n", at + 1);
                    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
                    zlib.write_all(piece).unwrap();
                    let stream = zlib.finish().unwrap();
                    let head = format!("<</Filter/FlateDecode/Length {}>>stream\n", stream.len());
                    [uri.as_bytes(), head.as_bytes(), &stream, b"\nendstream\n"].concat()
                };
                [start, &pieces.iter().enumerate().map(object).collect::<Vec<_>>().concat()].concat()
            }
            Content::Records => pieces.iter().enumerate().flat_map(|(at, piece)| record(piece, first + at)).collect(),
            Content::Mail(0) => carriers::mbox(pieces.iter().copied()),
            Content::Mail(1) => carriers::rnews(pieces.iter().copied()),
            Content::Mail(form) => {
                let (_, container, write) = forms::FORMS[form - 2];
                // The other containers hold one message.
                let is_one = matches!(container, Container::Emlx | Container::Dbox | Container::Message);
                write(if is_one { &pieces[..1.min(pieces.len())] } else { pieces })
            }
        }
    }
}

impl Kept {
    fn new(rng: &mut Rng, number: usize) -> Kept {
        let (content, packing) = (Content::any(rng), rng.choice(PACKINGS).unwrap());
        let name = format!("d/{number}.{}", content.extension());
        let mut kept = Kept { name, content, packing, generations: Vec::new(), cut: 0 };
        kept.grow(rng);
        kept
    }

    fn grow(&mut self, rng: &mut Rng) {
        self.generations.push((0..1 + rng.usize(..4)).map(|_| self.content.piece(rng)).collect());
        self.cut = 0;
    }

    fn bytes(&self) -> Vec<u8> {
        let pieces: Vec<&[u8]> = self.generations.iter().flatten().map(Vec::as_slice).collect();
        let members = || -> Vec<(String, Vec<u8>)> {
            let name = |at: usize| format!("m{}.{}", at % 2, self.content.extension());
            pieces.iter().enumerate().map(|(at, piece)| (name(at / 2), self.content.joined(&[piece], 0))).collect()
        };
        let mut bytes = match self.packing {
            Packing::Plain => self.content.joined(&pieces, 0),
            Packing::Members(packer) => {
                let mut first = 0;
                let packed = self.generations.iter().map(|generation| {
                    let pieces: Vec<&[u8]> = generation.iter().map(Vec::as_slice).collect();
                    let text = self.content.joined(&pieces, first);
                    first += pieces.len();
                    carriers::packed(packer, &text)
                });
                packed.collect::<Vec<_>>().concat()
            }
            Packing::Tar => carriers::tar(&members()),
            Packing::Zip => forms::zip(&members(), false),
            Packing::PackedTar => carriers::packed("gzip", &carriers::tar(&members())),
        };
        bytes.truncate(bytes.len() - self.cut.min(bytes.len()));
        bytes
    }
}

/// Replaces the bytes of a file, in place or by a rename. The time of change may stay the same.
fn write(path: &Path, bytes: &[u8], rng: &mut Rng) {
    let modified = path.metadata().ok().filter(|_| rng.bool()).map(|known| known.modified().unwrap());
    let to = if rng.bool() { path.with_extension("new") } else { path.to_owned() };
    std::fs::write(&to, bytes).unwrap();
    if let Some(modified) = modified {
        File::options().append(true).open(&to).unwrap().set_times(FileTimes::new().set_modified(modified)).unwrap();
    }
    std::fs::rename(to, path).unwrap();
}

/// Changes a file. Returns what was done.
fn change(dir: &Dir, kept: &mut Kept, rng: &mut Rng) -> String {
    let path = dir.path(&kept.name);
    let before = kept.bytes();
    let act = match rng.u8(..12) {
        0..=5 => {
            kept.grow(rng);
            "grow"
        }
        6..=8 => {
            // One digit is another one, and the size is the same unless the file is packed.
            let digits = |piece: &mut Vec<u8>, to: u8| {
                piece.iter_mut().filter(|byte| byte.is_ascii_digit()).for_each(|byte| *byte = to)
            };
            let to = b'4' + rng.u8(..4);
            let generation = rng.usize(..kept.generations.len());
            rng.choice(&mut kept.generations[generation]).into_iter().for_each(|piece| digits(piece, to));
            "edit"
        }
        9 => {
            if kept.generations.len() > 1 {
                kept.generations.pop();
            }
            "shorten"
        }
        10 => {
            kept.cut = rng.usize(..before.len().min(200) + 1);
            "cut"
        }
        _ => {
            std::fs::remove_file(&path).unwrap();
            kept.generations.clear();
            return format!("remove {}", kept.name);
        }
    };
    let now = kept.bytes();
    match now.strip_prefix(&before[..]) {
        Some(more) if act == "grow" => File::options().append(true).open(&path).unwrap().write_all(more).unwrap(),
        _ => write(&path, &now, rng),
    }
    format!("{act} {} {:?} {:?}: {} to {} bytes", kept.name, kept.content, kept.packing, before.len(), now.len())
}

/// Asserts that a run with the database reports what a run without one does.
fn agrees(dir: &Dir, args: &[&str], history: &[String]) {
    let with = dir.run(&[&["audit", "--db", "a.db"], args].concat());
    let without = dir.run(&[&["audit"], args].concat());
    let lines = |ran: &Ran| {
        // The page names the command.
        let text = String::from_utf8_lossy(&ran.out).replace("audit --db a.db ", "audit ");
        text.split('\n').map(str::to_owned).collect::<Vec<_>>()
    };
    let (ours, expected) = (lines(&with), lines(&without));
    let at = ours.iter().zip(&expected).position(|(one, other)| one != other);
    let difference = at.map(|at| (near(&ours[at], &expected[at]), near(&expected[at], &ours[at])));
    assert!(
        ours == expected && with.code == without.code,
        "{args:?}, {} and {}, with and without: {difference:#?}\n{}\n{}\n{}",
        with.code,
        without.code,
        with.err,
        without.err,
        history.join("\n")
    );
}

/// Returns a text around its first difference from another.
fn near(one: &str, other: &str) -> String {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    one.chars().skip(same.saturating_sub(150)).take(300).collect()
}

#[test]
fn a_database_reports_what_a_fresh_run_does_whatever_happens_to_the_files() {
    turns(300, |rng| {
        let dir = Dir::new();
        dir.file("d/0", "http://first.example/");
        let mut files: Vec<Kept> = Vec::new();
        let mut history = Vec::new();
        let unpack: &[&str] = if rng.u8(..5) > 0 { &["-z"] } else { &[] };
        for step in 0..8 {
            // Each file changes at most once between two runs. An edit in a file that also grows
            // may stay hidden.
            rng.shuffle(&mut files);
            for kept in files.iter_mut().take(rng.usize(..3)) {
                history.push(format!("{step}: {}", change(&dir, kept, rng)));
            }
            files.retain(|kept| !kept.generations.is_empty());
            if files.is_empty() || rng.u8(..3) == 0 {
                let new = Kept::new(rng, step + 1);
                dir.file(&new.name, new.bytes());
                history.push(format!("{step}: new {} {:?} {:?}", new.name, new.content, new.packing));
                files.push(new);
            }
            let reader = rng.choice(READERS).unwrap();
            for format in [rng.choice(FORMATS).unwrap(), rng.choice(FORMATS).unwrap()] {
                let threads = rng.choice(["1", "2", "3", "8"]).unwrap();
                let mut args = [&["--format", format, "--for", reader, "-j", threads], unpack].concat();
                let mut paths =
                    [&["d", "d/0", "nowhere"][..], &files.iter().map(|kept| &*kept.name).collect::<Vec<_>>()].concat();
                rng.shuffle(&mut paths);
                args.extend(&paths[..rng.usize(1..=paths.len())]);
                agrees(&dir, &args, &history);
            }
        }
    });
}
