//! Properties of the whole parser. The vectors are in `tests/parser_vectors.rs`. The tests of each
//! table are in the table's own file.

use bstr::{BStr, ByteSlice};

use super::error::{ParseError, ParseErrorKind};
use super::level::Level;
use super::table::Url;
use super::*;

/// At least one input per kind, with the offset and the message of the specification, section 2.
const KINDS: &[(&str, &str, usize, &str)] = &[
    ("", "empty", 0, "nothing to parse (G-SCHEME-3)"),
    ("http://h/\n", "control-char", 9, "control octet 0A must be written %0A (G-LEX-5)"),
    ("http://h/a b", "space", 10, "a space must be written %20 (G-LEX-5)"),
    ("http://h/é", "non-ascii", 9, "octet C3 is outside US-ASCII and must be encoded (G-LEX-6)"),
    ("http://h/<", "unsafe-delimiter", 9, "`<` delimits URLs in text; write %3C (G-LEX-4)"),
    ("http://h/~", "unsafe-gateway", 9, "`~` is unsafe in transit; write %7E (G-LEX-3)"),
    ("http://h/%zz", "bad-escape", 9, "`%` must be followed by two hexadecimal digits (G-LEX-2)"),
    ("http://h/%4", "truncated-escape", 9, "the URL ends inside an escape (G-LEX-2)"),
    ("http://h/#a#", "unencoded-hash", 11, "a fragment cannot contain `#` (G-FRAG-2)"),
    ("h", "missing-scheme", 0, "no `:` in the input: not an absolute URL (a relative one?) (G-SCHEME-3)"),
    (":h", "empty-scheme", 0, "nothing before the colon (G-SCHEME-3)"),
    ("a%41:c", "bad-scheme-char", 1, "`%` cannot be in a scheme name (G-SCHEME-4)"),
    ("a_b:c", "bad-scheme-char", 1, "`_` cannot be in a scheme name (G-SCHEME-1)"),
    ("ftp:h", "missing-slashes", 4, "ftp URLs begin with `ftp://` (G-OTHER-1)"),
    ("FILE:/x", "missing-slashes", 5, "file URLs begin with `file://` (G-FILE-3)"),
    ("http://u@h/", "userinfo-not-allowed", 7, "http URLs have no user name or password (G-HTTP-2)"),
    ("wais://u@h/", "userinfo-not-allowed", 7, "wais URLs have no user name or password (G-LOGIN-4)"),
    ("ftp://a@b@h", "userinfo-at", 7, "`@` inside a user name or password must be %40 (G-LOGIN-3)"),
    ("ftp://a:b:c@h", "userinfo-colon", 9, "`:` inside a password must be %3A (G-LOGIN-3)"),
    ("http:///", "empty-host", 7, "host name missing (G-HOST-5)"),
    ("x:///", "empty-host", 4, "host name missing (G-OTHER-2)"),
    ("http://a_b/", "bad-host-char", 8, "`_` cannot be in a host name (G-HOST-7)"),
    ("ftp://h;type=a", "bad-host-char", 7, "`;` cannot be in a host name (G-FTP-4)"),
    ("http://h?q", "missing-path-slash", 8, "a `/` must precede `?` (G-HTTP-3)"),
    ("https://h?q", "missing-path-slash", 9, "a `/` must precede `?` (G-OTHER-6)"),
    ("http://h./", "empty-label", 9, "empty label in the host name (a final dot is not allowed) (G-HOST-3)"),
    ("http://a..b/", "empty-label", 9, "empty label in the host name (a final dot is not allowed) (G-HOST-1)"),
    ("http://a-.b/", "label-hyphen", 8, "a label cannot begin or end with `-` (G-HOST-1)"),
    (
        "http://1.2.3/",
        "bad-toplabel",
        11,
        "the last label begins with a digit and the host is not four digit groups (G-HOST-2)",
    ),
    ("file://h:80/x", "port-not-allowed", 8, "file URLs have no port (G-FILE-4)"),
    ("http://h:", "empty-port", 9, "port number missing (drop the colon) (G-PORT-1)"),
    ("http://h:8a", "bad-port-char", 10, "a port has digits only (G-PORT-1)"),
    ("wais://h", "missing-path", 8, "wais URLs need a `/` after the host (G-WAIS-1)"),
    ("file://h", "missing-path", 8, "file URLs need a `/` after the host (G-FILE-3)"),
    ("file:///a;b", "bad-path-char", 9, "`;` must be encoded in this path (G-FILE-5)"),
    ("http://h/?/", "bad-search-char", 10, "`/` must be encoded after `?` (G-HTTP-4)"),
    (
        "ftp://h/a;type=x",
        "bad-ftp-type",
        15,
        "the typecode must be A, I or D (either case), at the end of the URL (G-FTP-3)",
    ),
    ("telnet://h/x", "unexpected-path", 11, "nothing may follow the `/` of a telnet URL (G-TELNET-1)"),
    ("news:a.*", "bad-group-char", 7, "a group begins with a letter and holds letters, digits, `- . + _` (G-NEWS-1)"),
    ("news:", "empty-group", 5, "newsgroup missing (G-NEWS-3)"),
    ("nntp://h/1", "bad-group-char", 9, "a group begins with a letter and holds letters, digits, `- . + _` (G-NNTP-2)"),
    ("news:@h", "empty-article-id", 5, "nothing before `@` (G-NEWS-4)"),
    ("nntp://h/a/", "bad-article-number", 11, "an article number has digits only (G-NNTP-1)"),
    ("wais://h/a/b", "missing-wpath", 12, "a WAIS document needs type and path (G-WAIS-1)"),
    ("prospero://h/a;b", "missing-field-equals", 16, "a prospero field needs `=` (G-PROSPERO-2)"),
    ("prospero://h/a;b=/", "bad-field-char", 17, "`/` must be encoded in a prospero field (G-PROSPERO-2)"),
    ("mailto:", "empty-address", 7, "address missing (G-MAILTO-1)"),
    ("mailto:a", "not-addr-spec", 7, "the decoded address is not an RFC 822 addr-spec (G-MAILTO-2)"),
];

