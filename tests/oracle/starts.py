"""Finds where a URL may begin: the scheme before a colon, and what must follow it (B-START, B-OPAQUE)."""
import pathlib
import re

import escapes
import grammar
import letters


def listed():
    """Reads the list L out of section 10."""
    page = pathlib.Path(__file__).parents[2] / "src/spec/schemes.md"
    text = page.read_text(encoding="utf-8").split("only before `//`:", 1)[1]
    return frozenset(word for word in text.rstrip().rstrip(".").split())


L = listed()
K = grammar.K
K_HIER = sorted(K - {"mailto", "news"}, key=len, reverse=True)
WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
SLASH_FORMS = re.compile(rb"//|\\/\\/|\\\\/\\\\/|\\\\\\/\\\\\\/|(?:\\\\?u002[fF]|\\x2[fF]){2}")
ENTITY_SLASHES = re.compile(rb"(?:&(?:amp;){0,2}(?:#0*47|#[xX]0*2[fF]|sol);){2}")
ROFF_FONT = re.compile(rb"\\f(?:[A-Za-z0-9]|\([A-Za-z0-9]{2}|\[[^\]\s]*\])")


class Start:
    """Holds the start of a URL: its scheme, the offset of its colon, and the text that reads as `//`."""

    def __init__(self, begin, colon, scheme, slashes, after, form=None):
        self.begin, self.colon, self.scheme, self.slashes = begin, colon, scheme, slashes
        self.after = after                                          # the start of the authority, or of the text after the colon
        self.form = form                                            # the form of B-OPAQUE


def known(word, any_scheme=False):
    """Returns whether a scheme is known before `://`."""
    word = word.lower()
    if word in K or word in L:
        return True
    if not 2 <= len(word) <= 32 or not word[:1].isalpha():
        return False
    if any_scheme:
        return True
    if word.startswith("x-") and len(word) > 2:
        return True
    return "+" in word and known(word.rsplit("+", 1)[1])


def word_before(text, colon):
    """Returns the start of R: the run before a colon, without its leading marks."""
    at = colon
    while at > 0 and colon - at < 256 and text[at - 1] in WORD:
        at -= 1
    boundary = 0
    for found in escapes.COLOUR.finditer(text, max(0, at - 64), colon):
        boundary = found.end()                                      # a colour right before a scheme
    at = max(at, boundary)
    while at < colon and text[at] in b"+-.":
        at += 1
    return at


def slashes_after(text, colon, scheme):
    """Returns the text after a colon that reads as `//`, or None."""
    found = SLASH_FORMS.match(text, colon + 1)
    if found:
        return found
    return ENTITY_SLASHES.match(text, colon + 1) if scheme in K else None


def after_font(text, at, colon):
    """Returns the start of a word that ends before a colon and follows a font change (B-ROFF), or None."""
    low = max(0, at - 3)
    font = re.search(rb"\\f(?:\([A-Za-z0-9]{2}|[A-Za-z0-9])", text[low:colon])
    return low + font.end() if font and low + font.end() < colon else None


def scheme_at(text, colon, any_scheme=False, roff=None):
    """Returns the start of the scheme before a colon, and its slashes, by B-START-1; or None."""
    at = word_before(text, colon)
    if at == colon:
        return None
    words = [(at, text[at:colon].decode())]
    dot = text.rfind(b".", at, colon)
    if dot >= 0:
        words.append((dot + 1, text[dot + 1:colon].decode()))
    if roff is None:
        roff = lambda: escapes.is_roff(text, at)
    begin = after_font(text, at, colon)
    if begin and roff():
        words.insert(0, (begin, text[begin:colon].decode()))
    for begin, word in words:
        found = slashes_after(text, colon, word.lower())
        if word.lower() in ("mailto", "news") or known(word) and found:
            return begin, word, found
    begin, word = words[0]
    found = slashes_after(text, colon, word.lower())
    if any_scheme and found and 2 <= len(word) <= 32 and word[:1].isalpha():
        return begin, word, found
    whole = text[at:colon].decode().lower()
    for scheme in K_HIER:
        if whole.endswith(scheme):
            found = slashes_after(text, colon, scheme)
            if found:
                return colon - len(scheme), text[colon - len(scheme):colon].decode(), found
    return None


PHONE = re.compile(rb"\+[0-9][0-9\-.()]*")
GEO = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?,-?[0-9]+(?:\.[0-9]+)?(?![A-Za-z0-9]|\.[0-9])")
FILE = re.compile(rb"/[A-Za-z0-9._~%](?!\|)")


