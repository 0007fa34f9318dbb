#!/usr/bin/env bash
# Of three readers of web archives, one returns the address of a record with its angle brackets.
#
# Guess, written before the first run: the grammar of WARC 1.0 puts the target in `<…>`, and wget
#   writes it so. Each reader removes the brackets, as the address is a URI.
# Seen: both readers that are named warcio remove them. FastWARC keeps them, also with quirks_mode.
#   A table that one reader fills and another one queries then holds each page twice.
# Use: brackets around the target are no part of the URL. Compare addresses without them.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install warcio==1.8.1 FastWARC==2.0.1
npm init -y > /dev/null
npm install --silent --no-fund --no-audit warcio@2.4.11 > /dev/null

{
  echo "warcio 1.8.1 (Python), FastWARC 2.0.1, warcio 2.4.11 (JavaScript)"
  venv/bin/python - <<'PY'
import warcio.archiveiterator
import fastwarc.warc
head = ["WARC/1.0", "WARC-Type: resource", "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>",
        "WARC-Date: 2026-11-28T00:00:00Z", "WARC-Target-URI: <https://mill.example.org/plan>",
        "Content-Type: text/plain", "Content-Length: 5"]
open("one.warc", "wb").write("\r\n".join([*head, "", "plan\n", "", ""]).encode())
for record in warcio.archiveiterator.ArchiveIterator(open("one.warc", "rb")):
    print("warcio, Python:", record.rec_headers.get_header("WARC-Target-URI"))
for record in fastwarc.warc.ArchiveIterator(open("one.warc", "rb")):
    print("FastWARC:", record.headers.get("WARC-Target-URI"))
PY
  cat > read.mjs <<'JS'
import fs from 'fs';
import { WARCParser } from 'warcio';
for await (const record of new WARCParser(fs.createReadStream('one.warc'))) {
  console.log('warcio, JavaScript:', record.warcTargetURI);
}
JS
  node read.mjs
} | tee seen.txt
diff - seen.txt <<'SEEN'
warcio 1.8.1 (Python), FastWARC 2.0.1, warcio 2.4.11 (JavaScript)
warcio, Python: https://mill.example.org/plan
FastWARC: <https://mill.example.org/plan>
warcio, JavaScript: https://mill.example.org/plan
SEEN
echo "ok: one of three readers of web archives keeps the brackets around a record's address"
