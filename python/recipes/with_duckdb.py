"""DuckDB: a file as a table, and a function of SQL."""

import duckdb
import pyarrow as pa
from duckdb.func import ARROW

import urlgrep

from lists import urls_of


def hosts(path: str) -> list[tuple[str, int]]:
    """Count the hosts of a file. Its matches are read as the query needs them."""
    connection = duckdb.connect()
    connection.register("matches", pa.RecordBatchReader.from_stream(urlgrep.find_file(path).batches(columns=["host"])))
    return connection.sql("SELECT host, count(*) FROM matches GROUP BY host ORDER BY 2 DESC, 1").fetchall()


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Add ``urls(text)`` to SQL, which gives a list."""
    kind = duckdb.list_type("VARCHAR")
    # Without annotations: DuckDB evaluates them, and pyarrow's classes take no parameters then.
    connection.create_function("urls", lambda texts: urls_of(texts), ["VARCHAR"], kind, type=ARROW)
