//! Look-up in tables of hosts that are sorted by their last two labels.

/// A row about a host and the beginning of its paths.
pub(super) trait KnownHost {
    /// Returns the host. Hosts below it match too.
    fn host(&self) -> &'static str;
    /// Returns the beginning of the path.
    fn path(&self) -> &'static str;
}

/// Returns the first row that matches a host and a path. The case of the host is ignored.
pub(super) fn find<R: KnownHost>(table: &'static [R], host: &[u8], path: &[u8]) -> Option<&'static R> {
    let site = last_labels(host)?;
    let compare = |row: &R| {
        let of_row = last_labels(row.host().as_bytes()).unwrap_or_default();
        of_row.iter().copied().cmp(site.iter().map(u8::to_ascii_lowercase))
    };
    let start = table.partition_point(|row| compare(row).is_lt());
    let mut rows = table[start..].iter().take_while(|row| compare(row).is_eq());
    // A URL without a path, such as `http://h`, means the path `/`.
    rows.find(|row| {
        is_below(host, row.host()) && (path.starts_with(row.path().as_bytes()) || path.is_empty() && row.path() == "/")
    })
}

/// Returns whether a host equals another one, or is below it.
pub(super) fn is_below(host: &[u8], above: &str) -> bool {
    let before = host.len().checked_sub(above.len());
    before.is_some_and(|before| {
        host[before..].eq_ignore_ascii_case(above.as_bytes()) && (before == 0 || host[before - 1] == b'.')
    })
}

/// Returns the last two labels, by which a table is sorted.
pub(super) fn last_labels(host: &[u8]) -> Option<&[u8]> {
    let last = memchr::memrchr(b'.', host)?;
    Some(&host[memchr::memrchr(b'.', &host[..last]).map_or(0, |dot| dot + 1)..])
}

/// Returns whether a table is sorted, in lower case, and names no place twice.
#[cfg(test)]
pub(super) fn is_sorted<R: KnownHost>(table: &[R]) -> bool {
    let is_twice = |at: usize, row: &R| {
        table[..at].iter().any(|before| (before.host(), before.path()) == (row.host(), row.path()))
    };
    table.is_sorted_by_key(|row| last_labels(row.host().as_bytes()))
        && !table.iter().enumerate().any(|(at, row)| is_twice(at, row))
        && table
            .iter()
            .all(|row| !row.host().bytes().any(|byte| byte.is_ascii_uppercase()) && row.path().starts_with('/'))
}
