"""Judges one URL: the error by RFC 1738 (sections 0 to 3) and the level that it reaches (section 8).

    error(url, fragments=True) -> None or (kind, offset)
    level(url) -> 0 for rfc1738 and rfc1738-ref, 1 for rfc3986, 2 for iri, 3 for none
"""
import ipaddress
import re
import unicodedata

import letters

K = frozenset("ftp http gopher mailto news nntp telnet wais file prospero https".split())
RFC1738, RFC3986, IRI, NONE = 0, 1, 2, 3
HEX = re.compile(rb"[0-9A-Fa-f]{2}")
UCHAR = rb"A-Za-z0-9$\-_.+!*'(),%"
ANY = UCHAR + rb";/?:@&="


class Wrong(Exception):
    """Carries the kind and the offset of an error."""


def fail(kind, offset):
    raise Wrong(kind, offset)


def first_not(allowed, text):
    """Returns the offset of the first byte outside a class, or None."""
    found = re.search(rb"[^" + allowed + rb"]", text)
    return found.start() if found else None


def lexical(url, fragments):
    """Checks G-LEX and G-FRAG, and finds the leftmost byte that no URL may hold."""
    hashes = 0
    for at, byte in enumerate(url):
        if byte < 0x20 or byte == 0x7F:
            fail("control-char", at)
        if byte == 0x20:
            fail("space", at)
        if byte >= 0x80:
            fail("non-ascii", at)
        if byte in b'<>"':
            fail("unsafe-delimiter", at)
        if byte in b"{}|\\^~[]`":
            fail("unsafe-gateway", at)
        if byte == 0x25 and not HEX.match(url, at + 1):
            tail = url[at + 1:at + 3]
            fail("truncated-escape" if len(tail) < 2 and re.fullmatch(rb"[0-9A-Fa-f]*", tail) else "bad-escape", at)
        if byte == 0x23:
            hashes += 1
            if not fragments:
                fail("fragment-not-allowed", at)
            if hashes == 2:
                fail("unencoded-hash", at)


def host(text, at, search=False):
    """Checks the labels of a host (G-HOST)."""
    if not text:
        fail("empty-host", at)
    bad = first_not(rb"A-Za-z0-9.\-", text)
    if bad is not None:
        fail("missing-path-slash" if search and text[bad:bad + 1] == b"?" else "bad-host-char", at + bad)
    begin = at
    labels = text.split(b".")
    for label in labels:
        if not label:
            fail("empty-label", begin)
        if label[:1] == b"-":
            fail("label-hyphen", begin)
        if label[-1:] == b"-":
            fail("label-hyphen", begin + len(label) - 1)
        begin += len(label) + 1
    if labels[-1][:1].isdigit() and not re.fullmatch(rb"\d+\.\d+\.\d+\.\d+", text):
        fail("bad-toplabel", at + len(text) - len(labels[-1]))


def hostport(text, at, search=False, port=True):
    """Checks a host and a port (G-PORT)."""
    name, colon, digits = text.partition(b":")
    host(name, at, search)
    if colon:
        at += len(name)
        if not port:
            fail("port-not-allowed", at)
        if not digits:
            fail("empty-port", at + 1)
        bad = first_not(rb"0-9", digits)
        if bad is not None:
            fail("missing-path-slash" if search and digits[bad:bad + 1] == b"?" else "bad-port-char", at + 1 + bad)


def authority(scheme, rest, at, ends=b"/", login=False, search=False, port=True, empty=False):
    """Checks `//` and what follows it up to the path. Returns the rest and its offset."""
    if rest[:2] != b"//":
        fail("missing-slashes", at)
    found = re.search(rb"[" + ends + rb"]", rest[2:])
    end = found.start() + 2 if found else len(rest)
    text = rest[2:end]
    if b"@" in text:
        if not login:
            fail("userinfo-not-allowed", at + 2)
        if text.count(b"@") > 1:
            fail("userinfo-at", at + 2 + text.index(b"@"))
        user, text = text.split(b"@")
        if user.count(b":") > 1:
            fail("userinfo-colon", at + 2 + user.index(b":", user.index(b":") + 1))
        bad = first_not(UCHAR + rb";?&=:", user)
        if bad is not None:
            fail("bad-host-char", at + 2 + bad)
        at += len(user) + 1
    if not port and text[:1] == b":":
        fail("port-not-allowed", at + 2)
    if text or not empty:
        hostport(text, at + 2, search, port)
    return rest[end:], at + 2 + len(text)


