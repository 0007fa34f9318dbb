"""Searches in pieces with several engines. All have the results of the command."""

from __future__ import annotations

import bz2
import concurrent.futures
import contextlib
import gzip
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dask.base import compute
from dask.delayed import delayed

import urlgrep
from urlgrep import jobs, parquet

import archive
from conftest import ROOT, Command, row_of

RANGE = 8 << 10
# By convention, this user owns nothing.
NOBODY = 65534


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a folder of all kinds of inputs: mail and text that can be cut, files that cannot, compressed files."""
    folder = tmp_path_factory.mktemp("inputs")
    archive.write(folder / "a.mbox", 400_000)
    text = b"".join(archive.mailbox(150_000, 3)).replace(b"\nFrom ", b"\n")[5:]
    (folder / "b.txt").write_bytes(b"no mail\n" + text)
    (folder / "c.mbox.gz").write_bytes(gzip.compress(b"".join(archive.mailbox(60_000, 4))))
    (folder / "d.txt.bz2").write_bytes(bz2.compress(text[:50_000]) + bz2.compress(text[50_000:]))
    with zipfile.ZipFile(folder / "e.zip", "w") as zipped, tarfile.open(folder / "f.tar", "w") as tar:
        for name in ("a.mbox", "b.txt"):
            zipped.write(folder / name, name)
            tar.add(folder / name, name)
    shutil.copytree(ROOT / "corpora", folder / "g")
    (folder / "h.txt").write_bytes(b"http://a.example/ " * 5000)
    (folder / "empty").write_bytes(b"")
    return folder


def rows(output: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the matches by input."""
    table = pa.concat_tables([pq.read_table(path, partitioning=None) for path in results(output)])
    found: dict[str, list[dict[str, Any]]] = {}
    for row in table.sort_by([("input", "ascending"), ("ordinal", "ascending")]).to_pylist():
        here = found.setdefault(row.pop("input"), [])
        assert row.pop("ordinal") == len(here)
        here.append(row)
    return found


def results(output: Path) -> list[Path]:
    return sorted((output / "matches").rglob("*.parquet"))


