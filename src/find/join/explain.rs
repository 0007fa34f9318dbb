//! The reasons why lines are joined at a break, or not (`--explain`).

use super::chain::Chain;
use super::table::NoJoin;
use super::weigh::{Step, Strength};
use crate::find::text::view::View;
use crate::find::why::{ReasonKind, Ruling, words_in};

/// Notes the verdict on the first break of a URL.
pub(super) fn first(chain: &Chain<'_>, text: &View<'_>, found: &Result<Step, NoJoin>) {
    let what = |step: &Step| match step.strength() {
        Ok(Strength::Strong) => ReasonKind::Joined,
        Ok(Strength::Fair) => ReasonKind::Offered,
        Err(_) => ReasonKind::Kept,
    };
    note(chain, text, found, "", what);
}

/// Notes the verdict on a later break.
pub(super) fn later(chain: &Chain<'_>, text: &View<'_>, found: &Result<Step, NoJoin>) {
    let what = |step: &Step| match step.continues() {
        true => ReasonKind::Joined,
        false if step.may_continue() => ReasonKind::Offered,
        false => ReasonKind::Kept,
    };
    note(chain, text, found, "later/", what);
}

fn note(
    chain: &Chain<'_>,
    text: &View<'_>,
    found: &Result<Step, NoJoin>,
    context: &str,
    what: impl Fn(&Step) -> ReasonKind,
) {
    text.note(|| {
        let at = chain.end..chain.next.start;
        match found {
            Ok(step) => Ruling {
                words: words_in(context, step.rule),
                facts: step.facts.clone(),
                ..Ruling::new(what(step), step.rule, at)
            },
            Err(NoJoin::Forbidden(rule)) => Ruling::new(ReasonKind::Kept, rule, at),
            Err(NoJoin::Weak) => Ruling::new(ReasonKind::Kept, "B-JOIN-CARD", at),
        }
    });
}
