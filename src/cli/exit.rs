//! Exit statuses: part of the contract, as in grep.

use std::process::ExitCode;

/// How a run ended.
///
/// A broken pipe is none of these: whoever reads our output has had enough, which is success (the run ends with
/// [`ExitStatus::Found`]'s 0 and without a word).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// A match was found, or every URL is valid.
    Found = 0,
    /// No match was found, or some URL is not valid.
    NotFound = 1,
    /// Something could not be read, written or understood. Files that could be read were searched all the same; with
    /// `--quiet` a match in one of them makes it [`ExitStatus::Found`].
    Error = 2,
}

impl ExitStatus {
    /// The status of a run by what it found and whether anything failed.
    pub(crate) fn of(found: bool, failed: bool, quiet: bool) -> Self {
        match (found, failed) {
            (true, true) if quiet => Self::Found,
            (_, true) => Self::Error,
            (true, false) => Self::Found,
            (false, false) => Self::NotFound,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        ExitCode::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::ExitStatus;

    #[test]
    fn an_error_wins_but_for_quiet() {
        assert_eq!(ExitStatus::of(true, false, false), ExitStatus::Found);
        assert_eq!(ExitStatus::of(false, false, false), ExitStatus::NotFound);
        assert_eq!(ExitStatus::of(true, true, false), ExitStatus::Error);
        assert_eq!(ExitStatus::of(false, true, false), ExitStatus::Error);
        assert_eq!(ExitStatus::of(true, true, true), ExitStatus::Found);
        assert_eq!(ExitStatus::of(false, true, true), ExitStatus::Error);
        assert_eq!(ExitStatus::NotFound as u8, 1);
        assert_eq!(ExitStatus::Error as u8, 2);
    }
}
