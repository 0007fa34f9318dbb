//! The fields that distinguish mail and news from other texts.

/// Fields that mail and news have and other texts seldom have. Two different ones make a message,
/// unless they are just the first two: dumps of HTTP have those.
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

/// Returns the index of a field in the list of mail and news; `None` if it is not listed.
///
/// A name in small letters is not accepted: data and code write `from:` and `date:` too. A mailer
/// that writes these has `Message-Id` somewhere.
pub(crate) fn known(name: &[u8]) -> Option<usize> {
    let is_plain = name.iter().all(u8::is_ascii_lowercase);
    FIELDS.iter().position(|field| !is_plain && name.eq_ignore_ascii_case(field))
}
