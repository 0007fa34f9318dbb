//! The everyday options of ripgrep: the options that replace them here, or why there are none.
//!
//! The man page has the table. A user who types a missing option gets its advice.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{definition, option_of};

/// An option of ripgrep.
#[derive(Debug)]
pub(crate) struct Habit {
    /// Its names in ripgrep.
    pub(crate) theirs: &'static str,
    /// The option to type here; empty if there is none.
    pub(crate) ours: &'static str,
    /// How it differs, or why there is none.
    word: &'static str,
}

const fn habit(theirs: &'static str, ours: &'static str, word: &'static str) -> Habit {
    Habit { theirs, ours, word }
}

impl Habit {
    /// Returns the advice for this option.
    pub(crate) fn advice(&self) -> String {
        let Self { ours, word, .. } = *self;
        let ours = match ours {
            "" => return word.to_owned(),
            ours if self.is_named(ours) => "the same".to_owned(),
            ours => format!("here it is {ours}"),
        };
        if word.is_empty() { ours } else { format!("{ours}; {word}") }
    }

    /// Returns whether an audit has the option to type here, too.
    fn is_of_audit(&self) -> bool {
        let definition = definition();
        let audit = definition.find_subcommand("audit");
        self.ours.is_empty() || audit.is_some_and(|audit| option_of(audit, self.ours).is_some())
    }

    /// Returns whether ripgrep has the option under this name.
    fn is_named(&self, name: &str) -> bool {
        self.theirs.split(", ").any(|theirs| theirs == name)
    }
}

const NO_PATTERN: &str =
    "every URL is found, so there is no pattern; choose by --host, --scheme or --kind, or grep the output";
const CASELESS: &str = "there is no pattern, and hosts and schemes are compared without case: leave it out";

/// The options, grouped by purpose.
pub(crate) const HABITS: &[Habit] = &[
    habit("-e, --regexp", "", NO_PATTERN),
    habit("-f, --file", "--host-file", "a list of hosts"),
    habit("-F, --fixed-strings", "", NO_PATTERN),
    habit("-P, --pcre2", "", NO_PATTERN),
    habit("-i, --ignore-case", "", CASELESS),
    habit("-S, --smart-case", "", CASELESS),
    habit("-v, --invert-match", "--host, --scheme", "'!' excludes hosts, as in --host '!*.example.org'"),
    habit("-w, --word-regexp", "", "only whole URLs are found: leave it out"),
    habit("-x, --line-regexp", "", NO_PATTERN),
    habit("-U, --multiline", "--rejoin", "URLs are rejoined over lines already: leave -U out"),
    habit("-m, --max-count", "-m", "matches, not lines"),
    habit("-o, --only-matching", "-o", "it is the default"),
    habit("-r, --replace", "--replace", "a template, as in '[{host}]({url})'; -r is --recursive, as in grep"),
    habit("-n, --line-number", "-n", ""),
    habit("-N, --no-line-number", "-N", ""),
    habit("-b, --byte-offset", "-b", ""),
    habit("--column", "--column", ""),
    habit("-H, --with-filename", "-H", ""),
    habit("-I, --no-filename", "-I", ""),
    habit("--heading", "", "each line names its file: leave it out"),
    habit("--no-heading", "", "there are no headings: leave it out"),
    habit("-p, --pretty", "--color always -n", ""),
    habit("--vimgrep", "-H -n --column", ""),
    habit("-c, --count", "-c", "matches, not lines, and also 0"),
    habit("--count-matches", "-c", ""),
    habit("-l, --files-with-matches", "-l", ""),
    habit("--files-without-match", "-L", ""),
    habit("-q, --quiet", "-q", ""),
    habit("-0, --null", "-0", ""),
    habit("--json", "--json", "one match per line, and no other lines"),
    habit("-A, --after-context", "-A", ""),
    habit("-B, --before-context", "-B", ""),
    habit("-C, --context", "-C", ""),
    habit("--hyperlink-format", "--hyperlink-format", ""),
    habit("--color", "--color", ""),
    habit("--line-buffered", "--line-buffered", "without it, output is flushed when a pipe pauses"),
    habit("--block-buffered", "", "output to a pipe or file is buffered until the input pauses: leave it out"),
    habit("--stats", "--stats", ""),
    habit("--trim", "", "URLs are printed, not lines: leave it out"),
    habit("-M, --max-columns", "", "URLs are printed whole: leave it out"),
    habit("-a, --text", "-a", "it is the default"),
    habit("--binary", "", "no file is skipped as binary: leave it out"),
    habit("-E, --encoding", "--input", "mail and HTML declare their own charsets"),
    habit("-z, --search-zip", "-z", ""),
    habit("-t, --type", "-t", ""),
    habit("-T, --type-not", "-T", ""),
    habit("--type-list", "--type-list", ""),
    habit("-g, --glob", "-g", ""),
    habit("--iglob", "--iglob", ""),
    habit("-., --hidden", "-.", ""),
    habit("--no-ignore", "--no-ignore", ""),
    habit("-u, --unrestricted", "--no-ignore --hidden", "-u is --unique, and once is enough"),
    habit("-L, --follow", "--follow", "in short -R; -L is --files-without-match, as in grep"),
    habit("-d, --max-depth", "-d", ""),
    habit("--max-filesize", "--max-filesize", ""),
    habit("--files", "--files", ""),
    habit("--no-messages", "--no-messages", ""),
    habit("--sort", "", "the output is sorted, by PATH, name and place: leave it out"),
    habit("-j, --threads", "-j", ""),
    habit("--no-config", "--no-config", "it ignores the file of URLGREP_CONFIG_PATH"),
];

