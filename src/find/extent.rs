//! Where a bare URL begins and ends: B-START, B-AUTH, B-HOST, B-MAIL, B-NEWS, B-RUN, B-UNI, B-LIST, B-END.
//!
//! A *run* is the raw stretch of bytes that could belong to the URL; [`Run::end`] trims it to the URL. Both are pure
//! functions of the bytes, so they serve the source and a joined text alike (B-HYPH, B-JOIN).
//!
//! Cost: a run is read once, left to right, and trimmed once, right to left.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::bytes::letters;
use crate::bytes::limits::{RUN_BYTES, SCHEME_RUN};
use crate::find::schemes;

/// Where a URL may begin: the answer of B-START-1 for one colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// First byte of the scheme.
    pub(crate) scheme: usize,
    /// The colon after the scheme.
    pub(crate) colon: usize,
    pub(crate) form: Form,
}

/// What follows the scheme's colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `//` and an authority; for file, the host may be left out.
    Authority { file: bool },
    /// mailto, which has no `//` (B-START-3).
    Mailto,
    /// news, likewise.
    News,
}

impl Start {
    /// The first byte after `scheme://` or `scheme:`, from which brackets are counted (B-RUN-1).
    pub(crate) fn body(&self) -> usize {
        self.colon + if matches!(self.form, Form::Authority { .. }) { 3 } else { 1 }
    }

    pub(crate) fn new(scheme: usize, colon: usize, name: &[u8]) -> Start {
        let form = if schemes::is_mailto(name) {
            Form::Mailto
        } else if schemes::is_news(name) {
            Form::News
        } else {
            Form::Authority { file: schemes::is_file(name) }
        };
        Start { scheme, colon, form }
    }
}

/// The run R of B-START-1: scheme characters before `colon`, at most 256, with leading `+ - .`.
pub(crate) fn word_before(text: &[u8], colon: usize) -> Range<usize> {
    let floor = colon.saturating_sub(SCHEME_RUN);
    let len = text[floor..colon].iter().rev().take_while(|&&b| schemes::is_scheme_byte(b)).count();
    colon - len..colon
}

/// R without its leading marks, and its part after the last `.` (B-START-1 a, b).
fn word_edges(text: &[u8], word: Range<usize>) -> [usize; 2] {
    let marks = text[word.clone()].iter().take_while(|&&b| !b.is_ascii_alphanumeric()).count();
    let first = word.start + marks;
    let last = text[first..word.end].iter().rposition(|&b| b == b'.').map_or(first, |dot| first + dot + 1);
    [first, last]
}

/// True if `URL:` stands before `colon` as a whole word, and where its `U` is (P-FORM-1).
pub(crate) fn prefix_before(text: &[u8], colon: usize) -> Option<usize> {
    // Almost every colon fails here, before anything is read backwards.
    if colon < 3 || !text[colon - 3..colon].eq_ignore_ascii_case(b"URL") {
        return None;
    }
    if colon == 3 || !schemes::is_scheme_byte(text[colon - 4]) {
        return Some(colon - 3);
    }
    let word = word_before(text, colon);
    word_edges(text, word).into_iter().find(|&at| at + 3 == colon)
}

/// B-START-1: the scheme that ends at `colon`, if a URL may begin there. `word` is what [`word_before`] says.
///
/// `slashes`: take `//` to follow, for a scheme that a line break parts from them (B-JOIN, V0a); then only a scheme
/// of K with `//` counts.
pub(crate) fn start(text: &[u8], word: Range<usize>, colon: usize, any_scheme: bool, slashes: bool) -> Option<Start> {
    if word.is_empty() {
        return None; // `://` and nothing before
    }
    let slashes_follow = slashes || text[colon + 1..].starts_with(b"//");
    // Nearly always a scheme of K and nothing else: no marks, no dot.
    let name = &text[word.clone()];
    if slashes_follow && let Some(file) = schemes::is_slashed_file(name) {
        return Some(Start { scheme: word.start, colon, form: Form::Authority { file } });
    }
    let edges = word_edges(text, word.clone());
    // Without a dot the two are one.
    for &at in &edges[..if edges[0] == edges[1] { 1 } else { 2 }] {
        let name = &text[at..colon];
        if schemes::is_opaque(name) {
            if !slashes {
                return Some(Start::new(at, colon, name));
            }
        } else if slashes_follow && if slashes { schemes::is_k(name) } else { schemes::is_known(name) } {
            return Some(Start::new(at, colon, name));
        }
    }
    if !slashes_follow {
        return None;
    }
    if any_scheme && !slashes && schemes::is_letter_led_word(&text[edges[0]..colon]) {
        return Some(Start::new(edges[0], colon, &text[edges[0]..colon]));
    }
    let glued = schemes::k_suffix(&text[word])?;
    Some(Start::new(colon - glued, colon, &text[colon - glued..colon]))
}

