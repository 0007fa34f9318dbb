//! Exit statuses: part of the contract, as in grep.

use std::process::ExitCode;

/// How a run ended.
///
/// A broken pipe is none of these: whoever reads our output has had enough, which is success (the run ends with
/// [`Status::Found`]'s 0 and without a word).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Status {
    /// A match was found, or every URL is valid.
    Found = 0,
    /// No match was found, or some URL is not valid.
    NotFound = 1,
    /// Something could not be read, written or understood. Files that could be read were searched all the same; with
    /// `--quiet` a match in one of them makes it [`Status::Found`].
    Error = 2,
}

impl Status {
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

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(status as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn an_error_wins_but_for_quiet() {
        assert_eq!(Status::of(true, false, false), Status::Found);
        assert_eq!(Status::of(false, false, false), Status::NotFound);
        assert_eq!(Status::of(true, true, false), Status::Error);
        assert_eq!(Status::of(false, true, false), Status::Error);
        assert_eq!(Status::of(true, true, true), Status::Found);
        assert_eq!(Status::of(false, true, true), Status::Error);
        assert_eq!(Status::NotFound as u8, 1);
        assert_eq!(Status::Error as u8, 2);
    }
}