def expected(command: Command, *paths: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the matches of the command by input."""
    found: dict[str, list[dict[str, Any]]] = {}
    for record in command.json("--json", "--no-config", "--no-ignore", "--hidden", "-z", *paths):
        found.setdefault(record["file"].split("!/")[0], []).append(row_of(record))
    return found


def table(output: Path, name: str) -> list[dict[str, Any]]:
    paths = sorted((output / name).glob("*.parquet"))
    return pa.concat_tables(map(pq.read_table, paths)).to_pylist() if paths else []


def futures(function: Any, things: Any) -> Iterator[Any]:
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        yield from pool.map(function, things)


def by_dask(function: Any, things: Any) -> Iterable[Any]:
    return compute(*(delayed(function)(thing) for thing in things), scheduler="threads")  # type: ignore[no-untyped-call, no-any-return]


@pytest.mark.parametrize("engine", [map, futures, by_dask])
def test_every_engine_finds_what_the_command_finds(command: Command, inputs: Path, tmp_path: Path, engine: Any) -> None:
    summary = parquet.run([inputs], tmp_path / "out", engine=engine, range_size=RANGE)
    want = expected(command, inputs)
    found = rows(tmp_path / "out")
    assert found.keys() == want.keys()
    for path, here in want.items():
        assert found[path] == here, path
    assert summary.matches == sum(map(len, want.values())) > 4000
    assert summary.errors == 0
    assert summary.ranges > 70
    assert not (tmp_path / "out" / "_staged").exists()


@pytest.mark.parametrize("size", [700, 3000, 50_000])
def test_any_cut_gives_the_same(command: Command, tmp_path: Path, size: int) -> None:
    path = archive.write(tmp_path / "a.mbox", 60_000, size)
    crlf = tmp_path / "b.txt"
    crlf.write_bytes(b"text\r\n" + path.read_bytes().replace(b"\n", b"\r\n")[5:20_000])
    parquet.run([path, crlf], tmp_path / "out", range_size=size)
    assert rows(tmp_path / "out") == expected(command, path, crlf)


def test_a_message_that_hides_the_next_range(command: Command, tmp_path: Path) -> None:
    inner = b"From ann@b.example Mon Jan  1 12:34:56 2001\nFrom: ann\n\nhttp://inner.example/\n\n" * 400
    one = b"From a@b.example Mon Jan  1 12:34:56 2001\nContent-Length: %d\n\n%s\n" % (len(inner), inner)
    path = tmp_path / "a.mbox"
    path.write_bytes(one * 3)
    asked: list[int] = []

    def engine(function: Any, things: list[Any]) -> Iterator[Any]:
        asked.append(len(things))
        return map(function, things)

    parquet.run([path], tmp_path / "out", engine=engine, range_size=5000)
    assert rows(tmp_path / "out") == expected(command, path)
    ranges = -(-path.stat().st_size // 5000)
    assert asked[0] == ranges
    assert len(asked) > 2, "nothing was searched again"


def test_columns_are_those_that_are_asked_for(command: Command, inputs: Path, tmp_path: Path) -> None:
    want = expected(command, inputs / "a.mbox")[str(inputs / "a.mbox")]
    for columns in (["url"], ["line", "url"], ["message.number", "column", "host"], ["message", "encoding"]):
        output = tmp_path / "-".join(columns)
        parquet.run([inputs / "a.mbox"], output, plan=jobs.Plan(columns), range_size=RANGE)
        [found] = rows(output).values()
        for row, here in zip(found, want):
            pick = {name: here["message"]["number"] if name == "message.number" else here[name] for name in columns}
            assert row == pick
        assert len(found) == len(want)
    with pytest.raises(ValueError, match="no column 'no'"):
        parquet.run([inputs], tmp_path / "x", plan=jobs.Plan(["no"]))


def test_options_are_those_of_the_command(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("foo://a.example/ <URL:http://a.example/b-\nc>")
    for options, urls in (({"any_scheme": True, "hyphen": "drop"}, 2), ({"rejoin": "none"}, 1)):
        output = tmp_path / str(urls)
        parquet.run([path], output, plan=jobs.Plan(["url"], options))
        [found] = rows(output).values()
        assert [row["url"] for row in found] == [match.url for match in urlgrep.find_file(path, **options)]
        assert len(found) == urls


def test_results_are_parted_as_asked(command: Command, inputs: Path, tmp_path: Path) -> None:
    output = tmp_path / "out"
    parquet.run([inputs / "a.mbox"], output, partition_by=["scheme", "year"], range_size=RANGE)
    want = expected(command, inputs / "a.mbox")[str(inputs / "a.mbox")]
    count = 0
    for path in results(output):
        scheme, year = (part.split("=")[1] for part in path.relative_to(output / "matches").parts[:2])
        for row in pq.read_table(path, partitioning=None).to_pylist():
            here = want[row["ordinal"]]
            assert here["url"] == row["url"]
            assert here["scheme"] == scheme
            date = here["message"]["date"]
            assert str(date.year if date else "__HIVE_DEFAULT_PARTITION__") == year
            assert "scheme" not in row
            count += 1
    assert count == len(want)
    assert len(results(output)) > 20
    with pytest.raises(ValueError, match="host"):
        parquet.run([inputs], tmp_path / "x", plan=jobs.Plan(["url"]), partition_by=["host"])


def poisoned(inputs: Path, folder: Path) -> dict[str, str]:
    """Make files that cannot be read, or only partly. Return them with their errors."""
    shutil.copytree(inputs, folder)
    lines = b"".join(b"http://h%d.example/%d\n" % (number, number * number) for number in range(20_000))
    lines += b"and no more\n"
    (folder / "cut.gz").write_bytes(gzip.compress(lines)[:-9])
    (folder / "socket.txt").symlink_to("nowhere")
    zipped = (folder / "e.zip").read_bytes()
    (folder / "bad.zip").write_bytes(zipped[:1000] + b"\xff" * 60 + zipped[1060:])
    return {str(folder / "cut.gz"): "DecodeError", str(folder / "bad.zip"): "ContainerError"}


def test_what_cannot_be_read_is_a_row_and_stops_nothing(command: Command, inputs: Path, tmp_path: Path) -> None:
    bad = poisoned(inputs, tmp_path / "in")
    gone, listed = tmp_path / "gone.mbox", tmp_path / "in"
    archive.write(gone, 40_000)
    first: list[bool] = []

    def engine(function: Any, things: Any) -> Iterator[Any]:
        for number, thing in enumerate(things):
            if number == 2 and not first:
                first.append(True)
                gone.unlink()  # some of its ranges have been read already
            yield function(thing)

    output = tmp_path / "out"
    # The file is listed first, so that it vanishes during its search.
    summary = parquet.run([gone, listed, tmp_path / "no such file"], output, engine=engine, range_size=RANGE)
    errors = table(output, "errors")
    told = {row["input"]: row["kind"] for row in errors}
    assert told == {**bad, str(gone): "ENOENT", str(tmp_path / "no such file"): "ENOENT"}
    assert len(errors) == summary.errors == 4
    assert [row["is_final"] for row in errors] == [row["kind"] != "ENOENT" for row in errors]
    assert rows(output) == expected(command, listed)

    # Damaged files stay damaged. The missing file exists now.
    archive.write(gone, 40_000)
    again = parquet.run([gone, listed, tmp_path / "no such file"], output, range_size=RANGE)
    assert again.inputs == 1
    assert again.errors == 1
    assert rows(output) == expected(command, gone, listed)
    assert {row["input"] for row in table(output, "errors")} == {*bad, str(tmp_path / "no such file")}


@contextlib.contextmanager
def without_rights() -> Iterator[Path]:
    """Return a folder, and drop all other rights, since root may read everything."""
    with tempfile.TemporaryDirectory() as folder:
        is_root = os.geteuid() == 0
        if is_root:
            Path(folder).chmod(0o777)
            os.seteuid(NOBODY)
        try:
            yield Path(folder)
        finally:
            if is_root:
                os.seteuid(0)


def test_what_may_not_be_read_is_a_row(tmp_path: Path) -> None:
    # This run imports every module that is imported late. Without rights, that would fail.
    (tmp_path / "a.txt").write_text("http://a.example/")
    assert parquet.run([tmp_path / "a.txt"], tmp_path / "out").errors == 0
    with without_rights() as folder:
        for name in ("a.txt", "b.txt"):
            (folder / name).write_text("http://a.example/")
        (folder / "b.txt").chmod(0)
        summary = parquet.run([folder], folder / "out")
        assert (summary.matches, summary.errors) == (1, 1)
        errors = table(folder / "out", "errors")
        assert [(row["input"], row["kind"]) for row in errors] == [(str(folder / "b.txt"), "EACCES")]


def test_a_second_run_reads_nothing(
    command: Command, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    shutil.copytree(inputs, folder)
    (folder / "sub").mkdir()
    log = folder / "sub" / "log.txt"
    log.write_text("http://a.example/\n" * 3000)
    (tmp_path / "rest").mkdir()
    first = parquet.run([folder], output, range_size=RANGE)
    before = {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")}

    with monkeypatch.context() as patch:
        patch.setattr(urlgrep, "find_file", None)
        patch.setattr(urlgrep, "kind", None)
        second = parquet.run([folder], output, range_size=RANGE)
    assert (second.inputs, second.bytes_read, second.ranges) == (0, 0, 0)
    assert (second.skipped, second.skipped_matches) == (first.inputs, first.matches)
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*.parquet")} == before

    # A changed file is searched again, and its old rows are removed. A new file is added.
    with log.open("a") as file:
        file.write("http://b.example/\n")
    archive.write(folder / "new.mbox", 20_000, 9)
    third = parquet.run([folder], output, range_size=RANGE)
    assert third.inputs == 2
    assert rows(output) == expected(command, folder)
    assert parquet.run([folder], output).inputs == 0


def test_a_run_that_was_broken_off_goes_on(command: Command, inputs: Path, tmp_path: Path) -> None:
    output, done = tmp_path / "out", []

    def dies(function: Any, things: Any) -> Iterator[Any]:
        for number, thing in enumerate(things):
            if number == 20:
                raise KeyboardInterrupt
            yield function(thing)

    with pytest.raises(KeyboardInterrupt):
        parquet.run([inputs], output, engine=dies, range_size=RANGE)
    assert not results(output)
    (output / "_staged" / "_1_2_draft.parquet").write_bytes(b"half a file")

    def counts(function: Any, things: Any) -> Iterator[Any]:
        for thing in things:
            done.append(len(list((output / "_staged").glob("*/*.parquet"))))
            yield function(thing)

    parquet.run([inputs], output, engine=counts, range_size=RANGE)
    assert done[:20] == [20] * 20, "what was staged is searched again"
    assert rows(output) == expected(command, inputs)


def test_tasks_may_run_twice(command: Command, inputs: Path, tmp_path: Path) -> None:
    """An engine runs a task twice if it speculates, or if it lost a result."""

    def engine(function: Any, things: Any) -> Iterator[Any]:
        for thing in things:
            function(thing)
            yield function(thing)

    parquet.run([inputs], tmp_path / "out", engine=engine, range_size=RANGE)
    assert rows(tmp_path / "out") == expected(command, inputs)


def test_files_of_fsspec(command: Command, inputs: Path) -> None:
    memory = fsspec.filesystem("memory")
    names = ["a.mbox", "b.txt", "c.mbox.gz", "e.zip"]
    for name in names:
        memory.pipe(f"/in/{name}", (inputs / name).read_bytes())
    summary = parquet.run(["memory://in"], "memory://out", range_size=RANGE)
    assert summary.inputs == len(names)
    found: dict[str, list[Any]] = {}
    for path in memory.find("/out/matches"):
        with memory.open(path) as file:
            for row in pq.read_table(file).sort_by("ordinal").to_pylist():
                found.setdefault(row["input"].rsplit("/", 1)[1], []).append((row["ordinal"], row["line"], row["url"]))
    for name in names:
        [want] = expected(command, inputs / name).values()
        assert sorted(found[name]) == [(at, row["line"], row["url"]) for at, row in enumerate(want)]
    assert parquet.run(["memory://in"], "memory://out").inputs == 0


def test_splits_say_what_they_are(inputs: Path, tmp_path: Path) -> None:
    blocks = gzip.compress(b"x")[:3] + b"\x04" + bytes(6) + b"\x06\x00BC\x02\x00" + os.urandom(9000)
    (tmp_path / "blocks.gz").write_bytes(blocks)
    pieces = jobs.splits([inputs, tmp_path / "blocks.gz", tmp_path / "none"], range_size=RANGE)
    about = {Path(piece.path).name: (piece.kind, piece.note, piece.is_whole) for piece in pieces}
    assert about["a.mbox"] == ("mbox", None, False)
    assert about["b.txt"] == ("text", None, False)
    assert about["c.mbox.gz"] == ("gzip", None, True)
    assert about["d.txt.bz2"] == ("bzip2", "multi-stream bzip2", True)
    assert about["e.zip"] == ("zip", None, True)
    assert about["f.tar"] == ("tar", None, True)
    assert about["blocks.gz"] == ("gzip", "multi-member gzip", True)
    assert about["empty"] == about["none"] == (None, None, True)
    for path in {piece.path for piece in pieces}:
        here = [piece for piece in pieces if piece.path == path]
        edges = [(piece.start, piece.end) for piece in here]
        assert edges[0][0] == 0
        assert [end for _, end in edges[:-1]] == [start for start, _ in edges[1:]]
        assert edges[-1][1] == here[0].size
        assert max(end - start for start, end in edges) <= RANGE or len(here) == 1


def test_ranges_read_little_beyond_themselves(tmp_path: Path) -> None:
    path = archive.write(tmp_path / "a.mbox", 40 << 20)
    plan = jobs.Plan(["url"])
    for size, most in ((2 << 20, 1.2), (16 << 20, 1.05)):
        searches = [jobs.Search(plan, [piece]) for piece in jobs.splits([path], range_size=size)]
        for search in searches:
            for _ in search:
                pass
        read = sum(search.found[0].bytes_read for search in searches)
        assert 1.0 <= read / path.stat().st_size < most
