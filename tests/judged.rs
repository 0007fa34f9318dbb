//! The rules of an audit on places judged by hand: `tests/audit/judged.jsonl`, modelled on the
//! contents of archives.
//!
//! A line has a rule, a text, and whether a finding there deserves a line of a report. A text that
//! begins with a header is a message. The findings of a link checker are not included.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::Deserialize;
use urlgrep::archive::Container;
use urlgrep::audit::{self, Rule, RuleOptions};
use urlgrep::{Extractor, Match, Sink};

#[derive(Deserialize)]
struct Judged {
    rule: String,
    fires: bool,
    text: String,
}

/// The rules that fire on any match.
#[derive(Default)]
struct Fired(Vec<Rule>);

impl Sink for Fired {
    fn add(&mut self, found: &Match<'_>) {
        self.0.extend(audit::findings(found, RuleOptions::new()).map(|finding| finding.rule));
    }
}

fn fired(text: &str) -> Vec<Rule> {
    let mut all = Fired::default();
    let is_message = ["Content-Type: ", "Subject: ", "List-"].iter().any(|start| text.starts_with(start));
    if !is_message {
        Extractor::new().find_iter(text).for_each(|found| all.add(&found));
        return all.0;
    }
    let deliver = |batch: Fired| {
        all.0.extend(batch.0);
        Ok(ControlFlow::Continue(()))
    };
    let message = Container::Message;
    Extractor::new().documents(text.as_bytes(), message, 0..u64::MAX, Fired::default, deliver).unwrap();
    all.0
}

#[test]
fn rules_say_what_was_judged() {
    let mut wrong = Vec::new();
    let mut places: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for line in include_str!("audit/judged.jsonl").lines() {
        let Judged { rule, fires, text } = serde_json::from_str(line).unwrap();
        let rule = Rule::from_id(&rule).unwrap();
        places.entry(rule.id()).or_default()[usize::from(fires)] += 1;
        if fired(&text).contains(&rule) != fires {
            wrong.push(format!("{rule} {} {text:?}", if fires { "misses" } else { "fires on" }));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    for rule in Rule::ALL.iter().filter(|rule| !matches!(rule, Rule::Broken | Rule::Redirect | Rule::PlainHttp)) {
        let [silent, fires] = places[rule.id()];
        assert!(silent > 0 && fires > 0 && silent + fires >= 10, "{rule} has {fires} and {silent}");
    }
}
