//! Every link and finding as JSON, for the table that the script draws. The JSON is in elements
//! that browsers do not run.
//!
//! A row is a list, since names in each of 100,000 rows would be half of the page. The script reads
//! its fields by position:
//!
//! - a link: `url`, `count`, `messages`, `first` and `last` (days); `scheme`, `host`, `level`,
//!   `live` (1 or 0), `rules`; `error` (`null`, or its kind and message); `status` (`null`, or its
//!   class and text); `places` (the first, and a list of the others)
//! - a first place: `file`, `offset`, `length`, `line`, `column`, `kind`, `message`, `part`,
//!   `encoding`; `in_file` (0 if offset and line count from the start of an unpacked text); `context`
//! - a further place: `file`, `line`, `column`, `kind`, `message`, `part`
//! - a message: `id`, `date`, `from`, `subject`, `number`, `offset`
//! - a finding: `link`, `rule`, `severity`, `count`, `message`, `url`, `file`, `line`
//!
//! Levels, rules and severities are indices into the names that come first. A day is
//! `year << 9 | month << 5 | day`. A `file`, a `message` and a finding's `url` are 0 if they repeat
//! the value before. Neighbours in the list are mostly neighbours in the archive.

use std::io::{self, Write};

use bstr::{BStr, BString, ByteSlice};
use serde::Serialize;
use urlgrep::Level;
use urlgrep::audit::{Rule, Severity};

use super::show::{is_live, shown_lines};
use crate::command::format::json::{put, put_list};
use crate::command::format::show::shown;
use crate::command::model::{InMessage, ReportedFinding, ReportedLink, ReportedPlace};

/// The most rows in a block. A browser limits the length of one text, so the links come in several
/// blocks.
const BLOCK: usize = 10_000;

pub(super) fn write<'r>(
    folder: &BStr,
    links: impl IntoIterator<Item = ReportedLink<'r>>,
    findings: impl IntoIterator<Item = ReportedFinding<'r>>,
    out: &mut impl Write,
) -> io::Result<()> {
    let rules = Rule::ALL.iter().map(|rule| (rule.id(), rule.severity() as u8, rule.remedy()));
    blocks(
        "names",
        [Names {
            levels: Level::ALL.iter().map(|level| level.as_str()).collect(),
            severities: Severity::ALL.iter().map(|severity| severity.as_str()).collect(),
            rules: rules.collect(),
        }],
        out,
    )?;
    let mut before = Before::new(folder);
    blocks("links", links.into_iter().map(|link| link_row(&link, &mut before)), out)?;
    let mut before = Before::new(folder);
    blocks("findings", findings.into_iter().map(|finding| finding_row(&finding, &mut before)), out)
}

/// Writes rows as JSON lists of at most [`BLOCK`] rows, each list in an element of this class.
fn blocks<R: Serialize>(class: &str, rows: impl IntoIterator<Item = R>, out: &mut impl Write) -> io::Result<()> {
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        write!(out, "<script type=\"application/json\" class=\"{class}\">[")?;
        put_list(rows.by_ref().take(BLOCK), |row, out| put(row, out), out)?;
        out.write_all(b"]</script>\n")?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Names {
    levels: Vec<&'static str>,
    severities: Vec<&'static str>,
    rules: Vec<(&'static str, u8, &'static str)>,
}

/// A value, or 0 if it repeats the value before.
enum SameOr<T> {
    Same,
    Other(T),
}

impl<T: Serialize> Serialize for SameOr<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            SameOr::Same => serializer.serialize_u8(0),
            SameOr::Other(value) => value.serialize(serializer),
        }
    }
}

/// The values that were written last.
struct Before<'f> {
    /// The prefix that is removed from file names.
    folder: &'f BStr,
    file: Option<BString>,
    message: Option<([Option<String>; 4], Option<u64>, u64)>,
    url: Option<BString>,
}

