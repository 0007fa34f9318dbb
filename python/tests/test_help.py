"""The texts that `help` shows."""

from __future__ import annotations

import ast
import doctest
import inspect
from pathlib import Path
from typing import Any

import urlgrep
from urlgrep import _urlgrep

STUBS = Path(_urlgrep.__file__).with_name("_urlgrep.pyi")


def documented() -> dict[str, str]:
    """Return the docstrings of the stubs, by name."""
    found: dict[str, str] = {}
    for node in ast.parse(STUBS.read_text("utf-8")).body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        parts = (
            [part for part in node.body if isinstance(part, ast.FunctionDef)] if isinstance(node, ast.ClassDef) else []
        )
        described: list[tuple[str, ast.ClassDef | ast.FunctionDef]] = [(node.name, node)]
        described += [(f"{node.name}.{part.name}", part) for part in parts]
        found.update((name, text) for name, part in described if (text := ast.get_docstring(part)))
    return found


def test_it_is_what_the_stubs_say() -> None:
    stubs = documented()
    assert len(stubs) > 90
    for name, text in stubs.items():
        described: Any = urlgrep
        for part in name.split("."):
            described = getattr(described, part)
        if not name.endswith("add__"):  # Python has its own docstring for that
            assert inspect.getdoc(described) == text, name
    for name in (set(urlgrep.__all__) & set(vars(_urlgrep))) - {"__version__"}:
        assert name in stubs, name


def test_functions_say_what_they_take_and_raise() -> None:
    for name in ("find", "find_column", "find_file", "kind", "parse", "resolve", "replace_all", "heal"):
        text = documented()[name]
        for parameter in inspect.signature(getattr(urlgrep, name)).parameters:
            assert f"    {parameter}: " in text, (name, parameter)
        assert "Raises:" in text


def test_examples_do_what_they_say() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    examples = 0
    for name, text in documented().items():
        test = parser.get_doctest(text, {}, name, str(STUBS), 0)
        examples += len(test.examples)
        assert runner.run(test).failed == 0, name
    assert examples > 20
