//! Rules about the host.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use bstr::{BStr, ByteSlice};
use idna::punycode;
use unicode_script::UnicodeScript;
use unicode_security::{MixedScript, skeleton};

use super::finding::{Remark, Severity};
use super::inspected::{Inspected, LONGEST_LABEL, rootless};
use super::known::closed;
use super::quote::quoted;
use crate::bytes::rows::{self, table};
use crate::url::rough::reads_backslash;
use crate::url::{Scheme, escape};

fn note(url: &Inspected<'_>, message: String) -> Option<Remark> {
    Some(Remark::new(url.range(url.host()?), message))
}

/// Reports a URL in which RFC 1738 and RFC 3986 find different hosts (A-DIVERGE). The host of a
/// news article is part of its id, so only A-NEWS-SERVER reports it.
pub(super) fn diverge(url: &Inspected<'_>) -> Option<Remark> {
    let old = url.parsed().as_ref().ok().filter(|url| url.scheme() != Scheme::News)?.host()?;
    let new = url.generic()?.host?;
    if old.eq_ignore_ascii_case(new) {
        return None;
    }
    let message = format!("RFC 1738 reads the host `{}`, RFC 3986 and browsers `{}`", quoted(old), quoted(new));
    Some(Remark::new(url.range(old), message))
}

/// Reports a backslash that browsers read as a slash (A-BACKSLASH).
pub(super) fn backslash(url: &Inspected<'_>) -> Option<Remark> {
    let scheme = url.rough.scheme.filter(|scheme| reads_backslash(scheme))?;
    let authority = url.rough.authority?;
    let start = scheme.len() + 1;
    // The byte that ends the authority for a browser may be a backslash, too.
    let end = url.raw.len().min(url.range(authority).end + 1);
    let is_quoted = |at: usize| is_escape(&url.raw[at + 1..]) && memchr::memchr(b'@', &url.raw[at..]).is_none();
    let at = memchr::memchr_iter(b'\\', &url.raw[start..end]).map(|at| start + at).find(|&at| !is_quoted(at))?;
    let host = quoted(url.rough.host.unwrap_or_default());
    Some(Remark::new(at..at + 1, format!("browsers read `\\` as `/` and go to `{host}`")))
}

/// Returns whether a backslash begins an escape sequence of a program. JSON writes `\n` for a line
/// break in a string, and a regular expression writes `\.` for a dot.
fn is_escape(rest: &[u8]) -> bool {
    match rest {
        [b'n' | b'r' | b't' | b'"' | b'.' | b'-', ..] => true,
        [b'u', hex @ ..] => hex.first_chunk::<4>().is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        _ => false,
    }
}

/// An IPv4 address as written. Most software accepts one to four groups of digits.
struct Ipv4<'n> {
    all: [&'n [u8]; 4],
    count: usize,
}

