"""Where the project's texts are, and its command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def texts() -> list[Path]:
    """Every text that comes with the project."""
    folders = [ROOT / "corpora", ROOT / "tests" / "corpora", ROOT / "tests" / "checked"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())


class Command:
    """The command, to compare with."""

    def __init__(self, program: str) -> None:
        self.program = program

    def json(self, *arguments: str | Path, stdin: bytes = b"") -> list[dict[str, Any]]:
        words = [self.program, *map(str, arguments)]
        done = subprocess.run(words, input=stdin, capture_output=True, check=False)
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="session")
def command() -> Command:
    program = os.environ.get("URLGREP") or shutil.which("urlgrep")
    assert program, "URLGREP names the command"
    return Command(program)