impl<'f> Before<'f> {
    fn new(folder: &'f BStr) -> Self {
        Before { folder, file: None, message: None, url: None }
    }

    fn file(&mut self, file: &BStr) -> SameOr<String> {
        let row = same_or(&mut self.file, file.strip_prefix(self.folder.as_bytes()).map_or(file, BStr::new));
        if let SameOr::Other(_) = row {
            self.message = None;
        }
        row
    }

    /// Returns the message, or 0 if it repeats the message before. Call this after `file`. Members of
    /// an archive may have equal names, so offsets and numbers alone do not identify a message.
    fn message(&mut self, message: &InMessage<'_>) -> SameOr<impl Serialize + use<>> {
        let InMessage { id, date, from, subject, number, offset, .. } = *message;
        let texts = [id, date, from, subject];
        let is_same = |(known, at, from): &([Option<String>; 4], Option<u64>, u64)| {
            (*at, *from) == (number, offset) && known.each_ref().map(|text| text.as_deref()) == texts
        };
        if self.message.as_ref().is_some_and(is_same) {
            return SameOr::Same;
        }
        self.message = Some((texts.map(|text| text.map(str::to_owned)), number, offset));
        SameOr::Other((id.map(text), date.map(text), from.map(text), subject.map(text), number, offset))
    }
}

fn same_or(before: &mut Option<BString>, now: &BStr) -> SameOr<String> {
    if before.as_ref().is_some_and(|before| before == now) {
        return SameOr::Same;
    }
    *before = Some(now.to_owned());
    SameOr::Other(text(now))
}

fn link_row(link: &ReportedLink<'_>, before: &mut Before<'_>) -> impl Serialize + use<> {
    (
        text(&**link.url),
        link.count,
        link.messages,
        link.dates.map(|(first, _)| first.packed()),
        link.dates.map(|(_, last)| last.packed()),
        link.scheme.as_deref().map(text).unwrap_or_default(),
        link.host.as_deref().map(text),
        link.level as u8,
        u8::from(is_live(link)),
        link.rules.iter().map(|&rule| rule as u8).collect::<Vec<_>>(),
        link.error.map(|error| (error.kind().as_str(), text(&error.to_string()))),
        link.status.map(|status| (status.class().as_str(), text(&status.to_string()))),
        (
            first_row(&link.first, before),
            link.further.iter().map(|place| further_row(place, before)).collect::<Vec<_>>(),
        ),
    )
}

fn first_row(place: &ReportedPlace<'_>, before: &mut Before<'_>) -> impl Serialize + use<> {
    (
        before.file(place.file),
        place.offset,
        place.length,
        place.line,
        place.column,
        place.kind.as_str(),
        place.in_message.as_ref().map(|message| before.message(message)),
        place.in_message.and_then(|message| message.part).map(text),
        place.in_message.and_then(|message| message.encoding).map(text),
        u8::from(place.is_in_file()),
        place.context.as_ref().map(|context| context.each_ref().map(|text| shown_lines(text))),
    )
}

fn further_row(place: &ReportedPlace<'_>, before: &mut Before<'_>) -> impl Serialize + use<> {
    (
        before.file(place.file),
        place.line,
        place.column,
        place.kind.as_str(),
        place.in_message.as_ref().map(|message| before.message(message)),
        place.in_message.and_then(|message| message.part).map(text),
    )
}

fn finding_row(finding: &ReportedFinding<'_>, before: &mut Before<'_>) -> impl Serialize + use<> {
    (
        finding.link,
        finding.rule as u8,
        finding.severity as u8,
        finding.count,
        text(&finding.message),
        same_or(&mut before.url, &finding.url),
        before.file(finding.first.file),
        finding.first.line,
    )
}

/// Returns text as it is [shown].
fn text<T: AsRef<[u8]> + ?Sized>(text: &T) -> String {
    shown(text.as_ref()).into_owned()
}
