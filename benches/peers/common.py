"""The shared code of the comparison: its folders, and how a command is run."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
# All generated files are here.
FOLDER = TARGET / "peers"
URLGREP = TARGET / "release/urlgrep"

MIB = 1 << 20

SCHEMES = r"https?|ftp|gopher|news|nntp|mailto|telnet|wais|file|prospero"
RE = rf'(?i)\b(?:{SCHEMES}):[^\s<>"]+'


def say(what):
    print(f"==> {what}", file=sys.stderr, flush=True)


def wrong(what):
    sys.exit(f"WRONG ANSWER: {what}")


def lines(command, source=subprocess.DEVNULL):
    """Returns the lines that a command prints."""
    run = subprocess.run(command, stdin=source, stdout=subprocess.PIPE)
    check_exit(command, run.returncode)
    return run.stdout.split(b"\n")[:-1]


def check_exit(command, status):
    """Fails on any exit status except 0, and 1, which is that of a search without matches."""
    if status not in (0, 1):
        sys.exit(f"exit status {status}: {' '.join(map(str, command))}")


def cores():
    return len(os.sched_getaffinity(0))
