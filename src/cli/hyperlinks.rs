//! Terminal hyperlinks from a file's name to the file.

use urlgrep::report::HyperlinkFormat;
use urlgrep::report::LinePrefix;

use super::source::InputFile;
use crate::command::os::host_name;

/// The format of hyperlinks, and the name of this machine.
#[derive(Debug)]
pub(crate) struct Hyperlinks {
    pub(crate) format: HyperlinkFormat,
    host: String,
}

impl Hyperlinks {
    /// Returns the hyperlinks of a format, or `None` if the format makes no links. Links name this
    /// machine, so a terminal that shows another machine's output opens no local file.
    pub(crate) fn new(format: &HyperlinkFormat) -> Option<Self> {
        (!format.is_none()).then(|| Self { format: format.clone(), host: host_name() })
    }

    /// Returns the prefix, as a link if the file has a path.
    pub(crate) fn link(&self, prefix: LinePrefix, file: &InputFile) -> LinePrefix {
        match file.path.as_ref().and_then(|path| path.canonicalize().ok()) {
            Some(path) => prefix.linked(&self.format, &path, &self.host),
            None => prefix,
        }
    }
}
