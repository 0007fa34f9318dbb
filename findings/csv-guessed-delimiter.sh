#!/usr/bin/env bash
# Readers of CSV that guess the delimiter take one from inside the URLs, and cut them there.
#
# Guess, written before the first run: a table of one column has no delimiter, so each line is one
#   cell. If a comma separates two columns, nothing else is a delimiter.
# Seen: in a column of URLs with `;`, SheetJS, Papa Parse and csv-string choose `;`. Each URL becomes
#   three cells, and clevercsv chooses `=`. In two columns with commas, SheetJS still chooses `;`,
#   and the first cell has the comma and half the URL. No reader reports a doubt.
#   SheetJS cuts its own output: it writes a cell with `;` without quotes.
# Use: name the delimiter. A cell that ends in a URL's path may be half of it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y > /dev/null
npm install --silent --no-fund --no-audit xlsx@0.18.5 papaparse@5.5.3 csv-string@4.1.1 > /dev/null
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install clevercsv==0.8.4

{
  echo "xlsx (SheetJS) 0.18.5, papaparse 5.5.3, csv-string 4.1.1, clevercsv 0.8.4"
  cat > read.cjs <<'JS'
const fs = require('fs');
const sheets = require('xlsx');
const papa = require('papaparse');
const csv = require('csv-string');
const urls = ['https://mill.example.org/p;v=1?a=1;b=2', 'https://mill.example.org/q;v=2?a=3;b=4'];
const texts = { one: ['url', ...urls].join('\n'), two: `name,url\nplan,${urls[0]}\nroof,${urls[1]}` };
for (const [columns, text] of Object.entries(texts)) {
  fs.writeFileSync(columns, text + '\n');
  const book = sheets.read(text, { type: 'string' });
  const cell = book.Sheets[book.SheetNames[0]].A2.v;
  const found = papa.parse(text);
  console.log(`${columns}: SheetJS A2 ${cell}`);
  console.log(`${columns}: Papa Parse ${found.meta.delimiter} ${found.data[1].length} cells, ${found.errors.length} errors`);
  console.log(`${columns}: csv-string ${csv.detect(text)}`);
}
const sheet = sheets.utils.aoa_to_sheet([[urls[0]]]);
const written = sheets.utils.sheet_to_csv(sheet);
const again = sheets.read(written, { type: 'string' });
console.log(`written by SheetJS: ${written.trim()}, read back: ${again.Sheets[again.SheetNames[0]].A1.v}`);
JS
  node read.cjs
  venv/bin/python - <<'PY'
import clevercsv
for columns in ("one", "two"):
    print(f"{columns}: clevercsv", clevercsv.Sniffer().sniff(open(columns).read()).delimiter)
PY
} | tee seen.txt
diff - seen.txt <<'SEEN'
xlsx (SheetJS) 0.18.5, papaparse 5.5.3, csv-string 4.1.1, clevercsv 0.8.4
one: SheetJS A2 https://mill.example.org/p
one: Papa Parse ; 3 cells, 0 errors
one: csv-string ;
two: SheetJS A2 plan,https://mill.example.org/p
two: Papa Parse , 2 cells, 0 errors
two: csv-string ,
written by SheetJS: https://mill.example.org/p;v=1?a=1;b=2, read back: https://mill.example.org/p
one: clevercsv =
two: clevercsv ,
SEEN
echo "ok: readers that guess the delimiter cut URLs"
