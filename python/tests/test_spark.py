"""Searches with Spark, on two executors on this machine, which may die. ``pytest -m spark`` needs pyspark and Java.

``URLGREP_ARCHIVE`` sets the size of the generated mailbox (default 8 MB), and ``URLGREP_CRAWL`` the size of the crawl
(default 40 MB). ``URLGREP_INPUTS`` names another folder to search.
"""

from __future__ import annotations

import collections
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from test_jobs import inputs, poisoned, results, rows, table

import archive
import crawl
from conftest import Command, row_of

pytestmark = pytest.mark.spark
__all__ = ["inputs"]  # a fixture

TWO_EXECUTORS = "local-cluster[2,1,1024]"
SIZE = int(os.environ.get("URLGREP_ARCHIVE", 8_000_000))


def words(*arguments: str | Path, master: str = "local[2]") -> list[str]:
    settings = ["spark.ui.enabled=false", "spark.log.level=WARN"]
    conf = [word for setting in settings for word in ("--conf", setting)]
    return [sys.executable, "-m", "urlgrep.spark", "--master", master, *conf, *map(str, arguments)]


def run(*arguments: str | Path, master: str = "local[2]") -> tuple[int, str]:
    """Run the module. Return its exit status, and its last message."""
    done = subprocess.run(words(*arguments, master=master), stderr=subprocess.PIPE, text=True, check=False)
    sys.stderr.write(done.stderr)
    return done.returncode, next((line for line in done.stderr.splitlines()[::-1] if line.startswith("urlgrep:")), "")


def found(output: Path) -> Iterator[dict[str, Any]]:
    """Return the matches in order."""
    for path in results(output):
        for batch in pq.ParquetFile(path).iter_batches(10_000):
            yield from batch.to_pylist()


def check_same(command: Command, output: Path, *paths: Path) -> int:
    """Compare the rows with the lines of the command. There may be millions. Return their number."""
    options = ["--json", "--no-config", "--no-ignore", "--hidden", "-z", *map(str, paths)]
    count, ordinals = 0, collections.Counter[str]()
    with subprocess.Popen([command.program, *options], stdout=subprocess.PIPE) as process:
        assert process.stdout
        for row, line in zip_longest(found(output), process.stdout):
            assert row, line
            assert line, row
            path = row.pop("input")
            assert row.pop("ordinal") == ordinals[path]
            ordinals[path] += 1
            assert row == row_of(json.loads(line))
            assert row["file"].split("!/")[0] == path
            count += 1
    return count


def straddling(output: Path, path: Path, size: int) -> int:
    """Count the matches of the file that begin in one range and end in the next."""
    columns = ["input", "offset", "length", "encoding"]
    apart = {"unpacked", "http"}
    count = 0
    for result in results(output):
        for row in pq.read_table(result, columns=columns).to_pylist():
            start, end = row["offset"], row["offset"] + row["length"] - 1
            if row["input"] == str(path) and row["encoding"] not in apart and start // size != end // size:
                count += 1
    return count


