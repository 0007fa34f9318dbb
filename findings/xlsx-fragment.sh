#!/usr/bin/env bash
# A workbook stores the fragment of a link apart from its URL, or with it: the writer decides.
#
# Guess, written before the first run: the relationship's Target holds the whole URL.
#   Second guess, after XlsxWriter proved it wrong: only XlsxWriter cuts at `#`.
# Seen: XlsxWriter and SheetJS both cut it. Target gets `…/guide`.
#   The sheet's own <hyperlink location="harbour"> gets the rest.
#   ExcelJS and openpyxl write one string into Target.
#   SheetJS joins the two parts when it reads. openpyxl gives the fragment as `location`.
#   ExcelJS reads a workbook of SheetJS without `#harbour`, and says nothing.
# Use: the .rels part alone cannot tell where a cell leads. Join Target, `#` and location.
#   Two cells that lead to two sections otherwise look like one URL twice.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check XlsxWriter==3.3.1 openpyxl==3.1.5
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit xlsx@0.18.5 exceljs@4.4.0

cat > write.py <<'PY'
import openpyxl, xlsxwriter
URL = "https://tides.example/guide#harbour"
book = xlsxwriter.Workbook("XlsxWriter.xlsx")
book.add_worksheet().write_url(0, 0, URL, string="guide")
book.close()
book = openpyxl.Workbook()
book.active["A1"] = "guide"
book.active["A1"].hyperlink = URL
book.save("openpyxl.xlsx")
PY
cat > write.cjs <<'JS'
const XLSX = require('xlsx'), ExcelJS = require('exceljs');
const url = 'https://tides.example/guide#harbour';
const sheet = XLSX.utils.aoa_to_sheet([['guide']]);
sheet.A1.l = { Target: url };
const book = XLSX.utils.book_new();
XLSX.utils.book_append_sheet(book, sheet, 'S');
XLSX.writeFile(book, 'SheetJS.xlsx');
const other = new ExcelJS.Workbook();
other.addWorksheet('S').getCell('A1').value = { text: 'guide', hyperlink: url };
other.xlsx.writeFile('ExcelJS.xlsx');
JS
cat > read.py <<'PY'
import openpyxl, re, sys, zipfile
for writer in sys.argv[1:]:
    name = writer + ".xlsx"
    with zipfile.ZipFile(name) as book:
        rels = book.read("xl/worksheets/_rels/sheet1.xml.rels").decode()
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    target = re.search(r'Target="(https[^"]*)"', rels)[1]
    location = re.search(r'<hyperlink [^>]*location="([^"]*)"', sheet)
    link = openpyxl.load_workbook(name).active["A1"].hyperlink
    print(f"{writer}: Target={target} location={location and location[1]}")
    print(f"{writer} read by openpyxl: target={link.target} location={link.location}")
PY
cat > read.cjs <<'JS'
const XLSX = require('xlsx'), ExcelJS = require('exceljs');
(async () => {
  for (const writer of process.argv.slice(2)) {
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(writer + '.xlsx');
    console.log(`${writer} read by ExcelJS: ${book.worksheets[0].getCell('A1').value.hyperlink}`);
    const other = XLSX.readFile(writer + '.xlsx');
    console.log(`${writer} read by SheetJS: ${other.Sheets[other.SheetNames[0]].A1.l.Target}`);
  }
})();
JS
venv/bin/python write.py
node write.cjs
echo "XlsxWriter 3.3.1, openpyxl 3.1.5, SheetJS 0.18.5, ExcelJS 4.4.0; all write https://tides.example/guide#harbour"
{
  venv/bin/python read.py XlsxWriter SheetJS ExcelJS openpyxl
  node read.cjs XlsxWriter SheetJS ExcelJS openpyxl
} | tee seen.txt
diff - seen.txt <<'SEEN'
XlsxWriter: Target=https://tides.example/guide location=harbour
XlsxWriter read by openpyxl: target=https://tides.example/guide location=harbour
SheetJS: Target=https://tides.example/guide location=harbour
SheetJS read by openpyxl: target=https://tides.example/guide location=harbour
ExcelJS: Target=https://tides.example/guide#harbour location=None
ExcelJS read by openpyxl: target=https://tides.example/guide#harbour location=None
openpyxl: Target=https://tides.example/guide#harbour location=None
openpyxl read by openpyxl: target=https://tides.example/guide#harbour location=None
XlsxWriter read by ExcelJS: https://tides.example/guide
XlsxWriter read by SheetJS: https://tides.example/guide#harbour
SheetJS read by ExcelJS: https://tides.example/guide
SheetJS read by SheetJS: https://tides.example/guide#harbour
ExcelJS read by ExcelJS: https://tides.example/guide#harbour
ExcelJS read by SheetJS: https://tides.example/guide#harbour
openpyxl read by ExcelJS: https://tides.example/guide#harbour
openpyxl read by SheetJS: https://tides.example/guide#harbour
SEEN
echo "ok: two writers cut the link at #, and two readers do not put it together"
