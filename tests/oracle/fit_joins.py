#!/usr/bin/env python3
"""Fits the card of B-JOIN (specification, section 7.5.4) on labelled places, and prints it with its figures.

    fit_joins.py PLACES [--rust | --python | --trees]

PLACES   JSON Lines, may be packed by zstd: src, split (train, dev), w (the window, one character per byte), s and e (the
         raw run in it), label (Y continues, N does not), kind (hand, judged, self, syn, silver), today (2 the first reading
         continues over the break, 1 an alternative does, 0 none). They are from public archives, which the project may
         not distribute.
--rust, --python   prints only the tables, as src/find/join/card.rs and tests/oracle/bjoin.py hold them
--trees  also fits boosted trees on all facts, which shows about how much these facts can decide

Needs numpy and scikit-learn, and zstandard for packed places. Rows are fitted on the split train. They are judged on dev,
and on each source that a fit excludes in turn. Nobody sets a weight by hand: a new case is a new place.
"""
import collections
import io
import json
import pathlib
import sys

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bjoin  # noqa: E402

SCALE = 3                                                                      # a weight is a third of a nat
# The rows of each table: those of an L1 fit on all facts, except rows that do not improve the result on excluded sources.
ROWS = {
    "cut": "half column inside path bracket full alone digits file fits word text plain common done value number".split(),
    "mark": "bracket closed open sure alone column file some overflow long text shallower room common table plain other point done".split(),
}
# The weight of a place: labels by people weigh most, and labels that two programs agree on weigh least.
TRUST = {("silver", "Y"): 1, ("silver", "N"): .3, ("hand", "Y"): 3, ("judged", "Y"): 3, ("self", "Y"): 2, ("syn", "Y"): .5,
         ("hand", "N"): 2, ("judged", "N"): 3, ("self", "N"): 1, ("syn", "N"): 1}


class Place:
    """a labelled place; `table` is None where a rule decides without the card"""

    def __init__(self, record):
        text, s, e = record["w"].encode("latin-1"), record["s"], record["e"]
        self.record, self.source = record, record["src"].replace("syn-", "")
        self.joins, self.today = record["label"] == "Y", record["today"]
        self.trust = TRUST[record["kind"], record["label"]]
        b = bjoin.first_break(text, s, e)
        self.table, self.why = None, "N" if b.refused else bjoin.veto(b)
        if self.why is None:
            self.table, self.facts = bjoin.table(b), bjoin.facts(b)


def load(path):
    if path.endswith(".zst"):
        import zstandard
        lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(open(path, "rb")), encoding="utf-8")
    else:
        lines = open(path, encoding="utf-8")
    return [Place(record) for record in map(json.loads, lines) if record["label"] in ("Y", "N")]


def matrix(places, rows):
    return np.array([[place.facts[row] for row in rows] for place in places], float)


def fit(places):
    """the card: {table: {row: weight}}"""
    card = {}
    for table, rows in ROWS.items():
        known = [place for place in places if place.table == table]
        model = LogisticRegression(C=1, max_iter=2000)
        model.fit(matrix(known, rows), [place.joins for place in known], sample_weight=[place.trust for place in known])
        weights = [("base", model.intercept_[0]), *zip(rows, model.coef_[0])]
        card[table] = {row: int(round(weight * SCALE)) for row, weight in weights if row == "base" or round(weight * SCALE)}
    return card


def points(place, card):
    return -99 if place.table is None else sum(w for row, w in card[place.table].items() if row == "base" or place.facts[row])


def trees(known, asked):
    """the score of `asked` by boosted trees, in points"""
    rows = sorted(known[0].facts)
    known = [place for place in known if place.table]
    model = HistGradientBoostingClassifier(max_iter=150, max_leaf_nodes=12, learning_rate=.1, l2_regularization=1, min_samples_leaf=15, random_state=0)
    model.fit(np.hstack([matrix(known, rows), [[place.table == "cut"] for place in known]]), [p.joins for p in known], sample_weight=[p.trust for p in known])
    decided = [place for place in asked if place.table]
    odds = model.decision_function(np.hstack([matrix(decided, rows), [[place.table == "cut"] for place in decided]]))
    found = dict(zip(map(id, decided), odds * SCALE))
    return [found.get(id(place), -99) for place in asked]


def figures(name, places, scores):
    right, all_joins = np.array([place.joins for place in places]), sum(place.joins for place in places)
    out = []
    for least in (bjoin.STRONG, bjoin.FAIR):
        joined = np.array(scores) >= least
        hits, wrong = int((joined & right).sum()), int((joined & ~right).sum())
        out.append("%4d %3d %5.1f %5.1f" % (hits, wrong, 100 * hits / max(1, hits + wrong), 100 * hits / max(1, all_joins)))
    print("%-34s %5d %4d | %s | %s" % (name, len(places), all_joins, *out))


def show(card, form):
    for table, rows in card.items():
        ordered = sorted(((row, w) for row, w in rows.items() if row != "base"), key=lambda item: (-item[1], item[0]))
        if form == "--python":
            print('    "%s": {"base": %d, %s},' % (table, rows["base"], ", ".join('"%s": %d' % row for row in ordered)))
        elif form == "--rust":
            print("%s %d\n%s" % (table, rows["base"], "\n".join("    (%d, Fact::%s)," % (w, row.title().replace("-", "")) for row, w in ordered)))
        else:
            print(table, "base %+d" % rows["base"], " ".join("%s%+d" % row for row in ordered))


def main(path, form=None):
    places = load(path)
    train = [place for place in places if place.record["split"] == "train"]
    card = fit(train)
    show(card, form)
    if form in ("--rust", "--python"):
        return
    print("%-34s %5s %4s | first: right wrong precise recalled | among the readings" % ("", "all", "Y"))
    real = [place for place in places if place.record["split"] == "dev" and place.record["kind"] != "syn"]
    rewrapped = [place for place in places if place.record["split"] == "dev" and place.record["kind"] == "syn"]
    today = {0: -99, 1: bjoin.FAIR, 2: bjoin.STRONG}
    for name, group in (("dev", real), ("dev, paragraphs wrapped anew", rewrapped)):
        figures(name + ": before", group, [today[place.today] for place in group])
        figures(name + ": card", group, [points(place, card) for place in group])
        if form == "--trees":
            figures(name + ": boosted trees", group, trees(train, group))
    sources = collections.Counter(place.source for place in train)
    folds = [list(sources)[n::8] for n in range(8)]                            # an eighth of the sources is excluded in turn
    left_out, scores, limits = [], [], []
    for fold in folds:
        rest, asked = [], []
        for place in train:
            (asked if place.source in fold else rest).append(place)
        asked = [place for place in asked if place.record["kind"] in ("hand", "judged", "self")]
        card = fit(rest)
        left_out += asked
        scores += [points(place, card) for place in asked]
        if form == "--trees":
            limits += trees(rest, asked)
    figures("sources left out: before", left_out, [today[place.today] for place in left_out])
    figures("sources left out: card", left_out, scores)
    if form == "--trees":
        figures("sources left out: boosted trees", left_out, limits)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
