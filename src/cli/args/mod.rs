//! The command line as plain data, and the help.
//!
//! Stage one of three (args → plan → work). This stage is independent of the environment: it opens
//! no file, inspects no terminal, and compiles no glob. It rejects only values that are invalid by
//! themselves; [`plan`](super::plan) rejects combinations. `-h`, `--help`, the man page and the
//! completions are all generated from this folder.
//!
//! `-h` fits a screen of 80 columns and 50 lines, so rarely needed options are `hide_short_help`.

mod audit;
mod find;
mod format;
mod habits;
mod parse;
mod reference;
mod remedy;
mod sections;
mod shared;
pub(crate) mod values;

pub(crate) use audit::{AuditArgs, ReportArgs};
use clap::{Arg, ArgAction, CommandFactory, Parser, Subcommand};

pub(crate) use find::{FindArgs, OutputArgs};
pub(crate) use habits::{HABITS, instead, instead_of_uu};
pub(crate) use parse::ParseArgs;
pub(crate) use reference::{AUDIT_REFERENCE, FIND_REFERENCE};
pub(crate) use remedy::with_remedy;
pub(crate) use sections::{FIND_SECTIONS, HelpSection, KEPT_BLANK, sections_of, text_of};
pub(crate) use shared::{CommonArgs, FilesArgs, SearchArgs, SelectArgs};
use urlgrep::Backend;
pub(crate) use values::{Generated, ReportFormat, When};

/// The whole command line.
///
/// `args_conflicts_with_subcommands` makes only the *first* argument a subcommand: in `urlgrep
/// x.txt parse` and `urlgrep -n parse` the word is a PATH. A file of that name must be written
/// `./parse` if it comes first.
#[derive(Debug, Parser)]
#[command(
    name = "urlgrep",
    version,
    about = "Find every URL in text, and get each one right",
    long_about = LONG_ABOUT,
    override_usage = USAGE,
    max_term_width = 79,
    help_expected = true,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    disable_help_subcommand = true,
    disable_version_flag = true,
)]
pub(crate) struct Cli {
    /// The subcommand, if the first argument names one.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The arguments of `urlgrep` itself.
    #[command(flatten)]
    pub(crate) find: FindArgs,
}

/// Returns the output of `--version`.
pub(crate) fn version(backend: Backend) -> String {
    format!(
        "{}\n\nfeatures: cli parallel report archive audit\ngrammar:  RFC 1738 (with 1808 fragments), RFC 3986, RFC 3987\nsimd:     {backend}",
        env!("CARGO_PKG_VERSION"),
    )
}

/// Returns the definition, with the parts that derive cannot express. They are the heading of
/// `--help` and `--version`, and the sections EXAMPLES, EXIT STATUS and ENVIRONMENT.
pub(crate) fn definition() -> clap::Command {
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    let whole = Cli::command()
        .arg(version.help("Print the version").help_heading("Other").hide_short_help(true))
        .after_help("More options, and examples: --help")
        .after_long_help(text_of(FIND_SECTIONS));
    let subcommands: Vec<String> = whole.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    subcommands.iter().fold(with_help(whole), |whole, name| {
        whole.mut_subcommand(name, |command| with_help(command).after_long_help(text_of(sections_of(name))))
    })
}

/// Returns the option of a command that has this name: `-x`, or a long one with `--`.
pub(crate) fn option_of<'c>(command: &'c clap::Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|option| match name.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        None => option.get_short().is_some_and(|short| name == format!("-{short}")),
    })
}

fn with_help(command: clap::Command) -> clap::Command {
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let help = help.help("Print help: -h in short, --help in full").hide_short_help(true);
    let has_others = command.get_arguments().any(|arg| arg.get_help_heading() == Some("Other"));
    command.disable_help_flag(true).arg(help.help_heading(has_others.then_some("Other")))
}

const USAGE: &str = "urlgrep [OPTIONS] [PATH]...        find URLs in files, folders or a pipe
       urlgrep parse [OPTIONS] [URL]...   validate URLs, and explain the errors
       urlgrep audit [OPTIONS] [PATH]...  report on the links of an archive";

const LONG_ABOUT: &str = "\
urlgrep finds the URLs in text files, mail and source code, and reports which grammar each one satisfies. It parses \
the <URL:...> wrappers of RFC 1738, and finds where a bare URL ends in running text. It joins URLs that are broken \
over lines, and removes reply and comment marks. Archives of mail and news are read as a mail reader does, with every \
part decoded.

PATH is a file or a folder. Without PATH, or if PATH is '-', urlgrep reads standard input. Files are searched in the \
order given, and folders are sorted by name. Matches are printed in the order of the text, for any number of threads. \
No file is skipped as binary.

