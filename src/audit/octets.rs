//! Rules about what escapes decode to, and about what stands in paths.

use std::ops::Range;

use bstr::ByteSlice;

use super::finding::{Remark, Severity};
use super::inspected::{Component, Inspected};
use super::quote::quoted;
use super::rough::Rough;
use super::secret;
use crate::bytes::class;
use crate::url::{Parts, escape};

/// A note about an escape. One within the password is not spelled out: it could be all there is of it.
fn at_escape(url: &Inspected<'_>, escape: Range<usize>, message: String) -> Option<Remark> {
    let message = match &url.password {
        Some(password) if password.contains(&escape.start) => "an escape within the password".to_owned(),
        _ => message,
    };
    Some(Remark::new(escape, message))
}

/// The escape at an offset, as written.
fn written<'s>(url: &'s Inspected<'_>, at: usize) -> impl std::fmt::Display + 's {
    quoted(&url.raw[at..at + 3])
}

/// The gopher+ string of a form that is filled in, raw.
fn filled_form<'u>(url: &Inspected<'u>) -> Option<&'u [u8]> {
    let Parts::Gopher(gopher) = url.classic()?.parts() else { return None };
    let form = gopher.gplus()?;
    gopher.is_filled_form().then(|| form.as_bytes())
}

/// The first escaped line end that no form accounts for.
fn line_end(url: &Inspected<'_>) -> Option<usize> {
    let form = filled_form(url).map_or(0..0, |form| url.range(form));
    let is_end = |&(at, octet): &(usize, u8)| matches!(octet, b'\r' | b'\n') && !form.contains(&at);
    escapes(url.raw).find(is_end).map(|(at, _)| at)
}

/// What would be sent as a command of its own: the text between the first line end and the next, decoded. It is not told
/// where a password follows.
fn smuggled(url: &Inspected<'_>, at: usize) -> String {
    if url.password.as_ref().is_some_and(|password| at < password.end) {
        return String::new();
    }
    let rest = &url.raw[at..];
    let masked = secret::mask_text(&rest[..memchr::memchr(b'#', rest).unwrap_or(rest.len())]);
    let decoded = escape::decode(&masked);
    let line = decoded.split(|&octet| matches!(octet, b'\r' | b'\n')).find(|line| !line.trim_ascii().is_empty());
    line.map_or_else(String::new, |line| format!(": `{}` would be a line of its own", quoted(line)))
}

/// A-CRLF
pub(super) fn crlf(url: &Inspected<'_>) -> Option<Remark> {
    let at = line_end(url)?;
    at_escape(url, at..at + 3, format!("{} ends the line{}", written(url, at), smuggled(url, at)))
}

/// A-NUL
pub(super) fn nul(url: &Inspected<'_>) -> Option<Remark> {
    let (at, _) = escapes(url.raw).find(|&(_, octet)| octet == 0)?;
    at_escape(url, at..at + 3, "%00: programs in C see the end of the name here".to_owned())
}

/// A-CTRL. A tab separates the parts of a gopher request, and those of a gopher+ string.
pub(super) fn ctrl(url: &Inspected<'_>) -> Option<Remark> {
    for &(part, text) in &url.parts {
        let tabs_separate = match part {
            Component::GopherPlus => true,
            // By RFC 1738 the parts are cut at their tabs already.
            Component::Selector => url.classic().is_none(),
            _ => false,
        };
        let is_ctrl = |octet: u8| match octet {
            0 | b'\r' | b'\n' => false,
            b'\t' => !tabs_separate,
            octet => octet.is_ascii_control(),
        };
        if let Some((offset, octet)) = escapes(text).find(|&(_, octet)| is_ctrl(octet)) {
            let at = url.range(text).start + offset;
            return at_escape(url, at..at + 3, format!("{} is the control character {octet:02X}", written(url, at)));
        }
    }
    None
}

/// A-XPROTO
pub(super) fn xproto(url: &Inspected<'_>) -> Option<Remark> {
    let at = line_end(url)?;
    let (port, usual) = url.foreign_port()?;
    let message = format!("speaks to port {port} instead of {usual}, line by line{}", smuggled(url, at));
    at_escape(url, at..at + 3, message)
}

/// A-GPLUS-FORM
pub(super) fn gplus_form(url: &Inspected<'_>) -> Option<Remark> {
    let form = filled_form(url)?;
    Some(Remark::new(url.range(form), "fetching it submits a filled-in form"))
}

/// A-ENC-DELIM. In ftp `%2F` is how a slash is written that is no step (S-FTP-2), so it is only worth knowing there.
pub(super) fn enc_delim(url: &Inspected<'_>) -> Option<Remark> {
    let mut mild = None;
    for &(part, text) in &url.parts {
        let delimiters = delimiters(part, text);
        for (offset, octet) in escapes(text).filter(|(_, octet)| delimiters.contains(octet)) {
            let at = url.range(text).start + offset;
            let (written, delimiter) = (written(url, at), char::from(octet));
            let message = format!("what decodes before it splits takes {written} for the delimiter `{delimiter}`");
            let note = at_escape(url, at..at + 3, message);
            if (part, octet) != (Component::FtpPath, b'/') {
                return note;
            }
            mild = mild.or(note.map(|note| Remark { severity: Some(Severity::Info), ..note }));
        }
    }
    mild
}

