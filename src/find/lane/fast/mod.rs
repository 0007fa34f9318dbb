//! The fast lane: plain URLs, which need no decision by the rules.
//!
//! Nearly every URL is plain: a scheme of K, a host name, and bytes up to a blank or bracket. A
//! plain URL stands in the text by itself, between angle brackets or in a wrapper. The lane reads
//! it from bit masks of 64 bytes ([`Plain`]), whereas the rules test each byte several times. In a
//! text of URLs, finding and judging a URL takes 110 ns with the lane. Without the lane, it takes
//! 410 ns (AMD EPYC, 2026-11).
//!
//! # Contract
//!
//! The lane returns the same result as the rules ([`resolve`](crate::find::forms::resolve)). If
//! that is not certain, it returns [`Miss::Unclear`], and the rules decide. The lane reads a few
//! bytes before the scheme, [`LONGEST`] bytes after it, and the beginning of the next line. It has
//! no state.
//!
//! The lane and the rules share the functions for their common decisions: [`trim`] for B-END,
//! [`join::rejects_line`] for the next line, and [`extent`] for B-MAIL and B-NEWS. The compiler
//! checks the masks against the rules' tables. A test compares the lane with the rules on random
//! texts with random options. A debug build compares both at every colon.
//!
//! | shortcut | anticipates |
//! |---|---|
//! | [`NEIGHBOUR`]: no scheme byte stands before the scheme | B-START-1: the word is the scheme |
//! | [`Site::announced`]: `<URL:`, or `URL:` and a few blanks | W-FORM-1, P-FORM-1, P-FORM-2 |
//! | [`slashed`]: 64 bytes by their masks | B-START-2, B-AUTH, B-HOST, B-RUN-1, B-LIST, B-UNI, B-STARS |
//! | [`opaque`]: the same for mailto and news | B-START-3, B-MAIL, B-NEWS |
//! | [`Site::end`]: `<` before and `>` after | W-FORM-2, W-ANGLE-1 |
//! | [`ends_here`]: nothing follows, or a rejected line; no escape | B-RUN-1, B-HYPH, B-JOIN, B-BACK, B-JSON, B-ROFF, B-TERM |
//! | [`is_clear`]: a scheme without its `//`; a word, its colon and a blank | B-START-2, B-START-3 |
//!
//! # Speed
//!
//! [`Lane`] compiles to one function per backend. It searches for colons, reads and judges each
//! URL, and passes it to the sink. These steps exchange values in registers, without a call per
//! URL.

use std::ops::Range;

use crate::Level;
use crate::bytes::class;
use crate::bytes::simd::{self, Kernel, Look, WIDTH};
use crate::find::end::delimiter::Preceding;
use crate::find::end::length;
use crate::find::end::{extent, run, trim};
use crate::find::forms::resolve::Resolver;
use crate::find::lane::anchor;
use crate::find::lane::anchor::Colons;
use crate::find::lane::events::EventSink;
use crate::find::matches::{Kind, PlainMatch};
use crate::find::options::Options;
use crate::find::start::{Candidate, last_eight};
use crate::find::text::layers;
use crate::find::text::layers::{Mapping, continuation, edge, prefix, strings, terminal, texinfo};
use crate::find::text::lines::{after_break, is_blank, is_break};
use crate::find::text::view::View;
use crate::find::{join, schemes, start};
use crate::url::plain::{Plain, PlainScheme, ReadOpaque};
use crate::url::scheme::{LONGEST as LONGEST_NAME, key};
use crate::url::{self, Verdict};

/// The maximum length of a plain URL after its `//`.
const LONGEST: usize = 1024;
/// The number of bytes after a colon that the lane reads. They are the blanks and scheme after
/// `URL:`, the URL, a line break, and the beginning of the next line.
pub(crate) const AHEAD: usize = LONGEST + 512;

/// No plain byte ends a run by itself (B-RUN-1), or opens or closes a bracket or quotation. `&` may
/// be plain because escaped markup ends in `;`, which is not plain.
const _: () = {
    use run::{AMPERSAND, COMMA, PLAIN, QUERY};
    let mut byte = 0;
    while byte < 128 {
        assert!(!simd::is_plain(byte) || matches!(run::CLASS[byte as usize], PLAIN | COMMA | QUERY | AMPERSAND));
        byte += 1;
    }
    assert!(!simd::is_plain(b';') && !simd::is_plain(b'*'));
};

