"""Hugging Face datasets: a function for ``dataset.map(add_urls, batched=True)``."""

from typing import Any

import pyarrow as pa

from lists import urls_of


def add_urls(batch: dict[str, list[str]]) -> dict[str, list[Any]]:
    """Return a column ``urls`` of the column ``text``."""
    return {"urls": urls_of(pa.array(batch["text"], pa.string())).to_pylist()}
