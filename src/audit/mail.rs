//! Rules about mail addresses and news.

use std::ops::Range;

use bstr::ByteSlice;

use super::address;
use super::encoded;
use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::quote::quoted;
use crate::url::{Scheme, escape};

/// Reports a route in the local part of an address (A-MAIL-ROUTE). Raw and encoded octets are equal
/// here (G-MAILTO-3).
pub(super) fn route(url: &Inspected<'_>) -> Option<Remark> {
    let address = url.address()?;
    let decoded = escape::decode(address);
    let local = &decoded[..decoded.rfind_byte(b'@').unwrap_or(decoded.len())];
    let mark = local.iter().enumerate().find(|&(at, byte)| b"%!".contains(byte) && is_between_words(local, at))?.1;
    let mark = *mark;
    let message = format!("`{}` in `{}` may be read as a route to another host", char::from(mark), quoted(local));
    Some(Remark::new(url.range(address), message))
}

/// Returns true if a word with two or more letters stands on each side of the byte at `at`.
///
/// Otherwise the `%` or `!` may separate addresses in a list, or begin the `%L` of a template.
fn is_between_words(text: &[u8], at: usize) -> bool {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
    let before = text[..at].iter().rev().take_while(is_word).filter(is_letter).take(2).count();
    let after = text[at + 1..].iter().take_while(is_word).filter(is_letter).take(2).count();
    before == 2 && after == 2
}

/// Returns the body that a mailto URL fills in. RFC 6068 section 5 requires `%0D%0A` as the body's
/// line ends.
pub(super) fn body<'u>(url: &Inspected<'u>) -> Option<&'u [u8]> {
    let headers = url.rough.query.filter(|_| url.scheme == Scheme::Mailto)?;
    let mut fields = headers.split_str("&").filter_map(|field| field.split_once_str("="));
    fields.find(|(name, _)| escape::decode(name).eq_ignore_ascii_case(b"body")).map(|(_, body)| body)
}

/// Reports a mail address in search or fragment (A-RECIPIENT).
pub(super) fn recipient(url: &Inspected<'_>) -> Option<Remark> {
    if url.scheme == Scheme::Mailto {
        return None;
    }
    [(url.rough.query, false), (url.rough.fragment, true)].into_iter().find_map(|(text, is_fragment)| {
        let text = text?;
        let encoded = || if url.is_web() { address::encoded(text) } else { None };
        let named = address::plain(text, is_fragment).or_else(encoded)?;
        let range = url.range(text);
        let holds = |secret: &Range<usize>| secret.start < range.end && range.start < secret.end;
        if url.password.as_ref().is_some_and(holds) || url.tokens.iter().any(|token| holds(&token.at)) {
            return None; // the address could be part of the secret
        }
        Some(Remark::new(range, format!("reveals `{}` to the server", quoted(&named))))
    })
}

/// Returns whether a URL holds its reader's address, plain or encoded, in its path or fragment. The
/// search is included if A-RECIPIENT does not fire on it. Honest senders seldom write such URLs.
pub(super) fn names(url: &Inspected<'_>, reader: &[u8]) -> bool {
    let is_in = |text: &[u8]| {
        let decoded = escape::decode(text);
        address::is_held(&decoded, reader)
            || address::is_held(&encoded::rot13(&decoded), reader)
            || encoded::each_decoded(&decoded, |decoded| address::is_held(decoded, reader))
    };
    let is_in_search = || url.rough.query.is_some_and(is_in) && recipient(url).is_none();
    is_in(url.rough.path) || url.rough.fragment.is_some_and(is_in) || is_in_search()
}

/// Reports header fields in a mailto URL (A-MAIL-HDR).
pub(super) fn headers(url: &Inspected<'_>) -> Option<Remark> {
    if url.scheme != Scheme::Mailto {
        return None;
    }
    let headers = url.rough.query?;
    let names: Vec<_> = headers
        .split_str("&")
        .filter_map(|field| Some(field.split_once_str("=")?.0))
        .map(|name| escape::decode(name).to_ascii_lowercase())
        .collect();
    let message = match names.is_empty() {
        true => "`?` is a part of the address, or begins header fields".to_owned(),
        false => format!("a mailer may fill in: {}", quoted(&names.join(&b", "[..]))),
    };
    // The sender sees subject and body before sending. Other fields may add recipients unseen.
    let is_seen = |name: &Vec<u8>| [&b"subject"[..], b"body"].contains(&name.as_slice());
    let severity = (!names.is_empty() && names.iter().all(is_seen)).then_some(Severity::Info);
    Some(Remark { severity, ..Remark::new(url.range(headers), message) })
}

/// Reports a server in a news URL (A-NEWS-SERVER). RFC 1738 does not allow `news://server/group`
/// (G-NEWS-5), but its author means the same.
pub(super) fn news_server(url: &Inspected<'_>) -> Option<Remark> {
    if url.scheme != Scheme::News {
        return None;
    }
    let server = url.rough.host?;
    let message = format!("later software connects to `{}` and requests the article", quoted(server));
    Some(Remark::new(url.range(server), message))
}