/// The raw stretch of a URL, and what was learnt on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Raw end, before B-END. At most one byte past [`RUN_BYTES`].
    pub(crate) end: usize,
    /// End of the host and port; `body` for mailto and news.
    pub(crate) authority_end: usize,
    host: usize,
    /// End of an IP literal that begins the host.
    ip_end: Option<usize>,
    /// The host is letters, digits and `- . _ ~`, a letter or digit first: B-HOST has nothing against it.
    plain_host: bool,
    /// The run ended at a letter beyond ASCII after the authority: there is a longer IRI reading (B-UNI-1).
    pub(crate) foreign: bool,
}

impl Run {
    /// True if the candidate is no URL by B-MAX.
    pub(crate) fn is_too_long(&self, start: &Start) -> bool {
        self.end - start.scheme > RUN_BYTES
    }
}

/// Byte classes of a run after the authority (B-RUN-1). `0` runs on.
const PLAIN: u8 = 0;
/// Ends every run: white space, controls, `< > " ` `` ` `` `\ ^ |`.
const STOP: u8 = 1;
const OPENER: u8 = 2;
const CLOSER: u8 = 3;
/// `,` and `;`, which may part a list (B-LIST); `[` may too.
const COMMA: u8 = 4;
/// `?` and `#`, after which nothing is a list.
const QUERY: u8 = 5;
/// `@`, which ends the run before `{`.
const AT: u8 = 6;
const HIGH: u8 = 7;

static CLASS: [u8; 256] = {
    let mut class = [PLAIN; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'\\' | b'^' | b'|' => STOP,
            b'(' | b'[' | b'{' => OPENER,
            b')' | b']' | b'}' => CLOSER,
            b',' | b';' => COMMA,
            b'?' | b'#' => QUERY,
            b'@' => AT,
            0x80.. => HIGH,
            _ => PLAIN,
        };
        b += 1;
    }
    class
};

/// ASCII that a host and a port may hold (B-AUTH): 0 for what they may not.
static HOST: [u8; 256] = {
    let mut class = [0; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => LETTER,
            b'-' | b'.' | b'_' | b'~' => MARK,
            b'%' | b':' => ESCAPE_OR_PORT,
            _ => 0,
        };
        b += 1;
    }
    class
};
/// ASCII that a userinfo may hold, by the classes of a run (B-AUTH): `STOP` for what it may not.
static USERINFO: [u8; 256] = {
    let mut class = [STOP; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'(' => OPENER,
            b')' => CLOSER,
            b'@' => AT,
            b'!' | b'$' | b'&' | b'\'' | b'*' | b'+' | b',' | b';' | b'=' => PLAIN,
            _ if HOST[b] != 0 => PLAIN,
            _ => STOP,
        };
        b += 1;
    }
    class
};

const LETTER: u8 = 1;
const MARK: u8 = 2;
const ESCAPE_OR_PORT: u8 = 4;

/// True for a byte that ends every run, whatever came before (B-RUN-1). `@{` is the one stop of two bytes.
pub(crate) fn is_hard_stop(text: &[u8], at: usize) -> bool {
    match CLASS[text[at] as usize] {
        STOP => true,
        AT => text.get(at + 1) == Some(&b'{'),
        _ => false,
    }
}

/// The first hard stop in `text[from..to]`.
pub(crate) fn hard_stop(text: &[u8], from: usize, to: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..to)?.iter().position(|&b| matches!(CLASS[b as usize], STOP | AT))?;
        if is_hard_stop(text, at) {
            return Some(at);
        }
        at += 1;
    }
}

/// True for a byte at which a line cannot go on with a URL: a stop, or one beyond ASCII (B-JOIN 1.1).
pub(crate) fn ends_every_run(b: u8) -> bool {
    matches!(CLASS[b as usize], STOP | HIGH)
}

