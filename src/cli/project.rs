//! `.urlgrep.toml`: a repository's settings for the audit of its own links.
//!
//! ```toml
//! fail-on = "medium"
//! type = ["md", "html"]
//! host = "!*.internal.example"
//!
//! [[ignore]]
//! url = "http://localhost*"
//! reason = "the server that the tutorial starts"
//! ```
//!
//! Keys are long options of `urlgrep audit`, restricted to [`OPTIONS`]. Anybody can write the file,
//! so it must not make an audit show secrets or write files. The options are inserted before the
//! command line, like the options of [`config`](super::config).
//!
//! The file is searched for in the working folder and its parents, up to the folder that holds
//! `.git`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, Command};
use serde::Deserialize;
use toml::{Table, Value};

use super::args;
use super::config::is_refused;
use super::guard;
use super::walk::path_bytes;
use crate::command::Ignored;
use crate::command::model::Configuration;

/// The name of the file.
pub(crate) const NAME: &str = ".urlgrep.toml";

/// The remedy that needs no change of the file.
const REMEDY: &str = "ignore it with --no-config";

/// The options that the file may set.
const OPTIONS: [&str; 17] = [
    "allow",
    "baseline",
    "deny",
    "fail-on",
    "for",
    "glob",
    "hidden",
    "host",
    "iglob",
    "kind",
    "longest",
    "max-depth",
    "scheme",
    "search-zip",
    "top",
    "type",
    "type-not",
];

/// The contents of the file.
#[derive(Debug, Default)]
pub(crate) struct Project {
    /// Arguments of `urlgrep audit`, each with its value after `=`.
    pub(crate) arguments: Vec<OsString>,
    /// Findings that the repository dismisses.
    pub(crate) ignored: Vec<Ignored>,
    /// The settings, as a report names them. `None` if the file has none.
    pub(crate) configuration: Option<Configuration>,
}

/// A file that cannot be used: its name, and the reason.
pub(crate) type ProjectError = (Vec<u8>, String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IgnoreTable {
    url: String,
    rule: Option<String>,
    reason: String,
}

/// Reads the file for the working folder if the arguments call `urlgrep audit` without
/// `--no-config`.
pub(crate) fn of(arguments: &[OsString], definition: impl FnOnce() -> Command) -> Result<Project, ProjectError> {
    if arguments.get(1).is_none_or(|first| first != "audit") || is_refused(arguments) {
        return Ok(Project::default());
    }
    let definition = definition();
    match (std::env::current_dir(), definition.find_subcommand("audit")) {
        (Ok(folder), Some(audit)) => Project::find(&folder, audit),
        _ => Ok(Project::default()),
    }
}

impl Project {
    /// Returns the command line with the file's arguments inserted after the subcommand, so that
    /// the typed options override them.
    pub(crate) fn before(&self, arguments: &[OsString]) -> Vec<OsString> {
        let (command, rest) = arguments.split_at(arguments.len().min(2));
        [command, &self.arguments, rest].concat()
    }

    /// Reads the file of the folder or of its nearest parent. If there is no file, the project is
    /// empty. `definition` is the definition of `urlgrep audit`.
    pub(crate) fn find(folder: &Path, definition: &Command) -> Result<Project, ProjectError> {
        let Some((above, path)) = find(folder) else { return Ok(Project::default()) };
        let refused = |why: String| (path_bytes(&path), why);
        let text = guard::read(&path, guard::MOST_GLOBS, REMEDY).map_err(|error| refused(error.to_string()))?;
        let mut project = Project::read(&text, path.parent().unwrap_or(Path::new("")), definition).map_err(refused)?;
        if let Some(configuration) = &mut project.configuration {
            configuration.file = format!("{}{NAME}", "../".repeat(above));
        }
        Ok(project)
    }

    /// Returns whether the file sets one of these options.
    pub(crate) fn sets(&self, options: &[&str]) -> bool {
        let is_of = |argument: &OsString, option: &str| {
            let name = argument.as_encoded_bytes().strip_prefix(b"--").unwrap_or_default();
            name.split(|&byte| byte == b'=').next() == Some(option.as_bytes())
        };
        self.arguments.iter().any(|argument| options.iter().any(|option| is_of(argument, option)))
    }

    /// Reads the text of a file in `folder`.
    fn read(text: &str, folder: &Path, definition: &Command) -> Result<Project, String> {
        let mut table: Table =
            text.parse().map_err(|error: toml::de::Error| error.to_string().trim_end().to_owned())?;
        let ignored = table.remove("ignore").map_or(Ok(Vec::new()), ignored)?;
        let settings: Vec<String> =
            table.iter().map(|(name, value)| format!("{name} = {}", cut(shown(value)))).collect();
        let has_any = !ignored.is_empty() || !settings.is_empty();
        let configuration = has_any.then(|| Configuration { file: NAME.to_owned(), settings, ignores: ignored.len() });
        let mut arguments = Vec::new();
        for (name, value) in table {
            let known = args::option_of(definition, &format!("--{name}")).filter(|_| OPTIONS.contains(&&*name));
            let Some(arg) = known else {
                return Err(format!("there is no key {name}; the keys are {} and [[ignore]]", OPTIONS.join(", ")));
            };
            let values = if let Value::Array(values) = value { values } else { vec![value] };
            for value in values {
                arguments.extend(argument(&name, arg, value, folder)?);
            }
        }
        Ok(Project { arguments, ignored, configuration })
    }
}

/// Reads the tables `[[ignore]]`.
fn ignored(tables: Value) -> Result<Vec<Ignored>, String> {
    let tables: Vec<IgnoreTable> = tables
        .try_into()
        .map_err(|error| format!("[[ignore]]: {error}; it needs url and reason, and may have rule"))?;
    let ignored = tables.into_iter().map(|IgnoreTable { url, rule, reason }| match reason.trim() {
        "" => Err(format!("[[ignore]] of {url}: reason is empty; write why the finding is not a problem")),
        _ => Ignored::new(&url, rule.as_deref(), reason),
    });
    ignored.collect()
}

/// Returns the argument for a value of an option. A flag that is `false` needs none.
fn argument(name: &str, arg: &Arg, value: Value, folder: &Path) -> Result<Option<OsString>, String> {
    let is_flag = matches!(arg.get_action(), ArgAction::SetTrue);
    match value {
        Value::Boolean(yes) if is_flag => Ok(yes.then(|| format!("--{name}").into())),
        _ if is_flag => Err(format!("{name} must be true or false")),
        Value::Integer(number) => Ok(Some(format!("--{name}={number}").into())),
        Value::String(text) => {
            let mut argument = OsString::from(format!("--{name}="));
            // A baseline's path is relative to the folder of this file.
            match name == "baseline" {
                true => argument.push(baseline(&folder.join(text))?),
                false => argument.push(text),
            }
            Ok(Some(argument))
        }
        _ => Err(format!("{name} must be a string, a number or a list of them")),
    }
}

/// Cuts the value of an option that is too long for a report.
fn cut(mut value: String) -> String {
    /// The most characters of a value.
    const MOST: usize = 200;
    if let Some((end, _)) = value.char_indices().nth(MOST) {
        value.truncate(end);
        value.push('…');
    }
    value
}

/// Formats the value of an option, as TOML has it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Array(values) => format!("[{}]", values.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.type_str().to_owned(),
    }
}

