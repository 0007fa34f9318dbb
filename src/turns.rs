//! How much the long tests of the crate's own do. Those of `tests/` have the same in their `common`.

/// A tenth of `all` by default, for a quick answer; with `URLGREP_TURNS=all`, which `.ci/run full` sets, all of it.
pub(crate) fn turns(all: usize) -> usize {
    let takes_all = std::env::var_os("URLGREP_TURNS").is_some_and(|value| value == "all");
    if takes_all { all } else { all.div_ceil(10) }
}