If the first argument is 'parse' or 'audit', it is the subcommand; write './parse' for a file of that name.";

/// The names of the subcommands.
pub(crate) const SUBCOMMANDS: [&str; 2] = ["parse", "audit"];

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Parse, validate, explain and resolve URLs
    ///
    /// Parses each URL by RFC 1738 with a fragment. Prints whether it is valid, or the error and
    /// its place. One line per URL: 'URL: ok rfc1738', or 'URL: unsafe-gateway at 24: ...'. With
    /// --explain, and for a single URL on a terminal, it explains the URL in full.
    ///
    /// Without URL, or if URL is '-', reads one URL per line from standard input. A line ends with
    /// LF or CRLF, and an empty line is the empty string.
    #[command(hide = true)] // the usage already has it
    Parse(ParseArgs),
    /// Report on the links of a whole archive
    ///
    /// Reads files and folders as 'urlgrep' does, and reports their links. The report has totals by
    /// scheme, host, kind, level and year. It lists every distinct URL with its count and first
    /// place. Its findings are URLs that fit no grammar, doubtful readings, and dangerous,
    /// misleading or old links. Equivalent URLs are one: the case of scheme and host, a default
    /// port and needless escapes are ignored.
    ///
    /// A rule has one finding per URL, with its first place and a count. A broken link has one
    /// finding per place. Passwords are masked in every format, unless --show-secrets is given.
    #[command(hide = true)]
    Audit(Box<AuditArgs>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn find(args: &[&str]) -> FindArgs {
        let cli = Cli::try_parse_from([&["urlgrep"], args].concat()).unwrap();
        assert!(cli.command.is_none(), "{args:?}");
        cli.find
    }

    fn refused(args: &[&str]) -> String {
        Cli::try_parse_from([&["urlgrep"], args].concat()).unwrap_err().to_string()
    }

    #[test]
    fn the_definition_is_sound() {
        // Also fails for an option without help (`help_expected`).
        definition().debug_assert();
        assert_eq!(definition().get_subcommands().map(clap::Command::get_name).collect::<Vec<_>>(), SUBCOMMANDS);
    }

    #[test]
    fn short_help_is_one_screen_with_a_line_for_each_option() {
        let whole = definition();
        for mut command in [&whole].into_iter().chain(whole.get_subcommands()).cloned() {
            let help = command.render_help().to_string();
            assert!(help.lines().count() <= 50, "{} lines\n{help}", help.lines().count());
            for line in help.lines() {
                assert!(line.chars().count() <= 79, "{line}");
            }
            for option in command.get_arguments().filter(|arg| !arg.is_positional() && !arg.is_hide_short_help_set()) {
                let long = format!("--{}", option.get_long().unwrap());
                let lines = help.lines().filter(|line| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    words.first() == Some(&&*long) || words.get(1) == Some(&&*long)
                });
                assert_eq!(lines.count(), 1, "{long}\n{help}");
            }
            // A wrapped help text continues on an indented line that names no option.
            let wrapped = help
                .lines()
                .filter(|line| line.starts_with("            "))
                .filter(|line| !line.trim_start().starts_with('-'));
            assert_eq!(wrapped.collect::<Vec<_>>(), Vec::<&str>::new(), "{help}");
        }
    }

    #[test]
    fn short_help_fits_one_line_where_it_is_hidden_too() {
        let mut whole = definition();
        whole.build();
        for command in [&whole].into_iter().chain(whole.get_subcommands()) {
            for option in command.get_opts() {
                let help = option.get_help().unwrap();
                let line = format!("{option}  {help}");
                assert!(line.chars().count() <= 79 - "  -x, ".len(), "{line}");
            }
        }
    }

    #[test]
    fn the_help_of_format_lists_the_fields() {
        let definition = definition();
        let help = definition.get_opts().find(|option| option.get_long() == Some("format")).unwrap();
        let help = help.get_long_help().unwrap().to_string();
        let words: Vec<&str> = help.split([' ', ',', '.', '{', '}', '\n']).collect();
        let of_csv = ["error_kind", "error_offset", "error_message"];
        for name in urlgrep::report::FieldList::names().filter(|name| !name.contains('.') && !of_csv.contains(name)) {
            assert!(words.contains(&name), "{name} is missing");
        }
        assert!(help.contains("\\n, \\t, \\r, \\0 and \\\\ are"), "{help}");
    }

    #[test]
    fn no_example_is_broken() {
        let columns = 60;
        let sections = [FIND_SECTIONS, sections_of("parse"), sections_of("audit")].concat();
        let examples = sections.into_iter().filter(|(title, _)| *title == "EXAMPLES").flat_map(|(_, rows)| rows.iter());
        let mut whole = definition();
        whole.build();
        let help = |command: &clap::Command| command.clone().term_width(columns).render_long_help().to_string();
        let help: String = [&whole].into_iter().chain(whole.get_subcommands()).map(help).collect();
        let help = help.replace(KEPT_BLANK, " ");
        let of_options = help
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("urlgrep --generate") || line.contains(" | urlgrep --"));
        assert!(of_options.count() >= 3, "{help}");
        for command in examples.flat_map(|(command, _)| command.split("; ")) {
            assert!(help.lines().any(|line| line.trim() == command), "{command}\n{help}");
        }
    }

    #[test]
    fn long_help_fits_79_columns_and_teaches() {
        let help = definition().render_long_help().to_string();
        for line in help.lines() {
            assert!(line.chars().count() <= 79, "{line}");
        }
        for word in ["EXAMPLES", "EXIT STATUS", "'./parse'", "*.cern.ch"] {
            assert!(help.contains(word), "{word} is missing");
        }
    }

    #[test]
    fn every_option_has_short_and_long_help_without_a_final_stop() {
        let definition = definition();
        let mut seen = 0;
        for arg in [&definition].into_iter().chain(definition.get_subcommands()).flat_map(clap::Command::get_arguments)
        {
            let short = arg.get_help().unwrap_or_else(|| panic!("{} has no help", arg.get_id())).to_string();
            assert!(!short.ends_with('.'), "{short}");
            assert!(!short.is_empty());
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn values_named_in_the_help_are_the_values() {
        let definition = definition();
        let mut seen = 0;
        for arg in [&definition].into_iter().chain(definition.get_subcommands()).flat_map(clap::Command::get_arguments)
        {
            let values = arg.get_possible_values();
            if values.is_empty() || !arg.get_action().takes_values() {
                continue;
            }
            let text = format!(
                "{} {}",
                arg.get_help().unwrap(),
                arg.get_long_help().map(ToString::to_string).unwrap_or_default()
            );
            for value in values {
                assert!(text.contains(value.get_name()), "--{} does not tell of {}", arg.get_id(), value.get_name());
                seen += 1;
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn only_the_first_argument_is_the_subcommand() {
        assert!(Cli::try_parse_from(["urlgrep", "parse", "http://h/"]).unwrap().command.is_some());
        for args in [&["x.txt", "parse"][..], &["-n", "parse"], &["./parse"], &["--", "parse"], &["-g", "parse", "x"]] {
            find(args);
        }
        assert_eq!(find(&["-n", "parse"]).paths, [PathBuf::from("parse")]);
        assert_eq!(find(&["x.txt", "parse"]).paths.len(), 2);
        assert_eq!(find(&["help"]).paths, [PathBuf::from("help")]);
    }

    #[test]
    fn find_options_are_not_parse_options() {
        for option in ["-n", "-c", "--csv", "--host=h", "--range=1:2", "--rejoin=none"] {
            let name = option.split('=').next().unwrap();
            assert!(refused(&["parse", option, "http://h/"]).contains(name), "{option}");
        }
        assert!(refused(&["parse", "--resolve", "3986", "x"]).contains("--base"));
    }

    #[test]
    fn counts_and_lists_are_not_json() {
        for shape in ["--json", "--csv"] {
            for other in ["-c", "-l", "-L"] {
                refused(&[shape, other]);
                refused(&[other, shape]);
            }
        }
        refused(&["--json", "--csv"]);
        refused(&["--strict", "--level", "iri"]);
    }

    #[test]
    fn the_last_of_a_kind_counts() {
        let output = find(&["-c", "-l"]).output;
        assert!(output.files_with_matches && !output.count);
        let output = find(&["-L", "-l", "-c"]).output;
        assert!(output.count && !output.files_with_matches && !output.files_without_match);
        let output = find(&["-H", "-I"]).output;
        assert!(output.no_filename && !output.with_filename);
        assert_eq!(find(&["--color=always", "--color", "never"]).output.shown.color.when(), When::Never);
    }

    #[test]
    fn schemes() {
        let schemes = find(&["-s", "HTTP,z39.50r,!FTP", "--scheme=svn+ssh"]).common.select.scheme;
        let schemes: Vec<String> = schemes.iter().map(ToString::to_string).collect();
        assert_eq!(schemes, ["http", "z39.50r", "!ftp", "svn+ssh"]);
        for wrong in ["http://", "", "http,", "ht tp", "!", "!!http"] {
            assert!(refused(&["--scheme", wrong]).contains("without '://'"), "{wrong}");
        }
    }
}
