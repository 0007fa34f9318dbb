#!/usr/bin/env bash
# A Markdown page that begins with a URL loses it: `https` is taken for a key of metadata.
#
# Guess, written before the first run of any such reader: the first paragraph is shown.
#   Second guess, for the four here: Python-Markdown and MkDocs take the line for metadata.
#   Their pattern for a key needs no blank after the colon. The other two show the line.
# Seen: all four drop `https://tides.example/2026 has the table.` without a warning.
#   MkDocs drops it from the page and from the search index, and needs no option for it.
#   The others have metadata as an option: `meta`, `metadata`, `markdown_mmd`.
#   markdown2 also drops a line in angle brackets, and a sentence that has a URL.
#   Pandoc drops the sentence and keeps the brackets. The other two keep both.
# Use: URLs of the source can be missing in the built page, and no build says so.
#   A blank first line keeps the URL with every reader here.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check \
  mkdocs==1.6.1 Markdown==3.11.3 markdown2==2.5.5 pypandoc-binary==1.17

echo "mkdocs 1.6.1, Markdown 3.11.3, markdown2 2.5.5, pandoc 3.9"
cd "$dir" && "$dir/venv/bin/python" - <<'PY' | tee seen.txt
import pathlib, subprocess, sys
import markdown, markdown2, pypandoc

def mkdocs(text):
    site = pathlib.Path("page")
    (site / "docs").mkdir(parents=True, exist_ok=True)
    (site / "mkdocs.yml").write_text("site_name: Harbour\n")
    (site / "docs/index.md").write_text(text)
    build = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
                           cwd=site, capture_output=True, text=True)
    assert build.returncode == 0, build.stderr
    return "".join((site / "site" / part).read_text() for part in ("index.html", "search/search_index.json"))

readers = {
    "mkdocs": mkdocs,
    "Markdown": lambda text: markdown.markdown(text, extensions=["meta"]),
    "markdown2": lambda text: markdown2.markdown(text, extras=["metadata"]),
    "pandoc": lambda text: pypandoc.convert_text(text, "html", format="markdown_mmd"),
}
firsts = {
    "bare": "https://tides.example/2026 has the table.\n",
    "angle": "<https://tides.example/2026> has the table.\n",
    "sentence": "The table is at https://tides.example/2026.\n",
    "blank line": "\nhttps://tides.example/2026 has the table.\n",
}
for name, first in firsts.items():
    for reader, convert in readers.items():
        page = convert(first + "\nThe quay opens at six.\n")
        assert "The quay opens at six." in page
        print(f"{name}, {reader}: {'shown' if 'tides.example/2026' in page else 'lost'}")
PY
diff - seen.txt <<'SEEN'
bare, mkdocs: lost
bare, Markdown: lost
bare, markdown2: lost
bare, pandoc: lost
angle, mkdocs: shown
angle, Markdown: shown
angle, markdown2: lost
angle, pandoc: shown
sentence, mkdocs: shown
sentence, Markdown: shown
sentence, markdown2: lost
sentence, pandoc: lost
blank line, mkdocs: shown
blank line, Markdown: shown
blank line, markdown2: shown
blank line, pandoc: shown
SEEN
echo "ok: four readers of Markdown take a URL on the first line for metadata"
