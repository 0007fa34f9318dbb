//! The values of options. Values that the library has are parsed into its own types.

use std::ffi::OsStr;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use clap_complete::Shell;
use urlgrep::archive::ReadAs;
use urlgrep::audit::Severity;
use urlgrep::url::{resolve_1808, resolve_3986};
use urlgrep::{HyphenOrder, Kind, Level, ParseError, Rejoin};

use crate::command::ReportReader;

/// The values of an option: the text, the value, and the description in the completions.
pub(crate) type Values<T> = &'static [(&'static str, T, &'static str)];

pub(crate) const KINDS: Values<Kind> = &[
    ("wrapped", Kind::Wrapped, "`<URL:…>`"),
    ("angle", Kind::Angle, "`<scheme:…>`"),
    ("prefixed", Kind::Prefixed, "`URL:…`"),
    ("bare", Kind::Bare, "All others"),
    ("attribute", Kind::Attribute, "A link of HTML"),
    ("www", Kind::Www, "A name without a scheme, with --www"),
    ("navigation", Kind::Navigation, "A navigation link on a mail archiver's page"),
    ("name", Kind::Name, "A name without a scheme, with --names"),
];

pub(crate) const LEVELS: Values<Level> = &[
    ("rfc1738", Level::Rfc1738, "RFC 1738"),
    ("rfc1738-ref", Level::Rfc1738Ref, "RFC 1738 with a fragment"),
    ("rfc3986", Level::Rfc3986, "RFC 3986"),
    ("iri", Level::Iri, "RFC 3987"),
    ("none", Level::None, "Everything"),
];

pub(crate) const REJOINS: Values<Rejoin> = &[
    ("auto", Rejoin::Auto, "Wrapped and angle URLs, and bare ones on strong evidence"),
    ("delimited", Rejoin::Delimited, "Wrapped and angle URLs"),
    ("none", Rejoin::None, "Nothing"),
];

pub(crate) const HYPHENS: Values<HyphenOrder> = &[
    ("keep", HyphenOrder::Keep, "The hyphen belongs to the URL"),
    ("drop", HyphenOrder::Drop, "The typesetter added the hyphen"),
];

pub(crate) const OTHERURLS: Values<()> = &[("literal", (), "Any characters after the colon")];

pub(crate) const INPUTS: Values<ReadAs> = &[
    ("auto", ReadAs::Auto, "Detected by content"),
    ("text", ReadAs::Text, "Plain text"),
    ("mail", ReadAs::Mail, "Mail or news"),
    ("html", ReadAs::Html, "HTML pages"),
    ("csv", ReadAs::Csv, "CSV files"),
];

pub(crate) const SEVERITIES: Values<Severity> = &[
    ("critical", Severity::Critical, "An attack"),
    ("high", Severity::High, "Deceives readers or injects commands"),
    ("medium", Severity::Medium, "Leaks a secret, or differs between clients"),
    ("low", Severity::Low, "Needs a look"),
    ("info", Severity::Info, "Worth knowing"),
];

pub(crate) const READERS: Values<ReportReader> = &[
    ("all", ReportReader::All, "Every rule, the worst first"),
    ("security", ReportReader::Security, "Deception, attacks, secrets"),
    ("links", ReportReader::Links, "Broken, redirected, doubtful, invalid"),
    ("archive", ReportReader::Archive, "What vanished, and when"),
];

/// The part of a URL by which URLs are counted, or are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UrlKey {
    Url,
    Page,
    Host,
    Domain,
    Scheme,
}

impl UrlKey {
    /// Returns the field of a record that holds the part.
    pub(crate) fn field(self) -> &'static str {
        match self {
            Self::Url => "target",
            Self::Page => "page",
            Self::Host => "host",
            Self::Domain => "domain",
            Self::Scheme => "scheme",
        }
    }
}

pub(crate) const KEYS: Values<UrlKey> = &[
    ("url", UrlKey::Url, "The whole URL"),
    ("page", UrlKey::Page, "The URL without query and fragment"),
    ("host", UrlKey::Host, "The host"),
    ("domain", UrlKey::Domain, "The registrable domain"),
    ("scheme", UrlKey::Scheme, "The scheme"),
];

/// A function that resolves a reference against a base.
pub(crate) type ResolveFn = fn(&[u8], &[u8]) -> Result<Vec<u8>, ParseError>;

pub(crate) const RESOLVERS: Values<ResolveFn> =
    &[("1808", resolve_1808, "RFC 1808, section 4"), ("3986", resolve_3986, "RFC 3986, section 5.2")];

/// Completions for a shell, or the man page.
pub(crate) type Generated = Option<Shell>;

pub(crate) const GENERATED: Values<Generated> = &[
    ("man", None, "The man page"),
    ("bash", Some(Shell::Bash), "Completions for bash"),
    ("zsh", Some(Shell::Zsh), "Completions for zsh"),
    ("fish", Some(Shell::Fish), "Completions for fish"),
    ("powershell", Some(Shell::PowerShell), "Completions for PowerShell"),
];

/// Returns a parser for one of the values.
pub(crate) fn one_of<T: Copy + Send + Sync>(values: Values<T>) -> impl TypedValueParser<Value = T> {
    let names = values.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(|text| {
        let value = values.iter().find(|&&(name, ..)| name == text);
        value.map(|&(_, value, _)| value).ok_or("no such value")
    })
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// Text for people.
    Text,
    /// One JSON document.
    Json,
    /// Findings as JSON Lines.
    Jsonl,
    /// Findings as CSV.
    Csv,
    /// An HTML page.
    Html,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations for GitHub.
    Github,
    /// JUnit tests.
    Junit,
    /// A table of links with findings.
    Ioc,
    /// URLs, one per line.
    Urls,
}

