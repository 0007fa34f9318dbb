//! The extension behind the Python module `urlgrep`: the library's search, parser and rules as
//! Python classes and functions. `python/urlgrep/_urlgrep.pyi` documents each name for Python
//! programs.
//!
//! A file uses only files above it in this table. So no files use each other in a circle, which the
//! library's `tests/floors.rs` tests.
//!
//! | file | owns |
//! |---|---|
//! | `options` | the caller's choices, by the names of the command's options |
//! | `value` | fields of the record as Python's values |
//! | `url` | single URLs |
//! | `range` | the counts of a range of a file |
//! | `file` | the file that is read: a path, or a Python file object |
//! | `search` | a search that runs without the GIL: of a text, or of a file on its own thread |
//! | `kind` | the kind of a file |
//! | `time`, `column` | times of a column; a column, also of the audit's findings |
//! | `columns` | the columns that exist, and their types |
//! | `rows` | matches as rows of columns |
//! | `strings` | a column of strings, and its search |
//! | `batches` | batches of columns for Arrow |
//! | `finding` | a finding of the audit |
//! | `reason` | a decision that led to a match |
//! | `found` | a match, its findings and its reasons |
//! | `matches` | matches one by one |
//! | `texts` | texts whose URLs are replaced |

/// Expands to the documentation of a name for `help`, which `build.rs` extracts from the stubs.
macro_rules! doc {
    ($($name:tt)*) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $($name)*))
    };
}

mod batches;
mod column;
mod columns;
mod file;
mod finding;
mod found;
mod kind;
mod matches;
mod options;
mod range;
mod reason;
mod rows;
mod search;
mod strings;
mod texts;
mod time;
mod url;
mod value;

use pyo3::prelude::*;

/// Finds every URL in free text, mail and archives, and gets each one right.
#[pymodule]
mod _urlgrep {
    /// The version of the wheel, which is that of the library.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use crate::batches::{Batches, RecordBatch, Schema, schema};
    #[pymodule_export]
    use crate::finding::{Finding, finding};
    #[pymodule_export]
    use crate::found::{Match, copied, findings};
    #[pymodule_export]
    use crate::kind::{Kind, has_record_members, kind};
    #[pymodule_export]
    use crate::matches::{Matches, find, find_column, find_file};
    #[pymodule_export]
    use crate::range::RangeCounts;
    #[pymodule_export]
    use crate::reason::{Reason, reason};
    #[pymodule_export]
    use crate::texts::{defang, heal, refang, replace_all};
    #[pymodule_export]
    use crate::url::{Url, key, parse, resolve};
}