impl<'n> Ipv4<'n> {
    fn new(name: &'n [u8]) -> Option<Ipv4<'n>> {
        // Nearly every host is a name, and five rules call this function.
        if !name.first()?.is_ascii_digit() {
            return None;
        }
        let is_number = |group: &[u8]| match group {
            [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
            digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        };
        let mut address = Ipv4 { all: [b""; 4], count: 0 };
        for group in name.split(|&byte| byte == b'.') {
            *address.all.get_mut(address.count).filter(|_| is_number(group))? = group;
            address.count += 1;
        }
        Some(address)
    }

    fn groups(&self) -> &[&'n [u8]] {
        &self.all[..self.count]
    }

    /// Returns whether the address is a `hostnumber` of RFC 1738.
    fn is_dotted(&self) -> bool {
        self.count == 4 && self.groups().iter().all(|group| group.iter().all(u8::is_ascii_digit))
    }

    /// Returns the address by RFC 1738: four decimal groups.
    fn decimal(&self) -> Option<Ipv4Addr> {
        let groups: Option<Vec<u8>> = self.groups().iter().map(|group| number(group, 10)?.try_into().ok()).collect();
        <[u8; 4]>::try_from(groups?).ok().map(Ipv4Addr::from)
    }

    /// Returns the address as `inet_aton` and browsers read it. `0x` begins a hexadecimal group, and
    /// `0` an octal group. The last group fills the remaining bytes.
    fn lenient(&self) -> Option<Ipv4Addr> {
        let value = |group: &[u8]| match group {
            [b'0', b'x' | b'X', digits @ ..] => number(digits, 16),
            [b'0', digits @ ..] => number(digits, 8),
            digits => number(digits, 10),
        };
        let (last, firsts) = self.groups().split_last()?;
        let mut address = value(last)?;
        if address >= 1 << (8 * (4 - firsts.len())) {
            return None;
        }
        for (at, group) in firsts.iter().enumerate() {
            address |= value(group).filter(|&group| group < 256)? << (8 * (3 - at));
        }
        u32::try_from(address).ok().map(Ipv4Addr::from)
    }
}

/// Returns the value of digits. Without digits, as in `0x`, the value is 0. Returns `None` if a
/// byte is not a digit, or if the value needs more than 32 bits.
fn number(digits: &[u8], radix: u32) -> Option<u64> {
    digits.iter().try_fold(0u64, |value, &digit| {
        let value = value * u64::from(radix) + u64::from(char::from(digit).to_digit(radix)?);
        (value <= u64::from(u32::MAX)).then_some(value)
    })
}

/// Parses an IPv6 address in brackets (RFC 3986). A zone is ignored.
fn ipv6(name: &[u8]) -> Option<Ipv6Addr> {
    let literal = name.strip_prefix(b"[")?.strip_suffix(b"]")?;
    literal.split_str("%").next()?.to_str().ok()?.parse().ok()
}

/// Reports an IP address as the host (A-IP-LITERAL).
pub(super) fn ip_literal(url: &Inspected<'_>) -> Option<Remark> {
    let name = url.name.as_deref()?;
    if ipv6(name).is_none() && !Ipv4::new(name).is_some_and(|address| address.is_dotted()) {
        return None;
    }
    let remark = note(url, url.tell(|| format!("`{}` is an address, not a name", quoted(name))))?;
    // A-IP-LOCAL reports more about a local address. An address for documentation belongs to nobody. So
    // both are mild here.
    let v4 = || Ipv4::new(name)?.decimal().map(IpAddr::V4);
    let address = ipv6(name).map(IpAddr::V6).or_else(v4);
    let is_mild = address.is_some_and(|address| local(address).is_some() || is_documentation(address));
    Some(Remark { severity: is_mild.then_some(Severity::Info), ..remark })
}

/// Returns true for an address that documents use in examples: RFC 5737, RFC 3849, and `1.2.3.4`.
fn is_documentation(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_documentation() || v4.octets() == [1, 2, 3, 4],
        IpAddr::V6(v6) => v6.segments()[..2] == [0x2001, 0xDB8],
    }
}

/// Reports the first wrong group of an IPv4 address of four decimal groups. `wrong` returns the
/// message.
fn group(url: &Inspected<'_>, wrong: fn(&[u8]) -> Option<String>) -> Option<Remark> {
    let name = url.name.as_deref()?;
    let address = Ipv4::new(name).filter(Ipv4::is_dotted)?;
    note(url, address.groups().iter().find_map(|group| wrong(group))?)
}

/// Reports a group above 255 (A-IP-RANGE).
pub(super) fn ip_range(url: &Inspected<'_>) -> Option<Remark> {
    // An octal group may have more digits, and is left to A-IP-OCTAL.
    let is_octal = |group: &&[u8]| group.len() > 1 && group.starts_with(b"0");
    if Ipv4::new(url.name.as_deref()?).is_some_and(|address| address.groups().iter().any(is_octal)) {
        return None;
    }
    group(url, |group| {
        let is_large = number(group, 10).is_none_or(|value| value > 255);
        is_large.then(|| format!("the group {} is above 255", quoted(group)))
    })
}

/// Reports a group with a leading zero (A-IP-OCTAL).
pub(super) fn ip_octal(url: &Inspected<'_>) -> Option<Remark> {
    group(url, |group| {
        let digits = group.strip_prefix(b"0").filter(|digits| !digits.is_empty())?;
        let decimal = quoted(digits.trim_start_with(|c| c == '0'));
        Some(match number(digits, 8) {
            Some(octal) => format!("the group {} is {decimal} in decimal, and {octal} in octal", quoted(group)),
            None => format!("the group {} has a leading zero, but is not an octal number", quoted(group)),
        })
    })
}

/// Reports a local or private address (A-IP-LOCAL). An ambiguous address is reported if one of its
/// readings is local.
pub(super) fn ip_local(url: &Inspected<'_>) -> Option<Remark> {
    if url.scheme == Scheme::File {
        return None;
    }
    let name = url.name.as_deref()?;
    // RFC 6761 section 6.3
    if name.rsplit(|&byte| byte == b'.').next()?.eq_ignore_ascii_case(b"localhost") {
        let remark = note(url, format!("`{}` is the reader's own machine", quoted(name)))?;
        return Some(Remark { severity: Some(Severity::Info), ..remark });
    }
    let ipv4 = Ipv4::new(name);
    let readings = [
        ipv4.as_ref().and_then(Ipv4::decimal).map(IpAddr::V4),
        ipv4.as_ref().and_then(Ipv4::lenient).map(IpAddr::V4),
        ipv6(name).map(IpAddr::V6),
    ];
    let (address, what) = readings.into_iter().flatten().find_map(|address| Some((address, local(address)?)))?;
    let plain = match address {
        IpAddr::V4(v4) => v4.to_string(),
        IpAddr::V6(v6) => format!("[{v6}]"),
    };
    let is_plain = *name == *plain;
    // An author who writes the loopback address plainly means it. Any other notation is probably meant
    // to evade a filter.
    let is_own = is_plain && address.is_loopback();
    let address = if is_plain { plain } else { format!("{} ({plain})", quoted(name)) };
    let remark = note(url, format!("{address} is {what}"))?;
    Some(Remark { severity: is_own.then_some(Severity::Info), ..remark })
}

/// Describes a local or private address. Returns `None` for any other address.
fn local(address: IpAddr) -> Option<&'static str> {
    const MACHINE: &str = "the reader's own machine";
    const UNSPECIFIED: &str = "not an address; many systems treat it as the reader's own machine";
    const PRIVATE: &str = "an address of a private network";
    match address {
        IpAddr::V4(v4) if v4.octets() == [169, 254, 169, 254] => {
            Some("the link-local address of the cloud metadata service, which serves credentials")
        }
        IpAddr::V4(v4) if v4.is_loopback() => Some(MACHINE),
        IpAddr::V4(v4) if v4.is_unspecified() => Some(UNSPECIFIED),
        IpAddr::V4(v4) if v4.is_private() => Some(PRIVATE),
        IpAddr::V4(v4) if v4.is_link_local() => Some("a link-local address"),
        IpAddr::V4(_) => None,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => local(IpAddr::V4(v4)),
            None if v6.is_loopback() => Some(MACHINE),
            None if v6.is_unspecified() => Some(UNSPECIFIED),
            None if v6.is_unique_local() => Some(PRIVATE),
            None if v6.is_unicast_link_local() => Some("a link-local address"),
            None => None,
        },
    }
}