def test_two_executors_find_what_the_command_finds(command: Command, inputs: Path, tmp_path: Path) -> None:
    large, size = archive.write(tmp_path / "large.mbox", SIZE), 64 << 10
    paths = [inputs, large, *map(Path, os.environ.get("URLGREP_INPUTS", "").split())]
    output = tmp_path / "out"
    status, said = run("--range-size", "64K", *paths, output, master=TWO_EXECUTORS)
    assert status == 0, said
    count = check_same(command, output, *paths)
    cut = straddling(output, large, size)
    print(f"{count} rows are the same; {cut} of the mailbox lie on a cut, of {SIZE // size}")
    assert cut > SIZE // size // 50
    assert count > 1000

    before = {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")}
    # A run that reads the file again would find nothing, since it holds only NULs now.
    status_of = large.stat()
    os.truncate(large, 0)
    os.truncate(large, status_of.st_size)
    os.utime(large, ns=(status_of.st_atime_ns, status_of.st_mtime_ns))
    status, said = run("--range-size", "64K", *paths, output, master=TWO_EXECUTORS)
    assert status == 0
    assert ": 0 matches in 0 files (0 ranges, 0 bytes)" in said
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")} == before


def processes(parent: int, name: str) -> list[int]:
    """Return the descendants of a process whose command line contains a name."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (OSError, IndexError):
                continue

    def is_below(process: int) -> bool:
        while process > 1:
            if process == parent:
                return True
            process = parents.get(process, 0)
        return False

    def line(process: int) -> str:
        try:
            return Path(f"/proc/{process}/cmdline").read_text()
        except OSError:
            return ""

    return [process for process in parents if is_below(process) and name in line(process)]


def wait_for(condition: Any, seconds: float = 240) -> Any:
    for _ in range(int(seconds / 0.02)):
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise TimeoutError


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
def test_an_executor_may_die(command: Command, tmp_path: Path) -> None:
    path, output = archive.write(tmp_path / "a.mbox", 30_000_000), tmp_path / "out"
    log = tmp_path / "log"
    arguments = words("--range-size", "32K", path, output, master=TWO_EXECUTORS)
    with log.open("wb") as file, subprocess.Popen(arguments, stderr=file) as process:

        def staged(count: int) -> bool:
            assert process.poll() is None, "it ended before anything died"
            return len(list(output.glob("_staged/*/*.parquet"))) > count

        wait_for(lambda: staged(20))
        executors = processes(process.pid, "CoarseGrainedExecutorBackend")
        assert len(executors) == 2
        os.kill(executors[0], signal.SIGKILL)
        wait_for(lambda: staged(300))
        os.kill(processes(process.pid, "pyspark.daemon")[-1], signal.SIGKILL)
        assert process.wait(600) == 0
    said = log.read_text()
    assert "Lost executor" in said or "Lost task" in said
    assert check_same(command, output, path) > 10_000
    assert not (output / "_staged").exists()


def test_what_cannot_be_read_is_a_row(command: Command, inputs: Path, tmp_path: Path) -> None:
    bad = poisoned(inputs, tmp_path / "in")
    output, none = tmp_path / "out", tmp_path / "none"
    status, said = run("--range-size", "64K", none, tmp_path / "in", output)
    assert status == 2, said
    assert ", 3 errors;" in said
    assert {row["input"]: row["kind"] for row in table(output, "errors")} == {**bad, str(none): "ENOENT"}
    check_same(command, output, tmp_path / "in")


def test_columns_and_partitions(inputs: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    options = ["--columns", "url,line,key,level", "--no-lines", "--partition-by", "level", "--quiet"]
    status, _ = run(*options, inputs / "a.mbox", output)
    assert status == 0
    [here] = rows(output).values()
    assert set(here[0]) == {"url", "key"}
    levels = {path.parent.name for path in results(output)}
    assert {"level=rfc1738", "level=rfc3986"} <= levels
    import pyspark.sql

    session = pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = session.read.parquet(str(output / "matches"))
        assert frame.count() == len(here)
        assert {row.level for row in frame.select("level").distinct().collect()} == {name[6:] for name in levels}
    finally:
        session.stop()


def test_exit_status(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("nothing here")
    assert run(tmp_path / "none.txt", tmp_path / "out")[0] == 1
    assert run("--columns", "no", tmp_path / "none.txt", tmp_path / "out")[0] == 2
    assert run("--range-size", "0", tmp_path / "none.txt", tmp_path / "out")[0] == 2


def test_a_crawl(command: Command, tmp_path: Path) -> None:
    """The rows are right although an executor is killed, a file is cut and a bucket is missing. A rerun has no work."""
    size = int(os.environ.get("URLGREP_CRAWL", 40_000_000))
    pages = crawl.write(tmp_path / "crawl", size, max(size // 4, 8 << 20))
    last = pages[-2]
    os.truncate(last, last.stat().st_size * 2 // 3)
    listing = tmp_path / "warc.paths"
    listing.write_text("".join(f"{path}\n" for path in pages) + "memory://no-bucket/x.warc.gz\n")
    output, log = tmp_path / "out", tmp_path / "log"
    options: list[str | Path] = ["--listing", listing, "--range-size", "1M" if size < 1 << 30 else "16M"]
    with (
        log.open("wb") as file,
        subprocess.Popen(words(*options, output, master=TWO_EXECUTORS), stderr=file) as process,
    ):

        def staged(count: int) -> bool:
            assert process.poll() is None, "it ended before anything died"
            return len(list(output.glob("_staged/*/*.parquet"))) > count

        wait_for(lambda: staged(1))
        os.kill(processes(process.pid, "CoarseGrainedExecutorBackend")[0], signal.SIGKILL)
        assert process.wait(1200) == 2
    said = log.read_text()
    assert "Lost executor" in said or "Lost task" in said
    assert "2 errors;" in said
    assert {row["input"] for row in table(output, "errors")} == {str(last), "memory://no-bucket/x.warc.gz"}
    print(f"{check_same(command, output, *pages)} rows are the same; {said.splitlines()[-1]}")

    # Without work, the run needs no Java.
    listing.write_text("".join(f"{path}\n" for path in pages))
    settings = {**os.environ, "PATH": "/nowhere", "JAVA_HOME": "/nowhere"}
    again = subprocess.run(words(*options, output), stderr=subprocess.PIPE, text=True, check=False, env=settings)
    assert "0 matches in 0 files (0 ranges, 0 bytes)" in again.stderr


def test_the_graph_by_both_ways(tmp_path: Path) -> None:
    import duckdb
    import pyspark.sql

    from urlgrep import graph, parquet
    from urlgrep.jobs import CRAWL, Plan

    output = tmp_path / "out"
    parquet.run(crawl.write(tmp_path / "crawl", 3_000_000), output, plan=Plan(CRAWL))
    connection = duckdb.connect()
    graph.tables(connection, str(output))
    session = pyspark.sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frames = graph.frames(session, str(output))
        for name, frame in frames.items():
            rows = {tuple(row) for row in frame.collect()}
            assert rows == set(connection.execute(f"FROM {name}").fetchall()), name
            assert len(rows) > 100
    finally:
        session.stop()
