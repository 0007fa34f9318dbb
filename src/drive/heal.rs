//! [`Extractor::replace_stream`]: the text itself, with other texts for its matches.
//! [`Extractor::heal`]: the text with each broken URL made whole.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::find::Pause;

impl Extractor {
    /// Copies a text, and puts each URL that was broken over lines on one line. Returns the number
    /// of these URLs.
    ///
    /// Each such match is replaced by its [first reading](Match::url), in its original brackets. No
    /// other byte changes. A join that is only an alternative reading is not applied. A match stays
    /// broken if its lines would then have other URLs, or if it [holds no URL](Match::holds_url). It
    /// also stays if a broken match above could then be replaced, so healing the result changes
    /// nothing. Broken matches that share a line are replaced together, or not at all. The input is
    /// read as text, whatever it holds, so mail stays encoded. A search of the result with
    /// [`Rejoin::None`](crate::Rejoin::None) finds the same URLs, and so do programs that read
    /// lines. Memory use equals that of a [`Stream`](crate::Stream).
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or the writer.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// let mut healed = Vec::new();
    /// let text = "> see <URL:http://a.example/long/\n> path>, or\n> call\n";
    /// let count = urlgrep::Extractor::new().heal(text.as_bytes(), &mut healed)?;
    /// assert_eq!(healed, b"> see <URL:http://a.example/long/path>, or\n> call\n");
    /// assert_eq!(count, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn heal<R: Read, W: Write>(&self, reader: R, writer: W) -> io::Result<u64> {
        self.healing().replace_stream(reader, writer, whole)
    }

    /// Copies a text with its matches replaced, including their brackets. Returns the number of
    /// replaced matches.
    ///
    /// A match for which `with` returns `None` stays as it is. The input is read as text, whatever
    /// it holds. Memory use equals that of a [`Stream`](crate::Stream). For a text in memory, use
    /// [`replace_all`](Self::replace_all).
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or the writer.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// let text = "see http://a.example/x, or <mailto:joe@b.example>\n";
    /// let mut hidden = Vec::new();
    /// let is_mail = |found: &urlgrep::Match<'_>| found.url().starts_with(b"mailto:");
    /// let count = urlgrep::Extractor::new()
    ///     .replace_stream(text.as_bytes(), &mut hidden, |found| is_mail(found).then_some("(address)"))?;
    /// assert_eq!(hidden, b"see http://a.example/x, or (address)\n");
    /// assert_eq!(count, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn replace_stream<R: Read, W: Write, T: AsRef<[u8]>>(
        &self,
        reader: R,
        mut writer: W,
        mut with: impl FnMut(&Match<'_>) -> Option<T>,
    ) -> io::Result<u64> {
        let (mut written, mut replaced) = (0, 0);
        let mut stream = self.stream(reader);
        let mut failed = None;
        let _ = stream.run(|matches, window, base, end| {
            let text = window.text;
            let mut copy = |to: u64, new: Option<&[u8]>, next: u64| {
                let result = writer.write_all(&text[place(written, base)..place(to.max(written), base)]);
                let result = result.and_then(|()| new.map_or(Ok(()), |new| writer.write_all(new)));
                written = next.max(written);
                result
            };
            let mut note = |result: io::Result<()>| match result {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            };
            let pause = matches.each_match(window, base, end, |found| {
                let Some(text) = with(&found) else { return ControlFlow::Continue(()) };
                replaced += 1;
                let span = found.span();
                note(copy(span.start, Some(text.as_ref()), span.end))
            });
            // The window moves after this call, so the searched text is copied first.
            let searched = match pause {
                Pause::Stopped => return pause,
                Pause::NeedMore { .. } => base + matches.unsearched(text).min(text.len()) as u64,
                Pause::End => base + text.len() as u64,
            };
            match note(copy(searched, None, searched)) {
                ControlFlow::Break(()) => Pause::Stopped,
                ControlFlow::Continue(()) => pause,
            }
        })?;
        match failed {
            Some(error) => Err(error),
            None => writer.flush().map(|()| replaced),
        }
    }
}

/// Returns the text that replaces a match, if it is replaced.
fn whole(found: &Match<'_>) -> Option<Vec<u8>> {
    if found.holds_url() { found.whole() } else { None }
}

/// Converts an offset in the input to an index in a window at offset `base`.
fn place(offset: u64, base: u64) -> usize {
    usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX)
}