/// Returns the path of a baseline if it may be read. A stranger may have chosen it.
fn baseline(path: &Path) -> Result<&Path, String> {
    match guard::size(path, guard::MOST_BASELINE, REMEDY) {
        // If it cannot be inspected, reading it reports why.
        Err(_) | Ok(Ok(_)) => Ok(path),
        Ok(Err(why)) => Err(format!("baseline: {} {why}", path.display())),
    }
}

/// Returns the path of the file in a folder or its nearest parent, and the number of parents in
/// between. The search ends at the folder that holds `.git`.
fn find(folder: &Path) -> Option<(usize, PathBuf)> {
    for (above, folder) in folder.ancestors().enumerate() {
        let path = folder.join(NAME);
        if path.exists() {
            return Some((above, path));
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Project, String> {
        let definition = args::definition();
        let audit = definition.find_subcommand("audit").expect("the subcommand");
        Project::read(text, Path::new("/r"), audit)
    }

    #[test]
    fn keys_are_options() {
        let text = "fail-on = \"medium\"\ntype = [\"md\", \"html\"]\nhidden = true\nsearch-zip = false\ntop = 5\nbaseline = \"links.json\"\n";
        let arguments = read(text).unwrap().arguments;
        assert_eq!(
            arguments,
            ["--baseline=/r/links.json", "--fail-on=medium", "--hidden", "--top=5", "--type=md", "--type=html"]
        );
    }

    #[test]
    fn each_option_is_one_of_an_audit() {
        let definition = args::definition();
        let audit = definition.find_subcommand("audit").expect("the subcommand");
        for name in OPTIONS {
            assert!(audit.get_arguments().any(|arg| arg.get_long() == Some(name)), "{name}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, why) in [
            ("db = \"x\"\n", "there is no key db; the keys are allow, baseline,"),
            ("show-secrets = true\n", "there is no key show-secrets"),
            ("fail-on = medium\n", "TOML parse error at line 1"),
            ("hidden = \"yes\"\n", "hidden must be true or false"),
            ("top = 1.5\n", "top must be a string, a number or a list of them"),
            ("[[ignore]]\nurl = \"http://h/*\"\n", "[[ignore]]: missing field `reason`"),
            ("[[ignore]]\nurl = \"http://h/*\"\nreason = \" \"\n", "[[ignore]] of http://h/*: reason is empty"),
            ("[[ignore]]\nurl = \"http://h/*\"\nreason = \"x\"\nfile = \"a\"\n", "[[ignore]]: unknown field `file`"),
            ("[[ignore]]\nurl = \"{\"\nreason = \"x\"\n", "[[ignore]] of {: "),
            ("[[ignore]]\nurl = \"*\"\nrule = \"NONE\"\nreason = \"x\"\n", "[[ignore]] of *: there is no rule NONE"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
