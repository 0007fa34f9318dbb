//! The ledger after all input is read. Each doubtful URL has a preferred reading, and equal URLs
//! are grouped. A reading works if a link checker reports a working page for it.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use hashbrown::{HashMap, HashSet};
use urlgrep::audit::{self, Finding, Inspected, Rule, RuleOptions, Severity};
use urlgrep::url::{self, ParseOptions, Verdict};

use super::ledger::{Ledger, Preference, UrlId};

#[derive(Debug)]
pub(super) struct SettledLedger {
    pub(super) ledger: Ledger,
    rules: RuleOptions,
    /// The preference for each doubtful URL.
    preferences: HashMap<UrlId, Preference>,
    /// The first entry of each distinct URL.
    pub(super) links: Vec<UrlId>,
    /// The entries of URLs that are written in more than one way, by their lead.
    groups: HashMap<UrlId, Vec<UrlId>>,
}

impl SettledLedger {
    pub(super) fn new(mut ledger: Ledger, rules: RuleOptions) -> SettledLedger {
        let preferences = ledger.settle();
        let mut groups: HashMap<UrlId, Vec<UrlId>> = HashMap::new();
        for id in ledger.urls.ids() {
            if let Some(lead) = ledger.urls[id].lead.filter(|&lead| lead != id) {
                groups.entry(lead).or_insert_with(|| vec![lead]).push(id);
            }
        }
        // A doubtful URL may come before its lead, and `first` returns the first member.
        groups.values_mut().for_each(|members| members.sort_unstable());
        let mut settled = SettledLedger { ledger, rules, preferences, links: Vec::new(), groups };
        settled.links = settled.ledger.urls.ids().filter(|id| settled.first(*id) == *id).collect();
        settled
    }

    /// Returns the entries of the URL of an entry, including that entry.
    pub(super) fn members<'m>(&'m self, id: &'m UrlId) -> &'m [UrlId] {
        let group = self.ledger.urls[*id].lead.and_then(|lead| self.groups.get(&lead));
        group.map_or(std::slice::from_ref(id), Vec::as_slice)
    }

    /// Returns the first entry of the URL of an entry.
    pub(super) fn first(&self, id: UrlId) -> UrlId {
        self.members(&id)[0]
    }

    /// Returns the number of places of the URL in all its spellings.
    pub(super) fn count(&self, id: UrlId) -> u64 {
        self.members(&id).iter().map(|&member| self.ledger.urls[member].count).sum()
    }

    /// Returns true if every place of the URL shows only its beginning.
    pub(super) fn is_truncated(&self, id: UrlId) -> bool {
        self.members(&id).iter().all(|&member| {
            let places = self.ledger.places.of_rule(member, Rule::Truncated);
            places.is_some_and(|places| places.count == self.ledger.urls[member].count)
        })
    }

    /// Returns the URL of an entry. For a doubtful URL it is the preferred reading.
    pub(super) fn url(&self, id: UrlId) -> &BStr {
        let readings = self.ledger.urls.readings(id);
        match self.preferences.get(&id) {
            None => readings.text(),
            Some(preference) => readings.get(preference.reading),
        }
    }

    pub(super) fn verdict(&self, url: &[u8]) -> Verdict {
        url::judge(url, ParseOptions::new().other_literal(self.rules.has_other_literal()))
    }

