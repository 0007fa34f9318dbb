//! Pages that a mail archiver generates: the archiver's own links, and the details that it prints
//! about each message.
//!
//! Pipermail, hypermail, MHonArc, HyperKitty and the plain pages of Google Groups leave marks
//! around the body of a message. The archiver made every link outside of the bodies: to reply, to
//! the next message, to an index.

use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use bstr::ByteSlice;
use memchr::memmem;
use percent_encoding::percent_decode;

use super::part::{Html, Link, LinkOrigin};
use super::reader::{OpenElements, Reader};
use crate::archive::header;
use crate::archive::message::Envelope;

/// The page layout of one archiver.
pub(super) struct Archiver {
    /// Strings that identify the archiver. One of them must occur in the first [`BEGINNING`] bytes
    /// of a page.
    signs: &'static [&'static [u8]],
    /// The mark before the body of each message.
    body: &'static [u8],
    /// The marks that may follow a body. The mark that occurs first ends the body.
    ends: &'static [&'static [u8]],
    /// Matches the mark before a body (pattern 0) and the marks after it (the rest).
    marks: OnceLock<Option<AhoCorasick>>,
    envelope: fn(&Surroundings<'_>) -> Envelope,
}

/// The number of bytes at the start of a page that are searched for signs of an archiver.
const BEGINNING: usize = 16 << 10;
/// The maximum number of messages per page whose envelopes are read.
const MOST_MESSAGES: usize = 4096;
/// The maximum length of a printed field, such as a subject or a sender.
const FIELD: usize = 4096;

static ARCHIVERS: [Archiver; 5] = [
    Archiver {
        signs: &[b"<!--beginarticle-->", b".html#start\">[ ", b"/thread.html\">[ Thread ]</a>"],
        body: b"<!--beginarticle-->",
        ends: &[b"<!--endarticle-->"],
        marks: OnceLock::new(),
        envelope: pipermail,
    },
    Archiver {
        signs: &[b"<!-- MHonArc v", b"<!--X-Body-of-Message-->"],
        body: b"<!--X-Body-of-Message-->",
        // The last mark is from The Mail Archive.
        ends: &[b"<!--X-Body-of-Message-End-->", b"<!--X-MsgBody-End-->", b"<div class=\"msgButtons"],
        marks: OnceLock::new(),
        envelope: mhonarc,
    },
    Archiver {
        signs: &[b"<!-- body=\"start\" -->", b"content=\"hypermail ", b"<!-- received=\""],
        body: b"<!-- body=\"start\" -->",
        ends: &[b"<!-- body=\"end\" -->"],
        marks: OnceLock::new(),
        envelope: hypermail,
    },
    Archiver {
        signs: &[b"/hyperkitty/img/", b"/hyperkitty/libs/"],
        body: b"class=\"email-body",
        ends: &[b"class=\"attachments\"", b"class=\"email-info"],
        marks: OnceLock::new(),
        envelope: hyperkitty,
    },
    Archiver {
        signs: &[b"<td class=\"lastPostDate\">"],
        body: b"<td class=\"snippet\">",
        ends: &[b"<td class=\"subject\">", b"</body>"],
        marks: OnceLock::new(),
        envelope: google_groups,
    },
];

/// Matches the signs of all archivers, and maps each sign to its archiver's index.
static SIGNS: LazyLock<Option<(AhoCorasick, Vec<usize>)>> = LazyLock::new(|| {
    let (mut signs, mut archivers) = (Vec::<&[u8]>::new(), Vec::new());
    for (index, archiver) in ARCHIVERS.iter().enumerate() {
        signs.extend(archiver.signs);
        archivers.resize(signs.len(), index);
    }
    // The vector search of the crate (Teddy) only supports leftmost matches.
    let matcher = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(signs).ok()?;
    Some((matcher, archivers))
});

