//! A match with the decisions that led to it, below the lines of its text.
//!
//! # Example
//!
//! ```text
//! http://mill.example.org/drawings/north-wall.html
//!     | See http://mill.example.org/drawings/
//!     |     ^ form: a URL in plain text begins here [B-START]
//!     |                                     ^ joined: 5 or more joins the lines, ...; the facts sum to 5 [B-JOIN-CARD]
//!     |                                        +3 the next word ends in a file extension
//!     | north-wall.html and
//!     |                ^ end: a blank follows [B-RUN-1]
//!     another reading: the URL may end with its first line: http://mill.example.org/drawings/ [B-JOIN-STRONG]
//! ```

use std::io::{self, Write};

use bstr::ByteSlice;

use crate::find::columns;
use crate::{Excerpt, Match, ReasonKind};

/// The greatest number of bytes of a line that are shown on each side of a match.
const AROUND: usize = 80;

/// Writes the lines of a match, each with its reasons below it, and then the readings. `shown`
/// returns a text as it is written, with escapes if it is for a terminal.
pub(super) fn write(found: &Match<'_>, shown: impl Fn(&[u8]) -> Vec<u8>, out: &mut impl Write) -> io::Result<()> {
    let reasons = found.explain();
    let (readings, placed): (Vec<_>, Vec<_>) = reasons.iter().partition(|reason| reason.kind() == ReasonKind::Reading);
    let excerpt = found.lines_around(0, 0);
    for (start, line) in lines(&excerpt) {
        write_line(out, &shown(line))?;
        let is_last = start + line.len() as u64 + 1 >= excerpt.offset + excerpt.text.len() as u64;
        let on_line = |at: u64| at >= start && (at <= start + line.len() as u64 || is_last);
        for reason in placed.iter().filter(|reason| on_line(reason.shown())) {
            let before = (reason.shown() - start) as usize;
            let indent = blanks(&shown(&line[..before.min(line.len())]));
            write!(out, "    | {indent}^ ")?;
            out.write_all(&shown(reason.to_string().as_bytes()))?;
            out.write_all(b"\n")?;
            for (words, weight) in reason.weighed() {
                writeln!(out, "    | {indent}    {weight:+} {words}")?;
            }
        }
    }
    readings.into_iter().try_for_each(|reason| {
        out.write_all(b"    ")?;
        out.write_all(&shown(reason.to_string().as_bytes()))?;
        out.write_all(b"\n")
    })
}

/// Returns blanks as wide as a text. Its tabs stay, since their width depends on the terminal.
fn blanks(text: &[u8]) -> String {
    let parts: Vec<String> = text.split(|&byte| byte == b'\t').map(|part| " ".repeat(columns(part))).collect();
    parts.join("\t")
}

fn write_line(out: &mut impl Write, line: &[u8]) -> io::Result<()> {
    out.write_all(b"    | ")?;
    out.write_all(line)?;
    out.write_all(b"\n")
}

/// Returns the lines of an excerpt with their offsets, without what is far from the match.
fn lines<'e>(excerpt: &'e Excerpt<'_>) -> impl Iterator<Item = (u64, &'e [u8])> {
    let text: &[u8] = excerpt.text;
    let kept = excerpt.span.start.saturating_sub(AROUND)..text.len().min(excerpt.span.end + AROUND);
    let mut at = 0;
    text.lines_with_terminator().filter_map(move |line| {
        let start = at;
        at += line.len();
        let line = line.trim_end_with(|c| matches!(c, '\r' | '\n'));
        let from = start.max(kept.start).min(start + line.len());
        let to = (start + line.len()).min(kept.end).max(from);
        (start < kept.end).then(|| (excerpt.offset + from as u64, &text[from..to]))
    })
}
