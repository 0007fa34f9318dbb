//! Checks one URL. Prints its components, and the place and reason of an error by RFC 1738.
//!
//! ```sh
//! cargo run --no-default-features --example check -- 'http://a.example/~joe/'
//! ```
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use urlgrep::url::{ParseOptions, judge};
use urlgrep::{Level, SplitUrl};

fn main() -> ExitCode {
    let Some(text) = std::env::args().nth(1) else {
        println!("usage: check URL");
        return ExitCode::FAILURE;
    };
    let verdict = judge(&text, ParseOptions::new());
    println!("{text}");
    if let Some(error) = verdict.error {
        // The offset is in bytes; a terminal counts characters.
        let before = text.get(..error.offset()).unwrap_or_default().chars().count();
        println!("{:before$}^ {error}", "");
    }
    println!("level     {}", verdict.level);
    let url = SplitUrl::new(&text);
    let components = [
        ("scheme", url.scheme()),
        ("userinfo", url.userinfo()),
        ("host", url.host()),
        ("port", url.port_text()),
        ("path", Some(url.path())),
        ("query", url.query()),
        ("fragment", url.fragment()),
    ];
    for (name, component) in components {
        if let Some(component) = component {
            println!("{name:<9} {component}");
        }
    }
    if verdict.level == Level::None { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
