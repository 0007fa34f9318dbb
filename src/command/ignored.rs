//! Findings that a repository ignores: a glob of the URL, an optional glob of the rule, and the
//! reason.

use globset::{Candidate, GlobBuilder, GlobMatcher};
use urlgrep::audit::Rule;

/// A pattern, and the reason why its matches are not findings.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    url: GlobMatcher,
    rule: Option<GlobMatcher>,
    pub(super) reason: String,
}

impl Ignored {
    /// Reads the globs, in which `*` stands for any text.
    ///
    /// # Errors
    ///
    /// Fails if a glob is invalid, or if the glob of rules matches no rule.
    pub(crate) fn new(url: &str, rule: Option<&str>, reason: String) -> Result<Ignored, String> {
        let refused = |error: &dyn std::fmt::Display| format!("[[ignore]] of {url}: {error}");
        let glob = |text: &str, is_rule| {
            let glob = GlobBuilder::new(text).case_insensitive(is_rule).backslash_escape(true).build();
            glob.map(|glob| glob.compile_matcher()).map_err(|error| refused(&error))
        };
        let matcher = rule.map(|rule| glob(rule, true)).transpose()?;
        // A misspelt rule would otherwise ignore nothing, and nobody would notice.
        if let Some(matcher) = &matcher
            && !Rule::ALL.iter().any(|rule| matcher.is_match(rule.id()))
        {
            let rule = rule.unwrap_or_default();
            return Err(refused(&format!("there is no rule {rule}; urlgrep audit --rules lists them")));
        }
        Ok(Ignored { url: glob(url, false)?, rule: matcher, reason })
    }

    /// Returns whether this pattern ignores a finding.
    pub(super) fn fits(&self, url: &[u8], rule: Rule) -> bool {
        self.rule.as_ref().is_none_or(|matcher| matcher.is_match(rule.id())) && self.has(url)
    }

    /// Returns whether this pattern ignores every finding against a URL.
    pub(super) fn fits_all(&self, url: &[u8]) -> bool {
        self.rule.is_none() && self.has(url)
    }

    fn has(&self, url: &[u8]) -> bool {
        self.url.is_match_candidate(&Candidate::from_bytes(url))
    }
}
