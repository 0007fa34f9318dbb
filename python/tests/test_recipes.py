"""The recipes of python/recipes."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from urlgrep import jobs, parquet

RECIPES = Path(__file__).parents[1] / "recipes"
TEXTS = ["see http://a.example/ and http://b.example/", "nothing", None, "<URL:http://c.exam\n ple/>"]
URLS = [["http://a.example/", "http://b.example/"], [], [], ["http://c.example/"]]


@pytest.fixture(autouse=True)
def _recipes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RECIPES)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_lists(kind: Any) -> None:
    from lists import urls_of

    assert urls_of(pa.array(TEXTS, kind)).to_pylist() == URLS
    assert urls_of(pa.chunked_array([TEXTS[:1], TEXTS[1:]], kind)).to_pylist() == URLS
    assert urls_of(pa.array([], kind)).to_pylist() == []


def test_pandas() -> None:
    from with_pandas import explode_urls

    frame = pd.DataFrame({"id": [7, 8, 9, 10], "text": TEXTS}, index=[3, 2, 1, 0])
    found = explode_urls(frame, "text")
    assert list(found.columns) == ["id", "text", "url", "host"]
    assert list(zip(found["id"], found["url"])) == [(7, URLS[0][0]), (7, URLS[0][1]), (10, URLS[3][0])]


def test_polars() -> None:
    from with_polars import explode_urls

    found = explode_urls(pl.DataFrame({"id": [7, 8, 9, 10], "text": TEXTS}), "text")
    assert found.select("id", "host").rows() == [(7, "a.example"), (7, "b.example"), (10, "c.example")]


def test_duckdb(tmp_path: Path) -> None:
    from with_duckdb import hosts, register

    path = tmp_path / "text"
    path.write_text("http://a.example/ http://b.example/x http://b.example/y")
    assert hosts(str(path)) == [("b.example", 2), ("a.example", 1)]
    connection = duckdb.connect()
    register(connection)
    connection.register("posts", pa.table({"text": TEXTS}))
    assert connection.sql("SELECT urls(text) FROM posts WHERE text IS NOT NULL").fetchall() == [
        (URLS[0],),
        (URLS[1],),
        (URLS[3],),
    ]
    assert len(connection.sql("SELECT unnest(urls(text)) FROM posts").fetchall()) == 3


@pytest.mark.filterwarnings("default")
def test_datasets() -> None:
    import datasets

    from with_datasets import add_urls

    datasets.disable_progress_bars()
    dataset = datasets.Dataset.from_dict({"text": TEXTS})
    assert dataset.map(add_urls, batched=True, batch_size=2)["urls"][:] == URLS


def test_draw_hosts(tmp_path: Path) -> None:
    from draw_hosts import svg, top

    page = "WARC/1.0\nWARC-Type: conversion\nWARC-Target-URI: http://{}.example/\nContent-Length: {}\n\n{}\n\n"
    page = page.replace("\n", "\r\n")
    text = "http://to.example/ http://to.example/2 http://once.example/"
    path = tmp_path / "crawl.warc"
    path.write_text("".join(page.format(host, len(text), text) for host in ("a", "b", "once")), newline="")
    parquet.run([path], tmp_path / "out", plan=jobs.Plan(jobs.CRAWL))
    ranks = top(str(tmp_path / "out"))
    assert ranks == [("to.example", 3, 6), ("once.example", 2, 2)]
    picture = ElementTree.fromstring(svg([*ranks, ("<&.example", 1, 1000)]))
    words = ["".join(text.itertext()).replace("\n", " ") for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words[1:] == ["to.example", "3 6", "once.example", "2 2", "<&.example", "1 1,000"]
    assert len({rect.get("width") for rect in picture.iter("{http://www.w3.org/2000/svg}rect")}) == 3
