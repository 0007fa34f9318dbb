//! Exit statuses, as in grep. They are part of the contract.

use std::process::ExitCode;

use super::out::Finish;

/// How a run ended.
///
/// A broken pipe is a success without a message, because the pipe's reader needs no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// A match was found, every URL is valid, or an audit has no finding from `--fail-on`.
    Found = 0,
    /// No match was found, some URL is not valid, or an audit has a finding from `--fail-on`.
    NotFound = 1,
    /// Something could not be read, written or parsed. The readable files were still searched. With
    /// `--quiet`, a match in one of them makes the status [`ExitStatus::Found`].
    Error = 2,
}

impl ExitStatus {
    /// Returns the status of a run from whether it found something and how its output ended.
    pub(crate) fn of(found: bool, finish: Finish, quiet: bool) -> Self {
        match (finish, found) {
            (Finish::BrokenPipe, _) | (Finish::Fine, true) => Self::Found,
            (Finish::Failed, true) if quiet => Self::Found,
            (Finish::Failed, _) => Self::Error,
            (Finish::Fine, false) => Self::NotFound,
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
    use super::{ExitStatus, Finish};

    #[test]
    fn an_error_wins_but_for_quiet() {
        for (found, finish, quiet, status) in [
            (true, Finish::Fine, false, 0),
            (false, Finish::Fine, false, 1),
            (true, Finish::Failed, false, 2),
            (false, Finish::Failed, false, 2),
            (true, Finish::Failed, true, 0),
            (false, Finish::Failed, true, 2),
            (false, Finish::BrokenPipe, false, 0),
        ] {
            assert_eq!(ExitStatus::of(found, finish, quiet) as u8, status, "{found} {finish:?} {quiet}");
        }
    }
}
