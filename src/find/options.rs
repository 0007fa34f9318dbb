//! The caller's options that change the result.

use crate::bytes::limits::SCREEN_COLUMNS;
use crate::bytes::simd::Backend;
use crate::url::ParseOptions;

/// The URLs that may be rejoined over line breaks.
///
/// ```
/// use urlgrep::{Extractor, Rejoin};
///
/// let text = "<URL:http://a.example/\n  x>";
/// let url = |rejoin| Extractor::builder().rejoin(rejoin).build().find(text).map(|found| found.to_string());
/// assert_eq!(url(Rejoin::Auto).as_deref(), Some("http://a.example/x"));
/// assert_eq!(url(Rejoin::None).as_deref(), Some("http://a.example/"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Rejoin {
    /// Wrapped and angle bodies, and bare URLs if the evidence is strong (B-JOIN).
    #[default]
    Auto,
    /// Wrapped and angle bodies, and bare URLs over an inserted hyphen (B-TYPESET).
    Delimited,
    /// Nothing: a body with a line break fails (W-FAIL-2).
    None,
}

/// The reading that comes first at a doubtful hyphen (W-HYPH-3, W-HYPH-4).
///
/// ```
/// use urlgrep::{Extractor, HyphenOrder};
///
/// let text = "<URL:http://a.example/call-for-\npapers>";
/// let typeset = Extractor::builder().hyphen(HyphenOrder::Drop).build();
/// assert_eq!(typeset.find(text).unwrap().url(), "http://a.example/call-forpapers");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum HyphenOrder {
    /// The hyphen belongs to the URL, because software wraps at real hyphens.
    #[default]
    Keep,
    /// The hyphen came with the break, as in typeset text.
    Drop,
}

/// The evidence that a text is a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sheets {
    /// The lines around a URL.
    #[default]
    ByLines,
    /// The caller declared that the text is a CSV file.
    Told,
}

/// Options that change the result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    pub(crate) any_scheme: bool,
    pub(crate) rejoin: Rejoin,
    pub(crate) hyphen: HyphenOrder,
    pub(crate) iri: bool,
    /// Defanged URLs are read as the originals (B-REFANG).
    pub(crate) refang: bool,
    /// Names without a scheme are found (B-WWW).
    pub(crate) www: bool,
    /// Other names without a scheme, and their paths, are found (B-NAME).
    pub(crate) names: bool,
    /// Navigation links that a mail archiver put on its pages are found.
    #[cfg(feature = "archive")]
    pub(crate) navigation: bool,
    /// Candidates with a placeholder or defanged host are also matches (B-NOHOST).
    pub(crate) candidates: bool,
    /// The evidence that the text is a CSV file (B-SHEET).
    pub(crate) sheets: Sheets,
    /// The text is the header of a message. Its fields are folded at blanks, so no URL continues on
    /// the next line.
    pub(crate) is_header: bool,
    /// The screen that showed the text (B-JOIN-SCREEN).
    pub(crate) screen: OnScreen,
    /// Broken matches are marked if one line can hold them ([`RawMatch::is_healed`]).
    ///
    /// [`RawMatch::is_healed`]: crate::find::RawMatch::is_healed
    pub(crate) heals: bool,
    pub(crate) parse: ParseOptions,
    /// The vector backend. It changes only the speed.
    pub(crate) backend: Backend,
}

/// The screen that showed a text (B-JOIN-SCREEN).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OnScreen {
    /// The number of columns, if the caller gave it.
    pub(crate) columns: Option<usize>,
    /// The lines stand in a cell with an edge (B-CELL).
    pub(crate) is_framed: bool,
    /// The full rows are already joined (B-JOIN-ROWS).
    pub(crate) is_unrowed: bool,
}

impl Options {
    /// Returns whether matches may also begin at places that the fast lane does not visit.
    pub(crate) fn has_more_anchors(&self) -> bool {
        self.refang || self.www || self.names || self.rows().is_some()
    }

    /// Returns the number of columns of the rows to join (B-JOIN-ROWS).
    pub(crate) fn rows(&self) -> Option<usize> {
        let columns = self.screen.columns.filter(|&columns| columns >= SCREEN_COLUMNS);
        columns.filter(|_| !self.screen.is_unrowed && self.joins_bare())
    }

    /// Returns whether the next line may give a bare URL further readings (B-HYPH, B-JOIN).
    pub(crate) fn reads_next_line(&self) -> bool {
        self.rejoin != Rejoin::None && !self.is_header && self.sheets != Sheets::Told
    }

    /// Returns whether a bare URL is joined over a line break on strong evidence (B-JOIN).
    pub(crate) fn joins_bare(&self) -> bool {
        self.rejoin == Rejoin::Auto && self.reads_next_line()
    }
}