/// The class of a byte before a scheme, or at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbour {
    /// The byte may belong to a scheme.
    SchemeByte,
    /// White space. The text may continue after it.
    Space,
    /// The byte ends every run, whatever follows.
    Stop,
    /// Any other byte. The bytes after it decide.
    Other,
}

/// The classes of all bytes.
static NEIGHBOUR: [Neighbour; 256] = {
    let mut table = [Neighbour::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\t' | b'\n' | b'\r' | b' ' => Neighbour::Space,
            // A URL in delimiters may continue after some of these bytes, and a URL with escapes
            // after the others.
            b'\\' | b'|' | b'^' | b'`' | 0x07 | 0x1B => Neighbour::Other,
            _ if run::CLASS[byte] == run::STOP => Neighbour::Stop,
            _ if class::SCHEME.contains(byte as u8) => Neighbour::SchemeByte,
            _ => Neighbour::Other,
        };
        byte += 1;
    }
    table
};

/// The reason why a walk over the colons stops.
pub(crate) enum LaneEnd {
    /// A candidate that the rules decide.
    Candidate(Candidate),
    /// The sink stopped the walk.
    Stopped,
    /// No further match begins before the end.
    End,
}

/// A walk over the colons of a text. It reads the plain URLs, and stops at a colon that the rules
/// decide.
pub(crate) struct Lane<'a, T> {
    pub(crate) text: &'a [u8],
    /// The start of the search for the next colon.
    pub(crate) from: usize,
    /// The end of the last match. No match may start before it.
    pub(crate) pos: usize,
    /// A match that starts here or later ends the walk.
    pub(crate) end: usize,
    /// The end of the range of colons.
    pub(crate) colons_end: usize,
    /// The rules decide every colon from here on.
    pub(crate) unclear_from: usize,
    pub(crate) resolver: &'a Resolver,
    pub(crate) take: &'a mut T,
}

impl<T> Lane<'_, T> {
    /// Returns the next candidate for the rules, with options that the lane does not support.
    pub(crate) fn next_anchor(&self) -> LaneEnd {
        let found = anchor::next_anchor(self.text, self.from, self.colons_end, self.resolver.options());
        found.map_or(LaneEnd::End, LaneEnd::Candidate)
    }
}

impl<T: EventSink> Look for Lane<'_, T> {
    /// The reason for the stop, and the end of the last match.
    type Answer = (LaneEnd, usize);

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> (LaneEnd, usize) {
        let Lane { text, mut from, mut pos, end, colons_end, unclear_from, resolver, take } = self;
        let mut colons = Colons::default();
        #[cfg(debug_assertions)]
        let mut twin = None;
        while let Some(colon) = colons.next(kernel, text, from, colons_end) {
            let candidate = Candidate::at(text, colon);
            let seen = if colon < unclear_from {
                plain(kernel, text, candidate, resolver.options())
            } else {
                Err(Miss::Unclear)
            };
            #[cfg(debug_assertions)]
            compare(&seen, text, candidate, || twin.get_or_insert_with(|| resolver.clone()));
            from = colon + 1;
            match seen {
                Ok(found) if found.start >= end => break,
                Ok(found) if found.start >= pos => {
                    pos = found.end;
                    from = pos; // this is after the colon
                    if take.plain(found).is_break() {
                        return (LaneEnd::Stopped, pos);
                    }
                }
                Err(Miss::Unclear) if !is_clear(text, candidate) => return (LaneEnd::Candidate(candidate), pos),
                _ => {}
            }
        }
        (LaneEnd::End, pos)
    }
}

/// Checks that the rules agree with the lane on a URL, and on a candidate at which nothing begins.
#[cfg(debug_assertions)]
fn compare<'r>(
    seen: &Result<PlainMatch, Miss>,
    text: &[u8],
    candidate: Candidate,
    resolver: impl FnOnce() -> &'r mut Resolver,
) {
    let fast = match seen {
        Ok(found) => Some((found.clone().into(), true)),
        Err(Miss::Unclear) if !is_clear(text, candidate) => return,
        Err(_) if !anchor::is_candidate(text, candidate) => return,
        Err(_) => None,
    };
    let mut refused = None;
    let resolver = resolver();
    let hit = resolver.resolve(&View::whole(text), candidate, 0, &mut refused).unwrap_or_default();
    let full = hit.map(|hit| (resolver.judge.judged(text, hit.first), hit.rest.is_empty()));
    assert_eq!((fast, None), (full, refused), "the fast lane and the rules differ");
}

