#!/usr/bin/env bash
# Writers of light markup put an escape inside the `://` of a URL that is plain text.
#
# Guess, written before the first run: remark writes a URL in a text node as it is.
#   So do the writers of Pandoc, and each format's reader gets it back.
# Seen: remark with its GFM plugin writes `https\://`, `ftp\://`, `www\.` and `ada\@`.
#   The escape keeps a reader from making a link of what was none.
#   Pandoc writes an escape there in six formats, where `:` or `//` is markup:
#   `https\://`, `https:/\/`, `https:%%//%%`, `https:~/~/`, `https:''//''`, `https:\/\/`.
#   Yet Pandoc's own GFM has `https://`, and so has remark without the plugin.
# Use: a search for `://` misses these URLs, although the page shows each whole.
#   A converted archive then seems to have fewer links than its source.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check pypandoc-binary==1.17
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit \
  unified@11.0.5 rehype-parse@9.0.1 rehype-remark@10.0.1 remark-gfm@4.0.1 remark-stringify@11.0.0

cat > in.html <<'HTML'
<p>See https://tides.example/2026 or ftp://tides.example/2026, www.tides.example, ada@tides.example.</p>
HTML
cat > remark.mjs <<'JS'
import fs from 'node:fs';
import { unified } from 'unified';
import parse from 'rehype-parse';
import remark from 'rehype-remark';
import gfm from 'remark-gfm';
import stringify from 'remark-stringify';
const html = fs.readFileSync('in.html', 'utf8');
for (const plugins of [[], [gfm]]) {
  const out = await unified().use(parse, { fragment: true }).use(remark).use(plugins).use(stringify).process(html);
  console.log(`remark${plugins.length ? ' gfm' : ''}: ${String(out).trim()}`);
}
JS
cat > pandoc.py <<'PY'
import pypandoc
print("pandoc", pypandoc.get_pandoc_version())
for form in "gfm djot typst dokuwiki xwiki zimwiki haddock".split():
    text = pypandoc.convert_text("<p>See https://tides.example/2026.</p>", form, format="html")
    print(f"pandoc {form}: {text.strip()}")
PY
echo "remark-stringify 11.0.0, remark-gfm 4.0.1; source: $(cat in.html)"
{ node remark.mjs; venv/bin/python pandoc.py; } | tee seen.txt
diff - seen.txt <<'SEEN'
remark: See https://tides.example/2026 or ftp://tides.example/2026, www.tides.example, ada@tides.example.
remark gfm: See https\://tides.example/2026 or ftp\://tides.example/2026, www\.tides.example, ada\@tides.example.
pandoc 3.9
pandoc gfm: See https://tides.example/2026.
pandoc djot: See https\://tides.example/2026.
pandoc typst: See https:/\/tides.example/2026.
pandoc dokuwiki: See https:%%//%%tides.example/2026.
pandoc xwiki: See https:~/~/tides.example/2026.
pandoc zimwiki: See https:''//''tides.example/2026.
pandoc haddock: See https:\/\/tides.example\/2026.
SEEN
echo "ok: seven writers leave no :// in the URL of a text"
