//! Writes a text of one of the three densities, and next to it the URLs that were planted in it.
//!
//! `text NAME BYTES FILE` writes FILE and FILE.urls, and prints the number of URLs and their digest
//! (FNV-1a, 64 bits).

#[path = "../../../text/mod.rs"]
mod text;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let written = match &arguments[..] {
        [name, size, file] => write(name, size, file),
        _ => Err("NAME BYTES FILE".into()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("text: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(name: &str, size: &str, file: &str) -> Result<(), Box<dyn std::error::Error>> {
    let size = size.parse()?;
    let text = match name {
        "mail" => text::mail(size),
        "nourl" => text::nourl(size),
        "dense" => text::dense(size),
        _ => return Err(format!("no text is called {name}").into()),
    };
    std::fs::write(file, &text.bytes)?;
    std::fs::write(format!("{file}.urls"), &text.urls)?;
    println!("{} {:016x}", text.count, text.digest());
    Ok(())
}
