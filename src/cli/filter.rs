//! Which matches are printed. A filter looks at a match's first reading and changes nothing about what is found. Of a
//! relative link scheme and host are those of what it resolves to, which is what is printed.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use urlgrep::Match;
use urlgrep::command;

use super::args::SelectArgs;

/// `--scheme`, `--host`, `--kind`, `--level`, `--candidates`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) select: SelectArgs,
    /// Those of `--host`.
    pub(crate) hosts: Option<HostGlobs>,
    pub(crate) other_literal: bool,
}

impl Filter {
    /// True if the match is wanted. The cheap questions come first.
    pub(crate) fn wants(&self, found: &Match<'_>) -> bool {
        let SelectArgs { scheme: schemes, kind: kinds, candidates, .. } = &self.select;
        found.level() <= self.select.least_level()
            && (*candidates || found.holds_url())
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

    fn holds(glob: &str, host: &str) -> bool {
        HostGlobs::new(&[glob.to_owned()]).unwrap().matches(host.as_bytes())
    }

    #[test]
    fn a_plain_name_matches_only_itself() {
        assert!(holds("cern.ch", "cern.ch"));
        assert!(holds("CERN.ch", "cern.CH"));
        assert!(!holds("cern.ch", "info.cern.ch"));
        assert!(!holds("cern.ch", "cern.ch.example"));
        assert!(!holds("cern.ch", "cernxch"));
        assert!(!holds("cern", "cern.ch"));
    }

    #[test]
    fn stars_cross_dots() {
        assert!(holds("*.cern.ch", "a.b.cern.ch"));
        assert!(!holds("*.cern.ch", "cern.ch"));
        assert!(holds("*", "any.host"));
        assert!(holds("www.*", "www.a.b"));
        assert!(holds("*.{com,org}", "a.org"));
        assert!(!holds("*.{com,org}", "a.net"));
    }

    #[test]
    fn beyond_ascii_case_does_not_count_either() {
        assert!(holds("münchen.example", "MÜNCHEN.example"));
        assert!(holds("*.РФ", "почта.рф"));
        assert!(holds("m%c3%bcnchen", "m%C3%BCnchen"), "escapes are compared as written");
        assert!(!holds("münchen", "m%C3%BCnchen"));
    }

    #[test]
    fn ip_literals_are_no_classes() {
        assert!(holds("[::1]", "[::1]"));
        assert!(!holds("[::1]", ":"));
        assert!(holds("[FE80::*", "[fe80::1]"));
        assert!(holds("[fe80::*]", "[fe80::1]"));
        assert!(holds("[ab].example", "a.example"));
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
