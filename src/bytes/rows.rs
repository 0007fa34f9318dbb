//! Tables in data files, read at compile time.
//!
//! Each line is a row, and `#` begins a comment. A blank separates two fields, and the last field
//! may itself hold blanks. A missing field is empty.

/// Returns the rows of a data file as an array. The function, a `const fn`, makes a row of the
/// array of its fields.
macro_rules! table {
    ($file:literal, $row:path) => {{
        const TEXT: &str = include_str!($file);
        let (fields, mut rest) = $crate::bytes::rows::next(TEXT);
        let mut table = [$row(fields); $crate::bytes::rows::count(TEXT)];
        let mut at = 1;
        while at < table.len() {
            let (fields, after) = $crate::bytes::rows::next(rest);
            table[at] = $row(fields);
            rest = after;
            at += 1;
        }
        table
    }};
}
pub(crate) use table;

/// Returns the only field of a row.
pub(crate) const fn word([word]: [&'static str; 1]) -> &'static str {
    word
}

/// Returns a range of scalars from two fields in hexadecimal digits.
pub(crate) const fn range([first, last]: [&'static str; 2]) -> (u32, u32) {
    (number(first, 16), number(last, 16))
}

/// Returns the number that a field holds.
#[allow(clippy::panic, reason = "the compiler reads the file, so a wrong one does not compile")]
pub(crate) const fn number(field: &str, radix: u32) -> u32 {
    match u32::from_str_radix(field, radix) {
        Ok(number) => number,
        Err(_) => panic!("a data file holds no number at this place"),
    }
}

/// Returns the fields of the next row, and the text after it.
pub(crate) const fn next<const FIELDS: usize>(text: &'static str) -> ([&'static str; FIELDS], &'static str) {
    let (mut line, rest) = next_line(text);
    let mut fields = [""; FIELDS];
    let mut at = 0;
    while at + 1 < FIELDS {
        (fields[at], line) = cut(line, b' ');
        at += 1;
    }
    fields[at] = line;
    (fields, rest)
}

/// Returns the number of rows.
pub(crate) const fn count(text: &'static str) -> usize {
    let (mut line, mut rest) = next_line(text);
    let mut count = 0;
    while !line.is_empty() {
        (line, rest) = next_line(rest);
        count += 1;
    }
    count
}

/// Returns the next line that is no comment, and the text after it. At the end, both are empty.
const fn next_line(text: &'static str) -> (&'static str, &'static str) {
    let (mut line, mut rest) = cut(text, b'\n');
    while matches!(line.as_bytes(), [b'#', ..]) {
        (line, rest) = cut(rest, b'\n');
    }
    (line, rest)
}

/// Returns the text before the first `mark`, and the text after it.
const fn cut(text: &'static str, mark: u8) -> (&'static str, &'static str) {
    let mut at = 0;
    while at < text.len() && text.as_bytes()[at] != mark {
        at += 1;
    }
    let (before, after) = text.split_at(at);
    (before, if after.is_empty() { "" } else { after.split_at(1).1 })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn rows() {
        const TEXT: &str = "# a\none 1 of two\n# b\nsix\n";
        assert_eq!(count(TEXT), 2);
        let (fields, rest) = next(TEXT);
        assert_eq!(fields, ["one", "1", "of two"]);
        assert_eq!(next(rest), (["six", "", ""], ""));
    }

    /// Checks that the data files hold no row twice, and no line that the reader misunderstands.
    #[test]
    fn no_row_stands_twice() {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "txt") {
                    let text = fs::read_to_string(&path).unwrap();
                    let mut rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
                    assert!(text.starts_with("# ") && text.ends_with('\n'), "{path:?}: no comment, or no last LF");
                    let is_fine = |row: &&str| !row.is_empty() && *row == row.trim() && !row.contains("  ");
                    assert!(rows.iter().all(is_fine), "{path:?}: an empty row, or blanks that separate nothing");
                    rows.sort_unstable();
                    assert!(rows.is_sorted_by(|one, other| one < other), "{path:?}: a row stands twice");
                    files += 1;
                }
            }
        }
        assert!(files >= 16, "{files}");
    }
}
