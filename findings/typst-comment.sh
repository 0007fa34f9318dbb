#!/usr/bin/env bash
# Typst reads `//` as a comment, but not in `http://` and `https://`, which it makes links.
#
# Guess, written before the first run: `ftp://…` prints as plain text, without a link.
# Seen: the PDF says `ftp:` and drops the rest of the source line. Typst gives no warning.
#   `HTTP://` in capitals meets the same end. Raw text, a #link and `:/\/` keep the URL.
# Use: the URLs of a .typ file and of its PDF are two sets.
#   A check of the PDF passes a document whose FTP links are gone.
#   A check of the source reports links that no reader sees.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check typst==0.15.2 pypdf==7.1.1

cat > "$dir/harbour.typ" <<'TYP'
Tables: ftp://files.tides.example/2026.csv and the notes. \
Plans: HTTP://plans.tides.example/quay and the map. \
Hours: https://quay.example/hours and the fees. \
Raw: `ftp://raw.tides.example/2026.csv` and more. \
Linked: #link("ftp://linked.tides.example/2026.csv") and more. \
Escaped: ftp:/\/escaped.tides.example/2026.csv and more.
TYP

cd "$dir" && "$dir/venv/bin/python" - <<'PY'
import importlib.metadata as meta, io
import pypdf, typst

print("typst", meta.version("typst"))
pdf, warnings = typst.compile_with_warnings("harbour.typ")
page = pypdf.PdfReader(io.BytesIO(pdf)).pages[0]
# The lines of the page do not matter here.
text = " ".join(page.extract_text().split())
links = [a.get_object()["/A"]["/URI"] for a in page.get("/Annots", [])]
print("source:  ", open("harbour.typ").read().count("://"), "times ://")
print("page:    ", text)
print("links:   ", links)
print("warnings:", len(warnings))

assert warnings == []
assert "Tables: ftp: Plans: HTTP: Hours: https://quay.example/hours and the fees." in text
assert "files.tides.example" not in text and "plans.tides.example" not in text
assert "the notes" not in text and "the map" not in text
for kept in ("ftp://raw.tides.example", "ftp://linked.tides.example", "ftp://escaped.tides.example"):
    assert kept in text, kept
assert sorted(links) == ["ftp://linked.tides.example/2026.csv", "https://quay.example/hours"]
PY
echo "ok: Typst drops a URL that is not lower-case http or https, with the rest of its line"
