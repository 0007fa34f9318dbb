#!/usr/bin/env bash
# Two readers of desktop entries keep the escapes of a URL, and one of them writes none.
#
# Guess, written before the first run: values of type string have the escapes `\s \n \t \r \\`,
#   so `URL=…/a\sb` is read with a blank, and a backslash is written as two.
# Seen: pyxdg and desktop-entry-lib return `a\sb` as it stands.
#   desktop-entry-lib writes one backslash for one. A reader that follows the specification loses it.
# Use: take the escapes off a value of a desktop entry. Expect files that have none.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install pyxdg==0.28 desktop-entry-lib==5.0

{
  echo "pyxdg 0.28, desktop-entry-lib 5.0"
  venv/bin/python - <<'PY'
import desktop_entry_lib
import xdg.DesktopEntry
open("plan.desktop", "w").write("[Desktop Entry]\nType=Link\nName=plan\nURL=https://mill.example.org/a\\sb?x=1\\\\2\n")
print("pyxdg:", xdg.DesktopEntry.DesktopEntry("plan.desktop").getURL())
print("desktop-entry-lib:", desktop_entry_lib.DesktopEntry.from_file("plan.desktop").URL)
entry = desktop_entry_lib.DesktopEntry()
entry.Name.default_text, entry.Type, entry.URL = "plan", "Link", "https://mill.example.org/?x=1\\2"
print("written:", next(line for line in entry.get_text().splitlines() if line.startswith("URL")))
PY
} | tee seen.txt
diff - seen.txt <<'SEEN'
pyxdg 0.28, desktop-entry-lib 5.0
pyxdg: https://mill.example.org/a\sb?x=1\\2
desktop-entry-lib: https://mill.example.org/a\sb?x=1\\2
written: URL=https://mill.example.org/?x=1\2
SEEN
echo "ok: two readers of desktop entries keep the escapes of a URL"
