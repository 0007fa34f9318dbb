//! `--host` and `--host-file`: the hosts to keep, and the hosts to drop.
//!
//! A list may have thousands of lines. Names are looked up in a map. Globs such as `*.cern.ch` are
//! looked up in a map, too, by the ends of a host. Other globs are compared only with hosts that
//! contain their longest run of letters, which one automaton finds.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use globset::GlobBuilder;
use sha2::{Digest, Sha256};

use super::host_globs::{HostGlobs, HostGlobsBuilder};
use super::walk::path_bytes;

/// The items of all lists. The last item that matches a host decides. A host without a matching
/// item is wanted if every item is an exclusion. Items of files come before those of `--host`.
#[derive(Clone, Debug)]
pub(crate) struct HostChoice {
    /// The names, in lower case.
    names: HashMap<Vec<u8>, HostItem>,
    globs: HostGlobs<HostItem>,
    /// At least one item is not an exclusion, or there is no item. A host without a matching item
    /// is then not wanted.
    asks: bool,
    /// The digest of the items of files, if there are files.
    digest: Option<String>,
}

/// The decision of an item for the hosts that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HostItem {
    number: usize,
    is_wanted: bool,
}

/// An item that is not valid: its place, and the reason.
#[derive(Debug)]
pub(crate) struct HostError {
    pub(crate) place: Vec<u8>,
    pub(crate) why: String,
}

impl HostChoice {
    /// Compiles the lists of `--host` and the files of `--host-file`; `-` is standard input.
    /// Returns `None` if there are neither.
    pub(crate) fn new(lists: &[String], files: &[PathBuf]) -> Result<Option<Self>, HostError> {
        if lists.is_empty() && files.is_empty() {
            return Ok(None);
        }
        let mut builder = HostChoiceBuilder {
            names: HashMap::new(),
            globs: HostGlobsBuilder::default(),
            asks: false,
            number: 0,
            items: Vec::new(),
        };
        for path in files {
            builder.add_file(path)?;
        }
        let digest = (!files.is_empty()).then(|| {
            Sha256::digest(&builder.items).iter().fold("sha256:".to_owned(), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            })
        });
        let refused = |why| HostError { place: b"--host".to_vec(), why };
        for item in lists.iter().flat_map(|list| items(list)) {
            builder.add(item).map_err(refused)?;
        }
        let HostChoiceBuilder { names, globs, asks, number, .. } = builder;
        let globs = globs.build().map_err(refused)?;
        // A file without items selects no host.
        Ok(Some(Self { asks: asks || number == 0, names, globs, digest }))
    }

    /// Returns true if every host is excluded, as by `!*`.
    pub(crate) fn refuses_all(&self) -> bool {
        // A list of exclusions that excludes these excludes all.
        const STRANGERS: [&[u8]; 4] = [b"a.example", b"x--y.invalid", b"localhost", b"192.0.2.1"];
        !self.asks && STRANGERS.iter().all(|host| !self.wants(Some(host)))
    }

    /// Returns true if a host, given without its port, is wanted. For `None`, returns whether URLs
    /// without a host are wanted.
    pub(crate) fn wants(&self, host: Option<&[u8]>) -> bool {
        let Some(host) = host else { return !self.asks };
        let lower = match std::str::from_utf8(host) {
            Ok(host) if !host.is_ascii() => host.to_lowercase().into_bytes(),
            _ => host.to_ascii_lowercase(),
        };
        let last = self.globs.last(&lower).max(self.names.get(&lower).copied());
        last.map_or(!self.asks, |item| item.is_wanted)
    }

    /// Returns the digest that distinguishes lists of `--host-file`, regardless of their comments.
    pub(crate) fn digest(&self) -> Option<&str> {
        self.digest.as_deref()
    }
}

struct HostChoiceBuilder {
    names: HashMap<Vec<u8>, HostItem>,
    globs: HostGlobsBuilder<HostItem>,
    asks: bool,
    number: usize,
    /// All items so far, one per line.
    items: Vec<u8>,
}

