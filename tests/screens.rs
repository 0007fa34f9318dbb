//! Text of screens: one long URL in nine layouts at twelve widths (W-PFX-6, B-JOIN-SCREEN). Also
//! URLs that end at the edge, and the output of [`Extractor::heal`] for them.

use urlgrep::{Extractor, Rejoin};

const URL: &str = "https://auth.example.com/oauth/authorize?code=true&client_id=9d1c250a-e61b-44d9-88ed-5944d1962f5e&\
    response_type=code&redirect_uri=https%3A%2F%2Fplatform.example.com%2Foauth%2Fcode%2Fcallback&\
    scope=org%3Acreate_api_key+user%3Aprofile+user%3Ainference&\
    code_challenge=Zq0W9kCJ3mXo5yYdTtIhV7pGz2rLbN4uFs8aEjHxKw&code_challenge_method=S256&state=JRuz6TqPnb4XkY0mWcVdLs";
const WIDTHS: [usize; 12] = [40, 50, 60, 64, 72, 80, 90, 100, 120, 132, 160, 200];

/// The text on either side of a line.
#[derive(Clone, Copy, Debug)]
struct Layout {
    name: &'static str,
    /// The text before the first line of the URL, and before the others.
    first: &'static str,
    left: &'static str,
    right: &'static str,
    /// Whole lines above and below.
    above: &'static [&'static str],
    below: &'static [&'static str],
}

const LAYOUTS: [Layout; 9] = [
    layout("bare", "", "", "", &["Open this link:", ""], &["", "Paste the code here:"]),
    layout("indented", "  ", "  ", "", &["Open this link:", ""], &["", "Paste the code here:"]),
    layout("bullet", "  • ", "    ", "", &["• Visit the page:"], &["  • Enter the code"]),
    layout("boxed", "│ ", "│ ", " │", &["│ Sign in:"], &[]),
    layout("left bar", "┃ ", "┃ ", "", &["┃ Sign in with your browser"], &[]),
    layout("hook", "  ⎿  ", "     ", "", &["● Login(browser)"], &["", "> "]),
    layout("half block", "▌ ", "▌ ", "", &[], &["", "done"]),
    layout(
        "rounded box",
        "│  ",
        "│  ",
        "  │",
        &["╭", "│  The browser did not open? Use", "│  this:", "│"],
        &["│", "│  Paste code here if prompted", "╰"],
    ),
    layout("prose before", "If it does not open: ", "", "", &["Welcome."], &["", "Waiting"]),
];

const fn layout(
    name: &'static str,
    first: &'static str,
    left: &'static str,
    right: &'static str,
    above: &'static [&'static str],
    below: &'static [&'static str],
) -> Layout {
    Layout { name, first, left, right, above, below }
}

impl Layout {
    /// Returns a screen of this width with the URL, cut wherever its lines are full.
    fn screen(&self, url: &str, width: usize, after: &[&str]) -> String {
        let right = self.right.chars().count();
        let mut lines: Vec<String> = self.above.iter().map(|&line| line.to_owned()).collect();
        let (mut rest, mut before) = (url, self.first);
        while !rest.is_empty() {
            let room = width - before.chars().count() - right;
            let (line, below) = rest.split_at(room.min(rest.len()));
            lines.push(format!("{before}{line}"));
            (rest, before) = (below, self.left);
        }
        lines.extend(after.iter().map(|line| format!("{}{line}", self.left)));
        lines.extend(self.below.iter().map(|&line| line.to_owned()));
        let padded = |line: String| match (self.right, line.starts_with('│')) {
            ("", _) | (_, false) => line,
            (border, true) => format!("{line}{}{border}", " ".repeat(width - right - line.chars().count())),
        };
        lines.into_iter().map(|line| padded(line) + "\n").collect()
    }
}

fn urls(extractor: &Extractor, text: &str) -> Vec<String> {
    extractor.find_iter(text).map(|found| found.url().to_string()).collect()
}

/// Checks W-PFX-6 and B-JOIN-SCREEN.
#[test]
fn a_long_url_in_each_layout_on_each_width() {
    let extractor = Extractor::new();
    for layout in LAYOUTS {
        for width in WIDTHS {
            let text = layout.screen(URL, width, &[]);
            assert_eq!(urls(&extractor, &text), [URL], "{} on {width} columns:\n{text}", layout.name);
            let is_framed = layout.left.contains(['│', '┃', '▌']);
            for wrapped in [format!("<{URL}>"), format!("<URL:{URL}>")].iter().filter(|_| is_framed) {
                let text = layout.screen(wrapped, width, &[]);
                assert_eq!(urls(&extractor, &text), [URL], "{} on {width} columns:\n{text}", layout.name);
            }
        }
    }
}

