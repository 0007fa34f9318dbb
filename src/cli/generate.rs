//! The man page and the completions, generated from the same definition as the help.

use std::io;

use clap::Command;
use clap_mangen::Man;

use super::args::{self, Generated, HelpSection};
use super::completions;
use super::today::today;

/// Renders the man page, or the completions for a shell.
pub(crate) fn generate(what: Generated) -> io::Result<Vec<u8>> {
    let Some(shell) = what else { return man_page() };
    Ok(completions::script(shell).into_bytes())
}

/// Returns one page for the command and its subcommands, since people look into `man urlgrep`.
fn man_page() -> io::Result<Vec<u8>> {
    let mut definition = args::definition();
    definition.build();
    let subcommands: Vec<_> = definition.get_subcommands().cloned().collect();
    let man = Man::new(definition).manual("User Commands");
    // clap_mangen's own title lacks the date, so its later fields are in the wrong places.
    let title = format!(".TH URLGREP 1 \"{}\" \"urlgrep {}\" \"User Commands\"\n", today(), env!("CARGO_PKG_VERSION"));
    let mut page = title.into_bytes();
    man.render_name_section(&mut page)?;
    page.extend_from_slice(
        b".SH SYNOPSIS\n\\fBurlgrep\\fR [\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n.br\n\
          \\fBurlgrep parse\\fR [\\fIOPTIONS\\fR] [\\fIURL\\fR]...\n.br\n\
          \\fBurlgrep audit\\fR [\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n",
    );
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for command in subcommands {
        subcommand(command, &mut page)?;
    }
    sections(args::FIND_SECTIONS, ".SH", &mut page);
    sections(args::FIND_REFERENCE, ".SH", &mut page);
    habits(&mut page);
    page.extend_from_slice(b".SH \"SEE ALSO\"\n\\fBgrep\\fR(1), \\fBrg\\fR(1), RFC 1738, RFC 1808, RFC 3986\n");
    Ok(in_short_lines(&page))
}

/// Appends the section of a subcommand.
fn subcommand(command: Command, page: &mut Vec<u8>) -> io::Result<()> {
    let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    let name = command.get_name().to_owned();
    page.extend_from_slice(format!(".SH \"URLGREP {}\"\n", name.to_uppercase()).as_bytes());
    for (number, paragraph) in about.split("\n\n").enumerate() {
        page.extend_from_slice(if number > 0 { b".PP\n" } else { b"" });
        text(paragraph, page);
        page.push(b'\n');
    }
    let mut options = Vec::new();
    Man::new(command).render_options_section(&mut options)?;
    // The headings of the options are below the heading of their subcommand.
    let options = String::from_utf8_lossy(&options).replace(".SH ", ".SS ").replace(".SS OPTIONS\n", ".SS Options\n");
    page.extend_from_slice(options.as_bytes());
    sections(args::sections_of(&name), ".SS", page);
    if name == "audit" {
        sections(args::AUDIT_REFERENCE, ".SS", page);
    }
    Ok(())
}

/// Breaks lines of prose at blanks, so that they have at most 80 bytes. The tag after `.TP` must
/// stay on one line.
fn in_short_lines(page: &[u8]) -> Vec<u8> {
    let mut short = Vec::with_capacity(page.len() + page.len() / 64);
    let mut is_tag = false;
    for line in page.split_inclusive(|&byte| byte == b'\n') {
        let is_request = line.starts_with(b".") || line.starts_with(b"'");
        let mut filled = 0;
        for word in line.split_inclusive(|&byte| byte == b' ') {
            // A dot or quote at the start of a line would be a request.
            let breaks = !is_request && !is_tag && filled > 0 && !word.starts_with(b".") && !word.starts_with(b"'");
            if breaks && filled + word.trim_ascii_end().len() > 80 && short.ends_with(b" ") {
                short.pop();
                short.push(b'\n');
                filled = 0;
            }
            short.extend_from_slice(word);
            filled += word.len();
        }
        is_tag = line.starts_with(b".TP");
    }
    short
}

