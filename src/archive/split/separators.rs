//! Finds the separators of an input while it is read.

use std::ops::{ControlFlow, Range};

use memchr::memchr_iter;

use crate::archive::split::cuts::Cut;
use crate::archive::split::folders::{self, Between, DBOX_END, FOLDER_LOOK};
use crate::archive::split::piece::{Length, MESSAGE_CAP};
use crate::archive::split::separator::{self, Claim, Fields, HEADER_LOOK, MBOX_LOOK, RNEWS_LOOK};
use crate::bytes::needle;
use crate::bytes::simd::Backend;

/// The number of bytes kept before a separator's line: the two line breaks of an empty line, as
/// CRLF.
const CONTEXT: usize = 4;

/// The kind of line at which messages begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SeparatorKind {
    Mbox,
    Rnews,
    Mmdf,
    Babyl,
    Dbox,
    Emlx,
    Warc,
}

impl SeparatorKind {
    /// Returns the bytes to search for.
    fn needle(self) -> &'static [u8] {
        match self {
            // A bare separator may have lost its blank.
            SeparatorKind::Mbox => b"From",
            SeparatorKind::Rnews => b"#! rnews ",
            SeparatorKind::Mmdf => b"\x01\x01\x01\x01",
            SeparatorKind::Babyl => b"\x1F",
            SeparatorKind::Dbox => b"\x01",
            // The property list after the message begins with this.
            SeparatorKind::Emlx => b"<?xml ",
            SeparatorKind::Warc => separator::WARC_START,
        }
    }

    /// Returns the maximum number of bytes that are needed to recognise a separator.
    fn look(self) -> usize {
        match self {
            SeparatorKind::Mbox => MBOX_LOOK,
            SeparatorKind::Rnews => RNEWS_LOOK,
            SeparatorKind::Warc => separator::WARC_LOOK,
            _ => FOLDER_LOOK,
        }
    }

    /// Returns the number of bytes that the end of a claim needs beyond a separator.
    fn context(self) -> usize {
        match self {
            SeparatorKind::Mbox | SeparatorKind::Rnews | SeparatorKind::Warc => CONTEXT,
            _ => 0,
        }
    }
}

/// The buffered bytes of the input.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) bytes: &'t [u8],
    /// The offset of the bytes in the input.
    pub(super) base: u64,
    /// The offset of the first byte that was read.
    pub(super) start: u64,
    /// The first offset at which a separator is searched for.
    pub(super) first: u64,
    /// Whether the input ends with these bytes.
    pub(super) is_last: bool,
}

impl Text<'_> {
    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    /// Returns true if the text begins with the input, or with the separator at which the reader
    /// begins.
    fn is_at_start(&self) -> bool {
        self.base == self.start && (self.start == 0 || self.start == self.first)
    }

    /// Returns true if `look` bytes from `at` on are not yet available.
    fn is_short(&self, at: usize, look: usize) -> bool {
        !self.is_last && self.bytes.len() < at.saturating_add(look)
    }

    /// Returns the decision to wait for `look` bytes from `at` on.
    fn wait(&self, at: usize, look: usize) -> Decision {
        Decision::Wait(self.base + (at + look) as u64)
    }
}

/// A separator or a marked line.
pub(super) enum Sighting {
    Separator {
        /// The start of a piece. `None` within a proved claim.
        cut: Option<Cut>,
        /// Whether a longer input may change the decision on the separator's claim.
        is_open: bool,
    },
    /// A line with a mark (`>From `), which is not a separator, with the offset of its `From`.
    Stuffed(u64),
}

/// A separator, and its effect on the search.
struct Separator {
    cut: Cut,
    /// The length of the message's header. It is 0 if unknown.
    header: u64,
    /// The end of the separator's claim if the claim is proved, or if the file is an emlx.
    /// Otherwise 0.
    hides: u64,
    is_open: bool,
}

/// The decision about a possible separator.
enum Decision {
    Nothing,
    Separator(Separator),
    /// The decision needs the input up to this offset.
    Wait(u64),
}

/// A possible separator that needs more input.
#[derive(Clone, Copy)]
struct Wait {
    /// The decision needs the input up to this offset.
    until: u64,
    /// Whether an empty line precedes it. This is stored, because the empty line may leave the
    /// buffer before the decision.
    is_after_empty: bool,
}

/// The counts of separators in a range of the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SeparatorCounts {
    /// The number of separators that begin messages.
    pub(crate) messages: u64,
    /// The offset of the first separator, even within a proved claim.
    pub(crate) first: Option<u64>,
    /// The end of the proved claim that reaches farthest.
    pub(crate) hidden_until: u64,
}

