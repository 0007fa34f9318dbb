//! Who reads a report: which rules each reader is told of, under which headings, and which sections follow which.
//!
//! One table decides for every format. What a reader has no rule for is not looked at, so `--fail-on` does not count it.

use std::cmp::Reverse;

use urlgrep::audit::{Rule, Severity};

/// Somebody who reads a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ReportReader {
    /// Everybody: every rule, the worst first.
    #[default]
    All,
    /// Who looks for attacks.
    Security,
    /// Who mends links.
    Links,
    /// Who keeps an archive.
    Archive,
}

/// A part of a report for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportSection {
    /// The findings, by severity or chapter.
    Findings,
    /// The pages with most broken links.
    BrokenPages,
    /// The hosts with most places.
    Hosts,
    /// The URLs with most places.
    Urls,
    /// The schemes.
    Schemes,
    /// The strictest grammars.
    Levels,
    /// How the text delimits URLs.
    Kinds,
    /// Why URLs are not RFC 1738.
    Errors,
    /// Places by year, and how many URLs begin and end there.
    Years,
    /// The schemes by their last year.
    SchemesByLastYear,
    /// The hosts with most places, by their last year.
    HostsByLastYear,
    /// The registrable domains with most places, by their last year.
    DomainsByLastYear,
    /// URLs of schemes that browsers have dropped.
    LeftOvers,
}

/// Some rules under a heading.
struct Chapter {
    heading: &'static str,
    rules: &'static [Rule],
}

/// What a reader is told.
struct Told {
    /// In the order of the report; none stands for every rule, by severity.
    chapters: &'static [Chapter],
    /// Within a chapter and severity, findings come by file and line, whatever their rule.
    is_by_place: bool,
    /// Findings of a rule and severity that text shows.
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
        chapter("by http alone", &[PlainHttp]),
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

/// Schemes that no browser opens any more.
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

    /// True if the reader is told of what a rule finds.
    #[must_use]
    pub(crate) fn has(self, rule: Rule) -> bool {
        self == ReportReader::All || self.chapter(rule).is_some()
    }

    /// The sections of a report for people, in their order.
    #[must_use]
    pub(crate) fn sections(self) -> &'static [ReportSection] {
        self.told().sections
    }

    /// True if a report has a section on years, which are counted only then.
    #[must_use]
    pub(crate) fn needs_history(self) -> bool {
        self.sections().contains(&ReportSection::Years)
    }

    pub(super) fn examples(self) -> usize {
        self.told().examples
    }

    /// The number of the chapter that a rule stands in, and the chapter.
    fn chapter(self, rule: Rule) -> Option<(usize, &'static Chapter)> {
        self.told().chapters.iter().enumerate().find(|(_, chapter)| chapter.rules.contains(&rule))
    }

    /// What the findings of a rule and severity stand under.
    pub(super) fn heading(self, severity: Severity, rule: Rule) -> &'static str {
        self.chapter(rule).map_or(severity.as_str(), |(_, chapter)| chapter.heading)
    }

    /// True for what is milder than its rule, and no work for a reader: hyphens that are decided, templates, placeholders. Reports
    /// for people say only how much of it there is.
    pub(super) fn only_counts(self, severity: Severity, rule: Rule) -> bool {
        let mends = matches!(self, ReportReader::Links | ReportReader::Security);
        mends && severity == Severity::Info && rule.severity() > severity
    }

    /// Before which other groups a rule's findings of one severity come. For everybody, the worst first, then by the order of
    /// the specification, section 5, then those with most places; within a chapter likewise, but in the order of its rules.
    pub(super) fn order(self, severity: Severity, rule: Rule, places: u64) -> impl Ord + use<> {
        let (number, rank) = match self.chapter(rule) {
            None => (0, rank(rule)),
            Some((number, chapter)) => (number, chapter.rules.iter().take_while(|&&other| other != rule).count()),
        };
        (number, Reverse(severity), rank, Reverse(places), rule)
    }

    /// The same for single findings, which keep their order where it is theirs. `None` where nothing comes before anything.
    pub(super) fn order_of_findings(self) -> Option<FindingOrder> {
        (self != ReportReader::All).then_some(FindingOrder(self))
    }
}

/// Returns true for a rule whose findings are a figure about an archive more than something wrong with a link.
pub(crate) fn is_figure(rule: Rule) -> bool {
    matches!(rule, Later | Case | Relative)
}

/// Returns the position of a rule among those of one severity, in the order of the specification, section 5: those that
/// lead a reader elsewhere first. All that it does not name come last, those with most places first.
pub(super) fn rank(rule: Rule) -> usize {
    const FIRST: [Rule; 10] =
        [Anchor, UserinfoHost, UserinfoLax, IdnMixed, IpOdd, SchemeActive, Token, Password, Redirector, Broken];
    FIRST.iter().position(|&first| first == rule).unwrap_or(FIRST.len())
}

/// How findings are ordered for a reader.
#[derive(Clone, Copy)]
pub(super) struct FindingOrder(ReportReader);

impl FindingOrder {
    /// Before which others a finding comes. It is the `nth` of its group that has its host: the first ones come before all
    /// second ones, for twenty links to one host say little more than one does. Those that are equal keep their order.
    pub(super) fn key<P: Ord>(self, severity: Severity, rule: Rule, nth: u32, place: P) -> impl Ord + use<P> {
        let FindingOrder(reader) = self;
        let number = reader.chapter(rule).map_or(0, |(number, _)| number);
        // The findings of a severity are one list of places, or one group after the other.
        let group = (!self.is_by_place()).then(|| (reader.order(severity, rule, 0), nth));
        (number, Reverse(severity), group, place)
    }

    /// True if hosts do not count.
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
