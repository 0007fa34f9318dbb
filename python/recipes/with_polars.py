"""Polars: a row for each URL, beside the row that holds it."""

import polars as pl

import urlgrep


def explode_urls(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the rows of a frame that hold URLs, each as often as it holds one."""
    found = pl.DataFrame(urlgrep.find_column(frame[column], columns=["url", "host"]))
    return pl.concat([frame[found["row"]], found.drop("row")], how="horizontal")
