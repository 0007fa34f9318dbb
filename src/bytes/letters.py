#!/usr/bin/env python3
"""Writes the tables of src/bytes/letters.rs: the scalars beyond U+024F of general category L, M or N, and those of So.

    python3 src/bytes/letters.py            rewrite the tables between the two marker lines
    python3 src/bytes/letters.py --check    exit 1 if the file is not what would be written

The tables are of the newest Unicode version at hand: PyPI's unicodedata2 if it is there, else Python's own
unicodedata. Unassigned code points between two letters stay out, so a newer version only adds ranges.
"""
import pathlib
import sys

try:
    import unicodedata2 as unicodedata
except ImportError:
    import unicodedata

FILE = pathlib.Path(__file__).with_name("letters.rs")
OPEN, CLOSE = "// table: written by letters.py\n", "// end of the table\n"
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


def table(name, what, found):
    lines = [
        f"/// Scalars {what} (Unicode {unicodedata.unidata_version}), as sorted ranges,\n",
        "/// both ends included.\n",
        "#[rustfmt::skip]\n",
        f"const {name}: [(u32, u32); {len(found)}] = [\n",
    ]
    for start in range(0, len(found), 5):
        lines.append("    " + " ".join(f"(0x{a:X}, 0x{b:X})," for a, b in found[start : start + 5]) + "\n")
    lines.append("];\n")
    return "".join(lines)


def main():
    for code in range(0xC0, FIRST):  # the fast path of letters.rs
        assert (unicodedata.category(chr(code))[0] in "LMN") == (code not in (0xD7, 0xF7)), hex(code)
    below = [code for code in range(0x80, 0xC0) if unicodedata.category(chr(code))[0] in "LMN"]
    assert below == [0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE], below
    old = FILE.read_text(encoding="utf-8")
    head, rest = old.split(OPEN)
    _, tail = rest.split(CLOSE)
    letters = ranges(FIRST, lambda category: category[0] in "LMN")
    symbols = ranges(0x80, lambda category: category == "So")
    tables = [
        table("LETTERS", "from U+0250 up of general category L, M or N", letters),
        table("SYMBOLS", "beyond ASCII of general category So", symbols),
    ]
    new = head + OPEN + "\n".join(tables) + CLOSE + tail
    if "--check" in sys.argv[1:]:
        sys.exit(old != new)
    FILE.write_text(new, encoding="utf-8")


main()
