//! The layers of a text: the ways in which programs write the characters of a URL.
//!
//! A layer of characters is one file and one row of [`LAYERS`]. The row has the bytes that begin
//! its escapes, its reader, and the mappings in which it applies. A [`Mapping`] is the way in which
//! one text escapes its URLs. A layer of lines, such as a cell, is a file too.
//!
//! At first, the beginning of an escape ends a run like any stop. If that escape is valid, the run
//! is read a second time (`forms::unescape`). Escaped slashes after the scheme have the same
//! effect. In a text without escapes, the only cost is a test of the byte that ends a run.
//!
//! # Example
//!
//! In `http://h/a\u0026b`, the run ends at the `\`. The row of B-BACK begins with that byte. Its
//! reader returns an escape of six bytes, which stands for `&`. So the mapping is
//! [`Mapping::Text`], and the decoded text is `http://h/a&b`.

mod backslash;
mod bytes;
pub(crate) mod cell;
pub(crate) mod continuation;
pub(crate) mod edge;
pub(crate) mod entity;
pub(crate) mod escape;
mod fill;
pub(crate) mod grid;
pub(crate) mod hyphen;
pub(crate) mod json;
pub(crate) mod justified;
mod ligature;
pub(crate) mod prefix;
mod record;
pub(crate) mod roff;
pub(crate) mod rows;
pub(crate) mod strings;
pub(crate) mod terminal;
mod tex;
pub(crate) mod texinfo;
mod tilde;
mod unseen;

use std::ops::Range;

use crate::bytes::logical::Logical;
use crate::find::text::view::View;
use crate::find::text::window::trim_end;
use escape::Escape;

/// A stretch of a text as it is meant: without the marks and escapes of a layer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meant {
    /// The rule of a layer of lines. A layer of characters has a rule for each escape.
    pub(crate) rule: &'static str,
    /// The bytes, with their places in the text.
    pub(crate) text: Logical,
    /// The stretch reaches the end of the text that was read so far.
    pub(crate) is_cut: bool,
}

impl Meant {
    /// Returns a copy of lines of a text. `joins` receives the index of a line. If the line
    /// continues on the next one, it returns the number of bytes to drop at its end.
    fn of_lines(
        rule: &'static str,
        text: &[u8],
        lines: &[Range<usize>],
        is_cut: bool,
        joins: impl Fn(usize) -> Option<usize>,
    ) -> Meant {
        let mut copy = Logical::from(lines[0].start);
        for (index, line) in lines.iter().enumerate() {
            let bytes = &text[line.clone()];
            match joins(index) {
                Some(dropped) => copy.append(&bytes[..bytes.len() - dropped], line.start),
                None => {
                    copy.append(trim_end(bytes), line.start);
                    copy.insert(b"\n");
                }
            }
        }
        Meant { rule, text: copy, is_cut }
    }

    /// Returns the stretch as a text. More text may follow it if `source` continues.
    pub(crate) fn view(&self, source: &View<'_>) -> View<'_> {
        View::new(self.text.bytes(), self.is_cut && source.goes_on())
    }

    /// Returns the place in the stretch of the first byte that comes from `source` or from after it.
    pub(crate) fn place_from(&self, source: usize) -> usize {
        self.text.first_from(source)
    }

    /// Returns the place in the stretch of a byte of the source, if the stretch may hold this byte.
    pub(crate) fn place(&self, source: usize) -> Option<usize> {
        self.text.offset_of(source)
    }
}

/// A way in which a text escapes its URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mapping {
    /// `\` escapes marks, and the characters that JSON escapes (B-BACK, B-JSON).
    #[default]
    Text,
    /// After `scheme:\/\/`, `\` escapes `/`, and the characters that JSON escapes. A plain `/` ends
    /// the run (B-JSON).
    Slashed,
    /// `\` begins the escapes of a manual page, and escapes the characters that JSON escapes
    /// (B-ROFF).
    Roff,
    /// `@` begins the escapes of Texinfo, and a comma ends the run (B-TEXINFO).
    Texinfo,
}

