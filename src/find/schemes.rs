//! The scheme names: K, the list L, compounds and `x-` names (the specification, sections 7 and
//! 10).
//!
//! Scheme names are compared without regard to case, and never changed to lower case in place. The
//! text of a URL is reported as found (P-5).

use crate::bytes::class;
use crate::bytes::limits::SCHEME_BYTES;
pub(crate) use crate::url::scheme::is_k;
use crate::url::scheme::{K, LONGEST, key, key_of};

/// Returns whether a byte is a letter, a digit, `+`, `-` or `.` (G-SCHEME-1).
pub(crate) fn is_scheme_byte(b: u8) -> bool {
    class::SCHEME.contains(b)
}

/// The keys of the schemes that have their own rules (see [`key_of`]).
pub(crate) const MAILTO: u64 = key(b"mailto");
pub(crate) const NEWS: u64 = key(b"news");
pub(crate) const FILE: u64 = key(b"file");

/// Returns whether a scheme of K with `//` is `file`, whose host may be empty. Returns `None` if
/// the word is not such a scheme.
#[inline]
pub(crate) fn is_slashed_file(word: &[u8]) -> Option<bool> {
    let key = key_of(word);
    let row = K.iter().find(|row| row.key == key)?;
    row.has_slashes.then_some(key == FILE)
}

/// Returns whether a text ends in a scheme of K or B-OPAQUE, or in `url`, in upper or lower case.
/// `last_eight` holds the last eight bytes of the text like a [`key`], but in their own case. The
/// last byte of the text is the lowest byte.
///
/// All names are compared without a branch, because no branch could be predicted at a colon in
/// prose.
#[inline(always)]
pub(crate) fn ends_in_name(last_eight: u64) -> bool {
    const NAMES: [(u64, u64); K.len() + OPAQUE.len() + 1] = {
        let mut names = [(key(b"url"), 0xFF_FFFF); K.len() + OPAQUE.len() + 1];
        let mut i = 0;
        while i < K.len() {
            names[i] = (K[i].key, u64::MAX >> (64 - 8 * K[i].name.len()));
            i += 1;
        }
        while i < K.len() + OPAQUE.len() {
            let name = OPAQUE[i - K.len()].0.as_bytes();
            names[i] = (key(name), u64::MAX >> (64 - 8 * name.len()));
            i += 1;
        }
        names
    };
    let lower = last_eight | 0x2020_2020_2020_2020;
    NAMES.iter().fold(false, |ends, &(name, mask)| ends | ((lower ^ name) & mask == 0))
}

/// The form that a scheme other than mailto and news has without `//` (B-OPAQUE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpaqueForm {
    /// `?xt=…` or `?xt.…`
    Magnet,
    /// `+` and a number.
    Number,
    /// An address.
    Address,
    /// Two numbers.
    Place,
    /// A path.
    File,
}

/// The schemes that have an [`OpaqueForm`], except file. The vectors that find colons also need the
/// last letters of these names (`bytes::simd`).
const OPAQUE: [(&str, OpaqueForm); 8] = [
    ("magnet", OpaqueForm::Magnet),
    ("tel", OpaqueForm::Number),
    ("sms", OpaqueForm::Number),
    ("sip", OpaqueForm::Address),
    ("sips", OpaqueForm::Address),
    ("xmpp", OpaqueForm::Address),
    ("im", OpaqueForm::Address),
    ("geo", OpaqueForm::Place),
];

/// Returns the form that a scheme other than mailto and news has without `//` (B-OPAQUE).
pub(crate) fn opaque_form(word: &[u8]) -> Option<OpaqueForm> {
    match key_of(word) {
        FILE => Some(OpaqueForm::File),
        name => OPAQUE.iter().find(|(known, _)| key(known.as_bytes()) == name).map(|&(_, form)| form),
    }
}

/// Returns whether a word is mailto or news, the schemes of K without `//` (B-START-3).
pub(crate) fn is_opaque(word: &[u8]) -> bool {
    matches!(key_of(word), MAILTO | NEWS)
}

/// Returns whether `url` stands before a colon, in upper or lower case. `last_eight` is as in
/// [`ends_in_name`].
#[inline(always)]
pub(crate) fn is_url(last_eight: u64) -> bool {
    (last_eight | 0x2020_2020) & 0xFF_FFFF == const { key(b"url") }
}

