//! Rules about decoded escapes and about paths.

use std::ops::Range;

use bstr::ByteSlice;

use super::finding::{Remark, Severity};
use super::inspected::{Inspected, UrlPart};
use super::quote::quoted;
use super::{mail, nested, secret};
use crate::bytes::class;
use crate::url::{Parts, Scheme, escape};

/// Returns a remark about an escape. An escape within a secret is not quoted: it could be the whole
/// secret.
fn at_escape(url: &Inspected<'_>, escape: Range<usize>, message: String) -> Option<Remark> {
    let message = match &url.password {
        Some(password) if password.contains(&escape.start) => "an escape within the password".to_owned(),
        _ if url.tokens.iter().any(|token| token.at.contains(&escape.start)) => "an escape within a secret".to_owned(),
        _ => message,
    };
    Some(Remark::new(escape, message))
}

/// Returns the escape at an offset, as written.
fn written<'s>(url: &'s Inspected<'_>, at: usize) -> impl std::fmt::Display + 's {
    quoted(&url.raw[at..at + 3])
}

/// Returns the gopher+ string of a filled-in form, raw.
fn filled_form<'u>(url: &Inspected<'u>) -> Option<&'u [u8]> {
    let Parts::Gopher(gopher) = url.classic()?.parts() else { return None };
    let form = gopher.gplus()?;
    gopher.is_filled_form().then(|| form.as_bytes())
}

/// Returns the first escaped line end that no part of the URL accounts for.
///
/// A filled-in form and the body of a mail may hold line ends. So may a folded field of a mailto
/// URL (RFC 5322 section 2.2.3).
fn line_end(url: &Inspected<'_>) -> Option<usize> {
    let is_end = |&(_, octet): &(usize, u8)| matches!(octet, b'\r' | b'\n');
    let mut ends = escapes(url.raw).filter(is_end).peekable();
    ends.peek()?;
    let form = filled_form(url).map_or(0..0, |form| url.range(form));
    let body = mail::body(url).map_or(0..0, |body| url.range(body));
    let is_fold = |at: usize| {
        url.scheme == Scheme::Mailto && behind_end(url, at).next().is_some_and(|octet| octet == b' ' || octet == b'\t')
    };
    ends.map(|(at, _)| at).find(|&at| !form.contains(&at) && !body.contains(&at) && !is_fold(at))
}

/// Returns true if no server of http or https reads the escape as a line end.
///
/// The fragment is not sent. In a path or search only white space may follow the escape: the link
/// was copied with its line end.
fn is_harmless(url: &Inspected<'_>, at: usize) -> bool {
    let part = url.parts().iter().find(|(_, text)| url.range(text).contains(&at));
    url.is_web()
        && part.is_some_and(|(part, text)| match part {
            UrlPart::Fragment => true,
            UrlPart::Path | UrlPart::Search => {
                let rest = &url.raw[at..url.range(text).end];
                escape::octets(rest).all(|octet| octet.is_ascii_whitespace())
            }
            _ => false,
        })
}

/// Returns the octets after the line end whose escape begins at an offset. `%0D%0A` is one line
/// end.
fn behind_end<'u>(url: &Inspected<'u>, at: usize) -> impl Iterator<Item = u8> + 'u {
    let mut octets = escape::octets(&url.raw[at..]).peekable();
    if octets.next() == Some(b'\r') {
        octets.next_if_eq(&b'\n');
    }
    octets
}

/// Returns whether a line of http may begin after a line end.
///
/// Such a line is a known header field, or the first line of a request or a response. Share links
/// hold texts of several lines, and no server reads those as header fields.
fn begins_line_of_http(url: &Inspected<'_>, at: usize) -> bool {
    const FIELDS: [&str; 13] = [
        "set-cookie",
        "cookie",
        "location",
        "content-",
        "transfer-encoding",
        "host",
        "refresh",
        "x-",
        "link",
        "referer",
        "access-control-",
        "authorization",
        "connection",
    ];
    const FIRST_LINES: [&str; 5] = ["http/", "get ", "post ", "put ", "delete "];
    let is_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
    // The name of a header field and its colon fit into 64 octets.
    let line: Vec<u8> = behind_end(url, at).skip_while(is_end).take(64).collect();
    let line = line.to_ascii_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word.as_bytes()));
    let name = line.split(|&octet| octet == b':').next().unwrap_or_default();
    let is_field = name.len() < line.len() && name.iter().all(|&octet| octet.is_ascii_alphanumeric() || octet == b'-');
    is_field && begins(&FIELDS) || begins(&FIRST_LINES)
}

