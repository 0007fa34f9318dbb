//! From the scheme to the end of a bare URL: B-START-2, B-AUTH, B-HOST, B-UNI-2, B-MAIL, B-NEWS,
//! B-ANGLEID.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::bytes::letters;
use crate::bytes::limits::{BEYOND_BYTES, BRACKET_BYTES, RUN_BYTES};
use crate::find::ahead::UrlAhead;
use crate::find::delimiter::Preceding;
use crate::find::escapes::roff;
use crate::find::run::{self, AMPERSAND, AT, CLASS, CLOSER, OPENER, PLAIN, QUOTE, RunEnd, RunState, STOP};
use crate::find::schemes::OpaqueForm;
use crate::find::start::{self, SchemeForm, Start};
use crate::find::unwritten;
use crate::find::view::View;
use crate::find::{ahead, beyond, trim};

/// The raw stretch of a URL, and what was learnt on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawRun {
    /// The byte right before the URL (ST-3).
    before: Preceding,
    /// Raw end, before B-END. At most one byte past [`RUN_BYTES`].
    pub(crate) end: usize,
    /// Raw end without the ends at brackets, which B-MAX measures and B-JOIN weighs.
    pub(crate) full_end: usize,
    /// End of the host and port; `body` for mailto and news.
    pub(crate) authority_end: usize,
    host: usize,
    /// End of an IP literal that begins the host.
    ip_end: Option<usize>,
    /// The host is letters, digits and `- . _ ~`, a letter or digit first, perhaps with a port:
    /// B-HOST has nothing against it.
    plain_host: bool,
    /// The run ended at a letter beyond ASCII after the authority: there is a longer reading
    /// (B-UNI-1).
    pub(crate) foreign: bool,
    /// The first character reference in a quoted URL (B-ENT).
    pub(crate) reference: Option<usize>,
    /// The raw end of the shorter reading, where a delimiter or a letter beyond ASCII continued the
    /// run (B-CLOSED, B-UNI-1).
    shorter: Option<usize>,
    /// A delimiter closes the URL, and whether final punctuation is the URL's (B-CLOSED).
    closed: Option<bool>,
}

impl RawRun {
    /// Returns a run of which nothing has been read, with `before` right before its URL.
    fn of(body: usize, before: Preceding) -> RawRun {
        RawRun {
            before,
            end: body,
            full_end: body,
            authority_end: body,
            host: body,
            ip_end: None,
            plain_host: false,
            foreign: false,
            reference: None,
            shorter: None,
            closed: None,
        }
    }

    /// Returns the run as far as the first character reference in it.
    pub(crate) fn before_reference(&self) -> RawRun {
        let end = self.reference.unwrap_or(self.full_end);
        RawRun { end: end.min(self.end), full_end: end, ..self.clone() }
    }

    /// Returns whether the candidate is no URL by B-MAX.
    pub(crate) fn is_too_long(&self, start: &Start) -> bool {
        self.full_end - start.scheme > RUN_BYTES
    }
}

/// ASCII that a host and a port may hold (B-AUTH): 0 for what they may not.
static HOST: [u8; 256] = {
    let mut class = [0; 256];
    let mut b = 0;
    while b < 256 {
        class[b] = match b as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => LETTER,
            b'-' | b'.' | b'_' | b'~' => MARK,
            b'%' => ESCAPE,
            b':' => PORT,
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
            b'\'' => QUOTE,
            b'&' => AMPERSAND,
            b'!' | b'$' | b'*' | b'+' | b',' | b';' | b'=' => PLAIN,
            _ if HOST[b] != 0 => PLAIN,
            _ => STOP,
        };
        b += 1;
    }
    class
};

const LETTER: u8 = 1;
const MARK: u8 = 2;
const ESCAPE: u8 = 4;
const PORT: u8 = 8;

/// A run that was read up to the end of its authority, or further.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    run: RawRun,
    state: RunState,
    /// A path, query or fragment follows.
    goes_on: bool,
}

