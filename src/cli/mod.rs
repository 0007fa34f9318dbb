//! The command line: arguments, inputs and output. It uses [`command`](crate::command) and the
//! library's public API.
//!
//! There are three stages, after ripgrep:
//!
//! - [`args`] is the command line: plain data and the help.
//! - [`plan`] interprets it in this environment (terminal, cores, folders, globs). It rejects
//!   contradictory options.
//! - The rest does the work. For [`find`] and [`audit`], [`search`] searches the inputs that
//!   [`walk`] lists and [`source`] reads. [`parse`] validates URLs, [`files`] lists files,
//!   [`config`] reads the options for every run, [`generate`] writes the man page. All of them
//!   print through [`out`] and end with a status of [`exit`].

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ErrorKind;

mod args;
mod audit;
mod changes;
mod completions;
mod config;
mod diff;
mod exit;
mod files;
mod filter;
mod find;
mod generate;
mod guard;
mod hidden_zip;
mod host_globs;
mod hosts;
mod hyperlinks;
mod judged;
mod match_format;
mod near;
mod out;
mod parse;
mod plan;
mod progress;
mod project;
mod rewrite;
mod search;
mod source;
mod today;
mod types;
mod unfound;
mod walk;

use args::{Cli, SUBCOMMANDS};
use exit::ExitStatus;
use out::Out;
use plan::Plan;
use urlgrep::Backend;

/// Runs the command.
pub(crate) fn main() -> ExitCode {
    let mut out = Out::new();
    let status = match backend() {
        Ok(backend) => begin(backend, &mut out),
        Err(error) => refuse(BACKEND.as_bytes(), &error, &mut out),
    };
    status.into()
}

/// Prints why the command cannot run.
fn refuse(what: &[u8], why: &dyn std::fmt::Display, out: &mut Out) -> ExitStatus {
    out.error(what, why);
    ExitStatus::Error
}

/// Reads the command line and the files of options, and runs the plan.
fn begin(backend: Backend, out: &mut Out) -> ExitStatus {
    let typed = help_as_option(std::env::args_os().collect());
    let conflicts = |arguments: Vec<OsString>| {
        parse(arguments.into_iter(), backend).is_err_and(|error| error.kind() == ErrorKind::ArgumentConflict)
    };
    let given = project::of(&typed, args::definition).and_then(|project| {
        let with_project = project.before(&typed);
        Ok((config::with_config(with_project, args::definition, conflicts)?, project))
    });
    let (arguments, project) = match given {
        Ok(given) => given,
        Err((name, why)) => return refuse(&name, &why, out),
    };
    let cli = match parse(arguments.iter().cloned(), backend) {
        Ok(cli) => cli,
        Err(error) => {
            let status = answer(error, &arguments, backend, out);
            let of_project = project.arguments.len();
            // All arguments that are neither typed nor the project's come from the config file.
            let of_config = arguments.len() - typed.len() - of_project;
            let sources = [(of_config, config::VARIABLE), (of_project, project::NAME)];
            let sources: Vec<_> = sources.into_iter().filter(|(given, _)| *given > 0).map(|(_, name)| name).collect();
            if status == ExitStatus::Error && !sources.is_empty() {
                out.note(&format!("the options of {} also apply; --no-config ignores them", sources.join(" and ")));
            }
            return status;
        }
    };
    if cli.find.output.unique
        && let Some(advice) = args::instead_of_uu(typed.into_iter())
    {
        return refuse(b"-uu", &advice, out);
    }
    match plan::plan(cli, project, backend, out) {
        Ok(plan) => run(plan, out),
        Err(refusal) => refuse(&refusal.what, &refusal.why, out),
    }
}

fn run(plan: Plan, out: &mut Out) -> ExitStatus {
    let text = match plan {
        Plan::Find(plan) => return find::run(&plan, out),
        Plan::Rewrite(plan) => return rewrite::run(&plan, out),
        Plan::Parse(plan) => return parse::run(&plan, out),
        Plan::Audit(plan) => return audit::run(&plan, out),
        Plan::Rules => return audit::rules(out),
        Plan::Files(plan) => return files::run(&plan, out),
        Plan::Types => Ok(types::list().into()),
        Plan::Generate(what) => generate::generate(what),
    };
    match text {
        Ok(text) => {
            let _ = out.print(&text);
            ExitStatus::of(true, out.finish(), false)
        }
        Err(error) => refuse(b"--generate", &error, out),
    }
}

/// Parses these arguments. An error holds clap's output: the help, the version, or a message.
fn parse(arguments: impl Iterator<Item = OsString>, backend: Backend) -> Result<Cli, clap::Error> {
    // clap requires texts that live as long as the program.
    let definition = args::definition().long_version(&*args::version(backend).leak());
    let matches = definition.try_get_matches_from(arguments).map_err(args::with_remedy)?;
    Cli::from_arg_matches(&matches)
}

/// Converts `urlgrep help` and `urlgrep help audit` to `--help`, unless a file or folder is named
/// `help`.
fn help_as_option(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let asks = arguments.get(1).is_some_and(|first| first == "help") && !Path::new("help").exists();
    if asks && arguments.get(2).is_none_or(|topic| SUBCOMMANDS.iter().any(|name| topic == name)) {
        arguments.remove(1);
        arguments.truncate(2);
        arguments.push("--help".into());
    }
    arguments
}

/// Prints clap's output: the help, the version, or the error in the arguments.
fn answer(error: clap::Error, arguments: &[OsString], backend: Backend, out: &mut Out) -> ExitStatus {
    if !error.use_stderr() {
        let help = error.render();
        let is_colored = plan::is_colored(args::When::Auto, out);
        let help = if is_colored { help.ansi().to_string() } else { help.to_string() };
        let _ = out.print(help.replace(args::KEPT_BLANK, " ").as_bytes());
        return ExitStatus::of(true, out.finish(), false);
    }
    let subcommand = SUBCOMMANDS.into_iter().find(|name| arguments.get(1).is_some_and(|first| first == name));
    if let Some((option, advice)) = args::instead(&error, subcommand) {
        out.error(option.as_bytes(), &advice);
        return ExitStatus::Error;
    }
    // clap quotes the arguments unchanged, but a terminal needs escaped ones. Parsing the escaped
    // arguments causes the same error. clap does not quote arguments that are not UTF-8.
    let escaped = || {
        arguments.iter().map(|argument| {
            let mut shown = Vec::new();
            urlgrep::report::escape(argument.as_encoded_bytes(), &mut shown);
            OsString::from(String::from_utf8_lossy(&shown).into_owned())
        })
    };
    let shown = if out.is_stderr_terminal() { parse(escaped(), backend).err() } else { None };
    // If standard error has failed too, nothing can be reported.
    let _ = shown.unwrap_or(error).print();
    ExitStatus::Error
}

/// The environment variable that chooses the SIMD backend, for measurements and tests.
const BACKEND: &str = "URLGREP_SIMD";

/// Returns the backend that the environment names, otherwise the fastest.
fn backend() -> Result<Backend, String> {
    let Some(name) = std::env::var_os(BACKEND).filter(|name| !name.is_empty()) else { return Ok(Backend::detect()) };
    name.to_str().and_then(Backend::by_name).ok_or_else(|| {
        let all: Vec<_> = Backend::all().map(Backend::name).collect();
        format!("this machine does not support {:?}, but it supports {}", name.to_string_lossy(), all.join(", "))
    })
}
