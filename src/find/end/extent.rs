//! From the scheme to the end of a bare URL: B-START-2, B-AUTH, B-HOST, B-MAIL, B-NEWS, B-ANGLEID.
//!
//! [`read`] makes a [`RawRun`] in two steps. `begin` reads the authority, and decides whether a
//! host may stand there (B-HOST). `Begun::finish` reads the path, query and fragment ([`run`]). The
//! host is checked first, because otherwise each URL of `http://%s/http://%s/…` would read the
//! whole rest. [`RawRun::url_end`] then trims the run (B-END), and tests what B-END may change.
//!
//! A run has up to three other ends. Unclosed brackets do not move `full_end` (B-MAX, B-JOIN). A
//! delimiter or a letter may have continued the run, which would else end at `shorter`. A longer
//! reading includes letters of another script (B-UNI-1).
//!
//! # Example
//!
//! In `(see http://joe@h.example:80/a(1), b)`, the scheme's colon is known.
//!
//! 1. `begin` reads `joe` as a host, meets `@`, and reads the host again from `h.example:80`.
//! 2. `h.example:80` has only letters, digits and marks, so it is a plain host. A `/` follows.
//! 3. `finish` reads `/a(1),` and stops at the blank. The `(` is closed, so `end` is `full_end`.
//! 4. `url_end` trims the `,`. The match is `http://joe@h.example:80/a(1)`.

use std::ops::Range;

use crate::bytes::limits::{BEYOND_BYTES, RUN_BYTES};
use crate::find::end::ahead::UrlAhead;
use crate::find::end::authority::{
    ESCAPE, HOST, LETTER, after_userinfo, begins_authority, host_end, ip_literal, is_host, more_hosts,
};
use crate::find::end::delimiter::Preceding;
use crate::find::end::length::StatedEnd;
use crate::find::end::run::{CLASS, CLOSER, RunEnd, RunState, STOP};
use crate::find::end::{ahead, beyond, run, trim, unwritten};
use crate::find::schemes;
use crate::find::schemes::OpaqueForm;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;
use crate::url::rough;

/// The raw run of a URL, and the facts found while reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawRun {
    /// The context right before the URL (ST-3).
    before: Preceding,
    /// The raw end, before B-END trims it. The run, with its scheme, is at most one byte longer than
    /// [`RUN_BYTES`].
    pub(crate) end: usize,
    /// The raw end of the run without the rule that unclosed brackets end it. B-MAX measures this run,
    /// and B-JOIN weighs its break.
    pub(crate) full_end: usize,
    /// The end of the host and port. If the URL has no authority, it is [`Start::body`].
    pub(crate) authority_end: usize,
    host: usize,
    /// The end of an IP literal at the start of the host.
    ip_end: Option<usize>,
    /// The host has only letters, digits and `- . _ ~`, and begins with a letter or digit. It may
    /// have a port. B-HOST accepts every such host.
    plain_host: bool,
    /// The run ended at a non-ASCII letter after the authority, so a longer reading is possible
    /// (B-UNI-1).
    pub(crate) foreign: bool,
    /// The first character reference in a quoted URL (B-ENT).
    pub(crate) reference: Option<usize>,
    /// The raw end of the shorter reading, if a delimiter or a non-ASCII letter continued the run
    /// (B-CLOSED, B-UNI-1).
    shorter: Option<usize>,
    /// Set if a delimiter closes the URL. The value is true if final punctuation belongs to the URL
    /// (B-CLOSED).
    closed: Option<bool>,
}

impl RawRun {
    /// Returns an empty run, with `before` right before its URL.
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

    /// Returns the part of the run before its first character reference.
    pub(crate) fn before_reference(&self) -> RawRun {
        let end = self.reference.unwrap_or(self.full_end);
        RawRun { end: end.min(self.end), full_end: end, ..self.clone() }
    }

    /// Returns whether B-MAX rejects the candidate, because it is too long.
    pub(crate) fn is_too_long(&self, start: &Start) -> bool {
        self.full_end - start.scheme > RUN_BYTES
    }
}

/// A run that was read up to the end of its authority. Without an authority, it is still empty.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    run: RawRun,
    state: RunState,
    /// More of the run may follow. After an authority, it is a path, query or fragment.
    goes_on: bool,
}

