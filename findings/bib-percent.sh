#!/usr/bin/env bash
# A decoder of LaTeX takes the URL of a bibliography for prose: `%` begins a comment.
#
# Guess, written before the first run: a url field and \url{…} pass verbatim, as in LaTeX.
# Seen: bibtexparser reads the url field right. Its LatexDecodingMiddleware then cuts it
#   before `%20`, and writes `~` as a no-break space. It reports no error.
#   pybtex spares the url field alone. It cuts the same URL in `note` when it formats.
#   pylatexenc, which bibtexparser uses, also loses the brace of \url{…%20…} to the comment.
#   Its `<` then closes at the end of the text, around other words and another URL.
# Use: take the URLs from a .bib file before its LaTeX is decoded.
#   A `<https://…/a`, a line break and words may be a cut URL, and no wrapped one.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check \
  bibtexparser==2.1.0 pylatexenc==2.11 pybtex==0.26.1

"$dir/venv/bin/python" - <<'PY'
import bibtexparser
from bibtexparser.middlewares import LatexDecodingMiddleware
from pybtex.database import parse_string
from pybtex.plugin import find_plugin
from pylatexenc.latex2text import LatexNodes2Text

print("bibtexparser 2.1.0, pybtex 0.26.1, pylatexenc 2.11")
URL = "https://tides.example/~ada/north%20quay--2026"
BIB = "@misc{tide, author={A. Bell}, title={Tide tables}, year=2026, %s={%s}}"

def parsed(middleware):
    library = bibtexparser.parse_string(BIB % ("url", URL), append_middleware=middleware)
    assert not library.failed_blocks
    return library.entries[0].fields_dict["url"].value

def formatted(field):
    style = find_plugin("pybtex.style.formatting", "plain")()
    backend = find_plugin("pybtex.backends", "text")()
    data = parse_string(BIB % (field, URL), "bibtex")
    return [e.text.render(backend) for e in style.format_bibliography(data)][0]

def seen(what, value, expected):
    print(f"{what}: {value!r}")
    assert value == expected, expected

print("field:", URL)
seen("bibtexparser", parsed([]), URL)
seen("bibtexparser, decoded", parsed([LatexDecodingMiddleware()]), "https://tides.example/\u00a0ada/north")
seen("pybtex, url", formatted("url"), f"A. Bell. Tide tables. 2026. URL: {URL}.")
seen("pybtex, note", formatted("note"), "A. Bell. Tide tables. 2026. https://tides.example/\u00a0ada/north.")
seen("pylatexenc, \\url",
     LatexNodes2Text().latex_to_text(
         "See \\url{https://tides.example/a%20b} first.\nThen call the quay, or read \\url{https://quay.example/}.\n"),
     "See <https://tides.example/a\nThen call the quay, or read <https://quay.example/>.\n>")
PY
echo "ok: decoding LaTeX cuts a URL at its first percent sign"
