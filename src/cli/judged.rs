//! Why `--fail-on` fails an audit: severe findings, or settings of the repository that leave
//! nothing to judge.
//!
//! Anybody who can change a repository can change its `.urlgrep.toml`. Without this check, one line
//! there would make `--fail-on` pass for ever.

use std::cmp::Reverse;

use urlgrep::audit::{Rule, Severity};

use super::plan::AuditPlan;
use crate::command::Report;
use crate::command::model::Failures;

/// Returns why the audit fails, or `None` if it passes.
pub(super) fn failure(plan: &AuditPlan, report: &Report, least: Severity) -> Option<String> {
    nothing_left(plan, report).or_else(|| severe(&report.failures(least), least))
}

/// Returns the line on the severe findings, with the rules of the worst first.
fn severe(Failures { count, rules, known, has_baseline }: &Failures, least: Severity) -> Option<String> {
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|&(_, severity)| Reverse(severity));
    let rules: Vec<_> = rules.into_iter().map(|(rule, _)| rule.id()).collect();
    let new = if *has_baseline { "new " } else { "" };
    let plural = if *count == 1 { "" } else { "s" };
    let worse = if least == Severity::Critical { "" } else { " or above" };
    let known = if *known == 0 { String::new() } else { format!("; {known} known") };
    (*count > 0).then(|| format!("{count} {new}finding{plural} at {least}{worse}: {}{known}", rules.join(", ")))
}

/// Returns the reason why nothing is left to judge, if the settings of the repository cause it.
///
/// A diff often adds no link, or only links that a setting excludes. So there, only a setting that
/// excludes every rule or every host counts.
fn nothing_left(plan: &AuditPlan, report: &Report) -> Option<String> {
    let project = &plan.project;
    let summary = report.summary();
    let filter = &plan.search.filter;
    let is_diff = plan.args.diff;
    let why = if project.sets(&["allow", "deny", "for"]) && plan.report.disabled.len() == Rule::ALL.len() {
        "no rule is left"
    } else if project.sets(&["host"]) && filter.refuses_every_host() {
        "no host is left"
    } else if is_diff {
        return None;
    } else if summary.files == 0 && project.sets(&["glob", "iglob", "max-depth", "type", "type-not"]) {
        "no file is left"
    } else if summary.occurrences == 0 && filter.has_excluded() && project.sets(&["host", "kind", "scheme"]) {
        "no URL is left"
    } else if report.ignores_all() {
        "every URL is ignored"
    } else {
        return None;
    };
    let configuration = plan.report.configuration.as_ref()?;
    Some(format!("{why}, so --fail-on judges nothing; the settings are {configuration}; --no-config ignores them"))
}
