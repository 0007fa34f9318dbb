//! Texts of three densities, generated from word lists, with the URLs that were planted in them.
//!
//! - *mail*: messages with headers and replies; one URL per 940 bytes, 15 colons per KiB;
//! - *dense*: a list of links; one URL per 66 bytes;
//! - *nourl*: prose; 7 colons per KiB, and now and then a `NEWS:`.
//!
//! The generator records what it plants and never calls the finder. So a benchmark can check its
//! result before it reports a time. A URL is planted only if exactly one result is correct. A bare
//! URL is followed by a blank and a word that cannot continue a URL. A broken URL is in brackets.

#![allow(dead_code)] // the benchmarks and the tests each use a part of this

use std::fmt::Write as _;

/// A text and the URLs in it.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Vec<u8>,
    /// The URLs in order, each with a line feed, as the command prints them.
    pub(crate) urls: Vec<u8>,
    pub(crate) count: usize,
}

impl Text {
    pub(crate) fn digest(&self) -> u64 {
        digest(&self.urls)
    }
}

/// Computes the FNV-1a hash, 64 bits.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// SplitMix64. A text must stay the same for ever, so it depends on no crate.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "lamp", "harbour", "tide", "keeper", "oil", "wick", "tower", "stone", "rope", "winter", "letter", "ministry",
    "reckoning", "lantern", "and", "or", "the", "a", "of", "to", "in", "under", "over", "between", "without", "never",
    "always", "sometimes", "once", "twice", "the", "the", "of", "and", "was", "were", "is", "are", "had", "has", "been",
    "gave", "took", "found", "lost", "wrote", "asked", "answered", "believed", "counted", "lit", "drew", "sailed",
    "slept", "waited", "mended", "northern", "eastern", "heavy", "quiet", "broken", "green", "narrow", "patient",
    "splendid", "doubtful", "ordinary", "committee", "archive", "catalogue", "instrument", "correspondence",
    "observatory", "navigation", "approximately", "nevertheless", "station", "storm", "signal", "whistle", "map",
    "soundings", "chart", "pilot", "crew", "captain", "engineer", "island", "rock", "reef", "bay", "ferry", "evening",
    "morning", "Tuesday", "Thursday", "April", "October", "Otto", "Marta", "Ines", "Aoife", "Per",
];

/// Words that never continue a URL of the line before (B-JOIN, the prose list).
const AFTER: &[&str] = &["and", "or", "for", "which", "that", "is", "was", "if", "as", "but", "with", "where", "from"];

#[rustfmt::skip]
const LABELS: &[&str] = &[
    "note", "Re", "Subject", "that is", "question", "Otto", "Marta", "first", "second", "PS", "result", "warning",
    "in short", "answer",
];

#[rustfmt::skip]
const HOSTS: &[&str] = &[
    "www.example.com", "www.example.org", "lights.example.org", "harbour.example.net", "archive.example.com",
    "ftp.example.org", "data.example.net", "people.example.org", "lists.example.com", "docs.example.org",
];

#[rustfmt::skip]
const FOLDERS: &[&str] = &[
    "lamps", "tides", "pub", "archive", "1997", "2003", "letters", "maps", "north", "keepers", "list_of_lights", "drafts",
    "en", "images", "issues",
];

#[rustfmt::skip]
const FILES: &[&str] = &[
    "index.html", "README", "tower.gif", "chart-26.pdf", "tides.txt", "lamp.tar.gz", "view.cgi", "plan.ps", "notes",
    "letter_12.html", "map.png", "faq",
];

const GROUPS: &[&str] = &["comp.infosystems.lanterns", "alt.folklore.lighthouses", "sci.geo.oceanography"];

struct Writer {
    text: Text,
    random: Random,
    prefix: &'static str,
    column: usize,
    /// The number of words between two labels, times or headers; it sets the colons per KiB.
    words_per_colon: usize,
    /// The last thing written was a bare URL.
    after_url: bool,
}

