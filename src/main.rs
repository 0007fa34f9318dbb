//! The `urlgrep` command: finds and validates URLs in text. `cli` reads arguments and files, and
//! prints. `command` holds what the command adds to the library, mainly the audit of an archive.

use std::process::ExitCode;

mod cli;
mod command;

fn main() -> ExitCode {
    cli::main()
}