/// What would split a part, or end it, if it stood there raw.
fn delimiters(part: Component, text: &[u8]) -> &'static [u8] {
    match part {
        Component::User | Component::Password => b":@/",
        Component::Host => b"/?#@:",
        Component::FtpPath | Component::ProsperoPath => b"/;",
        Component::FilePath => b"/",
        Component::Path | Component::WaisName => b"/?",
        Component::Unique => b"@<>",
        Component::ProsperoField => b";=",
        // Raw and encoded are the same (G-MAILTO-3), so it may be a doubt only where there are two.
        Component::Address if escape::octets(text).filter(|&octet| octet == b'@').count() > 1 => b"@",
        // In a search nothing delimits. A WAIS path is opaque, and its slashes must be encoded (G-WAIS-3).
        Component::Address
        | Component::Search
        | Component::Selector
        | Component::GopherPlus
        | Component::WaisPath
        | Component::Opaque
        | Component::Fragment => b"",
    }
}

/// A-DOTSEG
pub(super) fn dotseg(url: &Inspected<'_>) -> Option<Remark> {
    let is_path =
        |part| matches!(part, Component::FtpPath | Component::FilePath | Component::Path | Component::ProsperoPath);
    let paths = url.parts.iter().filter(|&&(part, _)| is_path(part));
    let mut segments = paths.flat_map(|(_, path)| path.split(|&byte| byte == b'/'));
    let segment = segments.find(|segment| matches!(escape::decode(segment).as_bytes(), b"." | b".."))?;
    let message = match segment.contains(&b'%') {
        false => format!("the segment `{}`", quoted(segment)),
        true => format!("the segment `{}` is `{}`", quoted(segment), escape::decode(segment)),
    };
    Some(Remark::new(url.range(segment), message))
}

/// A-DOUBLE-ENC
pub(super) fn double_enc(url: &Inspected<'_>) -> Option<Remark> {
    let is_escape =
        |at: usize| matches!(url.raw.get(at + 3..at + 5), Some(pair) if pair.iter().all(|&b| class::HEX.contains(b)));
    let (at, _) = escapes(url.raw).find(|&(at, octet)| octet == b'%' && is_escape(at))?;
    let text = &url.raw[at..at + 5];
    let once = escape::decode(text).into_owned();
    let twice = escape::octets(&once).next()?;
    let twice = match twice.is_ascii_graphic() {
        true => format!("`{}`", char::from(twice)),
        false => format!("the octet {twice:02X}"),
    };
    let message = format!("`{}` decodes to `{once}`, and that to {twice}", quoted(text));
    at_escape(url, at..at + 5, message)
}

/// A-OBFUSC
pub(super) fn obfusc(url: &Inspected<'_>) -> Option<Remark> {
    let mut plain = escapes(url.raw).filter(|(_, octet)| octet.is_ascii_alphanumeric());
    let (at, octet) = plain.next()?;
    let more = match plain.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    at_escape(url, at..at + 3, format!("{} is just `{}`{more}", written(url, at), char::from(octet)))
}

/// A-NESTED-URL
pub(super) fn nested_url(url: &Inspected<'_>) -> Option<Remark> {
    for &(part, text) in &url.parts {
        if matches!(part, Component::User | Component::Password | Component::Host | Component::Fragment) {
            continue;
        }
        let decoded = escape::decode(text);
        for slashes in decoded.find_iter("://") {
            let word = decoded[..slashes].iter().rev().take_while(|&&byte| class::SCHEME.contains(byte)).count();
            let digits = &decoded[slashes - word..slashes];
            let Some(first) = digits.iter().position(u8::is_ascii_alphabetic) else { continue };
            let inner = &decoded[slashes - word + first..];
            let scheme = quoted(&digits[first..]);
            let host = Rough::new(inner).host.filter(|host| !host.is_empty());
            let message = match host {
                Some(host) => format!("holds a URL of `{}` ({scheme})", quoted(host)),
                None => format!("holds a URL ({scheme})"),
            };
            return Some(Remark::new(url.range(text), message));
        }
    }
    None
}

/// The escapes of a text, each with its offset and octet.
fn escapes(text: &[u8]) -> impl Iterator<Item = (usize, u8)> + '_ {
    let mut octets = escape::octets(text);
    std::iter::from_fn(move || {
        loop {
            let at = octets.offset();
            let octet = octets.next()?;
            if octets.offset() > at + 1 {
                return Some((at, octet));
            }
        }
    })
}
