"""Matches one by one."""

from __future__ import annotations

import array
import gzip
import io
import mmap
import pickle
import tarfile
import threading
import types
import zipfile
from pathlib import Path
from typing import Any

import pytest

import urlgrep

from conftest import ROOT, Command, texts

TEXT = "Grüße! See <URL:ftp://ds.in\n  ternic.net/rfc> or http://a.example/~joe."


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.name)
def test_a_file_gives_what_the_command_gives(command: Command, path: Path) -> None:
    expected = command.json("--json", "--no-config", "-z", "-j1", path)
    assert [match.to_dict() for match in urlgrep.find_file(path)] == expected
    with path.open("rb") as file:
        assert [match.to_dict() for match in urlgrep.find_file(file)] == expected


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.name)
def test_a_text_gives_what_the_command_gives(command: Command, path: Path) -> None:
    data = path.read_bytes()
    expected = command.json("--json", "--no-config", "--input", "text", stdin=data)
    for record in expected:
        record["file"] = None
    assert [match.to_dict() for match in urlgrep.find(data)] == expected


def test_texts_hold_what_is_compared(command: Command) -> None:
    found = [match for path in texts() for match in urlgrep.find_file(path)]
    assert len(found) > 1000
    for holds in (
        lambda match: match.message,
        lambda match: len(match.readings) > 1,
        lambda match: match.error,
        lambda match: "url_bytes" in match.to_dict(),
    ):
        assert any(map(holds, found))


def test_attributes_are_the_fields() -> None:
    checked = 0
    for path in texts():
        for match in urlgrep.find_file(path):
            record = match.to_dict()
            for name, value in record.items():
                if name == "count" or name.endswith("_bytes"):
                    continue
                assert getattr(match, name) == value, name
                checked += 1
            assert match.span == (match.offset, match.offset + match.length)
            assert match.target == (match.resolved or match.url)
    assert checked > 25_000


def test_spans_index_what_was_searched() -> None:
    for data in (TEXT, TEXT.encode(), TEXT.replace("ü", "u").replace("ß", "s")):
        spans = [data[match.start : match.end] for match in urlgrep.find(data)]
        expected = ["<URL:ftp://ds.in\n  ternic.net/rfc>", "http://a.example/~joe"]
        assert spans == (expected if isinstance(data, str) else [text.encode() for text in expected])
    [first, second] = urlgrep.find(TEXT)
    assert (first.span, first.offset, second.start, second.offset) == ((11, 45), 13, 49, 51)
    assert first.source == b"<URL:ftp://ds.in\n  ternic.net/rfc>"
    many = "é😀 http://a.example/ü " * 3000
    assert {many[match.start : match.end] for match in urlgrep.find(many)} == {"http://a.example/ü"}


def test_what_can_be_searched(tmp_path: Path) -> None:
    data = TEXT.encode()
    path = tmp_path / "text"
    path.write_bytes(data)
    expected = ["ftp://ds.internic.net/rfc", "http://a.example/~joe"]
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for haystack in (TEXT, data, bytearray(data), memoryview(data), array.array("B", data), mapped):
            assert [match.url for match in urlgrep.find(haystack)] == expected
    with path.open("rb", buffering=0) as raw:
        for file_like in (path, str(path), str(path).encode(), io.BytesIO(data), raw):
            assert [match.url for match in urlgrep.find_file(file_like)] == expected
    assert [match.url for match in urlgrep.find("\udcff http://a.example/ \ud800")] == ["http://a.example/"]
    assert list(urlgrep.find("")) == list(urlgrep.find(b"")) == []


def test_names_of_files(tmp_path: Path) -> None:
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        for name in ("a.txt", "b/c.txt"):
            member = tarfile.TarInfo(name)
            member.size = 17
            archive.addfile(member, io.BytesIO(b"http://a.example/"))
    path = tmp_path / "x.tgz"
    path.write_bytes(tar.getvalue())
    assert [match.file for match in urlgrep.find_file(path)] == [f"{path}!/a.txt", f"{path}!/b/c.txt"]
    assert [match.file for match in urlgrep.find_file(tar, file="y")] == []
    tar.seek(0)
    assert [match.file for match in urlgrep.find_file(tar, file="y")] == ["y!/a.txt", "y!/b/c.txt"]
    [match] = urlgrep.find("http://a.example/")
    assert match.file is None
    assert match.file_bytes is None


