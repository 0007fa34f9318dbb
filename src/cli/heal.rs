//! `--heal`: prints the text itself, with each broken URL on one line.

use std::fs::File;
use std::io::{self, Write};

use super::exit::ExitStatus;
use super::out::Out;
use super::search::SearchPlan;
use super::walk::path_bytes;

/// Prints the files one after the other.
pub(crate) fn run(plan: &SearchPlan, out: &mut Out) -> ExitStatus {
    for path in &plan.paths {
        let healed = match path.as_os_str() == "-" {
            true => plan.live.heal(io::stdin().lock(), Printed(out)),
            false => File::open(path).and_then(|file| plan.extractor.heal(file, Printed(out))),
        };
        if out.is_stopped() {
            break;
        }
        if let Err(error) = healed {
            out.file_error(&path_bytes(path), &error);
        }
    }
    ExitStatus::of(true, out.finish(), false)
}

/// Standard output as a writer.
struct Printed<'o>(&'o mut Out);

impl Write for Printed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.print(bytes).is_break() {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}
