//! Matches as text, JSON Lines and CSV, or as a template says.
//!
//! A format has no state, so any number of threads can share one, and what it writes for a match depends on the match and
//! the file's name alone.

mod context;
mod csv;
mod defang;
mod fields;
mod json;
mod json_writer;
mod link;
mod page;
mod pieces;
mod template;
mod text;

pub use context::{ContextWriter, MatchInLines, ShownMatch};
pub use csv::CsvFormat;
pub use fields::{FieldList, UnknownField};
pub use json::{JsonFormat, Resolution};
pub use json_writer::Harmless;
pub use link::{HyperlinkError, HyperlinkFormat};
pub use page::Page;
pub use template::{TemplateError, TemplateFormat};
pub use text::{LinePrefix, TextFormat, escape};

#[cfg(all(test, any(feature = "archive", feature = "parallel")))]
mod tests {
    use super::*;
    use crate::{Extractor, Match, Sink, VerbatimMatch};

    /// Writes records of matches, made or not.
    struct Records {
        file: &'static [u8],
        takes_verbatim: bool,
        taken: usize,
        json: Page,
        csv: Page,
    }

    impl Sink for Records {
        fn add(&mut self, found: &Match<'_>) {
            JsonFormat::new().append(self.file, found, &mut self.json);
            CsvFormat::new().append(self.file, found, &mut self.csv);
        }

        fn add_verbatim(&mut self, found: VerbatimMatch<'_>) -> bool {
            let mut lines = *found.lines;
            let again = VerbatimMatch { lines: &mut lines, ..found };
            let is_taken = self.takes_verbatim
                && JsonFormat::new().append_verbatim(self.file, again, &mut self.json)
                && CsvFormat::new().append_verbatim(self.file, found, &mut self.csv);
            self.taken += usize::from(is_taken);
            is_taken
        }
    }

    #[test]
    fn matches_that_are_not_made_have_the_same_records() {
        #[rustfmt::skip]
        let parts = [
            " http://h.example", " https://h.example/", " ftp://h.example/a", " <URL:http://h.example/>", "mailto:a@b.example ",
            "http://", "https://", "ftp://", "HTTP://", "gopher://", "telnet://u@", "mailto:a@", "news:1@", "a.example",
            "b-c.example:80", "1.2.3.4", "h", "/", "/x", "/a/b,c", "?q=1", "#f", "~", "%2f", "%zz", ";type=i", "=", "'",
            "<URL:", "URL:", "<", ">", "\"", "\\", " ", " ", " ", "\n", "\n> ", "-\n", "é", "\u{202e}", "\x1b", "(", ")",
        ];
        let mut rng = fastrand::Rng::with_seed(1738);
        let text: String = (0..60_000).map(|_| *rng.choice(&parts).expect("not empty")).collect();
        for file in [&b"x"[..], b"-", b"a file, with \"marks\"", b"\xFF=<>"] {
            let written = |takes_verbatim| {
                let (json, csv) = Default::default();
                let mut records = Records { file, takes_verbatim, taken: 0, json, csv };
                let mut stream = Extractor::builder().line_numbers(true).build().stream(text.as_bytes());
                stream.fill_known(&mut records, |_| false).expect("text in memory");
                records
            };
            let takes_verbatim = JsonFormat::new().takes_verbatim(file) && CsvFormat::new().takes_verbatim(file);
            let (made, expected) = (written(takes_verbatim), written(false));
            assert!(!takes_verbatim || made.taken > 1000, "{}", made.taken);
            assert_eq!(made.json.written(), expected.json.written());
            assert_eq!(made.csv.written(), expected.csv.written());
        }
    }
}
