//! The obvious program with the linkify crate: it prints every URL of a file, one per line.
//!
//! It finds links of `LinkKind::Url` only, with the crate's other defaults. E-mail addresses are
//! excluded, which saves the crate the search for `@`. The crate recognises any scheme before
//! `://`, but neither `mailto:` nor `news:`.
//!
//! The crate needs `&str`. Each valid stretch of UTF-8 is searched in place: repairing the text
//! first would cost a copy of it.

use std::process::ExitCode;

use linkify::{LinkFinder, LinkKind};

fn main() -> ExitCode {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    urlgrep_peers::run("linkify", |bytes, offset, printer| {
        let mut start = offset;
        for chunk in bytes.utf8_chunks() {
            for link in finder.links(chunk.valid()) {
                printer.print(start + link.start(), link.as_str().as_bytes())?;
            }
            start += chunk.valid().len() + chunk.invalid().len();
        }
        Ok(())
    })
}