/// Returns a phrase that quotes the first line after the line end, decoded. A client would send it
/// as a separate command. The phrase is empty if no line or a secret follows.
fn smuggled(url: &Inspected<'_>, at: usize) -> String {
    let is_before = |secret: &Range<usize>| at < secret.end;
    if url.password.as_ref().is_some_and(is_before) || url.tokens.iter().any(|token| is_before(&token.at)) {
        return String::new();
    }
    let rest = &url.raw[at..];
    // The fragment is not sent, so it is not part of the line.
    let masked = secret::mask_text(&rest[..memchr::memchr(b'#', rest).unwrap_or(rest.len())]);
    let decoded = escape::decode(&masked);
    let line = decoded.split(|&octet| matches!(octet, b'\r' | b'\n')).find(|line| !line.trim_ascii().is_empty());
    line.map_or_else(String::new, |line| format!(": `{}` would be a separate line", quoted(line)))
}

/// Reports an escaped line end (A-CRLF).
pub(super) fn crlf(url: &Inspected<'_>) -> Option<Remark> {
    let at = line_end(url)?;
    let remark = at_escape(url, at..at + 3, format!("{} ends the line{}", written(url, at), smuggled(url, at)))?;
    let is_mild = is_harmless(url, at) || url.is_web() && !begins_line_of_http(url, at);
    Some(Remark { severity: is_mild.then_some(Severity::Info), ..remark })
}

/// Reports `%00` (A-NUL).
pub(super) fn nul(url: &Inspected<'_>) -> Option<Remark> {
    let (at, _) = escapes(url.raw).find(|&(_, octet)| octet == 0)?;
    at_escape(url, at..at + 3, "%00: programs in C end the name here".to_owned())
}

/// Reports an escaped control character other than NUL, CR or LF (A-CTRL).
///
/// A tab is allowed where it separates the parts of a gopher request or of a gopher+ string. So is
/// `%04d`, which program text has in place of a number.
pub(super) fn ctrl(url: &Inspected<'_>) -> Option<Remark> {
    for &(part, text) in url.parts() {
        let tabs_separate = match part {
            UrlPart::GopherPlus => true,
            // The parser for RFC 1738 has already split the parts at their tabs.
            UrlPart::Selector => url.classic().is_none(),
            _ => false,
        };
        let is_ctrl = |octet: u8| match octet {
            0 | b'\r' | b'\n' => false,
            b'\t' => !tabs_separate,
            octet => octet.is_ascii_control(),
        };
        let is_number = |at: usize| {
            matches!(text[at..], [b'%', b'0', width, verb, ..] if width.is_ascii_digit() && b"duxX".contains(&verb))
                && !text.get(at + 4).is_some_and(u8::is_ascii_alphanumeric)
        };
        if let Some((offset, octet)) = escapes(text).find(|&(at, octet)| is_ctrl(octet) && !is_number(at)) {
            let at = url.range(text).start + offset;
            return at_escape(url, at..at + 3, format!("{} is the control character {octet:02X}", written(url, at)));
        }
    }
    None
}

/// Reports an escaped line end in a URL whose port is not its scheme's own (A-XPROTO).
pub(super) fn xproto(url: &Inspected<'_>) -> Option<Remark> {
    let at = line_end(url).filter(|&at| !is_harmless(url, at))?;
    let (port, usual) = url.foreign_port()?;
    let message = format!("speaks to port {port} instead of {usual}, line by line{}", smuggled(url, at));
    at_escape(url, at..at + 3, message)
}

/// Reports a gopher+ form that is filled in (A-GPLUS-FORM).
pub(super) fn gplus_form(url: &Inspected<'_>) -> Option<Remark> {
    let form = filled_form(url)?;
    Some(Remark::new(url.range(form), "fetching it submits a filled-in form"))
}

/// Reports an escaped delimiter (A-ENC-DELIM).
///
/// In ftp `%2F` is a slash that is not a step (S-FTP-2). In a path of http, a name such as a DOI
/// may contain a slash. So the finding is mild for both. It is not mild for http if a segment
/// climbs (`..%2F`).
pub(super) fn enc_delim(url: &Inspected<'_>) -> Option<Remark> {
    let mut mild = None;
    let mut nested = None;
    for &(part, text) in url.parts() {
        let delimiters = delimiters(part, text);
        for (offset, octet) in escapes(text).filter(|(_, octet)| delimiters.contains(octet)) {
            let at = url.range(text).start + offset;
            if nested.get_or_insert_with(|| nested::ranges(url)).iter().any(|range| range.contains(&at)) {
                continue;
            }
            let (written, delimiter) = (written(url, at), char::from(octet));
            let message =
                format!("software that decodes before it splits reads {written} as the delimiter `{delimiter}`");
            let note = at_escape(url, at..at + 3, message);
            let is_mild = match part {
                UrlPart::FtpPath => octet == b'/',
                UrlPart::Path if url.is_web() => !escape::decode(text).split_str("/").any(|segment| segment == b".."),
                _ => false,
            };
            if !is_mild {
                return note;
            }
            mild = mild.or(note.map(|note| Remark { severity: Some(Severity::Info), ..note }));
        }
    }
    mild
}

