//! `login`, `hostport`, `host` and `port`: the part between `//` and the path (the specification,
//! section 3.2).
//!
//! ```text
//! login        = [ user [ ":" password ] "@" ] hostport
//! hostport     = host [ ":" port ]
//! host         = hostname | hostnumber
//! hostname     = *[ domainlabel "." ] toplabel
//! domainlabel  = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
//! toplabel     = alpha | alpha *[ alphadigit | "-" ] alphadigit
//! hostnumber   = digits "." digits "." digits "." digits
//! port         = digits
//! user         = *[ uchar | ";" | "?" | "&" | "=" ]
//! password     = *[ uchar | ";" | "?" | "&" | "=" ]
//! ```
//!
//! This file owns the order of the checks: at-signs, userinfo, characters of the host, labels of
//! the host, port (P-2, phase 3). Nearly every authority in the wild is a plain host, perhaps with
//! a user or a port. One pass tries this form first, if it has no escapes. Any other authority,
//! valid or not, is checked phase by phase.

use super::error::{ParseError, ParseErrorKind as Kind};
use super::lexical;
use super::scheme::Scheme;
use super::table::{HostState, Table, offset};
use crate::bytes::class;

/// The rules of an authority that differ between schemes, and are not in the table of schemes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Authority {
    /// Whether a port may follow the host (`hostport`). Otherwise a port breaks G-FILE-4.
    pub(super) port: bool,
    /// Whether a `?` ends the authority, as a `/` does (G-LOGIN-1: only in http).
    pub(super) query_ends: bool,
    /// Whether a `?` in host or port means a search without its `/` (missing-path-slash), not just
    /// a bad character.
    pub(super) slash_before_query: bool,
}

/// `login` or `hostport`: ftp, telnet, gopher, nntp, prospero
pub(super) const HOSTPORT: Authority = Authority { port: true, query_ends: false, slash_before_query: false };
/// `hostport` whose `?` may be meant as a search: other schemes (G-OTHER-6) and wais. In wais, `?`
/// needs a `/` before it (G-WAIS-1).
pub(super) const SLASHED_HOSTPORT: Authority = Authority { slash_before_query: true, ..HOSTPORT };
/// `hostport` of http, which a `?` ends (G-HTTP-3)
pub(super) const HTTP_HOSTPORT: Authority = Authority { query_ends: true, ..SLASHED_HOSTPORT };
/// `[ host | "localhost" ]`: file
pub(super) const FILE_HOST: Authority = Authority { port: false, ..HOSTPORT };

/// Parses `//` and the authority after it, and writes its offsets to the table.
#[inline(always)]
pub(super) fn parse(url: &[u8], authority: Authority, table: &mut Table) -> Result<(), ParseError> {
    let slashes = table.scheme_end as usize + 1;
    if url.get(slashes..slashes + 2) != Some(b"//") {
        return Err(ParseError::new(Kind::MissingSlashes, table.scheme, url, slashes));
    }
    let start = slashes + 2;
    (table.user_end, table.host_start) = (offset(start), offset(start));
    if let Some(host) = plain_host(url, start) {
        if read_site(url, host, authority, table) {
            return Ok(());
        }
        // The text that looks like a host may be a user.
        if matches!(url.get(host.0), Some(b'@' | b':'))
            && table.scheme.row().takes_user
            && let Some((user_end, at_sign)) = plain_user(url, start)
            && let Some(host) = plain_host(url, at_sign + 1)
            && read_site(url, host, authority, table)
        {
            (table.user_end, table.host_start) = (offset(user_end), offset(at_sign + 1));
            return Ok(());
        }
    }
    parse_by_phases(url, start, authority, table)
}

/// Writes a plain host, and the port after it, to the table, if they are the whole authority.
/// Returns whether they are.
#[inline(always)]
fn read_site(url: &[u8], (host_end, host): (usize, HostState), authority: Authority, table: &mut Table) -> bool {
    let end = plain_port(url, host_end, authority);
    let is_end = matches!(url.get(end), None | Some(b'/')) || authority.query_ends && url[end] == b'?';
    if is_end {
        table.host_end = offset(host_end);
        table.authority_end = offset(end);
        table.host = host;
    }
    is_end
}

/// Returns the end of the user at `start`, and the place of the `@` that ends user and password.
/// Returns `None` if that `@` is missing, or if an escape comes before it.
fn plain_user(url: &[u8], start: usize) -> Option<(usize, usize)> {
    let user_end = class::raw_run(url, start, class::USER);
    let at_sign = match url.get(user_end) {
        Some(b':') => class::raw_run(url, user_end + 1, class::USER),
        _ => user_end,
    };
    (url.get(at_sign) == Some(&b'@')).then_some((user_end, at_sign))
}

/// Returns the end and the kind of the host at `start`. Returns `None` if the run of host
/// characters is not a host.
#[inline(always)]
fn plain_host(url: &[u8], start: usize) -> Option<(usize, HostState)> {
    let mut label = start;
    loop {
        let end = class::raw_run(url, label, class::LABEL);
        // G-HOST-1: a label is not empty, and has no hyphen at an edge.
        if end == label || url[label] == b'-' || url[end - 1] == b'-' {
            return None;
        }
        if url.get(end) == Some(&b'.') {
            label = end + 1;
            continue;
        }
        // G-HOST-2
        if class::ALPHA.contains(url[label]) {
            return Some((end, HostState::Name));
        }
        return is_host_number(&url[start..end]).then_some((end, HostState::Number));
    }
}

