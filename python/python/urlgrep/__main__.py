"""The Python form of the command: ``python -m urlgrep PATH...`` and ``python -m urlgrep parse URL...``.

It has the output and exit statuses of the command, for machines without the command. It lacks folders, filters and
audits.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import urlgrep

__all__ = ["main"]

FOUND, NOT_FOUND, ERROR = 0, 1, 2
"""The exit statuses. The second status of ``parse`` means that some URL is not valid."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        status = _parse(words[1:]) if words[:1] == ["parse"] else _find(words)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    return status


def _find(words: Sequence[str]) -> int:
    options = argparse.ArgumentParser("urlgrep-py", description="Find URLs; 'urlgrep-py parse --help' for the parser.")
    options.add_argument("path", nargs="*", default=["-"], help="a file; '-', or none, is standard input")
    options.add_argument("--json", action="store_true", help="one match per line, with all its fields")
    options.add_argument("-z", "--search-zip", action="store_true", help="read compressed files, and those in zips")
    options.add_argument("--any-scheme", action="store_true", help="also unknown schemes")
    options.add_argument("--iri", action="store_true", help="let bare URLs continue with non-ASCII letters")
    options.add_argument("--www", action="store_true", help="also names without a scheme: www.example.com")
    options.add_argument("--refang", action="store_true", help="read defanged URLs: hxxps://a[.]example/")
    options.add_argument("--rejoin", choices=["auto", "delimited", "none"], default="auto", help="over line breaks")
    options.add_argument("--hyphen", choices=["keep", "drop"], default="keep", help="at the end of a line")
    options.add_argument("--input", choices=["auto", "text", "mail", "html", "csv"], default="auto", help="read it as")
    options.add_argument("--base", metavar="URL", help="the base of the relative links of a page")
    chosen = vars(options.parse_args(words))
    paths, as_json = chosen.pop("path"), chosen.pop("json")
    found, failed = False, False

    def complain(error: Exception) -> None:
        nonlocal failed
        failed = True
        said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.errno else str(error)
        print(f"urlgrep: {said}", file=sys.stderr)

    for path in paths:
        try:
            for match in _matches(path, {**chosen, "line_numbers": as_json, "onerror": complain}):
                found = True
                _print(_record(match.to_dict()) if as_json else _text(match, named=len(paths) > 1))
        except BrokenPipeError:
            raise
        except (OSError, urlgrep.UrlError) as error:
            complain(error)
    return ERROR if failed else FOUND if found else NOT_FOUND


def _matches(path: str, options: dict[str, Any]) -> Iterator[urlgrep.Match]:
    """Yield the matches that the command prints. It prints unresolved relative links only as records, with lines."""
    file = sys.stdin.buffer if path == "-" else path
    for match in urlgrep.find_file(file, file=path, **options):
        leads_nowhere = match.kind == "attribute" and not match.scheme and not match.resolved
        if options["line_numbers"] or not leads_nowhere:
            yield match


def _text(match: urlgrep.Match, *, named: bool) -> bytes:
    url = match.resolved.encode() if match.resolved else match.url_bytes
    return (match.file_bytes or b"") + b":" + url if named else url


def _parse(words: Sequence[str]) -> int:
    options = argparse.ArgumentParser("urlgrep-py parse", description="Parse and validate URLs.")
    options.add_argument("url", nargs="*", help="none: one per line on standard input")
    options.add_argument("--json", action="store_true", help="one URL per line, with all its fields")
    chosen = options.parse_args(words)
    status = FOUND
    for url in chosen.url or (line.rstrip(b"\r\n") for line in sys.stdin.buffer):
        try:
            parsed, error = urlgrep.parse(url, level="rfc1738-ref"), None
        except urlgrep.UrlError as raised:
            parsed, error = urlgrep.parse(url, level="none"), raised
            status = NOT_FOUND
        fits = "" if parsed.level == "none" else f"; fits {parsed.level}"
        said = f"ok {parsed.level}" if error is None else f"{error}{fits}"
        record = {**parsed.to_dict(), "valid": error is None}
        _print(_record(record) if chosen.json else f"{parsed.url}: {said}".encode())
    return status


def _record(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def _print(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")


if __name__ == "__main__":
    sys.exit(main())
