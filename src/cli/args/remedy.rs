//! What to do instead, where clap only says what is wrong.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Two options that do not go together, and what does.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("--format", "--json", "leave one out; '--json --fields url,host' has only some fields"),
    ("--format", "--csv", "leave one out; '--csv --fields url,host' has only some columns"),
    ("--format", "--all-readings", "the field '{readings}' has all of them"),
    ("--defang", "--json", "JSON is exact; '--format {url}' is defanged"),
    ("--defang", "--csv", "CSV is exact; '--format {url},{host}' is defanged"),
];

/// What `--fields` needs.
const FIELDS: &str = "add --json or --csv; text with these fields is made by --format '{url} {host}'";

/// The same error, with a remedy if there is one.
pub(crate) fn with_remedy(mut error: clap::Error) -> clap::Error {
    let named = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(name)) => vec![name.clone()],
        Some(ContextValue::Strings(names)) => names.clone(),
        _ => Vec::new(),
    };
    let (invalid, prior) = (named(ContextKind::InvalidArg), named(ContextKind::PriorArg));
    let is_named = |option: &str| {
        let is = |name: &String| name.split(['=', ' ']).next() == Some(option);
        invalid.iter().chain(&prior).any(is)
    };
    let remedy = match error.kind() {
        ErrorKind::ArgumentConflict => {
            let found = REMEDIES.iter().find(|(one, other, _)| is_named(one) && is_named(other));
            found.map(|(.., remedy)| *remedy)
        }
        ErrorKind::MissingRequiredArgument => invalid.iter().any(|name| name.contains("--json")).then_some(FIELDS),
        _ => None,
    };
    if let Some(remedy) = remedy {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(remedy)]));
    }
    error
}
