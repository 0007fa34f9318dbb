//! Services that host blogs, or give names to machines at home. Texts link to them as to any home
//! page.
//!
//! The names for machines belong to the providers of dynamic DNS in the Public Suffix List (crate
//! `psl`). The blogs were chosen by hand, November 2026.

/// Returns whether a service of A-TENANT hosts blogs, or names machines at home.
pub(in crate::audit) fn is_home(service: &[u8]) -> bool {
    let mut name = service;
    loop {
        if HOMES.binary_search_by(|home| home.as_bytes().cmp(name)).is_ok() {
            return true;
        }
        match memchr::memchr(b'.', name) {
            Some(dot) => name = &name[dot + 1..],
            None => return false,
        }
    }
}

/// The services, sorted.
#[rustfmt::skip]
const HOMES: &[&str] = &[
    "3utilities.com", "accesscam.org", "at-band-camp.net", "ath.cx", "barrel-of-knowledge.info",
    "barrell-of-knowledge.info", "bearblog.dev", "better-than.tv", "blogdns.com", "blogdns.net", "blogdns.org",
    "blogsite.org", "blogspot.com", "blogsyte.com", "boldlygoingnowhere.org", "bounceme.net", "brasilia.me", "broke-it.net",
    "buyshouses.net", "cable-modem.org", "camdvr.org", "cechire.com", "ciscofreak.com", "collegefan.org", "coolblog.jp",
    "couchpotatofries.org", "damnserver.com", "ddns-ip.net", "ddns.berlin", "ddns.me", "ddns.net", "ddns.wtf",
    "ddnsfree.com", "ddnsgeek.com", "ddnsguru.com", "ddnsking.com", "ddnss.de", "ddnss.org", "ddnssec.de", "diskstation.me",
    "ditchyourip.com", "dnsalias.com", "dnsalias.net", "dnsalias.org", "dnsdojo.com", "dnsdojo.net", "dnsdojo.org",
    "dnsfor.me", "dnshome.de", "dnsiskinky.com", "does-it.net", "doesntexist.com", "doesntexist.org", "dontexist.com",
    "dontexist.net", "dontexist.org", "doomdns.com", "doomdns.org", "drayddns.com", "dscloud.me", "dsmynas.org",
    "duckdns.org", "dvrcam.info", "dvrdns.org", "dy.fi", "dyn-ip24.de", "dyn-o-saur.com", "dynalias.com", "dynalias.net",
    "dynalias.org", "dynathome.net", "dyndns-at-home.com", "dyndns-at-work.com", "dyndns-blog.com", "dyndns-free.com",
    "dyndns-home.com", "dyndns-ip.com", "dyndns-mail.com", "dyndns-office.com", "dyndns-pics.com", "dyndns-remote.com",
    "dyndns-server.com", "dyndns-web.com", "dyndns-wiki.com", "dyndns-work.com", "dyndns.biz", "dyndns.info", "dyndns.org",
    "dyndns.tv", "dyndns.ws", "dyndns1.de", "dyndnssec.de", "dynns.com", "dynserv.org", "dynu.net", "dynuddns.com",
    "dynuddns.net", "dynv6.net", "eating-organic.net", "endofinternet.net", "endofinternet.org", "endoftheinternet.org",
    "est-a-la-maison.com", "est-a-la-masion.com", "est-le-patron.com", "est-mon-blogueur.com", "familyds.org",
    "for-better.biz", "for-more.biz", "for-our.info", "for-some.biz", "for-the.biz", "freeddns.org", "freeddns.us",
    "from-ak.com", "from-al.com", "from-ar.com", "from-az.net", "from-ca.com", "from-co.net", "from-ct.com", "from-dc.com",
    "from-de.com", "from-fl.com", "from-ga.com", "from-hi.com", "from-ia.com", "from-id.com", "from-il.com", "from-in.com",
    "from-ks.com", "from-ky.com", "from-la.net", "from-ma.com", "from-md.com", "from-me.org", "from-mi.com", "from-mn.com",
    "from-mo.com", "from-ms.com", "from-mt.com", "from-nc.com", "from-nd.com", "from-ne.com", "from-nh.com", "from-nj.com",
    "from-nm.com", "from-nv.com", "from-ny.net", "from-oh.com", "from-ok.com", "from-or.com", "from-pa.com", "from-pr.com",
    "from-ri.com", "from-sc.com", "from-sd.com", "from-tn.com", "from-tx.com", "from-ut.com", "from-va.com", "from-vt.com",
    "from-wa.com", "from-wi.com", "from-wv.com", "from-wy.com", "game-host.org", "geekgalaxy.com", "getmyip.com",
    "gets-it.net", "gotdns.com", "gotdns.org", "groks-the.info", "groks-this.info", "ham-radio-op.net", "hatenablog.com",
    "hatenablog.jp", "health-carereform.com", "heimdns.de", "here-for-more.info", "hobby-site.com", "hobby-site.org",
    "home-webserver.de", "homedns.org", "homeftp.net", "homeftp.org", "homeip.net", "homelinux.com", "homelinux.net",
    "homelinux.org", "homesecuritymac.com", "homesecuritypc.com", "homeunix.com", "homeunix.net", "homeunix.org",
    "hopto.me", "hopto.org", "i234.me", "iamallama.com", "ilovecollege.info", "in-the-band.net", "ip-ddns.com",
    "is-a-anarchist.com", "is-a-blogger.com", "is-a-bookkeeper.com", "is-a-bruinsfan.org", "is-a-bulls-fan.com",
    "is-a-candidate.org", "is-a-caterer.com", "is-a-celticsfan.org", "is-a-chef.com", "is-a-chef.net", "is-a-chef.org",
    "is-a-conservative.com", "is-a-cpa.com", "is-a-cubicle-slave.com", "is-a-democrat.com", "is-a-designer.com",
    "is-a-doctor.com", "is-a-financialadvisor.com", "is-a-geek.com", "is-a-geek.net", "is-a-geek.org", "is-a-green.com",
    "is-a-guru.com", "is-a-hard-worker.com", "is-a-hunter.com", "is-a-knight.org", "is-a-landscaper.com", "is-a-lawyer.com",
    "is-a-liberal.com", "is-a-libertarian.com", "is-a-linux-user.org", "is-a-llama.com", "is-a-musician.com",
    "is-a-nascarfan.com", "is-a-nurse.com", "is-a-painter.com", "is-a-patsfan.org", "is-a-personaltrainer.com",
    "is-a-photographer.com", "is-a-player.com", "is-a-republican.com", "is-a-rockstar.com", "is-a-socialist.com",
    "is-a-soxfan.org", "is-a-student.com", "is-a-teacher.com", "is-a-techie.com", "is-a-therapist.com",
    "is-an-accountant.com", "is-an-actor.com", "is-an-actress.com", "is-an-anarchist.com", "is-an-artist.com",
    "is-an-engineer.com", "is-an-entertainer.com", "is-certified.com", "is-found.org", "is-gone.com", "is-into-anime.com",
    "is-into-cars.com", "is-into-cartoons.com", "is-into-games.com", "is-leet.com", "is-lost.org", "is-not-certified.com",
    "is-saved.org", "is-slick.com", "is-uberleet.com", "is-very-bad.org", "is-very-evil.org", "is-very-good.org",
    "is-very-nice.org", "is-very-sweet.org", "is-with-theband.com", "isa-geek.com", "isa-geek.net", "isa-geek.org",
    "isa-hockeynut.com", "issmarterthanyou.com", "kicks-ass.net", "kicks-ass.org", "knowsitall.info", "likes-pie.com",
    "likescandy.com", "livejournal.com", "loginto.me", "merseine.nu", "mine.nu", "misconfused.org", "mlbfan.org",
    "mmafan.biz", "my-gateway.de", "my-router.de", "myactivedirectory.com", "myddns.rocks", "mydissent.net", "myds.me",
    "myeffect.net", "myfritz.link", "myfritz.net", "myftp.biz", "myftp.org", "myhome-server.de", "mymediapc.net",
    "mypets.ws", "mypsx.net", "mysecuritycamera.com", "mysecuritycamera.net", "mysecuritycamera.org", "mysynology.net",
    "myvnc.com", "mywire.org", "neat-url.com", "net-freaks.com", "nflfan.org", "nhlfan.net", "no-ip.biz", "no-ip.ca",
    "no-ip.co.uk", "no-ip.info", "no-ip.net", "no-ip.org", "noip.me", "now-dns.net", "now-dns.org", "nsupdate.info",
    "office-on-the.net", "on-the-web.tv", "onthewifi.com", "pgafan.net", "podzone.net", "podzone.org", "point2this.com",
    "privatizehealthinsurance.net", "quicksytes.com", "read-books.org", "readmyblog.org", "redirectme.net", "roxa.org",
    "saves-the-whales.com", "scrapper-site.net", "securitytactics.com", "selfip.biz", "selfip.com", "selfip.info",
    "selfip.net", "selfip.org", "sells-for-less.com", "sells-for-u.com", "sells-it.net", "sellsyourhome.org",
    "servebbs.com", "servebbs.net", "servebbs.org", "servebeer.com", "serveblog.net", "servecounterstrike.com",
    "serveexchange.com", "serveftp.com", "serveftp.net", "serveftp.org", "servegame.com", "servegame.org",
    "servehalflife.com", "servehttp.com", "servehumour.com", "serveirc.com", "serveminecraft.net", "servemp3.com",
    "servep2p.com", "shacknet.nu", "simple-url.com", "space-to-rent.com", "spdns.de", "spdns.eu", "spdns.org", "srvdns.de",
    "stuff-4-sale.org", "synology.me", "sytes.net", "teaches-yoga.com", "thruhere.net", "tumblr.com", "ufcfan.org",
    "vistablog.ir", "webhop.biz", "webhop.info", "webhop.me", "webhop.net", "webhop.org", "webredirect.org",
    "wordpress.com", "worse-than.tv", "writesthisblog.com", "zapto.org",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(HOMES.is_sorted());
    }

    #[test]
    fn homes() {
        for (service, expected) in [
            ("blogspot.com", true),
            ("dyndns.org", true),
            ("go.dyndns.org", true),
            ("ath.cx", true),
            ("web.app", false),
            ("docs.google.com/forms/", false),
            ("s3.amazonaws.com", false),
            ("/ipfs/", false),
        ] {
            assert_eq!(is_home(service.as_bytes()), expected, "{service}");
        }
    }
}
