"""The URLs in a column of strings."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import urlgrep

from conftest import row_of, texts

TEXTS = [
    "see <URL:http://a.example/b-\nc>, and http://b.example/~x",
    "",
    None,
    "no link",
    "Grüße! http://c.example/ü and more than a view holds inline",
    "http://d.example/\n\nhttp://e.example/",
]


def expected(strings: list[Any]) -> list[dict[str, Any]]:
    return [
        {"row": row, **row_of(match.to_dict())}
        for row, text in enumerate(strings)
        if text is not None
        for match in urlgrep.find(text)
    ]


COLUMNS: dict[str, Callable[[list[str | None]], Any]] = {
    "utf8": lambda strings: pa.array(strings, pa.string()),
    "large_utf8": lambda strings: pa.array(strings, pa.large_string()),
    "utf8_view": lambda strings: pa.array(strings, pa.string_view()),
    "binary": lambda strings: pa.array(strings, pa.binary()),
    "large_binary": lambda strings: pa.array(strings, pa.large_binary()),
    "binary_view": lambda strings: pa.array(strings, pa.binary_view()),
    "slice": lambda strings: pa.array(["http://no.example/", *strings, "http://no.example/"]).slice(1, len(strings)),
    "chunks": lambda strings: pa.chunked_array([strings[:1], [], strings[1:4], strings[4:]], pa.string()),
    "polars": pl.Series,
    "polars slice": lambda strings: pl.Series(["http://no.example/", *strings]).slice(1),
    "polars binary": lambda strings: pl.Series([None if s is None else s.encode() for s in strings], dtype=pl.Binary),
    "pandas": pd.Series,
    "pandas object": lambda strings: pd.Series(strings, dtype=object),
    "pandas string": lambda strings: pd.Series(strings, dtype="string"),
    "pandas arrow": lambda strings: pd.Series(strings, dtype=pd.ArrowDtype(pa.string())),
    "list": list,
    "list of bytes": lambda strings: [None if s is None else s.encode() for s in strings],
    "generator": lambda strings: (s for s in strings),
    "missing": lambda strings: [float("nan") if s is None else s for s in strings],
    "pandas.NA": lambda strings: [pd.NA if s is None else s for s in strings],
}


@pytest.mark.parametrize("name", COLUMNS)
def test_each_string_gives_what_find_gives(name: str) -> None:
    table = pa.table(urlgrep.find_column(COLUMNS[name](TEXTS)))
    table.validate(full=True)
    assert table.to_pylist() == expected(TEXTS)
    assert table.num_rows == 5


def test_every_text_of_the_project() -> None:
    strings = [path.read_bytes() for path in texts()]
    table = pa.table(urlgrep.find_column(pa.array(strings, pa.large_binary())))
    assert table.to_pylist() == expected(strings)


def test_options_and_columns() -> None:
    batches = urlgrep.find_column(
        ["foo://a.example/\n", "x\nfoo://b.example/"], any_scheme=True, columns=["line", "row", "key"]
    )
    assert batches.schema.names == ["row", "line", "key"]
    assert pa.table(batches).to_pylist() == [
        {"row": 0, "line": 1, "key": "foo://a.example/"},
        {"row": 1, "line": 2, "key": "foo://b.example/"},
    ]
    assert pa.table(urlgrep.find_column(["foo://a.example/"], columns=[])).num_rows == 0
    assert urlgrep.find_column([]).schema.names == ["row", *urlgrep.schema().names]
    assert urlgrep.find_column(["<URL:no url>"], candidates=True, columns=["url"]).__next__().num_rows == 1


def test_batches_have_the_rows_that_are_asked_for() -> None:
    strings = ["http://a.example/ " * 5, "", "http://b.example/ " * 5]
    batches = [pa.record_batch(batch) for batch in urlgrep.find_column(strings, rows=3, columns=["host"])]
    assert [batch.num_rows for batch in batches] == [3, 3, 3, 1]
    rows = [row["row"] for batch in batches for row in batch.to_pylist()]
    assert rows == [0] * 5 + [2] * 5


def test_a_large_string() -> None:
    text = "http://a.example/ and some words\n" * 20_000
    table = pa.table(urlgrep.find_column(pa.array(["", text, "http://b.example/"]), columns=["offset", "line"]))
    assert table.num_rows == 20_001
    assert table["row"].unique().to_pylist() == [1, 2]
    assert table["offset"].to_pylist()[-2:] == [19_999 * 33, 0]
    assert table["line"].to_pylist()[-2:] == [20_000, 1]


def test_nothing_but_nulls() -> None:
    for column in ([None], pa.nulls(3), pl.Series([None, None]), pa.chunked_array([], pa.string())):
        assert pa.table(urlgrep.find_column(column)).num_rows == 0


def test_threads_search_at_once() -> None:
    column = pa.array(["see http://a.example/ "] * 5000)
    with ThreadPoolExecutor(4) as threads:
        tables = threads.map(lambda _: pa.table(urlgrep.find_column(column, columns=["row"])), range(4))
        assert [table["row"].to_pylist() for table in tables] == [list(range(5000))] * 4


@pytest.mark.parametrize(
    ("column", "says"),
    [
        (pa.array([1, 2]), "one of Int64"),
        (pl.Series([1.5]), "one of Float64"),
        (pa.table({"x": ["http://a.example/"]}), "one of Struct"),
        (["x", 3], "holds int"),
        ("http://a.example/", "not str"),
        (b"http://a.example/", "not bytes"),
        (3, "not int"),
    ],
)
def test_what_is_no_column_of_strings(column: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        urlgrep.find_column(column)


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="rows is 0"):
        urlgrep.find_column([], rows=0)
    with pytest.raises(ValueError, match="there is no column 'no'"):
        urlgrep.find_column([], columns=["no"])
    with pytest.raises(ValueError, match="rejoin is 'all'"):
        urlgrep.find_column([], rejoin="all")  # type: ignore[arg-type]
