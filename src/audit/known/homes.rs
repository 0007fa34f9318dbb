//! Services that host blogs, or give names to machines at home. Texts link to them as to any home
//! page.

use crate::bytes::rows::{self, table};

/// Returns whether a service of A-TENANT hosts blogs, or names machines at home.
pub(in crate::audit) fn is_home(service: &[u8]) -> bool {
    let mut name = service;
    loop {
        if HOMES.binary_search_by(|home| home.as_bytes().cmp(name)).is_ok() {
            return true;
        }
        match memchr::memchr(b'.', name) {
            Some(dot) => name = &name[dot + 1..],
            None => return false,
        }
    }
}

/// The services, sorted.
const HOMES: &[&str] = &table!("homes.txt", rows::word);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(HOMES.is_sorted_by(|one, other| one < other));
    }

    #[test]
    fn homes() {
        for (service, expected) in [
            ("blogspot.com", true),
            ("dyndns.org", true),
            ("go.dyndns.org", true),
            ("ath.cx", true),
            ("web.app", false),
            ("docs.google.com/forms/", false),
            ("s3.amazonaws.com", false),
            ("/ipfs/", false),
        ] {
            assert_eq!(is_home(service.as_bytes()), expected, "{service}");
        }
    }
}
