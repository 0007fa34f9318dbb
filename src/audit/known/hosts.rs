//! Tables of hosts, sorted by their last two labels: how a row is found.

/// A row that is about a host and what its paths begin with.
pub(super) trait KnownHost {
    /// The host, or what ends it after a dot.
    fn host(&self) -> &'static str;
    /// What the path begins with.
    fn path(&self) -> &'static str;
}

/// Returns the first row of a host, in any case, and a path.
pub(super) fn find<R: KnownHost>(table: &'static [R], host: &[u8], path: &[u8]) -> Option<&'static R> {
    let site = last_labels(host)?;
    let compare = |row: &R| {
        let of_row = last_labels(row.host().as_bytes()).unwrap_or_default();
        of_row.iter().copied().cmp(site.iter().map(u8::to_ascii_lowercase))
    };
    let start = table.partition_point(|row| compare(row).is_lt());
    let mut rows = table[start..].iter().take_while(|row| compare(row).is_eq());
    rows.find(|row| {
        is_below(host, row.host()) && (path.starts_with(row.path().as_bytes()) || path.is_empty() && row.path() == "/")
    })
}

/// Returns whether a host is another one, or stands below it.
pub(super) fn is_below(host: &[u8], above: &str) -> bool {
    let before = host.len().checked_sub(above.len());
    before.is_some_and(|before| {
        host[before..].eq_ignore_ascii_case(above.as_bytes()) && (before == 0 || host[before - 1] == b'.')
    })
}

/// Returns the last two labels, which a table is sorted by.
pub(super) fn last_labels(host: &[u8]) -> Option<&[u8]> {
    let last = memchr::memrchr(b'.', host)?;
    Some(&host[memchr::memrchr(b'.', &host[..last]).map_or(0, |dot| dot + 1)..])
}

/// Returns whether a table is sorted, and in lower case.
#[cfg(test)]
pub(super) fn is_sorted<R: KnownHost>(table: &[R]) -> bool {
    table.is_sorted_by_key(|row| last_labels(row.host().as_bytes()))
        && table
            .iter()
            .all(|row| !row.host().bytes().any(|byte| byte.is_ascii_uppercase()) && row.path().starts_with('/'))
}
