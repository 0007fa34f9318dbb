"""The report of a run, as Markdown."""

import textwrap
from dataclasses import dataclass

from finders import NAMES, RE, Score
from programs import Program


@dataclass
class Row:
    program: Program
    scores: dict  # by finder, then by the state of the URLs
    cut: int

    @property
    def broken(self):
        return self.scores["urlgrep"]["broken"].count


def total(rows, name, state):
    """Returns the sum of a finder's scores."""
    sum_ = Score()
    for row in rows:
        sum_.add(row.scores[name][state])
    return sum_


def packages_of(rows):
    return len({row.program.package for row in rows})


def breaking(rows):
    return [row for row in rows if row.broken]


def write(rows, versions, skipped, packages, widths):
    printed, broken = total(rows, "urlgrep", "printed"), total(rows, "urlgrep", "broken")
    debian, others = packages
    paragraph(
        f"{len(rows)} programs, and modes of them, ran at the widths {', '.join(map(str, widths))}. They are from "
        f"{packages_of(rows)} packages, and printed {printed.count:,} URLs whole. {len(breaking(rows))} of them, from "
        f"{packages_of(breaking(rows))} packages, broke {broken.count:,}: the output has the URL in pieces, or escaped. "
        f"They cut {sum(row.cut for row in rows):,} off, which are left out. {'; '.join(versions)}. The expression of "
        f"ripgrep is `{RE}`; linkify has its fuzzy links off."
    )
    if skipped:
        paragraph(f"Skipped, absent or failed: {', '.join(skipped)}.")
    names = {"whole": "found whole", "among": "among its readings", "wrong": "a shorter or wrong URL", "nothing": "nothing"}
    heads = [f"{broken.count:,} broken: found whole", *list(names.values())[1:], f"{printed.count:,} whole: found whole", *list(names.values())[2:], "made up"]
    table(["finder", *heads], [finder_cells(rows, name) for name in NAMES])
    mean = lambda name: sum(row.scores[name]["broken"].percent("whole") for row in breaking(rows)) / len(breaking(rows))
    paragraph(
        "*Made up* counts matches that are no part of any URL. Of the broken URLs of each program, the mean over the "
        "programs is: " + ", ".join(f"{name} {mean(name):.1f}%" for name in NAMES) + "."
    )
    ordered = sorted(rows, key=lambda row: (row.program.kind, row.program.name.lower()))
    table(["program", "broken", *NAMES, "whole", *NAMES], [program_cells(row) for row in ordered])
    paragraph(f"{others}. Debian: {', '.join(debian)}. `requirements.txt` and `package.json` pin the rest.")


def finder_cells(rows, name):
    broken, printed = total(rows, name, "broken"), total(rows, name, "printed")
    shares = [broken.percent(key) for key in ("whole", "among", "wrong", "nothing")]
    shares += [printed.percent("whole"), printed.percent("wrong") + printed.percent("among"), printed.percent("nothing")]
    return [name, *(f"{share:.1f}%" for share in shares), str(printed.made_up)]


def program_cells(row):
    cells = [f"{row.program.kind}: {row.program.name}"]
    for state in ("broken", "printed"):
        count = row.scores["urlgrep"][state].count
        cells += [str(count), *(str(row.scores[name][state].whole) if count else "" for name in NAMES)]
    return cells


def paragraph(words):
    print(textwrap.fill(words, 120, break_long_words=False, break_on_hyphens=False), end="\n\n")


def table(heads, rows):
    print(f"| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}")
    for cells in rows:
        print(f"| {' | '.join(cells)} |")
    print()