/// Returns the archiver that made a page, if the page begins with one of its signs.
fn archiver(page: &[u8]) -> Option<&'static Archiver> {
    let (signs, archivers) = SIGNS.as_ref()?;
    let found = signs.find(&page[..page.len().min(BEGINNING)])?;
    Some(&ARCHIVERS[archivers[found.pattern().as_usize()]])
}

impl Archiver {
    /// Returns the ranges of the message bodies in a text. If `is_in_body`, the text begins within
    /// a body, and the first range is the rest of that body.
    fn bodies(&self, text: &[u8], is_in_body: bool) -> Vec<Range<usize>> {
        let patterns = || AhoCorasick::new(std::iter::once(&self.body).chain(self.ends)).ok();
        let Some(marks) = self.marks.get_or_init(patterns) else { return Vec::new() };
        let mut bodies = Vec::new();
        let mut start = is_in_body.then_some(0);
        for mark in marks.find_iter(text) {
            start = match (start, mark.pattern().as_usize()) {
                (None, 0) => Some(mark.end()),
                (Some(start), end) if end > 0 => {
                    bodies.push(start..mark.start());
                    None
                }
                _ => start,
            };
        }
        bodies.extend(start.map(|start| start..text.len()));
        bodies
    }
}

/// Marks each link as the archiver's or a message's, window by window.
#[derive(Default)]
pub(super) struct PageLinks {
    archiver: Option<&'static Archiver>,
    /// Whether the first window has been read.
    has_begun: bool,
    /// Whether the next window begins within a body.
    is_in_body: bool,
}

impl PageLinks {
    /// Sets the origin of each link and value of the next window, given the window's source.
    pub(super) fn mark(&mut self, source: &[u8], html: &mut Html<'_>) {
        if !self.has_begun {
            (self.archiver, self.has_begun) = (archiver(source), true);
        }
        let Some(archiver) = self.archiver else { return };
        let bodies = archiver.bodies(source, self.is_in_body);
        self.is_in_body = bodies.last().is_some_and(|body| body.end == source.len());
        let is_around = |at: usize| {
            let before = bodies.partition_point(|body| body.end <= at);
            bodies.get(before).is_none_or(|body| body.start > at)
        };
        html.others.mark(is_around);
        for index in 0..html.links.len() {
            let link = &html.links[index];
            let is_archivers = is_around(link.source.start) || is_reply(html, link);
            html.links[index].origin = if is_archivers { LinkOrigin::Archiver } else { LinkOrigin::Message };
        }
    }
}

/// Returns whether an archiver turned an address in a message into a link, to reply or to hide the
/// address.
///
/// Authors also write `<a href="mailto:…">`, but not in plain text, which archivers show
/// preformatted.
fn is_reply(html: &Html<'_>, link: &Link<'_>) -> bool {
    let value = link.value.to_ascii_lowercase();
    let answers =
        value.starts_with(b"mailto:") && (value.contains_str("subject=re:") || value.contains_str("subject=re%3a"));
    (link.is_preformatted || answers) && html.anchor_text(link).is_some_and(|text| is_address(&text))
}

/// Returns whether a text is an address: `joe@a.example`, or `joe at a.example` if an archiver hid
/// it.
fn is_address(text: &[u8]) -> bool {
    let parts =
        text.split_once_str(" at ").or_else(|| text.split_once_str("@")).or_else(|| text.split_once_str("_at_"));
    let is_part =
        |part: &[u8]| !part.is_empty() && !part.iter().any(|byte| byte.is_ascii_whitespace() || b"/:<>".contains(byte));
    parts.is_some_and(|(local, host)| is_part(local) && is_part(host))
}

/// The messages that a page shows.
#[derive(Debug, Default)]
pub(crate) struct PageMessages {
    /// The range of each message and the details printed before it, and its envelope.
    messages: Vec<(Range<usize>, Arc<Envelope>)>,
}

