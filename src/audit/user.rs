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
    // The user may itself be a key, which a message must not quote.
    let is_secret = |at: usize| url.tokens.iter().any(|token| token.at.contains(&at));
    let is_shown = |user: &&[u8]| !user.is_empty() && !is_secret(password.start - 1);
    let user = match url.user().filter(is_shown) {
        Some(user) => format!("the password of `{}` is in the text", quoted(user)),
        None => "a password is in the text".to_owned(),
    };
    Some(Remark { severity: is_placeholder(url).then_some(Severity::Info), ..Remark::new(password, user) })
}

/// Returns true if the password is a placeholder of documents, in the languages of manual pages
/// too.
fn is_placeholder(url: &Inspected<'_>) -> bool {
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
    let text = url.password.clone().map(|password| &url.raw[password]);
    text.is_some_and(|text| PLACEHOLDERS.iter().any(|word| text.eq_ignore_ascii_case(word.as_bytes())))
}

/// Reports a secret in the search or fragment (A-TOKEN).
pub(super) fn token(url: &Inspected<'_>) -> Option<Remark> {
    let search = if url.tokens.is_empty() { None } else { token::search_start(url.raw) };
    let token = url.tokens.iter().find(|token| token.is_reported(url.raw, search))?;
    let severity = (token.is_value() && is_of_mailing(url)).then_some(Severity::Info);
    Some(Remark { severity, ..Remark::new(token.at.clone(), token.message()) })
}

/// Returns whether a bulk mailer made the URL: a counted click, or a way to leave the list. The
/// signature there is the reader's own, and grants no other access.
fn is_of_mailing(url: &Inspected<'_>) -> bool {
    url.gateway.is_some()
        || url.host().is_some_and(|host| shorteners::find(host, url.rough.path).is_some())
        || url.has_segment(&["click", "track", "unsub", "optout", "opt-out", "preferences"])
}

/// Reports a user name that looks like a host (A-USERINFO-HOST).
///
/// `joe.bloggs` names a person, so the last label must be a top-level domain. Text after a `/` or
/// the like in a decoded name imitates a path, and does not count.
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

/// Returns whether a name has two labels or more. Letters beyond ASCII form labels too.
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
/// It likely obscures the host. So https, which by the letter of RFC 1738 could have a user, counts
/// as http does.
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
    // A user with a password serves a login, and A-PASSWORD reports it. A deceptive name stands
    // alone.
    let severity = match &url.password {
        Some(_) if is_placeholder(url) => Some(Severity::Info),
        Some(password) if !password.is_empty() => Some(Severity::Low),
        _ => None,
    };
    Some(Remark { severity, ..Remark::new(url.range(userinfo), message) })
}