/// `--color`, `--progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If the terminal allows it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Parses `--base`: a URL to which others can be relative.
pub(crate) fn base(text: &str) -> Result<String, String> {
    match resolve_3986(text, ".") {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => Err("a base is an absolute URL, such as http://a.example/docs/".into()),
    }
}

/// Parses `--range`: the first byte, and the byte after the last. They default to 0 and the end of
/// the file.
pub(crate) fn range(text: &str) -> Result<Range<u64>, String> {
    let Some((start, end)) = text.split_once(':') else {
        return Err("a range is START:END, in bytes; either may be left out, the colon may not".into());
    };
    let number = |text: &str, left_out: u64| -> Result<u64, String> {
        if text.is_empty() {
            return Ok(left_out);
        }
        // `parse` would also accept `+5`.
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("'{text}' is not a number of bytes"));
        }
        text.parse().map_err(|_| format!("{text} is too large; the most is {}", u64::MAX))
    };
    let (start, end) = (number(start, 0)?, number(end, u64::MAX)?);
    if start > end {
        return Err(format!("the range ends before it starts; did you mean {end}:{start}?"));
    }
    Ok(start..end)
}

/// Parses `--columns`: a number, or `auto` for the width of the terminal of standard error. Pipes
/// are usual for standard input and output.
pub(crate) fn columns(text: &str) -> Result<NonZero<usize>, String> {
    let of_terminal = || terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0));
    match text {
        "auto" => of_terminal()
            .and_then(NonZero::new)
            .ok_or_else(|| "standard error is not a terminal; write the number of columns".to_owned()),
        _ => text.parse().map_err(|_| format!("'{text}' is not a width; write a number of columns, or auto")),
    }
}

/// Parses `--max-filesize`: a number of bytes, or of KiB, MiB or GiB with the suffix `K`, `M` or
/// `G`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let refused = || format!("'{text}' is not a size; write a number of bytes, or one with K, M or G, such as 5M");
    let (number, unit) = match text.char_indices().last() {
        Some((end, unit)) if !unit.is_ascii_digit() => (&text[..end], unit),
        _ => (text, 'B'),
    };
    let shift = match unit {
        'B' => 0,
        'K' | 'k' => 10,
        'M' | 'm' => 20,
        'G' | 'g' => 30,
        _ => return Err(refused()),
    };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refused());
    }
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| format!("{text} is too large; the most is {}", u64::MAX))
}

/// An item of `--scheme`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SchemeItem {
    /// In lower case.
    pub(crate) name: String,
    /// Otherwise the item is excluded.
    pub(crate) is_wanted: bool,
}

impl fmt::Display for SchemeItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_wanted { "" } else { "!" }, self.name)
    }
}

/// Parses an item of `--scheme`: a name, or `!` and a name.
pub(crate) fn scheme(text: &str) -> Result<SchemeItem, String> {
    let (name, is_wanted) = text.strip_prefix('!').map_or((text, true), |name| (name, false));
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    if name.is_empty() || !is_name {
        return Err("a scheme is a name such as http, without '://'; separate several by commas".into());
    }
    Ok(SchemeItem { name: name.to_ascii_lowercase(), is_wanted })
}

/// An item of `--kind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KindItem {
    pub(crate) kind: Kind,
    /// Otherwise the item is excluded.
    pub(crate) is_wanted: bool,
}

impl KindItem {
    /// Returns the mark before its name.
    pub(crate) fn mark(self) -> &'static str {
        if self.is_wanted { "" } else { "!" }
    }
}

/// The parser of an item of `--kind`: a name of [`KINDS`], or `!` and a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindParser;

impl TypedValueParser for KindParser {
    type Value = KindItem;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<KindItem, clap::Error> {
        let name = value.to_str().and_then(|text| text.strip_prefix('!'));
        let kind = one_of(KINDS).parse_ref(command, arg, name.map_or(value, OsStr::new))?;
        Ok(KindItem { kind, is_wanted: name.is_none() })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KINDS.iter().map(|&(name, _, help)| PossibleValue::new(name).help(help))))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn widths() {
        let columns = super::columns;
        assert_eq!(columns("80").map(std::num::NonZero::get), Ok(80));
        for wrong in ["", "0", "-1", "8x", "Auto", "99999999999999999999"] {
            assert!(columns(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes() {
        let size = super::size;
        for (text, bytes) in
            [("0", 0), ("7", 7), ("7B", 7), ("2K", 2048), ("2k", 2048), ("3M", 3 << 20), ("1G", 1 << 30)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "K", "-1", "+1", "1.5M", "1 M", "1T", "1KB", "5é", "99999999999999999999", "99999999999G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ranges() {
        let range = super::range;
        assert_eq!(range("3:9"), Ok(3..9));
        assert_eq!(range("3:"), Ok(3..u64::MAX));
        assert_eq!(range(":9"), Ok(0..9));
        assert_eq!(range(":"), Ok(0..u64::MAX));
        assert_eq!(range("5:5"), Ok(5..5));
        for wrong in ["", "5", "9:3", "a:b", "-1:3", "+1:3", "1:2:3", "99999999999999999999:", "1 :2"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert!(range("9:3").unwrap_err().contains("3:9"));
    }
}
