//! How rules that refuse are written: one row a line, with its id in the specification and when it
//! applies.

/// Why nothing is joined over a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoJoin {
    /// The next line (B-JOIN-N) or a veto (B-JOIN-V) forbids it, and B-HYPH's readings with it.
    Forbidden,
    /// Too little speaks for it.
    Weak,
}

/// Returns [`NoJoin::Forbidden`] if a row applies. Later rows are read only where earlier ones do
/// not apply.
macro_rules! refuse {
    ($($id:literal: $when:expr;)+) => {
        $(if $when {
            $crate::find::join::table::note($id);
            return Err($crate::find::join::table::NoJoin::Forbidden);
        })+
    };
}

pub(super) use refuse;

/// Notes that a row decided, so that a test can find the rows that no test reaches.
#[inline(always)]
pub(super) fn note(_id: &'static str) {
    #[cfg(test)]
    REACHED.with_borrow_mut(|reached| reached.insert(_id));
}

#[cfg(test)]
thread_local! {
    pub(super) static REACHED: std::cell::RefCell<std::collections::BTreeSet<&'static str>> = Default::default();
}
