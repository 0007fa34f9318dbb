"""The exceptions for an invalid URL and for a damaged file."""

from __future__ import annotations

__all__ = ["ContainerError", "DecodeError", "UrlError"]


class UrlError(ValueError):
    """The reason and the place of an invalid URL: the field ``error`` of a record.

    >>> import urlgrep
    >>> try:
    ...     urlgrep.parse("http://a.example/~joe/{x}")
    ... except urlgrep.UrlError as error:
    ...     print(error.kind, error.offset, error.message)
    unsafe-gateway 22 `{` is unsafe in transit; write %7B (G-LEX-3)
    """

    __module__ = "urlgrep"  # a traceback shows the public name

    kind: str
    """The kind of error in the specification: ``unsafe-gateway``."""

    offset: int
    """The byte of the URL (in UTF-8) at which the error was detected."""

    message: str
    """The error and its remedy, with the rule's id."""

    def __init__(self, kind: str, offset: int, message: str) -> None:
        """Store the values of a record."""
        super().__init__(kind, offset, message)
        self.kind = kind
        self.offset = offset
        self.message = message

    def __str__(self) -> str:
        """Return the text of ``urlgrep parse``."""
        return f"{self.kind} at {self.offset}: {self.message}"


class DecodeError(OSError, ValueError):
    """The reason and the place of damage in a compressed file.

    >>> import gzip, io, urlgrep
    >>> cut = io.BytesIO(gzip.compress(b"http://a.example/")[:20])
    >>> try:
    ...     list(urlgrep.find_file(cut, file="cut.gz"))
    ... except urlgrep.DecodeError as error:
    ...     print(error.path, error.offset)
    cut.gz 20
    """

    __module__ = "urlgrep"

    path: str
    """The file, or ``a.tar!/member`` for a member of an archive."""

    offset: int
    """The byte of the compressed file at which the damage was detected."""

    message: str
    """The error."""

    def __init__(self, path: str, offset: int, message: str) -> None:
        """Store the values of the search."""
        super().__init__(message)
        self.filename = path
        self.path = path
        self.offset = offset
        self.message = message

    def __str__(self) -> str:
        """Return the text of the command."""
        return f"{self.path}: {self.message}"

    def __reduce__(self) -> tuple[type[DecodeError], tuple[str, int, str]]:
        """Return the class and arguments for ``pickle``."""
        return type(self), (self.path, self.offset, self.message)


class ContainerError(DecodeError):
    """The reason and the place of damage in a tar or zip. ``offset`` is the byte in the archive."""

    __module__ = "urlgrep"
