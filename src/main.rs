//! The `urlgrep` command: finds and validates URLs in text. `cli` reads arguments and files and prints; `command` has
//! what the command adds to the library, the audit of an archive above all.

use std::process::ExitCode;

mod cli;
mod command;

fn main() -> ExitCode {
    cli::main()
}
