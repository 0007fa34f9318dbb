//! Signs that a URL shows at first sight.
//!
//! Most rules need a sign that few URLs have, and do not run without it. No rule runs on a plain
//! URL.

use std::ops::{BitOr, BitOrAssign};

/// A set of signs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Signs(u32);

impl Signs {
    pub(super) const NONE: Signs = Signs(0);
    /// A `%`.
    pub(super) const ESCAPE: Signs = Signs(1);
    /// An `@`.
    pub(super) const AT: Signs = Signs(1 << 1);
    /// A colon after the scheme's colon.
    pub(super) const COLON: Signs = Signs(1 << 2);
    pub(super) const BACKSLASH: Signs = Signs(1 << 3);
    /// A non-ASCII byte.
    pub(super) const WIDE: Signs = Signs(1 << 4);
    /// A `?`, `#` or `=`.
    pub(super) const MARK: Signs = Signs(1 << 5);
    /// A segment may begin with a dot.
    pub(super) const DOT: Signs = Signs(1 << 6);
    /// Two adjacent hyphens.
    pub(super) const HYPHENS: Signs = Signs(1 << 7);
    /// Upper case in scheme or host.
    pub(super) const UPPER: Signs = Signs(1 << 8);
    /// The host may be an address or a name of the reader's machine.
    pub(super) const ADDRESS: Signs = Signs(1 << 9);
    /// The URL is longer than the options allow.
    pub(super) const LONG: Signs = Signs(1 << 10);
    /// The name that people read may be longer than a label can be.
    pub(super) const LONG_NAME: Signs = Signs(1 << 11);
    /// The URL is not valid by RFC 1738.
    pub(super) const DEFECT: Signs = Signs(1 << 12);
    pub(super) const GATEWAY: Signs = Signs(1 << 13);
    pub(super) const SHORT: Signs = Signs(1 << 14);
    pub(super) const TOKEN: Signs = Signs(1 << 15);
    pub(super) const FILE: Signs = Signs(1 << 16);
    pub(super) const MAIL: Signs = Signs(1 << 17);
    pub(super) const NEWS: Signs = Signs(1 << 18);
    /// The scheme is neither defined by RFC 1738 nor https.
    pub(super) const OTHER: Signs = Signs(1 << 19);
    /// Anybody can publish pages at the host.
    pub(super) const TENANT: Signs = Signs(1 << 20);
    /// The search may hold a URL in base64.
    pub(super) const ENCODED: Signs = Signs(1 << 21);
    /// The service has closed.
    pub(super) const CLOSED: Signs = Signs(1 << 22);
    /// The search or fragment holds an encoded mail address.
    pub(super) const NAMED: Signs = Signs(1 << 23);
    /// The number of signs.
    pub(super) const COUNT: usize = 24;

    pub(super) const fn or(self, other: Signs) -> Signs {
        Signs(self.0 | other.0)
    }

    /// Returns true if the two sets have a sign in common.
    pub(super) const fn meet(self, other: Signs) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the numbers of the signs in this set.
    pub(super) fn numbers(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let number = left.trailing_zeros() as usize;
            // The lowest bit is cleared. At 0 the subtraction fails, which ends the iterator.
            left &= left.checked_sub(1)?;
            Some(number)
        })
    }

    /// Returns the sign with this number.
    pub(super) const fn of_number(number: usize) -> Signs {
        Signs(1 << number)
    }

    /// Returns this sign if `is_there`, and no sign otherwise.
    pub(super) fn when(self, is_there: bool) -> Signs {
        if is_there { self } else { Signs::NONE }
    }

    /// Returns the signs that the bytes after the scheme's colon show by themselves.
    pub(super) fn of_bytes(bytes: &[u8]) -> Signs {
        // A path without an authority may begin with a dot, right after the scheme.
        let (mut seen, mut pairs) = (0, Signs::DOT.0);
        for &byte in bytes {
            let kinds = KINDS[usize::from(byte)];
            seen |= kinds & (SINGLE | pairs);
            pairs = kinds >> PAIRS;
        }
        Signs(seen & (SINGLE | Signs::DOT.0 | Signs::HYPHENS.0))
    }
}

/// The bits of signs that one byte shows by itself.
const SINGLE: u32 = (1 << 6) - 1;
/// The shift of the bits for signs that a byte shows only together with the next byte.
const PAIRS: u32 = 16;

/// The signs of each byte: those that it shows by itself, and, from bit `PAIRS` on, those that it
/// begins.
static KINDS: [u32; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'%' => Signs::ESCAPE.0,
            b'@' => Signs::AT.0,
            b':' => Signs::COLON.0 | Signs::DOT.0 << PAIRS,
            b'/' => Signs::DOT.0 << PAIRS,
            b'\\' => Signs::BACKSLASH.0,
            b'?' | b'#' | b'=' => Signs::MARK.0,
            b'.' => Signs::DOT.0,
            b'-' => Signs::HYPHENS.0 | Signs::HYPHENS.0 << PAIRS,
            0x80.. => Signs::WIDE.0,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

impl BitOr for Signs {
    type Output = Signs;

    fn bitor(self, other: Signs) -> Signs {
        self.or(other)
    }
}

impl BitOrAssign for Signs {
    fn bitor_assign(&mut self, other: Signs) {
        *self = self.or(other);
    }
}
