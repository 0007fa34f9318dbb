//! Names without a scheme: B-WWW.

use crate::find::end::sheet::LastLine;
use crate::find::forms::bare::Bare;
use crate::find::forms::judge::Judge;
use crate::find::matches::{Kind, Pieces, RawMatch};
use crate::find::options::{Options, Rejoin, Sheets};
use crate::find::start;
use crate::find::start::{SchemeForm, Start};
use crate::find::text::view::View;
use crate::url::domain;

/// Returns the name whose first dot stands at `dot`, if it begins at or after `from`.
pub(crate) fn read(
    text: &View<'_>,
    dot: usize,
    from: usize,
    judge: &Judge,
    last_line: &mut LastLine,
) -> Option<RawMatch> {
    let at = start::www_before(text, dot).filter(|&at| at >= from)?;
    if !text.byte(dot + 1).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
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
    let is_host = is_public(&text[at..host_end]);
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
    (is_host && is_name).then(|| RawMatch::new(url.clone(), Kind::Www, Pieces::One(url)))
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
    let labels = || host.split(|&byte| byte == b'.');
    let is_label = |label: &[u8]| !label.is_empty() && !label.starts_with(b"-") && !label.ends_with(b"-");
    labels().count() >= 3
        && labels().all(is_label)
        && psl::suffix(&domain::name(host)).is_some_and(|suffix| suffix.is_known())
}
