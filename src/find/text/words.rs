//! The word lists of B-JOIN, sorted for a binary search: extensions, top-level domains, words of
//! prose.

use bstr::ByteSlice;

/// The length of the longest word of any list. Longer words are in no list.
pub(crate) const LONGEST: usize = 8;

/// The known extensions of B-JOIN.
#[rustfmt::skip]
const EXTENSIONS: [&[u8]; 145] = [
    b"adoc", b"apk", b"arj", b"asc", b"asp", b"aspx", b"au", b"avi", b"bat", b"bin", b"bmp", b"bz2",
    b"c", b"cc", b"cfg", b"cfm", b"cgi", b"conf", b"cpp", b"css", b"csv", b"cxx", b"deb", b"diff",
    b"dll", b"dmg", b"do", b"doc", b"docx", b"dtl", b"dts", b"dtsi", b"dvi", b"el", b"eps", b"epub",
    b"exe", b"faq", b"flac", b"gem", b"gif", b"git", b"go", b"gz", b"h", b"hh", b"hpp", b"hqx", b"htm",
    b"html", b"ico", b"ics", b"idc", b"img", b"ini", b"ipynb", b"iso", b"jar", b"java", b"jhtml",
    b"jpeg", b"jpg", b"js", b"json", b"jsp", b"jsx", b"kt", b"lha", b"log", b"lua", b"lzh", b"map",
    b"md", b"md5", b"mjs", b"mkv", b"mov", b"mp3", b"mp4", b"mpeg", b"mpg", b"msi", b"nsf", b"odt",
    b"ogg", b"patch", b"pdf", b"pgp", b"php", b"php3", b"php4", b"phtml", b"pl", b"png", b"po", b"ppt",
    b"pptx", b"proto", b"ps", b"py", b"ram", b"rar", b"rb", b"rdf", b"rpm", b"rs", b"rss", b"rst",
    b"rtf", b"sea", b"sh", b"shtml", b"sig", b"sit", b"sql", b"svg", b"swift", b"tar", b"tcl", b"tex",
    b"text", b"tgz", b"toml", b"ts", b"tsx", b"ttf", b"txt", b"vim", b"wasm", b"wav", b"webm", b"webp",
    b"whl", b"woff", b"woff2", b"xhtml", b"xls", b"xlsx", b"xml", b"xz", b"yaml", b"yml", b"z", b"zip",
    b"zst",
];

/// The top-level domains of B-JOIN: the generic domains, arpa, and country codes.
#[rustfmt::skip]
const TOP_LEVEL: [&[u8]; 251] = [
    b"ac", b"ad", b"ae", b"af", b"ag", b"ai", b"al", b"am", b"an", b"ao", b"aq", b"ar", b"arpa",
    b"as", b"at", b"au", b"aw", b"az", b"ba", b"bb", b"bd", b"be", b"bf", b"bg", b"bh", b"bi",
    b"biz", b"bj", b"bm", b"bn", b"bo", b"br", b"bs", b"bt", b"bw", b"by", b"bz", b"ca", b"cc",
    b"cd", b"cf", b"cg", b"ch", b"ci", b"ck", b"cl", b"cm", b"cn", b"co", b"com", b"cr", b"cu",
    b"cv", b"cx", b"cy", b"cz", b"de", b"dj", b"dk", b"dm", b"do", b"dz", b"ec", b"edu", b"ee",
    b"eg", b"er", b"es", b"et", b"eu", b"fi", b"fj", b"fk", b"fm", b"fo", b"fr", b"ga", b"gd",
    b"ge", b"gf", b"gg", b"gh", b"gi", b"gl", b"gm", b"gn", b"gov", b"gp", b"gq", b"gr", b"gs",
    b"gt", b"gu", b"gw", b"gy", b"hk", b"hm", b"hn", b"hr", b"ht", b"hu", b"id", b"ie", b"il",
    b"im", b"in", b"info", b"int", b"io", b"iq", b"ir", b"is", b"it", b"je", b"jm", b"jo", b"jp",
    b"ke", b"kg", b"kh", b"ki", b"km", b"kn", b"kr", b"kw", b"ky", b"kz", b"la", b"lb", b"lc",
    b"li", b"lk", b"lr", b"ls", b"lt", b"lu", b"lv", b"ly", b"ma", b"mc", b"md", b"me", b"mg",
    b"mh", b"mil", b"mk", b"ml", b"mm", b"mn", b"mo", b"mp", b"mq", b"mr", b"ms", b"mt", b"mu",
    b"mv", b"mw", b"mx", b"my", b"mz", b"na", b"nc", b"ne", b"net", b"nf", b"ng", b"ni", b"nl",
    b"no", b"np", b"nr", b"nu", b"nz", b"om", b"org", b"pa", b"pe", b"pf", b"pg", b"ph", b"pk",
    b"pl", b"pm", b"pn", b"pr", b"ps", b"pt", b"pw", b"py", b"qa", b"re", b"ro", b"rs", b"ru",
    b"rw", b"sa", b"sb", b"sc", b"sd", b"se", b"sg", b"sh", b"si", b"sk", b"sl", b"sm", b"sn",
    b"so", b"sr", b"st", b"su", b"sv", b"sy", b"sz", b"tc", b"td", b"tf", b"tg", b"th", b"tj",
    b"tk", b"tl", b"tm", b"tn", b"to", b"tr", b"tt", b"tv", b"tw", b"tz", b"ua", b"ug", b"uk",
    b"us", b"uy", b"uz", b"va", b"vc", b"ve", b"vg", b"vi", b"vn", b"vu", b"wf", b"ws", b"ye",
    b"yt", b"za", b"zm", b"zw",
];

