//! RFC 1808: relative URLs and their resolution (the specification, sections 3.4 and 6).
//!
//! ```text
//! URL         = ( absoluteURL | relativeURL ) [ "#" fragment ]
//! generic-RL  = scheme ":" relativeURL
//! relativeURL = net_path | abs_path | rel_path
//! net_path    = "//" net_loc [ abs_path ]
//! abs_path    = "/"  rel_path
//! rel_path    = [ path ] [ ";" params ] [ "?" query ]
//! ```
//!
//! The grammar is ambiguous, so this file follows the parser of section 2.4 (G-1808-1). That parser
//! accepts any input. It does not distinguish empty components from absent ones (G-1808-4).

use bstr::{BStr, ByteSlice};

use super::error::{ParseError, ParseErrorKind};
use super::generic::{cut, cut_authority};
use super::lexical;
use super::scheme::{Base, Scheme};
use crate::bytes::class;

/// The components of a reference, absolute or relative, by RFC 1808 section 2.4.
///
/// # Examples
///
/// ```
/// use urlgrep::url::Reference;
///
/// let reference = Reference::parse(b"//h/a/b;p?q#f")?;
/// assert_eq!(reference.scheme(), "");
/// assert_eq!(reference.net_loc(), "h");
/// assert_eq!(reference.path(), "/a/b");
/// assert_eq!(reference.params(), "p");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reference<'a> {
    scheme: &'a [u8],
    /// `Some` if the text has `//`, even if the part after it is empty (R-1808-7).
    net_loc: Option<&'a [u8]>,
    path: &'a [u8],
    params: &'a [u8],
    query: &'a [u8],
    fragment: &'a [u8],
}

impl<'a> Reference<'a> {
    /// Parses a reference.
    ///
    /// # Errors
    ///
    /// Returns only lexical errors (the specification, section 1). No component can break another
    /// rule (G-1808-3, G-1808-6).
    ///
    /// # Complexity
    ///
    /// Linear, without allocation.
    pub fn parse(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Result<Reference<'a>, ParseError> {
        let bytes = text.as_ref();
        lexical::check(bytes, true)?;
        Ok(Reference::split(bytes))
    }

    /// Splits any bytes. Links that people write may hold raw blanks and tildes, but still have
    /// components.
    #[must_use]
    pub fn split(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Reference<'a> {
        let bytes = text.as_ref();
        // G-1808-1, in the order of section 2.4.
        let (rest, fragment) = cut(bytes, b'#');
        let colon = class::raw_run(rest, 0, class::SCHEME);
        // G-1808-5
        let (scheme, rest) = match rest.get(colon) {
            Some(b':') if colon > 0 => (&rest[..colon], &rest[colon + 1..]),
            _ => (&rest[..0], rest),
        };
        // G-1808-2
        let (net_loc, rest) = cut_authority(rest);
        let (rest, query) = cut(rest, b'?');
        let (path, params) = cut(rest, b';');
        let [params, query, fragment] = [params, query, fragment].map(Option::unwrap_or_default);
        Reference { scheme, net_loc, path, params, query, fragment }
    }

    /// Returns the scheme as written. It is empty if the reference has no scheme.
    #[must_use]
    pub fn scheme(&self) -> &'a BStr {
        self.scheme.as_bstr()
    }

    /// Returns login, host and port: the part between `//` and the next `/`. It may hold `? ; : @`
    /// (G-1808-2).
    #[must_use]
    pub fn net_loc(&self) -> &'a BStr {
        self.net_loc.unwrap_or_default().as_bstr()
    }

    /// Returns the path, with its first slash if it has one.
    #[must_use]
    pub fn path(&self) -> &'a BStr {
        self.path.as_bstr()
    }

    /// Returns the part after the first `;` of the path, without the query.
    #[must_use]
    pub fn params(&self) -> &'a BStr {
        self.params.as_bstr()
    }

    /// Returns the part after the first `?` that follows the net_loc, without the fragment.
    #[must_use]
    pub fn query(&self) -> &'a BStr {
        self.query.as_bstr()
    }

    /// Returns the part after the first `#`.
    #[must_use]
    pub fn fragment(&self) -> &'a BStr {
        self.fragment.as_bstr()
    }

    /// Returns whether the reference is empty, or has only a fragment.
    fn is_fragment_only(&self) -> bool {
        Reference { fragment: b"", ..*self } == Reference::default()
    }
}

