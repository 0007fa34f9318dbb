"""Searches an archive with Apache Spark into Parquet: `python -m urlgrep.spark --help`.

`engine` makes an engine for `urlgrep.parquet.run` from an existing session.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa

from urlgrep import jobs
from urlgrep.audit import COLUMNS
from urlgrep.jobs import CRAWL, DEFAULT_RANGE, Plan
from urlgrep.parquet import Engine, Summary, run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["engine", "main"]

_WAVE = 20_000
"""The maximum number of items of one Spark job, since the driver keeps data of each."""
_TASKS = 1000
"""The minimum number of tasks, if there are enough items. A task costs 30 ms besides its work (November 2026)."""

_T = TypeVar("_T")


def engine(session: SparkSession) -> Engine:
    """Return an engine that distributes work over a Spark session, with ``mapInArrow``."""
    context = session.sparkContext

    def each(function: Callable[[_T], object], things: Sequence[_T]) -> Iterator[object]:
        for start in range(0, len(things), _WAVE):
            wave = [
                (number, pickle.dumps((function, thing))) for number, thing in enumerate(things[start : start + _WAVE])
            ]
            count = min(len(wave), max(_TASKS, 4 * context.defaultParallelism))
            tasks = session.createDataFrame(context.parallelize(wave, count), "number int, task binary")
            answers = tasks.mapInArrow(_do, "number int, answer binary").collect()
            for _, answer in sorted(answers):
                yield pickle.loads(answer)

    return each


def _do(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Run tasks on an executor."""
    for batch in batches:
        for row in batch.to_pylist():
            function, thing = pickle.loads(row["task"])
            answer = pickle.dumps(function(thing))
            yield pa.RecordBatch.from_arrays(
                [pa.array([row["number"]], pa.int32()), pa.array([answer], pa.binary())], ["number", "answer"]
            )


@contextmanager
def _progress(session: SparkSession) -> Iterator[None]:
    """Print the progress of the tasks on standard error every second."""
    tracker, ended = session.sparkContext.statusTracker(), threading.Event()

    def watch() -> None:
        while not ended.wait(1):
            for stage in tracker.getActiveStageIds():
                about = tracker.getStageInfo(stage)
                if about:
                    failed = f", {about.numFailedTasks} failed and done again" if about.numFailedTasks else ""
                    done = f"{about.numCompletedTasks} of {about.numTasks} tasks"
                    print(f"urlgrep: {done}, {about.numActiveTasks} at work{failed}", file=sys.stderr)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