impl HostChoiceBuilder {
    /// Adds the lines of a file. Each line has at most one item, and a comment may follow after
    /// `#`.
    fn add_file(&mut self, path: &Path) -> Result<(), HostError> {
        let mut list = Vec::new();
        let read = match path.as_os_str() == "-" {
            true => io::stdin().lock().read_to_end(&mut list).map(drop),
            false => std::fs::read(path).map(|bytes| list = bytes),
        };
        read.map_err(|error| HostError { place: path_bytes(path), why: error.to_string() })?;
        // Some editors begin UTF-8 files with a byte order mark.
        let list = list.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&list);
        for (number, line) in list.split(|&byte| byte == b'\n').enumerate() {
            let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
            let added = match std::str::from_utf8(line) {
                Ok("") => Ok(()),
                Ok(item) => self.add(item),
                Err(_) => Err("is not UTF-8; save the list as UTF-8".to_owned()),
            };
            added.map_err(|why| {
                let place = [&path_bytes(path)[..], format!(":{}", number + 1).as_bytes()].concat();
                HostError { place, why }
            })?;
        }
        Ok(())
    }

    /// Adds `HOST` or `GLOB`, optionally after `!`.
    fn add(&mut self, text: &str) -> Result<(), String> {
        let (host, is_wanted) = text.strip_prefix('!').map_or((text, true), |host| (host, false));
        if host.is_empty() {
            return Err("a host is missing; write a name or a glob, after '!' to exclude it".to_owned());
        }
        if host.contains(char::is_whitespace) {
            return Err(format!("'{text}' holds a blank; write the host by itself"));
        }
        if let Some(name) = host.strip_prefix('.') {
            return Err(format!("'{text}' begins with a dot; write {name},*.{name} for a host and those below it"));
        }
        if host.contains('/') {
            let host = host.split_once("://").map_or(host, |(_, rest)| rest);
            let host = host.split('/').next().unwrap_or_default();
            return Err(format!("'{text}' holds a '/'; write the host by itself: {host}"));
        }
        let item = HostItem { number: self.number, is_wanted };
        self.number += 1;
        self.asks |= is_wanted;
        self.items.extend_from_slice(text.as_bytes());
        self.items.push(b'\n');
        // globset ignores case only in ASCII, but a host may be `MÜNCHEN.example`.
        let host = host.to_lowercase();
        // The bracket of an IP literal does not begin a character class.
        let address =
            host.strip_prefix('[').filter(|rest| rest.split(']').next().is_some_and(|rest| rest.contains(':')));
        let glob = address.unwrap_or(&host);
        if !glob.contains(['*', '?', '[', '{', '\\']) {
            self.names.insert(host.into_bytes(), item);
        } else if let Some(globs) = without_braces(&host).filter(|_| !glob.contains(['[', '\\'])) {
            globs.iter().for_each(|glob| self.globs.add_stars(glob.as_bytes(), item));
        } else {
            let glob = address.map_or(host.clone(), |rest| format!("[[]{rest}"));
            // `*` and `?` match dots.
            let glob = GlobBuilder::new(&glob).literal_separator(false).build();
            self.globs.add_glob(glob.map_err(|error| error.to_string())?, item);
        }
        Ok(())
    }
}

/// Expands `*.{com,org}` into `*.com` and `*.org`. Returns `None` if braces are nested or unclosed,
/// have an empty choice, or have too many choices.
fn without_braces(glob: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = glob.split_once('{') else {
        return (!glob.contains('}')).then(|| vec![glob.to_owned()]);
    };
    let (inner, after) = rest.split_once('}')?;
    let after = without_braces(after)?;
    let choices: Vec<&str> = inner.split(',').collect();
    let is_plain = !inner.contains('{') && !before.contains('}') && choices.iter().all(|choice| !choice.is_empty());
    // More choices would add too many globs for one item; globset handles those as one.
    (is_plain && choices.len() * after.len() <= 100).then(|| {
        let all = choices.iter().flat_map(|choice| after.iter().map(move |after| format!("{before}{choice}{after}")));
        all.collect()
    })
}

