//! Typed indices into the lists of the ledger.

use std::num::NonZeroU32;

/// Defines types for the indices of lists. The index is stored plus one, so that an `Option` of it
/// has the same size.
macro_rules! indices {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(in crate::command) struct $name(NonZeroU32);

        impl $name {
            pub(in crate::command) fn new(index: usize) -> $name {
                $name(number(index))
            }

            pub(in crate::command) fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
    )*};
}

indices! {
    /// A URL as it is written, or a doubtful one with its readings.
    UrlId;
    /// A file.
    FileId;
    /// The kept header of a message, with the header of a part.
    HeaderId;
    /// A reading of a doubtful URL.
    ContestId;
}

#[expect(clippy::expect_used, reason = "2^32 URLs would take 350 GiB before")]
fn number(index: usize) -> NonZeroU32 {
    u32::try_from(index + 1).ok().and_then(NonZeroU32::new).expect("fewer than 2^32 of anything")
}
