//! The notation of rules that refuse: one row per line, with its id in the specification and its
//! condition.

/// The reason why nothing is joined over a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoJoin {
    /// The next line (B-JOIN-N) or a veto (B-JOIN-V) forbids joining, and also the readings of
    /// B-HYPH. It bears the id of that row.
    Forbidden(&'static str),
    /// The evidence for joining is too weak.
    Weak,
}

/// Returns [`NoJoin::Forbidden`] if a row applies. A row is evaluated only if no earlier row
/// applies.
macro_rules! refuse {
    ($($id:literal: $when:expr;)+) => {
        $(if $when {
            return Err($crate::find::join::table::NoJoin::Forbidden($crate::find::join::table::reached($id)));
        })+
    };
}

pub(super) use refuse;

/// Records that a row decided, and returns its id. A test uses this to find rows that no test
/// reaches.
#[inline(always)]
pub(super) fn reached(id: &'static str) -> &'static str {
    #[cfg(test)]
    REACHED.with_borrow_mut(|reached| reached.insert(id));
    id
}

#[cfg(test)]
thread_local! {
    pub(super) static REACHED: std::cell::RefCell<std::collections::BTreeSet<&'static str>> = Default::default();
}
