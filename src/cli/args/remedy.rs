//! Advice for errors where clap only states the problem.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use urlgrep::report::FieldList;

use crate::cli::near::nearest;

/// Pairs of options that exclude each other, with an alternative.
const REMEDIES: &[(&str, &str, &str)] = &[
    ("--format", "--json", "leave one out; '--json --fields url,host' has only some fields"),
    ("--format", "--csv", "leave one out; '--csv --fields url,host' has only some columns"),
    ("--format", "--all-readings", "the field '{readings}' has all of them"),
    ("--context", "--json", "leave one out; records have the offset, length and line of each match"),
    ("--context", "--csv", "leave one out; records have the offset, length and line of each match"),
    ("--context", "--format", "leave one out; lines are shown as they are, with the fields of -n, -b and --column"),
    ("--context", "--defang", "leave one out; lines are shown as they are, with the URLs in them"),
    ("--context", "--first-said", "leave one out; -u shows each URL once, where it comes first"),
    ("--context", "--all-readings", "leave one out; lines hold the text, not its readings"),
    ("--defang", "--json", "JSON is exact; '--format {url}' is defanged"),
    ("--defang", "--csv", "CSV is exact; '--format {url},{host}' is defanged"),
];

/// The advice for `--fields` without a format that has fields.
const FIELDS: &str = "add --json or --csv; for text use --format '{url} {host}'";

/// Suggests a field for the first unknown name, in a list or in the braces of a template.
fn meant_field(value: &str) -> Option<String> {
    let names = match value.contains('{') {
        true => value.split('{').skip(1).filter_map(|piece| piece.split_once('}').map(|(name, _)| name)).collect(),
        false => value.split(',').map(str::trim).collect::<Vec<_>>(),
    };
    let is_unknown = |name: &&str| *name != "target" && FieldList::names().all(|field| field != *name);
    let unknown = names.into_iter().find(is_unknown)?;
    nearest(unknown, FieldList::names()).map(|field| format!("did you mean '{field}'?"))
}

/// Adds a remedy to the error, if there is one. Removes clap's suggestion of an option whose name
/// is not [near](nearest), because it would do something else.
pub(crate) fn with_remedy(mut error: clap::Error) -> clap::Error {
    let named = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(name)) => vec![name.clone()],
        Some(ContextValue::Strings(names)) => names.clone(),
        _ => Vec::new(),
    };
    let (invalid, prior) = (named(ContextKind::InvalidArg), named(ContextKind::PriorArg));
    let suggested = named(ContextKind::SuggestedArg);
    let is_named = |option: &str| {
        let is = |name: &String| match name.split(['=', ' ']).next() {
            Some("--after-context" | "--before-context") => option == "--context",
            name => name == Some(option),
        };
        invalid.iter().chain(&prior).any(is)
    };
    let is_near =
        |name: &String| nearest(name.trim_start_matches('-'), suggested.iter().map(|name| &name[2..])).is_some();
    let is_meant = invalid.first().is_some_and(is_near);
    let remedy = match error.kind() {
        ErrorKind::ArgumentConflict => {
            let found = REMEDIES.iter().find(|(one, other, _)| is_named(one) && is_named(other));
            found.map(|(.., remedy)| (*remedy).to_owned())
        }
        ErrorKind::MissingRequiredArgument => {
            invalid.iter().any(|name| name.contains("--json")).then(|| FIELDS.to_owned())
        }
        ErrorKind::ValueValidation if is_named("--fields") || is_named("--format") => {
            named(ContextKind::InvalidValue).first().and_then(|value| meant_field(value))
        }
        _ => None,
    };
    if !suggested.is_empty() && !is_meant {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage); // clap shows the suggestion there, too
    }
    if let Some(remedy) = remedy {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(remedy)]));
    }
    error
}
