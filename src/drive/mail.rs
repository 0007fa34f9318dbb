//! Archives of mail and news: what a reader of a message would see is searched text by text.
//!
//! The archive floor splits the input into messages and takes those apart; here each text is searched by itself, and what
//! is found gets the [`Place`](super::Place) it comes from. No text goes on in another, so no match depends on how messages
//! are spread over threads (P1), and nothing is to be stitched. Most messages of old archives need no decoding: their
//! header and body are searched where they lie.

use std::borrow::Cow;
use std::io::{self, Read};
use std::mem;
use std::ops::{ControlFlow, Range};

use crate::archive::Container;
use crate::archive::header;
use crate::archive::html::{Html, Link, RunKind};
use crate::archive::message::{Form, Message as _, Note, Part, Segment};
use crate::archive::mime::Mail;
use crate::archive::recognise::is_message;
use crate::archive::split::enclosed::stuffed;
use crate::archive::split::{self, Length, Mark, Piece, Splitter};
use crate::drive::lines::Lines;
use crate::drive::place::{Anchor, Context, Letter, LetterLines, Within};
use crate::drive::stream::{Buffer, Stream};
use crate::drive::{Checkpoint, Extractor, Match, Section, Sink, Stats, Undecoded};
use crate::find::{Anchors, Event, Kind, Pieces, RawMatch, Search, ThinVec, Window};
use crate::url;

/// A longer part of HTML is searched as text: what is made of HTML takes fifteen times its length, of a style sheet full of
/// links forty times. The longest of 700 in real archives has 0.2 MB.
const LONGEST_HTML: usize = 1 << 20;
/// A bag of more is taken by itself: decoding can take seven times the length of a message.
const HEAVY: usize = 4 << 20;
/// An oversize message is delivered in batches of about so many matches.
const OVERSIZE_BATCH: u64 = 4096;
/// One that is passed over is read in pieces of this size.
const PASS: usize = 64 << 10;

impl Extractor {
    /// Finds in an archive of mail or news: in every text that a reader of its messages would see, decoded, in order, and
    /// in bounded memory.
    ///
    /// `container` says what the input is; [`archive::recognise`](crate::archive::recognise) tells. Of the messages only
    /// those are wanted whose separator begins in a range; the reader stands at the start of the input then. Or all from a
    /// [`Checkpoint`] on: then the reader stands there, at its offset, and offsets, lines and numbers go on from what it
    /// says. The matches know their [`place`](Match::place); texts that cannot be decoded are searched as they lie, and
    /// sinks are told of them ([`Sink::undecoded`]). A sink is made with `new` for some messages, filled with their
    /// matches, and delivered, as in `par_stream`, but all on this thread.
    ///
    /// # Errors
    ///
    /// What the reader or `deliver` reports; what was found before is delivered first.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urlgrep::archive::Container;
    ///
    /// struct Urls(Vec<(String, Option<String>)>);
    /// impl urlgrep::Sink for Urls {
    ///     fn add(&mut self, found: &urlgrep::Match<'_>) {
    ///         let id = found.place().and_then(|place| place.message.id.clone());
    ///         self.0.push((found.url().to_string(), id));
    ///     }
    /// }
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mbox = b"From joe@a.example Sat Jan  3 01:05:34 1996\nFrom: joe@a.example\nMessage-ID: <1@a.example>\n\
    ///     Content-Transfer-Encoding: quoted-printable\n\nsee http://a.exam=\nple/=7Ejoe\n";
    /// let mut urls = Vec::new();
    /// urlgrep::Extractor::new().mail(&mbox[..], Container::Mbox, 0..u64::MAX, || Urls(Vec::new()), |sink| {
    ///     urls.extend(sink.0);
    ///     Ok(ControlFlow::Continue(()))
    /// })?;
    /// assert_eq!(urls, [("http://a.example/~joe".to_string(), Some("1@a.example".to_string()))]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn mail<R: Read, B: Sink>(
        &self,
        reader: R,
        container: Container,
        section: impl Into<Section>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let one_by_one = |post: &mut Post<R>, sorter: &Sorter<'_, _>, office: &mut Office<_>| {
            while !post.is_done() {
                if let Some(bag) = post.advance() {
                    let sorted = sorter.sort(bag);
                    if office.take(post, sorter, sorted)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        self.deliver_mail(Post::new(self, reader, container, section.into()), new, deliver, one_by_one)
    }

    /// As [`mail`](Self::mail), with rayon's current threads.
    ///
    /// # Errors
    ///
    /// As [`mail`](Self::mail).
    #[cfg(feature = "parallel")]
    pub fn par_mail<R: Read, B: Sink>(
        &self,
        reader: R,
        container: Container,
        section: impl Into<Section>,
        new: impl Fn() -> B + Sync,
        deliver: impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let together = |post: &mut Post<R>, sorter: &Sorter<'_, _>, office: &mut Office<_>| {
            crate::drive::parallel::in_order(
                post,
                |bag| sorter.sort(bag),
                |post, sorted| office.take(post, sorter, sorted),
            )
        };
        self.deliver_mail(Post::new(self, reader, container, section.into()), new, deliver, together)
    }

