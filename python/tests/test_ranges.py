"""Ranges of paths and file objects, their counts, and the kinds of files."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import pickle
import random
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pytest

import urlgrep

from conftest import texts

FROM = "From joe@a.example Sat Jan  3 01:05:34 1996\n"


def mailbox(messages: int) -> bytes:
    rng = random.Random(1738)
    text = []
    for number in range(messages):
        lines = [f"> http://h{rng.randrange(99)}.example/{'x' * rng.randrange(60)}-\nand so on\n" for _ in range(9)]
        text.append(f"{FROM}From: joe@a.example\nSubject: {number}\n\n{''.join(lines)}\n")
    return "".join(text).encode()


def rows(matches: urlgrep.Matches) -> list[dict[str, Any]]:
    return [match.to_dict() for match in matches]


def test_ranges_of_a_file_object_are_those_of_its_path(tmp_path: Path) -> None:
    rng = random.Random(3986)
    memory = fsspec.filesystem("memory")
    for path in texts():
        data = path.read_bytes()
        memory.pipe_file("/file", data)
        for _ in range(3):
            cuts = sorted(rng.randrange(len(data) + 1) for _ in range(3))
            for start, end in zip([0, *cuts], [*cuts, len(data) + 5]):
                by_path = urlgrep.find_file(path, start, end)
                expected = rows(by_path)
                with path.open("rb") as file, path.open("rb", buffering=0) as raw, memory.open("/file", "rb") as far:
                    for object in (file, raw, far, io.BytesIO(data)):
                        object.seek(min(3, len(data)))  # the position does not matter
                        matches = urlgrep.find_file(object, start, end, file=path)
                        assert rows(matches) == expected, (path, start, end)
                        assert matches.counts == by_path.counts


def test_a_file_cut_everywhere() -> None:
    data = mailbox(3)
    for text in (data, data.partition(b"\n\n")[2].replace(b"From", b"from")):
        expected = rows(urlgrep.find_file(io.BytesIO(text)))
        assert len(expected) == 27
        for cut in range(0, len(text) + 1, 7):
            first = urlgrep.find_file(io.BytesIO(text), 0, cut)
            found = rows(first)
            found += rows(urlgrep.find_file(io.BytesIO(text), cut, before=first.counts))
            assert found == expected, cut


class Meter(io.BytesIO):
    """A file object that records the number of bytes requested."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.sizes: list[int] = []

    def read(self, size: int | None = -1) -> bytes:
        read = super().read(size)
        self.sizes.append(len(read))
        return read


def test_a_range_reads_what_is_its_own(tmp_path: Path) -> None:
    message = f"{FROM}From: a\n\na line of text\nhttp://a.example/-\nb\n" + "and more\n" * 200 + "\n"
    mail = message.encode() * 3000
    path = tmp_path / "box"
    path.write_bytes(mail)
    start, end = 2 << 20, 4 << 20
    assert len(mail) > end + (1 << 20)
    # The margin is a third of the margin for 64 MiB.
    most = (end - start) + (64 << 20) // 20 // 3
    for kind in (urlgrep.Kind("mbox"), urlgrep.Kind("text"), None):
        meter = Meter(mail)
        matches = urlgrep.find_file(meter, start, end, kind=kind)
        batches = matches.batches(columns=["line"])
        assert batches.counts is None
        assert sum(map(len, batches)) > 1000
        assert batches.counts is not None
        assert batches.counts == matches.counts
        assert batches.counts.lines == mail[start:end].count(b"\n")
        assert sum(meter.sizes) == batches.bytes_read == matches.bytes_read <= most
        assert len(meter.sizes) < 12
        by_path = urlgrep.find_file(path, start, end, kind=kind)
        list(by_path)
        assert by_path.bytes_read <= most
    whole = urlgrep.find_file(path)
    assert len(list(whole)) > 0
    assert whole.bytes_read >= len(mail)
    nothing = urlgrep.find_file(path, len(mail))
    assert list(nothing) == []
    assert nothing.counts == urlgrep.RangeCounts()


