"""What is raised of a URL that is none, and of a file that is damaged."""

from __future__ import annotations

__all__ = ["ContainerError", "DecodeError", "UrlError"]


class UrlError(ValueError):
    """Why some text is not a URL, and where: what the field ``error`` of a record says.

    >>> import urlgrep
    >>> try:
    ...     urlgrep.parse("http://a.example/~joe/")
    ... except urlgrep.UrlError as error:
    ...     print(error.kind, error.offset, error.message)
    unsafe-gateway 17 `~` is unsafe in transit; write %7E (G-LEX-3)
    """

    kind: str
    """The kind, one of the specification's: ``unsafe-gateway``."""

    offset: int
    """The byte of the URL (in UTF-8) at which that shows."""

    message: str
    """What is wrong and what would mend it, with the rule's id."""

    def __init__(self, kind: str, offset: int, message: str) -> None:
        """Take what a record says."""
        super().__init__(kind, offset, message)
        self.kind = kind
        self.offset = offset
        self.message = message

    def __str__(self) -> str:
        """Say it as ``urlgrep parse`` does."""
        return f"{self.kind} at {self.offset}: {self.message}"


class DecodeError(OSError, ValueError):
    """Why a file is damaged where it is compressed, and where that shows.

    >>> import gzip, io, urlgrep
    >>> cut = io.BytesIO(gzip.compress(b"http://a.example/")[:20])
    >>> try:
    ...     list(urlgrep.find_file(cut, file="cut.gz"))
    ... except urlgrep.DecodeError as error:
    ...     print(error.path, error.offset)
    cut.gz 20
    """

    path: str
    """The file; of a member of an archive ``a.tar!/member``."""

    offset: int
    """The byte at which that shows, of the file as it is compressed."""

    message: str
    """What is wrong."""

    def __init__(self, path: str, offset: int, message: str) -> None:
        """Take what the search says."""
        super().__init__(message)
        self.filename = path
        self.path = path
        self.offset = offset
        self.message = message

    def __str__(self) -> str:
        """Say it as the command does."""
        return f"{self.path}: {self.message}"

    def __reduce__(self) -> tuple[type[DecodeError], tuple[str, int, str]]:
        """Give what makes it again, for ``pickle``."""
        return type(self), (self.path, self.offset, self.message)


class ContainerError(DecodeError):
    """Why an archive of files is damaged, a tar or a zip. ``offset`` is the byte of the archive."""
