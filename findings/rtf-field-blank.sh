#!/usr/bin/env bash
# One blank in the RTF decides whether a reader prints the URL of a link, or loses it.
#
# Guess, written before the first run: a reader prints the address of every HYPERLINK field,
#   whatever groups stand in its instruction. At worst it forgets the fragment in `\l "place"`.
# Seen: striprtf prints the URL only if `{` stands right after `\fldinst`, and the field ends
#   with its switches. With a blank before the `{`, or without an inner group, the URL is gone.
#   A fragment is printed as the switch `\l "north"` after the URL.
# Use: search the RTF itself. In text that striprtf made, URLs may be missing without a trace.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install striprtf==0.0.35

{
  echo "striprtf 0.0.35"
  venv/bin/python - <<'PY'
from striprtf.striprtf import rtf_to_text
LINK = r'HYPERLINK "https://mill.example.org/plan"'
for start, switch, end in (("{", "", "}"), (" {", "", "}"), (" ", "", ""), ("{", r' \\l "north"', "}")):
    field = r"{\*\fldinst" + start + LINK + switch + end + "}"
    print(field.replace(LINK, "LINK"), "->", rtf_to_text(r"{\rtf1\ansi See {\field" + field + r"{\fldrslt the plan}}.}"))
PY
} | tee seen.txt
diff - seen.txt <<'SEEN'
striprtf 0.0.35
{\*\fldinst{LINK}} -> See the plan("https://mill.example.org/plan").
{\*\fldinst {LINK}} -> See the plan.
{\*\fldinst LINK} -> See the plan.
{\*\fldinst{LINK \\l "north"}} -> See the plan("https://mill.example.org/plan" \l "north").
SEEN
echo "ok: a blank in a field of RTF decides whether its URL is printed"
