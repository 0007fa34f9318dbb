//! Terminal links (OSC 8) on a file's name and line, in the formats of ripgrep.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A format of links to lines of files, with fields in braces: `{path}`, `{line}`, `{column}`,
/// `{host}`. One of ripgrep's names, such as `vscode`, is a format too. By default there are no
/// links.
///
/// # Examples
///
/// ```
/// use urlgrep::report::{HyperlinkError, HyperlinkFormat};
///
/// let format: HyperlinkFormat = "vscode".parse()?;
/// assert_eq!(format, "vscode://file{path}:{line}:{column}".parse()?);
/// assert!(format.needs_lines());
/// assert_eq!("file://".parse::<HyperlinkFormat>(), Err(HyperlinkError::NoPath));
/// # Ok::<(), HyperlinkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HyperlinkFormat(Vec<LinkPiece>);

/// The link of one file, complete except for line and column.
#[derive(Clone, Debug)]
pub(super) struct FileLink(Vec<LinkPiece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum LinkPiece {
    Text(String),
    Path,
    Host,
    Line,
    Column,
}

/// Names of formats, as in ripgrep.
const NAMED: &[(&str, &str)] = &[
    ("none", ""),
    ("default", "file://{host}{path}"),
    ("cursor", "cursor://file{path}:{line}:{column}"),
    ("file", "file://{host}{path}"),
    ("grep+", "grep+://{path}:{line}"),
    ("kitty", "file://{host}{path}#{line}"),
    ("macvim", "mvim://open?url=file://{path}&line={line}&column={column}"),
    ("textmate", "txmt://open?url=file://{path}&line={line}&column={column}"),
    ("vscode", "vscode://file{path}:{line}:{column}"),
    ("vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"),
    ("vscodium", "vscodium://file{path}:{line}:{column}"),
];

/// An error of a [`HyperlinkFormat`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HyperlinkError {
    /// The format names an unknown field.
    Unknown(String),
    /// The format has no path, so every link would be the same.
    NoPath,
    /// The format does not begin with a scheme.
    NoScheme,
    /// The format has a column but no line.
    NoLine,
    /// A `{` without its `}`, or a `}` without its `{`.
    Brace,
    /// The format holds a blank, a control or a non-ASCII character, which no URL may hold.
    BadCharacter(char),
}

impl fmt::Display for HyperlinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => {
                write!(f, "there is no {{{name}}}; there are {{path}}, {{line}}, {{column}}, {{host}}")
            }
            Self::NoPath => f
                .write_str("it has no {path}; the known names are none, ")
                .and_then(|()| f.write_str(&NAMED[1..].iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", "))),
            Self::NoScheme => f.write_str("it does not begin with a scheme, such as file://"),
            Self::NoLine => f.write_str("it has a {column} without a {line}; add {line}"),
            Self::Brace => f.write_str("a brace has no partner; the fields are {path}, {line}, {column}, {host}"),
            Self::BadCharacter(character) => write!(f, "no URL holds {character:?}; it must be escaped, as %20"),
        }
    }
}

impl std::error::Error for HyperlinkError {}

impl FromStr for HyperlinkFormat {
    type Err = HyperlinkError;

    fn from_str(format: &str) -> Result<Self, HyperlinkError> {
        let format = NAMED.iter().find(|(name, _)| *name == format).map_or(format, |(_, format)| format);
        if format.is_empty() {
            return Ok(HyperlinkFormat::default());
        }
        let mut pieces = Vec::new();
        let mut rest = format;
        while let Some((text, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').ok_or(HyperlinkError::Brace)?;
            pieces.push(LinkPiece::Text(text.to_owned()));
            pieces.push(match name {
                "path" => LinkPiece::Path,
                "host" => LinkPiece::Host,
                "line" => LinkPiece::Line,
                "column" => LinkPiece::Column,
                unknown => return Err(HyperlinkError::Unknown(unknown.to_owned())),
            });
            rest = after;
        }
        pieces.push(LinkPiece::Text(rest.to_owned()));
        let mut texts =
            pieces.iter().filter_map(|piece| if let LinkPiece::Text(text) = piece { Some(text) } else { None });
        if let Some(character) = texts.clone().flat_map(|text| text.chars()).find(|c| !c.is_ascii_graphic()) {
            return Err(HyperlinkError::BadCharacter(character));
        }
        if texts.any(|text| text.contains('}')) {
            return Err(HyperlinkError::Brace);
        }
        let has = |piece| pieces.contains(&piece);
        if !has(LinkPiece::Path) {
            return Err(HyperlinkError::NoPath);
        }
        if has(LinkPiece::Column) && !has(LinkPiece::Line) {
            return Err(HyperlinkError::NoLine);
        }
        if crate::url::scheme_of(format.as_bytes()).is_none() {
            return Err(HyperlinkError::NoScheme);
        }
        Ok(HyperlinkFormat(pieces))
    }
}

impl HyperlinkFormat {
    /// Returns true if there are no links.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the extractor must [count lines](crate::ExtractorBuilder::line_numbers) for
    /// the links.
    pub fn needs_lines(&self) -> bool {
        self.0.iter().any(|piece| matches!(piece, LinkPiece::Line | LinkPiece::Column))
    }

