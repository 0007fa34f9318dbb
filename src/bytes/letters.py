#!/usr/bin/env python3
"""Writes the data files of src/bytes/letters.rs: the scalars beyond U+024F of general category L, M or N, and those of So.

    python3 src/bytes/letters.py            rewrite the two data files
    python3 src/bytes/letters.py --check    exit 1 if a file is not what would be written

The tables are of the newest Unicode version at hand: PyPI's unicodedata2 if it is there, else Python's own
unicodedata. Unassigned code points between two letters stay out, so a newer version only adds ranges.
"""
import pathlib
import sys

try:
    import unicodedata2 as unicodedata
except ImportError:
    import unicodedata

FOLDER = pathlib.Path(__file__).parent
FIRST = 0x250  # what lies below is decided by hand in letters.rs


def ranges(first, belongs):
    found = []
    for code in range(first, sys.maxunicode + 1):
        if belongs(unicodedata.category(chr(code))):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    return found


def table(what, found):
    head = f"# Scalars {what} (Unicode {unicodedata.unidata_version}), as sorted ranges, both ends included.\n"
    return head + "# Written by letters.py.\n" + "".join(f"{a:X} {b:X}\n" for a, b in found)


def main():
    for code in range(0xC0, FIRST):  # the fast path of letters.rs
        assert (unicodedata.category(chr(code))[0] in "LMN") == (code not in (0xD7, 0xF7)), hex(code)
    below = [code for code in range(0x80, 0xC0) if unicodedata.category(chr(code))[0] in "LMN"]
    assert below == [0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE], below
    letters = ranges(FIRST, lambda category: category[0] in "LMN")
    symbols = ranges(0x80, lambda category: category == "So")
    for name, new in {
        "letters.txt": table("from U+0250 up of general category L, M or N", letters),
        "symbols.txt": table("beyond ASCII of general category So", symbols),
    }.items():
        path = FOLDER / name
        if "--check" not in sys.argv[1:]:
            path.write_text(new, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != new:
            sys.exit(1)


main()
