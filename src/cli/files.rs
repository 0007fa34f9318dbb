//! `--files`: lists the files that would be searched.

use std::path::{Path, PathBuf};

use super::exit::ExitStatus;
use super::out::Out;
use super::plan::FilesPlan;
use super::walk::{InputPath, Inputs};

/// Lists the files. Without PATH, it lists the current folder, with names without `./`, as ripgrep
/// does.
pub(crate) fn run(plan: &FilesPlan, out: &mut Out) -> ExitStatus {
    let here = [PathBuf::from(".")];
    let (paths, is_here) = if plan.paths.is_empty() { (&here[..], true) } else { (&plan.paths[..], false) };
    let mut has_files = false;
    for input in Inputs::new(paths, &plan.walk) {
        let input = match input {
            Err(error) => {
                error.report(out);
                continue;
            }
            Ok(InputPath::File(path)) if is_here => {
                InputPath::File(path.strip_prefix(Path::new(".")).map_or(path.clone(), Path::to_owned))
            }
            Ok(input) => input,
        };
        has_files = true;
        if plan.quiet || out.print(&plan.text.file_line(&plan.text.prefix(input.name()))).is_break() {
            break;
        }
    }
    ExitStatus::of(has_files, out.finish(), plan.quiet)
}
