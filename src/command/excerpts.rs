//! Matches with the lines around them, as a worker keeps them for the printer. Lines that several
//! matches share are kept once.

use std::ops::Range;

use bstr::BStr;
use urlgrep::Match;
use urlgrep::report::{MatchInLines, ShownMatch, TextFormat};

/// The matches of a piece of one file, with their lines.
#[derive(Debug, Default)]
pub(crate) struct Excerpts {
    /// The lines of all matches.
    bytes: Vec<u8>,
    kept: Vec<KeptExcerpt>,
    /// The start of the last contiguous run of lines: its index in `bytes`, and its offset in the
    /// source.
    stretch: (usize, u64),
}

#[derive(Debug)]
struct KeptExcerpt {
    /// The range of the excerpt's lines in `bytes`.
    text: Range<usize>,
    /// The rest of the match; the text of its excerpt is empty here.
    found: MatchInLines<'static>,
}

impl Excerpts {
    /// Keeps a match with this many lines before and after it.
    pub(crate) fn add(&mut self, format: &TextFormat, found: &Match<'_>, (before, after): (usize, usize)) {
        let excerpt = found.lines_around(before, after);
        let reach = self.stretch.1 + (self.bytes.len() - self.stretch.0) as u64;
        let hangs_on = self.kept.last().is_some_and(|last| last.found.excerpt.part == excerpt.part)
            && (self.stretch.1..=reach).contains(&excerpt.offset);
        if !hangs_on {
            self.stretch = (self.bytes.len(), excerpt.offset);
        }
        let start = self.stretch.0 + (excerpt.offset - self.stretch.1) as usize;
        // The excerpt may overlap the lines that are already kept.
        let known = (self.bytes.len() - start).min(excerpt.text.len());
        self.bytes.extend_from_slice(&excerpt.text[known..]);
        let text = start..start + excerpt.text.len();
        let excerpt = excerpt.with_text(BStr::new(b""));
        self.kept.push(KeptExcerpt { text, found: MatchInLines { excerpt, shown: ShownMatch::new(format, found) } });
    }

    /// Returns a match by its number.
    pub(crate) fn get(&self, number: usize) -> Option<MatchInLines<'_>> {
        let KeptExcerpt { text, found: MatchInLines { excerpt, shown } } = self.kept.get(number)?;
        let excerpt = excerpt.with_text(BStr::new(&self.bytes[text.clone()]));
        Some(MatchInLines { excerpt, shown: shown.clone() })
    }

    /// Appends the matches of the next piece.
    pub(crate) fn append(&mut self, next: Excerpts) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&next.bytes);
        self.stretch = (start + next.stretch.0, next.stretch.1);
        self.kept.extend(
            next.kept
                .into_iter()
                .map(|KeptExcerpt { text, found }| KeptExcerpt { text: start + text.start..start + text.end, found }),
        );
    }

    /// Returns the number of bytes in use.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.kept.len() * size_of::<KeptExcerpt>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlgrep::Extractor;

    #[test]
    fn lines_are_kept_once_and_given_as_they_were() {
        let text = "a\nb http://b.example/ http://c.example/\nd\ne http://e.example/\nf\ng\nh\nhttp://h.example/\n";
        let (format, extractor) = (TextFormat::new(), Extractor::new());
        for lines in [(0, 0), (1, 1), (9, 0), (0, 9), (9, 9)] {
            let (mut kept, mut more) = (Excerpts::default(), Excerpts::default());
            let found: Vec<_> = extractor.find_iter(text).collect();
            for (number, found) in found.iter().enumerate() {
                if number < 2 { &mut kept } else { &mut more }.add(&format, found, lines);
            }
            assert!(kept.bytes.len().max(more.bytes.len()) <= text.len());
            kept.append(more);
            for (number, found) in found.iter().enumerate() {
                assert_eq!(kept.get(number).unwrap().excerpt, found.lines_around(lines.0, lines.1));
            }
            assert!(kept.get(found.len()).is_none());
        }
    }
}
