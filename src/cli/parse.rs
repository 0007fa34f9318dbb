//! `urlgrep parse`: validates URLs that are given one by one.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow;

use bstr::ByteSlice;
use urlgrep::audit::mask;
use urlgrep::report::{JsonFormat, Resolution, escape};
use urlgrep::url::{self, Generic, ParseOptions};
use urlgrep::{Level, ParseError, Url};

use super::exit::ExitStatus;
use super::out::Out;
use super::plan::ParsePlan;

/// A longer line is refused, and the next lines are still read. No real URL is that long, and the
/// limit bounds memory.
const LONGEST_LINE: u64 = 16 << 20;

/// Runs `urlgrep parse`.
pub(crate) fn run(plan: &ParsePlan, out: &mut Out) -> ExitStatus {
    let mut run = ParseRun { plan, out, all_valid: true, explained: false, line: Vec::new() };
    let _ = plan.urls.iter().try_for_each(|url| match url {
        Some(url) => run.judge(url),
        None => run.judge_lines(io::stdin()),
    });
    let all_valid = run.all_valid;
    ExitStatus::of(all_valid, out.finish(), false)
}

struct ParseRun<'p, 'o> {
    plan: &'p ParsePlan,
    out: &'o mut Out,
    all_valid: bool,
    /// An explanation was printed. An empty line separates it from the next one.
    explained: bool,
    /// The line being rendered; its memory is reused.
    line: Vec<u8>,
}

impl ParseRun<'_, '_> {
    /// Validates each line as a URL. Output is flushed before a read that waits, so a program can
    /// send a URL and read the result.
    fn judge_lines(&mut self, input: impl Read) -> ControlFlow<()> {
        let mut input = io::BufReader::with_capacity(64 << 10, input);
        let mut url = Vec::new();
        for number in 1u64.. {
            url.clear();
            match read_line(&mut input, &mut url) {
                Ok(InputLine::End) => break,
                Ok(InputLine::Whole) => self.judge(&url)?,
                Err(error) => {
                    self.out.error(b"standard input", &error);
                    break;
                }
                Ok(InputLine::TooLong) => {
                    let name = format!("standard input, line {number}");
                    self.out.error(name.as_bytes(), &format_args!("longer than {LONGEST_LINE} bytes; skipped"));
                }
            }
            if !input.buffer().contains(&b'\n') {
                self.out.flush()?;
            }
        }
        ControlFlow::Continue(())
    }

    fn judge(&mut self, input: &[u8]) -> ControlFlow<()> {
        let plan = self.plan;
        let resolve = plan.args.resolve.unwrap_or(url::resolve_1808);
        let resolved = plan.args.base.as_ref().map(|base| resolve(base.as_encoded_bytes(), input));
        let (resolution, url) = match &resolved {
            None => (Resolution::Input, input),
            Some(Ok(url)) => (Resolution::Resolved(url), &url[..]),
            Some(Err(error)) => (Resolution::Unresolved(*error), input),
        };
        let verdict = match resolution {
            Resolution::Unresolved(error) => UrlVerdict { is_valid: false, level: Level::None, error: Some(error) },
            _ => UrlVerdict::of(plan, url),
        };
        let is_valid = verdict.is_valid;
        self.all_valid &= is_valid;
        if plan.args.quiet {
            // The first invalid URL decides the exit status.
            return if is_valid { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        }
        self.line.clear();
        if plan.args.json {
            let json = JsonFormat::new().other_literal(plan.args.otherurl.is_literal()).escape(plan.escape);
            json.write_parsed(input, resolution, loosest(plan), &mut self.line);
        } else {
            let explain = plan.explain.filter(|_| !matches!(resolution, Resolution::Unresolved(_)));
            if explain.is_some() {
                if self.explained {
                    self.line.push(b'\n');
                }
                self.explained = true;
            }
            // A line without an explanation is for programs, which need the URL itself.
            if explain.is_some() && !plan.args.show_secrets && !url.is_empty() {
                write_url(plan, &mask(url), &mut self.line);
            } else {
                write_url(plan, url, &mut self.line);
            }
            verdict.write(plan, url, &mut self.line);
            if let Some(explain) = explain {
                explain.render(url, &mut self.line);
            }
        }
        self.out.print(&self.line)
    }
}

/// Appends the URL that a line is about.
fn write_url(plan: &ParsePlan, url: &[u8], line: &mut Vec<u8>) {
    if plan.escape {
        escape(url, line);
    } else {
        line.extend_from_slice(url);
    }
}

/// Returns the loosest level that is valid. The default is RFC 1738 with an optional fragment.
fn loosest(plan: &ParsePlan) -> Level {
    plan.args.level.unwrap_or(Level::Rfc1738Ref)
}

/// The verdict on a URL.
#[derive(Clone, Copy)]
struct UrlVerdict {
    /// The URL is valid at [`loosest`].
    is_valid: bool,
    level: Level,
    error: Option<ParseError>,
}

impl UrlVerdict {
    fn of(plan: &ParsePlan, url: &[u8]) -> Self {
        let options = ParseOptions::new().other_literal(plan.args.otherurl.is_literal());
        let verdict = url::judge(url, options);
        let level = verdict.level;
        let is_valid = level <= loosest(plan);
        let error = match verdict.error {
            // RFC 1738 itself has no fragments.
            None if !is_valid => Url::parse_with(url, options.level(Level::Rfc1738)).err(),
            error => error,
        };
        Self { is_valid, level, error }
    }