/// How many bytes at the beginning of `text` are plain for every run, and no colon.
pub(crate) fn plain_run(text: &[u8]) -> usize {
    text.iter().take_while(|&&b| CLASS[b as usize] == PLAIN && b != b':').count()
}

/// What the bytes of a run so far say about where it may end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RunState {
    /// Open brackets, each kind counted on its own (B-RUN-1).
    open: [u32; 3],
    /// A `?` or `#` was met: nothing is a list any more (B-LIST).
    in_query: bool,
}

/// `(`, `[` and `{` are counted apart.
pub(crate) fn bracket_kind(b: u8) -> usize {
    match b {
        b'(' | b')' => 0,
        b'[' | b']' => 1,
        _ => 2,
    }
}

impl RunState {
    /// The state after `body`, a URL without its scheme.
    pub(crate) fn after(body: &[u8]) -> RunState {
        let mut state = RunState::default();
        for &b in body {
            state.admits(b);
        }
        state
    }

    /// Takes `b` in. False if it is a closer that has no opener in the run.
    fn admits(&mut self, b: u8) -> bool {
        match CLASS[b as usize] {
            OPENER => self.open[bracket_kind(b)] += 1,
            CLOSER => {
                let count = &mut self.open[bracket_kind(b)];
                let matched = *count > 0;
                *count -= u32::from(matched);
                return matched;
            }
            QUERY => self.in_query = true,
            _ => {}
        }
        true
    }
}

/// Where a run that goes on at `from`, after the authority, ends (B-RUN-1, B-LIST): at most at `limit`. With `iri`,
/// letters beyond ASCII belong to it (B-UNI-1).
pub(crate) fn run_on(text: &[u8], from: usize, limit: usize, iri: bool, state: &mut RunState) -> usize {
    let mut at = from;
    loop {
        at += text[at.min(limit)..limit].iter().take_while(|&&b| CLASS[b as usize] == PLAIN).count();
        if at >= limit {
            return limit; // a letter of several bytes may have stepped over it
        }
        let b = text[at];
        let ends = match CLASS[b as usize] {
            STOP => true,
            HIGH => match letters::decode(text, at).filter(|(c, _)| iri && letters::is_letter(*c)) {
                Some((_, len)) => {
                    at += len;
                    continue;
                }
                None => true,
            },
            AT => text.get(at + 1) == Some(&b'{'),
            _ => !state.in_query && begins_list_item(text, at) || !state.admits(b),
        };
        if ends {
            return at;
        }
        at += 1;
    }
}

/// A run that was read up to the end of its authority.
pub(crate) struct Begun {
    pub(crate) run: Run,
    state: RunState,
    /// A path, query or fragment follows.
    pub(crate) goes_on: bool,
}

impl Begun {
    /// Reads on (B-RUN-1, B-LIST, B-UNI-1).
    pub(crate) fn finish(self, text: &[u8], start: &Start, iri: bool) -> Run {
        let Begun { mut run, mut state, goes_on } = self;
        if goes_on {
            run.end = run_on(text, run.end, limit(text, start), iri, &mut state);
            run.foreign = !iri
                && text.get(run.end).is_some_and(|b| !b.is_ascii())
                && letters::decode(text, run.end).is_some_and(|(c, _)| letters::is_letter(c));
        }
        run
    }
}

/// The run that begins at `start`. `None` by B-START-2 and B-HOST.
pub(crate) fn run(text: &[u8], start: &Start, iri: bool) -> Option<Run> {
    begin(text, start).map(|begun| begun.finish(text, start, iri))
}

/// Where a run is cut: it is too long by then.
fn limit(text: &[u8], start: &Start) -> usize {
    text.len().min(start.scheme + RUN_BYTES + 1)
}

/// Begins a run: B-START-2, B-AUTH, and B-HOST where the host's end is certain.
pub(crate) fn begin(text: &[u8], start: &Start) -> Option<Begun> {
    let body = start.body();
    let mut state = RunState::default();
    let mut run = Run { end: body, authority_end: body, host: body, ip_end: None, plain_host: false, foreign: false };
    let Form::Authority { file } = start.form else {
        return Some(Begun { run, state, goes_on: true });
    };
    if !begins_authority(text, body, file) {
        return None;
    }
    run.read_authority(text, body, limit(text, start), &mut state);
    let goes_on = matches!(text.get(run.end), Some(b'/' | b'?' | b'#'));
    // Before the path is read: a chain such as `http://%s/http://%s/…` must not read it from every link.
    let local = file && text[body] == b'/';
    let may_stand = if goes_on { local || run.host_may_stand(text) } else { run.host_may_begin(text, start) };
    if !may_stand {
        return None;
    }
    Some(Begun { run, state, goes_on })
}

