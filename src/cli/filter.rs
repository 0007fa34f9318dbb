//! The selection of the matches to print. A filter tests a match's first reading, and does not
//! affect the search. For a relative link, it tests the scheme and host of the resolved URL.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use urlgrep::{Kind, Level, Match};

use super::args::SelectArgs;
use super::hosts::HostChoice;

/// `--scheme`, `--host`, `--host-file`, `--kind`, `--level`, `--rejoined`, `--candidates`.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) select: SelectArgs,
    least_level: Level,
    /// The hosts of `--host` and `--host-file`.
    pub(crate) hosts: Option<HostChoice>,
    /// Relative links without a base are wanted, too: in records, or if `--kind` names their kind.
    unresolved: bool,
    /// A relative link was excluded because no base is known.
    lacked_base: Arc<AtomicBool>,
    /// The only line that a match may cover (`--explain FILE:LINE`).
    pub(crate) line: Option<u64>,
    /// The filter selects by scheme, kind, host, line or line breaks.
    chooses: bool,
    /// A match was excluded by its scheme, kind or host.
    has_excluded: Arc<AtomicBool>,
}

impl Filter {
    pub(crate) fn new(select: SelectArgs, hosts: Option<HostChoice>, unresolved: bool) -> Self {
        let chooses = !(select.scheme.is_empty() && select.kind.is_empty()) || hosts.is_some() || select.rejoined;
        Filter {
            least_level: select.least_level(),
            select,
            hosts,
            unresolved,
            lacked_base: Arc::default(),
            line: None,
            chooses,
            has_excluded: Arc::default(),
        }
    }

    /// Returns the filter that also demands a line.
    pub(crate) fn with_line(self, line: Option<u64>) -> Self {
        Filter { line, chooses: self.chooses || line.is_some(), ..self }
    }

    /// Returns whether the match is wanted. The cheap tests come first. No URL is validated if
    /// every level is wanted.
    #[inline]
    pub(crate) fn wants(&self, found: &Match<'_>) -> bool {
        (self.least_level == Level::None || found.level() <= self.least_level)
            && (self.select.candidates || found.holds_url())
            && (self.unresolved || self.has_target(found))
            && (!self.chooses || self.is_chosen(found) || self.excludes())
    }

    /// Returns whether a match has a target, and records that one had none.
    fn has_target(&self, found: &Match<'_>) -> bool {
        let is_unresolved = found.is_unresolved();
        // Only the first such link writes, so threads do not contend for the flag. A link of an
        // unwanted kind is not missed.
        if is_unresolved && !self.lacked_base.load(Ordering::Relaxed) && self.wants_kind(found.kind()) {
            self.lacked_base.store(true, Ordering::Relaxed);
        }
        !is_unresolved
    }

    /// Records that a match was excluded. Always returns false.
    #[cold]
    fn excludes(&self) -> bool {
        // As with missing bases, only the first such match writes.
        if !self.has_excluded() {
            self.has_excluded.store(true, Ordering::Relaxed);
        }
        false
    }

    /// Returns whether a match was excluded by its scheme, kind or host.
    pub(crate) fn has_excluded(&self) -> bool {
        self.has_excluded.load(Ordering::Relaxed)
    }

    /// Returns whether no URL with a host is wanted, whatever the host.
    pub(crate) fn refuses_every_host(&self) -> bool {
        self.hosts.as_ref().is_some_and(HostChoice::refuses_all)
    }

    /// Returns whether a relative link was excluded because no base is known.
    pub(crate) fn lacked_base(&self) -> bool {
        self.lacked_base.load(Ordering::Relaxed)
    }

    /// Returns whether every URL of the text with this level is wanted.
    #[inline]
    pub(crate) fn wants_all_of(&self, level: Level) -> bool {
        level <= self.least_level && !self.chooses
    }

    fn is_chosen(&self, found: &Match<'_>) -> bool {
        let SelectArgs { scheme: schemes, kind: kinds, .. } = &self.select;
        (!self.select.rejoined || found.rejoined())
            && (kinds.is_empty() || self.wants_kind(found.kind()))
            && self.line.is_none_or(|line| covers(found, line))
            && (schemes.is_empty() || self.wants_scheme(found))
            && self.hosts.as_ref().is_none_or(|hosts| hosts.wants(found.host().as_deref().map(|host| &**host)))
    }

    /// Returns whether a kind is wanted. The last matching item applies, as with hosts.
    fn wants_kind(&self, kind: Kind) -> bool {
        let kinds = &self.select.kind;
        let last = kinds.iter().rev().find(|item| item.kind == kind);
        last.map_or_else(|| kinds.iter().all(|item| !item.is_wanted), |item| item.is_wanted)
    }

    /// Returns whether the scheme of a match is wanted. The last matching item applies, as with
    /// hosts.
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

/// Returns whether a match covers a line.
fn covers(found: &Match<'_>, line: u64) -> bool {
    let first = found.line().unwrap_or_default();
    let breaks = memchr::memchr_iter(b'\n', found.source().as_ref()).count() as u64;
    (first..=first + breaks).contains(&line)
}
