#!/usr/bin/env bash
# A writer of vCards escapes `;` and `,` in a URL. Other readers then keep the backslashes.
#
# Guess, written before the first run: the value of URL is a URI, so it is written as it is. If a
#   writer escapes it like text, every reader takes the backslashes off.
# Seen: vobject writes `?a=1\;b=2\,c`, and reads its own card back as it was.
#   ical.js and vcf of npm return the URL with both backslashes. They report no error.
#   icalendar writes the same URL into a calendar without backslashes, but escapes it in DESCRIPTION.
# Use: a backslash before `,` or `;` in a card or calendar belongs to no URL.
#   A URL with such backslashes, as another program stored it, is the URL without them.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install vobject==0.9.9 icalendar==6.3.2
npm init -y > /dev/null
npm install --silent --no-fund --no-audit ical.js@2.2.1 vcf@2.1.2 > /dev/null

{
  echo "vobject 0.9.9, icalendar 6.3.2, ical.js 2.2.1, vcf 2.1.2"
  venv/bin/python - <<'PY'
import icalendar
import vobject
URL = "https://harbour.example/tides?a=1;b=2,c"
card = vobject.vCard()
card.add("n").value = vobject.vcard.Name(family="Bell")
card.add("fn").value = "A. Bell"
card.add("url").value = URL
text = card.serialize()
open("card.vcf", "w", newline="").write(text)
print(next(line for line in text.splitlines() if line.startswith("URL")))
print("vobject:", vobject.readOne(text).url.value)
event = icalendar.Event()
event.add("url", URL)
event.add("description", URL)
print("icalendar:", *event.to_ical().decode().splitlines()[1:-1])
PY
  cat > read.mjs <<'JS'
import fs from 'fs';
import ICAL from 'ical.js';
import vcf from 'vcf';
const text = fs.readFileSync('card.vcf', 'utf8');
console.log('ical.js:', new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue('url'));
console.log('vcf:', vcf.parse(text)[0].get('url').valueOf());
JS
  node read.mjs
} | tee seen.txt
diff - seen.txt <<'SEEN'
vobject 0.9.9, icalendar 6.3.2, ical.js 2.2.1, vcf 2.1.2
URL:https://harbour.example/tides?a=1\;b=2\,c
vobject: https://harbour.example/tides?a=1;b=2,c
icalendar: DESCRIPTION:https://harbour.example/tides?a=1\;b=2\,c URL:https://harbour.example/tides?a=1;b=2,c
ical.js: https://harbour.example/tides?a=1\;b=2\,c
vcf: https://harbour.example/tides?a=1\;b=2\,c
SEEN
echo "ok: a writer of vCards escapes a URL, and other readers keep the escapes"
