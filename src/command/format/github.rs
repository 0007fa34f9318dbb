//! Annotations of GitHub Actions: a workflow command for each finding. The command shows the
//! finding at its line in the pull request.
//!
//! | severity | command |
//! |---|---|
//! | critical, high | `error` |
//! | medium | `warning` |
//! | low, info | `notice` |
//!
//! GitHub shows the first ten of each command. If there is an earlier report, only new findings are
//! written. The command for a place in an unpacked text has no line: its lines are not the file's
//! lines.

use std::io::{self, Write};

use urlgrep::audit::Severity;

use super::show::shown;
use crate::command::model::{Configuration, ReportedFinding};
use crate::command::sources::Sources;

/// Writes a line for each finding, except those that an earlier report has. A notice names the
/// settings of the repository.
pub(crate) fn write<'r>(
    configuration: Option<&Configuration>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    mut sources: Sources,
    mut out: impl Write,
) -> io::Result<()> {
    if let Some(configuration) = configuration {
        let text = format!("the audit applies {configuration}");
        writeln!(out, "::notice title=urlgrep audit::{}", escape_data(&shown(text.as_bytes())))?;
    }
    for finding in findings.into_iter().filter(|finding| finding.is_new != Some(false)) {
        let place = &finding.first;
        let file = escape_property(&shown(sources.relative(place.file)));
        write!(out, "::{} file={file}", command(finding.severity))?;
        if place.is_in_file() {
            write!(out, ",line={}", place.line)?;
            if let Some(columns) = sources.columns(place) {
                write!(out, ",col={}", columns.start)?;
            }
        }
        let text = format!("{}: {}. {}", shown(&finding.url), finding.message, finding.rule.remedy());
        writeln!(out, ",title={}::{}", finding.rule, escape_data(&shown(text.as_bytes())))?;
    }
    Ok(())
}

const fn command(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    }
}

/// Escapes the characters that would end a command's line, and the `%` of escapes. Other control
/// characters are visible already.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the characters of [`escape_data`], and those that would end a property.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use urlgrep::audit::Rule;

    use super::super::samples;
    use super::*;

    fn lines<'r>(findings: impl IntoIterator<Item = ReportedFinding<'r>>) -> String {
        let mut out = Vec::new();
        write(None, findings, Sources::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_for_each_finding() {
        let text = lines(samples::findings());
        let starts: Vec<_> = text.lines().map(|line| line.split("::").nth(1).unwrap()).collect();
        assert_eq!(
            starts,
            [
                "error file=talk.mbox,line=12,title=A-XPROTO",
                "warning file=my talk.mbox,title=X-BROKEN",
                "notice file=talk.mbox,line=12,title=X-LATER"
            ]
        );
        assert!(text.contains("::gopher://b.example:25/0HELO%250D%250A: %250D%250A at 26, and port 25. "), "{text}");
    }

    #[test]
    fn known_findings_are_left_out() {
        let known = ReportedFinding { is_new: Some(false), ..samples::finding(Rule::Crlf, "http://h/", "x") };
        let new = ReportedFinding { is_new: Some(true), ..samples::finding(Rule::Nul, "http://h/", "x") };
        assert_eq!(lines([known, new]).lines().count(), 1);
    }

    #[test]
    fn no_text_begins_a_command() {
        let text = lines([samples::hostile().finding()]);
        assert_eq!(text.lines().count(), 1);
        samples::assert_no_control(text.trim_end_matches('\n'));
        let (properties, _) = text[2..].split_once("::").unwrap();
        let names: Vec<_> =
            properties.split(',').filter_map(|field| field.split_once('=')).map(|(name, _)| name).collect();
        assert_eq!(names, ["warning file", "line", "title"]);
    }
}
