"""pandas: one row per URL, with the columns of the row that contains it."""

import pandas as pd
import pyarrow as pa

import urlgrep


def explode_urls(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows of a frame that contain URLs, repeated for each URL."""
    found = pa.table(urlgrep.find_column(frame[column], columns=["url", "host"])).to_pandas()
    rows = frame.iloc[found.pop("row")].reset_index(drop=True)
    return rows.join(found)
