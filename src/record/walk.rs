//! All values of a record in one pass, for code that has a place for each value.
//!
//! Keys are constants here, as in the writer of JSON. So the compiler determines the place of every
//! value. Looking up each column by name cost three times as much as writing the JSON (November
//! 2026).

use std::borrow::Cow;

use super::fields::{FIELDS, RecordKey, record_fields};
use super::value::{FieldValue, reading};
use super::{MatchRecord, PartSink, RecordObject, RecordValue};

/// Receives the values of a record from [`MatchRecord::each`].
///
/// A field is identified by its [place](super::RecordField::place). Null values are not passed.
///
/// ```
/// use urlgrep::record::{FieldSink, FieldValue, MatchRecord, RecordField};
///
/// struct Texts(Vec<(&'static str, String)>);
/// impl FieldSink for Texts {
///     fn wants(&self, field: usize) -> bool {
///         ["host", "generic"].contains(&name(field))
///     }
///     fn text(&mut self, field: usize, text: &[u8]) {
///         self.0.push((name(field), String::from_utf8_lossy(text).into()));
///     }
///     fn number(&mut self, _: usize, _: u64) {}
///     fn flag(&mut self, _: usize, _: bool) {}
///     fn list<'v>(&mut self, _: usize, _: impl Iterator<Item = FieldValue<'v>>) {}
///     fn object(&mut self, _: usize) {}
/// }
///
/// fn name(field: usize) -> &'static str {
///     RecordField::all().nth(field).unwrap().name()
/// }
///
/// let found = urlgrep::Extractor::new().find("http://a.example/").unwrap();
/// let mut texts = Texts(Vec::new());
/// MatchRecord::new(b"", &found).each(&mut texts);
/// let names: Vec<_> = texts.0.iter().map(|(name, _)| *name).collect();
/// assert_eq!(names, ["host", "generic.scheme", "generic.host", "generic.path"]);
/// ```
pub trait FieldSink {
    /// Returns whether a field, or one of its parts, is wanted.
    ///
    /// Only whole fields are passed to this method: if an object is wanted, all its parts are.
    fn wants(&self, field: usize) -> bool;

    /// Receives a text. Text of the input need not be UTF-8.
    fn text(&mut self, field: usize, text: &[u8]);

    /// Receives a number that is not negative.
    fn number(&mut self, field: usize, number: u64);

    /// Receives true or false.
    fn flag(&mut self, field: usize, flag: bool);

    /// Receives several values of one type.
    fn list<'v>(&mut self, field: usize, items: impl Iterator<Item = FieldValue<'v>>);

    /// Receives an object, whose parts follow.
    fn object(&mut self, field: usize);
}

const fn place(name: &str) -> usize {
    let mut at = 0;
    while at < FIELDS.len() {
        if is_same(FIELDS[at].name.as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    FIELDS.len()
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

macro_rules! walk {
    ({ $($key:ident $name:literal $([$($part:literal)*])?,)* }
        { $($of_place:ident $of_place_name:literal $([$($of_place_part:literal)*])?,)* }
        { $($other:ident $other_name:literal,)* }) => {
        impl MatchRecord<'_> {
            /// Passes every wanted value to a sink, in the order of the record.
            pub fn each(mut self, sink: &mut impl FieldSink) {
                if sink.wants(const { place("parts") }) || sink.wants(const { place("generic") }) {
                    self.parse_both();
                }
                $(self.hand_on(RecordKey::$key, const { place($name) }, sink);)*
                if self.has_place() {
                    $(self.hand_on(RecordKey::$of_place, const { place($of_place_name) }, sink);)*
                }
                $(self.hand_on(RecordKey::$other, const { place($other_name) }, sink);)*
            }
        }

        /// Returns the place of a part of an object. The place is a constant if the name is a
        /// constant.
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn part_place(object: RecordKey, name: &str) -> Option<usize> {
            match object {
                $($(RecordKey::$key => match name {
                    $($part => Some(const { place(concat!($name, ".", $part)) }),)*
                    _ => None,
                },)?)*
                $($(RecordKey::$of_place => match name {
                    $($of_place_part => Some(const { place(concat!($of_place_name, ".", $of_place_part)) }),)*
                    _ => None,
                },)?)*
                _ => None,
            }
        }
    };
}
record_fields!(walk);

impl MatchRecord<'_> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn hand_on(&self, key: RecordKey, field: usize, sink: &mut impl FieldSink) {
        if !sink.wants(field) {
            return;
        }
        match self.value(key) {
            RecordValue::Object(object) => {
                sink.object(field);
                parts(object, sink);
            }
            value => hand_on(field, value, sink),
        }
    }
}

