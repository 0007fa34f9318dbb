"""Matches as columns."""

from __future__ import annotations

import io
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import urlgrep

from conftest import row_of, texts

# pyarrow accepts any object with a schema, but its stubs do not.
SCHEMA: Any = urlgrep.schema()


def test_columns_are_the_records() -> None:
    rows = 0
    for path in texts():
        expected = [row_of(match.to_dict()) for match in urlgrep.find_file(path)]
        table = pa.table(urlgrep.find_file(path))
        assert table.schema == pa.schema(SCHEMA)
        table.validate(full=True)
        assert table.to_pylist() == expected, path
        text = path.read_bytes()
        assert pa.table(urlgrep.find(text)).to_pylist() == [row_of(match.to_dict()) for match in urlgrep.find(text)]
        rows += len(expected)
    assert rows > 1000


def test_dates_are_in_utc() -> None:
    dates = {
        "Sat, 5 Oct 2002 23:56:00 -0700": "2002-10-06T06:56:00+00:00",
        "29 Feb 2000 12:05:48 GMT": "2000-02-29T12:05:48+00:00",
        "5 Oct 1969 01:00:00 +0200": "1969-10-04T23:00:00+00:00",
        "5 Oct 2002 23:56:00": "2002-10-05T23:56:00+00:00",
        "5 Oct 2002": "2002-10-05T00:00:00+00:00",
        "31 Feb 2002 10:00:00": None,
        "never": None,
    }
    for date, expected in dates.items():
        mail = f"From: a@b.example\nTo: c@d.example\nDate: {date}\n\nhttp://a.example/\n".encode()
        table = pa.table(urlgrep.find_file(io.BytesIO(mail)).batches(columns=["message.date", "message"]))
        [row] = table.to_pylist()
        found = row["message.date"]
        assert (found and found.isoformat()) == expected
        assert row["message"]["date"] == found


def test_batches_have_the_rows_that_are_asked_for() -> None:
    text = "http://a.example/ " * 10
    sizes = [len(batch) for batch in urlgrep.find(text).batches(4)]
    assert sizes == [4, 4, 2]
    mbox = "".join(f"From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\n\nhttp://a.example/{n}\n\n" for n in range(10))
    batches = urlgrep.find_file(io.BytesIO(mbox.encode())).batches(rows=3, columns=["url"])
    tables = [pa.record_batch(batch) for batch in batches]
    assert [table.num_rows for table in tables] == [3, 3, 3, 1]
    assert [row["url"][-1] for table in tables for row in table.to_pylist()] == list("0123456789")


def test_columns_are_chosen() -> None:
    columns = ["host", "message.id", "error.offset", "target", "line", "url_bytes"]
    assert urlgrep.schema(columns).names == columns
    table = pa.table(urlgrep.find("http://a.example/~x").batches(columns=columns))
    assert table.to_pylist() == [dict(zip(columns, ["a.example", None, 17, "http://a.example/~x", 1, None]))]
    assert urlgrep.schema(columns) == urlgrep.find("").batches(columns=columns).schema
    assert len(urlgrep.schema()) == len(urlgrep.schema().names) == 36


def test_libraries_take_them() -> None:
    text = "http://a.example/~x and <URL:ftp://b.example/y;type=a>"
    urls = ["http://a.example/~x", "ftp://b.example/y;type=a"]
    table = pa.table(urlgrep.find(text))
    assert table["url"].to_pylist() == urls
    assert pl.DataFrame(urlgrep.find(text))["url"].to_list() == urls
    assert duckdb.connect().from_arrow(table).project("url").fetchall() == [(url,) for url in urls]
    frame = table.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["url"]) == urls
    reader = pa.RecordBatchReader.from_stream(urlgrep.find(text).batches(1))
    assert [batch.num_rows for batch in reader] == [1, 1]


def test_pandas_is_told_which_call_makes_columns() -> None:
    for given in (urlgrep.find("http://a.example/"), urlgrep.find("http://a.example/").batches()):
        with pytest.raises(TypeError, match="from_arrow"):
            pd.DataFrame(given)
        assert list(pd.DataFrame.from_arrow(given)["url"]) == ["http://a.example/"]


def test_matches_are_taken_once() -> None:
    matches = urlgrep.find("http://a.example/ http://b.example/")
    next(matches)
    with pytest.raises(RuntimeError, match="search again"):
        matches.batches()
    assert next(matches).url == "http://b.example/"
    batches = urlgrep.find("http://a.example/").batches()
    pa.table(batches)
    with pytest.raises(RuntimeError, match="search again"):
        next(batches)


def test_errors_reach_the_reader() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise PermissionError(13, "no", "x")

    with pytest.raises(Exception, match="no"):
        pa.table(urlgrep.find_file(Broken()))
    errors: list[OSError] = []
    assert pa.table(urlgrep.find_file(Broken(), onerror=errors.append)).num_rows == 0
    assert [type(error) for error in errors] == [PermissionError]
