"""Searches an archive into Parquet, with any engine.

`run` accepts a function that distributes work: `map`, the ``map`` of an executor, or `urlgrep.spark.engine`. It makes a
folder:

- ``matches/``: the match at each place, exactly once, even if tasks died and ran again;
- ``errors/``: the files that could not be read;
- ``inputs/``: the searched files and their state, which a second run skips.

A task writes its whole file or nothing, under a name derived from its work. So a task may run twice, at once or
after a crash, and an interrupted run resumes.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import hashlib
import json
import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

import urlgrep
from urlgrep import jobs
from urlgrep._files import Folder, shown
from urlgrep.jobs import DEFAULT_RANGE, Failure, Found, Plan, Settled, Split, pc

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Engine", "Summary", "run"]

_MATCHES, _ERRORS, _INPUTS, _STAGED = "matches", "errors", "inputs", "_staged"
_FOUND = "urlgrep.found"
_ROWS, _BYTES = 1 << 16, 32 << 20
"""The maximum numbers of rows and bytes in a row group."""
_GROUP = 128 << 20
"""The number of bytes of staged files that become one file of results."""
_MOST_FILES = 5000
"""The maximum number of small files in a task."""
_MOST_PARTITIONS = 1000

_ERROR_SCHEMA: Any = pa.schema(
    [  # type: ignore[arg-type]
        ("input", pa.string()),
        ("file", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("kind", pa.string()),
        ("message", pa.string()),
        ("is_final", pa.bool_()),
    ]
)
_INPUT_SCHEMA: Any = pa.schema(
    [  # type: ignore[arg-type]
        ("input", pa.string()),
        ("size", pa.int64()),
        ("version", pa.string()),
        ("kind", pa.string()),
        ("note", pa.string()),
        ("ranges", pa.int64()),
        ("matches", pa.int64()),
        ("errors", pa.int64()),
        ("run", pa.string()),
        ("first_part", pa.int64()),
        ("last_part", pa.int64()),
        ("finished", pa.timestamp("us", tz="UTC")),
    ]
)


class Engine(Protocol):
    """Applies a function to items, anywhere and in any order. Yields the results in order, as `map` does."""

    def __call__(self, function: Any, things: Any, /) -> Iterable[Any]:
        """Apply the function to the items."""


@dataclass(frozen=True)
class Summary:
    """The totals of a run."""

    inputs: int
    """Files that were searched to the end."""
    skipped: int
    """Files that an earlier run had searched."""
    ranges: int
    matches: int
    """Matches in the files that were searched."""
    skipped_matches: int
    """Matches in the files of earlier runs."""
    errors: int
    """Rows of ``errors`` of this run."""
    bytes_owned: int
    bytes_read: int
    cpu_seconds: float
    """CPU time of the searches, without that of the engine."""


class _Progress(Protocol):
    def __call__(self, step: str, done: int, total: int, /) -> object: ...


@dataclass(frozen=True)
class _Pack:
    """A task: one range of a large file, or some small files."""

    name: str
    """The name of the file that the task writes."""
    pieces: tuple[Split, ...]


@dataclass(frozen=True)
class _Staged:
    """The result of a task, and the size of its file."""

    name: str
    found: tuple[Found, ...]
    size: int


@dataclass(frozen=True)
class _Part:
    """A task: the staged files that become one file of results, or one file per partition."""

    number: int
    staged: tuple[tuple[str, Mapping[int, Settled]], ...]
    """The names of staged files. Each has the pieces to use, by number."""


@dataclass(frozen=True)
class _Job:
    """The data of every task."""

    plan: Plan
    output: Folder
    run: str = ""
    partition_by: tuple[str, ...] = ()


def run(
    paths: Iterable[str | os.PathLike[str] | jobs.Input],
    output: str | os.PathLike[str],
    *,
    engine: Engine = map,
    plan: Plan | None = None,
    range_size: int = DEFAULT_RANGE,
    partition_by: Sequence[str] = (),
    progress: _Progress = lambda step, done, total: None,
) -> Summary:
    """Search files and folders, local or by fsspec, into a folder, local or by fsspec.

    The result of `urlgrep.jobs.listing` is also accepted. The engine is called only if there is work.

    ``partition_by`` names columns with few values, such as ``scheme`` or ``level``, or ``year``, the year of the
    message.

    A file that an earlier run searched is skipped if its size and time of change are the same. A file that changed is
    searched again, and its old rows are removed. A file that could not be read is tried again. Two runs must not write
    to one folder at the same time.
    """
    plan = plan or Plan()
    job = _Job(plan, Folder(output), partition_by=tuple(partition_by))
    _check(job)
    listed = [item for path in paths for item in ([path] if isinstance(path, jobs.Input) else jobs.inputs([path]))]
    known = _known(job.output)
    new = [item for item in dict.fromkeys(listed) if (item.size, item.version) != _state(known.get(shown(item.path)))]
    done = {shown(item.path) for item in listed} - {shown(item.path) for item in new}
    pieces = jobs.splits(new, range_size=range_size, input=plan.options.get("input", "auto"))
    packs = _packs(job, pieces, range_size)
    job = dataclasses.replace(job, run=_digest([pack.name for pack in packs], partition_by)[:16])

    searched = _search(job, engine, packs, progress)
    found = [one for staged in searched for one in staged.found]
    failed = {one.split.path for one in found if not one.is_complete}
    parts = _parts(searched, failed)
    step = functools.partial(_finish, job)
    for number, _ in enumerate(engine(step, parts) if parts else (), 1):
        progress("write", number, len(parts))
    job.output.remove_drafts(_MATCHES)

    kept = [one.found for one in jobs.settle(found) if not one.is_behind_damage]
    finished = _finished(kept, failed, parts, job.run)
    old = {row["input"]: known[row["input"]] for row in finished if row["input"] in known}
    _forget(job, engine, old)
    _write_errors(job, found, failed, {shown(item.path) for item in new})
    if finished:
        _write(job.output, f"{_INPUTS}/{job.run}.parquet", pa.Table.from_pylist(finished, _INPUT_SCHEMA))
    job.output.remove(_STAGED)
    return Summary(
        inputs=len(finished),
        skipped=len(done),
        ranges=len(found),
        matches=sum(row["matches"] for row in finished),
        skipped_matches=sum(known[path]["matches"] for path in done),
        errors=len(_error_rows(found, failed)),
        bytes_owned=sum(one.split.end - one.split.start for one in found),
        bytes_read=sum(one.bytes_read for one in found),
        cpu_seconds=sum(one.seconds for one in found),
    )


def _check(job: _Job) -> None:
    """Raise for a plan that would fail in every task."""
    names = set(job.plan.schema().names)
    needed = {"message.date" if name == "year" else name for name in job.partition_by}
    if "message" in names:
        needed.discard("message.date")
    if unknown := needed - names:
        raise ValueError(f"to part the matches takes the column {', '.join(sorted(unknown))}")


def _digest(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts, default=list).encode()).hexdigest()


def _packs(job: _Job, pieces: Sequence[Split], size: int) -> list[_Pack]:
    """Make one task per range of a large file, and one task for several small files."""
    packs: list[list[Split]] = []
    held = 0
    for piece in pieces:
        fits = piece.is_whole and packs and packs[-1][-1].is_whole and len(packs[-1]) < _MOST_FILES
        if fits and held + piece.size <= size:
            packs[-1].append(piece)
            held += piece.size
        else:
            packs.append([piece])
            held = piece.size
    return [_pack(job, pack) for pack in packs]


def _pack(job: _Job, pieces: Sequence[Split]) -> _Pack:
    what = [dataclasses.astuple(piece) for piece in pieces]
    plan = (job.plan.names, dict(job.plan.options), urlgrep.__version__)
    return _Pack(_digest(what, plan)[:32], tuple(pieces))


def _staged(name: str) -> str:
    return f"{_STAGED}/{name[:2]}/{name}.parquet"


def _search(job: _Job, engine: Engine, packs: Sequence[_Pack], progress: _Progress) -> list[_Staged]:
    """Search all pieces. Search pieces again if an earlier message states a length that reaches into them."""
    searched: list[_Staged | None] = [None] * len(packs)
    todo = dict(enumerate(packs))
    while todo:
        answers = engine(functools.partial(_stage, job), list(todo.values()))
        for done, (at, answer) in enumerate(zip(todo, answers), 1):
            searched[at] = answer
            progress("search", done, len(todo))
        settled = iter(jobs.settle(one for staged in searched if staged for one in staged.found))
        todo = {}
        for at, pack in enumerate(packs):
            again = [next(settled).again for _ in pack.pieces]
            if again[0]:  # a pack with a range has only this piece
                todo[at] = _pack(job, [again[0]])
    return [staged for staged in searched if staged]


def _stage(job: _Job, pack: _Pack) -> _Staged:
    """Search the pieces of a task into a file, unless that file exists."""
    name = f"{_STAGED}/{pack.name[:2]}/{pack.name}.parquet"
    if job.output.exists(name):
        with job.output.reading(name) as file:
            known = json.loads((pq.read_metadata(file).metadata or {})[_FOUND.encode()])
        found = [_loaded(piece, one) for piece, one in zip(pack.pieces, known)]
    else:
        search = jobs.Search(job.plan, pack.pieces)
        with _Writer(job.output, name, job.plan.searched_schema()) as writer:
            for batch in search:
                writer.add(batch)
            found = search.found
            writer.describe({_FOUND: json.dumps([_dumped(one) for one in found])})
    return _Staged(name, tuple(found), job.output.size(name))


def _dumped(found: Found) -> dict[str, Any]:
    return {**dataclasses.asdict(found), "split": None}


def _loaded(piece: Split, known: dict[str, Any]) -> Found:
    failures = tuple(Failure(**failure) for failure in known["failures"])
    return Found(**{**known, "split": piece, "failures": failures})


class _Writer:
    """A writer of a Parquet file."""

    def __init__(self, folder: Folder, name: str, schema: pa.Schema) -> None:
        self.schema = schema
        self.stack = ExitStack()
        file = self.stack.enter_context(folder.writing(name))
        self.writer = self.stack.enter_context(pq.ParquetWriter(file, schema, compression="zstd"))
        self.held: list[pa.RecordBatch] = []
        self.rows = self.bytes = 0

    def add(self, batch: pa.RecordBatch) -> None:
        self.held.append(batch)
        self.rows += batch.num_rows
        self.bytes += batch.nbytes
        if self.rows >= _ROWS or self.bytes >= _BYTES:
            self._flush()

    def _flush(self) -> None:
        if self.held:
            self.writer.write_table(pa.Table.from_batches(self.held, self.schema))
            self.held = []
            self.rows = self.bytes = 0

    def describe(self, metadata: dict[str, str]) -> None:
        self.writer.add_key_value_metadata(metadata)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self._flush()
        self.stack.__exit__(*error)  # type: ignore[arg-type]


def _parts(searched: Sequence[_Staged], failed: set[str]) -> list[_Part]:
    """Group staged files into result files of a good size. Skip failed files, which the next run tries again."""
    settled = iter(jobs.settle(one for staged in searched for one in staged.found))
    groups: list[list[tuple[str, Mapping[int, Settled]]]] = []
    held = 0
    for staged in searched:
        pieces = {number: next(settled) for number, _ in enumerate(staged.found)}
        pieces = {
            number: one
            for number, one in pieces.items()
            if one.found.split.path not in failed and not one.is_behind_damage
        }
        if not any(one.found.matches for one in pieces.values()):
            continue
        if groups and held + staged.size <= _GROUP:
            groups[-1].append((staged.name, pieces))
            held += staged.size
        else:
            groups.append([(staged.name, pieces)])
            held = staged.size
    return [_Part(number, tuple(group)) for number, group in enumerate(groups)]


def _finish(job: _Job, part: _Part) -> None:
    """Make a file of results from staged files, or one file per partition."""
    with ExitStack() as stack:
        writers: dict[str, _Writer] = {}
        for name, pieces in part.staged:
            file = pq.ParquetFile(stack.enter_context(job.output.reading(name)))
            for batch in file.iter_batches(_ROWS):
                for found in _absolute(job.plan, pieces, batch):
                    for folder, rows in _partitioned(job, found):
                        if folder not in writers:
                            if len(writers) == _MOST_PARTITIONS:
                                raise ValueError(f"more than {_MOST_PARTITIONS} partitions: choose another column")
                            result = posixpath.join(_MATCHES, folder, _result(job.run, part.number))
                            writers[folder] = stack.enter_context(_Writer(job.output, result, rows.schema))
                        writers[folder].add(rows)


def _result(run: str, number: int) -> str:
    return f"{run}-{number:05}.parquet"


def _absolute(plan: Plan, pieces: Mapping[int, Settled], batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Yield the rows of each piece in a batch, made absolute."""
    splits = batch.column("split")
    ends = pc.run_end_encode(splits)
    start = 0
    for number, end in zip(ends.values.to_pylist(), ends.run_ends.to_pylist()):
        if number in pieces:
            yield pieces[number].absolute(plan, batch.slice(start, end - start))
        start = end