/// Reports an IPv4 address in a form other than four decimal groups (A-IP-ODD).
pub(super) fn ip_odd(url: &Inspected<'_>) -> Option<Remark> {
    // In other schemes a number need not be an address: `vnc://7`.
    let is_scheme = matches!(url.scheme, Scheme::Http | Scheme::Ftp | Scheme::Gopher);
    let name = url.name.as_deref()?;
    let address = Ipv4::new(name).filter(|address| !address.is_dotted())?;
    if !is_scheme && !["https", "ws", "wss"].iter().any(|name| url.has_scheme(name)) {
        return None;
    }
    let who = if url.rough.scheme.is_some_and(reads_backslash) { "browsers read" } else { "some software reads" };
    let message = || match address.lenient() {
        Some(plain) => format!("{who} `{}` as {plain}", quoted(name)),
        None => format!("`{}` is all digits, but not an address", quoted(name)),
    };
    note(url, url.tell(message))
}

/// Returns a name that people read: the host, or the domain of a mail address. Findings point at
/// the first item, a slice of the URL.
fn shown_name<'i>(url: &'i Inspected<'_>) -> Option<(&'i [u8], Cow<'i, BStr>)> {
    if let Some(host) = url.host() {
        return Some((host, Cow::Borrowed(url.name.as_deref()?)));
    }
    let address = url.address()?;
    let decoded = escape::decode(address);
    let at = decoded.rfind_byte(b'@')?;
    Some((address, rootless(Cow::Owned(decoded[at + 1..].into()))))
}

