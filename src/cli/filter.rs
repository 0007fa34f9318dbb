//! The choice of printed matches. A filter sees a match's first reading, and changes nothing about
//! the search. A relative link has the scheme and the host of its resolved URL, which is printed.

use urlgrep::{Kind, Level, Match};

use super::args::SelectArgs;
use super::hosts::HostChoice;

/// `--scheme`, `--host`, `--host-file`, `--kind`, `--level`, `--candidates`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) select: SelectArgs,
    least_level: Level,
    /// Those of `--host` and `--host-file`.
    pub(crate) hosts: Option<HostChoice>,
    /// Relative links without a base are wanted too: in records, or as the only choice.
    unresolved: bool,
    /// By scheme, kind or host.
    chooses: bool,
}

impl Filter {
    pub(crate) fn new(select: SelectArgs, hosts: Option<HostChoice>, unresolved: bool) -> Self {
        let chooses = !(select.scheme.is_empty() && select.kind.is_empty()) || hosts.is_some();
        Filter { least_level: select.least_level(), select, hosts, unresolved, chooses }
    }

    /// Returns whether the match is wanted. The cheap questions come first; no URL is judged where
    /// every level is wanted.
    #[inline]
    pub(crate) fn wants(&self, found: &Match<'_>) -> bool {
        (self.least_level == Level::None || found.level() <= self.least_level)
            && (self.select.candidates || found.holds_url())
            && (self.unresolved || !found.is_unresolved())
            && (!self.chooses || self.is_chosen(found))
    }

    /// Returns whether every URL of the text with this level is wanted.
    #[inline]
    pub(crate) fn wants_all_of(&self, level: Level) -> bool {
        level <= self.least_level && !self.chooses
    }

    fn is_chosen(&self, found: &Match<'_>) -> bool {
        let SelectArgs { scheme: schemes, kind: kinds, .. } = &self.select;
        (kinds.is_empty() || self.wants_kind(found.kind()))
            && (schemes.is_empty() || self.wants_scheme(found))
            && self.hosts.as_ref().is_none_or(|hosts| hosts.wants(found.host().as_deref().map(|host| &**host)))
    }

    /// As with schemes.
    fn wants_kind(&self, kind: Kind) -> bool {
        let kinds = &self.select.kind;
        let last = kinds.iter().rev().find(|item| item.kind == kind);
        last.map_or_else(|| kinds.iter().all(|item| !item.is_wanted), |item| item.is_wanted)
    }

    /// As with hosts, the last that holds counts.
    fn wants_scheme(&self, found: &Match<'_>) -> bool {
        let target = found.target();
        let scheme = target.iter().position(|&byte| byte == b':').map(|colon| &target[..colon]);
        let schemes = &self.select.scheme;
        let last = schemes
            .iter()
            .rev()
            .find(|item| scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(item.name.as_bytes())));
        last.map_or_else(|| schemes.iter().all(|item| !item.is_wanted), |item| item.is_wanted)
    }
}