def _partitioned(job: _Job, batch: pa.RecordBatch) -> Iterator[tuple[str, pa.RecordBatch]]:
    """Yield each partition: its name, as Hive and Spark write it, and its rows without the columns in the name."""
    if not job.partition_by:
        yield "", batch
        return
    keys = pa.table([_key(batch, name) for name in job.partition_by], list(job.partition_by))
    rest = batch.select([name for name in batch.schema.names if name not in job.partition_by])
    for row in keys.group_by(list(job.partition_by)).aggregate([]).to_pylist():
        masks = [
            pc.is_null(keys[name]) if value is None else pc.fill_null(pc.equal(keys[name], value), False)
            for name, value in row.items()
        ]
        mask = functools.reduce(pc.and_, masks).combine_chunks()
        yield "/".join(f"{name}={_value(value)}" for name, value in row.items()), rest.filter(mask)


def _key(batch: pa.RecordBatch, name: str) -> Any:
    if name != "year":
        return batch.column(name)
    if "message.date" in batch.schema.names:
        return pc.year(batch.column("message.date"))
    return pc.year(pc.struct_field(batch.column("message"), "date"))


def _value(value: Any) -> str:
    if value is None:
        return "__HIVE_DEFAULT_PARTITION__"
    return quote(str(value).lower() if isinstance(value, bool) else str(value), safe=" ")