/// A cache of a range in which no empty line ends a header. Separators may follow each other
/// without an empty line. Without the cache, each separator would search the same 64 KiB for an
/// empty line (1.8 MB/s).
#[derive(Default)]
struct Endless(Range<u64>);

impl Endless {
    /// Reads the header at an offset of the text, like [`separator::fields`].
    fn fields(&mut self, text: Text<'_>, at: usize, backend: Backend) -> Option<Fields> {
        if self.holds(text, at) {
            return Some(Fields::default());
        }
        let fields = separator::fields(&text.bytes[at..], backend)?;
        if fields.body.is_none() {
            let start = text.base + at as u64;
            self.0 = start..start + HEADER_LOOK as u64;
        }
        Some(fields)
    }

    /// Returns true if the header is too long to find its end. Searches only the bytes after the
    /// cached range.
    fn holds(&mut self, text: Text<'_>, at: usize) -> bool {
        let end = at.saturating_add(HEADER_LOOK);
        if !self.0.contains(&(text.base + at as u64)) || text.bytes.len() < end {
            return false;
        }
        // An empty line may straddle the end of the cached range.
        let from = ((self.0.end - text.base) as usize).saturating_sub(2);
        let new = &text.bytes[from..end];
        if memchr_iter(b'\n', new).any(|at| matches!(new[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..])) {
            return false;
        }
        self.0.end = text.base + end as u64;
        true
    }
}

pub(super) struct Separators {
    /// `None` if the input has no separators.
    kind: Option<SeparatorKind>,
    backend: Backend,
    endless: Endless,
    /// All separators before this offset were found. If `wait` is set, a possible separator begins
    /// at this offset.
    settled: u64,
    /// The input that is needed to decide on that possible separator.
    wait: Option<Wait>,
    /// Separators before this offset are within a proved claim.
    hidden_until: u64,
    /// The range of separators that are counted. Earlier separators only show the ends of headers.
    range: Range<u64>,
    counts: SeparatorCounts,
}

impl Separators {
    /// Returns a search for separators. The input is read from `start` on, and `range` is searched.
    /// Separators before `hidden_until` are within a proved claim of a separator before the range.
    pub(super) fn new(
        kind: Option<SeparatorKind>,
        backend: Backend,
        start: u64,
        range: Range<u64>,
        hidden_until: u64,
    ) -> Separators {
        Separators {
            kind,
            backend,
            endless: Endless::default(),
            settled: start,
            wait: None,
            hidden_until,
            range,
            counts: SeparatorCounts::default(),
        }
    }

    /// Returns the first offset at which a separator is searched for.
    pub(super) fn first(&self) -> u64 {
        self.range.start
    }

    /// Returns the counts of the separators found so far in the range.
    pub(super) fn counts(&self) -> SeparatorCounts {
        self.counts
    }

    /// Returns the offset before which all separators were found.
    pub(super) fn settled(&self) -> u64 {
        self.settled
    }

    /// Finds the next separator or marked line. Returns `None` if that needs more input.
    pub(super) fn next(&mut self, text: Text<'_>) -> Option<Sighting> {
        let Text { bytes, base, is_last, .. } = text;
        let Some(kind) = self.kind else {
            self.settled = text.end();
            return None;
        };
        if self.wait.is_some_and(|wait| text.end() < wait.until) && !is_last {
            return None;
        }
        loop {
            let from = (self.settled - base) as usize;
            let wait = self.wait.take();
            let at = if wait.is_some() || text.is_at_start() && self.settled == text.start && is_start(bytes, kind) {
                Some(from)
            } else {
                needle::find(self.backend, bytes, from, kind.needle())
            };
            let Some(at) = at else {
                // The text read so far may end within a needle. The next search also needs the
                // empty line before that needle.
                let kept = kind.needle().len() + CONTEXT;
                self.settled = match is_last {
                    true => text.end(),
                    false if self.settled == text.start && bytes.len() < kept => text.start,
                    false => self.settled.max(text.end().saturating_sub(kept as u64)),
                };
                return None;
            };
            let start = base + at as u64;
            self.settled = start + 1;
            if at > 0 && kind == SeparatorKind::Mbox && !ends_word(&bytes[at + kind.needle().len()..]) {
                continue;
            }
            if kind == SeparatorKind::Emlx && at > 0 {
                // The property list begins at the end of the message, which the first line states.
                if start == self.hidden_until {
                    let cut = Cut { is_closing: true, ..Cut::bare(start) };
                    return Some(Sighting::Separator { cut: Some(cut), is_open: false });
                }
                continue;
            }
            if at > 0 && bytes[at - 1] != b'\n' && wait.is_none() {
                if bytes[at - 1] == b'>' {
                    return Some(Sighting::Stuffed(start));
                }
                continue;
            }
            let is_after_empty =
                wait.map_or_else(|| is_after_empty_line(bytes, at, text.is_at_start()), |wait| wait.is_after_empty);
            if let ControlFlow::Break(sighting) = self.decided(text, kind, at, is_after_empty) {
                return sighting;
            }
        }
    }