/// Decodes a punycode label. Decoding takes quadratic time, so a text too long for a label is
/// skipped.
fn decoded_label(label: &str) -> Option<String> {
    let (mark, code) = label.split_at_checked(4)?;
    if mark.eq_ignore_ascii_case("xn--") && label.len() <= LONGEST_LABEL {
        punycode::decode_to_string(code)
    } else {
        None
    }
}

/// The most bytes that a name may have as text. It then has 255 octets in a packet, the limit of
/// RFC 1035 section 2.3.4.
const LONGEST_NAME: usize = 253;

/// The separators of labels in a name that people type (RFC 3490 section 3.1).
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{FF0E}', '\u{FF61}'];

/// Returns true if a name may hold or encode non-ASCII characters. Few names do.
fn is_international(name: &[u8]) -> bool {
    !name.is_ascii() || memchr::memmem::find(name, b"--").is_some()
}

/// Reports a label in punycode (A-IDN-PUNY).
pub(super) fn idn_puny(url: &Inspected<'_>) -> Option<Remark> {
    let (at, name) = shown_name(url)?;
    if !is_international(&name) {
        return None;
    }
    let name = name.to_str_lossy();
    let label = name.split(DOTS).find(|label| label.get(..4).is_some_and(|mark| mark.eq_ignore_ascii_case("xn--")))?;
    let message = || match decoded_label(label) {
        Some(decoded) => format!("`{}` is shown as `{}`", quoted(label.as_bytes()), quoted(decoded.as_bytes())),
        None => format!("`{}` is not valid punycode", quoted(label.as_bytes())),
    };
    Some(Remark::new(url.range(at), url.tell(message)))
}

/// The names that phishers imitate most.
const IMITATED: &[&str] = &table!("known/imitated.txt", rows::word);

/// Reports a label that mixes scripts or imitates Latin (A-IDN-MIXED).
///
/// It is critical if a label looks like a name that phishers imitate.
///
/// The script sets of Unicode Technical Standard 39 section 5.1 decide what is mixed: Japanese may
/// mix its three scripts. The skeletons of section 4 show whether a label of one other script looks
/// like ASCII letters. Such a label deceives nobody below a non-ASCII top-level domain.
pub(super) fn idn_mixed(url: &Inspected<'_>) -> Option<Remark> {
    let (at, name) = shown_name(url)?;
    if !is_international(&name) {
        return None;
    }
    let name = name.to_str().ok()?;
    let is_below_ascii = || {
        let top = name.rsplit(DOTS).next().unwrap_or_default();
        decoded_label(top).is_none() && top.is_ascii()
    };
    let severity = || imitates_known(name).then_some(Severity::Critical);
    name.split(DOTS).find_map(|label| {
        let label = decoded_label(label).map_or(Cow::Borrowed(label), Cow::Owned);
        if label.is_ascii() {
            return None;
        }
        if label.is_single_script() {
            let (script, skeleton) = looks_latin(&label).filter(|_| is_below_ascii())?;
            let message =
                format!("`{}` is {script}, and looks like `{}`", quoted(label.as_bytes()), quoted(skeleton.as_bytes()));
            return Some(Remark { severity: severity(), ..Remark::new(url.range(at), message) });
        }
        let message = || {
            let mut scripts: Vec<_> = label.chars().map(|c| c.script()).filter(|script| is_script(*script)).collect();
            scripts.sort_by_key(|script| script.full_name());
            scripts.dedup();
            let scripts: Vec<_> = scripts.into_iter().map(|script| script.full_name()).collect();
            format!("`{}` mixes {}", quoted(label.as_bytes()), scripts.join(" and "))
        };
        Some(Remark { severity: severity(), ..Remark::new(url.range(at), url.tell(message)) })
    })
}

/// Returns whether a label of a name looks like one of [`IMITATED`].
fn imitates_known(name: &str) -> bool {
    let looks = |label: &str| skeleton(label).collect::<String>();
    let labels: Vec<_> = name.split(DOTS).map(|label| looks(&decoded_label(label).unwrap_or(label.into()))).collect();
    IMITATED.iter().any(|known| labels.contains(&looks(known)))
}

