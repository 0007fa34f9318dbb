//! The fields of a record by name: one table for JSON, CSV and templates.

/// A field of a record, or a part of a field that is an object: `message.id`.
///
/// ```
/// use urlgrep::record::RecordField;
///
/// assert_eq!(RecordField::by_name("message.id").unwrap().name(), "message.id");
/// assert_eq!(RecordField::all().next(), RecordField::by_name("url"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordField {
    pub(crate) name: &'static str,
    pub(crate) key: RecordKey,
    pub(crate) part: Option<&'static str>,
}

/// Passes the rows of the fields to the macro `$then`, in three groups. These are the fields of
/// every match, the fields of archives, and the rest.
///
/// The parts of an object follow its key, in brackets.
macro_rules! record_fields {
    ($then:ident $($arguments:tt)*) => {
        $then! {
            $($arguments)*
            {
                Url "url",
                Kind "kind",
                Scheme "scheme",
                Prefix "prefix",
                File "file",
                Offset "offset",
                Length "length",
                Line "line",
                Column "column",
                Rejoined "rejoined",
                Readings "readings",
                Level "level",
                Error "error" ["kind" "offset" "message"],
                Host "host",
                Domain "domain",
                Hosts "hosts",
                Truncated "truncated",
                Refused "refused",
                Parts "parts" [
                    "user" "password" "host" "hosttype" "port" "port_text" "port_effective" "path" "fragment" "cwd" "name"
                    "type" "commands" "search" "gtype" "gtype_effective" "selector" "gplus" "request" "local" "domain"
                    "addr" "form" "group" "unique" "number" "slash" "database" "wtype" "wpath" "is_local" "hsoname"
                    "fields" "rest"
                ],
                Generic "generic" ["scheme" "userinfo" "host" "port" "path" "query" "fragment"],
            }
            {
                Message "message" ["id" "date" "from" "subject" "newsgroups" "url" "language" "number" "offset"],
                Part "part" ["number" "offset" "length" "member"],
                ContentType "content_type",
                Encoding "encoding",
                Header "header",
                QuoteDepth "quote_depth",
                Body "body" ["offset" "length"],
                Text "text",
                Resolved "resolved",
                ShownHost "shown_host",
                Attribute "attribute",
                Note "note",
            }
            {
                Count "count",
                Target "target",
                Why "why",
                Page "page",
            }
        }
    };
}
pub(crate) use record_fields;

macro_rules! table {
    ($({ $($key:ident $name:literal $([$($part:literal)*])?,)* })*) => {
        /// The keys of the JSON record, in its order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum RecordKey {
            $($($key,)*)*
        }

        /// Every field, with each part after its object.
        pub(crate) static FIELDS: &[RecordField] = &[$($(
            RecordField { name: $name, key: RecordKey::$key, part: None },
            $($(RecordField { name: concat!($name, ".", $part), key: RecordKey::$key, part: Some($part) },)*)?
        )*)*];
    };
}
record_fields!(table);

/// The names that CSV uses for some columns.
static ALIASES: &[RecordField] = &[
    RecordField { name: "error_kind", key: RecordKey::Error, part: Some("kind") },
    RecordField { name: "error_offset", key: RecordKey::Error, part: Some("offset") },
    RecordField { name: "error_message", key: RecordKey::Error, part: Some("message") },
];

impl RecordKey {
    /// Returns whether the value of the key has parts.
    #[inline(always)]
    pub(crate) const fn has_parts(self) -> bool {
        use RecordKey::{Body, Error, Generic, Message, Part, Parts};
        matches!(self, Error | Parts | Generic | Message | Part | Body)
    }

    /// Returns whether the key describes the place of a match: in an archive of mail or news, or a
    /// page.
    #[inline(always)]
    pub(crate) const fn is_of_place(self) -> bool {
        RecordKey::Message as u8 <= self as u8 && self as u8 <= RecordKey::Note as u8
    }
}

impl RecordField {
    /// Returns the keys that every JSON record has.
    pub(crate) fn every_key() -> impl Iterator<Item = RecordField> {
        FIELDS.iter().copied().filter(|field| field.part.is_none() && !field.is_on_request())
    }

    /// Returns the name of the key, without the name of a part.
    pub(crate) fn object(self) -> &'static str {
        match self.part {
            Some(part) => &self.name[..self.name.len() - part.len() - 1],
            None => self.name,
        }
    }

    /// Returns every field in the order of the record, with each part after its object.
    pub fn all() -> impl Iterator<Item = RecordField> {
        FIELDS.iter().copied()
    }

    /// The number of fields.
    pub const COUNT: usize = FIELDS.len();

    /// Returns the index of the field in [all](Self::all).
    pub fn place(self) -> usize {
        FIELDS.iter().position(|field| field.name == self.name).unwrap_or_default()
    }

    /// Returns the name. A part's name follows the name of its object: `message.id`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Returns whether a record has the field only if it is requested: `target`, `why`, `page`.
    pub fn is_on_request(self) -> bool {
        matches!(self.key, RecordKey::Target | RecordKey::Why | RecordKey::Page)
    }

    /// Returns whether the field describes the place of a match: in an archive of mail or news, or
    /// a page. The field is null for a match in other text.
    pub fn is_of_place(self) -> bool {
        self.key.is_of_place()
    }

    /// Returns the field with a name, or with the name of a column of CSV: `error_kind`.
    pub fn by_name(name: &str) -> Option<RecordField> {
        FIELDS.iter().chain(ALIASES).find(|field| field.name == name).copied()
    }

    /// Returns whether the extractor must count lines for the field.
    pub(crate) fn needs_lines(self) -> bool {
        matches!(self.key, RecordKey::Line | RecordKey::Column)
    }
}
