"""The Python form of the command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT, Command

FILES = sorted(path for path in (ROOT / "corpora").rglob("*") if path.is_file())


def run(*arguments: str | Path, stdin: bytes = b"") -> tuple[int, bytes, str]:
    words = [sys.executable, "-m", "urlgrep", *map(str, arguments)]
    done = subprocess.run(words, input=stdin, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize("options", [["--json", "-z"], ["-z"], ["--any-scheme", "--rejoin", "none", "--www"]])
def test_it_prints_what_the_command_prints(command: Command, options: list[str]) -> None:
    assert len(FILES) > 10
    assert run(*options, *FILES)[:2] == (0, command.output("--no-config", *options, *FILES))
    for file in FILES[:3]:
        expected = command.output("--no-config", *options, "-", stdin=file.read_bytes())
        assert run(*options, stdin=file.read_bytes())[1] == expected


def test_parse_prints_what_the_command_prints(command: Command) -> None:
    urls = ["http://a.example/x", "http://a.example/~joe/", "a b", "http://a.example/ü"]
    for options in ([], ["--json"]):
        assert run("parse", *options, *urls)[1] == command.output("parse", "--no-config", *options, *urls)
    stdin = "\n".join(urls).encode()
    assert run("parse", stdin=stdin)[1] == command.output("parse", "--no-config", stdin=stdin)


def test_statuses(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("http://a.example/\n")
    assert run(text) == (0, b"http://a.example/\n", "")
    assert run(stdin=b"nothing") == (1, b"", "")
    gone = tmp_path / "gone"
    assert run(gone, text) == (
        2,
        f"{text}:http://a.example/\n".encode(),
        f"urlgrep: {gone}: No such file or directory\n",
    )
    assert run("--no-such-option")[0] == 2
    assert run("--base", "x", text)[0] == 2
    assert run("parse", "http://a.example/")[0] == 0
    assert run("parse", "http://a.example/~joe")[0] == 1


def test_whoever_has_read_enough(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("http://a.example/\n" * 50_000)
    with subprocess.Popen(
        [sys.executable, "-m", "urlgrep", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as it:
        assert it.stdout is not None
        assert it.stderr is not None
        assert it.stdout.readline() == b"http://a.example/\n"
        it.stdout.close()
        assert it.stderr.read() == b""
        assert it.wait() == 0
