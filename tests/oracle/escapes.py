"""Reads the text of a bare URL unit by unit: an unescaped character, or the character of an escape.

A unit is (start, end, c, kind): c is one character, or nothing. The kinds: `p` unescaped, `j` of JSON, `b` after a
backslash (of TeX, also in braces), `r` of roff, `e` a character reference, `d` one to a delimiter, `t` of a terminal, `u` an invisible character, `h` a hyphen of a typesetter,
`s` strings or a continued line, `S` these if the shorter reading comes first.
"""
import html.entities
import re
import unicodedata

import breaks
import letters

STOP = frozenset('<>"`\\^|')
QUOTES = frozenset("'\"“”‘’„‚‟‛«»‹›")
ANGLES = frozenset("〈〉⟨⟩〈〉⟪⟫《》")
BACK = frozenset(b"_*()[]#&%~?=$+-.:;,@/!")
NAMED_MARKS = {name[:-1]: c for name, c in html.entities.html5.items()
               if name.endswith(";") and len(c) == 1 and not (name[:-1].isupper() and len(name) > 2)}
REFERENCE = re.compile(rb"&((?:amp;){0,2})(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));")
JSON = re.compile(rb"\\\\?u([0-9A-Fa-f]{4})|\\x([0-7][0-9A-Fa-f])")
# The escaped brackets of an IPv6 address at the beginning of an authority.
ADDRESS = re.compile(rb"://\\\[(?=[0-9A-Fa-f.]*:)[0-9A-Fa-f:.]{2,45}\\\]")
ROFF = re.compile(rb"\\(?:([-.])|\((..)|\[([a-zA-Z]{2})\]|\[u([0-9A-Fa-f]{4,6})\]|[&:%/|^])")
ROFF_NAMES = {b"ti": "~", b"at": "@", b"sh": "#", b"Do": "$", b"ul": "_", b"sl": "/", b"eq": "=", b"pl": "+",
              b"hy": "-", b"mi": "-", b"lB": "[", b"rB": "]"}
ONE_BYTE = re.compile(rb"\\+(?:x([0-9A-Fa-f]{2})|([23][0-7]{2}))")
WORD = (rb"\\(?:(textasciitilde|texttildelow|sim)|(textunderscore)|(textdollar)|(textpercent))(?![A-Za-z])"
        rb"(?:\{\}| (?=[A-Za-z0-9]))?")
TEX_WORD = re.compile(WORD)
TEX_GROUP = re.compile(rb"\{(?:~|" + WORD + rb"|\\([_%&#~$]))\}|\$(?:" + WORD + rb"|\\([_%&#~$]))\$")
TEXINFO = re.compile(rb"@(?:([@{}])|(/)|comma\{\})")
LINK_COMMANDS = (b"@uref{", b"@url{", b"@href{", b"@indicateurl{")
COLOUR = re.compile(rb"\x1b\[[0-?]*[ -/]*[mK]")
LINK_END = re.compile(rb"\x1b\]8;[ -:<-~]*;(?:\x07|\x1b\\)")
LINK = re.compile(rb"\x1b\]8;[ -:<-~]*;([\x21-\x7e\x80-\xff]+)(?:\x07|\x1b\\)")
K_AHEAD = re.compile(rb"(?i)(?:ftp|https?|gopher|mailto|news|nntp|telnet|wais|file|prospero)://")
# A hyphen before a line break and the line's blanks, or before what continues a URL.
TYPESET = re.compile("\u2010".encode() + rb"(?:([ \t]{0,256}(?:\r\n|[\r\n])[ \t]{0,256})(?=[A-Za-z0-9/?#%=&_~.+-])"
                     rb"|(?=[A-Za-z0-9/?#%=&_~.+-]|" + "\u2010".encode() + b"))")
LIGATURES = ("ff", "fi", "fl", "ffi", "ffl", "st", "st")
SLASHES = re.compile(rb"\\{1,3}/")


class Mode:
    """Holds how a URL's text is escaped."""

    def __init__(self, roff=False, slashes=False, quoted=False, drive="", props=False, texinfo=False):
        self.props, self.texinfo = props, texinfo
        self.roff, self.slashes, self.quoted, self.drive = roff, slashes, quoted, drive
        self.single = False                                         # a `'` stands right before the URL


