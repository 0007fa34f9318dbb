"""The URLs of each string, as a column of lists: for engines that require one output row per input row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import urlgrep


def urls_of(texts: pa.Array[Any] | pa.ChunkedArray[Any]) -> pa.ListArray[Any]:
    """Return a list for each string. The list of a null is empty."""
    found = pa.table(urlgrep.find_column(texts, columns=["url"])).combine_chunks()
    ends = np.searchsorted(found["row"].to_numpy(), np.arange(len(texts) + 1))
    return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), pa.array(found["url"].to_pylist(), pa.string()))