/// The reason why a colon has no plain URL. This type is as wide as an offset, because in a
/// `Result` it shares the place of a match's offset. Otherwise that place would be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
enum Miss {
    /// No match begins at the colon.
    Nothing,
    /// The rules must decide.
    Unclear,
}

/// Returns whether no match can begin at a colon. Such a colon is not a candidate, lacks its `//`,
/// or stands between words, as in `Good-News: x`. In text without URLs, most candidates are of the
/// last two kinds.
#[inline(never)]
fn is_clear(text: &[u8], candidate: Candidate) -> bool {
    /// The maximum number of bytes that are read of the word on each side.
    const REACH: usize = 16;
    let Candidate { colon, word } = candidate;
    let (is_url, opaque) = (schemes::is_url(word), schemes::opaque_before_colon(word));
    if !is_url && opaque.is_none() && !anchor::is_candidate(text, candidate) {
        return true;
    }
    let neighbour = |byte: &u8| NEIGHBOUR[usize::from(*byte)];
    let is_word = |byte: &u8| neighbour(byte) == Neighbour::SchemeByte;
    let (length, has_slashes) = match opaque {
        _ if is_url => (3, false),
        Some((length, _)) => (length, false),
        None => match PlainScheme::before_colon(word) {
            Some(scheme) => (scheme.len, true),
            None => return false,
        },
    };
    let start = colon - length;
    // The scheme lacks its `//`. Such a URL may still be in brackets, or have a line break before
    // the `//`.
    if has_slashes
        && let Some(&next) = text.get(colon + 1)
        && !matches!(next, b'/' | b'\\' | b'&' | b'|' | b' ' | b'\t' | b'\r' | b'\n')
        && next.is_ascii()
        && !text[..start].ends_with(b"<")
    {
        return true;
    }
    let mut before = text[start.saturating_sub(REACH)..start].iter().rev();
    let Some([b' ', after @ ..]) = text.get(colon + 1..) else { return false };
    after.first().is_some_and(is_word)
        && before.find(|byte| !is_word(byte)).map(neighbour) == Some(Neighbour::Space)
        // P-FORM-2: no scheme follows `URL:`.
        && (!is_url || after.iter().take(REACH).find(|byte| !is_word(byte)).is_some_and(|&byte| byte != b':'))
}

/// The place of a URL.
#[derive(Clone, Copy)]
struct Site {
    /// The start of the match.
    span: usize,
    /// The start of the scheme.
    start: usize,
    colon: usize,
    /// The byte before the scheme. In a wrapper, it is `<`.
    before: u8,
    kind: Kind,
}

#[inline(always)]
fn plain<K: Kernel>(kernel: K, text: &[u8], candidate: Candidate, options: &Options) -> Result<PlainMatch, Miss> {
    let Candidate { colon, word } = candidate;
    let (site, scheme) = if text.get(colon + 1) == Some(&b'/') {
        let scheme = PlainScheme::before_colon(word);
        (Site::before(text, word, scheme.map(|scheme| scheme.len), colon), scheme)
    } else if schemes::is_url(word) {
        let site = Site::announced(text, word, colon);
        let inner = site.filter(|site| text.get(site.colon + 1) == Some(&b'/'));
        (site, inner.and_then(|site| PlainScheme::before_colon(last_eight(text, site.colon))))
    } else {
        (Site::before(text, word, schemes::opaque_before_colon(word).map(|(length, _)| length), colon), None)
    };
    let site = site.ok_or(Miss::Unclear)?;
    // The two functions return their values in memory. Splitting the result here loads the values
    // into registers. Otherwise all of them would pass through memory.
    let (ends, verdict) = match scheme {
        Some(scheme) => slashed(kernel, text, site, scheme, options).ok_or(Miss::Unclear)?,
        None => opaque(text, site, options)?,
    };
    // The rules read a bracketed URL again if no grammar accepts it.
    if site.is_bracketed() && verdict.level > Level::Iri {
        return Err(Miss::Unclear);
    }
    Ok(PlainMatch { start: site.span, end: ends.1, kind: site.kind, url: site.start..ends.0, verdict })
}