/// A layer of characters.
struct EscapeLayer {
    /// Its id in the specification.
    rule: &'static str,
    /// The bytes with which its escapes begin.
    begins: &'static [u8],
    /// The mappings in which it applies.
    applies: &'static [Mapping],
    /// Reads the escape at a place that holds one of these bytes.
    read: fn(&View<'_>, usize) -> Option<Escape>,
}

const UNQUOTED: &[Mapping] = &[Mapping::Text, Mapping::Roff];
const EVERY: &[Mapping] = &[Mapping::Text, Mapping::Slashed, Mapping::Roff];

/// The layers of characters. The first that applies decides.
static LAYERS: [EscapeLayer; 14] = [
    EscapeLayer { rule: "B-ENT", begins: b"&", applies: EVERY, read: entity::escape },
    EscapeLayer { rule: "B-TERM", begins: &[terminal::ESC], applies: EVERY, read: terminal::escape },
    EscapeLayer { rule: "B-UNSEEN", begins: &unseen::FIRST, applies: EVERY, read: unseen::escape },
    EscapeLayer { rule: "B-TYPESET", begins: &[hyphen::FIRST], applies: UNQUOTED, read: hyphen::escape },
    EscapeLayer { rule: "B-TILDE", begins: &tilde::FIRST, applies: UNQUOTED, read: tilde::escape },
    EscapeLayer { rule: "B-LIGATURE", begins: &[ligature::FIRST], applies: EVERY, read: ligature::escape },
    EscapeLayer {
        rule: "B-STRINGS",
        begins: strings::QUOTES,
        applies: &[Mapping::Text, Mapping::Slashed],
        read: strings::escape,
    },
    EscapeLayer { rule: "B-CONTINUE", begins: b"\\", applies: UNQUOTED, read: continuation::escape },
    EscapeLayer { rule: "B-BYTES", begins: b"\\", applies: EVERY, read: bytes::escape },
    EscapeLayer { rule: "B-TEX", begins: b"\\{$", applies: EVERY, read: tex::escape },
    EscapeLayer { rule: "B-ROFF", begins: b"\\", applies: &[Mapping::Roff], read: roff::escape },
    EscapeLayer { rule: "B-BACK", begins: b"\\", applies: &[Mapping::Text], read: backslash::escape },
    EscapeLayer { rule: "B-JSON", begins: b"\\", applies: &[Mapping::Slashed], read: json::slash_or_character },
    EscapeLayer { rule: "B-TEXINFO", begins: b"@", applies: &[Mapping::Texinfo], read: texinfo::escape },
];

/// Returns the layers whose escapes begin with `byte`.
fn layers_of(byte: u8) -> impl Iterator<Item = &'static EscapeLayer> {
    LAYERS.iter().filter(move |layer| layer.begins.contains(&byte))
}

/// Returns whether an escape may begin with this byte.
pub(crate) fn begins_escape(byte: u8) -> bool {
    matches!(byte, b'\\' | b'&' | b'"' | b'\'' | b'{' | b'$' | terminal::ESC)
        || unseen::FIRST.contains(&byte)
        || tilde::FIRST.contains(&byte)
        || byte == ligature::FIRST
}

/// Reads the escape at `at` by any layer. The escapes of manual pages come before those of B-BACK.
pub(crate) fn read_any(text: &View<'_>, at: usize) -> Option<Escape> {
    let is_of_text = |layer: &&EscapeLayer| layer.applies != [Mapping::Slashed];
    layers_of(text.byte(at)?).filter(is_of_text).find_map(|layer| (layer.read)(text, at))
}

/// Returns the length of the escaped slash at `at`.
pub(crate) fn read_slash(text: &View<'_>, at: usize) -> Option<usize> {
    let escape = match text.byte(at)? {
        b'\\' | b'&' => Mapping::Slashed.read_layers(text, at),
        _ => None,
    };
    escape.filter(|escape| escape.reads == Some('/')).map(|escape| escape.len)
}

impl Mapping {
    /// The number of mappings.
    pub(crate) const ALL: usize = 4;

    /// Returns the mapping for the URL at `url`, whose run ended at the byte at `at`. Returns
    /// `None` if no escape begins there.
    #[inline]
    pub(crate) fn after_stop(text: &View<'_>, url: usize, at: usize) -> Option<Mapping> {
        // Nearly every run ends at a blank or a bracket.
        if !begins_escape(text.byte(at)?) {
            return None;
        }
        if Mapping::Text.read(text, at).is_some() {
            return Some(Mapping::Text);
        }
        (Mapping::Roff.read(text, at).is_some() && roff::is_in_roff(text, url)).then_some(Mapping::Roff)
    }

    /// Returns whether an escape of this mapping may begin with `byte`.
    #[inline]
    pub(crate) fn may_begin(self, byte: u8) -> bool {
        begins_escape(byte) || byte == b'@' && self == Mapping::Texinfo
    }

    /// Returns the rule of the layer that reads the escape at `at`.
    pub(crate) fn rule_at(self, text: &View<'_>, at: usize) -> Option<&'static str> {
        let mut layers = layers_of(text.byte(at)?).filter(|layer| layer.applies.contains(&self));
        layers.find(|layer| (layer.read)(text, at).is_some()).map(|layer| layer.rule)
    }

    /// Reads the escape at `at` by the first layer of this mapping that reads one.
    fn read_layers(self, text: &View<'_>, at: usize) -> Option<Escape> {
        let mut layers = layers_of(text.byte(at)?).filter(|layer| layer.applies.contains(&self));
        layers.find_map(|layer| (layer.read)(text, at))
    }

    /// Reads the escape at `at`, if an escape begins there. Except in roff, an escape that decodes to
    /// nothing is not read right before a K scheme and `://`. It would hide that URL.
    pub(crate) fn read(self, text: &View<'_>, at: usize) -> Option<Escape> {
        let first = text.byte(at)?;
        let escape = self.read_layers(text, at);
        let hides_url = |escape: &Escape| escape.reads.is_none() && text.has_k(at + escape.len, b"://");
        escape.filter(|escape| first == b'\\' && self == Mapping::Roff || !hides_url(escape))
    }
}

/// Returns whether this byte may belong to an escape, and otherwise ends every run.
pub(crate) fn is_first(byte: u8) -> bool {
    byte == b'\\' || terminal::is_control(byte)
}

/// Returns whether a stop at `at` may begin an escape in a run, so that the URL may continue.
#[inline]
pub(crate) fn may_be_escape(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\\') => {
            let text = View::whole(text);
            [Mapping::Text, Mapping::Roff].iter().any(|mapping| mapping.read(&text, at).is_some())
        }
        Some(&byte) => terminal::is_control(byte),
        None => false,
    }
}
