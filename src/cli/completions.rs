//! Shell completions: the scripts of clap_complete, with two corrections. A subcommand can only be
//! the first word, and options may follow files.

use clap::builder::PossibleValuesParser;
use clap::{Command, Id};
use clap_complete::Shell;
use urlgrep::audit::Rule;
use urlgrep::report::FieldList;

use super::args;
use super::types;

/// Generates the script for a shell.
pub(crate) fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_suggestions(args::definition()), "urlgrep", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    match shell {
        Shell::Zsh => zsh(&script),
        Shell::Fish => fish(&script),
        _ => script,
    }
}

/// Adds suggestions to the options that accept lists of names. The command itself accepts other
/// values, too.
fn with_suggestions(definition: Command) -> Command {
    let suggested = |command: Command| {
        let ids: Vec<Id> = command.get_arguments().map(|arg| arg.get_id().clone()).collect();
        ids.into_iter().fold(command, |command, id| {
            let names: Vec<&'static str> = match id.as_str() {
                "scheme" => urlgrep::known_schemes().collect(),
                // clap requires texts that live as long as the program.
                "types" | "types_not" => types::names().into_iter().map(|name| &*name.leak()).collect(),
                "fields" => FieldList::names().collect(),
                "allow" | "deny" => Rule::ALL.iter().map(|rule| rule.id()).collect(),
                _ => return command,
            };
            command.mut_arg(id, |arg| arg.value_parser(PossibleValuesParser::new(names)))
        })
    };
    suggested(definition).mut_subcommands(suggested)
}

/// Corrects the script for zsh. After a PATH, clap_complete's script looks for a subcommand, and
/// suggests no further option. In the corrected script, the first word decides whether there is a
/// subcommand.
fn zsh(script: &str) -> String {
    let rest = r#"    local -a rest before
    if (( CURRENT == 2 )); then
        rest=('*: :{ _urlgrep_commands; _files }')
    elif [[ $words[2] == (parse|audit) ]]; then
        before=(-A '-*')
        rest=(': :_urlgrep_commands' '*::: :->urlgrep')
    else
        rest=('*: :_files')
    fi
"#;
    let mut mended = String::new();
    for line in script.split_inclusive('\n') {
        match line.trim_end() {
            r#"    local context curcontext="$curcontext" state line"# => mended.extend([line, rest]),
            r#"    _arguments "${_arguments_options[@]}" : \"# => {
                mended.push_str(&line.replace(" : ", " \"${before[@]}\" : "));
            }
            r#"":: :_urlgrep_commands" \"# => mended.push_str("\"${rest[@]}\" \\\n"),
            r#""*::: :->urlgrep" \"# => {}
            path if path.starts_with("'::paths ") => {}
            // Two colons would hide the options before a path.
            paths if paths.starts_with("'*::paths ") || paths.starts_with("'*::urls ") => {
                mended.push_str(&line.replacen("'*::", "'*:", 1));
            }
            _ => mended.push_str(&line.replace("$line[2]", "$line[1]")),
        }
    }
    mended
}

/// Corrects the script for fish. clap_complete's script parses the command line to find a
/// subcommand. That parser fails for a short option that is not a letter (`-.`), and whenever a
/// value is completed. The script also offers no option after a PATH.
fn fish(script: &str) -> String {
    let conditions = r#"# The first word is a subcommand, or there is none.
function __fish_urlgrep_needs_command
    set -l words (commandline -opc)
    not contains -- "$words[2]" parse audit
end

function __fish_urlgrep_is_first
    test (count (commandline -opc)) -eq 1
end

function __fish_urlgrep_using_subcommand
    set -l words (commandline -opc)
    contains -- "$words[2]" $argv
end

"#;
    let lines = script.split_inclusive('\n').skip_while(|line| !line.starts_with("complete "));
    let lines =
        lines.map(|line| match args::SUBCOMMANDS.iter().any(|name| line.contains(&format!(" -a \"{name}\""))) {
            true => line.replace("__fish_urlgrep_needs_command", "__fish_urlgrep_is_first"),
            false => line.to_owned(),
        });
    std::iter::once(conditions.to_owned()).chain(lines).collect()
}
