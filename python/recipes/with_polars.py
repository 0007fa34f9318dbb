"""Polars: one row per URL, with the columns of the row that contains it."""

import polars as pl

import urlgrep


def explode_urls(frame: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the rows of a frame that contain URLs, repeated for each URL."""
    found = pl.DataFrame(urlgrep.find_column(frame[column], columns=["url", "host"]))
    return pl.concat([frame[found["row"]], found.drop("row")], how="horizontal")
