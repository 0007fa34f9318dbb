//! The fields that tell mail and news from other texts.

/// Fields that mail and news have and other texts do not, or seldom. Two different ones make a message, but for the first
/// two: dumps of HTTP have those.
const FIELDS: [&[u8]; 42] = [
    b"Date",
    b"Content-Type",
    b"Content-Transfer-Encoding",
    b"MIME-Version",
    b"From",
    b"To",
    b"Cc",
    b"Subject",
    b"Sender",
    b"Reply-To",
    b"Message-ID",
    b"In-Reply-To",
    b"References",
    b"Received",
    b"Return-Path",
    b"Delivered-To",
    b"Envelope-To",
    b"X-Original-To",
    b"X-Envelope-From",
    b"Apparently-To",
    b"Errors-To",
    b"Precedence",
    b"Resent-From",
    b"Resent-Date",
    b"List-Id",
    b"Mailing-List",
    b"DKIM-Signature",
    b"X-Mailer",
    b"X-Account-Key",
    b"X-Mozilla-Status",
    b"Status",
    b"Path",
    b"Newsgroups",
    b"Xref",
    b"Followup-To",
    b"NNTP-Posting-Host",
    b"Relay-Version",
    b"Posting-Version",
    b"Article-I.D.",
    b"Control",
    b"X-Gm-Thrid",
    b"X-Gmail-Labels",
];

/// Returns the number of a field that is known, from 0.
///
/// Data and code write `from:` and `date:` too; a mailer that does so writes `Message-Id` somewhere. So a name in small
/// letters is none.
pub(crate) fn known(name: &[u8]) -> Option<usize> {
    let is_plain = name.iter().all(u8::is_ascii_lowercase);
    FIELDS.iter().position(|field| !is_plain && name.eq_ignore_ascii_case(field))
}
