//! The readers of a report: the rules that each reader is shown, their headings, and the order of
//! the sections.
//!
//! One table decides for every format. A rule that a reader does not have is not examined, so
//! `--fail-on` ignores it.

use std::cmp::Reverse;

use urlgrep::audit::{Rule, Severity};

/// A kind of reader of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReportReader {
    /// Everybody: every rule, the worst first.
    #[default]
    All,
    /// Readers who search for attacks.
    Security,
    /// Readers who repair links.
    Links,
    /// Readers who keep an archive.
    Archive,
}

/// A section of a report for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportSection {
    /// The findings, by severity or chapter.
    Findings,
    /// The pages with the most broken links.
    BrokenPages,
    /// The hosts with the most places.
    Hosts,
    /// The URLs with the most places.
    Urls,
    /// The schemes.
    Schemes,
    /// The strictest grammars that URLs satisfy.
    Levels,
    /// How the text delimits URLs.
    Kinds,
    /// The reasons why URLs are not RFC 1738.
    Errors,
    /// Places by year, and how many URLs occur first and last in each.
    Years,
    /// The schemes by their last year.
    SchemesByLastYear,
    /// The hosts with the most places, by their last year.
    HostsByLastYear,
    /// The registrable domains with the most places, by their last year.
    DomainsByLastYear,
    /// URLs whose schemes browsers have dropped.
    LeftOvers,
}

/// A group of rules under a heading.
struct Chapter {
    heading: &'static str,
    rules: &'static [Rule],
}

/// The contents of a report for one reader.
struct Told {
    /// The chapters in the order of the report. An empty list stands for every rule, by severity.
    chapters: &'static [Chapter],
    /// Whether findings within a chapter and severity are ordered by file and offset, and not by rule.
    is_by_place: bool,
    /// The number of findings of each rule and severity that the text report shows.
    examples: usize,
    sections: &'static [ReportSection],
}

const fn chapter(heading: &'static str, rules: &'static [Rule]) -> Chapter {
    Chapter { heading, rules }
}

use ReportSection::{
    BrokenPages, DomainsByLastYear, Errors, Findings, Hosts, HostsByLastYear, Kinds, LeftOvers, Levels,
};
use ReportSection::{Schemes, SchemesByLastYear, Urls, Years};
use Rule::*;

const ALL: Told = Told {
    chapters: &[],
    is_by_place: false,
    examples: 3,
    sections: &[Findings, BrokenPages, Hosts, Urls, Schemes, Levels, Kinds, Errors],
};

const SECURITY: Told = Told {
    chapters: &[
        chapter(
            "deception",
            &[
                Anchor,
                UserinfoHost,
                UserinfoLax,
                IdnMixed,
                Idna,
                IpOdd,
                Backslash,
                Bidi,
                SchemeActive,
                Redirector,
                Diverge,
                IdnPuny,
            ],
        ),
        chapter(
            "attacks on software",
            &[
                Xproto,
                Crlf,
                Nul,
                Ctrl,
                PortReserved,
                IpLocal,
                IpOctal,
                FileRemote,
                MailRoute,
                DoubleEnc,
                EncDelim,
                Dotseg,
                MailHdr,
                Obfusc,
            ],
        ),
        chapter("secrets and tracking", &[Token, Password, Recipient]),
        chapter("hidden targets", &[Short, Tenant, IpLiteral, PortNondefault, Gateway, NestedUrl]),
    ],
    is_by_place: false,
    examples: 5,
    sections: &[Findings, Hosts],
};

const LINKS: Told = Told {
    chapters: &[
        chapter("broken", &[Broken]),
        chapter("redirected", &[Redirect]),
        chapter("doubtful", &[Hyphen, SpaceJoin, Truncated]),
        chapter("invalid", &[Invalid, DnsLen, IpRange, PortRange]),
        chapter("http instead of https", &[PlainHttp]),
    ],
    is_by_place: true,
    examples: 1000,
    sections: &[BrokenPages, Findings, Hosts],
};

const ARCHIVE: Told = Told {
    chapters: &[
        chapter("gone or moved", &[Broken, Redirect, Closed]),
        chapter("shortened", &[Short, Gateway]),
        chapter("doubtful readings", &[Hyphen, SpaceJoin, Truncated]),
    ],
    is_by_place: false,
    examples: 5,
    sections: &[Years, SchemesByLastYear, HostsByLastYear, DomainsByLastYear, LeftOvers, Findings, BrokenPages],
};

/// The schemes that browsers no longer open.
pub(super) const LEFT_OVER_SCHEMES: [&str; 4] = ["ftp", "gopher", "wais", "prospero"];