    fn deliver_mail<R: Read, B: Sink, N: Fn() -> B, D: FnMut(B) -> io::Result<ControlFlow<()>>>(
        &self,
        mut post: Post<R>,
        new: N,
        deliver: D,
        whole: impl Fn(&mut Post<R>, &Sorter<'_, N>, &mut Office<D>) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let sorter = Sorter { extractor: self, is_message: post.is_message, new };
        let mut office = Office { deliver, stats: Stats::default() };
        let mut flow = whole(&mut post, &sorter, &mut office)?;
        while let Some(oversize) = post.oversize.take()
            && flow.is_continue()
        {
            flow = self.oversize(&mut post, oversize, &sorter.new, &mut office)?;
            if flow.is_continue() {
                flow = whole(&mut post, &sorter, &mut office)?;
            }
        }
        let stats = Stats { bytes: post.splitter.bytes_read(), ..office.stats };
        if flow.is_break() {
            return Ok(stats);
        }
        post.splitter.result()?;
        Ok(Stats { checkpoint: post.checkpoint(), ..stats })
    }

    /// Searches a message that is too long to be held: as text, and as it lies.
    fn oversize<R: Read, B: Sink, D: FnMut(B) -> io::Result<ControlFlow<()>>>(
        &self,
        post: &mut Post<R>,
        Oversize { base, number }: Oversize,
        new: impl Fn() -> B,
        office: &mut Office<D>,
    ) -> io::Result<ControlFlow<()>> {
        let mut stream = Stream::at(self, Buffer::new(post.splitter.oversize(), base), 0, 0..u64::MAX, post.lines);
        let mut undecoded = Some(Undecoded { number, offset: base, part: None, reason: Note::TooLong.as_str() });
        loop {
            let (mut batch, mut count) = (new(), 0);
            if let Some(whole) = undecoded.take() {
                batch.undecoded(&whole);
            }
            let flow = stream.try_for_each(|found| {
                batch.add(found);
                count += 1;
                if count < OVERSIZE_BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if (office.deliver)(batch)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if flow?.is_continue() {
                office.stats.add(&stream.stats());
                office.stats.messages += 1;
                office.stats.note(Note::TooLong);
                post.lines = stream.lines_to_end();
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

/// Splits the input, and counts its lines.
struct Post<R> {
    splitter: Splitter<R>,
    lines: Option<Lines>,
    range: Range<u64>,
    /// Where a later search may go on, as far as messages were given.
    settled: Option<Checkpoint>,
    /// The input is one message.
    is_message: bool,
    /// It comes next.
    oversize: Option<Oversize>,
    /// A heavy bag is under way.
    has_heavy: bool,
}

/// A message that is too long to be held.
#[derive(Clone, Copy)]
struct Oversize {
    /// Offset of the input.
    base: u64,
    number: Option<u64>,
}

impl<R: Read> Post<R> {
    fn new(extractor: &Extractor, reader: R, container: Container, section: Section) -> Self {
        let lines = extractor.counts_lines().then(|| section.lines());
        let Section { range, checkpoint } = section;
        // The splitter keeps what stands before the range to itself, unless its lines are to be counted.
        let given = if lines.is_some() { 0..range.end } else { range.clone() };
        // From the start, for the sake of the message's number and line, if no checkpoint tells them.
        let mut splitter = Splitter::new(reader, container).within(given);
        if let Some(Checkpoint { offset, messages, .. }) = checkpoint {
            splitter = splitter.starting_at(Mark { offset, messages });
        }
        Post {
            splitter,
            lines,
            range,
            settled: None,
            is_message: container == Container::Message,
            oversize: None,
            has_heavy: false,
        }
    }

    fn is_done(&self) -> bool {
        self.oversize.is_some() || self.splitter.is_done()
    }

    fn advance(&mut self) -> Option<Bag> {
        match self.splitter.advance()? {
            split::Part::Batch(mut pieces) => {
                let lines = self.lines;
                self.settle(pieces.bytes(), pieces.base);
                if let Some(lines) = &mut self.lines {
                    lines.advance(pieces.bytes(), pieces.base, pieces.base + pieces.bytes().len() as u64);
                }
                let before = self.range.start.saturating_sub(pieces.base);
                pieces.pieces.retain(|piece| piece.separator.start as u64 >= before);
                if pieces.pieces.is_empty() {
                    self.splitter.recycle(pieces);
                    return None;
                }
                let bag = Bag { pieces, lines };
                self.has_heavy |= bag.is_heavy();
                Some(bag)
            }
            split::Part::Oversize { base, number } => {
                self.settle(&[], base);
                if base < self.range.start {
                    self.pass(base);
                } else {
                    let number = if self.is_message { Some(1) } else { number };
                    self.oversize = Some(Oversize { base, number });
                }
                None
            }
        }
    }

    /// Counts the lines up to where the splitter has settled, if that lies in the bytes at hand, up to which lines are
    /// counted.
    fn settle(&mut self, bytes: &[u8], base: u64) {
        let Mark { offset, messages } = self.splitter.settled_at();
        if let Some(lines) = &mut self.lines
            && offset >= base
        {
            lines.advance(bytes, base, offset);
            self.settled = Some(lines.checkpoint(messages));
        }
    }

    /// Where a later search may go on, if the input came to its end in this one.
    fn checkpoint(&self) -> Option<Checkpoint> {
        let is_whole = self.splitter.has_ended() && self.splitter.end() <= self.range.end;
        self.settled.filter(|settled| is_whole && self.range.start <= settled.offset)
    }

    /// Counts the lines of an oversize message that is not wanted.
    fn pass(&mut self, mut at: u64) {
        let mut text = self.splitter.oversize();
        let mut buffer = vec![0; PASS];
        while let Ok(got @ 1..) = text.read(&mut buffer) {
            if let Some(lines) = &mut self.lines {
                lines.advance(&buffer[..got], at, at + got as u64);
            }
            at += got as u64;
        }
    }
}

#[cfg(feature = "parallel")]
impl<R: Read> crate::drive::parallel::Source for Post<R> {
    type Work = Bag;

    fn must_wait(&self) -> bool {
        self.has_heavy
    }

    fn is_done(&self) -> bool {
        Post::is_done(self)
    }

    fn advance(&mut self) -> Option<Bag> {
        Post::advance(self)
    }
}

/// Some messages, and the line at which they begin.
struct Bag {
    pieces: split::Batch,
    lines: Option<Lines>,
}

impl Bag {
    fn is_heavy(&self) -> bool {
        self.pieces.bytes().len() > HEAVY
    }
}

/// Messages that were searched.
struct Sorted<B> {
    bag: Bag,
    batch: B,
    /// The batch took so much of what was told, and there is more.
    rest: Option<u64>,
    stats: Stats,
}

/// Delivers what was found.
struct Office<D> {
    deliver: D,
    stats: Stats,
}

impl<D> Office<D> {
    fn take<R: Read, B: Sink, N: Fn() -> B>(
        &mut self,
        post: &mut Post<R>,
        sorter: &Sorter<'_, N>,
        sorted: Sorted<B>,
    ) -> io::Result<ControlFlow<()>>
    where
        D: FnMut(B) -> io::Result<ControlFlow<()>>,
    {
        let Sorted { bag, batch, rest, stats } = sorted;
        self.stats.add(&stats);
        let mut flow = (self.deliver)(batch)?;
        if let Some(taken) = rest
            && flow.is_continue()
        {
            flow = sorter.sort_rest(&bag, taken, &mut self.deliver)?;
        }
        post.has_heavy &= !bag.is_heavy();
        post.splitter.recycle(bag.pieces);
        Ok(flow)
    }
}

/// Searches messages.
struct Sorter<'a, N> {
    extractor: &'a Extractor,
    is_message: bool,
    new: N,
}

impl<B: Sink, N: Fn() -> B> Sorter<'_, N> {
    /// Searches all, and takes what one batch holds.
    fn sort(&self, bag: Bag) -> Sorted<B> {
        let (mut batch, mut taken, mut seen, mut is_full) = ((self.new)(), 0, 0, false);
        let stats = self.read(&bag, &mut |told| {
            seen += 1;
            if !is_full {
                told.put(&mut batch);
                taken = seen;
                is_full = batch.is_full();
            }
        });
        Sorted { bag, batch, rest: (taken < seen).then_some(taken), stats }
    }

    /// Searches again, for what a first batch did not hold. So no more than that waits to be delivered, however much
    /// there is; and that it is twice the work counts for little beside all that is made of so many matches.
    fn sort_rest(
        &self,
        bag: &Bag,
        taken: u64,
        deliver: &mut impl FnMut(B) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<ControlFlow<()>> {
        let (mut batch, mut seen) = ((self.new)(), 0);
        let mut flow = Ok(ControlFlow::Continue(()));
        self.read(bag, &mut |told| {
            seen += 1;
            if seen > taken && matches!(flow, Ok(ControlFlow::Continue(()))) {
                told.put(&mut batch);
                if batch.is_full() {
                    flow = deliver(mem::replace(&mut batch, (self.new)()));
                }
            }
        });
        match flow? {
            ControlFlow::Continue(()) => deliver(batch),
            stop => Ok(stop),
        }
    }

    fn read(&self, bag: &Bag, tell: &mut dyn FnMut(Told<'_>)) -> Stats {
        let mut reader = Reader {
            extractor: self.extractor,
            bytes: bag.pieces.bytes(),
            base: bag.pieces.base,
            lines: bag.lines,
            is_message: self.is_message,
            anchors: Anchors::new(self.extractor.options().backend),
            colon: None,
            tell,
            stats: Stats::default(),
        };
        for piece in &bag.pieces.pieces {
            let bytes = &reader.bytes[piece.message.clone()];
            if piece.separator.is_empty() && !self.is_message && !is_message(bytes) {
                reader.text(piece);
            } else {
                reader.letter(piece);
            }
        }
        reader.stats
    }
}

/// What is told to a batch, in order.
enum Told<'a> {
    Found(&'a Match<'a>),
    Undecoded(&'a Undecoded),
}

impl Told<'_> {
    #[inline]
    fn put(self, batch: &mut impl Sink) {
        match self {
            Told::Found(found) => batch.add(found),
            Told::Undecoded(part) => batch.undecoded(part),
        }
    }
}

/// Reads messages, and hands over what it finds.
struct Reader<'a> {
    extractor: &'a Extractor,
    bytes: &'a [u8],
    /// Offset of the bytes in the input.
    base: u64,
    /// Counted up to there.
    lines: Option<Lines>,
    /// The input is one message.
    is_message: bool,
    anchors: Anchors,
    /// The first candidate colon at or after what was asked about last; the end of the bytes if there is none.
    colon: Option<usize>,
    tell: &'a mut dyn FnMut(Told<'_>),
    stats: Stats,
}

impl Reader<'_> {
    /// What stands before the first message is text.
    fn text(&mut self, piece: &Piece) {
        let (text, base) = (&self.bytes[piece.message.clone()], self.base + piece.message.start as u64);
        let options = self.extractor.options();
        let mut lines = self.lines;
        search(self.extractor, text, None, &mut self.stats, |raw| {
            let position = lines.as_mut().map(|lines| lines.position(self.bytes, self.base, base + raw.start as u64));
            (self.tell)(Told::Found(&Match::new(text, base, raw, position, options)));
        });
    }

    /// The first colon at which something may begin in a stretch that is searched as it lies. Stretches are asked about in
    /// their order.
    ///
    /// Many messages of old archives hold no URL, and hardly a header does. So colons are looked for in one walk over all
    /// messages, and nothing is made of a text that has none. That a text ends where the next begins takes some of its
    /// colons away, such as one before the `//` of the next, and never adds one: a scheme's name is a word.
    fn first_colon(&mut self, stretch: Range<usize>) -> Option<usize> {
        let size = self.bytes.len();
        let known = self.colon.filter(|&colon| colon >= stretch.start);
        let next = || self.anchors.next(self.bytes, stretch.start, size).map_or(size, |found| found.colon);
        let colon = known.unwrap_or_else(next);
        self.colon = Some(colon);
        stretch.contains(&colon).then(|| colon - stretch.start)
    }

    fn letter(&mut self, piece: &Piece) {
        let message = &self.bytes[piece.message.clone()];
        self.stats.messages += 1;
        self.stats.false_lengths += u64::from(piece.length == Length::Ignored);
        let plain_body = piece.plain_body.or_else(|| header::plain_body(message));
        debug_assert_eq!(plain_body, header::plain_body(message), "the splitter and the header differ");
        if plain_body.is_some() && self.first_colon(piece.message.clone()).is_none() {
            return;
        }
        let base = self.base + piece.message.start as u64;
        let begins = if piece.separator.is_empty() { piece.message.start } else { piece.separator.start };
        // A first message without its separator has none in an mbox, so that it changes no other's.
        let number = if self.is_message { Some(1) } else { piece.number };
        let mut lines = self.lines.as_mut().map(|lines| {
            lines.advance(self.bytes, self.base, base);
            LetterLines::new(self.bytes, self.base, *lines)
        });
        let letter = Letter::new(message, base, self.base + begins as u64, number, plain_body.is_some());
        let Some(body) = plain_body else {
            let mut noted = None;
            for part in Mail::new(message).parts() {
                if let Some(note) = part.note {
                    self.note(&letter, &part, note, &mut noted);
                }
                let is_stuffed = piece.is_stuffed && part.form == Form::Plain;
                self.part(&letter, &if is_stuffed { unstuffed(part) } else { part }, None, &mut lines);
            }
            return;
        };
        let start = piece.message.start;
        let colon = self.first_colon(start..start + body);
        if colon.is_some() {
            self.part(&letter, &Part::in_place(message, 0..body, Form::Header), colon, &mut lines);
        }
        let colon = self.first_colon(start + body..piece.message.end);
        if colon.is_some() {
            let part = Part::in_place(message, body..message.len(), Form::Plain);
            match piece.is_stuffed {
                true => self.part(&letter, &unstuffed(part), None, &mut lines),
                false => self.part(&letter, &part, colon, &mut lines),
            }
        }
    }

    /// Tells of a part that could not be decoded. One whose base64 holds lines that are none comes in several pieces, one
    /// after the other, and is told of once.
    fn note(&mut self, letter: &Letter<'_>, part: &Part<'_>, note: Note, noted: &mut Option<(Note, Option<String>)>) {
        let this = Some((note, part.number.clone()));
        if *noted != this {
            *noted = this;
            self.stats.note(note);
            let (number, offset, part) = (letter.number, letter.offset, part.number.clone());
            (self.tell)(Told::Undecoded(&Undecoded { number, offset, part, reason: note.as_str() }));
        }
    }

    /// `colon` is the first candidate colon of the part's text, if that is known.
    fn part(
        &mut self,
        letter: &Letter<'_>,
        part: &Part<'_>,
        colon: Option<usize>,
        lines: &mut Option<LetterLines<'_>>,
    ) {
        if let Some(lines) = lines {
            lines.enter_part();
        }
        if part.form == Form::Html && part.text.len() <= LONGEST_HTML {
            return self.html(letter, part, lines);
        }
        let context = Context::new(letter, part, Within::Text(0));
        let options = self.extractor.options();
        search(self.extractor, &part.text, colon, &mut self.stats, |raw| {
            let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
            (self.tell)(Told::Found(&Match::in_archive(&part.text, raw, position, options, &context)));
        });
    }

    /// Links and what is found in the text, in the order of the source.
    fn html(&mut self, letter: &Letter<'_>, part: &Part<'_>, lines: &mut Option<LetterLines<'_>>) {
        let html = Html::read(&part.text);
        let options = self.extractor.options();
        let base = html.base().map(|link| &link.value[..]).filter(|base| has_scheme(base));
        let mut found: Vec<(usize, Within<'_>, Cow<'_, [u8]>, RawMatch)> = Vec::new();
        let anchors: Vec<(Anchor, &Link<'_>)> =
            html.links.iter().filter_map(|link| Some((anchor(&html, link, base)?, link))).collect();
        for (anchor, link) in &anchors {
            let raw = self.link(&link.value, part.text[link.source.clone()].contains(&b'\n'));
            self.stats.matches += 1;
            found.push((anchor.source.start, Within::Link(anchor), Cow::Borrowed(&link.value), raw));
        }
        let text = html.text.bytes();
        search(self.extractor, text, None, &mut self.stats, |raw| {
            let at = html.text.source(raw.start..raw.end).start;
            found.push((at, Within::Html(&html.text), Cow::Borrowed(text), raw));
        });
        for run in &html.runs {
            let text = &part.text[run.source.clone()];
            // The links of a style sheet are known.
            let is_known = |raw: &RawMatch| {
                let (start, end) = (run.source.start + raw.start, run.source.start + raw.end);
                let before = anchors.partition_point(|(anchor, _)| anchor.source.end <= start);
                run.kind == RunKind::Raw && anchors.get(before).is_some_and(|(anchor, _)| anchor.source.start < end)
            };
            let mut known = 0;
            search(self.extractor, text, None, &mut self.stats, |raw| {
                if is_known(&raw) {
                    known += 1;
                    return;
                }
                let at = run.source.start;
                found.push((at + raw.start, Within::Text(at), Cow::Borrowed(text), raw));
            });
            self.stats.matches -= known;
        }
        found.sort_by_key(|&(at, ..)| at);
        for (_, within, text, raw) in found {
            let context = Context::new(letter, part, within);
            let position = lines.as_mut().map(|lines| context.position(raw.start, lines));
            (self.tell)(Told::Found(&Match::in_archive(&text, raw, position, options, &context)));
        }
    }

    fn link(&self, url: &[u8], rejoined: bool) -> RawMatch {
        RawMatch {
            start: 0,
            end: url.len(),
            kind: Kind::Attribute,
            rejoined,
            verdict: url::judge(url, self.extractor.options().parse),
            first: Pieces::One(0..url.len()),
            others: ThinVec::new(),
            goes_on: false,
        }
    }
}

/// The part without the marks that a writer of mailboxes put before lines that begin with `From `.
fn unstuffed(part: Part<'_>) -> Part<'_> {
    let Some(first) = stuffed(&part.text).next() else { return part };
    let mut text = part.text[..first].to_vec();
    let mut segments = vec![Segment::new(0, 0)];
    let mut at = first;
    for mark in stuffed(&part.text) {
        text.extend_from_slice(&part.text[at..mark]);
        at = mark + 1;
        segments.push(Segment::new(text.len(), at));
    }
    text.extend_from_slice(&part.text[at..]);
    Part { positions: part.positions.then(&segments), text: Cow::Owned(text), ..part }
}

/// What is told of a link; `None` if it goes nowhere: to a place in the same part, or relative to a base that nobody named.
fn anchor(html: &Html<'_>, link: &Link<'_>, base: Option<&[u8]>) -> Option<Anchor> {
    let value = &link.value[..];
    let resolved = match base {
        _ if has_scheme(value) => None,
        _ if value.starts_with(b"#") => return None,
        Some(base) => Some(url::generic::resolve(base, value).ok()?),
        None if value.starts_with(b"//") => None,
        None => return None,
    };
    let element = String::from_utf8_lossy(link.element).to_ascii_lowercase();
    let attribute = link.attribute.map_or(element.clone(), |attribute| format!("{element} {attribute}"));
    Some(Anchor { source: link.source.clone(), attribute, text: html.anchor_text(link), resolved })
}

/// True if a reference begins with a scheme; one letter is a drive.
fn has_scheme(reference: &[u8]) -> bool {
    let end = reference.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"+-.".contains(byte)));
    end.is_some_and(|end| {
        end > 1 && reference[end] == b':' && reference[0].is_ascii_alphabetic() && end + 1 < reference.len()
    })
}

/// Tells what is found in a text that is an input of its own; `colon` is its first candidate colon, if that is known.
fn search(
    extractor: &Extractor,
    text: &[u8],
    colon: Option<usize>,
    stats: &mut Stats,
    mut found: impl FnMut(RawMatch),
) {
    let window = Window { text, is_last: true };
    let options = extractor.options();
    let mut search = colon.map_or_else(|| Search::new(options, 0), |first| Search::from_colon(options, first));
    search.run(window, text.len(), |event| {
        match event {
            Event::Refused(_, refusal) => stats.refuse(refusal, true),
            Event::Found(hit) => {
                stats.matches += 1;
                found(hit.first);
                if !hit.rest.is_empty() {
                    for raw in hit.rest {
                        stats.matches += 1;
                        found(raw);
                    }
                }
            }
        }
        ControlFlow::Continue(())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holds so many.
    struct Small(usize, Vec<(String, u64)>);

    impl Sink for Small {
        fn add(&mut self, found: &Match<'_>) {
            self.1.push((found.url().to_string(), found.span().start));
        }

        fn is_full(&self) -> bool {
            self.1.len() >= self.0
        }
    }

    #[test]
    fn what_does_not_fit_a_batch_comes_in_more() {
        let message = |urls: usize| {
            let links: String =
                (0..urls).map(|n| format!("<a href=http://h{n}.example/>http://t{n}.example/</a>\n")).collect();
            let header = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nContent-Type: text/html";
            format!("{header}\n\n{links}\n\n")
        };
        let mbox: String = [0, 1, 5, 40, 2, 0, 3].map(message).concat();
        let found = |size: usize, is_parallel: bool, most: usize| {
            let (mut all, mut batches) = (Vec::new(), 0);
            let deliver = |batch: Small| {
                assert!(batch.1.len() <= size);
                all.extend(batch.1);
                batches += 1;
                Ok(if batches < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            };
            let new = || Small(size, Vec::new());
            let (extractor, input) = (Extractor::new(), mbox.as_bytes());
            let stats = match is_parallel {
                false => extractor.mail(input, Container::Mbox, 0..u64::MAX, new, deliver),
                #[cfg(feature = "parallel")]
                true => extractor.par_mail(input, Container::Mbox, 0..u64::MAX, new, deliver),
                #[cfg(not(feature = "parallel"))]
                true => extractor.mail(input, Container::Mbox, 0..u64::MAX, new, deliver),
            };
            assert_eq!(stats.unwrap().matches, 102);
            (all, batches)
        };
        let (all, batches) = found(1000, false, usize::MAX);
        assert_eq!((all.len(), batches), (102, 1));
        for size in [1, 2, 7, 101, 102, 103] {
            for is_parallel in [false, true] {
                assert_eq!(found(size, is_parallel, usize::MAX).0, all, "{size}");
                let some = found(size, is_parallel, 2).0;
                assert_eq!(some, all[..(2 * size).min(102)], "{size}");
            }
        }
    }
}
