r"""The search of an archive in pieces, for any engine that distributes work over machines.

- `splits` lists the pieces.
- `Search` searches some of them anywhere. It never raises for an unreadable file.
- `settle` computes the counts before each piece, which its own search lacks. `Settled.absolute` adds them to its rows.

>>> import pathlib, tempfile, urlgrep.jobs as jobs
>>> path = pathlib.Path(tempfile.mkdtemp(), "two.txt")
>>> _ = path.write_text("http://a.example/\nhttp://b.example/\n")
>>> pieces = jobs.splits([path], range_size=18)
>>> plan = jobs.Plan(columns=["url", "line"])
>>> searches = [jobs.Search(plan, [piece]) for piece in pieces]  # on any machine, in any order
>>> batches = [list(search) for search in searches]
>>> for settled, [batch] in zip(jobs.settle([search.found[0] for search in searches]), batches):
...     print(settled.absolute(plan, batch).select(["ordinal", "url", "line"]).to_pylist())
[{'ordinal': 0, 'url': 'http://a.example/', 'line': 1}]
[{'ordinal': 1, 'url': 'http://b.example/', 'line': 2}]
"""

from __future__ import annotations

import errno
import functools
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute

import urlgrep
from urlgrep._files import Input, inputs, listing, opened, shown

__all__ = [
    "CRAWL",
    "DEFAULT_RANGE",
    "Failure",
    "Found",
    "Input",
    "Plan",
    "Search",
    "Settled",
    "Split",
    "inputs",
    "listing",
    "settle",
    "splits",
]

pc: Any = pyarrow.compute
"""Its stubs are narrower than its functions."""

DEFAULT_RANGE = 64 << 20
"""Large enough to make margins and tasks cheap, small enough to search again."""

CRAWL = ("message.url", "message.date", "message.language", "target", "kind", "from_domain", "to_domain")
"""The columns of a crawl's links: the page, its date and language, the link, and the domains of both."""

_MEMBERS = 1 << 20
"""The number of bytes searched for a second member. A bzip2 block has at most 900,000 bytes."""


@dataclass(frozen=True)
class Split:
    """A piece of work: a range of a file, or the whole file."""

    path: str
    start: int
    end: int
    size: int
    """The size of the file, as it was listed."""
    version: str
    kind: str | None = None
    """The kind of the file (`urlgrep.Kind.name`). Files that are too small to cut have none."""
    note: str | None = None
    """The reason why a large file is one piece: ``multi-member gzip``, which could be cut, but is not."""
    hidden_until: int = 0
    """`RangeCounts.hidden_until` of the earlier pieces, if it is known and affects this piece."""

    @property
    def is_whole(self) -> bool:
        """Whether the piece is its whole file."""
        return self.start == 0 and self.end == self.size


@dataclass(frozen=True)
class Failure:
    """A file that could not be read, with the reason."""

    file: str
    """The file, or a member of it: ``a.zip!/b.txt``."""
    kind: str
    """An error of the operating system, such as ``EACCES``, or the name of the exception."""
    message: str
    is_final: bool
    """The bytes were read and are damaged, so another try would not help."""


