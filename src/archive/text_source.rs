//! The way from a text of a message back to the bytes of the archive.
//!
//! A text may be decoded in several steps. Each step has a map, and a place goes through all of
//! them.
//!
//! # Example
//!
//! The body `http://h.example/caf=E9=⏎?a` is quoted-printable in ISO-8859-1, at offset 100:
//!
//! | step | text | place of `?a` |
//! |---|---|---|
//! | charset | `http://h.example/café?a` in UTF-8 | 22 to 24 |
//! | encoding | `http://h.example/caf\xE9?a` | 21 to 23 |
//! | the body | `http://h.example/caf=E9=⏎?a` | 25 to 27 |
//! | the archive | | 125 to 127 |

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr;

use crate::archive::encoding::Encoding;
use crate::archive::inline;
use crate::archive::stream_places::StreamPlaces;
use crate::archive::transfer::{base64, quoted_printable};
use crate::bytes::logical::Logical;
use crate::bytes::source_map::SourceMap;

/// A step of decoding, by what it undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodingStep {
    /// An encoding, in which even ASCII is spelled otherwise.
    Encoding,
    /// A charset.
    Charset,
    /// Folds, quote marks, stuffing: marks at the ends and beginnings of lines.
    Lines,
    /// Nothing: the text consists of stretches of a longer text.
    Stretch,
}

/// The places of a text in its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextSource<'m> {
    /// The steps that made the text, the last one first.
    steps: Vec<(DecodingStep, SourceMap)>,
    /// The body whose decoding is the step before all others.
    body: Option<Box<EncodedBody<'m>>>,
    /// The offset in the message to which places are relative.
    start: usize,
    /// The message spells the text nowhere, since it was unpacked.
    is_unpacked: bool,
    /// The way from the message to the archive, if the message was decoded itself.
    pub(crate) outer: Option<OuterSource>,
    /// The offset of the text in the whole decoded text, of which it may be a window.
    pub(crate) window: u64,
}

/// The way from a decoded message to the archive.
#[derive(Clone, Debug)]
pub(crate) enum OuterSource {
    /// The message is in memory.
    Text(Arc<TextSource<'static>>),
    /// The message is decoded while it is read.
    Stream(Arc<StreamPlaces>),
}

impl OuterSource {
    fn is_apart(&self) -> bool {
        matches!(self, OuterSource::Text(outer) if outer.is_apart())
    }

    fn is_decoded(&self) -> bool {
        match self {
            OuterSource::Text(outer) => outer.is_decoded(),
            OuterSource::Stream(places) => places.is_decoded(),
        }
    }