impl Begun {
    /// Reads on (B-RUN-1, B-LIST, B-UNI-1).
    #[inline(always)]
    fn finish(self, view: &View<'_>, start: &Start, iri: bool) -> RawRun {
        let Begun { mut run, state, goes_on } = self;
        if goes_on {
            let from = run.end;
            let RunEnd { end, full_end, reference } = run::read(view, from, limit(start), state, false);
            (run.end, run.full_end, run.reference) = (end, full_end, reference);
            let is_beyond = view.get(full_end).is_some_and(|b| !b.is_ascii());
            if (is_beyond || run.before.is_open()) && !run.is_too_long(start) {
                run.read_beyond(view, start, from, state, iri);
            }
        }
        run
    }
}

/// Reads the run that begins at `start`, with `before` right before it. `None` by B-START-2 and
/// B-HOST. With `in_sheet`, the first comma ends it (B-SHEET).
pub(crate) fn read(view: &View<'_>, start: &Start, before: Preceding, iri: bool, in_sheet: bool) -> Option<RawRun> {
    begin(view, start, before, in_sheet).map(|begun| begun.finish(view, start, iri))
}

/// Returns the start with the schemes that hold its URL: `view-source:http://…`, `jar:file:/…!/…`
/// (B-OPAQUE).
pub(crate) fn with_outer(text: &View<'_>, start: Start) -> Start {
    if !matches!(start.form, SchemeForm::Authority { .. } | SchemeForm::Opaque(OpaqueForm::File)) {
        return start;
    }
    let has_entry = || {
        let end = text.stretch(start.colon, start.colon + BRACKET_BYTES, |byte| !run::ends_every_run(byte));
        memchr::memmem::find(&text[start.colon..end], b"!/").is_some()
    };
    Start { scheme: start::outermost(text, start.scheme, has_entry), ..start }
}

/// Returns where the authority of a URL stops; behind `//` where none may begin.
pub(crate) fn authority_end(view: &View<'_>, start: &Start) -> usize {
    let body = start.body();
    let mut run = RawRun::of(body, Preceding::default());
    run.read_authority(view, body, limit(start), &mut RunState::new(None, false));
    run.end
}

/// Returns whether the form of a scheme of B-OPAQUE is there, as far as its first bytes show. The
/// run is read only then: in `tel:+1tel:+1…` each would read it to its end.
fn is_form(view: &View<'_>, body: usize, form: OpaqueForm) -> bool {
    /// The most bytes of a number.
    const LONGEST: usize = 32;
    /// The fewest digits of one.
    const FEWEST: usize = 5;
    let number = |from: usize| {
        let digits = from + usize::from(view.byte(from) == Some(b'-'));
        let point = view.stretch(digits, digits + LONGEST, |byte| byte.is_ascii_digit());
        // A point without a digit behind it ends a sentence.
        let is_decimal =
            view.byte(point) == Some(b'.') && view.byte(point + 1).is_some_and(|byte| byte.is_ascii_digit());
        let end =
            if is_decimal { view.stretch(point + 1, point + LONGEST, |byte| byte.is_ascii_digit()) } else { point };
        (point > digits).then_some(end)
    };
    match form {
        OpaqueForm::Number => {
            let end = view.stretch(body + 1, body + LONGEST, |byte| byte.is_ascii_digit() || b"-.()".contains(&byte));
            view[body..end].iter().filter(|byte| byte.is_ascii_digit()).count() >= FEWEST
                && !view.byte(end).is_some_and(|byte| byte.is_ascii_alphabetic())
                // `tel:+44(0)1483 301793`
                && !(view.byte(end) == Some(b' ') && view.byte(end + 1).is_some_and(|byte| byte.is_ascii_digit()))
        }
        OpaqueForm::Place => number(body)
            .filter(|&end| view.byte(end) == Some(b','))
            .and_then(|comma| number(comma + 1))
            .is_some_and(|end| !view.byte(end).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'/')),
        OpaqueForm::Magnet | OpaqueForm::Address | OpaqueForm::File => true,
    }
}

/// Returns where a run is cut: it is too long by then.
fn limit(start: &Start) -> usize {
    start.scheme + RUN_BYTES + 1
}

