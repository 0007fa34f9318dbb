//! The steps of a client that opens a URL: which server it connects to, and what it sends there.
//!
//! RFC 1738 defines most of its schemes by these steps. For http, https and mailto, the steps are
//! what current software does, by RFC 9110 and RFC 6068. Other schemes have no steps.

use bstr::{BStr, BString, ByteSlice};
use urlgrep::Url;
use urlgrep::url::{Ftp, Generic, Gopher, News, NewsForm, Nntp, Parts, Prospero, Scheme, Wais, WaisForm, decode};

/// Returns the steps of a client: phrases whose subject is the client. The list is empty if the
/// scheme has no steps.
///
/// Arguments are decoded, so a step can hold any bytes. Passwords are not masked.
pub(crate) fn steps(parsed: Option<&Url<'_>>, generic: Option<&Generic<'_>>) -> Vec<BString> {
    match parsed.map(Url::parts) {
        Some(Parts::Ftp(ftp)) => of_ftp(ftp),
        Some(Parts::Gopher(gopher)) => of_gopher(gopher),
        Some(Parts::News(news)) => of_news(news),
        Some(Parts::Nntp(nntp)) => of_nntp(nntp),
        Some(Parts::Telnet(telnet)) => of_telnet(&telnet.url()),
        Some(Parts::Wais(wais)) => of_wais(wais),
        Some(Parts::Prospero(prospero)) => of_prospero(prospero),
        Some(Parts::File(file)) if file.is_local() => {
            vec![step(
                ["opens a file on this machine, by its path segments: ", ""],
                bstr::join(", ", file.segments().map(|name| name.into_owned())),
            )]
        }
        Some(Parts::File(file)) => vec![step(["has no protocol to fetch the file from ", ""], file.host())],
        _ => generic.map(of_generic).unwrap_or_default(),
    }
}

/// Returns a step: words of this module around bytes of the URL.
fn step([before, after]: [&str; 2], bytes: impl AsRef<[u8]>) -> BString {
    [before.as_bytes(), bytes.as_ref(), after.as_bytes()].concat().into()
}

fn sends(verb: &str, argument: &[u8]) -> BString {
    step(["sends ", ""], [verb.as_bytes(), argument].join(&b' '))
}

/// Returns the step that connects, and the steps that `then` appends. Without a valid port, the
/// only step is an error.
fn connected(host: Option<&BStr>, port: Option<u16>, then: impl FnOnce(&mut Vec<BString>)) -> Vec<BString> {
    let host = host.unwrap_or_default();
    let Some(port) = port.filter(|&port| port != 0) else {
        return vec![step(["cannot connect to ", ": there is no such port"], host)];
    };
    let mut steps = vec![step(["connects to ", &format!(", port {port}")], host)];
    then(&mut steps);
    steps
}

fn at_site(url: &Url<'_>, then: impl FnOnce(&mut Vec<BString>)) -> Vec<BString> {
    connected(url.host(), url.port_effective(), then)
}

/// Returns the steps of FTP (S-FTP-1 to S-FTP-6).
fn of_ftp(ftp: Ftp<'_>) -> Vec<BString> {
    let url = ftp.url();
    at_site(&url, |steps| {
        let Some(commands) = ftp.commands() else {
            steps.push("sends no command: an argument contains a line end".into());
            return;
        };
        match (url.user(), url.password()) {
            (None, _) => steps.extend(["sends USER anonymous".into(), "sends PASS and your mail address".into()]),
            (Some(user), Some(password)) => {
                steps.extend([sends("USER", &decode(user)), sends("PASS", &decode(password))]);
            }
            (Some(user), None) => {
                let user = decode(user);
                steps.extend([sends("USER", &user), step(["asks ", " for the password"], &*user)]);
            }
        }
        steps.extend(commands.into_iter().map(|command| step(["sends ", ""], command)));
        if ftp.typecode().is_none() && !ftp.is_directory() {
            // The type must be chosen before the last command, the RETR.
            steps.insert(steps.len() - 1, "chooses TYPE A or TYPE I by the file name".into());
        }
        if ftp.name().is_none_or(|name| name.is_empty()) && ftp.typecode().is_none() {
            steps.push("lists the folder".into());
        }
    })
}

