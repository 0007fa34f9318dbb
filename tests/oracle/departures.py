#!/usr/bin/env python3
"""Compares the reference with the program on random texts, and sorts the results: agree, known, depart.

    departures.py PROGRAM [COUNT [SEED [SHOWN]]]

KNOWN explains departures. A row has a reason, a pattern in the text, and how the two may differ. Exit status 1 if more
than one text in a thousand departs and no row explains it.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import find
import texts

VECTORS = pathlib.Path(__file__).parents[1] / "vectors/context.jsonl"
ESCAPE = rb"(?:\\|&#?[A-Za-z0-9]+;|[\xc2\xe2][\xad\x80\x81][\x8b\xa0\x90]?|\x1b\[)"


def alternatives(ours, theirs):
    """Returns whether the two differ only in alternatives."""
    return [match[:3] + match[3][:1] for match in ours] == [match[:3] + match[3][:1] for match in theirs]


def anything(ours, theirs):
    """Accepts any difference, so that only the pattern decides."""
    return True


def reordered(ours, theirs):
    """Returns whether the readings are those of the other, in another order."""
    return [match[:3] + sorted(match[3]) for match in ours] == [match[:3] + sorted(match[3]) for match in theirs]


WIDE = rb"[\xc2-\xf4][\x80-\xbf]"

def stands_in(ours, theirs):
    """Returns whether the program finds all matches of the reference, and more."""
    return len(theirs) > len(ours) and all(match in theirs for match in ours)


ROFF = rb"(?:^|[\r\n])\.(?:[A-Z]{1,2}(?:[ \t\r\n]|$)|\\\")"

# Each row has a reason, a pattern in the text, and how the two differ. The rules are right in all rows.
KNOWN = [
    ("B-HYPH: the next line is read without its escapes", rb"-[ \t]*[\r\n][^\r\n]*" + ESCAPE, alternatives),
    ("B-HOST, B-NOHOST, B-OPAQUE: the part before the first escape stands in where the whole is no URL",
     rb":\S*" + ESCAPE, stands_in),
    ("B-START-2: a K scheme with escaped slashes is taken for a host",
     rb"(?i)//(?:https?|ftp|file|news):(?:\\|&)", anything),
    ("B-OPAQUE: geo: with a `/` behind its numbers", rb"(?i)geo:[-0-9.]+,[-0-9.]+(?:/|&)", anything),
    ("B-OPAQUE: of `file:/...` the stops are trimmed, and `file:/` is left", rb"(?i)file:/[._~]", anything),
    ("B-OPAQUE: `blob:`, `view-source:` and `jar:` near a character beyond ASCII",
     rb"(?i)" + WIDE + rb"(?:blob|view-source|jar):|jar:[^\s]*" + WIDE, anything),
    ("B-OPAQUE: `jar:` before escaped slashes", rb"(?i)jar:[a-z0-9+.\-]+:(?:\\|&)", anything),
    ("B-OPAQUE: `im:` behind a byte beyond ASCII", rb"(?i)[\x80-\xff]im:", anything),
    ("B-END: a file URL without a host keeps its last bracket and loses its last `*`",
     rb"(?i)file:///\S*(?:\]|\*)", anything),
    ("B-BACK: in a file URL with a drive letter nothing is read but as it stands",
     rb"(?i)file:///[A-Za-z]:\S*" + ESCAPE, anything),
    ("B-ROFF: `\\|` and `\\^` give an alternative, and other escapes of roff hide those of others", ROFF, alternatives),
    ("B-ROFF: escapes of JSON are read in a manual page", rb"(?=.*" + ROFF + rb").*\\[ux]", anything),
    ("B-AUTH: an escape in the userinfo ends the authority", rb"://[^/\s]*" + ESCAPE + rb"[^/\s]*@", anything),
    ("B-OPAQUE: a `jar:` whose `!/` stands behind the end of its URL", rb"(?i)jar:\S*!/", anything),
    ("W-ANGLE-1: an angle body with no letter or digit in its host", rb"<[A-Za-z0-9+.\-]+://[^A-Za-z0-9<>\[]+", anything),
    ("B-JSON: a `\\` behind the end of the run makes it a regular expression", rb":\\{1,3}/\\{1,3}/", anything),
    ("B-CLOSED: escapes between the delimiters count as what they read",
     rb"[\"'`<>|(](?:[A-Za-z+.\-]+:)\S*" + ESCAPE, anything),
    ("B-UNI-1: the text behind a word is read without its escapes", WIDE + rb"\S*" + ESCAPE, anything),
    ("B-UNI-1: the longer reading ends before `mailto:` and the like", rb"(?i)" + WIDE + rb"[a-z]{2,6}:", alternatives),
    ("B-RUN-1: `@{` does not end a run that has an escape", ESCAPE + rb"\S*@\{", anything),
    ("B-RUN-1: `@{` does not end a run that continues over lines", rb"(?:\\|\"|')[^\S]*[\r\n]\S*@\{", anything),
    ("W-PFX-7: the reference reads no prefixes of lines", rb"[0-9][ \t]*\xe2\x94\x82", anything),
    ("B-LIST: an escape behind the separator", rb"[,;\[]\S*" + ESCAPE, alternatives),
    ("B-SHEET: a comma does not end a run that has an escape", ESCAPE + rb"\S*,", anything),
    ("B-ENT: slashes as references behind a scheme that only ends in one of K", rb"(?i)[a-z0-9+.\-]+:&", anything),
    ("B-ENT: `&#0;` is no reference", rb"&#[xX]?0+;", anything),
    ("B-ENT: an escape inside a reference", rb"&[#A-Za-z0-9]*" + ESCAPE, anything),
    ("B-TERM: a link without its beginning, its second `;` or its end", rb"\x1b\]8;", anything),
    ("B-UNI-1: a word beyond ASCII, and a K scheme glued to a word behind it", WIDE + rb"\S*[A-Za-z]https?://", anything),
    ("B-BACK, B-HYPH, B-UNI-1: in which order alternatives stand that several rules give", rb"", reordered),
    ("B-UNI-1: the longer reading and a comma or an opaque scheme", WIDE + rb"[\x80-\xbf]*(?:\S*,|(?:tel|sips?|xmpp):)", alternatives),
    ("B-UNI-1: a zero-width character as an escape, and which reading is the first", rb"\\u200[b-d]", anything),
    ("B-END: a closing tag of BBCode in braces", rb"\{[^}\s]*\[/", anything),
    ("B-NOHOST: a tag in the place of a port", rb":<[A-Za-z]", anything),
    ("B-OPAQUE: more numbers behind those of geo:", rb"(?i)geo:[-0-9.]+,[-0-9.]+,", anything),
    ("W-TWO: `URL:` at the end of a host in a wrapper", rb"<URL:[^<>]*URL:\s", anything),
    ("B-BACK: a backslash before a reference", rb"\\&#", anything),
    ("B-NOHOST: a placeholder in the name of a group", rb"news:\S*\$\{", anything),
]


def program(binary, folder, many):
    """Runs the program over many texts at once. Returns the matches of each, in the form of the reference."""
    for number, text in enumerate(many):
        (folder / ("%06d.txt" % number)).write_bytes(text)
    arguments = ["--no-config", "--json", "--candidates", "--input", "text", "--rejoin", "delimited", "--fields",
                 "file,kind,offset,length,readings,refused", "-j", "2", "."]
    ran = subprocess.run([binary] + arguments, cwd=folder, capture_output=True, check=False)
    if ran.returncode not in (0, 1):
        raise SystemExit(ran.stderr.decode())
    found = [[] for _ in many]
    for line in ran.stdout.splitlines():
        match = json.loads(line)
        if match["refused"] is None:
            number = int(re.search(r"(\d{6})\.txt", match["file"]).group(1))
            found[number].append([match["kind"], match["offset"], match["offset"] + match["length"], match["readings"]])
    return found


def reference(text):
    """Returns the matches of the reference in the same form."""
    return [[match.kind, match.start, match.end, [lossy(url) for url in match.urls]] for match in find.find(text)]


def lossy(url):
    """Writes bytes that are not UTF-8 as the program does."""
    return url.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def explain(text, ours, theirs):
    """Returns the reason of the first row of KNOWN that explains a departure, or None."""
    for reason, pattern, how in KNOWN:
        if re.search(pattern, text, re.DOTALL) and how(ours, theirs):
            return reason
    return None


def sort_in(binary, many):
    """Sorts texts by their results. Returns the number that agree, the known departures by reason, and the others."""
    agree, known, depart = 0, {}, []
    with tempfile.TemporaryDirectory() as folder:
        theirs = program(binary, pathlib.Path(folder), many)
    for text, said in zip(many, theirs):
        try:
            ours = reference(text)
        except Exception as failure:                                # a reference that fails is a departure, too
            ours = [repr(failure)]
        if ours == said:
            agree += 1
            continue
        reason = explain(text, ours, said)
        if reason:
            known[reason] = known.get(reason, 0) + 1
        else:
            depart.append((text, ours, said))
    return agree, known, depart


def main(arguments):
    """Reads the command line."""
    binary = str(pathlib.Path(arguments[0]).resolve())
    count, seed, shown = [int(value) for value in (arguments[1:] + ["5000", "1", "20"][len(arguments) - 1:])[:3]]
    agree, known, depart, many = 0, {}, [], list(texts.make(VECTORS, count, seed))
    for first in range(0, count, 5000):
        some = sort_in(binary, many[first:first + 5000])
        agree += some[0]
        for reason, times in some[1].items():
            known[reason] = known.get(reason, 0) + times
        depart += some[2]
    for text, ours, said in sorted(depart, key=lambda row: len(row[0]))[:shown]:
        print("%r\n    reference %s\n    program   %s" % (text, ours, said))
    for reason, times in sorted(known.items()):
        print("known: %s: %d" % (reason, times))
    print("%d texts: %d agree, %d known, %d depart" % (count, agree, sum(known.values()), len(depart)))
    return int(1000 * len(depart) > count)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
