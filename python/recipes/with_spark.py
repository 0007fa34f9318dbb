"""Spark: one row per URL by ``mapInArrow``, or an SQL function.

The workers also need this file: ``spark.sparkContext.addPyFile("with_spark.py")``.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

import urlgrep


def explode_urls(frame: DataFrame, key: str, column: str) -> DataFrame:
    """Return one row per URL, with the key of the row that contains it."""

    def search(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for found in urlgrep.find_column(batch[column], columns=["url"]):
                matches = pa.record_batch(found)
                yield pa.record_batch({key: batch[key].take(matches["row"]), "url": matches["url"]})

    kind = frame.schema[key].dataType.simpleString()
    return frame.select(key, column).mapInArrow(search, f"{key} {kind}, url string")


def urls(text: str | None) -> list[str]:
    """Return the URLs of a text."""
    return [match.url for match in urlgrep.find(text or "")]


def register(spark: SparkSession) -> None:
    """Add ``urls(text)`` to SQL, which returns an array."""
    spark.udf.register("urls", urls, "array<string>")
