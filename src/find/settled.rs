//! What is settled of a doubtful text before its readings are judged: they differ by hyphens alone (W-HYPH-2).
//!
//! No grammar delimits a component by a hyphen. So what is refused for a delimiter, or before the first hyphen in doubt, is
//! refused in all readings, and so is a byte for which a grammar has no place. To judge eight readings takes ten times as long
//! as to find them. Tests hold what is said here against all readings of random texts.

use std::cell::OnceCell;

use crate::bytes::class;
use crate::find::judge::{self, Judge, Rank, host, is_name, scheme};
use crate::find::schemes;
use crate::url::{self, Generic, ParseOptions, Verdict};
use crate::{Level, ParseError, ParseErrorKind};

/// What all readings of a text have in common.
#[derive(Clone, Debug)]
pub(crate) struct Settled {
    /// How many bytes at the beginning are the same.
    same: usize,
    /// And at the end: no hyphen of those is in doubt.
    same_end: usize,
    /// The length of the scheme of the text with all its hyphens.
    name: usize,
    /// `//` follows the scheme in all readings. Else it may come of a hyphen less, and with it an authority.
    has_slashes: bool,
    /// All hyphens in doubt stand in the name of the scheme.
    is_of_name: bool,
    /// None has a scheme.
    is_schemeless: bool,
    /// None has one of K.
    is_foreign: bool,
    /// All are ASCII, or none is.
    is_ascii: bool,
    options: ParseOptions,
    /// What the later grammars refuse is none of RFC 1738, and neither is what has an odd host; once that was asked.
    is_strict: OnceCell<bool>,
    /// The level that the later grammars give the reading that was asked about, and whether none is a URL, likewise.
    generic: OnceCell<(Level, bool)>,
}

impl Settled {
    /// Of the text with all its hyphens; those in doubt stand at `hyphens`.
    pub(crate) fn of(text: &[u8], hyphens: &[usize], options: ParseOptions) -> Settled {
        let same = hyphens.first().map_or(text.len(), |&hyphen| hyphen);
        let name = scheme(text);
        Settled {
            same,
            same_end: hyphens.last().map_or(text.len(), |&hyphen| text.len() - hyphen - 1),
            name: name.len(),
            has_slashes: name.len() + 3 <= same && text[name.len()..].starts_with(b"://"),
            is_of_name: hyphens.last().is_some_and(|&hyphen| hyphen < name.len()),
            is_schemeless: name.is_empty() || !name.iter().all(|&byte| schemes::is_scheme_byte(byte)),
            // No name of K has a hyphen.
            is_foreign: !schemes::is_key_of_k(schemes::key_without_hyphens(name)),
            is_ascii: text.is_ascii(),
            options,
            is_strict: OnceCell::new(),
            generic: OnceCell::new(),
        }
    }

    /// No reading ranks better.
    pub(crate) fn best(&self) -> Rank {
        Rank::best(if self.is_ascii { Level::Rfc1738Ref } else { Level::Iri }, self.is_foreign)
    }

    /// No reading ranks better that RFC 1738 refuses.
    pub(crate) fn best_generic(&self) -> Rank {
        Rank::best(if self.is_ascii { Level::Rfc3986 } else { Level::Iri }, self.is_foreign)
    }

    /// True only if a reading with an odd host ranks no better than `best`; `url` is one of the readings.
    pub(crate) fn is_odd_no_better(&self, url: &[u8], best: Rank) -> bool {
        if self.is_ascii { best.level <= Level::Rfc3986 && self.is_strict(url) } else { best.level <= Level::Iri }
    }

    /// True only if what the later grammars refuse is none of RFC 1738 in all readings, and neither is what has an odd host
    /// ([`judge::is_strict`]); `url` is one of them.
    pub(crate) fn is_strict(&self, url: &[u8]) -> bool {
        *self.is_strict.get_or_init(|| judge::is_strict(url, self.same, self.options))
    }

    /// True only if no reading is a URL; `url` is one of them.
    pub(crate) fn is_none(&self, url: &[u8]) -> bool {
        let generic = || match Generic::parse_or_misfit(url) {
            Ok(generic) => (generic.level(), false),
            Err(misfit) => (Level::None, is_spoilt(url) || self.fits_nowhere(url, misfit) && self.is_strict(url)),
        };
        self.is_schemeless || self.generic.get_or_init(generic).1
    }

    /// False only if no reading is a URL of RFC 3986 or stricter; `url` is one of them.
    pub(crate) fn may_be_rfc3986(&self, url: &[u8]) -> bool {
        self.is_ascii && !self.is_none(url)
    }

