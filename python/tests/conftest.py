"""The project's texts, and its command."""

from __future__ import annotations

import base64
import datetime
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import urlgrep

ROOT = Path(__file__).resolve().parents[2]


def texts() -> list[Path]:
    """Return every text that comes with the project."""
    folders = [ROOT / "corpora", ROOT / "tests" / "corpora", ROOT / "tests" / "checked"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


class Command:
    """The command, whose results are compared."""

    def __init__(self, program: str) -> None:
        self.program = program

    def output(self, *arguments: str | Path, stdin: bytes = b"") -> bytes:
        words = [self.program, *map(str, arguments)]
        return subprocess.run(words, input=stdin, capture_output=True, check=False).stdout

    def json(self, *arguments: str | Path, stdin: bytes = b"") -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output(*arguments, stdin=stdin).splitlines()]


@pytest.fixture(scope="session")
def command() -> Command:
    program = os.environ.get("URLGREP") or shutil.which("urlgrep")
    assert program, "URLGREP names the command"
    return Command(program)


SCHEMA: Any = urlgrep.schema()
"""pyarrow's stubs do not know that it takes what has a schema."""
PARTS = pa.schema(SCHEMA).field("parts").type


def row_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a record. JSON has texts for the typed values of a row, and may lack its nulls."""
    row = dict(record)
    for name in ("url", "file"):
        exact = row.pop(f"{name}_bytes", None)
        row[f"{name}_bytes"] = exact and base64.b64decode(exact)
    readings = row.pop("readings_bytes", None)
    row["readings_bytes"] = readings and [base64.b64decode(reading) for reading in readings]
    if row["parts"] is not None:
        assert set(row["parts"]) <= {field.name for field in PARTS}
        row["parts"] = {field.name: row["parts"].get(field.name) for field in PARTS}
    if row["message"] is not None:
        date = row["message"]["date"]
        row["message"] = row["message"] | {"date": date and time_of(date)}
    return row


def time_of(date: str) -> datetime.datetime | None:
    try:
        time = datetime.datetime.fromisoformat(date.replace("Z", "+00:00"))
    except ValueError:
        return None
    return (time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)).astimezone(datetime.timezone.utc)
