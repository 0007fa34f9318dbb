"""pandas: a row for each URL, beside the row that holds it."""

import pandas as pd
import pyarrow as pa

import urlgrep


def explode_urls(frame: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return the rows of a frame that hold URLs, each as often as it holds one."""
    found = pa.table(urlgrep.find_column(frame[column], columns=["url", "host"])).to_pandas()
    rows = frame.iloc[found.pop("row")].reset_index(drop=True)
    return rows.join(found)