@dataclass(frozen=True)
class Found:
    """The result of a piece."""

    split: Split
    counts: Mapping[str, int | None] = field(default_factory=dict)
    """The numbers of its `urlgrep.RangeCounts`."""
    kind: str | None = None
    matches: int = 0
    bytes_read: int = 0
    seconds: float = 0.0
    """Seconds of CPU time."""
    failures: tuple[Failure, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether another search would find no more matches."""
        return all(failure.is_final for failure in self.failures)


@dataclass(frozen=True)
class Plan:
    """The options of a search, and the columns of its result."""

    columns: Sequence[str] | None = None
    """Names of `urlgrep.schema`; by default all of its columns."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of `urlgrep.find_file`: ``input``, ``rejoin``, ``any_scheme`` and the like."""
    rows: int = 1 << 14
    """The rows of a batch."""

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(urlgrep.schema().names if self.columns is None else self.columns)

    @property
    def counts_lines(self) -> bool:
        """Whether a column needs line numbers."""
        return bool({"line", "column"} & set(self.names))

    def _searched(self) -> list[str]:
        """Return the columns, and those needed to make their lines absolute."""
        helpers = ["encoding", "offset", "line"] if self.counts_lines else []
        if "offset" in self.names:
            helpers.append("encoding")
        return [*self.names, *(name for name in dict.fromkeys(helpers) if name not in self.names)]

    def searched_schema(self) -> pa.Schema:
        """Return the columns of a batch of `Search`: first the origin of each row, then the match."""
        return _schema(("split", pa.int32()), ("row", pa.int64()), *self._searched())

    def schema(self) -> pa.Schema:
        """Return the columns of the result: the named ones, and those for the input and the place in it."""
        return _schema(("input", pa.string()), ("ordinal", pa.int64()), *self.names)


@functools.lru_cache(maxsize=16)  # every small file needs it
def _schema(*fields: Any) -> pa.Schema:
    columns: Any = urlgrep.schema([name for name in fields if isinstance(name, str)])
    return pa.schema([*(field for field in fields if not isinstance(field, str)), *pa.schema(columns)])


def splits(
    paths: Iterable[str | os.PathLike[str] | Input],
    *,
    range_size: int = DEFAULT_RANGE,
    input: str = "auto",
    threads: int = 32,
) -> list[Split]:
    """List the pieces of files and folders, local or by fsspec, in the order of the command.

    Files larger than ``range_size`` are opened, several at once, and cut if they can be cut. If not, ``note``
    reports whether the file has several members.
    """
    listed = [item for path in paths for item in ([path] if isinstance(path, Input) else inputs([path]))]
    with ThreadPoolExecutor(threads) as pool:
        pieces = pool.map(lambda item: list(_cut(item, range_size, input)), listed)
        return [piece for cut in pieces for piece in cut]


def _cut(item: Input, range_size: int, input: str) -> Iterator[Split]:
    whole = Split(item.path, 0, item.size, item.size, item.version)
    if item.size <= range_size:
        yield whole
        return
    try:
        kind, is_divisible, note = _look(item.path, input)
    except Exception:  # the search reports the error
        yield whole
        return
    size = range_size if is_divisible else item.size
    for start in range(0, item.size, size):
        yield Split(item.path, start, min(start + size, item.size), item.size, item.version, kind, note)


def _look(path: str, input: Any) -> tuple[str, bool, str | None]:
    """Return the kind of a file, whether it is cut, and a note if it is not but could be."""
    with opened(path) as file:
        kind = urlgrep.kind(file, file=path, input=input)
        if kind.name not in {"gzip", "bzip2"}:
            return kind.name, kind.divisible, None
        if isinstance(file, str):
            with open(file, "rb") as here:  # noqa: PTH123
                head = here.read(_MEMBERS)
        else:
            file.seek(0)
            head = file.read(_MEMBERS)
    if kind.name == "gzip" and urlgrep.has_record_members(head):
        return kind.name, True, None
    return kind.name, False, _members(kind.name, head)


def _members(kind: str, head: bytes) -> str | None:
    """Return a note if another stream begins in the first bytes. Of gzip files, only BGZF has a mark of that."""
    if kind == "bzip2" and any(b"BZh%d1AY&SY" % level in head[4:] for level in range(1, 10)):
        return "multi-stream bzip2"
    is_extra = kind == "gzip" and len(head) > 16 and head[3] & 4
    if is_extra and head[12:14] == b"BC":
        return "multi-member gzip"
    return None


class Search:
    """The search of some pieces: an iterator over batches. ``split`` is the piece, from 0, and ``row`` the row in it.

    ``found`` has the result of each piece after all batches have been read. An unreadable file is a `Failure` there,
    and the search continues.
    """

    def __init__(self, plan: Plan, pieces: Sequence[Split]) -> None:
        """Store the plan and the pieces."""
        self.plan = plan
        self.pieces = pieces
        self.found: list[Found] = []

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        """Search."""
        schema = self.plan.searched_schema()
        for number, piece in enumerate(self.pieces):
            row = 0
            for batch in self._search(piece):
                size = batch.num_rows
                rows = pc.cumulative_sum(pa.repeat(pa.scalar(1, pa.int64()), size), start=row - 1)
                place = [pa.repeat(pa.scalar(number, pa.int32()), size), rows]
                yield pa.RecordBatch.from_arrays([*place, *batch.columns], schema=schema)
                row += size

    def _search(self, piece: Split) -> Iterator[pa.RecordBatch]:
        began, matches = time.process_time(), 0
        failures: list[BaseException] = []
        batches, kind = None, piece.kind
        try:
            with opened(piece.path) as file:
                if kind is None:
                    kind = urlgrep.kind(file, file=piece.path, input=self.plan.options.get("input", "auto")).name
                batches = urlgrep.find_file(
                    file,
                    piece.start,
                    None if piece.is_whole else piece.end,
                    before=urlgrep.RangeCounts(hidden_until=piece.hidden_until),
                    kind=urlgrep.Kind(kind),  # type: ignore[arg-type]
                    file=piece.path,
                    line_numbers=self.plan.counts_lines,
                    onerror=failures.append,
                    **self.plan.options,
                ).batches(self.plan.rows, columns=self.plan._searched())
                for batch in batches:
                    matches += batch.num_rows
                    yield pa.record_batch(batch)
        except Exception as error:
            failures.append(error)
        except BaseException as error:
            if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
            failures.append(error)  # a panic, which must not stop the job
        counts = batches and batches.counts
        self.found.append(
            Found(
                piece,
                counts.to_dict() if counts else {},
                kind,
                matches,
                batches.bytes_read if batches else 0,
                time.process_time() - began,
                tuple(_failure(piece, error) for error in failures),
            )
        )


def _failure(piece: Split, error: BaseException) -> Failure:
    number = getattr(error, "errno", None)
    kind = errno.errorcode.get(number, str(number)) if number else type(error).__name__
    message = getattr(error, "strerror", None) or str(error) or kind
    file = getattr(error, "filename", None) or piece.path
    # Damaged bytes stay damaged. An error without a number comes from one of Python's decoders. Other causes, such as
    # permissions or a disk, may be temporary.
    is_final = isinstance(error, urlgrep.DecodeError) or (type(error) in {OSError, EOFError} and not number)
    return Failure(shown(os.fsdecode(file)), kind, message, is_final)


@dataclass(frozen=True)
class Settled:
    """A searched piece, with the counts of the pieces before it in its file."""

    found: Found
    before: urlgrep.RangeCounts
    ordinal: int
    """The ordinal of its first match in the file, from 0."""
    is_behind_damage: bool = False
    """Whether an earlier piece of a compressed file is damaged. The command stops there, since offsets are unknown."""

    @property
    def again(self) -> Split | None:
        """The piece to search instead, if an earlier message states a length that reaches into this piece."""
        counts = urlgrep.RangeCounts(**self.found.counts)  # type: ignore[arg-type]
        hidden_until = self.before.hidden_until if self.before.hides_in(counts) else 0
        split = self.found.split
        return replace(split, hidden_until=hidden_until) if hidden_until != split.hidden_until else None

    def absolute(self, plan: Plan, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows of this piece as rows of the file, with the named columns."""
        columns = {name: batch.column(name) for name in batch.schema.names}
        columns["ordinal"] = pc.add(columns["row"], self.ordinal)
        columns["input"] = pa.repeat(shown(self.found.split.path), batch.num_rows)
        if self.found.split.start > 0:
            self._add(columns)
        schema = plan.schema()
        return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)

    def _add(self, columns: dict[str, Any]) -> None:
        """Add the counts of the earlier pieces, as the library's documentation of ``RangeCounts`` describes."""
        before = self.before
        apart = pa.array(["unpacked", "http"])
        encoding = columns.get("encoding")
        is_of_file = encoding and pc.invert(pc.is_in(encoding, value_set=apart))
        if "line" in columns:
            line = columns["line"]
            columns["line"] = pc.if_else(is_of_file, pc.add(line, before.lines), line)
            if "column" in columns and self.found.kind not in {"mbox", "gzip"}:
                column = pc.add(columns["offset"], 1 - (before.last_line or 0))
                columns["column"] = pc.if_else(pc.equal(line, 1), column, columns["column"])
        if "offset" in columns and before.unpacked:
            offset = columns["offset"]
            columns["offset"] = pc.if_else(is_of_file, pc.add(offset, before.unpacked), offset)
        for object, part, more in [
            ("message", "number", before.messages),
            ("message", "offset", before.unpacked),
            ("body", "offset", before.unpacked),
        ]:
            if f"{object}.{part}" in columns:
                columns[f"{object}.{part}"] = pc.add(columns[f"{object}.{part}"], more)
            if object in columns:
                whole = columns[object]
                parts = dict(zip([field.name for field in whole.type], whole.flatten()))
                parts[part] = pc.add(parts[part], more)
                fields = list(whole.type)
                columns[object] = pa.StructArray.from_arrays(list(parts.values()), fields=fields, mask=whole.is_null())


def settle(found: Iterable[Found]) -> list[Settled]:
    """Add up the counts of the pieces of files, in the order of `splits`.

    If `Settled.again` of a piece is not `None`, search that piece instead, and settle all pieces again.
    """
    settled: list[Settled] = []
    before, ordinal, path, is_damaged = urlgrep.RangeCounts(), 0, None, False
    for piece in found:
        if piece.split.path != path:
            before, ordinal, path, is_damaged = urlgrep.RangeCounts(), 0, piece.split.path, False
        settled.append(Settled(piece, before, ordinal, is_damaged))
        before += urlgrep.RangeCounts(**piece.counts)  # type: ignore[arg-type]
        ordinal += piece.matches
        is_damaged |= piece.kind == "gzip" and any(failure.is_final for failure in piece.failures)
    return settled
