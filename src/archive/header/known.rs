//! The fields that distinguish mail and news from other texts.

use crate::bytes::rows::{self, table};

/// Fields that mail and news have, and other texts seldom have. Two different fields make a
/// message, unless they are the first two of this list. Dumps of HTTP have those two.
const FIELDS: &[&str] = &table!("known.txt", rows::word);

/// Returns the index of a field in [`FIELDS`]. Returns `None` if the field is not listed.
///
/// A lower-case name is not accepted, because data and code also have `from:` and `date:`. A mailer
/// that writes lower-case names usually has `Message-Id` somewhere.
pub(crate) fn known(name: &[u8]) -> Option<usize> {
    let is_plain = name.iter().all(u8::is_ascii_lowercase);
    FIELDS.iter().position(|field| !is_plain && name.eq_ignore_ascii_case(field.as_bytes()))
}