/// Resolves a reference by RFC 1808, against an absolute URL or an empty base.
///
/// Neither argument is validated, so the result need not be a URL.
///
/// Surplus `..` stay, and so do all dot segments after a leading slash, as in `/./g`. RFC 3986
/// removes both ([`resolve_3986`](super::resolve_3986)).
///
/// # Errors
///
/// Returns [`ParseErrorKind::BaseNotAbsolute`] if the base is not empty and has no scheme. Returns
/// [`ParseErrorKind::BaseNotHierarchical`] if the base cannot be a base for relative paths
/// (R-1808-6). Examples are mailto, news, telnet and opaque URLs. An empty reference, or a
/// reference with only a fragment, is still resolved. The offset of these errors is 0.
///
/// # Complexity
///
/// Linear; one allocation.
///
/// # RFC
///
/// RFC 1808 section 4 (R-1808-1), with R-1808-5 and R-1808-7.
///
/// # Examples
///
/// ```
/// use urlgrep::url::resolve_1808;
///
/// let base = "http://a/b/c/d;p?q#f"; // or bytes
/// assert_eq!(resolve_1808(base, "../g")?, b"http://a/b/g");
/// assert_eq!(resolve_1808(base, "../../../g")?, b"http://a/../g");
/// # Ok::<(), urlgrep::ParseError>(())
/// ```
pub fn resolve_1808(
    base: &(impl AsRef<[u8]> + ?Sized),
    reference: &(impl AsRef<[u8]> + ?Sized),
) -> Result<Vec<u8>, ParseError> {
    let (base, reference) = (base.as_ref(), reference.as_ref());
    // Step 1
    if base.is_empty() {
        return Ok(reference.to_vec());
    }
    let from = Reference::split(base);
    if from.scheme.is_empty() {
        return Err(ParseError::new(ParseErrorKind::BaseNotAbsolute, Scheme::Other, base, 0));
    }
    // Step 2; a lone `?`, `;` or `#` is not an empty reference (R-1808-2).
    if reference.is_empty() {
        return Ok(base.to_vec());
    }
    let to = Reference::split(reference);
    if !to.scheme.is_empty() {
        return Ok(reference.to_vec());
    }
    let scheme = Scheme::from_bytes(from.scheme);
    if !to.is_fragment_only() && !is_hierarchical(&from, scheme, base) {
        return Err(ParseError::new(ParseErrorKind::BaseNotHierarchical, scheme, base, 0));
    }

    let mut target = Vec::with_capacity(base.len() + reference.len() + 2);
    target.extend_from_slice(from.scheme);
    target.push(b':');
    // Step 3
    let own_net_loc = !to.net_loc().is_empty();
    // R-1808-7: a net_loc keeps its `//`, even if it is empty.
    let net_loc = if own_net_loc { to.net_loc } else { from.net_loc.or(to.net_loc) };
    if let Some(net_loc) = net_loc {
        target.extend_from_slice(b"//");
        target.extend_from_slice(net_loc);
    }
    let path_start = target.len();
    let (mut params, mut query) = (to.params, to.query);
    if own_net_loc || to.path.starts_with(b"/") {
        // Step 4: the path stays as it is.
        target.extend_from_slice(to.path);
    } else if to.path.is_empty() {
        // Step 5; only an empty path keeps the base's params, such as a typecode (R-1808-4).
        target.extend_from_slice(from.path);
        if params.is_empty() {
            params = from.params;
            if query.is_empty() {
                query = from.query;
            }
        }
    } else {
        // Step 6; it never changes params and query (R-1808-3).
        let kept = memchr::memrchr(b'/', from.path).map_or(0, |slash| slash + 1);
        let path = [&from.path[..kept], to.path].concat();
        remove_dot_segments(&path, &mut target);
    }
    // R-1808-5: `net_path = "//" net_loc [ abs_path ]`, so a slash must follow the net_loc.
    let path = &target[path_start..];
    let glued = if path.is_empty() { !(params.is_empty() && query.is_empty()) } else { path[0] != b'/' };
    if net_loc.is_some() && glued {
        target.insert(path_start, b'/');
    }
    // Step 7
    for (delimiter, part) in [(b';', params), (b'?', query), (b'#', to.fragment)] {
        if !part.is_empty() {
            target.push(delimiter);
            target.extend_from_slice(part);
        }
    }
    Ok(target)
}

/// Returns whether relative paths can be resolved against this base (R-1808-6).
fn is_hierarchical(base: &Reference<'_>, scheme: Scheme, bytes: &[u8]) -> bool {
    match scheme.row().base {
        Base::Never => false,
        Base::Always => true,
        Base::WhereItFits => {
            !base.net_loc().is_empty() && !base.path.starts_with(b"//") && lexical::check(bytes, true).is_ok()
        }
        Base::WhereItHasSlashes => base.net_loc.is_some() || base.path.contains(&b'/'),
    }
}

/// Appends a path to `target`. Drops `.` segments, and each pair of a segment and `..` (step 6, a
/// to d).
///
/// A stack of segments gives the same result as repeated removal of the leftmost pair. It takes
/// linear time, because each byte is pushed and popped at most once. The first slash of a path is
/// not a segment, and is never popped.
fn remove_dot_segments(path: &[u8], target: &mut Vec<u8>) {
    let absolute = path.starts_with(b"/");
    if absolute {
        target.push(b'/');
    }
    let root = target.len();
    let mut segments = path[usize::from(absolute)..].split(|&byte| byte == b'/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            b"." => continue,
            b".." if pop(target, root) => continue,
            _ => target.extend_from_slice(segment),
        }
        if !last {
            target.push(b'/');
        }
    }
}