    /// Decides what begins at a possible separator. `Break(None)` means that more input is needed.
    /// This is not inlined, because its setup would slow down every marked line.
    #[inline(never)]
    fn decided(
        &mut self,
        text: Text<'_>,
        kind: SeparatorKind,
        at: usize,
        is_after_empty: bool,
    ) -> ControlFlow<Option<Sighting>> {
        let start = text.base + at as u64;
        match self.decide(text, kind, at, is_after_empty) {
            Decision::Wait(until) if !text.is_last => {
                (self.settled, self.wait) = (start, Some(Wait { until, is_after_empty }));
                ControlFlow::Break(None)
            }
            Decision::Separator(Separator { cut, header, hides, is_open }) => {
                // No message begins within a header, so the search continues after it.
                self.settled = cut.message + header;
                if start < self.range.start {
                    return ControlFlow::Continue(());
                }
                let is_hidden = start < self.hidden_until;
                self.hidden_until = self.hidden_until.max(hides);
                if start < self.range.end {
                    let SeparatorCounts { messages, first, hidden_until } = &mut self.counts;
                    *messages += u64::from(!is_hidden);
                    first.get_or_insert(start);
                    *hidden_until = hides.max(*hidden_until);
                }
                ControlFlow::Break(Some(Sighting::Separator { cut: (!is_hidden).then_some(cut), is_open }))
            }
            Decision::Nothing | Decision::Wait(_) => ControlFlow::Continue(()),
        }
    }

    /// Decides whether a separator begins at a place.
    fn decide(&mut self, text: Text<'_>, kind: SeparatorKind, at: usize, is_after_empty: bool) -> Decision {
        let look = kind.look();
        if text.is_short(at, look) {
            return text.wait(at, look);
        }
        let (rest, start) = (&text.bytes[at..], text.base + at as u64);
        let mark = if at == 0 { mark(text.bytes) } else { 0 };
        match kind {
            SeparatorKind::Mbox => match separator::mbox(&rest[mark..], is_after_empty) {
                Some(line) => self.with_header(text, kind, at, mark + line),
                None => Decision::Nothing,
            },
            SeparatorKind::Warc => match separator::record_line(&rest[mark..]) {
                Some(line) => self.with_header(text, kind, at, mark + line),
                None => Decision::Nothing,
            },
            SeparatorKind::Rnews => match separator::rnews(&rest[mark..]).map(|claim| claim.shifted(mark)) {
                Some(claim) => weigh(text, kind, at, claim.body, Fields { claim: Some(claim), ..Fields::default() }),
                None => Decision::Nothing,
            },
            _ => match between(kind, &rest[mark..], text.is_last) {
                None => Decision::Nothing,
                Some(Between::Closing) => {
                    let cut = Cut { is_closing: true, ..Cut::bare(start) };
                    Decision::Separator(Separator { cut, header: 1, hides: 0, is_open: false })
                }
                Some(Between::Message { after, length }) => {
                    let body = mark + after;
                    let claim = length.map(|length| Claim { body, length });
                    weigh(text, kind, at, body, Fields { claim, ..Fields::default() })
                }
            },
        }
    }

    /// Reads the header after the line of a separator, which is `line` bytes long.
    fn with_header(&mut self, text: Text<'_>, kind: SeparatorKind, at: usize, line: usize) -> Decision {
        let rest = text.bytes.len() - at;
        let fields = match self.endless.fields(text, at + line, self.backend) {
            Some(fields) => Fields { claim: fields.claim.map(|claim| claim.shifted(line)), ..fields },
            // The rest may belong to the unfinished header, and the message may continue the previous
            // one.
            None if text.is_last => Fields { body: Some(rest - line), continues: true, ..Fields::default() },
            // Waits until twice as much input is available. Otherwise the header would be read again
            // for every byte of a slow pipe.
            None => return text.wait(at, 2 * rest),
        };
        weigh(text, kind, at, line, fields)
    }
}

