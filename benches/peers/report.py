"""The report, in Markdown: instructions first, which depend least on the machine, then the goals, then each text."""

import datetime
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from answers import code, differences
from common import RE, ROOT, URLGREP, cores
from measuring import Spread, instructions_missing
from programs import version_of

# Ratios to reach. Instructions (per byte or record), memory (MiB) and the goals in CEILINGS are maximums instead.
# An archive has the goals of mail.
GOALS = {
    "ripgrep": {"mail": 5.5, "nourl": 5.5, "dense": 6},
    "linkify": {"mail": 4, "nourl": 5.5, "dense": 2.5},
    "hyperscan": {"mail": 1.5, "nourl": 1.9, "dense": 1.5},
    "threads": {"mail": 1.8, "nourl": 1.8, "dense": 1.8},
    "instructions": {"mail": 1.4, "nourl": 0.5, "dense": 8.5},
    "memory": {"mail": 64, "nourl": 64, "dense": 64},
}
JOB_GOALS = {"json_speed": 300, "files": 1.6, "files_threads": 1.6}
JOB_CEILINGS = {"json": 2500, "csv": 1500, "json_memory": 88, "starting": 0.5, "mail": 1.3, "audit": 2}


def machine(programs, options):
    """Returns a description of the machine and the versions, on which all figures depend."""
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout
    versions = [f"{version_of(URLGREP)} {commit.strip()}", *(program.version for program in programs)]
    versions += [version_of(tool) for tool in ("rustc", "valgrind") if shutil.which(tool)]
    return (
        f"{model[1] if model else platform.machine()}, {cores()} cores; {system()}; {datetime.date.today()}; "
        f"load averages at the start {options.load}, at the end {load()}.\n{'; '.join(versions)}.\n"
        f"RE is `{RE}`. Each figure is the median of {options.pairs} interleaved pairs, in brackets the extremes."
    )


def load():
    return " ".join(f"{load:.1f}" for load in os.getloadavg())


def system():
    name = re.search(r'^PRETTY_NAME="?(.*?)"?$', Path("/etc/os-release").read_text(), re.M)
    return f"{name[1] if name else platform.system()}, kernel {platform.release()}"


def table(*rows):
    """Returns a table of Markdown. The first row is the head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def goals(rows, programs, options):
    """Returns each goal with the measurement of this run."""
    head = ["yardstick", *(row.text.name for row in rows)]
    peers = [
        [f"{program.title}: its CPU to urlgrep's", *(ratio_cell(row, program) for row in rows)] for program in programs
    ]
    return table(
        head,
        ["instructions a byte, one thread", *(instructions_cell(row, options) for row in rows)],
        *peers,
        [
            "two threads on one file, against one (wall; needs an idle machine)",
            *(reached("threads", row, row.threads) if row.threads else unmeasured("one core") for row in rows),
        ],
        ["peak memory in MiB, 1 to 4 threads, file and pipe", *(kept("memory", row, row.memory) for row in rows)],
    )


def ratio_cell(row, program):
    if program.missing:
        return unmeasured(program.missing)
    return reached(program.name, row, row.programs[program.name].ratio)


def instructions_cell(row, options):
    missing = instructions_missing(options)
    return unmeasured(missing) if missing else kept("instructions", row, row.programs["urlgrep"].instructions)


def goal_of(name, text):
    return GOALS.get(name, {}).get("mail" if text.name == "archive" else text.name)


def reached(name, row, spread):
    goal = goal_of(name, row.text)
    if goal is None:
        return str(spread)
    return f"{spread}, goal {goal}: {'met' if spread.middle >= goal else '**missed**'}"


def kept(name, row, value):
    goal = goal_of(name, row.text)
    return f"{value:.2f}, goal {goal}: {'met' if value <= goal else '**missed**'}"


def other_jobs(jobs):
    return table(["another job", "measured"], *([job.title, job_cell(job)] for job in jobs))


def job_cell(job):
    if job.missing:
        return unmeasured(job.missing)
    value = job.value.middle if isinstance(job.value, Spread) else job.value
    shown = str(job.value) if isinstance(job.value, Spread) else f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
    goal, ceiling = JOB_GOALS.get(job.name), JOB_CEILINGS.get(job.name)
    if goal is None and ceiling is None:
        return shown
    is_met = value >= goal if ceiling is None else value <= ceiling
    return f"{shown}, goal {ceiling if goal is None else goal}: {'met' if is_met else '**missed**'}"


def unmeasured(why):
    return f"not measured: {why}"


def side_by_side(row, programs, options):
    """Returns the table of every program on one text."""
    text, own = row.text, row.programs["urlgrep"]
    title = f"*{text.name}*: {text.title}, {text.times} × {text.piece.stat().st_size / 1e6:.0f} MB"
    head = [title, "URLs", "GB a CPU second", "CPU to urlgrep's", "instructions a byte", "peak MiB"]
    body = [["urlgrep -j 1", *figures(text, own, options)]]
    for program in programs:
        measured = row.programs.get(program.name)
        cells = figures(text, measured, options) if measured else [unmeasured(program.missing)] + [""] * 4
        body.append([program.title, *cells])
    return table(head, *body)


def figures(text, measured, options):
    instructions = "not counted" if measured.instructions is None else f"{measured.instructions:.2f}"
    count = measured.answer.count * text.times
    return [f"{count:,}", f"{measured.speed:.2f}", str(measured.ratio or 1), instructions, f"{measured.peak:.0f}"]


NOTES = """\
urlgrep also validates each URL and joins those broken over lines; no peer does. linkify searches for URLs, not for
addresses, and knows neither `mailto:` nor `news:`. linkify, regex and Hyperscan read windows of 1 MiB. ripgrep maps
the file, which counts as its memory. grep reads 16 MiB."""

AVX512_NOTE = " valgrind has no AVX-512, so instructions are those of the path for AVX2."


def notes(options):
    has_avx512 = " avx512bw" in Path("/proc/cpuinfo").read_text()
    return NOTES + (AVX512_NOTE if has_avx512 and not instructions_missing(options) else "")


def explained(row, peer, most=9):
    """Returns the differences of a peer's matches in one piece, the most frequent first, with three examples each."""
    text = row.text
    groups = sorted(differences(peer, text).items(), key=lambda group: -len(group[1]))
    counts = [row.programs[name].answer.count for name in ("urlgrep", peer.name)]
    said = [f"*{text.name}*: urlgrep {counts[0]:,}, {peer.name} {counts[1]:,}" + ("" if groups else ", all the same")]
    for why, examples in groups[:most]:
        some = [examples[0], examples[len(examples) // 2], examples[-1]]
        said.append(f"- {len(examples):,} {why}: {', '.join(dict.fromkeys(some))}")
    if groups[most:]:
        rest = sum(len(examples) for _, examples in groups[most:])
        said.append(f"- {rest:,} more, of {len(groups) - most} kinds")
    return "\n".join(said)


def write(rows, jobs, programs, peers, options):
    """Prints the report part by part, because explaining the differences takes a while."""
    parts = [machine(programs, options), goals(rows, programs, options), other_jobs(jobs)]
    parts += [side_by_side(row, programs, options) for row in rows]
    parts += [notes(options), "What the answers to one piece differ in, and why:"]
    for part in parts:
        print(part, end="\n\n")
    for row in rows:
        known = {}
        for peer in peers:
            twin = known.setdefault(row.programs[peer.name].answer, peer)
            same = f"*{row.text.name}*: {peer.name} prints what {twin.name} prints"
            print(explained(row, peer) if twin is peer else same, end="\n\n", flush=True)