/// Checks that a URL that fills its last line does not continue in the text after it.
#[test]
fn nothing_is_joined_behind_the_edge() {
    let extractor = Extractor::new();
    let after = [
        "Press enter to continue",
        "Done.",
        "Waiting...",
        "https://other.example/x",
        "$ ls",
        "> ",
        "Continue",
        "[y/N]",
        "- next item",
        "v2 is out",
        "Copied!",
        "2 of 3",
        "Token: abc",
        "or scan the QR code",
    ];
    let mut screens = 0;
    for (at, width) in (0..9).flat_map(|round| WIDTHS.map(|width| (round, width))) {
        let layout = LAYOUTS[[0, 1, 3, 4, 6, 7][(at + screens) % 6]];
        let room = width - layout.first.chars().count() - layout.right.chars().count();
        let lines = URL.len().div_ceil(room).clamp(2, 4) + at % 2;
        let mut url = URL.to_owned();
        while url.len() < room * lines {
            url += "&session=0a1b2c3d4e5f";
        }
        url.truncate(room * lines - 1);
        url.push('7');
        let next = after[screens % after.len()];
        let text = layout.screen(&url, width, &[next]);
        assert_eq!(urls(&extractor, &text)[0], url, "{} on {width} columns:\n{text}", layout.name);
        screens += 1;
    }
    assert!(screens >= 100);
}

/// Checks that tables are not frames.
#[test]
fn rows_of_tables_are_not_joined() {
    let extractor = Extractor::new();
    for text in [
        "| page                                    |\n|-----------------------------------------|\n\
         | https://www.example.com/archive/2004/in |\n| dex-of-all/things_1.html                |\n",
        "│ one │ https://www.example.com/archive/2004/in │\n│ two │ dex-of-all/things_1.html                │\n",
    ] {
        assert_eq!(urls(&extractor, text), ["https://www.example.com/archive/2004/in"], "{text}");
    }
}

/// Checks that the columns of a screen decide a single break (B-JOIN-SCREEN).
#[test]
fn columns_decide_one_break() {
    let url = "https://a.example/oauth/authorize?scope=user-profile-inference-sessions";
    let text = format!("{}\n{}\n\nDone.\n", &url[..60], &url[60..]);
    let on = |columns| urls(&Extractor::builder().columns(columns).build(), &text);
    assert_eq!(on(Some(60)), [url]);
    assert_eq!(on(Some(61)), on(None));
    for next in [" Done.", "\nDone.", "https://b.example/", "[y/N]", "- item", "$ ls"] {
        let text = format!("{}\n{next}\n", &url[..60]);
        assert_eq!(urls(&Extractor::builder().columns(Some(60)).build(), &text)[0], url[..60], "{next}");
    }
}

/// Checks that rows of a known width go on wherever the terminal broke them (B-JOIN-ROWS).
#[test]
fn rows_go_on_at_each_column() {
    let url = "https://tickets.example.org/download/exa-mple.org/2201978+a=7/?id=crane(1)&p=%C3%A9";
    let text = format!("The harbour signs it on Monday, and says that everything is at {url} for more.\n");
    for width in 20..=text.len() {
        let extractor = Extractor::builder().columns(Some(width)).build();
        for line_end in ["\n", "\r\n"] {
            let rows: Vec<&str> = text.as_bytes().chunks(width).map(|row| std::str::from_utf8(row).unwrap()).collect();
            let screen = rows.join(line_end);
            assert_eq!(urls(&extractor, &screen), [url], "{width} columns:\n{screen}");
        }
    }
}

/// Checks that the URL that ends with its first row stays a reading.
#[test]
fn a_full_row_leaves_a_doubt() {
    let extractor = Extractor::builder().columns(Some(30)).build();
    let text = "see https://a.example/2026/tid\nes and more\n";
    let readings: Vec<_> = extractor.find(text).unwrap().readings().map(|url| url.to_string()).collect();
    assert_eq!(readings, ["https://a.example/2026/tides", "https://a.example/2026/tid"]);
    assert!(extractor.find(text).unwrap().rejoined());
}

