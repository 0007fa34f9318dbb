#!/usr/bin/env bash
# A reader of flowed mail joins lines across quote marks, and makes a URL that nobody wrote.
#
# Guess, written before the first run: both mail readers of npm join a quoted URL rightly.
#   RFC 3676 takes quote marks off before it joins, and joins lines of one depth alone.
# Seen: mailparser does so. postal-mime joins first: `2026/> summer` has the mark inside.
#   Where the depth changes, it glues the reply to the quoted URL.
#   `…/2026/I` is a valid URL that ends in the reply's first word.
#   postal-mime does respect the signature mark `-- `.
# Use: such text has wrong URLs that pass every check of syntax. Read the raw message.
#   A `>` inside a path, on a quoted line, shows such a text.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit postal-mime@4.0.0 mailparser@3.14.2

cat > read.mjs <<'JS'
import PostalMime from 'postal-mime';
import { simpleParser } from 'mailparser';
const mail = (...lines) => [
  'From: ada@quay.example', 'To: ben@quay.example', 'Subject: tides', 'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes', '', ...lines, '',
].join('\r\n');
const mails = {
  plain: mail('The table is https://tides.example/2026/ ', 'summer?x=1 now.'),
  quoted: mail('> The table is https://tides.example/2026/ ', '> summer?x=1 now.', 'Thanks.'),
  depths: mail('> The table is https://tides.example/2026/ ', 'I agree.'),
  signed: mail('Thanks.', '-- ', 'https://quay.example/ada'),
};
for (const [name, source] of Object.entries(mails)) {
  const postal = (await PostalMime.parse(source)).text.trim();
  const parser = (await simpleParser(source)).text.trim();
  console.log(`${name}, mailparser:  ${JSON.stringify(parser)}`);
  console.log(`${name}, postal-mime: ${JSON.stringify(postal)}`);
}
JS
echo "postal-mime 4.0.0, mailparser 3.14.2"
node read.mjs | tee seen.txt
diff - seen.txt <<'SEEN'
plain, mailparser:  "The table is https://tides.example/2026/summer?x=1 now."
plain, postal-mime: "The table is https://tides.example/2026/summer?x=1 now."
quoted, mailparser:  "> The table is https://tides.example/2026/summer?x=1 now.\nThanks."
quoted, postal-mime: "> The table is https://tides.example/2026/> summer?x=1 now.\nThanks."
depths, mailparser:  "> The table is https://tides.example/2026/ \nI agree."
depths, postal-mime: "> The table is https://tides.example/2026/I agree."
signed, mailparser:  "Thanks.\n-- \nhttps://quay.example/ada"
signed, postal-mime: "Thanks.\n-- \nhttps://quay.example/ada"
SEEN
echo "ok: postal-mime joins flowed lines without a look at their quote marks"
