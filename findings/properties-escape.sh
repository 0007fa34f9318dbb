#!/usr/bin/env bash
# Readers of .properties keep the backslashes that Java writes into a URL.
#
# Guess, written before the first run: a package that reads .properties unescapes `\:` `\=` `\#`,
#   since Java's own writer escapes them in every URL (all gradle-wrapper.properties hold `https\://`).
# Seen: properties-reader of npm unescapes nothing. Its value begins with `https\://`, and where a
#   line continues after a `\`, the value ends there, with the `\`.
#   pyjavaproperties3 unescapes `\:` and `\=`, but not `\#`, so the fragment's mark stays escaped.
#   dot-properties of npm, and javaproperties of Python, read the URL that was written.
# Use: a `https\://…` also stands in logs, JSON and databases that such a reader filled.
#   There it is the same URL, and no line of a properties file is around it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv > /dev/null
venv/bin/pip --quiet --disable-pip-version-check install javaproperties==0.8.2 pyjavaproperties3==0.6
npm init -y > /dev/null
npm install --silent --no-fund --no-audit properties-reader@2.3.0 dot-properties@1.1.0 > /dev/null

{
  echo "javaproperties 0.8.2, pyjavaproperties3 0.6, properties-reader 2.3.0, dot-properties 1.1.0"
  venv/bin/python - <<'PY'
import javaproperties
written = javaproperties.dumps({"tides": "https://harbour.example/tides?a=b#spring"}, timestamp=None)
written += "quay=https\\://harbour.example/long/\\\n  rest.html\n"
open("a.properties", "w").write(written)
print(written, end="")
print("javaproperties:", *javaproperties.loads(written).values())
from pyjavaproperties3 import Properties
read = Properties()
read.load(open("a.properties"))
print("pyjavaproperties3:", read["tides"], read["quay"])
PY
  node -e '
    const text = require("fs").readFileSync("a.properties", "utf8");
    const reader = require("properties-reader")("a.properties");
    console.log("properties-reader:", reader.get("tides"), reader.get("quay"));
    const { tides, quay } = require("dot-properties").parse(text);
    console.log("dot-properties:", tides, quay);'
} | tee seen.txt
diff - seen.txt <<'SEEN'
javaproperties 0.8.2, pyjavaproperties3 0.6, properties-reader 2.3.0, dot-properties 1.1.0
tides=https\://harbour.example/tides?a\=b\#spring
quay=https\://harbour.example/long/\
  rest.html
javaproperties: https://harbour.example/tides?a=b#spring https://harbour.example/long/rest.html
pyjavaproperties3: https://harbour.example/tides?a=b\#spring https://harbour.example/long/rest.html
properties-reader: https\://harbour.example/tides?a\=b\#spring https\://harbour.example/long/\
dot-properties: https://harbour.example/tides?a=b#spring https://harbour.example/long/rest.html
SEEN
echo "ok: readers of .properties keep Java's backslashes in a URL"
