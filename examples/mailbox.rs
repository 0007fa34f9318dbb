//! Prints the links of a mailbox, or of any mail archive. Each link has its MIME part, and the date
//! and sender of its message.
//!
//! ```sh
//! cargo run --no-default-features --features archive --example mailbox -- corpora/list-1995.mbox
//! ```
#![allow(clippy::print_stdout)]

use std::error::Error;

use urlgrep::Extractor;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: mailbox FILE")?;
    // The content identifies the format: a mailbox, one message, or a tar of them, compressed or
    // not.
    for found in Extractor::new().open(path)? {
        let found = found?;
        let Some(place) = found.place() else {
            println!("{}", found.url()); // plain text has no messages
            continue;
        };
        let message = place.message.as_deref();
        let date = message.and_then(|message| message.date.as_deref()).unwrap_or("no date");
        let from = message.and_then(|message| message.from.as_deref()).unwrap_or("no sender");
        let part = place.part.as_deref().unwrap_or("text");
        println!("{date} {from} ({part}): {}", found.target());
    }
    Ok(())
}
