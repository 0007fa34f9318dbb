#!/usr/bin/env python3
"""Changes the code in one place at a time, and reports whether a test fails. It is a tool for use by hand.

    tests/mutants.py [--count 60] [--seed 1738] [--seconds 0] [--only src/find/join] [--list] [--pick 3,17]

It draws places from src/find, src/url, src/drive and src/archive: a comparison, `&&` or `||`, a number, a `push` that is
dropped, a condition that is negated. Sizes of buffers are excluded. Each mutant is built in a copy of the project
(target/mutants), and tried with the unit tests of its folder, then with the suites for it. `survived` is a place
that no test covers, or a change without effect.

`--list` only prints the drawn mutants, with numbers. `--pick` tries the mutants with these numbers.

The first build takes three minutes. A mutant that is caught early takes ten seconds on two cores. One that survives
takes two minutes. After `--seconds` no new mutant begins.
"""

import argparse
import filecmp
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "target/mutants"
COMPARISONS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == "}
LOGIC = {" && ": " || ", " || ": " && "}
TEXTS = ["parser_vectors", "drivers", "cli"]
MAIL = ["drivers", "cli"]
SUITES = {"src/find": TEXTS, "src/url": TEXTS, "src/drive": MAIL, "src/archive": MAIL}
PATIENCE = 120  # seconds: a mutant that takes longer is caught by its slowness


def code_lines(path):
    """Returns the lines of code with their numbers, without tests, comments and attributes."""
    for number, line in enumerate(path.read_text().split("\n")):
        if line.startswith("#[cfg(test)]"):
            return
        if not line.strip().startswith(("//", "#[", "#!", "use ", "assert", "debug_assert")):
            yield number, line.split(" // ")[0]


def mutants(path):
    """Returns the possible changes of a file: the kind, the line, and the changed line."""
    for number, line in code_lines(path):
        for kind, table in (("comparison", COMPARISONS), ("logic", LOGIC)):
            for old, new in table.items():
                for found in re.finditer(re.escape(old), line):
                    yield kind, number, line[: found.start()] + new + line[found.end() :]
        for found in re.finditer(r"(?<![\w.\"'#])\d+(?![\w.\"'])", line):
            yield "number", number, line[: found.start()] + str(int(found[0]) + 1) + line[found.end() :]
        if re.fullmatch(r"\s*[\w.\[\]]+\.push\(.*\);", line):
            yield "push", number, re.match(r"\s*", line)[0] + "{}"
        if found := re.fullmatch(r"(\s*(?:\} else )?if )((?!let ).+)( \{)", line):
            if " let " not in found[2]:
                yield "condition", number, f"{found[1]}!({found[2]}){found[3]}"


def draw(rng, only):
    """Returns mutants in random order, equally many of each kind."""
    kinds = {}
    for folder in SUITES:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            name = path.relative_to(ROOT)
            if path.name != "tests.rs" and "tests" not in path.parts and str(name).startswith(only):
                for kind, number, line in mutants(path):
                    kinds.setdefault(kind, []).append((name, number, line))
    while kinds:
        kind = rng.choice(sorted(kinds))
        places = kinds[kind]
        place = places.pop(rng.randrange(len(places)))
        if not re.search(r"with_capacity\(|\.reserve\(", place[2]):
            yield kind, *place
        if not places:
            del kinds[kind]


def cargo(*args):
    """Returns `passed`, `failed`, or `unbuilt`."""
    command = ["cargo", *args[:1], "--locked", "--offline", "--quiet", *args[1:]]
    env = os.environ | {"CARGO_INCREMENTAL": "1"}
    # cargo gets its own session, so that its children that run for ever can be killed, too.
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=COPY, env=env, start_new_session=True, **streams) as ran:
        try:
            _, errors = ran.communicate(timeout=PATIENCE if len(args) < 5 else 600)
        except subprocess.TimeoutExpired:
            os.killpg(ran.pid, signal.SIGKILL)
            return "failed"
    if ran.returncode == 0:
        return "passed"
    return "unbuilt" if b"could not compile" in errors else "failed"


def outcome(name):
    """Returns the tests that fail in the copy."""
    suites = {suite: ["--test", suite] for suite in SUITES["/".join(name.parts[:2])]}
    unit = ["--lib", "--", "::".join(name.parts[1:-1]) + "::"]
    for tests, args in {"unit tests": unit, **suites}.items():
        match cargo("test", *args):
            case "failed":
                return f"caught by {tests}"
            case "unbuilt":
                return "unbuilt"
    return "survived"


def copy(source, target):
    """Copies a file if it differs, with a new time, since cargo compares times."""
    if not os.path.exists(target) or not filecmp.cmp(source, target, shallow=False):
        shutil.copyfile(source, target)


def prepare():
    """Makes the copy, and runs the tests in it once."""
    COPY.mkdir(parents=True, exist_ok=True)
    for name in ["Cargo.toml", "Cargo.lock", "README.md", "CHANGELOG.md"]:
        copy(ROOT / name, COPY / name)
    for name in ["src", "tests", "benches", "corpora"]:
        shutil.copytree(ROOT / name, COPY / name, dirs_exist_ok=True, copy_function=copy)
    tests = ["--lib", *(word for suite in {*TEXTS, *MAIL} for word in ("--test", suite))]
    if cargo("test", "--no-run", *tests) != "passed" or cargo("test", *tests) != "passed":
        raise SystemExit("without a mutant the tests fail, or take too long")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1738)
    parser.add_argument("--seconds", type=int, default=0)
    parser.add_argument("--only", default="src")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--pick", type=lambda text: {int(number) for number in text.split(",")})
    options = parser.parse_args()
    drawn = list(draw(random.Random(options.seed), options.only))
    if not options.list:
        prepare()
    begun = time.monotonic()
    sums = {}
    for place, (kind, name, number, line) in enumerate(drawn, 1):
        tried = sum(count for outcome, count in sums.items() if outcome != "unbuilt")
        if tried >= options.count or options.seconds and time.monotonic() - begun > options.seconds:
            break
        if options.pick and place not in options.pick:
            continue
        original = ((ROOT if options.list else COPY) / name).read_text()
        lines = original.split("\n")
        was, lines[number] = lines[number], line
        result = "listed"
        if not options.list:
            (COPY / name).write_text("\n".join(lines))
            result = outcome(name)
            (COPY / name).write_text(original)
        sums[result] = sums.get(result, 0) + 1
        print(f"{place:3} {result:28} {name}:{number + 1} ({kind})", flush=True)
        if result in ("survived", "listed"):
            print(f"    - {was.strip()}\n    + {line.strip()}", flush=True)
    print(f"seed {options.seed}: " + ", ".join(f"{count} {result}" for result, count in sorted(sums.items())))


if __name__ == "__main__":
    main()