/// The generic domains of [`TOP_LEVEL`], without arpa.
#[rustfmt::skip]
const GENERIC: [&[u8]; 9] = [
    b"biz", b"com", b"edu", b"gov", b"info", b"int", b"mil", b"net", b"org",
];

/// The prose list: words that begin or continue a sentence after a URL. Such a word is hardly ever
/// the whole rest of a URL.
#[rustfmt::skip]
const PROSE: [&[u8]; 103] = [
    b"a", b"about", b"after", b"all", b"also", b"an", b"and", b"any", b"are", b"as", b"at", b"be",
    b"because", b"been", b"but", b"by", b"can", b"could", b"did", b"do", b"does", b"for", b"from",
    b"get", b"had", b"has", b"have", b"he", b"her", b"here", b"him", b"his", b"how", b"i", b"if",
    b"in", b"into", b"is", b"it", b"its", b"just", b"like", b"look", b"may", b"me", b"more", b"my",
    b"no", b"not", b"now", b"of", b"on", b"one", b"only", b"or", b"our", b"out", b"over", b"page",
    b"please", b"see", b"she", b"site", b"so", b"some", b"such", b"text", b"than", b"thanks",
    b"that", b"the", b"their", b"them", b"then", b"there", b"these", b"they", b"this", b"those",
    b"through", b"to", b"too", b"try", b"under", b"until", b"up", b"us", b"use", b"was", b"we",
    b"were", b"what", b"when", b"where", b"which", b"who", b"why", b"will", b"with", b"would",
    b"yes", b"you", b"your",
];

/// Converts the words of a list to numbers in the same order.
///
/// Nearly every break searches several lists, and the steps of a binary search over slices are
/// calls. With numbers, a search is three times as fast (November 2026).
const fn keys<const N: usize>(list: &[&[u8]; N]) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] = key(list[i]);
        i += 1;
    }
    keys
}

/// Returns a word of at most eight bytes as a number, in lower case. Its first byte is the highest,
/// and zeros follow the last byte. This is unambiguous, because no run holds a zero.
const fn key(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut i = 0;
    while i < word.len() {
        key |= (word[i].to_ascii_lowercase() as u64) << (56 - 8 * i);
        i += 1;
    }
    key
}

/// Returns whether `word` is in the list of these keys, ignoring case.
fn holds(keys: &[u64], word: &[u8]) -> bool {
    word.len() <= LONGEST && keys.binary_search(&key(word)).is_ok()
}

/// Returns whether `word` is in the list of extensions, ignoring case.
pub(crate) fn is_extension(word: &[u8]) -> bool {
    static KEYS: [u64; EXTENSIONS.len()] = keys(&EXTENSIONS);
    holds(&KEYS, word)
}

