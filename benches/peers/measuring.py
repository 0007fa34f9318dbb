"""The costs of a program: instructions, seconds, memory. Two programs run in turns, and their ratio is compared."""

import re
import shutil
import statistics
import subprocess
from dataclasses import dataclass, field
from typing import Optional

from answers import Answer, answer, checked_peer, checked_urlgrep, piped
from common import FOLDER, MIB, check_exit, cores, lines, say, wrong
from programs import ripgrep_on_all_cores, urlgrep
from texts import Text, mailbox, repeat, small_files, write_sample

# The number of pairs with a program that takes a minute.
SLOW_PAIRS = 3


@dataclass(frozen=True)
class Spent:
    """The costs of a process: CPU seconds (user and system), wall-clock seconds, and the peak of its memory in MiB."""

    cpu: float
    wall: float
    peak: float


def spend(command, source=subprocess.DEVNULL):
    cpu, wall, peak = lines([FOLDER / "release/spent", *command], source)[0].split()
    return Spent(float(cpu), float(wall), float(peak) / 1024)


@dataclass(frozen=True)
class Spread:
    """A median, which one disturbed pair does not move. The extremes show how disturbed the run was."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values):
        values = list(values)
        return cls(statistics.median(values), min(values), max(values))

    def __str__(self):
        return f"{self.middle:.2f} ({self.low:.2f} to {self.high:.2f})"


def pairs_of(one, other, count):
    """Runs two commands in turns. A machine that slows down slows both, and the ratio stays."""
    return [(spend(one), spend(other)) for _ in range(count)]


@dataclass
class Measured:
    """The measurements of a program on a text."""

    answer: Answer
    cpu: float = 0
    # the bytes of text searched in these seconds
    size: int = 0
    peak: float = 0
    # the ratio of its CPU seconds to urlgrep's
    ratio: Optional[Spread] = None
    instructions: Optional[float] = None

    @property
    def speed(self):
        """Returns GB per CPU second."""
        return self.size / self.cpu / 1e9


@dataclass
class Row:
    """All measurements on one text. `programs` has urlgrep first, then the available peers."""

    text: Text
    programs: dict = field(default_factory=dict)
    threads: Optional[Spread] = None
    memory: float = 0


def measure(text, peers, options):
    say(f"{text.name}: checking the answers")
    row = Row(text, {"urlgrep": Measured(checked_urlgrep(text))})
    for peer in peers:
        row.programs[peer.name] = Measured(checked_peer(peer, text))
    if not instructions_missing(options):
        measure_instructions(row, peers)
    measure_cpu(row, peers, options.pairs)
    measure_threads(row, options.pairs)
    measure_memory(row)
    return row


def measure_cpu(row, peers, pairs):
    own = []
    for peer in peers:
        say(f"{row.text.name}: {peer.name} and urlgrep in turns")
        file, count = (row.text.short, min(pairs, SLOW_PAIRS)) if peer.is_slow else (row.text.file, pairs)
        spent = pairs_of(urlgrep(1).on(file), peer.on(file), count)
        if not peer.is_slow:
            own += [ours for ours, _ in spent]
        measured = row.programs[peer.name]
        sum_up(measured, [theirs for _, theirs in spent], file)
        measured.ratio = Spread.of(theirs.cpu / ours.cpu for ours, theirs in spent)
    sum_up(row.programs["urlgrep"], own or [spend(urlgrep(1).on(row.text.file)) for _ in range(pairs)], row.text.file)


def sum_up(measured, spent, file):
    measured.cpu = statistics.median(one.cpu for one in spent)
    measured.peak = max(one.peak for one in spent)
    measured.size = file.stat().st_size


def measure_threads(row, pairs):
    if cores() < 2:
        return
    say(f"{row.text.name}: one thread and two in turns")
    spent = pairs_of(urlgrep(1).on(row.text.file), urlgrep(2).on(row.text.file), pairs)
    row.threads = Spread.of(one.wall / two.wall for one, two in spent)


def measure_memory(row):
    say(f"{row.text.name}: memory with 1 to 4 threads, file and pipe")
    peaks = [spend(urlgrep(threads).on(row.text.file)).peak for threads in (1, 2, 4)]
    for threads in (1, 2, 4):
        with piped(row.text.file) as source:
            peaks.append(spend(urlgrep(threads).on("-"), source).peak)
    row.memory = max(peaks)


def measure_instructions(row, peers):
    once, twice = samples(row.text)
    for program in (urlgrep(1), *(peer for peer in peers if not peer.is_slow)):
        say(f"{row.text.name}: instructions of {program.name}")
        row.programs[program.name].instructions = instructions_of_more(program, once, twice) / once.stat().st_size


def samples(text):
    """Writes 4 MiB from all over a text, twice and four times. All buffers have their full size after the first half."""
    sample, once, twice = FOLDER / "sample", FOLDER / "sample.once", FOLDER / "sample.twice"
    write_sample(text.piece, sample, 4 * MIB)
    repeat(sample, once, 2)
    repeat(sample, twice, 4)
    return once, twice


def instructions_of_more(program, once, twice):
    """Returns the cost of a text less that of its half, which excludes the start, compiled patterns and first pages."""
    return instructions(program.on(twice)) - instructions(program.on(once))


def instructions(command):
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run([*valgrind, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check_exit(command, run.returncode)
    return int(re.search(r"Collected : (\d+)", run.stderr)[1])


def instructions_missing(options):
    """Returns the reason why instructions are not counted, or nothing if they are."""
    if options.quick:
        return "--quick"
    return "" if shutil.which("valgrind") else "no valgrind"


@dataclass(frozen=True)
class Job:
    """Another task of users, and its comparison with its goal."""

    name: str
    title: str
    # a number or a spread; None if it is not measured
    value: object
    missing: str = ""


def measure_jobs(rows, peers, options):
    """Measures the tasks other than one file to lines of text."""
    texts = {row.text.name: row.text for row in rows}
    ripgrep = next((peer for peer in peers if peer.name == "ripgrep"), None)
    yield from records(texts["dense"], options)
    yield from starting(ripgrep, options)
    mail = texts.get("archive", texts["mail"])
    yield from many_files(mail, ripgrep, options)
    yield mailboxes(mail, options)
    yield audit(mail, options)


def records(text, options):
    missing = instructions_missing(options)
    for name, option in (("json", "--json"), ("csv", "--csv")):
        say(f"{option}: instructions of a record")
        value = None
        if not missing:
            once, twice = samples(text)
            count = answer(urlgrep(1).on(once)).count
            value = instructions_of_more(urlgrep(1, option), once, twice) / count
        yield Job(name, f"`{option}` of *dense*: instructions a record", value, missing)
    spent = [spend(urlgrep(1, "--json").on(text.file)) for _ in range(min(options.pairs, SLOW_PAIRS))]
    speed = Spread.of(text.size / one.cpu / 1e6 for one in spent)
    yield Job("json_speed", "`--json` of *dense*: MB of text a CPU second", speed)
    spent = spend(urlgrep(4, "--json").on(text.file))
    yield Job("json_memory", "`--json -j4` of *dense*: peak MiB", spent.peak)


def starting(ripgrep, options):
    missing = instructions_missing(options) or ("" if ripgrep else "no ripgrep")
    value = None
    if not missing:
        say("instructions of starting up")
        file = FOLDER / "one-line"
        file.write_text("see http://a.example/ there\n")
        value = instructions(urlgrep(1).on(file)) / instructions(ripgrep.on(file))
    yield Job("starting", "a file of one line: instructions to ripgrep's", value, missing)


def many_files(text, ripgrep, options):
    count = 2_000 if options.quick else 50_000
    title = f"{count:,} files of 2 KB"
    folder = small_files(text, count, 2_000)
    expected = answer(urlgrep(1).on(folder))
    if answer(urlgrep(2).on(folder)) != expected:
        wrong(f"{title}: two threads print something else than one")
    say(f"{title}: urlgrep, ripgrep")
    if ripgrep:
        spent = pairs_of(urlgrep(1).on(folder), ripgrep.on(folder), options.pairs)
        ratio = Spread.of(theirs.cpu / ours.cpu for ours, theirs in spent)
        yield Job("files", f"{title}, one thread: ripgrep's CPU to urlgrep's", ratio)
        own = [part for part in urlgrep(1).on(folder) if part not in ("-j", "1")]
        spent = pairs_of(own, [*ripgrep_on_all_cores(ripgrep), folder], options.pairs)
        ratio = Spread.of(theirs.wall / ours.wall for ours, theirs in spent)
        yield Job("files_own", f"{title}, each with its default number of threads: ripgrep's time to urlgrep's", ratio)
    if cores() >= 2:
        spent = pairs_of(urlgrep(1).on(folder), urlgrep(2).on(folder), options.pairs)
        ratio = Spread.of(one.wall / two.wall for one, two in spent)
        yield Job("files_threads", f"{title}: two threads against one (wall)", ratio)


def mailboxes(text, options):
    say("a mailbox as mail and as text")
    box = mailbox(text, (8 if options.quick else 256) * MIB)
    as_mail = [part if part != "text" else "mail" for part in urlgrep(1).on(box)]
    spent = pairs_of(urlgrep(1).on(box), as_mail, options.pairs)
    ratio = Spread.of(as_mail.cpu / as_text.cpu for as_text, as_mail in spent)
    return Job("mail", "a mailbox of plain messages: CPU as mail to CPU as text", ratio)


def audit(text, options):
    say("an audit")
    find = urlgrep(1).on(text.file)
    audit = [find[0], "audit", *find[1:]]
    audit.remove("-I")
    spent = pairs_of(find, audit, options.pairs)
    ratio = Spread.of(audited.cpu / found.cpu for found, audited in spent)
    return Job("audit", f"an audit of *{text.name}*: its CPU to that of finding", ratio)
