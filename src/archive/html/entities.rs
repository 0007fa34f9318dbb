//! The entities that a document of XML declares (XML 1.0, 4.2): `<!ENTITY host "h.example">`.
//!
//! They are expanded once, in references only: `<ulink url="http://&host;/">`.

use memchr::{memchr, memmem};

/// The maximum number of entities, and the maximum length of a value. So a reference of three bytes
/// grows by a bounded factor.
const MOST: usize = 64;
const LONGEST: usize = 256;
/// The maximum number of expansions in a reference.
const MOST_IN_REFERENCE: usize = 4;

/// The declared names and values.
#[derive(Debug, Default)]
pub(super) struct Entities(Vec<(Vec<u8>, Vec<u8>)>);

impl Entities {
    /// Reads the internal subset of the doctype that a text begins with. External and parameter
    /// entities are ignored, and so are values with references or tags.
    pub(super) fn of(text: &[u8]) -> Entities {
        let mut all = Vec::new();
        let mut rest = memchr(b'[', text).map_or(&[][..], |open| &text[open + 1..]);
        while let Some(declaration) = next_declaration(&mut rest)
            && all.len() < MOST
        {
            all.extend(entity(declaration));
        }
        Entities(all)
    }

    /// Returns the reference with its entities expanded. Returns `None` if it has none.
    pub(super) fn expanded(&self, reference: &[u8]) -> Option<Vec<u8>> {
        if self.0.is_empty() {
            return None;
        }
        let (mut text, mut copied) = (Vec::new(), 0);
        for at in memchr::memchr_iter(b'&', reference).take(MOST_IN_REFERENCE) {
            let Some(length) = memchr(b';', &reference[at..]) else { break };
            let name = &reference[at + 1..at + length];
            if let Some((_, value)) = self.0.iter().find(|(known, _)| known == name) {
                text.extend_from_slice(&reference[copied..at]);
                text.extend_from_slice(value);
                copied = at + length + 1;
            }
        }
        text.extend_from_slice(&reference[copied..]);
        (copied > 0).then_some(text)
    }
}

/// Returns the next declaration of an internal subset, without `<!` and `>`. Skips comments.
fn next_declaration<'t>(rest: &mut &'t [u8]) -> Option<&'t [u8]> {
    loop {
        let start = rest.iter().position(|byte| matches!(byte, b'<' | b']')).filter(|&at| rest[at] == b'<')?;
        let text = &rest[start..];
        let end = match text {
            [b'<', b'!', b'-', b'-', ..] => memmem::find(text, b"-->")? + 2,
            _ => end_of_declaration(text)?,
        };
        *rest = &text[end + 1..];
        if text.starts_with(b"<!") && !text.starts_with(b"<!--") {
            return Some(&text[2..end]);
        }
    }
}

/// Returns the offset of the `>` that ends a declaration. It stands outside of quotes.
fn end_of_declaration(text: &[u8]) -> Option<usize> {
    let mut quote = None;
    text.iter().position(|&byte| {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
        quote.is_none() && byte == b'>'
    })
}

/// Returns the name and the value of the entity that a declaration declares.
fn entity(declaration: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let rest = declaration.strip_prefix(b"ENTITY")?;
    let start = rest.trim_ascii_start();
    let name = start.split(u8::is_ascii_whitespace).next().filter(|name| !name.is_empty() && *name != b"%")?;
    let (quote, value) = start[name.len()..].trim_ascii().split_first()?;
    let value = value.strip_suffix(&[*quote]).filter(|_| matches!(quote, b'"' | b'\''))?;
    let is_plain = value.len() <= LONGEST && !value.iter().any(|byte| matches!(byte, b'&' | b'%' | b'<'));
    (is_plain && start.len() < rest.len()).then(|| (name.to_vec(), value.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_of_a_subset() {
        let subset = "<!DOCTYPE book SYSTEM 'x.dtd' [\n<!-- <!ENTITY no \"x\"> ] -->\n<!ELEMENT a (b > c)>\
            <!ENTITY site \"https://s.example/x\"><!ENTITY host 'h.example' ><!ENTITY % p \"x\">%p;\n\
            <!ENTITY far SYSTEM \"http://f.example/\"><!ENTITY two \"&site;\"><!ENTITY gt \">\">\n]><a><!ENTITY late \"x\">";
        let entities = Entities::of(subset.as_bytes());
        for (reference, expected) in [
            ("&site;/a", Some("https://s.example/x/a")),
            ("http://&host;/?&no;&late;&host;", Some("http://h.example/?&no;&late;h.example")),
            ("&two;&far;&p;&", None),
            ("&site", None),
            ("", None),
        ] {
            let expanded = entities.expanded(reference.as_bytes()).map(|text| String::from_utf8(text).unwrap());
            assert_eq!(expanded.as_deref(), expected, "{reference}");
        }
        for other in ["<!DOCTYPE html>", "<!DOCTYPE a [", "<!DOCTYPE a [<!ENTITY b \"c", "<!DOCTYPE a [<!ENTITY>]>"] {
            assert_eq!(Entities::of(other.as_bytes()).expanded(b"&b;"), None, "{other}");
        }
    }
}