/// Returns whether `label` is a top-level domain, ignoring case.
pub(crate) fn is_top_level(label: &[u8]) -> bool {
    static KEYS: [u64; TOP_LEVEL.len()] = keys(&TOP_LEVEL);
    holds(&KEYS, label)
}

/// Returns whether `label` is a generic top-level domain, ignoring case.
pub(crate) fn is_generic(label: &[u8]) -> bool {
    static KEYS: [u64; GENERIC.len()] = keys(&GENERIC);
    holds(&KEYS, label)
}

/// Returns whether `word` is in the prose list, ignoring case.
pub(crate) fn is_prose(word: &[u8]) -> bool {
    static KEYS: [u64; PROSE.len()] = keys(&PROSE);
    holds(&KEYS, word)
}

/// Returns the part after the last dot of `name` if it may be an extension. An extension is a
/// letter and up to five letters or digits.
pub(crate) fn extension(name: &[u8]) -> Option<&[u8]> {
    let length = name.iter().rev().take(7).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (rest, found) = name.split_at(name.len() - length);
    let fits = rest.ends_with(b".") && matches!(length, 1..=6) && found[0].is_ascii_alphabetic();
    fits.then_some(found)
}

/// Returns whether `name` ends in an extension of the list.
pub(crate) fn has_extension(name: &[u8]) -> bool {
    extension(name).is_some_and(is_extension)
}

/// Returns whether a token holds a mark or digit of URLs, begins with `.`, or ends in an extension.
/// A word of prose does not.
pub(crate) fn has_url_shape(token: &[u8]) -> bool {
    let word = token.trim_end_with(|c| ".,;:!?)\"'".contains(c));
    word.iter().any(|byte| byte.is_ascii_digit() || b"/?=&%_#+".contains(byte))
        || word.first() == Some(&b'.')
        || has_extension(word)
}

/// Matches `news.example.net`, `gopher.example.org`: dotted labels that end in a top-level domain.
/// A file name (`setup.py`, `notes.ps`) matches only if that domain is generic.
pub(crate) fn is_host_like(name: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', name) else {
        return false;
    };
    let top = &name[dot + 1..];
    matches!(top.len(), 2..=4)
        && is_top_level(top)
        && (is_generic(top) || !has_extension(name))
        && name[..dot]
            .split(|&byte| byte == b'.')
            .all(|label| !label.is_empty() && label.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        for list in [&EXTENSIONS[..], &TOP_LEVEL, &GENERIC, &PROSE] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(list.iter().all(|word| word.len() <= LONGEST && word.to_ascii_lowercase() == *word));
        }
        assert!(GENERIC.iter().all(|label| is_top_level(label)));
    }

    #[test]
    fn looks_up_words() {
        assert!(is_extension(b"html") && is_extension(b"HTML") && is_extension(b"md5"));
        assert!(!is_extension(b"") && !is_extension(b"htm1") && !is_extension(b"htmlhtmlhtml"));
        assert!(is_top_level(b"arpa") && is_top_level(b"Uk") && !is_generic(b"arpa") && is_generic(b"COM"));
        assert!(is_prose(b"The") && !is_prose(b"theorem"));
    }

    #[test]
    fn finds_extensions() {
        for (name, expected) in [
            ("a.html", Some("html")),
            ("a.tar.gz", Some("gz")),
            ("a.abcdef", Some("abcdef")),
            ("a.abcdefg", None),
            ("a.7z", None),
            ("a.", None),
            ("a", None),
            (".c", Some("c")),
            ("a.b/c", None),
        ] {
            assert_eq!(extension(name.as_bytes()), expected.map(str::as_bytes), "{name}");
        }
    }

    #[test]
    fn hosts() {
        for host in ["freshmeat.net", "gopher.example.org", "A-1.COM", "a.b.c.uk"] {
            assert!(is_host_like(host.as_bytes()), "{host}");
        }
        // `.py`, `.ps` and `.md` are also country codes
        for other in ["setup.py", "notes.ps", "com", ".com", "a..com", "a.co_m", "a_b.com", "a.com.", "x.zip", ""] {
            assert!(!is_host_like(other.as_bytes()), "{other}");
        }
    }
}