/// Options that users of grep and of other finders type.
const OTHERS: &[Habit] = &[
    habit("--include", "-g", "as in -g '*.txt'"),
    habit("--exclude", "-g", "'!' excludes files, as in -g '!*.log'; --host '!NAME' excludes URLs"),
    habit("--exclude-dir", "-g", "'!' excludes folders, as in -g '!target/'"),
    habit("--output", "", "write '> FILE' after it"),
    habit("--files-from, --files0-from", "", "file names are arguments: find . -print0 | xargs -0 urlgrep -H"),
    habit("--domain, --domains, --site", "--host", "as in --host 'example.com,*.example.com'"),
    habit("--exclude-host, --exclude-domain", "--host", "'!' excludes hosts, as in --host '!*.example.org'"),
    habit("--email, --emails, --mail", "-s", "as in -s mailto; an address without 'mailto:' is no URL"),
    habit("--open, --browser", "", "pass the URL on: xdg-open \"$(urlgrep FILE | sed -n 3p)\""),
    habit("--update-baseline, --write-baseline", "", "write a new one: urlgrep audit --format json PATH > FILE"),
    habit("--check, --verify, --dead", "", "urlgrep opens no connection; a checker does: urlgrep -u FILE | lychee -"),
    habit("--nth, --index", "", "choose a line: urlgrep FILE | sed -n 3p"),
    habit("--limit, --max", "-m", "matches of each file"),
    habit("--markdown, --md", "--replace", "as in --replace '[{host}]({url})'"),
    habit("--in-place", "", "write '> FILE' after --heal or --replace, then rename it"),
    habit("--duplicates, --repeated", "--count-by", "as in --count-by page"),
    habit("--broken, --unwrap, --join", "--rejoined", "--heal prints the text with these URLs whole"),
    habit("--why, --verbose", "--explain", ""),
    habit("--tsv", "--format", "as in --format '{url}\\t{host}'"),
    habit("--ndjson, --jsonl", "--json", "it is JSON Lines"),
    habit("--group-by", "--count-by", "as in --count-by host"),
    habit("--protocol, --protocols", "-s", "as in -s http,https"),
    habit("--strip-query", "--unique-by", "as in --unique-by page; --format '{page}' prints no query"),
    habit("--validate", "", "urlgrep parse validates: urlgrep parse URL"),
    habit("--passthru, --passthrough", "--heal", "prints the text itself, each broken URL on one line"),
    // Options of xurls, lychee and urlscan.
    habit("--relaxed, --fuzzy", "--www --names", "names without a scheme, such as www.example.com and bit.ly/x"),
    habit("--exclude-mail", "-s", "'!' excludes schemes, as in -s '!mailto'"),
    habit("--dump", "", "urlgrep prints the URLs already: leave it out"),
    habit("--dedupe", "-u", ""),
    habit("--no-dedupe", "", "every match is printed without -u: leave it out"),
    habit("--completion, --completions, --generate-completion", "--generate", "as in --generate bash"),
];