/// Removes the last segment and the slash after it, unless there is no segment or the last one is
/// `..`. Returns whether it removed a segment.
fn pop(target: &mut Vec<u8>, root: usize) -> bool {
    // Every segment in `target` ends with a slash.
    let Some((_, segments)) = target[root..].split_last() else { return false };
    let start = memchr::memrchr(b'/', segments).map_or(0, |slash| slash + 1);
    if &segments[start..] == b".." {
        return false;
    }
    target.truncate(root + start);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(base: &str, reference: &str) -> Result<String, &'static str> {
        match resolve_1808(base.as_bytes(), reference.as_bytes()) {
            Ok(target) => Ok(String::from_utf8(target).unwrap()),
            Err(error) => Err(error.kind().as_str()),
        }
    }

    // R-1808-5, R-1808-7
    #[test]
    fn authorities_stay_apart_from_paths() {
        for (base, reference, expected) in [
            ("http://a", "g/../h", "http://a/h"),
            ("http://a", "..", "http://a/.."),
            ("http://a", "?y", "http://a/?y"),
            ("http://a;p", "#f", "http://a;p#f"),
            ("http://a/b", "//", "http://a/b"),
            ("http://a/b", "///x", "http://a/x"),
            ("file://", "g", "file:///g"),
            ("file:///a", "//", "file:///a"),
            ("http:a", "g", "http:g"),
        ] {
            assert_eq!(resolved(base, reference).as_deref(), Ok(expected), "{base} + {reference}");
        }
    }

    // R-1808-6
    #[test]
    fn bases_without_a_path_are_refused() {
        for base in "mailto:a@b NEWS:x telnet://h/ urn:a:b gopher:x gopher://h//x wais://h/~ prospero://h//p".split(' ')
        {
            for reference in ["x", "/x", "//h/x", "?y", ";x", "../x"] {
                assert_eq!(resolved(base, reference), Err("base-not-hierarchical"), "{base} + {reference}");
            }
            assert_eq!(resolved(base, "").as_deref(), Ok(base));
            assert_eq!(resolved(base, "#f"), Ok(format!("{base}#f")));
            assert_eq!(resolved(base, "g:h").as_deref(), Ok("g:h"));
        }
        for base in ["gopher://h/0a/b", "wais://h/a/b", "prospero://h/a/b", "g:a/b", "x-y://h/a/b", "nntp:a/b"] {
            assert!(resolved(base, "c").is_ok(), "{base}");
        }
        for base in ["a/b", "//h/p", ":x", "a_b:c", "#f"] {
            for reference in ["x", "", "g:h", "#f"] {
                assert_eq!(resolved(base, reference), Err("base-not-absolute"), "{base} + {reference}");
            }
        }
        let message = resolve_1808(b"telnet://h", b"x").unwrap_err().to_string();
        assert_eq!(message, "a telnet URL cannot be a base for a relative path (R-1808-6)");
        let message = resolve_1808(b"urn:x", b"x").unwrap_err().to_string();
        assert_eq!(message, "an opaque URL cannot be a base for a relative path (R-1808-6)");
    }

    /// Runs (a) to (d) of step 6 word for word. Each search begins at the first segment again.
    fn naive_step_6(path: &str) -> String {
        let mut segments: Vec<&str> = path.split('/').collect();
        // A leading slash makes an empty first piece, which is not a segment.
        let root = usize::from(path.starts_with('/'));
        let is_dot = |index: usize, segments: &[&str]| index >= root && segments[index] == ".";
        while let Some(index) = (0..segments.len() - 1).find(|&index| is_dot(index, &segments)) {
            segments.remove(index);
        }
        let last = segments.len() - 1;
        if is_dot(last, &segments) {
            segments[last] = "";
        }
        let pair = |index: usize, segments: &[&str]| {
            index >= root && segments[index] != ".." && segments.get(index + 1) == Some(&"..")
        };
        while let Some(index) =
            (0..segments.len() - 1).find(|&index| pair(index, &segments) && index + 2 < segments.len())
        {
            segments.drain(index..index + 2);
        }
        if segments.len() >= 2 && pair(segments.len() - 2, &segments) {
            segments.truncate(segments.len() - 2);
            segments.push("");
        }
        segments.join("/")
    }

    // Tests all paths of up to six segments from a small alphabet.
    #[test]
    fn the_stack_does_what_the_steps_say() {
        let alphabet = ["", ".", "..", "a", "..."];
        let mut count = 0;
        for length in 1..=6u32 {
            for code in 0..alphabet.len().pow(length) {
                let path: Vec<&str> = (0..length).map(|place| alphabet[code / 5usize.pow(place) % 5]).collect();
                let path = path.join("/");
                let mut target = b"x:".to_vec();
                remove_dot_segments(path.as_bytes(), &mut target);
                assert_eq!(target[2..].as_bstr(), naive_step_6(&path), "{path}");
                count += 1;
            }
        }
        assert_eq!(count, 5 + 25 + 125 + 625 + 3125 + 15625);
    }
}
