"""Reads the length that binary data state right before a URL (B-LENGTH)."""
import re

import grammar
import letters

STARTS = re.compile(("(?:%s)://" % "|".join(sorted(grammar.K))).encode(), re.I)
MARKS = (b"x", b"z", b"Z")


def binary(text, at):
    """Returns whether a byte is one that no text holds: a control, or malformed UTF-8."""
    if not 0 <= at < len(text):
        return False
    byte = text[at]
    if byte < 0x80:
        return 0 < byte < 0x20 and byte not in b"\t\n\x0b\x0c\r\x1b" or byte == 0x7F
    return letters.at(text, at)[0] is None


def binary_before(text, end):
    """Returns whether a text ends in such a byte."""
    return end > 0 and (binary(text, end - 1) if text[end - 1] < 0x80 else letters.before(text, end)[0] is None)


def lengths(text, begin):
    """Returns the lengths before a URL, each with its mark if only the mark speaks for it."""
    found = []
    if begin >= 2:
        first, last = text[begin - 2], text[begin - 1]
        if first >= 0x80 and last < 0x40:
            found.append((first & 0x7F | last << 7, None))
        if binary(text, begin - 2) and first < 0x20:
            found.append((first << 8 | last, None))
    if begin >= 4 and text[begin - 2:begin] == b"\0\0" and text[begin - 3] < 0x20:
        found.append((text[begin - 4] | text[begin - 3] << 8, None))
    if begin >= 1:
        last = text[begin - 1]
        if binary_before(text, begin) or 0x20 < last < 0x7F and binary_before(text, begin - 1):
            found.append((last, None))
        elif 0x20 < last < 0x7F and begin >= 2 and text[begin - 2:begin - 1] in MARKS + (b"\n",):
            found.append((last, text[begin - 2:begin - 1]))
    return [(length, mark) for length, mark in found if length >= 6]


def end(text, begin, run_end):
    """Returns the end of a URL by the length before it, or None. run_end: the end of its run."""
    for length, mark in lengths(text, begin):
        at = begin + length
        if at > len(text) or text[at - 1] > 0x7F and letters.before(text, at)[0] is None:
            continue
        if mark is None:
            near = [i for i in range(at, min(at + 4, len(text)))]
            near = near[:next((n for n, i in enumerate(near) if text[i] == 0), len(near))]
            sure = any(binary(text, i) and text[i] != text[begin - 1] for i in near) or \
                any(STARTS.match(text, at + by) for by in range(1, 6))
        else:
            four = text[at + 2:at + 5]
            sure = mark in MARKS and text[at:at + 1] == mark and STARTS.match(text, at + 2) or \
                len(four) == 3 and four[0] < 0x20 and four[1:] == b"\0\0"
        if sure:
            return at if at < run_end else None
        if mark and any(binary(text, i) for i in range(at + 1, at + 4)):
            return at if at < run_end < at + 4 and binary(text, run_end) else None
    return None
