"""Reads names without a scheme, and their paths (B-NAME)."""
import re

import bjoin
import hosts
import readings
import starts

NAME = re.compile(rb"[A-Za-z0-9.\-]+")
NEW = b"blog cloud dev land online social tech wiki xyz".split()
FILES = b"ac am cf id in la mk na pm so st vi".split()
GENERIC = b"biz com edu gov info int mil net org".split()
# The suffixes of several labels in the vectors. The Public Suffix List has some 9,000.
SUFFIXES = (b"co.id", b"co.uk", b"com.pl")


def is_site(host):
    """Returns whether a host has a registrable domain, and does not end like a file or a function."""
    labels = host.split(b".")
    top = labels[-1]
    suffix = b".".join(labels[-2:]).lower()
    is_double = suffix in SUFFIXES
    if len(labels) <= 1 + is_double or any(not label or label[:1] == b"-" or label[-1:] == b"-" for label in labels):
        return False
    if top in GENERIC or top in NEW:
        return True
    is_code = top.decode() in bjoin.EXT or top in FILES
    return top.decode() in bjoin.TLD and host == host.lower() and (not is_code or is_double or host.startswith(b"www."))


def is_before(text, at):
    """Returns whether the character before an offset allows a name to begin there."""
    before = text[max(0, at - 4):at].decode("utf-8", "replace")[-1:]
    return not (before and (before.isascii() and (before.isalnum() or before in "-_.@/:%&=?#~+$\\")
                            or before == "\ufffd" or hosts.is_of_spaced_word(before)))


def is_key(text, begin, end):
    """Returns whether quotes around a name make it a key."""
    quote = text[max(0, begin - 1):begin]
    if quote not in (b"'", b'"') or text[end:end + 1] != quote:
        return False
    is_index = re.search(rb"[A-Za-z0-9_.)]\[$", text[max(0, begin - 3):begin - 1])
    return text[end + 1:end + 2] == b":" or text[end + 1:end + 2] == b"]" and bool(is_index)


def read(text, begin, host_end):
    """Returns the Match of the name at an offset, or None."""
    host = text[begin:host_end]
    if not re.match(rb"/[A-Za-z0-9~@_]", text[host_end:host_end + 2]) or len(host) > 253:
        return None
    if not is_before(text, begin) or not is_site(host):
        return None
    scheme = b"http://"
    whole = text[:begin] + scheme + text[begin:]
    match = readings.read(whole, starts.Start(begin, begin + 4, "http", b"//", begin + len(scheme)), hyphens=False)
    if match is None:
        return None
    end = match.end - len(scheme)
    if end <= host_end + 1 or is_site(text[host_end + 1:end]) or is_key(text, begin, end):
        return None
    return readings.Match("name", begin, end, [text[begin:end].decode("utf-8", "surrogateescape")])


def find(text):
    """Finds every name in a text, whether or not a URL hides it."""
    found = ((place, read(text, place.start(), place.end())) for place in NAME.finditer(text))
    return [[match] for _, match in found if match]