/// Reads on from the start of `run` over letters beyond ASCII at its end. It stops before a URL
/// with which no run continues (B-UNI-1).
fn read_letters(view: &View<'_>, run: Range<usize>, limit: usize, state: RunState) -> RunEnd {
    /// The first search for that URL ends here. Without it, each of a row of short runs would
    /// search all that follow.
    const NEAR: usize = 256;
    /// Nearer to the end of what was read a sign may wait for the letter behind it.
    const SIGN: usize = 8;
    let ends_run = |url: UrlAhead, form| url.ends_run && matches!(form, SchemeForm::Authority { .. });
    let mut near = NEAR;
    loop {
        let reach = limit.min(run.end + near);
        let url = ahead::url_ahead(view, run.clone(), reach, ends_run);
        let read = run::read(view, run.start, url.map_or(reach, |url| url.scheme), state, true);
        if url.is_some() || reach == limit || read.full_end + SIGN <= reach {
            return read;
        }
        near *= 8;
    }
}

/// Begins a run: B-START-2, B-AUTH, and B-HOST where the host's end is certain.
fn begin(view: &View<'_>, start: &Start, before: Preceding, in_sheet: bool) -> Option<Begun> {
    let body = start.body();
    let is_opaque =
        matches!(start.form, SchemeForm::Mailto | SchemeForm::News | SchemeForm::Opaque(OpaqueForm::Address));
    let mut state =
        RunState::new(before.byte, is_opaque).with_fields(in_sheet && !before.is_quoted(), before.follows_name);
    let mut run = RawRun::of(body, before);
    if let SchemeForm::Opaque(form) = start.form
        && !is_form(view, body, form)
    {
        return None;
    }
    let file = match start.form {
        SchemeForm::Authority { file } => file,
        SchemeForm::Name => false,
        _ => return Some(Begun { run, state, goes_on: true }),
    };
    if !begins_authority(view, body, file) {
        return None;
    }
    run.read_authority(view, body, limit(start), &mut state);
    state.reads_backslash =
        file && matches!(view[body..], [b'/', drive, b':', b'\\', ..] if drive.is_ascii_alphabetic());
    if file && view.len() < body + 4 {
        view.touch();
    }
    let goes_on = matches!(view.byte(run.end), Some(b'/' | b'?' | b'#'));
    if !goes_on {
        if unwritten::mark(view, run.end).is_some() {
            return None;
        }
        run.end = run::before_closer(view, body, run.end);
        run.authority_end = run.end;
    }
    run.full_end = run.end;
    // Before the path is read: a chain such as `http://%s/http://%s/…` must not read it from every
    // link.
    let local = file && view[body] == b'/';
    let may_stand = if goes_on { local || run.host_may_stand(view) } else { run.host_may_begin(view, start) };
    if !may_stand {
        return None;
    }
    Some(Begun { run, state, goes_on })
}

/// Returns whether an authority may follow `//` (B-START-2).
fn begins_authority(view: &View<'_>, body: usize, file: bool) -> bool {
    let first = match view.byte(body) {
        None => false,
        Some(b'[' | b'%' | b'@' | b'_') => true,
        Some(b'/') => file,
        Some(b) if b.is_ascii() => b.is_ascii_alphanumeric(),
        Some(_) => view.decode(body).is_some_and(|(c, _)| letters::is_letter(c) || letters::is_symbol(c)),
    };
    first && !view.has_k(body, b"://")
}

