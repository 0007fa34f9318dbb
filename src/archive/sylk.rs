//! Sheets in SYLK, the symbolic links of Multiplan and Excel (`.slk`).
//!
//! A `;` separates the fields of a record, so that a `;` of a cell is written twice.

use memchr::memmem;

use crate::archive::pruned::Pruned;
use crate::bytes::logical::Logical;

/// Returns whether a text begins as SYLK: with the record that names its program.
pub(crate) fn is_sylk(text: &[u8]) -> bool {
    text.starts_with(b"ID;P")
}

/// Reads `;;` as `;`. Returns `None` if there is none.
pub(crate) fn unescape(text: &[u8]) -> Option<Logical> {
    let mut pruned = Pruned::new(text);
    for at in memmem::find_iter(text, b";;") {
        pruned.leave_out(at..at + 1);
    }
    pruned.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::support::assert_places;

    #[test]
    fn doubled_semicolons() {
        for (text, expected) in [("ID;PX\nC;K\"a;;b;;;;c;\"\n", "ID;PX\nC;K\"a;b;;c;\"\n"), ("ID;P", "ID;P")] {
            assert_places(text, unescape(text.as_bytes()), expected, None);
        }
        assert!(is_sylk(b"ID;PWXL;N;E\n") && !is_sylk(b"ID;NAME\n"));
    }
}
