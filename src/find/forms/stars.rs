//! B-STARS: the `**` that Gmail (2011-13) put into long URLs.

use crate::find::matches::Pieces;

/// Returns the reading `starred` without each `**` after its authority. Also returns whether a
/// letter, digit or `%` follows each `**`. If not, the URL may be a glob. Returns `None` if the URL
/// has no `//`, or no `**` after the authority.
pub(crate) fn starless(starred: &Pieces, text: &[u8]) -> Option<(Pieces, bool)> {
    // Nearly every URL has no star. So the function tests this before it copies a joined URL.
    if !starred.holds(b'*', text) {
        return None;
    }
    let url = &*starred.bytes(text);
    let next_pair = |from: usize| url[from..].windows(2).position(|pair| pair == b"**").map(|ahead| from + ahead);
    let body = memchr::memmem::find(url, b"://")? + 3;
    let mut at = body + url[body..].iter().position(|b| matches!(b, b'/' | b'?' | b'#'))?;
    let mut kept = vec![true; url.len()];
    let mut is_likely = true;
    while let Some(pair) = next_pair(at) {
        at = pair + 2;
        kept[at - 2..at].fill(false);
        is_likely &= matches!(url.get(at), Some(b) if b.is_ascii_alphanumeric() || *b == b'%');
    }
    kept.contains(&false).then(|| (starred.retain(&kept), is_likely))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_pairs_out() {
        for (url, expected, is_likely) in [
            ("http://h/**a/b**c", "http://h/a/bc", true),
            ("http://h/**%20", "http://h/%20", true),
            ("http://h/**/*.js", "http://h//*.js", false),
            ("http://h/***a", "http://h/*a", false),
            ("http://h/****a", "http://h/a", false),
            ("http://h/a**", "http://h/a", false),
            ("http://u**@h/?**q", "http://u**@h/?q", true),
        ] {
            let (reading, likely) = starless(&Pieces::One(0..url.len()), url.as_bytes()).expect("stars");
            assert_eq!((&*reading.bytes(url.as_bytes()), likely), (expected.as_bytes(), is_likely), "{url}");
        }
        for url in ["http://h/*a*", "http://u**@h", "http://h**", "mailto:a**@h"] {
            assert_eq!(starless(&Pieces::One(0..url.len()), url.as_bytes()), None, "{url}");
        }
    }
}