impl PageMessages {
    /// Reads the messages of a whole page. Returns none if no archiver made the page.
    pub(crate) fn of(page: &[u8]) -> PageMessages {
        let mut messages = Vec::new();
        let Some(archiver) = archiver(page) else { return PageMessages { messages } };
        let bodies = archiver.bodies(page, false);
        let mut from = 0;
        for (index, body) in bodies.iter().take(MOST_MESSAGES).enumerate() {
            let next = bodies.get(index + 1);
            let behind = &page[body.end..next.map_or(page.len(), |next| next.start)];
            let envelope = (archiver.envelope)(&Surroundings { page, before: &page[from..body.start], behind });
            // The last message reaches to the end of the page.
            let end = next.map_or(page.len(), |_| body.end);
            messages.push((from..end, Arc::new(envelope)));
            from = end;
        }
        PageMessages { messages }
    }

    /// Returns the envelope of the message around an offset.
    pub(crate) fn around(&self, at: usize) -> Option<&Arc<Envelope>> {
        let before = self.messages.partition_point(|(message, _)| message.end <= at);
        self.messages.get(before).map(|(_, envelope)| envelope)
    }
}

/// The text that a page prints around a message's body.
struct Surroundings<'p> {
    page: &'p [u8],
    before: &'p [u8],
    behind: &'p [u8],
}

fn pipermail(printed: &Surroundings<'_>) -> Envelope {
    let heading = printed.before;
    let rest = heading.find("</H1>").map_or(heading, |end| &heading[end..]);
    let name = between(rest, b"<B>", b"</B>");
    let address = rest.find("</B>").map(|end| &rest[end..]).and_then(|rest| between(rest, b"\">", b"</A>"));
    Envelope {
        id: answered(heading),
        date: between(rest, b"<I>", b"</I>").and_then(header::date),
        from: sender(name.and_then(text_of), address.and_then(text_of)),
        subject: between(heading, b"<H1>", b"</H1>").and_then(text_of),
        ..Envelope::default()
    }
}

fn mhonarc(printed: &Surroundings<'_>) -> Envelope {
    let heading = printed.before;
    let comment = |name: &str| between(heading, format!("<!--X-{name}: ").as_bytes(), b" -->");
    // The comment holds an address between unescaped `<` and `>`.
    let field = |name: &str| comment(name).and_then(|text| text_of(&text.replace("<", "&lt;")));
    Envelope {
        id: field("Message-Id"),
        date: field("Date").and_then(|date| header::date(date.as_bytes())),
        from: field("From-R13").map(|from| unrotated(&from)).or_else(|| field("From")),
        subject: field("Subject"),
        ..Envelope::default()
    }
}

fn hypermail(printed: &Surroundings<'_>) -> Envelope {
    let heading = printed.before;
    let field = |name: &str| between(heading, format!("<!-- {name}=\"").as_bytes(), b"\" -->").and_then(text_of);
    let date = field("sent").or_else(|| field("received"));
    Envelope {
        id: field("id"),
        date: date.and_then(|date| header::date(date.as_bytes())),
        from: sender(field("name"), field("email")),
        subject: field("subject"),
        ..Envelope::default()
    }
}

fn hyperkitty(printed: &Surroundings<'_>) -> Envelope {
    let heading = printed.before;
    let title = &printed.page[..printed.page.len().min(BEGINNING)];
    let title = between(title, b"<h1>", b"</h1>").or_else(|| between(title, b"<h3>", b"</h3>"));
    let date = between(heading, b"s time: ", b"\"").and_then(text_of);
    Envelope {
        id: answered(printed.behind),
        // HyperKitty writes `Jan. 3, 2005, 10:11 a.m.`, and dates are parsed without dots.
        date: date.and_then(|date| header::date(date.replace('.', "").as_bytes())),
        from: between(heading, b"<span class=\"name\">", b"</span>").and_then(text_of),
        subject: between(heading, b"New subject: ", b"</div>").or(title).and_then(text_of),
        ..Envelope::default()
    }
}

/// Reads no date, because the page shows it in the format of an unknown country.
fn google_groups(printed: &Surroundings<'_>) -> Envelope {
    let heading = printed.before;
    let row = heading.rfind("<td class=\"subject\">").map_or(heading, |start| &heading[start..]);
    Envelope {
        from: between(row, b"<td class=\"author\">", b"</td>").and_then(text_of),
        subject: between(row, b"\">", b"</a>").and_then(text_of),
        ..Envelope::default()
    }
}

