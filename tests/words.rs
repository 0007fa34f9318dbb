//! The mechanical part of the house's English, in the comments of every source: how sentences and
//! the docs of functions begin, how long a sentence is, and how wide a line.

use std::fs;
use std::path::{Path, PathBuf};

const WORDS: usize = 20;
const COLUMNS: usize = 100;
/// Words that put the subject off.
const LATE: [&str; 9] = ["Of", "What", "Whatever", "Where", "Wherever", "Who", "Whoever", "Whose", "The same"];

/// Words in -s that begin a doc but are not its verb.
const NO_VERBS: [&str; 6] = ["As", "Does", "Has", "Is", "This", "Was"];

/// Adjacent comment lines of one kind: `//`, `///` or `//!`.
struct Comment<'t> {
    mark: &'t str,
    /// The line of the first, from 1.
    line: usize,
    lines: Vec<&'t str>,
    /// The line of code below, attributes left out.
    below: &'t str,
    /// The code below is a test, whose doc says what holds.
    is_of_test: bool,
}

fn comments(text: &str) -> Vec<Comment<'_>> {
    let mut all: Vec<Comment<'_>> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let mark = ["///", "//!", "//"].into_iter().find(|mark| code.starts_with(mark));
        let Some(mark) = mark else {
            is_open = false;
            if let Some(last) = all.last_mut().filter(|last| last.below.is_empty()) {
                match code {
                    "#[test]" => last.is_of_test = true,
                    _ if code.is_empty() || code.starts_with("#[") => {}
                    _ => last.below = code,
                }
            }
            continue;
        };
        if !is_open || all.last().is_some_and(|last| last.mark != mark) {
            all.push(Comment { mark, line: number + 1, lines: Vec::new(), below: "", is_of_test: false });
            is_open = true;
        }
        if let Some(comment) = all.last_mut() {
            comment.lines.push(code[mark.len()..].trim());
        }
    }
    all
}

impl Comment<'_> {
    /// Returns its paragraphs and items of lists, without examples, tables and titles.
    fn paragraphs(&self) -> Vec<String> {
        let (mut paragraphs, mut is_example, mut goes_on) = (Vec::<String>::new(), false, false);
        for line in &self.lines {
            let is_fence = line.starts_with("```");
            is_example ^= is_fence;
            if is_fence || is_example || line.is_empty() || line.starts_with(['#', '|', '<']) {
                goes_on = false;
            } else if let Some(last) = paragraphs.last_mut().filter(|_| goes_on && !line.starts_with("- ")) {
                *last = format!("{last} {line}");
            } else {
                paragraphs.push((*line).into());
                goes_on = true;
            }
        }
        paragraphs
    }

    fn is_of_function(&self) -> bool {
        let word = |word: &&str| !word.starts_with("pub") && !["const", "async", "unsafe"].contains(word);
        self.mark == "///" && !self.is_of_test && self.below.split_whitespace().find(word) == Some("fn")
    }
}