/// Returns the separator at a place, whose message begins `line` bytes later, with the result of
/// its claim.
#[inline(always)]
fn weigh(text: Text<'_>, kind: SeparatorKind, at: usize, line: usize, fields: Fields) -> Decision {
    let Fields { claim, body, plain_body, continues } = fields;
    let start = text.base + at as u64;
    // Each record of a web archive is independent.
    let continues = continues && kind == SeparatorKind::Mbox;
    let decided = |length, hides, is_open| {
        // Writers of MMDF mark lines as in an mbox. The search does not find these marks, so the
        // whole message may have them.
        let stuffed = (kind == SeparatorKind::Mmdf).then_some((start, u64::MAX));
        let cut = Cut { message: start + line as u64, length, stuffed, plain_body, continues, ..Cut::bare(start) };
        Decision::Separator(Separator { cut, header: body.unwrap_or(0) as u64, hides, is_open })
    };
    // `hidden_until` already covers the claims of separators before the wanted range.
    let Some(Claim { body, length }) = claim.filter(|_| text.first <= start) else {
        return decided(Length::Unstated, 0, false);
    };
    if kind == SeparatorKind::Emlx {
        return decided(Length::Unstated, (start + body as u64).saturating_add(length), false);
    }
    let Some(claimed) = usize::try_from(length).ok().filter(|claimed| *claimed <= MESSAGE_CAP - body) else {
        return decided(Length::Ignored, 0, false);
    };
    let (end, look) = (at + body + claimed, kind.look() + kind.context());
    if text.is_short(end, look) {
        return text.wait(end, look);
    }
    let is_open = text.bytes.len() < end.saturating_add(look);
    match proof(text, kind, end) {
        Some(end) => decided(Length::Proved, text.base + end as u64, is_open),
        None => decided(Length::Ignored, 0, is_open),
    }
}

/// Parses a separator of a container other than an mbox, a batch and a web archive. This is
/// `#[cold]`, so that the code for these three stays small.
#[cold]
fn between(kind: SeparatorKind, text: &[u8], is_last: bool) -> Option<Between> {
    match kind {
        SeparatorKind::Mmdf => folders::mmdf(text, is_last),
        SeparatorKind::Babyl => folders::babyl(text, is_last),
        SeparatorKind::Dbox => folders::dbox(text),
        SeparatorKind::Emlx => folders::emlx(text),
        SeparatorKind::Mbox | SeparatorKind::Rnews | SeparatorKind::Warc => None,
    }
}

/// Returns the offset that proves a claim up to `end`. A separator, the end mark of a dbox, or the
/// input's end proves it.
fn proof(text: Text<'_>, kind: SeparatorKind, end: usize) -> Option<usize> {
    let bytes = text.bytes;
    let mut at = end;
    let breaks = match kind {
        // Two line breaks end a record of a web archive, too.
        SeparatorKind::Mbox | SeparatorKind::Warc => 2,
        // `git cat-file --batch='#! rnews %(objectsize)'` writes one line break.
        SeparatorKind::Rnews => 1,
        _ => 0,
    };
    for _ in 0..=breaks {
        let rest = bytes.get(at..)?;
        let is_separator = match kind {
            SeparatorKind::Mbox => {
                let is_after_empty = is_after_empty_line(bytes, at, text.is_at_start());
                (is_after_empty || bytes[..at].ends_with(b"\n")) && separator::mbox(rest, is_after_empty).is_some()
            }
            SeparatorKind::Warc => bytes[..at].ends_with(b"\n") && separator::record_line(rest).is_some(),
            SeparatorKind::Rnews => bytes[..at].ends_with(b"\n") && separator::rnews(rest).is_some(),
            _ => rest.starts_with(DBOX_END),
        };
        if is_separator || rest.is_empty() && text.is_last {
            return Some(at);
        }
        at += match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return None,
        };
    }
    None
}

/// Returns true unless a word continues here. For example, `From:` does not begin a separator.
fn ends_word(rest: &[u8]) -> bool {
    matches!(rest, [] | [b' ' | b'\r' | b'\n', ..])
}

pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Returns the length of the byte order mark before the first separator, or 0.
fn mark(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Returns true if the input may begin with a separator.
fn is_start(text: &[u8], kind: SeparatorKind) -> bool {
    match kind {
        // The file begins with a message's length, which may be any number.
        SeparatorKind::Emlx => !text.is_empty(),
        _ => text[mark(text)..].starts_with(kind.needle()),
    }
}

/// Returns true if the line at `at` follows an empty line. `is_start` means that the input begins
/// with the text.
fn is_after_empty_line(text: &[u8], at: usize, is_start: bool) -> bool {
    let before = &text[..at];
    before.ends_with(b"\n\n")
        || before.ends_with(b"\n\r\n")
        || is_start && matches!(before, [] | [b'\n'] | [b'\r', b'\n'])
}