@pytest.mark.parametrize("size", [700, 4096])
def test_ranges_that_tile_a_file_give_all_matches(size: int) -> None:
    cut = 0
    for path in texts():
        expected = [match.to_dict() for match in urlgrep.find_file(path)]
        ranges = [(start, start + size) for start in range(0, path.stat().st_size, size)]
        before = urlgrep.RangeCounts()
        found: list[dict[str, Any]] = []
        for start, end in ranges:
            matches = urlgrep.find_file(path, start, end, before=before)
            assert matches.counts is None
            here = [match.to_dict() for match in matches]
            assert matches.counts is not None
            # Without ``before``, line and message numbers become absolute by addition.
            alone = urlgrep.find_file(path, start, end)
            relative = [match.to_dict() for match in alone]
            assert alone.counts is not None
            for record in [] if before.hides_in(alone.counts) else relative:
                if record["message"]:
                    record["message"]["number"] += before.messages
                if record["encoding"] not in {"unpacked", "http"}:
                    record["line"] += before.lines
                assert record in here
            found += here
            before += matches.counts
        assert found == expected, path
        cut += len(ranges) > 1
    assert cut >= 10
    table = urlgrep.find_file(path, 0, 10**9).batches(columns=["url"])
    assert sum(map(len, table)) == len(expected)


def test_options_are_the_commands(command: Command) -> None:
    text = "foo://a.example/x <URL:http://a.example/b-\nc> <URL:no url> http://a.example/x中 x:y <URL:sqlite:///x> "
    text += "www.example.com bit.ly/x hxxp://a[.]example/ "
    text += (ROOT / "corpora" / "hard-wrapped.txt").read_text("utf-8")
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"any_scheme": True}, ["--any-scheme"]),
        ({"rejoin": "none"}, ["--rejoin", "none"]),
        ({"rejoin": "delimited"}, ["--rejoin", "delimited"]),
        ({"hyphen": "drop"}, ["--hyphen", "drop"]),
        ({"otherurl": "literal"}, ["--otherurl", "literal"]),
        ({"iri": True}, ["--iri"]),
        ({"www": True}, ["--www"]),
        ({"names": True}, ["--names"]),
        ({"refang": True}, ["--refang"]),
        ({"candidates": True}, ["--candidates"]),
        ({}, []),
    ]
    answers = set()
    for options, words in cases:
        found = list(urlgrep.find(text, **options))
        expected = command.json("--json", "--no-config", *words, stdin=text.encode())
        assert [match.to_dict() | {"file": "-"} for match in found] == expected, options
        answers.add(str(expected))
    assert len(answers) == len(cases)
    assert {match.line for match in urlgrep.find(text, line_numbers=False)} == {None}
    mail = b"Subject: http://a.example/\n\nhttp://b.example/\n"
    assert [match.header for match in urlgrep.find_file(io.BytesIO(mail), input="mail")] == ["Subject", None]
    assert [match.part for match in urlgrep.find_file(io.BytesIO(mail), input="text")] == [None, None]