#[test]
fn every_kind_has_an_input_and_a_message() {
    let mut seen = Vec::new();
    for &(text, kind, offset, message) in KINDS {
        let error = Url::parse_at(Level::Rfc1738Ref, text).expect_err(text);
        assert_eq!((error.kind().as_str(), error.offset()), (kind, offset), "{text}");
        assert_eq!(error.to_string(), message, "{text}");
        seen.push(error.kind());
    }
    let error = Url::parse_at(Level::Rfc1738, "http://h/#").unwrap_err();
    assert_eq!(error.to_string(), "a fragment is not allowed here (G-FRAG-3)");
    seen.push(error.kind());
    seen.push(resolve_1808(b"mailto:a@b", b"x").unwrap_err().kind());
    let error = resolve_1808(b"a", b"x").unwrap_err();
    assert_eq!(error.to_string(), "the base has no scheme (R-1808-6)");
    seen.push(error.kind());
    // A test should not allocate 4 GiB.
    seen.push(ParseErrorKind::TooLong);
    for kind in ParseErrorKind::ALL {
        assert!(seen.contains(kind), "{kind} has no input");
    }
}

// RFC 1738 also rejects each text, often for a reason that does not matter to the looser grammars.
#[test]
fn errors_are_those_of_the_loosest_level() {
    for (text, kind, offset, message) in [
        ("http://h/~joe/a b", "space", 15, "a space must be written %20 (G-LEX-5)"),
        ("http://h/~joe/%4", "truncated-escape", 14, "the URL ends inside an escape (G-LEX-2)"),
        ("http://u@v@h/~", "bad-host-char", 10, "`@` cannot be in a host name (G-HOST-7)"),
        ("https://u%u@h/~", "bad-escape", 9, "`%` must be followed by two hexadecimal digits (G-LEX-2)"),
        ("https://[::1/~", "bad-host-char", 8, "`[` cannot be in a host name (G-HOST-7)"),
        ("http://a_b{c}/", "bad-host-char", 10, "`{` cannot be in a host name (G-HOST-7)"),
        ("http://a_%4g/", "bad-escape", 9, "`%` must be followed by two hexadecimal digits (G-LEX-2)"),
        ("http://a_\u{1f600}/", "non-ascii", 9, "octet F0 is outside US-ASCII and must be encoded (G-LEX-6)"),
        ("http://h:8x/~", "bad-port-char", 10, "a port has digits only (G-PORT-1)"),
        ("http://:80/~", "empty-host", 7, "host name missing (G-HOST-5)"),
        ("https:///~", "empty-host", 8, "host name missing (G-OTHER-2)"),
        ("http:foo~", "missing-slashes", 5, "http URLs begin with `http://` (G-OTHER-1)"),
        ("h.example/~", "missing-scheme", 0, "no `:` in the input: not an absolute URL (a relative one?) (G-SCHEME-3)"),
        ("3com:x y", "space", 6, "a space must be written %20 (G-LEX-5)"),
        ("http://h/~?{#", "unsafe-gateway", 11, "`{` is unsafe in transit; write %7B (G-LEX-3)"),
        ("http://h/~#a#b", "unencoded-hash", 12, "a fragment cannot contain `#` (G-FRAG-2)"),
        ("", "empty", 0, "nothing to parse (G-SCHEME-3)"),
    ] {
        let error = Url::parse(text).expect_err(text);
        assert_eq!((error.kind().as_str(), error.offset()), (kind, offset), "{text}");
        assert_eq!(error.to_string(), message, "{text}");
    }
    let error = Url::parse_at(Level::Rfc3986, "http://h/~é").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ParseErrorKind::NonAscii, 10));
    assert_eq!(Url::parse_at(Level::None, "http://h/é").unwrap().level(), Level::Iri);
}