def characters(kind, allowed, text, at):
    """Checks that a component holds only allowed characters."""
    bad = first_not(allowed, text)
    if bad is not None:
        fail(kind, at + bad)


def group(text, at):
    """Checks the name of a news group (G-NEWS-3)."""
    if not text:
        fail("empty-group", at)
    if not re.match(rb"[A-Za-z]", text):
        fail("bad-group-char", at)
    characters("bad-group-char", rb"A-Za-z0-9\-.+_", text, at)


ATOM = rb"[^\x00-\x20()<>@,;:\\\".\[\]\x7f-\xff]+"
QUOTED = rb'"(?:[^"\\\r\x80-\xff]|\\[\x00-\x7f])*"'
WORD = rb"(?:" + ATOM + rb"|" + QUOTED + rb")"
SUB = rb"(?:" + ATOM + rb"|\[(?:[^\[\]\\\r\x80-\xff]|\\[\x00-\x7f])*\])"
ADDRESS = re.compile(WORD + rb"(?:\." + WORD + rb")*@" + SUB + rb"(?:\." + SUB + rb")*", re.DOTALL)


def decode(text):
    """Decodes the escapes of a component."""
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda m: bytes([int(m.group(1), 16)]), text)


def by_scheme(scheme, rest, at):
    """Checks what follows the colon by the scheme's own production (section 3.3)."""
    if scheme == "mailto":
        if not rest:
            fail("empty-address", at)
        if not ADDRESS.fullmatch(decode(rest)):
            fail("not-addr-spec", at)
    elif scheme == "news":
        if rest == b"*":
            return
        if b"@" in rest:
            left, right = rest.split(b"@", 1)
            if not left:
                fail("empty-article-id", at)
            name_at = at + len(left) + 1
            host(right, name_at)
        else:
            group(rest, at)
    elif scheme == "ftp":
        path, at = authority(scheme, rest, at, login=True)
        if path:
            name, semicolon, kind = path.partition(b";")
            if semicolon:
                at += len(name) + 1
                if not re.match(rb"(?i)type=", kind):
                    fail("bad-path-char", at - 1)
                if not re.match(rb"[AIDaid]", kind[5:6]):
                    fail("bad-ftp-type", at + 5)
                if len(kind) > 6:
                    fail("bad-ftp-type", at + 6)
    elif scheme == "file":
        path, at = authority(scheme, rest, at, port=False, empty=True)
        if not path:
            fail("missing-path", at)
        characters("bad-path-char", UCHAR + rb"?:@&=/", path, at)
    elif scheme == "http":
        path, at = authority(scheme, rest, at, ends=rb"/?", search=True)
        if path[:1] == b"?":
            fail("missing-path-slash", at)
        where, _, query = path.partition(b"?")
        characters("bad-search-char", UCHAR + rb";:@&=", query, at + len(where) + 1)
    elif scheme == "gopher":
        authority(scheme, rest, at)
    elif scheme == "nntp":
        path, at = authority(scheme, rest, at)
        if not path:
            fail("missing-path", at)
        name, slash, number = path[1:].partition(b"/")
        group(name, at + 1)
        if slash:
            at += 2 + len(name)
            if not number:
                fail("bad-article-number", at)
            characters("bad-article-number", rb"0-9", number, at)
    elif scheme == "telnet":
        path, at = authority(scheme, rest, at, login=True)
        if len(path) > 1:
            fail("unexpected-path", at + 1)
    elif scheme == "wais":
        path, at = authority(scheme, rest, at, search=True)
        if not path:
            fail("missing-path", at)
        found = re.search(rb"[/?]", path[1:])
        end = found.start() + 1 if found else len(path)
        characters("bad-path-char", UCHAR, path[1:end], at + 1)
        if path[end:end + 1] == b"?":
            characters("bad-search-char", UCHAR + rb";:@&=", path[end + 1:], at + end + 1)
        elif end < len(path):
            kind, slash, tail = path[end + 1:].partition(b"/")
            characters("bad-path-char", UCHAR, kind, at + end + 1)
            if not slash:
                fail("missing-wpath", at + len(path))
            characters("bad-path-char", UCHAR, tail, at + end + 2 + len(kind))
    elif scheme == "prospero":
        path, at = authority(scheme, rest, at)
        if not path:
            fail("missing-path", at)
        parts = path.split(b";")
        characters("bad-path-char", UCHAR + rb"?:@&=/", parts[0], at)
        at += len(parts[0])
        for part in parts[1:]:
            name, equals, value = part.partition(b"=")
            characters("bad-field-char", UCHAR + rb"?:@&", name, at + 1)
            if not equals:
                fail("missing-field-equals", at + 1 + len(part))
            characters("bad-field-char", UCHAR + rb"?:@&", value, at + 2 + len(name))
            at += len(part) + 1
    elif rest[:2] == b"//":
        authority(scheme, rest, at, login=True, search=True)


