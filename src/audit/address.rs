//! Mail addresses in texts, as written or in base64 and the like.

use bstr::ByteSlice;

use super::{encoded, site};
use crate::url::escape;

/// Returns the address that a search or fragment holds.
///
/// If the top-level domain exists only after the letters are moved by 13, the moved address is
/// returned. If an address fills the whole fragment, its domain may lack a dot.
pub(super) fn plain(text: &[u8], is_fragment: bool) -> Option<Vec<u8>> {
    // Almost no text has either byte, so this check saves the decoding.
    memchr::memchr2(b'@', b'%', text)?;
    let decoded = escape::decode(text);
    let decoded: &[u8] = &decoded;
    let address = match address_in(decoded) {
        Some(address) => address,
        None if is_fragment && is_bare_address(decoded) => decoded,
        None => return None,
    };
    let domain = |address: &[u8]| address.rsplit(|&byte| byte == b'@').next().is_some_and(site::is_name_of_host);
    if !domain(address) {
        let moved = encoded::rot13(address);
        if domain(&moved) {
            return Some(moved);
        }
    }
    Some(address.to_vec())
}

/// Returns the mail address that a value in the text encodes, in base64 or hexadecimal digits.
pub(super) fn encoded(text: &[u8]) -> Option<Vec<u8>> {
    let mut found = None;
    encoded::each_decoded(&escape::decode(text), |decoded| {
        let is_named = |address: &&[u8]| address.rsplit(|&byte| byte == b'@').next().is_some_and(site::is_name_of_host);
        found = address_in(decoded).filter(is_named).map(<[u8]>::to_vec);
        found.is_some()
    });
    found
}

/// Returns the first mail address in a text.
fn address_in(text: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr_iter(b'@', text).find(|&at| is_address(text, at))?;
    let start = at - text[..at].iter().rev().take_while(|&&byte| is_local(byte)).count();
    let end = at + 1 + text[at + 1..].iter().take_while(|&&byte| is_domain(byte)).count();
    Some(&text[start..end])
}

/// Returns whether a text is an address. Its domain may lack a dot.
fn is_bare_address(text: &[u8]) -> bool {
    let Some((local, domain)) = text.split_once_str("@") else { return false };
    let is_word = |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphabetic);
    is_word(local)
        && is_word(domain)
        && local.iter().all(|&byte| is_local(byte))
        && domain.iter().all(|&byte| is_domain(byte))
}

/// Returns whether a text holds an address, ignoring case. A part of a longer address does not
/// match.
pub(super) fn is_held(text: &[u8], address: &[u8]) -> bool {
    let Some(local) = memchr::memchr(b'@', address) else { return false };
    memchr::memchr_iter(b'@', text).any(|at| {
        let range = at.checked_sub(local).map(|start| start..start + address.len());
        range.is_some_and(|range| {
            let before = range.start.checked_sub(1).map(|before| text[before]);
            text.get(range.clone()).is_some_and(|found| found.eq_ignore_ascii_case(address))
                && !before.is_some_and(is_local)
                && !text.get(range.end).copied().is_some_and(is_domain)
        })
    })
}

fn is_local(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".-_+".contains(&byte)
}

fn is_domain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".-".contains(&byte)
}

/// Returns whether an `@` joins the local part and the domain of a mail address.
///
/// The user name and host of a URL are not an address. Neither is a Message-ID, which usually has
/// many digits.
fn is_address(text: &[u8], at: usize) -> bool {
    let local = text[..at].iter().rev().take_while(|&&byte| is_local(byte)).count();
    let before = &text[..at - local];
    let local = &text[at - local..at];
    let domain = &text[at + 1..];
    let domain = &domain[..domain.iter().take_while(|&&byte| is_domain(byte)).count()];
    let domain = domain.trim_end_with(|c| c == '.');
    let top = domain.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    // `logo@2x.png` is a picture for a high-density display.
    let is_picture = matches!(domain, [b'1'..=b'9', b'x', b'.', ..]);
    let is_name = !is_picture && domain.contains(&b'.') && top.len() > 1 && top.iter().all(u8::is_ascii_alphabetic);
    let letters = local.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = local.iter().filter(|byte| byte.is_ascii_digit()).count();
    // Message-IDs stand in `<…>`, and have more digits than names do.
    let is_id = digits > letters || digits > 7 || before.ends_with(b"<");
    let is_user = before.ends_with(b"//") || before.ends_with(b":");
    is_name && letters > 0 && !is_id && !is_user
}
