//! Services that closed (A-CLOSED), with the year and the successor of their pages.

use super::hosts;
use crate::bytes::rows::{self, table};

/// A service that closed.
#[derive(Clone, Copy)]
pub(in crate::audit) struct ClosedService {
    pub(in crate::audit) host: &'static str,
    path: &'static str,
    /// 0 if no announcement gives the year.
    pub(in crate::audit) year: u16,
    /// The host, or host and path. Empty if there is no successor.
    pub(in crate::audit) successor: &'static str,
}

const fn closed([host, path, year, successor]: [&'static str; 4]) -> ClosedService {
    ClosedService { host, path, year: rows::number(year, 10) as u16, successor }
}

/// Returns the service of a host and path, if it closed.
pub(in crate::audit) fn find(host: &[u8], path: &[u8]) -> Option<&'static ClosedService> {
    hosts::find(CLOSED, |row| [row.host, row.path], host, path)
}

/// The services, sorted by the last two labels of the host.
const CLOSED: &[ClosedService] = &table!("closed.txt", closed);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(hosts::is_sorted(CLOSED, |row| [row.host, row.path]));
        assert!(CLOSED.iter().all(|row| row.year == 0 || (1990..=2026).contains(&row.year)));
    }
}