/// The end of a URL, and the end of its match.
type Ends = (usize, usize);

impl Site {
    /// Reads a scheme of this length without `URL:`, if it is the whole word before the colon.
    #[inline(always)]
    fn before(text: &[u8], word: u64, length: Option<usize>, colon: usize) -> Option<Site> {
        let start = colon - length?;
        // Zeros stand for bytes before the text. They also end a word.
        let before = if length? < 8 { (word >> (8 * length?)) as u8 } else { *text.get(start.checked_sub(1)?)? };
        let (span, kind) = if before == b'<' { (start - 1, Kind::Angle) } else { (start, Kind::Bare) };
        // If a colon stands before the URL, another scheme may enclose the URL (B-OPAQUE).
        let is_apart = NEIGHBOUR[usize::from(before)] != Neighbour::SchemeByte
            && (before != b':' || start::outer_before(text, start).is_none());
        is_apart.then_some(Site { span, start, colon, before, kind })
    }

    /// Reads the scheme that `URL` announces. This scheme stands right after `<URL:`, or after `URL:`
    /// and a few blanks.
    #[inline(always)]
    fn announced(text: &[u8], word: u64, colon: usize) -> Option<Site> {
        let site = Site::before(text, word, Some(3), colon)?;
        let next = u64::from_be_bytes(*text.get(colon + 1..)?.first_chunk()?);
        // Nearly every announced scheme is one of these. One comparison recognises it.
        const NAMES: [&[u8]; 4] = [b"http:", b"https:", b"ftp:", b"mailto:"];
        let length = NAMES.iter().find(|name| {
            let rest = 64 - 8 * name.len();
            (next | 0x2020_2020_2020_2020 & !(0x20 << rest)) >> rest == key(name)
        });
        match length {
            Some(name) if site.is_bracketed() => {
                Some(Site { start: colon + 1, colon: colon + name.len(), kind: Kind::Wrapped, ..site })
            }
            _ => site.announced_any(text),
        }
    }