/// B-LIST: true if a `,`, `;` or `[` stands at `at` and a K scheme and `://` after it.
pub(crate) fn begins_list_item(text: &[u8], at: usize) -> bool {
    matches!(text[at], b',' | b';' | b'[') && schemes::starts_with_k(&text[at + 1..], b"://")
}

/// B-START-2: what may follow `//`.
fn begins_authority(text: &[u8], body: usize, file: bool) -> bool {
    let first = match text.get(body) {
        None => false,
        Some(b'[' | b'%' | b'@' | b'_') => true,
        Some(b'/') => file,
        Some(b) if b.is_ascii() => b.is_ascii_alphanumeric(),
        Some(_) => letters::decode(text, body).is_some_and(|(c, _)| letters::is_letter(c)),
    };
    first && !schemes::starts_with_k(&text[body..], b"://")
}

impl Run {
    /// B-AUTH and B-UNI-2: userinfo, host and port.
    fn read_authority(&mut self, text: &[u8], body: usize, limit: usize, state: &mut RunState) {
        // Nearly always a plain host and nothing else: one look at each byte tells where it ends, and that it may stand.
        let stop = self.read_host(text, body, limit);
        if stop == limit || CLASS[text[stop] as usize] == STOP || matches!(text[stop], b'/' | b'?' | b'#') {
            return;
        }
        if let Some(host) = after_userinfo(text, stop, limit, state) {
            self.read_host(text, host, limit);
        }
        let first = text.get(self.host);
        if first == Some(&b'[') {
            self.ip_end = ip_literal(text, self.host, limit);
        }
        if self.ip_end.is_some() || text.get(self.authority_end).is_some_and(|b| !b.is_ascii()) {
            self.plain_host = false;
            self.end = host_end(text, self.ip_end.unwrap_or(self.host), self.host, limit);
            self.authority_end = self.end;
        }
    }

    /// Takes the bytes of an ASCII host and port that begin at `host`; returns where they end.
    fn read_host(&mut self, text: &[u8], host: usize, limit: usize) -> usize {
        let mut seen = 0;
        let classes = text[host..limit].iter().map(|&b| HOST[b as usize]);
        let len = classes.take_while(|&class| class != 0).inspect(|class| seen |= class).count();
        let end = host + len;
        (self.host, self.end, self.authority_end) = (host, end, end);
        self.plain_host = len > 0 && seen & ESCAPE_OR_PORT == 0 && HOST[text[host] as usize] == LETTER;
        end
    }

    /// B-END, then B-HOST, B-MAIL or B-NEWS: the end of the URL, or `None` if there is no URL.
    ///
    /// `before` is the byte right before the URL.
    pub(crate) fn url_end(&self, text: &[u8], start: &Start, before: Option<u8>) -> Option<usize> {
        let body = start.body();
        match start.form {
            Form::Authority { .. } => {
                let end = self.trimmed(text, start, before);
                // Behind the authority the host was looked at when the run was read.
                let stands = end > self.authority_end
                    || self.plain_host && end > self.host
                    || is_host(&text[self.host.min(end)..end], self.ip_length());
                stands.then_some(end)
            }
            Form::Mailto => {
                let end = self.trimmed(text, start, before);
                is_mail(&text[body..end]).then_some(end)
            }
            Form::News => {
                let end = self.trimmed(text, start, before);
                is_news(&text[body..end]).then_some(end)
            }
        }
    }

    /// False if B-HOST refuses the host for its first byte, whatever B-END takes off: in `http://[http://[…` B-MAX need
    /// not be asked.
    fn host_may_begin(&self, text: &[u8], start: &Start) -> bool {
        let first = &text[self.host..self.authority_end];
        self.ip_end.is_some()
            || matches!(first, [b'%' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80.., ..])
            || self.is_too_long(start)
    }

