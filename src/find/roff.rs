//! B-ROFF: which lines are those of a manual page.

use std::ops::Range;

use crate::bytes::limits::{LINE_START, ROFF_LINES_AFTER, ROFF_LINES_BEFORE};
use crate::find::lines::{after_break, is_blank, is_break};

/// The last answer, and for which URLs it is the same. A memo: what it says could be computed afresh at any time.
///
/// A long line may hold a hundred URLs that are asked about, and to look at 24 lines for each took 3,000 instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoffMemo {
    /// They begin here, in a text of this length.
    urls: Range<usize>,
    length: usize,
    is_in_roff: bool,
    /// No line that only a manual page has begins here: each byte is looked at once, as the URLs move on (ST-2).
    clear: Range<usize>,
}

impl RoffMemo {
    /// Whether the lines around the URL that begins at `url` are those of a manual page.
    pub(crate) fn is_in_roff(&mut self, text: &[u8], url: usize) -> bool {
        if self.length != text.len() {
            *self = RoffMemo { length: text.len(), ..RoffMemo::default() };
        }
        if self.urls.contains(&url) {
            return self.is_in_roff;
        }
        if self.is_far_from_requests(text, url) {
            return false;
        }
        let (is_in_roff, last) = look(text, url);
        (self.urls, self.is_in_roff) = (url..last + 1, is_in_roff);
        is_in_roff
    }

    /// Whether no such line begins within reach of `url`, however many lines that is.
    fn is_far_from_requests(&mut self, text: &[u8], url: usize) -> bool {
        let (low, high) = (url.saturating_sub(LINE_START + 1), text.len().min(url + LINE_START + 1));
        if !(self.clear.start..=self.clear.end).contains(&low) {
            self.clear = low..low;
        }
        let from = self.clear.end;
        let begins_line = |at: usize| at.checked_sub(1).is_none_or(|before| is_break(text[before]));
        let mut dots = memchr::memchr_iter(b'.', text.get(from..high).unwrap_or_default()).map(|at| from + at);
        let request = dots.find(|&at| begins_line(at) && is_request(&text[at..]));
        self.clear.end = request.unwrap_or(from.max(high));
        request.is_none()
    }
}

/// The answer for `url`, and the last place on its line up to which it is the same.
fn look(text: &[u8], url: usize) -> (bool, usize) {
    let high = |url: usize| text.len().min(url + LINE_START);
    // From further on, fewer of the lines before are in reach.
    let line_end = memchr::memchr2(b'\n', b'\r', &text[url..high(url)]).map_or(high(url), |found| url + found);
    if let Some(request) = request_before(text, url) {
        return (true, line_end.min(request + LINE_START));
    }
    let mut at = url;
    for _ in 0..ROFF_LINES_AFTER {
        let Some(found) = memchr::memchr2(b'\n', b'\r', &text[at..high(url)]) else {
            // From further on, the next line may be in reach.
            let seen = high(high(url));
            let next = memchr::memchr2(b'\n', b'\r', &text[at..seen]).map(|found| at + found);
            let last = match next.or((seen < text.len()).then_some(seen)) {
                Some(next) => next.saturating_sub(LINE_START).clamp(url, line_end),
                None => line_end,
            };
            return (false, last);
        };
        at = after_break(text, at + found);
        if at > high(url) {
            return (false, url);
        }
        if is_request(&text[at..]) {
            return (true, line_end);
        }
    }
    (false, line_end)
}

/// Where the nearest line begins, of those before, that only a manual page has.
fn request_before(text: &[u8], url: usize) -> Option<usize> {
    let low = url.saturating_sub(LINE_START + 1);
    let mut end = url;
    for _ in 0..=ROFF_LINES_BEFORE {
        let Some(found) = memchr::memrchr2(b'\n', b'\r', &text[low..end]) else {
            return (url <= LINE_START && is_request(text)).then_some(0);
        };
        end = low + found;
        if is_request(&text[end + 1..]) {
            return Some(end + 1);
        }
        end -= usize::from(text[..=end].ends_with(b"\r\n") && end > low);
    }
    None
}

/// `.\"`, or `.`, one or two capitals, and a blank or the line's end.
fn is_request(line: &[u8]) -> bool {
    let Some(name) = line.strip_prefix(b".") else { return false };
    let capitals = name.iter().take(3).take_while(|b| b.is_ascii_uppercase()).count();
    name.starts_with(b"\\\"")
        || matches!(capitals, 1 | 2) && name.get(capitals).is_none_or(|&b| is_blank(b) || is_break(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turns::turns;

    #[test]
    fn manual_pages() {
        let lines = |count: usize| "x\n".repeat(count);
        let long = "x".repeat(LINE_START);
        for (before, after, expected) in [
            (".SH X\n".to_string(), String::new(), true),
            (".\\\" x\r\n".to_string(), String::new(), true),
            (".B\r".to_string(), String::new(), true),
            (".UR ".to_string(), String::new(), true),
            (".PPP\n.Sh\n.\n .B\n.\\'\n..B\n".to_string(), String::new(), false),
            (format!(".B\n{}", lines(15)), String::new(), true),
            (format!(".B\r\n{}", lines(16)), String::new(), false),
            (String::new(), format!("\n{}.B", lines(7)), true),
            (String::new(), format!("\n{}.B", lines(8)), false),
            (format!(".B {}", &long[3..]), String::new(), true),
            (format!(".B {}", &long[2..]), String::new(), false),
            (format!("\n.B {}", &long[3..]), String::new(), true),
            (format!("\n.B {}", &long[2..]), String::new(), false),
            (String::new(), format!("{}\n.B", &long[1..]), true),
            (String::new(), format!("{long}\n.B"), false),
        ] {
            let text = format!("{before}{after}");
            assert_eq!(look(text.as_bytes(), before.len()).0, expected, "{before:?} {after:?}");
        }
    }

    /// What is remembered changes no answer.
    #[test]
    fn memory() {
        const PARTS: [&str; 6] = ["\n", "\r\n", "\r", "\n.TH x", ".B", "\n.\\\" x"];
        let mut rng = fastrand::Rng::with_seed(1_989);
        let mut seen = [0, 0];
        for _ in 0..turns(200) {
            let (mut text, mut memo) = (String::new(), RoffMemo::default());
            while text.len() < 4 * LINE_START {
                let longest = if rng.bool() { 40 } else { LINE_START };
                text.extend(std::iter::repeat_n('x', rng.usize(1..longest)));
                text.push_str(PARTS[if rng.u8(..8) == 0 { rng.usize(..6) } else { rng.usize(..3) }]);
            }
            let mut url = 0;
            while url < text.len() {
                let expected = look(text.as_bytes(), url).0;
                assert_eq!(memo.is_in_roff(text.as_bytes(), url), expected, "{url} of {text:?}");
                seen[usize::from(expected)] += 1;
                url += rng.usize(1..50);
            }
        }
        assert!(seen.iter().all(|&times| times > 1_000), "{seen:?}");
    }
}