/// Returns the bytes that would split or end a part if they were raw.
fn delimiters(part: UrlPart, text: &[u8]) -> &'static [u8] {
    match part {
        UrlPart::User | UrlPart::Password => b":@/",
        UrlPart::Host => b"/?#@:",
        UrlPart::FtpPath | UrlPart::ProsperoPath => b"/;",
        UrlPart::FilePath => b"/",
        UrlPart::Path | UrlPart::WaisName => b"/?",
        UrlPart::Unique => b"@<>",
        UrlPart::ProsperoField => b";=",
        // Raw and encoded octets are equal (G-MAILTO-3), so an `@` is in doubt only if there are several.
        UrlPart::Address if escape::octets(text).filter(|&octet| octet == b'@').count() > 1 => b"@",
        // A search has no delimiters. A WAIS path is opaque, and its slashes must be encoded (G-WAIS-3).
        UrlPart::Address
        | UrlPart::Search
        | UrlPart::Selector
        | UrlPart::GopherPlus
        | UrlPart::WaisPath
        | UrlPart::Opaque
        | UrlPart::Fragment => b"",
    }
}

/// Reports a segment that is `.` or `..` (A-DOTSEG).
pub(super) fn dotseg(url: &Inspected<'_>) -> Option<Remark> {
    let is_path = |part| matches!(part, UrlPart::FtpPath | UrlPart::FilePath | UrlPart::Path | UrlPart::ProsperoPath);
    let paths = url.parts().iter().filter(|&&(part, _)| is_path(part));
    let segments = || paths.clone().flat_map(|(_, path)| path.split(|&byte| byte == b'/'));
    let is_dots = |segment: &&[u8]| matches!(escape::decode(segment).as_bytes(), b"." | b"..");
    // An escaped segment is worse, so it is reported first.
    let escaped = segments().find(|segment| segment.contains(&b'%') && is_dots(segment));
    let segment = escaped.or_else(|| segments().find(is_dots))?;
    let (message, severity) = match segment.contains(&b'%') {
        false => (format!("the segment `{}`", quoted(segment)), Some(Severity::Info)),
        true => (format!("the segment `{}` is `{}`", quoted(segment), escape::decode(segment)), None),
    };
    Some(Remark { severity, ..Remark::new(url.range(segment), message) })
}

/// Reports an escape that is escaped itself (A-DOUBLE-ENC).
///
/// The finding is mild unless the octet after the second decoding could bypass a check. Such an
/// octet is a step of a path, a mark of HTML, or a control.
pub(super) fn double_enc(url: &Inspected<'_>) -> Option<Remark> {
    let is_escape =
        |at: usize| matches!(url.raw.get(at + 3..at + 5), Some(pair) if pair.iter().all(|&b| class::HEX.contains(b)));
    let mut doubles = escapes(url.raw).filter(|&(at, octet)| octet == b'%' && is_escape(at)).peekable();
    doubles.peek()?;
    let nested = nested::ranges(url);
    let twice_at = |at: usize| escape::octets(&escape::decode(&url.raw[at..at + 5])).next();
    let is_mild = |octet: u8| !b"/\\.<>\"'%".contains(&octet) && !octet.is_ascii_control();
    let mut outside = doubles.filter(|(at, _)| !nested.iter().any(|range| range.contains(at))).map(|(at, _)| at);
    let first = outside.next()?;
    let mut all = std::iter::once(first).chain(outside);
    let worst = all.find(|&at| twice_at(at).is_some_and(|octet| !is_mild(octet)));
    let at = worst.unwrap_or(first);
    let text = &url.raw[at..at + 5];
    let once = escape::decode(text).into_owned();
    let twice = escape::octets(&once).next()?;
    let twice = match twice.is_ascii_graphic() {
        true => format!("`{}`", char::from(twice)),
        false => format!("the octet {twice:02X}"),
    };
    let message = format!("`{}` decodes to `{once}`, and that to {twice}", quoted(text));
    let remark = at_escape(url, at..at + 5, message)?;
    Some(Remark { severity: worst.is_none().then_some(Severity::Info), ..remark })
}

/// Reports an escaped letter or digit (A-OBFUSC).
pub(super) fn obfusc(url: &Inspected<'_>) -> Option<Remark> {
    let mut plain = escapes(url.raw).filter(|(_, octet)| octet.is_ascii_alphanumeric());
    let (at, octet) = plain.next()?;
    let more = match plain.count() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    at_escape(url, at..at + 3, format!("{} is just `{}`{more}", written(url, at), char::from(octet)))
}

/// Returns the escapes of a text, each with its offset and octet.
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