/// Reports a label that IDNA maps to ASCII or refuses (A-IDNA).
///
/// The mapping follows Unicode Technical Standard 46, as in browsers. IDNA 2008 (RFC 5892) refuses
/// symbols. The ideographic full stop and the like only separate labels.
pub(super) fn idna(url: &Inspected<'_>) -> Option<Remark> {
    let (at, name) = shown_name(url)?;
    // No name server holds a longer name, and the mapping costs time for each character.
    if name.is_ascii() || name.chars().take(LONGEST_NAME + 1).count() > LONGEST_NAME {
        return None;
    }
    let name = name.to_str().ok()?;
    name.split(DOTS).filter(|label| !label.is_ascii()).find_map(|label| {
        let shown = || quoted(label.as_bytes()).into_owned();
        let message = match idna::domain_to_ascii(label) {
            Ok(mapped) if !mapped.starts_with("xn--") => match mapped.is_empty() {
                true => format!("browsers ignore all of `{}`", shown()),
                false => format!("browsers read `{}` as `{}`", shown(), quoted(mapped.as_bytes())),
            },
            Err(_) => format!("IDNA does not allow the name `{}`", shown()),
            Ok(_) => {
                let symbol = label.chars().find(|&c| is_symbol(c))?;
                format!("`{}` holds U+{:04X}, which IDNA 2008 refuses", shown(), u32::from(symbol))
            }
        };
        Some(Remark::new(url.range(at), message))
    })
}

/// Returns whether a character is a symbol, such as an emoji. A symbol is not ASCII, has no script,
/// and is neither a letter nor a digit. IDNA 2008 allows the middle dots of Catalan and of
/// Katakana.
fn is_symbol(c: char) -> bool {
    let is_unscripted = c.script() == unicode_script::Script::Common;
    !c.is_ascii() && is_unscripted && !c.is_alphanumeric() && !matches!(c, '\u{B7}' | '\u{30FB}')
}

/// Returns the non-Latin script of a label, and the ASCII letters that the label imitates.
fn looks_latin(label: &str) -> Option<(&'static str, String)> {
    let script = label.chars().map(|c| c.script()).find(|&script| is_script(script))?;
    let skeleton: String = skeleton(label).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (script != unicode_script::Script::Latin && skeleton.chars().all(is_plain)).then(|| (script.full_name(), skeleton))
}

fn is_script(script: unicode_script::Script) -> bool {
    !matches!(script, unicode_script::Script::Common | unicode_script::Script::Inherited)
}

/// Reports the host of a service that closed (A-CLOSED).
pub(super) fn closed(url: &Inspected<'_>) -> Option<Remark> {
    let service = closed::find(url.name.as_deref()?, url.rough.path)?;
    let message = || {
        let when = if service.year == 0 { String::new() } else { format!(" in {}", service.year) };
        match service.successor {
            "" => format!("`{}` closed{when}", service.host),
            successor => format!("`{}` closed{when}; its successor is `{successor}`", service.host),
        }
    };
    note(url, url.tell(message))
}

/// Reports upper case in scheme or host (A-CASE).
pub(super) fn case(url: &Inspected<'_>) -> Option<Remark> {
    let is_upper = |text: &[u8]| text.iter().any(u8::is_ascii_uppercase);
    let scheme = url.rough.scheme.filter(|scheme| is_upper(scheme));
    let host = url.host().filter(|host| is_upper(&escape::decode(host)));
    let text = scheme.or(host)?;
    let message = format!("`{}` is the same as `{}`", quoted(text), quoted(&text.to_ascii_lowercase()));
    Some(Remark::new(url.range(text), message))
}

/// Reports a label or a host that is too long for DNS (A-DNS-LEN). In a non-ASCII label or host the
/// characters are counted, because punycode has at least as many bytes.
pub(super) fn dns_len(url: &Inspected<'_>) -> Option<Remark> {
    let (at, name) = shown_name(url)?;
    if name.len() <= LONGEST_LABEL || name.starts_with(b"[") {
        return None;
    }
    let length = |text: &[u8]| if text.is_ascii() { text.len() } else { text.chars().count() };
    let message = match name.split(|&byte| byte == b'.').find(|label| length(label) > LONGEST_LABEL) {
        Some(label) => format!("a label of {} bytes; at most {LONGEST_LABEL} are possible", length(label)),
        None if length(&name) > LONGEST_NAME => {
            format!("a host of {} bytes; at most {LONGEST_NAME} are possible", length(&name))
        }
        None => return None,
    };
    Some(Remark::new(url.range(at), message))
}