impl RawRun {
    /// Reads userinfo, host and port (B-AUTH, B-UNI-2).
    fn read_authority(&mut self, view: &View<'_>, body: usize, limit: usize, state: &mut RunState) {
        let (text, limit) = (view.text(), limit.min(view.len()));
        // Nearly every authority is a plain host. One look at each byte finds its end, and that it
        // is valid.
        let ends = |stop: usize| {
            stop == limit || CLASS[text[stop] as usize] == STOP || matches!(text[stop], b'/' | b'?' | b'#')
        };
        let stop = self.read_host(view, body, limit);
        if ends(stop) {
            return;
        }
        // Or a plain user before it.
        if let [b'@', next, ..] = text[stop..limit]
            && HOST[next as usize] == LETTER
            && ends(self.read_host(view, stop + 1, limit))
        {
            return;
        }
        self.read_host(view, body, limit);
        if let Some(host) = after_userinfo(view, stop, limit, state) {
            self.read_host(view, host, limit);
        }
        let first = text.get(self.host);
        if first == Some(&b'[') {
            self.ip_end = ip_literal(view, self.host);
        }
        if self.ip_end.is_some() || text.get(self.authority_end).is_some_and(|b| !b.is_ascii()) {
            self.plain_host = false;
            self.end = host_end(view, self.ip_end.unwrap_or(self.host), self.host, limit);
            self.authority_end = self.end;
        }
    }

    /// Takes the bytes of an ASCII host and port that begin at `host`; returns where they end.
    fn read_host(&mut self, view: &View<'_>, host: usize, limit: usize) -> usize {
        let (text, mut seen) = (view.text(), 0);
        let classes = text[host..limit].iter().map(|&b| HOST[b as usize]);
        let len = classes.take_while(|&class| class != 0).inspect(|class| seen |= class).count();
        let end = host + len;
        if end == text.len() {
            view.touch();
        }
        (self.host, self.end, self.authority_end) = (host, end, end);
        self.plain_host = len > 0 && seen & ESCAPE == 0 && HOST[text[host] as usize] == LETTER;
        end
    }

    /// Reads on over characters that end a run by themselves. It reads up to the partner of the
    /// delimiter before the URL, or over letters beyond ASCII (B-CLOSED, B-UNI-1). The run was read
    /// from `from` on, and `state` is that of the bytes before.
    #[cold]
    fn read_beyond(&mut self, view: &View<'_>, start: &Start, from: usize, state: RunState, iri: bool) {
        let ahead = state.after(&view[from..self.end]);
        let (open, in_query) = (ahead.open_parentheses(), ahead.is_in_query());
        if let Some(closed) = self.before.closed(view, start.scheme, self.end, open, in_query) {
            self.closed = Some(closed.keeps_marks);
            self.shorter = Some(self.end).filter(|&end| end < closed.end);
            (self.end, self.full_end) = (closed.end, closed.end);
            return;
        }
        let at = self.full_end;
        if view.get(at).is_none_or(u8::is_ascii) {
            return;
        }
        match beyond::continues(view, at, self.authority_end, limit(start)) {
            Some(is_in) if is_in || iri => {
                let RunEnd { end, full_end, reference } = read_letters(view, from..at, limit(start), state);
                self.shorter = Some(self.end).filter(|&shorter| shorter < end);
                (self.end, self.full_end, self.reference) = (end, full_end, reference);
            }
            Some(_) => self.foreign = self.end == at,
            None => {}
        }
    }

    /// Returns the first comma in a run that may separate fields. No quotation mark is before the
    /// run, and no delimiter closes it.
    pub(crate) fn comma(&self, text: &[u8]) -> Option<usize> {
        let rest =
            text.get(self.authority_end..self.end).filter(|_| !self.before.is_quoted() && self.closed.is_none())?;
        memchr::memchr(b',', rest).map(|at| self.authority_end + at)
    }

    /// Returns the run that ends at `comma` (B-SHEET).
    pub(crate) fn before_comma(self, comma: usize) -> RawRun {
        RawRun { end: comma, full_end: comma, shorter: None, foreign: false, ..self }
    }

    /// Returns the run of the shorter reading, where this one is longer than it has to be
    /// (B-CLOSED, B-UNI-1).
    pub(crate) fn shorter(&self) -> Option<RawRun> {
        let end = self.shorter?;
        Some(RawRun { end, full_end: end, shorter: None, closed: None, ..self.clone() })
    }

