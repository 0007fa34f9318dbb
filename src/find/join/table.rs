//! How the tables of B-JOIN are written: one row a line, with its id in the specification, when it applies, and its
//! points.
//!
//! A macro, not data: the conditions of later rows are computed only where the earlier ones do not apply.

/// Why nothing is joined over a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoJoin {
    /// The next line (B-JOIN-N) or a veto (B-JOIN-V) forbids it, and B-HYPH's readings with it.
    Forbidden,
    /// Too little speaks for it.
    Weak,
}

/// The points of the first row that applies.
macro_rules! first_row {
    (@points $points:expr) => { $points };
    (@points $points:expr, $cond:expr, $other:expr) => { if $cond { $points } else { $other } };
    (
        $($id:literal: $when:expr => $points:expr $(, if $cond:expr, else $other:expr)?;)+
        else $last:literal => $rest:expr $(, if $last_cond:expr, else $last_other:expr)?;
    ) => {
        $(if $when {
            $crate::find::join::table::note($id);
            first_row!(@points $points $(, $cond, $other)?)
        } else)+ {
            $crate::find::join::table::note($last);
            first_row!(@points $rest $(, $last_cond, $last_other)?)
        }
    };
}

/// The sum of the points of all rows that apply.
macro_rules! all_rows {
    ($($id:literal: $when:expr => $points:expr $(, if $cond:expr, else $other:expr)?;)+) => {{
        let mut sum = 0;
        $(if $when {
            $crate::find::join::table::note($id);
            sum += first_row!(@points $points $(, $cond, $other)?);
        })+
        sum
    }};
}

/// Returns [`NoJoin::Forbidden`] if a row applies.
macro_rules! refuse {
    ($($id:literal: $when:expr;)+) => {
        $(if $when {
            $crate::find::join::table::note($id);
            return Err($crate::find::join::table::NoJoin::Forbidden);
        })+
    };
}

pub(super) use {all_rows, first_row, refuse};

/// Notes that a row decided, so that a test can tell which rows no test reaches.
#[inline(always)]
pub(super) fn note(_id: &'static str) {
    #[cfg(test)]
    REACHED.with_borrow_mut(|reached| reached.insert(_id));
}

#[cfg(test)]
thread_local! {
    pub(super) static REACHED: std::cell::RefCell<std::collections::BTreeSet<&'static str>> = Default::default();
}
