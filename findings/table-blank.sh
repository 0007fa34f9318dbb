#!/usr/bin/env bash
# Of two writers of tables that cut text at any letter, one drops the blank at which it cuts.
#
# Guess, written before the first run: a writer that cuts a cell at its width keeps every character.
#   So a full row that goes on without a blank was cut inside a word.
# Seen: cli-table3 keeps the blank, as the first character of the next row.
#   table removes the blanks at both ends of each row, so `tide` and `tables` stand like one word.
#   Both cut a URL alike, and nothing tells the two cases apart.
# Use: after a full row of a cell, a next row without a blank proves nothing.
#   Ask what the row's first word looks like, or whether other rows of the cell are cut inside a word.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit cli-table3@0.6.5 table@6.9.0

cat > write.mjs <<'JS'
import Table from 'cli-table3';
import { table } from 'table';
for (const text of ['see the tide tables', 'https://quay.example/tides']) {
  const first = new Table({ colWidths: [14], wordWrap: true, wrapOnWordBoundary: false, style: { border: [] } });
  first.push([text]);
  console.log(first.toString());
  console.log(table([[text]], { columns: [{ width: 12, wrapWord: false }] }).trimEnd());
}
JS
{ echo "cli-table3 0.6.5, table 6.9.0"; node write.mjs; } | tee seen.txt
diff - seen.txt <<'SEEN'
cli-table3 0.6.5, table 6.9.0
┌──────────────┐
│ see the tide │
│  tables      │
└──────────────┘
╔══════════════╗
║ see the tide ║
║ tables       ║
╚══════════════╝
┌──────────────┐
│ https://quay │
│ .example/tid │
│ es           │
└──────────────┘
╔══════════════╗
║ https://quay ║
║ .example/tid ║
║ es           ║
╚══════════════╝
SEEN
echo "ok: table drops the blank at which it cuts, cli-table3 does not"