    /// Returns the run of the longer reading, if this run ended at a letter beyond ASCII. The
    /// longer one adds no URL (B-UNI-1).
    pub(crate) fn longer(&self, view: &View<'_>, start: &Start) -> Option<RawRun> {
        let end = self.end;
        // A character more than may be added: a reading that reaches it is too long.
        let limit = limit(start).min(end + BEYOND_BYTES + 4);
        let url = ahead::url_ahead(view, self.authority_end..end, limit, |_, _| true);
        let reach = url.map_or(limit, |url| url.scheme);
        let run = read(&view.before(reach), start, self.before, true, false)?;
        let is_cut = run.full_end == reach && url.is_some_and(|url| !url.ends_run);
        (!is_cut && run.end > end).then_some(run)
    }

    /// Returns the end of the URL, trimmed (B-END), if it is one (B-HOST, B-MAIL, B-NEWS).
    pub(crate) fn url_end(&self, text: &[u8], start: &Start) -> Option<usize> {
        let body = start.body();
        let url = &text[start.scheme..self.end];
        let len = match self.closed {
            Some(true) => url.len(),
            Some(false) => trim::punctuated_len(url, body - start.scheme),
            None => trim::url_len(url, body - start.scheme, self.authority_end - start.scheme, self.before.byte),
        };
        let end = start.scheme + len;
        let stands = match start.form {
            // Behind the authority the host was looked at when the run was read.
            SchemeForm::Authority { .. } | SchemeForm::Name => {
                end > self.authority_end
                    || self.plain_host && end > self.host
                    || is_host(&text[self.host.min(end)..end], self.ip_length())
            }
            SchemeForm::Mailto | SchemeForm::Opaque(OpaqueForm::Address) => is_mail(&text[body..end]),
            SchemeForm::News => is_news(&text[body..end]),
            SchemeForm::Opaque(OpaqueForm::Magnet) => end > body + b"?xt=".len(),
            SchemeForm::Opaque(_) => end > body,
        };
        stands.then_some(end)
    }

    /// Returns false if B-HOST refuses the host for its first byte, however B-END trims it. Then
    /// B-MAX needs no check, as in `http://[http://[…`.
    fn host_may_begin(&self, text: &[u8], start: &Start) -> bool {
        let first = &text[self.host..self.authority_end];
        self.ip_end.is_some()
            || matches!(first, [b'%' | b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80.., ..])
            || self.is_too_long(start)
    }

    /// Returns whether a host may stand before a path or query (B-HOST).
    fn host_may_stand(&self, view: &View<'_>) -> bool {
        let text = view.text();
        if self.plain_host {
            return true;
        }
        let ip_end = match self.ip_end {
            Some(ip_end) if ip_end < self.authority_end && text[ip_end] != b':' => ip_end,
            _ => return is_host(&text[self.host..self.authority_end], self.ip_length()),
        };
        // `http://[::1].?` ends a question: B-END trims the whole tail if it is only punctuation.
        const LONGEST: usize = 64;
        let marks = trim::marks_len(&text[ip_end..text.len().min(ip_end + LONGEST)]);
        let mark = Some(ip_end + marks).filter(|_| marks < LONGEST).and_then(|at| view.byte(at));
        mark.is_some_and(|b| matches!(CLASS[b as usize], STOP | CLOSER))
    }

    fn ip_length(&self) -> Option<usize> {
        self.ip_end.map(|end| end - self.host)
    }
}

/// Returns where the host begins after the userinfo that continues at `at`; `None` if there is no
/// `@`. Updates `state` with the bytes before the host.
fn after_userinfo(view: &View<'_>, mut at: usize, limit: usize, state: &mut RunState) -> Option<usize> {
    let text = view.text();
    let mut host = None;
    let mut ahead = *state;
    loop {
        at += text[at..limit].iter().take_while(|&&b| USERINFO[b as usize] == PLAIN).count();
        if at == limit {
            view.upto(at + 1);
            break;
        }
        match USERINFO[text[at] as usize] {
            AT if view.byte(at + 1) == Some(b'{') => break,
            AT => {
                host = Some(at + 1);
                *state = ahead;
            }
            QUOTE if !ahead.is_in_quotes() => {}
            AMPERSAND if !run::begins_markup(view, at) => {}
            OPENER | CLOSER if ahead.admits(text[at]) => {}
            _ => break,
        }
        at += 1;
    }
    host
}