    #[inline(always)]
    fn announced_any(self, text: &[u8]) -> Option<Site> {
        /// The maximum number of blanks. The rules read more.
        const BLANKS: usize = 4;
        let blanks = text[self.colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
        let is_wrapper = self.is_bracketed();
        if is_wrapper && blanks > 0 || blanks > BLANKS {
            return None;
        }
        let start = self.colon + 1 + blanks;
        let colon = start + text[start..].iter().take(LONGEST_NAME + 1).position(|&byte| byte == b':')?;
        let (before, kind) = if is_wrapper { (b'<', Kind::Wrapped) } else { (text[start - 1], Kind::Prefixed) };
        Some(Site { start, colon, before, kind, ..self })
    }

    /// Returns the ends of the URL and of its match, if the URL ends with this run. In brackets,
    /// the URL is the whole run. A bare URL is the run as B-END trims it.
    #[inline(always)]
    fn end(&self, text: &[u8], run_end: usize, body: usize, authority_end: usize) -> Option<Ends> {
        if self.is_bracketed() {
            // Brackets with white space or a line break are left to the rules.
            return (text[run_end] == b'>').then_some((run_end, run_end + 1));
        }
        let run = self.start..run_end;
        // Nearly every run stands between blanks, with a letter, a quotation mark or a bracket
        // after the second blank.
        let [after, next] = *text.get(run_end..)?.first_chunk()?;
        let is_apart = matches!(NEIGHBOUR[usize::from(self.before)], Neighbour::Space | Neighbour::Stop);
        let is_plain_end = is_apart && is_followed([after, next]);
        if length::may_stand(text, self.start, run_end) {
            return None;
        }
        if !is_plain_end && (terminal::begins_target(text, self.start) || !ends_here(text, &run)) {
            return None;
        }
        // The run may end before its last bytes: `E<gt>`, `-->` (B-RUN-1).
        if matches!([text[run_end - 1], after], [b'E', b'<'] | [b'-', b'>']) {
            return None;
        }
        let start = self.start;
        let end = start + trim::url_len(&text[run], body - start, authority_end - start, Some(self.before));
        // A delimiter may keep the trimmed punctuation.
        let is_kept = end < run_end
            && matches!(self.before, b'"' | b'\'' | b'`' | b'(' | b'|' | b'>')
            && run_end > authority_end
            && Preceding::at(text, start).is_open();
        (!is_kept).then_some((end, end))
    }

    #[inline(always)]
    fn is_bracketed(&self) -> bool {
        self.before == b'<'
    }
}

/// Returns whether the two bytes after a run show that it ends there. If so, it does not continue
/// on the line below.
#[inline(always)]
fn is_followed([after, next]: [u8; 2]) -> bool {
    NEIGHBOUR[usize::from(after)] == Neighbour::Stop
        && !(after == b'"' && strings::may_join(next) || after == b'>' && is_break(next))
        || after == b' ' && NEIGHBOUR[usize::from(next)] != Neighbour::Space && !edge::is_edge_lead(next)
}

/// Reads a URL with `//`, by the masks of the first 64 bytes after the `//`. Returns its ends and
/// verdict.
#[inline(always)]
fn slashed<K: Kernel>(
    kernel: K,
    text: &[u8],
    site: Site,
    scheme: PlainScheme,
    options: &Options,
) -> Option<(Ends, Verdict)> {
    if site.start + scheme.len != site.colon {
        return None;
    }
    let (slashes, rest) = text.get(site.colon + 1..)?.split_first_chunk()?;
    let bytes = rest.first_chunk()?;
    if slashes != b"//" {
        return None;
    }
    let plain = Plain::read(bytes, kernel.masks(bytes))?;
    let body = site.colon + 3;
    // The host of `http://api.<region>.example` is a placeholder. The other marks of B-NOHOST are
    // plain bytes, or cannot end a plain run.
    if plain.end == plain.authority_end && bytes[plain.end] == b'<' && !is_followed_by_no_name(text, body + plain.end) {
        return None;
    }
    let run_end = if plain.end < WIDTH { body + plain.end } else { long_end(text, body, options)? };
    let ends = site.end(text, run_end, body, body + plain.authority_end)?;
    let url = &text[site.start..ends.0];
    let len = ends.0 - body;
    // A comma may end a field (B-SHEET).
    if !site.is_bracketed() && (plain.holds_comma(kernel, len) || has_comma_behind(text, body, len)) {
        return None;
    }
    let is_judged = len < WIDTH || has_no_special(text, body, len, options);
    let verdict = if is_judged { plain.verdict(kernel, scheme, url, len.min(WIDTH)) } else { None };
    let verdict = verdict.unwrap_or_else(|| {
        let Verdict { level, error } = url::judge_any(url, options.parse);
        Verdict { level, error }
    });
    Some((ends, verdict))
}

/// Returns whether no name follows the `<` at `at`. Such a `<` begins an end tag, or no tag.
#[inline(never)]
fn is_followed_by_no_name(text: &[u8], at: usize) -> bool {
    text.get(at + 1).is_some_and(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'_'))
}

/// Returns the end of a run of plain bytes that is longer than one vector.
#[inline(never)]
fn long_end(text: &[u8], body: usize, options: &Options) -> Option<usize> {
    (body + WIDTH..body + LONGEST).step_by(WIDTH).find_map(|at| {
        let bytes = match text.get(at..).and_then(<[u8]>::first_chunk) {
            Some(bytes) => bytes,
            None => return Some(None),
        };
        let run = options.backend.look(MasksOf(bytes)).other.trailing_zeros() as usize;
        (run < WIDTH).then_some(Some(at + run))
    })?
}

/// Returns whether the grammars accept each of the first `len` bytes at `body` in any place. `len`
/// is at least [`WIDTH`].
#[inline(never)]
fn has_no_special(text: &[u8], body: usize, len: usize, options: &Options) -> bool {
    (body..body + len).step_by(WIDTH).all(|at| {
        let rest = &text[at..];
        let special = rest.first_chunk().map(|bytes| options.backend.look(MasksOf(bytes)).special);
        let left = body + len - at;
        special.is_some_and(|special| left < WIDTH && special << (WIDTH - left) == 0 || special == 0)
    })
}

/// Returns whether a `,` stands in the first `len` bytes at `body`, after the first [`WIDTH`]
/// bytes.
#[inline(always)]
fn has_comma_behind(text: &[u8], body: usize, len: usize) -> bool {
    len > WIDTH && memchr::memchr(b',', &text[body + WIDTH..body + len]).is_some()
}

struct MasksOf<'b>(&'b [u8; WIDTH]);