def _finished(found: Sequence[Found], failed: set[str], parts: Sequence[_Part], run: str) -> list[dict[str, Any]]:
    """Return the rows of ``inputs``."""
    in_parts: dict[str, list[int]] = {}
    for part in parts:
        for _, pieces in part.staged:
            for piece in pieces.values():
                in_parts.setdefault(piece.found.split.path, []).append(part.number)
    now = datetime.datetime.now(datetime.timezone.utc)
    rows: dict[str, dict[str, Any]] = {}
    for one in found:
        split = one.split
        if split.path in failed:
            continue
        numbers = in_parts.get(split.path)
        row = rows.setdefault(
            split.path,
            {
                "input": shown(split.path),
                "size": split.size,
                "version": split.version,
                "kind": one.kind,
                "note": split.note,
                "ranges": 0,
                "matches": 0,
                "errors": 0,
                "run": run,
                "first_part": numbers and numbers[0],
                "last_part": numbers and numbers[-1],
                "finished": now,
            },
        )
        row["ranges"] += 1
        row["matches"] += one.matches
        row["errors"] += len(one.failures)
    return list(rows.values())


def _known(output: Folder) -> dict[str, dict[str, Any]]:
    """Return the rows of earlier runs, by input."""
    rows = [row for name in output.names(_INPUTS) for row in _read(output, name)]
    return {row["input"]: row for row in sorted(rows, key=lambda row: row["finished"])}


