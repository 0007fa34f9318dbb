//! Links on a terminal from a file's name to its place.

use urlgrep::report::HyperlinkFormat;
use urlgrep::report::LinePrefix;

use super::source::InputFile;
use crate::command::os::host_name;

/// Where links lead, on this machine.
#[derive(Debug)]
pub(crate) struct Hyperlinks {
    pub(crate) format: HyperlinkFormat,
    host: String,
}

impl Hyperlinks {
    /// `None` if there are to be none. They name this machine: a terminal that shows another one's output opens nothing of
    /// its own.
    pub(crate) fn new(format: &HyperlinkFormat) -> Option<Self> {
        (!format.is_none()).then(|| Self { format: format.clone(), host: host_name() })
    }

    /// The prefix as a link, if the file lies anywhere.
    pub(crate) fn link(&self, prefix: LinePrefix, file: &InputFile) -> LinePrefix {
        match file.path.as_ref().and_then(|path| path.canonicalize().ok()) {
            Some(path) => prefix.linked(&self.format, &path, &self.host),
            None => prefix,
        }
    }
}
