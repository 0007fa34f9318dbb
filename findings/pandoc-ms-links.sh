#!/usr/bin/env bash
# Pandoc's writer of roff ms drops the target of every link; its writer of manual pages keeps it.
#
# Guess, written before the first run: a writer of pages keeps the URL of a link, as a PDF made
#   from it can hold links. The writers of man and ms treat a link alike, since both are roff.
# Seen: ms has only the text of the link, also with the whole template (-s), which sets up PDF.
#   man has the URL in .UR, typst and rtf have it in a link. Only `plain` loses it, too.
#   Nothing is said about it. A URL that is its own text stays.
# Use: a file that pandoc wrote as ms holds no more links. Search the source instead.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install pypandoc_binary==1.17

{
  venv/bin/python - <<'PY'
import pypandoc
URL = "https://mill.example.org/plan"
TEXT = f"See [the plan]({URL}).\n"
print("pandoc", pypandoc.get_pandoc_version())
for form in ("man", "ms", "plain", "rst", "rtf", "typst"):
    for arguments in ([], ["-s"]):
        text = pypandoc.convert_text(TEXT, form, format="markdown", extra_args=arguments)
        print(form, *arguments, "has the URL" if URL in text else "lost the URL")
PY
} | tee seen.txt
diff - seen.txt <<'SEEN'
pandoc 3.9
man has the URL
man -s has the URL
ms lost the URL
ms -s lost the URL
plain lost the URL
plain -s lost the URL
rst has the URL
rst -s has the URL
rtf has the URL
rtf -s has the URL
typst has the URL
typst -s has the URL
SEEN
echo "ok: a link in roff ms has lost its URL"