/// Returns the end of the IP literal at `at`, brackets included (RFC 3986 section 3.2.2), perhaps
/// with a zone (RFC 6874).
fn ip_literal(view: &View<'_>, at: usize) -> Option<usize> {
    // The longest IPv6 address has 45 characters; a longer IPvFuture exists in no text that was
    // seen.
    const LONGEST: usize = 64;
    let close = view.find(at + 1, at + LONGEST, |inner| inner.iter().position(|&b| b == b']'))?;
    let address = str::from_utf8(&view[at + 1..close]).ok()?;
    let (ip, zone) = address.split_once('%').map_or((address, None), |(ip, zone)| (ip, Some(zone)));
    let is_ip = ip.parse::<Ipv6Addr>().is_ok() && zone.is_none_or(is_zone);
    (is_ip || is_ip_future(address.as_bytes())).then_some(close + 1)
}

/// Matches `ZoneID = 1*( unreserved / pct-encoded )`, behind a `%` that may be escaped.
fn is_zone(zone: &str) -> bool {
    let zone = zone.strip_prefix("25").filter(|name| !name.is_empty()).unwrap_or(zone);
    !zone.is_empty() && zone.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~%".contains(&b))
}

/// Matches `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn is_ip_future(address: &[u8]) -> bool {
    let Some((b'v' | b'V', rest)) = address.split_first() else { return false };
    let Some(dot) = rest.iter().position(|&b| b == b'.') else { return false };
    let (version, name) = (&rest[..dot], &rest[dot + 1..]);
    !version.is_empty()
        && version.iter().all(u8::is_ascii_hexdigit)
        && !name.is_empty()
        && name.iter().all(|&b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(&b))
}

/// The beginning of a label, which decides how it may continue (B-UNI-2).
#[derive(Clone, Copy, PartialEq)]
enum Label {
    Begins,
    /// With an ASCII letter or digit.
    Ascii,
    /// With another ASCII byte, or it is an IP literal.
    Mark,
    /// With a letter beyond ASCII.
    Foreign,
    /// With a symbol.
    Symbol,
}

/// Returns the end of host and port (B-AUTH, B-UNI-2). `from` lies behind an IP literal, if there
/// is one.
fn host_end(view: &View<'_>, from: usize, host: usize, limit: usize) -> usize {
    let text = view.text();
    let mut label = if from == host { Label::Begins } else { Label::Mark };
    let mut port = false;
    let mut at = from;
    while at < limit {
        let b = text[at];
        match HOST[b as usize] {
            0 if b.is_ascii() || port => break,
            0 => {
                let Some((c, len)) = view.decode(at) else { break };
                let is_letter = letters::is_letter(c);
                match label {
                    Label::Begins if letters::is_symbol(c) => label = Label::Symbol,
                    Label::Symbol if is_letter || letters::is_symbol(c) || letters::modifies_symbol(c) => {}
                    _ if !is_letter => break,
                    Label::Begins => label = Label::Foreign,
                    Label::Foreign => {}
                    _ if is_latin(c) => {}
                    // The checks of the rest of the label then hold for the rest.
                    Label::Ascii if is_look_alike_label(view, at, limit) => label = Label::Foreign,
                    Label::Ascii if continues_name(view, host..at, limit) => label = Label::Foreign,
                    _ => break,
                }
                at += len;
                continue;
            }
            _ if b == b'.' => label = Label::Begins,
            class if label == Label::Begins => label = if class == LETTER { Label::Ascii } else { Label::Mark },
            _ => {}
        }
        port |= b == b':';
        at += 1;
    }
    view.upto(at + 1);
    at.min(limit)
}

/// Returns whether it is a letter of Latin beyond ASCII, which may stand beside ASCII ones.
fn is_latin(c: char) -> bool {
    ('\u{C0}'..='\u{24F}').contains(&c)
}