#[test]
fn https_is_read_as_any_other_scheme() {
    let url = Url::parse("HTTPS://h:/").unwrap();
    assert_eq!((url.scheme(), url.port_effective()), (Scheme::Https, Some(443)));
    let url = Url::parse("https://h?x=j@i:8/a?b").unwrap();
    assert_eq!((url.host().unwrap(), url.port_effective(), url.query().unwrap()), ("i".into(), Some(8), "b".into()));
    assert_eq!(url.path().unwrap(), "a");
    assert!(matches!(url.parts(), Parts::Other(_)));
    let ports = |text: &'static str| Url::parse(text).map(|url| (url.port(), url.port_effective()));
    assert_eq!(ports("https://h"), Ok((None, Some(443))));
    assert_eq!(ports("https://h:99999"), Ok((None, None)));
    assert_eq!(ports("https:h"), Ok((None, None)));
}

#[test]
fn names_of_kinds_are_kebab_case_and_distinct() {
    let names: Vec<&str> = ParseErrorKind::ALL.iter().map(|kind| kind.as_str()).collect();
    for (index, name) in names.iter().enumerate() {
        assert!(name.bytes().all(|byte| byte == b'-' || byte.is_ascii_lowercase()), "{name}");
        assert!(!names[..index].contains(name), "{name}");
    }
}