/// Returns the steps of Gopher (S-GOPHER-2).
fn of_gopher(gopher: Gopher<'_>) -> Vec<BString> {
    at_site(&gopher.url(), |steps| {
        steps.push(step(["sends the line ", ""], gopher.request()));
        let gtype = gopher.gtype_effective();
        let what = match gtype {
            b'0' => "a text file",
            b'1' => "a menu",
            b'2' => "a phone book (CSO)",
            b'3' => "an error",
            b'4' => "a BinHex file",
            b'5' => "a DOS archive",
            b'6' => "a uuencoded file",
            b'7' => "a menu of search results",
            b'8' => "a telnet session",
            b'9' => "a binary file",
            b'T' => "a tn3270 session",
            b'g' => "a GIF image",
            b'h' => "an HTML page",
            b'I' => "an image",
            _ => "something of an unknown type",
        };
        steps.push(step([&format!("expects {what} (type "), ")"], [gtype]));
    })
}

/// Returns the steps of news (S-NEWS-1).
fn of_news(news: News<'_>) -> Vec<BString> {
    let command = match news.form() {
        NewsForm::All => "sends LIST".into(),
        NewsForm::Group => sends("GROUP", news.group().unwrap_or_default()),
        _ => sends("ARTICLE", &news.message_id().unwrap_or_default()),
    };
    vec!["connects to its user's news server".into(), command]
}

/// Returns the steps of NNTP (S-NNTP-1).
fn of_nntp(nntp: Nntp<'_>) -> Vec<BString> {
    at_site(&nntp.url(), |steps| {
        steps.push(sends("GROUP", nntp.group()));
        steps.extend(nntp.number().map(|number| sends("ARTICLE", number)));
    })
}

/// Returns the steps of telnet (S-TELNET-1).
fn of_telnet(url: &Url<'_>) -> Vec<BString> {
    at_site(url, |steps| {
        steps.extend(url.user().map(|user| step(["tells its user to log in as ", ""], &*decode(user))));
        steps.extend(url.password().map(|password| step(["with the password ", ""], &*decode(password))));
        steps.push("hands the session to its user".into());
    })
}

/// Returns the steps of WAIS (S-WAIS-1).
fn of_wais(wais: Wais<'_>) -> Vec<BString> {
    at_site(&wais.url(), |steps| {
        let database = decode(wais.database());
        steps.push(step(["opens the database ", ""], &*database));
        match wais.form() {
            WaisForm::Database => {}
            WaisForm::Index => steps.push(step(["searches it for ", ""], &*decode(wais.search().unwrap_or_default()))),
            _ => {
                steps.push(step(["fetches the document ", ""], &*decode(wais.wpath().unwrap_or_default())));
                steps.push(step(["expects the type ", ""], &*decode(wais.wtype().unwrap_or_default())));
            }
        }
    })
}

/// Returns the steps of Prospero (S-PROSPERO-1).
fn of_prospero(prospero: Prospero<'_>) -> Vec<BString> {
    at_site(&prospero.url(), |steps| {
        steps.push(step(["requests the object ", ""], &*prospero.hsoname()));
        for (name, value) in prospero.fields() {
            steps.push(step(
                ["with the field ", ""],
                bstr::join("=", [decode(name).as_bytes(), decode(value).as_bytes()]),
            ));
        }
    })
}

/// Returns the steps of http, https and mailto. Other schemes have none.
fn of_generic(generic: &Generic<'_>) -> Vec<BString> {
    match Scheme::from_bytes(generic.scheme) {
        Scheme::Http => of_http(generic, 80),
        Scheme::Https => of_http(generic, 443),
        Scheme::Mailto => of_mailto(generic),
        _ => Vec::new(),
    }
}

/// Returns the steps of http and https (RFC 9110 sections 4.2 and 7.1, and RFC 9112 section 3.2).
/// Non-ASCII characters are sent percent-encoded (RFC 3987 section 3.1).
fn of_http(generic: &Generic<'_>, usual: u16) -> Vec<BString> {
    // An empty port stands for the default one (RFC 3986 section 3.2.3).
    let written = generic.port.filter(|port| !port.is_empty());
    let port = written.map_or(Some(usual), |port| port.to_str().ok()?.parse().ok());
    connected(generic.host, port, |steps| {
        if usual == 443 {
            steps.push("starts TLS, and checks that the server's certificate names the host".into());
        }
        let mut target = Vec::new();
        push_ascii(if generic.path.is_empty() { b"/" } else { generic.path }, &mut target);
        if let Some(query) = generic.query {
            target.push(b'?');
            push_ascii(query, &mut target);
        }
        steps.push(sends("GET", &target));
    })
}

