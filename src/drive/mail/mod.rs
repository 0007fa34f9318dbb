//! Archives of mail and news, pages and other documents. Each text that their reader would see is
//! searched.
//!
//! `archive` splits the input into messages, and these into parts. Here each text is searched by
//! itself, and its matches get their [`Place`](super::Place). No text continues in another. So
//! matches do not depend on how messages are distributed over threads (P1), and nothing needs to be
//! stitched.
//!
//! | task | file |
//! |---|---|
//! | batches of messages, with their lines | `messages` |
//! | the search of one batch | `worker`, `batch`, `part`, `html` |
//! | the search of a message too long for memory | `long` |
//! | the search of a file in UTF-16 | `utf16` |
//! | delivery, in bounded memory | `delivery` |

mod batch;
mod delivery;
mod html;
mod long;
mod messages;
mod part;
mod worker;

use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use crate::archive::Container;
use crate::archive::split::SeparatorCounts;
use crate::drive::extractor::Extractor;
use crate::drive::section::{RangeCounts, Section};
use crate::drive::sink::Sink;
use crate::drive::stats::Stats;
use crate::drive::work::WorkSource as _;
use delivery::Delivery;
use messages::Messages;
use worker::MailWorker;

impl Extractor {
    /// Finds the matches in an input that [has documents](Container::has_documents), such as mail,
    /// news or HTML. Every text that a reader of these would see is decoded and searched. Matches
    /// come in order, and in bounded memory.
    ///
    /// `container` is the kind of the input, as [`archive::open`](crate::archive::open) detects it.
    /// With a range, only the messages whose separator begins in it are searched. The reader must
    /// then stand at the start of the input. With a [`Checkpoint`](crate::Checkpoint), the reader
    /// must stand at its offset. Offsets, lines and numbers continue from there. The matches have
    /// their [`place`](crate::Match::place). Texts that cannot be decoded are reported to sinks
    /// ([`Sink::undecoded`]), and mostly searched undecoded. `new` makes a sink for some messages,
    /// the search adds their matches, and `deliver` receives the sink. All of this happens on this
    /// thread.
    ///
    /// # Errors
    ///
    /// Returns any error of the reader or of `deliver`. The matches before a failure are delivered
    /// first.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urlgrep::archive::Container;
    ///
    /// struct Urls(Vec<(String, Option<String>)>);
    /// impl urlgrep::Sink for Urls {
    ///     fn add(&mut self, found: &urlgrep::Match<'_>) {
    ///         let id = found.place().and_then(|place| place.message?.id.clone());
    ///         self.0.push((found.url().to_string(), id));
    ///     }
    /// }
    ///
    /// # fn main() -> std::io::Result<()> {
    /// let mbox = b"From joe@a.example Sat Jan  3 01:05:34 1996\nFrom: joe@a.example\nMessage-ID: <1@a.example>\n\
    ///     Content-Transfer-Encoding: quoted-printable\n\nsee http://a.exam=\nple/=7Ejoe\n";
    /// let mut urls = Vec::new();
    /// urlgrep::Extractor::new().documents(&mbox[..], Container::Mbox, 0..u64::MAX, || Urls(Vec::new()), |sink| {
    ///     urls.extend(sink.0);
    ///     Ok(ControlFlow::Continue(()))
    /// })?;
    /// assert_eq!(urls, [("http://a.example/~joe".to_string(), Some("1@a.example".to_string()))]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn documents<R: Read, S: Sink>(
        &self,
        reader: R,
        container: Container,
        section: impl Into<Section>,
        new: impl Fn() -> S,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        search_in_order(self, &mut Messages::new(self, reader, container, section.into()), new, deliver)
    }

    /// Finds the matches like [`documents`](Self::documents), with rayon's current threads.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`documents`](Self::documents).
    #[cfg(feature = "parallel")]
    pub fn par_documents<R: Read, S: Sink + Send>(
        &self,
        reader: R,
        container: Container,
        section: impl Into<Section>,
        new: impl Fn() -> S + Sync,
        deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
    ) -> io::Result<Stats> {
        let mut messages = Messages::new(self, reader, container, section.into());
        search(self, &mut messages, new, deliver, |messages, worker, delivery| {
            crate::drive::work::in_order(
                messages,
                |batch| worker.search(batch),
                |messages, searched| delivery.take(messages, worker, searched),
            )
        })
    }
}

/// Searches the messages of a range of an mbox, with a reader that stands at offset `from`. Also
/// returns the counts of the separators in the range.
pub(super) fn search_range<R: Read, S: Sink>(
    extractor: &Extractor,
    reader: R,
    from: u64,
    range: Range<u64>,
    before: &RangeCounts,
    new: impl Fn() -> S,
    deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
) -> io::Result<(Stats, SeparatorCounts)> {
    let mut messages = Messages::in_range(extractor, reader, from, range, before);
    let stats = search_in_order(extractor, &mut messages, new, deliver)?;
    Ok((stats, messages.counts()))
}