/// Checks that healed text holds the URLs line by line, and that healing it again changes nothing.
/// The rest of the text stays unchanged.
#[test]
fn heals_screens() {
    let (extractor, by_line) = (Extractor::new(), Extractor::builder().rejoin(Rejoin::None).build());
    for layout in LAYOUTS {
        for width in WIDTHS {
            let text = layout.screen(URL, width, &[]);
            let heal = |text: &[u8]| {
                let mut healed = Vec::new();
                let count = extractor.heal(text, &mut healed).expect("no error");
                (String::from_utf8(healed).expect("UTF-8"), count)
            };
            let (healed, count) = heal(text.as_bytes());
            let found = extractor.find(&text).expect("a URL").span();
            let [start, end] = [found.start, found.end].map(|at| at as usize);
            assert_eq!((&*healed, count), (&*[&text[..start], URL, &text[end..]].concat(), 1));
            assert_eq!(urls(&by_line, &healed), [URL]);
            assert_eq!(heal(healed.as_bytes()), (healed.clone(), 0));
        }
    }
}

const SAILINGS: &str = "https://ferry.example/2026/timetable/winter-season/north_pier.html";
const FARES: &str = "https://ferry.example/fares?zone=7&class=second&return=1";

/// Outputs of programs that draw text in cells. Each has the two URLs.
const CELLS: [(&str, &str); 12] = [
    (
        "sqlite3 3.40.1, box",
        "┌────┬──────────────────────────────────┬──────┐\n│ id │               note               │ crew │\n\
         ├────┼──────────────────────────────────┼──────┤\n│ 1  │ Sailings are at https://ferry.ex │ Mo   │\n\
         │    │ ample/2026/timetable/winter-seas │      │\n│    │ on/north_pier.html before the ho │      │\n\
         │    │ lidays.                          │      │\n├────┼──────────────────────────────────┼──────┤\n\
         │ 2  │ Fares: https://ferry.example/far │ Lu   │\n│    │ es?zone=7&class=second&return=1  │      │\n\
         ├────┼──────────────────────────────────┼──────┤\n│ 3  │ none                             │ Jo   │\n\
         └────┴──────────────────────────────────┴──────┘\n",
    ),
    (
        "sqlite3 3.40.1, markdown",
        "| id |               note               | crew |\n|----|----------------------------------|------|\n\
         | 1  | Sailings are at https://ferry.ex | Mo   |\n|    | ample/2026/timetable/winter-seas |      |\n\
         |    | on/north_pier.html before the ho |      |\n|    | lidays.                          |      |\n\
         | 2  | Fares: https://ferry.example/far | Lu   |\n|    | es?zone=7&class=second&return=1  |      |\n\
         | 3  | none                             | Jo   |\n",
    ),
    (
        "as psql writes, wrapped",
        " id |               note               | crew \n----+----------------------------------+------\n  \
         1 | Sailings are at https://ferry.ex.| Mo\n    |.ample/2026/timetable/winter-seas.| \n    \
         |.on/north_pier.html before the ho.| \n    |.lidays.                          | \n  \
         2 | Fares: https://ferry.example/far.| Lu\n    |.es?zone=7&class=second&return=1  | \n",
    ),
    (
        "column of util-linux 2.38.1, -W",
        "id  note                                crew\n1   Sailings are at https://ferry.exam  Mo\n    \
         ple/2026/timetable/winter-season/n  \n    orth_pier.html before the holidays  \n    \
         .                                   \n2   Fares: https://ferry.example/fares  Lu\n    \
         ?zone=7&class=second&return=1       \n",
    ),
    (
        "w3m 0.5.3",
        "┌─┬──────────────────────────────────────────┬──┐\n│ │Sailings are at https://ferry.example/2026│  │\n\
         │1│/timetable/winter-season/north_pier.html  │Mo│\n│ │before the holidays.                      │  │\n\
         ├─┼──────────────────────────────────────────┼──┤\n│2│Fares: https://ferry.example/fares?zone=7&│Lu│\n\
         │ │class=second&return=1                     │  │\n└─┴──────────────────────────────────────────┴──┘\n",
    ),
    (
        "as argparse of Python writes",
        "options:\n  --pier PIER  Sailings are at https://ferry.e\n               \
         xample/2026/timetable/winter-se\n               ason/north_pier.html before the\n               \
         holidays.\n  --zone ZONE  Fares are at https://ferry.exam\n               \
         ple/fares?zone=7&class=second&r\n               eturn=1 for each zone\n",
    ),
    (
        "as boxes writes, shell",
        "######################################\n\
         # Sailings are at                    #\n\
         # https://ferry.example/2026/timetab #\n\
         # le/winter-season/north_pier.html   #\n\
         # before the holidays and fares are  #\n\
         # at                                 #\n\
         # https://ferry.example/fares?zone=7 #\n\
         # &class=second&return=1             #\n\
         ######################################\n",
    ),
    (
        "as cowsay writes",
        "/ Sailings are at                    \\\n\
         | https://ferry.example/2026/timetab |\n\
         | le/winter-season/north_pier.html   |\n\
         | before the holidays and fares are  |\n\
         | at                                 |\n\
         | https://ferry.example/fares?zone=7 |\n\
         \\ &class=second&return=1             /\n\
         ------------------------------------\n",
    ),
    (
        "as dialog draws",
        "    ┌────────────────────────────────────────┐\n    │ Sailings are at                        │\n    \
         │ https://ferry.example/2026/timetable/w │\n    │ inter-season/north_pier.html and fares │\n    \
         │ https://ferry.example/fares?zone=7&cla │\n    │ ss=second&return=1                     │\n    \
         └────────────────────────────────────────┘\n",
    ),
    (
        "as the tree of rich",
        "notes\n├── Sailings are at\n│   https://ferry.example/2026/timetable/wi\n\
         │   nter-season/north_pier.html before the\n│   holidays.\n├── Fares are at\n\
         │   https://ferry.example/fares?zone=7&clas\n│   s=second&return=1\n└── end\n",
    ),
    (
        "as the text area of textual",
        "▊ 1  Sailings are at                         ▎\n▊    https://ferry.example/2026/timetable/wi ▎\n\
         ▊    nter-season/north_pier.html before the  ▎\n▊    holidays.                               ▎\n\
         ▊ 2  Fares are at                            ▎\n▊    https://ferry.example/fares?zone=7&clas ▎\n\
         ▊    s=second&return=1                       ▎\n",
    ),
    (
        "as beautifultable writes",
        "├────┼──────────────────────────────────┤\n│ 1  │ Sailings are at https://ferry.ex │\n\
         │    │ ample/2026/timetable/winter-seas │\n│    │        on/north_pier.html        │\n\
         ├────┼──────────────────────────────────┤\n│ 2  │ Fares: https://ferry.example/far │\n\
         │    │ es?zone=7&class=second&return=1  │\n├────┼──────────────────────────────────┤\n",
    ),
];

