"""Single URLs."""

from __future__ import annotations

import doctest
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import urlgrep
from urlgrep import _first, jobs

from conftest import ROOT, Command


def vectors() -> list[dict[str, Any]]:
    lines = (ROOT / "tests" / "vectors" / "parser.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_parse_is_the_commands(command: Command) -> None:
    urls = sorted({vector["input"] for vector in vectors() if isinstance(vector.get("input"), str)})
    urls = [url for url in urls if not {"\n", "\r"} & set(url)]
    assert len(urls) > 100
    stdin = "".join(url + "\n" for url in urls).encode("utf-8", "surrogatepass")
    valid = 0
    for url, expected in zip(urls, command.json("parse", "--json", "--no-config", stdin=stdin)):
        if expected["valid"]:
            valid += 1
            assert urlgrep.parse(url).to_dict() == expected
            assert urlgrep.parse(url.encode()) == urlgrep.parse(url)
        else:
            with pytest.raises(urlgrep.UrlError) as raised:
                urlgrep.parse(url, level="rfc1738-ref")
            error = raised.value
            assert {"kind": error.kind, "offset": error.offset, "message": error.message} == expected["error"]
            parsed = urlgrep.parse(url, level="none")
            assert parsed.error == expected["error"]
            assert parsed.level == expected["level"]
            if parsed.level == "none":
                with pytest.raises(urlgrep.UrlError):
                    urlgrep.parse(url)
            else:
                assert urlgrep.parse(url).to_dict() == parsed.to_dict()
    assert 50 < valid < len(urls)


def test_levels() -> None:
    assert urlgrep.parse("https://h/~joe").level == "rfc3986"
    with pytest.raises(urlgrep.UrlError, match="unsafe-gateway at 10"):
        urlgrep.parse("https://h/~joe", level="rfc1738-ref")
    with pytest.raises(urlgrep.UrlError, match="space at 14"):
        urlgrep.parse("https://h/~joe ")
    with pytest.raises(urlgrep.UrlError, match="fragment-not-allowed at 9"):
        urlgrep.parse("http://h/#x", level="rfc1738")
    url = urlgrep.parse("HTTP://A.example:80")
    assert (url.scheme, url.host, url.key, str(url)) == (
        "http",
        "a.example",
        "http://a.example/",
        "HTTP://A.example:80",
    )
    assert url.parts is not None
    assert url.parts["port"] == 80
    with pytest.raises(ValueError, match="there is 'rfc1738'"):
        urlgrep.parse("http://h/", level="x")  # type: ignore[arg-type]


def test_resolve_and_key() -> None:
    assert urlgrep.resolve("http://a/b/c", "../d") == "http://a/d"
    assert urlgrep.resolve("http://a/b/c", b"../../d", rfc=3986) == b"http://a/d"
    with pytest.raises(urlgrep.UrlError, match="base-not-absolute"):
        urlgrep.resolve("b", "c")
    assert urlgrep.key(b"HTTP://A.example:80") == b"http://a.example/"
    assert urlgrep.key("no url ü") == "no url ü"


def test_errors_have_public_names() -> None:
    for error in (urlgrep.UrlError, urlgrep.DecodeError, urlgrep.ContainerError):
        assert (error.__module__, getattr(urlgrep, error.__qualname__)) == ("urlgrep", error)


def test_errors_are_values() -> None:
    with pytest.raises(urlgrep.UrlError) as raised:
        urlgrep.parse("")
    copy = pickle.loads(pickle.dumps(raised.value))
    assert isinstance(copy, ValueError)
    assert isinstance(copy, urlgrep.UrlError)
    assert (copy.kind, copy.offset, copy.message) == ("empty", 0, "nothing to parse (G-SCHEME-3)")


def test_urls_are_values() -> None:
    for url in ("http://a.example/x", b"http://a.example/\xff", "no url"):
        parsed = urlgrep.parse(url, level="none")
        copy = pickle.loads(pickle.dumps(parsed))
        assert copy == parsed
        assert copy.to_dict() == parsed.to_dict()
    literal = urlgrep.parse("foo://a b", level="none", otherurl="literal")
    assert pickle.loads(pickle.dumps(literal)).to_dict() == literal.to_dict()


def test_findings(command: Command) -> None:
    checked = 0
    lines = (ROOT / "tests" / "vectors" / "audit.jsonl").read_text("utf-8").splitlines()
    for vector in map(json.loads, lines):
        url = vector.get("url") or vector.get("input")
        if not isinstance(url, str) or not isinstance(vector.get("findings", vector.get("rules")), list):
            continue
        for match in urlgrep.find(f"<URL:{url}>"):
            if match.url == url:
                checked += len(urlgrep.findings(match))
    [match] = urlgrep.find("<URL:gopher://h.example:25/0HELO%20x%0D%0AMAIL>")
    findings = urlgrep.findings(match)
    assert [finding.rule for finding in findings] == ["A-PORT-NONDEFAULT", "A-PORT-RESERVED", "A-CRLF", "A-XPROTO"]
    assert findings[3].severity == "critical"
    assert match.url[findings[1].start : findings[1].end] == "25"
    assert findings[1].message == "speaks gopher to port 25 (mail: smtp)"
    assert findings[1].why
    assert findings[1].remedy


def test_documentation_runs() -> None:
    readme = Path(__file__).parents[1] / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0
    for module in (urlgrep, _first, jobs):
        result = doctest.testmod(module)
        assert result.failed == 0
        assert result.attempted > 0


def test_everything_has_words() -> None:
    for name in urlgrep.__all__:
        assert name == "__version__" or getattr(urlgrep, name).__doc__, name
