"""Web archives in ranges, and the graph of their links."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import duckdb
import pytest
from test_jobs import expected, rows, table

import urlgrep
from urlgrep import graph, jobs, parquet
from urlgrep.jobs import CRAWL, Plan

import crawl
from conftest import Command

RANGE = 64 << 10


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Write a crawl of two WARC and two WET files."""
    return crawl.write(tmp_path_factory.mktemp("crawl"), 4_000_000, 2_000_000)


def test_ranges_of_members_are_the_whole(command: Command, pages: list[Path], tmp_path: Path) -> None:
    pieces = jobs.splits(pages, range_size=RANGE)
    assert len(pieces) > 2 * len(pages)
    found = parquet.run(pages, tmp_path / "out", range_size=RANGE)
    assert found.matches > 5_000
    assert rows(tmp_path / "out") == expected(command, *pages)


def test_a_record_says_its_page(pages: list[Path]) -> None:
    [wet] = [path for path in pages if path.name == "CC-00000.warc.wet.gz"]
    match = next(iter(urlgrep.find_file(wet)))
    assert match.message is not None
    assert (match.message["url"] or "").startswith("https://")
    assert match.message["date"] == "2026-11-01T10:00:00Z"
    assert match.message["language"] == "eng"
    assert (match.message["id"] or "").startswith("urn:uuid:")


def test_a_file_that_is_cut_ends_where_the_command_ends(command: Command, pages: list[Path], tmp_path: Path) -> None:
    octets = pages[0].read_bytes()
    cut, torn = tmp_path / "cut.warc.gz", tmp_path / "torn.warc.gz"
    cut.write_bytes(octets[: len(octets) // 2])
    middle = len(octets) // 2
    torn.write_bytes(octets[:middle] + bytes(64) + octets[middle + 64 :])
    for path in (cut, torn):
        output = tmp_path / path.stem
        found = parquet.run([path], output, range_size=RANGE)
        assert rows(output) == expected(command, path)
        assert found.errors >= 1
        assert all(row["is_final"] for row in table(output, "errors"))


def test_other_gzip_is_one_piece(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"http://a.example/\n" * 50_000, 0) + gzip.compress(b"http://b.example/\n"))
    assert len(jobs.splits([path], range_size=RANGE)) == 1
    first = list(urlgrep.find_file(path, 0, RANGE))
    assert len(first) == 50_001
    assert not list(urlgrep.find_file(path, RANGE))


def test_a_listing(pages: list[Path], tmp_path: Path) -> None:
    listing = pages[0].parent / "warc.paths.gz"
    listed = jobs.listing(listing, f"{pages[0].parent}/")
    assert [item.path for item in listed] == [str(path) for path in pages]
    plain = tmp_path / "paths"
    plain.write_text(f"{pages[0]}\n\n{tmp_path}/none.warc.gz\nmemory://no-bucket/x.warc.gz\nnothing://a/b.warc.gz\n")
    output = tmp_path / "out"
    found = parquet.run(jobs.listing(plain), output, range_size=RANGE)
    assert found.inputs == 1
    assert found.errors == 3
    assert {row["input"].rsplit("/", 1)[-1] for row in table(output, "errors")} == {
        "none.warc.gz",
        "x.warc.gz",
        "b.warc.gz",
    }

    def engine(function: Any, things: Any) -> Any:
        raise AssertionError(f"{function} is called for {things}")

    # Without new files, the engine is not called.
    assert parquet.run(jobs.listing(listing, f"{pages[0].parent}/")[:1], output, engine=engine).skipped == 1


def test_the_graph(pages: list[Path], tmp_path: Path) -> None:
    output = tmp_path / "out"
    parquet.run(pages, output, plan=Plan(CRAWL), range_size=RANGE)
    [first, *_] = rows(output).values()
    assert set(first[0]) == set(CRAWL)
    connection = duckdb.connect()
    graph.tables(connection, str(output))
    hosts = connection.execute('SELECT "from", "to", pages, links FROM hosts').fetchall()
    expected: dict[tuple[str, str], tuple[set[str], int]] = {}
    for path in pages:
        for match in urlgrep.find_file(path):
            page = match.message and match.message["url"]
            if not page or (not match.resolved and not match.domain):
                continue
            source = urlgrep.parse(page, level="none").host or ""
            pair = (site(source), site(urlgrep.parse(match.resolved or match.url, level="none").host or ""))
            seen, count = expected.get(pair, (set(), 0))
            expected[pair] = (seen | {page}, count + 1)
    counted = {(*pair, len(seen), count) for pair, (seen, count) in expected.items() if pair[0] != pair[1]}
    assert set(hosts) == counted
    assert len(hosts) > 1000
    [(most, domains, _)] = connection.execute("FROM ranks ORDER BY domains DESC, host LIMIT 1").fetchall()
    assert domains == len({pair[0] for pair in expected if pair[1] == most and pair[0] != most})


def site(host: str) -> str:
    """Return the domain of a host of the crawl. Its suffix has one or two labels."""
    return ".".join(host.split(".")[-3 if host.endswith("co.uk") else -2 :])