impl Look for MasksOf<'_> {
    type Answer = simd::Masks;

    #[inline(always)]
    fn answer<K: Kernel>(self, kernel: K) -> simd::Masks {
        kernel.masks(self.0)
    }
}

/// Reads mailto and news, which have no `//`.
#[inline(never)]
fn opaque(text: &[u8], site: Site, options: &Options) -> Result<(Ends, Verdict), Miss> {
    let word = last_eight(text, site.colon);
    let (length, is_mail) = schemes::opaque_before_colon(word).ok_or(Miss::Unclear)?;
    let body = site.colon + 1;
    let bytes = text[body..].first_chunk().ok_or(Miss::Unclear)?;
    // `URL:news://…` has an authority. `ADMIN_MAILTO:` may be a name (B-START-3).
    if bytes.starts_with(b"//") || site.before == b'_' {
        return Err(Miss::Unclear);
    }
    let opaque = options.backend.look(ReadOpaque { bytes, is_mail });
    let run_end =
        if opaque.end < WIDTH { body + opaque.end } else { long_end(text, body, options).ok_or(Miss::Unclear)? };
    // W-MASK
    let is_open = site.is_bracketed() && !(opaque.is_rfc1738 || is_mail && text[body..run_end].contains(&b'@'));
    if is_open || site.start + length != site.colon {
        return Err(Miss::Unclear);
    }
    let ends = site.end(text, run_end, body, body).ok_or(Miss::Unclear)?;
    let name = &text[body..ends.0];
    let is_rfc1738 = opaque.is_rfc1738 && name.len() <= opaque.end;
    if !is_rfc1738 && !site.is_bracketed() && memchr::memchr(b',', name).is_some() {
        return Err(Miss::Unclear); // the comma may end a field (B-SHEET)
    }
    let is_name = if is_mail { extent::is_mail(name) } else { extent::is_news(name) };
    if !is_name && !site.is_bracketed() {
        // An address in brackets may follow: `news:<1@a.example>`.
        let ends = text[body] != b'<' && text[run_end..].first_chunk().is_some_and(|&next| is_followed(next));
        return Err(if ends && site.kind == Kind::Bare { Miss::Nothing } else { Miss::Unclear });
    }
    let verdict = match is_rfc1738 && name.len() == opaque.end {
        true => Verdict { level: Level::Rfc1738, error: None },
        false => url::judge_any(&text[site.start..ends.0], options.parse),
    };
    Ok((ends, verdict))
}

/// Returns whether the run certainly ends at `run.end`. The byte there must end every run or be a
/// closer. If only blanks follow on the line, the line below must not continue the run.
#[inline(never)]
fn ends_here(text: &[u8], run: &Range<usize>) -> bool {
    /// The maximum number of blanks at the end of a line. The rules read more.
    const BLANKS: usize = 16;
    let mut at = run.end;
    if is_blank(text[at]) {
        at += text[at..].iter().take(BLANKS).take_while(|&&byte| is_blank(byte)).count();
    }
    match text.get(at) {
        Some(&byte) if is_break(byte) => {
            let ahead = View::new(text, true);
            let line = after_break(&ahead, at);
            line < text.len()
                && join::rejects_line(text, run.clone(), line)
                && !prefix::may_follow(&ahead, run.start, line)
                && !edge::begins_apart(&View::whole(text), run.start, at)
                && !ahead.is_touched()
        }
        Some(b'"') => {
            let ahead = View::new(text, true);
            Mapping::Text.read(&ahead, at).is_none() && !ahead.is_touched()
        }
        Some(b'>') => {
            let ahead = View::new(text, true);
            !continuation::is_cut_off(&ahead, at) && !ahead.is_touched()
        }
        Some(&byte) if is_blank(byte) => false,
        Some(_) if at > run.end => !edge::may_follow(&View::whole(text), run.clone()),
        Some(b'|') => false,
        Some(b')' | b']' | b'}' | b'^' | b'`') => !Preceding::at(text, run.start).is_open(),
        // `@{` does not end a URL that a delimiter closes.
        Some(b'@') => {
            run::is_hard_stop(text, at)
                && !Preceding::at(text, run.start).is_open()
                && !texinfo::opens_before(text, run.start)
        }
        Some(_) => run::is_hard_stop(text, at) && !layers::may_be_escape(text, at),
        None => false,
    }
}

#[cfg(test)]
mod tests;