def opaque_at(text, colon):
    """Returns the start and scheme of the B-OPAQUE form with this colon, or None. Addresses are checked later."""
    at = word_before(text, colon)
    font = after_font(text, at, colon)
    for begin in (font if font and escapes.is_roff(text, at) else 0, at, text.rfind(b".", at, colon) + 1):
        if begin < at or begin >= colon:
            continue
        scheme = text[begin:colon].decode().lower()
        rest = text[colon + 1:colon + 1100]
        if scheme == "magnet":
            fits = re.match(rb"\?xt[=.][^\s]", rest)
        elif scheme in ("tel", "sms"):
            found = PHONE.match(rest[:33])
            fits = found and len(re.findall(rb"[0-9]", found.group())) >= 5
            fits = fits and not re.match(rb"[A-Za-z]|[ \t][0-9]", rest[found.end():])
        elif scheme in ("sip", "sips", "xmpp", "im"):
            fits = re.match(rb"[A-Za-z0-9+_%]", rest)
        elif scheme == "geo":
            fits = GEO.match(rest)
        elif scheme == "file":
            fits = FILE.match(rest) and (begin == 0 or text[begin - 1] not in b"/^")
        else:
            fits = None
        if fits:
            return begin, scheme
    return None


def is_k_ahead(text, at, slashed=False):
    """Returns whether a K scheme and `://` stand here, in a run of `\\/` as `:\\/\\/`."""
    found = re.compile(rb"(?i)(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero):").match(text, at)
    if not found:
        return False
    if slashed:
        return bool(re.compile(rb"(?:\\{1,3}/){2}").match(text, found.end()))
    return text[found.end():found.end() + 2] == b"//"


def ends_name(text, colon):
    """Returns whether a name of capitals, such as `LOG_FILE`, ends at a colon (B-START-3)."""
    return bool(re.search(rb"_[A-Z]+$", text[max(0, colon - 33):colon]))


def escaped_colon(text, colon):
    """Returns the Start of a URL of Java's properties, whose colon is escaped, or None (B-PROPS)."""
    if text[colon + 1:colon + 3] != b"//":
        return None
    at = word_before(text, colon - 1)
    dot = text.rfind(b".", at, colon - 1)
    for begin in [at] + [dot + 1] * (dot >= 0):
        word = text[begin:colon - 1].decode()
        if word and known(word):
            return Start(begin, colon, word.lower(), b"//", colon + 3)
    return None


def at_colon(text, colon, any_scheme=False):
    """Returns the Start with this colon, or None (B-START-1 and 3, B-OPAQUE)."""
    if text[colon - 1:colon] == b"\\":
        return escaped_colon(text, colon)
    found = scheme_at(text, colon, any_scheme)
    if found and found[2] is None and ends_name(text, colon):
        return None
    if found:
        begin, scheme, slashes = found
        name = scheme.lower()
        if name in ("mailto", "news"):
            if name == "news" and slashes and re.match(rb"[A-Za-z0-9]", text[slashes.end():slashes.end() + 1]):
                return Start(begin, colon, name, slashes.group(), slashes.end())
            return Start(begin, colon, name, None, colon + 1)
        return Start(begin, colon, name, slashes.group(), slashes.end())
    found = opaque_at(text, colon)
    if found and not ends_name(text, colon):
        return Start(found[0], colon, found[1], None, colon + 1, found[1])
    return None


def begins_url(text, at):
    """Returns whether a K scheme and `://`, or a form of B-OPAQUE, stands at an offset (B-HYPH)."""
    if is_k_ahead(text, at):
        return True
    found = re.compile(rb"[A-Za-z]{2,6}:").match(text, at)
    if not found:
        return False
    start = opaque_at(text, found.end() - 1)
    return bool(start) and start[0] == at


def prefixes(text, begin):
    """Returns the offset where `blob:`, `view-source:` and `jar:` begin before a URL, up to four, and whether one is `jar:`."""
    at, is_jar = begin, False
    for _ in range(4):
        found = re.search(rb"(?i)(?:blob|view-source|jar):$", text[max(0, at - 12):at])
        if not found:
            break
        start = at - len(found.group())
        if start and text[start - 1] in WORD:
            break
        is_jar = is_jar or found.group().lower() == b"jar:"
        at = start
    return at, is_jar