def test_an_object_that_cannot_seek_has_no_ranges() -> None:
    class Once(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return b""

    class Plain:
        def read(self, size: int) -> bytes:
            return b""

    for object in (Once(), Plain()):
        assert list(urlgrep.find_file(object)) == []
        with pytest.raises(ValueError, match="seek"):
            urlgrep.find_file(object, 3)


def test_what_an_object_raises_comes_with_the_matches() -> None:
    class Fails(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            if self.tell() >= 300_000:
                raise PermissionError(13, "no more", "x")
            return super().read(min(size or 0, 100_000))

    class FailsToSeek(io.BytesIO):
        def seek(self, to: int, whence: int = 0) -> int:
            raise OSError(5, "no place")

    text = b"see http://a.example/ here\n" * 40_000
    for data in (text, FROM.encode() + b"A: b\n\n" + text, gzip.compress(os.urandom(1 << 20) + text)):
        matches = urlgrep.find_file(Fails(data), 0, len(data))
        with pytest.raises(PermissionError, match="no more"):
            list(matches)
        assert matches.counts is None
        assert next(matches, None) is None
        errors: list[OSError] = []
        found = urlgrep.find_file(Fails(data), 0, len(data), onerror=errors.append)
        batches = found.batches(columns=["url"])
        assert (sum(map(len, batches)) > 1000) == (data[0] != 0x1F)
        assert [type(error) for error in errors] == [PermissionError]
    failing = urlgrep.find_file(FailsToSeek(text), 0, 100)
    with pytest.raises(OSError, match="no place"):
        next(failing)


def test_compressed_objects_are_one_range() -> None:
    data = gzip.compress(mailbox(20))
    whole = rows(urlgrep.find_file(io.BytesIO(data)))
    first, rest = (urlgrep.find_file(io.BytesIO(data), *range) for range in ((0, 100), (100, None)))
    assert rows(first) == whole
    assert len(whole) == 180
    assert rows(rest) == []
    assert first.counts == rest.counts == urlgrep.RangeCounts()
    known = urlgrep.find_file(io.BytesIO(data), 0, 100, kind=urlgrep.Kind("gzip"))
    assert rows(known) == whole
    raw = urlgrep.find_file(io.BytesIO(data), 0, 100, search_zip=False)
    assert len(list(raw)) < 180


def test_counts_travel() -> None:
    data = mailbox(5)
    matches = urlgrep.find_file(io.BytesIO(data), 0, len(data))
    list(matches)
    counts = matches.counts
    assert counts is not None
    assert (counts.messages, counts.lines, counts.last_line) == (5, data.count(b"\n"), len(data))
    assert pickle.loads(pickle.dumps(counts)) == counts
    numbers = counts.to_dict()
    assert list(numbers) == ["lines", "last_line", "messages", "first_message", "hidden_until", "unpacked"]
    assert urlgrep.RangeCounts(**numbers) == counts  # type: ignore[arg-type]
    assert not counts.hides_in(counts)
    claims = urlgrep.RangeCounts(hidden_until=100)
    assert claims.hides_in(urlgrep.RangeCounts(first_message=50))
    # The counts are also set if the matches are read through Arrow.
    batches = urlgrep.find_file(io.BytesIO(data), 0, len(data)).batches()
    assert pa.table(batches).num_rows == 45
    assert batches.counts == counts


def test_kinds(tmp_path: Path) -> None:
    mail = mailbox(1)
    path = tmp_path / "page.html"
    path.write_bytes(b"words")
    assert (urlgrep.kind(path).name, urlgrep.kind(path).divisible) == ("html", False)
    assert urlgrep.kind(path, input="text").name == "text"
    with path.open("rb") as file:
        assert urlgrep.kind(file) == urlgrep.Kind("html")
    for data, name, divisible in (
        (b"words", "text", True),
        (mail, "mbox", True),
        (mail.partition(b"\n")[2], "message", False),
        (gzip.compress(mail), "gzip", False),
        (bz2.compress(mail), "bzip2", False),
        (b"7z\xbc\xaf\x27\x1c", "7z", True),
        (b"#! rnews 12\nPath: a!b\n", "rnews", False),
    ):
        object = io.BytesIO(b"xyz" + data)
        object.seek(3)
        kind = urlgrep.kind(object)
        assert (kind.name, kind.divisible) == (name, divisible)
        assert str(kind) == name
        assert pickle.loads(pickle.dumps(kind)) == kind == urlgrep.Kind(kind.name)
        assert len({kind, urlgrep.Kind(kind.name)}) == 1
        assert object.tell() == 3
    assert urlgrep.kind(io.BytesIO(b"x"), file="a.html").name == "html"
    with pytest.raises(FileNotFoundError):
        urlgrep.kind(tmp_path / "none")
    with pytest.raises(ValueError, match="bzip2"):
        urlgrep.Kind("no")  # type: ignore[arg-type]


def test_derived_columns() -> None:
    text = "HTTP://A.example:80 and <URL:gopher://h.example:25/0HELO%20x%0D%0AMAIL> http://a.example/"
    columns = ["key", "findings", "url"]
    table = pa.table(urlgrep.find(text).batches(columns=columns))
    table.validate(full=True)
    assert table.schema == pa.schema(urlgrep.schema(columns))  # type: ignore[arg-type]
    assert not set(columns[:2]) & set(urlgrep.schema().names)
    checked = 0
    for row, match in zip(table.to_pylist(), urlgrep.find(text)):
        assert row["key"] == urlgrep.key(match.url)
        expected = urlgrep.findings(match)
        names = ("rule", "severity", "start", "end", "message")
        assert row["findings"] == [{name: getattr(finding, name) for name in names} for finding in expected]
        checked += len(expected)
    assert checked >= 4
    page = b'<!DOCTYPE html><base href="http://A.example/x/"><a href="y">z</a>'
    [row] = pa.table(urlgrep.find_file(io.BytesIO(page)).batches(columns=["key", "resolved"])).to_pylist()[1:]
    assert row == {"key": "http://a.example/x/y", "resolved": "http://A.example/x/y"}
