//! The sections after the options in the help and the man page: examples, exit statuses, the
//! environment.

/// One section after the options: its title, and its paragraphs as (text, explanation).
pub(crate) type HelpSection = (&'static str, &'static [(&'static str, &'static str)]);

/// The sections after the options of `urlgrep`, in `--help` and in the man page.
pub(crate) const FIND_SECTIONS: &[HelpSection] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep talk.txt", "Every URL in a file, one per line"),
            ("urlgrep -n --column src docs", "The place of each URL: file, line and column"),
            (
                "curl -s https://example.com/ | urlgrep -u --host '*.example.com'",
                "Each URL of one site once, from a pipe",
            ),
            ("urlgrep --rejoined mbox", "The URLs that were broken over lines"),
            ("urlgrep --json --kind wrapped . | jq 'select(.error)'", "Wrapped URLs that are not RFC 1738, and why"),
            (
                "urlgrep -z --first-said --message lists/*.mbox.gz",
                "Each URL of an archive at its first place, with its count and message",
            ),
            ("urlgrep --json Maildir | jq 'select(.shown_host)'", "Links in mail with a misleading text"),
            ("urlgrep --all-readings draft.txt", "Doubtful places with all their readings"),
            ("urlgrep -c -s http,https *.txt", "Counts per file"),
            ("urlgrep --count-by host mbox", "Counts per host"),
            ("urlgrep --replace '[{host}]({url})' notes.txt", "The text, with Markdown links"),
            ("urlgrep --range 0:1000000 huge.log", "One piece of a large file"),
            ("urlgrep parse 'http://h/~joe' 'gopher://h/7sel%09query'", "Validate URLs, and explain the errors"),
            ("urlgrep audit -z lists/", "The links of an archive, and their faults"),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "A match was found"),
            ("1", "No match was found"),
            ("2", "An error, even if some files were read; with --quiet, a match overrides it"),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            (
                "URLGREP_CONFIG_PATH",
                "A file of options for every run, before those of the command line. Each line has one option, with its value \
                 on the same line (--host=*.example.org) or the next. A '#' begins a comment line. audit and parse read the \
                 options that they share with urlgrep itself. With --no-config the file is ignored",
            ),
            ("NO_COLOR", "If it is set, nothing is coloured; --color overrides it"),
            (
                "URLGREP_SIMD",
                "The instructions of the search: avx512, avx2 or portable. The default is the fastest that the machine has. \
                 The matches are the same with each",
            ),
        ],
    ),
];

/// Returns the sections after the options of a subcommand.
pub(crate) fn sections_of(subcommand: &str) -> &'static [HelpSection] {
    match subcommand {
        "parse" => PARSE_SECTIONS,
        _ => AUDIT_SECTIONS,
    }
}

const PARSE_SECTIONS: &[HelpSection] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep parse 'http://h/~joe'", "http://h/~joe: unsafe-gateway at 9: ..."),
            ("urlgrep parse --explain 'gopher://h:25/0x%0D%0Ay'", "The requests of a client, and the faults of a URL"),
            ("urlgrep parse --json 'ftp://u@h/a/b;type=i'", "The parts of a URL"),
            ("urlgrep parse --base http://a/b/c/d ../x", "Resolve a relative URL"),
            ("urlgrep -u mbox | urlgrep parse --json", "Read one URL per line from a pipe"),
        ],
    ),
    (
        "EXIT STATUS",
        &[("0", "All URLs are valid"), ("1", "Some are not"), ("2", "An error, even if some URLs were read")],
    ),
];

const AUDIT_SECTIONS: &[HelpSection] = &[
    (
        "EXAMPLES",
        &[
            ("urlgrep audit -z lists/*.mbox.gz", "Totals, the most frequent links, and the findings"),
            ("urlgrep audit --format html Maildir > report.html", "The report as a page, to sort and filter"),
            ("urlgrep audit --fail-on high docs", "Exit status 1 if a link is dangerous, for a build"),
            ("urlgrep audit --deny A-CASE,X-LATER --format sarif src > urls.sarif", "A report for code scanning"),
            ("urlgrep audit --allow 'A-IP-*' --format csv proxy.log", "One kind of finding, as a table"),
            (
                "urlgrep audit --format urls lists > urls.txt; lychee -v --format json urls.txt > checked.json; \
                 urlgrep audit --checked checked.json lists",
                "The messages that hold dead links",
            ),
            ("urlgrep audit --db lists.db lists", "A database, so that the next run reads only new text"),
            ("urlgrep audit --rules", "The rules, with their reasons"),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "The report is written"),
            ("1", "The report is written, and a finding reaches --fail-on"),
            ("2", "An error, even if some files were read"),
        ],
    ),
];

/// A blank of a command line, at which clap breaks no line. It is printed as a plain blank.
pub(crate) const KEPT_BLANK: &str = "\u{A0}";

/// Renders sections as plain text for `--help`. Commands are never broken, so that they can be
/// copied. Each command of a list has its line.
pub(crate) fn text_of(sections: &[HelpSection]) -> String {
    let mut text = String::new();
    for (title, entries) in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(title);
        text.push_str(":\n");
        for (what, explanation) in *entries {
            if what.len() <= 2 {
                text.push_str(&format!("  {what}  {explanation}\n"));
            } else {
                let commands = what.replace("; ", "\n      ").replace(' ', KEPT_BLANK);
                text.push_str(&format!("  {explanation}\n      {commands}\n"));
            }
        }
    }
    text
}
