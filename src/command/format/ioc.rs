//! Indicators of compromise: the links with findings, as a table of what to search logs for, or to
//! block.
//!
//! A row is a distinct URL with a finding of low severity or worse. The columns are [`COLUMNS`], by
//! RFC 4180; a spreadsheet reads no cell as a formula. The dates are the first and the last date of
//! the messages that hold the URL. `senders` are the senders at the first 50 places of the URL.

use std::collections::HashSet;
use std::io::{self, Write};

use urlgrep::audit::Severity;
use urlgrep::report::CsvFormat;

use crate::command::model::{ReportedFinding, ReportedLink};

/// The names of the columns.
const COLUMNS: &str = "host,url,first_seen,last_seen,places,senders,rules";

/// Writes the header row and the links. If `escape` is true, texts are escaped for a terminal.
pub(crate) fn write<'r>(
    links: impl IntoIterator<Item = ReportedLink<'r>>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    escape: bool,
    mut out: impl Write,
) -> io::Result<()> {
    let is_bad = |finding: &ReportedFinding<'_>| finding.severity >= Severity::Low;
    let bad: HashSet<u64> = findings.into_iter().filter(is_bad).map(|finding| finding.link).collect();
    write!(out, "{COLUMNS}\r\n")?;
    let format = CsvFormat::new().escape(escape);
    let mut row = Vec::new();
    for (_, link) in (0..).zip(links).filter(|(at, _)| bad.contains(at)) {
        let (first_seen, last_seen) =
            link.dates.map(|(first, last)| (first.to_string(), last.to_string())).unwrap_or_default();
        let places = std::iter::once(&link.first).chain(&link.further);
        let mut senders: Vec<&str> = places.filter_map(|place| place.in_message?.from).collect();
        let mut met = HashSet::new();
        senders.retain(|sender| met.insert(*sender));
        let rules: Vec<_> = link.rules.iter().map(|rule| rule.id()).collect();
        let (count, senders, rules) = (link.count.to_string(), senders.join("; "), rules.join(" "));
        let host = link.host.as_deref().unwrap_or_default();
        let cells: [&[u8]; 7] = [
            host,
            &link.url,
            first_seen.as_bytes(),
            last_seen.as_bytes(),
            count.as_bytes(),
            senders.as_bytes(),
            rules.as_bytes(),
        ];
        row.clear();
        format.append_cells(&cells, &mut row);
        out.write_all(&row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn links_with_a_finding_and_no_others() {
        let findings = samples::findings().into_iter().zip([2, 0, 1]);
        let findings = findings.map(|(finding, link)| ReportedFinding { link, ..finding });
        let mut out = Vec::new();
        write(samples::links(), findings, false, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "host,url,first_seen,last_seen,places,senders,rules\r\n\
             a.example,http://a.example/~x,1994-01-02,1995-12-31,3,Joe <joe@a.example>,X-LATER X-BROKEN\r\n\
             日本.example,gopher://日本.example:25/0HELO%0D%0A,,,3,Joe <joe@a.example>,A-XPROTO\r\n"
        );
    }
}