def test_links_are_relative_to_the_base(command: Command) -> None:
    page = b"<html><a href=b.html>b</a> <img src=/c.png> <a href='http://d.example/'>d</a></html>"
    own = page.replace(b"<html>", b"<html><base href=own/>")
    for text in (page, own):
        found = list(urlgrep.find_file(io.BytesIO(text), base="http://a.example/docs/x"))
        expected = command.json("--json", "--no-config", "--base", "http://a.example/docs/x", stdin=text)
        assert [match.to_dict() | {"file": "-"} for match in found] == expected
        assert found[-3].target == "http://a.example/docs/" + ("own/" if text == own else "") + "b.html"
    assert next(urlgrep.find_file(io.BytesIO(page))).resolved is None
    with pytest.raises(urlgrep.UrlError, match="base-not-absolute"):
        urlgrep.find_file(io.BytesIO(page), base="docs/")


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: urlgrep.find("", rejoin="all"), ValueError),  # type: ignore[arg-type]
        (lambda: urlgrep.find(3), TypeError),  # type: ignore[arg-type]
        (lambda: urlgrep.find_file("no such file"), FileNotFoundError),
        (lambda: urlgrep.find_file("."), IsADirectoryError),
        (lambda: urlgrep.find_file(3.5), TypeError),  # type: ignore[arg-type]
        (lambda: next(urlgrep.find_file(io.StringIO("x"))), TypeError),  # type: ignore[arg-type]
        (lambda: urlgrep.find("").batches(0), ValueError),
        (lambda: urlgrep.find("").batches(columns=["no"]), ValueError),
    ],
)
def test_mistakes_are_told(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_what_cannot_be_read_is_an_error_and_the_search_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    lines = b"".join(b"http://h%d.example/%d\n" % (n, n * n) for n in range(20_000))
    path.write_bytes(gzip.compress(lines)[:-9])
    matches = urlgrep.find_file(path)
    with pytest.raises(OSError, match="cut"):
        found = [match.url for match in matches]
    assert next(matches, None) is None
    errors: list[OSError] = []
    found = [match.url for match in urlgrep.find_file(path, onerror=errors.append)]
    assert len(errors) == 1
    assert len(found) > 1000

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise PermissionError(13, "no", "x")

    with pytest.raises(PermissionError):
        next(urlgrep.find_file(Broken()))


def damaged(name: str) -> tuple[bytes, str, type[urlgrep.DecodeError]]:
    """Write a damaged file. Return it, with the name in its error and the class of the error."""
    packed = gzip.compress(b"http://a.example/\n" * 1000, mtime=0)
    archive = io.BytesIO()
    if name.startswith("tar"):
        with tarfile.open(fileobj=archive, mode="w") as tar:
            member = tarfile.TarInfo("a.txt.gz")
            member.size = len(packed) - 9
            tar.addfile(member, io.BytesIO(packed[:-9]))
    else:
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zip_file:
            zip_file.writestr("a.txt", b"http://a.example/\n" * 1000)
    whole = archive.getvalue()
    return {
        "gzip": (packed[:-9], "x", urlgrep.DecodeError),
        "tar": (whole[:600], "x", urlgrep.ContainerError),
        "tar with gzip": (whole, "x!/a.txt.gz", urlgrep.DecodeError),
        "zip": (whole[:60], "x", urlgrep.ContainerError),
    }[name]


@pytest.mark.parametrize("name", ["gzip", "tar", "tar with gzip", "zip"])
def test_damage_has_a_kind_and_a_place(name: str) -> None:
    data, path, kind = damaged(name)
    errors: list[Any] = []
    list(urlgrep.find_file(io.BytesIO(data), file="x", onerror=errors.append))
    assert errors[-1].path == path
    for error in errors:
        assert error.__class__ == kind
        assert issubclass(kind, OSError)
        assert issubclass(kind, ValueError)
        assert error.filename == error.path
        assert 0 < error.offset <= len(data)
        assert str(error) == f"{error.path}: {error.message}"
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.path, copy.offset, str(copy)) == (kind, error.path, error.offset, str(error))


def test_it_is_lazy_and_can_be_left() -> None:
    class Endless(io.RawIOBase):
        reads = 0

        def read(self, size: int = -1) -> bytes:
            self.reads += 1
            return b"http://a.example/ \n" * 1000

    endless = Endless()
    matches = urlgrep.find_file(endless)
    assert endless.reads == 0
    assert next(matches).url == "http://a.example/"
    del matches
    assert endless.reads < 5000


def test_threads_search_at_once() -> None:
    text = "see http://a.example/ " * 5000
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(len(list(urlgrep.find(text))))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [5000] * 4


def test_matches_are_values() -> None:
    [a, b] = urlgrep.find("http://a.example/ http://a.example/")
    [c, _] = urlgrep.find("http://a.example/ http://a.example/")
    assert a == c
    assert a != b
    assert hash(a) == hash(c)
    assert a != "http://a.example/"
    assert str(a) == a.url == "http://a.example/"
    assert repr(a) == "<urlgrep.Match bare 'http://a.example/', span=(0, 17)>"