    /// Appends `: ok rfc1738`, or `: unsafe-gateway at 24: …; fits rfc3986`. It appends pieces
    /// without `format!`, because formatting would be nearly all the work for empty lines.
    fn write(self, plan: &ParsePlan, url: &[u8], line: &mut Vec<u8>) {
        let (green, red, reset) = if plan.color { ("\x1b[32m", "\x1b[31m", "\x1b[0m") } else { ("", "", "") };
        let Self { is_valid, level, error } = self;
        if is_valid {
            return put(&[": ", green, "ok", reset, " ", level.as_str(), "\n"], line);
        }
        match (error, plan.args.level) {
            (_, Some(asked @ (Level::Rfc3986 | Level::Iri))) => {
                let (at, message) = match Generic::parse_or_misfit(url) {
                    Err(misfit) => (misfit.offset(), misfit.message(url)),
                    Ok(_) => {
                        let wide = url.char_indices().find(|(.., character)| !character.is_ascii());
                        let (at, _, character) = wide.unwrap_or_default();
                        (at, format!("`{character}` is not ASCII"))
                    }
                };
                put(&[": ", red, "not-", asked.as_str(), reset, " at ", &at.to_string(), ": "], line);
                escape(message.as_bytes(), line);
            }
            (Some(error), _) => {
                put(&[": ", red, error.kind().as_str(), reset, " at ", &error.offset().to_string(), ": "], line);
                error.append(line);
            }
            (None, _) => {}
        }
        let fits = if level == Level::None { [""; 2] } else { ["; fits ", level.as_str()] };
        put(&[fits[0], fits[1], "\n"], line);
    }
}

fn put(pieces: &[&str], line: &mut Vec<u8>) {
    pieces.iter().for_each(|piece| line.extend_from_slice(piece.as_bytes()));
}

#[derive(Debug, PartialEq, Eq)]
enum InputLine {
    /// There are no more lines.
    End,
    Whole,
    TooLong,
}

/// Reads a line without its LF or CRLF. The last line may lack both. Empty text after the last LF
/// is not a line.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<InputLine> {
    // Room for the longest line with its CRLF.
    let limit = LONGEST_LINE + 2;
    let read = input.by_ref().take(limit).read_until(b'\n', line)?;
    if read == 0 {
        return Ok(InputLine::End);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if read as u64 == limit {
        line.clear();
        input.skip_until(b'\n')?;
        return Ok(InputLine::TooLong);
    }
    Ok(if line.len() as u64 > LONGEST_LINE { InputLine::TooLong } else { InputLine::Whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_as_it_is_less_its_end() {
        let mut input = io::BufReader::new(&b"a\r\n\n b \r\r\nc\xFF"[..]);
        let mut lines = Vec::new();
        loop {
            let mut line = Vec::new();
            match read_line(&mut input, &mut line).unwrap() {
                InputLine::End => break,
                kind => lines.push((kind, line)),
            }
        }
        let expected = [&b"a"[..], b"", b" b \r", b"c\xFF"];
        assert_eq!(lines, expected.map(|line| (InputLine::Whole, line.to_vec())));
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_one_is_read() {
        let longest = vec![b'x'; LONGEST_LINE as usize];
        for (length, end, kind) in [
            (LONGEST_LINE, &b"\n"[..], InputLine::Whole),
            (LONGEST_LINE, b"\r\n", InputLine::Whole),
            (LONGEST_LINE + 1, b"\n", InputLine::TooLong),
            (LONGEST_LINE + 5, b"\n", InputLine::TooLong),
        ] {
            let over = vec![b'y'; (length - LONGEST_LINE) as usize];
            let text = [&longest, &over, end, b"next"].concat();
            let mut input = io::BufReader::new(&text[..]);
            let mut line = Vec::new();
            assert_eq!(read_line(&mut input, &mut line).unwrap(), kind, "{length}");
            line.clear();
            assert_eq!((read_line(&mut input, &mut line).unwrap(), &line[..]), (InputLine::Whole, &b"next"[..]));
        }
    }
}