    /// Returns the link of a file on this machine. `path` is absolute.
    pub(super) fn of_file(&self, path: &Path, host: &str) -> FileLink {
        let filled = |piece: &LinkPiece| match piece {
            LinkPiece::Path => LinkPiece::Text(escaped_path(path)),
            // Other characters could end the escape sequence early.
            LinkPiece::Host => LinkPiece::Text(host.chars().filter(char::is_ascii_graphic).collect()),
            other => other.clone(),
        };
        FileLink(self.0.iter().map(filled).collect())
    }
}

impl FileLink {
    /// Appends the link to a place. An unknown line or column is 1.
    pub(super) fn write(&self, line: Option<u64>, column: Option<u64>, out: &mut Vec<u8>) {
        for piece in &self.0 {
            let number = match piece {
                LinkPiece::Text(text) => {
                    out.extend_from_slice(text.as_bytes());
                    continue;
                }
                LinkPiece::Column => column,
                _ => line,
            };
            out.extend_from_slice(itoa::Buffer::new().format(number.unwrap_or(1)).as_bytes());
        }
    }
}

/// Returns a path in the form of a URL, with a slash before it.
fn escaped_path(path: &Path) -> String {
    let mut escaped = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            // Windows separates folders with backslashes, but a URL has slashes.
            b'\\' if std::path::is_separator('\\') => escaped.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b':' | b'-' | b'.' | b'_' | b'~' => {
                escaped.push(byte.into())
            }
            byte => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    if escaped.starts_with('/') { escaped } else { format!("/{escaped}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(format: &str, path: &str) -> String {
        let mut out = Vec::new();
        let format: HyperlinkFormat = format.parse().unwrap();
        format.of_file(Path::new(path), "h").write(Some(3), None, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn formats_and_their_names() {
        assert_eq!(link("default", "/a b/é.txt"), "file://h/a%20b/%C3%A9.txt");
        assert_eq!(link("vscode", "/a"), "vscode://file/a:3:1");
        assert_eq!(link("x-y:{path}?{line}", "/a%\x1b?#"), "x-y:/a%25%1B%3F%23?3");
        assert!("none".parse::<HyperlinkFormat>().unwrap().is_none());
        for (name, _) in &NAMED[1..] {
            let format: HyperlinkFormat = name.parse().unwrap();
            assert!(!format.is_none() && link(name, "/p").contains("/p"), "{name}");
            assert_eq!(format.needs_lines(), link(name, "/p").contains('3'), "{name}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (format, words) in [
            ("vscod", "names are none, default, cursor, "),
            ("file://x", "it has no {path}"),
            ("file://{pth}", "there is no {pth}; there are {path}"),
            ("file://{path", "a brace"),
            ("file://{path}}", "a brace"),
            ("file://{path}:{column}", "without a {line}"),
            ("{path}", "begin with a scheme"),
            ("//{path}", "begin with a scheme"),
            ("{host}:{path}", "begin with a scheme"),
            ("file://{path} x", "holds ' '"),
            ("file://{path}\x1b", "holds '\\u{1b}'"),
        ] {
            let error = format.parse::<HyperlinkFormat>().unwrap_err().to_string();
            assert!(error.contains(words), "{format}: {error}");
        }
    }
}