/// Passes the parts of any object to a sink. It is not inlined, because a copy at every value would
/// multiply the code, as in the writer of JSON.
#[inline(never)]
fn parts(object: RecordObject<'_>, sink: &mut impl FieldSink) {
    let _ = match object {
        RecordObject::Error(_) => object.each_part(PartsOf { object: RecordKey::Error, sink }),
        RecordObject::Parts(_) => object.each_part(PartsOf { object: RecordKey::Parts, sink }),
        RecordObject::Generic(_) => object.each_part(PartsOf { object: RecordKey::Generic, sink }),
        RecordObject::Message(_) => object.each_part(PartsOf { object: RecordKey::Message, sink }),
        RecordObject::Part(_) => object.each_part(PartsOf { object: RecordKey::Part, sink }),
        RecordObject::Body(_) => object.each_part(PartsOf { object: RecordKey::Body, sink }),
    };
}

struct PartsOf<'s, S> {
    object: RecordKey,
    sink: &'s mut S,
}

impl<'v, S: FieldSink> PartSink<'v> for PartsOf<'_, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(self, name: &'static str, value: RecordValue<'v>) -> Self {
        if let Some(field) = part_place(self.object, name) {
            hand_on(field, value, self.sink);
        }
        self
    }
}

/// Passes a value without parts to a sink.
///
/// Every variant that owns anything is moved out of the value. Dropping a value of unknown kind is
/// a call. These calls were a tenth of the cost of a row (November 2026).
#[cfg_attr(not(debug_assertions), inline(always))]
fn hand_on(field: usize, value: RecordValue<'_>, sink: &mut impl FieldSink) {
    match value {
        RecordValue::Absent => {}
        RecordValue::Word(word) => sink.text(field, word.as_bytes()),
        RecordValue::Piece(text) => sink.text(field, text),
        RecordValue::Source(text) => sink.text(field, &text),
        RecordValue::Number(number) => sink.number(field, number),
        RecordValue::Flag(flag) => sink.flag(field, flag),
        RecordValue::Explanation(error) => {
            let mut text = Vec::new();
            error.append(&mut text);
            sink.text(field, &text);
        }
        RecordValue::Reading(text) => sink.list(field, std::iter::once(FieldValue::Text(Cow::Borrowed(text)))),
        RecordValue::Readings(readings) => sink.list(field, readings.iter().map(|text| reading(text))),
        RecordValue::List(items) => sink.list(field, items.into_iter().map(|item| RecordValue::from(item).into())),
        RecordValue::Reasons(reasons) => sink.list(field, reasons.iter().map(FieldValue::from)),
        // The caller handles objects, and no field holds base64.
        RecordValue::Object(_) | RecordValue::Base64(_) | RecordValue::ReadingsBase64(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Extractor;

    /// Records the values that the sink receives.
    struct Notes(Vec<(usize, String)>);

    impl FieldSink for Notes {
        fn wants(&self, _: usize) -> bool {
            true
        }
        fn text(&mut self, field: usize, text: &[u8]) {
            self.0.push((field, format!("{:?}", FieldValue::Text(text.into()))));
        }
        fn number(&mut self, field: usize, number: u64) {
            self.0.push((field, format!("{:?}", FieldValue::Number(number))));
        }
        fn flag(&mut self, field: usize, flag: bool) {
            self.0.push((field, format!("{:?}", FieldValue::Flag(flag))));
        }
        fn list<'v>(&mut self, field: usize, items: impl Iterator<Item = FieldValue<'v>>) {
            self.0.push((field, format!("{:?}", FieldValue::List(items.collect()))));
        }
        fn object(&mut self, _: usize) {}
    }

    #[test]
    fn each_field_has_the_value_that_it_has_alone() {
        let text = "http://u@a.example/~x http://a.example:80/x?y#z ftp://u:p@1.2.3.4:1/a/b;type=a http://é.example/ \
            gopher://h/1s%09q%09g mailto:a@b.example news:a.b news:1@h.example nntp://h/g/1 telnet://u:p@h/ x:y \
            wais://h/d?s <URL:file://h/a#f> <URL:prospero://h/a;b=c;d=e> <URL:http://a.example/call-\nfor> https://h/a?b";
        let extractor = Extractor::builder().line_numbers(true).any_scheme(true).build();
        let mut checked = 0;
        for found in extractor.find_iter(text) {
            let record = MatchRecord::new(b"x", &found);
            let mut notes = Notes(Vec::new());
            MatchRecord::new(b"x", &found).each(&mut notes);
            let fields = FIELDS.iter().enumerate().map(|(at, &field)| (at, record.get(field)));
            let there = fields.filter(|(_, value)| !matches!(value, FieldValue::Null | FieldValue::Object(_)));
            let expected: Vec<_> = there.map(|(at, value)| (at, format!("{value:?}"))).collect();
            notes.0.sort();
            assert_eq!(notes.0, expected, "{}", found.url());
            checked += expected.len();
        }
        assert!(checked > 300, "{checked}");
        assert!(FIELDS.iter().enumerate().all(|(at, field)| field.place() == at));
    }
}
