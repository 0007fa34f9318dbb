"""What is raised of a URL that is none."""

from __future__ import annotations

__all__ = ["UrlError"]


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
