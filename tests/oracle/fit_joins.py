#!/usr/bin/env python3
"""Fits the card of B-JOIN (specification, section 7.5.4) on labelled places, and prints it with its figures.

    fit_joins.py PLACES... [--zoo DIR] [--rust | --python | --markdown]

PLACES   JSON Lines, may be packed by zstd: src, split (train, dev; train if it is missing), w (the window, one character
         per byte), s (the URL's start in it), e (the end of its raw run; found if it is missing), label (Y continues, N
         does not), kind (hand, judged, self, syn, silver; judged if it is missing). They are from public archives, which
         the project may not distribute.
--zoo    a folder of what programs print: out/ (their outputs), truth.json (the URLs that each output holds, by number),
         rows.jsonl (file, tool, truth). A URL of the truth that touches the end of its line is a place.
--rust, --python, --markdown   prints only the tables, as card.rs, bjoin.py and bjoin.md hold them

Needs numpy and scikit-learn, and zstandard for packed places. Rows are fitted on the split train and the zoo. They are
judged on dev, and on each source and each tool that a fit excludes in turn. Nobody sets a weight by hand: a new case is a
new place.
"""
import collections
import io
import json
import pathlib
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bjoin  # noqa: E402

SCALE = 3                                                                      # a weight is a third of a nat
# The rows of each table: those of an L1 fit on all facts, except rows that do not improve the result on excluded sources.
ROWS = {
    "cut": "half column inside path bracket full alone digits file fits word text plain common done value number record".split(),
    "mark": "bracket closed open sure alone column file some overflow long text shallower room common table plain other point "
            "done record ruled".split(),
    "filled": "alone bracket open sure half stub plain word common table other point done".split(),
}
# The weight of a place: labels by people weigh most, and labels that two programs agree on weigh least. The places of one
# tool of the zoo share one weight, by table, because they resemble each other.
TRUST = {("silver", "Y"): 1, ("silver", "N"): .3, ("hand", "Y"): 3, ("judged", "Y"): 3, ("self", "Y"): 2, ("syn", "Y"): .5,
         ("hand", "N"): 2, ("judged", "N"): 3, ("self", "N"): 1, ("syn", "N"): 1}
TOOL, FEW = {"cut": 2, "mark": 2, "filled": 25}, .3


class Place:
    """a labelled place; `tables` is empty where a rule decides without the card"""

    def __init__(self, record):
        text, s, e = record["w"].encode("latin-1"), record["s"], record.get("e")
        if e is None:
            e = raw_end(text, s)
        self.source, self.split, self.kind = record["src"].replace("syn-", ""), record.get("split", "train"), record.get("kind", "judged")
        self.joins, self.tables, self.trust = record["label"] == "Y", [], TRUST.get((self.kind, record["label"]))
        b = bjoin.first_break(text, s, e)
        if not b.refused and not bjoin.veto(b):
            self.tables, self.facts = bjoin.tables(b), bjoin.facts(b)


def raw_end(text, s):
    return bjoin.run_end(text, text.find(b":", s) + 1, bjoin.eol(text, s), {})


def load(path):
    if path.endswith(".zst"):
        import zstandard
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(open(path, "rb")), encoding="utf-8")
    else:
        lines = open(path, encoding="utf-8")
    return [Place(record) for record in map(json.loads, lines) if record["label"] in ("Y", "N")]


def zoo(folder):
    """the places of the zoo; a half that several known URLs begin with is a place only if none of them is that half"""
    folder, found = pathlib.Path(folder), []
    truth = json.load(open(folder / "truth.json"))
    for row in map(json.loads, open(folder / "rows.jsonl")):
        text, urls = (folder / "out" / row["file"]).read_bytes(), {url.encode() for url in truth[row["truth"]]}
        if b"\x1b" in text or any("columns" in argument for argument in row["args"]):
            continue
        for m in bjoin.SCHEME.finditer(text):
            s, e = m.start(), bjoin.run_end(text, m.end(), bjoin.eol(text, m.end()), {})
            if text[e:bjoin.eol(text, e)].strip(b" \t\r"):
                continue
            head = text[s:e]
            whole = head in urls or head[:bjoin.trim(head, 0)] in urls
            if whole or any(url.startswith(head) for url in urls):
                low, high = max(0, s - bjoin.BYTES_SIDE), e + bjoin.BYTES_SIDE
                found.append(Place(dict(src=row["tool"], kind="zoo", w=text[low:high].decode("latin-1"), s=s - low, e=e - low, label="NY"[not whole])))
    return found


