//! Turns the text of standard input into HTML in which every URL is a link.
//!
//! ```sh
//! echo 'see <URL:http://a.example/x>, & more' | cargo run --no-default-features --example linkify
//! ```
#![allow(clippy::print_stdout)]

use std::io::{self, Read};

use urlgrep::{Extractor, Segment};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    print!("{}", linkify(&text));
    Ok(())
}

fn linkify(text: &str) -> String {
    let mut html = String::from("<pre>");
    for segment in Extractor::new().segments(text) {
        match segment {
            Segment::Text(text) => escape(text, &mut html),
            Segment::Link(found) => {
                // The link leads to the URL, and shows the author's text, which may be broken over
                // lines.
                html.push_str("<a href=\"");
                escape(&found.url_str(), &mut html);
                html.push_str("\">");
                escape(&text[found.range()], &mut html);
                html.push_str("</a>");
            }
        }
    }
    html.push_str("</pre>\n");
    html
}

fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
}
