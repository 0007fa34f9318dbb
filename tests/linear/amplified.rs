//! Memory and output grow no faster than the input. They are at most `k` times as much, whatever is
//! repeated.
//!
//! `k` is stated for each construct, half again as much as was measured. The memory is the peak on
//! one thread. The output is JSON with every field, including readings and resolved links. [`HELD`]
//! is the fixed memory of a search, whatever it reads.

use urlgrep::report::JsonFormat;

use super::*;

/// The buffers of a search on one thread.
const HELD: u64 = 512 << 10;
/// The lengths of the inputs. Each fits in one window, and longer inputs need no more memory.
const SIZES: [usize; 2] = [32 << 10, 128 << 10];

/// An input: the text at its start, the repeated text, and the limits of memory and JSON per byte.
struct Construct {
    name: &'static str,
    container: Container,
    head: String,
    repeated: &'static str,
    memory: u64,
    output: u64,
}

fn constructs() -> Vec<Construct> {
    let of = |name, container, head: &str, repeated, memory, output| Construct {
        name,
        container,
        head: head.to_owned(),
        repeated,
        memory,
        output,
    };
    let page = "<!DOCTYPE html>";
    let base = format!("{page}<base href='http://b.example/{}/'>", "b".repeat(2_000));
    let xml = "<?xml version='1.0'?><x>";
    let xml_base = format!("<?xml version='1.0'?><x xml:base='http://b.example/{}/'>", "b".repeat(2_000));
    let mail = |fields: &str| format!("{MAIL}{fields}\n");
    let subset = format!("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'http://b.example/{}'>]><x>", "c".repeat(200));
    let nested = mail("Content-Type: multipart/mixed; boundary=b\n");
    vec![
        of("addresses", Container::Mbox, &mail(""), "ftp://a ", 5, 130),
        of("readings", Container::Mbox, &mail(""), "<URL:http://a-\nb-\nc-\nd>\n", 5, 60),
        of("joins", Container::Mbox, &mail(""), "http://www.example.com/a/long/path-\nto/a.html and\n\n", 5, 30),
        of("fields", Container::Mbox, MAIL, "See-Also: http://a.example/\n", 5, 60),
        // A record repeats a kilobyte of each field of the header, and no more.
        of("subjects", Container::Mbox, &mail(&format!("Subject: {}\n", "s ".repeat(10_000))), "ftp://a ", 5, 320),
        of("folds", Container::Mbox, &format!("{MAIL}Comments: "), "ftp://a\n ", 5, 120),
        of("messages", Container::Mbox, "", "From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\n\nftp://a\n\n", 9, 25),
        of("parts", Container::Mbox, &nested, "--b\n\nftp://a\n", 5, 100),
        of("enclosed", Container::Mbox, &nested, "--b\nContent-Type: message/rfc822\n\nFrom: a@b\n\nftp://a\n", 5, 25),
        of("links", Container::Html, page, "<a href=c>", 75, 90),
        of("links of a base", Container::Html, &base, "<a href=c>", 75, 400),
        // Each link resolves to far more than its own length: a base has at most 2,048 bytes.
        of("lists of a base", Container::Html, &base, "<a ping='c d e f g h i j k l m n o p q r s t'>", 260, 1_550),
        of("styles", Container::Html, page, "<p style='b:url(c);b:url(d)'>", 70, 60),
        of("bases", Container::Html, page, "<base href='http://b.example/'>", 35, 36),
        of("other attributes", Container::Html, page, "<i t=a://b><i t='b://c d'>", 75, 90),
        of("encoded values", Container::Html, page, "<i t='ftp&#58;//a b'>", 75, 90),
        of("pages in attributes", Container::Html, page, "<iframe srcdoc='<a href=c>'>", 75, 45),
        of("references", Container::Html, page, "&lt;", 10, 1),
        of("elements", Container::Xml, xml, "<a href='c'/>", 75, 70),
        of("elements of a base", Container::Xml, &xml_base, "<a href='c'/>", 75, 300),
        of("bases of elements", Container::Xml, xml, "<x xml:base='b/'>", 75, 400),
        of("bases of items", Container::Xml, &xml_base, "<item><link>b</link><a href='c'/></item>", 75, 400),
        of("entities", Container::Xml, xml, "&#x3c;&amp;", 7, 1),
        of("pages in XML", Container::Xml, xml, "<b>&lt;a href=c></b>", 75, 45),
        of("declared entities", Container::Xml, &subset, "<a href='&b;'/>", 75, 400),
        of("fields of RTF", Container::Rtf, "{\\rtf1 ", "HYPERLINK \"ftp://a\" \\\\l \"b\"\n", 7, 45),
        of("SYLK", Container::Sylk, "ID;P", "ftp://a;;b ", 7, 90),
        of("quoted lines", Container::Mbox, &mail(""), "> ftp://a=\n> =3D\n", 7, 60),
        of("calendar", Container::Calendar, "BEGIN:VCALENDAR\r\n", "URL:http://a.\r\n example/\r\n", 7, 45),
    ]
}

/// Adds up the lengths of the records.
struct Written(u64);

impl Sink for Written {
    fn add(&mut self, found: &Match<'_>) {
        let mut line = Vec::new();
        JsonFormat::new().write("-", found, &mut line).expect("writing to memory");
        self.0 += line.len() as u64;
    }
}

/// Returns the most memory that is held at once, and the length of the output.
fn cost(container: Container, text: &[u8]) -> (u64, u64) {
    let mut output = 0;
    let search = || {
        let deliver = |batch: Written| {
            output += batch.0;
            Ok(ControlFlow::Continue(()))
        };
        Extractor::new().documents(text, container, 0..u64::MAX, || Written(0), deliver).expect("reading from memory");
    };
    // On one thread, so that its memory is that of the whole search.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let memory = pool.install(|| allocation_counter::measure(search)).bytes_max;
    (memory, output)
}

#[test]
fn memory_and_output_are_a_multiple_of_the_input() {
    let mut complaints = Vec::new();
    for Construct { name, container, head, repeated, memory, output } in constructs() {
        for size in SIZES {
            let text = [&*head, &repeated.repeat(size / repeated.len())].concat();
            let (held, written) = cost(container, text.as_bytes());
            let length = text.len() as u64;
            if held > memory * length + HELD || written > output * length {
                complaints.push(format!("{name}: {held} bytes of memory and {written} of output for {length}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
