//! Scales the long unit tests. The tests in `tests/` have the same function in `tests/common`.

/// Returns a tenth of `all` by default, so that tests end quickly. With `URLGREP_TURNS=all`, which
/// `.ci/run full` sets, it returns `all`.
pub(crate) fn turns(all: usize) -> usize {
    let takes_all = std::env::var_os("URLGREP_TURNS").is_some_and(|value| value == "all");
    if takes_all { all } else { all.div_ceil(10) }
}
