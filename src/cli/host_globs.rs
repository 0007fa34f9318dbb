//! Matches a host against thousands of globs.
//!
//! A set of regular expressions needs 10 to 190 µs per host for thousands of globs with inner stars
//! (2026-11). So regular expressions match only the globs with classes, alternatives or escapes.

use std::collections::HashMap;

use aho_corasick::AhoCorasick;
use globset::{Candidate, Glob, GlobSet, GlobSetBuilder};

/// Globs of hosts in lower case, each with an item: its value for the caller.
#[derive(Clone, Debug)]
pub(crate) struct HostGlobs<I> {
    /// Globs such as `*.cern.ch`, by their end (`.cern.ch`).
    ends: HashMap<Vec<u8>, I>,
    /// The length of the longest end.
    longest_end: usize,
    /// The longest run without `*` and `?` of each glob in `stars`, in the same order.
    runs: AhoCorasick,
    stars: Vec<(Vec<u8>, I)>,
    /// Globs with classes, alternatives and escapes.
    others: GlobSet,
    of_others: Vec<I>,
}

/// The globs, while they are added.
#[derive(Debug)]
pub(crate) struct HostGlobsBuilder<I> {
    ends: HashMap<Vec<u8>, I>,
    stars: Vec<(Vec<u8>, I)>,
    others: Vec<Glob>,
    of_others: Vec<I>,
}

impl<I> Default for HostGlobsBuilder<I> {
    fn default() -> Self {
        Self { ends: HashMap::new(), stars: Vec::new(), others: Vec::new(), of_others: Vec::new() }
    }
}

impl<I: Copy + Ord> HostGlobsBuilder<I> {
    /// Adds a glob whose only special characters are `*` and `?`.
    pub(crate) fn add_stars(&mut self, glob: &[u8], item: I) {
        match glob {
            [b'*', end @ ..] if end.starts_with(b".") && !end.iter().any(is_star) => {
                self.ends.insert(end.to_vec(), item);
            }
            _ => self.stars.push((glob.to_vec(), item)),
        }
    }

    /// Adds any other glob.
    pub(crate) fn add_glob(&mut self, glob: Glob, item: I) {
        self.others.push(glob);
        self.of_others.push(item);
    }

    pub(crate) fn build(self) -> Result<HostGlobs<I>, String> {
        let Self { ends, stars, others, of_others } = self;
        let runs = stars.iter().map(|(glob, _)| longest_run(glob));
        let runs = AhoCorasick::new(runs).map_err(|error| error.to_string())?;
        let mut set = GlobSetBuilder::new();
        for glob in others {
            set.add(glob);
        }
        let others = set.build().map_err(|error| error.to_string())?;
        let longest_end = ends.keys().map(Vec::len).max().unwrap_or_default();
        Ok(HostGlobs { ends, longest_end, runs, stars, others, of_others })
    }
}

impl<I: Copy + Ord> HostGlobs<I> {
    /// Returns the greatest item whose glob matches a host in lower case.
    pub(crate) fn last(&self, host: &[u8]) -> Option<I> {
        let mut last = None;
        if !self.ends.is_empty() {
            // No end is longer than `longest_end`, so earlier dots cannot match.
            let from = host.len().saturating_sub(self.longest_end);
            let dots = memchr::memchr_iter(b'.', &host[from..]);
            last = dots.filter_map(|dot| self.ends.get(&host[from + dot..])).max().copied();
        }
        if !self.stars.is_empty() {
            // Each glob is compared once, even if the host contains its run several times.
            let mut is_seen = Vec::new();
            for found in self.runs.find_overlapping_iter(host) {
                let glob = found.pattern().as_usize();
                is_seen.resize(self.stars.len(), false);
                let (text, item) = &self.stars[glob];
                if !std::mem::replace(&mut is_seen[glob], true) && Some(*item) > last && holds(text, host) {
                    last = Some(*item);
                }
            }
        }
        if !self.of_others.is_empty() {
            let others = self.others.matches_candidate(&Candidate::from_bytes(host));
            last = last.max(others.into_iter().map(|glob| self.of_others[glob]).max());
        }
        last
    }
}

fn is_star(byte: &u8) -> bool {
    matches!(byte, b'*' | b'?')
}

/// Returns the longest run without `*` and `?`. If the glob has nothing else, the run is empty, and
/// every host contains it.
fn longest_run(glob: &[u8]) -> &[u8] {
    glob.split(is_star).max_by_key(|run| run.len()).unwrap_or_default()
}

/// Returns true if a glob matches a host. In the glob, `*` matches any text and `?` any byte. Only
/// the last star backtracks, so the time is at most the product of the lengths.
fn holds(glob: &[u8], host: &[u8]) -> bool {
    let (mut at, mut from) = (0, 0);
    // The position after the last star, and the end of the text that the star matches.
    let mut star = None;
    while from < host.len() {
        match glob.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, from));
            }
            Some(&byte) if byte == b'?' || byte == host[from] => (at, from) = (at + 1, from + 1),
            _ => {
                let Some((after, end)) = star else { return false };
                star = Some((after, end + 1));
                (at, from) = (after, end + 1);
            }
        }
    }
    glob[at..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every short host and glob over a small alphabet with globset.
    #[test]
    fn stars_are_those_of_globset() {
        fn words(letters: &[u8], longest: usize) -> Vec<Vec<u8>> {
            let mut all = vec![Vec::new()];
            let mut from = 0;
            for _ in 0..longest {
                let until = all.len();
                for word in from..until {
                    all.extend(letters.iter().map(|&letter| [&all[word][..], &[letter]].concat()).collect::<Vec<_>>());
                }
                from = until;
            }
            all
        }
        let hosts = words(b"a.b", 5);
        for glob in words(b"a.*?", 4) {
            let text = std::str::from_utf8(&glob).unwrap();
            // globset interprets `**` as part of a path.
            if glob.is_empty() || text.contains("**") {
                continue;
            }
            let theirs = globset::Glob::new(text).unwrap().compile_matcher();
            let mut builder = HostGlobsBuilder::default();
            builder.add_stars(&glob, ());
            let ours = builder.build().unwrap();
            for host in &hosts {
                let is_match = theirs.is_match_candidate(&Candidate::from_bytes(host));
                assert_eq!(ours.last(host).is_some(), is_match, "{text} {}", String::from_utf8_lossy(host));
            }
        }
    }
}
