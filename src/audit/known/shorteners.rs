//! Link shorteners and click trackers (A-SHORT). A short path at a shortener, or a long path at a
//! tracker, stands for any URL.
//!
//! The shorteners are from the services' own pages and from two lists, November 2026: Wikipedia
//! ("URL shortening") and the Internet Archive's ArchiveTeam ("URLTeam"). Closed ones are included,
//! since archives are old. Shorteners that lead only to their owner's pages (`youtu.be`, `amzn.to`,
//! `redd.it`) hide no host, and are not listed.
//!
//! The trackers belong to services that send mail for others. Some are from the documentation of
//! click tracking, November 2026. Others are from links in 7,909 mails that were reported as
//! phishing (github.com/rf-peixoto/phishing_pot).

use super::hosts::{self, KnownHost};

/// Returns the shortener or tracker for a host and a path. The case of the host is ignored.
pub(in crate::audit) fn find(host: &[u8], path: &[u8]) -> Option<&'static str> {
    shortener(host).or_else(|| {
        let tracker = hosts::find(TRACKERS, host, path)?;
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
#[cfg_attr(not(feature = "archive"), allow(dead_code, reason = "asked of what a reader of mail clicks on"))]
pub(in crate::audit) fn is_rare_in_mail(known: &str) -> bool {
    SHORTENERS.binary_search(&known).is_ok() && COMMON_IN_MAIL.binary_search(&known).is_err()
}

/// Shorteners of editors of newsletters, press offices and schedulers of posts, sorted. The source
/// is the links in their mails, November 2026.
#[cfg_attr(not(feature = "archive"), allow(dead_code, reason = "asked of what a reader of mail clicks on"))]
const COMMON_IN_MAIL: &[&str] = &[
    "bit.ly",
    "bitly.com",
    "bl.ink",
    "buff.ly",
    "dlvr.it",
    "geni.us",
    "goo.gl",
    "ht.ly",
    "hyperurl.co",
    "j.mp",
    "lnk.to",
    "lnkd.in",
    "ow.ly",
    "qrco.de",
    "short.gy",
    "short.io",
    "smarturl.it",
    "sniply.io",
    "su.pr",
    "t1p.de",
    "trib.al",
];

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
const SHORTENERS: &[&str] = &[
    "0rz.tw",
    "1url.com",
    "2no.co",
    "3.ly",
    "a.gd",
    "abre.ai",
    "acortar.link",
    "adf.ly",
    "adfoc.us",
    "adyou.me",
    "alturl.com",
    "b.link",
    "bc.vc",
    "bit.do",
    "bit.ly",
    "bitly.com",
    "bityl.co",
    "bl.ink",
    "bom.so",
    "budurl.com",
    "buff.ly",
    "chilp.it",
    "clck.ru",
    "cli.gs",
    "cort.as",
    "cutt.ly",
    "cutt.us",
    "da.gd",
    "did.li",
    "dlvr.it",
    "doiop.com",
    "dub.sh",
    "dwz.cn",
    "encr.pw",
    "fur.ly",
    "geni.us",
    "gg.gg",
    "go.sv",
    "goo.by",
    "goo.gl",
    "goo.su",
    "grabify.link",
    "han.gl",
    "hotm.art",
    "ht.ly",
    "hurl.ws",
    "hyperurl.co",
    "idek.net",
    "inx.lv",
    "iplogger.com",
    "iplogger.org",
    "is.gd",
    "ity.im",
    "ix.sk",
    "j.mp",
    "kl.am",
    "kutt.it",
    "lc.cx",
    "link.sv",
    "linkshrink.net",
    "lmy.de",
    "ln.is",
    "ln.run",
    "lnk.to",
    "lnkd.in",
    "lstu.fr",
    "makeashorterlink.com",
    "mcaf.ee",
    "me2.do",
    "me2.kr",
    "migre.me",
    "moourl.com",
    "mub.me",
    "n9.cl",
    "notlong.com",
    "nutshellurl.com",
    "oke.io",
    "ouo.io",
    "ouo.press",
    "ow.ly",
    "ping.fm",
    "plu.sh",
    "pse.is",
    "qik.fi",
    "qps.ru",
    "qr.ae",
    "qrco.de",
    "rb.gy",
    "rebrand.ly",
    "reurl.cc",
    "rplg.co",
    "s.id",
    "s2r.co",
    "scnv.io",
    "search.app",
    "sh.st",
    "share.google",
    "shorl.com",
    "short.gy",
    "short.io",
    "short.to",
    "shorte.st",
    "shorturl.at",
    "shorturl.gg",
    "shrinkster.com",
    "shrtco.de",
    "sl.al",
    "smallurl.com",
    "smarturl.it",
    "snip.ly",
    "sniply.io",
    "snipr.com",
    "snipurl.com",
    "soo.gd",
    "spoo.me",
    "su.pr",
    "suo.im",
    "surl.li",
    "t.cn",
    "t.co",
    "t.ly",
    "t1p.de",
    "t2m.io",
    "tiny.cc",
    "tiny.ie",
    "tiny.one",
    "tiny.pl",
    "tinyurl.com",
    "tinyurl.ph",
    "tl.gd",
    "tny.im",
    "tr.im",
    "trib.al",
    "twurl.nl",
    "u.nu",
    "u.to",
    "ulvis.net",
    "url.cn",
    "url.ie",
    "urlcut.com",
    "urly.fi",
    "urly.it",
    "urlz.fr",
    "urlzs.com",
    "v.gd",
    "v.ht",
    "viid.me",
    "vk.cc",
    "vk.sv",
    "vo.la",
    "vurl.com",
    "waa.ai",
    "x.co",
    "x.gd",
    "xrl.us",
    "yep.it",
    "yip.su",
    "zi.ma",
    "zpr.io",
    "zws.im",
];

/// A click tracker.
struct Tracker {
    host: &'static str,
    path: &'static str,
}

impl KnownHost for Tracker {
    fn host(&self) -> &'static str {
        self.host
    }

    fn path(&self) -> &'static str {
        self.path
    }
}

