#!/usr/bin/env python3
"""Finds the URLs of a text a second time, only by the text of section 7 of the specification.

    find.py < text          prints a line of JSON for each match: kind, start, end, and its readings
    find.py --vectors FOLDER [RULE]    checks the vectors; exit status 1 if one disagrees
"""
import json
import os
import re
import sys

import bjoin
import escapes
import grammar
import names
import letters
import readings
import starts
import wrapped


def prefixed(text, match, scheme_start):
    """Makes a bare match prefixed where `URL:` stands before it (P-FORM)."""
    at = match.start
    blanks = 0
    while at > 0 and text[at - 1] in b" \t" and blanks <= 64:
        at -= 1
        blanks += 1
    if blanks > 64 or text[at - 1:at] != b":" or at == 0 or at < 4:
        return match
    colon = at - 1
    begin = starts.word_before(text, colon)
    word = text[begin:colon].lower()
    if word != b"url" and not word.endswith(b".url"):
        return match
    found = readings.Match("prefixed", colon - 3, match.end, match.urls)
    found.inner = match
    return found


def links(text):
    """Finds the targets of links of a terminal (B-TERM)."""
    for found in escapes.LINK.finditer(text):
        target = found.group(1)
        word = wrapped.WORD_SLASHES.match(target)
        start = starts.at_colon(target, target.find(b":")) if b":" in target else None
        if start and start.begin == 0 and readings.read(target, start, hyphens=False, sheet=False):
            yield readings.Match("attribute", found.start(1), found.end(1), [target.decode("utf-8", "surrogateescape")])


def candidates(text, any_scheme, sheet):
    """Finds all matches, whether or not others hide them, each as a list of the matches that belong together."""
    found = [[match] for match in links(text)]
    for place in re.finditer(rb"[<:]", text):
        at = place.start()
        if text[at] == 0x3C:
            matches = wrapped.read(text, at, any_scheme)
            if matches:
                found.append(matches)
            continue
        if at == 0:
            continue
        start = starts.at_colon(text, at, any_scheme)
        if not start:
            continue
        match = readings.read(text, start, sheet=sheet)
        if match is None:
            continue
        is_k = start.scheme in grammar.K
        if match.kind == "bare" and (is_k or start.slashes) and match.start == start.begin:
            match = prefixed(text, match, start.begin)
        if match.kind == "bare" and text[:match.start].endswith(b'HYPERLINK "'):
            match.kind = "attribute"                                # a field of Word (B-FIELD)
        found.append([match])
    return found


def find(text, any_scheme=False, is_sheet=None, with_names=False):
    """Returns the matches of a text in their order."""
    found = candidates(text, any_scheme, is_sheet) + (names.find(text) if with_names else [])
    found.sort(key=lambda matches: matches[0].start)
    result, end = [], 0
    for matches in found:
        first = matches[0]
        if first.start < end and first.kind == "prefixed" and first.inner.start >= end:
            matches, first = [first.inner], first.inner             # another match holds its `URL:`
        if first.start < end:
            continue
        if matches[0].kind in ("too-long",):
            end = matches[0].end
            continue
        if matches[0].kind == "empty-wrapper":
            end = matches[0].end
            continue
        result += matches
        end = matches[-1].end
    return result


def holds_url(match):
    """Returns whether the command shows a match without `--candidates` (B-TRAP)."""
    if match.kind != "wrapped":
        return True
    url = match.urls[0].encode("utf-8", "surrogateescape")
    wrong = grammar.error(url)
    if wrong and wrong[0] in ("missing-scheme", "empty-scheme", "bad-scheme-char"):
        return False
    program = b'"' in url or re.search(rb"\$[A-Za-z{]|%[sdS]", url)
    return not (program and grammar.level(url) == grammar.NONE)


def as_json(match):
    """Returns a match in the form of a line of JSON."""
    return {"kind": match.kind, "start": match.start, "end": match.end, "readings": match.urls}


def context(path, only=""):
    """Checks the context vectors. Returns the error of each that disagrees, and the number of vectors."""
    wrong, ran = [], 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            vector = json.loads(line)
            if not vector["rule"].startswith(only) and not vector["id"].startswith(only):
                continue
            ran += 1
            options = vector.get("options") or {}
            if options.get("rejoin") == "auto":                     # B-JOIN, which `bjoin.py` reads apart
                ran -= 1
                continue
            try:
                matches = find(vector["text"].encode(), bool(options.get("any_scheme")), with_names=bool(options.get("names")))
            except Exception as failure:
                if os.environ.get("RAISE"):
                    raise
                wrong.append("%s %s raises %r" % (vector["id"], vector["rule"], failure))
                continue
            if options.get("candidates") is False:
                matches = [match for match in matches if holds_url(match)]
            got = []
            for match in matches:
                bad = grammar.error(match.urls[0].encode("utf-8", "surrogateescape"))
                got.append([match.urls[0], match.kind, match.start, match.end, match.urls[1:], bad and bad[0]])
            want = [[e["url"], e["kind"], e["start"], e["end"], e["alternatives"], e.get("error")] for e in vector["expect"]]
            if got != want:
                wrong.append("%s %s %s\n    got  %s\n    want %s" % (vector["id"], vector["rule"], json.dumps(vector["text"][:300], ensure_ascii=False), got, want))
    return wrong, ran


def parser(path):
    """Checks the parser vectors that judge one URL: verdict, kind and offset of the error."""
    wrong, ran = [], 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            vector = json.loads(line)
            if vector.get("mode") not in (None, "url"):
                continue
            ran += 1
            url = bytes.fromhex(vector["input_hex"]) if "input_hex" in vector else vector["input"].encode()
            got = grammar.error(url, vector.get("mode") is None)
            want = None if vector["verdict"] == "valid" else (vector["error"]["kind"], vector["error"]["offset"])
            if got != want:
                wrong.append("%s got %s want %s" % (vector["id"], got, want))
    return wrong, ran


def check(folder, only=""):
    """Checks all vectors in a folder, and prints those that disagree. Returns whether any disagrees."""
    failed = False
    for name, how in (("parser", parser), ("context", lambda path: context(path, only))):
        wrong, ran = how(os.path.join(folder, name + ".jsonl"))
        print("\n".join(wrong + ["%d of %d %s vectors agree" % (ran - len(wrong), ran, name)]))
        failed = failed or bool(wrong)
    with open(os.path.join(folder, "join.jsonl"), encoding="utf-8") as lines:
        wrong, ran = bjoin.disagreements(lines)
    print("\n".join(wrong + ["%d of %d join vectors agree" % (ran - len(wrong), ran)]))
    return failed or bool(wrong)


def main(arguments):
    """Reads the command line."""
    if arguments[:1] == ["--vectors"]:
        return int(check(arguments[1], arguments[2] if len(arguments) > 2 else ""))
    for match in find(sys.stdin.buffer.read()):
        print(json.dumps(as_json(match)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
