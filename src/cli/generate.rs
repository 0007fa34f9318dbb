//! The man page and the completions, from the same definition as the help.

use std::io;

use clap_mangen::Man;

use super::args::{self, Generated, HelpSection};
use super::completions;

/// Renders one of them.
pub(crate) fn generate(what: Generated) -> io::Result<Vec<u8>> {
    let Some(shell) = what else { return man_page() };
    Ok(completions::script(shell).into_bytes())
}

/// One page for the command and its subcommands: `man urlgrep` is where people look.
fn man_page() -> io::Result<Vec<u8>> {
    let mut definition = args::definition();
    definition.build();
    let subcommands: Vec<_> = definition.get_subcommands().cloned().collect();
    let man = Man::new(definition).manual("User Commands");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend_from_slice(
        b".SH SYNOPSIS\n\\fBurlgrep\\fR [\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n.br\n\
          \\fBurlgrep parse\\fR [\\fIOPTIONS\\fR] [\\fIURL\\fR]...\n.br\n\
          \\fBurlgrep audit\\fR [\\fIOPTIONS\\fR] [\\fIPATH\\fR]...\n",
    );
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    for subcommand in subcommands {
        let about = subcommand.get_long_about().map(ToString::to_string).unwrap_or_default();
        let (name, own) = (subcommand.get_name().to_owned(), args::sections_of(subcommand.get_name()));
        page.extend_from_slice(format!(".SH \"URLGREP {}\"\n", name.to_uppercase()).as_bytes());
        for paragraph in about.split("\n\n") {
            text(paragraph, &mut page);
            page.extend_from_slice(b"\n.PP\n");
        }
        let mut options = Vec::new();
        Man::new(subcommand).render_options_section(&mut options)?;
        // The headings of its options are below that of the subcommand.
        let options =
            String::from_utf8_lossy(&options).replace(".SH ", ".SS ").replace(".SS OPTIONS\n", ".SS Options\n");
        page.extend_from_slice(options.as_bytes());
        sections(own, ".SS", &mut page);
        if name == "audit" {
            sections(args::AUDIT_REFERENCE, ".SS", &mut page);
        }
    }
    sections(args::FIND_SECTIONS, ".SH", &mut page);
    sections(args::FIND_REFERENCE, ".SH", &mut page);
    habits(&mut page);
    page.extend_from_slice(b".SH \"SEE ALSO\"\n\\fBgrep\\fR(1), \\fBrg\\fR(1), RFC 1738, RFC 1808, RFC 3986\n");
    Ok(page)
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

/// The table of ripgrep's options, in two columns.
fn habits(page: &mut Vec<u8>) {
    page.extend_from_slice(b".SH \"COMING FROM RIPGREP\"\n");
    text("What the everyday options of ripgrep are here, and why some are not there.", page);
    for habit in args::HABITS {
        page.extend_from_slice(b"\n.TP 28\n\\fB");
        text(habit.theirs, page);
        page.extend_from_slice(b"\\fR\n");
        text(&habit.advice(), page);
    }
    page.push(b'\n');
}

/// Text as roff: what roff would read is escaped, so that `--x` stays `--x` and `'` stays `'` when copied.
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
    fn every_completion_knows_every_option() {
        for &(_, what, _) in GENERATED.iter().filter(|(_, what, _)| what.is_some()) {
            let script = String::from_utf8(generate(what).unwrap()).unwrap();
            let options = ["all-readings", "rejoin", "parse", "base", "audit", "fail-on"];
            // PowerShell is told of no values.
            let values = ["delimited", "gopher", "attribute", "A-CRLF", "markdown"];
            let knows_values = what != Some(Shell::PowerShell);
            for word in options.iter().chain(values.iter().filter(|_| knows_values)) {
                assert!(script.contains(word), "{what:?} does not know {word}");
            }
        }
    }
}
