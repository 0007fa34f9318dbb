//! What one would write with the linkify crate: find every URL of a file, print each on a line.
//!
//! Links of `LinkKind::Url` only, with the crate's other defaults: e-mail addresses are not asked for, which saves it the
//! search for `@`. It knows any scheme before `://`, but neither `mailto:` nor `news:`.
//!
//! The crate wants `&str`: each valid stretch of UTF-8 is searched as it lies, because to mend the text first would cost
//! the peer a copy of all of it.

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
