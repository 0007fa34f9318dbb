#!/usr/bin/env bash
# A printer for terminals drops `[size]` from a URL's query, and a whole IPv6 address, without a word.
#
# Guess, written before the first run: a printer prints a plain string as it is.
#   Its markup needs known names such as `[bold]`. `[size]` is none, so it stays, or is an error.
# Seen: rich takes each `[…]` that begins with a letter for markup, and drops it if the name is unknown.
#   It does so in print, in cells of tables, in panels and in logs. Nothing shows the loss.
#   `?page[size]=50` becomes `?page=50`, and `http://[fe80::7]/` becomes `http:///`.
#   `[1]`, `[]` and `[2001:db8::7]` stay, since a digit or nothing follows the bracket.
#   `?page[/size]=50` is an error. prettytable and tabulate keep all of them.
# Use: pass text of others to rich through `rich.markup.escape`, or as `rich.text.Text`.
#   In a log or a table of rich, a URL without brackets may have had some.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install rich==15.0.0 prettytable==3.18.0 tabulate==0.10.0

cat > show.py <<'PY'
from prettytable import PrettyTable
from rich.console import Console
from rich.markup import MarkupError, escape
from rich.table import Table
from tabulate import tabulate

console = Console(width=80, no_color=True)
for url in [
    "https://quay.example/tides?filter[year]=2026&page[size]=50",
    "http://[fe80::7]/tides",
    "http://[2001:db8::7]/tides?ids[]=7&ids[1]=8",
]:
    print("text:       ", url)
    console.print("rich:       ", url)
    console.print("escaped:    ", escape(url))
    print("tabulate:   ", tabulate([[url]], tablefmt="plain"))
    cell = PrettyTable(header=False, border=False)
    cell.add_row([url])
    print("prettytable:", cell.get_string().strip())
table = Table("cell of rich")
table.add_row("https://quay.example/tides?page[size]=50")
console.print(table)
try:
    console.print("https://quay.example/tides?page[/size]=50")
except MarkupError as error:
    print("error:      ", error)
PY
{ echo "rich 15.0.0, prettytable 3.18.0, tabulate 0.10.0"; venv/bin/python show.py; } | tee seen.txt
diff - seen.txt <<'SEEN'
rich 15.0.0, prettytable 3.18.0, tabulate 0.10.0
text:        https://quay.example/tides?filter[year]=2026&page[size]=50
rich:        https://quay.example/tides?filter=2026&page=50
escaped:     https://quay.example/tides?filter[year]=2026&page[size]=50
tabulate:    https://quay.example/tides?filter[year]=2026&page[size]=50
prettytable: https://quay.example/tides?filter[year]=2026&page[size]=50
text:        http://[fe80::7]/tides
rich:        http:///tides
escaped:     http://[fe80::7]/tides
tabulate:    http://[fe80::7]/tides
prettytable: http://[fe80::7]/tides
text:        http://[2001:db8::7]/tides?ids[]=7&ids[1]=8
rich:        http://[2001:db8::7]/tides?ids[]=7&ids[1]=8
escaped:     http://[2001:db8::7]/tides?ids[]=7&ids[1]=8
tabulate:    http://[2001:db8::7]/tides?ids[]=7&ids[1]=8
prettytable: http://[2001:db8::7]/tides?ids[]=7&ids[1]=8
┏━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
┃ cell of rich                       ┃
┡━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┩
│ https://quay.example/tides?page=50 │
└────────────────────────────────────┘
error:       closing tag '[/size]' at position 31 doesn't match any open tag
SEEN
echo "ok: rich drops what stands in brackets, the writers of tables do not"
