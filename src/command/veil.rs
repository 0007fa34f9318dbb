//! The one place that hides secrets: every string of a report passes through here, whatever its
//! source.
//!
//! A report has URLs, and texts that strangers or other programs wrote. Such texts are names of
//! files, fields of messages, words of a link checker, settings and the command line. The secrets
//! of URLs are shown if the user requests it. Texts are always masked.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};
use urlgrep::audit::{self, mask, mask_text};
use urlgrep::report::defang;

/// Returns a text without its secrets.
pub(crate) fn text(text: String) -> String {
    match mask_text(text.as_bytes()) {
        Cow::Borrowed(_) => text,
        Cow::Owned(masked) => masked.to_string(),
    }
}

/// Returns a URL without its secrets.
pub(super) fn url(url: String) -> String {
    match mask(url.as_bytes()) {
        Cow::Borrowed(_) => url,
        Cow::Owned(masked) => masked.to_string(),
    }
}

/// The choices of a report about its URLs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Veil {
    /// Whether the secrets of URLs are shown.
    pub(super) shows_secrets: bool,
    /// Whether URLs are defanged, so that nobody can click on them.
    pub(super) defangs: bool,
}

impl Veil {
    /// Returns a URL as the report shows it: masked and defanged, as the options require.
    pub(super) fn url<'u>(self, url: &'u BStr) -> Cow<'u, BStr> {
        let masked = self.masked(url);
        if !self.defangs {
            return masked;
        }
        let mut harmless = Vec::new();
        defang(&masked, &mut harmless);
        Cow::Owned(harmless.into())
    }

    /// Returns a URL without its secrets, unless the options show them. A `data:` URL is always
    /// shortened.
    pub(super) fn masked<'u>(self, url: &'u BStr) -> Cow<'u, BStr> {
        match audit::data_in_short(url) {
            Some(short) => Cow::Owned(short.into()),
            None if self.shows_secrets => Cow::Borrowed(url),
            None => mask(url),
        }
    }

    /// Returns a page as the report shows it: a file, or a URL.
    pub(super) fn page(self, page: &BStr) -> String {
        let shown = if page.contains_str("://") { self.url(page) } else { mask_text(page) };
        shown.to_str_lossy().into_owned()
    }

    /// Returns the message of a finding.
    pub(super) fn message(self, message: String) -> String {
        let message = text(message);
        if self.defangs { message.replace("://", "[://]") } else { message }
    }
}