/// Options that an audit replaces by others.
const AUDIT: &[Habit] = &[
    habit("--json", "--format json", ""),
    habit("--jsonl", "--format jsonl", ""),
    habit("--csv", "--format csv", ""),
    habit("--html", "--format html", ""),
    habit("--sarif", "--format sarif", ""),
    habit("--urls", "--format urls", ""),
    habit("-u, --unique", "--format urls", "each URL is there once"),
    habit("-c, --count", "", "a report has the counts, and --format json has all of them"),
    habit("-q, --quiet", "--fail-on", "use the exit status, as in --fail-on high >/dev/null"),
    habit("-o, --output", "", "write '> FILE' after it"),
];

/// Returns an option that `urlgrep`, or a subcommand, does not have, and what to do instead.
pub(crate) fn instead(error: &clap::Error, subcommand: Option<&str>) -> Option<(String, String)> {
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(unknown))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    else {
        return None;
    };
    let habit = match subcommand {
        None => find(HABITS, unknown).or_else(|| find(OTHERS, unknown)),
        Some("audit") => find(AUDIT, unknown).or_else(|| find(OTHERS, unknown).filter(|habit| habit.is_of_audit())),
        Some(_) => None,
    };
    let advice = habit.map(Habit::advice).or_else(|| elsewhere(unknown, subcommand))?;
    Some((unknown.clone(), advice))
}

/// Describes which command has an option.
fn elsewhere(option: &str, subcommand: Option<&str>) -> Option<String> {
    let definition = definition();
    if let Some(subcommand) = subcommand {
        return option_of(&definition, option).map(|_| {
            format!("is an option of urlgrep itself; 'urlgrep {subcommand} --help' lists the options of {subcommand}")
        });
    }
    let owners = definition.get_subcommands().filter(|owner| option_of(owner, option).is_some());
    let owners: Vec<String> = owners.map(|owner| format!("urlgrep {}", owner.get_name())).collect();
    (!owners.is_empty()).then(|| format!("is an option of {}", owners.join(" and of ")))
}

/// Returns advice against `-uu`, which clap parses as `-u`. Two separate `-u` may come from a
/// script, and are harmless.
pub(crate) fn instead_of_uu(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let is_doubled = |argument: OsString| {
        let Some(shorts) = argument.to_str().and_then(|argument| argument.strip_prefix('-')) else { return false };
        if shorts.starts_with('-') || shorts.matches('u').count() < 2 {
            return false;
        }
        // The rest of an argument after an option with a value is that value.
        let definition = definition();
        let takes_value = |&short: &char| {
            definition.get_arguments().any(|arg| arg.get_short() == Some(short) && arg.get_action().takes_values())
        };
        shorts.chars().take_while(|short| !takes_value(short)).filter(|&short| short == 'u').count() > 1
    };
    let mut options = arguments.skip(1).take_while(|argument| argument != "--");
    options.any(is_doubled).then(|| find(HABITS, "-u").map(Habit::advice)).flatten()
}

fn find<'h>(habits: &'h [Habit], option: &str) -> Option<&'h Habit> {
    habits.iter().find(|habit| habit.is_named(option))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_typed_exists() {
        let definition = definition();
        let has = |name: &str| option_of(&definition, name).is_some();
        let names = |text: &'static str| {
            text.split([' ', ',', ';', ':']).filter(|word| word.len() > 1 && word.starts_with('-'))
        };
        assert!(HABITS.len() >= 40);
        let mut seen = 0;
        for Habit { theirs, ours, word } in HABITS.iter().chain(OTHERS) {
            for name in names(ours) {
                assert!(has(name), "{theirs}: there is no {name}");
                seen += 1;
            }
            assert!(!ours.is_empty() || !word.is_empty(), "{theirs}");
            // A short option of theirs must be unknown here, so that the advice is shown.
            for name in names(theirs).filter(|name| names(ours).all(|ours| ours != *name) && ours.len() == 2) {
                assert!(name.starts_with("--") || !has(name), "{theirs}: {name} is another option here");
            }
        }
        assert!(seen > 40, "{seen}");
        let audit = definition.find_subcommand("audit").unwrap();
        for Habit { theirs, ours, .. } in AUDIT {
            assert!(names(ours).all(|name| option_of(audit, name).is_some()), "{theirs}: there is no {ours}");
        }
    }
}