/// Returns the length of the scheme mailto or news before a colon, and whether it is mailto.
/// `last_eight` is as in [`ends_in_name`].
#[inline(always)]
pub(crate) fn opaque_before_colon(last_eight: u64) -> Option<(usize, bool)> {
    let lower = last_eight | 0x2020_2020_2020_2020;
    if lower & 0xFFFF_FFFF == NEWS {
        return Some((4, false));
    }
    (lower & 0xFFFF_FFFF_FFFF == MAILTO).then_some((6, true))
}

/// Returns whether a name is recognised as a scheme before `//`, in any case. These names are:
///
/// - the [listed schemes](crate::known_schemes);
/// - `x-` names;
/// - compounds `a+b` with a recognised `b`.
///
/// # Examples
///
/// ```
/// use urlgrep::is_known_scheme;
///
/// assert!(is_known_scheme(b"https") && is_known_scheme(b"svn+ssh") && is_known_scheme(b"x-talk"));
/// assert!(!is_known_scheme(b"htp"));
/// ```
pub fn is_known(word: &[u8]) -> bool {
    if is_k(word) {
        return true;
    }
    if !is_letter_led_word(word) {
        return false;
    }
    if is_experimental(word) || is_listed(word) {
        return true;
    }
    // Only the last part of a compound matters, so the other parts are not checked.
    match word.iter().rposition(|&b| b == b'+') {
        Some(plus) => is_known_part(&word[plus + 1..]),
        None => false,
    }
}

/// Returns the schemes that are listed by name, in lower case. The schemes of RFC 1738 and https
/// come first.
///
/// Compounds (`svn+ssh`) and `x-` names are [recognised](crate::is_known_scheme) without being
/// listed. An extractor finds the URLs of recognised schemes, and of
/// [any scheme](crate::ExtractorBuilder::any_scheme) on demand.
///
/// # Examples
///
/// ```
/// assert!(urlgrep::known_schemes().any(|name| name == "gopher"));
/// assert!(urlgrep::known_schemes().all(|name| urlgrep::is_known_scheme(name.as_bytes())));
/// ```
pub fn known() -> impl Iterator<Item = &'static str> {
    K.iter().map(|row| row.name).chain(L.iter().copied())
}

/// Returns whether the last part of a compound is recognised. This part holds no `+`, so no
/// recursion is needed.
fn is_known_part(part: &[u8]) -> bool {
    is_k(part) || is_experimental(part) || is_listed(part)
}

/// Returns whether a word is an `x-` name.
fn is_experimental(word: &[u8]) -> bool {
    matches!(word, [b'x' | b'X', b'-', _, ..])
}

/// Returns whether `--any-scheme` accepts a word as a scheme before `://`. Such a word begins with
/// a letter, and has 2-32 bytes.
pub(crate) fn is_letter_led_word(word: &[u8]) -> bool {
    (2..=SCHEME_BYTES).contains(&word.len()) && word[0].is_ascii_alphabetic()
}

/// Returns the length of the longest scheme of K, except mailto and news, at the end of `run`
/// (B-START-1 d).
pub(crate) fn k_suffix(run: &[u8]) -> Option<usize> {
    let end = key(&run[run.len().saturating_sub(LONGEST)..]);
    K.iter().filter(|row| row.has_slashes && row.ends(end)).map(|row| row.name.len()).max()
}

/// Returns whether `text` begins with a scheme of K and `tail` (`:` or `://`).
#[inline]
pub(crate) fn starts_with_k<const N: usize>(text: &[u8], tail: &[u8; N]) -> bool {
    /// A bit for the first letter of each name.
    const FIRST_LETTERS: u32 = {
        let (mut letters, mut i) = (0, 0);
        while i < K.len() {
            letters |= 1 << (K[i].name.as_bytes()[0] & 31);
            i += 1;
        }
        letters
    };
    // Nearly every text fails at its first letter.
    if !text.first().is_some_and(|first| FIRST_LETTERS >> (first & 31) & 1 != 0 && first.is_ascii_alphabetic()) {
        return false;
    }
    let name = &text[..text.len().min(LONGEST + 1)];
    let letters = name.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(name.len());
    text[letters..].starts_with(tail) && is_k(&text[..letters])
}

/// Returns whether `text` ends in mailto or news.
pub(crate) fn ends_in_opaque(text: &[u8]) -> bool {
    opaque_before_colon(key(&text[text.len().saturating_sub(LONGEST)..])).is_some()
}

