//! Names without a scheme: B-WWW and B-NAME.

use crate::bytes::words::is_lower_ascii;
use crate::find::end::sheet::LastLine;
use crate::find::forms::bare::Bare;
use crate::find::forms::judge::Judge;
use crate::find::matches::{Kind, Pieces, RawMatch};
use crate::find::options::{Options, Rejoin, Sheets};
use crate::find::start;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;
use crate::find::text::words;
use crate::url::domain;

/// Returns the name whose first dot or first slash stands at `anchor`, if it begins at or after
/// `from`.
pub(crate) fn read(
    text: &View<'_>,
    anchor: usize,
    from: usize,
    judge: &Judge,
    last_line: &mut LastLine,
) -> Option<RawMatch> {
    let (kind, at) = match text[anchor] {
        b'/' => (Kind::Name, start::name_before(text, anchor)?),
        _ => (Kind::Www, start::www_before(text, anchor)?),
    };
    let is_host_begun = kind == Kind::Name || text.byte(anchor + 1).is_some_and(|byte| byte.is_ascii_alphanumeric());
    if at < from || !is_host_begun || kind == Kind::Name && !is_site(&text[at..anchor]) {
        return None;
    }
    // The hosts that relayed a message are not links.
    if judge.options.is_header && is_of_way(&text[at.saturating_sub(WAY)..at]) {
        return None;
    }
    let start = Start { scheme: at, colon: at, form: SchemeForm::Name };
    let options = Options { rejoin: Rejoin::None, ..judge.options };
    let bare = Bare { text, start: &start, judge: &Judge { options } };
    let is_told = options.sheets == Sheets::Told;
    let run = bare.run(!is_told && last_line.is_record(text, at))?;
    let found = if run.is_too_long(&start) { None } else { bare.read(&run) }?;
    let host_end = text.stretch(at, found.end, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
    let is_host = match kind {
        // `a.org/b.org` are two names.
        Kind::Name => found.end > anchor + 1 && !is_site(&text[anchor + 1..found.end]) && !is_key(text, at, found.end),
        _ => is_public(&text[at..host_end]),
    };
    // A name before `@` belongs to an address.
    let is_name = match text.byte(host_end) {
        Some(b'@' | b'_' | b'%' | b'~') => false,
        Some(byte) if byte.is_ascii() => true,
        // Malformed text may be a letter of Latin-1.
        Some(_) => text.decode(host_end).is_some_and(|(c, _)| !start::is_of_spaced_word(c)),
        None => true,
    };
    // `ftp.h.example:/pub` is a notation from before URLs.
    let is_port = host_end == found.end
        || text[host_end] != b':'
        || text.byte(host_end + 1).is_some_and(|byte| byte.is_ascii_digit());
    let url = at..if is_port { found.end } else { host_end };
    (is_host && is_name).then(|| RawMatch::new(url.clone(), kind, Pieces::One(url)))
}

/// Returns whether quotes around a name make it a key: `"h/x": 1`, `labels['h/x']`.
fn is_key(text: &View<'_>, at: usize, end: usize) -> bool {
    let quote = text[..at].last().filter(|quote| b"'\"".contains(quote));
    if quote.is_none() || text.byte(end) != quote.copied() {
        return false;
    }
    let is_index =
        |before: &[u8]| matches!(before, [.., byte, b'['] if byte.is_ascii_alphanumeric() || b"_.)".contains(byte));
    text.byte(end + 1) == Some(b':') || text.byte(end + 1) == Some(b']') && is_index(&text[..at - 1])
}

/// The number of bytes before a host in which `from` or `by` is searched.
const WAY: usize = 32;

/// Returns whether `from` or `by` stands right before a host, as in `Received: from … by …`.
fn is_of_way(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    [&b"from"[..], b"by"].iter().any(|word| {
        let rest = before.strip_suffix(*word);
        rest.is_some_and(|rest| rest.last().is_none_or(u8::is_ascii_whitespace))
    })
}

/// Returns whether a host has three labels or more and ends in a public suffix.
fn is_public(host: &[u8]) -> bool {
    host.split(|&byte| byte == b'.').count() >= 3 && has_suffix(host)
}

/// Top-level domains after 2000 that are hardly ever a word of a program or the end of a file.
const NEW: [&[u8]; 9] = [b"blog", b"cloud", b"dev", b"land", b"online", b"social", b"tech", b"wiki", b"xyz"];
/// Country codes that end names of files or functions, besides the extensions of B-JOIN.
const FILES: [&[u8]; 12] = [b"ac", b"am", b"cf", b"id", b"in", b"la", b"mk", b"na", b"pm", b"so", b"st", b"vi"];

/// Returns whether a host that a path follows is a site (B-NAME). `configure.ac/x` is a file, but
/// `www.h.ac` and `h.com.pl` are hosts.
fn is_site(host: &[u8]) -> bool {
    let top = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let name = domain::name(host);
    let Some(suffix) = domain::site(&name).and_then(psl::suffix) else { return false };
    let may_be_file = words::is_extension(top) || FILES.contains(&top);
    let is_of_code = !suffix.as_bytes().contains(&b'.') && !host.starts_with(b"www.") && may_be_file;
    let is_known = words::is_top_level(top) && is_lower_ascii(host) && !is_of_code || NEW.contains(&top);
    has_suffix(host) && (words::is_generic(top) || is_known)
}

/// Returns whether a host consists of labels, and ends in a public suffix.
fn has_suffix(host: &[u8]) -> bool {
    let is_label = |label: &[u8]| !label.is_empty() && !label.starts_with(b"-") && !label.ends_with(b"-");
    host.split(|&byte| byte == b'.').all(is_label)
        && psl::suffix(&domain::name(host)).is_some_and(|suffix| suffix.is_known())
}