    /// B-HOST for a host that a path or query follows.
    fn host_may_stand(&self, text: &[u8]) -> bool {
        if self.plain_host {
            return true;
        }
        let tail = match self.ip_end {
            Some(ip_end) if ip_end < self.authority_end && text[ip_end] != b':' => &text[ip_end..],
            _ => return is_host(&text[self.host..self.authority_end], self.ip_length()),
        };
        // `http://[::1].?` ends a question: B-END takes all of the tail off, if it is punctuation and nothing else.
        const LONGEST: usize = 64;
        let mark = tail.iter().take(LONGEST).find(|&b| !b".,;:!?'*_~-([{".contains(b));
        mark.is_some_and(|&b| matches!(CLASS[b as usize], STOP | CLOSER))
    }

    fn ip_length(&self) -> Option<usize> {
        self.ip_end.map(|end| end - self.host)
    }

    /// B-END: trims the run from the right.
    fn trimmed(&self, text: &[u8], start: &Start, before: Option<u8>) -> usize {
        let body = start.body();
        let mut end = self.end;
        let mut quotes = None;
        while end > body {
            match text[end - 1] {
                b'*' if matches!(start.form, Form::News) && end == body + 1 => break,
                b';' => end -= entity(&text[body..end]).unwrap_or(1),
                b'.' | b',' | b':' | b'!' | b'?' | b'(' | b'[' | b'{' => end -= 1,
                b'\'' => {
                    let count =
                        quotes.get_or_insert_with(|| text[start.scheme..end].iter().filter(|&&b| b == b'\'').count());
                    if *count % 2 == 0 && !matches!(before, Some(b'\'' | b'`')) {
                        break;
                    }
                    *count -= 1;
                    end -= 1;
                }
                b'*' => {
                    let stars = text[body..end].iter().rev().take_while(|&&b| b == b'*').count();
                    if text[end - stars - 1] == b'/' && before != Some(b'*') {
                        break;
                    }
                    end -= stars;
                }
                mark @ (b'_' | b'~') if before == Some(mark) => end -= 1,
                b'-' if self.authority_end >= end && matches!(start.form, Form::Authority { .. }) => end -= 1,
                _ => break,
            }
        }
        end
    }
}

/// Where the host begins after the userinfo that goes on at `at`; `None` if there is no `@`. `state` takes in what
/// stands before it.
fn after_userinfo(text: &[u8], mut at: usize, limit: usize, state: &mut RunState) -> Option<usize> {
    let mut host = None;
    let mut ahead = *state;
    loop {
        at += text[at..limit].iter().take_while(|&&b| USERINFO[b as usize] == PLAIN).count();
        if at == limit {
            break;
        }
        match USERINFO[text[at] as usize] {
            AT if text.get(at + 1) == Some(&b'{') => break,
            AT => {
                host = Some(at + 1);
                *state = ahead;
            }
            OPENER | CLOSER if ahead.admits(text[at]) => {}
            _ => break,
        }
        at += 1;
    }
    host
}

/// Length of a character reference that stands for a delimiter at the end of `text` (B-END).
fn entity(text: &[u8]) -> Option<usize> {
    [&b"&lt;"[..], b"&gt;", b"&quot;", b"&apos;", b"&nbsp;", b"&#39;", b"&#34;"]
        .into_iter()
        .find(|entity| text.ends_with(entity))
        .map(<[u8]>::len)
}