/// Returns the text between two marks. The second mark must end within [`FIELD`] bytes after the
/// first.
fn between<'t>(text: &'t [u8], open: &[u8], close: &[u8]) -> Option<&'t [u8]> {
    let start = memmem::find(text, open)? + open.len();
    let rest = &text[start..text.len().min(start + FIELD)];
    Some(&rest[..memmem::find(rest, close)?])
}

/// Returns the text that a piece of HTML shows, on one line. Returns `None` if it shows none, or if
/// its first word is too long.
fn text_of(html: &[u8]) -> Option<String> {
    let mut reader = Reader::new(html, OpenElements::default(), usize::MAX);
    reader.run();
    let shown = reader.into_text();
    let words: Vec<_> = shown.bytes().to_str_lossy().split_whitespace().map(str::to_string).collect();
    if words.is_empty() { None } else { header::short(words.join(" ")) }
}

/// Returns a sender from a name and an address, with a hidden `@` restored.
fn sender(name: Option<String>, address: Option<String>) -> Option<String> {
    let address = address.map(|address| match address.split_once(" at ") {
        Some((local, host)) if is_address(address.as_bytes()) => format!("{local}@{host}"),
        _ => address,
    });
    match (name, address) {
        (Some(name), Some(address)) if name != address => header::short(format!("{name} <{address}>")),
        (name, address) => name.or(address),
    }
}

/// Returns the Message-ID in the `In-Reply-To` parameter of the reply link.
fn answered(text: &[u8]) -> Option<String> {
    let start = memmem::find(text, b"In-Reply-To=")? + b"In-Reply-To=".len();
    let rest = &text[start..text.len().min(start + FIELD)];
    let value = &rest[..rest.find_byteset("\" \t\r\n")?];
    let id = percent_decode(text_of(value)?.as_bytes()).decode_utf8_lossy().into_owned();
    let id = id.split('&').next().unwrap_or_default().trim_matches(['<', '>']).to_string();
    header::short(id).filter(|id| !id.is_empty())
}

/// Decodes a sender that MHonArc encoded. MHonArc rotates lower-case letters by 13, and the
/// characters from `@` to `[` by 14.
fn unrotated(text: &str) -> String {
    let letter = |letter: char| match letter {
        '@'..='[' => char::from((letter as u8 - b'@' + 14) % 28 + b'@'),
        'a'..='z' => char::from((letter as u8 - b'a' + 13) % 26 + b'a'),
        _ => letter,
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_lie_one_after_the_other_up_to_a_limit() {
        let message =
            |number: usize| format!("<!-- name=\"n{number}\" --><!-- body=\"start\" -->x<!-- body=\"end\" -->\n");
        let page: String = (0..=MOST_MESSAGES).map(message).collect();
        let messages = PageMessages::of(page.as_bytes());
        let sender = |at: usize| messages.around(at).and_then(|envelope| envelope.from.as_deref());
        let body = |number: usize| page.find(&message(number)).map(|start| start + message(number).len() - 24);
        for number in [0, 1, MOST_MESSAGES - 1] {
            assert_eq!(sender(body(number).unwrap()), Some(&*format!("n{number}")));
        }
        assert_eq!(sender(body(MOST_MESSAGES).unwrap()), None);
        assert_eq!(sender(0), Some("n0"));
        let last = PageMessages::of(message(7).as_bytes());
        assert!(last.around(message(7).len() - 1).is_some() && last.around(message(7).len()).is_none());
        assert!(PageMessages::of(b"<p>no archiver's").around(0).is_none());
    }

    #[test]
    fn senders_of_mhonarc() {
        assert_eq!(unrotated("Oaa Bvybg <naaNuneobhe.rknzcyr>"), "Ann Pilot <ann@harbour.example>");
    }
}
