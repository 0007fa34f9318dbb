//! The readings of a URL with a doubtful hyphen, or with a next line that may continue it.

use bstr::{BStr, ByteSlice};

/// The readings of a URL, the match's own reading first. A URL without doubt has no other.
///
/// They are kept as one text, in which LF joins them. No URL contains LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Readings<'r>(&'r BStr);

impl<'r> Readings<'r> {
    pub(super) fn of_text(text: &'r [u8]) -> Readings<'r> {
        Readings(text.as_bstr())
    }

    /// Appends another reading to the text of the readings.
    pub(super) fn add(text: &mut Vec<u8>, reading: &[u8]) {
        text.push(b'\n');
        text.extend_from_slice(reading);
    }

    /// Returns the text of the readings. It is the URL itself if there is no doubt.
    pub(super) fn text(self) -> &'r BStr {
        self.0
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'r BStr> {
        self.0.split_str("\n").map(ByteSlice::as_bstr)
    }

    /// Returns the reading of this index.
    pub(super) fn get(self, index: usize) -> &'r BStr {
        self.iter().nth(index).unwrap_or_default()
    }

    /// Returns true if another reading begins with this reading. Evidence for such a reading proves
    /// little. Its occurrence elsewhere only shows that the URL is cut there too. A server's
    /// response only shows that the site exists.
    pub(super) fn has_longer(self, reading: &[u8]) -> bool {
        self.iter().any(|other| other.len() > reading.len() && other.starts_with(reading))
    }
}