    /// The verdict on the text with all its hyphens, if no other reading was asked about.
    pub(crate) fn verdict(&self, text: &[u8], judge: &Judge) -> Verdict {
        self.generic.get().map_or_else(|| judge.verdict(text), |&(level, _)| judge.verdict_with(text, level))
    }

    /// No reading has a scheme: none is a URL.
    pub(crate) fn is_schemeless(&self) -> bool {
        self.is_schemeless
    }

    /// True only if no reading ranks better than `url`, which is one of them.
    pub(crate) fn is_best(&self, url: &[u8], rank: Rank, verdict: &Verdict) -> bool {
        if rank <= self.best() || self.is_schemeless {
            return true;
        }
        let (same, scheme) = (self.same, self.name);
        if verdict.level == Level::None && self.is_none(url) {
            return true;
        }
        if scheme >= same {
            return self.is_of_name && self.is_foreign && verdict.level != Level::None;
        }
        let slash = self.slash(url);
        let has_place = |byte: u8| class::XCHAR.contains(byte) || b"#%[]".contains(&byte);
        // An address is refused as a whole.
        let is_before_slash = |at: usize| slash.is_some_and(|slash| at < slash) && !schemes::is_opaque(&url[..scheme]);
        let stands = |at: usize| is_before_slash(at) || url.get(at).is_some_and(|&byte| !has_place(byte));
        let has_slashes = self.has_slashes;
        let lacks_marks = |error: ParseError| match error.kind() {
            ParseErrorKind::NotAddrSpec => memchr::memchr2(b'@', b'%', url).is_none(),
            ParseErrorKind::MissingSlashes => !url[scheme + 1..].iter().filter(|&&byte| byte != b'-').take(2).eq(b"//"),
            _ => false,
        };
        let is_no_rfc1738 = || {
            verdict.error.is_none_or(|error| {
                has_slashes && is_of_delimiters(url, error) || lacks_marks(error) || stands(error.offset())
            })
        };
        // The later grammars refuse these, too.
        let is_refused_anyway = |error: ParseError| match error.kind() {
            ParseErrorKind::EmptyHost => error.offset() < same && url::needs_host(&url[..scheme]),
            // A user with a `?` is RFC 1738's alone.
            ParseErrorKind::BadPortChar => {
                is_of_delimiters(url, error) && memchr::memchr(b'?', &url[..error.offset()]).is_none()
            }
            _ => false,
        };
        match verdict.level {
            Level::None => {
                let is_refused = has_slashes && verdict.error.is_some_and(is_refused_anyway);
                if self.is_strict(url) {
                    is_refused
                } else {
                    let fits_nowhere = |misfit| self.fits_nowhere(url, misfit);
                    is_no_rfc1738() && (is_refused || Generic::parse_or_misfit(url).is_err_and(fits_nowhere))
                }
            }
            _ => (slash.is_some() || !rank.odd_host) && is_no_rfc1738(),
        }
    }

    /// False only if no reading is an angle URL ([`Judge::is_angle_url`](super::judge::Judge::is_angle_url)); `url` has all hyphens:
    /// no hyphen brings a letter into a host, nor an address.
    pub(crate) fn may_be_angle_url(&self, url: &[u8]) -> bool {
        let name = &url[..self.name];
        let is_scheme = |of: &[u8]| name.eq_ignore_ascii_case(of);
        let may_be_named = |host: &[u8]| is_name(host) || is_scheme(b"file") || memchr::memchr(b'[', host).is_some();
        if self.has_slashes && !host(url).is_none_or(may_be_named) {
            return false;
        }
        let is_mailto = name.len() < self.same && is_scheme(b"mailto");
        let may_be_address = !is_mailto || memchr::memchr2(b'@', b'%', url).is_some();
        may_be_address && !self.is_none(url)
    }

    /// The last `/` after an authority that is the same in all readings.
    fn slash(&self, url: &[u8]) -> Option<usize> {
        let path = if self.has_slashes { self.name + 3..self.same } else { return None };
        memchr::memrchr(b'/', &url[path.clone()]).map(|slash| path.start + slash)
    }

