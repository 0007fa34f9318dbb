//! Lists of fields that a user names.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::record::fields::{FIELDS, RecordField};

/// An ordered selection of a record's fields, for a line of JSON or a row of CSV.
///
/// A list is parsed from text, by the names of [`JsonFormat`](super::JsonFormat#fields):
/// `url,host,message.id`. A part of an object has a dot in its name.
///
/// ```
/// use urlgrep::report::FieldList;
///
/// assert!("url,host,message.id".parse::<FieldList>().is_ok());
/// let error = "url,hots".parse::<FieldList>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no field 'hots'; there are url, kind, "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldList(pub(super) Arc<[RecordField]>);

impl FieldList {
    /// Returns whether the list has the line or the column, for which the extractor must
    /// [count lines](crate::ExtractorBuilder::line_numbers).
    pub fn needs_lines(&self) -> bool {
        self.0.iter().any(|field| field.needs_lines())
    }

    /// Returns these fields, or those of every line, and then the reasons (`why`).
    ///
    /// ```
    /// use urlgrep::report::FieldList;
    ///
    /// let list: FieldList = "url".parse()?;
    /// assert_eq!(FieldList::with_reasons(Some(&list)), "url,why".parse()?);
    /// # Ok::<(), urlgrep::report::UnknownField>(())
    /// ```
    #[must_use]
    pub fn with_reasons(fields: Option<&FieldList>) -> FieldList {
        let fields = fields.map_or_else(|| RecordField::every_key().collect(), |fields| fields.0.to_vec());
        let why = RecordField::by_name("why").filter(|why| !fields.contains(why));
        FieldList(fields.into_iter().chain(why).collect())
    }

    /// Returns the name of every field, including parts of objects, in the order of the record.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().map(|field| field.name)
    }
}

impl FromStr for FieldList {
    type Err = UnknownField;

    fn from_str(list: &str) -> Result<Self, UnknownField> {
        let field = |name: &str| RecordField::by_name(name).ok_or_else(|| UnknownField { name: name.to_owned() });
        list.split(',').map(|name| field(name.trim())).collect::<Result<_, _>>().map(FieldList)
    }
}

/// An unknown name of a field. Its message lists all fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnknownField {
    pub(super) name: String,
}

impl fmt::Display for UnknownField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no field '{}'; there are ", self.name)?;
        let mut separator = "";
        for field in FIELDS.iter().filter(|field| field.part.is_none()) {
            write!(f, "{separator}{}", field.name)?;
            separator = ", ";
        }
        let mut object = None;
        for RecordField { name, part, .. } in FIELDS {
            match part {
                None => object = Some(*name),
                Some(part) => {
                    let head = object.take().map(|object| format!("; of {object}: ")).unwrap_or(" ".to_owned());
                    write!(f, "{head}.{part}")?;
                }
            }
        }
        Ok(())
    }
}

impl std::error::Error for UnknownField {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_back_and_names_one_field() {
        let all: Vec<_> = FieldList::names().collect();
        for name in &all {
            assert_eq!(RecordField::by_name(name).unwrap().name, *name);
            assert_eq!(all.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
        let list: FieldList = all.join(",").parse().unwrap();
        assert!(list.0.len() == all.len() && list.needs_lines());
        assert!(!"url, error_kind".parse::<FieldList>().unwrap().needs_lines());
    }

    #[test]
    fn parts_of_urls_are_those_of_the_table() {
        // The table in the documentation of the format is the specification.
        let mut keys: Vec<&str> = include_str!("json.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("/// | ")?.strip_suffix(" |")?.split_once(" | "))
            .skip_while(|&(scheme, _)| scheme != "scheme")
            .skip(1)
            .flat_map(|(_, keys)| keys.split(' '))
            .collect();
        let mut named: Vec<&str> = FieldList::names().filter_map(|name| name.strip_prefix("parts.")).collect();
        keys.sort_unstable();
        keys.dedup();
        named.sort_unstable();
        assert_eq!(keys, named);
    }

    #[test]
    fn an_unknown_field_lists_the_fields() {
        for (list, name) in [("x", "x"), ("url,", ""), ("message.subjct", "message.subjct"), ("URL", "URL")] {
            let error = list.parse::<FieldList>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("there is no field '{name}'; there are url, kind, ")), "{error}");
            assert!(error.contains("; of message: .id .date .from "), "{error}");
        }
    }
}
