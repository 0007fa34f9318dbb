//! The source as the tokenizer reads it, with pauses.
//!
//! The tokenizer of html5gum 0.9 calls itself recursively for each double-quoted value of a tag. A
//! tag with some ten thousand attributes overflowed the stack. A read error ends all these calls,
//! and leaves the tokenizer unchanged at the start of a value. So a source that fails there, and
//! then continues, keeps the stack small.

use std::error::Error;
use std::fmt;

use html5gum::{Readable, Reader, StringReader};

/// The number of searches in double-quoted values from one pause to the next.
const READS: u32 = 64;

/// A source that pauses.
pub(super) struct PausingSource<'a> {
    rest: StringReader<'a>,
    reads: u32,
}

/// Signals a pause: the tokenizer must be called again.
#[derive(Debug)]
pub(super) struct SourcePause;

impl fmt::Display for SourcePause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a pause")
    }
}

impl Error for SourcePause {}

impl<'a> PausingSource<'a> {
    pub(super) fn new(source: &'a [u8]) -> Self {
        PausingSource { rest: source.to_reader(), reads: 0 }
    }
}

impl Reader for PausingSource<'_> {
    type Error = SourcePause;

    #[inline(always)]
    fn read_byte(&mut self) -> Result<Option<u8>, SourcePause> {
        Ok(self.rest.read_byte().unwrap_or_default())
    }

    #[inline(always)]
    fn try_read_string(&mut self, text: &[u8], case_sensitive: bool) -> Result<bool, SourcePause> {
        Ok(self.rest.try_read_string(text, case_sensitive).unwrap_or_default())
    }

    #[inline(always)]
    fn read_until<'b>(&'b mut self, needle: &[u8], buffer: &'b mut [u8; 4]) -> Result<Option<&'b [u8]>, SourcePause> {
        // Only the search in a double-quoted value has `"` as the first needle.
        if needle.first() == Some(&b'"') {
            self.reads += 1;
            if self.reads == READS {
                self.reads = 0;
                return Err(SourcePause);
            }
        }
        Ok(self.rest.read_until(needle, buffer).unwrap_or_default())
    }
}
