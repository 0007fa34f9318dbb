//! Reads a source: plain markup by scans, and all other markup by the tokenizer.

use std::ops::Range;

use html5gum::{State, Tokenizer};

use super::names::{Holds, Name};
use super::pauses::{PausingSource, SourcePause};
use super::reader::{Reader, Value};
use super::scan::{self, CharacterReference, PlainAttribute, PlainTag, RawEnd, TagScan, TextScan};
use crate::bytes::logical::Logical;

impl Reader<'_> {
    pub(super) fn run(&mut self) {
        self.is_plain = memchr::memchr(b'\0', self.source).is_none();
        self.has_returns = memchr::memchr(b'\r', self.source).is_some();
        while !self.is_over && !self.is_ended {
            if !self.is_plain || !self.read_plain() {
                self.tokenize();
            }
        }
    }

    /// Reads unusual markup from the current position on, up to the end of a tag or a comment.
    pub(super) fn tokenize(&mut self) {
        let state = self.state;
        self.is_token_over = false;
        let source = PausingSource::new(&self.source[self.position..]);
        // The tokenizer drops its emitter at the end, so it receives only a reference to the
        // reader.
        let mut tokenizer = Tokenizer::new_with_emitter(source, self);
        if let Some(state) = state {
            tokenizer.set_state(state);
        }
        // The only token signals that the tokenizer is no longer needed. So the loop only continues
        // after pauses.
        while let Some(Err(SourcePause)) = tokenizer.next() {}
    }

    /// Reads plain text up to the next tag or comment, and that, too. Returns whether all of it was
    /// plain. If not, the tokenizer must continue at the current position.
    fn read_plain(&mut self) -> bool {
        match self.state {
            None | Some(State::RcData) => self.read_text() && self.read_markup(),
            Some(State::RawText | State::ScriptData) if self.raw.is_some() => self.read_raw(),
            Some(_) => false,
        }
    }

    /// Reads text up to the next `<` or to the end.
    fn read_text(&mut self) -> bool {
        let source = self.source;
        loop {
            let start = self.position;
            let end = self.backend.look(TextScan { source, start });
            if start < end {
                self.put_lines(start, end);
            }
            self.move_to(end);
            if source.get(end) != Some(&b'&') {
                return true;
            }
            match scan::in_text(&source[end..]) {
                Some(CharacterReference::None) => {
                    self.flow.put(b"&", end);
                    self.move_to(end + 1);
                }
                Some(CharacterReference::Character(character, length)) => {
                    self.is_html = true;
                    let mut next = end + length;
                    self.flow.put_decoded(character.encode_utf8(&mut [0; 4]).as_bytes(), end..next);
                    // The tokenizer reports the byte after a name as a piece of its own. So blanks
                    // after this byte are at the start of a piece.
                    let is_name = source[end + 1] != b'#';
                    if is_name && source.get(next).is_some_and(|byte| !b"<&\r".contains(byte)) {
                        self.flow.put(&source[next..=next], next);
                        next += 1;
                    }
                    self.move_to(next);
                }
                None => return false,
            }
        }
    }

    fn move_to(&mut self, position: usize) {
        self.position = position;
        self.cursor = position;
    }

    /// Appends a text without references. A CR, and the LF after it, are one line break.
    fn put_lines(&mut self, mut start: usize, end: usize) {
        let source = self.source;
        while self.has_returns
            && let Some(length) = memchr::memchr(b'\r', &source[start..end])
        {
            let cr = start + length;
            self.flow.put(&source[start..cr], start);
            self.flow.put(b"\n", cr);
            start = cr + if source[cr + 1..end].starts_with(b"\n") { 2 } else { 1 };
        }
        self.flow.put(&source[start..end], start);
    }

    /// Reads the tag or the comment at the current position, or ends the source.
    fn read_markup(&mut self) -> bool {
        let (source, start) = (self.source, self.position);
        if start == source.len() {
            self.end_source();
            return true;
        }
        if self.state.is_some() && !scan::is_end_tag(source, start, self.last_start.as_bytes()) {
            return false;
        }
        if source[start..].starts_with(b"<!--") {
            let Some(end) = scan::comment_end(source, start) else { return false };
            self.tag_start = start;
            self.position = end;
            self.end_comment();
            return true;
        }
        let mut attributes = std::mem::take(&mut self.attributes);
        let tag = self.backend.look(TagScan { source, start, attributes: &mut attributes });
        if let Some(tag) = &tag {
            self.read_tag(start, tag, &attributes);
        }
        self.attributes = attributes;
        tag.is_some()
    }

    fn read_tag(&mut self, start: usize, tag: &PlainTag, attributes: &[PlainAttribute]) {
        self.tag_start = start;
        self.begin_tag(tag.is_end);
        self.name = Name::of(self.source, tag.name.clone());
        if !tag.is_end {
            attributes.iter().for_each(|attribute| self.read_attribute(attribute));
        }
        self.close_itself(tag.is_empty);
        self.position = tag.end;
        self.end_tag();
    }

    fn read_attribute(&mut self, attribute: &PlainAttribute) {
        let PlainAttribute { name, value, has_reference } = attribute;
        let Some(found) = self.known_attribute(&Name::of(self.source, name.clone())) else { return };
        if found.holds == Holds::Other && !has_reference && !self.has_colon(value.clone()) {
            return;
        }
        let decoded = if *has_reference { self.decoded(value.clone()) } else { None };
        self.read_value(found, Value { source: value.clone(), decoded });
    }

    /// Returns whether a value has a colon. The values must be passed in the order of the source,
    /// so that each byte is read once.
    fn has_colon(&mut self, value: Range<usize>) -> bool {
        if self.next_colon < value.start {
            let colon = memchr::memchr(b':', &self.source[value.start..]);
            self.next_colon = colon.map_or(self.source.len(), |length| value.start + length);
        }
        self.next_colon < value.end
    }

    /// Decodes a value whose references are plain.
    fn decoded(&self, value: Range<usize>) -> Option<Logical> {
        let source = self.source;
        let mut decoded: Option<Logical> = None;
        let mut start = value.start;
        for at in memchr::memchr_iter(b'&', &source[value.clone()]).map(|at| value.start + at) {
            let Some(CharacterReference::Character(character, length)) = scan::in_value(&source[at..value.end]) else {
                continue;
            };
            let decoded = decoded.get_or_insert_with(Logical::default);
            decoded.append(&source[start..at], start);
            decoded.replace(character.encode_utf8(&mut [0; 4]).as_bytes(), at..at + length);
            start = at + length;
        }
        if let Some(decoded) = &mut decoded {
            decoded.append(&source[start..value.end], start);
        }
        decoded
    }

    /// Reads the text of a script or a style, and its end tag.
    fn read_raw(&mut self) -> bool {
        let is_script = self.state == Some(State::ScriptData);
        match scan::raw_end(self.source, self.position, self.last_start.as_bytes(), is_script) {
            RawEnd::Tag(at) => self.position = at,
            RawEnd::Source => self.position = self.source.len(),
            RawEnd::Unknown(at) => {
                self.position = at;
                return false;
            }
        }
        self.read_markup()
    }
}

#[cfg(test)]
mod tests;
