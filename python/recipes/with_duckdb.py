"""DuckDB: a file as a table, and an SQL function."""

import duckdb
import pyarrow as pa
from duckdb.func import ARROW

import urlgrep

from lists import urls_of


def hosts(path: str) -> list[tuple[str, int]]:
    """Count the hosts of a file. Its matches are streamed into the query."""
    connection = duckdb.connect()
    connection.register("matches", pa.RecordBatchReader.from_stream(urlgrep.find_file(path).batches(columns=["host"])))
    return connection.sql("SELECT host, count(*) FROM matches GROUP BY host ORDER BY 2 DESC, 1").fetchall()


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Add ``urls(text)`` to SQL, which returns a list."""
    kind = duckdb.list_type("VARCHAR")
    # The lambda has no annotations, since DuckDB evaluates them, and pyarrow's classes cannot be subscripted.
    connection.create_function("urls", lambda texts: urls_of(texts), ["VARCHAR"], kind, type=ARROW)
