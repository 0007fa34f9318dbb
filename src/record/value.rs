//! The value of a field, for code other than reports.

use std::borrow::Cow;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bstr::BStr;

use super::{RecordObject, RecordValue};
use crate::Reason;

/// The value of a field, with the types of [`JsonFormat`](crate::report::JsonFormat#fields).
///
/// ```
/// use urlgrep::record::{FieldValue, MatchRecord, RecordField};
///
/// let found = urlgrep::Extractor::new().find("http://a.example/").unwrap();
/// let record = MatchRecord::new(b"", &found);
/// let FieldValue::List(readings) = record.get(RecordField::by_name("readings").unwrap()) else { panic!() };
/// assert_eq!(readings.len(), 1);
/// ```
#[derive(Debug, Default)]
pub enum FieldValue<'v> {
    /// The value is unknown or missing.
    #[default]
    Null,
    /// A text. Text of the input need not be UTF-8.
    Text(Cow<'v, [u8]>),
    /// A number that is not negative.
    Number(u64),
    /// True or false.
    Flag(bool),
    /// Several values of one type.
    List(Vec<FieldValue<'v>>),
    /// A value that has parts.
    Object(ObjectValue<'v>),
}

/// A value that has parts. The parts depend on the value: each scheme has its components.
///
/// ```
/// use urlgrep::record::{FieldValue, MatchRecord, RecordField};
///
/// let found = urlgrep::Extractor::new().find("news:comp.infosystems").unwrap();
/// let record = MatchRecord::new(b"", &found);
/// let FieldValue::Object(parts) = record.get(RecordField::by_name("parts").unwrap()) else { panic!() };
/// let mut names = Vec::new();
/// parts.each(|name, _| names.push(name));
/// assert_eq!(names, ["host", "hosttype", "fragment", "form", "group", "unique"]);
/// ```
#[derive(Clone, Copy)]
pub struct ObjectValue<'v>(RecordObject<'v>);

impl<'v> ObjectValue<'v> {
    /// Calls `part` for each part with its name, in their order.
    pub fn each(self, mut part: impl FnMut(&'static str, FieldValue<'v>)) {
        self.0.each_part(&mut |name: &'static str, value: RecordValue<'v>| part(name, value.into()));
    }
}

impl fmt::Debug for ObjectValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        self.each(|name, value| {
            map.entry(&name, &value);
        });
        map.finish()
    }
}

/// Returns a reading of a match as a value.
pub(super) fn reading(text: &BStr) -> FieldValue<'_> {
    FieldValue::Text(Cow::Borrowed(text))
}

/// A reason is its line of text here. JSON has its parts.
impl From<&Reason> for FieldValue<'_> {
    fn from(reason: &Reason) -> Self {
        FieldValue::Text(Cow::Owned(reason.to_string().into()))
    }
}

impl<'v> From<RecordValue<'v>> for FieldValue<'v> {
    #[inline(always)]
    fn from(value: RecordValue<'v>) -> Self {
        match value {
            RecordValue::Absent => FieldValue::Null,
            RecordValue::Word(word) => FieldValue::Text(Cow::Borrowed(word.as_bytes())),
            RecordValue::Piece(text) => FieldValue::Text(Cow::Borrowed(text)),
            RecordValue::Reading(text) => FieldValue::List(vec![FieldValue::Text(Cow::Borrowed(text))]),
            RecordValue::Source(text) => FieldValue::Text(text),
            RecordValue::Number(number) => FieldValue::Number(number),
            RecordValue::Flag(flag) => FieldValue::Flag(flag),
            RecordValue::Readings(readings) => FieldValue::List(readings.iter().map(|text| reading(text)).collect()),
            RecordValue::Base64(bytes) => FieldValue::Text(Cow::Owned(bytes.to_string().into())),
            RecordValue::ReadingsBase64(readings) => {
                let base64 = |text: &Cow<'_, BStr>| Cow::Owned(STANDARD.encode(&**text).into());
                FieldValue::List(readings.iter().map(|reading| FieldValue::Text(base64(reading))).collect())
            }
            RecordValue::Explanation(error) => FieldValue::Text(Cow::Owned(error.to_string().into())),
            RecordValue::List(items) => {
                FieldValue::List(items.into_iter().map(|item| RecordValue::from(item).into()).collect())
            }
            RecordValue::Reasons(reasons) => FieldValue::List(reasons.iter().map(FieldValue::from).collect()),
            RecordValue::Object(object) => FieldValue::Object(ObjectValue(object)),
        }
    }
}