/// Checks the cells that programs draw (B-CELL).
#[test]
fn a_url_in_a_cell_is_whole() {
    let extractor = Extractor::new();
    for (program, text) in CELLS {
        assert_eq!(urls(&extractor, text), [SAILINGS, FARES], "{program}\n{text}");
    }
}

/// Checks that text which only looks like a cell stays as it is (B-CELL).
#[test]
fn a_url_in_a_cell_ends_with_its_record() {
    let extractor = Extractor::new();
    for text in [
        // the next record, and a line of its own in a table as wide as its longest cell
        "┌───┬───────────────────────────┐\n│ 1 │ https://ferry.example/far │\n│ 2 │ es?zone=7                 │\n",
        "| 1 | https://ferry.example/far | open |\n|   | pending                   |      |\n| 2 | none | shut |\n",
        "| https://ferry.example/far |\n|---------------------------|\n| es?zone=7                 |\n",
        // marks in other columns, and an empty row
        "| https://ferry.example/far |\n| es?zone=7                  |\n",
        "# https://ferry.example/far #\n# es?zone=7 #\n",
        "│ https://ferry.example/far │\n│                           │\n│ es?zone=7                 │\n",
        // a heading, a label, an address, a year, and another URL
        "│ of all the northern piers │\n│ and more                  │\n│ https://ferry.example/far │\n│ before noon.              │\n",
        "│ of all the northern piers │\n│ and more                  │\n│ https://ferry.example/far │\n│ Phone: 12                 │\n",
        "│ https://ferry.example/far │\n│ jo@ferry.example          │\n",
        "│ of all the northern piers │\n│ and more                  │\n│ https://ferry.example/far │\n│ 2026 is over              │\n",
        "│ of all the northern piers │\n│ and more                  │\n│ https://ferry.example/far │\n│ www.ferry.example         │\n",
        // items and aligned comments
        "- https://ferry.example/far\n- es?zone=7\n",
        "/* https://ferry.example/far */\n/* fares of each zone        */\n",
        "foo https://ferry.example/far | sort\nbar                           | uniq\n",
    ] {
        assert_eq!(urls(&extractor, text)[0], "https://ferry.example/far", "{text}");
    }
}
