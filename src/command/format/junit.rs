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
        let value = escaped(&shown(configuration.to_string().as_bytes()));
        writeln!(out, "<properties><property name=\"configuration\" value=\"{value}\"/></properties>")?;
    }
    for finding in findings() {
        let (rule, place) = (finding.rule, &finding.first);
        let file = escaped(&shown(place.file));
        write!(
            out,
            "<testcase name=\"{rule} {}\" classname=\"{file}\" file=\"{file}\"",
            escaped(&shown(&finding.url))
        )?;
        if place.is_in_file() {
            write!(out, " line=\"{}\"", place.line)?;
        }
        let message = escaped(&shown(finding.message.as_bytes()));
        match fails(&finding) {
            true => writeln!(
                out,
                "><failure type=\"{rule}\" message=\"{message}\">{}: {} {}</failure></testcase>",
                finding.severity,
                escaped(rule.why()),
                escaped(rule.remedy())
            ),
            false => {
                let known = if finding.is_new == Some(false) { "known" } else { finding.severity.as_str() };
                writeln!(out, "><skipped message=\"{known}: {message}\"/></testcase>")
            }
        }?;
    }
    if tests == 0 {
        writeln!(out, "<testcase name=\"no finding\" classname=\"urlgrep audit\"/>")?;
    }
    writeln!(out, "</testsuite>\n</testsuites>")
}

/// Escapes markup, in text and in attributes. Control characters are visible already.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
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