impl ReportReader {
    const fn told(self) -> &'static Told {
        match self {
            ReportReader::All => &ALL,
            ReportReader::Security => &SECURITY,
            ReportReader::Links => &LINKS,
            ReportReader::Archive => &ARCHIVE,
        }
    }

    /// Returns true if the reader is shown the findings of a rule.
    #[must_use]
    pub(crate) fn has(self, rule: Rule) -> bool {
        self == ReportReader::All || self.chapter(rule).is_some()
    }

    /// Returns the sections of a report for people, in order.
    #[must_use]
    pub(crate) fn sections(self) -> &'static [ReportSection] {
        self.told().sections
    }

    /// Returns true if a report has a section on years. Lifetimes are counted only then.
    #[must_use]
    pub(crate) fn needs_history(self) -> bool {
        self.sections().contains(&ReportSection::Years)
    }

    pub(super) fn examples(self) -> usize {
        self.told().examples
    }

    /// Returns the chapter that has a rule, with its number.
    fn chapter(self, rule: Rule) -> Option<(usize, &'static Chapter)> {
        self.told().chapters.iter().enumerate().find(|(_, chapter)| chapter.rules.contains(&rule))
    }

    /// Returns the heading for the findings of a rule and severity.
    pub(super) fn heading(self, severity: Severity, rule: Rule) -> &'static str {
        self.chapter(rule).map_or(severity.as_str(), |(_, chapter)| chapter.heading)
    }

    /// Returns true for findings that are milder than their rule and need no work by the reader.
    /// Examples are decided hyphens, and passwords that documentation has as placeholders. Reports for
    /// people only count such findings.
    pub(super) fn only_counts(self, severity: Severity, rule: Rule) -> bool {
        let mends = matches!(self, ReportReader::Links | ReportReader::Security);
        mends && severity == Severity::Info && rule.severity() > severity
    }

    /// Returns a sort key for the group of a rule's findings of one severity.
    ///
    /// The sort is by chapter, then by severity, then by rule, then by the number of places. A chapter
    /// has its own order of rules. Without chapters, the order of the specification, section 5,
    /// applies.
    pub(super) fn order(self, severity: Severity, rule: Rule, places: u64) -> impl Ord + use<> {
        let (number, rank) = match self.chapter(rule) {
            None => (0, rank(rule)),
            Some((number, chapter)) => (number, chapter.rules.iter().take_while(|&&other| other != rule).count()),
        };
        (number, Reverse(severity), rank, Reverse(places), rule)
    }

    /// Returns a sort order for single findings. Returns `None` if findings come in the order of their
    /// URLs.
    pub(super) fn order_of_findings(self) -> Option<FindingOrder> {
        (self != ReportReader::All).then_some(FindingOrder(self))
    }
}

/// Returns true for a rule whose findings are a figure about an archive rather than a fault of a
/// link.
pub(crate) fn is_figure(rule: Rule) -> bool {
    matches!(rule, Later | Case | Relative)
}

/// Returns the rank of a rule among those of one severity, in the order of the specification,
/// section 5. Rules that find misleading links come first. All others share the last rank, and are
/// ordered by their places.
pub(super) fn rank(rule: Rule) -> usize {
    const FIRST: [Rule; 10] =
        [Anchor, UserinfoHost, UserinfoLax, IdnMixed, IpOdd, SchemeActive, Token, Password, Redirector, Broken];
    FIRST.iter().position(|&first| first == rule).unwrap_or(FIRST.len())
}

/// The order of findings for a reader.
#[derive(Clone, Copy)]
pub(super) struct FindingOrder(ReportReader);

impl FindingOrder {
    /// Returns a sort key for a finding. `nth` is its number among the findings of its group with the
    /// same host. The first findings of all hosts come before the second ones. Twenty links to one host
    /// reveal little more than one link. `place` has all else in which findings differ.
    pub(super) fn key<P: Ord>(self, severity: Severity, rule: Rule, nth: u32, place: P) -> impl Ord + use<P> {
        let FindingOrder(reader) = self;
        let number = reader.chapter(rule).map_or(0, |(number, _)| number);
        // Findings of one severity are ordered either by place, or group by group.
        let group = (!self.is_by_place()).then(|| (reader.order(severity, rule, 0), nth));
        (number, Reverse(severity), group, place)
    }

    /// Returns true if findings are ordered by place, regardless of their hosts.
    pub(super) fn is_by_place(self) -> bool {
        self.0.told().is_by_place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READERS: [ReportReader; 4] =
        [ReportReader::All, ReportReader::Security, ReportReader::Links, ReportReader::Archive];

    #[test]
    fn a_reader_has_its_rules() {
        assert!(ReportReader::Links.has(Rule::Invalid) && !ReportReader::Links.has(Rule::Password));
        assert!(Rule::ALL.iter().all(|&rule| ReportReader::All.has(rule)));
    }

    #[test]
    fn no_rule_is_told_twice_and_figures_never() {
        for reader in READERS {
            let rules: Vec<Rule> = reader.told().chapters.iter().flat_map(|chapter| chapter.rules).copied().collect();
            for (at, rule) in rules.iter().enumerate() {
                assert!(!rules[..at].contains(rule) && !is_figure(*rule), "{reader:?} {rule}");
            }
        }
    }

    #[test]
    fn every_reader_has_findings_and_an_order() {
        for reader in READERS {
            assert!(reader.sections().contains(&ReportSection::Findings), "{reader:?}");
            assert!(reader.examples() > 0);
        }
        let of = |reader: ReportReader, rule: Rule| reader.order(rule.severity(), rule, 1);
        assert!(of(ReportReader::Security, Rule::Anchor) < of(ReportReader::Security, Rule::Xproto));
        assert!(of(ReportReader::All, Rule::Xproto) < of(ReportReader::All, Rule::Anchor));
        let key = |rule: Rule, place: u32| FindingOrder(ReportReader::Links).key(rule.severity(), rule, 0, place);
        assert!(key(Rule::Hyphen, 9) < key(Rule::Invalid, 1) && key(Rule::Invalid, 1) < key(Rule::DnsLen, 2));
        let order = FindingOrder(ReportReader::Archive);
        let key = |rule: Rule, nth: u32, place: u32| order.key(rule.severity(), rule, nth, place);
        assert!(key(Rule::Short, 0, 9) < key(Rule::Short, 1, 1) && key(Rule::Short, 1, 1) < key(Rule::Gateway, 0, 1));
    }
}
