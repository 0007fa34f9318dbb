//! A match that is found before the text continues is the match of the whole text, however it
//! continues (ST-5).

use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::find::lane::search::{Pause, Search, Window};
use crate::find::options::{HyphenOrder, Options, Rejoin};
use crate::find::{self, Event, EventSink, Pieces};
use crate::turns::turns;

#[path = "../../tests/screens.rs"]
mod screens;

const PIECES: &[&str] = include!("../../tests/pieces.rs");

/// Continuations of a text.
const NEXT: &[&str] = &[
    "",
    "x",
    ">",
    " ",
    "\n",
    "\n\n",
    "\n>",
    "-\nfoo",
    " \n/bar",
    "\\/",
    "&gt;",
    "gt;",
    "html\n",
    "/x_y.html?a=b\n\n",
    "/",
    "//h.example/",
    "://a.example/x ",
    "]",
    ")",
    "\"",
    "'",
    "@{",
    "\\u0026b=c ",
    "u0026b=c",
    "\n//a.example/x\n",
    "\n.SH X\n",
    "\nRe: x\nSubject: y\n\n\n",
    "<",
    "< d",
    "\n> x",
    "\u{e9}.com/",
    "ml>\nx",
    "\n\x0c\nx>",
    "=\nb=\n",
    "\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
];

/// The start of an event, and a text with its span and readings, or its refusal.
type Seen = (usize, String);

fn seen(text: &[u8], options: Options, event: Event, all: &mut Vec<Seen>) {
    match event {
        Event::Refused(at, refusal) => all.push((at, format!("{refusal:?}"))),
        Event::Found(hit) => {
            for part in std::iter::once(hit.first).chain(hit.rest) {
                let bytes = |reading: &Pieces| bstr::BString::from(&*reading.bytes(text));
                let rest = match &part.rest {
                    find::Rest::Made(made) => made.clone(),
                    find::Rest::Unmade => find::rest_of(text, &part, options),
                };
                let rest: Vec<_> = rest.iter().map(|reading| (reading.rule, bytes(&reading.pieces))).collect();
                let what = (part.start..part.end, part.kind, part.rejoined, bytes(&part.first), rest);
                all.push((part.start, format!("{what:?}")));
            }
        }
    }
}

/// Passes every event to a closure.
struct Events<F>(F);

impl<F: FnMut(Event)> EventSink for Events<F> {
    fn event(&mut self, event: Event) -> ControlFlow<()> {
        self.0(event);
        ControlFlow::Continue(())
    }
}

/// Continues a search, and returns its events.
fn search_on(search: &mut Search, options: Options, window: Window<'_>) -> Vec<Seen> {
    let mut all = Vec::new();
    loop {
        let mut events = Events(|event| seen(window.text, options, event, &mut all));
        let pause = search.run(window, usize::MAX, &mut events);
        if pause != Pause::Stopped {
            return all;
        }
    }
}

/// Searches a text that is read in pieces of `step` bytes, and continues it differently at each
/// pause. Returns the number of bytes read at each event.
fn check(text: &[u8], options: Options, step: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
    let mut search = Search::new(options, 0);
    let (mut known, mut at) = (Vec::new(), Vec::new());
    for end in (1..=text.len()).step_by(step) {
        let begun = Window { is_last: false, pause: Some(0), ..Window::all(&text[..end]) };
        known.append(&mut search_on(&mut search, options, begun));
        at.resize(known.len(), end);
        let next = match rng.usize(..2 * NEXT.len()) {
            number if number < NEXT.len() => NEXT[number].as_bytes(),
            _ => &text[end..],
        };
        let whole = [&text[..end], next].concat();
        let expected = search_on(&mut Search::new(options, 0), options, Window::all(&whole));
        let rest = search_on(&mut search.clone(), options, Window::all(&whole));
        let found = [&known[..], &rest].concat();
        assert!(
            found == expected,
            "{:?}\ngoes on with {:?}\n  {} known, found {found:#?}\n  not {expected:#?}",
            bstr::BStr::new(&text[..end]),
            bstr::BStr::new(next),
            known.len()
        );
    }
    at
}

fn options(rng: &mut fastrand::Rng) -> Options {
    Options {
        any_scheme: rng.u8(..6) == 0,
        rejoin: *rng
            .choice(&[Rejoin::Auto, Rejoin::Auto, Rejoin::Auto, Rejoin::Delimited, Rejoin::None])
            .expect("some"),
        hyphen: *rng.choice(&[HyphenOrder::Keep, HyphenOrder::Drop]).expect("some"),
        iri: rng.u8(..6) == 0,
        ..Options::default()
    }
}

#[test]
fn vectors_however_they_go_on() {
    let mut rng = fastrand::Rng::with_seed(1808);
    // The vectors are read at run time, because the package lacks them.
    let vectors = ["context.jsonl", "join.jsonl"].map(|file| {
        let path = [env!("CARGO_MANIFEST_DIR"), "tests", "vectors", file].iter().collect::<PathBuf>();
        std::fs::read_to_string(path).expect("vectors")
    });
    // All vectors, or a fifth of them.
    let step = if turns(10) == 10 { 1 } else { 5 };
    for line in vectors.iter().flat_map(|file| file.lines()).step_by(step) {
        let vector: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let text = vector["text"].as_str().expect("a text");
        check(text.as_bytes(), Options::default(), 1, &mut rng);
        let step = rng.usize(1..9);
        check(text.replace('\n', "\r\n").as_bytes(), options(&mut rng), step, &mut rng);
    }
}

#[test]
fn random_texts_however_they_go_on() {
    let mut rng = fastrand::Rng::with_seed(3986);
    let mut known = 0;
    for _ in 0..2_000 {
        let mut options = options(&mut rng);
        let text: String = match rng.u8(..4) {
            0 => {
                let (text, width) = screens::screen(&mut rng, PIECES);
                options.screen.columns = rng.bool().then_some(width);
                text.chars().take(200).collect()
            }
            _ => (0..rng.usize(1..30)).map(|_| *rng.choice(PIECES).expect("some")).collect(),
        };
        known += check(text.as_bytes(), options, 1, &mut rng).len();
    }
    assert!(known > 400, "{known}: little is known early");
}