    fn range(&self, range: Range<usize>) -> Range<usize> {
        match self {
            OuterSource::Text(outer) if outer.is_apart() => range,
            OuterSource::Text(outer) => outer.range(range),
            OuterSource::Stream(places) => {
                let range = places.range(range.start as u64..range.end as u64);
                range.start as usize..range.end as usize
            }
        }
    }
}

/// Compares by identity, since places in a stream are forgotten.
impl PartialEq for OuterSource {
    fn eq(&self, other: &OuterSource) -> bool {
        match (self, other) {
            (OuterSource::Text(one), OuterSource::Text(other)) => one == other,
            (OuterSource::Stream(one), OuterSource::Stream(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for OuterSource {}

/// An encoded body. Its map is made when a place is asked for, since most bodies hold no URL.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EncodedBody<'m> {
    raw: &'m [u8],
    encoding: Encoding,
    map: OnceLock<SourceMap>,
}

impl EncodedBody<'_> {
    fn map(&self) -> &SourceMap {
        self.map.get_or_init(|| map_of_encoded(self.raw, self.encoding))
    }
}

/// Returns the map of the text to which a body decodes.
fn map_of_encoded(raw: &[u8], encoding: Encoding) -> SourceMap {
    let mut text = Logical::default();
    match encoding {
        Encoding::QuotedPrintable => quoted_printable(raw, 0, &mut text),
        Encoding::Base64 => text = base64(raw, 0).text,
        _ => text = inline::files(raw).into_iter().next().map(|file| file.text).unwrap_or_default(),
    }
    text.into_parts().1
}

impl<'m> TextSource<'m> {
    /// Returns the source of a text that lies in the message in one piece.
    pub(crate) fn in_place(start: usize) -> Self {
        TextSource { steps: Vec::new(), body: None, start, is_unpacked: false, outer: None, window: 0 }
    }

    /// Returns the source of a text that was unpacked.
    pub(crate) fn unpacked() -> Self {
        TextSource { is_unpacked: true, ..TextSource::in_place(0) }
    }

    /// Returns the source of the text to which a body decodes. The body begins at `start`.
    pub(crate) fn encoded(start: usize, raw: &'m [u8], encoding: Encoding) -> Self {
        let body = Box::new(EncodedBody { raw, encoding, map: OnceLock::new() });
        TextSource { body: Some(body), ..TextSource::in_place(start) }
    }

    /// Returns the source of a text that was made from this text in one more step.
    pub(crate) fn then(mut self, step: DecodingStep, map: SourceMap) -> Self {
        self.steps.insert(0, (step, map));
        self
    }

    /// Returns the source of a text that is a window of the decoded text, from `window` on.
    pub(crate) fn in_window(self, window: u64) -> Self {
        TextSource { window, ..self }
    }

    /// Returns this source moved by `by` bytes.
    pub(crate) fn shift(self, by: usize) -> Self {
        TextSource { start: self.start + by, ..self }
    }

    /// Returns the source of a text in a message that is decoded itself. `outer` is the way from
    /// that message to the archive.
    pub(crate) fn within(mut self, outer: &OuterSource) -> Self {
        self.outer.get_or_insert_with(|| outer.clone());
        self
    }

    /// Returns a copy that borrows nothing.
    pub(crate) fn into_owned(mut self) -> TextSource<'static> {
        if let Some(body) = self.body.take() {
            body.map();
            self.steps.extend(body.map.into_inner().map(|map| (DecodingStep::Encoding, map)));
        }
        TextSource { body: None, ..self }
    }

    /// Returns whether this message itself holds the text undecoded.
    pub(crate) fn lies_in(&self, message: &Arc<TextSource<'static>>) -> bool {
        let is_its_own = |outer: &OuterSource| matches!(outer, OuterSource::Text(outer) if Arc::ptr_eq(outer, message));
        !self.is_decoded_in_message() && self.outer.as_ref().is_some_and(is_its_own)
    }

    /// Returns the map of the last step, so that another text can reuse its memory.
    pub(crate) fn into_map(self) -> SourceMap {
        self.steps.into_iter().next().map(|(_, map)| map).unwrap_or_default()
    }

    /// Returns whether the archive spells the text nowhere, since it was unpacked. Then its places
    /// are those in the text itself.
    pub(crate) fn is_apart(&self) -> bool {
        self.is_unpacked || self.outer.as_ref().is_some_and(OuterSource::is_apart)
    }

    /// Returns whether the archive spells the text otherwise, even its ASCII, or nowhere.
    pub(crate) fn is_decoded(&self) -> bool {
        self.is_decoded_in_message() || self.outer.as_ref().is_some_and(OuterSource::is_decoded)
    }

    /// Returns whether the message spells the text otherwise, or nowhere. The message may be decoded
    /// itself.
    pub(crate) fn is_decoded_in_message(&self) -> bool {
        self.is_unpacked || self.body.is_some() || self.steps.iter().any(|&(step, _)| step == DecodingStep::Encoding)
    }

    /// Returns whether the text follows the archive from its first byte to its last.
    pub(crate) fn is_in_one_piece(&self) -> bool {
        let is_outer = |outer: &OuterSource| matches!(outer, OuterSource::Text(outer) if outer.is_in_one_piece());
        self.steps.is_empty() && !self.is_decoded() && self.outer.as_ref().is_none_or(is_outer)
    }

    /// Returns the offset in the archive of the byte at `at` in the text. See [`range`](Self::range).
    pub(crate) fn offset(&self, at: usize) -> usize {
        self.range(at..at + 1).start
    }

    /// Returns the range of the archive that spells a stretch of the text, including bytes that were
    /// removed inside it.
    ///
    /// The range is exact where bytes were copied. It has whole units where a unit of the archive
    /// stands for several bytes, as in base64. The first call for an encoded body takes time in the
    /// length of the body.
    pub(crate) fn range(&self, range: Range<usize>) -> Range<usize> {
        let range = self.range_in_message(range);
        self.outer.as_ref().map_or(range.clone(), |outer| outer.range(range))
    }

    /// Returns the range of the message, which may be decoded itself. See [`range`](Self::range).
    pub(crate) fn range_in_message(&self, range: Range<usize>) -> Range<usize> {
        let maps = self.steps.iter().map(|(_, map)| map).chain(self.body.iter().map(|body| body.map()));
        let range = maps.fold(range, |range, map| map.source(range));
        self.start + range.start..self.start + range.end
    }

    /// Returns whether bytes at the ends of lines were removed inside a stretch of the text.
    /// `archive` has the bytes of the archive, if they are in memory.
    pub(crate) fn joins_lines(&self, stretch: Range<usize>, archive: &[u8]) -> bool {
        let (mut is_shorter, mut range) = (false, stretch.clone());
        for (step, map) in &self.steps {
            let source = map.source(range.clone());
            is_shorter |= *step == DecodingStep::Lines && source.len() != range.len();
            range = source;
        }
        is_shorter
            && (self.is_decoded()
                || archive.get(self.range(stretch)).is_none_or(|origin| memchr(b'\n', origin).is_some()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_head() {
        let body = b"http://h.example/caf=E9=\n?a";
        let mut charset = SourceMap::default();
        charset.add_copy(0, 0);
        charset.add_unit(20, 20, (2, 1));
        charset.add_copy(22, 21);
        let source = TextSource::encoded(100, body, Encoding::QuotedPrintable).then(DecodingStep::Charset, charset);
        assert_eq!(source.range(22..24), 125..127);
        assert_eq!(source.range(0..22), 100..123);
        assert_eq!(source.range(20..22), 120..123); // é is =E9
        assert!(source.is_decoded() && !source.is_apart() && !source.joins_lines(0..24, b""));
    }

    #[test]
    fn a_text_within_another() {
        let outer = TextSource::encoded(10, b"eGh0dHA6Ly9oLw==", Encoding::Base64); // xhttp://h/
        let outer = OuterSource::Text(Arc::new(outer.into_owned()));
        let inner = TextSource::in_place(1).within(&outer);
        assert_eq!(inner.range(0..9), 10..26);
        assert_eq!(inner.range(2..5), 14..18); // "tp:" is "dHA6"
        assert!(inner.is_decoded() && TextSource::unpacked().within(&outer).is_apart());
        let unpacked = OuterSource::Text(Arc::new(TextSource::unpacked()));
        assert_eq!(TextSource::in_place(1).within(&unpacked).range(2..5), 3..6);
    }
}
