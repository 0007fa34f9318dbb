//! Prints the URLs of a TCP connection as they arrive.
//!
//! ```sh
//! cargo run --no-default-features --example connection -- 127.0.0.1:8000
//! ```
//!
//! An async program works the same way, but awaits each chunk. A feeder never blocks, so it can be
//! part of a task.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::io::Read;
use std::net::TcpStream;

use urlgrep::{Extractor, Feeder};

fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::args().nth(1).ok_or("usage: connection HOST:PORT")?;
    let mut connection = TcpStream::connect(address)?;
    let mut feeder = Extractor::new().feeder();
    let mut chunk = [0; 4096];
    loop {
        let length = connection.read(&mut chunk)?;
        if length == 0 {
            break;
        }
        feeder.push(&chunk[..length]);
        print_found(&mut feeder);
    }
    // The last URL may continue until the input ends, so it is returned only now.
    feeder.finish();
    print_found(&mut feeder);
    Ok(())
}

fn print_found(feeder: &mut Feeder) {
    while let Some(found) = feeder.next() {
        println!("{found}");
    }
}