def test_copies_have_all_values() -> None:
    names = [name for name, value in vars(urlgrep.Match).items() if isinstance(value, types.GetSetDescriptorType)]
    assert len(names) > 35
    copied = 0
    for path in texts():
        for match in urlgrep.find_file(path, candidates=True):
            copy = pickle.loads(pickle.dumps(match))
            assert copy == match
            assert hash(copy) == hash(match)
            assert repr(copy) == repr(match)
            for name in names:
                assert getattr(copy, name) == getattr(match, name), name
            assert urlgrep.findings(copy) == urlgrep.findings(match)
            assert copy.to_dict() == match.to_dict()
            copied += 1
    assert copied > 1_000
    [a, b] = urlgrep.find("é <URL:http://a/\xff> http://a/\xff")
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(a))))
    assert again == a
    assert again != b


def test_reasons_are_the_commands(command: Command) -> None:
    explained = 0
    for path in texts():
        expected = command.json("--json", "--no-config", "-z", "-j1", "--fields", "url,why", path)
        found = list(urlgrep.find_file(path, explain=True))
        assert len(found) == len(expected)
        for match, record in zip(found, expected):
            reasons = match.explain()
            for reason, why in zip(reasons, record["why"]):
                assert (reason.what, reason.rule, reason.words) == (why["what"], why["rule"], why["words"])
                assert reason.at == (why["offset"], why["offset"] + why["length"])
                assert sorted(reason.facts) == sorted((fact["words"], fact["weight"]) for fact in why["facts"])
                assert reason.reading == why["reading"]
            assert len(reasons) == len(record["why"])
            assert pickle.loads(pickle.dumps(match)).explain() == reasons
            explained += len(reasons)
    assert explained > 3_000


def test_reasons_are_at_places_of_the_text() -> None:
    text = "Grüße, größer: http://mill.example.org/drawings/of/the/second-bridge/\nnorth-wall.html, and \nhttp://b.example/é"
    first, second = urlgrep.find(text, explain=True)
    joined = next(reason for reason in first.explain() if reason.what == "joined")
    assert text[slice(*joined.at)] == "\n"
    assert joined.facts[0][1] == max(weight for _, weight in joined.facts)
    lines = str(joined).splitlines()
    assert lines[0].startswith("joined: 5 or more joins the lines")
    assert lines[1] == f"  {joined.facts[0][1]:+} {joined.facts[0][0]}"
    assert repr(joined) == f"<urlgrep.Reason {lines[0]}, at={joined.at}>"
    reading = next(reason for reason in second.explain() if reason.what == "reading")
    assert reading.reading == second.readings[1] == "http://b.example/"
    assert text[slice(*reading.at)] == reading.reading
    with pytest.raises(RuntimeError, match="explain=True"):
        next(urlgrep.find(text)).explain()


def test_first_said_is_the_commands(command: Command) -> None:
    counted = 0
    for path in texts():
        if not any(urlgrep.find_file(path)):
            continue
        options = ("--no-config", "-z", "--first-said", "--input")
        lines = command.output(*options, "auto", "--format", "{line}:{count}:{url}", path).splitlines()
        matches = (match for match in urlgrep.find_file(path) if match.scheme or match.resolved)
        firsts = [f"{match.line}:{count}:".encode() + match.url_bytes for match, count in urlgrep.first_said(matches)]
        assert firsts == lines, path
        counted += len(lines)
    assert counted > 1_000


def test_small_and_large_files_are_searched_alike(tmp_path: Path) -> None:
    path = tmp_path / "text"
    for lines in (10, 10_000, 40_000):  # files up to 256 KiB are searched all at once
        path.write_bytes(b"".join(b"http://h%d.example/\n" % n for n in range(lines)))
        assert [match.url for match in urlgrep.find_file(path)] == [f"http://h{n}.example/" for n in range(lines)]
        assert sum(map(len, urlgrep.find_file(path).batches(rows=7))) == lines
        assert next(urlgrep.find_file(path)).line == 1
    path.write_bytes(b"")
    assert list(urlgrep.find_file(path)) == []