/// Returns whether a word is in L, without regard to case. Only names of the same [`pair`] are
/// compared, first by their [`beginning`]. The function runs for every URL with an unusual scheme.
/// Comparing bytes would cost 400 instructions, and a binary search of all names would cost 270.
fn is_listed(word: &[u8]) -> bool {
    let Some(pair) = pair(word) else { return false };
    let first = &word[..word.len().min(LONGEST)];
    let beginning = beginning(first.len(), key_of(first));
    let mut alike = (PAIRS[pair]..PAIRS[pair + 1]).filter(|&at| BEGINNINGS[at] == beginning);
    alike.any(|at| word.eq_ignore_ascii_case(L[at].as_bytes()))
}

/// Returns a number for the first two bytes of a name, if the first is a letter. The numbers are
/// ordered like the names. All second bytes that are not letters have the same number, before all
/// letters.
const fn pair(name: &[u8]) -> Option<usize> {
    match name {
        [first, second, ..] if first.is_ascii_alphabetic() => {
            let second = if second.is_ascii_alphabetic() { *second as usize & 31 } else { 0 };
            Some(((*first as usize & 31) - 1) * 27 + second)
        }
        _ => None,
    }
}

/// The index in L at which the names of each pair begin. The names of a pair end at the index of
/// the next pair.
static PAIRS: [usize; 26 * 27 + 1] = {
    let mut starts = [0; 26 * 27 + 1];
    let mut i = 0;
    while i < L.len() {
        let mut after = pair(L[i].as_bytes()).expect("a letter and more") + 1;
        i += 1;
        while after < starts.len() {
            starts[after] = i;
            after += 1;
        }
    }
    starts
};

/// Returns the first eight bytes of a name in lower case, as a number whose highest byte is the
/// first. So these numbers are ordered like the names. `len` is the number of bytes used, at most
/// eight. `key` is the result of the function [`key`] for them.
const fn beginning(len: usize, key: u64) -> u64 {
    // A name is not empty, so the shift is shorter than the number.
    key << (8 * (LONGEST - len))
}

static BEGINNINGS: [u64; L.len()] = {
    let mut beginnings = [0; L.len()];
    let mut i = 0;
    while i < L.len() {
        let name = L[i].as_bytes();
        let (first, _) = name.split_at(if name.len() < LONGEST { name.len() } else { LONGEST });
        beginnings[i] = beginning(first.len(), key(first));
        i += 1;
    }
    beginnings
};

/// Checks that L is in order, as [`PAIRS`] requires.
const _: () = {
    let mut i = 1;
    while i < L.len() {
        assert!(is_before(L[i - 1].as_bytes(), L[i].as_bytes()));
        i += 1;
    }
};

/// Returns whether one name comes before another.
const fn is_before(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at < other.len() && (at == one.len() || one[at] < other[at])
}