/// Searches all messages on this thread.
fn search_in_order<R: Read, S: Sink>(
    extractor: &Extractor,
    messages: &mut Messages<R>,
    new: impl Fn() -> S,
    deliver: impl FnMut(S) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    search(extractor, messages, new, deliver, |messages, worker, delivery| {
        while !messages.is_done() {
            if let Some(batch) = messages.advance()
                && delivery.take(messages, worker, worker.search(batch))?.is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// Searches all messages. `batches` searches the messages before the next one that is too long to
/// hold. That message is then searched by itself.
fn search<R: Read, S: Sink, N: Fn() -> S, D: FnMut(S) -> io::Result<ControlFlow<()>>>(
    extractor: &Extractor,
    messages: &mut Messages<R>,
    new: N,
    deliver: D,
    batches: impl Fn(&mut Messages<R>, &MailWorker<'_, N>, &mut Delivery<D>) -> io::Result<ControlFlow<()>>,
) -> io::Result<Stats> {
    let worker = MailWorker { extractor, new };
    let mut delivery = Delivery { deliver, stats: Stats::default() };
    loop {
        let mut flow = batches(messages, &worker, &mut delivery)?;
        let oversize = messages.oversize.take();
        if let Some(oversize) = oversize
            && flow.is_continue()
        {
            flow = delivery.take_oversize(messages, oversize, &worker)?;
        }
        if flow.is_break() {
            return Ok(messages.stats(delivery.stats));
        }
        if oversize.is_none() {
            return messages.finish(delivery.stats);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Level;
    use crate::drive::matches::Match;

    /// A sink that is full with this many matches.
    struct Small(usize, Vec<(String, u64)>);

    impl Sink for Small {
        fn add(&mut self, found: &Match<'_>) {
            self.1.push((found.url().to_string(), found.span().start));
        }

        fn is_full(&self) -> bool {
            self.1.len() >= self.0
        }
    }

    #[test]
    fn what_does_not_fit_a_batch_comes_in_more() {
        let message = |urls: usize| {
            let links: String =
                (0..urls).map(|n| format!("<a href=http://h{n}.example/>http://t{n}.example/</a>\n")).collect();
            let header = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: a@b.example\nContent-Type: text/html";
            format!("{header}\n\n{links}\n\n")
        };
        let mbox: String = [0, 1, 5, 40, 2, 0, 3].map(message).concat();
        let found = |size: usize, is_parallel: bool, most: usize| {
            let (mut all, mut batches) = (Vec::new(), 0);
            let deliver = |batch: Small| {
                assert!(batch.1.len() <= size);
                all.extend(batch.1);
                batches += 1;
                Ok(if batches < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
            };
            let new = || Small(size, Vec::new());
            let (extractor, input) = (Extractor::new(), mbox.as_bytes());
            let stats = match is_parallel {
                false => extractor.documents(input, Container::Mbox, 0..u64::MAX, new, deliver),
                #[cfg(feature = "parallel")]
                true => extractor.par_documents(input, Container::Mbox, 0..u64::MAX, new, deliver),
                #[cfg(not(feature = "parallel"))]
                true => extractor.documents(input, Container::Mbox, 0..u64::MAX, new, deliver),
            };
            assert_eq!(stats.unwrap().matches, 102);
            (all, batches)
        };
        let (all, batches) = found(1000, false, usize::MAX);
        assert_eq!((all.len(), batches), (102, 1));
        for size in [1, 2, 7, 101, 102, 103] {
            for is_parallel in [false, true] {
                assert_eq!(found(size, is_parallel, usize::MAX).0, all, "{size}");
                let some = found(size, is_parallel, 2).0;
                assert_eq!(some, all[..(2 * size).min(102)], "{size}");
            }
        }
    }

    /// A sink that is full with this many URLs, and needs a `Match` for some.
    struct Lines(usize, Vec<u8>);

    impl Sink for Lines {
        fn add(&mut self, found: &Match<'_>) {
            self.1.extend_from_slice(&[found.url(), &b"\n"[..]].concat());
        }

        fn add_verbatim(&mut self, text: &[u8], url: Range<usize>, level: Level) -> bool {
            let takes = level == Level::Rfc1738;
            if takes {
                self.1.extend_from_slice(&[&text[url], &b"\n"[..]].concat());
            }
            takes
        }

        fn is_full(&self) -> bool {
            self.1.iter().filter(|&&byte| byte == b'\n').count() >= self.0
        }
    }

    #[test]
    fn urls_come_as_lines_or_as_matches() {
        let header = "From a@b.example Sat Jan  3 01:05:34 1996\nFrom: \n\n";
        let urls: String = (0..50).map(|n| format!("http://h{n}.example/\nhttp://h{n}.example/~x\n")).collect();
        let mbox = format!("{header}{urls}");
        for size in [1, 2, 7, 1000] {
            let mut lines = Vec::new();
            let deliver = |sink: Lines| {
                assert!(sink.1.len() <= 30 * size);
                lines.extend(sink.1);
                Ok(ControlFlow::Continue(()))
            };
            let new = || Lines(size, Vec::new());
            let stats =
                Extractor::new().documents(mbox.as_bytes(), Container::Mbox, 0..u64::MAX, new, deliver).unwrap();
            assert_eq!((stats.matches, String::from_utf8(lines).unwrap()), (100, urls.clone()));
        }
    }
}
