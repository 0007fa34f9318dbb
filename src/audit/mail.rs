//! Rules about mail addresses and news.

use bstr::ByteSlice;

use super::finding::Remark;
use super::inspected::Inspected;
use super::quote::quoted;
use crate::url::{Scheme, escape};

/// A-MAIL-ROUTE. Raw and encoded octets are equal here (G-MAILTO-3).
pub(super) fn route(url: &Inspected<'_>) -> Option<Remark> {
    let address = url.address()?;
    let decoded = escape::decode(address);
    let local = &decoded[..decoded.rfind_byte(b'@').unwrap_or(decoded.len())];
    let mark = *local.iter().find(|byte| b"%!".contains(byte))?;
    let message = format!("`{}` in `{}` may be read as a route to another host", char::from(mark), quoted(local));
    Some(Remark::new(url.range(address), message))
}

/// A-MAIL-HDR
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
    Some(Remark::new(url.range(headers), message))
}

/// A-NEWS-SERVER. `news://server/group` is no URL of RFC 1738 at all (G-NEWS-5), but the same wish.
pub(super) fn news_server(url: &Inspected<'_>) -> Option<Remark> {
    if url.scheme != Scheme::News {
        return None;
    }
    let server = url.rough.host?;
    let message = format!("later software connects to `{}` and asks it for the article", quoted(server));
    Some(Remark::new(url.range(server), message))
}
