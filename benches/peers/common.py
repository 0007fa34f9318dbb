"""What all parts of the comparison share: where things lie, and how a command is run."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()
# All that is made lies here.
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
    """What a command prints, by line."""
    run = subprocess.run(command, stdin=source, stdout=subprocess.PIPE)
    check_exit(command, run.returncode)
    return run.stdout.split(b"\n")[:-1]


def check_exit(command, status):
    """1 is the exit status of a search that finds nothing."""
    if status not in (0, 1):
        sys.exit(f"exit status {status}: {' '.join(map(str, command))}")


def cores():
    return len(os.sched_getaffinity(0))
