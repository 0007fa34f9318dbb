//! Link shorteners and click trackers (A-SHORT). A short path at a shortener, or a long path at a
//! tracker, stands for any URL.
//!
//! The data files name their sources. Shorteners that lead only to their owner's pages are not
//! listed.

use super::hosts;
use crate::bytes::rows::{self, table};

/// Returns the shortener or tracker for a host and a path. The case of the host is ignored.
pub(in crate::audit) fn find(host: &[u8], path: &[u8]) -> Option<&'static str> {
    shortener(host).or_else(|| {
        let tracker = hosts::find(TRACKERS, |row| [row.host, row.path], host, path)?;
        // The home page of the tracker's own site leads nowhere else.
        let is_home = host.len() == tracker.host.len() && path.len() <= 1;
        (!is_home).then_some(tracker.host)
    })
}

/// Returns whether a host and path belong to a click tracker, and not to a shortener.
pub(in crate::audit) fn is_tracked(host: &[u8], path: &[u8]) -> bool {
    shortener(host).is_none() && find(host, path).is_some()
}

/// Returns whether `known` is a shortener that honest senders seldom use. The result is false for
/// trackers and for `COMMON_IN_MAIL`, with which bulk senders count clicks.
pub(in crate::audit) fn is_rare_in_mail(known: &str) -> bool {
    SHORTENERS.binary_search(&known).is_ok() && COMMON_IN_MAIL.binary_search(&known).is_err()
}

/// Shorteners of editors of newsletters, press offices and schedulers of posts, sorted.
const COMMON_IN_MAIL: &[&str] = &table!("common_in_mail.txt", rows::word);

fn shortener(host: &[u8]) -> Option<&'static str> {
    let www = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."));
    let name = if www { &host[4..] } else { host };
    // All shorteners have one dot, and most hosts have more.
    let dot = memchr::memchr(b'.', name)?;
    if name.len() > LONGEST || memchr::memchr(b'.', &name[dot + 1..]).is_some() {
        return None;
    }
    let lower = || name.iter().map(u8::to_ascii_lowercase);
    SHORTENERS.binary_search_by(|known| known.bytes().cmp(lower())).ok().map(|at| SHORTENERS[at])
}

const LONGEST: usize = 20;

/// The shorteners, sorted. `www.` may precede each.
const SHORTENERS: &[&str] = &table!("shorteners.txt", rows::word);

/// A click tracker.
#[derive(Clone, Copy)]
struct Tracker {
    host: &'static str,
    path: &'static str,
}

const fn tracker([host, path]: [&'static str; 2]) -> Tracker {
    Tracker { host, path }
}

/// The trackers, sorted by the last two labels of the host.
const TRACKERS: &[Tracker] = &table!("trackers.txt", tracker);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SHORTENERS.is_sorted_by(|one, other| one < other));
        assert!(hosts::is_sorted(TRACKERS, |row| [row.host, row.path]));
        assert!(COMMON_IN_MAIL.is_sorted() && COMMON_IN_MAIL.iter().all(|name| SHORTENERS.contains(name)));
        assert!(is_rare_in_mail("is.gd") && !is_rare_in_mail("bit.ly") && !is_rare_in_mail("rs6.net"));
        assert!(SHORTENERS.iter().all(|name| name.len() <= LONGEST && name.matches('.').count() == 1));
        assert_eq!(find(b"WWW.TinyURL.com", b"/"), Some("tinyurl.com"));
        assert_eq!(find(b"tinyurl.example", b"/"), None);
        assert_eq!(find(b"mailtrack.io", b"/trace/link/x"), Some("mailtrack.io"));
        assert_eq!(find(b"streak-link.com", b"/x"), Some("streak-link.com"));
        assert_eq!([find(b"page.link", b"/"), find(b"mailtrack.io", b"/pricing")], [None; 2]);
    }
}
