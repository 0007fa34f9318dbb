//! What is known of a text that goes on (ST-5): whether the answer at a colon stands, whatever follows the bytes at hand.
//!
//! The first byte that ends every run decides nearly all: the scheme, the host, the run, B-END, lists, brackets, markup,
//! B-MAX. What is read behind it:
//!
//! | rule | what it waits for |
//! |---|---|
//! | B-HYPH, B-JOIN: a line break, after blanks | as much of the next line as shows that it is hopeless; else all of it, and the lines after it that B-JOIN weighs, as far as they may still matter |
//! | W-FORM | the bracket that closes it or may open another, else its 8,192 bytes; after a line break the closer's line |
//! | B-JSON, B-ROFF | the end of the escape; the 4,096 bytes of a manual page, where those matter |
//! | B-STARS | the URL once more, after a `<` |
//! | the byte after a match | the character there |

use std::ops::Range;

use crate::bytes::limits::{JOIN_BYTES, LINE_START, WRAPPER_BYTES};
use crate::find::anchor::{self, Candidate};
use crate::find::awaited::Awaited;
use crate::find::lines::{self, known_next_line};
use crate::find::matches::PutOff;
use crate::find::resolve::{Resolver, start_in};
use crate::find::roff::RoffMemo;
use crate::find::start::{self, SchemeForm};
use crate::find::{bare, escaped, extent, join, run, schemes, unwrap};

/// How a colon is known.
enum Known {
    /// Whatever the rules say, they read nothing behind this place and the line's end.
    Until(usize),
    /// The rules read on behind this place: they say.
    ByRules(usize),
}

impl Resolver {
    /// Where the match at this colon ends, or a place in the line that ends what is read there, if that is known however the
    /// text goes on.
    #[cold]
    pub(crate) fn known(&mut self, text: &[u8], candidate: Candidate) -> Result<usize, Awaited> {
        let colon = candidate.colon;
        let word = start::word_before(text, colon);
        if let Some((open, body, kind)) = self.bracket(text, word.clone(), colon) {
            if !unwrap::has_bracket(text, open, body) {
                return Err(Awaited::Bracket);
            }
            let end = unwrap::unwrap(text, open, body, kind, &self.judge).ok().map(|hit| hit.end());
            if !unwrap::is_known(text, open, body, end) {
                return Err(Awaited::Line);
            }
            if let Some(end) = end {
                return Ok(end);
            }
        }
        let prefixed = match start::prefix_before(text, colon) {
            Some(_) => self.known_prefixed(text, colon)?,
            None => None,
        };
        let known = if schemes::is_url(candidate.word) && !start::slashes_follow(text, colon) {
            prefixed.unwrap_or(Known::Until(colon))
        } else {
            match (prefixed, self.known_bare(text, word, colon)?) {
                (Some(Known::ByRules(at)), Known::Until(_)) => Known::ByRules(at),
                (_, known) => known,
            }
        };
        match known {
            Known::Until(end) => Ok(end),
            Known::ByRules(end) => self.known_by_rules(text, candidate, end),
        }
    }

    /// The same of the URL that `URL:` announces, if one may follow.
    fn known_prefixed(&self, text: &[u8], colon: usize) -> Result<Option<Known>, Awaited> {
        let is_of_prefix = |b: &u8| schemes::is_scheme_byte(*b) || matches!(b, b' ' | b'\t' | b':');
        // Enough for the blanks and the scheme, and what shows that a URL may begin.
        let length = text[colon + 1..].iter().take_while(|&b| is_of_prefix(b)).count();
        if colon + 1 + length + anchor::AHEAD >= text.len() {
            return Err(Awaited::Byte);
        }
        self.prefixed(text, colon).map(|scheme| self.known_bare(text, scheme.clone(), scheme.end)).transpose()
    }