def is_delimiter(c):
    """Returns whether a reference to a character ends a run (B-ENT)."""
    return c in STOP or c in QUOTES or c in ANGLES or c == "…" or unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc")


def reference(text, i):
    """Reads the reference at an offset: (end, character), or None."""
    found = REFERENCE.match(text, i)
    if not found:
        return None
    _, number, digits, name = found.groups()
    if name:
        c = NAMED_MARKS.get(name.decode())
        if c is None or c == "&" or not (c < "\x80" or is_delimiter(c) or c in letters.UNSEEN or c in "–—·•"):
            return None
        return found.end(), c
    code = int(number) if number else int(digits, 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return None
    return found.end(), chr(code)


def link_holds_url(text, i):
    """Returns whether the link that ends at an offset holds `://` in its text, the last 1024 bytes at most (B-TERM)."""
    begin = None
    for found in LINK.finditer(text, 0, i):
        begin = found.end()
    if begin is None:
        return False
    return b"://" in text[max(begin, i - 1024):i]


def nothing(text, i, end, kind):
    """Returns a unit that reads nothing, or None before a K scheme and `://` (B-UNSEEN)."""
    return None if K_AHEAD.match(text, end) else (i, end, "", kind)


def of_bytes(text, i):
    """Reads the character whose bytes are written at an offset (B-BYTES): (end, character), or None."""
    letter = re.compile(rb"\\'([C-Fc-f][0-9A-Fa-f])").match(text, i)
    if letter:
        c = bytes([int(letter.group(1), 16)]).decode("latin-1")
        return (letter.end(), c) if c.isalpha() else None
    at, code = i, b""
    while len(code) < 4:
        found = ONE_BYTE.match(text, at)
        if not found:
            return None
        code += bytes([int(found.group(1), 16) if found.group(1) else int(found.group(2), 8)])
        at = found.end()
        try:
            c = code.decode()
        except UnicodeDecodeError:
            continue
        return (at, c) if c > "\x7f" else None
    return None


def of_tex(text, i):
    """Reads a control word, or braces around a mark, at an offset (B-TEX): (end, character), or None."""
    found = (TEX_WORD if text[i:i + 1] == b"\\" else TEX_GROUP).match(text, i)
    if not found:
        return None
    groups = found.groups()
    mark = next((group for group in (groups[4:5] + groups[9:]) if group), None)
    if mark:
        return found.end(), mark.decode()
    index = next((index % 5 for index, group in enumerate(groups) if group), 0)
    return found.end(), "~_$%"[index]


def backslash(text, i, mode, authority):
    """Reads the unit of a backslash, or returns None where it ends the run."""
    found = None if mode.drive or mode.slashes else breaks.continued(text, i)
    if found:
        return i, found[0], "", "s" if found[1] else "S"
    if mode.drive:
        return (i, i + 1, "\\", "p") if mode.drive == "\\" else None
    found = of_bytes(text, i)
    if found:
        end, c = found
        if c in letters.UNSEEN:
            return nothing(text, i, end, "u")
        return None if unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc") else (i, end, c, "j")
    found = of_tex(text, i)
    if found:
        return None if authority else (i, *found, "b")
    if mode.roff and not mode.slashes:
        found = ROFF.match(text, i)
        if found:
            plain, *names, code = found.groups()
            name = names[0] or names[1]
            c = plain.decode() if plain else ROFF_NAMES.get(name) if name else chr(int(code, 16)) if code else ""
            if c is None or c and (c in STOP or c == "'" or unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc")):
                return None
            return i, found.end(), c, "r"
        return None
    found = JSON.match(text, i)
    if found:
        code, end = int(found.group(1) or found.group(2), 16), found.end()
        if 0xD800 <= code < 0xDC00:
            low = JSON.match(text, end)
            if not low or not low.group(1) or not 0xDC00 <= int(low.group(1), 16) < 0xE000:
                return None
            code, end = 0x10000 + ((code - 0xD800) << 10) + int(low.group(1), 16) - 0xDC00, low.end()
        if 0xDC00 <= code < 0xE000:
            return None
        c = chr(code)
        if c in letters.UNSEEN:
            return nothing(text, i, end, "u")
        if c in STOP or c == "'" or unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc"):
            return None
        return i, end, c, "j"
    if mode.slashes:
        found = SLASHES.match(text, i)
        return (i, found.end(), "/", "j") if found else None
    mark = text[i + 1:i + 2]
    if not mark or mark[0] not in BACK:
        return None
    if mark in b"[]":
        opened = i if mark == b"[" else text.rfind(b"\\[", max(0, i - 47), i)
        found = ADDRESS.match(text, opened - 3) if opened >= 3 else None
        if found and i in (opened, found.end() - 2):
            return i, i + 2, mark.decode(), "b"
    if authority and not mode.props:
        if mark not in b".-_:/" or mark == b":" and not text[i + 2:i + 3].isdigit():
            return None
    if text[i:i + 4] == b"\\~{}" and not authority:
        return i, i + 4, "~", "b"
    return i, i + 2, mark.decode(), "b"


def at_break(before, after):
    """Returns what a typesetter's hyphen at a line's end stands for: nothing between two letters, else `-`."""
    return b"" if before.isalpha() and after.isalpha() else b"-"


def typeset(text, i):
    """Reads the hyphen of a typesetter at an offset, with the line break after it (B-TYPESET), or returns None."""
    before = text[i - 1:i]
    found = TYPESET.match(text, i)
    if not found or not re.fullmatch(rb"[!-~]", before) or K_AHEAD.match(text, found.end()):
        return None
    reads = at_break(before, text[found.end():found.end() + 1]) if found.group(1) else b"-"
    return i, found.end(), reads.decode(), "h"


def unit(text, i, mode, authority=False):
    """Reads the unit at an offset, or returns None where every run ends."""
    if i >= len(text):
        return None
    byte = text[i]
    if mode.texinfo and byte in b",\\@":
        found = TEXINFO.match(text, i)
        if not found:
            return (i, i + 1, "@", "p") if byte == 0x40 else None
        return i, found.end(), found.group(1).decode() if found.group(1) else "" if found.group(2) else ",", "b"
    if byte in b"{$" and not (mode.drive or mode.texinfo or authority):
        found = of_tex(text, i)
        if found:
            return i, *found, "b"
    if byte == 0x5C:
        return backslash(text, i, mode, authority)
    if byte == 0x26:
        found = reference(text, i)
        if found:
            end, c = found
            if c in letters.UNSEEN:
                return nothing(text, i, end, "u")
            if is_delimiter(c):
                return (i, end, c, "d") if mode.quoted else None
            return i, end, c, "e"
    if byte == 0x22 or byte == 0x27 and mode.single:
        found = None if mode.roff else breaks.strings(text, i)
        if found:
            return i, found[0], "", "s" if found[1] else "S"
    if byte == 0x1B:
        found = COLOUR.match(text, i)
        if found:
            return nothing(text, i, found.end(), "t")
        found = LINK_END.match(text, i)
        if found and not link_holds_url(text, i):
            return nothing(text, i, found.end(), "t")
        return None
    if byte <= 0x20 or byte == 0x7F:
        return None
    if mode.slashes and byte == 0x2F:
        return None
    c, end = letters.at(text, i)
    if c is None or c in STOP:
        return None
    if c in letters.UNSEEN:
        return nothing(text, i, end, "u")
    if c == letters.HYPHEN and not mode.slashes:
        return typeset(text, i) or (i, end, c, "p")
    if "\ufb00" <= c <= "\ufb06" and not authority:
        return i, end, LIGATURES[ord(c) - 0xFB00], "b"
    if c in "\u223c\u02dc" and text[i - 1:i] == b"/" and text[end:end + 1].isalnum() and not (mode.slashes or authority):
        return i, end, "~", "b"
    return i, end, c, "p"


def is_roff(text, start):
    """Returns whether a URL stands in a manual page, by the lines around it (B-ROFF)."""
    lines = re.compile(rb"\r\n|\r|\n")
    low, high = max(0, start - 4096), start + 4096
    begins = [found.end() for found in lines.finditer(text[:start], 0)]
    begins = ([0] + begins)[-17:]
    after = [found.end() for found in lines.finditer(text, start)][:8]
    for at in begins + after:
        if (low <= at or at == 0 and low == 0) and at < high and re.compile(
                rb"\.\\\"|\.[A-Z]{1,2}(?=[ \t\r\n]|$)").match(text, at):
            return True
    return False
