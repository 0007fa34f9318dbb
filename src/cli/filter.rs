//! Which matches are printed. A filter looks at a match's first reading and changes nothing about what is found. Of a
//! relative link scheme and host are those of what it resolves to, which is what is printed.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use urlgrep::command;
use urlgrep::{Kind, Match};

use super::args::SelectArgs;

/// `--scheme`, `--host`, `--kind`, `--level`, `--candidates`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) select: SelectArgs,
    /// Those of `--host`.
    pub(crate) hosts: Option<HostGlobs>,
    pub(crate) other_literal: bool,
    /// Relative links whose base is not known are wanted, too: in records, or as what was asked for.
    pub(crate) unresolved: bool,
}

impl Filter {
    /// True if the match is wanted. The cheap questions come first.
    pub(crate) fn wants(&self, found: &Match<'_>) -> bool {
        let SelectArgs { scheme: schemes, kind: kinds, candidates, .. } = &self.select;
        found.level() <= self.select.least_level()
            && (*candidates || found.holds_url())
            && (self.unresolved || found.kind() != Kind::Attribute || leads_somewhere(found))
            && (kinds.is_empty() || kinds.contains(&found.kind()))
            && (schemes.is_empty() || self.wants_scheme(found))
            && self.hosts.as_ref().is_none_or(|globs| {
                command::host(found.target(), self.other_literal).is_some_and(|host| globs.matches(&host))
            })
    }

    fn wants_scheme(&self, found: &Match<'_>) -> bool {
        let target = found.target();
        target.iter().position(|&byte| byte == b':').is_some_and(|colon| {
            self.select.scheme.iter().any(|wanted| target[..colon].eq_ignore_ascii_case(wanted.as_bytes()))
        })
    }
}

/// False for a relative link whose base is not known.
fn leads_somewhere(found: &Match<'_>) -> bool {
    found.scheme().is_some() || found.target() != found.url()
}

/// Globs over host names.
#[derive(Clone, Debug)]
pub(crate) struct HostGlobs(GlobSet);

impl HostGlobs {
    /// Compiles globs: `*` and `?` cross dots, a plain name matches only itself, case does not count.
    pub(crate) fn new(globs: &[String]) -> Result<Self, globset::Error> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            // globset's own folding is ASCII's; a host may be `MÜNCHEN.example`.
            let glob = glob.to_lowercase();
            // The bracket of an IP literal opens no character class.
            let glob = match glob.strip_prefix('[') {
                Some(rest) if rest.split(']').next().is_some_and(|address| address.contains(':')) => {
                    format!("[[]{rest}")
                }
                _ => glob,
            };
            set.add(GlobBuilder::new(&glob).literal_separator(false).build()?);
        }
        Ok(Self(set.build()?))
    }

    /// True if any glob holds for the host, which has no port.
    pub(crate) fn matches(&self, host: &[u8]) -> bool {
        let lower = match std::str::from_utf8(host) {
            Ok(host) if !host.is_ascii() => host.to_lowercase().into_bytes(),
            _ => host.to_ascii_lowercase(),
        };
        self.0.is_match_candidate(&globset::Candidate::from_bytes(&lower))
    }
}

#[cfg(test)]
mod tests {
    use super::HostGlobs;

    #[test]
    fn globs_hold_for_hosts() {
        type Hosts = &'static [&'static str];
        let cases: &[(&str, Hosts, Hosts)] = &[
            // A plain name holds only for itself.
            ("cern.ch", &["cern.ch", "CERN.ch"], &["info.cern.ch", "cern.ch.example", "cernxch"]),
            ("CERN.ch", &["cern.CH"], &[]),
            ("cern", &[], &["cern.ch"]),
            // Stars cross dots.
            ("*.cern.ch", &["a.b.cern.ch"], &["cern.ch"]),
            ("*", &["any.host"], &[]),
            ("www.*", &["www.a.b"], &[]),
            ("*.{com,org}", &["a.org"], &["a.net"]),
            // Beyond ASCII case does not count either; escapes are compared as written.
            ("münchen.example", &["MÜNCHEN.example"], &["m%C3%BCnchen.example"]),
            ("*.РФ", &["почта.рф"], &[]),
            ("m%c3%bcnchen", &["m%C3%BCnchen"], &["münchen"]),
            // IP literals are no classes.
            ("[::1]", &["[::1]"], &[":"]),
            ("[FE80::*", &["[fe80::1]"], &[]),
            ("[fe80::*]", &["[fe80::1]"], &[]),
            ("[ab].example", &["a.example"], &[]),
        ];
        for &(glob, hosts, others) in cases {
            let globs = HostGlobs::new(&[glob.to_owned()]).unwrap();
            for (&host, holds) in hosts.iter().map(|host| (host, true)).chain(others.iter().map(|host| (host, false))) {
                assert_eq!(globs.matches(host.as_bytes()), holds, "{glob} {host}");
            }
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_panic() {
        assert!(!HostGlobs::new(&["a".into()]).unwrap().matches(b"\xFF"));
        assert!(HostGlobs::new(&["*".into()]).unwrap().matches(b"\xFF"));
    }

    #[test]
    fn bad_globs_are_refused() {
        assert!(HostGlobs::new(&["a{b".into()]).is_err());
    }
}