impl Begun {
    /// Reads the rest of the run (B-RUN-1, B-LIST, B-UNI-1).
    #[inline(always)]
    fn finish(self, view: &View<'_>, start: &Start, iri: bool) -> RawRun {
        let Begun { mut run, state, goes_on } = self;
        if let Some(stated) = StatedEnd::of(view, start.scheme)
            && run.ends_as_stated(view, stated, state, goes_on)
        {
            return run;
        }
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

/// Reads the run that begins at `start`, with `before` right before it. Returns `None` if
/// B-START-2, B-OPAQUE or B-HOST rejects the run. If `in_sheet` is true, the first comma after the
/// authority ends the run, unless the URL is quoted (B-SHEET).
pub(crate) fn read(view: &View<'_>, start: &Start, before: Preceding, iri: bool, in_sheet: bool) -> Option<RawRun> {
    begin(view, start, before, in_sheet).map(|begun| begun.finish(view, start, iri))
}

/// Returns the end of a URL's authority. If the authority is empty, this is the place after `//`.
pub(crate) fn authority_end(view: &View<'_>, start: &Start) -> usize {
    let body = start.body();
    let mut run = RawRun::of(body, Preceding::default());
    run.read_authority(view, body, limit(start), &mut RunState::new(None, false));
    run.end
}

/// Returns whether the first bytes at `body` match the form of a scheme of B-OPAQUE. The run is
/// read only if they do. Otherwise each URL of `tel:+1tel:+1…` would read the run to its end.
fn is_form(view: &View<'_>, body: usize, form: OpaqueForm) -> bool {
    /// The maximum number of bytes in a telephone number, and in each part of a decimal number.
    const LONGEST: usize = 32;
    /// The minimum number of digits in a telephone number.
    const FEWEST: usize = 5;
    let number = |from: usize| {
        let digits = from + usize::from(view.byte(from) == Some(b'-'));
        let point = view.stretch(digits, digits + LONGEST, |byte| byte.is_ascii_digit());
        // A dot without a digit after it ends a sentence.
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

/// Returns the place where reading a run stops. A run that reaches it is too long (B-MAX).
fn limit(start: &Start) -> usize {
    start.scheme + RUN_BYTES + 1
}

/// Reads again from the start of `run`, over the non-ASCII letters at its end. It stops before a
/// URL that ends the run (B-UNI-1).
fn read_letters(view: &View<'_>, run: Range<usize>, limit: usize, state: RunState) -> RunEnd {
    /// The length of the first search for that URL. Without this limit, each of many short runs
    /// would search all the following runs.
    const NEAR: usize = 256;
    /// If a run ends fewer bytes than this before `reach`, its last sign may depend on a letter
    /// after `reach`.
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

/// Begins a run: B-START-2, B-AUTH, and B-HOST if the host's end is certain.
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
    if view.byte(run.end) == Some(b',') && !in_sheet && !matches!(before.byte, Some(b',' | b'\t')) {
        run.read_more_hosts(view, start);
    }
    state.reads_backslash =
        file && matches!(view[body..], [b'/', drive, b':', b'\\', ..] if drive.is_ascii_alphabetic());
    if file && view.len() < body + 4 {
        view.touch();
    }
    let goes_on = match view.byte(run.end) {
        Some(b'/' | b'?' | b'#') => true,
        Some(b';') => begins_settings(view, start, run.end),
        Some(b'=') => names_value(view, start, run.end),
        _ => false,
    };
    if !goes_on {
        let is_mark = unwritten::mark(view, run.end).is_some();
        if is_mark && !unwritten::is_variable_after(view, &view[run.host..run.end], run.end) {
            return None;
        }
        run.end = run::before_closer(view, body, run.end);
        run.authority_end = run.end;
    }
    run.full_end = run.end;
    // The host is checked before the path is read. Otherwise each URL of `http://%s/http://%s/…`
    // would read the whole rest.
    let local = file && view[body] == b'/';
    let may_stand = if goes_on { local || run.host_may_stand(view) } else { run.host_may_begin(view, start) };
    if !may_stand {
        return None;
    }
    Some(Begun { run, state, goes_on })
}

/// Returns whether `;name=` follows the host of a scheme that has settings there (B-HOSTS).
#[cold]
fn begins_settings(view: &View<'_>, start: &Start, at: usize) -> bool {
    const LONGEST: usize = 64;
    let name = view.stretch(at + 1, at + 1 + LONGEST, |byte| byte.is_ascii_alphanumeric());
    rough::has_settings(&view[start.scheme..start.colon]) && name > at + 1 && view.byte(name) == Some(b'=')
}

/// Returns whether a name and a value stand in the place of the authority, in a scheme outside K
/// (B-AUTH).
#[cold]
fn names_value(view: &View<'_>, start: &Start, at: usize) -> bool {
    !schemes::is_k(&view[start.scheme..start.colon])
        && start.form == SchemeForm::Authority { file: false }
        && view[start.body()..at].iter().all(u8::is_ascii_alphanumeric)
        && view.byte(at + 1).is_some_and(|byte| byte.is_ascii_alphanumeric())
}

impl RawRun {
    /// Reads userinfo, host and port (B-AUTH, B-UNI-2).
    fn read_authority(&mut self, view: &View<'_>, body: usize, limit: usize, state: &mut RunState) {
        let (text, limit) = (view.text(), limit.min(view.len()));
        // Nearly every authority is a plain host. One pass over its bytes finds its end, and proves
        // that it is valid.
        let ends = |stop: usize| {
            stop == limit || CLASS[text[stop] as usize] == STOP || matches!(text[stop], b'/' | b'?' | b'#')
        };
        let stop = self.read_host(view, body, limit);
        if ends(stop) {
            return;
        }
        // A few have a plain user name before the host.
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

    /// Reads on over further hosts after commas (B-HOSTS).
    #[cold]
    fn read_more_hosts(&mut self, view: &View<'_>, start: &Start) {
        let scheme = &view[start.scheme..start.colon];
        if self.end > self.host && rough::has_several_hosts(scheme) {
            self.end = more_hosts(view, self.end, limit(start));
            self.authority_end = self.end;
        }
    }

    /// Reads an ASCII host and port that begin at `host`. Returns their end.
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

    /// Ends the URL where the length before it ends, if that lies within the run (B-LENGTH).
    #[cold]
    fn ends_as_stated(&mut self, view: &View<'_>, stated: StatedEnd, state: RunState, goes_on: bool) -> bool {
        let reach = stated.reach();
        let run_end = match goes_on && self.end < reach {
            true => run::read(view, self.end, reach, state, true).full_end,
            false => self.end,
        };
        if stated.end <= self.host || !stated.is_within(view, run_end) {
            return false;
        }
        let end = stated.end;
        (self.end, self.full_end, self.authority_end) = (end, end, self.authority_end.min(end));
        self.closed = Some(true);
        true
    }

    /// Reads on over characters that usually end a run. It reads up to the partner of the delimiter
    /// before the URL, or over non-ASCII letters (B-CLOSED, B-UNI-1). The run was read from `from`
    /// on. `state` is the state before `from`.
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
        if let Some(end) = self.before.passed_end(view, from..self.full_end) {
            self.closed = Some(true);
            self.shorter = Some(self.end).filter(|&shorter| shorter < end);
            (self.end, self.full_end) = (end, end);
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

    /// Returns the first comma in the run that may separate fields. Returns `None` if a quotation
    /// mark stands right before the URL, or a delimiter closes the URL.
    pub(crate) fn comma(&self, text: &[u8]) -> Option<usize> {
        let rest =
            text.get(self.authority_end..self.end).filter(|_| !self.before.is_quoted() && self.closed.is_none())?;
        memchr::memchr(b',', rest).map(|at| self.authority_end + at)
    }

    /// Returns the run that ends at `comma` (B-SHEET).
    pub(crate) fn before_comma(self, comma: usize) -> RawRun {
        RawRun { end: comma, full_end: comma, shorter: None, foreign: false, ..self }
    }

    /// Returns the run of the shorter reading, if there is one (B-CLOSED, B-UNI-1).
    pub(crate) fn shorter(&self) -> Option<RawRun> {
        let end = self.shorter?;
        Some(RawRun { end, full_end: end, shorter: None, closed: None, ..self.clone() })
    }

    /// Returns the run of the longer reading. This run must have ended at a non-ASCII letter.
    /// Returns `None` if the longer run would continue into another URL (B-UNI-1).
    pub(crate) fn longer(&self, view: &View<'_>, start: &Start) -> Option<RawRun> {
        let end = self.end;
        // The limit allows one character too many, so that a reading that is too long can be
        // recognised.
        let limit = limit(start).min(end + BEYOND_BYTES + 4);
        let url = ahead::url_ahead(view, self.authority_end..end, limit, |_, _| true);
        let reach = url.map_or(limit, |url| url.scheme);
        let run = read(&view.before(reach), start, self.before, true, false)?;
        let is_cut = run.full_end == reach && url.is_some_and(|url| !url.ends_run);
        (!is_cut && run.end > end).then_some(run)
    }

    /// Returns the trimmed end of the URL (B-END), if the run holds a URL (B-HOST, B-MAIL, B-NEWS).
    pub(crate) fn url_end(&self, text: &[u8], start: &Start) -> Option<usize> {
        let body = start.body();
        let url = &text[start.scheme..self.end];
        let len = match self.closed {
            Some(true) => url.len(),
            Some(false) => trim::punctuated_len(url, body - start.scheme),
            None => trim::url_len(url, body - start.scheme, self.authority_end - start.scheme, self.before.byte),
        };
        let mut end = start.scheme + len;
        // A password among settings may end in `!`.
        if text[..self.end].get(self.authority_end) == Some(&b';') && text[end..self.end].starts_with(b"!") {
            end += 1;
        }
        let stands = match start.form {
            // If the URL continues after the authority, the host was checked when the run was read.
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

    /// Returns false if B-HOST refuses the host because of its first byte, however B-END trims it
    /// (`http://[http://[…`). A run that is too long passes, because B-MAX rejects it later.
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
        // `http://[::1].?` may end a question. B-END trims the whole tail if it is only
        // punctuation.
        const LONGEST: usize = 64;
        let marks = trim::marks_len(&text[ip_end..text.len().min(ip_end + LONGEST)]);
        let mark = Some(ip_end + marks).filter(|_| marks < LONGEST).and_then(|at| view.byte(at));
        mark.is_some_and(|b| matches!(CLASS[b as usize], STOP | CLOSER))
    }

    fn ip_length(&self) -> Option<usize> {
        self.ip_end.map(|end| end - self.host)
    }
}

/// Returns whether an address has an `@` with another character on each side (B-MAIL).
pub(crate) fn is_mail(address: &[u8]) -> bool {
    address.len() > 2 && memchr::memchr(b'@', &address[1..address.len() - 1]).is_some()
}

/// Returns whether a name is `*`, an article, or a group that begins with a letter and has a dot
/// (B-NEWS).
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
