"""An archive of any size: mail with URLs broken over lines at every kind of place, so that every cut hits some.

``python archive.py FILE BYTES`` writes a mailbox. The same size gives the same bytes.
"""

from __future__ import annotations

import base64
import quopri
import random
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

WORDS = [
    "lamp",
    "tide",
    "keeper",
    "oil",
    "tower",
    "rope",
    "letter",
    "and",
    "the",
    "of",
    "under",
    "never",
    "once",
    "map",
]
MONTHS = ["Jan", "Jun", "Nov"]
PATHS = ["docs", "a-long-name-with-hyphens", "minutes", "2001", "spring_meeting", "index.html", "%7Eann", "x.cgi"]


def url(random: random.Random) -> str:
    """Return a URL of up to 200 letters."""
    host = f"{random.choice(['www', 'ftp', 'lists'])}.h{random.randrange(500)}.example"
    path = "/".join(random.choices(PATHS, k=random.randrange(8)))
    query = random.choice(["", "", "", "?q=tide&n=3", "?x", "#note-2"])
    return f"{random.choice(['http', 'https', 'ftp'])}://{host}/{path}{query}"


def broken(random: random.Random, url: str, prefix: str) -> str:
    """Return a URL in brackets, broken anywhere, or at every punctuation mark."""
    opening, closing = random.choice([("<URL:", ">"), ("<", ">"), ("<URL: ", " >")])
    marks = [at for at, letter in enumerate(url) if letter in "-/.?&=%:"]
    cuts = sorted({random.choice(marks) + random.randrange(2), random.randrange(1, len(url))}, reverse=True)
    for cut in cuts[: random.randrange(3)]:
        url = f"{url[:cut]}\n{prefix}{random.choice(['', '', '  '])}{url[cut:]}"
    return opening + url + closing


def body(random: random.Random, number: int) -> str:
    """Return paragraphs that contain URLs, some of them quoted."""
    lines = []
    for turn in range(random.randrange(1, 12)):
        prefix = random.choice(["", "", "> ", "> > "])
        words = textwrap.fill(" ".join(random.choices(WORDS, k=random.randrange(120))), 72)
        lines += [prefix + line for line in words.splitlines()]
        kind = random.randrange(8)
        if kind < 3:
            lines.append(f"{prefix}{random.choice(WORDS)} {broken(random, url(random), prefix)} and")
        elif kind == 3:
            lines.append(f"{prefix}see {url(random)}{number}/{turn}, or not.")
        elif kind == 4:  # a URL too long for its line, without brackets
            long = url(random)
            cut = long.rfind("/", 10) + 1
            lines += [f"{prefix}{'word ' * random.randrange(8)}{long[:cut]}", f"{prefix}{long[cut:]} and on"]
        elif kind == 5:
            lines += ["", f"From the {random.choice(WORDS)}: mailto:joe{number}@h.example and http://a.example/~joe"]
        lines.append("")
    return "\n".join(lines)


def message(random: random.Random, number: int) -> bytes:
    """Return a message: plain, encoded, or with a stated length and another message inside."""
    text = body(random, number)
    fields = [
        f"From: joe{number}@h{number % 97}.example",
        f"Date: {1 + number % 28} {MONTHS[number % 3]} {1994 + number % 12} 10:{number % 60:02}:00 -0700",
        f"Subject: {random.choice(WORDS)} {random.choice(WORDS)}" + random.choice(["", f" <{url(random)}>"]),
        f"Message-ID: <{number}@h.example>",
    ]
    kind = random.randrange(12)
    octets = text.encode()
    if kind == 0:
        octets = base64.encodebytes(octets)
        fields += ["Content-Type: text/plain", "Content-Transfer-Encoding: base64"]
    elif kind == 1:
        octets = quopri.encodestring(octets.replace(b"=", b"=3D").replace(b"=3D", b"="))
        fields += ["Content-Type: text/plain; charset=us-ascii", "Content-Transfer-Encoding: quoted-printable"]
    elif kind == 2:
        fields += ["Content-Type: text/html"]
        octets = f"<html><p>see <a href='{url(random)}'>this</a> and {url(random)}</p></html>".encode()
    elif kind == 3:
        octets += b"\nFrom ann@b.example Mon Jan  1 12:34:56 2001\nFrom: ann\n\nhttp://inner.example/\n\n" * 3
        fields.append(f"Content-Length: {len(octets)}")
    octets = "\n".join(fields).encode() + b"\n\n" + octets + b"\n"
    if kind == 4:
        octets = octets.replace(b"\n", b"\r\n")
    return b"From joe@h.example Mon Jan  1 12:34:56 2001\n" + octets + b"\n"


def mailbox(size: int, seed: int = 1738) -> Iterator[bytes]:
    """Yield messages of at least this many bytes. A large mailbox repeats its first messages with other numbers."""
    source = random.Random(seed)
    messages = [message(source, 1_000_000 + number) for number in range(min(2000, 1 + size // 500))]
    written = number = 0
    while written < size:
        for one in source.sample(messages, len(messages)):
            # The new text has the same length, since some messages state their length.
            octets = one.replace(b"joe1", b"joe%d" % (number % 10))
            number += 1
            written += len(octets)
            yield octets
            if written >= size:
                return


def write(path: Path, size: int, seed: int = 1738) -> Path:
    """Write a mailbox to a file."""
    with path.open("wb") as file:
        file.writelines(mailbox(size, seed))
    return path


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