/// End of the IP literal at `at`, brackets included (RFC 3986 section 3.2.2).
fn ip_literal(text: &[u8], at: usize, limit: usize) -> Option<usize> {
    // The longest IPv6 address has 45 characters; a longer IPvFuture exists in no text that was seen.
    const LONGEST: usize = 64;
    let rest = text.get(at..limit.min(at + LONGEST))?;
    let inner = rest.strip_prefix(b"[")?;
    let close = inner.iter().position(|&b| b == b']')?;
    let address = str::from_utf8(&inner[..close]).ok()?;
    let is_ip = address.parse::<Ipv6Addr>().is_ok() || is_ip_future(address.as_bytes());
    is_ip.then_some(at + close + 2)
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn is_ip_future(address: &[u8]) -> bool {
    let Some((b'v' | b'V', rest)) = address.split_first() else { return false };
    let Some(dot) = rest.iter().position(|&b| b == b'.') else { return false };
    let (version, name) = (&rest[..dot], &rest[dot + 1..]);
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !name.is_empty()
        && name.iter().all(|&b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(&b))
}

/// B-AUTH and B-UNI-2: the end of host and port. `from` lies behind an IP literal, if there is one.
fn host_end(text: &[u8], from: usize, host: usize, limit: usize) -> usize {
    /// How the label at hand began; a letter beyond Latin must not continue an ASCII label.
    #[derive(PartialEq)]
    enum Label {
        Begins,
        Ascii,
        Foreign,
    }
    let mut label = if from == host { Label::Begins } else { Label::Ascii };
    let mut port = false;
    let mut at = from;
    while at < limit {
        match text[at] {
            b'.' => label = Label::Begins,
            b':' => port = true,
            b if HOST[b as usize] != 0 => {
                if label == Label::Begins {
                    label = Label::Ascii;
                }
            }
            0x80.. if !port => match letters::decode(text, at) {
                Some((c @ '\u{C0}'..='\u{24F}', len)) if letters::is_letter(c) => {
                    if label == Label::Begins {
                        label = Label::Foreign;
                    }
                    at += len;
                    continue;
                }
                Some((c, len)) if letters::is_letter(c) && label != Label::Ascii => {
                    label = Label::Foreign;
                    at += len;
                    continue;
                }
                _ => break,
            },
            _ => break,
        }
        at += 1;
    }
    at.min(limit)
}

/// B-HOST, for the host and port of a trimmed URL.
fn is_host(host: &[u8], ip_end: Option<usize>) -> bool {
    if let Some(ip_end) = ip_end {
        return matches!(host.get(ip_end), None | Some(b':')) && host.len() >= ip_end;
    }
    let Some(&first) = host.first() else { return false };
    // A byte beyond ASCII stands for a letter here: no other character passed B-UNI-2.
    let mut letters = false;
    for (i, &b) in host.iter().enumerate() {
        match b {
            b':' => break,
            b'%' if !host.get(i + 1..i + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => return false,
            _ => letters |= b.is_ascii_alphanumeric() || !b.is_ascii(),
        }
    }
    letters && (first.is_ascii_alphanumeric() || matches!(first, b'%' | b'_') || !first.is_ascii())
}

/// B-MAIL: an `@` with another character on either side.
fn is_mail(address: &[u8]) -> bool {
    address.len() > 2 && memchr::memchr(b'@', &address[1..address.len() - 1]).is_some()
}

/// B-NEWS: `*`, an article, or a letter-led group with a dot.
fn is_news(name: &[u8]) -> bool {
    let Some((first, rest)) = name.split_first() else { return false };
    name == b"*"
        || memchr::memchr(b'@', rest).is_some()
        || first.is_ascii_alphabetic() && memchr::memchr(b'.', rest).is_some()
}

/// B-ANGLEID: the message identifier in `news:<…@…>`; `at` is the byte after the colon. Returns what stands between
/// the brackets.
pub(crate) fn angle_id(text: &[u8], at: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 998;
    let rest = text.get(at..)?.strip_prefix(b"<")?;
    let len = rest.iter().take(LONGEST + 1).take_while(|b| b.is_ascii_graphic() && !b"<>".contains(b)).count();
    let inner = &rest[..len];
    ((1..=LONGEST).contains(&len) && rest.get(len) == Some(&b'>') && is_mail(inner)).then_some(at + 1..at + 1 + len)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece<'t>(head: &str, text: &'t str) -> &'t str {
        &text[..run_on(text.as_bytes(), 0, text.len(), false, &mut RunState::after(head.as_bytes()))]
    }

    #[test]
    fn runs() {
        for (head, text, expected) in [
            ("", "abc def", "abc"),
            ("", "abc>", "abc"),
            ("", "a\u{7f}", "a"),
            ("", "aé", "a"),
            ("", "a)b", "a"),
            ("", "a(b)c)", "a(b)c"),
            ("h/(x", "y)z)", "y)z"),
            ("h/(x)", "y)", "y"),
            ("h/(x", "y]", "y"),
            ("", "a@{b", "a"),
            ("", "a@b", "a@b"),
            ("", "a,http://b", "a"),
            ("", "a;HTTPS://b", "a"),
            ("", "a[ftp://b]", "a"),
            ("", "a,https:b", "a,https:b"),
            ("", "a,foo://b", "a,foo://b"),
            ("", "a?b,http://c", "a?b,http://c"),
            ("h/?x", "a,http://b", "a,http://b"),
            ("", "", ""),
        ] {
            assert_eq!(piece(head, text), expected, "{head} {text}");
        }
    }
}
