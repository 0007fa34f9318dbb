//! The decisions that led to a match. A search notes them only for `--explain`.
//!
//! A [`View`](super::text::view::View) may hold a [`Trace`]. The rules then note each decision
//! there, with its place in the text that they read. A layer maps the places back to its source,
//! as it does with the match.
//!
//! # Example
//!
//! `see http://a.example/b⏎c.html now` has a break after `b`. It is noted with the facts of the
//! card, and so is the reading that ends there.

use std::cell::RefCell;
use std::ops::Range;

use crate::bytes::logical::Logical;

/// A decision that led to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ruling {
    pub(crate) what: ReasonKind,
    /// The id of the rule in the specification.
    pub(crate) rule: &'static str,
    /// The words of the rule.
    pub(crate) words: &'static str,
    /// The place in the text.
    pub(crate) at: Range<usize>,
    /// The facts that the card summed, with their weights.
    pub(crate) facts: Vec<(&'static str, i32)>,
}

/// The kind of a decision that led to a match.
///
/// ```
/// use urlgrep::{Extractor, ReasonKind};
///
/// let found = Extractor::new().find("see http://a.example/b.").unwrap();
/// let kinds: Vec<ReasonKind> = found.explain().iter().map(|reason| reason.kind()).collect();
/// assert_eq!(kinds, [ReasonKind::Form, ReasonKind::End]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReasonKind {
    /// The form of the URL begins here.
    Form,
    /// The text was read as a layer shows it: without an escape, a frame or the prefix of a line.
    Layer,
    /// Lines were joined at a break, in the first reading.
    Joined,
    /// Lines were joined at a break, in another reading.
    Offered,
    /// Lines were not joined at a break.
    Kept,
    /// The first reading ends here.
    End,
    /// Another reading was made.
    Reading,
}

impl ReasonKind {
    /// Every kind.
    pub const ALL: [ReasonKind; 7] = [
        ReasonKind::Form,
        ReasonKind::Layer,
        ReasonKind::Joined,
        ReasonKind::Offered,
        ReasonKind::Kept,
        ReasonKind::End,
        ReasonKind::Reading,
    ];

    /// Returns the name that reports use: `form`, `layer`, `joined`, `offered`, `kept`, `end`,
    /// `reading`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ReasonKind::Form => "form",
            ReasonKind::Layer => "layer",
            ReasonKind::Joined => "joined",
            ReasonKind::Offered => "offered",
            ReasonKind::Kept => "kept",
            ReasonKind::End => "end",
            ReasonKind::Reading => "reading",
        }
    }
}

crate::bytes::display::display!(ReasonKind, as_str);

impl Ruling {
    pub(crate) fn new(what: ReasonKind, rule: &'static str, at: Range<usize>) -> Ruling {
        Ruling { what, rule, words: words_of(rule), at, facts: Vec::new() }
    }
}

/// The reasons noted so far.
#[derive(Debug, Default)]
pub(crate) struct Trace(RefCell<Vec<Ruling>>);

impl Trace {
    pub(crate) fn note(&self, reason: Ruling) {
        self.0.borrow_mut().push(reason);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Maps the reasons from the `first` on to the source of a layer.
    pub(crate) fn map_back(&self, first: usize, layer: &Logical) {
        for reason in &mut self.0.borrow_mut()[first..] {
            reason.at = layer.source(reason.at.clone());
        }
    }

    pub(crate) fn into_reasons(self) -> Vec<Ruling> {
        self.0.into_inner()
    }
}

/// The words of the rules and facts.
const WORDS: &str = include_str!("why.txt");

/// Returns the words of a rule or a fact.
pub(crate) fn words_of(rule: &str) -> &'static str {
    words_in("", rule)
}

/// Returns the words that a rule has in a context: `reading/`, `later/` or `end/`. Without such
/// words, returns those of the rule.
pub(crate) fn words_in(context: &str, rule: &str) -> &'static str {
    let has_id = |ids: &str| ids.strip_prefix(context).is_some_and(|ids| ids.split(',').any(|id| id == rule));
    let line = WORDS.lines().find_map(|line| line.split_once(' ').filter(|(ids, _)| has_id(ids)));
    match line {
        Some((_, words)) => words,
        None if context.is_empty() => "",
        None => words_of(rule),
    }
}
