//! [`Extractor::heal`]: the text itself, with each broken URL made whole.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use memchr::memchr2;

use crate::drive::extractor::Extractor;
use crate::drive::matches::Match;
use crate::find::{Kind, Pause};

impl Extractor {
    /// Copies a text, and puts each URL that was broken over lines on one line. Returns the number
    /// of these URLs.
    ///
    /// Each such match is replaced by its [first reading](Match::url), in its original brackets. No
    /// other byte changes. A join that is only an alternative reading is not applied. The input is
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
    pub fn heal<R: Read, W: Write>(&self, reader: R, mut writer: W) -> io::Result<u64> {
        let (mut written, mut healed) = (0, 0);
        let mut stream = self.stream(reader);
        let mut failed = None;
        let _ = stream.run(|matches, window, base, end| {
            let text = window.text;
            let mut copy = |to: u64, url: Option<&[u8]>, next: u64| {
                let result = writer.write_all(&text[place(written, base)..place(to.max(written), base)]);
                let result = result.and_then(|()| url.map_or(Ok(()), |url| writer.write_all(url)));
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
                let Some(whole) = whole(&found) else { return ControlFlow::Continue(()) };
                healed += 1;
                let span = found.span();
                note(copy(span.start, Some(&whole), span.end))
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
            None => writer.flush().map(|()| healed),
        }
    }
}

/// Converts an offset in the input to an index in a window at offset `base`.
fn place(offset: u64, base: u64) -> usize {
    usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX)
}

/// Returns the text that replaces a match: the URL in its brackets or after its `URL:`. Returns
/// `None` if the match has no line break, or is a name without a scheme.
fn whole(found: &Match<'_>) -> Option<Vec<u8>> {
    let source: &[u8] = found.source();
    let is_broken = memchr2(b'\n', b'\r', source).is_some();
    if !is_broken || !matches!(found.kind(), Kind::Bare | Kind::Prefixed | Kind::Wrapped | Kind::Angle) {
        return None;
    }
    let url = found.url();
    let (before, after): (&[u8], &[u8]) = match found.kind() {
        Kind::Wrapped | Kind::Angle => {
            let open: &[u8] = match source {
                [b'<', b'u' | b'U', b'r' | b'R', b'l' | b'L', b':', ..] if found.kind() == Kind::Wrapped => {
                    &source[..5]
                }
                [b'<', ..] => b"<",
                _ => b"",
            };
            (open, if source.ends_with(b">") { b">" } else { b"" })
        }
        Kind::Prefixed => {
            let colon = memchr2(b':', b'\n', source).map_or(0, |colon| colon + 1);
            let blanks = source[colon..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            (&source[..colon + blanks], b"")
        }
        _ => (b"", b""),
    };
    Some([before, url, after].concat())
}
