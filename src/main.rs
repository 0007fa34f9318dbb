//! The `urlgrep` command: finds and validates URLs in text. All of it is in `cli`; the library does the finding.

use std::process::ExitCode;

mod cli;
mod command;

fn main() -> ExitCode {
    cli::main()
}
