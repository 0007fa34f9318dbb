"""Texts whose URLs are replaced."""

from __future__ import annotations

from typing import Any

import pytest

import urlgrep

from conftest import Command, texts


def test_replace_all() -> None:
    text = "Grüße! <URL:http://a.example/b-\nc>, www.example.com and ü http://b.example/"
    spans: list[tuple[int, int]] = []

    def number(match: urlgrep.Match) -> str:
        spans.append(match.span)
        return f"[{len(spans)}]"

    assert urlgrep.replace_all(text, number) == "Grüße! [1], www.example.com and ü [2]"
    assert spans == [match.span for match in urlgrep.find(text)]
    assert urlgrep.replace_all(text, number, www=True) == "Grüße! [3], [4] and ü [5]"
    assert urlgrep.replace_all(text.encode(), lambda match: match.source) == text.encode()
    assert urlgrep.replace_all("\udcff no url", number) == "\udcff no url"
    with pytest.raises(ZeroDivisionError):
        urlgrep.replace_all(text, lambda match: str(1 // 0))
    with pytest.raises(TypeError, match="by str"):
        urlgrep.replace_all(text, lambda match: match.url_bytes)  # type: ignore[arg-type, return-value]


def test_heal_is_the_commands(command: Command) -> None:
    healed = 0
    for path in texts():
        text = path.read_bytes()
        expected = command.output("--heal", "--no-config", "--input", "text", stdin=text)
        assert urlgrep.heal(text) == expected
        healed += expected != text
    assert healed > 5
    assert urlgrep.heal("<URL:http://a.example/ü-\nc>", hyphen="drop") == "<URL:http://a.example/üc>"


def test_defang_and_refang() -> None:
    for url in (
        "http://a.example/b.c",
        "ftp://a.example",
        "mailto:joe@a.example",
        "HTTPS://u@a.example/?u=http://b.example/",
    ):
        assert urlgrep.refang(f"see {urlgrep.defang(url)} there") == f"see {url} there"
        assert urlgrep.defang(url.encode()) == urlgrep.defang(url).encode()
    text = "no [.] url, <URL:http://a.example/b-\nc>, http://b.example/&amp;x"
    assert urlgrep.refang(text) == text
    shown = urlgrep.replace_all("see http://a.example/.", lambda match: urlgrep.defang(match.url))
    assert shown == "see hxxp://a[.]example/."


@pytest.mark.parametrize("function", [urlgrep.heal, urlgrep.refang, urlgrep.defang])
def test_what_is_no_text(function: Any) -> None:
    with pytest.raises(TypeError, match="str or bytes, not int"):
        function(3)
