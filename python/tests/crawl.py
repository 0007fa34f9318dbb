"""A crawl of any size: WARC and WET files of generated pages. Each record is a member of gzip.

``python crawl.py FOLDER BYTES`` writes files of 64 MB (unpacked) up to this size, and ``warc.paths.gz``.
The same size gives the same bytes.
"""

from __future__ import annotations

import gzip
import random
import sys
import zlib
from pathlib import Path

from archive import WORDS

LANGUAGES = ["eng", "deu", "fra,eng", "por"]


def host(source: random.Random) -> str:
    """Return a host. Some come far more often than others."""
    site = int(source.paretovariate(0.8)) % 5000
    return f"{source.choice(['www.', '', 'blog.'])}site{site}.{source.choice(['example', 'test', 'co.uk'])}"


def page(source: random.Random, links: int) -> tuple[str, str]:
    """Return a page as HTML, and its text."""
    html, text = ["<!DOCTYPE html><html><head><title>A page</title></head><body>"], []
    for number in range(links):
        words = " ".join(source.choices(WORDS, k=source.randrange(5, 120)))
        target = f"https://{host(source)}/{source.choice(WORDS)}/{source.randrange(10**6)}"
        if number % 5 == 0:
            target = f"/{source.choice(WORDS)}/{number}.html"
        html.append(f'<p>{words} <a href="{target}">{source.choice(WORDS)}</a></p>')
        text.append(words)
        if number % 9 == 0:
            html.append(f"<p>see https://{host(source)}/shown</p>")
            text.append(f"see https://{host(source)}/shown")
    return "\n".join([*html, "</body></html>"]), "\n".join(text)


def record(kind: str, fields: dict[str, str], block: bytes) -> bytes:
    """Return a compressed record."""
    lines = ["WARC/1.0", f"WARC-Type: {kind}", *(f"{name}: {value}" for name, value in fields.items())]
    header = "\r\n".join([*lines, f"Content-Length: {len(block)}"]).encode()
    return gzip.compress(header + b"\r\n\r\n" + block + b"\r\n\r\n", compresslevel=4, mtime=0)


def write(folder: Path, size: int, file_size: int = 64 << 20, seed: int = 28500) -> list[Path]:
    """Write a crawl, and return its files. A large crawl repeats its first pages with other numbers."""
    source = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    pages = [page(source, source.randrange(1, 120)) for _ in range(min(400, 2 + size // 20000))]
    paths: list[Path] = []
    written = number = 0
    while written < size:
        names = [folder / f"CC-{len(paths) // 2:05}.{ending}.gz" for ending in ("warc", "warc.wet")]
        paths += names
        here = 0
        with names[0].open("wb") as warc, names[1].open("wb") as wet:
            for file in (warc, wet):
                info = {"WARC-Date": "2026-11-01T00:00:00Z", "Content-Type": "application/warc-fields"}
                file.write(record("warcinfo", info, b"software: a test\r\n"))
            while here < file_size and written + here < size:
                html, text = pages[number % len(pages)]
                html = html.replace("/shown", f"/shown{number}")
                about = {
                    "WARC-Record-ID": f"<urn:uuid:{zlib.crc32(str(number).encode()):08x}-{number}>",
                    "WARC-Date": f"2026-11-{1 + number % 28:02}T10:{number % 60:02}:00Z",
                    "WARC-Target-URI": f"https://{host(source)}/page/{number}",
                }
                answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{html}".encode()
                warc.write(record("response", {**about, "Content-Type": "application/http; msgtype=response"}, answer))
                language = {"WARC-Identified-Content-Language": LANGUAGES[number % 4], "Content-Type": "text/plain"}
                wet.write(record("conversion", {**about, **language}, text.encode()))
                here += len(answer) + len(text)
                number += 1
        written += here
    with gzip.open(folder / "warc.paths.gz", "wt") as listing:
        listing.writelines(f"{path.name}\n" for path in paths)
    return paths


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
