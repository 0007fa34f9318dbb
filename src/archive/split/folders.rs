//! The separators of containers other than mbox and batches: MMDF, Babyl, Dovecot's dbox and
//! Apple's emlx.

use memchr::memchr;

use crate::archive::split::separator::{LINE, MBOX_LOOK, dated, field_name};

/// The maximum number of bytes that these separators need: lines of Control-A and a `From ` line.
pub(super) const FOLDER_LOOK: usize = 16 + MBOX_LOOK;

/// The bytes between two messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Between {
    /// A message follows after `after` bytes, perhaps with a stated length.
    Message { after: usize, length: Option<u64> },
    /// No message follows, but data that a program keeps after the message.
    Closing,
}

const CONTROL_A: &[u8] = b"\x01\x01\x01\x01";

/// Returns the text after its first line, if that line equals `line`.
fn after_line<'t>(text: &'t [u8], line: &[u8]) -> Option<&'t [u8]> {
    let rest = text.strip_prefix(line)?;
    rest.strip_prefix(b"\n").or_else(|| rest.strip_prefix(b"\r\n"))
}

/// Parses a separator of MMDF, the format of SCO's mail. A line of four Control-A characters stands
/// before and after each message. The message may also have a `From ` line. `is_last` means that
/// the input ends with the text.
pub(super) fn mmdf(text: &[u8], is_last: bool) -> Option<Between> {
    let rest = after_line(text, CONTROL_A)?;
    if rest.is_empty() && is_last {
        return Some(Between::Closing);
    }
    let rest = after_line(rest, CONTROL_A).unwrap_or(rest);
    let rest = &rest[dated(rest, true).unwrap_or(0)..];
    Some(Between::Message { after: text.len() - rest.len(), length: None })
}

/// Parses a separator of Babyl, the format of Emacs' Rmail. It consists of Control-Underscore,
/// Control-L and a line of labels. The message follows, or `*** EOOH ***` and the message. If Rmail
/// has shown the message, its whole header comes first. Then a second header with the fields that
/// Rmail shows precedes the body. Both headers are read.
pub(super) fn babyl(text: &[u8], is_last: bool) -> Option<Between> {
    let rest = text.strip_prefix(b"\x1F")?;
    if is_last && rest.trim_ascii().is_empty() {
        return Some(Between::Closing);
    }
    let labels = after_line(rest, b"\x0C")?;
    // The first label states whether Rmail has changed the header.
    if !matches!(labels, [b'0' | b'1', b',', ..]) {
        return None;
    }
    let end = memchr(b'\n', &labels[..labels.len().min(LINE)])?;
    let rest = &labels[end + 1..];
    let rest = after_line(rest, b"*** EOOH ***").unwrap_or(rest);
    Some(Between::Message { after: text.len() - rest.len(), length: None })
}

/// Parses a header of Dovecot's sdbox and mdbox: 30 bytes with the message's length in hexadecimal
/// digits. Metadata of Dovecot follow the message.
pub(super) fn dbox(text: &[u8]) -> Option<Between> {
    if text.starts_with(b"\x01\x03\n") {
        return Some(Between::Closing);
    }
    let header = text.strip_prefix(b"\x01\x02N")?;
    let end = memchr(b'\n', &header[..header.len().min(61)])?;
    let digits = str::from_utf8(header.get(10..26)?.trim_ascii()).ok()?;
    let length = Some(u64::from_str_radix(digits, 16).ok()?);
    Some(Between::Message { after: 3 + end + 1, length })
}

/// The end mark of a message in a dbox.
pub(super) const DBOX_END: &[u8] = b"\n\x01\x03\n";

/// Parses the first line of a file of Apple's Mail: the length of the message. A property list
/// follows the message.
pub(super) fn emlx(text: &[u8]) -> Option<Between> {
    let end = memchr(b'\n', &text[..text.len().min(32)])?;
    let digits = str::from_utf8(text[..end].trim_ascii_end()).ok()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let length = digits.parse().ok().filter(|_| is_number);
    Some(Between::Message { after: end + 1, length: Some(length?) })
}

