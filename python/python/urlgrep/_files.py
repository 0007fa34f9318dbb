"""Lists, reads and writes files, on this machine or through fsspec."""

from __future__ import annotations

import gzip
import io
import os
import posixpath
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import fsspec

__all__ = ["Folder", "Input", "inputs", "listing", "opened", "shown"]

_AHEAD = 4 << 20
"""The number of bytes per read of a remote file. As many may be read after a range: 6% of 64 MiB."""

_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "adl", "az", "oci", "memory"}
"""Stores in which a file exists only after it is closed. Elsewhere a file is first written under another name."""


@dataclass(frozen=True)
class Input:
    """A listed file."""

    path: str
    size: int
    version: str
    """The time of the last change, or the version that the store reports."""


def shown(path: str) -> str:
    """Return a path as text that any table can hold. Bytes that are not UTF-8 are escaped."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _is_local(path: str) -> bool:
    return "://" not in path


def _filesystem(path: str) -> tuple[Any, str]:
    return fsspec.core.url_to_fs(path)  # type: ignore[no-any-return]


def inputs(paths: Iterable[str | os.PathLike[str]]) -> Iterator[Input]:
    """List files, and all files in folders in order of name, as ``urlgrep --hidden --no-ignore`` reads them.

    A missing path is also listed, with size 0. Its search reports the reason.
    """
    for path in (os.fspath(path) for path in paths):
        yield from _walk(Path(os.path.abspath(path))) if _is_local(path) else _find(path)  # noqa: PTH100


def _walk(path: Path) -> Iterator[Input]:
    """Yield a file, or all files in a folder. Links in a folder are skipped, and so are pipes and devices."""
    try:
        if path.is_dir():
            for entry in sorted(path.iterdir(), key=lambda entry: os.fsencode(entry.name)):
                if not entry.is_symlink() and (entry.is_dir() or entry.is_file()):
                    yield from _walk(entry)
            return
        status = path.stat()
        yield Input(str(path), status.st_size, str(status.st_mtime_ns))
    except OSError:
        yield Input(str(path), 0, "")


def _find(path: str) -> Iterator[Input]:
    try:
        filesystem, root = _filesystem(path)
        found = filesystem.find(root, detail=True) or {root: {"size": 0}}
    except Exception:  # no bucket, no permission or no library; the search reports the reason
        yield Input(path, 0, "")
        return
    for name in sorted(found):
        yield _input(filesystem.unstrip_protocol(name), found[name])


def _input(path: str, about: Any) -> Input:
    keys = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")
    version = next((str(about[key]) for key in keys if about.get(key) is not None), "")
    return Input(path, about.get("size") or 0, version)


def listing(path: str | os.PathLike[str], prefix: str = "", threads: int = 32) -> list[Input]:
    """List the files that a listing names, one path or URL per line, such as ``warc.paths.gz`` of a crawl.

    ``prefix`` is put before each line. Many files are looked up at once. A missing file is listed with size 0, and its
    search reports the reason.
    """
    with fsspec.open(os.fspath(path), "rb") as file:
        octets: bytes = file.read()
    octets = gzip.decompress(octets) if octets.startswith(b"\x1f\x8b") else octets
    names = [prefix + line.strip() for line in octets.decode().splitlines() if line.strip()]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(_named, names))


def _named(path: str) -> Input:
    try:
        if _is_local(path):
            return next(_walk(Path(os.path.abspath(path))))  # noqa: PTH100
        filesystem, name = _filesystem(path)
        return _input(path, filesystem.info(name))
    except Exception:
        return Input(path, 0, "")


@contextmanager
def opened(path: str) -> Iterator[str | IO[bytes]]:
    """Yield an input for `urlgrep.find_file` and `urlgrep.kind`: a path, or a file object that can seek."""
    if _is_local(path):
        yield path
        return
    filesystem, name = _filesystem(path)
    with filesystem.open(name, "rb", block_size=_AHEAD) as file:
        if not file.seekable():
            raise io.UnsupportedOperation(f"{path}: its server states no size; copy it to where it has one")
        yield file


class Folder:
    """A folder of results. Each of its files is whole or missing."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Store a path; it need not exist."""
        path = os.fspath(path)
        self.path = os.path.abspath(path) if _is_local(path) else path  # noqa: PTH100

    def _at(self, name: str) -> tuple[Any, str]:
        filesystem, root = _filesystem(self.path)
        return filesystem, posixpath.join(root, name) if name else root

    @contextmanager
    def writing(self, name: str) -> Iterator[IO[bytes]]:
        """Write or replace a file. After a failure nothing has changed."""
        filesystem, path = self._at(name)
        parent, base = posixpath.split(path)
        filesystem.makedirs(parent, exist_ok=True)
        protocols = {filesystem.protocol} if isinstance(filesystem.protocol, str) else set(filesystem.protocol)
        draft = path if protocols & _STORES else posixpath.join(parent, f"_{os.getpid()}_{os.urandom(4).hex()}_{base}")
        file = filesystem.open(draft, "wb")
        try:
            yield file
        except BaseException:
            file.close()
            filesystem.rm(draft)
            raise
        file.close()
        if "file" in protocols:
            Path(draft).replace(path)
        elif draft != path:
            if filesystem.exists(path):
                filesystem.rm(path)
            filesystem.mv(draft, path)

    @contextmanager
    def reading(self, name: str) -> Iterator[IO[bytes]]:
        """Read a file."""
        filesystem, path = self._at(name)
        with filesystem.open(path, "rb") as file:
            yield file

    def exists(self, name: str) -> bool:
        """Return whether a file exists."""
        filesystem, path = self._at(name)
        return bool(filesystem.exists(path))

    def size(self, name: str) -> int:
        """Return the size of a file."""
        filesystem, path = self._at(name)
        return int(filesystem.size(path))

    def names(self, below: str) -> list[str]:
        """Return the names of the Parquet files in a subfolder and its subfolders."""
        filesystem, path = self._at(below)
        if not filesystem.exists(path):
            return []
        _, root = self._at("")
        names = (posixpath.relpath(found, root) for found in filesystem.find(path))
        return sorted(name for name in names if _is_result(name))

    def remove_drafts(self, below: str) -> None:
        """Remove the drafts of killed writers from a folder without active writers."""
        filesystem, path = self._at(below)
        for found in filesystem.find(path) if filesystem.exists(path) else []:
            if posixpath.basename(found).startswith("_"):
                filesystem.rm(found)

    def remove(self, name: str) -> None:
        """Remove a file, or a folder and its content, if it exists."""
        filesystem, path = self._at(name)
        if filesystem.exists(path):
            filesystem.rm(path, recursive=True)


def _is_result(name: str) -> bool:
    base = posixpath.basename(name)
    return base.endswith(".parquet") and not base.startswith(("_", "."))
