//! The host that the text of a link shows.

use bstr::ByteSlice;

use crate::bytes::limits::SURROUNDINGS;

/// Endings that make a name of two parts a host without more evidence. File names do not have them.
/// Country codes that are words (`it`, `be`, `in`, `us`) are excluded. The endings from `xyz` on
/// are a manual choice among the endings introduced after 2000.
const PLAIN_ENDINGS: [&str; 55] = [
    "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "arpa", "au", "br", "ca", "ch", "cn", "cz", "de",
    "dk", "es", "eu", "fi", "fr", "gr", "hu", "ie", "jp", "kr", "mx", "nl", "nz", "pt", "ru", "se", "tr", "tw", "uk",
    "ua", "za", "io", "xyz", "online", "site", "shop", "store", "cloud", "club", "top", "icu", "vip", "finance",
    "bank", "network", "agency", "email", "world",
];
/// Endings that file names also have. With these, a name of three parts is not enough.
const FILE_ENDINGS: [&str; 24] = [
    "ai", "as", "bz", "cc", "gz", "hs", "im", "js", "md", "mk", "ml", "mm", "mo", "pl", "pm", "ps", "py", "rs", "sh",
    "so", "st", "zip", "mov", "app",
];

/// Returns the host that a link's text shows, in lower case, without user, port and final dot. The
/// text must be only a URL or a host name.
///
/// The check is conservative. `Readme.txt`, `node.js`, `e.g.this`, `1.2.3`, `joe@bank.example` and
/// any text of two words show no host. Without `http://` or `www.`, a name needs a path after it or
/// an ending that file names lack.
pub(crate) fn shown_host(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let text =
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\''));
    let text = text.trim_end_matches(['.', ',', ';', ':', '!', '?', '…']);
    if text.is_empty() || text.contains(char::is_whitespace) {
        return None;
    }
    match after_scheme(text) {
        Some(rest) => {
            let authority = rest.split(['/', '\\', '?', '#']).next()?;
            let host = authority.rsplit('@').next()?;
            let host = without_port(host).trim_end_matches('.').to_lowercase();
            is_host(&host).then_some(host)
        }
        None => {
            let authority = text.split(['/', '?', '#']).next()?;
            let host = without_port(authority).trim_end_matches('.').to_lowercase();
            (is_name(&host) && is_evident(&host, text.len() > authority.len())).then_some(host)
        }
    }
}

/// Returns the word before a link in angle brackets, given the text before the link:
/// `bank.com <http://…>`. The word directly precedes the link, or ends the previous line if the
/// link begins its line. Mailers write the text of an HTML link in this form.
///
/// A word with a punctuation mark after it is rejected: it ends a sentence, or announces the link.
/// So is a word in angle brackets, because it is a link of its own.
pub(crate) fn word_before(text: &[u8]) -> Option<&[u8]> {
    let text = &text[text.len().saturating_sub(SURROUNDINGS)..];
    let line = text.rfind_byte(b'\n').map_or(0, |end| end + 1);
    // Quote marks of a reply are not text of the line.
    let is_begun = text[line..].iter().all(|byte| b" \t>".contains(byte));
    let text = if is_begun { text[..line].strip_suffix(b"\n")? } else { text };
    let text = text.trim_end_with(|c| matches!(c, ' ' | '\t' | '\r'));
    // A word that begins before the excerpt is incomplete, so it is rejected.
    let start = text.rfind_byteset(b" \t\r\n").map(|blank| blank + 1);
    let word = &text[start.or((text.len() < SURROUNDINGS).then_some(0))?..];
    let word = word.trim_with(|c| c == '*');
    let is_shown = !word.starts_with(b"<") && word.last().is_some_and(|byte| !b".,;:!?>".contains(byte));
    is_shown.then_some(word)
}

fn after_scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once("://")?;
    ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(rest)
}

fn without_port(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_host(host: &str) -> bool {
    let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    literal.map_or_else(|| is_name(host), |literal| literal.parse::<std::net::Ipv6Addr>().is_ok())
}

/// Returns whether a host consists of labels of letters, digits, hyphens and underscores.
fn is_name(host: &str) -> bool {
    host.split('.').all(|label| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    })
}

/// Returns whether a name without a scheme is evidently a host. Some endings are enough by
/// themselves. The other endings of the Public Suffix List need two parts before them, or a path.
fn is_evident(host: &str, has_path: bool) -> bool {
    let Some((rest, ending)) = host.rsplit_once('.') else { return false };
    if !ending.chars().all(char::is_alphabetic) && !ending.starts_with("xn--") {
        return false;
    }
    let parts = host.split('.').count();
    match rest.split('.').next() {
        Some("www") => parts > 2,
        _ if PLAIN_ENDINGS.contains(&ending) => true,
        // Short names before a path are mostly prose: `and.or/not`.
        _ if has_path && rest.len() > 3 => is_public(ending),
        _ => parts > 2 && is_public(ending) && !FILE_ENDINGS.contains(&ending),
    }
}

