//! The parser never panics. Its components make up its input, its errors point into the input, and
//! its entry points agree.
#![no_main]

use libfuzzer_sys::fuzz_target;
use urlgrep::url::{Generic, ParseOptions, judge};
use urlgrep::{Level, Url};

fuzz_target!(|input: &[u8]| {
    let verdict = judge(input, ParseOptions::default());
    let url = Url::parse(input);
    assert_eq!(url.map_or(Level::None, |url| url.level()), verdict.level);
    if let Err(error) = url {
        assert!(error.offset() <= input.len(), "{error:?}");
    }
    match Url::parse_at(Level::Rfc1738Ref, input) {
        Ok(url) => {
            assert_eq!(url.as_bstr(), input);
            let level = if url.fragment().is_some() { Level::Rfc1738Ref } else { Level::Rfc1738 };
            assert_eq!((verdict.level, verdict.error), (level, None));
            assert!(Url::parse_at(Level::Rfc1738, url.without_fragment()).is_ok());
        }
        Err(error) => {
            assert!(error.offset() <= input.len(), "{error:?}");
            assert!(verdict.error == Some(error) && verdict.level > Level::Rfc1738Ref);
            assert!(Url::parse_at(Level::Rfc1738, input).is_err());
        }
    }
    if let Some(generic) = Generic::parse(input) {
        let mut again = generic.scheme.to_vec();
        let mut part =
            |mark: &[u8], part: Option<&[u8]>| again.extend(part.into_iter().flat_map(|part| [mark, part].concat()));
        part(b":", Some(b""));
        part(b"//", generic.host.map(|_| &b""[..]));
        part(b"", generic.userinfo.map(|user| &**user));
        part(b"@", generic.userinfo.map(|_| &b""[..]));
        part(b"", generic.host.map(|host| &**host));
        part(b":", generic.port.map(|port| &**port));
        part(b"", Some(generic.path));
        part(b"?", generic.query.map(|query| &**query));
        part(b"#", generic.fragment.map(|fragment| &**fragment));
        assert_eq!(again, input, "{generic:?}");
    }
});
