#!/usr/bin/env bash
# Of two writers of tables that end a full line with `…`, one goes on below it, and one drops the rest.
#
# Guess, written before the first run: a writer puts `…` where it leaves something out.
#   So a URL before a `…` is the beginning of one, and its end is lost.
# Seen: columnify puts `…` at each break inside a word, and goes on in the next line. Nothing is lost.
#   cli-table3 puts the same character in the same place, and drops the rest of the word, even if it wraps.
#   With `truncate`, columnify drops the rest, too, but at a blank.
# Use: after a `…`, look at the next line of the cell.
#   What fits without the `…` as one word is the rest of a URL. A word of prose is no proof of either.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit columnify@1.6.0 cli-table3@0.6.5

cat > write.mjs <<'JS'
import columnify from 'columnify';
import Table from 'cli-table3';
const text = 'see https://quay.example/tides/2026/november for the day';
const config = { note: { maxWidth: 20 } };
const show = (written) => console.log(written.replace(/ +$/gm, ''));
show(columnify([{ note: text }], { config }));
const table = new Table({ colWidths: [22], wordWrap: true, style: { border: [] } });
table.push([text]);
show(table.toString());
show(columnify([{ note: text }], { config, truncate: true }));
JS
{ echo "columnify 1.6.0, cli-table3 0.6.5"; node write.mjs; } | tee seen.txt
diff - seen.txt <<'SEEN'
columnify 1.6.0, cli-table3 0.6.5
NOTE
see
https://quay.exampl…
e/tides/2026/novemb…
er for the day
┌──────────────────────┐
│ see                  │
│ https://quay.exampl… │
│ for the day          │
└──────────────────────┘
NOTE
see…
SEEN
echo "ok: after its own …, columnify goes on, and cli-table3 does not"