    /// True only if the later grammars refuse all readings, for a byte that fits no part: no hyphen brings it to another one. But
    /// a hyphen may break an escape, stand in an IP literal, or be all of a host. `misfit` is where they refuse `url`, one of the
    /// readings.
    fn fits_nowhere(&self, url: &[u8], misfit: usize) -> bool {
        // A hyphen is one in a port: what else is in it?
        let is_in_doubt = |at: usize| url[at] == b'-' && at + self.same_end < url.len();
        let is_of_port = |&at: &usize| url[at].is_ascii_digit() || is_in_doubt(at);
        let is_in_port = url.get(misfit) == Some(&b'-');
        let misfit = misfit + (misfit..url.len()).take_while(|at| is_in_port && is_of_port(at)).count();
        let Some(&byte) = url.get(misfit) else { return false };
        let is_before_slash = || self.slash(url).is_some_and(|slash| misfit < slash);
        let is_no_delimiter = || {
            !b"%/?#".contains(&byte) && !is_in_doubt(misfit) && memchr::memchr(b'[', url).is_none() && self.has_slashes
        };
        byte.is_ascii() && (is_no_delimiter() || is_before_slash())
    }
}

/// Whether RFC 1738 refuses a URL for a delimiter that it has or lacks, or for a byte other than a hyphen: no hyphen less can
/// mend that. But for what is a number, and for the `;` of half a `;type=`.
fn is_of_delimiters(url: &[u8], error: ParseError) -> bool {
    use ParseErrorKind::*;
    match error.kind() {
        UserinfoNotAllowed | UserinfoAt | UserinfoColon | PortNotAllowed | EmptyPort => true,
        EmptyHost | BadHostChar | EmptyLabel => true,
        MissingPathSlash | MissingPath | BadSearchChar | MissingWpath | MissingFieldEquals | BadFieldChar => true,
        BadPortChar => {
            let after = url[error.offset()..].iter().find(|byte| !byte.is_ascii_digit() && **byte != b'-');
            after.is_some_and(|byte| !b"/?#;:".contains(byte))
        }
        BadPathChar => url.get(error.offset()) != Some(&b';'),
        _ => false,
    }
}

/// Whether a byte that no grammar knows keeps a text from being a URL, one `#` or square bracket too many, a bracket that opens no
/// IP literal, or a `%` that begins no escape, whatever hyphens go.
fn is_spoilt(url: &[u8]) -> bool {
    let (mut hashes, mut openers, mut closers) = (0, 0, 0);
    let begins_escape = |at: usize| {
        let mut rest = url[at + 1..].iter().filter(|&&byte| byte != b'-');
        (0..2).all(|_| rest.next().is_some_and(u8::is_ascii_hexdigit))
    };
    let begins_host = |at: usize| {
        let before = url[..at].iter().rev().find(|&&byte| byte != b'-');
        before.is_some_and(|before| matches!(before, b'/' | b'@'))
    };
    let has_place = url.iter().enumerate().all(|(at, &byte)| match byte {
        b'#' => {
            hashes += 1;
            true
        }
        b'[' => {
            openers += 1;
            begins_host(at)
        }
        b']' => {
            closers += 1;
            true
        }
        b'%' => begins_escape(at),
        0x80.. => true,
        _ => class::QUERY.contains(byte),
    });
    !has_place || hashes > 1 || openers > 1 || openers != closers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::judge::{has_odd_host, is_strict};

    /// Of news and mailto what looks like an odd host is part of an address.
    #[test]
    fn an_odd_host_that_is_none() {
        for url in [&b"news://-/a.b.-a@a"[..], b"mailto://-/@a"] {
            assert!(has_odd_host(url) && url::is_rfc1738(url, Default::default()));
            assert!(!is_strict(url, url.len(), Default::default()));
        }
    }

    /// What RFC 1738 takes and the later grammars refuse is no strict text.
    #[test]
    fn some_urls_are_taken_by_rfc_1738_alone() {
        const PARTS: [&str; 24] = [
            "http://", "https://", "https:", "ftp://", "news:", "mailto:", "x://", "1x:", "file://", "//", "a.b",
            "a@b", "/", "?", "#", "@", ":", "%41", "1", ";", "(", "[", "]", "-",
        ];
        let mut random = fastrand::Rng::with_seed(1738);
        let mut alone = 0;
        for _ in 0..100_000 {
            let url: String = (0..1 + random.usize(..6)).map(|_| PARTS[random.usize(..PARTS.len())]).collect();
            let url = url.as_bytes();
            if url::is_rfc1738(url, Default::default()) && Generic::parse(url).is_none() {
                assert!(!is_strict(url, url.len(), Default::default()), "{}", String::from_utf8_lossy(url));
                alone += 1;
            }
        }
        assert!(alone > 400, "{alone}");
    }
}
