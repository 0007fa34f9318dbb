//! Whether the settings of a repository leave an audit anything to judge.
//!
//! Anybody who can change a repository can change its `.urlgrep.toml`. Without this check, one line
//! there would make `--fail-on` pass for ever.

use urlgrep::audit::Rule;

use super::plan::AuditPlan;
use crate::command::Report;

/// Returns the reason why nothing is left to judge, if the settings of the repository cause it.
///
/// A diff often adds no link, or only links that a setting excludes. So there, only a setting that
/// excludes every rule or every host counts.
pub(super) fn nothing_left(plan: &AuditPlan, report: &Report) -> Option<String> {
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
