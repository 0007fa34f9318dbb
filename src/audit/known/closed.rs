//! Services that closed (A-CLOSED), with the year and the successor of their pages.
//!
//! Years and successors are common knowledge of November 2026, as the operators announced them.
//! They were not verified one by one: check a row before you rely on it.

use super::hosts::{self, KnownHost};

/// A service that closed.
pub(in crate::audit) struct ClosedService {
    pub(in crate::audit) host: &'static str,
    path: &'static str,
    /// 0 if no announcement gives the year.
    pub(in crate::audit) year: u16,
    /// The host, or host and path. Empty if there is no successor.
    pub(in crate::audit) successor: &'static str,
}

impl KnownHost for ClosedService {
    fn host(&self) -> &'static str {
        self.host
    }

    fn path(&self) -> &'static str {
        self.path
    }
}

const fn closed(host: &'static str, path: &'static str, year: u16, successor: &'static str) -> ClosedService {
    ClosedService { host, path, year, successor }
}

/// Returns the service of a host and path, if it closed.
pub(in crate::audit) fn find(host: &[u8], path: &[u8]) -> Option<&'static ClosedService> {
    hosts::find(CLOSED, host, path)
}

/// The services, sorted by the last two labels of the host.
const CLOSED: &[ClosedService] = &[
    closed("altavista.com", "/", 2013, ""),
    closed("hometown.aol.com", "/", 2008, ""),
    closed("members.aol.com", "/", 2008, ""),
    closed("wsmr-simtel20.army.mil", "/", 1993, ""),
    closed("berlios.de", "/", 2014, ""),
    closed("ftp.cdrom.com", "/", 2001, ""),
    closed("geocities.co.jp", "/", 2019, ""),
    closed("codeplex.com", "/", 2017, ""),
    closed("search.cpan.org", "/", 2018, "metacpan.org"),
    closed("alioth.debian.org", "/", 2018, "salsa.debian.org"),
    closed("gatekeeper.dec.com", "/", 0, ""),
    closed("deja.com", "/", 2001, "groups.google.com"),
    closed("dejanews.com", "/", 2001, "groups.google.com"),
    closed("altavista.digital.com", "/", 2013, ""),
    closed("ftp.digital.com", "/", 0, ""),
    closed("fedorahosted.org", "/", 2017, "pagure.io"),
    closed("fortunecity.com", "/", 2012, ""),
    closed("freecode.com", "/", 2014, "freshmeat.sourceforge.net"),
    closed("freshmeat.net", "/", 2014, "freshmeat.sourceforge.net"),
    closed("friendfeed.com", "/", 2015, ""),
    closed("geocities.com", "/", 2009, ""),
    closed("geocities.jp", "/", 2019, ""),
    closed("gitorious.org", "/", 2015, ""),
    closed("gmane.org", "/", 2016, "gmane.io"),
    closed("gna.org", "/", 2017, ""),
    closed("bugzilla.gnome.org", "/", 2018, "gitlab.gnome.org"),
    closed("cvs.gnome.org", "/", 0, "gitlab.gnome.org"),
    closed("mail.gnome.org", "/", 2022, "discourse.gnome.org"),
    closed("code.google.com", "/hosting/", 2016, "code.google.com/archive/"),
    closed("code.google.com", "/p/", 2016, "code.google.com/archive/p/"),
    closed("knol.google.com", "/", 2012, ""),
    closed("picasaweb.google.com", "/", 2016, ""),
    closed("plus.google.com", "/", 2019, ""),
    closed("wave.google.com", "/", 2012, ""),
    closed("googlecode.com", "/", 2016, "code.google.com/archive/"),
    closed("del.icio.us", "/", 2017, ""),
    closed("ds.internic.net", "/", 1998, "www.rfc-editor.org"),
    closed("java.net", "/", 2017, ""),
    closed("kenai.com", "/", 2017, ""),
    closed("spaces.live.com", "/", 2011, ""),
    closed("home.mcom.com", "/", 1994, ""),
    closed("megaupload.com", "/", 2012, ""),
    closed("connect.microsoft.com", "/", 2017, ""),
    closed("export.lcs.mit.edu", "/", 0, "www.x.org"),
    closed("prep.ai.mit.edu", "/", 0, "ftp.gnu.org"),
    closed("dxr.mozilla.org", "/", 2020, "searchfox.org"),
    closed("lxr.mozilla.org", "/", 0, "searchfox.org"),
    closed("mxr.mozilla.org", "/", 2016, "searchfox.org"),
    closed("channel9.msdn.com", "/", 2021, "learn.microsoft.com"),
    closed("spaces.msn.com", "/", 2011, ""),
    closed("oak.oakland.edu", "/", 0, ""),
    closed("ohloh.net", "/", 2014, "openhub.net"),
    closed("opensolaris.org", "/", 2013, ""),
    closed("orkut.com", "/", 2014, ""),
    closed("anon.penet.fi", "/", 1996, ""),
    closed("posterous.com", "/", 2013, ""),
    closed("cheeseshop.python.org", "/", 2007, "pypi.org"),
    closed("pypi.python.org", "/", 2018, "pypi.org"),
    closed("rapidshare.com", "/", 2015, ""),
    closed("rubyforge.org", "/", 2014, "rubygems.org"),
    closed("simtel.net", "/", 2013, ""),
    closed("sumex-aim.stanford.edu", "/", 0, ""),
    closed("blogs.sun.com", "/", 2010, "blogs.oracle.com"),
    closed("java.sun.com", "/", 2010, "www.oracle.com/java"),
    closed("sunsolve.sun.com", "/", 2010, "support.oracle.com"),
    closed("tigris.org", "/", 2020, ""),
    closed("metalab.unc.edu", "/", 2000, "www.ibiblio.org"),
    closed("sunsite.unc.edu", "/", 2000, "www.ibiblio.org"),
    closed("ftp.uu.net", "/", 0, ""),
    closed("wuarchive.wustl.edu", "/", 0, ""),
    closed("members.xoom.com", "/", 2001, ""),
    closed("answers.yahoo.com", "/", 2021, ""),
    closed("groups.yahoo.com", "/", 2020, ""),
    closed("pipes.yahoo.com", "/", 2015, ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(hosts::is_sorted(CLOSED));
        assert!(CLOSED.iter().all(|row| row.year == 0 || (1990..=2026).contains(&row.year)));
    }
}