    /// The same of the bare URL whose scheme ends at this colon.
    fn known_bare(&self, text: &[u8], word: Range<usize>, colon: usize) -> Result<Known, Awaited> {
        let options = &self.judge.options;
        let is_after_font = matches!(text[..word.start], [.., b'\\'] | [.., b'\\', b'f', b'(']);
        if is_after_font && text.len() < colon + 2 * LINE_START {
            return Err(Awaited::Length(colon + 2 * LINE_START));
        }
        if text.get(colon + 1) == Some(&b'\\') && text.len() <= colon + 1 + anchor::AHEAD {
            return Err(Awaited::Byte);
        }
        let Some(start) = start_in(text, &word, colon, options, &mut RoffMemo::default()) else {
            // `http:` at the end of a line (B-JOIN-V0A)
            let is_scheme = options.joins_bare() && start::start(text, word, colon, false, true).is_some();
            let below = if is_scheme { known_next_line(text, colon + 1).ok_or(Awaited::Byte)? } else { None };
            return below.map_or(Ok(Known::Until(colon + 1)), |line| known_below(text, colon + 1, line));
        };
        let body = start.body();
        if !matches!(start.form, SchemeForm::Authority { .. }) && text.get(body) == Some(&b'<') {
            // B-ANGLEID
            if let Some(id) = extent::angle_id(text, body) {
                return Ok(Known::Until(id.end + 1));
            }
            if text[body + 1..].iter().all(|&b| b.is_ascii_graphic() && !b"<>".contains(&b)) {
                return Err(Awaited::Stop);
            }
        }
        if escaped::is_slashed(text, &start) {
            return escaped::known_end(text, &start, body).map(Known::Until);
        }
        let stop = run::hard_stop(text, body, text.len()).ok_or(Awaited::Stop)?;
        if text[stop] == b'\\' {
            if text.len() < stop + anchor::AHEAD + 2 {
                return Err(Awaited::Byte);
            }
            if escaped::may_be_escape(text, stop) {
                return escaped::known_end(text, &start, stop).map(Known::Until);
            }
        }
        let url = &text[start.scheme..stop];
        let is_starred = || memchr::memmem::find(url, b"**").is_some();
        let starless = stop + WRAPPER_BYTES.min(url.len() + 2);
        if text[stop] == b'<' && text.len() < starless && is_starred() {
            return Err(Awaited::Length(starless));
        }
        if !options.reads_next_line() {
            return Ok(Known::Until(stop));
        }
        let Some(line) = known_next_line(text, stop).ok_or(Awaited::Byte)? else { return Ok(Known::Until(stop)) };
        let is_hopeless = body < stop && join::is_hopeless(text, start.scheme..stop, body, line);
        if is_hopeless { Ok(Known::Until(stop)) } else { known_below(text, stop, line) }
    }

    /// The same where only the rules can say how far they read.
    fn known_by_rules(&mut self, text: &[u8], candidate: Candidate, stop: usize) -> Result<usize, Awaited> {
        self.join_memo.waits = false;
        let hit = self.resolve(text, candidate, 0, &mut None);
        if self.join_memo.waits {
            return Err(Awaited::Line);
        }
        let Some(hit) = hit else { return Ok(stop) };
        let are_known = match hit.first.put_off {
            PutOff::OfBare(escapes) => bare::are_more_readings_known(text, &hit.first, escapes, self.judge.options),
            _ => true,
        };
        if are_known { Ok(hit.end().max(stop)) } else { Err(Awaited::Line) }
    }
}

/// How a URL is known that may go on at `line`: the rules read all of it.
fn known_below(text: &[u8], stop: usize, line: usize) -> Result<Known, Awaited> {
    /// What shows that a line is hopeless is nearer.
    const NEAR: usize = 128;
    let reach = text.len().min(line + JOIN_BYTES);
    if lines::line_end(text, line.min(reach), reach) < reach || reach < text.len() {
        Ok(Known::ByRules(stop))
    } else {
        Err(if text.len() < line + NEAR { Awaited::Byte } else { Awaited::Line })
    }
}

#[cfg(test)]
mod tests;