fn push_ascii(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte.is_ascii() {
            true => out.push(byte),
            false => out.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
}

/// Returns the steps of mailto (RFC 6068).
fn of_mailto(generic: &Generic<'_>) -> Vec<BString> {
    let mut steps = vec![step(["opens a new mail to ", ""], &*decode(generic.path))];
    for field in generic.query.iter().flat_map(|query| query.split_str("&")) {
        let (name, value) = field.split_once_str("=").unwrap_or((field, b""));
        let field =
            decode(name).iter().copied().chain(*b": ").chain(decode(value).iter().copied()).collect::<Vec<u8>>();
        steps.push(step(["fills in ", ""], field));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme() {
        let anonymous = "sends USER anonymous|sends PASS and your mail address";
        for (url, expected) in [
            ("ftp://h", &*format!("connects to h, port 21|{anonymous}|lists the folder")),
            ("ftp://h/a/", &format!("connects to h, port 21|{anonymous}|sends CWD a|lists the folder")),
            (
                "ftp://h/a/b",
                &format!(
                    "connects to h, port 21|{anonymous}|sends CWD a|chooses TYPE A or TYPE I by the file name|sends RETR b"
                ),
            ),
            ("ftp://h/a;type=d", &format!("connects to h, port 21|{anonymous}|sends NLST a")),
            (
                "ftp://u%40:p%3A@h/a;type=I",
                "connects to h, port 21|sends USER u@|sends PASS p:|sends TYPE I|sends RETR a",
            ),
            ("ftp://u@h:2121", "connects to h, port 2121|sends USER u|asks u for the password|lists the folder"),
            ("ftp://h/a%0Ab", "connects to h, port 21|sends no command: an argument contains a line end"),
            ("ftp://h:0/", "cannot connect to h: there is no such port"),
            ("http://H:8080", "connects to H, port 8080|sends GET /"),
            ("http://h/a%20b?c#d", "connects to h, port 80|sends GET /a%20b?c"),
            ("http://u@[::1]:/é?ü", "connects to [::1], port 80|sends GET /%C3%A9?%C3%BC"),
            ("http://h:65536/", "cannot connect to h: there is no such port"),
            (
                "https://h/?",
                "connects to h, port 443|starts TLS, and checks that the server's certificate names the host|sends GET /?",
            ),
            ("gopher://h", "connects to h, port 70|sends the line \r\n|expects a menu (type 1)"),
            (
                "gopher://h/7s%09q",
                "connects to h, port 70|sends the line s\tq\r\n|expects a menu of search results (type 7)",
            ),
            (
                "gopher://h/xs",
                "connects to h, port 70|sends the line s\r\n|expects something of an unknown type (type x)",
            ),
            ("mailto:a%40b", "opens a new mail to a@b"),
            ("mailto:a@b?Subject=x%20y&z", "opens a new mail to a@b|fills in Subject: x y|fills in z: "),
            ("news:*", "connects to its user's news server|sends LIST"),
            ("news:a.b", "connects to its user's news server|sends GROUP a.b"),
            ("news:a%2Fb@h", "connects to its user's news server|sends ARTICLE <a/b@h>"),
            ("nntp://h/a.b", "connects to h, port 119|sends GROUP a.b"),
            ("nntp://h/a.b/7", "connects to h, port 119|sends GROUP a.b|sends ARTICLE 7"),
            ("telnet://h:24/", "connects to h, port 24|hands the session to its user"),
            (
                "telnet://u:p@h",
                "connects to h, port 23|tells its user to log in as u|with the password p|hands the session to its user",
            ),
            ("wais://h/d", "connects to h, port 210|opens the database d"),
            ("wais://h/d?a%20b", "connects to h, port 210|opens the database d|searches it for a b"),
            (
                "wais://h/d/T/1%3D2",
                "connects to h, port 210|opens the database d|fetches the document 1=2|expects the type T",
            ),
            ("file:///a/b%20c", "opens a file on this machine, by its path segments: a, b c"),
            ("file://h/a", "has no protocol to fetch the file from h"),
            ("prospero://h/a%3B;b=%3D", "connects to h, port 1525|requests the object a;|with the field b=="),
            ("urn:x:y", ""),
            ("http://h/{", ""),
        ] {
            let generic = Generic::parse(url.as_bytes());
            let steps = steps(Url::parse(url.as_bytes()).ok().as_ref(), generic.as_ref());
            assert_eq!(bstr::join("|", steps), expected.as_bytes(), "{url}");
        }
    }
}
