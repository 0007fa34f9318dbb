//! The command. It uses the library's public API, and of `urlgrep::command` what only it needs.
//!
//! Three stages, after ripgrep: [`args`] is the command line (plain data and the help), [`plan`] is what that means here
//! (terminal, cores, folders, globs; what makes no sense is refused), and the rest does it: [`search`] searches the
//! inputs that [`walk`] lists and [`source`] reads, and drives [`find`] and [`audit`], [`parse`] judges URLs,
//! [`generate`] writes the man page. All of them print through [`out`] and end with a status of [`exit`].

use std::process::ExitCode;

use clap::FromArgMatches;

mod args;
mod audit;
mod exit;
mod filter;
mod find;
mod generate;
mod out;
mod parse;
mod plan;
mod progress;
mod search;
mod source;
mod walk;

use exit::ExitStatus;
use out::Out;
use plan::Plan;
use urlgrep::Backend;

/// Runs the command.
pub(crate) fn main() -> ExitCode {
    let backend = match backend() {
        Ok(backend) => backend,
        Err(error) => {
            Out::new().error(BACKEND.as_bytes(), &error);
            return ExitStatus::Error.into();
        }
    };
    // clap keeps texts that live as long as the program.
    let matches = args::definition().long_version(&*args::version(backend).leak()).try_get_matches();
    let cli = match matches.and_then(|matches| args::Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output; that nobody reads them to the end is no error.
            let _ = error.print();
            return if error.use_stderr() { ExitStatus::Error.into() } else { ExitCode::SUCCESS };
        }
    };
    let mut out = Out::new();
    let status = match plan::plan(cli, backend, &mut out) {
        Err(refusal) => {
            out.error(&refusal.what, &refusal.why);
            ExitStatus::Error
        }
        Ok(Plan::Find(plan)) => find::run(&plan, &mut out),
        Ok(Plan::Parse(plan)) => parse::run(&plan, &mut out),
        Ok(Plan::Audit(plan)) => audit::run(&plan, &mut out),
        Ok(Plan::Rules) => audit::rules(&mut out),
        Ok(Plan::Generate(what)) => match generate::generate(what) {
            Err(error) => {
                out.error(b"--generate", &error);
                ExitStatus::Error
            }
            Ok(text) => {
                let _ = out.print(&text);
                ExitStatus::of(true, out.finish(), false)
            }
        },
    };
    status.into()
}

/// The variable of the environment that says how bytes are looked at: for measurements, and for tests.
const BACKEND: &str = "URLGREP_SIMD";

/// The backend that the environment names, else the fastest.
fn backend() -> Result<Backend, String> {
    let Some(name) = std::env::var_os(BACKEND).filter(|name| !name.is_empty()) else { return Ok(Backend::detect()) };
    name.to_str().and_then(Backend::by_name).ok_or_else(|| {
        let all: Vec<_> = Backend::all().map(Backend::name).collect();
        format!("this machine has no {:?}; it has {}", name.to_string_lossy(), all.join(", "))
    })
}