/// Returns the end of the port whose colon is at `host_end`. Returns `host_end` if there is no
/// port, or an invalid one.
#[inline(always)]
fn plain_port(url: &[u8], host_end: usize, authority: Authority) -> usize {
    if !authority.port || url.get(host_end) != Some(&b':') {
        return host_end;
    }
    let end = class::raw_run(url, host_end + 1, class::DIGIT);
    if end == host_end + 1 { host_end } else { end }
}

/// Parses any authority phase by phase, so that the first phase that fails determines the error.
#[inline(never)]
fn parse_by_phases(url: &[u8], start: usize, authority: Authority, table: &mut Table) -> Result<(), ParseError> {
    let scheme = table.scheme;
    let error = |kind, at| Err(ParseError::new(kind, scheme, url, at));
    // G-LOGIN-1, G-OTHER-6
    let ends = |byte: u8| byte == b'/' || (authority.query_ends && byte == b'?');
    let end = find(url, start, url.len(), ends);

    let mut host_start = start;
    let at_sign = find(url, start, end, |byte| byte == b'@');
    if at_sign < end {
        // G-LOGIN-4
        if !scheme.row().takes_user {
            return error(Kind::UserinfoNotAllowed, start);
        }
        // G-LOGIN-3: guessing which `@` is meant would hide attacks.
        if find(url, at_sign + 1, end, |byte| byte == b'@') < end {
            return error(Kind::UserinfoAt, at_sign);
        }
        let user_end = find(url, start, at_sign, |byte| byte == b':');
        let second_colon = find(url, user_end + 1, at_sign, |byte| byte == b':');
        if second_colon < at_sign {
            return error(Kind::UserinfoColon, second_colon);
        }
        // Here `/`, `@` and the colon are excluded, so `user` and `password` reject only lexical
        // errors.
        let user = class::run(url, start, class::USER);
        if user < user_end {
            return Err(lexical::fault(url, user));
        }
        let password = class::run(url, (user_end + 1).min(at_sign), class::USER);
        if password < at_sign {
            return Err(lexical::fault(url, password));
        }
        table.user_end = offset(user_end);
        host_start = at_sign + 1;
    }

    let host_end = find(url, host_start, end, |byte| byte == b':');
    table.host_start = offset(host_start);
    table.host_end = offset(host_end);
    table.authority_end = offset(end);
    table.host = match host(url, host_start, host_end, scheme) {
        Ok(host) => host,
        // G-FILE-1 overrides G-HOST-5.
        Err(error) if error.kind() == Kind::EmptyHost && !scheme.row().needs_host => HostState::Empty,
        Err(error) if error.kind() == Kind::BadHostChar && authority.slash_before_query => {
            return Err(question(url, error));
        }
        Err(error) => return Err(error),
    };

    if host_end < end {
        if !authority.port {
            return error(Kind::PortNotAllowed, host_end);
        }
        // G-PORT-1
        let digits = class::raw_run(url, host_end + 1, class::DIGIT);
        if host_end + 1 == end {
            return error(Kind::EmptyPort, end);
        }
        if digits < end {
            let bad = ParseError::new(Kind::BadPortChar, scheme, url, digits);
            return Err(if authority.slash_before_query { question(url, bad) } else { bad });
        }
    }
    Ok(())
}

/// Returns the error, or `MissingPathSlash` if its byte is a `?`. Such a `?` begins a search whose
/// `/` is missing.
fn question(url: &[u8], error: ParseError) -> ParseError {
    match url.get(error.offset()) {
        Some(b'?') => ParseError::new(Kind::MissingPathSlash, error.scheme(), url, error.offset()),
        _ => error,
    }
}

/// Checks `host`: all characters first, then the labels, left to right (P-2).
pub(super) fn host(url: &[u8], start: usize, end: usize, scheme: Scheme) -> Result<HostState, ParseError> {
    let error = |kind, at| Err(ParseError::new(kind, scheme, url, at));
    if start == end {
        return error(Kind::EmptyHost, start);
    }
    // G-HOST-7
    let bad = class::raw_run(url, start, class::HOST);
    if bad < end {
        return error(Kind::BadHostChar, bad);
    }
    let mut label = start;
    loop {
        let label_end = find(url, label, end, |byte| byte == b'.');
        // G-HOST-1, G-HOST-3
        if label == label_end {
            return error(Kind::EmptyLabel, label);
        }
        if url[label] == b'-' {
            return error(Kind::LabelHyphen, label);
        }
        if url[label_end - 1] == b'-' {
            return error(Kind::LabelHyphen, label_end - 1);
        }
        if label_end == end {
            break;
        }
        label = label_end + 1;
    }
    // G-HOST-2, G-HOST-4
    if class::ALPHA.contains(url[label]) {
        Ok(HostState::Name)
    } else if is_host_number(&url[start..end]) {
        Ok(HostState::Number)
    } else {
        error(Kind::BadToplabel, label)
    }
}

/// Matches `hostnumber = digits "." digits "." digits "." digits`, of any size (G-HOST-4).
fn is_host_number(host: &[u8]) -> bool {
    let mut groups = 0;
    for group in host.split(|&byte| byte == b'.') {
        groups += 1;
        if group.is_empty() || !group.iter().all(|&byte| class::DIGIT.contains(byte)) {
            return false;
        }
    }
    groups == 4
}

/// Returns the place of the first byte in `from..to` that `wanted` accepts. Returns `to` if there
/// is none, or if the range is empty or reversed.
fn find(url: &[u8], from: usize, to: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let range = url.get(from..to).unwrap_or_default();
    range.iter().position(|&byte| wanted(byte)).map_or(to, |at| from + at)
}