_EPILOG = """\
INPUT and OUTPUT are paths that every machine can read: on a shared file system, or of fsspec (s3://bucket/folder).
A second run searches new and changed files, and tries unreadable files again.

Exit status: 0 a URL was found, 1 none, 2 an error, also if some files could not be read.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m urlgrep.spark",
        description="Find the URLs of an archive with Apache Spark, as a folder of Parquet files.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("inputs", metavar="INPUT", nargs="*", help="a file or a folder")
    add("output", metavar="OUTPUT", help="the folder of results: matches, errors, inputs")
    add("--master", metavar="URL", help="the cluster: local[4], spark://host:7077, yarn")
    add("--conf", metavar="KEY=VALUE", action="append", default=[], help="a setting of Spark's; may be repeated")
    add("--range-size", metavar="SIZE", type=_size, default=DEFAULT_RANGE, help="the size of a range (default 64M)")
    add("--listing", metavar="FILE", action="append", default=[], help="files to search, one per line: warc.paths.gz")
    add("--prefix", metavar="URL", default="", help="the text before each line of --listing: s3://commoncrawl/")
    add("--crawl", action="store_true", help=f"the columns of a web graph: {','.join(CRAWL)}")
    add("--columns", metavar="LIST", help="only these: url,file,key,findings; by default all of urlgrep.schema()")
    add("--audit", action="store_true", help="also the columns that urlgrep.audit needs: key, target, findings")
    add("--no-lines", action="store_true", help="omit the columns line and column")
    add("--partition-by", metavar="LIST", help="columns of few values: scheme, level, year (that of the message)")
    add("--input", choices=["auto", "text", "mail", "html", "csv"], default="auto", help="as in the command")
    add("--rejoin", choices=["auto", "delimited", "none"], default="auto", help="as in the command")
    add("--hyphen", choices=["keep", "drop"], default="keep", help="as in the command")
    add("--any-scheme", action="store_true", help="as in the command")
    add("--iri", action="store_true", help="as in the command")
    add("--quiet", action="store_true", help="print only errors on standard error")
    return parser


def _size(text: str) -> int:
    units = {"K": 10, "M": 20, "G": 30}
    unit = text[-1:].upper()
    digits = text[:-1] if unit in units else text
    if not digits.isdecimal() or int(digits) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size, such as 64M")
    return int(digits) << units.get(unit, 0)


def _words(text: str | None) -> list[str]:
    return [word for word in (text or "").split(",") if word]


def _plan(arguments: argparse.Namespace) -> Plan:
    names = ["input", "rejoin", "hyphen", "any_scheme", "iri"]
    columns: list[str] = _words(arguments.columns) or (list(CRAWL) if arguments.crawl else Plan().names)
    if arguments.audit:
        columns += [name for name in COLUMNS if name not in columns]
    if arguments.no_lines:
        columns = [name for name in columns if name not in {"line", "column"}]
    return Plan(columns, {name: getattr(arguments, name) for name in names})


def _session(arguments: argparse.Namespace) -> SparkSession:
    from pyspark.sql import SparkSession

    if (arguments.master or "").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("urlgrep").config("spark.ui.showConsoleProgress", "false")
    if arguments.master:
        builder = builder.master(arguments.master)
    for setting in arguments.conf:
        builder = builder.config(*setting.split("=", 1))
    return builder.getOrCreate()


def _late_engine(arguments: argparse.Namespace, stack: ExitStack) -> Engine:
    """Return an engine that starts its session with the first work. A run without new files starts no JVM."""
    begun: list[Engine] = []

    def each(function: Callable[[_T], object], things: Sequence[_T]) -> Iterable[object]:
        if not begun:
            session = _session(arguments)
            stack.callback(session.stop)
            if not arguments.quiet:
                stack.enter_context(_progress(session))
            begun.append(engine(session))
        return begun[0](function, things)

    return each


def _said(summary: Summary, seconds: float) -> str:
    read = f", {summary.bytes_read / max(summary.bytes_owned, 1):.3f} times read" if summary.bytes_owned else ""
    return (
        f"urlgrep: {summary.matches} matches in {summary.inputs} files ({summary.ranges} ranges, "
        f"{summary.bytes_owned} bytes{read}), {summary.skipped} files known from before, {summary.errors} errors; "
        f"{seconds:.1f} s, {summary.cpu_seconds:.1f} s of CPU to search"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit status."""
    parser = _parser()
    arguments = parser.parse_args(words)
    bad = [setting for setting in arguments.conf if "=" not in setting]
    if bad:
        parser.error(f"--conf takes KEY=VALUE, not {bad[0]}")
    if arguments.audit and arguments.no_lines:
        parser.error("--audit takes the lines that --no-lines leaves out")
    if not arguments.inputs and not arguments.listing:
        parser.error("there is no INPUT, and no --listing")
    began = time.monotonic()
    try:
        plan = _plan(arguments)
        plan.schema()
    except ValueError as error:
        parser.error(str(error))
    try:
        listed = [item for listing in arguments.listing for item in jobs.listing(listing, arguments.prefix)]
        with ExitStack() as stack:
            summary = run(
                [*arguments.inputs, *listed],
                arguments.output,
                engine=_late_engine(arguments, stack),
                plan=plan,
                range_size=arguments.range_size,
                partition_by=_words(arguments.partition_by),
            )
    except Exception as error:
        print(f"urlgrep: {error}", file=sys.stderr)
        return 2
    if summary.errors or not arguments.quiet:
        print(_said(summary, time.monotonic() - began), file=sys.stderr)
    if summary.errors:
        return 2
    return 0 if summary.matches + summary.skipped_matches else 1


if __name__ == "__main__":
    sys.exit(main())