fn sections(sections: &[HelpSection], heading: &str, page: &mut Vec<u8>) {
    for (title, entries) in sections {
        page.extend_from_slice(format!("{heading} \"{title}\"\n").as_bytes());
        for (what, explanation) in *entries {
            page.extend_from_slice(b".TP\n\\fB");
            text(what, page);
            page.extend_from_slice(b"\\fR\n");
            text(explanation, page);
            page.push(b'\n');
        }
    }
}

/// Appends the table of ripgrep's options, in two columns.
fn habits(page: &mut Vec<u8>) {
    page.extend_from_slice(b".SH \"COMING FROM RIPGREP\"\n");
    text("The everyday options of ripgrep: their names here, and why some are missing.", page);
    for habit in args::HABITS {
        page.extend_from_slice(b"\n.TP 28\n\\fB");
        text(habit.theirs, page);
        page.extend_from_slice(b"\\fR\n");
        text(&habit.advice(), page);
    }
    page.push(b'\n');
}

/// Appends text as roff. Characters that roff would interpret are escaped, so that `--x` and `'`
/// can be copied.
fn text(text: &str, page: &mut Vec<u8>) {
    for (at, character) in text.char_indices() {
        match character {
            '\\' => page.extend_from_slice(b"\\e"),
            '-' => page.extend_from_slice(b"\\-"),
            '\'' => page.extend_from_slice(b"\\(aq"),
            '.' if at == 0 => page.extend_from_slice(b"\\&."),
            character => page.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::values::GENERATED;
    use clap_complete::Shell;

    #[test]
    fn the_man_page_has_every_option_and_section() {
        let page = String::from_utf8(man_page().unwrap()).unwrap();
        for section in [
            "NAME",
            "SYNOPSIS",
            "DESCRIPTION",
            "OPTIONS",
            "EXAMPLES",
            "EXIT STATUS",
            "URLGREP PARSE",
            "URLGREP AUDIT",
            "WHAT IS READ",
            "LIMITS",
        ] {
            let plain = page.contains(&format!(".SH {section}\n")) || page.contains(&format!(".SH \"{section}\"\n"));
            assert!(plain, "{section} is missing");
        }
        let mut seen = 0;
        for arg in args::definition().get_opts() {
            let Some(long) = arg.get_long() else { continue };
            assert!(page.contains(&format!("\\-\\-{}", long.replace('-', "\\-"))), "--{long} is missing");
            seen += 1;
        }
        assert!(seen > 30, "{seen}");
        assert!(page.contains("\\-\\-base"), "the options of parse");
        for habit in args::HABITS {
            let row = format!(".TP 28\n\\fB{}\\fR\n", habit.theirs.replace('-', "\\-"));
            assert!(page.contains(&row), "{row} is missing");
        }
    }

    #[test]
    fn the_man_page_has_short_lines_and_no_empty_paragraph() {
        let page = String::from_utf8(man_page().unwrap()).unwrap();
        let mut before = "";
        for line in page.lines() {
            assert!(line.len() <= 80 || before.starts_with(".TP"), "{line}");
            assert!(before != ".PP" || !(line.starts_with('.') || line.is_empty()), "{line}");
            before = line;
        }
        assert!(page.contains("; \\\\n, \\\\t, \\\\r, \\\\0 and "), "escapes of --format are shown as they are typed");
        assert_eq!(page.lines().find(|line| line.starts_with(".TH")).unwrap().matches('"').count(), 6);
        assert_eq!(in_short_lines(b"a .b\n"), b"a .b\n");
    }

    #[test]
    fn every_completion_knows_every_option() {
        for &(_, what, _) in GENERATED.iter().filter(|(_, what, _)| what.is_some()) {
            let script = String::from_utf8(generate(what).unwrap()).unwrap();
            let options = ["all-readings", "rejoin", "parse", "base", "audit", "fail-on"];
            // The script for PowerShell has no values.
            let values = ["delimited", "gopher", "attribute", "A-CRLF", "markdown"];
            let knows_values = what != Some(Shell::PowerShell);
            for word in options.iter().chain(values.iter().filter(|_| knows_values)) {
                assert!(script.contains(word), "{what:?} does not know {word}");
            }
        }
    }
}
