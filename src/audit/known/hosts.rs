//! Look-up in tables of hosts that are sorted by their last two labels.

/// Returns the first row that matches a host and a path. `place` returns the host of a row, and the
/// beginning of its path. Hosts below it match too. The case of the host is ignored.
pub(super) fn find<R>(
    table: &'static [R],
    place: fn(&R) -> [&'static str; 2],
    host: &[u8],
    path: &[u8],
) -> Option<&'static R> {
    let site = last_labels(host)?;
    let compare = |row: &R| {
        let of_row = last_labels(place(row)[0].as_bytes()).unwrap_or_default();
        of_row.iter().copied().cmp(site.iter().map(u8::to_ascii_lowercase))
    };
    let start = table.partition_point(|row| compare(row).is_lt());
    let mut rows = table[start..].iter().take_while(|row| compare(row).is_eq());
    // A URL without a path, such as `http://h`, means the path `/`.
    rows.find(|row| {
        let [of_row, begin] = place(row);
        is_below(host, of_row) && (path.starts_with(begin.as_bytes()) || path.is_empty() && begin == "/")
    })
}

/// Returns whether a host equals another one, or is below it.
pub(in crate::audit) fn is_below(host: &[u8], above: &str) -> bool {
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
pub(super) fn is_sorted<R>(table: &[R], place: fn(&R) -> [&'static str; 2]) -> bool {
    let places: Vec<_> = table.iter().map(place).collect();
    let is_twice = |(at, place): (usize, &[&str; 2])| places[..at].contains(place);
    let is_fine =
        |[host, path]: &[&str; 2]| !host.bytes().any(|byte| byte.is_ascii_uppercase()) && path.starts_with('/');
    places.is_sorted_by_key(|[host, _]| last_labels(host.as_bytes()))
        && !places.iter().enumerate().any(is_twice)
        && places.iter().all(is_fine)
}
