//! A match for serde: the record without the fields that a match lacks.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::fields::{RecordField, RecordKey};
use super::{MatchRecord, RecordValue};
use crate::Match;

/// Serializes the fields of [a line of JSON](crate::report::JsonFormat#fields). `file` and `count`
/// are missing, because a match lacks them.
///
/// Every other field is always present, in the order of the record. The exact bytes follow a text
/// that is not UTF-8.
///
/// ```
/// let found = urlgrep::Extractor::new().find("see http://a.example/x").unwrap();
/// let value = serde_json::to_value(&found).unwrap();
/// assert_eq!(value["url"], "http://a.example/x");
/// assert_eq!(value["generic"]["path"], "/x");
/// assert_eq!(value["line"], serde_json::Value::Null);
/// ```
impl Serialize for Match<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize("Match", &MatchRecord::new(b"", self), &[RecordKey::File, RecordKey::Count], serializer)
    }
}

/// Serializes like a [`Match`], with `file`: the [path](crate::FileMatch::path) within the input.
/// It is `null` for the input itself.
#[cfg(feature = "archive")]
impl Serialize for crate::FileMatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize("FileMatch", &MatchRecord::new(self.path(), self), &[RecordKey::Count], serializer)
    }
}

fn serialize<S: Serializer>(
    name: &'static str,
    record: &MatchRecord<'_>,
    without: &[RecordKey],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // `serialize_struct` needs the number of fields first.
    let mut fields: Vec<(&'static str, RecordValue<'_>)> = Vec::new();
    for field in RecordField::every_key().filter(|field| !without.contains(&field.key)) {
        fields.push((field.name, record.value(field.key)));
        fields.extend(record.exact(field.key));
    }
    let mut out = serializer.serialize_struct(name, fields.len())?;
    for (name, value) in &fields {
        out.serialize_field(name, value)?;
    }
    out.end()
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use crate::Extractor;
    use crate::report::JsonFormat;
    use serde_json::Value;

    #[cfg(feature = "archive")]
    #[test]
    fn a_match_of_a_file_knows_the_path_within_the_input() {
        let path = std::env::temp_dir().join(format!("urlgrep-serial-{}", std::process::id()));
        let mut header = tar::Header::new_ustar();
        header.set_size(17);
        header.set_cksum();
        let mut tar = tar::Builder::new(Vec::new());
        tar.append_data(&mut header, "in/a.txt", &b"http://a.example/"[..]).unwrap();
        for (contents, file) in
            [(tar.into_inner().unwrap(), "in/a.txt".into()), (b"http://a.example/".to_vec(), Value::Null)]
        {
            std::fs::write(&path, contents).unwrap();
            let found = Extractor::new().open(&path).unwrap().next().unwrap().unwrap();
            let value = serde_json::to_value(&found).unwrap();
            assert_eq!((&value["url"], &value["file"]), (&"http://a.example/".into(), &file));
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_match_is_its_line_of_json() {
        let text =
            b"<URL:HTTP://a.example/x-\ny> http://a.example/~ news:a@b.example <URL:x:\xFF> <URL:ftp://a\xFF-\n.b/>";
        for literal in [true, false] {
            let extractor = Extractor::builder().line_numbers(true).other_literal(literal).build();
            let mut checked = 0;
            for found in extractor.find_iter(text) {
                let mut line = Vec::new();
                JsonFormat::new().write(b"", &found, &mut line).unwrap();
                let mut expected: serde_json::Map<String, Value> = serde_json::from_slice(&line).unwrap();
                assert!(expected.remove("file").is_some() && expected.remove("count").is_some());
                assert_eq!(serde_json::to_value(&found).unwrap(), Value::Object(expected));
                // The order must be equal, too.
                let all = serde_json::to_string(&found).unwrap();
                let keys: Vec<_> = ["url", "kind", "offset", "level", "message", "note"]
                    .map(|key| all.find(&format!("\"{key}\":")))
                    .into();
                assert!(keys.is_sorted() && keys[0] == Some(1), "{all}");
                checked += 1;
            }
            assert!(checked >= 5, "{checked}");
        }
    }
}