/// L, the specification's section 10: the IANA registry's schemes that may come before `://`, and
/// others in wide use.
#[rustfmt::skip]
const L: &[&str] = &[
    "aaa", "aaas", "abfs", "abfss", "about", "acap", "acct", "acd", "acr", "adb", "adc", "adcs",
    "adiumxtra", "admin", "adt", "afp", "afs", "aim", "amqp", "amqps", "amss", "android",
    "android-app", "app", "appdata", "applescript", "appstream", "apt", "ar", "ark", "arweave",
    "at", "attachment", "aw", "barion", "bb", "beshare", "bitcoin", "bitcoincash", "blob", "bolo",
    "bolt", "brave", "browserext", "burn", "bzr", "bzz", "cabal", "calculator", "callto", "cap",
    "cassandra", "cast", "casts", "cdda", "chrome", "chrome-devtools", "chrome-extension",
    "chrome-search", "chrome-untrusted", "cid", "cifs", "clickhouse", "cloudsql", "coap",
    "coap+tcp", "coap+ws", "coaps", "coaps+tcp", "coaps+ws", "cockroachdb",
    "com-eventbrite-attendee", "consul", "content", "content-type", "cos", "couchbase", "couchdb",
    "cql", "crid", "cstr", "cvs", "dab", "dat", "data", "dav", "davs", "dbfs", "dchub", "debbugs",
    "devtools", "diaspora", "dict", "did", "dis", "discord", "dlna-playcontainer",
    "dlna-playsingle", "dns", "dnssd", "dntp", "docker", "dogecoin", "doi", "dpp", "drm", "drop",
    "dtmi", "dtn", "dvb", "dvx", "dweb", "ed2k", "edge", "eid", "elasticsearch", "elsi", "embedded",
    "ens", "epgm", "etcd", "ethereum", "evernote", "example", "facebook", "facetime", "fax", "fb",
    "fd", "feed", "feedready", "fido", "filesystem", "finger", "first-run-pen-experience", "fish",
    "fm", "freenet", "ftpes", "ftps", "fuchsia-pkg", "gemini", "geo", "gg", "git", "github-mac",
    "github-windows", "gitlab", "gitoid", "gizmoproject", "gnunet", "go", "gophers", "gphoto2",
    "graph", "grd", "grpc", "grpcs", "gs", "gtalk", "h2c", "h323", "ham", "hbase", "hcap", "hcp",
    "hdfs", "hg", "hive", "hkp", "hkps", "hls", "http+unix", "https+unix", "hydrazone", "hyper",
    "iax", "icap", "icon", "icy", "idea", "im", "imap", "imaps", "impala", "influxdb", "info",
    "instagram", "intent", "ios-app", "iotdisco", "ipc", "ipfs", "ipn", "ipns", "ipp", "ipps",
    "irc", "irc6", "ircs", "iris", "iris.beep", "iris.lwz", "iris.xpc", "iris.xpcs", "iscsi",
    "isostore", "itms", "itms-apps", "itms-appss", "itms-services", "itmss", "jabber", "jar",
    "jetbrains", "jms", "kafka", "keyparc", "kubernetes", "lastfm", "lbry", "ldap", "ldapi",
    "ldaps", "leaptofrogans", "libvirt", "lightning", "litecoin", "lmtp", "lorawan", "lpa", "lvlt",
    "lxc", "lxd", "macappstore", "magnet", "mailserver", "maps", "mariadb", "market", "matrix",
    "memcache", "memcached", "message", "mhtml", "microsoft.windows.camera",
    "microsoft.windows.camera.picker", "mid", "minecraft", "mk", "mms", "mmsh", "mmst", "modbus",
    "modem", "monero", "mongodb", "mongodb+srv", "moz", "moz-extension", "mqtt", "mqtts",
    "ms-access", "ms-appdata", "ms-appinstaller", "ms-appx", "ms-appx-web", "ms-browser-extension",
    "ms-calculator", "ms-drive-to", "ms-enrollment", "ms-excel", "ms-eyecontrolspeech",
    "ms-gamebarservices", "ms-gamingoverlay", "ms-getoffice", "ms-help", "ms-infopath",
    "ms-inputapp", "ms-its", "ms-lockscreencomponent-config", "ms-media-stream-id", "ms-meetnow",
    "ms-mixedrealitycapture", "ms-mobileplans", "ms-newsandinterests", "ms-officeapp", "ms-people",
    "ms-powerpoint", "ms-project", "ms-publisher", "ms-remotedesktop-launch", "ms-resource",
    "ms-restoretabcompanion", "ms-screenclip", "ms-screensketch", "ms-search", "ms-search-repair",
    "ms-secondary-screen-controller", "ms-secondary-screen-setup", "ms-settings", "ms-spd",
    "ms-stickers", "ms-sttoverlay", "ms-transit-to", "ms-useractivityset", "ms-virtualtouchpad",
    "ms-visio", "ms-walk-to", "ms-whiteboard", "ms-whiteboard-cmd", "ms-word", "msnim", "msrp",
    "msrps", "mss", "mssql", "mssql+pyodbc", "msteams", "mt", "mtp", "mtqp", "mumble", "mupdate",
    "mvn", "mysql", "mysql+mysqldb", "mysql+pymysql", "nats", "neo4j", "nfs", "nfs4", "ni", "nih",
    "nntps", "nostr", "notes", "notion", "npipe", "npm", "ntp", "num", "nx", "obex", "obsidian",
    "ocf", "oci", "oid", "omnifocus", "onenote", "onenote-cmd", "onion", "opaquelocktoken",
    "opc.tcp", "openpgp4fpr", "opera", "oracle", "origin", "oss", "otpauth", "p1", "pack", "palm",
    "paparazzi", "payment", "payto", "phar", "php", "pkcs11", "platform", "pnm", "podcast", "pop",
    "pop3", "pop3s", "pops", "postgres", "postgresql", "postgresql+asyncpg", "postgresql+psycopg2",
    "pres", "presto", "proxy", "psyc", "pttp", "pulsar", "pwid", "qb", "qemu", "query",
    "quic-transport", "rdar", "rdp", "redis", "redis+sentinel", "redis+socket", "rediss",
    "redshift", "reload", "res", "resource", "rlogin", "rmi", "roblox", "rpc", "rsync", "rtcp",
    "rtmfp", "rtmp", "rtmpe", "rtmps", "rtmpt", "rtmpte", "rtmpts", "rtp", "rtsp", "rtsps", "rtspu",
    "rwhois", "s3", "s3a", "s3n", "sarif", "scp", "secondlife", "secret-token", "serial", "service",
    "session", "sftp", "sgn", "sgnl", "shc", "shout", "shttp", "sieve", "simpleledger", "simplex",
    "sip", "sips", "skype", "slack", "smb", "smb2", "smp", "sms", "smtp", "smtps", "snews", "snmp",
    "snowflake", "soap.beep", "soap.beeps", "socket", "socks", "socks4", "socks4a", "socks5",
    "socks5h", "solana", "soldat", "spartan", "spice", "spiffe", "spotify", "sqlite", "sqlite3",
    "sqlserver", "srt", "ss", "ssb", "ssh", "sshfs", "ssl", "ssr", "starknet", "steam", "stomp",
    "stratum", "stun", "stuns", "subl", "submit", "svn", "swh", "swid", "swidpath", "swift",
    "syslog", "tag", "taler", "tcp", "teamspeak", "tel", "telegram", "teliaeid", "telnets", "tftp",
    "tg", "things", "thismessage", "tidal", "tip", "titan", "tls", "tn3270", "tn5250", "tool",
    "torrent", "trino", "trojan", "ts3server", "turn", "turns", "tv", "twitter", "txmt", "udp",
    "udplite", "unix", "unreal", "unsv", "upi", "upt", "urn", "usb", "ut2004", "uuid-in-package",
    "v-event", "vault", "vbox", "vemmi", "ventrilo", "ves", "viber", "videotex", "view-source",
    "vless", "vmess", "vnc", "vnd.youtube", "vscode", "vscode-insiders", "vscode-remote", "vsls",
    "vsock", "w3", "wasb", "wasbs", "wcr", "web+ap", "web3", "webcal", "webcals", "webdav",
    "webdavs", "webhdfs", "whatsapp", "whois", "whois++", "wifi", "wpid", "ws", "wss", "wtai",
    "wyciwyg", "x11", "xcon", "xcon-userid", "xen", "xfire", "xmlrpc.beep", "xmlrpc.beeps", "xmpp",
    "xri", "ymsgr", "youtube", "z39.50", "z39.50r", "z39.50s", "zookeeper", "zoommtg", "zoomus",
    "zotero",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_short_and_lower() {
        for name in L {
            assert!(name.len() <= SCHEME_BYTES && name.as_bytes()[0].is_ascii_lowercase(), "{name}");
            assert!(is_listed(name.to_ascii_uppercase().as_bytes()), "{name}");
            assert!(!is_k(name.as_bytes()), "{name} is in K");
        }
    }

    #[test]
    fn names_of_k() {
        for row in K {
            assert!(starts_with_k(format!("{}:", row.name.to_uppercase()).as_bytes(), b":"), "{}", row.name);
            assert_eq!(is_opaque(row.name.as_bytes()), !row.has_slashes, "{}", row.name);
        }
        assert!(is_opaque(b"NEWS") && is_opaque(b"MailTo") && !is_opaque(b"snews") && !is_opaque(b""));
    }

    #[test]
    fn known() {
        for word in ["http", "HTTPS", "svn+ssh", "foo+https", "x-test", "S3", "a+x-b", "mongodb+srv"] {
            assert!(is_known(word.as_bytes()), "{word}");
        }
        for word in ["", "x-", "foo", "foo+bar", "hxxp", "1+https", "htt", "httpx", "foo+", "+"] {
            assert!(!is_known(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn suffix() {
        assert_eq!(k_suffix(b"xhttps"), Some(5));
        assert_eq!(k_suffix(b"profile"), Some(4));
        assert_eq!(k_suffix(b"xnews"), None);
        assert_eq!(k_suffix(b"ttp"), None);
        assert_eq!(k_suffix(b""), None);
        for row in K {
            let expected = row.has_slashes.then_some(row.name.len());
            assert_eq!(k_suffix(format!("a-{}", row.name.to_uppercase()).as_bytes()), expected, "{}", row.name);
        }
    }

    #[test]
    fn k_prefix() {
        assert!(starts_with_k(b"HTTP://x", b"://"));
        assert!(starts_with_k(b"https:", b":"));
        assert!(!starts_with_k(b"http:/x", b"://"));
        assert!(!starts_with_k(b"xhttp://", b"://"));
    }
}
