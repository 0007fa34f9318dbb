//! `--heal` and `--replace`: the text itself, with broken URLs made whole, or with other texts for
//! its URLs.

use std::fs::File;
use std::io::{self, Read, Write};

use urlgrep::Extractor;
use urlgrep::report::TemplateFormat;

use super::exit::ExitStatus;
use super::out::Out;
use super::search::SearchPlan;
use super::walk::path_bytes;

/// A run that prints the text itself.
#[derive(Debug)]
pub(crate) struct RewritePlan {
    pub(crate) search: SearchPlan,
    /// The template of `--replace`. Without it, broken URLs are made whole.
    pub(crate) template: Option<TemplateFormat>,
}

impl RewritePlan {
    /// Prints one text. Returns the number of URLs that were changed.
    fn print(&self, extractor: &Extractor, text: impl Read, name: &[u8], out: &mut Out) -> io::Result<u64> {
        let Some(template) = &self.template else { return extractor.heal(text, Printed(out)) };
        extractor.replace_stream(text, Printed(out), |found| {
            let mut new = Vec::new();
            let is_written = self.search.filter.wants(found) && template.write(name, found, &mut new).is_ok();
            is_written.then_some(new)
        })
    }
}

/// Prints the files one after the other.
pub(crate) fn run(plan: &RewritePlan, out: &mut Out) -> ExitStatus {
    let mut has_changed = plan.template.is_none();
    for path in &plan.search.paths {
        let name = path_bytes(path);
        let printed = match path.as_os_str() == "-" {
            true => plan.print(&plan.search.live, io::stdin().lock(), &name, out),
            false => File::open(path).and_then(|file| plan.print(&plan.search.extractor, file, &name, out)),
        };
        if out.is_stopped() {
            break;
        }
        match printed {
            Ok(count) => has_changed |= count > 0,
            Err(error) => out.file_error(&name, &error),
        }
    }
    ExitStatus::of(has_changed, out.finish(), false)
}

/// Standard output as a writer.
struct Printed<'o>(&'o mut Out);

impl Write for Printed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.print(bytes).is_break() {
            true => Err(io::ErrorKind::BrokenPipe.into()),
            false => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}