/// Returns whether names can be registered below an ending. Without the Public Suffix List, any
/// ending of two ASCII characters is treated as a country code.
fn is_public(ending: &str) -> bool {
    #[cfg(feature = "domain")]
    return psl::suffix(ending.as_bytes()).is_some_and(|suffix| suffix.is_known());
    #[cfg(not(feature = "domain"))]
    return ending.len() == 2 && ending.is_ascii();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (text, host) in [
            ("www.bank.example", "www.bank.example"),
            ("WWW.Bank.Example.", "www.bank.example"),
            ("https://bank.example/login", "bank.example"),
            ("http://joe:secret@Bank.example:8080/x", "bank.example"),
            ("http://bank.example@evil.example/", "evil.example"),
            ("http://bank.example.:80", "bank.example"),
            ("http://bank.example\\@x", "bank.example"),
            ("HTTP://intranet/x", "intranet"),
            ("http://[2001:DB8::1]:80/", "[2001:db8::1]"),
            ("http://192.0.2.1/", "192.0.2.1"),
            ("ftp://ftp.bank.example", "ftp.bank.example"),
            ("<http://bank.example/>", "bank.example"),
            ("\u{a0} (bank.com) ", "bank.com"),
            ("bank.com/login?next=x.org", "bank.com"),
            ("bank.com:443", "bank.com"),
            ("bank.de", "bank.de"),
            ("bank.co.uk", "bank.co.uk"),
            ("mail.bank.it", "mail.bank.it"),
            ("www.bänk.example/x", "www.bänk.example"),
            ("www.bank.pl", "www.bank.pl"),
            ("bank.io", "bank.io"),
            ("login.bank.co", "login.bank.co"),
        ] {
            assert_eq!(shown_host(text.as_bytes()).as_deref(), Some(host), "{text:?}");
        }
    }

    #[test]
    fn no_hosts() {
        for text in [
            "",
            " ",
            "...",
            "Readme.txt",
            "README.md",
            "node.js",
            "ASP.NET Core",
            "e.g.this",
            "e.g.",
            "i.e",
            "main.rs",
            "lib.min.js",
            "foo.tar.gz",
            "1.2.3",
            "192.0.2.1",
            "v2.0",
            "joe@bank.example",
            "joe@bank.com",
            "mailto:joe@bank.com",
            "Click here",
            "www.bank.example now",
            "www.",
            "www.bank",
            "see http://bank.example/",
            "http://",
            "http:///x",
            "http://a..b/",
            "http://[x]/",
            "http://ba<nk/",
            "urn:bank.com",
            "javascript://bank.com",
            "bank..com",
            "-bank.com",
            ".com",
            "do.it",
            "/path/bank.com",
            "12.30",
            "$1.com",
            "a.b/c",
            "and.or/not",
            "go.to/x",
            "package.zip",
        ] {
            assert_eq!(shown_host(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(shown_host(b"www.b\xffnk.example"), None);
    }

    #[test]
    fn words_before_a_link() {
        for (text, word) in [
            ("Log in at bank.com ", "bank.com"),
            ("bank.com", "bank.com"),
            ("x\n*bank.com* ", "bank.com"),
            ("x\nhttp://bank.com/a\n", "http://bank.com/a"),
            ("> http://bank.com/a \r\n> > ", "http://bank.com/a"),
        ] {
            assert_eq!(word_before(text.as_bytes()), Some(word.as_bytes()), "{text:?}");
        }
        let long = format!("http://bank.com/{}", "x".repeat(SURROUNDINGS));
        for text in
            ["", "bank.com\n\n", "bank.com: ", "We like bank.com. ", "<http://bank.com/> ", "<http://b/>,\n", &long]
        {
            assert_eq!(word_before(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    #[cfg(feature = "domain")]
    fn hosts_by_the_list() {
        for (text, host) in [
            ("grants.bank.xyz/apply", "grants.bank.xyz"),
            ("app.bank.dev", "app.bank.dev"),
            ("bank.travel/login", "bank.travel"),
            ("my.bank.museum", "my.bank.museum"),
            ("bank.app/login", "bank.app"),
            ("invoice.zip/open", "invoice.zip"),
        ] {
            assert_eq!(shown_host(text.as_bytes()).as_deref(), Some(host), "{text:?}");
        }
    }
}