    /// Returns the URL of an entry, inspected for the rules.
    pub(super) fn inspected(&self, id: UrlId) -> Inspected<'_> {
        Inspected::quiet(self.url(id), self.rules)
    }

    pub(super) fn host(&self, id: UrlId) -> Option<Cow<'_, [u8]>> {
        let options = ParseOptions::new().other_literal(self.rules.has_other_literal());
        url::host_with(self.url(id), options).filter(|host| !host.is_empty())
    }

    /// Returns the findings about the URL's bytes, with the severities that these alone have.
    pub(super) fn of_url(&self, id: UrlId) -> Vec<Finding> {
        let mut findings = audit::findings_of_url(self.url(id), self.rules);
        findings.retain(|finding| !self.is_excused(id, finding.rule));
        findings
    }

    /// Returns the rules that fire on the URL's bytes, with the severity at the worst of its places.
    pub(super) fn fired<'i>(
        &'i self,
        id: UrlId,
        url: &'i Inspected<'_>,
    ) -> impl Iterator<Item = (Rule, Severity)> + 'i {
        let fired = url.fired().filter(move |(rule, _)| !self.is_excused(id, *rule));
        fired.map(move |(rule, severity)| match self.ledger.places.that_worsen(id, rule) {
            Some(_) => (rule, rule.worse(severity)),
            None => (rule, severity),
        })
    }

    /// Returns true if the rule fires on the URL's bytes.
    pub(super) fn fires_on_url(&self, id: UrlId, rule: Rule) -> bool {
        self.inspected(id).fired().any(|(fired, _)| fired == rule)
    }

    /// Returns true if the places of a URL excuse it from a rule.
    fn is_excused(&self, id: UrlId, rule: Rule) -> bool {
        let excuses = self.ledger.places.excuses(id, rule);
        match rule {
            // No script runs in a picture, but elsewhere the same URL runs its script.
            Rule::SchemeActive => excuses > 0 && excuses >= self.ledger.urls[id].count,
            // One place suffices: a link of a list's header is copied into pages and footers.
            _ => excuses > 0,
        }
    }

    /// Returns the severity of a rule that fires on a place, or of a link checker's rule.
    ///
    /// Returns `None` for a hyphen that was never in doubt, since no other reading is a URL. Also
    /// returns `None` if only the next line is in doubt, and nothing contradicts the text's own
    /// reading.
    pub(super) fn severity_of_place(&self, id: UrlId, rule: Rule) -> Option<Severity> {
        if rule != Rule::Hyphen {
            return Some(rule.severity());
        }
        let (first, others) = self.hyphen_readings(id);
        let severity = match audit::hyphen_finding(first, others) {
            Some(finding) => finding.severity,
            None => self.contrary(id).map(|_| rule.severity())?,
        };
        Some(if self.is_decided(id) { Severity::Info } else { severity })
    }

    /// Returns the reading that contradicts the preferred reading, for a URL that may continue on the
    /// next line.
    ///
    /// This is the text's own reading, if the rest of the archive or a link checker prefers another
    /// reading. Otherwise it is a reading that works, if a link checker reports that the preferred
    /// reading does not.
    fn contrary(&self, id: UrlId) -> Option<&BStr> {
        let preference = self.preferences.get(&id)?;
        let mut readings = self.ledger.urls.readings(id).iter();
        if preference.reading > 0 {
            return readings.next();
        }
        let answers = |url: &BStr| self.ledger.status(url).is_some_and(|status| status.answers());
        if self.ledger.status(self.url(id)).is_none_or(|status| status.answers()) {
            return None;
        }
        readings.find(|reading| answers(reading))
    }

    /// Returns the readings of doubtful URLs that a link checker could decide about, each once.
    /// Readings that the archive has as URLs anyway are excluded. So are all readings of a URL that a
    /// link checker or the archive has decided.
    pub(super) fn undecided_readings(&self) -> Vec<&BStr> {
        let mut doubtful: Vec<UrlId> = self.preferences.keys().copied().collect();
        doubtful.sort_unstable();
        let mut known: HashSet<Vec<u8>> =
            doubtful.iter().map(|&id| url::equality_key(self.url(id)).into_owned()).collect();
        doubtful.retain(|&id| !self.is_decided(id));
        let all = doubtful.iter().flat_map(|&id| {
            let readings = self.ledger.urls.readings(id);
            readings.iter().filter(move |reading| !readings.has_longer(reading))
        });
        all.filter(|reading| !self.ledger.holds(reading) && known.insert(url::equality_key(reading).into_owned()))
            .collect()
    }

    /// Returns the message of a finding at a place.
    pub(super) fn message_of_place(&self, id: UrlId, rule: Rule) -> String {
        match rule {
            Rule::Hyphen => {
                let (first, others) = self.hyphen_readings(id);
                let message = match audit::hyphen_finding(first, others) {
                    Some(finding) => finding.message,
                    None => {
                        let other = self.contrary(id).unwrap_or_default();
                        format!("may also be `{}`", audit::hyphen_excerpt(first, other))
                    }
                };
                let evidence = self.preferences.get(&id).and_then(|preference| self.evidence(id, preference));
                let evidence = evidence.as_deref().unwrap_or("no reading occurs unbroken elsewhere");
                format!("{message}; {evidence}{}", self.answers(id))
            }
            Rule::Anchor => {
                let shown = self.ledger.places.of_rule(id, rule).map_or(&b""[..], |places| &places.shown_host);
                let finding = audit::anchor_finding(self.url(id), &shown.to_str_lossy());
                finding.map(|finding| finding.message).unwrap_or_default()
            }
            Rule::Bidi | Rule::BidiNear => {
                let unseen = self.ledger.places.of_rule(id, rule).map_or(&b""[..], |places| &places.unseen);
                unseen.to_str_lossy().into_owned()
            }
            Rule::Broken | Rule::Redirect => {
                self.ledger.status(self.url(id)).map(|status| status.message()).unwrap_or_default()
            }
            _ => rule.fires_when().to_owned(),
        }
    }

    /// Returns true if there is nothing left to check. Either the preferred reading works, or it is the
    /// first reading, and only that reading occurs unbroken elsewhere.
    fn is_decided(&self, id: UrlId) -> bool {
        let Some(Preference { reading, elsewhere }) = self.preferences.get(&id) else { return false };
        let others = || elsewhere.iter().enumerate().filter(|(at, _)| at != reading).map(|(_, &times)| times);
        let is_first_alone =
            *reading == 0 && elsewhere.first().is_some_and(|&times| times > 0) && others().all(|times| times == 0);
        is_first_alone || self.ledger.status(self.url(id)).is_some_and(|status| status.answers())
    }

    /// Returns the preferred reading of a doubtful URL, and the others.
    fn hyphen_readings(&self, id: UrlId) -> (&BStr, impl Iterator<Item = Cow<'_, BStr>>) {
        let first = self.url(id);
        let others = self.ledger.urls.readings(id).iter().filter(move |reading| *reading != first);
        (first, others.map(Cow::Borrowed))
    }

    /// Returns the results of a link checker for the readings, as the end of a message.
    fn answers(&self, id: UrlId) -> String {
        let mut answers = String::new();
        for reading in self.ledger.urls.readings(id).iter() {
            if let Some(status) = self.ledger.status(reading) {
                let which = match reading == self.url(id) {
                    true => "this reading".to_owned(),
                    false => format!("`{}`", audit::hyphen_excerpt(self.url(id), reading)),
                };
                answers += &format!("; a link checker reports for {which}: {status}");
            }
        }
        answers
    }

    /// Returns in words how often the preferred reading occurs unbroken elsewhere, and how often other
    /// readings do. Returns `None` if the preferred reading never does.
    fn evidence(&self, id: UrlId, preference: &Preference) -> Option<String> {
        let times = |times: u32| if times == 1 { "once".to_owned() } else { format!("{times} times") };
        let preferred = *preference.elsewhere.get(preference.reading)?;
        let mut evidence = format!("this reading occurs unbroken elsewhere {}", times(preferred));
        let readings = self.ledger.urls.readings(id).iter().zip(&preference.elsewhere);
        for (index, (reading, &elsewhere)) in readings.enumerate() {
            if index != preference.reading && elsewhere > 0 {
                let excerpt = audit::hyphen_excerpt(self.url(id), reading);
                evidence += &format!(", `{excerpt}` {}", times(elsewhere));
            }
        }
        (preferred > 0).then_some(evidence)
    }
}
