//! A buffer of consecutive records.

/// A buffer whose end is room for further records.
///
/// The room is filled with zeros once and kept, even if the page is [reused](Page::reusing). New
/// room for each record cost a thirtieth of the instructions of JSON (November 2026).
///
/// # Examples
///
/// ```
/// use urlgrep::{Extractor, report::{JsonFormat, Page}};
///
/// let (format, mut page) = (JsonFormat::new(), Page::default());
/// for found in Extractor::new().find_iter("see http://a.example/ and http://b.example/") {
///     format.append(b"-", &found, &mut page);
/// }
/// assert_eq!(page.written().iter().filter(|&&byte| byte == b'\n').count(), 2);
/// let empty = Page::reusing(page.into_buffer()); // for the next matches
/// assert!(empty.is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Page {
    bytes: Vec<u8>,
    /// The number of bytes of room at the end.
    room: usize,
}

impl Page {
    /// Makes an empty page of a buffer, all of which is room.
    pub fn reusing(bytes: Vec<u8>) -> Page {
        Page { room: bytes.len(), bytes }
    }

    /// Makes a page that continues a buffer, and empties that buffer. The caller must store the
    /// result of [`into_text`](Self::into_text) in that buffer again.
    pub(super) fn following(text: &mut Vec<u8>) -> Page {
        Page { bytes: std::mem::take(text), room: 0 }
    }

    /// Returns the written text as a buffer.
    pub(super) fn into_text(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len());
        self.bytes
    }

    /// Returns the buffer, for another page.
    pub fn into_buffer(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the records.
    pub fn written(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// Returns the length of the records in bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.bytes.len() - self.room
    }

    /// Returns true if there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the records without the room, for other writers to append to.
    #[inline(always)]
    pub fn text(&mut self) -> &mut Vec<u8> {
        if self.room > 0 {
            self.bytes.truncate(self.len());
            self.room = 0;
        }
        &mut self.bytes
    }

    /// Returns room for a record of this size, or more.
    #[inline(always)]
    pub(super) fn room(&mut self, size: usize) -> &mut [u8] {
        if self.room < size {
            self.make_room(size);
        }
        let start = self.len();
        &mut self.bytes[start..]
    }

    #[inline(never)]
    fn make_room(&mut self, size: usize) {
        /// The bytes of room beyond the request, if the buffer's capacity allows. With all of the
        /// capacity as room, JSON on four threads needed 66 MiB, not 44.
        const MORE: usize = 64 << 10;
        let start = self.len();
        let end = self.bytes.capacity().min(start + size + MORE).max(start + size);
        self.bytes.resize(end, 0);
        self.room = end - start;
    }

    /// Ends the last row in CRLF instead of a comma and LF.
    #[inline(always)]
    pub(super) fn end_row(&mut self) {
        let comma = self.len().wrapping_sub(2);
        if let Some(comma) = self.bytes.get_mut(comma) {
            *comma = b'\r';
        }
    }

    /// Ends a record. `left` bytes of the room remain after it.
    #[inline(always)]
    pub(super) fn close(&mut self, left: usize) {
        self.room = left;
    }
}
