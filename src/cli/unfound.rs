//! `--explain FILE:LINE`: the place that a path names, and the reasons why a line holds no match.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;

use bstr::ByteSlice;
use urlgrep::url::{self, ParseOptions};
use urlgrep::{Extractor, ExtractorBuilder, Level, Match, is_known_scheme};

use super::filter::Filter;

/// The greatest length of a line that is explained.
const LONGEST: u64 = 64 * 1024;

/// Parts `notes.txt:12`, if no file has that name, into a path and a line from 1.
pub(super) fn line_of(paths: &mut [PathBuf]) -> Option<u64> {
    let [path] = paths else { return None };
    let text = path.to_str().filter(|_| !path.exists())?;
    let (file, line) = text.rsplit_once(':')?;
    let line = line.parse().ok().filter(|&line| line > 0)?;
    *path = PathBuf::from(file);
    Some(line)
}

/// Returns why the line of a file holds no match: a sentence for each candidate, or for the line.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(super) fn reasons(path: &PathBuf, line: u64, search: &Extractor, filter: &Filter) -> io::Result<Vec<String>> {
    let Some(text) = read_line(path, line)? else {
        return Ok(vec!["the file has fewer lines".to_owned()]);
    };
    let mut reasons = Vec::new();
    let filter = filter.clone().with_line(None);
    for found in search.find_iter(&text) {
        let why = match filter.wants(&found) {
            true => "found only if the line is read alone: the text around it says that it is read otherwise",
            false if found.level() == Level::None => "no grammar accepts it, and an option excludes it",
            false => "an option excludes it: --scheme, --host, --kind, --level or --strict",
        };
        reasons.push(format!("{}: {why}{}", found.url(), error_of(&found)));
    }
    let builder = || Extractor::builder();
    for (other, why) in [
        (builder().candidates(true), "its host is a placeholder, or defanged, so no program can open it (B-NOHOST)"),
        (builder().refang(true), "it is defanged; --refang finds it"),
        (builder().any_scheme(true), "its scheme is not a known one; --any-scheme finds it"),
        (builder().www(true), "it has no scheme; --www finds it"),
        (builder().names(true), "it has no scheme; --names finds it"),
    ] {
        reasons.extend(found_with(other, &text, search).into_iter().map(|url| format!("{url}: {why}")));
    }
    if reasons.is_empty() {
        reasons = text.split(|byte| b" \t\r\n\"'`<>".contains(byte)).filter_map(refused).collect();
    }
    if reasons.is_empty() {
        let has_colon = text.contains(&b':');
        let why = if has_colon {
            "no URL begins at a colon of this line"
        } else {
            "the line has no colon, so no scheme; --www and --names find names without one"
        };
        reasons.push(why.to_owned());
    }
    Ok(reasons)
}

/// Returns the URLs that only another search finds.
fn found_with(other: ExtractorBuilder, text: &[u8], search: &Extractor) -> Vec<String> {
    let known: Vec<_> = search.find_iter(text).map(|found| found.span()).collect();
    let other = other.build();
    let is_new = |found: &Match<'_>| !known.iter().any(|span| span.contains(&found.span().start));
    other.find_iter(text).filter(is_new).map(|found| found.url().to_string()).collect()
}

/// Returns why a word that begins with a known scheme is no URL.
fn refused(word: &[u8]) -> Option<String> {
    let colon = word.find_byte(b':').filter(|&colon| is_known_scheme(&word[..colon]))?;
    let why = match url::judge(word, ParseOptions::new()).error {
        Some(error) => format!("RFC 1738 refuses it (byte {}: {error})", error.offset()),
        None if !word[colon..].starts_with(b"://") => {
            "without `//`, only some schemes are found, such as mailto: and news:".to_owned()
        }
        None => return None,
    };
    Some(format!("{}: {why}", word.as_bstr()))
}

/// Returns the error of a URL, with its byte.
fn error_of(found: &Match<'_>) -> String {
    found.error().map_or_else(String::new, |error| format!(" (byte {}: {error})", error.offset()))
}

/// Reads a line of a file, up to [`LONGEST`] bytes. Returns `None` if the file has fewer lines.
fn read_line(path: &PathBuf, line: u64) -> io::Result<Option<Vec<u8>>> {
    let mut file = BufReader::new(File::open(path)?);
    for _ in 1..line {
        if file.skip_until(b'\n')? == 0 {
            return Ok(None);
        }
    }
    let mut text = Vec::new();
    let length = file.take(LONGEST).read_until(b'\n', &mut text)?;
    Ok((length > 0).then_some(text))
}