/// Splits a list into its items, at commas outside braces.
fn items(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    list.split(move |character| {
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return true,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wants(list: &str, host: &str) -> bool {
        let choice = HostChoice::new(&[list.to_owned()], &[]).unwrap().unwrap();
        choice.wants(Some(host.as_bytes()))
    }

    #[test]
    fn globs_hold_for_hosts() {
        type Hosts = &'static [&'static str];
        let cases: &[(&str, Hosts, Hosts)] = &[
            // A plain name matches only itself.
            ("cern.ch", &["cern.ch", "CERN.ch"], &["info.cern.ch", "cern.ch.example", "cernxch"]),
            ("CERN.ch", &["cern.CH"], &[]),
            ("cern", &[], &["cern.ch"]),
            // Stars match dots.
            ("*.cern.ch", &["a.b.cern.ch"], &["cern.ch"]),
            ("*", &["any.host"], &[]),
            ("www.*", &["www.a.b"], &[]),
            ("*.{com,org}", &["a.org"], &["a.net"]),
            // Case is also ignored outside ASCII. Escapes are compared as written.
            ("münchen.example", &["MÜNCHEN.example"], &["m%C3%BCnchen.example"]),
            ("*.РФ", &["почта.рф"], &[]),
            ("m%c3%bcnchen", &["m%C3%BCnchen"], &["münchen"]),
            // IP literals are not character classes.
            ("[::1]", &["[::1]"], &[":"]),
            ("[FE80::*", &["[fe80::1]"], &[]),
            ("[fe80::*]", &["[fe80::1]"], &[]),
            ("[ab].example", &["a.example"], &[]),
            // Alternatives, classes, escapes.
            ("{a,b*}.{x,y}.{com,org}", &["a.x.org", "bc.y.com"], &["ac.x.org", "a.z.org", "{a.x.org"]),
            ("a{b,{c,d}}.x", &["ab.x", "ac.x", "ad.x"], &["a.x", "abc.x"]),
            ("*{ab,}c", &["xabc"], &["xab"]),
            ("a[0-9]*.x", &["a1b.x"], &["ab.x"]),
            ("a\\*.x", &["a*.x"], &["ab.x"]),
            ("*a*b?c", &["xabbzc", "aaabxc"], &["xabc", "bac"]),
            // Lists.
            ("a.example,*.{com,org},[::1]", &["a.example", "b.com", "b.org", "[::1]"], &["b.net", "org}"]),
        ];
        for &(glob, hosts, others) in cases {
            for (&host, holds) in hosts.iter().map(|host| (host, true)).chain(others.iter().map(|host| (host, false))) {
                assert_eq!(wants(glob, host), holds, "{glob} {host}");
            }
        }
    }

    #[test]
    fn the_last_that_holds_counts() {
        for (list, wanted, others) in [
            ("!b.example", &["a.example"][..], &["b.example", "B.example"][..]),
            ("!*.example", &["a.net"], &["b.example"]),
            ("*.example,!b.example", &["a.example"], &["b.example", "a.net"]),
            ("!b.example,*.example", &["a.example", "b.example"], &["a.net"]),
            ("!*.example,b.example", &["b.example"], &["a.example", "a.net"]),
            ("*.example,!*.b.example,a.b.example", &["x.example", "a.b.example"], &["b.b.example"]),
            ("a.example,!a.example", &[], &["a.example", "b.example"]),
        ] {
            for (&host, is_wanted) in
                wanted.iter().map(|host| (host, true)).chain(others.iter().map(|host| (host, false)))
            {
                assert_eq!(wants(list, host), is_wanted, "{list} {host}");
            }
            let choice = HostChoice::new(&[list.to_owned()], &[]).unwrap().unwrap();
            let asks = list.split(',').any(|item| !item.starts_with('!'));
            assert_eq!(choice.wants(None), !asks, "{list}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_do_not_panic() {
        let choice = |list: &str| HostChoice::new(&[list.to_owned()], &[]).unwrap().unwrap();
        assert!(!choice("a").wants(Some(b"\xFF")));
        assert!(choice("*").wants(Some(b"\xFF")));
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for (list, word) in [
            ("a{b", "a{b"),
            ("*a}b", "*a}b"),
            ("", "missing"),
            ("a,,b", "missing"),
            ("!", "missing"),
            ("a b", "blank"),
            ("http://a.example/x", "itself: a.example"),
        ] {
            let error = HostChoice::new(&[list.to_owned()], &[]).unwrap_err();
            assert!(error.place == b"--host" && error.why.contains(word), "{list}: {error:?}");
        }
    }
}
