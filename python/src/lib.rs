//! The extension behind the Python module `urlgrep`: the library's search, parser and rules, as Python meets them. What a
//! Python program reads of each name stands in `python/urlgrep/_urlgrep.pyi`.
//!
//! | file | owns |
//! |---|---|
//! | `options` | what a caller can choose, by the names of the command's options |
//! | `file` | what is read: a path, or a file object of Python's |
//! | `kind` | what a file is |
//! | `search` | a search that runs without the GIL: of a text, of a file on a thread of its own |
//! | `matches` | matches one by one |
//! | `columns` | which columns there are, and their types |
//! | `rows`, `column`, `time` | matches as rows of columns; a column; its times |
//! | `batches` | how Arrow takes them |
//! | `range` | what a range of a file says of itself |
//! | `url` | single URLs |
//! | `finding` | what the audit says of a match |
//! | `value` | fields of the record as Python's values |

/// What the stubs say of a name, for `help`: `build.rs` took it from there.
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
mod kind;
mod matches;
mod options;
mod range;
mod rows;
mod search;
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
    use crate::finding::{Finding, findings};
    #[pymodule_export]
    use crate::kind::{Kind, kind};
    #[pymodule_export]
    use crate::matches::{Match, Matches, find, find_file};
    #[pymodule_export]
    use crate::range::RangeCounts;
    #[pymodule_export]
    use crate::url::{Url, key, parse, resolve};
}
