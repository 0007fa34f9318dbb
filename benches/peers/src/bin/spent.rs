//! Runs a command and prints its cost: CPU seconds (user and system), wall-clock seconds, and the
//! peak of its memory in KiB.
//!
//! `spent COMMAND…`; the command keeps standard input, and its output is discarded. The exit status
//! is the command's.
//!
//! The output goes to `/dev/zero`. With `/dev/null`, grep would notice that nobody reads and end at
//! its first match.
//!
//! This is a separate program because of the peak. The kernel's peak of a child includes the memory
//! that the child shared with its parent at first. As the child of a Python script, no command has
//! a peak below 24 MiB.

use std::error::Error;
use std::fs::File;
use std::process::{Command, ExitCode};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

fn main() -> ExitCode {
    match run() {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("spent: {error}");
            ExitCode::from(127)
        }
    }
}

fn run() -> Result<u8, Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let mut command = Command::new(arguments.next().ok_or("COMMAND…")?);
    let nowhere = File::options().write(true).open("/dev/zero")?;
    let start = Instant::now();
    let status = command.args(arguments).stdout(nowhere).status()?;
    let wall = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = usage.user_time() + usage.system_time();
    println!("{:.6} {wall:.6} {}", cpu.num_microseconds() as f64 / 1e6, usage.max_rss());
    Ok(status.code().ok_or("ended by a signal")?.try_into()?)
}
