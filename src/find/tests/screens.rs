//! Random text of screens: rows that end in the last column (B-JOIN-SCREEN). They stand alone, in
//! cells (B-CELL), behind prefixes and with marks (W-PFX-7, B-CONTINUE, B-STRINGS). The unit tests
//! and the suites in `tests/` use it.

use fastrand::Rng;

/// The text before the first row, before the others, and after each row.
#[derive(Clone, Copy)]
struct Layout(&'static str, &'static str, &'static str);

const LAYOUTS: [Layout; 26] = [
    Layout("", "", ""),
    Layout("", "", ""),
    Layout("  ", "  ", ""),
    Layout("  • ", "    ", ""),
    Layout("> ", "> ", ""),
    Layout("│ ", "│ ", " │"),
    Layout("┃ ", "┃ ", ""),
    Layout("| ", "| ", " |"),
    Layout("  ⎿  ", "     ", ""),
    Layout("web-1  | ", "web-1  | ", ""),
    Layout("   7   │ ", "       │ ", ""),
    Layout("      7 ", "      7 ", ""),
    Layout("7:", "8:", ""),
    Layout("", "+", ""),
    Layout("", "", "\\"),
    Layout("x = \"", "    \"", "\""),
    Layout("x = '", "  + '", "'"),
    Layout("# ", "# ", " #"),
    Layout("/ ", "| ", " |"),
    Layout("├── ", "│   ", ""),
    Layout("│ a  │ ", "│    │ ", " │"),
    Layout("║ ", "║ ", " │    ║"),
    Layout(" a | ", "   |.", ".| "),
    Layout("a  ", "   ", "  b"),
    Layout("  --to  ", "        ", ""),
    Layout("| a | ", "|   | ", " |   |"),
];

/// The text right before a URL, and right after it.
const BEFORE: [&str; 12] = ["", "", "", "see ", "x:", "(", "<", "\"", "<URL:", "`", "a=", "e\u{301}一 "];
const AFTER: [&str; 8] = ["", "", "", ")", ">", "\"", "`", "."];

/// The starts of long URLs, and their other parts.
const STARTS: [&str; 3] = ["https://docs.example.org/", "http://a.example/", "https://docs.e"];
const PARTS: [&str; 21] = [
    "xample.org/",
    "tides_2026/",
    "index.html",
    "index.htm",
    "?code=true&",
    "client_id=9d1c250a",
    "%2Foauth%2Fcode",
    "state=JRuz6TqPnb4",
    "-",
    "\u{2010}",
    ".",
    "/",
    "lighthouse",
    "7",
    "_",
    "=",
    "Map<",
    "[a]",
    "&amp;",
    "é",
    "http://a.example/",
];

/// Sentences above a URL, which are cut where a row is full.
const PROSE: [&str; 4] = [
    "The tables for the port are all in the office, and the harbour master signs them on Monday. ",
    "Pilots who need a copy of the dates may ask for it, since nobody else will do so before noon. ",
    "Look at the notices of this week. ",
    "Everything about the tides stands in a book with a map of the quay and of all the lights around it. ",
];

/// Rows that may follow a full one.
const BELOW: [&str; 14] =
    ["", "", "l", "ml", "Done.", "OK", "[y/N]", "l and so on", "_x.html", "x_2", "2 of 3", "$ ls", "a=b&", "- next"];

/// Returns a screen, and its width in columns. `pieces` are other parts of the text.
pub(crate) fn screen(rng: &mut Rng, pieces: &[&str]) -> (String, usize) {
    let width = if rng.bool() { rng.usize(16..50) } else { rng.usize(50..90) };
    let mut text = String::new();
    for _ in 0..rng.usize(1..4) {
        let layout = one(rng, &LAYOUTS);
        if rng.u8(..3) == 0 {
            let prose = rng.bool();
            let above: String = (0..rng.usize(1..4)).map(|_| one(rng, if prose { &PROSE } else { pieces })).collect();
            layout.add_rows(&mut text, width, &above);
        }
        layout.add_rows(&mut text, width, &long_text(rng, pieces, width));
        for _ in 0..rng.usize(..3) {
            Layout(layout.1, layout.1, layout.2).add_rows(&mut text, width, one(rng, &BELOW));
        }
        text.push_str(one(rng, &["", "", "\n", "x\n", "├──┼──┤\n", "|--|--|\n"]));
    }
    if rng.u8(..4) == 0 {
        text.pop();
    }
    let text = text.replace('\n', one(rng, &["\n", "\n", "\n", "\r\n", "\r"]));
    (text, width)
}

fn one<T: Copy>(rng: &mut Rng, some: &[T]) -> T {
    *rng.choice(some).expect("there are some")
}

/// Returns a text with a URL, which is mostly longer than a row.
fn long_text(rng: &mut Rng, pieces: &[&str], width: usize) -> String {
    let mut text = one(rng, &BEFORE).to_owned() + one(rng, &STARTS);
    let length = rng.usize(width / 2..4 * width);
    while text.len() < length {
        let parts = if rng.u8(..12) == 0 { pieces } else { &PARTS };
        text.push_str(one(rng, parts));
    }
    // Every other URL ends in the last column, unless the layout has marks.
    if rng.bool() {
        text.extend(std::iter::repeat_n('a', width - text.chars().count() % width));
    }
    text + one(rng, &AFTER)
}

impl Layout {
    /// Appends a text in rows of this width. Each ends where it is full.
    fn add_rows(self, rows: &mut String, width: usize, text: &str) {
        let Layout(mut before, left, right) = self;
        let mut rest: &[char] = &text.chars().collect::<Vec<_>>();
        loop {
            let room = width.saturating_sub(before.chars().count() + right.chars().count());
            let (row, below) = rest.split_at(room.min(rest.len()));
            rows.push_str(before);
            rows.extend(row);
            if !right.is_empty() {
                rows.extend(std::iter::repeat_n(' ', room - row.len()).chain(right.chars()));
            }
            rows.push('\n');
            if below.is_empty() {
                return;
            }
            (rest, before) = (below, left);
        }
    }
}
