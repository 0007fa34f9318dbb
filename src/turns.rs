//! Scales the crate's own long tests. Those of `tests/` have the same function in their `common`.

/// Returns a tenth of `all` by default, for a quick answer. With `URLGREP_TURNS=all`, which
/// `.ci/run full` sets, it returns `all`.
pub(crate) fn turns(all: usize) -> usize {
    let takes_all = std::env::var_os("URLGREP_TURNS").is_some_and(|value| value == "all");
    if takes_all { all } else { all.div_ceil(10) }
}
