//! The bases of relative links in XML: those of `xml:base` (XML Base, section 3), and those of the
//! items of a feed.

use std::mem;

use super::names::Name;

/// The maximum number of bases around an element. A deeper one is ignored.
const MOST_OPEN: usize = 64;
/// The maximum length of the `<link>` of an item.
const LONGEST_LINK: usize = 2048;

/// A base of the elements within an element.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ElementBase {
    /// The reference, not yet resolved. It is empty if an item has no `<link>`.
    pub(crate) value: Vec<u8>,
    /// The index of the base around this one, to which it is relative.
    pub(crate) around: Option<u32>,
}

/// The bases of a window, and those around the current element.
#[derive(Clone, Debug, Default)]
pub(super) struct ElementBases {
    depth: u32,
    open: Vec<OpenBase>,
    all: Vec<ElementBase>,
}

#[derive(Clone, Copy, Debug)]
struct OpenBase {
    index: u32,
    /// The depth of the base's element.
    depth: u32,
    is_item: bool,
}

impl ElementBases {
    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns the index of the innermost base.
    pub(super) fn current(&self) -> Option<u32> {
        self.open.last().map(|base| base.index)
    }

    /// Enters an element, with its `xml:base` if it has one. An item of a feed, or its channel, has
    /// its `<link>` as a base.
    pub(super) fn enter(&mut self, name: &Name, xml_base: Option<&[u8]>) {
        self.depth = self.depth.saturating_add(1);
        if matches!(name.as_bytes(), b"item" | b"channel") {
            self.push(Vec::new(), true);
        }
        if let Some(value) = xml_base {
            self.push(value.to_vec(), false);
        }
    }

    fn push(&mut self, value: Vec<u8>, is_item: bool) {
        if self.open.len() < MOST_OPEN {
            let base = OpenBase { index: self.all.len() as u32, depth: self.depth, is_item };
            self.all.push(ElementBase { value, around: self.current() });
            self.open.push(base);
        }
    }

    /// Leaves an element. `text` is the text before its end tag.
    pub(super) fn leave(&mut self, name: &Name, text: &[u8]) {
        if name.as_bytes() == b"link" && text.len() <= LONGEST_LINK {
            let item = self.open.iter().rev().take(2).find(|base| base.is_item && base.depth + 1 == self.depth);
            if let Some(base) = item.map(|item| &mut self.all[item.index as usize])
                && base.value.is_empty()
                && !text.iter().any(u8::is_ascii_whitespace)
            {
                base.value = text.to_vec();
            }
        }
        while self.open.pop_if(|base| base.depth >= self.depth).is_some() {}
        self.depth = self.depth.saturating_sub(1);
    }

    /// Returns the bases of the window. Keeps those that are still open for the next window.
    pub(super) fn end_window(&mut self) -> Vec<ElementBase> {
        let all = mem::take(&mut self.all);
        for (number, base) in self.open.iter_mut().enumerate() {
            // Each open base is relative to the one before it.
            let around = number.checked_sub(1).map(|around| around as u32);
            self.all.push(ElementBase { value: all[base.index as usize].value.clone(), around });
            base.index = number as u32;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(name: &str) -> Name {
        let mut found = Name::default();
        found.push(name.as_bytes());
        found
    }

    #[test]
    fn windows_begin_with_the_open_bases() {
        let mut bases = ElementBases::default();
        bases.enter(&name("rss"), Some(b"a"));
        bases.enter(&name("x"), Some(b"b"));
        bases.leave(&name("x"), b"");
        bases.enter(&name("item"), None);
        bases.enter(&name("link"), None);
        assert_eq!(bases.end_window().len(), 3);
        bases.leave(&name("link"), b"c");
        assert_eq!(bases.current(), Some(1));
        let base = |value: &[u8], around| ElementBase { value: value.to_vec(), around };
        assert_eq!(bases.end_window(), [base(b"a", None), base(b"c", Some(0))]);
    }

    #[test]
    fn no_more_bases_than_a_limit() {
        let mut bases = ElementBases::default();
        for _ in 0..3 * MOST_OPEN {
            bases.enter(&name("x"), Some(b"a/"));
        }
        assert_eq!(bases.count(), MOST_OPEN);
        for _ in 0..3 * MOST_OPEN + 1 {
            bases.leave(&name("x"), b"");
        }
        assert_eq!(bases.current(), None);
    }
}
