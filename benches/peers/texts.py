"""The texts: three densities, generated, and the user's own archive, written anew by each run.

A file that was just copied lies in the page cache as the system would have it for a user; one that has lain there for long
may be read half as fast or twice as fast.
"""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from common import FOLDER, MIB, lines, say, wrong

# A generated text is this long, then repeated.
PIECE = 16 * MIB
# What a slow program is given.
SHORT = 16 * MIB

# What the generator plants in a piece, as benches/throughput.rs pins it (FNV-1a): it must not drift unseen.
PLANTED = {"mail": "17776 627d92a1b0068298", "nourl": "0 cbf29ce484222325", "dense": "248758 e84207f1c3f8518d"}


@dataclass
class Text:
    """A piece of text, and a file that holds it over and over."""

    name: str
    title: str
    times: int = 0
    # the URLs of a piece, if they are known
    planted: Optional[Path] = None

    @property
    def piece(self):
        return FOLDER / f"{self.name}.piece"

    @property
    def file(self):
        return FOLDER / f"{self.name}.txt"

    @property
    def short(self):
        """The file, or its beginning if that is long."""
        return FOLDER / f"{self.name}.short"

    @property
    def size(self):
        return self.file.stat().st_size

    def repeat(self, size):
        """Whole pieces only, and at least one."""
        self.times = max(1, -(-size // self.piece.stat().st_size))
        repeat(self.piece, self.file, self.times)
        write_head(self.piece, self.short, SHORT)


def repeat(piece, file, times):
    with open(file, "wb") as out:
        for _ in range(times):
            with open(piece, "rb") as source:
                shutil.copyfileobj(source, out, MIB)


def write_head(path, head, size):
    """The whole lines that a text begins with."""
    with open(path, "rb") as file, open(head, "wb") as out:
        out.write(file.read(size))
        out.write(file.readline())


def write_sample(path, sample, size):
    """Blocks from all over a text: an archive begins with one year's mail."""
    block, whole = 64 << 10, path.stat().st_size
    step = max(block, whole * block // size)
    with open(path, "rb") as file, open(sample, "wb") as out:
        for offset in range(0, whole, step):
            file.seek(offset)
            out.write(file.read(block))


def generated(name):
    """A text of benches/text, whose URLs are known."""
    text = Text(name, "generated", planted=FOLDER / f"{name}.piece.urls")
    made = lines([FOLDER / "release/text", name, str(PIECE), text.piece])[0].decode()
    if made != PLANTED[name]:
        wrong(f"the generator makes another {name} than it made: {made}, not {PLANTED[name]}")
    return text


def archive_of(folder):
    """The text files of a folder in the order of their names; one with a NUL near its beginning is none."""
    text = Text("archive", "")
    files = skipped = 0
    with open(text.piece, "wb") as piece:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            with open(path, "rb") as file:
                if b"\0" in file.read(64 << 10):
                    skipped += 1
                    continue
                file.seek(0)
                shutil.copyfileobj(file, piece, MIB)
            piece.write(b"\n")  # a URL at the end of one must not go on in the next
            files += 1
    if not files:
        sys.exit(f"{folder} holds no text")
    text.title = f"{files} text files of {folder.resolve().name} (binary ones, left out: {skipped})"
    return text


def write_texts(options):
    say("writing the texts")
    texts = [archive_of(options.archive)] if options.archive else []
    texts += [generated(name) for name in PLANTED]
    for text in texts:
        text.repeat(options.size * MIB)
    os.sync()  # or the first pairs share the machine with the kernel's writing
    return texts


def small_files(text, count, size):
    """A folder of so many files, a hundred a folder, of whole lines of a text."""
    folder = FOLDER / "small"
    shutil.rmtree(folder, ignore_errors=True)
    with open(text.piece, "rb") as source:
        for number in range(count):
            if number % 100 == 0:
                inner = folder / f"{number // 100:04}"
                inner.mkdir(parents=True)
            lines_of_it = source.readlines(size)
            if not lines_of_it:
                source.seek(0)
                lines_of_it = source.readlines(size)
            (inner / f"{number:06}.txt").write_bytes(b"".join(lines_of_it))
    os.sync()
    return folder


def mailbox(text, size):
    """A mailbox of plain messages: whole lines of a text, 3 KB a message."""
    box, written = FOLDER / "plain.mbox", 0
    with open(text.piece, "rb") as source, open(box, "wb") as out:
        while written < size:
            body = source.readlines(3_000)
            if not body:
                source.seek(0)
                continue
            head = b"From joe@a.example Mon Feb  1 09:00:00 1999\nFrom: joe@a.example\nSubject: %d\n\n" % written
            written += out.write(head + b"".join(b">" * line.startswith(b"From ") + line for line in body) + b"\n")
    os.sync()
    return box
