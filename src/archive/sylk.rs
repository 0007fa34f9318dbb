//! Sheets in SYLK, the symbolic links of Multiplan and Excel (`.slk`).
//!
//! A `;` separates the fields of a record, so that a `;` of a cell is written twice.

use std::borrow::Cow;

use memchr::memmem;

use crate::archive::message::OriginSegment;
use crate::archive::pruned::Pruned;

/// Returns whether a text begins as SYLK: with the record that names its program.
pub(crate) fn is_sylk(text: &[u8]) -> bool {
    text.starts_with(b"ID;P")
}

/// Reads `;;` as `;`. Returns the text, and the places of its stretches.
pub(crate) fn unescape(text: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, Vec<OriginSegment>) {
    let mut pruned = Pruned::new(&text);
    for at in memmem::find_iter(&text, b";;") {
        pruned.leave_out(at..at + 1);
    }
    let (whole, segments) = pruned.finish();
    (whole.map_or(text, Cow::Owned), segments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::message::assert_places;

    #[test]
    fn doubled_semicolons() {
        for (text, expected) in [("ID;PX\nC;K\"a;;b;;;;c;\"\n", "ID;PX\nC;K\"a;b;;c;\"\n"), ("ID;P", "ID;P")] {
            let (whole, segments) = unescape(text.as_bytes().into());
            assert_eq!(String::from_utf8_lossy(&whole), expected);
            assert_places(text.as_bytes(), &whole, &segments, None);
        }
        assert!(is_sylk(b"ID;PWXL;N;E\n") && !is_sylk(b"ID;NAME\n"));
    }
}