/// Returns the sentences of a paragraph. A code span is one word, and a citation in parentheses none.
fn sentences(paragraph: &str) -> Vec<String> {
    let spans = paragraph.split('`').enumerate().map(|(number, piece)| if number % 2 == 1 { "`c`" } else { piece });
    let mut text: String = spans.collect();
    let is_citation = |inside: &str| {
        let is_id = |word: &str| word.split_once('-').is_some_and(|(area, _)| (1..=2).contains(&area.len()));
        inside.contains("RFC") || inside.contains("section") || inside.split([' ', ',', '[']).any(is_id)
    };
    let mut from = 0;
    while let Some(open) = text[from..].find(" (").map(|at| from + at) {
        from = open + 2;
        let Some(close) = text[open..].find(')').map(|at| open + at) else { break };
        if is_citation(&text[open + 2..close]) {
            text.replace_range(open..=close, "");
            from = open;
        }
    }
    let mut all = vec![String::new()];
    for word in text.split_whitespace() {
        let last = all.last().map_or("", String::as_str);
        let is_over = last.trim_end_matches(['"', '”', ')']).ends_with(['.', '!', '?', ':', ';']);
        if is_over && word.starts_with(|first: char| first.is_uppercase() || "`[(\"“".contains(first)) {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut() {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    all
}

/// Returns what is wrong with a sentence.
fn faults(sentence: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let count = sentence.split(' ').filter(|word| *word != "-").count();
    if count > WORDS {
        faults.push(format!("{count} words"));
    }
    if let Some(late) = LATE.iter().find(|late| sentence == **late || sentence.starts_with(&format!("{late} "))) {
        faults.push(format!("begins with {late:?}"));
    }
    faults
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        match path.extension() {
            _ if path.ends_with("target") => {}
            _ if path.is_dir() => sources(&path, all),
            Some(extension) if extension == "rs" => all.push(path),
            _ => {}
        }
    }
}

fn all_faults(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for comment in comments(text) {
        let line = comment.line;
        let paragraphs = comment.paragraphs();
        let sentences = paragraphs.iter().flat_map(|paragraph| sentences(paragraph));
        all.extend(sentences.flat_map(|sentence| {
            let faults = faults(&sentence).into_iter();
            faults.map(move |fault| format!("{line}: {fault}: {sentence}")).collect::<Vec<_>>()
        }));
        let first = paragraphs.first().and_then(|first| first.split(' ').next()).unwrap_or_default();
        let is_verb = first.starts_with(|first: char| first.is_uppercase())
            && first.trim_end_matches(',').ends_with('s')
            && !NO_VERBS.contains(&first);
        if comment.is_of_function() && !is_verb {
            all.push(format!("{line}: the doc of a function begins with {first:?}, not with a verb"));
        }
        let mut is_example = false;
        for (number, text) in comment.lines.iter().enumerate() {
            is_example ^= text.starts_with("```");
            let width = comment.mark.len() + 1 + text.chars().count();
            if width > COLUMNS && !is_example && !text.starts_with('|') {
                all.push(format!("{}: {width} columns", line + number));
            }
        }
    }
    all
}

#[test]
fn comments_keep_the_rules_of_the_house() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for folder in ["src", "tests", "examples", "benches", "fuzz/src", "fuzz/fuzz_targets", "python/src"] {
        sources(&root.join(folder), &mut paths);
    }
    paths.retain(|path| !path.ends_with("tests/words.rs")); // its examples break the rules
    assert!(paths.len() > 250, "{} sources", paths.len());
    let mut all = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).expect("a source in UTF-8");
        let faults = all_faults(&text).into_iter();
        all.extend(faults.map(|fault| format!("{}:{fault}", path.display())));
    }
    assert!(all.is_empty(), "{} faults:\n{}", all.len(), all.join("\n"));
}

#[test]
fn faults_are_seen() {
    let text = "\
/// The length of a line.
///
/// Of a line, its end. Good (of RFC 1738 section 5, which has words and more words here) `a b c`.
#[must_use]
pub(crate) const fn length() {}

/// Returns a length. One two three four five six seven eight nine ten eleven twelve thirteen
/// fourteen fifteen sixteen seventeen eighteen nineteen twenty more.
fn other() {}
/// Is it a length?
fn is() {}
/// A length is a length.
#[test]
fn test() {}
// The same as above: What else.
// A line of a comment that is so long that nobody sees the end of it on a screen of a hundred columns, at all.
";
    let faults = all_faults(text);
    let starts = |number: usize, start: &str| assert!(faults[number].starts_with(start), "{faults:?}");
    starts(0, "1: begins with \"Of\"");
    starts(1, "1: the doc of a function begins with \"The\"");
    starts(2, "7: 21 words: One two");
    starts(3, "10: the doc of a function begins with \"Is\"");
    starts(4, "15: begins with \"The same\"");
    starts(5, "15: begins with \"What\"");
    starts(6, "15: 25 words: A line");
    starts(7, "16: 111 columns");
    assert_eq!(faults.len(), 8, "{faults:?}");
}