/// Returns true if a text begins like an MMDF mailbox.
pub(crate) fn is_mmdf(head: &[u8]) -> bool {
    after_line(head, CONTROL_A).is_some_and(|rest| dated(rest, true).is_some() || field_name(rest).is_some())
}

/// Returns true if a text begins like an Rmail file.
pub(crate) fn is_babyl(head: &[u8]) -> bool {
    head.starts_with(b"BABYL OPTIONS:")
}

/// Returns true if a text begins like a dbox file of Dovecot.
pub(crate) fn is_dbox(head: &[u8]) -> bool {
    let rest = || memchr(b'\n', &head[..head.len().min(64)]).map(|end| &head[end + 1..]);
    head.starts_with(b"2 M") && rest().is_some_and(|rest| rest.starts_with(b"\x01\x02N"))
}

/// Returns true if a line may be the first of a file in these formats. The line alone does not
/// prove that.
pub(crate) fn may_begin_folder(line: &[u8]) -> bool {
    line.trim_ascii_end() == CONTROL_A || line.starts_with(b"2 M") || after_emlx_line(line).is_some()
}

/// Returns the text after the first line of a file of Apple's Mail.
pub(crate) fn after_emlx_line(head: &[u8]) -> Option<&[u8]> {
    match emlx(head)? {
        Between::Message { after, .. } => Some(&head[after..]),
        Between::Closing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(after: usize, length: Option<u64>) -> Option<Between> {
        Some(Between::Message { after, length })
    }

    #[test]
    fn lines_of_mmdf() {
        let line = "\x01\x01\x01\x01\n";
        let from = "From joe Mon Jan  1 12:34:56 2001\n";
        assert_eq!(mmdf(format!("{line}A: b").as_bytes(), false), message(5, None));
        assert_eq!(mmdf(format!("{line}{line}A: b").as_bytes(), false), message(10, None));
        assert_eq!(mmdf(format!("{line}{line}{from}A: b").as_bytes(), false), message(10 + from.len(), None));
        assert_eq!(mmdf(b"\x01\x01\x01\x01\r\n\x01\x01\x01\x01\r\nA: b", true), message(12, None));
        assert_eq!(mmdf(line.as_bytes(), true), Some(Between::Closing));
        for none in ["\x01\x01\x01\n", "\x01\x01\x01\x01\x01\n", "\x01\x01\x01\x01"] {
            assert_eq!(mmdf(none.as_bytes(), true), None, "{none:?}");
        }
    }

    #[test]
    fn lines_of_babyl() {
        let eooh = "*** EOOH ***\n";
        assert_eq!(babyl(format!("\x1F\x0C\n0, unseen,,\n{eooh}A: b").as_bytes(), false), message(28, None));
        assert_eq!(babyl(format!("\x1F\x0C\n1,,\nA: b\n\n{eooh}A: b").as_bytes(), false), message(7, None));
        for end in ["", "\n", "\r\n"] {
            let text = format!("\x1F{end}");
            assert_eq!((babyl(text.as_bytes(), true), babyl(text.as_bytes(), false)), (Some(Between::Closing), None));
        }
        for none in ["\x1F\nx", "\x1F\x0C\nx", "\x1F\x0C\n2,,\n", "\x1F\x0C\n1,,"] {
            assert_eq!(babyl(none.as_bytes(), true), None, "{none:?}");
        }
    }

    #[test]
    fn headers_of_dbox_and_emlx() {
        assert_eq!(dbox(b"\x01\x02N          00000000000003A5\nA: b"), message(30, Some(0x3A5)));
        assert_eq!(dbox(b"\x01\x03\nR5"), Some(Between::Closing));
        for none in
            ["\x01\x02N          000000000000\n", "\x01\x02N          0000000000000xyz\n", "\x01\x02X", "\x01\x03"]
        {
            assert_eq!(dbox(none.as_bytes()), None, "{none:?}");
        }
        assert_eq!(emlx(b"1234      \nA: b"), message(11, Some(1234)));
        for none in ["1234", "x\n", "\n", "+12\n", "99999999999999999999999\n"] {
            assert_eq!(emlx(none.as_bytes()), None, "{none}");
        }
    }
}
