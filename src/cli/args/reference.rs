//! Sections of the man page that `--help` does not have: the inputs, the limits, the database.

use super::sections::HelpSection;

/// The sections that follow those of `urlgrep`.
pub(crate) const FIND_REFERENCE: &[HelpSection] = &[
    (
        "WHAT IS READ",
        &[
            (
                "by itself",
                "Text; mbox and its variants, Thunderbird's folders; maildir, MH, nnml, .eml; MMDF, Babyl (Rmail), Apple's .emlx, \
                 Dovecot's sdbox and mdbox; news spools, also in NNTP wire format, and batches (#! rnews); tar, nested up to three \
                 levels; HTML pages, by their first tag or by their name; PDF (links and strings), feeds and any other XML, calendars \
                 and cards; web archives (WARC, WET). All are recognised by content, from a file or a pipe",
            ),
            (
                "with -z",
                "gzip, zstd, bzip2, xz, lz4, compress (.Z), and compressed batches (#! cunbatch, #! gunbatch); zip, including \
                 office documents and e-books; .warc.gz and WACZ. An encrypted \
                 or damaged file in a zip is an error, and the other files are read. The text cells of an SQLite \
                 database, with the log beside it",
            ),
            ("Outlook", "readpst -o mail outlook.pst, then urlgrep mail; a .msg: msgconvert"),
            (
                "public-inbox",
                "git log --format=%H:m --reverse | git cat-file --batch='#! rnews %(objectsize)' | urlgrep",
            ),
            ("Slack", "jq -r '.[].text' export/*/*.json | urlgrep"),
            (
                "not",
                "7z, RAR, cabinets, LHA; .doc, .xls, .ppt; .msg, PST, DBX, MBX; git packs; INN's CNFS buffers; self-extracting zips; mozLz4; journals of \
                 systemd; PostScript; PEM; OneNote; TNEF. They are searched as bytes, with a note on standard error and a line in --stats",
            ),
        ],
    ),
    (
        "LIMITS",
        &[
            ("a wrapper", "8192 bytes and 32 lines"),
            ("a bare URL", "8192 bytes; a longer run is not a URL, and no other URL starts in its first 8192 bytes"),
            (
                "schemes",
                "Some 590 are found before '//'; --any-scheme accepts any word. Without '//', plain text has URLs \
                 of mailto:, news: and some forms such as tel:+..., sip:, magnet:?xt= and file:/x. A wrapper allows any \
                 scheme. A name without a scheme is found only with --www (www.example.com) or --names (bit.ly/x)",
            ),
            ("text", "Bytes in ASCII or a superset of it, and UTF-16"),
            (
                "mail",
                "Messages and parts have no maximum length. HTML of more than 1 MiB is read in windows. In a text of more than \
                 4 MiB, files in yEnc or uuencode are not decoded",
            ),
        ],
    ),
];

/// The sections that follow those of `urlgrep audit`.
pub(crate) const AUDIT_REFERENCE: &[HelpSection] = &[(
    "THE DATABASE",
    &[
        (
            "the next run",
            "It skips an unchanged file (same size, time of change, first and last 64 KiB). If a mailbox, news batch or \
             text has grown at its end, it reads the appended bytes, and the message or the 33 KiB before them. It reads \
             all other files from their start. It misses an edit in the middle of a file that has also grown",
        ),
        ("file, message", "The inputs: name, size; Message-ID, date, sender, subject"),
        ("place", "A place of a URL: file, message, offset, line, part, source, and the text before and after it"),
        ("link", "A distinct URL: count, messages, scheme, host, level, error, first and last date"),
        ("finding", "A rule and a URL: severity, count, message, first place"),
        (
            "links to a host",
            "sqlite3 lists.db \"SELECT m.date, m.sender, p.before || p.source || p.after FROM place p JOIN message m ON m.id = \
             p.message WHERE p.url LIKE 'ftp://ftp.example.org/%' ORDER BY m.date\"",
        ),
    ],
)];
