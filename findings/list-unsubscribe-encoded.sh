#!/usr/bin/env bash
# Python writes a long link of List-Unsubscribe as encoded words, and a reader of mail then finds no link.
#
# Guess, written before the first run: a header of ASCII needs no encoding.
#   A URL is one word, so the writer leaves its line too long, or folds before it.
# Seen: email.message of Python folds a word that is longer than a line by encoding it.
#   The header becomes `=?utf-8?q?=3Chttps=3A//…?=` in several pieces, and its `<`, `>` and `://` are gone.
#   A shorter link stays as it is, so that a test with a short one passes.
#   mailparser returns the encoded words as the name of the list, without a URL.
#   Python itself decodes them with its new policy, not with the one that its readers have by default.
# Use: as a writer, set `max_line_length=998` in the policy, which is the limit of mail.
#   As a reader, decode the words of List-*, Archived-At and X- headers too, and look for the URL in the result.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit mailparser@3.7.4

cat > write.py <<'PY'
import email
import sys
from email import policy
from email.message import EmailMessage

short = "https://lists.quay.example/leave?list=tides"
long = f"{short}&member=ines%40harbour.example&token=8c41f0e2d7b95a36"
for name, url, rules in [
    ("short", short, policy.default),
    ("long", long, policy.default),
    ("wide", long, policy.default.clone(max_line_length=998)),
]:
    message = EmailMessage(rules)
    message["List-Unsubscribe"] = f"<{url}>"
    message.set_content("High water at six.\n")
    text = message.as_bytes()
    open(f"{name}.eml", "wb").write(text)
    print(f"-- {name}")
    print(text.split(b"\nContent-")[0].decode())
    for reader in (policy.compat32, policy.default):
        read = email.message_from_bytes(text, policy=reader)["List-Unsubscribe"]
        print(f"Python, {type(reader).__name__}: {'the link' if read == f'<{url}>' else 'no link'}")
PY
cat > read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { simpleParser } from 'mailparser';
for (const name of ['short', 'long', 'wide']) {
  const { unsubscribe } = (await simpleParser(readFileSync(`${name}.eml`))).headers.get('list');
  console.log(`mailparser, ${name}: ${unsubscribe.url ?? `no link, but the name ${unsubscribe.name.slice(0, 24)}…`}`);
}
JS
python3 --version
{ echo "mailparser 3.7.4"; python3 write.py; node read.mjs; } | tee seen.txt
diff - seen.txt <<'SEEN'
mailparser 3.7.4
-- short
List-Unsubscribe: <https://lists.quay.example/leave?list=tides>
Python, Compat32: the link
Python, EmailPolicy: the link
-- long
List-Unsubscribe: =?utf-8?q?=3Chttps=3A//lists=2Equay=2Eexample/leave=3Flist?=
 =?utf-8?q?=3Dtides=26member=3Dines=2540harbour=2Eexample=26token=3D8c41f0e2?=
 =?utf-8?q?d7b95a36=3E?=
Python, Compat32: no link
Python, EmailPolicy: the link
-- wide
List-Unsubscribe: <https://lists.quay.example/leave?list=tides&member=ines%40harbour.example&token=8c41f0e2d7b95a36>
Python, Compat32: the link
Python, EmailPolicy: the link
mailparser, short: https://lists.quay.example/leave?list=tides
mailparser, long: no link, but the name =?utf-8?q?=3Chttps=3A//l…
mailparser, wide: https://lists.quay.example/leave?list=tides&member=ines%40harbour.example&token=8c41f0e2d7b95a36
SEEN
echo "ok: a long link of List-Unsubscribe is encoded, and mailparser finds none in it"