#[test]
fn errors_and_urls_are_small() {
    assert!(size_of::<ParseError>() <= 8);
    assert!(size_of::<Verdict>() <= 12);
    assert!(size_of::<Url<'_>>() <= 56);
}

#[test]
fn public_types_cross_threads() {
    fn assert_all<T: Send + Sync + Unpin + std::panic::UnwindSafe + std::panic::RefUnwindSafe>() {}
    assert_all::<Url<'_>>();
    assert_all::<Parts<'_>>();
    assert_all::<Generic<'_>>();
    assert_all::<Reference<'_>>();
    assert_all::<ParseError>();
    assert_all::<Verdict>();
}

/// Recomposes a URL from its components.
fn recompose(url: &Url<'_>) -> Vec<u8> {
    let mut text = url.scheme_str().to_vec();
    let push = |text: &mut Vec<u8>, delimiter: &[u8], part: Option<&BStr>| {
        if let Some(part) = part {
            text.extend_from_slice(delimiter);
            text.extend_from_slice(part);
        }
    };
    text.push(b':');
    if url.host().is_some() && url.scheme() != Scheme::News {
        text.extend_from_slice(b"//");
        push(&mut text, b"", url.user());
        push(&mut text, b":", url.password());
        push(&mut text, b"@", url.user().map(|_| BStr::new("")));
        push(&mut text, b"", url.host());
        push(&mut text, b":", url.port_text());
    }
    match url.parts() {
        Parts::Ftp(ftp) => {
            push(&mut text, b"/", ftp.path());
            if let Some(code) = ftp.typecode() {
                // The components do not record the case of the keyword.
                let keyword = url.without_fragment().len() - 7;
                text.extend_from_slice(&url.as_bstr()[keyword..keyword + 6]);
                text.extend_from_slice(code);
            }
            let steps: Vec<&[u8]> = ftp.cwd().chain(ftp.name()).map(|step| step.as_bytes()).collect();
            assert_eq!(ftp.path().map(|path| path.to_vec()), ftp.path().map(|_| steps.join(&b"/"[..])));
        }
        Parts::Http(http) => {
            push(&mut text, b"/", http.path());
            push(&mut text, b"?", http.search());
        }
        Parts::Gopher(gopher) => {
            if url.without_fragment().len() > text.len() {
                text.push(b'/');
            }
            push(&mut text, b"", gopher.gtype());
            push(&mut text, b"", Some(gopher.selector()));
            push(&mut text, b"%09", gopher.search());
            push(&mut text, b"%09", gopher.gplus());
            let _ = (gopher.request(), gopher.gplus_kind(), gopher.is_filled_form(), gopher.gtype_effective());
        }
        Parts::Mailto(mailto) => {
            push(&mut text, b"", Some(mailto.addr()));
            let address =
                [mailto.local(), BStr::new("@").into(), mailto.domain()].map(|part| part.into_owned().to_vec());
            assert_eq!(*escape::decode(mailto.addr()), address.concat()[..]);
        }
        Parts::News(news) => match news.form() {
            NewsForm::All => text.push(b'*'),
            NewsForm::Group => push(&mut text, b"", news.group()),
            NewsForm::Article => {
                push(&mut text, b"", news.unique());
                push(&mut text, b"@", news.host());
                assert!(news.message_id().is_some());
            }
        },
        Parts::Nntp(nntp) => {
            push(&mut text, b"/", Some(nntp.group()));
            push(&mut text, b"/", nntp.number());
        }
        Parts::Telnet(telnet) => text.extend(telnet.slash().then_some(b'/')),
        Parts::Wais(wais) => {
            push(&mut text, b"/", Some(wais.database()));
            push(&mut text, b"?", wais.search());
            push(&mut text, b"/", wais.wtype());
            push(&mut text, b"/", wais.wpath());
        }
        Parts::File(file) => push(&mut text, b"/", Some(file.path())),
        Parts::Prospero(prospero) => {
            push(&mut text, b"/", Some(prospero.path()));
            for (name, value) in prospero.fields() {
                push(&mut text, b";", Some(name));
                push(&mut text, b"=", Some(value));
            }
        }
        Parts::Other(other) => {
            push(&mut text, b"", other.rest());
            push(&mut text, b"/", other.path());
        }
    }
    push(&mut text, b"#", url.fragment());
    text
}

/// Checks properties that hold for any bytes. Returns whether the bytes are a URL.
fn check(bytes: &[u8]) -> bool {
    let options = ParseOptions::new().level(Level::Rfc1738Ref);
    let verdict = judge(bytes, options);
    let lexical = lexical::check(bytes, true);
    let result = Url::parse_with(bytes, options);
    match Url::parse(bytes) {
        Ok(url) => assert_eq!((url.as_bstr(), url.level()), (bytes.as_bstr(), verdict.level)),
        Err(error) => {
            assert_eq!(verdict.level, Level::None);
            assert!(error.offset() <= bytes.len());
            let misfit = Generic::parse_or_misfit(bytes).unwrap_err();
            let is_of_1738 = misfit.kind(bytes) == ParseErrorKind::BadSchemeChar;
            assert!(is_of_1738 || error.offset() == misfit.offset(), "{error:?} {misfit:?}");
        }
    }
    #[cfg(feature = "report")]
    if verdict.level.is_ascii() {
        assert!(bytes.iter().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\".contains(byte)));
    }
    match result {
        Ok(url) => {
            url.check_invariants();
            assert_eq!(lexical, Ok(()));
            assert_eq!(recompose(&url).as_bstr(), bytes.as_bstr());
            assert_eq!(verdict.error, None);
            assert_eq!(verdict.level == Level::Rfc1738Ref, url.fragment().is_some());
            assert!(Url::parse_at(Level::Rfc1738, url.without_fragment()).is_ok());
            // A key is a URL, and it is its own key.
            let key = url.key();
            assert_eq!(Url::parse_with(&key, options).unwrap().key().as_bstr(), key.as_bstr());
            // The looser reading of `//` accepts every URL that the stricter reading accepts.
            assert!(Url::parse_with(bytes, options.other_literal(true)).is_ok());
            #[cfg(feature = "serde")]
            {
                assert_eq!(Url::of_fit(bytes, options).unwrap().table, url.table);
                assert_eq!(Generic::of(&url), Generic::parse(bytes));
            }
        }
        Err(error) => {
            assert!(error.offset() <= bytes.len());
            assert!(error.to_string().ends_with(')'));
            assert_eq!(verdict.error, Some(error));
            assert!(verdict.level > Level::Rfc1738Ref);
            if let Err(first) = lexical {
                assert_eq!(error, first);
            }
        }
    }
    if let Some(generic) = Generic::parse(bytes) {
        let key = generic.key();
        assert_eq!(Generic::parse(&key).map(|generic| generic.key()), Some(key));
    }
    result.is_ok()
}

const SEEDS: &[&str] = &[
    "ftp://u:p@h.example:21/a/b;type=a#f",
    "ftp://h//%2F/;TYPE=d",
    "http://h.example:80/a/b;c?d=e&f#g",
    "http://1.2.3.4?x",
    "https://u@h:443/a?b/c",
    "gopher://h/7sel%09q%09+%091%0D%0A",
    "gopher://h/%31%2509",
    "mailto:%22a%40b%22.c@h.%5Bx%5D",
    "news:a.b-c@h.example",
    "news:comp.lang.c++",
    "nntp://h/a.b/123",
    "telnet://u:p@h/",
    "wais://h:210/d/t/p",
    "wais://h/d?q",
    "file://localhost/a/b",
    "file:///",
    "prospero://h/a/b;c=d;e=f",
    "urn:a:b/c?d",
    "x-y+z.1://a?b@h:1/p",
    "http://[::1]:8/~é",
];

// Checks every prefix of each seed, and each seed with any one byte at any place.
#[test]
fn seeds_with_one_byte_changed() {
    let mut valid = 0u32;
    for seed in SEEDS {
        for at in 0..=seed.len() {
            check(&seed.as_bytes()[..at]);
            for byte in 0..=255u8 {
                let mut bytes = seed.as_bytes().to_vec();
                if at < bytes.len() {
                    bytes[at] = byte;
                } else {
                    bytes.push(byte);
                }
                valid += u32::from(check(&bytes));
            }
        }
    }
    // The loop tests valid and invalid URLs.
    assert!(valid > 10_000, "{valid}");
}

#[test]
fn random_bytes_never_panic() {
    let mut random = fastrand::Rng::with_seed(1738);
    let seed = |random: &mut fastrand::Rng| SEEDS[random.usize(..SEEDS.len())].as_bytes();
    let dense = b"://@:?#;=&%09azAZ.-_~/[]+ \xc3\xa9";
    let mut valid = 0u32;
    for round in 0..60_000 {
        let mut bytes = match round % 3 {
            0 => Vec::new(),
            _ => seed(&mut random).to_vec(),
        };
        for _ in 0..random.usize(..6) + usize::from(bytes.is_empty()) {
            let at = random.usize(..=bytes.len());
            let byte = match random.u8(..4) {
                0 => random.u8(..),
                _ => dense[random.usize(..dense.len())],
            };
            match random.u8(..3) {
                0 if at < bytes.len() => drop(bytes.remove(at)),
                1 if at < bytes.len() => bytes[at] = byte,
                _ => bytes.insert(at, byte),
            }
        }
        valid += u32::from(check(&bytes));
        let base = seed(&mut random);
        let _ = resolve_1808(base, &bytes);
        let _ = resolve_3986(base, &bytes);
        let _ = resolve_1808(&bytes, base);
        let _ = Reference::parse(&bytes);
    }
    assert!(valid > 5_000, "{valid}");
}

/// The references of the RFCs that both RFCs resolve to the same URL (RFC 1808 sections 5.1 and
/// 5.2; RFC 3986 sections 5.4.1 and 5.4.2). The base is `http://a/b/c/d;p?q#f`.
#[rustfmt::skip]
const ALIKE: &[(&str, &str)] = &[
    ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g#s/./x", "http://a/b/c/g#s/./x"), ("g?y#s", "http://a/b/c/g?y#s"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
    ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("http:g", "http:g"), ("http:", "http:"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
];

/// References that the two RFCs resolve to different URLs.
const OTHERWISE: &[(&str, &str, &str)] = &[
    (";x", "http://a/b/c/d;x", "http://a/b/c/;x"),
    ("", "http://a/b/c/d;p?q#f", "http://a/b/c/d;p?q"),
    ("../../../g", "http://a/../g", "http://a/g"),
    ("../../../../g", "http://a/../../g", "http://a/g"),
    ("/./g", "http://a/./g", "http://a/g"),
    ("/../g", "http://a/../g", "http://a/g"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/g;x=1/../y", "http://a/b/c/y"),
];

#[test]
fn resolves_the_examples_of_the_rfcs() {
    let alike = ALIKE.iter().map(|&(reference, target)| (reference, target, target));
    for (reference, by_1808, by_3986) in alike.chain(OTHERWISE.iter().copied()) {
        let base = b"http://a/b/c/d;p?q#f";
        assert_eq!(resolve_1808(base, reference.as_bytes()).unwrap().as_bstr(), by_1808, "{reference}");
        assert_eq!(resolve_3986(base, reference.as_bytes()).unwrap().as_bstr(), by_3986, "{reference}");
    }
}

// A resolved URL without dot segments resolves to itself.
#[test]
fn resolution_is_stable() {
    for base in ["http://a/b/c/d;p?q", "file:///a/b", "ftp://u:p@h/x/y;type=a"] {
        for reference in ["g", "../g", "/g", "?y", "#s", "//h/x", ";x", "g;x?y#s", "./"] {
            let once = resolve_3986(base.as_bytes(), reference.as_bytes()).unwrap();
            assert_eq!(resolve_3986(base.as_bytes(), &once).unwrap().as_bstr(), once.as_bstr());
            let once = resolve_1808(base.as_bytes(), reference.as_bytes()).unwrap();
            assert_eq!(resolve_1808(base.as_bytes(), &once).unwrap().as_bstr(), once.as_bstr());
        }
    }
}

// G-OTHER-2
#[test]
fn other_urls_can_be_read_to_the_letter() {
    let literal = ParseOptions::new().level(Level::Rfc1738Ref).other_literal(true);
    let form = |text: &'static str| match Url::parse_with(text.as_bytes(), literal).map(|url| url.parts()) {
        Ok(Parts::Other(other)) => Ok(other.form()),
        Ok(_) => panic!("{text} has a scheme of its own"),
        Err(error) => Err(error.kind()),
    };
    assert_eq!(form("sqlite:///x"), Ok(OtherForm::Opaque));
    assert_eq!(form("https://h?q#f"), Ok(OtherForm::Opaque));
    assert_eq!(form("https://h/?q"), Ok(OtherForm::Ip));
    assert_eq!(form("foo://a b"), Err(ParseErrorKind::Space));
    assert_eq!(form("foo://a_b/~"), Err(ParseErrorKind::UnsafeGateway));
    // The ten schemes keep their own grammar (G-OTHER-1).
    assert!(Url::parse_with(b"http:x", literal).is_err());
}

// Parsing must take linear time. In quadratic time, these inputs would need minutes.
#[test]
fn long_inputs_are_linear() {
    let many = 200_000;
    for (prefix, unit) in [
        ("http://", "a."),
        ("ftp://", "a:"),
        ("ftp://", "@"),
        ("foo://", "1."),
        ("mailto:", "a."),
        ("mailto:%22", "%5C%22"),
        ("news:", "a@"),
        ("gopher://h/1", "%09"),
        ("prospero://h/", ";a=b"),
        ("http://h/", "../"),
        ("http://h/", "%41"),
        ("http://h/?", "é"),
        ("http://[", ":"),
    ] {
        let text = format!("{prefix}{}", unit.repeat(many));
        check(text.as_bytes());
        let _ = resolve_1808(b"http://a/b/c/d", &text.as_bytes()[prefix.len()..]);
        let _ = resolve_3986(b"http://a/b/c/d", &text.as_bytes()[prefix.len()..]);
    }
}