impl Writer {
    fn new(seed: u64, size: usize, words_per_colon: usize) -> Writer {
        let text = Text { bytes: Vec::with_capacity(size + 4096), urls: Vec::new(), count: 0 };
        Writer { text, random: Random(seed), prefix: "", column: 0, words_per_colon, after_url: false }
    }

    fn line(&mut self, line: &str) {
        self.text.bytes.extend_from_slice(line.as_bytes());
        self.text.bytes.push(b'\n');
        self.column = 0;
    }

    /// Writes a word, on the next line if this one is full.
    fn word(&mut self, word: &str) {
        if self.column == 0 {
            self.text.bytes.extend_from_slice(self.prefix.as_bytes());
            self.column = self.prefix.len();
        } else if self.column + 1 + word.len() > 72 {
            self.line("");
            return self.word(word);
        } else {
            self.text.bytes.push(b' ');
            self.column += 1;
        }
        self.text.bytes.extend_from_slice(word.as_bytes());
        self.column += word.len();
    }

    fn prose(&mut self, words: usize) {
        for _ in 0..words {
            if std::mem::take(&mut self.after_url) {
                let word = self.random.pick(AFTER);
                self.word(word);
            } else if self.random.one_in(self.words_per_colon) {
                let label = match self.random.below(4) {
                    0 => format!("{}:{:02}", self.random.below(24), self.random.below(60)),
                    _ => format!("{}:", self.random.pick(LABELS)),
                };
                self.word(&label);
            } else {
                let word = self.random.pick(WORDS);
                if self.random.one_in(9) {
                    let mark = self.random.pick(&[",", ",", ".", ";"]);
                    self.word(&format!("{word}{mark}"));
                } else {
                    self.word(word);
                }
            }
        }
    }

    /// Returns a URL as people write them.
    fn url(&mut self) -> String {
        let random = &mut self.random;
        let mut url = String::new();
        match random.below(100) {
            0..=3 => {
                return format!(
                    "mailto:{}@{}",
                    random.pick(&["otto", "marta.quist", "list-request"]),
                    random.pick(HOSTS)
                );
            }
            4..=5 => return format!("news:{}", random.pick(GROUPS)),
            6 => return format!("news:{}.{}@{}", random.below(100_000), random.below(1000), random.pick(HOSTS)),
            7..=8 => return format!("gopher://{}/11/{}", random.pick(HOSTS), random.pick(FOLDERS)),
            9 => return format!("telnet://guest@{}:23/", random.pick(HOSTS)),
            10..=18 => url.push_str("ftp://"),
            19..=35 => url.push_str("https://"),
            _ => url.push_str("http://"),
        }
        url.push_str(random.pick(HOSTS));
        if random.one_in(30) {
            url.push_str(":8080");
        }
        url.push('/');
        if random.one_in(8) {
            return url;
        }
        if random.one_in(12) {
            url.push('~');
        }
        for _ in 0..1 + random.below(3) {
            url.push_str(random.pick(FOLDERS));
            url.push('/');
        }
        if !random.one_in(6) {
            url.push_str(random.pick(FILES));
            if url.starts_with("http") {
                match random.below(10) {
                    0..=1 => write!(url, "?id={}&lang=en", random.below(10_000)).expect("a string"),
                    2 => write!(url, "#section-{}", random.below(20)).expect("a string"),
                    _ => {}
                }
            }
        }
        url
    }

    fn plant(&mut self, url: &str) {
        self.text.urls.extend_from_slice(url.as_bytes());
        self.text.urls.push(b'\n');
        self.text.count += 1;
    }

