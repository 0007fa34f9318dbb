//! JUnit XML, which build servers show as tests: a `testcase` for each finding, in one `testsuite`.
//!
//! A finding fails if it is at least as severe as the given limit, and not in an earlier report.
//! Any other finding is `skipped`. A report without findings has one test that passes, since
//! servers treat an empty suite as an error.

use std::io::{self, Write};

use urlgrep::audit::Severity;

use super::show::shown;
use crate::command::model::{Configuration, ReportedFinding};

/// Writes the document. Findings at least as severe as `least` fail. They are counted first, so
/// `findings` is called twice. A property names the settings of the repository.
pub(crate) fn write<'r, I>(
    configuration: Option<&Configuration>,
    findings: impl Fn() -> I,
    least: Severity,
    mut out: impl Write,
) -> io::Result<()>
where
    I: IntoIterator<Item = ReportedFinding<'r>>,
{
    let fails = |finding: &ReportedFinding<'_>| finding.is_new != Some(false) && finding.severity >= least;
    let (mut tests, mut failures) = (0, 0);
    for finding in findings() {
        tests += 1;
        failures += u64::from(fails(&finding));
    }
    let skipped = tests - failures;
    // A report without findings has one test, which passes.
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", tests.max(1));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites>\n<testsuite name=\"urlgrep audit\" {counts}>")?;
    if let Some(configuration) = configuration {
        let value = escaped(configuration.to_string().as_bytes());
        writeln!(out, "<properties><property name=\"configuration\" value=\"{value}\"/></properties>")?;
    }
    for finding in findings() {
        test_case(&finding, fails(&finding), &mut out)?;
    }
    if tests == 0 {
        writeln!(out, "<testcase name=\"no finding\" classname=\"urlgrep audit\"/>")?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Writes a finding as a test.
fn test_case(finding: &ReportedFinding<'_>, fails: bool, out: &mut impl Write) -> io::Result<()> {
    let ReportedFinding { rule, severity, first: place, .. } = finding;
    let [url, file, message] = [&finding.url[..], place.file, finding.message.as_bytes()].map(escaped);
    write!(out, "<testcase name=\"{rule} {url}\" classname=\"{file}\" file=\"{file}\"")?;
    if place.is_in_file() {
        write!(out, " line=\"{}\"", place.line)?;
    }
    if fails {
        write!(out, "><failure type=\"{rule}\" message=\"{message}\">{severity}: ")?;
        let [why, remedy] = [rule.why(), rule.remedy()].map(|text| escaped(text.as_bytes()));
        writeln!(out, "{why} {remedy}</failure></testcase>")
    } else {
        let known = if finding.is_new == Some(false) { "known" } else { severity.as_str() };
        writeln!(out, "><skipped message=\"{known}: {message}\"/></testcase>")
    }
}

/// Escapes control characters as the report shows them, and markup, in text and in attributes.
fn escaped(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for character in shown(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML 1.0 does not allow these two characters, not even escaped.
            '\u{FFFE}' => out.push_str("\\u{fffe}"),
            '\u{FFFF}' => out.push_str("\\u{ffff}"),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn document(findings: impl Fn() -> Vec<ReportedFinding<'static>>) -> String {
        let mut out = Vec::new();
        write(None, findings, Severity::Low, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_test_for_each_finding() {
        let text = document(samples::findings);
        assert!(text.contains("tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"1\""), "{text}");
        assert!(text.contains("<testcase name=\"X-BROKEN http://a.example/~x\" classname=\"my talk.mbox\" file=\"my talk.mbox\"><failure type=\"X-BROKEN\" message=\"404 Not Found\">medium: "), "{text}");
        assert!(text.contains("line=\"12\"><skipped message=\"info: "), "{text}");
    }

    #[test]
    fn a_known_finding_does_not_fail() {
        let known = || vec![ReportedFinding { is_new: Some(false), ..samples::findings().swap_remove(0) }];
        let text = document(known);
        assert!(text.contains("failures=\"0\"") && text.contains("<skipped message=\"known: "), "{text}");
    }

    #[test]
    fn a_report_without_a_finding_is_a_test() {
        let text = document(Vec::new);
        assert!(text.contains("tests=\"1\" failures=\"0\"") && text.contains("name=\"no finding\""), "{text}");
    }

    #[test]
    fn text_of_the_archive_makes_no_markup() {
        let hostile = samples::hostile();
        let mut out = Vec::new();
        write(None, || [hostile.finding()], Severity::Low, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        samples::assert_no_control(&text.replace('\n', ""));
        assert_eq!(text.matches('<').count(), 9, "{text}");
        assert_eq!(text.matches("</").count(), 4, "{text}");
    }
}
