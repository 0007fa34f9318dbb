//! Link shorteners (A-SHORT): hosts at which a short path stands for any URL.
//!
//! From the services' own pages and from lists of shorteners that Wikipedia ("URL shortening") and the Internet Archive's
//! ArchiveTeam ("URLTeam") keep, November 2026; those that are closed too, since archives are old. Shorteners that lead only to
//! their owner's pages (`youtu.be`, `amzn.to`, `redd.it`) hide no host, and are not listed.

/// The shortener of this host, in any case.
pub(in crate::audit) fn find(host: &[u8]) -> Option<&'static str> {
    let www = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"www."));
    let name = if www { &host[4..] } else { host };
    // All have one dot, and most hosts more.
    let dot = memchr::memchr(b'.', name)?;
    if name.len() > LONGEST || memchr::memchr(b'.', &name[dot + 1..]).is_some() {
        return None;
    }
    let lower = || name.iter().map(u8::to_ascii_lowercase);
    SHORTENERS.binary_search_by(|known| known.bytes().cmp(lower())).ok().map(|at| SHORTENERS[at])
}

const LONGEST: usize = 20;

/// Sorted; `www.` may stand before each.
const SHORTENERS: &[&str] = &[
    "1url.com",
    "adf.ly",
    "alturl.com",
    "bc.vc",
    "bit.do",
    "bit.ly",
    "bitly.com",
    "budurl.com",
    "buff.ly",
    "chilp.it",
    "clck.ru",
    "cli.gs",
    "cutt.ly",
    "dlvr.it",
    "doiop.com",
    "fur.ly",
    "goo.gl",
    "goo.su",
    "ht.ly",
    "hurl.ws",
    "idek.net",
    "is.gd",
    "j.mp",
    "kl.am",
    "lnkd.in",
    "makeashorterlink.com",
    "mcaf.ee",
    "migre.me",
    "moourl.com",
    "notlong.com",
    "nutshellurl.com",
    "ouo.io",
    "ow.ly",
    "ping.fm",
    "qr.ae",
    "rb.gy",
    "rebrand.ly",
    "s.id",
    "shorl.com",
    "short.to",
    "shorturl.at",
    "shrinkster.com",
    "shrtco.de",
    "smallurl.com",
    "snipr.com",
    "snipurl.com",
    "soo.gd",
    "su.pr",
    "surl.li",
    "t.co",
    "t.ly",
    "tiny.cc",
    "tiny.one",
    "tiny.pl",
    "tinyurl.com",
    "tl.gd",
    "tr.im",
    "twurl.nl",
    "u.nu",
    "url.ie",
    "urlcut.com",
    "urlz.fr",
    "v.gd",
    "vurl.com",
    "x.co",
    "xrl.us",
    "yep.it",
    "zi.ma",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SHORTENERS.is_sorted());
        assert!(SHORTENERS.iter().all(|name| name.len() <= LONGEST && name.matches('.').count() == 1));
        assert_eq!(find(b"WWW.TinyURL.com"), Some("tinyurl.com"));
        assert_eq!(find(b"tinyurl.example"), None);
    }
}
