"""The texts: three generated ones of different densities, and the user's own archive. Each run writes them again.

A file that was just written is in the page cache, as it would be for a user. One that has been there for long may be read
at half or twice the speed.
"""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from common import FOLDER, MIB, lines, say, wrong

# The size of a generated text, which is then repeated.
PIECE = 16 * MIB
# The size of the text for slow programs.
SHORT = 16 * MIB

# The URLs that the generator plants in a piece, pinned as in benches/throughput.rs (FNV-1a), so that no change goes unseen.
PLANTED = {"mail": "17776 627d92a1b0068298", "nourl": "0 cbf29ce484222325", "dense": "248758 e84207f1c3f8518d"}


@dataclass
class Text:
    """A piece of text, and a file that repeats it."""

    name: str
    title: str
    times: int = 0
    # the URLs of the piece, if they are known
    planted: Optional[Path] = None

    @property
    def piece(self):
        return FOLDER / f"{self.name}.piece"

    @property
    def file(self):
        return FOLDER / f"{self.name}.txt"

    @property
    def short(self):
        """Returns the file, or its beginning if it is long."""
        return FOLDER / f"{self.name}.short"

    @property
    def size(self):
        return self.file.stat().st_size

    def repeat(self, size):
        """Writes whole pieces only, and at least one."""
        self.times = max(1, -(-size // self.piece.stat().st_size))
        repeat(self.piece, self.file, self.times)
        write_head(self.piece, self.short, SHORT)


def repeat(piece, file, times):
    with open(file, "wb") as out:
        for _ in range(times):
            with open(piece, "rb") as source:
                shutil.copyfileobj(source, out, MIB)


def write_head(path, head, size):
    """Writes the first whole lines of a text."""
    with open(path, "rb") as file, open(head, "wb") as out:
        out.write(file.read(size))
        out.write(file.readline())


def write_sample(path, sample, size):
    """Writes blocks from all over a text, since an archive begins with the mail of one year."""
    block, whole = 64 << 10, path.stat().st_size
    step = max(block, whole * block // size)
    with open(path, "rb") as file, open(sample, "wb") as out:
        for offset in range(0, whole, step):
            file.seek(offset)
            out.write(file.read(block))


def generated(name):
    """Returns a text of benches/text, whose URLs are known."""
    text = Text(name, "generated", planted=FOLDER / f"{name}.piece.urls")
    made = lines([FOLDER / "release/text", name, str(PIECE), text.piece])[0].decode()
    if made != PLANTED[name]:
        wrong(f"the generator makes another {name} than it made: {made}, not {PLANTED[name]}")
    return text


def archive_of(folder):
    """Returns the text files of a folder in the order of their names, without files that have a NUL near the beginning."""
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
            piece.write(b"\n")  # a URL at the end of one must not continue in the next
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
    os.sync()  # otherwise the first pairs share the machine with the kernel's writing
    return texts


def small_files(text, count, size):
    """Returns a folder of this many files of whole lines of a text, a hundred per sub-folder."""
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
    """Returns a mailbox of plain messages of whole lines of a text, 3 KB per message."""
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