def _state(known: Mapping[str, Any] | None) -> tuple[int, str] | None:
    return (known["size"], known["version"]) if known else None


def _forget(job: _Job, engine: Engine, old: Mapping[str, Mapping[str, Any]]) -> None:
    """Remove the old rows of changed inputs."""
    stale: dict[str, set[str]] = {}
    for path, row in old.items():
        if row["run"] != job.run and row["first_part"] is not None:
            for number in range(row["first_part"], row["last_part"] + 1):
                stale.setdefault(_result(row["run"], number), set()).add(path)
    if stale:
        names = [name for name in job.output.names(_MATCHES) if posixpath.basename(name) in stale]
        tasks = [(name, frozenset(stale[posixpath.basename(name)])) for name in names]
        for _ in engine(functools.partial(_rewrite, job.output), tasks):
            pass


def _rewrite(output: Folder, task: tuple[str, frozenset[str]]) -> None:
    name, paths = task
    gone = pa.array(sorted(paths))
    with output.reading(name) as source:
        file = pq.ParquetFile(source)
        with _Writer(output, name, file.schema_arrow) as writer:
            for batch in file.iter_batches(_ROWS):
                kept = batch.filter(pc.invert(pc.is_in(batch.column("input"), value_set=gone)))
                writer.add(kept)


def _error_rows(found: Sequence[Found], failed: set[str]) -> list[dict[str, Any]]:
    """Return the rows of ``errors``. A file that is tried again has one row for all its ranges."""
    rows, told = [], set()
    for one in found:
        split = one.split
        for failure in one.failures:
            if split.path in failed and (failure.is_final or split.path in told):
                continue
            told.add(split.path)
            place = {"input": shown(split.path), "start": split.start, "end": split.end}
            rows.append({**place, **dataclasses.asdict(failure)})
    return rows


def _write_errors(job: _Job, found: Sequence[Found], failed: set[str], searched: set[str]) -> None:
    """Write the errors of this run, and those of earlier runs for files that it did not try again."""
    name = f"{_ERRORS}/errors.parquet"
    earlier = _read(job.output, name) if job.output.exists(name) else []
    rows = [row for row in earlier if row["input"] not in searched] + _error_rows(found, failed)
    if rows or earlier:
        _write(job.output, name, pa.Table.from_pylist(rows, _ERROR_SCHEMA))


def _read(output: Folder, name: str) -> list[dict[str, Any]]:
    with output.reading(name) as file:
        return pq.read_table(file).to_pylist()


def _write(output: Folder, name: str, table: pa.Table) -> None:
    with output.writing(name) as file:
        pq.write_table(table, file)
