//! The file that `URLGREP_CONFIG_PATH` names: options for every run, as in ripgrep.
//!
//! A line has an option, or the value of the option above it. There is no quoting. Empty lines and
//! lines that begin with `#` are comments. The file's options are inserted before the command line,
//! which can thus override them. Options that conflict with the command line are dropped. A
//! subcommand uses the options that it shares with `urlgrep` itself: those with the same help.
//! (`--format` means something else for an audit.)

use std::ffi::OsString;

use clap::{Arg, Command};

use super::args;
use super::walk::path_bytes;

/// The variable that names the file.
pub(crate) const VARIABLE: &str = "URLGREP_CONFIG_PATH";

/// A file that cannot be used: its name, and the reason.
pub(crate) type ConfigError = (Vec<u8>, String);

/// Returns the name of the file, unless the arguments have `--no-config`.
fn path(arguments: &[OsString]) -> Option<OsString> {
    std::env::var_os(VARIABLE).filter(|path| !path.is_empty() && !is_refused(arguments))
}

/// Returns whether the arguments have `--no-config`.
pub(super) fn is_refused(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--no-config")
}

/// Inserts the file's options into the arguments. `definition` returns the definition of `urlgrep`,
/// and is only called if there is a file. `conflicts` returns whether arguments exclude one
/// another.
pub(crate) fn with_config(
    arguments: Vec<OsString>,
    definition: impl FnOnce() -> Command,
    conflicts: impl Fn(Vec<OsString>) -> bool,
) -> Result<Vec<OsString>, ConfigError> {
    let Some(path) = path(&arguments) else { return Ok(arguments) };
    let refused = |why: String| (path_bytes(path.as_ref()), why);
    let text = std::fs::read_to_string(&path).map_err(|error| refused(format!("{error}; {VARIABLE} names it")))?;
    let definition = definition();
    let subcommand = arguments.get(1).and_then(|first| definition.find_subcommand(first));
    let start = if subcommand.is_some() { 2 } else { 1 }.min(arguments.len());
    let with = |given: &[OsString]| [&arguments[..start], given, &arguments[start..]].concat();
    let mut given = Vec::new();
    for option in options(&text) {
        let arg = option.find(&definition).map_err(|why| refused(format!("line {}: {why}", option.line)))?;
        if subcommand.is_none_or(|subcommand| subcommand.get_arguments().any(|other| is_same(other, arg))) {
            let option: Vec<OsString> = option.arguments.into_iter().map(OsString::from).collect();
            if !conflicts(with(&option)) {
                given.extend(option);
            }
        }
    }
    Ok(with(&given))
}

fn is_same(one: &Arg, other: &Arg) -> bool {
    let help = |arg: &Arg| arg.get_help().map(ToString::to_string);
    one.get_long() == other.get_long() && help(one) == help(other)
}

/// An option of the file, with its value if that has a line of its own.
struct ConfigOption<'t> {
    line: usize,
    arguments: Vec<&'t str>,
}

impl ConfigOption<'_> {
    /// Returns the definition of the option, or the reason why it is invalid.
    fn find<'d>(&self, definition: &'d Command) -> Result<&'d Arg, String> {
        let text = self.arguments[0];
        let (name, value) = match text.starts_with("--") {
            true => text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value))),
            false => {
                let name_end = text.char_indices().nth(2).map_or(text.len(), |(end, _)| end);
                (&text[..name_end], Some(&text[name_end..]).filter(|value| !value.is_empty()))
            }
        };
        let arg = args::option_of(definition, name).ok_or_else(|| match text.starts_with('-') {
            true => format!("there is no option {text}"),
            false => format!("'{text}' is not an option; name files on the command line"),
        })?;
        let most = usize::from(arg.get_action().takes_values());
        if self.arguments.len() - 1 + usize::from(value.is_some()) > most {
            return Err(format!(
                "'{}' is more than one option; write one option per line, and its value on the next line",
                self.arguments.join(" ")
            ));
        }
        Ok(arg)
    }
}

fn options(text: &str) -> Vec<ConfigOption<'_>> {
    let mut options: Vec<ConfigOption<'_>> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        match options.last_mut() {
            _ if line.is_empty() || line.starts_with('#') => {}
            Some(option) if !line.starts_with('-') => option.arguments.push(line),
            _ => options.push(ConfigOption { line: number + 1, arguments: vec![line] }),
        }
    }
    options
}
