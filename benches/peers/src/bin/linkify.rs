//! What one would write with the linkify crate: find every URL of a file, print each on a line.
//!
//! `linkify [--offsets] FILE`; with `--offsets` as `OFFSET:URL`.
//!
//! Links of `LinkKind::Url` only, with the crate's other defaults: e-mail addresses are not asked for, which saves it the
//! search for `@`. It knows any scheme before `://`, but neither `mailto:` nor `news:`.
//!
//! The crate wants `&str`. The file is read in windows of whole lines (no link crosses a line end), and each valid
//! stretch of UTF-8 is searched as it lies, because to mend the text first would cost the peer a copy of all of it.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use linkify::{LinkFinder, LinkKind};

const WINDOW: usize = 1 << 20;

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let offsets = arguments.first().is_some_and(|first| first == "--offsets");
    let file = if offsets { arguments.split_off(1) } else { arguments };
    let searched = match &file[..] {
        [file] => File::open(file).and_then(|file| search(file, offsets)),
        _ => Err(io::Error::other("[--offsets] FILE")),
    };
    match searched {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("linkify: {error}");
            ExitCode::from(2)
        }
    }
}

fn search(mut file: File, offsets: bool) -> io::Result<()> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    let mut buffer = vec![0; WINDOW];
    let (mut kept, mut offset) = (0, 0);
    loop {
        let got = file.read(&mut buffer[kept..])?;
        let filled = kept + got;
        if filled == 0 {
            return out.flush();
        }
        let length = whole_lines(&buffer[..filled], got == 0);
        print_links(&finder, &buffer[..length], offsets.then_some(offset), &mut out)?;
        buffer.copy_within(length..filled, 0);
        kept = filled - length;
        offset += length;
    }
}

/// How much of the buffer may be searched; a line longer than the buffer is cut.
fn whole_lines(bytes: &[u8], is_last: bool) -> usize {
    if is_last { bytes.len() } else { memchr::memrchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1) }
}

fn print_links(finder: &LinkFinder, bytes: &[u8], offset: Option<usize>, out: &mut impl Write) -> io::Result<()> {
    let mut start = 0;
    for chunk in bytes.utf8_chunks() {
        for link in finder.links(chunk.valid()) {
            if let Some(offset) = offset {
                write!(out, "{}:", offset + start + link.start())?;
            }
            out.write_all(link.as_str().as_bytes())?;
            out.write_all(b"\n")?;
        }
        start += chunk.valid().len() + chunk.invalid().len();
    }
    Ok(())
}