def weigh_tools(places):
    """counts the places of one tool and label, which share one weight"""
    key = lambda place: (place.source, place.joins)                            # noqa: E731
    count = collections.Counter(map(key, places))
    for place in places:
        place.tool = count[key(place)]


def matrix(places, rows):
    return np.array([[place.facts[row] for row in rows] for place in places], float)


def fit(places):
    """the card: {table: {row: weight}}"""
    card = {}
    for table, rows in ROWS.items():
        known = [place for place in places if table in place.tables]
        trust = [(TOOL[table] / place.tool if place.tool > 20 else FEW) if place.kind == "zoo" else place.trust for place in known]
        model = LogisticRegression(C=1, max_iter=3000)
        model.fit(matrix(known, rows), [place.joins for place in known], sample_weight=trust)
        weights = [("base", model.intercept_[0]), *zip(rows, model.coef_[0])]
        card[table] = {row: int(round(weight * SCALE)) for row, weight in weights if row == "base" or round(weight * SCALE)}
    return card


def points(place, card):
    sums = [sum(w for row, w in card[table].items() if row == "base" or place.facts[row]) for table in place.tables]
    return max(sums, default=-99)


def figures(name, places, scores):
    right, all_joins = np.array([place.joins for place in places]), sum(place.joins for place in places)
    out = []
    for least in (bjoin.STRONG, bjoin.FAIR):
        joined = np.array(scores) >= least
        hits, wrong = int((joined & right).sum()), int((joined & ~right).sum())
        out.append("%5d %3d %5.1f %5.1f" % (hits, wrong, 100 * hits / max(1, hits + wrong), 100 * hits / max(1, all_joins)))
    print("%-34s %5d %5d | %s | %s" % (name, len(places), all_joins, *out))


def show(card, form):
    order = {table: sorted(((row, w) for row, w in rows.items() if row != "base"), key=lambda item: (-item[1], item[0])) for table, rows in card.items()}
    if form == "--markdown":
        print("base", *(rows["base"] for rows in card.values()))
        for row in sorted({row for rows in card.values() for row in rows} - {"base"}):
            print(row, *("%+d" % rows[row] if row in rows else "." for rows in card.values()))
        return
    for table, rows in card.items():
        if form == "--python":
            print('    "%s": {"base": %d, %s},' % (table, rows["base"], ", ".join('"%s": %d' % row for row in order[table])))
        elif form == "--rust":
            print("%s %d\n%s" % (table, rows["base"], "\n".join("        (%d, Fact::%s)," % (w, row.title()) for row, w in order[table])))
        else:
            print(table, "base %+d" % rows["base"], " ".join("%s%+d" % row for row in order[table]))


def left_out(name, asked, others):
    """judges `asked`, an eighth of whose sources is excluded from the fit in turn"""
    sources, places, scores = sorted({place.source for place in asked}), [], []
    for fold in (set(sources[n::8]) for n in range(8)):
        card = fit(others + [place for place in asked if place.source not in fold])
        judged = [place for place in asked if place.source in fold and place.kind not in ("syn", "silver")]
        places += judged
        scores += [points(place, card) for place in judged]
    figures(name, places, scores)


def main(arguments):
    form = next((a for a in arguments if a in ("--rust", "--python", "--markdown")), None)
    outputs = arguments[arguments.index("--zoo") + 1] if "--zoo" in arguments else None
    files = [load(path) for path in arguments if not path.startswith("--") and path != outputs]
    printed = zoo(outputs) if outputs else []
    weigh_tools(printed)
    known = [place for places in files for place in places]
    train = [place for place in known if place.split == "train"]
    card = fit(train + printed)
    show(card, form)
    if form:
        return
    print("%-34s %5s %5s | first: right wrong precise recalled | among the readings" % ("", "all", "Y"))
    for name, is_asked in (("dev", lambda place: place.kind != "syn"), ("dev, paragraphs wrapped anew", lambda place: place.kind == "syn")):
        group = [place for place in known if place.split == "dev" and is_asked(place)]
        figures(name, group, [points(place, card) for place in group])
    for number, places in enumerate(files):
        own = [place for place in places if place.split == "train"]
        left_out("sources of file %d left out" % (number + 1), own, [place for place in train if place not in set(own)] + printed)
    if printed:
        left_out("tools left out", printed, train)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