const fn tracker(host: &'static str, path: &'static str) -> Tracker {
    Tracker { host, path }
}

/// The trackers, sorted by the last two labels of the host.
const TRACKERS: &[Tracker] = &[
    tracker("lt.acemlna.com", "/"),
    tracker("lt.acemlnb.com", "/"),
    tracker("lt.acemlnc.com", "/"),
    tracker("lt.acemlnd.com", "/"),
    tracker("activehosted.com", "/lt.php"),
    tracker("app.link", "/"),
    tracker("clicks.aweber.com", "/y/ct"),
    tracker("cmail19.com", "/t/"),
    tracker("cmail20.com", "/t/"),
    tracker("encurtador.com.br", "/"),
    tracker("click.convertkit-mail.com", "/"),
    tracker("click.convertkit-mail2.com", "/"),
    tracker("createsend.com", "/t/"),
    tracker("createsend1.com", "/t/"),
    tracker("customeriomail.com", "/e/c/"),
    tracker("dmtrk.net", "/"),
    tracker("dripemail2.com", "/c/"),
    tracker("l.ead.me", "/"),
    tracker("emarsys.net", "/"),
    tracker("emlnk.com", "/lt.php"),
    tracker("en25.com", "/"),
    tracker("cl.exct.net", "/"),
    tracker("hubspotlinks.com", "/"),
    tracker("hubspotlinksstarter.com", "/"),
    tracker("click.icptrack.com", "/"),
    tracker("links.iterable.com", "/"),
    tracker("klclick.com", "/"),
    tracker("klclick1.com", "/"),
    tracker("klclick2.com", "/"),
    tracker("klclick3.com", "/"),
    tracker("list-manage.com", "/track/click"),
    tracker("list-manage1.com", "/track/click"),
    tracker("list-manage2.com", "/track/click"),
    tracker("mailtrack.io", "/trace/link/"),
    tracker("mandrillapp.com", "/track/click"),
    tracker("mjt.lu", "/"),
    tracker("click.mlsend.com", "/"),
    tracker("msgfocus.com", "/c/"),
    tracker("onelink.me", "/"),
    tracker("page.link", "/"),
    tracker("click.pstmrk.it", "/"),
    tracker("track.pstmrk.it", "/"),
    tracker("rs6.net", "/on.jsp"),
    tracker("rs6.net", "/tn.jsp"),
    tracker("ct.sendgrid.net", "/"),
    tracker("sendibm1.com", "/"),
    tracker("sendibm2.com", "/"),
    tracker("sendibm3.com", "/"),
    tracker("sendibt2.com", "/"),
    tracker("sendibt3.com", "/"),
    tracker("smart.link", "/"),
    tracker("go.sparkpostmail.com", "/f/a/"),
    tracker("streak-link.com", "/"),
    tracker("t.yesware.com", "/tt/"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(SHORTENERS.is_sorted());
        assert!(hosts::is_sorted(TRACKERS));
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
