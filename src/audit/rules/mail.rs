//! Rules about mail addresses and news.

use bstr::ByteSlice;

use super::Note;
use super::subject::{Subject, quoted};
use crate::url::{Scheme, escape};

/// The address of a mailto URL, raw, without the headers of RFC 6068 (G-MAILTO-4).
pub(super) fn address<'u>(subject: &Subject<'u>) -> Option<&'u [u8]> {
    (subject.scheme == Scheme::Mailto).then_some(subject.rough.path)
}

/// A-MAIL-ROUTE. Raw and encoded octets are equal here (G-MAILTO-3).
pub(super) fn route(subject: &Subject<'_>) -> Option<Note> {
    let address = address(subject)?;
    let decoded = escape::decode(address);
    let local = &decoded[..decoded.rfind_byte(b'@').unwrap_or(decoded.len())];
    let mark = *local.iter().find(|byte| b"%!".contains(byte))?;
    let message = format!("`{}` in `{}` may be read as a route to another host", char::from(mark), quoted(local));
    Some(Note::new(subject.range(address), message))
}

/// A-MAIL-HDR
pub(super) fn headers(subject: &Subject<'_>) -> Option<Note> {
    if subject.scheme != Scheme::Mailto {
        return None;
    }
    let headers = subject.rough.query?;
    let names: Vec<_> = headers
        .split_str("&")
        .filter_map(|field| Some(field.split_once_str("=")?.0))
        .map(|name| escape::decode(name).to_ascii_lowercase())
        .collect();
    let message = match names.is_empty() {
        true => "`?` is a part of the address, or begins header fields".to_owned(),
        false => format!("a mailer may fill in: {}", quoted(&names.join(&b", "[..]))),
    };
    Some(Note::new(subject.range(headers), message))
}

/// A-NEWS-SERVER. `news://server/group` is no URL of RFC 1738 at all (G-NEWS-5), but the same wish.
pub(super) fn news_server(subject: &Subject<'_>) -> Option<Note> {
    if subject.scheme != Scheme::News {
        return None;
    }
    let server = subject.rough.host?;
    let message = format!("later software connects to `{}` and asks it for the article", quoted(server));
    Some(Note::new(subject.range(server), message))
}
