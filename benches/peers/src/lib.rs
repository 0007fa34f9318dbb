//! Shared code of the programs in this folder. A file is searched in windows of whole lines, since
//! none of their matches crosses a line end.

use std::fs::File;
use std::io::{self, BufWriter, Read, StdoutLock, Write};
use std::process::ExitCode;

const WINDOW: usize = 1 << 20;

/// Prints URLs, one per line.
#[derive(Debug)]
pub struct Printer {
    out: BufWriter<StdoutLock<'static>>,
    /// Offsets are printed, too.
    offsets: bool,
}

impl Printer {
    /// Prints a URL that begins at an offset of the file.
    pub fn print(&mut self, offset: usize, url: &[u8]) -> io::Result<()> {
        if self.offsets {
            write!(self.out, "{offset}:")?;
        }
        self.out.write_all(url)?;
        self.out.write_all(b"\n")
    }
}

/// Runs a program called as `NAME [--offsets] FILE`. It calls `search` with one window after
/// another, and the offset of each in the file.
pub fn run(name: &str, search: impl FnMut(&[u8], usize, &mut Printer) -> io::Result<()>) -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let offsets = arguments.first().is_some_and(|first| first == "--offsets");
    let file = if offsets { arguments.split_off(1) } else { arguments };
    let searched = match &file[..] {
        [file] => File::open(file).and_then(|file| search_windows(file, offsets, search)),
        _ => Err(io::Error::other("[--offsets] FILE")),
    };
    match searched {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::from(2)
        }
    }
}

fn search_windows(
    mut file: File,
    offsets: bool,
    mut search: impl FnMut(&[u8], usize, &mut Printer) -> io::Result<()>,
) -> io::Result<()> {
    let mut printer = Printer { out: BufWriter::with_capacity(64 << 10, io::stdout().lock()), offsets };
    let mut buffer = vec![0; WINDOW];
    let (mut kept, mut offset) = (0, 0);
    loop {
        let got = file.read(&mut buffer[kept..])?;
        let filled = kept + got;
        if filled == 0 {
            return printer.out.flush();
        }
        let length = whole_lines(&buffer[..filled], got == 0);
        search(&buffer[..length], offset, &mut printer)?;
        buffer.copy_within(length..filled, 0);
        kept = filled - length;
        offset += length;
    }
}

/// Returns how much of the buffer may be searched. A line longer than the buffer is cut.
fn whole_lines(bytes: &[u8], is_last: bool) -> usize {
    if is_last { bytes.len() } else { memchr::memrchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1) }
}
