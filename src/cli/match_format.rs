//! The format of a match: text, JSON, CSV or a template.

use std::io;

use urlgrep::Match;
use urlgrep::report::{CsvFormat, FieldList, JsonFormat, LinePrefix, Page, TemplateFormat, TextFormat};

use super::args::OutputArgs;
use super::args::values::UrlKey;

/// Returns the template that prints a key.
pub(crate) fn key_format(key: UrlKey) -> TemplateFormat {
    format!("{{{}}}", key.field()).parse().expect("a key is a field")
}

fn field_list(names: &str) -> FieldList {
    names.parse().expect("keys and counts are fields")
}

/// The format of all matches.
#[derive(Clone, Debug)]
pub(crate) enum MatchFormat {
    Text(TextFormat),
    Json(JsonFormat),
    Csv(CsvFormat),
    Template(TemplateFormat),
    /// The key of `--count-by`.
    Key(TemplateFormat),
}

impl MatchFormat {
    /// Returns the format that the options select. `text` is the format for lines. `escape` is set
    /// for output to a terminal.
    pub(crate) fn new(output: &OutputArgs, text: TextFormat, escape: bool) -> Self {
        if let Some(key) = output.count_by {
            return Self::of_key(key, output, escape);
        }
        if let Some(template) = &output.format.format {
            let template = template.clone().escape(escape).null(output.null);
            return Self::Template(template.defang(output.format.defang).counts(output.first_said));
        }
        let asked = output.explain.then(|| FieldList::with_reasons(output.format.fields.as_ref()));
        let fields = asked.as_ref().or(output.format.fields.as_ref());
        if output.json {
            let json = JsonFormat::new().escape(escape);
            return Self::Json(fields.map_or(json.clone(), |fields| json.fields(fields)));
        }
        if output.csv {
            let csv = CsvFormat::new().escape(escape);
            let csv = fields.map_or(csv.clone(), |fields| csv.columns(fields));
            return Self::Csv(csv.counts(output.first_said && fields.is_none()));
        }
        Self::Text(text)
    }

    /// Returns the format of `--count-by`.
    fn of_key(key: UrlKey, output: &OutputArgs, escape: bool) -> Self {
        let fields = || match key {
            UrlKey::Url => field_list("url,target,count"),
            key => field_list(&format!("{},count", key.field())),
        };
        match output {
            output if output.json => Self::Json(JsonFormat::new().escape(escape).fields(&fields())),
            output if output.csv => Self::Csv(CsvFormat::new().escape(escape).columns(&fields())),
            output => Self::Key(key_format(key).escape(escape).defang(output.format.defang)),
        }
    }

    /// Returns true if the format needs line numbers.
    pub(crate) fn needs_lines(&self, output: &OutputArgs) -> bool {
        match self {
            Self::Text(_) => output.line_number || output.column,
            Self::Json(_) | Self::Csv(_) => output.format.fields.as_ref().is_none_or(|fields| fields.needs_lines()),
            Self::Template(template) | Self::Key(template) => template.needs_lines(),
        }
    }

    /// Returns true if a match is a record for programs.
    pub(crate) fn is_record(&self) -> bool {
        matches!(self, Self::Json(_) | Self::Csv(_))
    }

    /// Passes on the bytes that identify a match's URL in this format, for `--unique`. A text line
    /// shows one URL. A record has `url` and `target`: a relative link may have another target in
    /// each file.
    pub(crate) fn shown_urls<T>(&self, found: &Match<'_>, act: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            Self::Text(_) => act(TextFormat::shown_url(found)),
            // No URL holds a line feed.
            _ if found.url() != found.target() => act(&[&**found.url(), b"\n", found.target()].concat()),
            _ => act(found.url()),
        }
    }

    /// Writes a match.
    #[inline]
    pub(crate) fn write(&self, prefix: &LinePrefix, file: &[u8], found: &Match<'_>, page: &mut Page) -> io::Result<()> {
        match self {
            Self::Text(text) => text.write(prefix, found, page.text()),
            Self::Json(json) => {
                json.append(file, found, page);
                Ok(())
            }
            Self::Csv(csv) => {
                csv.append(file, found, page);
                Ok(())
            }
            Self::Template(template) => template.write(file, found, page.text()),
            Self::Key(template) => {
                let start = page.len();
                template.write(file, found, page.text())?;
                if page.written()[start..] == *b"\n" {
                    page.text().splice(start..start, *b"-");
                }
                Ok(())
            }
        }
    }

    /// Inserts the count of a match's URL into the output for that match.
    pub(crate) fn set_count(&self, count: u64, lines: &mut Vec<u8>) {
        match self {
            Self::Text(text) => text.set_count(count, lines),
            Self::Key(_) => TextFormat::new().set_count(count, lines),
            Self::Json(json) => json.set_count(count, lines),
            Self::Csv(csv) => csv.set_count(count, lines),
            Self::Template(template) => template.set_count(count, lines),
        }
    }
}
