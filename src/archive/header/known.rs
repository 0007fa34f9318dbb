//! The fields that distinguish mail and news from other texts.

/// Fields that mail and news have, and other texts seldom have. Two different fields make a
/// message, unless they are the first two of this list. Dumps of HTTP have those two.
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

/// Returns the index of a field in [`FIELDS`]. Returns `None` if the field is not listed.
///
/// A lower-case name is not accepted, because data and code also have `from:` and `date:`. A mailer
/// that writes lower-case names usually has `Message-Id` somewhere.
pub(crate) fn known(name: &[u8]) -> Option<usize> {
    let is_plain = name.iter().all(u8::is_ascii_lowercase);
    FIELDS.iter().position(|field| !is_plain && name.eq_ignore_ascii_case(field))
}
