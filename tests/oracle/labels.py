#!/usr/bin/env python3
"""Repeats the count of the specification, section 7.5.9: how many labelled places does B-JOIN join?

    labels.py CORPORA LABELS [URLGREP]

CORPORA  the folder of the texts: public archives of mail, news, RFCs and sources, which the project may not distribute.
LABELS   JSON Lines: id, file (below CORPORA), offset (of the raw run's end in it), label (Y continues, N does not, A both
         readings are right, X broken in another way), head, next.
URLGREP  a binary of the command, whose own results are then also counted.

The last lines are the figures. Before them come the errors: continuations that are not STRONG, and other places that
are.
"""
import collections
import json
import pathlib
import subprocess
import sys

import bjoin


def joined(urlgrep, path):
    """the spans of the URLs that the command joins over a break in a file"""
    ran = subprocess.run([urlgrep, "--json", "--input", "text", path], stdout=subprocess.PIPE, check=False)
    found = map(json.loads, ran.stdout.splitlines())
    return [(m["offset"], m["offset"] + m["length"]) for m in found if m["rejoined"] and m["kind"] in ("bare", "prefixed")]


def main(corpora, labels, urlgrep=None):
    with open(labels, encoding="utf-8") as lines:
        places = [place for place in map(json.loads, lines) if "offset" in place]
    files = {}
    for place in places:
        files.setdefault(place["file"], []).append(place)
    verdicts, command = collections.Counter(), collections.Counter()
    for name, places in sorted(files.items()):
        path = pathlib.Path(corpora, name)
        text = path.read_bytes()
        spans = joined(urlgrep, path) if urlgrep else []
        for place in places:
            verdict, _ = bjoin.decide(text, place["offset"])
            verdicts[place["label"], verdict] += 1
            command[place["label"], any(a < place["offset"] < b for a, b in spans)] += 1
            if place["label"] in "YN" and (place["label"] == "Y") != (verdict == "STRONG") and (place["label"], verdict) != ("N", "NONE"):
                print("%s %s %d: %s\u23ce%s" % (verdict, place["label"], place["id"], place["head"][-40:], place["next"][:40]))
    for label in "YNAX":
        count = [verdicts[label, verdict] for verdict in ("STRONG", "FAIR", "NONE")]
        print("%s %4d: STRONG %d, FAIR %d, NONE %d" % (label, sum(count), *count))
    if urlgrep:
        for label in "YNAX":
            print("%s, the command: joined %d of %d" % (label, command[label, True], command[label, True] + command[label, False]))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
