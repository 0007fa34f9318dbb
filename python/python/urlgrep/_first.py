"""URLs at their first place."""

from __future__ import annotations

from collections.abc import Iterable

from urlgrep._urlgrep import Match

__all__ = ["first_said"]


def first_said(matches: Iterable[Match]) -> list[tuple[Match, int]]:
    r"""Return each URL once, at its first place, with its count, as ``urlgrep --first-said`` does.

    A match in a quotation is used only if all matches of the URL are quoted. URLs with the same `Match.key` are one
    URL. The result is in the order of its matches.

    Args:
        matches: The matches of one search, or of many files through ``itertools.chain``.

    Example:
        >>> import urlgrep
        >>> mail = b"From: a@a.example\nTo: b@a.example\nSubject: x\n\n> http://a.example/\nhttp://a.example\n"
        >>> import io
        >>> [(match.line, count) for match, count in urlgrep.first_said(urlgrep.find_file(io.BytesIO(mail)))]
        [(6, 2)]
    """
    firsts: dict[str, tuple[int, Match]] = {}
    counts: dict[str, int] = {}
    for order, match in enumerate(matches):
        key = match.key
        counts[key] = counts.get(key, 0) + 1
        if key not in firsts or (firsts[key][1].quote_depth and not match.quote_depth):
            firsts[key] = (order, match)
    return [(match, counts[key]) for key, (_, match) in sorted(firsts.items(), key=lambda first: first[1][0])]