    /// Plants a URL in prose, with one of the delimiters that are common in mail.
    fn planted(&mut self) {
        let url = self.url();
        self.plant(&url);
        self.after_url = true;
        match self.random.below(20) {
            0 => self.word(&format!("<URL:{url}>")),
            1 => self.word(&format!("<{url}>,")),
            2 => self.word(&format!("URL:{url}")),
            3..=4 => self.word(&format!("({url}),")),
            5 => self.word(&format!("\"{url}\"")),
            6..=7 => self.word(&format!("{url},")),
            8 if url.matches('/').count() > 3 => {
                // Mailers also break a URL after a slash. The brackets show that it continues.
                let (head, tail) = url.split_at(url.rfind('/').expect("one of three") + 1);
                self.word(&format!("<URL:{head}"));
                self.line("");
                self.word(&format!("{tail}>"));
            }
            _ => self.word(&url),
        }
    }

    fn paragraph(&mut self, prefix: &'static str, words: usize, urls: usize) {
        self.prefix = prefix;
        let stretch = words / (urls + 1);
        for _ in 0..urls {
            self.prose(stretch);
            self.planted();
        }
        self.prose(stretch.max(3));
        self.line("");
        self.after_url = false;
        self.line(prefix.trim_end());
    }
}

/// Generates *mail*, at least `size` bytes.
pub(crate) fn mail(size: usize) -> Text {
    let mut writer = Writer::new(1738, size, 13);
    while writer.text.bytes.len() < size {
        let (day, hour, minute) = (1 + writer.random.below(28), writer.random.below(24), writer.random.below(60));
        let (from, host) = (writer.random.pick(&["otto", "marta", "ines", "per"]), writer.random.pick(HOSTS));
        let subject = (writer.random.pick(WORDS), writer.random.pick(WORDS));
        writer.line(&format!("From {from}@{host} Mon Feb {day:2} {hour:02}:{minute:02}:00 1997"));
        writer.line(&format!("Date: Mon, {day} Feb 1997 {hour:02}:{minute:02}:00 +0000"));
        writer.line(&format!("From: {from}@{host}"));
        writer.line(&format!("Subject: Re: the {} and the {}", subject.0, subject.1));
        let id = writer.random.below(1_000_000);
        writer.line(&format!("Message-ID: <1997{day:02}{hour:02}{minute:02}.{id}@{host}>"));
        writer.line("");
        for _ in 0..2 + writer.random.below(5) {
            let prefix = writer.random.pick(&["", "", "", "> ", "> ", "> > ", "| "]);
            let words = 30 + writer.random.below(82);
            let urls = writer.random.pick(&[0, 0, 1, 1, 1]);
            writer.paragraph(prefix, words, urls);
        }
    }
    writer.text
}

/// Generates *dense*, at least `size` bytes.
pub(crate) fn dense(size: usize) -> Text {
    let mut writer = Writer::new(1808, size, 12);
    while writer.text.bytes.len() < size {
        let url = writer.url();
        writer.plant(&url);
        let words = (writer.random.pick(WORDS), writer.random.pick(WORDS));
        match writer.random.below(6) {
            0 => writer.line(&format!("* {url} ({} {})", words.0, words.1)),
            1 => writer.line(&format!("{} {}: {url}", words.0, words.1)),
            2 => writer.line(&format!("<li><a href=\"{url}\">{} {} {}</a>", words.0, words.1, words.0)),
            3 => writer.line(&format!("see <URL:{url}> {} {}", words.0, words.1)),
            _ => writer.line(&format!("{} {} {url} {}", words.0, words.1, words.0)),
        }
    }
    writer.text
}

/// Generates *nourl*, at least `size` bytes.
pub(crate) fn nourl(size: usize) -> Text {
    let mut writer = Writer::new(3986, size, 21);
    while writer.text.bytes.len() < size {
        for _ in 0..40 {
            let words = 60 + writer.random.below(120);
            writer.paragraph("", words, 0);
        }
        let headline = writer.random.pick(&["NEWS: ", "GOOD NEWS:everyone ", "News:", "BAD-NEWS: ", "URL: "]);
        let words = (writer.random.pick(WORDS), writer.random.pick(WORDS));
        writer.line(&format!("{headline}{} {}", words.0, words.1));
        writer.line("");
    }
    writer.text
}
