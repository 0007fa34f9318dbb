//! Runs a command and prints what it took: seconds of CPU (user and system), seconds of the clock, KiB at its peak.
//!
//! `spent COMMAND…`; the command keeps standard input, its output is thrown away. The exit status is the command's.
//!
//! Thrown away into `/dev/zero`: grep ends at its first match if it sees that nobody reads on (`/dev/null`).
//!
//! This is a program of its own because of the peak: the kernel counts a child from when it still shared the memory of
//! its parent, so that from a script in Python no peak below 24 MiB could be seen.

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
