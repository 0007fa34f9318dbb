//! Rules about the user name, the password and other secrets.

use bstr::ByteSlice;

use super::finding::{Remark, Severity};
use super::inspected::Inspected;
use super::known::shorteners;
use super::quote::quoted;
use super::{site, token};
use crate::bytes::class;
use crate::url::escape;

/// Reports a password (A-PASSWORD).
pub(super) fn password(url: &Inspected<'_>) -> Option<Remark> {
    let password = url.password.clone()?;
    // The user name may itself be a key, which a message must not quote.
    let is_secret = |at: usize| url.tokens.iter().any(|token| token.at.contains(&at));
    let is_shown = |user: &&[u8]| !user.is_empty() && !is_secret(url.range(user).start);
    let is_placeholder = is_placeholder(&url.raw[password.clone()]);
    let state = if is_placeholder { "only a placeholder" } else { "in the text" };
    let message = match url.user().filter(is_shown) {
        Some(user) => format!("the password of `{}` is {state}", quoted(user)),
        None => format!("a password is {state}"),
    };
    Some(Remark { severity: is_placeholder.then_some(Severity::Info), ..Remark::new(password, message) })
}

/// Returns true if the password is a placeholder of documentation, in English or another language.
/// A masked password and a variable are placeholders, too.
fn is_placeholder(password: &[u8]) -> bool {
    const PLACEHOLDERS: [&str; 13] = [
        "password",
        "passwd",
        "pass",
        "pwd",
        "passphrase",
        "pw",
        "passwort",
        "kennwort",
        "motdepasse",
        "wachtwoord",
        "senha",
        "contrasena",
        "contraseña",
    ];
    PLACEHOLDERS.iter().any(|word| password.eq_ignore_ascii_case(word.as_bytes()))
        || password.iter().all(|&byte| byte == b'*')
        || password.ends_with(b"}") && (password.starts_with(b"{") || password.starts_with(b"${"))
}

/// Reports a secret other than the password (A-TOKEN).
pub(super) fn token(url: &Inspected<'_>) -> Option<Remark> {
    let search = if url.tokens.is_empty() { None } else { token::search_start(url.raw) };
    let token = url.tokens.iter().find(|token| token.is_reported(url.raw, search))?;
    let severity = (token.is_value() && is_of_mailing(url)).then_some(Severity::Info);
    Some(Remark { severity, ..Remark::new(token.at.clone(), token.message()) })
}

/// Returns whether a gateway or a bulk mailer probably made the URL. A bulk mailer counts a click,
/// or lets the reader leave the list. The signature in such a URL is the reader's own, and grants
/// no other access.
fn is_of_mailing(url: &Inspected<'_>) -> bool {
    url.gateway.is_some()
        || url.host().is_some_and(|host| shorteners::is_tracked(host, url.rough.path))
        || url.has_segment(&["click", "track", "unsub", "optout", "opt-out", "preferences"])
}

/// Reports a user name that looks like a host (A-USERINFO-HOST).
///
/// `joe.bloggs` names a person, so the last label must be an existing top-level domain. Text after
/// a `/` or the like in a decoded name imitates a path, and is ignored.
pub(super) fn host(url: &Inspected<'_>) -> Option<Remark> {
    let user = url.user()?;
    let decoded = escape::decode(user);
    let shown = decoded.split(|byte| b"/\\?#:".contains(byte)).next()?;
    let shown = shown.strip_suffix(b".").unwrap_or(shown);
    if !is_dotted_host(shown) || !site::is_name_of_host(shown) {
        return None;
    }
    let target = quoted(url.host().unwrap_or_default());
    let message = format!("looks like a link to `{}`, but goes to `{target}`", quoted(shown));
    Some(Remark::new(url.range(user), message))
}

/// Returns whether a name has two labels or more. Non-ASCII letters form labels, too.
fn is_dotted_host(name: &[u8]) -> bool {
    let is_label = |label: &[u8]| {
        !label.is_empty()
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
            && label.iter().all(|&byte| class::LABEL.contains(byte) || !byte.is_ascii())
    };
    name.contains(&b'.') && name.split_str(".").all(is_label)
}

/// Reports userinfo in a scheme that has none (A-USERINFO-LAX).
///
/// RFC 9110 section 4.2.4 advises recipients to treat userinfo in http and https URLs as an error.
/// Such userinfo likely obscures the host. So https, which may have a user by the letter of RFC
/// 1738, is treated like http.
pub(super) fn lax(url: &Inspected<'_>) -> Option<Remark> {
    let userinfo = url.rough.userinfo?;
    if host(url).is_some() {
        return None;
    }
    let row = url.scheme.row();
    let takes_none = row.has_slashes && !row.takes_user || url.has_scheme("https");
    if !takes_none {
        return None;
    }
    let scheme = quoted(url.rough.scheme?).to_ascii_lowercase();
    let host = quoted(url.host().unwrap_or_default());
    let message = format!("{scheme} URLs have no user name; the host is `{host}`");
    // A user with a password is meant for a login, and A-PASSWORD reports the password. A deceptive
    // name has no password.
    let severity = match &url.password {
        Some(password) if is_placeholder(&url.raw[password.clone()]) => Some(Severity::Info),
        Some(password) if !password.is_empty() => Some(Severity::Low),
        _ => None,
    };
    Some(Remark { severity, ..Remark::new(url.range(userinfo), message) })
}