/// Returns whether a label that began with ASCII may continue with letters that look like Latin
/// ones (B-UNI-2). Its rest holds no others beyond ASCII, and ends in `.` and an ASCII letter. An
/// escape in it is skipped.
fn is_look_alike_label(view: &View<'_>, mut at: usize, limit: usize) -> bool {
    let is_ascii_letter = |at| view.byte(at).is_some_and(|b| b.is_ascii_alphabetic());
    while let Some(b) = view.byte(at).filter(|_| at < limit) {
        at += match view.decode(at) {
            _ if b == b'.' => return is_ascii_letter(at + 1),
            _ if b == b':' => return false,
            _ if b == b'\\' => match roff::read(view, at) {
                Some((len, Some('.'))) => return is_ascii_letter(at + len),
                Some((len, _)) => len,
                None => return false,
            },
            Some((_, len)) if HOST[b as usize] != 0 => len,
            Some((c, len)) if matches!(c, '\u{C0}'..='\u{58F}' | '\u{1E00}'..='\u{1FFF}') && letters::is_letter(c) => {
                len
            }
            _ => return false,
        };
    }
    false
}

/// Returns whether the letters beyond ASCII behind `name`, a host's ASCII beginning, lead to a dot
/// or `/` (B-UNI-2). Nobody wrote a name that is cut there and has no dot.
fn continues_name(view: &View<'_>, name: Range<usize>, limit: usize) -> bool {
    let ascii = &view[name.clone()];
    if memchr::memchr(b'.', ascii).is_some() || ascii.eq_ignore_ascii_case(b"localhost") {
        return false;
    }
    let mut at = name.end;
    while let Some(b) = view.byte(at).filter(|_| at < limit) {
        let letter = |at| view.decode(at).filter(|(c, _)| letters::is_letter(*c));
        at += match b {
            b'/' => return true,
            b'.' => return letter(at + 1).is_some(),
            b'-' => 1,
            _ => match letter(at) {
                Some((_, len)) => len,
                None => return false,
            },
        };
    }
    false
}

/// Returns whether the host and port of a trimmed URL are valid (B-HOST).
fn is_host(host: &[u8], ip_end: Option<usize>) -> bool {
    if let Some(ip_end) = ip_end {
        return matches!(host.get(ip_end), None | Some(b':')) && host.len() >= ip_end;
    }
    let Some(&first) = host.first() else { return false };
    let mut has_letters = false;
    for (i, &b) in host.iter().enumerate() {
        match b {
            // B-NOHOST
            b':' if matches!(host[i + 1..], [b'%', format, ..] if unwritten::is_format(format)) => return false,
            b':' => break,
            b'%' if !host.get(i + 1..i + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) => return false,
            0x80.. => has_letters |= letters::decode(host, i).is_some_and(|(c, _)| letters::is_letter(c)),
            _ => has_letters |= b.is_ascii_alphanumeric(),
        }
    }
    has_letters && (first.is_ascii_alphanumeric() || matches!(first, b'%' | b'_') || !first.is_ascii())
}

/// Returns whether an `@` has another character on either side (B-MAIL).
pub(crate) fn is_mail(address: &[u8]) -> bool {
    address.len() > 2 && memchr::memchr(b'@', &address[1..address.len() - 1]).is_some()
}

/// Returns whether it is `*`, an article, or a letter-led group with a dot (B-NEWS).
pub(crate) fn is_news(name: &[u8]) -> bool {
    let Some((first, rest)) = name.split_first() else { return false };
    name == b"*"
        || memchr::memchr(b'@', rest).is_some()
        || first.is_ascii_alphabetic() && memchr::memchr(b'.', rest).is_some()
}

/// Returns the message identifier between the brackets of `news:<…@…>` (B-ANGLEID). `at` is the
/// byte after the colon.
pub(crate) fn angle_id(view: &View<'_>, at: usize) -> Option<Range<usize>> {
    const LONGEST: usize = 998;
    if view.byte(at) != Some(b'<') {
        return None;
    }
    let end = view.stretch(at + 1, at + LONGEST + 2, |b| b.is_ascii_graphic() && !b"<>".contains(&b));
    let is_id = end - at <= LONGEST + 1 && view.get(end) == Some(&b'>') && is_mail(&view[at + 1..end]);
    is_id.then_some(at + 1..end)
}