def error(url, fragments=True):
    """Returns the error that P-2 names first, or None for a URL of RFC 1738."""
    try:
        if not url:
            fail("empty", 0)
        lexical(url, fragments)
        bare = url.split(b"#")[0]
        scheme, colon, rest = bare.partition(b":")
        if not colon:
            fail("missing-scheme", 0)
        if not scheme:
            fail("empty-scheme", 0)
        bad = first_not(rb"A-Za-z0-9+.\-", scheme)
        if bad is not None:
            fail("bad-scheme-char", bad)
        by_scheme(scheme.decode().lower(), rest, len(scheme) + 1)
    except Wrong as wrong:
        return wrong.args
    return None


# The characters of RFC 3987 from U+00A1 up: those of an IRI, and those allowed only in its query.
UCS = "\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 14)) + "\U000e1000-\U000efffd"
PRIVATE = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"


def pattern(more, private):
    """Returns the grammar of RFC 3986 with more letters: scheme, authority, path, query and fragment."""
    letters = f"A-Za-z0-9\\-._~{more}!$&'()*+,;="
    one = lambda extra: f"(?:[{letters}{extra}]|%[0-9A-Fa-f]{{2}})*"
    return re.compile(
        f"([A-Za-z][A-Za-z0-9+.\\-]*):(?://(?:{one(':')}@)?(\\[[^\\]/?#@]*\\]|{one('')})(?::[0-9]*)?(?=[/?#]|\\Z))?"
        f"({one(':@/')})(?:\\?{one(':@/?' + private)})?(?:#{one(':@/?')})?", re.DOTALL)


STRICT, LOOSE = pattern("", ""), pattern(UCS, PRIVATE)


def literal(text):
    """Returns whether the text between brackets is an IPv6 address or IPvFuture."""
    if re.fullmatch(r"[vV][0-9A-Fa-f]+\.[A-Za-z0-9\-._~!$&'()*+,;=:]+", text):
        return True
    try:
        return "%" not in text and "/" not in text and bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


def fits(grammar, text):
    """Returns whether a text is a URI of the grammar, with the host that its scheme requires."""
    found = grammar.fullmatch(text)
    if not found:
        return False
    scheme, name, path = found.groups()
    if name is None:
        if path.startswith("//"):
            return False
    elif path and not path.startswith("/"):
        return False
    elif name.startswith("[") and not literal(name[1:-1]):
        return False
    if scheme.lower() in K - {"mailto", "news", "file"} and not name:
        return False
    top = [c for c in (name or "").rpartition(".")[2] if "." in name and (c.isascii() and c.isalpha() or letters.looks_like_latin(c))] if name else []
    return len({c.isascii() for c in top}) < 2 and not any(unicodedata.category(c) == "So" for c in name or "")


def level(url):
    """Returns the level that a URL reaches."""
    if error(url) is None:
        return RFC1738
    try:
        text = url.decode()
    except UnicodeDecodeError:
        return NONE
    return RFC3986 if fits(STRICT, text) else IRI if fits(LOOSE, text) else NONE


def plausible(url):
    """Returns whether a host has no empty label and none with a hyphen at an edge (W-HYPH-3)."""
    found = re.match(rb"[A-Za-z0-9+.\-]+://(?:[^/?#@]*@)*([^/?#:@]*)", url)
    if not found and url[:7].lower() in (b"mailto:", b"news:"):
        return True
    if not found or not found.group(1):
        return True
    return all(label and label[:1] != b"-" and label[-1:] != b"-" for label in found.group(1).split(b"."))
